/* The text that Android's dumpstate writes, and its battery history alone (spec
 * engine_2c 10; source.android.com/docs/core/tests/debug/read-bug-reports).  Every line
 * becomes a row of android_dumpstate; lines of the log and of the battery are events.
 */
#include "engine/import/android_dumpstate.h"

#include "engine/base/checked.h"
#include "engine/base/strpool.h"
#include "engine/import/android_battery.h"
#include "engine/import/android_bugreport.h"
#include "engine/import/android_log.h"
#include "engine/import/text_events.h"
#include "engine/import/text_utf8.h"

#define UNKNOWN_YEAR 1970
#define NS_PER_MS    1000000
#define NS_PER_DAY   INT64_C(86400000000000)
#define HEAD \
    "========================================================\n" \
    "== dumpstate: "
#define BATTERY_HEAD "9,0,i,vers,"

enum section { OTHER_SECTION, DUMPSYS, LOG, BATTERY };

/* Kinds of event beside the forms of a log line. */
enum { BATTERY_ITEM = 16 };

/* A line of the log before the zone is known. */
struct held_line {
    int64_t time;
    struct text_event event;
};

struct state {
    const struct import_file *file;
    struct text_reader reader;
    struct text_events events;
    struct android_battery *battery;
    int year;
    enum android_log_form form;
    enum section section;
    string_id section_name, service;
    bool is_alarm, has_zone;
    int64_t zone;
    VEC(struct held_line) held;
};

static string_id intern(struct state *s, struct str text)
{
    return strpool_intern(s->file->import->strings, text);
}

/* ---- the log ---- */

static void push_log(struct state *s, int64_t time, struct text_event event)
{
    text_events_push(&s->events, wrapping_sub_int64(time, s->zone), event);
}

static void read_log(struct state *s, struct str text)
{
    struct android_log_line line;
    if (!android_log_is_line(text)) return;
    if (s->form == LOG_UNKNOWN) s->form = android_log_detect(text);
    if (s->form == LOG_UNKNOWN) {
        text_reader_fail(&s->reader, STAT_android_log_format_invalid, "no line of logcat");
        return;
    }
    if (!android_log_read(text, s->form, s->year, &line)) {
        text_reader_fail(&s->reader, STAT_android_log_num_failed, "a column is missing or wrong");
        return;
    }
    android_bugreport_add(s->file->bugreport, &line);
    struct text_event event = {text, s->form};
    if (s->has_zone)
        push_log(s, line.time, event);
    else
        vec_push(&s->held, (struct held_line){line.time, event});
}

static void release_held(struct state *s)
{
    for (size_t i = 0; i < s->held.count; i++)
        push_log(s, s->held.items[i].time, s->held.items[i].event);
    vec_clear(&s->held);
}

/* "  nowRTC=1656080663441=2022-06-24 16:24:23.441 nowELAPSED=…" */
static void read_zone(struct state *s, struct str line)
{
    static const char KEY[] = "nowRTC=";
    int64_t utc, local, zone;
    line = str_trim(line);
    if (!str_starts(line, STR(KEY))) return;
    line = str_slice(line, sizeof KEY - 1, line.n);
    struct str digits = text_take_digits(&line);
    if (!str_to_int64(digits, &utc) || !checked_mul_int64(utc, NS_PER_MS, &utc) ||
        !text_take_byte(&line, '=') || !android_read_time(&line, s->year, &local) ||
        !checked_sub_int64(local, utc, &zone) || zone > NS_PER_DAY || zone < -NS_PER_DAY)
        return;
    s->zone = zone;
    s->has_zone = true;
    android_bugreport_set_zone(s->file->bugreport, s->zone);
    release_held(s);
}

/* ---- sections ---- */

static void begin_section(struct state *s, struct str name)
{
    size_t at;
    s->service = STRING_NULL;
    s->is_alarm = false;
    if (str_find(name, STR("was the duration of"), &at)) {
        s->section_name = STRING_NULL;
        return;
    }
    s->section = OTHER_SECTION;
    if (str_starts(name, STR("DUMPSYS")))
        s->section = DUMPSYS;
    else if (str_starts(name, STR("SYSTEM LOG")) || str_starts(name, STR("EVENT LOG")) ||
             str_starts(name, STR("RADIO LOG")))
        s->section = LOG; /* the kernel's log is part of the system's */
    else if (str_starts(name, STR("CHECKIN BATTERYSTATS")))
        s->section = BATTERY;
    else if (str_starts(name, STR("BLOCK STAT")))
        name = STR("BLOCK STAT");
    s->section_name = intern(s, name);
}

