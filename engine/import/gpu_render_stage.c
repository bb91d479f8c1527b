/* Work that a GPU did (spec engine_2 2.7): gpu_render_stage_event packets become
 * slices on lanes, one set a hardware queue.
 *
 * Queues and stages are interned (by iid), or told by a Specifications message
 * (by position), which may come after the first event of its queue: the queue's
 * lanes then carry a placeholder for a name, and the first is renamed. */
#include "engine/import/gpu_events.h"

#include <inttypes.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"

enum stage_field {
    STAGE_EVENT_ID = 1,
    STAGE_DURATION = 2,
    STAGE_QUEUE_ID = 3,
    STAGE_ID = 4,
    STAGE_CONTEXT = 5,
    STAGE_EXTRA = 6,
    STAGE_SPECIFICATIONS = 7,
    STAGE_TARGET = 8,
    STAGE_PASS = 9,
    STAGE_SUBMISSION = 10,
    STAGE_GPU = 11,
    STAGE_COMMANDS = 12,
    STAGE_QUEUE_IID = 13,
    STAGE_IID = 14,
    STAGE_SUBPASSES = 15,
    STAGE_PASS_INSTANCE = 16,
    STAGE_NAME = 17,
    STAGE_WAITS = 18,
    STAGE_KERNEL = 19,
    STAGE_NAME_IID = 20,
    STAGE_LAUNCH = 21,
};

enum interned_field {
    INTERNED_EVENT_NAMES = 2,
    INTERNED_CONTEXTS = 23,
    INTERNED_SPECIFICATIONS = 24,
    INTERNED_STRINGS = 29,
    INTERNED_KERNELS = 3000,
    INTERNED_ARG_NAMES = 3001,
};

enum vulkan_object { VULKAN_COMMAND_BUFFER = 6, VULKAN_RENDER_PASS = 18, VULKAN_FRAMEBUFFER = 24 };

/* Queues and stages told by position. */
#define MAX_SPECIFICATIONS 4096

/* An event while it is read. */
struct stage_event {
    struct gpu_events *gpu;
    const struct packet *packet;
    const struct import_file *file;
    struct ftrace_fields f;
    struct str bytes;
    int64_t ts;
    int32_t pid;
    uint32_t gpu_id;
};

static string_id text(const struct stage_event *e, const char *literal)
{
    return strpool_intern_text(e->file->import->strings, literal);
}

static void put(struct stage_event *e, const char *key, enum arg_type type, int64_t value)
{
    string_id id = text(e, key);
    arg_list_put(&e->gpu->args,
                 (struct arg){.flat_key = id, .key = id, .type = type, .value.integer = value});
}

static void put_string(struct stage_event *e, const char *key, string_id value)
{
    arg_list_put_string(&e->gpu->args, text(e, key), value);
}

/* ---- specifications by position ---- */

/* The queue was seen before it had a name: its first lane gets it now. */
static void name_queue(struct stage_event *e, uint64_t number, const struct gpu_named *queue)
{
    uint64_t *track = map_get(&e->gpu->unnamed_queues, number);
    if (!track) return;
    struct table *tracks = &e->file->import->tables->track.table;
    table_set_string(tracks, track_COLUMN_name, (uint32_t)*track, queue->name);
    vec_clear(&e->gpu->args);
    put_string(e, "description", queue->description);
    table_set_int64(tracks, track_COLUMN_source_arg_set_id, (uint32_t)*track,
                    args_commit(e->file->import->args, &e->gpu->args));
    map_remove(&e->gpu->unnamed_queues, number);
}

static bool read_named(const struct stage_event *e, struct str bytes, struct gpu_named *named)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    if (!field_has(&f, 1)) return false;
    struct strpool *strings = e->file->import->strings;
    named->name = strpool_intern(strings, field_str(&f, 1));
    named->description = field_has(&f, 2) ? strpool_intern(strings, field_str(&f, 2)) : STRING_NULL;
    return true;
}

static void read_specifications(struct stage_event *e, struct str bytes)
{
    struct gpu_events *gpu = e->gpu;
    struct wire w = wire_open(bytes);
    struct wire_field f, pid;
    struct gpu_named named;
    uint32_t queue = 0;
    while (wire_next(&w, &f)) {
        if (f.type != WIRE_BYTES) continue;
        if (f.number == 1 && wire_find(f.bytes, 2, &pid)) e->pid = (int32_t)pid.value;
        if (f.number == 2 && queue < MAX_SPECIFICATIONS) {
            if (read_named(e, f.bytes, &named)) {
                while (gpu->queues.count <= queue)
                    vec_push(&gpu->queues, (struct gpu_named){STRING_NULL, STRING_NULL});
                gpu->queues.items[queue] = named;
                name_queue(e, queue, &named);
            }
            queue++;
        }
        if (f.number == 3 && gpu->stages.count < MAX_SPECIFICATIONS &&
            read_named(e, f.bytes, &named))
            vec_push(&gpu->stages, named);
    }
}

