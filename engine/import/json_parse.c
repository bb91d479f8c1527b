/* Events in order of time, phase by phase (spec engine_2b 6.5.4). */
#include "engine/import/json_state.h"

#include "engine/base/hash.h"
#include "engine/import/process.h"
#include "engine/import/sched.h"
#include "engine/import/slice.h"
#include "engine/import/track.h"

/* An event and what every phase needs of it. */
struct parse {
    struct json_state *state;
    const struct import_file *file;
    const struct json_event *event;
    int64_t ts;
    struct json_thread thread;
    uint32_t utid;
    string_id category, name;
};

void json_parse_begin(struct json_state *state)
{
    struct strpool *strings = state->import->strings;
    state->last_utid = NULL_UINT32;
    state->no_name = strpool_intern_text(strings, "[No name]");
    state->running = strpool_intern_text(strings, "Running");
    state->sort_key_process = strpool_intern_text(strings, "process_sort_index_hint");
    state->sort_key_thread = strpool_intern_text(strings, "thread_sort_index_hint");
    state->source_key = strpool_intern_text(strings, "source");
    state->source_chrome = strpool_intern_text(strings, "chrome");
    state->utid_key = strpool_intern_text(strings, "utid");
    state->key_bytes_left = 16 * (uint64_t)state->bytes.n + (UINT64_C(64) << 20);
}

static void fail(const struct parse *p, const char *error)
{
    json_fail_parse(p->state, p->ts, p->event, error);
}

static void resolve_thread(struct parse *p)
{
    struct json_state *state = p->state;
    struct json_thread *thread = &p->thread;
    *thread = json_thread_of(state, p->event);
    if (state->last_utid == NULL_UINT32 || thread->pid != state->last_pid ||
        thread->tid != state->last_tid) {
        state->last_utid = thread_intern_in(p->file, thread->tid, thread->pid);
        state->last_pid = thread->pid;
        state->last_tid = thread->tid;
    }
    p->utid = state->last_utid;
    if (thread->tid_name)
        thread_set_name(p->file, p->utid, thread->tid_name, THREAD_NAME_TRACK_DESCRIPTOR_TYPE);
    if (thread->pid_name)
        process_set_name(p->file, thread_process(p->file, p->utid), thread->pid_name,
                         PROCESS_NAME_OTHER);
    if (thread->out_of_range) fail(p, "pid or tid is out of range");
}

static uint32_t track_of_utid(struct parse *p)
{
    bool added;
    uint64_t *track = map_put_if_absent(&p->state->thread_tracks, p->utid, 0, &added);
    if (added) {
        struct track_key key = {.type = "thread_execution",
                                .machine_id = p->file->machine_id,
                                .n_dimensions = 1,
                                .dimensions = {dimension_int("utid", p->utid)},
                                .scope = (uint64_t)p->file->file_id + 1};
        *track = track_intern(p->state->import->tracks, &key, NULL);
    }
    return (uint32_t)*track;
}

/* The event's args, in the list that is lent out for that. */
static struct arg_list *args_of(const struct parse *p)
{
    vec_clear(&p->state->args);
    if (p->event->args.n && !json_args_flatten(p->state, p->event->args, &p->state->args))
        fail(p, "args hold something that is no JSON value");
    return &p->state->args;
}

static void set_slice_time(const struct parse *p, uint32_t slice, uint32_t column, int64_t value)
{
    table_set_int64(&p->state->import->tables->slice.table, column, slice, value);
}

static void set_thread_start(const struct parse *p, uint32_t slice)
{
    if (slice != NO_SLICE && p->event->tts.state == JSON_TIME_OK)
        set_slice_time(p, slice, slice_COLUMN_thread_ts, p->event->tts.ns);
}

static void set_thread_end(const struct parse *p, uint32_t slice)
{
    if (slice == NO_SLICE || p->event->tts.state != JSON_TIME_OK) return;
    const struct column *began = &p->state->import->tables->slice.thread_ts;
    if (column_is_null(began, slice)) return;
    int64_t start = column_get_int64(began, slice);
    set_slice_time(p, slice, slice_COLUMN_thread_dur,
                   (int64_t)((uint64_t)p->event->tts.ns - (uint64_t)start));
}

/* Flows of version 2: bind_id with a direction. */
static void add_flow_v2(const struct parse *p, uint32_t slice)
{
    const struct json_event *event = p->event;
    uint64_t flow;
    if (!json_has(&event->bind_id)) return;
    if (!json_flow_id(&event->bind_id, &flow))
        stats_add(p->file, STAT_flow_invalid_id, 1);
    else if (event->flow_in && event->flow_out)
        flow_step(p->file, slice, flow);
    else if (event->flow_out)
        flow_begin(p->file, slice, flow);
    else if (event->flow_in)
        flow_end(p->file, slice, flow, false);
    else
        stats_add(p->file, STAT_flow_without_direction, 1);
}

