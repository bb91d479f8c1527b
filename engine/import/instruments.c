/* Instruments' tables as `xctrace export --xpath` writes them (spec engine_2c §7;
 * `man xctrace`, "export"): rows of elements, where an element is given once with an
 * `id` and then only as `ref`.
 *
 * Every element that matters becomes an object (kind, a number, a text, links); a
 * row collects the objects of its cells.  A row with a backtrace is a sample; one
 * of the subsystem dev.perfetto.clock_sync says what BOOTTIME was. */
#include "engine/base/vec.h"
#include "engine/import/clock.h"
#include "engine/import/damage.h"
#include "engine/import/id_table.h"
#include "engine/import/import.h"
#include "engine/import/process.h"
#include "engine/import/sorter.h"
#include "engine/import/stack.h"
#include "engine/import/xml_pull.h"

#define POLL_EVERY 4096
#define NO_OBJECT  UINT32_MAX

enum kind {
    KIND_OTHER,
    KIND_ROW,
    KIND_TIME,
    KIND_THREAD,
    KIND_TID,
    KIND_PROCESS,
    KIND_PID,
    KIND_CORE,
    KIND_BACKTRACE,
    KIND_FRAME,
    KIND_BINARY,
    KIND_SUBSYSTEM,
    KIND_METADATA,
    KIND_UINT64,
    KIND_COUNT
};

static const struct {
    const char *name;
    enum kind kind;
} KINDS[] = {
    {"row", KIND_ROW},
    {"sample-time", KIND_TIME},
    {"event-time", KIND_TIME},
    {"thread", KIND_THREAD},
    {"tid", KIND_TID},
    {"process", KIND_PROCESS},
    {"pid", KIND_PID},
    {"core", KIND_CORE},
    {"backtrace", KIND_BACKTRACE},
    {"tagged-backtrace", KIND_BACKTRACE},
    {"frame", KIND_FRAME},
    {"binary", KIND_BINARY},
    {"subsystem", KIND_SUBSYSTEM},
    {"os-log-metadata", KIND_METADATA},
    {"uint64", KIND_UINT64},
};

/* What the fields mean, by kind:
 *   TIME, TID, PID, CORE, UINT64   value
 *   THREAD     text its label, first its tid, second its process, row its utid
 *   PROCESS    text its label, first its pid
 *   BACKTRACE  first its place in the list of frames, second their number; row its
 *              call site once it is known, value 1 when it only holds another one
 *   FRAME      text its name, value the address, first its binary
 *   BINARY     value the load address, row its mapping
 *   SUBSYSTEM  text
 *   METADATA   first its uint64 */
struct object {
    uint8_t kind;
    uint32_t first, second, row;
    int64_t value;
    string_id text;
};

struct sample {
    uint32_t utid, upid, ucpu, callsite;
};

struct deferred {
    int64_t time;
    struct sample sample;
};

struct state {
    struct import_file *file;
    struct import *import;
    struct damage damage;
    uint32_t queue, sink;
    VEC(struct object) objects;
    struct id_table by_id;
    VEC(uint32_t) frames; /* of backtraces: objects, leaf first */
    VEC(struct deferred) deferred;
    struct buffer text, decoded;
    uint32_t open[XML_MAX_DEPTH]; /* object of each open element */
    bool is_new[XML_MAX_DEPTH];   /* was it made here? */
    uint32_t cells[KIND_COUNT];   /* of the row: object of each kind */
    bool has_missing_frame;       /* in the row */
    uint64_t n_rows;
    int64_t last_sync, last_sync_boot;
    bool has_sync;
};

static struct object *object_at(struct state *state, uint32_t i)
{
    return i == NO_OBJECT ? NULL : &state->objects.items[i];
}

/* ---- stacks ---- */

