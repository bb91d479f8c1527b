#include "commands/js_class.h"

#include <stdlib.h>

#define LAST_UNIT 0xFFFFu

void unit_set_add(struct unit_set *set, uint32_t first, uint32_t last)
{
    vec_push(set, (struct unit_range){first, last});
}

static int compare(const void *left, const void *right)
{
    const struct unit_range *l = left, *r = right;
    return (l->first > r->first) - (l->first < r->first);
}

/* Sorted, without overlaps. */
static void normalize(struct unit_set *set)
{
    if (set->count < 2) return;
    qsort(set->items, set->count, sizeof *set->items, compare);
    size_t out = 0;
    for (size_t i = 1; i < set->count; i++) {
        struct unit_range *last = &set->items[out];
        if (set->items[i].first <= last->last + 1) {
            if (set->items[i].last > last->last) last->last = set->items[i].last;
        } else {
            set->items[++out] = set->items[i];
        }
    }
    set->count = out + 1;
}

void unit_set_negate(struct unit_set *set)
{
    struct unit_set rest = {0};
    normalize(set);
    uint32_t from = 0;
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].first > from) unit_set_add(&rest, from, set->items[i].first - 1);
        from = set->items[i].last + 1;
    }
    if (from <= LAST_UNIT) unit_set_add(&rest, from, LAST_UNIT);
    vec_free(set);
    *set = rest;
}

void unit_set_add_escape(struct unit_set *set, char letter)
{
    static const struct unit_range digits[] = {{'0', '9'}};
    static const struct unit_range words[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    static const struct unit_range spaces[] = {
        {'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
        {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
    struct unit_set those = {0};
    char lower = (char)(letter | 32);
    const struct unit_range *ranges = lower == 'd' ? digits : lower == 'w' ? words : spaces;
    size_t n = lower == 'd' ? 1 : lower == 'w' ? 4 : sizeof spaces / sizeof spaces[0];
    for (size_t i = 0; i < n; i++)
        unit_set_add(&those, ranges[i].first, ranges[i].last);
    if (letter != lower) unit_set_negate(&those);
    for (size_t i = 0; i < those.count; i++)
        unit_set_add(set, those.items[i].first, those.items[i].last);
    vec_free(&those);
}

/* Halves of pairs live in a plane of their own. */
static uint32_t codepoint(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDFFF ? 0x100000 + unit : unit;
}

void unit_append(uint32_t unit, struct buffer *out)
{
    bool plain = (unit >= '0' && unit <= '9') || (unit >= 'A' && unit <= 'Z') ||
                 (unit >= 'a' && unit <= 'z') || unit == '_' || unit == ' ';
    if (plain)
        buffer_append_byte(out, (char)unit);
    else
        buffer_printf(out, "\\x{%X}", codepoint(unit));
}

static void append_range(uint32_t first, uint32_t last, struct buffer *out)
{
    if (first > last) return;
    unit_append(first, out);
    if (last > first) {
        buffer_append_byte(out, '-');
        unit_append(last, out);
    }
}

void unit_set_append(struct unit_set *set, struct buffer *out)
{
    normalize(set);
    if (set->count == 0) {
        buffer_append_text(out, "(?!)");
        return;
    }
    buffer_append_byte(out, '[');
    for (size_t i = 0; i < set->count; i++) {
        uint32_t first = set->items[i].first, last = set->items[i].last;
        /* Below, among and above the halves of pairs. */
        append_range(first, last < 0xD7FF ? last : 0xD7FF, out);
        append_range(first > 0xD800 ? first : 0xD800, last < 0xDFFF ? last : 0xDFFF, out);
        append_range(first > 0xE000 ? first : 0xE000, last, out);
    }
    buffer_append_byte(out, ']');
}
