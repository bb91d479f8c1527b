#include "tests/gen/features.h"

#include "tests/gen/event.h"
#include "tests/gen/ftrace.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

#define START GEN_FEATURES_START

static void interned(struct buffer *out, uint32_t sequence, uint32_t flags,
                     void (*write)(struct buffer *out))
{
    size_t packet = gen_packet_open(out, START, sequence);
    gen_uint(out, GEN_PACKET_SEQUENCE_FLAGS, flags);
    size_t data = gen_open(out, GEN_PACKET_INTERNED_DATA);
    write(out);
    gen_close(out, data);
    gen_packet_close(out, packet);
}

/* ---- GPUs ---- */

static void specification(struct buffer *out, uint64_t iid, const char *name, const char *what,
                          uint64_t category)
{
    size_t s = gen_open(out, 24);
    gen_uint(out, 1, iid);
    gen_text(out, 2, name);
    gen_text(out, 3, what);
    gen_uint(out, 4, category);
    gen_close(out, s);
}

static void gpu_names(struct buffer *out)
{
    size_t context = gen_open(out, 23);
    gen_uint(out, 1, 7);
    gen_uint(out, 2, 42); /* pid */
    gen_uint(out, 3, 2);  /* Vulkan */
    gen_close(out, context);
    specification(out, 1, "vertex", "vertex queue", 1);
    specification(out, 2, "binning", "first pass", 1);
    size_t kernel = gen_open(out, 3000);
    gen_uint(out, 1, 5);
    gen_text(out, 2, "_Z4gemmv");
    gen_text(out, 3, "gemm()");
    gen_text(out, 4, "sm_90");
    gen_close(out, kernel);
    size_t argument = gen_open(out, 3001);
    gen_uint(out, 1, 1);
    gen_text(out, 2, "tile");
    gen_close(out, argument);
    size_t key = gen_open(out, 22);
    gen_uint(out, 1, 1);
    gen_text(out, 2, "label");
    gen_close(out, key);
    size_t function = gen_open(out, 5);
    gen_uint(out, 1, 1);
    gen_text(out, 2, "vkAllocateMemory");
    gen_close(out, function);
}

static size_t stage_open(struct buffer *out, int64_t ts, uint64_t id, uint64_t dur, size_t *packet)
{
    *packet = gen_packet_open(out, ts, 3);
    size_t stage = gen_open(out, 53);
    gen_uint(out, 1, id);
    gen_uint(out, 2, dur);
    return stage;
}

static void stage_close(struct buffer *out, size_t stage, size_t packet)
{
    gen_close(out, stage);
    gen_packet_close(out, packet);
}

static void launch(struct buffer *out)
{
    size_t l = gen_open(out, 21);
    size_t grid = gen_open(out, 1);
    gen_uint(out, 1, 128);
    gen_uint(out, 2, 2);
    gen_close(out, grid);
    size_t group = gen_open(out, 2);
    gen_uint(out, 1, 32);
    gen_close(out, group);
    size_t argument = gen_open(out, 3);
    gen_uint(out, 1, 1); /* "tile" */
    gen_uint(out, 4, 64);
    gen_close(out, argument);
    argument = gen_open(out, 3);
    gen_text(out, 2, "ratio");
    gen_double(out, 5, 0.5);
    gen_close(out, argument);
    gen_close(out, l);
}

