#include "tests/gen/example.h"

#include <stdarg.h>
#include <string.h>

#include "tests/gen/archive.h"
#include "tests/gen/bench.h"
#include "tests/gen/event.h"
#include "tests/gen/phone.h"
#include "tests/gen/samples.h"
#include "tests/gen/timeline.h"
#include "tests/gen/wire.h"

enum {
    FTRACE_SEQUENCE = 2,
    FIRST_EVENT_SEQUENCE = 100,
    SAMPLE_EVERY_NS = 500 * 1000,
    PERIOD_NS = 10 * EXAMPLE_MS,
    FLUSH_PERIODS = 5,
    BATTERY_PERIODS = 50,
    MOST_SLICES = 24,
    MOST_FRAMES = 256,
};

#define FRAME_BUDGET_MS 16.666667
#define FRAME_BUDGET_NS INT64_C(16666667)

enum track_uuid {
    PROCESS_UUID = 0x1000 + PHONE_APP_PID,
    FRAME_TIME_UUID = 0x20001,
    HEAP_UUID,
    IMAGE_UUID,            /* and two more */
    THREAD_UUID = 0x30000, /* plus the tid */
    FLOW_ID = 0x7f000000,
};

struct open_slices {
    const char *names[MOST_SLICES];
    size_t count;
};

struct recorder {
    struct gen_example *out;
    struct gen_seq kernel; /* interned kernel symbols */
    struct gen_seq events[SIM_MOST_THREADS];
    struct open_slices slices[SIM_MOST_THREADS];
    int64_t frame_start_ns[MOST_FRAMES], heap_bytes;
    unsigned periods;
    uint32_t khz[SIM_CPUS];
};

static size_t index_of(const struct sim *sim, const struct sim_thread *thread)
{
    return (size_t)(thread - sim->threads.items);
}

static void push_slice(struct open_slices *slices, const char *name)
{
    if (slices->count < MOST_SLICES) slices->names[slices->count] = name;
    slices->count++;
}

static void pop_slice(struct open_slices *slices)
{
    if (slices->count) slices->count--;
}

static void atrace(struct sim *sim, const struct sim_thread *thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void atrace(struct sim *sim, const struct sim_thread *thread, const char *format, ...)
{
    struct buffer line = BUFFER_INIT;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&line, format, args);
    va_end(args);
    gen_ftrace_print(&sim->ftrace[thread->cpu], sim_tick(sim), thread->tid, buffer_text(&line));
    buffer_free(&line);
}

static void describe_app_tracks(struct gen_seq *seq, int64_t ts)
{
    gen_seq_track(seq, ts,
                  &(struct gen_track){.uuid = FRAME_TIME_UUID,
                                      .parent = PROCESS_UUID,
                                      .name = "Frame time ms",
                                      .unit_name = "ms",
                                      .is_counter = true});
    gen_seq_track(seq, ts,
                  &(struct gen_track){.uuid = HEAP_UUID,
                                      .parent = PROCESS_UUID,
                                      .name = "Heap size",
                                      .unit = GEN_UNIT_BYTES,
                                      .is_counter = true});
    for (uint64_t worker = 0; worker < 3; worker++) /* lanes of one track */
        gen_seq_track(seq, ts,
                      &(struct gen_track){.uuid = IMAGE_UUID + worker,
                                          .parent = PROCESS_UUID,
                                          .name = "Image loads"});
}

static struct gen_seq *events_of(struct recorder *r, struct sim *sim,
                                 const struct sim_thread *thread)
{
    struct gen_seq *seq = &r->events[index_of(sim, thread)];
    if (seq->trace) return seq;
    gen_seq_start(seq, &r->out->trace, FIRST_EVENT_SEQUENCE + (uint32_t)index_of(sim, thread));
    bool is_main = thread->tid == PHONE_APP_PID;
    gen_seq_track(seq, sim->now_ns,
                  &(struct gen_track){.uuid = PROCESS_UUID,
                                      .pid = PHONE_APP_PID,
                                      .process_name = "com.example.shop"});
    gen_seq_track(seq, sim->now_ns,
                  &(struct gen_track){.uuid = THREAD_UUID + (uint64_t)thread->tid,
                                      .parent = PROCESS_UUID,
                                      .pid = PHONE_APP_PID,
                                      .tid = thread->tid,
                                      .thread_name = is_main ? "main" : thread->comm});
    if (is_main) describe_app_tracks(seq, sim->now_ns);
    return seq;
}

