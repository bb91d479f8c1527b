/* The SQL of the tables over an area (area.h says what counts). */
#include <inttypes.h>
#include <string.h>

#include "commands/area.h"

/* ---- which rows ---- */

static void write_in(struct buffer *out, const char *column, const struct area_ids *ids)
{
    buffer_printf(out, "%s IN (", column);
    for (size_t i = 0; i < ids->count; i++)
        buffer_printf(out, i ? ",%u" : "%u", ids->items[i]);
    buffer_append_byte(out, ')');
}

/* Rows of the threads of the area, `column` being a utid. */
static void write_threads(struct buffer *out, const char *column, const struct area_scope *scope)
{
    buffer_append_byte(out, '(');
    write_in(out, column, &scope->utids);
    if (scope->upids.count) {
        buffer_printf(out, " OR %s IN (SELECT utid FROM thread WHERE ", column);
        write_in(out, "upid", &scope->upids);
        buffer_append_byte(out, ')');
    }
    buffer_append_byte(out, ')');
}

/* Scheduling: on the CPUs of the area, or of its threads. */
static void write_scheduling_scope(struct buffer *out, const struct area_scope *scope)
{
    if (scope->everything) return;
    buffer_append_text(out, "\n    AND (");
    write_in(out, "ucpu", &scope->ucpus);
    buffer_append_text(out, " OR ");
    write_threads(out, "utid", scope);
    buffer_append_byte(out, ')');
}

/* Events of tracks: of these, or of the tracks of the area's threads and processes. */
static void write_track_scope(struct buffer *out, const struct area_scope *scope,
                              const struct area_ids *tracks)
{
    if (scope->everything) return;
    buffer_append_text(out, "\n    AND ");
    if (tracks->count) {
        write_in(out, "track_id", tracks);
        return;
    }
    buffer_append_text(out, "track_id IN (SELECT id FROM __intrinsic_track WHERE ");
    write_threads(out, "utid", scope);
    buffer_append_text(out, " OR ");
    write_in(out, "upid", &scope->upids);
    buffer_append_byte(out, ')');
}

static void write_inside(struct buffer *out, const struct area_scope *scope)
{
    buffer_printf(out,
                  "ts < %" PRId64 " AND (ts >= %" PRId64 " OR iif(dur < 0, %" PRId64
                  ", ts + dur) > %" PRId64 ")",
                  scope->end, scope->start, scope->trace_end, scope->start);
}

static void write_part(struct buffer *out, const struct area_scope *scope)
{
    buffer_printf(
        out, "max(0, min(iif(dur < 0, %" PRId64 ", ts + dur), %" PRId64 ") - max(ts, %" PRId64 "))",
        scope->trace_end, scope->end, scope->start);
}

/* ---- scheduling ---- */

static void write_cpu(const struct area_scope *scope, bool by_process, struct buffer *out)
{
    buffer_append_text(out, "WITH part AS (\n  SELECT utid, ");
    write_part(out, scope);
    buffer_append_text(out, " AS part FROM sched\n  WHERE ");
    write_inside(out, scope);
    buffer_append_text(out, "\n    AND utid NOT IN (SELECT utid FROM thread WHERE is_idle)");
    write_scheduling_scope(out, scope);
    buffer_append_text(out, "\n)\nSELECT process.name AS process, process.pid, ");
    buffer_append_text(out, by_process ? "count(DISTINCT utid) AS threads,\n"
                                       : "thread.name AS thread, thread.tid,\n");
    buffer_printf(out,
                  "  count() AS runs, sum(part) AS cpu_dur,\n"
                  "  round(100.0 * sum(part) / %" PRId64 ", 2) AS cpu_percent,\n"
                  "  sum(part) / count() AS avg_dur, max(part) AS max_dur, %s\n"
                  "FROM part JOIN thread USING (utid) LEFT JOIN process USING (upid)\n"
                  "GROUP BY %s ORDER BY cpu_dur DESC, %s",
                  scope->end - scope->start, by_process ? "upid" : "utid",
                  by_process ? "upid" : "utid", by_process ? "upid" : "utid");
}

