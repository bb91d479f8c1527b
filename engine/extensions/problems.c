#include "engine/extensions/problems.h"

#include <stdarg.h>

#include "engine/base/vec.h"

static void add(struct problems *problems, bool with_path, const char *text)
{
    struct buffer line = BUFFER_INIT;
    if (problems->count >= PROBLEMS_MAX) return;
    buffer_append_text(&line, problems->key);
    if (problems->member) buffer_printf(&line, ": %s", problems->member);
    if (with_path && problems->path.length > 0)
        buffer_printf(&line, ": %s", buffer_text(&problems->path));
    buffer_printf(&line, ": %s", text);
    if (problems->count >= problems->rules_capacity)
        problems->rules = vec_grow(problems->rules, &problems->rules_capacity, problems->count + 1,
                                   sizeof *problems->rules);
    problems->rules[problems->count] = problems->rule;
    vec_push(problems, buffer_take(&line));
}

static void add_formatted(struct problems *problems, bool with_path, const char *format,
                          va_list args)
{
    struct buffer text = BUFFER_INIT;
    buffer_vprintf(&text, format, args);
    add(problems, with_path, buffer_text(&text));
    buffer_free(&text);
}

void problems_add(struct problems *problems, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_formatted(problems, false, format, args);
    va_end(args);
}

void problems_add_here(struct problems *problems, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_formatted(problems, true, format, args);
    va_end(args);
}

void problems_add_found(struct problems *problems, const json_t *found, const char *allowed, ...)
{
    struct buffer text = BUFFER_INIT;
    va_list args;
    buffer_append_text(&text, "found ");
    json_describe(&text, found);
    buffer_append_text(&text, "; allowed: ");
    va_start(args, allowed);
    buffer_vprintf(&text, allowed, args);
    va_end(args);
    add(problems, true, buffer_text(&text));
    buffer_free(&text);
}

void problems_free(struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++)
        mem_free(problems->items[i]);
    vec_free(problems);
    mem_free(problems->rules);
    buffer_free(&problems->path);
}
