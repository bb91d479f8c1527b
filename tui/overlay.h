/* What lies over the timeline and has the keys: prompts, lists, dialogs.
 *
 * Overlays stack; the topmost gets every key first.  Esc and Ctrl-C always take
 * it away (its `cancel` runs), so that nobody can be caught in one.
 */
#ifndef TUI_OVERLAY_H
#define TUI_OVERLAY_H

#include "tui/app.h"

enum overlay_reply { OVERLAY_STAYS, OVERLAY_DONE };

struct overlay_kind {
    const char *name;
    bool takes_text; /* pasted text is typed into it; elsewhere a paste does nothing */
    enum overlay_reply (*key)(struct app *app, struct overlay *overlay, struct key key);
    void (*draw)(struct app *app, struct overlay *overlay);
    void (*cancel)(struct app *app, struct overlay *overlay); /* may be NULL */
    void (*dispose)(struct overlay *overlay);                 /* frees it */
};

struct overlay {
    const struct overlay_kind *kind;
    struct overlay *below;
};

void overlay_push(struct app *app, struct overlay *overlay);
/* Takes this one out, wherever it is in the stack, and disposes of it. */
void overlay_remove(struct app *app, struct overlay *overlay);
void overlay_key(struct app *app, struct key key);
void overlay_draw_all(struct app *app);
void overlay_free_all(struct app *app);

/* A box with a title in the middle of the screen, cleared; returns its inside.
 * Sizes are clipped to the screen. */
struct rect overlay_box(struct app *app, int width, int height, const char *title);

/* The overlays there are. */
void prompt_open_command(struct app *app, const char *text);
void prompt_open_sql(struct app *app, const char *text);
void prompt_open_search(struct app *app);
/* Asks for one argument of a command, then runs it with `args` and the answer. */
void prompt_open_argument(struct app *app, const char *label, const char *command_id);
/* The same with a first argument that is known, and what the answer begins with. */
void prompt_open_value(struct app *app, const char *label, const char *command_id,
                       const char *first, const char *text);
/* The same where nothing is an answer too: the command is run without an argument. */
void prompt_open_optional(struct app *app, const char *label, const char *command_id);
void picker_open_palette(struct app *app);
void picker_open_tracks(struct app *app, bool pin);
void macro_menu_open(struct app *app);
void help_open(struct app *app);

#endif
