#include "cli/table.h"

#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/buffer.h"
#include "engine/base/utf8.h"
#include "engine/base/vec.h"

struct cell {
    struct str text; /* visible, clipped */
    size_t width;    /* cells */
    bool is_number;
};

struct grid {
    FILE *file;
    struct arena arena;
    VEC(struct cell) cells; /* row-major, the header first */
    VEC(size_t) widths;
    size_t n_columns;
    bool widths_known;
};

static struct str clip(struct arena *arena, struct str visible, size_t *width)
{
    struct buffer out = BUFFER_INIT;
    struct str rest = visible;
    *width = 0;
    while (rest.n > 0) {
        uint32_t c;
        size_t used = utf8_decode(rest, &c);
        size_t cells = (size_t)utf8_width(c);
        if (*width + cells > TABLE_CELL - 1) {
            buffer_append_text(&out, "\xE2\x80\xA6");
            *width += 1;
            break;
        }
        buffer_append(&out, rest.p, used);
        *width += cells;
        rest = str_slice(rest, used, rest.n);
    }
    struct str kept = arena_copy_str(arena, buffer_str(&out));
    buffer_free(&out);
    return kept;
}

static void add_text(struct grid *grid, struct str text, bool is_number)
{
    struct buffer visible = BUFFER_INIT;
    utf8_append_visible(&visible, text, false);
    struct cell cell = {.is_number = is_number};
    cell.width = utf8_visible_width(text, false);
    if (cell.width <= TABLE_CELL)
        cell.text = arena_copy_str(&grid->arena, buffer_str(&visible));
    else
        cell.text = clip(&grid->arena, buffer_str(&visible), &cell.width);
    buffer_free(&visible);
    vec_push(&grid->cells, cell);
}

static void add_cell(struct grid *grid, const struct query *query, uint32_t column)
{
    char text[400];
    switch (query_type(query, column)) {
    case CELL_NULL: add_text(grid, STR("NULL"), false); return;
    case CELL_INT: snprintf(text, sizeof text, "%lld", (long long)query_int(query, column)); break;
    case CELL_REAL: snprintf(text, sizeof text, "%f", query_real(query, column)); break;
    case CELL_TEXT: add_text(grid, query_text(query, column), false); return;
    case CELL_BLOB:
        snprintf(text, sizeof text, "<%zu bytes>", query_text(query, column).n);
        add_text(grid, str_of(text), false);
        return;
    }
    add_text(grid, str_of(text), true);
}

static void pad(FILE *file, size_t n)
{
    while (n-- > 0)
        fputc(' ', file);
}

static void print_line(struct grid *grid, size_t row)
{
    for (size_t c = 0; c < grid->n_columns; c++) {
        const struct cell *cell = &grid->cells.items[row * grid->n_columns + c];
        size_t width = grid->widths.items[c];
        size_t space = width > cell->width ? width - cell->width : 0;
        bool is_last = c + 1 == grid->n_columns;
        if (cell->is_number) pad(grid->file, space);
        fwrite(cell->text.p ? cell->text.p : "", 1, cell->text.n, grid->file);
        if (!cell->is_number && !is_last) pad(grid->file, space);
        if (!is_last) fputs("  ", grid->file);
    }
    fputc('\n', grid->file);
}

static void print_rule(struct grid *grid)
{
    for (size_t c = 0; c < grid->n_columns; c++) {
        for (size_t i = 0; i < grid->widths.items[c]; i++)
            fputc('-', grid->file);
        fputs(c + 1 < grid->n_columns ? "  " : "\n", grid->file);
    }
}

/* Prints what is held; the first time measures it and prints the header. */
static void flush(struct grid *grid)
{
    size_t rows = grid->cells.count / grid->n_columns, first = 0;
    if (!grid->widths_known) {
        for (size_t c = 0; c < grid->n_columns; c++)
            vec_push(&grid->widths, 1);
        for (size_t i = 0; i < grid->cells.count; i++) {
            size_t *width = &grid->widths.items[i % grid->n_columns];
            if (grid->cells.items[i].width > *width) *width = grid->cells.items[i].width;
        }
        grid->widths_known = true;
        /* A number's header stands over its digits. */
        for (size_t c = 0; rows > 1 && c < grid->n_columns; c++)
            grid->cells.items[c].is_number = grid->cells.items[grid->n_columns + c].is_number;
        print_line(grid, 0);
        print_rule(grid);
        first = 1;
    }
    for (size_t row = first; row < rows; row++)
        print_line(grid, row);
    vec_clear(&grid->cells);
    arena_reset(&grid->arena);
}

bool table_print(FILE *file, const char *trace, struct query *query, struct status *st)
{
    struct status local = STATUS_INIT;
    uint32_t n = query_column_count(query);
    struct grid grid = {.file = file, .n_columns = n + (trace ? 1 : 0)};
    if (trace) add_text(&grid, STR("trace"), false);
    for (uint32_t c = 0; c < n; c++)
        add_text(&grid, str_of(query_column_name(query, c)), false);
    while (!ferror(file) && query_step(query, &local)) {
        if (trace) add_text(&grid, str_of(trace), false);
        for (uint32_t c = 0; c < n; c++)
            add_cell(&grid, query, c);
        if (grid.cells.count >= grid.n_columns * TABLE_SAMPLE) flush(&grid);
    }
    if (grid.cells.count > 0 || !grid.widths_known) flush(&grid);
    vec_free(&grid.cells);
    vec_free(&grid.widths);
    arena_free(&grid.arena);
    bool ok = local.code == STATUS_OK;
    status_move(st, &local);
    return ok;
}
