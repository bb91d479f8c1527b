/* What the standard library brings: its modules, and what each of them makes, read
 * from its SQL.  Names that begin with an underscore are its own and left out. */
#ifndef ENGINE_LIBRARY_H
#define ENGINE_LIBRARY_H

#include "engine/base/arena.h"
#include "engine/base/vec.h"

enum library_kind {
    LIBRARY_MODULE,
    LIBRARY_TABLE,
    LIBRARY_VIEW,
    LIBRARY_FUNCTION,
    LIBRARY_TABLE_FUNCTION,
    LIBRARY_MACRO,
};

struct library_entry {
    enum library_kind kind;
    const char *name;
    const char *module;    /* "slices.with_context"; of a module: its own name */
    const char *arguments; /* "(x LONG) RETURNS LONG" of what takes some; else "" */
    const char *doc;       /* the comment in front of it, one line; or "" */
    bool is_loaded;        /* of the prelude: there without INCLUDE */
};

struct library_list VEC_OF(struct library_entry);

/* Appends all entries, module by module; texts are the arena's. */
void library_read(struct arena *arena, struct library_list *out);
/* The same for one module's SQL. */
void library_read_module(struct str module, struct str sql, struct arena *arena,
                         struct library_list *out);

#endif
