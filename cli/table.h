/* Aligned columns for eyes.  Widths come from the first rows (TABLE_SAMPLE of
 * them); a later cell that is wider pushes its neighbours, nothing is cut but
 * cells wider than TABLE_CELL.  Unsafe characters are shown, never sent. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdio.h>

#include "engine/engine.h"

enum { TABLE_SAMPLE = 1000, TABLE_CELL = 100 };

/* Prints the header and all rows of the current statement. */
bool table_print(FILE *file, const char *trace, struct query *query, struct status *st);

#endif
