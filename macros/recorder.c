#include "macros/recorder_internal.h"

#include <inttypes.h>
#include <string.h>

#include "commands/flame_text.h"
#include "commands/flame_view.h"
#include "commands/track_match.h"
#include "engine/base/memory.h"

/* ---- steps ---- */

void recorder_add(struct recorder *r, const char *id, const char *const *args, uint32_t n_args)
{
    struct recorded_step step = {0};
    invocation_set(&step.run, id, args, n_args);
    vec_push(&r->steps, step);
}

static void clear_steps(struct recorder *r)
{
    for (size_t i = 0; i < r->steps.count; i++)
        invocation_dispose(&r->steps.items[i].run);
    vec_clear(&r->steps);
}

static void remove_step(struct recorder *r, size_t at)
{
    invocation_dispose(&r->steps.items[at].run);
    r->steps.count--;
    memmove(&r->steps.items[at], &r->steps.items[at + 1],
            (r->steps.count - at) * sizeof r->steps.items[0]);
}

/* ---- notes and marks ---- */

static void write_notes(struct recorder *r, struct session *session)
{
    for (size_t i = 0; i < session->notes.count; i++) {
        const struct note *note = &session->notes.items[i];
        if (note->id < r->note_next) continue;
        char start[24], end[24];
        snprintf(start, sizeof start, "%" PRId64, note->start);
        snprintf(end, sizeof end, "%" PRId64, note->end);
        if (!note->is_span) {
            recorder_say(r, "dev.perfetto.AddNoteAtTimestamp", start, note->text);
            continue;
        }
        recorder_say(r, "dev.perfetty.SelectArea", start, end);
        if (note->is_temporary)
            recorder_add(r, "dev.perfetto.SetTemporarySpanNote", NULL, 0);
        else
            recorder_say(r, "dev.perfetto.AddSpanNote", note->text);
        r->placed.selection.start = INT64_MIN; /* it is another one now */
        r->placed.selection.kind = SELECTION_AREA;
    }
    r->note_next = session->note_next_id;
}

static void write_mark(struct recorder *r, struct session *session, int letter)
{
    const struct mark *mark = &session->marks[letter];
    const char name[2] = {(char)(letter < 26 ? 'a' + letter : 'A' + letter - 26), 0};
    char ts[24];
    snprintf(ts, sizeof ts, "%" PRId64, mark->ts);
    recorder_say(r, "dev.perfetty.SetCursor", ts);
    if (mark->uri) {
        char *track = recorder_track_name(session, mark->uri);
        recorder_say(r, "dev.perfetty.FocusTrack", track);
        mem_free(track);
        recorder_unfold(r, session, mark->uri, false);
    }
    recorder_say(r, "dev.perfetty.SetMark", name);
    r->marks[letter] = mark->ts;
    r->placed.window_end = r->placed.window_start;
    mem_free(r->placed.focus_uri);
    r->placed.focus_uri = NULL;
}

/* The last one set is the one from which distances are shown. */
static void write_marks(struct recorder *r, struct session *session)
{
    bool last = false;
    for (int i = 0; i < MARK_COUNT; i++) {
        if (!session->marks[i].set || session->marks[i].ts == r->marks[i]) continue;
        if (i == session->last_mark)
            last = true;
        else
            write_mark(r, session, i);
    }
    if (last) write_mark(r, session, session->last_mark);
}

/* ---- tabs ---- */

static uint32_t number_of_tab(const struct session *session, uint32_t id)
{
    for (size_t i = 0; i < session->tabs.count; i++)
        if (session->tabs.items[i]->id == id) return (uint32_t)i + 1;
    return 1;
}

static bool is_query(const struct invocation *run)
{
    return strcmp(run->id, "dev.perfetto.RunQueryAndShowTab") == 0 ||
           strcmp(run->id, "dev.perfetto.SwitchToQueryMode") == 0;
}

