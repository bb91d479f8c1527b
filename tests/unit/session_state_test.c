/* What is remembered of a trace: everything comes back, nothing of a trace's own does,
 * damaged files are a message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "commands/content_id.h"
#include "commands/query.h"
#include "commands/session_json.h"
#include "commands/session_state.h"
#include "tests/unit/session_fixture.h"

#define CONTENT "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define OTHER   "ff112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

struct place {
    char folder[64], file[160], quick[160];
};

static int setup(void **state)
{
    struct place *p = mem_zero(1, sizeof *p);
    snprintf(p->folder, sizeof p->folder, "/tmp/perfetty-session-XXXXXX");
    if (!mkdtemp(p->folder)) return -1;
    setenv("XDG_STATE_HOME", p->folder, 1);
    snprintf(p->file, sizeof p->file, "%s/perfetty/sessions/%.32s.json", p->folder, CONTENT);
    snprintf(p->quick, sizeof p->quick, "%s/perfetty/sessions/%.32s.quick.json", p->folder,
             CONTENT);
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    struct place *p = *state;
    char path[160];
    unlink(p->file);
    unlink(p->quick);
    snprintf(path, sizeof path, "%s/perfetty/sessions", p->folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/perfetty", p->folder);
    rmdir(path);
    rmdir(p->folder);
    mem_free(p);
    return 0;
}

/* One run of the viewer on the trace filled by hand. */
struct run {
    struct fixture *f;
    struct session_state *state;
};

static struct run begin_with(const struct session_state_options *options)
{
    struct run r;
    void *fixture;
    assert_int_equal(fixture_setup_engine(&fixture), 0);
    r.f = fixture;
    r.state = session_state_new(r.f->session, options);
    session_state_restore(r.state);
    session_state_begin(r.state);
    return r;
}

static struct run begin(const char *content)
{
    struct session_state_options options = {.title = "a.zip"};
    snprintf(options.content, sizeof options.content, "%s", content);
    return begin_with(&options);
}

static void finish(struct run *r)
{
    void *fixture = r->f;
    session_state_end(r->state);
    session_state_free(r->state);
    fixture_teardown(&fixture);
}

static void settle(struct session *s)
{
    for (size_t i = 0; i < s->tabs.count; i++)
        while (s->tabs.items[i]->job)
            session_poll(s);
}

static void run_line(struct run *r, const char *line)
{
    struct status why = STATUS_INIT;
    if (fixture_run(r->f, line, &why) != COMMAND_DONE) fail_msg("%s", status_message(&why));
    settle(r->f->session);
}

static const char *last_message(const struct session *s)
{
    return s->messages.count ? s->messages.items[s->messages.count - 1].text : "";
}

static bool was_said(const struct session *s, const char *words)
{
    for (size_t i = 0; i < s->messages.count; i++)
        if (strstr(s->messages.items[i].text, words)) return true;
    return false;
}

static void work(struct run *r)
{
    struct session *s = r->f->session;
    run_line(r, "PinTracksByRegex ^mem.rss$");
    run_line(r, "PinTracksByRegex \"4213 > Render\" path");
    run_line(r, "CopyTracksToWorkspaceByRegexWithAncestors \"^main 4213$\" Mine");
    run_line(r, "ExpandTracksByRegex com.ex.shop");
    run_line(r, "AddNoteAtTimestamp 1234 \"here it \\\"stops\\\" \xC3\xA9\"");
    session_note_add_span(s, 1100, 1300, "a span", false);
    run_line(r, "SetTimestampFormat seconds");
    run_line(r, "RunQueryAndShowTab \"VALUES (1, 100), (2, 400), (13, 100), (4, 9)\" Slices");
    run_line(r, "SortTable column1 descending");
    run_line(r, "FilterTable =100 column2");
    run_line(r, "ZoomTo 1000 2000");
    session_set_cursor(s, 1500);
    run_line(r, "SetMark q");
    settle(s);
}

