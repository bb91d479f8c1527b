#include "tests/gen/phone.h"

#include "tests/gen/example.h"

enum { RT = 98, DISPLAY = 97, TOP = 110, NORMAL = 120, BACKGROUND = 130, KWORKER = 120 };

struct phone_row {
    int32_t tid, pid;
    const char *comm;
    int32_t prio;
    unsigned allowed;
    bool alive;
    int run_us[2], sleep_us[2]; /* of a loop; 0: no loop */
    const char *slice;          /* drawn about the run, or NULL */
    const char *block;          /* kernel function it blocks in now and then, or NULL */
};

/* The first PHONE_STORY_THREADS rows in the order of enum phone_thread. */
static const struct phone_row ROWS[] = {
    {702, 702, "surfaceflinger", DISPLAY, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {731, 702, "app", DISPLAY, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {729, 702, "RenderEngine", DISPLAY, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {680, 680, "main", NORMAL, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {1320, 1320, "system_server", TOP, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {1342, 1320, "android.ui", TOP, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {1391, 1320, "binder:1320_1", NORMAL, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {1392, 1320, "binder:1320_2", NORMAL, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {1433, 1320, "binder:1320_A", NORMAL, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {1377, 1320, "InputDispatcher", TOP, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {2210, 2210, "ample.launcher", TOP, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {2236, 2210, "RenderThread", TOP, SIM_ANY_CPU, true, {0, 0}, {0, 0}, NULL, NULL},
    {4213, 4213, "om.example.shop", TOP, SIM_BIG, false, {0, 0}, {0, 0}, NULL, NULL},
    {4231, 4213, "RenderThread", TOP, SIM_BIG, false, {0, 0}, {0, 0}, NULL, NULL},
    {4236, 4213, "pool-2-thread-1", NORMAL, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    {4237, 4213, "pool-2-thread-2", NORMAL, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    {4238, 4213, "pool-2-thread-3", NORMAL, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    {4241, 4213, "OkHttp Dispatch", NORMAL, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    {4219, 4213, "Jit thread pool", 129, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    {4221, 4213, "HeapTaskDaemon", 124, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    {4225, 4213, "binder:4213_1", NORMAL, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    {4226, 4213, "binder:4213_2", NORMAL, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    {4233, 4213, "hwuiTask0", TOP, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    {4234, 4213, "hwuiTask1", TOP, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    {4235, 4213, "GPU completion", TOP, SIM_ANY_CPU, false, {0, 0}, {0, 0}, NULL, NULL},
    /* from here on nobody refers to a row by number */
    {14, 14, "rcu_preempt", KWORKER, SIM_LITTLE, true, {4, 30}, {3000, 9000}, NULL, NULL},
    {31, 31, "ksoftirqd/2", KWORKER, 1 << 2, true, {10, 80}, {20000, 90000}, NULL, NULL},
    {71, 71, "kworker/0:1-events", KWORKER, 1 << 0, true, {20, 200}, {8000, 30000}, NULL, NULL},
    {88,
     88,
     "kworker/4:2-mm_percpu_wq",
     KWORKER,
     1 << 4,
     true,
     {20, 90},
     {9000, 40000},
     NULL,
     NULL},
    {93,
     93,
     "kworker/u16:3-loop",
     KWORKER,
     SIM_ANY_CPU,
     true,
     {20, 400},
     {5000, 30000},
     NULL,
     "blk_mq_get_tag"},
    {120,
     120,
     "kswapd0",
     KWORKER,
     SIM_LITTLE,
     true,
     {100, 900},
     {30000, 200000},
     NULL,
     "shrink_inactive_list"},
    {188, 188, "irq/238-touch", RT, SIM_LITTLE, true, {15, 60}, {16000, 17000}, NULL, NULL},
    {203,
     203,
     "crtc_commit:108",
     DISPLAY,
     SIM_ANY_CPU,
     true,
     {40, 160},
     {16600, 16700},
     NULL,
     NULL},
    {265,
     265,
     "jbd2/dm-38-8",
     KWORKER,
     SIM_ANY_CPU,
     true,
     {60, 300},
     {60000, 250000},
     NULL,
     "jbd2_journal_commit_transaction"},
    {1, 1, "init", NORMAL, SIM_ANY_CPU, true, {60, 200}, {120000, 400000}, NULL, NULL},
    {612, 612, "logd", NORMAL, SIM_ANY_CPU, true, {20, 90}, {20000, 90000}, NULL, NULL},
    {621, 612, "logd.writer", BACKGROUND, SIM_LITTLE, true, {20, 160}, {4000, 25000}, NULL, NULL},
    {622, 612, "logd.klogd", BACKGROUND, SIM_LITTLE, true, {10, 60}, {70000, 290000}, NULL, NULL},
    {703, 702, "TimerDispatch", DISPLAY, SIM_ANY_CPU, true, {20, 70}, {8300, 8400}, NULL, NULL},
    {715, 702, "binder:702_1", NORMAL, SIM_ANY_CPU, true, {30, 140}, {8000, 30000}, NULL, NULL},
    {716, 702, "binder:702_2", NORMAL, SIM_ANY_CPU, true, {30, 200}, {20000, 60000}, NULL, NULL},
    {655, 655, "audioserver", TOP, SIM_ANY_CPU, true, {20, 60}, {50000, 200000}, NULL, NULL},
    {660, 655, "FastMixer", RT, SIM_LITTLE, true, {60, 150}, {3900, 4100}, NULL, NULL},
    {1348,
     1320,
     "android.fg",
     TOP,
     SIM_ANY_CPU,
     true,
     {50, 500},
     {9000, 60000},
     "handleMessage",
     NULL},
    {1349,
     1320,
     "android.bg",
     BACKGROUND,
     SIM_LITTLE,
     true,
     {100, 900},
     {9000, 50000},
     "handleMessage",
     NULL},
    {1351,
     1320,
     "android.display",
     DISPLAY + 19,
     SIM_ANY_CPU,
     true,
     {60, 300},
     {16000, 34000},
     "performTraversals",
     NULL},
    {1352,
     1320,
     "android.anim",
     TOP,
     SIM_ANY_CPU,
     true,
     {80, 400},
     {16600, 16700},
     "Choreographer#doFrame",
     NULL},
    {1378, 1320, "InputReader", TOP, SIM_ANY_CPU, true, {30, 150}, {8300, 16700}, NULL, NULL},
    {1366,
     1320,
     "HeapTaskDaemon",
     BACKGROUND,
     SIM_LITTLE,
     true,
     {900, 4000},
     {300000, 900000},
     "Background concurrent copying GC",
     NULL},
    {1395,
     1320,
     "PackageManager",
     BACKGROUND,
     SIM_ANY_CPU,
     true,
     {40, 700},
     {30000, 160000},
     NULL,
     "filemap_fault"},
    {1980,
     1980,
     "ndroid.systemui",
     TOP,
     SIM_ANY_CPU,
     true,
     {200, 1200},
     {33000, 120000},
     "Choreographer#doFrame",
     NULL},
    {2004,
     1980,
     "RenderThread",
     TOP,
     SIM_ANY_CPU,
     true,
     {200, 900},
     {33000, 120000},
     "DrawFrames",
     NULL},
    {2011,
     1980,
     "binder:1980_1",
     NORMAL,
     SIM_ANY_CPU,
     true,
     {30, 200},
     {30000, 100000},
     NULL,
     NULL},
    {2241,
     2210,
     "binder:2210_1",
     NORMAL,
     SIM_ANY_CPU,
     true,
     {30, 200},
     {40000, 160000},
     NULL,
     NULL},
    {2710,
     2710,
     "om.example.mail",
     BACKGROUND,
     SIM_LITTLE,
     true,
     {300, 2500},
     {9000, 50000},
     "handleMessage",
     NULL},
    {2731,
     2710,
     "SyncAdapterThre",
     BACKGROUND,
     SIM_LITTLE,
     true,
     {900, 6000},
     {2000, 16000},
     "syncMailbox",
     "filemap_fault"},
    {2732,
     2710,
     "pool-1-thread-1",
     BACKGROUND,
     SIM_LITTLE,
     true,
     {900, 9000},
     {4000, 22000},
     "parseMessage",
     NULL},
    {2717,
     2710,
     "HeapTaskDaemon",
     BACKGROUND,
     SIM_LITTLE,
     true,
     {2000, 7000},
     {400000, 900000},
     "Background concurrent copying GC",
     NULL},
    {905, 905, "traced", NORMAL, SIM_LITTLE, true, {60, 300}, {90000, 110000}, NULL, NULL},
    {906, 906, "traced_probes", NORMAL, SIM_LITTLE, true, {200, 900}, {40000, 60000}, NULL, NULL},
};

static const struct gen_process PROCESSES[] = {
    {1, 0, 0, "/system/bin/init", NULL, false, 900000000},
    {2, 0, 0, "kthreadd", NULL, true, 0},
    {14, 2, 0, "rcu_preempt", NULL, true, 0},
    {31, 2, 0, "ksoftirqd/2", NULL, true, 0},
    {71, 2, 0, "kworker/0:1-events", NULL, true, 0},
    {88, 2, 0, "kworker/4:2-mm_percpu_wq", NULL, true, 0},
    {93, 2, 0, "kworker/u16:3-loop", NULL, true, 0},
    {120, 2, 0, "kswapd0", NULL, true, 0},
    {188, 2, 0, "irq/238-touch", NULL, true, 0},
    {203, 2, 0, "crtc_commit:108", NULL, true, 0},
    {265, 2, 0, "jbd2/dm-38-8", NULL, true, 0},
    {612, 1, 1036, "/system/bin/logd", NULL, false, 3400000000},
    {655, 1, 1041, "/system/bin/audioserver", NULL, false, 5100000000},
    {680, 1, 0, "zygote64", NULL, false, 5200000000},
    {702, 1, 1000, "/system/bin/surfaceflinger", NULL, false, 5300000000},
    {905, 1, 9999, "/system/bin/traced", NULL, false, 6000000000},
    {906, 1, 9999, "/system/bin/traced_probes", NULL, false, 6100000000},
    {1320, 680, 1000, "system_server", NULL, false, 9800000000},
    {1980, 680, 10090, "com.android.systemui", NULL, false, 16000000000},
    {2210, 680, 10110, "com.example.launcher", NULL, false, 21000000000},
    {2710, 680, 10188, "com.example.mail", NULL, false, 3120000000000},
};

enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static void add_loop(struct sim *sim, int thread, const struct phone_row *row, int64_t start_ns,
                     int64_t end_ns)
{
    struct gen_random *random = &sim->random;
    int64_t at = start_ns + gen_random_between(random, 0, row->sleep_us[1]) * 1000;
    sim_op(sim, thread, SIM_UNTIL, at);
    while (at < end_ns) {
        int64_t run = gen_random_between(random, row->run_us[0], row->run_us[1]) * 1000;
        int64_t rest = gen_random_between(random, row->sleep_us[0], row->sleep_us[1]) * 1000;
        if (row->slice) sim_event(sim, thread, EXAMPLE_BEGIN, 0, row->slice);
        sim_op(sim, thread, SIM_RUN, run);
        if (row->block && gen_random_chance(random, 30)) {
            sim_block(sim, thread, gen_random_between(random, 200, 4000) * 1000, row->block);
            sim_op(sim, thread, SIM_RUN, run / 3 + 5000);
        }
        if (row->slice) sim_event(sim, thread, EXAMPLE_END, 0, NULL);
        sim_op(sim, thread, SIM_SLEEP, rest);
        at += run + rest;
    }
}

void phone_add_threads(struct sim *sim, int64_t start_ns, int64_t end_ns)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const struct phone_row *row = &ROWS[i];
        int thread =
            sim_add_thread(sim, row->tid, row->pid, row->comm, row->prio, row->allowed, row->alive);
        if (row->run_us[1]) add_loop(sim, thread, row, start_ns, end_ns);
    }
}

void phone_put_process_tree(struct buffer *trace, int64_t ts_ns)
{
    struct gen_thread threads[ROW_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (ROWS[i].alive && ROWS[i].tid != ROWS[i].pid)
            threads[count++] = (struct gen_thread){ROWS[i].tid, ROWS[i].pid, ROWS[i].comm};
    gen_packet_process_tree(trace, ts_ns, 1, PROCESSES, sizeof PROCESSES / sizeof PROCESSES[0],
                            threads, count);
}

void phone_put_app_process(struct buffer *trace, int64_t ts_ns, int64_t started_ns)
{
    const struct gen_process app = {
        PHONE_APP_PID, PHONE_ZYGOTE_PID, PHONE_APP_UID, "com.example.shop", NULL,
        false,         started_ns};
    gen_packet_process_tree(trace, ts_ns, 1, &app, 1, NULL, 0);
}
