/* The answers of a server, checked: {name, namespace, features, modules},
 * {macros}, and the rule that all names begin with the namespace. */
#include <string.h>

#include "commands/invocation_json.h"
#include "engine/base/memory.h"
#include "macros/server_content.h"

void server_manifest_dispose(struct server_manifest *manifest)
{
    mem_free(manifest->name);
    mem_free(manifest->namespace);
    for (size_t i = 0; i < manifest->modules.count; i++) {
        mem_free(manifest->modules.items[i].id);
        mem_free(manifest->modules.items[i].name);
    }
    vec_free(&manifest->modules);
    *manifest = (struct server_manifest){0};
}

const struct server_module *server_manifest_find(const struct server_manifest *manifest,
                                                 const char *id)
{
    for (size_t i = 0; i < manifest->modules.count; i++)
        if (strcmp(manifest->modules.items[i].id, id) == 0) return &manifest->modules.items[i];
    return NULL;
}

/* seg(.seg)*, seg = [A-Za-z_][A-Za-z0-9_]*: it names the SQL package. */
static bool is_namespace(const char *text)
{
    bool begins = true;
    for (; *text; text++) {
        bool letter =
            (*text >= 'A' && *text <= 'Z') || (*text >= 'a' && *text <= 'z') || *text == '_';
        if (*text == '.' ? begins : !letter && (begins || *text < '0' || *text > '9')) return false;
        begins = *text == '.';
    }
    return !begins;
}

/* What is left out of the list is not asked for; without a list all is. */
static void read_features(const json_t *features, struct server_manifest *out)
{
    bool all = !json_is_array(features);
    out->has_macros = out->has_sql = out->has_descriptors = all;
    for (size_t i = 0; i < json_array_size(features); i++) {
        const json_t *one = json_array_get(features, i);
        const char *name = json_string_value(json_object_get(one, "name"));
        if (!name) continue;
        if (strcmp(name, "macros") == 0) out->has_macros = true;
        if (strcmp(name, "sql_modules") == 0) out->has_sql = true;
        if (strcmp(name, "proto_descriptors") == 0) out->has_descriptors = true;
    }
}

static bool read_module(const json_t *module, struct buffer *path, struct server_manifest *out,
                        struct status *st)
{
    if (!json_is_object(module)) return json_refuse(path, module, "an object", st);
    const char *id = json_read_text(module, "id", path, st);
    const char *name = json_string_value(json_object_get(module, "name"));
    if (!id) return false;
    /* An id is a part of an address. */
    if (strcmp(id, ".") == 0 || strcmp(id, "..") == 0 || server_manifest_find(out, id)) {
        json_path_key(path, "id");
        return json_refuse(path, json_object_get(module, "id"), "an id of its own", st);
    }
    struct server_module entry = {mem_strdup(id), mem_strdup(name && *name ? name : id)};
    vec_push(&out->modules, entry);
    return true;
}

static bool read_manifest(const json_t *root, struct buffer *path, struct server_manifest *out,
                          struct status *st)
{
    if (!json_is_object(root)) return json_refuse(path, root, "an object", st);
    const char *name = json_read_text(root, "name", path, st);
    const char *namespace = name ? json_read_text(root, "namespace", path, st) : NULL;
    const json_t *modules = json_object_get(root, "modules");
    if (!namespace) return false;
    if (!is_namespace(namespace)) {
        json_path_key(path, "namespace");
        return json_refuse(path, json_object_get(root, "namespace"),
                           "a namespace like \"com.example\"", st);
    }
    out->name = mem_strdup(name);
    out->namespace = mem_strdup(namespace);
    read_features(json_object_get(root, "features"), out);
    json_path_key(path, "modules");
    if (!json_is_array(modules)) return json_refuse(path, modules, "a list", st);
    for (size_t i = 0; i < json_array_size(modules); i++) {
        size_t cut = json_path_index(path, i);
        if (!read_module(json_array_get(modules, i), path, out, st)) return false;
        json_path_cut(path, cut);
    }
    return true;
}

bool server_read_manifest(struct str json, struct server_manifest *out, struct status *st)
{
    struct buffer path = BUFFER_INIT;
    json_t *root = json_strict_load(json, st);
    *out = (struct server_manifest){0};
    bool good = root && read_manifest(root, &path, out, st);
    if (!good) {
        server_manifest_dispose(out);
        status_prefix(st, "manifest");
    }
    json_decref(root);
    buffer_free(&path);
    return good;
}

static bool in_namespace(const char *id, const char *namespace)
{
    size_t n = strlen(namespace);
    return strncmp(id, namespace, n) == 0 && id[n] == '.' && id[n + 1];
}

bool server_read_macros(struct str json, const char *namespace, struct macro_list *out,
                        struct status *st)
{
    struct buffer path = BUFFER_INIT;
    json_t *root = json_strict_load(json, st);
    *out = (struct macro_list){0};
    buffer_append_text(&path, "macros");
    bool good = root && macro_list_read(json_object_get(root, "macros"), false, &path, out, st);
    for (size_t i = 0; good && i < out->count; i++) {
        const char *id = out->items[i].id;
        /* Macros of before there were servers keep their ids. */
        if (!in_namespace(id, namespace) && !in_namespace(id, "dev.perfetto.UserMacro"))
            good =
                status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                            "macros[%zu].id is \"%s\", but has to begin \"%s.\"", i, id, namespace);
    }
    if (!good) macro_list_free(out);
    json_decref(root);
    buffer_free(&path);
    return good;
}
