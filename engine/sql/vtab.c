#include "engine/sql/vtab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/buffer.h"
#include "engine/store/late_rows.h"

#define FIRST_BLOCK 64u
#define BLOCK       4096u
/* Fewer rows than this are scanned rather than looked up in an index. */
#define SCAN_ROWS   32u
#define FETCH_AHEAD 12u

/* A table under its own name, or some of its columns under other names:
 *
 *     CREATE VIRTUAL TABLE slice USING perfetty_table(__intrinsic_slice, id, …,
 *                                                     category AS cat)
 *
 * which the planner can join where a view would be copied first. */
struct vtab {
    sqlite3_vtab base;
    struct sql_database *db;
    struct sql_table *shared; /* one reference is ours */
    struct vtab_columns columns;
};

/* Rows come from [next, end) or from source[0..n_source); with filters they pass
 * through `block` first. */
struct cursor {
    sqlite3_vtab_cursor base;
    const struct table *table;
    const uint32_t *map; /* of the virtual table; NULL: columns as they are */
    uint32_t row;        /* the current one */
    bool at_end, is_range;
    bool is_by_id; /* the plan is one equality on the id */
    uint32_t range_end;
    const uint32_t *rows; /* list mode: the list or the block */
    uint32_t at, n_rows;
    struct {
        const char *data;
        uint32_t bytes_each;
    } ahead[VTAB_MAX_USED]; /* columns to fetch ahead in a list out of order */
    uint32_t n_ahead;
    uint32_t next, end; /* rows that the filters have not seen, when from a range */
    const uint32_t *source;
    uint32_t source_at, n_source;
    uint32_t *owned; /* source, when it is ours */
    uint32_t *block, block_size;
    int64_t left; /* of LIMIT; -1: none */
    int64_t skip; /* of OFFSET */
    struct vtab_filters filters;
    struct vtab_plan plan;
    const char *plan_text; /* that `plan` was read from */
};

/* ---- the table ---- */

static const char *sql_type_of(const struct column_schema *column)
{
    switch (column->type) {
    case COLUMN_DOUBLE: return "DOUBLE";
    case COLUMN_STRING: return "TEXT";
    default: return "INTEGER";
    }
}

static void declare_column(struct buffer *text, const struct column_schema *column,
                           const char *name, bool is_hidden)
{
    char *quoted = sqlite3_mprintf("\"%w\"", name);
    buffer_printf(text, "%s%s %s%s", text->length > 15 ? ", " : "", quoted ? quoted : "",
                  sql_type_of(column), is_hidden ? " HIDDEN" : "");
    sqlite3_free(quoted);
}

/* "column" or "column AS name"; false when there is no such column. */
static bool map_column(const struct table *table, const char *argument, uint32_t *number,
                       char **name)
{
    struct str rest = str_trim(str_of(argument));
    size_t at = rest.n;
    bool renamed = str_find_byte(rest, ' ', &at);
    char *from = mem_copy_string(rest.p, renamed ? at : rest.n);
    int column = table_find_column(table, from);
    rest = str_trim(str_slice(rest, at, rest.n));
    if (renamed) rest = str_trim(str_slice(rest, 2, rest.n)); /* AS */
    *name = renamed ? mem_copy_string(rest.p, rest.n) : mem_strdup(from);
    *number = (uint32_t)column;
    mem_free(from);
    return column >= 0;
}

static int declare(sqlite3 *sqlite, struct vtab *vtab, int n_arguments,
                   const char *const *arguments, char **error)
{
    const struct table *table = vtab->shared->table;
    const struct table_schema *schema = table->schema;
    struct vtab_columns *columns = &vtab->columns;
    struct buffer text = BUFFER_INIT;
    bool ok = true;
    buffer_append_text(&text, "CREATE TABLE x(");
    for (uint32_t i = 0; !n_arguments && i < schema->n_columns; i++)
        declare_column(&text, &schema->columns[i], schema->columns[i].name,
                       schema->columns[i].flags & COLUMN_HIDDEN);
    columns->count = n_arguments ? (uint32_t)n_arguments : schema->n_columns;
    if (n_arguments) columns->map = mem_zero((size_t)n_arguments, sizeof *columns->map);
    for (int i = 0; i < n_arguments && ok; i++) {
        char *name = NULL;
        ok = map_column(table, arguments[i], &columns->map[i], &name);
        if (ok)
            declare_column(&text, &schema->columns[columns->map[i]], name, false);
        else
            *error = sqlite3_mprintf("no such column: %s", arguments[i]);
        mem_free(name);
    }
    buffer_append_text(&text, ")");
    int rc = ok ? sqlite3_declare_vtab(sqlite, buffer_text(&text)) : SQLITE_ERROR;
    buffer_free(&text);
    return rc;
}

