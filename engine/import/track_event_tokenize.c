/* The first pass over an event: its time, and its counters made absolute, which
 * must be known in file order (spec engine_2 2.2 "Tokenize"). */
#include "engine/import/track_event.h"

#include "engine/base/checked.h"
#include "engine/import/clock.h"
#include "engine/import/sorter.h"

/* Repeated numbers that are looked for, as they stand in the event. */
struct numbers {
    unsigned n; /* up to one more than is allowed */
    uint64_t values[TRACK_EVENT_MAX_EXTRA_COUNTERS + 1];
};

struct scan {
    uint64_t seen;
    uint32_t type;
    uint64_t track_uuid;
    int64_t timestamp_delta_us, timestamp_absolute_us;
    int64_t thread_time_delta_us, thread_time_absolute_us;
    int64_t instructions_delta, instructions_absolute;
    int64_t counter_value;
    double double_counter_value;
    struct numbers extra, extra_uuids, extra_double, extra_double_uuids;
};

static bool has(const struct scan *scan, unsigned field)
{
    return scan->seen >> field & 1;
}

static void add_number(struct numbers *numbers, uint64_t value)
{
    if (numbers->n <= TRACK_EVENT_MAX_EXTRA_COUNTERS) numbers->values[numbers->n++] = value;
}

static void add_varints(struct numbers *numbers, const struct wire_field *f)
{
    if (f->type != WIRE_BYTES) {
        add_number(numbers, f->value);
        return;
    }
    struct wire packed = wire_open(f->bytes);
    uint64_t value;
    while (wire_varint(&packed, &value))
        add_number(numbers, value);
}

static void add_doubles(struct numbers *numbers, const struct wire_field *f)
{
    if (f->type != WIRE_BYTES) {
        add_number(numbers, f->value);
        return;
    }
    for (size_t at = 0; at + 8 <= f->bytes.n; at += 8) {
        uint64_t bits;
        memcpy(&bits, f->bytes.p + at, 8);
        add_number(numbers, bits);
    }
}

static void scan_event(struct str event, struct scan *scan)
{
    struct wire w = wire_open(event);
    struct wire_field f;
    scan->seen = 0;
    scan->type = 0;
    scan->extra.n = scan->extra_uuids.n = scan->extra_double.n = scan->extra_double_uuids.n = 0;
    while (wire_next(&w, &f)) {
        if (f.number < 64) scan->seen |= UINT64_C(1) << f.number;
        switch (f.number) {
        case 1: scan->timestamp_delta_us = (int64_t)f.value; break;
        case 2: scan->thread_time_delta_us = (int64_t)f.value; break;
        case 8: scan->instructions_delta = (int64_t)f.value; break;
        case 9: scan->type = (uint32_t)f.value; break;
        case 11: scan->track_uuid = f.value; break;
        case 12: add_varints(&scan->extra, &f); break;
        case 16: scan->timestamp_absolute_us = (int64_t)f.value; break;
        case 17: scan->thread_time_absolute_us = (int64_t)f.value; break;
        case 20: scan->instructions_absolute = (int64_t)f.value; break;
        case 30: scan->counter_value = (int64_t)f.value; break;
        case 31: add_varints(&scan->extra_uuids, &f); break;
        case 44: scan->double_counter_value = wire_double(&f); break;
        case 45: add_varints(&scan->extra_double_uuids, &f); break;
        case 46: add_doubles(&scan->extra_double, &f); break;
        default: break;
        }
    }
}

static bool drop(const struct packet *packet, enum stat stat)
{
    import_log(packet->file, stat, NO_BYTE_OFFSET, packet->ts, NULL);
    return false;
}

static int64_t us_to_ns(int64_t us)
{
    int64_t ns;
    return checked_mul_int64(us, 1000, &ns) ? ns : (us < 0 ? INT64_MIN : INT64_MAX);
}

/* Times inside the event are MONOTONIC; without a clock to convert by they are
 * taken as they are.  Never asked for again later: deltas are added up once. */
