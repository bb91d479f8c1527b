/* What the files of engine/extensions share, and nobody else. */
#ifndef ENGINE_EXTENSIONS_INTERNAL_H
#define ENGINE_EXTENSIONS_INTERNAL_H

#include "engine/base/arena.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/extensions/problems.h"
#include "engine/extensions/sidecar.h"

/* The four lists of an inline section. */
enum section_list { SECTION_MACROS, SECTION_MODULES, SECTION_DESCRIPTORS, SECTION_STARTUP };
extern const char *const section_list_names[4];

struct claim {
    struct str path;
    enum section_list list;
    json_t *entry;   /* borrowed from the document */
    size_t index;    /* in its list */
    json_t *content; /* of macros and startup commands: the array, owned */
    struct str bytes;
};

struct module {
    const char *name, *sql; /* in the arena */
};

struct sidecar {
    struct arena arena;
    json_t *document; /* owned */
    json_t *body;     /* below the key; borrowed */
    json_t *section;  /* `extensions`; borrowed, NULL when absent or ignored */
    const struct sidecar_place *place;
    struct problems problems;
    const char *namespace; /* "" until it is known to be good */
    struct strmap macro_ids, module_names, claimed_paths;
    VEC(struct claim) claims;
    VEC(struct str) descriptors;
    VEC(struct module) modules;
    struct manifest manifest;
    struct buffer resolved;
    bool is_resolved;
};

/* section.c: rules E1-E10, E12, E13 and the payloads of inline entries. */
void section_check(struct sidecar *sidecar);
bool section_check_macro(struct sidecar *sidecar, json_t *macro);
bool section_check_command(struct sidecar *sidecar, json_t *command);

/* claims.c */
void claim_add(struct sidecar *sidecar, json_t *entry, enum section_list list, size_t index);

/* manifest.c */
void manifest_parse(struct manifest *manifest, json_t *body, struct arena *arena,
                    struct problems *problems);

#endif
