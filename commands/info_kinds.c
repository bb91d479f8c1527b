#include "commands/info.h"

#include <string.h>

#include "engine/base/map.h"
#include "engine/store/late_rows.h"

/* A table in plain words.  Those that the list lacks and that have a time are
 * listed by their own name. */
static const struct known_table {
    const char *name; /* without __intrinsic_ */
    const char *kind, *label;
} known[] = {
    {"sched_slice", "scheduling", "CPU scheduling"},
    {"thread_state", "thread_states", "states of threads"},
    {"slice", "slices", "slices"},
    {"state", "states", "states"},
    {"counter", "counters", "counter values"},
    {"flow", "flows", "flows between slices"},
    {"ftrace_event", "kernel_events", "raw kernel events"},
    {"chrome_raw", "chrome_raw", "raw Chrome events"},
    {"logs", "logs", "Android log lines"},
    {"profiler_sample", "stack_samples", "call stack samples"},
    {"aggregate_sample", "aggregate_samples", "summed call stacks (a profile without times)"},
    {"heap_profile_allocation", "heap_allocations", "native heap allocations"},
    {"heap_graph_object", "heap_graph_objects", "Java heap objects"},
    {"heap_graph_reference", "heap_graph_references", "references between Java heap objects"},
    {"profiler_smaps", "smaps", "memory mappings of processes"},
    {"memory_snapshot_node", "memory_nodes", "memory dump nodes"},
    {"android_network_packets", "network_packets", "network packets"},
    {"vulkan_memory_allocations", "vulkan_memory", "Vulkan memory allocations"},
    {"package_list", "packages", "installed Android packages"},
    {"android_key_events", "key_events", "key events"},
    {"android_motion_events", "motion_events", "touch and motion events"},
    {"android_input_event_dispatch", "input_dispatches", "dispatches of input events"},
    {"surfaceflinger_layers_snapshot", "layer_snapshots", "snapshots of screen layers"},
    {"surfaceflinger_transactions", "layer_transactions", "transactions on screen layers"},
    {"windowmanager", "window_snapshots", "snapshots of windows"},
    {"viewcapture", "view_captures", "snapshots of views"},
    {"protolog", "protolog", "ProtoLog lines"},
    {"video_frames", "video_frames", "video frames"},
    {"spe_record", "spe_records", "statistical profiling (SPE) records"},
    {"filedescriptor", "file_descriptors", "open files of processes"},
    {"spurious_sched_wakeup", "spurious_wakeups", "wakeups of threads that were not asleep"},
    {"android_aflags", "aflags", "Android flags"},
    {"android_dumpstate", "dumpstate_lines", "lines of the bug report"},
    {"android_game_intervention_list", "game_interventions", "game settings"},
    {"v8_js_code", "v8_code", "compiled JavaScript functions"},
};

/* Tables that only serve others, or that the page shows in another place. */
static const char *const unlisted[] = {
    "clock_snapshot",    "trace_import_logs",        "heap_graph", "heap_profile", "mmap_record",
    "simpleperf_sample", "simpleperf_context_switch"};