static int vtab_disconnect(sqlite3_vtab *base)
{
    struct vtab *vtab = (struct vtab *)base;
    sql_table_release(vtab->shared);
    mem_free(vtab->columns.map);
    mem_free(vtab);
    return SQLITE_OK;
}

static int vtab_connect(sqlite3 *sqlite, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **out, char **error)
{
    struct sql_database *db = aux;
    const char *name = argc > 3 ? argv[3] : argv[2];
    struct sql_table *shared = sql_table_find(db, str_of(name));
    if (!shared) {
        *error = sqlite3_mprintf("no columns are behind this table");
        return SQLITE_ERROR;
    }
    struct vtab *vtab = mem_zero(1, sizeof *vtab);
    vtab->db = db;
    vtab->shared = shared;
    shared->references++;
    int rc = declare(sqlite, vtab, argc > 4 ? argc - 4 : 0, argv + 4, error);
    if (rc != SQLITE_OK) {
        vtab_disconnect(&vtab->base);
        return rc;
    }
    sqlite3_vtab_config(sqlite, SQLITE_VTAB_INNOCUOUS);
    *out = &vtab->base;
    return SQLITE_OK;
}

/* DROP TABLE: the registry lets go of it as well. */
static int vtab_destroy(sqlite3_vtab *base)
{
    struct vtab *vtab = (struct vtab *)base;
    struct str name = str_of(vtab->shared->table->schema->name);
    if (vtab->shared->owned && sql_table_find(vtab->db, name) == vtab->shared)
        sql_table_forget(vtab->db, name);
    return vtab_disconnect(base);
}

static int vtab_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    struct vtab *vtab = (struct vtab *)base;
    return vtab_best_index(vtab->shared, &vtab->columns, vtab->db->leaves_operators, info);
}

/* ---- cursors ---- */

static int cursor_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct cursor *c = mem_zero(1, sizeof *c);
    c->table = ((struct vtab *)base)->shared->table;
    c->map = ((struct vtab *)base)->columns.map;
    *out = &c->base;
    return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *base)
{
    struct cursor *c = (struct cursor *)base;
    vtab_filters_clear(&c->filters);
    mem_free(c->owned);
    mem_free(c->block);
    mem_free(c);
    return SQLITE_OK;
}

/* Takes OFFSET and LIMIT off a run of rows that passed: [*from, *end) changes. */
static void clip(struct cursor *c, uint32_t *from, uint32_t *end)
{
    uint32_t n = *end - *from;
    uint32_t skipped = c->skip < (int64_t)n ? (uint32_t)c->skip : n;
    c->skip -= skipped;
    *from += skipped;
    n -= skipped;
    if (c->left < 0) return;
    if ((int64_t)n > c->left) n = (uint32_t)c->left;
    c->left -= n;
    *end = *from + n;
}

/* Up to `size` rows that the filters have not seen, into the block. */
static uint32_t read_source(struct cursor *c, uint32_t size)
{
    uint32_t n = 0;
    if (c->source) {
        n = c->n_source - c->source_at;
        if (n > size) n = size;
        if (n) memcpy(c->block, c->source + c->source_at, n * sizeof *c->block);
        c->source_at += n;
        return n;
    }
    while (n < size && c->next < c->end)
        c->block[n++] = c->next++;
    return n;
}

