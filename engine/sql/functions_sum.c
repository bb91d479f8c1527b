/* sum, total and avg, in place of SQLite's: floating-point values are added with
 * compensation (Kahan, Babuska, Neumaier), as SQLite does itself since 3.43, so that
 * the last digits are the reference's on an older SQLite too.  Sums of integers are
 * exact, and fail when they leave 64 bits.
 */
#include <math.h>

#include "engine/sql/functions.h"

/* Integers beyond this are not doubles exactly and are added in two parts. */
#define EXACT_LIMIT (INT64_C(1) << 52)

struct sum {
    double total, error;
    int64_t integer, count;
    bool is_real, overflowed;
};

static void add_real(struct sum *s, double value)
{
    double before = s->total, after = before + value;
    if (fabs(before) > fabs(value))
        s->error += (before - after) + value;
    else
        s->error += (value - after) + before;
    s->total = after;
}

static void add_integer(struct sum *s, int64_t value)
{
    if (value > -EXACT_LIMIT && value < EXACT_LIMIT) {
        add_real(s, (double)value);
        return;
    }
    int64_t small = value % 16384;
    add_real(s, (double)(value - small));
    add_real(s, (double)small);
}

static void become_real(struct sum *s)
{
    s->is_real = true;
    add_integer(s, s->integer);
}

static void sum_add(sqlite3_context *context, sqlite3_value *value, bool remove)
{
    struct sum *s = sqlite3_aggregate_context(context, sizeof *s);
    int type = sqlite3_value_numeric_type(value);
    if (!s || type == SQLITE_NULL) return;
    s->count += remove ? -1 : 1;
    if (type != SQLITE_INTEGER) {
        if (!s->is_real) become_real(s);
        s->overflowed = false;
        double real = sqlite3_value_double(value);
        add_real(s, remove ? -real : real);
        return;
    }
    int64_t integer = sqlite3_value_int64(value), result;
    bool fits = remove ? !__builtin_sub_overflow(s->integer, integer, &result)
                       : !__builtin_add_overflow(s->integer, integer, &result);
    if (!s->is_real && fits) {
        s->integer = result;
        return;
    }
    if (!s->is_real) {
        s->overflowed = true;
        become_real(s);
    }
    if (remove && integer == INT64_MIN) {
        add_integer(s, INT64_MAX);
        integer = -1;
    }
    add_integer(s, remove ? -integer : integer);
}

static void sum_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    sum_add(context, argv[0], false);
}

static void sum_inverse(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    sum_add(context, argv[0], true);
}

static double as_real(const struct sum *s)
{
    if (!s->is_real) return (double)s->integer;
    return isnan(s->error) ? s->total : s->total + s->error;
}

static void sum_result(sqlite3_context *context)
{
    const struct sum *s = sqlite3_aggregate_context(context, 0);
    if (!s || s->count == 0) return;
    if (!s->is_real)
        sqlite3_result_int64(context, s->integer);
    else if (s->overflowed)
        sqlite3_result_error(context, "integer overflow", -1);
    else
        sqlite3_result_double(context, as_real(s));
}

static void total_result(sqlite3_context *context)
{
    const struct sum *s = sqlite3_aggregate_context(context, 0);
    sqlite3_result_double(context, s && s->count ? as_real(s) : 0.0);
}

static void avg_result(sqlite3_context *context)
{
    const struct sum *s = sqlite3_aggregate_context(context, 0);
    if (s && s->count) sqlite3_result_double(context, as_real(s) / (double)s->count);
}

#define SUM(function_name, result) \
    { \
        .name = function_name, .argc = 1, .flags = FUNCTION_PURE, .step = sum_step, \
        .final = result, .value = result, .inverse = sum_inverse \
    }

const struct function_entry sum_functions[] = {
    SUM("sum", sum_result),
    SUM("total", total_result),
    SUM("avg", avg_result),
    {.name = NULL},
};
