/* The state of one load, and what an importer of one format is.
 *
 * `struct import` holds the trackers; every importer works through them.  They
 * are values of one load, owned by it and freed with it; the tables outlive it.
 *
 * `struct import_file` is one leaf of the input (a member that holds events).
 * An importer is a constant: a name, its sniffing rule and two passes.
 *   tokenize  walks the bytes once, cheaply: resolves what must be known early,
 *             converts each timestamp to trace time and pushes events to the
 *             sorter.  Returns false only when nothing in the file can be read
 *             (the load fails); damage further in is counted in stats, the
 *             events before it stay.
 *   finish    at end of input, after every event of every file was parsed: closes
 *             what is open.  May be NULL.
 * The bytes of the file stay readable until the load ends.
 */
#ifndef ENGINE_IMPORT_IMPORT_H
#define ENGINE_IMPORT_IMPORT_H

#include "engine/base/status.h"
#include "engine/base/str.h"
#include "engine/base/thread.h"
#include "engine/store/tables.h"

struct android_bugreport;
struct import_file;

enum import_clock {
    IMPORT_CLOCK_NONE = 0, /* no times of its own */
    IMPORT_CLOCK_REALTIME = 1,
    IMPORT_CLOCK_MONOTONIC = 3,
    IMPORT_CLOCK_BOOTTIME = 6,
    IMPORT_CLOCK_TRACE_FILE = 11,
    /* Perfetto packets: they name their clock, or are in trace time; BOOTTIME where a
     * clock is needed and no snapshot says how it goes. */
    IMPORT_CLOCK_PACKETS = 256,
};

struct importer {
    const char *name;        /* metadata `trace_type`, trace_file.trace_type */
    int detection_priority;  /* lowest wins (spec engine_1 1.1) */
    int archive_priority;    /* order among the members of an archive; 2 as a rule */
    enum import_clock clock; /* the clock that the file's own times are in */
    /* May look at all of `bytes`; most look at the first 128. */
    bool (*sniff)(struct str bytes);
    bool (*tokenize)(struct import_file *file, struct str bytes, struct status *st);
    void (*finish)(struct import_file *file);
};

/* All importers; ends with NULL, which is not counted. */
extern const struct importer *const importers[];
extern const unsigned importers_count;
/* NULL when nobody reads it. */
const struct importer *importer_sniff(struct str bytes);
/* For the message then: what kind of file it is ("perf.data recording"), or NULL. */
const char *importer_recognise(struct str bytes);

struct import {
    struct tables *tables;   /* borrowed from the engine */
    struct strpool *strings; /* of the tables */
    struct cancel *cancel;   /* polled; may be NULL */

    struct stats_tracker *stats;
    struct metadata_tracker *metadata;
    struct clock_tracker *clocks;
    struct sorter *sorter;
    struct args_tracker *args;
    struct track_tracker *tracks;
    struct slice_tracker *slices;
    struct flow_tracker *flows;
    struct process_tracker *processes;
    struct sched_tracker *sched;
    struct stack_tracker *stacks;
    struct descriptor_pool *descriptors; /* engine/proto */

    void (*progress)(void *context, uint64_t bytes_done, uint64_t bytes_total);
    void *progress_context;
    uint64_t bytes_total, bytes_done;
    int64_t next_progress_ns;

    struct import_end_call *end_calls; /* of import_at_input_end */
    size_t n_end_calls, end_calls_capacity;
};

struct import_file {
    struct import *import;
    const struct importer *importer;
    uint32_t file_id;    /* row of trace_file; trace_id of stats, metadata, log */
    uint32_t machine_id; /* row of machine; 0 is the host */
    struct str name;
    void *state; /* the importer's own, freed by its finish */
    /* What a manifest says of the file (spec engine_1 6.1).  A packet that it rules
     * out is an error of the author: tokenize fails with STATUS_INVALID, and that
     * fails the whole load. */
    const struct import_machine *machines; /* `machines`: ids not listed are errors */
    size_t n_machines;
    bool has_machine_override;           /* `machine`: packets of one machine only */
    bool has_clock_override;             /* `clocks`: packets of one machine only */
    bool has_pinned_clock;               /* `clocks` without a clock: no ClockSnapshot allowed */
    struct android_bugreport *bugreport; /* of its texts; NULL: it is none of them */
};

struct import_machine {
    uint32_t embedded_id; /* TracePacket.machine_id */
    uint32_t machine_id;  /* row of machine */
};

/* Trackers for a load into `tables`.  Also enters the host machine with its idle
 * process and thread (spec engine_1 1.5). */
struct import *import_new(struct tables *tables);
void import_free(struct import *import);

/* One leaf of the input: enters its clock policy, its row of stats and the
 * metadata trace_type and trace_size_bytes, then runs its importer's tokenize.
 * What the importer leaves in file->state is kept until its finish. */
bool import_tokenize(struct import_file *file, struct str bytes, struct status *st);

/* Calls `call(context)` after the last tokenize and before anything is parsed: for
 * events whose clock could not be converted yet. */
void import_at_input_end(struct import *import, void (*call)(void *context), void *context);

/* After all tokenize passes: sorts and parses every event, runs the finish of
 * each file, flushes the trackers, writes stats and metadata, computes bounds.
 * A cancel request ends the parsing early; what was parsed stays. */
void import_finish(struct import *import, struct import_file *const *files, size_t n_files);

/* Adds to bytes_done and calls progress now and then. */
void import_progress(struct import *import, uint64_t bytes);

/* [start, end) of the events in the tables; (0, 0) when there are none (spec
 * engine_1 1.10). */
void import_bounds(const struct tables *tables, int64_t *start, int64_t *end);

#endif
