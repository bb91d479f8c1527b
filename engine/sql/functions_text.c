/* Functions over text and numbers that need nothing of the trace. */
#include <math.h>
#include <stdio.h>

#include "engine/base/buffer.h"
#include "engine/base/utf8.h"
#include "engine/sql/functions.h"
#include "engine/sql/pattern.h"

static bool any_null(sqlite3_value **argv, int argc)
{
    for (int i = 0; i < argc; i++)
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL) return true;
    return false;
}

/* FNV-1a of 64 bits, over little-endian integers and the bytes of texts. */
static void hash(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < argc; i++) {
        unsigned char number[8];
        struct str bytes = {(const char *)number, sizeof number};
        int type = sqlite3_value_type(argv[i]);
        if (type == SQLITE_INTEGER) {
            uint64_t value = (uint64_t)sqlite3_value_int64(argv[i]);
            for (int k = 0; k < 8; k++)
                number[k] = (unsigned char)(value >> 8 * k);
        } else if (type == SQLITE_TEXT) {
            bytes = function_text(argv[i]);
        } else {
            function_error(context, "HASH: arg %d has unknown type", i);
            return;
        }
        for (size_t k = 0; k < bytes.n; k++)
            h = (h ^ (unsigned char)bytes.p[k]) * UINT64_C(0x100000001b3);
    }
    sqlite3_result_int64(context, (int64_t)h);
}

static void glob(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    if (any_null(argv, argc)) return;
    sqlite3_result_int(context, pattern_glob(function_text(argv[0]), function_text(argv[1])));
}

/* like(pattern, text[, escape]): SQLite's operator, in bounded time. */
static void like(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    if (any_null(argv, argc)) return;
    uint32_t escape = 0;
    if (argc == 3) {
        struct str text = function_text(argv[2]);
        if (text.n == 0 || utf8_decode(text, &escape) != text.n) {
            function_error(context, "ESCAPE expression must be a single character");
            return;
        }
    }
    bool yes = pattern_like(function_text(argv[0]), function_text(argv[1]), escape);
    sqlite3_result_int(context, yes);
}

/* The n-th piece, from 0; NULL behind the last one. */
static void str_split(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (sqlite3_value_type(argv[0]) != SQLITE_TEXT) return;
    struct str rest = function_text(argv[0]), delimiter = function_text(argv[1]);
    if (sqlite3_value_type(argv[1]) != SQLITE_TEXT || delimiter.n == 0) {
        function_error(context, "str_split: delimiter should be a non-empty string");
        return;
    }
    if (sqlite3_value_type(argv[2]) != SQLITE_INTEGER || sqlite3_value_int64(argv[2]) < 0) {
        function_error(context, "str_split: field number should be a non-negative integer");
        return;
    }
    size_t at;
    for (int64_t left = sqlite3_value_int64(argv[2]); left > 0; left--) {
        if (!str_find(rest, delimiter, &at)) return;
        rest = str_slice(rest, at + delimiter.n, rest.n);
    }
    if (str_find(rest, delimiter, &at)) rest = str_slice(rest, 0, at);
    function_result_text(context, rest);
}

