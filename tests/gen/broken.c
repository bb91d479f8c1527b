#include "tests/gen/broken.h"

#include "tests/gen/archive.h"
#include "tests/gen/compress.h"
#include "tests/gen/event.h"
#include "tests/gen/features.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

#define START GEN_FEATURES_START

void gen_write_empty(struct buffer *out)
{
    (void)out;
}

/* All packets of the slices trace but the last, which is cut in the middle. */
void gen_write_cut_packet(struct buffer *out)
{
    gen_write_slices(out);
    out->length -= 5;
}

/* Whole, then a tag without a length. */
void gen_write_cut_tag(struct buffer *out)
{
    gen_write_slices(out);
    buffer_append_byte(out, '\x0a');
}

/* Fields of other numbers and wire types between the packets; all packets whole. */
void gen_write_other_fields(struct buffer *out)
{
    gen_write_slices(out);
    gen_uint(out, 2, 5);
    gen_fixed64(out, 3, 1);
    gen_fixed32(out, 4, 1);
    gen_text(out, 5, "not a packet");
    gen_bytes(out, 1, "", 0);
    gen_write_counters(out);
}

/* Whole, then a tag of wire type 3, then a packet that nobody can find any more. */
void gen_write_bad_wire_type(struct buffer *out)
{
    gen_write_slices(out);
    buffer_append_byte(out, '\x0b');
    gen_write_slices(out);
}

/* Whole, then a packet that claims to be 2^62 bytes long. */
void gen_write_huge_length(struct buffer *out)
{
    gen_write_slices(out);
    buffer_append_byte(out, '\x0a');
    gen_varint(out, UINT64_C(1) << 62);
    buffer_append_text(out, "abc");
}

/* A packet in the middle whose fields do not end where it ends. */
void gen_write_bad_inner_packet(struct buffer *out)
{
    gen_write_slices(out);
    gen_bytes(out, 1, "\x40\x01\x5a\x7f\x08", 5);
    gen_write_counters(out);
}

/* A compressed packet of garbage between two whole traces. */
void gen_write_bad_zlib(struct buffer *out)
{
    gen_write_slices(out);
    size_t packet = gen_packet_open(out, -1, 0);
    gen_bytes(out, GEN_PACKET_ZLIB_PACKETS, "\x78\x9c\xff\xff\xff\xff", 6);
    gen_packet_close(out, packet);
    gen_write_counters(out);
}

/* What is compressed twice is not read; what stands beside it is. */
void gen_write_compressed_in_compressed(struct buffer *out)
{
    struct buffer inner = BUFFER_INIT, middle = BUFFER_INIT;
    gen_write_slices(&inner);
    gen_packet_compressed(&middle, GEN_CODEC_ZLIB, &inner);
    gen_packet_compressed(out, GEN_CODEC_ZLIB, &middle);
    gen_write_counters(out);
    buffer_free(&inner);
    buffer_free(&middle);
}

/* Compact scheduling with columns of different lengths and a comm that is not in
 * the table. */
void gen_write_compact_mismatch(struct buffer *out)
{
    const uint64_t times[] = {(uint64_t)START, 1000, 1000}, values[] = {0, 1, 1};
    gen_packet_device_clocks(out, START);
    size_t packet = gen_packet_open(out, -1, 1);
    size_t bundle = gen_open(out, GEN_PACKET_FTRACE);
    gen_uint(out, 1, 0);
    size_t compact = gen_open(out, 4);
    gen_text(out, 5, "only one");
    gen_packed(out, 1, times, 3);
    gen_packed(out, 2, values, 2);
    gen_packed(out, 3, values, 3);
    gen_packed(out, 4, values, 1);
    gen_packed(out, 6, (const uint64_t[]){0, 7, 1000000}, 3);
    gen_close(out, compact);
    gen_close(out, bundle);
    gen_packet_close(out, packet);
}

/* 600 slices in one another; a stack holds 512. */
void gen_write_deep_stack(struct buffer *out)
{
    struct gen_seq seq;
    gen_packet_device_clocks(out, START);
    gen_seq_start(&seq, out, 7);
    gen_seq_track(&seq, START, &(struct gen_track){.uuid = 1, .pid = 5, .tid = 5});
    for (int i = 0; i < 600; i++)
        gen_slice_begin(&seq, START + i, 1, "deeper");
    for (int i = 0; i < 600; i++)
        gen_slice_end(&seq, START + 1000 + i, 1);
    gen_seq_free(&seq);
}

