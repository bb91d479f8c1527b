#include "tests/screen/stage.h"

#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define MOST_ARGS 20

/* ---- files ---- */

void stage_begin(struct stage *stage)
{
    *stage = (struct stage){.folder = "/tmp/perfetty-screen-XXXXXX"};
    assert_non_null(mkdtemp(stage->folder));
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

void stage_end(struct stage *stage)
{
    nftw(stage->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *stage_file(const struct stage *stage, const char *name, char path[STAGE_PATH])
{
    snprintf(path, STAGE_PATH, "%s/%s", stage->folder, name);
    return path;
}

void stage_write(const char *path, const struct buffer *bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes->data, 1, bytes->length, file), bytes->length);
    assert_int_equal(fclose(file), 0);
}

uint64_t stage_seed(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000003u + (uint64_t)now.tv_nsec;
}

void stage_write_story(const struct stage *stage, uint64_t seed, struct gen_story *story)
{
    struct buffer archive = BUFFER_INIT;
    char path[STAGE_PATH];
    tracegen_story(&archive, seed, story);
    stage_write(stage_file(stage, "story.zip", path), &archive);
    buffer_free(&archive);
}

/* ---- the program on a pty ---- */

struct pty *stage_open_with(struct stage *stage, const struct pty_options *options,
                            const char *const *args)
{
    const char *argv[MOST_ARGS] = {PERFETTY};
    for (int i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    struct pty_options with_home = *options;
    with_home.home = stage->folder;
    return pty_start(&with_home, argv);
}

struct pty *stage_open(struct stage *stage, int columns, int rows, const char *const *args)
{
    return stage_open_with(stage, &(struct pty_options){.columns = columns, .rows = rows}, args);
}

static void print_screen(struct pty *pty)
{
    fprintf(stderr, "---- screen ----\n%s----------------\n", pty_screen(pty));
}

void stage_check_at(struct pty *pty, bool good, const char *what, const char *file, int line)
{
    if (good) return;
    pty_settle(pty, 200);
    fprintf(stderr, "not true: %s\n", what);
    print_screen(pty);
    _fail(file, line);
}

void stage_expect_at(struct pty *pty, const char *text, bool present, const char *file, int line)
{
    bool done =
        present ? pty_wait_text(pty, text, STAGE_WAIT_MS) : pty_wait_gone(pty, text, STAGE_WAIT_MS);
    if (done) return;
    fprintf(stderr, "%s: \"%s\"\n", present ? "does not come" : "does not go", text);
    print_screen(pty);
    _fail(file, line);
}

void stage_check_restored_at(struct pty *pty, const char *file, int line)
{
    int row, column;
    bool visible;
    pty_cursor(pty, &row, &column, &visible);
    stage_check_at(pty, !pty_is_alternate(pty), "the alternate screen is left", file, line);
    stage_check_at(pty, !pty_has_mouse(pty), "the mouse is off", file, line);
    stage_check_at(pty, pty_is_cooked(pty), "the line discipline is as before", file, line);
    stage_check_at(pty, visible, "the cursor is visible", file, line);
}

void stage_quit(struct pty *pty)
{
    pty_send(pty, "q");
    int status = pty_wait_exit(pty, STAGE_WAIT_MS);
    stage_check(pty, status != -1);
    stage_check(pty, WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    stage_check_restored(pty);
}

/* ---- programs without a terminal ---- */

static void run_child(const struct stage *stage, const char *const *argv, int out, int err)
{
    char text[STAGE_PATH];
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(out, 1);
    dup2(err, 2);
    close(nothing);
    close(out); /* a server that it leaves behind must not hold them */
    close(err);
    setenv("HOME", stage->folder, 1);
    setenv("XDG_CONFIG_HOME", stage_file(stage, "config", text), 1);
    setenv("XDG_STATE_HOME", stage_file(stage, "state", text), 1);
    setenv("XDG_CACHE_HOME", stage_file(stage, "cache", text), 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("NO_COLOR");
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
}

bool stage_run(struct stage *stage, const char *const *argv, struct stage_output *output)
{
    int out[2], err[2];
    *output = (struct stage_output){BUFFER_INIT, BUFFER_INIT, -1};
    assert_int_equal(pipe(out), 0);
    assert_int_equal(pipe(err), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(out[0]);
        close(err[0]);
        run_child(stage, argv, out[1], err[1]);
    }
    close(out[1]);
    close(err[1]);
    struct pollfd fds[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
    struct buffer *to[2] = {&output->out, &output->err};
    for (int open_fds = 2; open_fds > 0 && poll(fds, 2, -1) > 0;)
        for (int i = 0; i < 2; i++) {
            char bytes[16384];
            if (fds[i].fd < 0 || !fds[i].revents) continue;
            ssize_t n = read(fds[i].fd, bytes, sizeof bytes);
            if (n > 0) {
                buffer_append(to[i], bytes, (size_t)n);
                continue;
            }
            close(fds[i].fd);
            fds[i].fd = -1;
            open_fds--;
        }
    int status;
    waitpid(pid, &status, 0);
    if (WIFEXITED(status)) output->exit_status = WEXITSTATUS(status);
    return WIFEXITED(status);
}

void stage_output_free(struct stage_output *output)
{
    buffer_free(&output->out);
    buffer_free(&output->err);
}
