/* Scheduling: a slice of a CPU with what it waited for, a state of a thread with the
 * states before and after it, who woke it and whom it woke. */
#include "tui/details_lines.h"
#include "engine/base/checked.h"
#include "tui/time_text.h"

/* ---- states ---- */

struct str details_state_name(const struct tables *t, uint32_t row)
{
    static const struct {
        const char *state;
        struct str words;
    } names[] = {
        {"Running", {"Running", 7}}, {"R", {"Runnable", 8}},  {"R+", {"Runnable (preempted)", 20}},
        {"S", {"Sleeping", 8}},      {"T", {"Stopped", 7}},   {"t", {"Traced", 6}},
        {"X", {"Dead", 4}},          {"x", {"Dead", 4}},      {"Z", {"Zombie", 6}},
        {"I", {"Idle", 4}},          {"K", {"Wake kill", 9}}, {"W", {"Waking", 6}},
        {"P", {"Parked", 6}},        {"N", {"No load", 7}},
    };
    struct str state = strpool_get(t->strings, column_get_string(&t->thread_state.state, row));
    if (str_is(state, "D")) {
        const struct column *io = &t->thread_state.io_wait;
        if (column_is_null(io, row)) return STR("Blocked");
        return column_get_int64(io, row) ? STR("Blocked (IO)") : STR("Blocked (no IO)");
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_is(state, names[i].state)) return names[i].words;
    return state.p ? state : STR("");
}

/* Place of the last row of a span that began at or before `ts`; count: none did. */
static uint32_t last_before(const struct column *times, struct row_span span, int64_t ts)
{
    uint32_t low = 0, high = span.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (column_int64(times)[span.rows[middle]] <= ts)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : span.count;
}

uint32_t details_state_at(const struct tables *t, uint32_t utid, int64_t ts)
{
    struct row_span span;
    if (!table_rows_equal(&t->thread_state.table, thread_state_COLUMN_utid, utid, &span))
        return NULL_UINT32;
    uint32_t at = last_before(&t->thread_state.ts, span, ts);
    return at < span.count ? span.rows[at] : NULL_UINT32;
}

static void add_state(struct details *d, const struct tables *t, struct detail_lines *to,
                      const char *label, uint32_t row)
{
    struct buffer text = BUFFER_INIT;
    buffer_append_str(&text, details_state_name(t, row));
    int64_t dur = column_get_int64(&t->thread_state.dur, row);
    if (dur >= 0) {
        buffer_append_text(&text, "  ");
        duration_write(dur, &text);
    }
    details_add_link(d, to, label, buffer_str(&text), EVENT_THREAD_STATE, row);
    buffer_free(&text);
}

static void add_cpu(struct details *d, const struct tables *t, struct detail_lines *to,
                    const char *label, const struct column *ucpus, uint32_t row)
{
    uint32_t ucpu = column_get_row(ucpus, row);
    if (ucpu >= table_rows(&t->cpu.table)) return;
    int64_t cpu = column_is_null(&t->cpu.cpu, ucpu) ? (int64_t)(ucpu % 4096)
                                                    : column_get_int64(&t->cpu.cpu, ucpu);
    details_add_number(d, to, label, (double)cpu, "");
}

/* Who made `state` runnable: a thread, or an interrupt while it ran. */
static void add_waker(struct details *d, const struct tables *t, const char *label, uint32_t state)
{
    uint32_t waker = column_get_row(&t->thread_state.waker_utid, state);
    if (waker >= table_rows(&t->thread.table)) return;
    const struct column *irq = &t->thread_state.irq_context;
    bool is_interrupt = !column_is_null(irq, state) && column_get_int64(irq, state);
    int64_t ts = column_get_int64(&t->thread_state.ts, state);
    uint32_t at = column_get_row(&t->thread_state.waker_id, state);
    if (at == NULL_UINT32) at = details_state_at(t, waker, ts);
    struct detail_line *line = details_add_thread(d, t, &d->right, label, waker);
    if (at != NULL_UINT32) {
        line->leads = true;
        line->target_table = EVENT_THREAD_STATE;
        line->target_id = at;
        add_cpu(d, t, &d->right, "waker's CPU", &t->thread_state.ucpu, at);
    }
    if (is_interrupt)
        details_add(d, &d->right, "", STR("in an interrupt that came while it ran"))->indent = 1;
}

