/* Builds the tree of one trace from its tables (spec ui §5a).
 *
 * One pass over each event table counts what is where; tracks without events get
 * no node unless one of their children has some.  Processes and threads are
 * made at first need, and their order is settled at the end.
 */
#include "commands/track_tree.h"

#include <string.h>

#include "commands/track_order.h"
#include "commands/track_types.h"
#include "engine/base/checked.h"
#include "engine/base/memory.h"
#include "engine/store/late_rows.h"

enum {
    ORDER_SCHED = -50,
    ORDER_FREQ = -40,
    ORDER_FTRACE = -5,
    ORDER_LOGS = 18,
    ORDER_KERNEL = 49,
    ORDER_PROCESS = 50
};

struct lane_list VEC_OF(uint32_t);

struct builder {
    struct track_tree *tree;
    struct track_node *below;
    const struct tables *tables;
    uint8_t trace;
    uint32_t n_tracks, n_threads, n_processes, n_cpus;
    uint64_t *track_events;           /* by track */
    int64_t *track_first;             /* by track: time of its first event */
    uint32_t *track_depths;           /* by track: 1 + deepest */
    uint64_t *cpu_sched, *cpu_ftrace; /* by ucpu */
    uint64_t *thread_states;          /* by utid */
    struct track_node **thread_nodes, **track_nodes;
    struct process_facts *processes;
    struct map lanes;        /* track_group_id → index in members */
    struct map sample_nodes; /* source, thread or process → index in tree->all */
    VEC(struct lane_list) members;
    struct track_node *headings[32];
    struct track_node *kernel, *sched, *freq;
    struct buffer name, uri;
};

static const char *text_of(const struct builder *b, const struct column *column, uint32_t row)
{
    return strpool_text(b->tables->strings, column_get_string(column, row));
}

static const char *format(struct buffer *out, const char *pattern, ...)
    __attribute__((format(printf, 2, 3)));
static const char *format(struct buffer *out, const char *pattern, ...)
{
    va_list args;
    buffer_clear(out);
    va_start(args, pattern);
    buffer_vprintf(out, pattern, args);
    va_end(args);
    return buffer_text(out);
}

static struct track_node *add(struct builder *b, struct track_node *parent, enum track_kind kind,
                              const char *name, const char *uri, int order)
{
    struct track_node *node = track_tree_add(b->tree, parent, kind, name, uri);
    node->order = order;
    node->trace = b->trace;
    return node;
}

/* ---- groups ---- */

static struct track_node *heading(struct builder *b, unsigned index)
{
    if (b->headings[index]) return b->headings[index];
    const struct track_heading *h = track_heading_at(index);
    struct track_node *node = add(b, b->below, TRACK_KIND_GROUP, h->name,
                                  format(&b->uri, "t%u/group/%s", b->trace, h->name), h->order);
    node->collapsed = true;
    return b->headings[index] = node;
}

static struct track_node *group_of_place(struct builder *b, const struct track_place *place)
{
    struct track_node *parent = heading(b, place->heading);
    if (!place->group) return parent;
    format(&b->uri, "t%u/group/%s/%s", b->trace, parent->name, place->group);
    struct track_node *node = track_tree_find(b->tree, buffer_text(&b->uri));
    if (node) return node;
    node = add(b, parent, TRACK_KIND_GROUP, place->group, buffer_text(&b->uri), 0);
    node->collapsed = true;
    return node;
}

/* kthreadd and what it started. */
static bool is_kernel_process(const struct builder *b, uint32_t upid)
{
    const struct process_table *process = &b->tables->process;
    if (column_get_int64(&process->pid, upid) == 2 &&
        strcmp(text_of(b, &process->name, upid), "kthreadd") == 0)
        return true;
    uint32_t parent = column_get_row(&process->parent_upid, upid);
    return parent < b->n_processes && column_get_int64(&process->pid, parent) == 2 &&
           strcmp(text_of(b, &process->name, parent), "kthreadd") == 0;
}

static struct track_node *kernel_group(struct builder *b)
{
    if (!b->kernel) {
        b->kernel = add(b, b->below, TRACK_KIND_GROUP, "Kernel threads",
                        format(&b->uri, "t%u/group/Kernel threads", b->trace), ORDER_KERNEL);
        b->kernel->collapsed = true;
    }
    return b->kernel;
}

