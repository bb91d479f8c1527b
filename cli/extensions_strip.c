/* A copy without extensions: the sidecar loses its section (and goes when nothing else
 * is in it), members that the section names go, all others keep their bytes. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/archive.h"
#include "cli/extensions.h"
#include "engine/base/buffer.h"
#include "engine/base/vec.h"
#include "engine/extensions/json.h"
#include "engine/extensions/sidecar.h"
#include "engine/read/input.h"

struct strip {
    const char *in, *out;
    struct input *input;
    VEC(struct str) claimed;    /* borrowed from `documents` */
    VEC(json_t *) documents;    /* owned */
    VEC(struct buffer) rewrote; /* text of each sidecar; empty: it goes */
    VEC(const struct input_member *) sidecars;
    bool had_extensions;
};

/* ---- one sidecar ---- */

static bool is_listed(const json_t *body, struct str path)
{
    json_t *files = json_object_get(body, "files"), *file;
    size_t i;
    json_array_foreach(
        files, i, file) if (str_equal(json_str(json_object_get(file, "path")), path)) return true;
    return false;
}

/* Whatever the entries' other faults are: a broken section goes as well. */
static void collect_claims(struct strip *s, json_t *body, const json_t *section, struct str self)
{
    static const char *const lists[] = {"macros", "sql_modules", "proto_descriptors",
                                        "startup_commands"};
    for (size_t list = 0; list < 4; list++) {
        json_t *entries = json_object_get(section, lists[list]), *entry;
        size_t i;
        json_array_foreach(entries, i, entry)
        {
            struct str path = json_str(json_object_get(entry, "path"));
            if (!path.p || str_equal(path, self) || is_listed(body, path)) continue;
            vec_push(&s->claimed, path);
        }
    }
}

static bool rewrite(struct strip *s, const struct input_member *member, struct str text,
                    struct status *st)
{
    struct buffer out = BUFFER_INIT;
    json_t *root = json_strict_load(text, st), *body = NULL;
    if (!root) {
        status_prefix(st, "%s: %.*s", s->in, STR_ARG(member->name));
        return false;
    }
    vec_push(&s->documents, root);
    body = json_object_get(root, "perfetto_metadata");
    if (!body) body = json_object_get(root, "perfetto_manifest");
    json_t *section = json_incref(json_object_get(body, "extensions"));
    if (section) {
        s->had_extensions = true;
        vec_push(&s->documents, section);
        collect_claims(s, body, section, member->name);
        json_object_del(body, "extensions");
    }
    bool is_empty = section && json_object_size(body) <= 1 && json_object_size(root) == 1;
    if (!section)
        buffer_append_str(&out, text); /* byte for byte */
    else if (!is_empty)
        json_write(&out, root);
    vec_push(&s->rewrote, out);
    vec_push(&s->sidecars, member);
    return true;
}

/* ---- the container ---- */

static bool is_claimed(const struct strip *s, struct str name)
{
    for (size_t i = 0; i < s->claimed.count; i++)
        if (str_equal(s->claimed.items[i], name)) return true;
    return false;
}

static bool read_members(struct strip *s, struct input_member *root, struct status *st)
{
    input_expand(s->input, root);
    if (root->loss != INPUT_WHOLE)
        return status_fail(st, STATUS_CORRUPT, STATUS_NO_OFFSET, "%s: %s", s->in, root->loss_text);
    for (size_t i = 0; i < root->children.count; i++) {
        struct input_member *child = root->children.items[i];
        if (!input_read(s->input, child) || child->loss != INPUT_WHOLE)
            return status_fail(st, STATUS_CORRUPT, STATUS_NO_OFFSET, "%s: %.*s: %s", s->in,
                               STR_ARG(child->name),
                               child->loss_text ? child->loss_text : "it cannot be read");
        if (!child->is_hidden && sidecar_sniff(child->bytes) &&
            !rewrite(s, child, child->bytes, st))
            return false;
    }
    return true;
}

static bool add_member(struct strip *s, struct archive *archive, const struct input_member *member,
                       struct status *st)
{
    struct str bytes = member->bytes;
    for (size_t i = 0; i < s->sidecars.count; i++) {
        if (s->sidecars.items[i] != member) continue;
        if (s->rewrote.items[i].length == 0) return true;
        bytes = buffer_str(&s->rewrote.items[i]);
    }
    if (is_claimed(s, member->name)) return true;
    char *name = mem_copy_string(member->name.p, member->name.n);
    bool ok = archive_add_bytes(archive, name, bytes, st);
    mem_free(name);
    return ok;
}

