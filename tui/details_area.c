/* An area: what it is, and the tables of it. */
#include "tui/details_lines.h"

static const struct {
    const char *keys, *words, *command, *arg;
} tables_of_area[] = {
    {"g a t", "CPU time by thread", "dev.perfetty.AreaCpuByThread", NULL},
    {"g a p", "CPU time by process", "dev.perfetty.AreaCpuByProcess", NULL},
    {"g a s", "thread states", "dev.perfetty.AreaThreadStates", NULL},
    {"g a n", "slices by name, self time", "dev.perfetty.AreaSlices", NULL},
    {"", "slices by thread", "dev.perfetty.AreaSlices", "thread"},
    {"g a c", "counters", "dev.perfetty.AreaCounters", NULL},
    {"g a f", "flows in, out, within", "dev.perfetty.AreaFlows", NULL},
    {"g a j", "frames by jank", "dev.perfetty.AreaFrames", NULL},
    {"g a e", "ftrace events", "dev.perfetty.AreaFtraceEvents", NULL},
    {"", "critical path of its first thread state", "dev.perfetto.CriticalPathPprof_AreaSelection",
     NULL},
    {"F", "flamegraph", "dev.perfetty.Flamegraph", NULL},
};

static void add_tracks(struct details *d, struct session *s)
{
    const struct selection *area = &s->selection;
    if (!area->tracks.count) {
        details_add(d, &d->left, "tracks", STR("all"));
        return;
    }
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "%zu", area->tracks.count);
    uint32_t n = (uint32_t)area->tracks.count;
    if (details_begin_group(d, &d->left, "tracks", "tracks", buffer_str(&text), n)) {
        for (uint32_t i = 0; i < n && i < DETAILS_MAX_GROUP; i++) {
            const struct track_node *node =
                track_tree_find(&s->workspace->tree, area->tracks.items[i]);
            if (!node) node = track_tree_find(&s->workspaces.items[0]->tree, area->tracks.items[i]);
            if (node) details_add(d, &d->left, "", str_of(node->name))->indent = 1;
        }
        details_end_group(d, &d->left, n);
    }
    buffer_free(&text);
}

void details_of_area(struct details *d, struct session *s)
{
    details_add_heading(d, &d->left, STR("Area"));
    details_add_time(d, s, &d->left, "from", s->selection.start);
    details_add_time(d, s, &d->left, "to", s->selection.end);
    details_add_duration(d, &d->left, "length", s->selection.end - s->selection.start);
    add_tracks(d, s);
    details_add_heading(d, &d->right, STR("Enter or the keys open"));
    for (size_t i = 0; i < sizeof tables_of_area / sizeof *tables_of_area; i++) {
        struct detail_line *line =
            details_add(d, &d->right, tables_of_area[i].keys, str_of(tables_of_area[i].words));
        line->command = tables_of_area[i].command;
        line->args[0] = tables_of_area[i].arg;
    }
}
