#include "engine/import/fuchsia.h"

#include "engine/base/checked.h"
#include "engine/import/process.h"

/* What Zircon calls its states of threads. */
static string_id state_name(struct import *import, uint8_t state)
{
    static const char *const names[] = {"R", "R", "T", "S", "Z", "X"};
    return strpool_intern_text(import->strings,
                               state < sizeof names / sizeof *names ? names[state] : "?");
}

static void close_row(struct table *table, const struct column *starts, uint32_t dur_column,
                      struct map *open, uint32_t utid, int64_t ts)
{
    const uint64_t *row = map_get(open, utid);
    if (!row || *row == 0) return;
    uint32_t at = (uint32_t)(*row - 1);
    table_set_int64(table, dur_column, at, wrapping_sub_int64(ts, column_int64(starts)[at]));
    map_set(open, utid, 0);
}

static void open_state(struct fuchsia *f, int64_t ts, uint32_t utid, string_id state, uint32_t ucpu,
                       uint32_t waker)
{
    struct thread_state_table *table = &f->import->tables->thread_state;
    struct thread_state_row row = {.ts = ts,
                                   .dur = -1,
                                   .utid = utid,
                                   .state = state,
                                   .waker_utid = opt_row(waker),
                                   .ucpu = some_uint32(ucpu)};
    close_row(&table->table, &table->ts, thread_state_COLUMN_dur, &f->open_states, utid, ts);
    map_set(&f->open_states, utid, (uint64_t)thread_state_append(table, &row) + 1);
}

static uint32_t utid_of(struct fuchsia *f, struct fuchsia_thread thread)
{
    return thread.pid ? thread_intern_in(f->file, thread.tid, thread.pid)
                      : thread_intern(f->file, thread.tid);
}

void fuchsia_parse_switch(struct fuchsia *f, int64_t ts, const struct fuchsia_event *event)
{
    const struct fuchsia_switch *s = &event->more.on_cpu;
    struct sched_slice_table *slices = &f->import->tables->sched_slice;
    uint32_t ucpu = cpu_intern(f->file, s->cpu);
    if (!s->out_is_idle) {
        uint32_t utid = utid_of(f, event->thread);
        string_id state = state_name(f->import, s->out_state);
        const uint64_t *row = map_get(&f->open_slices, utid);
        if (row && *row)
            table_set_string(&slices->table, sched_slice_COLUMN_end_state, (uint32_t)(*row - 1),
                             state);
        close_row(&slices->table, &slices->ts, sched_slice_COLUMN_dur, &f->open_slices, utid, ts);
        open_state(f, ts, utid, state, ucpu, NULL_UINT32);
    }
    if (s->in_is_idle) return;
    uint32_t utid = utid_of(f, s->next);
    struct sched_slice_row row = {
        .ts = ts, .dur = -1, .utid = utid, .priority = s->priority, .ucpu = ucpu};
    map_set(&f->open_slices, utid, (uint64_t)sched_slice_append(slices, &row) + 1);
    open_state(f, ts, utid, strpool_intern_text(f->import->strings, "Running"), ucpu, NULL_UINT32);
}

void fuchsia_parse_wakeup(struct fuchsia *f, int64_t ts, const struct fuchsia_event *event)
{
    const struct fuchsia_switch *s = &event->more.on_cpu;
    uint32_t utid = utid_of(f, event->thread);
    uint32_t waker = s->next.tid ? utid_of(f, s->next) : utid;
    open_state(f, ts, utid, strpool_intern_text(f->import->strings, "W"),
               cpu_intern(f->file, s->cpu), waker);
}