static void put_heap(struct recorder *r, struct sim *sim, const struct sim_thread *thread,
                     int64_t change)
{
    struct gen_seq *seq = events_of(r, sim, thread);
    r->heap_bytes += change;
    if (r->heap_bytes < INT64_C(18) << 20) r->heap_bytes = INT64_C(18) << 20;
    gen_counter(seq, sim_tick(sim), HEAP_UUID, r->heap_bytes);
}

static void begin_bench_frame(struct recorder *r, struct sim *sim, const struct sim_thread *thread,
                              const struct sim_op *op)
{
    static const char *const COLD[] = {"startup", "first_draw", NULL};
    static const char *const WARM[] = {"idle", NULL};
    static const char *const SCROLL[] = {"fling", "list", NULL};
    struct gen_seq *seq = events_of(r, sim, thread);
    const char *const *tags = op->text[0] == 'c' ? COLD : op->text[0] == 'w' ? WARM : SCROLL;
    int64_t now = sim_tick(sim);
    r->frame_start_ns[op->value % MOST_FRAMES] = now;
    gen_event_open(seq, now, GEN_EVENT_BEGIN, THREAD_UUID + (uint64_t)thread->tid);
    gen_event_category(seq, "bench");
    gen_event_name(seq, "ShopFrame");
    gen_event_flow(seq, FLOW_ID + (uint64_t)op->value);
    gen_event_int(seq, "visible rows", 7 + op->value % 3);
    bench_put_info(gen_event_body(seq), &(struct bench_info){.label = op->text,
                                                             .iteration = op->value,
                                                             .tags = tags,
                                                             .budget_ms = FRAME_BUDGET_MS,
                                                             .vsync_id = 1021 + op->value,
                                                             .phase = tags == COLD ? 1 : 2});
    gen_event_close(seq);
}

static void end_bench_frame(struct recorder *r, struct sim *sim, const struct sim_thread *thread,
                            int64_t frame)
{
    struct gen_seq *seq = events_of(r, sim, thread);
    int64_t now = sim_tick(sim);
    gen_slice_end(seq, now, THREAD_UUID + (uint64_t)thread->tid);
    gen_counter_double(seq, now, FRAME_TIME_UUID,
                       (double)(now - r->frame_start_ns[frame % MOST_FRAMES]) / 1e6);
}

static void begin_render(struct recorder *r, struct sim *sim, const struct sim_thread *thread,
                         int64_t frame)
{
    struct gen_seq *seq = events_of(r, sim, thread);
    gen_event_open(seq, sim_tick(sim), GEN_EVENT_BEGIN, THREAD_UUID + (uint64_t)thread->tid);
    gen_event_category(seq, "bench");
    gen_event_name(seq, "ShopRender");
    gen_event_last_flow(seq, FLOW_ID + (uint64_t)frame);
    gen_event_int(seq, "frame", frame);
    gen_event_close(seq);
}

/* The frame has been handed to the display: what was expected, what came of it. */
static void put_frame_timeline(struct recorder *r, struct sim *sim, int64_t frame)
{
    int64_t start = r->frame_start_ns[frame % MOST_FRAMES], due = start + FRAME_BUDGET_NS;
    bool is_late = sim->now_ns > due;
    struct gen_frame f = {.cookie = 1000 + 4 * frame,
                          .token = 1021 + frame,
                          .display_token = 88000 + frame,
                          .pid = PHONE_APP_PID,
                          .layer = "TX - com.example.shop/MainActivity#212",
                          .expected_start_ns = start,
                          .expected_end_ns = due,
                          .actual_start_ns = start,
                          .actual_end_ns = sim->now_ns,
                          .present = is_late ? GEN_PRESENT_LATE : GEN_PRESENT_ON_TIME,
                          .jank = is_late ? GEN_JANK_APP_DEADLINE : GEN_JANK_NONE};
    gen_frame_put(&r->out->trace, &f);
    f.cookie += 2;
    f.pid = PHONE_SF_PID;
    f.layer = NULL;
    f.expected_start_ns = due;
    f.expected_end_ns = due + FRAME_BUDGET_NS / 2;
    f.actual_start_ns = is_late ? sim->now_ns : due;
    f.actual_end_ns = f.actual_start_ns + FRAME_BUDGET_NS / 2 - 700000;
    gen_frame_put(&r->out->trace, &f);
}

