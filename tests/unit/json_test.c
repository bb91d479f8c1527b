/* Chrome JSON: the pull parser, framing and its damage, fields, phases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/import/json_import.h"
#include "engine/import/json_pull.h"
#include "tests/unit/import_fixture.h"

/* ---- the pull parser ---- */

static const char *tokens_of(const char *text, struct buffer *out)
{
    static const char NAMES[] = ".CE{}[]kSNTF0W";
    struct json_pull pull;
    buffer_clear(out);
    json_pull_init(&pull, str_of(text), 0);
    for (;;) {
        enum json_token token = json_pull_next(&pull);
        buffer_append_byte(out, NAMES[token]);
        if (token <= JSON_ERROR) return buffer_text(out);
    }
}

static void tokens_are_pulled(void **state)
{
    static const char *const cases[][2] = {
        {"{\"a\":1,\"b\":[true,false,null,\"x\"]}", "{kNk[TF0S]}."},
        {" 12", "N."},
        {"[-1.5e+3, 1e5 ,-0]", "[NNN]."},
        {"[nan, -Infinity, None]", "[WWW]."},
        {"[1 2]", "[NE"},
        {"[1,]", "[NE"},
        {"{\"a\":1,}", "{kNE"},
        {"{\"a\" 1}", "{E"},
        {"{1:2}", "{E"},
        {"{\"a\":1]", "{kNE"},
        {"[\"a\\\"b\"]", "[S]."},
        {"[\"a\nb\x01\"]", "[S]."},
        {"[", "[C"},
        {"[12", "[C"},
        {"{\"a\":\"b", "{kC"},
        {"{\"a", "{C"},
        {"", "C"},
        {"[\"\\", "[C"},
        {"]", "E"},
    };
    (void)state;
    struct buffer out = BUFFER_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(tokens_of(cases[i][0], &out), cases[i][1]);
    buffer_free(&out);
}

static void nesting_has_a_limit(void **state)
{
    (void)state;
    struct buffer text = BUFFER_INIT, out = BUFFER_INIT;
    for (int i = 0; i < 100000; i++)
        buffer_append_byte(&text, '[');
    tokens_of(buffer_text(&text), &out);
    assert_int_equal(out.length, JSON_MAX_DEPTH + 1);
    assert_int_equal(buffer_text(&out)[JSON_MAX_DEPTH], 'E');
    buffer_free(&text);
    buffer_free(&out);
}

static void escapes_are_decoded(void **state)
{
    static const char *const cases[][2] = {
        {"a\\n\\t\\\"\\\\\\/", "a\n\t\"\\/"},
        {"\\u0041\\u00e9\\u20AC", "A\xC3\xA9\xE2\x82\xAC"},
        {"\\uD83D\\uDE00", "\xF0\x9F\x98\x80"},
        {"\\uD83D x", "\xEF\xBF\xBD x"},
        {"dir\\cache\\x.py", "dir\\cache\\x.py"},
        {"\\u12", "\\u12"},
        {"\\u", "\\u"},
    };
    (void)state;
    struct buffer buffer = BUFFER_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str text = json_decode(str_of(cases[i][0]), true, &buffer);
        assert_true(str_is(text, cases[i][1]));
    }
    struct str nul = json_decode(STR("a\\u0000b"), true, &buffer);
    assert_int_equal(nul.n, 3);
    buffer_free(&buffer);
}

/* ---- whole documents ---- */

struct document {
    const char *text;
    const char *slices; /* NULL: the load fails */
    enum stat stat;
    int64_t value;
};

#define X(name, ts, dur) \
    "{\"name\":\"" name "\",\"ph\":\"X\",\"ts\":" ts ",\"dur\":" dur ",\"pid\":1,\"tid\":1}"
#define BE(phase, name, ts) \
    "{\"name\":\"" name "\",\"ph\":\"" phase "\",\"ts\":" ts ",\"pid\":1,\"tid\":1}"
#define A "a:10000:5000:0"
#define B "b:20000:5000:0"

