/* The story of the example: a tap in the launcher, the system starts
 * com.example.shop, its first screen is drawn and scrolled.  Frames come at 60 Hz
 * and some of them are late, each for a reason that can be found in the trace. */
#include "tests/gen/example.h"

#include <stdio.h>

#include "tests/gen/phone.h"

#define US        INT64_C(1000)
#define MS        INT64_C(1000000)
#define VSYNC     INT64_C(16666667)
#define FIRST_APP INT64_C(760) /* ms: from here on vsync goes to the app */

enum { FRAMES = 150, COLD_FRAMES = 12, SCROLL_FROM = 40 };

struct story {
    struct sim *sim;
    int next_binder;
};

static int64_t story_time(int64_t ms)
{
    return EXAMPLE_START_NS + ms * MS;
}

/* Runs for about so long: nothing in a phone takes the same time twice. */
static void run(struct story *s, int thread, int64_t us)
{
    int64_t ns = us * US;
    sim_op(s->sim, thread, SIM_RUN, gen_random_between(&s->sim->random, ns * 4 / 5, ns * 6 / 5));
}

static void begin(struct story *s, int thread, const char *name)
{
    sim_event(s->sim, thread, EXAMPLE_BEGIN, 0, name);
}

static void end(struct story *s, int thread)
{
    sim_event(s->sim, thread, EXAMPLE_END, 0, NULL);
}

static void slice(struct story *s, int thread, const char *name, int64_t us)
{
    begin(s, thread, name);
    run(s, thread, us);
    end(s, thread);
}

static void app_slice(struct story *s, int thread, const char *name, int64_t us)
{
    sim_event(s->sim, thread, EXAMPLE_APP_BEGIN, 0, name);
    run(s, thread, us);
    sim_event(s->sim, thread, EXAMPLE_APP_END, 0, NULL);
}

static void read_file(struct story *s, int thread, int64_t us)
{
    sim_block(s->sim, thread, us * US,
              gen_random_chance(&s->sim->random, 50) ? "filemap_fault" : "f2fs_wait_on_page");
}

/* A synchronous call: the caller sleeps until the callee's answer. */
static void binder_call(struct story *s, int caller, int callee, const char *what, int64_t us)
{
    const struct sim_thread *from = &s->sim->threads.items[caller];
    const struct sim_thread *to = &s->sim->threads.items[callee];
    char to_text[32], from_text[32];
    int call = ++s->next_binder, reply = ++s->next_binder;
    snprintf(to_text, sizeof to_text, "%d:%d", to->pid, to->tid);
    snprintf(from_text, sizeof from_text, "%d:%d", from->pid, from->tid);
    sim_event(s->sim, caller, EXAMPLE_BINDER_CALL, call, to_text);
    sim_op(s->sim, caller, SIM_WAKE, callee);
    sim_op(s->sim, caller, SIM_WAIT, callee);
    sim_event(s->sim, caller, EXAMPLE_BINDER_RECEIVED, reply, NULL);
    sim_op(s->sim, callee, SIM_WAIT, caller);
    sim_event(s->sim, callee, EXAMPLE_BINDER_RECEIVED, call, NULL);
    slice(s, callee, what, us);
    sim_event(s->sim, callee, EXAMPLE_BINDER_REPLY, reply, from_text);
    sim_op(s->sim, callee, SIM_WAKE, caller);
}

static void fork_thread(struct story *s, int parent, int child)
{
    run(s, parent, 60);
    sim_op(s->sim, parent, SIM_FORK, child);
}

static void tell_tap(struct story *s)
{
    struct sim *sim = s->sim;
    sim_op(sim, PHONE_INPUT, SIM_UNTIL, story_time(96));
    slice(s, PHONE_INPUT, "dispatchOnce", 180);
    sim_op(sim, PHONE_INPUT, SIM_WAKE, PHONE_LAUNCHER);

    sim_op(sim, PHONE_LAUNCHER, SIM_WAIT, PHONE_INPUT);
    begin(s, PHONE_LAUNCHER, "deliverInputEvent src=0x1002");
    run(s, PHONE_LAUNCHER, 900);
    begin(s, PHONE_LAUNCHER, "startActivity");
    binder_call(s, PHONE_LAUNCHER, PHONE_SYSTEM_BINDER_1, "startActivityAsUser", 3800);
    end(s, PHONE_LAUNCHER);
    run(s, PHONE_LAUNCHER, 1200);
    end(s, PHONE_LAUNCHER);

    sim_event(sim, PHONE_SYSTEM_BINDER_1, EXAMPLE_ASYNC_BEGIN, 77, "launching: com.example.shop");
    sim_event(sim, PHONE_SYSTEM_BINDER_1, EXAMPLE_LOG, 4,
              "ActivityTaskManager|START u0 {act=android.intent.action.MAIN "
              "cmp=com.example.shop/.MainActivity} from uid 10110");
    slice(s, PHONE_SYSTEM_BINDER_1, "startProcess: com.example.shop", 1500);
    sim_op(sim, PHONE_SYSTEM_BINDER_1, SIM_WAKE, PHONE_ZYGOTE);

    sim_op(sim, PHONE_ZYGOTE, SIM_WAIT, PHONE_SYSTEM_BINDER_1);
    begin(s, PHONE_ZYGOTE, "forkAndSpecialize");
    run(s, PHONE_ZYGOTE, 5200);
    vec_push(&sim->threads.items[PHONE_ZYGOTE].program,
             (struct sim_op){.kind = SIM_FORK, .code = 1, .value = PHONE_APP_MAIN});
    run(s, PHONE_ZYGOTE, 1100);
    end(s, PHONE_ZYGOTE);
}

