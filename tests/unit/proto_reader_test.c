#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/import/clock.h"
#include "engine/import/packet_reader.h"
#include "engine/import/stats.h"
#include "tests/gen/compress.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

extern const struct importer importer_proto, importer_symbols;

struct fixture {
    struct tables *tables;
    struct import *import;
    struct import_file file;
    struct buffer trace;
    struct status st;
};

static int open_fixture(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    f->tables = tables_new();
    f->import = import_new(f->tables);
    f->file = (struct import_file){.import = f->import, .importer = &importer_proto};
    *state = f;
    return 0;
}

static int close_fixture(void **state)
{
    struct fixture *f = *state;
    if (f->file.state) importer_proto.finish(&f->file);
    import_free(f->import);
    tables_free(f->tables);
    buffer_free(&f->trace);
    status_clear(&f->st);
    mem_free(f);
    return 0;
}

static bool load(struct fixture *f)
{
    struct import_file *files[] = {&f->file};
    if (!import_tokenize(&f->file, buffer_str(&f->trace), &f->st)) return false;
    import_finish(f->import, files, 1);
    return true;
}

/* Triggers are the events of these tests: an instant each. */
static void trigger(struct fixture *f, int64_t ts)
{
    gen_packet_trigger(&f->trace, ts, "t", "p", 1);
}

/* A packet with a sequence id, as real ones have. */
static void trigger_on(struct fixture *f, int64_t ts, uint32_t sequence, uint32_t flags)
{
    size_t mark = gen_packet_open(&f->trace, ts, sequence);
    if (flags) gen_uint(&f->trace, GEN_PACKET_SEQUENCE_FLAGS, flags);
    size_t inner = gen_open(&f->trace, GEN_PACKET_TRIGGER);
    gen_text(&f->trace, 1, "t");
    gen_close(&f->trace, inner);
    gen_packet_close(&f->trace, mark);
}

static void machine_packet(struct fixture *f, int64_t ts, uint32_t machine)
{
    size_t mark = gen_packet_open(&f->trace, ts, 1);
    gen_uint(&f->trace, GEN_PACKET_MACHINE_ID, machine);
    size_t inner = gen_open(&f->trace, GEN_PACKET_TRIGGER);
    gen_text(&f->trace, 1, "t");
    gen_close(&f->trace, inner);
    gen_packet_close(&f->trace, mark);
}

static uint32_t slices(struct fixture *f)
{
    return table_rows(&f->tables->slice.table);
}

static int64_t slice_ts(struct fixture *f, uint32_t row)
{
    return column_get_int64(&f->tables->slice.ts, row);
}

static int64_t stat(struct fixture *f, enum stat stat)
{
    return stats_get(f->import, stat);
}

static void events_come_in_order_of_time(void **state)
{
    struct fixture *f = *state;
    const int64_t times[] = {50, 10, 30, 10, 90};
    for (int i = 0; i < 5; i++)
        trigger(f, times[i]);
    assert_true(load(f));
    assert_int_equal(slices(f), 5);
    const int64_t expected[] = {10, 10, 30, 50, 90};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(slice_ts(f, i), expected[i]);
}

static void a_packet_without_a_time_takes_the_latest(void **state)
{
    struct fixture *f = *state;
    trigger(f, 70);
    trigger(f, 20);
    trigger(f, -1);
    assert_true(load(f));
    assert_int_equal(slice_ts(f, 2), 70);
}

/* ---- framing ---- */

static void other_fields_and_empty_packets_are_stepped_over(void **state)
{
    struct fixture *f = *state;
    gen_uint(&f->trace, 3, 7);
    gen_fixed32(&f->trace, 4, 7);
    gen_fixed64(&f->trace, 5, 7);
    gen_bytes(&f->trace, 1, "", 0);
    gen_bytes(&f->trace, 6, "abc", 3);
    trigger(f, 5);
    assert_true(load(f));
    assert_int_equal(slices(f), 1);
    assert_int_equal(stat(f, STAT_perfetty_input_corrupt), 0);
}

