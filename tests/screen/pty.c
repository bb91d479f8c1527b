#define _DEFAULT_SOURCE
#include "tests/screen/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <utmp.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "engine/base/utf8.h"

struct pty {
    int master, slave; /* the slave is kept open, so that its modes can be asked */
    pid_t pid;
    int status;
    bool ended, eof;
    int columns, rows;
    VTerm *term;
    VTermScreen *screen;
    bool alternate, cursor_visible;
    int mouse;
    VTermPos cursor;
    struct buffer raw, text;
    int64_t read_at; /* of the last bytes */
    char *home;
    bool owns_home;
};

/* ---- what the emulator tells ---- */

static int on_property(VTermProp property, VTermValue *value, void *context)
{
    struct pty *pty = context;
    if (property == VTERM_PROP_ALTSCREEN) pty->alternate = value->boolean;
    if (property == VTERM_PROP_MOUSE) pty->mouse = value->number;
    if (property == VTERM_PROP_CURSORVISIBLE) pty->cursor_visible = value->boolean;
    return 1;
}

static int on_cursor(VTermPos position, VTermPos old, int visible, void *context)
{
    (void)old;
    (void)visible;
    ((struct pty *)context)->cursor = position;
    return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property, .movecursor = on_cursor};

/* ---- start and end ---- */

static void set_environment(const struct pty_options *options, const char *home)
{
    char text[600];
    setenv("TERM", options->term ? options->term : "xterm-256color", 1);
    setenv("LC_ALL", options->locale ? options->locale : "C.UTF-8", 1);
    setenv("HOME", home, 1);
    snprintf(text, sizeof text, "%s/config", home);
    setenv("XDG_CONFIG_HOME", text, 1);
    snprintf(text, sizeof text, "%s/state", home);
    setenv("XDG_STATE_HOME", text, 1);
    snprintf(text, sizeof text, "%s/cache", home);
    setenv("XDG_CACHE_HOME", text, 1);
    /* For the console curses loads libgpm, which leaks and is gone at the check. */
    if (strcmp(getenv("TERM"), "linux") == 0) setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    unsetenv("COLORTERM");
    unsetenv("TMUX");
    unsetenv("NO_COLOR");
    unsetenv("LINES");
    unsetenv("COLUMNS");
    for (size_t i = 0; options->extra && options->extra[i]; i++)
        putenv((char *)(uintptr_t)options->extra[i]);
}

