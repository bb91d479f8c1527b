/* Framing of Chrome JSON traces (spec engine_2b 6.5.1): finds the events and hands
 * them to the sorter by their place in the bytes; what is damaged costs itself. */
#include "engine/import/json_import.h"

#include "engine/base/hash.h"
#include "engine/import/clock.h"
#include "engine/import/json_forms.h"
#include "engine/import/json_state.h"
#include "engine/import/sorter.h"
#include "engine/import/text_utf8.h"

#define MAX_LOGGED         100
#define POLL_EVERY         4096
#define PREVIEW_BYTES      128
#define MAX_METADATA_BYTES ((size_t)1 << 20)

/* ---- damage ---- */

void json_fail_event(struct json_state *state, enum stat stat, size_t offset, const char *error)
{
    struct strpool *strings = state->import->strings;
    struct arg_list args = {NULL, 0, 0};
    if (state->n_logged++ >= MAX_LOGGED) {
        stats_add(state->file, stat, 1);
        return;
    }
    arg_list_put_int(&args, strpool_intern_text(strings, "event"), (int64_t)state->n_events);
    arg_list_put_string(&args, strpool_intern_text(strings, "error"),
                        strpool_intern_text(strings, error));
    import_log(state->file, stat, (int64_t)offset, NO_LOG_TS, &args);
    vec_free(&args);
}

void json_fail_parse(struct json_state *state, int64_t ts, const struct json_event *event,
                     const char *error)
{
    struct strpool *strings = state->import->strings;
    struct arg_list args = {NULL, 0, 0};
    if (state->n_logged++ >= MAX_LOGGED) {
        stats_add(state->file, STAT_json_parser_failure, 1);
        return;
    }
    struct buffer name = BUFFER_INIT;
    arg_list_put_string(&args, strpool_intern_text(strings, "error"),
                        strpool_intern_text(strings, error));
    arg_list_put_string(&args, strpool_intern_text(strings, "event_name"),
                        strpool_intern(strings, json_text(&event->name, &name)));
    arg_list_put_string(&args, strpool_intern_text(strings, "event_phase"),
                        strpool_intern(strings, (struct str){&event->phase, 1}));
    import_log(state->file, STAT_json_parser_failure, NO_BYTE_OFFSET, ts, &args);
    buffer_free(&name);
    vec_free(&args);
}

/* Work that damage makes is bounded by a multiple of the file's size. */
static bool take_resync_bytes(struct json_state *state, size_t from, size_t to)
{
    uint64_t bytes = to - from;
    if (bytes > state->resync_bytes_left) {
        state->resync_bytes_left = 0;
        return false;
    }
    state->resync_bytes_left -= bytes;
    return true;
}

/* The next object from `at` on, behind "}," that reads as an event. */
static bool find_event(struct json_state *state, size_t at, size_t *next)
{
    struct str bytes = state->bytes;
    for (; at < bytes.n; at++) {
        if (bytes.p[at] != '}') continue;
        size_t comma = json_skip_space(bytes, at + 1);
        if (comma >= bytes.n || bytes.p[comma] != ',') continue;
        size_t brace = json_skip_space(bytes, comma + 1), end;
        struct json_event event;
        if (brace >= bytes.n || bytes.p[brace] != '{') continue;
        enum json_token token = json_event_read(bytes, brace, &event, &end);
        if (token == JSON_DONE && event.phase) {
            *next = brace;
            return true;
        }
        if (!take_resync_bytes(state, brace, end)) return false;
    }
    return false;
}

/* Where to go on after an object that is no JSON: begins at `from`, wrong at `bad`.
 * By its brackets when they match; else at the next event that can be read. */
static bool resync(struct json_state *state, size_t from, size_t bad, size_t *next)
{
    struct str bytes = state->bytes;
    size_t end;
    if (state->is_lines) {
        struct str rest = str_slice(bytes, from, bytes.n);
        if (!str_find_byte(rest, '\n', &end)) return false;
        *next = from + end + 1;
        return true;
    }
    bool matches = json_match_bracket(bytes, from, &end);
    if (!take_resync_bytes(state, from, end)) return false;
    if (matches) {
        size_t after = json_skip_space(bytes, end);
        if (after == bytes.n || bytes.p[after] == ',' || bytes.p[after] == ']') {
            *next = end;
            return true;
        }
    }
    size_t at = bad > from ? bad : from + 1;
    if (!find_event(state, at, next)) return false;
    return take_resync_bytes(state, at, *next);
}

/* ---- events ---- */

/* Among equal times ends come first, then what takes longer; an event that is no X
 * takes no time. */
