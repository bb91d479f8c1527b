/* A file of logcat's lines, by itself or a member of a bug report. */
#include "engine/base/checked.h"
#include "engine/import/android_bugreport.h"
#include "engine/import/android_log.h"
#include "engine/import/text_events.h"
#include "engine/import/text_utf8.h"

#define SNIFF_BYTES  4096
#define UNKNOWN_YEAR 1970

struct state {
    const struct import_file *file;
    struct text_events events;
    int year;
};

static void parse(void *owner, int64_t ts, const void *payload)
{
    const struct state *state = owner;
    const struct text_event *event = payload;
    struct android_log_line line;
    if (android_log_read(event->text, (enum android_log_form)event->kind, state->year, &line))
        android_log_push(state->file, ts, &line);
}

static void read_line(struct state *state, struct text_reader *reader, enum android_log_form *form,
                      struct str text)
{
    struct android_bugreport *report = state->file->bugreport;
    struct android_log_line line;
    if (!android_log_is_line(text)) return;
    if (*form == LOG_UNKNOWN) *form = android_log_detect(text);
    if (*form == LOG_UNKNOWN) {
        text_reader_fail(reader, STAT_android_log_format_invalid, "no line of logcat");
        return;
    }
    if (!android_log_read(text, *form, state->year, &line)) {
        text_reader_fail(reader, STAT_android_log_num_failed, "a column is missing or wrong");
        return;
    }
    if (report && android_bugreport_take(report, &line)) return;
    text_events_push(&state->events, wrapping_sub_int64(line.time, android_bugreport_zone(report)),
                     (struct text_event){text, *form});
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct state *state = mem_zero(1, sizeof *state);
    struct text_reader reader;
    enum android_log_form form = LOG_UNKNOWN;
    struct str line;
    (void)st;
    file->state = state;
    state->file = file;
    state->year = android_bugreport_year(file->bugreport, UNKNOWN_YEAR);
    text_events_open(&state->events, file, parse, state);
    text_reader_open(&reader, file, text_events_text(&state->events, bytes));
    while (text_reader_next(&reader, &line))
        read_line(state, &reader, &form, line);
    return true;
}

static void finish(struct import_file *file)
{
    struct state *state = file->state;
    if (!state) return;
    text_events_close(&state->events);
    mem_free(state);
    file->state = NULL;
}

static bool sniff_head(struct str rest)
{
    size_t end;
    while (str_find_byte(rest, '\n', &end)) {
        struct str line = str_slice(rest, 0, end);
        if (!str_starts(line, STR("--------"))) return android_log_detect(line) != LOG_UNKNOWN;
        rest = str_slice(rest, end + 1, rest.n);
    }
    return false;
}

static bool sniff(struct str bytes)
{
    return text_sniff(bytes, SNIFF_BYTES, sniff_head);
}

const struct importer importer_android_logcat = {
    .name = "android_logcat",
    .detection_priority = 185,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_REALTIME,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