static void stages(struct buffer *out)
{
    size_t packet, stage = stage_open(out, START + 1000, 1, 500, &packet);
    gen_uint(out, 5, 7);
    gen_uint(out, 13, 1);
    gen_uint(out, 14, 2);
    gen_uint(out, 8, 0xf00); /* target */
    gen_uint(out, 10, 9);
    gen_uint(out, 15, 5); /* subpasses 0 and 2 */
    size_t extra = gen_open(out, 6);
    gen_text(out, 1, "key");
    gen_text(out, 2, "value");
    gen_close(out, extra);
    stage_close(out, stage, packet);
    /* Waits for the first, on another GPU, with a name and a kernel. */
    stage = stage_open(out, START + 2000, 2, 300, &packet);
    gen_uint(out, 5, 7);
    gen_uint(out, 11, 1);
    gen_uint(out, 13, 1);
    gen_text(out, 17, "multiply");
    gen_uint(out, 18, 1);
    gen_uint(out, 19, 5);
    launch(out);
    stage_close(out, stage, packet);
    /* By position, before and after the queue has a name; overlapping. */
    stage = stage_open(out, START + 3000, 3, 300, &packet);
    gen_uint(out, 3, 1);
    gen_uint(out, 4, 0);
    stage_close(out, stage, packet);
    packet = gen_packet_open(out, START + 3050, 3);
    stage = gen_open(out, 53);
    size_t specifications = gen_open(out, 7);
    for (int i = 0; i < 2; i++) {
        size_t queue = gen_open(out, 2);
        gen_text(out, 1, i ? "fragment" : "compute");
        gen_text(out, 2, "by position");
        gen_close(out, queue);
    }
    size_t kind = gen_open(out, 3);
    gen_text(out, 1, "resolve");
    gen_close(out, kind);
    gen_close(out, specifications);
    stage_close(out, stage, packet);
    stage = stage_open(out, START + 3100, 4, 300, &packet);
    gen_uint(out, 3, 1);
    gen_uint(out, 4, 0);
    stage_close(out, stage, packet);
}

static void vulkan_memory(struct buffer *out, int64_t ts, uint64_t source, uint64_t operation,
                          uint64_t bytes)
{
    size_t packet = gen_packet_open(out, ts, 3);
    size_t memory = gen_open(out, 62);
    gen_uint(out, 1, source);
    gen_uint(out, 2, operation);
    gen_uint(out, 3, (uint64_t)ts);
    gen_uint(out, 4, 42);
    gen_fixed64(out, 5, 0x1000);
    gen_uint(out, 6, bytes);
    gen_uint(out, 7, 1);
    gen_uint(out, 8, 4); /* of the device */
    size_t annotation = gen_open(out, 9);
    gen_uint(out, 1, 1);
    gen_int(out, 2, 77);
    gen_close(out, annotation);
    gen_fixed64(out, 16, 5);
    gen_uint(out, 18, 3);
    gen_uint(out, 19, 1);
    gen_close(out, memory);
    gen_packet_close(out, packet);
}

static void vulkan(struct buffer *out)
{
    size_t packet = gen_packet_open(out, START + 100, 3);
    size_t api = gen_open(out, 65);
    size_t name = gen_open(out, 1);
    gen_uint(out, 1, 42);
    gen_uint(out, 3, 24); /* a framebuffer */
    gen_uint(out, 4, 0xf00);
    gen_text(out, 5, "main target");
    gen_close(out, name);
    gen_close(out, api);
    gen_packet_close(out, packet);
    packet = gen_packet_open(out, START + 200, 3);
    api = gen_open(out, 65);
    size_t submit = gen_open(out, 2);
    gen_uint(out, 1, 50);
    gen_uint(out, 2, 42);
    gen_uint(out, 3, 43);
    gen_uint(out, 5, 11);
    gen_uint(out, 5, 12);
    gen_uint(out, 6, 9);
    gen_close(out, submit);
    gen_close(out, api);
    gen_packet_close(out, packet);
    vulkan_memory(out, START + 300, 3, 1, 4096);
    vulkan_memory(out, START + 400, 3, 2, 1024);
    vulkan_memory(out, START + 500, 4, 3, 512);
    vulkan_memory(out, START + 600, 1, 1, 100);
}

