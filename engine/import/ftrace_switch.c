/* sched_switch in both forms: the raw row, and what the scheduling tracker gets
 * (spec engine_2 2.3). */
#include "engine/import/ftrace.h"

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

static uint32_t switch_args(struct ftrace *ftrace, const struct ftrace_switch *s)
{
    const struct ftrace_names *n = &ftrace->names;
    struct arg_list *args = &ftrace->args;
    if (s->prev_comm != STRING_NULL) arg_list_put_string(args, n->prev_comm, s->prev_comm);
    arg_list_put_int(args, n->prev_pid, s->prev_tid);
    arg_list_put_int(args, n->prev_prio, s->prev_priority);
    arg_list_put_int(args, n->prev_state, s->prev_state);
    if (s->next_comm != STRING_NULL) arg_list_put_string(args, n->next_comm, s->next_comm);
    arg_list_put_int(args, n->next_pid, s->next_tid);
    arg_list_put_int(args, n->next_prio, s->next_priority);
    return args_commit(ftrace->import->args, args);
}

static void write_raw(struct ftrace_cpu *cpu, int64_t ts, const struct ftrace_switch *s)
{
    struct ftrace *ftrace = cpu->ftrace;
    struct ftrace_event_row row = {
        .ts = ts,
        .name = ftrace->names.sched_switch,
        .utid = s->prev_utid,
        .arg_set_id = switch_args(ftrace, s),
        .ucpu = ftrace_ucpu(cpu),
    };
    ftrace_event_append(&ftrace->import->tables->ftrace_event, &row);
}

void ftrace_push_switch(struct ftrace_cpu *cpu, int64_t ts, const struct ftrace_switch *s,
                        enum ftrace_stage stage)
{
    struct ftrace *ftrace = cpu->ftrace;
    write_raw(cpu, ts, s);
    cpu->running_utid = s->next_utid;
    cpu->running_tid = s->next_tid;
    cpu->running_priority = s->next_priority;
    if (stage == FTRACE_RAW_ONLY) return;
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
