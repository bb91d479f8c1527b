/* The records of a perf.data file: where each begins, when it happened, and what the
 * small ones say (perf_event.h, tools/lib/perf/include/perf/event.h; spec engine_2c
 * 1.3).
 *
 * Records of the recorder itself have no time: they wait for the next one that has.
 * Names of commands come at the end: the recorder writes those of the threads that
 * it found at its start with no time either, and they hold for the whole trace.
 */
#include "engine/import/perf_data.h"

#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"

enum record_type {
    RECORD_MMAP = 1,
    RECORD_LOST = 2,
    RECORD_COMM = 3,
    RECORD_FORK = 7,
    RECORD_SAMPLE = 9,
    RECORD_MMAP2 = 10,
    RECORD_AUX = 11,
    RECORD_ITRACE_START = 12,
    RECORD_LOST_SAMPLES = 13,
    RECORD_HEADER_ATTR = 64,
    RECORD_EVENT_TYPE = 65,
    RECORD_TRACING_DATA = 66,
    RECORD_BUILD_ID = 67,
    RECORD_FINISHED_ROUND = 68,
    RECORD_ID_INDEX = 69,
    RECORD_AUXTRACE_INFO = 70,
    RECORD_AUXTRACE = 71,
    RECORD_THREAD_MAP = 73,
    RECORD_CPU_MAP = 74,
    RECORD_EVENT_UPDATE = 78,
    RECORD_TIME_CONV = 79,
    RECORD_HEADER_FEATURE = 80,
    RECORD_COMPRESSED = 81,
    RECORD_FINISHED_INIT = 82,
    RECORD_COMPRESSED2 = 83,
    RECORD_SIMPLEPERF = 32768, /* and above: the size has 32 bits */
};

/* Of FORK: the recorder found the process as it was, and tells its mappings too. */
#define MISC_FOUND (1 << 13)
#define NO_ATTR    UINT32_MAX
#define POLL_EVERY 4096

/* In the sorter. */
struct queued {
    const char *body; /* behind the header */
    uint32_t length, type, misc;
    uint32_t attr; /* index, or NO_ATTR */
};

struct pending {
    struct queued record;
    bool has_ts;
    int64_t ts;
};

struct perf_records {
    uint32_t queue, sink;
    VEC(struct pending) waiting, comms;
    bool has_earliest, has_converted;
    int64_t earliest; /* of the records so far */
    uint64_t n_records;
    struct perf_inflate *inflate;
};

/* ---- rows ---- */

static struct perf_cursor cursor_of(const struct perf_data *data, const struct queued *q)
{
    return perf_cursor_at((struct str){q->body, q->length}, data->is_swapped);
}

static bool parse_comm(struct perf_data *data, struct perf_cursor c)
{
    int32_t pid = (int32_t)perf_u32(&c), tid = (int32_t)perf_u32(&c);
    if (c.bad) return false;
    string_id name = strpool_intern(data->import->strings, perf_text(&c));
    uint32_t utid = thread_intern_in(data->file, tid, pid);
    thread_set_name_and_process(data->file, utid, name, THREAD_NAME_OTHER);
    return true;
}

/* Only what a child inherits is taken from it: like trace processor we count the
 * record itself as one that is not read. */
static void parse_fork(struct perf_data *data, struct perf_cursor c, uint32_t misc)
{
    uint32_t child = perf_u32(&c), parent = perf_u32(&c);
    if (!c.bad && !(misc & MISC_FOUND)) perf_maps_fork(data->maps, child, parent);
}