static string_id build_id_of(struct state *state, struct str uuid)
{
    char hex[64];
    size_t n = 0;
    for (size_t i = 0; i < uuid.n && n < sizeof hex; i++) {
        char c = uuid.p[i];
        if (c >= 'A' && c <= 'F') c = (char)(c - 'A' + 'a');
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')) hex[n++] = c;
    }
    return strpool_intern(state->import->strings, (struct str){hex, n});
}

static int64_t read_address(struct str text)
{
    uint64_t address;
    return str_to_uint64_any_base(text, &address) ? (int64_t)address : 0;
}

static string_id intern(struct state *state, struct str raw)
{
    struct str text = xml_decode(raw, &state->decoded);
    return strpool_intern(state->import->strings, text.p ? text : STR(""));
}

static void define_binary(struct state *state, const struct xml_pull *pull, struct object *binary)
{
    binary->value = read_address(xml_attribute(pull, "load-addr"));
    struct stack_mapping mapping = {.build_id = build_id_of(state, xml_attribute(pull, "UUID")),
                                    .name = intern(state, xml_attribute(pull, "path")),
                                    .start = binary->value,
                                    .exact_offset = binary->value};
    binary->row = stack_mapping_add(state->import->stacks, &mapping);
}

/* The binary reaches at least to the frame's address. */
static void note_address(struct state *state, const struct object *frame)
{
    const struct object *binary = object_at(state, frame->first);
    struct stack_profile_mapping_table *mappings = &state->import->tables->stack_profile_mapping;
    if (binary && (uint64_t)frame->value > (uint64_t)column_get_int64(&mappings->end, binary->row))
        table_set_int64(&mappings->table, stack_profile_mapping_COLUMN_end, binary->row,
                        frame->value);
}

static uint32_t frame_row(struct state *state, const struct object *frame, bool is_leaf)
{
    struct stack_tracker *stacks = state->import->stacks;
    const struct object *binary = object_at(state, frame->first);
    uint64_t pc = (uint64_t)frame->value;
    uint32_t mapping;
    if (binary) {
        mapping = binary->row;
        if (pc >= (uint64_t)binary->value) pc -= (uint64_t)binary->value;
    } else {
        string_id empty = strpool_intern(state->import->strings, STR(""));
        struct stack_mapping dummy = {.build_id = empty, .name = empty, .end = -1};
        mapping = stack_mapping_intern(stacks, &dummy);
    }
    /* A caller's address is where its callee returns to. */
    if (!is_leaf && pc > 0) pc--;
    return stack_frame_intern(stacks, frame->text, mapping, (int64_t)pc);
}

static uint32_t callsite_of(struct state *state, struct object *backtrace)
{
    uint32_t callsite = NULL_UINT32;
    if (backtrace->row != NULL_UINT32) return backtrace->row;
    for (uint32_t i = backtrace->second; i-- > 0;) {
        const struct object *frame = object_at(state, state->frames.items[backtrace->first + i]);
        callsite = stack_callsite_intern(state->import->stacks, callsite,
                                         frame_row(state, frame, i == 0), 0);
    }
    return backtrace->row = callsite;
}

/* ---- rows ---- */

static void push_sample(struct state *state, int64_t ts, const struct sample *sample)
{
    struct sample *to =
        sorter_push(state->import->sorter, state->queue, state->sink, ts, sizeof *to);
    *to = *sample;
}

static void push_deferred(void *owner)
{
    struct state *state = owner;
    for (size_t i = 0; i < state->deferred.count; i++) {
        const struct deferred *d = &state->deferred.items[i];
        int64_t ts;
        if (clock_to_trace_time(state->file, 0, 0, d->time, true, &ts) == CLOCK_OK)
            push_sample(state, ts, &d->sample);
    }
    vec_free(&state->deferred);
}

static uint32_t utid_of(struct state *state, struct object *thread, const struct object *process)
{
    const struct object *tid = object_at(state, thread->first);
    const struct object *pid = object_at(state, process->first);
    if (thread->row != NULL_UINT32) return thread->row;
    if (!tid || !pid) return NULL_UINT32;
    uint32_t utid = thread_intern_in(state->file, tid->value, pid->value);
    uint32_t upid = thread_process(state->file, utid);
    thread_set_name(state->file, utid, thread->text, THREAD_NAME_OTHER);
    if (upid != NULL_UINT32) process_set_name(state->file, upid, process->text, PROCESS_NAME_OTHER);
    return thread->row = utid;
}

