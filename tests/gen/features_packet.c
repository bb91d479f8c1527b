#include "tests/gen/features.h"

#include "tests/gen/chrome.h"
#include "tests/gen/event.h"
#include "tests/gen/packet.h"
#include "tests/gen/profile.h"
#include "tests/gen/simpleperf.h"
#include "tests/gen/wire.h"

#define START GEN_FEATURES_START

/* A tree of four with kernel threads, a process of several arguments, one that is
 * named again, counters of memory. */
void gen_write_processes(struct buffer *out)
{
    static const char *const ARGUMENTS[] = {"--flag", "value", NULL};
    const struct gen_process processes[] = {
        {1, 0, 0, "/init", NULL, false, 5000000000},
        {2, 0, 0, "kthreadd", NULL, true, 0},
        {30, 2, 0, "kworker/0:1-events", NULL, true, 0},
        {100, 1, 10123, "com.example.app", ARGUMENTS, false, 900000000000},
    };
    const struct gen_thread threads[] = {{101, 100, "worker"}, {102, 100, "RenderThread"}};
    gen_packet_device_clocks(out, START);
    gen_packet_process_tree(out, START, 1, processes, 4, threads, 2);
    const struct gen_process again = {100, 1, 10123, "com.example.renamed", NULL, false, 0};
    gen_packet_process_tree(out, START + 1000000, 1, &again, 1, NULL, 0);
    for (int i = 0; i < 3; i++) {
        size_t packet = gen_packet_open(out, START + 1000000 * i, 1);
        size_t stats = gen_open(out, GEN_PACKET_PROCESS_STATS);
        size_t process = gen_open(out, 1);
        gen_int(out, 1, 100);
        gen_uint(out, 3, 20000 + 100 * (uint64_t)i); /* rss kB */
        gen_uint(out, 4, 12000);
        gen_int(out, 10, -800);
        gen_close(out, process);
        gen_close(out, stats);
        gen_packet_close(out, packet);
    }
    gen_packet_trigger(out, START + 500, "slow_start", "app", 10123);
    gen_packet_battery(out, START + 600, 3000000, 81.5f, -250000, 4000000);
}

/* Events on: BOOTTIME by default; MONOTONIC by packet; an incremental clock 64 of
 * the sequence in us by defaults; a clock that nothing relates (lost). */
void gen_write_clocks(struct buffer *out)
{
    struct gen_seq seq;
    gen_packet_device_clocks(out, START);
    gen_seq_start(&seq, out, 7);
    gen_seq_track(&seq, START,
                  &(struct gen_track){.uuid = 1, .pid = 10, .tid = 10, .thread_name = "main"});
    gen_instant(&seq, START + 1000, 1, "boottime");
    seq.clock_id = GEN_CLOCK_MONOTONIC;
    gen_instant(&seq, START + 2000 - GEN_SUSPENDED_NS, 1, "monotonic");
    seq.clock_id = 123;
    gen_instant(&seq, 5, 1, "unrelated clock");
    seq.clock_id = 0;
    const struct gen_clock clocks[] = {{GEN_CLOCK_BOOTTIME, (uint64_t)START + 10000, false, 0},
                                       {64, 100, true, 1000}};
    gen_packet_clocks(out, 7, clocks, 2, 0);
    gen_seq_defaults(&seq, 1, NULL, 0, 64);
    gen_instant(&seq, 5, 0, "five us on");
    gen_instant(&seq, 7, 0, "seven more");
    gen_seq_free(&seq);
}

/* Events before any state, after a loss, and after the state is cleared again. */
void gen_write_packet_loss(struct buffer *out)
{
    struct gen_seq seq;
    gen_packet_device_clocks(out, START);
    gen_seq_start(&seq, out, 7);
    seq.is_cleared = true; /* the packet that says so is lost */
    gen_instant(&seq, START + 1000, 5, "needs state that never was");
    gen_seq_clear_state(&seq);
    gen_seq_track(&seq, START,
                  &(struct gen_track){.uuid = 5, .pid = 10, .tid = 10, .thread_name = "main"});
    gen_instant(&seq, START + 2000, 5, "whole");
    size_t packet = gen_packet_open(out, START + 3000, 7);
    gen_uint(out, GEN_PACKET_PREVIOUS_DROPPED, 1);
    gen_packet_close(out, packet);
    gen_instant(&seq, START + 4000, 5, "whole");
    gen_seq_clear_state(&seq);
    gen_instant(&seq, START + 5000, 5, "whole again");
    gen_event_open(&seq, START + 6000, GEN_EVENT_INSTANT, 5);
    gen_uint(gen_event_body(&seq), 10, 99); /* a name that was never interned */
    gen_event_close(&seq);
    gen_seq_free(&seq);
    packet = gen_packet_open(out, START + 7000, 0); /* no sequence */
    size_t event = gen_open(out, GEN_PACKET_TRACK_EVENT);
    gen_uint(out, 9, GEN_EVENT_INSTANT);
    gen_close(out, event);
    gen_packet_close(out, packet);
}