/* ---- contexts ---- */

static void read_context(struct stage_event *e, uint64_t context)
{
    static const char *const apis[] = {"UNDEFINED", "OPEN_GL", "VULKAN", "OPEN_CL", "CUDA", "HIP"};
    struct str entry;
    if (!packet_interned(e->packet, INTERNED_CONTEXTS, context, &entry)) return;
    struct ftrace_fields f;
    ftrace_read_fields(&f, entry);
    e->pid = (int32_t)field_int(&f, 2);
    bool added;
    map_put_if_absent(&e->gpu->contexts, context, 0, &added);
    if (!added) return;
    struct gpu_context_row row = {.context_id = (uint32_t)context};
    if (field_has(&f, 2)) row.pid = some_uint32((uint32_t)field_uint(&f, 2));
    if (field_uint(&f, 3) < sizeof apis / sizeof apis[0] && field_has(&f, 3))
        row.api = text(e, apis[field_uint(&f, 3)]);
    gpu_context_append(&e->file->import->tables->gpu_context, &row);
}

/* ---- the queue's lanes ---- */

/* False when the queue is not known. */
static bool queue_of(struct stage_event *e, struct gpu_named *queue, string_id *dimension,
                     uint64_t *number, bool *is_unnamed)
{
    struct str entry;
    *is_unnamed = false;
    if (field_has(&e->f, STAGE_QUEUE_IID)) {
        *number = field_uint(&e->f, STAGE_QUEUE_IID);
        if (!packet_interned(e->packet, INTERNED_SPECIFICATIONS, *number, &entry)) return false;
        struct ftrace_fields f;
        ftrace_read_fields(&f, entry);
        struct strpool *strings = e->file->import->strings;
        queue->name = *dimension = strpool_intern(strings, field_str(&f, 2));
        queue->description =
            field_str(&f, 3).n ? strpool_intern(strings, field_str(&f, 3)) : STRING_NULL;
        return true;
    }
    *number = (uint32_t)field_uint(&e->f, STAGE_QUEUE_ID);
    if (*number < e->gpu->queues.count && e->gpu->queues.items[*number].name != STRING_NULL) {
        *queue = e->gpu->queues.items[*number];
        *dimension = queue->name;
        return true;
    }
    char name[64];
    probe_format(name, sizeof name, "Unknown GPU Queue %" PRIu64, *number);
    *queue = (struct gpu_named){text(e, name), STRING_NULL};
    *dimension = STRING_NULL;
    *is_unnamed = true;
    return true;
}

static uint32_t track_of(struct stage_event *e, uint64_t number, const struct gpu_named *queue,
                         string_id dimension)
{
    struct track_key key = probe_key(e->file, "gpu_render_stage", TRACK_SLICE);
    probe_dimension_int(&key, "ugpu", gpu_intern(e->file, e->gpu_id));
    probe_dimension_int(&key, "gpu", e->gpu_id);
    probe_dimension_text(e->file, &key, "render_stage_source",
                         str_of(field_has(&e->f, STAGE_QUEUE_IID) ? "iid" : "id"));
    probe_dimension_int(&key, "hwqueue_id", (uint32_t)number);
    key.dimensions[key.n_dimensions++] = dimension_string("hwqueue_name", dimension);
    vec_clear(&e->gpu->args);
    if (queue->description != STRING_NULL) put_string(e, "description", queue->description);
    struct track_info info = {.name = queue->name, .source_args = &e->gpu->args};
    uint32_t lanes = track_lanes_intern(e->file->import->tracks, &key, &info);
    return track_lane_scoped(e->file->import->tracks, lanes, e->ts,
                             field_int(&e->f, STAGE_DURATION));
}

/* ---- names and args ---- */

static string_id name_of(const struct stage_event *e)
{
    struct strpool *strings = e->file->import->strings;
    if (field_has(&e->f, STAGE_NAME_IID))
        return packet_interned_string(e->packet, INTERNED_EVENT_NAMES,
                                      field_uint(&e->f, STAGE_NAME_IID));
    if (field_has(&e->f, STAGE_NAME)) return strpool_intern(strings, field_str(&e->f, STAGE_NAME));
    if (field_has(&e->f, STAGE_IID))
        return packet_interned_string(e->packet, INTERNED_SPECIFICATIONS,
                                      field_uint(&e->f, STAGE_IID));
    /* A stage is a 32-bit number with a sign. */
    uint64_t stage = (uint64_t)(int64_t)(int32_t)field_int(&e->f, STAGE_ID);
    if (stage < e->gpu->stages.count) return e->gpu->stages.items[stage].name;
    char name[64];
    probe_format(name, sizeof name, "render stage(%" PRIu64 ")", stage);
    return text(e, name);
}

