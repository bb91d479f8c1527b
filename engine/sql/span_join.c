#include "engine/sql/span_join.h"

#include <stdio.h>

#include "engine/base/buffer.h"
#include "engine/sql/span_side.h"

enum join_kind { JOIN_INNER, JOIN_LEFT, JOIN_OUTER };

struct join_module {
    struct sql_database *db;
    enum join_kind kind;
};

struct vtab {
    sqlite3_vtab base;
    struct sql_database *db;
    enum join_kind kind;
    enum sql_origin origin; /* who made the join: reads its inputs as them */
    struct span_table tables[2];
    int first_column; /* behind ts, dur and the partition */
    bool has_partition;
};

/* What a side shows now: a span, or the gap before or between spans. */
struct head {
    int64_t ts, end;
    const struct span *span; /* NULL in a gap */
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct span_side sides[2];
    size_t at[2], end[2]; /* spans of the partition: [at, end) are left */
    size_t start[2];      /* of the partition */
    size_t next[2];       /* behind the partition */
    struct head heads[2];
    bool exhausted[2];
    int64_t partition;
    bool at_end;
};

/* ---- making ---- */

static bool check_tables(const struct vtab *v, struct status *st)
{
    const struct span_table *a = &v->tables[0], *b = &v->tables[1];
    if (a->partition && b->partition && sqlite3_stricmp(a->partition, b->partition) != 0)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "SPAN_JOIN: mismatching partitions between the two tables; (partition "
                           "%s from table %s, partition %s from table %s)",
                           a->partition, a->name, b->partition, b->name);
    if (!a->has_dur && !b->has_dur)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "SPAN_JOIN: both tables %s and %s are missing dur column", a->name,
                           b->name);
    for (int i = 0; i < a->n_columns; i++)
        for (int k = 0; k < b->n_columns; k++)
            if (sqlite3_stricmp(a->columns[i], b->columns[k]) == 0)
                return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                                   "SPAN_JOIN: column %s present in both tables %s and %s",
                                   a->columns[i], a->name, b->name);
    return true;
}

static int declare(sqlite3 *sqlite, struct vtab *v)
{
    struct buffer text = BUFFER_INIT;
    buffer_append_text(&text, "CREATE TABLE x(ts INTEGER, dur INTEGER");
    const char *partition =
        v->tables[0].partition ? v->tables[0].partition : v->tables[1].partition;
    v->has_partition = partition != NULL;
    v->first_column = partition ? 3 : 2;
    char *part = partition ? sqlite3_mprintf(", \"%w\" INTEGER", partition) : NULL;
    if (part) buffer_append_text(&text, part);
    sqlite3_free(part);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < v->tables[side].n_columns; i++) {
            part = sqlite3_mprintf(", \"%w\" %s", v->tables[side].columns[i],
                                   v->tables[side].types[i]);
            buffer_append_text(&text, part ? part : "");
            sqlite3_free(part);
        }
    buffer_append_byte(&text, ')');
    int rc = sqlite3_declare_vtab(sqlite, buffer_text(&text));
    buffer_free(&text);
    return rc;
}

static int join_disconnect(sqlite3_vtab *base)
{
    struct vtab *v = (struct vtab *)base;
    span_table_dispose(&v->tables[0]);
    span_table_dispose(&v->tables[1]);
    mem_free(v);
    return SQLITE_OK;
}

