#include "tests/gen/features.h"

#include "tests/gen/bench.h"
#include "tests/gen/event.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

#define START GEN_FEATURES_START

enum { PROCESS = 100, MAIN = 101, WORKER = 102 };

static void put_threads(struct gen_seq *seq)
{
    gen_seq_track(seq, START,
                  &(struct gen_track){.uuid = PROCESS, .pid = 10, .process_name = "app"});
    gen_seq_track(
        seq, START,
        &(struct gen_track){
            .uuid = MAIN, .parent = PROCESS, .pid = 10, .tid = 10, .thread_name = "main"});
    gen_seq_track(
        seq, START,
        &(struct gen_track){
            .uuid = WORKER, .parent = PROCESS, .pid = 10, .tid = 11, .thread_name = "worker"});
}

static void start(struct gen_seq *seq, struct buffer *out)
{
    gen_packet_device_clocks(out, START);
    gen_seq_start(seq, out, 7);
    put_threads(seq);
}

/* On main: outer[0,100] holds inner[10,40] with deep[20,30], and inner[50,60]; an
 * instant at 55 in the second inner; open[200,…) never ends.  On worker: a named
 * end that closes only its own, an end without a begin.  All in us from START;
 * categories "a" and "a,b"; one name and one category not interned. */
void gen_write_slices(struct buffer *out)
{
    struct gen_seq seq;
    start(&seq, out);
    gen_event_open(&seq, START, GEN_EVENT_BEGIN, MAIN);
    gen_event_name(&seq, "outer");
    gen_event_category(&seq, "a");
    gen_event_category(&seq, "b");
    gen_event_close(&seq);
    gen_event_open(&seq, START + 10000, GEN_EVENT_BEGIN, MAIN);
    gen_event_name_plain(&seq, "inner");
    gen_event_category_plain(&seq, "a");
    gen_event_close(&seq);
    gen_slice_begin(&seq, START + 20000, MAIN, "deep");
    gen_slice_end(&seq, START + 30000, MAIN);
    gen_slice_end(&seq, START + 40000, MAIN);
    gen_slice_begin(&seq, START + 50000, MAIN, "inner");
    gen_instant(&seq, START + 55000, MAIN, "tick");
    gen_slice_end(&seq, START + 60000, MAIN);
    gen_slice_end(&seq, START + 100000, MAIN);
    gen_slice_begin(&seq, START + 200000, MAIN, "open");
    gen_slice_end(&seq, START + 5000, WORKER);
    gen_slice_begin(&seq, START + 10000, WORKER, "one");
    gen_slice_begin(&seq, START + 20000, WORKER, "two");
    gen_event_open(&seq, START + 30000, GEN_EVENT_END, WORKER);
    gen_event_name(&seq, "one");
    gen_event_close(&seq);
    gen_slice_end(&seq, START + 40000, WORKER);
    gen_seq_free(&seq);
}

