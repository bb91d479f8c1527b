/* Mipmaps over a query: what is longest, or smallest and largest, in each step. */
#include <math.h>

#include "engine/base/buffer.h"
#include "engine/base/checked.h"
#include "engine/sql/window_table.h"

#define N_ARGUMENTS 3

enum mipmap_kind { MIPMAP_SLICES, MIPMAP_COUNTERS };

struct mipmap_module {
    struct sql_database *db;
    enum mipmap_kind kind;
};

/* One depth of slices, or all values of the counter, by ts.  best[] is a binary tree
 * over the items: node i stands for 2i and 2i + 1, leaves begin at `count`. */
struct level {
    VEC(int64_t) ts, dur, id;
    VEC(double) value;
    uint32_t *longest;          /* of slices: index of the longest item below */
    double *smallest, *largest; /* of counters */
};

struct vtab {
    sqlite3_vtab base;
    enum mipmap_kind kind;
    VEC(struct level) levels;
};

struct bucket {
    uint32_t first, end; /* items */
    uint32_t level;
};

struct cursor {
    sqlite3_vtab_cursor base;
    VEC(struct bucket) buckets;
    size_t at;
    int64_t arguments[N_ARGUMENTS];
};

/* ---- building ---- */

static void level_free(struct level *l)
{
    vec_free(&l->ts);
    vec_free(&l->dur);
    vec_free(&l->id);
    vec_free(&l->value);
    mem_free(l->longest);
    mem_free(l->smallest);
    mem_free(l->largest);
}

static uint32_t longer(const struct level *l, uint32_t a, uint32_t b)
{
    if (l->dur.items[a] != l->dur.items[b]) return l->dur.items[a] > l->dur.items[b] ? a : b;
    return a < b ? a : b;
}

static void build_tree(struct level *l, enum mipmap_kind kind)
{
    size_t n = l->ts.count;
    if (kind == MIPMAP_SLICES) {
        l->longest = mem_zero(2 * n + 1, sizeof *l->longest);
        for (size_t i = 0; i < n; i++)
            l->longest[n + i] = (uint32_t)i;
        for (size_t i = n; i-- > 1;)
            l->longest[i] = longer(l, l->longest[2 * i], l->longest[2 * i + 1]);
        return;
    }
    l->smallest = mem_zero(2 * n + 1, sizeof *l->smallest);
    l->largest = mem_zero(2 * n + 1, sizeof *l->largest);
    for (size_t i = 0; i < n; i++)
        l->smallest[n + i] = l->largest[n + i] = l->value.items[i];
    for (size_t i = n; i-- > 1;) {
        l->smallest[i] = fmin(l->smallest[2 * i], l->smallest[2 * i + 1]);
        l->largest[i] = fmax(l->largest[2 * i], l->largest[2 * i + 1]);
    }
}

#define MAX_LEVELS 4096

static bool read_row(struct vtab *v, sqlite3_stmt *row)
{
    int64_t depth = v->kind == MIPMAP_SLICES ? sqlite3_column_int64(row, 3) : 0;
    if (depth < 0 || depth >= MAX_LEVELS) return false;
    while (v->levels.count <= (size_t)depth) {
        struct level empty = {.longest = NULL};
        vec_push(&v->levels, empty);
    }
    struct level *l = &v->levels.items[depth];
    int64_t ts = sqlite3_column_int64(row, v->kind == MIPMAP_SLICES ? 1 : 0);
    if (l->ts.count && *vec_last(&l->ts) > ts) return false;
    if (l->ts.count >= UINT32_MAX / 32) return false;
    vec_push(&l->ts, ts);
    if (v->kind == MIPMAP_SLICES) {
        vec_push(&l->id, sqlite3_column_int64(row, 0));
        vec_push(&l->dur, sqlite3_column_int64(row, 2));
    } else {
        vec_push(&l->value, sqlite3_column_double(row, 1));
    }
    return true;
}

