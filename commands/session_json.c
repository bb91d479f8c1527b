#include "commands/session_json.h"

#include <string.h>

#include "commands/query.h"
#include "engine/base/memory.h"

#define MOST_TABS       50
#define MOST_SQL        (256u << 10)
#define MOST_WORKSPACES 50
#define MOST_TRACKS     20000 /* of one workspace */
#define MOST_PINS       1000
#define MOST_NOTES      10000
#define MOST_FOLDS      20000
#define MOST_TEXT       (64u << 10)

enum { FOLD_COLLAPSED = 1, FOLD_FLAT = 2 };

static const char *const time_formats[TIME_FORMAT_COUNT] = {
    "timecode",     "traceNs", "traceNsLocale", "seconds",       "milliseconds",
    "microseconds", "utc",     "traceTz",       "customTimezone"};

/* ---- folds ---- */

static uint8_t fold_of(const struct track_node *node)
{
    return (uint8_t)((node->collapsed ? FOLD_COLLAPSED : 0) | (node->flat ? FOLD_FLAT : 0));
}

void session_folds_take(const struct session *session, struct session_folds *out)
{
    const struct track_node_list *all = &session->workspaces.items[0]->tree.all;
    out->count = all->count;
    out->flags = mem_zero(all->count + 1, 1);
    for (size_t i = 0; i < all->count; i++)
        out->flags[i] = fold_of(all->items[i]);
}

void session_folds_dispose(struct session_folds *folds)
{
    mem_free(folds->flags);
    *folds = (struct session_folds){0};
}

/* ---- writing ---- */

/* What is no UTF-8 is left out of the file. */
static json_t *text(const char *s)
{
    return s ? json_string(s) : json_null();
}

static json_t *list_of(json_t *object, const char *key)
{
    json_t *list = json_array();
    json_object_set_new(object, key, list);
    return list;
}

static void write_folds(json_t *out, const struct session *session,
                        const struct session_folds *folds)
{
    const struct track_node_list *all = &session->workspaces.items[0]->tree.all;
    json_t *object = json_object();
    json_t *closed = list_of(object, "closed"), *open = list_of(object, "open");
    json_t *flat = list_of(object, "flat"), *deep = list_of(object, "deep");
    json_object_set_new(out, "folds", object);
    if (all->count != folds->count) return; /* another tree than then */
    for (size_t i = 0; i < all->count; i++) {
        const struct track_node *node = all->items[i];
        uint8_t changed = fold_of(node) ^ folds->flags[i];
        if (!node->uri[0]) continue;
        if (changed & FOLD_COLLAPSED)
            json_array_append_new(node->collapsed ? closed : open, json_string(node->uri));
        if (changed & FOLD_FLAT)
            json_array_append_new(node->flat ? flat : deep, json_string(node->uri));
    }
}

static void write_tracks(json_t *out, const struct workspace *workspace)
{
    json_t *list = list_of(out, "tracks");
    const struct track_node *root = &workspace->tree.root;
    for (const struct track_node *node = track_tree_next(root, root); node;
         node = track_tree_next(root, node)) {
        if (node->debug || json_array_size(list) == MOST_TRACKS) continue;
        int depth = 0;
        for (const struct track_node *up = node->parent; up && up != root; up = up->parent)
            depth++;
        json_array_append_new(list, json_pack("[i, s]", depth, node->uri));
    }
}

static void write_workspaces(json_t *out, const struct session *session)
{
    json_t *list = list_of(out, "workspaces");
    for (size_t i = 0; i < session->workspaces.count && i < MOST_WORKSPACES; i++) {
        const struct workspace *workspace = session->workspaces.items[i];
        json_t *object = json_object(), *pins;
        json_object_set_new(object, "title", text(workspace->title));
        pins = list_of(object, "pins");
        const struct track_node_list *pinned = &workspace->pinned.root.children;
        for (size_t k = 0; k < pinned->count && k < MOST_PINS; k++)
            if (!pinned->items[k]->debug)
                json_array_append_new(pins, json_string(pinned->items[k]->uri));
        if (i) write_tracks(object, workspace); /* the first is the trace's own */
        json_array_append_new(list, object);
        if (workspace == session->workspace)
            json_object_set_new(out, "workspace", json_integer((json_int_t)i));
    }
}