static void add_sample(struct state *state, int64_t time)
{
    struct object *thread = object_at(state, state->cells[KIND_THREAD]);
    const struct object *core = object_at(state, state->cells[KIND_CORE]);
    struct object *backtrace = object_at(state, state->cells[KIND_BACKTRACE]);
    if (!thread) {
        stats_add(state->file, STAT_instruments_row_missing_thread, 1);
        return;
    }
    const struct object *process =
        object_at(state, thread->second != NO_OBJECT ? thread->second : state->cells[KIND_PROCESS]);
    uint32_t utid = process ? utid_of(state, thread, process) : NULL_UINT32;
    if (utid == NULL_UINT32) {
        stats_add(state->file, STAT_instruments_row_missing_process, 1);
        return;
    }
    struct sample sample = {
        .utid = utid,
        .upid = thread_process(state->file, utid),
        .ucpu = NULL_UINT32,
        .callsite = callsite_of(state, backtrace),
    };
    if (core && core->value >= 0 && core->value < 4096)
        sample.ucpu = cpu_intern(state->file, (uint32_t)core->value);
    int64_t ts;
    enum clock_result result = clock_to_trace_time(state->file, 0, 0, time, false, &ts);
    if (result == CLOCK_OK) push_sample(state, ts, &sample);
    if (result == CLOCK_LATER) vec_push(&state->deferred, (struct deferred){time, sample});
}

/* Snapshots that go back in time are passed over. */
static void add_sync(struct state *state, int64_t time, int64_t boot)
{
    if (state->has_sync && (time <= state->last_sync || boot <= state->last_sync_boot)) return;
    struct clock_reading readings[] = {
        {.clock_id = CLOCK_ID_TRACE_FILE, .value = time, .unit_ns = 1},
        {.clock_id = CLOCK_ID_BOOTTIME, .value = boot, .unit_ns = 1}};
    clock_add_snapshot(state->file, readings, 2, 0);
    state->has_sync = true;
    state->last_sync = time;
    state->last_sync_boot = boot;
}

static void end_row(struct state *state)
{
    const struct object *time = object_at(state, state->cells[KIND_TIME]);
    const struct object *subsystem = object_at(state, state->cells[KIND_SUBSYSTEM]);
    const struct object *metadata = object_at(state, state->cells[KIND_METADATA]);
    const struct object *number = metadata ? object_at(state, metadata->first) : NULL;
    state->n_rows++;
    if (state->has_missing_frame) stats_add(state->file, STAT_instruments_row_missing_frame, 1);
    if (!time) return;
    if (state->cells[KIND_BACKTRACE] != NO_OBJECT)
        add_sample(state, time->value);
    else if (subsystem && number &&
             str_equal(strpool_get(state->import->strings, subsystem->text),
                       STR("dev.perfetto.clock_sync")))
        add_sync(state, time->value, number->value);
}

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct state *state = owner;
    const struct sample *sample = payload;
    struct stack_sample row = {
        .ts = ts,
        .source = "instruments",
        .utid = sample->utid,
        .upid = sample->upid,
        .ucpu = sample->ucpu,
        .callsite = sample->callsite,
        .session = NULL_UINT32,
        .counter_set = NULL_UINT32,
    };
    stack_sample_push(state->import->stacks, &row);
}

/* ---- elements ---- */

static enum kind kind_of(struct str name)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (str_is(name, KINDS[i].name)) return KINDS[i].kind;
    return KIND_OTHER;
}