/* A tab of the recording is not opened in the first place; what its SQL did stays. */
static void close_tab(struct recorder *r)
{
    bool ours = false;
    for (size_t i = r->steps.count; i-- > 0;) {
        struct recorded_step *step = &r->steps.items[i];
        if (step->tab != r->shown_before) continue;
        ours = true;
        if (is_query(&step->run)) {
            char *sql = mem_strdup(step->run.args[0]);
            const char *args[] = {sql};
            invocation_dispose(&step->run);
            invocation_set(&step->run, "dev.perfetto.RunQuery", args, 1);
            step->tab = 0;
            mem_free(sql);
        } else {
            remove_step(r, i);
        }
    }
    if (ours) return;
    char number[16];
    snprintf(number, sizeof number, "%u", r->tabs_before);
    recorder_say(r, "dev.perfetty.ShowTab", number);
    recorder_add(r, "dev.perfetty.CloseTab", NULL, 0);
}

static void name_tab(struct recorder *r, const char *title)
{
    for (size_t i = r->steps.count; i-- > 0;) {
        struct invocation *run = &r->steps.items[i].run;
        if (r->steps.items[i].tab != r->shown_before || !is_query(run)) continue;
        char *sql = mem_strdup(run->args[0]);
        const char *args[] = {sql, title};
        invocation_dispose(run);
        invocation_set(run, "dev.perfetto.RunQueryAndShowTab", args, 2);
        mem_free(sql);
        return;
    }
    char number[16];
    snprintf(number, sizeof number, "%u", r->tabs_before);
    recorder_say(r, "dev.perfetty.ShowTab", number);
    vec_last(&r->steps)->tab = r->shown_before;
    recorder_say(r, "dev.perfetto.NameTab", title);
    vec_last(&r->steps)->tab = r->shown_before;
}

/* ---- one track ---- */

/* "^main 4213$" when that is the name of this track alone, else by path, else by uri. */
static void write_pin(struct recorder *r, struct session *session, const struct track_node *node)
{
    const struct track_node *root = &session->workspace->tree.root;
    uint32_t names = 0, paths = 0;
    struct buffer path = BUFFER_INIT, other = BUFFER_INIT, pattern = BUFFER_INIT;
    track_node_path(node, &path);
    for (const struct track_node *at = track_tree_next(root, root); at;
         at = track_tree_next(root, at)) {
        if (at->headless || at->debug) continue;
        if (strcmp(at->name, node->name) != 0) continue;
        names++;
        buffer_clear(&other);
        track_node_path(at, &other);
        paths += str_equal(buffer_str(&other), buffer_str(&path));
    }
    char *escaped = recorder_escape(names == 1 ? node->name : buffer_text(&path));
    buffer_printf(&pattern, "^%s$", escaped);
    if (names == 1)
        recorder_say(r, "dev.perfetto.PinTracksByRegex", buffer_text(&pattern));
    else if (paths == 1)
        recorder_say(r, "dev.perfetto.PinTracksByRegex", buffer_text(&pattern), "path");
    else
        recorder_say(r, "dev.perfetto.PinTrackByName", node->uri);
    mem_free(escaped);
    buffer_free(&path);
    buffer_free(&other);
    buffer_free(&pattern);
}

static void pin_or_unpin(struct recorder *r, struct session *session)
{
    const struct track_node *node = track_tree_find(&session->workspace->tree, r->target);
    if (node && session_is_pinned(session, r->target)) {
        write_pin(r, session, node);
        return;
    }
    char *name = recorder_track_name(session, r->target);
    recorder_say(r, "dev.perfetty.UnpinTrack", name);
    mem_free(name);
}

/* A row among the pinned ones has folds of its own. */
static void fold_here(struct recorder *r, struct session *session, const char *id)
{
    char *name = recorder_track_name(session, r->target);
    if (r->target_pinned) {
        recorder_say(r, "dev.perfetty.FocusTrack", name, "pinned");
        recorder_add(r, id, NULL, 0);
    } else {
        recorder_say(r, id, name);
    }
    mem_free(name);
}