static void refill(struct cursor *c)
{
    while (c->left != 0) {
        if (!c->block) c->block = mem_alloc(BLOCK * sizeof *c->block);
        uint32_t n = read_source(c, c->block_size);
        if (n == 0) break;
        if (c->block_size < BLOCK) c->block_size *= 4;
        uint32_t from = 0, end = vtab_filters_keep(&c->filters, c->table, c->block, n);
        clip(c, &from, &end);
        if (from == end) continue;
        c->rows = c->block;
        c->at = from;
        c->n_rows = end;
        c->row = c->rows[from];
        return;
    }
    c->at_end = true;
}

/* Rows of a sorted list lie anywhere: their cells are asked for some rows early, so
 * that memory answers several of them at once. */
static void fetch_ahead(const struct cursor *c)
{
    if (c->at + FETCH_AHEAD >= c->n_rows) return;
    size_t row = c->rows[c->at + FETCH_AHEAD];
    for (uint32_t i = 0; i < c->n_ahead; i++)
        __builtin_prefetch(c->ahead[i].data + row * c->ahead[i].bytes_each);
}

static int cursor_next(sqlite3_vtab_cursor *base)
{
    struct cursor *c = (struct cursor *)base;
    if (c->is_range) {
        if (++c->row >= c->range_end) c->at_end = true;
    } else if (++c->at < c->n_rows) {
        c->row = c->rows[c->at];
        if (c->n_ahead) fetch_ahead(c);
    } else if (c->filters.count) {
        refill(c);
    } else {
        c->at_end = true;
    }
    return SQLITE_OK;
}

static void drop_filter(struct cursor *c, uint32_t i)
{
    struct vtab_filter gone = c->filters.items[i];
    mem_free(gone.set);
    for (uint32_t k = i + 1; k < c->filters.count; k++)
        c->filters.items[k - 1] = c->filters.items[k];
    c->filters.count--;
}

/* Values in [low, high] of an ascending column are the rows [*from, *end). */
static void find_run(const struct table *table, const struct vtab_filter *f, uint32_t *from,
                     uint32_t *end)
{
    const struct column *column = &table->columns[f->column];
    uint32_t rows = table_rows(table);
    if (column->type == COLUMN_ID) {
        *from = f->low <= 0 ? 0 : f->low >= (int64_t)rows ? rows : (uint32_t)f->low;
        *end = f->high < 0 ? 0 : f->high >= (int64_t)rows ? rows : (uint32_t)f->high + 1;
        return;
    }
    if ((column->flags & COLUMN_SET_ID) && f->low == f->high && f->low >= 0 &&
        f->low < (int64_t)rows && column_get_int64(column, (uint32_t)f->low) == f->low) {
        *from = (uint32_t)f->low;
        while (*from > 0 && column_get_int64(column, *from - 1) == f->low)
            --*from;
        *end = (uint32_t)f->low;
        while (*end < rows && column_get_int64(column, *end) == f->low)
            ++*end;
        return;
    }
    *from = f->low == INT64_MIN ? 0 : table_lower_bound(table, f->column, f->low);
    *end = f->high == INT64_MAX ? rows : table_lower_bound(table, f->column, f->high + 1);
}

/* Ranges on the id and on ascending columns narrow [next, end). */
static void narrow(struct cursor *c)
{
    for (uint32_t i = 0; i < c->filters.count;) {
        const struct vtab_filter *f = &c->filters.items[i];
        const struct column *column = &c->table->columns[f->column];
        if (f->kind != VTAB_FILTER_RANGE || column->type == COLUMN_DOUBLE ||
            !vtab_column_ascends(c->table, f->column)) {
            i++;
            continue;
        }
        uint32_t from, end;
        find_run(c->table, f, &from, &end);
        if (from > c->next) c->next = from;
        if (end < c->end) c->end = end;
        drop_filter(c, i);
    }
    if (c->next > c->end) c->next = c->end;
}

static bool is_lookup(const struct vtab_filter *f)
{
    return (f->kind == VTAB_FILTER_RANGE && f->low == f->high) || f->kind == VTAB_FILTER_STRING;
}

static bool is_set(const struct vtab_filter *f)
{
    return f->kind == VTAB_FILTER_INT_SET || f->kind == VTAB_FILTER_STRING_SET;
}

