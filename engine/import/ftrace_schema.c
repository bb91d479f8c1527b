/* The fields of known kernel events, made from ftrace_events.def when an event of
 * the kind is first seen. */
#include "engine/import/ftrace_schema.h"

#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/proto/wire.h"

#define MAX_EVENT 1024

struct event_text {
    uint16_t id;
    const char *name, *fields;
};

static const struct event_text event_texts[] = {
#define EVENT(id, name, fields) {id, name, fields},
#include "engine/import/ftrace_events.def"
#undef EVENT
};

static const struct event_text *find_text(uint32_t id)
{
    size_t low = 0, high = sizeof event_texts / sizeof event_texts[0];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (event_texts[middle].id == id) return &event_texts[middle];
        if (event_texts[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Fields whose number is the interned id of a kernel function. */
static bool is_symbol(uint32_t id, struct str key)
{
    switch (id) {
    case 18: return str_is(key, "caller");
    case 56:
    case 57:
    case 58:
    case 59: return str_is(key, "function");
    case 437:
    case 438: return str_is(key, "func");
    case 551:
    case 553:
    case 555:
    case 557: return str_is(key, "function");
    default: return false;
    }
}

static struct ftrace_schema *make_schema(struct strpool *strings, const struct event_text *text)
{
    struct str rest = str_of(text->fields), piece;
    uint32_t n = 0;
    for (struct str left = rest; left.n && str_split_next(&left, ' ', &piece);)
        n++;
    struct ftrace_schema *schema = mem_zero(1, sizeof *schema + (n + 1) * sizeof schema->fields[0]);
    schema->name = strpool_intern_text(strings, text->name);
    uint32_t number = 0;
    while (schema->n_fields < n && str_split_next(&rest, ' ', &piece)) {
        size_t colon = 0;
        uint64_t given;
        if (!str_find_byte(piece, ':', &colon)) continue;
        number++;
        if (colon > 1 && str_to_uint64(str_slice(piece, 1, colon), &given))
            number = (uint32_t)given;
        struct ftrace_field *field = &schema->fields[schema->n_fields++];
        struct str key = str_slice(piece, colon + 1, piece.n);
        *field = (struct ftrace_field){number, piece.p[0], is_symbol(text->id, key),
                                       strpool_intern(strings, key)};
        schema->has_symbols |= field->is_symbol;
    }
    return schema;
}

const struct ftrace_schema *ftrace_schema_of(struct ftrace_schemas *schemas,
                                             struct strpool *strings, uint32_t id)
{
    if (id >= MAX_EVENT) return NULL;
    if (!schemas->by_id) schemas->by_id = mem_zero(MAX_EVENT, sizeof schemas->by_id[0]);
    if (!schemas->by_id[id]) {
        const struct event_text *text = find_text(id);
        if (!text) return NULL;
        schemas->by_id[id] = make_schema(strings, text);
    }
    return schemas->by_id[id];
}

static const struct ftrace_field *find_field(const struct ftrace_schema *schema, uint32_t number)
{
    if (number <= schema->n_fields && number > 0 && schema->fields[number - 1].number == number)
        return &schema->fields[number - 1];
    for (uint32_t i = 0; i < schema->n_fields; i++)
        if (schema->fields[i].number == number) return &schema->fields[i];
    return NULL;
}

void ftrace_schema_put_args(const struct ftrace_schema *schema, struct str body,
                            struct strpool *strings, struct arg_list *args)
{
    struct wire w = wire_open(body);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        const struct ftrace_field *field = find_field(schema, f.number);
        if (!field || field->type == 'b') continue;
        struct arg arg = {.flat_key = field->key, .key = field->key};
        if (field->type == 's') {
            arg.type = ARG_STRING;
            arg.value.string = strpool_intern(strings, f.bytes);
        } else {
            if (f.type == WIRE_BYTES) continue;
            arg.type = field->type == 'u' ? ARG_UINT : ARG_INT;
            arg.value.integer = (int64_t)f.value;
        }
        arg_list_put(args, arg);
    }
}

bool ftrace_schema_is_symbol(const struct ftrace_schema *schema, string_id key)
{
    for (uint32_t i = 0; i < schema->n_fields; i++)
        if (schema->fields[i].key == key) return schema->fields[i].is_symbol;
    return false;
}

void ftrace_schemas_free(struct ftrace_schemas *schemas)
{
    if (!schemas->by_id) return;
    for (uint32_t i = 0; i < MAX_EVENT; i++)
        mem_free(schemas->by_id[i]);
    mem_free(schemas->by_id);
    schemas->by_id = NULL;
}
