#include "tui/theme_own.h"

#include <string.h>

static const char *const roles[COLOR_COUNT] = {
#define COLOR(name, text) [COLOR_##name] = text,
    COLOR_ROLES(COLOR)
#undef COLOR
};

static bool read_rgb(struct str text, uint32_t *rgb)
{
    char digits[10] = "0x";
    uint64_t value;
    if (text.n != 7 || text.p[0] != '#') return false;
    for (size_t i = 1; i < 7; i++)
        if (!strchr("0123456789abcdefABCDEF", text.p[i])) return false;
    memcpy(digits + 2, text.p + 1, 6);
    if (!str_to_uint64_any_base((struct str){digits, 8}, &value)) return false;
    *rgb = (uint32_t)value;
    return true;
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        int d = (int)(a >> shift & 0xFF) - (int)(b >> shift & 0xFF);
        sum += (uint32_t)(d * d);
    }
    return sum;
}

/* Of xterm's palette: the cube of 16 to 231, the greys behind it. */
static uint32_t palette(unsigned index)
{
    static const uint8_t steps[] = {0, 95, 135, 175, 215, 255};
    static const uint32_t first[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                       0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                       0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    if (index < 16) return first[index];
    if (index >= 232) return (8 + 10 * (index - 232)) * 0x010101u;
    unsigned n = index - 16;
    return (uint32_t)steps[n / 36] << 16 | (uint32_t)steps[n / 6 % 6] << 8 | steps[n % 6];
}

static uint8_t nearest(uint32_t rgb, unsigned from, unsigned to)
{
    unsigned best = from;
    for (unsigned i = from; i < to; i++)
        if (distance(palette(i), rgb) < distance(palette(best), rgb)) best = i;
    return (uint8_t)best;
}

static bool read_color(struct theme *theme, const char *name, const char *role, const json_t *value,
                       struct status *st)
{
    uint32_t rgb = 0;
    int i = 0;
    while (i < COLOR_COUNT && strcmp(roles[i], role) != 0)
        i++;
    if (i == COLOR_COUNT)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "themes.%s.colors: there is no role \"%.40s\" (accent, error, running, "
                           "slice-0 …: docs/settings.md lists them)",
                           name, role);
    if (!read_rgb(json_str(value), &rgb))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "themes.%s.colors.%s: a colour is written \"#rrggbb\"", name, role);
    theme->colors[i] = (struct theme_color){rgb, nearest(rgb, 16, 256), nearest(rgb, 0, 16)};
    return true;
}

bool theme_own_read(const json_t *setting, const char *name, struct theme_own *out,
                    struct status *st)
{
    const json_t *own = json_object_get(setting, name), *base = json_object_get(own, "base");
    json_t *colors = json_object_get(own, "colors"), *value;
    const char *role;
    if (!own) return false;
    if (!json_is_object(own))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "themes.%.40s: an object of base and colors", name);
    if (strlen(name) >= sizeof out->name)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "themes: a name has at most %zu bytes", sizeof out->name - 1);
    const struct theme *from = theme_find(base ? json_str(base) : STR("dark"));
    if (!from)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "themes.%s.base: one of dark, light, mono, color-blind", name);
    if (colors && !json_is_object(colors))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "themes.%s.colors: an object of roles and colours", name);
    out->theme = *from;
    memcpy(out->name, name, strlen(name) + 1);
    out->theme.name = out->name;
    json_object_foreach(colors, role, value)
    {
        if (!read_color(&out->theme, name, role, value, st)) return false;
    }
    return true;
}
