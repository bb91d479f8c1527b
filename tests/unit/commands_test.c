/* The registry, the allowlist, arguments, and the commands that startup may run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "commands/debug_row.h"
#include "engine/base/memory.h"
#include "tests/unit/session_fixture.h"

static enum command_outcome run(struct fixture *f, const char *id, const char *const *args,
                                uint32_t n, struct status *st)
{
    return registry_run(f->session, id, args, n, &COMMAND_CONTEXT_PERSON, st);
}

#define RUN(f, st, ...) \
    run(f, (const char *[]){__VA_ARGS__}[0], (const char *[]){__VA_ARGS__} + 1, \
        sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *) - 1, st)

static const char *last_message(const struct session *session)
{
    return session->messages.count ? vec_last(&session->messages)->text : "";
}

static void expect_rows(struct session *session, const char *expected)
{
    struct buffer rows = BUFFER_INIT;
    fixture_rows(session, &rows);
    assert_string_equal(buffer_text(&rows), expected);
    buffer_free(&rows);
}

/* ---- registry ---- */

static void every_allowed_id_is_there(void **state)
{
    struct fixture *f = *state;
    uint32_t n = 0;
    for (; allowlist_at(n); n++) {
        const struct registry_entry *entry = registry_find(f->session->registry, allowlist_at(n));
        assert_non_null(entry);
        assert_true(entry->command->kind != COMMAND_REACH);
    }
    assert_int_equal(n, 14);
    assert_false(allowlist_has("dev.perfetto.PinTracksByRegexX"));
    assert_false(allowlist_has("dev.perfetto."));
}

static void ids_are_unique_and_namespaced(void **state)
{
    struct fixture *f = *state;
    const struct registry *registry = f->session->registry;
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const struct command *command = registry_at(registry, i)->command;
        assert_true(strncmp(command->id, "dev.perfett", 11) == 0 ||
                    strncmp(command->id, "org.chromium.ShowTable.", 23) == 0 ||
                    strcmp(command->id, "com.android.ShowAndroidLogsTab") == 0);
        assert_ptr_equal(registry_find(registry, command->id)->command, command);
        assert_non_null(command->run);
        assert_true(command->name[0]);
    }
}

static bool run_nothing(const struct command_call *call, struct status *st)
{
    (void)call;
    (void)st;
    return true;
}

static void collisions(void **state)
{
    struct fixture *f = *state;
    struct registry *registry = f->session->registry;
    struct status st = STATUS_INIT;
    char *warning = NULL;
    const struct command core = {.id = "dev.perfetto.OpenTrace", .name = "x", .run = run_nothing};
    assert_false(
        registry_add(registry, &core, COMMAND_TRACE_MACRO, "the trace", NULL, NULL, &warning, &st));
    assert_non_null(strstr(st.message, "a command of the program has this id"));
    assert_false(registry_is_macro(registry_find(registry, "dev.perfetto.OpenTrace")));
    status_clear(&st);

    const struct command mine = {.id = "com.ex.M", .name = "mine", .run = run_nothing};
    const struct command theirs = {.id = "com.ex.M", .name = "theirs", .run = run_nothing};
    assert_true(registry_add(registry, &theirs, COMMAND_TRACE_MACRO, "the trace", NULL, NULL,
                             &warning, &st));
    assert_false(registry_add(registry, &theirs, COMMAND_TRACE_MACRO, "the trace", NULL, NULL,
                              &warning, &st));
    status_clear(&st);
    assert_true(registry_add(registry, &mine, COMMAND_SETTINGS_MACRO, "settings", NULL, NULL,
                             &warning, &st));
    assert_non_null(warning);
    mem_free(warning);
    assert_string_equal(registry_find(registry, "com.ex.M")->command->name, "mine");
    assert_false(registry_add(registry, &theirs, COMMAND_TRACE_MACRO, "the trace", NULL, NULL,
                              &warning, &st));
    status_clear(&st);
    registry_remove_scope(registry, COMMAND_SETTINGS_MACRO);
    assert_null(registry_find(registry, "com.ex.M"));
    assert_non_null(registry_find(registry, "dev.perfetto.RunQuery"));
}

