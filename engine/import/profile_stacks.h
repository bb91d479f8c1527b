/* Call stacks as profilers write them: call stack → frames → mappings → strings,
 * each by an id, in a profile packet's own tables or in interned data
 * (spec engine_2 2.6).
 */
#ifndef ENGINE_IMPORT_PROFILE_STACKS_H
#define ENGINE_IMPORT_PROFILE_STACKS_H

#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/packet.h"

/* Entries by id; the messages stay where they are in the file. */
struct profile_tables {
    VEC(struct str) entries;
    struct map strings, mappings, frames, callstacks; /* id -> index in entries */
};

enum profile_table {
    PROFILE_STRINGS,
    PROFILE_MAPPINGS,
    PROFILE_FRAMES,
    PROFILE_CALLSTACKS,
};

void profile_tables_add(struct profile_tables *tables, enum profile_table table, struct str entry);
void profile_tables_clear(struct profile_tables *tables);
void profile_tables_free(struct profile_tables *tables);

/* Rows of the tables.  `tables` may be NULL: interned data only.  NULL_UINT32 for
 * ids that lead nowhere, which are counted.  Mappings of one process are its own
 * (upid NULL_UINT32: shared by all). */
uint32_t profile_callsite(const struct packet *packet, const struct profile_tables *tables,
                          uint32_t upid, uint64_t callstack_id);
/* Row of an interned mapping. */
uint32_t profile_mapping(const struct packet *packet, uint64_t mapping_id);
/* Enters every frame and call stack of the tables. */
void profile_tables_enter_all(const struct packet *packet, const struct profile_tables *tables);

#endif
