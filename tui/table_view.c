#include "tui/table_view.h"

#include <inttypes.h>
#include <strings.h>

#include "commands/area.h"
#include "commands/page.h"
#include "engine/base/utf8.h"
#include "tui/time_text.h"

/* ---- cells ---- */

static bool is_duration(const char *column)
{
    struct str name = str_of(column);
    return strcasecmp(column, "dur") == 0 || str_ends(name, STR("_dur")) ||
           str_ends(name, STR(" dur"));
}

static void cell_text(const struct session *s, const struct tab *tab,
                      const struct result_cell *cell, const char *column, struct buffer *out)
{
    int64_t ts;
    switch (cell->type) {
    case CELL_INT:
        ts = cell->integer;
        if (tab->trace < s->n_traces) ts += s->traces[tab->trace].offset_ns;
        /* -1 is what never ended; a difference may be less than nothing. */
        if (is_duration(column) && (cell->integer >= 0 || strcasecmp(column, "delta_dur") == 0))
            duration_write(cell->integer, out);
        else if (strcasecmp(column, "ts") == 0 && ts >= s->start && ts <= s->end)
            time_write(s, ts, out);
        else
            grid_cell_write(cell, out);
        break;
    case CELL_TEXT: buffer_append_str(out, str_slice(cell->text, 0, 4096)); break;
    case CELL_BLOB: buffer_printf(out, "<%zu bytes>", cell->text.n); break;
    default: grid_cell_write(cell, out); break;
    }
}

static bool is_number(const struct result_cell *cell)
{
    return cell->type == CELL_INT || cell->type == CELL_REAL;
}

/* Levels of logs are told by their letter or word; the colour only repeats it. */
static enum color level_color(const struct result_cell *cell)
{
    if (cell->type != CELL_TEXT || cell->text.n == 0) return COLOR_DEFAULT;
    switch (cell->text.p[0]) {
    case 'F':
    case 'E':
    case 'e':
    case 'c':
    case 'a': return COLOR_ERROR;
    case 'W':
    case 'w': return COLOR_WARNING;
    case 'I':
    case 'n': return COLOR_GOOD;
    case 'V':
    case 'D':
    case 'd': return COLOR_DIM;
    default: return COLOR_DEFAULT;
    }
}

static void head_text(const struct tab *tab, const char *column, bool ascii, struct buffer *out)
{
    buffer_append_text(out, column);
    if (!tab->shape.sorts.count || strcasecmp(tab->shape.sorts.items[0].column, column) != 0)
        return;
    bool down = tab->shape.sorts.items[0].descending;
    buffer_append_text(out, ascii ? (down ? " v" : " ^") : down ? " \u25BC" : " \u25B2");
}

/* ---- where columns stand ---- */

struct view {
    struct app *app;
    const struct tab *tab;
    const struct grid *grid;
    struct rect area;  /* head line first */
    uint32_t from, to; /* rows on the screen */
};

/* Widths that fit the rows on screen, at most half the area each. */
static int column_width(const struct view *v, uint32_t column)
{
    const char *name = grid_column_name(v->grid, column);
    struct buffer text = BUFFER_INIT;
    head_text(v->tab, name, v->app->canvas->ascii, &text);
    size_t most = utf8_visible_width(buffer_str(&text), false);
    for (uint32_t row = v->from; row < v->to; row++) {
        buffer_clear(&text);
        cell_text(v->app->session, v->tab, grid_at(v->grid, row, column), name, &text);
        size_t cells = utf8_visible_width(str_slice(buffer_str(&text), 0, 512), false);
        if (cells > most) most = cells;
    }
    buffer_free(&text);
    bool last = column + 1 == v->grid->n_columns;
    int limit = v->area.w / 2 > 12 && !last ? v->area.w / 2 : v->area.w;
    return (int)most < limit ? (int)most : limit;
}

/* Scrolls sideways until the column at the cursor is seen as a whole. */
static uint32_t first_column(const struct view *v)
{
    uint32_t left = v->tab->left;
    if (left >= v->grid->n_columns) left = 0;
    if (v->app->session->pane != PANE_DETAILS) return left;
    if (v->tab->column < left) return v->tab->column;
    int used = 1;
    for (uint32_t c = v->tab->column + 1; c > left; c--) {
        used += column_width(v, c - 1) + 2;
        if (used > v->area.w + 1 && c - 1 < v->tab->column) return c;
    }
    return left;
}

/* ---- drawing ---- */

