#include "commands/flame_view.h"

#include <string.h>
#include <strings.h>

#include "commands/query.h"
#include "engine/base/memory.h"

/* ---- the job ---- */

struct flame_job {
    /* Given. */
    const struct tables *tables[2]; /* by side; [1] NULL: not compared */
    struct flame_scope scopes[2];
    struct flame_metric metric;
    struct flame_look look;
    const struct flame_profile *kept; /* to lay out again; NULL: gather */
    /* Made. */
    struct flame_profile *profile;
    struct flame_tree *tree;
    struct status status;
    struct job *job; /* NULL: it ran at once */
};

static void run(void *argument, struct cancel *cancel)
{
    struct flame_job *job = argument;
    const struct flame_profile *profile = job->kept;
    if (!profile) {
        job->profile = flame_profile_new();
        for (unsigned side = 0; side < 2 && job->tables[side]; side++)
            if (!flame_profile_add(job->profile, job->tables[side], &job->scopes[side],
                                   &job->metric, side, cancel, &job->status))
                return;
        profile = job->profile;
    }
    job->tree = flame_tree_new(profile, &job->look, cancel, &job->status);
}

static void free_job(struct flame_job *job)
{
    if (!job) return;
    if (job->job) {
        job_cancel(job->job);
        job_wait(job->job);
        job_release(job->job);
    }
    for (int side = 0; side < 2; side++)
        flame_scope_dispose(&job->scopes[side]);
    flame_metric_dispose(&job->metric);
    flame_look_dispose(&job->look);
    flame_tree_free(job->tree);
    flame_profile_free(job->profile);
    status_clear(&job->status);
    mem_free(job);
}

/* ---- the view ---- */

struct flame_view *session_flame(struct session *session)
{
    if (!session->flame) session->flame = mem_zero(1, sizeof *session->flame);
    return session->flame;
}

void flame_subject_dispose(struct flame_subject *subject)
{
    flame_scope_dispose(&subject->scope);
    mem_free(subject->title);
    *subject = (struct flame_subject){0};
}

static void drop_tree(struct flame_view *view)
{
    flame_tree_free(view->tree);
    view->tree = NULL;
    flame_profile_free(view->profile);
    view->profile = NULL;
    flame_metric_dispose(&view->weighed);
    flame_look_dispose(&view->drawn);
    view->zooms.count = 0;
    view->zoom = view->cursor = 0;
}

void flame_view_free(struct flame_view *view)
{
    if (!view) return;
    free_job(view->job);
    flame_subject_dispose(&view->now);
    flame_subject_dispose(&view->base);
    flame_metrics_free(&view->metrics);
    flame_look_dispose(&view->look);
    drop_tree(view);
    mem_free(view->error);
    vec_free(&view->zooms);
    mem_free(view);
}

const struct flame_node *flame_view_node(const struct flame_view *view)
{
    if (!view || !view->tree || view->cursor >= view->tree->nodes.count) return NULL;
    return &view->tree->nodes.items[view->cursor];
}

static void start(struct session *session, const struct flame_profile *kept)
{
    struct flame_view *view = session->flame;
    free_job(view->job);
    view->job = NULL;
    if (!view->now.title || view->metric >= view->metrics.count) return;
    const struct session_trace *trace = &session->traces[view->now.scope.trace];
    struct flame_job *job = mem_zero(1, sizeof *job);
    job->status = (struct status)STATUS_INIT;
    job->kept = kept;
    job->tables[0] = trace->tables;
    flame_scope_copy(&job->scopes[0], &view->now.scope);
    if (view->look.compares && view->base.title) {
        job->tables[1] = session->traces[view->base.scope.trace].tables;
        flame_scope_copy(&job->scopes[1], &view->base.scope);
    }
    flame_metric_copy(&job->metric, &view->metrics.items[view->metric]);
    flame_look_copy(&job->look, &view->look);
    view->job = job;
    view->started_ns = clock_now_ns();
    if (trace->worker) {
        job->job = worker_post(trace->worker, run, job, NULL);
    } else {
        run(job, NULL);
        flame_view_poll(session);
    }
    session_changed(session);
}

void flame_view_gather(struct session *session)
{
    start(session, NULL);
}

void flame_view_lay_out(struct session *session)
{
    struct flame_view *view = session->flame;
    /* What is being gathered is not there to be laid out again. */
    bool gathers = view->job && !view->job->kept;
    start(session, gathers ? NULL : view->profile);
}

/* The reader begins at the top: nodes of the old tree mean nothing in the new one. */
static void take(struct flame_view *view, struct flame_job *job)
{
    flame_tree_free(view->tree);
    view->tree = job->tree;
    job->tree = NULL;
    if (job->profile) {
        flame_profile_free(view->profile);
        view->profile = job->profile;
        job->profile = NULL;
    }
    flame_metric_dispose(&view->weighed);
    view->weighed = job->metric;
    job->metric = (struct flame_metric){0};
    flame_look_dispose(&view->drawn);
    view->drawn = job->look;
    job->look = (struct flame_look){0};
    view->zooms.count = 0;
    view->zoom = view->cursor = 0;
    const struct flame_node *root = &view->tree->nodes.items[0];
    if (view->tree->callers != FLAME_NONE && root->first_child != FLAME_NONE)
        view->cursor = root->first_child; /* the root is not drawn between callers and callees */
}

