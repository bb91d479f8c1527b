#include "engine/store/late_rows.h"

#include <assert.h>

static void set_late(struct tables *tables, struct late_rows *late)
{
    atomic_store_explicit(&tables->ftrace_event.table.late, late, memory_order_release);
    atomic_store_explicit(&tables->args.table.late, late, memory_order_release);
}

void late_rows_attach(struct tables *tables, struct late_rows *late)
{
    assert(!tables->late);
    late->tables = tables;
    tables->late = late;
    set_late(tables, late);
}

const struct late_rows *late_rows_of(const struct tables *tables)
{
    return table_is_complete(&tables->ftrace_event.table) ? NULL : tables->late;
}

bool late_rows_can_be_made(const struct tables *tables)
{
    return atomic_load(&((struct tables *)(uintptr_t)tables)->is_frozen);
}

uint32_t late_rows_count(const struct tables *tables)
{
    const struct late_rows *late = late_rows_of(tables);
    return table_rows(&tables->ftrace_event.table) + (late ? late->n_rows : 0);
}

void table_complete(const struct table *t)
{
    struct late_rows *late =
        atomic_load_explicit(&((struct table *)(uintptr_t)t)->late, memory_order_acquire);
    if (!late) return;
    struct tables *tables = late->tables;
    late->make(late);
    set_late(tables, NULL);
    if (atomic_load(&tables->is_frozen)) tables_freeze(tables);
}