static void write_states(const struct area_scope *scope, const char *pivot, struct buffer *out)
{
    static const struct {
        const char *pivot, *columns, *group, *key;
    } pivots[] = {
        {"thread", "process.name AS process, process.pid, thread.name AS thread, thread.tid, ",
         "utid, ", ", utid"},
        {"process", "process.name AS process, process.pid, ", "upid, ", ", upid"},
        {"cpu", "part.cpu, ", "part.cpu, ", ""},
        {"state", "", "", ""},
    };
    size_t at = 0;
    while (at < 3 && strcmp(pivots[at].pivot, pivot) != 0)
        at++;
    buffer_append_text(out, "WITH part AS (\n  SELECT utid, cpu, state, io_wait, ");
    write_part(out, scope);
    buffer_append_text(out, " AS part FROM thread_state\n  WHERE ");
    write_inside(out, scope);
    buffer_append_text(out, "\n    AND utid NOT IN (SELECT utid FROM thread WHERE is_idle)");
    write_scheduling_scope(out, scope);
    buffer_printf(out,
                  "\n)\nSELECT %sstate, io_wait, count() AS states, sum(part) AS wall_dur,\n"
                  "  round(100.0 * sum(part) / %" PRId64 ", 2) AS percent,\n"
                  "  sum(part) / count() AS avg_dur, max(part) AS max_dur%s\n"
                  "FROM part JOIN thread USING (utid) LEFT JOIN process USING (upid)\n"
                  "GROUP BY %sstate, io_wait ORDER BY wall_dur DESC, %sstate, io_wait",
                  pivots[at].columns, scope->end - scope->start, pivots[at].key, pivots[at].group,
                  pivots[at].group);
}

/* ---- slices ---- */

static void write_slice_parts(const struct area_scope *scope, struct buffer *out)
{
    buffer_append_text(out,
                       "WITH part AS MATERIALIZED (\n  SELECT id, name, track_id, parent_id, ");
    write_part(out, scope);
    buffer_append_text(out, " AS part FROM slice\n  WHERE ");
    write_inside(out, scope);
    write_track_scope(out, scope, &scope->slice_tracks);
    buffer_append_text(out, "\n)");
}

static void write_slices(const struct area_scope *scope, const char *pivot, struct buffer *out)
{
    static const struct {
        const char *pivot, *columns, *group, *key;
    } pivots[] = {
        {"thread",
         "process.name AS process, process.pid, thread.name AS thread, thread.tid,\n"
         "  count(DISTINCT part.name) AS names, ",
         "thread.utid", ", thread.utid"},
        {"process", "process.name AS process, process.pid, count(DISTINCT part.name) AS names, ",
         "process.upid", ", process.upid"},
        {"track", "track.name AS track, process.name AS process, thread.name AS thread, ",
         "part.track_id", ", part.track_id"},
        {"name", "part.name, ", "part.name", ""},
    };
    size_t at = 0;
    while (at < 3 && strcmp(pivots[at].pivot, pivot) != 0)
        at++;
    write_slice_parts(scope, out);
    buffer_printf(out,
                  ", inside AS (\n"
                  "  SELECT parent_id, sum(part) AS inside FROM part\n"
                  "  WHERE parent_id IS NOT NULL GROUP BY parent_id\n"
                  ")\nSELECT %scount() AS slices, sum(part) AS wall_dur,\n"
                  "  sum(part - coalesce(inside, 0)) AS self_dur, sum(part) / count() AS avg_dur,\n"
                  "  min(part) AS min_dur, max(part) AS max_dur%s\n"
                  "FROM part LEFT JOIN inside ON inside.parent_id = part.id\n"
                  "JOIN __intrinsic_track AS track ON track.id = part.track_id\n"
                  "LEFT JOIN thread ON thread.utid = track.utid\n"
                  "LEFT JOIN process ON process.upid = coalesce(thread.upid, track.upid)\n"
                  "GROUP BY %s ORDER BY wall_dur DESC, %s",
                  pivots[at].columns, pivots[at].key, pivots[at].group, pivots[at].group);
}

