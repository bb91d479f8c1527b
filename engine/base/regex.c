#define PCRE2_CODE_UNIT_WIDTH 8
#include "engine/base/regex.h"

#include <pcre2.h>

#include "engine/base/memory.h"

#define DEFAULT_STEP_LIMIT 1000000u
#define HEAP_LIMIT_KIB     (16u << 10)
#define DEPTH_LIMIT        10000u

struct regex {
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *context;
    unsigned groups;
    bool (*poll)(void *);
    void *poll_argument;
};

static uint32_t pcre2_flags(unsigned flags)
{
    uint32_t out = PCRE2_NEVER_BACKSLASH_C;
    if (flags & REGEX_IGNORE_CASE) out |= PCRE2_CASELESS;
    if (flags & REGEX_UTF) out |= PCRE2_UTF;
    if (flags & REGEX_DOLLAR_END_ONLY) out |= PCRE2_DOLLAR_ENDONLY;
    if (flags & REGEX_DOT_ALL) out |= PCRE2_DOTALL;
    if (flags & REGEX_POLLED) out |= PCRE2_AUTO_CALLOUT;
    if (flags & REGEX_LITERAL) out = PCRE2_LITERAL | (out & (PCRE2_CASELESS | PCRE2_UTF));
    if (flags & REGEX_MATCH_UNSET_BACKREF) out |= PCRE2_MATCH_UNSET_BACKREF;
    return out;
}

struct regex *regex_compile(struct str pattern, unsigned flags, struct status *st)
{
    int error;
    PCRE2_SIZE at;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)(pattern.n ? pattern.p : ""), pattern.n,
                                     pcre2_flags(flags), &error, &at, NULL);
    if (!code) {
        PCRE2_UCHAR text[160];
        if (pcre2_get_error_message(error, text, sizeof text) < 0) text[0] = '\0';
        status_fail(st, STATUS_INVALID, (int64_t)at, "bad regular expression at byte %zu: %s",
                    (size_t)at, (const char *)text);
        return NULL;
    }
    struct regex *regex = mem_zero(1, sizeof *regex);
    regex->code = code;
    regex->data = pcre2_match_data_create_from_pattern(code, NULL);
    regex->context = pcre2_match_context_create(NULL);
    if (!regex->data || !regex->context) {
        regex_free(regex);
        status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "no memory for a regular expression");
        return NULL;
    }
    uint32_t groups = 0;
    pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
    regex->groups = groups;
    pcre2_set_match_limit(regex->context, DEFAULT_STEP_LIMIT);
    pcre2_set_depth_limit(regex->context, DEPTH_LIMIT);
    pcre2_set_heap_limit(regex->context, HEAP_LIMIT_KIB);
    return regex;
}

unsigned regex_group_count(const struct regex *regex)
{
    return regex->groups;
}

void regex_set_step_limit(struct regex *regex, unsigned steps)
{
    pcre2_set_match_limit(regex->context, steps);
}

static int ask_poll(pcre2_callout_block *block, void *argument)
{
    (void)block;
    const struct regex *regex = argument;
    return regex->poll(regex->poll_argument) ? 0 : PCRE2_ERROR_CALLOUT;
}

void regex_set_poll(struct regex *regex, bool (*poll)(void *), void *argument)
{
    regex->poll = poll;
    regex->poll_argument = argument;
    pcre2_set_callout(regex->context, poll ? ask_poll : NULL, regex);
}

enum regex_result regex_find(struct regex *regex, struct str subject, size_t from,
                             struct regex_match *match)
{
    if (from > subject.n) return REGEX_NO_MATCH;
    int rc = pcre2_match(regex->code, (PCRE2_SPTR)(subject.n ? subject.p : ""), subject.n, from, 0,
                         regex->data, regex->context);
    if (rc == PCRE2_ERROR_MATCHLIMIT || rc == PCRE2_ERROR_DEPTHLIMIT ||
        rc == PCRE2_ERROR_HEAPLIMIT || rc == PCRE2_ERROR_NOMEMORY || rc == PCRE2_ERROR_CALLOUT)
        return REGEX_GAVE_UP;
    if (rc < 0) return REGEX_NO_MATCH;
    if (!match) return REGEX_MATCH;
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(regex->data);
    match->count = regex->groups + 1 < REGEX_MAX_GROUPS ? regex->groups + 1 : REGEX_MAX_GROUPS;
    match->start = ends[0];
    match->end = ends[1] < ends[0] ? ends[0] : ends[1];
    for (unsigned i = 0; i < match->count; i++) {
        bool set = i < (unsigned)rc && ends[2 * i] != PCRE2_UNSET && ends[2 * i] <= ends[2 * i + 1];
        match->groups[i] = set ? str_slice(subject, ends[2 * i], ends[2 * i + 1]) : STR_NONE;
    }
    return REGEX_MATCH;
}

void regex_free(struct regex *regex)
{
    if (!regex) return;
    pcre2_match_context_free(regex->context);
    pcre2_match_data_free(regex->data);
    pcre2_code_free(regex->code);
    mem_free(regex);
}