static struct track_node *process_node(struct builder *b, uint32_t upid)
{
    if (upid >= b->n_processes) return heading(b, track_place_of(STR_NONE).heading);
    struct process_facts *facts = &b->processes[upid];
    if (facts->node) return facts->node;
    struct track_node *parent = is_kernel_process(b, upid) ? kernel_group(b) : b->below;
    buffer_clear(&b->name);
    track_process_name(b->tables, upid, &b->name);
    facts->node = add(b, parent, TRACK_KIND_PROCESS, buffer_text(&b->name),
                      format(&b->uri, "t%u/process/%u", b->trace, upid), ORDER_PROCESS);
    facts->node->upid = upid;
    facts->node->collapsed = true;
    return facts->node;
}

static struct track_node *thread_node(struct builder *b, uint32_t utid)
{
    if (utid >= b->n_threads) return heading(b, track_place_of(STR_NONE).heading);
    if (b->thread_nodes[utid]) return b->thread_nodes[utid];
    uint32_t upid = column_get_row(&b->tables->thread.upid, utid);
    bool alone = upid == NULL_UINT32 || upid >= b->n_processes;
    struct track_node *parent = alone ? b->below : process_node(b, upid);
    buffer_clear(&b->name);
    track_thread_name(b->tables, utid, &b->name);
    struct track_node *node =
        add(b, parent, TRACK_KIND_THREAD, buffer_text(&b->name),
            format(&b->uri, "t%u/thread/%u", b->trace, utid), alone ? ORDER_PROCESS : 30);
    node->utid = utid;
    node->upid = upid;
    node->headless = !alone;
    node->collapsed = alone;
    return b->thread_nodes[utid] = node;
}

/* ---- counting ---- */

static void count_into(uint64_t *counts, uint32_t n, const struct column *column, uint32_t rows)
{
    const uint32_t *values = column_uint32(column);
    for (uint32_t i = 0; values && i < rows; i++)
        if (values[i] < n) counts[values[i]]++;
}

static void count_slices(struct builder *b)
{
    const struct slice_table *slice = &b->tables->slice;
    uint32_t rows = table_rows(&slice->table);
    const int64_t *ts = column_int64(&slice->ts);
    const uint32_t *track = column_uint32(&slice->track_id), *depth = column_uint32(&slice->depth);
    for (uint32_t i = 0; i < rows; i++) {
        if (track[i] >= b->n_tracks) continue;
        if (!b->track_events[track[i]]++) b->track_first[track[i]] = ts[i];
        if (depth[i] >= b->track_depths[track[i]] && depth[i] < 4096)
            b->track_depths[track[i]] = depth[i] + 1;
    }
}

static void count_sched(struct builder *b)
{
    const struct sched_slice_table *sched = &b->tables->sched_slice;
    uint32_t rows = table_rows(&sched->table);
    count_into(b->cpu_sched, b->n_cpus, &sched->ucpu, rows);
    const uint32_t *utid = column_uint32(&sched->utid);
    const int64_t *dur = column_int64(&sched->dur);
    for (uint32_t i = 0; i < rows; i++) {
        if (utid[i] >= b->n_threads || dur[i] <= 0) continue;
        uint32_t upid = column_get_row(&b->tables->thread.upid, utid[i]);
        if (upid < b->n_processes)
            b->processes[upid].run_ns = saturating_add_int64(b->processes[upid].run_ns, dur[i]);
    }
}

static void count_events(struct builder *b)
{
    const struct tables *t = b->tables;
    count_slices(b);
    count_sched(b);
    count_into(b->track_events, b->n_tracks, &t->counter.track_id, table_rows(&t->counter.table));
    count_into(b->track_events, b->n_tracks, &t->state.track_id, table_rows(&t->state.table));
    count_into(b->cpu_ftrace, b->n_cpus, &t->ftrace_event.ucpu, table_rows(&t->ftrace_event.table));
    const struct late_rows *late = late_rows_of(t);
    for (uint32_t cpu = 0; late && cpu < late->n_cpus && cpu < b->n_cpus; cpu++)
        b->cpu_ftrace[cpu] += late->rows_of_cpu[cpu];
    count_into(b->thread_states, b->n_threads, &t->thread_state.utid,
               table_rows(&t->thread_state.table));
    for (uint32_t i = 0; i < b->n_tracks; i++) {
        uint32_t upid = column_get_row(&t->track.upid, i);
        uint32_t utid = column_get_row(&t->track.utid, i);
        if (utid < b->n_threads) upid = column_get_row(&t->thread.upid, utid);
        if (upid < b->n_processes) b->processes[upid].slices += b->track_events[i];
    }
}

