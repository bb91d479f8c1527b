/* Instruments' exports: elements by reference, clocks, damage; and the XML reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/import/xml_pull.h"
#include "tests/gen/archive.h"
#include "tests/gen/profile_formats.h"
#include "tests/unit/import_fixture.h"
#include "tests/unit/trace_fixture.h"

extern const struct importer importer_instruments;

static const char STACKS[] =
    "SELECT f.name, f.rel_pc, m.name, m.build_id, m.start, m.end, m.exact_offset, c.depth "
    "FROM stack_profile_callsite c JOIN stack_profile_frame f ON f.id = c.frame_id "
    "JOIN stack_profile_mapping m ON m.id = f.mapping ORDER BY c.id";
static const char SAMPLES[] =
    "SELECT s.ts, t.tid, t.name, p.pid, p.name, s.cpu, c.depth FROM instruments_sample s "
    "JOIN thread t USING (utid) JOIN process p USING (upid) "
    "JOIN stack_profile_callsite c ON c.id = s.callsite_id ORDER BY s.id";
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

static void test_samples(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_instruments);
    trace_expect(engine, SAMPLES,
                 "1000 16 main <0x10> (app, pid: 77) 77 app (77) 3 2|"
                 "2500 17 pool 77 app (77) - 0|"
                 "3000 16 main <0x10> (app, pid: 77) 77 app (77) 3 2");
    trace_expect(engine, STACKS,
                 "start 152   0 -1 0 0|main 256 /bin/a&b ab12cd34 4096 4353 4096 1|"
                 "leafA 16 /bin/a&b ab12cd34 4096 4353 4096 2|"
                 "main 257 /bin/a&b ab12cd34 4096 4353 4096 0");
    trace_expect(engine, "SELECT clock_id, clock_value FROM clock_snapshot ORDER BY 1",
                 "6 5000|11 2000");
    trace_expect(engine, "SELECT str_value FROM metadata WHERE name = 'trace_type'",
                 "instruments_xml");
    trace_expect(engine, DAMAGE, "");
    engine_free(engine);
}

static void test_damage(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_instruments_cut);
    trace_expect(engine, SAMPLES, "1000 16 main <0x10> (app, pid: 77) 77 app (77) 3 2");
    trace_expect(engine, DAMAGE, "perfetty_input_truncated 1");
    engine_free(engine);
    engine = load(gen_write_instruments_odd);
    trace_expect(engine, SAMPLES, "1000 16 main <0x10> (app, pid: 77) 77 app (77) 3 2");
    trace_expect(engine, DAMAGE,
                 "instruments_row_missing_backtrace 1|instruments_row_missing_frame 1|"
                 "instruments_row_missing_process 2|instruments_row_missing_thread 2|"
                 "perfetty_input_corrupt 1");
    trace_expect(engine,
                 "SELECT EXTRACT_ARG(arg_set_id, 'error') FROM __intrinsic_trace_import_logs",
                 "mismatched tag");
    engine_free(engine);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"<?xml version=\"1.0\"?>\n<trace-query-result>\n<a></b>",
         "XML parse error at line 3: mismatched tag"},
        {"<?xml version=\"1.0\"?>\n<trace-query-result>\n\n",
         "XML parse error at line 4: the document ends inside an element"},
        {"<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><trace-query-result/>",
         "XML parse error at line 1: a document type, which is not read"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct fixture f = fixture_new(&importer_instruments);
        struct status st = STATUS_INIT;
        assert_false(import_tokenize(&f.file, str_of(CASES[i][0]), &st));
        assert_string_equal(status_message(&st), CASES[i][1]);
        status_clear(&st);
        fixture_free(&f);
    }
    assert_true(importer_instruments.sniff(
        STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<trace-query-result>")));
    assert_false(importer_instruments.sniff(STR("<?xml version=\"1.0\"?>\n<html>")));
}

/* ---- the reader ---- */

/* Tokens of a document: "<name a=b" for a tag, ">" for its end, text in brackets,
 * then how it ended. */
static void tokens_of(const char *document, struct buffer *out)
{
    struct xml_pull pull;
    struct buffer decoded = BUFFER_INIT;
    enum xml_token token;
    buffer_clear(out);
    xml_pull_init(&pull, str_of(document));
    while ((token = xml_pull_next(&pull)) > XML_ERROR) {
        if (token == XML_CLOSE) buffer_append_text(out, ">");
        if (token == XML_TEXT) {
            buffer_append_byte(out, '[');
            buffer_append_str(out, pull.is_literal ? pull.text : xml_decode(pull.text, &decoded));
            buffer_append_byte(out, ']');
        }
        if (token != XML_OPEN) continue;
        buffer_append_byte(out, '<');
        buffer_append_str(out, pull.name);
        for (uint32_t i = 0; i < pull.n_attributes; i++) {
            buffer_append_byte(out, ' ');
            buffer_append_str(out, pull.attributes[i].name);
            buffer_append_byte(out, '=');
            buffer_append_str(out, xml_decode(pull.attributes[i].value, &decoded));
        }
    }
    buffer_append_text(out, token == XML_DONE ? "." : token == XML_CUT ? "~" : "!");
    if (token == XML_ERROR) buffer_append_text(out, pull.error);
    buffer_free(&decoded);
}