/* One slice for each kind of value; the last has nested ones. */
void gen_write_annotations(struct buffer *out)
{
    struct gen_seq seq;
    start(&seq, out);
    gen_event_open(&seq, START, GEN_EVENT_BEGIN, MAIN);
    gen_event_name(&seq, "scalars");
    gen_event_bool(&seq, "yes", true);
    gen_event_bool(&seq, "no", false);
    gen_event_uint(&seq, "big", UINT64_MAX);
    gen_event_int(&seq, "small", INT64_MIN);
    gen_event_double(&seq, "half", 0.5);
    gen_event_text(&seq, "word", "text \xe2\x82\xac");
    gen_event_text_interned(&seq, "interned", "pooled");
    gen_event_pointer(&seq, "address", UINT64_C(0xdeadbeef));
    gen_event_json(&seq, "json", "{\"a\":[1,2.5,\"x\",null,true],\"b\":{\"c\":-3}}");
    gen_event_int(&seq, "name.with[dots]", 1);
    gen_event_close(&seq);
    gen_event_open(&seq, START + 1000, GEN_EVENT_END, MAIN);
    gen_event_int(&seq, "at_end", 9);
    gen_event_close(&seq);

    gen_event_open(&seq, START + 2000, GEN_EVENT_BEGIN, MAIN);
    gen_event_name(&seq, "nested");
    struct buffer *body = gen_event_body(&seq);
    size_t dict = gen_event_annotation_open(&seq, "dict");
    size_t entry = gen_open(body, 11);
    gen_text(body, 10, "key");
    gen_int(body, 4, 5);
    gen_close(body, entry);
    entry = gen_open(body, 11);
    gen_text(body, 10, "list");
    for (int i = 0; i < 3; i++) {
        size_t item = gen_open(body, 12);
        gen_int(body, 4, 10 * i);
        gen_close(body, item);
    }
    gen_close(body, entry);
    gen_event_annotation_close(&seq, dict);
    size_t old = gen_event_annotation_open(&seq, "old_nested");
    size_t value = gen_open(body, 8);
    gen_uint(body, 1, 1);
    gen_text(body, 2, "k");
    size_t inner = gen_open(body, 3);
    gen_text(body, 8, "v");
    gen_close(body, inner);
    gen_close(body, value);
    gen_event_annotation_close(&seq, old);
    gen_event_source(&seq, "src\\ui\\frame.cc", "Frame::Draw", 42);
    gen_event_close(&seq);
    gen_slice_end(&seq, START + 3000, MAIN);
    gen_seq_free(&seq);
}

/* Tracks: 301 plain "queue" 1,2,-3; 302 double "ratio"; 303 incremental bytes,
 * times 1024: 1,1,-1 is 1024,2048,1024; 304 thread time as an extra counter of two
 * slices on main; 305 with a share key. */
void gen_write_counters(struct buffer *out)
{
    struct gen_seq seq;
    start(&seq, out);
    gen_seq_track(
        &seq, START,
        &(struct gen_track){.uuid = 301, .parent = PROCESS, .name = "queue", .is_counter = true});
    gen_seq_track(&seq, START,
                  &(struct gen_track){.uuid = 302,
                                      .parent = PROCESS,
                                      .name = "ratio",
                                      .unit_name = "percent",
                                      .axis_key = "ratios"});
    gen_seq_track(&seq, START,
                  &(struct gen_track){.uuid = 303,
                                      .name = "sent",
                                      .unit = GEN_UNIT_BYTES,
                                      .unit_multiplier = 1024,
                                      .is_incremental = true});
    gen_seq_track(&seq, START,
                  &(struct gen_track){.uuid = 304,
                                      .parent = MAIN,
                                      .unit = GEN_UNIT_NS,
                                      .builtin_counter = 1,
                                      .is_incremental = true});
    gen_seq_track(
        &seq, START,
        &(struct gen_track){.uuid = 305, .parent = PROCESS, .name = "other", .axis_key = "ratios"});
    gen_counter(&seq, START, 301, 1);
    gen_counter(&seq, START + 1000, 301, 2);
    gen_counter(&seq, START + 2000, 301, -3);
    gen_counter_double(&seq, START, 302, 0.25);
    gen_counter_double(&seq, START + 1000, 302, -1e300);
    gen_counter(&seq, START, 303, 1);
    gen_counter(&seq, START + 1000, 303, 1);
    gen_counter(&seq, START + 2000, 303, -1);
    gen_counter(&seq, START + 500, 305, 4);
    for (int i = 0; i < 2; i++) {
        gen_event_open(&seq, START + 10000 * i, GEN_EVENT_BEGIN, MAIN);
        gen_event_name(&seq, "timed");
        gen_event_extra_counter(&seq, 304, 100);
        gen_event_extra_counter_double(&seq, 302, 0.5 + i);
        gen_event_close(&seq);
        gen_event_open(&seq, START + 10000 * i + 5000, GEN_EVENT_END, MAIN);
        gen_event_extra_counter(&seq, 304, 2500);
        gen_event_close(&seq);
    }
    const uint64_t extra[] = {301};
    gen_seq_defaults(&seq, 302, extra, 1, 0);
    gen_event_open(&seq, START + 40000, GEN_EVENT_COUNTER, 0); /* the default track */
    gen_event_counter_double(&seq, 7.5);
    gen_event_extra_counter(&seq, 0, 11);
    gen_event_close(&seq);
    gen_seq_free(&seq);
}

