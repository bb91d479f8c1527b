#include "tui/input_decode.h"

#include <string.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "engine/base/vec.h"

#define LONGEST_SEQUENCE 64 /* more than any key or mouse report */
#define MOST_PARAMETERS  4

struct sequence {
    struct str bytes; /* owned */
    struct key key;
};

struct input_decoder {
    struct buffer bytes; /* from `at` on not decoded yet */
    size_t at;
    struct sequences VEC_OF(struct sequence) sequences;
    bool utf8, pasting;
};

/* What one reader says of the bytes at the front. */
enum found { FOUND_NOTHING, FOUND_MORE_NEEDED, FOUND_EVENT, FOUND_SKIP };

struct reading {
    struct str rest;
    size_t used; /* of FOUND_EVENT and FOUND_SKIP */
    struct input_event event;
    bool at_end;
};

struct input_decoder *input_decoder_new(bool utf8)
{
    struct input_decoder *d = mem_zero(1, sizeof *d);
    d->utf8 = utf8;
    return d;
}

void input_decoder_free(struct input_decoder *d)
{
    if (!d) return;
    for (size_t i = 0; i < d->sequences.count; i++)
        mem_free((char *)d->sequences.items[i].bytes.p);
    vec_free(&d->sequences);
    buffer_free(&d->bytes);
    mem_free(d);
}

void input_decoder_add_sequence(struct input_decoder *d, const char *sequence, struct key key)
{
    size_t n = strlen(sequence);
    /* One byte is a character; a sequence starts with Esc. */
    if (n < 2 || n > LONGEST_SEQUENCE || sequence[0] != '\033') return;
    struct sequence s = {{mem_strdup(sequence), n}, key};
    vec_push(&d->sequences, s);
}

void input_decoder_feed(struct input_decoder *d, const char *bytes, size_t n)
{
    if (d->at == d->bytes.length) {
        buffer_clear(&d->bytes);
        d->at = 0;
    }
    buffer_append(&d->bytes, bytes, n);
}

static enum found give_key(struct reading *r, size_t used, uint32_t code, unsigned modifiers)
{
    r->used = used;
    r->event = (struct input_event){.type = INPUT_KEY, .key = {code, (uint8_t)modifiers}};
    return FOUND_EVENT;
}

static enum found skip(struct reading *r, size_t used)
{
    r->used = used;
    return FOUND_SKIP;
}

/* ---- characters ---- */

static struct key key_of_control(unsigned char c)
{
    if (c == '\t') return (struct key){KEY_NAME_TAB, 0};
    if (c == '\r' || c == '\n') return (struct key){KEY_NAME_ENTER, 0};
    if (c == 0x7F || c == 0x08) return (struct key){KEY_NAME_BACKSPACE, 0};
    if (c == 0x1B) return (struct key){KEY_NAME_ESCAPE, 0};
    if (c == 0) return (struct key){' ', KEY_CTRL};
    if (c < 0x1B) return (struct key){(uint32_t)('a' + c - 1), KEY_CTRL};
    return (struct key){(uint32_t)('\\' + c - 0x1C), KEY_CTRL};
}

/* Bytes that a character starting with `lead` has; 0 when none can. */
static size_t length_of_character(unsigned char lead)
{
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead < 0xE0) return 2;
    if (lead >= 0xE0 && lead < 0xF0) return 3;
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

static enum found read_character(const struct input_decoder *d, struct reading *r, size_t from,
                                 unsigned modifiers)
{
    struct str text = str_slice(r->rest, from, r->rest.n);
    unsigned char lead = (unsigned char)text.p[0];
    if (lead < 0x20 || lead == 0x7F) {
        struct key key = key_of_control(lead);
        return give_key(r, from + 1, key.code, key.modifiers | modifiers);
    }
    if (!d->utf8 && lead >= 0x80)
        return lead < 0xA0 ? skip(r, from + 1) : give_key(r, from + 1, lead, modifiers);
    size_t length = length_of_character(lead), have = 1;
    while (have < length && have < text.n && ((unsigned char)text.p[have] & 0xC0) == 0x80)
        have++;
    if (have < length && have == text.n && !r->at_end) return FOUND_MORE_NEEDED;
    uint32_t c;
    struct str one = str_slice(text, 0, have);
    if (have != length || utf8_decode(one, &c) != length || c == UTF8_INVALID)
        return skip(r, from + (have ? have : 1));
    return give_key(r, from + length, c, modifiers);
}

/* ---- sequences ---- */

