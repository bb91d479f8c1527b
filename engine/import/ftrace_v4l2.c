/* Video4Linux: buffers handed to a driver and taken back (spec engine_2 2.3,
 * names of types and flags from linux/videodev2.h).
 *
 * Each event is an instant on its thread; the buffer that comes back (DQBUF) is
 * tied by a flow to when it was handed over (QBUF). */
#include "engine/import/ftrace_handlers.h"

#include "engine/base/buffer.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/ftrace_track.h"

enum event_id {
    EVENT_QBUF = 422,
    EVENT_DQBUF = 423,
    EVENT_VB2_QUEUE = 424,
    EVENT_VB2_DONE = 425,
    EVENT_VB2_QBUF = 426,
    EVENT_VB2_DQBUF = 427,
};

struct ftrace_v4l2 {
    struct map queued; /* hash of (device, sequence, type, index) -> slice */
};

void ftrace_v4l2_free(struct ftrace_v4l2 *v4l2)
{
    if (!v4l2) return;
    map_free(&v4l2->queued);
    mem_free(v4l2);
}

struct flag_name {
    uint32_t mask;
    const char *name;
};

static string_id join_flags(const struct ftrace_event *event, const struct flag_name *names,
                            size_t n, uint32_t flags)
{
    struct buffer text = BUFFER_INIT;
    for (size_t i = 0; i < n; i++)
        if (flags & names[i].mask) buffer_printf(&text, text.length ? "|%s" : "%s", names[i].name);
    string_id id = strpool_intern(event->import->strings,
                                  text.length ? buffer_str(&text) : (struct str){"", 0});
    buffer_free(&text);
    return id;
}

static string_id buffer_flags(const struct ftrace_event *event, uint32_t flags)
{
    static const struct flag_name names[] = {
        {0x1, "MAPPED"},
        {0x2, "QUEUED"},
        {0x4, "DONE"},
        {0x8, "KEYFRAME"},
        {0x10, "PFRAME"},
        {0x20, "BFRAME"},
        {0x40, "ERROR"},
        {0x80, "IN_REQUEST"},
        {0x100, "TIMECODE"},
        {0x200, "M2M_HOLD_CAPTURE_BUF"},
        {0x400, "PREPARED"},
        {0x800, "NO_CACHE_INVALIDATE"},
        {0x1000, "NO_CACHE_CLEAN"},
        {0xE000, "TIMESTAMP_MASK"},
        {0x2000, "TIMESTAMP_MONOTONIC"},
        {0x4000, "TIMESTAMP_COPY"},
        {0x70000, "TSTAMP_SRC_MASK"},
        {0x10000, "TSTAMP_SRC_SOE"},
        {0x100000, "LAST"},
        {0x800000, "REQUEST_FD"},
    };
    return join_flags(event, names, sizeof names / sizeof names[0], flags);
}

static string_id timecode_flags(const struct ftrace_event *event, uint32_t flags)
{
    static const struct flag_name names[] = {
        {0x1, "FLAG_DROPFRAME"}, {0x2, "FLAG_COLORFRAME"}, {0x8, "USERBITS_8BITCHARS"}};
    if (flags == 0) return ftrace_intern(event, "USERBITS_USERDEFINED");
    return join_flags(event, names, sizeof names / sizeof names[0], flags);
}

static string_id one_of(const struct ftrace_event *event, const char *const *names, size_t n,
                        uint64_t value)
{
    return value < n && names[value] ? ftrace_intern(event, names[value]) : STRING_NULL;
}

static string_id type_name(const struct ftrace_event *event, uint64_t type)
{
    static const char *const names[] = {NULL,
                                        "VIDEO_CAPTURE",
                                        "VIDEO_OUTPUT",
                                        "VIDEO_OVERLAY",
                                        "VBI_CAPTURE",
                                        "VBI_OUTPUT",
                                        "SLICED_VBI_CAPTURE",
                                        "SLICED_VBI_OUTPUT",
                                        "VIDEO_OUTPUT_OVERLAY",
                                        "VIDEO_CAPTURE_MPLANE",
                                        "VIDEO_OUTPUT_MPLANE",
                                        "SDR_CAPTURE",
                                        "SDR_OUTPUT",
                                        "META_CAPTURE",
                                        "META_OUTPUT"};
    if (type == 0x80) return ftrace_intern(event, "PRIVATE");
    return one_of(event, names, sizeof names / sizeof names[0], type);
}

