/* regexp and its family.  The syntax is pcre2's, set up to mean what RE2 means
 * where the two read a pattern differently: `$` is the end of the text, characters
 * are those of UTF-8. */
#include "engine/base/buffer.h"
#include "engine/base/regex.h"
#include "engine/sql/functions.h"

struct regex *sql_regex_compile(struct str pattern, unsigned flags, struct status *st)
{
    return regex_compile(pattern, flags | REGEX_UTF | REGEX_DOLLAR_END_ONLY, st);
}

static void free_regex(void *pointer)
{
    regex_free(pointer);
}

/* Compiled once for each statement when the pattern is a constant.  *owned is what
 * the caller frees, when it cannot be kept. */
static struct regex *pattern_of(sqlite3_context *context, sqlite3_value **argv, int argument,
                                unsigned flags)
{
    struct regex *known = sqlite3_get_auxdata(context, argument);
    if (known) return known;
    struct status st = STATUS_INIT;
    struct regex *regex = sql_regex_compile(function_text(argv[argument]), flags, &st);
    if (!regex) {
        function_error(context, "%s", status_message(&st));
        status_clear(&st);
        return NULL;
    }
    sqlite3_set_auxdata(context, argument, regex, free_regex);
    return sqlite3_get_auxdata(context, argument);
}

static bool any_null(sqlite3_value **argv, int n)
{
    for (int i = 0; i < n; i++)
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL) return true;
    return false;
}

static bool gave_up(sqlite3_context *context, enum regex_result result)
{
    if (result != REGEX_GAVE_UP) return false;
    function_error(context, "the regular expression takes too many steps on this text");
    return true;
}

static void regexp(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    unsigned flags = 0;
    if (any_null(argv, 2)) return;
    if (argc == 3) {
        struct str letters = function_text(argv[2]);
        for (size_t i = 0; i < letters.n; i++) {
            if (letters.p[i] == 'i') {
                flags |= REGEX_IGNORE_CASE;
            } else if (letters.p[i] != 'c') {
                function_error(context, "regexp: unknown flag '%c' (i, c)", letters.p[i]);
                return;
            }
        }
    }
    struct regex *regex = pattern_of(context, argv, 0, flags);
    if (!regex) return;
    enum regex_result result = regex_find(regex, function_text(argv[1]), 0, NULL);
    if (!gave_up(context, result)) sqlite3_result_int(context, result == REGEX_MATCH);
}

/* The first group when it matched something, else the whole match. */
static void regexp_extract(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (any_null(argv, 2)) return;
    struct regex *regex = pattern_of(context, argv, 1, 0);
    if (!regex) return;
    if (regex_group_count(regex) > 1) {
        function_error(context, "regexp_extract: the pattern has more than one group");
        return;
    }
    struct regex_match match;
    enum regex_result result = regex_find(regex, function_text(argv[0]), 0, &match);
    if (gave_up(context, result) || result != REGEX_MATCH) return;
    bool has_group = match.count > 1 && match.groups[1].n;
    function_result_text(context, match.groups[has_group ? 1 : 0]);
}

/* \0 … \9 are groups, \\ is a backslash. */
static void append_replacement(struct buffer *out, struct str text, const struct regex_match *match)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] != '\\' || i + 1 == text.n) {
            buffer_append_byte(out, text.p[i]);
            continue;
        }
        char next = text.p[++i];
        unsigned group = (unsigned)(next - '0');
        if (next < '0' || next > '9')
            buffer_append_byte(out, next);
        else if (group < match->count)
            buffer_append_str(out, match->groups[group]);
    }
}

static void regexp_replace(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (any_null(argv, 3)) return;
    struct regex *regex = pattern_of(context, argv, 1, 0);
    if (!regex) return;
    struct str input = function_text(argv[0]), replacement = function_text(argv[2]);
    struct buffer out = BUFFER_INIT;
    size_t from = 0, copied = 0;
    struct regex_match match;
    enum regex_result result = REGEX_NO_MATCH;
    while (from <= input.n && (result = regex_find(regex, input, from, &match)) == REGEX_MATCH) {
        buffer_append_str(&out, str_slice(input, copied, match.start));
        append_replacement(&out, replacement, &match);
        copied = match.end;
        from = match.end > match.start ? match.end : match.end + 1;
    }
    buffer_append_str(&out, str_slice(input, copied, input.n));
    if (!gave_up(context, result)) function_result_text(context, buffer_str(&out));
    buffer_free(&out);
}

const struct function_entry regex_functions[] = {
    {.name = "regexp", .argc = 2, .flags = FUNCTION_PURE, .scalar = regexp},
    {.name = "regexp", .argc = 3, .flags = FUNCTION_PURE, .scalar = regexp},
    {.name = "__intrinsic_regexp_with_flags", .argc = 3, .flags = FUNCTION_PURE, .scalar = regexp},
    {.name = "regexp_extract", .argc = 2, .flags = FUNCTION_PURE, .scalar = regexp_extract},
    {.name = "regexp_replace_simple", .argc = 3, .flags = FUNCTION_PURE, .scalar = regexp_replace},
    {.name = NULL},
};