static void the_allowlist_comes_before_existence(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct report report = {0};
    const struct command_context context = {
        .source = COMMAND_FROM_TRACE, .allowlist_only = true, .report = &report};
    assert_int_equal(registry_run(f->session, "com.nobody.X", NULL, 0, &context, &st),
                     COMMAND_BLOCKED);
    status_clear(&st);
    assert_int_equal(registry_run(f->session, "dev.perfetty.Quit", NULL, 0, &context, &st),
                     COMMAND_BLOCKED);
    assert_string_equal(st.message, "dev.perfetty.Quit is not allowed as a startup command");
    status_clear(&st);
    assert_int_equal(RUN(f, &st, "com.nobody.X"), COMMAND_FAILED);
    assert_string_equal(st.message, "there is no command com.nobody.X");
    status_clear(&st);
    assert_int_equal(report.lines.count, 2);
    assert_true(report.lines.items[1].blocked);
    assert_string_equal(report.lines.items[1].id, "dev.perfetty.Quit");
    report_dispose(&report);
}

/* ---- arguments ---- */

static void arguments_are_checked(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *line, *message;
    } table[] = {
        {"dev.perfetto.PinTracksByRegex",
         "dev.perfetto.PinTracksByRegex takes 1 to 2 arguments: pattern [nameOrPath=name|path], "
         "got 0"},
        {"PinTracksByRegex a b c",
         "dev.perfetto.PinTracksByRegex takes 1 to 2 arguments: pattern [nameOrPath=name|path], "
         "got 3"},
        {"PinTracksByRegex a nmae",
         "dev.perfetto.PinTracksByRegex: nameOrPath is \"nmae\", allowed are name|path"},
        {"PinTracksByRegex (?i)a",
         "/(?i)a/: bad regular expression at byte 0: JavaScript has no inline flags"},
        {"UnpinAllTracks now", "dev.perfetto.UnpinAllTracks takes no arguments, got 1"},
        {"AddNoteAtTimestamp 12x y", "dev.perfetto.AddNoteAtTimestamp: timestamp is \"12x\", but "
                                     "has to be a time in nanoseconds (an integer)"},
        {"AddNoteAtTimestamp 9223372036854775808 y",
         "dev.perfetto.AddNoteAtTimestamp: timestamp is \"9223372036854775808\", but has to be a "
         "time in nanoseconds (an integer)"},
        {"CreateWorkspace", "dev.perfetto.CreateWorkspace takes 1 argument: title, got 0"},
        {"SwitchWorkspace nowhere", "there is no workspace \"nowhere\""},
        {"Nonsense", "there is no command Nonsense"},
        {"PinTracksByRegex \"a", "the \" quote at 18 is not closed"},
        {"", "type a command"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct status st = STATUS_INIT;
        assert_int_equal(fixture_run(f, table[i].line, &st), COMMAND_FAILED);
        assert_string_equal(st.message, table[i].message);
        status_clear(&st);
    }
}

static void lines_become_words(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *line;
        uint32_t n;
        const char *first, *second;
    } table[] = {
        {"PinTracksByRegex CPU\\ \\d", 1, "CPU \\d", NULL},
        {"PinTracksByRegex 'a b'  path", 2, "a b", "path"},
        {"PinTracksByRegex \"a\\\"b\"", 1, "a\"b", NULL},
        {"PinTracksByRegex a\\\\b\\.", 1, "a\\\\b\\.", NULL},
        {"RunQuery select 'x  y', \"z\"", 1, "select 'x  y', \"z\"", NULL},
        {"RunQueryAndShowTab 'select 1' T", 2, "select 1", "T"},
        {"dev.perfetto.CreateWorkspace ''", 1, "", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct invocation got;
        struct status st = STATUS_INIT;
        assert_true(registry_parse_line(f->session->registry, str_of(table[i].line), &got, &st));
        assert_int_equal(got.n_args, table[i].n);
        assert_string_equal(got.args[0], table[i].first);
        if (table[i].second) assert_string_equal(got.args[1], table[i].second);
        invocation_dispose(&got);
    }
}

/* ---- pins, folds, workspaces ---- */

