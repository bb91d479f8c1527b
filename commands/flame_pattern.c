#include "commands/flame_pattern.h"

#include "commands/js_regex.h"
#include "engine/base/memory.h"

/* For one name; a profile can have a million of them. */
#define STEPS 20000

struct flame_pattern {
    struct regex *regex;
};

static struct regex *compile(struct str text, struct status *st)
{
    unsigned flags = REGEX_UTF | REGEX_MATCH_UNSET_BACKREF;
    bool any_case = str_ends(text, STR("/i"));
    size_t tail = any_case ? 2 : 1;
    if (text.n < 1 + tail || text.p[0] != '/' || text.p[text.n - tail] != '/')
        return regex_compile(text, REGEX_UTF | REGEX_LITERAL | REGEX_IGNORE_CASE, st);
    struct buffer translated = BUFFER_INIT;
    struct regex *regex = NULL;
    if (text.n == 1 + tail)
        status_fail(st, STATUS_INVALID, 0, "the pattern is empty");
    else if (js_regex_translate(str_slice(text, 1, text.n - tail), &translated, st))
        regex =
            regex_compile(buffer_str(&translated), flags | (any_case ? REGEX_IGNORE_CASE : 0), st);
    buffer_free(&translated);
    return regex;
}

struct flame_pattern *flame_pattern_new(struct str text, struct status *st)
{
    text = str_trim(text);
    if (!text.n) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "the pattern is empty");
        return NULL;
    }
    struct regex *regex = compile(text, st);
    if (!regex) return NULL;
    regex_set_step_limit(regex, STEPS);
    struct flame_pattern *pattern = mem_zero(1, sizeof *pattern);
    pattern->regex = regex;
    return pattern;
}

void flame_pattern_free(struct flame_pattern *pattern)
{
    if (!pattern) return;
    regex_free(pattern->regex);
    mem_free(pattern);
}

bool flame_pattern_matches(struct flame_pattern *pattern, struct str name)
{
    return regex_find(pattern->regex, name, 0, NULL) == REGEX_MATCH;
}
