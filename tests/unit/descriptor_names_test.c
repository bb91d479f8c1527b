/* What a FileDescriptorSet declares, as lines; cut and huge ones end early. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/extensions/descriptor_names.h"
#include "tests/gen/bench.h"
#include "tests/gen/wire.h"

static void names_are_full(void **state)
{
    (void)state;
    struct buffer set = BUFFER_INIT, out = BUFFER_INIT;
    bench_descriptor(&set);
    descriptor_names_append(buffer_str(&set), &out);
    assert_string_equal(buffer_text(&out),
                        "message com.example.bench.FrameTiming\n"
                        "message com.example.bench.BenchInfo\n"
                        "message com.example.bench.BenchExtension\n"
                        "extension com.example.bench.BenchExtension.bench_info = 9901 of "
                        "perfetto.protos.TrackEvent\n"
                        "enum com.example.bench.Phase\n");
    buffer_free(&set);
    buffer_free(&out);
}

static void cut_sets_end_early(void **state)
{
    (void)state;
    struct buffer set = BUFFER_INIT;
    bench_descriptor(&set);
    for (size_t n = 0; n < set.length; n++) {
        struct buffer out = BUFFER_INIT;
        char *copy = mem_copy_string(buffer_text(&set), n); /* so that a sanitizer sees its end */
        descriptor_names_append((struct str){copy, n}, &out);
        mem_free(copy);
        buffer_free(&out);
    }
    buffer_free(&set);
}

/* Messages in messages, and more of them than anybody reads. */
static void nesting_and_length_are_capped(void **state)
{
    (void)state;
    struct buffer set = BUFFER_INIT, out = BUFFER_INIT, all = BUFFER_INIT;
    size_t marks[100];
    char name[1000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    size_t file = gen_open(&set, 1);
    for (int i = 0; i < 20; i++) {
        marks[0] = gen_open(&set, 4);
        gen_text(&set, 1, name);
        for (int k = 1; k < 100; k++) {
            marks[k] = gen_open(&set, 3);
            gen_text(&set, 1, name);
        }
        for (int k = 99; k >= 0; k--)
            gen_close(&set, marks[k]);
    }
    gen_close(&set, file);
    out.largest = 100000;
    descriptor_names_append(buffer_str(&set), &out);
    assert_true(out.overflowed);
    assert_true(out.length <= 100000);
    descriptor_names_append(buffer_str(&set), &all);
    size_t lines = 0;
    for (const char *c = buffer_text(&all); *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 20 * 33); /* depth 0 to 32 */
    buffer_free(&set);
    buffer_free(&all);
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_full),
        cmocka_unit_test(cut_sets_end_early),
        cmocka_unit_test(nesting_and_length_are_capped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
