/* Packages of modules, and INCLUDE PERFETTO MODULE (engine_4 4.2, 4.3).
 *
 * A module runs once.  One that failed is poisoned: including it again fails at
 * once with the first reason, since part of its objects may be there.
 */
#ifndef ENGINE_SQL_PACKAGES_H
#define ENGINE_SQL_PACKAGES_H

#include "engine/sql/database_internal.h"

/* The standard library, and what it makes before the end of the file. */
bool packages_open(struct sql_database *db, struct status *st);
void packages_free(struct sql_packages *packages);

#endif
