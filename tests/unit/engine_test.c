/* A load from operands to rows: archives, sidecars, losses, results, the worker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <zip.h>

#include "engine/base/buffer.h"
#include "engine/engine.h"
#include "engine/worker.h"

static char path[] = "/tmp/perfetty_engine_XXXXXX";

#define EVENT(name, ts) \
    "[{\"name\":\"" name "\",\"ph\":\"X\",\"ts\":" #ts ",\"dur\":5,\"pid\":1,\"tid\":1}]"

struct entry {
    const char *name, *body;
};

static void write_zip(const struct entry *entries, size_t n)
{
    int error;
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &error);
    assert_non_null(zip);
    for (size_t i = 0; i < n; i++) {
        zip_source_t *source = zip_source_buffer(zip, entries[i].body, strlen(entries[i].body), 0);
        assert_true(zip_file_add(zip, entries[i].name, source, ZIP_FL_ENC_UTF_8) >= 0);
    }
    assert_int_equal(zip_close(zip), 0);
}

static void write_text(const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static struct engine *load_as(enum engine_extensions mode)
{
    struct engine *engine = engine_new();
    struct engine_options options = {.extensions = mode};
    struct status st = STATUS_INIT;
    const char *operand = path;
    bool ok = engine_load(engine, &operand, 1, &options, &st);
    if (!ok) fail_msg("%s", status_message(&st));
    return engine;
}

static struct engine *load(void)
{
    return load_as(ENGINE_EXTENSIONS_LOAD);
}

static void expect_failure(const char *part)
{
    struct engine *engine = engine_new();
    struct status st = STATUS_INIT;
    const char *operand = path;
    assert_false(engine_load(engine, &operand, 1, NULL, &st));
    if (!strstr(status_message(&st), part)) fail_msg("'%s' lacks '%s'", status_message(&st), part);
    if (!strstr(status_message(&st), path)) fail_msg("'%s' names no file", status_message(&st));
    status_clear(&st);
    engine_free(engine);
}

/* Cells joined by ',' and rows by ';'. */
static void expect_rows(struct engine *engine, const char *sql, const char *want)
{
    struct status st = STATUS_INIT;
    struct result *result = engine_query_result(engine, str_of(sql), 100, &st);
    if (!result) fail_msg("%s: %s", sql, status_message(&st));
    struct buffer got = BUFFER_INIT;
    for (uint64_t row = 0; row < result->n_rows; row++)
        for (uint32_t c = 0; c < result->n_columns; c++) {
            const struct result_cell *cell = result_at(result, row, c);
            buffer_append_text(&got, c > 0 ? "," : row > 0 ? ";" : "");
            if (cell->type == CELL_INT) buffer_printf(&got, "%lld", (long long)cell->integer);
            if (cell->type == CELL_REAL) buffer_printf(&got, "%g", cell->real);
            if (cell->type == CELL_NULL) buffer_append_text(&got, "NULL");
            if (cell->type >= CELL_TEXT) buffer_append_str(&got, cell->text);
        }
    assert_string_equal(buffer_text(&got), want);
    buffer_free(&got);
    result_free(result);
}

static void empty_file_is_an_empty_trace(void **state)
{
    (void)state;
    write_text("");
    struct engine *engine = load();
    expect_rows(engine, "select count(1) from slice", "0");
    assert_null(engine_warning(engine, 0));
    assert_int_equal(engine_start(engine), 0);
    assert_int_equal(engine_end(engine), 0);
    engine_free(engine);
}

static void unknown_file_says_what_was_tried(void **state)
{
    (void)state;
    write_text("no trace at all");
    expect_failure("Unknown trace type provided (ERR:fmt)");
    expect_failure("Formats tried: ");
}

static void events_become_rows(void **state)
{
    (void)state;
    write_text(EVENT("one", 10));
    struct engine *engine = load();
    expect_rows(engine, "select name, ts, dur from slice", "one,10000,5000");
    assert_int_equal(engine_start(engine), 10000);
    assert_int_equal(engine_end(engine), 15000);
    expect_rows(engine,
                "select id, name, trace_type, is_container, processing_order from "
                "__intrinsic_trace_file",
                "0,NULL,json,0,0");
    engine_free(engine);
}

static void members_are_files_in_order(void **state)
{
    (void)state;
    const struct entry entries[] = {
        {"b.json", EVENT("b", 1)},
        {"readme.txt", "words"},
        {"a.json", EVENT("a", 2)},
        {"dir/.DS_Store", "hidden"},
    };
    write_zip(entries, 4);
    struct engine *engine = load();
    expect_rows(engine, "select name from slice order by ts", "b;a");
    expect_rows(
        engine,
        "select id, parent_id, name, trace_type, processing_order from "
        "__intrinsic_trace_file",
        "0,NULL,NULL,zip,0;1,0,b.json,json,2;2,0,readme.txt,unknown,NULL;3,0,a.json,json,1");
    expect_rows(engine, "select value from stats where name = 'perfetty_member_skipped'", "1");
    assert_non_null(engine_warning(engine, 0));
    assert_non_null(strstr(engine_warning(engine, 0), "readme.txt: left out"));
    assert_null(engine_warning(engine, 1));
    engine_free(engine);
}