/* Flow 1: main "send" to worker "receive" (ends); flow 2: three steps; flow 3 has
 * one end only; two flows leave one slice. */
void gen_write_flows(struct buffer *out)
{
    struct gen_seq seq;
    start(&seq, out);
    gen_event_open(&seq, START, GEN_EVENT_BEGIN, MAIN);
    gen_event_name(&seq, "send");
    gen_event_flow(&seq, 1);
    gen_event_flow(&seq, 2);
    gen_event_close(&seq);
    gen_slice_end(&seq, START + 1000, MAIN);
    gen_event_open(&seq, START + 2000, GEN_EVENT_BEGIN, WORKER);
    gen_event_name(&seq, "receive");
    gen_event_last_flow(&seq, 1);
    gen_event_close(&seq);
    gen_slice_end(&seq, START + 3000, WORKER);
    gen_event_open(&seq, START + 4000, GEN_EVENT_BEGIN, WORKER);
    gen_event_name(&seq, "middle");
    gen_event_flow(&seq, 2);
    gen_event_close(&seq);
    gen_slice_end(&seq, START + 5000, WORKER);
    gen_event_open(&seq, START + 6000, GEN_EVENT_INSTANT, MAIN);
    gen_event_name(&seq, "done");
    gen_event_last_flow(&seq, 2);
    gen_event_close(&seq);
    gen_event_open(&seq, START + 7000, GEN_EVENT_INSTANT, MAIN);
    gen_event_name(&seq, "stray");
    gen_event_last_flow(&seq, 3);
    gen_event_close(&seq);
    gen_seq_free(&seq);
}

/* A state track of the process: idle, busy, (nothing), idle; one of a thread. */
void gen_write_states(struct buffer *out)
{
    struct gen_seq seq;
    start(&seq, out);
    gen_seq_track(
        &seq, START,
        &(struct gen_track){.uuid = 401, .parent = PROCESS, .name = "mode", .is_state = true});
    gen_seq_track(
        &seq, START,
        &(struct gen_track){.uuid = 402, .parent = WORKER, .name = "phase", .is_state = true});
    gen_state(&seq, START, 401, "idle");
    gen_state(&seq, START + 1000, 401, "busy");
    gen_state(&seq, START + 2000, 401, NULL);
    gen_state(&seq, START + 3000, 401, "idle");
    gen_state(&seq, START + 500, 402, "load");
    gen_seq_free(&seq);
}

/* Orders and depths: explicit ranks under the process, a global tree three deep,
 * the default track 0, a thread that is not merged with the system's. */
void gen_write_track_tree(struct buffer *out)
{
    struct gen_seq seq;
    start(&seq, out);
    gen_seq_track(&seq, START,
                  &(struct gen_track){.uuid = 500,
                                      .parent = PROCESS,
                                      .name = "ordered",
                                      .child_ordering = GEN_ORDER_EXPLICIT,
                                      .description = "children by rank"});
    for (int i = 0; i < 3; i++) {
        static const char *const NAMES[] = {"third", "first", "second"};
        static const int32_t RANKS[] = {30, -10, 20};
        gen_seq_track(&seq, START,
                      &(struct gen_track){.uuid = 501 + (uint64_t)i,
                                          .parent = 500,
                                          .name = NAMES[i],
                                          .order_rank = RANKS[i]});
        gen_instant(&seq, START + 1000 * i, 501 + (uint64_t)i, "mark");
    }
    gen_seq_track(&seq, START, &(struct gen_track){.uuid = 510, .name = "root"});
    gen_seq_track(&seq, START, &(struct gen_track){.uuid = 511, .parent = 510, .name = "branch"});
    gen_seq_track(&seq, START,
                  &(struct gen_track){.uuid = 512, .parent = 511, .static_name = "leaf"});
    gen_slice_begin(&seq, START, 512, "deep down");
    gen_slice_end(&seq, START + 9000, 512);
    gen_instant(&seq, START + 100, 0, "on the default track");
    gen_instant(&seq, START + 200, 9999, "on a track nobody described");
    gen_seq_track(&seq, START,
                  &(struct gen_track){.uuid = 520,
                                      .pid = 20,
                                      .tid = 21,
                                      .thread_name = "own",
                                      .name = "Own track",
                                      .no_system_merge = true});
    gen_slice_begin(&seq, START, 520, "mine");
    gen_slice_end(&seq, START + 1000, 520);
    gen_seq_track(&seq, START, &(struct gen_track){.uuid = 530, .parent = 531, .name = "loop a"});
    gen_seq_track(&seq, START, &(struct gen_track){.uuid = 531, .parent = 530, .name = "loop b"});
    gen_instant(&seq, START + 300, 530, "in a loop");
    gen_seq_free(&seq);
}