static void gpu_rest(struct buffer *out)
{
    size_t packet = gen_packet_open(out, START, 3);
    size_t info = gen_open(out, 128);
    size_t gpu = gen_open(out, 1);
    gen_text(out, 1, "Adreno");
    gen_text(out, 2, "Qualcomm");
    gen_bytes(out, 5, "\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17", 16);
    size_t fact = gen_open(out, 6);
    gen_text(out, 1, "cores");
    gen_text(out, 2, "6");
    gen_close(out, fact);
    gen_close(out, gpu);
    gen_close(out, info);
    gen_packet_close(out, packet);
    packet = gen_packet_open(out, START + 4000, 3);
    size_t log = gen_open(out, 63);
    gen_uint(out, 1, 4);
    gen_text(out, 2, "driver");
    gen_text(out, 3, "slow path");
    gen_close(out, log);
    gen_packet_close(out, packet);
    for (uint64_t pid = 0; pid <= 42; pid += 42) {
        packet = gen_packet_open(out, START + 5000, 3);
        size_t memory = gen_open(out, 71);
        gen_uint(out, 1, 0);
        gen_uint(out, 2, pid);
        gen_uint(out, 3, 1000 + pid);
        gen_close(out, memory);
        gen_packet_close(out, packet);
    }
}

/* A track event that submits stage 1 and one that waits for it. */
static void gpu_host(struct buffer *out)
{
    struct gen_seq host;
    gen_seq_start(&host, out, 4);
    gen_seq_track(&host, START,
                  &(struct gen_track){.uuid = 1, .pid = 42, .tid = 42, .thread_name = "main"});
    for (uint32_t field = 1; field <= 2; field++) {
        int64_t ts = START + (field == 1 ? 500 : 1800);
        gen_event_open(&host, ts, GEN_EVENT_BEGIN, 1);
        gen_event_name(&host, field == 1 ? "submit" : "wait");
        size_t correlation = gen_open(&host.event, 3000);
        gen_uint(&host.event, field, 1);
        gen_close(&host.event, correlation);
        gen_event_close(&host);
        gen_slice_end(&host, ts + 100, 1);
    }
    gen_seq_free(&host);
}

/* Two GPUs: interned stages and those by position, a wait between two, what the CPU
 * has to do with them, Vulkan's submission, object name and memory, log, totals. */
void gen_write_gpu(struct buffer *out)
{
    gen_packet_device_clocks(out, START);
    interned(out, 3, 1, gpu_names);
    vulkan(out);
    stages(out);
    gpu_rest(out);
    gpu_host(out);
}

/* ---- buffers of pictures ---- */

static void frame(struct buffer *out, int64_t ts, uint64_t type, uint64_t number, const char *layer)
{
    size_t packet = gen_packet_open(out, ts, 3);
    size_t event = gen_open(out, 57);
    size_t buffer = gen_open(out, 1);
    gen_uint(out, 1, number);
    gen_uint(out, 2, type);
    gen_text(out, 3, layer);
    gen_uint(out, 5, 1);
    gen_close(out, buffer);
    gen_close(out, event);
    gen_packet_close(out, packet);
}

/* One frame's whole life, a second that is dequeued twice and composed without
 * being queued, one of a kind that nobody knows. */
void gen_write_graphics_frames(struct buffer *out)
{
    static const uint8_t life[] = {1, 2, 4, 5, 8}; /* dequeue … present */
    gen_packet_device_clocks(out, START);
    for (size_t i = 0; i < sizeof life; i++)
        frame(out, START + 10 * (int64_t)i, life[i], 11, "layer");
    frame(out, START + 100, 1, 12, "layer");
    frame(out, START + 110, 1, 12, "layer");
    frame(out, START + 120, 5, 12, "layer");
    frame(out, START + 130, 8, 12, "layer");
    frame(out, START + 140, 99, 13, NULL);
}

static void v4l2(struct gen_ftrace *cpu, int64_t ts, uint32_t id, uint64_t index)
{
    struct buffer *event = gen_ftrace_open(cpu, ts, 50, id);
    gen_uint(event, 1, 4096);
    gen_uint(event, 2, 1);
    gen_uint(event, 3, 0x4002);
    gen_uint(event, 4, index);
    gen_uint(event, 5, 0);
    gen_uint(event, 6, 3);
    gen_uint(event, 18, 9);
    gen_ftrace_close(cpu);
}