void flame_view_poll(struct session *session)
{
    struct flame_view *view = session->flame;
    if (!view || !view->job || (view->job->job && !job_is_done(view->job->job))) return;
    struct flame_job *job = view->job;
    view->job = NULL;
    mem_free(view->error);
    view->error = NULL;
    if (job->tree)
        take(view, job);
    else
        view->error = mem_strdup(job->status.message ? job->status.message : "interrupted");
    if (job->status.code == STATUS_INTERRUPTED || (view->error && !job->status.message))
        session_say(session, MESSAGE_INFO, "the flamegraph was stopped");
    else if (view->error)
        session_say(session, MESSAGE_ERROR, "flamegraph: %s", view->error);
    free_job(job);
    session_changed(session);
}

void flame_view_cancel(struct session *session)
{
    if (session->flame && session->flame->job && session->flame->job->job)
        job_cancel(session->flame->job->job);
}

bool flame_view_is_running(const struct session *session)
{
    return session->flame && session->flame->job;
}

/* ---- metrics ---- */

static bool find_metric(const struct flame_metric_list *list, const char *name, uint32_t *out)
{
    for (int exact = 1; exact >= 0; exact--)
        for (uint32_t i = 0; i < list->count; i++) {
            const char *is = list->items[i].name;
            if (exact ? strcasecmp(is, name) == 0 : strncasecmp(is, name, strlen(name)) == 0) {
                *out = i;
                return true;
            }
        }
    return false;
}

static bool no_metric(const struct flame_metric_list *list, const char *name, struct status *st)
{
    struct buffer names = BUFFER_INIT;
    for (size_t i = 0; i < list->count; i++)
        buffer_printf(&names, "%s%s", i ? ", " : "", list->items[i].name);
    status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                "the trace has no %.80s to weigh by: %.400s", name, buffer_text(&names));
    buffer_free(&names);
    return false;
}

/* The first metric of the first of the sources that the trace has. */
static uint32_t fitting_metric(const struct flame_metric_list *list,
                               const struct flame_rows *sources)
{
    for (size_t k = 0; sources && k < sources->count; k++)
        for (uint32_t i = 0; i < list->count; i++)
            if ((uint32_t)list->items[i].source == sources->items[k]) return i;
    return 0;
}

bool flame_view_set_metric(struct session *session, const char *name, struct status *st)
{
    struct flame_view *view = session_flame(session);
    if (!find_metric(&view->metrics, name, &view->metric))
        return no_metric(&view->metrics, name, st);
    flame_view_gather(session);
    return true;
}

bool flame_view_open(struct session *session, struct flame_subject *subject,
                     const struct flame_rows *sources, const char *metric, struct status *st)
{
    struct flame_view *view = session_flame(session);
    struct flame_metric_list list;
    uint32_t chosen = 0;
    flame_metrics_list(session->traces[subject->scope.trace].tables, &list);
    bool good = true;
    if (!list.count)
        good = status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "the trace has no call stacks, no heaps and no slices");
    else if (metric && !find_metric(&list, metric, &chosen))
        good = no_metric(&list, metric, st);
    if (!good) {
        flame_metrics_free(&list);
        flame_subject_dispose(subject);
        return false;
    }
    if (!metric) chosen = fitting_metric(&list, sources);
    free_job(view->job);
    view->job = NULL;
    drop_tree(view); /* it is of something else */
    flame_metrics_free(&view->metrics);
    flame_subject_dispose(&view->now);
    view->metrics = list;
    view->metric = chosen;
    view->now = *subject;
    *subject = (struct flame_subject){0};
    session_tab_show(session, session_tab_of_kind(session, TAB_FLAME, "Flamegraph"));
    if (session->drawer < DRAWER_HALF) session->drawer = DRAWER_HALF;
    session->pane = PANE_DETAILS;
    flame_view_gather(session);
    return true;
}

void flame_view_open_alone(struct session *session)
{
    if (session->n_traces != 1 || session->workspaces.items[0]->tree.root.children.count) return;
    if (!table_rows(&session->traces[0].tables->aggregate_sample.table)) return;
    struct flame_subject subject = {0};
    struct status st = STATUS_INIT;
    if (flame_subject_of(session, FLAME_OF_TRACE, &subject, NULL, &st) &&
        flame_view_open(session, &subject, NULL, NULL, &st))
        session->drawer = DRAWER_FULL;
    status_clear(&st);
}

void flame_view_zoom(struct session *session, uint32_t node)
{
    struct flame_view *view = session->flame;
    vec_push(&view->zooms, view->zoom);
    view->zoom = node;
    session_changed(session);
}
