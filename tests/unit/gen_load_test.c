/* The engine over the generated inputs: every sidecar gets its verdict, the example
 * and the stories give the rows that they promise, and nothing brings it down. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/buffer.h"
#include "engine/engine.h"
#include "tests/gen/catalogue.h"
#include "tests/gen/example.h"
#include "tests/gen/sidecars.h"
#include "tests/gen/story.h"

static void write_file(const char *path, const struct buffer *bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(buffer_text(bytes), 1, bytes->length, file), bytes->length);
    assert_int_equal(fclose(file), 0);
}

/* Loads the bytes under a name of their own; NULL when the engine refuses. */
static struct engine *load(const struct buffer *bytes, const char *name, struct status *st)
{
    struct buffer path = BUFFER_INIT;
    struct engine_options options = {.extensions = ENGINE_EXTENSIONS_LOAD};
    buffer_printf(&path, "%s/gen_load_%d_%s", BINARY_DIR, (int)getpid(), name);
    write_file(buffer_text(&path), bytes);
    struct engine *engine = engine_new();
    const char *operand = buffer_text(&path);
    bool ok = engine_load(engine, &operand, 1, &options, st);
    unlink(buffer_text(&path));
    buffer_free(&path);
    if (ok) return engine;
    engine_free(engine);
    return NULL;
}

/* Rows as text, cells joined with '|', rows ended by a newline. */
static void ask(struct engine *engine, const char *sql, struct buffer *rows)
{
    struct status st = STATUS_INIT;
    struct query *query = engine_query(engine, str_of(sql), &st);
    buffer_clear(rows);
    while (query && query_next_statement(query, &st))
        while (query_step(query, &st)) {
            for (uint32_t c = 0; c < query_column_count(query); c++) {
                if (c) buffer_append_byte(rows, '|');
                buffer_append_str(rows, query_text(query, c));
            }
            buffer_append_byte(rows, '\n');
        }
    query_free(query);
    assert_string_equal(status_message(&st), "");
    status_clear(&st);
}

static void test_sidecars_get_their_verdict(void **state)
{
    (void)state;
    size_t count = 0;
    const struct gen_sidecar_case *cases = gen_sidecar_cases(&count);
    for (size_t i = 0; i < count; i++) {
        struct buffer input = BUFFER_INIT;
        struct status st = STATUS_INIT;
        size_t at = 0;
        gen_sidecar_input(&cases[i], &input);
        struct engine *engine = load(&input, "sidecar", &st);
        if (gen_sidecar_loads(&cases[i]) != (engine != NULL))
            fail_msg("%s: %s", cases[i].name, engine ? "loads" : status_message(&st));
        if (cases[i].path && !str_find(str_of(status_message(&st)), str_of(cases[i].path), &at))
            fail_msg("%s: not named in: %s", cases[i].path, status_message(&st));
        engine_free(engine);
        status_clear(&st);
        buffer_free(&input);
    }
}

static void test_example_tells_its_story(void **state)
{
    (void)state;
    struct buffer input = BUFFER_INIT, rows = BUFFER_INIT;
    struct status st = STATUS_INIT;
    gen_example_archive(&input);
    struct engine *engine = load(&input, "example.zip", &st);
    assert_string_equal(status_message(&st), "");
    assert_non_null(engine);
    ask(engine,
        "INCLUDE PERFETTO MODULE com.example.bench.summary;"
        "SELECT label, frames, janky FROM bench_summary",
        &rows);
    assert_string_equal(buffer_text(&rows), "cold|12|2\nwarm|28|2\nscroll|95|4\n");
    ask(engine,
        "SELECT DISTINCT tags FROM bench_frame_metrics ORDER BY 1;"
        "SELECT count(*) FROM flow JOIN slice ON slice.id = slice_in WHERE name = 'ShopRender'",
        &rows);
    assert_string_equal(buffer_text(&rows), "fling list\nidle\nstartup first_draw\n135\n");
    ask(engine, "SELECT DISTINCT name FROM stats WHERE value > 0 AND severity = 'error'", &rows);
    assert_string_equal(buffer_text(&rows), "");
    ask(engine,
        "SELECT count(*) FROM slice WHERE extract_arg(arg_set_id, 'source.function_name') = name",
        &rows);
    assert_string_equal(buffer_text(&rows), "31\n");
    ask(engine,
        "SELECT process.name, thread.name FROM thread JOIN process USING (upid) "
        "WHERE pid = 4213 AND is_main_thread",
        &rows);
    assert_string_equal(buffer_text(&rows), "com.example.shop|main\n");
    ask(engine, "SELECT count(*) > 2000 FROM cpu_profile_stack_sample", &rows);
    assert_string_equal(buffer_text(&rows), "1\n");
    ask(engine,
        "SELECT count(*) FROM sched a JOIN sched b ON a.utid = b.utid AND a.id < b.id "
        "AND a.utid > 0 AND b.ts < a.ts + a.dur AND a.dur >= 0 AND b.ts >= a.ts "
        "WHERE a.utid IN (SELECT utid FROM thread WHERE name IN ('main', 'RenderThread'))",
        &rows);
    assert_string_equal(buffer_text(&rows), "0\n"); /* nobody runs in two places */
    ask(engine, "SELECT count(*) FROM slice WHERE dur < 0", &rows);
    assert_true(strlen(buffer_text(&rows)) <= 2); /* a few are open at the end */
    engine_free(engine);
    buffer_free(&rows);
    buffer_free(&input);
}