static void put_image(struct recorder *r, struct sim *sim, const struct sim_thread *thread,
                      const struct sim_op *op)
{
    struct gen_seq *seq = events_of(r, sim, thread);
    uint64_t uuid = IMAGE_UUID + (uint64_t)op->value;
    if (op->code == EXAMPLE_IMAGE_END) {
        gen_slice_end(seq, sim_tick(sim), uuid);
        return;
    }
    gen_event_open(seq, sim_tick(sim), GEN_EVENT_BEGIN, uuid);
    gen_event_category(seq, "image");
    gen_event_name(seq, op->text);
    gen_event_text(seq, "url", "https://img.example.com/catalog");
    gen_event_bool(seq, "from_cache", false);
    gen_event_close(seq);
}

static void put_log(struct recorder *r, struct sim *sim, const struct sim_thread *thread,
                    const struct sim_op *op)
{
    struct str rest = str_of(op->text), tag;
    str_split_next(&rest, '|', &tag);
    char *tag_text = arena_copy(&sim->arena, tag.p, tag.n);
    int64_t now = sim_tick(sim);
    gen_packet_log(&r->out->trace, now,
                   &(struct gen_log){.realtime_ns = now + GEN_REALTIME_NS,
                                     .pid = thread->pid,
                                     .tid = thread->tid,
                                     .uid = thread->pid == PHONE_APP_PID ? PHONE_APP_UID : 1000,
                                     .priority = (unsigned)op->value,
                                     .tag = tag_text,
                                     .message = rest.p});
}

static void put_binder(struct sim *sim, const struct sim_thread *thread, const struct sim_op *op)
{
    struct gen_ftrace *f = &sim->ftrace[thread->cpu];
    if (op->code == EXAMPLE_BINDER_RECEIVED) {
        gen_ftrace_binder_received(f, sim_tick(sim), thread->tid, (int32_t)op->value);
        return;
    }
    struct str rest = str_of(op->text), pid_text;
    int64_t pid = 0, tid = 0;
    str_split_next(&rest, ':', &pid_text);
    str_to_int64(pid_text, &pid);
    str_to_int64(rest, &tid);
    gen_ftrace_binder_transaction(f, sim_tick(sim), thread->tid, (int32_t)op->value, (int32_t)pid,
                                  (int32_t)tid, op->code == EXAMPLE_BINDER_REPLY, false);
}

static void put_app_slice(struct recorder *r, struct sim *sim, const struct sim_thread *thread,
                          const char *name)
{
    struct gen_seq *seq = events_of(r, sim, thread);
    gen_event_open(seq, sim_tick(sim), GEN_EVENT_BEGIN, THREAD_UUID + (uint64_t)thread->tid);
    gen_event_category(seq, "shop");
    gen_event_name(seq, name);
    gen_event_source(seq, "shop/src/main/Startup.kt", name, 40 + (uint32_t)strlen(name));
    gen_event_close(seq);
}

static void put_example_event(struct recorder *r, struct sim *sim, struct sim_thread *thread,
                              const struct sim_op *op)
{
    int pid = thread->pid, cookie = (int)op->value;
    switch ((enum example_event)op->code) {
    case EXAMPLE_BEGIN: atrace(sim, thread, "B|%d|%s\n", pid, op->text); break;
    case EXAMPLE_END: atrace(sim, thread, "E|%d\n", pid); break;
    case EXAMPLE_ASYNC_BEGIN: atrace(sim, thread, "S|%d|%s|%d\n", pid, op->text, cookie); break;
    case EXAMPLE_ASYNC_END: atrace(sim, thread, "F|%d|%s|%d\n", pid, op->text, cookie); break;
    case EXAMPLE_TRACK_BEGIN: atrace(sim, thread, "G|%d|%s|%d\n", pid, op->text, cookie); break;
    case EXAMPLE_TRACK_END: atrace(sim, thread, "H|%d|%s|%d\n", pid, op->text, cookie); break;
    case EXAMPLE_COUNTER: atrace(sim, thread, "C|%d|%s|%d\n", pid, op->text, cookie); break;
    case EXAMPLE_INSTANT: atrace(sim, thread, "I|%d|%s\n", pid, op->text); break;
    case EXAMPLE_BENCH_BEGIN: begin_bench_frame(r, sim, thread, op); break;
    case EXAMPLE_BENCH_END: end_bench_frame(r, sim, thread, op->value); break;
    case EXAMPLE_RENDER_BEGIN: begin_render(r, sim, thread, op->value); break;
    case EXAMPLE_APP_BEGIN: put_app_slice(r, sim, thread, op->text); break;
    case EXAMPLE_RENDER_END: put_frame_timeline(r, sim, op->value); /* fall through */
    case EXAMPLE_APP_END:
        gen_slice_end(events_of(r, sim, thread), sim_tick(sim),
                      THREAD_UUID + (uint64_t)thread->tid);
        break;
    case EXAMPLE_IMAGE_BEGIN:
    case EXAMPLE_IMAGE_END: put_image(r, sim, thread, op); break;
    case EXAMPLE_HEAP: put_heap(r, sim, thread, op->value); break;
    case EXAMPLE_BINDER_CALL:
    case EXAMPLE_BINDER_RECEIVED:
    case EXAMPLE_BINDER_REPLY: put_binder(sim, thread, op); break;
    case EXAMPLE_LOG: put_log(r, sim, thread, op); break;
    }
}

