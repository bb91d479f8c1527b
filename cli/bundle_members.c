#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/bundle.h"
#include "engine/base/memory.h"
#include "engine/extensions/sidecar.h"
#include "engine/read/input.h"

enum { HEAD_BYTES = 512 };

const struct bundle_member *bundle_find(const struct bundle *bundle, struct str name)
{
    for (size_t i = 0; i < bundle->members.count; i++)
        if (str_is(name, bundle->members.items[i].name)) return &bundle->members.items[i];
    return NULL;
}

void bundle_dispose(struct bundle *bundle)
{
    for (size_t i = 0; i < bundle->members.count; i++) {
        struct bundle_member *member = &bundle->members.items[i];
        mem_free(member->name);
        mem_free(member->path);
        mem_free(member->bytes);
        mem_free(member->module);
    }
    vec_free(&bundle->members);
    buffer_free(&bundle->sidecar);
    mem_free(bundle->sidecar_name_owned);
}

/* ---- traces ---- */

static struct str last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return str_of(slash ? slash + 1 : path);
}

static bool check_trace(const struct bundle *bundle, const char *path, struct status *st)
{
    struct stat info;
    char head[HEAD_BYTES];
    struct str name = last_component(path);
    if (stat(path, &info) != 0)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(errno));
    struct stat out;
    if (stat(bundle->out, &out) == 0 && out.st_dev == info.st_dev && out.st_ino == info.st_ino)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "%s: the archive would take the place of this trace; name another OUT",
                           path);
    if (!S_ISREG(info.st_mode))
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "%s: a trace to bundle has to be a plain file", path);
    if (name.n == 0 || name.p[0] == '.')
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "%s: readers skip a member whose name begins with a dot; rename it",
                           path);
    const struct bundle_member *other = bundle_find(bundle, name);
    if (other)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "%s: the archive already has a '%s' (from %s); rename one of them", path,
                           other->name, other->path);
    FILE *file = fopen(path, "rbe");
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    int error = errno;
    bool failed = !file || ferror(file);
    if (file) fclose(file);
    if (failed)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(error));
    if (sidecar_sniff((struct str){head, n}))
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "%s: this is a sidecar, no trace; bundle writes its own", path);
    return true;
}

bool bundle_add_traces(struct bundle *bundle, const char *const *paths, size_t n, struct status *st)
{
    for (size_t i = 0; i < n; i++) {
        if (!check_trace(bundle, paths[i], st)) return false;
        struct str name = last_component(paths[i]);
        vec_push(&bundle->members, (struct bundle_member){.name = mem_copy_string(name.p, name.n),
                                                          .path = mem_strdup(paths[i]),
                                                          .is_trace = true});
    }
    return true;
}

/* ---- what the sidecar claims ---- */

static bool add_part(struct bundle *bundle, const char *path, const char *name, char *module,
                     struct status *st)
{
    size_t length;
    char *bytes = cli_read_text(path, &length, st);
    if (!bytes) {
        mem_free(module);
        return false;
    }
    struct buffer full = BUFFER_INIT;
    buffer_printf(&full, BUNDLE_FOLDER "%s", name);
    vec_push(&bundle->members, (struct bundle_member){.name = buffer_take(&full),
                                                      .path = mem_strdup(path),
                                                      .bytes = bytes,
                                                      .length = length,
                                                      .module = module});
    return true;
}

static bool is_word(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i > 0 && c >= '0' && c <= '9')) return false;
    }
    return s.n > 0;
}

/* "frames/jank.sql" is module NAMESPACE.frames.jank; a path that spells the namespace
 * out already (com/ex/jank.sql, com.ex.jank.sql) is taken as it is. */
static char *module_of(const struct bundle *bundle, struct str file, const char *path,
                       struct status *st)
{
    struct buffer name = BUFFER_INIT;
    struct str stem = str_slice(file, 0, file.n - 4), rest, segment;
    size_t length = strlen(bundle->namespace);
    for (size_t i = 0; i < stem.n; i++)
        buffer_append_byte(&name, stem.p[i] == '/' ? '.' : stem.p[i]);
    rest = buffer_str(&name);
    while (str_split_next(&rest, '.', &segment)) {
        if (is_word(segment)) continue;
        status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                    "%s: the path of a module becomes its name, and '%.*s' is no part of one; "
                    "use letters, digits and _",
                    path, STR_ARG(segment));
        buffer_free(&name);
        return NULL;
    }
    if (name.length > length && strncmp(buffer_text(&name), bundle->namespace, length) == 0 &&
        buffer_text(&name)[length] == '.')
        return buffer_take(&name);
    struct buffer full = BUFFER_INIT;
    buffer_printf(&full, "%s.%s", bundle->namespace, buffer_text(&name));
    buffer_free(&name);
    return buffer_take(&full);
}

static int compare_names(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

static bool add_modules(struct bundle *bundle, struct status *st)
{
    struct input *input = input_open(&bundle->sql, 1, NULL, st);
    VEC(struct str) names = {0};
    struct buffer path = BUFFER_INIT, name = BUFFER_INIT;
    bool ok = true;
    if (!input) return false;
    struct input_member *root = input_root(input);
    if (!input_read(input, root) || root->kind != INPUT_FOLDER)
        ok = status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                         "%s: --sql names a folder of .sql files", bundle->sql);
    if (ok) input_expand(input, root);
    for (size_t i = 0; ok && i < root->children.count; i++) {
        const struct input_member *child = root->children.items[i];
        if (!child->is_hidden && str_ends(child->name, STR(".sql"))) vec_push(&names, child->name);
    }
    if (ok && names.count == 0)
        ok = status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "%s: no .sql file is in it",
                         bundle->sql);
    if (names.count > 0) qsort(names.items, names.count, sizeof *names.items, compare_names);
    for (size_t i = 0; ok && i < names.count; i++) {
        struct str file = names.items[i];
        buffer_clear(&path);
        buffer_clear(&name);
        buffer_printf(&path, "%s/%.*s", bundle->sql, STR_ARG(file));
        buffer_printf(&name, "sql/%.*s", STR_ARG(file));
        char *module = module_of(bundle, file, buffer_text(&path), st);
        ok = module && add_part(bundle, buffer_text(&path), buffer_text(&name), module, st);
    }
    vec_free(&names);
    buffer_free(&path);
    buffer_free(&name);
    input_free(input);
    return ok;
}

bool bundle_add_parts(struct bundle *bundle, struct status *st)
{
    return (!bundle->sql || add_modules(bundle, st)) &&
           (!bundle->descriptors ||
            add_part(bundle, bundle->descriptors, "descriptors.pb", NULL, st)) &&
           (!bundle->macros || add_part(bundle, bundle->macros, "macros.json", NULL, st)) &&
           (!bundle->startup || add_part(bundle, bundle->startup, "startup.json", NULL, st));
}
