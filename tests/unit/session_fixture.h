/* A small trace filled by hand: two CPUs, two processes, threads with states and
 * slices, lanes, counters, a flow, a wakeup, samples, a log line, the time of day. */
#ifndef TESTS_UNIT_SESSION_FIXTURE_H
#define TESTS_UNIT_SESSION_FIXTURE_H

#include "commands/registry.h"
#include "commands/session.h"
#include "engine/engine.h"

struct fixture {
    struct engine *engine;
    struct tables *tables;
    struct session *session;
    uint32_t main_track, async_a, async_b, memory;
};

static inline string_id fixture_name(struct tables *t, const char *text)
{
    return strpool_intern_text(t->strings, text);
}

static inline uint32_t fixture_slice(struct tables *t, int64_t ts, int64_t dur, uint32_t track,
                                     uint32_t depth, uint32_t parent, const char *name)
{
    return slice_append(&t->slice, &(struct slice_row){.ts = ts,
                                                       .dur = dur,
                                                       .track_id = track,
                                                       .depth = depth,
                                                       .parent_id = opt_row(parent),
                                                       .name = fixture_name(t, name)});
}

static inline uint32_t fixture_track(struct tables *t, const char *type, const char *event_type,
                                     const char *name, uint32_t utid, uint32_t upid, uint32_t group)
{
    return track_append(&t->track, &(struct track_row){.name = name ? fixture_name(t, name) : 0,
                                                       .type = fixture_name(t, type),
                                                       .event_type = fixture_name(t, event_type),
                                                       .utid = opt_row(utid),
                                                       .upid = opt_row(upid),
                                                       .track_group_id = opt_row(group)});
}

/* A Java heap: a root of 24 bytes that leads to 8. */
static inline void fixture_fill_heap(struct tables *t)
{
    struct heap_graph_object_row object = {
        .upid = 1, .graph_sample_ts = 500, .self_size = 24, .reachable = 1};
    object.root_type = fixture_name(t, "JNI_GLOBAL");
    object.reference_set_id = some_uint32(0);
    heap_graph_object_append(&t->heap_graph_object, &object);
    heap_graph_object_append(
        &t->heap_graph_object,
        &(struct heap_graph_object_row){
            .upid = 1, .graph_sample_ts = 500, .self_size = 8, .reachable = 1});
    heap_graph_reference_append(&t->heap_graph_reference,
                                &(struct heap_graph_reference_row){.owned_id = some_uint32(1)});
    heap_graph_class_append(&t->heap_graph_class,
                            &(struct heap_graph_class_row){.name = fixture_name(t, "Shop")});
}

