#include "tui/key.h"

#include <strings.h>

#include "engine/base/utf8.h"

static const struct {
    const char *name;
    uint32_t code;
} names[] = {
    {"up", KEY_NAME_UP},
    {"down", KEY_NAME_DOWN},
    {"left", KEY_NAME_LEFT},
    {"right", KEY_NAME_RIGHT},
    {"Home", KEY_NAME_HOME},
    {"End", KEY_NAME_END},
    {"PgUp", KEY_NAME_PAGE_UP},
    {"PgDn", KEY_NAME_PAGE_DOWN},
    {"Ins", KEY_NAME_INSERT},
    {"Del", KEY_NAME_DELETE},
    {"Backspace", KEY_NAME_BACKSPACE},
    {"Tab", KEY_NAME_TAB},
    {"Enter", KEY_NAME_ENTER},
    {"Esc", KEY_NAME_ESCAPE},
    {"Space", ' '},
    {"Plus", '+'},
    {"Quote", '"'},
};
#define NAME_COUNT (sizeof names / sizeof *names)

static bool take_prefix(struct str *text, const char *prefix)
{
    size_t n = strlen(prefix);
    if (text->n <= n || strncasecmp(text->p, prefix, n) != 0) return false;
    *text = str_slice(*text, n, text->n);
    return true;
}

static bool parse_code(struct str text, uint32_t *code)
{
    uint32_t c;
    if (text.n == 0) return false;
    if (utf8_decode(text, &c) == text.n) {
        *code = c;
        return !utf8_is_unsafe(c);
    }
    int64_t number;
    if ((text.p[0] == 'F' || text.p[0] == 'f') && str_to_int64(str_slice(text, 1, 3), &number) &&
        text.n <= 3 && number >= 1 && number <= 12) {
        *code = KEY_NAME_F1 + (uint32_t)number - 1;
        return true;
    }
    for (size_t i = 0; i < NAME_COUNT; i++) {
        if (strlen(names[i].name) != text.n || strncasecmp(names[i].name, text.p, text.n) != 0)
            continue;
        *code = names[i].code;
        return true;
    }
    return false;
}

bool key_parse(struct str text, struct key *key)
{
    struct key result = {0, 0};
    for (;;) {
        if (take_prefix(&text, "Ctrl+"))
            result.modifiers |= KEY_CTRL;
        else if (take_prefix(&text, "Alt+"))
            result.modifiers |= KEY_ALT;
        else if (take_prefix(&text, "Shift+"))
            result.modifiers |= KEY_SHIFT;
        else
            break;
    }
    if (!parse_code(text, &result.code)) return false;
    if ((result.modifiers & KEY_CTRL) && result.code >= 'A' && result.code <= 'Z')
        result.code += 'a' - 'A';
    *key = result;
    return true;
}

void key_write(struct key key, struct buffer *out)
{
    if (key.modifiers & KEY_CTRL) buffer_append_text(out, "Ctrl+");
    if (key.modifiers & KEY_ALT) buffer_append_text(out, "Alt+");
    if (key.modifiers & KEY_SHIFT) buffer_append_text(out, "Shift+");
    if (key.code >= KEY_NAME_F1 && key.code <= KEY_NAME_F12) {
        buffer_printf(out, "F%u", key.code - KEY_NAME_F1 + 1);
        return;
    }
    for (size_t i = 0; i < NAME_COUNT; i++) {
        if (names[i].code != key.code || key.code == '+' || key.code == '"') continue;
        buffer_append_text(out, names[i].name);
        return;
    }
    char bytes[4];
    buffer_append(out, bytes, utf8_encode(key.code, bytes));
}

bool key_parse_next(struct str *rest, struct key *key, bool *in_quotes, bool *bad)
{
    *bad = false;
    while (!*in_quotes && rest->n && (rest->p[0] == ' ' || rest->p[0] == '\n'))
        *rest = str_slice(*rest, 1, rest->n);
    if (rest->n == 0) return false;
    bool lone = rest->n == 1 || rest->p[1] == ' ';
    if (rest->p[0] == '"' && (*in_quotes || !lone)) {
        *in_quotes = !*in_quotes;
        *rest = str_slice(*rest, 1, rest->n);
        return key_parse_next(rest, key, in_quotes, bad);
    }
    if (*in_quotes) {
        uint32_t c;
        size_t used = utf8_decode(*rest, &c);
        *rest = str_slice(*rest, used, rest->n);
        *key = (struct key){c, 0};
        *bad = utf8_is_unsafe(c);
        return true;
    }
    size_t end = 0;
    while (end < rest->n && rest->p[end] != ' ' && rest->p[end] != '\n')
        end++;
    *bad = !key_parse(str_slice(*rest, 0, end), key);
    *rest = str_slice(*rest, end, rest->n);
    return true;
}
