/* The table of the shown tab: its order, filters, columns, counts. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "commands/command.h"
#include "commands/page.h"
#include "commands/session.h"
#include "engine/base/memory.h"

static struct tab *shown_table(const struct command_call *call, struct status *st)
{
    struct tab *tab = session_tab_shown(call->session);
    if (tab && tab_grid(tab)) return tab;
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "the shown tab holds no table");
    return NULL;
}

/* The named column, or the one at the cursor; of the shown rows. */
static const char *column_named(const struct tab *tab, const char *name, struct status *st)
{
    const struct grid *grid = tab->grid;
    if (!name && grid->n_columns)
        return grid_column_name(grid,
                                tab->column < grid->n_columns ? tab->column : grid->n_columns - 1);
    int64_t column = name ? result_column(grid->result, name) : -1;
    if (column >= 0) return grid->result->names[column];
    column = name && tab->result ? result_column(tab->result, name) : -1;
    if (column >= 0) return tab->result->names[column];
    status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "this table has no column %s",
                name ? name : "at all");
    return NULL;
}

static void say_rows(struct session *session, struct tab *tab)
{
    const struct grid *grid = tab_grid(tab);
    struct buffer text = BUFFER_INIT;
    if (!grid) return;
    grid_shape_write(&tab->shape, &text);
    if (page_is_bounded(tab->page)) /* the rows are not there yet */
        session_say(session, MESSAGE_INFO, "%s: %s", tab->title,
                    text.length ? buffer_text(&text) : "all rows");
    else if (grid->counts)
        session_say(session, MESSAGE_INFO, "%u values of %" PRIu64 " rows: %s", grid->n_rows,
                    grid->n_matching, buffer_text(&text));
    else
        session_say(session, MESSAGE_INFO, "%u of %" PRIu64 " rows%s%s", grid->n_rows,
                    tab->result->n_rows, text.length ? ": " : "", buffer_text(&text));
    buffer_free(&text);
}

/* ---- order ---- */

static bool sort(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_table(call, st);
    const char *name = tab ? column_named(tab, command_arg(call, 0, NULL), st) : NULL;
    if (!name) return false;
    char *column = mem_strdup(name); /* the grid goes */
    const char *way = command_arg(call, 1, NULL);
    const struct grid_sort *first = tab->shape.sorts.count ? &tab->shape.sorts.items[0] : NULL;
    bool same = first && strcasecmp(first->column, column) == 0;
    bool descending = way ? strcmp(way, "descending") == 0 : same && !first->descending;
    grid_shape_sort(&tab->shape, column, descending);
    tab_reshaped(call->session, tab);
    session_say(call->session, MESSAGE_INFO, "sorted by %s, %s", column,
                descending ? "largest first" : "smallest first");
    if (tab->result && tab->result->rows_left_out)
        session_say(call->session, MESSAGE_WARNING,
                    "only the %" PRIu64
                    " rows that were kept are sorted: add ORDER BY to the query",
                    tab->result->n_rows);
    mem_free(column);
    return true;
}

/* ---- filters ---- */

static bool filter_rows(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_table(call, st);
    if (!tab) return false;
    if (!call->n_args) {
        session_ask(call->session, REQUEST_TABLE_FILTER, NULL);
        return true;
    }
    const char *column = command_arg(call, 1, NULL);
    if (column && !(column = column_named(tab, column, st))) return false;
    if (!grid_shape_filter(&tab->shape, column, call->args[0], st)) return false;
    tab_reshaped(call->session, tab);
    say_rows(call->session, tab);
    return true;
}

static bool filter_column(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_table(call, st);
    const char *column = tab ? column_named(tab, NULL, st) : NULL;
    if (!column) return false;
    if (!call->n_args) {
        session_ask(call->session, REQUEST_TABLE_FILTER_COLUMN, column);
        return true;
    }
    if (!grid_shape_filter(&tab->shape, column, call->args[0], st)) return false;
    tab_reshaped(call->session, tab);
    say_rows(call->session, tab);
    return true;
}

static bool filter_cell(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_table(call, st);
    const struct grid *grid = tab ? tab->grid : NULL;
    if (!grid) return false;
    if (tab->row >= grid->n_rows || tab->column >= grid->n_columns)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "there is no row to compare with");
    bool drop = strcmp(command_arg(call, 0, "keep"), "drop") == 0;
    const char *column = grid_column_name(grid, tab->column);
    if (tab_has_counts(tab) && strcasecmp(column, tab->shape.group) != 0)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "%s counts rows: choose a value of %s", column, tab->shape.group);
    struct buffer text = BUFFER_INIT;
    buffer_append_text(&text, drop ? "!=" : "=");
    grid_cell_write(grid_at(grid, (uint32_t)tab->row, tab->column), &text);
    bool good = grid_shape_filter(&tab->shape, column, buffer_text(&text), st);
    buffer_free(&text);
    if (!good) return false;
    tab_reshaped(call->session, tab);
    say_rows(call->session, tab);
    return true;
}

static bool clear(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_table(call, st);
    if (!tab) return false;
    struct grid_shape *shape = &tab->shape;
    bool all = strcmp(command_arg(call, 0, "all"), "all") == 0;
    if (all) {
        grid_shape_clear(shape);
    } else if (shape->filters.count) {
        struct grid_filter last = vec_pop(&shape->filters);
        mem_free(last.column);
        mem_free(last.text);
    } else if (shape->group) {
        grid_shape_group(shape, NULL);
    } else {
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no filter is set");
    }
    tab_reshaped(call->session, tab);
    say_rows(call->session, tab);
    return true;
}

/* ---- columns ---- */

