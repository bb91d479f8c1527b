#include "tui/theme.h"

#include "engine/base/hash.h"

#define C(role, rgb_, i256, i16) [COLOR_##role] = {rgb_, i256, i16}

static const struct theme dark = {
    "dark",
    false,
    false,
    {
        C(DEFAULT, 0xd0d0d0, 252, 7),    C(DIM, 0x8a8a8a, 245, 8),
        C(GRID, 0x585858, 240, 8),       C(ACCENT, 0xffd75f, 221, 11),
        C(SELECTION, 0x5fffff, 87, 14),  C(FOCUS, 0x303030, 236, 0),
        C(BAR, 0x303030, 236, 0),        C(BAR_TEXT, 0xd0d0d0, 252, 7),
        C(ERROR, 0xff5f5f, 203, 9),      C(WARNING, 0xffaf00, 214, 11),
        C(GOOD, 0x5faf5f, 71, 10),       C(MATCH, 0xff87d7, 212, 13),
        C(INK_DARK, 0x121212, 233, 0),   C(INK_LIGHT, 0xeeeeee, 255, 15),
        C(SUMMARY, 0x5f87af, 67, 4),     C(COUNTER, 0x87afd7, 110, 12),
        C(RUNNING, 0x5faf5f, 71, 2),     C(RUNNABLE, 0xafd75f, 149, 10),
        C(BLOCKED_IO, 0xff8700, 208, 3), C(BLOCKED, 0xd75f5f, 167, 1),
        C(SLEEPING, 0x4e4e4e, 239, 8),   C(STATE_OTHER, 0x5f5fd7, 62, 5),
        C(SLICE_0, 0x5f87d7, 68, 4),     C(SLICE_1, 0xd7875f, 173, 3),
        C(SLICE_2, 0x87af5f, 107, 2),    C(SLICE_3, 0xaf87d7, 140, 5),
        C(SLICE_4, 0x5fafaf, 73, 6),     C(SLICE_5, 0xd787af, 175, 13),
        C(SLICE_6, 0xafaf5f, 143, 11),   C(SLICE_7, 0x5faf87, 72, 10),
        C(SLICE_8, 0xaf5f87, 132, 1),    C(SLICE_9, 0x87afff, 111, 12),
        C(SLICE_10, 0xd7af87, 180, 7),   C(SLICE_11, 0x87d7d7, 116, 14),
    },
};

static const struct theme light = {
    "light",
    false,
    true,
    {
        C(DEFAULT, 0x262626, 235, 0),    C(DIM, 0x767676, 243, 8),
        C(GRID, 0xb2b2b2, 249, 7),       C(ACCENT, 0xaf5f00, 130, 3),
        C(SELECTION, 0x005faf, 25, 4),   C(FOCUS, 0xe4e4e4, 254, 7),
        C(BAR, 0xdadada, 253, 7),        C(BAR_TEXT, 0x262626, 235, 0),
        C(ERROR, 0xaf0000, 124, 1),      C(WARNING, 0xaf5f00, 130, 3),
        C(GOOD, 0x005f00, 22, 2),        C(MATCH, 0xaf0087, 126, 5),
        C(INK_DARK, 0x121212, 233, 0),   C(INK_LIGHT, 0xffffff, 231, 15),
        C(SUMMARY, 0x5f87af, 67, 4),     C(COUNTER, 0x005f87, 24, 4),
        C(RUNNING, 0x5faf5f, 71, 2),     C(RUNNABLE, 0xafd75f, 149, 10),
        C(BLOCKED_IO, 0xff8700, 208, 3), C(BLOCKED, 0xd75f5f, 167, 1),
        C(SLEEPING, 0xd0d0d0, 252, 7),   C(STATE_OTHER, 0x8787d7, 104, 5),
        C(SLICE_0, 0x87afff, 111, 4),    C(SLICE_1, 0xffaf87, 216, 3),
        C(SLICE_2, 0xafd787, 150, 2),    C(SLICE_3, 0xd7afff, 183, 5),
        C(SLICE_4, 0x87d7d7, 116, 6),    C(SLICE_5, 0xffafd7, 218, 13),
        C(SLICE_6, 0xd7d787, 186, 11),   C(SLICE_7, 0x87d7af, 115, 10),
        C(SLICE_8, 0xd787af, 175, 1),    C(SLICE_9, 0xafd7ff, 153, 12),
        C(SLICE_10, 0xd7af87, 180, 7),   C(SLICE_11, 0xafffff, 159, 14),
    },
};

