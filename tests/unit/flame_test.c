/* Flamegraphs: what each source gathers, sides, filters, comparing, exports.  All
 * numbers are worked out by hand from the tables filled below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "commands/flame_export.h"
#include "commands/flame_text.h"
#include "engine/base/memory.h"
#include "engine/import/xml_pull.h"
#include "tests/unit/trace_fixture.h"

/* ---- a trace by hand ---- */

static string_id text(struct tables *t, const char *bytes)
{
    return strpool_intern_text(t->strings, bytes);
}

static uint32_t add_frame(struct tables *t, const char *name, uint32_t mapping)
{
    return stack_profile_frame_append(
        &t->stack_profile_frame,
        &(struct stack_profile_frame_row){.name = text(t, name), .mapping = mapping});
}

static uint32_t add_site(struct tables *t, uint32_t parent, uint32_t depth, uint32_t frame)
{
    return stack_profile_callsite_append(
        &t->stack_profile_callsite,
        &(struct stack_profile_callsite_row){
            .depth = depth, .parent_id = opt_row(parent), .frame_id = frame});
}

static void add_sample(struct tables *t, int64_t ts, uint32_t task, uint32_t site, uint32_t set)
{
    profiler_sample_append(&t->profiler_sample,
                           &(struct profiler_sample_row){.ts = ts,
                                                         .source = text(t, "linux.perf"),
                                                         .task_context_id = some_uint32(task),
                                                         .callsite_id = some_uint32(site),
                                                         .counter_set_id = opt_row(set)});
}

enum { MAIN, ALPHA, BETA, CORE }; /* callsites: main, main>Alpha, main>Alpha>beta, main>core */

static void add_stacks(struct tables *t)
{
    const uint32_t none = NULL_UINT32;
    for (int i = 0; i < 2; i++)
        stack_profile_mapping_append(
            &t->stack_profile_mapping,
            &(struct stack_profile_mapping_row){.name = text(t, i ? "/lib/b.so" : "/bin/a")});
    uint32_t frame_main = add_frame(t, "main", 0), alpha = add_frame(t, "Alpha", 0);
    uint32_t beta = add_frame(t, "beta", 1), core = add_frame(t, "core", 1);
    uint32_t site = add_site(t, none, 0, frame_main);
    uint32_t below = add_site(t, site, 1, alpha);
    add_site(t, below, 2, beta);
    add_site(t, site, 1, core);
}

/* Process 1 has threads 1 and 2. */
static void add_tasks(struct tables *t)
{
    for (uint32_t i = 0; i < 2; i++)
        process_append(&t->process, &(struct process_row){.pid = i});
    for (uint32_t i = 0; i < 3; i++)
        thread_append(&t->thread, &(struct thread_row){.tid = i, .upid = some_uint32(i ? 1 : 0)});
    for (uint32_t i = 1; i < 3; i++)
        profiler_task_context_append(
            &t->profiler_task_context,
            &(struct profiler_task_context_row){.upid = some_uint32(1), .utid = some_uint32(i)});
}

static uint32_t add_counter(struct tables *t, int64_t ts, uint32_t track, double value)
{
    uint32_t counter = counter_append(
        &t->counter, &(struct counter_row){.ts = ts, .track_id = track, .value = value});
    uint32_t set = table_rows(&t->profiler_counter_set.table);
    return profiler_counter_set_append(
        &t->profiler_counter_set,
        &(struct profiler_counter_set_row){.counter_set_id = set, .counter_id = counter});
}

static void add_samples(struct tables *t)
{
    uint32_t cycles =
        track_append(&t->track, &(struct track_row){.name = text(t, "cycles"),
                                                    .type = text(t, "perf_cpu_counter")});
    const struct {
        int64_t ts;
        uint32_t task, site;
        double cycles; /* so far */
    } samples[] = {{10, 0, BETA, 100}, {20, 0, BETA, 150}, {30, 0, CORE, 350}, {40, 1, ALPHA, 360}};
    for (size_t i = 0; i < 4; i++)
        add_sample(t, samples[i].ts, samples[i].task, samples[i].site,
                   add_counter(t, samples[i].ts, cycles, samples[i].cycles));
    simpleperf_event_type_append(&t->simpleperf_event_type,
                                 &(struct simpleperf_event_type_row){.name = text(t, "cpu-clock")});
    simpleperf_event_type_append(&t->simpleperf_event_type,
                                 &(struct simpleperf_event_type_row){.name = text(t, "faults")});
    for (uint32_t i = 0; i < 4; i++)
        simpleperf_sample_append(&t->simpleperf_sample, &(struct simpleperf_sample_row){
                                                            .stack_sample_id = some_uint32(i),
                                                            .ts = samples[i].ts,
                                                            .event_type_id = some_uint32(i == 2),
                                                            .event_count = some_int64(10 + i)});
}

