/* Fuchsia traces: every kind of event, the scheduler, what is inside, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/heap_formats.h"
#include "tests/unit/trace_fixture.h"

static struct engine *load(void (*write)(struct buffer *out))
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    struct engine *engine = trace_load(&bytes);
    buffer_free(&bytes);
    return engine;
}

static void test_events(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_fuchsia);
    trace_expect(engine,
                 "SELECT s.ts, s.dur, s.depth, s.category, s.name, t.tid, p.pid FROM slice s "
                 "JOIN thread_track k ON k.id = s.track_id JOIN thread t USING (utid) "
                 "JOIN process p USING (upid) WHERE s.ts < 3000000000 ORDER BY s.id",
                 "100000 100000 0 demo run 11 10|120000 20000 1 demo work 11 10|"
                 "130000 0 2 demo tick 11 10|240000 -1 0 demo run 61 60|"
                 "1000000 0 0 own tock 21 20");
    trace_expect(engine,
                 "SELECT a.key, a.value_type, a.display_value FROM args a JOIN slice s "
                 "ON s.arg_set_id = a.arg_set_id WHERE s.ts = 100000 ORDER BY a.id",
                 "demo real 1.5|tick uint 6|run int 7|work uint 8|count int -5|process string tick|"
                 "incoming_weight bool true|outgoing_weight string null|waker pointer 0x1000");
    trace_expect(engine,
                 "SELECT c.ts, t.name, c.value FROM counter c JOIN track t ON t.id = c.track_id "
                 "WHERE t.type = 'fuchsia_counter'",
                 "210000 tick:count:9 3");
    trace_expect(engine,
                 "SELECT s.ts, s.dur, s.name, s.depth FROM slice s JOIN track t "
                 "ON t.id = s.track_id WHERE t.type = 'legacy_async_process_slice' ORDER BY s.ts",
                 "220000 10000 work 0|225000 0 work 1");
    trace_expect(engine,
                 "SELECT a.ts, b.ts FROM flow f JOIN slice a ON a.id = f.slice_out "
                 "JOIN slice b ON b.id = f.slice_in",
                 "100000 240000");
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'fuchsia_non_numeric_counters'",
                 "1");
    trace_expect(engine, "SELECT name FROM process WHERE pid = 50", "net");
    trace_expect(engine,
                 "SELECT t.name, p.pid FROM thread t JOIN process p USING (upid) "
                 "WHERE tid = 51",
                 "work 50");
    engine_free(engine);
}

static void test_scheduler(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_fuchsia);
    trace_expect(engine,
                 "SELECT s.ts, s.dur, t.tid, s.end_state, s.priority, s.cpu FROM sched_slice s "
                 "JOIN thread t USING (utid) ORDER BY s.ts",
                 "300000 10000 51 S 30 1|330000 -1 11 - 16 2");
    trace_expect(engine,
                 "SELECT s.ts, s.dur, t.tid, s.state, w.tid, s.cpu FROM thread_state s "
                 "JOIN thread t USING (utid) LEFT JOIN thread w ON w.utid = s.waker_utid "
                 "ORDER BY s.id",
                 "300000 10000 51 Running - 1|310000 10000 51 S - 1|320000 -1 51 W 11 1|"
                 "330000 -1 11 Running - 2");
    engine_free(engine);
}

static void test_trace_inside(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_fuchsia);
    trace_expect(engine,
                 "SELECT count(*) > 0 FROM counter c JOIN track t ON t.id = c.track_id "
                 "WHERE t.type <> 'fuchsia_counter'",
                 "1");
    engine_free(engine);
}

static void test_damage(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_fuchsia_cut);
    trace_expect(engine, "SELECT ts, dur, name FROM slice", "100 -1 run");
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'perfetty_input_truncated'", "1");
    engine_free(engine);
    engine = load(gen_write_fuchsia_odd);
    trace_expect(engine, "SELECT ts, dur, name FROM slice", "101 0 run");
    trace_expect(engine,
                 "SELECT name, value FROM stats WHERE value > 0 AND severity = 'error' "
                 "ORDER BY name",
                 "fuchsia_invalid_event 2|fuchsia_invalid_event_arg_type 1|"
                 "fuchsia_invalid_string_ref 1|fuchsia_record_read_error 2|"
                 "fuchsia_timestamp_overflow 3|fuchsia_unknown_event_arg 1|"
                 "perfetty_input_corrupt 1");
    engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_scheduler),
        cmocka_unit_test(test_trace_inside),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