static int64_t from_monotonic(const struct packet *packet, int64_t ns)
{
    int64_t ts;
    enum clock_result result =
        clock_to_trace_time(packet->file, CLOCK_ID_MONOTONIC, 0, ns, true, &ts);
    return result == CLOCK_OK ? ts : ns;
}

static bool find_time(const struct packet *packet, struct track_event_sequence *sequence,
                      const struct scan *scan, int64_t *ts)
{
    if (has(scan, 1)) {
        if (!sequence->times_valid) {
            stats_add(packet->file, STAT_tokenizer_skipped_packets, 1);
            return false;
        }
        int64_t sum;
        if (!checked_add_int64(sequence->time_ns, us_to_ns(scan->timestamp_delta_us), &sum))
            return drop(packet, STAT_track_event_invalid_timestamp);
        sequence->time_ns = sum;
        *ts = from_monotonic(packet, sum);
    } else if (has(scan, 16) && scan->timestamp_absolute_us) {
        *ts = from_monotonic(packet, us_to_ns(scan->timestamp_absolute_us));
    } else if (packet->has_ts) {
        *ts = packet->ts;
    } else {
        return drop(packet, STAT_track_event_missing_timestamp);
    }
    if (*ts < 0) return drop(packet, STAT_track_event_invalid_timestamp);
    return true;
}

/* Thread time and instructions; false when a delta has nothing to add to. */
static bool find_thread_times(const struct packet *packet, struct track_event_sequence *sequence,
                              const struct scan *scan, uint8_t *flags, int64_t *thread_time,
                              int64_t *instructions)
{
    if ((has(scan, 2) || has(scan, 8)) && !sequence->times_valid) {
        stats_add(packet->file, STAT_tokenizer_skipped_packets, 1);
        return false;
    }
    if (has(scan, 2)) {
        sequence->thread_time_ns =
            wrapping_add_int64(sequence->thread_time_ns, us_to_ns(scan->thread_time_delta_us));
        *thread_time = sequence->thread_time_ns;
        *flags |= EVENT_HAS_THREAD_TIME;
    } else if (has(scan, 17)) {
        *thread_time = us_to_ns(scan->thread_time_absolute_us);
        *flags |= EVENT_HAS_THREAD_TIME;
    }
    if (has(scan, 8)) {
        sequence->instructions =
            wrapping_add_int64(sequence->instructions, scan->instructions_delta);
        *instructions = sequence->instructions;
        *flags |= EVENT_HAS_INSTRUCTIONS;
    } else if (has(scan, 20)) {
        *instructions = scan->instructions_absolute;
        *flags |= EVENT_HAS_INSTRUCTIONS;
    }
    return true;
}

/* A value as its track means it: scaled, and summed where values are deltas. */
static bool make_absolute(struct track_events *te, struct track_event_sequence *sequence,
                          uint64_t uuid, double *value)
{
    struct track_event_track *track = track_event_track_find(te, uuid);
    if (!track || !track->is_counter) return false;
    if (track->unit_multiplier > 0) *value *= (double)track->unit_multiplier;
    if (!track->is_incremental) return true;
    if (track->counter_sequence != sequence) return false;
    if (track->counter_clears != sequence->clears) {
        track->counter_clears = sequence->clears;
        track->counter_latest = 0;
    }
    track->counter_latest += *value;
    *value = track->counter_latest;
    return true;
}

static bool find_counter(struct track_events *te, const struct packet *packet,
                         struct track_event_sequence *sequence,
                         const struct track_event_defaults *defaults, const struct scan *scan,
                         double *value)
{
    uint64_t uuid = has(scan, 11) ? scan->track_uuid : defaults->track_uuid;
    if (!has(scan, 11) && !defaults->has_track_uuid)
        return drop(packet, STAT_track_event_counter_missing_track_uuid);
    if (!has(scan, 30) && !has(scan, 44))
        return drop(packet, STAT_track_event_counter_missing_value);
    *value = has(scan, 30) ? (double)scan->counter_value : scan->double_counter_value;
    if (!make_absolute(te, sequence, uuid, value))
        return drop(packet, STAT_track_event_counter_invalid_track_uuid);
    return true;
}

struct extras {
    unsigned n_int, n;
    int64_t values[TRACK_EVENT_MAX_EXTRA_COUNTERS]; /* doubles as bits */
};

