#include "commands/trace_extensions.h"

#include <string.h>

#include "commands/invocation_json.h"
#include "engine/base/memory.h"

static bool read_section(struct trace_extensions *out, struct status *st)
{
    struct buffer path = BUFFER_INIT;
    bool good = false;
    buffer_append_text(&path, "extensions");
    if (!json_is_object(out->root)) {
        json_refuse(&path, out->root, "an object", st);
        goto out;
    }
    const json_t *macros = json_object_get(out->root, "macros");
    const json_t *startup = json_object_get(out->root, "startup_commands");
    out->namespace = json_string_value(json_object_get(out->root, "namespace"));
    out->server = json_object_get(out->root, "server");
    size_t cut = json_path_key(&path, "macros");
    if (macros && !json_is_array(macros)) {
        json_refuse(&path, macros, "a list", st);
        goto out;
    }
    json_path_cut(&path, cut);
    out->macros = macros;
    json_path_key(&path, "startup_commands");
    good = !startup || invocation_list_read(startup, &path, &out->startup_commands, st);
out:
    buffer_free(&path);
    return good;
}

struct trace_extensions *trace_extensions_read(struct str json, struct status *st)
{
    json_t *root = json_strict_load(json, st);
    if (!root) return NULL;
    struct trace_extensions *out = mem_zero(1, sizeof *out);
    out->root = root;
    if (read_section(out, st)) return out;
    trace_extensions_free(out);
    return NULL;
}

void trace_extensions_free(struct trace_extensions *extensions)
{
    if (!extensions) return;
    invocation_list_free(&extensions->startup_commands);
    json_decref(extensions->root);
    mem_free(extensions);
}