/* The filter that it made. */
static void filter_frame(struct recorder *r, const struct session *session, const char *kind)
{
    const struct flame_look *look = &session->flame->look;
    struct flame_look one = {.direction = FLAME_TOP_DOWN};
    struct buffer text = BUFFER_INIT;
    if (strcmp(kind, "pivot") == 0) {
        one.direction = FLAME_PIVOT;
        one.pivot = look->pivot;
    } else if (look->filters.count) {
        vec_push(&one.filters, *vec_last(&look->filters));
    }
    flame_write_filters(&one, &text);
    recorder_say(r, "dev.perfetty.FlamegraphFilter", buffer_text(&text));
    vec_free(&one.filters);
    buffer_free(&text);
}

/* One that is in the steps already; others are just never written. */
static void take_note(struct recorder *r, const struct session *session)
{
    const struct selection *s = &session->selection;
    const struct note *note = s->kind == SELECTION_NOTE ? session_note_find(session, s->id) : NULL;
    r->note_removed = note && note->id < r->note_next ? note->start : INT64_MIN;
}

static bool remove_note(struct recorder *r)
{
    char start[24];
    if (r->note_removed == INT64_MIN) return false;
    snprintf(start, sizeof start, "%" PRId64, r->note_removed);
    recorder_say(r, "dev.perfetty.SelectNote", start);
    recorder_add(r, "dev.perfetto.RemoveSelectedNote", NULL, 0);
    return true;
}

/* ---- the observer ---- */

static struct details_state details_of(const struct session *session)
{
    return (struct details_state){session->drawer, session->pane, session->tab_shown};
}

static void see_details(struct recorder *r, const struct session *session)
{
    struct details_state now = details_of(session);
    if (now.drawer != r->details.drawer || now.pane != r->details.pane ||
        now.tab_shown != r->details.tab_shown)
        r->details_touched = true;
    r->details = now;
}

static void take_target(struct recorder *r, struct session *session, const char *const *args,
                        uint32_t n_args)
{
    const struct track_node *node = n_args ? session_find_track(session, args[0]) : session->focus;
    mem_free(r->target);
    r->target = mem_strdup(node ? node->uri : "");
    r->target_pinned = !n_args && session->focus_pinned;
}

static void before(void *context, struct session *session, const struct registry_entry *entry,
                   const char *const *args, uint32_t n_args)
{
    struct recorder *r = context;
    if (!r->on) return;
    see_details(r, session);
    switch (recorder_way(entry, n_args)) {
    case WAY_WORKSPACE: /* what is selected and marked has its tracks here */
        write_marks(r, session);
        write_notes(r, session);
        recorder_write_place(r, session);
        break;
    case WAY_HERE:
        write_notes(r, session);
        recorder_write_place(r, session);
        break;
    case WAY_FOLDS:
    case WAY_FOLD_HERE: recorder_write_folds(r, session); break;
    case WAY_FOCUS: recorder_write_focus(r, session); break;
    default: break;
    }
    take_target(r, session, args, n_args);
    take_note(r, session);
    place_dispose(&r->before);
    place_take(&r->before, session);
    r->tab_next = session->tab_next_id;
    r->shown_before = session_tab_shown(session)->id;
    r->tabs_before = number_of_tab(session, r->shown_before);
}

/* The tab that the last step opened, or shows again. */
static void note_tab(struct recorder *r, const struct session *session)
{
    struct recorded_step *last = vec_last(&r->steps);
    bool ours = session->tab_shown >= r->tab_next || is_query(&last->run);
    for (size_t i = 0; i + 1 < r->steps.count && !ours; i++)
        ours = r->steps.items[i].tab == session->tab_shown &&
               strcmp(r->steps.items[i].run.id, last->run.id) == 0;
    if (ours) last->tab = session->tab_shown;
}