static void archive_without_a_trace_fails(void **state)
{
    (void)state;
    const struct entry entries[] = {{"readme.txt", "words"}};
    write_zip(entries, 1);
    expect_failure("readme.txt: Unknown trace type");
}

#define SIDECAR(inner) \
    "{\"perfetto_metadata\":{\"version\":1,\"extensions\":{\"type\":\"inline\",\"namespace\":" \
    "\"com.ex\"" inner "}}}"

static void claimed_members_are_no_traces(void **state)
{
    (void)state;
    const struct entry entries[] = {
        {"a.json", EVENT("a", 2)},
        {".ext/macros.json", "[{\"id\":\"com.ex.M\",\"name\":\"M\",\"run\":[]}]"},
        {"ext/m.sql", "SELECT 1"},
        {"zz_meta.json",
         SIDECAR(",\"macros\":[{\"type\":\"file\",\"path\":\".ext/macros.json\"}],\"sql_modules\":"
                 "[{\"type\":\"file\",\"name\":\"com.ex.m\",\"path\":\"ext/m.sql\"}]")},
    };
    write_zip(entries, 4);
    struct engine *engine = load();
    assert_null(engine_warning(engine, 0));
    expect_rows(engine, "select value from stats where name = 'perfetty_member_skipped'", "0");
    static const char section[] =
        "{\"type\":\"inline\",\"namespace\":\"com.ex\",\"macros\":[{\"type\":\"inline\",\"id\":"
        "\"com.ex.M\",\"name\":\"M\",\"run\":[]}],\"sql_modules\":[{\"type\":\"inline\",\"name\":"
        "\"com.ex.m\",\"sql\":\"SELECT 1\"}]}";
    assert_true(str_is(engine_trace_extensions(engine), section));
    expect_rows(engine,
                "select str_value from metadata where name = 'trace_extensions' and key_type = "
                "'single' and machine_id is null and trace_id is null",
                section);
    engine_free(engine);

    engine = load_as(ENGINE_EXTENSIONS_IGNORE);
    assert_null(engine_trace_extensions(engine).p);
    engine_free(engine);
}

static void package_of_the_trace_gives_way(void **state)
{
    (void)state;
    const struct entry entries[] = {
        {"a.json", EVENT("a", 2)},
        {"meta.json",
         SIDECAR(",\"sql_modules\":[{\"type\":\"inline\",\"name\":\"com.ex.m\",\"sql\":"
                 "\"CREATE PERFETTO VIEW ex AS SELECT 'trace' AS who\"}]")},
    };
    write_zip(entries, 2);
    struct engine *engine = load();
    expect_rows(engine, "include perfetto module com.ex.m; select who from ex", "trace");
    expect_rows(engine,
                "select value from stats where name = 'perfetty_extensions_package_skipped'", "0");
    engine_free(engine);

    static const struct engine_module mine = {"com.ex.m",
                                              "CREATE PERFETTO VIEW ex AS SELECT 'user' AS who"};
    struct status st = STATUS_INIT;
    const char *operand = path;
    engine = engine_new(); /* the user's is there first */
    assert_true(engine_register_package(engine, "com.ex", &mine, 1, &st));
    assert_true(engine_load(engine, &operand, 1, NULL, &st));
    expect_rows(engine, "include perfetto module com.ex.m; select who from ex", "user");
    expect_rows(engine,
                "select value, severity, source from stats where name = "
                "'perfetty_extensions_package_skipped'",
                "1,error,analysis");
    assert_non_null(strstr(engine_warning(engine, 0), "com.ex"));
    engine_free(engine);

    engine = load(); /* and the user's comes later */
    assert_true(engine_register_package(engine, "com.ex", &mine, 1, &st));
    expect_rows(engine, "include perfetto module com.ex.m; select who from ex", "user");
    expect_rows(engine,
                "select value from stats where name = 'perfetty_extensions_package_skipped'", "1");
    assert_non_null(strstr(engine_warning(engine, 0), "gives way"));
    engine_free(engine);
}

static void bad_sidecar_fails_the_load_and_is_listed(void **state)
{
    (void)state;
    const struct entry entries[] = {
        {"meta.json", SIDECAR(",\"macros\":5,\"sql_modules\":6")},
        {"a.json", EVENT("a", 2)},
    };
    write_zip(entries, 2);
    expect_failure("meta.json: perfetto_metadata: extensions.macros: found 5");
    struct engine *engine = load_as(ENGINE_EXTENSIONS_CHECK);
    assert_non_null(engine_extension_problem(engine, 0));
    assert_non_null(strstr(engine_extension_problem(engine, 1), "extensions.sql_modules: found 6"));
    assert_null(engine_extension_problem(engine, 2));
    engine_free(engine);
    engine_free(load_as(ENGINE_EXTENSIONS_IGNORE));
}