/* Links an object that is complete to the element around it and to its row. */
static void attach(struct state *state, uint32_t outer, uint32_t self)
{
    enum kind kind = (enum kind)state->objects.items[self].kind;
    struct object *parent = object_at(state, outer);
    enum kind around = parent ? (enum kind)parent->kind : KIND_OTHER;
    if (around == KIND_THREAD && kind == KIND_TID) parent->first = self;
    if (around == KIND_THREAD && kind == KIND_PROCESS) parent->second = self;
    if (around == KIND_PROCESS && kind == KIND_PID) parent->first = self;
    if (around == KIND_FRAME && kind == KIND_BINARY) parent->first = self;
    if (around == KIND_METADATA && kind == KIND_UINT64) parent->first = self;
    if (around == KIND_BACKTRACE && kind == KIND_BACKTRACE) {
        parent->value = 1;
        parent->first = state->objects.items[self].first;
        parent->second = state->objects.items[self].second;
    }
    if (around == KIND_BACKTRACE && kind == KIND_FRAME) vec_push(&state->frames, self);
    /* The process of the thread is no cell of its own. */
    if (kind == KIND_PROCESS && around == KIND_THREAD) return;
    state->cells[kind] = self;
}

static uint32_t find_ref(struct state *state, enum kind kind, struct str ref)
{
    uint64_t id, found;
    if (str_to_uint64(ref, &id) && id_table_get(&state->by_id, id, &found) &&
        state->objects.items[found].kind == kind)
        return (uint32_t)found;
    if (kind == KIND_FRAME) state->has_missing_frame = true;
    if (kind == KIND_BACKTRACE) stats_add(state->file, STAT_instruments_row_missing_backtrace, 1);
    return NO_OBJECT;
}

/* The object of an element that has just been opened. */
static uint32_t define(struct state *state, const struct xml_pull *pull, enum kind kind)
{
    struct object object = {
        .kind = (uint8_t)kind, .first = NO_OBJECT, .second = NO_OBJECT, .row = NULL_UINT32};
    uint32_t self = (uint32_t)state->objects.count;
    uint64_t id;
    if (kind == KIND_THREAD || kind == KIND_PROCESS)
        object.text = intern(state, xml_attribute(pull, "fmt"));
    if (kind == KIND_FRAME) {
        object.text = intern(state, xml_attribute(pull, "name"));
        object.value = read_address(xml_attribute(pull, "addr"));
    }
    if (kind == KIND_BINARY) define_binary(state, pull, &object);
    if (kind == KIND_BACKTRACE) {
        object.first = (uint32_t)state->frames.count;
        object.second = 0;
    }
    vec_push(&state->objects, object);
    if (str_to_uint64(xml_attribute(pull, "id"), &id)) id_table_put(&state->by_id, id, self);
    return self;
}

static void open_element(struct state *state, const struct xml_pull *pull)
{
    uint32_t self = NO_OBJECT;
    enum kind kind = kind_of(pull->name);
    buffer_clear(&state->text);
    if (kind == KIND_ROW) {
        for (int i = 0; i < KIND_COUNT; i++)
            state->cells[i] = NO_OBJECT;
        state->has_missing_frame = false;
    }
    if (kind != KIND_OTHER && kind != KIND_ROW) {
        struct str ref = xml_attribute(pull, "ref");
        self = ref.p ? find_ref(state, kind, ref) : define(state, pull, kind);
    }
    state->open[pull->depth - 1] = self;
    state->is_new[pull->depth - 1] = !xml_attribute(pull, "ref").p;
}

