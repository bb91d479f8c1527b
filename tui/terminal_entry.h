/* A terminal that no terminfo database describes, or a system without one (a phone):
 * a description that is compiled in, of what nearly every terminal of today does.
 *
 * curses reads it from the variable TERMINFO ("b64:…", ncurses 6.2 and newer) while it
 * sets the terminal up; the variable is then as before, for programs that are started.
 */
#ifndef TUI_TERMINAL_ENTRY_H
#define TUI_TERMINAL_ENTRY_H

#include <stdbool.h>

struct terminal_entry {
    const char *name;      /* of the entry, to be given to curses; NULL: none */
    char *terminfo_before; /* owned; NULL: it was not set */
};

/* False for a TERM that promises nothing: not set, or "dumb". */
bool terminal_entry_begin(struct terminal_entry *entry, const char *term);
void terminal_entry_end(struct terminal_entry *entry);

#endif
