/* Debug annotations: values of any shape under a name (spec engine_2 2.2). */
#include "engine/import/track_event.h"

/* Values by precedence: the first that is there counts. */
enum { NO_VALUE = 32 };
static const uint8_t precedence[] = {11, 12, 2, 3, 4, 5, 6, 17, 7, 9, 14, 8};

struct annotation {
    uint32_t seen; /* bit n: field n */
    uint64_t name_iid, integer[18];
    struct str text[18];
};

static void read_annotation(struct str bytes, struct annotation *a)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    a->seen = 0;
    a->integer[0] = 0;
    while (wire_next(&w, &f)) {
        if (f.number >= 18) continue;
        a->seen |= UINT32_C(1) << f.number;
        a->integer[f.number] = f.value;
        a->text[f.number] = f.bytes;
    }
}

static bool has(const struct annotation *a, unsigned field)
{
    return a->seen >> field & 1;
}

static unsigned value_field(const struct annotation *a)
{
    for (size_t i = 0; i < sizeof precedence; i++)
        if (has(a, precedence[i])) return precedence[i];
    return NO_VALUE;
}

static struct str name_of(struct track_event *e, const struct annotation *a)
{
    if (has(a, 10)) return a->text[10];
    if (!has(a, 1)) return STR_NONE;
    return strpool_get(e->te->import->strings,
                       track_event_interned(e, INTERNED_ANNOTATION_NAME, a->integer[1]));
}

/* Dots and brackets in a name would read as nesting. */
static struct arg_mark enter_name(struct arg_writer *w, struct str name)
{
    struct arg_mark mark = {w->flat_key.length, w->key.length};
    size_t at = w->flat_key.length ? w->flat_key.length + 1 : 0;
    arg_writer_enter(w, name);
    for (struct buffer *b = &w->flat_key;; b = &w->key, at = mark.key ? mark.key + 1 : 0) {
        for (size_t i = at; i < b->length; i++)
            if (b->data[i] == '.' || b->data[i] == '[' || b->data[i] == ']') b->data[i] = '_';
        if (b == &w->key) return mark;
    }
}

static void put_value(struct track_event *e, const struct annotation *a);

static void put_dictionary(struct track_event *e, struct str bytes_of_parent)
{
    struct wire w = wire_open(bytes_of_parent);
    struct wire_field f;
    while (wire_next(&w, &f))
        if (f.number == 11 && wire_is_bytes(&f)) track_event_annotation(e, f.bytes);
}

static void put_array(struct track_event *e, struct str bytes_of_parent)
{
    struct arg_writer *out = &e->te->writer;
    struct wire w = wire_open(bytes_of_parent);
    struct wire_field f;
    uint64_t index = 0;
    while (wire_next(&w, &f)) {
        struct annotation element;
        if (f.number != 12 || !wire_is_bytes(&f)) continue;
        size_t before = out->list->count;
        struct arg_mark mark = arg_writer_enter_index(out, index);
        read_annotation(f.bytes, &element);
        element.text[0] = f.bytes;
        put_value(e, &element);
        arg_writer_leave(out, mark);
        if (out->list->count > before) index++;
    }
}

/* The older form of nested values. */

static void put_nested(struct arg_writer *w, struct str bytes);

static void put_nested_dictionary(struct arg_writer *w, struct str bytes)
{
    struct wire keys = wire_open(bytes), values = wire_open(bytes);
    struct wire_field key, value;
    while (wire_next(&keys, &key)) {
        if (key.number != 2 || !wire_is_bytes(&key)) continue;
        bool found = false;
        while (!found && wire_next(&values, &value))
            found = value.number == 3 && wire_is_bytes(&value);
        if (!found) return;
        struct arg_mark mark = enter_name(w, key.bytes);
        put_nested(w, value.bytes);
        arg_writer_leave(w, mark);
    }
}

static void put_nested_array(struct arg_writer *w, struct str bytes)
{
    struct wire values = wire_open(bytes);
    struct wire_field value;
    uint64_t index = 0;
    while (wire_next(&values, &value)) {
        if (value.number != 4 || !wire_is_bytes(&value)) continue;
        struct arg_mark mark = arg_writer_enter_index(w, index++);
        put_nested(w, value.bytes);
        arg_writer_leave(w, mark);
    }
}

static void put_nested_scalar(struct arg_writer *w, struct str bytes)
{
    struct wire_field f;
    if (wire_find(bytes, 7, &f))
        arg_writer_put(w, ARG_BOOL, f.value != 0);
    else if (wire_find(bytes, 5, &f))
        arg_writer_put(w, ARG_INT, (int64_t)f.value);
    else if (wire_find(bytes, 6, &f))
        arg_writer_put_real(w, wire_double(&f));
    else if (wire_find(bytes, 8, &f))
        arg_writer_put_text(w, f.bytes);
}

static void put_nested(struct arg_writer *w, struct str bytes)
{
    struct wire_field type;
    if (w->depth >= ARG_WRITER_MAX_DEPTH) return;
    w->depth++;
    if (!wire_find(bytes, 1, &type)) type.value = 0;
    if (type.value == 1)
        put_nested_dictionary(w, bytes);
    else if (type.value == 2)
        put_nested_array(w, bytes);
    else
        put_nested_scalar(w, bytes);
    w->depth--;
}

