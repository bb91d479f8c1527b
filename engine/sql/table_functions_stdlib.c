/* The tables and views that the standard library's modules make, by name. */
#include "engine/base/buffer.h"
#include "engine/sql/native_function.h"
#include "engine/sql/stdlib.h"

static const struct native_column columns[] = {
    {"module", "TEXT", NATIVE_CELL},
    {"name", "TEXT", NATIVE_CELL},
    {"type", "TEXT", NATIVE_CELL},
    {NULL, NULL, 0},
};

/* "slices/with_context.sql" is slices.with_context. */
static string_id module_name(struct strpool *strings, const char *path)
{
    struct buffer name = BUFFER_INIT;
    struct str stem = str_of(path);
    if (str_ends(stem, STR(".sql"))) stem.n -= 4;
    for (size_t i = 0; i < stem.n; i++)
        buffer_append_byte(&name, stem.p[i] == '/' ? '.' : stem.p[i]);
    string_id id = strpool_intern(strings, buffer_str(&name));
    buffer_free(&name);
    return id;
}

/* A line of our own modules that begins a statement: CREATE [PERFETTO] TABLE|VIEW. */
static bool is_create(struct str line, struct str *name, bool *is_view)
{
    struct str word;
    if (!str_split_next(&line, ' ', &word) || !str_is(word, "CREATE")) return false;
    if (!str_split_next(&line, ' ', &word)) return false;
    if (str_is(word, "PERFETTO") && !str_split_next(&line, ' ', &word)) return false;
    *is_view = str_is(word, "VIEW");
    if (!*is_view && !str_is(word, "TABLE")) return false;
    size_t n = 0;
    while (n < line.n && line.p[n] != ' ' && line.p[n] != '(')
        n++;
    *name = str_slice(line, 0, n);
    return n > 0 && line.p[0] != '_'; /* those are a module's own */
}

static bool stdlib_tables(struct sql_database *db, sqlite3_value **arguments,
                          struct native_rows *out, struct status *st)
{
    (void)arguments;
    (void)st;
    struct strpool *strings = db->tables->strings;
    for (size_t i = 0; i < stdlib_modules_count; i++) {
        const struct embedded_file *file = &stdlib_modules[i];
        struct str rest = {file->bytes, file->length}, line, name;
        bool is_view;
        while (str_split_next(&rest, '\n', &line)) {
            if (!is_create(line, &name, &is_view)) continue;
            vec_push(&out->cells, native_string(module_name(strings, file->path)));
            vec_push(&out->cells, native_string(strpool_intern(strings, name)));
            vec_push(&out->cells, native_text(is_view ? "VIEW" : "TABLE"));
            out->n_rows++;
        }
    }
    return true;
}

const struct native_function stdlib_table_functions[] = {
    {"__intrinsic_stdlib_tables", columns, {NULL}, stdlib_tables, 200},
    {.name = NULL},
};
