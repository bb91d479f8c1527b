/* V8's CPU profiles: both kinds, order of nodes, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/profile_formats.h"
#include "tests/unit/import_fixture.h"
#include "tests/unit/trace_fixture.h"

extern const struct importer importer_cpuprofile;

static const char SAMPLES[] =
    "SELECT s.ts, f.name, c.depth, p.name, y.source_file, y.line_number FROM stack_sample s "
    "JOIN stack_profile_callsite c ON c.id = s.callsite_id "
    "JOIN stack_profile_frame f ON f.id = c.frame_id "
    "JOIN stack_profile_symbol y USING (symbol_set_id) "
    "LEFT JOIN stack_profile_callsite pc ON pc.id = c.parent_id "
    "LEFT JOIN stack_profile_frame p ON p.id = pc.frame_id ORDER BY s.id";
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

static void test_nodes_and_samples(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_cpuprofile);
    trace_expect(engine, SAMPLES,
                 "1000500 (idle) 1 (root) - -|1100500 main 1 (root) /app.js 11|"
                 "1140500 (anonymous) 2 main /app.js 21|1150500 (anonymous) 2 main /app.js 21|"
                 "1340500 main 1 (root) /app.js 11");
    trace_expect(engine,
                 "SELECT DISTINCT t.name, t.tid FROM cpu_profile_stack_sample "
                 "JOIN thread t USING (utid)",
                 "CPU profile 0");
    trace_expect(engine, "SELECT name FROM stack_profile_mapping ORDER BY 1", "|/app.js");
    trace_expect(engine, DAMAGE, "");
    engine_free(engine);
}

static void test_older_tree(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_cpuprofile_old);
    trace_expect(engine, SAMPLES,
                 "10500000000 g 2 f b.js 7|10750000000 f 1 (root) a.js 3|"
                 "11000000000 g 2 f b.js 7|11250000000 (root) 0 - - -");
    trace_expect(engine, DAMAGE, "");
    engine_free(engine);
}

static void test_damage(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_cpuprofile_cut);
    trace_expect(engine, SAMPLES, "6000 a 0 - - -");
    trace_expect(engine, DAMAGE, "perfetty_input_truncated 1");
    engine_free(engine);
    engine = load(gen_write_cpuprofile_odd);
    trace_expect(engine,
                 "SELECT s.ts, depth FROM stack_sample s JOIN stack_profile_callsite c "
                 "ON c.id = callsite_id",
                 "1000 1|4000 2");
    trace_expect(engine, DAMAGE,
                 "legacy_v8_cpu_profile_invalid_callsite 1|"
                 "legacy_v8_cpu_profile_invalid_sample 4");
    engine_free(engine);
}

static void test_a_tree_without_end(void **state)
{
    (void)state;
    struct buffer bytes = BUFFER_INIT;
    buffer_append_text(&bytes, "{\"head\":");
    for (int i = 0; i < 5000; i++)
        buffer_append_text(&bytes, "{\"functionName\":\"f\",\"children\":[");
    struct fixture f = fixture_new(&importer_cpuprofile);
    struct status st = STATUS_INIT;
    assert_true(import_tokenize(&f.file, buffer_str(&bytes), &st));
    fixture_finish(&f);
    assert_true(table_rows(&f.tables->stack_profile_callsite.table) >= 200);
    assert_true(stats_get(f.import, STAT_perfetty_input_corrupt) > 0);
    fixture_free(&f);
    buffer_free(&bytes);
}

static void test_what_is_no_profile(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"{\"nodes\":[]}",
                                        "{\"nodes\":[1]}",
                                        "{\"traceEvents\":[{\"nodes\":[{}]}]}",
                                        "{\"head\":[]}",
                                        "{\"snapshot\":{},\"nodes\":[{",
                                        "[{\"nodes\":[{",
                                        "{\"a\":1,\"b\":2}",
                                        "{",
                                        "{\"schema\":1,\"nodes\":[{\"id\":1,\"name\":\"op\"}]}"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        assert_false(importer_cpuprofile.sniff(str_of(TEXTS[i])));
    assert_true(importer_cpuprofile.sniff(
        STR(" {\n \"endTime\" : 1, \"nodes\" : [ {\"id\":1,\"callFrame\":")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_and_samples),
        cmocka_unit_test(test_older_tree),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_a_tree_without_end),
        cmocka_unit_test(test_what_is_no_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
