/* An event in order of time: which thread and track it is of, and the slice,
 * counter or state that it makes (spec engine_2 2.2 "Type dispatch"). */
#include "engine/import/track_event.h"

#include "engine/base/checked.h"

/* Names. */

static void join_categories(struct track_event *e)
{
    struct track_events *te = e->te;
    struct wire w = wire_open(e->bytes);
    struct wire_field f;
    buffer_clear(&te->text);
    /* Interned ones come first, wherever they stand. */
    for (unsigned pass = 0; pass < 2; pass++) {
        w = wire_open(e->bytes);
        while (wire_next(&w, &f)) {
            if (f.number != (pass ? 22u : 3u)) continue;
            struct wire packed = wire_open(pass ? STR_NONE : f.bytes);
            uint64_t iid = f.value;
            bool more = pass || f.type != WIRE_BYTES || wire_varint(&packed, &iid);
            while (more) {
                struct str name = f.bytes;
                if (!pass)
                    name = strpool_get(te->import->strings,
                                       track_event_interned(e, INTERNED_CATEGORY, iid));
                if (te->text.length && name.p) buffer_append_byte(&te->text, ',');
                buffer_append_str(&te->text, name);
                more = !pass && f.type == WIRE_BYTES && wire_varint(&packed, &iid);
            }
        }
    }
    if (te->text.length) e->category = strpool_intern(te->import->strings, buffer_str(&te->text));
}

static void find_category(struct track_event *e)
{
    struct strpool *strings = e->te->import->strings;
    if (e->n_categories == 0) return;
    if (e->n_categories > 1) {
        join_categories(e);
        return;
    }
    if (e->category_text.p) {
        e->category = strpool_intern(strings, e->category_text);
        return;
    }
    e->category = track_event_interned(e, INTERNED_CATEGORY, e->category_iid);
    if (e->category != STRING_NULL) return;
    buffer_clear(&e->te->text);
    buffer_printf(&e->te->text, "unknown(%llu)", (unsigned long long)e->category_iid);
    e->category = strpool_intern(strings, buffer_str(&e->te->text));
}

static void find_name(struct track_event *e)
{
    uint64_t iid = e->name_iid ? e->name_iid : e->legacy_name_iid;
    if (iid)
        e->name = track_event_interned(e, INTERNED_NAME, iid);
    else if (e->name_text.p)
        e->name = strpool_intern(e->te->import->strings, e->name_text);
    e->name = track_event_translate(&e->te->translations.slice_names, e->name);
}

/* Reading. */

static void add_category_iids(struct track_event *e, const struct wire_field *f)
{
    if (f->type != WIRE_BYTES) {
        e->category_iid = f->value;
        e->n_categories++;
        return;
    }
    struct wire packed = wire_open(f->bytes);
    while (wire_varint(&packed, &e->category_iid))
        e->n_categories++;
}

static void read_event(struct track_event *e)
{
    struct wire w = wire_open(e->bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number < 64)
            e->seen |= UINT64_C(1) << f.number;
        else
            e->has_extension = true;
        switch (f.number) {
        case 3: add_category_iids(e, &f); break;
        case 6: e->legacy_bytes = f.bytes, e->has_legacy = true; break;
        case 9: e->type = (uint32_t)f.value, e->has_type = true; break;
        case 10: e->name_iid = f.value; break;
        case 11: e->track_uuid = f.value; break;
        case 22: e->category_text = f.bytes, e->n_categories++; break;
        case 23: e->name_text = f.bytes; break;
        default: break;
        }
    }
}

static void read_payload(struct track_event *e, const struct track_event_payload *payload)
{
    const int64_t *value = payload->values;
    if (payload->flags & EVENT_HAS_COUNTER) memcpy(&e->counter, value++, 8);
    if (payload->flags & EVENT_HAS_THREAD_TIME) e->has_thread_ts = true, e->thread_ts = *value++;
    if (payload->flags & EVENT_HAS_INSTRUCTIONS)
        e->has_instructions = true, e->instructions = *value++;
    e->extra = value;
    e->n_extra_int = payload->n_extra_int;
    e->n_extra = payload->n_extra;
}

