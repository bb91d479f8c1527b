/* What lies where in memory: MMAP and MMAP2 records (perf_event.h; spec engine_2c
 * 1.3).  Each process has its own address space, a child begins with its parent's;
 * the kernel's image and modules are one for everybody.
 */
#include "engine/import/perf_data.h"

#include "engine/import/process.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"

enum { MISC_BUILD_ID = 1 << 14 };

/* That children get from their parents, all together. */
#define MAX_INHERITED ((size_t)1 << 22)

struct space {
    struct perf_address_space known;
    struct perf_mapping stand_in; /* for addresses of nothing */
    bool has_stand_in;
};

struct perf_maps {
    struct perf_data *data;
    struct map by_pid; /* pid -> index in spaces */
    VEC(struct space) spaces;
    struct perf_address_space modules;
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
        perf_address_space_dispose(&maps->spaces.items[i].known);
    vec_free(&maps->spaces);
    perf_address_space_dispose(&maps->modules);
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

/* ---- records ---- */

static string_id build_id_of(const struct perf_data *data, int32_t pid, string_id name)
{
    const uint64_t *hex = map_get(&data->build_ids, perf_build_id_key(pid, name));
    if (!hex) hex = map_get(&data->build_ids, perf_build_id_key(-1, name));
    return hex ? (string_id)*hex : strpool_intern_text(data->import->strings, "");
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
    if (!perf_address_space_add(&maps->modules, mapping))
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
    string_id hex = build_id.n > 0 ? stack_build_id(data->import->strings, build_id)
                                   : build_id_of(data, pid, mapping.name);
    if (perf_mode_is_kernel(misc & 7)) return add_kernel(maps, &mapping, hex, ts);
    uint32_t utid = thread_intern_in(data->file, tid, pid);
    uint32_t upid = thread_process(data->file, utid);
    enter(maps, &mapping, hex, upid, ts);
    if (mapping.end > mapping.start &&
        !perf_address_space_add(&space_of(maps, (uint32_t)pid)->known, &mapping))
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
    size_t n = from->known.count;
    if (n > MAX_INHERITED - maps->n_inherited) {
        stats_add(maps->data->file, STAT_perfetty_limit_reached, 1);
        return;
    }
    maps->n_inherited += n;
    perf_address_space_copy(&to->known, &from->known);
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
        found = perf_address_space_find(&maps->modules, address);
        if (!found && maps->has_kernel && address >= maps->kernel.start &&
            address < maps->kernel.end)
            found = &maps->kernel;
    } else {
        found = perf_address_space_find(&space_of(maps, pid)->known, address);
    }
    return found ? found : stand_in(maps, pid);
}
