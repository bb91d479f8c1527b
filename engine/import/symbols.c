#include "engine/import/symbols.h"

#include "engine/base/buffer.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/base/vec.h"
#include "engine/import/packet.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

enum { PACKET_MODULE_SYMBOLS = 61, PACKET_DEOBFUSCATION_MAPPING = 64 };

/* A function inlined this often in one place is damage. */
#define MAX_LINES 1024

struct symbol_store {
    VEC(struct symbol_module) modules; /* messages owned */
    VEC(struct str) mappings;          /* owned */
    VEC(struct str) functions;         /* inside modules */
    struct map by_address;             /* hash(path, build id, address) to functions */
    struct map classes;                /* obfuscated to plain, string ids */
    size_t indexed_modules, indexed_mappings;
};

struct symbol_store *symbol_store_new(void)
{
    return mem_zero(1, sizeof(struct symbol_store));
}

void symbol_store_free(struct symbol_store *store)
{
    if (!store) return;
    for (size_t i = 0; i < store->modules.count; i++)
        mem_free((void *)(uintptr_t)store->modules.items[i].message.p);
    for (size_t i = 0; i < store->mappings.count; i++)
        mem_free((void *)(uintptr_t)store->mappings.items[i].p);
    vec_free(&store->modules);
    vec_free(&store->mappings);
    vec_free(&store->functions);
    map_free(&store->by_address);
    map_free(&store->classes);
    mem_free(store);
}

static struct str copy_of(struct str message)
{
    return (struct str){mem_copy_string(message.p, message.n), message.n};
}

void symbols_add_module(struct import *import, const struct import_file *file, struct str message)
{
    struct symbol_module module = {*file, copy_of(message)};
    vec_push(&stack_symbols(import->stacks)->modules, module);
}

void symbols_add_mapping(struct import *import, struct str message)
{
    vec_push(&stack_symbols(import->stacks)->mappings, copy_of(message));
}

const struct symbol_module *symbols_modules(const struct import *import, size_t *n)
{
    const struct symbol_store *store = stack_symbols(import->stacks);
    *n = store->modules.count;
    return store->modules.items;
}

const struct str *symbols_mappings(const struct import *import, size_t *n)
{
    const struct symbol_store *store = stack_symbols(import->stacks);
    *n = store->mappings.count;
    return store->mappings.items;
}

/* ---- addresses ---- */

static uint64_t address_key(string_id path, string_id build_id, uint64_t address)
{
    return hash_mix(hash_mix(0, (uint64_t)path << 32 | build_id), address);
}

/* Its path and its build id, which mappings have in hex; false when no mapping can
 * be of this module. */
static bool module_identity(struct import *import, struct str message, string_id *path,
                            string_id *build_id)
{
    struct wire_field f;
    struct buffer hex = BUFFER_INIT;
    struct str name = {"", 0};
    if (wire_find(message, 1, &f) && f.bytes.p) name = f.bytes;
    if (wire_find(message, 2, &f) && f.bytes.p)
        for (size_t i = 0; i < f.bytes.n; i++)
            buffer_printf(&hex, "%02x", (unsigned)(uint8_t)f.bytes.p[i]);
    *path = strpool_find(import->strings, name);
    *build_id = strpool_find(import->strings, (struct str){buffer_text(&hex), hex.length});
    buffer_free(&hex);
    return *path != STRING_NULL && *build_id != STRING_NULL;
}

static void index_module(struct import *import, struct symbol_store *store, struct str message)
{
    string_id path, build_id;
    struct wire w = wire_open(message);
    struct wire_field symbols, address, line, name;
    if (!module_identity(import, message, &path, &build_id)) return;
    while (wire_next(&w, &symbols)) {
        if (symbols.number != 3 || !wire_find(symbols.bytes, 1, &address)) continue;
        struct str function = STR_NONE;
        struct wire lines = wire_open(symbols.bytes);
        while (wire_next(&lines, &line))
            if (line.number == 2 && wire_find(line.bytes, 1, &name)) function = name.bytes;
        if (!function.p) continue;
        map_set(&store->by_address, address_key(path, build_id, address.value),
                store->functions.count);
        vec_push(&store->functions, function);
    }
}

bool symbols_function_at(struct import *import, string_id path, string_id build_id,
                         uint64_t address, struct str *function)
{
    struct symbol_store *store = stack_symbols(import->stacks);
    for (; store->indexed_modules < store->modules.count; store->indexed_modules++)
        index_module(import, store, store->modules.items[store->indexed_modules].message);
    const uint64_t *found = map_get(&store->by_address, address_key(path, build_id, address));
    if (found) *function = store->functions.items[*found];
    return found != NULL;
}