static void add_allocations(struct tables *t)
{
    const struct {
        int64_t ts, count, size;
        uint32_t site;
    } rows[] = {{10, 2, 100, BETA}, {20, -1, -40, BETA}, {20, 1, 10, CORE}, {30, -1, -60, BETA}};
    for (size_t i = 0; i < 4; i++)
        heap_profile_allocation_append(
            &t->heap_profile_allocation,
            &(struct heap_profile_allocation_row){.ts = rows[i].ts,
                                                  .upid = 1,
                                                  .heap_name = text(t, "libc.malloc"),
                                                  .callsite_id = rows[i].site,
                                                  .count = rows[i].count,
                                                  .size = rows[i].size});
}

static void add_object(struct tables *t, const char *class, int64_t size, uint32_t refs, bool root,
                       bool reachable)
{
    uint32_t type = heap_graph_class_append(&t->heap_graph_class,
                                            &(struct heap_graph_class_row){.name = text(t, class)});
    heap_graph_object_append(
        &t->heap_graph_object,
        &(struct heap_graph_object_row){.upid = 1,
                                        .graph_sample_ts = 50,
                                        .self_size = size,
                                        .reference_set_id = opt_row(refs),
                                        .reachable = reachable,
                                        .type_id = type,
                                        .root_type = root ? text(t, "JAVA_FRAME") : STRING_NULL});
}

static void add_reference(struct tables *t, uint32_t set, uint32_t owner, uint32_t owned)
{
    heap_graph_reference_append(&t->heap_graph_reference,
                                &(struct heap_graph_reference_row){.reference_set_id = set,
                                                                   .owner_id = owner,
                                                                   .owned_id = some_uint32(owned)});
}

/* Root → Left, Right; both → Shared → Leaf; Lost is garbage. */
static void add_objects(struct tables *t)
{
    const uint32_t none = NULL_UINT32;
    heap_graph_append(&t->heap_graph, &(struct heap_graph_row){.ts = 50, .upid = 1});
    add_object(t, "Root", 1, 0, true, true);
    add_object(t, "Left", 20, 2, false, true);
    add_object(t, "Right", 30, 3, false, true);
    add_object(t, "Shared", 400, 4, false, true);
    add_object(t, "Leaf", 5000, none, false, true);
    add_object(t, "Lost", 9, none, false, false);
    add_reference(t, 0, 0, 1);
    add_reference(t, 0, 0, 2);
    add_reference(t, 2, 1, 3);
    add_reference(t, 3, 2, 3);
    add_reference(t, 4, 3, 4);
}

static void add_slice(struct tables *t, int64_t ts, int64_t dur, uint32_t track, uint32_t parent,
                      const char *name)
{
    slice_append(&t->slice, &(struct slice_row){.ts = ts,
                                                .dur = dur,
                                                .track_id = track,
                                                .parent_id = opt_row(parent),
                                                .name = text(t, name)});
}

static void add_slices(struct tables *t)
{
    const uint32_t none = NULL_UINT32;
    uint32_t track = track_append(
        &t->track, &(struct track_row){.type = text(t, "thread"), .utid = some_uint32(1)});
    uint32_t other = track_append(
        &t->track, &(struct track_row){.type = text(t, "thread"), .utid = some_uint32(2)});
    add_slice(t, 0, 100, track, none, "outer");
    add_slice(t, 10, 30, track, 0, "inner");
    add_slice(t, 20, 5, track, 1, "leaf");
    add_slice(t, 50, 10, track, 0, "inner");
    add_slice(t, 60, -1, other, none, "stuck");
}

static int setup(void **state)
{
    struct tables *t = tables_new();
    add_tasks(t);
    add_stacks(t);
    add_samples(t);
    add_allocations(t);
    add_objects(t);
    add_slices(t);
    for (uint32_t i = 0; i < 2; i++)
        aggregate_profile_append(
            &t->aggregate_profile,
            &(struct aggregate_profile_row){.sample_type_type = text(t, i ? "space" : "hits"),
                                            .sample_type_unit = text(t, i ? "bytes" : "count")});
    for (uint32_t i = 0; i < 4; i++)
        aggregate_sample_append(&t->aggregate_sample,
                                &(struct aggregate_sample_row){.aggregate_profile_id = i % 2,
                                                               .callsite_id = i < 2 ? BETA : MAIN,
                                                               .value = i + 1.5});
    tables_freeze(t);
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    tables_free(*state);
    return 0;
}

