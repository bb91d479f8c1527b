/* The phone of the bundled example: its processes and threads, and what those of
 * them do that are not part of the story (daemons, kernel threads, the launcher).
 */
#ifndef TESTS_GEN_PHONE_H
#define TESTS_GEN_PHONE_H

#include <stddef.h>
#include <stdint.h>

#include "tests/gen/packet.h"
#include "tests/gen/sim.h"

/* The threads that the story needs by name; the number is the simulation's. */
enum phone_thread {
    PHONE_SF,
    PHONE_SF_APP,
    PHONE_SF_RENDER,
    PHONE_ZYGOTE,
    PHONE_SYSTEM_MAIN,
    PHONE_SYSTEM_UI,
    PHONE_SYSTEM_BINDER_1,
    PHONE_SYSTEM_BINDER_2,
    PHONE_SYSTEM_BINDER_3,
    PHONE_INPUT,
    PHONE_LAUNCHER,
    PHONE_LAUNCHER_RENDER,
    PHONE_APP_MAIN,
    PHONE_APP_RENDER,
    PHONE_APP_POOL_1,
    PHONE_APP_POOL_2,
    PHONE_APP_POOL_3,
    PHONE_APP_HTTP,
    PHONE_APP_JIT,
    PHONE_APP_GC,
    PHONE_APP_BINDER_1,
    PHONE_APP_BINDER_2,
    PHONE_APP_HWUI_0,
    PHONE_APP_HWUI_1,
    PHONE_APP_GPU,
    PHONE_STORY_THREADS,
};

enum {
    PHONE_SF_PID = 702,
    PHONE_ZYGOTE_PID = 680,
    PHONE_SYSTEM_PID = 1320,
    PHONE_LAUNCHER_PID = 2210,
    PHONE_APP_PID = 4213,
    PHONE_APP_UID = 10234,
    PHONE_APP_RENDER_TID = 4231,
};

/* Adds every thread, and the programs of those outside the story until end_ns. */
void phone_add_threads(struct sim *sim, int64_t start_ns, int64_t end_ns);
/* The process tree as it is before the app starts, and the app's part of it. */
void phone_put_process_tree(struct buffer *trace, int64_t ts_ns);
void phone_put_app_process(struct buffer *trace, int64_t ts_ns, int64_t started_ns);

#endif
