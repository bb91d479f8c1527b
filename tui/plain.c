/* The viewer in plain lines, for screen readers and pipes: a command is read, and what
 * it changed is said.
 *
 * What is said: messages, where one is when that moved, what is selected with its
 * details when that is another thing, the shown tab when it is another or has other
 * rows.  No escape sequence, no colour, no frame: each line is text. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands/page.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "tui/details.h"
#include "tui/headless.h"
#include "tui/overlay.h"
#include "tui/tab_view.h"
#include "tui/time_text.h"

enum { TAB_LINES = 20, WIDTH = 120, HEIGHT = 50 };

struct plain {
    struct headless headless;
    struct app *app;
    struct session *session;
    FILE *in, *out;
    bool ascii;
    /* What was said last. */
    uint64_t messages;
    const struct track_node *focus;
    bool focus_pinned;
    uint32_t focus_depth;
    int64_t cursor, window_start, window_end;
    enum selection_kind selection;
    enum event_table table;
    uint32_t id;
    int64_t start, end;
    uint32_t tab;
    struct buffer rows; /* what tells the tab's rows from others */
    uint64_t row;
    uint32_t column;
    enum session_pane pane;
};

static void say(struct plain *p, struct str text)
{
    struct buffer visible = BUFFER_INIT;
    utf8_append_visible(&visible, text, p->ascii);
    buffer_append_byte(&visible, '\n');
    fwrite(buffer_text(&visible), 1, visible.length, p->out);
    buffer_free(&visible);
}

static void say_buffer(struct plain *p, struct buffer *text)
{
    say(p, buffer_str(text));
    buffer_clear(text);
}

static bool say_messages(struct plain *p)
{
    static const char *const kinds[] = {
        [MESSAGE_INFO] = "", [MESSAGE_WARNING] = "warning: ", [MESSAGE_ERROR] = "error: "};
    const struct session *s = p->session;
    uint64_t fresh = s->messages_total - p->messages;
    if (fresh > s->messages.count) fresh = s->messages.count;
    p->messages = s->messages_total;
    struct buffer line = BUFFER_INIT;
    for (size_t i = s->messages.count - fresh; i < s->messages.count; i++) {
        struct str rest = str_of(s->messages.items[i].text), piece;
        const char *kind = kinds[s->messages.items[i].kind];
        for (; str_split_next(&rest, '\n', &piece); kind = "  ") {
            buffer_append_text(&line, kind);
            buffer_append_str(&line, piece);
            say_buffer(p, &line);
        }
    }
    buffer_free(&line);
    return fresh > 0;
}

/* ---- where one is ---- */

static void say_track(struct plain *p)
{
    struct session *s = p->session;
    struct buffer line = BUFFER_INIT;
    uint32_t count;
    (void)session_rows(s, &count);
    if (!s->focus) {
        say(p, STR("no track"));
        return;
    }
    buffer_printf(&line, "track %lld of %u: ", (long long)session_focus_index(s) + 1, count);
    track_node_path(s->focus, &line);
    if (s->focus_pinned)
        buffer_append_text(&line, ", pinned");
    else if (s->focus->children.count)
        buffer_append_text(&line, s->focus->collapsed ? ", closed group" : ", open group");
    if (s->focus->depths > 1) buffer_printf(&line, ", depth %u", s->focus_depth + 1);
    say_buffer(p, &line);
    buffer_free(&line);
}

static void say_times(struct plain *p)
{
    struct session *s = p->session;
    struct buffer line = BUFFER_INIT;
    buffer_append_text(&line, "cursor at ");
    time_write(s, s->cursor, &line);
    buffer_append_text(&line, ", window of ");
    duration_write(s->window_end - s->window_start, &line);
    buffer_append_text(&line, " from ");
    time_write(s, s->window_start, &line);
    say_buffer(p, &line);
    buffer_free(&line);
}

static bool say_place(struct plain *p, bool all)
{
    const struct session *s = p->session;
    bool track = all || s->focus != p->focus || s->focus_pinned != p->focus_pinned ||
                 s->focus_depth != p->focus_depth;
    bool times = all || s->cursor != p->cursor || s->window_start != p->window_start ||
                 s->window_end != p->window_end;
    bool pane = s->pane != p->pane;
    p->focus = s->focus;
    p->focus_pinned = s->focus_pinned;
    p->focus_depth = s->focus_depth;
    p->cursor = s->cursor;
    p->window_start = s->window_start;
    p->window_end = s->window_end;
    p->pane = s->pane;
    if (pane) say(p, s->pane == PANE_DETAILS ? STR("in the details") : STR("in the timeline"));
    if (track) say_track(p);
    if (times) say_times(p);
    return track || times || pane;
}

