/* SQL written in the person's editor: $VISUAL, else $EDITOR, else vi. */
#ifndef TUI_EDIT_SQL_H
#define TUI_EDIT_SQL_H

#include "tui/app.h"

/* Opens it on `text` in a file that only the person can read; runs what was saved in a
 * tab.  Nothing runs when the editor fails or the file is left empty. */
void edit_sql(struct app *app, const char *text);

#endif
