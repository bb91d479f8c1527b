/* Tables of what differs between two traces: the area tables of both (area.h), put
 * together by name. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/area.h"
#include "commands/compare.h"
#include "commands/core.h"
#include "commands/grid.h"
#include "commands/query.h"
#include "commands/result_rows.h"
#include "engine/base/checked.h"
#include "engine/base/map.h"

/* What a table is made of: columns of the area's table that name a row, that count and
 * that measure. */
struct comparison {
    const char *by, *title;
    enum area_view view;
    const char *pivot;
    const char *names[2]; /* [1] may be NULL */
    const char *count, *total;
};

static const struct comparison slice_tables[] = {
    {"name", "Compare slices", AREA_SLICES, "name", {"name", NULL}, "slices", "wall_dur"},
    {"thread",
     "Compare slices by thread",
     AREA_SLICES,
     "thread",
     {"process", "thread"},
     "slices",
     "wall_dur"},
    {"process",
     "Compare slices by process",
     AREA_SLICES,
     "process",
     {"process", NULL},
     "slices",
     "wall_dur"},
};

static const struct comparison cpu_tables[] = {
    {"thread",
     "Compare CPU time",
     AREA_CPU_BY_THREAD,
     "",
     {"process", "thread"},
     "runs",
     "cpu_dur"},
    {"process",
     "Compare CPU time by process",
     AREA_CPU_BY_PROCESS,
     "",
     {"process", NULL},
     "runs",
     "cpu_dur"},
};

struct compared_row {
    struct str names[2]; /* of one of the results */
    int64_t count[2], total[2];
};

struct compared {
    VEC(struct compared_row) rows;
    struct strmap by_name; /* → index in rows */
};

/* ---- which events ---- */

/* The area as that trace sees it: tracks of the other one stand for their like. */
static struct area_scope *scope_of(struct session *session, uint8_t trace)
{
    struct selection chosen = session->selection, mine;
    struct track_tree *tree = &session->workspaces.items[0]->tree;
    selection_copy(&mine, &chosen);
    for (size_t i = 0; i < mine.tracks.count; i++) {
        const struct track_node *node = track_tree_find(tree, mine.tracks.items[i]);
        if (node && node->trace != trace) node = session_counterpart(session, node);
        mem_free(mine.tracks.items[i]);
        mine.tracks.items[i] = mem_strdup(node ? node->uri : "");
    }
    session->selection = mine;
    struct area_scope *out = area_scope_new(session);
    session->selection = chosen;
    selection_dispose(&mine);
    int64_t by = session->traces[out->trace].offset_ns - session->traces[trace].offset_ns;
    out->trace = trace;
    out->trace_end = session->traces[trace].end;
    out->start = saturating_add_int64(out->start, by);
    out->end = saturating_add_int64(out->end, by);
    return out;
}

/* ---- putting together ---- */

static struct str cell_text(const struct result *result, uint64_t row, int64_t column)
{
    if (column < 0) return STR_NONE;
    const struct result_cell *cell = result_at(result, row, (uint32_t)column);
    return cell->type == CELL_TEXT ? cell->text : STR_NONE;
}

static int64_t cell_int(const struct result *result, uint64_t row, int64_t column)
{
    if (column < 0) return 0;
    const struct result_cell *cell = result_at(result, row, (uint32_t)column);
    return cell->type == CELL_INT ? cell->integer : (int64_t)cell->real;
}

static struct compared_row *row_of(struct compared *all, const struct str names[2])
{
    struct buffer key = BUFFER_INIT;
    bool added;
    for (int i = 0; i < 2; i++) {
        buffer_append_byte(&key, names[i].p ? '+' : '-');
        if (names[i].p) buffer_append_str(&key, names[i]);
        buffer_append_byte(&key, 0);
    }
    uint64_t *index =
        strmap_put_if_absent(&all->by_name, buffer_str(&key), all->rows.count, &added);
    uint64_t at = *index;
    buffer_free(&key);
    if (added) vec_push(&all->rows, (struct compared_row){.names = {names[0], names[1]}});
    return &all->rows.items[at];
}

static void take_in(struct compared *all, const struct comparison *of, const struct result *result,
                    int side)
{
    int64_t columns[2] = {result_column(result, of->names[0]),
                          of->names[1] ? result_column(result, of->names[1]) : -1};
    int64_t count = result_column(result, of->count), total = result_column(result, of->total);
    for (uint64_t i = 0; i < result->n_rows; i++) {
        struct str names[2] = {cell_text(result, i, columns[0]), cell_text(result, i, columns[1])};
        struct compared_row *row = row_of(all, names);
        row->count[side] += cell_int(result, i, count);
        row->total[side] = saturating_add_int64(row->total[side], cell_int(result, i, total));
    }
}

static int64_t delta_of(const struct compared_row *row)
{
    return saturating_add_int64(row->total[1], -row->total[0]);
}

