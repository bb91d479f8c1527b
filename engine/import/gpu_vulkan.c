/* Vulkan: submissions, names of objects, memory (spec engine_2 2.7). */
#include "engine/import/gpu_events.h"

#include "engine/base/hash.h"
#include "engine/base/strpool.h"
#include "engine/import/process.h"

enum interned_field { INTERNED_FUNCTION_NAMES = 5, INTERNED_VULKAN_KEYS = 22 };

/* ---- API calls ---- */

static void put(struct gpu_events *gpu, string_id key, string_id flat_key, enum arg_type type,
                int64_t value)
{
    arg_list_put(
        &gpu->args,
        (struct arg){.flat_key = flat_key, .key = key, .type = type, .value.integer = value});
}

static void put_command_buffers(struct gpu_events *gpu, struct strpool *strings, struct str submit)
{
    string_id all = strpool_intern_text(strings, "command_buffers");
    string_id first = strpool_intern_text(strings, "command_buffer");
    struct wire w = wire_open(submit);
    struct wire_field f;
    unsigned n = 0;
    while (wire_next(&w, &f)) {
        if (f.number != 5) continue;
        struct wire packed = f.type == WIRE_BYTES ? wire_open(f.bytes) : wire_open(STR_NONE);
        uint64_t handle = f.value;
        bool single = f.type != WIRE_BYTES;
        for (; single || wire_varint(&packed, &handle); single = false) {
            char key[40];
            if (n == 0) put(gpu, first, first, ARG_UINT, (int64_t)handle);
            probe_format(key, sizeof key, "command_buffers[%u]", n++);
            put(gpu, strpool_intern_text(strings, key), all, ARG_UINT, (int64_t)handle);
        }
    }
}

static void show_submit(struct gpu_events *gpu, int64_t ts, const struct import_file *file,
                        struct str submit)
{
    struct strpool *strings = file->import->strings;
    struct ftrace_fields f;
    ftrace_read_fields(&f, submit);
    vec_clear(&gpu->args);
    arg_list_put_int(&gpu->args, strpool_intern_text(strings, "pid"), (uint32_t)field_uint(&f, 2));
    arg_list_put_int(&gpu->args, strpool_intern_text(strings, "tid"), (uint32_t)field_uint(&f, 3));
    put_command_buffers(gpu, strings, submit);
    arg_list_put_int(&gpu->args, strpool_intern_text(strings, "submission_id"),
                     (uint32_t)field_uint(&f, 6));
    struct track_key key = probe_key(file, "vulkan_events", TRACK_SLICE);
    slice_scoped(file, ts, field_int(&f, 1), probe_track(file, &key, "Vulkan Events", NULL),
                 STRING_NULL, strpool_intern_text(strings, "vkQueueSubmit"), &gpu->args);
}

void gpu_parse_vulkan_api(void *state, int64_t ts, const struct packet *packet, struct str bytes)
{
    struct gpu_events *gpu = state;
    struct wire_field f;
    if (wire_find(bytes, 1, &f)) {
        struct ftrace_fields object;
        ftrace_read_fields(&object, f.bytes);
        map_set(&gpu->object_names,
                hash_mix((uint32_t)field_uint(&object, 3), field_uint(&object, 4)),
                strpool_intern(packet->file->import->strings, field_str(&object, 5)));
    }
    if (wire_find(bytes, 2, &f)) show_submit(gpu, ts, packet->file, f.bytes);
}

/* ---- memory ---- */

enum memory_field {
    MEMORY_SOURCE = 1,
    MEMORY_OPERATION = 2,
    MEMORY_TIME = 3,
    MEMORY_PID = 4,
    MEMORY_ADDRESS = 5,
    MEMORY_SIZE = 6,
    MEMORY_CALLER = 7,
    MEMORY_SCOPE = 8,
    MEMORY_ANNOTATION = 9,
    MEMORY_DEVICE = 16,
    MEMORY_DEVICE_MEMORY = 17,
    MEMORY_TYPE = 18,
    MEMORY_HEAP = 19,
    MEMORY_HANDLE = 20,
};

enum source { SOURCE_DRIVER = 1, SOURCE_DEVICE_MEMORY = 3, SOURCE_BUFFER = 4, SOURCE_IMAGE = 5 };
enum operation { OP_CREATE = 1, OP_DESTROY = 2, OP_BIND = 3, OP_DESTROY_BOUND = 4 };

static const char *const scopes[] = {"UNSPECIFIED", "COMMAND", "OBJECT",
                                     "CACHE",       "DEVICE",  "INSTANCE"};
#define N_SCOPES (sizeof scopes / sizeof scopes[0])

/* +1 where memory is taken, -1 where it is given back, 0 where neither. */
static int sign_of(const struct ftrace_fields *f)
{
    bool binds = field_uint(f, MEMORY_SOURCE) >= SOURCE_BUFFER;
    uint64_t operation = field_uint(f, MEMORY_OPERATION);
    if (operation == (binds ? OP_BIND : OP_CREATE)) return 1;
    return operation == (binds ? OP_DESTROY_BOUND : OP_DESTROY) ? -1 : 0;
}

