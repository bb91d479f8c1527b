#include "engine/import/json_pull.h"

#include "engine/base/utf8.h"

/* What may come next. */
enum {
    EXPECT_VALUE,
    EXPECT_VALUE_OR_END, /* just after '[' */
    EXPECT_KEY_OR_END,   /* just after '{' */
    EXPECT_KEY,          /* after a comma in an object */
    EXPECT_COMMA_OR_END,
    EXPECT_NOTHING,
};

void json_pull_init(struct json_pull *pull, struct str bytes, size_t from)
{
    pull->start = bytes.p;
    pull->at = bytes.p + from;
    pull->end = bytes.p + bytes.n;
    pull->text = STR_NONE;
    pull->has_escapes = false;
    pull->depth = 0;
    pull->expect = EXPECT_VALUE;
}

bool json_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

size_t json_skip_space(struct str bytes, size_t from)
{
    while (from < bytes.n && json_is_space(bytes.p[from]))
        from++;
    return from;
}

static bool in_object(const struct json_pull *pull)
{
    uint32_t i = pull->depth - 1;
    return pull->depth > 0 && (pull->is_object[i / 64] >> i % 64 & 1);
}

static void after_value(struct json_pull *pull)
{
    pull->expect = pull->depth == 0 ? EXPECT_NOTHING : EXPECT_COMMA_OR_END;
}

static enum json_token open(struct json_pull *pull, bool is_object)
{
    uint32_t i = pull->depth;
    if (i == JSON_MAX_DEPTH) return JSON_ERROR;
    uint64_t bit = UINT64_C(1) << i % 64;
    if (is_object)
        pull->is_object[i / 64] |= bit;
    else
        pull->is_object[i / 64] &= ~bit;
    pull->depth++;
    pull->at++;
    pull->expect = is_object ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
    return is_object ? JSON_OBJECT : JSON_ARRAY;
}

static enum json_token close(struct json_pull *pull, bool is_object)
{
    if (pull->depth == 0 || in_object(pull) != is_object) return JSON_ERROR;
    pull->depth--;
    pull->at++;
    after_value(pull);
    return is_object ? JSON_OBJECT_END : JSON_ARRAY_END;
}

/* At the opening quote.  False when the bytes end first. */
static bool read_string(struct json_pull *pull)
{
    const char *p = pull->at + 1, *end = pull->end;
    pull->has_escapes = false;
    for (; p < end; p++) {
        if (*p == '"') {
            pull->text = (struct str){pull->at + 1, (size_t)(p - pull->at - 1)};
            pull->at = p + 1;
            return true;
        }
        if (*p == '\\') {
            pull->has_escapes = true;
            p++;
        }
    }
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && is_digit(*p))
        p++;
    return p;
}

/* The end of the number that begins at p, or p itself when there is none. */
static const char *number_end(const char *p, const char *end)
{
    const char *start = p;
    if (p < end && *p == '-') p++;
    const char *digits = p;
    p = skip_digits(p, end);
    if (p == digits) return start;
    if (p < end && *p == '.') p = skip_digits(p + 1, end);
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *power = p + 1;
        if (power < end && (*power == '+' || *power == '-')) power++;
        const char *power_end = skip_digits(power, end);
        if (power_end > power) p = power_end;
    }
    return p;
}

static bool is_word_byte(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-' || c == '+' || c == '.' || c == '#';
}

/* A number, true, false, null, or another bare word. */
static enum json_token read_bare(struct json_pull *pull)
{
    const char *p = number_end(pull->at, pull->end);
    bool is_number = p > pull->at && (p == pull->end || !is_word_byte(*p));
    while (p < pull->end && is_word_byte(*p))
        p++;
    if (p == pull->at) return JSON_ERROR;
    /* More of it could follow, were there more bytes. */
    if (p == pull->end && pull->depth > 0) return JSON_CUT;
    pull->text = (struct str){pull->at, (size_t)(p - pull->at)};
    pull->at = p;
    after_value(pull);
    if (is_number) return JSON_NUMBER;
    if (str_equal(pull->text, STR("true"))) return JSON_TRUE;
    if (str_equal(pull->text, STR("false"))) return JSON_FALSE;
    if (str_equal(pull->text, STR("null"))) return JSON_NULL;
    return JSON_WORD;
}

static enum json_token read_value(struct json_pull *pull)
{
    switch (*pull->at) {
    case '{': return open(pull, true);
    case '[': return open(pull, false);
    case '"':
        if (!read_string(pull)) return JSON_CUT;
        after_value(pull);
        return JSON_STRING;
    default: return read_bare(pull);
    }
}

static bool skip_space(struct json_pull *pull)
{
    while (pull->at < pull->end && json_is_space(*pull->at))
        pull->at++;
    return pull->at < pull->end;
}

