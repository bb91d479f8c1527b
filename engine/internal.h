/* What the files of the engine room share, and nobody else. */
#ifndef ENGINE_INTERNAL_H
#define ENGINE_INTERNAL_H

#include "engine/base/buffer.h"
#include "engine/base/vec.h"
#include "engine/engine.h"
#include "engine/read/input.h"
#include "engine/sql/database.h"

struct text_list VEC_OF(char *);

struct engine {
    struct tables *tables;
    struct sql_database *database; /* made at first need */
    bool is_loaded;                /* engine_load was called */
    bool has_prelude;              /* sql_database_after_load ran */
    int64_t query_limit_ms;
    int64_t start, end;
    struct text_list warnings, problems;
    struct text_list descriptor_names; /* of each descriptor of the sidecar */
    char *package_skipped;             /* why its SQL package is not there, or NULL */
    char *trace_extensions; /* compact JSON, or NULL */
    size_t trace_extensions_length;
};

/* The database of the engine, opened when it is not there yet. */
struct sql_database *engine_database(struct engine *engine, struct status *st);

void text_list_add(struct text_list *list, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_list_free(struct text_list *list);

#endif
