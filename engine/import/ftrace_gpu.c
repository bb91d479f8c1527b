/* Drivers of graphics and of virtual machines (spec engine_2 2.3). */
#include "engine/import/ftrace_handlers.h"

#include "engine/base/memory.h"
#include "engine/import/ftrace_track.h"
#include "engine/import/process.h"

static const char *virtio_command(uint64_t type)
{
    static const char *const two_d[] = {"GET_DISPLAY_INFO",
                                        "RESOURCE_CREATE_2D",
                                        "RESOURCE_UNREF",
                                        "SET_SCANOUT",
                                        "RESOURCE_FLUSH",
                                        "TRANSFER_TO_HOST_2D",
                                        "RESOURCE_ATTACH_BACKING",
                                        "RESOURCE_DETACH_BACKING",
                                        "GET_CAPSET_INFO",
                                        "GET_CAPSET",
                                        "GET_EDID",
                                        "RESOURCE_ASSIGN_UUID",
                                        "RESOURCE_CREATE_BLOB",
                                        "SET_SCANOUT_BLOB"};
    static const char *const three_d[] = {
        "CTX_CREATE",         "CTX_DESTROY",         "CTX_ATTACH_RESOURCE",   "CTX_DETACH_RESOURCE",
        "RESOURCE_CREATE_3D", "TRANSFER_TO_HOST_3D", "TRANSFER_FROM_HOST_3D", "SUBMIT_3D",
        "RESOURCE_MAP_BLOB",  "RESOURCE_UNMAP_BLOB"};
    if (type >= 0x100 && type - 0x100 < sizeof two_d / sizeof two_d[0]) return two_d[type - 0x100];
    if (type >= 0x200 && type - 0x200 < sizeof three_d / sizeof three_d[0])
        return three_d[type - 0x200];
    if (type == 0x300) return "UPDATE_CURSOR";
    if (type == 0x301) return "MOVE_CURSOR";
    return "UNKNOWN";
}

static void count_queue(const struct ftrace_event *event, const char *type, const char *queue,
                        const char *what, double value)
{
    char name[64];
    probe_format(name, sizeof name, "Virtgpu %s %s", queue, what);
    ftrace_count_of_text(event, type, "virtgpu_name", str_of(queue), name, value);
}

/* virtio_gpu_cmd_queue and _response.  A command with a fence is answered when its
 * work is done, so its time says nothing of the queue. */
void ftrace_on_virtio_gpu(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    bool is_queue = event->id == 468;
    struct track_tracker *tracks = event->import->tracks;
    const char *queue = str_is(field_str(&f, 5), "control")  ? "Control"
                        : str_is(field_str(&f, 5), "cursor") ? "Cursor"
                                                             : NULL;
    if (!queue) return;
    uint32_t seqno = (uint32_t)field_uint(&f, 7);
    count_queue(event, "virtgpu_num_free", queue, "Free", (double)field_uint(&f, 6));
    struct track_key key = ftrace_track_key(event, "virtgpu_queue_event", TRACK_SLICE);
    probe_dimension_text(event->file, &key, "virtgpu_name", str_of(queue));
    char name[64];
    probe_format(name, sizeof name, "Virtgpu %s Queue", queue);
    struct track_info info = {.name = ftrace_intern(event, name)};
    uint32_t lanes = track_lanes_intern(tracks, &key, &info);
    if (is_queue) {
        ftrace_begin(event, track_lane_begin(tracks, lanes, seqno), NULL,
                     ftrace_intern(event, virtio_command(field_uint(&f, 8))), NULL);
        return;
    }
    uint32_t slice = ftrace_end(event, track_lane_end(tracks, lanes, seqno), NULL, NULL);
    if (slice == NO_SLICE || field_uint(&f, 3) != 0) return;
    count_queue(event, "virtgpu_latency", queue, "Latency",
                (double)column_get_int64(&event->import->tables->slice.dur, slice));
}

/* The GPU's own clock, tied to trace time by sync events: 19.2 MHz. */
#define ADRENO_TICKS_PER_MS 19200

struct ftrace_adreno {
    bool has_sync;
    uint64_t sync_ticks;
    int64_t sync_ts;
    struct map owner_of_context; /* context id -> utid */
};

void ftrace_adreno_free(struct ftrace_adreno *adreno)
{
    if (!adreno) return;
    map_free(&adreno->owner_of_context);
    mem_free(adreno);
}

