/* Spans of the tables that count (spec engine_1 1.10). */
#include "engine/base/checked.h"
#include "engine/import/import.h"
#include "engine/store/late_rows.h"

struct bounds {
    int64_t start, end;
    bool any;
};

static void include(struct bounds *b, int64_t start, int64_t end)
{
    if (!b->any || start < b->start) b->start = start;
    if (!b->any || end > b->end) b->end = end;
    b->any = true;
}

static void widen(struct bounds *b, const struct table *t, const struct column *ts,
                  const struct column *dur)
{
    uint32_t rows = table_rows(t);
    if (!rows) return;
    const int64_t *times = column_int64(ts);
    if (ts->is_sorted) {
        include(b, times[0], times[rows - 1]);
    } else {
        for (uint32_t i = 0; i < rows; i++)
            include(b, times[i], times[i]);
    }
    if (!dur) return;
    const int64_t *durations = column_int64(dur);
    int64_t end = b->end;
    for (uint32_t i = 0; i < rows; i++) {
        int64_t one = saturating_add_int64(times[i], durations[i] > 0 ? durations[i] : 0);
        if (one > end) end = one;
    }
    b->end = end;
}

void import_bounds(const struct tables *tables, int64_t *start, int64_t *end)
{
    struct bounds b = {0, 0, false};
#define POINTS(t, ts)     widen(&b, &tables->t.table, &tables->t.ts, NULL)
#define SPANS(t, ts, dur) widen(&b, &tables->t.table, &tables->t.ts, &tables->t.dur)
    POINTS(ftrace_event, ts);
    const struct late_rows *late = late_rows_of(tables);
    if (late && late->n_rows) include(&b, late->first_ts, late->last_ts);
    SPANS(sched_slice, ts, dur);
    POINTS(counter, ts);
    SPANS(slice, ts, dur);
    POINTS(heap_profile_allocation, ts);
    POINTS(profiler_smaps, ts);
    SPANS(thread_state, ts, dur);
    POINTS(logs, ts);
    POINTS(heap_graph_object, graph_sample_ts);
    POINTS(heap_graph, ts);
    SPANS(state, ts, dur);
    POINTS(profiler_sample, ts);
#undef POINTS
#undef SPANS
    /* A trace ends at 0 or later, whatever its clocks made of its first moments. */
    if (b.any && b.end < 0) b.end = 0;
    if (b.any && b.start == b.end && b.end < INT64_MAX) b.end++;
    *start = b.start;
    *end = b.end;
}
