#include "tui/time_text.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static void write_timecode(int64_t ns, struct buffer *out)
{
    if (ns < 0) {
        buffer_append_byte(out, '-');
        ns = ns == INT64_MIN ? INT64_MAX : -ns;
    }
    int64_t seconds = ns / 1000000000, rest = ns % 1000000000;
    if (seconds >= 86400) buffer_printf(out, "%lldd", (long long)(seconds / 86400));
    buffer_printf(out, "%02d:%02d:%02d.%03d %03d %03d", (int)(seconds % 86400 / 3600),
                  (int)(seconds % 3600 / 60), (int)(seconds % 60), (int)(rest / 1000000),
                  (int)(rest / 1000 % 1000), (int)(rest % 1000));
}

static void write_grouped(int64_t value, struct buffer *out)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%lld", (long long)value);
    for (int i = 0; i < n; i++) {
        buffer_append_byte(out, digits[i]);
        int left = n - 1 - i;
        if (left && left % 3 == 0 && digits[i] != '-') buffer_append_byte(out, ',');
    }
}

/* Wall clock of a trace time: the last REALTIME snapshot at or before it. */
static bool to_realtime(const struct session *session, int64_t ts, int64_t *out)
{
    const struct tables *tables = session->n_traces ? session_tables(session, 0) : NULL;
    if (!tables) return false;
    const struct clock_snapshot_table *snapshot = &tables->clock_snapshot;
    bool found = false;
    *out = 0;
    for (uint32_t row = 0; row < table_rows(&snapshot->table); row++) {
        if (column_get_int64(&snapshot->clock_id, row) != 1) continue;
        int64_t at = column_get_int64(&snapshot->ts, row);
        if (found && at > ts) break;
        *out = column_get_int64(&snapshot->clock_value, row) + (ts - at);
        found = true;
    }
    return found;
}

static void write_wall_clock(int64_t unix_ns, struct buffer *out)
{
    time_t seconds = (time_t)(unix_ns / 1000000000);
    int64_t rest = unix_ns % 1000000000;
    if (rest < 0) {
        rest += 1000000000;
        seconds--;
    }
    struct tm tm;
    gmtime_r(&seconds, &tm);
    char text[40];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
    buffer_printf(out, "%s.%09d", text, (int)rest);
}

static int64_t timezone_offset_ns(const struct session *session)
{
    const struct tables *tables = session_tables(session, 0);
    for (uint32_t row = 0; row < table_rows(&tables->metadata.table); row++) {
        const char *name =
            strpool_text(tables->strings, column_get_string(&tables->metadata.name, row));
        if (strcmp(name, "timezone_off_mins") == 0)
            return column_get_int64(&tables->metadata.int_value, row) * 60 * 1000000000;
    }
    return 0;
}

void time_write(const struct session *session, int64_t ts, struct buffer *out)
{
    int64_t relative = ts - session_zero(session), wall;
    switch (session->time_format) {
    case TIME_FORMAT_TRACE_NS: buffer_printf(out, "%lld", (long long)ts); return;
    case TIME_FORMAT_TRACE_NS_LOCALE: write_grouped(ts, out); return;
    case TIME_FORMAT_SECONDS: buffer_printf(out, "%.9f s", (double)relative / 1e9); return;
    case TIME_FORMAT_MILLISECONDS: buffer_printf(out, "%.6f ms", (double)relative / 1e6); return;
    case TIME_FORMAT_MICROSECONDS: buffer_printf(out, "%.3f us", (double)relative / 1e3); return;
    case TIME_FORMAT_UTC:
    case TIME_FORMAT_TRACE_TZ:
    case TIME_FORMAT_CUSTOM_TZ:
        if (!to_realtime(session, ts, &wall)) break;
        if (session->time_format == TIME_FORMAT_TRACE_TZ) wall += timezone_offset_ns(session);
        write_wall_clock(wall, out);
        return;
    default: break;
    }
    write_timecode(relative, out);
}

static const struct {
    int64_t ns;
    const char *name;
} units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};

static int unit_for(int64_t magnitude)
{
    for (int i = 0; i < 3; i++)
        if (magnitude >= units[i].ns) return i;
    return 3;
}

/* Digits so that at most four count. */
static int decimals_for(double value)
{
    value = fabs(value);
    return value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
}

void duration_write(int64_t ns, struct buffer *out)
{
    int64_t magnitude = ns == INT64_MIN ? INT64_MAX : ns < 0 ? -ns : ns;
    if (magnitude >= 3600 * INT64_C(1000000000)) {
        int64_t s = magnitude / 1000000000;
        buffer_printf(out, "%s%lldh %02dm", ns < 0 ? "-" : "", (long long)(s / 3600),
                      (int)(s % 3600 / 60));
        return;
    }
    int unit = unit_for(magnitude);
    double value = (double)ns / (double)units[unit].ns;
    buffer_printf(out, "%.*f %s", unit == 3 ? 0 : decimals_for(value), value, units[unit].name);
}

void duration_write_full(int64_t ns, struct buffer *out)
{
    if (ns == 0) buffer_append_text(out, "0ns");
    if (ns < 0) {
        buffer_append_byte(out, '-');
        ns = ns == INT64_MIN ? INT64_MAX : -ns;
    }
    bool first = true;
    for (int i = 0; i < 4; i++) {
        int64_t part = ns / units[i].ns;
        ns %= units[i].ns;
        if (!part) continue;
        buffer_printf(out, "%s%lld%s", first ? "" : " ", (long long)part, units[i].name);
        first = false;
    }
}

void time_write_tick(const struct session *session, int64_t ts, int64_t step_ns, struct buffer *out)
{
    if (session->time_format == TIME_FORMAT_TRACE_NS ||
        session->time_format == TIME_FORMAT_TRACE_NS_LOCALE ||
        session->time_format == TIME_FORMAT_UTC || session->time_format == TIME_FORMAT_TRACE_TZ) {
        time_write(session, ts, out);
        return;
    }
    int64_t relative = ts - session_zero(session);
    int64_t magnitude = relative < 0 ? -relative : relative;
    int unit = unit_for(magnitude > step_ns ? magnitude : step_ns);
    int decimals = 4;
    if (step_ns > 0)
        for (decimals = 0; decimals < 9 && step_ns % units[unit].ns != 0; decimals++)
            step_ns = step_ns > INT64_MAX / 10 ? units[unit].ns : step_ns * 10;
    buffer_printf(out, "%s%.*f %s", relative < 0 ? "-" : "+", decimals,
                  (double)magnitude / (double)units[unit].ns, units[unit].name);
}

void number_write(double value, const char *unit, struct buffer *out)
{
    static const char *const prefixes[] = {"", "K", "M", "G", "T", "P"};
    int prefix = 0;
    double scaled = value;
    while (fabs(scaled) >= 10000 && prefix < 5) {
        scaled /= 1000;
        prefix++;
    }
    if (scaled == floor(scaled) && fabs(scaled) < 10000)
        buffer_printf(out, "%.0f", scaled);
    else
        buffer_printf(out, "%.*f", decimals_for(scaled), scaled);
    bool has_unit = unit && *unit;
    if (*prefixes[prefix] || has_unit)
        buffer_printf(out, " %s%s", prefixes[prefix], has_unit ? unit : "");
}
