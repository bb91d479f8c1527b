/* Names of processes, threads and machines as the tree writes them. */
#include "commands/track_tree.h"

#include <string.h>

void track_machine_append(const struct tables *tables, const struct column *machine, uint32_t row,
                          struct buffer *out)
{
    if (table_rows(&tables->machine.table) < 2) return;
    uint32_t id = column_get_row(machine, row);
    if (id != 0 && id != NULL_UINT32) buffer_printf(out, " (machine %u)", id);
}

void track_process_name(const struct tables *tables, uint32_t upid, struct buffer *out)
{
    if (upid >= table_rows(&tables->process.table)) return;
    const char *name =
        strpool_text(tables->strings, column_get_string(&tables->process.name, upid));
    const char *slash = name[0] == '/' ? strrchr(name, '/') : NULL;
    if (slash && slash[1]) name = slash + 1;
    buffer_printf(out, "%s %lld", name[0] ? name : "Process",
                  (long long)column_get_int64(&tables->process.pid, upid));
    track_machine_append(tables, &tables->process.machine_id, upid, out);
}

void track_thread_name(const struct tables *tables, uint32_t utid, struct buffer *out)
{
    if (utid >= table_rows(&tables->thread.table)) return;
    const char *name = strpool_text(tables->strings, column_get_string(&tables->thread.name, utid));
    buffer_printf(out, "%s %lld", name[0] ? name : "Thread",
                  (long long)column_get_int64(&tables->thread.tid, utid));
    track_machine_append(tables, &tables->thread.machine_id, utid, out);
}

/* The row of an argument of a set; NULL_UINT32. */
static uint32_t find_arg(const struct tables *tables, uint32_t set, const char *key)
{
    uint32_t rows = table_rows(&tables->args.table);
    string_id wanted = strpool_find(tables->strings, str_of(key));
    if (set == NULL_UINT32 || wanted == STRING_NULL) return NULL_UINT32;
    for (uint32_t row = set; row < rows && column_uint32(&tables->args.arg_set_id)[row] == set;
         row++)
        if (column_get_string(&tables->args.key, row) == wanted) return row;
    return NULL_UINT32;
}

bool track_arg_int(const struct tables *tables, uint32_t set, const char *key, int64_t *out)
{
    uint32_t row = find_arg(tables, set, key);
    if (row == NULL_UINT32 || column_is_null(&tables->args.int_value, row)) return false;
    *out = column_get_int64(&tables->args.int_value, row);
    return true;
}

struct str track_arg_text(const struct tables *tables, uint32_t set, const char *key)
{
    uint32_t row = find_arg(tables, set, key);
    if (row == NULL_UINT32) return STR_NONE;
    return strpool_get(tables->strings, column_get_string(&tables->args.string_value, row));
}

bool track_dimension_int(const struct tables *tables, uint32_t track, const char *key, int64_t *out)
{
    return track_arg_int(tables, column_get_row(&tables->track.dimension_arg_set_id, track), key,
                         out);
}