static void draw_column(const struct view *v, uint32_t column, int x, int width)
{
    struct app *app = v->app;
    const char *name = grid_column_name(v->grid, column);
    bool in_pane = app->session->pane == PANE_DETAILS, mono = app->theme->is_mono;
    bool at_cursor = in_pane && column == v->tab->column;
    bool numeric = v->from < v->to && is_number(grid_at(v->grid, v->from, column));
    struct style head = STYLE(DIM, DEFAULT, CELL_UNDERLINE);
    if (at_cursor) head = STYLE(ACCENT, DEFAULT, CELL_UNDERLINE | CELL_BOLD);
    struct buffer text = BUFFER_INIT;
    head_text(v->tab, name, app->canvas->ascii, &text);
    if (numeric)
        canvas_text_right(app->canvas, x, v->area.y, width, buffer_str(&text), head);
    else
        canvas_text(app->canvas, x, v->area.y, width, buffer_str(&text), head);
    bool is_level = strcasecmp(name, "level") == 0;
    for (uint32_t row = v->from; row < v->to; row++) {
        const struct result_cell *cell = grid_at(v->grid, row, column);
        buffer_clear(&text);
        cell_text(app->session, v->tab, cell, name, &text);
        bool here = in_pane && row == v->tab->row;
        struct style style = {cell->type == CELL_NULL ? COLOR_DIM : COLOR_DEFAULT,
                              here ? COLOR_FOCUS : COLOR_DEFAULT, here && mono ? CELL_REVERSE : 0};
        if (is_level) style.fg = (uint8_t)level_color(cell);
        if (here && at_cursor) style.attributes |= CELL_BOLD | CELL_UNDERLINE;
        int y = v->area.y + 1 + (int)(row - v->from);
        if (is_number(cell))
            canvas_text_right(app->canvas, x, y, width, buffer_str(&text), style);
        else
            canvas_text(app->canvas, x, y, width, buffer_str(&text), style);
        if (here && at_cursor) {
            app->canvas->cursor_x = x;
            app->canvas->cursor_y = y;
        }
    }
    buffer_free(&text);
}

/* "12 of 340 rows  name ~ do; by thread"; false when all is shown as it came. */
static bool draw_shape(const struct view *v)
{
    struct buffer text = BUFFER_INIT, line = BUFFER_INIT;
    grid_shape_write(&v->tab->shape, &text);
    page_write_state(v->tab, &line);
    if (!text.length && !line.length) return false;
    if (line.length)
        buffer_append_text(&line, text.length ? "  " : "");
    else if (v->grid->counts)
        buffer_printf(&line, "%u values of %" PRIu64 " rows  ", v->grid->n_rows,
                      v->grid->n_matching);
    else
        buffer_printf(&line, "%u of %" PRIu64 " rows  ", v->grid->n_rows, v->tab->result->n_rows);
    buffer_append_str(&line, buffer_str(&text));
    canvas_text(v->app->canvas, v->area.x + 1, v->area.y, v->area.w - 2, buffer_str(&line),
                STYLE(ACCENT, DEFAULT, 0));
    buffer_free(&line);
    buffer_free(&text);
    return true;
}

static struct str why_empty(const struct tab *tab)
{
    if (tab->shape.filters.count) return STR("0 rows: Backspace takes the last filter away");
    if (!page_is_bounded(tab->page)) return STR("0 rows");
    if (tab->page->level) return STR("0 rows: L chooses another level");
    if (tab->page->kind->is_timeless) return STR("0 rows");
    return tab->page->follows_window ? STR("0 rows here: W shows those of the whole trace")
                                     : STR("0 rows: the trace has none");
}

static void draw_rows(struct app *app, struct tab *tab, struct rect area)
{
    struct view v = {app, tab, tab_grid(tab), area, 0, 0};
    uint32_t n = v.grid->n_rows;
    if (area.h > 2 && draw_shape(&v)) {
        v.area.y++;
        v.area.h--;
    }
    int body = v.area.h - 1;
    if (body < 1) return;
    if ((int64_t)tab->row < app->drawer_top) app->drawer_top = (int64_t)tab->row;
    if ((int64_t)tab->row >= app->drawer_top + body) app->drawer_top = (int64_t)tab->row - body + 1;
    v.from = app->drawer_top > (int64_t)n ? n : (uint32_t)app->drawer_top;
    v.to = (uint64_t)v.from + (uint64_t)body < n ? v.from + (uint32_t)body : n;
    if (tab->column >= v.grid->n_columns)
        tab->column = v.grid->n_columns ? v.grid->n_columns - 1 : 0;
    tab->left = first_column(&v);
    if (app->session->pane == PANE_DETAILS && tab->row >= v.from && tab->row < v.to)
        canvas_fill(
            app->canvas,
            (struct rect){v.area.x, v.area.y + 1 + (int)(tab->row - v.from), v.area.w, 1}, ' ',
            (struct style){COLOR_DEFAULT, COLOR_FOCUS, app->theme->is_mono ? CELL_REVERSE : 0});
    int x = v.area.x + 1, end = v.area.x + v.area.w;
    for (uint32_t column = tab->left; column < v.grid->n_columns && x < end; column++) {
        int width = column_width(&v, column);
        if (x + width > end) width = end - x;
        draw_column(&v, column, x, width);
        x += width + 2;
    }
    if (n == 0)
        canvas_text(app->canvas, v.area.x + 1, v.area.y + 1, v.area.w - 2, why_empty(tab),
                    STYLE(DIM, DEFAULT, 0));
}

