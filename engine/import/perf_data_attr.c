/* The events of a perf.data file: how their records are laid out, what clock they
 * follow, which sessions they make. */
#include "engine/import/perf_data.h"

#include "engine/import/clock.h"

enum attr_offset { ATTR_CLOCK_ID = 92, ATTR_SHORTEST = 48 };
enum attr_flag { FLAG_FREQUENCY = 10, FLAG_SAMPLE_ID_ALL = 18, FLAG_CLOCK_ID = 25 };

/* What the kernel's numbers are called here; its own default has no number. */
static uint32_t clock_of(bool has_clock_id, int32_t clock_id)
{
    if (!has_clock_id) return CLOCK_ID_PERF;
    switch (clock_id) {
    case 0: return CLOCK_ID_REALTIME;
    case 1: return CLOCK_ID_MONOTONIC;
    case 4: return CLOCK_ID_MONOTONIC_RAW;
    case 5: return CLOCK_ID_REALTIME_COARSE;
    case 6: return CLOCK_ID_MONOTONIC_COARSE;
    case 7: return CLOCK_ID_BOOTTIME;
    default: return 0;
    }
}

/* Flags are bit fields: a big-endian machine begins at the other end of each byte. */
static bool has_flag(struct str attr, bool is_swapped, unsigned flag)
{
    unsigned bit = is_swapped ? 7 - flag % 8 : flag % 8;
    return (uint8_t)attr.p[40 + flag / 8] >> bit & 1;
}

bool perf_attr_add(struct perf_data *data, struct str bytes, struct perf_cursor ids)
{
    struct perf_cursor c = perf_cursor_at(bytes, data->is_swapped);
    if (bytes.n < ATTR_SHORTEST) return false;
    struct perf_attr attr = {.type = perf_u32(&c), .session = NULL_UINT32};
    perf_skip(&c, 4); /* size */
    attr.config = perf_u64(&c);
    attr.period = perf_u64(&c);
    attr.sample_type = perf_u64(&c);
    attr.read_format = perf_u64(&c);
    attr.is_frequency = has_flag(bytes, data->is_swapped, FLAG_FREQUENCY);
    attr.has_sample_id_all = has_flag(bytes, data->is_swapped, FLAG_SAMPLE_ID_ALL);
    attr.has_clock_id = has_flag(bytes, data->is_swapped, FLAG_CLOCK_ID);
    if (bytes.n >= ATTR_CLOCK_ID + 4) {
        c.at = ATTR_CLOCK_ID;
        attr.clock_id = (int32_t)perf_u32(&c);
    }
    attr.clock = clock_of(attr.has_clock_id, attr.clock_id);
    attr.has_ids = perf_left(&ids) >= 8;
    while (perf_left(&ids) >= 8) {
        uint64_t id = perf_u64(&ids);
        bool added;
        uint64_t *index = map_put_if_absent(&data->attr_by_id, id, data->attrs.count, &added);
        if (!added && *index != data->attrs.count)
            perf_log(data, STAT_perfetty_input_corrupt, (size_t)(bytes.p - data->bytes.p),
                     "an event id belongs to two events");
    }
    vec_push(&data->attrs, attr);
    return true;
}

struct perf_attr *perf_attr_by_id(struct perf_data *data, uint64_t id)
{
    const uint64_t *index = map_get(&data->attr_by_id, id);
    return index ? &data->attrs.items[*index] : NULL;
}

/* Where no clock is named the times are the kernel's own (PERF), and then trace time
 * is.  The reference leaves it at MONOTONIC when no event has ids, and so loses every
 * record of a plain `perf record`. */
void perf_attr_choose_clock(struct perf_data *data)
{
    if (data->file->has_pinned_clock) return;
    for (size_t i = 0; i < data->attrs.count; i++)
        if (data->attrs.items[i].clock == CLOCK_ID_PERF) {
            clock_set_default(data->file, CLOCK_ID_PERF);
            return;
        }
}

/* ---- sessions ---- */

