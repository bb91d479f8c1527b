/* Messages and enums by name, for decoding what was not known at build time
 * (sidecar.md; spec engine_1 1.7 step 12; engine_2 2.2 typed fields).
 *
 * A pool starts with the messages that traces use without describing them
 * (bundled.c) and grows by FileDescriptorSets from sidecars and packets.  What
 * is added merges: a message that is there keeps its fields and gets the new
 * ones; the first definition of a field, value or name wins.  Files may come in
 * any order: a field whose type, or an extension whose message, is not there yet
 * waits for it.
 *
 * Pointers returned are borrowed from the pool and good until it is freed.
 */
#ifndef ENGINE_PROTO_DESCRIPTOR_POOL_H
#define ENGINE_PROTO_DESCRIPTOR_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/status.h"
#include "engine/base/str.h"

/* As numbered by FieldDescriptorProto.Type. */
enum proto_type {
    PROTO_UNKNOWN = 0, /* a message or an enum that is not there yet */
    PROTO_DOUBLE = 1,
    PROTO_FLOAT = 2,
    PROTO_INT64 = 3,
    PROTO_UINT64 = 4,
    PROTO_INT32 = 5,
    PROTO_FIXED64 = 6,
    PROTO_FIXED32 = 7,
    PROTO_BOOL = 8,
    PROTO_STRING = 9,
    PROTO_GROUP = 10,
    PROTO_MESSAGE = 11,
    PROTO_BYTES = 12,
    PROTO_UINT32 = 13,
    PROTO_ENUM = 14,
    PROTO_SFIXED32 = 15,
    PROTO_SFIXED64 = 16,
    PROTO_SINT32 = 17,
    PROTO_SINT64 = 18,
};

enum proto_default { PROTO_DEFAULT_NONE, PROTO_DEFAULT_PROTO2, PROTO_DEFAULT_ZERO };

struct proto_message;
struct proto_enum;

struct proto_field {
    struct str name; /* of an extension: without its package; see full_name */
    struct str full_name;
    uint32_t number;
    uint8_t type; /* enum proto_type */
    bool is_repeated, is_extension;
    uint8_t default_kind;                 /* enum proto_default: what an absent field means */
    struct str default_value;             /* text, of PROTO_DEFAULT_PROTO2 */
    const struct proto_message *message;  /* of PROTO_MESSAGE; NULL while unknown */
    const struct proto_enum *enumeration; /* of PROTO_ENUM; NULL while unknown */
    struct str type_name;                 /* as written */
    const struct proto_field *next;       /* of the same message, in order of arrival */
};

struct proto_message {
    struct str full_name; /* "perfetto.protos.TrackEvent": no leading dot */
    bool is_bundled;
    uint32_t id; /* dense, by pool */
    const struct proto_field *fields, *last_field;
    uint32_t field_count;
};

struct proto_enum {
    struct str full_name;
    uint32_t id;
};

struct descriptor_pool;

struct descriptor_pool *descriptor_pool_new(void);
void descriptor_pool_free(struct descriptor_pool *pool);

/* Adds a serialized FileDescriptorSet.  False, with the pool as it was, when the
 * bytes are no such message; the text says what is wrong, and where. */
bool descriptor_pool_add(struct descriptor_pool *pool, struct str bytes, struct status *st);
/* The same check alone. */
bool descriptor_pool_check(struct str bytes, struct status *st);

/* Full names, with or without a leading dot.  NULL when there is none. */
const struct proto_message *descriptor_pool_message(const struct descriptor_pool *pool,
                                                    struct str full_name);
const struct proto_enum *descriptor_pool_enum(const struct descriptor_pool *pool,
                                              struct str full_name);
const struct proto_field *descriptor_pool_field(const struct descriptor_pool *pool,
                                                const struct proto_message *message,
                                                uint32_t number);
const struct proto_field *proto_message_field_named(const struct proto_message *message,
                                                    struct str name);
/* STR_NONE when the number has no name. */
struct str descriptor_pool_enum_name(const struct descriptor_pool *pool,
                                     const struct proto_enum *enumeration, int32_t number);

/* Messages in order of arrival, bundled ones first. */
size_t descriptor_pool_message_count(const struct descriptor_pool *pool);
const struct proto_message *descriptor_pool_message_at(const struct descriptor_pool *pool,
                                                       size_t i);

#endif
