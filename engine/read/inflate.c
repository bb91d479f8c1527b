#include "engine/read/inflate.h"

#include <zlib.h>
#include <zstd.h>

enum { PIECE_OUT = 1 << 20, PIECE_IN = 1 << 20 };

/* Room for one more piece of output, or the reason why there is none. */
static bool make_room(struct inflate_job *job, struct region *out)
{
    uint64_t ratio_at = out->length / job->limits->inflation_ratio;
    if (*job->total_bytes >= job->total_limit)
        job->limit = "inflated_bytes";
    else if (out->length > job->limits->ratio_free_bytes && ratio_at > job->consumed)
        job->limit = "inflation_ratio";
    else if (!region_reserve(out, PIECE_OUT, NULL))
        job->limit = "memory";
    return job->limit == NULL;
}

static void account(struct inflate_job *job, struct region *out, size_t produced, size_t consumed)
{
    out->length += produced;
    *job->total_bytes += produced;
    job->consumed += consumed;
    if (job->progress && produced) job->progress(job->progress_context, produced);
}

static enum inflate_end run_zlib(struct inflate_job *job, struct region *out)
{
    static const int window_bits[] = {
        [INFLATE_GZIP] = 15 + 16, [INFLATE_ZLIB] = 15, [INFLATE_RAW] = -15};
    z_stream z = {0};
    if (inflateInit2(&z, window_bits[job->codec]) != Z_OK) {
        job->limit = "memory";
        return INFLATE_LIMIT;
    }
    enum inflate_end end = INFLATE_CUT;
    for (;;) {
        if (cancel_is_requested(job->cancel)) {
            end = INFLATE_STOPPED;
            break;
        }
        if (!make_room(job, out)) {
            end = INFLATE_LIMIT;
            break;
        }
        size_t left = job->input.n - job->consumed;
        z.next_in = (Bytef *)(uintptr_t)(job->input.p + job->consumed);
        z.avail_in = (uInt)(left < PIECE_IN ? left : PIECE_IN);
        z.next_out = (Bytef *)(out->bytes + out->length);
        z.avail_out = PIECE_OUT;
        uInt before = z.avail_in;
        int rc = inflate(&z, Z_NO_FLUSH);
        account(job, out, PIECE_OUT - z.avail_out, before - z.avail_in);
        if (rc == Z_STREAM_END) {
            struct str rest = str_slice(job->input, job->consumed, job->input.n);
            bool another = job->codec == INFLATE_GZIP && str_starts(rest, STR("\x1f\x8b"));
            if (another && inflateReset(&z) == Z_OK) continue;
            end = INFLATE_WHOLE;
            break;
        }
        if (rc == Z_BUF_ERROR || (rc == Z_OK && z.avail_out > 0 && job->consumed == job->input.n)) {
            if (job->consumed < job->input.n) continue;
            break; /* the input is used up inside the stream */
        }
        if (rc != Z_OK) {
            end = INFLATE_CORRUPT;
            break;
        }
    }
    inflateEnd(&z);
    return end;
}

static enum inflate_end run_zstd(struct inflate_job *job, struct region *out)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!stream) {
        job->limit = "memory";
        return INFLATE_LIMIT;
    }
    enum inflate_end end = INFLATE_CUT;
    size_t hint = 1;
    for (;;) {
        if (cancel_is_requested(job->cancel)) {
            end = INFLATE_STOPPED;
            break;
        }
        if (!make_room(job, out)) {
            end = INFLATE_LIMIT;
            break;
        }
        size_t left = job->input.n - job->consumed;
        if (hint == 0) { /* between frames */
            struct str rest = str_slice(job->input, job->consumed, job->input.n);
            if (!str_starts(rest, STR("\x28\xb5\x2f\xfd"))) {
                end = INFLATE_WHOLE;
                break;
            }
        }
        ZSTD_inBuffer in = {job->input.p + job->consumed, left < PIECE_IN ? left : PIECE_IN, 0};
        ZSTD_outBuffer piece = {out->bytes + out->length, PIECE_OUT, 0};
        hint = ZSTD_decompressStream(stream, &piece, &in);
        account(job, out, piece.pos, in.pos);
        if (ZSTD_isError(hint)) {
            end = INFLATE_CORRUPT;
            break;
        }
        if (hint != 0 && job->consumed == job->input.n && piece.pos < piece.size) break;
    }
    ZSTD_freeDStream(stream);
    return end;
}

enum inflate_end inflate_run(struct inflate_job *job, struct region *out)
{
    job->consumed = 0;
    job->limit = NULL;
    enum inflate_end end = job->codec == INFLATE_ZSTD ? run_zstd(job, out) : run_zlib(job, out);
    region_trim(out);
    return end;
}