static int compare_pending(const void *a, const void *b)
{
    const struct json_pending *x = a, *y = b;
    if (x->is_end != y->is_end) return x->is_end ? -1 : 1;
    if (x->dur == y->dur) return 0;
    return x->dur > y->dur ? -1 : 1;
}

static void push_pending(struct json_state *state, int64_t ts, const struct json_pending *pending)
{
    struct json_pending *to =
        sorter_push(state->import->sorter, state->queue, state->event_sink, ts, sizeof *pending);
    *to = *pending;
    state->n_entered++;
}

static void push_deferred(void *context)
{
    struct json_state *state = context;
    for (size_t i = 0; i < state->deferred.count; i++) {
        const struct json_deferred *deferred = &state->deferred.items[i];
        int64_t ts;
        if (clock_to_trace_time(state->file, 0, 0, deferred->ts, true, &ts) == CLOCK_OK)
            push_pending(state, ts, &deferred->pending);
    }
    vec_free(&state->deferred);
}

/* A B event is remembered, so that an E at the same time is known to be its end:
 * that one must stay behind it, every other E goes before what begins then. */
static bool ends_where_it_began(struct json_state *state, const struct json_event *event)
{
    struct json_thread thread = json_thread_of(state, event);
    bool added;
    uint64_t key = hash_mix(hash_mix(0, (uint64_t)thread.pid), (uint64_t)thread.tid);
    uint64_t *index = map_put_if_absent(&state->open_begins, key, state->begins.count, &added);
    if (added) vec_push(&state->begins, (struct json_begin_stack){NULL, 0, 0});
    struct json_begin_stack *stack = &state->begins.items[*index];
    if (event->phase == 'E') {
        if (stack->count == 0) return false;
        return stack->ts[--stack->count] == event->ts.ns;
    }
    if (stack->count == stack->capacity) {
        stack->capacity = stack->capacity ? stack->capacity * 2 : 8;
        stack->ts = mem_resize(stack->ts, stack->capacity * sizeof *stack->ts);
    }
    stack->ts[stack->count++] = event->ts.ns;
    return false;
}

static bool check_times(struct json_state *state, const struct json_event *event, size_t offset)
{
    const char *error = NULL;
    if (event->ts.state == JSON_TIME_BAD)
        error = "ts is no time";
    else if (event->ts.state == JSON_TIME_ABSENT)
        error = "there is no ts";
    else if (event->dur.state == JSON_TIME_BAD)
        error = "dur is no time";
    else if (event->tts.state == JSON_TIME_BAD)
        error = "tts is no time";
    else if (event->tdur.state == JSON_TIME_BAD)
        error = "tdur is no time";
    if (error) json_fail_event(state, STAT_json_tokenizer_failure, offset, error);
    return !error;
}

static void enter_event(struct json_state *state, const struct json_event *event, size_t offset)
{
    struct json_pending pending = {.offset = offset};
    json_note_places(state, event);
    if (!event->phase) {
        if (event->has_fields)
            json_fail_event(state, STAT_json_tokenizer_failure, offset, "there is no ph");
        return;
    }
    if (event->phase == 'M' && event->ts.state != JSON_TIME_OK) {
        push_pending(state, 0, &pending);
        return;
    }
    if (!check_times(state, event, offset)) return;
    switch (event->phase) {
    case 'B': ends_where_it_began(state, event); break;
    case 'E': pending.is_end = !ends_where_it_began(state, event); break;
    case 'X':
        state->has_complete = true;
        pending.dur = event->dur.ns;
        break;
    case 'P': json_v8_tokenize(state, event); break;
    default: break;
    }
    int64_t ts;
    switch (clock_to_trace_time(state->file, 0, 0, event->ts.ns, false, &ts)) {
    case CLOCK_OK: push_pending(state, ts, &pending); break;
    case CLOCK_LATER:
        if (state->deferred.count == 0) import_at_input_end(state->import, push_deferred, state);
        vec_push(&state->deferred, (struct json_deferred){event->ts.ns, pending});
        break;
    case CLOCK_FAILED: break;
    }
}

enum array_end { ARRAY_CLOSED, ARRAY_CUT, ARRAY_CUT_IN_EVENT, ARRAY_LOST };

/* Skips a value that is no event. */
static bool skip_stranger(struct json_state *state, size_t *at)
{
    struct json_pull pull;
    json_pull_init(&pull, state->bytes, *at);
    enum json_token token = json_pull_next(&pull);
    if (token == JSON_OBJECT || token == JSON_ARRAY) token = json_pull_skip(&pull, token);
    json_fail_event(state, STAT_json_tokenizer_failure, *at, "something that is no event");
    size_t end = json_pull_offset(&pull);
    if (token > JSON_ERROR && end > *at) {
        *at = end;
        return true;
    }
    return resync(state, *at, *at + 1, at);
}

