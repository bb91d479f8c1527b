/* CREATE VIRTUAL TABLE x USING span_join(t1 [PARTITIONED c], t2 [PARTITIONED c]), and
 * span_left_join, span_outer_join (engine_4 4.6).
 *
 * Spans are half-open, [ts, ts + dur); those of one side and partition do not
 * overlap.  Rows come by (partition, ts).
 */
#ifndef ENGINE_SQL_SPAN_JOIN_H
#define ENGINE_SQL_SPAN_JOIN_H

#include "engine/sql/database_internal.h"

bool span_join_register(struct sql_database *db, struct status *st);

#endif
