/* From the log of raw kernel events to rows of ftrace_event and args (spec
 * engine_2 2.3). */
#include "engine/import/ftrace_log.h"

#include "engine/base/hash.h"
#include "engine/import/args.h"
#include "engine/import/ftrace_sets.h"
#include "engine/proto/wire.h"

struct names {
    string_id sched_switch, sched_waking;
    string_id comm, pid, prio, success, target_cpu;
    string_id prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio;
};

/* Only the trackers that args need. */
struct maker {
    struct import import;
    struct ftrace_log *log;
    struct ftrace_log_state state;
    struct ftrace_sets sets; /* by hashes of what they are made from */
    struct arg_list args;
    struct names names;
    struct wire at;
};

#define SWITCH_KEYS(NAME) \
    NAME(prev_comm) \
    NAME(prev_pid) NAME(prev_prio) NAME(prev_state) NAME(next_comm) NAME(next_pid) NAME(next_prio)
#define WAKING_KEYS(NAME) NAME(comm) NAME(pid) NAME(prio) NAME(success) NAME(target_cpu)

static void intern_names(struct maker *m)
{
    struct strpool *strings = m->import.strings;
#define NAME(field) m->names.field = strpool_intern_text(strings, #field);
    NAME(sched_switch)
    NAME(sched_waking)
    SWITCH_KEYS(NAME)
    WAKING_KEYS(NAME)
#undef NAME
}

/* ---- reading: our own bytes, so nothing can be cut ---- */

static uint64_t take(struct maker *m)
{
    uint64_t value = 0;
    wire_varint(&m->at, &value);
    return value;
}

