/* Argument sets (spec engine_2 2.1): built as lists, entered once each.
 *
 * Adding the same key again overwrites.  Sets of equal content are one set.  The
 * id of a set is the row of its first arg; NULL_UINT32 stands for "no args".
 */
#ifndef ENGINE_IMPORT_ARGS_H
#define ENGINE_IMPORT_ARGS_H

#include "engine/base/vec.h"
#include "engine/import/import.h"

enum arg_type {
    ARG_INT,
    ARG_UINT,
    ARG_STRING,
    ARG_REAL,
    ARG_POINTER,
    ARG_BOOL,
    ARG_JSON,
    ARG_NULL,
};

struct arg {
    string_id flat_key, key;
    enum arg_type type;
    union {
        int64_t integer; /* INT, UINT, POINTER, BOOL: the 64 bits */
        double real;
        string_id string; /* STRING, JSON */
    } value;
};

struct arg_list VEC_OF(struct arg);

void arg_list_put(struct arg_list *list, struct arg arg);
void arg_list_put_int(struct arg_list *list, string_id key, int64_t value);
void arg_list_put_string(struct arg_list *list, string_id key, string_id value);
void arg_list_put_bool(struct arg_list *list, string_id key, bool value);
void arg_list_put_real(struct arg_list *list, string_id key, double value);

struct args_tracker *args_new(struct import *import);
void args_free(struct args_tracker *args);
/* Enters the list as a set and empties it (keeping its memory). */
uint32_t args_commit(struct args_tracker *args, struct arg_list *list);
/* Appends the args of a committed set to `out`. */
void args_read(const struct tables *tables, uint32_t set, struct arg_list *out);

#endif
