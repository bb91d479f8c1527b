/* The form of add and edit; see server_dialog.h. */
#ifndef TUI_SERVER_FORM_H
#define TUI_SERVER_FORM_H

#include "macros/server_host.h"
#include "tui/line_edit.h"
#include "tui/overlay.h"

enum form_text {
    FORM_URL,
    FORM_REPO,
    FORM_REF,
    FORM_PATH,
    FORM_NAME, /* the user, or the header */
    FORM_SECRET,
    FORM_ENV,
    FORM_CA,
    FORM_TEXTS,
};

enum form_row_kind {
    ROW_TEXT,
    ROW_TYPE,
    ROW_AUTH,
    ROW_PRIVATE,
    ROW_LOAD,
    ROW_MODULE,
    ROW_SAVE,
    ROW_RELOAD,
    ROW_LATER,
};

struct form_row {
    enum form_row_kind kind;
    enum form_text text;
    const char *label;
    const char *module; /* borrowed from the manifest or the ticked ones */
};

struct form_rows VEC_OF(struct form_row);

struct form {
    struct overlay overlay;
    const char *intro;
    bool is_edit;
    struct server instead_of; /* of an edit */
    enum server_type type;
    enum server_auth auth;
    bool allow_private;
    struct line_edit texts[FORM_TEXTS];
    struct server_modules ticked;
    const struct server_manifest *manifest; /* NULL: not loaded; else of `answer` or of an entry */
    struct server_content answer;
    char *error;
    bool is_asking, offers_reload;
    size_t focus;
    int top, height, total;
    bool follow;  /* scroll so that the focus is seen */
    bool *closed; /* set when it goes; may be NULL */
};

extern const struct overlay_kind form_kind;

struct form_rows form_rows(const struct form *form);
/* What the fields say; false with a message. */
bool form_read(const struct form *form, struct server *out, struct status *st);
void form_draw(struct app *app, struct overlay *overlay);

#endif
