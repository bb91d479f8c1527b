/* From the values that a statement compares with, to predicates over rows.
 *
 * SQLite applies no affinity to what is pushed down: numbers are smaller than
 * text, text smaller than blobs, and NULL compares with nothing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/regex.h"
#include "engine/sql/pattern.h"
#include "engine/sql/vtab.h"

/* How a value of another storage class stands to every value of the column. */
enum side { SIDE_BELOW, SIDE_ABOVE };

static bool is_equality(enum vtab_operator op)
{
    return op == VTAB_EQ || op == VTAB_IS;
}

static bool is_difference(enum vtab_operator op)
{
    return op == VTAB_NE || op == VTAB_IS_NOT;
}

/* The bound is on `side` of all values: the filter is "not NULL" or nothing. */
static void add_incomparable(struct vtab_filters *filters, struct vtab_filter *f, enum side side)
{
    bool all = is_difference(f->op) ||
               (side == SIDE_ABOVE && (f->op == VTAB_LT || f->op == VTAB_LE)) ||
               (side == SIDE_BELOW && (f->op == VTAB_GT || f->op == VTAB_GE));
    if (!all) {
        filters->none = true;
        return;
    }
    if (f->or_null) return; /* every row */
    f->kind = VTAB_FILTER_NOT_NULL;
    filters->items[filters->count++] = *f;
}

static void add_range(struct vtab_filters *filters, struct vtab_filter *f, int64_t low,
                      int64_t high)
{
    if (low > high) {
        filters->none = true;
        return;
    }
    f->kind = VTAB_FILTER_RANGE;
    f->low = low;
    f->high = high;
    filters->items[filters->count++] = *f;
}

static void add_integer_with_int(struct vtab_filters *filters, struct vtab_filter *f, int64_t v)
{
    switch (f->op) {
    case VTAB_EQ:
    case VTAB_IS: add_range(filters, f, v, v); return;
    case VTAB_LT:
        if (v == INT64_MIN)
            filters->none = true;
        else
            add_range(filters, f, INT64_MIN, v - 1);
        return;
    case VTAB_LE: add_range(filters, f, INT64_MIN, v); return;
    case VTAB_GT:
        if (v == INT64_MAX)
            filters->none = true;
        else
            add_range(filters, f, v + 1, INT64_MAX);
        return;
    case VTAB_GE: add_range(filters, f, v, INT64_MAX); return;
    default:
        f->kind = VTAB_FILTER_NOT_INT;
        f->low = v;
        filters->items[filters->count++] = *f;
    }
}

/* engine_5 8.1: a fraction equals nothing; bounds round towards it. */
static void add_integer_with_real(struct vtab_filters *filters, struct vtab_filter *f, double d)
{
    if (d >= 0x1p63 || d < -0x1p63) {
        add_incomparable(filters, f, d < 0 ? SIDE_BELOW : SIDE_ABOVE);
        return;
    }
    double down = floor(d);
    if (down == d) {
        add_integer_with_int(filters, f, (int64_t)d);
        return;
    }
    if (is_equality(f->op)) {
        filters->none = true;
    } else if (is_difference(f->op)) {
        add_incomparable(filters, f, SIDE_ABOVE);
    } else {
        /* x < 2.5 and x <= 2.5 are x <= 2; x > 2.5 and x >= 2.5 are x > 2. */
        f->op = f->op == VTAB_LT || f->op == VTAB_LE ? VTAB_LE : VTAB_GT;
        add_integer_with_int(filters, f, (int64_t)down);
    }
}

static void add_integer(struct vtab_filters *filters, struct vtab_filter *f, sqlite3_value *value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: add_integer_with_int(filters, f, sqlite3_value_int64(value)); return;
    case SQLITE_FLOAT: add_integer_with_real(filters, f, sqlite3_value_double(value)); return;
    default: add_incomparable(filters, f, SIDE_ABOVE);
    }
}

static void add_real(struct vtab_filters *filters, struct vtab_filter *f, sqlite3_value *value)
{
    int type = sqlite3_value_type(value);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
        add_incomparable(filters, f, SIDE_ABOVE);
        return;
    }
    f->kind = VTAB_FILTER_REAL;
    f->real_is_int = type == SQLITE_INTEGER;
    f->low = f->real_is_int ? sqlite3_value_int64(value) : 0;
    f->real = sqlite3_value_double(value);
    filters->items[filters->count++] = *f;
}

static struct str value_text(sqlite3_value *value)
{
    const char *text = sqlite3_value_blob(value);
    return (struct str){text ? text : "", (size_t)sqlite3_value_bytes(value)};
}