static void tell_bind_application(struct story *s)
{
    int main = PHONE_APP_MAIN;
    slice(s, main, "PostFork", 3100);
    fork_thread(s, main, PHONE_APP_JIT);
    fork_thread(s, main, PHONE_APP_GC);
    fork_thread(s, main, PHONE_APP_BINDER_1);
    fork_thread(s, main, PHONE_APP_BINDER_2);
    slice(s, main, "ZygoteInit", 9200);
    begin(s, main, "ActivityThreadMain");
    binder_call(s, main, PHONE_SYSTEM_BINDER_2, "attachApplication", 5200);
    end(s, main);
    begin(s, main, "bindApplication");
    run(s, main, 5200);
    begin(s, main, "OpenDexFilesFromOat(/data/app/com.example.shop/base.apk)");
    for (int i = 0; i < 4; i++) {
        run(s, main, 2600);
        read_file(s, main, 1900);
    }
    run(s, main, 2400);
    end(s, main);
    slice(s, main, "LoadApkAssets(/data/app/com.example.shop/base.apk)", 3900);
    begin(s, main, "makeApplication");
    for (int i = 0; i < 9; i++) {
        static const char *const CLASSES[] = {"ShopApplication", "CatalogProvider", "ImageLoader"};
        char name[80];
        snprintf(name, sizeof name, "VerifyClass com.example.shop.%s", CLASSES[i % 3]);
        slice(s, main, name, 700);
        run(s, main, 900);
    }
    sim_event(s->sim, main, EXAMPLE_APP_BEGIN, 0, "ShopApplication.onCreate");
    app_slice(s, main, "DependencyGraph.build", 17000);
    sim_event(s->sim, main, EXAMPLE_APP_BEGIN, 0, "CatalogDatabase.open");
    for (int i = 0; i < 3; i++) {
        run(s, main, 2100);
        read_file(s, main, 5200);
    }
    sim_event(s->sim, main, EXAMPLE_APP_END, 0, NULL);
    fork_thread(s, main, PHONE_APP_HTTP);
    fork_thread(s, main, PHONE_APP_POOL_1);
    fork_thread(s, main, PHONE_APP_POOL_2);
    fork_thread(s, main, PHONE_APP_POOL_3);
    app_slice(s, main, "RemoteConfig.load", 9000);
    sim_event(s->sim, main, EXAMPLE_LOG, 3, "Shop|remote config loaded, 41 keys");
    sim_event(s->sim, main, EXAMPLE_APP_END, 0, NULL);
    end(s, main);
    end(s, main);
}

static void tell_inflate(struct story *s, int thread, const char *layout, int views, int64_t us)
{
    static const char *const VIEWS[] = {"ConstraintLayout", "ImageView", "TextView", "RatingBar"};
    begin(s, thread, "inflate");
    begin(s, thread, layout);
    for (int i = 0; i < views; i++)
        slice(s, thread, VIEWS[i % 4], us);
    end(s, thread);
    end(s, thread);
}

