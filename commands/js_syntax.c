/* The syntax pass: one recursive descent over the pattern, run twice.  The first
 * run counts groups and learns their names and repetitions, which back
 * references need to know ahead; the second writes.
 */
#include "commands/js_regex.h"

#include "commands/js_class.h"
#include "commands/js_name.h"
#include "engine/base/arena.h"
#include "engine/base/utf8.h"

#define MAX_NESTING 100
#define MAX_GROUPS  500
#define MAX_REPEAT  65535 /* pcre2's */

struct group {
    struct str name;   /* STR_NONE: it has none */
    uint32_t parent;   /* enclosing group, 0: the pattern */
    bool alternates;   /* it has a '|' of its own */
    bool may_skip;     /* repeated, with a least of 0 */
    bool repeats;      /* more than once */
    bool may_be_empty; /* it can match nothing */
    bool captures, looks_behind;
    uint32_t number; /* of the capture */
};

struct parser {
    const uint32_t *units; /* the pattern as 16-bit units */
    const size_t *offsets; /* byte of the pattern that a unit came from */
    size_t count, at;
    struct str pattern;
    struct buffer *out;
    struct status *st;
    bool writing; /* the second run */
    unsigned nesting;
    VEC(struct group) groups; /* of the first run; 0 is the whole pattern */
    uint32_t seen;            /* groups begun in this run */
    uint32_t captures_seen;
    uint32_t n_captures; /* in all */
    bool has_names;
    bool empty_term;     /* the last term can match nothing */
    VEC(uint32_t) open;  /* indexes of the groups that are open */
    struct arena *names; /* of groups */
};

static bool refuse(struct parser *p, size_t at, const char *why)
{
    size_t byte = at < p->count ? p->offsets[at] : p->pattern.n;
    return status_fail(p->st, STATUS_INVALID, (int64_t)byte,
                       "bad regular expression at byte %zu: %s", byte, why);
}

static uint32_t peek(const struct parser *p, size_t ahead)
{
    return p->at + ahead < p->count ? p->units[p->at + ahead] : UINT32_MAX;
}

static bool looking_at(const struct parser *p, const char *text)
{
    for (size_t i = 0; text[i]; i++)
        if (peek(p, i) != (unsigned char)text[i]) return false;
    return true;
}

static bool is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(uint32_t c)
{
    return c < 128 && (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* `digits` hex digits from `ahead` on. */
static bool read_hex(const struct parser *p, size_t ahead, unsigned digits, uint32_t *out)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < digits; i++) {
        int digit = js_hex_value(peek(p, ahead + i));
        if (digit < 0) return false;
        value = value * 16 + (uint32_t)digit;
    }
    *out = value;
    return true;
}

/* At the first octal digit: up to 0377. */
static uint32_t read_octal(struct parser *p)
{
    uint32_t value = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t c = peek(p, 0);
        if (c < '0' || c > '7' || value * 8 + (c - '0') > 0377) break;
        value = value * 8 + (c - '0');
        p->at++;
    }
    return value;
}

/* ---- escapes ---- */

/* After the backslash, a character that is one and the same inside a class and
 * outside.  Returns false for none (the message is set). */
static bool read_character_escape(struct parser *p, uint32_t *unit)
{
    uint32_t c = peek(p, 0);
    uint32_t value;
    switch (c) {
    case 't': value = '\t'; break;
    case 'n': value = '\n'; break;
    case 'v': value = '\v'; break;
    case 'f': value = '\f'; break;
    case 'r': value = '\r'; break;
    case 'x':
        if (read_hex(p, 1, 2, &value)) {
            p->at += 3;
            *unit = value;
            return true;
        }
        value = 'x';
        break;
    case 'u':
        if (read_hex(p, 1, 4, &value)) {
            p->at += 5;
            *unit = value;
            return true;
        }
        value = 'u';
        break;
    case 'k':
        if (p->has_names) return refuse(p, p->at, "\\k wants <name> here");
        value = 'k';
        break;
    default:
        if (c >= '0' && c <= '7') {
            *unit = read_octal(p);
            return true;
        }
        value = c;
    }
    p->at++;
    *unit = value;
    return true;
}

static bool is_class_letter(uint32_t c)
{
    return c == 'd' || c == 'D' || c == 'w' || c == 'W' || c == 's' || c == 'S';
}

static void write_set(struct parser *p, struct unit_set *set)
{
    unit_set_append(set, p->out);
    vec_free(set);
}

