/* What objects hold that is no reference: the text of strings, what arrays of
 * primitives are of, and fields of primitive types. */
#include "engine/import/hprof.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"

#define POLL_EVERY     65536
#define MAX_TEXT_BYTES ((size_t)1 << 20)

/* Bytes of memory that one row takes. */
enum { DATA_BYTES = 32, PRIMITIVE_BYTES = 73 };

struct valuing {
    struct hprof *h;
    uint32_t string_class; /* java.lang.String */
    string_id value, coder, registry_size;
    bool is_full;
};

static const char *type_name(uint8_t type)
{
    static const char *const names[] = {
        [HPROF_BOOLEAN] = "boolean", [HPROF_CHAR] = "char", [HPROF_FLOAT] = "float",
        [HPROF_DOUBLE] = "double",   [HPROF_BYTE] = "byte", [HPROF_SHORT] = "short",
        [HPROF_INT] = "int",         [HPROF_LONG] = "long"};
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

static bool spend(struct valuing *v, size_t bytes, size_t at)
{
    if (v->is_full || hprof_spend(v->h, bytes)) return !v->is_full;
    damage_log(&v->h->damage, STAT_perfetty_limit_reached, at,
               "values of fields from here on take more memory than is allowed");
    v->is_full = true;
    return false;
}

static uint32_t add_data(struct valuing *v, uint32_t object,
                         const struct heap_graph_object_data_row *row)
{
    struct tables *tables = v->h->import->tables;
    uint32_t data = heap_graph_object_data_append(&tables->heap_graph_object_data, row);
    table_set_int64(&tables->heap_graph_object.table, heap_graph_object_COLUMN_object_data_id,
                    object, data);
    return data;
}

/* ---- strings ---- */

static void append_code_point(struct buffer *text, uint32_t c)
{
    char bytes[4];
    if (c < 0x80) {
        buffer_append_byte(text, (char)c);
        return;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3F));
    bytes[0] = (char)((n == 2 ? 0xC0 : n == 3 ? 0xE0 : 0xF0) | c);
    buffer_append(text, bytes, n);
}

static void append_utf16(struct buffer *text, struct str bytes, bool is_big_endian)
{
    for (size_t i = 0; i + 1 < bytes.n; i += 2) {
        uint32_t high = (uint8_t)bytes.p[i + !is_big_endian],
                 low = (uint8_t)bytes.p[i + is_big_endian];
        uint32_t unit = high << 8 | low;
        if (unit >= 0xD800 && unit < 0xDC00 && i + 3 < bytes.n) {
            uint32_t next = (uint32_t)(uint8_t)bytes.p[i + 2 + !is_big_endian] << 8 |
                            (uint8_t)bytes.p[i + 2 + is_big_endian];
            if (next >= 0xDC00 && next < 0xE000) {
                unit = 0x10000 + ((unit & 0x3FF) << 10) + (next & 0x3FF);
                i += 2;
            }
        }
        append_code_point(text, unit >= 0xD800 && unit < 0xE000 ? 0xFFFD : unit);
    }
}

/* `coder` 1: two bytes a character, as the machine had them. */
static string_id text_of(struct valuing *v, uint64_t array, int64_t coder)
{
    struct hprof *h = v->h;
    struct hprof_entry e;
    uint32_t row = hprof_object_row(h, array);
    if (row == NULL_UINT32 || !hprof_entry_of(h, row, &e) || e.kind != HPROF_PRIMITIVE_ARRAY)
        return STRING_NULL;
    struct str bytes = str_slice(e.data, 0, MAX_TEXT_BYTES);
    if (!spend(v, bytes.n + 16, e.at)) return STRING_NULL;
    buffer_clear(&h->text);
    if (e.type == HPROF_CHAR)
        append_utf16(&h->text, bytes, true);
    else if (e.type == HPROF_BYTE && coder == 1)
        append_utf16(&h->text, bytes, false);
    else if (e.type == HPROF_BYTE)
        for (size_t i = 0; i < bytes.n; i++)
            append_code_point(&h->text, (uint8_t)bytes.p[i]);
    else
        return STRING_NULL;
    return strpool_intern(h->import->strings, (struct str){buffer_text(&h->text), h->text.length});
}

/* ---- fields ---- */

static void fill(struct heap_graph_primitive_row *row, uint8_t type, uint64_t raw)
{
    uint32_t word = (uint32_t)raw;
    float real;
    double long_real;
    switch (type) {
    case HPROF_BOOLEAN: row->bool_value = some_uint32(raw != 0); break;
    case HPROF_BYTE: row->byte_value = some_int64((int8_t)raw); break;
    case HPROF_CHAR: row->char_value = some_int64((int64_t)raw); break;
    case HPROF_SHORT: row->short_value = some_int64((int16_t)raw); break;
    case HPROF_INT: row->int_value = some_int64((int32_t)raw); break;
    case HPROF_LONG: row->long_value = some_int64((int64_t)raw); break;
    case HPROF_FLOAT:
        memcpy(&real, &word, sizeof real);
        row->float_value = some_double((double)real);
        break;
    case HPROF_DOUBLE:
        memcpy(&long_real, &raw, sizeof long_real);
        row->double_value = some_double(long_real);
        break;
    default: break;
    }
}