/* ---- trees as text ---- */

static const struct flame_scope everything = {
    .everything = true, .start = INT64_MIN, .end = INT64_MAX, .trace_end = 100};

static struct flame_profile *gather(const struct tables *t, enum flame_source source,
                                    uint32_t which, const char *key,
                                    const struct flame_scope *scope)
{
    struct flame_profile *profile = flame_profile_new();
    struct flame_metric metric = {source, which, (char *)(uintptr_t)key, NULL, NULL};
    struct status st = STATUS_INIT;
    assert_true(flame_profile_add(profile, t, scope, &metric, 0, NULL, &st));
    return profile;
}

static void write_below(const struct flame_profile *profile, const struct flame_tree *tree,
                        uint32_t at, struct buffer *out)
{
    const struct flame_node *node = &tree->nodes.items[at];
    buffer_append_str(out, flame_node_name(profile, node));
    buffer_printf(out, " %g", node->total[0]);
    if (node->total[1] > 0) buffer_printf(out, "~%g", node->total[1]);
    if (node->self[0] > 0 && node->self[0] != node->total[0])
        buffer_printf(out, "(%g)", node->self[0]);
    if (node->first_child == FLAME_NONE) return;
    buffer_append_text(out, " {");
    for (uint32_t i = node->first_child; i != FLAME_NONE; i = tree->nodes.items[i].next) {
        if (i != node->first_child) buffer_append_text(out, ", ");
        write_below(profile, tree, i, out);
    }
    buffer_append_byte(out, '}');
}

/* "all TOTAL(SELF) {child, …}"; self is left out when it is nothing or all. */
static void expect_look(const struct flame_profile *profile, const struct flame_look *look,
                        const char *want, const char *want_callers)
{
    struct status st = STATUS_INIT;
    struct flame_tree *tree = flame_tree_new(profile, look, NULL, &st);
    if (!tree) fail_msg("%s", status_message(&st));
    struct buffer got = BUFFER_INIT;
    write_below(profile, tree, 0, &got);
    assert_string_equal(buffer_text(&got), want);
    buffer_clear(&got);
    if (want_callers) {
        write_below(profile, tree, tree->callers, &got);
        assert_string_equal(buffer_text(&got), want_callers);
    }
    buffer_free(&got);
    flame_tree_free(tree);
}

static void expect_tree(const struct tables *t, enum flame_source source, uint32_t which,
                        const char *key, const struct flame_scope *scope, const char *want)
{
    struct flame_look look = {0};
    struct flame_profile *profile = gather(t, source, which, key, scope);
    expect_look(profile, &look, want, NULL);
    flame_profile_free(profile);
}

/* ---- sources ---- */

static void samples_are_counted(void **state)
{
    const struct tables *t = *state;
    expect_tree(t, FLAME_SAMPLES, 0, NULL, &everything,
                "all 4 {main 4 {Alpha 3(1) {beta 2}, core 1}}");
}

static void samples_are_narrowed(void **state)
{
    const struct tables *t = *state;
    struct flame_scope scope = {.start = INT64_MIN, .end = INT64_MAX};
    expect_tree(t, FLAME_SAMPLES, 0, NULL, &scope, "all 0");
    vec_push(&scope.utids, 2);
    expect_tree(t, FLAME_SAMPLES, 0, NULL, &scope, "all 1 {main 1 {Alpha 1}}");
    scope.utids.items[0] = 1;
    scope.start = 20;
    scope.end = 30; /* not its end */
    expect_tree(t, FLAME_SAMPLES, 0, NULL, &scope, "all 1 {main 1 {Alpha 1 {beta 1}}}");
    scope.end = 31;
    scope.utids.count = 0;
    vec_push(&scope.upids, 1);
    expect_tree(t, FLAME_SAMPLES, 0, NULL, &scope, "all 2 {main 2 {Alpha 1 {beta 1}, core 1}}");
    scope.upids.items[0] = 0;
    expect_tree(t, FLAME_SAMPLES, 0, NULL, &scope, "all 0");
    flame_scope_dispose(&scope);
}