static void add_string(struct vtab_filters *filters, struct vtab_filter *f,
                       const struct strpool *strings, sqlite3_value *value)
{
    int type = sqlite3_value_type(value);
    if (type != SQLITE_TEXT) {
        add_incomparable(filters, f, type == SQLITE_BLOB ? SIDE_ABOVE : SIDE_BELOW);
        return;
    }
    f->text = value_text(value);
    if (is_equality(f->op) || is_difference(f->op)) {
        string_id id = strpool_find(strings, f->text);
        if (id == STRING_NULL) {
            add_incomparable(filters, f, SIDE_ABOVE);
            return;
        }
        f->kind = is_equality(f->op) ? VTAB_FILTER_STRING : VTAB_FILTER_NOT_STRING;
        f->low = id;
    } else {
        f->kind = VTAB_FILTER_TEXT;
    }
    filters->items[filters->count++] = *f;
}

static bool add_pattern(struct vtab_filters *filters, struct vtab_filter *f, sqlite3_value *value,
                        struct status *st)
{
    if (sqlite3_value_type(value) == SQLITE_NULL) {
        filters->none = true;
        return true;
    }
    f->text = value_text(value);
    f->kind = VTAB_FILTER_TEXT;
    if (f->op == VTAB_REGEXP) {
        f->regex = sql_regex_compile(f->text, 0, st);
        if (!f->regex) return false;
    }
    filters->items[filters->count++] = *f;
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What an IN list's value is to an integer or string column; false: to no row. */
static bool set_member(const struct table *table, uint8_t type, sqlite3_value *value, int64_t *out)
{
    int value_type = sqlite3_value_type(value);
    if (type == COLUMN_STRING) {
        if (value_type != SQLITE_TEXT) return false;
        *out = strpool_find(table->strings, value_text(value));
        return *out != STRING_NULL;
    }
    if (value_type == SQLITE_INTEGER) {
        *out = sqlite3_value_int64(value);
        return true;
    }
    if (value_type != SQLITE_FLOAT) return false;
    double d = sqlite3_value_double(value);
    if (!(d >= -0x1p63 && d < 0x1p63) || floor(d) != d) return false;
    *out = (int64_t)d;
    return true;
}

static void add_set(struct vtab_filters *filters, struct vtab_filter *f, const struct table *table,
                    sqlite3_value *list)
{
    uint8_t type = table->columns[f->column].type;
    VEC(int64_t) members = {0};
    VEC(double) reals = {0};
    sqlite3_value *value = NULL;
    for (int rc = sqlite3_vtab_in_first(list, &value); rc == SQLITE_OK && value;
         rc = sqlite3_vtab_in_next(list, &value)) {
        int64_t member;
        int value_type = sqlite3_value_type(value);
        if (type == COLUMN_DOUBLE) {
            if (value_type == SQLITE_INTEGER || value_type == SQLITE_FLOAT)
                vec_push(&reals, sqlite3_value_double(value));
        } else if (set_member(table, type, value, &member)) {
            vec_push(&members, member);
        }
    }
    if (members.count) qsort(members.items, members.count, sizeof(int64_t), compare_ints);
    if (reals.count) qsort(reals.items, reals.count, sizeof(double), compare_reals);
    if (members.count + reals.count == 0) {
        filters->none = true;
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < members.count; i++)
        if (i == 0 || members.items[i] != members.items[kept - 1])
            members.items[kept++] = members.items[i];
    f->kind = type == COLUMN_DOUBLE   ? VTAB_FILTER_REAL_SET
              : type == COLUMN_STRING ? VTAB_FILTER_STRING_SET
                                      : VTAB_FILTER_INT_SET;
    f->set = members.items;
    f->reals = reals.items;
    f->n_set = type == COLUMN_DOUBLE ? reals.count : kept;
    filters->items[filters->count++] = *f;
}

static void add_null_test(struct vtab_filters *filters, struct vtab_filter *f,
                          const struct column *c, bool want_null)
{
    bool can_be_null = (c->flags & COLUMN_NULLABLE) || c->type == COLUMN_DOUBLE;
    if (!can_be_null) {
        if (want_null) filters->none = true;
        return;
    }
    f->kind = want_null ? VTAB_FILTER_NULL : VTAB_FILTER_NOT_NULL;
    filters->items[filters->count++] = *f;
}

bool vtab_filters_add(struct vtab_filters *filters, const struct table *table,
                      struct vtab_term term, sqlite3_value *value, struct status *st)
{
    struct vtab_filter f = {.column = term.column, .op = term.op};
    const struct column *c = &table->columns[term.column];
    if (term.op == VTAB_IN) {
        add_set(filters, &f, table, value);
        return true;
    }
    if (term.op == VTAB_GLOB || term.op == VTAB_LIKE || term.op == VTAB_REGEXP)
        return add_pattern(filters, &f, value, st);
    bool value_is_null = sqlite3_value_type(value) == SQLITE_NULL;
    if (term.op == VTAB_IS_NULL || term.op == VTAB_IS_NOT_NULL ||
        (value_is_null && (term.op == VTAB_IS || term.op == VTAB_IS_NOT))) {
        add_null_test(filters, &f, c, term.op == VTAB_IS_NULL || term.op == VTAB_IS);
        return true;
    }
    if (value_is_null) {
        filters->none = true;
        return true;
    }
    f.or_null = term.op == VTAB_IS_NOT;
    if (c->type == COLUMN_STRING)
        add_string(filters, &f, table->strings, value);
    else if (c->type == COLUMN_DOUBLE)
        add_real(filters, &f, value);
    else
        add_integer(filters, &f, value);
    return true;
}

void vtab_filters_clear(struct vtab_filters *filters)
{
    for (uint32_t i = 0; i < filters->count; i++) {
        struct vtab_filter *f = &filters->items[i];
        regex_free(f->regex);
        mem_free(f->set);
        mem_free(f->reals);
        mem_free(f->verdicts);
    }
    filters->count = 0;
    filters->none = false;
}

static unsigned filter_cost(const struct vtab_filter *f)
{
    switch (f->kind) {
    case VTAB_FILTER_RANGE:
    case VTAB_FILTER_STRING: return 0;
    case VTAB_FILTER_REAL: return 1;
    case VTAB_FILTER_INT_SET:
    case VTAB_FILTER_STRING_SET:
    case VTAB_FILTER_REAL_SET: return 3;
    case VTAB_FILTER_TEXT: return f->op == VTAB_REGEXP ? 5 : 4;
    default: return 2;
    }
}

void vtab_filters_sort(struct vtab_filters *filters)
{
    for (uint32_t i = 1; i < filters->count; i++) {
        struct vtab_filter f = filters->items[i];
        uint32_t at = i;
        for (; at > 0 && filter_cost(&filters->items[at - 1]) > filter_cost(&f); at--)
            filters->items[at] = filters->items[at - 1];
        filters->items[at] = f;
    }
}

/* ---- evaluation ---- */

static bool text_passes(const struct vtab_filter *f, struct str text)
{
    switch (f->op) {
    case VTAB_GLOB: return pattern_glob(f->text, text);
    case VTAB_LIKE: return pattern_like(f->text, text, 0);
    case VTAB_REGEXP: return regex_find(f->regex, text, 0, NULL) == REGEX_MATCH;
    case VTAB_LT: return str_compare(text, f->text) < 0;
    case VTAB_LE: return str_compare(text, f->text) <= 0;
    case VTAB_GT: return str_compare(text, f->text) > 0;
    case VTAB_GE: return str_compare(text, f->text) >= 0;
    default: return false;
    }
}

static bool set_has(const int64_t *set, size_t n, int64_t value)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (set[mid] < value)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && set[low] == value;
}

