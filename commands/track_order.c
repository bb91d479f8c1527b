#include "commands/track_order.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"

struct place {
    struct track_node *node;
    const struct tables *tables;
    const struct process_facts *processes;
    size_t index;
};

static const char *name_of(const struct tables *tables, const struct column *column, uint32_t row)
{
    return strpool_text(tables->strings, column_get_string(column, row));
}

static int compare_numbers(uint64_t a, uint64_t b) /* the larger first */
{
    return a > b ? -1 : a < b;
}

static int chrome_rank(const char *name)
{
    return strncmp(name, "Browser", 7) == 0    ? 0
           : strncmp(name, "Gpu", 3) == 0      ? 1
           : strncmp(name, "Renderer", 8) == 0 ? 2
                                               : 3;
}

static int compare_processes(const struct place *at, uint32_t left, uint32_t right)
{
    const struct process_facts *l = &at->processes[left], *r = &at->processes[right];
    const char *left_name = name_of(at->tables, &at->tables->process.name, left);
    const char *right_name = name_of(at->tables, &at->tables->process.name, right);
    int c = chrome_rank(left_name) - chrome_rank(right_name);
    if (!c) c = compare_numbers(l->heaps, r->heaps);
    if (!c) c = compare_numbers(l->graphs, r->graphs);
    if (!c) c = compare_numbers(l->samples, r->samples);
    if (!c) c = compare_numbers((uint64_t)l->run_ns, (uint64_t)r->run_ns);
    if (!c) c = compare_numbers(l->slices, r->slices);
    if (!c) c = strcmp(left_name, right_name);
    return c;
}

static int thread_rank(const struct tables *tables, uint32_t utid)
{
    const char *name = name_of(tables, &tables->thread.name, utid);
    if (column_get_int64(&tables->thread.is_main_thread, utid)) return 0;
    if (strstr(name, "RenderThread")) return 1;
    if (strstr(name, "GPU completion")) return 2;
    if (strstr(name, "Chrome_ChildIOThread") || strstr(name, "Chrome_IOThread")) return 3;
    if (strstr(name, "Compositor")) return 4;
    return 5;
}

static int compare_places(const void *left, const void *right)
{
    const struct place *l = left, *r = right;
    const struct track_node *a = l->node, *c = r->node;
    int result = (a->order > c->order) - (a->order < c->order);
    if (!result && a->kind == TRACK_KIND_PROCESS && c->kind == TRACK_KIND_PROCESS)
        result = compare_processes(l, a->upid, c->upid);
    if (!result && a->kind == TRACK_KIND_THREAD && c->kind == TRACK_KIND_THREAD) {
        result = thread_rank(l->tables, a->utid) - thread_rank(l->tables, c->utid);
        int64_t at = column_get_int64(&l->tables->thread.tid, a->utid);
        int64_t ct = column_get_int64(&l->tables->thread.tid, c->utid);
        if (!result) result = (at > ct) - (at < ct);
    }
    if (!result) result = (a->rank > c->rank) - (a->rank < c->rank);
    if (!result && a->by_name && c->by_name) result = strcmp(a->name, c->name);
    if (!result) result = (l->index > r->index) - (l->index < r->index);
    return result;
}

void track_order_children(struct track_node_list *list, const struct tables *tables,
                          const struct process_facts *processes)
{
    if (list->count < 2) return;
    struct place *places = mem_alloc(list->count * sizeof *places);
    for (size_t i = 0; i < list->count; i++)
        places[i] = (struct place){list->items[i], tables, processes, i};
    qsort(places, list->count, sizeof *places, compare_places);
    for (size_t i = 0; i < list->count; i++)
        list->items[i] = places[i].node;
    mem_free(places);
}