/* Whether a repetition of the groups around `index` can leave it out, so that
 * JavaScript forgets what it held and pcre2 does not; or whether a round can
 * match nothing, which counts for pcre2 only. */
static bool may_be_forgotten(const struct parser *p, uint32_t index)
{
    bool optional = p->groups.items[index].may_skip;
    for (uint32_t up = index; up; up = p->groups.items[up].parent)
        if (p->groups.items[up].repeats && p->groups.items[up].may_be_empty) return true;
    for (uint32_t up = p->groups.items[index].parent; up; up = p->groups.items[up].parent) {
        const struct group *group = &p->groups.items[up];
        if (group->alternates) optional = true;
        if (group->repeats && optional) return true;
        if (group->may_skip) optional = true;
    }
    return false;
}

/* A reference before its group is closed always is to nothing. */
static bool write_reference(struct parser *p, uint32_t number, size_t at)
{
    p->empty_term = true;
    if (!p->writing) return true;
    for (size_t i = 1; i < p->open.count; i++)
        if (p->groups.items[p->open.items[i]].looks_behind)
            return refuse(p, at, "a reference inside a look-behind is not supported");
    uint32_t index = 0;
    for (uint32_t i = 1; i < p->groups.count; i++)
        if (p->groups.items[i].captures && p->groups.items[i].number == number) index = i;
    bool is_ahead = index > p->seen;
    for (size_t i = 0; i < p->open.count; i++)
        if (p->open.items[i] == index) is_ahead = true;
    if (is_ahead)
        buffer_append_text(p->out, "(?:)");
    else if (may_be_forgotten(p, index))
        return refuse(p, at,
                      "a reference to a group that a repetition can leave out is not "
                      "supported");
    else
        buffer_printf(p->out, "\\g{%u}", number);
    return true;
}

static bool name_equals(struct str a, struct str b)
{
    return a.n && str_equal(a, b);
}

/* At '<': the name up to '>'. */
static bool read_name(struct parser *p, struct str *name)
{
    struct buffer text = BUFFER_INIT;
    size_t at = p->at;
    const char *wrong = js_name_read(p->units, p->count, &at, &text);
    if (!wrong) *name = arena_copy_str(p->names, buffer_str(&text));
    buffer_free(&text);
    if (wrong) return refuse(p, at, wrong);
    p->at = at;
    return true;
}

static bool parse_named_reference(struct parser *p)
{
    size_t at = p->at - 1;
    p->at++;
    struct str name;
    if (peek(p, 0) != '<') return refuse(p, at, "\\k wants <name> here");
    if (!read_name(p, &name)) return false;
    if (!p->writing) return true;
    for (uint32_t i = 1; i < p->groups.count; i++)
        if (name_equals(p->groups.items[i].name, name))
            return write_reference(p, p->groups.items[i].number, at);
    return refuse(p, at, "\\k names a group that is not there");
}

/* \1…: a reference when there are so many groups, else what Annex B makes of it. */
static bool parse_decimal_escape(struct parser *p)
{
    uint32_t number = 0;
    size_t n = 0;
    while (is_digit(peek(p, n)) && number < 100000)
        number = number * 10 + (peek(p, n++) - '0');
    size_t at = p->at - 1;
    /* The first run does not know the number of groups; it writes nothing that
     * counts. */
    if (!p->writing || number <= p->n_captures) {
        if (!p->writing) {
            p->empty_term = true;
            p->at++;
            return true;
        }
        p->at += n;
        return write_reference(p, number, at);
    }
    if (peek(p, 0) >= '8') {
        unit_append(peek(p, 0), p->out);
        p->at++;
        return true;
    }
    unit_append(read_octal(p), p->out);
    return true;
}

/* After the backslash, outside a class; *quantifiable is false for \b and \B. */
static bool parse_atom_escape(struct parser *p, bool *quantifiable)
{
    uint32_t c = peek(p, 0);
    if (c == UINT32_MAX) return refuse(p, p->at - 1, "a backslash ends it");
    if (c == 'b' || c == 'B') {
        *quantifiable = false;
        p->empty_term = true;
        buffer_append_text(p->out, c == 'b' ? "\\b" : "\\B");
        p->at++;
        return true;
    }
    if (is_class_letter(c)) {
        struct unit_set set = {0};
        unit_set_add_escape(&set, (char)c);
        write_set(p, &set);
        p->at++;
        return true;
    }
    if (c >= '1' && c <= '9') return parse_decimal_escape(p);
    if (c == 'k' && p->has_names) return parse_named_reference(p);
    if (c == 'c') {
        if (is_letter(peek(p, 1))) {
            unit_append(peek(p, 1) % 32, p->out);
            p->at += 2;
        } else {
            unit_append('\\', p->out); /* the c is the next atom */
        }
        return true;
    }
    uint32_t unit;
    if (!read_character_escape(p, &unit)) return false;
    unit_append(unit, p->out);
    return true;
}