static void pins(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    /* A thread's states and slices share a name; pinning ignores folds. */
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "^main \\d+$"), COMMAND_DONE);
    assert_string_equal(last_message(s), "2 tracks pinned");
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "^main"), COMMAND_DONE);
    assert_string_equal(last_message(s), "1 track pinned, 2 were already");
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "4213 > Render", "path"),
                     COMMAND_DONE);
    assert_int_equal(s->workspace->pinned.root.children.count, 4);
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "Frame.*"), COMMAND_DONE);
    assert_string_equal(last_message(s),
                        "0 tracks match /Frame.*/ (names are case-sensitive; try path)");
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "^CPU Scheduling$"),
                     COMMAND_DONE);
    expect_rows(s, "*main 4213\n"
                   "*main 4213\n"
                   "*main 4213 Perf Callstacks\n"
                   "*RenderThread 4250\n"
                   "*CPU Scheduling\n"
                   "CPU Scheduling\n"
                   "  CPU 0 Scheduling\n"
                   "  CPU 1 Scheduling\n"
                   "System\n"
                   "Android logs\n"
                   "com.ex.shop 4213\n"
                   "logd 77\n");
    session_focus_row(s, 1);
    assert_int_equal(RUN(f, &st, "dev.perfetty.TogglePin"), COMMAND_DONE);
    assert_int_equal(s->workspace->pinned.root.children.count, 4);
    assert_int_equal(RUN(f, &st, "dev.perfetto.UnpinAllTracks"), COMMAND_DONE);
    assert_int_equal(s->workspace->pinned.root.children.count, 0);
}

static void headless_groups_do_not_match(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    /* "logd 77" is a process, a headless thread and its states. */
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "^logd 77$"), COMMAND_DONE);
    assert_string_equal(last_message(f->session), "2 tracks pinned");
}

static void a_costly_regex_is_stopped(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    track_tree_add(&f->session->workspace->tree, &f->session->workspace->tree.root,
                   TRACK_KIND_GROUP, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "long");
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "^(a+)+$"), COMMAND_FAILED);
    assert_string_equal(st.message, "/^(a+)+$/ takes more than 50 ms; make it simpler");
    status_clear(&st);
    assert_int_equal(f->session->workspace->pinned.root.children.count, 0);
}

static void a_name_can_be_too_long(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    char name[30001];
    memset(name, 'a', 30000);
    name[30000] = '\0';
    track_tree_add(&f->session->workspace->tree, &f->session->workspace->tree.root,
                   TRACK_KIND_GROUP, name, "long");
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "^(a|b)*c"), COMMAND_FAILED);
    assert_string_equal(st.message,
                        "/^(a|b)*c/ goes back too far in a name of 30000 bytes; make it simpler");
    status_clear(&st);
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "^a*$"), COMMAND_DONE);
    assert_string_equal(last_message(f->session), "1 track pinned");
}