static int join_connect(sqlite3 *sqlite, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **out, char **error)
{
    const struct join_module *module = aux;
    struct status st = STATUS_INIT;
    struct vtab *v = mem_zero(1, sizeof *v);
    v->db = module->db;
    v->kind = module->kind;
    v->origin = module->db->origin;
    bool ok = argc == 5 || status_fail(&st, STATUS_INVALID, STATUS_NO_OFFSET,
                                       "SPAN_JOIN: expected exactly two arguments");
    ok = ok && span_table_open(v->db, argv[3], &v->tables[0], &st) &&
         span_table_open(v->db, argv[4], &v->tables[1], &st) && check_tables(v, &st);
    /* Neither side would know which partitions the other one lacks. */
    bool mixed = ok && !v->tables[0].partition != !v->tables[1].partition;
    int rc = !ok || (mixed && v->kind == JOIN_OUTER) ? SQLITE_ERROR : declare(sqlite, v);
    if (rc != SQLITE_OK) {
        if (!ok) *error = sqlite3_mprintf("%s", status_message(&st));
        status_clear(&st);
        join_disconnect(&v->base);
        return rc;
    }
    *out = &v->base;
    return SQLITE_OK;
}

/* ---- planning: only the partition's equality, and which columns are used ---- */

static int join_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct vtab *v = (const struct vtab *)base;
    info->estimatedCost = 1e6;
    info->estimatedRows = 1000000;
    bool by_partition = false;
    for (int i = 0; i < info->nConstraint && v->has_partition && !by_partition; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (c->iColumn != 2 || c->op != SQLITE_INDEX_CONSTRAINT_EQ || !c->usable) continue;
        info->aConstraintUsage[i].argvIndex = 1;
        by_partition = true;
        info->estimatedCost = 1e5;
        info->estimatedRows = 100000;
    }
    /* ts alone ascends inside one partition only. */
    const struct sqlite3_index_orderby *order = info->aOrderBy;
    bool sorted = info->nOrderBy > 0;
    int expected = v->has_partition ? 2 : 0;
    for (int i = 0; i < info->nOrderBy && sorted; i++) {
        sorted = !order[i].desc && order[i].iColumn == expected && i < 2;
        expected = 0;
    }
    if (sorted && (v->has_partition || info->nOrderBy == 1)) info->orderByConsumed = 1;
    info->idxNum = by_partition;
    info->idxStr = sqlite3_mprintf("%llx", (unsigned long long)info->colUsed);
    info->needToFreeIdxStr = 1;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- cursors ---- */

static int join_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    (void)base;
    struct cursor *c = mem_zero(1, sizeof *c);
    *out = &c->base;
    return SQLITE_OK;
}

static void clear(struct cursor *c)
{
    for (int side = 0; side < 2; side++) {
        span_side_dispose(&c->sides[side]);
        c->next[side] = 0;
    }
}

static int join_close(sqlite3_vtab_cursor *base)
{
    clear((struct cursor *)base);
    mem_free(base);
    return SQLITE_OK;
}

static bool has_gaps(const struct vtab *v, int side)
{
    return v->kind == JOIN_OUTER || (v->kind == JOIN_LEFT && side == 1);
}

/* The next span or gap of the side; false at the end of the partition. */
static bool advance(const struct vtab *v, struct cursor *c, int side)
{
    struct head *h = &c->heads[side];
    const struct span *next =
        c->at[side] < c->end[side] ? &c->sides[side].spans.items[c->at[side]] : NULL;
    if (has_gaps(v, side)) {
        int64_t behind =
            h->span ? (h->span->end > h->span->ts ? h->span->end : h->span->ts) : h->end;
        int64_t until = next ? next->ts : INT64_MAX;
        if (behind < until) {
            *h = (struct head){behind, until, NULL};
            return true;
        }
    }
    if (!next) return false;
    c->at[side]++;
    *h = (struct head){next->ts, next->end, next};
    return true;
}

static bool is_partitioned(const struct vtab *v, int side)
{
    return v->tables[side].partition != NULL;
}

/* Sets the side to the spans of c->partition, which is not before its next one. */
static void select_partition(const struct vtab *v, struct cursor *c, int side)
{
    const struct span_side *s = &c->sides[side];
    size_t from = c->next[side];
    if (!is_partitioned(v, side)) {
        from = 0;
        c->end[side] = s->spans.count;
    } else {
        while (from < s->spans.count && s->spans.items[from].partition < c->partition)
            from++;
        size_t end = from;
        while (end < s->spans.count && s->spans.items[end].partition == c->partition)
            end++;
        c->end[side] = c->next[side] = end;
    }
    c->at[side] = from;
    c->heads[side] = (struct head){INT64_MIN, INT64_MIN, NULL};
    c->exhausted[side] = !advance(v, c, side);
}