/* Where an event must end: with its line, if there is one a line. */
static struct str scope_of_event(const struct json_state *state, size_t at)
{
    size_t end;
    struct str rest = str_slice(state->bytes, at, state->bytes.n);
    if (!state->is_lines || !str_find_byte(rest, '\n', &end)) return state->bytes;
    return str_slice(state->bytes, 0, at + end);
}

/* From behind the '[' to behind the ']'. */
static enum array_end read_events(struct json_state *state, size_t *position)
{
    struct str bytes = state->bytes;
    size_t at = *position, reported = at;
    enum array_end result = ARRAY_CUT;
    for (;;) {
        while (at < bytes.n && (json_is_space(bytes.p[at]) || bytes.p[at] == ','))
            at++;
        if (at >= bytes.n) break;
        if (bytes.p[at] == ']') {
            at++;
            result = ARRAY_CLOSED;
            break;
        }
        if (++state->n_events % POLL_EVERY == 0) {
            import_progress(state->import, at - reported);
            reported = at;
            if (cancel_is_requested(state->import->cancel)) {
                result = ARRAY_CLOSED;
                at = bytes.n;
                break;
            }
        }
        if (bytes.p[at] != '{') {
            if (skip_stranger(state, &at)) continue;
            result = ARRAY_LOST;
            break;
        }
        struct json_event event;
        size_t end;
        struct str scope = scope_of_event(state, at);
        enum json_token token = json_event_read(scope, at, &event, &end);
        if (token == JSON_CUT && scope.n == bytes.n) {
            result = ARRAY_CUT_IN_EVENT;
            break;
        }
        if (token == JSON_DONE) {
            enter_event(state, &event, at);
            at = end;
            continue;
        }
        json_fail_event(state, STAT_json_tokenizer_failure, end, "no JSON here");
        if (!resync(state, at, end, &at)) {
            result = ARRAY_LOST;
            break;
        }
    }
    *position = at;
    return result;
}

/* ---- the document ---- */

static void put_metadata(struct json_state *state, struct str key, const struct json_scalar *value)
{
    struct buffer name = BUFFER_INIT;
    const struct import_file *file = state->file;
    int64_t number;
    double real;
    buffer_append_text(&name, "json_metadata.");
    buffer_append_str(&name, str_slice(key, 0, 1024));
    switch (value->type) {
    case JSON_TRUE:
    case JSON_FALSE:
        metadata_set_int(state->import, file, buffer_text(&name), value->type == JSON_TRUE);
        break;
    case JSON_NUMBER:
        if (json_is_integer(value->text) && str_to_int64(value->text, &number)) {
            metadata_set_int(state->import, file, buffer_text(&name), number);
        } else if (str_to_double(value->text, &real)) {
            if (real > -9e18 && real < 9e18 && (double)(int64_t)real == real) {
                metadata_set_int(state->import, file, buffer_text(&name), (int64_t)real);
            } else {
                struct buffer text = BUFFER_INIT;
                buffer_printf(&text, "%g", real);
                metadata_set_string(state->import, file, buffer_text(&name), buffer_str(&text));
                buffer_free(&text);
            }
        }
        break;
    case JSON_STRING:
        metadata_set_string(state->import, file, buffer_text(&name),
                            json_text(value, &state->text));
        break;
    case JSON_OBJECT:
    case JSON_ARRAY:
        metadata_set_string(state->import, file, buffer_text(&name),
                            str_slice(value->text, 0, MAX_METADATA_BYTES));
        break;
    default: break;
    }
    buffer_free(&name);
}

struct metadata_context {
    struct json_state *state;
    struct buffer key;
};

static void visit_metadata(void *context, struct str key, bool key_has_escapes,
                           const struct json_scalar *value)
{
    struct metadata_context *c = context;
    put_metadata(c->state, json_decode(key, key_has_escapes, &c->key), value);
}

enum member_end { MEMBER_READ, MEMBER_CUT, MEMBER_FAILED };

/* A member of the top-level object that is not traceEvents; *position is at its
 * value. */
