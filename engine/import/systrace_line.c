/* The columns of one line of ftrace text (spec engine_2b 6.6.1).  Names of tasks may
 * hold anything, so that the line is read from the first "-<pid>" that is followed by
 * all the other columns. */
#include "engine/import/systrace.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Seconds with a fraction and the colon behind them. */
static bool read_time(struct str rest, struct str *after, int64_t *ts)
{
    struct str start = rest;
    if (text_take_digits(&rest).n == 0 || !text_take_byte(&rest, '.') ||
        text_take_digits(&rest).n == 0)
        return false;
    struct str number = str_slice(start, 0, start.n - rest.n);
    if (!text_take_byte(&rest, ':') || !str_to_scaled_int64(number, 9, ts)) return false;
    *after = rest;
    return true;
}

static bool read_time_after_flags(struct str rest, size_t flags, struct str *after, int64_t *ts)
{
    rest = str_slice(rest, flags, rest.n);
    text_skip_space(&rest);
    return read_time(rest, after, ts);
}

/* The four columns of flags and a fifth on newer kernels, with or without a blank
 * behind them; real-time kernels print more columns, always with one. */
static bool read_flags_and_time(struct str rest, struct str *after, int64_t *ts)
{
    size_t letters = 0, all = 0;
    while (letters < rest.n && letters < 3 &&
           (is_letter(rest.p[letters]) || rest.p[letters] == '.'))
        letters++;
    if (letters == 3) {
        size_t more = 0;
        while (more < 2 && 3 + more < rest.n &&
               (is_digit(rest.p[3 + more]) || rest.p[3 + more] == '.' ||
                (rest.p[3 + more] >= 'a' && rest.p[3 + more] <= 'f')))
            more++;
        for (; more > 0; more--)
            if (read_time_after_flags(rest, 3 + more, after, ts)) return true;
        while (all < rest.n && all < 16 &&
               (is_letter(rest.p[all]) || is_digit(rest.p[all]) || rest.p[all] == '.'))
            all++;
        if (all >= 4 && all < rest.n && rest.p[all] == ' ' &&
            read_time_after_flags(rest, all, after, ts))
            return true;
    }
    return read_time(rest, after, ts);
}

static int64_t read_tgid(struct str *rest)
{
    uint64_t tgid;
    struct str digits = text_take_digits(rest);
    if (digits.n == 0) {
        while (text_take_byte(rest, '-')) {
        }
        return -1;
    }
    return str_to_uint64(digits, &tgid) && tgid <= UINT32_MAX ? (int64_t)tgid : -1;
}

/* " event: args" */
static bool read_event(struct str rest, struct systrace_line *line)
{
    if (!text_skip_space(&rest)) return false;
    struct str behind = rest;
    struct str word = text_next_word(&behind);
    size_t colon = word.n;
    while (colon > 0 && word.p[colon - 1] != ':')
        colon--;
    if (colon < 2) return false;
    line->event = str_slice(word, 0, colon - 1);
    line->args = str_trim(str_slice(rest, colon, rest.n));
    return true;
}

/* From behind a '-'. */
static bool read_columns(struct str rest, struct systrace_line *line)
{
    uint64_t number = 0;
    struct str digits = text_take_digits(&rest);
    if (digits.n == 0 || !text_skip_space(&rest)) return false;
    bool good = str_to_uint64(digits, &number) && number <= UINT32_MAX;
    line->pid = (int64_t)number;
    text_take_byte(&rest, '(');
    text_skip_space(&rest);
    line->tgid = read_tgid(&rest);
    text_take_byte(&rest, ')');
    text_skip_space(&rest);
    if (!text_take_byte(&rest, '[')) return false;
    digits = text_take_digits(&rest);
    if (digits.n == 0 || !text_take_byte(&rest, ']')) return false;
    good = good && str_to_uint64(digits, &number) && number <= UINT32_MAX;
    line->cpu = (uint32_t)number;
    text_skip_space(&rest);
    return good && read_flags_and_time(rest, &rest, &line->ts) && read_event(rest, line);
}

bool systrace_line_read(struct str text, struct systrace_line *line)
{
    struct str rest = text;
    size_t dash;
    while (str_find_byte(rest, '-', &dash)) {
        rest = str_slice(rest, dash + 1, rest.n);
        *line = (struct systrace_line){.tgid = -1};
        if (!read_columns(rest, line)) continue;
        line->task = str_trim(str_slice(text, 0, text.n - rest.n - 1));
        return true;
    }
    return false;
}
