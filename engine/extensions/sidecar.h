/* The sidecar: a JSON member that says how its archive is to be read, and brings
 * macros, SQL modules, descriptors and startup commands (spec/sidecar.md).
 *
 *     if (sidecar_sniff(bytes)) {
 *         struct sidecar *s = sidecar_parse(bytes, &place, true);
 *         … for each claim: sidecar_give(s, i, bytes of the member) …
 *         sidecar_resolve(s)
 *     }
 *
 * Parsing never fails: what is wrong is in the list of problems, and a sidecar
 * with a problem must fail the load.  Members named by `file` entries are claimed:
 * the caller reads them, wherever they lie, and keeps them from the sniffer.
 */
#ifndef ENGINE_EXTENSIONS_SIDECAR_H
#define ENGINE_EXTENSIONS_SIDECAR_H

#include "engine/base/status.h"
#include "engine/base/str.h"
#include "engine/extensions/manifest.h"

struct sidecar;

/* By content, in the first 512 bytes; white space and a BOM do not count. */
bool sidecar_sniff(struct str bytes);

/* Where the sidecar's text ends and something else begins behind it; bytes.n when
 * nothing does (or the text has no end). */
size_t sidecar_end(struct str bytes);

/* The key of a sidecar that stands whole at the end of something else, where it is
 * too late; or NULL. */
const char *sidecar_find_behind(struct str bytes);

/* What a `file` entry may name. */
struct sidecar_place {
    bool has_members; /* an archive or a folder is around the sidecar */
    struct str self;  /* the sidecar's own name in it */
    /* How many members have exactly this name. */
    size_t (*count)(void *context, struct str path);
    bool (*is_folder)(void *context, struct str path);
    void *context;
};

/* `with_extensions` false: as if there were no `extensions` key.  The bytes must
 * outlive the sidecar. */
struct sidecar *sidecar_parse(struct str bytes, const struct sidecar_place *place,
                              bool with_extensions);
void sidecar_free(struct sidecar *sidecar);

/* NULL past the end. */
const char *sidecar_problem(const struct sidecar *sidecar, size_t i);
/* The rule of `extensions` that problem i breaks ("E9", docs/sidecar.md); NULL for what
 * is not about extensions. */
const char *sidecar_problem_rule(const struct sidecar *sidecar, size_t i);
/* The key that the file has, for messages. */
const char *sidecar_key(const struct sidecar *sidecar);
const struct manifest *sidecar_manifest(const struct sidecar *sidecar);
void sidecar_add_problem(struct sidecar *sidecar, const char *text);

size_t sidecar_claim_count(const struct sidecar *sidecar);
struct str sidecar_claim_path(const struct sidecar *sidecar, size_t i);
/* The contents of a claimed member, checked at once; borrowed until
 * sidecar_free.  `reason` not NULL: it could not be read. */
void sidecar_give(struct sidecar *sidecar, size_t i, struct str bytes, const char *reason);

/* After all claims are given and when there is no problem. */
void sidecar_resolve(struct sidecar *sidecar);
/* The resolved `extensions` section as compact JSON; STR_NONE without one. */
struct str sidecar_section(const struct sidecar *sidecar);
/* Serialized FileDescriptorSets, in order; STR_NONE past the end. */
struct str sidecar_descriptors(const struct sidecar *sidecar, size_t i);
/* The SQL package; "" when there is none. */
const char *sidecar_namespace(const struct sidecar *sidecar);
/* False past the end.  NUL-terminated. */
bool sidecar_module(const struct sidecar *sidecar, size_t i, const char **name, const char **sql);

#endif
