/* Changing a setting on the screen: asking for its value, storing it, showing what it
 * does. */
#ifndef TUI_SETTINGS_VIEW_H
#define TUI_SETTINGS_VIEW_H

#include "tui/app.h"

/* Asks for the value of a key, beginning with the one it has. */
void settings_view_ask(struct app *app, const char *key);
/* "key value": stores it in the program's file, and shows things by it at once. */
void settings_view_store(struct app *app, const char *text);

#endif