struct pty *pty_start(const struct pty_options *options, const char *const *argv)
{
    struct pty *pty = mem_zero(1, sizeof *pty);
    pty->columns = options->columns;
    pty->rows = options->rows;
    if (options->home) {
        pty->home = mem_strdup(options->home);
    } else {
        char template[] = "/tmp/perfetty-test-XXXXXX";
        pty->home = mem_strdup(mkdtemp(template));
        pty->owns_home = true;
    }
    struct winsize size = {.ws_col = (unsigned short)options->columns,
                           .ws_row = (unsigned short)options->rows};
    if (options->unsized) size = (struct winsize){0};
    if (openpty(&pty->master, &pty->slave, NULL, NULL, &size) != 0) abort();
    pty->pid = fork();
    if (pty->pid == 0) {
        set_environment(options, pty->home);
        close(pty->master);
        login_tty(dup(pty->slave));
        if (options->stdin_fd) dup2(options->stdin_fd, 0);
        execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    fcntl(pty->master, F_SETFL, O_NONBLOCK);
    pty->term = vterm_new(options->rows, options->columns);
    vterm_set_utf8(pty->term, 1);
    pty->screen = vterm_obtain_screen(pty->term);
    vterm_screen_set_callbacks(pty->screen, &callbacks, pty);
    vterm_screen_enable_altscreen(pty->screen, 1);
    vterm_screen_reset(pty->screen, 1);
    pty->cursor_visible = true;
    return pty;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

void pty_free(struct pty *pty)
{
    if (!pty) return;
    if (!pty->ended) {
        kill(pty->pid, SIGKILL);
        waitpid(pty->pid, NULL, 0);
    }
    if (pty->master >= 0) pty_hang_up(pty);
    vterm_free(pty->term);
    buffer_free(&pty->raw);
    buffer_free(&pty->text);
    if (pty->owns_home) nftw(pty->home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    mem_free(pty->home);
    mem_free(pty);
}

/* ---- bytes both ways ---- */

/* Reads what is there within timeout_ms; true when something came. */
static bool pump(struct pty *pty, int timeout_ms)
{
    struct pollfd fd = {pty->master, POLLIN, 0}; /* after a hang-up it only waits */
    if (poll(&fd, 1, timeout_ms) <= 0) return false;
    char bytes[65536];
    ssize_t n = read(pty->master, bytes, sizeof bytes);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) pty->eof = true;
        return false;
    }
    pty->read_at = clock_now_ns();
    buffer_append(&pty->raw, bytes, (size_t)n);
    vterm_input_write(pty->term, bytes, (size_t)n);
    vterm_screen_flush_damage(pty->screen);
    /* Answers of the terminal to the program (there are none that matter). */
    char answer[256];
    size_t length = vterm_output_read(pty->term, answer, sizeof answer);
    if (length) {
        ssize_t ignored = write(pty->master, answer, length);
        (void)ignored;
    }
    return true;
}

static void reap(struct pty *pty)
{
    if (!pty->ended && waitpid(pty->pid, &pty->status, WNOHANG) == pty->pid) pty->ended = true;
}

void pty_send(struct pty *pty, const char *bytes)
{
    size_t n = strlen(bytes), sent = 0;
    while (sent < n) {
        ssize_t written = write(pty->master, bytes + sent, n - sent);
        if (written > 0)
            sent += (size_t)written;
        else if (errno == EAGAIN)
            pump(pty, 20);
        else
            return;
    }
}

void pty_resize(struct pty *pty, int columns, int rows)
{
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    pump(pty, 0);
    pty->columns = columns;
    pty->rows = rows;
    vterm_set_size(pty->term, rows, columns);
    ioctl(pty->master, TIOCSWINSZ, &size);
}

void pty_signal(struct pty *pty, int number)
{
    kill(pty->pid, number);
}

void pty_settle(struct pty *pty, int quiet_ms)
{
    while (!pty->eof && pump(pty, quiet_ms))
        continue;
    reap(pty);
}

int64_t pty_last_byte_ns(struct pty *pty, int quiet_ms)
{
    int64_t last = 0;
    while (!pty->eof && pump(pty, quiet_ms))
        last = pty->read_at;
    return last;
}

static bool wait_for(struct pty *pty, const char *text, bool present, int timeout_ms)
{
    int64_t until = clock_now_ns() + (int64_t)timeout_ms * 1000000;
    for (;;) {
        while (pump(pty, 0))
            continue;
        bool found = pty_find_row(pty, text, 0) >= 0;
        if (found == present) return true;
        reap(pty);
        if (pty->ended || clock_now_ns() > until) return false;
        pump(pty, 20);
    }
}

bool pty_wait_text(struct pty *pty, const char *text, int timeout_ms)
{
    return wait_for(pty, text, true, timeout_ms);
}

bool pty_wait_gone(struct pty *pty, const char *text, int timeout_ms)
{
    return wait_for(pty, text, false, timeout_ms);
}

int pty_wait_exit(struct pty *pty, int timeout_ms)
{
    int64_t until = clock_now_ns() + (int64_t)timeout_ms * 1000000;
    while (!pty->ended) {
        pump(pty, 10);
        reap(pty);
        if (clock_now_ns() > until) return -1;
    }
    while (pump(pty, 0))
        continue;
    return pty->status;
}

void pty_hang_up(struct pty *pty)
{
    close(pty->slave);
    close(pty->master);
    pty->master = pty->slave = -1;
    pty->eof = true;
}

/* ---- the screen ---- */

static void append_row(struct pty *pty, int row, struct buffer *out)
{
    size_t start = out->length;
    for (int x = 0; x < pty->columns;) {
        VTermScreenCell cell;
        VTermPos at = {row, x};
        vterm_screen_get_cell(pty->screen, at, &cell);
        if (cell.chars[0] == 0 || cell.chars[0] == UINT32_MAX) {
            buffer_append_byte(out, ' ');
            x++;
            continue;
        }
        for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++) {
            char bytes[4];
            buffer_append(out, bytes, utf8_encode(cell.chars[i], bytes));
        }
        x += cell.width > 0 ? cell.width : 1;
    }
    while (out->length > start && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
}

const char *pty_row(struct pty *pty, int row)
{
    buffer_clear(&pty->text);
    append_row(pty, row, &pty->text);
    return buffer_text(&pty->text);
}

const char *pty_screen(struct pty *pty)
{
    buffer_clear(&pty->text);
    for (int row = 0; row < pty->rows; row++) {
        append_row(pty, row, &pty->text);
        buffer_append_byte(&pty->text, '\n');
    }
    return buffer_text(&pty->text);
}

int pty_find_row(struct pty *pty, const char *text, int from)
{
    for (int row = from; row < pty->rows; row++)
        if (strstr(pty_row(pty, row), text)) return row;
    return -1;
}

int pty_find_column(struct pty *pty, int row, const char *text)
{
    const char *line = pty_row(pty, row);
    const char *hit = strstr(line, text);
    if (!hit) return -1;
    return (int)utf8_visible_width((struct str){line, (size_t)(hit - line)}, false);
}

struct pty_cell pty_cell(struct pty *pty, int row, int column)
{
    VTermScreenCell cell;
    VTermPos at = {row, column};
    vterm_screen_get_cell(pty->screen, at, &cell);
    struct pty_cell out = {.character = cell.chars[0],
                           .bold = cell.attrs.bold,
                           .underline = cell.attrs.underline,
                           .reverse = cell.attrs.reverse,
                           .has_fg = !VTERM_COLOR_IS_DEFAULT_FG(&cell.fg),
                           .has_bg = !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg)};
    vterm_screen_convert_color_to_rgb(pty->screen, &cell.fg);
    vterm_screen_convert_color_to_rgb(pty->screen, &cell.bg);
    memcpy(out.fg, (uint8_t[]){cell.fg.rgb.red, cell.fg.rgb.green, cell.fg.rgb.blue}, 3);
    memcpy(out.bg, (uint8_t[]){cell.bg.rgb.red, cell.bg.rgb.green, cell.bg.rgb.blue}, 3);
    return out;
}

void pty_cursor(struct pty *pty, int *row, int *column, bool *visible)
{
    *row = pty->cursor.row;
    *column = pty->cursor.col;
    *visible = pty->cursor_visible;
}

bool pty_is_alternate(const struct pty *pty)
{
    return pty->alternate;
}

bool pty_has_mouse(const struct pty *pty)
{
    return pty->mouse != 0;
}

bool pty_is_cooked(struct pty *pty)
{
    struct termios modes;
    if (tcgetattr(pty->slave, &modes) != 0) return false;
    return (modes.c_lflag & (ECHO | ICANON | ISIG)) == (ECHO | ICANON | ISIG);
}

const char *pty_raw(const struct pty *pty, size_t *length)
{
    *length = pty->raw.length;
    return buffer_text(&pty->raw);
}

size_t pty_bytes(const struct pty *pty)
{
    return pty->raw.length;
}

const char *pty_home(const struct pty *pty)
{
    return pty->home;
}