/* Whose it is. */

static const struct import_file *file_of(const struct track_event *e)
{
    return e->te->file;
}

bool track_event_error(struct track_event *e)
{
    import_log(file_of(e), STAT_track_event_parser_errors, NO_BYTE_OFFSET, e->ts, NULL);
    return false;
}

static uint32_t thread_of_sequence(const struct track_event *e)
{
    return e->thread->is_known ? thread_intern_in(file_of(e), e->thread->tid, e->thread->pid)
                               : NULL_UINT32;
}

/* The emitting thread of an event on somebody else's track is kept as an arg. */
static void note_emitter(struct track_event *e)
{
    const struct track_event_track *track = e->descriptor;
    if (track->scope == SCOPE_THREAD || !e->thread->is_known) return;
    uint32_t utid = thread_of_sequence(e);
    if (track->scope == SCOPE_GLOBAL || thread_process(file_of(e), utid) == track->upid)
        e->passthrough_utid = utid;
}

static bool associate_legacy_thread(struct track_event *e)
{
    const struct import_file *file = file_of(e);
    int64_t pid = e->thread->pid, tid = e->thread->tid;
    if (track_event_legacy_has(e, 18)) pid = e->pid_override, tid = -1;
    if (track_event_legacy_has(e, 19)) tid = e->tid_override;
    if (pid == 0 || tid == 0) return track_event_error(e);
    e->utid = thread_intern_in(file, tid, pid);
    e->upid = thread_process(file, e->utid);
    return true;
}

static bool associate(struct track_event *e)
{
    struct track_events *te = e->te;
    bool has_uuid = track_event_has(e, 11);
    uint64_t uuid = has_uuid ? e->track_uuid : e->defaults->track_uuid;
    if (!uuid) {
        bool is_legacy = (!has_uuid || !e->has_type) && e->thread->is_known;
        is_legacy |=
            track_event_legacy_has(e, 18) || (track_event_legacy_has(e, 19) && e->thread->is_known);
        if (is_legacy) return associate_legacy_thread(e);
    }
    e->descriptor = track_event_track_get(te, uuid);
    if (e->descriptor->resolution != TRACK_RESOLVED &&
        !track_event_track_resolve(te, e->descriptor)) {
        e->descriptor = NULL;
        return track_event_error(e);
    }
    e->utid = e->descriptor->utid;
    e->upid = e->descriptor->upid;
    if (uuid) note_emitter(e);
    return true;
}

/* Counters. */

static void push_counter_by_thread(struct track_event *e, const char *type, string_id name,
                                   int64_t value)
{
    struct track_key key = {.type = type,
                            .event_type = TRACK_COUNTER,
                            .machine_id = file_of(e)->machine_id,
                            .n_dimensions = 1,
                            .dimensions = {dimension_int("utid", e->utid)}};
    struct track_info info = {.name = name};
    uint32_t track = track_intern(e->te->import->tracks, &key, &info);
    counter_push(file_of(e), e->ts, track, (double)value, NULL);
}

static void push_legacy_thread_counters(struct track_event *e)
{
    if (e->utid == NULL_UINT32) return;
    if (e->has_thread_ts)
        push_counter_by_thread(e, "thread_time", e->te->strings.thread_time, e->thread_ts);
    if (e->has_instructions)
        push_counter_by_thread(e, "thread_instructions", e->te->strings.thread_instruction_count,
                               e->instructions);
}