static void a_cut_trace_keeps_what_came_before(void **state)
{
    struct fixture *f = *state;
    trigger(f, 5);
    size_t whole = f->trace.length;
    trigger(f, 6);
    /* At every length: one event, and one loss unless nothing is cut. */
    size_t full = f->trace.length;
    for (size_t cut = full - 1; cut >= whole; cut--) {
        struct fixture *g;
        open_fixture((void **)&g);
        buffer_append(&g->trace, f->trace.data, cut);
        assert_true(load(g));
        assert_int_equal(slices(g), 1);
        assert_int_equal(stat(g, STAT_perfetty_input_truncated), cut > whole);
        assert_int_equal(stat(g, STAT_perfetty_input_corrupt), 0);
        if (cut > whole)
            assert_int_equal(column_get_int64(&g->tables->trace_import_logs.byte_offset, 0), whole);
        close_fixture((void **)&g);
    }
}

static void behind_damage_the_next_packets_are_found(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 20; i++)
        trigger_on(f, 10 + i, 3, 0);
    size_t at = f->trace.length;
    gen_bytes(&f->trace, 7, "x", 1);
    f->trace.data[at] = 0x0B; /* a group: no such wire type */
    buffer_append_text(&f->trace, "\x0a\x7fnoise \x0a\x02\x50\x01\x0a");
    for (int i = 0; i < 20; i++)
        trigger_on(f, 50 + i, 3, 0);
    assert_true(load(f));
    assert_int_equal(slices(f), 40);
    assert_true(stat(f, STAT_perfetty_input_corrupt) >= 1);
    assert_int_equal(stat(f, STAT_perfetty_input_truncated), 0);
    assert_int_equal(column_get_int64(&f->tables->trace_import_logs.byte_offset, 0), at);
}

static void a_packet_that_does_not_decode_is_left_out(void **state)
{
    struct fixture *f = *state;
    trigger(f, 5);
    gen_bytes(&f->trace, 1, "\x40\x05\x72\x70zz", 6); /* a length past the end */
    trigger(f, 6);
    assert_true(load(f));
    assert_int_equal(slices(f), 2);
    assert_int_equal(stat(f, STAT_perfetty_input_corrupt), 1);
}

/* A trace of many kinds of packets, damaged in a few bytes each time, loads or is
 * refused, and gives all its memory back. */
static void random_damage_is_survived(void **state)
{
    struct fixture *f = *state;
    struct buffer inner = BUFFER_INIT;
    gen_packet_trigger(&inner, 400, "inside", "p", 1);
    gen_packet_device_clocks(&f->trace, 1000000);
    gen_packet_trace_uuid(&f->trace, 1, 2);
    for (int i = 0; i < 4; i++)
        trigger_on(f, 1000 + i, 3, i == 0 ? 1 : 2);
    gen_packet_compressed(&f->trace, GEN_CODEC_ZLIB, &inner);
    gen_packet_compressed(&f->trace, GEN_CODEC_ZSTD, &inner);
    gen_packet_system_info(&f->trace, "5.10.0");
    machine_packet(f, 2000, 77);
    uint32_t x = 2463534242;
    for (int round = 0; round < 300; round++) {
        struct fixture *g;
        open_fixture((void **)&g);
        buffer_append(&g->trace, f->trace.data, f->trace.length);
        for (int i = 0; i < 3; i++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            g->trace.data[x % g->trace.length] = (char)(x >> 24);
        }
        load(g);
        close_fixture((void **)&g);
    }
    buffer_free(&inner);
}

static void nothing_readable_is_an_error(void **state)
{
    struct fixture *f = *state;
    buffer_append_text(&f->trace, "\x0a\x05lorem ipsum");
    assert_false(load(f));
    assert_int_equal(f->st.code, STATUS_CORRUPT);
    assert_null(f->file.state);
}

static void a_trace_of_empty_packets_is_empty(void **state)
{
    struct fixture *f = *state;
    gen_bytes(&f->trace, 1, "", 0);
    gen_bytes(&f->trace, 1, "", 0);
    assert_true(load(f));
    assert_int_equal(slices(f), 0);
}

static void unread_packets_are_counted_by_field(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 3; i++) {
        size_t mark = gen_packet_open(&f->trace, 10, 1);
        gen_text(&f->trace, 900, "x");
        gen_packet_close(&f->trace, mark);
    }
    assert_true(load(f));
    assert_int_equal(stat(f, STAT_perfetty_unread_packets), 3);
}

/* ---- compressed packets ---- */

