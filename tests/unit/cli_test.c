/* The program itself, by fork and exec: formats, operands, statuses, messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/buffer.h"

static char folder[] = "/tmp/perfetty_cli_XXXXXX";
static char trace[64], other[64], bad[64];

struct outcome {
    int status; /* exit status; 128 + signal */
    struct buffer out, err;
};

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(trace, sizeof trace, "%s/a.json", folder);
    snprintf(other, sizeof other, "%s/b.json", folder);
    snprintf(bad, sizeof bad, "%s/bad.txt", folder);
    write_file(trace,
               "[{\"name\":\"a,\\\"q\\\"\",\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]");
    write_file(other,
               "[{\"name\":\"b\",\"ph\":\"X\",\"ts\":3,\"dur\":4,\"pid\":1,\"tid\":1},{\"name\":");
    write_file(bad, "words");
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    unlink(trace);
    unlink(other);
    unlink(bad);
    return rmdir(folder);
}

static void slurp(const char *path, struct buffer *out)
{
    char piece[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        buffer_append(out, piece, n);
    fclose(f);
    unlink(path);
}

/* The child's side: stdin from a pipe, stdout and stderr to files. */
static void start_child(const char *const *args, int in)
{
    char path[80];
    snprintf(path, sizeof path, "%s/out", folder);
    int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    snprintf(path, sizeof path, "%s/err", folder);
    int err = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    execv(args[0], (char *const *)(uintptr_t)args);
    _exit(127);
}

static struct outcome run(const char *input, const char *const *words)
{
    const char *args[20] = {BINARY_DIR "/perfetty"};
    struct outcome outcome = {0, BUFFER_INIT, BUFFER_INIT};
    int ends[2], status;
    char path[80];
    for (int i = 0; words[i]; i++)
        args[i + 1] = words[i];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], input, strlen(input)), (ssize_t)strlen(input));
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        start_child(args, ends[0]);
    }
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    snprintf(path, sizeof path, "%s/out", folder);
    slurp(path, &outcome.out);
    snprintf(path, sizeof path, "%s/err", folder);
    slurp(path, &outcome.err);
    return outcome;
}

#define RUN(input, ...) run(input, (const char *const[]){__VA_ARGS__, NULL})

static void expect(struct outcome outcome, int status, const char *out, const char *err_part)
{
    if (outcome.status != status)
        fail_msg("status %d: %s", outcome.status, buffer_text(&outcome.err));
    if (out) assert_string_equal(buffer_text(&outcome.out), out);
    if (err_part && !strstr(buffer_text(&outcome.err), err_part))
        fail_msg("'%s' lacks '%s'", buffer_text(&outcome.err), err_part);
    if (!err_part) assert_string_equal(buffer_text(&outcome.err), "");
    buffer_free(&outcome.out);
    buffer_free(&outcome.err);
}

static void help_and_version_are_output(void **state)
{
    (void)state;
    struct outcome outcome = RUN("", "--help");
    assert_non_null(strstr(buffer_text(&outcome.out), "extensions"));
    expect(outcome, 0, NULL, NULL);
    expect(RUN("", "query", "--help"), 0, NULL, NULL);
    expect(RUN("", "shell", "-h"), 0, NULL, NULL);
    expect(RUN("", "info", "--help"), 0, NULL, NULL);
    expect(RUN("", "help", "extensions"), 0, NULL, NULL);
    outcome = RUN("", "--version");
    assert_non_null(strstr(buffer_text(&outcome.out), "perfetty "));
    expect(outcome, 0, NULL, NULL);
}

