#define _XOPEN_SOURCE_EXTENDED
#define NCURSES_WIDECHAR 1
#include "tui/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <curses.h>
#include <term.h>

#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/thread.h"
#include "engine/extensions/base64.h"
#include "tui/input_decode.h"
#include "tui/terminal_entry.h"

/* term.h and curses.h define short words as macros. */
#undef lines
#undef columns

struct terminal {
    SCREEN *screen;
    FILE *tty; /* where keys come from when it is not standard input */
    int key_fd;
    int wake_read, wake_write;
    int colors;
    bool utf8, mouse, no_color;
    bool is_known;    /* by the system's terminfo database */
    struct map pairs; /* fg << 32 | bg (terminal numbers) -> pair */
    int next_pair;
    int pair_limit;
    struct input_decoder *decoder;
    bool woken;
    struct mouse last_press;
    int64_t last_press_ns;
    /* What curses was told of last: cells that stay the same are not told again. */
    struct cell *shown;
    int shown_width, shown_height;
    struct theme shown_theme;
};

#define ESCAPE_MS   10  /* a lone Esc is the key after that long */
#define SEQUENCE_MS 200 /* a sequence cut by the network may go on */
#define DOUBLE_MS   400

/* ---- what a signal handler needs ---- */

static struct {
    struct termios before;
    int fd;
    bool active;
    char reset[256];
    size_t reset_length;
} emergency;

static void add_reset(const char *sequence)
{
    if (!sequence || sequence == (char *)-1) return;
    size_t n = strlen(sequence);
    if (emergency.reset_length + n > sizeof emergency.reset) return;
    memcpy(emergency.reset + emergency.reset_length, sequence, n);
    emergency.reset_length += n;
}

static void restore_now(void)
{
    if (!emergency.active) return;
    emergency.active = false;
    ssize_t ignored = write(STDOUT_FILENO, emergency.reset, emergency.reset_length);
    (void)ignored;
    tcsetattr(emergency.fd, TCSANOW, &emergency.before);
}

static volatile sig_atomic_t window_changed;
static int window_wake = -1; /* the wake-up pipe, or the change would wait for a key */

static void on_window_change(int number)
{
    (void)number;
    int error = errno;
    window_changed = 1;
    ssize_t ignored = write(window_wake, "", 1);
    (void)ignored;
    errno = error;
}

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL, SIGABRT,
                                    SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGPIPE};

static void on_fatal_signal(int number)
{
    restore_now();
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}

static void catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_fatal_signal;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        sigaction(fatal_signals[i], &action, NULL);
    action.sa_handler = on_window_change;
    sigaction(SIGWINCH, &action, NULL);
    mem_set_panic(restore_now);
}

static void release_signals(void)
{
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        signal(fatal_signals[i], SIG_DFL);
    signal(SIGWINCH, SIG_DFL);
    mem_set_panic(NULL);
}

/* ---- open and close ---- */

/* Mouse with drags (1002) in its wide form (1006), and pastes told from keys (2004). */
#define MOUSE_ON  "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1002l\033[?1006l"
#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define MODES_OFF MOUSE_OFF PASTE_OFF

static void send_modes(const char *modes)
{
    /* A terminal without a mouse (the console, vt100) would print them. */
    if (!key_mouse) return;
    fputs(modes, stdout);
    fflush(stdout);
}

/* Gives the screen back.  Some terminals restore, with the main screen, a hidden cursor
 * that curses saved while scrolling: it is shown once more. */
static void leave_screen(void)
{
    send_modes(MODES_OFF);
    endwin();
    if (cursor_normal) fputs(cursor_normal, stdout);
    fflush(stdout);
}

static void prepare_emergency(int fd)
{
    emergency.fd = fd;
    emergency.reset_length = 0;
    add_reset(MODES_OFF);
    add_reset(tigetstr("sgr0"));
    add_reset(tigetstr("op"));
    add_reset(tigetstr("rmkx"));
    add_reset(tigetstr("rmcup"));
    add_reset(tigetstr("cnorm"));
    emergency.active = tcgetattr(fd, &emergency.before) == 0;
}

static void start_colors(struct terminal *t)
{
    t->colors = 0;
    if (t->no_color || !has_colors()) return;
    start_color();
    use_default_colors();
    t->colors = COLORS >= 1 << 24 ? 1 << 24 : COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : 8;
    t->next_pair = 1;
    t->pair_limit = COLOR_PAIRS;
}

