/* Binder events of the kernel (spec engine_2 2.3). */
#include "engine/import/ftrace_handlers.h"

#include <stdio.h>

#include "engine/import/binder.h"

static struct binder *binder_of(const struct ftrace_event *event)
{
    struct ftrace *ftrace = event->ftrace;
    if (!ftrace->binder) ftrace->binder = binder_new(event->file);
    return ftrace->binder;
}

void ftrace_on_binder_transaction(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    char code[48];
    snprintf(code, sizeof code, "0x%02x Java Layer Dependent", (unsigned)field_uint(&f, 6));
    struct binder_transaction t = {
        .tid = event->tid,
        .id = (int32_t)field_int(&f, 1),
        .target_node = (int32_t)field_int(&f, 2),
        .target_pid = (int32_t)field_int(&f, 3),
        .target_tid = (int32_t)field_int(&f, 4),
        .is_reply = (int32_t)field_int(&f, 5) == 1,
        .flags = (uint32_t)field_uint(&f, 7),
        .code = str_of(code),
    };
    binder_send(binder_of(event), event->ts, &t);
}

void ftrace_on_binder_received(const struct ftrace_event *event)
{
    struct wire_field f;
    int32_t id = wire_find(event->body, 1, &f) ? (int32_t)f.value : 0;
    binder_receive(binder_of(event), event->ts, event->tid, id);
}

void ftrace_on_binder_alloc(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    binder_alloc_buffer(binder_of(event), event->ts, event->tid, field_uint(&f, 1),
                        field_uint(&f, 3));
}

void ftrace_on_binder_return(const struct ftrace_event *event)
{
    struct wire_field f;
    if (wire_find(event->body, 1, &f))
        binder_return(binder_of(event), event->ts, event->tid, (uint32_t)f.value);
}

void ftrace_on_binder_lock(const struct ftrace_event *event)
{
    struct binder *binder = binder_of(event);
    switch (event->id) {
    case 53: binder_lock(binder, event->ts, event->tid); break;
    case 54: binder_locked(binder, event->ts, event->tid); break;
    default: binder_unlock(binder, event->ts, event->tid); break;
    }
}
