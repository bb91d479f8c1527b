#include "tui/viewer_internal.h"

#include <string.h>

#include "commands/content_id.h"
#include "commands/flame_view.h"
#include "commands/session_state.h"
#include "engine/base/memory.h"
#include "engine/worker.h"
#include "macros/recorder.h"
#include "macros/server_host.h"
#include "macros/sources.h"
#include "tui/compare_load.h"
#include "tui/consent.h"
#include "tui/dialog.h"
#include "tui/server_dialog.h"

/* ---- loading ---- */

static void on_progress(void *context, const struct engine_progress *progress)
{
    struct viewer *v = context;
    mutex_lock(&v->load.lock);
    v->load.progress = *progress;
    mutex_unlock(&v->load.lock);
}

static void run_load(void *argument, struct cancel *cancel)
{
    struct viewer *v = argument;
    v->load_began = true;
    struct server_descriptors descriptors = {0};
    server_host_descriptors(v->servers, cancel, &descriptors);
    struct engine_options options = {.extensions = v->options->extensions,
                                     .sidecar_path = v->options->sidecar,
                                     .progress = on_progress,
                                     .progress_context = v,
                                     .cancel = cancel,
                                     .descriptors = descriptors.items,
                                     .n_descriptors = descriptors.count};
    bool good = engine_load(v->engine, v->options->operands, v->options->n_operands, &options,
                            &v->load_status);
    /* A part of a trace is not what was looked at before. */
    if (good && v->has_person && !cancel_is_requested(cancel))
        content_id_of_files(v->options->operands, v->options->n_operands, v->content);
    vec_free(&descriptors);
}

void viewer_start_load(struct viewer *v)
{
    v->load.began_ns = clock_now_ns();
    v->load_job = worker_post(v->sql, run_load, v, NULL);
}

/* ---- after the load ---- */

static void say_warnings(struct viewer *v)
{
    const char *warning;
    for (size_t i = 0; (warning = engine_warning(v->engine, i)) != NULL; i++)
        session_say(v->session, MESSAGE_WARNING, "%s", warning);
}

static void say_failed(struct viewer *v, struct status *st)
{
    session_say(v->session, MESSAGE_ERROR, "%s", status_message(st));
    status_clear(st);
}

static bool parse_trace_commands(const char *text, enum trace_commands *out)
{
    static const char *const names[] = {"ask", "always", "never"};
    for (int i = 0; text && i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (enum trace_commands)i;
            return true;
        }
    return false;
}

/* The trace's, the command line's and the settings' startup commands. */
static void run_startup(struct viewer *v, const struct trace_extensions *extensions)
{
    struct startup_options options = {.extensions = extensions,
                                      .settings = v->settings,
                                      .command_line = v->command_line,
                                      .title = v->title,
                                      .has_person = v->has_person};
    enum trace_commands chosen;
    if (parse_trace_commands(v->options->trace_commands, &chosen)) options.trace_commands = &chosen;
    struct startup *startup = startup_new(v->session, &options);
    enum startup_answer answer = STARTUP_NO_QUESTION;
    if (startup_asks(startup)) answer = consent_ask_startup(v->app, startup, extensions);
    startup_run(startup, answer);
    startup_free(startup);
}

static void open_state(struct viewer *v)
{
    struct session_state_options options = {
        .title = v->title, .is_clean = v->options->clean, .is_off = !v->settings->restore_session};
    memcpy(options.content, v->content, sizeof options.content);
    v->state = session_state_new(v->session, &options);
    session_state_restore(v->state);
}

/* Scripts find both there; a person looks at the first until the second comes. */
static bool open_second(struct viewer *v, struct status *st)
{
    if (!v->options->compare) return true;
    compare_load_start(v->compare, v->options->compare);
    return v->has_person || compare_load_wait(v->compare, st);
}

static bool open_session(struct viewer *v, struct status *st)
{
    session_add_trace(v->session, v->engine, v->sql, v->title);
    flame_view_open_alone(v->session);
    app_forget_tracks(v->app);
    v->app->focus_follows = true;
    say_warnings(v);
    struct str json = engine_trace_extensions(v->engine);
    struct status bad = STATUS_INIT;
    struct trace_extensions *extensions = json.p ? trace_extensions_read(json, &bad) : NULL;
    if (json.p && !extensions) say_failed(v, &bad);
    if (!macros_register_settings(v->session, v->settings, st)) {
        trace_extensions_free(extensions);
        return false;
    }
    macros_register_bundled(v->session);
    server_host_open(v->servers, v->session, extensions ? extensions->server : NULL);
    if (v->has_person) server_dialog_offer(v->app);
    if (extensions && !macros_register_trace(v->session, extensions, &bad)) say_failed(v, &bad);
    app_bind_keys(v->app);
    if (v->has_person) open_state(v);
    bool good = open_second(v, st);
    if (good) run_startup(v, extensions);
    if (v->state) session_state_begin(v->state);
    trace_extensions_free(extensions);
    return good;
}

bool viewer_finish_load(struct viewer *v, struct status *st)
{
    job_release(v->load_job);
    v->load_job = NULL;
    struct cancel stop = {true};
    if (!v->load_began) run_load(v, &stop); /* stopped before its turn: an empty trace */
    v->app->load_text = NULL;
    if (v->load_status.code != STATUS_OK) {
        status_move(st, &v->load_status);
        return false;
    }
    v->loaded = true;
    return open_session(v, st);
}

/* ---- open and close ---- */

static void wait_hook(void *context, struct session *session, struct job *job)
{
    (void)session;
    app_wait(((struct viewer *)context)->app, job);
}

