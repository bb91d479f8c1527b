#include "tests/gen/event.h"

#include <assert.h>

#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };

enum event_field {
    EVENT_CATEGORY_IID = 3,
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    EVENT_EXTRA_VALUE = 12,
    EVENT_LOG = 21,
    EVENT_CATEGORY = 22,
    EVENT_NAME = 23,
    EVENT_COUNTER = 30,
    EVENT_EXTRA_TRACK = 31,
    EVENT_SOURCE_IID = 34,
    EVENT_DOUBLE_COUNTER = 44,
    EVENT_EXTRA_DOUBLE_TRACK = 45,
    EVENT_EXTRA_DOUBLE_VALUE = 46,
    EVENT_FLOW = 47,
    EVENT_LAST_FLOW = 48,
};

enum annotation_field {
    ANNOTATION_NAME_IID = 1,
    ANNOTATION_BOOL = 2,
    ANNOTATION_UINT = 3,
    ANNOTATION_INT = 4,
    ANNOTATION_DOUBLE = 5,
    ANNOTATION_TEXT = 6,
    ANNOTATION_POINTER = 7,
    ANNOTATION_JSON = 9,
    ANNOTATION_TEXT_IID = 17,
};

void gen_seq_start(struct gen_seq *seq, struct buffer *trace, uint32_t id)
{
    *seq = (struct gen_seq){.trace = trace, .id = id};
}

void gen_seq_clear_state(struct gen_seq *seq)
{
    strmap_free(&seq->iids);
    for (size_t i = 0; i < GEN_INTERNED_FIELDS; i++)
        seq->next_iid[i] = 0;
    seq->is_cleared = false;
}

void gen_seq_free(struct gen_seq *seq)
{
    buffer_free(&seq->event);
    buffer_free(&seq->interned);
    strmap_free(&seq->iids);
}

uint64_t gen_seq_intern_body(struct gen_seq *seq, enum gen_interned field, const char *key,
                             const struct buffer *body)
{
    struct buffer full_key = BUFFER_INIT;
    bool added = false;
    buffer_printf(&full_key, "%d:%s", (int)field, key);
    uint64_t iid =
        *strmap_put_if_absent(&seq->iids, buffer_str(&full_key), seq->next_iid[field] + 1, &added);
    buffer_free(&full_key);
    if (!added) return iid;
    seq->next_iid[field] = iid;
    size_t entry = gen_open(&seq->interned, (uint32_t)field);
    gen_uint(&seq->interned, 1, iid);
    buffer_append(&seq->interned, body->data, body->length);
    gen_close(&seq->interned, entry);
    return iid;
}

uint64_t gen_seq_intern(struct gen_seq *seq, enum gen_interned field, const char *text)
{
    struct buffer body = BUFFER_INIT;
    gen_text(&body, 2, text);
    uint64_t iid = gen_seq_intern_body(seq, field, text, &body);
    buffer_free(&body);
    return iid;
}

size_t gen_seq_packet_open(struct gen_seq *seq, int64_t ts_ns)
{
    size_t packet = gen_packet_open(seq->trace, ts_ns, seq->id);
    if (seq->clock_id) gen_uint(seq->trace, GEN_PACKET_CLOCK_ID, seq->clock_id);
    gen_uint(seq->trace, GEN_PACKET_SEQUENCE_FLAGS,
             FLAG_NEEDS_STATE | (seq->is_cleared ? 0 : FLAG_CLEARED));
    seq->is_cleared = true;
    return packet;
}

void gen_seq_packet_close(struct gen_seq *seq, size_t mark)
{
    if (seq->interned.length) gen_nested(seq->trace, GEN_PACKET_INTERNED_DATA, &seq->interned);
    buffer_clear(&seq->interned);
    gen_packet_close(seq->trace, mark);
}

static bool has_counter_fields(const struct gen_track *track)
{
    return track->is_counter || track->is_incremental || track->unit || track->unit_name ||
           track->unit_multiplier || track->builtin_counter || track->axis_key;
}