/* A sample holds until the next one, the last until the end of the trace. */
static void write_counters(const struct area_scope *scope, struct buffer *out)
{
    buffer_printf(out,
                  "WITH sample AS (\n"
                  "  SELECT id, ts, track_id, value,\n"
                  "    lead(ts, 1, %" PRId64
                  ") OVER (PARTITION BY track_id ORDER BY ts, id) AS over\n"
                  "  FROM counter WHERE ts < %" PRId64,
                  scope->trace_end, scope->end);
    write_track_scope(out, scope, &scope->counter_tracks);
    buffer_printf(
        out,
        "\n), part AS (\n"
        "  SELECT track_id, value, max(0, min(over, %" PRId64 ") - max(ts, %" PRId64 ")) AS part,\n"
        "    row_number() OVER (PARTITION BY track_id ORDER BY ts, id) AS place,\n"
        "    row_number() OVER (PARTITION BY track_id ORDER BY ts DESC, id DESC) AS back\n"
        "  FROM sample WHERE ts >= %" PRId64 " OR over > %" PRId64 "\n)\n",
        scope->end, scope->start, scope->start, scope->start);
    buffer_printf(
        out,
        "SELECT track.name AS counter, process.name AS process, thread.name AS thread,\n"
        "  extract_arg(track.dimension_arg_set_id, 'cpu') AS cpu,\n"
        "  count() AS samples, max(iif(place = 1, value, NULL)) AS first,\n"
        "  max(iif(back = 1, value, NULL)) AS last,\n"
        "  max(iif(back = 1, value, NULL)) - max(iif(place = 1, value, NULL)) AS delta,\n"
        "  (max(iif(back = 1, value, NULL)) - max(iif(place = 1, value, NULL))) * 1e9 / %" PRId64
        " AS rate_per_s,\n"
        "  min(value) AS min, max(value) AS max,\n"
        "  sum(value * part) / nullif(sum(part), 0) AS weighted_avg, track.counter_unit AS unit,\n"
        "  part.track_id\n"
        "FROM part JOIN __intrinsic_track AS track ON track.id = part.track_id\n"
        "LEFT JOIN thread ON thread.utid = track.utid\n"
        "LEFT JOIN process ON process.upid = coalesce(thread.upid, track.upid)\n"
        "GROUP BY part.track_id ORDER BY counter, process, thread, cpu, part.track_id",
        scope->end - scope->start);
}

/* Lengths are from the start of one slice to the start of the other. */
static void write_flows(const struct area_scope *scope, struct buffer *out)
{
    write_slice_parts(scope, out);
    buffer_append_text(
        out,
        ", ends AS (\n"
        "  SELECT slice_out, slice_in, slice_out IN (SELECT id FROM part) AS leaves,\n"
        "    slice_in IN (SELECT id FROM part) AS comes FROM flow\n"
        ")\nSELECT CASE WHEN leaves AND comes THEN 'within' WHEN leaves THEN 'out' ELSE 'in' END\n"
        "    AS direction, a.name AS from_slice, p.name AS from_thread,\n"
        "  b.name AS to_slice, q.name AS to_thread, count() AS flows,\n"
        "  sum(b.ts - a.ts) / count() AS avg_dur, max(b.ts - a.ts) AS max_dur\n"
        "FROM ends JOIN slice AS a ON a.id = slice_out JOIN slice AS b ON b.id = slice_in\n"
        "JOIN __intrinsic_track AS s ON s.id = a.track_id\n"
        "JOIN __intrinsic_track AS t ON t.id = b.track_id\n"
        "LEFT JOIN thread AS p ON p.utid = s.utid LEFT JOIN thread AS q ON q.utid = t.utid\n"
        "WHERE leaves OR comes\n"
        "GROUP BY direction, a.name, p.utid, b.name, q.utid\n"
        "ORDER BY direction, flows DESC, from_slice, to_slice");
}