static bool push_extra(struct track_event *e, uint64_t uuid, int64_t bits)
{
    struct track_events *te = e->te;
    struct track_event_track *track = track_event_track_get(te, uuid);
    double value;
    memcpy(&value, &bits, 8);
    uint32_t row = track_event_track_row(te, track, EDGE_INSTANT, STRING_NULL);
    if (row == NULL_UINT32) return track_event_error(e);
    counter_push(file_of(e), e->ts, row, value, NULL);
    if (track->name == te->strings.thread_time) {
        e->has_thread_ts = true;
        e->thread_ts = (int64_t)value;
    } else if (track->name == te->strings.thread_instruction_count) {
        e->has_instructions = true;
        e->instructions = (int64_t)value;
    }
    return true;
}

/* Values [from, to) belong to the uuids of the event's own list, or of the
 * defaults'; that there are enough was checked when the event was tokenised. */
static bool push_extras_of(struct track_event *e, unsigned field, const uint64_t *defaults,
                           unsigned n_defaults, unsigned from, unsigned to)
{
    if (!track_event_has(e, field)) {
        for (unsigned i = 0; i < n_defaults && from < to; i++)
            if (!push_extra(e, defaults[i], e->extra[from++])) return false;
        return true;
    }
    struct wire w = wire_open(e->bytes);
    struct wire_field f;
    while (from < to && wire_next(&w, &f)) {
        if (f.number != field) continue;
        struct wire packed = wire_open(f.bytes);
        uint64_t uuid = f.value;
        bool more = f.type != WIRE_BYTES || wire_varint(&packed, &uuid);
        while (more && from < to) {
            if (!push_extra(e, uuid, e->extra[from++])) return false;
            more = f.type == WIRE_BYTES && wire_varint(&packed, &uuid);
        }
    }
    return true;
}

static bool push_extras(struct track_event *e)
{
    const struct track_event_defaults *d = e->defaults;
    return push_extras_of(e, 31, d->extra, d->n_extra, 0, e->n_extra_int) &&
           push_extras_of(e, 45, d->extra_double, d->n_extra_double, e->n_extra_int, e->n_extra);
}

static bool run_counter(struct track_event *e)
{
    if (!e->descriptor || !e->descriptor->is_counter) return track_event_error(e);
    uint32_t row = track_event_track_row(e->te, e->descriptor, EDGE_INSTANT, STRING_NULL);
    if (row == NULL_UINT32) return track_event_error(e);
    counter_push(file_of(e), e->ts, row, e->counter, NULL);
    return true;
}

static bool run_state(struct track_event *e)
{
    if (!e->descriptor || !e->descriptor->is_state) return track_event_error(e);
    uint32_t row = track_event_track_row(e->te, e->descriptor, EDGE_INSTANT, STRING_NULL);
    if (row == NULL_UINT32) return track_event_error(e);
    state_push(file_of(e), e->ts, row, e->category, e->name, track_event_args(e));
    return true;
}

/* Slices. */

static void set_slice(struct track_event *e, uint32_t column, uint32_t slice, int64_t value)
{
    table_set_int64(&e->te->import->tables->slice.table, column, slice, value);
}

void track_event_set_thread_times(struct track_event *e, uint32_t slice)
{
    if (e->has_thread_ts) set_slice(e, slice_COLUMN_thread_ts, slice, e->thread_ts);
    if (e->has_instructions)
        set_slice(e, slice_COLUMN_thread_instruction_count, slice, e->instructions);
}

static void end_thread_times(struct track_event *e, uint32_t slice)
{
    const struct slice_table *slices = &e->te->import->tables->slice;
    if (e->has_thread_ts && !column_is_null(&slices->thread_ts, slice)) {
        int64_t began = column_get_int64(&slices->thread_ts, slice);
        set_slice(e, slice_COLUMN_thread_dur, slice, wrapping_sub_int64(e->thread_ts, began));
    }
    if (e->has_instructions && !column_is_null(&slices->thread_instruction_count, slice)) {
        int64_t began = column_get_int64(&slices->thread_instruction_count, slice);
        set_slice(e, slice_COLUMN_thread_instruction_delta, slice,
                  wrapping_sub_int64(e->instructions, began));
    }
}