/* Dictionaries in dictionaries, 5,000 deep, then a slice that is whole. */
void gen_write_deep_annotation(struct buffer *out)
{
    enum { DEPTH = 5000 };
    struct gen_seq seq;
    struct buffer value = BUFFER_INIT, wrapped = BUFFER_INIT;
    gen_text(&value, 10, "k");
    gen_int(&value, 4, 1);
    for (int i = 0; i < DEPTH; i++) {
        buffer_clear(&wrapped);
        gen_text(&wrapped, 10, "k");
        gen_nested(&wrapped, 11, &value);
        struct buffer swap = value;
        value = wrapped;
        wrapped = swap;
    }
    gen_packet_device_clocks(out, START);
    gen_seq_start(&seq, out, 7);
    gen_seq_track(&seq, START, &(struct gen_track){.uuid = 1, .pid = 5, .tid = 5});
    gen_event_open(&seq, START, GEN_EVENT_BEGIN, 1);
    gen_event_name(&seq, "deep arguments");
    gen_nested(gen_event_body(&seq), 4, &value);
    gen_event_close(&seq);
    gen_slice_end(&seq, START + 1000, 1);
    gen_slice_begin(&seq, START + 2000, 1, "whole");
    gen_slice_end(&seq, START + 3000, 1);
    gen_seq_free(&seq);
    buffer_free(&value);
    buffer_free(&wrapped);
}

/* Times 0, 1, 2^62, 2^63-1 and one that is negative as int64. */
void gen_write_times_at_the_ends(struct buffer *out)
{
    static const uint64_t TIMES[] = {0, 1, UINT64_C(1) << 62, INT64_MAX, UINT64_MAX};
    struct gen_seq seq;
    gen_seq_start(&seq, out, 7);
    gen_seq_track(&seq, 0, &(struct gen_track){.uuid = 1, .pid = 5, .tid = 5});
    gen_seq_free(&seq);
    for (size_t i = 0; i < sizeof TIMES / sizeof TIMES[0]; i++) {
        size_t packet = gen_open(out, 1);
        gen_uint(out, GEN_PACKET_TIMESTAMP, TIMES[i]);
        gen_uint(out, GEN_PACKET_SEQUENCE_ID, 7);
        size_t event = gen_open(out, GEN_PACKET_TRACK_EVENT);
        gen_uint(out, 9, GEN_EVENT_INSTANT);
        gen_uint(out, 11, 1);
        gen_text(out, 23, "at the end");
        gen_close(out, event);
        gen_close(out, packet);
    }
}

/* No end record, and the last record is cut. */
void gen_write_simpleperf_cut(struct buffer *out)
{
    gen_write_simpleperf(out);
    out->length -= 9;
}

void gen_write_simpleperf_version(struct buffer *out)
{
    gen_write_simpleperf(out);
    out->data[10] = 2;
}

/* The first half of a compressed trace. */
void gen_write_gzip_cut(struct buffer *out)
{
    struct buffer trace = BUFFER_INIT;
    for (int i = 0; i < 50; i++)
        gen_write_slices(&trace);
    gen_gzip(out, buffer_str(&trace));
    out->length /= 2;
    buffer_free(&trace);
}

/* The stream goes on with a block of no kind, half way through. */
void gen_write_gzip_damaged(struct buffer *out)
{
    gen_write_gzip_cut(out);
    for (int i = 0; i < 64; i++)
        buffer_append_byte(out, '\xff');
}

/* A whole trace, compressed, and bytes behind it that are no stream. */
void gen_write_gzip_rest(struct buffer *out)
{
    struct buffer trace = BUFFER_INIT;
    gen_write_slices(&trace);
    gen_gzip(out, buffer_str(&trace));
    buffer_append_text(out, "left behind");
    buffer_free(&trace);
}

/* One cut through a zip, its member and a packet in it. */
void gen_write_zip_cut(struct buffer *out)
{
    struct buffer trace = BUFFER_INIT;
    struct gen_zip zip;
    for (int i = 0; i < 50; i++)
        gen_write_slices(&trace);
    gen_zip_start(&zip, out);
    gen_zip_add(&zip, STR("trace.perfetto-trace"), buffer_str(&trace), GEN_ZIP_STORED);
    gen_zip_finish(&zip);
    out->length = trace.length / 2 + 3;
    buffer_free(&trace);
}

void gen_write_unknown_type(struct buffer *out)
{
    buffer_append_text(out, "This is a letter to a friend, and no trace of any kind.\n");
}
