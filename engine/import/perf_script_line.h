/* The lines of `perf script` (perf-script(1); spec engine_1 6.4).
 *
 *     comm  pid/tid [cpu]  seconds.micros:  period event:          a sample
 *         address symbol+0xoffset (mapping)                        its frames, leaf first
 *
 * Pid and cpu may be missing; without call chains the one frame stands behind the
 * event.  All slices point into the line.
 */
#ifndef ENGINE_IMPORT_PERF_SCRIPT_LINE_H
#define ENGINE_IMPORT_PERF_SCRIPT_LINE_H

#include "engine/base/buffer.h"
#include "engine/base/str.h"

struct perf_script_sample {
    int64_t ts;
    bool has_pid;
    uint32_t pid, tid;
    struct str rest; /* behind the time: period, event */
};

struct perf_script_frame {
    struct str symbol, mapping;
};

/* False when it is no such line.  The command's words, joined by single spaces,
 * replace what is in `comm` (may be NULL). */
bool perf_script_read_sample(struct str line, struct perf_script_sample *sample,
                             struct buffer *comm);
/* Whether it begins like a frame. */
bool perf_script_has_address(struct str line);
/* NULL, or what could not be found. */
const char *perf_script_read_frame(struct str line, struct perf_script_frame *frame);
/* The frame behind the event of a sample line; false when there is none. */
bool perf_script_read_inline_frame(struct str rest, struct perf_script_frame *frame);

#endif
