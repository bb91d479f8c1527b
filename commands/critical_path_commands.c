/* What a thread waited for, as a debug track: while it slept, what its waker did. */
#include <inttypes.h>

#include "commands/core.h"
#include "commands/event.h"
#include "commands/track_match.h"

/* Whose path, and when; in the trace's own time. */
struct path {
    uint8_t trace;
    uint32_t utid;
    int64_t start, end;
};

static uint32_t thread_of_event(struct session *session, const struct event *event)
{
    const struct tables *t = session_tables(session, event->trace);
    if (event->table == EVENT_SCHED) return column_uint32(&t->sched_slice.utid)[event->id];
    if (event->table == EVENT_THREAD_STATE) return column_uint32(&t->thread_state.utid)[event->id];
    return event->node ? event->node->utid : NULL_UINT32;
}

/* The thread of an argument, or of the selected event; over the whole trace. */
static bool path_of_thread(const struct command_call *call, struct path *out, struct status *st)
{
    struct session *session = call->session;
    struct event event;
    int64_t utid = -1;
    *out = (struct path){.trace = session_trace_in_focus(session), .utid = NULL_UINT32};
    if (call->n_args) {
        str_to_int64(str_of(call->args[0]), &utid);
        out->utid = utid < 0 || utid >= UINT32_MAX ? NULL_UINT32 : (uint32_t)utid;
    } else if (event_of_selection(session, &event)) {
        out->trace = event.trace;
        out->utid = thread_of_event(session, &event);
    }
    const struct tables *t = session_tables(session, out->trace);
    if (call->n_args && (!t || out->utid >= table_rows(&t->thread.table)))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "there is no thread with utid %s", call->args[0]);
    if (out->utid == NULL_UINT32)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "select a thread state, or another event of a thread, first");
    out->start = session->traces[out->trace].start;
    out->end = session->traces[out->trace].end;
    return true;
}

/* The first thread of the selected area; over the area's time. */
static bool path_of_area(const struct command_call *call, struct path *out, struct status *st)
{
    struct session *session = call->session;
    const struct selection *s = &session->selection;
    for (size_t i = 0; s->kind == SELECTION_AREA && i < s->tracks.count; i++) {
        const struct track_node *node =
            track_tree_find(&session->workspace->tree, s->tracks.items[i]);
        if (!node) node = track_tree_find(&session->workspace->pinned, s->tracks.items[i]);
        if (!node || node->kind != TRACK_KIND_THREAD_STATE) continue;
        int64_t offset = session->traces[node->trace].offset_ns;
        *out = (struct path){node->trace, node->utid, s->start - offset, s->end - offset};
        return true;
    }
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "select an area over a track of thread states first");
}

static bool include(const struct command_call *call, const struct path *path, const char *sql,
                    struct status *st)
{
    struct result *result =
        session_query(call->session, path->trace, command_origin(call->context), sql, 0, st);
    result_free(result);
    return result != NULL;
}

static void append_call(struct buffer *sql, const char *function, const struct path *path)
{
    buffer_printf(sql, "%s(%" PRIu32 ", %" PRId64 ", %" PRId64 ")", function, path->utid,
                  path->start, path->end - path->start);
}

static bool add_track(const struct command_call *call, const struct path *path, bool is_lite,
                      struct status *st)
{
    struct session *session = call->session;
    if (!include(call, path, "INCLUDE PERFETTO MODULE sched.thread_executing_span_with_slice", st))
        return false;
    struct buffer sql = BUFFER_INIT, title = BUFFER_INIT;
    if (is_lite) {
        buffer_append_text(&sql, "SELECT p.ts, p.dur, ifnull(thread.name, 'thread') || ' ' || "
                                 "ifnull(thread.tid, '') AS name FROM ");
        append_call(&sql, "_thread_executing_span_critical_path", path);
        buffer_append_text(&sql, " AS p JOIN thread USING (utid) ORDER BY p.ts");
    } else {
        buffer_append_text(&sql, "SELECT ts, dur, name FROM ");
        append_call(&sql, "_thread_executing_span_critical_path_stack", path);
        buffer_append_text(&sql, " WHERE name IS NOT NULL ORDER BY ts, stack_depth");
    }
    buffer_append_text(&title, "Critical path of ");
    track_thread_name(session_tables(session, path->trace), path->utid, &title);
    struct debug_request request = {.origin = command_origin(call->context),
                                    .sql = buffer_text(&sql),
                                    .title = buffer_text(&title)};
    bool good = session_add_debug_tracks(session, path->trace, &request, st);
    buffer_free(&sql);
    buffer_free(&title);
    return good;
}

