#include "commands/result_rows.h"

#include "engine/base/arena.h"
#include "engine/base/memory.h"

void rows_begin(struct result_rows *rows, const char *names)
{
    struct str rest = str_of(names), name;
    struct result *result = mem_zero(1, sizeof *result);
    *rows = (struct result_rows){.result = result};
    result->arena = mem_zero(1, sizeof *result->arena);
    while (str_split_next(&rest, '|', &name))
        result->n_columns++;
    result->names = arena_alloc(result->arena, result->n_columns * sizeof *result->names);
    rest = str_of(names);
    for (uint32_t i = 0; str_split_next(&rest, '|', &name); i++)
        result->names[i] = arena_copy(result->arena, name.p, name.n);
}

void rows_put_text(struct result_rows *rows, struct str text)
{
    struct result_cell cell = {.type = text.p ? CELL_TEXT : CELL_NULL};
    if (text.p) cell.text = arena_copy_str(rows->result->arena, text);
    vec_push(&rows->cells, cell);
}

void rows_put_int(struct result_rows *rows, int64_t value)
{
    vec_push(&rows->cells, (struct result_cell){.type = CELL_INT, .integer = value});
}

void rows_put_real(struct result_rows *rows, double value)
{
    vec_push(&rows->cells, (struct result_cell){.type = CELL_REAL, .real = value});
}

void rows_put_null(struct result_rows *rows)
{
    vec_push(&rows->cells, (struct result_cell){.type = CELL_NULL});
}

struct result *rows_end(struct result_rows *rows)
{
    struct result *result = rows->result;
    result->n_rows = rows->cells.count / result->n_columns;
    result->cells = rows->cells.items ? rows->cells.items : mem_zero(1, sizeof *result->cells);
    return result;
}
