#include "engine/sql/span_side.h"

#include "engine/base/buffer.h"
#include "engine/base/checked.h"
#include "engine/sql/perfettosql_lexer.h"
#include "engine/sql/radix.h"

static bool fail(struct status *st, const char *format, const char *a, const char *b)
    __attribute__((format(printf, 2, 0)));

static bool fail(struct status *st, const char *format, const char *a, const char *b)
{
    char *text = sqlite3_mprintf(format, a, b);
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "SPAN_JOIN: %s", text ? text : "");
    sqlite3_free(text);
    return false;
}

static char *unquoted(struct str s)
{
    if (s.n >= 2 && (s.p[0] == '"' || s.p[0] == '`' || s.p[0] == '[')) s = str_slice(s, 1, s.n - 1);
    return mem_copy_string(s.p, s.n);
}

static bool parse_argument(const char *argument, struct span_table *t, struct status *st)
{
    struct sql_reader r;
    sql_reader_start(&r, str_of(argument));
    if (r.token.kind != SQL_TOKEN_ID && r.token.kind != SQL_TOKEN_QUOTED_ID)
        return fail(st, "cannot parse '%s'", argument, "");
    t->name = unquoted(r.token.text);
    sql_reader_next(&r);
    if (r.token.kind == SQL_TOKEN_END) return true;
    bool ok = sql_reader_accept(&r, "PARTITIONED") &&
              (r.token.kind == SQL_TOKEN_ID || r.token.kind == SQL_TOKEN_QUOTED_ID);
    if (!ok)
        return fail(st, "cannot parse '%s': expected TABLE [PARTITIONED COLUMN]", argument, "");
    t->partition = unquoted(r.token.text);
    if (sqlite3_stricmp(t->partition, "ts") == 0 || sqlite3_stricmp(t->partition, "dur") == 0)
        return fail(st, "partition column cannot be any of {ts, dur}", "", "");
    return true;
}

static bool note_columns(struct span_table *t, sqlite3_stmt *statement, struct status *st)
{
    bool has_ts = false, has_partition = t->partition == NULL;
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        const char *name = sqlite3_column_name(statement, i);
        const char *type = sqlite3_column_decltype(statement, i);
        if (sqlite3_stricmp(name, "ts") == 0) {
            has_ts = true;
        } else if (sqlite3_stricmp(name, "dur") == 0) {
            t->has_dur = true;
        } else if (t->partition && sqlite3_stricmp(name, t->partition) == 0) {
            has_partition = true;
        } else if (t->n_columns < SPAN_MAX_COLUMNS - 3) {
            t->columns[t->n_columns] = mem_strdup(name);
            t->types[t->n_columns++] = mem_strdup(type ? type : "");
        } else {
            return fail(st, "table %s has too many columns", t->name, "");
        }
    }
    if (!has_ts) return fail(st, "Missing ts column in table %s", t->name, "");
    if (!has_partition)
        return fail(st, "Missing partition column '%s' in table '%s'", t->partition, t->name);
    return true;
}

bool span_table_open(struct sql_database *db, const char *argument, struct span_table *t,
                     struct status *st)
{
    *t = (struct span_table){.name = NULL};
    if (!parse_argument(argument, t, st)) return false;
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", t->name);
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(db->sqlite, sql, -1, &statement, NULL) == SQLITE_OK ||
              sql_fail(db, st, "SPAN_JOIN");
    ok = ok && note_columns(t, statement, st);
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return ok;
}

void span_table_dispose(struct span_table *t)
{
    mem_free(t->name);
    mem_free(t->partition);
    for (int i = 0; i < t->n_columns; i++) {
        mem_free(t->columns[i]);
        mem_free(t->types[i]);
    }
    t->n_columns = 0;
}

/* ---- reading ---- */

static char *select_text(const struct span_table *t, uint64_t used, const char *where,
                         struct span_side *side)
{
    struct buffer sql = BUFFER_INIT;
    buffer_append_text(&sql, "SELECT ts, ");
    buffer_append_text(&sql, t->has_dur ? "dur" : "0");
    char *name = sqlite3_mprintf("%s%w%s", t->partition ? "\"" : "",
                                 t->partition ? t->partition : "0", t->partition ? "\"" : "");
    buffer_printf(&sql, ", %s", name);
    sqlite3_free(name);
    for (int i = 0; i < t->n_columns; i++) {
        side->cell_of[i] = -1;
        if (!(used >> i & 1)) continue;
        side->cell_of[i] = side->n_cells++;
        name = sqlite3_mprintf(", \"%w\"", t->columns[i]);
        buffer_append_text(&sql, name);
        sqlite3_free(name);
    }
    name = sqlite3_mprintf(" FROM \"%w\"", t->name);
    buffer_append_text(&sql, name);
    sqlite3_free(name);
    if (where) buffer_printf(&sql, " WHERE %s", where);
    return buffer_take(&sql);
}

