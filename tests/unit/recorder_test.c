/* Recording: what becomes of each command, and that the macro, kept and run in a fresh
 * session, leads to the same one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "commands/flame_text.h"
#include "commands/flame_view.h"
#include "commands/state_file.h"
#include "engine/base/memory.h"
#include "macros/recorder.h"
#include "macros/sources.h"
#include "tests/gen/random.h"
#include "tests/unit/session_fixture.h"

static int failed;
static char folder[] = "/tmp/perfetty_recorder_XXXXXX";

static struct settings *load_settings(void)
{
    char person[100], state[100];
    struct status st = STATUS_INIT;
    snprintf(person, sizeof person, "%s/person.json", folder);
    snprintf(state, sizeof state, "%s/state.json", folder);
    struct settings *settings = settings_load(person, state, &st);
    if (!settings) fail_msg("%s", status_message(&st));
    return settings;
}

struct world {
    struct fixture *f;
    struct settings *settings;
    struct recorder *recorder;
};

static struct world open_world(void)
{
    struct world w = {0};
    void *state;
    fixture_setup_engine(&state);
    w.f = state;
    w.settings = load_settings();
    w.recorder = recorder_new(w.settings);
    recorder_register(w.recorder, w.f->session);
    macros_register_bundled(w.f->session);
    struct status st = STATUS_INIT;
    assert_true(macros_register_settings(w.f->session, w.settings, &st));
    return w;
}

static void close_world(struct world *w)
{
    void *state = w->f;
    fixture_teardown(&state);
    recorder_free(w->recorder);
    settings_free(w->settings);
}

static void run_line(struct world *w, const char *line)
{
    struct status st = STATUS_INIT;
    if (fixture_run(w->f, line, &st) != COMMAND_DONE) {
        print_error("%s: %s\n", line, status_message(&st));
        status_clear(&st);
        failed++;
    }
    session_poll(w->f->session);
}

static void run_lines(struct world *w, const char *lines)
{
    struct str rest = str_of(lines), line;
    while (str_split_next(&rest, ';', &line)) {
        line = str_trim(line);
        char *copy = mem_copy_string(line.p, line.n);
        if (copy[0]) run_line(w, copy);
        mem_free(copy);
    }
}

/* "Id arg | arg; Id", ids without their first two words. */
static void write_steps(const struct recorder *recorder, struct buffer *out)
{
    for (size_t i = 0; i < recorder_count(recorder); i++) {
        const struct invocation *step = recorder_step(recorder, i);
        buffer_printf(out, "%s%s", i ? "; " : "", strrchr(step->id, '.') + 1);
        for (uint32_t k = 0; k < step->n_args; k++)
            buffer_printf(out, "%s%s", k ? " | " : " ", step->args[k]);
    }
}

/* All of a session that one sees. */
static void write_session(struct session *s, struct buffer *out)
{
    uint32_t count;
    const struct session_row *rows = session_rows(s, &count);
    buffer_printf(out, "workspace %s of %zu\n", s->workspace->title, s->workspaces.count);
    for (uint32_t i = 0; i < count; i++)
        buffer_printf(out, "%s%*s%s%s\n", rows[i].pinned ? "*" : "", (int)(2 * rows[i].indent), "",
                      rows[i].node->name, rows[i].node->flat ? " flat" : "");
    buffer_printf(out, "window %lld %lld cursor %lld\n", (long long)s->window_start,
                  (long long)s->window_end, (long long)s->cursor);
    buffer_printf(out, "focus %s %d %u\n", s->focus ? s->focus->uri : "-", s->focus_pinned,
                  s->focus ? s->focus_depth : 0);
    const struct selection *sel = &s->selection;
    buffer_printf(out, "selection %d table %d id %lld uri %s %lld %lld\n", (int)sel->kind,
                  sel->kind == SELECTION_EVENT ? (int)sel->table : 0,
                  sel->kind == SELECTION_EVENT ? (long long)sel->id : 0, sel->uri ? sel->uri : "-",
                  (long long)sel->start, (long long)sel->end);
    for (size_t i = 0; i < sel->tracks.count; i++)
        buffer_printf(out, "  on %s\n", sel->tracks.items[i]);
    for (size_t i = 0; i < s->tabs.count; i++) {
        const struct tab *tab = s->tabs.items[i];
        buffer_printf(out, "tab %s%s %llu\n", tab->title, tab->id == s->tab_shown ? " shown" : "",
                      tab->result ? (unsigned long long)tab->result->n_rows : 0);
    }
    for (size_t i = 0; i < s->notes.count; i++) {
        const struct note *note = &s->notes.items[i];
        buffer_printf(out, "note %lld %lld %s%s%s\n", (long long)note->start, (long long)note->end,
                      note->is_span ? "span " : "", note->is_temporary ? "temporary " : "",
                      note->text);
    }
    for (int i = 0; i < MARK_COUNT; i++)
        if (s->marks[i].set)
            buffer_printf(out, "mark %d %lld %s\n", i, (long long)s->marks[i].ts,
                          s->marks[i].uri ? s->marks[i].uri : "-");
    if (s->flame) flame_write_filters(&s->flame->look, out);
    buffer_printf(out, "drawer %d pane %d search %s format %d crosshair %d\n", (int)s->drawer,
                  (int)s->pane, s->search.term ? s->search.term : "-", (int)s->time_format,
                  s->crosshair);
}

