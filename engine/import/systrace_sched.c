/* Scheduling events of ftrace text (spec engine_2b 6.6.3).  Only a switch also leaves
 * a raw row. */
#include "engine/import/systrace.h"

#include "engine/base/strpool.h"
#include "engine/import/ftrace_log.h"
#include "engine/import/process.h"
#include "engine/import/sched.h"

struct text_switch {
    string_id prev_comm, next_comm;
    uint32_t prev_tid, next_tid;
    int32_t prev_priority, next_priority;
    struct str prev_state;
};

static string_id intern(const struct systrace_event *event, struct str text)
{
    return strpool_intern(event->import->strings, text);
}

static bool read_switch(const struct systrace_event *event, struct text_switch *s)
{
    if (!systrace_arg_uint32(event, "prev_pid", &s->prev_tid) ||
        !systrace_arg_int32(event, "prev_prio", &s->prev_priority) ||
        !systrace_arg_uint32(event, "next_pid", &s->next_tid) ||
        !systrace_arg_int32(event, "next_prio", &s->next_priority))
        return false;
    s->prev_state = systrace_arg(event, "prev_state");
    s->prev_comm = intern(event, systrace_arg_comm(event, "prev_comm", "prev_pid"));
    s->next_comm = intern(event, systrace_arg_comm(event, "next_comm", "next_pid"));
    return true;
}

static void write_raw(const struct systrace_event *event, const struct text_switch *s,
                      uint32_t prev_utid, uint32_t next_utid)
{
    struct ftrace_log_switch out = {
        .prev = {s->prev_tid, s->prev_comm, s->prev_priority},
        .next = {s->next_tid, s->next_comm, s->next_priority},
        .prev_utid = prev_utid,
        .next_utid = next_utid,
        .prev_state = sched_mask_of_text(s->prev_state),
    };
    ftrace_log_put_switch(ftrace_log_of(event->import->tables), event->ts,
                          cpu_intern(event->file, event->cpu), &out);
}

void systrace_on_switch(const struct systrace_event *event)
{
    struct text_switch s;
    if (!read_switch(event, &s)) return;
    uint32_t next_utid = thread_intern(event->file, s.next_tid);
    thread_set_name(event->file, next_utid, s.next_comm, THREAD_NAME_FTRACE);
    uint32_t prev_utid = thread_intern(event->file, s.prev_tid);
    thread_set_name(event->file, prev_utid, s.prev_comm, THREAD_NAME_FTRACE);
    string_id state = sched_state_of_text(event->import, s.prev_state);
    if (state == STRING_NULL) stats_add(event->file, STAT_task_state_invalid, 1);
    struct sched_switch out = {
        .cpu = event->cpu,
        .prev_tid = s.prev_tid,
        .prev_state = state,
        .next_utid = next_utid,
        .next_tid = s.next_tid,
        .next_priority = s.next_priority,
    };
    sched_push_switch(event->file, event->ts, &out);
    write_raw(event, &s, prev_utid, next_utid);
}

void systrace_on_waking(const struct systrace_event *event)
{
    uint32_t tid;
    if (!systrace_arg_uint32(event, "pid", &tid)) return;
    uint32_t utid = thread_intern(event->file, tid);
    thread_set_name(event->file, utid, intern(event, systrace_arg_comm(event, "comm", "pid")),
                    THREAD_NAME_FTRACE);
    sched_push_waking(event->file, event->ts, utid, event->utid, (struct opt_uint32){0});
}

void systrace_on_blocked_reason(const struct systrace_event *event)
{
    uint32_t tid;
    int32_t io_wait;
    if (!systrace_arg_uint32(event, "pid", &tid) || !systrace_arg_int32(event, "iowait", &io_wait))
        return;
    sched_push_blocked_reason(event->file, thread_intern(event->file, tid),
                              some_uint32(io_wait != 0),
                              intern(event, systrace_arg(event, "caller")));
}
