/* CREATE PERFETTO TABLE: the rows of a SELECT become columns of the narrowest type
 * that holds them. */
#include <string.h>

#include "engine/sql/authorizer.h"
#include "engine/sql/perfettosql_execute.h"
#include "engine/sql/perfettosql_lexer.h"

#define ID_CACHE 64u /* string ids remembered by address, a power of two */

enum builder_type { BUILDER_UNKNOWN, BUILDER_INT, BUILDER_REAL, BUILDER_TEXT };

/* The values of one column so far; NULLs hold 0 and have their bit set. */
struct builder {
    const char *name; /* borrowed from the statement */
    enum builder_type type;
    bool is_declared, is_bool_only;
    union {
        int64_t *ints;
        double *reals;
        string_id *ids;
        void *data;
    };
    uint64_t *nulls;
    uint32_t n_nulls;
    string_id cache[ID_CACHE];
};

struct build {
    struct sql_database *db;
    struct builder *columns;
    int n_columns;
    uint32_t rows, capacity;
    size_t text_bytes; /* that may have been added to the string pool */
    const char *what;  /* "CREATE PERFETTO TABLE(name)" */
    struct status *st;
};

static size_t value_bytes(enum builder_type type)
{
    return type == BUILDER_TEXT ? sizeof(string_id) : sizeof(int64_t);
}

static void grow_column(struct builder *c, uint32_t before, uint32_t capacity)
{
    size_t words = ((size_t)capacity + 63) / 64, old_words = ((size_t)before + 63) / 64;
    c->nulls = mem_resize(c->nulls, words * sizeof *c->nulls);
    memset(c->nulls + old_words, 0, (words - old_words) * sizeof *c->nulls);
    if (c->type == BUILDER_UNKNOWN) return;
    c->data = mem_resize(c->data, capacity * value_bytes(c->type));
}

/* What SQLite holds is limited by its heap limit; these columns by the same number. */
static bool may_grow(const struct build *b)
{
    size_t each_row = (size_t)b->n_columns * (sizeof(int64_t) + 1);
    return b->rows < TABLE_MAX_ROWS / 2 && b->text_bytes < SQL_HEAP_LIMIT &&
           (size_t)b->rows * 2 < (size_t)SQL_HEAP_LIMIT / each_row;
}

static void grow(struct build *b)
{
    uint32_t capacity = b->capacity ? b->capacity * 2 : 256;
    for (int i = 0; i < b->n_columns; i++)
        grow_column(&b->columns[i], b->capacity, capacity);
    b->capacity = capacity;
}

static const char *type_name(enum builder_type type)
{
    return type == BUILDER_INT ? "LONG" : type == BUILDER_REAL ? "DOUBLE" : "STRING";
}

static bool wrong_type(struct build *b, const struct builder *c, enum builder_type got)
{
    if (c->is_declared)
        return status_fail(b->st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "%s: column '%s' declared as %s in the schema, but %s found", b->what,
                           c->name, type_name(c->type), type_name(got));
    return status_fail(b->st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "%s: column '%s' was inferred to be %s, but later received a value of type "
                       "%s",
                       b->what, c->name, type_name(c->type), type_name(got));
}

static bool is_exact(int64_t value)
{
    double d = (double)value;
    return d < 0x1p63 && (int64_t)d == value;
}

/* The integers so far become doubles. */
static bool promote(struct build *b, struct builder *c)
{
    for (uint32_t i = 0; i < b->rows; i++) {
        if (!is_exact(c->ints[i]))
            return status_fail(b->st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "%s: Unable to represent %lld in column '%s' at row %u as a double.",
                               b->what, (long long)c->ints[i], c->name, i);
        c->reals[i] = (double)c->ints[i];
    }
    c->type = BUILDER_REAL;
    return true;
}

static void set_type(struct build *b, struct builder *c, enum builder_type type)
{
    c->type = type;
    c->data = mem_zero(b->capacity, value_bytes(type));
}

/* Strings of the engine's tables come as addresses inside the pool: the same
 * address and length is the same id. */
static string_id intern(struct build *b, struct builder *c, struct str s)
{
    struct strpool *pool = b->db->tables->strings;
    string_id *slot = &c->cache[(uintptr_t)s.p / 8 % ID_CACHE];
    struct str known = strpool_get(pool, *slot);
    if (*slot != STRING_NULL && known.p == s.p && known.n == s.n) return *slot;
    b->text_bytes += s.n;
    *slot = strpool_intern(pool, (struct str){s.n ? s.p : "", s.n});
    return *slot;
}

