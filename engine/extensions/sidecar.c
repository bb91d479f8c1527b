#include "engine/extensions/sidecar.h"

#include "engine/extensions/internal.h"

enum { SNIFF_BYTES = 512, BEHIND_BYTES = 1 << 20 };

static const char *const keys[] = {"perfetto_metadata", "perfetto_manifest"};

/* The key that the bytes begin with, or NULL. */
static const char *sniff_key(struct str bytes)
{
    char head[SNIFF_BYTES];
    size_t n = 0;
    if (str_starts(bytes, STR("\xEF\xBB\xBF"))) bytes = str_slice(bytes, 3, bytes.n);
    for (size_t i = 0; i < bytes.n && i < SNIFF_BYTES; i++)
        if (!memchr(" \t\r\n", bytes.p[i], 4)) head[n++] = bytes.p[i];
    struct str s = {head, n};
    if (!str_starts(s, STR("{\""))) return NULL;
    s = str_slice(s, 2, s.n);
    for (size_t i = 0; i < 2; i++) {
        struct str key = str_of(keys[i]);
        if (str_starts(s, key) && s.n > key.n && s.p[key.n] == '"') return keys[i];
    }
    return NULL;
}

bool sidecar_sniff(struct str bytes)
{
    return sniff_key(bytes) != NULL;
}

