/* perfetty on a pseudo terminal, seen through a terminal emulator.
 *
 * A test starts a program, sends keys, waits until the screen shows what it
 * should (never sleeps for luck), and reads text and attributes back.  Settings
 * and state live in a fresh folder per pty, so that tests do not meet.
 */
#ifndef TESTS_SCREEN_PTY_H
#define TESTS_SCREEN_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pty;

struct pty_options {
    int columns, rows;
    const char *term;         /* NULL: xterm-256color */
    const char *locale;       /* NULL: C.UTF-8 */
    const char *home;         /* NULL: a fresh folder, removed by pty_free */
    const char *const *extra; /* "NAME=value", ends with NULL; may be NULL */
    int stdin_fd;             /* 0: the terminal; else what the program reads */
    bool unsized;             /* the terminal says that it is 0x0 */
};

/* argv[0] is the program; ends with NULL. */
struct pty *pty_start(const struct pty_options *options, const char *const *argv);
void pty_free(struct pty *pty); /* kills what still runs */

/* Keys as the terminal sends them: "\r", "\033[A" … */
void pty_send(struct pty *pty, const char *bytes);
void pty_resize(struct pty *pty, int columns, int rows);
void pty_signal(struct pty *pty, int number);

/* Reads what comes until the program has been quiet for `quiet_ms`. */
void pty_settle(struct pty *pty, int quiet_ms);
/* The same; when its last byte came (clock_now_ns), or 0 when none did. */
int64_t pty_last_byte_ns(struct pty *pty, int quiet_ms);
/* Until the screen holds `text` (a line of it); false after timeout_ms. */
bool pty_wait_text(struct pty *pty, const char *text, int timeout_ms);
bool pty_wait_gone(struct pty *pty, const char *text, int timeout_ms);
/* Until the program ended; its wait status, or -1 after timeout_ms. */
int pty_wait_exit(struct pty *pty, int timeout_ms);
/* Closes the terminal under the program, as when a connection is lost.  What the
 * screen held can still be read. */
void pty_hang_up(struct pty *pty);

/* The row as UTF-8, trailing blanks cut; good until the next call. */
const char *pty_row(struct pty *pty, int row);
/* The whole screen, rows ended by newlines; good until the next call. */
const char *pty_screen(struct pty *pty);
/* First row that holds the text, from `from` on; -1. */
int pty_find_row(struct pty *pty, const char *text, int from);
/* Column (cells) of the text in a row; -1. */
int pty_find_column(struct pty *pty, int row, const char *text);

struct pty_cell {
    uint32_t character;
    bool bold, underline, reverse;
    bool has_fg, has_bg; /* not the terminal's own */
    uint8_t fg[3], bg[3];
};
struct pty_cell pty_cell(struct pty *pty, int row, int column);
void pty_cursor(struct pty *pty, int *row, int *column, bool *visible);
/* Modes that must be given back at the end. */
bool pty_is_alternate(const struct pty *pty);
bool pty_has_mouse(const struct pty *pty);
/* The terminal's line discipline echoes and buffers lines (as before). */
bool pty_is_cooked(struct pty *pty);

/* Bytes that the program has sent, all of them. */
const char *pty_raw(const struct pty *pty, size_t *length);
size_t pty_bytes(const struct pty *pty);
/* Folder that holds its settings (XDG_CONFIG_HOME is HOME/config, state HOME/state). */
const char *pty_home(const struct pty *pty);

#endif
