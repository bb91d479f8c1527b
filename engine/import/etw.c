/* Windows' events (spec engine_2: etw_events; the classes are Microsoft's ETW
 * documentation of CSwitch, ReadyThread, MemInfo and FileIo).
 *
 * A bundle holds one event or more; each names its CPU itself, or the bundle does.
 * Their times are trace time.
 * Operations on files are in etw_file.c. */
#include "engine/import/etw.h"

#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/process.h"
#include "engine/import/sched.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"

enum { PACKET_ETW = 95, BUNDLE_CPU = 1, BUNDLE_EVENT = 2 };

enum event_field {
    EVENT_TIME = 1,
    EVENT_SWITCH = 2,
    EVENT_READY = 3,
    EVENT_CPU = 4,
    EVENT_THREAD = 5,
    EVENT_MEMORY = 6,
    EVENT_FILE_FIRST = 7,
    EVENT_FILE_LAST = 13,
};

#define ETW_MAX_CPUS 1024

/* A thread id that was taken out for privacy. */
#define ANONYMOUS_TID INT64_C(0xFFFFFFFF)

struct etw_payload {
    const char *bytes;
    uint32_t length, cpu;
};

static void sink_event(void *owner, int64_t ts, const void *payload);

/* ---- scheduling ---- */

static string_id state_name(const struct etw *etw, int64_t state)
{
    static const char *const names[] = {"Initialized", "Ready",   "Running",    "Standby",
                                        "Terminated",  "Waiting", "Transition", "DeferredReady"};
    if (state < 0 || state >= (int64_t)(sizeof names / sizeof names[0])) {
        stats_add(etw->file, STAT_task_state_invalid, 1);
        return STRING_NULL;
    }
    return strpool_intern_text(etw->file->import->strings, names[state]);
}

enum { STATE_WAITING = 5, REASON_PAGE_IN = 2, REASON_FIRST_ALERTABLE = 7, REASON_LAST = 36 };

static string_id reason_name(const struct etw *etw, uint64_t reason)
{
    static const char *const names[] = {
        "Executive",        "FreePage",         "PageIn",           "PoolAllocation",
        "DelayExecution",   "Suspended",        "UserRequest",      "WrExecutive",
        "WrFreePage",       "WrPageIn",         "WrPoolAllocation", "WrDelayExecution",
        "WrSuspended",      "WrUserRequest",    "WrEventPair",      "WrQueue",
        "WrLpcReceive",     "WrLpcReply",       "WrVirtualMemory",  "WrPageOut",
        "WrRendezvous",     "WrKeyedEvent",     "WrTerminated",     "WrProcessInSwap",
        "WrCpuRateControl", "WrCalloutStack",   "WrKernel",         "WrResource",
        "WrPushLock",       "WrMutex",          "WrQuantumEnd",     "WrDispatchInt",
        "WrPreempted",      "WrYieldExecution", "WrFastMutex",      "WrGuardedMutex",
        "WrRundown"};
    return reason < sizeof names / sizeof names[0]
               ? strpool_intern_text(etw->file->import->strings, names[reason])
               : STRING_NULL;
}

static int64_t thread_id(const struct etw *etw, const struct ftrace_fields *f, uint32_t field)
{
    if (field_has(f, field)) return (int64_t)(uint32_t)field_uint(f, field);
    uint32_t utid = thread_intern(etw->file, ANONYMOUS_TID);
    thread_set_name(etw->file, utid,
                    strpool_intern_text(etw->file->import->strings, "Anonymized Process"),
                    THREAD_NAME_FTRACE);
    return ANONYMOUS_TID;
}

static void on_switch(struct etw *etw, int64_t ts, uint32_t cpu, struct str bytes)
{
    const struct import_file *file = etw->file;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    int64_t old_tid = thread_id(etw, &f, 2), new_tid = thread_id(etw, &f, 1);
    int64_t state = field_has(&f, 8) ? field_int(&f, 8) : wire_zigzag(field_uint(&f, 13));
    uint32_t next_utid = thread_intern(file, new_tid), old_utid = thread_intern(file, old_tid);
    struct sched_switch s = {
        .cpu = cpu,
        .prev_tid = old_tid,
        .prev_state = state_name(etw, state),
        .next_utid = next_utid,
        .next_tid = new_tid,
        .next_priority = (int32_t)wire_zigzag(field_uint(&f, 3)),
    };
    sched_push_switch(file, ts, &s);
    if (state != STATE_WAITING) return;
    uint64_t reason = field_uint(&f, 6);
    bool is_io =
        reason == REASON_PAGE_IN || (reason >= REASON_FIRST_ALERTABLE && reason <= REASON_LAST);
    sched_push_blocked_reason(file, old_utid, some_uint32(is_io), reason_name(etw, reason));
}

static void on_ready(struct etw *etw, int64_t ts, uint32_t waker, struct str bytes)
{
    struct wire_field f;
    uint32_t tid = wire_find(bytes, 1, &f) ? (uint32_t)f.value : 0;
    sched_push_waking(etw->file, ts, thread_intern(etw->file, tid), thread_intern(etw->file, waker),
                      (struct opt_uint32){0});
}

