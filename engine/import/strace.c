#include "engine/import/strace.h"

#include "engine/base/strpool.h"
#include "engine/import/args.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/text_events.h"
#include "engine/import/text_utf8.h"

/* Seconds since 1970 have ten digits or more, numbers of processes fewer. */
#define SECONDS_DIGITS 10
#define SNIFF_BYTES    4096
#define MAX_SECONDS    (INT64_MAX / 1000000000)

struct state {
    const struct import_file *file;
    struct text_events events;
    struct arg_list args;
    string_id category, args_key, result_key;
};

/* ---- one line ---- */

/* "1234 ", or "[pid  1234] " as it comes on a terminal */
static void read_pid(struct str *rest, struct strace_line *line)
{
    struct str text = *rest, digits;
    bool is_bracketed = str_starts(text, STR("[pid "));
    if (is_bracketed) {
        text = str_slice(text, 5, text.n);
        text_skip_space(&text);
    }
    digits = text_take_digits(&text);
    if (digits.n == 0 || digits.n >= SECONDS_DIGITS) return;
    if (is_bracketed && !text_take_byte(&text, ']')) return;
    if (!text_skip_space(&text)) return;
    line->has_pid = str_to_int64(digits, &line->pid);
    *rest = text;
}

static bool read_time(struct str word, int64_t *ns)
{
    int64_t seconds, micros = 0;
    struct str digits = text_take_digits(&word);
    if (!str_to_int64(digits, &seconds) || seconds > MAX_SECONDS - 1) return false;
    if (text_take_byte(&word, '.')) {
        digits = text_take_digits(&word);
        if (digits.n > 6 || (digits.n > 0 && !str_to_int64(digits, &micros))) return false;
    }
    *ns = seconds * 1000000000 + micros * 1000;
    return word.n == 0;
}

/* The ')' that the result follows: results and strings may hold others. */
static bool find_result(struct str text, size_t *paren, struct str *result)
{
    struct str rest = text;
    size_t at;
    while (str_find_byte(rest, ')', &at)) {
        struct str behind = str_slice(rest, at + 1, rest.n);
        text_skip_space(&behind);
        if (text_take_byte(&behind, '=')) {
            *paren = (size_t)(rest.p - text.p) + at;
            *result = str_trim(behind);
            return true;
        }
        rest = str_slice(rest, at + 1, rest.n);
    }
    return false;
}

static bool read_name(struct str *rest, struct strace_line *line)
{
    static const char RESUMED[] = " resumed>";
    size_t end;
    if (str_starts(*rest, STR("<... "))) {
        struct str text = str_slice(*rest, 5, rest->n);
        if (!str_find(text, STR(RESUMED), &end)) return false;
        line->name = str_slice(text, 0, end);
        line->kind = STRACE_RESUMED;
        *rest = str_trim(str_slice(text, end + sizeof RESUMED - 1, text.n));
        return true;
    }
    if (!str_find_byte(*rest, '(', &end)) return false;
    line->name = str_slice(*rest, 0, end);
    line->kind = STRACE_COMPLETE;
    *rest = str_slice(*rest, end + 1, rest->n);
    return true;
}

static bool read_args(struct str rest, struct strace_line *line)
{
    size_t at;
    if (str_find(rest, STR("<unfinished ...>"), &at)) {
        line->args = str_trim(str_slice(rest, 0, at));
        while (line->args.n > 0 && line->args.p[line->args.n - 1] == ',')
            line->args.n--;
        line->kind = line->kind == STRACE_RESUMED ? STRACE_RESUMED_UNFINISHED : STRACE_UNFINISHED;
        return true;
    }
    if (find_result(rest, &at, &line->result)) {
        line->args = str_trim(str_slice(rest, 0, at));
        return true;
    }
    if (!str_find_byte(rest, '=', &at)) return false;
    line->result = str_trim(str_slice(rest, at + 1, rest.n));
    return true;
}

static bool is_time_of_day(struct str word)
{
    return word.n >= 8 && word.p[0] >= '0' && word.p[0] <= '9' && word.p[2] == ':' &&
           word.p[5] == ':';
}