static void write_frames(const struct area_scope *scope, struct buffer *out)
{
    buffer_printf(out,
                  "WITH frame AS (\n"
                  "  SELECT iif(dur < 0, %" PRId64 " - ts, dur) AS whole, jank_type,\n"
                  "    on_time_finish, layer_name FROM actual_frame_timeline_slice\n  WHERE ",
                  scope->trace_end);
    write_inside(out, scope);
    write_track_scope(out, scope, &scope->slice_tracks);
    buffer_append_text(out,
                       "\n)\nSELECT jank_type, count() AS frames, sum(on_time_finish) AS on_time,\n"
                       "  count(DISTINCT layer_name) AS layers, sum(whole) / count() AS avg_dur,\n"
                       "  min(whole) AS min_dur, max(whole) AS max_dur\n"
                       "FROM frame GROUP BY jank_type ORDER BY frames DESC, jank_type");
}

static void write_ftrace(const struct area_scope *scope, struct buffer *out)
{
    buffer_printf(out,
                  "SELECT name, count() AS events, count(DISTINCT utid) AS threads,\n"
                  "  count(DISTINCT cpu) AS cpus\nFROM ftrace_event\n"
                  "WHERE ts >= %" PRId64 " AND ts < %" PRId64,
                  scope->start, scope->end);
    write_scheduling_scope(out, scope);
    buffer_append_text(out, "\nGROUP BY name ORDER BY events DESC, name");
}

void area_write_sql(const struct area_scope *scope, enum area_view view, const char *pivot,
                    struct buffer *out)
{
    switch (view) {
    case AREA_CPU_BY_THREAD: write_cpu(scope, false, out); break;
    case AREA_CPU_BY_PROCESS: write_cpu(scope, true, out); break;
    case AREA_STATES: write_states(scope, pivot, out); break;
    case AREA_SLICES: write_slices(scope, pivot, out); break;
    case AREA_COUNTERS: write_counters(scope, out); break;
    case AREA_FLOWS: write_flows(scope, out); break;
    case AREA_FRAMES: write_frames(scope, out); break;
    case AREA_FTRACE: write_ftrace(scope, out); break;
    case AREA_VIEWS: break;
    }
}

/* ---- the events of one row ---- */

static void write_value(struct buffer *out, const struct result_cell *cell)
{
    switch (cell->type) {
    case CELL_INT: buffer_printf(out, "%" PRId64, cell->integer); break;
    case CELL_REAL: buffer_printf(out, "%.17g", cell->real); break;
    case CELL_TEXT:
        buffer_append_byte(out, '\'');
        for (size_t i = 0; i < cell->text.n && cell->text.p[i]; i++) {
            if (cell->text.p[i] == '\'') buffer_append_byte(out, '\'');
            buffer_append_byte(out, cell->text.p[i]);
        }
        buffer_append_byte(out, '\'');
        break;
    default: buffer_append_text(out, "NULL");
    }
}

/* How a row's cell narrows the events: the condition is its value between these. */
struct row_key {
    const char *column, *before, *after;
};

#define TRACKS_OF_THREAD "track_id IN (SELECT id FROM __intrinsic_track WHERE utid IS "
#define TRACKS_OF_PROCESS \
    "track_id IN (SELECT t.id FROM __intrinsic_track AS t LEFT JOIN thread USING (utid) " \
    "WHERE coalesce(thread.upid, t.upid) IS "
#define THREADS_OF_PROCESS "utid IN (SELECT utid FROM thread WHERE upid IS "

static const struct row_key keys_of_thread[] = {{"utid", "utid IS ", ""}, {NULL, NULL, NULL}};
static const struct row_key keys_of_process[] = {{"upid", THREADS_OF_PROCESS, ")"},
                                                 {NULL, NULL, NULL}};
static const struct row_key keys_of_state[] = {
    {"state", "state IS ", ""},        {"io_wait", "io_wait IS ", ""}, {"utid", "utid IS ", ""},
    {"upid", THREADS_OF_PROCESS, ")"}, {"cpu", "cpu IS ", ""},         {NULL, NULL, NULL}};