static void reverse(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    struct str s = function_text(argv[0]);
    char *out = mem_alloc(s.n + 1);
    for (size_t i = 0; i < s.n; i++)
        out[i] = s.p[s.n - 1 - i];
    function_result_text(context, (struct str){out, s.n});
    mem_free(out);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static void unhex(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    struct str s = str_trim(function_text(argv[0]));
    if (s.n > 2 && s.p[0] == '0' && (s.p[1] == 'x' || s.p[1] == 'X')) s = str_slice(s, 2, s.n);
    uint64_t value = 0;
    bool ok = s.n > 0;
    for (size_t i = 0; i < s.n && ok; i++) {
        int digit = hex_digit(s.p[i]);
        ok = digit >= 0 && value >> 60 == 0;
        value = value << 4 | (uint64_t)(digit & 15);
    }
    if (!ok || value > INT64_MAX)
        function_error(context, "unhex: '%.*s' is no hexadecimal number of 63 bits", STR_ARG(s));
    else
        sqlite3_result_int64(context, (int64_t)value);
}

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void base64_encode(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    struct str s = function_text(argv[0]);
    struct buffer out = BUFFER_INIT;
    for (size_t i = 0; i < s.n; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < s.n ? (unsigned char)s.p[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            buffer_append_byte(&out, i + k > s.n ? '=' : base64_digits[bits >> (18 - 6 * k) & 63]);
    }
    function_result_text(context, buffer_str(&out));
    buffer_free(&out);
}

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* NULL when the text is no base64; both alphabets, padding optional. */
static void base64_decode(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    struct str s = str_trim(function_text(argv[0]));
    while (s.n && s.p[s.n - 1] == '=')
        s.n--;
    if (s.n % 4 == 1) return;
    struct buffer out = BUFFER_INIT;
    uint32_t bits = 0;
    bool ok = true;
    for (size_t i = 0; i < s.n && ok; i++) {
        int digit = base64_value(s.p[i]);
        ok = digit >= 0;
        bits = bits << 6 | (uint32_t)(digit & 63);
        if (i % 4) buffer_append_byte(&out, (char)(bits >> (6 - 2 * (i % 4))));
    }
    if (ok) sqlite3_result_blob(context, buffer_text(&out), (int)out.length, SQLITE_TRANSIENT);
    buffer_free(&out);
}

static void to_timecode(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (sqlite3_value_type(argv[0]) != SQLITE_INTEGER) return;
    int64_t ns = sqlite3_value_int64(argv[0]);
    int64_t seconds = ns / 1000000000;
    int fraction = (int)(ns % 1000000000);
    char text[80];
    int n = snprintf(text, sizeof text, "%02lld:%02d:%02d %03d %03d %03d",
                     (long long)(seconds / 3600), (int)(seconds / 60 % 60), (int)(seconds % 60),
                     fraction / 1000000, fraction / 1000 % 1000, fraction % 1000);
    function_result_text(context, (struct str){text, (size_t)n});
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Length of a run of hex digits with at least one decimal digit among them. */
static size_t hex_run(struct str s, size_t at, bool *has_digit)
{
    size_t n = 0;
    *has_digit = false;
    for (; at + n < s.n && hex_digit(s.p[at + n]) >= 0; n++)
        if (s.p[at + n] >= '0' && s.p[at + n] <= '9') *has_digit = true;
    return n;
}

/* Names that differ only in numbers become one name. */
static void strip_hex(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (any_null(argv, 2)) return;
    struct str s = function_text(argv[0]);
    int64_t shortest = sqlite3_value_int64(argv[1]);
    struct buffer out = BUFFER_INIT;
    bool may_start = true;
    for (size_t i = 0; i < s.n;) {
        bool has_digit;
        if (may_start && str_starts(str_slice(s, i, s.n), STR("0x"))) {
            buffer_append_text(&out, "0x");
            i += 2;
            continue;
        }
        size_t run = may_start ? hex_run(s, i, &has_digit) : 0;
        if (run && has_digit && (int64_t)run >= shortest) {
            buffer_append_text(&out, "<num>");
            i += run;
            may_start = false;
            continue;
        }
        may_start = !is_word(s.p[i]);
        buffer_append_byte(&out, s.p[i++]);
    }
    function_result_text(context, buffer_str(&out));
    buffer_free(&out);
}

/* No demangler is linked in: the answer is NULL, as in builds of the reference
 * without one. */
static void demangle(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)context;
    (void)argc;
    (void)argv;
}

static void result_real(sqlite3_context *context, double value)
{
    if (!isnan(value)) sqlite3_result_double(context, value);
}

static bool numeric(sqlite3_value *value, double *out)
{
    int type = sqlite3_value_numeric_type(value);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return false;
    *out = sqlite3_value_double(value);
    return true;
}

static void natural_log(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    double x;
    if (numeric(argv[0], &x) && x > 0) result_real(context, log(x));
}

static void exponential(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    double x;
    if (numeric(argv[0], &x)) result_real(context, exp(x));
}

static void square_root(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    double x;
    if (numeric(argv[0], &x) && x >= 0) result_real(context, sqrt(x));
}

#define PURE(function_name, n, function) \
    { \
        .name = function_name, .argc = n, .flags = FUNCTION_PURE, .scalar = function \
    }

const struct function_entry text_functions[] = {
    PURE("hash", -1, hash),
    PURE("glob", 2, glob),
    PURE("like", 2, like),
    PURE("like", 3, like),
    PURE("str_split", 3, str_split),
    PURE("reverse", 1, reverse),
    PURE("unhex", 1, unhex),
    PURE("base64_encode", 1, base64_encode),
    PURE("base64_decode", 1, base64_decode),
    PURE("to_timecode", 1, to_timecode),
    PURE("__intrinsic_strip_hex", 2, strip_hex),
    PURE("demangle", 1, demangle),
    PURE("ln", 1, natural_log),
    PURE("exp", 1, exponential),
    PURE("sqrt", 1, square_root),
    {.name = NULL},
};
