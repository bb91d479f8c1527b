#include "tests/gen/samples.h"

#include <string.h>

#include "tests/gen/phone.h"
#include "tests/gen/simpleperf.h"

enum file { FILE_LIBC, FILE_ART, FILE_FRAMEWORK, FILE_SHOP, FILE_HWUI, FILE_KERNEL, FILE_COUNT };

static const char *const PATHS[FILE_COUNT] = {
    "/apex/com.android.runtime/lib64/bionic/libc.so",
    "/apex/com.android.art/lib64/libart.so",
    "/system/framework/framework.jar",
    "/data/app/com.example.shop-1/base.apk",
    "/system/lib64/libhwui.so",
    "[kernel.kallsyms]",
};

/* A function, and the slice (or thread) that tells us we are in it. */
struct function {
    const char *slice; /* prefix; NULL: only named from other tables */
    enum file file;
    const char *symbol;
};

static const struct function FUNCTIONS[] = {
    {NULL, FILE_LIBC, "__libc_init"},
    {NULL, FILE_LIBC, "__start_thread"},
    {NULL, FILE_LIBC, "__memcpy_aarch64_simd"},
    {NULL, FILE_LIBC, "scudo_malloc"},
    {NULL, FILE_LIBC, "ioctl"},
    {NULL, FILE_ART, "art_quick_invoke_stub"},
    {NULL, FILE_ART, "art::Thread::CreateCallback"},
    {NULL, FILE_ART, "artAllocObjectFromCodeRegion"},
    {NULL, FILE_ART, "art::interpreter::ExecuteSwitchImpl"},
    {"VerifyClass", FILE_ART, "art::ClassLinker::VerifyClass"},
    {"OpenDexFilesFromOat", FILE_ART, "art::OatFileManager::OpenDexFilesFromOat"},
    {"JIT compiling", FILE_ART, "art::jit::JitCompiler::CompileMethod"},
    {"CopyingPhase", FILE_ART, "art::gc::collector::ConcurrentCopying::CopyingPhase"},
    {"ReclaimPhase", FILE_ART, "art::gc::collector::ConcurrentCopying::ReclaimPhase"},
    {NULL, FILE_FRAMEWORK, "android.app.ActivityThread.main"},
    {NULL, FILE_FRAMEWORK, "android.os.Looper.loop"},
    {NULL, FILE_FRAMEWORK, "android.os.Handler.dispatchMessage"},
    {NULL, FILE_FRAMEWORK, "java.util.concurrent.ThreadPoolExecutor.runWorker"},
    {NULL, FILE_FRAMEWORK, "java.util.HashMap.getNode"},
    {"bindApplication", FILE_FRAMEWORK, "android.app.ActivityThread.handleBindApplication"},
    {"makeApplication", FILE_FRAMEWORK, "android.app.LoadedApk.makeApplicationInner"},
    {"activityStart", FILE_FRAMEWORK, "android.app.ActivityThread.handleLaunchActivity"},
    {"activityResume", FILE_FRAMEWORK, "android.app.ActivityThread.handleResumeActivity"},
    {"performCreate", FILE_FRAMEWORK, "android.app.Activity.performCreate"},
    {"inflate", FILE_FRAMEWORK, "android.view.LayoutInflater.inflate"},
    {"R.layout", FILE_FRAMEWORK, "android.view.LayoutInflater.rInflate"},
    {"ConstraintLayout", FILE_SHOP, "androidx.constraintlayout.widget.ConstraintLayout.<init>"},
    {"ImageView", FILE_FRAMEWORK, "android.widget.ImageView.<init>"},
    {"TextView", FILE_FRAMEWORK, "android.widget.TextView.<init>"},
    {"RatingBar", FILE_FRAMEWORK, "android.widget.RatingBar.<init>"},
    {"Choreographer", FILE_FRAMEWORK, "android.view.Choreographer.doFrame"},
    {"input", FILE_FRAMEWORK, "android.view.Choreographer.doCallbacks"},
    {"animation", FILE_FRAMEWORK, "android.animation.AnimationHandler.doAnimationFrame"},
    {"traversal", FILE_FRAMEWORK, "android.view.ViewRootImpl.performTraversals"},
    {"measure", FILE_FRAMEWORK, "android.view.View.measure"},
    {"layout", FILE_FRAMEWORK, "android.view.View.layout"},
    {"draw", FILE_FRAMEWORK, "android.view.ViewRootImpl.performDraw"},
    {"Record View", FILE_FRAMEWORK, "android.view.View.updateDisplayListIfDirty"},
    {"RV CreateView", FILE_SHOP, "androidx.recyclerview.widget.RecyclerView.createViewHolder"},
    {"RV OnBindView", FILE_SHOP, "androidx.recyclerview.widget.RecyclerView.bindViewHolder"},
    {"ShopApplication.onCreate", FILE_SHOP, "com.example.shop.ShopApplication.onCreate"},
    {"DependencyGraph", FILE_SHOP, "com.example.shop.di.DependencyGraph.build"},
    {"CatalogDatabase", FILE_SHOP, "com.example.shop.data.CatalogDatabase.open"},
    {"RemoteConfig", FILE_SHOP, "com.example.shop.config.RemoteConfig.load"},
    {"FeedViewModel", FILE_SHOP, "com.example.shop.feed.FeedViewModel.restore"},
    {"ProductCard", FILE_SHOP, "com.example.shop.feed.ProductCard.bind"},
    {"Preferences", FILE_SHOP, "com.example.shop.data.Preferences.commit"},
    {"product_", FILE_SHOP, "com.example.shop.image.ImageLoader.load"},
    {"decodeBitmap", FILE_HWUI, "android::BitmapFactory::decodeStream"},
    {"DrawFrames", FILE_HWUI, "android::uirenderer::renderthread::DrawFrameTask::run"},
    {"syncFrameState", FILE_HWUI, "android::uirenderer::RenderNode::prepareTree"},
    {"flush commands", FILE_HWUI, "GrDirectContext::flushAndSubmit"},
    {"shader_compile", FILE_HWUI, "GrGLProgramBuilder::CreateProgram"},
    {"eglSwapBuffers", FILE_HWUI, "android::uirenderer::skiapipeline::SkiaPipeline::swapBuffers"},
    {"queueBuffer", FILE_HWUI, "android::Surface::queueBuffer"},
    {NULL, FILE_HWUI, "android::uirenderer::renderthread::RenderThread::threadLoop"},
    {NULL, FILE_HWUI, "SkCanvas::drawPicture"},
    {NULL, FILE_KERNEL, "el0_svc"},
    {NULL, FILE_KERNEL, "do_page_fault"},
    {NULL, FILE_KERNEL, "clear_page"},
};

enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0], DEEPEST = 32 };

static struct gen_simpleperf_frame frame_of(size_t function, uint64_t offset)
{
    int32_t symbol = 0;
    for (size_t i = 0; i < function; i++)
        if (FUNCTIONS[i].file == FUNCTIONS[function].file) symbol++;
    return (struct gen_simpleperf_frame){UINT64_C(0x1000) * (uint64_t)(symbol + 1) + offset,
                                         FUNCTIONS[function].file, symbol};
}

static size_t function_named(const char *symbol)
{
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        if (strcmp(FUNCTIONS[i].symbol, symbol) == 0) return i;
    return 0;
}

void samples_start(struct buffer *simpleperf)
{
    gen_simpleperf_start(simpleperf, 1);
    gen_simpleperf_meta(simpleperf, "cpu-clock:u", "com.example.shop");
}

void samples_finish(struct buffer *simpleperf)
{
    static const struct {
        int32_t tid;
        const char *name;
    } THREADS[] = {
        {PHONE_APP_PID, "om.example.shop"}, {PHONE_APP_RENDER_TID, "RenderThread"},
        {4219, "Jit thread pool"},          {4221, "HeapTaskDaemon"},
        {4236, "pool-2-thread-1"},          {4237, "pool-2-thread-2"},
        {4238, "pool-2-thread-3"},          {4241, "OkHttp Dispatch"},
    };
    gen_simpleperf_lost(simpleperf, 4000, 0);
    for (uint32_t file = 0; file < FILE_COUNT; file++) {
        const char *symbols[FUNCTION_COUNT];
        size_t count = 0;
        for (size_t i = 0; i < FUNCTION_COUNT; i++)
            if (FUNCTIONS[i].file == (enum file)file) symbols[count++] = FUNCTIONS[i].symbol;
        gen_simpleperf_file(simpleperf, file, PATHS[file], symbols, count);
    }
    for (size_t i = 0; i < sizeof THREADS / sizeof THREADS[0]; i++)
        gen_simpleperf_thread(simpleperf, THREADS[i].tid, PHONE_APP_PID, THREADS[i].name);
    gen_simpleperf_finish(simpleperf);
}