static int read_query(struct sql_database *db, struct vtab *v, const char *query, char **error)
{
    int expected = v->kind == MIPMAP_SLICES ? 4 : 2;
    char *sql = sqlite3_mprintf("SELECT * FROM %s", query);
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v2(db->sqlite, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    if (rc == SQLITE_OK && sqlite3_column_count(statement) != expected) {
        *error = sqlite3_mprintf("mipmap: the query must have %d columns", expected);
        rc = SQLITE_ERROR;
    }
    while (rc == SQLITE_OK && (rc = sqlite3_step(statement)) == SQLITE_ROW) {
        rc = SQLITE_OK;
        if (read_row(v, statement)) continue;
        *error = sqlite3_mprintf("mipmap: rows must ascend by ts, depths be small");
        rc = SQLITE_ERROR;
    }
    if (rc != SQLITE_DONE && !*error) *error = sqlite3_mprintf("%s", sqlite3_errmsg(db->sqlite));
    sqlite3_finalize(statement);
    return rc == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
}

static int mipmap_disconnect(sqlite3_vtab *base)
{
    struct vtab *v = (struct vtab *)base;
    for (size_t i = 0; i < v->levels.count; i++)
        level_free(&v->levels.items[i]);
    vec_free(&v->levels);
    mem_free(v);
    return SQLITE_OK;
}

static int mipmap_connect(sqlite3 *sqlite, void *aux, int argc, const char *const *argv,
                          sqlite3_vtab **out, char **error)
{
    const struct mipmap_module *module = aux;
    if (argc < 4) {
        *error = sqlite3_mprintf("mipmap: expected a query");
        return SQLITE_ERROR;
    }
    /* The commas of the query have cut it. */
    struct buffer query = BUFFER_INIT;
    for (int i = 3; i < argc; i++)
        buffer_printf(&query, "%s%s", i > 3 ? "," : "", argv[i]);
    struct vtab *v = mem_zero(1, sizeof *v);
    v->kind = module->kind;
    int rc = read_query(module->db, v, buffer_text(&query), error);
    buffer_free(&query);
    for (size_t i = 0; i < v->levels.count; i++)
        build_tree(&v->levels.items[i], v->kind);
    if (rc == SQLITE_OK)
        rc = sqlite3_declare_vtab(
            sqlite, v->kind == MIPMAP_SLICES
                        ? "CREATE TABLE x(in_window_start INTEGER HIDDEN, in_window_end INTEGER "
                          "HIDDEN, in_window_step INTEGER HIDDEN, ts INTEGER, id INTEGER, count "
                          "INTEGER, dur INTEGER, depth INTEGER)"
                        : "CREATE TABLE x(in_window_start INTEGER HIDDEN, in_window_end INTEGER "
                          "HIDDEN, in_window_step INTEGER HIDDEN, min_value DOUBLE, max_value "
                          "DOUBLE, last_ts INTEGER, last_value DOUBLE)");
    if (rc != SQLITE_OK) {
        mipmap_disconnect(&v->base);
        return rc;
    }
    *out = &v->base;
    return SQLITE_OK;
}

static int mipmap_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    (void)base;
    unsigned given = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (c->iColumn < 0 || c->iColumn >= N_ARGUMENTS || !c->usable ||
            c->op != SQLITE_INDEX_CONSTRAINT_EQ)
            return SQLITE_CONSTRAINT;
        info->aConstraintUsage[i].argvIndex = c->iColumn + 1;
        info->aConstraintUsage[i].omit = 1;
        given |= 1u << c->iColumn;
    }
    info->estimatedCost = 1000;
    return given == 7 ? SQLITE_OK : SQLITE_CONSTRAINT;
}

/* ---- asking ---- */

static uint32_t lower_bound(const struct level *l, int64_t ts)
{
    size_t low = 0, high = l->ts.count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (l->ts.items[mid] < ts)
            low = mid + 1;
        else
            high = mid;
    }
    return (uint32_t)low;
}

static bool reaches(const struct vtab *v, const struct level *l, uint32_t item, int64_t ts)
{
    if (v->kind == MIPMAP_COUNTERS || l->dur.items[item] < 0) return true;
    return saturating_add_int64(l->ts.items[item], l->dur.items[item]) > ts;
}

/* Empty buckets are jumped over, so that the work is that of the full ones. */
static void ask_level(const struct vtab *v, struct cursor *c, uint32_t number, int64_t start,
                      int64_t end, int64_t step)
{
    const struct level *l = &v->levels.items[number];
    uint32_t n = (uint32_t)l->ts.count, from = lower_bound(l, start);
    int64_t at = start;
    if (from > 0 && reaches(v, l, from - 1, start)) from--;
    while (from < n && at < end) {
        int64_t ts = l->ts.items[from];
        if (ts > at) at += (ts - at) / step * step;
        if (at >= end) break;
        uint32_t until = lower_bound(l, saturating_add_int64(at, step));
        if (until > from) {
            struct bucket bucket = {from, until, number};
            vec_push(&c->buckets, bucket);
        }
        from = until;
        at = saturating_add_int64(at, step);
    }
}

