#include "tui/header.h"

#include "commands/compare.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "tui/compare_load.h"
#include "tui/time_text.h"

/* ---- title ---- */

static void count_losses(const struct tables *tables, uint64_t *errors, uint64_t *losses)
{
    *errors = *losses = 0;
    for (uint32_t row = 0; row < table_rows(&tables->stats.table); row++) {
        if (column_get_int64(&tables->stats.value, row) <= 0) continue;
        struct str severity =
            strpool_get(tables->strings, column_get_string(&tables->stats.severity, row));
        *errors += str_is(severity, "error");
        *losses += str_is(severity, "data_loss");
    }
}

void header_draw_title(struct app *app)
{
    struct session *s = app->session;
    struct canvas *canvas = app->canvas;
    struct rect area = app->layout.title;
    struct style style = STYLE(BAR_TEXT, BAR, 0);
    canvas_fill(canvas, area, ' ', style);
    if (!s->n_traces) return;
    const struct tables *tables = session_tables(s, 0);
    style.attributes = CELL_BOLD;
    int x = area.x + 1;
    struct buffer text = BUFFER_INIT;
    if (session_is_comparing(s)) buffer_append_text(&text, "A ");
    buffer_append_text(&text, s->traces[0].title);
    if (session_is_comparing(s)) buffer_printf(&text, "  B %s", s->traces[1].title);
    x += canvas_text_middle(canvas, x, area.y, area.w / 2, buffer_str(&text), style) + 2;
    style.attributes = 0;
    buffer_clear(&text);
    duration_write(s->end - s->start, &text);
    uint32_t cpus = 0;
    for (uint32_t row = 0; row < table_rows(&tables->cpu.table); row++)
        cpus += !column_is_null(&tables->cpu.cpu, row);
    if (cpus) buffer_printf(&text, "  %u CPU%s", cpus, cpus == 1 ? "" : "s");
    uint32_t threads = table_rows(&tables->thread.table);
    if (threads) buffer_printf(&text, "  %u thread%s", threads, threads == 1 ? "" : "s");
    if (s->workspaces.count > 1 && s->workspace)
        buffer_printf(&text, "  [%s]", s->workspace->title);
    x += canvas_text(canvas, x, area.y, area.x + area.w - x, buffer_str(&text), style);
    buffer_clear(&text);

    uint64_t errors, losses;
    count_losses(tables, &errors, &losses);
    struct style right = style;
    if (s->is_recorded) {
        buffer_append_text(&text, "recording, g q ends");
        right.fg = COLOR_ERROR;
    } else if (compare_load_write(app->compare, &text)) {
        buffer_append_text(&text, ", Ctrl-C stops");
        right.fg = COLOR_ACCENT;
    } else if (session_is_busy(s)) {
        buffer_append_text(&text, "working, Ctrl-C stops");
        right.fg = COLOR_ACCENT;
    } else if (losses || errors) {
        buffer_append_text(&text, "! ");
        if (errors)
            buffer_printf(&text, "%llu error%s", (unsigned long long)errors,
                          errors == 1 ? "" : "s");
        if (errors && losses) buffer_append_text(&text, ", ");
        if (losses)
            buffer_printf(&text, "%llu loss%s", (unsigned long long)losses,
                          losses == 1 ? "" : "es");
        right.fg = COLOR_WARNING;
    }
    if (text.length) buffer_append_text(&text, "   ");
    struct str help = STR("? help ");
    int left = area.x + area.w - (int)help.n;
    canvas_text(canvas, left, area.y, (int)help.n, help, style);
    int room = left - x - 1;
    if (room > 8 && text.length)
        canvas_text_right(canvas, left - room, area.y, room, buffer_str(&text), right);
    buffer_free(&text);
}

/* ---- overview ---- */

