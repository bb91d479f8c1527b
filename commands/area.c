#include "commands/area.h"

#include <stdlib.h>
#include <string.h>

#include "commands/track_match.h"
#include "engine/base/memory.h"

static int compare_ids(const void *left, const void *right)
{
    uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
    return (l > r) - (l < r);
}

static void sort_ids(struct area_ids *ids)
{
    if (!ids->count) return;
    qsort(ids->items, ids->count, sizeof *ids->items, compare_ids);
    size_t kept = 1;
    for (size_t i = 1; i < ids->count; i++)
        if (ids->items[i] != ids->items[kept - 1]) ids->items[kept++] = ids->items[i];
    ids->count = kept;
}

static void add_node(struct area_scope *scope, const struct track_node *node)
{
    struct area_ids *tracks = NULL;
    switch (node->kind) {
    case TRACK_KIND_SLICES: tracks = &scope->slice_tracks; break;
    case TRACK_KIND_COUNTER:
    case TRACK_KIND_CPU_FREQ: tracks = &scope->counter_tracks; break;
    case TRACK_KIND_CPU_SCHED:
    case TRACK_KIND_FTRACE:
        if (node->ucpu != NULL_UINT32) vec_push(&scope->ucpus, node->ucpu);
        break;
    default: break;
    }
    for (uint32_t i = 0; tracks && i < node->n_tracks; i++)
        vec_push(tracks, node->tracks[i]);
    if (node->utid != NULL_UINT32)
        vec_push(&scope->utids, node->utid);
    else if (node->upid != NULL_UINT32)
        vec_push(&scope->upids, node->upid);
}

static void add_below(struct area_scope *scope, const struct track_node *top)
{
    for (const struct track_node *node = top; node; node = track_tree_next(top, node))
        if (node->trace == scope->trace) add_node(scope, node);
}

static const struct track_node *node_of(const struct session *session, const char *uri)
{
    const struct track_node *node = track_tree_find(&session->workspace->tree, uri);
    return node ? node : track_tree_find(&session->workspaces.items[0]->tree, uri);
}

struct area_scope *area_scope_new(const struct session *session)
{
    const struct selection *s = &session->selection;
    struct area_scope *out = mem_zero(1, sizeof *out);
    out->trace = session_trace_in_focus(session);
    out->is_selected = s->kind == SELECTION_AREA;
    out->n_tracks = out->is_selected ? s->tracks.count : 0;
    out->everything = out->n_tracks == 0;
    for (size_t i = 0; i < out->n_tracks; i++) {
        const struct track_node *node = node_of(session, s->tracks.items[i]);
        if (!node) continue;
        if (i == 0) out->trace = node->trace;
        if (node->trace == out->trace) add_below(out, node);
    }
    sort_ids(&out->ucpus);
    sort_ids(&out->utids);
    sort_ids(&out->upids);
    sort_ids(&out->slice_tracks);
    sort_ids(&out->counter_tracks);
    int64_t offset = 0;
    if (out->trace < session->n_traces) {
        offset = session->traces[out->trace].offset_ns;
        out->trace_end = session->traces[out->trace].end;
    }
    out->start = (out->is_selected ? s->start : session->window_start) - offset;
    out->end = (out->is_selected ? s->end : session->window_end) - offset;
    if (out->end <= out->start) out->end = out->start + 1;
    return out;
}

void area_scope_free(struct area_scope *scope)
{
    if (!scope) return;
    vec_free(&scope->ucpus);
    vec_free(&scope->utids);
    vec_free(&scope->upids);
    vec_free(&scope->slice_tracks);
    vec_free(&scope->counter_tracks);
    mem_free(scope);
}
