/* The one place that speaks to a terminal (ncurses).
 *
 * Opening takes the alternate screen, raw mode and, when asked, the mouse; every
 * way out gives them back: terminal_close, a fatal signal (the signal is raised
 * again, so that the exit status is true), suspension.  A process has one.
 */
#ifndef TUI_TERMINAL_H
#define TUI_TERMINAL_H

#include "engine/base/status.h"
#include "tui/canvas.h"
#include "tui/key.h"
#include "tui/theme.h"

struct terminal;

struct terminal_options {
    bool mouse;
    bool keys_from_tty; /* standard input is the trace: read keys from /dev/tty */
    bool no_color;
};

/* Fails with a message when standard output is no terminal or TERM is unknown. */
struct terminal *terminal_open(const struct terminal_options *options, struct status *st);
void terminal_close(struct terminal *terminal);

void terminal_size(const struct terminal *terminal, int *width, int *height);
/* Colours the terminal can show: 0 (none), 8, 16, 256, or 1 << 24. */
int terminal_colors(const struct terminal *terminal);
/* False: TERM is described nowhere here, and a built-in description is used. */
bool terminal_is_known(const struct terminal *terminal);
/* The terminal can show UTF-8 (by locale). */
bool terminal_is_utf8(const struct terminal *terminal);

/* Sends what changed since the last call. */
void terminal_show(struct terminal *terminal, const struct canvas *canvas,
                   const struct theme *theme);
/* The next event; waits at most timeout_ms (-1: without end). */
struct input_event terminal_next_event(struct terminal *terminal, int timeout_ms);
/* Makes terminal_next_event return INPUT_WAKE.  From any thread. */
void terminal_wake(struct terminal *terminal);
/* Ctrl-Z: gives the terminal back, stops, and takes it again. */
void terminal_suspend(struct terminal *terminal);
/* Gives the terminal to another program and takes it again when that has ended.  False
 * when it could not be started, or says that it failed. */
bool terminal_run(struct terminal *terminal, char *const *argv, struct status *st);
/* Bell-free notice in the title; text is made safe. */
void terminal_set_mouse(struct terminal *terminal, bool on);
/* Clipboard by OSC 52 (wrapped for tmux). */
void terminal_copy(struct terminal *terminal, struct str text);

#endif