/* A buffer handed to a video driver and taken back, and the driver's own events. */
void gen_write_v4l2(struct buffer *out)
{
    struct gen_ftrace cpu;
    gen_packet_device_clocks(out, START);
    gen_ftrace_start(&cpu, 0);
    v4l2(&cpu, START + 10, 422, 5);
    struct buffer *event = gen_ftrace_open(&cpu, START + 15, 50, 425);
    gen_uint(event, 1, 1);
    gen_uint(event, 2, 4);
    gen_uint(event, 4, 3);
    gen_ftrace_close(&cpu);
    v4l2(&cpu, START + 20, 423, 5);
    v4l2(&cpu, START + 30, 423, 6);
    gen_ftrace_flush(&cpu, out, 1);
    gen_ftrace_free(&cpu);
}

static void system_call(struct gen_ftrace *cpu, int64_t ts, uint64_t id, bool is_exit, int64_t ret)
{
    struct buffer *event = gen_ftrace_open(cpu, ts, 50, is_exit ? 330 : 329);
    gen_uint(event, 1, id);
    if (is_exit) {
        gen_int(event, 2, ret);
    } else {
        gen_uint(event, 2, 7);
        gen_uint(event, 2, 8);
    }
    gen_ftrace_close(cpu);
}

/* System calls of an arm64 machine: one with both ends, a write that carries a mark
 * of user space, a return from a signal, a number without a name. */
void gen_write_syscalls(struct buffer *out)
{
    struct gen_ftrace cpu;
    gen_packet_device_clocks(out, START);
    size_t packet = gen_packet_open(out, -1, 1);
    size_t info = gen_open(out, GEN_PACKET_SYSTEM_INFO);
    size_t utsname = gen_open(out, 1);
    gen_text(out, 1, "Linux");
    gen_text(out, 3, "5.10.0");
    gen_text(out, 4, "aarch64");
    gen_close(out, utsname);
    gen_close(out, info);
    gen_packet_close(out, packet);
    gen_ftrace_start(&cpu, 0);
    system_call(&cpu, START + 10, 56, false, 0);
    system_call(&cpu, START + 20, 56, true, 3);
    system_call(&cpu, START + 30, 64, false, 0);
    gen_ftrace_print(&cpu, START + 35, 50, "B|50|mark\n");
    system_call(&cpu, START + 40, 64, true, 9);
    gen_ftrace_print(&cpu, START + 60, 50, "E|50\n");
    system_call(&cpu, START + 65, 139, false, 0);
    system_call(&cpu, START + 70, 999, false, 0);
    system_call(&cpu, START + 75, 999, true, 0);
    gen_ftrace_flush(&cpu, out, 1);
    gen_ftrace_free(&cpu);
}

/* ---- Windows ---- */

static size_t etw_open(struct buffer *out, int64_t ts, int64_t cpu, uint64_t tid, uint32_t field,
                       size_t marks[3])
{
    marks[0] = gen_packet_open(out, START, 1);
    marks[1] = gen_open(out, 95);
    marks[2] = gen_open(out, 2);
    gen_uint(out, 1, (uint64_t)ts);
    if (cpu >= 0) gen_uint(out, 4, (uint64_t)cpu);
    gen_uint(out, 5, tid);
    return gen_open(out, field);
}

static void etw_close(struct buffer *out, size_t body, const size_t marks[3])
{
    gen_close(out, body);
    gen_close(out, marks[2]);
    gen_close(out, marks[1]);
    gen_packet_close(out, marks[0]);
}

static void etw_switch(struct buffer *out, int64_t ts, uint64_t old_tid, uint64_t new_tid,
                       uint64_t state)
{
    size_t marks[3], body = etw_open(out, ts, 0, 0, 2, marks);
    if (new_tid) gen_uint(out, 1, new_tid);
    gen_uint(out, 2, old_tid);
    gen_sint(out, 3, 8);
    gen_uint(out, 6, 9); /* waits for a page: I/O */
    gen_uint(out, 8, state);
    etw_close(out, body, marks);
}

