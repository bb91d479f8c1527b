/* Where a session is, by names and times, and the steps that lead there. */
#include <inttypes.h>
#include <string.h>

#include "commands/event.h"
#include "commands/track_match.h"
#include "engine/base/memory.h"
#include "macros/recorder_internal.h"

/* ---- places ---- */

void place_take(struct place *place, const struct session *session)
{
    *place = (struct place){
        .focus_uri = mem_strdup(session->focus ? session->focus->uri : ""),
        .focus_pinned = session->focus_pinned,
        .focus_depth = session->focus_depth,
        .window_start = session->window_start,
        .window_end = session->window_end,
        .cursor = session->cursor,
        .search = session->search.term ? mem_strdup(session->search.term) : NULL,
    };
    selection_copy(&place->selection, &session->selection);
}

void place_dispose(struct place *place)
{
    selection_dispose(&place->selection);
    mem_free(place->focus_uri);
    mem_free(place->search);
    *place = (struct place){0};
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_selection(const struct selection *a, const struct selection *b)
{
    if (a->kind != b->kind) return false;
    if (a->kind == SELECTION_NONE) return true;
    if (a->tracks.count != b->tracks.count || a->start != b->start || a->end != b->end)
        return false;
    for (size_t i = 0; i < a->tracks.count; i++)
        if (strcmp(a->tracks.items[i], b->tracks.items[i]) != 0) return false;
    return a->kind == SELECTION_AREA || (a->table == b->table && a->trace == b->trace &&
                                         a->id == b->id && same_text(a->uri, b->uri));
}

static bool same_focus(const struct place *a, const struct place *b)
{
    return same_text(a->focus_uri, b->focus_uri) && a->focus_pinned == b->focus_pinned &&
           a->focus_depth == b->focus_depth;
}

static bool same_window(const struct place *a, const struct place *b)
{
    return a->window_start == b->window_start && a->window_end == b->window_end &&
           a->cursor == b->cursor;
}

static void set_selection(struct place *place, const struct selection *selection)
{
    selection_dispose(&place->selection);
    selection_copy(&place->selection, selection);
}

static void set_focus(struct place *place, const struct place *from)
{
    mem_free(place->focus_uri);
    place->focus_uri = mem_strdup(from->focus_uri);
    place->focus_pinned = from->focus_pinned;
    place->focus_depth = from->focus_depth;
}

static void set_window(struct place *place, const struct place *from)
{
    place->window_start = from->window_start;
    place->window_end = from->window_end;
    place->cursor = from->cursor;
}

/* No session has this one. */
static void forget_selection(struct place *place)
{
    selection_dispose(&place->selection);
    place->selection = (struct selection){.kind = SELECTION_AREA, .start = INT64_MIN};
}

/* A step went somewhere on its own account. */
static void forget_focus_and_window(struct place *place)
{
    mem_free(place->focus_uri);
    place->focus_uri = NULL;
    place->window_start = place->window_end = 0;
}

/* From where the steps led before the command they lead where it went; from elsewhere
 * nobody knows. */
void recorder_take_changes(struct recorder *r, const struct session *session, bool may_move_focus)
{
    struct place *placed = &r->placed, now;
    const struct place *before = &r->before;
    place_take(&now, session);
    if (session->area_open) /* it follows the cursor, and a macro's does not */
        ;
    else if (same_selection(&placed->selection, &before->selection))
        set_selection(placed, &now.selection);
    else if (!same_selection(&now.selection, &before->selection))
        forget_selection(placed);
    if (same_focus(placed, before)) {
        set_focus(placed, &now);
    } else if (may_move_focus || !same_focus(&now, before)) {
        mem_free(placed->focus_uri);
        placed->focus_uri = NULL;
    }
    if (same_window(placed, before))
        set_window(placed, &now);
    else if (!same_window(&now, before))
        placed->window_start = placed->window_end = 0;
    if (same_text(placed->search, before->search)) {
        mem_free(placed->search);
        placed->search = now.search ? mem_strdup(now.search) : NULL;
    }
    place_dispose(&now);
}

/* ---- tracks by name ---- */

static bool finds(struct session *session, const char *text, const char *uri)
{
    const struct track_node *node = session_find_track(session, text);
    return node && strcmp(node->uri, uri) == 0 && !strchr(text, '\n');
}

char *recorder_track_name(struct session *session, const char *uri)
{
    const struct track_node *node = track_tree_find(&session->workspace->tree, uri);
    if (!node || node->headless) return mem_strdup(uri);
    if (finds(session, node->name, uri)) return mem_strdup(node->name);
    struct buffer path = BUFFER_INIT;
    track_node_path(node, &path);
    char *name = mem_strdup(finds(session, buffer_text(&path), uri) ? buffer_text(&path) : uri);
    buffer_free(&path);
    return name;
}

static char *text_of(int64_t number)
{
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%" PRId64, number);
    return buffer_take(&text);
}

void recorder_write_focus(struct recorder *r, struct session *session)
{
    struct place now;
    place_take(&now, session);
    if (now.focus_uri[0] && !same_focus(&now, &r->placed)) {
        char *name = recorder_track_name(session, now.focus_uri), *depth = text_of(now.focus_depth);
        const char *args[] = {name, now.focus_pinned ? "pinned" : "tree", depth};
        recorder_add(r, "dev.perfetty.FocusTrack", args,
                     now.focus_depth    ? 3
                     : now.focus_pinned ? 2
                                        : 1);
        mem_free(name);
        mem_free(depth);
    }
    set_focus(&r->placed, &now);
    place_dispose(&now);
}

/* ---- folds ---- */

/* Names of so many tracks are not worth looking for. */
#define MOST_NAMES 64

static uint64_t fold_bits(const struct track_node *node)
{
    return (node->collapsed && node->children.count ? 1 : 0) | (node->flat ? 2 : 0);
}

void recorder_take_folds(struct recorder *r, const struct session *session)
{
    const struct track_node *root = &session->workspace->tree.root;
    strmap_free(&r->folds);
    for (const struct track_node *node = track_tree_next(root, root); node;
         node = track_tree_next(root, node))
        if (fold_bits(node)) strmap_set(&r->folds, str_of(node->uri), fold_bits(node));
}

/* By path: a group and a track below it may have one name. */
static void write_fold(struct recorder *r, const struct track_node *node)
{
    struct buffer path = BUFFER_INIT, pattern = BUFFER_INIT;
    track_node_path(node, &path);
    char *escaped = recorder_escape(buffer_text(&path));
    buffer_printf(&pattern, "^%s$", escaped);
    recorder_say(r,
                 fold_bits(node) ? "dev.perfetto.CollapseTracksByRegex"
                                 : "dev.perfetto.ExpandTracksByRegex",
                 buffer_text(&pattern), "path");
    mem_free(escaped);
    buffer_free(&path);
    buffer_free(&pattern);
}

void recorder_write_folds(struct recorder *r, struct session *session)
{
    const struct track_node *root = &session->workspace->tree.root;
    for (const struct track_node *node = track_tree_next(root, root); node;
         node = track_tree_next(root, node)) {
        const uint64_t *then = strmap_get(&r->folds, str_of(node->uri));
        if ((then ? *then : 0) != fold_bits(node) && !node->headless) write_fold(r, node);
    }
    recorder_take_folds(r, session);
}

void recorder_unfold(struct recorder *r, const struct session *session, const char *uri, bool event)
{
    const struct track_node *node = uri ? track_tree_find(&session->workspace->tree, uri) : NULL;
    for (uint64_t gone = event ? 2 : 0; node; node = node->parent, gone = 1) {
        const uint64_t *then = strmap_get(&r->folds, str_of(node->uri));
        if (then && *then & gone) strmap_set(&r->folds, str_of(node->uri), *then & ~gone);
    }
}

/* ---- selections ---- */

static void write_area(struct recorder *r, struct session *session, const struct selection *s)
{
    char *start = text_of(s->start), *end = text_of(s->end);
    struct buffer tracks = BUFFER_INIT;
    for (size_t i = 0; i < s->tracks.count; i++) {
        char *name = s->tracks.count > MOST_NAMES
                         ? mem_strdup(s->tracks.items[i])
                         : recorder_track_name(session, s->tracks.items[i]);
        buffer_printf(&tracks, "%s%s", i ? "\n" : "", name);
        mem_free(name);
    }
    if (s->tracks.count)
        recorder_say(r, "dev.perfetty.SelectAreaOnTracks", start, end, buffer_text(&tracks));
    else
        recorder_say(r, "dev.perfetty.SelectArea", start, end);
    mem_free(start);
    mem_free(end);
    buffer_free(&tracks);
}

static void write_selection(struct recorder *r, struct session *session)
{
    const struct selection *s = &session->selection;
    const struct note *note;
    char *text = NULL;
    switch (s->kind) {
    case SELECTION_EVENT:
        if (s->table == EVENT_DEBUG) break; /* its row has no name of its own */
        text = text_of(s->id);
        recorder_say(r, "dev.perfetto.SelectEventByTableNameAndId", event_table_name(s->table),
                     text);
        recorder_unfold(r, session, s->uri, true);
        forget_focus_and_window(&r->placed);
        break;
    case SELECTION_TRACK:
        text = recorder_track_name(session, s->uri);
        recorder_say(r, "dev.perfetty.SelectTrack", text);
        break;
    case SELECTION_AREA: write_area(r, session, s); break;
    case SELECTION_NOTE:
        note = session_note_find(session, s->id);
        if (!note) break;
        text = text_of(note->start);
        recorder_say(r, "dev.perfetty.SelectNote", text);
        break;
    case SELECTION_NONE:
        recorder_say(r, "dev.perfetty.NextPane", "timeline");
        recorder_add(r, "dev.perfetto.Deselect", NULL, 0);
        r->details_touched = true;
        break;
    }
    mem_free(text);
}

/* ---- all of it ---- */

static void write_window(struct recorder *r, const struct place *now)
{
    char *cursor = text_of(now->cursor), *start = text_of(now->window_start),
         *end = text_of(now->window_end);
    recorder_say(r, "dev.perfetty.SetCursor", cursor);
    recorder_say(r, "dev.perfetty.ZoomTo", start, end);
    mem_free(cursor);
    mem_free(start);
    mem_free(end);
}

void recorder_write_place(struct recorder *r, struct session *session)
{
    struct place now;
    place_take(&now, session);
    if (!same_text(now.search, r->placed.search))
        recorder_say(r, "dev.perfetty.Search", now.search ? now.search : "");
    if (!same_selection(&now.selection, &r->placed.selection)) write_selection(r, session);
    recorder_write_folds(r, session);
    recorder_write_focus(r, session);
    if (!same_window(&now, &r->placed)) write_window(r, &now);
    place_dispose(&r->placed);
    r->placed = now;
}
