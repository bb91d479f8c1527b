#include "tui/app.h"

#include <string.h>

#include "commands/page.h"
#include "commands/registry.h"
#include "engine/base/memory.h"
#include "macros/server_host.h"
#include "tui/compare_load.h"
#include "tui/details.h"
#include "tui/flame_draw.h"
#include "tui/header.h"
#include "tui/keymap.h"
#include "tui/layout.h"
#include "tui/overlay.h"
#include "tui/requests.h"
#include "tui/tab_view.h"
#include "tui/timeline.h"

#define MAX_REPEAT 10000u

struct app *app_new(const struct app_options *options, int width, int height, struct status *st)
{
    struct keymap *keymap = keymap_new(options->session, options->settings, st);
    if (!keymap) return NULL;
    struct app *app = mem_zero(1, sizeof *app);
    app->session = options->session;
    app->settings = options->settings;
    app->theme = options->theme;
    app->hooks = options->hooks;
    app->keymap = keymap;
    app->canvas = canvas_new(width, height);
    app->canvas->ascii = options->ascii;
    app->canvas->mono = options->theme->is_mono;
    app->data = track_data_cache_new(options->pyramid_worker);
    app->details = mem_zero(1, sizeof *app->details);
    app->drag_from_x = -1;
    app->needs_draw = true;
    app->focus_follows = true;
    return app;
}

void app_free(struct app *app)
{
    if (!app) return;
    overlay_free_all(app);
    keymap_free(app->keymap);
    track_data_cache_free(app->data);
    details_dispose(app->details);
    mem_free(app->details);
    canvas_free(app->canvas);
    mem_free(app->overview.share);
    mem_free(app->next_trace);
    edit_history_free(&app->command_history);
    edit_history_free(&app->sql_history);
    edit_history_free(&app->search_history);
    mem_free(app);
}

void app_resize(struct app *app, int width, int height)
{
    canvas_resize(app->canvas, width, height);
    app->focus_follows = true;
    app->needs_draw = true;
}

void app_forget_tracks(struct app *app)
{
    track_data_cache_clear(app->data);
    app->overview.complete = false;
    app->details->valid = false;
    app->needs_draw = true;
}

/* ---- commands ---- */

bool app_run(struct app *app, const char *id, const char *const *args, uint32_t n_args)
{
    struct status st = STATUS_INIT;
    struct command_context context = COMMAND_CONTEXT_PERSON;
    bool done = registry_run(app->session, id, args, n_args, &context, &st) == COMMAND_DONE;
    if (!done) session_say(app->session, MESSAGE_ERROR, "%s", status_message(&st));
    status_clear(&st);
    app->focus_follows = true;
    app->needs_draw = true;
    requests_serve(app);
    return done;
}

void app_run_line(struct app *app, const char *line)
{
    struct invocation invocation = {0};
    struct status st = STATUS_INIT;
    if (!registry_parse_line(app->session->registry, str_of(line), &invocation, &st)) {
        session_say(app->session, MESSAGE_ERROR, "%s", status_message(&st));
        status_clear(&st);
        return;
    }
    app_run(app, invocation.id, (const char *const *)invocation.args, invocation.n_args);
    invocation_dispose(&invocation);
}

/* ---- keys ---- */

static void forget_keys(struct app *app)
{
    app->n_pending = 0;
    app->count = 0;
}

static bool take_digit(struct app *app, struct key key)
{
    if (key.modifiers || app->n_pending || key.code < '0' || key.code > '9') return false;
    if (key.code == '0' && app->count == 0) return false;
    if (app->count < 100000) app->count = app->count * 10 + (key.code - '0');
    return true;
}

static void run_binding(struct app *app, const struct binding *binding, uint32_t letter)
{
    uint32_t times = app->count ? app->count : 1;
    if (times > MAX_REPEAT) times = MAX_REPEAT;
    forget_keys(app);
    if (letter) {
        char text[8] = {0};
        text[0] = (char)letter;
        const char *args[] = {text};
        app_run(app, binding->line, args, 1);
        return;
    }
    uint64_t said = app->session->messages_total;
    for (uint32_t i = 0; i < times && !app->quit; i++) {
        app_run_line(app, binding->line);
        /* A step that only reports ("the last slice") ends the repetition. */
        if (app->overlay || app->session->messages_total != said) break;
    }
}

void app_bind_keys(struct app *app)
{
    forget_keys(app);
    keymap_bind(app->keymap, app->session);
    app->needs_draw = true;
}

static void interrupt_or_tell(struct app *app)
{
    if (session_is_busy(app->session)) {
        session_interrupt(app->session);
        compare_load_stop(app->compare);
        session_say(app->session, MESSAGE_INFO, "stopped");
    } else {
        session_say(app->session, MESSAGE_INFO, "Nothing is running. q leaves perfetty.");
    }
}

