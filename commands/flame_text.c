#include "commands/flame_text.h"

#include <math.h>
#include <string.h>

struct scale {
    double from; /* values of at least this size */
    const char *unit;
};

static const struct scale times[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {0, "ns"}};
static const struct scale bytes[] = {{1024.0 * 1024 * 1024 * 1024, "TiB"},
                                     {1024.0 * 1024 * 1024, "GiB"},
                                     {1024.0 * 1024, "MiB"},
                                     {1024.0, "KiB"},
                                     {0, "B"}};
static const struct scale counts[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "K"}, {0, ""}};

static bool is_one_of(const char *unit, const char *a, const char *b)
{
    return strcmp(unit, a) == 0 || strcmp(unit, b) == 0;
}

static const struct scale *scale_of(const char *unit, double *value)
{
    if (is_one_of(unit, "bytes", "byte")) return bytes;
    if (is_one_of(unit, "ns", "nanoseconds")) return times;
    double factor = is_one_of(unit, "us", "microseconds")   ? 1e3
                    : is_one_of(unit, "ms", "milliseconds") ? 1e6
                    : is_one_of(unit, "s", "seconds")       ? 1e9
                                                            : 0;
    if (factor == 0) return counts;
    *value *= factor;
    return times;
}

void flame_write_value(double value, const char *unit, struct buffer *out)
{
    const struct scale *scale = scale_of(unit, &value);
    double size = fabs(value);
    while (scale->from > 0 && size < scale->from * 0.99995)
        scale++;
    double unit_size = scale->from > 0 ? scale->from : 1;
    if (strcmp(scale->unit, "K") == 0) unit_size = 1000;
    double shown = value / unit_size;
    int digits = fabs(shown) >= 1000 ? 0 : fabs(shown) >= 100 ? 1 : fabs(shown) >= 10 ? 2 : 3;
    if (shown == floor(shown) || (unit_size == 1 && digits > 2))
        digits = shown == floor(shown) ? 0 : 2;
    buffer_printf(out, "%.*f%s%s", digits, shown, scale->unit[0] ? " " : "", scale->unit);
}

void flame_write_percent(double value, double of, struct buffer *out)
{
    double percent = of > 0 ? value / of * 100 : 0;
    if (percent == 0 || percent >= 99.95)
        buffer_printf(out, "%.0f%%", percent);
    else if (percent < 0.1)
        buffer_append_text(out, "<0.1%");
    else
        buffer_printf(out, "%.1f%%", percent);
}

void flame_write_filters(const struct flame_look *look, struct buffer *out)
{
    static const char *const words[] = {"SS", "HS", "SFF", "HF"};
    for (size_t i = 0; i < look->filters.count; i++) {
        const struct flame_filter *filter = &look->filters.items[i];
        buffer_printf(out, "%s%s:%s", i ? " " : "", words[filter->kind], filter->text);
    }
    if (look->direction == FLAME_PIVOT && look->pivot)
        buffer_printf(out, "%sP:%s", look->filters.count ? " " : "", look->pivot);
}

const char *flame_direction_name(enum flame_direction direction)
{
    static const char *const names[] = {"top-down", "bottom-up", "pivot"};
    return names[direction];
}

struct str flame_node_name(const struct flame_profile *profile, const struct flame_node *node)
{
    return node->frame == FLAME_NONE ? STR("all") : profile->frames.items[node->frame].name;
}
