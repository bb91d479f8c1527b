#include "tui/details_lines.h"

#include <string.h>

#include "engine/base/checked.h"
#include "tui/time_text.h"

struct detail_line *details_add(struct details *d, struct detail_lines *to, const char *label,
                                struct str value)
{
    struct detail_line line = {.label = arena_copy_str(&d->arena, str_of(label)),
                               .value = arena_copy_str(&d->arena, value),
                               .bar = -1,
                               .here = -1};
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

struct detail_line *details_add_thread(struct details *d, const struct tables *t,
                                       struct detail_lines *to, const char *label, uint32_t utid)
{
    struct buffer text = BUFFER_INIT;
    if (utid < table_rows(&t->thread.table)) {
        track_thread_name(t, utid, &text);
        uint32_t upid = column_get_row(&t->thread.upid, utid);
        if (upid != NULL_UINT32) {
            buffer_append_text(&text, ", ");
            track_process_name(t, upid, &text);
        }
    }
    struct detail_line *line = details_add(d, to, label, buffer_str(&text));
    buffer_free(&text);
    return line;
}

void details_add_user(struct details *d, const struct tables *t, struct detail_lines *to,
                      uint32_t upid)
{
    if (upid >= table_rows(&t->process.table) || column_is_null(&t->process.uid, upid)) return;
    struct buffer text = BUFFER_INIT;
    int64_t uid = column_get_int64(&t->process.uid, upid), app = uid;
    if (!column_is_null(&t->process.android_appid, upid))
        app = column_get_int64(&t->process.android_appid, upid);
    buffer_printf(&text, "%lld", (long long)uid);
    struct row_span span;
    const struct package_list_table *packages = &t->package_list;
    if (table_rows_equal(&packages->table, package_list_COLUMN_uid, app, &span) && span.count) {
        struct str name =
            strpool_get(t->strings, column_get_string(&packages->package_name, span.rows[0]));
        buffer_append_text(&text, ", ");
        buffer_append_str(&text, str_slice(name, 0, 256));
        buffer_printf(&text, " %lld",
                      (long long)column_get_int64(&packages->version_code, span.rows[0]));
    }
    details_add(d, to, "uid", buffer_str(&text));
    buffer_free(&text);
}

struct detail_line *details_add_link(struct details *d, struct detail_lines *to, const char *label,
                                     struct str value, enum event_table table, uint32_t id)
{
    struct detail_line *line = details_add(d, to, label, value);
    line->leads = true;
    line->target_table = table;
    line->target_id = id;
    return line;
}

void details_add_neighbours(struct details *d, struct session *s, const struct event *event,
                            struct str heading)
{
    static const char *const labels[] = {"before", "after"};
    struct event other;
    struct buffer text = BUFFER_INIT;
    for (int i = 0; i < 2 && event->node; i++, buffer_clear(&text)) {
        if (!event_step(s, event->node, event->ts, event->id, i == 1, &other)) continue;
        if (!d->right.count) details_add_heading(d, &d->right, heading);
        buffer_append_str(&text, str_slice(other.name, 0, 256));
        int64_t delta;
        if (!checked_sub_int64(other.ts, event->ts, &delta)) delta = 0;
        buffer_append_text(&text, text.length ? "  " : "");
        buffer_append_text(&text, delta < 0 ? "" : "+");
        duration_write(delta, &text);
        details_add_link(d, &d->right, labels[i], buffer_str(&text), other.table, other.id);
    }
    buffer_free(&text);
}

static uint32_t thread_of_slice(const struct tables *t, uint32_t slice)
{
    uint32_t track = column_get_row(&t->slice.track_id, slice);
    return track < table_rows(&t->track.table) ? column_get_row(&t->track.utid, track)
                                               : NULL_UINT32;
}

struct detail_line *details_add_slice(struct details *d, const struct tables *t,
                                      struct detail_lines *to, const char *label, uint32_t slice,
                                      uint32_t utid, int64_t reference)
{
    struct buffer text = BUFFER_INIT;
    struct str name = strpool_get(t->strings, column_get_string(&t->slice.name, slice));
    buffer_append_str(&text, str_slice(name, 0, 256));
    uint32_t theirs = thread_of_slice(t, slice);
    if (theirs < table_rows(&t->thread.table) && theirs != utid) {
        buffer_append_text(&text, "  ");
        track_thread_name(t, theirs, &text);
    }
    int64_t delta;
    if (!checked_sub_int64(column_get_int64(&t->slice.ts, slice), reference, &delta)) delta = 0;
    struct buffer distance = BUFFER_INIT;
    if (delta >= 0) buffer_append_byte(&distance, '+');
    duration_write(delta, &distance);
    if (label) buffer_printf(&text, "  %s", buffer_text(&distance));
    struct detail_line *line = details_add_link(d, to, label ? label : buffer_text(&distance),
                                                buffer_str(&text), EVENT_SLICE, slice);
    buffer_free(&distance);
    buffer_free(&text);
    return line;
}

/* ---- groups ---- */

bool details_is_open(const struct details *d, const char *name, bool begins_open)
{
    for (size_t i = 0; i < d->turned.count; i++)
        if (strcmp(d->turned.items[i], name) == 0) return !begins_open;
    return begins_open;
}

bool details_begin_group(struct details *d, struct detail_lines *to, const char *name,
                         const char *label, struct str value, uint32_t n_lines)
{
    struct detail_line *line = details_add(d, to, label, value);
    line->is_open = details_is_open(d, name, n_lines <= DETAILS_SMALL_GROUP);
    line->fold = arena_copy(&d->arena, name, strlen(name));
    return line->is_open;
}

bool details_begin_section(struct details *d, struct detail_lines *to, const char *name,
                           struct str heading)
{
    struct detail_line *line = details_add(d, to, "", heading);
    line->is_heading = true;
    line->is_open = details_is_open(d, name, true);
    line->fold = arena_copy(&d->arena, name, strlen(name));
    return line->is_open;
}

void details_end_group(struct details *d, struct detail_lines *to, uint32_t n_lines)
{
    if (n_lines <= DETAILS_MAX_GROUP) return;
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "and %u more", n_lines - DETAILS_MAX_GROUP);
    details_add(d, to, "", buffer_str(&text))->indent = 1;
    buffer_free(&text);
}
