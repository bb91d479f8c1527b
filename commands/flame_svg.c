/* A flamegraph as a picture: roots at the top, callers of a pivot above it.  No
 * script: a box's words are in its title, which browsers show. */
#include <math.h>

#include "commands/flame_export.h"
#include "commands/flame_text.h"
#include "engine/base/hash.h"
#include "engine/base/utf8.h"

#define WIDTH     1200.0
#define MARGIN    10.0
#define ROW       17
#define TOP       40
#define MAX_ROWS  2000
#define LEAST     0.25 /* pixels of a box that is drawn */
#define CHARACTER 6.6  /* pixels */

static void write_escaped(struct str text, struct buffer *out)
{
    struct buffer visible = BUFFER_INIT;
    utf8_append_visible(&visible, text, false);
    for (size_t i = 0; i < visible.length; i++) {
        char c = visible.data[i];
        if (c == '&')
            buffer_append_text(out, "&amp;");
        else if (c == '<')
            buffer_append_text(out, "&lt;");
        else if (c == '>')
            buffer_append_text(out, "&gt;");
        else if (c == '"')
            buffer_append_text(out, "&quot;");
        else
            buffer_append_byte(out, c);
    }
    buffer_free(&visible);
}

/* The first `characters` of a text, with a mark where more follow. */
static struct str shortened(struct str text, size_t characters, bool *is_cut)
{
    size_t at = 0;
    while (at < text.n && characters > 0) {
        uint32_t c;
        at += utf8_decode(str_slice(text, at, text.n), &c);
        characters--;
    }
    *is_cut = at < text.n;
    return str_slice(text, 0, at);
}

/* Warm colours by name; where two sides are compared, red grew and blue shrank. */
static void write_color(const struct flame_export *what, const struct flame_tree *tree,
                        const struct flame_node *node, struct str name, struct buffer *out)
{
    if (!what->look->compares) {
        uint64_t hash = hash_bytes(name.p ? name.p : "", name.n);
        buffer_printf(out, "hsl(%u,70%%,%u%%)", (unsigned)(hash % 50 + 10),
                      (unsigned)(hash / 64 % 20 + 60));
        return;
    }
    const struct flame_node *root = &tree->nodes.items[0];
    double larger = root->total[0] > root->total[1] ? root->total[0] : root->total[1];
    double grown = larger > 0 ? (node->total[0] - node->total[1]) / larger : 0;
    double strength = fmin(1, sqrt(fabs(grown)));
    buffer_printf(out, "hsl(%d,80%%,%u%%)", grown < 0 ? 215 : 5, (unsigned)(95 - 40 * strength));
}

static void write_node(const struct flame_export *what, const struct flame_tree *tree,
                       const struct flame_node *node, int row, struct buffer *out)
{
    double all = tree->nodes.items[0].width;
    double scale = all > 0 ? (WIDTH - 2 * MARGIN) / all : 0;
    double x = MARGIN + node->x * scale, width = node->width * scale;
    if (width < LEAST || row < 0 || row >= MAX_ROWS) return;
    struct str name = flame_node_name(what->profile, node);
    int y = TOP + row * ROW;
    buffer_append_text(out, "<g><title>");
    write_escaped(name, out);
    buffer_append_text(out, ": ");
    flame_write_value(node->total[0], what->metric->unit, out);
    buffer_append_text(out, ", ");
    flame_write_percent(node->total[0], tree->nodes.items[0].total[0], out);
    buffer_append_text(out, ", self ");
    flame_write_value(node->self[0], what->metric->unit, out);
    if (what->look->compares) {
        buffer_append_text(out, ", before ");
        flame_write_value(node->total[1], what->metric->unit, out);
    }
    buffer_printf(out, "</title><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"", x,
                  y, width > 0.6 ? width - 0.4 : width, ROW - 1);
    write_color(what, tree, node, name, out);
    buffer_append_text(out, "\"/>");
    bool is_cut;
    size_t room = width > 2 * CHARACTER ? (size_t)((width - 4) / CHARACTER) : 0;
    struct str shown = shortened(name, room, &is_cut);
    if (is_cut && room > 2) shown = shortened(name, room - 1, &is_cut);
    if (room > 2) {
        buffer_printf(out, "<text x=\"%.2f\" y=\"%d\">", x + 2, y + 12);
        write_escaped(shown, out);
        buffer_append_text(out, is_cut ? "\xE2\x80\xA6</text>" : "</text>");
    }
    buffer_append_text(out, "</g>\n");
}

void flame_export_svg(const struct flame_export *what, const struct flame_tree *tree,
                      struct buffer *out)
{
    /* The callers' first row is the pivot's own, which is drawn below. */
    uint32_t above = tree->callers_depth > 1 ? tree->callers_depth - 1 : 0;
    uint32_t rows = above + tree->depth + 1;
    if (above > MAX_ROWS / 2) above = MAX_ROWS / 2;
    if (rows > MAX_ROWS) rows = MAX_ROWS;
    int height = TOP + (int)rows * ROW + 10;
    buffer_printf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" "
                  "viewBox=\"0 0 %.0f %d\" font-family=\"monospace\" font-size=\"11\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
                  "<text x=\"%.0f\" y=\"24\" font-size=\"15\">",
                  WIDTH, height, WIDTH, height, MARGIN);
    write_escaped(str_of(what->metric->name), out);
    buffer_append_text(out, " of ");
    write_escaped(str_of(what->title), out);
    buffer_append_text(out, "</text>\n");
    for (size_t i = 0; i < tree->nodes.count && !out->overflowed; i++) {
        const struct flame_node *node = &tree->nodes.items[i];
        if (node->is_caller && node->depth < 2) continue;
        bool is_pivot = tree->callers != FLAME_NONE;
        if (is_pivot && node->depth == 0) continue;
        int row = (int)above + (int)node->depth - is_pivot;
        if (node->is_caller) row = (int)above - (int)node->depth + 1;
        write_node(what, tree, node, row, out);
    }
    buffer_append_text(out, "</svg>\n");
}