bool track_event_begin(struct track_event *e)
{
    uint32_t slice =
        slice_begin(file_of(e), e->ts, e->track, e->category, e->name, track_event_args(e));
    if (slice == NO_SLICE) return true;
    if (e->utid != NULL_UINT32) track_event_set_thread_times(e, slice);
    track_event_flows(e, slice);
    track_event_callstack(e, slice, false);
    return true;
}

bool track_event_end(struct track_event *e)
{
    uint32_t slice =
        slice_end(file_of(e), e->ts, e->track, e->category, e->name, track_event_args(e));
    if (slice == NO_SLICE) return true;
    if (e->utid != NULL_UINT32) end_thread_times(e, slice);
    track_event_flows(e, slice);
    track_event_callstack(e, slice, true);
    return true;
}

bool track_event_instant(struct track_event *e)
{
    uint32_t slice =
        slice_scoped(file_of(e), e->ts, 0, e->track, e->category, e->name, track_event_args(e));
    if (slice == NO_SLICE) return true;
    if (e->utid != NULL_UINT32) {
        track_event_set_thread_times(e, slice);
        if (e->has_thread_ts) set_slice(e, slice_COLUMN_thread_dur, slice, 0);
        if (e->has_instructions) set_slice(e, slice_COLUMN_thread_instruction_delta, slice, 0);
    }
    track_event_flows(e, slice);
    track_event_callstack(e, slice, false);
    return true;
}

bool track_event_place(struct track_event *e, enum track_event_edge edge)
{
    if (!e->descriptor) {
        if (e->track == NULL_UINT32)
            e->track = track_of_thread(e->te->import->tracks, file_of(e)->machine_id, e->utid);
        return true;
    }
    if (e->descriptor->is_counter || e->descriptor->is_state) return track_event_error(e);
    e->track = e->descriptor->row;
    if (e->track == NULL_UINT32)
        e->track = track_event_track_row(e->te, e->descriptor, edge, e->name);
    return e->track != NULL_UINT32 || track_event_error(e);
}

static bool run(struct track_event *e)
{
    if (e->has_legacy && !track_event_legacy_read(e)) return track_event_error(e);
    find_category(e);
    find_name(e);
    if (!associate(e)) return false;
    if (e->type == TRACK_EVENT_COUNTER) return run_counter(e);
    if (e->type == TRACK_EVENT_STATE) return run_state(e);
    if (e->phase && !track_event_legacy_associate(e)) return false;
    if (e->has_thread_ts || e->has_instructions) push_legacy_thread_counters(e);
    if (e->n_extra && !push_extras(e)) return false;
    if (e->phase) return track_event_legacy_run(e);
    switch (e->type) {
    case TRACK_EVENT_SLICE_BEGIN: return track_event_place(e, EDGE_BEGIN) && track_event_begin(e);
    case TRACK_EVENT_SLICE_END: return track_event_place(e, EDGE_END) && track_event_end(e);
    case TRACK_EVENT_INSTANT: return track_event_place(e, EDGE_INSTANT) && track_event_instant(e);
    default: return track_event_legacy_run(e);
    }
}

void track_event_parse(void *state, int64_t ts, const void *data)
{
    struct track_events *te = state;
    const struct track_event_payload *payload = data;
    struct track_event e = {
        .te = te,
        .sequence = payload->sequence,
        .thread = payload->thread,
        .packet = {.ts = ts,
                   .has_ts = true,
                   .file = te->file,
                   .reader = te->reader,
                   .sequence = payload->sequence->sequence,
                   .generation = payload->generation},
        .ts = ts,
        .bytes = {payload->bytes, payload->length},
        .track = NULL_UINT32,
        .utid = NULL_UINT32,
        .upid = NULL_UINT32,
        .passthrough_utid = NULL_UINT32,
    };
    e.defaults = track_event_defaults_of(&payload->sequence->parsing, &e.packet);
    read_event(&e);
    read_payload(&e, payload);
    run(&e);
    if (payload->generation) packet_release(payload->generation);
}