/* ---- what is selected ---- */

static void say_detail(struct plain *p, const struct detail_line *line)
{
    struct buffer text = BUFFER_INIT;
    if (line->levels || (!line->label.n && !line->value.n)) return; /* a drawing */
    buffer_printf(&text, "%*s", line->is_heading ? 0 : 2 + 2 * line->indent, "");
    buffer_append_str(&text, line->label);
    if (line->label.n && line->value.n) buffer_append_text(&text, ": ");
    buffer_append_str(&text, line->value);
    if (line->fold) buffer_append_text(&text, line->is_open ? "" : ", closed");
    say_buffer(p, &text);
    buffer_free(&text);
}

static void say_details(struct plain *p)
{
    const struct details *d = p->app->details;
    say(p, p->session->selection.kind == SELECTION_NONE ? STR("nothing is selected")
                                                        : STR("selected:"));
    if (p->session->selection.kind == SELECTION_NONE) return;
    for (size_t i = 0; i < d->left.count; i++)
        say_detail(p, &d->left.items[i]);
    for (size_t i = 0; i < d->right.count; i++)
        say_detail(p, &d->right.items[i]);
}

static bool say_selection(struct plain *p)
{
    const struct selection *now = &p->session->selection;
    bool changed = now->kind != p->selection || now->table != p->table || now->id != p->id ||
                   now->start != p->start || now->end != p->end;
    p->selection = now->kind;
    p->table = now->table;
    p->id = now->id;
    p->start = now->start;
    p->end = now->end;
    if (changed) say_details(p);
    return changed;
}

/* ---- the shown tab ---- */

static void say_table_row(struct plain *p, const struct grid *grid, uint32_t row)
{
    struct buffer line = BUFFER_INIT;
    buffer_printf(&line, "  row %u: ", row + 1);
    for (uint32_t i = 0; i < grid->n_columns; i++) {
        buffer_printf(&line, "%s%s ", i ? "; " : "", grid_column_name(grid, i));
        grid_cell_write(grid_at(grid, row, i), &line);
    }
    say_buffer(p, &line);
    buffer_free(&line);
}

static void say_lines(struct plain *p, const char *text)
{
    struct str rest = str_of(text), line;
    while (str_split_next(&rest, '\n', &line))
        say(p, line);
}

/* "; name ~ do; by n descending": each behind its semicolon. */
static void write_shape(const struct grid_shape *shape, struct buffer *out)
{
    struct buffer words = BUFFER_INIT;
    grid_shape_write(shape, &words);
    if (words.length) buffer_printf(out, "; %s", buffer_text(&words));
    for (size_t i = 0; i < shape->sorts.count; i++)
        buffer_printf(out, "%s %s%s", i ? ", then" : "; by", shape->sorts.items[i].column,
                      shape->sorts.items[i].descending ? " descending" : "");
    buffer_free(&words);
}

static void say_table(struct plain *p, struct tab *tab)
{
    struct buffer line = BUFFER_INIT;
    const struct grid *grid = tab_grid(tab);
    if (!grid) {
        say(p, tab->state == TAB_FAILED ? STR("  failed:") : STR("  no rows yet"));
        if (tab->error) say_lines(p, tab->error);
        return;
    }
    uint64_t end = tab->row + TAB_LINES;
    if (end > grid->n_rows) end = grid->n_rows;
    buffer_printf(&line, "  %u row%s, %u column%s", grid->n_rows, grid->n_rows == 1 ? "" : "s",
                  grid->n_columns, grid->n_columns == 1 ? "" : "s");
    write_shape(&tab->shape, &line);
    say_buffer(p, &line);
    for (uint64_t i = tab->row; i < end; i++)
        say_table_row(p, grid, (uint32_t)i);
    if (end < grid->n_rows) say(p, STR("  and more: G goes to the last row, a command to a row"));
    buffer_free(&line);
}

static void say_list(struct plain *p, const struct tab *tab)
{
    struct session *s = p->session;
    struct buffer line = BUFFER_INIT;
    uint64_t count = tab->kind == TAB_NOTES ? s->notes.count : search_count(&s->search);
    for (uint64_t i = tab->row; i < count && i < tab->row + TAB_LINES; i++) {
        buffer_append_text(&line, "  ");
        if (tab->kind == TAB_NOTES) {
            time_write(s, s->notes.items[i].start, &line);
            buffer_printf(&line, " %s", s->notes.items[i].text);
        } else {
            tab_view_write_hit(s, i, &line);
        }
        say_buffer(p, &line);
    }
    buffer_printf(&line, "  %llu in all", (unsigned long long)count);
    say_buffer(p, &line);
    buffer_free(&line);
}

