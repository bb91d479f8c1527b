/* Folding and unfolding. */
#include <string.h>

#include "commands/core.h"
#include "commands/query.h"
#include "commands/track_match.h"

/* A group folds its children away; slices fold to their first depth. */
static void set_folded(struct track_node *node, bool folded)
{
    if (node->children.count) node->collapsed = folded;
    if (node->kind == TRACK_KIND_SLICES || node->kind == TRACK_KIND_DEBUG_SLICES)
        node->flat = folded;
}

static bool is_folded(const struct track_node *node)
{
    return node->children.count ? node->collapsed : node->flat;
}

static void changed(struct session *session)
{
    session_changed(session);
    session_fix_focus(session);
}

static bool fold_by_regex(const struct command_call *call, bool folded, struct status *st)
{
    const char *by = command_arg(call, 1, "name");
    struct track_node_list found;
    if (!session_match_tracks(call->session, call->args[0], by, &found, st)) return false;
    for (size_t i = 0; i < found.count; i++)
        set_folded(found.items[i], folded);
    size_t n = found.count;
    vec_free(&found);
    changed(call->session);
    if (n)
        session_say(call->session, MESSAGE_INFO, "%zu track%s %s", n, n == 1 ? "" : "s",
                    folded ? "folded" : "unfolded");
    else
        session_say_no_match(call->session, call->args[0], by);
    return true;
}

static bool expand_by_regex(const struct command_call *call, struct status *st)
{
    return fold_by_regex(call, false, st);
}

static bool collapse_by_regex(const struct command_call *call, struct status *st)
{
    return fold_by_regex(call, true, st);
}

/* How many groups there are. */
static size_t fold_below(struct track_node *top, bool folded)
{
    size_t groups = 0;
    for (struct track_node *node = track_tree_next(top, top); node;
         node = track_tree_next(top, node)) {
        if (!node->children.count) continue;
        node->collapsed = folded;
        groups += !node->headless;
    }
    return groups;
}

static bool fold_all(struct session *session, bool folded)
{
    size_t n = fold_below(&session->workspace->tree.root, folded);
    changed(session);
    session_say(session, MESSAGE_INFO, "%zu group%s %s", n, n == 1 ? "" : "s",
                folded ? "folded" : "unfolded");
    return true;
}

static bool expand_all(const struct command_call *call, struct status *st)
{
    (void)st;
    return fold_all(call->session, false);
}

static bool collapse_all(const struct command_call *call, struct status *st)
{
    (void)st;
    return fold_all(call->session, true);
}

/* The track that is named, else the one in focus.  One without anything to fold folds
 * the group that it is in. */
static struct track_node *to_fold(const struct command_call *call)
{
    struct track_node *node =
        call->n_args ? session_find_track(call->session, call->args[0]) : call->session->focus;
    while (node && !node->children.count && node->depths < 2)
        node = node->parent;
    while (node && node->headless)
        node = node->parent;
    return node;
}

static bool nothing(struct status *st)
{
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "there is nothing to fold here");
}

static bool toggle(const struct command_call *call, struct status *st)
{
    struct track_node *node = to_fold(call);
    if (!node) return nothing(st);
    set_folded(node, !is_folded(node));
    changed(call->session);
    return true;
}

static bool toggle_below(const struct command_call *call, struct status *st)
{
    struct track_node *node = to_fold(call);
    if (!node) return nothing(st);
    bool folded = !is_folded(node);
    set_folded(node, folded);
    fold_below(node, folded);
    changed(call->session);
    return true;
}

const struct command command_expand_tracks_by_regex = {
    .id = "dev.perfetto.ExpandTracksByRegex",
    .name = "Unfold tracks by regex",
    .args = {{"pattern", COMMAND_ARG_REGEX, false, NULL},
             {"nameOrPath", COMMAND_ARG_CHOICE, true, "name|path"}},
    .run = expand_by_regex,
};
const struct command command_collapse_tracks_by_regex = {
    .id = "dev.perfetto.CollapseTracksByRegex",
    .name = "Fold tracks by regex",
    .args = {{"pattern", COMMAND_ARG_REGEX, false, NULL},
             {"nameOrPath", COMMAND_ARG_CHOICE, true, "name|path"}},
    .run = collapse_by_regex,
};
const struct command command_expand_all_groups = {
    .id = "dev.perfetto.ExpandAllGroups", .name = "Unfold all groups", .run = expand_all};
const struct command command_collapse_all_groups = {
    .id = "dev.perfetto.CollapseAllGroups", .name = "Fold all groups", .run = collapse_all};
const struct command command_toggle_fold = {
    .id = "dev.perfetty.ToggleFold",
    .name = "Fold or unfold here, or a track that is named",
    .args = {{"track", COMMAND_ARG_TRACK, true, NULL}},
    .run = toggle,
};
const struct command command_toggle_fold_below = {
    .id = "dev.perfetty.ToggleFoldBelow",
    .name = "Fold or unfold here and everything below",
    .args = {{"track", COMMAND_ARG_TRACK, true, NULL}},
    .run = toggle_below,
};