/* -1, 0, 1; exact where the double conversion of the integer is not. */
static int compare_real_int(double d, int64_t i)
{
    if (d >= 0x1p63) return 1;
    if (d < -0x1p63) return -1;
    int64_t whole = (int64_t)d;
    if (whole != i) return whole < i ? -1 : 1;
    double fraction = d - (double)whole;
    return (fraction > 0) - (fraction < 0);
}

static bool real_passes(const struct vtab_filter *f, double d)
{
    if (isnan(d)) return f->or_null;
    int order = f->real_is_int ? compare_real_int(d, f->low) : (d > f->real) - (d < f->real);
    switch (f->op) {
    case VTAB_LT: return order < 0;
    case VTAB_LE: return order <= 0;
    case VTAB_GT: return order > 0;
    case VTAB_GE: return order >= 0;
    case VTAB_NE:
    case VTAB_IS_NOT: return order != 0;
    default: return order == 0;
    }
}

static bool real_in_set(const struct vtab_filter *f, double d)
{
    for (size_t i = 0; i < f->n_set; i++)
        if (f->reals[i] == d) return true;
    return false;
}

/* One pass over the rows with `expression` true or false of row `r`. */
#define KEEP(expression) \
    do { \
        for (uint32_t i_ = 0; i_ < n; i_++) { \
            const uint32_t r = rows[i_]; \
            rows[kept] = r; \
            kept += (expression) ? 1u : 0u; \
        } \
    } while (0)

