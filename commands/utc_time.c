#include "commands/utc_time.h"

#include "commands/session.h"

#define NS_PER_SECOND     INT64_C(1000000000)
#define CLOCK_ID_REALTIME 1

/* `digits` digits, or with 0 as many as there are; cuts them off. */
static bool take_number(struct str *text, size_t digits, int64_t *out)
{
    size_t n = 0;
    int64_t value = 0;
    while (n < text->n && text->p[n] >= '0' && text->p[n] <= '9' && (!digits || n < digits)) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, text->p[n] - '0', &value))
            return false;
        n++;
    }
    if (n == 0 || (digits && n != digits)) return false;
    *text = str_slice(*text, n, text->n);
    *out = value;
    return true;
}

static bool take_byte(struct str *text, char byte)
{
    if (!text->n || text->p[0] != byte) return false;
    *text = str_slice(*text, 1, text->n);
    return true;
}

/* ".774386" as ns of a unit of 10^digits ns; digits beyond are cut. */
static bool take_fraction(struct str *text, unsigned digits, int64_t *ns)
{
    *ns = 0;
    if (!take_byte(text, '.')) return true;
    unsigned n = 0;
    for (; text->n && text->p[0] >= '0' && text->p[0] <= '9'; n++) {
        if (n < digits) *ns = *ns * 10 + (text->p[0] - '0');
        *text = str_slice(*text, 1, text->n);
    }
    for (unsigned i = n; i < digits; i++)
        *ns *= 10;
    return n > 0;
}

/* Days since 1970-01-01 in the Gregorian calendar. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t y = month > 2 ? year : year - 1, era = y / 400, of_era = y % 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool is_date(int64_t year, int64_t month, int64_t day)
{
    if (year < 1 || month < 1 || month > 12 || day < 1) return false;
    int64_t next = month == 12 ? days_of(year + 1, 1, 1) : days_of(year, month + 1, 1);
    return days_of(year, month, 1) + day <= next;
}

static bool take_zone(struct str *text, int64_t *seconds)
{
    *seconds = 0;
    if (!text->n || take_byte(text, 'Z')) return true;
    int64_t hours, minutes = 0;
    bool west = text->p[0] == '-';
    if (!take_byte(text, '+') && !take_byte(text, '-')) return false;
    if (!take_number(text, 2, &hours)) return false;
    (void)take_byte(text, ':');
    if (text->n && !take_number(text, 2, &minutes)) return false;
    *seconds = (hours * 60 + minutes) * (west ? -60 : 60);
    return hours < 24 && minutes < 60;
}

static bool parse_iso(struct str text, int64_t *unix_ns)
{
    int64_t year, month, day, hour = 0, minute = 0, second = 0, fraction = 0, zone = 0;
    if (!take_number(&text, 4, &year) || !take_byte(&text, '-') || !take_number(&text, 2, &month) ||
        !take_byte(&text, '-') || !take_number(&text, 2, &day) || !is_date(year, month, day))
        return false;
    if (text.n) {
        if (!take_byte(&text, 'T') && !take_byte(&text, ' ')) return false;
        if (!take_number(&text, 2, &hour) || !take_byte(&text, ':') ||
            !take_number(&text, 2, &minute))
            return false;
        if (take_byte(&text, ':') &&
            (!take_number(&text, 2, &second) || !take_fraction(&text, 9, &fraction)))
            return false;
        if (!take_zone(&text, &zone)) return false;
    }
    if (text.n || hour > 23 || minute > 59 || second > 60) return false;
    int64_t seconds = days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - zone;
    return !__builtin_mul_overflow(seconds, NS_PER_SECOND, unix_ns) &&
           !__builtin_add_overflow(*unix_ns, fraction, unix_ns);
}

static bool parse_milliseconds(struct str text, int64_t *unix_ns)
{
    int64_t whole, fraction;
    return take_number(&text, 0, &whole) && take_fraction(&text, 6, &fraction) && !text.n &&
           !__builtin_mul_overflow(whole, 1000000, unix_ns) &&
           !__builtin_add_overflow(*unix_ns, fraction, unix_ns);
}

bool utc_parse(struct str text, int64_t *unix_ns, struct status *st)
{
    text = str_trim(text);
    int64_t value;
    if (!parse_milliseconds(text, &value) && !parse_iso(text, &value))
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "\"%.*s\" is no time in UTC: write 2026-02-21T21:57:28.5Z, or "
                           "milliseconds since 1970",
                           (int)(text.n < 80 ? text.n : 80), text.p);
    *unix_ns = value;
    return true;
}

bool session_time_of_utc(const struct session *session, int64_t unix_ns, int64_t *ts,
                         struct status *st)
{
    const struct tables *tables = session->n_traces ? session_tables(session, 0) : NULL;
    uint32_t rows = tables ? table_rows(&tables->clock_snapshot.table) : 0;
    bool found = false;
    int64_t best = 0, result = 0;
    for (uint32_t row = 0; row < rows; row++) {
        const struct clock_snapshot_table *snapshot = &tables->clock_snapshot;
        if (column_get_int64(&snapshot->clock_id, row) != CLOCK_ID_REALTIME) continue;
        int64_t wall = column_get_int64(&snapshot->clock_value, row), behind, at;
        if (found && (wall > unix_ns || wall < best)) continue;
        if (__builtin_sub_overflow(unix_ns, wall, &behind) ||
            __builtin_add_overflow(column_get_int64(&snapshot->ts, row), behind, &at))
            continue;
        best = wall;
        result = at;
        found = true;
    }
    if (!found)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "the trace does not say what time of day it is");
    *ts = result;
    return true;
}
