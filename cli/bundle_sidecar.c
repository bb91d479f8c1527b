#include <jansson.h>
#include <string.h>

#include "cli/bundle.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "engine/extensions/json.h"
#include "engine/extensions/sidecar.h"

/* ---- the text ---- */

static json_t *file_entry(const struct bundle_member *member)
{
    json_t *entry = json_object();
    json_object_set_new(entry, "type", json_string("file"));
    if (member->module) json_object_set_new(entry, "name", json_string(member->module));
    json_object_set_new(entry, "path", json_string(member->name));
    return entry;
}

static void add_list(const struct bundle *bundle, json_t *section, const char *key,
                     const char *member_name)
{
    json_t *list = json_array();
    for (size_t i = 0; i < bundle->members.count; i++) {
        const struct bundle_member *member = &bundle->members.items[i];
        bool is_it = member_name ? !member->is_trace && str_is(str_of(member->name), member_name)
                                 : member->module != NULL;
        if (is_it) json_array_append_new(list, file_entry(member));
    }
    if (json_array_size(list) > 0)
        json_object_set_new(section, key, list);
    else
        json_decref(list);
}

/* "github:owner/name@ref" or "github:owner/name@ref:/path". */
static bool add_github(json_t *server, const char *text, struct status *st)
{
    struct str rest = str_of(text), repo, ref;
    size_t at, colon;
    if (!str_find_byte(rest, '@', &at))
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "--server github:%s: say github:OWNER/NAME@REF or "
                           "github:OWNER/NAME@REF:/PATH",
                           text);
    repo = str_slice(rest, 0, at);
    ref = str_slice(rest, at + 1, rest.n);
    json_object_set_new(server, "type", json_string("github"));
    json_object_set_new(server, "repo", json_stringn(repo.p, repo.n));
    bool has_path = str_find_byte(ref, ':', &colon);
    json_object_set_new(server, "ref", json_stringn(ref.p, has_path ? colon : ref.n));
    if (has_path)
        json_object_set_new(server, "path", json_stringn(ref.p + colon + 1, ref.n - colon - 1));
    return true;
}

static bool add_server(const struct bundle *bundle, json_t *section, struct status *st)
{
    json_t *server = json_object(), *modules = json_array();
    struct str rest = str_of(bundle->modules), piece;
    bool ok = true;
    if (strncmp(bundle->server, "github:", 7) == 0) {
        ok = add_github(server, bundle->server + 7, st);
    } else {
        json_object_set_new(server, "type", json_string("https"));
        json_object_set_new(server, "url", json_string(bundle->server));
    }
    while (str_split_next(&rest, ',', &piece)) {
        piece = str_trim(piece);
        if (piece.n > 0) json_array_append_new(modules, json_stringn(piece.p, piece.n));
    }
    json_object_set_new(server, "enabled_modules", modules);
    json_object_set_new(section, "type", json_string("server"));
    json_object_set_new(section, "server", server);
    return ok;
}

/* ---- machines, clocks, attributes ---- */

/* The object itself, or that of a whole sidecar. */
static json_t *unwrap(json_t *root)
{
    json_t *inner = json_object_get(root, "perfetto_manifest");
    if (!inner) inner = json_object_get(root, "perfetto_metadata");
    return inner && json_object_size(root) == 1 ? inner : root;
}

/* The loader lets an entry of nothing pass, since archives are cut down later; whoever
 * writes one means a trace. */
static bool check_files(const struct bundle *bundle, const json_t *object, struct status *st)
{
    const json_t *files = json_object_get(object, "files");
    for (size_t i = 0; i < json_array_size(files); i++) {
        const char *path = json_string_value(json_object_get(json_array_get(files, i), "path"));
        const struct bundle_member *member = path ? bundle_find(bundle, str_of(path)) : NULL;
        if (path && (!member || !member->is_trace))
            return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                               "%s: files[%zu].path: '%s' is none of the traces; in the archive "
                               "they have their names without folders",
                               bundle->manifest, i, path);
    }
    return true;
}

/* Its keys go before the extensions, as they are: the loader's rules are asked below. */
static bool add_manifest(const struct bundle *bundle, json_t *out, struct status *st)
{
    size_t length;
    const char *key;
    json_t *value;
    if (!bundle->manifest) return true;
    char *text = cli_read_text(bundle->manifest, &length, st);
    json_t *root = text ? json_strict_load((struct str){text, length}, st) : NULL;
    json_t *object = root ? unwrap(root) : NULL;
    bool ok = object != NULL;
    if (text && !root) status_prefix(st, "%s", bundle->manifest);
    if (object && !json_is_object(object))
        ok = status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                         "%s: --manifest names a JSON object {\"trace_time\", \"files\", "
                         "\"attributes\"}",
                         bundle->manifest);
    if (ok && json_object_get(object, "extensions"))
        ok = status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                         "%s: it has extensions, which the other options write", bundle->manifest);
    ok = ok && check_files(bundle, object, st);
    if (ok) json_object_foreach(object, key, value) json_object_set(out, key, value);
    json_decref(root);
    mem_free(text);
    return ok;
}

