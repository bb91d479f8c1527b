/* The column form of sched_switch and sched_waking (spec engine_2 2.3): cut into
 * 16-byte payloads, parsed in order of time.
 *
 * A switch says only who comes; who leaves is whom the CPU's last switch let in.
 * So the first switch of a CPU only primes its state, and a waking before it has
 * no waker and is skipped. */
#include "engine/import/ftrace.h"

#include "engine/import/process.h"
#include "engine/import/sched.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"

struct compact_switch {
    int32_t next_tid, next_priority;
    string_id next_comm;
    int32_t prev_state; /* masks have 16 bits or so; larger ones are held at the ends */
};

struct compact_waking {
    int32_t tid;
    int32_t target_cpu;
    string_id comm;
    int16_t priority;
    uint16_t flags;
};

enum compact_field {
    COMPACT_SWITCH_TIME = 1,
    COMPACT_PREV_STATE = 2,
    COMPACT_NEXT_TID = 3,
    COMPACT_NEXT_PRIORITY = 4,
    COMPACT_INTERN_TABLE = 5,
    COMPACT_NEXT_COMM = 6,
    COMPACT_WAKING_TIME = 7,
    COMPACT_WAKING_TID = 8,
    COMPACT_WAKING_CPU = 9,
    COMPACT_WAKING_PRIORITY = 10,
    COMPACT_WAKING_COMM = 11,
    COMPACT_WAKING_FLAGS = 12,
    COMPACT_COLUMNS,
};

struct columns {
    struct wire at[COMPACT_COLUMNS];
};

static void read_columns(struct ftrace *ftrace, struct str bytes, struct columns *columns)
{
    vec_clear(&ftrace->comms);
    *columns = (struct columns){0};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == COMPACT_INTERN_TABLE)
            vec_push(&ftrace->comms, strpool_intern(ftrace->import->strings, f.bytes));
        else if (f.number < COMPACT_COLUMNS && f.type == WIRE_BYTES)
            columns->at[f.number] = wire_open(f.bytes);
    }
    if (w.bad) stats_add(ftrace->file, STAT_compact_sched_has_parse_errors, 1);
}

static bool next_comm(const struct ftrace *ftrace, struct wire *column, string_id *comm)
{
    uint64_t index;
    if (!wire_varint(column, &index) || index >= ftrace->comms.count) return false;
    *comm = ftrace->comms.items[index];
    return true;
}

static bool all_read(const struct columns *columns, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i <= last; i++)
        if (i != COMPACT_INTERN_TABLE && columns->at[i].at != columns->at[i].end) return false;
    return true;
}

