/* The critical path of a thread: what it waited for, backwards in time.
 *
 * While it runs, or could run, the path is the thread itself.  A sleep that another
 * thread's wakeup ended is that thread's doing: the path goes on with what the
 * waker did meanwhile, and so on through its own sleeps.  A sleep that ended by an
 * interrupt, by I/O or by nothing that is known is the sleeper's own.  The pieces
 * cover the time without overlap, except where a thread has no state.
 */
#include "engine/sql/native_function.h"

#define NO_ROW    UINT32_MAX
#define MAX_DEPTH 512 /* of threads that wait for each other */

static const struct native_column path_columns[] = {
    {"id", "INTEGER", thread_state_COLUMN_id}, {"ts", "INTEGER", NATIVE_CELL},
    {"dur", "INTEGER", NATIVE_CELL},           {"utid", "INTEGER", thread_state_COLUMN_utid},
    {"depth", "INTEGER", NATIVE_CELL},         {NULL, NULL, 0},
};

/* A thread that sleeps while the walk is at its waker. */
struct sleeper {
    uint32_t row;
    int64_t since;
};

struct piece {
    uint32_t row, depth;
    int64_t start, end;
};

struct walk {
    const struct thread_state_table *states;
    const uint32_t *before; /* the same thread's row before a row */
    int64_t start, end;     /* what is asked for */
    string_id running, runnable, preempted;
    VEC(struct sleeper) sleepers;
    VEC(struct piece) pieces; /* the latest first */
    uint32_t row, after;      /* of the thread that the walk is at */
    int64_t at;               /* all from here on is told */
};

static int64_t start_of(const struct walk *w, uint32_t row)
{
    return column_int64(&w->states->ts)[row];
}

static int64_t end_of(const struct walk *w, uint32_t row)
{
    int64_t dur = column_int64(&w->states->dur)[row], end;
    if (dur < 0 || __builtin_add_overflow(start_of(w, row), dur, &end)) return INT64_MAX;
    return end;
}

static void tell(struct walk *w, uint32_t row, int64_t from)
{
    int64_t end = w->at < w->end ? w->at : w->end;
    if (from < w->start) from = w->start;
    struct piece piece = {row, (uint32_t)w->sleepers.count, from, end};
    if (from < end) vec_push(&w->pieces, piece);
}

static bool is_sleep(const struct walk *w, uint32_t row)
{
    string_id state = column_string(&w->states->state)[row];
    return state != w->running && state != w->runnable && state != w->preempted;
}

/* What ran when it woke the sleeper of `row`, which ends as `after` begins. */
static uint32_t waker_of(const struct walk *w, uint32_t row, uint32_t after)
{
    if (after == NO_ROW || !is_sleep(w, row) || is_sleep(w, after)) return NO_ROW;
    int64_t woken = start_of(w, after);
    if (end_of(w, row) != woken || column_is_null(&w->states->waker_id, after)) return NO_ROW;
    if (column_get_int64(&w->states->irq_context, after) != 0) return NO_ROW;
    if (column_get_int64(&w->states->io_wait, after) != 0) return NO_ROW;
    uint32_t waker = column_get_row(&w->states->waker_id, after);
    bool ran_before = waker < table_rows(&w->states->table) && start_of(w, waker) < woken;
    return ran_before && w->sleepers.count < MAX_DEPTH ? waker : NO_ROW;
}

static void to_earlier_row(struct walk *w)
{
    w->after = w->row;
    w->row = w->before[w->row];
}

/* Back to the thread that slept, at the time when it fell asleep. */
static void wake_up(struct walk *w)
{
    struct sleeper sleeper = vec_pop(&w->sleepers);
    w->row = sleeper.row;
    to_earlier_row(w);
}

/* One row backwards; false at the end. */
static bool step(struct walk *w)
{
    bool nested = w->sleepers.count > 0;
    int64_t floor = nested ? vec_last(&w->sleepers)->since : w->start;
    if (w->at <= floor) {
        if (nested) wake_up(w);
        return nested;
    }
    int64_t start = w->row == NO_ROW ? floor : start_of(w, w->row);
    int64_t end = w->row == NO_ROW ? floor : end_of(w, w->row);
    if (start >= w->at) {
        to_earlier_row(w);
        return true;
    }
    if (end < w->at) { /* a hole: the sleeper's own, if there is one */
        int64_t from = end > floor ? end : floor;
        if (nested) {
            struct sleeper sleeper = vec_pop(&w->sleepers);
            tell(w, sleeper.row, from);
            vec_push(&w->sleepers, sleeper);
        }
        w->at = from;
        return true;
    }
    uint32_t waker = waker_of(w, w->row, w->after);
    int64_t since = start > floor ? start : floor;
    if (waker != NO_ROW) {
        struct sleeper sleeper = {w->row, since};
        vec_push(&w->sleepers, sleeper);
        w->at = end;
        w->row = waker;
        w->after = NO_ROW;
        return true;
    }
    tell(w, w->row, since);
    w->at = since;
    if (since == start) to_earlier_row(w);
    return true;
}

/* Links the rows of each thread; the last one of `utid` that begins before `end`
 * is where the walk starts. */
static uint32_t *link_rows(struct walk *w, uint32_t utid, uint32_t n_threads)
{
    uint32_t rows = table_rows(&w->states->table);
    uint32_t *before = mem_alloc((rows + 1) * sizeof *before);
    uint32_t *last = mem_alloc((n_threads + 1) * sizeof *last);
    for (uint32_t i = 0; i < n_threads; i++)
        last[i] = NO_ROW;
    w->row = w->after = NO_ROW;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t thread = column_uint32(&w->states->utid)[i];
        before[i] = thread < n_threads ? last[thread] : NO_ROW;
        if (thread < n_threads) last[thread] = i;
        if (thread != utid) continue;
        if (start_of(w, i) < w->end)
            w->row = i;
        else if (w->after == NO_ROW)
            w->after = i;
    }
    mem_free(last);
    return before;
}

static bool critical_path(struct sql_database *db, sqlite3_value **arguments,
                          struct native_rows *out, struct status *st)
{
    const struct tables *t = db->tables;
    const struct strpool *strings = t->strings;
    struct walk w = {.states = &t->thread_state,
                     .running = strpool_find(strings, STR("Running")),
                     .runnable = strpool_find(strings, STR("R")),
                     .preempted = strpool_find(strings, STR("R+"))};
    uint32_t utid;
    out->table = &t->thread_state.table;
    if (!native_row_argument(&t->thread.table, arguments[0], &utid, st))
        return st->code == STATUS_OK;
    w.start = sqlite3_value_int64(arguments[1]);
    if (__builtin_add_overflow(w.start, sqlite3_value_int64(arguments[2]), &w.end))
        w.end = INT64_MAX;
    w.at = w.end;
    uint32_t *before = link_rows(&w, utid, table_rows(&t->thread.table));
    w.before = before;
    while (step(&w)) {
    }
    for (size_t i = w.pieces.count; i-- > 0;) {
        const struct piece *piece = &w.pieces.items[i];
        vec_push(&out->rows, piece->row);
        vec_push(&out->cells, native_int(piece->start));
        vec_push(&out->cells, native_int(piece->end - piece->start));
        vec_push(&out->cells, native_int(piece->depth));
    }
    vec_free(&w.pieces);
    vec_free(&w.sleepers);
    mem_free(before);
    return true;
}

const struct native_function wakeup_table_functions[] = {
    {"__intrinsic_critical_path",
     path_columns,
     {"root_utid", "from_ts", "for_dur", NULL},
     critical_path,
     1000},
    {.name = NULL},
};
