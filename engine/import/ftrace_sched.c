/* Scheduling and task events in their full form (spec engine_2 2.3). */
#include "engine/import/ftrace_handlers.h"

#include "engine/base/strpool.h"
#include "engine/import/process.h"
#include "engine/import/sched.h"

#define CLONE_THREAD 0x10000

void ftrace_parse_switch(const struct ftrace_event *event, enum ftrace_stage stage)
{
    struct strpool *strings = event->import->strings;
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct ftrace_switch s = {
        .prev_comm = strpool_intern(strings, field_str(&f, 1)),
        .prev_tid = (int32_t)field_int(&f, 2),
        .prev_priority = (int32_t)field_int(&f, 3),
        .prev_state = field_int(&f, 4),
        .next_comm = strpool_intern(strings, field_str(&f, 5)),
        .next_tid = (int32_t)field_int(&f, 6),
        .next_priority = (int32_t)field_int(&f, 7),
    };
    s.next_utid = thread_intern(event->file, s.next_tid);
    thread_set_name(event->file, s.next_utid, s.next_comm, THREAD_NAME_FTRACE);
    s.prev_utid = thread_intern(event->file, s.prev_tid);
    thread_set_name(event->file, s.prev_utid, s.prev_comm, THREAD_NAME_FTRACE);
    ftrace_push_switch(event->cpu, event->ts, &s, stage);
}

void ftrace_on_waking(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    int64_t tid = (int32_t)field_int(&f, 2);
    uint32_t utid = thread_intern(event->file, tid);
    thread_set_name(event->file, utid, strpool_intern(event->import->strings, field_str(&f, 1)),
                    THREAD_NAME_FTRACE);
    sched_push_waking(event->file, event->ts, utid, event->utid, some_uint32(event->common_flags));
}

void ftrace_on_blocked_reason(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint32_t utid = thread_intern(event->file, (int32_t)field_int(&f, 1));
    struct opt_uint32 io_wait = {0};
    if (field_has(&f, 3)) io_wait = some_uint32(field_uint(&f, 3) != 0);
    string_id function = field_has(&f, 2) ? ftrace_symbol(event, field_uint(&f, 2)) : STRING_NULL;
    sched_push_blocked_reason(event->file, utid, io_wait, function);
}

/* Raised for new processes and for new threads alike. */
void ftrace_on_newtask(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    int64_t tid = (int32_t)field_int(&f, 1);
    string_id comm = strpool_intern(event->import->strings, field_str(&f, 2));
    uint32_t utid;
    if (field_uint(&f, 3) & CLONE_THREAD) {
        utid = thread_start(event->file, some_int64(event->ts), tid, event->utid);
        thread_set_name(event->file, utid, comm, THREAD_NAME_FTRACE);
    } else {
        struct opt_uint32 parent = opt_row(thread_process(event->file, event->utid));
        uint32_t upid = process_start(event->file, some_int64(event->ts), tid, parent, comm,
                                      THREAD_NAME_FTRACE);
        if (!parent.has)
            vec_push(&event->ftrace->orphans, (struct ftrace_orphan){upid, event->utid});
        utid = thread_intern(event->file, tid);
    }
    sched_push_new_task(event->file, event->ts, utid, event->utid);
}

void ftrace_adopt_orphans(struct ftrace *ftrace)
{
    for (size_t i = 0; i < ftrace->orphans.count; i++) {
        const struct ftrace_orphan *o = &ftrace->orphans.items[i];
        uint32_t parent = thread_process(ftrace->file, o->parent_utid);
        if (parent != NULL_UINT32 &&
            column_is_null(&ftrace->import->tables->process.parent_upid, o->upid))
            process_set_parent(ftrace->file, o->upid, parent);
    }
}

void ftrace_on_rename(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint32_t utid = thread_intern(event->file, (int32_t)field_int(&f, 1));
    string_id name = strpool_intern(event->import->strings, field_str(&f, 3));
    thread_set_name_and_process(event->file, utid, name, THREAD_NAME_FTRACE);
}

void ftrace_on_process_free(const struct ftrace_event *event)
{
    struct wire_field f;
    if (!wire_find(event->body, 2, &f)) return;
    thread_end(event->file, event->ts, (int32_t)f.value);
}