/* Functions below the first slice: how threads of this kind begin. */
static size_t put_roots(struct gen_simpleperf_frame *frames, int32_t tid)
{
    static const char *const MAIN[] = {"__libc_init", "android.app.ActivityThread.main",
                                       "android.os.Looper.loop",
                                       "android.os.Handler.dispatchMessage", NULL};
    static const char *const RENDER[] = {
        "__start_thread", "android::uirenderer::renderthread::RenderThread::threadLoop", NULL};
    static const char *const RUNTIME[] = {"__start_thread", "art::Thread::CreateCallback", NULL};
    static const char *const POOL[] = {"__start_thread", "art::Thread::CreateCallback",
                                       "java.util.concurrent.ThreadPoolExecutor.runWorker", NULL};
    const char *const *roots = tid == PHONE_APP_PID          ? MAIN
                               : tid == PHONE_APP_RENDER_TID ? RENDER
                               : tid >= 4236                 ? POOL
                                                             : RUNTIME;
    size_t count = 0;
    for (; roots[count]; count++)
        frames[count] = frame_of(function_named(roots[count]), 0x40);
    return count;
}

static size_t put_leaf(struct gen_simpleperf_frame *frames, struct gen_random *random, int32_t tid)
{
    static const char *const JAVA[] = {"artAllocObjectFromCodeRegion", "java.util.HashMap.getNode",
                                       "art::interpreter::ExecuteSwitchImpl"};
    static const char *const NATIVE[] = {"SkCanvas::drawPicture", "__memcpy_aarch64_simd",
                                         "scudo_malloc", "ioctl"};
    static const char *const KERNEL[] = {"el0_svc", "do_page_fault", "clear_page"};
    int64_t dice = gen_random_between(random, 0, 9);
    if (dice < 3) return 0;
    if (dice == 9) {
        for (size_t i = 0; i < 3; i++)
            frames[i] = frame_of(function_named(KERNEL[i]), 0x20);
        return 3;
    }
    const char *symbol = tid == PHONE_APP_RENDER_TID ? NATIVE[gen_random_between(random, 0, 3)]
                                                     : JAVA[gen_random_between(random, 0, 2)];
    frames[0] = frame_of(function_named(symbol), 0x10 * (uint64_t)gen_random_between(random, 1, 4));
    return 1;
}

void samples_put(struct buffer *simpleperf, struct gen_random *random, int64_t time_ns, int32_t tid,
                 const char *const *slices, size_t slice_count)
{
    struct gen_simpleperf_frame frames[DEEPEST], leaf_first[DEEPEST];
    size_t count = put_roots(frames, tid);
    for (size_t i = 0; i < slice_count && count < DEEPEST - 4; i++)
        for (size_t k = 0; k < FUNCTION_COUNT; k++) {
            const char *prefix = FUNCTIONS[k].slice;
            if (!prefix || strncmp(slices[i], prefix, strlen(prefix)) != 0) continue;
            frames[count++] = frame_of(k, 0x80);
            break;
        }
    count += put_leaf(frames + count, random, tid);
    for (size_t i = 0; i < count; i++)
        leaf_first[i] = frames[count - 1 - i];
    gen_simpleperf_sample(simpleperf, time_ns, tid, leaf_first, count, 500000, 0);
}