/* ---- CPUs ---- */

static uint32_t cpu_number(const struct builder *b, uint32_t ucpu)
{
    uint32_t cpu = column_get_row(&b->tables->cpu.cpu, ucpu);
    return cpu == NULL_UINT32 ? ucpu : cpu;
}

static const char *cpu_name(struct builder *b, uint32_t ucpu, const char *before, const char *after)
{
    format(&b->name, "%sCPU %u%s", before, cpu_number(b, ucpu), after);
    track_machine_append(b->tables, &b->tables->cpu.machine_id, ucpu, &b->name);
    return buffer_text(&b->name);
}

static void add_cpus(struct builder *b)
{
    struct track_node *ftrace = NULL;
    for (uint32_t ucpu = 0; ucpu < b->n_cpus; ucpu++) {
        if (b->cpu_sched[ucpu]) {
            if (!b->sched)
                b->sched = add(b, b->below, TRACK_KIND_GROUP, "CPU Scheduling",
                               format(&b->uri, "t%u/group/CPU Scheduling", b->trace), ORDER_SCHED);
            struct track_node *node =
                add(b, b->sched, TRACK_KIND_CPU_SCHED, cpu_name(b, ucpu, "", " Scheduling"),
                    format(&b->uri, "t%u/sched/%u", b->trace, ucpu), 0);
            node->ucpu = ucpu;
            node->events = b->cpu_sched[ucpu];
        }
        if (b->cpu_ftrace[ucpu]) {
            if (!ftrace) {
                ftrace = add(b, b->below, TRACK_KIND_GROUP, "Ftrace Events",
                             format(&b->uri, "t%u/group/Ftrace Events", b->trace), ORDER_FTRACE);
                ftrace->collapsed = true;
            }
            struct track_node *node =
                add(b, ftrace, TRACK_KIND_FTRACE, cpu_name(b, ucpu, "Ftrace Track for ", ""),
                    format(&b->uri, "t%u/ftrace/%u", b->trace, ucpu), 0);
            node->ucpu = ucpu;
            node->events = b->cpu_ftrace[ucpu];
        }
    }
}

static void own_track(struct builder *b, struct track_node *node, uint32_t track)
{
    uint32_t *rows = arena_alloc(&b->tree->arena, sizeof *rows);
    *rows = track;
    node->tracks = rows;
    node->n_tracks = 1;
    node->depths = b->track_depths[track] ? b->track_depths[track] : 1;
    node->events = b->track_events[track];
    const char *unit = text_of(b, &b->tables->track.counter_unit, track);
    if (unit[0]) node->unit = unit;
    b->track_nodes[track] = node;
}

/* The row of `cpu` for a track with a cpu dimension. */
static uint32_t ucpu_of_track(const struct builder *b, uint32_t track)
{
    int64_t cpu;
    if (!track_dimension_int(b->tables, track, "cpu", &cpu)) return NULL_UINT32;
    uint32_t machine = column_get_row(&b->tables->track.machine_id, track);
    uint64_t direct = (machine == NULL_UINT32 ? 0 : (uint64_t)machine) * 4096 + (uint64_t)cpu;
    if (direct < b->n_cpus && column_get_int64(&b->tables->cpu.cpu, (uint32_t)direct) == cpu)
        return (uint32_t)direct;
    for (uint32_t ucpu = 0; ucpu < b->n_cpus && ucpu < 4096; ucpu++)
        if (cpu_number(b, ucpu) == (uint64_t)cpu &&
            column_get_row(&b->tables->cpu.machine_id, ucpu) == machine)
            return ucpu;
    return cpu >= 0 && cpu < 4096 && (uint64_t)cpu < b->n_cpus ? (uint32_t)cpu : NULL_UINT32;
}

