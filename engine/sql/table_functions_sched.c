/* What a thread did before it ran: one pass over the states of all threads. */
#include "engine/sql/native_function.h"

static const struct native_column runnable_columns[] = {
    {"id", "INTEGER", thread_state_COLUMN_id},
    {"prev_runnable_id", "INTEGER", NATIVE_CELL},
    {"prev_wakeup_runnable_id", "INTEGER", NATIVE_CELL},
    {"utid", "INTEGER", thread_state_COLUMN_utid},
    {"sched_id", "INTEGER", NATIVE_CELL},
    {NULL, NULL, 0},
};

/* Latest rows of one thread, as row + 1; 0: none yet. */
struct history {
    uint32_t runnable, woken;
};

struct states {
    string_id running, runnable, preempted;
};

static struct native_cell cell_of(uint32_t row_plus_1)
{
    struct native_cell null = {.kind = NATIVE_NULL};
    return row_plus_1 ? native_int((int64_t)row_plus_1 - 1) : null;
}

/* The sched row of the same run; both tables ascend in time, *near follows. */
static struct native_cell sched_row(const struct tables *t, uint32_t state_row, uint32_t *near)
{
    const struct sched_slice_table *sched = &t->sched_slice;
    const struct thread_state_table *states = &t->thread_state;
    uint32_t rows = table_rows(&sched->table);
    int64_t ts = column_int64(&states->ts)[state_row];
    int64_t dur = column_int64(&states->dur)[state_row];
    uint32_t utid = column_uint32(&states->utid)[state_row];
    if (!sched->ts.is_sorted || !states->ts.is_sorted) *near = 0;
    const int64_t *starts = column_int64(&sched->ts);
    while (*near < rows && starts[*near] < ts)
        ++*near;
    for (uint32_t i = *near; i < rows && starts[i] <= ts; i++)
        if (starts[i] == ts && column_uint32(&sched->utid)[i] == utid &&
            column_int64(&sched->dur)[i] == dur)
            return native_int(i);
    return cell_of(0);
}

static void note_runnable(const struct thread_state_table *t, uint32_t row, struct history *h)
{
    if (column_int64(&t->dur)[row] == -1) return;
    h->runnable = row + 1;
    bool in_irq = column_get_int64(&t->irq_context, row) != 0;
    if (!column_is_null(&t->waker_utid, row) && !in_irq) h->woken = row + 1;
}

static bool previous_runnable(struct sql_database *db, sqlite3_value **arguments,
                              struct native_rows *out, struct status *st)
{
    (void)arguments;
    (void)st;
    const struct thread_state_table *t = &db->tables->thread_state;
    const struct strpool *strings = db->tables->strings;
    struct states names = {strpool_find(strings, STR("Running")), strpool_find(strings, STR("R")),
                           strpool_find(strings, STR("R+"))};
    uint32_t rows = table_rows(&t->table), near = 0;
    out->table = &t->table;
    VEC(struct history) threads = {0};
    struct history none = {0, 0};
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t utid = column_uint32(&t->utid)[i];
        if (utid > rows + table_rows(&db->tables->thread.table)) continue;
        while (threads.count <= utid)
            vec_push(&threads, none);
        string_id state = column_string(&t->state)[i];
        struct history *h = &threads.items[utid];
        if (state == STRING_NULL) continue;
        if (state == names.runnable || state == names.preempted) note_runnable(t, i, h);
        if (state != names.running || column_int64(&t->dur)[i] == -1) continue;
        vec_push(&out->rows, i);
        vec_push(&out->cells, cell_of(h->runnable));
        vec_push(&out->cells, cell_of(h->woken));
        vec_push(&out->cells, sched_row(db->tables, i, &near));
    }
    vec_free(&threads);
    return true;
}

const struct native_function sched_table_functions[] = {
    {"__intrinsic_previous_runnable", runnable_columns, {NULL}, previous_runnable, 100000},
    {.name = NULL},
};
