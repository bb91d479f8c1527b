#include "commands/search.h"

#include <string.h>

#include "commands/query.h"
#include "commands/search_scan.h"
#include "engine/base/memory.h"

#define TRACKS_MS 100 /* for the names of all tracks; a regex can be slow */

static void job_dispose(struct search *search)
{
    struct search_job *job = search->job;
    if (!job) return;
    if (job->job) {
        job_cancel(job->job);
        job_wait(job->job);
        job_release(job->job);
    }
    vec_free(&job->hits);
    search_term_free(job->term);
    mem_free(job);
    search->job = NULL;
    search->running = false;
}

void search_cancel(struct search *search)
{
    if (search->job && search->job->job) job_cancel(search->job->job);
}

void search_dispose(struct search *search)
{
    job_dispose(search);
    vec_free(&search->hits);
    for (size_t i = 0; i < search->tracks.count; i++)
        mem_free(search->tracks.items[i]);
    vec_free(&search->tracks);
    mem_free(search->term);
    mem_free(search->error);
    *search = (struct search){.current = -1};
}

/* ---- hits ---- */

/* Those of tracks that nothing shows are left out. */
static void take_hits(struct session *session)
{
    struct search *search = &session->search;
    struct search_hits all = search->job->hits;
    search->job->hits = (struct search_hits){0};
    search->cut_short |= search->job->cut_short;
    size_t kept = 0;
    const struct track_tree *tree = &session->workspaces.items[0]->tree;
    for (size_t i = 0; i < all.count; i++) {
        const struct search_hit *h = &all.items[i];
        if (h->table == EVENT_SLICE) {
            const struct tables *t = session_tables(session, h->trace);
            uint32_t track = column_uint32(&t->slice.track_id)[h->id];
            if (!track_tree_find_track(tree, h->trace, track)) continue;
        }
        all.items[kept++] = *h;
    }
    all.count = kept;
    vec_free(&search->hits);
    search->hits = all;
    search->current = -1;
    session_changed(session);
}

void search_poll(struct session *session)
{
    struct search *search = &session->search;
    if (!search->job || (search->job->job && !job_is_done(search->job->job))) return;
    take_hits(session);
    job_dispose(search);
}

static void search_tracks(struct session *session, struct search_term *term)
{
    struct search *search = &session->search;
    const struct track_node *root = &session->workspace->tree.root;
    int64_t deadline = clock_now_ns() + TRACKS_MS * INT64_C(1000000);
    uint32_t i = 0;
    for (const struct track_node *node = track_tree_next(root, root); node;
         node = track_tree_next(root, node)) {
        if ((++i & 0x3F) == 0 && clock_now_ns() > deadline) {
            search->cut_short = true;
            return;
        }
        if (!node->headless && search_term_matches(term, str_of(node->name)))
            vec_push(&search->tracks, mem_strdup(node->uri));
    }
}

void session_search(struct session *session, const char *text)
{
    struct search *search = &session->search;
    search_dispose(search);
    session_changed(session);
    if (!text[0] || session->n_traces == 0) return;
    search->term = mem_strdup(text);
    struct status st = STATUS_INIT;
    struct search_term *term = search_term_new(text, &st);
    if (!term) {
        search->error = mem_strdup(status_message(&st));
        status_clear(&st);
        return;
    }
    search_tracks(session, term);
    struct search_job *job = mem_zero(1, sizeof *job);
    job->term = term;
    job->n_traces = session->n_traces;
    for (uint32_t i = 0; i < session->n_traces; i++) {
        job->tables[i] = session->traces[i].tables;
        job->offsets[i] = session->traces[i].offset_ns;
    }
    search->job = job;
    search->running = true;
    struct worker *worker = session->traces[0].worker;
    if (worker)
        job->job = worker_post(worker, search_scan, job, NULL);
    else
        search_scan(job, NULL);
    search_poll(session);
}

uint64_t search_count(const struct search *search)
{
    return search->tracks.count + search->hits.count;
}

/* First hit at or after a time. */
static size_t lower_bound(const struct search_hits *hits, int64_t ts)
{
    size_t low = 0, high = hits->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hits->items[middle].ts < ts)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool search_has_hit(const struct search *search, int64_t from, int64_t to)
{
    size_t at = lower_bound(&search->hits, from);
    return at < search->hits.count && search->hits.items[at].ts < to;
}

/* ---- going to one ---- */

/* The first event at or after the visible window's start, as Perfetto's UI begins; the
 * tracks when no event was found. */
static uint64_t first_place(const struct session *session, bool forward)
{
    const struct search *search = &session->search;
    size_t tracks = search->tracks.count, hits = search->hits.count;
    if (!hits) return forward ? 0 : tracks - 1;
    size_t at = lower_bound(&search->hits, session->window_start);
    if (forward) return tracks + (at < hits ? at : 0);
    return tracks + (at > 0 ? at - 1 : hits - 1);
}

static bool go_to_track(struct session *session, const char *uri, struct status *st)
{
    if (!session_focus_track(session, uri))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "the workspace has this track no more");
    session_select_track(session, uri);
    return true;
}

bool session_search_go(struct session *session, uint64_t place, struct status *st)
{
    struct search *search = &session->search;
    if (place >= search_count(search))
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there is no such hit");
    session_jump_push(session);
    search->current = (int64_t)place;
    if (place < search->tracks.count) return go_to_track(session, search->tracks.items[place], st);
    const struct search_hit hit = search->hits.items[place - search->tracks.count];
    if (!session_select_event(session, hit.trace, (enum event_table)hit.table, hit.id, st))
        return false;
    session->cursor = session->selection.start;
    session_show_selection(session);
    return true;
}

bool session_search_step(struct session *session, bool forward, struct status *st)
{
    struct search *search = &session->search;
    if (!search->term)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "nothing is searched for");
    if (search->error)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%.80s: %s", search->term,
                           search->error);
    if (search->job && search->job->job) session_wait(session, search->job->job);
    search_poll(session);
    uint64_t n = search_count(search);
    if (n == 0)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "0 hits for %.80s",
                           search->term);
    uint64_t place = search->current < 0 ? first_place(session, forward)
                                         : ((uint64_t)search->current + (forward ? 1 : n - 1)) % n;
    return session_search_go(session, place, st);
}
