/* A text of statements, where each statement is in it, and the traceback that says
 * where something went wrong (engine_4 4.1). */
#ifndef ENGINE_SQL_PERFETTOSQL_SOURCE_H
#define ENGINE_SQL_PERFETTOSQL_SOURCE_H

#include "engine/base/buffer.h"
#include "engine/base/status.h"
#include "engine/base/vec.h"
#include "engine/sql/database.h"

struct sql_source {
    char *name; /* owned: "stdin", "Module include \"a.b\"" */
    char *text; /* owned; U+00A0 is a space */
    size_t length, at;
    enum sql_origin origin;
};

void sql_source_init(struct sql_source *source, const char *name, struct str text,
                     enum sql_origin origin);
void sql_source_free(struct sql_source *source);

/* Where a byte of an expanded statement came from. */
struct sql_segment {
    size_t expanded, original;
    bool is_macro; /* all of it came from the macro call at `original` */
};

/* One statement, macros expanded. */
struct sql_unit {
    const struct sql_source *source; /* borrowed */
    size_t start;                    /* of the statement in the source */
    struct str raw;                  /* borrowed from the source; without the ';' */
    struct buffer text;              /* expanded */
    VEC(struct sql_segment) segments;
    bool has_macros;
};

/* The next statement that holds more than space; false at the end. */
bool sql_source_next(struct sql_source *source, struct str *raw);
void sql_unit_free(struct sql_unit *unit);

/* Puts the traceback of byte `offset` of the expanded text in front of st. */
void sql_unit_trace(const struct sql_unit *unit, size_t offset, struct status *st);

#endif
