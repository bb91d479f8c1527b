/* gpu_counter_event packets (spec engine_2 2.7).
 *
 * A value describes the time that ends at its packet: it is written into the row
 * before it, and a row of 0 waits for the next one.  Counters that look forwards
 * are written as they come. */
#include "engine/import/packet.h"

#include "engine/base/buffer.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"

enum { PACKET_GPU_COUNTER = 52, INTERNED_DESCRIPTOR = 47 };
enum { VALUE_FORWARDS = 2 };

#define NO_ROW NULL_UINT32

struct gpu_counter {
    uint32_t track;
    uint32_t last_row; /* that waits for its value */
    bool is_forwards;
};

struct gpu_counters {
    struct map by_id;       /* (descriptor, counter id) -> index; descriptor 0: inline ones */
    struct map descriptors; /* address of an interned descriptor that was read */
    VEC(struct gpu_counter) counters;
};

static uint64_t counter_key(uint64_t descriptor, uint64_t counter_id)
{
    return descriptor ? hash_mix(descriptor, counter_id) : counter_id;
}

static void append_unit(struct buffer *unit, const struct wire_field *f, char separator)
{
    struct wire packed = f->type == WIRE_BYTES ? wire_open(f->bytes) : wire_open(STR_NONE);
    bool single = f->type != WIRE_BYTES;
    uint64_t value = f->value;
    for (; single || wire_varint(&packed, &value); single = false) {
        if (separator) buffer_append_byte(unit, separator);
        buffer_printf(unit, "%u", (unsigned)value);
        separator = ':';
    }
}

static void read_unit(struct buffer *unit, struct str spec)
{
    struct wire w = wire_open(spec);
    struct wire_field f;
    bool has_denominator = false;
    while (wire_next(&w, &f))
        if (f.number == 7) append_unit(unit, &f, unit->length ? ':' : '\0');
    for (w = wire_open(spec); wire_next(&w, &f);) {
        if (f.number != 8) continue;
        append_unit(unit, &f, has_denominator ? ':' : '/');
        has_denominator = true;
    }
}

static void write_group(const struct import_file *file, int32_t group, uint32_t track,
                        string_id name, string_id description)
{
    struct gpu_counter_group_row row = {
        .group_id = group, .track_id = track, .name = name, .description = description};
    gpu_counter_group_append(&file->import->tables->gpu_counter_group, &row);
}

static void read_spec(struct gpu_counters *gpu, const struct import_file *file, int64_t ts,
                      uint64_t descriptor, int32_t gpu_id, struct str bytes)
{
    struct strpool *strings = file->import->strings;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    if (!field_has(&f, 1) || !field_has(&f, 2)) {
        import_log(file, STAT_gpu_counters_invalid_spec, NO_BYTE_OFFSET, ts, NULL);
        return;
    }
    bool added;
    map_put_if_absent(&gpu->by_id, counter_key(descriptor, field_uint(&f, 1)), gpu->counters.count,
                      &added);
    if (!added) { /* the first to describe a counter decides */
        if (descriptor == 0)
            import_log(file, STAT_gpu_counters_invalid_spec, NO_BYTE_OFFSET, ts, NULL);
        return;
    }
    struct track_key key = probe_key(file, "gpu_counter", TRACK_COUNTER);
    probe_dimension_int(&key, "ugpu", gpu_intern(file, (uint32_t)gpu_id));
    probe_dimension_int(&key, "gpu", gpu_id);
    probe_dimension_text(file, &key, "name", field_str(&f, 2));
    struct buffer unit = BUFFER_INIT;
    read_unit(&unit, bytes);
    struct arg_list args = {0};
    if (field_has(&f, 3))
        arg_list_put_string(&args, strpool_intern_text(strings, "description"),
                            strpool_intern(strings, field_str(&f, 3)));
    struct track_info info = {
        .name = strpool_intern(strings, field_str(&f, 2)),
        .unit = unit.length ? strpool_intern(strings, buffer_str(&unit)) : STRING_NULL,
        .source_args = &args,
    };
    struct gpu_counter counter = {.track = track_intern(file->import->tracks, &key, &info),
                                  .last_row = NO_ROW,
                                  .is_forwards = field_uint(&f, 11) == VALUE_FORWARDS};
    vec_push(&gpu->counters, counter);
    struct wire w = wire_open(bytes);
    struct wire_field part;
    while (wire_next(&w, &part))
        if (part.number == 10 && part.type == WIRE_VARINT)
            write_group(file, (int32_t)part.value, counter.track, STRING_NULL, STRING_NULL);
    buffer_free(&unit);
    vec_free(&args);
}