/* The smallest partition that either side still has. */
static bool next_partition(const struct vtab *v, struct cursor *c)
{
    bool any = false;
    if (!v->has_partition) {
        any = c->next[0] == 0;
        c->next[0] = 1;
        c->partition = 0;
    }
    for (int side = 0; side < 2; side++) {
        const struct span_side *s = &c->sides[side];
        if (!is_partitioned(v, side) || c->next[side] >= s->spans.count) continue;
        int64_t partition = s->spans.items[c->next[side]].partition;
        if (!any || partition < c->partition) c->partition = partition;
        any = true;
    }
    if (!any) return false;
    select_partition(v, c, 0);
    select_partition(v, c, 1);
    return true;
}

/* The last moment of a span; an instant is its own. */
static int64_t last_of(const struct head *h)
{
    return h->end > h->ts ? h->end - 1 : h->ts;
}

static bool meets(const struct cursor *c)
{
    const struct head *a = &c->heads[0], *b = &c->heads[1];
    if (!a->span && !b->span) return false;
    return last_of(a) >= b->ts && last_of(b) >= a->ts;
}

static void advance_pair(const struct vtab *v, struct cursor *c)
{
    int side = last_of(&c->heads[0]) <= last_of(&c->heads[1]) ? 0 : 1;
    if (!advance(v, c, side)) c->exhausted[side] = true;
}

/* From the present pair on (or the one after it) to a pair that meets. */
static void find_pair(const struct vtab *v, struct cursor *c, bool step)
{
    for (;;) {
        if (c->exhausted[0] || c->exhausted[1]) {
            if (!next_partition(v, c)) {
                c->at_end = true;
                return;
            }
            step = false;
            continue;
        }
        if (step) advance_pair(v, c);
        step = true;
        if (!c->exhausted[0] && !c->exhausted[1] && meets(c)) return;
    }
}

static uint64_t used_of(const struct vtab *v, int side, uint64_t used)
{
    int first = v->first_column + (side ? v->tables[0].n_columns : 0);
    uint64_t all = v->tables[side].n_columns >= 64 ? UINT64_MAX
                                                   : (UINT64_C(1) << v->tables[side].n_columns) - 1;
    /* The last bit of colUsed stands for all columns from there on. */
    if (first + v->tables[side].n_columns >= 63 && used >> 63) return all;
    return first >= 64 ? 0 : used >> first & all;
}

static bool read_sides(struct vtab *v, struct cursor *c, uint64_t used, sqlite3_value *partition,
                       struct status *st)
{
    for (int side = 0; side < 2; side++) {
        const struct span_table *t = &v->tables[side];
        char *where =
            partition && t->partition ? sqlite3_mprintf("\"%w\" = ?1", t->partition) : NULL;
        bool ok = span_side_read(v->db, t, used_of(v, side, used), where, where ? partition : NULL,
                                 &c->sides[side], st);
        sqlite3_free(where);
        if (!ok) return false;
    }
    return true;
}