static void track_slices(struct recorder *r, struct sim *sim, const struct sim_thread *thread,
                         const struct sim_op *op)
{
    struct open_slices *slices = &r->slices[index_of(sim, thread)];
    switch ((enum example_event)op->code) {
    case EXAMPLE_BEGIN:
    case EXAMPLE_APP_BEGIN:
    case EXAMPLE_IMAGE_BEGIN: push_slice(slices, op->text); break;
    case EXAMPLE_END:
    case EXAMPLE_APP_END:
    case EXAMPLE_IMAGE_END: pop_slice(slices); break;
    default: break;
    }
}

static void on_event(void *context, struct sim *sim, struct sim_thread *thread,
                     const struct sim_op *op)
{
    struct recorder *r = context;
    if (op->kind == SIM_BLOCK) {
        uint64_t symbol = gen_seq_intern(&r->kernel, GEN_INTERNED_KERNEL_SYMBOL, op->text);
        gen_ftrace_blocked_reason(&sim->ftrace[op->code], sim_tick(sim), 0, thread->tid, symbol,
                                  strcmp(op->text, "blk_mq_get_tag") != 0);
        return;
    }
    if (op->kind == SIM_FORK) {
        int64_t started = sim->now_ns; /* the tree is read after the rename */
        if (op->code) phone_put_app_process(&r->out->trace, sim_tick(sim), started);
        return;
    }
    put_example_event(r, sim, thread, op);
    track_slices(r, sim, thread, op);
}

static void on_ran(void *context, struct sim *sim, struct sim_thread *thread, int64_t from_ns,
                   int64_t to_ns)
{
    struct recorder *r = context;
    if (thread->pid != PHONE_APP_PID) return;
    const struct open_slices *slices = &r->slices[index_of(sim, thread)];
    int64_t at = from_ns + SAMPLE_EVERY_NS - from_ns % SAMPLE_EVERY_NS;
    for (; at < to_ns; at += SAMPLE_EVERY_NS)
        samples_put(&r->out->simpleperf, &sim->random, at - GEN_SUSPENDED_NS, thread->tid,
                    slices->names, slices->count < MOST_SLICES ? slices->count : MOST_SLICES);
}

/* The frequency governor of one cluster: busier is faster. */
static void set_frequency(struct recorder *r, struct sim *sim, unsigned from, unsigned to,
                          const uint32_t steps[4])
{
    int64_t busiest = 0;
    for (unsigned c = from; c <= to; c++) {
        if (sim->cpus[c].busy_ns > busiest) busiest = sim->cpus[c].busy_ns;
        sim->cpus[c].busy_ns = 0;
    }
    int64_t step = busiest * 5 / PERIOD_NS;
    uint32_t khz = steps[step > 3 ? 3 : step];
    for (unsigned c = from; c <= to; c++) {
        if (r->khz[c] == khz) continue;
        r->khz[c] = khz;
        gen_ftrace_cpu_frequency(&sim->ftrace[c], sim_tick(sim), khz);
    }
}

static void flush_kernel_events(struct recorder *r, struct sim *sim)
{
    for (unsigned c = 0; c < SIM_CPUS; c++) {
        sim->ftrace[c].interned = &r->kernel.interned;
        gen_ftrace_flush(&sim->ftrace[c], &r->out->trace, FTRACE_SEQUENCE);
    }
}

