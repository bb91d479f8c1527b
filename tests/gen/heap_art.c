#include "tests/gen/heap_formats.h"

#include <string.h>

#include "tests/gen/wire.h"

enum { ENTER, EXIT, UNWIND };
#define START_US UINT64_C(5000000)

static const char OPTIONS[] = "data-file-overflow=false\nclock=dual\nvm=art\npid=10\n";
static const char THREADS[] = "*threads\n10\tmain\n11\tPool worker\n";

/* magic, version, where the records begin, start, size of a record */
static void put_header(struct buffer *out, uint16_t version, uint16_t record)
{
    size_t begin = out->length;
    buffer_append_text(out, "SLOW");
    gen_le16(out, version);
    gen_le16(out, 32);
    gen_le64(out, START_US);
    gen_le16(out, record);
    while (out->length - begin < 32)
        buffer_append_byte(out, 0);
}

static void put_record(struct buffer *out, uint16_t tid, uint32_t method, uint32_t action,
                       uint32_t wall_us)
{
    gen_le16(out, tid);
    gen_le32(out, method | action);
    gen_le32(out, wall_us / 2); /* of the thread */
    gen_le32(out, wall_us);
}

/* main: Shop.open > Cart.load, which never ends; the worker: a method without a file,
 * one that nobody named. */
static void put_records(struct buffer *out)
{
    put_record(out, 10, 0x10, ENTER, 10);
    put_record(out, 11, 0x20, ENTER, 12);
    put_record(out, 11, 0x20, UNWIND, 15);
    put_record(out, 10, 0x14, ENTER, 20);
    put_record(out, 11, 0x40, ENTER, 21);
    put_record(out, 11, 0x40, EXIT, 22);
    put_record(out, 10, 0x14, EXIT, 30);
    put_record(out, 10, 0x14, ENTER, 40);
}

static void put_text(struct buffer *out)
{
    buffer_append_text(out, "*version\n3\n");
    buffer_append_text(out, OPTIONS);
    buffer_append_text(out, THREADS);
    buffer_append_text(out, "*methods\n"
                            "0x10\tcom/example/Shop\topen\t(I)V\tShop.java\t12\n"
                            "0x14\tcom.example.Cart\tload\t()V\tCart.java\n"
                            "0x20\tcom.example.Old\t\t\n"
                            "*end\n");
}

void gen_write_art_text(struct buffer *out)
{
    put_text(out);
    put_header(out, 3, 14);
    put_records(out);
}

void gen_write_art_text_cut(struct buffer *out)
{
    gen_write_art_text(out);
    out->length -= 5;
}

/* Lines of threads and methods that cannot be read, between two that can. */
void gen_write_art_text_odd(struct buffer *out)
{
    buffer_append_text(out, "*version\n2\nclock=wall\n*threads\nno tab\n10\tmain\nx\ty\n*methods\n"
                            "zz\ta\tb\t()V\n0x4\ta\tb\n\n0x8\tonly\n0xC\tcls\tb.java\t77\n"
                            "10\tClass\n*end\n");
    put_header(out, 2, 0);
    gen_le16(out, 10);
    gen_le32(out, 0xC);
    gen_le32(out, 7);
    gen_le16(out, 10);
    gen_le32(out, 0xC | 3);
    gen_le32(out, 8);
}

/* ---- the stream ---- */

static void put_entry(struct buffer *out, uint8_t code)
{
    gen_le16(out, 0);
    buffer_append_byte(out, (char)code);
}

static void put_stream_method(struct buffer *out, const char *line)
{
    put_entry(out, 1);
    gen_le16(out, (uint16_t)strlen(line));
    buffer_append_text(out, line);
}

static void put_stream_thread(struct buffer *out, uint16_t tid, const char *name)
{
    put_entry(out, 2);
    gen_le16(out, tid);
    gen_le16(out, (uint16_t)strlen(name));
    buffer_append_text(out, name);
}

static void put_stream(struct buffer *out)
{
    put_header(out, 0xF0 ^ 3, 14);
    put_stream_method(out, "0x10\tcom/example/Shop\topen\t(I)V\tShop.java\t12\n");
    put_stream_thread(out, 10, "main");
    put_stream_thread(out, 11, "Pool worker");
    put_stream_method(out, "0x14\tcom.example.Cart\tload\t()V\tCart.java\n");
    put_records(out);
    put_stream_method(out, "0x20\tcom.example.Old\t\t\n");
}