/* What changed most first, then by name. */
static int compare_rows(const void *left, const void *right)
{
    const struct compared_row *l = left, *r = right;
    double dl = fabs((double)delta_of(l)), dr = fabs((double)delta_of(r));
    if (dl != dr) return dl < dr ? 1 : -1;
    for (int i = 0; i < 2; i++) {
        int order = str_compare(l->names[i], r->names[i]);
        if (order) return order;
    }
    return 0;
}

static struct result *make_rows(struct compared *all, const struct comparison *of)
{
    struct buffer names = BUFFER_INIT;
    struct result_rows rows;
    buffer_printf(&names, "%s%s%s|count_a|count_b|a_dur|b_dur|delta_dur|ratio", of->names[0],
                  of->names[1] ? "|" : "", of->names[1] ? of->names[1] : "");
    rows_begin(&rows, buffer_text(&names));
    if (all->rows.count)
        qsort(all->rows.items, all->rows.count, sizeof *all->rows.items, compare_rows);
    for (size_t i = 0; i < all->rows.count; i++) {
        const struct compared_row *row = &all->rows.items[i];
        rows_put_text(&rows, row->names[0]);
        if (of->names[1]) rows_put_text(&rows, row->names[1]);
        for (int side = 0; side < 2; side++)
            rows_put_int(&rows, row->count[side]);
        for (int side = 0; side < 2; side++)
            rows_put_int(&rows, row->total[side]);
        rows_put_int(&rows, delta_of(row));
        if (row->total[0] > 0)
            rows_put_real(&rows, round((double)row->total[1] / (double)row->total[0] * 1e4) / 1e4);
        else
            rows_put_null(&rows); /* there is nothing to be a part of */
    }
    buffer_free(&names);
    return rows_end(&rows);
}

static void say(struct session *session, const struct comparison *of, const struct compared *all,
                int64_t span)
{
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%s, B against A, in %.4g ms of the %s", of->title, (double)span / 1e6,
                  session->selection.kind == SELECTION_AREA ? "area" : "window");
    size_t differ = 0;
    for (size_t i = 0; i < all->rows.count; i++)
        differ += delta_of(&all->rows.items[i]) != 0;
    buffer_printf(&text, ": %zu of %zu differ", differ, all->rows.count);
    session_say(session, MESSAGE_INFO, "%s", buffer_text(&text));
    buffer_free(&text);
}

static bool show(struct session *session, const struct comparison *of, struct status *st)
{
    struct compared all = {0};
    struct result *results[2] = {NULL, NULL};
    bool good = true;
    int64_t span = 0;
    for (uint8_t side = 0; side < 2 && good; side++) {
        struct area_scope *scope = scope_of(session, side);
        struct buffer sql = BUFFER_INIT;
        span = scope->end - scope->start;
        area_write_sql(scope, of->view, of->pivot, &sql);
        area_scope_free(scope);
        results[side] =
            session_query(session, side, ENGINE_ORIGIN_USER, buffer_text(&sql), UINT32_MAX, st);
        buffer_free(&sql);
        good = results[side] != NULL;
        if (good) take_in(&all, of, results[side], side);
    }
    if (good) {
        struct buffer tag = BUFFER_INIT;
        buffer_printf(&tag, "compare/%s", of->title);
        struct tab *tab = session_tab_of_tag(session, of->title, buffer_text(&tag));
        tab_set_rows(session, tab, make_rows(&all, of));
        tab->row = 0;
        session_tab_show(session, tab);
        buffer_free(&tag);
        say(session, of, &all, span);
    }
    result_free(results[0]);
    result_free(results[1]);
    strmap_free(&all.by_name);
    vec_free(&all.rows);
    return good;
}

static bool open_table(const struct command_call *call, const struct comparison *tables, size_t n,
                       struct status *st)
{
    const char *by = command_arg(call, 0, tables[0].by);
    if (!session_is_comparing(call->session))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "there is no second trace: dev.perfetty.CompareWith opens one");
    for (size_t i = 0; i < n; i++)
        if (strcmp(by, tables[i].by) == 0) return show(call->session, &tables[i], st);
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "nothing is compared by %.80s", by);
}

static bool compare_slices(const struct command_call *call, struct status *st)
{
    return open_table(call, slice_tables, sizeof slice_tables / sizeof *slice_tables, st);
}

static bool compare_cpu_time(const struct command_call *call, struct status *st)
{
    return open_table(call, cpu_tables, sizeof cpu_tables / sizeof *cpu_tables, st);
}

const struct command command_compare_slices = {
    .id = "dev.perfetty.CompareSlices",
    .name = "Compare: slices of both traces by name",
    .kind = COMMAND_QUERY,
    .args = {{"by", COMMAND_ARG_CHOICE, true, "name|thread|process"}},
    .run = compare_slices,
};
const struct command command_compare_cpu_time = {
    .id = "dev.perfetty.CompareCpuTime",
    .name = "Compare: CPU time in both traces",
    .kind = COMMAND_QUERY,
    .args = {{"by", COMMAND_ARG_CHOICE, true, "thread|process"}},
    .run = compare_cpu_time,
};
