/* ART method traces, the newest form: blocks of names and of packed events
 * (art/runtime/trace.cc and trace_common.h of the Android Open Source Project, "trace
 * format version 2"; spec engine_2c 4).
 *
 * Times are ticks since the start, of the frequency in the header, or nanoseconds
 * where it is 0.  In a block of events every number is a signed LEB128 difference to
 * the one before; the first is to 0. */
#include "engine/import/art_method.h"

#include "engine/base/checked.h"

#define HEADER_BYTES  32
#define MAX_FREQUENCY INT64_C(9000000000)
#define POLL_EVERY    4096

enum { BLOCK_THREAD, BLOCK_METHOD, BLOCK_EVENTS, BLOCK_SUMMARY };

struct reader {
    struct art_trace *trace;
    struct import_file *file;
    struct str bytes;
    size_t at;
    bool is_dual;
    int64_t start_ns;
    int64_t frequency; /* at most MAX_FREQUENCY */
};

static bool sniff(struct str bytes)
{
    if (bytes.n < 6 || !str_starts(bytes, STR("SLOW"))) return false;
    uint64_t version = art_number(bytes, 4, 2);
    return version == 4 || version == 5 || version == 0xF4 || version == 0xF5;
}

static bool leb128(struct str bytes, size_t *at, int64_t *out)
{
    uint64_t value = 0;
    unsigned shift = 0;
    while (*at < bytes.n && shift < 70) {
        uint8_t byte = (uint8_t)bytes.p[(*at)++];
        if (shift < 64) value |= (uint64_t)(byte & 0x7F) << shift;
        shift += 7;
        if (byte & 0x80) continue;
        if (byte & 0x40 && shift < 64) value |= UINT64_MAX << shift;
        *out = (int64_t)value;
        return true;
    }
    return false;
}

static bool time_of(const struct reader *r, int64_t ticks, int64_t *ns)
{
    if (r->frequency == 0) return checked_add_int64(r->start_ns, ticks, ns);
    int64_t seconds = ticks / r->frequency, rest = ticks % r->frequency;
    return checked_mul_int64(seconds, 1000000000, &seconds) &&
           checked_add_int64(seconds, rest * 1000000000 / r->frequency, &seconds) &&
           checked_add_int64(r->start_ns, seconds, ns);
}

/* False when the payload ends before its last event. */
static bool read_events(struct reader *r, uint32_t tid, uint32_t count, struct str payload)
{
    int64_t value = 0, method = 0, delta, ns;
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!leb128(payload, &at, &delta)) return false;
        value = wrapping_add_int64(value, delta);
        if (r->is_dual && !leb128(payload, &at, &delta)) return false;
        unsigned action = (unsigned)(value & 3);
        if (action == ART_ENTER) {
            if (!leb128(payload, &at, &delta)) return false;
            method = wrapping_add_int64(method, delta);
        }
        if (action <= ART_UNWIND && time_of(r, value >> 2, &ns))
            art_trace_add_event(r->trace, ns, tid, (uint64_t)method, (enum art_action)action);
    }
    return true;
}

static void read_summary(struct reader *r, struct str text)
{
    struct import *import = r->file->import;
    struct str line;
    char name[64];
    while (str_split_next(&text, '\n', &line)) {
        size_t equals;
        int64_t number;
        if (str_starts(line, STR("*threads")) || str_starts(line, STR("*end"))) return;
        if (!str_find_byte(line, '=', &equals) || equals == 0 || equals >= sizeof name) continue;
        struct str value = str_slice(line, equals + 1, line.n);
        memcpy(name, line.p, equals);
        name[equals] = '\0';
        if (str_to_int64(value, &number))
            metadata_set_int(import, r->file, name, number);
        else
            metadata_set_string(import, r->file, name, value);
    }
}

/* Steps over the block at r->at; false when it is cut or of no known kind. */
static bool read_block(struct reader *r, bool *is_last)
{
    struct str bytes = r->bytes;
    size_t at = r->at + 1, left = bytes.n - at, n;
    switch (bytes.p[r->at]) {
    case BLOCK_THREAD:
        if (left < 6 || left - 6 < (n = (size_t)art_number(bytes, at + 4, 2))) return false;
        art_trace_add_thread(r->trace, (uint32_t)art_number(bytes, at, 4),
                             str_slice(bytes, at + 6, at + 6 + n));
        r->at = at + 6 + n;
        return true;
    case BLOCK_METHOD:
        if (left < 10 || left - 10 < (n = (size_t)art_number(bytes, at + 8, 2))) return false;
        if (!art_trace_add_method(r->trace, art_number(bytes, at, 8),
                                  str_slice(bytes, at + 10, at + 10 + n)))
            damage_log(&r->trace->damage, STAT_perfetty_input_corrupt, at,
                       "a line of a method that cannot be read");
        r->at = at + 10 + n;
        return true;
    case BLOCK_EVENTS: {
        if (left < 11) return false;
        n = (size_t)art_number(bytes, at + 7, 4);
        struct str payload = str_slice(bytes, at + 11, left - 11 < n ? bytes.n : at + 11 + n);
        if (!read_events(r, (uint32_t)art_number(bytes, at, 4),
                         (uint32_t)art_number(bytes, at + 4, 3), payload))
            damage_log(&r->trace->damage, STAT_perfetty_input_corrupt, at,
                       "a block of events ends before its last event");
        if (left - 11 < n) return false;
        r->at = at + 11 + n;
        return true;
    }
    case BLOCK_SUMMARY:
        read_summary(r, str_slice(bytes, at, bytes.n));
        *is_last = true;
        return true;
    default: return false;
    }
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct reader r = {.trace = art_trace_new(file), .file = file, .bytes = bytes};
    bool is_last = false;
    if (bytes.n < HEADER_BYTES)
        return status_fail(st, STATUS_CORRUPT, 0,
                           "ART Method V2 trace: the file ends inside its header");
    r.is_dual = (art_number(bytes, 4, 2) & 1) != 0;
    r.start_ns = (int64_t)art_number(bytes, 6, 8);
    uint64_t frequency = art_number(bytes, 22, 8);
    if (frequency > MAX_FREQUENCY)
        return status_fail(st, STATUS_CORRUPT, 22,
                           "ART Method V2 trace: a clock of more than 9 GHz");
    r.frequency = (int64_t)frequency;
    r.at = HEADER_BYTES;
    for (uint64_t n = 1; r.at < bytes.n && !is_last; n++) {
        size_t before = r.at;
        if (!read_block(&r, &is_last)) {
            uint8_t code = (uint8_t)bytes.p[before];
            damage_log(&r.trace->damage,
                       code > BLOCK_SUMMARY ? STAT_perfetty_input_corrupt
                                            : STAT_perfetty_input_truncated,
                       before,
                       code > BLOCK_SUMMARY ? "ART Method V2 trace: unknown opcode encountered"
                                            : "the file ends inside a block");
            return true;
        }
        import_progress(file->import, r.at - before);
        if (n % POLL_EVERY == 0 && cancel_is_requested(file->import->cancel)) return true;
    }
    if (!is_last)
        damage_log(&r.trace->damage, STAT_perfetty_input_truncated, r.at,
                   "the file ends without its summary");
    return true;
}

const struct importer importer_art_method_v2 = {
    .name = "art_method_v2",
    .detection_priority = 70,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_MONOTONIC,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = art_trace_finish,
};