static const struct row_key keys_of_slice[] = {{"name", "name IS ", ""},
                                               {"utid", TRACKS_OF_THREAD, ")"},
                                               {"upid", TRACKS_OF_PROCESS, ")"},
                                               {"track_id", "track_id IS ", ""},
                                               {NULL, NULL, NULL}};
static const struct row_key keys_of_track[] = {{"track_id", "track_id IS ", ""},
                                               {NULL, NULL, NULL}};
static const struct row_key keys_of_frame[] = {{"jank_type", "jank_type IS ", ""},
                                               {NULL, NULL, NULL}};
static const struct row_key keys_of_name[] = {{"name", "name IS ", ""}, {NULL, NULL, NULL}};

static const struct {
    const char *select; /* up to WHERE */
    const struct row_key *keys;
    const char *order;
} rows_of[AREA_VIEWS] = {
    [AREA_CPU_BY_THREAD] = {"id, ts, dur, cpu, utid, end_state, priority FROM sched",
                            keys_of_thread, "dur DESC, ts"},
    [AREA_CPU_BY_PROCESS] = {"id, ts, dur, cpu, utid, end_state, priority FROM sched",
                             keys_of_process, "dur DESC, ts"},
    [AREA_STATES] = {"id, ts, dur, state, cpu, io_wait, blocked_function, utid FROM thread_state",
                     keys_of_state, "dur DESC, ts"},
    [AREA_SLICES] = {"id, ts, dur, name, depth, track_id FROM slice", keys_of_slice,
                     "dur DESC, ts"},
    [AREA_COUNTERS] = {"id, ts, value, track_id FROM counter", keys_of_track, "ts"},
    [AREA_FRAMES] = {"id, ts, dur, name, jank_type, layer_name, track_id "
                     "FROM actual_frame_timeline_slice",
                     keys_of_frame, "dur DESC, ts"},
    [AREA_FTRACE] = {"id, ts, name AS event, cpu, utid FROM ftrace_event", keys_of_name, "ts"},
};

static void write_row_scope(const struct area_scope *scope, enum area_view view, struct buffer *out)
{
    bool is_instant = view == AREA_COUNTERS || view == AREA_FTRACE;
    if (is_instant)
        buffer_printf(out, "ts >= %" PRId64 " AND ts < %" PRId64, scope->start, scope->end);
    else
        write_inside(out, scope);
    switch (view) {
    case AREA_SLICES:
    case AREA_FRAMES: write_track_scope(out, scope, &scope->slice_tracks); break;
    case AREA_COUNTERS: write_track_scope(out, scope, &scope->counter_tracks); break;
    default: write_scheduling_scope(out, scope);
    }
    if (view == AREA_STATES)
        buffer_append_text(out, "\n    AND utid NOT IN (SELECT utid FROM thread WHERE is_idle)");
}

bool area_write_rows_sql(const struct area_scope *scope, enum area_view view, const char *pivot,
                         const struct result *result, uint64_t row, struct buffer *out)
{
    if (view >= AREA_VIEWS || !rows_of[view].select) return false;
    buffer_printf(out, "SELECT %s\nWHERE ", rows_of[view].select);
    write_row_scope(scope, view, out);
    for (const struct row_key *key = rows_of[view].keys; key->column; key++) {
        /* By another pivot than the name, names are only counted. */
        if (view == AREA_SLICES && strcmp(key->column, "name") == 0 && strcmp(pivot, "name") != 0)
            continue;
        uint32_t column = 0;
        while (column < result->n_columns && strcmp(result->names[column], key->column) != 0)
            column++;
        if (column == result->n_columns) continue;
        buffer_printf(out, "\n    AND %s", key->before);
        write_value(out, result_at(result, row, column));
        buffer_append_text(out, key->after);
    }
    buffer_printf(out, "\nORDER BY %s", rows_of[view].order);
    return true;
}