void table_view_draw(struct app *app, struct tab *tab, struct rect area)
{
    struct canvas *canvas = app->canvas;
    switch (tab->state) {
    case TAB_RUNNING: {
        struct buffer text = BUFFER_INIT;
        buffer_append_text(&text, "running for ");
        duration_write(clock_now_ns() - tab->started_ns, &text);
        buffer_append_text(&text, ", Ctrl-C stops it");
        canvas_text(canvas, area.x + 1, area.y, area.w - 2, buffer_str(&text),
                    STYLE(ACCENT, DEFAULT, 0));
        buffer_free(&text);
        break;
    }
    case TAB_FAILED: {
        struct str rest = str_of(tab->error), line;
        for (int y = 0; y < area.h && str_split_next(&rest, '\n', &line); y++)
            canvas_text(canvas, area.x + 1, area.y + y, area.w - 2, line, STYLE(ERROR, DEFAULT, 0));
        break;
    }
    case TAB_READY:
        if (tab->result) draw_rows(app, tab, area);
        break;
    }
}

/* ---- following a row ---- */

static bool int_at(const struct result *result, uint64_t row, const char *name, int64_t *value)
{
    int64_t column = result_column(result, name);
    if (column < 0) return false;
    const struct result_cell *cell = result_at(result, row, (uint32_t)column);
    if (cell->type != CELL_INT) return false;
    *value = cell->integer;
    return true;
}

static bool has(const struct result *result, const char *name)
{
    return result_column(result, name) >= 0;
}

/* Which event a row is, by its columns (spec ui §8: "Interpret id as"). */
static bool event_of_row(const struct result *r, uint64_t row, enum event_table *table, int64_t *id)
{
    static const struct {
        const char *id_column, *needs[3];
        enum event_table table;
    } kinds[] = {
        {"slice_id", {NULL}, EVENT_SLICE},
        {"sched_id", {NULL}, EVENT_SCHED},
        {"thread_state_id", {NULL}, EVENT_THREAD_STATE},
        {"id", {"ts", "tag", "msg"}, EVENT_LOG},
        {"id", {"ts", "event", "cpu"}, EVENT_FTRACE},
        {"id", {"ts", "track_id", "dur"}, EVENT_SLICE},
        {"id", {"ts", "track_id", "value"}, EVENT_COUNTER},
        {"id", {"ts", "state", "utid"}, EVENT_THREAD_STATE},
        {"id", {"ts", "end_state", "utid"}, EVENT_SCHED},
        {"id", {"ts", "track_id", NULL}, EVENT_SLICE},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        bool good = int_at(r, row, kinds[i].id_column, id) && *id >= 0 && *id < UINT32_MAX;
        for (int k = 0; k < 3 && good && kinds[i].needs[k]; k++)
            good = has(r, kinds[i].needs[k]);
        if (!good) continue;
        *table = kinds[i].table;
        return true;
    }
    return false;
}

void table_view_follow(struct app *app, struct tab *tab)
{
    struct session *s = app->session;
    const struct grid *grid = tab_grid(tab);
    if (!grid || tab->row >= grid->n_rows || tab_open_group(s, tab)) return;
    const struct result *result = grid->result;
    uint64_t row = grid->rows[tab->row];
    enum event_table table;
    int64_t id, ts = 0;
    bool has_ts = int_at(result, row, "ts", &ts);
    struct status st = STATUS_INIT;
    if (tab->page && tab->page->kind->open_row) {
        if (!tab->page->kind->open_row(s, result, row, &st))
            session_say(s, MESSAGE_ERROR, "%s", status_message(&st));
        status_clear(&st);
        return;
    }
    if (tab_is_of_area(tab)) {
        if (!session_open_area_rows(s, tab, row, &st))
            session_say(s, MESSAGE_ERROR, "%s", status_message(&st));
        status_clear(&st);
        return;
    }
    if (event_of_row(result, row, &table, &id)) {
        session_jump_push(s);
        if (session_select_event(s, tab->trace, table, (uint32_t)id, &st)) {
            if (s->selection.end > s->selection.start)
                app_run(app, "dev.perfetto.FocusSelection", NULL, 0);
            else
                session_show_selection(s);
            return;
        }
        if (!has_ts) session_say(s, MESSAGE_ERROR, "%s", status_message(&st));
        status_clear(&st);
    }
    if (has_ts) {
        session_jump_push(s);
        session_set_cursor(s, ts + s->traces[tab->trace].offset_ns);
    } else if (!event_of_row(result, row, &table, &id)) {
        session_say(s, MESSAGE_INFO,
                    "this row names no event and no time (columns slice_id, id, or ts)");
    }
}