static uint32_t keep_range(const struct vtab_filter *f, const struct column *c, uint32_t *rows,
                           uint32_t n)
{
    uint32_t kept = 0;
    const int64_t low = f->low, high = f->high;
    switch (c->type) {
    case COLUMN_ID: KEEP((int64_t)r >= low && (int64_t)r <= high); break;
    case COLUMN_INT64: {
        const int64_t *data = c->data;
        if (!c->valid) {
            KEEP(data[r] >= low && data[r] <= high);
        } else {
            const uint64_t *valid = c->valid;
            KEEP((valid[r >> 6] >> (r & 63) & 1) && data[r] >= low && data[r] <= high);
        }
        break;
    }
    case COLUMN_INT32: {
        const int32_t *data = c->data;
        const bool nullable = c->flags & COLUMN_NULLABLE;
        KEEP(data[r] >= low && data[r] <= high && !(nullable && data[r] == NULL_INT32));
        break;
    }
    default: {
        const uint32_t *data = c->data;
        const bool nullable = c->flags & COLUMN_NULLABLE;
        KEEP(data[r] >= low && data[r] <= high && !(nullable && data[r] == NULL_UINT32));
    }
    }
    return kept;
}

static bool verdict(struct vtab_filter *f, const struct table *table, string_id id)
{
    if (id == STRING_NULL) return false;
    if (!f->verdicts || id >= f->n_verdicts) return text_passes(f, strpool_get(table->strings, id));
    if (f->verdicts[id] == 0)
        f->verdicts[id] = text_passes(f, strpool_get(table->strings, id)) ? 2 : 1;
    return f->verdicts[id] == 2;
}

/* Remembering costs a byte for each string of the pool: not for a few rows. */
static void remember_verdicts(struct vtab_filter *f, const struct table *table, uint32_t n)
{
    if (f->verdicts || n < 256) return;
    f->n_verdicts = strpool_end(table->strings);
    f->verdicts = mem_zero(f->n_verdicts, 1);
}

static uint32_t keep_string(struct vtab_filter *f, const struct table *table,
                            const struct column *c, uint32_t *rows, uint32_t n)
{
    uint32_t kept = 0;
    const string_id *data = c->data;
    const string_id id = (string_id)f->low;
    switch (f->kind) {
    case VTAB_FILTER_STRING: KEEP(data[r] == id); break;
    case VTAB_FILTER_NOT_STRING:
        if (f->or_null)
            KEEP(data[r] != id);
        else
            KEEP(data[r] != id && data[r] != STRING_NULL);
        break;
    case VTAB_FILTER_STRING_SET: KEEP(set_has(f->set, f->n_set, data[r])); break;
    default: remember_verdicts(f, table, n); KEEP(verdict(f, table, data[r]));
    }
    return kept;
}

static uint32_t keep_one(struct vtab_filter *f, const struct table *table, uint32_t *rows,
                         uint32_t n)
{
    const struct column *c = &table->columns[f->column];
    uint32_t kept = 0;
    if (!c->data && c->type != COLUMN_ID) /* every row is NULL */
        return f->kind == VTAB_FILTER_NULL || f->or_null ? n : 0;
    switch (f->kind) {
    case VTAB_FILTER_NULL: KEEP(column_is_null(c, r)); return kept;
    case VTAB_FILTER_NOT_NULL: KEEP(!column_is_null(c, r)); return kept;
    case VTAB_FILTER_RANGE: return keep_range(f, c, rows, n);
    case VTAB_FILTER_NOT_INT:
        KEEP(column_is_null(c, r) ? f->or_null : column_get_int64(c, r) != f->low);
        return kept;
    case VTAB_FILTER_INT_SET:
        KEEP(!column_is_null(c, r) && set_has(f->set, f->n_set, column_get_int64(c, r)));
        return kept;
    case VTAB_FILTER_REAL:
        KEEP(column_is_null(c, r) ? f->or_null : real_passes(f, column_get_double(c, r)));
        return kept;
    case VTAB_FILTER_REAL_SET:
        KEEP(!column_is_null(c, r) && real_in_set(f, column_get_double(c, r)));
        return kept;
    default: return keep_string(f, table, c, rows, n);
    }
}

uint32_t vtab_filters_keep(struct vtab_filters *filters, const struct table *table, uint32_t *rows,
                           uint32_t n)
{
    for (uint32_t i = 0; i < filters->count && n; i++)
        n = keep_one(&filters->items[i], table, rows, n);
    return n;
}