static void everything_comes_back(void **state)
{
    struct place *p = *state;
    struct run r = begin(CONTENT);
    assert_string_equal(last_message(r.f->session), "");
    work(&r);
    finish(&r);
    struct stat about;
    assert_int_equal(stat(p->file, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);

    r = begin(CONTENT);
    struct session *s = r.f->session;
    assert_non_null(strstr(last_message(s), "2 pins, 1 workspace, 2 notes, 1 mark, 1 tab"));
    assert_non_null(strstr(last_message(s), "RestoreDefaults undoes it"));
    const struct track_node_list *pins = &s->workspaces.items[0]->pinned.root.children;
    assert_int_equal(pins->count, 2);
    assert_string_equal(pins->items[0]->name, "mem.rss");
    assert_string_equal(pins->items[1]->name, "RenderThread 4250");
    assert_int_equal(s->workspaces.count, 2);
    assert_ptr_equal(s->workspace, s->workspaces.items[0]);
    const struct track_tree *mine = &s->workspaces.items[1]->tree;
    assert_string_equal(s->workspaces.items[1]->title, "Mine");
    assert_string_equal(mine->root.children.items[0]->name, "com.ex.shop 4213");
    const struct track_node *below = mine->root.children.items[0]->children.items[0];
    assert_string_equal(below->name, "main 4213");
    struct track_node *shop =
        track_tree_find(&s->workspaces.items[0]->tree, mine->root.children.items[0]->uri);
    assert_false(shop->collapsed);
    assert_int_equal(s->notes.count, 2);
    assert_int_equal(s->notes.items[0].start, 1234);
    assert_string_equal(s->notes.items[0].text, "here it \"stops\" \xC3\xA9");
    assert_true(s->notes.items[1].is_span);
    assert_int_equal(s->notes.items[1].end, 1300);
    assert_true(s->marks[mark_index("q")].set);
    assert_int_equal(s->marks[mark_index("q")].ts, 1500);
    assert_int_equal(s->window_start, 1000);
    assert_int_equal(s->window_end, 2000);
    assert_int_equal(s->cursor, 1500);
    assert_int_equal(s->time_format, TIME_FORMAT_SECONDS);
    settle(s);
    struct tab *tab = session_tab_shown(s);
    assert_string_equal(tab->title, "Slices");
    const struct grid *grid = tab_grid(tab);
    assert_int_equal(grid->n_rows, 2);
    assert_int_equal(grid_at(grid, 0, 0)->integer, 13);
    assert_int_equal(grid_at(grid, 1, 0)->integer, 1);
    finish(&r);
}

static void another_content_is_another_session(void **state)
{
    (void)state;
    struct run r = begin(CONTENT);
    work(&r);
    finish(&r);
    r = begin(OTHER);
    assert_int_equal(r.f->session->notes.count, 0);
    assert_int_equal(r.f->session->messages.count, 0);
    finish(&r); /* nothing was done: nothing is written */
}

static void without_being_asked_nothing_is_read_or_written(void **state)
{
    struct place *p = *state;
    for (int off = 0; off < 2; off++) {
        struct session_state_options options = {
            .content = CONTENT, .title = "a.zip", .is_clean = !off, .is_off = off};
        struct run r = begin_with(&options);
        work(&r);
        finish(&r);
        assert_int_not_equal(access(p->file, F_OK), 0);
        r = begin_with(&options);
        assert_int_equal(r.f->session->notes.count, 0);
        finish(&r);
    }
    /* What was there before stays. */
    struct run r = begin(CONTENT);
    work(&r);
    finish(&r);
    struct session_state_options clean = {.content = CONTENT, .title = "a.zip", .is_clean = true};
    r = begin_with(&clean);
    assert_int_equal(r.f->session->notes.count, 0);
    run_line(&r, "AddNoteAtTimestamp 2000 other");
    finish(&r);
    r = begin(CONTENT);
    assert_int_equal(r.f->session->notes.count, 2);
    finish(&r);
}

/* SQL that is not the person's, and what startup commands made, never come back. */
static void what_a_trace_did_is_not_kept(void **state)
{
    (void)state;
    struct run r = begin(CONTENT);
    struct session *s = r.f->session;
    session_state_restore(r.state); /* as if once more, with startup commands */
    session_open_query(s, 0, ENGINE_ORIGIN_USER, "Startup", NULL, "SELECT 1");
    run_line(&r, "AddNoteAtTimestamp 1000 startup");
    session_state_begin(r.state);
    session_open_query(s, 0, ENGINE_ORIGIN_TRACE, "Macro of the trace", NULL, "SELECT 2");
    session_open_query(s, 0, ENGINE_ORIGIN_SERVER, "Macro of a server", NULL, "SELECT 3");
    session_open_query(s, 0, ENGINE_ORIGIN_USER, "Mine", NULL, "SELECT 4");
    run_line(&r, "AddNoteAtTimestamp 1100 mine");
    settle(s);
    finish(&r);
    r = begin(CONTENT);
    s = r.f->session;
    settle(s);
    assert_int_equal(s->tabs.count, 2); /* the selection's, and: */
    assert_string_equal(s->tabs.items[1]->sql, "SELECT 4");
    assert_int_equal(s->notes.count, 1);
    assert_string_equal(s->notes.items[0].text, "mine");
    finish(&r);
}

static void commands_save_load_undo_and_forget(void **state)
{
    struct place *p = *state;
    struct status why = STATUS_INIT;
    struct run r = begin(CONTENT);
    struct session *s = r.f->session;
    assert_int_equal(fixture_run(r.f, "Quickload", &why), COMMAND_FAILED);
    assert_non_null(strstr(status_message(&why), "nothing of this trace was saved"));
    status_clear(&why);
    uint32_t rows;
    (void)session_rows(s, &rows);
    work(&r);
    run_line(&r, "Quicksave");
    run_line(&r, "RestoreDefaults");
    uint32_t rows_now;
    (void)session_rows(s, &rows_now);
    assert_int_equal(rows_now, rows);
    assert_int_equal(s->notes.count, 0);
    assert_int_equal(s->tabs.count, 1);
    assert_int_equal(s->workspaces.count, 1);
    assert_int_equal(s->window_start, 900);
    assert_false(s->marks[mark_index("q")].set);
    run_line(&r, "AddNoteAtTimestamp 2000 later");
    run_line(&r, "Quickload");
    assert_int_equal(s->notes.count, 2); /* instead of, not besides, the one */
    assert_int_equal(s->workspaces.count, 2);
    settle(s);
    run_line(&r, "ForgetSession");
    run_line(&r, "AddNoteAtTimestamp 2000 later");
    finish(&r);
    assert_int_not_equal(access(p->file, F_OK), 0);
    assert_int_not_equal(access(p->quick, F_OK), 0);
}

static void it_is_written_now_and_then(void **state)
{
    struct place *p = *state;
    struct run r = begin(CONTENT);
    int64_t now = clock_now_ns();
    run_line(&r, "AddNoteAtTimestamp 2000 x");
    session_state_tick(r.state, now + SESSION_STATE_PAUSE_NS / 2);
    assert_int_not_equal(access(p->file, F_OK), 0);
    session_state_tick(r.state, now + 2 * SESSION_STATE_PAUSE_NS);
    assert_int_equal(access(p->file, F_OK), 0);
    unlink(p->file);
    session_state_tick(r.state, now + 9 * SESSION_STATE_PAUSE_NS); /* nothing changed */
    assert_int_not_equal(access(p->file, F_OK), 0);
    finish(&r);
}

static void write_text(const char *path, const char *text, size_t n)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, n, file), n);
    fclose(file);
}

