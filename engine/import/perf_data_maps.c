/* What lies where in memory: MMAP and MMAP2 records (perf_event.h; spec engine_2c
 * 1.3).  Each process has its own list, sorted and without overlaps: a new mapping
 * takes its place from older ones.  A child begins with its parent's.  The kernel's image and
 * modules are one list for everybody.
 */
#include "engine/import/perf_data.h"

#include "engine/base/buffer.h"
#include "engine/import/process.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"

enum { MISC_BUILD_ID = 1 << 14 };

/* What Linux allows a process (vm.max_map_count). */
#define MAX_MAPPINGS 65536
/* That children get from their parents, all together. */
#define MAX_INHERITED ((size_t)1 << 22)

/* In order of address. */
struct space {
    VEC(struct perf_mapping) list;
    struct perf_mapping stand_in; /* for addresses of nothing */
    bool has_stand_in;
};

struct perf_maps {
    struct perf_data *data;
    struct map by_pid; /* pid -> index in spaces */
    VEC(struct space) spaces;
    struct space modules;
    struct perf_mapping kernel;
    bool has_kernel;
    size_t n_inherited;
};

struct perf_maps *perf_maps_new(struct perf_data *data)
{
    struct perf_maps *maps = mem_zero(1, sizeof *maps);
    maps->data = data;
    return maps;
}

void perf_maps_free(struct perf_maps *maps)
{
    if (!maps) return;
    for (size_t i = 0; i < maps->spaces.count; i++)
        vec_free(&maps->spaces.items[i].list);
    vec_free(&maps->spaces);
    vec_free(&maps->modules.list);
    map_free(&maps->by_pid);
    mem_free(maps);
}

static struct space *space_of(struct perf_maps *maps, uint32_t pid)
{
    bool added;
    uint64_t *index = map_put_if_absent(&maps->by_pid, pid, maps->spaces.count, &added);
    if (added) vec_push(&maps->spaces, (struct space){.has_stand_in = false});
    return &maps->spaces.items[*index];
}

/* ---- the list ---- */