static void after(void *context, struct session *session, const struct registry_entry *entry,
                  const char *const *args, uint32_t n_args, bool done)
{
    struct recorder *r = context;
    if (!r->on || !done) return;
    const char *id = entry->command->id;
    enum way way = recorder_way(entry, n_args);
    see_details(r, session);
    switch (way) {
    case WAY_MARK: r->marks[mark_index(args[0])] = INT64_MIN; return;
    case WAY_NONE:
    case WAY_GOES: return;
    case WAY_PIN: pin_or_unpin(r, session); break;
    case WAY_FOLD_HERE: fold_here(r, session, id); break;
    case WAY_CLOSE_TAB: close_tab(r); break;
    case WAY_NAME_TAB: name_tab(r, args[0]); break;
    case WAY_UNNOTE:
        if (!remove_note(r)) return;
        break;
    case WAY_FRAME: filter_frame(r, session, args[0]); break;
    default: recorder_add(r, id, args, n_args); note_tab(r, session);
    }
    recorder_take_changes(r, session, way != WAY_STEP);
    if (way == WAY_FOLDS || way == WAY_FOLD_HERE || way == WAY_WORKSPACE || way == WAY_HERE)
        recorder_take_folds(r, session);
    if (way == WAY_HERE) r->note_next = session->note_next_id;
}

/* ---- on and off ---- */

struct recorder *recorder_new(struct settings *settings)
{
    struct recorder *r = mem_zero(1, sizeof *r);
    r->settings = settings;
    r->observer = (struct session_observer){r, before, after};
    return r;
}

void recorder_free(struct recorder *r)
{
    if (!r) return;
    clear_steps(r);
    vec_free(&r->steps);
    place_dispose(&r->placed);
    place_dispose(&r->before);
    strmap_free(&r->folds);
    mem_free(r->target);
    mem_free(r->name);
    mem_free(r->key);
    mem_free(r);
}

void recorder_register(struct recorder *r, struct session *session)
{
    recorder_commands_register(r, session);
}

void recorder_start(struct recorder *r, struct session *session)
{
    clear_steps(r);
    place_dispose(&r->placed);
    place_take(&r->placed, session);
    recorder_take_folds(r, session);
    r->note_next = session->note_next_id;
    for (int i = 0; i < MARK_COUNT; i++)
        r->marks[i] = session->marks[i].set ? session->marks[i].ts : INT64_MIN;
    r->details = details_of(session);
    r->details_touched = false;
    r->on = session->is_recorded = true;
    session->observer = &r->observer;
    session_changed(session);
}

static void write_details(struct recorder *r, const struct session *session)
{
    static const char *const drawers[] = {"closed", "small", "half", "full"};
    char number[16];
    if (!r->details_touched) return;
    snprintf(number, sizeof number, "%u", number_of_tab(session, session->tab_shown));
    recorder_say(r, "dev.perfetty.ShowTab", number);
    recorder_say(r, "dev.perfetty.CycleDrawer", drawers[session->drawer]);
    recorder_say(r, "dev.perfetty.NextPane",
                 session->pane == PANE_DETAILS ? "details" : "timeline");
}

bool recorder_stop(struct recorder *r, struct session *session, struct status *st)
{
    if (!r->on)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "nothing is recorded: dev.perfetty.StartRecording begins");
    see_details(r, session);
    write_notes(r, session);
    write_marks(r, session);
    recorder_write_place(r, session);
    write_details(r, session);
    r->on = session->is_recorded = false;
    session->observer = NULL;
    session_changed(session);
    if (r->steps.count) return true;
    return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                       "nothing was done that a macro could do again");
}

bool recorder_is_on(const struct recorder *r)
{
    return r->on;
}

size_t recorder_count(const struct recorder *r)
{
    return r->steps.count;
}

const struct invocation *recorder_step(const struct recorder *r, size_t i)
{
    return i < r->steps.count ? &r->steps.items[i].run : NULL;
}
