/* System calls: a slice on the thread from sys_enter to sys_exit (spec engine_2 2.3).
 *
 * User space's marks are written by a call of their own: a mark inside a write ends
 * the write's slice there, or it would be nested in the slices that the mark opens. */
#include "engine/import/ftrace_handlers.h"

#include "engine/base/memory.h"
#include "engine/import/ftrace_track.h"
#include "engine/import/syscall_names.h"

enum { MAX_NAMED = 1024 };

struct ftrace_syscalls {
    struct str machine;         /* architecture; of the string pool */
    string_id names[MAX_NAMED]; /* STRING_NULL: not made yet */
    string_id write, sigreturn;
    struct map in_write; /* utid -> its open sys_write */
};

void ftrace_syscalls_free(struct ftrace_syscalls *syscalls)
{
    if (!syscalls) return;
    map_free(&syscalls->in_write);
    mem_free(syscalls);
}

static struct ftrace_syscalls *syscalls_of(const struct ftrace_event *event)
{
    struct ftrace *ftrace = event->ftrace;
    if (ftrace->syscalls) return ftrace->syscalls;
    struct ftrace_syscalls *s = ftrace->syscalls = mem_zero(1, sizeof *s);
    const struct machine_table *machines = &event->import->tables->machine;
    s->machine = strpool_get(event->import->strings,
                             column_get_string(&machines->arch, event->file->machine_id));
    s->write = ftrace_intern(event, "sys_write");
    s->sigreturn = ftrace_intern(event, "sys_rt_sigreturn");
    return s;
}

static string_id name_of(const struct ftrace_event *event, struct ftrace_syscalls *s, uint64_t id)
{
    if (id < MAX_NAMED && s->names[id] != STRING_NULL) return s->names[id];
    char text[64];
    struct str name = syscall_name(s->machine, id);
    if (name.n)
        probe_format(text, sizeof text, "sys_%.*s", STR_ARG(name));
    else
        probe_format(text, sizeof text, "sys_%llu", (unsigned long long)id);
    string_id made = ftrace_intern(event, text);
    if (id < MAX_NAMED) s->names[id] = made;
    return made;
}

static void put_args(const struct ftrace_event *event)
{
    struct wire w = wire_open(event->body);
    struct wire_field f;
    string_id flat_key = ftrace_intern(event, "args");
    unsigned n = 0;
    while (wire_next(&w, &f) && n < 8) {
        if (f.number != 2 || f.type != WIRE_VARINT) continue;
        char key[16];
        probe_format(key, sizeof key, "args[%u]", n++);
        arg_list_put(&event->ftrace->args, (struct arg){.flat_key = flat_key,
                                                        .key = ftrace_intern(event, key),
                                                        .value.integer = (int64_t)f.value});
    }
}

void ftrace_on_sys_enter(const struct ftrace_event *event)
{
    struct ftrace_syscalls *s = syscalls_of(event);
    struct wire_field id;
    if (!wire_find(event->body, 1, &id)) id.value = 0;
    string_id name = name_of(event, s, id.value);
    /* It never returns to where it was called. */
    if (name == s->sigreturn) return;
    put_args(event);
    uint32_t slice =
        ftrace_begin(event, ftrace_thread_track(event), NULL, name, &event->ftrace->args);
    if (name == s->write && slice != NO_SLICE) map_set(&s->in_write, event->utid, slice);
}

void ftrace_on_sys_exit(const struct ftrace_event *event)
{
    struct ftrace_syscalls *s = syscalls_of(event);
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    string_id name = name_of(event, s, field_uint(&f, 1));
    /* A write that a mark has ended is over. */
    if (name == s->write && !map_remove(&s->in_write, event->utid)) return;
    ftrace_arg_int(event, "ret", field_int(&f, 2));
    slice_end(event->file, event->ts, ftrace_thread_track(event), STRING_NULL, name,
              &event->ftrace->args);
}

void ftrace_syscalls_cut_write(const struct ftrace_event *event)
{
    struct ftrace_syscalls *s = event->ftrace->syscalls;
    if (s->in_write.count == 0 || !map_remove(&s->in_write, event->utid)) return;
    slice_end(event->file, event->ts, ftrace_thread_track(event), STRING_NULL, s->write, NULL);
}