static string_id name_or_none(const struct parse *p)
{
    return p->name ? p->name : p->state->no_name;
}

static void parse_begin(struct parse *p)
{
    uint32_t slice =
        slice_begin(p->file, p->ts, track_of_utid(p), p->category, name_or_none(p), args_of(p));
    set_thread_start(p, slice);
    add_flow_v2(p, slice);
}

static void parse_end(struct parse *p)
{
    uint32_t slice = slice_end(p->file, p->ts, track_of_utid(p), p->category, p->name, args_of(p));
    set_thread_end(p, slice);
}

static uint32_t overflow_track(const struct parse *p, int64_t dur)
{
    struct track_tracker *tracks = p->state->import->tracks;
    struct track_key key = {.type = "thread_overlapping_slice",
                            .machine_id = p->file->machine_id,
                            .n_dimensions = 1,
                            .dimensions = {dimension_int("utid", p->utid)},
                            .scope = (uint64_t)p->file->file_id + 1};
    return track_lane_scoped(tracks, track_lanes_intern(tracks, &key, NULL), p->ts, dur);
}

static void log_spill(const struct parse *p)
{
    struct strpool *strings = p->state->import->strings;
    struct arg_list args = {NULL, 0, 0};
    if (p->state->n_logged++ >= 100) {
        stats_add(p->file, STAT_slice_spill_overlapping_complete_event, 1);
        return;
    }
    arg_list_put_string(&args, strpool_intern_text(strings, "event_name"), name_or_none(p));
    import_log(p->file, STAT_slice_spill_overlapping_complete_event, NO_BYTE_OFFSET, p->ts, &args);
    vec_free(&args);
}

static void parse_complete(struct parse *p)
{
    const struct json_event *event = p->event;
    if (event->dur.state != JSON_TIME_OK) {
        fail(p, "an X event without dur");
        return;
    }
    uint32_t track = track_of_utid(p);
    if (slice_would_overlap(p->file, p->ts, event->dur.ns, track)) {
        log_spill(p);
        track = overflow_track(p, event->dur.ns);
    }
    uint32_t slice = slice_scoped(p->file, p->ts, event->dur.ns, track, p->category,
                                  name_or_none(p), args_of(p));
    set_thread_start(p, slice);
    if (slice != NO_SLICE && event->tdur.state == JSON_TIME_OK)
        set_slice_time(p, slice, slice_COLUMN_thread_dur, event->tdur.ns);
    add_flow_v2(p, slice);
}

/* The lanes of an async id.  They are named by the first event that had the id. */
static bool async_lanes(const struct parse *p, uint32_t *set, int64_t *cookie)
{
    const struct json_event *event = p->event;
    const struct json_scalar *id = &event->id;
    bool is_local = false;
    if (!json_has(id)) id = &event->id2_global;
    if (!json_has(id)) {
        id = &event->id2_local;
        is_local = true;
    }
    if (!json_has(id) || !p->thread.has_pid) return false;

    *cookie = (int64_t)hash_mix(json_id_hash(id), p->category);
    uint32_t upid = thread_process(p->file, p->utid);
    uint64_t identity = hash_mix((uint64_t)*cookie, is_local ? (uint64_t)upid + 1 : 0);
    bool added;
    uint64_t *name = map_put_if_absent(&p->state->async_names, identity, p->name, &added);

    struct track_key key = {.type = is_local ? "legacy_async_process_slice"
                                             : "legacy_async_global_slice",
                            .machine_id = p->file->machine_id,
                            .scope = (uint64_t)p->file->file_id + 1};
    if (is_local) key.dimensions[key.n_dimensions++] = dimension_int("upid", upid);
    key.dimensions[key.n_dimensions++] = dimension_string("scope", STRING_NULL);
    key.dimensions[key.n_dimensions++] = dimension_string("name", (string_id)*name);
    struct arg_list source = {NULL, 0, 0};
    arg_list_put_string(&source, p->state->source_key, p->state->source_chrome);
    struct track_info info = {.name = (string_id)*name, .source_args = &source};
    *set = track_lanes_intern(p->state->import->tracks, &key, &info);
    vec_free(&source);
    return true;
}