static const struct document documents[] = {
    /* framing */
    {"[" X("a", "10", "5") "]", A, STAT_perfetty_input_truncated, 0},
    {"[" X("a", "10", "5"), A, STAT_perfetty_input_truncated, 0},
    {"[," X("a", "10", "5") ",\n,", A, STAT_json_tokenizer_failure, 0},
    {"\xEF\xBB\xBF[" X("a", "10", "5") "]", A, STAT_json_tokenizer_failure, 0},
    {"{\"traceEvents\":[" X("a", "10", "5") ",],\"x\":[{}]}", A, STAT_json_tokenizer_failure, 0},
    {"{\"traceEvents\":[" X("a", "10", "5") "]", A, STAT_perfetty_input_truncated, 1},
    {"{\"traceEvents\":[" X("a", "10", "5"), A, STAT_perfetty_input_truncated, 1},
    {"{\"traceEvents\":[" X("a", "10", "5") "],\"x\":{\"y", A, STAT_perfetty_input_truncated, 1},
    {"[" X("a", "10", "5") ",{\"name\":\"gam", A, STAT_perfetty_input_truncated, 1},
    {"[" X("a", "10", "5") "][" X("b", "20", "5") "]", A, STAT_perfetty_input_corrupt, 1},
    {"[]", "", STAT_json_tokenizer_failure, 0},
    {"{\"a\":1}", "", STAT_json_tokenizer_failure, 0},
    {"[", NULL, STAT_json_tokenizer_failure, 0},
    {"[{\"name\":\"a", NULL, STAT_json_tokenizer_failure, 0},
    {"{\"traceEvents\":{}}", NULL, STAT_json_tokenizer_failure, 0},
    {"{\"systemTraceEvents\":5}", NULL, STAT_json_tokenizer_failure, 0},
    {"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" X("a", "10", "5") "]}", A,
     STAT_json_display_time_unit, 1},
    {"{\"systemTraceEvents\":\"# x\\nl1\\nl2\\n\",\"traceEvents\":[]}", "",
     STAT_systrace_parse_failure, 2},
    /* one event a line */
    {X("a", "10", "5") "\n" X("b", "20", "5") "\n", A " " B, STAT_perfetty_input_corrupt, 0},
    {X("a", "10", "5"), A, STAT_perfetty_input_corrupt, 0},
    {X("a", "10", "5") "\r\n{\"ph\":[\"\r\n" X("b", "20", "5"), A " " B,
     STAT_json_tokenizer_failure, 1},
    {X("a", "10", "5") "\n{\"ph\":}\n" X("b", "20", "5") "\n{\"ph\":\"X", A " " B,
     STAT_perfetty_input_truncated, 1},
    /* a bad event costs itself */
    {"[{}," X("a", "10", "5") ",{}]", A, STAT_json_tokenizer_failure, 0},
    {"[{\"ts\":1}," X("a", "10", "5") ",5,null]", A, STAT_json_tokenizer_failure, 3},
    {"[" X("a", "10", "5") "," X("c", "nan", "5") "," X("b", "20", "5") "]", A " " B,
     STAT_json_tokenizer_failure, 1},
    {"[" X("a", "10", "5") "," X("c", "null", "5") "," X("b", "20", "5") "]", A " " B,
     STAT_json_tokenizer_failure, 1},
    {"[" X("a", "10", "5") "," X("c", "11", "\"?\"") "," X("b", "20", "5") "]", A " " B,
     STAT_json_tokenizer_failure, 1},
    {"[" X("a", "10", "5") "," X("{\"q\": \"c\"}", "11", "5") "," X("b", "20", "5") "]", A " " B,
     STAT_json_tokenizer_failure, 1},
    {"[" X("a", "10", "5") "," X("\"c", "11", "5") "," X("b", "20", "5") "]", A " " B,
     STAT_json_tokenizer_failure, 1},
    {"[" X("a", "10", "5") ",{\"ph\":\"X\",\"args\":{\"a\":[1,2}}," X("b", "20", "5") "]", A " " B,
     STAT_json_tokenizer_failure, 1},
    {"[" X("a", "9300000000000000", "5") "]", "", STAT_json_tokenizer_failure, 1},
    {"[" X("a", "-5", "5") "," X("b", "20", "5") "]", B,
     STAT_trace_sorter_negative_timestamp_dropped, 1},
    {"[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"pid\":1}," X("b", "20", "5") "]", B,
     STAT_json_parser_failure, 1},
    /* times are exact */
    {"[" X("a", "1.6921085481321545e+15", "4.75") "," X("b", "1692108548132160.5", "\"4.5\"") "]",
     "a:1692108548132154500:4750:0 b:1692108548132160500:4500:0", STAT_json_tokenizer_failure, 0},
    {"[" X("a", "1732107142997066.682", "476375.838") "," X("b", "1732107143473442.569",
                                                            "300492.826") "]",
     "a:1732107142997066682:476375838:0 b:1732107143473442569:300492826:0",
     STAT_slice_spill_overlapping_complete_event, 0},
    /* order at equal times */
    {"[" X("in", "1", "2") "," X("out", "1", "5") "]", "out:1000:5000:0 in:1000:2000:1",
     STAT_json_tokenizer_failure, 0},
    {"[" X("o", "0", "9") "," BE("B", "a", "1") "," BE("E", "", "3") "," BE("B", "b", "3") "," BE(
         "E", "", "4") "]",
     "o:0:9000:0 a:1000:2000:1 b:3000:1000:1", STAT_misplaced_end_event, 0},
    {"[" X("o", "0", "9") "," BE("B", "z", "5") "," BE("E", "z", "5") "]", "o:0:9000:0 z:5000:0:1",
     STAT_misplaced_end_event, 0},
    {"[" BE("B", "", "1") "," BE("E", "", "2") "]", "[No name]:1000:1000:0",
     STAT_misplaced_end_event, 0},
    /* what overlaps goes to another row */
    {"[" X("a", "10", "5") "," X("b", "12", "5") "]", A " b:12000:5000:0",
     STAT_slice_spill_overlapping_complete_event, 1},
};

