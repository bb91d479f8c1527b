/* The trace generator: framing, interning, and the same bytes each time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <string.h>

#include "engine/base/buffer.h"
#include "engine/base/utf8.h"
#include "tests/gen/archive.h"
#include "tests/gen/catalogue.h"
#include "tests/gen/example.h"
#include "tests/gen/hostile.h"
#include "tests/gen/sidecars.h"
#include "tests/gen/story.h"
#include "tests/gen/descriptor.h"
#include "tests/gen/event.h"
#include "tests/gen/ftrace.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

static void assert_bytes(const struct buffer *b, const char *want, size_t length)
{
    assert_int_equal(b->length, length);
    assert_memory_equal(b->data, want, length);
}

static void test_wire(void **state)
{
    (void)state;
    struct buffer b = BUFFER_INIT;
    gen_varint(&b, 300);
    gen_uint(&b, 1, 1);
    gen_sint(&b, 2, -1);
    gen_text(&b, 3, "ab");
    assert_bytes(&b,
                 "\xac\x02\x08\x01\x10\x01\x1a\x02"
                 "ab",
                 10);
    buffer_clear(&b);
    size_t outer = gen_open(&b, 1);
    size_t inner = gen_open(&b, 2);
    for (int i = 0; i < 200; i++)
        buffer_append_byte(&b, 'x');
    gen_close(&b, inner);
    gen_close_padded(&b, outer);
    assert_int_equal(b.length, 1 + 4 + 1 + 2 + 200);
    assert_memory_equal(b.data, "\x0a\xcb\x81\x80\x00\x12\xc8\x01xx", 10);
    buffer_free(&b);
}

/* Walks one level of fields; false when the bytes do not end at a field's end. */
static bool walk_fields(struct str s, unsigned wanted_field, size_t *count)
{
    size_t at = 0;
    *count = 0;
    while (at < s.n) {
        uint64_t values[2] = {0, 0};
        unsigned wire = 0;
        for (int i = 0; i < 2; i++) {
            for (unsigned shift = 0;; shift += 7) {
                if (at >= s.n || shift > 63) return false;
                unsigned char c = (unsigned char)s.p[at++];
                values[i] |= (uint64_t)(c & 0x7f) << shift;
                if (c < 0x80) break;
            }
            wire = values[0] & 7;
            if (i == 0 && wire == 1) values[1] = 8;
            if (i == 0 && wire == 5) values[1] = 4;
            if (wire == 1 || wire == 5) break;
        }
        if (values[0] >> 3 == wanted_field) ++*count;
        if (wire == 0) continue;
        if (values[1] > s.n - at) return false;
        at += values[1];
    }
    return true;
}

static void write_sample(struct buffer *trace)
{
    struct gen_seq seq;
    struct gen_ftrace cpu;
    gen_packet_device_clocks(trace, 1000000);
    gen_seq_start(&seq, trace, 7);
    gen_seq_track(&seq, 1000, &(struct gen_track){.uuid = 5, .pid = 1, .tid = 2});
    gen_slice_begin(&seq, 1000, 5, "measure");
    gen_slice_begin(&seq, 1001, 5, "measure");
    gen_slice_end(&seq, 1002, 5);
    gen_seq_free(&seq);
    gen_ftrace_start(&cpu, 3);
    gen_ftrace_switch(&cpu, 2000, GEN_TASK_SLEEPING, 9, "nine", 120);
    gen_ftrace_switch(&cpu, 2500, GEN_TASK_RUNNABLE, 0, "swapper/3", 120);
    gen_ftrace_print(&cpu, 2100, 9, "B|9|x\n");
    gen_ftrace_flush(&cpu, trace, 1);
    gen_ftrace_flush(&cpu, trace, 1);
    gen_ftrace_free(&cpu);
}

