/* An event of a debug track: what it is drawn from, and the other columns of its row
 * of the query.  Columns that name rows of tables lead there. */
#include <string.h>

#include "commands/debug_row.h"
#include "tui/details_lines.h"

/* A row of a table by its id; NULL_UINT32. */
static uint32_t row_of(struct str text, const struct table *table)
{
    int64_t id;
    bool is_row = str_to_int64(text, &id) && id >= 0 && id < (int64_t)table_rows(table);
    return is_row ? (uint32_t)id : NULL_UINT32;
}

static bool add_reference(struct details *d, const struct tables *t, const char *name,
                          struct str text, int64_t at)
{
    const struct {
        const char *name;
        enum event_table table;
        const struct table *rows;
    } references[] = {
        {"slice_id", EVENT_SLICE, &t->slice.table},
        {"thread_state_id", EVENT_THREAD_STATE, &t->thread_state.table},
        {"sched_id", EVENT_SCHED, &t->sched_slice.table},
        {"sched_slice_id", EVENT_SCHED, &t->sched_slice.table},
        {"counter_id", EVENT_COUNTER, &t->counter.table},
    };
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        if (strcmp(references[i].name, name) != 0) continue;
        uint32_t row = row_of(text, references[i].rows);
        if (row == NULL_UINT32) return false;
        if (references[i].table == EVENT_SLICE)
            details_add_slice(d, t, &d->left, name, row, NULL_UINT32, at);
        else
            details_add_link(d, &d->left, name, text, references[i].table, row);
        return true;
    }
    uint32_t thread = row_of(text, &t->thread.table);
    if (strcmp(name, "utid") == 0 && thread != NULL_UINT32)
        return details_add_thread(d, t, &d->left, "utid", thread) != NULL;
    int64_t set;
    if (strcmp(name, "arg_set_id") == 0 && str_to_int64(text, &set) && set >= 0 &&
        set < UINT32_MAX) {
        details_add(d, &d->left, name, text);
        details_add_args(d, t, &d->left, (uint32_t)set, NULL);
        return true;
    }
    return false;
}

/* `at` in trace time: how far the slices are that are named. */
static void add_columns(struct details *d, const struct tables *t, const struct result *row,
                        int64_t at)
{
    static const char raw[] = "raw_";
    for (uint32_t i = 0; i < row->n_columns; i++) {
        const char *name = row->names[i];
        if (strncmp(name, raw, sizeof raw - 1) != 0) continue;
        name = arena_copy(&d->arena, name + sizeof raw - 1, strlen(name) - (sizeof raw - 1));
        struct buffer text = BUFFER_INIT;
        grid_cell_write(result_at(row, 0, i), &text);
        if (!add_reference(d, t, name, buffer_str(&text), at))
            details_add(d, &d->left, name, buffer_str(&text));
        buffer_free(&text);
    }
}

static void add_sql(struct details *d, const char *text)
{
    struct str sql = str_of(text), piece;
    details_add_heading(d, &d->right, STR("Made by"));
    for (int i = 0; i < 200 && str_split_next(&sql, '\n', &piece); i++)
        details_add(d, &d->right, "", piece)->indent = 1;
}

void details_of_debug(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event)
{
    const struct debug_track *track = event->debug;
    details_add_heading(d, &d->left, event->name.n ? event->name : str_of(track->title));
    details_add(d, &d->left, "track", str_of(track->title));
    details_add_time(d, s, &d->left, track->is_counter ? "at" : "start", event->ts);
    if (track->is_counter) {
        details_add_number(d, &d->left, "value", track->value[event->id], "");
        details_add_number(d, &d->left, "least", track->least, "");
        details_add_number(d, &d->left, "most", track->most, "");
    } else if (event->unfinished) {
        details_add(d, &d->left, "duration", STR("did not end"));
    } else {
        details_add_duration(d, &d->left, "duration", event->dur);
    }
    const struct result *row = session_debug_row(s, track, event->id);
    if (row) add_columns(d, t, row, track->ts[event->id]);
    add_sql(d, track->sql);
}
