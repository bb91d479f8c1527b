/* A flaw of SQLite (3.40.1, and before) that its virtual tables have to know of: in
 *
 *     a LEFT JOIN b ON a.name GLOB 'x*'
 *
 * it offers the condition to table `a` as a filter, which would drop rows that the
 * join keeps.  GLOB, LIKE, REGEXP, MATCH, <>, IS NOT and NOT NULL are offered so; the
 * other operators are not. */
#ifndef ENGINE_SQL_OUTER_JOIN_H
#define ENGINE_SQL_OUTER_JOIN_H

#include "engine/sql/database_internal.h"

/* Has the text an outer join whose ON has such an operator? */
bool outer_join_filters(struct str text);
/* Before SQLite prepares `text`: whether tables must leave those operators to SQLite.
 * What is kept by name, a view or a function, counts for all statements after it. */
void outer_join_note(struct sql_database *db, struct str text, bool is_kept);

#endif
