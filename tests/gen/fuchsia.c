#include "tests/gen/heap_formats.h"

#include <string.h>

#include "tests/gen/features.h"
#include "tests/gen/wire.h"

/* One record: its words are written, then its size is put into the header. */
static size_t open_record(struct buffer *out, uint64_t type, uint64_t rest)
{
    size_t mark = out->length;
    gen_le64(out, type | rest);
    return mark;
}

static void close_record(struct buffer *out, size_t mark)
{
    uint64_t words = (out->length - mark) / 8;
    out->data[mark] = (char)((uint8_t)out->data[mark] | (words & 0xF) << 4);
    out->data[mark + 1] = (char)(words >> 4);
}

static void put_padded(struct buffer *out, const char *bytes, size_t n)
{
    buffer_append(out, bytes, n);
    while (n++ % 8)
        buffer_append_byte(out, 0);
}

static void put_string(struct buffer *out, uint64_t index, const char *text)
{
    size_t mark = open_record(out, 2, index << 16 | (uint64_t)strlen(text) << 32);
    put_padded(out, text, strlen(text));
    close_record(out, mark);
}

static void put_thread(struct buffer *out, uint64_t index, uint64_t pid, uint64_t tid)
{
    size_t mark = open_record(out, 3, index << 16);
    gen_le64(out, pid);
    gen_le64(out, tid);
    close_record(out, mark);
}

static void put_provider(struct buffer *out, uint64_t type, uint64_t id, const char *name)
{
    size_t mark =
        open_record(out, 0, type << 16 | id << 20 | (name ? (uint64_t)strlen(name) << 52 : 0));
    if (name) put_padded(out, name, strlen(name));
    close_record(out, mark);
}

static void put_magic(struct buffer *out)
{
    buffer_append(out, "\x10\x00\x04\x46\x78\x54\x16\x00", 8);
}

static void put_ticks(struct buffer *out, uint64_t per_second)
{
    size_t mark = open_record(out, 1, 0);
    gen_le64(out, per_second);
    close_record(out, mark);
}

/* ---- args ---- */

enum arg {
    ARG_NULL,
    ARG_I32,
    ARG_U32,
    ARG_I64,
    ARG_U64,
    ARG_DOUBLE,
    ARG_STRING,
    ARG_POINTER,
    ARG_KOID,
    ARG_BOOL
};

static void put_arg(struct buffer *out, enum arg type, uint64_t name, uint64_t value)
{
    bool in_header = type == ARG_I32 || type == ARG_U32 || type == ARG_STRING || type == ARG_BOOL;
    size_t mark =
        open_record(out, (uint64_t)type, name << 16 | (in_header ? (value & 0xFFFFFFFF) << 32 : 0));
    if (!in_header && type != ARG_NULL) gen_le64(out, value);
    close_record(out, mark);
}

/* ---- events ---- */

enum names { DEMO = 1, TICK, RUN, WORK, ARG, PROCESS, INCOMING, OUTGOING, WAKER };

static size_t open_event(struct buffer *out, uint64_t kind, uint64_t n_args, uint64_t thread,
                         uint64_t name, uint64_t ticks)
{
    size_t mark = open_record(
        out, 4, kind << 16 | n_args << 20 | thread << 24 | (uint64_t)DEMO << 32 | name << 48);
    gen_le64(out, ticks);
    return mark;
}

static void put_event(struct buffer *out, uint64_t kind, uint64_t thread, uint64_t name,
                      uint64_t ticks, uint64_t more)
{
    size_t mark = open_event(out, kind, 0, thread, name, ticks);
    if (kind == 1 || kind >= 4) gen_le64(out, more);
    close_record(out, mark);
}

static void put_names(struct buffer *out)
{
    static const char *const names[] = {NULL,
                                        "demo",
                                        "tick",
                                        "run",
                                        "work",
                                        "count",
                                        "process",
                                        "incoming_weight",
                                        "outgoing_weight",
                                        "waker"};
    for (uint64_t i = 1; i < sizeof names / sizeof *names; i++)
        put_string(out, i, names[i]);
}

