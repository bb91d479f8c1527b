/* Filters of the flamegraph (spec ui §7), pivot and highlight; its export. */
#include <string.h>

#include "commands/core.h"
#include "commands/flame_pattern.h"
#include "commands/flame_text.h"
#include "commands/flame_view.h"
#include "commands/session.h"
#include "engine/base/memory.h"

static struct flame_view *opened(struct session *session, struct status *st)
{
    if (session->flame && session->flame->now.title) return session->flame;
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                "no flamegraph is open (dev.perfetty.Flamegraph opens one)");
    return NULL;
}

static bool check(const char *text, struct status *st)
{
    struct flame_pattern *pattern = flame_pattern_new(str_of(text), st);
    flame_pattern_free(pattern);
    return pattern != NULL;
}

static void say_filters(struct session *session)
{
    struct buffer text = BUFFER_INIT;
    flame_write_filters(&session->flame->look, &text);
    session_say(session, MESSAGE_INFO, "flamegraph filters: %s",
                text.length ? buffer_text(&text) : "none");
    buffer_free(&text);
}

/* ---- the bar's words ---- */

static const struct {
    const char *prefix, *words;
    int kind; /* -1: the pivot */
} kinds[] = {
    {"SS:", "show stack:", FLAME_SHOW_STACK},
    {"HS:", "hide stack:", FLAME_HIDE_STACK},
    {"SFF:", "show from frame:", FLAME_FROM_FRAME},
    {"HF:", "hide frame:", FLAME_HIDE_FRAME},
    {"P:", "pivot:", -1},
};

static bool begins(struct str text, size_t at, const char *word)
{
    size_t n = strlen(word);
    if (text.n - at < n) return false;
    for (size_t i = 0; i < n; i++) {
        char a = text.p[at + i], b = word[i];
        if ((a >= 'A' && a <= 'Z' ? a + 32 : a) != (b >= 'A' && b <= 'Z' ? b + 32 : b))
            return false;
    }
    return true;
}

/* The kind that a filter at `at` names; *after is where its pattern begins. */
static bool kind_at(struct str text, size_t at, int *kind, size_t *after)
{
    if (at > 0 && text.p[at - 1] != ' ') return false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *names[] = {kinds[i].prefix, kinds[i].words};
        for (int k = 0; k < 2; k++) {
            if (!begins(text, at, names[k])) continue;
            *kind = kinds[i].kind;
            *after = at + strlen(names[k]);
            return true;
        }
    }
    return false;
}

static bool add_filter(struct flame_look *look, int kind, struct str text, struct status *st)
{
    text = str_trim(text);
    char *copy = mem_copy_string(text.p ? text.p : "", text.n);
    if (!check(copy, st)) {
        mem_free(copy);
        return false;
    }
    if (kind < 0) {
        mem_free(look->pivot);
        look->pivot = copy;
        look->direction = FLAME_PIVOT;
        return true;
    }
    if (look->filters.count == FLAME_MAX_FILTERS) {
        mem_free(copy);
        return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "%d filters are all there can be",
                           FLAME_MAX_FILTERS);
    }
    vec_push(&look->filters, (struct flame_filter){(enum flame_filter_kind)kind, copy});
    return true;
}

/* "SS:main HF:/std::.*" …; a pattern ends where the next prefix begins. */
static bool add_filters(struct flame_look *look, struct str text, struct status *st)
{
    int kind = FLAME_SHOW_STACK;
    size_t from = 0, after;
    int next;
    text = str_trim(text);
    if (kind_at(text, 0, &next, &after)) {
        kind = next;
        from = after;
    }
    for (size_t at = from; at <= text.n; at++) {
        bool ends = at == text.n;
        if (!ends && at > from && kind_at(text, at, &next, &after)) ends = true;
        if (!ends) continue;
        if (!add_filter(look, kind, str_slice(text, from, at), st)) return false;
        if (at == text.n) break;
        kind = next;
        from = after;
        at = after > 0 ? after - 1 : after;
    }
    return true;
}

static bool filter(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct flame_view *view = opened(session, st);
    if (!view) return false;
    if (call->n_args == 0) {
        session_ask(session, REQUEST_FLAME_FILTER, NULL);
        return true;
    }
    struct flame_look look;
    flame_look_copy(&look, &view->look);
    if (!add_filters(&look, str_of(call->args[0]), st)) {
        flame_look_dispose(&look);
        return false;
    }
    flame_look_dispose(&view->look);
    view->look = look;
    flame_view_lay_out(session);
    say_filters(session);
    return true;
}

