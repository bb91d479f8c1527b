/* Collapsed stacks: rows, what is no stack, UTF-16. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/profile_formats.h"
#include "tests/unit/trace_fixture.h"

static const char LEAVES[] =
    "SELECT f.name, c.depth, p.name, s.value FROM __intrinsic_aggregate_sample s "
    "JOIN stack_profile_callsite c ON c.id = s.callsite_id "
    "JOIN stack_profile_frame f ON f.id = c.frame_id "
    "LEFT JOIN stack_profile_callsite pc ON pc.id = c.parent_id "
    "LEFT JOIN stack_profile_frame p ON p.id = pc.frame_id ORDER BY s.id";

static struct engine *load(void (*write)(struct buffer *out))
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    struct engine *engine = trace_load(&bytes);
    buffer_free(&bytes);
    return engine;
}

static void test_stacks(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_collapsed);
    trace_expect(engine, LEAVES,
                 "read(int, char**) 2 parse file 3|std::map<int, a b>::find 2 parse file 2|"
                 "main 0 - 1|read(int, char**) 2 parse file 4");
    trace_expect(engine, "SELECT count(*) FROM stack_profile_callsite", "4");
    trace_expect(engine,
                 "SELECT scope, name, sample_type_type, sample_type_unit "
                 "FROM __intrinsic_aggregate_profile",
                 "collapsed_stack_file collapsed_stack samples samples count");
    trace_expect(engine,
                 "SELECT DISTINCT f.rel_pc, m.name, s.source_file, s.name = f.name "
                 "FROM stack_profile_frame f JOIN stack_profile_mapping m ON m.id = f.mapping "
                 "JOIN stack_profile_symbol s ON s.symbol_set_id = f.symbol_set_id",
                 "0 [collapsed_stack] - 1");
    trace_expect(engine, "SELECT str_value FROM metadata WHERE name = 'trace_type'",
                 "collapsed_stack");
    engine_free(engine);
}

static void test_utf16(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_collapsed_utf16);
    trace_expect(engine, LEAVES,
                 "x 1 \xF0\x9F\x98\x80 1|read(int, char**) 2 parse file 3|"
                 "std::map<int, a b>::find 2 parse file 2|main 0 - 1|"
                 "read(int, char**) 2 parse file 4");
    engine_free(engine);
}

static void test_odd_lines(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_collapsed_odd);
    trace_expect(engine, LEAVES, "b 1 a 1|b 1 a 2|c 1 b 5|leaf 2000 deep 7");
    trace_expect(
        engine, "SELECT value FROM stats WHERE name = 'perfetty_input_corrupt' AND value > 0", "4");
    trace_expect(engine,
                 "SELECT l.byte_offset, EXTRACT_ARG(l.arg_set_id, 'error') "
                 "FROM __intrinsic_trace_import_logs l ORDER BY 1 LIMIT 1",
                 "35 a line that is not `frame;frame count`");
    engine_free(engine);
}

static void test_a_stack_without_end(void **state)
{
    (void)state;
    struct buffer bytes = BUFFER_INIT;
    for (int i = 0; i < 70000; i++)
        buffer_append_text(&bytes, "f;");
    buffer_append_text(&bytes, "leaf 1\n");
    struct engine *engine = trace_load(&bytes);
    trace_expect(engine, "SELECT max(depth) FROM stack_profile_callsite", "65535");
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'perfetty_input_corrupt'", "1");
    engine_free(engine);
    buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_utf16),
        cmocka_unit_test(test_odd_lines),
        cmocka_unit_test(test_a_stack_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