void gen_write_art_stream(struct buffer *out)
{
    put_stream(out);
    struct buffer summary = BUFFER_INIT;
    buffer_append_text(&summary, "*version\n3\n");
    buffer_append_text(&summary, OPTIONS);
    buffer_append_text(&summary, THREADS);
    buffer_append_text(&summary, "*methods\n*end\n");
    put_entry(out, 3);
    gen_le32(out, (uint32_t)summary.length);
    buffer_append(out, summary.data, summary.length);
    buffer_free(&summary);
}

/* Without its summary, and with half a record in its place. */
void gen_write_art_stream_cut(struct buffer *out)
{
    put_stream(out);
    gen_le16(out, 10);
    gen_le32(out, 0x10);
}

/* ---- version 2 ---- */

static void put_leb128(struct buffer *out, int64_t value)
{
    for (;;) {
        uint8_t byte = value & 0x7F;
        value >>= 7;
        bool is_last = (value == 0 && !(byte & 0x40)) || (value == -1 && byte & 0x40);
        buffer_append_byte(out, (char)(is_last ? byte : byte | 0x80));
        if (is_last) return;
    }
}

static void put_v2_header(struct buffer *out, uint16_t version, uint64_t frequency)
{
    buffer_append_text(out, "SLOW");
    gen_le16(out, version);
    gen_le64(out, START_US * 1000);
    gen_le64(out, 0);
    gen_le64(out, frequency);
    gen_le16(out, 0);
}

static void put_v2_names(struct buffer *out)
{
    static const char *const methods[] = {"com.example.Shop\topen\t(I)V\tShop.java\t12\n",
                                          "com.example.Cart\tload\t()V\tCart.java\n"};
    for (int i = 0; i < 2; i++) {
        buffer_append_byte(out, 1);
        gen_le64(out, UINT64_C(0x7000000000) + (uint64_t)i * 8);
        gen_le16(out, (uint16_t)strlen(methods[i]));
        buffer_append_text(out, methods[i]);
    }
    buffer_append_byte(out, 0);
    gen_le32(out, 100000);
    gen_le16(out, 4);
    buffer_append_text(out, "main");
}

struct v2_event {
    int64_t ticks;
    uint64_t method;
    unsigned action;
};

static void put_v2_events(struct buffer *out, uint32_t tid, const struct v2_event *events,
                          uint32_t n, bool is_dual)
{
    struct buffer payload = BUFFER_INIT;
    int64_t value = 0, method = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t next = (int64_t)((uint64_t)events[i].ticks << 2 | events[i].action);
        put_leb128(&payload, next - value);
        value = next;
        if (is_dual) put_leb128(&payload, 3);
        if (events[i].action != ENTER) continue;
        put_leb128(&payload, (int64_t)events[i].method - method);
        method = (int64_t)events[i].method;
    }
    buffer_append_byte(out, 2);
    gen_le32(out, tid);
    buffer_append_byte(out, (char)n);
    gen_le16(out, 0);
    gen_le32(out, (uint32_t)payload.length);
    buffer_append(out, payload.data, payload.length);
    buffer_free(&payload);
}

static const struct v2_event V2_EVENTS[] = {{1000, UINT64_C(0x7000000000), ENTER},
                                            {2000, UINT64_C(0x7000000008), ENTER},
                                            {3000, 0, EXIT},
                                            {4000, 0, UNWIND}};

/* Ticks of 2 GHz. */
void gen_write_art_v2(struct buffer *out)
{
    put_v2_header(out, 4, UINT64_C(2000000000));
    put_v2_names(out);
    put_v2_events(out, 100000, V2_EVENTS, 4, false);
    buffer_append_byte(out, 3);
    buffer_append_text(out, "clock=wall\npid=77\nvm=art\n*threads\n*end\n");
}

/* Nanoseconds, two clocks, and no summary. */
void gen_write_art_v2_dual(struct buffer *out)
{
    put_v2_header(out, 0xF5, 0);
    put_v2_names(out);
    put_v2_events(out, 100000, V2_EVENTS, 4, true);
}

/* A method that cannot be read, a thread that nobody named, a block whose numbers end
 * too early, one of no known kind. */
void gen_write_art_v2_odd(struct buffer *out)
{
    put_v2_header(out, 4, 0);
    buffer_append_byte(out, 1);
    gen_le64(out, 1);
    gen_le16(out, 3);
    buffer_append_text(out, "a\tb");
    put_v2_events(out, 5, V2_EVENTS, 2, false);
    size_t at = out->length;
    put_v2_events(out, 5, V2_EVENTS, 2, false);
    out->data[at + 5] = 9;
    buffer_append_byte(out, 9);
    put_v2_events(out, 6, V2_EVENTS, 2, false);
}
