#include "engine/import/android_log.h"

#include "engine/base/checked.h"
#include "engine/base/strpool.h"
#include "engine/import/process.h"
#include "engine/import/text_events.h"

#define SHORTEST_LINE 30
#define NS_PER_SECOND INT64_C(1000000000)

bool android_log_is_line(struct str line)
{
    return line.n >= SHORTEST_LINE && !str_starts(line, STR("---"));
}

/* "06-24" or "2022-06-24", "16:24:23.…" */
static bool is_date(struct str word)
{
    return (word.n == 5 && word.p[2] == '-') ||
           (word.n == 10 && word.p[4] == '-' && word.p[7] == '-');
}

static bool is_time(struct str word)
{
    return word.n >= 10 && word.p[2] == ':' && word.p[5] == ':' && word.p[8] == '.';
}

static bool is_priority(struct str word)
{
    return word.n == 1 && word.p[0] >= 'A' && word.p[0] <= 'Z';
}

enum android_log_form android_log_detect(struct str line)
{
    struct str words[6];
    for (int i = 0; i < 6; i++)
        words[i] = text_next_word(&line);
    if (!is_date(words[0]) || !is_time(words[1])) return LOG_UNKNOWN;
    if (is_priority(words[4])) return LOG_PLAIN;
    return is_priority(words[5]) ? LOG_WITH_USER : LOG_UNKNOWN;
}

/* Of the calendar that has no end at either side. */
static int64_t days_since_1970(int64_t year, int64_t month, int64_t day)
{
    /* Years begin in March here, so that the odd day is the last one. */
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool read_number(struct str *text, char behind, int64_t least, int64_t most, int64_t *out)
{
    struct str digits = text_take_digits(text);
    return digits.n > 0 && digits.n <= 10 && str_to_int64(digits, out) && *out >= least &&
           *out <= most && (behind == 0 || text_take_byte(text, behind));
}

static bool read_fraction(struct str *text, int64_t *ns)
{
    struct str digits = text_take_digits(text);
    int64_t scale = NS_PER_SECOND;
    *ns = 0;
    for (size_t i = 0; i < digits.n && scale > 1; i++) {
        scale /= 10;
        *ns += (digits.p[i] - '0') * scale;
    }
    return digits.n > 0;
}

bool android_read_time(struct str *text, int default_year, int64_t *ns)
{
    int64_t year = default_year, month, day, hour, minute, second, fraction;
    struct str digits = *text;
    if (text_take_digits(&digits).n == 4 && !read_number(text, '-', 1, 9999, &year)) return false;
    if (!read_number(text, '-', 1, 12, &month) || !read_number(text, 0, 1, 31, &day) ||
        !text_skip_space(text) || !read_number(text, ':', 0, 23, &hour) ||
        !read_number(text, ':', 0, 59, &minute) || !read_number(text, '.', 0, 60, &second) ||
        !read_fraction(text, &fraction))
        return false;
    int64_t seconds = ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    return checked_mul_int64(seconds, NS_PER_SECOND, ns) && checked_add_int64(*ns, fraction, ns);
}

static uint32_t priority_of(char letter)
{
    static const char LETTERS[] = "VDIWEF";
    const char *at = letter ? strchr(LETTERS, letter) : NULL;
    return at ? (uint32_t)(at - LETTERS) + 2 : 0;
}

/* "tag   : message"; tags may hold colons. */
static void split_message(struct str text, struct android_log_line *out)
{
    size_t at;
    out->message = text;
    if (!str_find(text, STR(": "), &at)) return;
    out->tag = str_slice(text, 0, at);
    while (out->tag.n > 0 && out->tag.p[out->tag.n - 1] == ' ')
        out->tag.n--;
    out->message = str_slice(text, at + 2, text.n);
}

bool android_log_read(struct str line, enum android_log_form form, int year,
                      struct android_log_line *out)
{
    *out = (struct android_log_line){0};
    if (!android_read_time(&line, year, &out->time) || !text_skip_space(&line)) return false;
    if (form == LOG_WITH_USER) text_next_word(&line); /* a number or a name */
    text_skip_space(&line);
    if (!read_number(&line, ' ', 0, UINT32_MAX, &out->pid)) return false;
    text_skip_space(&line);
    if (!read_number(&line, ' ', 0, UINT32_MAX, &out->tid)) return false;
    text_skip_space(&line);
    if (line.n < 4 || line.p[1] != ' ') return false;
    out->priority = priority_of(line.p[0]);
    split_message(str_slice(line, 2, line.n), out);
    return true;
}

void android_log_push(const struct import_file *file, int64_t ts,
                      const struct android_log_line *line)
{
    struct strpool *strings = file->import->strings;
    struct logs_row row = {
        .ts = ts,
        .utid = some_uint32(thread_intern_in(file, line->tid, line->pid)),
        .prio = line->priority,
        .log_source = strpool_intern_text(strings, "android_logcat"),
        .tag = strpool_intern(strings, line->tag),
        .msg = strpool_intern(strings, line->message),
    };
    logs_append(&file->import->tables->logs, &row);
}
