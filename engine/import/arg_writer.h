/* Builds args of nested values: keys by nesting, and any message of the
 * descriptor pool as args (spec engine_2 2.1, 2.2 "Args keys").
 *
 * A key is the names from the outside in, joined by dots; an index is in the key
 * and not in the flat key.  Who enters a name leaves it again with the mark that
 * it was given.
 */
#ifndef ENGINE_IMPORT_ARG_WRITER_H
#define ENGINE_IMPORT_ARG_WRITER_H

#include "engine/base/buffer.h"
#include "engine/import/args.h"
#include "engine/proto/descriptor_pool.h"
#include "engine/proto/wire.h"

/* Messages, dictionaries and arrays inside one another. */
#define ARG_WRITER_MAX_DEPTH 64

struct arg_writer {
    struct import *import;
    struct arg_list *list; /* borrowed, where args go */
    struct buffer flat_key, key;
    struct buffer scratch;
    unsigned depth;
    size_t key_bytes_left;
    uint64_t unknown_fields; /* numbers that the pool does not know */
    /* Asked before a field is written; true when it was written there.  The
     * field's own name is not entered yet.  May be NULL. */
    bool (*take)(void *context, const struct proto_field *field, const struct wire_field *value);
    void *take_context;
};

struct arg_mark {
    size_t flat_key, key;
};

void arg_writer_init(struct arg_writer *w, struct import *import);
void arg_writer_dispose(struct arg_writer *w);

struct arg_mark arg_writer_enter(struct arg_writer *w, struct str name);
struct arg_mark arg_writer_enter_index(struct arg_writer *w, uint64_t index);
void arg_writer_leave(struct arg_writer *w, struct arg_mark mark);

/* The value of the key that is entered. */
void arg_writer_put(struct arg_writer *w, enum arg_type type, int64_t integer);
void arg_writer_put_real(struct arg_writer *w, double value);
void arg_writer_put_text(struct arg_writer *w, struct str text);
void arg_writer_put_string(struct arg_writer *w, string_id string);
/* A JSON value, expanded; false when it is none (what came before stays). */
bool arg_writer_put_json(struct arg_writer *w, struct str json);
void arg_writer_put_bytes(struct arg_writer *w, struct str bytes); /* base64 */
void arg_writer_base64(struct buffer *out, struct str bytes);      /* appended */

/* All fields of a message; an empty one is a null arg of the key entered. */
void arg_writer_message(struct arg_writer *w, const struct proto_message *message,
                        struct str bytes);
/* One field, entered under its name; index counts it when it is repeated. */
void arg_writer_field(struct arg_writer *w, const struct proto_field *field,
                      const struct wire_field *value, uint64_t *index);

#endif