/* 5,000 tracks and a pattern that no name ends soon. */
static void a_regex_has_one_budget(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    struct track_tree *tree = &f->session->workspace->tree;
    for (unsigned i = 0; i < 5000; i++) {
        char uri[32];
        (void)snprintf(uri, sizeof uri, "long/%u", i);
        track_tree_add(tree, &tree->root, TRACK_KIND_GROUP, "com.ex.aaaaaaaaaaaaaaaaaa thread",
                       uri);
    }
    const char *const lines[] = {
        "dev.perfetto.PinTracksByRegex (a|a)+$",
        "dev.perfetto.ExpandTracksByRegex (a|a)+$ path",
        "dev.perfetto.CopyTracksToWorkspaceByRegex (a|a)+$ W",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
        assert_int_equal(fixture_run(f, lines[i], &st), COMMAND_FAILED);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
        int64_t ms = (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000;
        if (ms > 70) fail_msg("%s: %lld ms", lines[i], (long long)ms);
        assert_string_equal(st.message, "/(a|a)+$/ takes more than 50 ms; make it simpler");
        status_clear(&st);
    }
    assert_null(session_workspace_find(f->session, "W"));
}

static void folds(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    assert_int_equal(RUN(f, &st, "dev.perfetto.ExpandTracksByRegex", "com\\.ex\\..*"),
                     COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.CollapseTracksByRegex", "^CPU Scheduling$"),
                     COMMAND_DONE);
    expect_rows(f->session, "CPU Scheduling\n"
                            "System\n"
                            "Android logs\n"
                            "com.ex.shop 4213\n"
                            "  Perf Process Callstacks\n"
                            "  launching\n"
                            "  main 4213 Perf Callstacks\n"
                            "  main 4213\n"
                            "  main 4213\n"
                            "  RenderThread 4250\n"
                            "  mem.rss\n"
                            "logd 77\n");
}

static void workspaces(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    assert_int_equal(RUN(f, &st, "dev.perfetto.CreateWorkspace", "W"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.CreateWorkspace", "W"), COMMAND_DONE);
    assert_int_equal(s->workspaces.count, 3);
    assert_string_equal(s->workspace->title, "Default Workspace");
    assert_int_equal(RUN(f, &st, "dev.perfetto.CopyTracksToWorkspaceByRegex", "^main 4213$", "W"),
                     COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.CopyTracksToWorkspaceByRegexWithAncestors",
                         "Render|^main 4213$", "New"),
                     COMMAND_DONE);
    assert_string_equal(s->workspace->title, "Default Workspace");
    assert_int_equal(RUN(f, &st, "dev.perfetto.SwitchWorkspace", "W"), COMMAND_DONE);
    expect_rows(s, "main 4213\nmain 4213\n");
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "."), COMMAND_DONE);
    assert_int_equal(s->workspaces.items[0]->pinned.root.children.count, 0);
    assert_int_equal(RUN(f, &st, "dev.perfetto.SwitchWorkspace", "New"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.ExpandAllGroups"), COMMAND_DONE);
    expect_rows(s, "com.ex.shop 4213\n  main 4213\n  main 4213\n  RenderThread 4250\n");
    session_focus_row(s, 1);
    assert_int_equal(RUN(f, &st, "dev.perfetto.SelectNextTrackEvent"), COMMAND_DONE);
}

/* A group that was copied for the sake of one track gets the others later. */
static void copies_are_completed(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    const char *with_ancestors = "dev.perfetto.CopyTracksToWorkspaceByRegexWithAncestors";
    assert_int_equal(RUN(f, &st, with_ancestors, "Render", "W"), COMMAND_DONE);
    assert_string_equal(last_message(s), "1 track copied to W");
    assert_int_equal(RUN(f, &st, with_ancestors, "^com.ex", "W"), COMMAND_DONE);
    assert_string_equal(last_message(s), "1 track copied to W");
    assert_int_equal(RUN(f, &st, with_ancestors, "^com.ex|Render", "W"), COMMAND_DONE);
    assert_string_equal(last_message(s), "0 tracks copied to W, 2 already there");
    assert_int_equal(RUN(f, &st, "dev.perfetto.SwitchWorkspace", "W"), COMMAND_DONE);
    assert_string_equal(last_message(s), "workspace W");
    assert_int_equal(RUN(f, &st, "dev.perfetto.ExpandAllGroups"), COMMAND_DONE);
    expect_rows(s, "com.ex.shop 4213\n"
                   "  RenderThread 4250\n"
                   "  Perf Process Callstacks\n"
                   "  launching\n"
                   "  main 4213 Perf Callstacks\n"
                   "  main 4213\n"
                   "  main 4213\n"
                   "  mem.rss\n");
    /* Into itself: nothing is missing, and at the top it is there once. */
    assert_int_equal(RUN(f, &st, with_ancestors, "mem", "W"), COMMAND_DONE);
    assert_string_equal(last_message(s), "0 tracks copied to W, 1 already there");
    assert_int_equal(RUN(f, &st, "dev.perfetto.CopyTracksToWorkspaceByRegex", "mem", "W"),
                     COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.CopyTracksToWorkspaceByRegex", "^mem", "W"),
                     COMMAND_DONE);
    assert_int_equal(s->workspace->tree.root.children.count, 2);
}

static void selected_and_shown_tracks_are_copied(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    const char *selected = "dev.perfetto.CopySelectedTracksToWorkspace";
    assert_int_equal(RUN(f, &st, selected, "W"), COMMAND_FAILED);
    assert_string_equal(st.message, "select a track, an event or an area of tracks first");
    status_clear(&st);
    assert_int_equal(RUN(f, &st, "dev.perfetty.SelectArea", "1000", "1100", "^launching|mem"),
                     COMMAND_DONE);
    assert_int_equal(RUN(f, &st, selected, "W"), COMMAND_DONE);
    assert_string_equal(last_message(s), "2 tracks copied to W");
    assert_int_equal(RUN(f, &st, "dev.perfetto.SelectEventByTableNameAndId", "slice", "3"),
                     COMMAND_DONE);
    assert_int_equal(RUN(f, &st, selected, "W"), COMMAND_DONE);
    assert_string_equal(last_message(s), "1 track copied to W");
    assert_int_equal(RUN(f, &st, "dev.perfetto.CollapseAllGroups"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.ExpandTracksByRegex", "^CPU Sched"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.CopyFilteredToWorkspace", "Shown"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.SwitchWorkspace", "Shown"), COMMAND_DONE);
    expect_rows(s, "CPU Scheduling\n"
                   "  CPU 0 Scheduling\n"
                   "  CPU 1 Scheduling\n"
                   "System\n"
                   "Android logs\n"
                   "com.ex.shop 4213\n"
                   "logd 77\n");
    assert_int_equal(RUN(f, &st, "dev.perfetto.SwitchWorkspace", "W"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.ExpandAllGroups"), COMMAND_DONE);
    expect_rows(s, "com.ex.shop 4213\n  launching\n  mem.rss\n  RenderThread 4250\n");
}

/* ---- SQL ---- */

static void queries(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    assert_int_equal(RUN(f, &st, "dev.perfetto.RunQuery", "SELECT 1"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.RunQuery", "SELECT nothing"), COMMAND_FAILED);
    assert_non_null(strstr(st.message, "nothing"));
    status_clear(&st);
    assert_int_equal(RUN(f, &st, "dev.perfetto.RunQueryAndShowTab", "SELECT 1 AS a, 'b' AS b"),
                     COMMAND_DONE);
    struct tab *tab = session_tab_shown(s);
    assert_string_equal(tab->title, "Command Query");
    assert_int_equal(tab->state, TAB_READY);
    assert_int_equal(tab->result->n_rows, 1);
    assert_int_equal(RUN(f, &st, "dev.perfetto.RunQueryAndShowTab", "SELEC", "Bad"), COMMAND_DONE);
    tab = session_tab_shown(s);
    assert_string_equal(tab->title, "Bad");
    assert_int_equal(tab->state, TAB_FAILED);
    assert_non_null(strstr(tab->error, "SELEC"));
    assert_int_equal(s->tabs.count, 3);
    assert_int_equal(RUN(f, &st, "dev.perfetty.CloseTab"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetty.CloseTab"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetty.CloseTab"), COMMAND_FAILED);
    status_clear(&st);
}

static void no_trace_no_sql(void **state)
{
    struct fixture *f = *state;
    struct status st = STATUS_INIT;
    assert_int_equal(RUN(f, &st, "dev.perfetto.RunQuery", "SELECT 1"), COMMAND_FAILED);
    assert_string_equal(st.message, "no trace is open");
    status_clear(&st);
    assert_int_equal(RUN(f, &st, "dev.perfetto.RunQueryAndShowTab", "SELECT 1"), COMMAND_DONE);
    assert_int_equal(session_tab_shown(f->session)->state, TAB_FAILED);
}

static void debug_slices(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugSliceTrack",
                         "SELECT 10 AS ts, 5 AS dur, 'b' AS name UNION ALL SELECT 5, NULL, 'a' "
                         "UNION ALL SELECT 20, 1, NULL -- a comment",
                         "Mine"),
                     COMMAND_DONE);
    const struct track_node *node = s->workspace->pinned.root.children.items[0];
    assert_string_equal(node->name, "Mine");
    assert_true(node->removable);
    const struct debug_track *debug = node->debug;
    assert_int_equal(debug->n_rows, 3);
    assert_int_equal(debug->ts[0], 5);
    assert_int_equal(debug->dur[0], -1);
    assert_int_equal(debug->depth[1], 1);
    assert_int_equal(debug->depth[2], 1);
    assert_int_equal(debug->n_depths, 2);
    assert_true(str_is(debug->name[1], "b"));
    assert_int_equal(debug->name[2].n, 0);
    assert_int_equal(
        RUN(f, &st, "dev.perfetto.AddDebugSliceTrack", "SELECT 1 AS ts, 'x' AS name", "T"),
        COMMAND_FAILED);
    assert_string_equal(st.message, "the query has no column \"dur\"; it has ts, name");
    status_clear(&st);
    /* Pins never see them. */
    assert_int_equal(RUN(f, &st, "dev.perfetto.PinTracksByRegex", "Mine"), COMMAND_DONE);
    assert_int_equal(s->workspace->pinned.root.children.count, 1);
    session_focus_row(s, 0);
    assert_int_equal(RUN(f, &st, "dev.perfetto.SelectPreviousTrackEvent"), COMMAND_DONE);
    assert_int_equal(s->selection.table, EVENT_DEBUG);
    assert_int_equal(s->selection.id, 2);
}

/* A name is not needed; a query may end as people end it. */
static void debug_slices_without_names(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugSliceTrack",
                         "WITH a AS (SELECT 1 AS ts, 2 AS dur) SELECT * FROM a ; ;\n", "It's T"),
                     COMMAND_DONE);
    assert_string_equal(last_message(s), "1 row in 1 debug track");
    const struct debug_track *debug = s->workspace->pinned.root.children.items[0]->debug;
    assert_true(str_is(debug->name[0], "It's T"));
    assert_int_equal(
        RUN(f, &st, "dev.perfetto.AddDebugSliceTrack", "SELECT 1 AS ts, 2 AS dur WHERE 0", "Empty"),
        COMMAND_DONE);
    assert_string_equal(last_message(s), "0 rows in 1 debug track");
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugSliceTrack", "SELECT 1; SELECT 2", "T"),
                     COMMAND_FAILED);
    status_clear(&st);
}

static void expect_debug_row(struct session *s, uint32_t track, uint32_t row, const char *expected)
{
    const struct track_node *node = s->workspace->pinned.root.children.items[track];
    const struct result *result = session_debug_row(s, node->debug, row);
    struct buffer text = BUFFER_INIT;
    for (uint32_t i = 0; result && i < result->n_columns; i++) {
        buffer_printf(&text, "%s%s=", i ? " " : "", result->names[i]);
        grid_cell_write(result_at(result, 0, i), &text);
    }
    assert_string_equal(buffer_text(&text), expected);
    buffer_free(&text);
}

/* What nothing is drawn from stays with the row, whatever it holds. */
static void debug_tracks_keep_their_columns(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugSliceTrack",
                         "SELECT 7 AS ts, 2 AS dur, 'n' AS name, 5 AS slice_id, 'x' AS \"a b\", "
                         "1.5 AS \"A-b\" UNION ALL SELECT 3, 2, 'm', 6, 'y', 2.5",
                         "T"),
                     COMMAND_DONE);
    expect_debug_row(s, 0, 0, "id=2 ts=3 dur=2 name=m raw_slice_id=6 raw_a_b=y raw_A_b_3=2.5");
    assert_true(session_debug_row_is_there(s));
    expect_debug_row(s, 0, 1, "id=1 ts=7 dur=2 name=n raw_slice_id=5 raw_a_b=x raw_A_b_3=1.5");
    expect_debug_row(s, 0, 2, "");
    assert_false(session_debug_row_is_there(s));
    /* Values of two types in a column, a blob, a column that is called as one of ours. */
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugCounterTrackWithPivot",
                         "SELECT 7 AS TS, 2 AS value, 5 AS mixed, 'p' AS id, x'41' AS b UNION ALL "
                         "SELECT 8, 3, 'five', 'p', NULL",
                         "id", "C"),
                     COMMAND_DONE);
    expect_debug_row(s, 1, 0,
                     "id=1 ts=7 value=2 pivot_rank=1 pivot=p raw_mixed=5 raw_id=p "
                     "raw_b=A");
    expect_debug_row(s, 1, 1,
                     "id=2 ts=8 value=3 pivot_rank=1 pivot=p raw_mixed=five raw_id=p "
                     "raw_b=NULL");
}

