/* perfetty shell TRACE… : SQL line by line (engine_5 7.3). */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/line.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "engine/base/vec.h"

enum { PAGE_ROWS = 32, WIDTH_DEFAULT = 20, WIDTH_WIDE = 40, WIDTH_MAX = 1000, KEPT_ROWS = 1000000 };

struct shell {
    struct engine *engine;
    struct line_editor *lines;
    unsigned width; /* cells of a column */
    bool is_interactive;
    bool failed; /* some statement did, where nobody watches */
};

static const char help_text[] = "Type SQL, one or several statements on a line.  Commands:\n"
                                ".quit, .q      end\n"
                                ".help          this text\n"
                                ".read FILE     run the SQL in a file\n"
                                ".width N       width of the columns\n"
                                ".tables        names of tables and views\n";

/* ---- rows ---- */

static void print_cell(const struct shell *shell, struct str text, bool right, bool last)
{
    struct buffer visible = BUFFER_INIT;
    utf8_append_visible(&visible, text, false);
    struct str rest = buffer_str(&visible);
    struct buffer kept = BUFFER_INIT;
    size_t cells = 0;
    while (rest.n > 0) {
        uint32_t c;
        size_t used = utf8_decode(rest, &c);
        size_t width = (size_t)utf8_width(c);
        if (cells + width > shell->width) break;
        buffer_append(&kept, rest.p, used);
        cells += width;
        rest = str_slice(rest, used, rest.n);
    }
    size_t space = shell->width - cells;
    if (right) printf("%*s", (int)space, "");
    fputs(buffer_text(&kept), stdout);
    if (!right) printf("%*s", (int)space, "");
    putchar(last ? '\n' : ' ');
    buffer_free(&kept);
    buffer_free(&visible);
}

static void print_header(const struct shell *shell, const struct result *result)
{
    for (uint32_t c = 0; c < result->n_columns; c++)
        print_cell(shell, str_of(result->names[c]), false, c + 1 == result->n_columns);
    for (uint32_t c = 0; c < result->n_columns; c++) {
        for (unsigned i = 0; i < shell->width; i++)
            putchar('-');
        putchar(c + 1 == result->n_columns ? '\n' : ' ');
    }
}

static void print_row(const struct shell *shell, const struct result *result, uint64_t row)
{
    for (uint32_t c = 0; c < result->n_columns; c++) {
        const struct result_cell *cell = result_at(result, row, c);
        bool last = c + 1 == result->n_columns;
        char text[400];
        switch (cell->type) {
        case CELL_NULL: print_cell(shell, STR("[NULL]"), false, last); break;
        case CELL_INT:
            snprintf(text, sizeof text, "%lld", (long long)cell->integer);
            print_cell(shell, str_of(text), true, last);
            break;
        case CELL_REAL:
            snprintf(text, sizeof text, "%f", cell->real);
            print_cell(shell, str_of(text), true, last);
            break;
        case CELL_TEXT: print_cell(shell, cell->text, false, last); break;
        case CELL_BLOB: print_cell(shell, STR("<raw bytes>"), false, last); break;
        }
    }
}

/* False when the person has seen enough. */
static bool ask_for_more(const struct shell *shell)
{
    if (!shell->is_interactive) return true;
    fflush(stdout);
    fputs("...\nType 'q' to stop, Enter for more records: ", stderr);
    char answer[64];
    if (!fgets(answer, sizeof answer, stdin)) {
        clearerr(stdin);
        return false;
    }
    return answer[0] != 'q';
}

static void print_result(const struct shell *shell, const struct result *result)
{
    if (result->n_columns > 0 && result->n_rows == 0) print_header(shell, result);
    for (uint64_t row = 0; row < result->n_rows; row++) {
        if (row % PAGE_ROWS == 0) {
            if (row > 0 && !ask_for_more(shell)) break;
            print_header(shell, result);
        }
        print_row(shell, result, row);
    }
    if (result->rows_left_out > 0)
        printf("(%llu rows more)\n", (unsigned long long)result->rows_left_out);
    printf("\nQuery executed in %.3f ms\n\n", (double)result->elapsed_ns / 1e6);
}