static bool parse_itrace_start(struct perf_data *data, struct perf_cursor c)
{
    int32_t pid = (int32_t)perf_u32(&c), tid = (int32_t)perf_u32(&c);
    if (!c.bad) thread_intern_in(data->file, tid, pid);
    return !c.bad;
}

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct perf_data *data = owner;
    const struct queued *q = payload;
    struct perf_cursor c = cursor_of(data, q);
    bool good = false;
    switch (q->type) {
    case RECORD_COMM: good = parse_comm(data, c); break;
    case RECORD_SAMPLE:
        good = q->attr != NO_ATTR &&
               perf_sample_parse(data, &data->attrs.items[q->attr], c, q->misc, ts);
        break;
    case RECORD_MMAP: good = perf_maps_read(data->maps, c, false, q->misc, ts); break;
    case RECORD_MMAP2: good = perf_maps_read(data->maps, c, true, q->misc, ts); break;
    case RECORD_ITRACE_START: good = parse_itrace_start(data, c); break;
    case RECORD_FORK: parse_fork(data, c, q->misc); __attribute__((fallthrough));
    default: stats_add_indexed(data->file, STAT_perf_unknown_record_type, q->type, 1); break;
    }
    if (!good) stats_add_indexed(data->file, STAT_perf_record_skipped, q->type, 1);
}

/* ---- order ---- */

static void push(struct perf_data *data, const struct queued *q, int64_t ts)
{
    struct perf_records *r = data->records;
    struct queued *to = sorter_push(data->import->sorter, r->queue, r->sink, ts, sizeof *to);
    *to = *q;
}

/* The reference finds at the first record that MONOTONIC, which it took the file for,
 * has no way to a kernel clock that is trace time, and says so once. */
static void say_unrelatable(struct perf_data *data)
{
    int64_t ignored;
    if (data->records->has_converted) return;
    data->records->has_converted = true;
    if (data->is_pipe) perf_attr_choose_clock(data);
    if (data->file->has_pinned_clock) return;
    for (size_t i = 0; i < data->attrs.count; i++)
        if (data->attrs.items[i].has_ids && data->attrs.items[i].clock == CLOCK_ID_PERF) {
            clock_to_trace_time(data->file, CLOCK_ID_MONOTONIC, 0, 0, true, &ignored);
            return;
        }
}

enum time_result { TIME_NONE, TIME_GOOD, TIME_LOST };

static enum time_result find_time(struct perf_data *data, const struct perf_attr *attr,
                                  const struct queued *q, int64_t *ts)
{
    struct str body = {q->body, q->length};
    uint64_t time;
    if (!attr || !perf_attr_record_time(data, attr, q->type, body, &time) || time == 0)
        return TIME_NONE;
    if (time > INT64_MAX) return TIME_LOST;
    say_unrelatable(data);
    uint32_t clock = data->file->has_pinned_clock ? CLOCK_ID_TRACE_FILE : attr->clock;
    if (clock == 0) return TIME_LOST;
    if (clock_to_trace_time(data->file, clock, 0, (int64_t)time, true, ts) != CLOCK_OK)
        return TIME_LOST; /* counted there */
    return TIME_GOOD;
}

/* Gives the record its place in time. */
static void place(struct perf_data *data, const struct perf_attr *attr, const struct queued *q)
{
    struct perf_records *r = data->records;
    struct pending pending = {.record = *q};
    enum time_result result = find_time(data, attr, q, &pending.ts);
    if (result == TIME_LOST) {
        stats_add_indexed(data->file, STAT_perf_record_skipped, q->type, 1);
        return;
    }
    pending.has_ts = result == TIME_GOOD;
    if (pending.has_ts && (!r->has_earliest || pending.ts < r->earliest)) {
        r->earliest = pending.ts;
        r->has_earliest = true;
    }
    if (q->type == RECORD_COMM) {
        vec_push(&r->comms, pending);
        return;
    }
    if (!pending.has_ts) {
        vec_push(&r->waiting, pending);
        return;
    }
    for (size_t i = 0; i < r->waiting.count; i++)
        push(data, &r->waiting.items[i].record, r->earliest);
    vec_clear(&r->waiting);
    push(data, q, pending.ts);
}

void perf_records_finish(struct perf_data *data)
{
    struct perf_records *r = data->records;
    for (size_t i = 0; i < r->comms.count && r->has_earliest; i++) {
        const struct pending *comm = &r->comms.items[i];
        push(data, &comm->record, comm->has_ts ? comm->ts : r->earliest);
    }
    perf_aux_finish(data->aux);
}

/* ---- records that are read at once ---- */

