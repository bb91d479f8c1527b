/* frame_timeline_event packets: when frames were expected and when they came
 * (spec engine_2 2.5).
 *
 * A frame begins with a cookie and ends with it.  Expected and actual frames of a
 * process are two lane sets; an arrow leads from each surface frame to the display
 * frame that shows it. */
#include "engine/import/packet.h"

#include "engine/base/buffer.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"

#define PACKET_FRAME_TIMELINE 76

enum jank {
    JANK_NONE = 1,
    JANK_SF_STUFFING = 512,
    JANK_BUFFER_STUFFING = 128,
    JANK_DROPPED = 1024,
    /* the display's fault */
    JANK_OF_DISPLAY = 2 | 4 | 8 | 16 | 32,
    /* the app's */
    JANK_OF_SURFACE = 64 | 256,
    JANK_NOT_SEEN = 2048 | 8192 | 16384 | 32768,
};

struct surface_slice {
    int64_t display_token;
    uint32_t slice;
};

struct frame_timeline {
    struct map lanes_of_cookie;
    struct map expected;      /* (upid, token) of surface frames: one slice each */
    struct map first_surface; /* display token -> index + 1 in surfaces */
    VEC(struct surface_slice) surfaces;
    VEC(uint32_t) next_surface; /* of the same token; index + 1, 0 ends */
    struct arg_list args;
};

/* Where the four kinds of frame have what; 0: not at all. */
struct frame_shape {
    bool is_actual, is_surface;
    uint8_t pid, display_token, layer;
    uint8_t present, on_time, gpu, jank, prediction, severity, delay, score, jank2, present2, debug;
    uint8_t is_buffer, jitter, fence, animation, unsignaled, addressable;
};

static const struct frame_shape shapes[] = {
    [1] = {.pid = 3},
    [2] = {.is_actual = true,
           .pid = 3,
           .present = 4,
           .on_time = 5,
           .gpu = 6,
           .jank = 7,
           .prediction = 8,
           .severity = 9,
           .delay = 10,
           .score = 11,
           .jank2 = 12,
           .present2 = 13,
           .debug = 14,
           .unsignaled = 15,
           .addressable = 16},
    [3] = {.is_surface = true, .pid = 4, .display_token = 3, .layer = 5},
    [4] = {.is_actual = true,
           .is_surface = true,
           .pid = 4,
           .display_token = 3,
           .layer = 5,
           .present = 6,
           .on_time = 7,
           .gpu = 8,
           .jank = 9,
           .prediction = 10,
           .is_buffer = 11,
           .severity = 12,
           .delay = 13,
           .jitter = 14,
           .score = 15,
           .jank2 = 16,
           .present2 = 17,
           .debug = 18,
           .fence = 19,
           .animation = 20},
};
enum { FRAME_END = 5 };

struct frame {
    struct frame_timeline *timeline;
    const struct import_file *file;
    const struct frame_shape *shape;
    struct ftrace_fields f;
};

static void put_text(struct frame *frame, const char *key, struct str value)
{
    struct strpool *strings = frame->file->import->strings;
    arg_list_put_string(&frame->timeline->args, strpool_intern_text(strings, key),
                        strpool_intern(strings, value));
}

static void put_int(struct frame *frame, const char *key, int64_t value)
{
    arg_list_put_int(&frame->timeline->args, strpool_intern_text(frame->file->import->strings, key),
                     value);
}

static void put_real(struct frame *frame, const char *key, uint8_t field)
{
    struct wire_field value = {.value = field_uint(&frame->f, field)};
    arg_list_put_real(&frame->timeline->args,
                      strpool_intern_text(frame->file->import->strings, key),
                      (double)wire_float(&value));
}

static void put_name(struct frame *frame, const char *key, uint8_t field, const char *const names[],
                     size_t n)
{
    uint64_t value = field_uint(&frame->f, field);
    put_text(frame, key, str_of(names[value < n ? value : 0]));
}
#define PUT_NAME(frame, key, field, names) \
    put_name(frame, key, field, names, sizeof(names) / sizeof *(names))

static void put_jank(struct frame *frame, const char *key, int32_t bits)
{
    static const char *const names[] = {"None",
                                        "SurfaceFlinger Scheduling",
                                        "Prediction Error",
                                        "Display HAL",
                                        "SurfaceFlinger CPU Deadline Missed",
                                        "SurfaceFlinger GPU Deadline Missed",
                                        "App Deadline Missed",
                                        "Buffer Stuffing",
                                        "Unknown Jank",
                                        "SurfaceFlinger Stuffing",
                                        "Dropped Frame",
                                        "Non Animating",
                                        "App Resynced Jitter",
                                        "Display not ON",
                                        "ModeChange in progress",
                                        "PowerModeChange in progress"};
    /* Names come in this order, which is not that of the bits. */
    static const uint8_t order[] = {1, 2, 3, 4, 5, 6, 12, 7, 8, 9, 10, 11, 13, 14, 15};
    struct buffer text = BUFFER_INIT;
    if (bits == 0)
        buffer_append_text(&text, "Unspecified");
    else if (bits == JANK_NONE)
        buffer_append_text(&text, names[0]);
    for (size_t i = 0; bits != JANK_NONE && i < sizeof order; i++) {
        if (!((uint32_t)bits >> order[i] & 1)) continue;
        if (text.length) buffer_append_text(&text, ", ");
        buffer_append_text(&text, names[order[i]]);
    }
    put_text(frame, key, (struct str){buffer_text(&text), text.length});
    buffer_free(&text);
}

