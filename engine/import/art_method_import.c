/* ART method traces, the older forms: text with the names followed by binary records,
 * and a binary stream whose text comes last.  What writes them is
 * art/runtime/trace.cc of the Android Open Source Project, whose head describes both;
 * also dalvik's "dmtracedump" documentation (spec engine_2c 4).
 *
 * Records count microseconds from the start.  With `clock=dual` a record has the
 * thread's time and then the wall's, of which the wall's is taken. */
#include "engine/import/art_method.h"

#include "engine/base/checked.h"

#define HEADER_BYTES  32
#define STREAM_BIT    0xF0
#define MIN_V3_RECORD 14
#define POLL_EVERY    65536
#define INCOMPLETE    "ART Method trace: trace is incomplete (ERR:tp-corrupt)"

struct reader {
    struct art_trace *trace;
    struct import_file *file;
    struct str bytes;
    size_t at;
    uint32_t version;
    bool is_dual;
    uint64_t start_us;
    size_t record_bytes;
};

static bool sniff(struct str bytes)
{
    return str_starts(bytes, STR("SLOW")) || str_starts(bytes, STR("*version\n"));
}

/* ---- the text ---- */

static bool read_version(struct reader *r, struct str line, struct status *st)
{
    uint64_t version;
    if (!str_to_uint64(str_trim(line), &version) || version < 1 || version > 3)
        return status_fail(st, STATUS_CORRUPT, (int64_t)r->at,
                           "ART Method trace: trace version (%.*s) not supported", STR_ARG(line));
    r->version = (uint32_t)version;
    return true;
}

static bool read_option(struct reader *r, struct str line, struct status *st)
{
    struct str value;
    if (!str_starts(line, STR("clock="))) return true;
    value = str_trim(str_slice(line, 6, line.n));
    r->is_dual = str_is(value, "dual");
    if (r->is_dual || str_is(value, "wall")) return true;
    if (str_is(value, "thread-cpu"))
        return status_fail(st, STATUS_CORRUPT, (int64_t)r->at,
                           "ART Method tracing: thread-cpu clock is *not* supported. Use wall or "
                           "dual clocks");
    return status_fail(st, STATUS_CORRUPT, (int64_t)r->at, "ART Method tracing: unknown clock %.*s",
                       STR_ARG(value));
}

static void read_thread(struct reader *r, struct str line, size_t offset)
{
    size_t tab;
    uint64_t tid;
    if (!str_find_byte(line, '\t', &tab) || !str_to_uint64(str_slice(line, 0, tab), &tid) ||
        tid > UINT32_MAX) {
        damage_log(&r->trace->damage, STAT_perfetty_input_corrupt, offset,
                   "a line of a thread that is not its number, a tab and its name");
        return;
    }
    art_trace_add_thread(r->trace, (uint32_t)tid, str_slice(line, tab + 1, line.n));
}

enum section { SECTION_NONE, SECTION_VERSION, SECTION_OPTIONS, SECTION_THREADS, SECTION_METHODS };

/* Up to and with "*end", from r->at on; false when the text ends before. */
static bool read_text(struct reader *r, struct str text, bool *is_whole, struct status *st)
{
    enum section section = SECTION_NONE;
    struct str rest = text, line;
    *is_whole = false;
    while (str_split_next(&rest, '\n', &line)) {
        size_t offset = (size_t)(line.p - r->bytes.p);
        r->at = offset;
        if (str_starts(line, STR("*"))) {
            *is_whole = str_starts(line, STR("*end"));
            if (*is_whole) {
                r->at = rest.p ? (size_t)(rest.p - r->bytes.p) : text.n;
                return true;
            }
            section = str_is(line, "*version")   ? SECTION_VERSION
                      : str_is(line, "*threads") ? SECTION_THREADS
                      : str_is(line, "*methods") ? SECTION_METHODS
                                                 : SECTION_NONE;
            if (section != SECTION_NONE) continue;
            return status_fail(st, STATUS_CORRUPT, (int64_t)offset,
                               "ART Method trace: unexpected line (%.*s) when expecting section "
                               "header (line starting with *)",
                               (int)(line.n < 80 ? line.n : 80), line.p);
        }
        switch (section) {
        case SECTION_VERSION:
            if (!read_version(r, line, st)) return false;
            section = SECTION_OPTIONS;
            break;
        case SECTION_OPTIONS:
            if (!read_option(r, line, st)) return false;
            break;
        case SECTION_THREADS: read_thread(r, line, offset); break;
        case SECTION_METHODS:
            if (!art_trace_add_method_line(r->trace, line))
                damage_log(&r->trace->damage, STAT_perfetty_input_corrupt, offset,
                           "a line of a method that cannot be read");
            break;
        default: break;
        }
        if (cancel_is_requested(r->file->import->cancel)) return true;
    }
    return true;
}