static void parse_async(struct parse *p)
{
    struct track_tracker *tracks = p->state->import->tracks;
    uint32_t set;
    int64_t cookie;
    if (!async_lanes(p, &set, &cookie)) {
        fail(p, "an async event needs pid and id");
        return;
    }
    uint32_t slice;
    switch (p->event->phase) {
    case 'b':
        slice = slice_begin(p->file, p->ts, track_lane_begin(tracks, set, cookie), p->category,
                            p->name, args_of(p));
        add_flow_v2(p, slice);
        return;
    case 'e':
        slice_end(p->file, p->ts, track_lane_end(tracks, set, cookie), p->category, p->name,
                  args_of(p));
        return;
    default: {
        uint32_t track = track_lane_begin(tracks, set, cookie);
        track_lane_end(tracks, set, cookie);
        slice = slice_scoped(p->file, p->ts, 0, track, p->category, p->name, args_of(p));
        add_flow_v2(p, slice);
    }
    }
}

static uint32_t instant_track(const struct parse *p, const char *type, bool of_process)
{
    struct arg_list source = {NULL, 0, 0};
    struct track_key key = {.type = type, .machine_id = p->file->machine_id};
    if (of_process)
        key.dimensions[key.n_dimensions++] =
            dimension_int("upid", thread_process(p->file, p->utid));
    arg_list_put_string(&source, p->state->source_key, p->state->source_chrome);
    struct track_info info = {.source_args = &source};
    uint32_t track = track_intern(p->state->import->tracks, &key, &info);
    vec_free(&source);
    return track;
}

static void parse_instant(struct parse *p)
{
    struct str text = json_text(&p->event->scope, &p->state->text);
    char scope = text.n ? text.p[0] : 't';
    uint32_t track;
    string_id name = p->name;
    if (scope == 'g') {
        track = instant_track(p, "legacy_chrome_global_instants", false);
    } else if (scope == 'p' && p->thread.has_pid) {
        track = instant_track(p, "chrome_process_instant", true);
    } else if (scope == 't' && p->thread.has_tid) {
        track = track_of_utid(p);
        name = name_or_none(p);
    } else {
        fail(p, "an instant of unknown scope, or without the pid or tid of its scope");
        return;
    }
    uint32_t slice = slice_scoped(p->file, p->ts, 0, track, p->category, name, args_of(p));
    if (scope == 't') set_thread_start(p, slice);
}

static void parse_flow_v1(struct parse *p)
{
    const struct json_event *event = p->event;
    uint64_t id;
    if (!json_flow_id(&event->id, &id)) {
        stats_add(p->file, STAT_flow_invalid_id, 1);
        return;
    }
    uint64_t flow = flow_id_v1(p->file, id, p->category, p->name);
    uint32_t track = track_of_utid(p);
    if (event->phase == 'f' && !str_equal(event->bind_point.text, STR("e"))) {
        flow_end_at_next_slice(p->file, track, flow);
        return;
    }
    uint32_t slice = slice_last(p->file, track);
    if (event->phase == 's')
        flow_begin(p->file, slice, flow);
    else if (event->phase == 't')
        flow_step(p->file, slice, flow);
    else
        flow_end(p->file, slice, flow, false);
}

static void put_counter(void *context, struct str key, bool key_has_escapes,
                        const struct json_scalar *value)
{
    struct parse *p = context;
    struct json_state *state = p->state;
    struct strpool *strings = state->import->strings;
    double number;
    bool is_number = value->type == JSON_NUMBER || json_is_text(value);
    if (!is_number || !str_to_double(value->text, &number)) {
        fail(p, "a counter value that is no number");
        return;
    }
    struct buffer *name = &state->key;
    buffer_clear(name);
    if (p->name) {
        buffer_append_str(name, strpool_get(strings, p->name));
        buffer_append_byte(name, ' ');
    }
    if (json_is_text(&p->event->id) && p->event->id.text.n) {
        buffer_append_text(name, "id: ");
        buffer_append_str(name, json_text(&p->event->id, &state->text));
        buffer_append_byte(name, ' ');
    }
    buffer_append_str(name, json_decode(key, key_has_escapes, &state->text));

    string_id id = strpool_intern(strings, buffer_str(name));
    struct thread_counter counter = {.process_type = "json_counter",
                                     .thread_type = "json_counter_thread_fallback",
                                     .name = id,
                                     .n_dimensions = 1,
                                     .dimensions = {dimension_string("name", id)}};
    vec_clear(&state->args);
    arg_list_put_int(&state->args, state->utid_key, p->utid);
    counter_push_for_thread(p->file, p->ts, p->utid, &counter, number, &state->args);
}

static void parse_counter(struct parse *p)
{
    if (p->event->args.n == 0)
        fail(p, "a counter without args");
    else if (!json_args_visit(p->event->args, put_counter, p))
        fail(p, "args hold something that is no JSON value");
}

/* The few args that mean something by themselves. */
struct known_args {
    struct json_scalar name, sort_index, io_wait, blocked_function, cpu;
};