/* Frequency and idle states of a CPU are one node. */
static bool add_frequency(struct builder *b, uint32_t track, const char *type)
{
    bool idle = strcmp(type, "cpu_idle") == 0;
    if (!idle && strcmp(type, "cpu_frequency") != 0) return false;
    uint32_t ucpu = ucpu_of_track(b, track);
    if (ucpu == NULL_UINT32) return false;
    if (!b->freq)
        b->freq = add(b, b->below, TRACK_KIND_GROUP, "CPU Frequency",
                      format(&b->uri, "t%u/group/CPU Frequency", b->trace), ORDER_FREQ);
    format(&b->uri, "t%u/freq/%u", b->trace, ucpu);
    struct track_node *node = track_tree_find(b->tree, buffer_text(&b->uri));
    if (!node) {
        node = add(b, b->freq, TRACK_KIND_CPU_FREQ, cpu_name(b, ucpu, "", " Frequency"),
                   buffer_text(&b->uri), (int)ucpu);
        node->ucpu = ucpu;
    }
    if (idle) {
        node->idle_track = track;
        b->track_nodes[track] = node;
    } else {
        own_track(b, node, track);
    }
    return true;
}

/* ---- tracks of the track table ---- */

static const char *track_name(struct builder *b, uint32_t track, uint32_t utid, uint32_t upid)
{
    const struct tables *t = b->tables;
    const char *name = text_of(b, &t->track.name, track);
    const char *type = text_of(b, &t->track.type, track);
    buffer_clear(&b->name);
    int64_t cpu;
    if (name[0] && utid < b->n_threads && strcmp(type, "thread_execution") != 0)
        return format(&b->name, "%s (%lld)", name,
                      (long long)column_get_int64(&t->thread.tid, utid));
    if (strcmp(type, "cpustat") == 0 && track_dimension_int(t, track, "cpu", &cpu))
        return format(&b->name, "CPU %lld %s", (long long)cpu, name);
    if (name[0]) {
        buffer_append_text(&b->name, name);
        track_machine_append(t, &t->track.machine_id, track, &b->name);
    } else if (utid < b->n_threads) {
        track_thread_name(t, utid, &b->name);
    } else if (upid < b->n_processes) {
        track_process_name(t, upid, &b->name);
    } else {
        buffer_append_text(&b->name, type[0] ? type : "Unknown");
    }
    return buffer_text(&b->name);
}

static int order_of_track(const char *type, bool is_counter, bool in_thread, bool in_process)
{
    if (strcmp(type, "android_expected_frame_timeline") == 0) return -52;
    if (strcmp(type, "android_actual_frame_timeline") == 0) return -51;
    if (in_thread) return is_counter ? 30 : 20;
    if (in_process) return is_counter ? 31 : 20;
    return 0;
}

/* Lanes of one group are one node; it keeps the name of its first lane. */
static bool join_lane(struct builder *b, uint32_t track)
{
    uint32_t group = column_get_row(&b->tables->track.track_group_id, track);
    if (group == NULL_UINT32) return false;
    const uint64_t *index = map_get(&b->lanes, group);
    if (!index) return false;
    struct lane_list *list = &b->members.items[*index];
    vec_push(list, track);
    b->track_nodes[track] = b->track_nodes[list->items[0]];
    return true;
}

static void begin_lanes(struct builder *b, uint32_t track)
{
    uint32_t group = column_get_row(&b->tables->track.track_group_id, track);
    if (group == NULL_UINT32) return;
    map_set(&b->lanes, group, b->members.count);
    vec_push(&b->members, (struct lane_list){0});
    vec_push(vec_last(&b->members), track);
}

static enum track_kind kind_of_track(const struct builder *b, uint32_t track)
{
    const char *event_type = text_of(b, &b->tables->track.event_type, track);
    if (b->track_events[track] == 0) return TRACK_KIND_GROUP;
    if (strcmp(event_type, "counter") == 0) return TRACK_KIND_COUNTER;
    if (strcmp(event_type, "state") == 0) return TRACK_KIND_STATE;
    return TRACK_KIND_SLICES;
}

/* Where a track event track wants to be among its siblings: its parent says by
 * what they are ordered. */
static void set_rank(const struct builder *b, uint32_t track, struct track_node *node)
{
    const struct track_table *t = &b->tables->track;
    uint32_t up = column_get_row(&t->parent_id, track);
    uint32_t set = column_get_row(&t->source_arg_set_id, track);
    struct str order = STR_NONE;
    if (up < b->n_tracks)
        order =
            track_arg_text(b->tables, column_get_row(&t->source_arg_set_id, up), "child_ordering");
    if (str_is(order, "lexicographic"))
        node->by_name = true;
    else if (str_is(order, "chronological"))
        node->rank = b->track_first[track];
    else
        track_arg_int(b->tables, set, "sibling_order_rank", &node->rank);
}