static void put_kernel(struct buffer *out)
{
    static const char name[] = "net\0\0\0\0\0";
    size_t mark = open_record(out, 7, UINT64_C(1) << 16 | UINT64_C(0x8003) << 24);
    gen_le64(out, 50);
    buffer_append(out, name, 8);
    close_record(out, mark);
    mark = open_record(out, 7, UINT64_C(2) << 16 | (uint64_t)WORK << 24 | UINT64_C(1) << 40);
    gen_le64(out, 51);
    put_arg(out, ARG_KOID, PROCESS, 50);
    close_record(out, mark);
}

static void put_switch(struct buffer *out, uint64_t ticks, uint64_t from, uint64_t to,
                       uint64_t state, int32_t in_weight)
{
    size_t mark = open_record(
        out, 8, UINT64_C(2) << 16 | UINT64_C(1) << 20 | state << 36 | UINT64_C(1) << 60);
    gen_le64(out, ticks);
    gen_le64(out, from);
    gen_le64(out, to);
    put_arg(out, ARG_I32, INCOMING, (uint32_t)in_weight);
    put_arg(out, ARG_I32, OUTGOING, from ? 20 : (uint32_t)INT32_MIN);
    close_record(out, mark);
}

/* Ticks of 1 MHz: a tick is 1000 ns. */
static void put_events(struct buffer *out)
{
    size_t mark = open_event(out, 2, 9, 1, RUN, 100);
    put_arg(out, ARG_I32, ARG, (uint32_t)-5);
    put_arg(out, ARG_U32, TICK, 6);
    put_arg(out, ARG_I64, RUN, 7);
    put_arg(out, ARG_U64, WORK, 8);
    put_arg(out, ARG_DOUBLE, DEMO, UINT64_C(0x3FF8000000000000));
    put_arg(out, ARG_STRING, PROCESS, TICK);
    put_arg(out, ARG_POINTER, WAKER, 4096);
    put_arg(out, ARG_BOOL, INCOMING, 1);
    put_arg(out, ARG_NULL, OUTGOING, 0);
    close_record(out, mark);
    put_event(out, 8, 1, WORK, 110, 77);
    put_event(out, 4, 1, WORK, 120, 140);
    put_event(out, 0, 1, TICK, 130, 0);
    put_event(out, 3, 1, RUN, 200, 0);
    mark = open_event(out, 1, 2, 1, TICK, 210);
    put_arg(out, ARG_U32, ARG, 3);
    put_arg(out, ARG_STRING, RUN, TICK);
    gen_le64(out, 9);
    close_record(out, mark);
    put_event(out, 5, 1, WORK, 220, 1);
    put_event(out, 6, 1, WORK, 225, 1);
    put_event(out, 7, 1, WORK, 230, 1);
    /* Of a thread that is told in the event; the flow ends in another process. */
    mark = open_record(out, 4, UINT64_C(2) << 16 | (uint64_t)DEMO << 32 | (uint64_t)RUN << 48);
    gen_le64(out, 240);
    gen_le64(out, 60);
    gen_le64(out, 61);
    close_record(out, mark);
    mark = open_record(out, 4, UINT64_C(10) << 16 | (uint64_t)DEMO << 32 | (uint64_t)RUN << 48);
    gen_le64(out, 245);
    gen_le64(out, 60);
    gen_le64(out, 61);
    gen_le64(out, 77);
    close_record(out, mark);
}