static void etw_file(struct buffer *out, int64_t ts, uint32_t field, uint64_t irp, uint32_t opcode)
{
    size_t marks[3], body = etw_open(out, ts, 0, 70, field, marks);
    if (irp) gen_uint(out, field == 10 ? 2 : 1, irp);
    if (field == 9) {
        gen_uint(out, 4, 333);
        gen_uint(out, 6, 20); /* FileEndOfFileInformation */
        gen_uint(out, 7, opcode);
    } else if (field == 10) {
        gen_uint(out, 6, 512);
        gen_uint(out, 8, opcode);
    } else if (field == 7) {
        gen_text(out, 7, "C:\\file");
    }
    etw_close(out, body, marks);
}

/* Threads that take turns, one woken by another, one without a number; lists of
 * pages; operations on files with both ends, and without one; a bad CPU. */
void gen_write_etw(struct buffer *out)
{
    etw_switch(out, START + 10, 0, 70, 2);
    etw_switch(out, START + 20, 70, 80, 5);
    size_t marks[3], body = etw_open(out, START + 30, 0, 80, 3, marks);
    gen_uint(out, 1, 70);
    etw_close(out, body, marks);
    etw_switch(out, START + 40, 80, 0, 99);
    body = etw_open(out, START + 50, 0, 0, 6, marks);
    gen_uint(out, 2, 1000);
    gen_uint(out, 7, 5);
    gen_uint(out, 7, 6);
    etw_close(out, body, marks);
    etw_file(out, START + 60, 7, 0xa0, 64);
    etw_file(out, START + 70, 12, 0xa0, 76);
    etw_file(out, START + 80, 10, 0xb0, 67);
    etw_file(out, START + 85, 9, 0xb0, 69); /* the packet is used again */
    etw_file(out, START + 90, 12, 0xb0, 76);
    etw_file(out, START + 95, 12, 0xc0, 76); /* began before the trace */
    etw_file(out, START + 97, 7, 0, 64);
    etw_file(out, START + 99, 7, 0xd0, 64); /* never ends */
    body = etw_open(out, START + 100, 5000, 1, 6, marks);
    etw_close(out, body, marks);
}

/* ---- Android's sums and lists, packets of the network, atoms, the journal ---- */

static void usage_names(struct buffer *out)
{
    size_t lock = gen_open(out, 42);
    gen_uint(out, 1, 1);
    gen_text(out, 2, "upload");
    gen_uint(out, 3, 1);
    gen_uint(out, 5, 10123);
    gen_close(out, lock);
    size_t network = gen_open(out, 30);
    gen_uint(out, 1, 1);
    size_t context = gen_open(out, 2);
    gen_uint(out, 1, 2);
    gen_text(out, 2, "wlan0");
    gen_uint(out, 4, 10123);
    gen_uint(out, 6, 6);
    gen_uint(out, 7, 0x12);
    gen_uint(out, 8, 443);
    gen_close(out, context);
    gen_close(out, network);
}

static void usage(struct buffer *out, int64_t ts, bool is_first)
{
    size_t packet = gen_packet_open(out, ts, 3);
    size_t locks = gen_open(out, 115);
    if (is_first) {
        size_t lock = gen_open(out, 1);
        gen_uint(out, 1, 1);
        gen_text(out, 2, "radio");
        gen_uint(out, 3, 1);
        gen_close(out, lock);
    }
    gen_packed(out, 2, (const uint64_t[]){1, 9}, is_first ? 2 : 0);
    gen_packed(out, 3, (const uint64_t[]){40, 1}, is_first ? 2 : 0);
    gen_close(out, locks);
    gen_packet_close(out, packet);
    packet = gen_packet_open(out, ts, 3);
    size_t times = gen_open(out, 119);
    if (is_first) gen_uint(out, 1, 2);
    gen_packed(out, 2, (const uint64_t[]){10123, 1000}, is_first ? 2 : 1);
    gen_packed(out, 3, (const uint64_t[]){5, 6, 7, 8}, is_first ? 4 : 2);
    gen_close(out, times);
    gen_packet_close(out, packet);
}