static void two_sidecars_are_an_error(void **state)
{
    (void)state;
    const struct entry entries[] = {
        {"m1.json", "{\"perfetto_manifest\":{\"version\":1}}"},
        {"m2.json", "{\"perfetto_metadata\":{\"version\":1}}"},
        {"a.json", EVENT("a", 2)},
    };
    write_zip(entries, 3);
    expect_failure("multiple perfetto_manifest files in archive");
}

static void sidecar_comes_first_in_a_stream(void **state)
{
    (void)state;
    write_text("{\"perfetto_metadata\":{\"version\":1,\"attributes\":{\"k\":4}}}\n" EVENT("a", 1));
    struct engine *engine = load();
    expect_rows(engine, "select name from slice", "a");
    expect_rows(engine, "select int_value from metadata where name = 'manifest_attribute.k'", "4");
    engine_free(engine);
    write_text(EVENT("a", 1) "{\"perfetto_metadata\":{\"version\":1}}");
    expect_failure("perfetto_metadata file must be the first trace file in the input");
}

static void second_load_is_refused(void **state)
{
    (void)state;
    write_text(EVENT("one", 10));
    struct engine *engine = load();
    struct status st = STATUS_INIT;
    const char *operand = path;
    assert_false(engine_load(engine, &operand, 1, NULL, &st));
    status_clear(&st);
    engine_free(engine);
}

static void cancelled_load_keeps_what_is_there(void **state)
{
    (void)state;
    write_text(EVENT("one", 10));
    struct engine *engine = engine_new();
    struct cancel cancel = {false};
    struct engine_options options = {.cancel = &cancel};
    struct status st = STATUS_INIT;
    const char *operand = path;
    cancel_request(&cancel);
    assert_true(engine_load(engine, &operand, 1, &options, &st));
    expect_rows(engine, "select count(1) from slice", "0");
    assert_non_null(strstr(engine_warning(engine, 0), "stopped"));
    engine_free(engine);
}

static void results_are_kept_up_to_a_limit(void **state)
{
    (void)state;
    write_text("");
    struct engine *engine = load();
    struct status st = STATUS_INIT;
    struct result *result = engine_query_result(
        engine, STR("select 1 as a; select column1 as x from (values (1), (2), (3))"), 2, &st);
    assert_non_null(result);
    assert_int_equal(result->n_rows, 2);
    assert_int_equal(result->rows_left_out, 1);
    assert_string_equal(result->names[0], "x");
    result_free(result);
    assert_null(engine_query_result(engine, STR("select nothing"), 2, &st));
    assert_non_null(strstr(status_message(&st), "nothing"));
    status_clear(&st);
    assert_null(engine_query(engine, STR(" -- only words"), &st));
    assert_string_equal(status_message(&st), "No valid SQL to run");
    status_clear(&st);
    engine_free(engine);
}

/* ---- the worker ---- */

struct count {
    atomic_int runs, disposals;
};

static void run_job(void *argument, struct cancel *cancel)
{
    (void)cancel;
    atomic_fetch_add(&((struct count *)argument)->runs, 1);
}

static void run_until_cancelled(void *argument, struct cancel *cancel)
{
    atomic_fetch_add(&((struct count *)argument)->runs, 1);
    while (!cancel_is_requested(cancel))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void dispose(void *argument)
{
    atomic_fetch_add(&((struct count *)argument)->disposals, 1);
}

static void jobs_run_in_order_and_are_freed(void **state)
{
    (void)state;
    struct count count = {0};
    struct worker *worker = worker_new(NULL, NULL);
    struct job *first = worker_post(worker, run_job, &count, dispose);
    struct job *second = worker_post(worker, run_job, &count, dispose);
    job_wait(second);
    assert_true(job_is_done(first));
    assert_int_equal(atomic_load(&count.runs), 2);
    job_release(first);
    job_release(second);

    struct job *endless = worker_post(worker, run_until_cancelled, &count, dispose);
    struct job *dropped = worker_post(worker, run_job, &count, dispose);
    while (atomic_load(&count.runs) < 3)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    job_release(endless);
    worker_free(worker);
    assert_true(job_is_done(dropped));
    job_release(dropped);
    assert_int_equal(atomic_load(&count.runs), 3);
    assert_int_equal(atomic_load(&count.disposals), 4);
}

static int make_path(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_file_is_an_empty_trace),
        cmocka_unit_test(unknown_file_says_what_was_tried),
        cmocka_unit_test(events_become_rows),
        cmocka_unit_test(members_are_files_in_order),
        cmocka_unit_test(archive_without_a_trace_fails),
        cmocka_unit_test(claimed_members_are_no_traces),
        cmocka_unit_test(package_of_the_trace_gives_way),
        cmocka_unit_test(bad_sidecar_fails_the_load_and_is_listed),
        cmocka_unit_test(two_sidecars_are_an_error),
        cmocka_unit_test(sidecar_comes_first_in_a_stream),
        cmocka_unit_test(second_load_is_refused),
        cmocka_unit_test(cancelled_load_keeps_what_is_there),
        cmocka_unit_test(results_are_kept_up_to_a_limit),
        cmocka_unit_test(jobs_run_in_order_and_are_freed),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