static void write_notes(json_t *out, const struct session *session,
                        const struct session_startup_ids *startup)
{
    json_t *list = list_of(out, "notes");
    for (size_t i = 0; i < session->notes.count && json_array_size(list) < MOST_NOTES; i++) {
        const struct note *note = &session->notes.items[i];
        if (note->id >= startup->notes_from && note->id < startup->notes_to) continue;
        json_t *object = json_object();
        json_object_set_new(object, "start", json_integer(note->start));
        if (note->is_span) json_object_set_new(object, "end", json_integer(note->end));
        if (note->is_temporary) json_object_set_new(object, "temporary", json_true());
        json_object_set_new(object, "text", text(note->text));
        json_array_append_new(list, object);
    }
    json_t *marks = json_object();
    json_object_set_new(out, "marks", marks);
    for (int i = 0; i < MARK_COUNT; i++) {
        const struct mark *mark = &session->marks[i];
        char letter[2] = {(char)(i < 26 ? 'a' + i : 'A' + i - 26), 0};
        if (!mark->set) continue;
        json_t *object = json_object();
        json_object_set_new(object, "ts", json_integer(mark->ts));
        if (mark->uri) json_object_set_new(object, "track", text(mark->uri));
        json_object_set_new(marks, letter, object);
    }
}

static json_t *shape_of(const struct grid_shape *shape)
{
    json_t *object = json_object(), *list = list_of(object, "sorts");
    for (size_t i = 0; i < shape->sorts.count; i++)
        json_array_append_new(list, json_pack("[s, b]", shape->sorts.items[i].column,
                                              (int)shape->sorts.items[i].descending));
    list = list_of(object, "filters");
    for (size_t i = 0; i < shape->filters.count; i++)
        json_array_append_new(list, json_pack("[s?, s]", shape->filters.items[i].column,
                                              shape->filters.items[i].text));
    list = list_of(object, "hidden");
    for (size_t i = 0; i < shape->hidden.count; i++)
        json_array_append_new(list, text(shape->hidden.items[i]));
    json_object_set_new(object, "group", text(shape->group));
    return object;
}

static bool is_kept(const struct tab *tab, const struct session_startup_ids *startup)
{
    return tab->kind == TAB_QUERY && !tab->page && tab->sql && strlen(tab->sql) <= MOST_SQL &&
           tab->origin == ENGINE_ORIGIN_USER &&
           !(tab->id >= startup->tabs_from && tab->id < startup->tabs_to);
}

static void write_tabs(json_t *out, const struct session *session,
                       const struct session_startup_ids *startup)
{
    json_t *list = list_of(out, "tabs");
    for (size_t i = 0; i < session->tabs.count && json_array_size(list) < MOST_TABS; i++) {
        const struct tab *tab = session->tabs.items[i];
        if (!is_kept(tab, startup)) continue;
        json_t *object = json_object();
        json_object_set_new(object, "title", text(tab->title));
        if (tab->tag) json_object_set_new(object, "tag", text(tab->tag));
        json_object_set_new(object, "sql", text(tab->sql));
        json_object_set_new(object, "shape", shape_of(&tab->shape));
        if (tab->id == session->tab_shown) json_object_set_new(object, "shown", json_true());
        json_array_append_new(list, object);
    }
}

json_t *session_json_write(const struct session *session, const struct session_folds *folds,
                           const struct session_startup_ids *startup)
{
    json_t *out = json_object();
    json_object_set_new(out, "version", json_integer(SESSION_JSON_VERSION));
    json_object_set_new(
        out, "window",
        json_pack("[I, I]", (json_int_t)session->window_start, (json_int_t)session->window_end));
    json_object_set_new(out, "cursor", json_integer(session->cursor));
    if (session->focus) {
        json_object_set_new(out, "focus", text(session->focus->uri));
        json_object_set_new(out, "focusPinned", json_boolean(session->focus_pinned));
        json_object_set_new(out, "focusDepth", json_integer(session->focus_depth));
    }
    json_object_set_new(out, "timeFormat", text(time_formats[session->time_format]));
    json_object_set_new(out, "shortDurations", json_boolean(session->human_durations));
    /* A large drawer is for what it shows. */
    if (is_kept(session_tab_shown(session), startup) || session->drawer <= DRAWER_SMALL)
        json_object_set_new(out, "drawer", json_integer((json_int_t)session->drawer));
    json_object_set_new(out, "nameCells", json_integer(session->name_cells));
    write_workspaces(out, session);
    write_folds(out, session, folds);
    write_notes(out, session, startup);
    write_tabs(out, session, startup);
    return out;
}

/* ---- reading ---- */

