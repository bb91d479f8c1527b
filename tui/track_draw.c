#include "tui/track_draw.h"

#include <string.h>

#include "tui/cells.h"
#include "tui/counter_draw.h"
#include "tui/frame_color.h"
#include "tui/time_text.h"

/* ---- what an event is called and coloured ---- */

struct look {
    enum color color;
    struct str name;
};

static enum color state_color(const char *state, bool io_wait)
{
    if (strcmp(state, "Running") == 0) return COLOR_RUNNING;
    if (state[0] == 'R') return COLOR_RUNNABLE;
    if (state[0] == 'D') return io_wait ? COLOR_BLOCKED_IO : COLOR_BLOCKED;
    if (state[0] == 'S' || state[0] == 'I') return COLOR_SLEEPING;
    return COLOR_STATE_OTHER;
}

static struct look look_of(const struct app *app, const struct track_node *node,
                           const struct track_data *data, uint32_t row)
{
    const struct tables *t = session_tables(app->session, node->trace);
    struct look look = {COLOR_SUMMARY, STR_NONE};
    switch (data->kind) {
    case TRACK_DATA_SLICES:
        look.name = strpool_get(t->strings, column_get_string(&t->slice.name, row));
        look.color = data->holds_frames ? frame_color(t, row) : color_of_name(look.name);
        break;
    case TRACK_DATA_DEBUG_SLICES:
        look.name = node->debug->name[row];
        look.color = color_of_name(look.name);
        break;
    case TRACK_DATA_SCHED: {
        uint32_t utid = column_get_row(&t->sched_slice.utid, row);
        if (utid >= table_rows(&t->thread.table)) break;
        look.name = strpool_get(t->strings, column_get_string(&t->thread.name, utid));
        uint32_t upid = column_get_row(&t->thread.upid, utid);
        if (column_get_int64(&t->thread.is_idle, utid)) {
            look.color = COLOR_DEFAULT;
            look.name = STR_NONE;
        } else {
            struct str owner =
                upid == NULL_UINT32
                    ? look.name
                    : strpool_get(t->strings, column_get_string(&t->process.name, upid));
            look.color = color_of_name(owner);
        }
        break;
    }
    case TRACK_DATA_STATES: {
        string_id id = column_get_string(&t->thread_state.state, row);
        look.name = strpool_get(t->strings, id);
        look.color = state_color(strpool_text(t->strings, id),
                                 column_get_int64(&t->thread_state.io_wait, row) == 1 &&
                                     !column_is_null(&t->thread_state.io_wait, row));
        if (look.color == COLOR_SLEEPING) look.name = STR_NONE;
        break;
    }
    case TRACK_DATA_STATE_TRACK:
        look.name = strpool_get(t->strings, column_get_string(&t->state.value, row));
        look.color = color_of_name(look.name);
        break;
    default: break;
    }
    return look;
}

static bool is_selected(const struct app *app, const struct track_node *node, uint32_t row)
{
    const struct selection *s = &app->session->selection;
    return s->kind == SELECTION_EVENT && s->id == row && s->trace == node->trace && s->uri &&
           strcmp(s->uri, node->uri) == 0;
}

/* ---- spans ---- */

/* A run of cells that one span fills, waiting for its name. */
struct run {
    int from, to; /* columns [from, to); from == to: none */
    uint32_t index;
    struct look look;
    bool selected, unfinished;
};

static void flush_run(struct app *app, const struct run *run, int y)
{
    int width = run->to - run->from;
    if (width < 2 || !run->look.name.n) return;
    struct style style = {(uint8_t)theme_ink_on(app->theme, run->look.color),
                          (uint8_t)run->look.color, 0};
    if (run->selected) {
        style = (struct style){COLOR_INK_DARK, COLOR_SELECTION, CELL_BOLD};
        if (app->theme->is_mono) style.attributes |= CELL_UNDERLINE;
    }
    canvas_text_middle(app->canvas, run->from, y, width, run->look.name, style);
}

