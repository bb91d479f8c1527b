#include "tests/gen/descriptor.h"

#include "tests/gen/wire.h"

enum { LABEL_OPTIONAL = 1, LABEL_REPEATED = 3 };

enum file_field {
    FILE_NAME = 1,
    FILE_PACKAGE,
    FILE_DEPENDENCY,
    FILE_MESSAGE,
    FILE_ENUM,
    FILE_EXTENSION = 7,
    FILE_SYNTAX = 12
};
enum message_field { MESSAGE_NAME = 1, MESSAGE_FIELD = 2, MESSAGE_EXTENSION = 6 };

void gen_file_head(struct buffer *file, const char *name, const char *package,
                   const char *dependency)
{
    gen_text(file, FILE_NAME, name);
    gen_text(file, FILE_PACKAGE, package);
    gen_text(file, FILE_DEPENDENCY, dependency);
}

static void put_fields(struct buffer *out, uint32_t number, const struct gen_field *fields)
{
    for (const struct gen_field *f = fields; f->name; f++) {
        size_t field = gen_open(out, number);
        gen_text(out, 1, f->name);
        gen_text(out, 2, f->extendee);
        gen_int(out, 3, f->number);
        gen_uint(out, 4, f->is_repeated ? LABEL_REPEATED : LABEL_OPTIONAL);
        gen_uint(out, 5, f->type);
        gen_text(out, 6, f->type_name);
        gen_close(out, field);
    }
}

void gen_file_message(struct buffer *file, const char *name, const struct gen_field *fields)
{
    size_t message = gen_open(file, FILE_MESSAGE);
    gen_text(file, MESSAGE_NAME, name);
    put_fields(file, MESSAGE_FIELD, fields);
    gen_close(file, message);
}

void gen_file_enum(struct buffer *file, const char *name, const struct gen_enum_value *values)
{
    size_t enumeration = gen_open(file, FILE_ENUM);
    gen_text(file, 1, name);
    for (const struct gen_enum_value *v = values; v->name; v++) {
        size_t value = gen_open(file, 2);
        gen_text(file, 1, v->name);
        gen_int(file, 2, v->number);
        gen_close(file, value);
    }
    gen_close(file, enumeration);
}

void gen_file_extension_scope(struct buffer *file, const char *scope,
                              const struct gen_field *extensions)
{
    size_t message = gen_open(file, FILE_MESSAGE);
    gen_text(file, MESSAGE_NAME, scope);
    put_fields(file, MESSAGE_EXTENSION, extensions);
    gen_close(file, message);
}

void gen_file_extensions(struct buffer *file, const struct gen_field *extensions)
{
    put_fields(file, FILE_EXTENSION, extensions);
}

void gen_descriptor_set_add(struct buffer *set, const struct buffer *file)
{
    gen_nested(set, 1, file);
}
