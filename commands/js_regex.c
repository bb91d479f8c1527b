#include "commands/js_regex.h"

#include <time.h>

#include "engine/base/memory.h"
#include "engine/base/utf8.h"

struct js_regex {
    struct regex *regex;
    struct buffer subject; /* rewritten */
    unsigned steps;        /* since the clock was read */
    int64_t deadline_ns;   /* of the test that runs */
};

/* A step is some 20 ns, asking the kernel for the time several hundred. */
#define STEPS_BETWEEN_CLOCKS 1024
#define STEPS_OF_A_SUBJECT   32

static int64_t processor_time_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static bool has_time(struct js_regex *regex, unsigned steps)
{
    regex->steps += steps;
    if (regex->steps < STEPS_BETWEEN_CLOCKS) return true;
    regex->steps = 0;
    return processor_time_ns() < regex->deadline_ns;
}

static bool poll_clock(void *argument)
{
    return has_time(argument, 1);
}

struct js_regex *js_regex_compile(struct str pattern, struct status *st)
{
    struct buffer text = BUFFER_INIT;
    struct regex *regex = NULL;
    struct status why = STATUS_INIT;
    if (js_regex_translate(pattern, &text, st)) {
        regex = regex_compile(buffer_str(&text),
                              REGEX_UTF | REGEX_MATCH_UNSET_BACKREF | REGEX_POLLED, &why);
        size_t at;
        if (!regex && str_find(str_of(status_message(&why)), STR("lookbehind"), &at))
            status_fail(
                st, STATUS_INVALID, 0,
                "bad regular expression: a look-behind of variable length is not supported");
        else if (!regex)
            status_fail(st, STATUS_INVALID, 0, "bad regular expression: %s", status_message(&why));
    }
    buffer_free(&text);
    status_clear(&why);
    if (!regex) return NULL;
    struct js_regex *out = mem_zero(1, sizeof *out);
    out->regex = regex;
    out->steps = STEPS_BETWEEN_CLOCKS; /* the first test reads the clock */
    regex_set_step_limit(regex, UINT32_MAX);
    regex_set_poll(regex, poll_clock, out);
    return out;
}

void js_regex_free(struct js_regex *regex)
{
    if (!regex) return;
    regex_free(regex->regex);
    buffer_free(&regex->subject);
    mem_free(regex);
}

struct regex_budget regex_budget_start(int64_t milliseconds)
{
    return (struct regex_budget){processor_time_ns() + milliseconds * 1000000};
}

bool regex_budget_is_spent(const struct regex_budget *budget)
{
    return processor_time_ns() >= budget->deadline_ns;
}

static bool is_plain(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] >= 0x80) return false;
    return true;
}

static void append_codepoint(struct buffer *out, uint32_t c)
{
    char bytes[4];
    buffer_append(out, bytes, utf8_encode(c, bytes));
}

static struct str rewritten(struct js_regex *regex, struct str subject)
{
    if (is_plain(subject)) return subject;
    buffer_clear(&regex->subject);
    for (size_t at = 0; at < subject.n;) {
        uint32_t c;
        at += utf8_decode(str_slice(subject, at, subject.n), &c);
        if (c == UTF8_INVALID) {
            append_codepoint(&regex->subject, 0x10FFFF);
        } else if (c > 0xFFFF) {
            append_codepoint(&regex->subject, 0x10D800 + ((c - 0x10000) >> 10));
            append_codepoint(&regex->subject, 0x10DC00 + ((c - 0x10000) & 0x3FF));
        } else {
            append_codepoint(&regex->subject, c);
        }
    }
    return buffer_str(&regex->subject);
}

enum regex_result js_regex_test(struct js_regex *regex, struct str subject,
                                const struct regex_budget *budget)
{
    regex->deadline_ns = budget->deadline_ns;
    if (!has_time(regex, STEPS_OF_A_SUBJECT)) return REGEX_GAVE_UP;
    return regex_find(regex->regex, rewritten(regex, subject), 0, NULL);
}
