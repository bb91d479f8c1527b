#include "engine/import/gecko.h"

#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/slice.h"
#include "engine/import/sorter.h"
#include "engine/import/stack.h"
#include "engine/import/track.h"

#define NS_IN_MS   1e6
#define LARGEST_NS 9.2e18

enum marker_phase { PHASE_INSTANT, PHASE_INTERVAL, PHASE_START, PHASE_END };

/* In the sorter. */
struct sample {
    uint32_t utid, callsite;
};

struct marker {
    uint32_t utid;
    string_id name, category;
    enum marker_phase phase;
    int64_t dur;
    gecko_place data; /* an object or array, or 0 */
};

/* Times are decimal milliseconds, taken through a double as the reference does. */
static bool to_ns(double ms, int64_t *ns)
{
    double value = ms * NS_IN_MS;
    if (!(value > -LARGEST_NS && value < LARGEST_NS)) return false;
    *ns = (int64_t)value;
    return true;
}

static bool to_trace_time(struct gecko_state *state, double ms, int64_t *ts)
{
    int64_t ns;
    return to_ns(ms, &ns) && clock_to_trace_time(state->file, 0, 0, ns, true, ts) == CLOCK_OK;
}

/* Threads without an event have no row. */
static uint32_t utid_of(struct gecko_state *state, struct gecko_thread *thread)
{
    if (thread->utid == NULL_UINT32) {
        thread->utid = thread_intern_in(state->file, thread->tid, thread->pid);
        thread_set_name(state->file, thread->utid, thread->name, THREAD_NAME_OTHER);
    }
    return thread->utid;
}

/* ---- samples ---- */

void gecko_samples_read(struct gecko_state *state, struct gecko_thread *thread)
{
    static const char *const NAMES[] = {"stack", "time", "timeDeltas"};
    const struct gecko_stacks *stacks = state->shared.has_stacks ? &state->shared : &state->own;
    struct gecko_table table;
    struct json_item cells[3];
    double now = 0;
    if (!gecko_table_open(&table, state, thread->samples, NAMES, 3) || !table.has_column[0]) return;
    /* Newer writers give the time since the sample before. */
    bool has_times = table.has_column[1];
    if (has_times) table.has_column[2] = false;
    while (gecko_table_next(&table, cells)) {
        double time = 0;
        uint32_t stack;
        int64_t ts;
        bool has_time = json_item_double(&cells[has_times ? 1 : 2], &time);
        now = has_times ? time : now + time;
        if (!has_time || !json_item_index(&cells[0], &stack) || stack >= stacks->callsites.count ||
            !to_trace_time(state, now, &ts))
            continue;
        struct sample *sample = sorter_push(state->import->sorter, state->queue, state->sample_sink,
                                            ts, sizeof *sample);
        *sample = (struct sample){utid_of(state, thread), stacks->callsites.items[stack]};
    }
}

void gecko_parse_sample(void *owner, int64_t ts, const void *payload)
{
    struct gecko_state *state = owner;
    const struct sample *sample = payload;
    struct stack_sample row = {
        .ts = ts,
        .source = "gecko",
        .utid = sample->utid,
        .upid = NULL_UINT32,
        .ucpu = NULL_UINT32,
        .callsite = sample->callsite,
        .session = NULL_UINT32,
        .counter_set = NULL_UINT32,
    };
    stack_sample_push(state->import->stacks, &row);
}

/* ---- markers ---- */

static void push_marker(struct gecko_state *state, struct gecko_thread *thread,
                        const struct json_item *cells, const struct marker *facts)
{
    double start, end;
    int64_t ts, begin_ns, end_ns;
    struct marker marker = *facts;
    if (!json_item_double(&cells[1], &start) || !json_item_double(&cells[2], &end)) return;
    if (!to_ns(start, &begin_ns) || !to_ns(end, &end_ns)) return;
    if (!to_trace_time(state, marker.phase == PHASE_END ? end : start, &ts)) return;
    if (marker.phase == PHASE_INTERVAL && end_ns > begin_ns &&
        __builtin_sub_overflow(end_ns, begin_ns, &marker.dur))
        return;
    marker.utid = utid_of(state, thread);
    struct marker *to =
        sorter_push(state->import->sorter, state->queue, state->marker_sink, ts, sizeof *to);
    *to = marker;
}

/* Columns of numbers lose their nulls as in the reference: later values move up. */
void gecko_markers_read(struct gecko_state *state, struct gecko_thread *thread)
{
    static const char *const NAMES[] = {"name",  "startTime", "endTime",
                                        "phase", "category",  "data"};
    struct gecko_table table;
    struct json_item cells[6];
    if (!gecko_table_open(&table, state, thread->markers, NAMES, 6) || table.by_row) return;
    for (int i = 0; i < 5; i++) {
        if (!table.has_column[i]) return;
        table.skips_null[i] = true;
    }
    while (gecko_table_next(&table, cells)) {
        struct marker marker = {0};
        uint32_t index, phase;
        if (!json_item_index(&cells[0], &index) || !json_item_index(&cells[3], &phase) ||
            phase > PHASE_END)
            continue;
        marker.name = gecko_string(state, &state->own, index);
        if (marker.name == STRING_NULL) continue;
        marker.phase = (enum marker_phase)phase;
        if (json_item_index(&cells[4], &index) && index < state->categories.count)
            marker.category = state->categories.items[index];
        if (cells[5].type == JSON_OBJECT || cells[5].type == JSON_ARRAY)
            marker.data = cells[5].from;
        push_marker(state, thread, cells, &marker);
    }
}

static uint32_t track_of(struct gecko_state *state, const struct marker *marker)
{
    struct track_key key = {
        .type = "firefox_marker",
        .event_type = TRACK_SLICE,
        .machine_id = state->file->machine_id,
        .n_dimensions = 3,
        .dimensions = {dimension_int("utid", marker->utid),
                       dimension_string("firefox_marker_category", marker->category),
                       dimension_string("firefox_marker_name", marker->name)}};
    struct track_info info = {.name = marker->name};
    return track_intern(state->import->tracks, &key, &info);
}

void gecko_parse_marker(void *owner, int64_t ts, const void *payload)
{
    struct gecko_state *state = owner;
    const struct marker *marker = payload;
    uint32_t track = track_of(state, marker);
    if (marker->data) {
        struct arg_mark mark = arg_writer_enter(&state->args, STR("data"));
        arg_writer_put_json(&state->args, str_slice(state->bytes, marker->data, state->bytes.n));
        arg_writer_leave(&state->args, mark);
    }
    struct arg_list *args = &state->arg_list;
    switch (marker->phase) {
    case PHASE_INSTANT:
    case PHASE_INTERVAL:
        slice_scoped(state->file, ts, marker->dur, track, marker->category, marker->name, args);
        break;
    case PHASE_START:
        slice_begin(state->file, ts, track, marker->category, marker->name, args);
        break;
    case PHASE_END: slice_end(state->file, ts, track, STRING_NULL, marker->name, args); break;
    }
    vec_clear(args);
}