static int64_t take_signed(struct maker *m)
{
    uint64_t value = take(m);
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

static struct ftrace_log_thread take_thread(struct maker *m)
{
    struct ftrace_log_thread thread;
    thread.tid = take_signed(m);
    thread.comm = (string_id)take(m);
    thread.priority = (int32_t)take_signed(m);
    return thread;
}

/* ---- args ---- */

static struct opt_uint32 keep_set(struct maker *m, uint64_t hash)
{
    uint32_t set = args_commit(m->import.args, &m->args);
    ftrace_sets_add(&m->sets, hash, set);
    return opt_row(set);
}

static struct opt_uint32 switch_args(struct maker *m, const struct ftrace_log_switch *s)
{
    const struct names *n = &m->names;
    uint64_t hash = hash_mix(n->sched_switch, (uint64_t)s->prev.comm << 32 | s->next.comm);
    hash = hash_mix(hash, (uint64_t)s->prev.tid << 32 | (uint32_t)s->next.tid);
    hash = hash_mix(hash, (uint64_t)(uint32_t)s->prev.priority << 32 | (uint32_t)s->next.priority);
    hash = hash_mix(hash, (uint64_t)s->prev_state);
    uint32_t set;
    if (ftrace_sets_find(&m->sets, hash, &set)) return opt_row(set);
    if (s->prev.comm != STRING_NULL) arg_list_put_string(&m->args, n->prev_comm, s->prev.comm);
    arg_list_put_int(&m->args, n->prev_pid, s->prev.tid);
    arg_list_put_int(&m->args, n->prev_prio, s->prev.priority);
    arg_list_put_int(&m->args, n->prev_state, s->prev_state);
    if (s->next.comm != STRING_NULL) arg_list_put_string(&m->args, n->next_comm, s->next.comm);
    arg_list_put_int(&m->args, n->next_pid, s->next.tid);
    arg_list_put_int(&m->args, n->next_prio, s->next.priority);
    return keep_set(m, hash);
}

static struct opt_uint32 waking_args(struct maker *m, const struct ftrace_log_waking *w)
{
    const struct names *n = &m->names;
    uint64_t hash =
        hash_mix(n->sched_waking, (uint64_t)w->thread.comm << 32 | (uint32_t)w->thread.tid);
    hash = hash_mix(hash, (uint64_t)(uint32_t)w->target_cpu << 32 | (uint32_t)w->thread.priority);
    uint32_t set;
    if (ftrace_sets_find(&m->sets, hash, &set)) return opt_row(set);
    arg_list_put_string(&m->args, n->comm, w->thread.comm);
    arg_list_put_int(&m->args, n->pid, w->thread.tid);
    arg_list_put_int(&m->args, n->prio, w->thread.priority);
    arg_list_put_int(&m->args, n->success, 1); /* the kernel never says anything else */
    arg_list_put_int(&m->args, n->target_cpu, w->target_cpu);
    return keep_set(m, hash);
}

static struct opt_uint32 body_args(struct maker *m, const struct ftrace_schema *schema, uint32_t id,
                                   struct str body)
{
    uint64_t hash = hash_mix(hash_bytes(body.p, body.n), id);
    uint32_t set;
    if (ftrace_sets_find(&m->sets, hash, &set)) return opt_row(set);
    ftrace_schema_put_args(schema, body, m->import.strings, &m->args);
    return keep_set(m, hash);
}

/* ---- rows ---- */

static void take_switch(struct maker *m, unsigned head, struct ftrace_event_row *row)
{
    uint32_t *running = ftrace_log_running(&m->state, row->ucpu);
    struct ftrace_log_switch s;
    if (head & FTRACE_LOG_OF_RUNNING) {
        s.prev_utid = *running;
        s.prev = *ftrace_log_thread(&m->state, s.prev_utid);
    } else {
        s.prev_utid = (uint32_t)take(m);
        s.prev = take_thread(m);
    }
    s.next_utid = (uint32_t)take(m);
    struct ftrace_log_thread *next = ftrace_log_thread(&m->state, s.next_utid);
    if (!(head & FTRACE_LOG_KNOWN)) *next = take_thread(m);
    s.next = *next;
    s.prev_state = take_signed(m);
    *running = s.next_utid;
    row->name = m->names.sched_switch;
    row->utid = s.prev_utid;
    row->arg_set_id = switch_args(m, &s);
}

static void take_waking(struct maker *m, unsigned head, struct ftrace_event_row *row)
{
    struct ftrace_log_waking w = {.utid = NULL_UINT32};
    row->utid = head & FTRACE_LOG_OF_RUNNING ? *ftrace_log_running(&m->state, row->ucpu)
                                             : (uint32_t)take(m);
    if (head & FTRACE_LOG_HAS_THREAD) w.utid = (uint32_t)take(m);
    if (head & FTRACE_LOG_KNOWN)
        w.thread = *ftrace_log_thread(&m->state, w.utid);
    else
        w.thread = take_thread(m);
    if (w.utid != NULL_UINT32) *ftrace_log_thread(&m->state, w.utid) = w.thread;
    w.target_cpu = (int32_t)take_signed(m);
    if (!(head & FTRACE_LOG_NO_FLAGS)) row->common_flags = (uint32_t)take(m);
    row->name = m->names.sched_waking;
    row->arg_set_id = waking_args(m, &w);
}

static void take_event(struct maker *m, unsigned head, struct ftrace_event_row *row)
{
    uint32_t id = (uint32_t)take(m);
    row->utid = head & FTRACE_LOG_OF_RUNNING ? *ftrace_log_running(&m->state, row->ucpu)
                                             : (uint32_t)take(m);
    if (!(head & FTRACE_LOG_NO_FLAGS)) row->common_flags = (uint32_t)take(m);
    size_t n = (size_t)take(m);
    struct str body = {(const char *)m->at.at, n};
    m->at.at += n;
    const struct ftrace_schema *schema = ftrace_schema_of(&m->log->schemas, m->import.strings, id);
    row->name = schema->name;
    row->arg_set_id = body_args(m, schema, id, body);
}

static void take_row(struct maker *m, struct ftrace_event_row *row)
{
    memcpy(row, m->at.at, sizeof *row);
    m->at.at += sizeof *row;
}

static void make_row(struct maker *m)
{
    unsigned head = *m->at.at++;
    if (!(head & FTRACE_LOG_SAME_CPU)) m->state.ucpu = (uint32_t)take(m);
    m->state.ts = (int64_t)((uint64_t)m->state.ts + (uint64_t)take_signed(m));
    struct ftrace_event_row row = {.ts = m->state.ts, .ucpu = m->state.ucpu};
    switch (head & 3) {
    case FTRACE_LOG_SWITCH: take_switch(m, head, &row); break;
    case FTRACE_LOG_WAKING: take_waking(m, head, &row); break;
    case FTRACE_LOG_EVENT: take_event(m, head, &row); break;
    default: take_row(m, &row);
    }
    ftrace_event_append(&m->import.tables->ftrace_event, &row);
}

void ftrace_log_make_rows(struct late_rows *late)
{
    struct ftrace_log *log = (struct ftrace_log *)late;
    struct maker m = {.log = log};
    m.import.tables = late->tables;
    m.import.strings = late->tables->strings;
    m.import.args = args_new(&m.import);
    intern_names(&m);
    if (log->chunks.count) {
        struct ftrace_log_chunk *last = &log->chunks.items[log->chunks.count - 1];
        last->used = (size_t)(log->at - last->bytes);
    }
    for (size_t i = 0; i < log->chunks.count; i++) {
        struct ftrace_log_chunk *chunk = &log->chunks.items[i];
        m.at = wire_open((struct str){(const char *)chunk->bytes, chunk->used});
        while (m.at.at < m.at.end)
            make_row(&m);
        mem_unmap(chunk->bytes, chunk->size);
        *chunk = (struct ftrace_log_chunk){0};
    }
    ftrace_log_clear(log);
    ftrace_log_state_free(&m.state);
    ftrace_sets_free(&m.sets);
    vec_free(&m.args);
    args_free(m.import.args);
}

/* ---- what could be in it ---- */

static bool is_key_of_sched(struct str key)
{
#define NAME(field) \
    if (str_is(key, #field)) return true;
    SWITCH_KEYS(NAME)
    WAKING_KEYS(NAME)
#undef NAME
    return false;
}

bool ftrace_log_may_hold(const struct late_rows *late, const struct table *table, uint32_t column,
                         struct str text)
{
    struct ftrace_log *log = (struct ftrace_log *)(uintptr_t)late;
    if (table != &late->tables->args.table ||
        (column != args_COLUMN_key && column != args_COLUMN_flat_key))
        return true;
    if (is_key_of_sched(text)) return true;
    for (uint32_t id = 0; id < FTRACE_LOG_EVENTS; id++) {
        if (!(log->seen[id / 64] >> (id % 64) & 1)) continue;
        const struct ftrace_schema *schema =
            ftrace_schema_of(&log->schemas, late->tables->strings, id);
        for (uint32_t i = 0; i < schema->n_fields; i++)
            if (str_equal(strpool_get(late->tables->strings, schema->fields[i].key), text))
                return true;
    }
    return false;
}
