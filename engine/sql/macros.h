/* CREATE PERFETTO MACRO and its calls, name!(a, b).
 *
 * A call is replaced as text: `$a` in the body becomes the argument, then the
 * result is expanded again.  Depth, number of calls and the size of the result are
 * limited, since a macro may come from a trace.
 */
#ifndef ENGINE_SQL_MACROS_H
#define ENGINE_SQL_MACROS_H

#include "engine/sql/database_internal.h"
#include "engine/sql/perfettosql_source.h"

#define MACROS_MAX_DEPTH  100
#define MACROS_MAX_CALLS  100000
#define MACROS_MAX_BYTES  (16u << 20)
#define MACROS_MAX_PARAMS 64

struct macro_parameter {
    struct str name, type;
};

/* Enters a macro; the strings are copied.  Fails when it is there already, unless
 * `replace`, or an argument's type is none. */
bool macros_define(struct sql_database *db, struct str name,
                   const struct macro_parameter *parameters, size_t n_parameters, struct str body,
                   bool replace, struct status *st);
void macros_free(struct sql_macros *macros);

/* unit->text and segments from unit->raw.  On failure *error_at is the byte of the
 * call in unit->raw. */
bool macros_expand(struct sql_database *db, struct sql_unit *unit, size_t *error_at,
                   struct status *st);

#endif