static void run_sql(struct shell *shell, struct str sql)
{
    struct status st = STATUS_INIT;
    struct result *result = engine_query_result(shell->engine, sql, KEPT_ROWS, &st);
    if (result) {
        print_result(shell, result);
        result_free(result);
    } else {
        shell->failed = true;
        cli_fail_query(&st);
    }
    cli_take_interrupt();
}

/* ---- commands ---- */

static void read_file(struct shell *shell, const char *path)
{
    struct status st = STATUS_INIT;
    size_t length;
    char *sql = cli_read_text(path, &length, &st);
    if (sql)
        run_sql(shell, (struct str){sql, length});
    else
        cli_fail(&st);
    mem_free(sql);
}

/* False at the end of the session. */
static bool run_command(struct shell *shell, const char *line)
{
    uint64_t width;
    if (strcmp(line, ".quit") == 0 || strcmp(line, ".q") == 0) return false;
    if (strncmp(line, ".read ", 6) == 0)
        read_file(shell, line + 6);
    else if (strcmp(line, ".tables") == 0)
        run_sql(shell, STR("select name, type from sqlite_master where type in ('table', 'view') "
                           "order by name"));
    else if (strncmp(line, ".width ", 7) == 0 && str_to_uint64(str_of(line + 7), &width) &&
             width > 0 && width <= WIDTH_MAX)
        shell->width = (unsigned)width;
    else
        fputs(help_text, stdout);
    return true;
}

static void run_lines(struct shell *shell)
{
    char *line;
    while ((line = line_editor_read(shell->lines, "> ")) != NULL) {
        struct str text = str_trim(str_of(line));
        bool goes_on = true;
        if (text.n == 0 && shell->is_interactive) {
            puts("If you want to quit either type .q or press CTRL-D (EOF)");
        } else if (text.n > 0 && text.p[0] == '.') {
            char *command = mem_copy_string(text.p, text.n);
            goes_on = run_command(shell, command);
            mem_free(command);
        } else if (text.n > 0) {
            run_sql(shell, text);
        }
        mem_free(line);
        fflush(stdout);
        if (!goes_on) break;
    }
}

static int run(const struct cli_load *load, const struct cli_operands *operands, bool wide)
{
    int exit_status = CLI_OK;
    if (operands->count == 0) return cli_usage("shell", "no trace was named");
    for (size_t i = 0; i < operands->count; i++)
        if (strcmp(operands->items[i], "-") == 0)
            return cli_usage("shell", "standard input is where the SQL comes from");
    struct shell shell = {.width = wide ? WIDTH_WIDE : WIDTH_DEFAULT,
                          .is_interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
    shell.engine =
        cli_open(load, operands->items, operands->count, ENGINE_EXTENSIONS_LOAD, &exit_status);
    if (!shell.engine) return exit_status;
    cli_take_interrupt();
    shell.lines = line_editor_new(shell.is_interactive);
    run_lines(&shell);
    line_editor_free(shell.lines);
    cli_close(shell.engine);
    return shell.failed && !shell.is_interactive ? CLI_FAILED : CLI_OK;
}

int cli_run_shell(int argc, char **argv)
{
    struct cli_load load = {0};
    bool wide = false, help = false;
    const struct cli_option options[] = {
        {"wide", 'W', NULL, "columns of 40 cells instead of 20", NULL, &wide},
        CLI_LOAD_OPTIONS(&load),
    };
    size_t n_options = sizeof options / sizeof *options;
    struct cli_operands operands = {0};
    struct status st = STATUS_INIT;
    int exit_status = CLI_OK;
    if (!args_parse(options, n_options, argc, argv, &operands, &help, &st)) {
        exit_status = cli_usage("shell", "%s", status_message(&st));
    } else if (help) {
        fputs("usage: perfetty shell TRACE… [options]\n\nReads SQL from the terminal, line by "
              "line.  Ctrl-C stops a running query.\n\n",
              stdout);
        args_print_options(stdout, options, n_options);
        putchar('\n');
        fputs(help_text, stdout);
    } else {
        exit_status = run(&load, &operands, wide);
    }
    status_clear(&st);
    vec_free(&operands);
    return cli_finish_output(exit_status);
}