static void network_and_locks(struct buffer *out)
{
    size_t packet = gen_packet_open(out, START + 100, 3);
    size_t locks = gen_open(out, 116);
    gen_packed(out, 1, (const uint64_t[]){1, 1, 7}, 3);
    gen_packed(out, 2, (const uint64_t[]){0 << 1 | 1, 50 << 1, 60 << 1 | 1}, 3);
    gen_close(out, locks);
    gen_packet_close(out, packet);
    for (int whole = 0; whole < 2; whole++) {
        packet = gen_packet_open(out, START + 200 + 100 * whole, 3);
        size_t bundle = gen_open(out, 92);
        gen_uint(out, 1, whole ? 9 : 1); /* the second context is not known */
        if (whole) {
            gen_uint(out, 5, 10);
            gen_uint(out, 6, 30);
            gen_uint(out, 7, 9000);
        } else {
            gen_packed(out, 3, (const uint64_t[]){0, 5}, 2);
            gen_packed(out, 4, (const uint64_t[]){100, 200}, 2);
        }
        gen_close(out, bundle);
        gen_packet_close(out, packet);
    }
    packet = gen_packet_open(out, START + 400, 3);
    size_t event = gen_open(out, 88);
    gen_uint(out, 1, 1);
    gen_text(out, 2, "rmnet");
    gen_uint(out, 3, 60);
    gen_uint(out, 6, 17);
    gen_close(out, event);
    gen_packet_close(out, packet);
}

static void atoms_and_journal(struct buffer *out)
{
    size_t packet = gen_packet_open(out, START + 500, 3);
    size_t atoms = gen_open(out, 84);
    for (uint32_t number = 10; number <= 100010; number += 100000) {
        size_t atom = gen_open(out, 1);
        size_t body = gen_open(out, number);
        gen_uint(out, 1, 5);
        gen_float(out, 2, 1.5f);
        gen_text(out, 3, "x");
        gen_close(out, body);
        gen_close(out, atom);
    }
    gen_uint(out, 2, START + 510); /* of the first only */
    gen_close(out, atoms);
    gen_packet_close(out, packet);
    packet = gen_packet_open(out, START + 600, 3);
    size_t journal = gen_open(out, 132);
    size_t line = gen_open(out, 1);
    gen_uint(out, 1, (uint64_t)(GEN_REALTIME_NS + START + 7000) / 1000);
    gen_uint(out, 2, 1);
    gen_uint(out, 6, 3);
    gen_text(out, 7, "systemd");
    gen_text(out, 8, "unit failed");
    gen_text(out, 11, "init.scope");
    gen_close(out, line);
    line = gen_open(out, 1);
    gen_text(out, 8, "no time");
    gen_close(out, line);
    gen_close(out, journal);
    gen_packet_close(out, packet);
}

static void lists(struct buffer *out)
{
    for (int i = 0; i < 2; i++) { /* told twice */
        size_t packet = gen_packet_open(out, -1, 3);
        size_t users = gen_open(out, 123);
        size_t user = gen_open(out, 1);
        gen_text(out, 1, "full.SECONDARY");
        gen_uint(out, 2, 10);
        gen_close(out, user);
        gen_close(out, users);
        gen_packet_close(out, packet);
    }
    size_t packet = gen_packet_open(out, START + 700, 3);
    size_t flags = gen_open(out, 127);
    size_t flag = gen_open(out, 1);
    gen_text(out, 1, "space");
    gen_text(out, 2, "flag");
    gen_text(out, 3, "com.example");
    gen_text(out, 4, "system");
    gen_text(out, 5, "enabled");
    gen_uint(out, 7, 2);
    gen_uint(out, 8, 3);
    gen_close(out, flag);
    gen_close(out, flags);
    gen_packet_close(out, packet);
    packet = gen_packet_open(out, -1, 3);
    size_t games = gen_open(out, 83);
    size_t game = gen_open(out, 1);
    gen_text(out, 1, "com.example.game");
    gen_uint(out, 2, 10200);
    gen_uint(out, 3, 2);
    for (uint64_t mode = 1; mode <= 3; mode++) {
        size_t m = gen_open(out, 4);
        gen_uint(out, 1, mode);
        gen_uint(out, 2, mode == 2);
        gen_float(out, 3, 0.5f * (float)mode);
        gen_float(out, 4, 30.0f * (float)mode);
        gen_close(out, m);
    }
    gen_close(out, game);
    gen_close(out, games);
    gen_packet_close(out, packet);
}