static const char *jank_tag(int32_t bits, bool is_surface)
{
    if (bits == 0) return "Unspecified";
    if (bits == JANK_NONE) return "No Jank";
    if (is_surface && bits & JANK_OF_SURFACE) return "Self Jank";
    if (bits & JANK_OF_DISPLAY) return is_surface ? "Other Jank" : "Self Jank";
    if (bits == JANK_BUFFER_STUFFING && is_surface) return "Buffer Stuffing";
    if (bits == JANK_SF_STUFFING) return "SurfaceFlinger Stuffing";
    if (bits == JANK_DROPPED) return "Dropped Frame";
    if (bits & JANK_NOT_SEEN) return "Non-perceivable Jank";
    return "No Jank";
}

static void put_actual(struct frame *frame)
{
    static const char *const present[] = {"Unspecified Present", "On-time Present",
                                          "Late Present",        "Early Present",
                                          "Dropped Frame",       "Unknown Present"};
    static const char *const prediction[] = {"Unspecified Prediction", "Valid Prediction",
                                             "Expired Prediction", "Unknown Prediction"};
    static const char *const severity[] = {"Unknown", "None", "Partial", "Full"};
    static const char *const fence[] = {"Unknown", "Signaled", "Unsignaled",
                                        "Delayed Latch Unsignaled"};
    const struct frame_shape *shape = frame->shape;
    const struct ftrace_fields *f = &frame->f;
    int32_t jank = (int32_t)field_int(f, shape->jank), jank2 = (int32_t)field_int(f, shape->jank2);
    PUT_NAME(frame, "Present type", shape->present, present);
    PUT_NAME(frame, "Present type (experimental)", shape->present2, present);
    put_real(frame, "Present Delay (ms)", shape->delay);
    put_int(frame, "On time finish", field_uint(f, shape->on_time) != 0);
    put_int(frame, "GPU composition", field_uint(f, shape->gpu) != 0);
    put_jank(frame, "Jank type", jank);
    put_jank(frame, "Jank type (experimental)", jank2);
    /* Older recorders do not tell it. */
    if (!field_has(f, shape->severity) && jank == JANK_NONE)
        put_text(frame, "Jank severity type", str_of(severity[1]));
    else
        PUT_NAME(frame, "Jank severity type", shape->severity, severity);
    put_real(frame, "Jank Severity Score", shape->score);
    PUT_NAME(frame, "Prediction type", shape->prediction, prediction);
    put_text(frame, "Jank tag", str_of(jank_tag(jank, shape->is_surface)));
    put_text(frame, "Jank tag (experimental)", str_of(jank_tag(jank2, shape->is_surface)));
    put_real(frame, "Jank Metadata (debugging only)", shape->debug);
    if (shape->is_surface) {
        bool has = field_has(f, shape->is_buffer);
        put_text(frame, "Is Buffer?",
                 !has                              ? STR("Unspecified")
                 : field_uint(f, shape->is_buffer) ? STR("Yes")
                                                   : STR("No"));
        put_real(frame, "Vsync Resynced Jitter (ms)", shape->jitter);
        if (field_has(f, shape->fence)) PUT_NAME(frame, "Latched fence state", shape->fence, fence);
        if (field_has(f, shape->animation))
            put_real(frame, "Animation Time (ms)", shape->animation);
    } else {
        if (field_has(f, shape->unsignaled))
            put_int(frame, "Latched unsignaled count", field_int(f, shape->unsignaled));
        if (field_has(f, shape->addressable))
            put_int(frame, "Addressable unsignaled latch count", field_int(f, shape->addressable));
    }
}

static void note_surface(struct frame_timeline *t, int64_t display_token, uint32_t slice)
{
    bool added;
    vec_push(&t->surfaces, (struct surface_slice){display_token, slice});
    uint64_t *first = map_put_if_absent(&t->first_surface, (uint64_t)display_token, 0, &added);
    vec_push(&t->next_surface, (uint32_t)*first);
    *first = t->surfaces.count;
}

