/* Rows of a result made by hand, for pages that no SELECT can give. */
#ifndef COMMANDS_RESULT_ROWS_H
#define COMMANDS_RESULT_ROWS_H

#include "engine/base/vec.h"
#include "engine/engine.h"

struct result_rows {
    struct result *result;
    VEC(struct result_cell) cells; /* whole rows, and the one that is being put */
};

/* "id|name|size": as many cells are put for each row. */
void rows_begin(struct result_rows *rows, const char *names);
void rows_put_text(struct result_rows *rows, struct str text); /* copied; STR_NONE is NULL */
void rows_put_int(struct result_rows *rows, int64_t value);
void rows_put_real(struct result_rows *rows, double value);
void rows_put_null(struct result_rows *rows);
/* The caller's. */
struct result *rows_end(struct result_rows *rows);

#endif