static void enter_modes(struct terminal *t)
{
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    leaveok(stdscr, FALSE);
    typeahead(-1); /* a frame is sent whole: only the next change would send its rest */
    terminal_set_mouse(t, t->mouse);
    send_modes(PASTE_ON);
}

/* The sequences that this terminal's description has for keys; curses's own table of
 * them is not used, since its reader loses keys after a byte that is no character. */
static void describe_keys(struct terminal *t)
{
    static const struct {
        const char *capability;
        struct key key;
    } keys[] = {
        {"kcuu1", {KEY_NAME_UP, 0}},           {"kcud1", {KEY_NAME_DOWN, 0}},
        {"kcub1", {KEY_NAME_LEFT, 0}},         {"kcuf1", {KEY_NAME_RIGHT, 0}},
        {"khome", {KEY_NAME_HOME, 0}},         {"kend", {KEY_NAME_END, 0}},
        {"kpp", {KEY_NAME_PAGE_UP, 0}},        {"knp", {KEY_NAME_PAGE_DOWN, 0}},
        {"kich1", {KEY_NAME_INSERT, 0}},       {"kdch1", {KEY_NAME_DELETE, 0}},
        {"kbs", {KEY_NAME_BACKSPACE, 0}},      {"kent", {KEY_NAME_ENTER, 0}},
        {"kcbt", {KEY_NAME_TAB, KEY_SHIFT}},   {"kLFT", {KEY_NAME_LEFT, KEY_SHIFT}},
        {"kRIT", {KEY_NAME_RIGHT, KEY_SHIFT}}, {"kri", {KEY_NAME_UP, KEY_SHIFT}},
        {"kind", {KEY_NAME_DOWN, KEY_SHIFT}},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *sequence = tigetstr(keys[i].capability);
        if (sequence && sequence != (char *)-1)
            input_decoder_add_sequence(t->decoder, sequence, keys[i].key);
    }
    for (int i = 1; i <= 12; i++) {
        char capability[8];
        snprintf(capability, sizeof capability, "kf%d", i);
        const char *sequence = tigetstr(capability);
        struct key key = {KEY_NAME_F1 + (uint32_t)i - 1, 0};
        if (sequence && sequence != (char *)-1)
            input_decoder_add_sequence(t->decoder, sequence, key);
    }
}

struct terminal *terminal_open(const struct terminal_options *options, struct status *st)
{
    if (!isatty(STDOUT_FILENO)) {
        status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "standard output is not a terminal");
        return NULL;
    }
    FILE *tty = options->keys_from_tty ? fopen("/dev/tty", "r+") : NULL;
    if (options->keys_from_tty && !tty) {
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                    "the trace comes from standard input and there is no /dev/tty for keys");
        return NULL;
    }
    int key_fd = tty ? fileno(tty) : STDIN_FILENO;
    const char *name = getenv("TERM");
    struct terminal_entry entry = {0};
    int error = 0;
    if (setupterm(name, STDOUT_FILENO, &error) != OK &&
        (!terminal_entry_begin(&entry, name) ||
         setupterm(entry.name, STDOUT_FILENO, &error) != OK)) {
        terminal_entry_end(&entry);
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                    "this terminal (TERM=%s) is not known here; try TERM=xterm or TERM=vt100",
                    name ? name : "");
        if (tty) fclose(tty);
        return NULL;
    }
    const char *move = tigetstr("cup");
    if (!move || move == (char *)-1) {
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                    "this terminal (TERM=%s) cannot move its cursor; without a full screen use "
                    "perfetty query, info or snapshot",
                    name ? name : "");
        del_curterm(cur_term);
        if (tty) fclose(tty);
        return NULL;
    }
    prepare_emergency(key_fd);
    del_curterm(cur_term); /* newterm makes its own */
    SCREEN *screen = newterm(entry.name, stdout, tty ? tty : stdin);
    terminal_entry_end(&entry);
    if (!screen) {
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "the terminal (TERM=%s) cannot be used",
                    name ? name : "");
        if (tty) fclose(tty);
        return NULL;
    }
    struct terminal *t = mem_zero(1, sizeof *t);
    t->screen = screen;
    t->tty = tty;
    t->key_fd = key_fd;
    t->mouse = options->mouse;
    t->no_color = options->no_color;
    t->is_known = !entry.name;
    t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    int wake[2] = {-1, -1};
    if (pipe(wake) == 0) {
        fcntl(wake[0], F_SETFL, O_NONBLOCK);
        fcntl(wake[1], F_SETFL, O_NONBLOCK);
        fcntl(wake[0], F_SETFD, FD_CLOEXEC);
        fcntl(wake[1], F_SETFD, FD_CLOEXEC);
    }
    t->wake_read = wake[0];
    t->wake_write = window_wake = wake[1];
    t->decoder = input_decoder_new(t->utf8);
    describe_keys(t);
    catch_signals();
    start_colors(t);
    enter_modes(t);
    return t;
}

