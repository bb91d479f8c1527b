/* How entries get into a descriptor pool: for descriptor_set.c and bundled.c,
 * which read two notations of the same things. */
#ifndef ENGINE_PROTO_DESCRIPTOR_BUILD_H
#define ENGINE_PROTO_DESCRIPTOR_BUILD_H

#include "engine/proto/descriptor_pool.h"

struct pool_field_def {
    struct str name;
    struct str scope;    /* the message or package that the name is written in */
    struct str extendee; /* of an extension, as written; else STR_NONE */
    uint32_t number;
    uint8_t type; /* PROTO_UNKNOWN: to be found by type_name */
    bool is_repeated;
    enum proto_default default_kind;
    struct str type_name, default_value;
};

/* The message of that full name, made when it is new.  NULL when an enum has the
 * name.  Names are copied. */
struct proto_message *pool_put_message(struct descriptor_pool *pool, struct str full_name);
struct proto_enum *pool_put_enum(struct descriptor_pool *pool, struct str full_name);
void pool_put_enum_value(struct descriptor_pool *pool, const struct proto_enum *enumeration,
                         int32_t number, struct str name);
/* message NULL: an extension. */
void pool_put_field(struct descriptor_pool *pool, struct proto_message *message,
                    const struct pool_field_def *def);
/* Ties fields to types and extensions to messages; what is not found waits. */
void pool_resolve(struct descriptor_pool *pool);

/* Walks a FileDescriptorSet; pool NULL only checks it. */
bool descriptor_set_read(struct descriptor_pool *pool, struct str bytes, struct status *st);
void bundled_descriptors_read(struct descriptor_pool *pool);

#endif