/* `depth` is that of the element. */
static void close_element(struct state *state, struct str name, uint32_t depth)
{
    uint32_t self = state->open[depth], outer = depth > 0 ? state->open[depth - 1] : NO_OBJECT;
    struct object *object = object_at(state, self);
    if (kind_of(name) == KIND_ROW) end_row(state);
    if (!object) return;
    struct str text = str_trim(buffer_str(&state->text));
    uint64_t number;
    bool is_new = text.n > 0;
    switch (object->kind) {
    case KIND_TIME:
    case KIND_TID:
    case KIND_PID:
    case KIND_CORE:
    case KIND_UINT64:
        if (is_new && str_to_uint64(text, &number)) object->value = (int64_t)number;
        break;
    case KIND_SUBSYSTEM:
        if (is_new) object->text = strpool_intern(state->import->strings, text);
        break;
    case KIND_BACKTRACE:
        if (state->is_new[depth] && object->value == 0)
            object->second = (uint32_t)state->frames.count - object->first;
        break;
    case KIND_FRAME: note_address(state, object); break;
    default: break;
    }
    buffer_clear(&state->text);
    attach(state, outer, self);
}

/* ---- the file ---- */

static void free_state(struct import_file *file)
{
    struct state *state = file->state;
    if (!state) return;
    vec_free(&state->objects);
    id_table_free(&state->by_id);
    vec_free(&state->frames);
    vec_free(&state->deferred);
    buffer_free(&state->text);
    buffer_free(&state->decoded);
    mem_free(state);
    file->state = NULL;
}

static bool end_badly(struct state *state, const struct xml_pull *pull, enum xml_token token,
                      struct status *st)
{
    bool cut = token == XML_CUT;
    const char *error = cut ? "the document ends inside an element" : pull->error;
    size_t offset = cut ? (size_t)(pull->end - pull->start) : xml_pull_offset(pull);
    if (state->n_rows == 0)
        return status_fail(st, STATUS_CORRUPT, (int64_t)offset, "XML parse error at line %llu: %s",
                           (unsigned long long)xml_pull_line(pull), error);
    damage_log(&state->damage, cut ? STAT_perfetty_input_truncated : STAT_perfetty_input_corrupt,
               offset, error);
    return true;
}

static bool read_document(struct state *state, struct str bytes, struct status *st)
{
    struct xml_pull pull;
    size_t reported = 0;
    xml_pull_init(&pull, bytes);
    for (uint64_t n = 1;; n++) {
        enum xml_token token = xml_pull_next(&pull);
        if (token == XML_DONE) return true;
        if (token <= XML_ERROR) return end_badly(state, &pull, token, st);
        if (token == XML_OPEN) open_element(state, &pull);
        if (token == XML_CLOSE) close_element(state, pull.name, pull.depth);
        if (token == XML_TEXT && state->open[pull.depth - 1] != NO_OBJECT)
            buffer_append_str(&state->text,
                              pull.is_literal ? pull.text : xml_decode(pull.text, &state->decoded));
        if (n % POLL_EVERY != 0) continue;
        import_progress(state->import, xml_pull_offset(&pull) - reported);
        reported = xml_pull_offset(&pull);
        if (cancel_is_requested(state->import->cancel)) return true;
    }
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct state *state = mem_zero(1, sizeof *state);
    file->state = state;
    state->file = file;
    state->import = file->import;
    state->damage.file = file;
    state->queue = sorter_add_queue(file->import->sorter);
    state->sink = sorter_add_sink(file->import->sorter, parse, state);
    for (int i = 0; i < KIND_COUNT; i++)
        state->cells[i] = NO_OBJECT;
    if (!read_document(state, bytes, st)) {
        free_state(file);
        return false;
    }
    if (state->deferred.count > 0) import_at_input_end(file->import, push_deferred, state);
    return true;
}

/* An XML declaration of any kind, then the element that xctrace writes. */
static bool sniff(struct str bytes)
{
    struct str head = str_slice(bytes, 0, 256);
    size_t end;
    if (str_starts(head, STR("\xEF\xBB\xBF"))) head = str_slice(head, 3, head.n);
    if (!str_starts(head, STR("<?xml ")) || !str_find(head, STR("?>"), &end)) return false;
    return str_starts(str_trim(str_slice(head, end + 2, head.n)), STR("<trace-query-result"));
}

const struct importer importer_instruments = {
    .name = "instruments_xml",
    .detection_priority = 150,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_TRACE_FILE,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = free_state,
};
