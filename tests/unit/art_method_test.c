/* ART method traces: text, stream, blocks; their damage. */
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

static const char SLICES[] =
    "SELECT t.tid, t.name, s.ts, s.dur, s.depth, s.name, "
    "extract_arg(s.arg_set_id, 'pathname'), extract_arg(s.arg_set_id, 'line_number') "
    "FROM slice s JOIN thread_track k ON k.id = s.track_id JOIN thread t USING (utid) ORDER BY "
    "s.id";
/* What the text form and the stream tell. */
static const char WHOLE[] =
    "10 main 5000010000 -1 0 com/example/Shop.open: (I)V com/example/Shop.java 12|"
    "11 Pool worker 5000012000 3000 0 com.example.Old.:  - -|"
    "10 main 5000020000 10000 1 com.example.Cart.load: ()V Cart.java -|"
    "11 Pool worker 5000021000 1000 0 - - -|"
    "10 main 5000040000 -1 1 com.example.Cart.load: ()V Cart.java -";

static void test_text(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_art_text);
    trace_expect(engine, SLICES, WHOLE);
    trace_expect(engine, "SELECT DISTINCT type FROM track", "art_method_tracing");
    trace_expect(engine, "SELECT str_value FROM metadata WHERE name = 'trace_type'", "art_method");
    engine_free(engine);
    engine = load(gen_write_art_text_cut);
    trace_expect(engine, "SELECT count(*), sum(dur < 0) FROM slice", "4 1");
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'perfetty_input_truncated'", "1");
    engine_free(engine);
    engine = load(gen_write_art_text_odd);
    trace_expect(engine, SLICES, "10 main 5000007000 -1 0 cls.:  b.java 77");
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'perfetty_input_corrupt'", "5");
    engine_free(engine);
}

static void test_stream(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_art_stream);
    trace_expect(engine, SLICES, WHOLE);
    trace_expect(engine, "SELECT count(*) FROM stats WHERE name LIKE 'perfetty%' AND value > 0",
                 "0");
    engine_free(engine);
    engine = load(gen_write_art_stream_cut);
    trace_expect(engine, SLICES, WHOLE);
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'perfetty_input_truncated'", "1");
    engine_free(engine);
}

static void test_blocks(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_art_v2);
    trace_expect(engine, SLICES,
                 "100000 main 5000000500 1500 0 com.example.Shop.open: (I)V Shop.java 12|"
                 "100000 main 5000001000 500 1 com.example.Cart.load: ()V Cart.java -");
    trace_expect(engine,
                 "SELECT name, int_value, str_value FROM metadata WHERE name IN "
                 "('clock', 'pid', 'trace_type') ORDER BY name",
                 "clock - wall|pid 77 -|trace_type - art_method_v2");
    engine_free(engine);
    engine = load(gen_write_art_v2_dual);
    trace_expect(engine, SLICES,
                 "100000 main 5000001000 3000 0 com.example.Shop.open: (I)V Shop.java 12|"
                 "100000 main 5000002000 1000 1 com.example.Cart.load: ()V Cart.java -");
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'perfetty_input_truncated'", "1");
    engine_free(engine);
    engine = load(gen_write_art_v2_odd);
    trace_expect(engine, SLICES,
                 "5 - 5000001000 -1 0 - - -|5 - 5000001000 -1 1 - - -|"
                 "5 - 5000002000 -1 2 - - -|5 - 5000002000 -1 3 - - -");
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'perfetty_input_corrupt'", "3");
    engine_free(engine);
}

static void expect_error(const char *bytes, size_t n, const char *want)
{
    char path[] = "/tmp/perfetty_trace_XXXXXX";
    const char *operand = path;
    struct status st = STATUS_INIT;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), (ssize_t)n);
    close(fd);
    struct engine *engine = engine_new();
    assert_false(engine_load(engine, &operand, 1, NULL, &st));
    if (!strstr(status_message(&st), want)) fail_msg("want %s\ngot  %s", want, status_message(&st));
    status_clear(&st);
    unlink(path);
    engine_free(engine);
}

static void test_errors(void **state)
{
    (void)state;
#define EXPECT(bytes, want) expect_error(bytes, sizeof(bytes) - 1, want)
    EXPECT("*version\n4\n", "trace version (4) not supported");
    EXPECT("*version\n3\nclock=thread-cpu\n", "thread-cpu clock is *not* supported");
    EXPECT("*version\n3\nclock=moon\n", "unknown clock moon");
    EXPECT("*version\n3\n*what\n", "unexpected line (*what)");
    EXPECT("*version\n3\n*methods\n", "trace is incomplete");
    EXPECT("*version\n3\n*end\nSLOW", "trace is incomplete");
    EXPECT("SLOW\x01\x00", "trace is incomplete");
    EXPECT("SLOW\x01\x00 0123456789012345678901234567", "Illegal version 241");
    EXPECT("SLOW\xF3\x00 012345678\x03\x00"
           "012345678901234",
           "record size 3 below minimum");
    EXPECT("SLOW\x04\x00", "the file ends inside its header");
#undef EXPECT
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