static void keep_known(void *context, struct str key, bool key_has_escapes,
                       const struct json_scalar *value)
{
    struct known_args *known = context;
    (void)key_has_escapes;
    if (str_equal(key, STR("name"))) known->name = *value;
    if (str_equal(key, STR("sort_index"))) known->sort_index = *value;
    if (str_equal(key, STR("io_wait"))) known->io_wait = *value;
    if (str_equal(key, STR("blocked_function"))) known->blocked_function = *value;
    if (str_equal(key, STR("cpu"))) known->cpu = *value;
}

static bool integer_arg(const struct json_scalar *value, int64_t *out)
{
    if (value->type == JSON_TRUE || value->type == JSON_FALSE) {
        *out = value->type == JSON_TRUE;
        return true;
    }
    return value->type == JSON_NUMBER && json_to_int64(value->text, out);
}

static void parse_thread_state(struct parse *p)
{
    struct json_state *state = p->state;
    struct tables *tables = state->import->tables;
    struct known_args known = {0};
    int64_t number;
    if (p->event->dur.state != JSON_TIME_OK) {
        fail(p, "a T event without dur");
        return;
    }
    json_args_visit(p->event->args, keep_known, &known);
    struct opt_uint32 io_wait = {0};
    if (integer_arg(&known.io_wait, &number)) io_wait = some_uint32(number != 0);
    int64_t dur = p->event->dur.ns;
    thread_state_push(p->file, p->ts, dur, p->utid, p->name, io_wait,
                      json_intern(state, &known.blocked_function));
    if (p->name != state->running || known.cpu.type != JSON_NUMBER ||
        !json_to_int64(known.cpu.text, &number) || number < 0 || number > UINT16_MAX)
        return;
    struct sched_slice_row row = {
        .ts = p->ts, .dur = dur, .utid = p->utid, .ucpu = cpu_intern(p->file, (uint32_t)number)};
    sched_slice_append(&tables->sched_slice, &row);
}

static void parse_sort_index(struct parse *p, const struct json_scalar *value, bool of_thread)
{
    int64_t index;
    if (value->type != JSON_NUMBER || !json_to_int64(value->text, &index)) {
        fail(p, "a sort index that is no number");
        return;
    }
    string_id key = of_thread ? p->state->sort_key_thread : p->state->sort_key_process;
    struct arg arg = {.flat_key = key, .key = key, .type = ARG_INT, .value.integer = index};
    if (of_thread)
        thread_put_arg(p->file, p->utid, arg);
    else
        process_put_arg(p->file, thread_process(p->file, p->utid), arg);
}

static void parse_metadata(struct parse *p)
{
    struct known_args known = {0};
    struct str what = strpool_get(p->state->import->strings, p->name);
    bool of_thread = str_starts(what, STR("thread_"));
    bool is_name = str_is(what, "thread_name") || str_is(what, "process_name");
    bool is_sort = str_is(what, "thread_sort_index") || str_is(what, "process_sort_index");
    if (p->event->args.n == 0 || (!is_name && !is_sort)) return;
    bool whole = json_args_visit(p->event->args, keep_known, &known);
    if (is_sort) {
        parse_sort_index(p, &known.sort_index, of_thread);
        return;
    }
    string_id name = whole ? json_intern(p->state, &known.name) : STRING_NULL;
    if (name == STRING_NULL)
        fail(p, "a name that is no text");
    else if (of_thread)
        thread_set_name(p->file, p->utid, name, THREAD_NAME_TRACK_DESCRIPTOR_TYPE);
    else
        process_set_name(p->file, thread_process(p->file, p->utid), name, PROCESS_NAME_SYSTEM);
}

void json_parse_event(void *owner, int64_t ts, const void *payload)
{
    struct json_state *state = owner;
    const struct json_pending *pending = payload;
    struct json_event event;
    size_t end;
    json_event_read(state->bytes, (size_t)pending->offset, &event, &end);

    struct parse parse = {.state = state, .file = state->file, .event = &event, .ts = ts};
    parse.category = json_intern(state, &event.category);
    parse.name = json_intern(state, &event.name);
    resolve_thread(&parse);
    switch (event.phase) {
    case 'B': parse_begin(&parse); break;
    case 'E': parse_end(&parse); break;
    case 'X': parse_complete(&parse); break;
    case 'b':
    case 'e':
    case 'n': parse_async(&parse); break;
    case 'R':
    case 'I':
    case 'i': parse_instant(&parse); break;
    case 's':
    case 't':
    case 'f': parse_flow_v1(&parse); break;
    case 'C': parse_counter(&parse); break;
    case 'T': parse_thread_state(&parse); break;
    case 'M': parse_metadata(&parse); break;
    default: break;
    }
}
