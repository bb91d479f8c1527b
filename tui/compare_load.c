#include "tui/compare_load.h"

#include <string.h>

#include "commands/compare.h"
#include "commands/settings.h"
#include "engine/base/memory.h"
#include "engine/worker.h"
#include "tui/time_text.h"

/* One engine with the thread of its SQL. */
struct second {
    struct engine *engine;
    struct worker *worker;
};

struct compare_load {
    struct app *app;
    struct compare_load_options options;
    struct second shown, coming;
    struct job *job; /* NULL: nothing is being read */
    char *path, *title;
    /* The job's. */
    struct mutex lock;
    struct engine_progress progress;
    struct status status;
    bool ran;
};

struct compare_load *compare_load_new(struct app *app, const struct compare_load_options *options)
{
    struct compare_load *load = mem_zero(1, sizeof *load);
    load->app = app;
    load->options = *options;
    load->status = (struct status)STATUS_INIT;
    mutex_init(&load->lock);
    return load;
}

static void second_free(struct second *second)
{
    if (second->worker) worker_free(second->worker);
    if (second->engine) engine_free(second->engine);
    *second = (struct second){0};
}

/* Takes the job back, whatever came of it. */
static void end_job(struct compare_load *load)
{
    if (!load->job) return;
    job_cancel(load->job);
    job_wait(load->job);
    job_release(load->job);
    load->job = NULL;
    load->app->session->loads_second = false;
    session_changed(load->app->session);
}

void compare_load_free(struct compare_load *load)
{
    if (!load) return;
    if (load->job) {
        job_cancel(load->job);
        job_wait(load->job);
        job_release(load->job);
    }
    second_free(&load->coming);
    second_free(&load->shown);
    status_clear(&load->status);
    mutex_destroy(&load->lock);
    mem_free(load->path);
    mem_free(load->title);
    mem_free(load);
}

/* ---- reading ---- */

static void on_progress(void *context, const struct engine_progress *progress)
{
    struct compare_load *load = context;
    mutex_lock(&load->lock);
    load->progress = *progress;
    mutex_unlock(&load->lock);
}

static void run(void *argument, struct cancel *cancel)
{
    struct compare_load *load = argument;
    struct engine_options options = {.extensions = load->options.extensions,
                                     .progress = on_progress,
                                     .progress_context = load,
                                     .cancel = cancel};
    const char *operands[] = {load->path};
    engine_load(load->coming.engine, operands, 1, &options, &load->status);
    load->ran = true;
}

static char *title_of(const char *path)
{
    struct str name = str_of(path);
    while (name.n > 1 && name.p[name.n - 1] == '/')
        name.n--;
    for (size_t i = name.n - (name.n > 0); i > 0; i--)
        if (name.p[i - 1] == '/') {
            name = str_slice(name, i, name.n);
            break;
        }
    return mem_copy_string(name.p, name.n);
}

void compare_load_start(struct compare_load *load, const char *path)
{
    struct session *session = load->app->session;
    end_job(load);
    second_free(&load->coming);
    status_clear(&load->status);
    mem_free(load->path);
    mem_free(load->title);
    load->path = mem_strdup(path);
    load->title = title_of(path);
    load->progress = (struct engine_progress){0};
    load->ran = false;
    load->coming.engine = engine_new();
    load->coming.worker = worker_new(load->options.notify, load->options.context);
    if (session->settings)
        engine_set_query_limit(load->coming.engine, session->settings->query_limit_ms);
    load->job = worker_post(load->coming.worker, run, load, NULL);
    session->loads_second = true;
    session_changed(session);
}

void compare_load_stop(struct compare_load *load)
{
    if (load && load->job) job_cancel(load->job);
}

/* ---- what was read ---- */

void compare_load_drop(struct compare_load *load)
{
    if (session_is_comparing(load->app->session)) return; /* another one came already */
    app_forget_tracks(load->app);
    second_free(&load->shown);
}

static bool finish(struct compare_load *load, struct status *st)
{
    struct app *app = load->app;
    struct session *session = app->session;
    end_job(load);
    if (load->status.code != STATUS_OK || !load->ran) {
        status_move(st, &load->status);
        status_fail(st, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "%s was not read", load->title);
        second_free(&load->coming);
        return false;
    }
    session_remove_compared(session);
    app_forget_tracks(app);
    second_free(&load->shown);
    load->shown = load->coming;
    load->coming = (struct second){0};
    session_add_compared(session, load->shown.engine, load->shown.worker, load->title);
    app_forget_tracks(app);
    app->focus_follows = true;
    const char *warning;
    for (size_t i = 0; (warning = engine_warning(load->shown.engine, i)) != NULL; i++)
        session_say(session, MESSAGE_WARNING, "%s", warning);
    struct buffer length = BUFFER_INIT;
    duration_write(session->traces[1].end - session->traces[1].start, &length);
    session_say(session, MESSAGE_INFO, "B %s, %s, begins where A does (g d s: align a slice)",
                load->title, buffer_text(&length));
    buffer_free(&length);
    return true;
}

void compare_load_poll(struct compare_load *load)
{
    struct app *app = load->app;
    if (!load->job || !job_is_done(load->job) || app->waiting || app->overlay || app->asking)
        return;
    struct status st = STATUS_INIT;
    if (!finish(load, &st)) session_say(app->session, MESSAGE_ERROR, "%s", status_message(&st));
    status_clear(&st);
}

bool compare_load_wait(struct compare_load *load, struct status *st)
{
    if (!load->job) return true;
    job_wait(load->job);
    return finish(load, st);
}

bool compare_load_write(struct compare_load *load, struct buffer *out)
{
    if (!load || !load->job) return false;
    mutex_lock(&load->lock);
    struct engine_progress progress = load->progress;
    mutex_unlock(&load->lock);
    buffer_printf(out, "reading %.40s", load->title);
    if (progress.bytes_total)
        buffer_printf(out, " %.0f %%",
                      100.0 * (double)progress.bytes_done / (double)progress.bytes_total);
    else if (progress.bytes_done) {
        buffer_append_byte(out, ' ');
        number_write((double)progress.bytes_done, "B", out);
    }
    return true;
}
