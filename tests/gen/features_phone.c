#include "tests/gen/features.h"

#include "tests/gen/ftrace.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

#define START GEN_FEATURES_START

static void bluetooth(struct buffer *out)
{
    size_t packet = gen_packet_open(out, START + 10, 3);
    size_t event = gen_open(out, 114);
    gen_uint(out, 1, 3);
    gen_uint(out, 2, 12);
    gen_uint(out, 3, 480);
    gen_uint(out, 4, 25);
    gen_uint(out, 8, 7);
    gen_close(out, event);
    gen_packet_close(out, packet);
    packet = gen_packet_open(out, START + 90, 3);
    event = gen_open(out, 114);
    gen_uint(out, 1, 99);
    gen_uint(out, 6, 14);
    gen_close(out, event);
    gen_packet_close(out, packet);
}

static void interrupts(struct buffer *out)
{
    size_t packet = gen_packet_open(out, START + 20, 3);
    size_t info = gen_open(out, 130);
    for (uint64_t id = 11; id <= 12; id++) {
        size_t mapping = gen_open(out, 1);
        gen_uint(out, 1, id);
        gen_text(out, 2, id == 11 ? "arch_timer" : "touch");
        gen_close(out, mapping);
    }
    gen_close(out, info);
    gen_packet_close(out, packet);
}

static void token(struct buffer *database, uint32_t token, uint32_t removed)
{
    gen_le32(database, token);
    gen_le32(database, removed);
}

/* Texts with conversions of every kind, one that was removed. */
static void modem_database(struct buffer *out)
{
    static const char texts[] = "\xE2\x96\xA0"
                                "domain\xE2\x99\xA6"
                                "RRC\xE2\x96\xA0"
                                "format\xE2\x99\xA6"
                                "cell %d of %u: %5.1f dB, %#06x\0"
                                "old %d\0"
                                "%-4d|%+d|%04d|%.3d|%c|%o|%X|%llx|%e|%G|100%|%s\0";
    struct buffer database = BUFFER_INIT;
    buffer_append(&database, "TOKENS\0\0", 8);
    gen_le32(&database, 3);
    gen_le32(&database, 0);
    token(&database, 0x10, 0xFFFFFFFF);
    token(&database, 0x11, 0x20240101);
    token(&database, 0xABCD, 0xFFFFFFFF);
    buffer_append(&database, texts, sizeof texts - 1);
    size_t packet = gen_packet_open(out, -1, 3);
    size_t message = gen_open(out, 111);
    gen_bytes(out, 1, database.data, database.length);
    gen_close(out, message);
    gen_packet_close(out, packet);
    /* One that is cut leaves the first as it is. */
    packet = gen_packet_open(out, -1, 3);
    message = gen_open(out, 111);
    gen_bytes(out, 1, database.data, 12);
    gen_close(out, message);
    gen_packet_close(out, packet);
    buffer_free(&database);
}