static void compressed_packets_are_unpacked(void **state)
{
    struct fixture *f = *state;
    struct buffer inner = BUFFER_INIT;
    struct buffer whole = f->trace;
    f->trace = inner;
    for (int i = 0; i < 1000; i++)
        trigger(f, 100 + i);
    inner = f->trace;
    f->trace = whole;
    gen_packet_compressed(&f->trace, GEN_CODEC_ZLIB, &inner);
    gen_packet_compressed(&f->trace, GEN_CODEC_ZSTD, &inner);
    trigger(f, 1);
    assert_true(load(f));
    assert_int_equal(slices(f), 2001);
    assert_int_equal(stat(f, STAT_perfetty_input_corrupt), 0);
    buffer_free(&inner);
}

static void damaged_compressed_packets_give_what_they_can(void **state)
{
    struct fixture *f = *state;
    for (int codec = 0; codec < 2; codec++) {
        struct buffer inner = BUFFER_INIT, packed = BUFFER_INIT;
        for (int i = 0; i < 50000; i++)
            gen_packet_trigger(&inner, 100 + i * 977 % 60013, "t", "p", i);
        if (codec == 0)
            gen_zlib(&packed, buffer_str(&inner));
        else
            gen_zstd(&packed, buffer_str(&inner));
        size_t mark = gen_packet_open(&f->trace, -1, 0);
        gen_bytes(&f->trace, codec == 0 ? GEN_PACKET_ZLIB_PACKETS : GEN_PACKET_ZSTD_PACKETS,
                  packed.data, packed.length / 2);
        gen_packet_close(&f->trace, mark);
        buffer_free(&inner);
        buffer_free(&packed);
    }
    assert_true(load(f));
    assert_true(slices(f) > 100 && slices(f) < 100000);
    assert_int_equal(stat(f, STAT_perfetty_input_corrupt), 2);
}

static void compressed_packets_do_not_nest(void **state)
{
    struct fixture *f = *state;
    struct buffer inner = BUFFER_INIT, outer = BUFFER_INIT;
    gen_packet_trigger(&inner, 5, "t", "p", 1);
    gen_packet_compressed(&outer, GEN_CODEC_ZLIB, &inner);
    gen_packet_compressed(&f->trace, GEN_CODEC_ZLIB, &outer);
    assert_true(load(f));
    assert_int_equal(slices(f), 0);
    assert_int_equal(stat(f, STAT_perfetty_input_corrupt), 1);
    buffer_free(&inner);
    buffer_free(&outer);
}

/* ---- sequences ---- */

static void packets_that_need_state_wait_for_it(void **state)
{
    struct fixture *f = *state;
    trigger_on(f, 1, 5, 2); /* needs, has none */
    trigger_on(f, 2, 5, 1); /* clears */
    trigger_on(f, 3, 5, 2);
    trigger_on(f, 4, 6, 2);                         /* another sequence */
    size_t mark = gen_packet_open(&f->trace, 5, 5); /* something was lost */
    gen_uint(&f->trace, GEN_PACKET_PREVIOUS_DROPPED, 1);
    gen_packet_close(&f->trace, mark);
    trigger_on(f, 6, 5, 2);
    trigger_on(f, 7, 5, 3);
    trigger_on(f, 8, 0, 2); /* no sequence */
    assert_true(load(f));
    assert_int_equal(slices(f), 3);
    assert_int_equal(stat(f, STAT_tokenizer_skipped_packets), 4);
}

static void put_interned(struct buffer *b, uint32_t field, uint64_t iid, const char *text)
{
    size_t mark = gen_open(b, field);
    gen_uint(b, 1, iid);
    gen_text(b, 2, text);
    gen_close(b, mark);
}