static void test_packets_are_framed_and_repeatable(void **state)
{
    (void)state;
    struct buffer one = BUFFER_INIT, two = BUFFER_INIT;
    size_t packets = 0;
    write_sample(&one);
    write_sample(&two);
    assert_bytes(&two, one.data, one.length);
    assert_true(walk_fields(buffer_str(&one), 1, &packets));
    assert_int_equal(packets, 6);
    size_t at = 0;
    assert_true(str_find(buffer_str(&one), STR("measure"), &at));
    assert_false(str_find(str_slice(buffer_str(&one), at + 1, one.length), STR("measure"), &at));
    buffer_free(&one);
    buffer_free(&two);
}

static bool is_proto(const char *name)
{
    return str_ends(str_of(name), STR(".perfetto-trace"));
}

/* Those that are damaged on purpose. */
static bool is_broken(const char *name)
{
    static const char *const NAMES[] = {"cut_packet", "cut_tag", "bad_wire_type", "huge_length"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (str_starts(str_of(name), str_of(NAMES[i]))) return true;
    return false;
}

static void test_every_trace_is_repeatable(void **state)
{
    (void)state;
    struct buffer name = BUFFER_INIT;
    for (size_t i = 0; i < gen_catalogue_count(); i++) {
        struct buffer one = BUFFER_INIT, two = BUFFER_INIT;
        size_t packets = 0, found = 0;
        buffer_clear(&name);
        gen_catalogue_name(i, &name);
        assert_true(gen_catalogue_find(buffer_text(&name), &found));
        assert_int_equal(found, i);
        if (str_is(buffer_str(&name), "bomb.zip")) continue; /* large, and no different */
        gen_catalogue_write(i, &one);
        gen_catalogue_write(i, &two);
        assert_true(str_equal(buffer_str(&one), buffer_str(&two)));
        assert_false(one.overflowed);
        if (is_proto(buffer_text(&name)) && !is_broken(buffer_text(&name))) {
            assert_true(walk_fields(buffer_str(&one), 1, &packets));
            assert_true(packets > 1);
        }
        buffer_free(&one);
        buffer_free(&two);
    }
    buffer_free(&name);
}

static void test_example_is_of_the_promised_size(void **state)
{
    (void)state;
    struct gen_example example;
    gen_example_make(&example);
    assert_in_range(example.trace.length, 500 * 1000, 3 * 1000 * 1000);
    assert_in_range(example.simpleperf.length, 100 * 1000, 1000 * 1000);
    size_t records = 0, at = 12, samples = 0;
    for (;;) { /* magic, version, then length-prefixed records up to an empty one */
        uint32_t length = 0;
        assert_true(at + 4 <= example.simpleperf.length);
        for (int k = 3; k >= 0; k--)
            length = length << 8 | (unsigned char)example.simpleperf.data[at + (size_t)k];
        at += 4;
        if (!length) break;
        samples += example.simpleperf.data[at] == 0x0a;
        at += length;
        records++;
    }
    assert_int_equal(at, example.simpleperf.length);
    assert_in_range(samples, 2000, 9000);
    assert_true(records > samples);
    gen_example_free(&example);
}

static void test_stories_differ_and_say_what_to_expect(void **state)
{
    (void)state;
    struct gen_story one, two, own;
    struct buffer a = BUFFER_INIT, b = BUFFER_INIT, c = BUFFER_INIT;
    size_t at = 0;
    tracegen_story(&a, 11, &one);
    tracegen_story(&b, 12, &two);
    gen_story_archive(&c, 11, "com.android.ShowLogs", &own);
    assert_false(str_equal(buffer_str(&a), buffer_str(&b)));
    assert_string_not_equal(one.pinned[0], two.pinned[0]);
    assert_string_not_equal(one.tab_rows[0], two.tab_rows[0]);
    assert_true(str_find(str_of(one.focus_macro), str_of(one.namespace), &at));
    assert_string_equal(own.namespace, "com.android");
    assert_string_equal(own.colliding_macro, "com.android.ShowLogs");
    buffer_free(&a);
    buffer_free(&b);
    buffer_free(&c);
}

static void test_sidecars_cover_every_rule(void **state)
{
    (void)state;
    size_t count = 0;
    unsigned rules = 0;
    const struct gen_sidecar_case *cases = gen_sidecar_cases(&count);
    for (size_t i = 0; i < count; i++) {
        struct buffer text = BUFFER_INIT;
        int64_t rule = 0;
        gen_sidecar_text(&cases[i], &text);
        assert_true(text.length > 0);
        if (cases[i].rule[0] == 'E' && str_to_int64(str_of(cases[i].rule + 1), &rule))
            rules |= 1u << rule;
        assert_int_equal(gen_sidecar_loads(&cases[i]),
                         str_starts(str_of(cases[i].name), STR("ok_")));
        buffer_free(&text);
    }
    assert_int_equal(rules, 0x7ffe); /* E1 to E14 */
}

/* The tables of sidecars (also those of authoring.bundle, authoring.schema and the
 * fuzzers) have each rule, broken and nearly broken. */
static void test_each_rule_has_good_and_bad_sidecars(void **state)
{
    (void)state;
    size_t count = 0;
    const struct gen_sidecar_case *cases = gen_sidecar_cases(&count);
    for (int rule = 1; rule <= 14; rule++) {
        char name[8], bad[16], good[16];
        size_t n_bad = 0, n_good = 0;
        snprintf(name, sizeof name, "E%d", rule);
        snprintf(bad, sizeof bad, "e%d_", rule);
        snprintf(good, sizeof good, "ok_e%d_", rule);
        for (size_t i = 0; i < count; i++) {
            bool is_bad = strcmp(cases[i].rule, name) == 0;
            n_bad += is_bad;
            n_good += strncmp(cases[i].name, good, strlen(good)) == 0;
            assert_int_equal(strncmp(cases[i].name, bad, strlen(bad)) == 0, is_bad);
        }
        if (n_bad < 3 || n_good < 1) fail_msg("%s: %zu bad, %zu good", name, n_bad, n_good);
    }
}

static void test_hostile_texts_hold_what_they_should(void **state)
{
    (void)state;
    unsigned controls = 0, invalid = 0;
    for (size_t i = 0; i < gen_hostile_count(); i++) {
        struct buffer text = BUFFER_INIT;
        size_t bad = 0;
        gen_hostile_text(i, &text);
        if (!utf8_is_valid(buffer_str(&text), &bad)) invalid++;
        for (size_t k = 0; k < text.length; k++)
            if ((unsigned char)text.data[k] < 0x20) controls |= 1u << text.data[k];
        buffer_free(&text);
    }
    assert_int_equal(controls, 0xffffffffu);
    assert_true(invalid > 32);
}

static void test_zip_directory_points_at_the_members(void **state)
{
    (void)state;
    struct buffer out = BUFFER_INIT;
    struct gen_zip zip;
    gen_zip_start(&zip, &out);
    gen_zip_add_text(&zip, "a", "aaaa");
    gen_zip_add(&zip, STR("b"), STR("bbbb"), GEN_ZIP_STORED);
    size_t members = out.length;
    gen_zip_finish(&zip);
    assert_memory_equal(out.data, "PK\3\4", 4);
    assert_memory_equal(out.data + members, "PK\1\2", 4);
    assert_memory_equal(out.data + out.length - 22, "PK\5\6", 4);
    assert_int_equal((unsigned char)out.data[out.length - 22 + 16], members);
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wire),
        cmocka_unit_test(test_packets_are_framed_and_repeatable),
        cmocka_unit_test(test_every_trace_is_repeatable),
        cmocka_unit_test(test_example_is_of_the_promised_size),
        cmocka_unit_test(test_stories_differ_and_say_what_to_expect),
        cmocka_unit_test(test_sidecars_cover_every_rule),
        cmocka_unit_test(test_each_rule_has_good_and_bad_sidecars),
        cmocka_unit_test(test_hostile_texts_hold_what_they_should),
        cmocka_unit_test(test_zip_directory_points_at_the_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