void app_wait(struct app *app, struct job *job)
{
    bool outer = app->waiting;
    app->waiting = true;
    app->needs_draw = true;
    while (!job_is_done(job))
        if (!app->hooks.next_event || !app->hooks.next_event(app->hooks.context, app)) {
            job_cancel(job);
            job_wait(job);
        }
    app->waiting = outer;
}

/* An open form shows what an entry holds; what a dialog asks about has to be what its
 * caller then runs. */
void app_poll_servers(struct app *app)
{
    if (app->servers && app->session->n_traces && !app->overlay && !app->waiting && !app->asking)
        server_host_poll(app->servers, app->session);
}

static enum key_place place_of_keys(const struct session *s)
{
    if (s->pane != PANE_DETAILS) return KEYS_TIMELINE;
    enum tab_kind kind = session_tab_shown(s)->kind;
    return kind == TAB_FLAME ? KEYS_FLAME : kind == TAB_QUERY ? KEYS_TABLE : KEYS_DETAILS;
}

void app_key(struct app *app, struct key key)
{
    app->needs_draw = true;
    if (app->waiting) {
        bool stop = key.code == KEY_NAME_ESCAPE || (key.code == 'c' && key.modifiers == KEY_CTRL);
        if (stop) {
            app->n_early = 0;
            session_interrupt(app->session);
        } else if (app->n_early < APP_EARLY_KEYS) {
            app->early[app->n_early++] = key;
        }
        return;
    }
    if (app->overlay) {
        overlay_key(app, key);
        requests_serve(app);
        app_poll_servers(app);
        return;
    }
    app->messages_seen = app->session->messages_total;
    if (key.code == 'c' && key.modifiers == KEY_CTRL) {
        forget_keys(app);
        interrupt_or_tell(app);
        return;
    }
    if (key.code == KEY_NAME_ESCAPE && app->n_pending) {
        forget_keys(app);
        return;
    }
    if (take_digit(app, key)) return;
    app->pending[app->n_pending++] = key;
    enum key_place place = place_of_keys(app->session);
    const struct binding *found = NULL;
    uint32_t letter = 0;
    switch (keymap_find(app->keymap, place, app->pending, app->n_pending, &found, &letter)) {
    case KEY_MATCH: run_binding(app, found, letter); return;
    case KEY_PREFIX:
        if (app->n_pending < 4) return;
        break;
    case KEY_NO_MATCH: break;
    }
    struct buffer text = BUFFER_INIT;
    for (uint32_t i = 0; i < app->n_pending; i++)
        key_write(app->pending[i], &text);
    session_say(app->session, MESSAGE_INFO, "%s does nothing here (? shows the keys)",
                buffer_text(&text));
    buffer_free(&text);
    forget_keys(app);
}

void app_play_early_keys(struct app *app)
{
    while (app->n_early && !app->waiting && !app->quit) {
        struct key key = app->early[0];
        memmove(app->early, app->early + 1, --app->n_early * sizeof key);
        app_key(app, key);
    }
}

void app_paste(struct app *app, struct key character)
{
    /* Or a pasted text would run commands, or answer a question. */
    if (!app->waiting && app->overlay && app->overlay->kind->takes_text)
        app_key(app, character);
    else
        session_say(app->session, MESSAGE_INFO, "pasted text is taken where text is typed");
}

/* ---- mouse ---- */

