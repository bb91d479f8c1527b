/* The column form of sched_switch and sched_waking (spec engine_2 2.3): cut into
 * 16-byte payloads, parsed in order of time.
 *
 * A switch says only who comes; who leaves is whom the CPU's last switch let in.
 * So the first switch of a CPU only primes its state, and a waking before it has
 * no waker and is skipped. */
#include "engine/import/ftrace.h"

#include "engine/import/ftrace_log.h"
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
    COMPACT_COLUMNS = FTRACE_COMPACT_COLUMNS,
};

static void read_columns(struct ftrace_compact *c, struct str bytes)
{
    struct ftrace *ftrace = c->cpu->ftrace;
    vec_clear(&ftrace->comms);
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == COMPACT_INTERN_TABLE)
            vec_push(&ftrace->comms, strpool_intern(ftrace->import->strings, f.bytes));
        else if (f.number < COMPACT_COLUMNS && f.type == WIRE_BYTES)
            c->columns[f.number] = wire_open(f.bytes);
    }
    c->bad = w.bad;
}

static bool next_comm(const struct ftrace *ftrace, struct wire *column, string_id *comm)
{
    uint64_t index;
    if (!wire_varint(column, &index) || index >= ftrace->comms.count) return false;
    *comm = ftrace->comms.items[index];
    return true;
}

/* Reads the time of the next entry of one kind.  Entries whose clock is not known
 * stay in the stream as times before all others and are skipped when taken. */
static void next_time(struct ftrace_compact *c, uint32_t column, struct ftrace_compact_stream *s)
{
    uint64_t delta;
    s->has_next = wire_varint(&c->columns[column], &delta);
    if (!s->has_next) return;
    s->raw_ts += delta;
    s->is_known = packet_clock_to_trace_time(c->packet, c->clock, (int64_t)s->raw_ts, &s->ts);
    if (!s->is_known) s->ts = INT64_MIN;
}

void ftrace_compact_open(struct ftrace_compact *c, struct ftrace_cpu *cpu,
                         const struct packet *packet, uint32_t clock, struct str bytes)
{
    *c = (struct ftrace_compact){.cpu = cpu, .packet = packet, .clock = clock};
    if (!bytes.n) return;
    read_columns(c, bytes);
    next_time(c, COMPACT_SWITCH_TIME, &c->switches);
    next_time(c, COMPACT_WAKING_TIME, &c->wakings);
}

static int32_t held_int32(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

/* A column that is shorter than the others ends the stream. */
static void stop(struct ftrace_compact *c, struct ftrace_compact_stream *s)
{
    c->bad = true;
    s->has_next = false;
}

static void push_switch(struct ftrace_compact *c)
{
    struct ftrace *ftrace = c->cpu->ftrace;
    struct wire *at = c->columns;
    uint64_t state, tid, priority;
    string_id comm;
    if (!wire_varint(&at[COMPACT_PREV_STATE], &state) ||
        !wire_varint(&at[COMPACT_NEXT_TID], &tid) ||
        !wire_varint(&at[COMPACT_NEXT_PRIORITY], &priority) ||
        !next_comm(ftrace, &at[COMPACT_NEXT_COMM], &comm)) {
        stop(c, &c->switches);
        return;
    }
    if (c->switches.is_known) {
        struct compact_switch *s = sorter_push(ftrace->import->sorter, c->cpu->queue,
                                               c->cpu->sink_switch, c->switches.ts, sizeof *s);
        *s = (struct compact_switch){(int32_t)tid, (int32_t)priority, comm,
                                     held_int32((int64_t)state)};
    }
    next_time(c, COMPACT_SWITCH_TIME, &c->switches);
}

static void push_waking(struct ftrace_compact *c)
{
    struct ftrace *ftrace = c->cpu->ftrace;
    struct wire *at = c->columns;
    uint64_t tid, target, priority, flags = 0;
    string_id comm;
    if (!wire_varint(&at[COMPACT_WAKING_TID], &tid) ||
        !wire_varint(&at[COMPACT_WAKING_CPU], &target) ||
        !wire_varint(&at[COMPACT_WAKING_PRIORITY], &priority) ||
        !next_comm(ftrace, &at[COMPACT_WAKING_COMM], &comm) ||
        (at[COMPACT_WAKING_FLAGS].end && !wire_varint(&at[COMPACT_WAKING_FLAGS], &flags))) {
        stop(c, &c->wakings);
        return;
    }
    if (c->wakings.is_known) {
        struct compact_waking *s = sorter_push(ftrace->import->sorter, c->cpu->queue,
                                               c->cpu->sink_waking, c->wakings.ts, sizeof *s);
        *s = (struct compact_waking){(int32_t)tid, (int32_t)target, comm, (int16_t)priority,
                                     (uint16_t)flags};
    }
    next_time(c, COMPACT_WAKING_TIME, &c->wakings);
}

void ftrace_compact_push_until(struct ftrace_compact *c, int64_t ts)
{
    for (;;) {
        bool has_switch = c->switches.has_next && c->switches.ts <= ts;
        bool has_waking = c->wakings.has_next && c->wakings.ts <= ts;
        if (has_switch && (!has_waking || c->switches.ts <= c->wakings.ts))
            push_switch(c);
        else if (has_waking)
            push_waking(c);
        else
            return;
    }
}

void ftrace_compact_close(struct ftrace_compact *c)
{
    ftrace_compact_push_until(c, INT64_MAX);
    for (uint32_t i = 0; i < COMPACT_COLUMNS; i++)
        if (c->columns[i].at != c->columns[i].end) c->bad = true;
    if (c->bad) stats_add(c->cpu->ftrace->file, STAT_compact_sched_has_parse_errors, 1);
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

static void write_raw_waking(struct ftrace_cpu *cpu, int64_t ts, const struct compact_waking *in,
                             uint32_t utid)
{
    struct ftrace_log_waking out = {
        .thread = {in->tid, in->comm, in->priority},
        .utid = utid,
        .waker_utid = cpu->running_utid,
        .target_cpu = in->target_cpu,
        .common_flags = in->flags,
    };
    ftrace_log_put_waking(cpu->ftrace->log, ts, ftrace_ucpu(cpu), &out);
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
    uint32_t utid = stage == FTRACE_PARSE ? thread_intern(ftrace->file, in->tid) : NULL_UINT32;
    write_raw_waking(cpu, ts, in, utid);
    if (stage == FTRACE_PARSE)
        sched_push_waking(ftrace->file, ts, utid, cpu->running_utid, some_uint32(in->flags));
}