/* An index pays from the second equality on, or at once for a foreign key. */
static bool may_use_index(struct sql_table *shared, uint32_t column)
{
    const struct table *table = shared->table;
    uint8_t type = table->columns[column].type;
    if (!table->frozen || type == COLUMN_ID || type == COLUMN_DOUBLE) return false;
    if (table->columns[column].flags & COLUMN_FOREIGN) return true;
    return shared->equalities[column]++ > 0;
}

static uint32_t lower_row(const uint32_t *rows, uint32_t n, uint32_t row)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (rows[mid] < row)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static int compare_rows(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The rows of every member of an IN list, ascending; false: no index. */
static bool rows_of_set(struct cursor *c, const struct vtab_filter *f, uint32_t **rows,
                        uint32_t *n_rows)
{
    VEC(uint32_t) found = {0};
    bool is_id = c->table->columns[f->column].type == COLUMN_ID;
    for (size_t i = 0; i < f->n_set; i++) {
        if (is_id) {
            if (f->set[i] >= c->next && f->set[i] < c->end) vec_push(&found, (uint32_t)f->set[i]);
            continue;
        }
        struct row_span span;
        if (!table_rows_equal(c->table, f->column, f->set[i], &span)) {
            vec_free(&found);
            return false;
        }
        for (uint32_t k = 0; k < span.count; k++)
            if (span.rows[k] >= c->next && span.rows[k] < c->end) vec_push(&found, span.rows[k]);
    }
    if (!is_id && f->n_set > 1 && found.count)
        qsort(found.items, found.count, sizeof(uint32_t), compare_rows);
    *rows = found.items;
    *n_rows = (uint32_t)found.count;
    return true;
}

static void use_set(struct cursor *c, struct sql_table *shared)
{
    for (uint32_t i = 0; i < c->filters.count; i++) {
        const struct vtab_filter *f = &c->filters.items[i];
        bool is_id = c->table->columns[f->column].type == COLUMN_ID;
        if (!is_set(f) || (!is_id && !may_use_index(shared, f->column))) continue;
        if (!rows_of_set(c, f, &c->owned, &c->n_source)) continue;
        if (!c->owned) {
            c->filters.none = true;
            return;
        }
        c->source = c->owned;
        drop_filter(c, i);
        return;
    }
}

/* The equality with the fewest rows becomes the source. */
static void use_index(struct cursor *c, struct sql_table *shared)
{
    if (c->end - c->next <= SCAN_ROWS) return;
    struct row_span best = {NULL, UINT32_MAX};
    uint32_t best_filter = 0;
    for (uint32_t i = 0; i < c->filters.count; i++) {
        const struct vtab_filter *f = &c->filters.items[i];
        struct row_span span;
        if (!is_lookup(f) || !may_use_index(shared, f->column) ||
            !table_rows_equal(c->table, f->column, f->low, &span) || span.count >= best.count)
            continue;
        best = span;
        best_filter = i;
    }
    if (best.count == UINT32_MAX) {
        use_set(c, shared);
        return;
    }
    uint32_t from = lower_row(best.rows, best.count, c->next);
    uint32_t end = lower_row(best.rows, best.count, c->end);
    if (from == end) {
        c->filters.none = true;
        return;
    }
    c->source = best.rows + from;
    c->n_source = end - from;
    drop_filter(c, best_filter);
}

/* Every row that passes, as an owned list. */
static void gather(struct cursor *c)
{
    uint32_t room = c->source ? c->n_source : c->end - c->next;
    uint32_t *all = mem_alloc((size_t)room * sizeof *all);
    uint32_t n = 0;
    if (!c->block) c->block = mem_alloc(BLOCK * sizeof *c->block);
    for (uint32_t got; (got = read_source(c, BLOCK)) > 0;) {
        uint32_t kept = vtab_filters_keep(&c->filters, c->table, c->block, got);
        memcpy(all + n, c->block, kept * sizeof *all);
        n += kept;
    }
    vtab_filters_clear(&c->filters);
    mem_free(c->owned);
    c->owned = all;
    c->source = all;
    c->source_at = 0;
    c->n_source = n;
}

static void reverse_rows(uint32_t *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t row = rows[i];
        rows[i] = rows[n - 1 - i];
        rows[n - 1 - i] = row;
    }
}

