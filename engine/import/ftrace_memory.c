/* Memory: sizes of processes, allocators, reclaim, kills (spec engine_2 2.3). */
#include "engine/import/ftrace_handlers.h"

#include "engine/import/ftrace_track.h"
#include "engine/import/process.h"
#include "engine/import/rss_stat.h"
#include "engine/import/stats.h"

static void count_of_thread(const struct ftrace_event *event, uint32_t utid,
                            const struct thread_counter *counter, double value)
{
    counter_push_for_thread(event->file, event->ts, utid, counter, value, NULL);
}

static bool is_alive(const struct ftrace_event *event, uint32_t utid)
{
    const struct thread_table *threads = &event->import->tables->thread;
    return thread_find(event->file, column_get_int64(&threads->tid, utid)) == utid &&
           column_is_null(&threads->end_ts, utid);
}

/* Whose memory is meant: mm_id names an address space, `curr` says that it is the
 * event's own thread's.  NULL_UINT32 when nobody is known to own it. */
static uint32_t owner_of(const struct ftrace_event *event, uint64_t mm_id, bool is_current)
{
    struct map *owners = &event->ftrace->memory_owners;
    if (is_current) {
        map_set(owners, mm_id, event->utid);
        return event->utid;
    }
    uint64_t *owner = map_get(owners, mm_id);
    if (!owner) return NULL_UINT32;
    uint32_t utid = (uint32_t)*owner;
    /* The thread itself on another space is between vfork and exec. */
    if (utid != event->utid && is_alive(event, utid)) return utid;
    map_remove(owners, mm_id);
    return NULL_UINT32;
}

/* rss_stat and rss_stat_throttled, whose fields are in another order. */
void ftrace_on_rss_stat(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    bool throttled = event->id == 359;
    uint32_t curr = throttled ? 1 : 3, mm_id = throttled ? 3 : 4;
    uint64_t member = field_uint(&f, throttled ? 2 : 1);
    int64_t size = field_int(&f, throttled ? 4 : 2);
    if (!rss_stat_is_good(event->file, member, size)) return;
    uint32_t utid = event->utid;
    if (field_has(&f, mm_id) && field_has(&f, curr))
        utid = owner_of(event, field_uint(&f, mm_id), field_uint(&f, curr) != 0);
    rss_stat_push(event->file, event->ts, utid, member, size);
}

void ftrace_on_oom_score(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct thread_counter counter = {
        .process_type = "oom_score_adj",
        .thread_type = "oom_score_adj_thread_fallback",
        .name = ftrace_intern(event, "oom_score_adj"),
    };
    uint32_t utid = thread_intern(event->file, (int32_t)field_int(&f, 3));
    count_of_thread(event, utid, &counter, (double)(int32_t)field_int(&f, 2));
}

void ftrace_on_mark_victim(const struct ftrace_event *event)
{
    struct wire_field f;
    int64_t tid = wire_find(event->body, 1, &f) ? (int32_t)f.value : 0;
    uint32_t utid = thread_intern(event->file, tid);
    uint32_t track = track_of_thread(event->import->tracks, event->file->machine_id, utid);
    ftrace_instant(event, track, NULL, ftrace_intern(event, "mem.oom_kill"), NULL);
}

/* Totals and what this event changed of them. */
static void count_change(const struct ftrace_event *event, const char *type, struct str heap,
                         const char *dimension, const char *name, double value, bool is_change)
{
    struct track_key key = ftrace_track_key(event, type, TRACK_COUNTER);
    if (dimension) probe_dimension_text(event->file, &key, dimension, heap);
    if (is_change) probe_dimension_int(&key, "utid", event->utid);
    probe_count(event->file, event->ts, &key, name, NULL, value);
}

/* ion_heap_shrink and ion_heap_grow tell the total before the change. */
void ftrace_on_ion_heap(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct str heap = field_str(&f, 1);
    int64_t change = field_int(&f, 2);
    if (event->id == 314) change = -change;
    char name[128];
    probe_format(name, sizeof name, "mem.ion.%.*s", STR_ARG(heap));
    count_change(event, "ion", heap, "heap_name", name, (double)field_int(&f, 3) + (double)change,
                 false);
    probe_format(name, sizeof name, "mem.ion_change.%.*s", STR_ARG(heap));
    count_change(event, "ion_change", heap, "heap_name", name, (double)change, true);
}

