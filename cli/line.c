#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include "cli/line.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "cli/line_history.h"
#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"

enum {
    KEY_NONE = 0,
    KEY_END = -1,
    KEY_LEFT = 0x110000,
    KEY_RIGHT,
    KEY_UP,
    KEY_DOWN,
    KEY_HOME,
    KEY_LINE_END,
    KEY_DELETE
};
#define CONTROL(c) ((c)&0x1f)

struct line_editor {
    bool interactive;
    struct line_history history;
    struct buffer text; /* the line being edited */
    size_t cursor;      /* byte in it */
    size_t at;          /* in the history; history.count is the new line */
    char *kept;         /* the new line while an old one is shown */
};

struct line_editor *line_editor_new(bool interactive)
{
    struct line_editor *editor = mem_zero(1, sizeof *editor);
    editor->interactive = interactive;
    if (interactive) line_history_load(&editor->history);
    return editor;
}

void line_editor_free(struct line_editor *editor)
{
    if (editor->interactive) line_history_save(&editor->history);
    line_history_free(&editor->history);
    buffer_free(&editor->text);
    mem_free(editor->kept);
    mem_free(editor);
}

/* ---- keys ---- */

static int read_byte(void)
{
    unsigned char byte;
    for (;;) {
        ssize_t n = read(STDIN_FILENO, &byte, 1);
        if (n == 1) return byte;
        if (n == 0 || errno != EINTR) return KEY_END;
    }
}

static int read_escape(void)
{
    int c = read_byte(), number = 0;
    if (c != '[' && c != 'O') return KEY_NONE;
    for (c = read_byte(); (c >= '0' && c <= '9') || c == ';'; c = read_byte())
        number = c == ';' ? number : number * 10 + (c - '0');
    switch (c) {
    case 'A': return KEY_UP;
    case 'B': return KEY_DOWN;
    case 'C': return KEY_RIGHT;
    case 'D': return KEY_LEFT;
    case 'H': return KEY_HOME;
    case 'F': return KEY_LINE_END;
    case '~':
        return number == 3                  ? KEY_DELETE
               : number == 1 || number == 7 ? KEY_HOME
               : number == 4 || number == 8 ? KEY_LINE_END
                                            : KEY_NONE;
    default: return KEY_NONE;
    }
}

/* ---- the line ---- */

static size_t before(const struct line_editor *e, size_t at)
{
    while (at > 0 && ((unsigned char)e->text.data[--at] & 0xC0) == 0x80)
        continue;
    return at;
}

static size_t after(const struct line_editor *e, size_t at)
{
    if (at < e->text.length) at++;
    while (at < e->text.length && ((unsigned char)e->text.data[at] & 0xC0) == 0x80)
        at++;
    return at;
}

static void erase(struct line_editor *e, size_t from, size_t to)
{
    if (from >= to) return;
    memmove(e->text.data + from, e->text.data + to, e->text.length - to);
    e->text.length -= to - from;
    e->text.data[e->text.length] = 0;
    e->cursor = from;
}

static void insert(struct line_editor *e, char byte)
{
    buffer_append_byte(&e->text, byte); /* makes the room */
    memmove(e->text.data + e->cursor + 1, e->text.data + e->cursor, e->text.length - 1 - e->cursor);
    e->text.data[e->cursor++] = byte;
}

static void set_text(struct line_editor *e, const char *text)
{
    buffer_clear(&e->text);
    buffer_append_text(&e->text, text);
    e->cursor = e->text.length;
}

static void recall(struct line_editor *e, size_t at)
{
    if (at > e->history.count || at == e->at) return;
    if (e->at == e->history.count) {
        mem_free(e->kept);
        e->kept = mem_strdup(buffer_text(&e->text));
    }
    e->at = at;
    set_text(e, at < e->history.count ? e->history.items[at] : e->kept);
}

static size_t word_start(const struct line_editor *e)
{
    size_t at = e->cursor;
    while (at > 0 && e->text.data[at - 1] == ' ')
        at--;
    while (at > 0 && e->text.data[at - 1] != ' ')
        at--;
    return at;
}