static enum member_end read_member(struct json_state *state, struct str key, size_t *position,
                                   struct status *st)
{
    struct str bytes = state->bytes;
    size_t from = *position;
    struct json_pull pull;
    json_pull_init(&pull, bytes, from);
    enum json_token token = json_pull_next(&pull);
    struct json_scalar value = {token, pull.has_escapes, pull.text};
    enum json_token last = token;
    if (token == JSON_OBJECT || token == JSON_ARRAY) last = json_pull_skip(&pull, token);
    if (last == JSON_CUT) return MEMBER_CUT;
    if (last == JSON_ERROR) {
        json_fail_event(state, STAT_json_tokenizer_failure, json_pull_offset(&pull),
                        "no JSON here");
        return json_match_bracket(bytes, from, position) ? MEMBER_READ : MEMBER_CUT;
    }
    *position = json_pull_offset(&pull);
    value.text = token == JSON_OBJECT ? str_slice(bytes, from, *position) : value.text;
    if (str_equal(key, STR("displayTimeUnit"))) {
        stats_set(state->file, STAT_json_display_time_unit, 1);
    } else if (str_equal(key, STR("systemTraceEvents"))) {
        if (token != JSON_STRING) {
            status_fail(st, STATUS_CORRUPT, (int64_t)from,
                        "Failure parsing JSON: systemTraceEvents is not a string.");
            return MEMBER_FAILED;
        }
        json_system_trace(state, &value, from);
    } else if (str_equal(key, STR("metadata")) && token == JSON_OBJECT) {
        struct metadata_context context = {state, BUFFER_INIT};
        json_args_visit(value.text, visit_metadata, &context);
        buffer_free(&context.key);
    }
    return MEMBER_READ;
}

static bool fail_nothing(const struct json_state *state, struct status *st, const char *what)
{
    return status_fail(st, STATUS_CORRUPT, (int64_t)state->bytes.n,
                       "JSON trace file is incomplete (ERR:tp-corrupt): %s, and no event in it "
                       "can be read",
                       what);
}

/* Ends the load with nothing, or tells what is missing. */
static bool end_cut(struct json_state *state, size_t offset, bool in_event, struct status *st)
{
    if (state->n_entered == 0 && state->deferred.count == 0)
        return fail_nothing(state, st,
                            in_event ? "it is cut short inside the first event"
                                     : "it is empty or cut short");
    json_fail_event(state, STAT_perfetty_input_truncated, offset,
                    in_event ? "the file ends inside this event: truncated"
                             : "the file is incomplete: it ends after this event");
    return true;
}

static bool end_array(struct json_state *state, enum array_end end, size_t at, bool bare,
                      struct status *st)
{
    switch (end) {
    case ARRAY_CLOSED: return true;
    case ARRAY_CUT:
        /* Writers leave out the last bracket of a bare array on purpose. */
        if (bare && (state->n_entered || state->deferred.count)) return true;
        return end_cut(state, at, false, st);
    case ARRAY_CUT_IN_EVENT: return end_cut(state, at, true, st);
    case ARRAY_LOST:
        if (state->n_entered == 0 && state->deferred.count == 0)
            return fail_nothing(state, st, "it is damaged");
        json_fail_event(state, STAT_perfetty_input_corrupt, at,
                        "the events after this place cannot be found");
        return true;
    }
    return true;
}

static void note_trailing(struct json_state *state, size_t at)
{
    struct str bytes = state->bytes;
    while (at < bytes.n && (json_is_space(bytes.p[at]) || bytes.p[at] == '\0'))
        at++;
    if (at >= bytes.n) return;
    json_fail_event(state, STAT_perfetty_input_corrupt, at,
                    "trailing data after the end of the trace is not read");
}

static bool read_array(struct json_state *state, size_t at, struct status *st)
{
    enum array_end end = read_events(state, &at);
    if (!end_array(state, end, at, true, st)) return false;
    if (end == ARRAY_CLOSED) note_trailing(state, at);
    return true;
}

/* From behind the '{'. */
static bool read_document(struct json_state *state, size_t at, struct status *st)
{
    struct str bytes = state->bytes;
    for (;;) {
        while (at < bytes.n && (json_is_space(bytes.p[at]) || bytes.p[at] == ','))
            at++;
        if (at < bytes.n && bytes.p[at] == '}') {
            note_trailing(state, at + 1);
            return true;
        }
        if (at >= bytes.n) return end_cut(state, at, false, st);

        struct json_pull pull;
        json_pull_init(&pull, bytes, at);
        enum json_token token = json_pull_next(&pull);
        size_t colon = json_skip_space(bytes, json_pull_offset(&pull));
        if (token == JSON_CUT || colon >= bytes.n) return end_cut(state, at, false, st);
        if (token != JSON_STRING || bytes.p[colon] != ':')
            return end_array(state, ARRAY_LOST, at, false, st);
        struct str key = pull.text;
        at = json_skip_space(bytes, colon + 1);
        if (at >= bytes.n) return end_cut(state, at, false, st);

        if (!str_equal(key, STR("traceEvents"))) {
            enum member_end member = read_member(state, key, &at, st);
            if (member == MEMBER_FAILED) return false;
            if (member == MEMBER_CUT) return end_cut(state, at, false, st);
            continue;
        }
        if (bytes.p[at] != '[')
            return status_fail(st, STATUS_CORRUPT, (int64_t)at,
                               "Failure parsing JSON: traceEvents is not an array.");
        at++;
        enum array_end end = read_events(state, &at);
        if (end != ARRAY_CLOSED) return end_array(state, end, at, false, st);
    }
}

