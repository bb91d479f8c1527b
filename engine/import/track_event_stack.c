/* Call stacks of events: interned ones, or frames written out in the event, root
 * first (spec engine_2 2.2, 2.6). */
#include "engine/import/track_event.h"

#include "engine/import/stack.h"

#define INLINE_MAPPING "track_event_inline"

enum { EVENT_CALLSTACK = 55, EVENT_CALLSTACK_IID = 56, EVENT_CALLSTACK_WEIGHT = 57 };

static string_id empty(const struct track_event *e)
{
    return strpool_intern(e->te->import->strings, STR(""));
}

/* Interned: a list of frames, each with a mapping. */

static string_id hex(struct track_event *e, struct str bytes)
{
    struct buffer *text = &e->te->text;
    buffer_clear(text);
    for (size_t i = 0; i < bytes.n; i++)
        buffer_printf(text, "%02x", (unsigned char)bytes.p[i]);
    return bytes.n ? strpool_intern(e->te->import->strings, buffer_str(text)) : empty(e);
}

static void append_path(struct track_event *e, struct buffer *path, uint64_t iid)
{
    string_id part = track_event_interned(e, INTERNED_MAPPING_PATH, iid);
    buffer_append_byte(path, '/');
    buffer_append_str(path, strpool_get(e->te->import->strings, part));
}

static uint32_t mapping_of(struct track_event *e, uint64_t iid)
{
    struct str entry, build_id = STR_NONE;
    struct stack_mapping mapping = {.build_id = empty(e)};
    struct buffer path = BUFFER_INIT;
    if (!iid || !packet_interned(&e->packet, INTERNED_MAPPING, iid, &entry)) entry = STR_NONE;
    struct wire w = wire_open(entry);
    struct wire_field f, text;
    while (wire_next(&w, &f)) {
        int64_t value = (int64_t)f.value;
        switch (f.number) {
        case 2:
            if (packet_interned(&e->packet, INTERNED_BUILD_ID, f.value, &build_id) &&
                wire_find(build_id, 2, &text))
                mapping.build_id = hex(e, text.bytes);
            break;
        case 3: mapping.start_offset = value; break;
        case 4: mapping.start = value; break;
        case 5: mapping.end = value; break;
        case 6: mapping.load_bias = value; break;
        case 7:
            if (f.type == WIRE_BYTES) {
                struct wire packed = wire_open(f.bytes);
                uint64_t part;
                while (wire_varint(&packed, &part))
                    append_path(e, &path, part);
            } else {
                append_path(e, &path, f.value);
            }
            break;
        case 8: mapping.exact_offset = value; break;
        default: break;
        }
    }
    /* A path that is absolute in its one part is left so. */
    struct str name = buffer_str(&path);
    if (name.n > 1 && name.p[1] == '/') name = str_slice(name, 1, name.n);
    mapping.name = name.n ? strpool_intern(e->te->import->strings, name) : empty(e);
    buffer_free(&path);
    return stack_mapping_intern(e->te->import->stacks, &mapping);
}

static uint32_t frame_of(struct track_event *e, uint64_t iid)
{
    struct str entry;
    uint64_t name_iid = 0, mapping_iid = 0;
    int64_t rel_pc = 0;
    if (!packet_interned(&e->packet, INTERNED_FRAME, iid, &entry)) entry = STR_NONE;
    struct wire w = wire_open(entry);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 2) name_iid = f.value;
        if (f.number == 3) mapping_iid = f.value;
        if (f.number == 4) rel_pc = (int64_t)f.value;
    }
    string_id name =
        name_iid ? track_event_interned(e, INTERNED_FUNCTION_NAME, name_iid) : empty(e);
    return stack_frame_intern(e->te->import->stacks, name, mapping_of(e, mapping_iid), rel_pc);
}

static uint32_t interned_callstack(struct track_event *e, uint64_t iid)
{
    struct str entry;
    uint32_t callsite = NULL_UINT32;
    struct stack_tracker *stacks = e->te->import->stacks;
    if (!packet_interned(&e->packet, INTERNED_CALLSTACK, iid, &entry)) return callsite;
    struct wire w = wire_open(entry);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        struct wire packed = wire_open(f.bytes);
        uint64_t frame = f.value;
        bool more = f.number == 2 && (f.type != WIRE_BYTES || wire_varint(&packed, &frame));
        while (more) {
            callsite = stack_callsite_intern(stacks, callsite, frame_of(e, frame), 0);
            more = f.type == WIRE_BYTES && wire_varint(&packed, &frame);
        }
    }
    return callsite;
}

/* Written out: names and no addresses. */

static uint32_t inline_callstack(struct track_event *e, struct str bytes)
{
    struct stack_tracker *stacks = e->te->import->stacks;
    struct strpool *strings = e->te->import->strings;
    struct stack_mapping mapping = {.build_id = empty(e),
                                    .name = strpool_intern(strings, STR(INLINE_MAPPING))};
    uint32_t mapping_row = stack_mapping_intern(stacks, &mapping), callsite = NULL_UINT32;
    struct wire w = wire_open(bytes);
    struct wire_field f, name;
    while (wire_next(&w, &f)) {
        if (f.number != 1 || !wire_is_bytes(&f)) continue;
        if (!wire_find(f.bytes, 1, &name)) name.bytes = STR("");
        uint32_t frame =
            stack_frame_intern(stacks, strpool_intern(strings, name.bytes), mapping_row, 0);
        callsite = stack_callsite_intern(stacks, callsite, frame, 0);
    }
    return callsite;
}

/* One row for a slice: what its begin says, then what its end adds. */
void track_event_put_callstack(struct track_event *e, uint32_t slice, bool is_end)
{
    struct track_events *te = e->te;
    struct track_event_callstacks_table *table = &te->import->tables->track_event_callstacks;
    struct track_event_callstacks_row row = {.slice_id = slice, .track_id = e->track};
    struct wire w = wire_open(e->bytes);
    struct wire_field f;
    uint32_t callsite = NULL_UINT32;
    while (wire_next(&w, &f)) {
        if (f.number == EVENT_CALLSTACK && wire_is_bytes(&f))
            callsite = inline_callstack(e, f.bytes);
        else if (f.number == EVENT_CALLSTACK_IID)
            callsite = interned_callstack(e, f.value);
        else if (f.number == EVENT_CALLSTACK_WEIGHT)
            row.weight = some_double(wire_double(&f));
    }
    if (callsite == NULL_UINT32) return;
    const uint64_t *begun = is_end ? map_get(&te->callstack_rows, slice) : NULL;
    if (begun) {
        uint32_t at = (uint32_t)*begun;
        table_set_int64(&table->table, track_event_callstacks_COLUMN_end_callsite_id, at, callsite);
        if (row.weight.has)
            table_set_double(&table->table, track_event_callstacks_COLUMN_weight, at,
                             row.weight.value);
        return;
    }
    if (is_end)
        row.end_callsite_id = some_uint32(callsite);
    else
        row.callsite_id = some_uint32(callsite);
    map_set(&te->callstack_rows, slice, track_event_callstacks_append(table, &row));
}