static bool put(struct build *b, struct builder *c, sqlite3_stmt *row, int i)
{
    uint32_t at = b->rows;
    int type = sqlite3_column_type(row, i);
    enum builder_type got = type == SQLITE_INTEGER ? BUILDER_INT
                            : type == SQLITE_FLOAT ? BUILDER_REAL
                                                   : BUILDER_TEXT;
    if (type == SQLITE_NULL) {
        c->nulls[at >> 6] |= UINT64_C(1) << (at & 63);
        c->n_nulls++;
        if (c->type != BUILDER_UNKNOWN)
            memset((char *)c->data + at * value_bytes(c->type), 0, value_bytes(c->type));
        return true;
    }
    if (type == SQLITE_BLOB)
        return status_fail(b->st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "%s: column '%s' holds a BLOB; tables hold numbers and text only",
                           b->what, c->name);
    if (c->type == BUILDER_UNKNOWN) set_type(b, c, got);
    if (c->type == BUILDER_INT && got == BUILDER_REAL && !c->is_declared && !promote(b, c))
        return false;
    if (c->type == BUILDER_REAL && got == BUILDER_INT) {
        int64_t value = sqlite3_column_int64(row, i);
        if (!is_exact(value))
            return status_fail(b->st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "%s: Inserting a too-large integer (%lld) in column '%s' at row %u. "
                               "Column currently holds doubles.",
                               b->what, (long long)value, c->name, at);
        c->reals[at] = (double)value;
        return true;
    }
    if (c->type != got) return wrong_type(b, c, got);
    if (got == BUILDER_INT) {
        c->ints[at] = sqlite3_column_int64(row, i);
    } else if (got == BUILDER_REAL) {
        c->reals[at] = sqlite3_column_double(row, i);
    } else {
        const char *bytes = sqlite3_column_blob(row, i);
        c->ids[at] = intern(b, c, (struct str){bytes, (size_t)sqlite3_column_bytes(row, i)});
    }
    return true;
}

static bool read_rows(struct build *b, sqlite3_stmt *body)
{
    int rc;
    while ((rc = sqlite3_step(body)) == SQLITE_ROW) {
        if (b->rows == b->capacity) {
            if (!may_grow(b))
                return status_fail(b->st, STATUS_LIMIT, STATUS_NO_OFFSET,
                                   "%s: the table would be larger than the memory limit", b->what);
            grow(b);
        }
        for (int i = 0; i < b->n_columns; i++)
            if (!put(b, &b->columns[i], body, i)) return false;
        b->rows++;
    }
    return rc == SQLITE_DONE || sql_fail(b->db, b->st, b->what);
}

static bool is_null(const struct builder *c, uint32_t row)
{
    return c->nulls[row >> 6] >> (row & 63) & 1;
}

static uint8_t narrow_type(const struct builder *c, uint32_t rows)
{
    if (c->type == BUILDER_REAL) return COLUMN_DOUBLE;
    if (c->type == BUILDER_TEXT) return COLUMN_STRING;
    if (c->type == BUILDER_UNKNOWN) return COLUMN_INT64;
    int64_t smallest = 0, largest = 0;
    bool is_row_number = c->n_nulls == 0;
    for (uint32_t i = 0; i < rows; i++) {
        int64_t v = c->ints[i];
        if (v < smallest) smallest = v;
        if (v > largest) largest = v;
        if (v != (int64_t)i) is_row_number = false;
    }
    if (is_row_number && rows) return COLUMN_ID;
    if (smallest >= 0 && largest < (int64_t)NULL_UINT32) return COLUMN_UINT32;
    if (smallest > (int64_t)NULL_INT32 && largest <= INT32_MAX) return COLUMN_INT32;
    return COLUMN_INT64;
}

static void fill_integers(struct column *to, const struct builder *c, uint32_t rows)
{
    bool sorted = c->n_nulls == 0;
    for (uint32_t i = 0; i < rows; i++) {
        if (i && c->ints[i] < c->ints[i - 1]) sorted = false;
        if (to->type == COLUMN_INT64)
            ((int64_t *)to->data)[i] = c->ints[i];
        else if (to->type == COLUMN_UINT32)
            ((uint32_t *)to->data)[i] = is_null(c, i) ? NULL_UINT32 : (uint32_t)c->ints[i];
        else
            ((int32_t *)to->data)[i] = is_null(c, i) ? NULL_INT32 : (int32_t)c->ints[i];
    }
    to->is_sorted = sorted;
}

static void fill_column(struct table *table, struct column *to, const struct builder *c,
                        uint32_t rows)
{
    if (to->type == COLUMN_ID) return;
    to->is_sorted = false;
    if (c->type == BUILDER_UNKNOWN) return; /* all NULL: no storage */
    if (to->flags & COLUMN_NULLABLE)
        column_materialize(to, 0, table->capacity);
    else
        column_grow(to, 0, table->capacity);
    if (c->type == BUILDER_INT) {
        fill_integers(to, c, rows);
    } else if (rows) {
        memcpy(to->data, c->data, rows * value_bytes(c->type));
    }
    if (c->type == BUILDER_REAL) {
        to->is_sorted = c->n_nulls == 0;
        for (uint32_t i = 1; i < rows && to->is_sorted; i++)
            to->is_sorted = c->reals[i] >= c->reals[i - 1];
    }
    for (uint32_t i = 0; to->valid && i < rows; i++)
        column_set_valid(to, i, !is_null(c, i));
}