void terminal_close(struct terminal *t)
{
    if (!t) return;
    leave_screen();
    emergency.active = false;
    release_signals();
    delscreen(t->screen);
    if (t->tty) fclose(t->tty);
    if (t->wake_read >= 0) close(t->wake_read);
    if (t->wake_write >= 0) close(t->wake_write);
    map_free(&t->pairs);
    input_decoder_free(t->decoder);
    mem_free(t->shown);
    mem_free(t);
}

void terminal_size(const struct terminal *t, int *width, int *height)
{
    (void)t;
    /* A pty that was never told its size says 0x0. */
    *width = COLS > 0 ? COLS : 80;
    *height = LINES > 0 ? LINES : 24;
}

int terminal_colors(const struct terminal *t)
{
    return t->colors;
}

bool terminal_is_known(const struct terminal *t)
{
    return t->is_known;
}

bool terminal_is_utf8(const struct terminal *t)
{
    return t->utf8;
}

/* ---- drawing ---- */

static int color_number(const struct terminal *t, const struct theme *theme, unsigned role)
{
    if (role == COLOR_DEFAULT) return -1;
    const struct theme_color *color = &theme->colors[role];
    if (t->colors == 1 << 24) return (int)color->rgb;
    if (t->colors == 256) return color->index256;
    if (t->colors == 16) return color->index16;
    return color->index16 & 7;
}

static int pair_of(struct terminal *t, int fg, int bg)
{
    if (fg < 0 && bg < 0) return 0;
    bool added;
    uint64_t key = (uint64_t)(uint32_t)fg << 32 | (uint32_t)bg;
    uint64_t *pair = map_put_if_absent(&t->pairs, key, 0, &added);
    if (!added) return (int)*pair;
    if (t->next_pair >= t->pair_limit || t->next_pair >= 32767) return 0;
    init_extended_pair(t->next_pair, fg, bg);
    *pair = (uint64_t)t->next_pair;
    return t->next_pair++;
}

static void cell_look(struct terminal *t, const struct theme *theme, const struct cell *cell,
                      attr_t *attributes, int *pair)
{
    attr_t a = A_NORMAL;
    bool reverse = cell->attributes & CELL_REVERSE;
    *pair = 0;
    if (t->colors == 0 || theme->is_mono) {
        reverse ^= cell->bg != COLOR_DEFAULT && cell->bg != COLOR_FOCUS;
        if (cell->fg == COLOR_ACCENT || cell->fg == COLOR_SELECTION) a |= A_BOLD;
    } else {
        int fg = color_number(t, theme, cell->fg), bg = color_number(t, theme, cell->bg);
        *pair = pair_of(t, fg, bg);
        if (t->colors == 8 && cell->fg != COLOR_DEFAULT && theme->colors[cell->fg].index16 > 7)
            a |= A_BOLD;
    }
    if (cell->attributes & CELL_BOLD) a |= A_BOLD;
    if (cell->attributes & CELL_UNDERLINE) a |= A_UNDERLINE;
    if (cell->attributes & CELL_DIM) a |= A_DIM;
    if (reverse) a |= A_REVERSE;
    *attributes = a;
}

static void show_cell(struct terminal *t, const struct theme *theme, const struct cell *cell, int x,
                      int y)
{
    wchar_t text[3] = {(wchar_t)cell->character, (wchar_t)cell->mark, 0};
    attr_t attributes;
    int pair;
    cell_look(t, theme, cell, &attributes, &pair);
    cchar_t out;
    if (setcchar(&out, text, attributes, 0, &pair) != OK) {
        wchar_t plain[2] = {L'?', 0};
        setcchar(&out, plain, attributes, 0, &pair);
    }
    mvadd_wch(y, x, &out);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    return a->character == b->character && a->mark == b->mark && a->fg == b->fg && a->bg == b->bg &&
           a->attributes == b->attributes && a->width == b->width;
}