static void tell_activity(struct story *s)
{
    int main = PHONE_APP_MAIN;
    begin(s, main, "activityStart");
    binder_call(s, main, PHONE_SYSTEM_BINDER_2, "getTopActivityOptions", 900);
    slice(s, main, "ResourcesManager#getResources", 2800);
    begin(s, main, "performCreate:com.example.shop.MainActivity");
    run(s, main, 6100);
    fork_thread(s, main, PHONE_APP_RENDER);
    tell_inflate(s, main, "R.layout.activity_main", 22, 1500);
    read_file(s, main, 3100);
    app_slice(s, main, "FeedViewModel.restore", 12500);
    tell_inflate(s, main, "R.layout.toolbar", 9, 700);
    end(s, main);
    binder_call(s, main, PHONE_SYSTEM_BINDER_2, "activityIdle", 1300);
    end(s, main);
    begin(s, main, "activityResume");
    run(s, main, 5200);
    begin(s, main, "relayoutWindow");
    binder_call(s, main, PHONE_SYSTEM_BINDER_3, "relayout", 7400);
    end(s, main);
    run(s, main, 4100);
    end(s, main);
}

/* Why a frame is late; most are not. */
enum jank { JANK_NONE, JANK_FIRST, JANK_INFLATE, JANK_FILE, JANK_LOCK, JANK_RENDER };

static enum jank frame_jank(int frame)
{
    switch (frame) {
    case 0: return JANK_FIRST;
    case 1:
    case 17:
    case 71: return JANK_INFLATE;
    case 34:
    case 88: return JANK_FILE;
    case 52:
    case 103: return JANK_LOCK;
    case 6:
    case 35:
    case 61: return JANK_RENDER;
    default: return JANK_NONE;
    }
}

static void tell_layout(struct story *s, int frame, enum jank jank)
{
    int main = PHONE_APP_MAIN;
    bool scrolls = frame >= SCROLL_FROM;
    slice(s, main, "measure", jank == JANK_FIRST ? 21000 : 900);
    begin(s, main, "layout");
    run(s, main, jank == JANK_FIRST ? 9000 : 400);
    if (jank == JANK_INFLATE) {
        begin(s, main, "RV CreateView");
        tell_inflate(s, main, "R.layout.item_product", 14, 1500);
        end(s, main);
    }
    if (scrolls && frame % 4 == 0) {
        begin(s, main, "RV OnBindView");
        app_slice(s, main, "ProductCard.bind", 650);
        end(s, main);
    }
    if (jank == JANK_LOCK) {
        begin(s, main, "Lock contention on a monitor lock (owner tid: 4221)");
        sim_op(s->sim, main, SIM_SLEEP, 19 * MS);
        end(s, main);
    }
    if (jank == JANK_FILE) {
        sim_event(s->sim, main, EXAMPLE_APP_BEGIN, 0, "Preferences.commit");
        for (int i = 0; i < 3; i++) {
            run(s, main, 300);
            sim_block(s->sim, main, 7 * MS, "f2fs_sync_file");
        }
        sim_event(s->sim, main, EXAMPLE_APP_END, 0, NULL);
    }
    end(s, main);
}

static const char *frame_label(int frame)
{
    return frame < COLD_FRAMES ? "cold" : frame < SCROLL_FROM ? "warm" : "scroll";
}

static void tell_main_frame(struct story *s, int frame)
{
    int main = PHONE_APP_MAIN;
    enum jank jank = frame_jank(frame);
    char name[64];
    snprintf(name, sizeof name, "Choreographer#doFrame %d", 1021 + frame);
    sim_op(s->sim, main, SIM_WAIT, PHONE_SF_APP);
    begin(s, main, name);
    sim_event(s->sim, main, EXAMPLE_BENCH_BEGIN, frame, frame_label(frame));
    if (frame >= SCROLL_FROM) slice(s, main, "input", 350);
    slice(s, main, "animation", frame >= SCROLL_FROM ? 700 : 250);
    begin(s, main, "traversal");
    tell_layout(s, frame, jank);
    begin(s, main, "draw");
    slice(s, main, "Record View#draw()", jank == JANK_FIRST ? 8000 : 1100);
    sim_op(s->sim, main, SIM_WAKE, PHONE_APP_RENDER);
    begin(s, main, "postAndWait");
    sim_op(s->sim, main, SIM_WAIT, PHONE_APP_RENDER);
    end(s, main);
    end(s, main);
    end(s, main);
    sim_event(s->sim, main, EXAMPLE_BENCH_END, frame, NULL);
    if (jank == JANK_FILE || jank == JANK_LOCK)
        sim_event(s->sim, main, EXAMPLE_LOG, 5,
                  "Choreographer|Skipped 1 frames!  The application may be doing too much work on "
                  "its main thread.");
    end(s, main);
}

