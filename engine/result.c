/* A whole result, kept in an arena of its own. */
#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "engine/engine.h"

struct cell_list VEC_OF(struct result_cell);

static void keep_row(struct result *result, struct cell_list *cells, const struct query *query)
{
    for (uint32_t c = 0; c < result->n_columns; c++) {
        struct result_cell cell = {.type = query_type(query, c)};
        if (cell.type == CELL_INT) cell.integer = query_int(query, c);
        if (cell.type == CELL_REAL) cell.real = query_real(query, c);
        if (cell.type == CELL_TEXT || cell.type == CELL_BLOB)
            cell.text = arena_copy_str(result->arena, query_text(query, c));
        vec_push(cells, cell);
    }
    result->n_rows++;
}

static void begin_set(struct result *result, struct cell_list *cells, const struct query *query)
{
    arena_reset(result->arena);
    vec_clear(cells);
    result->n_rows = result->rows_left_out = 0;
    result->n_columns = query_column_count(query);
    result->names = arena_alloc(result->arena, (result->n_columns + 1) * sizeof *result->names);
    for (uint32_t c = 0; c < result->n_columns; c++) {
        const char *name = query_column_name(query, c);
        result->names[c] = arena_copy(result->arena, name, strlen(name));
    }
}

struct result *engine_query_result(struct engine *engine, struct str sql, uint64_t max_rows,
                                   struct status *st)
{
    return engine_query_result_from(engine, ENGINE_ORIGIN_USER, sql, max_rows, st);
}

struct result *engine_query_result_from(struct engine *engine, enum engine_origin origin,
                                        struct str sql, uint64_t max_rows, struct status *st)
{
    struct status local = STATUS_INIT;
    struct query *query = engine_query_from(engine, origin, sql, &local);
    struct result *result = NULL;
    struct cell_list cells = {0};
    if (query) {
        int64_t began = clock_now_ns();
        result = mem_zero(1, sizeof *result);
        result->arena = mem_zero(1, sizeof *result->arena);
        while (query_next_statement(query, &local)) {
            bool has_columns = query_column_count(query) > 0;
            if (has_columns) begin_set(result, &cells, query);
            while (query_step(query, &local)) {
                if (!has_columns) continue;
                if (result->n_rows < max_rows)
                    keep_row(result, &cells, query);
                else
                    result->rows_left_out++;
            }
        }
        result->elapsed_ns = clock_now_ns() - began;
        result->cells = cells.items;
        query_free(query);
    }
    if (local.code == STATUS_OK) return result;
    result_free(result);
    status_move(st, &local);
    return NULL;
}

void result_free(struct result *result)
{
    if (!result) return;
    arena_free(result->arena);
    mem_free(result->arena);
    mem_free(result->cells);
    mem_free(result);
}

const struct result_cell *result_at(const struct result *result, uint64_t row, uint32_t column)
{
    return &result->cells[row * result->n_columns + column];
}
