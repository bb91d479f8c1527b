#include "tests/gen/servers.h"

#include <string.h>

#include "tests/gen/base64.h"
#include "tests/gen/bench.h"

#define FEATURES \
    "'features':[{'name':'macros'},{'name':'sql_modules'},{'name':'proto_descriptors'}]"
#define MANIFEST         "{'name':'E','namespace':'com.ex'," FEATURES ",'modules':[{'id':'a','name':'A'}]}"
#define MACRO(id, steps) "{'id':'" id "','name':'M','run':[" steps "]}"
#define STEP             "{'id':'dev.perfetto.RunQuery','args':['SELECT 1']}"
#define MACROS           "{'macros':[" MACRO("com.ex.M", STEP) "]}"
#define SQL              "{'sql_modules':[{'name':'com.ex.t','sql':'CREATE PERFETTO VIEW v AS SELECT 1 AS x;'}]}"
#define SETS             "{'proto_descriptors':['@DESCRIPTOR@']}"
#define HTTPS            "{'type':'https','url':'https://e.x/base','enabled_modules':['a']}"
#define GITHUB           "{'type':'github','repo':'o/r','ref':'main','path':'/p','enabled_modules':['a']}"
#define LIST \
    "[{'type':'https','url':'e.x','enabledModules':['a'],'enabled':true,'auth':{'type':'https_" \
    "apikey','keyType':'custom','customHeaderName':'X'}}," \
    "{'type':'github','repo':'o/" \
    "r','ref':'v1','enabledModules':[],'auth':{'type':'github_pat','secretEnv':'T'}}]"
#define SHARED \
    "addServer=eyJ0eXBlIjoiaHR0cHMiLCJ1cmwiOiJodHRwczovL2UueCIsImVuYWJsZWRNb2R1bGVzIjpbImEiXX0%3D"

