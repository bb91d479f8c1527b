/* GPUs: what they are, their log and their memory (spec engine_2 2.7); render
 * stages and Vulkan are in files of their own. */
#include "engine/import/gpu_events.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/process.h"

enum packet_field {
    PACKET_RENDER_STAGE = 53,
    PACKET_VULKAN_MEMORY = 62,
    PACKET_GPU_LOG = 63,
    PACKET_VULKAN_API = 65,
    PACKET_GPU_MEMORY = 71,
    PACKET_GPU_INFO = 128,
};

string_id gpu_object_name(const struct gpu_events *gpu, int32_t type, uint64_t handle)
{
    const uint64_t *name = map_get(&gpu->object_names, hash_mix((uint32_t)type, handle));
    return name ? (string_id)*name : STRING_NULL;
}

static void parse_log(void *state, int64_t ts, const struct packet *packet, struct str bytes)
{
    static const char *const severities[] = {"UNSPECIFIED", "VERBOSE", "DEBUG",
                                             "INFO",        "WARNING", "ERROR"};
    struct gpu_events *gpu = state;
    struct strpool *strings = packet->file->import->strings;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    uint64_t severity = field_uint(&f, 1);
    const char *name = severity < sizeof severities / sizeof severities[0] ? severities[severity]
                                                                           : "UNKNOWN_SEVERITY";
    vec_clear(&gpu->args);
    if (field_has(&f, 2))
        arg_list_put_string(&gpu->args, strpool_intern_text(strings, "tag"),
                            strpool_intern(strings, field_str(&f, 2)));
    if (field_has(&f, 3))
        arg_list_put_string(&gpu->args, strpool_intern_text(strings, "message"),
                            strpool_intern(strings, field_str(&f, 3)));
    struct track_key key = probe_key(packet->file, "gpu_log", TRACK_SLICE);
    slice_scoped(packet->file, ts, 0, probe_track(packet->file, &key, "GPU Log", NULL), STRING_NULL,
                 strpool_intern_text(strings, name), &gpu->args);
}

/* Process 0 stands for all of them. */
static void parse_memory(void *state, int64_t ts, const struct packet *packet, struct str bytes)
{
    (void)state;
    const struct import_file *file = packet->file;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    uint32_t gpu = (uint32_t)field_uint(&f, 1), pid = (uint32_t)field_uint(&f, 2);
    struct track_key key =
        probe_key(file, pid ? "process_gpu_memory" : "gpu_memory", TRACK_COUNTER);
    probe_dimension_int(&key, "ugpu", gpu_intern(file, gpu));
    probe_dimension_int(&key, "gpu", gpu);
    if (pid) {
        thread_intern_in(file, pid, pid);
        probe_dimension_int(&key, "upid", process_intern(file, pid));
    }
    probe_count(file, ts, &key, "GPU Memory", "bytes", (double)field_uint(&f, 3));
}

/* A uuid of 16 bytes as text; anything else stays as it is. */
static struct str uuid_text(char out[40], struct str bytes)
{
    if (bytes.n != 16) return bytes;
    size_t n = 0;
    for (size_t i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) out[n++] = '-';
        probe_format(out + n, 3, "%02x", (unsigned)(uint8_t)bytes.p[i]);
        n += 2;
    }
    return (struct str){out, n};
}

static void set_info(struct gpu_events *gpu, const struct import_file *file, uint32_t number,
                     struct str bytes)
{
    static const int columns[] = {-1,
                                  gpu_COLUMN_name,
                                  gpu_COLUMN_vendor,
                                  gpu_COLUMN_model,
                                  gpu_COLUMN_architecture,
                                  gpu_COLUMN_uuid,
                                  -1 /* more facts, as args */,
                                  gpu_COLUMN_pci_bdf};
    struct strpool *strings = file->import->strings;
    struct table *table = &file->import->tables->gpu.table;
    uint32_t row = gpu_intern(file, number);
    struct wire w = wire_open(bytes);
    struct wire_field f;
    vec_clear(&gpu->args);
    while (wire_next(&w, &f)) {
        char uuid[40];
        if (f.type != WIRE_BYTES || f.number > 7 || f.bytes.n == 0) continue;
        if (f.number == 6) {
            struct ftrace_fields fact;
            ftrace_read_fields(&fact, f.bytes);
            if (field_str(&fact, 1).n)
                arg_list_put_string(&gpu->args, strpool_intern(strings, field_str(&fact, 1)),
                                    strpool_intern(strings, field_str(&fact, 2)));
        } else {
            struct str value = f.number == 5 ? uuid_text(uuid, f.bytes) : f.bytes;
            table_set_string(table, (uint32_t)columns[f.number], row,
                             strpool_intern(strings, value));
        }
    }
    if (gpu->args.count)
        table_set_int64(table, gpu_COLUMN_arg_set_id, row,
                        args_commit(file->import->args, &gpu->args));
}

static void parse_info(void *state, int64_t ts, const struct packet *packet, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    uint32_t number = 0;
    (void)ts;
    while (wire_next(&w, &f))
        if (f.number == 1 && f.type == WIRE_BYTES) set_info(state, packet->file, number++, f.bytes);
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct gpu_events));
}

static void finish(void *state)
{
    struct gpu_events *gpu = state;
    vec_free(&gpu->queues);
    vec_free(&gpu->stages);
    map_free(&gpu->unnamed_queues);
    map_free(&gpu->contexts);
    map_free(&gpu->object_names);
    map_free(&gpu->memory);
    vec_free(&gpu->args);
    mem_free(gpu);
}

static const struct packet_module modules[] = {
    {PACKET_RENDER_STAGE, NULL, gpu_parse_render_stage},
    {PACKET_VULKAN_MEMORY, NULL, gpu_parse_vulkan_memory},
    {PACKET_GPU_LOG, NULL, parse_log},
    {PACKET_VULKAN_API, NULL, gpu_parse_vulkan_api},
    {PACKET_GPU_MEMORY, NULL, parse_memory},
    {PACKET_GPU_INFO, NULL, parse_info},
};

const struct packet_source gpu_events_source = {
    .name = "gpu_events",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = sizeof modules / sizeof modules[0],
};
