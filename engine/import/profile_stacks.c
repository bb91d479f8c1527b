#include "engine/import/profile_stacks.h"

#include "engine/base/buffer.h"
#include "engine/base/strpool.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

enum interned_field {
    INTERNED_FUNCTION = 5,
    INTERNED_FRAME = 6,
    INTERNED_CALLSTACK = 7,
    INTERNED_BUILD_ID = 16,
    INTERNED_PATH = 17,
    INTERNED_MAPPING = 19,
};

/* Deeper stacks are damage. */
#define MAX_FRAMES 65536

static struct map *map_of(struct profile_tables *tables, enum profile_table table)
{
    switch (table) {
    case PROFILE_STRINGS: return &tables->strings;
    case PROFILE_MAPPINGS: return &tables->mappings;
    case PROFILE_FRAMES: return &tables->frames;
    default: return &tables->callstacks;
    }
}

void profile_tables_add(struct profile_tables *tables, enum profile_table table, struct str entry)
{
    struct wire_field id;
    if (!wire_find(entry, 1, &id)) return;
    map_set(map_of(tables, table), id.value, tables->entries.count);
    vec_push(&tables->entries, entry);
}

void profile_tables_clear(struct profile_tables *tables)
{
    vec_clear(&tables->entries);
    map_clear(&tables->strings);
    map_clear(&tables->mappings);
    map_clear(&tables->frames);
    map_clear(&tables->callstacks);
}

void profile_tables_free(struct profile_tables *tables)
{
    vec_free(&tables->entries);
    map_free(&tables->strings);
    map_free(&tables->mappings);
    map_free(&tables->frames);
    map_free(&tables->callstacks);
}

static bool find_entry(const struct packet *packet, const struct profile_tables *tables,
                       enum profile_table table, enum interned_field interned, uint64_t id,
                       struct str *entry)
{
    if (tables) {
        uint64_t *index = map_get(map_of((struct profile_tables *)(uintptr_t)tables, table), id);
        if (index) {
            *entry = tables->entries.items[*index];
            return true;
        }
    }
    return packet->generation && packet_interned(packet, interned, id, entry);
}

static struct str find_text(const struct packet *packet, const struct profile_tables *tables,
                            enum interned_field interned, uint64_t id)
{
    struct str entry;
    struct wire_field text;
    if (id == 0 && !tables) { /* id 0 is the empty string where nobody wrote it */
        if (!packet->generation) return (struct str){"", 0};
    }
    if (!find_entry(packet, tables, PROFILE_STRINGS, interned, id, &entry)) {
        if (id != 0) stats_add(packet->file, STAT_stackprofile_invalid_string_id, 1);
        return (struct str){"", 0};
    }
    return wire_find(entry, 2, &text) && text.bytes.p ? text.bytes : (struct str){"", 0};
}

static uint32_t enter_mapping(const struct packet *packet, const struct profile_tables *tables,
                              uint32_t upid, uint64_t id)
{
    struct import *import = packet->file->import;
    struct str entry;
    if (!find_entry(packet, tables, PROFILE_MAPPINGS, INTERNED_MAPPING, id, &entry)) {
        stats_add(packet->file, STAT_stackprofile_invalid_mapping_id, 1);
        return NULL_UINT32;
    }
    struct stack_mapping mapping = {.scope = upid == NULL_UINT32 ? 0 : (uint64_t)upid + 1};
    uint64_t build_id = 0, part;
    struct buffer path = BUFFER_INIT;
    struct wire w = wire_open(entry);
    struct wire_field f;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 2: build_id = f.value; break;
        case 3: mapping.start_offset = (int64_t)f.value; break;
        case 4: mapping.start = (int64_t)f.value; break;
        case 5: mapping.end = (int64_t)f.value; break;
        case 6: mapping.load_bias = (int64_t)f.value; break;
        case 8: mapping.exact_offset = (int64_t)f.value; break;
        case 7: {
            struct wire packed = f.type == WIRE_BYTES ? wire_open(f.bytes) : wire_open(STR_NONE);
            bool single = f.type != WIRE_BYTES;
            for (part = f.value; single || wire_varint(&packed, &part); single = false) {
                struct str text = find_text(packet, tables, INTERNED_PATH, part);
                if (!str_starts(text, STR("/"))) buffer_append_byte(&path, '/');
                buffer_append_str(&path, text);
            }
            break;
        }
        default: break;
        }
    mapping.name = strpool_intern(import->strings, (struct str){buffer_text(&path), path.length});
    /* The kernel and its modules are the same for all. */
    if (str_is(buffer_str(&path), "/kernel") || str_ends(buffer_str(&path), STR(".ko")))
        mapping.scope = 0;
    mapping.build_id = stack_build_id(
        import->strings,
        build_id ? find_text(packet, tables, INTERNED_BUILD_ID, build_id) : (struct str){"", 0});
    buffer_free(&path);
    return stack_mapping_intern(import->stacks, &mapping);
}