/* ---- filters at the cursor ---- */

/* A pattern that finds exactly this name. */
static char *exactly(struct str name)
{
    struct buffer text = BUFFER_INIT;
    buffer_append_text(&text, "/^");
    for (size_t i = 0; i < name.n; i++) {
        if (strchr("\\^$.|?*+()[]{}/", name.p[i])) buffer_append_byte(&text, '\\');
        buffer_append_byte(&text, name.p[i]);
    }
    buffer_append_text(&text, "$/");
    return buffer_take(&text);
}

static const char *frame_choices = "show|hide|from|merge|pivot";

static bool filter_frame(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct flame_view *view = opened(session, st);
    if (!view) return false;
    const struct flame_node *node = flame_view_node(view);
    if (!node || node->frame == FLAME_NONE)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "the cursor is on no frame");
    char *text = exactly(flame_node_name(view->profile, node));
    struct str rest = str_of(frame_choices), piece;
    int kind = 0;
    while (str_split_next(&rest, '|', &piece) && !str_is(piece, call->args[0]))
        kind++;
    bool added = add_filter(&view->look, kind > FLAME_HIDE_FRAME ? -1 : kind, str_of(text), st);
    mem_free(text);
    if (!added) return false;
    flame_view_lay_out(session);
    say_filters(session);
    return true;
}

static bool clear_filters(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct flame_view *view = opened(session, st);
    if (!view) return false;
    struct flame_look *look = &view->look;
    bool only_last = call->n_args && strcmp(call->args[0], "last") == 0;
    bool pivots = look->direction == FLAME_PIVOT;
    if (pivots) {
        look->direction = FLAME_TOP_DOWN;
        mem_free(look->pivot);
        look->pivot = NULL;
    }
    while (look->filters.count && !(only_last && pivots)) {
        mem_free(look->filters.items[--look->filters.count].text);
        if (only_last) break;
    }
    flame_view_lay_out(session);
    say_filters(session);
    return true;
}

static bool highlight(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    struct flame_view *view = opened(session, st);
    if (!view) return false;
    if (call->n_args == 0) {
        session_ask(session, REQUEST_FLAME_HIGHLIGHT, NULL);
        return true;
    }
    bool none = call->args[0][0] == '\0';
    if (!none && !check(call->args[0], st)) return false;
    mem_free(view->look.highlight);
    view->look.highlight = none ? NULL : mem_strdup(call->args[0]);
    flame_view_lay_out(session);
    if (none) session_say(session, MESSAGE_INFO, "nothing is highlighted any more");
    return true;
}

/* ---- export ---- */

static bool export_flame(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    if (!opened(session, st)) return false;
    session_tab_show(session, session_tab_of_kind(session, TAB_FLAME, "Flamegraph"));
    session_ask(session, REQUEST_EXPORT, command_arg(call, 0, NULL));
    return true;
}

const struct command command_flamegraph_filter = {
    .id = "dev.perfetty.FlamegraphFilter",
    .name = "Flamegraph: filter (SS: show stack, HS: hide, SFF: from frame, HF: merge, P: pivot)",
    .args = {{"filters", COMMAND_ARG_TEXT, true, NULL}},
    .run = filter,
};
const struct command command_flamegraph_filter_frame = {
    .id = "dev.perfetty.FlamegraphFilterFrame",
    .name = "Flamegraph: filter by the frame at the cursor",
    .args = {{"how", COMMAND_ARG_CHOICE, false, "show|hide|from|merge|pivot"}},
    .run = filter_frame,
};
const struct command command_flamegraph_clear_filters = {
    .id = "dev.perfetty.FlamegraphClearFilters",
    .name = "Flamegraph: take filters away",
    .args = {{"which", COMMAND_ARG_CHOICE, true, "all|last"}},
    .run = clear_filters,
};
const struct command command_flamegraph_highlight = {
    .id = "dev.perfetty.FlamegraphHighlight",
    .name = "Flamegraph: highlight frames",
    .args = {{"pattern", COMMAND_ARG_TEXT, true, NULL}},
    .run = highlight,
};
const struct command command_export_flamegraph = {
    .id = "dev.perfetty.ExportFlamegraph",
    .name = "Flamegraph: export (.folded, .pb for pprof, .svg, .txt)",
    .kind = COMMAND_REACH,
    .args = {{"path", COMMAND_ARG_FILE, true, NULL}},
    .run = export_flame,
};
