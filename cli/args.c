#include "cli/args.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/vec.h"

static const struct cli_option *find_long(const struct cli_option *options, size_t n,
                                          const char *name, size_t length)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0)
            return &options[i];
    return NULL;
}

static const struct cli_option *find_letter(const struct cli_option *options, size_t n, char letter)
{
    for (size_t i = 0; i < n; i++)
        if (options[i].letter && options[i].letter == letter) return &options[i];
    return NULL;
}

struct parse {
    const struct cli_option *options;
    size_t n_options;
    int argc, at;
    char **argv;
    bool *help;
};

static bool parse_long(struct parse *p, const char *arg, struct status *st)
{
    const char *name = arg + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const struct cli_option *option = find_long(p->options, p->n_options, name, length);
    if (!option && strcmp(name, "help") == 0) {
        *p->help = true;
        return true;
    }
    if (!option) return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "unknown option '%s'", arg);
    if (!option->value) {
        if (equals)
            return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "--%s takes no value",
                               option->name);
        *option->flag = true;
        return true;
    }
    if (!equals && p->at + 1 >= p->argc)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "--%s needs a value (%s)",
                           option->name, option->value);
    *option->text = equals ? equals + 1 : p->argv[++p->at];
    return true;
}

static bool parse_letters(struct parse *p, const char *arg, struct status *st)
{
    for (const char *c = arg + 1; *c; c++) {
        const struct cli_option *option = find_letter(p->options, p->n_options, *c);
        if (!option && *c == 'h') {
            *p->help = true;
            continue;
        }
        if (!option)
            return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "unknown option '-%c'", *c);
        if (!option->value) {
            *option->flag = true;
            continue;
        }
        if (!c[1] && p->at + 1 >= p->argc)
            return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "-%c needs a value (%s)", *c,
                               option->value);
        *option->text = c[1] ? c + 1 : p->argv[++p->at];
        return true;
    }
    return true;
}

bool args_parse(const struct cli_option *options, size_t n_options, int argc, char **argv,
                struct cli_operands *operands, bool *help, struct status *st)
{
    struct parse p = {options, n_options, argc, 1, argv, help};
    bool options_ended = false;
    for (; p.at < argc; p.at++) {
        const char *arg = argv[p.at];
        if (options_ended || arg[0] != '-' || arg[1] == 0) {
            vec_push(operands, arg);
        } else if (strcmp(arg, "--") == 0) {
            options_ended = true;
        } else if (arg[1] == '-') {
            if (!parse_long(&p, arg, st)) return false;
        } else if (!parse_letters(&p, arg, st)) {
            return false;
        }
    }
    return true;
}

bool args_parse_size(const char *text, int *width, int *height)
{
    char *end;
    long w = strtol(text, &end, 10);
    if (*end != 'x') return false;
    long h = strtol(end + 1, &end, 10);
    if (*end || w < 1 || w > 1000 || h < 1 || h > 1000) return false;
    *width = (int)w;
    *height = (int)h;
    return true;
}

void args_print_options(FILE *out, const struct cli_option *options, size_t n_options)
{
    for (size_t i = 0; i < n_options; i++) {
        const struct cli_option *o = &options[i];
        char left[60], letter[8] = "    ";
        if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        fprintf(out, "  %-30s %s\n", left, o->help);
    }
    fprintf(out, "  %-30s %s\n", "-h, --help", "this text");
}
