/* zip: libzip reads the central directory; where that is missing the local headers
 * are walked.  Names are raw bytes.  A member packed by a method that libzip lacks
 * is listed and cannot be read. */
#include <zip.h>

#include "engine/read/internal.h"

enum {
    PIECE = 1 << 20,
    LOCAL_HEADER = 30,
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8,
    METHOD_ZSTD = 93,
    FLAG_ENCRYPTED = 1,
    FLAG_DESCRIPTOR = 8, /* sizes follow the data */
};

/* Locator of members found by walking: the offset of the local header, marked. */
#define LOCATOR_WALKED (UINT64_C(1) << 63)

struct zip_archive {
    zip_t *zip;
    struct input_member *member;
};

void zip_archive_free(struct zip_archive *archive)
{
    zip_discard(archive->zip);
    mem_free(archive);
}

static zip_t *open_archive(struct str bytes)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(bytes.p, bytes.n, 0, &error);
    zip_t *zip = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : NULL;
    if (source && !zip) zip_source_free(source);
    zip_error_fini(&error);
    return zip;
}

static unsigned u16(struct str s, size_t at)
{
    const unsigned char *p = (const unsigned char *)s.p + at;
    return (unsigned)p[0] | (unsigned)p[1] << 8;
}

static uint32_t u32(struct str s, size_t at)
{
    return u16(s, at) | (uint32_t)u16(s, at + 2) << 16;
}

static bool is_folder_name(struct str name)
{
    return name.n > 0 && name.p[name.n - 1] == '/';
}

static struct zip_archive *archive_of(struct input *input, const struct input_member *member)
{
    for (size_t i = 0; i < input->zips.count; i++)
        if (input->zips.items[i]->member == member) return input->zips.items[i];
    return NULL;
}

/* ---- by the central directory ---- */