static void documents_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        const struct document *d = &documents[i];
        struct fixture f = fixture_new(&importer_json);
        struct buffer text = BUFFER_INIT;
        struct status st = STATUS_INIT;
        assert_true(importer_json.sniff(str_of(d->text)));
        bool good = import_tokenize(&f.file, str_of(d->text), &st);
        if (good != (d->slices != NULL)) fail_msg("%s: %s", d->text, status_message(&st));
        fixture_finish(&f);
        fixture_slices(&f, &text);
        if (d->slices && strcmp(buffer_text(&text), d->slices) != 0)
            fail_msg("%s: %s", d->text, buffer_text(&text));
        if (stats_get(f.import, d->stat) != d->value)
            fail_msg("%s: stat is %lld", d->text, (long long)stats_get(f.import, d->stat));
        status_clear(&st);
        buffer_free(&text);
        fixture_free(&f);
    }
}

static void utf16_is_read(void **state)
{
    static const char TEXT[] = "[" X("a", "10", "5") "]";
    (void)state;
    for (int big = 0; big < 2; big++) {
        struct buffer bytes = BUFFER_INIT, text = BUFFER_INIT;
        struct fixture f = fixture_new(&importer_json);
        struct status st = STATUS_INIT;
        buffer_append(&bytes, big ? "\xFE\xFF" : "\xFF\xFE", 2);
        for (size_t i = 0; i < sizeof TEXT - 1; i++)
            buffer_append(&bytes, (char[]){big ? 0 : TEXT[i], big ? TEXT[i] : 0}, 2);
        assert_true(importer_json.sniff(buffer_str(&bytes)));
        assert_true(import_tokenize(&f.file, buffer_str(&bytes), &st));
        fixture_finish(&f);
        fixture_slices(&f, &text);
        assert_string_equal(buffer_text(&text), A);
        fixture_free(&f);
        buffer_free(&bytes);
        buffer_free(&text);
    }
}

