#include "tui/headless.h"

#include <string.h>

#include "engine/worker.h"

enum { TURN_MS = 20 };

static void notify(void *context)
{
    struct headless *h = context;
    mutex_lock(&h->lock);
    h->pending = true;
    condition_wake_all(&h->happened);
    mutex_unlock(&h->lock);
}

static void wait_for_worker(struct headless *h)
{
    mutex_lock(&h->lock);
    if (!h->pending) condition_wait_ms(&h->happened, &h->lock, TURN_MS);
    h->pending = false;
    mutex_unlock(&h->lock);
}

static bool turn(void *context, struct app *app)
{
    wait_for_worker(context);
    app_poll(app);
    return true;
}

bool headless_settle(struct headless *h, int64_t longest_ms)
{
    struct app *app = h->viewer.app;
    int64_t until = clock_now_ns() + longest_ms * INT64_C(1000000);
    do {
        app_poll(app);
        app_draw(app);
        /* The first frame asks for what it needs; the next one has it. */
        if (app_is_quiet(app)) {
            app_draw(app);
            if (app_is_quiet(app)) return true;
        }
        wait_for_worker(h);
    } while (longest_ms == 0 || clock_now_ns() < until);
    return false;
}

bool headless_open(struct headless *h, const struct viewer_options *options, int width, int height,
                   struct status *st)
{
    memset(h, 0, sizeof *h);
    mutex_init(&h->lock);
    condition_init(&h->happened);
    struct app_hooks hooks = {.context = h, .next_event = turn};
    if (!viewer_open(&h->viewer, options, &hooks, notify, h, width, height, st)) return false;
    viewer_start_load(&h->viewer);
    job_wait(h->viewer.load_job);
    return viewer_finish_load(&h->viewer, st);
}

void headless_close(struct headless *h)
{
    viewer_close(&h->viewer);
    mutex_destroy(&h->lock);
    condition_destroy(&h->happened);
}
