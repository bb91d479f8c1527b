/* Any bytes straight into one importer, whatever they begin like: no sniffing and no
 * SQL, so a run is short.  Afterwards every cell of every table is read, and what
 * names a row of another table must find it.
 *
 * `--importer=NAME` says which one (libFuzzer passes over what begins with --).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/import/import.h"
#include "engine/store/tables.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libFuzzer's target has no parameter of ours. */
static const struct importer *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char option[] = "--importer=";
    const char *name = "";
    for (int i = 1; i < *argc; i++)
        if (strncmp((*argv)[i], option, sizeof option - 1) == 0)
            name = (*argv)[i] + sizeof option - 1;
    for (unsigned i = 0; i < importers_count; i++)
        if (strcmp(importers[i]->name, name) == 0) target = importers[i];
    if (target) return 0;
    fprintf(stderr, "no importer is called '%s'; --importer=NAME, with one of\n", name);
    for (unsigned i = 0; i < importers_count; i++)
        fprintf(stderr, "  %s\n", importers[i]->name);
    exit(2);
}

static void fail(const struct table *t, uint32_t column, uint32_t row, const char *what)
{
    fprintf(stderr, "%s.%s, row %u: %s\n", t->schema->name, t->schema->columns[column].name, row,
            what);
    abort();
}

/* Rows that a foreign key may name, by the column's name; UINT32_MAX: not checked. */
static uint32_t rows_behind(struct tables *tables, const struct column_schema *column)
{
    if (!(column->flags & COLUMN_FOREIGN)) return UINT32_MAX;
    if (strcmp(column->name, "utid") == 0) return table_rows(&tables->thread.table);
    if (strcmp(column->name, "upid") == 0) return table_rows(&tables->process.table);
    if (strcmp(column->name, "track_id") == 0) return table_rows(&tables->track.table);
    return UINT32_MAX;
}

static void read_column(struct tables *tables, const struct table *t, uint32_t c)
{
    const struct column_schema *schema = &t->schema->columns[c];
    const struct column *column = &t->columns[c];
    uint32_t behind = rows_behind(tables, schema), strings = strpool_end(tables->strings);
    for (uint32_t row = 0; row < table_rows(t); row++) {
        if (column_is_null(column, row)) continue;
        if (schema->type == COLUMN_STRING) {
            if (column_get_string(column, row) >= strings) fail(t, c, row, "no such string");
        } else if (schema->type == COLUMN_DOUBLE) {
            (void)column_get_double(column, row);
        } else {
            int64_t value = column_get_int64(column, row);
            if (behind != UINT32_MAX && (value < 0 || value >= behind))
                fail(t, c, row, "no such row");
        }
    }
}

static void read_tables(struct tables *tables)
{
    for (uint32_t i = 0; i < tables_count(); i++) {
        const struct table *t = tables_at(tables, i);
        for (uint32_t c = 0; c < t->schema->n_columns; c++)
            read_column(tables, t, c);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tables *tables = tables_new();
    struct import *import = import_new(tables);
    trace_file_append(&tables->trace_file, &(struct trace_file_row){.size = (int64_t)size});
    struct import_file file = {.import = import, .importer = target, .name = STR("input")};
    struct import_file *files[] = {&file};
    struct status st = STATUS_INIT;
    bool ok = import_tokenize(&file, (struct str){(const char *)data, size}, &st);
    import_finish(import, files, ok || file.state ? 1 : 0);
    status_clear(&st);
    tables_freeze(tables);
    table_complete(&tables->ftrace_event.table);
    read_tables(tables);
    import_free(import);
    tables_free(tables);
    return 0;
}
