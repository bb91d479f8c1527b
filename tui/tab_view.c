#include "tui/tab_view.h"

#include <stdio.h>

#include "commands/event.h"
#include "engine/base/utf8.h"
#include "engine/engine.h"
#include "tui/flame_draw.h"
#include "tui/table_view.h"
#include "tui/time_text.h"

/* ---- the line of names ---- */

static void tab_title(const struct tab *tab, uint32_t number, struct buffer *out)
{
    buffer_printf(out, " %u %s", number, tab->title ? tab->title : "");
    if (tab->kind == TAB_QUERY && tab->state == TAB_READY && tab->result)
        buffer_printf(out, " %llu",
                      (unsigned long long)(tab->result->n_rows + tab->result->rows_left_out));
    if (tab->state == TAB_RUNNING) buffer_append_text(out, " ...");
    if (tab->state == TAB_FAILED) buffer_append_text(out, " !");
    buffer_append_byte(out, ' ');
}

/* Draws (canvas not NULL) or measures; returns the tab at column `x`, or NULL. */
static const struct tab *tab_line(const struct app *app, struct canvas *canvas, int x_wanted)
{
    const struct session *s = app->session;
    struct rect area = app->layout.tabs;
    int x = area.x;
    struct buffer text = BUFFER_INIT;
    const struct tab *found = NULL;
    for (size_t i = 0; i < s->tabs.count; i++) {
        const struct tab *tab = s->tabs.items[i];
        buffer_clear(&text);
        tab_title(tab, (uint32_t)i + 1, &text);
        int cells = (int)utf8_visible_width(buffer_str(&text), app->canvas->ascii);
        if (cells > 28) cells = 28;
        if (x_wanted >= x && x_wanted < x + cells) found = tab;
        if (canvas) {
            bool shown = tab->id == s->tab_shown;
            struct style style = shown ? STYLE(DEFAULT, DEFAULT, CELL_BOLD | CELL_UNDERLINE)
                                       : STYLE(BAR_TEXT, BAR, 0);
            if (shown && s->pane == PANE_DETAILS) style.fg = COLOR_ACCENT;
            if (shown && app->theme->is_mono) style.attributes |= CELL_REVERSE;
            if (tab->state == TAB_FAILED) style.fg = COLOR_ERROR;
            canvas_text_middle(canvas, x, area.y, cells, buffer_str(&text), style);
        }
        x += cells;
    }
    buffer_free(&text);
    return found;
}

const struct tab *tab_view_tab_at(const struct app *app, int x)
{
    return tab_line(app, NULL, x);
}

/* ---- lists of lines ---- */

struct line_writer {
    struct app *app;
    struct rect area;
    int64_t line; /* of the tab; the first one drawn is drawer_top */
    uint64_t focused;
};

static void put_line(struct line_writer *w, struct str text, struct style style)
{
    int64_t y = w->area.y + w->line - w->app->drawer_top;
    bool here = w->app->session->pane == PANE_DETAILS && (uint64_t)w->line == w->focused;
    w->line++;
    if (y < w->area.y || y >= w->area.y + w->area.h) return;
    if (here) {
        style.bg = COLOR_FOCUS;
        if (w->app->theme->is_mono) style.attributes |= CELL_REVERSE;
    }
    canvas_text(w->app->canvas, w->area.x + 1, (int)y, w->area.w - 2, text, style);
}

#define REPORT_INDENT 9 /* of what does not fit on an entry's first line */

/* Draws the report in full, wrapped, or only counts its lines (writer NULL). */
static uint64_t lay_out_report(struct app *app, struct line_writer *w)
{
    const struct report *report = &app->session->startup_report;
    struct buffer text = BUFFER_INIT, piece = BUFFER_INIT;
    uint64_t lines = 1;
    buffer_printf(&text, "%u startup command%s ran", report->ran, report->ran == 1 ? "" : "s");
    if (report->lines.count) buffer_printf(&text, ", %zu did not", report->lines.count);
    if (w) put_line(w, buffer_str(&text), STYLE(DEFAULT, DEFAULT, CELL_BOLD));
    for (size_t i = 0; i < report->lines.count; i++) {
        const struct report_line *line = &report->lines.items[i];
        buffer_clear(&text);
        buffer_printf(&text, "%s  %s, from the %s\n", line->blocked ? "blocked" : "failed ",
                      line->id, command_source_name(line->source));
        if (line->macro) buffer_printf(&text, "in macro %s\n", line->macro);
        buffer_append_text(&text, line->why);
        struct str rest = buffer_str(&text);
        for (int width = app->layout.drawer.w - 2; rest.n; lines++) {
            size_t n = canvas_wrap(rest, width < 8 ? 8 : width, app->canvas->ascii);
            buffer_clear(&piece);
            if (width < app->layout.drawer.w - 2) buffer_printf(&piece, "%*s", REPORT_INDENT, "");
            buffer_append_str(&piece, str_slice(rest, 0, n - (rest.p[n - 1] == '\n')));
            if (w)
                put_line(w, buffer_str(&piece),
                         line->blocked ? STYLE(WARNING, DEFAULT, 0) : STYLE(ERROR, DEFAULT, 0));
            rest = str_slice(rest, n, rest.n);
            width = app->layout.drawer.w - 2 - REPORT_INDENT;
        }
    }
    buffer_free(&text);
    buffer_free(&piece);
    return lines;
}