static void wrong_command_lines_are_2(void **state)
{
    (void)state;
    expect(RUN("", "query"), 2, "", "no trace was named");
    expect(RUN("", "query", "--nope", trace), 2, "", "unknown option '--nope'");
    expect(RUN("", "query", "--format"), 2, "", "--format needs a value");
    expect(RUN("", "query", "--format=x", trace, "select 1"), 2, "", "tp, csv, json or table");
    expect(RUN("", "query", "--extensions=x", trace, "select 1"), 2, "", "load or ignore");
    expect(RUN("", "query", "-", "-f", "-"), 2, "", "cannot be both");
    expect(RUN("", "extensions", "x", trace), 2, "", "say check, dump, strip or trust");
    expect(RUN("", "help", "nope"), 2, "", "no command 'nope'");
    expect(RUN("", trace), 2, "", "no terminal");
}

static void failures_are_1_and_named(void **state)
{
    (void)state;
    expect(RUN("", "query", bad, "-f", bad), 1, "", "bad.txt: Unknown trace type");
    expect(RUN("", "query", "/nonexistent/x", "-f", "-"), 1, "", "/nonexistent/x: No such file");
    expect(RUN("", "query", trace, "select 1 as a; select nope"), 1, "\"a\"\n1\n", "nope");
    expect(RUN("", "query", trace, " -- none"), 1, "", "No valid SQL to run");
    expect(RUN("", "extensions", "check", trace), 1, "", "no sidecar");
}

static void sql_comes_from_anywhere(void **state)
{
    (void)state;
    static const char want[] = "\"dur\"\n2000\n";
    expect(RUN("", "query", trace, "select dur from slice"), 0, want, NULL);
    expect(RUN("select dur from slice", "query", trace), 0, want, NULL);
    expect(RUN("select dur from slice", "query", trace, "-f", "-"), 0, want, NULL);
    expect(RUN("select dur from slice", "query", "-f-", "--", trace), 0, want, NULL);
    expect(RUN("[{\"name\":\"x\",\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]", "query",
               "-", "select dur from slice"),
           0, want, NULL);
}

static void several_operands_are_one_input(void **state)
{
    (void)state;
    expect(RUN("", "query", trace, other, "select count(1) as n from slice"), 0, "\"n\"\n2\n",
           "b.json: ");
    struct outcome outcome = RUN("", "query", folder, "select count(1) as n from slice");
    assert_non_null(strstr(buffer_text(&outcome.out), "\n2\n"));
    expect(outcome, 0, NULL, "bad.txt: left out");
}

static void each_trace_can_be_asked_by_itself(void **state)
{
    (void)state;
    struct buffer want = BUFFER_INIT;
    buffer_printf(&want, "\"trace\",\"n\"\n\"%s\",1\n\"%s\",1\n", trace, other);
    expect(RUN("", "query", "--each", "-q", trace, other, "select count(1) as n from slice"), 0,
           buffer_text(&want), NULL);
    expect(RUN("", "query", "--each", "-q", trace, bad, "-f", "/dev/null"), 1, NULL,
           "No valid SQL");
    buffer_free(&want);
}

static void formats_write_what_they_say(void **state)
{
    (void)state;
    static const char sql[] = "select name, dur, 0.5 as half, null as none, x'00ff' as raw "
                              "from slice; select 1 as one where 0";
    expect(RUN("", "query", trace, sql), 0,
           "\"name\",\"dur\",\"half\",\"none\",\"raw\"\n"
           "\"a,\"q\"\",2000,0.500000,\"[NULL]\",\"<raw bytes>\"\n\n\"one\"\n",
           NULL);
    expect(RUN("", "query", "--format", "csv", trace, sql), 0,
           "name,dur,half,none,raw\r\n\"a,\"\"q\"\"\",2000,0.5,,00ff\r\n\r\none\r\n", NULL);
    expect(RUN("", "query", "--format", "json", trace, sql), 0,
           "[{\"name\":\"a,\\\"q\\\"\",\"dur\":2000,\"half\":0.5,\"none\":null,\"raw\":\"00ff\"}]\n"
           "[]\n",
           NULL);
    expect(RUN("", "query", "--format", "table", trace, sql), 0,
           "name    dur      half  none  raw\n"
           "-----  ----  --------  ----  ---------\n"
           "a,\"q\"  2000  0.500000  NULL  <2 bytes>\n\n"
           "one\n---\n",
           NULL);
    struct outcome outcome = RUN("", "query", "--format", "table", trace, "select char(27) as esc");
    assert_null(strchr(buffer_text(&outcome.out), 27));
    expect(outcome, 0, NULL, NULL);
}

