/* Where the second trace lies on the ruler of the first. */
#include <string.h>

#include "commands/compare.h"
#include "commands/core.h"
#include "commands/event.h"
#include "engine/base/checked.h"

/* ---- by a slice ---- */

static bool has_track(const struct track_node *node, uint32_t track)
{
    if (!node || !node->n_tracks) return true; /* any */
    for (uint32_t i = 0; i < node->n_tracks; i++)
        if (node->tracks[i] == track) return true;
    return false;
}

/* Slices of that name on the track (NULL: anywhere) in order of time: the nth, from 0.
 * Without `nth`, how many come before row `end`. */
static uint32_t scan(const struct tables *t, struct str name, const struct track_node *node,
                     const uint32_t *nth, uint32_t end)
{
    const struct slice_table *slice = &t->slice;
    string_id wanted = strpool_find(t->strings, name);
    uint32_t rows = wanted ? table_rows(&slice->table) : 0, seen = 0;
    for (uint32_t row = 0; row < rows && row < end; row++) {
        if (column_get_string(&slice->name, row) != wanted ||
            !has_track(node, column_get_row(&slice->track_id, row)))
            continue;
        if (nth && seen == *nth) return row;
        seen++;
    }
    return nth ? NULL_UINT32 : seen;
}

static bool by_slice(struct session *session, int64_t *offset, struct status *st)
{
    struct event event;
    if (!event_of_selection(session, &event) || event.table != EVENT_SLICE || !event.node)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "select a slice first: the other trace is moved to the same one");
    uint8_t there = event.trace ? 0 : 1;
    const struct tables *here = session_tables(session, event.trace);
    const struct tables *t = session_tables(session, there);
    const struct track_node *node = event.node, *like = session_counterpart(session, node);
    char *name = mem_copy_string(event.name.p, event.name.n);
    table_read_begin(&here->slice.table);
    uint32_t n = scan(here, str_of(name), like ? node : NULL, NULL, event.id);
    table_read_end(&here->slice.table);
    table_read_begin(&t->slice.table);
    uint32_t row = scan(t, str_of(name), like, &n, NULL_UINT32);
    uint32_t count = row == NULL_UINT32 ? scan(t, str_of(name), like, NULL, NULL_UINT32) : 0;
    table_read_end(&t->slice.table);
    struct event other;
    bool good = row != NULL_UINT32 && event_get(session, there, EVENT_SLICE, row, &other);
    if (!good) {
        status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                    "%c has %u slice%s %.80s%s%.80s, the one selected in %c is number %u",
                    session_trace_letter(there), count, count == 1 ? "" : "s", name,
                    like ? " on " : "", like ? like->name : "", session_trace_letter(event.trace),
                    n + 1);
    } else {
        int64_t by = event.trace == 0 ? event.ts - other.ts : other.ts - event.ts;
        *offset = saturating_add_int64(session->traces[1].offset_ns, by);
        session_say(session, MESSAGE_INFO, "%s number %u of both begin%s in one column", name,
                    n + 1, like ? "" : " (of all tracks)");
    }
    mem_free(name);
    return good;
}

/* ---- by other things ---- */

/* The selected event of B, else the start of B, comes under the cursor. */
static bool by_cursor(struct session *session, int64_t *offset)
{
    const struct selection *s = &session->selection;
    const struct session_trace *trace = &session->traces[1];
    bool selected = s->kind == SELECTION_EVENT && s->trace == 1;
    int64_t from = selected ? s->start : saturating_add_int64(trace->start, trace->offset_ns);
    *offset = saturating_add_int64(trace->offset_ns, session->cursor - from);
    session_say(session, MESSAGE_INFO, "%s of B begins at the cursor",
                selected ? "the selected event" : "the start");
    return true;
}

static bool by_start(struct session *session, int64_t *offset)
{
    if (!checked_sub_int64(session->traces[0].start, session->traces[1].start, offset)) *offset = 0;
    session_say(session, MESSAGE_INFO, "both traces begin in one column");
    return true;
}

#define CLOCK_REALTIME_ID 1

/* Unix time less trace time, where the trace says so first. */
static bool real_time_of(const struct session *session, uint8_t trace, int64_t *out)
{
    const struct clock_snapshot_table *t = &session_tables(session, trace)->clock_snapshot;
    for (uint32_t row = 0; row < table_rows(&t->table); row++)
        if (column_get_int64(&t->clock_id, row) == CLOCK_REALTIME_ID)
            return checked_sub_int64(column_get_int64(&t->clock_value, row),
                                     column_get_int64(&t->ts, row), out);
    return false;
}

static bool by_clock(struct session *session, int64_t *offset, struct status *st)
{
    int64_t real[2];
    for (uint8_t i = 0; i < 2; i++)
        if (!real_time_of(session, i, &real[i]))
            return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                               "%c does not say what time of day it was", session_trace_letter(i));
    if (!checked_sub_int64(real[1], real[0], offset))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "the times of day of both are too far from each other");
    session_say(session, MESSAGE_INFO, "both traces lie at their time of day");
    return true;
}

static bool align(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    if (!session_is_comparing(session))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "there is no second trace: dev.perfetty.CompareWith opens one");
    const char *by = command_arg(call, 0, "start");
    int64_t offset = 0;
    bool good = strcmp(by, "slice") == 0    ? by_slice(session, &offset, st)
                : strcmp(by, "cursor") == 0 ? by_cursor(session, &offset)
                : strcmp(by, "clock") == 0  ? by_clock(session, &offset, st)
                                            : by_start(session, &offset);
    if (good) session_set_offset(session, offset);
    return good;
}

const struct command command_align_traces = {
    .id = "dev.perfetty.AlignTraces",
    .name = "Compare: align both traces by start, slice, cursor or time of day",
    .args = {{"by", COMMAND_ARG_CHOICE, true, "start|slice|cursor|clock"}},
    .run = align,
};