static const struct {
    const char *type, *label;
} track_labels[] = {
    {"thread_execution", "slices of threads"},
    {"thread_track_event", "track events of threads"},
    {"process_track_event", "track events of processes"},
    {"global_track_event", "track events of no process"},
    {"thread_merged_track_event", "track events of threads (merged tracks)"},
    {"process_merged_track_event", "track events of processes (merged tracks)"},
    {"global_merged_track_event", "track events of no process (merged tracks)"},
    {"thread_counter_track_event", "counters of threads"},
    {"process_counter_track_event", "counters of processes"},
    {"global_counter_track_event", "counters of no process"},
    {"legacy_async_process_slice", "asynchronous slices of processes"},
    {"legacy_async_global_slice", "asynchronous slices of no process"},
    {"legacy_chrome_global_instants", "instants of no process"},
    {"chrome_process_instant", "instants of processes"},
    {"thread_overlapping_slice", "slices that overlap others of their thread"},
    {"atrace_counter", "atrace counters"},
    {"atrace_async_slice", "asynchronous atrace slices"},
    {"atrace_async_slice_for_track", "atrace slices on tracks"},
    {"android_actual_frame_timeline", "frames as they were shown"},
    {"android_expected_frame_timeline", "frames as they were expected"},
    {"android_lmk", "kills by the low memory killer"},
    {"art_method_tracing", "Java method calls"},
    {"cpu_frequency", "CPU frequency"},
    {"cpu_idle", "CPU idle states"},
    {"cpu_irq", "interrupts"},
    {"cpu_softirq", "soft interrupts"},
    {"cpustat", "CPU time by kind"},
    {"cpu_capacity", "CPU capacity"},
    {"cpu_utilization", "CPU utilization"},
    {"cpu_max_frequency_limit", "upper limits of CPU frequency"},
    {"cpu_min_frequency_limit", "lower limits of CPU frequency"},
    {"gpu_frequency", "GPU frequency"},
    {"gpu_counter", "GPU counters"},
    {"gpu_render_stage", "GPU render stages"},
    {"gpu_memory", "GPU memory"},
    {"process_gpu_memory", "GPU memory of processes"},
    {"gpu_log", "GPU log lines"},
    {"vulkan_events", "Vulkan events"},
    {"process_memory", "memory of processes"},
    {"process_memory_thread_fallback", "memory of threads whose process is unknown"},
    {"oom_score_adj", "how killable processes are (oom_score_adj)"},
    {"meminfo", "memory of the system (meminfo)"},
    {"vmstat", "virtual memory of the system (vmstat)"},
    {"smaps", "memory mappings, summed (smaps)"},
    {"battery_counter", "battery"},
    {"battery_stats", "battery statistics"},
    {"power_rails", "energy of power rails"},
    {"entity_state", "residency in power states"},
    {"android_energy_estimation_breakdown", "estimated energy"},
    {"android_energy_estimation_breakdown_per_uid", "estimated energy of apps"},
    {"thermal_temperature", "temperatures"},
    {"thermal_temperature_sys", "temperatures"},
    {"cooling_device_counter", "cooling devices"},
    {"block_io", "block device requests"},
    {"diskstat", "disk statistics"},
    {"net_receive", "bytes received"},
    {"net_transmit", "bytes sent"},
    {"network_packets", "network packets"},
    {"psi", "pressure stall information"},
    {"screen_state", "screen state"},
    {"suspend_resume", "suspend and resume"},
    {"thread_funcgraph", "kernel functions of threads"},
    {"cpu_funcgraph", "kernel functions of idle CPUs"},
    {"statsd_atoms", "statsd atoms"},
    {"triggers", "triggers"},
    {"firefox_marker", "Firefox markers"},
    {"json_counter", "counters of processes"},
    {"perf_cpu_counter", "hardware counters of CPUs"},
    {"perf_global_counter", "hardware counters"},
};

/* "some_type" as words. */
static const char *as_words(struct info *info, struct str name)
{
    char *words = arena_copy(&info->arena, name.p ? name.p : "", name.n);
    for (size_t i = 0; i < name.n; i++)
        if (words[i] == '_') words[i] = ' ';
    return words;
}

static const char *track_label(struct info *info, struct str type)
{
    for (size_t i = 0; i < sizeof track_labels / sizeof *track_labels; i++)
        if (str_is(type, track_labels[i].type)) return track_labels[i].label;
    return as_words(info, type);
}

static void span_add(struct info_span *span, int64_t ts, int64_t dur)
{
    int64_t end = ts;
    if (dur > 0 && __builtin_add_overflow(ts, dur, &end)) end = INT64_MAX;
    if (span->rows == 0 || ts < span->start) span->start = ts;
    if (span->rows == 0 || end > span->end) span->end = end;
    span->rows++;
}

/* Rows in groups: of a track's type, of a sample's source; one group for other tables. */
struct groups {
    struct map index; /* string id of the group → place in items */
    VEC(struct info_kind) items;
};

static struct info_kind *group_of(struct groups *groups, string_id key)
{
    bool added;
    uint64_t *at = map_put_if_absent(&groups->index, key, groups->items.count, &added);
    if (added) vec_push(&groups->items, (struct info_kind){0});
    return &groups->items.items[*at];
}

/* What of a table says when its rows are, and to which group they belong. */
struct time_columns {
    const struct column *ts, *dur, *track, *source;
};

static const struct column *find_column(const struct table *t, const char *name)
{
    int at = table_find_column(t, name);
    return at < 0 ? NULL : &t->columns[at];
}