static void order_rows(struct cursor *c)
{
    const struct vtab_plan *plan = &c->plan;
    if (!plan->n_order || vtab_is_row_order(c->table, plan->order, plan->n_order)) return;
    gather(c);
    if (c->table->columns[plan->order[0].column].type == COLUMN_ID)
        reverse_rows(c->owned, c->n_source);
    else
        vtab_sort_rows(c->table, plan->order, plan->n_order, c->owned, c->n_source);
}

static void choose_ahead(struct cursor *c)
{
    for (uint32_t i = 0; i < c->plan.n_used; i++) {
        const struct column *column = &c->table->columns[c->plan.used[i]];
        if (!column->data) continue;
        c->ahead[c->n_ahead].data = column->data;
        c->ahead[c->n_ahead++].bytes_each = column_value_bytes(column);
    }
}

/* WHERE id = N and nothing else: the inner loop of most joins. */
static bool filter_by_id(struct cursor *c, sqlite3_value *value)
{
    if (sqlite3_value_type(value) != SQLITE_INTEGER) return false;
    int64_t id = sqlite3_value_int64(value);
    c->is_range = true;
    c->at_end = id < 0 || id >= (int64_t)table_rows(c->table);
    c->row = (uint32_t)id;
    c->range_end = 0;
    return true;
}

static void start(struct cursor *c)
{
    c->at_end = false;
    if (c->filters.none || c->left == 0) {
        c->at_end = true;
        return;
    }
    c->is_range = !c->filters.count && !c->source;
    if (c->is_range) {
        clip(c, &c->next, &c->end);
        c->row = c->next;
        c->range_end = c->end;
        c->at_end = c->next >= c->end;
    } else if (!c->filters.count) {
        c->rows = c->source;
        c->at = 0;
        c->n_rows = c->n_source;
        clip(c, &c->at, &c->n_rows);
        c->at_end = c->at >= c->n_rows;
        if (c->n_rows - c->at > 2 * FETCH_AHEAD) choose_ahead(c);
        if (!c->at_end) c->row = c->rows[c->at];
    } else {
        c->block_size = FIRST_BLOCK;
        refill(c);
    }
}

/* LIMIT and OFFSET are integers by the time SQLite hands them over; a negative
 * LIMIT is none, a negative OFFSET is 0. */
static bool add_terms(struct cursor *c, sqlite3_value **values, struct status *st)
{
    for (uint32_t i = 0; i < c->plan.n_terms; i++) {
        struct vtab_term term = c->plan.terms[i];
        if (term.op == VTAB_LIMIT) {
            c->left = sqlite3_value_int64(values[i]);
            if (c->left < 0) c->left = -1;
        } else if (term.op == VTAB_OFFSET) {
            c->skip = sqlite3_value_int64(values[i]);
            if (c->skip < 0) c->skip = 0;
        } else if (!vtab_filters_add(&c->filters, c->table, term, values[i], st)) {
            return false;
        }
        if (c->filters.none) break;
    }
    return true;
}

/* Whoever asks for one set of args has its id from a row that is there, and a key that
 * no waiting row has is not waited for. */
static bool needs_late_rows(const struct cursor *c, sqlite3_value **values)
{
    const struct late_rows *late =
        atomic_load_explicit(&((struct table *)(uintptr_t)c->table)->late, memory_order_acquire);
    if (!late) return false;
    for (uint32_t i = 0; i < c->plan.n_terms; i++) {
        struct vtab_term term = c->plan.terms[i];
        if (term.op != VTAB_EQ) continue;
        const struct column *column = &c->table->columns[term.column];
        if (column->flags & COLUMN_SET_ID) return false;
        if (column->type != COLUMN_STRING || sqlite3_value_type(values[i]) != SQLITE_TEXT) continue;
        struct str text = {(const char *)sqlite3_value_text(values[i]),
                           (size_t)sqlite3_value_bytes(values[i])};
        if (!late->may_hold(late, c->table, term.column, text)) return false;
    }
    return true;
}

