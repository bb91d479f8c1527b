/* Firefox profiles: both shapes, markers, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/profile_formats.h"
#include "tests/unit/import_fixture.h"
#include "tests/unit/trace_fixture.h"

extern const struct importer importer_gecko;

static const char SAMPLES[] =
    "SELECT s.ts, t.tid, f.name, m.name, c.depth FROM stack_sample s "
    "JOIN stack_sample_task_context x ON x.id = s.task_context_id JOIN thread t USING (utid) "
    "JOIN stack_profile_callsite c ON c.id = s.callsite_id "
    "JOIN stack_profile_frame f ON f.id = c.frame_id "
    "JOIN stack_profile_mapping m ON m.id = f.mapping ORDER BY s.id";
static const char THREADS[] = "SELECT tid, t.name, pid FROM thread t JOIN process USING (upid) "
                              "WHERE utid > 0 ORDER BY utid";
static const char DAMAGE[] = "SELECT name, value FROM stats WHERE value > 0 AND severity IN "
                             "('error', 'data_loss') ORDER BY 1";

static struct engine *load(void (*write)(struct buffer *out))
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    struct engine *engine = trace_load(&bytes);
    buffer_free(&bytes);
    return engine;
}

static void test_raw(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_gecko_raw);
    trace_expect(engine, SAMPLES,
                 "9000001 100 memcpy /system/lib/libc.so 2|10500000 100 memcpy "
                 "/system/lib/libc.so 2|10500000 101 idle gecko 1|"
                 "11250000 100 a \"b\" \xC3\xA9 gecko 1|13000000 100 (root) gecko 0");
    trace_expect(engine, THREADS, "100 main 100|101 pool 100");
    trace_expect(engine,
                 "SELECT DISTINCT build_id, exact_offset, start_offset, start, end, load_bias "
                 "FROM stack_profile_mapping",
                 " 0 0 0 -1 0");
    trace_expect(engine,
                 "SELECT f.name = s.name, f.rel_pc, s.source_file, s.line_number, count(*) "
                 "FROM stack_profile_frame f JOIN stack_profile_symbol s USING (symbol_set_id) "
                 "GROUP BY 1, 2, 3, 4",
                 "1 0 - - 4");
    trace_expect(engine, "SELECT DISTINCT source FROM stack_sample", "gecko");
    trace_expect(engine, DAMAGE, "");
    engine_free(engine);
}

static void test_processed(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_gecko_processed);
    trace_expect(engine, SAMPLES,
                 "1000000 8 paint gecko 1|2000000 8 main gecko 0|3500000 8 paint gecko 1");
    trace_expect(engine, THREADS, "8 GeckoMain 7|7 - 7");
    trace_expect(engine, "SELECT ts, dur, category, name FROM slice ORDER BY id",
                 "1000000 0 Layout Reflow|1500000 1000000 Other Load|2000000 1000000 Layout CC|"
                 "4000000 2000000 - Load");
    trace_expect(engine,
                 "SELECT name, type, EXTRACT_ARG(dimension_arg_set_id, 'utid'), "
                 "EXTRACT_ARG(dimension_arg_set_id, 'firefox_marker_category'), "
                 "EXTRACT_ARG(dimension_arg_set_id, 'firefox_marker_name') FROM track ORDER BY id",
                 "Reflow firefox_marker 1 Layout Reflow|Load firefox_marker 1 Other Load|"
                 "CC firefox_marker 1 Layout CC|Load firefox_marker 1 - Load");
    trace_expect(engine,
                 "SELECT key, display_value FROM args JOIN slice USING (arg_set_id) "
                 "WHERE slice.ts = 1000000 ORDER BY key",
                 "data.n[0] 1|data.n[1].x 2.5|data.type tracing");
    trace_expect(engine, DAMAGE, "");
    engine_free(engine);
}

static void test_shared_tables(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_gecko_shared);
    trace_expect(engine, SAMPLES,
                 "5000000 1 f gecko 0|6000000 1 g gecko 1|6000000 2 g gecko 1|"
                 "6500000 1 g gecko 1");
    trace_expect(engine, DAMAGE, "");
    engine_free(engine);
}

static void test_damage(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_gecko_cut);
    trace_expect(engine, THREADS, "100 main 100");
    trace_expect(engine, "SELECT count(*) FROM stack_sample", "4");
    trace_expect(engine, DAMAGE, "perfetty_input_truncated 1");
    engine_free(engine);
    engine = load(gen_write_gecko_odd);
    trace_expect(engine, SAMPLES, "2000000 0 ok gecko 1");
    trace_expect(engine, "SELECT name FROM thread WHERE tid = 0 AND utid > 0", "odd");
    trace_expect(engine, DAMAGE, "trace_sorter_negative_timestamp_dropped 1");
    engine_free(engine);
}

/* A cut file loads or is refused with a reason. */
static void test_cuts(void **state)
{
    (void)state;
    void (*const writers[])(struct buffer *) = {gen_write_gecko_raw, gen_write_gecko_processed,
                                                gen_write_gecko_shared};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        struct buffer bytes = BUFFER_INIT;
        writers[i](&bytes);
        for (size_t n = 1; n < bytes.length; n += 9) {
            struct fixture f = fixture_new(&importer_gecko);
            struct status st = STATUS_INIT;
            bool good = import_tokenize(&f.file, (struct str){bytes.data, n}, &st);
            if (good) {
                fixture_finish(&f);
                assert_true(stats_get(f.import, STAT_perfetty_input_truncated) > 0);
            } else {
                assert_non_null(strstr(status_message(&st), "Syntactic error"));
            }
            status_clear(&st);
            fixture_free(&f);
        }
        buffer_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raw),           cmocka_unit_test(test_processed),
        cmocka_unit_test(test_shared_tables), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
