/* Interrupts, work queues, signals: what runs between threads (spec engine_2 2.3). */
#include "engine/import/ftrace_handlers.h"

#include "engine/import/ftrace_track.h"
#include "engine/import/process.h"

static uint32_t irq_track(const struct ftrace_event *event)
{
    char name[32];
    probe_format(name, sizeof name, "Irq Cpu %u", (unsigned)event->cpu->cpu);
    return ftrace_track(event, "cpu_irq", "cpu", event->cpu->cpu, name);
}

static uint32_t softirq_track(const struct ftrace_event *event)
{
    char name[32];
    probe_format(name, sizeof name, "SoftIrq Cpu %u", (unsigned)event->cpu->cpu);
    return ftrace_track(event, "cpu_softirq", "cpu", event->cpu->cpu, name);
}

void ftrace_on_irq_entry(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    char name[128];
    probe_format(name, sizeof name, "IRQ (%.*s)", STR_ARG(field_str(&f, 2)));
    ftrace_begin(event, irq_track(event), "irq", ftrace_intern(event, name), NULL);
}

void ftrace_on_irq_exit(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    ftrace_arg_text(event, "ret", field_uint(&f, 2) == 1 ? STR("handled") : STR("unhandled"));
    ftrace_end(event, irq_track(event), "irq", &event->ftrace->args);
}

static const char *softirq_name(uint64_t vector)
{
    static const char *const names[] = {"HI",           "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                        "BLOCK_IOPOLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};
    return vector < sizeof names / sizeof names[0] ? names[vector] : NULL;
}

void ftrace_on_softirq_entry(const struct ftrace_event *event)
{
    struct wire_field f;
    const char *name = softirq_name(wire_find(event->body, 1, &f) ? f.value : 0);
    if (name) ftrace_begin(event, softirq_track(event), "irq", ftrace_intern(event, name), NULL);
}

void ftrace_on_softirq_exit(const struct ftrace_event *event)
{
    struct wire_field f;
    const char *name = softirq_name(wire_find(event->body, 1, &f) ? f.value : 0);
    if (!name) return;
    ftrace_arg_text(event, "vec", str_of(name));
    ftrace_end(event, softirq_track(event), "irq", &event->ftrace->args);
}

void ftrace_on_ipi_entry(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    char name[128];
    probe_format(name, sizeof name, "IPI (%.*s)", STR_ARG(field_str(&f, 1)));
    ftrace_begin(event, irq_track(event), "irq", ftrace_intern(event, name), NULL);
}

void ftrace_on_ipi_exit(const struct ftrace_event *event)
{
    ftrace_end(event, irq_track(event), "irq", NULL);
}

void ftrace_on_local_timer_entry(const struct ftrace_event *event)
{
    ftrace_begin(event, irq_track(event), "irq", ftrace_intern(event, "IRQ (LocalTimer)"), NULL);
}

void ftrace_on_work_start(const struct ftrace_event *event)
{
    struct wire_field f;
    uint64_t function = wire_find(event->body, 2, &f) ? f.value : 0;
    string_id name = function ? ftrace_symbol(event, function) : STRING_NULL;
    if (name == STRING_NULL) {
        char text[24];
        probe_format(text, sizeof text, "%#llx", (unsigned long long)function);
        name = ftrace_intern(event, text);
    }
    ftrace_arg_int(event, "cpu", event->cpu->cpu);
    ftrace_begin(event, ftrace_thread_track(event), "workqueue", name, &event->ftrace->args);
}

void ftrace_on_work_end(const struct ftrace_event *event)
{
    ftrace_end(event, ftrace_thread_track(event), "workqueue", NULL);
}

void ftrace_on_signal_generate(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint32_t utid = thread_intern(event->file, (int32_t)field_int(&f, 4));
    uint32_t track = track_of_thread(event->import->tracks, event->file->machine_id, utid);
    ftrace_arg_int(event, "signal.sig", (int32_t)field_int(&f, 6));
    ftrace_instant(event, track, NULL, ftrace_intern(event, "signal_generate"),
                   &event->ftrace->args);
}

void ftrace_on_signal_deliver(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    ftrace_arg_int(event, "signal.sig", (int32_t)field_int(&f, 3));
    ftrace_instant(event, ftrace_thread_track(event), NULL, ftrace_intern(event, "signal_deliver"),
                   &event->ftrace->args);
}

void ftrace_on_kprobe(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    uint32_t track = ftrace_thread_track(event);
    string_id name = strpool_intern(event->import->strings, field_str(&f, 1));
    switch (field_uint(&f, 2)) {
    case 1: ftrace_begin(event, track, NULL, name, NULL); break;
    case 2: ftrace_end(event, track, NULL, NULL); break;
    case 3: ftrace_instant(event, track, NULL, name, NULL); break;
    default: break;
    }
}