static void say_report(struct plain *p)
{
    const struct report *report = &p->session->startup_report;
    struct buffer line = BUFFER_INIT;
    buffer_printf(&line, "  %u startup commands ran", report->ran);
    say_buffer(p, &line);
    for (size_t i = 0; i < report->lines.count; i++) {
        const struct report_line *failed = &report->lines.items[i];
        buffer_printf(&line, "  %s: %s: %s", failed->blocked ? "blocked" : "failed", failed->id,
                      failed->why);
        say_buffer(p, &line);
    }
    buffer_free(&line);
}

static void say_log(struct plain *p)
{
    for (size_t i = 0; i < p->session->messages.count; i++)
        say_lines(p, p->session->messages.items[i].text);
}

static void say_tab(struct plain *p)
{
    struct tab *tab = session_tab_shown(p->session);
    struct buffer line = BUFFER_INIT;
    buffer_printf(&line, "tab %s", tab->title);
    say_buffer(p, &line);
    buffer_free(&line);
    switch (tab->kind) {
    case TAB_SELECTION: say_details(p); break;
    case TAB_QUERY: say_table(p, tab); break;
    case TAB_REPORT: say_report(p); break;
    case TAB_LOG: say_log(p); break;
    case TAB_SEARCH:
    case TAB_NOTES: say_list(p, tab); break;
    case TAB_PAGE: say_lines(p, tab->text ? tab->text : ""); break;
    case TAB_FLAME:
        say(p, STR("  a flamegraph: ExportFlamegraph FILE writes it as text or folded stacks"));
        break;
    }
}

/* Other text when the tab shows other rows. */
static void write_rows_mark(const struct tab *tab, struct buffer *out)
{
    if (tab->kind != TAB_QUERY) return;
    buffer_printf(out, "%d %lld %p %s ", (int)tab->state, (long long)tab->started_ns,
                  (const void *)tab->result, tab->error ? tab->error : "");
    write_shape(&tab->shape, out);
}

/* Another tab, other rows, or another row of a table. */
static bool say_shown(struct plain *p, bool selected)
{
    struct tab *tab = session_tab_shown(p->session);
    const struct grid *grid = tab_grid(tab);
    struct buffer rows = BUFFER_INIT;
    write_rows_mark(tab, &rows);
    bool other = tab->id != p->tab || !str_equal(buffer_str(&rows), buffer_str(&p->rows));
    buffer_free(&p->rows);
    p->rows = rows;
    bool moved = !other && grid && (tab->row != p->row || tab->column != p->column);
    p->tab = tab->id;
    p->row = tab->row;
    p->column = tab->column;
    if (other && (tab->kind != TAB_SELECTION || !selected)) say_tab(p);
    if (moved && tab->row < grid->n_rows) say_table_row(p, grid, (uint32_t)tab->row);
    return other || moved;
}

/* What is another than it was said last. */
static void say_changes(struct plain *p)
{
    headless_settle(&p->headless, 0);
    if (p->app->overlay) {
        overlay_free_all(p->app);
        say(p, STR("that asks on the screen: give all arguments on the line"));
        return;
    }
    bool said = say_messages(p);
    bool moved = say_place(p, false);
    bool selected = say_selection(p);
    bool shown = say_shown(p, selected);
    if (!said && !moved && !selected && !shown) say(p, STR("nothing changed"));
}

/* ---- commands ---- */

static void say_tabs(struct plain *p)
{
    struct buffer line = BUFFER_INIT;
    for (size_t i = 0; i < p->session->tabs.count; i++) {
        const struct tab *tab = p->session->tabs.items[i];
        buffer_printf(&line, "tab %zu: %s%s", i + 1, tab->title,
                      tab->id == session_tab_shown(p->session)->id ? ", shown" : "");
        say_buffer(p, &line);
    }
    buffer_free(&line);
}

/* The rows around the focus. */
static void say_tracks(struct plain *p)
{
    uint32_t count;
    const struct session_row *rows = session_rows(p->session, &count);
    int64_t at = session_focus_index(p->session);
    struct buffer line = BUFFER_INIT;
    uint32_t first = at > TAB_LINES / 2 ? (uint32_t)at - TAB_LINES / 2 : 0;
    for (uint32_t i = first; i < count && i < first + TAB_LINES; i++) {
        buffer_printf(&line, "%strack %u: %s%s", i == at ? "here, " : "", i + 1, rows[i].node->name,
                      rows[i].pinned ? ", pinned" : "");
        say_buffer(p, &line);
    }
    buffer_free(&line);
}