#define AROUND(session) \
    "{\"content\":\"" CONTENT "\",\"title\":\"t\",\"day\":\"2026-01-02\",\"session\":" session "}"
#define VIEW "\"version\":1,\"timeFormat\":\"utc\",\"window\":[1000,1100],\"cursor\":1050"

static void damaged_files_are_a_message(void **state)
{
    struct place *p = *state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{", "line 1"},
        {"[]", "another trace"},
        {"{\"content\":\"" OTHER "\"}", "another trace"},
        {AROUND("null"), "version 1"},
        {AROUND("{\"version\":2}"), "version 1"},
        {AROUND("{\"version\":1}"), "\"timeFormat\" is damaged"},
        {AROUND("{" VIEW ",\"notes\":{}}"), "\"notes\" is damaged"},
        {AROUND("{" VIEW ",\"notes\":[1,{\"start\":9223372036854775807,\"text\":\"x\"}]}"),
         "\"notes\" is damaged"},
        {AROUND("{" VIEW ",\"tabs\":[{\"title\":1,\"sql\":\"SELECT 1\"}]}"), "\"tabs\" is damaged"},
        {AROUND("{" VIEW ",\"marks\":{\"qq\":{\"ts\":1000}}}"), "\"marks\" is damaged"},
        {AROUND("{" VIEW ",\"workspaces\":[[],{\"title\":\"w\",\"tracks\":[[7,\"x\"]]}]}"),
         "\"workspaces\" is damaged"},
        {AROUND("{" VIEW ",\"workspaces\":[{\"title\":\"d\"},{\"title\":\"w\",\"tracks\":"
                "[[0,\"x\"],[3,\"y\"],[-1,\"z\"]]}]}"),
         "\"tracks\" is damaged"},
        {AROUND("{" VIEW ",\"folds\":{\"closed\":[1]}}"), "\"closed\" is damaged"},
    };
    struct run r = begin(CONTENT);
    work(&r);
    finish(&r);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(p->file, cases[i].text, strlen(cases[i].text));
        r = begin(CONTENT);
        if (!was_said(r.f->session, cases[i].message))
            fail_msg("case %zu: not '%s' but '%s'", i, cases[i].message,
                     last_message(r.f->session));
        finish(&r);
    }
    write_text(p->file, "", 0); /* as if there were none */
    r = begin(CONTENT);
    assert_int_equal(r.f->session->messages.count, 0);
    finish(&r);
    /* What is whole is taken. */
    const char *half = AROUND("{" VIEW ",\"notes\":[{\"start\":1000,\"text\":\"kept\"},7]}");
    write_text(p->file, half, strlen(half));
    r = begin(CONTENT);
    assert_int_equal(r.f->session->notes.count, 1);
    assert_int_equal(r.f->session->window_end, 1100);
    finish(&r);
}

