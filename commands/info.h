/* What a trace holds, in plain words: the page of the viewer and `perfetty info`.
 *
 *     struct info *info = info_new(engine, "trace.zip");
 *     info_append_text(info, &text);          // or read the lists, as --json does
 *     info_free(info);
 *
 * A whole pass over the large tables: a worker's job in the viewer.  Texts are
 * bytes of the trace as they are, and belong to `info` or to the engine's string
 * pool; info_append_text shows what is unsafe, and never sends it.  Times are ns
 * of trace time.
 */
#ifndef COMMANDS_INFO_H
#define COMMANDS_INFO_H

#include "engine/base/arena.h"
#include "engine/base/buffer.h"
#include "engine/base/vec.h"
#include "engine/engine.h"

/* The moments of some rows; none of them has one while `rows` is 0. */
struct info_span {
    uint64_t rows;
    int64_t start, end;
};

/* One kind of data: rows of a table, or those of them on tracks of one type. */
struct info_kind {
    const char *kind; /* "slices", "counters", … */
    struct str type;  /* track.type, or the source of samples; STR_NONE: none */
    const char *label;
    uint32_t tracks; /* 0: not on tracks */
    bool has_time;
    struct info_span span;
};

struct info_file {
    uint32_t id, parent_id; /* NULL_UINT32: the operand itself */
    uint32_t depth;
    struct str name; /* the operand's label where it has none of its own */
    struct str type;
    int64_t size_bytes;
    bool is_container, is_read;
    bool is_left_out; /* else one that is not read is a part of the extensions */
};

struct info_machine {
    uint32_t id;
    int64_t raw_id;
    struct str name, system, release, architecture, build;
    uint32_t cpus, processes, threads;
    int64_t ram_bytes; /* 0: unknown */
};

struct info_process {
    uint32_t upid, machine_id, threads;
    int64_t pid;
    struct str name;
    int64_t cpu_ns;  /* time that its threads ran */
    uint64_t slices; /* on tracks of its own and of its threads */
};

struct info_clock {
    uint32_t machine_id;
    int64_t id;
    struct str name; /* STR_NONE for a clock of the program's own */
    uint32_t readings;
    int64_t first_value;
};

struct info_fact {
    struct str name, text;
    uint32_t machine_id, file_id; /* NULL_UINT32: of none */
};

enum info_loss_class { INFO_LOST, INFO_NOTICE, INFO_NOT_READ };

struct info_loss {
    enum info_loss_class class;
    struct str name, severity, source, description;
    const char *advice; /* what to do about it; never empty */
    const char *first;  /* where the first one is: "at byte 12"; NULL: unknown */
    int64_t key, value, index;
    bool has_index;
    uint32_t machine_id, file_id; /* NULL_UINT32: of none */
};

struct info {
    struct arena arena;
    const char *label; /* of the operand */
    int64_t start, end;
    bool has_realtime;
    int64_t realtime_ns; /* at `start`: ns since 1970 */
    struct str trace_clock;
    struct str extensions, namespace; /* the section; whose it is */
    VEC(struct info_kind) kinds;      /* those that have rows, as they are listed */
    VEC(struct info_file) files;
    VEC(struct info_machine) machines;
    VEC(struct info_process) processes; /* the busiest first */
    VEC(struct info_clock) clocks;
    VEC(struct info_fact) facts;
    VEC(struct info_loss) losses;
    VEC(const char *) warnings;
};

/* After a load.  `label` names the operand; the engine is borrowed while this lasts. */
struct info *info_new(struct engine *engine, const char *label);
void info_free(struct info *info);

/* What the lists come from; each reads tables and nothing else.  info_kinds.c: */
void info_add_kinds(struct info *info, const struct tables *tables);
/* info_losses.c */
void info_add_losses(struct info *info, struct tables *tables);
/* info_advice.c: for the name of a stat and its severity. */
const char *info_advice_for(struct str name, struct str severity, struct str source);

/* Lines ended by '\n', fit for a terminal; a line that begins with no space is a heading. */
void info_append_text(const struct info *info, struct buffer *out);

#endif
