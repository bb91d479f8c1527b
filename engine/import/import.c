#include "engine/import/import.h"

#include "engine/base/vec.h"
#include "engine/import/args.h"
#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/sched.h"
#include "engine/import/slice.h"
#include "engine/import/sorter.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"
#include "engine/import/symbols.h"
#include "engine/import/track.h"
#include "engine/proto/descriptor_pool.h"

#define PROGRESS_EVERY_NS INT64_C(50000000)

struct import_end_call {
    void (*call)(void *context);
    void *context;
};

struct import *import_new(struct tables *tables)
{
    struct import *import = mem_zero(1, sizeof *import);
    import->tables = tables;
    import->strings = tables->strings;
    import->stats = stats_new(import);
    import->metadata = metadata_new(import);
    import->clocks = clock_tracker_new(import);
    import->sorter = sorter_new(import);
    import->args = args_new(import);
    import->tracks = track_tracker_new(import);
    import->slices = slice_tracker_new(import);
    import->flows = flow_tracker_new(import);
    import->processes = process_tracker_new(import);
    import->sched = sched_tracker_new(import);
    import->stacks = stack_tracker_new(import);
    import->descriptors = descriptor_pool_new();
    machine_intern(import, 0);
    return import;
}

void import_free(struct import *import)
{
    if (!import) return;
    descriptor_pool_free(import->descriptors);
    stack_tracker_free(import->stacks);
    sched_tracker_free(import->sched);
    process_tracker_free(import->processes);
    flow_tracker_free(import->flows);
    slice_tracker_free(import->slices);
    track_tracker_free(import->tracks);
    args_free(import->args);
    sorter_free(import->sorter);
    clock_tracker_free(import->clocks);
    metadata_free(import->metadata);
    stats_free(import->stats);
    mem_free(import->end_calls);
    mem_free(import);
}

bool import_tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct import *import = file->import;
    stats_see_file(file);
    metadata_set_string(import, file, "trace_type", str_of(file->importer->name));
    metadata_set_int(import, file, "trace_size_bytes", (int64_t)bytes.n);
    clock_begin_file(file, file->importer->clock);
    /* A file of no bytes is a trace with nothing in it. */
    return bytes.n == 0 || file->importer->tokenize(file, bytes, st);
}

void import_at_input_end(struct import *import, void (*call)(void *context), void *context)
{
    if (import->n_end_calls == import->end_calls_capacity)
        import->end_calls = vec_grow(import->end_calls, &import->end_calls_capacity,
                                     import->n_end_calls + 1, sizeof *import->end_calls);
    import->end_calls[import->n_end_calls++] = (struct import_end_call){call, context};
}

void import_finish(struct import *import, struct import_file *const *files, size_t n_files)
{
    for (size_t i = 0; i < import->n_end_calls; i++)
        import->end_calls[i].call(import->end_calls[i].context);
    sorter_emit_all(import->sorter);
    for (size_t i = 0; i < n_files; i++)
        if (files[i]->importer && files[i]->importer->finish) files[i]->importer->finish(files[i]);
    symbols_finish(import);
    slice_tracker_finish(import->slices);
    flow_tracker_finish(import->flows);
    sched_tracker_finish(import->sched);
    process_tracker_finish(import->processes);
    if (cancel_is_requested(import->cancel))
        stats_add_global(import, STAT_perfetty_load_interrupted, 1);
    stats_finish(import);
}

void import_progress(struct import *import, uint64_t bytes)
{
    import->bytes_done += bytes;
    if (!import->progress) return;
    int64_t now = clock_now_ns();
    if (now < import->next_progress_ns) return;
    import->next_progress_ns = now + PROGRESS_EVERY_NS;
    import->progress(import->progress_context, import->bytes_done, import->bytes_total);
}
