/* The viewer without a terminal: a script of keys, then one frame. */
#include <locale.h>

#include "engine/worker.h"
#include "tui/sink.h"
#include "tui/viewer_internal.h"

#define LONGEST_WAIT_MS 60000

struct wakeup {
    struct mutex lock;
    struct condition happened;
    bool pending;
};

struct shot {
    struct viewer viewer;
    struct wakeup wakeup;
};

static void notify(void *context)
{
    struct wakeup *wakeup = &((struct shot *)context)->wakeup;
    mutex_lock(&wakeup->lock);
    wakeup->pending = true;
    condition_wake_all(&wakeup->happened);
    mutex_unlock(&wakeup->lock);
}

static void wait_for_worker(struct shot *shot, int64_t ms)
{
    mutex_lock(&shot->wakeup.lock);
    if (!shot->wakeup.pending) condition_wait_ms(&shot->wakeup.happened, &shot->wakeup.lock, ms);
    shot->wakeup.pending = false;
    mutex_unlock(&shot->wakeup.lock);
}

static bool turn(void *context, struct app *app)
{
    wait_for_worker(context, 20);
    app_poll(app);
    return true;
}

/* Draws until nothing runs and nothing is left to be drawn. */
static bool settle(struct shot *shot)
{
    struct app *app = shot->viewer.app;
    int64_t until = clock_now_ns() + LONGEST_WAIT_MS * INT64_C(1000000);
    do {
        app_poll(app);
        app_draw(app);
        /* The first frame asks for what it needs; the next one has it. */
        if (app_is_quiet(app)) {
            app_draw(app);
            if (app_is_quiet(app)) return true;
        }
        wait_for_worker(shot, 20);
    } while (clock_now_ns() < until);
    return false;
}

static bool play(struct shot *shot, const char *keys, struct status *st)
{
    struct str rest = str_of(keys);
    bool in_quotes = false, bad = false;
    struct key key;
    for (;;) {
        size_t at = str_of(keys).n - rest.n;
        if (!key_parse_next(&rest, &key, &in_quotes, &bad)) return true;
        if (bad)
            return status_fail(st, STATUS_USAGE, (int64_t)at,
                               "--keys: no such key at byte %zu (say \"j\", \"Ctrl+p\", \"Enter\", "
                               "or text in double quotes)",
                               at);
        app_key(shot->viewer.app, key);
        if (!settle(shot))
            return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                               "--keys: still busy %d s after a key", LONGEST_WAIT_MS / 1000);
        if (shot->viewer.app->quit) return true;
    }
}

static void write_frame(const struct app *app, enum snapshot_format format, struct buffer *out)
{
    switch (format) {
    case SNAPSHOT_TEXT: sink_write_text(app->canvas, out); break;
    case SNAPSHOT_ANSI: sink_write_ansi(app->canvas, app->theme, out); break;
    case SNAPSHOT_SVG: sink_write_svg(app->canvas, app->theme, out); break;
    case SNAPSHOT_ROLES: sink_write_roles(app->canvas, out); break;
    }
}

bool viewer_snapshot(const struct viewer_options *options, int width, int height, const char *keys,
                     enum snapshot_format format, struct buffer *out, struct status *st)
{
    struct shot shot = {0};
    mutex_init(&shot.wakeup.lock);
    condition_init(&shot.wakeup.happened);
    struct app_hooks hooks = {.context = &shot, .next_event = turn};
    struct viewer *v = &shot.viewer;
    bool ok = viewer_open(v, options, &hooks, notify, &shot, width, height, st);
    if (ok) {
        viewer_start_load(v);
        job_wait(v->load_job);
        ok = viewer_finish_load(v, st);
        if (ok && !settle(&shot))
            ok = status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "still busy after %d s",
                             LONGEST_WAIT_MS / 1000);
        ok = ok && (!keys || play(&shot, keys, st));
    }
    if (ok) write_frame(v->app, format, out);
    viewer_close(v);
    mutex_destroy(&shot.wakeup.lock);
    condition_destroy(&shot.wakeup.happened);
    return ok;
}
