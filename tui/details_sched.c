/* Scheduling: a slice of a CPU, a state of a thread. */
#include "tui/details_lines.h"

void details_of_sched(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event)
{
    uint32_t id = event->id;
    uint32_t utid = column_get_row(&t->sched_slice.utid, id);
    details_add_heading(d, &d->left, event->name);
    details_add_thread(d, t, &d->left, "thread", utid);
    details_add_time(d, s, &d->left, "start", event->ts);
    details_add_duration(d, &d->left, "ran for", event->dur);
    int64_t priority = column_get_int64(&t->sched_slice.priority, id);
    details_add_number(d, &d->left, "priority", (double)priority,
                       priority < 100 ? "(real-time)" : "");
    struct str end_state =
        strpool_get(t->strings, column_get_string(&t->sched_slice.end_state, id));
    if (end_state.n) details_add(d, &d->left, "end state", end_state);
    uint32_t ucpu = column_get_row(&t->sched_slice.ucpu, id);
    details_add_number(d, &d->left, "CPU", ucpu % 4096, "");

    /* The runnable state that led here: its waker and the wait. */
    struct row_span span;
    int64_t ts = column_get_int64(&t->sched_slice.ts, id);
    if (!table_rows_equal(&t->thread_state.table, thread_state_COLUMN_utid, utid, &span)) return;
    for (uint32_t i = 1; i < span.count; i++) {
        uint32_t row = span.rows[i], before = span.rows[i - 1];
        if (column_get_int64(&t->thread_state.ts, row) != ts) continue;
        uint32_t waker = column_get_row(&t->thread_state.waker_utid, before);
        details_add_heading(d, &d->right, STR("Scheduling latency"));
        details_add_duration(d, &d->right, "waited",
                             ts - column_get_int64(&t->thread_state.ts, before));
        if (waker != NULL_UINT32) details_add_thread(d, t, &d->right, "woken by", waker);
        break;
    }
}

void details_of_state(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event)
{
    uint32_t id = event->id;
    details_add_heading(d, &d->left, event->name);
    details_add_thread(d, t, &d->left, "thread", column_get_row(&t->thread_state.utid, id));
    details_add_time(d, s, &d->left, "start", event->ts);
    details_add_duration(d, &d->left, "duration", event->dur);
    uint32_t ucpu = column_get_row(&t->thread_state.ucpu, id);
    if (ucpu != NULL_UINT32) details_add_number(d, &d->left, "on CPU", ucpu % 4096, "");
    if (!column_is_null(&t->thread_state.io_wait, id))
        details_add(d, &d->left, "I/O wait",
                    str_of(column_get_int64(&t->thread_state.io_wait, id) ? "yes" : "no"));
    struct str function =
        strpool_get(t->strings, column_get_string(&t->thread_state.blocked_function, id));
    if (function.n) details_add(d, &d->left, "blocked in", function);
    uint32_t waker = column_get_row(&t->thread_state.waker_utid, id);
    if (waker == NULL_UINT32) return;
    details_add_heading(d, &d->right, STR("Woken by"));
    details_add_thread(d, t, &d->right, "thread", waker);
    uint32_t waker_id = column_get_row(&t->thread_state.waker_id, id);
    if (waker_id == NULL_UINT32) return;
    struct detail_line *line = details_add(d, &d->right, "state", STR("go there"));
    line->leads = true;
    line->target_table = EVENT_THREAD_STATE;
    line->target_id = waker_id;
}
