/* Options of one subcommand, described by a table and parsed in one go.
 *
 * Options and operands may mix; "--" ends the options; "-" is an operand.  Long
 * options take their value as "--name value" or "--name=value", letters as
 * "-f value" or "-fvalue"; letters without a value may be joined.
 */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/base/status.h"

struct cli_option {
    const char *name;  /* long name */
    char letter;       /* 0: none */
    const char *value; /* what to call its value in the help; NULL: takes none */
    const char *help;
    const char **text; /* where the value goes */
    bool *flag;        /* where the presence goes */
};

struct cli_operands {
    const char **items;
    size_t count, capacity;
};

/* False with STATUS_USAGE.  *help is set when --help or -h is among them. */
bool args_parse(const struct cli_option *options, size_t n_options, int argc, char **argv,
                struct cli_operands *operands, bool *help, struct status *st);
/* "120x40": cells, 1 to 1000 each. */
bool args_parse_size(const char *text, int *width, int *height);
void args_print_options(FILE *out, const struct cli_option *options, size_t n_options);

#endif
