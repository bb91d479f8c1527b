/* The `extensions` section: rules E1 to E13 of spec/sidecar.md. */
#include "engine/base/utf8.h"
#include "engine/extensions/base64.h"
#include "engine/extensions/internal.h"
#include "engine/proto/descriptor_pool.h"
#include "engine/sql/database.h"

const char *const section_list_names[4] = {"macros", "sql_modules", "proto_descriptors",
                                           "startup_commands"};

/* ---- namespace: E2, E3 ---- */

static bool is_segment(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!is_letter && !(i > 0 && c >= '0' && c <= '9')) return false;
    }
    return s.n > 0;
}

static bool is_namespace(struct str s)
{
    size_t dot;
    while (str_find_byte(s, '.', &dot)) {
        if (!is_segment(str_slice(s, 0, dot))) return false;
        s = str_slice(s, dot + 1, s.n);
    }
    return is_segment(s);
}

static bool is_at_or_below(struct str name, const char *reserved)
{
    struct str r = str_of(reserved);
    return str_starts(name, r) && (name.n == r.n || name.p[r.n] == '.');
}

static const char *reserved_name(struct str name)
{
    static const char *const own[] = {"perfetto", "dev.perfetto", "perfetty", "dev.perfetty"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (is_at_or_below(name, own[i])) return own[i];
    const char *package;
    for (size_t i = 0; (package = sql_stdlib_package_name(i)) != NULL; i++)
        if (is_at_or_below(name, package)) return package;
    return NULL;
}

static void check_namespace(struct sidecar *s)
{
    json_t *value = json_object_get(s->section, "namespace");
    size_t here = json_path_key(&s->problems.path, "namespace");
    struct str name = json_str(value);
    const char *reserved = json_is_string(value) ? reserved_name(name) : NULL;
    s->problems.rule = reserved ? "E3" : "E2";
    if (!json_is_string(value) || !is_namespace(name))
        problems_add_found(&s->problems, value,
                           "segments of [A-Za-z_][A-Za-z0-9_]* joined by dots, as com.example");
    else if (reserved)
        problems_add_found(&s->problems, value,
                           "a name of your own; `%s` and what is below it is reserved", reserved);
    else
        s->namespace = arena_copy(&s->arena, name.p, name.n);
    json_path_cut(&s->problems.path, here);
}

/* E9 and E10 for a macro id or a module name. */
static void check_name(struct sidecar *s, json_t *value, struct strmap *seen)
{
    struct str name = json_str(value), prefix = str_of(s->namespace);
    const char *outer = s->problems.rule;
    bool added;
    s->problems.rule = "E9";
    if (prefix.n > 0 &&
        !(str_starts(name, prefix) && name.n > prefix.n + 1 && name.p[prefix.n] == '.'))
        problems_add_found(&s->problems, value, "a name that begins with \"%s.\" and goes on",
                           s->namespace);
    strmap_put_if_absent(seen, name, 0, &added);
    s->problems.rule = "E10";
    if (!added)
        problems_add_found(&s->problems, value, "each name once; this one is there already");
    s->problems.rule = outer;
}

/* ---- commands and macros: E8 ---- */

static bool check_string(struct sidecar *s, json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (json_is_string(value) && json_string_length(value) > 0) return true;
    size_t here = json_path_key(&s->problems.path, key);
    problems_add_found(&s->problems, value, "a string that is not empty");
    json_path_cut(&s->problems.path, here);
    return false;
}

bool section_check_command(struct sidecar *s, json_t *command)
{
    if (!json_is_object(command)) {
        problems_add_found(&s->problems, command, "an object with `id` and `args`");
        return false;
    }
    bool ok = check_string(s, command, "id");
    json_t *args = json_object_get(command, "args"), *arg;
    size_t i;
    bool all_strings = json_is_array(args);
    json_array_foreach(args, i, arg) if (!json_is_string(arg)) all_strings = false;
    if (all_strings) return ok;
    size_t here = json_path_key(&s->problems.path, "args");
    if (!json_is_array(args)) {
        problems_add_found(&s->problems, args, "an array of strings");
    } else {
        json_array_foreach(args, i, arg)
        {
            if (json_is_string(arg)) continue;
            size_t inner = json_path_index(&s->problems.path, i);
            problems_add_found(&s->problems, arg, "a string");
            json_path_cut(&s->problems.path, inner);
        }
    }
    json_path_cut(&s->problems.path, here);
    return false;
}

bool section_check_macro(struct sidecar *s, json_t *macro)
{
    if (!json_is_object(macro)) {
        problems_add_found(&s->problems, macro, "an object with `id`, `name` and `run`");
        return false;
    }
    size_t before = s->problems.count;
    if (check_string(s, macro, "id")) {
        size_t here = json_path_key(&s->problems.path, "id");
        check_name(s, json_object_get(macro, "id"), &s->macro_ids);
        json_path_cut(&s->problems.path, here);
    }
    check_string(s, macro, "name");
    json_t *run = json_object_get(macro, "run"), *step;
    size_t here = json_path_key(&s->problems.path, "run"), i;
    if (!json_is_array(run)) problems_add_found(&s->problems, run, "an array of commands");
    json_array_foreach(run, i, step)
    {
        size_t inner = json_path_index(&s->problems.path, i);
        section_check_command(s, step);
        json_path_cut(&s->problems.path, inner);
    }
    json_path_cut(&s->problems.path, here);
    return s->problems.count == before;
}

/* ---- payloads of inline entries ---- */

static void take_module(struct sidecar *s, json_t *entry)
{
    bool has_name = check_string(s, entry, "name");
    json_t *sql = json_object_get(entry, "sql");
    if (has_name) {
        size_t here = json_path_key(&s->problems.path, "name");
        check_name(s, json_object_get(entry, "name"), &s->module_names);
        json_path_cut(&s->problems.path, here);
    }
    if (!json_is_string(sql)) {
        size_t here = json_path_key(&s->problems.path, "sql");
        problems_add_found(&s->problems, sql, "a string with the module's SQL");
        json_path_cut(&s->problems.path, here);
    } else if (has_name) {
        vec_push(&s->modules, (struct module){json_string_value(json_object_get(entry, "name")),
                                              json_string_value(sql)});
    }
}

static void take_descriptor(struct sidecar *s, json_t *entry)
{
    json_t *data = json_object_get(entry, "data");
    size_t here = json_path_key(&s->problems.path, "data");
    struct status st = STATUS_INIT;
    struct buffer bytes = BUFFER_INIT;
    s->problems.rule = json_is_string(data) ? "E11" : "E7";
    if (!json_is_string(data))
        problems_add_found(&s->problems, data, "a string, the base64 of a FileDescriptorSet");
    else if (!base64_decode(json_str(data), &bytes, &st))
        problems_add_here(&s->problems, "found %s; allowed: strict base64 of a FileDescriptorSet",
                          status_message(&st));
    else if (!descriptor_pool_check(buffer_str(&bytes), &st))
        problems_add_here(&s->problems,
                          "found bytes that are no FileDescriptorSet (%s); allowed: base64 of a "
                          "FileDescriptorSet",
                          status_message(&st));
    else
        vec_push(
            &s->descriptors,
            (struct str){arena_copy(&s->arena, buffer_text(&bytes), bytes.length), bytes.length});
    status_clear(&st);
    buffer_free(&bytes);
    json_path_cut(&s->problems.path, here);
}

/* ---- lists: E7 ---- */

static void check_file_entry(struct sidecar *s, json_t *entry, enum section_list list, size_t i)
{
    if (list == SECTION_MODULES && check_string(s, entry, "name")) {
        size_t here = json_path_key(&s->problems.path, "name");
        check_name(s, json_object_get(entry, "name"), &s->module_names);
        json_path_cut(&s->problems.path, here);
    }
    if (check_string(s, entry, "path")) claim_add(s, entry, list, i);
}

static void check_entry(struct sidecar *s, json_t *entry, enum section_list list, size_t i)
{
    s->problems.rule = "E7";
    if (!json_is_object(entry)) {
        problems_add_found(&s->problems, entry, "an object with `type`");
        return;
    }
    json_t *type = json_object_get(entry, "type");
    if (str_is(json_str(type), "file")) {
        check_file_entry(s, entry, list, i);
        return;
    }
    if (!str_is(json_str(type), "inline")) {
        size_t here = json_path_key(&s->problems.path, "type");
        problems_add_found(&s->problems, type, "\"inline\" or \"file\"");
        json_path_cut(&s->problems.path, here);
        return;
    }
    if (list == SECTION_MACROS || list == SECTION_STARTUP) s->problems.rule = "E8";
    switch (list) {
    case SECTION_MACROS: section_check_macro(s, entry); break;
    case SECTION_MODULES: take_module(s, entry); break;
    case SECTION_DESCRIPTORS: take_descriptor(s, entry); break;
    case SECTION_STARTUP: section_check_command(s, entry); break;
    }
}

static void check_list(struct sidecar *s, enum section_list list)
{
    json_t *value = json_object_get(s->section, section_list_names[list]), *entry;
    if (!value) return;
    size_t here = json_path_key(&s->problems.path, section_list_names[list]), i;
    s->problems.rule = "E7";
    if (!json_is_array(value)) problems_add_found(&s->problems, value, "an array of entries");
    json_array_foreach(value, i, entry)
    {
        size_t inner = json_path_index(&s->problems.path, i);
        check_entry(s, entry, list, i);
        json_path_cut(&s->problems.path, inner);
    }
    json_path_cut(&s->problems.path, here);
}

/* ---- the server variant: E5, E6 ---- */

static void check_server_text(struct sidecar *s, json_t *server, const char *key, bool is_good,
                              const char *allowed)
{
    if (is_good) return;
    size_t here = json_path_key(&s->problems.path, key);
    problems_add_found(&s->problems, json_object_get(server, key), "%s", allowed);
    json_path_cut(&s->problems.path, here);
}

static bool is_repository(struct str s)
{
    size_t slash, more;
    if (!str_find_byte(s, '/', &slash) || slash == 0 || slash + 1 == s.n) return false;
    return !str_find_byte(str_slice(s, slash + 1, s.n), '/', &more);
}

static void check_location(struct sidecar *s, json_t *server)
{
    struct str type = json_str(json_object_get(server, "type"));
    json_t *path = json_object_get(server, "path");
    struct str url = json_str(json_object_get(server, "url"));
    if (str_is(type, "https")) {
        check_server_text(s, server, "url", str_starts(url, STR("https://")) && url.n > 8,
                          "a URL that begins with https://");
    } else if (str_is(type, "github")) {
        check_server_text(s, server, "repo",
                          is_repository(json_str(json_object_get(server, "repo"))), "owner/name");
        check_server_text(s, server, "ref", json_str(json_object_get(server, "ref")).n > 0,
                          "a branch, tag or commit");
        check_server_text(s, server, "path", !path || json_is_string(path),
                          "a string (\"/\" when it is left out)");
    } else {
        check_server_text(s, server, "type", false, "\"https\" or \"github\"");
    }
}

static void check_server(struct sidecar *s)
{
    json_t *server = json_object_get(s->section, "server");
    size_t here = json_path_key(&s->problems.path, "server"), i;
    s->problems.rule = "E5";
    if (!json_is_object(server)) {
        problems_add_found(&s->problems, server, "an object with `type` and `enabled_modules`");
        json_path_cut(&s->problems.path, here);
        return;
    }
    check_location(s, server);
    json_t *modules = json_object_get(server, "enabled_modules"), *module;
    bool all_strings = json_is_array(modules);
    json_array_foreach(modules, i, module) if (!json_is_string(module)) all_strings = false;
    check_server_text(s, server, "enabled_modules", all_strings, "an array of strings");
    static const char *const personal[] = {"auth", "origin", "enabled"};
    s->problems.rule = "E6";
    for (i = 0; i < 3; i++)
        check_server_text(s, server, personal[i], !json_object_get(server, personal[i]),
                          "nothing; a trace cannot carry it");
    json_path_cut(&s->problems.path, here);
}

/* E4: what the other variant owns. */
static void refuse_keys(struct sidecar *s, const char *const *keys, size_t n, const char *type)
{
    s->problems.rule = "E4";
    for (size_t i = 0; i < n; i++) {
        json_t *value = json_object_get(s->section, keys[i]);
        if (!value) continue;
        size_t here = json_path_key(&s->problems.path, keys[i]);
        problems_add_found(&s->problems, value, "nothing; a section of type \"%s\" has no `%s`",
                           type, keys[i]);
        json_path_cut(&s->problems.path, here);
    }
}

void section_check(struct sidecar *s)
{
    static const char *const server_key[] = {"server"};
    static const char *const inline_keys[] = {"namespace", "macros", "sql_modules",
                                              "proto_descriptors"};
    size_t here = json_path_key(&s->problems.path, "extensions");
    s->problems.rule = "E1";
    json_t *type = json_is_object(s->section) ? json_object_get(s->section, "type") : NULL;
    if (!json_is_object(s->section)) {
        problems_add_found(&s->problems, s->section, "an object with `type`");
    } else if (str_is(json_str(type), "inline")) {
        check_namespace(s);
        refuse_keys(s, server_key, 1, "inline");
        for (int list = 0; list < 4; list++)
            check_list(s, (enum section_list)list);
    } else if (str_is(json_str(type), "server")) {
        check_server(s);
        refuse_keys(s, inline_keys, 4, "server");
        check_list(s, SECTION_STARTUP);
    } else {
        json_path_key(&s->problems.path, "type");
        problems_add_found(&s->problems, type, "\"inline\" or \"server\"");
    }
    json_path_cut(&s->problems.path, here);
    s->problems.rule = NULL;
}
