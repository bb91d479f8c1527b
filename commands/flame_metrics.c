/* What a trace has to weigh. */
#include <string.h>

#include "commands/flame_profile.h"
#include "engine/base/buffer.h"
#include "engine/base/memory.h"

static void add(struct flame_metric_list *out, enum flame_source source, uint32_t which,
                const char *key, const char *name, const char *unit)
{
    struct flame_metric metric = {source, which, NULL, mem_strdup(name), mem_strdup(unit)};
    if (key) metric.key = mem_strdup(key);
    vec_push(out, metric);
}

static const char *text_of(const struct tables *t, const struct column *column, uint32_t row)
{
    return strpool_text(t->strings, column_get_string(column, row));
}

/* Names of the counters that samples carry, each once. */
static void add_counters(const struct tables *t, struct flame_metric_list *out)
{
    struct map seen = {0};
    uint32_t rows = table_rows(&t->profiler_counter_set.table);
    uint32_t n_counters = table_rows(&t->counter.table), n_tracks = table_rows(&t->track.table);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t counter = column_get_row(&t->profiler_counter_set.counter_id, i);
        if (counter >= n_counters) continue;
        uint32_t track = column_get_row(&t->counter.track_id, counter);
        if (track >= n_tracks) continue;
        bool added;
        map_put_if_absent(&seen, column_get_string(&t->track.name, track), 1, &added);
        if (!added) continue;
        const char *name = text_of(t, &t->track.name, track);
        const char *unit = text_of(t, &t->track.counter_unit, track);
        add(out, FLAME_COUNTER, 0, name, name[0] ? name : "events", unit[0] ? unit : "events");
    }
    map_free(&seen);
}

static void add_samples(const struct tables *t, struct flame_metric_list *out)
{
    if (!table_rows(&t->profiler_sample.table)) return;
    add(out, FLAME_SAMPLES, 0, NULL, "Samples", "samples");
    add_counters(t, out);
    uint32_t types = table_rows(&t->simpleperf_event_type.table);
    for (uint32_t i = 0; i < types && table_rows(&t->simpleperf_sample.table); i++) {
        const char *name = text_of(t, &t->simpleperf_event_type.name, i);
        add(out, FLAME_EVENTS, i, name, name, "events");
    }
}

static const char *heap_word(const char *heap)
{
    if (strcmp(heap, "libc.malloc") == 0) return "Malloc";
    if (strcmp(heap, "com.android.art") == 0) return "Java";
    return heap;
}

static void add_allocations(const struct tables *t, struct flame_metric_list *out)
{
    struct map seen = {0};
    uint32_t rows = table_rows(&t->heap_profile_allocation.table);
    string_id last = STRING_NULL;
    for (uint32_t i = 0; i < rows; i++) {
        string_id heap = column_get_string(&t->heap_profile_allocation.heap_name, i);
        if (i > 0 && heap == last) continue;
        last = heap;
        bool added;
        map_put_if_absent(&seen, heap, 1, &added);
        const char *name = strpool_text(t->strings, heap);
        for (uint32_t k = 0; added && k < 4; k++) {
            const char *word = heap_word(name);
            struct buffer text = BUFFER_INIT;
            const char *before = k < 2 ? "Unreleased" : "Total";
            buffer_printf(&text, "%s %s %s", before, word, k % 2 ? "Count" : "Size");
            add(out, FLAME_ALLOCATIONS, k, name, buffer_text(&text),
                k % 2 ? "allocations" : "bytes");
            buffer_free(&text);
        }
    }
    map_free(&seen);
}

static void add_objects(const struct tables *t, struct flame_metric_list *out)
{
    if (!table_rows(&t->heap_graph_object.table)) return;
    add(out, FLAME_HEAP_GRAPH, FLAME_OBJECT_SIZE, NULL, "Object Size", "bytes");
    add(out, FLAME_HEAP_GRAPH, FLAME_OBJECT_COUNT, NULL, "Object Count", "objects");
    add(out, FLAME_HEAP_GRAPH, FLAME_DOMINATED_SIZE, NULL, "Dominated Object Size", "bytes");
    add(out, FLAME_HEAP_GRAPH, FLAME_DOMINATED_COUNT, NULL, "Dominated Object Count", "objects");
}

static void add_aggregates(const struct tables *t, struct flame_metric_list *out)
{
    const struct aggregate_profile_table *p = &t->aggregate_profile;
    uint32_t rows = table_rows(&p->table);
    for (uint32_t i = 0; i < rows; i++) {
        const char *name = text_of(t, &p->sample_type_type, i);
        add(out, FLAME_AGGREGATE, i, NULL, name[0] ? name : text_of(t, &p->name, i),
            text_of(t, &p->sample_type_unit, i));
    }
}

void flame_metrics_list(const struct tables *tables, struct flame_metric_list *out)
{
    *out = (struct flame_metric_list){0};
    table_read_begin(&tables->slice.table);
    add_samples(tables, out);
    add_allocations(tables, out);
    add_objects(tables, out);
    add_aggregates(tables, out);
    if (table_rows(&tables->slice.table)) add(out, FLAME_SLICES, 0, NULL, "Slice Duration", "ns");
    table_read_end(&tables->slice.table);
}
