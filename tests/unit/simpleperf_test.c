/* simpleperf's protobuf reports: records, order, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/import/simpleperf.h"
#include "tests/unit/import_fixture.h"

/* ---- writing reports ---- */

static void put_varint(struct buffer *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        buffer_append_byte(b, (char)(value | 0x80));
    buffer_append_byte(b, (char)value);
}

static void put_int(struct buffer *b, uint32_t field, uint64_t value)
{
    put_varint(b, field << 3);
    put_varint(b, value);
}

static void put_bytes(struct buffer *b, uint32_t field, struct str bytes)
{
    put_varint(b, field << 3 | 2);
    put_varint(b, bytes.n);
    buffer_append_str(b, bytes);
}

static void put_text(struct buffer *b, uint32_t field, const char *text)
{
    put_bytes(b, field, str_of(text));
}

static void put_u32(struct buffer *b, uint64_t value)
{
    for (int i = 0; i < 4; i++)
        buffer_append_byte(b, (char)(value >> 8 * i));
}

static void put_header(struct buffer *b, char version)
{
    buffer_append_text(b, "SIMPLEPERF");
    buffer_append_byte(b, version);
    buffer_append_byte(b, 0);
}

/* Ends the message in `m` as record kind `field`, and empties it. */
static void put_record(struct buffer *b, uint32_t field, struct buffer *m)
{
    struct buffer record = BUFFER_INIT;
    put_bytes(&record, field, buffer_str(m));
    put_u32(b, record.length);
    buffer_append_str(b, buffer_str(&record));
    buffer_clear(m);
    buffer_free(&record);
}

struct call {
    uint64_t vaddr, file;
    int64_t symbol;
};

static void put_sample(struct buffer *b, uint64_t time, uint64_t tid, const struct call *calls,
                       size_t n)
{
    struct buffer m = BUFFER_INIT, entry = BUFFER_INIT;
    put_int(&m, 1, time);
    put_int(&m, 2, tid);
    for (size_t i = 0; i < n; i++) {
        buffer_clear(&entry);
        put_int(&entry, 1, calls[i].vaddr);
        put_int(&entry, 2, calls[i].file);
        put_int(&entry, 3, (uint64_t)calls[i].symbol);
        put_bytes(&m, 3, buffer_str(&entry));
    }
    put_int(&m, 4, 1000);
    put_int(&m, 5, 1);
    buffer_clear(&entry);
    put_int(&entry, 3, 2);
    put_bytes(&m, 6, buffer_str(&entry));
    put_record(b, 1, &m);
    buffer_free(&m);
    buffer_free(&entry);
}

static void put_switch(struct buffer *b, uint64_t time, uint64_t tid, bool on)
{
    struct buffer m = BUFFER_INIT;
    put_int(&m, 1, on);
    put_int(&m, 2, time);
    put_int(&m, 3, tid);
    put_record(b, 6, &m);
    buffer_free(&m);
}

static struct buffer report(void)
{
    static const struct call chain[] = {{0x20, 7, 1}, {0x10, 7, 0}, {0x5, 7, -1}};
    static const struct call stray[] = {{0x20, 99, 0}};
    struct buffer b = BUFFER_INIT, m = BUFFER_INIT;
    put_header(&b, 1);
    put_text(&m, 1, "cpu-cycles");
    put_text(&m, 1, "sched:sched_switch");
    put_text(&m, 2, "org.example");
    put_int(&m, 6, 1);
    put_record(&b, 5, &m);
    put_switch(&b, 90, 11, true);
    put_switch(&b, 91, 500, true);
    put_sample(&b, 200, 11, chain, 3);
    put_sample(&b, 100, 11, chain, 2);
    put_sample(&b, 300, 12, stray, 1);
    put_sample(&b, 310, 12, NULL, 0);
    /* A file after the samples that point into it. */
    put_int(&m, 1, 7);
    put_text(&m, 2, "/lib/x.so");
    put_text(&m, 3, "main");
    put_text(&m, 3, "leaf()");
    put_text(&m, 4, "main");
    put_text(&m, 4, "_Z4leafv");
    put_record(&b, 3, &m);
    put_int(&m, 1, 11);
    put_int(&m, 2, 10);
    put_text(&m, 3, "worker");
    put_record(&b, 4, &m);
    put_int(&m, 1, 5);
    put_int(&m, 2, 2);
    put_record(&b, 2, &m);
    put_u32(&b, 0);
    buffer_append_text(&b, "ignored");
    buffer_free(&m);
    return b;
}

static struct fixture load(struct str bytes)
{
    struct fixture f = fixture_new(&importer_simpleperf);
    struct status st = STATUS_INIT;
    assert_true(importer_simpleperf.sniff(bytes));
    if (!import_tokenize(&f.file, bytes, &st)) fail_msg("%s", status_message(&st));
    fixture_finish(&f);
    return f;
}