/* ---- the importer ---- */

static void free_state(struct json_state *state)
{
    for (size_t i = 0; i < state->begins.count; i++)
        mem_free(state->begins.items[i].ts);
    vec_free(&state->begins);
    vec_free(&state->deferred);
    map_free(&state->open_begins);
    vec_free(&state->places);
    buffer_free(&state->utf8);
    buffer_free(&state->text);
    buffer_free(&state->text2);
    buffer_free(&state->key);
    buffer_free(&state->flat_key);
    vec_free(&state->args);
    map_free(&state->thread_tracks);
    map_free(&state->async_names);
    json_v8_free(state->v8);
    json_system_trace_free(state);
    mem_free(state);
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct sorter *sorter = file->import->sorter;
    struct json_state *state = mem_zero(1, sizeof *state);
    file->state = state;
    state->file = file;
    state->import = file->import;
    state->bytes = bytes = text_as_utf8(bytes, &state->utf8);
    state->queue = sorter_add_queue(sorter);
    state->sample_queue = sorter_add_queue(sorter);
    state->event_sink = sorter_add_sink(sorter, json_parse_event, state);
    state->sample_sink = sorter_add_sink(sorter, json_v8_parse_sample, state);
    state->resync_bytes_left = 8 * (uint64_t)bytes.n + (1 << 20);
    json_parse_begin(state);

    size_t at = json_skip_space(bytes, 0);
    bool good;
    state->is_lines = json_is_lines(bytes, at);
    if (at < bytes.n && bytes.p[at] == '[')
        good = read_array(state, at + 1, st);
    else if (state->is_lines)
        good = read_array(state, at, st);
    else if (at < bytes.n && bytes.p[at] == '{')
        good = read_document(state, at + 1, st);
    else
        good = status_fail(st, STATUS_CORRUPT, (int64_t)at,
                           "Failure parsing JSON: it begins with neither { nor [");
    if (state->has_complete) sorter_set_compare(sorter, state->queue, compare_pending);
    for (size_t i = 0; i < state->begins.count; i++)
        mem_free(state->begins.items[i].ts);
    vec_free(&state->begins);
    map_free(&state->open_begins);
    if (!good && state->n_entered == 0 && state->deferred.count == 0 && !state->v8 &&
        !state->systrace) {
        free_state(state);
        file->state = NULL;
    }
    return good;
}

static void finish(struct import_file *file)
{
    if (file->state) free_state(file->state);
    file->state = NULL;
}

/* The first bytes without white space. */
static struct str head_of(struct str bytes, char out[PREVIEW_BYTES])
{
    size_t n = 0;
    for (size_t i = 0; i < bytes.n && i < PREVIEW_BYTES; i++)
        if (!json_is_space(bytes.p[i]) && bytes.p[i] != '\f' && bytes.p[i] != '\v')
            out[n++] = bytes.p[i];
    return (struct str){out, n};
}

static bool sniff_utf8(struct str bytes)
{
    char text[PREVIEW_BYTES];
    struct str head = head_of(bytes, text);
    if (str_starts(head, STR("{\""))) return true;
    if (head.n == 0 || head.p[0] != '[') return false;
    /* A comma too many is forgiven, and so is a file that ends at once. */
    size_t i = 1;
    while (i < head.n && head.p[i] == ',')
        i++;
    if (i == head.n) return i == 1 || bytes.n <= PREVIEW_BYTES;
    if (head.p[i] == ']') return true;
    return head.p[i] == '{' && (i + 1 == head.n || head.p[i + 1] == '"' || head.p[i + 1] == '}');
}

static bool sniff(struct str bytes)
{
    return text_sniff(bytes, 2 * PREVIEW_BYTES, sniff_utf8);
}

const struct importer importer_json = {
    .name = "json",
    .detection_priority = 110,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_TRACE_FILE,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