/* What a string's fields say of its text. */
struct string_fields {
    uint64_t array;
    int64_t coder;
};

static void read_field(struct valuing *v, const struct hprof_field *field, uint32_t object,
                       uint64_t raw, struct string_fields *text)
{
    if (field->name == v->value) text->array = raw;
    if (field->name == v->coder) text->coder = (int64_t)raw;
    if (field->name == v->registry_size) map_set(&v->h->registry_sizes, object, raw);
}

/* All fields of an instance; rows of the primitive ones. */
static void enter_instance(struct valuing *v, uint32_t object, const struct hprof_entry *e)
{
    struct hprof *h = v->h;
    struct heap_graph_primitive_table *table = &h->import->tables->heap_graph_primitive;
    struct strpool *strings = h->import->strings;
    struct string_fields text = {0, 0};
    uint32_t class = hprof_class_of(h, e->class), set = table_rows(&table->table);
    bool is_string = class != NULL_UINT32 && class == v->string_class;
    size_t at = 0;
    for (unsigned n = 0; class != NULL_UINT32 && n < HPROF_MAX_SUPERS; n++) {
        const struct hprof_class *c = &h->classes.items[class];
        for (uint32_t i = 0; i < c->n_fields; i++) {
            const struct hprof_field *field = &h->fields.items[c->first_field + i];
            unsigned bytes = hprof_type_bytes(h->id_bytes, field->type);
            if (bytes == 0 || e->data.n - at < bytes) {
                if (bytes == 0)
                    damage_log(&h->damage, STAT_hprof_field_value_errors, e->at,
                               "a field of an unknown type");
                class = NULL_UINT32; /* the rest cannot be told */
                break;
            }
            uint64_t raw = hprof_number(e->data, at, bytes);
            read_field(v, field, object, raw, &text);
            if (field->type != HPROF_OBJECT && spend(v, PRIMITIVE_BYTES, e->at)) {
                struct heap_graph_primitive_row row = {
                    .field_set_id = set,
                    .field_name = field->name,
                    .field_type = strpool_intern_text(strings, type_name(field->type))};
                fill(&row, field->type, raw);
                heap_graph_primitive_append(table, &row);
            }
            at += bytes;
        }
        if (class != NULL_UINT32) class = c->super;
    }
    struct heap_graph_object_data_row data = {0};
    if (table_rows(&table->table) > set) data.field_set_id = some_uint32(set);
    if (is_string && text.array) data.value_string = text_of(v, text.array, text.coder);
    if ((data.field_set_id.has || data.value_string) && spend(v, DATA_BYTES, e->at))
        add_data(v, object, &data);
}

static void enter_array(struct valuing *v, uint32_t object, const struct hprof_entry *e)
{
    if (!spend(v, DATA_BYTES, e->at)) return;
    struct heap_graph_object_data_row data = {
        .array_element_type = strpool_intern_text(v->h->import->strings,
                                                  type_name(e->type) ? type_name(e->type) : ""),
        .array_element_count = some_uint32(e->n),
        .array_data_hash = some_int64((int64_t)hash_bytes(e->data.p ? e->data.p : "", e->data.n))};
    add_data(v, object, &data);
}

bool hprof_enter_values(struct hprof *h)
{
    struct strpool *strings = h->import->strings;
    struct valuing v = {.h = h,
                        .string_class = NULL_UINT32,
                        .value = strpool_intern_text(strings, "java.lang.String.value"),
                        .coder = strpool_intern_text(strings, "java.lang.String.coder"),
                        .registry_size = strpool_intern_text(
                            strings, "libcore.util.NativeAllocationRegistry.size")};
    string_id name = strpool_find(strings, STR("java.lang.String"));
    const uint64_t *index = name ? map_get(&h->class_by_name, name) : NULL;
    struct hprof_entry e;
    if (index) v.string_class = (uint32_t)*index;
    for (size_t i = 0; i < h->offsets.count; i++) {
        uint32_t object = h->first_row + (uint32_t)i;
        if ((i + 1) % POLL_EVERY == 0 && cancel_is_requested(h->import->cancel)) return false;
        if (!hprof_entry_of(h, object, &e)) continue;
        if (e.kind == HPROF_INSTANCE) enter_instance(&v, object, &e);
        if (e.kind == HPROF_PRIMITIVE_ARRAY) enter_array(&v, object, &e);
    }
    return true;
}