static void say_help(struct plain *p)
{
    static const char text[] =
        "where         the track, the cursor's time and the window\n"
        "details       what is selected\n"
        "tab, tabs     what the shown tab holds; the tabs there are\n"
        "tracks        the tracks around the one in focus\n"
        "/TEXT         search; n and N go to the next and the previous hit\n"
        ";SQL          runs SQL and says its rows\n"
        "j k h l Enter …   keys as on the screen, blanks between them\n"
        "PinTracksByRegex main   any command with its arguments, as after : on the screen\n"
        "quit          ends; so does the end of the input";
    say_lines(p, text);
}

static bool run_word(struct plain *p, struct str line)
{
    if (str_is(line, "where"))
        say_place(p, true);
    else if (str_is(line, "details"))
        say_details(p);
    else if (str_is(line, "tab"))
        say_tab(p);
    else if (str_is(line, "tabs"))
        say_tabs(p);
    else if (str_is(line, "tracks"))
        say_tracks(p);
    else if (str_is(line, "help"))
        say_help(p);
    else
        return false;
    return true;
}

static bool are_keys(struct str line)
{
    struct key key;
    bool in_quotes = false, bad = false, any = false;
    while (key_parse_next(&line, &key, &in_quotes, &bad)) {
        if (bad || in_quotes) return false;
        any = true;
    }
    return any && !bad;
}

static void press(struct plain *p, struct str line)
{
    struct key key;
    bool in_quotes = false, bad = false;
    while (!p->app->quit && key_parse_next(&line, &key, &in_quotes, &bad)) {
        app_key(p->app, key);
        headless_settle(&p->headless, 0);
    }
}

static void run_line(struct plain *p, struct str line)
{
    char *text = mem_copy_string(line.p, line.n);
    const char *rest = text + 1;
    if (run_word(p, line)) {
        mem_free(text);
        return;
    }
    if (text[0] == ':')
        app_run_line(p->app, rest);
    else if (text[0] == ';')
        app_run(p->app, "dev.perfetto.SwitchToQueryMode", &rest, 1);
    else if (text[0] == '/' && app_run(p->app, "dev.perfetty.Search", &rest, 1))
        app_run(p->app, "dev.perfetto.SearchNext", NULL, 0);
    else if (text[0] != '/' && are_keys(line))
        press(p, line);
    else if (text[0] != '/')
        app_run_line(p->app, text);
    mem_free(text);
    if (!p->app->quit) say_changes(p);
}

/* False at the end of the input. */
static bool read_line(FILE *in, struct buffer *line)
{
    char piece[1024];
    buffer_clear(line);
    while (fgets(piece, sizeof piece, in)) {
        buffer_append_text(line, piece);
        if (line->length && line->data[line->length - 1] == '\n') return true;
    }
    return line->length > 0;
}

static void begin(struct plain *p)
{
    struct session *s = p->session;
    struct buffer line = BUFFER_INIT;
    buffer_printf(&line, "%s, ", p->headless.viewer.title);
    duration_write(s->end - s->start, &line);
    buffer_append_text(&line, "; help says what can be asked");
    say_buffer(p, &line);
    buffer_free(&line);
    say_messages(p);
    say_place(p, true);
    say_selection(p);
    p->tab = session_tab_shown(s)->id;
    if (session_tab_shown(s)->kind != TAB_SELECTION) say_tab(p);
    write_rows_mark(session_tab_shown(s), &p->rows);
}

bool viewer_run_plain(const struct viewer_options *options, FILE *in, FILE *out, struct status *st)
{
    struct plain p = {.in = in, .out = out, .ascii = options->ascii};
    struct buffer line = BUFFER_INIT;
    bool is_asked = isatty(fileno(in)) && isatty(fileno(out));
    bool ok = headless_open(&p.headless, options, WIDTH, HEIGHT, st);
    if (ok) {
        p.app = p.headless.viewer.app;
        p.session = p.headless.viewer.session;
        headless_settle(&p.headless, 0);
        begin(&p);
    }
    while (ok && !p.app->quit) {
        if (is_asked) fputs("> ", out);
        fflush(out);
        if (!read_line(in, &line)) break;
        struct str text = str_trim(buffer_str(&line));
        if (str_is(text, "quit")) break;
        if (text.n) run_line(&p, text);
    }
    fflush(out);
    buffer_free(&line);
    buffer_free(&p.rows);
    headless_close(&p.headless);
    return ok;
}