/* ---- records ---- */

static void add_record(struct reader *r, size_t at, uint32_t tid)
{
    int64_t ns;
    uint32_t word = (uint32_t)art_number(r->bytes, at + 2, 4);
    uint64_t delta = art_number(r->bytes, at + 2 + (r->is_dual ? 8 : 4), 4);
    if (r->start_us > INT64_MAX || !checked_add_int64((int64_t)r->start_us, (int64_t)delta, &ns) ||
        !checked_mul_int64(ns, 1000, &ns)) {
        damage_log(&r->trace->damage, STAT_perfetty_input_corrupt, at,
                   "a time that is out of range");
        return;
    }
    unsigned action = word & 3;
    if (action <= ART_UNWIND)
        art_trace_add_event(r->trace, ns, tid, word & ~3u, (enum art_action)action);
}

/* The binary header: from it come the start and the size of a record. */
static bool read_header(struct reader *r, struct status *st)
{
    if (r->bytes.n - r->at < HEADER_BYTES)
        return status_fail(st, STATUS_CORRUPT, (int64_t)r->at, INCOMPLETE);
    if (!str_starts(str_slice(r->bytes, r->at, r->bytes.n), STR("SLOW")))
        return status_fail(st, STATUS_CORRUPT, (int64_t)r->at,
                           "ART Method trace: the records do not begin with SLOW");
    r->start_us = art_number(r->bytes, r->at + 8, 8);
    r->record_bytes = r->version == 1 ? 9 : 10;
    if (r->version == 3) r->record_bytes = (size_t)art_number(r->bytes, r->at + 16, 2);
    if (r->version == 3 && r->record_bytes < MIN_V3_RECORD)
        return status_fail(st, STATUS_CORRUPT, (int64_t)r->at,
                           "ART Method trace: record size %zu below minimum 14 for v3",
                           r->record_bytes);
    return true;
}

/* Bytes that add_record looks at; a v2 file with a dual clock lies about one. */
static size_t bytes_needed(const struct reader *r)
{
    size_t used = 2 + 4 + (r->is_dual ? 8 : 4);
    return used > r->record_bytes ? used : r->record_bytes;
}

static bool read_records(struct reader *r)
{
    size_t at = r->at + HEADER_BYTES, reported = r->at;
    for (uint64_t n = 1; r->bytes.n - at >= bytes_needed(r); n++, at += r->record_bytes) {
        uint32_t tid = (uint32_t)art_number(r->bytes, at, r->version == 1 ? 1 : 2);
        add_record(r, at, tid);
        if (n % POLL_EVERY) continue;
        import_progress(r->file->import, at - reported);
        reported = at;
        if (cancel_is_requested(r->file->import->cancel)) return true;
    }
    if (at < r->bytes.n)
        damage_log(&r->trace->damage, STAT_perfetty_input_truncated, at,
                   "the file ends inside a record");
    return true;
}

/* ---- the stream ---- */

enum { STREAM_METHOD = 1, STREAM_THREAD = 2, STREAM_SUMMARY = 3 };

/* One entry that is no record, at r->at after its two zero bytes; false at damage. */
static bool read_entry(struct reader *r, struct str *summary)
{
    struct str bytes = r->bytes;
    size_t at = r->at, left = bytes.n - at, n;
    uint8_t code = (uint8_t)bytes.p[at];
    switch (code) {
    case STREAM_METHOD:
        if (left < 3 || left - 3 < (n = (size_t)art_number(bytes, at + 1, 2))) return false;
        if (!art_trace_add_method_line(r->trace, str_slice(bytes, at + 3, at + 3 + n)))
            damage_log(&r->trace->damage, STAT_perfetty_input_corrupt, at,
                       "a line of a method that cannot be read");
        r->at = at + 3 + n;
        return true;
    case STREAM_THREAD:
        if (left < 5 || left - 5 < (n = (size_t)art_number(bytes, at + 3, 2))) return false;
        art_trace_add_thread(r->trace, (uint32_t)art_number(bytes, at + 1, 2),
                             str_slice(bytes, at + 5, at + 5 + n));
        r->at = at + 5 + n;
        return true;
    case STREAM_SUMMARY:
        if (left < 5 || left - 5 < (n = (size_t)art_number(bytes, at + 1, 4))) return false;
        *summary = str_slice(bytes, at + 5, at + 5 + n);
        r->at = at + 5 + n;
        return true;
    default: return false;
    }
}