static struct table *make_table(struct build *b, const char *name)
{
    uint32_t n = (uint32_t)b->n_columns + 1;
    struct column_schema *schema = mem_zero(n, sizeof *schema);
    schema[0] = (struct column_schema){"_auto_id", COLUMN_ID, COLUMN_HIDDEN, ""};
    for (uint32_t i = 1; i < n; i++) {
        const struct builder *c = &b->columns[i - 1];
        bool nullable = c->n_nulls || c->type == BUILDER_TEXT || c->type == BUILDER_UNKNOWN;
        schema[i] = (struct column_schema){c->name, narrow_type(c, b->rows),
                                           nullable ? COLUMN_NULLABLE : COLUMN_PLAIN, ""};
    }
    struct table_schema of_table = {name, "", schema, n};
    struct table *table = table_new(&of_table, b->db->tables->strings);
    mem_free(schema);
    /* What append would do row by row. */
    table->capacity = b->rows ? b->rows : 1;
    for (uint32_t i = 1; i < n; i++)
        fill_column(table, &table->columns[i], &b->columns[i - 1], b->rows);
    atomic_store(&table->row_count, b->rows);
    table_freeze(table);
    return table;
}

static bool declare_types(struct build *b, const struct sql_fields *fields)
{
    for (int i = 0; i < b->n_columns; i++) {
        struct builder *c = &b->columns[i];
        for (size_t k = 0; k < fields->count; k++) {
            const struct sql_field *field = &fields->items[k];
            if (!sql_is_word(field->name, c->name)) continue;
            if (field->type == SQL_VALUE_BLOB || field->type == SQL_VALUE_ANY)
                return status_fail(b->st, STATUS_INVALID, STATUS_NO_OFFSET,
                                   "%s: unsupported type %.*s for column '%s'", b->what,
                                   STR_ARG(field->type_name), c->name);
            c->is_declared = true;
            set_type(b, c,
                     field->type == SQL_VALUE_INT    ? BUILDER_INT
                     : field->type == SQL_VALUE_REAL ? BUILDER_REAL
                                                     : BUILDER_TEXT);
        }
    }
    return true;
}

static bool enter(struct sql_execution *e, struct table *table, const char *name, struct status *st)
{
    struct sql_database *db = e->db;
    char *drop = sqlite3_mprintf("DROP TABLE IF EXISTS \"%w\"", name);
    char *create = sqlite3_mprintf("CREATE VIRTUAL TABLE \"%w\" USING perfetty_table", name);
    bool ok = !e->statement->replace || sql_execute_internal(db, drop, st);
    if (ok)
        sql_table_add(db, name, table, true);
    else
        table_free(table);
    ok = ok && sql_execute_internal(db, create, st);
    sqlite3_free(drop);
    sqlite3_free(create);
    if (ok) authorizer_set_owner(db, e->statement->name, db->origin);
    return ok;
}

static bool may_create(struct sql_execution *e, const char *name, struct status *st)
{
    struct sql_database *db = e->db;
    db->denied = NULL;
    if (!authorizer_may_replace(db, name))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "not authorized: %s", db->denied);
    const char *kind = execute_object_kind(db, e->statement->name);
    if (kind && !e->statement->replace)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s %s already exists", kind,
                           name);
    const struct sql_table *old = sql_table_find(db, e->statement->name);
    if (old && !old->owned)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "not authorized: tables of the engine cannot be replaced");
    return true;
}

static bool build_table(struct sql_execution *e, sqlite3_stmt *body, const char *name,
                        const char *what, struct status *st)
{
    struct build b = {.db = e->db, .what = what, .st = st};
    b.n_columns = sqlite3_column_count(body);
    b.columns = mem_zero((size_t)b.n_columns, sizeof *b.columns);
    for (int i = 0; i < b.n_columns; i++)
        b.columns[i].name = sqlite3_column_name(body, i);
    grow(&b);
    bool ok = declare_types(&b, &e->statement->fields) && read_rows(&b, body);
    struct table *table = ok ? make_table(&b, name) : NULL;
    sqlite3_reset(body);
    ok = ok && enter(e, table, name, st);
    for (int i = 0; i < b.n_columns; i++) {
        mem_free(b.columns[i].data);
        mem_free(b.columns[i].nulls);
    }
    mem_free(b.columns);
    return ok;
}

bool execute_create_table(struct sql_execution *e, struct status *st)
{
    char *name = execute_name(e->statement->name);
    char *what = sqlite3_mprintf("CREATE PERFETTO TABLE(%s)", name ? name : "");
    sqlite3_stmt *body = NULL;
    bool ok = name && what && may_create(e, name, st) &&
              (body = execute_prepare_body(e, NULL, st)) != NULL &&
              execute_check_column_names(body, "CREATE PERFETTO TABLE", st) &&
              (!e->statement->has_schema || execute_check_schema(e, body, st)) &&
              build_table(e, body, name, what, st);
    sqlite3_finalize(body);
    sqlite3_free(what);
    sqlite3_free(name);
    return ok;
}