/* Every prefix and every changed byte of a real file. */
static void cut_and_changed_files_do_no_harm(void **state)
{
    struct place *p = *state;
    static char text[1 << 16];
    struct run r = begin(CONTENT);
    work(&r);
    finish(&r);
    FILE *file = fopen(p->file, "r");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text, file);
    fclose(file);
    struct status st = STATUS_INIT;
    void *fixture;
    assert_int_equal(fixture_setup(&fixture), 0);
    struct fixture *f = fixture;
    for (size_t i = 0; i < n; i++) {
        static const char bytes[] = "9\"[{-e,";
        char before = text[i];
        text[i] = bytes[i % (sizeof bytes - 1)];
        json_t *json = json_strict_load((struct str){text, n}, &st);
        struct session_json_counts counts;
        json_t *session = json_object_get(json, "session");
        /* Without an engine no SQL runs; each tab says so. */
        if (json_is_object(session)) {
            json_object_del(session, "tabs");
            session_json_read(f->session, session, &counts, &st);
            uint32_t rows;
            (void)session_rows(f->session, &rows);
        }
        json_decref(json);
        status_clear(&st);
        text[i] = before;
    }
    assert_true(f->session->window_end > f->session->window_start);
    fixture_teardown(&fixture);
}

static void the_oldest_files_go(void **state)
{
    struct place *p = *state;
    struct run r = begin(CONTENT);
    work(&r);
    finish(&r);
    char path[200];
    for (int i = 0; i <= SESSION_STATE_MOST_FILES; i++) {
        snprintf(path, sizeof path, "%s/perfetty/sessions/%032x.json", p->folder, i);
        write_text(path, "{}", 2);
        const struct timespec old[2] = {{1000 - i, 0}, {1000 - i, 0}}; /* the last is the oldest */
        assert_int_equal(utimensat(-1, path, old, 0), 0);
    }
    r = begin(CONTENT);
    run_line(&r, "AddNoteAtTimestamp 2000 more");
    finish(&r);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(access(p->file, F_OK), 0);
    for (int i = 0; i < SESSION_STATE_MOST_FILES; i++) {
        snprintf(path, sizeof path, "%s/perfetty/sessions/%032x.json", p->folder, i);
        assert_int_equal(unlink(path), 0);
    }
}

