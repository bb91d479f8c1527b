/* sched_switch in both forms: the raw row, and what the scheduling tracker gets
 * (spec engine_2 2.3). */
#include "engine/import/ftrace.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/process.h"
#include "engine/import/sched.h"
#include "engine/import/stats.h"

/* The machine row tells it when a system_info packet was read. */
static void learn_release(struct ftrace *ftrace)
{
    const struct machine_table *machines = &ftrace->import->tables->machine;
    uint32_t machine = ftrace->file->machine_id;
    ftrace->release_known = true;
    if (machine >= table_rows(&machines->table)) return;
    string_id release = column_get_string(&machines->release, machine);
    if (release == STRING_NULL) return;
    ftrace->kernel_release = mem_strdup(strpool_text(ftrace->import->strings, release));
}

/* STRING_NULL for a mask that no kernel writes. */
static string_id state_name(struct ftrace *ftrace, int64_t mask)
{
    uint64_t *known = map_get(&ftrace->state_names, (uint64_t)mask);
    if (known) return (string_id)*known;
    if (!ftrace->release_known) learn_release(ftrace);
    string_id name = sched_state_of_mask(ftrace->import, mask, ftrace->kernel_release);
    if (ftrace->state_names.count < 4096) map_set(&ftrace->state_names, (uint64_t)mask, name);
    return name;
}

static uint64_t hash_of(const struct ftrace *ftrace, const struct ftrace_switch *s)
{
    uint64_t hash =
        hash_mix(ftrace->names.sched_switch, (uint64_t)s->prev_comm << 32 | s->next_comm);
    hash = hash_mix(hash, (uint64_t)(uint32_t)s->prev_tid << 32 | (uint32_t)s->next_tid);
    hash = hash_mix(hash, (uint64_t)(uint32_t)s->prev_priority << 32 | (uint32_t)s->next_priority);
    return hash_mix(hash, (uint64_t)s->prev_state);
}

static uint32_t args_of(struct ftrace *ftrace, const struct ftrace_switch *s, uint64_t hash)
{
    const struct ftrace_names *n = &ftrace->names;
    struct arg_list *args = &ftrace->args;
    uint32_t set;
    if (ftrace_sets_find(&ftrace->arg_sets, hash, &set)) return set;
    if (s->prev_comm != STRING_NULL) arg_list_put_string(args, n->prev_comm, s->prev_comm);
    arg_list_put_int(args, n->prev_pid, s->prev_tid);
    arg_list_put_int(args, n->prev_prio, s->prev_priority);
    arg_list_put_int(args, n->prev_state, s->prev_state);
    if (s->next_comm != STRING_NULL) arg_list_put_string(args, n->next_comm, s->next_comm);
    arg_list_put_int(args, n->next_pid, s->next_tid);
    arg_list_put_int(args, n->next_prio, s->next_priority);
    set = args_commit(ftrace->import->args, args);
    ftrace_sets_add(&ftrace->arg_sets, hash, set);
    return set;
}

static void write_raw(struct ftrace_cpu *cpu, int64_t ts, const struct ftrace_switch *s,
                      uint64_t hash)
{
    struct ftrace *ftrace = cpu->ftrace;
    struct ftrace_event_row row = {
        .ts = ts,
        .name = ftrace->names.sched_switch,
        .utid = s->prev_utid,
        .arg_set_id = args_of(ftrace, s, hash),
        .ucpu = ftrace_ucpu(cpu),
    };
    ftrace_event_append(&ftrace->import->tables->ftrace_event, &row);
}

static void push_sched(struct ftrace_cpu *cpu, int64_t ts, const struct ftrace_switch *s)
{
    struct ftrace *ftrace = cpu->ftrace;
    string_id prev_state = state_name(ftrace, s->prev_state);
    if (prev_state == STRING_NULL) stats_add(ftrace->file, STAT_task_state_invalid, 1);
    struct sched_switch out = {
        .cpu = cpu->cpu,
        .prev_tid = s->prev_tid,
        .prev_state = prev_state,
        .next_utid = s->next_utid,
        .next_tid = s->next_tid,
        .next_priority = s->next_priority,
    };
    sched_push_switch(ftrace->file, ts, &out);
}

void ftrace_push_switch(struct ftrace_cpu *cpu, int64_t ts, const struct ftrace_switch *s,
                        enum ftrace_stage stage)
{
    uint64_t hash = hash_of(cpu->ftrace, s);
    ftrace_sets_prefetch(&cpu->ftrace->arg_sets, hash);
    cpu->running_utid = s->next_utid;
    cpu->running_tid = s->next_tid;
    cpu->running_priority = s->next_priority;
    if (stage == FTRACE_PARSE) push_sched(cpu, ts, s);
    write_raw(cpu, ts, s, hash);
}