static bool hide(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_table(call, st);
    const char *name = tab ? column_named(tab, command_arg(call, 0, NULL), st) : NULL;
    if (!name) return false;
    if (tab->grid->n_columns < 2)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "the last column stays");
    uint64_t row = tab->row;
    grid_shape_hide(&tab->shape, name);
    session_say(call->session, MESSAGE_INFO, "column %s is hidden", name);
    tab_reshaped(call->session, tab);
    tab->row = row;
    return true;
}

static bool show_all(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_table(call, st);
    if (!tab) return false;
    size_t n = tab->shape.hidden.count;
    uint64_t row = tab->row;
    for (size_t i = 0; i < n; i++)
        mem_free(tab->shape.hidden.items[i]);
    vec_free(&tab->shape.hidden);
    tab_reshaped(call->session, tab);
    tab->row = row;
    session_say(call->session, MESSAGE_INFO, "%zu hidden column%s shown again", n,
                n == 1 ? " is" : "s are");
    return true;
}

static bool group(const struct command_call *call, struct status *st)
{
    struct tab *tab = shown_table(call, st);
    if (!tab) return false;
    const char *asked = command_arg(call, 0, NULL);
    bool end = asked ? !asked[0] : tab->shape.group != NULL;
    if (end) {
        grid_shape_group(&tab->shape, NULL);
    } else {
        const char *column = column_named(tab, asked, st);
        if (!column) return false;
        if (page_is_bounded(tab->page) && strcasecmp(column, "args") == 0)
            return status_fail(
                st, STATUS_INVALID, STATUS_NO_OFFSET,
                "args are many values: filter by them, then count by another column");
        grid_shape_group(&tab->shape, column);
    }
    tab->column = tab->left = 0;
    tab_reshaped(call->session, tab);
    say_rows(call->session, tab);
    return true;
}

bool tab_open_group(struct session *session, struct tab *tab)
{
    const struct grid *grid = tab_grid(tab);
    struct status st = STATUS_INIT;
    if (!grid || !tab_has_counts(tab) || tab->row >= grid->n_rows) return false;
    struct buffer text = BUFFER_INIT;
    buffer_append_byte(&text, '=');
    grid_cell_write(result_at(grid->result, grid->rows[tab->row], 0), &text);
    grid_shape_filter(&tab->shape, tab->shape.group, buffer_text(&text), &st);
    status_clear(&st);
    buffer_free(&text);
    int64_t column = result_column(tab->result, tab->shape.group); /* of a page: the first */
    grid_shape_group(&tab->shape, NULL);
    tab->column = column < 0 ? 0 : (uint32_t)column;
    tab_reshaped(session, tab);
    say_rows(session, tab);
    return true;
}

/* ---- moving ---- */

static bool move_column(const struct command_call *call, struct status *st)
{
    int64_t by = 0;
    struct tab *tab = shown_table(call, st);
    if (!tab) return false;
    str_to_int64(str_of(call->args[0]), &by);
    int64_t last = (int64_t)tab->grid->n_columns - 1, to = (int64_t)tab->column;
    to = by > last ? last : by < -last ? 0 : to + by;
    tab->column = (uint32_t)(to < 0 || last < 0 ? 0 : to > last ? last : to);
    session_changed(call->session);
    return true;
}

const struct command command_sort_table = {
    .id = "dev.perfetty.SortTable",
    .name = "Table: sort by a column; again: the other way",
    .args = {{"column", COMMAND_ARG_TEXT, true, NULL},
             {"direction", COMMAND_ARG_CHOICE, true, "ascending|descending"}},
    .run = sort,
};
const struct command command_filter_table = {
    .id = "dev.perfetty.FilterTable",
    .name = "Table: keep rows that match a text, /regex/, =value or >number",
    .args = {{"pattern", COMMAND_ARG_TEXT, true, NULL}, {"column", COMMAND_ARG_TEXT, true, NULL}},
    .run = filter_rows,
};
const struct command command_filter_table_column = {
    .id = "dev.perfetty.FilterTableColumn",
    .name = "Table: the same in the column at the cursor",
    .args = {{"pattern", COMMAND_ARG_TEXT, true, NULL}},
    .run = filter_column,
};
const struct command command_filter_table_cell = {
    .id = "dev.perfetty.FilterTableCell",
    .name = "Table: keep or drop rows with the value at the cursor",
    .args = {{"what", COMMAND_ARG_CHOICE, true, "keep|drop"}},
    .run = filter_cell,
};
const struct command command_clear_table = {
    .id = "dev.perfetty.ClearTable",
    .name = "Table: take away the last filter, or all order, filters and counts",
    .args = {{"what", COMMAND_ARG_CHOICE, true, "last|all"}},
    .run = clear,
};
const struct command command_hide_column = {
    .id = "dev.perfetty.HideColumn",
    .name = "Table: hide a column",
    .args = {{"column", COMMAND_ARG_TEXT, true, NULL}},
    .run = hide,
};
const struct command command_show_columns = {
    .id = "dev.perfetty.ShowColumns",
    .name = "Table: show hidden columns again",
    .run = show_all,
};
const struct command command_group_table = {
    .id = "dev.perfetty.GroupTable",
    .name = "Table: count rows by a column and sum the others; again: rows",
    .args = {{"column", COMMAND_ARG_TEXT, true, NULL}},
    .run = group,
};
const struct command command_move_tab_column = {
    .id = "dev.perfetty.MoveTabColumn",
    .name = "Move in the columns of the table",
    .kind = COMMAND_VIEW,
    .args = {{"columns", COMMAND_ARG_INT, false, NULL}},
    .run = move_column,
};