struct recording {
    const char *lines, *steps;
};

static const struct recording recordings[] = {
    /* As it is. */
    {"PinTracksByRegex ^main; RunQueryAndShowTab 'SELECT 1 AS a' One; ShowMetadata",
     "PinTracksByRegex ^main; RunQueryAndShowTab SELECT 1 AS a | One; ShowMetadata; ShowTab 3; "
     "CycleDrawer small; NextPane timeline"},
    /* A name that is one track's; two tracks share the name and the path of the other. */
    {"FindTrackByName 'logd 77'; TogglePin; FindTrackByName 'main 4213'; PinTrack",
     "PinTracksByRegex ^logd 77$ | path; PinTrackByName t0/state/2; ExpandTracksByRegex "
     "^com\\.ex\\.shop 4213$ | path; FocusTrack main 4213"},
    {"PinTracksByRegex .; FocusTrack 'mem.rss' pinned; UnpinTrack",
     "PinTracksByRegex .; UnpinTrack mem.rss; FocusTrack logd 77 | pinned"},
    {"PinTrackByName mem.rss", "PinTracksByRegex ^mem\\.rss$"},
    /* Many movements are one place. */
    {"ZoomIn; ZoomIn; PanRight; CursorRight 5; RowDown; RowDown; ZoomIn",
     "FocusTrack CPU 1 Scheduling; SetCursor 1132; ZoomTo 1096 | 1689"},
    {"ZoomIn; ZoomOut; RowDown; RowUp", ""},
    /* Notes and marks by their time. */
    {"CursorRight 10; AddNote here; CursorRight 10; SetMark a; SetMark b; CursorToStart",
     "AddNoteAtTimestamp 1150 | here; SetCursor 1400; FocusTrack CPU Scheduling; SetMark a; "
     "SetCursor 1400; FocusTrack CPU Scheduling; SetMark b; SelectNote 1150; FocusTrack CPU "
     "Scheduling; SetCursor 900; ZoomTo 900 | 2900"},
    {"AddNote gone; RemoveSelectedNote", ""},
    {"SelectArea 1000 2000; AddSpanNote span; SetTemporarySpanNote",
     "SelectArea 1000 | 2000; AddSpanNote span; SelectArea 1000 | 2000; SetTemporarySpanNote; "
     "SelectArea 1000 | 2000"},
    /* Events by table and row; areas on tracks. */
    {"SelectEventByTableNameAndId slice 1",
     "SelectEventByTableNameAndId slice | 1; FocusTrack t0/track/0 | tree | 1; SetCursor 1010; "
     "ZoomTo 900 | 2900"},
    {"SelectEventByTableNameAndId slice 1; ConvertSelectionToArea",
     "SelectAreaOnTracks 1010 | 1110 | t0/track/0; ExpandTracksByRegex ^com\\.ex\\.shop 4213$ | "
     "path; FocusTrack t0/track/0 | tree | 1; SetCursor 1010; ZoomTo 900 | 2900"},
    {"SelectEventByTableNameAndId slice 1; Deselect; Deselect",
     "ExpandTracksByRegex ^com\\.ex\\.shop 4213$ | path; FocusTrack t0/track/0 | tree | 1; "
     "SetCursor 1010; ZoomTo 900 | 2900"},
    {"FindTrackByName 'logd 77'; SelectTrack 'logd 77'", "SelectTrack logd 77; FocusTrack logd 77"},
    /* Folds in their order. */
    {"ExpandAllGroups; FindTrackByName 'CPU Scheduling'; ToggleFold; CollapseTracksByRegex logd",
     "ExpandAllGroups; ToggleFold CPU Scheduling; CollapseTracksByRegex logd"},
    {"FindTrackByName 'com.ex.shop 4213'; ToggleFoldBelow",
     "ToggleFoldBelow com.ex.shop 4213; FocusTrack com.ex.shop 4213"},
    {"SelectEventByTableNameAndId slice 1; CollapseAllGroups",
     "ExpandTracksByRegex ^com\\.ex\\.shop 4213$ | path; CollapseAllGroups; "
     "SelectEventByTableNameAndId slice | 1; CollapseTracksByRegex ^com\\.ex\\.shop 4213$ | path; "
     "FocusTrack com.ex.shop 4213; SetCursor 1010; ZoomTo 900 | 2900"},
    /* Workspaces. */
    {"CopyTracksToWorkspaceByRegex ^main Mine; SwitchWorkspace Mine; TogglePin; RowDown",
     "CopyTracksToWorkspaceByRegex ^main | Mine; SwitchWorkspace Mine; PinTracksByRegex ^main 4213 "
     "Perf Callstacks$; FocusTrack main 4213"},
    /* Tabs that were closed are not opened; named ones have their name at once. */
    {"RunQueryAndShowTab 'SELECT 1' One; RunQueryAndShowTab 'SELECT 2' Two; NameTab Second; "
     "ShowTab 2; CloseTab",
     "RunQuery SELECT 1; RunQueryAndShowTab SELECT 2 | Second; ShowTab 1; CycleDrawer small; "
     "NextPane timeline"},
    {"ShowMetadata; ShowTraceInfo; CloseTab",
     "ShowMetadata; ShowTab 2; CycleDrawer half; NextPane details"},
    /* What depends on the place has it first. */
    {"ZoomTo 1000 1500; RunQueryInSelectedTimeWindow; ZoomToFit",
     "SetCursor 1000; ZoomTo 1000 | 1500; RunQueryInSelectedTimeWindow; SetCursor 1000; ZoomTo 900 "
     "| 2900; ShowTab 2; CycleDrawer small; NextPane timeline"},
    {"Search doFrame; SearchNext", "Search doFrame; SelectEventByTableNameAndId slice | 0; "
                                   "FocusTrack t0/track/0; SetCursor 1000; ZoomTo 900 | 2900"},
    {"Search draw; RunQueryInSelectedTimeWindow; Deselect; Deselect",
     "Search draw; RunQueryInSelectedTimeWindow; Search ; ShowTab 2; CycleDrawer small; "
     "NextPane timeline"},
    {"NextTimestampFormat; ToggleCrosshair; CycleDrawer half; NextPane details",
     "NextTimestampFormat; ToggleCrosshair; ShowTab 1; CycleDrawer half; NextPane details"},
    {"AddDebugSliceTrack 'SELECT 1000 AS ts, 5 AS dur, 1 AS name' Mine; FocusTrack debug/1/0 "
     "pinned; RemoveDebugTrack",
     "AddDebugSliceTrack SELECT 1000 AS ts, 5 AS dur, 1 AS name | Mine; FocusTrack debug/1/0 | "
     "pinned; RemoveDebugTrack"},
    /* A frame at the cursor by its name. */
    {"Flamegraph trace slice; FlamegraphMove down; FlamegraphFilterFrame hide; "
     "FlamegraphMove down; FlamegraphFilterFrame pivot",
     "Flamegraph trace | slice; FlamegraphFilter HS:/^launching$/; FlamegraphFilter P:/^doFrame$/; "
     "ShowTab 2; CycleDrawer half; NextPane details"},
    /* Another macro from where one is. */
    {"ZoomIn; dev.perfetty.macros.Overview; RowDown",
     "SetCursor 900; ZoomTo 900 | 2233; Overview; FocusTrack System"},
    /* Nothing of these. */
    {"OpenPrompt; ShowHelp; Redraw; Copy x; MoveTabRow 1", ""},
};