static void tell_render_frame(struct story *s, int frame)
{
    int render = PHONE_APP_RENDER;
    enum jank jank = frame_jank(frame);
    char name[64];
    sim_op(s->sim, render, SIM_WAIT, PHONE_APP_MAIN);
    snprintf(name, sizeof name, "DrawFrames %d", 1021 + frame);
    begin(s, render, name);
    sim_event(s->sim, render, EXAMPLE_RENDER_BEGIN, frame, NULL);
    slice(s, render, "syncFrameState", 450);
    sim_op(s->sim, render, SIM_WAKE, PHONE_APP_MAIN);
    begin(s, render, "dequeueBuffer");
    run(s, render, 90);
    sim_op(s->sim, render, SIM_SLEEP, gen_random_between(&s->sim->random, 150, 900) * US);
    end(s, render);
    begin(s, render, "flush commands");
    if (jank == JANK_FIRST || jank == JANK_RENDER) slice(s, render, "shader_compile", 14500);
    if (frame % 3 == 0) sim_op(s->sim, render, SIM_WAKE, PHONE_APP_HWUI_0);
    run(s, render, 2300);
    end(s, render);
    slice(s, render, "eglSwapBuffersWithDamageKHR", 700);
    slice(s, render, "queueBuffer", 260);
    sim_op(s->sim, render, SIM_WAKE, PHONE_APP_GPU);
    sim_event(s->sim, render, EXAMPLE_RENDER_END, frame, NULL);
    end(s, render);

    snprintf(name, sizeof name, "waiting for GPU completion %d", 1021 + frame);
    sim_op(s->sim, PHONE_APP_GPU, SIM_WAIT, render);
    begin(s, PHONE_APP_GPU, name);
    sim_op(s->sim, PHONE_APP_GPU, SIM_SLEEP, gen_random_between(&s->sim->random, 2, 6) * MS);
    end(s, PHONE_APP_GPU);
    if (frame % 3 == 0) {
        sim_op(s->sim, PHONE_APP_HWUI_0, SIM_WAIT, render);
        slice(s, PHONE_APP_HWUI_0, "uploadTexture", 700);
    }
}

static void tell_vsync(struct story *s)
{
    struct sim *sim = s->sim;
    int count = (int)((EXAMPLE_END_NS - EXAMPLE_START_NS) / VSYNC);
    for (int i = 1; i < count; i++) {
        int64_t at = EXAMPLE_START_NS + i * VSYNC;
        bool is_app = at >= story_time(FIRST_APP);
        bool is_launcher = i > 12 && i < 24;
        char name[64];
        sim_op(sim, PHONE_SF_APP, SIM_UNTIL, at);
        sim_event(sim, PHONE_SF_APP, EXAMPLE_COUNTER, i % 2, "VSYNC-app");
        run(s, PHONE_SF_APP, 35);
        if (is_app) sim_op(sim, PHONE_SF_APP, SIM_WAKE, PHONE_APP_MAIN);
        if (is_launcher) sim_op(sim, PHONE_SF_APP, SIM_WAKE, PHONE_LAUNCHER);

        sim_op(sim, PHONE_SF, SIM_UNTIL, at + 5 * MS);
        snprintf(name, sizeof name, "commit %d", 88000 + i);
        slice(s, PHONE_SF, name, 450);
        snprintf(name, sizeof name, "composite %d", 88000 + i);
        begin(s, PHONE_SF, name);
        run(s, PHONE_SF, 500);
        if (is_app || is_launcher) sim_op(sim, PHONE_SF, SIM_WAKE, PHONE_SF_RENDER);
        slice(s, PHONE_SF, "presentDisplay", 650);
        end(s, PHONE_SF);
        sim_event(sim, PHONE_SF, EXAMPLE_COUNTER, is_app && i % 5 ? 1 : 0,
                  "BufferTX - com.example.shop/MainActivity#212");
        if (is_app || is_launcher) {
            sim_op(sim, PHONE_SF_RENDER, SIM_WAIT, PHONE_SF);
            slice(s, PHONE_SF_RENDER, "drawLayers", 900);
        }
        if (is_launcher) {
            sim_op(sim, PHONE_LAUNCHER, SIM_WAIT, PHONE_SF_APP);
            slice(s, PHONE_LAUNCHER, "Choreographer#doFrame", 3900);
            sim_op(sim, PHONE_LAUNCHER, SIM_WAKE, PHONE_LAUNCHER_RENDER);
            sim_op(sim, PHONE_LAUNCHER_RENDER, SIM_WAIT, PHONE_LAUNCHER);
            slice(s, PHONE_LAUNCHER_RENDER, "DrawFrames", 3100);
        }
    }
}

