/* graphics_frame_event packets: the life of a buffer (spec engine_2 2.7).
 *
 * Each event is an instant on the track of its buffer and layer.  Phases are made
 * of pairs of them: the app draws from Dequeue to Queue, the GPU from Queue to
 * the acquire fence, SurfaceFlinger composes from Latch to the present fence, and
 * the frame is on display until the layer's next one.  A phase that something
 * made impossible stays open. */
#include "engine/import/packet.h"

#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/stats.h"

enum { PACKET_GRAPHICS_FRAME = 57 };

enum event_type {
    EVENT_UNSPECIFIED = 0,
    EVENT_DEQUEUE = 1,
    EVENT_QUEUE = 2,
    EVENT_ACQUIRE = 4,
    EVENT_LATCH = 5,
    EVENT_PRESENT = 8,
    EVENT_TYPES = 14,
};

struct open_phase {
    bool is_open;
    uint32_t track, slice;
};

/* A buffer as one layer uses it. */
struct buffer_state {
    int64_t at[EVENT_TYPES]; /* when each kind of event was last; 0: never */
    uint32_t dequeue_slice;
    struct open_phase app, gpu, compose;
};

struct graphics_frames {
    struct map buffer_of;  /* hash of (buffer, layer) -> buffers */
    struct map display_of; /* layer's string id -> displays */
    VEC(struct buffer_state) buffers;
    VEC(struct open_phase) displays;
    struct arg_list args;
};

struct frame_event {
    struct graphics_frames *frames;
    const struct import_file *file;
    struct buffer_state *buffer;
    int64_t ts;
    uint64_t type;
    uint32_t buffer_id, frame;
    struct str layer;      /* "" without a name */
    string_id layer_shown; /* with a word for "no name" */
};

static void put_int(struct frame_event *e, const char *key, int64_t value)
{
    arg_list_put_int(&e->frames->args, strpool_intern_text(e->file->import->strings, key), value);
}

static void put_frame(struct frame_event *e, uint32_t frame)
{
    vec_clear(&e->frames->args);
    put_int(e, "frame_number", frame);
    arg_list_put_string(&e->frames->args,
                        strpool_intern_text(e->file->import->strings, "layer_name"),
                        e->layer_shown);
}

static uint32_t track_named(const struct frame_event *e, const char *name)
{
    struct track_key key = probe_key(e->file, "graphics_frame_event", TRACK_SLICE);
    probe_dimension_text(e->file, &key, "name", str_of(name));
    return probe_track(e->file, &key, name, NULL);
}

static void set_frame(struct frame_event *e, uint32_t slice, uint32_t frame)
{
    vec_clear(&e->frames->args);
    put_int(e, "frame_number", frame);
    slice_add_args(e->file, slice, &e->frames->args);
}

/* ---- the instants ---- */

static int64_t since(int64_t later, int64_t earlier)
{
    return (int64_t)((uint64_t)later - (uint64_t)earlier);
}

static void show_instant(struct frame_event *e, int64_t duration)
{
    static const char *const names[EVENT_TYPES] = {"unknown_event",
                                                   "Dequeue",
                                                   "Queue",
                                                   "Post",
                                                   "AcquireFenceSignaled",
                                                   "Latch",
                                                   "HWCCompositionQueued",
                                                   "FallbackComposition",
                                                   "PresentFenceSignaled",
                                                   "ReleaseFenceSignaled",
                                                   "Modify",
                                                   "Detach",
                                                   "Attach",
                                                   "Cancel"};
    struct strpool *strings = e->file->import->strings;
    struct buffer_state *buffer = e->buffer;
    char name[256];
    probe_format(name, sizeof name, "Buffer: %u %.*s", e->buffer_id, STR_ARG(e->layer));
    put_frame(e, e->frame);
    int64_t acquire = buffer->at[EVENT_ACQUIRE], latch = buffer->at[EVENT_LATCH];
    int64_t queued = since(acquire, buffer->at[EVENT_QUEUE]);
    put_int(e, "queue_to_acquire_time", queued > 0 ? queued : 0);
    put_int(e, "acquire_to_latch_time", since(latch, acquire));
    put_int(e, "latch_to_present_time", since(e->ts, latch));
    uint32_t slice = slice_scoped(e->file, e->ts, duration, track_named(e, name), STRING_NULL,
                                  strpool_intern_text(strings, names[e->type]), &e->frames->args);
    if (e->type == EVENT_DEQUEUE && slice != NO_SLICE) buffer->dequeue_slice = slice;
    if (e->type == EVENT_QUEUE && buffer->dequeue_slice != NO_SLICE)
        set_frame(e, buffer->dequeue_slice, e->frame);
}

/* ---- the phases ---- */

static void name_slice(struct frame_event *e, uint32_t slice, uint32_t frame)
{
    char name[16];
    probe_format(name, sizeof name, "%u", frame);
    table_set_string(&e->file->import->tables->slice.table, slice_COLUMN_name, slice,
                     strpool_intern_text(e->file->import->strings, name));
    set_frame(e, slice, frame);
}

static void open_phase(struct frame_event *e, struct open_phase *phase, const char *track)
{
    char name[24];
    if (e->frame)
        probe_format(name, sizeof name, "%u", e->frame);
    else
        probe_format(name, sizeof name, "%lld", (long long)e->ts);
    put_frame(e, e->frame);
    phase->track = track_named(e, track);
    phase->slice =
        slice_begin(e->file, e->ts, phase->track, STRING_NULL,
                    strpool_intern_text(e->file->import->strings, name), &e->frames->args);
    phase->is_open = phase->slice != NO_SLICE;
}