static void every_cut_is_survived(void **state)
{
    static const char TEXT[] = "{\"metadata\":{\"a\":[1,\"x\\u0041\"]},\"traceEvents\":[" X(
        "a", "10",
        "5") ","
             "{\"name\":\"q\",\"ph\":\"C\",\"ts\":1,\"pid\":1,\"args\":{\"v\":1.5,\"w\":{\"x\":[]}}"
             "},"
             "{\"ph\":\"P\",\"name\":\"Profile\",\"id\":\"1\",\"pid\":1,\"tid\":1,\"ts\":1,"
             "\"args\":{\"data\":{\"startTime\":1}}}," X("b", "20", "5") "],\"z\":{}}";
    (void)state;
    for (size_t n = 0; n <= sizeof TEXT - 1; n++) {
        struct fixture f = fixture_new(&importer_json);
        struct status st = STATUS_INIT;
        /* A copy of that length, so that a sanitizer sees what is read behind it. */
        char *copy = mem_alloc(n);
        memcpy(copy, TEXT, n);
        import_tokenize(&f.file, (struct str){copy, n}, &st);
        fixture_finish(&f);
        status_clear(&st);
        fixture_free(&f);
        mem_free(copy);
    }
}

static struct fixture load(const char *text)
{
    struct fixture f = fixture_new(&importer_json);
    struct status st = STATUS_INIT;
    assert_true(import_tokenize(&f.file, str_of(text), &st));
    fixture_finish(&f);
    return f;
}

static void args_are_flattened(void **state)
{
    (void)state;
    struct fixture f = load("[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"args\":{\"a\":{\"b\":[1,{\"c\":"
                            "true}]},\"s\":\"x\",\"n\":null,\"d\":1.5,\"d\":2.5,\"e\":{},"
                            "\"u\":18446744073709551615}}]");
    const struct args_table *t = &f.tables->args;
    struct buffer out = BUFFER_INIT;
    for (uint32_t i = 0; i < table_rows(&t->table); i++)
        if (strncmp(fixture_text(&f, &t->key, i), "args", 4) == 0)
            buffer_printf(&out, "%s|%s|%s ", fixture_text(&f, &t->key, i),
                          fixture_text(&f, &t->flat_key, i), fixture_text(&f, &t->value_type, i));
    assert_non_null(strstr(buffer_text(&out), "args.a.b[0]|args.a.b|int "));
    assert_non_null(strstr(buffer_text(&out), "args.a.b[1].c|args.a.b.c|bool "));
    assert_non_null(strstr(buffer_text(&out), "args.s|args.s|string "));
    assert_non_null(strstr(buffer_text(&out), "args.d|args.d|real "));
    assert_non_null(strstr(buffer_text(&out), "args.u|args.u|int "));
    assert_null(strstr(buffer_text(&out), "args.n"));
    assert_null(strstr(buffer_text(&out), "args.e"));
    buffer_free(&out);
    fixture_free(&f);
}

static void counters_are_read(void **state)
{
    (void)state;
    struct fixture f = load(
        "[{\"ph\":\"C\",\"ts\":0,\"pid\":1,\"name\":\"mem\",\"args\":{\"rss\":10,\"x\":\"n/a\"}},"
        "{\"ph\":\"C\",\"ts\":10,\"pid\":1,\"name\":\"mem\",\"args\":{\"rss\":\"12.5\"}},"
        "{\"ph\":\"C\",\"ts\":11,\"pid\":1,\"name\":\"io\",\"id\":\"eth0\",\"args\":{\"rx\":1}},"
        "{\"ph\":\"C\",\"ts\":12,\"pid\":1,\"name\":\"io\"}]");
    const struct counter_table *t = &f.tables->counter;
    assert_int_equal(table_rows(&t->table), 3);
    assert_true(column_get_double(&t->value, 1) == 12.5);
    assert_int_equal(column_get_row(&t->track_id, 0), column_get_row(&t->track_id, 1));
    const struct column *name = &f.tables->track.name;
    assert_string_equal(fixture_text(&f, name, column_get_row(&t->track_id, 1)), "mem rss");
    assert_string_equal(fixture_text(&f, name, column_get_row(&t->track_id, 2)), "io id: eth0 rx");
    assert_int_equal(stats_get(f.import, STAT_json_parser_failure), 2);
    fixture_free(&f);
}

