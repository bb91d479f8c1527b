/* User space's and drivers' marks: print, and the tracing_mark_write events that
 * carry the same in fields (spec engine_2 2.3). */
#include "engine/import/ftrace_handlers.h"

#include "engine/import/atrace.h"
#include "engine/import/stats.h"

void ftrace_on_print(const struct ftrace_event *event)
{
    struct wire_field f;
    if (!wire_find(event->body, 2, &f)) return;
    if (event->ftrace->syscalls) ftrace_syscalls_cut_write(event);
    atrace_push_text(event->ftrace->atrace, event->ts, event->tid, f.bytes);
}

void ftrace_on_zero(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct atrace_mark mark = {
        .tgid = (int32_t)field_int(&f, 3),
        .name = field_str(&f, 2),
        .value = (double)field_int(&f, 4),
    };
    switch (field_uint(&f, 1)) {
    case 1: mark.phase = 'B'; break;
    case 2: mark.phase = 'E'; break;
    case 4: mark.phase = 'C'; break;
    default: stats_add(event->file, STAT_systrace_parse_failure, 1); return;
    }
    atrace_push(event->ftrace->atrace, event->ts, event->tid, &mark);
}

/* Where each driver's event has what; 0: it has no such field. */
static const struct mark_fields {
    uint16_t id;
    uint8_t pid, name, type, begin, value;
} mark_fields[] = {
    {80, 1, 2, 0, 3, 0},  /* mdss */
    {333, 1, 2, 3, 5, 4}, /* sde */
    {348, 1, 4, 5, 3, 6}, /* dpu */
    {349, 1, 4, 5, 0, 6}, /* g2d */
    {350, 2, 1, 3, 0, 4}, /* mali */
    {467, 3, 4, 2, 0, 5}, /* lwis */
    {484, 1, 2, 4, 3, 5}, /* samsung */
    {490, 1, 4, 5, 3, 6}, /* panel */
};

void ftrace_on_mark_write(const struct ftrace_event *event)
{
    const struct mark_fields *at = NULL;
    for (size_t i = 0; i < sizeof mark_fields / sizeof mark_fields[0]; i++)
        if (mark_fields[i].id == event->id) at = &mark_fields[i];
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    if (!at || !(field_has(&f, at->type) || field_has(&f, at->begin))) {
        stats_add(event->file, STAT_systrace_parse_failure, 1);
        return;
    }
    uint64_t type = field_uint(&f, at->type);
    struct atrace_mark mark = {
        .phase = field_uint(&f, at->begin) ? 'B' : 'E',
        .tgid = (int32_t)field_int(&f, at->pid),
        .name = field_str(&f, at->name),
        .value = (double)field_int(&f, at->value),
    };
    if (type == 'B' || type == 'E' || type == 'C')
        mark.phase = (char)type;
    else if (type)
        return;
    atrace_push(event->ftrace->atrace, event->ts, event->tid, &mark);
}