/* "Downloads" three times by name: two overlap, so two lanes; by key with
 * different names: one; and two that must stay apart. */
void gen_write_merged_tracks(struct buffer *out)
{
    struct gen_seq seq;
    start(&seq, out);
    for (uint64_t i = 0; i < 3; i++) {
        int64_t at = START + (int64_t)i * 10000;
        gen_seq_track(&seq, at,
                      &(struct gen_track){.uuid = 600 + i, .parent = PROCESS, .name = "Downloads"});
        gen_slice_begin(&seq, at, 600 + i, "file");
        gen_slice_end(&seq, at + 15000, 600 + i);
    }
    for (uint64_t i = 0; i < 2; i++) {
        gen_seq_track(&seq, START,
                      &(struct gen_track){.uuid = 610 + i,
                                          .parent = PROCESS,
                                          .name = i ? "key two" : "key one",
                                          .merge = GEN_MERGE_BY_KEY,
                                          .merge_key = "same"});
        gen_seq_track(
            &seq, START,
            &(struct gen_track){
                .uuid = 620 + i, .parent = PROCESS, .name = "apart", .merge = GEN_MERGE_NONE});
        gen_slice_begin(&seq, START + (int64_t)i * 50000, 610 + i, "keyed");
        gen_slice_end(&seq, START + (int64_t)i * 50000 + 1000, 610 + i);
        gen_slice_begin(&seq, START + (int64_t)i * 50000, 620 + i, "alone");
        gen_slice_end(&seq, START + (int64_t)i * 50000 + 1000, 620 + i);
    }
    gen_seq_free(&seq);
}

/* BenchInfo with its descriptor in the stream, and a field that nobody knows. */
void gen_write_extension(struct buffer *out)
{
    static const char *const TAGS[] = {"one", "two", NULL};
    struct gen_seq seq;
    struct buffer descriptor = BUFFER_INIT;
    bench_descriptor(&descriptor);
    gen_packet_extension_descriptor(out, &descriptor);
    start(&seq, out);
    gen_event_open(&seq, START, GEN_EVENT_BEGIN, MAIN);
    gen_event_name(&seq, "extended");
    bench_put_info(gen_event_body(&seq), &(struct bench_info){"warm", 42, TAGS, 16.5, 7, 2});
    gen_event_close(&seq);
    gen_slice_end(&seq, START + 1000, MAIN);
    gen_event_open(&seq, START + 2000, GEN_EVENT_INSTANT, MAIN);
    gen_event_name(&seq, "unknown extension");
    gen_uint(gen_event_body(&seq), 9955, 1);
    gen_event_close(&seq);
    gen_seq_free(&seq);
    buffer_free(&descriptor);
}

void gen_write_event_logs(struct buffer *out)
{
    struct gen_seq seq;
    start(&seq, out);
    for (unsigned priority = 0; priority <= 7; priority++) {
        gen_event_open(&seq, START + 1000 * (int64_t)priority, GEN_EVENT_INSTANT, MAIN);
        gen_event_name(&seq, "log");
        gen_event_log(&seq, priority % 2 ? "odd message" : "even message", priority);
        gen_event_close(&seq);
    }
    gen_seq_free(&seq);
}