/* A page of lines, wrapped under their own indent; headings are bold. */
static uint64_t lay_out_page(struct app *app, const struct tab *tab, struct line_writer *w)
{
    struct str rest = str_of(tab->text ? tab->text : ""), line;
    struct buffer piece = BUFFER_INIT;
    uint64_t lines = 0;
    while (str_split_next(&rest, '\n', &line)) {
        bool is_heading = line.n > 0 && line.p[0] != ' ';
        size_t indent = 0;
        while (indent < line.n && line.p[indent] == ' ')
            indent++;
        indent = indent > 12 ? 2 : indent + 2;
        int width = app->layout.drawer.w - 2;
        bool is_first = true;
        do {
            size_t n = canvas_wrap(line, width < 8 ? 8 : width, app->canvas->ascii);
            buffer_clear(&piece);
            if (!is_first) buffer_printf(&piece, "%*s", (int)indent, "");
            buffer_append_str(&piece, str_slice(line, 0, n));
            if (w)
                put_line(w, buffer_str(&piece),
                         STYLE(DEFAULT, DEFAULT, is_heading ? CELL_BOLD : 0));
            line = str_slice(line, n, line.n);
            if (is_first) width -= (int)indent;
            is_first = false;
            lines++;
        } while (line.n > 0);
    }
    buffer_free(&piece);
    return lines;
}

static void draw_log(struct app *app, struct line_writer *w)
{
    struct session *s = app->session;
    if (!s->messages.count) put_line(w, STR("Nothing has been said yet."), STYLE(DIM, DEFAULT, 0));
    for (size_t i = s->messages.count; i > 0; i--) {
        const struct session_message *message = &s->messages.items[i - 1];
        struct style style = message->kind == MESSAGE_ERROR     ? STYLE(ERROR, DEFAULT, 0)
                             : message->kind == MESSAGE_WARNING ? STYLE(WARNING, DEFAULT, 0)
                                                                : STYLE_PLAIN;
        put_line(w, str_of(message->text), style);
    }
}

void tab_view_write_hit(struct session *s, uint64_t place, struct buffer *out)
{
    const struct search *search = &s->search;
    struct event event;
    if (place < search->tracks.count) {
        const struct track_node *node =
            track_tree_find(&s->workspace->tree, search->tracks.items[place]);
        buffer_append_text(out, "track  ");
        if (node) track_node_path(node, out);
        return;
    }
    const struct search_hit *hit = &search->hits.items[place - search->tracks.count];
    time_write(s, hit->ts, out);
    if (!event_get(s, hit->trace, (enum event_table)hit->table, hit->id, &event)) return;
    buffer_append_text(out, "  ");
    buffer_append_str(out, event.name);
    if (event.node) buffer_printf(out, "  (%s)", event.node->name);
}

static void draw_hits(struct app *app, struct line_writer *w)
{
    struct session *s = app->session;
    struct buffer text = BUFFER_INIT;
    if (!s->search.term) put_line(w, STR("No search: / begins one."), STYLE(DIM, DEFAULT, 0));
    if (s->search.error) put_line(w, str_of(s->search.error), STYLE(ERROR, DEFAULT, 0));
    for (uint64_t i = 0; i < search_count(&s->search); i++, buffer_clear(&text)) {
        int64_t y = (int64_t)i - app->drawer_top;
        if (y < 0 || y >= w->area.h) {
            w->line++;
            continue;
        }
        tab_view_write_hit(s, i, &text);
        bool current = (int64_t)i == s->search.current;
        put_line(w, buffer_str(&text), current ? STYLE(MATCH, DEFAULT, CELL_BOLD) : STYLE_PLAIN);
    }
    buffer_free(&text);
}