static void put_scheduling(struct buffer *out)
{
    put_switch(out, 300, 0, 51, 0, 30);
    put_switch(out, 310, 51, 0, 3, INT32_MIN);
    size_t mark = open_record(out, 8, UINT64_C(1) << 16 | UINT64_C(1) << 20 | UINT64_C(2) << 60);
    gen_le64(out, 320);
    gen_le64(out, 51);
    put_arg(out, ARG_KOID, WAKER, 11);
    close_record(out, mark);
    /* The older form: cpu 2, from idle to thread 1. */
    mark = open_record(out, 8, UINT64_C(2) << 16 | UINT64_C(1) << 36 | UINT64_C(16) << 52);
    gen_le64(out, 330);
    gen_le64(out, 0);
    gen_le64(out, 0);
    close_record(out, mark);
}

/* A provider with one of each kind of event, the kernel's objects and scheduling, a
 * second provider whose strings have other numbers, and a Perfetto trace inside. */
void gen_write_fuchsia(struct buffer *out)
{
    put_magic(out);
    put_provider(out, 1, 7, "demo provider");
    put_ticks(out, 1000000);
    put_names(out);
    put_thread(out, 1, 10, 11);
    put_kernel(out);
    put_events(out);
    put_provider(out, 1, 8, "other");
    put_string(out, TICK, "tock");
    put_thread(out, 1, 20, 21);
    size_t mark =
        open_record(out, 4, UINT64_C(1) << 24 | UINT64_C(0x8003) << 32 | (uint64_t)TICK << 48);
    gen_le64(out, 1000000);
    buffer_append(out, "own\0\0\0\0\0", 8);
    close_record(out, mark);
    put_provider(out, 2, 7, NULL);
    put_scheduling(out);
    struct buffer inner = BUFFER_INIT;
    gen_write_counters(&inner);
    for (size_t at = 0; at < inner.length; at += 4096) {
        size_t n = inner.length - at < 4096 ? inner.length - at : 4096;
        mark = open_record(out, 5, (uint64_t)TICK << 16 | (uint64_t)n << 32 | UINT64_C(3) << 48);
        put_padded(out, inner.data + at, n);
        close_record(out, mark);
    }
    buffer_free(&inner);
}

void gen_write_fuchsia_cut(struct buffer *out)
{
    put_magic(out);
    put_names(out);
    put_thread(out, 1, 10, 11);
    put_event(out, 2, 1, RUN, 100, 0);
    put_event(out, 4, 1, WORK, 120, 140);
    out->length -= 8;
}

/* Strings and threads that nobody told, an arg that is too long, one of an unknown
 * type, an end before its beginning, a clock that stands, a provider that nobody
 * told, a weight of a wrong type, a record of size 0. */
void gen_write_fuchsia_odd(struct buffer *out)
{
    put_magic(out);
    put_names(out);
    put_thread(out, 1, 10, 11);
    put_event(out, 0, 1, 99, 100, 0);
    put_event(out, 0, 9, RUN, 100, 0);
    size_t mark = open_event(out, 0, 1, 1, RUN, 100);
    gen_le64(out, 3 | 0xFFF << 4 | (uint64_t)ARG << 16);
    gen_le64(out, 1);
    close_record(out, mark);
    mark = open_event(out, 0, 1, 1, RUN, 101);
    put_arg(out, (enum arg)12, ARG, 1);
    close_record(out, mark);
    put_event(out, 4, 1, WORK, 140, 120);
    put_event(out, 0, 1, RUN, UINT64_MAX, 0);
    mark = open_record(out, 8, UINT64_C(1) << 16 | UINT64_C(1) << 60);
    gen_le64(out, 200);
    gen_le64(out, 1);
    gen_le64(out, 2);
    put_arg(out, ARG_U64, INCOMING, 5);
    close_record(out, mark);
    mark = open_event(out, 0, 0, 1, RUN, 102);
    out->length -= 8; /* its time is missing */
    close_record(out, mark);
    put_ticks(out, 0);
    put_event(out, 0, 1, RUN, 103, 0);
    put_provider(out, 2, 99, NULL);
    put_event(out, 0, 1, RUN, 104, 0);
    gen_le64(out, 4);
    put_event(out, 0, 1, RUN, 105, 0);
}
