/* The items of one JSON object or array, one level deep: a nested value is given
 * by its place and stepped over by its brackets, so that a document is read in the
 * order in which its parts are needed, without a tree.
 *
 * Damage: an item that the bytes end inside of still comes, with is_whole false,
 * and can be walked as far as it goes; then the walk ends and `result` says how.
 */
#ifndef ENGINE_IMPORT_JSON_WALK_H
#define ENGINE_IMPORT_JSON_WALK_H

#include "engine/import/json_pull.h"

struct json_walk {
    struct json_pull pull;
    enum json_token result; /* at the end: JSON_DONE, JSON_CUT or JSON_ERROR */
    size_t bad_at;          /* of CUT and ERROR: where */
    bool is_object;
};

struct json_item {
    struct str key; /* raw; of an object's item */
    enum json_token type;
    size_t from;      /* byte at which the value begins */
    struct str text;  /* of STRING (raw), NUMBER, WORD */
    bool has_escapes; /* of STRING */
    bool is_whole;
};

/* False when no object or array begins at byte `from` (white space is passed). */
bool json_walk_begin(struct json_walk *walk, struct str bytes, size_t from);
/* False at the end. */
bool json_walk_next(struct json_walk *walk, struct json_item *item);

/* As number: false when the item is none, or does not fit. */
bool json_item_index(const struct json_item *item, uint32_t *index);
bool json_item_int64(const struct json_item *item, int64_t *value); /* a fraction is cut off */
bool json_item_double(const struct json_item *item, double *value);

#endif
