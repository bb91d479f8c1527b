/* Keys and other events, apart from any terminal library.
 *
 * A key is a character or a named key, with modifiers.  Its written form is what
 * settings, help and `snapshot --keys` use: "w", "G", "Ctrl+p", "Alt+1",
 * "Shift+left", "Space", "Enter", "Tab", "Esc", "F1", "PgDn".
 */
#ifndef TUI_KEY_H
#define TUI_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/buffer.h"
#include "engine/base/str.h"

enum key_code {
    KEY_NAMED = 0x110000, /* first code that is no character */
    KEY_NAME_UP,
    KEY_NAME_DOWN,
    KEY_NAME_LEFT,
    KEY_NAME_RIGHT,
    KEY_NAME_HOME,
    KEY_NAME_END,
    KEY_NAME_PAGE_UP,
    KEY_NAME_PAGE_DOWN,
    KEY_NAME_INSERT,
    KEY_NAME_DELETE,
    KEY_NAME_BACKSPACE,
    KEY_NAME_TAB,
    KEY_NAME_ENTER,
    KEY_NAME_ESCAPE,
    KEY_NAME_F1, /* to F12, in order */
    KEY_NAME_F12 = KEY_NAME_F1 + 11,
};

enum key_modifier { KEY_CTRL = 1, KEY_ALT = 2, KEY_SHIFT = 4 };

struct key {
    uint32_t code; /* a character (its own case), or enum key_code */
    uint8_t modifiers;
};

static inline bool key_equal(struct key a, struct key b)
{
    return a.code == b.code && a.modifiers == b.modifiers;
}

/* The whole text names one key. */
bool key_parse(struct str text, struct key *key);
void key_write(struct key key, struct buffer *out);

/* The next key of a sequence: keys are separated by blanks, and text between
 * double quotes is one key a character ("\"frame\" Enter").  False at the end;
 * *bad is set when a word names no key. */
bool key_parse_next(struct str *rest, struct key *key, bool *in_quotes, bool *bad);

enum mouse_kind {
    MOUSE_PRESS,
    MOUSE_RELEASE,
    MOUSE_DOUBLE,
    MOUSE_DRAG,
    MOUSE_WHEEL_UP,
    MOUSE_WHEEL_DOWN
};

struct mouse {
    enum mouse_kind kind;
    int x, y, button; /* 1 left, 2 middle, 3 right */
    uint8_t modifiers;
};

enum input_event_type {
    INPUT_NONE,
    INPUT_KEY,
    INPUT_MOUSE,
    INPUT_RESIZE,
    INPUT_WAKE,
    INPUT_HANGUP
};

struct input_event {
    enum input_event_type type;
    bool pasted; /* a character of pasted text: no key may come of it */
    struct key key;
    struct mouse mouse;
};

#endif
