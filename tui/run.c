/* The viewer in a terminal: events in, frames out. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/recent.h"
#include "commands/session_state.h"
#include "engine/base/memory.h"
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
    const char *failure; /* why another trace could not be opened; borrowed */
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
        else {
            app_play_early_keys(app); /* they were typed before this one */
            app_key(app, event->key);
        }
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
    app_play_early_keys(app);
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

static bool edit(void *context, const char *path, struct status *st)
{
    struct running *r = context;
    const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");
    if (!visual || !visual[0]) visual = editor && editor[0] ? editor : "vi";
    struct buffer line = BUFFER_INIT;
    buffer_printf(&line, "exec %s \"$1\"", visual); /* as git: it may have arguments */
    char sh[] = "sh", c[] = "-c", name[] = "perfetty";
    char *script = buffer_take(&line), *file = mem_strdup(path);
    char *argv[] = {sh, c, script, name, file, NULL};
    bool good = terminal_run(r->terminal, argv, st);
    int width, height;
    terminal_size(r->terminal, &width, &height);
    app_resize(r->viewer.app, width, height);
    mem_free(script);
    mem_free(file);
    return good;
}

static bool reads_stdin(const struct viewer_options *options)
{
    for (size_t i = 0; i < options->n_operands; i++)
        if (strcmp(options->operands[i], "-") == 0) return true;
    return false;
}

/* Traces that were opened from the one on the command line, one after the other. */
struct opened {
    char *path;     /* NULL: the operands of the command line */
    char *previous; /* what was open before `path`; NULL: those operands */
    const char *operand[1];
    char *message; /* why the last one could not be opened */
};

static void opened_dispose(struct opened *opened)
{
    mem_free(opened->path);
    mem_free(opened->previous);
    mem_free(opened->message);
}

/* A sidecar and startup commands of the command line are those of its own trace. */
static void choose(struct opened *opened, struct viewer_options *chosen,
                   const struct viewer_options *options)
{
    opened->operand[0] = opened->path;
    chosen->operands = opened->path ? opened->operand : options->operands;
    chosen->n_operands = opened->path ? 1 : options->n_operands;
    chosen->sidecar = opened->path ? NULL : options->sidecar;
    chosen->startup_commands = opened->path ? NULL : options->startup_commands;
}

static void open_next(struct opened *opened, struct viewer_options *chosen,
                      const struct viewer_options *options, const char *path)
{
    mem_free(opened->previous);
    mem_free(opened->message);
    opened->message = NULL;
    opened->previous = opened->path;
    opened->path = mem_strdup(path);
    choose(opened, chosen, options);
}

/* The one before is there again; false when it fails as well. */
static bool go_back(struct opened *opened, struct viewer_options *chosen,
                    const struct viewer_options *options, struct status *st)
{
    if (opened->message) return false;
    opened->message = mem_strdup(status_message(st));
    status_clear(st);
    mem_free(opened->path);
    opened->path = opened->previous;
    opened->previous = NULL;
    choose(opened, chosen, options);
    return true;
}

/* One file is one that can be opened again by its name. */
static void remember(const struct viewer *v)
{
    if (!v->options->clean && v->options->n_operands == 1 && !reads_stdin(v->options))
        recent_add(v->settings, v->options->operands[0]);
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
    v->app->can_open = true;
    if (!v->settings->mouse) terminal_set_mouse(r->terminal, false);
    viewer_start_load(v);
    bool remembered = false;
    while (!v->app->quit && !r->hung_up) {
        if (v->load_job && job_is_done(v->load_job) && !viewer_finish_load(v, st)) return false;
        if (v->loaded && !remembered) {
            remember(v);
            if (r->failure) session_say(v->session, MESSAGE_ERROR, "%s", r->failure);
            remembered = true;
        }
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
    struct app_hooks hooks = {&r, turn, copy, suspend, edit};
    struct opened opened = {0};
    bool ok, again;
    do {
        r.viewer = (struct viewer){0};
        ok = viewer_open(&r.viewer, &chosen, &hooks, notify, &r, width, height, st);
        r.failure = opened.message;
        ok = ok && run_until_quit(&r, st);
        again = ok && r.viewer.app->reload && !r.hung_up;
        char *next =
            again && r.viewer.app->next_trace ? mem_strdup(r.viewer.app->next_trace) : NULL;
        /* Workers may wake the terminal until they have ended. */
        viewer_close(&r.viewer);
        if (next)
            open_next(&opened, &chosen, options, next);
        else if (!ok && opened.path && !r.hung_up)
            again = ok = go_back(&opened, &chosen, options, st);
        mem_free(next);
        terminal_size(r.terminal, &width, &height);
    } while (again);
    opened_dispose(&opened);
    terminal_close(r.terminal);
    return ok;
}