static size_t terminal_columns(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

/* The part of the line around the cursor that fits one row of the terminal. */
static void draw(const struct line_editor *e, const char *prompt)
{
    struct buffer out = BUFFER_INIT;
    struct str text = buffer_str(&e->text);
    size_t columns = terminal_columns(), start = 0, column;
    size_t room = columns > strlen(prompt) + 1 ? columns - strlen(prompt) - 1 : 1;
    while (utf8_visible_width(str_slice(text, start, e->cursor), false) > room)
        start = after(e, start);
    column = strlen(prompt) + utf8_visible_width(str_slice(text, start, e->cursor), false);
    size_t end = e->cursor;
    while (end < text.n && utf8_visible_width(str_slice(text, start, after(e, end)), false) <= room)
        end = after(e, end);
    buffer_printf(&out, "\r%s", prompt);
    utf8_append_visible(&out, str_slice(text, start, end), false);
    buffer_append_text(&out, "\x1b[K\r");
    if (column > 0) buffer_printf(&out, "\x1b[%zuC", column);
    fwrite(buffer_text(&out), 1, out.length, stdout);
    fflush(stdout);
    buffer_free(&out);
}

/* More keys wait, as after a paste: no need to draw yet. */
static bool has_more_keys(void)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&in, 1, 0) > 0;
}

static void edit(struct line_editor *e, int key)
{
    switch (key) {
    case KEY_LEFT:
    case CONTROL('B'): e->cursor = before(e, e->cursor); break;
    case KEY_RIGHT:
    case CONTROL('F'): e->cursor = after(e, e->cursor); break;
    case KEY_HOME:
    case CONTROL('A'): e->cursor = 0; break;
    case KEY_LINE_END:
    case CONTROL('E'): e->cursor = e->text.length; break;
    case KEY_UP:
    case CONTROL('P'):
        if (e->at > 0) recall(e, e->at - 1);
        break;
    case KEY_DOWN:
    case CONTROL('N'): recall(e, e->at + 1); break;
    case KEY_DELETE:
    case CONTROL('D'): erase(e, e->cursor, after(e, e->cursor)); break;
    case 127:
    case CONTROL('H'): erase(e, before(e, e->cursor), e->cursor); break;
    case CONTROL('K'): erase(e, e->cursor, e->text.length); break;
    case CONTROL('U'): erase(e, 0, e->cursor); break;
    case CONTROL('W'): erase(e, word_start(e), e->cursor); break;
    default:
        if (key >= 0x20 && key <= 0xFF) insert(e, (char)key);
    }
}

/* With the terminal in raw mode.  False at the end of the input. */
static bool edit_line(struct line_editor *e, const char *prompt)
{
    set_text(e, "");
    e->at = e->history.count;
    for (;;) {
        if (!has_more_keys()) draw(e, prompt);
        int key = read_byte();
        if (key == '\r' || key == '\n') {
            draw(e, prompt);
            return true;
        }
        if (key == KEY_END || (key == CONTROL('D') && e->text.length == 0)) return false;
        if (key == CONTROL('C')) {
            set_text(e, "");
            e->at = e->history.count;
            fputs("^C\r\n", stdout);
            continue;
        }
        edit(e, key == 0x1b ? read_escape() : key);
    }
}

static char *read_plain(void)
{
    struct buffer line = BUFFER_INIT;
    if (!line_read(stdin, &line)) {
        buffer_free(&line);
        return NULL;
    }
    buffer_append_byte(&line, 0);
    return buffer_take(&line);
}

char *line_editor_read(struct line_editor *editor, const char *prompt)
{
    struct termios before_raw, raw;
    if (!editor->interactive || tcgetattr(STDIN_FILENO, &before_raw) != 0) return read_plain();
    raw = before_raw;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_iflag &= (tcflag_t) ~(ICRNL | IXON);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    bool ok = edit_line(editor, prompt);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before_raw);
    putchar('\n');
    if (!ok) return NULL;
    line_history_add(&editor->history, buffer_text(&editor->text));
    return mem_strdup(buffer_text(&editor->text));
}
