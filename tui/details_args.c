/* The arguments of an event as a tree: "debug.tags[1]" is below "tags" below
 * "debug".  A node with a single child and no value is one line with it. */
#include <stdio.h>
#include <string.h>

#include "tui/details_lines.h"

#define MAX_ARGS   4000u /* of one event: siblings are looked for one by one */
#define MAX_LEVELS 24    /* what is nested deeper keeps the rest of its key */

struct arg_node {
    struct str label; /* one part of the key */
    struct str key;   /* from the top to here */
    uint32_t row;     /* of args; NULL_UINT32: a node without a value */
    uint32_t n_children;
    struct arg_node *first, *last, *next;
};

static void arg_text(const struct tables *t, uint32_t row, struct buffer *out)
{
    const struct args_table *args = &t->args;
    struct str type = strpool_get(t->strings, column_get_string(&args->value_type, row));
    if (str_is(type, "string") || str_is(type, "json"))
        buffer_append_str(out,
                          strpool_get(t->strings, column_get_string(&args->string_value, row)));
    else if (str_is(type, "real"))
        buffer_printf(out, "%g", column_get_double(&args->real_value, row));
    else if (str_is(type, "pointer"))
        buffer_printf(out, "0x%llx", (unsigned long long)column_get_int64(&args->int_value, row));
    else if (str_is(type, "bool"))
        buffer_append_text(out, column_get_int64(&args->int_value, row) ? "true" : "false");
    else if (str_is(type, "uint"))
        buffer_printf(out, "%llu", (unsigned long long)column_get_int64(&args->int_value, row));
    else if (str_is(type, "int"))
        buffer_printf(out, "%lld", (long long)column_get_int64(&args->int_value, row));
    else
        buffer_append_text(out, "NULL");
}

bool details_arg(const struct tables *t, uint32_t set, const char *key, struct buffer *out)
{
    for (uint32_t row = set; row < table_rows(&t->args.table); row++) {
        if (column_get_row(&t->args.arg_set_id, row) != set) break;
        if (!str_is(strpool_get(t->strings, column_get_string(&t->args.key, row)), key)) continue;
        arg_text(t, row, out);
        return true;
    }
    return false;
}

/* ---- the tree ---- */

static struct arg_node *child_of(struct details *d, struct arg_node *parent, struct str label,
                                 struct str key)
{
    /* Arguments of one parent follow one another as a rule. */
    if (parent->last && str_equal(parent->last->label, label)) return parent->last;
    for (struct arg_node *at = parent->first; at; at = at->next)
        if (str_equal(at->label, label)) return at;
    struct arg_node *node = arena_zero(&d->arena, sizeof *node);
    node->label = label;
    node->key = key;
    node->row = NULL_UINT32;
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    parent->n_children++;
    return node;
}

/* The end of the key's part that begins at `from`: before a dot or a bracket. */
static size_t part_end(struct str key, size_t from)
{
    for (size_t i = from + 1; i < key.n; i++)
        if (key.p[i] == '.' || key.p[i] == '[') return i;
    return key.n;
}

static void insert(struct details *d, struct arg_node *root, struct str key, uint32_t row)
{
    struct arg_node *at = root;
    size_t from = 0;
    for (int level = 0; from < key.n || level == 0; level++) {
        size_t end = level < MAX_LEVELS ? part_end(key, from) : key.n;
        at = child_of(d, at, str_slice(key, from, end), str_slice(key, 0, end));
        from = end < key.n && key.p[end] == '.' ? end + 1 : end;
        if (key.n == 0) break;
    }
    /* A key that comes twice is two lines. */
    if (at->row == NULL_UINT32) {
        at->row = row;
        return;
    }
    struct arg_node *again = arena_zero(&d->arena, sizeof *again);
    *again = (struct arg_node){.label = at->label, .key = at->key, .row = row, .next = at->next};
    at->next = again;
}

/* ---- its lines ---- */

static void append_sql_text(struct buffer *out, struct str s)
{
    buffer_append_byte(out, '\'');
    for (size_t i = 0; i < s.n && s.p[i]; i++) {
        if (s.p[i] == '\'') buffer_append_byte(out, '\'');
        buffer_append_byte(out, s.p[i]);
    }
    buffer_append_byte(out, '\'');
}