static int64_t debug_tables(struct session *session)
{
    struct status st = STATUS_INIT;
    struct result *rows = session_query(
        session, 0, ENGINE_ORIGIN_USER,
        "SELECT count(*) FROM sqlite_master WHERE name GLOB '__debug_track_*'", 1, &st);
    assert_non_null(rows);
    int64_t n = result_at(rows, 0, 0)->integer;
    result_free(rows);
    return n;
}

static void debug_tracks_go(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    const char *sql = "SELECT 1 AS ts, 2 AS dur, 'a' AS k UNION ALL SELECT 2, 2, 'b'";
    const struct track_node_list *pins = &s->workspace->pinned.root.children;
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugSliceTrackWithPivot", sql, "k", "T"),
                     COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugSliceTrack", sql, "U"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetto.CopyPinnedToWorkspace", "W"), COMMAND_DONE);
    assert_int_equal(debug_tables(s), 2);
    session_focus_row(s, 1);
    assert_int_equal(RUN(f, &st, "dev.perfetto.SelectPreviousTrackEvent"), COMMAND_DONE);
    assert_int_equal(RUN(f, &st, "dev.perfetty.RemoveDebugTrack"), COMMAND_DONE);
    assert_string_equal(last_message(s), "removed T: k = b");
    assert_int_equal(s->selection.kind, SELECTION_NONE);
    assert_int_equal(pins->count, 2);
    assert_string_equal(s->focus->name, "U");
    /* The other one of the same query needs the table still. */
    assert_int_equal(debug_tables(s), 2);
    assert_int_equal(RUN(f, &st, "dev.perfetty.RemoveDebugTrack", "T: k = a"), COMMAND_DONE);
    assert_string_equal(last_message(s), "1 debug track removed");
    assert_int_equal(debug_tables(s), 1);
    assert_int_equal(RUN(f, &st, "dev.perfetty.RemoveDebugTrack", "T: k = a"), COMMAND_FAILED);
    assert_string_equal(st.message, "no debug track is called \"T: k = a\"");
    status_clear(&st);
    struct track_tree *copies = &session_workspace_find(s, "W")->tree;
    assert_int_equal(copies->root.children.count, 1);
    assert_int_equal(RUN(f, &st, "dev.perfetty.RemoveDebugTrack", "U"), COMMAND_DONE);
    assert_int_equal(copies->root.children.count + pins->count, 0);
    assert_int_equal(debug_tables(s), 0);
    assert_int_equal(RUN(f, &st, "dev.perfetty.RemoveDebugTrack"), COMMAND_FAILED);
    assert_string_equal(st.message, "the row in focus is no debug track");
    status_clear(&st);
}