/* perf's counter goes 100, 150, 350, 360: samples stand for 100, 50, 200 and 10. */
static void samples_weigh_by_their_counters(void **state)
{
    const struct tables *t = *state;
    expect_tree(t, FLAME_COUNTER, 0, "cycles", &everything,
                "all 360 {main 360 {core 200, Alpha 160(10) {beta 150}}}");
    struct flame_scope late = everything;
    late.start = 20; /* what was before still counts as before */
    expect_tree(t, FLAME_COUNTER, 0, "cycles", &late,
                "all 260 {main 260 {core 200, Alpha 60(10) {beta 50}}}");
}

static void samples_weigh_by_event_type(void **state)
{
    const struct tables *t = *state;
    expect_tree(t, FLAME_EVENTS, 0, "cpu-clock", &everything,
                "all 34 {main 34 {Alpha 34(13) {beta 21}}}");
    expect_tree(t, FLAME_EVENTS, 1, "faults", &everything, "all 12 {main 12 {core 12}}");
}

static void allocations_have_four_measures(void **state)
{
    const struct tables *t = *state;
    struct flame_scope early = everything;
    early.end = 25;
    expect_tree(t, FLAME_ALLOCATIONS, FLAME_UNRELEASED_SIZE, "libc.malloc", &early,
                "all 70 {main 70 {Alpha 60 {beta 60}, core 10}}");
    expect_tree(t, FLAME_ALLOCATIONS, FLAME_UNRELEASED_COUNT, "libc.malloc", &early,
                "all 2 {main 2 {Alpha 1 {beta 1}, core 1}}");
    expect_tree(t, FLAME_ALLOCATIONS, FLAME_TOTAL_SIZE, "libc.malloc", &everything,
                "all 110 {main 110 {Alpha 100 {beta 100}, core 10}}");
    expect_tree(t, FLAME_ALLOCATIONS, FLAME_TOTAL_COUNT, "libc.malloc", &everything,
                "all 3 {main 3 {Alpha 2 {beta 2}, core 1}}");
    expect_tree(t, FLAME_ALLOCATIONS, FLAME_UNRELEASED_SIZE, "libc.malloc", &everything,
                "all 10 {main 10 {core 10}}");
    expect_tree(t, FLAME_ALLOCATIONS, FLAME_TOTAL_SIZE, "other", &everything, "all 0");
}

static void objects_stand_by_path_and_by_dominator(void **state)
{
    const struct tables *t = *state;
    expect_tree(t, FLAME_HEAP_GRAPH, FLAME_OBJECT_SIZE, NULL, &everything,
                "all 5451 {Root 5451(1) {Left 5420(20) {Shared 5400(400) {Leaf 5000}}, Right 30}}");
    expect_tree(t, FLAME_HEAP_GRAPH, FLAME_OBJECT_COUNT, NULL, &everything,
                "all 5 {Root 5(1) {Left 3(1) {Shared 2(1) {Leaf 1}}, Right 1}}");
    expect_tree(t, FLAME_HEAP_GRAPH, FLAME_DOMINATED_SIZE, NULL, &everything,
                "all 5451 {Root 5451(1) {Shared 5400(400) {Leaf 5000}, Right 30, Left 20}}");
    expect_tree(t, FLAME_HEAP_GRAPH, FLAME_DOMINATED_COUNT, NULL, &everything,
                "all 5 {Root 5(1) {Shared 2(1) {Leaf 1}, Left 1, Right 1}}");
    struct flame_scope before = everything;
    before.end = 50;
    expect_tree(t, FLAME_HEAP_GRAPH, FLAME_OBJECT_SIZE, NULL, &before, "all 0");
}

static void aggregate_profiles_have_their_own_values(void **state)
{
    const struct tables *t = *state;
    expect_tree(t, FLAME_AGGREGATE, 0, NULL, &everything,
                "all 5 {main 5(3.5) {Alpha 1.5 {beta 1.5}}}");
    expect_tree(t, FLAME_AGGREGATE, 1, NULL, &everything,
                "all 7 {main 7(4.5) {Alpha 2.5 {beta 2.5}}}");
}

static void slices_spend_their_own_time(void **state)
{
    const struct tables *t = *state;
    expect_tree(t, FLAME_SLICES, 0, NULL, &everything,
                "all 140 {outer 100(60) {inner 40(35) {leaf 5}}, stuck 40}");
    struct flame_scope scope = {.start = 15, .end = 35, .trace_end = 100};
    vec_push(&scope.utids, 1);
    expect_tree(t, FLAME_SLICES, 0, NULL, &scope, "all 20 {outer 20 {inner 20(15) {leaf 5}}}");
    flame_scope_dispose(&scope);
    struct flame_scope track = {.start = 0, .end = 70, .trace_end = 100};
    vec_push(&track.tracks, 2);
    expect_tree(t, FLAME_SLICES, 0, NULL, &track, "all 10 {stuck 10}");
    flame_scope_dispose(&track);
}

