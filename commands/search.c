/* One pass per distinct string, then one per table, on the worker. */
#include "commands/search.h"

#include <stdlib.h>
#include <string.h>

#include "commands/event.h"
#include "commands/query.h"
#include "engine/base/memory.h"

struct search_job {
    const struct tables *tables[SESSION_MAX_TRACES];
    int64_t offsets[SESSION_MAX_TRACES];
    uint32_t n_traces;
    char *term; /* lower case (ASCII) */
    struct search_hits hits;
    bool cut_short;
    struct job *job; /* NULL: it ran at once */
    struct cancel *cancel;
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool contains(struct str s, struct str term)
{
    if (term.n == 0 || s.n < term.n) return false;
    for (size_t i = 0; i + term.n <= s.n; i++) {
        size_t k = 0;
        while (k < term.n && lower(s.p[i + k]) == term.p[k])
            k++;
        if (k == term.n) return true;
    }
    return false;
}

/* A bit per string of the pool. */
static uint8_t *matching_strings(const struct strpool *pool, const char *term, uint32_t *end)
{
    *end = strpool_end(pool);
    uint8_t *bits = mem_zero(*end + 1, 1);
    for (string_id id = 1; id < *end; id++)
        bits[id] = contains(strpool_get(pool, id), str_of(term));
    return bits;
}

static void hit(struct search_job *job, uint32_t trace, enum event_table table, uint32_t id,
                int64_t ts)
{
    if (job->hits.count >= SEARCH_MAX_HITS) {
        job->cut_short = true;
        return;
    }
    vec_push(&job->hits, (struct search_hit){
                             .ts = ts, .id = id, .table = (uint8_t)table, .trace = (uint8_t)trace});
}

static bool stopped(const struct search_job *job, uint32_t i)
{
    return (i & 0xFFFF) == 0 && (job->cut_short || cancel_is_requested(job->cancel));
}

struct strings {
    const uint8_t *bits;
    uint32_t end;
};

static bool has(const struct strings *s, string_id id)
{
    return id < s->end && s->bits[id];
}

/* A bit per set of arguments, by its first row; NULL when no set matches. */
static uint8_t *matching_arg_sets(const struct tables *t, const struct strings *s)
{
    uint32_t rows = table_rows(&t->args.table);
    uint8_t *sets = NULL;
    for (uint32_t i = 0; i < rows; i++) {
        if (!has(s, column_get_string(&t->args.string_value, i)) &&
            !has(s, column_get_string(&t->args.key, i)))
            continue;
        if (!sets) sets = mem_zero(rows, 1);
        uint32_t set = column_uint32(&t->args.arg_set_id)[i];
        if (set < rows) sets[set] = 1;
    }
    return sets;
}

static void search_slices(struct search_job *job, uint32_t trace, const struct strings *s)
{
    const struct tables *t = job->tables[trace];
    uint8_t *sets = matching_arg_sets(t, s);
    uint32_t n_args = table_rows(&t->args.table);
    int64_t wanted = -1;
    if (!str_to_int64(str_of(job->term), &wanted)) wanted = -1;
    for (uint32_t i = 0; i < table_rows(&t->slice.table) && !stopped(job, i); i++) {
        uint32_t set = sets ? column_get_row(&t->slice.arg_set_id, i) : NULL_UINT32;
        if (has(s, column_get_string(&t->slice.name, i)) || (int64_t)i == wanted ||
            (set < n_args && sets[set]))
            hit(job, trace, EVENT_SLICE, i, column_int64(&t->slice.ts)[i]);
    }
    mem_free(sets);
}

static void search_sched(struct search_job *job, uint32_t trace, const struct strings *s)
{
    const struct tables *t = job->tables[trace];
    uint32_t n_threads = table_rows(&t->thread.table), n_processes = table_rows(&t->process.table);
    uint8_t *threads = mem_zero(n_threads + 1, 1);
    bool any = false;
    for (uint32_t utid = 0; utid < n_threads; utid++) {
        uint32_t upid = column_get_row(&t->thread.upid, utid);
        threads[utid] = has(s, column_get_string(&t->thread.name, utid)) ||
                        (upid < n_processes && has(s, column_get_string(&t->process.name, upid)));
        any |= threads[utid] != 0;
    }
    uint32_t rows = any ? table_rows(&t->sched_slice.table) : 0;
    for (uint32_t i = 0; i < rows && !stopped(job, i); i++) {
        uint32_t utid = column_uint32(&t->sched_slice.utid)[i];
        if (utid < n_threads && threads[utid])
            hit(job, trace, EVENT_SCHED, i, column_int64(&t->sched_slice.ts)[i]);
    }
    mem_free(threads);
}

static void search_logs(struct search_job *job, uint32_t trace, const struct strings *s)
{
    const struct tables *t = job->tables[trace];
    for (uint32_t i = 0; i < table_rows(&t->logs.table) && !stopped(job, i); i++)
        if (has(s, column_get_string(&t->logs.msg, i)))
            hit(job, trace, EVENT_LOG, i, column_int64(&t->logs.ts)[i]);
}

static int compare_hits(const void *left, const void *right)
{
    const struct search_hit *l = left, *r = right;
    if (l->ts != r->ts) return l->ts < r->ts ? -1 : 1;
    if (l->table != r->table) return (int)l->table - (int)r->table;
    return (l->id > r->id) - (l->id < r->id);
}

static void run(void *argument, struct cancel *cancel)
{
    struct search_job *job = argument;
    job->cancel = cancel;
    for (uint32_t trace = 0; trace < job->n_traces; trace++) {
        const struct tables *t = job->tables[trace];
        size_t first = job->hits.count;
        table_read_begin(&t->slice.table);
        struct strings s;
        uint8_t *bits = matching_strings(t->strings, job->term, &s.end);
        s.bits = bits;
        search_slices(job, trace, &s);
        search_sched(job, trace, &s);
        search_logs(job, trace, &s);
        mem_free(bits);
        table_read_end(&t->slice.table);
        for (size_t i = first; i < job->hits.count; i++)
            if (__builtin_add_overflow(job->hits.items[i].ts, job->offsets[trace],
                                       &job->hits.items[i].ts))
                job->hits.items[i].ts = INT64_MAX;
    }
    if (job->hits.count)
        qsort(job->hits.items, job->hits.count, sizeof *job->hits.items, compare_hits);
}

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
    mem_free(job->term);
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
    mem_free(search->term);
    *search = (struct search){.current = -1};
}

