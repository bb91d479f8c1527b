/* A pull parser over JSON bytes in memory: one token at a time, never a tree.
 *
 * Strict about structure (commas, colons, brackets, nesting of at most
 * JSON_MAX_DEPTH), lenient about what writers of traces get wrong inside values:
 * raw control characters and any bytes in strings, unknown escapes, and bare
 * words (nan, inf, True) which are a token of their own.
 * A string's text is the bytes between its quotes; json_decode makes it text.
 * Nothing is allocated; tokens point into the bytes (spec engine_2b 6.5.1).
 */
#ifndef ENGINE_IMPORT_JSON_PULL_H
#define ENGINE_IMPORT_JSON_PULL_H

#include "engine/base/buffer.h"
#include "engine/base/str.h"

#define JSON_MAX_DEPTH 512

enum json_token {
    JSON_DONE,  /* the one value that was asked for is complete */
    JSON_CUT,   /* the bytes end inside it */
    JSON_ERROR, /* no JSON at `at` */
    JSON_OBJECT,
    JSON_OBJECT_END,
    JSON_ARRAY,
    JSON_ARRAY_END,
    JSON_KEY,
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
    JSON_WORD, /* nan, Infinity, None … */
};

struct json_pull {
    const char *start, *at, *end;
    struct str text;  /* of KEY, STRING (between the quotes), NUMBER, WORD */
    bool has_escapes; /* of KEY, STRING */
    /* The rest is the parser's. */
    uint32_t depth;
    uint8_t expect;
    uint64_t is_object[JSON_MAX_DEPTH / 64];
};

/* Reads one value that begins at byte `from`. */
void json_pull_init(struct json_pull *pull, struct str bytes, size_t from);
enum json_token json_pull_next(struct json_pull *pull);
/* After OBJECT, ARRAY or KEY: reads on to the end of that object, array, or key's
 * value.  Returns its last token, CUT or ERROR. */
enum json_token json_pull_skip(struct json_pull *pull, enum json_token token);
/* Where a value stands next: takes it as read.  It ends at byte `end`. */
void json_pull_pass(struct json_pull *pull, size_t end);
static inline size_t json_pull_offset(const struct json_pull *pull)
{
    return (size_t)(pull->at - pull->start);
}

bool json_is_space(char c);
size_t json_skip_space(struct str bytes, size_t from);
/* Where the value that begins at `from` with a bracket ends, by brackets and
 * quotes alone.  False, and where it went wrong, when they do not match, are too
 * deep, or the bytes end first. */
bool json_match_bracket(struct str bytes, size_t from, size_t *end);

/* Text of a string: escapes resolved, unknown ones left as written, unpaired
 * surrogates replaced.  Without escapes it is `raw` itself; else it is put into
 * `buffer` (cleared first). */
struct str json_decode(struct str raw, bool has_escapes, struct buffer *buffer);

#endif
