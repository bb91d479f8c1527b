/* Clocks and the way to trace time (spec engine_1 1.8).
 *
 * A clock is an id on a machine; ids 64..127 belong to one packet sequence, id
 * 11 to one file.  Snapshots tie clocks together; conversion takes the latest
 * snapshot at or before the time, along the shortest path of at most 4 hops.
 */
#ifndef ENGINE_IMPORT_CLOCK_H
#define ENGINE_IMPORT_CLOCK_H

#include "engine/import/import.h"

enum {
    CLOCK_ID_REALTIME = 1,
    CLOCK_ID_REALTIME_COARSE = 2,
    CLOCK_ID_MONOTONIC = 3,
    CLOCK_ID_MONOTONIC_COARSE = 4,
    CLOCK_ID_MONOTONIC_RAW = 5,
    CLOCK_ID_BOOTTIME = 6,
    CLOCK_ID_TSC = 9,
    CLOCK_ID_PERF = 10,
    CLOCK_ID_TRACE_FILE = 11,
};

struct clock_reading {
    uint32_t clock_id;
    uint32_t sequence; /* of ids 64..127; else 0 */
    int64_t value;     /* raw units */
    int64_t unit_ns;   /* 1 as a rule */
    bool is_incremental;
};

struct clock_tracker *clock_tracker_new(struct import *import);
void clock_tracker_free(struct clock_tracker *clocks);

/* Called once for each file before its tokenize, with its importer's policy. */
void clock_begin_file(const struct import_file *file, enum import_clock policy);
/* The file's times are in that clock, not in the one of its importer's policy. */
void clock_set_default(const struct import_file *file, uint32_t clock_id);
/* primary 0: not given.  Bad snapshots are counted and logged. */
void clock_add_snapshot(const struct import_file *file, const struct clock_reading *readings,
                        size_t n, uint32_t primary_clock_id);
/* The same for the readings of a RemoteClockSync, which choose no clock. */
void clock_add_sync_readings(const struct import_file *file, const struct clock_reading *readings,
                             size_t n);
/* Ties a clock of two machines of one file (RemoteClockSync). */
void clock_add_remote_offset(const struct import_file *host, const struct import_file *client,
                             uint32_t clock_id, int64_t host_value, int64_t client_value);

/* The manifest's `trace_time`: file NULL means the clock of the machine. */
void clock_set_trace_time(struct import *import, const struct import_file *file,
                          uint32_t machine_id, uint32_t clock_id);
/* The manifest relates the file's clocks: they are not the machine's. */
void clock_isolate_file(const struct import_file *file);
/* The manifest's overrides: ties source to target at an offset (source reads T when
 * target reads T + offset_ns).  Two files of one machine stop sharing clocks. */
void clock_add_edge(struct import *import, const struct import_file *source, uint32_t source_clock,
                    const struct import_file *target, uint32_t target_clock, int64_t offset_ns);

enum clock_result { CLOCK_OK, CLOCK_LATER, CLOCK_FAILED };

/* To trace time.  clock_id 0 means the file's default.  CLOCK_LATER: no path yet
 * and the input is not at its end, keep the event and ask again from finish;
 * with `last_chance` it is CLOCK_FAILED instead, counted and logged. */
enum clock_result clock_to_trace_time(const struct import_file *file, uint32_t clock_id,
                                      uint32_t sequence, int64_t value, bool last_chance,
                                      int64_t *ts);
/* Between two clocks of the file's machine; false when there is no path. */
bool clock_convert(const struct import_file *file, uint32_t from, int64_t value, uint32_t to,
                   int64_t *out);

#endif