static void samples_have_stacks(void **state)
{
    (void)state;
    struct buffer b = report();
    struct fixture f = load(buffer_str(&b));
    const struct profiler_sample_table *samples = &f.tables->profiler_sample;
    const struct stack_profile_callsite_table *sites = &f.tables->stack_profile_callsite;
    assert_int_equal(table_rows(&samples->table), 2);
    assert_int_equal(column_get_int64(&samples->ts, 0), 100);
    assert_int_equal(column_get_int64(&samples->ts, 1), 200);
    uint32_t leaf = column_get_row(&samples->callsite_id, 1);
    assert_int_equal(column_get_row(&sites->depth, leaf), 2);
    uint32_t frame = column_get_row(&sites->frame_id, leaf);
    const struct stack_profile_frame_table *frames = &f.tables->stack_profile_frame;
    assert_string_equal(fixture_text(&f, &frames->name, frame), "leaf()");
    assert_int_equal(column_get_int64(&frames->rel_pc, frame), 0x20);
    uint32_t root = column_get_row(&sites->parent_id, column_get_row(&sites->parent_id, leaf));
    assert_true(column_is_null(&sites->parent_id, root));
    assert_string_equal(fixture_text(&f, &frames->name, column_get_row(&sites->frame_id, root)),
                        "-");
    assert_string_equal(fixture_text(&f, &f.tables->stack_profile_mapping.name, 0), "/lib/x.so");
    assert_int_equal(stats_get(f.import, STAT_simpleperf_missing_file_mapping), 1);
    fixture_free(&f);
    buffer_free(&b);
}

static void what_only_simpleperf_tells_is_kept(void **state)
{
    (void)state;
    struct buffer b = report();
    struct fixture f = load(buffer_str(&b));
    struct tables *t = f.tables;
    assert_int_equal(table_rows(&t->simpleperf_event_type.table), 2);
    assert_int_equal(table_rows(&t->simpleperf_sample.table), 4);
    assert_int_equal(column_get_row(&t->simpleperf_sample.stack_sample_id, 0), 0);
    assert_true(column_is_null(&t->simpleperf_sample.stack_sample_id, 2));
    assert_int_equal(column_get_row(&t->simpleperf_sample.event_type_id, 0), 1);
    assert_int_equal(column_get_int64(&t->simpleperf_sample.event_count, 0), 1000);
    assert_string_equal(fixture_text(&f, &t->simpleperf_sample.unwinding_result, 0),
                        "not enough stack");
    /* The switch of a thread that nothing else speaks of is left out. */
    assert_int_equal(table_rows(&t->simpleperf_context_switch.table), 1);
    assert_int_equal(table_rows(&t->simpleperf_symbol.table), 2);
    assert_string_equal(fixture_text(&f, &t->simpleperf_symbol.mangled_name, 1), "_Z4leafv");
    assert_int_equal(column_get_int64(&t->simpleperf_lost.lost_count, 0), 2);
    assert_int_equal(table_rows(&t->simpleperf_meta.table), 2);
    assert_string_equal(fixture_text(&f, &t->simpleperf_meta.value, 1), "true");
    bool found = false;
    for (uint32_t i = 0; i < table_rows(&t->thread.table); i++)
        found |= strcmp(fixture_text(&f, &t->thread.name, i), "worker") == 0;
    assert_true(found);
    fixture_free(&f);
    buffer_free(&b);
}

static void every_cut_and_every_flipped_byte_is_survived(void **state)
{
    (void)state;
    struct buffer b = report();
    for (size_t n = 0; n < 2 * b.length; n++) {
        size_t length = n < b.length ? n : b.length;
        struct fixture f = fixture_new(&importer_simpleperf);
        struct status st = STATUS_INIT;
        char *copy = mem_alloc(length);
        memcpy(copy, buffer_text(&b), length);
        if (n >= b.length) copy[n - b.length] ^= (char)0xA5;
        bool good = import_tokenize(&f.file, (struct str){copy, length}, &st);
        fixture_finish(&f);
        if (n == 12) assert_false(good);
        if (n == b.length - 12)
            assert_int_equal(stats_get(f.import, STAT_perfetty_input_truncated), 1);
        status_clear(&st);
        fixture_free(&f);
        mem_free(copy);
    }
    buffer_free(&b);
}

static void other_versions_are_refused(void **state)
{
    (void)state;
    struct buffer b = BUFFER_INIT;
    struct status st = STATUS_INIT;
    put_header(&b, 2);
    put_u32(&b, 0);
    struct fixture f = fixture_new(&importer_simpleperf);
    assert_false(import_tokenize(&f.file, buffer_str(&b), &st));
    assert_string_equal(status_message(&st), "Unsupported simpleperf version: 2");
    status_clear(&st);
    fixture_free(&f);
    buffer_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_have_stacks),
        cmocka_unit_test(what_only_simpleperf_tells_is_kept),
        cmocka_unit_test(every_cut_and_every_flipped_byte_is_survived),
        cmocka_unit_test(other_versions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
