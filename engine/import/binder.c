#include "engine/import/binder.h"

#include <stdio.h>

#include "engine/base/buffer.h"
#include "engine/base/map.h"
#include "engine/base/strpool.h"
#include "engine/import/process.h"
#include "engine/import/slice.h"
#include "engine/import/track.h"

enum { FLAG_ONE_WAY = 1 };
enum { RETURN_DEAD_REPLY = 0x7205, RETURN_FAILED_REPLY = 0x7211, RETURN_FROZEN_REPLY = 0x7212 };

/* A transaction that was sent and not received. */
struct sent {
    struct binder_transaction transaction;
    string_id code, flags;
    uint32_t track, slice;
};

struct names {
    string_id category, transaction, reply, async, async_receive;
    string_id lock_waiting, lock_held;
    string_id id, node, process, thread, name, is_reply, flags, code, calling_tid;
    string_id data_size, offsets_size;
};

struct binder {
    const struct import_file *file;
    struct import *import;
    struct map by_id; /* transaction id -> index in sent */
    VEC(struct sent) sent;
    struct map calling; /* tid -> calls it waits for */
    struct names names;
    struct arg_list args;
};

struct binder *binder_new(const struct import_file *file)
{
    struct binder *b = mem_zero(1, sizeof *b);
    struct strpool *strings = file->import->strings;
    b->file = file;
    b->import = file->import;
    struct names *n = &b->names;
    struct {
        string_id *id;
        const char *text;
    } texts[] = {
        {&n->category, "binder"},
        {&n->transaction, "binder transaction"},
        {&n->reply, "binder reply"},
        {&n->async, "binder transaction async"},
        {&n->async_receive, "binder async rcv"},
        {&n->lock_waiting, "binder lock waiting"},
        {&n->lock_held, "binder lock held"},
        {&n->id, "transaction id"},
        {&n->node, "destination node"},
        {&n->process, "destination process"},
        {&n->thread, "destination thread"},
        {&n->name, "destination name"},
        {&n->is_reply, "reply transaction?"},
        {&n->flags, "flags"},
        {&n->code, "code"},
        {&n->calling_tid, "calling tid"},
        {&n->data_size, "data buffer size"},
        {&n->offsets_size, "offsets buffer size"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i].id = strpool_intern_text(strings, texts[i].text);
    return b;
}

void binder_free(struct binder *b)
{
    if (!b) return;
    map_free(&b->by_id);
    map_free(&b->calling);
    vec_free(&b->sent);
    vec_free(&b->args);
    mem_free(b);
}

static uint32_t track_of(struct binder *b, int64_t tid)
{
    return track_of_thread(b->import->tracks, b->file->machine_id, thread_intern(b->file, tid));
}

static string_id thread_name(struct binder *b, int64_t tid)
{
    return column_get_string(&b->import->tables->thread.name, thread_intern(b->file, tid));
}

static string_id describe_flags(struct binder *b, uint32_t flags)
{
    static const struct {
        uint32_t bit;
        const char *text;
    } bits[] = {
        {0x01, "this is a one-way call: async, no return; "},
        {0x04, "contents are the components root object; "},
        {0x08, "contents are a 32-bit status code; "},
        {0x10, "allow replies with file descriptors; "},
    };
    struct buffer text = BUFFER_INIT;
    buffer_printf(&text, "0x%02x ", (unsigned)flags);
    if (flags == 0) buffer_append_text(&text, "No Flags Set");
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (flags & bits[i].bit) buffer_append_text(&text, bits[i].text);
    string_id id = strpool_intern(b->import->strings, buffer_str(&text));
    buffer_free(&text);
    return id;
}

static void put_uint(struct binder *b, string_id key, uint64_t value)
{
    arg_list_put(&b->args, (struct arg){.flat_key = key,
                                        .key = key,
                                        .type = ARG_UINT,
                                        .value = {.integer = (int64_t)value}});
}

static struct arg_list *describe(struct binder *b, const struct sent *s)
{
    const struct binder_transaction *t = &s->transaction;
    const struct names *n = &b->names;
    arg_list_put_int(&b->args, n->id, t->id);
    arg_list_put_int(&b->args, n->node, t->target_node);
    arg_list_put_int(&b->args, n->process, t->target_pid);
    arg_list_put_bool(&b->args, n->is_reply, t->is_reply);
    arg_list_put_string(&b->args, n->flags, s->flags);
    arg_list_put_string(&b->args, n->code, s->code);
    put_uint(b, n->calling_tid, (uint32_t)t->tid);
    return &b->args;
}

/* The innermost open slice of that name on the track. */
static uint32_t open_slice(struct binder *b, int64_t ts, uint32_t track, string_id name)
{
    const struct slice_table *slices = &b->import->tables->slice;
    uint32_t slice = slice_top(b->file, ts, track);
    while (slice != NO_SLICE && column_get_string(&slices->name, slice) != name)
        slice = column_get_row(&slices->parent_id, slice);
    return slice;
}

static void add_destination(struct binder *b, int64_t ts, uint32_t track, string_id slice_name,
                            int64_t tid, bool is_unsigned)
{
    uint32_t slice = open_slice(b, ts, track, slice_name);
    if (slice == NO_SLICE) return;
    if (is_unsigned)
        put_uint(b, b->names.thread, (uint32_t)tid);
    else
        arg_list_put_int(&b->args, b->names.thread, tid);
    string_id name = thread_name(b, tid);
    if (name != STRING_NULL) arg_list_put_string(&b->args, b->names.name, name);
    slice_add_args(b->file, slice, &b->args);
}

static void note_call(struct binder *b, int64_t tid, int change)
{
    bool added;
    uint64_t *calls = map_put_if_absent(&b->calling, (uint64_t)tid, 0, &added);
    if (change > 0 || *calls > 0) *calls += (uint64_t)(int64_t)change;
}

static uint32_t send_slice(struct binder *b, int64_t ts, const struct sent *s)
{
    const struct binder_transaction *t = &s->transaction;
    const struct names *n = &b->names;
    if (t->is_reply) {
        add_destination(b, ts, s->track, n->reply, t->target_tid, false);
        return slice_end(b->file, ts, s->track, STRING_NULL, STRING_NULL, describe(b, s));
    }
    if (t->flags & FLAG_ONE_WAY)
        return slice_scoped(b->file, ts, 0, s->track, n->category, n->async, describe(b, s));
    note_call(b, t->tid, 1);
    return slice_begin(b->file, ts, s->track, n->category, n->transaction, describe(b, s));
}

void binder_send(struct binder *b, int64_t ts, const struct binder_transaction *t)
{
    struct sent s = {
        .transaction = *t,
        .code = strpool_intern(b->import->strings, t->code),
        .flags = describe_flags(b, t->flags),
        .track = track_of(b, t->tid),
    };
    s.transaction.code = STR_NONE;
    s.slice = send_slice(b, ts, &s);
    map_set(&b->by_id, (uint32_t)t->id, b->sent.count);
    vec_push(&b->sent, s);
}

void binder_receive(struct binder *b, int64_t ts, int64_t tid, int32_t id)
{
    const struct names *n = &b->names;
    uint64_t *index = map_get(&b->by_id, (uint32_t)id);
    if (!index) return;
    struct sent s = b->sent.items[*index];
    map_remove(&b->by_id, (uint32_t)id);
    uint32_t track = track_of(b, tid), slice;
    if (s.transaction.is_reply) {
        /* The caller's slice, begun when it sent. */
        slice_end(b->file, ts, track, STRING_NULL, STRING_NULL, NULL);
        note_call(b, tid, -1);
        return;
    }
    if (s.transaction.flags & FLAG_ONE_WAY) {
        slice = slice_scoped(b->file, ts, 0, track, n->category, n->async_receive, describe(b, &s));
    } else {
        add_destination(b, ts, s.track, n->transaction, tid, true);
        slice = slice_begin(b->file, ts, track, n->category, n->reply, NULL);
    }
    if (s.slice != NO_SLICE && slice != NO_SLICE)
        flow_insert(b->file, s.slice, slice, (struct opt_int64){0});
}

void binder_alloc_buffer(struct binder *b, int64_t ts, int64_t tid, uint64_t data_size,
                         uint64_t offsets_size)
{
    uint32_t track = track_of(b, tid);
    uint32_t slice = open_slice(b, ts, track, b->names.transaction);
    if (slice == NO_SLICE) slice = open_slice(b, ts, track, b->names.reply);
    if (slice == NO_SLICE) return;
    put_uint(b, b->names.data_size, data_size);
    put_uint(b, b->names.offsets_size, offsets_size);
    slice_add_args(b->file, slice, &b->args);
}

void binder_return(struct binder *b, int64_t ts, int64_t tid, uint32_t command)
{
    if (command != RETURN_DEAD_REPLY && command != RETURN_FAILED_REPLY &&
        command != RETURN_FROZEN_REPLY)
        return;
    uint64_t *calls = map_get(&b->calling, (uint64_t)tid);
    if (!calls || *calls == 0) return;
    --*calls;
    slice_end(b->file, ts, track_of(b, tid), STRING_NULL, STRING_NULL, NULL);
}

void binder_lock(struct binder *b, int64_t ts, int64_t tid)
{
    slice_begin(b->file, ts, track_of(b, tid), b->names.category, b->names.lock_waiting, NULL);
}

void binder_locked(struct binder *b, int64_t ts, int64_t tid)
{
    uint32_t track = track_of(b, tid);
    slice_end(b->file, ts, track, b->names.category, b->names.lock_waiting, NULL);
    slice_begin(b->file, ts, track, b->names.category, b->names.lock_held, NULL);
}

void binder_unlock(struct binder *b, int64_t ts, int64_t tid)
{
    slice_end(b->file, ts, track_of(b, tid), b->names.category, b->names.lock_held, NULL);
}