/* ---- classes ---- */

/* One atom of a class: a unit, or a set that goes into `set` (*is_set). */
static bool parse_class_atom(struct parser *p, struct unit_set *set, uint32_t *unit, bool *is_set)
{
    *is_set = false;
    uint32_t c = peek(p, 0);
    if (c != '\\') {
        *unit = c;
        p->at++;
        return true;
    }
    p->at++;
    c = peek(p, 0);
    if (c == UINT32_MAX) return refuse(p, p->at - 1, "a backslash ends it");
    if (is_class_letter(c)) {
        unit_set_add_escape(set, (char)c);
        *is_set = true;
        p->at++;
        return true;
    }
    if (c == 'b') {
        *unit = '\b';
        p->at++;
        return true;
    }
    if (c == 'c') {
        uint32_t next = peek(p, 1);
        if (is_letter(next) || is_digit(next) || next == '_') {
            *unit = next % 32;
            p->at += 2;
        } else {
            *unit = '\\';
        }
        return true;
    }
    return read_character_escape(p, unit);
}

static bool is_posix_class(const struct parser *p)
{
    if (peek(p, 0) != '[' || peek(p, 1) != ':') return false;
    size_t n = 2;
    if (peek(p, n) == '^') n++;
    size_t begin = n;
    while (is_letter(peek(p, n)))
        n++;
    return n > begin && peek(p, n) == ':' && peek(p, n + 1) == ']';
}

static bool parse_class_body(struct parser *p, struct unit_set *set, size_t begin)
{
    while (peek(p, 0) != ']') {
        uint32_t first, last;
        bool is_set, is_last_set;
        size_t at = p->at;
        if (p->at >= p->count) return refuse(p, begin, "a class is not closed");
        if (is_posix_class(p))
            return refuse(p, at, "JavaScript has no POSIX classes; write the letters");
        if (!parse_class_atom(p, set, &first, &is_set)) return false;
        if (peek(p, 0) != '-' || peek(p, 1) == ']' || peek(p, 1) == UINT32_MAX) {
            if (!is_set) unit_set_add(set, first, first);
            continue;
        }
        p->at++;
        if (!parse_class_atom(p, set, &last, &is_last_set)) return false;
        if (is_set || is_last_set) {
            unit_set_add(set, '-', '-');
            if (!is_set) unit_set_add(set, first, first);
            if (!is_last_set) unit_set_add(set, last, last);
        } else if (first > last) {
            return refuse(p, at, "a range of a class is out of order");
        } else {
            unit_set_add(set, first, last);
        }
    }
    p->at++;
    return true;
}

static bool parse_class(struct parser *p)
{
    struct unit_set set = {0};
    size_t begin = p->at++;
    bool negated = peek(p, 0) == '^';
    if (negated) p->at++;
    if (!parse_class_body(p, &set, begin)) {
        vec_free(&set);
        return false;
    }
    if (negated) unit_set_negate(&set);
    write_set(p, &set);
    return true;
}

/* ---- groups and terms ---- */

static bool parse_alternatives(struct parser *p);

enum group_kind { GROUP_CAPTURE, GROUP_PLAIN, GROUP_AHEAD, GROUP_BEHIND };

