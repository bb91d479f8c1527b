/* The sidecar's rules (spec/sidecar.md): detection, E1 to E14, what is resolved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/extensions/base64.h"
#include "engine/extensions/json.h"
#include "engine/extensions/sidecar.h"

/* Members of the pretended archive: "a.sql", "m.json", "d.pb", "twice" two times,
 * and the folder "dir". */
static size_t count_members(void *context, struct str path)
{
    (void)context;
    if (str_is(path, "twice")) return 2;
    return str_is(path, "a.sql") || str_is(path, "m.json") || str_is(path, "d.pb") ||
           str_is(path, "trace.pb") || str_is(path, "side.json");
}

static bool is_folder(void *context, struct str path)
{
    (void)context;
    return str_is(path, "dir");
}

static const struct sidecar_place archive = {
    true, {"side.json", 9}, count_members, is_folder, NULL};
static const struct sidecar_place alone = {false, {NULL, 0}, count_members, is_folder, NULL};

static struct sidecar *parse(const char *text)
{
    return sidecar_parse(str_of(text), &archive, true);
}

#define BODY(body) "{\"perfetto_metadata\":{\"version\":1" body "}}"
#define SECTION(inner) \
    BODY(",\"extensions\":{\"type\":\"inline\",\"namespace\":\"com.ex\"" inner "}")

static void sniffed_by_content(void **state)
{
    (void)state;
    assert_true(sidecar_sniff(STR("{\"perfetto_metadata\": {\"version\": 1}}")));
    assert_true(sidecar_sniff(STR("\xEF\xBB\xBF \r\n\t{\n \"perfetto_manifest\" : {}}")));
    assert_false(sidecar_sniff(STR("{\"perfetto_metadata_x\": 1}")));
    assert_false(sidecar_sniff(STR("{\"traceEvents\": []}")));
    assert_false(sidecar_sniff(STR("[{\"perfetto_metadata\": 1}]")));
    assert_false(sidecar_sniff(STR("{\"perfetto_metadata")));
    assert_false(sidecar_sniff(STR("")));
    struct buffer late = BUFFER_INIT;
    for (int i = 0; i < 510; i++)
        buffer_append_byte(&late, ' ');
    buffer_append_text(&late, "{\"perfetto_metadata\":{}}");
    assert_false(sidecar_sniff(buffer_str(&late)));
    buffer_free(&late);
}

static void ends_are_found_in_a_stream(void **state)
{
    (void)state;
    assert_int_equal(sidecar_end(STR("{\"perfetto_metadata\":{\"a\":\"}\\\"\"}} \n[1]")), 35);
    assert_int_equal(sidecar_end(STR("{\"a\":{}} ")), 9);
    assert_int_equal(sidecar_end(STR("{\"a\":{")), 6);
    assert_string_equal(sidecar_find_behind(STR("[{\"x\":1}]{ \"perfetto_manifest\":{}}\n")),
                        "perfetto_manifest");
    assert_null(sidecar_find_behind(STR("[{\"perfetto_manifest\":{}}]")));
    assert_null(sidecar_find_behind(STR("{\"perfetto_manifest\":{}}")));
    assert_null(sidecar_find_behind(STR("")));
}

struct bad {
    const char *text;
    const char *expect[3]; /* parts of the first problem */
};

static void expect_problem(const struct bad *bad, const struct sidecar_place *place)
{
    struct sidecar *s = sidecar_parse(str_of(bad->text), place, true);
    const char *problem = sidecar_problem(s, 0);
    if (!problem) fail_msg("no problem in %s", bad->text);
    for (int i = 0; i < 3 && bad->expect[i]; i++)
        if (!strstr(problem, bad->expect[i])) fail_msg("'%s' lacks '%s'", problem, bad->expect[i]);
    sidecar_free(s);
}