static void on_period(void *context, struct sim *sim)
{
    static const uint32_t LITTLE[] = {300000, 691200, 1228800, 1804800};
    static const uint32_t MIDDLE[] = {400000, 940800, 1670400, 2419200};
    static const uint32_t PRIME[] = {500000, 1056000, 2016000, 2841600};
    struct recorder *r = context;
    set_frequency(r, sim, 0, 3, LITTLE);
    set_frequency(r, sim, 4, 6, MIDDLE);
    set_frequency(r, sim, 7, 7, PRIME);
    if (r->periods % FLUSH_PERIODS == 0) flush_kernel_events(r, sim);
    if (r->periods % BATTERY_PERIODS == 0)
        gen_packet_battery(&r->out->trace, sim->now_ns, 3120000 - 40 * r->periods, 78.0f,
                           -410000 - 300 * (int64_t)(r->periods % 7), 4012000 - 20 * r->periods);
    r->periods++;
}

static void put_head(struct gen_example *out)
{
    static const uint32_t CAPACITIES[SIM_CPUS] = {250, 250, 250, 250, 760, 760, 760, 1024};
    struct gen_seq kernel;
    gen_packet_device_clocks(&out->trace, EXAMPLE_START_NS);
    gen_packet_trace_uuid(&out->trace, UINT64_C(0x7065726665747479), UINT64_C(0x6578616d706c6531));
    gen_packet_system_info(&out->trace, "5.15.94-android13-8");
    gen_packet_cpu_info(&out->trace, CAPACITIES, SIM_CPUS);
    phone_put_process_tree(&out->trace, EXAMPLE_START_NS);
    gen_seq_start(&kernel, &out->trace, FTRACE_SEQUENCE);
    size_t packet = gen_seq_packet_open(&kernel, -1); /* makes the sequence's state valid */
    gen_seq_packet_close(&kernel, packet);
    gen_seq_free(&kernel);
}

void gen_example_make(struct gen_example *example)
{
    *example = (struct gen_example){0};
    struct recorder recorder = {.out = example, .heap_bytes = INT64_C(21) << 20};
    struct sim sim;
    bench_descriptor(&example->descriptor);
    bench_sidecar(&example->sidecar, false);
    put_head(example);
    samples_start(&example->simpleperf);
    gen_seq_start(&recorder.kernel, &example->trace, FTRACE_SEQUENCE);
    sim_start(&sim, 20260101, EXAMPLE_START_NS);
    sim.observer = (struct sim_observer){&recorder, on_event, on_ran, on_period, PERIOD_NS};
    phone_add_threads(&sim, EXAMPLE_START_NS, EXAMPLE_END_NS);
    example_add_story(&sim);
    sim_run_until(&sim, EXAMPLE_END_NS);
    flush_kernel_events(&recorder, &sim);
    gen_packet_device_clocks(&example->trace, sim.now_ns);
    samples_finish(&example->simpleperf);
    for (size_t i = 0; i < SIM_MOST_THREADS; i++)
        gen_seq_free(&recorder.events[i]);
    gen_seq_free(&recorder.kernel);
    sim_free(&sim);
}

void gen_example_free(struct gen_example *example)
{
    buffer_free(&example->trace);
    buffer_free(&example->simpleperf);
    buffer_free(&example->descriptor);
    buffer_free(&example->sidecar);
}

void gen_example_trace(struct buffer *out)
{
    struct gen_example example;
    gen_example_make(&example);
    buffer_append_str(out, buffer_str(&example.trace));
    gen_example_free(&example);
}

static void put_archive(struct buffer *out, bool with_forbidden)
{
    struct gen_example example;
    struct gen_zip zip;
    gen_example_make(&example);
    if (with_forbidden) {
        buffer_clear(&example.sidecar);
        bench_sidecar(&example.sidecar, true);
    }
    gen_zip_start(&zip, out);
    gen_zip_add(&zip, str_of(BENCH_SIDECAR_PATH), buffer_str(&example.sidecar), GEN_ZIP_DEFLATED);
    gen_zip_add_text(&zip, BENCH_FRAMES_PATH, bench_frames_sql());
    gen_zip_add(&zip, str_of(BENCH_PROTO_PATH), buffer_str(&example.descriptor), GEN_ZIP_STORED);
    gen_zip_add_text(&zip, BENCH_MACROS_PATH, bench_macros_json());
    gen_zip_add(&zip, STR("cpu_profile.simpleperf"), buffer_str(&example.simpleperf),
                GEN_ZIP_DEFLATED);
    gen_zip_add(&zip, STR("trace.perfetto-trace"), buffer_str(&example.trace), GEN_ZIP_DEFLATED);
    gen_zip_finish(&zip);
    gen_example_free(&example);
}

void gen_example_archive(struct buffer *out)
{
    put_archive(out, false);
}

void gen_example_archive_forbidden(struct buffer *out)
{
    put_archive(out, true);
}