struct reader {
    struct session *session;
    struct session_json_counts *counts;
    struct status *st;
};

static void refuse(struct reader *r, const char *key)
{
    if (r->st->code == STATUS_OK)
        status_fail(r->st, STATUS_INVALID, STATUS_NO_OFFSET, "\"%s\" is damaged", key);
}

/* A list of at most `most`; what is none counts as empty. */
static size_t list_size(struct reader *r, const json_t *object, const char *key, size_t most,
                        const json_t **list)
{
    *list = json_object_get(object, key);
    if (!*list) return 0;
    if (json_is_array(*list) && json_array_size(*list) <= most) return json_array_size(*list);
    refuse(r, key);
    return 0;
}

/* NULL when it is no text, or a long one. */
static const char *text_of(const json_t *value, size_t longest)
{
    struct str s = json_str(value);
    return s.p && s.n <= longest ? s.p : NULL;
}

static bool time_of(const struct session *session, const json_t *value, int64_t *out)
{
    int64_t span = session->end - session->start, ts = json_integer_value(value);
    if (!json_is_integer(value) || ts < session->start - span - 1 || ts > session->end + span + 1)
        return false;
    *out = ts;
    return true;
}

static bool small_of(const json_t *object, const char *key, int64_t most, int64_t *out)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) > most)
        return false;
    *out = json_integer_value(value);
    return true;
}

static void read_pins(struct reader *r, const json_t *object, struct workspace *workspace)
{
    struct workspace *first = r->session->workspaces.items[0];
    const json_t *list;
    size_t n = list_size(r, object, "pins", MOST_PINS, &list);
    r->session->workspace = workspace; /* session_pin pins in the current one */
    for (size_t i = 0; i < n; i++) {
        const char *uri = text_of(json_array_get(list, i), MOST_TEXT);
        const struct track_node *node = uri ? track_tree_find(&first->tree, uri) : NULL;
        if (!uri) refuse(r, "pins");
        if (uri && !node) r->counts->gone++;
        if (node && session_pin(r->session, node)) r->counts->pins++;
    }
}

/* Rows of [depth, uri] in pre-order.  What is below a track that is gone goes to what
 * that one was below. */
static void read_tracks(struct reader *r, const json_t *object, struct workspace *workspace)
{
    struct workspace *first = r->session->workspaces.items[0];
    VEC(struct track_node *) above = {0}; /* by depth */
    const json_t *list;
    size_t n = list_size(r, object, "tracks", MOST_TRACKS, &list);
    vec_push(&above, &workspace->tree.root);
    for (size_t i = 0; i < n; i++) {
        const json_t *row = json_array_get(list, i), *depth = json_array_get(row, 0);
        const char *uri = text_of(json_array_get(row, 1), MOST_TEXT);
        int64_t at = json_integer_value(depth);
        if (!json_is_integer(depth) || !uri || at < 0 || at >= (int64_t)above.count) {
            refuse(r, "tracks");
            continue;
        }
        struct track_node *parent = above.items[at];
        const struct track_node *node = track_tree_find(&first->tree, uri);
        bool is_there = node && track_tree_find(&workspace->tree, uri);
        above.count = (size_t)at + 1;
        if (!node) r->counts->gone++;
        struct track_node *copy =
            node && !is_there ? track_tree_copy(&workspace->tree, parent, node, false) : NULL;
        vec_push(&above, copy ? copy : parent);
    }
    vec_free(&above);
}

static void read_workspaces(struct reader *r, const json_t *json)
{
    struct session *session = r->session;
    const json_t *list;
    size_t n = list_size(r, json, "workspaces", MOST_WORKSPACES, &list);
    VEC(struct workspace *) read = {0};
    for (size_t i = 0; i < n; i++) {
        const json_t *object = json_array_get(list, i);
        const char *title = text_of(json_object_get(object, "title"), MOST_TEXT);
        struct workspace *workspace = session->workspaces.items[0];
        if (!title) {
            refuse(r, "workspaces");
            continue;
        }
        if (i) {
            workspace = session_workspace_add(session, title);
            read_tracks(r, object, workspace);
            r->counts->workspaces++;
        }
        read_pins(r, object, workspace);
        vec_push(&read, workspace);
    }
    int64_t shown = 0;
    small_of(json, "workspace", MOST_WORKSPACES, &shown);
    session->workspace = session->workspaces.items[0];
    if (shown < (int64_t)read.count) session_workspace_switch(session, read.items[shown]);
    vec_free(&read);
}

