#include "tui/frame_color.h"

#include <string.h>

bool frame_track_is_actual(const struct tables *t, uint32_t track)
{
    return track < table_rows(&t->track.table) &&
           strcmp(strpool_text(t->strings, column_get_string(&t->track.type, track)),
                  "android_actual_frame_timeline") == 0;
}

enum color frame_color(const struct tables *t, uint32_t slice)
{
    static const struct {
        const char *tag;
        enum color color;
    } tags[] = {
        {"No Jank", COLOR_GOOD},
        {"Self Jank", COLOR_ERROR},
        {"Other Jank", COLOR_WARNING},
        {"Buffer Stuffing", COLOR_RUNNABLE},
        {"SurfaceFlinger Stuffing", COLOR_RUNNABLE},
        {"Dropped Frame", COLOR_SUMMARY},
        {"Non-perceivable Jank", COLOR_GOOD},
    };
    uint32_t set = column_get_row(&t->slice.arg_set_id, slice);
    for (uint32_t row = set; row < table_rows(&t->args.table); row++) {
        if (column_get_row(&t->args.arg_set_id, row) != set) break;
        if (strcmp(strpool_text(t->strings, column_get_string(&t->args.key, row)), "Jank tag") != 0)
            continue;
        const char *tag = strpool_text(t->strings, column_get_string(&t->args.string_value, row));
        for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
            if (strcmp(tags[i].tag, tag) == 0) return tags[i].color;
        break;
    }
    return COLOR_STATE_OTHER;
}
