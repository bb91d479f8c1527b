/* The list of subcommands. */
#include "cli/cli.h"

const struct cli_command cli_commands[] = {
    {"query", "run SQL over a trace and print the rows", cli_run_query},
};
const unsigned cli_commands_count = sizeof cli_commands / sizeof *cli_commands;