/* clang-format off */
static const struct gen_server_case CASES[] = {
    {"good", {MANIFEST, MACROS, SQL, SETS, HTTPS, LIST, SHARED}, ""},
    {"empty_lists", {MANIFEST, "{'macros':[]}", "{'sql_modules':[]}", "{'proto_descriptors':[]}", GITHUB, "[]", "github:o/r@main:/p"}, ""},
    {"no_features", {"{'name':'E','namespace':'com.ex','features':[],'modules':[{'id':'a'}]}", "x", "x", "x", HTTPS, LIST, "e.x/base/"}, ""},
    {"unknown_keys", {"{'name':'E','namespace':'com.ex','later':[1]," FEATURES ",'modules':[{'id':'a','name':7}]}", "{'macros':[" MACRO("com.ex.M", "") "],'x':1}", SQL, SETS, HTTPS, LIST, ""}, ""},
    {"old_user_macro", {MANIFEST, "{'macros':[" MACRO("dev.perfetto.UserMacro.x", STEP) "]}", SQL, SETS, NULL, NULL, NULL}, ""},
    {"ring", {MANIFEST, "{'macros':[" MACRO("com.ex.A", "{'id':'com.ex.B','args':[]}") "," MACRO("com.ex.B", "{'id':'com.ex.A','args':[]}") "]}", SQL, SETS, NULL, NULL, NULL}, ""},
    {"manifest_empty", {"", MACROS, SQL, SETS, "", "", ""}, "manifest"},
    {"manifest_cut", {"{'name':'E','namespace':'com.ex'", MACROS, SQL, SETS, "{", "[", "addServer="}, "manifest"},
    {"manifest_list", {"[]", MACROS, SQL, SETS, "[]", "{}", "addServer=W10%3D"}, "manifest"},
    {"manifest_html", {"<!DOCTYPE html><html>404</html>", NULL, NULL, NULL, NULL, NULL, "http://e.x"}, "manifest"},
    {"manifest_no_namespace", {"{'name':'E','modules':[]}", NULL, NULL, NULL, NULL, NULL, NULL}, "manifest: namespace is nothing"},
    {"manifest_bad_namespace", {"{'name':'E','namespace':'com..ex','modules':[]}", NULL, NULL, NULL, NULL, NULL, NULL}, "manifest: namespace is"},
    {"manifest_sql_namespace", {"{'name':'E','namespace':'a;DROP TABLE x','modules':[]}", NULL, NULL, NULL, NULL, NULL, NULL}, "manifest: namespace is"},
    {"manifest_module_up", {"{'name':'E','namespace':'com.ex','modules':[{'id':'..'}]}", NULL, NULL, NULL, NULL, NULL, NULL}, "manifest: modules[0].id"},
    {"manifest_module_twice", {"{'name':'E','namespace':'com.ex','modules':[{'id':'a'},{'id':'a'}]}", NULL, NULL, NULL, NULL, NULL, NULL}, "manifest: modules[1].id"},
    {"manifest_other_module", {"{'name':'E','namespace':'com.ex','modules':[{'id':'b'}]}", NULL, NULL, NULL, NULL, NULL, NULL}, "module a: the server has no such module"},
    {"manifest_key_twice", {"{'name':'E','name':'F','namespace':'com.ex','modules':[]}", NULL, NULL, NULL, NULL, NULL, NULL}, "manifest"},
    {"lists_empty", {MANIFEST, "", "", "", NULL, NULL, NULL}, "module a: |module a: |module a: "},
    {"lists_null", {MANIFEST, "null", "null", "null", "null", "null", "null"}, "proto_descriptors is no list|macros is nothing|sql_modules is no list"},
    {"lists_objects", {MANIFEST, "{'macros':{}}", "{'sql_modules':{}}", "{'proto_descriptors':{}}", NULL, NULL, NULL}, "proto_descriptors is no list|macros is an object|sql_modules is no list"},
    {"lists_of_numbers", {MANIFEST, "{'macros':[1]}", "{'sql_modules':[1]}", "{'proto_descriptors':[1]}", NULL, NULL, NULL}, "proto_descriptors[0]|macros[0] is 1|sql_modules[0]"},
    {"other_namespace", {MANIFEST, "{'macros':[" MACRO("org.M", STEP) "]}", "{'sql_modules':[{'name':'com.exa','sql':''}]}", SETS, NULL, NULL, NULL}, "macros[0].id is|sql_modules[0]"},
    {"nothing_after_namespace", {MANIFEST, "{'macros':[" MACRO("com.ex.", STEP) "]}", "{'sql_modules':[{'name':'com.ex','sql':''}]}", SETS, NULL, NULL, NULL}, "macros[0].id is|sql_modules[0]"},
    {"one_wrong_of_two", {MANIFEST, "{'macros':[" MACRO("com.ex.M", STEP) "," MACRO("perfetto.M", "") "]}", "{'sql_modules':[{'name':'com.ex.t','sql':''},{'name':'std.t','sql':''}]}", "{'proto_descriptors':['@DESCRIPTOR@','!']}", NULL, NULL, NULL}, "proto_descriptors[1]|macros[1].id|sql_modules[1]"},
    {"twice", {MANIFEST, "{'macros':[" MACRO("com.ex.M", "") "," MACRO("com.ex.M", "") "]}", "{'sql_modules':[{'name':'com.ex.t','sql':''},{'name':'com.ex.t','sql':''}]}", "{'proto_descriptors':['@DESCRIPTOR@','@DESCRIPTOR@']}", NULL, NULL, NULL}, "macros[1]: there are two|sql_modules[1]: there is a module"},
    {"steps", {MANIFEST, "{'macros':[{'id':'com.ex.M','name':'M','run':[{'id':'x','args':[1]}]}]}", SQL, SETS, NULL, NULL, NULL}, "macros[0].run[0].args[0] is 1"},
    {"descriptors", {MANIFEST, MACROS, SQL, "{'proto_descriptors':['////']}", NULL, NULL, NULL}, "proto_descriptors[0]"},
    {"text_not_utf8", {MANIFEST, "{'macros':['\xff']}", "{'sql_modules':[{'name':'com.ex.\xc3','sql':''}]}", SETS, NULL, NULL, "\xff\xfe"}, "module a: |module a: "},
    {"nul_in_text", {MANIFEST, "{'macros':[" MACRO("com.ex.\\u0000", "") "]}", SQL, SETS, NULL, NULL, NULL}, "module a: "},
    {"references", {MANIFEST, MACROS, SQL, SETS, "{'type':'https','url':'https://me:pw@e.x','enabled_modules':['a'],'auth':{'type':'https_basic'}}", "[{'type':'https','url':'http://e.x','enabledModules':[]}]", "https://e.x?q=1#f"}, ""},
    {"github_references", {MANIFEST, MACROS, SQL, SETS, "{'type':'github','repo':'o/../r','ref':'a:b','path':3,'enabled_modules':[]}", "[{'type':'github','repo':'o/r','ref':'..','enabledModules':[]}]", "github:o/r@feature/x:/a/../b"}, ""},
};
/* clang-format on */

const struct gen_server_case *gen_server_cases(size_t *count)
{
    *count = sizeof CASES / sizeof *CASES;
    return CASES;
}

void gen_server_part(const struct gen_server_case *c, enum gen_server_part part, struct buffer *out)
{
    static const char TOKEN[] = "@DESCRIPTOR@";
    for (const char *p = c->parts[part] ? c->parts[part] : ""; *p; p++) {
        if (strncmp(p, TOKEN, sizeof TOKEN - 1) == 0) {
            struct buffer descriptor = BUFFER_INIT;
            bench_descriptor(&descriptor);
            gen_base64(out, buffer_str(&descriptor));
            buffer_free(&descriptor);
            p += sizeof TOKEN - 2;
        } else {
            buffer_append_byte(out, *p == '\'' ? '"' : *p);
        }
    }
}

void gen_server_input(const struct gen_server_case *c, struct buffer *out)
{
    for (int part = 0; part < GEN_SERVER_PARTS; part++) {
        if (part) buffer_append_text(out, GEN_SERVER_BETWEEN);
        gen_server_part(c, (enum gen_server_part)part, out);
    }
}