static void put_stage(struct stage_event *e)
{
    struct str entry;
    uint64_t stage = field_uint(&e->f, STAGE_ID);
    if (field_has(&e->f, STAGE_IID)) {
        if (!packet_interned(e->packet, INTERNED_SPECIFICATIONS, field_uint(&e->f, STAGE_IID),
                             &entry))
            return;
        struct ftrace_fields f;
        ftrace_read_fields(&f, entry);
        put(e, "render_stage_category", ARG_INT, field_int(&f, 4));
        put_string(e, "description", strpool_intern(e->file->import->strings, field_str(&f, 3)));
    } else if (field_has(&e->f, STAGE_ID) && stage < e->gpu->stages.count &&
               e->gpu->stages.items[stage].description != STRING_NULL) {
        put_string(e, "description", e->gpu->stages.items[stage].description);
    }
}

/* ExtraComputeArg: a name, here or interned, and a value of some type. */
static void put_compute_arg(struct stage_event *e, struct str bytes)
{
    struct strpool *strings = e->file->import->strings;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    string_id key = STRING_NULL;
    if (field_has(&f, 1))
        key = packet_interned_string(e->packet, INTERNED_ARG_NAMES, field_uint(&f, 1));
    else if (field_has(&f, 2))
        key = strpool_intern(strings, field_str(&f, 2));
    if (key == STRING_NULL) return;
    struct arg arg = {.flat_key = key, .key = key};
    if (field_has(&f, 3)) {
        arg.value.integer = field_int(&f, 3);
    } else if (field_has(&f, 4)) {
        arg.type = ARG_UINT;
        arg.value.integer = field_int(&f, 4);
    } else if (field_has(&f, 5)) {
        struct wire_field real = {.value = field_uint(&f, 5)};
        arg.type = ARG_REAL;
        arg.value.real = wire_double(&real);
    } else if (field_has(&f, 7) || field_has(&f, 6)) {
        arg.type = ARG_STRING;
        arg.value.string = field_has(&f, 7) ? packet_interned_string(e->packet, INTERNED_STRINGS,
                                                                     field_uint(&f, 7))
                                            : strpool_intern(strings, field_str(&f, 6));
        if (arg.value.string == STRING_NULL) return;
    } else {
        return;
    }
    arg_list_put(&e->gpu->args, arg);
}

static void put_kernel(struct stage_event *e)
{
    static const char *const keys[] = {NULL, NULL, "kernel_name", "kernel_demangled_name", "arch"};
    struct str entry;
    if (!field_has(&e->f, STAGE_KERNEL) ||
        !packet_interned(e->packet, INTERNED_KERNELS, field_uint(&e->f, STAGE_KERNEL), &entry))
        return;
    struct wire w = wire_open(entry);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.type != WIRE_BYTES) continue;
        if (f.number >= 2 && f.number <= 4)
            put_string(e, keys[f.number], strpool_intern(e->file->import->strings, f.bytes));
        if (f.number == 5) put_compute_arg(e, f.bytes);
    }
}

static void put_launch(struct stage_event *e)
{
    static const char *const sizes[] = {"grid_size", "workgroup_size"};
    struct wire w = wire_open(field_str(&e->f, STAGE_LAUNCH));
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.type != WIRE_BYTES) continue;
        if (f.number == 3) put_compute_arg(e, f.bytes);
        if (f.number != 1 && f.number != 2) continue;
        struct ftrace_fields size;
        ftrace_read_fields(&size, f.bytes);
        for (uint32_t axis = 1; axis <= 3; axis++) {
            char key[32];
            probe_format(key, sizeof key, "%s_%c", sizes[f.number - 1], "xyz"[axis - 1]);
            if (field_has(&size, axis)) put(e, key, ARG_UINT, field_int(&size, axis));
        }
    }
}

/* The numbers of the bits that are set, over all masks: "0,3,64". */
static string_id subpasses_of(const struct stage_event *e)
{
    struct wire w = wire_open(e->bytes);
    struct wire_field f;
    struct buffer list = BUFFER_INIT;
    unsigned base = 0;
    string_id id = STRING_NULL;
    while (wire_next(&w, &f)) {
        if (f.number != STAGE_SUBPASSES) continue;
        struct wire packed = f.type == WIRE_BYTES ? wire_open(f.bytes) : wire_open(STR_NONE);
        uint64_t mask = f.value;
        bool single = f.type != WIRE_BYTES;
        for (; single || wire_varint(&packed, &mask); single = false, base += 64)
            for (unsigned bit = 0; bit < 64 && list.length < 240; bit++)
                if (mask >> bit & 1) buffer_printf(&list, list.length ? ",%u" : "%u", base + bit);
    }
    if (field_has(&e->f, STAGE_SUBPASSES))
        id = strpool_intern(e->file->import->strings,
                            list.length ? buffer_str(&list) : (struct str){"", 0});
    buffer_free(&list);
    return id;
}