static struct ftrace_adreno *adreno_of(const struct ftrace_event *event)
{
    struct ftrace *ftrace = event->ftrace;
    if (!ftrace->adreno) ftrace->adreno = mem_zero(1, sizeof *ftrace->adreno);
    return ftrace->adreno;
}

void ftrace_on_adreno_queued(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    map_set(&adreno_of(event)->owner_of_context, field_uint(&f, 1), event->utid);
}

void ftrace_on_adreno_sync(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct ftrace_adreno *adreno = adreno_of(event);
    adreno->has_sync = true;
    adreno->sync_ticks = field_uint(&f, 3);
    adreno->sync_ts = event->ts;
}

static int64_t adreno_time(const struct ftrace_adreno *adreno, uint64_t ticks)
{
    double delta = (double)(int64_t)(ticks - adreno->sync_ticks);
    return adreno->sync_ts + (int64_t)(delta * 1e6 / ADRENO_TICKS_PER_MS);
}

static struct str owner_name(const struct ftrace_event *event, uint64_t context)
{
    uint64_t *utid = map_get(&adreno_of(event)->owner_of_context, context);
    if (!utid) return STR_NONE;
    const struct tables *tables = event->import->tables;
    uint32_t upid = thread_process(event->file, (uint32_t)*utid);
    string_id name =
        upid == NULL_UINT32 ? STRING_NULL : column_get_string(&tables->process.name, upid);
    if (name == STRING_NULL) name = column_get_string(&tables->thread.name, (uint32_t)*utid);
    return strpool_get(event->import->strings, name);
}

void ftrace_on_adreno_retired(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    const struct ftrace_adreno *adreno = adreno_of(event);
    if (!adreno->has_sync) return;
    uint64_t context = field_uint(&f, 1);
    int32_t priority = (int32_t)field_int(&f, 8);
    int64_t start = adreno_time(adreno, field_uint(&f, 6));
    int64_t end = adreno_time(adreno, field_uint(&f, 7));
    char name[160];
    probe_format(name, sizeof name, "GPU %.*s (Ctx=%u, Prio=%d)",
                 STR_ARG(owner_name(event, context)), (unsigned)context, (int)priority);
    struct track_key key = ftrace_track_key(event, "adreno_gpu_cmdbatch", TRACK_SLICE);
    probe_dimension_int(&key, "context_id", (int64_t)context);
    probe_dimension_int(&key, "prio", priority);
    uint32_t track = probe_track(event->file, &key, name, NULL);
    slice_scoped(event->file, start, end - start, track, STRING_NULL, ftrace_intern(event, "GPU"),
                 NULL);
}

static uint32_t hypervisor_track(const struct ftrace_event *event)
{
    char name[48];
    probe_format(name, sizeof name, "pkVM Hypervisor CPU %u", (unsigned)event->cpu->cpu);
    return ftrace_track(event, "pkvm_hypervisor", "cpu", event->cpu->cpu, name);
}

void ftrace_on_hyp_enter(const struct ftrace_event *event)
{
    ftrace_begin(event, hypervisor_track(event), "pkvm_hyp", ftrace_intern(event, "hyp"), NULL);
}

void ftrace_on_hyp_exit(const struct ftrace_event *event)
{
    ftrace_end(event, hypervisor_track(event), "pkvm_hyp", NULL);
}

/* Why the hypervisor was entered: args of the slice that is open. */
void ftrace_on_hyp_reason(const struct ftrace_event *event)
{
    static const struct {
        uint16_t ids[2];
        const char *reason, *keys[2];
    } reasons[] = {{{478, 582}, "host_hcall", {"id", "invalid"}},
                   {{479, 583}, "host_smc", {"id", "forwarded"}},
                   {{480, 587}, "host_mem_abort", {"esr", "addr"}}};
    uint32_t slice = slice_top(event->file, event->ts, hypervisor_track(event));
    if (slice == NO_SLICE) return;
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    for (int i = 0; i < 3; i++) {
        if (event->id != reasons[i].ids[0] && event->id != reasons[i].ids[1]) continue;
        ftrace_arg_text(event, "hyp_enter_reason", str_of(reasons[i].reason));
        ftrace_arg_uint(event, reasons[i].keys[0], field_uint(&f, 1));
        ftrace_arg_uint(event, reasons[i].keys[1], field_uint(&f, 2));
    }
    slice_add_args(event->file, slice, &event->ftrace->args);
}