/* Twice: the first time for the names and the clock, which stands in the summary. */
static bool walk_stream(struct reader *r, bool add_records, struct str *summary)
{
    size_t from = r->at;
    uint64_t n = 0;
    r->at += HEADER_BYTES;
    while (!summary->p || add_records) {
        size_t left = r->bytes.n - r->at;
        uint32_t tid = left >= 2 ? (uint32_t)art_number(r->bytes, r->at, 2) : 0;
        if (left == 0) break;
        if (left >= bytes_needed(r) && tid != 0) {
            if (add_records) add_record(r, r->at, tid);
            r->at += r->record_bytes;
        } else if (left < 3 || tid != 0) {
            break;
        } else {
            size_t entry = r->at;
            struct str text = STR_NONE;
            r->at += 2;
            if (add_records) { /* names are known: step over */
                size_t fixed = r->bytes.p[entry + 2] == STREAM_METHOD ? 3 : 5;
                size_t size_at = r->bytes.p[entry + 2] == STREAM_THREAD ? 3 : 1;
                if (r->bytes.p[entry + 2] == STREAM_SUMMARY || r->bytes.n - r->at < fixed) break;
                r->at += fixed + (size_t)art_number(r->bytes, r->at + size_at, 2);
                if (r->at > r->bytes.n) break;
            } else if (!read_entry(r, &text)) {
                r->at = entry;
                break;
            }
            if (text.p) *summary = text;
        }
        if (++n % POLL_EVERY == 0 && cancel_is_requested(r->file->import->cancel)) break;
    }
    size_t end = r->at;
    r->at = from;
    if (add_records) return true;
    bool is_whole = summary->p != NULL;
    if (!is_whole)
        damage_log(&r->trace->damage,
                   r->bytes.n - end < HEADER_BYTES ? STAT_perfetty_input_truncated
                                                   : STAT_perfetty_input_corrupt,
                   end, "the stream ends without its summary");
    else if (end < r->bytes.n)
        damage_log(&r->trace->damage, STAT_perfetty_input_corrupt, end,
                   "ART method trace: unexpected data after eof marker");
    return is_whole;
}

/* The summary: version, options, and lists of what was used. */
static bool read_summary(struct reader *r, struct str summary, struct status *st)
{
    struct str line;
    bool has_version = false;
    while (str_split_next(&summary, '\n', &line) && !str_is(line, "*threads")) {
        if (str_starts(line, STR("*"))) continue;
        if (!has_version)
            has_version = true; /* the header has it, too */
        else if (!read_option(r, line, st))
            return false;
    }
    return true;
}

static bool read_stream(struct reader *r, struct status *st)
{
    struct str summary = STR_NONE;
    if (r->bytes.n < HEADER_BYTES) return status_fail(st, STATUS_CORRUPT, 0, INCOMPLETE);
    uint32_t version = (uint32_t)art_number(r->bytes, 4, 2) ^ STREAM_BIT;
    if (version < 1 || version > 3)
        return status_fail(st, STATUS_CORRUPT, 4, "ART Method trace: Illegal version %u",
                           (unsigned)version);
    r->version = version;
    if (!read_header(r, st)) return false;
    if (walk_stream(r, false, &summary)) {
        if (!read_summary(r, summary, st)) return false;
    } else {
        r->is_dual = r->record_bytes >= MIN_V3_RECORD; /* as far as can be told */
    }
    struct str none = STR_NONE;
    return walk_stream(r, true, &none);
}

/* ---- the file ---- */

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct reader r = {.trace = art_trace_new(file), .file = file, .bytes = bytes};
    if (str_starts(bytes, STR("SLOW"))) return read_stream(&r, st);
    bool is_whole;
    if (!read_text(&r, bytes, &is_whole, st)) return false;
    if (!is_whole) return status_fail(st, STATUS_CORRUPT, (int64_t)bytes.n, INCOMPLETE);
    return read_header(&r, st) && read_records(&r);
}

const struct importer importer_art_method = {
    .name = "art_method",
    .detection_priority = 75,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_MONOTONIC,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = art_trace_finish,
};
