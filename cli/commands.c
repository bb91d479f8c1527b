/* The list of subcommands. */
#include "cli/cli.h"

const struct cli_command cli_commands[] = {
    {"query", "run SQL over a trace and print the rows", cli_run_query},
    {"shell", "ask SQL line by line", cli_run_shell},
    {"info", "what is in a trace, and what was lost", cli_run_info},
    {"snapshot", "one frame of the viewer as text, ANSI or SVG", cli_run_snapshot},
    {"run", "run macros and commands without a screen; tables come out as files", cli_run_run},
    {"view", "open a trace full screen (as without a command)", cli_run_view},
    {"extensions", "check, show or remove what a trace brings along; whom you trust",
     cli_run_extensions},
    {"bundle", "write an archive of traces and what travels with them", cli_run_bundle},
    {"servers", "extension servers: list, add, edit, ask", cli_run_servers},
};
const unsigned cli_commands_count = sizeof cli_commands / sizeof *cli_commands;
