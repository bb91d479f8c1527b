/* perf.data files of Linux perf and simpleperf: header, sections, and the stream of
 * pipe mode.  (perf.data-file-format.txt of the kernel; spec engine_2c 1.1.)
 *
 *     file  header (104 bytes) -> attrs, data; feature sections behind the data
 *     pipe  header (16 bytes), then records that bring what the sections have
 *
 * The reference reads little-endian files only and refuses what is cut; here both
 * byte orders are read, and a file as far as it goes.
 */
#include "engine/import/perf_data.h"

#define MAGIC         "PERFILE2"
#define MAGIC_SWAPPED "2ELIFREP"
#define MAX_ATTRS     65536

enum { PIPE_HEADER = 16, FILE_HEADER = 104, ID_SECTION = 16, N_FEATURES = 256 };

/* ---- bytes ---- */

struct perf_cursor perf_cursor_at(struct str bytes, bool is_swapped)
{
    return (struct perf_cursor){
        .p = (const uint8_t *)bytes.p, .n = bytes.n, .is_swapped = is_swapped};
}

struct str perf_take(struct perf_cursor *c, size_t bytes)
{
    size_t at = c->at;
    perf_skip(c, bytes);
    return c->bad ? STR_NONE : (struct str){(const char *)c->p + at, bytes};
}

struct str perf_text(struct perf_cursor *c)
{
    if (c->at == c->n) return STR_NONE;
    struct str text = {(const char *)c->p + c->at, c->n - c->at};
    size_t nul;
    if (str_find_byte(text, '\0', &nul)) {
        text.n = nul;
        c->at++;
    }
    c->at += text.n;
    return text;
}

struct str perf_sized_text(struct perf_cursor *c)
{
    uint32_t n = perf_u32(c);
    struct str text = perf_take(c, n);
    size_t nul;
    if (c->bad || !str_find_byte(text, '\0', &nul)) {
        c->bad = true;
        return STR_NONE;
    }
    return str_slice(text, 0, nul);
}

/* ---- sections ---- */

struct section {
    uint64_t offset, size;
};

static struct section read_section(struct perf_cursor *c)
{
    struct section s = {.offset = perf_u64(c)};
    s.size = perf_u64(c);
    return s;
}

/* Its bytes, as many as the file has. */
static struct str bytes_of(struct perf_data *data, struct section section, const char *what)
{
    size_t n = data->bytes.n;
    if (section.size == 0) return STR_NONE;
    if (section.offset > n || section.size > n - section.offset) {
        perf_log(data, STAT_perfetty_input_truncated, n, what);
        if (section.offset >= n) return STR_NONE;
        section.size = n - section.offset;
    }
    return (struct str){data->bytes.p + section.offset, (size_t)section.size};
}

static bool read_attrs(struct perf_data *data, uint64_t attr_size, struct section section,
                       struct status *st)
{
    if (attr_size < ID_SECTION || attr_size > UINT16_MAX)
        return status_fail(st, STATUS_CORRUPT, 16,
                           "Invalid attr_size in file header. Expected at least 16, found %llu",
                           (unsigned long long)attr_size);
    if (section.size % attr_size != 0)
        perf_log(data, STAT_perfetty_input_corrupt, 24,
                 "the section of events is no whole number of events");
    struct str bytes = bytes_of(data, section, "the section of events is cut");
    struct perf_cursor c = perf_cursor_at(bytes, data->is_swapped);
    while (perf_left(&c) >= attr_size && data->attrs.count < MAX_ATTRS) {
        struct str attr = perf_take(&c, (size_t)attr_size - ID_SECTION);
        struct str ids = bytes_of(data, read_section(&c), "the ids of an event are cut");
        if (!perf_attr_add(data, attr, perf_cursor_at(ids, data->is_swapped)))
            perf_log(data, STAT_perfetty_input_corrupt, (size_t)(attr.p - data->bytes.p),
                     "an event that is too short");
    }
    if (data->attrs.count > 0) return true;
    return status_fail(st, STATUS_CORRUPT, 24, "No perf_event_attr");
}