enum strace_read strace_line_read(struct str text, struct strace_line *line)
{
    *line = (struct strace_line){0};
    struct str rest = str_trim(text);
    if (rest.n == 0 || rest.p[0] == '-' || rest.p[0] == '+') return STRACE_OTHER;
    read_pid(&rest, line);
    struct str word = text_next_word(&rest);
    if (!read_time(word, &line->time))
        return is_time_of_day(word) ? STRACE_TIME_OF_DAY : STRACE_OTHER;
    text_skip_space(&rest);
    return read_name(&rest, line) && read_args(rest, line) ? STRACE_CALL : STRACE_OTHER;
}

/* ---- slices ---- */

static struct arg_list *args_of(struct state *s, const struct strace_line *line)
{
    struct strpool *strings = s->file->import->strings;
    if (line->args.n > 0)
        arg_list_put_string(&s->args, s->args_key, strpool_intern(strings, line->args));
    if (line->result.p)
        arg_list_put_string(&s->args, s->result_key, strpool_intern(strings, line->result));
    return &s->args;
}

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct state *s = owner;
    const struct text_event *event = payload;
    const struct import_file *file = s->file;
    struct strace_line line;
    if (strace_line_read(event->text, &line) != STRACE_CALL) return;
    uint32_t track =
        track_of_thread(file->import->tracks, file->machine_id, thread_intern(file, line.pid));
    string_id name = strpool_intern(file->import->strings, line.name);
    switch (line.kind) {
    case STRACE_COMPLETE:
        slice_scoped(file, ts, 0, track, s->category, name, args_of(s, &line));
        break;
    case STRACE_UNFINISHED:
        slice_begin(file, ts, track, s->category, name, args_of(s, &line));
        break;
    case STRACE_RESUMED:
        slice_end(file, ts, track, s->category, STRING_NULL, args_of(s, &line));
        break;
    case STRACE_RESUMED_UNFINISHED:
        slice_end(file, ts, track, s->category, STRING_NULL, NULL);
        slice_begin(file, ts, track, s->category, name, args_of(s, &line));
        break;
    }
    vec_clear(&s->args);
}

/* ---- the importer ---- */

static void read_line(struct state *s, struct text_reader *reader, struct str text)
{
    struct strace_line line;
    switch (strace_line_read(text, &line)) {
    case STRACE_OTHER:
        text_reader_fail(reader, STAT_strace_parse_failure, "no call of the system");
        return;
    case STRACE_TIME_OF_DAY:
        text_reader_fail(reader, STAT_strace_unsupported_timestamp_format,
                         "a time without a date: record with -ttt");
        return;
    case STRACE_CALL: break;
    }
    if (line.has_pid)
        text_events_push(&s->events, line.time, (struct text_event){text, 0});
    else
        text_reader_fail(reader, STAT_strace_missing_pid,
                         "nothing says whose call it is: record with -f");
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct state *s = mem_zero(1, sizeof *s);
    struct strpool *strings = file->import->strings;
    struct text_reader reader;
    struct str line;
    (void)st;
    file->state = s;
    s->file = file;
    s->category = strpool_intern_text(strings, "strace");
    s->args_key = strpool_intern_text(strings, "args");
    s->result_key = strpool_intern_text(strings, "ret");
    text_events_open(&s->events, file, parse, s);
    text_reader_open(&reader, file, text_events_text(&s->events, bytes));
    while (text_reader_next(&reader, &line))
        read_line(s, &reader, line);
    return true;
}

static void finish(struct import_file *file)
{
    struct state *s = file->state;
    if (!s) return;
    text_events_close(&s->events);
    vec_free(&s->args);
    mem_free(s);
    file->state = NULL;
}

static bool sniff_head(struct str first)
{
    struct strace_line line;
    str_find_byte(first, '\n', &first.n);
    return strace_line_read(first, &line) == STRACE_CALL;
}

static bool sniff(struct str bytes)
{
    return text_sniff(bytes, SNIFF_BYTES, sniff_head);
}

const struct importer importer_strace = {
    .name = "strace",
    .detection_priority = 197,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_REALTIME,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
