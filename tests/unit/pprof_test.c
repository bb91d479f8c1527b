/* pprof's profiles: values, inlined functions, ids that lead nowhere, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/profile_formats.h"
#include "tests/gen/wire.h"
#include "tests/unit/trace_fixture.h"

static const char SAMPLES[] =
    "SELECT p.name, f.name, c.depth, s.value FROM __intrinsic_aggregate_sample s "
    "JOIN __intrinsic_aggregate_profile p ON p.id = s.aggregate_profile_id "
    "JOIN stack_profile_callsite c ON c.id = s.callsite_id "
    "JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY s.id";
static const char WHOLE[] = "pprof samples inline 1 3|pprof cpu inline 1 3e+07|"
                            "pprof samples main 0 1|pprof cpu main 0 1e+07|"
                            "pprof samples [unknown] 1 0|pprof cpu [unknown] 1 5";

static struct engine *load(void (*write)(struct buffer *out))
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    struct engine *engine = trace_load(&bytes);
    buffer_free(&bytes);
    return engine;
}

static void test_samples(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_pprof);
    trace_expect(engine, SAMPLES, WHOLE);
    trace_expect(engine,
                 "SELECT scope, sample_type_type, sample_type_unit "
                 "FROM __intrinsic_aggregate_profile",
                 "pprof_file samples count|pprof_file cpu nanoseconds");
    trace_expect(engine,
                 "SELECT f.name, f.rel_pc, m.name, m.start, m.end, m.exact_offset, m.build_id "
                 "FROM stack_profile_frame f JOIN stack_profile_mapping m ON m.id = f.mapping",
                 "main 16 /bin/app 4096 36864 512 6275696c642d69642d31|"
                 "inline 32 /bin/app 4096 36864 512 6275696c642d69642d31|"
                 "[unknown] 119 [unknown] 0 -1 0 ");
    trace_expect(engine,
                 "SELECT f.name, s.name, s.source_file, s.line_number, s.inlined "
                 "FROM stack_profile_frame f LEFT JOIN stack_profile_symbol s "
                 "USING (symbol_set_id) ORDER BY f.id, s.id",
                 "main main main.go 12 0|inline inline lib.go 20 1|inline work main.go 99 0|"
                 "[unknown] - - - -");
    trace_expect(engine, "SELECT str_value FROM metadata WHERE name = 'trace_type'", "pprof");
    engine_free(engine);
}

static void test_damage(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_pprof_cut);
    trace_expect(engine, SAMPLES, WHOLE);
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'perfetty_input_truncated'", "1");
    engine_free(engine);
    engine = load(gen_write_pprof_odd);
    trace_expect(engine, "SELECT count(*), sum(value) FROM __intrinsic_aggregate_sample",
                 "7 4e+07");
    trace_expect(engine, "SELECT name FROM __intrinsic_aggregate_profile WHERE id = 2",
                 "pprof unknown");
    engine_free(engine);
}

static void test_a_stack_without_end(void **state)
{
    (void)state;
    struct buffer bytes = BUFFER_INIT;
    gen_write_pprof(&bytes);
    size_t sample = gen_open(&bytes, 2), chain = gen_open(&bytes, 1);
    for (int i = 0; i < 100000; i++)
        buffer_append_byte(&bytes, 1);
    gen_close(&bytes, chain);
    gen_packed(&bytes, 2, (uint64_t[]){1, 1, 1, 1}, 4);
    gen_close(&bytes, sample);
    struct engine *engine = trace_load(&bytes);
    trace_expect(engine, "SELECT max(depth) FROM stack_profile_callsite", "65535");
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'perfetty_input_corrupt'", "1");
    engine_free(engine);
    buffer_free(&bytes);
}

static void test_what_is_no_profile(void **state)
{
    (void)state;
    struct buffer bytes = BUFFER_INIT;
    /* Messages, but no string. */
    size_t sample = gen_open(&bytes, 2);
    gen_packed(&bytes, 1, (uint64_t[]){1, 2, 3, 4, 5, 6, 7, 8}, 8);
    gen_close(&bytes, sample);
    char path[] = "/tmp/perfetty_pprof_XXXXXX";
    const char *operand = path;
    struct status st = STATUS_INIT;
    int fd = mkstemp(path);
    assert_int_equal(write(fd, bytes.data, bytes.length), (ssize_t)bytes.length);
    close(fd);
    struct engine *engine = engine_new();
    assert_false(engine_load(engine, &operand, 1, NULL, &st));
    assert_non_null(strstr(status_message(&st), "Invalid pprof: empty string table"));
    engine_free(engine);
    status_clear(&st);
    unlink(path);
    buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_a_stack_without_end),
        cmocka_unit_test(test_what_is_no_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
