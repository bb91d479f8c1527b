#define _GNU_SOURCE /* madvise */
#include "engine/read/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

#include "engine/read/internal.h"

const char *input_kind_name(enum input_kind kind)
{
    static const char *const names[] = {
        [INPUT_FILE] = "unknown", [INPUT_OPERANDS] = "operands", [INPUT_FOLDER] = "folder",
        [INPUT_TAR] = "tar",      [INPUT_ZIP] = "zip",           [INPUT_GZIP] = "gzip",
        [INPUT_ZSTD] = "zstd",    [INPUT_CTRACE] = "ctrace",     [INPUT_JOINED] = "joined",
    };
    return names[kind];
}

enum input_kind input_sniff(struct str bytes)
{
    size_t at;
    struct str magic = str_slice(bytes, 257, 265);
    if (str_starts(magic, STR("ustar\0")) || str_equal(magic, STR("ustar  \0"))) return INPUT_TAR;
    if (str_starts(bytes, STR("PK\3\4"))) return INPUT_ZIP;
    if (str_starts(bytes, STR("PK\5\6")) && bytes.n == 22) return INPUT_ZIP; /* without members */
    if (str_starts(bytes, STR("\x1f\x8b"))) return INPUT_GZIP;
    if (str_starts(bytes, STR("\x28\xb5\x2f\xfd"))) return INPUT_ZSTD;
    if (str_find(str_slice(bytes, 0, 128), STR("TRACE:\n\x78\x9c"), &at)) return INPUT_CTRACE;
    return INPUT_FILE;
}

bool input_path_is_hidden(struct str path)
{
    struct str part;
    while (str_split_next(&path, '/', &part))
        if (part.n > 0 && part.p[0] == '.' && !str_is(part, ".") && !str_is(part, ".."))
            return true;
    return false;
}

struct input_member *input_add(struct input *input, struct input_member *parent, struct str name)
{
    if (input->n_members >= input->limits->members) {
        if (parent)
            input_lose(input, parent, INPUT_LIMITED,
                       "the limit `members` (%u) is reached; what follows is left out",
                       (unsigned)input->limits->members);
        return NULL;
    }
    input->n_members++;
    struct input_member *member = arena_zero(&input->arena, sizeof *member);
    member->parent = parent;
    member->name = parent ? arena_copy_str(&input->arena, name) : STR_NONE;
    member->bytes = STR("");
    if (parent) {
        member->is_hidden = input_path_is_hidden(name);
        vec_push(&parent->children, member);
    }
    return member;
}

void input_lose(struct input *input, struct input_member *member, enum input_loss loss,
                const char *format, ...)
{
    if (member->loss != INPUT_WHOLE) return;
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    member->loss = loss;
    member->loss_text = arena_printf(&input->arena, "%s", text);
}

uint64_t input_total_limit(const struct input *input)
{
    const struct read_limits *limits = input->limits;
    uint64_t most;
    if (__builtin_mul_overflow(input->operand_bytes, limits->inflation_ratio, &most))
        most = UINT64_MAX;
    if (most < limits->small_bytes) most = limits->small_bytes;
    return most < limits->inflated_bytes ? most : limits->inflated_bytes;
}

static void lose_by_limit(struct input *input, struct input_member *member, const char *limit)
{
    const struct read_limits *limits = input->limits;
    if (str_is(str_of(limit), "inflation_ratio"))
        input_lose(input, member, INPUT_LIMITED,
                   "the limit `inflation_ratio` (%llu:1) is reached; cut short after %zu bytes",
                   (unsigned long long)limits->inflation_ratio, member->bytes.n);
    else if (str_is(str_of(limit), "inflated_bytes"))
        input_lose(input, member, INPUT_LIMITED,
                   "the limit `inflated_bytes` (%llu) is reached; cut short after %zu bytes",
                   (unsigned long long)input_total_limit(input), member->bytes.n);
    else
        input_lose(input, member, INPUT_LIMITED,
                   "no memory for more of it; cut short after %zu bytes", member->bytes.n);
}