static void compute_overview(struct app *app, int cells)
{
    const struct session *s = app->session;
    if (app->overview.complete && app->overview.cells == cells && app->overview.start == s->start &&
        app->overview.end == s->end)
        return;
    const struct track_data *data = track_data_overview(app->data, app->session);
    if (!data) return;
    mem_free(app->overview.share);
    app->overview.share = mem_zero((size_t)cells, sizeof *app->overview.share);
    app->overview.cells = cells;
    app->overview.start = s->start;
    app->overview.end = s->end;
    app->overview.complete = true;
    if (!data->load) return;
    int64_t span = s->end - s->start;
    for (int i = 0; i < cells; i++) {
        int64_t from = s->start + span / cells * i + span % cells * i / cells;
        int64_t to = s->start + span / cells * (i + 1) + span % cells * (i + 1) / cells;
        if (to <= from) to = from + 1;
        struct load_bucket bucket;
        load_curve_bucket(data->load, from, to, &bucket);
        uint32_t cpus = data->cpus ? data->cpus : 1;
        app->overview.share[i] = (float)((double)bucket.busy_ns / (double)(to - from) / cpus);
        if (bucket.touched && app->overview.share[i] < 0.01f) app->overview.share[i] = 0.01f;
    }
}

/* A time on the overview, which always shows the whole trace. */
static int overview_x(const struct app *app, int64_t ts)
{
    const struct session *s = app->session;
    double span = (double)(s->end - s->start);
    if (span <= 0) return app->layout.overview.x;
    double share = (double)(ts - s->start) / span;
    int x = (int)(share * app->layout.overview.w);
    return app->layout.overview.x + (x < 0                         ? 0
                                     : x >= app->layout.overview.w ? app->layout.overview.w - 1
                                                                   : x);
}

/* Cells that have hits of the search in their time. */
static void draw_hits(struct app *app, struct rect area)
{
    const struct session *s = app->session;
    if (!s->search.hits.count || area.w <= 0) return;
    int64_t span = s->end - s->start, from = s->start;
    for (int i = 0; i < area.w; i++) {
        int64_t to = s->start + span / area.w * (i + 1) + span % area.w * (i + 1) / area.w;
        if (i == area.w - 1) to = INT64_MAX;
        if (search_has_hit(&s->search, from, to)) {
            struct cell *cell = canvas_at(app->canvas, area.x + i, area.y);
            cell->fg = COLOR_MATCH;
            cell->attributes |= CELL_UNDERLINE;
        }
        from = to;
    }
}

void header_draw_overview(struct app *app)
{
    struct rect area = app->layout.overview;
    struct canvas *canvas = app->canvas;
    if (area.h == 0) return;
    compute_overview(app, area.w);
    static const char ascii[] = " .:-=+*##";
    int from = overview_x(app, app->session->window_start);
    int to = overview_x(app, app->session->window_end);
    for (int i = 0; i < area.w && i < app->overview.cells; i++) {
        int eighths = (int)(app->overview.share[i] * 8 + 0.999f);
        if (eighths > 8) eighths = 8;
        if (eighths < 1) continue;
        bool shown = area.x + i >= from && area.x + i <= to;
        canvas_put(canvas, area.x + i, area.y,
                   canvas_glyph(canvas, 0x2580u + (uint32_t)eighths, ascii[eighths]),
                   shown ? STYLE(SUMMARY, DEFAULT, 0) : STYLE(GRID, DEFAULT, 0));
    }
    draw_hits(app, area);
    struct style bar = STYLE(ACCENT, DEFAULT, CELL_BOLD);
    canvas_put(canvas, from, area.y, canvas_glyph(canvas, 0x2503, '['), bar);
    canvas_put(canvas, to, area.y, canvas_glyph(canvas, 0x2503, ']'), bar);
}

/* ---- ruler ---- */

/* The 1-2-5 step that keeps labels at least `cells` apart. */
static int64_t tick_step(int64_t window, int width, int cells)
{
    if (width < 1) width = 1;
    double want = (double)window / width * cells;
    double step = 1;
    static const double factors[] = {2, 2.5, 2};
    for (int i = 0; step < want; i = (i + 1) % 3)
        step *= factors[i];
    return (int64_t)step;
}

