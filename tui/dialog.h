/* A question with its text: lines that scroll, and keys that answer.
 *
 * dialog_ask turns events until one is chosen; Esc, Ctrl-C and a lost terminal
 * give the answer `escape`.  All text is shown escaped and in full: what does not
 * fit scrolls, and long lines are wrapped.
 */
#ifndef TUI_DIALOG_H
#define TUI_DIALOG_H

#include "tui/app.h"

struct dialog_line {
    uint8_t indent;
    struct style style;
    char *text; /* owned */
};

struct dialog_button {
    char key;          /* case matters */
    const char *label; /* constant */
};

struct dialog {
    char *title;
    struct dialog_lines VEC_OF(struct dialog_line) lines;
    const struct dialog_button *buttons; /* borrowed; ends with key 0 */
    char escape;
};

void dialog_add(struct dialog *dialog, int indent, struct style style, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The key of the button chosen. */
char dialog_ask(struct app *app, struct dialog *dialog);
void dialog_dispose(struct dialog *dialog);

#endif
