#include "commands/grid_filter.h"

#include <strings.h>

#include "commands/flame_pattern.h"
#include "commands/grid.h"
#include "engine/base/memory.h"

enum matcher_kind {
    MATCH_PATTERN,
    MATCH_WHOLE,
    MATCH_LESS,
    MATCH_AT_MOST,
    MATCH_MORE,
    MATCH_AT_LEAST
};

struct grid_matcher {
    enum matcher_kind kind;
    bool is_not;
    double number;
    char *text; /* as written, without "!" and the sign */
    struct flame_pattern *pattern;
    struct buffer scratch;
};

/* ---- reading ---- */

static bool read_number(struct str text, double *out)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"ns", 1},          {"us", 1e3},          {"ms", 1e6}, {"s", 1e9},
                 {"k", 1e3},         {"M", 1e6},           {"G", 1e9},  {"KiB", 1024.0},
                 {"MiB", 1048576.0}, {"GiB", 1073741824.0}};
    text = str_trim(text);
    if (str_to_double(text, out)) return true;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        struct str unit = str_of(units[i].unit);
        if (!str_ends(text, unit)) continue;
        if (!str_to_double(str_trim(str_slice(text, 0, text.n - unit.n)), out)) continue;
        *out *= units[i].factor;
        return true;
    }
    return false;
}

/* False when it begins as a comparison and is none. */
static bool read_comparison(struct grid_matcher *matcher, struct str text, struct status *st)
{
    bool less = text.p[0] == '<', equal = text.n > 1 && text.p[1] == '=';
    struct str number = str_slice(text, equal ? 2 : 1, text.n);
    matcher->kind = less    ? (equal ? MATCH_AT_MOST : MATCH_LESS)
                    : equal ? MATCH_AT_LEAST
                            : MATCH_MORE;
    if (read_number(number, &matcher->number)) return true;
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "after %c comes a number, as in >16ms, <=4k or >=1.5", text.p[0]);
}

struct grid_matcher *grid_matcher_new(struct str text, struct status *st)
{
    struct grid_matcher *matcher = mem_zero(1, sizeof *matcher);
    text = str_trim(text);
    if (text.n && text.p[0] == '!') {
        matcher->is_not = true;
        text = str_trim(str_slice(text, 1, text.n));
    }
    bool good;
    if (text.n && text.p[0] == '=') {
        matcher->kind = MATCH_WHOLE;
        text = str_slice(text, 1, text.n);
        good = true;
    } else if (text.n && (text.p[0] == '<' || text.p[0] == '>')) {
        good = read_comparison(matcher, text, st);
    } else {
        matcher->pattern = flame_pattern_new(text, st);
        good = matcher->pattern != NULL;
    }
    matcher->text = mem_copy_string(text.n ? text.p : "", text.n);
    if (good) return matcher;
    grid_matcher_free(matcher);
    return NULL;
}

void grid_matcher_free(struct grid_matcher *matcher)
{
    if (!matcher) return;
    flame_pattern_free(matcher->pattern);
    buffer_free(&matcher->scratch);
    mem_free(matcher->text);
    mem_free(matcher);
}

/* ---- asking ---- */

static struct str text_of(struct grid_matcher *matcher, const struct result_cell *cell)
{
    if (cell->type == CELL_TEXT) return cell->text;
    buffer_clear(&matcher->scratch);
    grid_cell_write(cell, &matcher->scratch);
    return buffer_str(&matcher->scratch);
}

static bool compare(const struct grid_matcher *matcher, const struct result_cell *cell)
{
    if (cell->type != CELL_INT && cell->type != CELL_REAL) return false;
    double value = cell->type == CELL_INT ? (double)cell->integer : cell->real;
    switch (matcher->kind) {
    case MATCH_LESS: return value < matcher->number;
    case MATCH_AT_MOST: return value <= matcher->number;
    case MATCH_MORE: return value > matcher->number;
    default: return value >= matcher->number;
    }
}

bool grid_matcher_test(struct grid_matcher *matcher, const struct result_cell *cells, uint32_t n)
{
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++)
        switch (matcher->kind) {
        case MATCH_PATTERN:
            found = flame_pattern_matches(matcher->pattern, text_of(matcher, &cells[i]));
            break;
        case MATCH_WHOLE: found = str_is(text_of(matcher, &cells[i]), matcher->text); break;
        default: found = compare(matcher, &cells[i]); break;
        }
    return found != matcher->is_not;
}

/* ---- as SQL ---- */

void sql_write_text(struct buffer *out, struct str text)
{
    buffer_append_byte(out, '\'');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\'') buffer_append_byte(out, '\'');
        if (text.p[i]) buffer_append_byte(out, text.p[i]);
    }
    buffer_append_byte(out, '\'');
}

void grid_matcher_write_sql(const struct grid_matcher *matcher, const char *expression,
                            struct buffer *out)
{
    static const char *const signs[] = {
        [MATCH_LESS] = "<", [MATCH_AT_MOST] = "<=", [MATCH_MORE] = ">", [MATCH_AT_LEAST] = ">="};
    struct str text = str_of(matcher->text);
    buffer_append_text(out, matcher->is_not ? "NOT ifnull(" : "ifnull(");
    if (matcher->kind == MATCH_WHOLE) {
        buffer_printf(out, "CAST(%s AS TEXT) = ", expression);
        sql_write_text(out, text);
    } else if (matcher->kind != MATCH_PATTERN) {
        buffer_printf(out, "%s %s %.17g", expression, signs[matcher->kind], matcher->number);
    } else if (text.n > 2 && text.p[0] == '/' &&
               (str_ends(text, STR("/")) || str_ends(text, STR("/i")))) {
        bool any_case = str_ends(text, STR("i"));
        struct buffer regex = BUFFER_INIT;
        buffer_append_text(&regex, any_case ? "(?i)" : "");
        buffer_append_str(&regex, str_slice(text, 1, text.n - (any_case ? 2 : 1)));
        buffer_printf(out, "%s REGEXP ", expression);
        sql_write_text(out, buffer_str(&regex));
        buffer_free(&regex);
    } else {
        buffer_printf(out, "instr(lower(%s), lower(", expression);
        sql_write_text(out, text);
        buffer_append_text(out, ")) > 0");
    }
    buffer_append_text(out, ", 0)");
}