void input_inflate(struct input *input, struct input_member *member, struct str packed,
                   enum inflate_codec codec, size_t *consumed)
{
    struct region region = {0};
    struct inflate_job job = {
        .input = packed,
        .codec = codec,
        .limits = input->limits,
        .total_bytes = &input->inflated_bytes,
        .total_limit = input_total_limit(input),
        .cancel = input->options.cancel,
        .progress = input->options.progress,
        .progress_context = input->options.progress_context,
    };
    enum inflate_end end = inflate_run(&job, &region);
    member->bytes = region_str(&region);
    vec_push(&input->regions, region);
    if (consumed) *consumed = job.consumed;
    if (end == INFLATE_CUT)
        input_lose(
            input, member, INPUT_CUT,
            "compressed stream incomplete, cut short at byte %zu; %zu bytes could be inflated",
            job.consumed, member->bytes.n);
    else if (end == INFLATE_CORRUPT)
        input_lose(input, member, INPUT_CORRUPT,
                   "failed to decompress at byte %zu; %zu bytes could be inflated", job.consumed,
                   member->bytes.n);
    else if (end == INFLATE_STOPPED)
        input_lose(input, member, INPUT_CUT, "loading was stopped");
    else if (end == INFLATE_LIMIT)
        lose_by_limit(input, member, job.limit);
}

struct input *input_open(const char *const *operands, size_t n_operands,
                         const struct input_options *options, struct status *st)
{
    struct input *input = mem_zero(1, sizeof *input);
    if (options) input->options = *options;
    input->limits = input->options.limits ? input->options.limits : &read_limits_default;
    input->root = input_add(input, NULL, STR_NONE);
    if (n_operands == 1) {
        if (file_open_operand(input, input->root, operands[0], st)) return input;
        input_free(input);
        return NULL;
    }
    struct input_member *root = input->root;
    root->kind = INPUT_OPERANDS;
    root->is_read = root->is_expanded = true;
    for (size_t i = 0; i < n_operands; i++) {
        struct str path = str_of(operands[i]), name = path;
        while (name.n > 1 && name.p[name.n - 1] == '/')
            name.n--;
        for (size_t at = name.n; at-- > 0;)
            if (name.p[at] == '/') {
                name = str_slice(name, at + 1, name.n);
                break;
            }
        for (size_t j = 0; j < root->children.count; j++)
            if (str_equal(root->children.items[j]->name, name)) name = path;
        struct input_member *member = input_add(input, root, name);
        if (!member) {
            status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "%s", root->loss_text);
            input_free(input);
            return NULL;
        }
        member->is_hidden = false; /* it was asked for by name */
        if (!file_open_operand(input, member, operands[i], st)) {
            input_free(input);
            return NULL;
        }
    }
    return input;
}

void input_free(struct input *input)
{
    if (!input) return;
    for (size_t i = 0; i < input->zips.count; i++)
        zip_archive_free(input->zips.items[i]);
    vec_free(&input->zips);
    for (size_t i = 0; i < input->mappings.count; i++)
        munmap(input->mappings.items[i].address, input->mappings.items[i].bytes);
    vec_free(&input->mappings);
    for (size_t i = 0; i < input->regions.count; i++)
        region_free(&input->regions.items[i]);
    vec_free(&input->regions);
    vec_free(&input->paths);
    if (input->root) {
        /* Lists of children are the only heap memory of members; walk them without
         * recursion, each list taken off before its owner's. */
        struct input_list todo = {0};
        vec_push(&todo, input->root);
        while (todo.count > 0) {
            struct input_member *member = vec_pop(&todo);
            for (size_t i = 0; i < member->children.count; i++)
                vec_push(&todo, member->children.items[i]);
            vec_free(&member->children);
        }
        vec_free(&todo);
    }
    arena_free(&input->arena);
    mem_free(input);
}

struct input_member *input_root(struct input *input)
{
    return input->root;
}

static unsigned nesting_of(const struct input_member *member)
{
    unsigned depth = 0;
    for (; member; member = member->parent)
        depth++;
    return depth;
}