static inline void fixture_fill(struct fixture *f)
{
    struct tables *t = f->tables;
    const uint32_t none = NULL_UINT32;
#ifdef FIXTURE_HEAP /* it gives flamegraphs more to measure */
    fixture_fill_heap(t);
#endif
    machine_append(&t->machine, &(struct machine_row){0});
    for (uint32_t cpu = 0; cpu < 2; cpu++)
        cpu_append(&t->cpu, &(struct cpu_row){.cpu = some_uint32(cpu), .cluster_id = cpu});
    process_append(&t->process, &(struct process_row){.name = fixture_name(t, "swapper")});
    process_append(&t->process,
                   &(struct process_row){.pid = 4213, .name = fixture_name(t, "com.ex.shop")});
    process_append(&t->process,
                   &(struct process_row){.pid = 77, .name = fixture_name(t, "/system/bin/logd")});
    thread_append(&t->thread, &(struct thread_row){.is_idle = 1, .upid = some_uint32(0)});
    const struct {
        int64_t tid;
        const char *name;
        uint32_t upid, is_main;
    } threads[] = {{4250, "RenderThread", 1, 0},
                   {4213, "main", 1, 1},
                   {77, "logd", 2, 1},
                   {4230, "Binder:4213_1", 1, 0}};
    for (size_t i = 0; i < 4; i++)
        thread_append(&t->thread,
                      &(struct thread_row){.tid = threads[i].tid,
                                           .name = fixture_name(t, threads[i].name),
                                           .upid = some_uint32(threads[i].upid),
                                           .is_main_thread = some_uint32(threads[i].is_main)});
    /* utid 1 RenderThread, 2 main, 3 logd, 4 Binder */
    f->main_track = fixture_track(t, "thread_execution", "slice", NULL, 2, none, none);
    uint32_t render = fixture_track(t, "thread_execution", "slice", NULL, 1, none, none);
    f->async_a = fixture_track(t, "atrace_async_slice", "slice", "launching", none, 1, 9);
    f->async_b = fixture_track(t, "atrace_async_slice", "slice", "launching", none, 1, 9);
    f->memory = fixture_track(t, "process_memory", "counter", "mem.rss", none, 1, none);
    uint32_t psi = fixture_track(t, "psi", "counter", "psi.cpu", none, none, none);
    fixture_track(t, "meminfo", "counter", "never filled", none, none, none);

    uint32_t a = fixture_slice(t, 1000, 400, f->main_track, 0, none, "doFrame");
    fixture_slice(t, 1010, 100, f->main_track, 1, a, "measure");
    fixture_slice(t, 1150, 200, f->main_track, 1, a, "draw");
    uint32_t b = fixture_slice(t, 1200, 150, render, 0, none, "DrawFrames");
    fixture_slice(t, 1300, 500, f->async_a, 0, none, "launching");
    fixture_slice(t, 1400, 50, f->async_b, 0, none, "launching");
    fixture_slice(t, 2000, 100, f->main_track, 0, none, "doFrame");
    fixture_slice(t, 2500, -1, f->main_track, 0, none, "stuck");
    flow_append(&t->flow, &(struct flow_row){.slice_out = a, .slice_in = b});
    /* "stuck" has two of them. */
    flow_append(&t->flow, &(struct flow_row){.slice_out = a + 7, .slice_in = a + 4});
    flow_append(&t->flow, &(struct flow_row){.slice_out = a + 7, .slice_in = a + 5});
    for (int i = 0; i < 3; i++)
        counter_append(&t->counter, &(struct counter_row){
                                        .ts = 1000 + i * 500, .track_id = f->memory, .value = i});
    counter_append(&t->counter, &(struct counter_row){.ts = 2600, .track_id = psi, .value = 1});
    for (uint32_t i = 0; i < 4; i++)
        sched_slice_append(&t->sched_slice, &(struct sched_slice_row){.ts = 1000 + i * 100,
                                                                      .dur = 100,
                                                                      .utid = i % 2 ? 3 : 2,
                                                                      .ucpu = i % 2});
    const struct {
        int64_t ts, dur;
        uint32_t utid;
        const char *state;
        uint32_t waker;
    } states[] = {{900, 50, 3, "Running", none},
                  {900, 50, 2, "S", none},
                  {950, 50, 2, "R", 0},
                  {1000, 100, 2, "Running", none},
                  {1100, -1, 2, "S", none}};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        thread_state_append(&t->thread_state,
                            &(struct thread_state_row){.ts = states[i].ts,
                                                       .dur = states[i].dur,
                                                       .utid = states[i].utid,
                                                       .state = fixture_name(t, states[i].state),
                                                       .waker_id = opt_row(states[i].waker)});
    profiler_task_context_append(&t->profiler_task_context,
                                 &(struct profiler_task_context_row){.utid = some_uint32(2)});
    for (int i = 0; i < 2; i++)
        profiler_sample_append(&t->profiler_sample,
                               &(struct profiler_sample_row){
                                   .ts = 1100 + i * 20,
                                   .source = fixture_name(t, "linux.perf"),
                                   .task_context_id = some_uint32(0),
                                   .callsite_id = i ? some_uint32(0) : (struct opt_uint32){0}});
    logs_append(&t->logs, &(struct logs_row){.ts = 1234,
                                             .log_source = fixture_name(t, "logcat"),
                                             .msg = fixture_name(t, "Hello Shop")});
    clock_snapshot_append(&t->clock_snapshot,
                          &(struct clock_snapshot_row){
                              .ts = 1000, .clock_id = 1, .clock_value = 1771711048774386001});
    tables_freeze(t);
}

/* Without SQL. */
static inline int fixture_setup(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    f->tables = tables_new();
    fixture_fill(f);
    f->session = session_new(NULL);
    session_add_tables(f->session, f->tables, 900, 2900, "by hand");
    *state = f;
    return 0;
}

/* With an engine that was filled by hand instead of loaded. */
static inline int fixture_setup_engine(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    f->engine = engine_new();
    f->tables = engine_tables(f->engine);
    fixture_fill(f);
    f->session = session_new(NULL);
    session_add_tables(f->session, f->tables, 900, 2900, "by hand");
    f->session->traces[0].engine = f->engine;
    *state = f;
    return 0;
}

static inline int fixture_teardown(void **state)
{
    struct fixture *f = *state;
    session_free(f->session);
    if (f->engine)
        engine_free(f->engine);
    else
        tables_free(f->tables);
    mem_free(f);
    return 0;
}

/* Runs a command line as a person; the outcome, and its message in *why. */
static inline enum command_outcome fixture_run(struct fixture *f, const char *line,
                                               struct status *why)
{
    struct invocation invocation;
    if (!registry_parse_line(f->session->registry, str_of(line), &invocation, why))
        return COMMAND_FAILED;
    enum command_outcome outcome =
        registry_run(f->session, invocation.id, (const char *const *)invocation.args,
                     invocation.n_args, &COMMAND_CONTEXT_PERSON, why);
    invocation_dispose(&invocation);
    return outcome;
}

/* Names of the rows, an indent of two blanks a level, '*' before pinned ones. */
static inline void fixture_rows(struct session *session, struct buffer *out)
{
    uint32_t count;
    const struct session_row *rows = session_rows(session, &count);
    buffer_clear(out);
    for (uint32_t i = 0; i < count; i++)
        buffer_printf(out, "%s%*s%s\n", rows[i].pinned ? "*" : "", (int)(2 * rows[i].indent), "",
                      rows[i].node->name);
}

#endif