/* The first that ends after the address. */
static size_t first_after(const struct space *space, uint64_t address)
{
    size_t low = 0, high = space->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (space->list.items[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Replaces items [from, to) by n new ones. */
static void splice(struct space *space, size_t from, size_t to, const struct perf_mapping *items,
                   size_t n)
{
    size_t rest = space->list.count - to;
    vec_reserve(&space->list, from + n + rest);
    memmove(space->list.items + from + n, space->list.items + to, rest * sizeof *items);
    memcpy(space->list.items + from, items, n * sizeof *items);
    space->list.count = from + n + rest;
}

/* Parts of older ones that stick out keep their row: the address within the file is
 * reckoned from where that row says it begins. */
static bool insert(struct space *space, const struct perf_mapping *mapping)
{
    struct perf_mapping items[3];
    size_t n = 0, from = first_after(space, mapping->start), to = from;
    if (space->list.count >= MAX_MAPPINGS) return false;
    while (to < space->list.count && space->list.items[to].start < mapping->end)
        to++;
    if (to > from && space->list.items[from].start < mapping->start) {
        items[n] = space->list.items[from];
        items[n++].end = mapping->start;
    }
    items[n++] = *mapping;
    if (to > from && space->list.items[to - 1].end > mapping->end) {
        items[n] = space->list.items[to - 1];
        items[n].offset += mapping->end - items[n].start;
        items[n++].start = mapping->end;
    }
    splice(space, from, to, items, n);
    return true;
}

static const struct perf_mapping *find(const struct space *space, uint64_t address)
{
    size_t i = first_after(space, address);
    return i < space->list.count && space->list.items[i].start <= address ? &space->list.items[i]
                                                                          : NULL;
}

/* ---- records ---- */

static string_id build_id_of(const struct perf_data *data, int32_t pid, string_id name)
{
    const uint64_t *hex = map_get(&data->build_ids, perf_build_id_key(pid, name));
    if (!hex) hex = map_get(&data->build_ids, perf_build_id_key(-1, name));
    return hex ? (string_id)*hex : strpool_intern_text(data->import->strings, "");
}

static string_id hex_of(struct import *import, struct str bytes)
{
    struct buffer text = BUFFER_INIT;
    for (size_t i = 0; i < bytes.n; i++)
        buffer_printf(&text, "%02x", (unsigned)(uint8_t)bytes.p[i]);
    string_id id = strpool_intern(import->strings, (struct str){buffer_text(&text), text.length});
    buffer_free(&text);
    return id;
}

static void enter(struct perf_maps *maps, struct perf_mapping *mapping, string_id build_id,
                  uint32_t upid, int64_t ts)
{
    struct import *import = maps->data->import;
    struct stack_mapping stack = {
        .build_id = build_id,
        .name = mapping->name,
        .exact_offset = (int64_t)mapping->offset,
        .start = (int64_t)mapping->start,
        .end = (int64_t)mapping->end,
    };
    mapping->row = stack_mapping_add(import->stacks, &stack);
    struct mmap_record_row row = {.ts = ts, .upid = opt_row(upid), .mapping_id = mapping->row};
    mmap_record_append(&import->tables->mmap_record, &row);
}

static bool add_kernel(struct perf_maps *maps, struct perf_mapping *mapping, string_id build_id,
                       int64_t ts)
{
    struct str name = strpool_get(maps->data->import->strings, mapping->name);
    uint64_t length = mapping->end - mapping->start;
    if (str_is(name, "[bpf]") && length == UINT64_MAX) return true;
    mapping->is_kernel = true;
    if (str_starts(name, STR("[kernel.kallsyms]"))) {
        mapping->offset = 0;
        if (maps->has_kernel) return true;
        enter(maps, mapping, build_id, NULL_UINT32, ts);
        maps->kernel = *mapping;
        maps->has_kernel = true;
        return true;
    }
    if (length == 0) return true;
    enter(maps, mapping, build_id, NULL_UINT32, ts);
    if (!insert(&maps->modules, mapping))
        stats_add(maps->data->file, STAT_perfetty_limit_reached, 1);
    return true;
}

bool perf_maps_read(struct perf_maps *maps, struct perf_cursor c, bool is_mmap2, uint32_t misc,
                    int64_t ts)
{
    struct perf_data *data = maps->data;
    int32_t pid = (int32_t)perf_u32(&c), tid = (int32_t)perf_u32(&c);
    struct perf_mapping mapping = {.start = perf_u64(&c)};
    uint64_t length = perf_u64(&c);
    mapping.offset = perf_u64(&c);
    mapping.end = length > UINT64_MAX - mapping.start ? UINT64_MAX : mapping.start + length;
    struct str build_id = STR_NONE;
    if (is_mmap2) {
        struct perf_cursor file = perf_cursor_at(perf_take(&c, 24), c.is_swapped);
        if (misc & MISC_BUILD_ID && !c.bad) {
            uint64_t size = perf_read(&file, 1);
            perf_skip(&file, 3);
            if (size > 20) return false;
            build_id = perf_take(&file, (size_t)size);
        }
        perf_skip(&c, 8); /* protection, flags */
    }
    if (c.bad) return false;
    mapping.name = strpool_intern(data->import->strings, perf_text(&c));
    string_id hex =
        build_id.n > 0 ? hex_of(data->import, build_id) : build_id_of(data, pid, mapping.name);
    if (perf_mode_is_kernel(misc & 7)) return add_kernel(maps, &mapping, hex, ts);
    uint32_t utid = thread_intern_in(data->file, tid, pid);
    uint32_t upid = thread_process(data->file, utid);
    enter(maps, &mapping, hex, upid, ts);
    if (mapping.end > mapping.start && !insert(space_of(maps, (uint32_t)pid), &mapping))
        stats_add(data->file, STAT_perfetty_limit_reached, 1);
    return true;
}

/* ---- processes that come and go ---- */

void perf_maps_fork(struct perf_maps *maps, uint32_t child, uint32_t parent)
{
    if (child == parent) return; /* a thread */
    size_t to_index = (size_t)(space_of(maps, child) - maps->spaces.items);
    const struct space *from = space_of(maps, parent);
    struct space *to = &maps->spaces.items[to_index];
    size_t n = from->list.count;
    if (n > MAX_INHERITED - maps->n_inherited) {
        stats_add(maps->data->file, STAT_perfetty_limit_reached, 1);
        return;
    }
    maps->n_inherited += n;
    vec_clear(&to->list);
    vec_reserve(&to->list, n);
    if (n > 0) memcpy(to->list.items, from->list.items, n * sizeof *to->list.items);
    to->list.count = n;
}

/* ---- looking up ---- */

static const struct perf_mapping *stand_in(struct perf_maps *maps, uint32_t pid)
{
    struct space *space = space_of(maps, pid);
    struct import *import = maps->data->import;
    stats_add(maps->data->file, STAT_perf_dummy_mapping_used, 1);
    if (space->has_stand_in) return &space->stand_in;
    string_id empty = strpool_intern_text(import->strings, "");
    struct stack_mapping stack = {.build_id = empty, .name = empty, .end = -1};
    space->stand_in = (struct perf_mapping){
        .end = UINT64_MAX, .name = empty, .row = stack_mapping_add(import->stacks, &stack)};
    space->has_stand_in = true;
    return &space->stand_in;
}

const struct perf_mapping *perf_maps_find(struct perf_maps *maps, uint32_t pid, enum perf_mode mode,
                                          uint64_t address)
{
    const struct perf_mapping *found = NULL;
    if (perf_mode_is_kernel(mode)) {
        found = find(&maps->modules, address);
        if (!found && maps->has_kernel && address >= maps->kernel.start &&
            address < maps->kernel.end)
            found = &maps->kernel;
    } else {
        found = find(space_of(maps, pid), address);
    }
    return found ? found : stand_in(maps, pid);
}