static void add_track_below(struct builder *b, uint32_t track, struct track_node *parent)
{
    const struct tables *t = b->tables;
    const char *type = text_of(b, &t->track.type, track);
    if (!parent && add_frequency(b, track, type)) return;
    enum track_kind kind = kind_of_track(b, track);
    if (kind == TRACK_KIND_SLICES && join_lane(b, track)) return;
    uint32_t utid = column_get_row(&t->track.utid, track);
    uint32_t upid = column_get_row(&t->track.upid, track);
    int order = 0;
    if (!parent) {
        struct track_place place = track_place_of(str_of(type));
        bool in_thread = utid < b->n_threads && !place.even_if_owned;
        bool in_process = upid < b->n_processes && !place.even_if_owned;
        parent = in_thread    ? thread_node(b, utid)
                 : in_process ? process_node(b, upid)
                              : group_of_place(b, &place);
        order = order_of_track(type, kind == TRACK_KIND_COUNTER, in_thread, in_process);
    }
    const char *name = track_name(b, track, utid, upid);
    struct track_node *node =
        add(b, parent, kind, name, format(&b->uri, "t%u/track/%u", b->trace, track), order);
    node->utid = utid;
    node->upid = upid;
    node->ucpu = ucpu_of_track(b, track);
    own_track(b, node, track);
    set_rank(b, track, node);
    if (kind == TRACK_KIND_GROUP) node->n_tracks = 0;
    node->collapsed = kind == TRACK_KIND_GROUP;
    if (kind == TRACK_KIND_SLICES) begin_lanes(b, track);
}

/* Only a track of the same thread or process can be what a track is below. */
static struct track_node *parent_node(const struct builder *b, uint32_t track)
{
    const struct track_table *t = &b->tables->track;
    uint32_t up = column_get_row(&t->parent_id, track);
    if (up >= b->n_tracks || !b->track_nodes[up]) return NULL;
    if (column_get_row(&t->utid, up) != column_get_row(&t->utid, track) ||
        column_get_row(&t->upid, up) != column_get_row(&t->upid, track))
        return NULL;
    return b->track_nodes[up]->kind == TRACK_KIND_CPU_FREQ ? NULL : b->track_nodes[up];
}

/* A track is put below the node of its parent track; parents come first.  One
 * that has neither events nor a name stands for its thread or process. */
static void add_track(struct builder *b, uint32_t track)
{
    enum { DEEPEST = 64 };
    uint32_t chain[DEEPEST], n = 0;
    for (uint32_t at = track; at < b->n_tracks && n < DEEPEST && !b->track_nodes[at];
         at = column_get_row(&b->tables->track.parent_id, at)) {
        if (!b->track_events[at] && !text_of(b, &b->tables->track.name, at)[0]) break;
        chain[n++] = at;
    }
    while (n-- > 0) {
        if (b->track_nodes[chain[n]]) continue; /* a ring of parents */
        add_track_below(b, chain[n], parent_node(b, chain[n]));
    }
}

static void add_tracks(struct builder *b)
{
    for (uint32_t track = 0; track < b->n_tracks; track++)
        if (b->track_events[track]) add_track(b, track);
    for (size_t i = 0; i < b->members.count; i++) {
        struct lane_list *list = &b->members.items[i];
        struct track_node *node = b->track_nodes[list->items[0]];
        uint32_t *rows = arena_alloc(&b->tree->arena, list->count * sizeof *rows);
        uint32_t *starts = arena_alloc(&b->tree->arena, list->count * sizeof *starts);
        uint32_t depth = 0;
        node->events = 0;
        for (size_t k = 0; k < list->count; k++) {
            uint32_t track = list->items[k];
            rows[k] = track;
            starts[k] = depth;
            depth += b->track_depths[track] ? b->track_depths[track] : 1;
            node->events += b->track_events[track];
        }
        node->tracks = rows;
        node->lane_start = starts;
        node->n_tracks = (uint32_t)list->count;
        node->depths = depth;
    }
}

/* ---- threads, samples, heaps, logs ---- */

