/* Trace time as other clocks, from the clock snapshots of all machines together. */
#include <stdio.h>

#include "engine/base/checked.h"
#include "engine/sql/functions.h"

#define CLOCK_ID_REALTIME  1
#define CLOCK_ID_MONOTONIC 3

struct reading {
    int64_t ts, value;
};

struct sql_clocks {
    VEC(struct reading) realtime, monotonic; /* by ts */
};

static int64_t convert(const struct reading *r, size_t n, int64_t ts)
{
    size_t low = 0, high = n; /* first reading behind ts */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (r[mid].ts <= ts)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0) return r[0].value;
    int64_t value = wrapping_add_int64(r[low - 1].value, wrapping_sub_int64(ts, r[low - 1].ts));
    if (low < n && r[low].value < value) value = r[low].value;
    return value;
}

static struct sql_clocks *read_clocks(struct sql_database *db)
{
    const struct clock_snapshot_table *t = &db->tables->clock_snapshot;
    struct sql_clocks *clocks = mem_zero(1, sizeof *clocks);
    uint32_t rows = table_rows(&t->table);
    for (uint32_t i = 0; i < rows; i++) {
        struct reading r = {column_get_int64(&t->ts, i), column_get_int64(&t->clock_value, i)};
        int64_t id = column_get_int64(&t->clock_id, i);
        if (id == CLOCK_ID_REALTIME) vec_push(&clocks->realtime, r);
        if (id == CLOCK_ID_MONOTONIC) vec_push(&clocks->monotonic, r);
    }
    return clocks;
}

void sql_clocks_free(struct sql_clocks *clocks)
{
    if (!clocks) return;
    vec_free(&clocks->realtime);
    vec_free(&clocks->monotonic);
    mem_free(clocks);
}

static bool convert_argument(sqlite3_context *context, sqlite3_value *value, bool realtime,
                             const char *name, int64_t *out)
{
    struct sql_database *db = function_database(context);
    if (sqlite3_value_type(value) == SQLITE_NULL) return false;
    if (sqlite3_value_type(value) != SQLITE_INTEGER) {
        function_error(context, "%s: first argument should be timestamp", name);
        return false;
    }
    if (!db->is_loaded) return false;
    if (!db->clocks) db->clocks = read_clocks(db);
    size_t n = realtime ? db->clocks->realtime.count : db->clocks->monotonic.count;
    if (!n) return false;
    *out = convert(realtime ? db->clocks->realtime.items : db->clocks->monotonic.items, n,
                   sqlite3_value_int64(value));
    return true;
}

static void to_realtime(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    int64_t value;
    if (convert_argument(context, argv[0], true, "TO_REALTIME", &value))
        sqlite3_result_int64(context, value);
}

static void to_monotonic(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    int64_t value;
    if (convert_argument(context, argv[0], false, "TO_MONOTONIC", &value))
        sqlite3_result_int64(context, value);
}

/* Days since 1970-01-01 to a date of the proleptic Gregorian calendar. */
static void civil_date(int64_t days, int64_t *year, int *month, int *day)
{
    days += 719468; /* from 0000-03-01 */
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t of_era = days - era * 146097;
    int64_t of_era_year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * of_era_year + of_era_year / 4 - of_era_year / 100);
    int shifted = (int)((5 * of_year + 2) / 153);
    *day = (int)(of_year - (153 * shifted + 2) / 5 + 1);
    *month = shifted < 10 ? shifted + 3 : shifted - 9;
    *year = of_era_year + era * 400 + (*month <= 2);
}

static void abs_time_str(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    int64_t ns;
    if (!convert_argument(context, argv[0], true, "ABS_TIME_STR", &ns)) return;
    int64_t seconds = ns / 1000000000, fraction = ns % 1000000000;
    if (fraction < 0) {
        fraction += 1000000000;
        seconds--;
    }
    int64_t days = seconds / 86400, of_day = seconds % 86400, year;
    if (of_day < 0) {
        of_day += 86400;
        days--;
    }
    int month, day;
    civil_date(days, &year, &month, &day);
    char text[80];
    int n = snprintf(text, sizeof text, "%04lld-%02d-%02dT%02d:%02d:%02d.%09lld", (long long)year,
                     month, day, (int)(of_day / 3600), (int)(of_day / 60 % 60), (int)(of_day % 60),
                     (long long)fraction);
    function_result_text(context, (struct str){text, (size_t)n});
}

const struct function_entry clock_functions[] = {
    {.name = "to_realtime", .argc = 1, .flags = FUNCTION_PURE, .scalar = to_realtime},
    {.name = "to_monotonic", .argc = 1, .flags = FUNCTION_PURE, .scalar = to_monotonic},
    {.name = "abs_time_str", .argc = 1, .flags = FUNCTION_PURE, .scalar = abs_time_str},
    {.name = NULL},
};
