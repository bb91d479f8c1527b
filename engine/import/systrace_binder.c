/* Binder events of ftrace text (spec engine_2b 6.6.3). */
#include "engine/import/systrace.h"

#include "engine/base/buffer.h"
#include "engine/import/binder.h"

static uint32_t read_hex(struct str text)
{
    uint64_t value = 0;
    if (str_starts(text, STR("0x"))) text = str_slice(text, 2, text.n);
    for (size_t i = 0; i < text.n && i < 8; i++) {
        char c = text.p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) break;
        value = value << 4 | (uint64_t)digit;
    }
    return (uint32_t)value;
}

void systrace_on_transaction(const struct systrace_event *event)
{
    struct binder_transaction t = {.tid = event->tid};
    uint32_t process, thread;
    int32_t reply;
    if (!systrace_arg_int32(event, "transaction", &t.id) ||
        !systrace_arg_int32(event, "dest_node", &t.target_node) ||
        !systrace_arg_uint32(event, "dest_proc", &process) ||
        !systrace_arg_uint32(event, "dest_thread", &thread) ||
        !systrace_arg_int32(event, "reply", &reply))
        return;
    t.target_pid = (int32_t)process;
    t.target_tid = (int32_t)thread;
    t.is_reply = reply == 1;
    t.flags = read_hex(systrace_arg(event, "flags"));
    struct buffer code = BUFFER_INIT;
    buffer_append_str(&code, str_slice(systrace_arg(event, "code"), 0, 256));
    buffer_append_text(&code, " Java Layer Dependent");
    t.code = buffer_str(&code);
    binder_send(systrace_binder(event->systrace), event->ts, &t);
    buffer_free(&code);
}

void systrace_on_received(const struct systrace_event *event)
{
    int32_t id;
    if (systrace_arg_int32(event, "transaction", &id))
        binder_receive(systrace_binder(event->systrace), event->ts, event->tid, id);
}

void systrace_on_alloc(const struct systrace_event *event)
{
    uint64_t data, offsets;
    if (str_to_uint64(systrace_arg(event, "data_size"), &data) &&
        str_to_uint64(systrace_arg(event, "offsets_size"), &offsets))
        binder_alloc_buffer(systrace_binder(event->systrace), event->ts, event->tid, data, offsets);
}

void systrace_on_return(const struct systrace_event *event)
{
    uint64_t command;
    if (str_to_uint64_any_base(systrace_arg(event, "cmd"), &command) && command <= UINT32_MAX)
        binder_return(systrace_binder(event->systrace), event->ts, event->tid, (uint32_t)command);
}

void systrace_on_lock(const struct systrace_event *event)
{
    binder_lock(systrace_binder(event->systrace), event->ts, event->tid);
}

void systrace_on_locked(const struct systrace_event *event)
{
    binder_locked(systrace_binder(event->systrace), event->ts, event->tid);
}

void systrace_on_unlock(const struct systrace_event *event)
{
    binder_unlock(systrace_binder(event->systrace), event->ts, event->tid);
}
