/* __intrinsic_arg_set_to_json: a flat set of keys ("a.b[0].c") as a nested object. */
#include <math.h>
#include <stdio.h>

#include "engine/base/arena.h"
#include "engine/base/buffer.h"
#include "engine/sql/functions.h"

#define MAX_DEPTH 64u
/* An index that leaves more holes than this is taken as a name. */
#define MAX_INDEX 100000u

struct node {
    struct str name; /* of a member; none in an array */
    size_t index;    /* of an element */
    bool is_array;
    bool has_value;
    uint32_t row; /* of the value */
    struct node *first, *last, *next;
};

struct key_part {
    struct str name;
    bool is_index;
    size_t index;
};

/* Takes the next ".name" or "[3]" off the key. */
static bool next_part(struct str *key, struct key_part *part)
{
    if (key->n && key->p[0] == '.') *key = str_slice(*key, 1, key->n);
    if (!key->n) return false;
    size_t close;
    if (key->p[0] == '[' && str_find_byte(*key, ']', &close)) {
        uint64_t index;
        if (str_to_uint64(str_slice(*key, 1, close), &index) && index < MAX_INDEX) {
            *part = (struct key_part){.is_index = true, .index = (size_t)index};
            *key = str_slice(*key, close + 1, key->n);
            return true;
        }
    }
    size_t n = 1;
    while (n < key->n && key->p[n] != '.' && key->p[n] != '[')
        n++;
    *part = (struct key_part){.name = str_slice(*key, 0, n)};
    *key = str_slice(*key, n, key->n);
    return true;
}

static struct node *child(struct arena *arena, struct node *parent, const struct key_part *part)
{
    for (struct node *n = parent->first; n; n = n->next)
        if (part->is_index ? parent->is_array && n->index == part->index
                           : str_equal(n->name, part->name))
            return n;
    struct node *n = arena_zero(arena, sizeof *n);
    n->name = part->name;
    n->index = part->index;
    if (!parent->first) parent->is_array = part->is_index;
    if (parent->last)
        parent->last->next = n;
    else
        parent->first = n;
    parent->last = n;
    return n;
}

static void append_text(struct buffer *out, struct str s)
{
    buffer_append_byte(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\')
            buffer_printf(out, "\\%c", c);
        else if (c == '\n')
            buffer_append_text(out, "\\n");
        else if (c < 0x20)
            buffer_printf(out, "\\u%04x", c);
        else
            buffer_append_byte(out, (char)c);
    }
    buffer_append_byte(out, '"');
}

static void append_real(struct buffer *out, double value)
{
    if (isnan(value))
        buffer_append_text(out, "\"NaN\"");
    else if (isinf(value))
        buffer_append_text(out, value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
    else {
        char *text = sqlite3_mprintf("%!.15g", value);
        buffer_append_text(out, text ? text : "0");
        sqlite3_free(text);
    }
}

static void append_value(struct buffer *out, const struct args_table *t, uint32_t row)
{
    struct str type = strpool_get(t->table.strings, column_get_string(&t->value_type, row));
    struct str text = strpool_get(t->table.strings, column_get_string(&t->string_value, row));
    int64_t integer = column_get_int64(&t->int_value, row);
    if (str_is(type, "json") && text.n)
        buffer_append_str(out, text);
    else if (str_is(type, "string") || str_is(type, "json"))
        append_text(out, text);
    else if (str_is(type, "bool"))
        buffer_append_text(out, integer ? "true" : "false");
    else if (str_is(type, "uint") || str_is(type, "pointer"))
        buffer_printf(out, "%llu", (unsigned long long)integer);
    else if (str_is(type, "int"))
        buffer_printf(out, "%lld", (long long)integer);
    else if (str_is(type, "real"))
        append_real(out, column_get_double(&t->real_value, row));
    else
        buffer_append_text(out, "null");
}

/* Depth is at most MAX_DEPTH: that is where keys are cut. */
static void append_node(struct buffer *out, const struct args_table *t, const struct node *node)
{
    if (!node->first) {
        if (node->has_value)
            append_value(out, t, node->row);
        else
            buffer_append_text(out, "{}");
        return;
    }
    buffer_append_byte(out, node->is_array ? '[' : '{');
    for (const struct node *n = node->first; n; n = n->next) {
        if (n != node->first) buffer_append_byte(out, ',');
        if (!node->is_array) {
            append_text(out, n->name);
            buffer_append_byte(out, ':');
        }
        append_node(out, t, n);
    }
    buffer_append_byte(out, node->is_array ? ']' : '}');
}

static void arg_set_to_json(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    const struct args_table *t = &function_database(context)->tables->args;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    int64_t set = sqlite3_value_int64(argv[0]);
    struct arena arena = ARENA_INIT;
    struct node root = {.row = 0};
    for (int64_t row = set < 0 ? INT64_MAX : set; row < table_rows(&t->table); row++) {
        if (column_get_int64(&t->arg_set_id, (uint32_t)row) != set) break;
        struct str key = strpool_get(t->table.strings, column_get_string(&t->key, (uint32_t)row));
        struct node *node = &root;
        struct key_part part;
        for (unsigned depth = 0; depth < MAX_DEPTH && next_part(&key, &part); depth++)
            node = child(&arena, node, &part);
        node->has_value = true;
        node->row = (uint32_t)row;
    }
    struct buffer out = BUFFER_INIT;
    append_node(&out, t, &root);
    function_result_text(context, buffer_str(&out));
    buffer_free(&out);
    arena_free(&arena);
}

const struct function_entry json_functions[] = {
    {.name = "__intrinsic_arg_set_to_json",
     .argc = 1,
     .flags = FUNCTION_PURE,
     .scalar = arg_set_to_json},
    {.name = NULL},
};
