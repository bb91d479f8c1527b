#include "commands/js_regex.h"

#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "engine/base/utf8.h"

struct js_regex {
    struct regex *regex;
    struct buffer subject; /* rewritten */
};

struct js_regex *js_regex_compile(struct str pattern, struct status *st)
{
    struct buffer text = BUFFER_INIT;
    struct regex *regex = NULL;
    struct status why = STATUS_INIT;
    if (js_regex_translate(pattern, &text, st)) {
        regex = regex_compile(buffer_str(&text), REGEX_UTF | REGEX_MATCH_UNSET_BACKREF, &why);
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
    return (struct regex_budget){clock_now_ns() + milliseconds * 1000000};
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
    /* Steps of backtracking in a millisecond, on a slow machine. */
    enum { STEPS_PER_MS = 20000 };
    int64_t left_ms = (budget->deadline_ns - clock_now_ns()) / 1000000;
    if (left_ms < 0) return REGEX_GAVE_UP;
    if (left_ms > 10000) left_ms = 10000;
    regex_set_step_limit(regex->regex, (unsigned)(left_ms + 1) * STEPS_PER_MS);
    return regex_find(regex->regex, rewritten(regex, subject), 0, NULL);
}
