#include "engine/import/packet_reader.h"

#include <zlib.h>
#include <zstd.h>

#define FIRST_ROOM ((size_t)64 << 10)

/* Output that grows up to what is still allowed. */
struct room {
    char *bytes;
    size_t used, size, limit;
};

static bool grow(struct room *room)
{
    if (room->size >= room->limit) return false;
    size_t size = room->size ? room->size * 2 : FIRST_ROOM;
    if (size > room->limit) size = room->limit;
    room->bytes = mem_resize(room->bytes, size);
    room->size = size;
    return true;
}

static const char TOO_LARGE[] = "a compressed packet is larger than allowed when unpacked";
static const char DAMAGED[] = "a compressed packet is damaged";

static const char *inflate_zlib(struct str bytes, struct room *room)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes.p};
    if (bytes.n > UINT32_MAX) return TOO_LARGE;
    stream.avail_in = (uInt)bytes.n;
    /* zlib and gzip headers alike */
    if (inflateInit2(&stream, MAX_WBITS + 32) != Z_OK) return DAMAGED;
    const char *reason = NULL;
    for (int result = Z_OK; result != Z_STREAM_END && !reason;) {
        if (room->used == room->size && !grow(room)) {
            reason = TOO_LARGE;
            break;
        }
        stream.next_out = (Bytef *)room->bytes + room->used;
        stream.avail_out = (uInt)(room->size - room->used);
        result = inflate(&stream, Z_NO_FLUSH);
        room->used = room->size - stream.avail_out;
        bool is_stuck = stream.avail_in == 0 && stream.avail_out > 0;
        if (result != Z_STREAM_END && (result != Z_OK || is_stuck)) reason = DAMAGED;
    }
    inflateEnd(&stream);
    return reason;
}

static const char *inflate_zstd(struct str bytes, struct room *room)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    ZSTD_inBuffer in = {bytes.p, bytes.n, 0};
    const char *reason = NULL;
    for (size_t left = 1; left != 0 && !reason;) {
        if (room->used == room->size && !grow(room)) {
            reason = TOO_LARGE;
            break;
        }
        ZSTD_outBuffer out = {room->bytes, room->size, room->used};
        left = ZSTD_decompressStream(context, &out, &in);
        bool is_stuck = out.pos < out.size && in.pos == in.size && left != 0;
        room->used = out.pos;
        if (ZSTD_isError(left) || is_stuck) reason = DAMAGED;
    }
    ZSTD_freeDCtx(context);
    return reason;
}

bool packet_inflate(struct proto_file *proto, struct str bytes, bool is_zstd, struct str *out,
                    const char **reason)
{
    size_t allowed = PACKET_MAX_INFLATED_FILE - proto->inflated_bytes;
    struct room room = {.limit = allowed < PACKET_MAX_INFLATED ? allowed : PACKET_MAX_INFLATED};
    *reason = is_zstd ? inflate_zstd(bytes, &room) : inflate_zlib(bytes, &room);
    if (room.used == 0) {
        mem_free(room.bytes);
        *out = STR_NONE;
        return !*reason;
    }
    room.bytes = mem_resize(room.bytes, room.used);
    proto->inflated_bytes += room.used;
    vec_push(&proto->inflated, room.bytes);
    *out = (struct str){room.bytes, room.used};
    return !*reason;
}
