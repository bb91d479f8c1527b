/* Arguments of commands: their number and kinds, and a typed line's words. */
#include <string.h>

#include "commands/registry.h"
#include "engine/base/memory.h"
#include "engine/base/vec.h"

static uint32_t count_args(const struct command *command, uint32_t *required)
{
    uint32_t n = 0;
    *required = 0;
    for (; n < COMMAND_MAX_ARGS && command->args[n].name; n++)
        if (!command->args[n].optional) *required = n + 1;
    return n;
}

void command_append_usage(const struct command *command, struct buffer *out)
{
    for (uint32_t i = 0; i < COMMAND_MAX_ARGS && command->args[i].name; i++) {
        const struct command_arg *arg = &command->args[i];
        buffer_printf(out, "%s%s%s", i ? " " : "", arg->optional ? "[" : "", arg->name);
        if (arg->choices) buffer_printf(out, "=%s", arg->choices);
        if (arg->optional) buffer_append_byte(out, ']');
    }
}

static bool wrong_count(const struct command *command, uint32_t least, uint32_t most, uint32_t got,
                        struct status *st)
{
    struct buffer usage = BUFFER_INIT;
    if (most) buffer_append_text(&usage, ": ");
    command_append_usage(command, &usage);
    if (most == 0)
        status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "%s takes no arguments, got %u",
                    command->id, got);
    else if (least == most)
        status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "%s takes %u argument%s%s, got %u",
                    command->id, most, most == 1 ? "" : "s", buffer_text(&usage), got);
    else
        status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "%s takes %u to %u arguments%s, got %u",
                    command->id, least, most, buffer_text(&usage), got);
    buffer_free(&usage);
    return false;
}

static bool is_choice(const char *choices, const char *value)
{
    struct str rest = str_of(choices), piece;
    while (str_split_next(&rest, '|', &piece))
        if (str_is(piece, value)) return true;
    return false;
}

static bool check_arg(const struct command *command, const struct command_arg *arg,
                      const char *value, struct status *st)
{
    int64_t integer;
    double number;
    const char *wants = NULL;
    switch (arg->type) {
    case COMMAND_ARG_TIME:
        if (!str_to_int64(str_of(value), &integer)) wants = "a time in nanoseconds (an integer)";
        break;
    case COMMAND_ARG_INT:
        if (!str_to_int64(str_of(value), &integer)) wants = "an integer";
        break;
    case COMMAND_ARG_NUMBER:
        if (!str_to_double(str_of(value), &number)) wants = "a number";
        break;
    case COMMAND_ARG_CHOICE:
        if (!is_choice(arg->choices, value))
            return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                               "%s: %s is \"%.80s\", allowed are %s", command->id, arg->name, value,
                               arg->choices);
        break;
    case COMMAND_ARG_LETTER:
        if (!((value[0] | 32) >= 'a' && (value[0] | 32) <= 'z' && !value[1]))
            wants = "one letter, a to z or A to Z";
        break;
    default: break;
    }
    if (!wants) return true;
    return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "%s: %s is \"%.80s\", but has to be %s",
                       command->id, arg->name, value, wants);
}

bool command_check_args(const struct command *command, const char *const *args, uint32_t n_args,
                        struct status *st)
{
    uint32_t least, most = count_args(command, &least);
    if (n_args < least || n_args > most) return wrong_count(command, least, most, n_args, st);
    for (uint32_t i = 0; i < n_args; i++)
        if (!check_arg(command, &command->args[i], args[i], st)) return false;
    return true;
}

/* ---- a typed line ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* Cuts the next word off; false at the end and on a quote that is not closed. */
static bool next_word(struct str line, size_t *at, struct buffer *word, struct status *st)
{
    while (*at < line.n && is_space(line.p[*at]))
        (*at)++;
    buffer_clear(word);
    if (*at >= line.n) return false;
    char quote = 0;
    size_t opened = *at;
    for (; *at < line.n && (quote || !is_space(line.p[*at])); (*at)++) {
        char c = line.p[*at];
        if (c == '\\' && quote != '\'' && *at + 1 < line.n) {
            /* A backslash is itself unless it hides a quote, a blank or another:
             * regexes are full of them. */
            char next = line.p[*at + 1];
            if (next == '\\') {
                buffer_append(word, "\\\\", 2);
                (*at)++;
                continue;
            }
            if (next == '"' || next == '\'' || is_space(next)) {
                buffer_append_byte(word, next);
                (*at)++;
                continue;
            }
            buffer_append_byte(word, c);
        } else if (quote ? c == quote : c == '"' || c == '\'') {
            quote = quote ? 0 : c;
            opened = *at;
        } else {
            buffer_append_byte(word, c);
        }
    }
    if (quote)
        return status_fail(st, STATUS_USAGE, (int64_t)opened, "the %c quote at %zu is not closed",
                           quote, opened + 1);
    return true;
}

/* The command of that id, or the only one whose id ends in ".word". */
static const struct registry_entry *resolve(const struct registry *registry, const char *word,
                                            struct status *st)
{
    const struct registry_entry *entry = registry_find(registry, word);
    if (entry) return entry;
    uint32_t found = 0;
    size_t n = strlen(word);
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const char *id = registry_at(registry, i)->command->id;
        size_t length = strlen(id);
        if (length <= n || strcmp(id + length - n, word) != 0 || id[length - n - 1] != '.')
            continue;
        entry = registry_at(registry, i);
        found++;
    }
    if (found == 1) return entry;
    if (found > 1)
        status_fail(st, STATUS_USAGE, 0, "%u commands end in %.80s; write the whole id", found,
                    word);
    else
        status_fail(st, STATUS_NOT_FOUND, 0, "there is no command %.80s", word);
    return NULL;
}

static bool takes_rest(const struct command *command, uint32_t arg)
{
    bool last = arg + 1 >= COMMAND_MAX_ARGS || !command->args[arg + 1].name;
    return last && command->args[arg].name && command->args[arg].type == COMMAND_ARG_SQL;
}

bool registry_parse_line(const struct registry *registry, struct str line, struct invocation *out,
                         struct status *st)
{
    struct buffer word = BUFFER_INIT;
    VEC(char *) args = {0};
    struct status why = STATUS_INIT;
    const struct registry_entry *entry = NULL;
    bool good = false;
    size_t at = 0;
    if (!next_word(line, &at, &word, &why)) {
        status_fail(&why, STATUS_USAGE, 0, "type a command");
        goto out;
    }
    entry = resolve(registry, buffer_text(&word), &why);
    if (!entry) goto out;
    while (true) {
        while (at < line.n && is_space(line.p[at]))
            at++;
        if (at < line.n && args.count < COMMAND_MAX_ARGS && line.p[at] != '"' &&
            line.p[at] != '\'' && takes_rest(entry->command, (uint32_t)args.count)) {
            vec_push(&args, mem_copy_string(line.p + at, line.n - at));
            break;
        }
        if (!next_word(line, &at, &word, &why)) break;
        vec_push(&args, mem_copy_string(buffer_text(&word), word.length));
    }
    if (why.code != STATUS_OK) goto out;
    good = command_check_args(entry->command, (const char *const *)args.items, (uint32_t)args.count,
                              &why);
    if (good)
        invocation_set(out, entry->command->id, (const char *const *)args.items,
                       (uint32_t)args.count);
out:
    status_move(st, &why);
    for (size_t i = 0; i < args.count; i++)
        mem_free(args.items[i]);
    vec_free(&args);
    buffer_free(&word);
    return good;
}