static void a_content_is_known_by_what_it_holds(void **state)
{
    struct place *p = *state;
    char a[SHA256_HEX], b[SHA256_HEX], one[160], two[160];
    snprintf(one, sizeof one, "%s/one", p->folder);
    snprintf(two, sizeof two, "%s/two", p->folder);
    size_t n = 3u << 20;
    char *bytes = mem_zero(n, 1);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)(i * 7 + i / 251);
    const char *paths[] = {one, two};
    const char *back[] = {two, one};
    write_text(one, bytes, n);
    write_text(two, bytes, n);
    assert_true(content_id_of_files(&paths[0], 1, a));
    assert_true(content_id_of_files(&paths[1], 1, b));
    assert_string_equal(a, b);
    bytes[n - 1]++;
    write_text(two, bytes, n);
    assert_true(content_id_of_files(&paths[1], 1, b));
    assert_string_not_equal(a, b);
    bytes[n - 1]--;
    write_text(two, bytes, n - 1);
    assert_true(content_id_of_files(&paths[1], 1, b));
    assert_string_not_equal(a, b);
    assert_true(content_id_of_files(paths, 2, a));
    assert_true(content_id_of_files(back, 2, b));
    assert_string_equal(a, b);
    const char *folder = p->folder; /* of these two */
    assert_true(content_id_of_files(&folder, 1, b));
    assert_string_equal(a, b);
    const char *dash = "-", *missing = "/nowhere/at all";
    assert_false(content_id_of_files(&dash, 1, a));
    assert_string_equal(a, "");
    assert_false(content_id_of_files(&missing, 1, a));
    unlink(one);
    unlink(two);
    mem_free(bytes);
}

static void a_trace_from_a_pipe_is_not_kept(void **state)
{
    struct place *p = *state;
    struct status why = STATUS_INIT;
    struct run r = begin("");
    work(&r);
    assert_int_equal(fixture_run(r.f, "Quicksave", &why), COMMAND_FAILED);
    assert_non_null(strstr(status_message(&why), "came from a pipe"));
    status_clear(&why);
    finish(&r);
    assert_int_not_equal(access(p->file, F_OK), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(everything_comes_back),
        TEST(another_content_is_another_session),
        TEST(without_being_asked_nothing_is_read_or_written),
        TEST(what_a_trace_did_is_not_kept),
        TEST(commands_save_load_undo_and_forget),
        TEST(it_is_written_now_and_then),
        TEST(damaged_files_are_a_message),
        TEST(cut_and_changed_files_do_no_harm),
        TEST(the_oldest_files_go),
        TEST(a_content_is_known_by_what_it_holds),
        TEST(a_trace_from_a_pipe_is_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