/* At '(': reads up to the group's body. */
static bool parse_group_head(struct parser *p, enum group_kind *kind, struct str *name)
{
    static const struct {
        const char *text;
        enum group_kind kind;
    } heads[] = {{"(?:", GROUP_PLAIN},
                 {"(?=", GROUP_AHEAD},
                 {"(?!", GROUP_AHEAD},
                 {"(?<=", GROUP_BEHIND},
                 {"(?<!", GROUP_BEHIND}};
    *kind = GROUP_CAPTURE;
    *name = STR_NONE;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        if (!looking_at(p, heads[i].text)) continue;
        *kind = heads[i].kind;
        buffer_append_text(p->out, heads[i].text);
        p->at += strlen(heads[i].text);
        return true;
    }
    buffer_append_byte(p->out, '(');
    if (looking_at(p, "(?<")) {
        p->at += 2;
        return read_name(p, name);
    }
    if (looking_at(p, "(?")) {
        uint32_t c = peek(p, 2);
        if (c == 'P') return refuse(p, p->at, "JavaScript writes (?<name>…), not (?P<name>…)");
        if (c == '>') return refuse(p, p->at, "JavaScript has no atomic groups");
        if (c == '#') return refuse(p, p->at, "JavaScript has no comments in patterns");
        if (is_letter(c) || c == '-' || c == '^')
            return refuse(p, p->at, "JavaScript has no inline flags");
        return refuse(p, p->at, "JavaScript has no such group");
    }
    p->at++;
    return true;
}

static bool enter_group(struct parser *p, enum group_kind kind, struct str name, size_t begin)
{
    uint32_t index = ++p->seen;
    uint32_t number = kind == GROUP_CAPTURE ? ++p->captures_seen : 0;
    if (!p->writing) {
        if (index >= MAX_GROUPS) return refuse(p, begin, "it has too many groups");
        for (size_t i = 0; i < p->groups.count; i++)
            if (name_equals(p->groups.items[i].name, name))
                return refuse(p, begin, "two groups have the same name");
        vec_push(&p->groups, (struct group){.name = name,
                                            .parent = *vec_last(&p->open),
                                            .captures = kind == GROUP_CAPTURE,
                                            .looks_behind = kind == GROUP_BEHIND,
                                            .number = number});
        if (name.n) p->has_names = true;
    }
    vec_push(&p->open, index);
    return true;
}

static bool parse_group(struct parser *p, bool *quantifiable, uint32_t *index)
{
    size_t begin = p->at;
    enum group_kind kind;
    struct str name;
    if (++p->nesting > MAX_NESTING) return refuse(p, begin, "its groups are nested too deeply");
    if (!parse_group_head(p, &kind, &name) || !enter_group(p, kind, name, begin)) return false;
    *index = *vec_last(&p->open);
    if (!parse_alternatives(p)) return false;
    if (peek(p, 0) != ')') return refuse(p, begin, "a group is not closed");
    p->at++;
    p->nesting--;
    (void)vec_pop(&p->open);
    buffer_append_byte(p->out, ')');
    *quantifiable = kind != GROUP_BEHIND;
    p->empty_term = kind > GROUP_PLAIN || p->groups.items[*index].may_be_empty;
    return true;
}

static uint64_t read_count(const struct parser *p, size_t *n)
{
    uint64_t value = 0;
    while (is_digit(peek(p, *n))) {
        if (value < UINT32_MAX) value = value * 10 + (peek(p, *n) - '0');
        (*n)++;
    }
    return value;
}

struct repetition {
    uint64_t least, most; /* most UINT64_MAX: no end */
    size_t length;        /* units */
};

/* Whether a repetition stands here; "{", "{,3}" and "{x" are plain text. */
static bool read_repetition(const struct parser *p, struct repetition *r)
{
    uint32_t c = peek(p, 0);
    r->length = 1;
    r->most = UINT64_MAX;
    if (c == '*' || c == '+' || c == '?') {
        r->least = c == '+';
        if (c == '?') r->most = 1;
        return true;
    }
    if (c != '{' || !is_digit(peek(p, 1))) return false;
    size_t n = 1;
    r->least = r->most = read_count(p, &n);
    if (peek(p, n) == ',') {
        n++;
        r->most = is_digit(peek(p, n)) ? read_count(p, &n) : UINT64_MAX;
    }
    r->length = n + 1;
    return peek(p, n) == '}';
}

static bool parse_repetition(struct parser *p, bool quantifiable, uint32_t group)
{
    struct repetition r;
    if (!read_repetition(p, &r)) return true;
    if (!quantifiable) return refuse(p, p->at, "there is nothing to repeat");
    if (r.most < r.least) return refuse(p, p->at, "the numbers of a repetition are out of order");
    if (r.least > MAX_REPEAT) return refuse(p, p->at, "a repetition of more than 65535");
    if (r.most > MAX_REPEAT) r.most = UINT64_MAX;
    p->at += r.length;
    if (r.least == 0) p->empty_term = true;
    if (r.most == UINT64_MAX)
        buffer_printf(p->out, "{%u,}", (unsigned)r.least);
    else
        buffer_printf(p->out, "{%u,%u}", (unsigned)r.least, (unsigned)r.most);
    if (peek(p, 0) == '?') {
        buffer_append_byte(p->out, '?');
        p->at++;
    }
    if (group && !p->writing) {
        p->groups.items[group].may_skip = r.least == 0;
        p->groups.items[group].repeats = r.most > 1;
    }
    struct repetition again;
    if (read_repetition(p, &again)) return refuse(p, p->at, "there is nothing to repeat");
    return true;
}