static void draw_arrows(struct frame_timeline *t, const struct import_file *file, int64_t token,
                        uint32_t display_slice)
{
    uint64_t *first = map_get(&t->first_surface, (uint64_t)token);
    for (uint64_t i = first ? *first : 0; i; i = t->next_surface.items[i - 1])
        flow_insert(file, t->surfaces.items[i - 1].slice, display_slice, (struct opt_int64){0});
}

static void begin_frame(struct frame *frame, int64_t ts)
{
    const struct frame_shape *shape = frame->shape;
    const struct import_file *file = frame->file;
    struct frame_timeline *t = frame->timeline;
    struct track_tracker *tracks = file->import->tracks;
    struct ftrace_fields *f = &frame->f;
    if (!field_has(f, 1) || !field_has(f, 2) || !field_has(f, shape->pid) ||
        (shape->is_surface && !field_has(f, shape->display_token))) {
        stats_add(file, STAT_frame_timeline_event_parser_errors, 1);
        return;
    }
    int64_t cookie = field_int(f, 1), token = field_int(f, 2);
    struct track_key key = probe_key(file,
                                     shape->is_actual ? "android_actual_frame_timeline"
                                                      : "android_expected_frame_timeline",
                                     TRACK_SLICE);
    uint32_t upid = process_intern(file, (int32_t)field_int(f, shape->pid));
    probe_dimension_int(&key, "upid", upid);
    if (shape->is_surface && !shape->is_actual) {
        /* Every layer of the app tells the same expectation. */
        bool added;
        map_put_if_absent(&t->expected, hash_mix(upid, (uint64_t)token), 0, &added);
        if (!added) {
            /* Its end is nobody's. */
            map_set(&t->lanes_of_cookie, (uint64_t)cookie, NULL_UINT32);
            return;
        }
    }
    struct track_info info = {
        .name = strpool_intern_text(file->import->strings,
                                    shape->is_actual ? "Actual Timeline" : "Expected Timeline")};
    uint32_t lanes = track_lanes_intern(tracks, &key, &info);
    map_set(&t->lanes_of_cookie, (uint64_t)cookie, lanes);

    if (shape->is_surface) put_int(frame, "Surface frame token", token);
    put_int(frame, "Display frame token",
            shape->is_surface ? field_int(f, shape->display_token) : token);
    if (shape->is_surface && field_has(f, shape->layer))
        put_text(frame, "Layer name", field_str(f, shape->layer));
    if (shape->is_actual) put_actual(frame);
    char name[24];
    probe_format(name, sizeof name, "%lld", (long long)token);
    uint32_t slice = slice_begin(file, ts, track_lane_begin(tracks, lanes, cookie), STRING_NULL,
                                 strpool_intern_text(file->import->strings, name), &t->args);
    if (!shape->is_actual || slice == NO_SLICE) return;
    if (shape->is_surface)
        note_surface(t, field_int(f, shape->display_token), slice);
    else
        draw_arrows(t, file, token, slice);
}

static void end_frame(struct frame *frame, int64_t ts)
{
    struct frame_timeline *t = frame->timeline;
    int64_t cookie = field_int(&frame->f, 1);
    uint64_t *lanes = map_get(&t->lanes_of_cookie, (uint64_t)cookie);
    if (!field_has(&frame->f, 1) || !lanes) {
        stats_add(frame->file,
                  lanes ? STAT_frame_timeline_event_parser_errors
                        : STAT_frame_timeline_unpaired_end_event,
                  1);
        return;
    }
    if (*lanes != NULL_UINT32) {
        uint32_t track = track_lane_end(frame->file->import->tracks, (uint32_t)*lanes, cookie);
        slice_end(frame->file, ts, track, STRING_NULL, STRING_NULL, NULL);
    }
    map_remove(&t->lanes_of_cookie, (uint64_t)cookie);
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct wire w = wire_open(field);
    struct wire_field part;
    while (wire_next(&w, &part)) {
        if (part.number < 1 || part.number > FRAME_END || part.type != WIRE_BYTES) continue;
        struct frame frame = {.timeline = state, .file = packet->file};
        ftrace_read_fields(&frame.f, part.bytes);
        if (part.number == FRAME_END) {
            end_frame(&frame, ts);
        } else {
            frame.shape = &shapes[part.number];
            begin_frame(&frame, ts);
        }
    }
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct frame_timeline));
}

static void finish(void *state)
{
    struct frame_timeline *t = state;
    map_free(&t->lanes_of_cookie);
    map_free(&t->expected);
    map_free(&t->first_surface);
    vec_free(&t->surfaces);
    vec_free(&t->next_surface);
    vec_free(&t->args);
    mem_free(t);
}

static const struct packet_module modules[] = {{PACKET_FRAME_TIMELINE, NULL, parse}};

const struct packet_source frame_timeline_source = {
    .name = "frame_timeline",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