bool input_read(struct input *input, struct input_member *member)
{
    if (member->is_read) return member->bytes.n > 0 || member->loss == INPUT_WHOLE;
    member->is_read = true;
    bool ok = false;
    switch (member->parent ? member->parent->kind : INPUT_OPERANDS) {
    case INPUT_OPERANDS:
    case INPUT_FOLDER: ok = file_read(input, member); break;
    case INPUT_ZIP: ok = zip_read(input, member); break;
    default: ok = true; /* its bytes came with the listing */
    }
    if (ok) member->kind = input_sniff(member->bytes);
    return ok;
}

void input_discard(struct input *input, struct input_member *member)
{
    if (member->bytes.n <= INPUT_HEAD) return;
    for (size_t i = 0; i < input->regions.count; i++) {
        struct region *region = &input->regions.items[i];
        if (region->bytes == member->bytes.p) /* starts on a page, and so does the head's end */
            madvise(region->bytes + INPUT_HEAD, region->capacity - INPUT_HEAD, MADV_DONTNEED);
    }
}

void input_split(struct input *input, struct input_member *member, size_t at)
{
    struct str halves[2] = {str_slice(member->bytes, 0, at),
                            str_slice(member->bytes, at, member->bytes.n)};
    if (member->kind != INPUT_FILE) return;
    member->kind = INPUT_JOINED;
    member->is_expanded = true;
    for (int i = 0; i < 2; i++) {
        struct input_member *half = input_add(input, member, STR(""));
        if (!half) return;
        half->bytes = halves[i];
        half->stored_bytes = halves[i].n;
        half->is_read = true;
        half->kind = input_sniff(halves[i]);
    }
}

static void expand_stream(struct input *input, struct input_member *member)
{
    struct input_member *inner = input_add(input, member, STR(""));
    if (!inner) return;
    struct str packed = member->bytes;
    enum inflate_codec codec = INFLATE_GZIP;
    size_t at, consumed = 0, skipped = 0;
    if (member->kind == INPUT_ZSTD) codec = INFLATE_ZSTD;
    if (member->kind == INPUT_CTRACE) {
        codec = INFLATE_ZLIB;
        if (str_find(packed, STR("TRACE:\n"), &at)) skipped = at + 7;
    }
    packed = str_slice(packed, skipped, packed.n);
    input_inflate(input, inner, packed, codec, &consumed);
    inner->is_read = true;
    inner->stored_bytes = packed.n;
    inner->kind = input_sniff(inner->bytes);
    if (inner->loss == INPUT_WHOLE && consumed < packed.n && member->kind != INPUT_CTRACE) {
        struct str rest = str_slice(packed, consumed, packed.n);
        size_t zeros = 0;
        while (zeros < rest.n && rest.p[zeros] == 0)
            zeros++; /* padding of tapes is fine */
        if (zeros < rest.n)
            input_lose(input, inner, INPUT_CORRUPT,
                       "%zu bytes after the end of the compressed stream are no further %s stream "
                       "and are left out",
                       rest.n, input_kind_name(member->kind));
    }
}

void input_expand(struct input *input, struct input_member *member)
{
    if (member->is_expanded || !input_is_container(member)) return;
    member->is_expanded = true;
    if (nesting_of(member) > input->limits->nesting) {
        input_lose(input, member, INPUT_LIMITED,
                   "the limit `nesting` (%u) is reached; this archive is not opened",
                   (unsigned)input->limits->nesting);
        return;
    }
    switch (member->kind) {
    case INPUT_FILE:
    case INPUT_JOINED:
    case INPUT_OPERANDS: break;
    case INPUT_FOLDER: folder_expand(input, member); break;
    case INPUT_TAR: tar_expand(input, member); break;
    case INPUT_ZIP: zip_expand(input, member); break;
    case INPUT_GZIP:
    case INPUT_ZSTD:
    case INPUT_CTRACE: expand_stream(input, member); break;
    }
}
