/* SAMPLE records: counters, call chain, the row of the sample (perf_event.h;
 * spec engine_2c 1.3, 1.4).  Fields stand in a fixed order, each only where the event
 * says so; what follows the call chain (registers, stack, branches) is not read.
 */
#include "engine/import/perf_data.h"

#include "engine/base/hash.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"

enum read_bit {
    READ_ENABLED = 1 << 0,
    READ_RUNNING = 1 << 1,
    READ_ID = 1 << 2,
    READ_GROUP = 1 << 3,
    READ_LOST = 1 << 4,
};

#define NOT_TIMEBASE ((uint64_t)1 << 62)

struct sample {
    uint64_t ip, period;
    uint32_t pid, tid, cpu;
    bool has_ip, has_cpu, has_period;
    struct perf_cursor counters; /* at the READ field */
    struct perf_cursor chain;    /* addresses */
};

static const char *const MODES[] = {NULL,         "kernel",       "user",
                                    "hypervisor", "guest_kernel", "guest_user"};

/* ---- reading ---- */

/* The size of a READ field, which is passed by. */
static void skip_counters(struct perf_cursor *c, uint64_t format)
{
    uint64_t n = perf_u64(c);
    size_t times = 8 * (size_t)__builtin_popcountll(format & (READ_ENABLED | READ_RUNNING));
    size_t each = 8 * (size_t)__builtin_popcountll(format & (READ_ID | READ_LOST));
    perf_skip(c, times);
    if (!(format & READ_GROUP)) {
        perf_skip(c, each);
    } else if (n > perf_left(c) / (8 + each)) {
        c->bad = true;
    } else {
        perf_skip(c, (size_t)n * (8 + each));
    }
}

static bool read_sample(const struct perf_attr *attr, struct perf_cursor *c, struct sample *s)
{
    uint64_t fields = attr->sample_type, identifier = 0;
    if (!(fields & PERF_TID) || !(fields & PERF_TIME)) return false;
    if (fields & PERF_IDENTIFIER) identifier = perf_u64(c);
    s->has_ip = fields & PERF_IP;
    if (s->has_ip) s->ip = perf_u64(c);
    s->pid = perf_u32(c);
    s->tid = perf_u32(c);
    perf_skip(c, 8); /* time */
    if (fields & PERF_ADDR) perf_skip(c, 8);
    if (fields & PERF_ID && perf_u64(c) != identifier && fields & PERF_IDENTIFIER) return false;
    if (fields & PERF_STREAM_ID) perf_skip(c, 8);
    s->has_cpu = fields & PERF_CPU;
    if (s->has_cpu) {
        s->cpu = perf_u32(c);
        perf_skip(c, 4);
    }
    s->has_period = fields & PERF_PERIOD;
    if (s->has_period) s->period = perf_u64(c);
    s->counters = *c;
    if (fields & PERF_READ) skip_counters(c, attr->read_format);
    if (fields & PERF_CALLCHAIN && !c->bad) {
        uint64_t n = perf_u64(c);
        if (n > perf_left(c) / 8) return false;
        s->chain = *c;
        s->chain.n = c->at + (size_t)n * 8;
    }
    return !c->bad;
}

/* ---- counters ---- */

struct counter_set {
    struct perf_data *data;
    const struct sample *sample;
    int64_t ts;
    uint32_t id; /* NULL_UINT32 while it is empty */
};

static uint32_t counter_track(const struct counter_set *set, const struct perf_attr *attr)
{
    struct perf_data *data = set->data;
    struct import *import = data->import;
    string_id name =
        attr->name != STRING_NULL ? attr->name : strpool_intern_text(import->strings, "");
    bool has_cpu = set->sample->has_cpu;
    struct track_key key =
        probe_key(data->file, has_cpu ? "perf_cpu_counter" : "perf_global_counter", TRACK_COUNTER);
    if (has_cpu) probe_dimension_int(&key, "cpu", set->sample->cpu);
    probe_dimension_int(&key, "perf_session_id", attr->session);
    key.dimensions[key.n_dimensions++] = dimension_string("name", name);
    struct arg_list args = {0};
    arg_list_put_bool(&args, strpool_intern_text(import->strings, "is_timebase"),
                      attr->period < NOT_TIMEBASE);
    struct track_info info = {.name = name, .source_args = &args};
    uint32_t track = track_intern(import->tracks, &key, &info);
    vec_free(&args);
    return track;
}

static void add_counter(struct counter_set *set, uint32_t track, uint64_t value)
{
    struct profiler_counter_set_table *table = &set->data->import->tables->profiler_counter_set;
    if (set->id == NULL_UINT32) set->id = table_rows(&table->table);
    struct profiler_counter_set_row row = {
        .counter_set_id = set->id,
        .counter_id = counter_push(set->data->file, set->ts, track, (double)value, NULL)};
    profiler_counter_set_append(table, &row);
}

/* The counters themselves, where the sample has them. */
static void add_values(struct counter_set *set, struct perf_attr *attr)
{
    struct perf_cursor c = set->sample->counters;
    uint64_t format = attr->read_format, n = 1, value = perf_u64(&c);
    if (format & READ_GROUP) n = value;
    if (format & READ_ENABLED) perf_skip(&c, 8);
    if (format & READ_RUNNING) perf_skip(&c, 8);
    for (uint64_t i = 0; i < n && !c.bad; i++) {
        if (format & READ_GROUP) value = perf_u64(&c);
        struct perf_attr *of = format & READ_ID ? perf_attr_by_id(set->data, perf_u64(&c)) : NULL;
        if (!(format & READ_GROUP) && !of) of = attr;
        if (format & READ_LOST) perf_skip(&c, 8);
        if (of) add_counter(set, counter_track(set, of), value);
    }
}