static void close_phase(struct frame_event *e, struct open_phase *phase)
{
    if (phase->is_open) slice_end(e->file, e->ts, phase->track, STRING_NULL, STRING_NULL, NULL);
    phase->is_open = false;
}

/* What should have ended it never came. */
static void give_up_phase(struct frame_event *e, struct open_phase *phase, bool forget_frame)
{
    if (!phase->is_open) return;
    stats_add(e->file, STAT_graphics_frame_event_parser_errors, 1);
    if (forget_frame) name_slice(e, phase->slice, 0);
    phase->is_open = false;
}

static void open_named(struct frame_event *e, struct open_phase *phase, const char *what)
{
    char name[256];
    probe_format(name, sizeof name, "%s_%u %.*s", what, e->buffer_id, STR_ARG(e->layer));
    open_phase(e, phase, name);
}

static struct open_phase *display_of(struct frame_event *e)
{
    struct graphics_frames *frames = e->frames;
    bool added;
    uint64_t *at =
        map_put_if_absent(&frames->display_of, e->layer_shown, frames->displays.count, &added);
    if (added) vec_push(&frames->displays, (struct open_phase){.slice = NO_SLICE});
    return &frames->displays.items[*at];
}

static void present(struct frame_event *e)
{
    char name[64];
    close_phase(e, &e->buffer->compose);
    struct open_phase *display = display_of(e);
    close_phase(e, display);
    probe_format(name, sizeof name, "Display_%.*s", STR_ARG(str_slice(e->layer, 0, 10)));
    open_phase(e, display, name);
}

static void queue(struct frame_event *e)
{
    struct buffer_state *buffer = e->buffer;
    if (buffer->app.is_open) {
        uint32_t slice = buffer->app.slice;
        close_phase(e, &buffer->app);
        name_slice(e, slice, e->frame);
    }
    /* The fence may be signaled before the buffer is queued. */
    int64_t acquired = buffer->at[EVENT_ACQUIRE];
    if (acquired > buffer->at[EVENT_DEQUEUE] && acquired < e->ts) return;
    open_named(e, &buffer->gpu, "GPU");
}

static void change_phase(struct frame_event *e)
{
    struct buffer_state *buffer = e->buffer;
    switch (e->type) {
    case EVENT_DEQUEUE:
        give_up_phase(e, &buffer->app, true);
        give_up_phase(e, &buffer->gpu, false);
        open_named(e, &buffer->app, "APP");
        break;
    case EVENT_QUEUE: queue(e); break;
    case EVENT_ACQUIRE: close_phase(e, &buffer->gpu); break;
    case EVENT_LATCH:
        give_up_phase(e, &buffer->app, true);
        open_named(e, &buffer->compose, "SF");
        break;
    case EVENT_PRESENT: present(e); break;
    default: break;
    }
}

static struct buffer_state *buffer_of(struct graphics_frames *frames, uint32_t id, struct str layer)
{
    bool added;
    uint64_t key = hash_mix(id, hash_bytes(layer.p, layer.n));
    uint64_t *at = map_put_if_absent(&frames->buffer_of, key, frames->buffers.count, &added);
    if (added) vec_push(&frames->buffers, (struct buffer_state){.dequeue_slice = NO_SLICE});
    return &frames->buffers.items[*at];
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct graphics_frames *frames = state;
    const struct import_file *file = packet->file;
    struct wire_field event;
    struct ftrace_fields f;
    if (!wire_find(field, 1, &event)) return;
    ftrace_read_fields(&f, event.bytes);
    if (!field_has(&f, 5)) {
        stats_add(file, STAT_graphics_frame_event_parser_errors, 1);
        return;
    }
    struct frame_event e = {
        .frames = frames,
        .file = file,
        .ts = ts,
        .type = field_uint(&f, 2),
        .buffer_id = (uint32_t)field_uint(&f, 5),
        .frame = (uint32_t)field_uint(&f, 1),
        .layer = field_str(&f, 3),
        .layer_shown = field_has(&f, 3)
                           ? strpool_intern(file->import->strings, field_str(&f, 3))
                           : strpool_intern_text(file->import->strings, "no_layer_name"),
    };
    e.buffer = buffer_of(frames, e.buffer_id, e.layer);
    if (e.type == EVENT_UNSPECIFIED || e.type >= EVENT_TYPES) {
        stats_add(file, STAT_graphics_frame_event_parser_errors, 1);
        e.type = EVENT_UNSPECIFIED;
    } else {
        e.buffer->at[e.type] = ts;
    }
    show_instant(&e, field_int(&f, 4));
    change_phase(&e);
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct graphics_frames));
}

static void finish(void *state)
{
    struct graphics_frames *frames = state;
    map_free(&frames->buffer_of);
    map_free(&frames->display_of);
    vec_free(&frames->buffers);
    vec_free(&frames->displays);
    vec_free(&frames->args);
    mem_free(frames);
}

static const struct packet_module modules[] = {{PACKET_GRAPHICS_FRAME, NULL, parse}};

const struct packet_source graphics_frame_source = {
    .name = "graphics_frame",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