static const struct theme mono = {
    "mono",
    true,
    false,
    {C(DEFAULT, 0xd0d0d0, 252, 7), C(INK_LIGHT, 0xd0d0d0, 252, 7), C(INK_DARK, 0x121212, 233, 0)},
};

/* After Okabe and Ito: told apart with any of the common kinds of colour vision. */
static const struct theme color_blind = {
    "color-blind",
    false,
    false,
    {
        C(DEFAULT, 0xd0d0d0, 252, 7),    C(DIM, 0x8a8a8a, 245, 8),
        C(GRID, 0x585858, 240, 8),       C(ACCENT, 0xf0e442, 227, 11),
        C(SELECTION, 0x56b4e9, 74, 14),  C(FOCUS, 0x303030, 236, 0),
        C(BAR, 0x303030, 236, 0),        C(BAR_TEXT, 0xd0d0d0, 252, 7),
        C(ERROR, 0xd55e00, 166, 9),      C(WARNING, 0xe69f00, 178, 11),
        C(GOOD, 0x009e73, 36, 6),        C(MATCH, 0xcc79a7, 175, 13),
        C(INK_DARK, 0x121212, 233, 0),   C(INK_LIGHT, 0xeeeeee, 255, 15),
        C(SUMMARY, 0x0072b2, 25, 4),     C(COUNTER, 0x56b4e9, 74, 12),
        C(RUNNING, 0x009e73, 36, 6),     C(RUNNABLE, 0xf0e442, 227, 11),
        C(BLOCKED_IO, 0xe69f00, 178, 3), C(BLOCKED, 0xd55e00, 166, 1),
        C(SLEEPING, 0x4e4e4e, 239, 8),   C(STATE_OTHER, 0xcc79a7, 175, 5),
        C(SLICE_0, 0x56b4e9, 74, 12),    C(SLICE_1, 0xe69f00, 178, 3),
        C(SLICE_2, 0x009e73, 36, 6),     C(SLICE_3, 0xcc79a7, 175, 13),
        C(SLICE_4, 0x0072b2, 25, 4),     C(SLICE_5, 0xf0e442, 227, 11),
        C(SLICE_6, 0xd55e00, 166, 1),    C(SLICE_7, 0x999999, 246, 7),
        C(SLICE_8, 0x88c4ee, 117, 14),   C(SLICE_9, 0xf3c766, 221, 3),
        C(SLICE_10, 0x66c5ab, 79, 10),   C(SLICE_11, 0xe0afca, 182, 5),
    },
};

const struct theme *const themes[] = {&dark, &light, &mono, &color_blind};
const unsigned themes_count = sizeof themes / sizeof *themes;

const struct theme *theme_find(struct str name)
{
    for (unsigned i = 0; i < themes_count; i++)
        if (str_is(name, themes[i]->name)) return themes[i];
    return NULL;
}

enum color theme_ink_on(const struct theme *theme, enum color fill)
{
    uint32_t rgb = theme->colors[fill].rgb;
    unsigned luma = ((rgb >> 16) * 299 + (rgb >> 8 & 0xFF) * 587 + (rgb & 0xFF) * 114) / 1000;
    return luma >= 105 ? COLOR_INK_DARK : COLOR_INK_LIGHT;
}

enum color color_of_name(struct str name)
{
    char kept[64];
    size_t n = 0;
    for (size_t i = 0; i < name.n && n < sizeof kept; i++)
        if (name.p[i] < '0' || name.p[i] > '9') kept[n++] = name.p[i];
    return (enum color)(COLOR_SLICE_0 + hash_bytes(kept, n) % COLOR_SLICES);
}