/* False when nobody says how many events the sample stands for. */
static bool add_counters(struct counter_set *set, struct perf_attr *attr)
{
    uint64_t period = set->sample->has_period ? set->sample->period : attr->period;
    if (attr->sample_type & PERF_READ) {
        add_values(set, attr);
        return true;
    }
    if (!set->sample->has_period && attr->is_frequency) return false;
    uint32_t track = counter_track(set, attr);
    bool added;
    uint64_t *sum = map_put_if_absent(&attr->sums, track, 0, &added);
    *sum += period;
    add_counter(set, track, *sum);
    return true;
}

/* ---- the call chain ---- */

/* Entries that are no addresses but say whose addresses follow. */
static bool read_mark(uint64_t entry, enum perf_mode *mode)
{
    if (entry < (uint64_t)-4095) return false;
    switch ((int64_t)entry) {
    case -32: *mode = PERF_MODE_HYPERVISOR; break;
    case -128: *mode = PERF_MODE_KERNEL; break;
    case -512: *mode = PERF_MODE_USER; break;
    case -2176: *mode = PERF_MODE_GUEST_KERNEL; break;
    case -2560: *mode = PERF_MODE_GUEST_USER; break;
    default: *mode = PERF_MODE_UNKNOWN; break;
    }
    return true;
}

/* Names that the reference does not read go beside the frame, as a symbolizer's do. */
static void put_symbol(struct import *import, uint32_t frame, string_id name)
{
    struct stack_profile_symbol_table *symbols = &import->tables->stack_profile_symbol;
    struct stack_profile_symbol_row row = {.symbol_set_id = table_rows(&symbols->table),
                                           .name = name};
    stack_profile_symbol_append(symbols, &row);
    table_set_int64(&import->tables->stack_profile_frame.table,
                    stack_profile_frame_COLUMN_symbol_set_id, frame, row.symbol_set_id);
}

static uint32_t intern_frame(struct perf_data *data, const struct perf_mapping *mapping,
                             uint64_t address)
{
    struct import *import = data->import;
    uint64_t rel_pc = address - mapping->start + mapping->offset;
    bool added, is_extra;
    uint64_t key = hash_mix(hash_mix(0, mapping->row), rel_pc);
    uint64_t *frame = map_put_if_absent(&data->frames, key, 0, &added);
    if (!added) return (uint32_t)*frame;
    string_id name = perf_symbols_find(data->symbols, mapping, rel_pc, &is_extra);
    string_id shown =
        name == STRING_NULL || is_extra ? strpool_intern_text(import->strings, "") : name;
    uint32_t row = stack_frame_intern(import->stacks, shown, mapping->row, (int64_t)rel_pc);
    if (name != STRING_NULL && is_extra) put_symbol(import, row, name);
    return (uint32_t)(*frame = row);
}

struct address {
    uint64_t ip;
    enum perf_mode mode;
};

static uint32_t intern_chain(struct perf_data *data, const struct sample *sample,
                             enum perf_mode mode)
{
    VEC(struct address) chain = {0};
    struct perf_cursor c = sample->chain;
    enum perf_mode now = mode;
    while (perf_left(&c) > 0) {
        uint64_t entry = perf_u64(&c);
        if (!read_mark(entry, &now)) vec_push(&chain, (struct address){entry, now});
    }
    if (chain.count == 0 && sample->has_ip) vec_push(&chain, (struct address){sample->ip, mode});
    uint32_t callsite = NULL_UINT32;
    for (size_t i = chain.count; i-- > 0;) {
        struct address a = chain.items[i];
        /* Callers stand behind their call: one byte back is in it. */
        if (i > 0 && a.ip != 0 && !data->is_simpleperf) a.ip--;
        const struct perf_mapping *mapping = perf_maps_find(data->maps, sample->pid, a.mode, a.ip);
        callsite = stack_callsite_intern(data->import->stacks, callsite,
                                         intern_frame(data, mapping, a.ip), 0);
    }
    vec_free(&chain);
    return callsite;
}

bool perf_sample_parse(struct perf_data *data, struct perf_attr *attr, struct perf_cursor c,
                       uint32_t misc, int64_t ts)
{
    struct import *import = data->import;
    struct sample sample = {0};
    enum perf_mode mode = misc & 7;
    if (!read_sample(attr, &c, &sample)) return false;
    struct counter_set set = {data, &sample, ts, NULL_UINT32};
    if (mode >= sizeof MODES / sizeof *MODES) mode = PERF_MODE_UNKNOWN;
    if (!add_counters(&set, attr)) return false;
    if (mode == PERF_MODE_UNKNOWN) stats_add(data->file, STAT_perf_samples_cpu_mode_unknown, 1);
    struct stack_sample row = {
        .ts = ts,
        .source = "linux.perf",
        .utid = thread_intern_in(data->file, (int32_t)sample.tid, (int32_t)sample.pid),
        .ucpu = sample.has_cpu ? cpu_intern(data->file, sample.cpu) : NULL_UINT32,
        .cpu_mode = strpool_intern_text(import->strings, MODES[mode]),
        .session = attr->session,
        .counter_set = set.id,
    };
    row.upid = thread_process(data->file, row.utid);
    row.callsite = intern_chain(data, &sample, mode);
    stack_sample_push(import->stacks, &row);
    return true;
}