static void info_says_what_is_in_it(void **state)
{
    (void)state;
    struct outcome outcome = RUN("", "info", "-q", other);
    assert_non_null(strstr(buffer_text(&outcome.out), "1  slices"));
    assert_non_null(strstr(buffer_text(&outcome.out), "perfetty_input_truncated: 1"));
    expect(outcome, 0, NULL, NULL);
    outcome = RUN("", "info", "--json", trace);
    assert_non_null(strstr(buffer_text(&outcome.out), "\"slices\":1"));
    assert_non_null(strstr(buffer_text(&outcome.out), "\"end_ns\":3000"));
    expect(outcome, 0, NULL, NULL);
}

static void shell_answers_line_by_line(void **state)
{
    (void)state;
    struct outcome outcome =
        RUN("select dur from slice\n.width 6\nselect name from slice\n.q\n", "shell", trace);
    const char *text = buffer_text(&outcome.out);
    assert_non_null(strstr(text, "dur                 \n--------------------\n"
                                 "                2000\n\nQuery executed in "));
    assert_non_null(strstr(text, "name  \n------\na,\"q\" \n"));
    expect(outcome, 0, NULL, NULL);
    expect(RUN("select nope\n", "shell", trace), 1, NULL, "nope");
}

static void closed_pipe_ends_it(void **state)
{
    (void)state;
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        execl(BINARY_DIR "/perfetty", "perfetty", "query", trace,
              "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c",
              (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    char piece[100];
    assert_true(read(ends[0], piece, sizeof piece) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

static void interrupt_ends_it(void **state)
{
    (void)state;
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        execl(BINARY_DIR "/perfetty", "perfetty", "query", trace,
              "select 1 as first; with recursive c(x) as (select 1 union all select x + 1 from c) "
              "select count(1) as n from c",
              (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    nanosleep(&(struct timespec){0, 500000000}, NULL); /* it ends only by the signal */
    kill(child, SIGINT);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    close(ends[0]);
}

/* However early it comes: by the signal, or it was done before. */
static void interrupt_of_a_load_ends_it(void **state)
{
    (void)state;
    for (int i = 0; i < 24; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            int nothing = open("/dev/null", O_WRONLY);
            dup2(nothing, 1);
            dup2(nothing, 2);
            execl(BINARY_DIR "/perfetty", "perfetty", "query", trace, "select 1", (char *)NULL);
            _exit(127);
        }
        nanosleep(&(struct timespec){0, 3000000 * i}, NULL);
        kill(child, SIGINT);
        assert_int_equal(waitpid(child, &status, 0), child);
        bool by_signal = WIFSIGNALED(status) && WTERMSIG(status) == SIGINT;
        if (!by_signal && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
            fail_msg("after %d ms: status %x", 3 * i, (unsigned)status);
    }
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN); /* a child may not read its input */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_and_version_are_output),
        cmocka_unit_test(wrong_command_lines_are_2),
        cmocka_unit_test(failures_are_1_and_named),
        cmocka_unit_test(sql_comes_from_anywhere),
        cmocka_unit_test(several_operands_are_one_input),
        cmocka_unit_test(each_trace_can_be_asked_by_itself),
        cmocka_unit_test(formats_write_what_they_say),
        cmocka_unit_test(info_says_what_is_in_it),
        cmocka_unit_test(shell_answers_line_by_line),
        cmocka_unit_test(closed_pipe_ends_it),
        cmocka_unit_test(interrupt_ends_it),
        cmocka_unit_test(interrupt_of_a_load_ends_it),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
