/* Sidecars, right and wrong: each rule of the sidecar page (E1 to E14), its
 * envelope, and what looks wrong but must load.
 *
 * A case says which rule it breaks ("" when it loads) and the JSON path that the
 * message has to name.  The input is a zip with a small trace and members below
 * ext/, unless `shape` says otherwise.
 */
#ifndef TESTS_GEN_SIDECARS_H
#define TESTS_GEN_SIDECARS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/buffer.h"

enum gen_sidecar_shape {
    GEN_SIDECAR_ZIP,
    GEN_SIDECAR_ZIP_LAST, /* the sidecar after all other members */
    GEN_SIDECAR_TAR,
    GEN_SIDECAR_ALONE, /* no archive: the sidecar is the whole input */
    GEN_SIDECAR_TWO,   /* the archive has two of them */
};

struct gen_sidecar_case {
    const char *name; /* a file name without extension */
    const char
        *rule; /* E1 … E14, V (version), J (JSON), N (number of sidecars), T (clock), or "" */
    const char *path; /* that the message names; NULL: only the rule's own words matter */
    /* the value of `extensions`, or with `is_document` the whole file; a ' stands
     * for a ", @DESCRIPTOR@ for a descriptor in base64 */
    const char *text;
    bool is_document;
    enum gen_sidecar_shape shape;
};

static inline bool gen_sidecar_loads(const struct gen_sidecar_case *c)
{
    return c->rule[0] == '\0';
}

const struct gen_sidecar_case *gen_sidecar_cases(size_t *count);
/* The sidecar alone, as it stands in the archive. */
void gen_sidecar_text(const struct gen_sidecar_case *c, struct buffer *out);
/* The input to load. */
void gen_sidecar_input(const struct gen_sidecar_case *c, struct buffer *out);
/* A zip of that sidecar, a small trace, and the members below that its text names. */
void gen_sidecar_archive(struct str sidecar, struct buffer *out);

/* Members that the cases' archives hold besides the sidecar. */
#define GEN_SIDECAR_TRACE "trace.perfetto-trace"

#endif