/* One {offset, size} for each bit that is set, in order, at the end of the data. */
static void read_features(struct perf_data *data, const uint64_t *bits, struct section place)
{
    uint64_t n = data->bytes.n;
    if (place.offset > n || place.size > n - place.offset) place = (struct section){n, 0};
    struct perf_cursor c = perf_cursor_at(data->bytes, data->is_swapped);
    c.at = (size_t)(place.offset + place.size);
    for (uint32_t i = 0; i < N_FEATURES; i++) {
        if (!(bits[i / 64] >> i % 64 & 1)) continue;
        struct section section = read_section(&c);
        if (c.bad) {
            perf_log(data, STAT_perfetty_input_truncated, data->bytes.n,
                     "the list of feature sections is cut");
            return;
        }
        perf_feature_read(data, i, bytes_of(data, section, "a feature section is cut"));
    }
}

static bool read_file(struct perf_data *data, struct status *st)
{
    struct perf_cursor c = perf_cursor_at(data->bytes, data->is_swapped);
    uint64_t bits[4];
    perf_skip(&c, 16);
    uint64_t attr_size = perf_u64(&c);
    struct section attrs = read_section(&c), records = read_section(&c);
    read_section(&c); /* names of events, long gone */
    for (int i = 0; i < 4; i++)
        bits[i] = perf_u64(&c);
    if (!read_attrs(data, attr_size, attrs, st)) return false;
    perf_attr_choose_clock(data);
    if (records.size == 0 && records.offset >= FILE_HEADER && records.offset < data->bytes.n) {
        /* The recorder writes the size when it ends; this one was killed. */
        perf_log(data, STAT_perfetty_input_truncated, 48, "the recorder did not close the file");
        records.size = data->bytes.n - records.offset;
        memset(bits, 0, sizeof bits);
    }
    read_features(data, bits, records);
    perf_records_read(data, bytes_of(data, records, "the records are cut"));
    return true;
}

/* ---- the importer ---- */

static void finish(struct import_file *file)
{
    struct perf_data *data = file->state;
    if (!data) return;
    perf_records_free(data->records);
    perf_aux_free(data->aux);
    perf_maps_free(data->maps);
    perf_symbols_free(data->symbols);
    for (size_t i = 0; i < data->attrs.count; i++)
        map_free(&data->attrs.items[i].sums);
    vec_free(&data->attrs);
    map_free(&data->attr_by_id);
    map_free(&data->frames);
    map_free(&data->build_ids);
    mem_free(data);
    file->state = NULL;
}

static bool check_header(struct str bytes, uint64_t size, struct status *st)
{
    if (size != PIPE_HEADER && size != FILE_HEADER)
        return status_fail(st, STATUS_CORRUPT, 8,
                           "Failed to perf file header size. Expected 104, found %llu",
                           (unsigned long long)size);
    if (bytes.n < size)
        return status_fail(st, STATUS_CORRUPT, (int64_t)bytes.n,
                           "Premature end of perf file. (ERR:tp-corrupt)");
    return true;
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct str magic = str_slice(bytes, 0, 8);
    if (!str_is(magic, MAGIC) && !str_is(magic, MAGIC_SWAPPED))
        return status_fail(st, STATUS_CORRUPT, 0, "Invalid magic string");
    struct perf_data *data = mem_zero(1, sizeof *data);
    data->file = file;
    data->import = file->import;
    data->damage.file = file;
    data->bytes = bytes;
    data->is_swapped = str_is(magic, MAGIC_SWAPPED);
    data->symbols = perf_symbols_new(file->import);
    data->maps = perf_maps_new(data);
    data->aux = perf_aux_new(data);
    data->records = perf_records_new(data);
    file->state = data;
    struct perf_cursor c = perf_cursor_at(bytes, data->is_swapped);
    perf_skip(&c, 8);
    uint64_t size = perf_u64(&c);
    bool good = check_header(bytes, size, st);
    data->is_pipe = size == PIPE_HEADER;
    if (good && data->is_pipe) perf_records_read(data, str_slice(bytes, PIPE_HEADER, bytes.n));
    if (good && !data->is_pipe) good = read_file(data, st);
    if (good) {
        perf_records_finish(data);
        perf_attr_enter_sessions(data);
    } else {
        finish(file);
    }
    return good;
}

static bool sniff(struct str bytes)
{
    return str_starts(bytes, STR(MAGIC)) || str_starts(bytes, STR(MAGIC_SWAPPED));
}

const struct importer importer_perf_data = {
    .name = "perf",
    .detection_priority = 30,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_MONOTONIC,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