static bool names_are_utf8(const struct bundle *bundle, struct status *st)
{
    const char *const texts[] = {bundle->namespace, bundle->server, bundle->modules};
    for (size_t i = 0, at; i < sizeof texts / sizeof *texts; i++)
        if (texts[i] && !utf8_is_valid(str_of(texts[i]), &at))
            return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "%s: names have to be UTF-8",
                               texts[i]);
    return true;
}

static int append_piece(const char *piece, size_t n, void *out)
{
    buffer_append(out, piece, n);
    return 0;
}

static json_t *make_section(const struct bundle *bundle, struct status *st)
{
    json_t *section = json_object();
    if (bundle->server) {
        if (!add_server(bundle, section, st)) {
            json_decref(section);
            return NULL;
        }
    } else {
        json_object_set_new(section, "type", json_string("inline"));
        json_object_set_new(section, "namespace", json_string(bundle->namespace));
        add_list(bundle, section, "sql_modules", NULL);
        add_list(bundle, section, "proto_descriptors", BUNDLE_FOLDER "descriptors.pb");
        add_list(bundle, section, "macros", BUNDLE_FOLDER "macros.json");
    }
    add_list(bundle, section, "startup_commands", BUNDLE_FOLDER "startup.json");
    return section;
}

bool bundle_write_sidecar(struct bundle *bundle, struct status *st)
{
    bool has_section = bundle->server || bundle->namespace;
    json_t *object = json_object(), *section = NULL;
    json_object_set_new(object, "version", json_integer(1));
    bool ok = names_are_utf8(bundle, st) && add_manifest(bundle, object, st);
    if (ok && has_section) {
        section = make_section(bundle, st);
        ok = section != NULL;
    }
    if (section) json_object_set_new(object, "extensions", section);
    json_t *root = ok ? json_pack("{s:O}", bundle->key, object) : NULL;
    json_decref(object);
    if (!ok) return false;
    int failed = json_dump_callback(root, append_piece, &bundle->sidecar, JSON_INDENT(2));
    buffer_append_byte(&bundle->sidecar, '\n');
    json_decref(root);
    return !failed ||
           status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "the sidecar cannot be written as JSON");
}

/* ---- its check ---- */

static size_t count_members(void *context, struct str path)
{
    const struct bundle *bundle = context;
    return (bundle_find(bundle, path) ? 1 : 0) + (str_is(path, bundle->sidecar_name) ? 1 : 0);
}

static bool no_folder(void *context, struct str path)
{
    (void)context;
    (void)path;
    return false;
}

/* The file that a message is about: the one whose member it names. */
static const char *source_of(const struct bundle *bundle, const char *problem)
{
    for (size_t i = 0; i < bundle->members.count; i++) {
        struct buffer quoted = BUFFER_INIT;
        buffer_printf(&quoted, "in member '%s'", bundle->members.items[i].name);
        bool is_named = strstr(problem, buffer_text(&quoted)) != NULL;
        buffer_free(&quoted);
        if (is_named) return bundle->members.items[i].path;
    }
    if (bundle->manifest && !strstr(problem, ": extensions")) return bundle->manifest;
    return bundle->out;
}

bool bundle_check_sidecar(const struct bundle *bundle)
{
    struct sidecar_place place = {true, str_of(bundle->sidecar_name), count_members, no_folder,
                                  (void *)(uintptr_t)bundle};
    struct sidecar *sidecar = sidecar_parse(buffer_str(&bundle->sidecar), &place, true);
    const char *problem;
    size_t n = 0;
    for (size_t i = 0; i < sidecar_claim_count(sidecar); i++) {
        const struct bundle_member *member = bundle_find(bundle, sidecar_claim_path(sidecar, i));
        if (member) sidecar_give(sidecar, i, (struct str){member->bytes, member->length}, NULL);
    }
    for (; (problem = sidecar_problem(sidecar, n)) != NULL; n++) {
        const char *rule = sidecar_problem_rule(sidecar, n);
        cli_say("%s: %s%s%s%s", source_of(bundle, problem), problem, rule ? " (rule " : "",
                rule ? rule : "", rule ? ")" : "");
    }
    sidecar_free(sidecar);
    return n == 0;
}