static void draw_note_list(struct app *app, struct line_writer *w)
{
    struct session *s = app->session;
    struct buffer text = BUFFER_INIT;
    if (!s->notes.count)
        put_line(w, STR("No notes: t sets one at the cursor."), STYLE(DIM, DEFAULT, 0));
    for (size_t i = 0; i < s->notes.count; i++, buffer_clear(&text)) {
        const struct note *note = &s->notes.items[i];
        time_write(s, note->start, &text);
        if (note->is_span) {
            buffer_append_text(&text, "  ");
            duration_write(note->end - note->start, &text);
        }
        buffer_printf(&text, "  %s", note->text);
        put_line(w, buffer_str(&text), STYLE_PLAIN);
    }
    buffer_free(&text);
}

uint64_t tab_view_rows(struct app *app, const struct details *details)
{
    struct session *s = app->session;
    struct tab *tab = session_tab_shown(s);
    if (!tab) return 0;
    switch (tab->kind) {
    case TAB_SELECTION: return details->left.count + details->right.count;
    case TAB_QUERY: return tab_grid(tab) ? tab->grid->n_rows : 0;
    case TAB_REPORT: return lay_out_report(app, NULL);
    case TAB_LOG: return s->messages.count;
    case TAB_SEARCH: return search_count(&s->search);
    case TAB_NOTES: return s->notes.count;
    case TAB_PAGE: return lay_out_page(app, tab, NULL);
    case TAB_FLAME: return 0;
    }
    return 0;
}

void tab_view_draw(struct app *app, struct details *details)
{
    struct session *s = app->session;
    const struct layout *l = &app->layout;
    if (l->tabs.h == 0) return;
    canvas_fill(app->canvas, l->tabs, ' ', STYLE(BAR_TEXT, BAR, 0));
    struct rect old = canvas_clip(app->canvas, l->tabs);
    tab_line(app, app->canvas, -1);
    canvas_unclip(app->canvas, old);
    struct tab *tab = session_tab_shown(s);
    if (!tab || l->drawer.h == 0) return;
    old = canvas_clip(app->canvas, l->drawer);
    uint64_t rows = tab_view_rows(app, details);
    if (tab->row >= rows) tab->row = rows ? rows - 1 : 0;
    struct line_writer w = {app, l->drawer, 0, tab->row};
    if (tab->kind != TAB_QUERY && tab->kind != TAB_FLAME) {
        if (s->pane == PANE_DETAILS && tab->kind != TAB_SELECTION) {
            if ((int64_t)tab->row < app->drawer_top) app->drawer_top = (int64_t)tab->row;
            if ((int64_t)tab->row >= app->drawer_top + l->drawer.h)
                app->drawer_top = (int64_t)tab->row - l->drawer.h + 1;
        }
        if (app->drawer_top > (int64_t)rows - 1) app->drawer_top = (int64_t)rows - 1;
        if (app->drawer_top < 0) app->drawer_top = 0;
    }
    switch (tab->kind) {
    case TAB_SELECTION: details_draw(app, details, l->drawer); break;
    case TAB_QUERY: table_view_draw(app, tab, l->drawer); break;
    case TAB_REPORT: lay_out_report(app, &w); break;
    case TAB_LOG: draw_log(app, &w); break;
    case TAB_SEARCH: draw_hits(app, &w); break;
    case TAB_NOTES: draw_note_list(app, &w); break;
    case TAB_PAGE: lay_out_page(app, tab, &w); break;
    case TAB_FLAME: flame_draw(app, l->drawer); break;
    }
    canvas_unclip(app->canvas, old);
}

bool tab_view_click(struct app *app, const struct details *details, int x, int y)
{
    struct session *s = app->session;
    struct tab *tab = session_tab_shown(s);
    int64_t row = y - app->layout.drawer.y + app->drawer_top;
    switch (tab->kind) {
    case TAB_SELECTION: row = details_row_at(app, details, x, y); break;
    case TAB_SEARCH:
    case TAB_NOTES: break;
    default: return false;
    }
    if (row < 0 || row >= (int64_t)tab_view_rows(app, details)) return false;
    tab->row = (uint64_t)row;
    session_changed(s);
    return true;
}

/* ---- following a row ---- */

void tab_view_follow(struct app *app, struct details *details)
{
    struct session *s = app->session;
    struct tab *tab = session_tab_shown(s);
    if (!tab) return;
    struct status st = STATUS_INIT;
    switch (tab->kind) {
    case TAB_SELECTION: details_follow(app, details, tab->row); break;
    case TAB_QUERY: table_view_follow(app, tab); break;
    case TAB_SEARCH:
        if (tab->row < search_count(&s->search) && !session_search_go(s, tab->row, &st))
            session_say(s, MESSAGE_ERROR, "%s", status_message(&st));
        break;
    case TAB_NOTES:
        if (tab->row < s->notes.count) session_set_cursor(s, s->notes.items[tab->row].start);
        break;
    default: break;
    }
    status_clear(&st);
    app->focus_follows = true;
}
