/* A load that is stopped keeps what is there, at whatever moment: it never fails, and
 * the engine answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "engine/engine.h"
#include "engine/worker.h"
#include "tests/gen/story.h"

#define MOMENTS 60

struct loading {
    const char *path;
    struct engine *engine;
    struct status status;
    bool good;
};

static void run_load(void *argument, struct cancel *cancel)
{
    struct loading *l = argument;
    struct engine_options options = {.cancel = cancel};
    l->good = engine_load(l->engine, &l->path, 1, &options, &l->status);
}

static bool warns_of_stop(const struct engine *engine)
{
    const char *warning;
    for (size_t i = 0; (warning = engine_warning(engine, i)) != NULL; i++)
        if (strstr(warning, "loading was stopped")) return true;
    return false;
}

static int64_t count_slices(struct engine *engine)
{
    struct status st = STATUS_INIT;
    struct result *rows = engine_query_result(engine, STR("SELECT count(*) FROM slice"), 1, &st);
    if (!rows) fail_msg("%s", status_message(&st));
    int64_t count = result_at(rows, 0, 0)->integer;
    result_free(rows);
    return count;
}

/* The load of `path`, stopped after `us` microseconds (0: before it begins). */
static int64_t load_and_stop(const char *path, long us)
{
    struct loading l = {.path = path, .engine = engine_new()};
    struct cancel at_once = {true};
    if (us == 0) {
        run_load(&l, &at_once);
    } else {
        struct worker *worker = worker_new(NULL, NULL);
        struct job *job = worker_post(worker, run_load, &l, NULL);
        struct timespec pause = {0, us * 1000};
        nanosleep(&pause, NULL);
        job_cancel(job);
        job_wait(job);
        job_release(job);
        worker_free(worker);
    }
    int64_t slices = -1; /* the job had not begun */
    if (l.status.code != STATUS_OK) fail_msg("after %ld us: %s", us, status_message(&l.status));
    if (l.good) slices = count_slices(l.engine);
    if (us == 0) assert_true(l.good && warns_of_stop(l.engine));
    engine_free(l.engine);
    return slices;
}

static void a_stopped_load_is_no_failure(void **state)
{
    (void)state;
    char path[] = "/tmp/perfetty-stop-XXXXXX";
    struct gen_story story;
    struct buffer bytes = BUFFER_INIT;
    gen_story_archive(&bytes, 7, "com.example.Collides", &story);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes.data, bytes.length), bytes.length);
    close(fd);
    struct loading whole = {.path = path, .engine = engine_new()};
    struct cancel never = {false};
    run_load(&whole, &never);
    assert_true(whole.good);
    int64_t all = count_slices(whole.engine);
    engine_free(whole.engine);
    assert_true(all > 0);
    assert_int_equal(load_and_stop(path, 0), 0);
    for (long i = 1; i < MOMENTS; i++)
        assert_true(load_and_stop(path, i * i * 20) <= all);
    unlink(path);
    buffer_free(&bytes);
}

/* What is wrong with the operand itself stays a failure. */
static void a_missing_file_is_one(void **state)
{
    (void)state;
    struct loading l = {.path = "/nowhere/at all", .engine = engine_new()};
    struct cancel at_once = {true};
    run_load(&l, &at_once);
    assert_false(l.good);
    assert_non_null(strstr(status_message(&l.status), "/nowhere/at all"));
    status_clear(&l.status);
    engine_free(l.engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stopped_load_is_no_failure),
        cmocka_unit_test(a_missing_file_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
