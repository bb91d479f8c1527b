/* What a search finds, and in which order it is walked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "commands/search_scan.h"
#include "engine/base/memory.h"
#include "tests/unit/session_fixture.h"

static void expect(struct session *s, const char *term, size_t tracks, size_t hits)
{
    session_search(s, term);
    if (s->search.tracks.count != tracks || s->search.hits.count != hits)
        print_error("%s: %zu tracks, %zu hits\n", term, s->search.tracks.count,
                    s->search.hits.count);
    assert_int_equal(s->search.tracks.count, tracks);
    assert_int_equal(s->search.hits.count, hits);
    assert_int_equal(search_count(&s->search), tracks + hits);
}

static void test_texts_in_any_case(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    expect(s, "DOFRAME", 0, 2);
    expect(s, "hello", 0, 1);        /* a log line */
    expect(s, "MEM.rss", 1, 0);      /* a counter */
    expect(s, "psi.", 1, 0);         /* the point is a point: not the group "PSI" */
    expect(s, "com.ex.shop", 1, 2);  /* its row; main of it on a CPU, twice */
    expect(s, "com?ex", 0, 0);       /* nothing is special */
    expect(s, "renderthread", 1, 0); /* it never ran */
    expect(s, "binder:4213", 0, 0);  /* a thread that has no track */
}

static void test_regexes(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    expect(s, "/^do[A-Z]/", 0, 2);
    expect(s, "/^DO/", 0, 0);
    expect(s, "/^DO/i", 0, 2);
    expect(s, "/^(measure|draw)$/", 0, 2);
    expect(s, "/^mem\\./", 1, 0);
    /* Not closed: a text. */
    expect(s, "/do", 0, 0);
    expect(s, "/", 0, 2); /* logd ran twice */
    expect(s, "//", 0, 0);
}

static void test_a_wrong_regex_says_why(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    expect(s, "/(/", 0, 0);
    assert_non_null(s->search.error);
    assert_false(session_search_step(s, true, &st));
    assert_non_null(strstr(status_message(&st), "/(/: "));
    status_clear(&st);
    assert_int_equal(fixture_run(f, "Search /[/", &st), COMMAND_FAILED);
    status_clear(&st);
    expect(s, "draw", 0, 2);
    assert_null(s->search.error);
}

static void test_tracks_come_after_the_last_event(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    expect(s, "com.ex.shop", 1, 2);
    assert_true(session_search_step(s, true, &st));
    assert_int_equal(s->selection.kind, SELECTION_EVENT);
    assert_int_equal(s->selection.table, EVENT_SCHED);
    assert_int_equal(s->cursor, 1000);
    assert_true(session_search_step(s, true, &st));
    assert_int_equal(s->cursor, 1200);
    assert_true(session_search_step(s, true, &st));
    assert_int_equal(s->selection.kind, SELECTION_TRACK);
    assert_string_equal(s->focus->name, "com.ex.shop 4213");
    assert_true(session_search_step(s, true, &st));
    assert_int_equal(s->cursor, 1000);
    assert_true(session_search_step(s, false, &st));
    assert_int_equal(s->selection.kind, SELECTION_TRACK);
    assert_int_equal(s->search.current, 0);
    assert_false(session_search_go(s, 3, &st));
    status_clear(&st);
    /* Tracks alone. */
    expect(s, "mem.rss", 1, 0);
    assert_true(session_search_step(s, true, &st));
    assert_string_equal(s->focus->name, "mem.rss");
}

static void test_marks_know_where_hits_are(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    expect(s, "doFrame", 0, 2);
    assert_true(search_has_hit(&s->search, 1000, 1001));
    assert_false(search_has_hit(&s->search, 1001, 2000));
    assert_true(search_has_hit(&s->search, 1001, 2001));
    assert_false(search_has_hit(&s->search, 2001, INT64_MAX));
}

static void test_numbers_are_ids(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    session_search(s, "7");
    bool found = false;
    for (size_t i = 0; i < s->search.hits.count; i++)
        found |= s->search.hits.items[i].table == EVENT_SLICE && s->search.hits.items[i].id == 7;
    assert_true(found);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_texts_in_any_case),         TEST(test_regexes),
        TEST(test_a_wrong_regex_says_why),    TEST(test_tracks_come_after_the_last_event),
        TEST(test_marks_know_where_hits_are), TEST(test_numbers_are_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