static void rules_name_place_found_and_allowed(void **state)
{
    (void)state;
    static const struct bad list[] = {
        /* E1 */
        {BODY(",\"extensions\":[]"), {"perfetto_metadata: extensions:", "an array"}},
        {BODY(",\"extensions\":{}"),
         {"extensions.type", "found nothing", "\"inline\" or \"server\""}},
        {BODY(",\"extensions\":{\"type\":\"x\"}"), {"extensions.type", "found \"x\""}},
        /* E2 */
        {BODY(",\"extensions\":{\"type\":\"inline\"}"), {"extensions.namespace", "found nothing"}},
        {BODY(",\"extensions\":{\"type\":\"inline\",\"namespace\":\"a..b\"}"),
         {"extensions.namespace", "\"a..b\""}},
        {BODY(",\"extensions\":{\"type\":\"inline\",\"namespace\":\"1a\"}"),
         {"extensions.namespace"}},
        {BODY(",\"extensions\":{\"type\":\"inline\",\"namespace\":\"a.b-c\"}"),
         {"extensions.namespace"}},
        /* E3 */
        {BODY(",\"extensions\":{\"type\":\"inline\",\"namespace\":\"perfetto\"}"), {"reserved"}},
        {BODY(",\"extensions\":{\"type\":\"inline\",\"namespace\":\"dev.perfetto.x\"}"),
         {"`dev.perfetto`", "reserved"}},
        {BODY(",\"extensions\":{\"type\":\"inline\",\"namespace\":\"android.mine\"}"),
         {"`android`", "reserved"}},
        {BODY(",\"extensions\":{\"type\":\"inline\",\"namespace\":\"perfetty\"}"), {"reserved"}},
        /* E4 */
        {SECTION(",\"server\":{}"), {"extensions.server", "inline"}},
        {BODY(",\"extensions\":{\"type\":\"server\",\"server\":{\"type\":\"https\",\"url\":"
              "\"https://e\",\"enabled_modules\":[]},\"macros\":[]}"),
         {"extensions.macros", "server"}},
        /* E5 */
        {BODY(",\"extensions\":{\"type\":\"server\"}"), {"extensions.server", "found nothing"}},
        {BODY(",\"extensions\":{\"type\":\"server\",\"server\":{\"type\":\"ftp\"}}"),
         {"extensions.server.type", "\"ftp\""}},
        {BODY(",\"extensions\":{\"type\":\"server\",\"server\":{\"type\":\"https\",\"url\":"
              "\"http://e\",\"enabled_modules\":[]}}"),
         {"extensions.server.url", "https://"}},
        {BODY(",\"extensions\":{\"type\":\"server\",\"server\":{\"type\":\"github\",\"repo\":"
              "\"a/b/c\",\"ref\":\"main\",\"enabled_modules\":[]}}"),
         {"extensions.server.repo", "owner/name"}},
        {BODY(",\"extensions\":{\"type\":\"server\",\"server\":{\"type\":\"github\",\"repo\":"
              "\"a/b\",\"enabled_modules\":[]}}"),
         {"extensions.server.ref"}},
        {BODY(",\"extensions\":{\"type\":\"server\",\"server\":{\"type\":\"https\",\"url\":"
              "\"https://e\",\"enabled_modules\":[1]}}"),
         {"extensions.server.enabled_modules"}},
        /* E6 */
        {BODY(",\"extensions\":{\"type\":\"server\",\"server\":{\"type\":\"https\",\"url\":"
              "\"https://e\",\"enabled_modules\":[],\"auth\":{}}}"),
         {"extensions.server.auth", "an object"}},
        /* E7 */
        {SECTION(",\"macros\":{}"), {"extensions.macros", "an object", "an array"}},
        {SECTION(",\"macros\":[7]"), {"extensions.macros[0]", "found 7"}},
        {SECTION(",\"sql_modules\":[{\"type\":\"x\"}]"), {"extensions.sql_modules[0].type"}},
        {SECTION(",\"sql_modules\":[{\"type\":\"inline\",\"name\":\"com.ex.a\"}]"),
         {"extensions.sql_modules[0].sql", "found nothing"}},
        {SECTION(",\"proto_descriptors\":[{\"type\":\"inline\"}]"),
         {"extensions.proto_descriptors[0].data"}},
        {SECTION(",\"proto_descriptors\":[{\"type\":\"file\"}]"),
         {"extensions.proto_descriptors[0].path"}},
        /* E8 */
        {SECTION(",\"macros\":[{\"type\":\"inline\",\"name\":\"n\",\"run\":[]}]"),
         {"extensions.macros[0].id"}},
        {SECTION(",\"macros\":[{\"type\":\"inline\",\"id\":\"com.ex.M\",\"name\":\"n\",\"run\":[{"
                 "\"id\":\"x\",\"args\":\"y\"}]}]"),
         {"extensions.macros[0].run[0].args", "found \"y\"", "an array of strings"}},
        {SECTION(",\"macros\":[{\"type\":\"inline\",\"id\":\"com.ex.M\",\"name\":\"n\",\"run\":[{"
                 "\"id\":\"x\",\"args\":[1]}]}]"),
         {"extensions.macros[0].run[0].args[0]", "found 1"}},
        {SECTION(",\"startup_commands\":[{\"type\":\"inline\",\"id\":\"x\"}]"),
         {"extensions.startup_commands[0].args"}},
        /* E9 */
        {SECTION(",\"sql_modules\":[{\"type\":\"inline\",\"name\":\"com.exa\",\"sql\":\"\"}]"),
         {"extensions.sql_modules[0].name", "\"com.ex.\""}},
        {SECTION(",\"sql_modules\":[{\"type\":\"file\",\"name\":\"com.ex.\",\"path\":\"a.sql\"}]"),
         {"extensions.sql_modules[0].name"}},
        /* E10 */
        {SECTION(",\"sql_modules\":[{\"type\":\"inline\",\"name\":\"com.ex.a\",\"sql\":\"\"},{"
                 "\"type\":\"file\",\"name\":\"com.ex.a\",\"path\":\"a.sql\"}]"),
         {"extensions.sql_modules[1].name", "once"}},
        /* E11 */
        {SECTION(",\"proto_descriptors\":[{\"type\":\"inline\",\"data\":\"a\"}]"),
         {"extensions.proto_descriptors[0].data", "base64"}},
        {SECTION(",\"proto_descriptors\":[{\"type\":\"inline\",\"data\":\"////\"}]"),
         {"extensions.proto_descriptors[0].data", "FileDescriptorSet"}},
        /* E12 */
        {SECTION(",\"macros\":[{\"type\":\"file\",\"path\":\"none\"}]"),
         {"extensions.macros[0].path", "\"none\"", "not in the same archive"}},
        {SECTION(",\"macros\":[{\"type\":\"file\",\"path\":\"twice\"}]"), {"twice"}},
        {SECTION(",\"macros\":[{\"type\":\"file\",\"path\":\"dir\"}]"), {"a folder"}},
        {SECTION(",\"macros\":[{\"type\":\"file\",\"path\":\"side.json\"}]"),
         {"the sidecar itself"}},
        {SECTION(",\"macros\":[{\"type\":\"file\",\"path\":\"m.json\"}],\"startup_commands\":[{"
                 "\"type\":\"file\",\"path\":\"m.json\"}]"),
         {"extensions.startup_commands[0].path", "claims already"}},
        {BODY(",\"files\":[{\"path\":\"trace.pb\"}],\"extensions\":{\"type\":\"inline\","
              "\"namespace\":\"com.ex\",\"macros\":[{\"type\":\"file\",\"path\":\"trace.pb\"}]}"),
         {"extensions.macros[0].path", "`files`"}},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        expect_problem(&list[i], &archive);
    static const struct bad lonely = {
        SECTION(",\"macros\":[{\"type\":\"file\",\"path\":\"m.json\"}]"),
        {"extensions.macros[0].path", "neither an archive nor a folder"}};
    expect_problem(&lonely, &alone); /* E13 */
}

static void json_is_strict(void **state)
{
    (void)state;
    static const struct bad list[] = {
        {"{\"perfetto_metadata\":\n{\"version\":1,\"a\":1,\"a\":2}}",
         {"line 2, column", "uplicate"}},
        {BODY(",\"a\":\"\\u0000\""), {"line 1, column"}},
        {BODY(",\"a\":1e999"), {"line 1, column"}},
        {BODY(",\"a\":01"), {"line 1, column"}},
        {BODY(",\"a\":1,"), {"line 1, column"}},
        {BODY(",\"a\":\"\xff\""), {"line 1, column"}},
        {BODY("") "x", {"line 1, column"}},
        {"{\"perfetto_manifest\":[]}", {"perfetto_manifest: expected a JSON object"}},
        {"{\"perfetto_manifest\":{}}", {"perfetto_manifest: missing required field: version"}},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        expect_problem(&list[i], &archive);
    struct sidecar *s = parse(BODY(",\"big\":18446744073709551615,\"min\":-9223372036854775808"));
    assert_null(sidecar_problem(s, 0));
    sidecar_free(s);
}

static void all_problems_are_kept(void **state)
{
    (void)state;
    struct sidecar *s =
        parse(BODY(",\"extensions\":{\"type\":\"inline\",\"namespace\":\"perfetto\","
                   "\"server\":1,\"macros\":[1,{\"type\":\"inline\"}]}"));
    size_t n = 0;
    while (sidecar_problem(s, n))
        n++;
    assert_int_equal(n, 6); /* namespace, server, macros[0], and id, name, run of macros[1] */
    sidecar_free(s);
}

static void give_by_name(struct sidecar *s, const char *path, struct str bytes)
{
    for (size_t i = 0; i < sidecar_claim_count(s); i++)
        if (str_is(sidecar_claim_path(s, i), path)) sidecar_give(s, i, bytes, NULL);
}

static void section_is_resolved_in_order(void **state)
{
    (void)state;
    struct sidecar *s = parse(SECTION(
        ", \"sql_modules\": [{\"type\": \"file\", \"name\": \"com.ex.f\", \"path\": \"a.sql\", "
        "\"note\": 0.1}, {\"type\":\"inline\",\"name\":\"com.ex.a\",\"sql\":\"SELECT 'é/'\"}],"
        "\"proto_descriptors\":[{\"type\":\"inline\",\"data\":\"CgA=\"},{\"type\":\"file\","
        "\"path\":"
        "\"d.pb\"}],\"macros\":[{\"type\":\"file\",\"path\":\"m.json\"}],"
        "\"startup_commands\":[],\"future\":{\"x\":[1]}"));
    assert_null(sidecar_problem(s, 0));
    assert_int_equal(sidecar_claim_count(s), 3);
    give_by_name(s, "a.sql", STR("SELECT\n1"));
    give_by_name(s, "d.pb", STR("\n\0\n\0"));
    give_by_name(s, "m.json", STR("[{\"id\":\"com.ex.M\",\"name\":\"M\",\"run\":[]}]"));
    assert_null(sidecar_problem(s, 0));
    sidecar_resolve(s);
    static const char want[] =
        "{\"type\":\"inline\",\"namespace\":\"com.ex\",\"sql_modules\":[{\"type\":\"inline\","
        "\"name\":\"com.ex.f\",\"sql\":\"SELECT\\n1\",\"note\":0.1},{\"type\":\"inline\",\"name\":"
        "\"com.ex.a\",\"sql\":\"SELECT 'é/'\"}],\"proto_descriptors\":[{\"size\":2},{\"size\":4}],"
        "\"macros\":[{\"type\":\"inline\",\"id\":\"com.ex.M\",\"name\":\"M\",\"run\":[]}],"
        "\"startup_commands\":[],\"future\":{\"x\":[1]}}";
    char *got = mem_copy_string(sidecar_section(s).p, sidecar_section(s).n);
    assert_string_equal(got, want);
    mem_free(got);
    assert_string_equal(sidecar_namespace(s), "com.ex");
    const char *name, *sql;
    assert_true(sidecar_module(s, 0, &name, &sql) && sidecar_module(s, 1, &name, &sql));
    assert_false(sidecar_module(s, 2, &name, &sql));
    assert_int_equal(sidecar_descriptors(s, 0).n, 2);
    assert_int_equal(sidecar_descriptors(s, 1).n, 4);
    assert_null(sidecar_descriptors(s, 2).p);
    sidecar_free(s);
}

static void server_section_is_kept(void **state)
{
    (void)state;
    struct sidecar *s =
        parse(BODY(", \"extensions\": {\"type\": \"server\", \"server\": {\"type\":\"https\","
                   "\"url\":\"https://e.example\",\"enabled_modules\":[\"a\"]},"
                   "\"startup_commands\":[]}"));
    assert_null(sidecar_problem(s, 0));
    sidecar_resolve(s);
    assert_true(
        str_is(sidecar_section(s),
               "{\"type\":\"server\",\"server\":{\"type\":\"https\",\"url\":"
               "\"https://e.example\",\"enabled_modules\":[\"a\"]},\"startup_commands\":[]}"));
    assert_string_equal(sidecar_namespace(s), "");
    sidecar_free(s);
}

#define TEXT(literal) \
    { \
        literal, sizeof(literal) - 1 \
    }

struct bad_member {
    const char *list, *path;
    struct str bytes;
    const char *expect[3];
};

static void claimed_members_are_checked(void **state)
{
    (void)state;
    static const struct bad_member list[] = {
        {"macros", "m.json", TEXT("{}"), {"extensions.macros[0].path", "'m.json'", "an object"}},
        {"macros", "m.json", TEXT("[1"), {"'m.json'", "line 1"}},
        {"macros", "m.json", TEXT("[{\"id\":\"x.M\",\"name\":\"n\",\"run\":[]}]"), {"[0].id"}},
        {"startup_commands", "m.json", TEXT("[{\"id\":\"x\"}]"), {"[0].args", "found nothing"}},
        {"sql_modules", "a.sql", TEXT("SELECT \xff"), {"'a.sql'", "UTF-8"}},
        {"sql_modules", "a.sql", TEXT("a\0b"), {"NUL"}},
        {"proto_descriptors", "d.pb", TEXT("\xff\xff"), {"'d.pb'", "FileDescriptorSet"}},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct buffer text = BUFFER_INIT;
        buffer_printf(
            &text, SECTION(",\"%s\":[{\"type\":\"file\",\"name\":\"com.ex.f\",\"path\":\"%s\"}]"),
            list[i].list, list[i].path);
        struct sidecar *s = parse(buffer_text(&text));
        assert_null(sidecar_problem(s, 0));
        sidecar_give(s, 0, list[i].bytes, NULL);
        const char *problem = sidecar_problem(s, 0);
        assert_non_null(problem);
        for (int k = 0; k < 3 && list[i].expect[k]; k++)
            if (!strstr(problem, list[i].expect[k]))
                fail_msg("'%s' lacks '%s'", problem, list[i].expect[k]);
        sidecar_free(s);
        buffer_free(&text);
    }
}

static void extensions_can_be_ignored(void **state)
{
    (void)state;
    struct sidecar *s = sidecar_parse(STR(BODY(",\"extensions\":5")), &archive, false);
    assert_null(sidecar_problem(s, 0));
    sidecar_resolve(s);
    assert_null(sidecar_section(s).p);
    sidecar_free(s);
}

static void manifest_is_read(void **state)
{
    (void)state;
    struct sidecar *s = parse(BODY(
        ",\"trace_time_clock\":\"REALTIME\",\"trace_time\":{\"clock\":\"REALTIME\",\"file\":"
        "\"a\"},\"files\":[{\"path\":\"a\",\"machine\":{\"name\":\"m\"}},{\"path\":\"b\","
        "\"machines\":[{\"id\":0,\"name\":\"x\"},{\"id\":7,\"name\":\"y\"}],\"clocks\":{"
        "\"clock\":\"BOOTTIME\",\"machine\":\"y\",\"sync_to\":{\"file\":\"a\"},\"offset_ns\":-5}}"
        "],\"attributes\":{\"k\":\"v\",\"n\":4}"));
    assert_null(sidecar_problem(s, 0));
    const struct manifest *m = sidecar_manifest(s);
    assert_true(m->has_trace_time);
    assert_int_equal(m->trace_time_clock, 1);
    assert_int_equal(m->n_files, 2);
    assert_true(str_is(m->files[0].machine, "m"));
    assert_int_equal(m->files[1].n_machines, 2);
    assert_int_equal(m->files[1].machines[1].id, 7);
    assert_int_equal(m->files[1].clock, 6);
    assert_int_equal(m->files[1].offset_ns, -5);
    assert_int_equal(m->files[1].sync_clock, 0);
    assert_int_equal(m->n_attributes, 2);
    assert_int_equal(m->attributes[1].integer, 4);
    sidecar_free(s);
}

static void manifest_errors_are_the_references(void **state)
{
    (void)state;
    static const struct bad list[] = {
        {BODY(",\"trace_time\":5"), {"trace_time must be an object"}},
        {BODY(",\"trace_time\":{}"), {"trace_time needs a clock"}},
        {BODY(",\"trace_time\":{\"clock\":\"X\"}"), {"unknown clock name: X. Use one of REALTIME"}},
        {BODY(",\"trace_time\":{\"clock\":\"REALTIME\"},\"trace_time_clock\":\"BOOTTIME\""),
         {"different clocks"}},
        {BODY(",\"trace_time\":{\"clock\":\"REALTIME\",\"machine\":\"m\"}"),
         {"needs", "ambiguous"}},
        {BODY(",\"files\":{}"), {"files must be an array"}},
        {BODY(",\"files\":[{}]"), {"files entries must be objects with a string path"}},
        {BODY(",\"files\":[{\"path\":\"a\",\"clocks\":{}}]"),
         {"clocks: a sync_to block is required"}},
        {BODY(",\"files\":[{\"path\":\"a\",\"clocks\":{\"sync_to\":{}}}]"),
         {"clocks: sync_to.file is required and must be a string"}},
        {BODY(",\"files\":[{\"path\":\"a\",\"clocks\":{\"sync_to\":{\"file\":\"a\"},\"offset_ns\":"
              "-9223372036854775808}}]"),
         {"out of range"}},
        {BODY(",\"files\":[{\"path\":\"a\",\"machine\":{\"name\":\"\"}}]"),
         {"machine: name must be non-empty"}},
        {BODY(",\"files\":[{\"path\":\"a\",\"machines\":[{\"id\":-1,\"name\":\"x\"}]}]"),
         {"machines: id must be in [0, 4294967295]"}},
        {BODY(",\"attributes\":[]"), {"attributes must be an object"}},
        {BODY(",\"attributes\":{\"\":1}"), {"attributes: keys must be non-empty"}},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        expect_problem(&list[i], &archive);
}

static void base64_is_strict(void **state)
{
    (void)state;
    static const char *const good[] = {"", "AA==", "AAA=", "AAAA", "+/+/"};
    static const char *const bad[] = {
        "A", "AA", "AA=", "A===", "AB==", "AAB=", "AA AA", "AA==AA==", "AA-_", "AA\n="};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct buffer out = BUFFER_INIT;
        struct status st = STATUS_INIT;
        assert_true(base64_decode(str_of(good[i]), &out, &st));
        buffer_free(&out);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct buffer out = BUFFER_INIT;
        struct status st = STATUS_INIT;
        if (base64_decode(str_of(bad[i]), &out, &st)) fail_msg("'%s' was taken", bad[i]);
        status_clear(&st);
        buffer_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sniffed_by_content),
        cmocka_unit_test(ends_are_found_in_a_stream),
        cmocka_unit_test(rules_name_place_found_and_allowed),
        cmocka_unit_test(json_is_strict),
        cmocka_unit_test(all_problems_are_kept),
        cmocka_unit_test(section_is_resolved_in_order),
        cmocka_unit_test(server_section_is_kept),
        cmocka_unit_test(claimed_members_are_checked),
        cmocka_unit_test(extensions_can_be_ignored),
        cmocka_unit_test(manifest_is_read),
        cmocka_unit_test(manifest_errors_are_the_references),
        cmocka_unit_test(base64_is_strict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
