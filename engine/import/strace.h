/* What `strace -f -ttt` prints (spec engine_2c 12; man7.org/linux/man-pages/man1/
 * strace.1.html): calls of the system as slices of their threads. */
#ifndef ENGINE_IMPORT_STRACE_H
#define ENGINE_IMPORT_STRACE_H

#include "engine/import/import.h"

extern const struct importer importer_strace;

enum strace_kind { STRACE_COMPLETE, STRACE_UNFINISHED, STRACE_RESUMED, STRACE_RESUMED_UNFINISHED };

/* `pid seconds.microseconds name(args) = result` */
struct strace_line {
    bool has_pid;
    int64_t pid;
    int64_t time; /* ns since 1970 */
    enum strace_kind kind;
    struct str name, args, result; /* result: STR_NONE of unfinished calls */
};

enum strace_read { STRACE_CALL, STRACE_OTHER, STRACE_TIME_OF_DAY };
enum strace_read strace_line_read(struct str text, struct strace_line *line);

#endif
