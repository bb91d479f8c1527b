/* The parts of `perfetty bundle`: what goes into the archive, and the sidecar that
 * names it. */
#ifndef CLI_BUNDLE_H
#define CLI_BUNDLE_H

#include "cli/cli.h"
#include "engine/base/buffer.h"
#include "engine/base/vec.h"

/* One member: a trace is read from `path` when the archive is written, the rest lies
 * in `bytes` (owned). */
struct bundle_member {
    char *name;
    char *path; /* where it came from, for messages */
    char *bytes;
    size_t length;
    bool is_trace;
    char *module; /* of SQL: its full name; else NULL */
};

struct bundle {
    const char *out, *namespace, *sql, *macros, *descriptors, *startup, *server, *modules, *key;
    const char *manifest; /* a file with trace_time, files and attributes */
    struct bundle_members VEC_OF(struct bundle_member) members; /* in archive order */
    struct buffer sidecar;
    const char *sidecar_name; /* "perfetto_manifest.json" */
    char *sidecar_name_owned;
};

/* Folder of the members that the sidecar claims. */
#define BUNDLE_FOLDER ".ext/"

/* bundle_members.c: fills `members` from the options; false names the file. */
bool bundle_add_traces(struct bundle *bundle, const char *const *paths, size_t n,
                       struct status *st);
bool bundle_add_parts(struct bundle *bundle, struct status *st);
const struct bundle_member *bundle_find(const struct bundle *bundle, struct str name);
void bundle_dispose(struct bundle *bundle);

/* bundle_sidecar.c: writes the text; then holds it and every part against the rules of
 * the loader.  Problems are said; false when there is one. */
bool bundle_write_sidecar(struct bundle *bundle, struct status *st);
bool bundle_check_sidecar(const struct bundle *bundle);

#endif