/* ---- memory: lists of pages ---- */

static void count_pages(struct etw *etw, int64_t ts, const char *list, uint64_t pages)
{
    struct track_key key = probe_key(etw->file, "etw_meminfo", TRACK_COUNTER);
    char name[64];
    probe_dimension_text(etw->file, &key, "counter_type", str_of(list));
    probe_format(name, sizeof name, "%s Page Count", list);
    probe_count(etw->file, ts, &key, name, "pages", (double)pages);
}

static void count_priorities(struct etw *etw, int64_t ts, struct str bytes, uint32_t field,
                             const char *list)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    unsigned n = 0;
    while (wire_next(&w, &f)) {
        if (f.number != field) continue;
        struct wire packed = f.type == WIRE_BYTES ? wire_open(f.bytes) : wire_open(STR_NONE);
        uint64_t pages = f.value;
        bool single = f.type != WIRE_BYTES;
        for (; (single || wire_varint(&packed, &pages)) && n < 64; single = false) {
            char name[32];
            probe_format(name, sizeof name, "%s Pri-%u", list, n++);
            count_pages(etw, ts, name, pages);
        }
    }
}

static void on_memory(struct etw *etw, int64_t ts, struct str bytes)
{
    static const struct {
        uint32_t field;
        const char *list;
    } lists[] = {{2, "Zero"},       {3, "Free"},
                 {4, "Modified"},   {5, "ModifiedNoWrite"},
                 {6, "Bad"},        {9, "ModifiedPageFile"},
                 {10, "PagedPool"}, {11, "NonPagedPool"},
                 {12, "Mdl"},       {13, "Commit"}};
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        count_pages(etw, ts, lists[i].list, field_uint(&f, lists[i].field));
    count_priorities(etw, ts, bytes, 7, "Standby");
    count_priorities(etw, ts, bytes, 8, "Repurposed");
}

/* ---- from bundles to events ---- */

static void push_event(struct etw *etw, const struct packet *packet, struct str bytes,
                       const struct wire_field *bundle_cpu)
{
    struct import *import = packet->file->import;
    struct wire_field time, cpu = *bundle_cpu;
    if (bytes.n > UINT32_MAX || !wire_find(bytes, EVENT_TIME, &time)) {
        stats_add(packet->file, STAT_perfetty_packet_parts_invalid, 1);
        return;
    }
    struct wire_field own;
    if (wire_find(bytes, EVENT_CPU, &own)) cpu = own;
    if (cpu.number == 0 || cpu.value >= ETW_MAX_CPUS) {
        stats_add(packet->file, STAT_perfetty_packet_parts_invalid, 1);
        return;
    }
    int64_t ts = (int64_t)time.value;
    struct etw_payload *payload = sorter_push(import->sorter, packet_reader_queue(packet->reader),
                                              etw->sink, ts, sizeof *payload);
    *payload = (struct etw_payload){bytes.p, (uint32_t)bytes.n, (uint32_t)cpu.value};
}

static bool tokenize(void *state, const struct packet *packet, struct str field)
{
    struct etw *etw = state;
    struct wire_field cpu = {0}, f;
    if (!etw->file) {
        etw->file = packet_reader_file(packet->reader);
        etw->sink = sorter_add_sink(etw->file->import->sorter, sink_event, etw);
    }
    if (!wire_find(field, BUNDLE_CPU, &cpu)) cpu = (struct wire_field){0};
    struct wire w = wire_open(field);
    while (wire_next(&w, &f))
        if (f.number == BUNDLE_EVENT && f.type == WIRE_BYTES)
            push_event(etw, packet, f.bytes, &cpu);
    if (w.bad) stats_add(packet->file, STAT_perfetty_packet_parts_invalid, 1);
    return true;
}

static void sink_event(void *owner, int64_t ts, const void *payload)
{
    struct etw *etw = owner;
    const struct etw_payload *event = payload;
    struct str bytes = {event->bytes, event->length};
    struct wire_field f;
    uint32_t tid = wire_find(bytes, EVENT_THREAD, &f) ? (uint32_t)f.value : 0;
    struct wire w = wire_open(bytes);
    while (wire_next(&w, &f)) {
        if (f.type != WIRE_BYTES) continue;
        switch (f.number) {
        case EVENT_SWITCH: on_switch(etw, ts, event->cpu, f.bytes); break;
        case EVENT_READY: on_ready(etw, ts, tid, f.bytes); break;
        case EVENT_MEMORY: on_memory(etw, ts, f.bytes); break;
        default:
            if (f.number >= EVENT_FILE_FIRST && f.number <= EVENT_FILE_LAST)
                etw_file_event(etw, ts, tid, f.number, f.bytes);
        }
    }
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct etw));
}

static void finish(void *state)
{
    struct etw *etw = state;
    etw_file_finish(etw);
    vec_free(&etw->args);
    mem_free(etw);
}

static const struct packet_module modules[] = {{PACKET_ETW, tokenize, NULL}};

const struct packet_source etw_source = {
    .name = "etw",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
