/* What the files of the perf.data reader share, and nobody else.
 *
 * Reference of the format: Documentation/perf.data-file-format.txt in the kernel's
 * tools/perf, include/uapi/linux/perf_event.h (the records), and for simpleperf's own
 * parts system/extras/simpleperf/record_file.h and record.h of AOSP; what becomes
 * of it: spec engine_2c 1.  perf_data_file walks a file or a pipe's stream,
 * perf_data_attr knows the events, perf_data_features the sections behind the data,
 * perf_data_records the stream of records and their times, perf_data_sample and
 * perf_data_maps their rows.  Addresses are of the machine that recorded.
 */
#ifndef ENGINE_IMPORT_PERF_DATA_H
#define ENGINE_IMPORT_PERF_DATA_H

#include <string.h>

#include "engine/import/perf_address_space.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/damage.h"
#include "engine/import/import.h"

/* ---- bytes ---- */

/* A cursor that never leaves its bytes: past the end it gives 0 and is bad. */
struct perf_cursor {
    const uint8_t *p;
    size_t n, at;
    bool is_swapped; /* big-endian */
    bool bad;
};

static inline uint64_t perf_read(struct perf_cursor *c, size_t bytes)
{
    uint64_t value = 0;
    if (c->n - c->at < bytes) {
        c->bad = true;
        c->at = c->n;
        return 0;
    }
    memcpy(&value, c->p + c->at, bytes);
    if (c->is_swapped) value = __builtin_bswap64(value) >> (64 - 8 * bytes);
    c->at += bytes;
    return value;
}

static inline uint64_t perf_u64(struct perf_cursor *c)
{
    return perf_read(c, 8);
}

static inline uint32_t perf_u32(struct perf_cursor *c)
{
    return (uint32_t)perf_read(c, 4);
}

static inline void perf_skip(struct perf_cursor *c, size_t bytes)
{
    if (c->n - c->at < bytes) {
        c->bad = true;
        c->at = c->n;
    } else {
        c->at += bytes;
    }
}

static inline size_t perf_left(const struct perf_cursor *c)
{
    return c->n - c->at;
}

/* `bytes` of it as a part, and past them. */
struct str perf_take(struct perf_cursor *c, size_t bytes);
/* Text up to its NUL or the end of the bytes; past the NUL. */
struct str perf_text(struct perf_cursor *c);
/* u32 length, then text that ends in NUL inside it. */
struct str perf_sized_text(struct perf_cursor *c);
struct perf_cursor perf_cursor_at(struct str bytes, bool is_swapped);

/* ---- events ---- */

enum perf_sample_bit {
    PERF_IP = 1 << 0,
    PERF_TID = 1 << 1,
    PERF_TIME = 1 << 2,
    PERF_ADDR = 1 << 3,
    PERF_READ = 1 << 4,
    PERF_CALLCHAIN = 1 << 5,
    PERF_ID = 1 << 6,
    PERF_CPU = 1 << 7,
    PERF_PERIOD = 1 << 8,
    PERF_STREAM_ID = 1 << 9,
    PERF_IDENTIFIER = 1 << 16,
};

/* One perf_event_attr. */
struct perf_attr {
    uint32_t type;
    uint64_t config, period, sample_type, read_format;
    bool is_frequency, has_sample_id_all, has_clock_id, has_ids;
    int32_t clock_id;
    uint32_t clock;   /* CLOCK_ID_*; 0: not one that we know */
    uint32_t session; /* row of profiler_session */
    string_id name;
    struct map sums; /* by track: events so far */
};

/* ---- symbols ---- */

struct perf_symbol {
    uint64_t address, length;
    string_id name;
};

/* A file's symbols.  What old files say (feature 128) is kept apart from the
 * names of frames, as the reference does not read it. */
struct perf_dso {
    uint64_t load_bias;
    bool is_absolute; /* addresses of memory, not of the file */
    bool is_extra;
    bool has_bias;                   /* else symbols count from the start of the mapping */
    VEC(struct perf_symbol) symbols; /* by address once sorted */
    bool is_sorted;
};

struct perf_symbols;
struct perf_symbols *perf_symbols_new(struct import *import);
void perf_symbols_free(struct perf_symbols *symbols);
/* simpleperf's FILE (1) and FILE2 sections.  False when they are damaged; what came
 * before is kept. */
bool perf_symbols_read_file(struct perf_symbols *symbols, struct perf_cursor section);
bool perf_symbols_read_file2(struct perf_symbols *symbols, struct perf_cursor section);

struct perf_mapping;
/* The name of the function at rel_pc; STRING_NULL when nobody knows.  *is_extra: of
 * feature 128. */
string_id perf_symbols_find(struct perf_symbols *symbols, const struct perf_mapping *mapping,
                            uint64_t rel_pc, bool *is_extra);

/* ---- mappings ---- */

