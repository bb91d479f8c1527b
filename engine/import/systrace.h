/* Kernel events as text (spec engine_2b 6.6): ftrace's own format
 * (docs.kernel.org/trace/ftrace.html, "Output format"), Android's systrace HTML
 * around it, and the same text inside Chrome JSON.
 *
 *   systrace_line    one line's columns
 *   systrace_import  the forms of file: plain, `cpus=`, HTML with its sections
 *   systrace_dump    the tables of processes in the HTML
 *   systrace_parse   lines in order of time, into the trackers
 *   systrace_sched, systrace_binder  groups of events
 */
#ifndef ENGINE_IMPORT_SYSTRACE_H
#define ENGINE_IMPORT_SYSTRACE_H

#include "engine/import/import.h"
#include "engine/import/text_events.h"

extern const struct importer importer_systrace;

/* `task-pid (tgid) [cpu] flags seconds: event: args` */
struct systrace_line {
    struct str task;
    int64_t pid;
    int64_t tgid; /* -1: unknown */
    uint32_t cpu;
    int64_t ts; /* ns, exactly as the decimals say */
    struct str event, args;
};
bool systrace_line_read(struct str text, struct systrace_line *line);

/* The events of one file. */
struct systrace;
struct systrace *systrace_new(const struct import_file *file);
void systrace_free(struct systrace *systrace);
/* The text of a file (text_events_text). */
struct str systrace_text(struct systrace *systrace, struct str bytes);
/* False when it is no event.  The text must stay until the load ends. */
bool systrace_push_line(struct systrace *systrace, struct str text);
uint64_t systrace_events(const struct systrace *systrace); /* pushed so far */

/* Tables of processes, line by line. */
struct systrace_dump {
    enum systrace_dump_form { DUMP_LONG, DUMP_SHORT } form;
};
/* False when it is no row of the table. */
bool systrace_dump_read(struct systrace_dump *dump, const struct import_file *file,
                        struct str line);

/* ---- between systrace_*.c ---- */

struct binder;
struct systrace_event {
    struct systrace *systrace;
    const struct import_file *file;
    struct import *import;
    int64_t ts;
    int64_t tid;
    uint32_t utid, cpu;
    struct str args;
};
typedef void (*systrace_handler)(const struct systrace_event *event);

/* The value of `key=value`; absent: STR_NONE.  Words without '=' are `name`. */
struct str systrace_arg(const struct systrace_event *event, const char *key);
/* The name of a thread may hold blanks: it goes on up to `next=`. */
struct str systrace_arg_comm(const struct systrace_event *event, const char *key, const char *next);
/* Numbers; false when it is absent or no such number. */
bool systrace_arg_uint32(const struct systrace_event *event, const char *key, uint32_t *out);
bool systrace_arg_int32(const struct systrace_event *event, const char *key, int32_t *out);

void systrace_on_switch(const struct systrace_event *event);
void systrace_on_waking(const struct systrace_event *event);
void systrace_on_blocked_reason(const struct systrace_event *event);

struct binder *systrace_binder(struct systrace *systrace);
void systrace_on_transaction(const struct systrace_event *event);
void systrace_on_received(const struct systrace_event *event);
void systrace_on_alloc(const struct systrace_event *event);
void systrace_on_return(const struct systrace_event *event);
void systrace_on_lock(const struct systrace_event *event);
void systrace_on_locked(const struct systrace_event *event);
void systrace_on_unlock(const struct systrace_event *event);

#endif
