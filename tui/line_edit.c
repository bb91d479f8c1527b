#include "tui/line_edit.h"

#include <string.h>

#include "engine/base/utf8.h"

void edit_history_add(struct edit_history *history, const char *line)
{
    if (!line[0]) return;
    if (history->count && strcmp(*vec_last(history), line) == 0) return;
    if (history->count == EDIT_HISTORY_MAX) {
        mem_free(history->items[0]);
        memmove(history->items, history->items + 1, (history->count - 1) * sizeof *history->items);
        history->count--;
    }
    vec_push(history, mem_strdup(line));
}

void edit_history_free(struct edit_history *history)
{
    for (size_t i = 0; i < history->count; i++)
        mem_free(history->items[i]);
    vec_free(history);
}

void line_edit_init(struct line_edit *edit, const char *text, struct edit_history *history)
{
    *edit = (struct line_edit){.history = history};
    edit->text.largest = 1u << 20;
    edit->history_at = history ? history->count : 0;
    line_edit_set(edit, text ? text : "");
}

void line_edit_dispose(struct line_edit *edit)
{
    buffer_free(&edit->text);
    mem_free(edit->draft);
    edit->draft = NULL;
}

void line_edit_set(struct line_edit *edit, const char *text)
{
    buffer_clear(&edit->text);
    buffer_append_text(&edit->text, text);
    edit->at = edit->text.length;
}

static void replace(struct line_edit *edit, size_t from, size_t to, const char *bytes, size_t n)
{
    struct buffer next = BUFFER_INIT;
    next.largest = edit->text.largest;
    const char *old = buffer_text(&edit->text);
    buffer_append(&next, old, from);
    buffer_append(&next, bytes, n);
    buffer_append(&next, old + to, edit->text.length - to);
    if (next.overflowed) {
        buffer_free(&next);
        return;
    }
    buffer_free(&edit->text);
    edit->text = next;
    edit->at = from + n;
}

static size_t step_back(const struct line_edit *edit, size_t at)
{
    const char *text = buffer_text(&edit->text);
    if (at == 0) return 0;
    do
        at--;
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80);
    return at;
}

static size_t step_forward(const struct line_edit *edit, size_t at)
{
    const char *text = buffer_text(&edit->text);
    if (at >= edit->text.length) return at;
    do
        at++;
    while (at < edit->text.length && ((unsigned char)text[at] & 0xC0) == 0x80);
    return at;
}

static size_t word_back(const struct line_edit *edit)
{
    const char *text = buffer_text(&edit->text);
    size_t at = edit->at;
    while (at > 0 && text[at - 1] == ' ')
        at--;
    while (at > 0 && text[at - 1] != ' ')
        at--;
    return at;
}

static bool go_history(struct line_edit *edit, int step)
{
    struct edit_history *h = edit->history;
    if (!h || !h->count) return false;
    if (step < 0 && edit->history_at == 0) return false;
    if (step > 0 && edit->history_at >= h->count) return false;
    if (edit->history_at >= h->count) {
        mem_free(edit->draft);
        edit->draft = mem_strdup(buffer_text(&edit->text));
    }
    edit->history_at += (size_t)step;
    bool typed = edit->history_at >= h->count;
    line_edit_set(edit, typed ? (edit->draft ? edit->draft : "") : h->items[edit->history_at]);
    return true;
}

static bool control_key(struct line_edit *edit, uint32_t code)
{
    switch (code) {
    case 'a': edit->at = 0; return true;
    case 'e': edit->at = edit->text.length; return true;
    case 'b': edit->at = step_back(edit, edit->at); return true;
    case 'f': edit->at = step_forward(edit, edit->at); return true;
    case 'u': replace(edit, 0, edit->at, "", 0); return true;
    case 'k': {
        size_t at = edit->at;
        replace(edit, at, edit->text.length, "", 0);
        return true;
    }
    case 'w': replace(edit, word_back(edit), edit->at, "", 0); return true;
    case 'd': replace(edit, edit->at, step_forward(edit, edit->at), "", 0); return true;
    case 'p': return go_history(edit, -1);
    case 'n': return go_history(edit, 1);
    default: return false;
    }
}

bool line_edit_key(struct line_edit *edit, struct key key)
{
    if (key.modifiers == KEY_CTRL) return control_key(edit, key.code);
    if (key.modifiers) return false;
    switch (key.code) {
    case KEY_NAME_LEFT: edit->at = step_back(edit, edit->at); return true;
    case KEY_NAME_RIGHT: edit->at = step_forward(edit, edit->at); return true;
    case KEY_NAME_HOME: edit->at = 0; return true;
    case KEY_NAME_END: edit->at = edit->text.length; return true;
    case KEY_NAME_UP: return go_history(edit, -1);
    case KEY_NAME_DOWN: return go_history(edit, 1);
    case KEY_NAME_BACKSPACE: replace(edit, step_back(edit, edit->at), edit->at, "", 0); return true;
    case KEY_NAME_DELETE: {
        size_t at = edit->at;
        replace(edit, at, step_forward(edit, at), "", 0);
        return true;
    }
    default: break;
    }
    if (key.code >= KEY_NAMED) return false;
    char bytes[4];
    size_t n = utf8_encode(key.code, bytes);
    replace(edit, edit->at, edit->at, bytes, n);
    return true;
}

void line_edit_draw(const struct line_edit *edit, struct canvas *canvas, int x, int y, int width,
                    struct style style)
{
    struct str text = buffer_str(&edit->text);
    size_t from = 0;
    /* Scroll until what is left of the cursor fits. */
    while ((int)utf8_visible_width(str_slice(text, from, edit->at), canvas->ascii) >= width)
        from = step_forward(edit, from);
    canvas_fill(canvas, (struct rect){x, y, width, 1}, ' ', style);
    canvas_text(canvas, x, y, width, str_slice(text, from, text.n), style);
    canvas->cursor_x = x + (int)utf8_visible_width(str_slice(text, from, edit->at), canvas->ascii);
    canvas->cursor_y = y;
}