static bool find_extras(struct track_events *te, const struct packet *packet,
                        struct track_event_sequence *sequence, const struct numbers *values,
                        bool are_doubles, const uint64_t *uuids, unsigned n_uuids,
                        struct extras *extras)
{
    if (!values->n) return true;
    if (!n_uuids) return drop(packet, STAT_track_event_extra_counter_missing_track_uuids);
    for (unsigned i = 0; i < values->n; i++) {
        if (i >= n_uuids || !uuids[i])
            return drop(packet, STAT_track_event_extra_counter_track_uuid_mismatch);
        if (extras->n >= TRACK_EVENT_MAX_EXTRA_COUNTERS)
            return drop(packet, STAT_track_event_extra_counter_exceeds_max);
        double value;
        if (are_doubles)
            memcpy(&value, &values->values[i], 8);
        else
            value = (double)(int64_t)values->values[i];
        if (!make_absolute(te, sequence, uuids[i], &value))
            return drop(packet, STAT_track_event_extra_counter_invalid_track);
        memcpy(&extras->values[extras->n++], &value, 8);
    }
    return true;
}

static void push(struct track_events *te, const struct packet *packet,
                 struct track_event_sequence *sequence, struct str event, int64_t ts, uint8_t flags,
                 const int64_t values[3], const struct extras *extras)
{
    unsigned n = 0;
    int64_t packed[3 + TRACK_EVENT_MAX_EXTRA_COUNTERS];
    for (unsigned i = 0; i < 3; i++)
        if (flags >> i & 1) packed[n++] = values[i];
    for (unsigned i = 0; i < extras->n; i++)
        packed[n++] = extras->values[i];
    struct track_event_payload *payload = sorter_push(te->import->sorter, te->queue, te->sink, ts,
                                                      sizeof *payload + n * sizeof *packed);
    payload->sequence = sequence;
    payload->generation = packet->generation ? packet_hold(packet->generation) : NULL;
    payload->thread = sequence->thread;
    payload->bytes = event.p;
    payload->length = (uint32_t)event.n;
    payload->flags = flags;
    payload->n_extra_int = (uint8_t)extras->n_int;
    payload->n_extra = (uint8_t)extras->n;
    if (n) memcpy(payload->values, packed, n * sizeof *packed);
}

bool track_event_tokenize(void *state, const struct packet *packet, struct str field)
{
    struct track_events *te = state;
    if (!packet->sequence) {
        stats_add(packet->file, STAT_track_event_missing_sequence_id, 1);
        return true;
    }
    struct track_event_sequence *sequence = track_event_sequence_of(te, packet);
    const struct track_event_defaults *defaults =
        track_event_defaults_of(&sequence->tokenizing, packet);
    struct scan scan;
    struct extras extras = {.n_int = 0, .n = 0};
    int64_t ts = 0, values[3] = {0};
    uint8_t flags = 0;
    scan_event(field, &scan);
    if (field.n > UINT32_MAX || !find_time(packet, sequence, &scan, &ts) ||
        !find_thread_times(packet, sequence, &scan, &flags, &values[1], &values[2]))
        return true;
    if (scan.type == TRACK_EVENT_COUNTER) {
        double value;
        if (!find_counter(te, packet, sequence, defaults, &scan, &value)) return true;
        memcpy(&values[0], &value, 8);
        flags |= EVENT_HAS_COUNTER;
    }
    const struct numbers *uuids = &scan.extra_uuids, *double_uuids = &scan.extra_double_uuids;
    if (!find_extras(te, packet, sequence, &scan.extra, false,
                     uuids->n ? uuids->values : defaults->extra,
                     uuids->n ? uuids->n : defaults->n_extra, &extras))
        return true;
    extras.n_int = extras.n;
    if (!find_extras(te, packet, sequence, &scan.extra_double, true,
                     double_uuids->n ? double_uuids->values : defaults->extra_double,
                     double_uuids->n ? double_uuids->n : defaults->n_extra_double, &extras))
        return true;
    push(te, packet, sequence, field, ts, flags, values, &extras);
    return true;
}
