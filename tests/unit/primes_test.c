/* Traces of Primes: lanes, flows, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/profile_formats.h"
#include "tests/unit/import_fixture.h"
#include "tests/unit/trace_fixture.h"

extern const struct importer importer_primes;

static const char SLICES[] = "SELECT s.ts - 5000000000, s.dur, s.name, t.name, t.type, "
                             "EXTRACT_ARG(t.dimension_arg_set_id, 'executor_id') FROM slice s "
                             "JOIN track t ON t.id = s.track_id ORDER BY s.id";
static const char DAMAGE[] = "SELECT name, value FROM stats WHERE value > 0 AND severity IN "
                             "('error', 'data_loss', 'info') AND name NOT LIKE '%duration%' "
                             "AND name NOT LIKE 'clock%' ORDER BY 1";

static struct engine *load(void (*write)(struct buffer *out))
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    struct engine *engine = trace_load(&bytes);
    buffer_free(&bytes);
    return engine;
}

static void test_slices_and_flows(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_primes);
    trace_expect(engine, SLICES,
                 "100 400 root main primes_executor_slice 70|"
                 "200 100 child main primes_executor_slice 70|"
                 "600 2000000200 next pool primes_executor_slice 71|"
                 "700 0 mark pool primes_executor_slice 71");
    trace_expect(engine,
                 "SELECT a.name, b.name, f.trace_id FROM flow f JOIN slice a ON a.id = slice_out "
                 "JOIN slice b ON b.id = slice_in ORDER BY f.id",
                 "root next 1|next mark 90");
    trace_expect(engine, "SELECT str_value FROM metadata WHERE name = 'trace_type'", "primes");
    trace_expect(engine, DAMAGE, "");
    engine_free(engine);
}

static void test_damage(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_primes_cut);
    trace_expect(engine, "SELECT name, dur FROM slice WHERE dur < 0", "next -1");
    trace_expect(engine, DAMAGE, "perfetty_input_truncated 1");
    engine_free(engine);
    engine = load(gen_write_primes_odd);
    trace_expect(engine, "SELECT ts, name FROM slice", "1005 good");
    trace_expect(engine, DAMAGE,
                 "primes_end_without_matching_begin 1|primes_executor_not_found 1|"
                 "primes_malformed_timestamp 2|primes_missing_entity_details 1|"
                 "primes_missing_parent_id 1|primes_unknown_edge_type 1");
    engine_free(engine);
}

static void test_refusals(void **state)
{
    (void)state;
    struct fixture f = fixture_new(&importer_primes);
    struct status st = STATUS_INIT;
    assert_false(import_tokenize(&f.file,
                                 STR("\x09"
                                     "12345678"),
                                 &st));
    assert_string_equal(status_message(&st), "Primes Trace proto did not contain a start time.");
    status_clear(&st);
    fixture_free(&f);
    assert_true(importer_primes.sniff(STR("\x09"
                                          "12345678")));
    assert_true(importer_primes.sniff(STR("\x09"
                                          "12345678\x12\x01x")));
    assert_false(importer_primes.sniff(STR("\x09"
                                           "1234567")));
    assert_false(importer_primes.sniff(STR("\tan indented text that is no trace\n")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_and_flows),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