static void put_counter_descriptor(struct buffer *out, const struct gen_track *track)
{
    size_t counter = gen_open(out, 8);
    if (track->builtin_counter) gen_uint(out, 1, track->builtin_counter);
    if (track->unit) gen_uint(out, 3, track->unit);
    if (track->unit_multiplier) gen_int(out, 4, track->unit_multiplier);
    if (track->is_incremental) gen_uint(out, 5, 1);
    gen_text(out, 6, track->unit_name);
    gen_text(out, 7, track->axis_key);
    gen_close(out, counter);
}

static void put_process_descriptor(struct buffer *out, const struct gen_track *track)
{
    size_t process = gen_open(out, 3);
    gen_int(out, 1, track->pid);
    gen_text(out, 6, track->process_name);
    if (track->process_start_ns) gen_int(out, 7, track->process_start_ns);
    gen_text(out, 8, track->process_label);
    gen_close(out, process);
}

static void put_thread_descriptor(struct buffer *out, const struct gen_track *track)
{
    size_t thread = gen_open(out, 4);
    gen_int(out, 1, track->pid);
    gen_int(out, 2, track->tid);
    gen_text(out, 5, track->thread_name);
    gen_close(out, thread);
}

void gen_track_body(struct buffer *out, const struct gen_track *track)
{
    if (track->uuid) gen_uint(out, 1, track->uuid);
    gen_text(out, 2, track->name);
    if (track->tid)
        put_thread_descriptor(out, track);
    else if (track->pid)
        put_process_descriptor(out, track);
    if (track->parent) gen_uint(out, 5, track->parent);
    if (has_counter_fields(track)) put_counter_descriptor(out, track);
    if (track->no_system_merge) gen_uint(out, 9, 1);
    gen_text(out, 10, track->static_name);
    if (track->child_ordering) gen_uint(out, 11, track->child_ordering);
    if (track->order_rank) gen_int(out, 12, track->order_rank);
    gen_text(out, 13, track->atrace_name);
    gen_text(out, 14, track->description);
    if (track->merge) gen_uint(out, 15, track->merge);
    gen_text(out, 16, track->merge_key);
    if (track->merge_key_int) gen_uint(out, 17, track->merge_key_int);
    if (track->is_state) gen_bytes(out, 18, "", 0);
    if (track->process_ordering) gen_uint(out, 19, track->process_ordering);
    if (track->thread_ordering) gen_uint(out, 20, track->thread_ordering);
}

void gen_seq_track(struct gen_seq *seq, int64_t ts_ns, const struct gen_track *track)
{
    size_t packet = gen_seq_packet_open(seq, ts_ns);
    size_t descriptor = gen_open(seq->trace, GEN_PACKET_TRACK_DESCRIPTOR);
    gen_track_body(seq->trace, track);
    gen_close(seq->trace, descriptor);
    gen_seq_packet_close(seq, packet);
}

void gen_seq_defaults(struct gen_seq *seq, uint64_t track_uuid, const uint64_t *extra_counters,
                      size_t extra_count, uint32_t clock_id)
{
    size_t packet = gen_seq_packet_open(seq, -1);
    size_t defaults = gen_open(seq->trace, GEN_PACKET_DEFAULTS);
    size_t event = gen_open(seq->trace, 11);
    if (track_uuid) gen_uint(seq->trace, 11, track_uuid);
    for (size_t i = 0; i < extra_count; i++)
        gen_uint(seq->trace, EVENT_EXTRA_TRACK, extra_counters[i]);
    gen_close(seq->trace, event);
    if (clock_id) gen_uint(seq->trace, 58, clock_id);
    gen_close(seq->trace, defaults);
    gen_seq_packet_close(seq, packet);
}

void gen_event_open(struct gen_seq *seq, int64_t ts_ns, enum gen_event_type type,
                    uint64_t track_uuid)
{
    assert(seq->event.length == 0);
    seq->ts_ns = ts_ns;
    if (type) gen_uint(&seq->event, EVENT_TYPE, type);
    if (track_uuid) gen_uint(&seq->event, EVENT_TRACK, track_uuid);
}