/* Rows of `table` that have the same value under the same key. */
static void add_query(struct details *d, const struct tables *t, struct detail_line *line,
                      uint32_t row, const char *table)
{
    const struct args_table *args = &t->args;
    struct str type = strpool_get(t->strings, column_get_string(&args->value_type, row));
    struct str key = strpool_get(t->strings, column_get_string(&args->key, row));
    struct buffer sql = BUFFER_INIT;
    bool is_ftrace = strcmp(table, "ftrace_event") == 0;
    buffer_printf(&sql, "SELECT %s FROM args JOIN %s AS e USING (arg_set_id) WHERE key = ",
                  is_ftrace ? "e.id, e.ts, e.name AS event, e.cpu, e.utid" : "e.*", table);
    append_sql_text(&sql, key);
    if (str_is(type, "string") || str_is(type, "json")) {
        buffer_append_text(&sql, " AND string_value = ");
        append_sql_text(&sql, strpool_get(t->strings, column_get_string(&args->string_value, row)));
    } else if (str_is(type, "real")) {
        buffer_printf(&sql, " AND real_value = %.17g", column_get_double(&args->real_value, row));
    } else if (!column_is_null(&args->int_value, row)) {
        buffer_printf(&sql, " AND int_value = %lld",
                      (long long)column_get_int64(&args->int_value, row));
    }
    buffer_append_text(&sql, " ORDER BY e.ts");
    line->command = "dev.perfetto.RunQueryAndShowTab";
    line->args[0] = arena_copy(&d->arena, buffer_text(&sql), sql.length);
    line->args[1] = arena_copy_str(&d->arena, str_slice(key, 0, 60)).p;
    line->is_quiet = true;
    buffer_free(&sql);
}

static void add_node(struct details *d, const struct tables *t, struct detail_lines *to,
                     const struct arg_node *node, uint8_t indent, const char *table)
{
    struct buffer label = BUFFER_INIT, value = BUFFER_INIT;
    buffer_append_str(&label, node->label);
    while (node->row == NULL_UINT32 && node->n_children == 1 && node->first) {
        node = node->first;
        if (node->label.n && node->label.p[0] != '[') buffer_append_byte(&label, '.');
        buffer_append_str(&label, node->label);
    }
    if (node->row != NULL_UINT32) arg_text(t, node->row, &value);
    bool is_open = true;
    if (node->first) {
        struct buffer name = BUFFER_INIT;
        buffer_append_text(&name, "args/");
        buffer_append_str(&name, node->key);
        bool is_list = node->first->label.n && node->first->label.p[0] == '[';
        if (!value.length)
            buffer_printf(&value, is_list ? "%u item%s" : "%u key%s", node->n_children,
                          node->n_children == 1 ? "" : "s");
        /* Long lists begin folded. */
        is_open =
            details_begin_group(d, to, buffer_text(&name), buffer_text(&label), buffer_str(&value),
                                node->n_children > 16 ? DETAILS_SMALL_GROUP + 1 : 0);
        buffer_free(&name);
    } else {
        struct detail_line *line = details_add(d, to, buffer_text(&label), buffer_str(&value));
        if (table) add_query(d, t, line, node->row, table);
    }
    vec_last(to)->indent = indent;
    for (const struct arg_node *at = is_open ? node->first : NULL; at; at = at->next)
        add_node(d, t, to, at, indent < 12 ? (uint8_t)(indent + 2) : indent, table);
    buffer_free(&label);
    buffer_free(&value);
}

void details_add_args(struct details *d, const struct tables *t, struct detail_lines *to,
                      uint32_t set, const char *table)
{
    if (set == NULL_UINT32 || set >= table_rows(&t->args.table)) return;
    struct arg_node root = {.row = NULL_UINT32};
    uint32_t n = 0;
    for (uint32_t row = set; row < table_rows(&t->args.table); row++) {
        if (column_get_row(&t->args.arg_set_id, row) != set) break;
        if (n++ >= MAX_ARGS) continue;
        struct str key = strpool_get(t->strings, column_get_string(&t->args.key, row));
        insert(d, &root, arena_copy_str(&d->arena, key), row);
    }
    if (!n) return;
    struct buffer heading = BUFFER_INIT;
    buffer_printf(&heading, "Arguments %u", n);
    if (details_begin_section(d, to, "args", buffer_str(&heading))) {
        for (const struct arg_node *at = root.first; at; at = at->next)
            add_node(d, t, to, at, 1, table);
        if (n > MAX_ARGS) details_end_group(d, to, n - MAX_ARGS + DETAILS_MAX_GROUP);
    }
    buffer_free(&heading);
}
