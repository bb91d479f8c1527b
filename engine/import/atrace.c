/* What marks become: slices of the thread, async slices of the process, counters
 * (spec engine_2 2.3). */
#include "engine/import/atrace.h"

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/base/utf8.h"
#include "engine/import/process.h"
#include "engine/import/slice.h"
#include "engine/import/stats.h"
#include "engine/import/track.h"

struct atrace {
    const struct import_file *file;
    struct import *import;
    string_id cookie, utid, end_utid, lmk;
    struct arg_list args;
    struct buffer clean;
};

struct atrace *atrace_new(const struct import_file *file)
{
    struct atrace *a = mem_zero(1, sizeof *a);
    struct strpool *strings = file->import->strings;
    a->file = file;
    a->import = file->import;
    a->cookie = strpool_intern_text(strings, "cookie");
    a->utid = strpool_intern_text(strings, "utid");
    a->end_utid = strpool_intern_text(strings, "end_utid");
    a->lmk = strpool_intern_text(strings, "mem.lmk");
    return a;
}

void atrace_free(struct atrace *a)
{
    if (!a) return;
    vec_free(&a->args);
    buffer_free(&a->clean);
    mem_free(a);
}

static string_id intern(struct atrace *a, struct str s)
{
    return strpool_intern(a->import->strings, s);
}

static void put_utid(struct atrace *a, string_id key, uint32_t utid)
{
    arg_list_put(&a->args,
                 (struct arg){.flat_key = key, .key = key, .type = ARG_UINT, .value = {utid}});
}

static uint32_t thread_of(struct atrace *a, int64_t tid, int64_t tgid)
{
    return tgid ? thread_intern_in(a->file, tid, tgid) : thread_intern(a->file, tid);
}

static uint32_t thread_track(struct atrace *a, uint32_t utid)
{
    return track_of_thread(a->import->tracks, a->file->machine_id, utid);
}

static struct track_key make_key(struct atrace *a, const char *type, enum track_event_type event)
{
    return (struct track_key){.type = type, .event_type = event, .machine_id = a->file->machine_id};
}

static uint32_t plain_track(struct atrace *a, const char *type, enum track_event_type event,
                            const char *name)
{
    struct track_key key = make_key(a, type, event);
    struct track_info info = {.name = strpool_intern_text(a->import->strings, name)};
    return track_intern(a->import->tracks, &key, &info);
}

static uint32_t process_lanes(struct atrace *a, const char *type, int64_t tgid, string_id name)
{
    struct track_key key = make_key(a, type, TRACK_SLICE);
    key.n_dimensions = 2;
    key.dimensions[0] = dimension_int("upid", process_intern(a->file, tgid));
    key.dimensions[1] = dimension_string("name", name);
    struct track_info info = {.name = name};
    return track_lanes_intern(a->import->tracks, &key, &info);
}

static void push_lmk(struct atrace *a, int64_t ts, int64_t pid)
{
    struct track_key key = make_key(a, "android_lmk", TRACK_SLICE);
    key.n_dimensions = 1;
    key.dimensions[0] = dimension_int("upid", process_intern(a->file, pid));
    struct track_info info = {.name = strpool_intern_text(a->import->strings, "LMK")};
    uint32_t track = track_intern(a->import->tracks, &key, &info);
    slice_scoped(a->file, ts, 0, track, STRING_NULL, a->lmk, NULL);
}

/* "lmk,<pid>,<reason>,<oom_score_adj>,…": what lmkd killed. */
static void push_lmk_of_slice(struct atrace *a, int64_t ts, struct str name)
{
    struct str rest = name, piece;
    int64_t pid, adj;
    if (!str_split_next(&rest, ',', &piece) || !str_split_next(&rest, ',', &piece) ||
        !str_to_int64(piece, &pid) || pid <= 0 || pid > UINT32_MAX ||
        !str_split_next(&rest, ',', &piece) || !str_split_next(&rest, ',', &piece) ||
        !str_to_int64(piece, &adj))
        return;
    struct track_key key = make_key(a, "oom_score_adj", TRACK_COUNTER);
    key.n_dimensions = 1;
    key.dimensions[0] = dimension_int("upid", process_intern(a->file, pid));
    struct track_info info = {.name = strpool_intern_text(a->import->strings, "oom_score_adj")};
    counter_push(a->file, ts, track_intern(a->import->tracks, &key, &info), (double)adj, NULL);
    push_lmk(a, ts, pid);
}

static void push_begin(struct atrace *a, int64_t ts, int64_t tid, const struct atrace_mark *m)
{
    uint32_t utid = thread_of(a, tid, m->tgid);
    slice_begin(a->file, ts, thread_track(a, utid), STRING_NULL, intern(a, m->name), NULL);
    if (str_starts(m->name, STR("lmk,"))) push_lmk_of_slice(a, ts, m->name);
}

static void push_end(struct atrace *a, int64_t ts, int64_t tid, const struct atrace_mark *m)
{
    uint32_t utid = thread_of(a, tid, m->tgid);
    slice_end(a->file, ts, thread_track(a, utid), STRING_NULL, STRING_NULL, NULL);
}