static uint32_t cpu_of(const struct perf_data *data, const struct perf_attr *attr,
                       const struct queued *q)
{
    struct perf_cursor c = cursor_of(data, q);
    size_t behind = attr && attr->sample_type & PERF_IDENTIFIER ? 16 : 8;
    if (!attr || !attr->has_sample_id_all || !(attr->sample_type & PERF_CPU) || c.n < behind)
        return UINT32_MAX;
    c.at = c.n - behind;
    return perf_u32(&c);
}

/* How many records the kernel could not write. */
static void count_lost(struct perf_data *data, const struct queued *q)
{
    struct perf_cursor c = cursor_of(data, q);
    if (q->type == RECORD_LOST) perf_skip(&c, 8); /* id */
    uint64_t lost = perf_u64(&c);
    if (!c.bad && lost <= INT64_MAX) stats_add(data->file, STAT_perfetty_perf_lost, (int64_t)lost);
}

/* Pipe mode: an event and its ids. */
static bool read_attr(struct perf_data *data, const struct queued *q)
{
    struct perf_cursor c = cursor_of(data, q);
    perf_skip(&c, 4);
    uint32_t size = perf_u32(&c);
    c.at = 0;
    struct str attr = perf_take(&c, size);
    return !c.bad && perf_attr_add(data, attr, c);
}

/* A name for an event, from tools that know more than the kernel. */
static bool read_event_update(struct perf_data *data, const struct queued *q)
{
    enum { UPDATE_NAME = 2 };
    struct perf_cursor c = cursor_of(data, q);
    uint64_t kind = perf_u64(&c);
    struct perf_attr *attr = perf_attr_by_id(data, perf_u64(&c));
    if (!c.bad && kind == UPDATE_NAME && attr)
        attr->name = strpool_intern(data->import->strings, perf_text(&c));
    return !c.bad;
}

/* What only the pipe has as records.  False: it is none of them. */
static bool read_pipe_record(struct perf_data *data, const struct queued *q, size_t offset,
                             uint64_t *behind)
{
    struct perf_cursor c = cursor_of(data, q);
    bool good = true;
    switch (q->type) {
    case RECORD_HEADER_ATTR: good = read_attr(data, q); break;
    case RECORD_EVENT_TYPE:
    case RECORD_FINISHED_ROUND:
    case RECORD_ID_INDEX:
    case RECORD_THREAD_MAP:
    case RECORD_CPU_MAP:
    case RECORD_FINISHED_INIT: break; /* says nothing that the records do not say */
    case RECORD_TRACING_DATA: *behind = ((uint64_t)perf_u32(&c) + 7) & ~(uint64_t)7; break;
    case RECORD_BUILD_ID:
        good = perf_feature_read_build_id(data, (struct str){q->body, q->length}, q->misc);
        break;
    case RECORD_EVENT_UPDATE: good = read_event_update(data, q); break;
    case RECORD_HEADER_FEATURE: {
        uint64_t feature = perf_u64(&c);
        if (c.bad || feature >= 256) return true;
        perf_feature_read(data, (uint32_t)feature, perf_take(&c, perf_left(&c)));
        break;
    }
    default: return false;
    }
    if (!good)
        perf_log(data, STAT_perfetty_input_corrupt, offset, "a record of the head is damaged");
    return true;
}

static bool read_records(struct perf_data *data, struct str bytes, bool is_inflated, size_t offset);

static void read_packed(struct perf_data *data, const struct queued *q, bool is_inflated,
                        size_t offset)
{
    struct perf_records *r = data->records;
    struct perf_cursor c = cursor_of(data, q);
    struct str packed = {q->body, q->length}, records = STR_NONE;
    if (q->type == RECORD_COMPRESSED2) {
        uint64_t size = perf_u64(&c); /* the record is padded */
        packed = perf_take(&c, size < perf_left(&c) ? (size_t)size : perf_left(&c));
    }
    if (!r->inflate) r->inflate = perf_inflate_new();
    const char *wrong = is_inflated
                            ? "packed records inside packed records"
                            : perf_inflate_add(r->inflate, packed, data->is_swapped, &records);
    if (wrong) perf_log(data, STAT_perfetty_input_corrupt, offset, wrong);
    read_records(data, records, true, offset);
}