struct perf_data;
struct perf_maps;
struct perf_maps *perf_maps_new(struct perf_data *data);
void perf_maps_free(struct perf_maps *maps);
/* Modes of perf_event_header.misc. */
enum perf_mode {
    PERF_MODE_UNKNOWN,
    PERF_MODE_KERNEL,
    PERF_MODE_USER,
    PERF_MODE_HYPERVISOR,
    PERF_MODE_GUEST_KERNEL,
    PERF_MODE_GUEST_USER,
};
static inline bool perf_mode_is_kernel(enum perf_mode mode)
{
    return mode == PERF_MODE_KERNEL || mode == PERF_MODE_GUEST_KERNEL;
}
/* MMAP and MMAP2 records.  False when they are damaged. */
bool perf_maps_read(struct perf_maps *maps, struct perf_cursor body, bool is_mmap2, uint32_t misc,
                    int64_t ts);
/* The child has what the parent has. */
void perf_maps_fork(struct perf_maps *maps, uint32_t child, uint32_t parent);
/* The mapping of the address, or the process's stand-in (which is counted). */
const struct perf_mapping *perf_maps_find(struct perf_maps *maps, uint32_t pid, enum perf_mode mode,
                                          uint64_t address);

/* ---- the file ---- */

enum { PERF_HEADER = 8 }; /* bytes of perf_event_header */

struct perf_aux;
struct perf_records;

struct perf_data {
    struct import_file *file;
    struct import *import;
    struct str bytes;
    bool is_swapped, is_pipe;
    bool is_simpleperf; /* has its feature sections */
    struct damage damage;

    VEC(struct perf_attr) attrs;
    struct map attr_by_id; /* event id -> index in attrs */
    string_id cmdline;
    struct map build_ids; /* perf_build_id_key -> string_id of the hex */
    struct map frames;    /* (mapping, rel_pc) -> row of stack_profile_frame */

    struct perf_symbols *symbols;
    struct perf_maps *maps;
    struct perf_aux *aux;
    struct perf_records *records;
};

/* pid -1: of that name in any process. */
static inline uint64_t perf_build_id_key(int32_t pid, string_id name)
{
    return (uint64_t)(uint32_t)pid << 32 | name;
}

/* Offsets of inflated records are those of the record that they were packed in. */
static inline void perf_log(struct perf_data *data, enum stat stat, size_t offset, const char *text)
{
    damage_log(&data->damage, stat, offset, text);
}

/* perf_data_attr.c.  attr: the bytes of a perf_event_attr.  False when it is too
 * short to be one. */
bool perf_attr_add(struct perf_data *data, struct str attr, struct perf_cursor ids);
/* After the last one: trace time, rows of profiler_session. */
void perf_attr_choose_clock(struct perf_data *data);
void perf_attr_enter_sessions(struct perf_data *data);
/* The attr of a record by its ids; NULL when there is none, *wrong says why when
 * there should be one. */
struct perf_attr *perf_attr_of_record(struct perf_data *data, uint32_t type, struct str body,
                                      const char **wrong);
/* The time field; false when there is none. */
bool perf_attr_record_time(const struct perf_data *data, const struct perf_attr *attr,
                           uint32_t type, struct str body, uint64_t *time);
struct perf_attr *perf_attr_by_id(struct perf_data *data, uint64_t id);

/* perf_data_features.c: one feature section. */
void perf_feature_read(struct perf_data *data, uint32_t feature, struct str section);
/* A build id record, without its header. */
bool perf_feature_read_build_id(struct perf_data *data, struct str body, uint32_t misc);

/* perf_data_records.c. */
struct perf_records *perf_records_new(struct perf_data *data);
void perf_records_free(struct perf_records *records);
/* The records of a section of the file.  Stops at damage that hides where the next
 * record begins; false then. */
bool perf_records_read(struct perf_data *data, struct str section);
/* After the last section: what waited for the end. */
void perf_records_finish(struct perf_data *data);

/* perf_data_sample.c.  False when the record is damaged or lacks what a sample
 * needs. */
bool perf_sample_parse(struct perf_data *data, struct perf_attr *attr, struct perf_cursor body,
                       uint32_t misc, int64_t ts);

/* perf_data_aux.c: what hardware tracing left, which is counted only. */
struct perf_aux *perf_aux_new(struct perf_data *data);
void perf_aux_free(struct perf_aux *aux);
bool perf_aux_read_info(struct perf_aux *aux, struct perf_cursor body);
/* `cpu`: of the record's sample id; UINT32_MAX when it has none. */
bool perf_aux_read_record(struct perf_aux *aux, struct perf_cursor body, uint32_t cpu);
/* *size: bytes that follow the record. */
bool perf_aux_read_trace(struct perf_aux *aux, struct perf_cursor body, uint64_t *size);
void perf_aux_finish(struct perf_aux *aux);

/* perf_data_inflate.c: records packed by zstd (types 81 and 83), one stream for the
 * whole file. */
struct perf_inflate;
struct perf_inflate *perf_inflate_new(void);
void perf_inflate_free(struct perf_inflate *inflate);
/* Whole records that the packed bytes complete; a cut one waits for the next call.
 * The bytes stay until perf_inflate_free.  NULL, or what is wrong. */
const char *perf_inflate_add(struct perf_inflate *inflate, struct str packed, bool is_swapped,
                             struct str *records);

#endif