static void inlined_code_stands_below_its_caller(void **state)
{
    (void)state;
    struct tables *t = tables_new();
    add_tasks(t);
    static const char *const names[] = {"innermost", "middle", "outermost"};
    for (uint32_t i = 0; i < 3; i++)
        stack_profile_symbol_append(
            &t->stack_profile_symbol,
            &(struct stack_profile_symbol_row){.symbol_set_id = 0, .name = text(t, names[i])});
    uint32_t frame = stack_profile_frame_append(
        &t->stack_profile_frame, &(struct stack_profile_frame_row){
                                     .name = text(t, "plain"), .symbol_set_id = some_uint32(0)});
    add_sample(t, 1, 0, add_site(t, NULL_UINT32, 0, frame), NULL_UINT32);
    tables_freeze(t);
    expect_tree(t, FLAME_SAMPLES, 0, NULL, &everything,
                "all 1 {outermost 1 {middle 1 {innermost 1}}}");
    tables_free(t);
}

/* Parents that go round, frames and mappings that are not there. */
static void broken_callsites_end(void **state)
{
    (void)state;
    struct tables *t = tables_new();
    add_tasks(t);
    add_frame(t, "ring", 77);
    add_site(t, 1, 0, 0);
    add_site(t, 0, 1, 0);
    add_site(t, 999, 0, 12345);
    add_sample(t, 1, 0, 1, 4242);
    add_sample(t, 2, 0, 2, NULL_UINT32);
    add_sample(t, 3, 0, 888, NULL_UINT32);
    add_sample(t, 4, 99, 2, NULL_UINT32);
    tables_freeze(t);
    struct flame_look look = {0};
    struct flame_profile *profile = gather(t, FLAME_SAMPLES, 0, NULL, &everything);
    struct status st = STATUS_INIT;
    struct flame_tree *tree = flame_tree_new(profile, &look, NULL, &st);
    assert_non_null(tree);
    assert_true(tree->nodes.items[0].total[0] == 3);
    flame_tree_free(tree);
    flame_profile_free(profile);
    tables_free(t);
}

static void a_trace_says_what_it_can_weigh(void **state)
{
    const struct tables *t = *state;
    static const char *const want[] = {"Samples",
                                       "cycles",
                                       "cpu-clock",
                                       "faults",
                                       "Unreleased Malloc Size",
                                       "Unreleased Malloc Count",
                                       "Total Malloc Size",
                                       "Total Malloc Count",
                                       "Object Size",
                                       "Object Count",
                                       "Dominated Object Size",
                                       "Dominated Object Count",
                                       "hits",
                                       "space",
                                       "Slice Duration"};
    struct flame_metric_list list;
    flame_metrics_list(t, &list);
    assert_int_equal(list.count, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < list.count; i++)
        assert_string_equal(list.items[i].name, want[i]);
    flame_metrics_free(&list);
}

/* ---- sides and filters ---- */

static void seen_from_the_leaves(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    struct flame_look look = {.direction = FLAME_BOTTOM_UP};
    expect_look(profile, &look,
                "all 4 {beta 2 {Alpha 2 {main 2}}, Alpha 1 {main 1}, core 1 {main 1}}", NULL);
    flame_profile_free(profile);
}

static void seen_from_a_pivot(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    struct flame_look look = {.direction = FLAME_PIVOT, .pivot = (char *)(uintptr_t) "alpha"};
    expect_look(profile, &look, "all 3 {Alpha 3(1) {beta 2}}", "all 3 {Alpha 3 {main 3}}");
    flame_profile_free(profile);
}

static void expect_filter(const struct flame_profile *profile, enum flame_filter_kind kind,
                          const char *pattern, const char *want)
{
    struct flame_look look = {0};
    vec_push(&look.filters, (struct flame_filter){kind, mem_strdup(pattern)});
    expect_look(profile, &look, want, NULL);
    flame_look_dispose(&look);
}

