/* Counters, samples, log lines, ftrace events. */
#include "engine/base/checked.h"
#include "tui/details_lines.h"
#include "tui/time_text.h"

/* ---- counters ---- */

static uint32_t place_of(struct row_span span, uint32_t row)
{
    uint32_t low = 0, high = span.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (span.rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Least, most, and the mean by how long each value held. */
static void measure_track(struct details *d, const struct tables *t, uint8_t trace, uint32_t track,
                          struct row_span span, int64_t end)
{
    if (d->counter.valid && d->counter.trace == trace && d->counter.track == track &&
        d->counter.count == span.count)
        return;
    const int64_t *ts = column_int64(&t->counter.ts);
    double sum = 0, time = 0;
    for (uint32_t i = 0; i < span.count; i++) {
        double value = column_get_double(&t->counter.value, span.rows[i]);
        int64_t until = i + 1 < span.count ? ts[span.rows[i + 1]] : end;
        double held = (double)until - (double)ts[span.rows[i]];
        if (i == 0 || value < d->counter.least) d->counter.least = value;
        if (i == 0 || value > d->counter.most) d->counter.most = value;
        if (held <= 0) continue;
        sum += value * held;
        time += held;
    }
    d->counter.mean = time > 0 ? sum / time : d->counter.most;
    d->counter.valid = true;
    d->counter.trace = trace;
    d->counter.track = track;
    d->counter.count = span.count;
}

static void add_change(struct details *d, const struct tables *t, uint32_t before, uint32_t id,
                       const char *unit)
{
    double delta =
        column_get_double(&t->counter.value, id) - column_get_double(&t->counter.value, before);
    details_add_number(d, &d->left, "change", delta, unit);
    int64_t took;
    if (!checked_sub_int64(column_get_int64(&t->counter.ts, id),
                           column_get_int64(&t->counter.ts, before), &took) ||
        took <= 0)
        return;
    struct buffer per = BUFFER_INIT;
    buffer_printf(&per, "%s/s", unit);
    details_add_number(d, &d->left, "rate", delta / ((double)took / 1e9), buffer_text(&per));
    buffer_free(&per);
}

void details_of_counter(struct details *d, struct session *s, const struct tables *t,
                        const struct event *event)
{
    uint32_t id = event->id, track = column_get_row(&t->counter.track_id, id);
    const char *unit = event->node && event->node->unit ? event->node->unit : "";
    details_add_heading(d, &d->left, event->node ? str_of(event->node->name) : event->name);
    if (track < table_rows(&t->track.table) && event->node && event->node->n_tracks != 1)
        details_add(d, &d->left, "counter",
                    strpool_get(t->strings, column_get_string(&t->track.name, track)));
    details_add_time(d, s, &d->left, "at", event->ts);
    details_add_number(d, &d->left, "value", column_get_double(&t->counter.value, id), unit);
    struct row_span span;
    bool known = table_rows_equal(&t->counter.table, counter_COLUMN_track_id, track, &span);
    uint32_t place = known ? place_of(span, id) : 0;
    if (known && place > 0) add_change(d, t, span.rows[place - 1], id, unit);
    details_add_duration(d, &d->left, "until next", event->dur);
    details_add_number(d, &d->left, "id", id, "");
    details_add_args(d, t, &d->left, column_get_row(&t->counter.arg_set_id, id), NULL);
    if (!known || !span.count) return;
    measure_track(d, t, event->trace, track, span, s->traces[event->trace].end);
    details_add_heading(d, &d->right, STR("The track"));
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%u of %u", place + 1, span.count);
    details_add(d, &d->right, "sample", buffer_str(&text));
    buffer_free(&text);
    details_add_number(d, &d->right, "least", d->counter.least, unit);
    details_add_number(d, &d->right, "most", d->counter.most, unit);
    details_add_number(d, &d->right, "mean", d->counter.mean, unit);
    if (place > 0)
        details_add_link(d, &d->right, "before", STR("previous sample"), EVENT_COUNTER,
                         span.rows[place - 1]);
    if (place + 1 < span.count)
        details_add_link(d, &d->right, "after", STR("next sample"), EVENT_COUNTER,
                         span.rows[place + 1]);
}

/* ---- samples ---- */

static void add_frame(struct details *d, const struct tables *t, uint32_t frame)
{
    const struct stack_profile_frame_table *frames = &t->stack_profile_frame;
    if (frame >= table_rows(&frames->table)) return;
    struct buffer text = BUFFER_INIT;
    struct str name = strpool_get(t->strings, column_get_string(&frames->deobfuscated_name, frame));
    if (!name.n) name = strpool_get(t->strings, column_get_string(&frames->name, frame));
    buffer_append_str(&text, name.n ? str_slice(name, 0, 512) : STR("(no symbol)"));
    uint32_t mapping = column_get_row(&frames->mapping, frame);
    if (mapping < table_rows(&t->stack_profile_mapping.table)) {
        struct str file =
            strpool_get(t->strings, column_get_string(&t->stack_profile_mapping.name, mapping));
        size_t base = file.n;
        while (base > 0 && file.p[base - 1] != '/')
            base--;
        if (file.n > base) {
            buffer_append_text(&text, "  ");
            buffer_append_str(&text, str_slice(file, base, base + 80));
        }
    }
    details_add(d, &d->right, "", buffer_str(&text))->indent = 1;
    buffer_free(&text);
}

void details_of_sample(struct details *d, struct session *s, const struct tables *t,
                       const struct event *event)
{
    uint32_t id = event->id;
    details_add_heading(d, &d->left, STR("Sample"));
    details_add_time(d, s, &d->left, "at", event->ts);
    uint32_t task = column_get_row(&t->profiler_sample.task_context_id, id);
    if (task < table_rows(&t->profiler_task_context.table))
        details_add_thread(d, t, &d->left, "thread",
                           column_get_row(&t->profiler_task_context.utid, task));
    if (event->name.n) details_add(d, &d->left, "source", event->name);
    struct str error =
        strpool_get(t->strings, column_get_string(&t->profiler_sample.unwind_error, id));
    if (error.n) details_add(d, &d->left, "unwinding", error);
    details_add_number(d, &d->left, "id", id, "");
    struct detail_line *line = details_add(d, &d->left, "flamegraph", STR("of its thread"));
    line->command = "dev.perfetty.Flamegraph";
    line->args[0] = "thread";
    uint32_t site = column_get_row(&t->profiler_sample.callsite_id, id);
    details_add_heading(d, &d->right, STR("Call stack, the innermost first"));
    if (site == NULL_UINT32) details_add(d, &d->right, "", STR("none was recorded"));
    for (int i = 0; i < 512 && site < table_rows(&t->stack_profile_callsite.table); i++) {
        add_frame(d, t, column_get_row(&t->stack_profile_callsite.frame_id, site));
        site = column_get_row(&t->stack_profile_callsite.parent_id, site);
    }
}

/* ---- lines of text ---- */

static const char *const log_levels[] = {"unspecified", "unused",  "verbose", "debug",
                                         "info",        "warning", "error",   "fatal"};

void details_of_log(struct details *d, struct session *s, const struct tables *t,
                    const struct event *event)
{
    uint32_t id = event->id;
    struct str message = strpool_get(t->strings, column_get_string(&t->logs.msg, id)), line;
    details_add_heading(d, &d->left, STR("Log line"));
    details_add_time(d, s, &d->left, "at", event->ts);
    uint32_t level = (uint32_t)column_get_int64(&t->logs.prio, id);
    if (level < sizeof log_levels / sizeof *log_levels)
        details_add(d, &d->left, "level", str_of(log_levels[level]));
    struct str tag = strpool_get(t->strings, column_get_string(&t->logs.tag, id));
    if (tag.n) details_add(d, &d->left, "tag", tag);
    uint32_t utid = column_get_row(&t->logs.utid, id);
    if (utid < table_rows(&t->thread.table)) details_add_thread(d, t, &d->left, "thread", utid);
    details_add_number(d, &d->left, "id", id, "");
    details_add_args(d, t, &d->left, column_get_row(&t->logs.arg_set_id, id), NULL);
    details_add_heading(d, &d->left, STR("Message"));
    for (int i = 0; i < 500 && str_split_next(&message, '\n', &line);)
        do {
            size_t n = canvas_wrap(line, 74, false);
            details_add(d, &d->left, "", str_slice(line, 0, n));
            line = str_slice(line, n, line.n);
        } while (line.n > 0 && i++ < 500);
}

void details_of_ftrace(struct details *d, struct session *s, const struct tables *t,
                       const struct event *event)
{
    uint32_t id = event->id;
    details_add_heading(d, &d->left, event->name);
    details_add_time(d, s, &d->left, "at", event->ts);
    uint32_t utid = column_get_row(&t->ftrace_event.utid, id);
    if (utid < table_rows(&t->thread.table)) details_add_thread(d, t, &d->left, "thread", utid);
    details_add_number(d, &d->left, "CPU", column_get_row(&t->ftrace_event.ucpu, id) % 4096, "");
    details_add_number(d, &d->left, "id", id, "");
    details_add_args(d, t, &d->left, column_get_row(&t->ftrace_event.arg_set_id, id),
                     "ftrace_event");
}