static void generations_keep_their_data(void **state)
{
    struct fixture *f = *state;
    struct sequence_set set = {0};
    struct sequence *sequence = sequence_intern(&set, 9);
    assert_ptr_equal(sequence_intern(&set, 9), sequence);
    struct buffer first = BUFFER_INIT, second = BUFFER_INIT, defaults = BUFFER_INIT;
    put_interned(&first, 2, 1, "one");
    put_interned(&first, 2, 1, "late");
    put_interned(&first, 3, 1, "other field");
    put_interned(&first, 2, UINT64_C(1) << 60, "far");
    put_interned(&first, 70, 5, "field 70");
    put_interned(&second, 2, 1, "new");
    gen_uint(&defaults, 58, 77);
    gen_text(&defaults, 11, "event defaults");
    const struct packet base = {.file = &f->file, .sequence = sequence};

    sequence_clear(&set, sequence);
    sequence_add_interned(&f->file, sequence, buffer_str(&first));
    struct packet before = base;
    before.generation = packet_hold(sequence->current);
    sequence_set_defaults(&set, sequence, buffer_str(&defaults));
    sequence_set_defaults(&set, sequence, buffer_str(&defaults));
    struct packet same = base;
    same.generation = packet_hold(sequence->current);
    sequence_clear(&set, sequence);
    sequence_add_interned(&f->file, sequence, buffer_str(&second));
    struct packet after = base;
    after.generation = packet_hold(sequence->current);

    const struct {
        const struct packet *packet;
        uint32_t field;
        uint64_t iid;
        const char *text; /* NULL: a miss */
    } cases[] = {
        {&before, 2, 1, "one"},       {&before, 2, UINT64_C(1) << 60, "far"},
        {&before, 70, 5, "field 70"}, {&before, 3, 1, "other field"},
        {&before, 2, 2, NULL},        {&before, 2, 100000, NULL},
        {&same, 2, 1, "one"},         {&after, 2, 1, "new"},
        {&after, 3, 1, NULL},         {&base, 2, 1, NULL},
    };
    int64_t misses = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        string_id text = packet_interned_string(cases[i].packet, cases[i].field, cases[i].iid);
        assert_string_equal(strpool_text(f->import->strings, text),
                            cases[i].text ? cases[i].text : "");
        misses += !cases[i].text;
    }
    assert_int_equal(stat(f, STAT_interned_data_tokenizer_errors), misses);
    assert_true(str_is(packet_default(&same, 11), "event defaults"));
    assert_null(packet_default(&same, 12).p);
    assert_null(packet_default(&after, 11).p);
    assert_int_equal(generation_default_clock(same.generation), 77);
    packet_release(before.generation);
    packet_release(same.generation); /* the other hold goes with the set */
    sequence_set_free(&set);
    buffer_free(&first);
    buffer_free(&second);
    buffer_free(&defaults);
}

/* ---- clocks and machines ---- */

static void packets_wait_for_their_clock(void **state)
{
    struct fixture *f = *state;
    size_t mark = gen_packet_open(&f->trace, 1000, 1);
    gen_uint(&f->trace, GEN_PACKET_CLOCK_ID, GEN_CLOCK_MONOTONIC);
    size_t inner = gen_open(&f->trace, GEN_PACKET_TRIGGER);
    gen_text(&f->trace, 1, "early");
    gen_close(&f->trace, inner);
    gen_packet_close(&f->trace, mark);
    const struct gen_clock clocks[] = {{GEN_CLOCK_MONOTONIC, 500, false, 0},
                                       {GEN_CLOCK_BOOTTIME, 9500, false, 0}};
    gen_packet_clocks(&f->trace, 1, clocks, 2, 0);
    trigger(f, 9000);
    assert_true(load(f));
    assert_int_equal(slices(f), 2);
    assert_int_equal(slice_ts(f, 0), 9000);
    assert_int_equal(slice_ts(f, 1), 10000);
    assert_int_equal(table_rows(&f->tables->clock_snapshot.table), 2);
}

static void the_defaults_name_the_clock(void **state)
{
    struct fixture *f = *state;
    const struct gen_clock clocks[] = {{64, 1, true, 1000}, {GEN_CLOCK_BOOTTIME, 9000, false, 0}};
    gen_packet_clocks(&f->trace, 4, clocks, 2, 0);
    size_t mark = gen_packet_open(&f->trace, -1, 4);
    size_t inner = gen_open(&f->trace, GEN_PACKET_DEFAULTS);
    gen_uint(&f->trace, 58, 64);
    gen_close(&f->trace, inner);
    gen_packet_close(&f->trace, mark);
    trigger_on(f, 3, 4, 0);
    trigger_on(f, 2, 4, 0);
    trigger_on(f, 8000, 5, 0);
    assert_true(load(f));
    const int64_t expected[] = {8000, 12000, 14000};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(slice_ts(f, i), expected[i]);
}

static void packets_of_other_machines_have_their_own_tracks(void **state)
{
    struct fixture *f = *state;
    trigger(f, 5);
    machine_packet(f, 6, 1001);
    machine_packet(f, 7, 1001);
    assert_true(load(f));
    assert_int_equal(table_rows(&f->tables->machine.table), 2);
    assert_int_equal(column_get_int64(&f->tables->machine.raw_id, 1), 1001);
    assert_int_equal(table_rows(&f->tables->track.table), 2);
    assert_int_equal(column_get_int64(&f->tables->track.machine_id, 1), 1);
}

