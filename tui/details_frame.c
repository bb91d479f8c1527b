/* A frame of the frame timeline (a slice of its tracks): was it late, how and why. */
#include "engine/base/checked.h"
#include "tui/details_lines.h"
#include "tui/time_text.h"

static const struct {
    const char *type, *words;
} jank_words[] = {
    {"None", "on time"},
    {"App Deadline Missed", "the app was not done by its deadline"},
    {"App Resynced Jitter", "the app moved to another vsync than was planned"},
    {"Buffer Stuffing", "the frame waited behind others of its app"},
    {"SurfaceFlinger CPU Deadline Missed", "the compositor took too long on the CPU"},
    {"SurfaceFlinger GPU Deadline Missed", "the compositor took too long on the GPU"},
    {"SurfaceFlinger Scheduling", "the compositor started late"},
    {"SurfaceFlinger Stuffing", "the frame waited behind others of the compositor"},
    {"Prediction Error", "the vsync came at another time than was foretold"},
    {"Display HAL", "the display took it late though it was handed over in time"},
    {"Dropped Frame", "it was never shown"},
    {"Unknown Jank", "late, and the recorder does not know why"},
};

static const char *const arguments[][2] = {
    {"jank type", "Jank type"},        {"severity", "Jank severity type"},
    {"on time", "On time finish"},     {"presented", "Present type"},
    {"prediction", "Prediction type"}, {"GPU composed", "GPU composition"},
    {"layer", "Layer name"},
};

static const char *words_for(struct str type)
{
    for (size_t i = 0; i < sizeof jank_words / sizeof *jank_words; i++)
        if (str_is(type, jank_words[i].type)) return jank_words[i].words;
    return NULL;
}

static bool is_on(const struct tables *t, uint32_t slice, const char *type)
{
    uint32_t track = column_get_row(&t->slice.track_id, slice);
    return track < table_rows(&t->track.table) &&
           str_is(strpool_get(t->strings, column_get_string(&t->track.type, track)), type);
}

static uint32_t process_of(const struct tables *t, uint32_t slice)
{
    return column_get_row(&t->track.upid, column_get_row(&t->slice.track_id, slice));
}

/* The frame of the other timeline: of the same process and token, which is the name. */
static uint32_t counterpart(const struct tables *t, uint32_t id, const char *type)
{
    struct row_span span;
    string_id name = column_get_string(&t->slice.name, id);
    if (!table_rows_equal(&t->slice.table, slice_COLUMN_name, name, &span)) return NULL_UINT32;
    for (uint32_t i = 0; i < span.count && i < 1000; i++)
        if (is_on(t, span.rows[i], type) && process_of(t, span.rows[i]) == process_of(t, id))
            return span.rows[i];
    return NULL_UINT32;
}

/* How long after (below 0: before) its deadline a frame was done. */
static void add_lateness(struct details *d, const struct tables *t, uint32_t actual,
                         uint32_t expected)
{
    int64_t dur = column_get_int64(&t->slice.dur, actual), late;
    int64_t allowed = column_get_int64(&t->slice.dur, expected);
    if (dur < 0 || allowed < 0) return;
    int64_t done = saturating_add_int64(column_get_int64(&t->slice.ts, actual), dur);
    int64_t due = saturating_add_int64(column_get_int64(&t->slice.ts, expected), allowed);
    if (!checked_sub_int64(done, due, &late)) return;
    details_add_duration(d, &d->left, late > 0 ? "late by" : "early by", late > 0 ? late : -late);
}

void details_add_frame(struct details *d, const struct tables *t, const struct event *event)
{
    uint32_t id = event->id;
    bool is_actual = is_on(t, id, "android_actual_frame_timeline");
    if (!is_actual && !is_on(t, id, "android_expected_frame_timeline")) return;
    uint32_t set = column_get_row(&t->slice.arg_set_id, id);
    details_add_heading(d, &d->left, is_actual ? STR("Frame") : STR("Frame as expected"));
    struct buffer text = BUFFER_INIT;
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++, buffer_clear(&text)) {
        if (set == NULL_UINT32 || !details_arg(t, set, arguments[i][1], &text)) continue;
        if (i == 2) {
            bool yes = str_is(buffer_str(&text), "1") || str_is(buffer_str(&text), "true");
            details_add(d, &d->left, arguments[i][0], yes ? STR("yes") : STR("no"));
            continue;
        }
        details_add(d, &d->left, arguments[i][0], buffer_str(&text));
        const char *words = i == 0 ? words_for(buffer_str(&text)) : NULL;
        if (words) details_add(d, &d->left, "", str_of(words))->indent = 1;
    }
    buffer_free(&text);
    uint32_t other = counterpart(
        t, id, is_actual ? "android_expected_frame_timeline" : "android_actual_frame_timeline");
    if (other == NULL_UINT32) return;
    add_lateness(d, t, is_actual ? id : other, is_actual ? other : id);
    details_add_slice(d, t, &d->left, is_actual ? "expected" : "actual", other, NULL_UINT32,
                      column_get_int64(&t->slice.ts, id));
}
