/* CREATE VIRTUAL TABLE x USING …, the three that cut time into steps (engine_4 4.6):
 *
 *   __intrinsic_window(start, dur, quantum)
 *   __intrinsic_slice_mipmap((SELECT id, ts, dur, depth …))   FROM x(start, end, step)
 *   __intrinsic_counter_mipmap((SELECT ts, value …))          FROM x(start, end, step)
 *
 * A mipmap reads its query once, when it is made; a question costs the buckets that
 * it returns times a logarithm, whatever the number of rows.
 */
#ifndef ENGINE_SQL_WINDOW_TABLE_H
#define ENGINE_SQL_WINDOW_TABLE_H

#include "engine/sql/database_internal.h"

bool window_table_register(struct sql_database *db, struct status *st);
bool mipmap_register(struct sql_database *db, struct status *st);

#endif