static void test_stories_give_the_promised_rows(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct gen_story story;
        struct buffer input = BUFFER_INIT, rows = BUFFER_INIT, want = BUFFER_INIT;
        struct buffer sql = BUFFER_INIT;
        struct status st = STATUS_INIT;
        tracegen_story(&input, seed, &story);
        struct engine *engine = load(&input, "story.zip", &st);
        assert_string_equal(status_message(&st), "");
        buffer_printf(&sql, "INCLUDE PERFETTO MODULE %s; %s", story.module, story.tab_query);
        for (int i = 0; i < GEN_STORY_ROWS; i++)
            buffer_printf(&want, "%s\n", story.tab_rows[i]);
        ask(engine, buffer_text(&sql), &rows);
        assert_string_equal(buffer_text(&rows), buffer_text(&want));
        buffer_clear(&want);
        buffer_printf(&want, "%s\n", story.pinned[0]);
        buffer_clear(&sql);
        buffer_printf(&sql, "SELECT name FROM track WHERE name = '%s'", story.pinned[0]);
        ask(engine, buffer_text(&sql), &rows);
        assert_string_equal(buffer_text(&rows), buffer_text(&want));
        engine_free(engine);
        buffer_free(&input);
        buffer_free(&rows);
        buffer_free(&want);
        buffer_free(&sql);
    }
}

static void test_texts_give_their_rows(void **state)
{
    static const char SLICES[] = "SELECT count(*), count(DISTINCT name) FROM slice";
    static const char KERNEL[] =
        "SELECT (SELECT count(*) FROM slice), (SELECT count(*) FROM sched), "
        "(SELECT count(*) FROM counter), (SELECT count(*) FROM thread WHERE name = 'work er')";
    static const struct {
        const char *name, *query, *rows;
    } cases[] = {
        {"kernel.systrace", KERNEL, "10|3|10|1\n"},
        {"kernel.html", KERNEL, "10|3|10|1\n"},
        {"kernel.ctrace", KERNEL, "10|3|10|1\n"},
        {"kernel_events.json", KERNEL, "11|3|10|1\n"},
        {"kernel.html", "SELECT name FROM process WHERE pid = 10", "com.example.app\n"},
        {"android.logcat", "SELECT count(*), sum(prio) FROM android_logs", "4|17\n"},
        {"android.dumpstate",
         "SELECT (SELECT count(*) FROM android_logs), (SELECT count(*) FROM counter), "
         "(SELECT count(DISTINCT section) FROM __intrinsic_android_dumpstate)",
         "3|3|5\n"},
        {"battery.dumpstate", SLICES, "5|5\n"},
        {"bugreport.zip", "SELECT group_concat(msg) FROM android_logs",
         "kept only,both,text only,[0,1]\n"},
        {"lines.json", SLICES, "2|2\n"},
        {"utf16.json", SLICES, "1|1\n"},
        {"calls.strace", SLICES, "5|4\n"},
        {"build.ninja_log",
         "SELECT count(*), (SELECT count(*) FROM thread WHERE name = 'Worker') FROM slice",
         "4|3\n"},
    };
    (void)state;
    struct buffer rows = BUFFER_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buffer input = BUFFER_INIT;
        struct status st = STATUS_INIT;
        size_t entry;
        assert_true(gen_catalogue_find(cases[i].name, &entry));
        gen_catalogue_write(entry, &input);
        struct engine *engine = load(&input, cases[i].name, &st);
        assert_string_equal(status_message(&st), "");
        ask(engine, cases[i].query, &rows);
        if (strcmp(buffer_text(&rows), cases[i].rows) != 0)
            fail_msg("%s: %s", cases[i].name, buffer_text(&rows));
        engine_free(engine);
        buffer_free(&input);
    }
    buffer_free(&rows);
}

/* Damage is told or counted; it never ends the program, and a refusal has words. */
static void test_nothing_brings_the_engine_down(void **state)
{
    (void)state;
    struct buffer name = BUFFER_INIT, rows = BUFFER_INIT;
    for (size_t i = 0; i < gen_catalogue_count(); i++) {
        struct buffer input = BUFFER_INIT;
        struct status st = STATUS_INIT;
        buffer_clear(&name);
        gen_catalogue_name(i, &name);
        if (str_starts(buffer_str(&name), STR("sidecar_"))) break; /* the last ones */
        gen_catalogue_write(i, &input);
        struct engine *engine = load(&input, buffer_text(&name), &st);
        if (engine)
            ask(engine, "SELECT count(*) FROM slice JOIN args USING (arg_set_id)", &rows);
        else
            assert_true(strlen(status_message(&st)) > 10);
        engine_free(engine);
        status_clear(&st);
        buffer_free(&input);
    }
    buffer_free(&name);
    buffer_free(&rows);
}

/* What nobody opens is named, with the limit that stops it. */
static void test_deep_archives_name_their_limit(void **state)
{
    (void)state;
    struct buffer input = BUFFER_INIT;
    struct status st = STATUS_INIT;
    size_t entry, at;
    assert_true(gen_catalogue_find("deep.zip", &entry));
    gen_catalogue_write(entry, &input);
    assert_null(load(&input, "deep.zip", &st));
    assert_true(str_find(str_of(status_message(&st)), STR("the limit `nesting` (8)"), &at));
    status_clear(&st);
    buffer_free(&input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sidecars_get_their_verdict),
        cmocka_unit_test(test_example_tells_its_story),
        cmocka_unit_test(test_stories_give_the_promised_rows),
        cmocka_unit_test(test_texts_give_their_rows),
        cmocka_unit_test(test_nothing_brings_the_engine_down),
        cmocka_unit_test(test_deep_archives_name_their_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