/* "DUMP OF SERVICE [CRITICAL|HIGH] name:" */
static void begin_service(struct state *s, struct str line)
{
    size_t start = line.n;
    while (start > 0 && line.p[start - 1] != ' ')
        start--;
    struct str name = str_slice(line, start, line.n > 0 ? line.n - 1 : 0);
    s->service = intern(s, name);
    s->is_alarm = str_is(name, "alarm");
}

/* True for lines that only divide services. */
static bool read_dumpsys(struct state *s, struct str line)
{
    size_t at;
    if (str_starts(line, STR("--------- ")) &&
        str_find(line, STR("was the duration of dumpsys"), &at)) {
        s->service = STRING_NULL;
        s->is_alarm = false;
        return true;
    }
    if (s->service == STRING_NULL &&
        str_starts(line, STR("----------------------------------------------")))
        return true;
    if (str_starts(line, STR("DUMP OF SERVICE")))
        begin_service(s, line);
    else if (s->is_alarm && !s->has_zone)
        read_zone(s, line);
    return false;
}

static void read_battery(struct state *s, struct str line)
{
    const char *error;
    if (!android_battery_read(s->battery, &s->events, BATTERY_ITEM, line, &error))
        text_reader_fail(&s->reader, STAT_perfetty_input_corrupt, error);
}

static void read_line(struct state *s, struct str line)
{
    static const char MARK[] = "------ ", END[] = " ------";
    size_t marks = sizeof MARK + sizeof END - 2;
    if (line.n >= marks && str_starts(line, STR(MARK)) && str_ends(line, STR(END))) {
        begin_section(s, str_slice(line, sizeof MARK - 1, line.n - (sizeof END - 1)));
        return;
    }
    if (s->section == OTHER_SECTION && str_starts(line, STR(BATTERY_HEAD))) s->section = BATTERY;
    switch (s->section) {
    case DUMPSYS:
        if (read_dumpsys(s, line)) return;
        break;
    case LOG: read_log(s, line); break;
    case BATTERY:
        if (line.n > 0) read_battery(s, line);
        break;
    case OTHER_SECTION: break;
    }
    struct android_dumpstate_row row = {
        .section = s->section_name, .service = s->service, .line = intern(s, line)};
    android_dumpstate_append(&s->file->import->tables->android_dumpstate, &row);
}

/* ---- the importer ---- */

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct state *s = owner;
    const struct text_event *event = payload;
    struct android_log_line line;
    if (event->kind == BATTERY_ITEM)
        android_battery_push(s->battery, ts, event->text);
    else if (android_log_read(event->text, (enum android_log_form)event->kind, s->year, &line))
        android_log_push(s->file, ts, &line);
}

/* Of the date behind "== dumpstate: ". */
static int year_of(struct str bytes)
{
    uint64_t year;
    if (!str_starts(bytes, STR(HEAD))) return UNKNOWN_YEAR;
    struct str digits = str_slice(bytes, sizeof HEAD - 1, sizeof HEAD - 1 + 4);
    return str_to_uint64(digits, &year) ? (int)year : UNKNOWN_YEAR;
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct state *s = mem_zero(1, sizeof *s);
    struct str line;
    (void)st;
    file->state = s;
    s->file = file;
    text_events_open(&s->events, file, parse, s);
    bytes = text_events_text(&s->events, bytes);
    s->year = android_bugreport_year(file->bugreport, year_of(bytes));
    s->battery = android_battery_new(file);
    text_reader_open(&s->reader, file, bytes);
    while (text_reader_next(&s->reader, &line))
        read_line(s, line);
    release_held(s);
    return true;
}

static void finish(struct import_file *file)
{
    struct state *s = file->state;
    if (!s) return;
    text_events_close(&s->events);
    android_battery_free(s->battery);
    vec_free(&s->held);
    mem_free(s);
    file->state = NULL;
}

static bool sniff_head(struct str bytes)
{
    return str_starts(bytes, STR(BATTERY_HEAD)) || str_starts(bytes, STR(HEAD));
}

static bool sniff(struct str bytes)
{
    return text_sniff(bytes, sizeof HEAD, sniff_head);
}

const struct importer importer_android_dumpstate = {
    .name = "android_dumpstate",
    .detection_priority = 250,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_REALTIME,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
