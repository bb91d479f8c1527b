/* The packet source of kernel events: its state, and the packets that feed it. */
#include "engine/import/ftrace.h"

#include "engine/base/memory.h"
#include "engine/import/atrace.h"
#include "engine/import/binder.h"
#include "engine/import/ftrace_generic.h"
#include "engine/import/ftrace_handlers.h"
#include "engine/import/ftrace_log.h"
#include "engine/import/ftrace_stats.h"
#include "engine/import/stats.h"

enum packet_field { PACKET_FTRACE = 1, PACKET_FTRACE_STATS = 34 };

/* Set up at the first packet: a trace without kernel events pays nothing. */
static void prepare(struct ftrace *ftrace, const struct packet *packet)
{
    if (ftrace->file) return;
    ftrace->file = packet->file;
    ftrace->import = packet->file->import;
    ftrace->atrace = atrace_new(packet->file);
    ftrace->log = ftrace_log_of(ftrace->import->tables);
}

static void *create(struct packet_reader *reader)
{
    struct ftrace *ftrace = mem_zero(1, sizeof *ftrace);
    ftrace->reader = reader;
    ftrace->latest_start = INT64_MIN;
    return ftrace;
}

static void finish(void *state)
{
    struct ftrace *ftrace = state;
    ftrace_adopt_orphans(ftrace);
    vec_free(&ftrace->orphans);
    for (uint32_t i = 0; i < ftrace->n_queues; i++)
        mem_free(ftrace->cpus[i]);
    for (size_t i = 0; i < ftrace->contexts.count; i++)
        if (ftrace->contexts.items[i].generation)
            packet_release(ftrace->contexts.items[i].generation);
    vec_free(&ftrace->contexts);
    vec_free(&ftrace->comms);
    vec_free(&ftrace->args);
    map_free(&ftrace->state_names);
    mem_free(ftrace->kernel_release);
    ftrace_generic_free(ftrace);
    atrace_free(ftrace->atrace);
    binder_free(ftrace->binder);
    ftrace_drm_free(ftrace->drm);
    ftrace_v4l2_free(ftrace->v4l2);
    ftrace_syscalls_free(ftrace->syscalls);
    ftrace_adreno_free(ftrace->adreno);
    map_free(&ftrace->memory_owners);
    strmap_free(&ftrace->network_bytes);
    mem_free(ftrace);
}

static bool tokenize_bundle(void *state, const struct packet *packet, struct str field)
{
    prepare(state, packet);
    return ftrace_tokenize_bundle(state, packet, field);
}

static bool tokenize_stats(void *state, const struct packet *packet, struct str field)
{
    struct ftrace *ftrace = state;
    struct wire_field f;
    (void)packet;
    if (wire_find(field, 8, &f) && f.value) ftrace->keep_before_start = true;
    return false;
}

static void parse_stats(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    (void)ts;
    ftrace_stats_parse(packet->file, field);
}

static const struct packet_module modules[] = {
    {PACKET_FTRACE, tokenize_bundle, NULL},
    {PACKET_FTRACE_STATS, tokenize_stats, parse_stats},
};

const struct packet_source ftrace_source = {
    .name = "ftrace",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = sizeof modules / sizeof modules[0],
};