/* What a blank within a line is sent as: its foreground is not seen, so that of the cell
 * before it saves a change of colour.  A long run is left to curses, which can erase it. */
#define SHORT_RUN 8
static struct cell cell_as_sent(const struct cell *line, int width, int x)
{
    struct cell cell = line[x];
    bool blank =
        cell.character == ' ' && !cell.mark && !cell.attributes && cell.fg == COLOR_DEFAULT;
    if (!blank || x == 0) return cell;
    int end = x + 1;
    while (end < width && end < x + SHORT_RUN && line[end].character == ' ' &&
           !line[end].attributes)
        end++;
    int start = x;
    while (start > 0 && line[start - 1].character == ' ' && !line[start - 1].attributes)
        start--;
    bool inside = start > 0 && end < width && end < x + SHORT_RUN;
    if (inside && !line[start - 1].attributes) cell.fg = line[start - 1].fg;
    return cell;
}

/* A wide character in curses' own copy covers its neighbour: a line that has or had one
 * is told whole. */
static bool has_wide(const struct cell *line, int width)
{
    for (int x = 0; x < width; x++)
        if (line[x].width == 0) return true;
    return false;
}

static void show_line(struct terminal *t, const struct canvas *canvas, const struct theme *theme,
                      int y, bool whole)
{
    const struct cell *line = &canvas->cells[y * canvas->width];
    struct cell *shown = &t->shown[y * canvas->width];
    whole = whole || has_wide(line, canvas->width) || has_wide(shown, canvas->width);
    for (int x = 0; x < canvas->width && x < COLS; x++)
        if (line[x].width != 0 && (whole || !same_cell(&line[x], &shown[x]))) {
            struct cell cell = cell_as_sent(line, canvas->width, x);
            show_cell(t, theme, &cell, x, y);
        }
    memcpy(shown, line, (size_t)canvas->width * sizeof *line);
}

/* True when nothing that was shown can be relied on. */
static bool begin_whole_frame(struct terminal *t, const struct canvas *canvas,
                              const struct theme *theme)
{
    bool same = t->shown && t->shown_width == canvas->width && t->shown_height == canvas->height &&
                memcmp(&t->shown_theme, theme, sizeof *theme) == 0;
    if (same) return false;
    size_t bytes = (size_t)canvas->width * (size_t)canvas->height * sizeof *t->shown;
    t->shown = mem_resize(t->shown, bytes ? bytes : 1);
    memset(t->shown, 0, bytes);
    t->shown_width = canvas->width;
    t->shown_height = canvas->height;
    memcpy(&t->shown_theme, theme, sizeof *theme);
    return true;
}

void terminal_show(struct terminal *t, const struct canvas *canvas, const struct theme *theme)
{
    bool whole = begin_whole_frame(t, canvas, theme);
    for (int y = 0; y < canvas->height && y < LINES; y++)
        show_line(t, canvas, theme, y, whole);
    bool show = canvas->cursor_x >= 0 && canvas->cursor_y >= 0;
    curs_set(show);
    if (show) move(canvas->cursor_y, canvas->cursor_x);
    refresh();
}

/* ---- events ---- */

/* Terminals report presses only: two on one cell within a moment are a double one. */
static void see_double_press(struct terminal *t, struct mouse *mouse)
{
    if (mouse->kind != MOUSE_PRESS) return;
    int64_t now = clock_now_ns();
    bool again = t->last_press_ns && now - t->last_press_ns < INT64_C(1000000) * DOUBLE_MS &&
                 t->last_press.x == mouse->x && t->last_press.y == mouse->y &&
                 t->last_press.button == mouse->button;
    t->last_press = *mouse;
    t->last_press_ns = again ? 0 : now;
    if (again) mouse->kind = MOUSE_DOUBLE;
}

static bool take_window_change(struct terminal *t)
{
    if (!window_changed) return false;
    window_changed = 0;
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        resize_term(size.ws_row > 0 ? size.ws_row : 24, size.ws_col > 0 ? size.ws_col : 80);
    /* What the terminal kept of its content nobody knows, even at the same size again. */
    clearok(curscr, TRUE);
    t->shown_width = -1;
    return true;
}

enum taken { TAKEN_NOTHING, TAKEN_BYTES, TAKEN_END };

