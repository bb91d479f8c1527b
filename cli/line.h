/* Lines from a person, with editing and history.
 *
 * On a terminal: arrows, Home and End, Ctrl-A E K U W, Ctrl-C drops the line,
 * Ctrl-D ends.  The history is $XDG_STATE_HOME/perfetty/shell_history (else
 * ~/.local/state/…), the last LINE_HISTORY lines, written by rename.  Elsewhere
 * lines are just read.
 */
#ifndef CLI_LINE_H
#define CLI_LINE_H

#include <stdbool.h>

enum { LINE_HISTORY = 1000 };

struct line_editor;

struct line_editor *line_editor_new(bool interactive);
/* Saves the history. */
void line_editor_free(struct line_editor *editor);
/* Without the line end, owned by the caller; NULL at the end of the input. */
char *line_editor_read(struct line_editor *editor, const char *prompt);

#endif