static void tell_images(struct story *s)
{
    const int workers[] = {PHONE_APP_POOL_1, PHONE_APP_POOL_2, PHONE_APP_POOL_3};
    struct gen_random *random = &s->sim->random;
    for (int w = 0; w < 3; w++) {
        int64_t at = story_time(640 + 35 * w);
        sim_op(s->sim, workers[w], SIM_UNTIL, at);
        for (int i = 0; i < 16; i++) {
            char name[64];
            snprintf(name, sizeof name, "product_%03d.webp", 3 * i + w);
            sim_event(s->sim, workers[w], EXAMPLE_IMAGE_BEGIN, w, name);
            sim_op(s->sim, workers[w], SIM_SLEEP, gen_random_between(random, 9, 45) * MS);
            slice(s, workers[w], "decodeBitmap", gen_random_between(random, 3000, 11000));
            sim_event(s->sim, workers[w], EXAMPLE_HEAP,
                      gen_random_between(random, 400, 1900) * 1024, NULL);
            sim_event(s->sim, workers[w], EXAMPLE_IMAGE_END, w, NULL);
            sim_op(s->sim, workers[w], SIM_SLEEP, gen_random_between(random, 20, 110) * MS);
        }
    }
}

static void tell_app_daemons(struct story *s)
{
    struct gen_random *random = &s->sim->random;
    static const char *const METHODS[] = {"FeedAdapter.onBind", "ImageCache.get", "Json.parse",
                                          "PriceFormatter.format"};
    for (int i = 0; i < 60; i++) {
        char name[96];
        sim_op(s->sim, PHONE_APP_JIT, SIM_SLEEP, gen_random_between(random, 8, 60) * MS);
        snprintf(name, sizeof name, "JIT compiling void com.example.shop.%s()", METHODS[i % 4]);
        slice(s, PHONE_APP_JIT, name, gen_random_between(random, 700, 5200));
    }
    for (int i = 0; i < 3; i++) {
        sim_op(s->sim, PHONE_APP_GC, SIM_UNTIL, story_time(980 + 640 * i));
        begin(s, PHONE_APP_GC, "Background concurrent copying GC");
        slice(s, PHONE_APP_GC, "InitializePhase", 500);
        slice(s, PHONE_APP_GC, "CopyingPhase", 17000);
        slice(s, PHONE_APP_GC, "ReclaimPhase", 3200);
        sim_event(s->sim, PHONE_APP_GC, EXAMPLE_HEAP, -INT64_C(9) * 1024 * 1024, NULL);
        end(s, PHONE_APP_GC);
    }
    for (int i = 0; i < 9; i++) {
        sim_op(s->sim, PHONE_APP_HTTP, SIM_UNTIL, story_time(600 + 260 * i));
        sim_event(s->sim, PHONE_APP_HTTP, EXAMPLE_TRACK_BEGIN, i, "Network|GET /v1/feed");
        run(s, PHONE_APP_HTTP, 900);
        sim_op(s->sim, PHONE_APP_HTTP, SIM_SLEEP, gen_random_between(random, 60, 180) * MS);
        run(s, PHONE_APP_HTTP, 1400);
        sim_event(s->sim, PHONE_APP_HTTP, EXAMPLE_TRACK_END, i, "Network");
    }
}

static void tell_system_end(struct story *s)
{
    sim_op(s->sim, PHONE_SYSTEM_UI, SIM_UNTIL, story_time(985));
    slice(s, PHONE_SYSTEM_UI, "reportFullyDrawn", 700);
    sim_event(s->sim, PHONE_SYSTEM_UI, EXAMPLE_ASYNC_END, 77, "launching: com.example.shop");
    sim_event(s->sim, PHONE_SYSTEM_UI, EXAMPLE_LOG, 4,
              "ActivityTaskManager|Displayed com.example.shop/.MainActivity: +881ms");
    sim_op(s->sim, PHONE_SYSTEM_MAIN, SIM_UNTIL, story_time(300));
    for (int i = 0; i < 40; i++) {
        slice(s, PHONE_SYSTEM_MAIN, "handleMessage", 800);
        sim_op(s->sim, PHONE_SYSTEM_MAIN, SIM_SLEEP,
               gen_random_between(&s->sim->random, 20, 90) * MS);
    }
}

void example_add_story(struct sim *sim)
{
    struct story story = {sim, 52000};
    tell_tap(&story);
    tell_bind_application(&story);
    tell_activity(&story);
    for (int frame = 0; frame < FRAMES; frame++) {
        tell_main_frame(&story, frame);
        tell_render_frame(&story, frame);
    }
    sim_event(sim, PHONE_APP_MAIN, EXAMPLE_INSTANT, 0, "out of frames");
    tell_vsync(&story);
    tell_images(&story);
    tell_app_daemons(&story);
    tell_system_end(&story);
}
