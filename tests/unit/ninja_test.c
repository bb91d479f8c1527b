/* Logs of ninja: lines, jobs of several files, workers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/import/ninja.h"
#include "engine/import/process.h"
#include "tests/unit/import_fixture.h"

/* "name:ts:dur@tid …" */
static void jobs_of(const struct fixture *f, struct buffer *out)
{
    const struct slice_table *t = &f->tables->slice;
    buffer_clear(out);
    for (uint32_t i = 0; i < table_rows(&t->table); i++) {
        uint32_t utid = column_get_row(&f->tables->track.utid, column_get_row(&t->track_id, i));
        buffer_printf(out, "%s%s:%lld:%lld@%lld", i ? "; " : "", fixture_text(f, &t->name, i),
                      (long long)column_get_int64(&t->ts, i) / 1000000,
                      (long long)column_get_int64(&t->dur, i) / 1000000,
                      (long long)column_get_int64(&f->tables->thread.tid, utid));
    }
}

static void jobs_get_workers(void **state)
{
    static const char text[] = "# ninja log v5\n"
                               "0\t10\t0\ta.o\tff\n"
                               "0\t10\t0\ta.d\tff\n"
                               "2\t5\t0\tb.o\t1\n"
                               "5\t20\t0\tc.o\t2\n"
                               "11\t12\t0\td.o\t3\n"
                               "3\t4\t0\te.o\t4\n"
                               "no line\n"
                               "9\t8\t0\tf.o\t4\n"
                               "1\t2\t0\tg.o\tzz\n"
                               "30\t31\t0\tcut.o";
    (void)state;
    struct buffer out = BUFFER_INIT;
    struct status st = STATUS_INIT;
    struct fixture f = fixture_new(&importer_ninja);
    assert_true(importer_ninja.sniff(STR(text)));
    assert_true(import_tokenize(&f.file, STR(text), &st));
    fixture_finish(&f);
    jobs_of(&f, &out);
    assert_string_equal(buffer_text(&out), "a.o a.d:0:10@1; b.o:2:3@2; e.o:3:1@3; c.o:5:15@2; "
                                           "d.o:11:1@1");
    assert_string_equal(fixture_text(&f, &f.tables->process.name, process_find(&f.file, 1)),
                        "Build");
    assert_int_equal(stats_get(f.import, STAT_ninja_parse_errors), 3);
    assert_int_equal(stats_get(f.import, STAT_perfetty_input_truncated), 1);
    fixture_free(&f);
    buffer_free(&out);
}

static void refuses(const char *text, uint32_t file_id, const char *message)
{
    struct status st = STATUS_INIT;
    struct fixture f = fixture_new(&importer_ninja);
    f.file.file_id = file_id;
    assert_false(import_tokenize(&f.file, str_of(text), &st));
    assert_non_null(strstr(status_message(&st), message));
    status_clear(&st);
    fixture_free(&f);
}

static void other_versions_are_refused(void **state)
{
    (void)state;
    refuses("# ninja log v4\n", 0, "Unsupported ninja log version");
    refuses("# ninja log vx\n", 0, "Failed to parse ninja log header");
    refuses("# ninja log", 0, "Failed to parse ninja log header");
    refuses("# ninja log v5\n", 1, "contained inside other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_get_workers),
        cmocka_unit_test(other_versions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