static void put_compressed(struct buffer *out, enum gen_codec codec)
{
    struct buffer inner = BUFFER_INIT;
    gen_packet_device_clocks(out, START);
    gen_write_slices(&inner);
    gen_packet_compressed(out, codec, &inner);
    buffer_free(&inner);
}

void gen_write_compressed_zlib(struct buffer *out)
{
    put_compressed(out, GEN_CODEC_ZLIB);
}

void gen_write_compressed_zstd(struct buffer *out)
{
    put_compressed(out, GEN_CODEC_ZSTD);
}

/* Three samples on two stacks with a common root, one without a stack, losses. */
void gen_write_perf_samples(struct buffer *out)
{
    const struct gen_profile_frame hot[] = {
        {"main", "/bin/app", 0x10}, {"work", "/bin/app", 0x20}, {"memcpy", "/lib/libc.so", 0x1000}};
    const struct gen_profile_frame cold[] = {{"main", "/bin/app", 0x10},
                                             {"idle", "/bin/app", 0x30}};
    struct gen_seq seq;
    gen_packet_device_clocks(out, START);
    gen_seq_start(&seq, out, 12);
    gen_profile_defaults(&seq, "cpu-clock", 1000000);
    for (int i = 0; i < 3; i++) {
        uint64_t stack = gen_profile_callstack(&seq, i == 1 ? cold : hot, i == 1 ? 2 : 3);
        gen_profile_sample(&seq, START + 1000000 * i, (uint32_t)i % 2, 100, 101, GEN_CPU_USER,
                           stack, 1000000 * (uint64_t)(i + 1));
    }
    gen_profile_sample(&seq, START + 4000000, 0, 100, 100, GEN_CPU_KERNEL, 0, 5000000);
    gen_profile_lost(&seq, START + 5000000, 1, 17);
    gen_seq_free(&seq);
}

void gen_write_android_logs(struct buffer *out)
{
    gen_packet_device_clocks(out, START);
    for (unsigned priority = 0; priority <= 7; priority++)
        gen_packet_log(out, START + 1000,
                       &(struct gen_log){.realtime_ns = START + GEN_REALTIME_NS + 1000 * priority,
                                         .pid = 10,
                                         .tid = 11,
                                         .uid = 1000,
                                         .priority = priority,
                                         .tag = priority % 2 ? "Odd" : "Even",
                                         .message = "a message\twith a tab"});
}

/* Two files; a file record after a sample; a symbol of -1; a file that is missing. */
void gen_write_simpleperf(struct buffer *out)
{
    static const char *const APP[] = {"main", "work", "std::__1::vector<int>::push_back(int&&)"};
    static const char *const LIBC[] = {"memcpy"};
    const struct gen_simpleperf_frame hot[] = {{0x1000, 1, 0}, {0x20, 0, 1}, {0x10, 0, 0}};
    const struct gen_simpleperf_frame unknown[] = {{0x7777, 1, -1}, {0x10, 0, 0}};
    const struct gen_simpleperf_frame nowhere[] = {{0x1, 9, 0}};
    gen_simpleperf_start(out, 1);
    gen_simpleperf_meta(out, "cpu-clock", "com.example.app");
    gen_simpleperf_file(out, 0, "/bin/app", APP, 3);
    gen_simpleperf_sample(out, 5000000000, 101, hot, 3, 1000000, 0);
    gen_simpleperf_sample(out, 5001000000, 101, hot, 3, 1000000, 0);
    gen_simpleperf_sample(out, 5002000000, 102, unknown, 2, 2000000, 0);
    gen_simpleperf_sample(out, 5003000000, 102, nowhere, 1, 1, 0);
    gen_simpleperf_sample(out, 5004000000, 102, NULL, 0, 1, 0);
    gen_simpleperf_context_switch(out, false, 5004500000, 102);
    gen_simpleperf_lost(out, 5, 2);
    gen_simpleperf_file(out, 1, "/lib/libc.so", LIBC, 1);
    gen_simpleperf_thread(out, 101, 100, "worker");
    gen_simpleperf_thread(out, 102, 100, "helper");
    gen_simpleperf_finish(out);
}

