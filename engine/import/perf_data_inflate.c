/* Records that `perf record -z` packed: one zstd stream, cut into pieces that begin
 * and end anywhere in a record (tools/perf/util/zstd.c; type 83 since Linux 6.16). */
#include "engine/import/perf_data.h"

#include <zstd.h>

/* Of one piece, and of a whole file. */
#define MAX_PIECE     ((size_t)256 << 20)
#define MAX_TOTAL     ((size_t)8 << 30)
#define MAX_RATIO     300
#define FREE_OF_RATIO ((size_t)64 << 20)

struct perf_inflate {
    ZSTD_DCtx *stream;
    VEC(char *) pieces; /* owned */
    struct str rest;    /* of the last one: the record that is not whole yet */
    size_t total, packed;
    bool is_broken;
};

struct perf_inflate *perf_inflate_new(void)
{
    struct perf_inflate *inflate = mem_zero(1, sizeof *inflate);
    inflate->stream = ZSTD_createDCtx();
    return inflate;
}

void perf_inflate_free(struct perf_inflate *inflate)
{
    if (!inflate) return;
    ZSTD_freeDCtx(inflate->stream);
    for (size_t i = 0; i < inflate->pieces.count; i++)
        mem_free(inflate->pieces.items[i]);
    vec_free(&inflate->pieces);
    mem_free(inflate);
}

/* How many bytes are whole records. */
static size_t whole_records(struct str bytes, bool is_swapped)
{
    struct perf_cursor c = perf_cursor_at(bytes, is_swapped);
    while (perf_left(&c) >= PERF_HEADER) {
        size_t at = c.at;
        perf_skip(&c, 6);
        size_t size = perf_read(&c, 2);
        if (size < PERF_HEADER) return bytes.n; /* the reader tells of it */
        if (size > c.n - at) return at;
        c.at = at + size;
    }
    return c.at;
}

static bool grow(char **bytes, size_t *size, size_t used, const struct perf_inflate *inflate)
{
    size_t allowed = MAX_PIECE;
    size_t total = inflate->packed * MAX_RATIO;
    if (total < FREE_OF_RATIO) total = FREE_OF_RATIO;
    if (total > MAX_TOTAL) total = MAX_TOTAL;
    if (inflate->total >= total) return false;
    if (allowed > total - inflate->total) allowed = total - inflate->total;
    if (used >= allowed) return false;
    *size = *size > allowed / 2 ? allowed : *size * 2;
    *bytes = mem_resize(*bytes, *size);
    return true;
}

const char *perf_inflate_add(struct perf_inflate *inflate, struct str packed, bool is_swapped,
                             struct str *records)
{
    *records = STR_NONE;
    if (inflate->is_broken) return "packed records behind damage";
    size_t used = inflate->rest.n, size = used + packed.n * 4 + 1024;
    const char *wrong = NULL;
    char *bytes = mem_alloc(size);
    if (used > 0) memcpy(bytes, inflate->rest.p, used);
    inflate->packed += packed.n;
    ZSTD_inBuffer in = {packed.p, packed.n, 0};
    for (bool is_full = false; in.pos < in.size || is_full;) {
        if (used == size && !grow(&bytes, &size, used, inflate)) {
            wrong = "packed records are larger than allowed";
            break;
        }
        ZSTD_outBuffer out = {bytes, size, used};
        size_t result = ZSTD_decompressStream(inflate->stream, &out, &in);
        used = out.pos;
        is_full = used == size;
        if (!ZSTD_isError(result)) continue;
        wrong = "packed records are damaged";
        break;
    }
    inflate->is_broken = wrong != NULL;
    inflate->total += used;
    bytes = mem_resize(bytes, used > 0 ? used : 1);
    vec_push(&inflate->pieces, bytes);
    struct str all = {bytes, used};
    size_t whole = whole_records(all, is_swapped);
    *records = str_slice(all, 0, whole);
    inflate->rest = str_slice(all, whole, all.n);
    return wrong;
}