static uint32_t enter_frame(const struct packet *packet, const struct profile_tables *tables,
                            uint32_t upid, uint64_t id)
{
    struct import *import = packet->file->import;
    struct str entry;
    if (!find_entry(packet, tables, PROFILE_FRAMES, INTERNED_FRAME, id, &entry)) {
        stats_add(packet->file, STAT_stackprofile_invalid_frame_id, 1);
        return NULL_UINT32;
    }
    uint64_t function = 0, mapping_id = 0;
    int64_t rel_pc = 0;
    struct wire w = wire_open(entry);
    struct wire_field f;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 2: function = f.value; break;
        case 3: mapping_id = f.value; break;
        case 4: rel_pc = (int64_t)f.value; break;
        default: break;
        }
    uint32_t mapping = enter_mapping(packet, tables, upid, mapping_id);
    if (mapping == NULL_UINT32) return NULL_UINT32;
    /* A frame that names no function has none, which is not the empty name. */
    struct str name = function ? find_text(packet, tables, INTERNED_FUNCTION, function) : STR_NONE;
    return stack_frame_intern(import->stacks, strpool_intern(import->strings, name), mapping,
                              rel_pc);
}

/* NULL_UINT32 when the stack has no frame. */
static uint32_t enter_callstack(const struct packet *packet, const struct profile_tables *tables,
                                uint32_t upid, struct str entry)
{
    uint32_t callsite = NULL_UINT32, n = 0;
    struct wire w = wire_open(entry);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number != 2) continue;
        struct wire packed = f.type == WIRE_BYTES ? wire_open(f.bytes) : wire_open(STR_NONE);
        bool single = f.type != WIRE_BYTES;
        uint64_t id = f.value;
        for (; (single || wire_varint(&packed, &id)) && n < MAX_FRAMES; single = false, n++) {
            uint32_t frame = enter_frame(packet, tables, upid, id);
            if (frame == NULL_UINT32) return NULL_UINT32;
            callsite = stack_callsite_intern(packet->file->import->stacks, callsite, frame, 0);
        }
    }
    if (n == 0) stats_add(packet->file, STAT_stackprofile_empty_callstack, 1);
    return callsite;
}

uint32_t profile_mapping(const struct packet *packet, uint64_t mapping_id)
{
    return enter_mapping(packet, NULL, NULL_UINT32, mapping_id);
}

uint32_t profile_callsite(const struct packet *packet, const struct profile_tables *tables,
                          uint32_t upid, uint64_t callstack_id)
{
    struct str entry;
    if (!find_entry(packet, tables, PROFILE_CALLSTACKS, INTERNED_CALLSTACK, callstack_id, &entry)) {
        stats_add(packet->file, STAT_stackprofile_invalid_callstack_id, 1);
        return NULL_UINT32;
    }
    struct wire_field frames;
    if (!wire_find(entry, 2, &frames)) {
        stats_add(packet->file, STAT_stackprofile_empty_callstack, 1);
        return NULL_UINT32;
    }
    return enter_callstack(packet, tables, upid, entry);
}

void profile_tables_enter_all(const struct packet *packet, const struct profile_tables *tables)
{
    struct wire_field id;
    /* In the order of the file, which is that of the rows. */
    for (size_t i = 0; i < tables->entries.count; i++) {
        if (!wire_find(tables->entries.items[i], 1, &id)) continue;
        uint64_t *index = map_get(&tables->frames, id.value);
        if (index && *index == i) enter_frame(packet, tables, NULL_UINT32, id.value);
    }
    for (size_t i = 0; i < tables->entries.count; i++) {
        if (!wire_find(tables->entries.items[i], 1, &id)) continue;
        uint64_t *index = map_get(&tables->callstacks, id.value);
        if (index && *index == i)
            enter_callstack(packet, tables, NULL_UINT32, tables->entries.items[i]);
    }
}
