/* A line that is being typed: UTF-8, a cursor, the usual keys, a history. */
#ifndef TUI_LINE_EDIT_H
#define TUI_LINE_EDIT_H

#include "engine/base/buffer.h"
#include "engine/base/vec.h"
#include "tui/canvas.h"
#include "tui/key.h"

#define EDIT_HISTORY_MAX 200

struct edit_history VEC_OF(char *);

void edit_history_add(struct edit_history *history, const char *line);
void edit_history_free(struct edit_history *history);

struct line_edit {
    struct buffer text;
    size_t at;                    /* byte of the cursor */
    struct edit_history *history; /* borrowed; may be NULL */
    size_t history_at;            /* count: the line being typed */
    char *draft;                  /* what was typed before going back */
};

void line_edit_init(struct line_edit *edit, const char *text, struct edit_history *history);
void line_edit_dispose(struct line_edit *edit);
void line_edit_set(struct line_edit *edit, const char *text);
/* True when the key changed or moved something. */
bool line_edit_key(struct line_edit *edit, struct key key);
/* Draws in `width` cells, scrolled so that the cursor is seen, and puts the
 * terminal's cursor there. */
void line_edit_draw(const struct line_edit *edit, struct canvas *canvas, int x, int y, int width,
                    struct style style);

#endif