static void filters_take_stacks_and_frames_away(void **state)
{
    struct flame_profile *p = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    expect_filter(p, FLAME_SHOW_STACK, "beta", "all 2 {main 2 {Alpha 2 {beta 2}}}");
    expect_filter(p, FLAME_SHOW_STACK, "alpha", "all 3 {main 3 {Alpha 3(1) {beta 2}}}");
    expect_filter(p, FLAME_SHOW_STACK, "/alpha/", "all 0");
    expect_filter(p, FLAME_SHOW_STACK, "/^alph.$/i", "all 3 {main 3 {Alpha 3(1) {beta 2}}}");
    expect_filter(p, FLAME_HIDE_STACK, "/^(beta|core)$/", "all 1 {main 1 {Alpha 1}}");
    expect_filter(p, FLAME_HIDE_FRAME, "Alpha", "all 4 {main 4(1) {beta 2, core 1}}");
    expect_filter(p, FLAME_HIDE_FRAME, "main", "all 4 {Alpha 3(1) {beta 2}, core 1}");
    expect_filter(p, FLAME_FROM_FRAME, "Alpha", "all 3 {Alpha 3(1) {beta 2}}");
    expect_filter(p, FLAME_FROM_FRAME, ".", "all 0"); /* a literal */
    flame_profile_free(p);
}

static void filters_hold_together(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    struct flame_look look = {.direction = FLAME_BOTTOM_UP};
    vec_push(&look.filters, (struct flame_filter){FLAME_SHOW_STACK, mem_strdup("Alpha")});
    vec_push(&look.filters, (struct flame_filter){FLAME_SHOW_STACK, mem_strdup("beta")});
    vec_push(&look.filters, (struct flame_filter){FLAME_HIDE_FRAME, mem_strdup("main")});
    expect_look(profile, &look, "all 2 {beta 2 {Alpha 2}}", NULL);
    flame_look_dispose(&look);
    flame_profile_free(profile);
}

static void bad_patterns_are_refused(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    static const char *const bad[] = {"/(/", "//", " ", "/(/i"};
    for (size_t i = 0; i < 4; i++) {
        struct status st = STATUS_INIT;
        struct flame_look look = {.highlight = (char *)(uintptr_t)bad[i]};
        assert_null(flame_tree_new(profile, &look, NULL, &st));
        assert_int_equal(st.code, STATUS_INVALID);
        status_clear(&st);
    }
    flame_profile_free(profile);
}

static void highlights_are_counted(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    struct flame_look look = {.highlight = (char *)(uintptr_t) "/Alpha|beta/"};
    struct status st = STATUS_INIT;
    struct flame_tree *tree = flame_tree_new(profile, &look, NULL, &st);
    assert_int_equal(tree->highlighted_nodes, 2);
    assert_true(tree->highlighted[0] == 3); /* beta lies in Alpha */
    flame_tree_free(tree);
    flame_profile_free(profile);
}

static void recursion_counts_once(void **state)
{
    (void)state;
    struct flame_profile *profile = flame_profile_new();
    uint32_t r = flame_profile_frame(profile, STR("r"), STR_NONE), at = 0;
    for (int i = 0; i < 3; i++)
        at = flame_profile_child(profile, at, r);
    profile->stacks.items[at].self[0] = 5;
    profile->stacks.items[1].self[0] = 1;
    struct flame_look look = {0};
    struct status st = STATUS_INIT;
    struct flame_tree *tree = flame_tree_new(profile, &look, NULL, &st);
    assert_int_equal(tree->functions.count, 1);
    assert_true(tree->functions.items[0].self[0] == 6);
    assert_true(tree->functions.items[0].total[0] == 6);
    assert_int_equal(tree->depth, 3);
    flame_tree_free(tree);
    flame_profile_free(profile);
}

static void children_fill_their_parents_from_the_left(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    struct flame_look look = {0};
    struct status st = STATUS_INIT;
    struct flame_tree *tree = flame_tree_new(profile, &look, NULL, &st);
    for (uint32_t i = 0; i < tree->nodes.count; i++) {
        const struct flame_node *node = &tree->nodes.items[i];
        double x = node->x;
        for (uint32_t c = node->first_child; c != FLAME_NONE; c = tree->nodes.items[c].next) {
            assert_true(tree->nodes.items[c].x == x);
            x += tree->nodes.items[c].width;
        }
        assert_true(x <= node->x + node->width);
    }
    flame_tree_free(tree);
    flame_profile_free(profile);
}

/* ---- two sides ---- */