static void compare(const char *what, const char *lines, const struct buffer *got, const char *want)
{
    if (strcmp(buffer_text(got), want) == 0) return;
    print_error("%s of\n%s\nwant\n%s\ngot\n%s\n", what, lines, want, buffer_text(got));
    failed++;
}

static void record(struct world *w, const char *lines)
{
    struct status st = STATUS_INIT;
    recorder_start(w->recorder, w->f->session);
    run_lines(w, lines);
    recorder_stop(w->recorder, w->f->session, &st);
    status_clear(&st);
}

static void what_is_recorded(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++) {
        struct world w = open_world();
        struct buffer steps = BUFFER_INIT;
        record(&w, recordings[i].lines);
        write_steps(w.recorder, &steps);
        compare("steps", recordings[i].lines, &steps, recordings[i].steps);
        buffer_free(&steps);
        close_world(&w);
    }
    int n = failed;
    failed = 0;
    assert_int_equal(n, 0);
}

static void forget_saved(void)
{
    char path[100];
    snprintf(path, sizeof path, "%s/state.json", folder);
    unlink(path);
}

/* A fresh session reads the settings that the first one wrote. */
static void replay_leads_to_the_same_session(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++) {
        struct status st = STATUS_INIT;
        struct buffer first = BUFFER_INIT, second = BUFFER_INIT;
        forget_saved();
        struct world w = open_world();
        record(&w, recordings[i].lines);
        bool any = recorder_count(w.recorder) > 0;
        if (any && !recorder_save(w.recorder, w.f->session, "Again", "", "", &st))
            fail_msg("%s: %s", recordings[i].lines, status_message(&st));
        write_session(w.f->session, &first);
        close_world(&w);

        w = open_world();
        if (any) run_line(&w, "my.Again");
        write_session(w.f->session, &second);
        compare("session", recordings[i].lines, &second, buffer_text(&first));
        close_world(&w);
        buffer_free(&first);
        buffer_free(&second);
    }
    int n = failed;
    failed = 0;
    assert_int_equal(n, 0);
}

