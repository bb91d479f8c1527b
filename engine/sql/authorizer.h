/* What SQL may do.  Set on the connection before the first statement, so that
 * nothing is prepared without it.
 *
 * Denied to everybody: ATTACH and DETACH (and with them VACUUM), load_extension,
 * writing sqlite_master, pragmas other than a short read-only list, virtual table
 * modules other than the documented ones.  Denied to a trace or a server:
 * dropping, replacing, shadowing or writing to what others made, and triggers.
 */
#ifndef ENGINE_SQL_AUTHORIZER_H
#define ENGINE_SQL_AUTHORIZER_H

#include "engine/sql/database_internal.h"

void authorizer_install(struct sql_database *db);

/* Who made an object; the user when nobody is known. */
enum sql_origin authorizer_owner(const struct sql_database *db, struct str name);
/* Notes who makes an object; removes the note when it goes. */
void authorizer_set_owner(struct sql_database *db, struct str name, enum sql_origin origin);

/* May db->origin replace or drop `name`, if it exists? Fills db->denied when not. */
bool authorizer_may_replace(struct sql_database *db, const char *name);

#endif
