#include "engine/import/xml_pull.h"

#include "engine/base/utf8.h"

void xml_pull_init(struct xml_pull *pull, struct str bytes)
{
    memset(pull, 0, sizeof *pull);
    pull->start = pull->at = bytes.p;
    pull->end = bytes.p + bytes.n;
    if (str_starts(bytes, STR("\xEF\xBB\xBF"))) pull->at += 3;
}

uint64_t xml_pull_line(const struct xml_pull *pull)
{
    uint64_t line = 1;
    for (const char *p = pull->start; p < pull->at; p++)
        line += *p == '\n';
    return line;
}

static enum xml_token fail(struct xml_pull *pull, const char *error)
{
    pull->error = error;
    return XML_ERROR;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* What can stand in a name; more than XML allows beyond ASCII. */
static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == ':' || c == '.' || (uint8_t)c >= 0x80;
}

static struct str left(const struct xml_pull *pull)
{
    return (struct str){pull->at, (size_t)(pull->end - pull->at)};
}

static bool skip_space(struct xml_pull *pull)
{
    while (pull->at < pull->end && is_space(*pull->at))
        pull->at++;
    return pull->at < pull->end;
}

static struct str read_name(struct xml_pull *pull)
{
    const char *p = pull->at;
    while (p < pull->end && is_name_byte(*p))
        p++;
    struct str name = {pull->at, (size_t)(p - pull->at)};
    pull->at = p;
    return name;
}

/* Behind the next `mark`; false when there is none. */
static bool skip_past(struct xml_pull *pull, struct str mark)
{
    size_t at;
    if (!str_find(left(pull), mark, &at)) return false;
    pull->at += at + mark.n;
    return true;
}

/* At its name.  XML_OPEN, or what went wrong. */
static enum xml_token read_attribute(struct xml_pull *pull)
{
    struct xml_attribute attribute = {.name = read_name(pull)};
    if (attribute.name.n == 0) return fail(pull, "an attribute without a name");
    if (!skip_space(pull)) return XML_CUT;
    if (*pull->at != '=') return fail(pull, "an attribute without a value");
    pull->at++;
    if (!skip_space(pull)) return XML_CUT;
    char quote = *pull->at;
    if (quote != '"' && quote != '\'') return fail(pull, "a value without quotes");
    const char *value = ++pull->at;
    const char *end = memchr(value, quote, (size_t)(pull->end - value));
    if (!end) return XML_CUT;
    attribute.value = (struct str){value, (size_t)(end - value)};
    pull->at = end + 1;
    if (memchr(value, '<', attribute.value.n)) return fail(pull, "a < in a value");
    if (pull->n_attributes < XML_MAX_ATTRIBUTES) pull->attributes[pull->n_attributes++] = attribute;
    return XML_OPEN;
}

static enum xml_token read_open(struct xml_pull *pull)
{
    pull->at++;
    pull->name = read_name(pull);
    pull->n_attributes = 0;
    if (pull->at == pull->end) return XML_CUT;
    if (pull->name.n == 0) return fail(pull, "a tag without a name");
    for (;;) {
        bool has_space = is_space(*pull->at);
        if (!skip_space(pull)) return XML_CUT;
        if (*pull->at == '>' || *pull->at == '/') break;
        if (!has_space) return fail(pull, "no space before an attribute");
        enum xml_token token = read_attribute(pull);
        if (token != XML_OPEN) return token;
        if (pull->at == pull->end) return XML_CUT;
    }
    pull->is_empty = *pull->at == '/';
    if (pull->is_empty && ++pull->at == pull->end) return XML_CUT;
    if (*pull->at != '>') return fail(pull, "a tag that does not end");
    if (pull->depth == XML_MAX_DEPTH) return fail(pull, "elements nest too deep");
    pull->at++;
    pull->open[pull->depth++] = pull->name;
    pull->is_begun = true;
    return XML_OPEN;
}

static enum xml_token read_close(struct xml_pull *pull)
{
    pull->at += 2;
    pull->name = read_name(pull);
    if (!skip_space(pull)) return XML_CUT;
    if (*pull->at != '>') return fail(pull, "a tag that does not end");
    if (pull->depth == 0 || !str_equal(pull->open[pull->depth - 1], pull->name))
        return fail(pull, "mismatched tag");
    pull->at++;
    pull->depth--;
    return XML_CLOSE;
}

