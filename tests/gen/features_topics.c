/* What the bundled macros and the Android modules of the standard library are about,
 * in one second of a phone: an app starts, two of its threads wait for locks in a
 * chain, a disk is read and written, rails draw power, memory grows until the killer
 * comes. */
#include "tests/gen/features.h"

#include "tests/gen/ftrace.h"
#include "tests/gen/notation.h"
#include "tests/gen/packet.h"

#define MS(ms) (GEN_FEATURES_START + INT64_C(1000000) * (ms))
enum { SERVER = 1200, LMKD = 600, APP = 4000, WORKER = 4001, HOLDER = 4002 };

struct mark {
    int64_t at_ms;
    int32_t tid;
    const char *text;
};

/* Ends of waits are those of the locks: "worker" gets the lock at 140, "main" at 150. */
static const struct mark marks[] = {
    {1, SERVER, "S|1200|launchingActivity#1|7\n"},
    {10, APP, "B|4000|bindApplication\n"},
    {40, APP, "E|4000\n"},
    {40, APP, "B|4000|activityStart\n"},
    {60, APP, "E|4000\n"},
    {60, APP, "B|4000|activityResume\n"},
    {70, APP, "E|4000\n"},
    {80, APP, "B|4000|Choreographer#doFrame 77\n"},
    {85, APP, "E|4000\n"},
    {85, WORKER, "B|4000|DrawFrames 77\n"},
    {95, WORKER, "E|4000\n"},
    {101, SERVER, "F|1200|launchingActivity#1|7\n"},
    {101, SERVER, "I|1200|launchingActivity#1:completed-cold:com.example.app\n"},
    {105, APP, "B|4000|reportFullyDrawn\n"},
    {106, APP, "E|4000\n"},
    {107, APP, "B|4000|Choreographer#doFrame 78\n"},
    {108, APP, "E|4000\n"},
    {108, WORKER, "B|4000|DrawFrames 78\n"},
    {110, WORKER, "E|4000\n"},
    {120, WORKER,
     "B|4000|monitor contention with owner holder (4002) at void com.example.Disk.write(int)"
     "(Disk.java:5) waiters=0 blocking from void com.example.Cache.put(int)(Cache.java:10)\n"},
    {125, APP,
     "B|4000|monitor contention with owner worker (4001) at void com.example.Cache.put(int)"
     "(Cache.java:10) waiters=0 blocking from int com.example.Cache.get()(Cache.java:20)\n"},
    {140, WORKER, "E|4000\n"},
    {150, APP, "E|4000\n"},
    {400, LMKD, "B|600|lmk,4000,3,900,1000\n"},
    {401, LMKD, "E|600\n"},
};

/* Requests by the older and by the newer events: of the second disk both tell. */
static const struct gen_kernel_line requests[] = {
    {200000000, WORKER, 45, "1:2049 2:100 3:8 4:4096 5:'R' 6:'worker'"},
    {201000000, WORKER, 45, "1:2049 2:300 3:16 4:8192 5:'WS' 6:'worker'"},
    {203000000, WORKER, 125, "1:2049 2:100 3:8 5:'R'"},
    {209000000, WORKER, 125, "1:2049 2:300 3:16 5:'WS'"},
    {220000000, APP, 546, "1:64769 2:8 3:8 4:4096 6:'R'"},
    {221000000, APP, 45, "1:64769 2:8 3:8 4:4096 5:'R'"},
    {223000000, APP, 125, "1:64769 2:8 3:8 5:'R'"},
    {224000000, APP, 547, "1:64769 2:8 3:8 4:4096 6:'R'"},
    {230000000, APP, 45, "1:2049 2:900 3:8 5:'R'"}, /* never done */
};

/* 250 mW and 40 mW over a second. */
static const struct gen_line rails[] = {
    {10, "40{1{1:1 2:'S2M_VDD_CPUCL0' 3:'CPU'} 1{1:2 2:'L14S_ALIVE' 3:'System'} "
         "2{1:1 2:1000000 3:1000} 2{1:2 2:1000000 3:500} 3:7}"},
    {1000000000, "40{2{1:1 2:1001000 3:251000} 2{1:2 2:1001000 3:40500} 3:7}"},
};

void gen_write_topics(struct buffer *out)
{
    static const struct gen_process processes[] = {
        {.pid = SERVER, .ppid = 1, .name = "system_server"},
        {.pid = LMKD, .ppid = 1, .name = "/system/bin/lmkd"},
        {.pid = APP, .ppid = 1, .name = "com.example.app"},
    };
    static const struct gen_thread threads[] = {{WORKER, APP, "worker"}, {HOLDER, APP, "holder"}};
    struct gen_ftrace cpu;
    size_t next = 0;
    gen_packet_device_clocks(out, GEN_FEATURES_START);
    gen_packet_process_tree(out, GEN_FEATURES_START, 1, processes, 3, threads, 2);
    gen_ftrace_start(&cpu, 0);
    for (; next < sizeof marks / sizeof *marks && marks[next].at_ms < 200; next++)
        gen_ftrace_print(&cpu, MS(marks[next].at_ms), marks[next].tid, marks[next].text);
    gen_notation_kernel(&cpu, requests, sizeof requests / sizeof *requests);
    gen_ftrace_oom_score(&cpu, MS(300), APP, "com.example.app", 0);
    gen_ftrace_rss_stat(&cpu, MS(300), APP, 1, 100000000);
    gen_ftrace_oom_score(&cpu, MS(350), APP, "com.example.app", 900);
    gen_ftrace_rss_stat(&cpu, MS(360), APP, 1, 400000000);
    for (; next < sizeof marks / sizeof *marks; next++)
        gen_ftrace_print(&cpu, MS(marks[next].at_ms), marks[next].tid, marks[next].text);
    gen_ftrace_flush(&cpu, out, 1);
    gen_ftrace_free(&cpu);
    gen_notation_packets(out, 2, rails, sizeof rails / sizeof *rails);
}
