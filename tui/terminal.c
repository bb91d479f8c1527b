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
#include <termios.h>
#include <unistd.h>
#include <curses.h>
#include <term.h>

#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"

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
    struct map pairs; /* fg << 32 | bg (terminal numbers) -> pair */
    int next_pair;
    int pair_limit;
};

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
    mem_set_panic(restore_now);
}

static void release_signals(void)
{
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        signal(fatal_signals[i], SIG_DFL);
    mem_set_panic(NULL);
}

/* ---- open and close ---- */

static void prepare_emergency(int fd)
{
    emergency.fd = fd;
    emergency.reset_length = 0;
    add_reset("\033[?1000l\033[?1002l\033[?1006l"); /* mouse modes, also when off */
    add_reset(tigetstr("sgr0"));
    add_reset(tigetstr("op"));
    add_reset(tigetstr("rmkx"));
    add_reset(tigetstr("cnorm"));
    add_reset(tigetstr("rmcup"));
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
    nodelay(stdscr, TRUE);
    leaveok(stdscr, FALSE);
    if (!getenv("ESCDELAY")) set_escdelay(25);
    terminal_set_mouse(t, t->mouse);
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
    int error = 0;
    if (setupterm(name, STDOUT_FILENO, &error) != OK) {
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
    SCREEN *screen = newterm(NULL, stdout, tty ? tty : stdin);
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
    t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    int wake[2] = {-1, -1};
    if (pipe(wake) == 0) {
        fcntl(wake[0], F_SETFL, O_NONBLOCK);
        fcntl(wake[1], F_SETFL, O_NONBLOCK);
        fcntl(wake[0], F_SETFD, FD_CLOEXEC);
        fcntl(wake[1], F_SETFD, FD_CLOEXEC);
    }
    t->wake_read = wake[0];
    t->wake_write = wake[1];
    catch_signals();
    start_colors(t);
    enter_modes(t);
    return t;
}

void terminal_close(struct terminal *t)
{
    if (!t) return;
    terminal_set_mouse(t, false);
    endwin();
    emergency.active = false;
    release_signals();
    delscreen(t->screen);
    if (t->tty) fclose(t->tty);
    if (t->wake_read >= 0) close(t->wake_read);
    if (t->wake_write >= 0) close(t->wake_write);
    map_free(&t->pairs);
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

void terminal_show(struct terminal *t, const struct canvas *canvas, const struct theme *theme)
{
    for (int y = 0; y < canvas->height && y < LINES; y++) {
        for (int x = 0; x < canvas->width && x < COLS; x++) {
            const struct cell *cell = &canvas->cells[y * canvas->width + x];
            if (cell->width == 0) continue;
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
    }
    bool show = canvas->cursor_x >= 0 && canvas->cursor_y >= 0;
    curs_set(show);
    if (show) move(canvas->cursor_y, canvas->cursor_x);
    refresh();
}

/* ---- events ---- */

static struct key named(uint32_t code, uint8_t modifiers)
{
    return (struct key){code, modifiers};
}

static bool translate_keycode(wint_t code, struct key *key)
{
    static const struct {
        int curses;
        uint32_t code;
        uint8_t modifiers;
    } table[] = {
        {KEY_UP, KEY_NAME_UP, 0},
        {KEY_DOWN, KEY_NAME_DOWN, 0},
        {KEY_LEFT, KEY_NAME_LEFT, 0},
        {KEY_RIGHT, KEY_NAME_RIGHT, 0},
        {KEY_HOME, KEY_NAME_HOME, 0},
        {KEY_END, KEY_NAME_END, 0},
        {KEY_PPAGE, KEY_NAME_PAGE_UP, 0},
        {KEY_NPAGE, KEY_NAME_PAGE_DOWN, 0},
        {KEY_IC, KEY_NAME_INSERT, 0},
        {KEY_DC, KEY_NAME_DELETE, 0},
        {KEY_BACKSPACE, KEY_NAME_BACKSPACE, 0},
        {KEY_BTAB, KEY_NAME_TAB, KEY_SHIFT},
        {KEY_ENTER, KEY_NAME_ENTER, 0},
        {KEY_SLEFT, KEY_NAME_LEFT, KEY_SHIFT},
        {KEY_SRIGHT, KEY_NAME_RIGHT, KEY_SHIFT},
        {KEY_SR, KEY_NAME_UP, KEY_SHIFT},
        {KEY_SF, KEY_NAME_DOWN, KEY_SHIFT},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if ((wint_t)table[i].curses != code) continue;
        *key = named(table[i].code, table[i].modifiers);
        return true;
    }
    if (code >= (wint_t)KEY_F(1) && code <= (wint_t)KEY_F(12)) {
        *key = named(KEY_NAME_F1 + (uint32_t)(code - (wint_t)KEY_F(1)), 0);
        return true;
    }
    /* Names of extended keys: kLFT3 is Alt+left, kLFT5 Ctrl+left. */
    const char *name = keyname((int)code);
    static const struct {
        const char *stem;
        uint32_t code;
    } stems[] = {
        {"kUP", KEY_NAME_UP},       {"kDN", KEY_NAME_DOWN},       {"kLFT", KEY_NAME_LEFT},
        {"kRIT", KEY_NAME_RIGHT},   {"kHOM", KEY_NAME_HOME},      {"kEND", KEY_NAME_END},
        {"kPRV", KEY_NAME_PAGE_UP}, {"kNXT", KEY_NAME_PAGE_DOWN}, {"kDC", KEY_NAME_DELETE}};
    for (size_t i = 0; name && i < sizeof stems / sizeof *stems; i++) {
        size_t n = strlen(stems[i].stem);
        if (strncmp(name, stems[i].stem, n) != 0) continue;
        int number = name[n] >= '2' && name[n] <= '8' && !name[n + 1] ? name[n] - '1' : 0;
        *key = named(stems[i].code,
                     (uint8_t)((number & 1 ? KEY_SHIFT : 0) | (number & 2 ? KEY_ALT : 0) |
                               (number & 4 ? KEY_CTRL : 0)));
        return true;
    }
    return false;
}

static struct key translate_character(wint_t c)
{
    if (c == '\t') return named(KEY_NAME_TAB, 0);
    if (c == '\r' || c == '\n') return named(KEY_NAME_ENTER, 0);
    if (c == 0x7F || c == 0x08) return named(KEY_NAME_BACKSPACE, 0);
    if (c == 0x1B) return named(KEY_NAME_ESCAPE, 0);
    if (c == 0) return named(' ', KEY_CTRL);
    if (c < 0x1B) return named((uint32_t)('a' + c - 1), KEY_CTRL);
    if (c < 0x20) return named((uint32_t)('\\' + c - 0x1C), KEY_CTRL);
    return named((uint32_t)c, 0);
}

static bool translate_mouse(struct mouse *mouse)
{
    MEVENT event;
    if (getmouse(&event) != OK) return false;
    *mouse = (struct mouse){.x = event.x, .y = event.y};
    mmask_t b = event.bstate;
    mouse->modifiers = (uint8_t)((b & BUTTON_SHIFT ? KEY_SHIFT : 0) |
                                 (b & BUTTON_CTRL ? KEY_CTRL : 0) | (b & BUTTON_ALT ? KEY_ALT : 0));
    mouse->button = b & (BUTTON3_PRESSED | BUTTON3_RELEASED | BUTTON3_CLICKED)   ? 3
                    : b & (BUTTON2_PRESSED | BUTTON2_RELEASED | BUTTON2_CLICKED) ? 2
                                                                                 : 1;
    if (b & BUTTON4_PRESSED)
        mouse->kind = MOUSE_WHEEL_UP;
    else if (b & BUTTON5_PRESSED)
        mouse->kind = MOUSE_WHEEL_DOWN;
    else if (b & (BUTTON1_RELEASED | BUTTON2_RELEASED | BUTTON3_RELEASED))
        mouse->kind = MOUSE_RELEASE;
    else if (b & REPORT_MOUSE_POSITION)
        mouse->kind = MOUSE_DRAG;
    else if (b & BUTTON1_DOUBLE_CLICKED)
        mouse->kind = MOUSE_DOUBLE;
    else
        mouse->kind = MOUSE_PRESS;
    return true;
}

/* What curses has ready; INPUT_NONE when nothing is. */
static struct input_event read_event(struct terminal *t)
{
    struct input_event event = {.type = INPUT_NONE};
    wint_t c;
    int kind = get_wch(&c);
    if (kind == ERR) return event;
    if (kind == KEY_CODE_YES) {
        if (c == KEY_RESIZE) {
            event.type = INPUT_RESIZE;
        } else if (c == KEY_MOUSE) {
            if (translate_mouse(&event.mouse)) event.type = INPUT_MOUSE;
        } else if (translate_keycode(c, &event.key)) {
            event.type = INPUT_KEY;
        }
        return event;
    }
    event.type = INPUT_KEY;
    event.key = translate_character(c);
    if (event.key.code != KEY_NAME_ESCAPE) return event;
    /* Esc and at once another key is Alt with that key. */
    kind = get_wch(&c);
    if (kind == OK) {
        event.key = translate_character(c);
        if (event.key.code != KEY_NAME_ESCAPE) event.key.modifiers |= KEY_ALT;
    } else if (kind == KEY_CODE_YES && translate_keycode(c, &event.key)) {
        event.key.modifiers |= KEY_ALT;
    }
    (void)t;
    return event;
}

struct input_event terminal_next_event(struct terminal *t, int timeout_ms)
{
    struct input_event event = read_event(t);
    if (event.type != INPUT_NONE) return event;
    struct pollfd fds[2] = {{t->key_fd, POLLIN, 0}, {t->wake_read, POLLIN, 0}};
    int ready = poll(fds, 2, timeout_ms);
    if (ready < 0 && errno == EINTR) return read_event(t); /* a resize, as a rule */
    if (ready <= 0) return event;
    if (fds[1].revents & POLLIN) {
        char drain[64];
        while (read(t->wake_read, drain, sizeof drain) > 0)
            continue;
        event.type = INPUT_WAKE;
        return event;
    }
    event = read_event(t);
    if (event.type == INPUT_NONE && (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)))
        event.type = INPUT_HANGUP;
    return event;
}

void terminal_wake(struct terminal *t)
{
    ssize_t ignored = write(t->wake_write, "", 1);
    (void)ignored;
}

void terminal_suspend(struct terminal *t)
{
    bool mouse = t->mouse;
    terminal_set_mouse(t, false);
    endwin();
    signal(SIGTSTP, SIG_DFL);
    kill(0, SIGTSTP);
    /* Here again: the shell put us in the foreground. */
    clearok(curscr, TRUE);
    refresh();
    terminal_set_mouse(t, mouse);
}

void terminal_set_mouse(struct terminal *t, bool on)
{
    t->mouse = on;
    mousemask(on ? ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION : 0, NULL);
    mouseinterval(0);
    if (!key_mouse) return;
    /* Drags with a button held (1002); 1000 alone reports no motion. */
    fputs(on ? "\033[?1002h" : "\033[?1002l", stdout);
    fflush(stdout);
}

static void append_base64(struct buffer *out, struct str s)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < s.n; i += 3) {
        uint32_t word = (uint32_t)(unsigned char)s.p[i] << 16;
        if (i + 1 < s.n) word |= (uint32_t)(unsigned char)s.p[i + 1] << 8;
        if (i + 2 < s.n) word |= (unsigned char)s.p[i + 2];
        buffer_append_byte(out, digits[word >> 18]);
        buffer_append_byte(out, digits[word >> 12 & 63]);
        buffer_append_byte(out, i + 1 < s.n ? digits[word >> 6 & 63] : '=');
        buffer_append_byte(out, i + 2 < s.n ? digits[word & 63] : '=');
    }
}

void terminal_copy(struct terminal *t, struct str text)
{
    (void)t;
    bool tmux = getenv("TMUX") != NULL;
    struct buffer out = BUFFER_INIT;
    buffer_append_text(&out, tmux ? "\033Ptmux;\033\033]52;c;" : "\033]52;c;");
    append_base64(&out, text);
    buffer_append_text(&out, tmux ? "\a\033\\" : "\a");
    fwrite(buffer_text(&out), 1, out.length, stdout);
    fflush(stdout);
    buffer_free(&out);
}
