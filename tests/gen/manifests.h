/* Sidecars that say whose machine and which clock a file is of: each message about a
 * wrong one (spec engine_1 6.1), and what right ones do.
 *
 * Their archives hold one.pb (one machine), two.pb (packets of the host and of
 * machine 7) and app.json; a ' in the text of a sidecar stands for a ".
 */
#ifndef TESTS_GEN_MANIFESTS_H
#define TESTS_GEN_MANIFESTS_H

#include <stddef.h>

#include "engine/base/buffer.h"

enum gen_manifest_shape {
    GEN_MANIFEST_PLAIN,
    GEN_MANIFEST_TWICE,
    GEN_MANIFEST_LATE,    /* inside a gzip, so that it comes after the traces */
    GEN_MANIFEST_WITH_TAR /* an archive inside: inner.tar */
};

struct gen_manifest_wrong {
    const char *sidecar;
    enum gen_manifest_shape shape;
    const char *message; /* behind the operand; its beginning when it ends in "…" */
};

struct gen_manifest_right {
    const char *sidecar, *sql, *rows; /* cells joined with '|' */
};

const struct gen_manifest_wrong *gen_manifests_wrong(size_t *count);
const struct gen_manifest_right *gen_manifests_right(size_t *count);
/* The JSON, with its quotes. */
void gen_manifest_text(const char *sidecar, struct buffer *out);
void gen_manifest_archive(struct str text, enum gen_manifest_shape shape, struct buffer *out);

#endif