static bool key_of_letter(char final, uint32_t *code)
{
    static const struct {
        char final;
        uint32_t code;
    } letters[] = {{'A', KEY_NAME_UP},     {'B', KEY_NAME_DOWN},   {'C', KEY_NAME_RIGHT},
                   {'D', KEY_NAME_LEFT},   {'H', KEY_NAME_HOME},   {'F', KEY_NAME_END},
                   {'P', KEY_NAME_F1},     {'Q', KEY_NAME_F1 + 1}, {'R', KEY_NAME_F1 + 2},
                   {'S', KEY_NAME_F1 + 3}, {'M', KEY_NAME_ENTER}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (letters[i].final != final) continue;
        *code = letters[i].code;
        return true;
    }
    return false;
}

/* The number of "CSI number ~" as DEC's terminals and rxvt use it. */
static bool key_of_number(int number, uint32_t *code, unsigned *modifiers)
{
    static const uint32_t editing[] = {KEY_NAME_HOME, KEY_NAME_INSERT,  KEY_NAME_DELETE,
                                       KEY_NAME_END,  KEY_NAME_PAGE_UP, KEY_NAME_PAGE_DOWN,
                                       KEY_NAME_HOME, KEY_NAME_END};
    /* 11 to 15, 17 to 21, 23 to 26, 28, 29, 31 to 34: F1 to F20 with gaps. */
    static const signed char functions[] = {1,  2,  3,  4,  5, 0,  6,  7, 8,  9,  10, 0,
                                            11, 12, 13, 14, 0, 15, 16, 0, 17, 18, 19, 20};
    if (number >= 1 && number <= 8) {
        *code = editing[number - 1];
        return true;
    }
    if (number < 11 || number > 34 || !functions[number - 11]) return false;
    int function = functions[number - 11];
    /* What has no key of its own is Shift with one: F13 is Shift+F1 (Linux), so too F11 on. */
    if (function > 12) *modifiers |= KEY_SHIFT;
    *code = KEY_NAME_F1 + (uint32_t)(function > 12 ? function - 12 : function) - 1;
    return true;
}

static unsigned modifiers_of(int parameter)
{
    unsigned bits = parameter > 1 && parameter < 256 ? (unsigned)parameter - 1 : 0;
    return (bits & 1 ? KEY_SHIFT : 0U) | (bits & 2 ? KEY_ALT : 0U) | (bits & 4 ? KEY_CTRL : 0U);
}

