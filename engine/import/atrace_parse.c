/* Takes the text of a mark apart (spec engine_2 2.3). */
#include "engine/import/atrace.h"

#include <math.h>

static struct str without_tail(struct str text)
{
    while (text.n && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\0'))
        text.n--;
    return text;
}

/* Leading digits count, as "12 " from old writers shows. */
static bool read_int(struct str text, int64_t *out)
{
    text = str_trim(text);
    return str_to_int64(text, out);
}

/* Up to the next bar; a missing piece is absent. */
static struct str next_piece(struct str *rest)
{
    struct str piece;
    if (!rest->p || !str_split_next(rest, '|', &piece)) {
        *rest = STR_NONE;
        return STR_NONE;
    }
    return piece;
}

static bool read_value(struct str text, double *value)
{
    size_t end = 0;
    if (str_find_byte(text, '\n', &end)) text.n = end;
    return str_to_double(str_trim(text), value) && !isnan(*value);
}

static enum atrace_result read_rest(struct atrace_mark *mark, struct str rest)
{
    struct str last;
    switch (mark->phase) {
    case 'E': return ATRACE_MARK;
    case 'B':
    case 'I':
        mark->name = rest; /* bars belong to it */
        if (mark->name.n == 0) mark->name = STR("[empty slice name]");
        return ATRACE_MARK;
    case 'C':
        mark->name = next_piece(&rest);
        return mark->name.n && read_value(next_piece(&rest), &mark->value) ? ATRACE_MARK
                                                                           : ATRACE_BAD;
    case 'S':
    case 'F':
        mark->name = next_piece(&rest);
        last = next_piece(&rest);
        return mark->name.n && read_int(last, &mark->cookie) ? ATRACE_MARK : ATRACE_BAD;
    case 'N':
        mark->track = next_piece(&rest);
        mark->name = rest;
        return mark->track.n && mark->name.n ? ATRACE_MARK : ATRACE_BAD;
    case 'G':
        mark->track = next_piece(&rest);
        mark->name = next_piece(&rest);
        last = next_piece(&rest);
        return mark->track.n && mark->name.n && read_int(last, &mark->cookie) ? ATRACE_MARK
                                                                              : ATRACE_BAD;
    default: /* H, with the name or without */
        mark->track = next_piece(&rest);
        last = next_piece(&rest);
        if (rest.n) {
            mark->name = last;
            last = next_piece(&rest);
        }
        return mark->track.n && read_int(last, &mark->cookie) ? ATRACE_MARK : ATRACE_BAD;
    }
}

enum atrace_result atrace_parse(struct str text, struct atrace_mark *mark)
{
    *mark = (struct atrace_mark){0};
    text = without_tail(text);
    if (text.n == 0) return ATRACE_BAD;
    if (str_starts(text, STR("trace_event_clock_sync:"))) return ATRACE_IGNORED;
    mark->phase = text.p[0];
    if (!memchr("BECSFINGH", mark->phase, 9)) return ATRACE_BAD;
    if (text.n == 1) return mark->phase == 'E' ? ATRACE_MARK : ATRACE_BAD;
    if (text.p[1] != '|' && text.p[1] != '\n') return ATRACE_BAD;
    struct str rest = str_slice(text, 2, text.n);
    struct str tgid = STR_NONE;
    size_t bar;
    bool has_more = str_find_byte(rest, '|', &bar);
    if (has_more) {
        tgid = str_slice(rest, 0, bar);
        rest = str_slice(rest, bar + 1, rest.n);
    } else {
        tgid = rest;
        rest = STR_NONE;
    }
    if (mark->phase == 'E') {
        if (!read_int(tgid, &mark->tgid)) mark->tgid = 0;
        return ATRACE_MARK;
    }
    if (!read_int(tgid, &mark->tgid) || mark->tgid < 0 || mark->tgid > UINT32_MAX)
        return ATRACE_BAD;
    return read_rest(mark, rest);
}