/* ---- a slice of a CPU ---- */

/* The state that the slice is on its thread, and the runnable one before it. */
static void add_latency(struct details *d, struct session *s, const struct tables *t,
                        const struct event *event, uint32_t utid)
{
    struct row_span span;
    int64_t ts = column_get_int64(&t->sched_slice.ts, event->id);
    if (!table_rows_equal(&t->thread_state.table, thread_state_COLUMN_utid, utid, &span)) return;
    uint32_t at = last_before(&t->thread_state.ts, span, ts);
    if (at >= span.count || column_get_int64(&t->thread_state.ts, span.rows[at]) != ts) return;
    details_add_heading(d, &d->right, STR("Scheduling latency"));
    if (at > 0) {
        uint32_t before = span.rows[at - 1];
        struct str state =
            strpool_get(t->strings, column_get_string(&t->thread_state.state, before));
        if (str_starts(state, STR("R")) && !str_is(state, "Running")) {
            int64_t since = column_get_int64(&t->thread_state.ts, before), waited;
            if (checked_sub_int64(ts, since, &waited))
                details_add_duration(d, &d->right, "waited", waited);
            bool woken = column_get_row(&t->thread_state.waker_utid, before) != NULL_UINT32;
            details_add_time(d, s, &d->right, woken ? "woken at" : "runnable at",
                             saturating_add_int64(since, s->traces[event->trace].offset_ns));
            add_waker(d, t, "woken by", before);
        }
        add_state(d, t, &d->right, "before", before);
    }
    add_state(d, t, &d->right, "thread state", span.rows[at]);
    if (at + 1 < span.count) add_state(d, t, &d->right, "after", span.rows[at + 1]);
}

void details_of_sched(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event)
{
    uint32_t id = event->id;
    uint32_t utid = column_get_row(&t->sched_slice.utid, id);
    details_add_heading(d, &d->left, event->name);
    details_add_thread(d, t, &d->left, "thread", utid);
    uint32_t upid =
        utid < table_rows(&t->thread.table) ? column_get_row(&t->thread.upid, utid) : NULL_UINT32;
    if (upid < table_rows(&t->process.table)) {
        struct str cmdline = strpool_get(t->strings, column_get_string(&t->process.cmdline, upid));
        if (cmdline.n) details_add(d, &d->left, "command", cmdline);
    }
    details_add_time(d, s, &d->left, "start", event->ts);
    details_add_duration(d, &d->left, "ran for", event->dur);
    add_cpu(d, t, &d->left, "CPU", &t->sched_slice.ucpu, id);
    int64_t priority = column_get_int64(&t->sched_slice.priority, id);
    details_add_number(d, &d->left, "priority", (double)priority,
                       priority < 100 ? "(real-time)" : "");
    struct str end_state =
        strpool_get(t->strings, column_get_string(&t->sched_slice.end_state, id));
    if (end_state.n) details_add(d, &d->left, "end state", end_state);
    details_add_user(d, t, &d->left, upid);
    details_add_number(d, &d->left, "id", id, "");
    add_latency(d, s, t, event, utid);
}

/* ---- a state of a thread ---- */

