/* Callsites: their ancestors, and what kind of code their frames are. */
#include "engine/sql/native_function.h"

#define CALLSITE_COLUMNS \
    {"id", "INTEGER", stack_profile_callsite_COLUMN_id}, \
        {"depth", "INTEGER", stack_profile_callsite_COLUMN_depth}, \
        {"parent_id", "INTEGER", stack_profile_callsite_COLUMN_parent_id}, \
    { \
        "frame_id", "INTEGER", stack_profile_callsite_COLUMN_frame_id \
    }

static const struct native_column callsite_columns[] = {CALLSITE_COLUMNS, {NULL, NULL, 0}};
static const struct native_column annotated_columns[] = {
    CALLSITE_COLUMNS, {"annotation", "TEXT", NATIVE_CELL}, {NULL, NULL, 0}};

static bool ancestors(struct sql_database *db, sqlite3_value **arguments, struct native_rows *out,
                      struct status *st)
{
    const struct stack_profile_callsite_table *t = &db->tables->stack_profile_callsite;
    uint32_t row, rows = table_rows(&t->table);
    out->table = &t->table;
    if (!native_row_argument(&t->table, arguments[0], &row, st)) return st->code == STATUS_OK;
    for (uint32_t steps = 0; steps < rows; steps++) {
        row = column_get_row(&t->parent_id, row);
        if (row >= rows) break;
        vec_push(&out->rows, row);
    }
    for (size_t i = 0; i < out->rows.count / 2; i++) {
        uint32_t *a = &out->rows.items[i], *b = &out->rows.items[out->rows.count - 1 - i];
        uint32_t swapped = *a;
        *a = *b;
        *b = swapped;
    }
    return true;
}

enum code { CODE_NATIVE, CODE_RUNTIME, CODE_INTERPRETED, CODE_JIT, CODE_AOT };

/* By the mapping that the frame lies in, as Android names them. */
static enum code code_of(const struct tables *t, uint32_t callsite)
{
    uint32_t frame = column_get_row(&t->stack_profile_callsite.frame_id, callsite);
    if (frame >= table_rows(&t->stack_profile_frame.table)) return CODE_NATIVE;
    uint32_t mapping = column_get_row(&t->stack_profile_frame.mapping, frame);
    if (mapping >= table_rows(&t->stack_profile_mapping.table)) return CODE_NATIVE;
    struct str path =
        strpool_get(t->strings, column_get_string(&t->stack_profile_mapping.name, mapping));
    size_t at;
    if (str_find(path, STR("/libart.so"), &at) || str_find(path, STR("/libartd.so"), &at))
        return CODE_RUNTIME;
    if (str_starts(path, STR("/memfd:jit-cache")) || str_find(path, STR("jit-zygote-cache"), &at) ||
        str_find(path, STR("jit-cache"), &at))
        return CODE_JIT;
    if (str_ends(path, STR(".vdex")) || str_ends(path, STR(".dex")) ||
        str_ends(path, STR(".apk")) || str_ends(path, STR(".jar")))
        return CODE_INTERPRETED;
    if (str_ends(path, STR(".odex")) || str_ends(path, STR(".oat"))) return CODE_AOT;
    return CODE_NATIVE;
}

/* Frames of the runtime below Java frames are plumbing. */
static const char *annotation_of(enum code code, enum code callee)
{
    switch (code) {
    case CODE_INTERPRETED: return "interp";
    case CODE_JIT: return "jit";
    case CODE_AOT: return "aot";
    case CODE_RUNTIME: return callee == CODE_INTERPRETED ? "common-frame-interp" : "common-frame";
    default: return NULL;
    }
}

static bool annotated(struct sql_database *db, sqlite3_value **arguments, struct native_rows *out,
                      struct status *st)
{
    const struct stack_profile_callsite_table *t = &db->tables->stack_profile_callsite;
    uint32_t row, rows = table_rows(&t->table);
    out->table = &t->table;
    if (!native_row_argument(&t->table, arguments[0], &row, st)) return st->code == STATUS_OK;
    VEC(uint32_t) chain = {0}; /* leaf first */
    for (uint32_t steps = 0; steps <= rows && row < rows; steps++) {
        vec_push(&chain, row);
        row = column_get_row(&t->parent_id, row);
    }
    for (size_t i = chain.count; i-- > 0;) {
        enum code code = code_of(db->tables, chain.items[i]);
        enum code callee = i ? code_of(db->tables, chain.items[i - 1]) : CODE_NATIVE;
        vec_push(&out->rows, chain.items[i]);
        vec_push(&out->cells, native_text(annotation_of(code, callee)));
    }
    vec_free(&chain);
    return true;
}

const struct native_function stack_table_functions[] = {
    {"experimental_ancestor_stack_profile_callsite",
     callsite_columns,
     {"in_id", NULL},
     ancestors,
     20},
    {"experimental_annotated_callstack", annotated_columns, {"start_id", NULL}, annotated, 20},
    {.name = NULL},
};