/* ---- the stream ---- */

/* One record; *behind: bytes of data that follow it. */
static void read_record(struct perf_data *data, const struct queued *q, bool is_inflated,
                        size_t offset, uint64_t *behind)
{
    const char *wrong = NULL;
    bool good = true;
    if (q->type == RECORD_COMPRESSED || q->type == RECORD_COMPRESSED2) {
        read_packed(data, q, is_inflated, offset);
        return;
    }
    if (data->is_pipe && read_pipe_record(data, q, offset, behind)) return;
    struct queued queued = *q;
    struct str body = {q->body, q->length};
    struct perf_attr *attr = perf_attr_of_record(data, q->type, body, &wrong);
    if (attr) queued.attr = (uint32_t)(attr - data->attrs.items);
    switch (q->type) {
    case RECORD_AUXTRACE_INFO: good = perf_aux_read_info(data->aux, cursor_of(data, q)); break;
    case RECORD_AUX:
        good = perf_aux_read_record(data->aux, cursor_of(data, q), cpu_of(data, attr, q));
        break;
    case RECORD_AUXTRACE: good = perf_aux_read_trace(data->aux, cursor_of(data, q), behind); break;
    case RECORD_TIME_CONV: break;
    case RECORD_LOST:
    case RECORD_LOST_SAMPLES: count_lost(data, q); __attribute__((fallthrough));
    default:
        if (!wrong) place(data, attr, &queued);
        break;
    }
    if (!wrong && good) return;
    stats_add_indexed(data->file, STAT_perf_record_skipped, q->type, 1);
    perf_log(data, STAT_perfetty_input_corrupt, offset,
             wrong ? wrong : "trace data that is damaged");
}

/* `offset`: in the file, of the packed record when inflated. */
static bool read_records(struct perf_data *data, struct str bytes, bool is_inflated, size_t offset)
{
    struct perf_records *r = data->records;
    struct perf_cursor c = perf_cursor_at(bytes, data->is_swapped);
    size_t reported = 0;
    while (perf_left(&c) > 0) {
        size_t at = c.at, here = is_inflated ? offset : offset + at;
        struct queued q = {.type = perf_u32(&c), .attr = NO_ATTR};
        q.misc = (uint32_t)perf_read(&c, 2);
        uint32_t size = (uint32_t)perf_read(&c, 2);
        if (q.type >= RECORD_SIMPLEPERF) size |= q.misc << 16;
        if (c.bad || size > c.n - at) {
            perf_log(data, STAT_perfetty_input_truncated, here, "the last record is cut");
            return false;
        }
        if (size < PERF_HEADER) {
            perf_log(data, STAT_perfetty_input_corrupt, here, "a record smaller than its header");
            return false;
        }
        struct str body = perf_take(&c, size - PERF_HEADER);
        uint64_t behind = 0;
        q.body = body.p;
        q.length = (uint32_t)body.n;
        read_record(data, &q, is_inflated, here, &behind);
        if (behind > perf_left(&c)) {
            perf_log(data, STAT_perfetty_input_truncated, here, "the data of a record is cut");
            return false;
        }
        perf_skip(&c, (size_t)behind);
        if (++r->n_records % POLL_EVERY != 0) continue;
        if (!is_inflated) import_progress(data->import, c.at - reported);
        reported = c.at;
        if (cancel_is_requested(data->import->cancel)) return true;
    }
    return true;
}

bool perf_records_read(struct perf_data *data, struct str section)
{
    return read_records(data, section, false,
                        section.p ? (size_t)(section.p - data->bytes.p) : data->bytes.n);
}

struct perf_records *perf_records_new(struct perf_data *data)
{
    struct perf_records *r = mem_zero(1, sizeof *r);
    r->queue = sorter_add_queue(data->import->sorter);
    r->sink = sorter_add_sink(data->import->sorter, parse, data);
    return r;
}

void perf_records_free(struct perf_records *r)
{
    if (!r) return;
    vec_free(&r->waiting);
    vec_free(&r->comms);
    perf_inflate_free(r->inflate);
    mem_free(r);
}
