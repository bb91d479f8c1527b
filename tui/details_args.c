/* The arguments of an event. */
#include "tui/details_lines.h"

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

void details_add_args(struct details *d, const struct tables *t, struct detail_lines *to,
                      uint32_t set)
{
    if (set == NULL_UINT32) return;
    details_add_heading(d, to, STR("Arguments"));
    struct str before = STR("");
    for (uint32_t row = set; row < table_rows(&t->args.table); row++) {
        if (column_get_row(&t->args.arg_set_id, row) != set) break;
        struct str key = strpool_get(t->strings, column_get_string(&t->args.key, row));
        /* Parts that it shares with the key above are indented away. */
        size_t shared = 0;
        uint8_t indent = 1;
        for (size_t i = 0; i < key.n && i < before.n && key.p[i] == before.p[i]; i++)
            if (key.p[i] == '.') {
                shared = i + 1;
                indent++;
            }
        struct buffer value = BUFFER_INIT;
        arg_text(t, row, &value);
        char *label = mem_copy_string(key.p + shared, key.n - shared);
        struct detail_line *line = details_add(d, to, label, buffer_str(&value));
        line->indent = indent < 6 ? indent : 6;
        mem_free(label);
        buffer_free(&value);
        before = key;
    }
}
