/* Counts of what the recorder lost and the import met, metadata, and the import
 * log (spec engine_3 3.5-3.7, appendix/stats.tsv).
 *
 * Stats of scope machine_and_trace are counted per (machine, file) of the
 * import_file given; global ones ignore it (NULL is fine there).  Rows of the
 * tables are written by stats_finish at the end of the load, metadata and the
 * import log at once.
 */
#ifndef ENGINE_IMPORT_STATS_H
#define ENGINE_IMPORT_STATS_H

#include "engine/import/import.h"

enum stat {
#define STAT(key, name, kind, severity, source, scope) STAT_##name,
#include "engine/import/stats.def"
#undef STAT
    STAT_COUNT
};

struct stats_tracker *stats_new(struct import *import);
void stats_free(struct stats_tracker *stats);

/* Gives the file's machine and trace their rows, even if nothing is counted. */
void stats_see_file(const struct import_file *file);
void stats_add(const struct import_file *file, enum stat stat, int64_t n);
void stats_set(const struct import_file *file, enum stat stat, int64_t value);
void stats_add_indexed(const struct import_file *file, enum stat stat, int64_t index, int64_t n);
void stats_set_indexed(const struct import_file *file, enum stat stat, int64_t index,
                       int64_t value);
int64_t stats_get_indexed(const struct import_file *file, enum stat stat, int64_t index);
/* For a global stat raised where there is no file. */
void stats_add_global(struct import *import, enum stat stat, int64_t n);
int64_t stats_get(const struct import *import, enum stat stat); /* summed over scopes */

/* Of one file on its machine; not of a global stat. */
int64_t stats_get_of_file(const struct import_file *file, enum stat stat);

/* The same and a row in the import log.  `byte_offset` in the file (tokenising)
 * or NO_BYTE_OFFSET with `ts` (parsing); args may be NULL. */
#define NO_BYTE_OFFSET INT64_C(-1)
#define NO_LOG_TS      INT64_MIN
struct arg_list;
void import_log(const struct import_file *file, enum stat stat, int64_t byte_offset, int64_t ts,
                struct arg_list *args);

void stats_finish(struct import *import);

/* Metadata: single keys overwrite within their scope, multi keys append.  Scope
 * columns by key as spec engine_3 3.6; unknown names are dynamic (trace scope).
 * file NULL: both scope columns NULL. */
struct metadata_tracker *metadata_new(struct import *import);
void metadata_free(struct metadata_tracker *metadata);
void metadata_set_int(struct import *import, const struct import_file *file, const char *name,
                      int64_t value);
void metadata_set_string(struct import *import, const struct import_file *file, const char *name,
                         struct str value);

#endif
