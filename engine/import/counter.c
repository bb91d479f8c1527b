#include "engine/import/slice_parts.h"

#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/import/process.h"

struct pending_kind {
    struct thread_counter counter;
    struct import_file file; /* a copy: a packet reader's is gone when this is flushed */
};

struct pending_value {
    uint32_t row, utid, kind;
};

struct pending_counters {
    struct import *import;
    struct map kind_by_hash;
    VEC(struct pending_kind) kinds;
    VEC(struct pending_value) values;
};

struct pending_counters *pending_counters_new(struct import *import)
{
    struct pending_counters *p = mem_zero(1, sizeof *p);
    p->import = import;
    return p;
}

void pending_counters_free(struct pending_counters *p)
{
    if (!p) return;
    map_free(&p->kind_by_hash);
    vec_free(&p->kinds);
    vec_free(&p->values);
    mem_free(p);
}

uint32_t counter_push(const struct import_file *file, int64_t ts, uint32_t track, double value,
                      struct arg_list *args)
{
    struct import *import = file->import;
    struct counter_row row = {.ts = ts, .track_id = track, .value = value};
    if (args && args->count) row.arg_set_id = opt_row(args_commit(import->args, args));
    return counter_append(&import->tables->counter, &row);
}

static uint32_t kind_of(struct pending_counters *p, const struct import_file *file,
                        const struct thread_counter *counter)
{
    uint64_t h = hash_bytes(counter->process_type, strlen(counter->process_type));
    h = hash_mix(h, (uint64_t)file->machine_id << 32 | file->file_id);
    h = hash_mix(h, (uint64_t)counter->name << 32 | counter->unit);
    for (uint32_t i = 0; i < counter->n_dimensions; i++) {
        const struct track_dimension *d = &counter->dimensions[i];
        h = hash_mix(h, d->is_string ? (uint64_t)d->string : (uint64_t)d->integer);
    }
    bool added;
    uint64_t *kind = map_put_if_absent(&p->kind_by_hash, h, p->kinds.count, &added);
    if (added) vec_push(&p->kinds, (struct pending_kind){.counter = *counter, .file = *file});
    return (uint32_t)*kind;
}

uint32_t counter_push_for_thread(const struct import_file *file, int64_t ts, uint32_t utid,
                                 const struct thread_counter *counter, double value,
                                 struct arg_list *args)
{
    struct pending_counters *p = slice_tracker_counters(file->import->slices);
    uint32_t row = counter_push(file, ts, NULL_UINT32, value, args);
    vec_push(&p->values, (struct pending_value){row, utid, kind_of(p, file, counter)});
    return row;
}

static uint32_t track_of(struct pending_counters *p, const struct pending_value *value)
{
    const struct pending_kind *kind = &p->kinds.items[value->kind];
    const struct thread_counter *counter = &kind->counter;
    uint32_t upid = thread_process(&kind->file, value->utid);
    bool has_process = upid != NULL_UINT32;
    struct track_key key = {
        .type = has_process ? counter->process_type : counter->thread_type,
        .event_type = TRACK_COUNTER,
        .machine_id = kind->file.machine_id,
        .n_dimensions = 1 + counter->n_dimensions,
    };
    key.dimensions[0] =
        has_process ? dimension_int("upid", upid) : dimension_int("utid", value->utid);
    for (uint32_t i = 0; i < counter->n_dimensions; i++)
        key.dimensions[1 + i] = counter->dimensions[i];
    struct track_info info = {.name = counter->name, .unit = counter->unit};
    return track_intern(p->import->tracks, &key, &info);
}

void pending_counters_flush(struct pending_counters *p)
{
    struct map tracks = {0}; /* (utid, kind) -> track */
    for (size_t i = 0; i < p->values.count; i++) {
        const struct pending_value *value = &p->values.items[i];
        bool added;
        uint64_t *track =
            map_put_if_absent(&tracks, (uint64_t)value->utid << 32 | value->kind, 0, &added);
        if (added) *track = track_of(p, value);
        table_set_int64(&p->import->tables->counter.table, counter_COLUMN_track_id, value->row,
                        (int64_t)*track);
    }
    map_free(&tracks);
    vec_clear(&p->values);
}
