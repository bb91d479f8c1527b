/* The symbols that simpleperf writes into its files: one list a binary, as of the
 * machine that recorded (record_file_reader.cpp and record_file.proto of AOSP's
 * simpleperf; spec engine_2c 1.4, 1.5).
 */
#include "engine/import/perf_data.h"

#include <stdlib.h>

#include "engine/proto/wire.h"

enum dso_type { DSO_KERNEL, DSO_MODULE, DSO_ELF, DSO_DEX };

struct perf_symbols {
    struct import *import;
    VEC(struct perf_dso) dsos;
    struct map by_path; /* string_id -> index in dsos */
    uint32_t kernel;    /* index; NULL_UINT32 when there is none */
};

struct perf_symbols *perf_symbols_new(struct import *import)
{
    struct perf_symbols *s = mem_zero(1, sizeof *s);
    s->import = import;
    s->kernel = NULL_UINT32;
    return s;
}

void perf_symbols_free(struct perf_symbols *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->dsos.count; i++)
        vec_free(&s->dsos.items[i].symbols);
    vec_free(&s->dsos);
    map_free(&s->by_path);
    mem_free(s);
}

/* What was said first of a path stays, but a list that the reference does not read
 * gives way to one that it reads.  NULL: this one is not wanted. */
static struct perf_dso *add_dso(struct perf_symbols *s, struct str path, uint32_t type,
                                bool is_extra)
{
    size_t at;
    if (type > DSO_DEX) return NULL;
    struct perf_dso dso = {.is_extra = is_extra, .has_bias = true};
    dso.is_absolute = type == DSO_KERNEL || str_find(path, STR("jit_app_cache"), &at) ||
                      str_find(path, STR("jit_zygote_cache"), &at);
    bool added = true;
    uint32_t index = (uint32_t)s->dsos.count;
    if (type == DSO_KERNEL) {
        added = s->kernel == NULL_UINT32;
        if (added) s->kernel = index;
        index = s->kernel;
    } else {
        string_id id = strpool_intern(s->import->strings, path);
        index = (uint32_t)*map_put_if_absent(&s->by_path, id, index, &added);
    }
    if (added) {
        vec_push(&s->dsos, dso);
    } else if (s->dsos.items[index].is_extra && !is_extra) {
        vec_free(&s->dsos.items[index].symbols);
        s->dsos.items[index] = dso;
    } else {
        return NULL;
    }
    return &s->dsos.items[index];
}

static void add_symbol(struct perf_symbols *s, struct perf_dso *dso, uint64_t address,
                       uint64_t length, struct str name)
{
    struct perf_symbol symbol = {address, length, strpool_intern(s->import->strings, name)};
    vec_push(&dso->symbols, symbol);
}

/* ---- section 132: protobuf ---- */

static void read_proto_symbol(struct perf_symbols *s, struct perf_dso *dso, struct str message)
{
    uint64_t address = 0, length = 0;
    struct str name = STR("");
    struct wire w = wire_open(message);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 1) address = f.value;
        if (f.number == 2) length = f.value;
        if (f.number == 3 && wire_is_bytes(&f)) name = f.bytes;
    }
    add_symbol(s, dso, address, length, name);
}

static bool read_proto_file(struct perf_symbols *s, struct str message)
{
    struct str path = STR("");
    uint64_t min_address = 0, offset = 0;
    uint32_t type = DSO_KERNEL;
    struct wire w = wire_open(message);
    struct wire_field f, inner;
    while (wire_next(&w, &f)) {
        if (f.number == 1 && wire_is_bytes(&f)) path = f.bytes;
        if (f.number == 2) type = (uint32_t)f.value;
        if (f.number == 3) min_address = f.value;
        if ((f.number == 6 || f.number == 7) && wire_find(f.bytes, 1, &inner)) offset = inner.value;
    }
    if (w.bad) return false;
    struct perf_dso *dso = add_dso(s, path, type, false);
    if (!dso) return true;
    if (type == DSO_ELF || type == DSO_MODULE) dso->load_bias = min_address - offset;
    w = wire_open(message);
    while (wire_next(&w, &f))
        if (f.number == 4 && wire_is_bytes(&f)) read_proto_symbol(s, dso, f.bytes);
    return true;
}

bool perf_symbols_read_file2(struct perf_symbols *s, struct perf_cursor c)
{
    while (perf_left(&c) > 0) {
        uint32_t size = perf_u32(&c);
        struct str message = perf_take(&c, size);
        if (c.bad || !read_proto_file(s, message)) return false;
    }
    return true;
}

/* ---- section 128: the same in older files ---- */

static bool read_plain_file(struct perf_symbols *s, struct perf_cursor c)
{
    struct str path = perf_text(&c);
    uint32_t type = perf_u32(&c);
    uint64_t min_address = perf_u64(&c);
    uint32_t n = perf_u32(&c);
    if (c.bad) return false;
    struct perf_dso *dso = add_dso(s, path, type, true);
    for (uint32_t i = 0; i < n && !c.bad; i++) {
        uint64_t address = perf_u64(&c);
        uint32_t length = perf_u32(&c);
        struct str name = perf_text(&c);
        if (dso && !c.bad) add_symbol(s, dso, address, length, name);
    }
    if (c.bad) return false;
    if (!dso || (type != DSO_ELF && type != DSO_MODULE)) return true;
    /* Newer ones say where in the file the first address lies. */
    dso->load_bias = min_address;
    dso->has_bias = perf_left(&c) >= 8;
    if (dso->has_bias) dso->load_bias -= perf_u64(&c);
    return true;
}

bool perf_symbols_read_file(struct perf_symbols *s, struct perf_cursor c)
{
    while (perf_left(&c) > 0) {
        uint32_t size = perf_u32(&c);
        struct str file = perf_take(&c, size);
        if (c.bad || !read_plain_file(s, perf_cursor_at(file, c.is_swapped))) return false;
    }
    return true;
}

/* ---- looking up ---- */

static int compare(const void *a, const void *b)
{
    const struct perf_symbol *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static string_id find_in(struct perf_dso *dso, uint64_t address)
{
    if (!dso->is_sorted && dso->symbols.count > 0)
        qsort(dso->symbols.items, dso->symbols.count, sizeof *dso->symbols.items, compare);
    dso->is_sorted = true;
    size_t low = 0, high = dso->symbols.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (dso->symbols.items[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return STRING_NULL;
    const struct perf_symbol *symbol = &dso->symbols.items[low - 1];
    return address - symbol->address < symbol->length ? symbol->name : STRING_NULL;
}

string_id perf_symbols_find(struct perf_symbols *s, const struct perf_mapping *mapping,
                            uint64_t rel_pc, bool *is_extra)
{
    const uint64_t *index = map_get(&s->by_path, mapping->name);
    uint64_t address = rel_pc - mapping->offset + mapping->start; /* in memory */
    string_id name = STRING_NULL;
    *is_extra = false;
    if (index) {
        struct perf_dso *dso = &s->dsos.items[*index];
        uint64_t at = rel_pc + dso->load_bias;
        if (dso->is_absolute) at = address;
        if (!dso->has_bias) at = address - mapping->start + dso->load_bias;
        name = find_in(dso, at);
        *is_extra = dso->is_extra;
    }
    if (name == STRING_NULL && mapping->is_kernel && s->kernel != NULL_UINT32) {
        name = find_in(&s->dsos.items[s->kernel], rel_pc + mapping->start);
        *is_extra = s->dsos.items[s->kernel].is_extra;
    }
    return name;
}