static void add_thread_states(struct builder *b)
{
    for (uint32_t utid = 0; utid < b->n_threads; utid++) {
        if (!b->thread_states[utid] || column_get_int64(&b->tables->thread.is_idle, utid)) continue;
        struct track_node *parent = thread_node(b, utid);
        struct track_node *node = add(b, parent, TRACK_KIND_THREAD_STATE, parent->name,
                                      format(&b->uri, "t%u/state/%u", b->trace, utid), 10);
        node->utid = utid;
        node->upid = parent->upid;
        node->events = b->thread_states[utid];
    }
}

static struct track_node *make_sample_node(struct builder *b, uint32_t utid, uint32_t upid,
                                           const char *source)
{
    bool thread = utid < b->n_threads;
    struct track_node *parent = thread ? thread_node(b, utid) : process_node(b, upid);
    const char *label = track_source_label(source);
    const char *name = thread ? format(&b->name, "%s %s Callstacks", parent->name, label)
                              : format(&b->name, "%s Process Callstacks", label);
    format(&b->uri, "t%u/samples/%s/%s/%u", b->trace, source, thread ? "thread" : "process",
           thread ? utid : upid);
    struct track_node *node =
        add(b, parent, TRACK_KIND_SAMPLES, name, buffer_text(&b->uri), thread ? -50 : -40);
    node->utid = thread ? utid : NULL_UINT32;
    node->upid = upid;
    node->source = source;
    return node;
}

static void count_sample(struct builder *b, uint32_t utid, uint32_t upid, string_id source)
{
    bool thread = utid < b->n_threads;
    if (!thread && upid >= b->n_processes) return;
    uint64_t key = (uint64_t)source << 33 | (uint64_t)thread << 32 | (thread ? utid : upid);
    bool added;
    uint64_t index = *map_put_if_absent(&b->sample_nodes, key, 0, &added);
    if (added) {
        make_sample_node(b, utid, upid, strpool_text(b->tables->strings, source));
        index = b->tree->all.count - 1;
        map_set(&b->sample_nodes, key, index);
    }
    b->tree->all.items[index]->events++;
}

static void add_samples(struct builder *b)
{
    const struct profiler_sample_table *samples = &b->tables->profiler_sample;
    const struct profiler_task_context_table *tasks = &b->tables->profiler_task_context;
    uint32_t rows = table_rows(&samples->table), n_tasks = table_rows(&tasks->table);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t task = column_get_row(&samples->task_context_id, i);
        if (task >= n_tasks || column_is_null(&samples->callsite_id, i)) continue;
        uint32_t utid = column_get_row(&tasks->utid, task);
        uint32_t upid = column_get_row(&tasks->upid, task);
        if (upid >= b->n_processes && utid < b->n_threads)
            upid = column_get_row(&b->tables->thread.upid, utid);
        string_id source = column_get_string(&samples->source, i);
        count_sample(b, utid, upid, source);
        if (utid < b->n_threads) count_sample(b, NULL_UINT32, upid, source);
        if (upid < b->n_processes) b->processes[upid].samples++;
    }
}

static void add_heaps(struct builder *b)
{
    const struct heap_profile_table *heaps = &b->tables->heap_profile;
    for (uint32_t i = 0; i < table_rows(&heaps->table); i++) {
        uint32_t upid = column_get_row(&heaps->upid, i);
        if (upid >= b->n_processes) continue;
        struct track_node *parent = process_node(b, upid);
        const char *heap = text_of(b, &heaps->heap_name, i);
        b->processes[upid].heaps++;
        format(&b->uri, "t%u/heap/%u/%s", b->trace, upid, heap);
        struct track_node *node = track_tree_find(b->tree, buffer_text(&b->uri));
        if (!node) {
            const char *name = strcmp(heap, "libc.malloc") == 0
                                   ? "Native heap profile"
                                   : format(&b->name, "Heap profile %s", heap);
            node = add(b, parent, TRACK_KIND_HEAP, name, buffer_text(&b->uri), -30);
            node->upid = upid;
            node->source = heap;
        }
        node->events++;
    }
    const struct heap_graph_table *graphs = &b->tables->heap_graph;
    for (uint32_t i = 0; i < table_rows(&graphs->table); i++) {
        uint32_t upid = column_get_row(&graphs->upid, i);
        if (upid >= b->n_processes) continue;
        struct track_node *parent = process_node(b, upid);
        b->processes[upid].graphs++;
        format(&b->uri, "t%u/heap_graph/%u", b->trace, upid);
        struct track_node *node = track_tree_find(b->tree, buffer_text(&b->uri));
        if (!node) {
            node = add(b, parent, TRACK_KIND_HEAP_GRAPH, "Heap graph", buffer_text(&b->uri), -29);
            node->upid = upid;
        }
        node->events++;
    }
}

