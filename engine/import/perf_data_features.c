/* The feature sections behind the data of a perf.data file, which pipe mode sends as
 * records (spec engine_2c 1.5).  A damaged one is told, what came before it in the
 * section stays. */
#include "engine/import/perf_data.h"

#include "engine/base/buffer.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"

enum feature {
    FEATURE_BUILD_ID = 2,
    FEATURE_HOSTNAME = 3,
    FEATURE_OS_RELEASE = 4,
    FEATURE_ARCH = 6,
    FEATURE_CPUS = 7,
    FEATURE_MEMORY = 10,
    FEATURE_CMDLINE = 11,
    FEATURE_EVENT_DESC = 12,
    FEATURE_GROUP_DESC = 17,
    FEATURE_FILE = 128,
    FEATURE_META_INFO = 129,
    FEATURE_FILE2 = 132,
};

/* A recording has a handful. */
#define MAX_EVENT_TYPES 4096

enum { MISC_BUILD_ID_SIZE = 1 << 15, BUILD_ID_BYTES = 20 };

/* ---- build ids ---- */

/* Files that do not say how long an id is fill it up with zeros. */
static size_t guess_size(const uint8_t *id)
{
    size_t n = BUILD_ID_BYTES;
    while (n > 0 && id[n - 1] == 0)
        n--;
    return n > 16 ? 20 : n > 8 ? 16 : 8;
}

bool perf_feature_read_build_id(struct perf_data *data, struct str body, uint32_t misc)
{
    struct perf_cursor c = perf_cursor_at(body, data->is_swapped);
    int32_t pid = (int32_t)perf_u32(&c);
    bool added;
    struct str id = perf_take(&c, BUILD_ID_BYTES);
    size_t size = perf_read(&c, 1);
    perf_skip(&c, 3);
    if (c.bad) return false;
    if (!(misc & MISC_BUILD_ID_SIZE)) size = guess_size((const uint8_t *)id.p);
    if (size > BUILD_ID_BYTES) return false;
    string_id hex = stack_build_id(data->import->strings, str_slice(id, 0, size));
    string_id name = strpool_intern(data->import->strings, perf_text(&c));
    map_put_if_absent(&data->build_ids, perf_build_id_key(pid, name), hex, &added);
    return true;
}

static const char *read_build_ids(struct perf_data *data, struct perf_cursor *c)
{
    while (perf_left(c) > 0) {
        perf_skip(c, 4); /* type: not always set */
        uint32_t misc = (uint32_t)perf_read(c, 2);
        uint32_t size = (uint32_t)perf_read(c, 2);
        if (c->bad) return "Failed to parse feature BuildId. Could not read header.";
        if (size < PERF_HEADER) return "Failed to parse feature BuildId. Invalid size in header.";
        struct str body = perf_take(c, size - PERF_HEADER);
        if (c->bad) return "Failed to parse feature BuildId. Could not read payload.";
        if (!perf_feature_read_build_id(data, body, misc))
            return "Failed to parse feature BuildId. Could not read entry.";
    }
    return NULL;
}

/* ---- names of events ---- */

static const char *read_event_desc(struct perf_data *data, struct perf_cursor *c)
{
    uint32_t n = perf_u32(c), attr_size = perf_u32(c);
    if (c->bad) return "Failed to parse header for PERF_EVENT_DESC";
    for (uint32_t i = 0; i < n; i++) {
        perf_skip(c, attr_size);
        uint32_t n_ids = perf_u32(c);
        struct str name = perf_sized_text(c);
        if (c->bad) return "Failed to parse record for PERF_EVENT_DESC";
        string_id id = strpool_intern(data->import->strings, name);
        if (n_ids > perf_left(c) / 8) return "Failed to parse ids for PERF_EVENT_DESC";
        for (uint32_t k = 0; k < n_ids; k++) {
            struct perf_attr *attr = perf_attr_by_id(data, perf_u64(c));
            if (attr) attr->name = id;
        }
        /* Events of no ids stand in the order of the attrs. */
        if (n_ids == 0 && i < data->attrs.count && !data->attrs.items[i].has_ids)
            data->attrs.items[i].name = id;
    }
    return NULL;
}

/* A line `name,type,config`. */
static const char *read_event_type(struct perf_data *data, struct str line)
{
    struct str name, type_text;
    uint64_t type, config;
    if (!str_split_next(&line, ',', &name) || !str_split_next(&line, ',', &type_text))
        return "Invalid event_type_info";
    if (!str_to_uint64(type_text, &type)) return "Could not parse type in event_type_info";
    if (!str_to_uint64(line, &config)) return "Could not parse config in event_type_info";
    string_id id = strpool_intern(data->import->strings, name);
    for (size_t i = 0; i < data->attrs.count; i++) {
        struct perf_attr *attr = &data->attrs.items[i];
        if (attr->type == type && attr->config == config) attr->name = id;
    }
    return NULL;
}

