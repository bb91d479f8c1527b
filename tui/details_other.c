/* Counters, samples, and events of which little is known. */
#include "tui/details_lines.h"

void details_of_counter(struct details *d, struct session *s, const struct tables *t,
                        const struct event *event)
{
    details_add_heading(d, &d->left, event->node ? str_of(event->node->name) : event->name);
    details_add_time(d, s, &d->left, "at", event->ts);
    const char *unit = event->node ? event->node->unit : "";
    double value = column_get_double(&t->counter.value, event->id);
    details_add_number(d, &d->left, "value", value, unit);
    struct row_span span;
    if (table_rows_equal(&t->counter.table, counter_COLUMN_track_id,
                         column_get_row(&t->counter.track_id, event->id), &span))
        for (uint32_t i = 1; i < span.count; i++)
            if (span.rows[i] == event->id)
                details_add_number(d, &d->left, "change",
                                   value - column_get_double(&t->counter.value, span.rows[i - 1]),
                                   unit);
    details_add_duration(d, &d->left, "until next", event->dur);
    details_add_args(d, t, &d->left, column_get_row(&t->counter.arg_set_id, event->id));
}

void details_of_sample(struct details *d, struct session *s, const struct tables *t,
                       const struct event *event)
{
    details_add_heading(d, &d->left, STR("Sample"));
    details_add_time(d, s, &d->left, "at", event->ts);
    uint32_t task = column_get_row(&t->profiler_sample.task_context_id, event->id);
    if (task != NULL_UINT32)
        details_add_thread(d, t, &d->left, "thread",
                           column_get_row(&t->profiler_task_context.utid, task));
    details_add_heading(d, &d->right, STR("Call stack"));
    uint32_t site = column_get_row(&t->profiler_sample.callsite_id, event->id);
    for (int i = 0; i < 128 && site != NULL_UINT32; i++) {
        uint32_t frame = column_get_row(&t->stack_profile_callsite.frame_id, site);
        struct str name =
            strpool_get(t->strings, column_get_string(&t->stack_profile_frame.name, frame));
        details_add(d, &d->right, "", name.n ? name : STR("(no symbol)"));
        site = column_get_row(&t->stack_profile_callsite.parent_id, site);
    }
}

void details_of_plain(struct details *d, struct session *s, const struct event *event)
{
    details_add_heading(d, &d->left, event->name);
    details_add_time(d, s, &d->left, "at", event->ts);
    if (event->dur > 0) details_add_duration(d, &d->left, "duration", event->dur);
    details_add_number(d, &d->left, "id", event->id, "");
}