static void count_memory(struct gpu_events *gpu, const struct import_file *file,
                         const struct ftrace_fields *f, uint32_t upid)
{
    uint64_t source = field_uint(f, MEMORY_SOURCE), scope = field_uint(f, MEMORY_SCOPE);
    uint32_t type = (uint32_t)field_uint(f, MEMORY_TYPE);
    int sign = sign_of(f);
    char name[80];
    struct track_key key;
    uint64_t what = source == SOURCE_IMAGE ? SOURCE_BUFFER : source;
    if (!sign) return;
    if (source == SOURCE_DRIVER) {
        if (scope == 0 || scope >= N_SCOPES) return;
        key = probe_key(file, "vulkan_driver_mem", TRACK_COUNTER);
        probe_dimension_int(&key, "upid", upid);
        probe_dimension_text(file, &key, "vulkan_allocation_scope", str_of(scopes[scope]));
        probe_format(name, sizeof name, "vulkan.mem.driver.scope.%s", scopes[scope]);
        type = (uint32_t)scope;
    } else if (source == SOURCE_DEVICE_MEMORY || what == SOURCE_BUFFER) {
        bool binds = what == SOURCE_BUFFER;
        key = probe_key(file, binds ? "vulkan_device_mem_bind" : "vulkan_device_mem_allocation",
                        TRACK_COUNTER);
        probe_dimension_int(&key, "upid", upid);
        probe_dimension_int(&key, "vulkan_memory_type", type);
        probe_format(name, sizeof name, "vulkan.mem.device.memory.type.%u.%s", (unsigned)type,
                     binds ? "bind" : "allocation");
    } else {
        return;
    }
    bool added;
    uint64_t *bytes = map_put_if_absent(&gpu->memory, hash_mix(what, type), 0, &added);
    *bytes += sign > 0 ? field_uint(f, MEMORY_SIZE) : 0 - field_uint(f, MEMORY_SIZE);
    probe_count(file, field_int(f, MEMORY_TIME), &key, name, NULL, (double)(int64_t)*bytes);
}

static void put_annotation(struct gpu_events *gpu, const struct packet *packet, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    string_id key = packet_interned_string(packet, INTERNED_VULKAN_KEYS, field_uint(&f, 1));
    if (key == STRING_NULL) return;
    if (field_has(&f, 2)) {
        arg_list_put_int(&gpu->args, key, field_int(&f, 2));
    } else if (field_has(&f, 3)) {
        struct wire_field real = {.value = field_uint(&f, 3)};
        arg_list_put_real(&gpu->args, key, wire_double(&real));
    } else if (field_has(&f, 4)) {
        arg_list_put_string(
            &gpu->args, key,
            packet_interned_string(packet, INTERNED_VULKAN_KEYS, field_uint(&f, 4)));
    }
}

static string_id name_in(struct strpool *strings, const char *const *names, size_t n, uint64_t i)
{
    return strpool_intern_text(strings, names[i < n ? i : 0]);
}

static struct opt_int64 optional(const struct ftrace_fields *f, enum memory_field field)
{
    return field_has(f, field) ? some_int64(field_int(f, field)) : (struct opt_int64){0};
}

void gpu_parse_vulkan_memory(void *state, int64_t ts, const struct packet *packet, struct str bytes)
{
    static const char *const sources[] = {"UNSPECIFIED",   "DRIVER", "DEVICE",
                                          "DEVICE_MEMORY", "BUFFER", "IMAGE"};
    static const char *const operations[] = {"UNSPECIFIED", "CREATE",        "DESTROY",
                                             "BIND",        "DESTROY_BOUND", "ANNOTATIONS"};
    struct gpu_events *gpu = state;
    const struct import_file *file = packet->file;
    struct strpool *strings = file->import->strings;
    struct ftrace_fields f;
    (void)ts;
    ftrace_read_fields(&f, bytes);
    uint32_t upid = process_intern(file, (uint32_t)field_uint(&f, MEMORY_PID));
    struct vulkan_memory_allocations_row row = {
        .source = name_in(strings, sources, 6, field_uint(&f, MEMORY_SOURCE)),
        .operation = name_in(strings, operations, 6, field_uint(&f, MEMORY_OPERATION)),
        .timestamp = field_int(&f, MEMORY_TIME),
        .upid = some_uint32(upid),
        .device = optional(&f, MEMORY_DEVICE),
        .device_memory = optional(&f, MEMORY_DEVICE_MEMORY),
        .object_handle = optional(&f, MEMORY_HANDLE),
        .memory_address = optional(&f, MEMORY_ADDRESS),
        .memory_size = optional(&f, MEMORY_SIZE),
    };
    if (field_has(&f, MEMORY_TYPE))
        row.memory_type = some_uint32((uint32_t)field_uint(&f, MEMORY_TYPE));
    if (field_has(&f, MEMORY_HEAP)) row.heap = some_uint32((uint32_t)field_uint(&f, MEMORY_HEAP));
    if (field_has(&f, MEMORY_CALLER))
        row.function_name =
            packet_interned_string(packet, INTERNED_FUNCTION_NAMES, field_uint(&f, MEMORY_CALLER));
    if (field_has(&f, MEMORY_SCOPE))
        row.scope = name_in(strings, scopes, N_SCOPES, field_uint(&f, MEMORY_SCOPE));
    count_memory(gpu, file, &f, upid);
    vec_clear(&gpu->args);
    struct wire w = wire_open(bytes);
    struct wire_field part;
    while (wire_next(&w, &part))
        if (part.number == MEMORY_ANNOTATION && part.type == WIRE_BYTES)
            put_annotation(gpu, packet, part.bytes);
    if (gpu->args.count) row.arg_set_id = opt_row(args_commit(file->import->args, &gpu->args));
    vulkan_memory_allocations_append(&file->import->tables->vulkan_memory_allocations, &row);
}