/* An archive inside the archive may have a sidecar of its own. */
static bool is_clean(const struct strip *s, const char *part, struct status *st)
{
    struct engine *engine = engine_new();
    struct engine_options options = {.extensions = ENGINE_EXTENSIONS_CHECK};
    struct status ignored = STATUS_INIT;
    bool has_sidecar = engine_load(engine, &part, 1, &options, &ignored);
    bool has_extensions =
        has_sidecar && (engine_trace_extensions(engine).p || engine_extension_problem(engine, 0));
    engine_free(engine);
    status_clear(&ignored);
    return !has_extensions ||
           status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "%s: an archive inside it has a sidecar that is still there; strip that "
                       "archive by itself",
                       s->in);
}

static bool write_archive(struct strip *s, const struct input_member *root, struct status *st)
{
    struct archive *archive = archive_new(s->out, st);
    if (!archive) return false;
    bool ok = true;
    for (size_t i = 0; i < root->children.count && ok; i++)
        ok = add_member(s, archive, root->children.items[i], st);
    ok = ok && archive_write(archive, st) && is_clean(s, archive_part_path(archive), st);
    if (ok) return archive_finish(archive, st);
    archive_abandon(archive);
    return false;
}

/* ---- a sidecar that is no member: alone, or in front of a trace ---- */

static bool write_plain(struct strip *s, struct str head, struct str rest, struct status *st)
{
    struct buffer part = BUFFER_INIT;
    buffer_printf(&part, "%s.%ld.part", s->out, (long)getpid());
    FILE *file = fopen(buffer_text(&part), "wbe");
    bool ok = file && fwrite(head.p ? head.p : "", 1, head.n, file) == head.n &&
              fwrite(rest.p ? rest.p : "", 1, rest.n, file) == rest.n;
    if (file && fclose(file) != 0) ok = false;
    ok = ok && rename(buffer_text(&part), s->out) == 0;
    if (!ok) {
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", s->out, strerror(errno));
        if (file) unlink(buffer_text(&part));
    }
    buffer_free(&part);
    return ok;
}

static bool strip_plain(struct strip *s, const struct input_member *root, struct status *st)
{
    struct str bytes = root->bytes, head = STR_NONE;
    size_t end = sidecar_sniff(bytes) ? sidecar_end(bytes) : 0;
    if (end > 0 && !rewrite(s, root, str_slice(bytes, 0, end), st)) return false;
    if (s->rewrote.count > 0) head = buffer_str(&s->rewrote.items[0]);
    return write_plain(s, head, str_slice(bytes, end, bytes.n), st);
}

static bool run(struct strip *s, struct status *st)
{
    s->input = input_open(&s->in, 1, NULL, st);
    if (!s->input) return false;
    struct input_member *root = input_root(s->input);
    for (;;) {
        if (!input_read(s->input, root) || root->loss != INPUT_WHOLE)
            return status_fail(st, STATUS_CORRUPT, STATUS_NO_OFFSET, "%s: %s", s->in,
                               root->loss_text ? root->loss_text : "it cannot be read");
        bool is_packed = root->kind == INPUT_GZIP || root->kind == INPUT_ZSTD;
        if (!is_packed) break;
        input_expand(s->input, root);
        if (root->children.count != 1) break;
        root = root->children.items[0];
    }
    if (root->kind == INPUT_FOLDER || root->kind == INPUT_TAR || root->kind == INPUT_ZIP)
        return read_members(s, root, st) && write_archive(s, root, st);
    return strip_plain(s, root, st);
}

int extensions_strip(const char *in, const char *out)
{
    struct strip s = {.in = in, .out = out};
    struct status st = STATUS_INIT;
    int exit_status = CLI_OK;
    if (!run(&s, &st))
        exit_status = cli_fail(&st);
    else if (s.had_extensions)
        printf("%s: the extensions are gone, with %zu member%s of theirs\n", out, s.claimed.count,
               s.claimed.count == 1 ? "" : "s");
    else
        printf("%s: a copy; there were no extensions\n", out);
    if (s.input) input_free(s.input);
    for (size_t i = 0; i < s.documents.count; i++)
        json_decref(s.documents.items[i]);
    for (size_t i = 0; i < s.rewrote.count; i++)
        buffer_free(&s.rewrote.items[i]);
    vec_free(&s.documents);
    vec_free(&s.rewrote);
    vec_free(&s.sidecars);
    vec_free(&s.claimed);
    return exit_status;
}