static void list_entries(struct input *input, struct input_member *member, zip_t *zip)
{
    zip_int64_t n = zip_get_num_entries(zip, 0);
    for (zip_int64_t i = 0; i < n; i++) {
        const char *name = zip_get_name(zip, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
        if (!name || is_folder_name(str_of(name))) continue;
        struct input_member *child = input_add(input, member, str_of(name));
        if (!child) return;
        child->locator = (uint64_t)i;
        zip_stat_t info;
        if (zip_stat_index(zip, (zip_uint64_t)i, 0, &info) == 0 &&
            (info.valid & ZIP_STAT_COMP_SIZE))
            child->stored_bytes = info.comp_size;
    }
}

static const char *refusal(zip_t *zip, const zip_stat_t *info, char *text, size_t size)
{
    int code = zip_error_code_zip(zip_get_error(zip));
    if (code == ZIP_ER_COMPNOTSUPP || code == ZIP_ER_ENCRNOTSUPP || code == ZIP_ER_NOPASSWD) {
        if (info->encryption_method != ZIP_EM_NONE) return "it is encrypted";
        snprintf(text, size, "it is packed by method %u, which is not supported",
                 (unsigned)info->comp_method);
        return text;
    }
    return zip_strerror(zip);
}

static bool over_limit(struct input *input, struct input_member *member, const zip_stat_t *info,
                       size_t length)
{
    const struct read_limits *limits = input->limits;
    if (input->inflated_bytes >= input_total_limit(input))
        input_lose(input, member, INPUT_LIMITED,
                   "the limit `inflated_bytes` (%llu) is reached; cut short after %zu bytes",
                   (unsigned long long)input_total_limit(input), length);
    else if (length > limits->ratio_free_bytes &&
             length / limits->inflation_ratio > info->comp_size)
        input_lose(input, member, INPUT_LIMITED,
                   "the limit `inflation_ratio` (%llu:1) is reached; cut short after %zu bytes",
                   (unsigned long long)limits->inflation_ratio, length);
    return member->loss == INPUT_LIMITED;
}

static void read_stream(struct input *input, struct input_member *member, zip_file_t *file,
                        const zip_stat_t *info, struct region *region)
{
    while (!cancel_is_requested(input->options.cancel)) {
        if (over_limit(input, member, info, region->length)) return;
        size_t room = PIECE;
        if (region->length == 0 && info->size < (UINT64_C(1) << 30)) room = (size_t)info->size + 1;
        if (!region_reserve(region, room, NULL)) {
            input_lose(input, member, INPUT_LIMITED, "no memory for more than %zu bytes of it",
                       region->length);
            return;
        }
        room = region->capacity - region->length;
        if (room > PIECE) room = PIECE;
        zip_int64_t n = zip_fread(file, region->bytes + region->length, room);
        if (n < 0)
            input_lose(input, member, INPUT_CORRUPT, "damaged after %zu bytes: %s", region->length,
                       zip_file_strerror(file));
        if (n <= 0) return;
        region->length += (size_t)n;
        input->inflated_bytes += (uint64_t)n;
        if (input->options.progress)
            input->options.progress(input->options.progress_context, (uint64_t)n);
    }
    input_lose(input, member, INPUT_CUT, "loading was stopped");
}

static bool read_entry(struct input *input, struct input_member *member, zip_t *zip)
{
    zip_stat_t info;
    char text[100];
    if (zip_stat_index(zip, member->locator, 0, &info) != 0) {
        input_lose(input, member, INPUT_CORRUPT, "%s", zip_strerror(zip));
        return false;
    }
    zip_file_t *file = zip_fopen_index(zip, member->locator, 0);
    if (!file) {
        input_lose(input, member, INPUT_UNSUPPORTED, "%s", refusal(zip, &info, text, sizeof text));
        return false;
    }
    struct region region = {0};
    read_stream(input, member, file, &info, &region);
    zip_fclose(file);
    region_trim(&region);
    member->bytes = region_str(&region);
    vec_push(&input->regions, region);
    return member->bytes.n > 0 || member->loss == INPUT_WHOLE;
}

/* ---- by the local headers ---- */

/* The length of a stored body whose size comes after it: up to the next
 * signature. */
static size_t find_next(struct str bytes, size_t from)
{
    for (size_t at = from; at + 4 <= bytes.n; at++) {
        const char *p = memchr(bytes.p + at, 'P', bytes.n - 3 - at);
        if (!p) break;
        at = (size_t)(p - bytes.p);
        if (memcmp(p, "PK\3\4", 4) == 0 || memcmp(p, "PK\7\10", 4) == 0 ||
            memcmp(p, "PK\1\2", 4) == 0)
            return at;
    }
    return bytes.n;
}

static bool inflate_body(struct input *input, struct input_member *child, struct str body,
                         unsigned method, size_t *used)
{
    if (method == METHOD_STORED) {
        child->bytes = body;
        *used = body.n;
        return true;
    }
    if (method == METHOD_DEFLATED || method == METHOD_ZSTD) {
        input_inflate(input, child, body, method == METHOD_ZSTD ? INFLATE_ZSTD : INFLATE_RAW, used);
        return true;
    }
    input_lose(input, child, INPUT_UNSUPPORTED, "it is packed by method %u, which is not supported",
               method);
    return false;
}

/* One local header at *at.  False at the end of what can be read. */
static bool walk_entry(struct input *input, struct input_member *zip, size_t *at)
{
    struct str bytes = zip->bytes, h = str_slice(bytes, *at, bytes.n);
    if (h.n < LOCAL_HEADER || !str_starts(h, STR("PK\3\4"))) return false;
    unsigned flags = u16(h, 6), method = u16(h, 8);
    uint64_t size = u32(h, 18);
    size_t body_at = *at + LOCAL_HEADER + u16(h, 26) + u16(h, 28);
    if (body_at > bytes.n) return false;
    struct str name = str_slice(h, LOCAL_HEADER, LOCAL_HEADER + u16(h, 26));
    bool size_known = !(flags & FLAG_DESCRIPTOR) || size > 0;
    struct str body = str_slice(bytes, body_at, bytes.n);
    bool is_cut = size_known && size > body.n;
    if (size_known && !is_cut) body.n = (size_t)size;
    if (!size_known && method == METHOD_STORED) body.n = find_next(bytes, body_at) - body_at;
    size_t used = body.n;
    if (!is_folder_name(name)) {
        struct input_member *child = input_add(input, zip, name);
        if (!child) return false;
        child->locator = LOCATOR_WALKED;
        child->stored_bytes = body.n;
        if (flags & FLAG_ENCRYPTED)
            input_lose(input, child, INPUT_UNSUPPORTED, "it is encrypted");
        else
            inflate_body(input, child, body, method, &used);
        if (is_cut) input_lose(input, child, INPUT_CUT, "cut short: the archive ends inside it");
        if (child->loss != INPUT_WHOLE && !size_known) return false;
        if (!size_known) child->stored_bytes = used;
    }
    *at = body_at + (size_known ? body.n : used);
    h = str_slice(bytes, *at, bytes.n);
    if (!size_known || (flags & FLAG_DESCRIPTOR)) {
        if (str_starts(h, STR("PK\7\10")))
            *at += h.n < 16 ? h.n : 16;
        else if (!str_starts(h, STR("PK")))
            *at += h.n < 12 ? h.n : 12;
    }
    return !is_cut;
}

/* libzip also refuses archives that are whole (a name that is not the UTF-8 it
 * claims to be): where the walk ends at the central directory nothing is lost. */
static void walk_headers(struct input *input, struct input_member *zip)
{
    size_t at = 0;
    while (walk_entry(input, zip, &at))
        continue;
    struct str rest = str_slice(zip->bytes, at, zip->bytes.n);
    if (str_starts(rest, STR("PK\1\2")) || str_starts(rest, STR("PK\5\6"))) return;
    input_lose(input, zip, INPUT_CUT,
               "the zip file is cut short, without its central directory; %zu members were found "
               "by their own headers",
               zip->children.count);
}

void zip_expand(struct input *input, struct input_member *member)
{
    zip_t *zip = open_archive(member->bytes);
    if (!zip) {
        walk_headers(input, member);
        return;
    }
    struct zip_archive *archive = mem_alloc(sizeof *archive);
    *archive = (struct zip_archive){zip, member};
    vec_push(&input->zips, archive);
    list_entries(input, member, zip);
}

bool zip_read(struct input *input, struct input_member *member)
{
    if (member->locator & LOCATOR_WALKED) return member->bytes.n > 0 || member->loss == INPUT_WHOLE;
    struct zip_archive *archive = archive_of(input, member->parent);
    return archive && read_entry(input, member, archive->zip);
}