/* A cell that only part of a span covers: from its left edge, or up to its right. */
static void draw_edge(struct app *app, int x, int y, enum color color, int64_t start, int64_t end,
                      int64_t span_start, int64_t span_end)
{
    struct canvas *canvas = app->canvas;
    int64_t width = end - start;
    if (span_start <= start) { /* covers the left part */
        int eighths = (int)(((double)(span_end - start) * 8 + (double)width / 2) / (double)width);
        if (eighths < 1) eighths = 1;
        uint32_t glyph = canvas_glyph(canvas, eighth_left(eighths), eighths > 4 ? '#' : '|');
        canvas_put(canvas, x, y, glyph, (struct style){(uint8_t)color, COLOR_DEFAULT, 0});
        return;
    }
    int eighths = (int)(((double)(span_start - start) * 8 + (double)width / 2) / (double)width);
    if (eighths > 7) eighths = 7;
    if (eighths < 1) eighths = 1;
    /* The uncovered part is drawn in reverse: its colour is the terminal's own. */
    if (canvas->ascii)
        canvas_put(canvas, x, y, '[', (struct style){(uint8_t)color, COLOR_DEFAULT, 0});
    else
        canvas_put(canvas, x, y, eighth_left(eighths),
                   (struct style){(uint8_t)color, COLOR_DEFAULT, CELL_REVERSE});
}

/* Several spans in one cell: how much of its time was busy. */
static void draw_busy(struct app *app, int x, int y, enum color color, int64_t busy, int64_t width)
{
    int eighths = (int)(((double)busy * 8 + (double)width - 1) / (double)width);
    if (eighths < 1) eighths = 1;
    if (eighths > 8) eighths = 8;
    static const char ascii[] = " .:-=+*##";
    canvas_put(app->canvas, x, y, canvas_glyph(app->canvas, eighth_low(eighths), ascii[eighths]),
               (struct style){(uint8_t)color, COLOR_DEFAULT, 0});
}

static void fill_cell(struct app *app, int x, int y, const struct run *run, bool starts_here)
{
    enum color color = run->selected ? COLOR_SELECTION : run->look.color;
    struct canvas *canvas = app->canvas;
    if (color == COLOR_DEFAULT) return;
    if (starts_here && !run->selected) {
        /* A hairline keeps neighbours apart, whatever their colours. */
        if (canvas->ascii)
            canvas_put(canvas, x, y, '[',
                       (struct style){(uint8_t)theme_ink_on(app->theme, color), (uint8_t)color, 0});
        else
            canvas_put(canvas, x, y, 0x258F,
                       (struct style){(uint8_t)color, COLOR_DEFAULT, CELL_REVERSE});
        return;
    }
    uint32_t glyph = run->unfinished ? canvas_glyph(canvas, 0x2591, ':') : ' ';
    canvas_put(canvas, x, y, glyph,
               (struct style){(uint8_t)theme_ink_on(app->theme, color), (uint8_t)color, 0});
}

static void draw_spans(struct app *app, const struct track_node *node,
                       const struct track_data *data, const struct pyramid *pyramid,
                       struct rect area)
{
    struct session *s = app->session;
    int64_t shift = s->traces[node->trace].offset_ns;
    int64_t from = s->window_start - shift, to = s->window_end - shift;
    struct run run = {0, 0, PYRAMID_NONE, {COLOR_DEFAULT, STR_NONE}, false, false};
    bool busy_before = false; /* the cell to the left ended in a span */
    struct pyramid_cursor cursor = {0};
    for (int i = 0; i < area.w; i++) {
        int64_t start = cell_edge(from, to, area.w, i), end = cell_edge(from, to, area.w, i + 1);
        if (end <= start) end = start + 1;
        struct pyramid_bucket bucket;
        pyramid_next_bucket(pyramid, &cursor, start, end, &bucket);
        int x = area.x + i;
        if (bucket.dominant == PYRAMID_NONE || (bucket.busy_ns == 0 && bucket.count == 0)) {
            flush_run(app, &run, area.y);
            run.to = run.from = 0;
            run.index = PYRAMID_NONE;
            busy_before = false;
            continue;
        }
        uint32_t row = pyramid_row(pyramid, bucket.dominant);
        int64_t span_start = pyramid_ts(pyramid, bucket.dominant);
        int64_t span_end = pyramid_span_end(pyramid, bucket.dominant);
        bool whole = bucket.covers_ns >= (end - start) - (end - start) / 16;
        if (run.index != bucket.dominant) {
            flush_run(app, &run, area.y);
            run = (struct run){x,
                               x,
                               bucket.dominant,
                               look_of(app, node, data, row),
                               is_selected(app, node, row),
                               false};
        }
        if (whole) {
            bool starts = span_start >= start && busy_before;
            if (run.from == run.to) run.from = x;
            fill_cell(app, x, area.y, &run, starts);
            if (starts) run.from = x + 1;
            run.to = x + 1;
        } else if (bucket.count == 1 || bucket.covers_ns * 8 >= bucket.busy_ns * 7) {
            enum color color = run.selected ? COLOR_SELECTION : run.look.color;
            if (color == COLOR_DEFAULT) continue;
            if (bucket.covers_ns == 0 || (span_start > start && span_end < end))
                draw_busy(app, x, area.y, color, bucket.busy_ns, end - start);
            else
                draw_edge(app, x, area.y, color, start, end, span_start, span_end);
        } else if (run.look.color != COLOR_DEFAULT || bucket.count > 1) {
            enum color color = run.selected                      ? COLOR_SELECTION
                               : run.look.color == COLOR_DEFAULT ? COLOR_SUMMARY
                                                                 : run.look.color;
            draw_busy(app, x, area.y, color, bucket.busy_ns, end - start);
        }
        busy_before = span_end > end - (end - start) / 16 || whole;
    }
    flush_run(app, &run, area.y);
}