/* The byte behind the closing brace; 0 when there is none. */
static size_t object_end(struct str bytes)
{
    bool in_string = false;
    size_t depth = 0;
    for (size_t i = 0; i < bytes.n; i++) {
        char c = bytes.p[i];
        if (in_string) {
            if (c == '\\') i++;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{') {
            depth++;
        } else if (c == '}' && depth > 0 && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

size_t sidecar_end(struct str bytes)
{
    size_t at = object_end(bytes);
    if (at == 0) return bytes.n;
    while (at < bytes.n && memchr(" \t\r\n", bytes.p[at], 4))
        at++;
    return at;
}

const char *sidecar_find_behind(struct str bytes)
{
    struct str rest = bytes;
    size_t at, seen = bytes.n > BEHIND_BYTES ? bytes.n - BEHIND_BYTES : 0;
    for (rest = str_slice(bytes, seen, bytes.n); str_find(rest, STR("\"perfetto_m"), &at);
         rest = str_slice(bytes, seen, bytes.n)) {
        size_t brace = seen + at;
        seen += at + 1;
        while (brace > 0 && memchr(" \t\r\n", bytes.p[brace - 1], 4))
            brace--;
        if (brace < 2 || bytes.p[brace - 1] != '{') continue;
        struct str text = str_slice(bytes, brace - 1, bytes.n);
        if (sidecar_sniff(text) && object_end(text) > 0 && sidecar_end(text) == text.n)
            return sniff_key(text);
    }
    return NULL;
}

static void parse_body(struct sidecar *s, bool with_extensions)
{
    s->body = json_object_get(s->document, s->problems.key);
    if (!json_is_object(s->body)) {
        problems_add(&s->problems, "expected a JSON object with a top-level %s key",
                     s->problems.key);
        return;
    }
    manifest_parse(&s->manifest, s->body, &s->arena, &s->problems);
    s->section = with_extensions ? json_object_get(s->body, "extensions") : NULL;
    if (s->section) section_check(s);
}

struct sidecar *sidecar_parse(struct str bytes, const struct sidecar_place *place,
                              bool with_extensions)
{
    struct sidecar *s = mem_zero(1, sizeof *s);
    struct status st = STATUS_INIT;
    const char *key = sniff_key(bytes);
    s->problems.key = key ? key : keys[0];
    s->namespace = "";
    s->place = place;
    s->document = json_strict_load(bytes, &st);
    if (!s->document)
        problems_add(&s->problems, "%s", status_message(&st));
    else if (!key)
        problems_add(&s->problems, "expected a JSON object with a top-level %s or %s key", keys[0],
                     keys[1]);
    else
        parse_body(s, with_extensions);
    status_clear(&st);
    s->place = NULL; /* the caller's, for the time of this call */
    return s;
}

void sidecar_free(struct sidecar *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->claims.count; i++)
        json_decref(s->claims.items[i].content);
    vec_free(&s->claims);
    vec_free(&s->descriptors);
    vec_free(&s->modules);
    strmap_free(&s->macro_ids);
    strmap_free(&s->module_names);
    strmap_free(&s->claimed_paths);
    problems_free(&s->problems);
    buffer_free(&s->resolved);
    json_decref(s->document);
    arena_free(&s->arena);
    mem_free(s);
}

const char *sidecar_problem(const struct sidecar *s, size_t i)
{
    return i < s->problems.count ? s->problems.items[i] : NULL;
}

const char *sidecar_problem_rule(const struct sidecar *s, size_t i)
{
    return i < s->problems.count ? s->problems.rules[i] : NULL;
}

const char *sidecar_key(const struct sidecar *s)
{
    return s->problems.key;
}

const struct manifest *sidecar_manifest(const struct sidecar *s)
{
    return &s->manifest;
}

void sidecar_add_problem(struct sidecar *s, const char *text)
{
    problems_add(&s->problems, "%s", text);
}

/* ---- the resolved section (spec/sidecar.md, "What the engine does", 4) ---- */

static json_t *string_of(struct str s)
{
    return json_stringn(s.n > 0 ? s.p : "", s.n);
}

static const struct claim *claim_of(const struct sidecar *s, enum section_list list, size_t index)
{
    for (size_t i = 0; i < s->claims.count; i++)
        if (s->claims.items[i].list == list && s->claims.items[i].index == index)
            return &s->claims.items[i];
    return NULL;
}

/* The same object with `type` first and "inline", and `path` become `sql`. */
static json_t *as_inline(json_t *object, struct str sql)
{
    json_t *result = json_object(), *value;
    const char *key;
    json_object_set_new(result, "type", json_string("inline"));
    json_object_foreach(object, key, value)
    {
        if (strcmp(key, "type") == 0) continue;
        if (sql.p && strcmp(key, "path") == 0)
            json_object_set_new(result, "sql", string_of(sql));
        else
            json_object_set(result, key, value);
    }
    return result;
}

static size_t inline_descriptor_size(json_t *entry)
{
    struct str data = json_str(json_object_get(entry, "data"));
    size_t padding = 0;
    while (padding < data.n && data.p[data.n - 1 - padding] == '=')
        padding++;
    return (data.n - padding) * 3 / 4;
}

static void resolve_entry(const struct sidecar *s, enum section_list list, size_t index,
                          json_t *entry, json_t *out)
{
    const struct claim *claim = claim_of(s, list, index);
    if (list == SECTION_DESCRIPTORS) {
        size_t size = claim ? claim->bytes.n : inline_descriptor_size(entry);
        json_array_append_new(out, json_pack("{s:I}", "size", (json_int_t)size));
    } else if (!claim) {
        json_array_append(out, entry);
    } else if (list == SECTION_MODULES) {
        json_array_append_new(out, as_inline(entry, claim->bytes));
    } else {
        json_t *item;
        size_t i;
        json_array_foreach(claim->content, i, item)
            json_array_append_new(out, as_inline(item, STR_NONE));
    }
}

void sidecar_resolve(struct sidecar *s)
{
    if (!s->section || s->is_resolved) return;
    s->is_resolved = true;
    json_t *result = json_copy(s->section); /* shallow, in the same order */
    bool is_inline = str_is(json_str(json_object_get(s->section, "type")), "inline");
    for (int list = 0; list < 4; list++) {
        json_t *entries = json_object_get(s->section, section_list_names[list]), *entry;
        size_t i;
        if (!entries || (!is_inline && list != SECTION_STARTUP)) continue;
        json_t *resolved = json_array();
        json_array_foreach(entries, i, entry)
            resolve_entry(s, (enum section_list)list, i, entry, resolved);
        json_object_set_new(result, section_list_names[list], resolved);
    }
    json_write(&s->resolved, result);
    json_decref(result);
}

struct str sidecar_section(const struct sidecar *s)
{
    return s->is_resolved ? buffer_str(&s->resolved) : STR_NONE;
}

struct str sidecar_descriptors(const struct sidecar *s, size_t i)
{
    return i < s->descriptors.count ? s->descriptors.items[i] : STR_NONE;
}

const char *sidecar_namespace(const struct sidecar *s)
{
    return s->namespace;
}

bool sidecar_module(const struct sidecar *s, size_t i, const char **name, const char **sql)
{
    if (i >= s->modules.count) return false;
    *name = s->modules.items[i].name;
    *sql = s->modules.items[i].sql;
    return true;
}
