/* Times of day: what is one, to the nanosecond, and where it is in a trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "commands/utc_time.h"
#include "engine/base/memory.h"
#include "tests/unit/session_fixture.h"

#define BAD INT64_MIN

static void times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ns; /* date -u -d … +%s%N */
    } table[] = {
        {"1970-01-01", 0},
        {"1970-01-01T00:00Z", 0},
        {"2026-02-21T21:57:28.774386001Z", 1771711048774386001},
        {"2026-02-21 21:57:28.774386001", 1771711048774386001},
        {"2026-02-21T21:57:28.774386001999Z", 1771711048774386001},
        {"2026-02-21T23:57:28.5+02:00", 1771711048500000000},
        {"2026-02-21T16:27:28-0530", 1771711048000000000},
        {"2026-02-21T23:57+02", 1771711020000000000},
        {"2024-02-29T12:00:00Z", 1709208000000000000},
        {"2000-03-01", 951868800000000000},
        {"1969-12-31T23:59:59.999Z", -1000000},
        {" 1771711048774 ", 1771711048774000000},
        {"1771711048774.386001", 1771711048774386001},
        {"0", 0},
        {"2023-02-29", BAD},
        {"1900-02-29", BAD},
        {"2026-13-01", BAD},
        {"2026-00-01", BAD},
        {"2026-04-31", BAD},
        {"2026-2-1", BAD},
        {"2026-02-21T", BAD},
        {"2026-02-21T24:00Z", BAD},
        {"2026-02-21T21:60Z", BAD},
        {"2026-02-21T21:57:28.Z", BAD},
        {"2026-02-21T21:57:28Zx", BAD},
        {"2026-02-21T21:57:28+24:00", BAD},
        {"2026-02-21T21:57:28 UTC", BAD},
        {"9999-01-01", BAD},
        {"", BAD},
        {"now", BAD},
        {"-5", BAD},
        {"12.", BAD},
        {"1.5x", BAD},
        {"9223372036855", BAD},
        {"99999999999999999999", BAD},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct status st = STATUS_INIT;
        int64_t ns = BAD;
        bool good = utc_parse(str_of(table[i].text), &ns, &st);
        if (good != (table[i].ns != BAD) || (good && ns != table[i].ns))
            fail_msg("\"%s\": %s %lld", table[i].text, good ? "is" : "is not", (long long)ns);
        status_clear(&st);
    }
}

static void snapshot(struct tables *t, int64_t ts, int64_t clock, int64_t value)
{
    clock_snapshot_append(
        &t->clock_snapshot,
        &(struct clock_snapshot_row){.ts = ts, .clock_id = clock, .clock_value = value});
}

/* The wall clock was set between two snapshots. */
static void places(void **state)
{
    (void)state;
    struct tables *t = tables_new();
    snapshot(t, 1000, 6, 1000);
    snapshot(t, 1000, 1, 50000);
    snapshot(t, 2000, 1, 90000);
    tables_freeze(t);
    struct session *session = session_new(NULL);
    struct status st = STATUS_INIT;
    int64_t ts = 0;
    assert_false(session_time_of_utc(session, 5, &ts, &st));
    assert_string_equal(st.message, "the trace does not say what time of day it is");
    status_clear(&st);
    session_add_tables(session, t, 1000, 3000, "by hand");
    const int64_t pairs[][2] = {{50000, 1000},  {49990, 990},  {50300, 1300},
                                {89999, 40999}, {90000, 2000}, {90500, 2500}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_true(session_time_of_utc(session, pairs[i][0], &ts, &st));
        assert_int_equal(ts, pairs[i][1]);
    }
    session_free(session);
    tables_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