static enum xml_token read_text(struct xml_pull *pull)
{
    const char *end = memchr(pull->at, '<', (size_t)(pull->end - pull->at));
    if (!end) end = pull->end;
    pull->text = (struct str){pull->at, (size_t)(end - pull->at)};
    pull->is_literal = false;
    pull->at = end;
    return XML_TEXT;
}

enum xml_token xml_pull_next(struct xml_pull *pull)
{
    static const struct str CDATA = {"<![CDATA[", 9};
    if (pull->error) return XML_ERROR;
    if (pull->is_empty) {
        pull->is_empty = false;
        pull->depth--;
        return XML_CLOSE;
    }
    for (;;) {
        if (pull->depth == 0) {
            if (pull->is_begun) return XML_DONE;
            skip_space(pull);
        }
        if (pull->at == pull->end) return XML_CUT;
        struct str rest = left(pull);
        if (*pull->at != '<')
            return pull->depth == 0 ? fail(pull, "text outside of an element") : read_text(pull);
        if (str_starts(rest, STR("<?"))) {
            if (!skip_past(pull, STR("?>"))) return XML_CUT;
        } else if (str_starts(rest, STR("<!--"))) {
            pull->at += 4;
            if (!skip_past(pull, STR("-->"))) return XML_CUT;
        } else if (str_starts(rest, CDATA) && pull->depth > 0) {
            const char *text = pull->at + CDATA.n;
            pull->at = text;
            if (!skip_past(pull, STR("]]>"))) return XML_CUT;
            pull->text = (struct str){text, (size_t)(pull->at - 3 - text)};
            pull->is_literal = true;
            return XML_TEXT;
        } else if (str_starts(rest, STR("<!"))) {
            return fail(pull, "a document type, which is not read");
        } else if (str_starts(rest, STR("</"))) {
            return read_close(pull);
        } else {
            return read_open(pull);
        }
    }
}

struct str xml_attribute(const struct xml_pull *pull, const char *name)
{
    for (uint32_t i = 0; i < pull->n_attributes; i++)
        if (str_is(pull->attributes[i].name, name)) return pull->attributes[i].value;
    return STR_NONE;
}

/* What stands between & and ;.  Returns the bytes of its character, 0 when it is none. */
static size_t reference(struct str name, char out[4])
{
    static const struct {
        const char *name;
        char c;
    } KNOWN[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"apos", '\''}, {"quot", '"'}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (str_is(name, KNOWN[i].name)) {
            out[0] = KNOWN[i].c;
            return 1;
        }
    if (name.n < 2 || name.n > 8 || name.p[0] != '#') return 0;
    bool is_hex = name.p[1] == 'x';
    uint32_t codepoint = 0;
    for (size_t i = is_hex ? 2 : 1; i < name.n; i++) {
        char c = name.p[i];
        uint32_t digit = c >= '0' && c <= '9'             ? (uint32_t)(c - '0')
                         : is_hex && c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : is_hex && c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                          : 16;
        if (digit == 16) return 0;
        codepoint = codepoint * (is_hex ? 16 : 10) + digit;
    }
    if (codepoint == 0 || codepoint > 0x10FFFF || (codepoint >= 0xD800 && codepoint < 0xE000))
        codepoint = UTF8_REPLACEMENT;
    return utf8_encode(codepoint, out);
}

struct str xml_decode(struct str raw, struct buffer *buffer)
{
    size_t at, end;
    if (!str_find_byte(raw, '&', &at)) return raw;
    buffer_clear(buffer);
    while (str_find_byte(raw, '&', &at)) {
        char bytes[4];
        struct str rest = str_slice(raw, at + 1, raw.n);
        bool is_closed = str_find_byte(str_slice(rest, 0, 12), ';', &end);
        size_t n = is_closed ? reference(str_slice(rest, 0, end), bytes) : 0;
        buffer_append(buffer, raw.p, n > 0 ? at : at + 1);
        buffer_append(buffer, bytes, n);
        raw = n > 0 ? str_slice(rest, end + 1, rest.n) : rest;
    }
    buffer_append_str(buffer, raw);
    return buffer_str(buffer);
}
