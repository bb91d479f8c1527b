/* Dispatch: which subcommand, its help, and a trace without a subcommand. */
#include "cli/cli.h"

#include <locale.h>
#include <string.h>
#include <unistd.h>

static void print_help(FILE *out)
{
    fputs("usage: perfetty TRACE…              full screen\n"
          "       perfetty COMMAND [ARGS]      without a screen\n\n"
          "TRACE is a file, a folder or - for standard input; several are one merged input.\n\n"
          "Commands:\n",
          out);
    for (unsigned i = 0; i < cli_commands_count; i++)
        fprintf(out, "  %-12s %s\n", cli_commands[i].name, cli_commands[i].summary);
    fputs("\n  -h, --help     this text; perfetty COMMAND --help says more\n"
          "  -V, --version  version\n",
          out);
}

static const struct cli_command *find(const char *name)
{
    for (unsigned i = 0; i < cli_commands_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0) return &cli_commands[i];
    return NULL;
}

static int run_help(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stdout);
        return cli_finish_output(CLI_OK);
    }
    const struct cli_command *command = find(argv[1]);
    if (!command) return cli_usage(NULL, "there is no command '%s'", argv[1]);
    char help[] = "--help";
    char *args[] = {argv[1], help, NULL};
    return command->run(2, args);
}

/* A trace without a subcommand is for the viewer, which needs a terminal. */
static int run_viewer(int argc, char **argv)
{
    if (argc >= 1 && argv[0][0] == '-' && argv[0][1] != 0 && strcmp(argv[0], "--") != 0 &&
        argc == 1)
        return cli_usage(NULL, "unknown option '%s'", argv[0]);
    const struct cli_command *view = find("view");
    bool is_plain = false;
    for (int i = 0; i < argc; i++)
        is_plain = is_plain || strcmp(argv[i], "--plain") == 0;
    if (is_plain && view) return view->run(argc + 1, argv - 1);
    if (!isatty(STDOUT_FILENO) || !view) {
        cli_say(
            "%s; for output without a screen see: perfetty query TRACE SQL, perfetty info TRACE",
            isatty(STDOUT_FILENO) ? "this build has no viewer" : "standard output is no terminal");
        return CLI_USAGE;
    }
    return view->run(argc + 1, argv - 1);
}

int cli_main(int argc, char **argv, const char *version)
{
    setlocale(LC_CTYPE, "");
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return run_help(1, argv + 1);
    if (strcmp(argv[1], "help") == 0) return run_help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("perfetty %s\n", version);
        return cli_finish_output(CLI_OK);
    }
    const struct cli_command *command = find(argv[1]);
    if (command) return command->run(argc - 1, argv + 1);
    return run_viewer(argc - 1, argv + 1);
}