/* Commands in any order, some of which fail where they stand. */
static const char *const any[] = {
    "ZoomIn",
    "ZoomOut",
    "PanRight",
    "CursorRight 3",
    "CursorLeft",
    "RowDown 3",
    "RowUp",
    "LastRow",
    "FirstRow",
    "ParentRow",
    "TogglePin",
    "PinTracksByRegex ^main",
    "UnpinTrack",
    "UnpinAllTracks",
    "ToggleFold",
    "ToggleFoldBelow",
    "ExpandAllGroups",
    "CollapseAllGroups",
    "CollapseTracksByRegex shop",
    "SelectUnderCursor",
    "SelectNextTrackEvent",
    "SelectEventByTableNameAndId slice 2",
    "ConvertSelectionToArea",
    "FocusSelection",
    "Deselect",
    "SelectAll",
    "ToggleArea",
    "AddNote text",
    "AddSpanNote span",
    "SetTemporarySpanNote",
    "NextNote",
    "RemoveSelectedNote",
    "SetMark a",
    "SetMark b",
    "GoToMark a",
    "JumpBack",
    "Search draw",
    "SearchNext",
    "CreateWorkspace One",
    "CreateWorkspaceAndSwitch Two",
    "CopyTracksToWorkspaceByRegexWithAncestors ^main One",
    "SwitchWorkspace One",
    "SwitchWorkspace 'Default Workspace'",
    "RunQueryAndShowTab 'SELECT 1 AS a' Tab",
    "ShowMetadata",
    "NextTab",
    "CloseTab",
    "NameTab Named",
    "NextPane",
    "CycleDrawer",
    "ToggleDrawer",
    "NextTimestampFormat",
    "AddDebugSliceTrack 'SELECT 1000 AS ts, 5 AS dur, 1 AS name' Mine",
    "RemoveDebugTrack",
    "RunQueryInSelectedTimeWindow",
    "dev.perfetty.macros.Overview",
    "ZoomToFit",
};

static void any_session_comes_again(void **state)
{
    (void)state;
    struct gen_random random = {7};
    for (int round = 0; round < 300; round++) {
        struct status st = STATUS_INIT;
        struct buffer first = BUFFER_INIT, second = BUFFER_INIT, lines = BUFFER_INIT;
        forget_saved();
        struct world w = open_world();
        recorder_start(w.recorder, w.f->session);
        for (int i = 0; i < 14; i++) {
            const char *line = any[gen_random_between(&random, 0, sizeof any / sizeof *any - 1)];
            if (fixture_run(w.f, line, &st) == COMMAND_DONE) buffer_printf(&lines, "%s; ", line);
            status_clear(&st);
            session_poll(w.f->session);
        }
        bool any_step = recorder_stop(w.recorder, w.f->session, &st);
        status_clear(&st);
        if (any_step && !recorder_save(w.recorder, w.f->session, "Again", "", "", &st))
            fail_msg("%s", status_message(&st));
        write_session(w.f->session, &first);
        struct buffer steps = BUFFER_INIT;
        write_steps(w.recorder, &steps);
        close_world(&w);
        w = open_world();
        if (any_step) run_line(&w, "my.Again");
        write_session(w.f->session, &second);
        buffer_printf(&lines, "\nas %s", buffer_text(&steps));
        compare("session", buffer_text(&lines), &second, buffer_text(&first));
        close_world(&w);
        buffer_free(&first);
        buffer_free(&second);
        buffer_free(&lines);
        buffer_free(&steps);
    }
    int n = failed;
    failed = 0;
    assert_int_equal(n, 0);
}