static void put_extra(struct stage_event *e)
{
    struct strpool *strings = e->file->import->strings;
    struct wire w = wire_open(e->bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number != STAGE_EXTRA || f.type != WIRE_BYTES) continue;
        struct ftrace_fields datum;
        ftrace_read_fields(&datum, f.bytes);
        arg_list_put_string(&e->gpu->args, strpool_intern(strings, field_str(&datum, 1)),
                            field_has(&datum, 2) ? strpool_intern(strings, field_str(&datum, 2))
                                                 : STRING_NULL);
    }
}

static void put_handle(struct stage_event *e, const char *key, const char *name_key,
                       enum vulkan_object type, enum stage_field field)
{
    put(e, key, ARG_UINT, field_int(&e->f, field));
    put_string(e, name_key, gpu_object_name(e->gpu, type, field_uint(&e->f, field)));
}

static void put_args(struct stage_event *e, uint64_t queue)
{
    vec_clear(&e->gpu->args);
    put_stage(e);
    put_kernel(e);
    put_launch(e);
    if (field_uint(&e->f, STAGE_PASS_INSTANCE)) {
        char id[32];
        probe_format(id, sizeof id, "rp:#%" PRIu64, field_uint(&e->f, STAGE_PASS_INSTANCE));
        put_string(e, "correlation_id", text(e, id));
    }
    put_extra(e);
    put(e, "context_id", ARG_UINT, field_int(&e->f, STAGE_CONTEXT));
    put_handle(e, "render_target", "render_target_name", VULKAN_FRAMEBUFFER, STAGE_TARGET);
    put_handle(e, "render_pass", "render_pass_name", VULKAN_RENDER_PASS, STAGE_PASS);
    put_string(e, "render_subpasses", subpasses_of(e));
    put_handle(e, "command_buffer", "command_buffer_name", VULKAN_COMMAND_BUFFER, STAGE_COMMANDS);
    put(e, "submission_id", ARG_INT, (uint32_t)field_uint(&e->f, STAGE_SUBMISSION));
    put(e, "hw_queue_id", ARG_UINT, (int64_t)queue);
    put(e, "upid", ARG_INT, process_intern(e->file, e->pid));
}

/* ---- flows ---- */

static void link_waits(const struct stage_event *e, uint32_t slice)
{
    struct wire w = wire_open(e->bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number != STAGE_WAITS) continue;
        struct wire packed = f.type == WIRE_BYTES ? wire_open(f.bytes) : wire_open(STR_NONE);
        uint64_t id = f.value;
        bool single = f.type != WIRE_BYTES;
        for (; single || wire_varint(&packed, &id); single = false)
            flow_link_gpu(e->file, GPU_LINK_WAIT, id, slice);
    }
}

void gpu_parse_render_stage(void *state, int64_t ts, const struct packet *packet, struct str bytes)
{
    struct stage_event e = {
        .gpu = state, .packet = packet, .file = packet->file, .bytes = bytes, .ts = ts};
    ftrace_read_fields(&e.f, bytes);
    e.gpu_id = (uint32_t)field_uint(&e.f, STAGE_GPU);
    if (field_has(&e.f, STAGE_SPECIFICATIONS))
        read_specifications(&e, field_str(&e.f, STAGE_SPECIFICATIONS));
    if (field_has(&e.f, STAGE_CONTEXT)) read_context(&e, field_uint(&e.f, STAGE_CONTEXT));
    if (!field_has(&e.f, STAGE_EVENT_ID)) return;
    struct gpu_named queue;
    string_id dimension;
    uint64_t number;
    bool is_unnamed;
    if (!queue_of(&e, &queue, &dimension, &number, &is_unnamed)) return;
    if (field_int(&e.f, STAGE_DURATION) < 0) {
        stats_add(e.file, STAT_slice_negative_duration, 1);
        return;
    }
    uint32_t track = track_of(&e, number, &queue, dimension);
    bool added;
    if (is_unnamed) map_put_if_absent(&e.gpu->unnamed_queues, number, track, &added);
    string_id name = name_of(&e);
    put_args(&e, number);
    uint32_t slice = slice_scoped(e.file, ts, field_int(&e.f, STAGE_DURATION), track, STRING_NULL,
                                  name, &e.gpu->args);
    if (slice == NO_SLICE) return;
    flow_link_gpu(e.file, GPU_LINK_STAGE, field_uint(&e.f, STAGE_EVENT_ID), slice);
    link_waits(&e, slice);
}
