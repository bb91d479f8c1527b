/* FileDescriptorSets, as much as an extension of TrackEvent needs: messages,
 * enums, fields, extensions.  Type names are absolute (".pkg.Message"). */
#ifndef TESTS_GEN_DESCRIPTOR_H
#define TESTS_GEN_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/buffer.h"

enum gen_field_type {
    GEN_TYPE_DOUBLE = 1,
    GEN_TYPE_FLOAT = 2,
    GEN_TYPE_INT64 = 3,
    GEN_TYPE_UINT64 = 4,
    GEN_TYPE_INT32 = 5,
    GEN_TYPE_FIXED64 = 6,
    GEN_TYPE_FIXED32 = 7,
    GEN_TYPE_BOOL = 8,
    GEN_TYPE_STRING = 9,
    GEN_TYPE_MESSAGE = 11,
    GEN_TYPE_BYTES = 12,
    GEN_TYPE_UINT32 = 13,
    GEN_TYPE_ENUM = 14,
    GEN_TYPE_SFIXED32 = 15,
    GEN_TYPE_SFIXED64 = 16,
    GEN_TYPE_SINT32 = 17,
    GEN_TYPE_SINT64 = 18,
};

struct gen_field {
    const char *name; /* NULL ends a list */
    int32_t number;
    enum gen_field_type type;
    bool is_repeated;
    const char *type_name; /* of a message or enum */
    const char *extendee;  /* of an extension */
};

struct gen_enum_value {
    const char *name; /* NULL ends a list */
    int32_t number;
};

/* Append to the body of a FileDescriptorProto. */
void gen_file_head(struct buffer *file, const char *name, const char *package,
                   const char *dependency);
void gen_file_message(struct buffer *file, const char *name, const struct gen_field *fields);
void gen_file_enum(struct buffer *file, const char *name, const struct gen_enum_value *values);
/* Extensions inside a message that is only a scope, as tools write them. */
void gen_file_extension_scope(struct buffer *file, const char *scope,
                              const struct gen_field *extensions);
void gen_file_extensions(struct buffer *file, const struct gen_field *extensions);
/* Appends the file to a FileDescriptorSet. */
void gen_descriptor_set_add(struct buffer *set, const struct buffer *file);

#endif