static void add_logs(struct builder *b)
{
    const struct logs_table *logs = &b->tables->logs;
    struct track_node *node = NULL;
    string_id last = STRING_NULL;
    for (uint32_t i = 0; i < table_rows(&logs->table); i++) {
        string_id id = column_get_string(&logs->log_source, i);
        if (node && id == last) {
            node->events++;
            continue;
        }
        last = id;
        const char *source = strpool_text(b->tables->strings, id);
        format(&b->uri, "t%u/logs/%s", b->trace, source);
        node = track_tree_find(b->tree, buffer_text(&b->uri));
        if (!node) {
            bool journald = strcmp(source, "journald") == 0;
            node = add(b, b->below, TRACK_KIND_LOGS, journald ? "Journald logs" : "Android logs",
                       buffer_text(&b->uri), ORDER_LOGS);
            node->source = source;
        }
        node->events++;
    }
}

static void finish(struct builder *b, size_t first)
{
    track_order_children(&b->below->children, b->tables, b->processes);
    for (size_t i = first; i < b->tree->all.count; i++) {
        struct track_node *node = b->tree->all.items[i];
        track_order_children(&node->children, b->tables, b->processes);
        if (node->kind == TRACK_KIND_PROCESS) node->events = b->processes[node->upid].slices;
    }
    for (uint32_t track = 0; track < b->n_tracks; track++) {
        if (!b->track_nodes[track]) continue;
        const uint64_t *index = strmap_get(&b->tree->by_uri, str_of(b->track_nodes[track]->uri));
        if (index) map_set(&b->tree->by_track, (uint64_t)b->trace << 32 | track, *index);
    }
    if (b->below->children.count == 1) b->below->children.items[0]->collapsed = false;
}

void track_tree_build(struct track_tree *tree, struct track_node *below, uint8_t trace,
                      const struct tables *tables)
{
    table_read_begin(&tables->track.table);
    struct builder b = {.tree = tree, .below = below, .trace = trace, .tables = tables};
    size_t first = tree->all.count;
    b.n_tracks = table_rows(&tables->track.table);
    b.n_threads = table_rows(&tables->thread.table);
    b.n_processes = table_rows(&tables->process.table);
    b.n_cpus = table_rows(&tables->cpu.table);
    b.track_events = mem_zero(b.n_tracks + 1, sizeof *b.track_events);
    b.track_first = mem_zero(b.n_tracks + 1, sizeof *b.track_first);
    b.track_depths = mem_zero(b.n_tracks + 1, sizeof *b.track_depths);
    b.track_nodes = mem_zero(b.n_tracks + 1, sizeof *b.track_nodes);
    b.cpu_sched = mem_zero(b.n_cpus + 1, sizeof *b.cpu_sched);
    b.cpu_ftrace = mem_zero(b.n_cpus + 1, sizeof *b.cpu_ftrace);
    b.thread_states = mem_zero(b.n_threads + 1, sizeof *b.thread_states);
    b.thread_nodes = mem_zero(b.n_threads + 1, sizeof *b.thread_nodes);
    b.processes = mem_zero(b.n_processes + 1, sizeof *b.processes);

    count_events(&b);
    add_cpus(&b);
    add_tracks(&b);
    add_thread_states(&b);
    add_samples(&b);
    add_heaps(&b);
    add_logs(&b);
    finish(&b, first);

    mem_free(b.track_events);
    mem_free(b.track_first);
    mem_free(b.track_depths);
    mem_free(b.track_nodes);
    mem_free(b.cpu_sched);
    mem_free(b.cpu_ftrace);
    mem_free(b.thread_states);
    mem_free(b.thread_nodes);
    mem_free(b.processes);
    for (size_t i = 0; i < b.members.count; i++)
        vec_free(&b.members.items[i]);
    vec_free(&b.members);
    map_free(&b.lanes);
    map_free(&b.sample_nodes);
    buffer_free(&b.name);
    buffer_free(&b.uri);
    table_read_end(&tables->track.table);
}
