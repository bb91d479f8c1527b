/* smaps_packet packets: the memory of each mapping of a process (spec engine_2 2.6),
 * one message a mapping or, in newer ones, a list for each column. */
#include "engine/import/packet.h"

#include "engine/base/strpool.h"
#include "engine/base/vec.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

enum { PACKET_SMAPS = 68 };
enum { SMAPS_PID = 1, SMAPS_ENTRY = 2, SMAPS_PACKED = 3 };
enum { PACKED_STRINGS = 1, PACKED_NAME, PACKED_COUNT, PACKED_FIRST, PACKED_LAST = 15 };

#define DELETED STR(" (deleted)")

struct smaps {
    struct import *import;
    struct profiler_smaps_row row;
};

static void enter(struct smaps *s, struct str path)
{
    struct strpool *strings = s->import->strings;
    string_id empty = strpool_intern_text(strings, "");
    struct profiler_smaps_row *row = &s->row;
    row->path = strpool_intern(strings, path.p ? path : (struct str){"", 0});
    row->is_deleted = str_ends(path, DELETED);
    row->path_trimmed = row->is_deleted
                            ? strpool_intern(strings, str_slice(path, 0, path.n - DELETED.n))
                            : row->path;
    if (!row->file_name) row->file_name = empty;
    if (!row->module_debugid) row->module_debugid = empty;
    if (!row->module_debug_path) row->module_debug_path = empty;
    profiler_smaps_append(&s->import->tables->profiler_smaps, row);
}

static void read_entry(const struct smaps *sample, struct str bytes)
{
    struct smaps s = *sample;
    struct strpool *strings = s.import->strings;
    struct str path = {"", 0};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    s.row.aggregate_count = 1;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: path = f.bytes; break;
        case 2: s.row.size_kb = (int64_t)f.value; break;
        case 3: s.row.private_dirty_kb = (int64_t)f.value; break;
        case 4: s.row.swap_kb = (int64_t)f.value; break;
        case 5: s.row.file_name = strpool_intern(strings, f.bytes); break;
        case 6: s.row.start_address = (int64_t)f.value; break;
        case 7: s.row.module_timestamp = (int64_t)f.value; break;
        case 8: s.row.module_debugid = strpool_intern(strings, f.bytes); break;
        case 9: s.row.module_debug_path = strpool_intern(strings, f.bytes); break;
        case 10: s.row.protection_flags = (int64_t)f.value; break;
        case 11: s.row.private_clean_resident_kb = (int64_t)f.value; break;
        case 12: s.row.shared_dirty_resident_kb = (int64_t)f.value; break;
        case 13: s.row.shared_clean_resident_kb = (int64_t)f.value; break;
        case 14: s.row.locked_kb = (int64_t)f.value; break;
        case 15: s.row.proportional_resident_kb = (int64_t)f.value; break;
        default: break;
        }
    enter(&s, path);
}

struct number_list VEC_OF(uint64_t);

struct packed_smaps {
    VEC(struct str) strings;
    struct number_list lists[PACKED_LAST + 1];
};

static void read_packed(struct packed_smaps *packed, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number > PACKED_LAST) continue;
        if (f.number == PACKED_STRINGS) {
            vec_push(&packed->strings, f.bytes.p ? f.bytes : (struct str){"", 0});
            continue;
        }
        struct wire numbers = wire_open(f.type == WIRE_BYTES ? f.bytes : STR_NONE);
        bool single = f.type != WIRE_BYTES;
        uint64_t value = f.value;
        for (; single || wire_varint(&numbers, &value); single = false)
            vec_push(&packed->lists[f.number], value);
    }
}

/* The i-th of a list; a column that nobody wrote is 0. */
static int64_t number_at(const struct packed_smaps *packed, uint32_t list, size_t i)
{
    const struct number_list *numbers = &packed->lists[list];
    return i < numbers->count ? (int64_t)numbers->items[i] : 0;
}

static void enter_packed(const struct smaps *sample, const struct import_file *file,
                         struct str bytes)
{
    struct packed_smaps packed = {0};
    read_packed(&packed, bytes);
    for (size_t i = 0; i < packed.lists[PACKED_NAME].count; i++) {
        struct smaps s = *sample;
        uint64_t name = packed.lists[PACKED_NAME].items[i];
        if (name >= packed.strings.count) {
            stats_add(file, STAT_smaps_parser_errors, 1);
            continue;
        }
        s.row.aggregate_count = (uint32_t)number_at(&packed, PACKED_COUNT, i);
        s.row.size_kb = number_at(&packed, PACKED_FIRST, i);
        s.row.rss_kb = number_at(&packed, 5, i);
        s.row.anonymous_kb = number_at(&packed, 6, i);
        s.row.swap_kb = number_at(&packed, 7, i);
        s.row.shared_clean_resident_kb = number_at(&packed, 8, i);
        s.row.shared_dirty_resident_kb = number_at(&packed, 9, i);
        s.row.private_clean_resident_kb = number_at(&packed, 10, i);
        s.row.private_dirty_kb = number_at(&packed, 11, i);
        s.row.locked_kb = number_at(&packed, 12, i);
        s.row.proportional_resident_kb = number_at(&packed, 13, i);
        s.row.pss_dirty_kb = number_at(&packed, 14, i);
        s.row.swap_pss_kb = number_at(&packed, 15, i);
        enter(&s, packed.strings.items[name]);
    }
    vec_free(&packed.strings);
    for (size_t i = 0; i <= PACKED_LAST; i++)
        vec_free(&packed.lists[i]);
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    struct wire w = wire_open(field);
    struct wire_field f;
    if (!wire_find(field, SMAPS_PID, &f)) f.value = 0;
    struct smaps s = {.import = packet->file->import};
    s.row.upid = process_intern(packet->file, (int32_t)f.value);
    s.row.ts = ts;
    while (wire_next(&w, &f)) {
        if (f.type != WIRE_BYTES) continue;
        if (f.number == SMAPS_ENTRY) read_entry(&s, f.bytes);
        if (f.number == SMAPS_PACKED) enter_packed(&s, packet->file, f.bytes);
    }
}

static const struct packet_module modules[] = {{PACKET_SMAPS, NULL, parse}};

const struct packet_source smaps_source = {.name = "smaps", .modules = modules, .n_modules = 1};