/* GpuCounterBlock and GpuCounterGroupSpec differ in one field number. */
static void read_group(struct gpu_counters *gpu, const struct import_file *file,
                       uint64_t descriptor, struct str bytes, uint32_t ids_field)
{
    struct strpool *strings = file->import->strings;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    uint32_t name = ids_field == 5 ? 3 : 2;
    struct wire w = wire_open(bytes);
    struct wire_field part;
    while (wire_next(&w, &part)) {
        if (part.number != ids_field) continue;
        struct wire packed = part.type == WIRE_BYTES ? wire_open(part.bytes) : wire_open(STR_NONE);
        bool single = part.type != WIRE_BYTES;
        uint64_t id = part.value;
        for (; single || wire_varint(&packed, &id); single = false) {
            uint64_t *index = map_get(&gpu->by_id, counter_key(descriptor, id));
            if (!index) continue;
            write_group(file, (int32_t)field_int(&f, 1), gpu->counters.items[*index].track,
                        strpool_intern(strings, field_str(&f, name)),
                        strpool_intern(strings, field_str(&f, name + 1)));
        }
    }
}

static void read_descriptor(struct gpu_counters *gpu, const struct import_file *file, int64_t ts,
                            uint64_t descriptor, int32_t gpu_id, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f))
        if (f.number == 1 && f.type == WIRE_BYTES)
            read_spec(gpu, file, ts, descriptor, gpu_id, f.bytes);
    for (w = wire_open(bytes); wire_next(&w, &f);) {
        if (f.number == 2 && f.type == WIRE_BYTES) read_group(gpu, file, descriptor, f.bytes, 5);
        if (f.number == 6 && f.type == WIRE_BYTES) read_group(gpu, file, descriptor, f.bytes, 4);
    }
}

/* Key of the interned descriptor: where it stands, which no two share. */
static uint64_t intern_descriptor(struct gpu_counters *gpu, const struct packet *packet, int64_t ts,
                                  uint64_t iid)
{
    struct str entry;
    struct wire_field f;
    if (!packet->generation || !packet_interned(packet, INTERNED_DESCRIPTOR, iid, &entry)) return 0;
    uint64_t key = (uint64_t)(uintptr_t)entry.p;
    bool added;
    map_put_if_absent(&gpu->descriptors, key, 0, &added);
    if (!added) return key;
    int32_t gpu_id = wire_find(entry, 3, &f) ? (int32_t)f.value : 0;
    if (wire_find(entry, 2, &f)) read_descriptor(gpu, packet->file, ts, key, gpu_id, f.bytes);
    return key;
}

static void push_value(struct gpu_counters *gpu, const struct import_file *file, int64_t ts,
                       uint64_t descriptor, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    if (!field_has(&f, 1) || !(field_has(&f, 2) || field_has(&f, 3))) return;
    uint64_t *index = map_get(&gpu->by_id, counter_key(descriptor, field_uint(&f, 1)));
    if (!index) {
        stats_add(file, STAT_gpu_counters_missing_spec, 1);
        return;
    }
    struct gpu_counter *counter = &gpu->counters.items[*index];
    double value = (double)field_int(&f, 2);
    if (!field_has(&f, 2)) {
        struct wire_field real = {.value = field_uint(&f, 3)};
        value = wire_double(&real);
    }
    if (counter->is_forwards) {
        counter_push(file, ts, counter->track, value, NULL);
        return;
    }
    if (counter->last_row != NO_ROW)
        table_set_double(&file->import->tables->counter.table, counter_COLUMN_value,
                         counter->last_row, value);
    counter->last_row = counter_push(file, ts, counter->track, 0, NULL);
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct gpu_counters *gpu = state;
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    uint64_t descriptor = 0;
    if (field_has(&f, 4)) {
        descriptor = intern_descriptor(gpu, packet, ts, field_uint(&f, 4));
        if (!descriptor) return;
    }
    if (field_has(&f, 1))
        read_descriptor(gpu, packet->file, ts, 0, (int32_t)field_int(&f, 3), field_str(&f, 1));
    struct wire w = wire_open(field);
    struct wire_field part;
    while (wire_next(&w, &part))
        if (part.number == 2 && part.type == WIRE_BYTES)
            push_value(gpu, packet->file, ts, descriptor, part.bytes);
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct gpu_counters));
}

static void finish(void *state)
{
    struct gpu_counters *gpu = state;
    map_free(&gpu->by_id);
    map_free(&gpu->descriptors);
    vec_free(&gpu->counters);
    mem_free(gpu);
}

static const struct packet_module modules[] = {{PACKET_GPU_COUNTER, NULL, parse}};

const struct packet_source gpu_counter_source = {
    .name = "gpu_counter",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
