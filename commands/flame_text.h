/* Words and numbers of a flamegraph as people read them. */
#ifndef COMMANDS_FLAME_TEXT_H
#define COMMANDS_FLAME_TEXT_H

#include "commands/flame_tree.h"
#include "engine/base/buffer.h"

/* "16.9 ms", "1.25 MiB", "1,234": at most four digits, by unit. */
void flame_write_value(double value, const char *unit, struct buffer *out);
/* "12.5%"; of nothing: "0%". */
void flame_write_percent(double value, double of, struct buffer *out);
/* The bar's words (spec ui §7): "SS:foo HF:/bar/ P:baz". */
void flame_write_filters(const struct flame_look *look, struct buffer *out);
const char *flame_direction_name(enum flame_direction direction);
struct str flame_node_name(const struct flame_profile *profile, const struct flame_node *node);

#endif