static void read_fold_list(struct reader *r, const json_t *folds, const char *key)
{
    const json_t *list;
    size_t n = list_size(r, folds, key, MOST_FOLDS, &list);
    for (size_t i = 0; i < n; i++) {
        const char *uri = text_of(json_array_get(list, i), MOST_TEXT);
        struct track_node *node =
            uri ? track_tree_find(&r->session->workspaces.items[0]->tree, uri) : NULL;
        if (!uri) refuse(r, key);
        if (!node) continue;
        if (key[0] == 'c' || key[0] == 'o')
            node->collapsed = key[0] == 'c';
        else
            node->flat = key[0] == 'f';
    }
}

static void read_folds(struct reader *r, const json_t *json)
{
    static const char *const keys[] = {"closed", "open", "flat", "deep"};
    const json_t *folds = json_object_get(json, "folds");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        read_fold_list(r, folds, keys[i]);
    session_changed(r->session);
}

static void read_notes(struct reader *r, const json_t *json)
{
    struct session *session = r->session;
    const json_t *list;
    size_t n = list_size(r, json, "notes", MOST_NOTES, &list);
    for (size_t i = 0; i < n; i++) {
        const json_t *note = json_array_get(list, i), *end = json_object_get(note, "end");
        const char *words = text_of(json_object_get(note, "text"), MOST_TEXT);
        int64_t start_ts, end_ts = 0;
        if (!words || !time_of(session, json_object_get(note, "start"), &start_ts) ||
            (end && !time_of(session, end, &end_ts))) {
            refuse(r, "notes");
            continue;
        }
        if (end)
            session_note_add_span(session, start_ts, end_ts, words,
                                  json_is_true(json_object_get(note, "temporary")));
        else
            session_note_add(session, start_ts, words);
        r->counts->notes++;
    }
}

static void read_marks(struct reader *r, const json_t *json)
{
    const char *letter;
    json_t *object, *marks = json_object_get(json, "marks");
    json_object_foreach(marks, letter, object)
    {
        int i = mark_index(letter);
        int64_t ts;
        if (i < 0 || !time_of(r->session, json_object_get(object, "ts"), &ts)) {
            refuse(r, "marks");
            continue;
        }
        struct mark *mark = &r->session->marks[i];
        const char *uri = text_of(json_object_get(object, "track"), MOST_TEXT);
        mem_free(mark->uri);
        *mark = (struct mark){true, ts, uri ? mem_strdup(uri) : NULL};
        r->counts->marks++;
    }
}

static void read_shape(struct reader *r, const json_t *json, struct grid_shape *shape)
{
    const json_t *list;
    for (size_t i = list_size(r, json, "sorts", 100, &list); i-- > 0;) {
        const json_t *sort = json_array_get(list, i);
        const char *column = text_of(json_array_get(sort, 0), MOST_TEXT);
        if (column) grid_shape_sort(shape, column, json_is_true(json_array_get(sort, 1)));
    }
    size_t n = list_size(r, json, "filters", 100, &list);
    for (size_t i = 0; i < n; i++) {
        const json_t *filter = json_array_get(list, i);
        const char *words = text_of(json_array_get(filter, 1), MOST_TEXT);
        struct status bad = STATUS_INIT;
        if (!words ||
            !grid_shape_filter(shape, text_of(json_array_get(filter, 0), MOST_TEXT), words, &bad))
            refuse(r, "filters");
        status_clear(&bad);
    }
    n = list_size(r, json, "hidden", 1000, &list);
    for (size_t i = 0; i < n; i++) {
        const char *column = text_of(json_array_get(list, i), MOST_TEXT);
        if (column) grid_shape_hide(shape, column);
    }
    const char *group = text_of(json_object_get(json, "group"), MOST_TEXT);
    if (group) grid_shape_group(shape, group);
}

static void read_tabs(struct reader *r, const json_t *json)
{
    struct session *session = r->session;
    const json_t *list;
    size_t n = list_size(r, json, "tabs", MOST_TABS, &list);
    const struct tab *shown = session->tabs.items[0];
    for (size_t i = 0; i < n; i++) {
        const json_t *object = json_array_get(list, i);
        const char *title = text_of(json_object_get(object, "title"), MOST_TEXT);
        const char *sql = text_of(json_object_get(object, "sql"), MOST_SQL);
        const char *tag = text_of(json_object_get(object, "tag"), MOST_TEXT);
        if (!title || !sql) {
            refuse(r, "tabs");
            continue;
        }
        struct tab *tab = session_open_query(session, 0, ENGINE_ORIGIN_USER, title, tag, sql);
        read_shape(r, json_object_get(object, "shape"), &tab->shape);
        if (json_is_true(json_object_get(object, "shown"))) shown = tab;
        r->counts->tabs++;
    }
    if (n) session_tab_show(session, shown);
}

