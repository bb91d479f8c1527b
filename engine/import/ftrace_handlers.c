/* The list of handlers, by event id (ftrace_events.def). */
#include "engine/import/ftrace_handlers.h"

static const struct {
    uint16_t id;
    ftrace_handler handler;
} handlers[] = {
    {3, ftrace_on_print},
    {11, ftrace_on_cpu_frequency},
    {12, ftrace_on_cpu_frequency_limits},
    {13, ftrace_on_cpu_idle},
    {14, ftrace_on_clock},
    {15, ftrace_on_clock},
    {16, ftrace_on_clock},
    {18, ftrace_on_blocked_reason},
    {20, ftrace_on_waking},
    {80, ftrace_on_mark_write},
    {235, ftrace_on_newtask},
    {236, ftrace_on_rename},
    {240, ftrace_on_process_free},
    {331, ftrace_on_zero},
    {333, ftrace_on_mark_write},
    {348, ftrace_on_mark_write},
    {349, ftrace_on_mark_write},
    {350, ftrace_on_mark_write},
    {467, ftrace_on_mark_write},
    {484, ftrace_on_mark_write},
    {490, ftrace_on_mark_write},
};

ftrace_handler ftrace_handler_of(uint32_t id)
{
    size_t low = 0, high = sizeof handlers / sizeof handlers[0];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (handlers[middle].id == id) return handlers[middle].handler;
        if (handlers[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
