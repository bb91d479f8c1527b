/* The viewer in a terminal: events in, frames out. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/session_state.h"
#include "engine/worker.h"
#include "macros/server_host.h"
#include "tui/terminal.h"
#include "tui/viewer_internal.h"

#define LOAD_FRAME_MS 100
#define BUSY_FRAME_MS 250
#define MOST_EVENTS   64 /* taken in before a frame is drawn */

struct running {
    struct viewer viewer;
    struct terminal *terminal;
    bool hung_up;
};

static void show(struct running *r)
{
    struct viewer *v = &r->viewer;
    if (v->load_job && server_host_is_waiting(v->servers)) {
        buffer_clear(&v->load_text);
        buffer_printf(&v->load_text,
                      "%s\nasking extension servers what the trace may hold\n\nEsc goes on without "
                      "them",
                      v->title);
        v->app->load_text = buffer_text(&v->load_text);
    } else if (v->load_job) {
        buffer_clear(&v->load_text);
        load_screen_write(&v->load, v->title, v->app->canvas->ascii, &v->load_text);
        v->app->load_text = buffer_text(&v->load_text);
    }
    app_draw(v->app);
    terminal_show(r->terminal, v->app->canvas, v->app->theme);
}

static int timeout_ms(const struct running *r)
{
    if (r->viewer.load_job) return LOAD_FRAME_MS;
    return session_is_busy(r->viewer.session) ? BUSY_FRAME_MS : -1;
}

/* While a trace loads there is nothing yet that a key could move. */
static void key_while_loading(struct running *r, struct key key)
{
    bool stop = (key.code == 'c' && key.modifiers == KEY_CTRL) || key.code == KEY_NAME_ESCAPE;
    if (stop && server_host_is_waiting(r->viewer.servers))
        server_host_go_on(r->viewer.servers);
    else if (stop)
        job_cancel(r->viewer.load_job);
    if (key.code == 'q' && !key.modifiers) {
        job_cancel(r->viewer.load_job);
        r->viewer.app->quit = true;
    }
    if (key.code == 'z' && key.modifiers == KEY_CTRL) terminal_suspend(r->terminal);
}

static void dispatch(struct running *r, const struct input_event *event)
{
    struct app *app = r->viewer.app;
    int width, height;
    switch (event->type) {
    case INPUT_NONE: break;
    case INPUT_KEY:
        if (event->pasted)
            app_paste(app, event->key);
        else if (r->viewer.load_job)
            key_while_loading(r, event->key);
        else
            app_key(app, event->key);
        break;
    case INPUT_MOUSE:
        if (!r->viewer.load_job) app_mouse(app, &event->mouse);
        break;
    case INPUT_RESIZE:
        terminal_size(r->terminal, &width, &height);
        app_resize(app, width, height);
        break;
    case INPUT_WAKE:
        if (r->viewer.loaded) app_poll(app);
        break;
    case INPUT_HANGUP: r->hung_up = true; break;
    }
}

/* One turn: a frame when it is due, then an event, then those that wait already,
 * so that held keys cost one frame. */
static bool turn(void *context, struct app *app)
{
    struct running *r = context;
    if (r->viewer.loaded) app_poll_servers(app);
    if (r->viewer.state) session_state_tick(r->viewer.state, clock_now_ns());
    bool due = app->needs_draw || r->viewer.load_job ||
               app->session->changes != app->drawn_changes || session_is_busy(app->session);
    if (due) show(r);
    struct input_event event = terminal_next_event(r->terminal, timeout_ms(r));
    for (int i = 1; event.type != INPUT_NONE; i++) {
        dispatch(r, &event);
        if (app->quit || r->hung_up || i == MOST_EVENTS) break;
        event = terminal_next_event(r->terminal, 0);
    }
    return !r->hung_up && !app->quit;
}

static void notify(void *context)
{
    terminal_wake(((struct running *)context)->terminal);
}

static void copy(void *context, struct str text)
{
    struct running *r = context;
    if (r->viewer.settings->clipboard)
        terminal_copy(r->terminal, text);
    else
        session_say(r->viewer.session, MESSAGE_WARNING,
                    "not copied: the setting \"clipboard\" is off");
}

static void suspend(void *context)
{
    terminal_suspend(((struct running *)context)->terminal);
}

static bool reads_stdin(const struct viewer_options *options)
{
    for (size_t i = 0; i < options->n_operands; i++)
        if (strcmp(options->operands[i], "-") == 0) return true;
    return false;
}

static bool run_until_quit(struct running *r, struct status *st)
{
    struct viewer *v = &r->viewer;
    v->has_person = true;
    v->app->can_reload = !reads_stdin(v->options);
    const char *term = getenv("TERM");
    if (!terminal_is_known(r->terminal))
        session_say(v->session, MESSAGE_WARNING,
                    "TERM=%.40s is not described here: a built-in description is used", term);
    if (!v->settings->mouse) terminal_set_mouse(r->terminal, false);
    viewer_start_load(v);
    while (!v->app->quit && !r->hung_up) {
        if (v->load_job && job_is_done(v->load_job) && !viewer_finish_load(v, st)) return false;
        if (!v->app->quit) turn(r, v->app); /* a dialog of the load may have ended it */
    }
    return true;
}

bool viewer_run(const struct viewer_options *options, struct status *st)
{
    setlocale(LC_ALL, "");
    struct running r = {0};
    const char *no_color = getenv("NO_COLOR");
    struct viewer_options chosen = *options;
    if (no_color && no_color[0]) chosen.no_color = true;
    struct terminal_options terminal_options = {.mouse = !options->no_mouse,
                                                .keys_from_tty =
                                                    reads_stdin(options) || !isatty(STDIN_FILENO),
                                                .no_color = chosen.no_color};
    r.terminal = terminal_open(&terminal_options, st);
    if (!r.terminal) return false;
    if (!terminal_is_utf8(r.terminal)) chosen.ascii = true;
    if (terminal_colors(r.terminal) == 0) chosen.no_color = true;
    int width, height;
    terminal_size(r.terminal, &width, &height);
    struct app_hooks hooks = {&r, turn, copy, suspend};
    bool ok, again;
    do {
        r.viewer = (struct viewer){0};
        ok = viewer_open(&r.viewer, &chosen, &hooks, notify, &r, width, height, st) &&
             run_until_quit(&r, st);
        again = ok && r.viewer.app->reload && !r.hung_up;
        /* Workers may wake the terminal until they have ended. */
        viewer_close(&r.viewer);
        terminal_size(r.terminal, &width, &height);
    } while (again);
    terminal_close(r.terminal);
    return ok;
}
