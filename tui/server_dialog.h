/* The dialogs about extension servers: add, edit, the list (spec ui §4e,
 * sidecar.md "What the viewer does" 2).
 *
 * The form of add and edit is the consent: nothing is sent before the person
 * presses "Load modules from this server", whatever is typed or chosen before,
 * and any change of the address or the way to sign in asks for it again.  What
 * will be asked and kept is written out in full below the fields.  Secrets are
 * drawn as dots.
 */
#ifndef TUI_SERVER_DIALOG_H
#define TUI_SERVER_DIALOG_H

#include "tui/app.h"

/* The trace's server, when it is not here.  The first returns when the person is
 * done, the other at once. */
void server_dialog_offer(struct app *app);
void server_dialog_open_offer(struct app *app);
/* `text`: an address or a share string; "" or NULL: an empty form. */
void server_dialog_add(struct app *app, const char *text);
void server_dialog_edit(struct app *app, const char *name);
/* All servers, and what can be done with them. */
void server_list_open(struct app *app);

#endif