static void push_instant(struct atrace *a, int64_t ts, int64_t tid, const struct atrace_mark *m)
{
    uint32_t utid = thread_of(a, tid, m->tgid);
    slice_scoped(a->file, ts, 0, thread_track(a, utid), STRING_NULL, intern(a, m->name), NULL);
}

static void push_async(struct atrace *a, int64_t ts, const struct atrace_mark *m)
{
    string_id name = intern(a, m->name);
    uint32_t lanes = process_lanes(a, "atrace_async_slice", m->tgid, name);
    struct track_tracker *tracks = a->import->tracks;
    if (m->phase == 'S') {
        uint32_t track = track_lane_begin_once(tracks, lanes, m->cookie);
        arg_list_put_int(&a->args, a->cookie, m->cookie);
        slice_begin_unnestable(a->file, ts, track, STRING_NULL, name, &a->args);
    } else {
        uint32_t track = track_lane_end(tracks, lanes, m->cookie);
        slice_end(a->file, ts, track, STRING_NULL, STRING_NULL, NULL);
    }
}

static void push_on_track(struct atrace *a, int64_t ts, int64_t tid, const struct atrace_mark *m)
{
    struct track_tracker *tracks = a->import->tracks;
    string_id name = intern(a, m->name);
    if (m->phase == 'N' && str_is(m->track, "DeviceStateChanged")) {
        uint32_t track = plain_track(a, "android_device_state", TRACK_SLICE, "DeviceStateChanged");
        slice_scoped(a->file, ts, 0, track, STRING_NULL, name, NULL);
        return;
    }
    uint32_t lanes = process_lanes(a, "atrace_async_slice_for_track", m->tgid, intern(a, m->track));
    uint32_t utid = thread_intern(a->file, tid);
    if (m->phase == 'N') {
        put_utid(a, a->utid, utid);
        slice_scoped(a->file, ts, 0, track_lane_scoped(tracks, lanes, ts, 0), STRING_NULL, name,
                     &a->args);
    } else if (m->phase == 'G') {
        put_utid(a, a->utid, utid);
        slice_begin(a->file, ts, track_lane_begin(tracks, lanes, m->cookie), STRING_NULL, name,
                    &a->args);
    } else {
        put_utid(a, a->end_utid, utid);
        slice_end(a->file, ts, track_lane_end(tracks, lanes, m->cookie), STRING_NULL, STRING_NULL,
                  &a->args);
    }
}

static void push_counter(struct atrace *a, int64_t ts, int64_t tid, const struct atrace_mark *m)
{
    string_id name = intern(a, m->name);
    struct track_info info = {.name = name};
    if (str_is(m->name, "ScreenState")) {
        counter_push(a->file, ts, plain_track(a, "screen_state", TRACK_COUNTER, "ScreenState"),
                     m->value, NULL);
        return;
    }
    if (str_starts(m->name, STR("battery_stats."))) {
        struct track_key key = make_key(a, "battery_stats", TRACK_COUNTER);
        key.n_dimensions = 1;
        key.dimensions[0] = dimension_string("counter_key", name);
        counter_push(a->file, ts, track_intern(a->import->tracks, &key, &info), m->value, NULL);
        return;
    }
    if (str_is(m->name, "kill_one_process") && m->value >= 1 && m->value <= UINT32_MAX)
        push_lmk(a, ts, (int64_t)m->value);
    struct track_key key = make_key(a, "atrace_counter", TRACK_COUNTER);
    key.n_dimensions = 2;
    key.dimensions[0] = dimension_int("upid", process_intern(a->file, m->tgid));
    key.dimensions[1] = dimension_string("name", name);
    uint32_t track = track_intern(a->import->tracks, &key, &info);
    put_utid(a, a->utid, thread_intern(a->file, tid));
    counter_push(a->file, ts, track, m->value, &a->args);
}

void atrace_push(struct atrace *a, int64_t ts, int64_t tid, const struct atrace_mark *mark)
{
    switch (mark->phase) {
    case 'B': push_begin(a, ts, tid, mark); break;
    case 'E': push_end(a, ts, tid, mark); break;
    case 'I': push_instant(a, ts, tid, mark); break;
    case 'S':
    case 'F': push_async(a, ts, mark); break;
    case 'N':
    case 'G':
    case 'H': push_on_track(a, ts, tid, mark); break;
    case 'C': push_counter(a, ts, tid, mark); break;
    default: break;
    }
}

/* Bytes that are no UTF-8 are left out. */
static struct str make_clean(struct atrace *a, struct str text)
{
    size_t bad;
    if (utf8_is_valid(text, &bad)) return text;
    buffer_clear(&a->clean);
    while (text.n) {
        uint32_t codepoint;
        size_t n = utf8_decode(text, &codepoint);
        if (codepoint != UTF8_INVALID) buffer_append(&a->clean, text.p, n);
        text = str_slice(text, n, text.n);
    }
    return buffer_str(&a->clean);
}

void atrace_push_text(struct atrace *a, int64_t ts, int64_t tid, struct str text)
{
    struct atrace_mark mark;
    switch (atrace_parse(make_clean(a, text), &mark)) {
    case ATRACE_MARK: atrace_push(a, ts, tid, &mark); break;
    case ATRACE_BAD: stats_add(a->file, STAT_systrace_parse_failure, 1); break;
    case ATRACE_IGNORED: break;
    }
}