static void count_rows(const struct tables *tables, const struct table *t,
                       const struct time_columns *c, struct groups *groups)
{
    const struct track_table *tracks = &tables->track;
    uint32_t n_tracks = table_rows(&tracks->table);
    uint8_t *seen = c->track ? mem_zero(n_tracks + 1, 1) : NULL;
    for (uint32_t row = 0; row < table_rows(t); row++) {
        string_id key = c->source ? column_get_string(c->source, row) : STRING_NULL;
        uint32_t track = c->track ? column_get_row(c->track, row) : NULL_UINT32;
        if (track < n_tracks) key = column_get_string(&tracks->type, track);
        struct info_kind *kind = group_of(groups, key);
        kind->type = strpool_get(tables->strings, key);
        if (track < n_tracks && !seen[track]++) kind->tracks++;
        if (c->ts)
            span_add(&kind->span, column_get_int64(c->ts, row),
                     c->dur ? column_get_int64(c->dur, row) : 0);
        else
            kind->span.rows++;
    }
    mem_free(seen);
}

/* Kernel events that wait for a reader are not made for their number. */
static void add_late_rows(const struct tables *tables, struct groups *groups)
{
    const struct late_rows *late = late_rows_of(tables);
    if (!late || late->n_rows == 0) return;
    struct info_span *span = &group_of(groups, STRING_NULL)->span;
    span_add(span, late->first_ts, 0);
    span_add(span, late->last_ts, 0);
    span->rows = late_rows_count(tables);
}

static const char *short_name(const struct table *t)
{
    static const char prefix[] = "__intrinsic_";
    const char *name = t->schema->name;
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

static bool is_unlisted(const char *name)
{
    for (size_t i = 0; i < sizeof unlisted / sizeof *unlisted; i++)
        if (strcmp(name, unlisted[i]) == 0) return true;
    return false;
}

static void add_table(struct info *info, const struct tables *tables, const struct table *t,
                      const struct known_table *words)
{
    struct time_columns c = {find_column(t, "ts"), find_column(t, "dur"), NULL, NULL};
    struct groups groups = {0};
    if (!c.ts) c.ts = find_column(t, "graph_sample_ts");
    if (t == &tables->slice.table || t == &tables->counter.table || t == &tables->state.table)
        c.track = find_column(t, "track_id");
    if (t == &tables->profiler_sample.table) c.source = &tables->profiler_sample.source;
    count_rows(tables, t, &c, &groups);
    if (t == &tables->ftrace_event.table) add_late_rows(tables, &groups);
    for (size_t i = 0; i < groups.items.count; i++) {
        struct info_kind *kind = &groups.items.items[i];
        kind->kind = words ? words->kind : short_name(t);
        kind->has_time = c.ts != NULL;
        kind->label = c.track ? track_label(info, kind->type)
                      : words ? words->label
                              : as_words(info, str_of(short_name(t)));
        if (c.source && kind->type.n > 0)
            kind->label =
                arena_printf(&info->arena, "%s, from %.*s", kind->label, STR_ARG(kind->type));
        vec_push(&info->kinds, *kind);
    }
    map_free(&groups.index);
    vec_free(&groups.items);
}

static const struct known_table *words_for(const struct table *t)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(short_name(t), known[i].name) == 0) return &known[i];
    return NULL;
}

static const struct table *table_named(const struct tables *tables, const char *name)
{
    struct tables *all = (struct tables *)(uintptr_t)tables; /* only read */
    for (uint32_t i = 0; i < tables_count(); i++)
        if (strcmp(short_name(tables_at(all, i)), name) == 0) return tables_at(all, i);
    return NULL;
}

void info_add_kinds(struct info *info, const struct tables *tables)
{
    struct tables *all = (struct tables *)(uintptr_t)tables; /* only read */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct table *t = table_named(tables, known[i].name);
        if (t) add_table(info, tables, t, &known[i]);
    }
    for (uint32_t i = 0; i < tables_count(); i++) {
        const struct table *t = tables_at(all, i);
        if (table_rows(t) > 0 && !words_for(t) && !is_unlisted(short_name(t)) &&
            find_column(t, "ts"))
            add_table(info, tables, t, NULL);
    }
}
