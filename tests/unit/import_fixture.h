/* A load without an engine, for tests of trackers and importers. */
#ifndef TESTS_UNIT_IMPORT_FIXTURE_H
#define TESTS_UNIT_IMPORT_FIXTURE_H

#include <string.h>

#include "engine/base/buffer.h"
#include "engine/import/import.h"
#include "engine/import/stats.h"

struct fixture {
    struct tables *tables;
    struct import *import;
    struct import_file file;
};

static inline struct fixture fixture_new(const struct importer *importer)
{
    struct fixture f = {.tables = tables_new()};
    f.import = import_new(f.tables);
    f.file = (struct import_file){.import = f.import, .importer = importer, .name = STR("test")};
    return f;
}

static inline void fixture_finish(struct fixture *f)
{
    struct import_file *files[] = {&f->file};
    import_finish(f->import, files, f->file.importer ? 1 : 0);
}

static inline void fixture_free(struct fixture *f)
{
    import_free(f->import);
    tables_free(f->tables);
}

static inline string_id fixture_id(struct fixture *f, const char *text)
{
    return text ? strpool_intern_text(f->import->strings, text) : STRING_NULL;
}

static inline const char *fixture_text(const struct fixture *f, const struct column *c,
                                       uint32_t row)
{
    string_id id = column_get_string(c, row);
    return id ? strpool_text(f->tables->strings, id) : "-";
}

/* "name:ts:dur:depth …" of all slices, in the order of the table. */
static inline void fixture_slices(const struct fixture *f, struct buffer *out)
{
    const struct slice_table *t = &f->tables->slice;
    buffer_clear(out);
    for (uint32_t i = 0; i < table_rows(&t->table); i++)
        buffer_printf(out, "%s%s:%lld:%lld:%u", i ? " " : "", fixture_text(f, &t->name, i),
                      (long long)column_get_int64(&t->ts, i),
                      (long long)column_get_int64(&t->dur, i), column_get_row(&t->depth, i));
}

#endif