static void draw_ticks(struct app *app, struct rect area)
{
    struct session *s = app->session;
    int64_t step = tick_step(s->window_end - s->window_start, area.w, 13);
    int64_t zero = session_zero(s), offset = (s->window_start - zero) / step * step;
    struct buffer text = BUFFER_INIT;
    int free_from = area.x;
    for (int64_t at = zero + offset; at < s->window_end; at += step) {
        int x = app_x_of_time(app, at);
        if (x >= area.x && x < area.x + area.w && x >= free_from) {
            buffer_clear(&text);
            time_write_tick(s, at, step, &text);
            int room = area.x + area.w - x - 1;
            canvas_put(app->canvas, x, area.y, canvas_glyph(app->canvas, 0x2575, '\''),
                       STYLE(GRID, DEFAULT, 0));
            if ((int)text.length <= room)
                canvas_text(app->canvas, x + 1, area.y, room, buffer_str(&text),
                            STYLE(DIM, DEFAULT, 0));
            free_from = x + (int)text.length + 3;
        }
        if (at > INT64_MAX - step) break;
    }
    buffer_free(&text);
}

static void draw_notes(struct app *app, struct rect area)
{
    struct session *s = app->session;
    for (size_t i = 0; i < s->notes.count; i++) {
        const struct note *note = &s->notes.items[i];
        int from = app_x_of_time(app, note->start), to = app_x_of_time(app, note->end);
        for (int x = from; x <= to; x++) {
            if (x < area.x || x >= area.x + area.w) continue;
            struct style style = STYLE(ACCENT, DEFAULT, CELL_BOLD);
            style.fg = (uint8_t)(COLOR_SLICE_0 + note->colour % COLOR_SLICES);
            uint32_t glyph = x == from ? canvas_glyph(app->canvas, 0x2691, 'N')
                                       : canvas_glyph(app->canvas, 0x2501, '=');
            canvas_put(app->canvas, x, area.y, glyph, style);
        }
        int room = area.x + area.w - to - 1;
        if (to >= area.x && room > 4)
            canvas_text(app->canvas, to + 1, area.y, room < 16 ? room : 16, str_of(note->text),
                        STYLE(DEFAULT, DEFAULT, 0));
    }
}

void header_draw_ruler(struct app *app)
{
    struct session *s = app->session;
    struct rect area = app->layout.ruler;
    struct canvas *canvas = app->canvas;
    struct rect axis = {app->layout.time_x, area.y, app->layout.time_w, 1};
    struct buffer text = BUFFER_INIT;
    time_write_tick(s, s->cursor, 0, &text);
    canvas_text(canvas, 1, area.y, app->layout.names_w - 1, buffer_str(&text),
                STYLE(ACCENT, DEFAULT, 0));
    struct rect old = canvas_clip(canvas, axis);
    draw_ticks(app, axis);
    draw_notes(app, axis);
    if (s->area_open || s->selection.kind == SELECTION_AREA) {
        int64_t start = s->area_open ? s->area_anchor : s->selection.start;
        int64_t end = s->area_open ? s->cursor : s->selection.end;
        if (end < start) {
            int64_t swap = start;
            start = end;
            end = swap;
        }
        int from = app_x_of_time(app, start), to = app_x_of_time(app, end);
        for (int x = from < axis.x ? axis.x : from; x <= to && x < axis.x + axis.w; x++)
            canvas_put(canvas, x, area.y, canvas_glyph(canvas, 0x2501, '='),
                       STYLE(SELECTION, DEFAULT, CELL_BOLD));
        buffer_clear(&text);
        buffer_append_text(&text, canvas->ascii ? "d " : "\u0394 ");
        duration_write(end - start, &text);
        int cells = (int)utf8_visible_width(buffer_str(&text), canvas->ascii);
        canvas_text_right(canvas, axis.x + axis.w - cells - 1, area.y, cells, buffer_str(&text),
                          STYLE(SELECTION, DEFAULT, CELL_BOLD));
    }
    int x = app_x_of_time(app, s->cursor);
    canvas_put(canvas, x, area.y, canvas_glyph(canvas, 0x25BC, 'v'), STYLE(ACCENT, DEFAULT, 0));
    canvas_unclip(canvas, old);
    buffer_free(&text);
}