static void pivots(void **state)
{
    struct fixture *f = *state;
    struct session *s = f->session;
    struct status st = STATUS_INIT;
    const char *sql = "SELECT 1 AS ts, 2 AS dur, 'x' AS name, 'k' AS kind UNION ALL "
                      "SELECT 2, 2, 'y', NULL UNION ALL SELECT 3, 2, 'z', 'k' UNION ALL "
                      "SELECT 4, 2, 'w', 7";
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugSliceTrackWithPivot", sql, "kind", "P"),
                     COMMAND_DONE);
    const struct track_node_list *pins = &s->workspace->pinned.root.children;
    assert_int_equal(pins->count, 3);
    assert_string_equal(pins->items[0]->name, "P: kind = NULL");
    assert_string_equal(pins->items[1]->name, "P: kind = 7");
    assert_string_equal(pins->items[2]->name, "P: kind = k");
    assert_int_equal(pins->items[2]->debug->n_rows, 2);
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugCounterTrack",
                         "SELECT 5 AS ts, 1.5 AS value UNION ALL SELECT 1, -2", "C"),
                     COMMAND_DONE);
    const struct debug_track *counter = pins->items[3]->debug;
    assert_true(counter->is_counter);
    assert_true(counter->value[0] == -2.0 && counter->most == 1.5 && counter->least == -2.0);
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugCounterTrackWithPivot",
                         "SELECT 5 AS ts, 1 AS value, 'a\"b' AS \"odd \"\" name\"", "odd \" name",
                         "C"),
                     COMMAND_DONE);
    assert_string_equal(pins->items[4]->name, "C: odd \" name = a\"b");
    assert_int_equal(RUN(f, &st, "dev.perfetto.AddDebugCounterTrackWithPivot",
                         "SELECT 5 AS ts, 1 AS value", "nope", "C"),
                     COMMAND_FAILED);
    assert_string_equal(st.message, "the query has no column \"nope\"; it has ts, value");
    status_clear(&st);
}

int main(void)
{
#define TEST(name)     cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
#define SQL_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup_engine, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(every_allowed_id_is_there),
        TEST(ids_are_unique_and_namespaced),
        TEST(collisions),
        TEST(the_allowlist_comes_before_existence),
        TEST(arguments_are_checked),
        TEST(lines_become_words),
        TEST(pins),
        TEST(headless_groups_do_not_match),
        TEST(a_costly_regex_is_stopped),
        TEST(a_name_can_be_too_long),
        TEST(a_regex_has_one_budget),
        TEST(folds),
        TEST(workspaces),
        TEST(copies_are_completed),
        TEST(selected_and_shown_tracks_are_copied),
        SQL_TEST(queries),
        TEST(no_trace_no_sql),
        SQL_TEST(debug_slices),
        SQL_TEST(debug_slices_without_names),
        SQL_TEST(debug_tracks_keep_their_columns),
        SQL_TEST(debug_tracks_go),
        SQL_TEST(pivots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