static struct span_cell read_cell(struct sql_database *db, sqlite3_stmt *row, int i)
{
    struct span_cell cell = {.type = sqlite3_column_type(row, i)};
    if (cell.type == SQLITE_INTEGER) {
        cell.integer = sqlite3_column_int64(row, i);
    } else if (cell.type == SQLITE_FLOAT) {
        cell.real = sqlite3_column_double(row, i);
    } else if (cell.type != SQLITE_NULL) {
        const char *bytes = sqlite3_column_blob(row, i);
        size_t n = (size_t)sqlite3_column_bytes(row, i);
        cell.string = strpool_intern(db->tables->strings, (struct str){bytes ? bytes : "", n});
    }
    return cell;
}

static bool read_span(struct sql_database *db, const struct span_table *t, sqlite3_stmt *row,
                      struct span_side *side, struct status *st)
{
    if (t->partition && sqlite3_column_type(row, 2) == SQLITE_NULL) return true;
    if (sqlite3_column_type(row, 0) != SQLITE_INTEGER)
        return fail(st, "column ts of table %s is not an INT", t->name, "");
    if (sqlite3_column_type(row, 2) != SQLITE_INTEGER)
        return fail(st, "partition column %s of table %s is not an INT", t->partition, t->name);
    size_t bytes = sizeof(struct span) + (size_t)side->n_cells * sizeof(struct span_cell);
    if (side->spans.count >= UINT32_MAX || side->spans.count > (size_t)SQL_HEAP_LIMIT / bytes)
        return fail(st, "table %s has too many rows", t->name, "");
    struct span span = {.ts = sqlite3_column_int64(row, 0),
                        .partition = sqlite3_column_int64(row, 2),
                        .row = (uint32_t)side->spans.count};
    span.end = saturating_add_int64(span.ts, sqlite3_column_int64(row, 1));
    vec_push(&side->spans, span);
    for (int i = 0; i < side->n_cells; i++)
        vec_push(&side->cells, read_cell(db, row, 3 + i));
    return true;
}

static bool is_sorted(const struct span_side *side)
{
    for (size_t i = 1; i < side->spans.count; i++) {
        const struct span *a = &side->spans.items[i - 1], *b = a + 1;
        if (a->partition > b->partition || (a->partition == b->partition && a->ts > b->ts))
            return false;
    }
    return true;
}

static void sort_spans(struct span_side *side)
{
    uint32_t n = (uint32_t)side->spans.count;
    if (is_sorted(side)) return;
    struct keyed_row *rows = mem_alloc(n * sizeof *rows), *spare = mem_alloc(n * sizeof *spare);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = (struct keyed_row){radix_key_of_int64(side->spans.items[i].ts), i};
    radix_sort(rows, spare, n);
    for (uint32_t i = 0; i < n; i++)
        rows[i].key = radix_key_of_int64(side->spans.items[rows[i].row].partition);
    radix_sort(rows, spare, n);
    struct span *sorted = mem_alloc(n * sizeof *sorted);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = side->spans.items[rows[i].row];
    mem_free(side->spans.items);
    side->spans.items = sorted;
    side->spans.capacity = n;
    mem_free(rows);
    mem_free(spare);
}

bool span_side_read(struct sql_database *db, const struct span_table *t, uint64_t used,
                    const char *where, sqlite3_value *value, struct span_side *side,
                    struct status *st)
{
    *side = (struct span_side){.n_cells = 0};
    char *sql = select_text(t, used, where, side);
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(db->sqlite, sql, -1, &statement, NULL) == SQLITE_OK ||
              sql_fail(db, st, "SPAN_JOIN");
    mem_free(sql);
    if (ok && value) sqlite3_bind_value(statement, 1, value);
    int rc = SQLITE_DONE;
    while (ok && (rc = sqlite3_step(statement)) == SQLITE_ROW)
        ok = read_span(db, t, statement, side, st);
    if (ok && rc != SQLITE_DONE) ok = sql_fail(db, st, "SPAN_JOIN");
    sqlite3_finalize(statement);
    if (ok && side->spans.count) sort_spans(side);
    return ok;
}

void span_side_dispose(struct span_side *side)
{
    vec_free(&side->spans);
    vec_free(&side->cells);
}