static void add_woken(struct details *d, const struct tables *t, uint32_t id, int64_t ts)
{
    struct row_span span;
    if (!table_rows_equal(&t->thread_state.table, thread_state_COLUMN_waker_id, id, &span) ||
        !span.count)
        return;
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%u thread%s", span.count, span.count == 1 ? "" : "s");
    if (details_begin_group(d, &d->right, "woke", "woke", buffer_str(&text), span.count)) {
        for (uint32_t i = 0; i < span.count && i < DETAILS_MAX_GROUP; i++) {
            uint32_t row = span.rows[i], utid = column_get_row(&t->thread_state.utid, row);
            int64_t after;
            buffer_clear(&text);
            if (utid < table_rows(&t->thread.table)) track_thread_name(t, utid, &text);
            if (checked_sub_int64(column_get_int64(&t->thread_state.ts, row), ts, &after)) {
                buffer_append_text(&text, "  +");
                duration_write(after, &text);
            }
            details_add_link(d, &d->right, "", buffer_str(&text), EVENT_THREAD_STATE, row)->indent =
                1;
        }
        details_end_group(d, &d->right, span.count);
    }
    buffer_free(&text);
}

/* The slice of a CPU that a running state is. */
static void add_cpu_slice(struct details *d, const struct tables *t, uint32_t id)
{
    struct row_span span;
    uint32_t utid = column_get_row(&t->thread_state.utid, id);
    int64_t ts = column_get_int64(&t->thread_state.ts, id);
    if (!table_rows_equal(&t->sched_slice.table, sched_slice_COLUMN_utid, utid, &span)) return;
    uint32_t at = last_before(&t->sched_slice.ts, span, ts);
    if (at >= span.count || column_get_int64(&t->sched_slice.ts, span.rows[at]) != ts) return;
    details_add_link(d, &d->right, "CPU slice", STR("on its CPU's track"), EVENT_SCHED,
                     span.rows[at]);
}

void details_of_state(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event)
{
    uint32_t id = event->id, utid = column_get_row(&t->thread_state.utid, id);
    int64_t ts = column_get_int64(&t->thread_state.ts, id);
    details_add_heading(d, &d->left, details_state_name(t, id));
    details_add_thread(d, t, &d->left, "thread", utid);
    details_add_time(d, s, &d->left, "start", event->ts);
    if (event->unfinished)
        details_add(d, &d->left, "duration", STR("did not end"));
    else
        details_add_duration(d, &d->left, "duration", event->dur);
    add_cpu(d, t, &d->left, "on CPU", &t->thread_state.ucpu, id);
    if (!column_is_null(&t->thread_state.io_wait, id))
        details_add(d, &d->left, "I/O wait",
                    str_of(column_get_int64(&t->thread_state.io_wait, id) ? "yes" : "no"));
    struct str function =
        strpool_get(t->strings, column_get_string(&t->thread_state.blocked_function, id));
    if (function.n) details_add(d, &d->left, "blocked in", function);
    details_add_number(d, &d->left, "id", id, "");

    details_add_heading(d, &d->right, STR("Related"));
    uint32_t after = NULL_UINT32;
    struct row_span span;
    if (table_rows_equal(&t->thread_state.table, thread_state_COLUMN_utid, utid, &span)) {
        uint32_t at = last_before(&t->thread_state.ts, span, ts);
        while (at < span.count && at > 0 && span.rows[at] > id)
            at--;
        if (at < span.count && at > 0) add_state(d, t, &d->right, "before", span.rows[at - 1]);
        if (at + 1 < span.count) after = span.rows[at + 1];
        if (after != NULL_UINT32) add_state(d, t, &d->right, "after", after);
    }
    add_cpu_slice(d, t, id);
    if (column_get_row(&t->thread_state.waker_utid, id) != NULL_UINT32)
        add_waker(d, t, "woken by", id);
    else if (after != NULL_UINT32)
        add_waker(d, t, "ended by", after); /* what follows a sleep names who ended it */
    add_woken(d, t, id, ts);
    details_add(d, &d->right, "waited for", STR("critical path, as a track"))->command =
        "dev.perfetto.CriticalPathLite";
}
