/* What the files of the Firefox profile importer share (spec engine_2c §2).
 *
 *   gecko         the document: where its parts are, its threads
 *   gecko_table   rows of a table, in either shape
 *   gecko_stacks  strings, functions, frames and stacks into the stack tracker
 *   gecko_events  samples and markers into the sorter, and from there to rows
 *
 * The bytes are walked part by part; of strings only the places are kept, of
 * frames and stacks their rows (4 bytes each).
 */
#ifndef ENGINE_IMPORT_GECKO_H
#define ENGINE_IMPORT_GECKO_H

#include "engine/base/buffer.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/arg_writer.h"
#include "engine/import/damage.h"
#include "engine/import/import.h"
#include "engine/import/json_walk.h"

/* Where an object or array begins; the document's own brace is at no other's
 * place, so that 0 stands for "absent". */
typedef size_t gecko_place;

struct gecko_rows_list VEC_OF(uint32_t);

/* Strings, and stacks made of them, of one thread or of all (`shared`). */
struct gecko_stacks {
    VEC(gecko_place) strings;
    struct gecko_rows_list functions; /* index of the name's string; NULL_UINT32: none */
    struct gecko_rows_list frames;    /* row of stack_profile_frame */
    struct gecko_rows_list callsites; /* by stack: row of stack_profile_callsite */
    bool has_strings, has_stacks;
};

struct gecko_thread {
    string_id name;
    int64_t tid, pid;
    gecko_place strings, frame_table, function_table, stack_table, samples, markers;
    uint32_t utid; /* NULL_UINT32 before its first event */
};

struct gecko_state {
    struct import_file *file;
    struct import *import;
    struct str bytes;
    struct damage damage;
    uint32_t queue, sample_sink, marker_sink;
    uint64_t n_rows; /* for polling */
    struct gecko_stacks shared, own;
    VEC(string_id) categories;
    struct map frame_of_string, name_of_string; /* by the string's place */
    string_id empty, gecko;
    struct buffer text;
    struct arg_writer args;
    struct arg_list arg_list;
};

/* ---- gecko_table ---- */

#define GECKO_MAX_COLUMNS 6

/* Rows of a table: raw profiles have `schema` (name → place in the row) and `data`
 * (rows), processed ones an array for each column. */
struct gecko_table {
    struct gecko_state *state;
    uint32_t n_columns;
    bool has_column[GECKO_MAX_COLUMNS];
    bool by_row;
    bool skips_null[GECKO_MAX_COLUMNS]; /* set by the caller: nulls of a column are no values */
    uint32_t row_place[GECKO_MAX_COLUMNS];
    struct json_walk rows;
    struct json_walk columns[GECKO_MAX_COLUMNS];
};

/* Finds the named columns of the table at that place.  False when it is no table. */
bool gecko_table_open(struct gecko_table *table, struct gecko_state *state, gecko_place place,
                      const char *const *names, uint32_t n);
/* One row's cells; those of absent columns are null.  False at the end, which is where the
 * shortest column ends. */
bool gecko_table_next(struct gecko_table *table, struct json_item *cells);

/* Tells how a walk ended, if it ended badly. */
void gecko_note_end(struct gecko_state *state, const struct json_walk *walk);

/* ---- gecko_stacks ---- */

void gecko_stacks_read(struct gecko_state *state, struct gecko_stacks *stacks,
                       const struct gecko_thread *thread);
void gecko_stacks_clear(struct gecko_stacks *stacks);
void gecko_stacks_free(struct gecko_stacks *stacks);
/* STRING_NULL when there is none. */
string_id gecko_string(struct gecko_state *state, const struct gecko_stacks *stacks,
                       uint32_t index);

/* ---- gecko_events ---- */

void gecko_samples_read(struct gecko_state *state, struct gecko_thread *thread);
void gecko_markers_read(struct gecko_state *state, struct gecko_thread *thread);
/* Sorter sinks. */
void gecko_parse_sample(void *state, int64_t ts, const void *payload);
void gecko_parse_marker(void *state, int64_t ts, const void *payload);

#endif