static bool inside(struct rect r, int x, int y)
{
    return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

static void press(struct app *app, const struct mouse *mouse)
{
    struct session *s = app->session;
    const struct layout *l = &app->layout;
    if (l->tabs.h && inside(l->tabs, mouse->x, mouse->y)) {
        const struct tab *tab = tab_view_tab_at(app, mouse->x);
        if (tab) session_tab_show(s, tab);
        return;
    }
    if (inside(l->drawer, mouse->x, mouse->y)) {
        s->pane = PANE_DETAILS;
        session_changed(s);
        bool on_row = tab_view_click(app, app->details, mouse->x, mouse->y);
        if (on_row && mouse->kind == MOUSE_DOUBLE)
            app_run(app, "dev.perfetty.SelectUnderCursor", NULL, 0);
        bool on_frame =
            session_tab_shown(s)->kind == TAB_FLAME && flame_click(app, mouse->x, mouse->y);
        if (on_frame && mouse->kind == MOUSE_DOUBLE)
            app_run(app, "dev.perfetty.FlamegraphZoom", NULL, 0);
        return;
    }
    if (inside(l->overview, mouse->x, mouse->y) && l->overview.w > 0) {
        int64_t span = s->end - s->start;
        int64_t at = s->start + (int64_t)((double)span * mouse->x / l->overview.w);
        int64_t half = (s->window_end - s->window_start) / 2;
        session_set_window(s, at - half, at + half);
        session_set_cursor(s, at);
        return;
    }
    int64_t row;
    uint32_t depth;
    s->pane = PANE_TIMELINE;
    if (timeline_row_at(app, mouse->y, &row, &depth)) {
        session_focus_row(s, row);
        s->focus_depth = depth;
        session_changed(s);
    }
    if (mouse->x < l->time_x) {
        if (mouse->kind == MOUSE_DOUBLE) app_run(app, "dev.perfetty.ToggleFold", NULL, 0);
        return;
    }
    session_set_cursor(s, app_time_of_x(app, mouse->x));
    app->drag_from_x = mouse->x;
    app->drag_from_ts = s->cursor;
    app_run(app, "dev.perfetty.SelectUnderCursor", NULL, 0);
    if (mouse->kind == MOUSE_DOUBLE) app_run(app, "dev.perfetto.FocusSelection", NULL, 0);
}

static void drag(struct app *app, const struct mouse *mouse)
{
    struct session *s = app->session;
    if (app->drag_from_x < 0 || mouse->x == app->drag_from_x) return;
    int64_t start = app->drag_from_ts, end = app_time_of_x(app, mouse->x);
    session_set_cursor(s, end);
    if (end < start) {
        int64_t swap = start;
        start = end;
        end = swap;
    }
    const char *uri = s->focus ? s->focus->uri : NULL;
    session_select_area(s, start, end, &uri, uri ? 1 : 0);
}

void app_mouse(struct app *app, const struct mouse *mouse)
{
    struct session *s = app->session;
    app->needs_draw = true;
    if (app->overlay || app->waiting) return;
    bool over_drawer = inside(app->layout.drawer, mouse->x, mouse->y);
    switch (mouse->kind) {
    case MOUSE_PRESS:
    case MOUSE_DOUBLE: press(app, mouse); break;
    case MOUSE_DRAG: drag(app, mouse); break;
    case MOUSE_RELEASE: app->drag_from_x = -1; break;
    case MOUSE_WHEEL_UP:
    case MOUSE_WHEEL_DOWN: {
        int step = mouse->kind == MOUSE_WHEEL_UP ? -1 : 1;
        if (over_drawer)
            app->drawer_top += step * 3;
        else if (mouse->modifiers & KEY_CTRL)
            session_zoom(s, step < 0 ? 0.8 : 1.25, app_time_of_x(app, mouse->x));
        else if (mouse->modifiers & KEY_SHIFT)
            session_pan(s, step * 0.1);
        else
            app->tree_top += step * 3;
        break;
    }
    }
    requests_serve(app);
}

/* ---- time and columns ---- */

int64_t app_time_of_x(const struct app *app, int x)
{
    const struct session *s = app->session;
    int w = app->layout.time_w > 0 ? app->layout.time_w : 1;
    int i = x - app->layout.time_x;
    int64_t span = s->window_end - s->window_start;
    return s->window_start + span / w * i + span % w * i / w;
}

int app_x_of_time(const struct app *app, int64_t ts)
{
    const struct session *s = app->session;
    int w = app->layout.time_w > 0 ? app->layout.time_w : 1;
    int64_t span = s->window_end - s->window_start;
    if (span <= 0) return app->layout.time_x;
    double guess = ((double)ts - (double)s->window_start) / (double)span * w;
    if (guess < -1) return app->layout.time_x - 1;
    if (guess > w) return app->layout.time_x + w;
    int x = app->layout.time_x + (int)guess;
    /* Doubles are a cell off at most: the exact edges decide. */
    while (x > app->layout.time_x && app_time_of_x(app, x) > ts)
        x--;
    while (x < app->layout.time_x + w && app_time_of_x(app, x + 1) <= ts)
        x++;
    return x;
}

/* ---- frames ---- */

static void draw_message(struct app *app, struct rect area)
{
    const struct session *s = app->session;
    const struct session_message *message = &s->messages.items[s->messages.count - 1];
    enum color color = message->kind == MESSAGE_ERROR     ? COLOR_ERROR
                       : message->kind == MESSAGE_WARNING ? COLOR_WARNING
                                                          : COLOR_BAR_TEXT;
    struct str line = str_of(message->text);
    size_t end;
    if (str_find_byte(line, '\n', &end)) line.n = end;
    canvas_text(app->canvas, area.x + 1, area.y, area.w - 2, line,
                (struct style){(uint8_t)color, COLOR_BAR, CELL_BOLD});
}

static void draw_pending(struct app *app, struct rect area)
{
    struct buffer text = BUFFER_INIT;
    if (app->count) buffer_printf(&text, "%u", app->count);
    for (uint32_t i = 0; i < app->n_pending; i++) {
        key_write(app->pending[i], &text);
        buffer_append_byte(&text, ' ');
    }
    if (text.length)
        canvas_text_right(app->canvas, area.x + area.w - 14, area.y, 12, buffer_str(&text),
                          STYLE(ACCENT, BAR, CELL_BOLD));
    buffer_free(&text);
}

static void draw_hints(struct app *app)
{
    struct session *s = app->session;
    struct rect area = app->layout.hints;
    canvas_fill(app->canvas, area, ' ', STYLE(BAR_TEXT, BAR, 0));
    if (s->messages.count && s->messages_total > app->messages_seen) {
        draw_message(app, area);
        return;
    }
    enum key_place place = place_of_keys(s);
    int x = area.x + 1;
    struct buffer text = BUFFER_INIT;
    for (uint32_t i = 0; i < keymap_count(app->keymap); i++) {
        const struct binding *binding = keymap_at(app->keymap, i);
        const struct binding *taken = NULL;
        uint32_t letter;
        if (!binding->hint || !binding->line || !key_place_holds(binding->place, place)) continue;
        keymap_find(app->keymap, place, binding->keys, binding->n_keys, &taken, &letter);
        if (taken != binding) continue; /* the key does something nearer here */
        buffer_clear(&text);
        binding_write_keys(binding, &text);
        int need = (int)(text.length + strlen(binding->hint)) + 3;
        if (x + need > area.x + area.w - 14) break;
        x +=
            canvas_text(app->canvas, x, area.y, need, buffer_str(&text), STYLE(ACCENT, BAR, 0)) + 1;
        x += canvas_text(app->canvas, x, area.y, need, str_of(binding->hint),
                         STYLE(BAR_TEXT, BAR, 0)) +
             2;
    }
    buffer_free(&text);
    const char *where = place == KEYS_FLAME       ? "flamegraph"
                        : place == KEYS_TABLE     ? "table"
                        : s->pane == PANE_DETAILS ? "details"
                        : s->area_open            ? "area"
                                                  : "timeline";
    canvas_text_right(app->canvas, area.x + area.w - 12, area.y, 11, str_of(where),
                      STYLE(DIM, BAR, 0));
    draw_pending(app, area);
}

static void draw_too_small(struct app *app)
{
    canvas_text(app->canvas, 0, 0, app->canvas->width, STR("too small"), STYLE_PLAIN);
}

/* Lines of `text` in the middle of the screen. */
static void draw_loading(struct app *app)
{
    struct canvas *canvas = app->canvas;
    struct str rest = str_of(app->load_text), line;
    int y = canvas->height / 2 - 2;
    while (str_split_next(&rest, '\n', &line))
        canvas_text_middle(canvas, canvas->width > 44 ? canvas->width / 2 - 22 : 1, y++,
                           canvas->width - 2, line, STYLE_PLAIN);
}

void app_draw(struct app *app)
{
    struct session *s = app->session;
    app->needs_draw = false;
    app->drawn_changes = s->changes;
    canvas_clear(app->canvas);
    app->canvas->mono = app->theme->is_mono;
    if (!layout_compute(&app->layout, s, app->canvas->width, app->canvas->height)) {
        draw_too_small(app);
        return;
    }
    if (!s->n_traces) {
        if (app->load_text) draw_loading(app);
        overlay_draw_all(app);
        return;
    }
    session_set_size(s, (uint32_t)app->layout.time_w, (uint32_t)app->layout.tree.h);
    session_follow_page(s);
    details_update(app->details, s);
    for (uint8_t i = 0; i < s->n_traces; i++)
        table_read_begin(&session_tables(s, i)->slice.table);
    header_draw_title(app);
    if (app->layout.overview.h) header_draw_overview(app);
    header_draw_ruler(app);
    timeline_draw(app);
    tab_view_draw(app, app->details);
    for (uint8_t i = 0; i < s->n_traces; i++)
        table_read_end(&session_tables(s, i)->slice.table);
    draw_hints(app);
    overlay_draw_all(app);
    app->drawn_changes = s->changes;
}

void app_poll(struct app *app)
{
    session_poll(app->session);
    app_poll_servers(app);
    if (app->compare) compare_load_poll(app->compare);
    requests_serve(app);
    app->needs_draw = true;
}

bool app_is_quiet(const struct app *app)
{
    return !session_is_busy(app->session) && !track_data_is_busy(app->data) && !app->needs_draw &&
           app->session->changes == app->drawn_changes;
}