static int32_t held_int32(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

static bool push_switches(struct ftrace_cpu *cpu, const struct packet *packet, uint32_t clock,
                          struct columns *columns)
{
    struct ftrace *ftrace = cpu->ftrace;
    struct sorter *sorter = ftrace->import->sorter;
    struct wire *c = columns->at;
    uint64_t raw_ts = 0, delta, state, tid, priority;
    string_id comm;
    while (wire_varint(&c[COMPACT_SWITCH_TIME], &delta)) {
        if (!wire_varint(&c[COMPACT_PREV_STATE], &state) ||
            !wire_varint(&c[COMPACT_NEXT_TID], &tid) ||
            !wire_varint(&c[COMPACT_NEXT_PRIORITY], &priority) ||
            !next_comm(ftrace, &c[COMPACT_NEXT_COMM], &comm))
            return false;
        raw_ts += delta;
        int64_t ts;
        if (!packet_clock_to_trace_time(packet, clock, (int64_t)raw_ts, &ts)) continue;
        struct compact_switch *s = sorter_push(sorter, cpu->queue, cpu->sink_switch, ts, sizeof *s);
        *s = (struct compact_switch){(int32_t)tid, (int32_t)priority, comm,
                                     held_int32((int64_t)state)};
    }
    return all_read(columns, COMPACT_SWITCH_TIME, COMPACT_NEXT_COMM);
}

static bool push_wakings(struct ftrace_cpu *cpu, const struct packet *packet, uint32_t clock,
                         struct columns *columns)
{
    struct ftrace *ftrace = cpu->ftrace;
    struct sorter *sorter = ftrace->import->sorter;
    struct wire *c = columns->at;
    bool has_flags = c[COMPACT_WAKING_FLAGS].at != NULL;
    uint64_t raw_ts = 0, delta, tid, target, priority, flags = 0;
    string_id comm;
    while (wire_varint(&c[COMPACT_WAKING_TIME], &delta)) {
        if (!wire_varint(&c[COMPACT_WAKING_TID], &tid) ||
            !wire_varint(&c[COMPACT_WAKING_CPU], &target) ||
            !wire_varint(&c[COMPACT_WAKING_PRIORITY], &priority) ||
            !next_comm(ftrace, &c[COMPACT_WAKING_COMM], &comm) ||
            (has_flags && !wire_varint(&c[COMPACT_WAKING_FLAGS], &flags)))
            return false;
        raw_ts += delta;
        int64_t ts;
        if (!packet_clock_to_trace_time(packet, clock, (int64_t)raw_ts, &ts)) continue;
        struct compact_waking *s = sorter_push(sorter, cpu->queue, cpu->sink_waking, ts, sizeof *s);
        *s = (struct compact_waking){(int32_t)tid, (int32_t)target, comm, (int16_t)priority,
                                     (uint16_t)flags};
    }
    return all_read(columns, COMPACT_WAKING_TIME, COMPACT_WAKING_FLAGS);
}

void ftrace_tokenize_compact(struct ftrace_cpu *cpu, const struct packet *packet, uint32_t clock,
                             struct str bytes)
{
    struct columns columns;
    read_columns(cpu->ftrace, bytes, &columns);
    bool good = push_switches(cpu, packet, clock, &columns);
    good = push_wakings(cpu, packet, clock, &columns) && good;
    if (!good) stats_add(cpu->ftrace->file, STAT_compact_sched_has_parse_errors, 1);
}

void ftrace_sink_compact_switch(void *owner, int64_t ts, const void *payload)
{
    struct ftrace_cpu *cpu = owner;
    struct ftrace *ftrace = cpu->ftrace;
    const struct import_file *file = ftrace->file;
    const struct compact_switch *in = payload;
    enum ftrace_stage stage = ftrace_stage_of(ftrace, ts);
    if (stage == FTRACE_DROP) return;
    struct ftrace_switch s = {
        .prev_state = in->prev_state,
        .prev_tid = cpu->running_tid,
        .prev_utid = cpu->running_utid,
        .prev_priority = cpu->running_priority,
        .next_tid = in->next_tid,
        .next_utid = thread_intern(file, in->next_tid),
        .next_priority = in->next_priority,
        .next_comm = in->next_comm,
    };
    thread_set_name(file, s.next_utid, in->next_comm, THREAD_NAME_FTRACE);
    if (s.prev_utid == NULL_UINT32) {
        stats_add(file, STAT_compact_sched_switch_skipped, 1);
        cpu->running_utid = s.next_utid;
        cpu->running_tid = s.next_tid;
        cpu->running_priority = s.next_priority;
        return;
    }
    s.prev_comm = column_string(&ftrace->import->tables->thread.name)[s.prev_utid];
    ftrace_push_switch(cpu, ts, &s, stage);
}

static void write_raw_waking(struct ftrace_cpu *cpu, int64_t ts, const struct compact_waking *in)
{
    struct ftrace *ftrace = cpu->ftrace;
    const struct ftrace_names *n = &ftrace->names;
    struct arg_list *args = &ftrace->args;
    arg_list_put_string(args, n->comm, in->comm);
    arg_list_put_int(args, n->pid, in->tid);
    arg_list_put_int(args, n->prio, in->priority);
    arg_list_put_int(args, n->success, 1); /* the kernel never says anything else */
    arg_list_put_int(args, n->target_cpu, in->target_cpu);
    struct ftrace_event_row row = {
        .ts = ts,
        .name = n->sched_waking,
        .utid = cpu->running_utid,
        .arg_set_id = args_commit(ftrace->import->args, args),
        .common_flags = in->flags,
        .ucpu = ftrace_ucpu(cpu),
    };
    ftrace_event_append(&ftrace->import->tables->ftrace_event, &row);
}

void ftrace_sink_compact_waking(void *owner, int64_t ts, const void *payload)
{
    struct ftrace_cpu *cpu = owner;
    struct ftrace *ftrace = cpu->ftrace;
    const struct compact_waking *in = payload;
    enum ftrace_stage stage = ftrace_stage_of(ftrace, ts);
    if (stage == FTRACE_DROP) return;
    if (cpu->running_utid == NULL_UINT32) {
        stats_add(ftrace->file, STAT_compact_sched_waking_skipped, 1);
        return;
    }
    write_raw_waking(cpu, ts, in);
    if (stage == FTRACE_RAW_ONLY) return;
    sched_push_waking(ftrace->file, ts, thread_intern(ftrace->file, in->tid), cpu->running_utid,
                      some_uint32(in->flags));
}
