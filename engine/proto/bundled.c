/* The messages that traces use without describing them: the typed fields of
 * track events, the configuration, the states of Android's windows.  One entry is a message or an
 * enum in the notation of appendix A of the specification: `Message{field 1:type, many 2*:type}`,
 * `Enum(NAME=0)`. Names are below `perfetto.protos.` unless they begin with a dot; nested ones are
 * written out, and a type is looked for as protobuf does. */
#include "engine/proto/descriptor_build.h"

#include "engine/base/buffer.h"
#include "engine/proto/bundled.h"

static const struct {
    const char *word;
    uint8_t type;
} scalar_types[] = {
    {"i32", PROTO_INT32},      {"i64", PROTO_INT64},    {"u32", PROTO_UINT32},
    {"u64", PROTO_UINT64},     {"s32", PROTO_SINT32},   {"s64", PROTO_SINT64},
    {"fx32", PROTO_FIXED32},   {"fx64", PROTO_FIXED64}, {"sfx32", PROTO_SFIXED32},
    {"sfx64", PROTO_SFIXED64}, {"f32", PROTO_FLOAT},    {"f64", PROTO_DOUBLE},
    {"str", PROTO_STRING},     {"bytes", PROTO_BYTES},  {"bool", PROTO_BOOL},
};

static uint8_t scalar_type(struct str word)
{
    for (size_t i = 0; i < sizeof scalar_types / sizeof *scalar_types; i++)
        if (str_is(word, scalar_types[i].word)) return scalar_types[i].type;
    return PROTO_UNKNOWN;
}

/* "name 12*:type" */
static void read_member(struct descriptor_pool *pool, struct proto_message *message,
                        struct str scope, struct str text)
{
    struct str name, number, rest = str_trim(text);
    uint64_t value;
    if (!str_split_next(&rest, ' ', &name) || !str_split_next(&rest, ':', &number)) return;
    bool is_repeated = str_ends(number, STR("*"));
    if (is_repeated) number.n--;
    if (!str_to_uint64(number, &value)) return;
    struct pool_field_def def = {
        .name = name, .scope = scope, .number = (uint32_t)value, .is_repeated = is_repeated};
    def.type = scalar_type(rest);
    if (def.type == PROTO_UNKNOWN) def.type_name = rest;
    pool_put_field(pool, message, &def);
}

/* "NAME=3" */
static void read_value(struct descriptor_pool *pool, struct proto_enum *enumeration,
                       struct str text)
{
    struct str name, rest = str_trim(text);
    int64_t value;
    if (str_split_next(&rest, '=', &name) && str_to_int64(rest, &value))
        pool_put_enum_value(pool, enumeration, (int32_t)value, name);
}

static void read_entry(struct descriptor_pool *pool, struct str text)
{
    struct buffer full_name = BUFFER_INIT;
    size_t at;
    bool is_enum = !str_find_byte(text, '{', &at);
    if (is_enum && !str_find_byte(text, '(', &at)) return;
    bool is_absolute = text.p[0] == '.';
    if (!is_absolute) buffer_append_text(&full_name, "perfetto.protos.");
    buffer_append_str(&full_name, str_slice(text, is_absolute, at));
    struct str scope = buffer_str(&full_name);
    struct str piece, rest = str_slice(text, at + 1, text.n - 1);
    struct proto_enum *enumeration = is_enum ? pool_put_enum(pool, scope) : NULL;
    struct proto_message *message = is_enum ? NULL : pool_put_message(pool, scope);
    while (str_split_next(&rest, ',', &piece)) {
        if (enumeration) read_value(pool, enumeration, piece);
        if (message) read_member(pool, message, scope, piece);
    }
    buffer_free(&full_name);
}

void bundled_descriptors_read(struct descriptor_pool *pool)
{
    for (size_t i = 0; i < bundled_messages_count; i++)
        read_entry(pool, str_of(bundled_messages[i]));
    for (size_t i = 0; i < bundled_chrome_messages_count; i++)
        read_entry(pool, str_of(bundled_chrome_messages[i]));
    for (size_t i = 0; i < bundled_android_messages_count; i++)
        read_entry(pool, str_of(bundled_android_messages[i]));
    for (size_t i = 0; i < bundled_winscope_messages_count; i++)
        read_entry(pool, str_of(bundled_winscope_messages[i]));
    for (size_t i = 0; i < bundled_config_messages_count; i++)
        read_entry(pool, str_of(bundled_config_messages[i]));
}
