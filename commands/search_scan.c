#include "commands/search_scan.h"

#include <stdlib.h>

#include "commands/flame_pattern.h"
#include "engine/base/checked.h"
#include "engine/base/memory.h"
#include "engine/store/late_rows.h"

/* ---- the term ---- */

struct search_term {
    char *text;                  /* lower case (ASCII) */
    struct flame_pattern *regex; /* NULL: the text is meant */
    bool is_number;
    int64_t number;
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_regex(struct str text)
{
    return text.n > 2 && text.p[0] == '/' &&
           (text.p[text.n - 1] == '/' || (text.n > 3 && str_ends(text, STR("/i"))));
}

struct search_term *search_term_new(const char *text, struct status *st)
{
    struct flame_pattern *regex = NULL;
    if (is_regex(str_of(text))) {
        regex = flame_pattern_new(str_of(text), st);
        if (!regex) return NULL;
    }
    struct search_term *term = mem_zero(1, sizeof *term);
    term->regex = regex;
    term->text = mem_strdup(text);
    for (char *c = term->text; *c; c++)
        *c = lower(*c);
    term->is_number = str_to_int64(str_of(text), &term->number);
    return term;
}

void search_term_free(struct search_term *term)
{
    if (!term) return;
    flame_pattern_free(term->regex);
    mem_free(term->text);
    mem_free(term);
}

bool search_term_matches(struct search_term *term, struct str s)
{
    if (term->regex) return s.n > 0 && flame_pattern_matches(term->regex, s);
    struct str text = str_of(term->text);
    if (text.n == 0 || s.n < text.n) return false;
    for (size_t i = 0; i + text.n <= s.n; i++) {
        size_t k = 0;
        while (k < text.n && lower(s.p[i + k]) == text.p[k])
            k++;
        if (k == text.n) return true;
    }
    return false;
}

/* ---- passes ---- */

/* A byte per string of the pool. */
struct strings {
    uint8_t *matches;
    uint32_t end;
};

static bool stopped(const struct search_job *job, uint32_t i)
{
    return (i & 0xFFFF) == 0 && (job->cut_short || cancel_is_requested(job->cancel));
}

static void match_strings(struct search_job *job, const struct strpool *pool, struct strings *out)
{
    out->end = strpool_end(pool);
    out->matches = mem_zero((size_t)out->end + 1, 1);
    for (string_id id = 1; id < out->end && !stopped(job, id); id++)
        out->matches[id] = search_term_matches(job->term, strpool_get(pool, id));
}

static bool has(const struct strings *s, string_id id)
{
    return id < s->end && s->matches[id];
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

/* A byte per set of arguments, by its first row; NULL when no set matches. */
static uint8_t *matching_arg_sets(const struct search_job *job, const struct tables *t,
                                  const struct strings *s)
{
    uint32_t rows = table_rows(&t->args.table);
    const struct search_term *term = job->term;
    uint8_t *sets = NULL;
    for (uint32_t i = 0; i < rows && !stopped(job, i); i++) {
        if (!has(s, column_get_string(&t->args.string_value, i)) &&
            !has(s, column_get_string(&t->args.key, i)) &&
            !(term->is_number && !column_is_null(&t->args.int_value, i) &&
              column_get_int64(&t->args.int_value, i) == term->number))
            continue;
        if (!sets) sets = mem_zero(rows, 1);
        uint32_t set = column_uint32(&t->args.arg_set_id)[i];
        if (set < rows) sets[set] = 1;
    }
    return sets;
}

struct scan {
    struct search_job *job;
    const struct tables *t;
    uint32_t trace;
    struct strings strings;
    const uint8_t *arg_sets;
    uint32_t n_args;
};

static bool has_args(const struct scan *scan, const struct column *sets, uint32_t row)
{
    uint32_t set = scan->arg_sets ? column_get_row(sets, row) : NULL_UINT32;
    return set < scan->n_args && scan->arg_sets[set];
}

static void search_slices(const struct scan *scan)
{
    const struct slice_table *slice = &scan->t->slice;
    const struct search_term *term = scan->job->term;
    for (uint32_t i = 0; i < table_rows(&slice->table) && !stopped(scan->job, i); i++)
        if (has(&scan->strings, column_get_string(&slice->name, i)) ||
            (term->is_number && (int64_t)i == term->number) ||
            has_args(scan, &slice->arg_set_id, i))
            hit(scan->job, scan->trace, EVENT_SLICE, i, column_int64(&slice->ts)[i]);
}

static void search_sched(const struct scan *scan)
{
    const struct tables *t = scan->t;
    const struct strings *s = &scan->strings;
    uint32_t n_threads = table_rows(&t->thread.table), n_processes = table_rows(&t->process.table);
    uint8_t *threads = mem_zero((size_t)n_threads + 1, 1);
    bool any = false;
    for (uint32_t utid = 0; utid < n_threads; utid++) {
        uint32_t upid = column_get_row(&t->thread.upid, utid);
        threads[utid] = has(s, column_get_string(&t->thread.name, utid)) ||
                        (upid < n_processes && has(s, column_get_string(&t->process.name, upid)));
        any |= threads[utid] != 0;
    }
    uint32_t rows = any ? table_rows(&t->sched_slice.table) : 0;
    for (uint32_t i = 0; i < rows && !stopped(scan->job, i); i++) {
        uint32_t utid = column_uint32(&t->sched_slice.utid)[i];
        if (utid < n_threads && threads[utid])
            hit(scan->job, scan->trace, EVENT_SCHED, i, column_int64(&t->sched_slice.ts)[i]);
    }
    mem_free(threads);
}

static void search_logs(const struct scan *scan)
{
    const struct logs_table *logs = &scan->t->logs;
    for (uint32_t i = 0; i < table_rows(&logs->table) && !stopped(scan->job, i); i++)
        if (has(&scan->strings, column_get_string(&logs->msg, i)) ||
            has(&scan->strings, column_get_string(&logs->tag, i)))
            hit(scan->job, scan->trace, EVENT_LOG, i, column_int64(&logs->ts)[i]);
}

static void search_ftrace(const struct scan *scan)
{
    const struct ftrace_event_table *events = &scan->t->ftrace_event;
    for (uint32_t i = 0; i < table_rows(&events->table) && !stopped(scan->job, i); i++)
        if (has(&scan->strings, column_get_string(&events->name, i)) ||
            has_args(scan, &events->arg_set_id, i))
            hit(scan->job, scan->trace, EVENT_FTRACE, i, column_int64(&events->ts)[i]);
}

static int compare_hits(const void *left, const void *right)
{
    const struct search_hit *l = left, *r = right;
    if (l->ts != r->ts) return l->ts < r->ts ? -1 : 1;
    if (l->table != r->table) return (int)l->table - (int)r->table;
    return (l->id > r->id) - (l->id < r->id);
}

static void scan_trace(struct search_job *job, uint32_t trace)
{
    struct tables *t = job->tables[trace];
    size_t first = job->hits.count;
    /* Their names are known once they are there. */
    if (!table_is_complete(&t->ftrace_event.table) && late_rows_can_be_made(t))
        table_complete(&t->ftrace_event.table);
    table_read_begin(&t->slice.table);
    struct scan scan = {.job = job, .t = t, .trace = trace};
    match_strings(job, t->strings, &scan.strings);
    uint8_t *sets = matching_arg_sets(job, t, &scan.strings);
    scan.arg_sets = sets;
    scan.n_args = table_rows(&t->args.table);
    search_slices(&scan);
    search_sched(&scan);
    search_logs(&scan);
    search_ftrace(&scan);
    mem_free(sets);
    mem_free(scan.strings.matches);
    table_read_end(&t->slice.table);
    for (size_t i = first; i < job->hits.count; i++)
        job->hits.items[i].ts = saturating_add_int64(job->hits.items[i].ts, job->offsets[trace]);
}

void search_scan(void *argument, struct cancel *cancel)
{
    struct search_job *job = argument;
    job->cancel = cancel;
    for (uint32_t trace = 0; trace < job->n_traces; trace++)
        scan_trace(job, trace);
    if (job->hits.count)
        qsort(job->hits.items, job->hits.count, sizeof *job->hits.items, compare_hits);
}