void gen_event_close(struct gen_seq *seq)
{
    size_t packet = gen_seq_packet_open(seq, seq->ts_ns);
    gen_nested(seq->trace, GEN_PACKET_TRACK_EVENT, &seq->event);
    gen_seq_packet_close(seq, packet);
    buffer_clear(&seq->event);
}

struct buffer *gen_event_body(struct gen_seq *seq)
{
    return &seq->event;
}

void gen_event_name(struct gen_seq *seq, const char *name)
{
    gen_uint(&seq->event, EVENT_NAME_IID, gen_seq_intern(seq, GEN_INTERNED_NAME, name));
}

void gen_event_name_plain(struct gen_seq *seq, const char *name)
{
    gen_text(&seq->event, EVENT_NAME, name);
}

void gen_event_category(struct gen_seq *seq, const char *category)
{
    gen_uint(&seq->event, EVENT_CATEGORY_IID, gen_seq_intern(seq, GEN_INTERNED_CATEGORY, category));
}

void gen_event_category_plain(struct gen_seq *seq, const char *category)
{
    gen_text(&seq->event, EVENT_CATEGORY, category);
}

void gen_event_flow(struct gen_seq *seq, uint64_t id)
{
    gen_fixed64(&seq->event, EVENT_FLOW, id);
}

void gen_event_last_flow(struct gen_seq *seq, uint64_t id)
{
    gen_fixed64(&seq->event, EVENT_LAST_FLOW, id);
}

void gen_event_counter(struct gen_seq *seq, int64_t value)
{
    gen_int(&seq->event, EVENT_COUNTER, value);
}

void gen_event_counter_double(struct gen_seq *seq, double value)
{
    gen_double(&seq->event, EVENT_DOUBLE_COUNTER, value);
}

void gen_event_extra_counter(struct gen_seq *seq, uint64_t uuid, int64_t value)
{
    if (uuid) gen_uint(&seq->event, EVENT_EXTRA_TRACK, uuid);
    gen_int(&seq->event, EVENT_EXTRA_VALUE, value);
}

void gen_event_extra_counter_double(struct gen_seq *seq, uint64_t uuid, double value)
{
    if (uuid) gen_uint(&seq->event, EVENT_EXTRA_DOUBLE_TRACK, uuid);
    gen_double(&seq->event, EVENT_EXTRA_DOUBLE_VALUE, value);
}

static uint64_t intern_source(struct gen_seq *seq, const char *file, const char *function,
                              uint32_t line)
{
    struct buffer key = BUFFER_INIT, body = BUFFER_INIT;
    buffer_printf(&key, "%s|%s|%u", file, function, line);
    gen_text(&body, 2, file);
    gen_text(&body, 3, function);
    gen_uint(&body, 4, line);
    uint64_t iid = gen_seq_intern_body(seq, GEN_INTERNED_SOURCE_LOCATION, buffer_text(&key), &body);
    buffer_free(&key);
    buffer_free(&body);
    return iid;
}

void gen_event_source(struct gen_seq *seq, const char *file, const char *function, uint32_t line)
{
    gen_uint(&seq->event, EVENT_SOURCE_IID, intern_source(seq, file, function, line));
}

void gen_event_log(struct gen_seq *seq, const char *body, unsigned priority)
{
    uint64_t source = intern_source(seq, "log.cc", "Log", 12);
    uint64_t iid = gen_seq_intern(seq, GEN_INTERNED_LOG_BODY, body);
    size_t log = gen_open(&seq->event, EVENT_LOG);
    gen_uint(&seq->event, 1, source);
    gen_uint(&seq->event, 2, iid);
    if (priority) gen_uint(&seq->event, 3, priority);
    gen_close(&seq->event, log);
}

size_t gen_event_annotation_open(struct gen_seq *seq, const char *key)
{
    uint64_t iid = gen_seq_intern(seq, GEN_INTERNED_ANNOTATION_NAME, key);
    size_t mark = gen_open(&seq->event, EVENT_ANNOTATION);
    gen_uint(&seq->event, ANNOTATION_NAME_IID, iid);
    return mark;
}