/* Hits of tracks that nothing shows are left out. */
static void take_hits(struct session *session)
{
    struct search *search = &session->search;
    struct search_hits all = search->job->hits;
    search->job->hits = (struct search_hits){0};
    search->cut_short = search->job->cut_short;
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

void session_search(struct session *session, const char *term)
{
    struct search *search = &session->search;
    search_dispose(search);
    session_changed(session);
    if (!term[0] || session->n_traces == 0) return;
    search->term = mem_strdup(term);
    struct search_job *job = mem_zero(1, sizeof *job);
    job->term = mem_strdup(term);
    for (char *c = job->term; *c; c++)
        *c = lower(*c);
    job->n_traces = session->n_traces;
    for (uint32_t i = 0; i < session->n_traces; i++) {
        job->tables[i] = session->traces[i].tables;
        job->offsets[i] = session->traces[i].offset_ns;
    }
    search->job = job;
    search->running = true;
    struct worker *worker = session->traces[0].worker;
    if (worker)
        job->job = worker_post(worker, run, job, NULL);
    else
        run(job, NULL);
    search_poll(session);
}

/* The first hit at or after the visible window's start, as Perfetto's UI begins. */
static int64_t first_hit(const struct session *session, bool forward)
{
    const struct search_hits *hits = &session->search.hits;
    size_t low = 0, high = hits->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hits->items[middle].ts < session->window_start)
            low = middle + 1;
        else
            high = middle;
    }
    if (forward) return low < hits->count ? (int64_t)low : 0;
    return low > 0 ? (int64_t)low - 1 : (int64_t)hits->count - 1;
}

bool session_search_step(struct session *session, bool forward, struct status *st)
{
    struct search *search = &session->search;
    if (!search->term)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "nothing is searched for");
    if (search->job && search->job->job) session_wait(session, search->job->job);
    search_poll(session);
    int64_t n = (int64_t)search->hits.count;
    if (n == 0)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "0 hits for %.80s",
                           search->term);
    int64_t to = search->current < 0 ? first_hit(session, forward)
                                     : (search->current + (forward ? 1 : n - 1)) % n;
    const struct search_hit hit = search->hits.items[to];
    session_jump_push(session);
    if (!session_select_event(session, hit.trace, (enum event_table)hit.table, hit.id, st))
        return false;
    search->current = to;
    session->cursor = session->selection.start;
    session_show_selection(session);
    return true;
}