/* A code point with modifiers, as terminals report what has no byte of its own. */
static enum found give_code_point(struct reading *r, size_t used, int code, unsigned modifiers)
{
    if (code < 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return skip(r, used);
    if (code < 0x20 || code == 0x7F) {
        struct key key = key_of_control((unsigned char)code);
        return give_key(r, used, key.code, key.modifiers | modifiers);
    }
    /* The character already is what Shift made of it. */
    if (code > ' ') modifiers &= ~(unsigned)KEY_SHIFT;
    return give_key(r, used, (uint32_t)code, modifiers);
}

static enum found give_mouse(struct reading *r, size_t used, int buttons, int x, int y,
                             bool release)
{
    struct mouse mouse = {.x = x - 1, .y = y - 1, .button = (buttons & 3) + 1};
    mouse.modifiers = (uint8_t)((buttons & 4 ? KEY_SHIFT : 0) | (buttons & 8 ? KEY_ALT : 0) |
                                (buttons & 16 ? KEY_CTRL : 0));
    bool none = (buttons & 3) == 3;
    if (x < 1 || y < 1 || (buttons & 128)) return skip(r, used);
    if (buttons & 64) {
        if (release || (buttons & 3) > 1) return skip(r, used); /* a wheel that turns sideways */
        mouse.kind = buttons & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
    } else if (buttons & 32) {
        if (none) return skip(r, used);
        mouse.kind = MOUSE_DRAG;
    } else if (release || none) {
        mouse.kind = MOUSE_RELEASE;
        if (none) mouse.button = 1; /* mode 1000 does not say which */
    } else {
        mouse.kind = MOUSE_PRESS;
    }
    r->used = used;
    r->event = (struct input_event){.type = INPUT_MOUSE, .mouse = mouse};
    return FOUND_EVENT;
}

struct control_sequence {
    char private_mark, final;
    int parameters[MOST_PARAMETERS];
    int count;
    size_t length;
};

/* "ESC [" parameters final, at `from`; sets `length` to all of it. */
static enum found read_control(struct str rest, size_t from, struct control_sequence *c)
{
    size_t at = from + 2;
    memset(c, 0, sizeof *c);
    if (at < rest.n && strchr("<=>?", rest.p[at])) c->private_mark = rest.p[at++];
    for (; at < rest.n && at < from + LONGEST_SEQUENCE; at++) {
        char byte = rest.p[at];
        if (byte >= '0' && byte <= '9') {
            if (c->count == 0) c->count = 1;
            int *number = &c->parameters[c->count <= MOST_PARAMETERS ? c->count - 1 : 0];
            if (c->count <= MOST_PARAMETERS && *number < 10000000)
                *number = *number * 10 + byte - '0';
        } else if (byte == ';') {
            c->count += c->count == 0 ? 2 : 1;
        } else if (byte == ':') {
            while (at + 1 < rest.n && rest.p[at + 1] >= '0' && rest.p[at + 1] <= ':')
                at++; /* a sub-parameter says nothing here */
        } else if ((byte >= '@' && byte <= '~') || byte == '$') {
            c->final = byte;
            c->length = at + 1 - from;
            return FOUND_EVENT;
        } else if (byte < ' ' || byte > '~') {
            break; /* no part of a sequence: what came is none */
        } else {
            c->private_mark = byte; /* an intermediate: no key has one */
        }
    }
    c->length = at - from;
    return at == rest.n && at < from + LONGEST_SEQUENCE ? FOUND_MORE_NEEDED : FOUND_SKIP;
}

static enum found give_control(struct reading *r, size_t used, const struct control_sequence *c,
                               unsigned modifiers)
{
    int first = c->parameters[0], second = c->parameters[1];
    uint32_t code;
    if (c->private_mark == '<' && c->count == 3 && (c->final == 'M' || c->final == 'm'))
        return give_mouse(r, used, first, second, c->parameters[2], c->final == 'm');
    if (c->private_mark) return skip(r, used); /* an answer to a question */
    if (c->count >= 2) modifiers |= modifiers_of(second);
    if (c->final == 'u') return give_code_point(r, used, first, modifiers);
    if (c->final == '~' && first == 27 && c->count == 3)
        return give_code_point(r, used, c->parameters[2], modifiers);
    if (strchr("~^$@", c->final)) {
        if (c->final == '^' || c->final == '@') modifiers |= KEY_CTRL;
        if (c->final == '$' || c->final == '@') modifiers |= KEY_SHIFT;
        if (!key_of_number(first, &code, &modifiers)) return skip(r, used);
        return give_key(r, used, code, modifiers);
    }
    if (c->final >= 'a' && c->final <= 'd' && key_of_letter((char)(c->final - 'a' + 'A'), &code))
        return give_key(r, used, code, modifiers | KEY_SHIFT); /* rxvt */
    if (c->final == 'Z') return give_key(r, used, KEY_NAME_TAB, modifiers | KEY_SHIFT);
    /* "CSI row ; column R" answers a question; F3 has at most modifiers. */
    if (c->final == 'M' || (c->final == 'R' && c->count >= 2 && first != 1)) return skip(r, used);
    if (!key_of_letter(c->final, &code)) return skip(r, used);
    return give_key(r, used, code, modifiers);
}

static enum found read_csi(struct input_decoder *d, struct reading *r, size_t from,
                           unsigned modifiers)
{
    struct str rest = r->rest;
    if (from + 2 < rest.n && rest.p[from + 2] == '[') { /* the Linux console's F1 to F5 */
        if (from + 3 >= rest.n) return FOUND_MORE_NEEDED;
        char letter = rest.p[from + 3];
        if (letter < 'A' || letter > 'E') return skip(r, from + 3);
        return give_key(r, from + 4, KEY_NAME_F1 + (uint32_t)(letter - 'A'), modifiers);
    }
    if (from + 2 < rest.n && rest.p[from + 2] == 'M') { /* mode 1000: three bytes */
        if (from + 6 > rest.n) return FOUND_MORE_NEEDED;
        const unsigned char *b = (const unsigned char *)rest.p + from + 3;
        return give_mouse(r, from + 6, b[0] - 32, b[1] - 32, b[2] - 32, false);
    }
    struct control_sequence c;
    enum found found = read_control(rest, from, &c);
    if (found == FOUND_SKIP) return skip(r, from + c.length);
    if (found == FOUND_MORE_NEEDED) return found;
    if (c.final == '~' && c.count == 1 && (c.parameters[0] == 200 || c.parameters[0] == 201)) {
        d->pasting = c.parameters[0] == 200;
        return skip(r, from + c.length);
    }
    return give_control(r, from + c.length, &c, modifiers);
}

static enum found read_ss3(struct reading *r, size_t from, unsigned modifiers)
{
    if (from + 2 >= r->rest.n) return FOUND_MORE_NEEDED;
    char final = r->rest.p[from + 2];
    uint32_t code;
    if (final >= 'a' && final <= 'd' && key_of_letter((char)(final - 'a' + 'A'), &code))
        return give_key(r, from + 3, code, modifiers | KEY_CTRL); /* rxvt */
    if (final >= 'j' && final <= 'y') /* the keypad: its own character */
        return give_key(r, from + 3, (uint32_t)(final - 'j' + '*'), modifiers);
    if (!key_of_letter(final, &code)) return skip(r, from + 3);
    return give_key(r, from + 3, code, modifiers);
}

/* The longest sequence of the terminal's own description. */
static enum found read_described(const struct input_decoder *d, struct reading *r)
{
    const struct sequence *best = NULL;
    bool may_come = false;
    for (size_t i = 0; i < d->sequences.count; i++) {
        const struct sequence *s = &d->sequences.items[i];
        size_t n = s->bytes.n < r->rest.n ? s->bytes.n : r->rest.n;
        if (memcmp(s->bytes.p, r->rest.p, n) != 0) continue;
        if (n < s->bytes.n)
            may_come = true;
        else if (!best || s->bytes.n > best->bytes.n)
            best = s;
    }
    if (may_come && !r->at_end) return FOUND_MORE_NEEDED;
    return best ? give_key(r, best->bytes.n, best->key.code, best->key.modifiers) : FOUND_NOTHING;
}

/* At the front is Esc. */
static enum found read_escape(struct input_decoder *d, struct reading *r)
{
    enum found found = read_described(d, r);
    if (found != FOUND_NOTHING) return found;
    struct str rest = r->rest;
    size_t from = 0;
    unsigned modifiers = 0;
    if (rest.n >= 3 && rest.p[1] == '\033' && (rest.p[2] == '[' || rest.p[2] == 'O')) {
        from = 1; /* Esc before a sequence is Alt (rxvt, PuTTY) */
        modifiers = KEY_ALT;
    }
    char next = from + 1 < rest.n ? rest.p[from + 1] : 0;
    if (rest.n == 1) {
        if (!r->at_end) return FOUND_MORE_NEEDED;
        return give_key(r, 1, KEY_NAME_ESCAPE, 0);
    }
    if (next == '\033') {
        if (rest.n == 2 && !r->at_end) return FOUND_MORE_NEEDED;
        return give_key(r, 1, KEY_NAME_ESCAPE, 0);
    }
    if (next == '[' || next == 'O') {
        found = next == '[' ? read_csi(d, r, from, modifiers) : read_ss3(r, from, modifiers);
        if (found != FOUND_MORE_NEEDED || !r->at_end) return found;
        return give_key(r, from + 2, (uint32_t)next, KEY_ALT);
    }
    return read_character(d, r, 1, KEY_ALT);
}

/* Pasted text has no keys: a line end or tab is a blank, other controls are left out. */
static enum found read_pasted(struct input_decoder *d, struct reading *r)
{
    static const char end[] = "\033[201~";
    char c = r->rest.p[0];
    if (c == '\033') {
        size_t n = r->rest.n < sizeof end - 1 ? r->rest.n : sizeof end - 1;
        bool is_end = memcmp(end, r->rest.p, n) == 0;
        if (is_end && n < sizeof end - 1 && !r->at_end) return FOUND_MORE_NEEDED;
        if (is_end && n == sizeof end - 1) {
            d->pasting = false;
            return skip(r, n);
        }
        return skip(r, 1);
    }
    enum found found;
    if (c == '\n' || c == '\r' || c == '\t')
        found = give_key(r, 1, ' ', 0);
    else if ((unsigned char)c < 0x20 || c == 0x7F)
        found = skip(r, 1);
    else
        found = read_character(d, r, 0, 0);
    r->event.pasted = true;
    return found;
}

struct input_event input_decoder_next(struct input_decoder *d, bool at_end)
{
    while (d->at < d->bytes.length) {
        struct reading r = {
            .rest = {buffer_text(&d->bytes) + d->at, d->bytes.length - d->at},
            .at_end = at_end,
        };
        enum found found = d->pasting              ? read_pasted(d, &r)
                           : r.rest.p[0] == '\033' ? read_escape(d, &r)
                                                   : read_character(d, &r, 0, 0);
        if (found == FOUND_MORE_NEEDED) break;
        d->at += r.used;
        if (found == FOUND_EVENT) return r.event;
    }
    return (struct input_event){.type = INPUT_NONE};
}

enum input_pending input_decoder_pending(const struct input_decoder *d)
{
    size_t n = d->bytes.length - d->at;
    if (n == 0) return INPUT_PENDING_NOTHING;
    return n == 1 && d->bytes.data[d->at] == '\033' ? INPUT_PENDING_ESCAPE : INPUT_PENDING_SEQUENCE;
}