/* The first three samples against the last two. */
static struct flame_profile *two_sides(const struct tables *t)
{
    struct flame_profile *profile = flame_profile_new();
    struct flame_metric metric = {.source = FLAME_SAMPLES};
    struct flame_scope now = everything, base = everything;
    struct status st = STATUS_INIT;
    now.end = 31;
    base.start = 30;
    assert_true(flame_profile_add(profile, t, &now, &metric, 0, NULL, &st));
    assert_true(flame_profile_add(profile, t, &base, &metric, 1, NULL, &st));
    return profile;
}

static void two_sides_are_compared(void **state)
{
    struct flame_profile *profile = two_sides(*state);
    struct flame_look look = {.compares = true};
    expect_look(profile, &look, "all 3~2 {main 3~2 {Alpha 2~1 {beta 2}, core 1~1}}", NULL);
    struct status st = STATUS_INIT;
    struct flame_tree *tree = flame_tree_new(profile, &look, NULL, &st);
    assert_true(tree->nodes.items[0].width == 5);
    flame_tree_free(tree);
    flame_profile_free(profile);
}

static void what_is_cancelled_ends(void **state)
{
    struct flame_profile *profile = flame_profile_new();
    struct flame_metric metric = {.source = FLAME_SAMPLES};
    struct cancel cancel = {0};
    struct status st = STATUS_INIT;
    cancel_request(&cancel);
    for (int i = FLAME_SAMPLES; i <= FLAME_SLICES; i++) {
        metric.source = (enum flame_source)i;
        metric.key = (char *)(uintptr_t) "libc.malloc";
        assert_false(flame_profile_add(profile, *state, &everything, &metric, 0, &cancel, &st));
        assert_int_equal(st.code, STATUS_INTERRUPTED);
        status_clear(&st);
    }
    struct flame_look look = {0};
    assert_null(flame_tree_new(profile, &look, &cancel, &st));
    assert_int_equal(st.code, STATUS_INTERRUPTED);
    status_clear(&st);
    flame_profile_free(profile);
}

/* ---- exports ---- */

static void write_export(const struct flame_profile *profile, const struct flame_look *look,
                         enum flame_format format, struct buffer *out)
{
    struct flame_metric metric = {.name = (char *)(uintptr_t) "Samples",
                                  .unit = (char *)(uintptr_t) "samples"};
    struct flame_export what = {profile, look, &metric, "a <test> & \"more\""};
    struct status st = STATUS_INIT;
    assert_true(flame_export(&what, format, out, NULL, &st));
}

static void folded_stacks(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    struct flame_look look = {.direction = FLAME_BOTTOM_UP};
    struct buffer out = BUFFER_INIT;
    write_export(profile, &look, FLAME_FOLDED, &out);
    assert_string_equal(buffer_text(&out), "main;Alpha 1\nmain;Alpha;beta 2\nmain;core 1\n");
    flame_profile_free(profile);
    buffer_clear(&out);
    profile = two_sides(*state);
    look.compares = true;
    write_export(profile, &look, FLAME_FOLDED, &out);
    assert_string_equal(buffer_text(&out), "main;Alpha 1 0\nmain;Alpha;beta 0 2\nmain;core 1 1\n");
    flame_profile_free(profile);
    buffer_free(&out);
}

/* What is written is read again by the program's own importer. */
static void pprof_is_read_again(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    struct flame_look look = {0};
    struct buffer out = BUFFER_INIT;
    write_export(profile, &look, FLAME_PPROF, &out);
    struct engine *engine = trace_load(&out);
    trace_expect(engine,
                 "SELECT p.sample_type_type, p.sample_type_unit, s.value, f.name, m.name, c.depth "
                 "FROM __intrinsic_aggregate_sample s "
                 "JOIN __intrinsic_aggregate_profile p ON p.id = s.aggregate_profile_id "
                 "JOIN stack_profile_callsite c ON c.id = s.callsite_id "
                 "JOIN stack_profile_frame f ON f.id = c.frame_id "
                 "JOIN stack_profile_mapping m ON m.id = f.mapping ORDER BY f.name",
                 "Samples samples 1 Alpha /bin/a 1|Samples samples 2 beta /lib/b.so 2|"
                 "Samples samples 1 core /lib/b.so 1");
    expect_tree(engine_tables(engine), FLAME_AGGREGATE, 0, NULL, &everything,
                "all 4 {main 4 {Alpha 3(1) {beta 2}, core 1}}");
    engine_free(engine);
    buffer_free(&out);
    flame_profile_free(profile);
}

