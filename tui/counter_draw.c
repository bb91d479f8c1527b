#include "tui/counter_draw.h"

#include <math.h>

#include "tui/cells.h"
#include "tui/track_data.h"

#define NO_SAMPLE   UINT32_MAX
#define MOST_LOOKED 64u /* samples of one cell that are looked at one by one */

/* The sample in force at a time. */
static uint32_t sample_at(const struct pyramid *p, int64_t ts)
{
    uint32_t i = pyramid_lower_bound(p, ts < INT64_MAX ? ts + 1 : ts);
    return i > 0 ? i - 1 : NO_SAMPLE;
}

static double change_after(const struct pyramid *p, uint32_t i)
{
    return i + 1 < pyramid_count(p) ? pyramid_value(p, i + 1) - pyramid_value(p, i) : 0;
}

/* On the line through the samples; flat before the first and after the last. */
static double line_at(const struct pyramid *p, int64_t ts)
{
    uint32_t i = sample_at(p, ts);
    if (i == NO_SAMPLE) return pyramid_value(p, 0);
    double value = pyramid_value(p, i);
    if (i + 1 >= pyramid_count(p)) return value;
    double span = (double)(pyramid_ts(p, i + 1) - pyramid_ts(p, i));
    return span > 0 ? value + change_after(p, i) * ((double)(ts - pyramid_ts(p, i)) / span) : value;
}

static bool delta_in(const struct pyramid *p, int64_t start, int64_t end, double *out)
{
    uint32_t first = sample_at(p, start), last = sample_at(p, end - 1);
    if (last == NO_SAMPLE) return false;
    if (first == NO_SAMPLE) first = 0;
    uint32_t step = (last - first) / MOST_LOOKED + 1;
    *out = change_after(p, first);
    for (uint32_t i = first; i <= last; i += step)
        if (fabs(change_after(p, i)) > fabs(*out)) *out = change_after(p, i);
    return true;
}

static bool rate_in(const struct pyramid *p, int64_t start, int64_t end, double *out)
{
    if (sample_at(p, end - 1) == NO_SAMPLE) return false;
    *out = (line_at(p, end) - line_at(p, start)) * 1e9 / (double)(end - start);
    return true;
}

static double on_scale(double value, enum counter_scale scale)
{
    if (scale != COUNTER_SCALE_LOG) return value;
    return value < 0 ? -log1p(-value) : log1p(value);
}

struct bars {
    double *values; /* of each cell; NAN: none */
    int n;
    double least, most; /* what the height stands for, on the scale */
};

static void fill_values(struct bars *bars, const struct track_node *node,
                        const struct track_data *data, int64_t from, int64_t to)
{
    const struct pyramid *p = data->depths[0];
    struct pyramid_cursor cursor = {0};
    bars->least = data->least;
    bars->most = data->most;
    if (node->counter_mode != COUNTER_VALUE) bars->least = bars->most = 0;
    for (int i = 0; i < bars->n; i++) {
        int64_t start = cell_edge(from, to, bars->n, i), end = cell_edge(from, to, bars->n, i + 1);
        if (end <= start) end = start + 1;
        double value = 0;
        bool known;
        if (node->counter_mode == COUNTER_VALUE) {
            struct pyramid_bucket bucket;
            pyramid_next_bucket(p, &cursor, start, end, &bucket);
            known = bucket.has_value;
            value = bucket.most;
        } else {
            known = node->counter_mode == COUNTER_DELTA ? delta_in(p, start, end, &value)
                                                        : rate_in(p, start, end, &value);
            if (known && value < bars->least) bars->least = value;
            if (known && value > bars->most) bars->most = value;
        }
        bars->values[i] = known ? value : NAN;
    }
}

void counter_draw(struct app *app, const struct track_node *node, const struct track_data *data,
                  struct rect area)
{
    static const char ascii[] = "_.:-=+*##";
    struct session *s = app->session;
    enum counter_scale scale = (enum counter_scale)node->counter_scale;
    int64_t shift = s->traces[node->trace].offset_ns;
    struct bars bars = {.n = area.w};
    if (area.w <= 0 || !data->depths[0]) return;
    bars.values = mem_zero((size_t)area.w, sizeof *bars.values);
    fill_values(&bars, node, data, s->window_start - shift, s->window_end - shift);
    double low = on_scale(bars.least, scale), high = on_scale(bars.most, scale);
    if (scale != COUNTER_SCALE_MIN_MAX) {
        if (low > 0) low = 0;
        if (high < 0) high = 0;
    }
    if (high <= low) high = low + 1;
    for (int i = 0; i < bars.n; i++) {
        double value = bars.values[i];
        if (isnan(value) || (value == 0 && low == 0)) continue;
        int eighths = (int)((on_scale(value, scale) - low) / (high - low) * 8 + 0.5);
        if (eighths < 1) eighths = 1;
        if (eighths > 8) eighths = 8;
        canvas_put(app->canvas, area.x + i, area.y,
                   canvas_glyph(app->canvas, eighth_low(eighths), ascii[eighths]),
                   STYLE(COUNTER, DEFAULT, 0));
    }
    mem_free(bars.values);
}

bool counter_at(struct app *app, const struct track_node *node, int64_t ts, double *value)
{
    const struct track_data *data = track_data_get(app->data, app->session, node);
    if (!data || data->kind != TRACK_DATA_COUNTER || !data->depths[0]) return false;
    const struct pyramid *p = data->depths[0];
    uint32_t i = sample_at(p, ts - app->session->traces[node->trace].offset_ns);
    if (i == NO_SAMPLE) return false;
    *value = pyramid_value(p, i);
    if (node->counter_mode == COUNTER_VALUE) return true;
    *value = change_after(p, i);
    if (node->counter_mode == COUNTER_DELTA) return true;
    if (i + 1 >= pyramid_count(p)) return false;
    double span = (double)(pyramid_ts(p, i + 1) - pyramid_ts(p, i));
    *value = span > 0 ? *value * 1e9 / span : 0;
    return true;
}