/* ---- instants and loads ---- */

static void draw_instants(struct app *app, const struct track_node *node,
                          const struct pyramid *pyramid, struct rect area)
{
    struct session *s = app->session;
    int64_t shift = s->traces[node->trace].offset_ns;
    int64_t from = s->window_start - shift, to = s->window_end - shift;
    uint32_t most = 1;
    uint32_t counts[1024];
    int cells = area.w < 1024 ? area.w : 1024;
    for (int i = 0; i < cells; i++) {
        counts[i] = pyramid_lower_bound(pyramid, cell_edge(from, to, area.w, i + 1)) -
                    pyramid_lower_bound(pyramid, cell_edge(from, to, area.w, i));
        if (counts[i] > most) most = counts[i];
    }
    for (int i = 0; i < cells; i++) {
        if (!counts[i]) continue;
        int eighths = most == 1 ? 4 : (int)((uint64_t)counts[i] * 8 / most);
        if (eighths < 1) eighths = 1;
        canvas_put(app->canvas, area.x + i, area.y,
                   canvas_glyph(app->canvas, eighth_low(eighths), eighths > 4 ? '|' : '.'),
                   STYLE(SUMMARY, DEFAULT, 0));
    }
}

static void draw_load(struct app *app, const struct track_data *data, struct rect area,
                      int64_t from, int64_t to)
{
    for (int i = 0; i < area.w; i++) {
        int64_t start = cell_edge(from, to, area.w, i), end = cell_edge(from, to, area.w, i + 1);
        if (end <= start) end = start + 1;
        struct load_bucket bucket;
        load_curve_bucket(data->load, start, end, &bucket);
        int64_t room = (end - start) * (data->cpus ? data->cpus : 1);
        if (bucket.touched) draw_busy(app, area.x + i, area.y, COLOR_SUMMARY, bucket.busy_ns, room);
    }
}

void track_draw(struct app *app, const struct track_node *node, struct rect area,
                uint32_t line_from)
{
    struct session *s = app->session;
    const struct track_data *data = track_data_get(app->data, s, node);
    if (!data) {
        if (node->kind != TRACK_KIND_GROUP && node->kind != TRACK_KIND_THREAD)
            canvas_text(app->canvas, area.x + 1, area.y, area.w - 1, STR("preparing"),
                        STYLE(DIM, DEFAULT, 0));
        return;
    }
    int64_t shift = s->traces[node->trace].offset_ns;
    if (data->kind == TRACK_DATA_LOAD) {
        struct rect row = {area.x, area.y, area.w, 1};
        if (data->load && line_from == 0)
            draw_load(app, data, row, s->window_start - shift, s->window_end - shift);
        return;
    }
    for (int line = 0; line < area.h; line++) {
        uint32_t depth = line_from + (uint32_t)line;
        struct rect row = {area.x, area.y + line, area.w, 1};
        if (depth >= data->n_depths || !data->depths[depth]) continue;
        switch (data->kind) {
        case TRACK_DATA_COUNTER: counter_draw(app, node, data, row); break;
        case TRACK_DATA_INSTANTS: draw_instants(app, node, data->depths[depth], row); break;
        default: draw_spans(app, node, data, data->depths[depth], row);
        }
    }
}
