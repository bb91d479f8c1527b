#include "tui/details_lines.h"

#include "tui/time_text.h"

struct detail_line *details_add(struct details *d, struct detail_lines *to, const char *label,
                                struct str value)
{
    struct detail_line line = {.label = arena_copy_str(&d->arena, str_of(label)),
                               .value = arena_copy_str(&d->arena, value),
                               .bar = -1};
    vec_push(to, line);
    return vec_last(to);
}

void details_add_heading(struct details *d, struct detail_lines *to, struct str text)
{
    details_add(d, to, "", text)->is_heading = true;
}

struct detail_line *details_add_duration(struct details *d, struct detail_lines *to,
                                         const char *label, int64_t ns)
{
    struct buffer text = BUFFER_INIT;
    duration_write(ns, &text);
    struct detail_line *line = details_add(d, to, label, buffer_str(&text));
    buffer_free(&text);
    return line;
}

void details_add_time(struct details *d, struct session *s, struct detail_lines *to,
                      const char *label, int64_t ts)
{
    struct buffer text = BUFFER_INIT;
    time_write(s, ts, &text);
    details_add(d, to, label, buffer_str(&text));
    buffer_free(&text);
}

void details_add_number(struct details *d, struct detail_lines *to, const char *label, double value,
                        const char *unit)
{
    struct buffer text = BUFFER_INIT;
    number_write(value, unit, &text);
    details_add(d, to, label, buffer_str(&text));
    buffer_free(&text);
}

void details_add_thread(struct details *d, const struct tables *t, struct detail_lines *to,
                        const char *label, uint32_t utid)
{
    if (utid >= table_rows(&t->thread.table)) return;
    struct buffer text = BUFFER_INIT;
    track_thread_name(t, utid, &text);
    uint32_t upid = column_get_row(&t->thread.upid, utid);
    if (upid != NULL_UINT32) {
        buffer_append_text(&text, ", ");
        track_process_name(t, upid, &text);
    }
    details_add(d, to, label, buffer_str(&text));
    buffer_free(&text);
}

struct detail_line *details_add_slice(struct details *d, const struct tables *t,
                                      struct detail_lines *to, const char *label, uint32_t slice,
                                      int64_t reference)
{
    struct buffer text = BUFFER_INIT;
    buffer_append_str(&text, strpool_get(t->strings, column_get_string(&t->slice.name, slice)));
    int64_t delta = column_get_int64(&t->slice.ts, slice) - reference;
    buffer_append_text(&text, delta < 0 ? "  " : "  +");
    duration_write(delta, &text);
    struct detail_line *line = details_add(d, to, label, buffer_str(&text));
    line->leads = true;
    line->target_table = EVENT_SLICE;
    line->target_id = slice;
    buffer_free(&text);
    return line;
}
