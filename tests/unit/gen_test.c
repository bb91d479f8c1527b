/* The trace generator: framing, interning, and the same bytes each time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "engine/base/buffer.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wire),
        cmocka_unit_test(test_packets_are_framed_and_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
