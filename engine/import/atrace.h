/* User space's marks in the kernel log: "B|123|name", "C|123|frames|4" …
 * (spec engine_2 2.3, print).  Ftrace packets, the kernel's own tracing_mark_write
 * events and systrace text all end here.
 */
#ifndef ENGINE_IMPORT_ATRACE_H
#define ENGINE_IMPORT_ATRACE_H

#include "engine/import/import.h"

/* A mark taken apart.  Slices point into the text. */
struct atrace_mark {
    char phase; /* B E C S F I N G H */
    int64_t tgid;
    struct str name;
    struct str track; /* N G H */
    double value;     /* C */
    int64_t cookie;   /* S F G H */
};

enum atrace_result { ATRACE_MARK, ATRACE_IGNORED, ATRACE_BAD };

/* The text may end in newlines and NULs. */
enum atrace_result atrace_parse(struct str text, struct atrace_mark *mark);

/* State for one file and machine. */
struct atrace *atrace_new(const struct import_file *file);
void atrace_free(struct atrace *atrace);

/* A mark written by thread tid, in order of time.  Text that is no mark is
 * counted (systrace_parse_failure). */
void atrace_push_text(struct atrace *atrace, int64_t ts, int64_t tid, struct str text);
void atrace_push(struct atrace *atrace, int64_t ts, int64_t tid, const struct atrace_mark *mark);

#endif