static string_id field_name(const struct ftrace_event *event, uint64_t field)
{
    static const char *const names[] = {"ANY",           "NONE",         "TOP",    "BOTTOM",
                                        "INTERLACED",    "SEQ_TB",       "SEQ_BT", "ALTERNATE",
                                        "INTERLACED_TB", "INTERLACED_BT"};
    return one_of(event, names, sizeof names / sizeof names[0], field);
}

static string_id timecode_type(const struct ftrace_event *event, uint64_t type)
{
    static const char *const names[] = {NULL, "24FPS", "25FPS", "30FPS", "50FPS", "60FPS"};
    return one_of(event, names, sizeof names / sizeof names[0], type);
}

static void put_id(const struct ftrace_event *event, const char *key, string_id value)
{
    arg_list_put_string(&event->ftrace->args, ftrace_intern(event, key), value);
}

/* Fields stand in one order; vb2's events lack those of an ioctl's own (bytesused,
 * index, type). */
static void put_args(const struct ftrace_event *event, const struct ftrace_fields *f, bool is_ioctl)
{
    static const char *const timecode[] = {
        "timecode_frames",    "timecode_hours",     "timecode_minutes",   "timecode_seconds",  NULL,
        "timecode_userbits0", "timecode_userbits1", "timecode_userbits2", "timecode_userbits3"};
    uint32_t field = is_ioctl ? 2 : 1, minor = is_ioctl ? 5 : 3;
    ftrace_arg_int(event, "minor", (int32_t)field_int(f, minor));
    if (is_ioctl) {
        ftrace_arg_int(event, "index", (uint32_t)field_uint(f, 4));
        put_id(event, "type", type_name(event, field_uint(f, 18)));
        ftrace_arg_int(event, "bytesused", (uint32_t)field_uint(f, 1));
    }
    put_id(event, "flags", buffer_flags(event, (uint32_t)field_uint(f, field + 1)));
    put_id(event, "field", field_name(event, field_uint(f, field)));
    ftrace_arg_int(event, "timestamp", field_int(f, minor + 12));
    put_id(event, "timecode_type", timecode_type(event, field_uint(f, minor + 7)));
    put_id(event, "timecode_flags", timecode_flags(event, (uint32_t)field_uint(f, minor + 2)));
    for (uint32_t i = 0; i < sizeof timecode / sizeof timecode[0]; i++)
        if (timecode[i]) ftrace_arg_int(event, timecode[i], (uint32_t)field_uint(f, minor + 3 + i));
    ftrace_arg_int(event, "sequence", (uint32_t)field_uint(f, minor + 1));
}

static void tie(const struct ftrace_event *event, const struct ftrace_fields *f, uint32_t slice)
{
    struct ftrace *ftrace = event->ftrace;
    const struct opt_int64 none = {0};
    if (slice == NO_SLICE) return;
    if (!ftrace->v4l2) ftrace->v4l2 = mem_zero(1, sizeof *ftrace->v4l2);
    uint64_t key = hash_mix(field_uint(f, 5), field_uint(f, 6));
    key = hash_mix(hash_mix(key, field_uint(f, 18)), field_uint(f, 4));
    if (event->id == EVENT_QBUF) {
        map_set(&ftrace->v4l2->queued, key, slice);
        return;
    }
    const uint64_t *queued = map_get(&ftrace->v4l2->queued, key);
    if (!queued) return;
    flow_insert(event->file, (uint32_t)*queued, slice, none);
    map_remove(&ftrace->v4l2->queued, key);
}

void ftrace_on_v4l2(const struct ftrace_event *event)
{
    static const char *const names[] = {"VIDIOC_QBUF",       "VIDIOC_DQBUF",  "vb2_v4l2_buf_queue",
                                        "vb2_v4l2_buf_done", "vb2_v4l2_qbuf", "vb2_v4l2_dqbuf"};
    bool is_ioctl = event->id <= EVENT_DQBUF;
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    char name[128];
    probe_format(
        name, sizeof name, "%s minor=%u seq=%u type=%u index=%u", names[event->id - EVENT_QBUF],
        (unsigned)field_uint(&f, is_ioctl ? 5 : 3), (unsigned)field_uint(&f, is_ioctl ? 6 : 4),
        is_ioctl ? (unsigned)field_uint(&f, 18) : 0, is_ioctl ? (unsigned)field_uint(&f, 4) : 0);
    put_args(event, &f, is_ioctl);
    uint32_t slice = ftrace_instant(event, ftrace_thread_track(event), "Video 4 Linux 2",
                                    ftrace_intern(event, name), &event->ftrace->args);
    if (is_ioctl) tie(event, &f, slice);
}