static enum json_token read_key(struct json_pull *pull)
{
    if (*pull->at != '"') return JSON_ERROR;
    const char *key_at = pull->at;
    if (!read_string(pull) || !skip_space(pull)) return JSON_CUT;
    if (*pull->at != ':') {
        pull->at = key_at;
        return JSON_ERROR;
    }
    pull->at++;
    pull->expect = EXPECT_VALUE;
    return JSON_KEY;
}

enum json_token json_pull_next(struct json_pull *pull)
{
    if (pull->expect == EXPECT_NOTHING) return JSON_DONE;
    if (!skip_space(pull)) return JSON_CUT;
    if (pull->expect == EXPECT_COMMA_OR_END) {
        if (*pull->at == '}' || *pull->at == ']') return close(pull, *pull->at == '}');
        if (*pull->at != ',') return JSON_ERROR;
        pull->at++;
        pull->expect = in_object(pull) ? EXPECT_KEY : EXPECT_VALUE;
        if (!skip_space(pull)) return JSON_CUT;
    }
    switch (pull->expect) {
    case EXPECT_KEY_OR_END:
        if (*pull->at == '}') return close(pull, true);
        return read_key(pull);
    case EXPECT_KEY: return read_key(pull);
    case EXPECT_VALUE_OR_END:
        if (*pull->at == ']') return close(pull, false);
        return read_value(pull);
    default: return read_value(pull);
    }
}

enum json_token json_pull_skip(struct json_pull *pull, enum json_token token)
{
    if (token == JSON_KEY) {
        token = json_pull_next(pull);
        if (token != JSON_OBJECT && token != JSON_ARRAY) return token;
    }
    uint32_t outside = pull->depth - 1;
    do {
        token = json_pull_next(pull);
    } while (pull->depth > outside && token > JSON_ERROR);
    return token;
}

void json_pull_pass(struct json_pull *pull, size_t end)
{
    pull->at = pull->start + end;
    after_value(pull);
}

bool json_match_bracket(struct str bytes, size_t from, size_t *end)
{
    char closers[JSON_MAX_DEPTH];
    size_t depth = 0;
    for (*end = from; *end < bytes.n; ++*end) {
        char c = bytes.p[*end];
        if (c == '"') {
            for (++*end; *end < bytes.n && bytes.p[*end] != '"'; ++*end)
                if (bytes.p[*end] == '\\') ++*end;
        } else if (c == '{' || c == '[') {
            if (depth == JSON_MAX_DEPTH) return false;
            closers[depth++] = c == '{' ? '}' : ']';
        } else if (c == '}' || c == ']') {
            if (depth == 0 || closers[--depth] != c) return false;
            if (depth > 0) continue;
            ++*end;
            return true;
        }
    }
    *end = bytes.n;
    return false;
}

static int hex_value(char c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool read_hex4(struct str raw, size_t at, uint32_t *out)
{
    if (at + 4 > raw.n) return false;
    *out = 0;
    for (size_t i = at; i < at + 4; i++) {
        int digit = hex_value(raw.p[i]);
        if (digit < 0) return false;
        *out = *out << 4 | (uint32_t)digit;
    }
    return true;
}

/* raw.p[at] is the 'u'.  Returns the bytes used from there, 0 when it is none. */
static size_t decode_unicode(struct str raw, size_t at, struct buffer *out)
{
    uint32_t unit, low;
    size_t used = 5;
    if (!read_hex4(raw, at + 1, &unit)) return 0;
    if (unit >= 0xD800 && unit < 0xDC00 && at + 6 < raw.n && raw.p[at + 5] == '\\' &&
        raw.p[at + 6] == 'u' && read_hex4(raw, at + 7, &low) && low >= 0xDC00 && low < 0xE000) {
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        used = 11;
    } else if (unit >= 0xD800 && unit < 0xE000) {
        unit = UTF8_REPLACEMENT;
    }
    char bytes[4];
    buffer_append(out, bytes, utf8_encode(unit, bytes));
    return used;
}

struct str json_decode(struct str raw, bool has_escapes, struct buffer *buffer)
{
    static const char FROM[] = "\"\\/bfnrt", TO[] = "\"\\/\b\f\n\r\t";
    if (!has_escapes) return raw;
    buffer_clear(buffer);
    size_t done = 0;
    for (size_t i = 0; i + 1 < raw.n; i++) {
        if (raw.p[i] != '\\') continue;
        char c = raw.p[i + 1];
        const char *known = c ? strchr(FROM, c) : NULL;
        buffer_append(buffer, raw.p + done, i - done);
        size_t used = 0;
        if (known) {
            buffer_append_byte(buffer, TO[known - FROM]);
            used = 1;
        } else if (c == 'u') {
            used = decode_unicode(raw, i + 1, buffer);
        }
        /* An escape that is none keeps its backslash. */
        if (!used) {
            buffer_append(buffer, raw.p + i, 2);
            used = 1;
        }
        i += used;
        done = i + 1;
    }
    buffer_append(buffer, raw.p + done, raw.n - done);
    return (struct str){buffer_text(buffer), buffer->length};
}
