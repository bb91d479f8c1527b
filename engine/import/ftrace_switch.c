/* sched_switch in both forms: the raw row, and what the scheduling tracker gets
 * (spec engine_2 2.3). */
#include "engine/import/ftrace.h"

#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/ftrace_log.h"
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

static void write_raw(struct ftrace_cpu *cpu, int64_t ts, const struct ftrace_switch *s)
{
    struct ftrace_log_switch out = {
        .prev = {s->prev_tid, s->prev_comm, s->prev_priority},
        .next = {s->next_tid, s->next_comm, s->next_priority},
        .prev_utid = s->prev_utid,
        .next_utid = s->next_utid,
        .prev_state = s->prev_state,
    };
    ftrace_log_put_switch(cpu->ftrace->log, ts, ftrace_ucpu(cpu), &out);
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
    cpu->running_utid = s->next_utid;
    cpu->running_tid = s->next_tid;
    cpu->running_priority = s->next_priority;
    if (stage == FTRACE_PARSE) push_sched(cpu, ts, s);
    write_raw(cpu, ts, s);
}
