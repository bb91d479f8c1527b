#include "commands/flame_export.h"

#include <math.h>

#include "commands/flame_text.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"

#define LARGEST ((size_t)2 << 30)

enum flame_format flame_format_of(const char *path)
{
    struct str name = str_of(path);
    if (str_ends(name, STR(".svg"))) return FLAME_SVG;
    if (str_ends(name, STR(".txt"))) return FLAME_TEXT;
    if (str_ends(name, STR(".pb")) || str_ends(name, STR(".pprof"))) return FLAME_PPROF;
    return FLAME_FOLDED;
}

/* ---- folded stacks ---- */

/* A frame's name must hold neither what parts frames nor what ends a stack. */
static void write_frame(struct str name, struct buffer *out)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        buffer_append_byte(out, c == ';' ? ':' : c == '\n' || c == '\r' ? ' ' : c);
    }
}

static void write_folded(const struct flame_export *what, const struct flame_tree *tree,
                         struct buffer *out)
{
    VEC(uint32_t) path = {0};
    for (uint32_t i = 1; i < tree->nodes.count && !out->overflowed; i++) {
        const struct flame_node *node = &tree->nodes.items[i];
        long long now = llround(node->self[0]), base = llround(node->self[1]);
        if (now <= 0 && (base <= 0 || !what->look->compares)) continue;
        path.count = 0;
        for (uint32_t at = i; at != 0; at = tree->nodes.items[at].parent)
            vec_push(&path, at);
        for (size_t k = path.count; k-- > 0;) {
            write_frame(flame_node_name(what->profile, &tree->nodes.items[path.items[k]]), out);
            if (k) buffer_append_byte(out, ';');
        }
        if (what->look->compares) buffer_printf(out, " %lld", base);
        buffer_printf(out, " %lld\n", now);
    }
    vec_free(&path);
}

/* ---- text ---- */

static void write_line(const struct flame_export *what, const struct flame_tree *tree,
                       const struct flame_node *node, struct buffer *out)
{
    const char *unit = what->metric->unit;
    struct buffer cell = BUFFER_INIT;
    for (int column = 0; column < (what->look->compares ? 3 : 2); column++) {
        buffer_clear(&cell);
        double grown = node->total[0] - node->total[1];
        double value = column == 0 ? node->total[0] : column == 1 ? node->self[0] : grown;
        if (column == 2 && grown > 0) buffer_append_byte(&cell, '+');
        flame_write_value(value, unit, &cell);
        size_t cells = utf8_visible_width(buffer_str(&cell), false);
        buffer_printf(out, "%*s%s  ", (int)(cells < 11 ? 11 - cells : 0), "", buffer_text(&cell));
    }
    buffer_clear(&cell);
    flame_write_percent(node->total[0], tree->nodes.items[0].total[0], &cell);
    buffer_printf(out, "%6s  %*s", buffer_text(&cell), (int)(node->depth < 200 ? node->depth : 200),
                  "");
    utf8_append_visible(out, flame_node_name(what->profile, node), false);
    if (node->frame != FLAME_NONE && what->profile->frames.items[node->frame].mapping.n) {
        struct str mapping = what->profile->frames.items[node->frame].mapping;
        bool is_marked = mapping.p[0] == '['; /* no file: [kernel.kallsyms], [vdso] */
        buffer_append_text(out, is_marked ? "  " : "  [");
        utf8_append_visible(out, mapping, false);
        if (!is_marked) buffer_append_byte(out, ']');
    }
    buffer_append_byte(out, '\n');
    buffer_free(&cell);
}

/* In pre-order below `root`, what is a thousandth of all or more. */
static void write_below(const struct flame_export *what, const struct flame_tree *tree,
                        uint32_t root, struct buffer *out)
{
    double least = tree->nodes.items[0].width / 1000;
    uint32_t at = root;
    for (;;) {
        const struct flame_node *node = &tree->nodes.items[at];
        bool is_shown = node->width >= least;
        if (is_shown) write_line(what, tree, node, out);
        if (is_shown && node->first_child != FLAME_NONE) {
            at = node->first_child;
            continue;
        }
        while (at != root && tree->nodes.items[at].next == FLAME_NONE)
            at = tree->nodes.items[at].parent;
        if (at == root) return;
        at = tree->nodes.items[at].next;
    }
}

static void write_text(const struct flame_export *what, const struct flame_tree *tree,
                       struct buffer *out)
{
    struct buffer filters = BUFFER_INIT;
    flame_write_filters(what->look, &filters);
    utf8_append_visible(out, str_of(what->metric->name), false);
    buffer_append_text(out, " of ");
    utf8_append_visible(out, str_of(what->title), false);
    buffer_printf(out, ", %s", flame_direction_name(what->look->direction));
    if (filters.length) {
        buffer_append_text(out, ", ");
        utf8_append_visible(out, buffer_str(&filters), false);
    }
    buffer_printf(out, "\n\n%11s  %11s  %s%6s  %s\n", "total", "self",
                  what->look->compares ? "     growth  " : "", "%", "frame");
    write_below(what, tree, 0, out);
    if (tree->callers != FLAME_NONE) {
        buffer_append_text(out, "\ncallers\n");
        write_below(what, tree, tree->callers, out);
    }
    buffer_free(&filters);
}

/* ---- all ---- */

/* Whole stacks from the root, whatever side they are seen from. */
static void look_from_roots(struct flame_look *look)
{
    if (look->direction == FLAME_PIVOT && look->pivot && look->filters.count < FLAME_MAX_FILTERS)
        vec_push(&look->filters, (struct flame_filter){FLAME_SHOW_STACK, mem_strdup(look->pivot)});
    look->direction = FLAME_TOP_DOWN;
}

bool flame_export(const struct flame_export *what, enum flame_format format, struct buffer *out,
                  struct cancel *cancel, struct status *st)
{
    struct flame_look look;
    flame_look_copy(&look, what->look);
    if (format == FLAME_FOLDED || format == FLAME_PPROF) look_from_roots(&look);
    struct flame_tree *tree = flame_tree_new(what->profile, &look, cancel, st);
    flame_look_dispose(&look);
    if (!tree) return false;
    out->largest = LARGEST;
    switch (format) {
    case FLAME_FOLDED: write_folded(what, tree, out); break;
    case FLAME_PPROF: flame_export_pprof(what, tree, out); break;
    case FLAME_SVG: flame_export_svg(what, tree, out); break;
    case FLAME_TEXT: write_text(what, tree, out); break;
    }
    flame_tree_free(tree);
    return !out->overflowed || status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                                           "more than 2 GiB: narrow it with filters");
}