/* Waits until keys or a wake-up come, at most that long (-1: without end). */
static enum taken take_bytes(struct terminal *t, int timeout_ms)
{
    struct pollfd fds[2] = {{t->key_fd, POLLIN, 0}, {t->wake_read, POLLIN, 0}};
    int ready = poll(fds, 2, timeout_ms);
    if (ready <= 0) return TAKEN_NOTHING;
    char bytes[4096];
    if (fds[1].revents & POLLIN) {
        while (read(t->wake_read, bytes, sizeof bytes) > 0)
            continue;
        t->woken = true;
    }
    if (!(fds[0].revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL))) return TAKEN_NOTHING;
    ssize_t n = read(t->key_fd, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return TAKEN_NOTHING;
    if (n <= 0) return TAKEN_END;
    input_decoder_feed(t->decoder, bytes, (size_t)n);
    return TAKEN_BYTES;
}

static int shorter(int a_ms, int b_ms)
{
    return a_ms < 0 || b_ms < a_ms ? b_ms : a_ms;
}

struct input_event terminal_next_event(struct terminal *t, int timeout_ms)
{
    struct input_event event = {.type = INPUT_NONE};
    for (bool waited = false;;) {
        event.type = take_window_change(t) ? INPUT_RESIZE : t->woken ? INPUT_WAKE : INPUT_NONE;
        if (event.type == INPUT_WAKE) t->woken = false;
        if (event.type != INPUT_NONE) return event;
        event = input_decoder_next(t->decoder, false);
        if (event.type == INPUT_MOUSE) see_double_press(t, &event.mouse);
        if (event.type != INPUT_NONE || (waited && timeout_ms == 0)) return event;
        enum input_pending pending = input_decoder_pending(t->decoder);
        int limit = pending == INPUT_PENDING_NOTHING  ? timeout_ms
                    : pending == INPUT_PENDING_ESCAPE ? shorter(timeout_ms, ESCAPE_MS)
                                                      : shorter(timeout_ms, SEQUENCE_MS);
        enum taken taken = take_bytes(t, limit);
        waited = true;
        if (taken == TAKEN_END) {
            event.type = INPUT_HANGUP;
            return event;
        }
        if (taken == TAKEN_BYTES || t->woken || window_changed) continue;
        /* Nothing came: what has begun is all there is. */
        if (pending != INPUT_PENDING_NOTHING && limit > 0)
            return input_decoder_next(t->decoder, true);
        return event;
    }
}

void terminal_wake(struct terminal *t)
{
    ssize_t ignored = write(t->wake_write, "", 1);
    (void)ignored;
}

void terminal_suspend(struct terminal *t)
{
    leave_screen();
    signal(SIGTSTP, SIG_DFL);
    kill(0, SIGTSTP);
    /* Here again: the shell put us in the foreground, the window may be another. */
    window_changed = 1;
    clearok(curscr, TRUE);
    refresh();
    terminal_set_mouse(t, t->mouse);
    send_modes(PASTE_ON);
}

static void run_child(char *const *argv, bool from_tty)
{
    int tty = from_tty ? open("/dev/tty", O_RDWR) : -1;
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    signal(SIGTSTP, SIG_DFL);
    if (tty > 0) dup2(tty, STDIN_FILENO);
    execvp(argv[0], argv);
    _exit(127);
}

bool terminal_run(struct terminal *t, char *const *argv, struct status *st)
{
    bool mouse = t->mouse;
    int state = 0;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    terminal_set_mouse(t, false);
    endwin();
    fflush(stdout);
    /* Ctrl-C in the other program is its own. */
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    pid_t child = fork();
    if (child == 0) run_child(argv, t->tty != NULL);
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    clearok(curscr, TRUE);
    refresh();
    terminal_set_mouse(t, mouse);
    if (child < 0)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", argv[0], strerror(errno));
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                           WIFEXITED(state) ? "the editor ended with status %d"
                                            : "the editor was ended by signal %d",
                           WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state));
    return true;
}

void terminal_set_mouse(struct terminal *t, bool on)
{
    t->mouse = on;
    send_modes(on ? MOUSE_ON : MOUSE_OFF);
}

void terminal_copy(struct terminal *t, struct str text)
{
    (void)t;
    bool tmux = getenv("TMUX") != NULL;
    struct buffer out = BUFFER_INIT;
    buffer_append_text(&out, tmux ? "\033Ptmux;\033\033]52;c;" : "\033]52;c;");
    base64_encode(text, &out);
    buffer_append_text(&out, tmux ? "\a\033\\" : "\a");
    fwrite(buffer_text(&out), 1, out.length, stdout);
    fflush(stdout);
    buffer_free(&out);
}