static bool parse_term(struct parser *p)
{
    uint32_t c = peek(p, 0), group = 0;
    bool quantifiable = true;
    struct repetition r;
    p->empty_term = false;
    if (c == '^' || c == '$') {
        p->empty_term = true;
        buffer_append_text(p->out, c == '^' ? "^" : "\\z");
        p->at++;
        quantifiable = false;
    } else if (c == '(') {
        if (!parse_group(p, &quantifiable, &group)) return false;
    } else if (c == '[') {
        if (!parse_class(p)) return false;
    } else if (c == '\\') {
        p->at++;
        if (!parse_atom_escape(p, &quantifiable)) return false;
    } else if (c == '.') {
        struct unit_set set = {0};
        unit_set_add(&set, '\n', '\n');
        unit_set_add(&set, '\r', '\r');
        unit_set_add(&set, 0x2028, 0x2029);
        unit_set_negate(&set);
        write_set(p, &set);
        p->at++;
    } else if (read_repetition(p, &r)) {
        return refuse(p, p->at, "there is nothing to repeat");
    } else {
        unit_append(c, p->out);
        p->at++;
    }
    return parse_repetition(p, quantifiable, group);
}

static bool parse_alternatives(struct parser *p)
{
    uint32_t group = *vec_last(&p->open);
    bool may_be_empty = false, empty = true;
    while (p->at < p->count && peek(p, 0) != ')') {
        if (peek(p, 0) == '|') {
            buffer_append_byte(p->out, '|');
            if (!p->writing) p->groups.items[group].alternates = true;
            may_be_empty |= empty;
            empty = true;
            p->at++;
        } else if (!parse_term(p)) {
            return false;
        } else {
            empty &= p->empty_term;
        }
    }
    if (!p->writing) p->groups.items[group].may_be_empty = may_be_empty || empty;
    return true;
}

static bool run(struct parser *p, bool writing)
{
    p->writing = writing;
    p->at = p->seen = p->captures_seen = p->nesting = 0;
    buffer_clear(p->out);
    vec_clear(&p->open);
    vec_push(&p->open, 0);
    if (!writing) vec_push(&p->groups, (struct group){0});
    if (!parse_alternatives(p)) return false;
    if (p->at < p->count) return refuse(p, p->at, "a parenthesis closes nothing");
    p->n_captures = p->captures_seen;
    return true;
}

bool js_regex_translate(struct str pattern, struct buffer *out, struct status *st)
{
    size_t bad;
    if (!utf8_is_valid(pattern, &bad))
        return status_fail(st, STATUS_INVALID, (int64_t)bad,
                           "bad regular expression at byte %zu: it is not UTF-8", bad);
    VEC(uint32_t) units = {0};
    VEC(size_t) offsets = {0};
    for (size_t at = 0; at < pattern.n;) {
        uint32_t c;
        size_t used = utf8_decode(str_slice(pattern, at, pattern.n), &c);
        if (c > 0xFFFF) {
            vec_push(&units, 0xD800 + ((c - 0x10000) >> 10));
            vec_push(&offsets, at);
            c = 0xDC00 + ((c - 0x10000) & 0x3FF);
        }
        vec_push(&units, c);
        vec_push(&offsets, at);
        at += used;
    }
    struct arena names = {0};
    struct parser p = {.units = units.items,
                       .offsets = offsets.items,
                       .count = units.count,
                       .pattern = pattern,
                       .out = out,
                       .st = st,
                       .names = &names};
    /* Names change what \k means, and may come after it: a first run that met
     * them is done again. */
    bool good = run(&p, false);
    if (good && p.has_names) {
        vec_clear(&p.groups);
        good = run(&p, false);
    }
    good = good && run(&p, true);
    arena_free(&names);
    vec_free(&p.groups);
    vec_free(&p.open);
    vec_free(&units);
    vec_free(&offsets);
    return good;
}