/* Wakelocks of the kernel and of an app, CPU time of two users on two clusters,
 * packets one by one and in sums, two atoms, the journal, users, flags, a game. */
void gen_write_android_usage(struct buffer *out)
{
    gen_packet_device_clocks(out, START);
    interned(out, 3, 1, usage_names);
    usage(out, START, true);
    usage(out, START + 50, false);
    network_and_locks(out);
    atoms_and_journal(out);
    lists(out);
}

/* Chrome's triggers, one of a name that the trace translates; sessions beside this
 * one: started and ended, a clone, one seen only as it ends, a state not known. */
void gen_write_triggers(struct buffer *out)
{
    static const uint64_t sessions[][2] = {{7, 3}, {7, 1}, {8, 5}, {9, 1}, {9, 77}};
    size_t packet = gen_packet_open(out, -1, 3);
    size_t table = gen_open(out, 82);
    size_t studies = gen_open(out, 6);
    size_t entry = gen_open(out, 1);
    gen_uint(out, 1, 10);
    gen_text(out, 2, "slow navigation");
    gen_close(out, entry);
    gen_close(out, studies);
    gen_close(out, table);
    gen_packet_close(out, packet);
    for (uint32_t hash = 10; hash <= 20; hash += 10) {
        packet = gen_packet_open(out, START + hash, 3);
        size_t trigger = gen_open(out, 109);
        gen_fixed32(out, 2, hash);
        gen_close(out, trigger);
        gen_packet_close(out, packet);
    }
    for (size_t i = 0; i < sizeof sessions / sizeof sessions[0]; i++) {
        packet = gen_packet_open(out, START + 100 + (int64_t)i, 3);
        size_t event = gen_open(out, 134);
        gen_uint(out, 1, sessions[i][1]);
        if (sessions[i][0] != 9) gen_text(out, 2, "config");
        gen_uint(out, 3, sessions[i][0]);
        gen_uint(out, 4, 2000);
        gen_uint(out, 5, 3);
        gen_close(out, event);
        gen_packet_close(out, packet);
    }
}

/* The recorder's own slices, by number, name and interned name, one with a key that
 * comes twice; a counter; events that were lost. */
void gen_write_metatrace(struct buffer *out)
{
    for (int i = 0; i < 4; i++) {
        size_t packet = gen_packet_open(out, START + 10 * i, 5);
        size_t event = gen_open(out, 49);
        gen_uint(out, 5, 77);
        if (i == 0) gen_uint(out, 1, 12);
        if (i == 1) gen_text(out, 8, "flush");
        if (i == 2) gen_uint(out, 11, 3);
        if (i < 3) gen_uint(out, 3, 5);
        if (i == 3) {
            gen_uint(out, 2, 4);
            gen_int(out, 4, -6);
            gen_uint(out, 6, 1);
        }
        for (int k = 0; i == 1 && k < 2; k++) {
            size_t arg = gen_open(out, 7);
            gen_text(out, 1, "buffer");
            gen_text(out, 2, k ? "second" : "first");
            gen_close(out, arg);
        }
        if (i == 0) {
            size_t string = gen_open(out, 10);
            gen_uint(out, 1, 3);
            gen_text(out, 2, "commit");
            gen_close(out, string);
        }
        gen_close(out, event);
        gen_packet_close(out, packet);
    }
}