void gen_write_chrome_json(struct buffer *out)
{
    struct gen_chrome c;
    gen_chrome_start(&c, out);
    gen_chrome_process_name(&c, 1, "Browser");
    gen_chrome_thread_name(&c, 1, 2, "CrBrowserMain");
    gen_chrome_complete(&c, 1000, 500500, 1, 2, "task",
                        "{\"url\":\"https://example.com\",\"n\":1}");
    gen_chrome_complete(&c, 2000, 100, 1, 2, "inner \"quoted\" \\ name", NULL);
    gen_chrome_event(&c, 'B', 600000, 1, 2, "cat", "begun", NULL);
    gen_chrome_event(&c, 'E', 700000, 1, 2, "cat", "begun", NULL);
    gen_chrome_event(&c, 'i', 650000, 1, 2, "cat", "instant", "\"s\":\"t\"");
    gen_chrome_event(&c, 'b', 100000, 1, 2, "net", "request", "\"id\":\"0x1\"");
    gen_chrome_event(&c, 'e', 300000, 1, 2, "net", "request", "\"id\":\"0x1\"");
    gen_chrome_event(&c, 'C', 100000, 1, 2, NULL, "heap", "\"args\":{\"used\":5,\"free\":2.5}");
    gen_chrome_event(&c, 's', 2100, 1, 2, "flow", "hop", "\"id\":3");
    gen_chrome_event(&c, 'f', 610000, 1, 2, "flow", "hop", "\"id\":3,\"bp\":\"e\"");
    gen_chrome_finish(&c);
}

/* A recording of V8: a tree of three in two chunks; a node told twice, one whose parent
 * is not known, a sample of no node, a chunk of a recording that never began. */
void gen_write_chrome_v8(struct buffer *out)
{
    struct gen_chrome c;
    gen_chrome_start(&c, out);
    gen_chrome_thread_name(&c, 1, 2, "CrRendererMain");
    gen_chrome_event(&c, 'P', 1000, 1, 2, "v8", "Profile",
                     "\"id\":\"0x1\",\"args\":{\"data\":{\"startTime\":1000}}");
    gen_chrome_event(&c, 'P', 1001, 1, 2, "v8", "ProfileChunk",
                     "\"id\":\"0x1\",\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":["
                     "{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"url\":\"\"}},"
                     "{\"id\":2,\"parent\":1,\"callFrame\":{\"functionName\":\"draw\","
                     "\"url\":\"a.js\",\"lineNumber\":4}},"
                     "{\"id\":2,\"parent\":1,\"callFrame\":{\"functionName\":\"again\"}},"
                     "{\"id\":9,\"parent\":77,\"callFrame\":{\"functionName\":\"orphan\"}}],"
                     "\"samples\":[2,1]},\"timeDeltas\":[10,20]}}");
    gen_chrome_event(&c, 'P', 1002, 1, 2, "v8", "ProfileChunk",
                     "\"id\":\"0x1\",\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":["
                     "{\"id\":3,\"parent\":2,\"callFrame\":{\"functionName\":\"paint\","
                     "\"url\":\"a.js\"}},5],\"samples\":[3,55],\"lines\":[1,2]},"
                     "\"timeDeltas\":[5,5]}}");
    gen_chrome_event(&c, 'P', 1003, 1, 2, "v8", "ProfileChunk",
                     "\"id\":\"0x2\",\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":[],"
                     "\"samples\":[1]},\"timeDeltas\":[5]}}");
    gen_chrome_finish(&c);
}

static void put_module_symbols(struct buffer *out, const char *path, const char *build_id)
{
    size_t packet = gen_packet_open(out, -1, 0);
    size_t module = gen_open(out, GEN_PACKET_MODULE_SYMBOLS);
    gen_text(out, 1, path);
    gen_text(out, 2, build_id);
    for (uint64_t address = 0x1000; address < 0x1003; address++) {
        size_t symbols = gen_open(out, 3);
        gen_uint(out, 1, address);
        for (uint64_t inlined = 0; inlined < 2; inlined++) {
            size_t line = gen_open(out, 2);
            gen_text(out, 1, inlined ? "draw_row" : "draw");
            gen_text(out, 2, "draw.c");
            gen_uint(out, 3, address - 0x1000 + 10 * inlined);
            gen_close(out, line);
        }
        gen_close(out, symbols);
    }
    gen_close(out, module);
    gen_packet_close(out, packet);
}

/* What a symbolizer writes beside a trace: names for addresses of two libraries. */
void gen_write_module_symbols(struct buffer *out)
{
    put_module_symbols(out, "/system/lib64/libexample.so", "0123456789abcdef");
    put_module_symbols(out, "/system/lib64/libother.so", "fedcba9876543210");
}