static int mipmap_filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                         sqlite3_value **argv)
{
    (void)number;
    (void)text;
    struct cursor *c = (struct cursor *)base;
    const struct vtab *v = (const struct vtab *)base->pVtab;
    for (int i = 0; i < argc && i < N_ARGUMENTS; i++)
        c->arguments[i] = sqlite3_value_int64(argv[i]);
    vec_clear(&c->buckets);
    c->at = 0;
    int64_t width;
    if (c->arguments[2] <= 0 || !checked_sub_int64(c->arguments[1], c->arguments[0], &width)) {
        sqlite3_free(base->pVtab->zErrMsg);
        base->pVtab->zErrMsg = sqlite3_mprintf("mipmap: the step must be greater than 0");
        return SQLITE_ERROR;
    }
    for (uint32_t i = 0; i < v->levels.count; i++)
        ask_level(v, c, i, c->arguments[0], c->arguments[1], c->arguments[2]);
    return SQLITE_OK;
}

static int mipmap_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    (void)base;
    struct cursor *c = mem_zero(1, sizeof *c);
    *out = &c->base;
    return SQLITE_OK;
}

static int mipmap_close(sqlite3_vtab_cursor *base)
{
    vec_free(&((struct cursor *)base)->buckets);
    mem_free(base);
    return SQLITE_OK;
}

static int mipmap_next(sqlite3_vtab_cursor *base)
{
    ((struct cursor *)base)->at++;
    return SQLITE_OK;
}

static int mipmap_at_end(sqlite3_vtab_cursor *base)
{
    const struct cursor *c = (const struct cursor *)base;
    return c->at >= c->buckets.count;
}

static uint32_t longest_in(const struct level *l, uint32_t first, uint32_t end)
{
    uint32_t best = first;
    size_t n = l->ts.count;
    for (size_t a = first + n, b = end + n; a < b; a /= 2, b /= 2) {
        if (a & 1) best = longer(l, best, l->longest[a++]);
        if (b & 1) best = longer(l, best, l->longest[--b]);
    }
    return best;
}

static double extreme_in(const struct level *l, uint32_t first, uint32_t end, bool want_largest)
{
    const double *tree = want_largest ? l->largest : l->smallest;
    double best = l->value.items[first];
    size_t n = l->ts.count;
    for (size_t a = first + n, b = end + n; a < b; a /= 2, b /= 2) {
        if (a & 1) {
            best = want_largest ? fmax(best, tree[a]) : fmin(best, tree[a]);
            a++;
        }
        if (b & 1) {
            --b;
            best = want_largest ? fmax(best, tree[b]) : fmin(best, tree[b]);
        }
    }
    return best;
}

static int mipmap_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const struct cursor *c = (const struct cursor *)base;
    const struct vtab *v = (const struct vtab *)base->pVtab;
    if (column < N_ARGUMENTS) {
        sqlite3_result_int64(context, c->arguments[column]);
        return SQLITE_OK;
    }
    const struct bucket *bucket = &c->buckets.items[c->at];
    const struct level *l = &v->levels.items[bucket->level];
    column -= N_ARGUMENTS;
    if (v->kind == MIPMAP_SLICES) {
        uint32_t best = longest_in(l, bucket->first, bucket->end);
        const int64_t values[] = {l->ts.items[best], l->id.items[best],
                                  (int64_t)bucket->end - bucket->first, l->dur.items[best],
                                  bucket->level};
        sqlite3_result_int64(context, values[column]);
    } else if (column < 2) {
        sqlite3_result_double(context, extreme_in(l, bucket->first, bucket->end, column == 1));
    } else if (column == 2) {
        sqlite3_result_int64(context, l->ts.items[bucket->end - 1]);
    } else {
        sqlite3_result_double(context, l->value.items[bucket->end - 1]);
    }
    return SQLITE_OK;
}

static int mipmap_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)((const struct cursor *)base)->at;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xCreate = mipmap_connect,
    .xConnect = mipmap_connect,
    .xBestIndex = mipmap_plan,
    .xDisconnect = mipmap_disconnect,
    .xDestroy = mipmap_disconnect,
    .xOpen = mipmap_open,
    .xClose = mipmap_close,
    .xFilter = mipmap_filter,
    .xNext = mipmap_next,
    .xEof = mipmap_at_end,
    .xColumn = mipmap_column,
    .xRowid = mipmap_rowid,
};

bool mipmap_register(struct sql_database *db, struct status *st)
{
    static const struct {
        const char *name;
        enum mipmap_kind kind;
    } names[] = {{"__intrinsic_slice_mipmap", MIPMAP_SLICES},
                 {"__intrinsic_counter_mipmap", MIPMAP_COUNTERS}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct mipmap_module *aux = mem_zero(1, sizeof *aux);
        *aux = (struct mipmap_module){db, names[i].kind};
        if (sqlite3_create_module_v2(db->sqlite, names[i].name, &module, aux, mem_free) !=
            SQLITE_OK)
            return sql_fail(db, st, names[i].name);
    }
    return true;
}