static int cursor_filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                         sqlite3_value **values)
{
    (void)number;
    (void)argc;
    struct cursor *c = (struct cursor *)base;
    struct sql_table *shared = ((struct vtab *)base->pVtab)->shared;
    if (c->plan_text != text) {
        vtab_plan_read(&c->plan, text);
        c->plan_text = text;
        c->is_by_id = c->plan.n_terms == 1 && c->plan.terms[0].op == VTAB_EQ &&
                      c->table->columns[c->plan.terms[0].column].type == COLUMN_ID;
    }
    if (!table_is_complete(c->table) && needs_late_rows(c, values)) table_complete(c->table);
    if (c->is_by_id && filter_by_id(c, values[0])) return SQLITE_OK;
    vtab_filters_clear(&c->filters);
    mem_free(c->owned);
    c->owned = NULL;
    c->source = NULL;
    c->source_at = c->n_source = 0;
    c->n_ahead = 0;
    c->next = 0;
    c->end = table_rows(c->table);
    c->left = -1;
    c->skip = 0;
    struct status st = STATUS_INIT;
    if (!add_terms(c, values, &st)) {
        sqlite3_free(base->pVtab->zErrMsg);
        base->pVtab->zErrMsg = sqlite3_mprintf("%s", status_message(&st));
        status_clear(&st);
        return SQLITE_ERROR;
    }
    if (!c->filters.none) {
        narrow(c);
        if (c->filters.count) use_index(c, shared);
        if (c->filters.count > 1) vtab_filters_sort(&c->filters);
        if (!c->filters.none) order_rows(c);
    }
    start(c);
    return SQLITE_OK;
}

static int cursor_at_end(sqlite3_vtab_cursor *base)
{
    return ((struct cursor *)base)->at_end;
}

void vtab_result_cell(sqlite3_context *context, const struct table *table, uint32_t column,
                      uint32_t row)
{
    const struct column *c = &table->columns[column];
    switch (c->type) {
    case COLUMN_ID: sqlite3_result_int64(context, row); return;
    case COLUMN_STRING: {
        if (!c->data) return;
        string_id id = column_string(c)[row];
        if (id == STRING_NULL) return;
        struct str s = strpool_get(table->strings, id);
        sqlite3_result_text(context, s.p, (int)s.n, SQLITE_STATIC);
        return;
    }
    case COLUMN_INT64:
        if (!c->data || (c->valid && !(c->valid[row >> 6] >> (row & 63) & 1))) return;
        sqlite3_result_int64(context, column_int64(c)[row]);
        return;
    case COLUMN_DOUBLE:
        if (!c->data || (c->valid && !(c->valid[row >> 6] >> (row & 63) & 1))) return;
        sqlite3_result_double(context, column_double(c)[row]);
        return;
    case COLUMN_UINT32: {
        if (!c->data) return;
        uint32_t value = column_uint32(c)[row];
        if (value == NULL_UINT32 && (c->flags & COLUMN_NULLABLE)) return;
        sqlite3_result_int64(context, value);
        return;
    }
    default: {
        if (!c->data) return;
        int32_t value = column_int32(c)[row];
        if (value == NULL_INT32 && (c->flags & COLUMN_NULLABLE)) return;
        sqlite3_result_int64(context, value);
    }
    }
}

static int cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    struct cursor *c = (struct cursor *)base;
    uint32_t number = c->map ? c->map[column] : (uint32_t)column;
    vtab_result_cell(context, c->table, number, c->row);
    return SQLITE_OK;
}

static int cursor_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = ((struct cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xCreate = vtab_connect,
    .xConnect = vtab_connect,
    .xBestIndex = vtab_plan,
    .xDisconnect = vtab_disconnect,
    .xDestroy = vtab_destroy,
    .xOpen = cursor_open,
    .xClose = cursor_close,
    .xFilter = cursor_filter,
    .xNext = cursor_next,
    .xEof = cursor_at_end,
    .xColumn = cursor_column,
    .xRowid = cursor_rowid,
};

bool vtab_register(struct sql_database *db, struct status *st)
{
    if (sqlite3_create_module_v2(db->sqlite, "perfetty_table", &module, db, NULL) != SQLITE_OK)
        return sql_fail(db, st, "table module");
    return true;
}