void gen_event_annotation_close(struct gen_seq *seq, size_t mark)
{
    gen_close(&seq->event, mark);
}

void gen_event_bool(struct gen_seq *seq, const char *key, bool value)
{
    size_t mark = gen_event_annotation_open(seq, key);
    gen_uint(&seq->event, ANNOTATION_BOOL, value);
    gen_event_annotation_close(seq, mark);
}

void gen_event_uint(struct gen_seq *seq, const char *key, uint64_t value)
{
    size_t mark = gen_event_annotation_open(seq, key);
    gen_uint(&seq->event, ANNOTATION_UINT, value);
    gen_event_annotation_close(seq, mark);
}

void gen_event_int(struct gen_seq *seq, const char *key, int64_t value)
{
    size_t mark = gen_event_annotation_open(seq, key);
    gen_int(&seq->event, ANNOTATION_INT, value);
    gen_event_annotation_close(seq, mark);
}

void gen_event_double(struct gen_seq *seq, const char *key, double value)
{
    size_t mark = gen_event_annotation_open(seq, key);
    gen_double(&seq->event, ANNOTATION_DOUBLE, value);
    gen_event_annotation_close(seq, mark);
}

void gen_event_text(struct gen_seq *seq, const char *key, const char *value)
{
    size_t mark = gen_event_annotation_open(seq, key);
    gen_text(&seq->event, ANNOTATION_TEXT, value);
    gen_event_annotation_close(seq, mark);
}

void gen_event_text_interned(struct gen_seq *seq, const char *key, const char *value)
{
    size_t mark = gen_event_annotation_open(seq, key);
    gen_uint(&seq->event, ANNOTATION_TEXT_IID,
             gen_seq_intern(seq, GEN_INTERNED_ANNOTATION_STRING, value));
    gen_event_annotation_close(seq, mark);
}

void gen_event_pointer(struct gen_seq *seq, const char *key, uint64_t value)
{
    size_t mark = gen_event_annotation_open(seq, key);
    gen_uint(&seq->event, ANNOTATION_POINTER, value);
    gen_event_annotation_close(seq, mark);
}

void gen_event_json(struct gen_seq *seq, const char *key, const char *json)
{
    size_t mark = gen_event_annotation_open(seq, key);
    gen_text(&seq->event, ANNOTATION_JSON, json);
    gen_event_annotation_close(seq, mark);
}

void gen_slice_begin(struct gen_seq *seq, int64_t ts_ns, uint64_t track, const char *name)
{
    gen_event_open(seq, ts_ns, GEN_EVENT_BEGIN, track);
    gen_event_name(seq, name);
    gen_event_close(seq);
}

void gen_slice_end(struct gen_seq *seq, int64_t ts_ns, uint64_t track)
{
    gen_event_open(seq, ts_ns, GEN_EVENT_END, track);
    gen_event_close(seq);
}

void gen_instant(struct gen_seq *seq, int64_t ts_ns, uint64_t track, const char *name)
{
    gen_event_open(seq, ts_ns, GEN_EVENT_INSTANT, track);
    gen_event_name(seq, name);
    gen_event_close(seq);
}

void gen_counter(struct gen_seq *seq, int64_t ts_ns, uint64_t track, int64_t value)
{
    gen_event_open(seq, ts_ns, GEN_EVENT_COUNTER, track);
    gen_event_counter(seq, value);
    gen_event_close(seq);
}

void gen_counter_double(struct gen_seq *seq, int64_t ts_ns, uint64_t track, double value)
{
    gen_event_open(seq, ts_ns, GEN_EVENT_COUNTER, track);
    gen_event_counter_double(seq, value);
    gen_event_close(seq);
}

void gen_state(struct gen_seq *seq, int64_t ts_ns, uint64_t track, const char *name)
{
    gen_event_open(seq, ts_ns, GEN_EVENT_STATE, track);
    if (name) gen_event_name(seq, name);
    gen_event_close(seq);
}