/* A buffer's life is a slice on a lane of its own. */
static void show_buffer(const struct ftrace_event *event, const char *type, const char *track_name,
                        int64_t buffer, int64_t length)
{
    struct track_tracker *tracks = event->import->tracks;
    struct track_key key = ftrace_track_key(event, type, TRACK_SLICE);
    struct track_info info = {.name = ftrace_intern(event, track_name)};
    uint32_t lanes = track_lanes_intern(tracks, &key, &info);
    if (length > 0) {
        char name[40];
        probe_format(name, sizeof name, "%lld kB", (long long)(length / 1024));
        ftrace_begin(event, track_lane_begin(tracks, lanes, buffer), NULL,
                     ftrace_intern(event, name), NULL);
    } else {
        ftrace_end(event, track_lane_end(tracks, lanes, buffer), NULL, NULL);
    }
}

void ftrace_on_ion_stat(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    int64_t length = field_int(&f, 2);
    count_change(event, "ion", STR_NONE, "heap_name", "mem.ion", (double)field_int(&f, 3), false);
    count_change(event, "ion_change", STR_NONE, "heap_name", "mem.ion_change", (double)length,
                 true);
    show_buffer(event, "android_ion_allocations", "mem.ion_buffer", field_int(&f, 1), length);
}

void ftrace_on_dma_heap(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    int64_t length = field_int(&f, 2);
    count_change(event, "android_dma_heap", STR_NONE, NULL, "mem.dma_heap",
                 (double)field_int(&f, 3), false);
    count_change(event, "android_dma_heap_change", STR_NONE, NULL, "mem.dma_heap_change",
                 (double)length, true);
    show_buffer(event, "android_dma_allocations", "mem.dma_buffer", field_int(&f, 1), length);
}

void ftrace_on_fastrpc(const struct ftrace_event *event)
{
    static const char *const channels[] = {"ASDP", "MDSP", "SDSP", "CDSP"};
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint32_t channel = (uint32_t)field_uint(&f, 1);
    char text[16], name[48];
    probe_format(text, sizeof text, "%u", (unsigned)channel);
    const char *label = channel < 4 ? channels[channel] : text;
    /* The reference's tracks of the channels differ in name only. */
    for (int is_change = 0; is_change < 2; is_change++) {
        struct track_key key =
            ftrace_track_key(event, is_change ? "fastrpc_change" : "fastrpc", TRACK_COUNTER);
        key.scope = (uint64_t)channel + 1;
        if (is_change) probe_dimension_int(&key, "utid", event->utid);
        probe_format(name, sizeof name, is_change ? "mem.fastrpc_change[%s]" : "mem.fastrpc[%s]",
                     label);
        probe_count(event->file, event->ts, &key, name, NULL,
                    (double)field_int(&f, is_change ? 2 : 3));
    }
}

void ftrace_on_gpu_mem_total(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    int64_t pid = (int32_t)field_int(&f, 2);
    uint32_t gpu = (uint32_t)field_uint(&f, 1);
    struct track_key key =
        ftrace_track_key(event, pid ? "process_gpu_memory" : "gpu_memory", TRACK_COUNTER);
    probe_dimension_int(&key, "ugpu", gpu_intern(event->file, gpu));
    probe_dimension_int(&key, "gpu", gpu);
    if (pid) {
        /* A driver's word for a process that nothing else has named is not taken. */
        uint32_t utid = thread_find(event->file, pid);
        uint32_t upid = utid == NULL_UINT32 ? utid : thread_process(event->file, utid);
        if (upid == NULL_UINT32) return;
        probe_dimension_int(&key, "upid", upid);
    }
    probe_count(event->file, event->ts, &key, "GPU Memory", "bytes", (double)field_uint(&f, 3));
}

void ftrace_on_lowmemory_kill(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint32_t utid = thread_intern(event->file, (int32_t)field_int(&f, 2));
    uint32_t upid = thread_process(event->file, utid);
    if (upid == NULL_UINT32) return;
    uint32_t track = ftrace_track(event, "android_lmk", "upid", upid, "LMK");
    ftrace_arg_text(event, "comm", field_str(&f, 1));
    ftrace_instant(event, track, NULL, ftrace_intern(event, "mem.lmk"), &event->ftrace->args);
}

