/* A flamegraph as a file.
 *
 * Folded stacks and pprof hold the stacks that the filters let through, from the
 * root to the leaf; SVG and text show the tree as it is seen.  Two sides that are
 * compared are two numbers: of what it is compared with, then of what is looked at
 * (folded), and two sample types (pprof).
 */
#ifndef COMMANDS_FLAME_EXPORT_H
#define COMMANDS_FLAME_EXPORT_H

#include "commands/flame_tree.h"
#include "engine/base/buffer.h"

enum flame_format { FLAME_FOLDED, FLAME_PPROF, FLAME_SVG, FLAME_TEXT };

/* By the end of a file's name: .svg, .txt, .pb .pprof, else folded. */
enum flame_format flame_format_of(const char *path);

struct flame_export {
    const struct flame_profile *profile;
    const struct flame_look *look;
    const struct flame_metric *metric;
    const char *title; /* what is looked at */
};

/* False when a pattern is wrong, it was cancelled, or more than 2 GiB would be
 * written. */
bool flame_export(const struct flame_export *what, enum flame_format format, struct buffer *out,
                  struct cancel *cancel, struct status *st);

/* For flame_export.c. */
void flame_export_pprof(const struct flame_export *what, const struct flame_tree *tree,
                        struct buffer *out);
void flame_export_svg(const struct flame_export *what, const struct flame_tree *tree,
                      struct buffer *out);

#endif
