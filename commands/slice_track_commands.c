/* Tracks that a query names by ids of slices. */
#include <string.h>

#include "commands/core.h"
#include "commands/track_match.h"

/* Nodes that show the slices whose ids are in the first column. */
static bool nodes_of_query(const struct command_call *call, struct track_node_list *out,
                           struct status *st)
{
    struct session *session = call->session;
    uint8_t trace = session_trace_in_focus(session);
    struct result *ids =
        session_query(session, trace, command_origin(call->context), call->args[0], 100000, st);
    *out = (struct track_node_list){0};
    if (!ids) return false;
    const struct tables *t = session_tables(session, trace);
    for (uint64_t row = 0; row < ids->n_rows && ids->n_columns; row++) {
        const struct result_cell *cell = result_at(ids, row, 0);
        if (cell->type != CELL_INT || cell->integer < 0 ||
            cell->integer >= (int64_t)table_rows(&t->slice.table))
            continue;
        uint32_t track = column_get_row(&t->slice.track_id, (uint32_t)cell->integer);
        struct track_node *node =
            track_tree_find_track(&session->workspaces.items[0]->tree, trace, track);
        bool known = !node;
        for (size_t i = 0; i < out->count && !known; i++)
            known = out->items[i] == node;
        if (!known) vec_push(out, node);
    }
    result_free(ids);
    return true;
}

static bool pin_tracks(const struct command_call *call, struct status *st)
{
    struct track_node_list found;
    if (!nodes_of_query(call, &found, st)) return false;
    for (size_t i = 0; i < found.count; i++)
        session_pin(call->session, found.items[i]);
    session_say(call->session, MESSAGE_INFO, "%zu track%s pinned", found.count,
                found.count == 1 ? "" : "s");
    vec_free(&found);
    return true;
}

static bool copy(const struct command_call *call, bool ancestors, struct status *st)
{
    struct track_node_list found;
    if (!nodes_of_query(call, &found, st)) return false;
    session_copy_tracks(call->session, &found, call->args[1], ancestors);
    vec_free(&found);
    return true;
}

static bool copy_tracks(const struct command_call *call, struct status *st)
{
    return copy(call, false, st);
}

static bool copy_with_ancestors(const struct command_call *call, struct status *st)
{
    return copy(call, true, st);
}

const struct command command_pin_slice_tracks_from_sql_query = {
    .id = "dev.perfetto.PinSliceTracksFromSqlQuery",
    .name = "Pin the tracks of the slices that a query names",
    .kind = COMMAND_QUERY,
    .args = {{"query", COMMAND_ARG_SQL, false, NULL}},
    .run = pin_tracks,
};
const struct command command_copy_slice_tracks_to_workspace_by_sql = {
    .id = "dev.perfetto.CopySliceTracksToWorkspaceBySql",
    .name = "Copy the tracks of the slices that a query names to a workspace",
    .kind = COMMAND_QUERY,
    .args = {{"query", COMMAND_ARG_SQL, false, NULL},
             {"workspaceTitle", COMMAND_ARG_WORKSPACE, false, NULL}},
    .run = copy_tracks,
};
const struct command command_copy_slice_tracks_to_workspace_by_sql_with_ancestors = {
    .id = "dev.perfetto.CopySliceTracksToWorkspaceBySqlWithAncestors",
    .name = "Copy the tracks of the slices that a query names, and what is above them",
    .kind = COMMAND_QUERY,
    .args = {{"query", COMMAND_ARG_SQL, false, NULL},
             {"workspaceTitle", COMMAND_ARG_WORKSPACE, false, NULL}},
    .run = copy_with_ancestors,
};