void ftrace_on_direct_reclaim_begin(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    ftrace_arg_int(event, "order", (int32_t)field_int(&f, 1));
    ftrace_arg_int(event, "may_writepage", (int32_t)field_int(&f, 2));
    ftrace_arg_uint(event, "gfp_flags", field_uint(&f, 3));
    ftrace_begin(event, ftrace_thread_track(event), NULL,
                 ftrace_intern(event, "mm_vmscan_direct_reclaim"), &event->ftrace->args);
}

void ftrace_on_direct_reclaim_end(const struct ftrace_event *event)
{
    struct wire_field f;
    if (wire_find(event->body, 1, &f)) ftrace_arg_uint(event, "nr_reclaimed", f.value);
    ftrace_end(event, ftrace_thread_track(event), NULL, &event->ftrace->args);
}

void ftrace_on_cma_start(const struct ftrace_event *event)
{
    ftrace_begin(event, ftrace_thread_track(event), NULL, ftrace_intern(event, "mm_cma_alloc"),
                 NULL);
}

/* What migrating pages did for the allocation that is open. */
void ftrace_on_cma_migrate(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint32_t slice = slice_top(event->file, event->ts, ftrace_thread_track(event));
    if (slice == NO_SLICE) return;
    ftrace_arg_uint(event, "cma_nr_migrated", field_uint(&f, 3));
    ftrace_arg_uint(event, "cma_nr_reclaimed", field_uint(&f, 4));
    ftrace_arg_uint(event, "cma_nr_mapped", field_uint(&f, 5));
    slice_add_args(event->file, slice, &event->ftrace->args);
}

void ftrace_on_cma_finish(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    ftrace_arg_text(event, "cma_name", field_str(&f, 1));
    ftrace_arg_uint(event, "cma_pfn", field_uint(&f, 2));
    ftrace_arg_uint(event, "cma_req_pages", field_uint(&f, 4));
    ftrace_end(event, ftrace_thread_track(event), NULL, &event->ftrace->args);
}

/* Older kernels tell all of it at once. */
void ftrace_on_cma_info(const struct ftrace_event *event)
{
    static const struct {
        uint32_t field;
        const char *key;
    } numbers[] = {{10, "cma_pfn"},
                   {2, "cma_req_pages"},
                   {8, "cma_nr_migrated"},
                   {9, "cma_nr_reclaimed"},
                   {7, "cma_nr_mapped"},
                   {3, "cma_nr_isolate_fail"},
                   {4, "cma_nr_migrate_fail"},
                   {5, "cma_nr_test_fail"}};
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    ftrace_arg_text(event, "cma_name", field_str(&f, 6));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        ftrace_arg_uint(event, numbers[i].key, field_uint(&f, numbers[i].field));
    ftrace_end(event, ftrace_thread_track(event), NULL, &event->ftrace->args);
}

void ftrace_on_mm_event(const struct ftrace_event *event)
{
    static const char *const types[] = {"min_flt", "maj_flt", "read_io",   "compaction",
                                        "reclaim", "swp_flt", "kern_alloc"};
    static const struct {
        uint32_t field;
        const char *metric;
    } metrics[] = {{2, "count"}, {3, "max_lat"}, {1, "avg_lat"}};
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint64_t type = field_uint(&f, 4);
    if (type >= sizeof types / sizeof types[0]) {
        stats_add(event->file, STAT_mm_unknown_type, 1);
        return;
    }
    for (int i = 0; i < 3; i++) {
        char name[48];
        probe_format(name, sizeof name, "mem.mm.%s.%s", types[type], metrics[i].metric);
        struct thread_counter counter = {
            .process_type = "mm_event",
            .thread_type = "mm_event_thread_fallback",
            .name = ftrace_intern(event, name),
            .n_dimensions = 2,
        };
        counter.dimensions[0] =
            dimension_string("mm_event_type", ftrace_intern(event, types[type]));
        counter.dimensions[1] =
            dimension_string("mm_event_metric", ftrace_intern(event, metrics[i].metric));
        count_of_thread(event, event->utid, &counter,
                        (double)(uint32_t)field_uint(&f, metrics[i].field));
    }
}