/* Folded stacks are read again too. */
static void folded_is_read_again(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    struct flame_look look = {0};
    struct buffer out = BUFFER_INIT;
    write_export(profile, &look, FLAME_FOLDED, &out);
    struct engine *engine = trace_load(&out);
    expect_tree(engine_tables(engine), FLAME_AGGREGATE, 0, NULL, &everything,
                "all 4 {main 4 {Alpha 3(1) {beta 2}, core 1}}");
    engine_free(engine);
    buffer_free(&out);
    flame_profile_free(profile);
}

static void svg_is_well_formed(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    uint32_t odd = flame_profile_child(
        profile, 0, flame_profile_frame(profile, STR("a<b>\x01\xFF&\"'"), STR_NONE));
    profile->stacks.items[odd].self[0] = 1;
    static const enum flame_direction directions[] = {FLAME_TOP_DOWN, FLAME_BOTTOM_UP, FLAME_PIVOT};
    for (size_t i = 0; i < 3; i++) {
        struct flame_look look = {.direction = directions[i], .pivot = (char *)(uintptr_t) "Alpha"};
        struct buffer out = BUFFER_INIT;
        write_export(profile, &look, FLAME_SVG, &out);
        struct xml_pull pull;
        xml_pull_init(&pull, buffer_str(&out));
        enum xml_token token;
        unsigned titles = 0;
        while ((token = xml_pull_next(&pull)) != XML_DONE) {
            assert_true(token != XML_ERROR && token != XML_CUT);
            titles += token == XML_OPEN && str_is(pull.name, "title");
        }
        static const unsigned boxes[] = {6, 9, 3};
        assert_int_equal(titles, boxes[i]);
        buffer_free(&out);
    }
    flame_profile_free(profile);
}

static void text_shows_the_tree(void **state)
{
    struct flame_profile *profile = gather(*state, FLAME_SAMPLES, 0, NULL, &everything);
    struct flame_look look = {0};
    struct buffer out = BUFFER_INIT;
    write_export(profile, &look, FLAME_TEXT, &out);
    assert_string_equal(buffer_text(&out),
                        "Samples of a <test> & \"more\", top-down\n\n"
                        "      total         self       %  frame\n"
                        "          4            0    100%  all\n"
                        "          4            0    100%   main  [/bin/a]\n"
                        "          3            1   75.0%    Alpha  [/bin/a]\n"
                        "          2            2   50.0%     beta  [/lib/b.so]\n"
                        "          1            1   25.0%    core  [/lib/b.so]\n");
    flame_profile_free(profile);
    buffer_free(&out);
}

static void values_are_written_with_units(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *unit, *want;
    } cases[] = {{0, "ns", "0 ns"},
                 {999, "ns", "999 ns"},
                 {1500, "ns", "1.500 us"},
                 {16900000, "nanoseconds", "16.90 ms"},
                 {2, "milliseconds", "2 ms"},
                 {1023, "bytes", "1023 B"},
                 {1310720, "bytes", "1.250 MiB"},
                 {-2048, "bytes", "-2 KiB"},
                 {1234, "samples", "1234"},
                 {123456, "count", "123.5 K"},
                 {2.5, "count", "2.50"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buffer out = BUFFER_INIT;
        flame_write_value(cases[i].value, cases[i].unit, &out);
        assert_string_equal(buffer_text(&out), cases[i].want);
        buffer_free(&out);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(samples_are_counted),
        TEST(samples_are_narrowed),
        TEST(samples_weigh_by_their_counters),
        TEST(samples_weigh_by_event_type),
        TEST(allocations_have_four_measures),
        TEST(objects_stand_by_path_and_by_dominator),
        TEST(aggregate_profiles_have_their_own_values),
        TEST(slices_spend_their_own_time),
        TEST(inlined_code_stands_below_its_caller),
        TEST(broken_callsites_end),
        TEST(a_trace_says_what_it_can_weigh),
        TEST(seen_from_the_leaves),
        TEST(seen_from_a_pivot),
        TEST(filters_take_stacks_and_frames_away),
        TEST(filters_hold_together),
        TEST(bad_patterns_are_refused),
        TEST(highlights_are_counted),
        TEST(recursion_counts_once),
        TEST(children_fill_their_parents_from_the_left),
        TEST(two_sides_are_compared),
        TEST(what_is_cancelled_ends),
        TEST(folded_stacks),
        TEST(pprof_is_read_again),
        TEST(folded_is_read_again),
        TEST(svg_is_well_formed),
        TEST(text_shows_the_tree),
        TEST(values_are_written_with_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