static void read_view(struct reader *r, const json_t *json)
{
    struct session *session = r->session;
    const json_t *window = json_object_get(json, "window");
    const char *format = text_of(json_object_get(json, "timeFormat"), 40);
    const char *focus = text_of(json_object_get(json, "focus"), MOST_TEXT);
    int64_t start, end, cursor, small;
    if (!format || !session_time_format_parse(format, &session->time_format))
        refuse(r, "timeFormat");
    session->human_durations = json_is_true(json_object_get(json, "shortDurations"));
    if (small_of(json, "drawer", DRAWER_FULL, &small)) session->drawer = (enum session_drawer)small;
    if (small_of(json, "nameCells", 500, &small)) session->name_cells = (uint32_t)small;
    if (focus && session_focus_track(session, focus)) {
        if (small_of(json, "focusDepth", 10000, &small) && session->focus &&
            small < (int64_t)session->focus->depths)
            session->focus_depth = (uint32_t)small;
        struct track_node *pin = track_tree_find(&session->workspace->pinned, focus);
        if (pin && json_is_true(json_object_get(json, "focusPinned"))) {
            session->focus = pin;
            session->focus_pinned = true;
        }
    }
    if (!time_of(session, json_array_get(window, 0), &start) ||
        !time_of(session, json_array_get(window, 1), &end) || end <= start)
        refuse(r, "window");
    else
        session_set_window(session, start, end);
    if (time_of(session, json_object_get(json, "cursor"), &cursor))
        session_set_cursor(session, cursor);
    else
        refuse(r, "cursor");
    session_changed(session);
}

bool session_json_read(struct session *session, const json_t *json,
                       struct session_json_counts *counts, struct status *st)
{
    const json_t *version = json_object_get(json, "version");
    struct status bad = STATUS_INIT;
    struct reader r = {session, counts, &bad};
    *counts = (struct session_json_counts){0};
    if (!json_is_integer(version) || json_integer_value(version) != SESSION_JSON_VERSION)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "it is not of version %d, which this perfetty reads",
                           SESSION_JSON_VERSION);
    read_folds(&r, json);
    read_workspaces(&r, json);
    read_notes(&r, json);
    read_marks(&r, json);
    read_tabs(&r, json);
    read_view(&r, json); /* last: a tab that opens opens the drawer */
    bool good = bad.code == STATUS_OK;
    status_move(st, &bad);
    return good;
}

/* ---- back to the beginning ---- */

static void clear_workspaces(struct session *session)
{
    struct workspace *first = session->workspaces.items[0];
    for (size_t i = 0; i < session->workspaces.count; i++) {
        session_workspace_switch(session, session->workspaces.items[i]);
        session_unpin_all(session);
    }
    session_workspace_switch(session, first);
    while (session->workspaces.count > 1)
        workspace_free(vec_pop(&session->workspaces));
}

void session_json_clear(struct session *session, const struct session_folds *folds,
                        const struct session_startup_ids *startup)
{
    clear_workspaces(session);
    for (size_t i = session->tabs.count; i-- > 1;)
        if (is_kept(session->tabs.items[i], startup))
            session_tab_close(session, session->tabs.items[i]->id);
    for (size_t i = session->notes.count; i-- > 0;) {
        uint32_t id = session->notes.items[i].id;
        if (id < startup->notes_from || id >= startup->notes_to) session_note_remove(session, id);
    }
    for (int i = 0; i < MARK_COUNT; i++) {
        mem_free(session->marks[i].uri);
        session->marks[i] = (struct mark){0};
    }
    session->last_mark = -1;
    const struct track_node_list *all = &session->workspaces.items[0]->tree.all;
    for (size_t i = 0; i < all->count && all->count == folds->count; i++) {
        all->items[i]->collapsed = folds->flags[i] & FOLD_COLLAPSED;
        all->items[i]->flat = folds->flags[i] & FOLD_FLAT;
    }
    session->name_cells = 0;
    session_changed(session);
    session->focus = NULL;
    session->focus_pinned = false;
    session_focus_row(session, 0);
    session_set_window(session, session->start, session->end);
    session_set_cursor(session, session->start);
}