static void a_trace_of_one_other_machine_takes_the_hosts_row(void **state)
{
    struct fixture *f = *state;
    machine_packet(f, 6, 1001);
    machine_packet(f, 7, 1001);
    assert_true(load(f));
    assert_int_equal(table_rows(&f->tables->machine.table), 1);
    assert_int_equal(column_get_int64(&f->tables->machine.raw_id, 0), 1001);
}

static void a_manifest_declares_the_machines(void **state)
{
    struct fixture *f = *state;
    const struct import_machine machines[] = {{0, 0}, {7, 0}};
    f->file.machines = machines;
    f->file.n_machines = 2;
    machine_packet(f, 6, 7);
    machine_packet(f, 7, 8);
    assert_false(load(f));
    assert_int_equal(f->st.code, STATUS_INVALID);
}

/* ---- metadata ---- */

static const char *metadata_text(struct fixture *f, const char *name)
{
    const struct metadata_table *t = &f->tables->metadata;
    string_id id = strpool_find(f->import->strings, str_of(name));
    for (uint32_t i = 0; i < table_rows(&t->table); i++)
        if (column_get_string(&t->name, i) == id)
            return strpool_text(f->import->strings, column_get_string(&t->str_value, i));
    return NULL;
}

static void the_trace_says_what_it_is(void **state)
{
    struct fixture *f = *state;
    gen_packet_trace_uuid(&f->trace, 0x0123456789abcdef, 0xfedcba9876543210);
    trigger(f, 5);
    size_t mark = gen_packet_open(&f->trace, -1, 0);
    gen_bytes(&f->trace, 78, "\x08\x01\x10", 3);
    size_t list = gen_open(&f->trace, 126), one = gen_open(&f->trace, 1);
    gen_text(&f->trace, 1, "who");
    gen_text(&f->trace, 3, "me");
    gen_close(&f->trace, one);
    gen_close(&f->trace, list);
    gen_packet_close(&f->trace, mark);
    assert_true(load(f));
    assert_string_equal(metadata_text(f, "trace_uuid"), "01234567-89ab-cdef-fedc-ba9876543210");
    assert_string_equal(metadata_text(f, "trace_type"), "proto");
    assert_string_equal(metadata_text(f, "ui_state"), "CAEQ");
    assert_string_equal(metadata_text(f, "trace_attribute.who"), "me");
    assert_string_equal(metadata_text(f, "trace_trigger"), "t");
}

static void kinds_are_told_apart(void **state)
{
    (void)state;
    assert_true(importer_proto.sniff(STR("\x0a\x02\x08\x01")));
    assert_false(importer_proto.sniff(STR("{\"a\"")));
    assert_true(importer_symbols.sniff(STR("\x0a\x04\xea\x03\x01x")));
    assert_false(importer_symbols.sniff(STR("\x0a\x04\x08\x03\x01x")));
    assert_ptr_equal(importer_sniff(STR("\x0a\x04\xea\x03\x01x")), &importer_symbols);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
    const struct CMUnitTest tests[] = {
        TEST(events_come_in_order_of_time),
        TEST(a_packet_without_a_time_takes_the_latest),
        TEST(other_fields_and_empty_packets_are_stepped_over),
        TEST(a_cut_trace_keeps_what_came_before),
        TEST(behind_damage_the_next_packets_are_found),
        TEST(a_packet_that_does_not_decode_is_left_out),
        TEST(random_damage_is_survived),
        TEST(nothing_readable_is_an_error),
        TEST(a_trace_of_empty_packets_is_empty),
        TEST(unread_packets_are_counted_by_field),
        TEST(compressed_packets_are_unpacked),
        TEST(damaged_compressed_packets_give_what_they_can),
        TEST(compressed_packets_do_not_nest),
        TEST(packets_that_need_state_wait_for_it),
        TEST(generations_keep_their_data),
        TEST(packets_wait_for_their_clock),
        TEST(the_defaults_name_the_clock),
        TEST(packets_of_other_machines_have_their_own_tracks),
        TEST(a_trace_of_one_other_machine_takes_the_hosts_row),
        TEST(a_manifest_declares_the_machines),
        TEST(the_trace_says_what_it_is),
        TEST(kinds_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