static void zigzag(struct buffer *event, int64_t value)
{
    gen_varint(event, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

static void number(struct buffer *event, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    gen_le32(event, word);
}

static void modem_event(struct buffer *out, struct buffer *event)
{
    gen_bytes(out, 1, event->data, event->length);
    buffer_clear(event);
}

static void modem_events(struct buffer *out)
{
    static const uint64_t deltas[] = {100, 50};
    struct buffer event = BUFFER_INIT;
    size_t packet = gen_packet_open(out, START + 30, 3);
    size_t events = gen_open(out, 110);
    gen_le32(&event, 0x10);
    zigzag(&event, -3);
    zigzag(&event, -1);
    number(&event, -90.25F);
    zigzag(&event, 255);
    modem_event(out, &event);
    gen_le32(&event, 0xABCD);
    zigzag(&event, 7);
    zigzag(&event, 7);
    zigzag(&event, -42);
    zigzag(&event, 5);
    zigzag(&event, 'x');
    zigzag(&event, 8);
    zigzag(&event, 171);
    zigzag(&event, 1);
    number(&event, 1.5F); /* the last value is missing */
    modem_event(out, &event);
    gen_le32(&event, 0x11); /* not in use any more */
    modem_event(out, &event);
    gen_le32(&event, 0x10); /* cut inside a number */
    zigzag(&event, 1);
    zigzag(&event, 1);
    gen_le16(&event, 1);
    modem_event(out, &event);
    gen_le16(&event, 1); /* no token */
    modem_event(out, &event);
    gen_le32(&event, 0x10); /* before time began */
    modem_event(out, &event);
    gen_uint(out, 2, (uint64_t)START);
    gen_packed(out, 2, deltas, 2);
    gen_uint(out, 2, 10);
    gen_uint(out, 2, 10);
    gen_int(out, 2, -2 * START);
    gen_close(out, events);
    gen_packet_close(out, packet);
    buffer_free(&event);
}

static void call_of_32_bits(struct buffer *out)
{
    struct gen_ftrace cpu;
    size_t packet = gen_packet_open(out, -1, 1);
    size_t info = gen_open(out, GEN_PACKET_SYSTEM_INFO);
    size_t utsname = gen_open(out, 1);
    gen_text(out, 1, "Linux");
    gen_text(out, 3, "4.9.100");
    gen_text(out, 4, "armv7l");
    gen_close(out, utsname);
    gen_close(out, info);
    gen_packet_close(out, packet);
    gen_ftrace_start(&cpu, 0);
    for (int i = 0; i < 2; i++) {
        struct buffer *event = gen_ftrace_open(&cpu, START + 200 + 10 * i, 50, 329 + (uint32_t)i);
        gen_uint(event, 1, 322);
        if (i) gen_uint(event, 2, 0);
        gen_ftrace_close(&cpu);
    }
    gen_ftrace_flush(&cpu, out, 1);
    gen_ftrace_free(&cpu);
}

/* Bluetooth's sums, names of interrupts, a modem's texts by number with each kind of
 * damage, a system call of a 32-bit ARM. */
void gen_write_phone_parts(struct buffer *out)
{
    gen_packet_device_clocks(out, START);
    bluetooth(out);
    interrupts(out);
    modem_database(out);
    modem_events(out);
    call_of_32_bits(out);
}

/* ---- memory of Chrome's processes ---- */

static size_t memory_node(struct buffer *out, uint64_t id, const char *name, uint64_t size)
{
    size_t node = gen_open(out, 2);
    gen_uint(out, 1, id);
    gen_text(out, 2, name);
    if (size) {
        size_t entry = gen_open(out, 4);
        gen_text(out, 1, "size");
        gen_uint(out, 2, 1);
        gen_uint(out, 3, size);
        gen_close(out, entry);
    }
    return node;
}

static void memory_edge(struct buffer *out, uint64_t source, uint64_t target, uint64_t importance)
{
    size_t edge = gen_open(out, 3);
    gen_uint(out, 1, source);
    gen_uint(out, 2, target);
    gen_uint(out, 3, importance);
    gen_close(out, edge);
}

static void memory_process(struct buffer *out, uint64_t pid)
{
    size_t process = gen_open(out, 3);
    gen_uint(out, 1, pid);
    gen_close(out, memory_node(out, pid + 1, "malloc", 100));
    size_t node = memory_node(out, pid + 2, "malloc/objects", 60);
    size_t entry = gen_open(out, 4);
    gen_text(out, 1, "object_count");
    gen_uint(out, 2, 2);
    gen_uint(out, 3, 7);
    gen_close(out, entry);
    entry = gen_open(out, 4);
    gen_text(out, 1, "kind");
    gen_text(out, 4, "c++");
    gen_close(out, entry);
    gen_close(out, node);
    gen_close(out, memory_node(out, pid + 3, "gpu/texture", 40));
    gen_close(out, memory_node(out, 999, "global/texture", 40));
    node = memory_node(out, pid + 4, "unsure", 5);
    gen_uint(out, 3, 1);
    gen_close(out, node);
    memory_edge(out, pid + 3, 999, pid == 100 ? 2 : 1);
    gen_close(out, process);
}

/* Two processes that share a texture, which the first has more right to; a node that
 * nobody is sure of; a second snapshot with a node without a name. */
void gen_write_memory_snapshots(struct buffer *out)
{
    gen_packet_device_clocks(out, START);
    for (uint64_t pid = 100; pid <= 200; pid += 100) {
        size_t packet = gen_packet_open(out, START + 10, 3), snapshot = gen_open(out, 73);
        gen_uint(out, 2, 1);
        memory_process(out, pid);
        gen_close(out, snapshot);
        gen_packet_close(out, packet);
    }
    size_t packet = gen_packet_open(out, START + 20, 3), snapshot = gen_open(out, 73);
    size_t process = gen_open(out, 3);
    gen_uint(out, 1, 100);
    gen_close(out, memory_node(out, 1, NULL, 5));
    gen_close(out, process);
    gen_close(out, snapshot);
    gen_packet_close(out, packet);
}
