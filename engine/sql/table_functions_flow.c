/* Flows that a slice is connected with: a walk in breadth. */
#include "engine/sql/native_function.h"
#include "engine/sql/slice_tree.h"

static const struct native_column flow_columns[] = {
    {"id", "INTEGER", flow_COLUMN_id},
    {"slice_out", "INTEGER", flow_COLUMN_slice_out},
    {"slice_in", "INTEGER", flow_COLUMN_slice_in},
    {"trace_id", "INTEGER", flow_COLUMN_trace_id},
    {"arg_set_id", "INTEGER", flow_COLUMN_arg_set_id},
    {NULL, NULL, 0},
};

enum direction { OUTGOING = 1, INCOMING = 2 };

struct visit {
    uint32_t slice;
    bool by_relative; /* its own relatives are not visited */
};

struct walk {
    const struct tables *tables;
    VEC(struct visit) queue;
    struct map slices, flows; /* seen */
    struct native_rows *out;
};

static void enqueue(struct walk *w, uint32_t slice, bool by_relative)
{
    bool added;
    map_put_if_absent(&w->slices, slice, 1, &added);
    struct visit visit = {slice, by_relative};
    if (added) vec_push(&w->queue, visit);
}

static void follow(struct walk *w, uint32_t slice, enum direction direction)
{
    const struct flow_table *flow = &w->tables->flow;
    uint32_t column = direction == OUTGOING ? flow_COLUMN_slice_out : flow_COLUMN_slice_in;
    const struct column *other = direction == OUTGOING ? &flow->slice_in : &flow->slice_out;
    uint32_t *scratch;
    struct row_span span = native_rows_equal(&flow->table, column, slice, &scratch);
    for (uint32_t i = 0; i < span.count; i++) {
        bool added;
        map_put_if_absent(&w->flows, span.rows[i], 1, &added);
        if (added) vec_push(&w->out->rows, span.rows[i]);
        enqueue(w, column_get_row(other, span.rows[i]), false);
    }
    mem_free(scratch);
}

static void visit_relatives(struct walk *w, uint32_t slice, bool are_ancestors)
{
    struct slice_rows rows = {0};
    if (slice >= table_rows(&w->tables->slice.table)) return;
    if (are_ancestors)
        slice_tree_ancestors(&w->tables->slice, slice, &rows);
    else
        slice_tree_descendants(&w->tables->slice, slice, &rows);
    for (size_t i = 0; i < rows.count; i++)
        enqueue(w, rows.items[i], true);
    vec_free(&rows);
}

static bool walk_flows(struct sql_database *db, sqlite3_value *argument, unsigned directions,
                       bool with_relatives, struct native_rows *out, struct status *st)
{
    struct walk w = {.tables = db->tables, .out = out};
    uint32_t row;
    out->table = &db->tables->flow.table;
    if (!native_row_argument(&db->tables->slice.table, argument, &row, st))
        return st->code == STATUS_OK;
    enqueue(&w, row, false);
    for (size_t i = 0; i < w.queue.count; i++) {
        struct visit visit = w.queue.items[i];
        if (directions & OUTGOING) follow(&w, visit.slice, OUTGOING);
        if (directions & INCOMING) follow(&w, visit.slice, INCOMING);
        if (with_relatives && !visit.by_relative)
            visit_relatives(&w, visit.slice, directions == INCOMING);
    }
    vec_free(&w.queue);
    map_free(&w.slices);
    map_free(&w.flows);
    return true;
}

static bool directly_connected(struct sql_database *db, sqlite3_value **arguments,
                               struct native_rows *out, struct status *st)
{
    return walk_flows(db, arguments[0], OUTGOING | INCOMING, false, out, st);
}

static bool following(struct sql_database *db, sqlite3_value **arguments, struct native_rows *out,
                      struct status *st)
{
    return walk_flows(db, arguments[0], OUTGOING, true, out, st);
}

static bool preceding(struct sql_database *db, sqlite3_value **arguments, struct native_rows *out,
                      struct status *st)
{
    return walk_flows(db, arguments[0], INCOMING, true, out, st);
}

const struct native_function flow_table_functions[] = {
    {"directly_connected_flow", flow_columns, {"start_id", NULL}, directly_connected, 4},
    {"following_flow", flow_columns, {"start_id", NULL}, following, 4},
    {"preceding_flow", flow_columns, {"start_id", NULL}, preceding, 4},
    {.name = NULL},
};