string_id symbols_class(struct import *import, struct str obfuscated)
{
    struct symbol_store *store = stack_symbols(import->stacks);
    struct wire_field c, from, to;
    for (; store->indexed_mappings < store->mappings.count; store->indexed_mappings++) {
        struct wire w = wire_open(store->mappings.items[store->indexed_mappings]);
        while (wire_next(&w, &c)) {
            bool added;
            if (c.number != 3 || !wire_find(c.bytes, 1, &from) || !wire_find(c.bytes, 2, &to))
                continue;
            map_put_if_absent(&store->classes, strpool_intern(import->strings, from.bytes),
                              strpool_intern(import->strings, to.bytes), &added);
        }
    }
    if (!store->classes.count) return STRING_NULL;
    string_id id = strpool_find(import->strings, obfuscated);
    const uint64_t *found = id ? map_get(&store->classes, id) : NULL;
    return found ? (string_id)*found : STRING_NULL;
}

/* ---- native frames ---- */

/* Frames of one address of one module, as a list through `next`. */
struct frame_index {
    struct map first, modules;
    VEC(uint32_t) next;
};

static void index_frames(const struct tables *tables, struct frame_index *index)
{
    const struct stack_profile_frame_table *frames = &tables->stack_profile_frame;
    const struct stack_profile_mapping_table *mappings = &tables->stack_profile_mapping;
    uint32_t n = table_rows(&frames->table);
    for (uint32_t i = 0; i < table_rows(&mappings->table); i++)
        map_set(&index->modules,
                address_key(column_get_string(&mappings->name, i),
                            column_get_string(&mappings->build_id, i), 0),
                1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t mapping = column_get_row(&frames->mapping, i);
        uint64_t key = address_key(column_get_string(&mappings->name, mapping),
                                   column_get_string(&mappings->build_id, mapping),
                                   (uint64_t)column_get_int64(&frames->rel_pc, i));
        bool added;
        uint64_t *first = map_put_if_absent(&index->first, key, i, &added);
        vec_push(&index->next, added ? NULL_UINT32 : (uint32_t)*first);
        *first = i;
    }
}

static size_t read_lines(struct import *import, struct str symbols, struct stack_symbol *out)
{
    struct wire w = wire_open(symbols);
    struct wire_field line, f;
    size_t n = 0;
    while (n < MAX_LINES && wire_next(&w, &line)) {
        if (line.number != 2 || line.type != WIRE_BYTES) continue;
        struct stack_symbol *symbol = &out[n++];
        *symbol = (struct stack_symbol){.name = strpool_intern_text(import->strings, "")};
        struct wire parts = wire_open(line.bytes);
        while (wire_next(&parts, &f)) {
            if (f.number == 1 && f.bytes.p) symbol->name = strpool_intern(import->strings, f.bytes);
            if (f.number == 2 && f.bytes.n)
                symbol->source_file = strpool_intern(import->strings, f.bytes);
            if (f.number == 3 && f.value) symbol->line = some_uint32((uint32_t)f.value);
        }
    }
    for (size_t i = 0; i < n; i++)
        out[i].inlined = some_uint32(i + 1 < n);
    return n;
}

static void enter_module(struct import *import, const struct symbol_module *module,
                         const struct frame_index *index, struct stack_symbol *lines)
{
    string_id path, build_id;
    struct wire w = wire_open(module->message);
    struct wire_field symbols, address;
    if (!module_identity(import, module->message, &path, &build_id) ||
        !map_get(&index->modules, address_key(path, build_id, 0))) {
        stats_add(&module->file, STAT_stackprofile_invalid_mapping_id, 1);
        return;
    }
    while (wire_next(&w, &symbols)) {
        if (symbols.number != 3 || symbols.type != WIRE_BYTES) continue;
        if (!wire_find(symbols.bytes, 1, &address)) address.value = 0;
        const uint64_t *first = map_get(&index->first, address_key(path, build_id, address.value));
        if (!first) {
            stats_add(&module->file, STAT_stackprofile_invalid_frame_id, 1);
            continue;
        }
        size_t n = read_lines(import, symbols.bytes, lines);
        for (uint32_t frame = (uint32_t)*first; frame != NULL_UINT32;
             frame = index->next.items[frame])
            stack_frame_set_symbols(import->stacks, frame, lines, n);
    }
}

void symbols_finish(struct import *import)
{
    struct symbol_store *store = stack_symbols(import->stacks);
    if (store->modules.count) {
        struct frame_index index = {0};
        struct stack_symbol *lines = mem_alloc(MAX_LINES * sizeof *lines);
        index_frames(import->tables, &index);
        for (size_t i = 0; i < store->modules.count; i++)
            enter_module(import, &store->modules.items[i], &index, lines);
        map_free(&index.first);
        map_free(&index.modules);
        vec_free(&index.next);
        mem_free(lines);
    }
    symbols_finish_java(import);
}

/* ---- packets ---- */

static bool tokenize_module(void *state, const struct packet *packet, struct str field)
{
    (void)state;
    symbols_add_module(packet->file->import, packet_reader_file(packet->reader), field);
    return true;
}

static bool tokenize_mapping(void *state, const struct packet *packet, struct str field)
{
    (void)state;
    symbols_add_mapping(packet->file->import, field);
    return true;
}

static const struct packet_module modules[] = {
    {PACKET_MODULE_SYMBOLS, tokenize_module, NULL},
    {PACKET_DEOBFUSCATION_MAPPING, tokenize_mapping, NULL},
};

const struct packet_source symbols_source = {.name = "symbols", .modules = modules, .n_modules = 2};