static int join_filter(sqlite3_vtab_cursor *base, int by_partition, const char *text, int argc,
                       sqlite3_value **argv)
{
    (void)argc;
    struct cursor *c = (struct cursor *)base;
    struct vtab *v = (struct vtab *)base->pVtab;
    struct sql_database *db = v->db;
    unsigned long long used = 0;
    sscanf(text, "%llx", &used);
    clear(c);
    c->at_end = false;
    struct status st = STATUS_INIT;
    enum sql_origin before = db->origin;
    db->origin = v->origin;
    bool ok = db->nesting < SQL_MAX_NESTING ||
              status_fail(&st, STATUS_LIMIT, STATUS_NO_OFFSET, "SPAN_JOIN: joins nest too deeply");
    db->nesting++;
    ok = ok && read_sides(v, c, used, by_partition ? argv[0] : NULL, &st);
    db->nesting--;
    db->origin = before;
    if (!ok) {
        sqlite3_free(base->pVtab->zErrMsg);
        base->pVtab->zErrMsg = sqlite3_mprintf("%s", status_message(&st));
        int rc = st.code == STATUS_INTERRUPTED || db->timed_out ? SQLITE_INTERRUPT : SQLITE_ERROR;
        status_clear(&st);
        return rc;
    }
    c->exhausted[0] = c->exhausted[1] = true;
    find_pair(v, c, false);
    return SQLITE_OK;
}

static int join_next(sqlite3_vtab_cursor *base)
{
    find_pair((const struct vtab *)base->pVtab, (struct cursor *)base, true);
    return SQLITE_OK;
}

static int join_at_end(sqlite3_vtab_cursor *base)
{
    return ((const struct cursor *)base)->at_end;
}

static void result_cell(sqlite3_context *context, const struct strpool *strings,
                        const struct span_cell *cell)
{
    if (cell->type == SQLITE_INTEGER) {
        sqlite3_result_int64(context, cell->integer);
    } else if (cell->type == SQLITE_FLOAT) {
        sqlite3_result_double(context, cell->real);
    } else if (cell->type != SQLITE_NULL) {
        struct str s = strpool_get(strings, cell->string);
        if (cell->type == SQLITE_TEXT)
            sqlite3_result_text(context, s.p, (int)s.n, SQLITE_STATIC);
        else
            sqlite3_result_blob(context, s.p, (int)s.n, SQLITE_STATIC);
    }
}

static int join_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const struct cursor *c = (const struct cursor *)base;
    const struct vtab *v = (const struct vtab *)base->pVtab;
    const struct head *a = &c->heads[0], *b = &c->heads[1];
    int64_t ts = a->ts > b->ts ? a->ts : b->ts;
    if (column == 0) {
        sqlite3_result_int64(context, ts);
    } else if (column == 1) {
        sqlite3_result_int64(context, (a->end < b->end ? a->end : b->end) - ts);
    } else if (column < v->first_column) {
        sqlite3_result_int64(context, c->partition);
    } else {
        int at = column - v->first_column;
        int side = at >= v->tables[0].n_columns;
        if (side) at -= v->tables[0].n_columns;
        const struct span_side *s = &c->sides[side];
        const struct span *span = c->heads[side].span;
        if (span && s->cell_of[at] >= 0)
            result_cell(
                context, v->db->tables->strings,
                &s->cells.items[(size_t)span->row * (size_t)s->n_cells + (size_t)s->cell_of[at]]);
    }
    return SQLITE_OK;
}

static int join_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    const struct cursor *c = (const struct cursor *)base;
    *out = (sqlite3_int64)(c->at[0] + c->at[1]);
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xCreate = join_connect,
    .xConnect = join_connect,
    .xBestIndex = join_plan,
    .xDisconnect = join_disconnect,
    .xDestroy = join_disconnect,
    .xOpen = join_open,
    .xClose = join_close,
    .xFilter = join_filter,
    .xNext = join_next,
    .xEof = join_at_end,
    .xColumn = join_column,
    .xRowid = join_rowid,
};

bool span_join_register(struct sql_database *db, struct status *st)
{
    static const struct {
        const char *name;
        enum join_kind kind;
    } names[] = {
        {"span_join", JOIN_INNER}, {"span_left_join", JOIN_LEFT}, {"span_outer_join", JOIN_OUTER}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct join_module *aux = mem_zero(1, sizeof *aux);
        *aux = (struct join_module){db, names[i].kind};
        if (sqlite3_create_module_v2(db->sqlite, names[i].name, &module, aux, mem_free) !=
            SQLITE_OK)
            return sql_fail(db, st, names[i].name);
    }
    return true;
}