static void ids_name_threads(void **state)
{
    (void)state;
    struct fixture f = load(
        "[{\"ph\":\"X\",\"ts\":0,\"dur\":1,\"pid\":\"foo\",\"tid\":\"bar\"},"
        "{\"ph\":\"X\",\"ts\":0,\"dur\":1,\"pid\":7168000000,\"tid\":7168000000},"
        "{\"ph\":\"X\",\"ts\":0,\"dur\":1,\"pid\":1,\"tid\":0},"
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":0,\"args\":{\"name\":\"z\"}},"
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"tid\":0,\"args\":{\"name\":\"p\"}},"
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":2,\"tid\":0,\"args\":{\"name\":\"q\"}},"
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":2,\"args\":{\"name\":nan}}]");
    struct buffer out = BUFFER_INIT;
    const struct thread_table *t = &f.tables->thread;
    for (uint32_t i = 1; i < table_rows(&t->table); i++) {
        uint32_t upid = column_get_row(&t->upid, i);
        buffer_printf(&out, "%lld/%lld %s %s\n",
                      (long long)column_get_int64(&f.tables->process.pid, upid),
                      (long long)column_get_int64(&t->tid, i), fixture_text(&f, &t->name, i),
                      fixture_text(&f, &f.tables->process.name, upid));
    }
    assert_non_null(strstr(buffer_text(&out), "53992/54000 bar foo\n"));
    assert_non_null(strstr(buffer_text(&out), "7168000000/7168000000 - -\n"));
    assert_non_null(strstr(buffer_text(&out), "1/0 z p\n"));
    assert_non_null(strstr(buffer_text(&out), "2/2 - q\n"));
    assert_null(strstr(buffer_text(&out), "2/0"));
    assert_int_equal(stats_get(f.import, STAT_json_parser_failure), 2);
    buffer_free(&out);
    fixture_free(&f);
}

static void async_ids_are_nesting_scopes(void **state)
{
    (void)state;
    struct fixture f = load(
        "[{\"ph\":\"b\",\"ts\":0,\"pid\":1,\"cat\":\"c\",\"name\":\"a\",\"id\":\"1\"},"
        "{\"ph\":\"b\",\"ts\":1,\"pid\":1,\"cat\":\"c\",\"name\":\"in\",\"id\":\"1\"},"
        "{\"ph\":\"n\",\"ts\":2,\"pid\":1,\"cat\":\"c\",\"name\":\"i\",\"id\":\"1\"},"
        "{\"ph\":\"b\",\"ts\":2,\"pid\":1,\"cat\":\"c\",\"name\":\"a\",\"id\":1},"
        "{\"ph\":\"e\",\"ts\":3,\"pid\":1,\"cat\":\"c\",\"name\":\"in\",\"id\":\"1\"},"
        "{\"ph\":\"e\",\"ts\":4,\"pid\":1,\"cat\":\"c\",\"name\":\"a\",\"id\":\"1\"},"
        "{\"ph\":\"b\",\"ts\":5,\"pid\":1,\"cat\":\"c\",\"name\":\"l\",\"id2\":{\"local\":\"1\"}},"
        "{\"ph\":\"b\",\"ts\":6,\"pid\":1,\"cat\":\"c\",\"name\":\"no id\"}]");
    struct buffer out = BUFFER_INIT;
    fixture_slices(&f, &out);
    assert_string_equal(buffer_text(&out), "a:0:4000:0 in:1000:2000:1 i:2000:0:2 a:2000:-1:0 "
                                           "l:5000:-1:0");
    const struct column *tracks = &f.tables->slice.track_id;
    assert_int_equal(column_get_row(tracks, 0), column_get_row(tracks, 2));
    assert_int_not_equal(column_get_row(tracks, 0), column_get_row(tracks, 3));
    assert_string_equal(fixture_text(&f, &f.tables->track.type, column_get_row(tracks, 4)),
                        "legacy_async_process_slice");
    assert_int_equal(stats_get(f.import, STAT_json_parser_failure), 1);
    buffer_free(&out);
    fixture_free(&f);
}