static void put_message(struct track_event *e, const struct annotation *a)
{
    struct str type = a->text[16];
    if (has(a, 13))
        type = strpool_get(e->te->import->strings,
                           track_event_interned(e, INTERNED_PROTO_TYPE_NAME, a->integer[13]));
    const struct proto_message *message = descriptor_pool_message(e->te->import->descriptors, type);
    if (message)
        arg_writer_message(&e->te->writer, message, a->text[14]);
    else
        track_event_error(e);
}

static double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* text[0] is the whole annotation. */
static void put_value(struct track_event *e, const struct annotation *a)
{
    struct arg_writer *w = &e->te->writer;
    unsigned field = value_field(a);
    int64_t integer = field == NO_VALUE ? 0 : (int64_t)a->integer[field];
    if (w->depth >= ARG_WRITER_MAX_DEPTH) return;
    w->depth++;
    switch (field) {
    case 11: put_dictionary(e, a->text[0]); break;
    case 12: put_array(e, a->text[0]); break;
    case 2: arg_writer_put(w, ARG_BOOL, integer != 0); break;
    case 3: arg_writer_put(w, ARG_UINT, integer); break;
    case 4: arg_writer_put(w, ARG_INT, integer); break;
    case 5: arg_writer_put_real(w, as_double(a->integer[5])); break;
    case 6: arg_writer_put_text(w, a->text[6]); break;
    case 17:
        arg_writer_put_string(w,
                              track_event_interned(e, INTERNED_ANNOTATION_STRING, a->integer[17]));
        break;
    case 7: arg_writer_put(w, ARG_POINTER, integer); break;
    case 9:
        if (!arg_writer_put_json(w, a->text[9])) track_event_error(e);
        break;
    case 14: put_message(e, a); break;
    case 8: put_nested(w, a->text[8]); break;
    default: break;
    }
    w->depth--;
}

/* "debug.<name>" for the string of a name. */
static string_id debug_key(struct track_event *e, string_id name)
{
    struct track_events *te = e->te;
    if (name >= te->debug_keys.count) {
        vec_reserve(&te->debug_keys, (size_t)strpool_end(te->import->strings));
        while (te->debug_keys.count < strpool_end(te->import->strings))
            te->debug_keys.items[te->debug_keys.count++] = STRING_NULL;
    }
    string_id *key = &te->debug_keys.items[name];
    if (*key == STRING_NULL) {
        struct arg_writer *w = &te->writer;
        struct arg_mark mark = arg_writer_enter(w, STR("debug"));
        enter_name(w, strpool_get(te->import->strings, name));
        *key = strpool_intern(te->import->strings, buffer_str(&w->key));
        arg_writer_leave(w, mark);
    }
    return *key;
}

/* The usual case without building a key: an interned name, a plain value. */
static bool put_plain(struct track_event *e, const struct annotation *a)
{
    struct arg_list *args = &e->te->args;
    if (has(a, 10) || !has(a, 1) || e->te->writer.key.length) return false;
    unsigned field = value_field(a);
    struct arg arg = {.value.integer = (int64_t)a->integer[field == NO_VALUE ? 0 : field]};
    switch (field) {
    case 2: arg.type = ARG_BOOL, arg.value.integer = a->integer[2] != 0; break;
    case 3: arg.type = ARG_UINT; break;
    case 4: arg.type = ARG_INT; break;
    case 5: arg.type = ARG_REAL, arg.value.real = as_double(a->integer[5]); break;
    case 7: arg.type = ARG_POINTER; break;
    case 6:
        arg.type = ARG_STRING;
        arg.value.string =
            strpool_intern(e->te->import->strings, a->text[6].p ? a->text[6] : STR(""));
        break;
    case 17:
        arg.type = ARG_STRING;
        arg.value.string = track_event_interned(e, INTERNED_ANNOTATION_STRING, a->integer[17]);
        break;
    default: return false;
    }
    string_id name = track_event_interned(e, INTERNED_ANNOTATION_NAME, a->integer[1]);
    if (name == STRING_NULL) {
        track_event_error(e);
        return true;
    }
    arg.flat_key = arg.key = debug_key(e, name);
    arg_list_put(args, arg);
    return true;
}

void track_event_debug_annotation(struct track_event *e, struct str bytes)
{
    struct annotation a;
    read_annotation(bytes, &a);
    if (put_plain(e, &a)) return;
    struct arg_mark mark = arg_writer_enter(&e->te->writer, STR("debug"));
    track_event_annotation(e, bytes);
    arg_writer_leave(&e->te->writer, mark);
}

void track_event_annotation(struct track_event *e, struct str bytes)
{
    struct arg_writer *w = &e->te->writer;
    struct annotation a;
    read_annotation(bytes, &a);
    a.text[0] = bytes;
    struct str name = name_of(e, &a);
    if (!name.p) {
        track_event_error(e);
        return;
    }
    struct arg_mark mark = enter_name(w, name);
    put_value(e, &a);
    arg_writer_leave(w, mark);
}