static bool reach_hook(void *context, const struct reach_question *question)
{
    struct viewer *v = context;
    return v->has_person && consent_ask_reach(v->app, question);
}

static const struct theme *choose_theme(struct viewer *v, struct status *st)
{
    const char *name = v->options->theme ? v->options->theme : v->settings->theme;
    if (v->options->no_color || v->settings->color == SETTING_OFF) name = "mono";
    const struct theme *theme = theme_find(name ? str_of(name) : STR("dark"));
    const char *file = NULL;
    const json_t *own = settings_get(v->settings, "themes", &file);
    if (!theme && theme_own_read(own, name, &v->own_theme, st)) return &v->own_theme.theme;
    if (st->code != STATUS_OK)
        status_prefix(st, "%s", file);
    else if (!theme)
        status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                    "there is no theme '%s': dark, light, mono, color-blind", name);
    return theme;
}

/* "a.zip", or "a.zip + 2 more". */
static char *make_title(const struct viewer_options *options)
{
    struct buffer text = BUFFER_INIT;
    struct str name = options->n_operands ? str_of(options->operands[0]) : STR("");
    while (name.n > 1 && name.p[name.n - 1] == '/')
        name.n--;
    for (size_t i = name.n; i > 0; i--)
        if (name.p[i - 1] == '/') {
            name = str_slice(name, i, name.n);
            break;
        }
    buffer_append_str(&text, str_is(name, "-") ? STR("standard input") : name);
    if (options->n_operands > 1) buffer_printf(&text, " + %zu more", options->n_operands - 1);
    return buffer_take(&text);
}

/* Before a long load, not after it. */
static bool check_startup_options(struct viewer *v, struct status *st)
{
    const struct viewer_options *options = v->options;
    enum trace_commands ignored;
    if (options->trace_commands && !parse_trace_commands(options->trace_commands, &ignored))
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "--trace-commands is ask, always or never, not '%s'",
                           options->trace_commands);
    if (!options->startup_commands ||
        startup_parse_command_line(options->startup_commands, &v->command_line, st))
        return true;
    status_prefix(st, "%s", options->startup_option);
    return false;
}

/* For the page of settings. */
static void note_overrides(struct settings *settings, const struct viewer_options *options)
{
    struct buffer value = BUFFER_INIT;
    buffer_printf(&value, "\"%s\"", options->theme ? options->theme : "");
    if (options->theme) settings_override(settings, "theme", buffer_text(&value));
    buffer_clear(&value);
    buffer_printf(&value, "\"%s\"", options->trace_commands ? options->trace_commands : "");
    if (options->trace_commands)
        settings_override(settings, "traceStartupCommands", buffer_text(&value));
    buffer_free(&value);
    if (options->startup_commands)
        settings_override(settings, "startupCommands", options->startup_commands);
    if (options->ascii) settings_override(settings, "ascii", "true");
    if (options->no_mouse) settings_override(settings, "mouse", "false");
    if (options->no_color) settings_override(settings, "color", "false");
}

bool viewer_open(struct viewer *v, const struct viewer_options *options,
                 const struct app_hooks *hooks, void (*notify)(void *context), void *context,
                 int width, int height, struct status *st)
{
    v->options = options;
    mutex_init(&v->load.lock);
    v->title = make_title(options);
    v->settings = settings_load(NULL, NULL, st);
    if (!v->settings) return false;
    note_overrides(v->settings, options);
    const struct theme *theme = choose_theme(v, st);
    if (!theme) return false;
    if (!check_startup_options(v, st)) return false;
    struct session_hooks session_hooks = {v, wait_hook, reach_hook};
    v->session = session_new(&session_hooks);
    settings_apply(v->settings, v->session);
    v->recorder = recorder_new(v->settings);
    recorder_register(v->recorder, v->session);
    struct app_options app_options = {.session = v->session,
                                      .settings = v->settings,
                                      .theme = theme,
                                      .hooks = *hooks,
                                      .ascii = options->ascii || v->settings->ascii == SETTING_ON};
    v->sql = worker_new(notify, context);
    v->pyramids = worker_new(notify, context);
    app_options.pyramid_worker = v->pyramids;
    v->engine = engine_new();
    engine_set_query_limit(v->engine, v->settings->query_limit_ms);
    v->app = app_new(&app_options, width, height, st);
    if (!v->app) return false;
    v->compare = compare_load_new(
        v->app, &(struct compare_load_options){options->extensions, notify, context});
    v->app->compare = v->compare;
    v->servers = server_host_new(&(struct server_host_options){
        .settings = v->settings, .notify = notify, .notify_context = context});
    v->app->servers = v->servers;
    return server_host_start(v->servers, st);
}

void viewer_close(struct viewer *v)
{
    if (v->load_job) {
        job_cancel(v->load_job);
        job_wait(v->load_job);
        job_release(v->load_job);
    }
    if (v->session) session_interrupt(v->session);
    if (v->state) session_state_end(v->state);
    session_state_free(v->state);
    app_free(v->app);
    if (v->pyramids) worker_free(v->pyramids);
    server_host_free(v->servers);
    if (v->session) session_free(v->session);
    compare_load_free(v->compare);
    recorder_free(v->recorder);
    if (v->sql) worker_free(v->sql);
    if (v->engine) engine_free(v->engine);
    if (v->settings) settings_free(v->settings);
    status_clear(&v->load_status);
    invocation_list_free(&v->command_line);
    buffer_free(&v->load_text);
    mutex_destroy(&v->load.lock);
    mem_free(v->title);
}