static void thread_states_are_read(void **state)
{
    (void)state;
    struct fixture f = load(
        "[{\"ph\":\"T\",\"ts\":1,\"dur\":5,\"pid\":1,\"tid\":2,\"name\":\"Running\",\"args\":"
        "{\"cpu\":3}},{\"ph\":\"T\",\"ts\":6,\"dur\":5,\"pid\":1,\"tid\":2,\"name\":\"D\",\"args\":"
        "{\"io_wait\":1,\"blocked_function\":\"f\"}},{\"ph\":\"T\",\"ts\":7,\"name\":\"S\"}]");
    assert_int_equal(table_rows(&f.tables->thread_state.table), 2);
    assert_int_equal(column_get_row(&f.tables->thread_state.io_wait, 1), 1);
    assert_string_equal(fixture_text(&f, &f.tables->thread_state.blocked_function, 1), "f");
    assert_int_equal(table_rows(&f.tables->sched_slice.table), 1);
    assert_int_equal(column_get_row(&f.tables->sched_slice.ucpu, 0), 3);
    assert_int_equal(stats_get(f.import, STAT_json_parser_failure), 1);
    fixture_free(&f);
}

static void v8_samples_are_read(void **state)
{
    (void)state;
    struct fixture f = load(
        "[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"pid\":1},"
        "{\"ph\":\"P\",\"name\":\"Profile\",\"id\":\"1\",\"pid\":1,\"tid\":1,\"ts\":100,\"args\":"
        "{\"data\":{\"startTime\":100}}},"
        "{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"id\":\"1\",\"pid\":1,\"tid\":2,\"ts\":120,"
        "\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":"
        "\"(root)\"}},{\"id\":2,\"parent\":1,\"callFrame\":{\"functionName\":\"f\",\"url\":\"u\"}},"
        "{\"id\":3,\"parent\":9,\"callFrame\":{}}],\"samples\":[2,1,7]},\"timeDeltas\":[1,2,3]}}},"
        "{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"id\":\"2\",\"pid\":1,\"tid\":2,\"ts\":120,"
        "\"args\":{\"data\":{\"cpuProfile\":{\"samples\":[1]},\"timeDeltas\":[1]}}}]");
    const struct profiler_sample_table *t = &f.tables->profiler_sample;
    assert_int_equal(table_rows(&t->table), 2);
    assert_int_equal(column_get_int64(&t->ts, 0), 101000);
    assert_int_equal(column_get_int64(&t->ts, 1), 103000);
    uint32_t leaf = column_get_row(&t->callsite_id, 0);
    assert_int_equal(column_get_row(&f.tables->stack_profile_callsite.depth, leaf), 1);
    assert_int_equal(stats_get(f.import, STAT_legacy_v8_cpu_profile_invalid_callsite), 1);
    assert_int_equal(stats_get(f.import, STAT_legacy_v8_cpu_profile_invalid_sample), 2);
    fixture_free(&f);
}

static void other_texts_are_not_taken(void **state)
{
    static const char *const others[] = {"", "{", "{ }", "[1,2]", "[\"a\"]", "x", " # tracer"};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(importer_json.sniff(str_of(others[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_pulled),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(escapes_are_decoded),
        cmocka_unit_test(documents_are_read),
        cmocka_unit_test(utf16_is_read),
        cmocka_unit_test(every_cut_is_survived),
        cmocka_unit_test(args_are_flattened),
        cmocka_unit_test(counters_are_read),
        cmocka_unit_test(ids_name_threads),
        cmocka_unit_test(async_ids_are_nesting_scopes),
        cmocka_unit_test(thread_states_are_read),
        cmocka_unit_test(v8_samples_are_read),
        cmocka_unit_test(other_texts_are_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