static void test_xml(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"<a/>", "<a>."},
        {" <?p x?><!-- <b> --><a b='1' c=\"&quot;2>\" ><d/>t&amp;&#65;&#x2603;</a>junk",
         "<a b=1 c=\"2><d>[t&A\xE2\x98\x83]>."},
        {"<a><![CDATA[<&amp;>]]></a>", "<a[<&amp;>]>."},
        {"<a>&unknown; & &#xD800; &#0; &#x110000; &; &#; &#xg;</a>",
         "<a[&unknown; & \xEF\xBF\xBD \xEF\xBF\xBD \xEF\xBF\xBD &; &#; &#xg;]>."},
        {"", "~"},
        {"<", "~"},
        {"<a", "~"},
        {"<a b", "~"},
        {"<a b=", "~"},
        {"<a b='", "~"},
        {"<a b='1'", "~"},
        {"<a /", "~"},
        {"<a>t", "<a[t]~"},
        {"<a></a", "<a~"},
        {"<a><!-- ", "<a~"},
        {"<a><![CDATA[ ]]", "<a~"},
        {"<? ", "~"},
        {"t<a/>", "!text outside of an element"},
        {"<>", "!a tag without a name"},
        {"</a>", "!mismatched tag"},
        {"<a></b>", "<a!mismatched tag"},
        {"<a b></a>", "!an attribute without a value"},
        {"<a b=c/>", "!a value without quotes"},
        {"<a =\"c\"/>", "!an attribute without a name"},
        {"<a b=\"1\"c=\"2\"/>", "!no space before an attribute"},
        {"<a b=\"<\"/>", "!a < in a value"},
        {"<a / >", "!a tag that does not end"},
        {"<a></a b>", "<a!a tag that does not end"},
        {"<!DOCTYPE a>", "!a document type, which is not read"},
    };
    struct buffer got = BUFFER_INIT;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tokens_of(CASES[i][0], &got);
        assert_string_equal(buffer_text(&got), CASES[i][1]);
    }
    struct buffer deep = BUFFER_INIT;
    for (int i = 0; i <= XML_MAX_DEPTH; i++)
        buffer_append_text(&deep, "<a>");
    tokens_of(buffer_text(&deep), &got);
    assert_non_null(strstr(buffer_text(&got), "!elements nest too deep"));
    buffer_free(&deep);
    buffer_free(&got);
}

static void test_cuts(void **state)
{
    (void)state;
    struct buffer bytes = BUFFER_INIT;
    gen_write_instruments(&bytes);
    for (size_t n = 1; n < bytes.length; n += 7) {
        struct fixture f = fixture_new(&importer_instruments);
        struct status st = STATUS_INIT;
        if (import_tokenize(&f.file, (struct str){bytes.data, n}, &st)) fixture_finish(&f);
        status_clear(&st);
        fixture_free(&f);
    }
    buffer_free(&bytes);
}

/* ---- call trees copied ---- */

static const char NODES[] =
    "SELECT p.sample_type_unit, f.name, c.depth, s.value FROM __intrinsic_aggregate_sample s "
    "JOIN __intrinsic_aggregate_profile p ON p.id = s.aggregate_profile_id "
    "JOIN stack_profile_callsite c ON c.id = s.callsite_id "
    "JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY s.id";

static void test_copies(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_instruments_copy);
    trace_expect(engine, NODES,
                 "nanoseconds main 1 8.46e+08|nanoseconds delta() 2 1.5e+09|"
                 "nanoseconds exit 1 2e+06");
    trace_expect(engine, "SELECT count(*) FROM stack_profile_callsite", "4");
    trace_expect(engine, DAMAGE, "perfetty_input_corrupt 1");
    engine_free(engine);
    engine = load(gen_write_instruments_copy_bytes);
    trace_expect(engine, NODES, "bytes a 1 1.04858e+06|bytes b 2 3.14573e+06");
    trace_expect(engine, DAMAGE, "");
    engine_free(engine);
}

/* The message says what to do with a recording that was packed whole. */
static void test_bundle(void **state)
{
    (void)state;
    struct buffer bytes = BUFFER_INIT;
    struct gen_zip zip;
    gen_zip_start(&zip, &bytes);
    gen_zip_add_text(&zip, "run.trace/Trace1.run/event_data.oa", "\n\001\002\003");
    gen_zip_finish(&zip);
    char path[] = "/tmp/perfetty_bundle_XXXXXX";
    const char *operand = path;
    struct status st = STATUS_INIT;
    int fd = mkstemp(path);
    assert_int_equal(write(fd, bytes.data, bytes.length), (ssize_t)bytes.length);
    close(fd);
    struct engine *engine = engine_new();
    assert_false(engine_load(engine, &operand, 1, NULL, &st));
    assert_non_null(strstr(status_message(&st), "a recording of Instruments"));
    engine_free(engine);
    status_clear(&st);
    unlink(path);
    buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),  cmocka_unit_test(test_damage),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_xml),
        cmocka_unit_test(test_cuts),     cmocka_unit_test(test_copies),
        cmocka_unit_test(test_bundle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
