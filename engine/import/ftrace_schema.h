/* The fields of the kernel events that are known (ftrace_events.def): names and
 * types for args.  A schema is made when its event is first asked for. */
#ifndef ENGINE_IMPORT_FTRACE_SCHEMA_H
#define ENGINE_IMPORT_FTRACE_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/import/args.h"

struct ftrace_field {
    uint32_t number;
    char type; /* as in ftrace_events.def */
    bool is_symbol;
    string_id key;
};

struct ftrace_schema {
    string_id name;
    bool has_symbols; /* fields called function, func or caller are kernel symbols */
    uint32_t n_fields;
    struct ftrace_field fields[];
};

struct ftrace_schemas {
    struct ftrace_schema **by_id; /* owned; NULL at first */
};

/* NULL for an unknown event. */
const struct ftrace_schema *ftrace_schema_of(struct ftrace_schemas *schemas,
                                             struct strpool *strings, uint32_t id);
/* Adds the args that an event's body holds.  Symbols stay numbers. */
void ftrace_schema_put_args(const struct ftrace_schema *schema, struct str body,
                            struct strpool *strings, struct arg_list *args);
/* Whether the field called so is the interned id of a kernel symbol. */
bool ftrace_schema_is_symbol(const struct ftrace_schema *schema, string_id key);
void ftrace_schemas_free(struct ftrace_schemas *schemas);

#endif