static bool whole(const struct command_call *call, struct status *st)
{
    struct path path;
    return path_of_thread(call, &path, st) && add_track(call, &path, false, st);
}

static bool whole_lite(const struct command_call *call, struct status *st)
{
    struct path path;
    return path_of_thread(call, &path, st) && add_track(call, &path, true, st);
}

static bool area(const struct command_call *call, struct status *st)
{
    struct path path;
    return path_of_area(call, &path, st) && add_track(call, &path, false, st);
}

static bool area_lite(const struct command_call *call, struct status *st)
{
    struct path path;
    return path_of_area(call, &path, st) && add_track(call, &path, true, st);
}

/* Where the time of an area went, by thread and state, in a tab. */
static bool area_sums(const struct command_call *call, struct status *st)
{
    struct path path;
    if (!path_of_area(call, &path, st)) return false;
    struct buffer sql = BUFFER_INIT;
    buffer_append_text(&sql,
                       "INCLUDE PERFETTO MODULE sched.states;\n"
                       "INCLUDE PERFETTO MODULE sched.thread_executing_span;\n"
                       "SELECT process.name AS process, thread.name AS thread, thread.tid,\n"
                       "  sched_state_io_to_human_readable_string(s.state, s.io_wait) AS state,\n"
                       "  s.blocked_function, sum(p.dur) / 1e6 AS ms, count() AS pieces\nFROM ");
    append_call(&sql, "_thread_executing_span_critical_path", &path);
    buffer_append_text(&sql, " AS p\nJOIN thread_state AS s ON s.id = p.id\n"
                             "JOIN thread ON thread.utid = p.utid\nLEFT JOIN process USING (upid)\n"
                             "GROUP BY p.utid, state, s.blocked_function ORDER BY ms DESC");
    session_open_query(call->session, path.trace, command_origin(call->context), "Critical path",
                       "critical_path", buffer_text(&sql));
    buffer_free(&sql);
    return true;
}

const struct command command_critical_path = {
    .id = "dev.perfetto.CriticalPath",
    .name = "Critical path of the selected event's thread, with slices",
    .kind = COMMAND_QUERY,
    .args = {{"utid", COMMAND_ARG_INT, true, NULL}},
    .run = whole,
};
const struct command command_critical_path_lite = {
    .id = "dev.perfetto.CriticalPathLite",
    .name = "Critical path of the selected event's thread",
    .kind = COMMAND_QUERY,
    .args = {{"utid", COMMAND_ARG_INT, true, NULL}},
    .run = whole_lite,
};
const struct command command_critical_path_area = {
    .id = "dev.perfetto.CriticalPath_AreaSelection",
    .name = "Critical path over the selected area, with slices",
    .kind = COMMAND_QUERY,
    .run = area,
};
const struct command command_critical_path_lite_area = {
    .id = "dev.perfetto.CriticalPathLite_AreaSelection",
    .name = "Critical path over the selected area",
    .kind = COMMAND_QUERY,
    .run = area_lite,
};
const struct command command_critical_path_pprof_area = {
    .id = "dev.perfetto.CriticalPathPprof_AreaSelection",
    .name = "Critical path over the selected area, summed by thread and state",
    .kind = COMMAND_QUERY,
    .run = area_sums,
};