enum event_type { HARDWARE, SOFTWARE, TRACEPOINT, HW_CACHE, RAW, BREAKPOINT };

static const char *unit_of(const struct perf_attr *attr)
{
    switch (attr->type) {
    case HARDWARE:
        if (attr->config == 0 || attr->config == 6 || attr->config == 9) return "cycles";
        return attr->config == 1 ? "instructions" : "count";
    case SOFTWARE: return attr->config <= 1 ? "ns" : "count";
    case TRACEPOINT:
    case HW_CACHE:
    case BREAKPOINT: return "count";
    default: return NULL;
    }
}

void perf_attr_enter_sessions(struct perf_data *data)
{
    struct import *import = data->import;
    for (size_t i = 0; i < data->attrs.count; i++) {
        struct perf_attr *attr = &data->attrs.items[i];
        struct profiler_session_row row = {
            .source = strpool_intern_text(import->strings, "linux.perf"),
            .timebase_unit = strpool_intern_text(import->strings, unit_of(attr)),
            .cmdline = data->cmdline,
        };
        attr->session = profiler_session_append(&import->tables->profiler_session, &row);
    }
}

/* ---- fields that tell which event a record is of, and when ---- */

enum { RECORD_SAMPLE = 9, FIRST_USER_RECORD = 64 };

static size_t bytes_of(uint64_t fields)
{
    return 8 * (size_t)__builtin_popcountll(fields);
}

static bool read_at(const struct perf_data *data, struct str body, size_t at, uint64_t *out)
{
    struct perf_cursor c = perf_cursor_at(body, data->is_swapped);
    perf_skip(&c, at);
    *out = perf_u64(&c);
    return !c.bad;
}

static bool read_from_end(const struct perf_data *data, struct str body, size_t distance,
                          uint64_t *out)
{
    return distance <= body.n && read_at(data, body, body.n - distance, out);
}

static bool read_id(const struct perf_data *data, uint32_t type, uint64_t fields, struct str body,
                    uint64_t *id)
{
    bool is_first = fields & PERF_IDENTIFIER;
    if (type == RECORD_SAMPLE)
        return read_at(
            data, body,
            is_first ? 0 : bytes_of(fields & (PERF_IP | PERF_TID | PERF_TIME | PERF_ADDR)), id);
    return read_from_end(
        data, body, is_first ? 8 : bytes_of(fields & (PERF_ID | PERF_STREAM_ID | PERF_CPU)), id);
}

struct perf_attr *perf_attr_of_record(struct perf_data *data, uint32_t type, struct str body,
                                      const char **wrong)
{
    *wrong = NULL;
    if (type >= FIRST_USER_RECORD || data->attrs.count == 0) return NULL;
    struct perf_attr *first = &data->attrs.items[0];
    uint64_t fields = first->sample_type, id;
    if (data->attrs.count == 1 || (type != RECORD_SAMPLE && !first->has_sample_id_all) ||
        !(fields & (PERF_IDENTIFIER | PERF_ID)))
        return first;
    if (!read_id(data, type, fields, body, &id)) {
        *wrong = "a record too short for its event id";
        return NULL;
    }
    if (id == 0) return first;
    struct perf_attr *attr = perf_attr_by_id(data, id);
    if (!attr) *wrong = "a record of an event that the file does not list";
    return attr;
}

bool perf_attr_record_time(const struct perf_data *data, const struct perf_attr *attr,
                           uint32_t type, struct str body, uint64_t *time)
{
    uint64_t fields = attr->sample_type;
    if (!(fields & PERF_TIME)) return false;
    if (type == RECORD_SAMPLE)
        return read_at(data, body, bytes_of(fields & (PERF_IDENTIFIER | PERF_IP | PERF_TID)), time);
    return attr->has_sample_id_all &&
           read_from_end(data, body,
                         bytes_of(fields & (PERF_TIME | PERF_ID | PERF_STREAM_ID | PERF_CPU |
                                            PERF_IDENTIFIER)),
                         time);
}
