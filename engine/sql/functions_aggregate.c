/* Aggregates and window functions. */
#include "engine/sql/functions.h"

/* ---- value_at_max_ts(ts, value): the value of the latest row, the last of equals ---- */

struct latest {
    bool any;
    int64_t ts;
    sqlite3_value *value; /* owned */
};

static void latest_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    struct latest *l = sqlite3_aggregate_context(context, sizeof *l);
    if (!l || sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    int64_t ts = sqlite3_value_int64(argv[0]);
    if (l->any && ts < l->ts) return;
    sqlite3_value_free(l->value);
    *l = (struct latest){true, ts, sqlite3_value_dup(argv[1])};
}

static void latest_final(sqlite3_context *context)
{
    struct latest *l = sqlite3_aggregate_context(context, 0);
    if (!l || !l->any) return;
    if (l->value) sqlite3_result_value(context, l->value);
    sqlite3_value_free(l->value);
}

/* ---- last_non_null(x): the frame only grows ---- */

struct last {
    sqlite3_value *value; /* owned */
};

static void last_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    struct last *l = sqlite3_aggregate_context(context, sizeof *l);
    if (!l || sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    sqlite3_value_free(l->value);
    l->value = sqlite3_value_dup(argv[0]);
}

static void last_inverse(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    function_error(context, "LAST_NON_NULL: the frame must begin at UNBOUNDED PRECEDING");
}

static void last_value(sqlite3_context *context)
{
    struct last *l = sqlite3_aggregate_context(context, 0);
    if (l && l->value) sqlite3_result_value(context, l->value);
}

static void last_final(sqlite3_context *context)
{
    struct last *l = sqlite3_aggregate_context(context, 0);
    if (!l) return;
    if (l->value) sqlite3_result_value(context, l->value);
    sqlite3_value_free(l->value);
    l->value = NULL;
}

/* ---- internal_layout(ts, dur): the lowest depth that is free ---- */

struct layout {
    struct layout_depths {
        int64_t *items; /* by depth: when it is free again */
        size_t count, capacity;
    } * depths; /* owned; an aggregate's memory is not moved, but may not be freed by us */
    int64_t current;
};

static void layout_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    struct layout *l = sqlite3_aggregate_context(context, sizeof *l);
    if (!l) return;
    int64_t ts = sqlite3_value_int64(argv[0]), dur = sqlite3_value_int64(argv[1]);
    if (!l->depths) l->depths = mem_zero(1, sizeof *l->depths);
    size_t depth = 0;
    while (depth < l->depths->count && l->depths->items[depth] > ts)
        depth++;
    if (depth == l->depths->count) vec_push(l->depths, INT64_MIN);
    l->current = (int64_t)depth;
    if (dur < 0)
        l->depths->items[depth] = INT64_MAX;
    else if (dur > 0)
        l->depths->items[depth] = ts > INT64_MAX - dur ? INT64_MAX : ts + dur;
}

static void layout_inverse(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    function_error(context, "INTERNAL_LAYOUT: the frame must begin at UNBOUNDED PRECEDING");
}

static void layout_value(sqlite3_context *context)
{
    struct layout *l = sqlite3_aggregate_context(context, 0);
    if (l) sqlite3_result_int64(context, l->current);
}

static void layout_final(sqlite3_context *context)
{
    struct layout *l = sqlite3_aggregate_context(context, 0);
    if (!l || !l->depths) return;
    sqlite3_result_int64(context, l->current);
    vec_free(l->depths);
    mem_free(l->depths);
    l->depths = NULL;
}

const struct function_entry aggregate_functions[] = {
    {.name = "value_at_max_ts",
     .argc = 2,
     .flags = FUNCTION_READ,
     .step = latest_step,
     .final = latest_final},
    {.name = "last_non_null",
     .argc = 1,
     .flags = FUNCTION_READ,
     .step = last_step,
     .final = last_final,
     .value = last_value,
     .inverse = last_inverse},
    {.name = "internal_layout",
     .argc = 2,
     .flags = FUNCTION_READ,
     .step = layout_step,
     .final = layout_final,
     .value = layout_value,
     .inverse = layout_inverse},
    {.name = NULL},
};