/* ---- where it goes ---- */

static void it_has_an_id_and_a_place(void **state)
{
    (void)state;
    forget_saved();
    struct world w = open_world();
    struct session *s = w.f->session;
    struct status st = STATUS_INIT;
    char path[100], state_path[100];
    snprintf(path, sizeof path, "%s/sub/macro.json", folder);
    snprintf(state_path, sizeof state_path, "%s/state.json", folder);
    assert_false(recorder_stop(w.recorder, s, &st));
    assert_string_equal(st.message, "nothing is recorded: dev.perfetty.StartRecording begins");
    status_clear(&st);
    assert_false(recorder_save(w.recorder, s, "Name", "", "", &st));
    assert_string_equal(st.message, "nothing was recorded: dev.perfetty.StartRecording begins");
    status_clear(&st);
    run_line(&w, "StartRecording");
    assert_true(s->is_recorded);
    run_line(&w, "PinTracksByRegex ^main");
    run_line(&w, "StopRecording");
    assert_false(s->is_recorded);
    struct session_request request;
    assert_true(session_take_request(s, &request));
    assert_int_equal(request.kind, REQUEST_RECORDING_NAME);
    assert_false(session_take_request(s, &request));

    run_line(&w, "SaveRecording 'Frames of shop!' 'g 1'");
    assert_string_equal(vec_last(&s->messages)->text,
                        "my.FramesOfShop: 1 step, saved to the settings, key g 1");
    assert_string_equal(registry_find(s->registry, "my.FramesOfShop")->command->key, "g 1");
    assert_true(session_take_request(s, &request));
    assert_int_equal(request.kind, REQUEST_BIND_KEYS);
    run_line(&w, "SaveRecording 'frames-of shop'");
    assert_non_null(registry_find(s->registry, "my.FramesOfShop2"));
    struct buffer text = BUFFER_INIT;
    assert_true(state_file_read(state_path, 10000, &text, &st));
    assert_string_equal(
        buffer_text(&text),
        "{\"macros\":[{\"id\":\"my.FramesOfShop\",\"name\":\"Frames of shop!\",\"key\":\"g 1\","
        "\"run\":[{\"id\":\"dev.perfetto.PinTracksByRegex\",\"args\":[\"^main\"]}]},"
        "{\"id\":\"my.FramesOfShop2\",\"name\":\"frames-of shop\",\"run\":[{\"id\":"
        "\"dev.perfetto.PinTracksByRegex\",\"args\":[\"^main\"]}]}]}\n");

    struct invocation save;
    const char *args[] = {"Side", "", path};
    invocation_set(&save, "dev.perfetty.SaveRecording", args, 3);
    assert_int_equal(registry_run(s, save.id, args, 3, &COMMAND_CONTEXT_PERSON, &st), COMMAND_DONE);
    buffer_clear(&text);
    assert_true(state_file_read(path, 10000, &text, &st));
    assert_string_equal(
        buffer_text(&text),
        "{\"perfetto_manifest\":{\"version\":1,\"extensions\":{\"type\":\"inline\",\"namespace\":"
        "\"my\",\"macros\":[{\"id\":\"my.Side\",\"name\":\"Side\",\"run\":[{\"id\":"
        "\"dev.perfetto.PinTracksByRegex\",\"args\":[\"^main\"]}],\"type\":\"inline\"}]}}}\n");
    assert_int_equal(registry_run(s, save.id, args, 3, &COMMAND_CONTEXT_PERSON, &st),
                     COMMAND_FAILED);
    assert_non_null(strstr(st.message, "macro.json is there already"));
    status_clear(&st);
    invocation_dispose(&save);
    buffer_free(&text);
    close_world(&w);
}

/* The person's file has macros of its own: those that are kept come on top. */
static void the_persons_macros_stay(void **state)
{
    (void)state;
    char path[100];
    struct status st = STATUS_INIT;
    snprintf(path, sizeof path, "%s/person.json", folder);
    assert_true(state_file_write(
        path, STR("{\"macros\": [{\"id\": \"my.Own\", \"name\": \"Own\", \"run\": []}]}"), &st));
    struct world w = open_world();
    assert_non_null(registry_find(w.f->session->registry, "my.Own"));
    assert_non_null(registry_find(w.f->session->registry, "my.FramesOfShop"));
    assert_int_equal(w.settings->notices.count, 0);
    close_world(&w);
    unlink(path);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_recorded),
        cmocka_unit_test(replay_leads_to_the_same_session),
        cmocka_unit_test(any_session_comes_again),
        cmocka_unit_test(it_has_an_id_and_a_place),
        cmocka_unit_test(the_persons_macros_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
