#include "engine/import/stats.h"

#include "engine/base/vec.h"

/* Keys with a fixed scope; any other name is dynamic and belongs to its file. */

enum metadata_scope { SCOPE_GLOBAL, SCOPE_TRACE, SCOPE_MACHINE, SCOPE_BOTH };

struct metadata_key {
    const char *name;
    enum metadata_scope scope;
    bool is_multi;
};

static const struct metadata_key KEYS[] = {
    {"trace_time_clock_id", SCOPE_GLOBAL, false},
    {"all_data_source_flushed_ns", SCOPE_BOTH, true},
    {"all_data_source_started_ns", SCOPE_BOTH, false},
    {"ftrace_latest_data_start_ns", SCOPE_BOTH, false},
    {"slow_start_data_source", SCOPE_BOTH, true},
    {"tracing_disabled_ns", SCOPE_BOTH, false},
    {"tracing_started_ns", SCOPE_BOTH, false},
    {"benchmark_story_tags", SCOPE_TRACE, true},
    {"android_build_fingerprint", SCOPE_MACHINE, false},
    {"android_device_manufacturer", SCOPE_MACHINE, false},
    {"android_guest_soc_model", SCOPE_MACHINE, false},
    {"android_hardware_revision", SCOPE_MACHINE, false},
    {"android_incremental_build", SCOPE_MACHINE, false},
    {"android_ram_model", SCOPE_MACHINE, false},
    {"android_sdk_version", SCOPE_MACHINE, false},
    {"android_serial_console", SCOPE_MACHINE, false},
    {"android_soc_model", SCOPE_MACHINE, false},
    {"android_storage_model", SCOPE_MACHINE, false},
    {"system_machine", SCOPE_MACHINE, false},
    {"system_name", SCOPE_MACHINE, false},
    {"system_ram_bytes", SCOPE_MACHINE, false},
    {"system_ram_gb", SCOPE_MACHINE, false},
    {"system_release", SCOPE_MACHINE, false},
    {"system_version", SCOPE_MACHINE, false},
    {"tracing_service_version", SCOPE_MACHINE, false},
    {"timezone_off_mins", SCOPE_MACHINE, false},
};

struct metadata_tracker {
    struct import *import;
    string_id single, multi;
};

struct metadata_tracker *metadata_new(struct import *import)
{
    struct metadata_tracker *metadata = mem_zero(1, sizeof *metadata);
    metadata->import = import;
    metadata->single = strpool_intern_text(import->strings, "single");
    metadata->multi = strpool_intern_text(import->strings, "multi");
    return metadata;
}

void metadata_free(struct metadata_tracker *metadata)
{
    mem_free(metadata);
}

static struct metadata_key key_of(const char *name)
{
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if (strcmp(KEYS[i].name, name) == 0) return KEYS[i];
    return (struct metadata_key){name, SCOPE_TRACE, false};
}

static struct metadata_row row_of(struct import *import, const struct import_file *file,
                                  const char *name)
{
    struct metadata_key key = key_of(name);
    struct metadata_row row = {.name = strpool_intern_text(import->strings, name),
                               .key_type = key.is_multi ? import->metadata->multi
                                                        : import->metadata->single};
    if (!file) return row;
    if (key.scope == SCOPE_MACHINE || key.scope == SCOPE_BOTH)
        row.machine_id = some_uint32(file->machine_id);
    if (key.scope == SCOPE_TRACE || key.scope == SCOPE_BOTH)
        row.trace_id = some_uint32(file->file_id);
    return row;
}

/* The row of the same key and scope, or NULL_UINT32. */
static uint32_t find_row(const struct metadata_table *t, const struct metadata_row *row)
{
    uint32_t machine = row->machine_id.has ? row->machine_id.value : NULL_UINT32;
    uint32_t file = row->trace_id.has ? row->trace_id.value : NULL_UINT32;
    for (uint32_t i = 0; i < table_rows(&t->table); i++)
        if (column_get_string(&t->name, i) == row->name &&
            column_get_row(&t->machine_id, i) == machine && column_get_row(&t->trace_id, i) == file)
            return i;
    return NULL_UINT32;
}

static void put_row(struct import *import, const struct metadata_row *row)
{
    struct metadata_table *t = &import->tables->metadata;
    /* Chrome's own keys may come more than once, as from several browsers. */
    struct str name = strpool_get(import->strings, row->name);
    bool appends = row->key_type == import->metadata->multi || str_starts(name, STR("cr-"));
    uint32_t at = appends ? NULL_UINT32 : find_row(t, row);
    if (at == NULL_UINT32) {
        metadata_append(t, row);
        return;
    }
    table_set_string(&t->table, metadata_COLUMN_str_value, at, row->str_value);
    if (row->int_value.has)
        table_set_int64(&t->table, metadata_COLUMN_int_value, at, row->int_value.value);
    else
        table_set_null(&t->table, metadata_COLUMN_int_value, at);
}

void metadata_set_int(struct import *import, const struct import_file *file, const char *name,
                      int64_t value)
{
    struct metadata_row row = row_of(import, file, name);
    row.int_value = some_int64(value);
    put_row(import, &row);
}

void metadata_set_string(struct import *import, const struct import_file *file, const char *name,
                         struct str value)
{
    struct metadata_row row = row_of(import, file, name);
    row.str_value = strpool_intern(import->strings, value);
    put_row(import, &row);
}
