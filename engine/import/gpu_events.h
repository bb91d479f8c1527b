/* The state that packets about GPUs share (spec engine_2 2.7): names of Vulkan's
 * objects, of queues and of stages. */
#ifndef ENGINE_IMPORT_GPU_EVENTS_H
#define ENGINE_IMPORT_GPU_EVENTS_H

#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/ftrace.h"
#include "engine/import/packet.h"
#include "engine/import/probe_track.h"

struct gpu_named {
    string_id name, description;
};

struct gpu_events {
    VEC(struct gpu_named) queues, stages; /* by position; a queue's name may be NULL */
    struct map unnamed_queues;            /* number -> track that waits for its name */
    struct map contexts;                  /* ids that have their row */
    struct map object_names;              /* hash of (type, handle) -> string_id */
    struct map memory;                    /* hash of (what, type) -> bytes */
    struct arg_list args;
};

/* STRING_NULL when the object was never named. */
string_id gpu_object_name(const struct gpu_events *gpu, int32_t type, uint64_t handle);

/* gpu_render_stage.c */
void gpu_parse_render_stage(void *state, int64_t ts, const struct packet *packet, struct str bytes);
/* gpu_vulkan.c */
void gpu_parse_vulkan_api(void *state, int64_t ts, const struct packet *packet, struct str bytes);
void gpu_parse_vulkan_memory(void *state, int64_t ts, const struct packet *packet,
                             struct str bytes);

#endif