static const char *read_meta_info(struct perf_data *data, struct perf_cursor *c)
{
    while (perf_left(c) > 0) {
        struct str key = perf_text(c);
        if (perf_left(c) == 0) return "Missing value in Simpleperf MetaInfo";
        struct str value = perf_text(c), line;
        if (!str_is(key, "event_type_info")) {
            struct simpleperf_meta_row row = {.name = strpool_intern(data->import->strings, key),
                                              .value =
                                                  strpool_intern(data->import->strings, value)};
            simpleperf_meta_append(&data->import->tables->simpleperf_meta, &row);
            continue;
        }
        for (int i = 0; i < MAX_EVENT_TYPES && value.n > 0 && str_split_next(&value, '\n', &line);
             i++) {
            const char *wrong = line.n > 0 ? read_event_type(data, line) : NULL;
            if (wrong) return wrong;
        }
    }
    return NULL;
}

/* ---- the machine ---- */

static const char *read_cmdline(struct perf_data *data, struct perf_cursor *c)
{
    struct buffer text = BUFFER_INIT;
    uint32_t n = perf_u32(c);
    for (uint32_t i = 0; i < n && !c->bad; i++) {
        struct str word = perf_sized_text(c);
        if (c->bad) break;
        if (i > 0) buffer_append_byte(&text, ' ');
        buffer_append_str(&text, word);
    }
    if (text.length > 0) data->cmdline = strpool_intern(data->import->strings, buffer_str(&text));
    buffer_free(&text);
    return c->bad ? "Failed to parse string for CMDLINE" : NULL;
}

/* What another file said of the machine stays. */
static void put_machine_text(struct perf_data *data, uint32_t column, struct str text)
{
    struct table *machines = &data->import->tables->machine.table;
    uint32_t row = data->file->machine_id;
    if (row < table_rows(machines) && column_is_null(&machines->columns[column], row))
        table_set_string(machines, column, row, strpool_intern(data->import->strings, text));
}

static void put_machine_number(struct perf_data *data, uint32_t column, uint64_t value)
{
    struct table *machines = &data->import->tables->machine.table;
    uint32_t row = data->file->machine_id;
    if (row < table_rows(machines) && column_is_null(&machines->columns[column], row))
        table_set_int64(machines, column, row, (int64_t)value);
}

static const char *read_os_release(struct perf_data *data, struct perf_cursor *c)
{
    struct str release = perf_sized_text(c);
    if (c->bad) return "Failed to parse string for OS_RELEASE";
    metadata_set_string(data->import, data->file, "system_release", release);
    put_machine_text(data, machine_COLUMN_release, release);
    return NULL;
}

/* Trace processor passes these by; they fill the row of the machine only. */
static void read_machine(struct perf_data *data, uint32_t feature, struct perf_cursor *c)
{
    struct str text = STR_NONE;
    uint64_t number = 0;
    stats_add_indexed(data->file, STAT_perf_features_skipped, feature, 1);
    if (feature == FEATURE_CPUS) {
        number = perf_u32(c); /* then those online */
    } else if (feature == FEATURE_MEMORY) {
        number = perf_u64(c) * 1024;
    } else {
        text = perf_sized_text(c);
    }
    if (c->bad || number > INT64_MAX) return;
    switch (feature) {
    case FEATURE_HOSTNAME: put_machine_text(data, machine_COLUMN_name, text); break;
    case FEATURE_ARCH: put_machine_text(data, machine_COLUMN_arch, text); break;
    case FEATURE_CPUS: put_machine_number(data, machine_COLUMN_num_cpus, number); break;
    default: put_machine_number(data, machine_COLUMN_system_ram_bytes, number); break;
    }
}

void perf_feature_read(struct perf_data *data, uint32_t feature, struct str section)
{
    struct perf_cursor c = perf_cursor_at(section, data->is_swapped);
    const char *wrong = NULL;
    if (feature == FEATURE_META_INFO || feature == FEATURE_FILE2) data->is_simpleperf = true;
    switch (feature) {
    case FEATURE_BUILD_ID: wrong = read_build_ids(data, &c); break;
    case FEATURE_OS_RELEASE: wrong = read_os_release(data, &c); break;
    case FEATURE_CMDLINE: wrong = read_cmdline(data, &c); break;
    case FEATURE_EVENT_DESC: wrong = read_event_desc(data, &c); break;
    case FEATURE_GROUP_DESC: break;
    case FEATURE_HOSTNAME:
    case FEATURE_ARCH:
    case FEATURE_CPUS:
    case FEATURE_MEMORY: read_machine(data, feature, &c); break;
    case FEATURE_META_INFO: wrong = read_meta_info(data, &c); break;
    case FEATURE_FILE2:
        if (!perf_symbols_read_file2(data->symbols, c))
            wrong = "Failed to parse payload in FEATURE_SIMPLEPERF_FILE2";
        break;
    case FEATURE_FILE:
        if (!perf_symbols_read_file(data->symbols, c)) wrong = "a file section that is damaged";
        stats_add_indexed(data->file, STAT_perf_features_skipped, feature, 1);
        break;
    default: stats_add_indexed(data->file, STAT_perf_features_skipped, feature, 1); break;
    }
    if (!wrong) return;
    perf_log(data, STAT_perfetty_input_corrupt,
             section.p ? (size_t)(section.p - data->bytes.p) : data->bytes.n, wrong);
}
