#include "engine/extensions/json.h"

#include <math.h>
#include <stdlib.h>

enum { SHOWN_BYTES = 60 };

/* jansson refuses integers beyond int64, which a double may hold.  They are rare:
 * the text is looked at again only when it has a run of 19 digits. */
static bool has_long_integer(struct str bytes)
{
    size_t run = 0;
    for (size_t i = 0; i < bytes.n; i++) {
        run = bytes.p[i] >= '0' && bytes.p[i] <= '9' ? run + 1 : 0;
        if (run >= 19) return true;
    }
    return false;
}

static bool is_number_char(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Copies the text; an integer that int64 does not hold gets an exponent of 0, which
 * makes it a double.  Lines stay; columns behind such a number move by two. */
static void widen_integers(struct buffer *out, struct str bytes)
{
    bool in_string = false;
    for (size_t i = 0; i < bytes.n;) {
        char c = bytes.p[i];
        if (in_string || !is_number_char(c)) {
            if (in_string && c == '\\' && i + 1 < bytes.n)
                buffer_append_byte(out, bytes.p[i++]);
            else if (c == '"')
                in_string = !in_string;
            buffer_append_byte(out, bytes.p[i++]);
            continue;
        }
        size_t end = i;
        while (end < bytes.n && is_number_char(bytes.p[end]))
            end++;
        struct str number = str_slice(bytes, i, end);
        int64_t ignored;
        bool is_integer = true;
        for (size_t k = 0; k < number.n; k++)
            if (number.p[k] != '-' && (number.p[k] < '0' || number.p[k] > '9')) is_integer = false;
        buffer_append_str(out, number);
        if (is_integer && number.n >= 19 && !str_to_int64(number, &ignored))
            buffer_append_text(out, "e0");
        i = end;
    }
}

json_t *json_strict_load(struct str bytes, struct status *st)
{
    if (str_starts(bytes, STR("\xEF\xBB\xBF"))) bytes = str_slice(bytes, 3, bytes.n);
    struct buffer wide = BUFFER_INIT;
    if (has_long_integer(bytes)) {
        widen_integers(&wide, bytes);
        bytes = buffer_str(&wide);
    }
    json_error_t error;
    json_t *value = json_loadb(bytes.p ? bytes.p : "", bytes.n,
                               JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    buffer_free(&wide);
    if (!value)
        status_fail(st, STATUS_INVALID, error.position, "line %d, column %d: %s", error.line,
                    error.column, error.text);
    return value;
}

static void write_string(struct buffer *out, struct str s)
{
    buffer_append_byte(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        static const char escapes[] = "btn_fr";
        if (c == '"' || c == '\\')
            buffer_printf(out, "\\%c", c);
        else if (c >= 8 && c <= 13 && c != 11)
            buffer_printf(out, "\\%c", escapes[c - 8]);
        else if (c < 0x20)
            buffer_printf(out, "\\u%04x", c);
        else
            buffer_append_byte(out, (char)c);
    }
    buffer_append_byte(out, '"');
}

static void write_real(struct buffer *out, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    buffer_append_text(out, text);
    if (!strpbrk(text, ".e")) buffer_append_text(out, ".0"); /* stays a double */
}

/* The depth is that of the parsed text, which jansson caps. */
void json_write(struct buffer *out, const json_t *value)
{
    const char *key;
    json_t *item;
    size_t i, n = 0;
    json_t *v = (json_t *)(uintptr_t)value; /* jansson's iteration wants it so */
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        buffer_append_byte(out, '{');
        json_object_foreach(v, key, item)
        {
            if (n++ > 0) buffer_append_byte(out, ',');
            write_string(out, str_of(key));
            buffer_append_byte(out, ':');
            json_write(out, item);
        }
        buffer_append_byte(out, '}');
        break;
    case JSON_ARRAY:
        buffer_append_byte(out, '[');
        json_array_foreach(v, i, item)
        {
            if (i > 0) buffer_append_byte(out, ',');
            json_write(out, item);
        }
        buffer_append_byte(out, ']');
        break;
    case JSON_STRING: write_string(out, json_str(value)); break;
    case JSON_INTEGER: buffer_printf(out, "%lld", (long long)json_integer_value(value)); break;
    case JSON_REAL: write_real(out, json_real_value(value)); break;
    case JSON_TRUE: buffer_append_text(out, "true"); break;
    case JSON_FALSE: buffer_append_text(out, "false"); break;
    case JSON_NULL: buffer_append_text(out, "null"); break;
    }
}

void json_describe(struct buffer *out, const json_t *value)
{
    if (!value) {
        buffer_append_text(out, "nothing");
    } else if (json_is_object(value)) {
        buffer_append_text(out, "an object");
    } else if (json_is_array(value)) {
        buffer_append_text(out, "an array");
    } else if (json_is_string(value) && json_string_length(value) > SHOWN_BYTES) {
        size_t end = SHOWN_BYTES;
        struct str s = json_str(value);
        while (end > 0 && ((unsigned char)s.p[end] & 0xC0) == 0x80)
            end--;
        write_string(out, str_slice(s, 0, end));
        buffer_append_text(out, "…");
    } else {
        json_write(out, value);
    }
}

static bool is_plain_key(const char *key)
{
    for (const char *c = key; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              *c == '_' || *c == '-'))
            return false;
    return *key != 0;
}

size_t json_path_key(struct buffer *path, const char *key)
{
    size_t before = path->length;
    if (is_plain_key(key)) {
        buffer_printf(path, "%s%s", before > 0 ? "." : "", key);
    } else {
        buffer_append_byte(path, '[');
        write_string(path, str_of(key));
        buffer_append_byte(path, ']');
    }
    return before;
}

size_t json_path_index(struct buffer *path, size_t index)
{
    size_t before = path->length;
    buffer_printf(path, "[%zu]", index);
    return before;
}

void json_path_cut(struct buffer *path, size_t length)
{
    path->length = length;
    if (path->data) path->data[length] = 0;
}
