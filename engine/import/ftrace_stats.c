#include "engine/import/ftrace_stats.h"

#include "engine/import/ftrace.h"
#include "engine/import/stats.h"

enum phase { PHASE_START = 1, PHASE_END = 2 };

/* Counters of one CPU: field in FtraceCpuStats, and its three stats. */
static const struct cpu_counter {
    uint32_t field;
    enum stat begin, end, delta;
} cpu_counters[] = {
    {2, STAT_ftrace_cpu_entries_begin, STAT_ftrace_cpu_entries_end, STAT_ftrace_cpu_entries_delta},
    {3, STAT_ftrace_cpu_overrun_begin, STAT_ftrace_cpu_overrun_end, STAT_ftrace_cpu_overrun_delta},
    {4, STAT_ftrace_cpu_commit_overrun_begin, STAT_ftrace_cpu_commit_overrun_end,
     STAT_ftrace_cpu_commit_overrun_delta},
    {5, STAT_ftrace_cpu_bytes_begin, STAT_ftrace_cpu_bytes_end, STAT_ftrace_cpu_bytes_delta},
    {8, STAT_ftrace_cpu_dropped_events_begin, STAT_ftrace_cpu_dropped_events_end,
     STAT_ftrace_cpu_dropped_events_delta},
    {9, STAT_ftrace_cpu_read_events_begin, STAT_ftrace_cpu_read_events_end,
     STAT_ftrace_cpu_read_events_delta},
};

/* The delta is told when the end is. */
static void parse_cpu(const struct import_file *file, struct str bytes, bool is_end)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    int64_t cpu = (int32_t)field_int(&f, 1);
    for (size_t i = 0; i < sizeof cpu_counters / sizeof cpu_counters[0]; i++) {
        const struct cpu_counter *c = &cpu_counters[i];
        int64_t value = field_int(&f, c->field);
        stats_set_indexed(file, is_end ? c->end : c->begin, cpu, value);
        if (is_end)
            stats_set_indexed(
                file, c->delta, cpu,
                (int64_t)((uint64_t)value - (uint64_t)stats_get_indexed(file, c->begin, cpu)));
    }
    double seconds[2];
    for (int i = 0; i < 2; i++)
        memcpy(&seconds[i], &(uint64_t){field_uint(&f, i ? 7 : 6)}, sizeof seconds[i]);
    int64_t ns[2];
    for (int i = 0; i < 2; i++)
        ns[i] = seconds[i] > -9e9 && seconds[i] < 9e9 ? (int64_t)(seconds[i] * 1e9) : 0;
    stats_set_indexed(
        file, is_end ? STAT_ftrace_cpu_oldest_event_ts_end : STAT_ftrace_cpu_oldest_event_ts_begin,
        cpu, ns[0]);
    stats_set_indexed(file, is_end ? STAT_ftrace_cpu_now_ts_end : STAT_ftrace_cpu_now_ts_begin, cpu,
                      ns[1]);
}

static void parse_kprobes(const struct import_file *file, struct str bytes, bool is_end)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    int64_t hits = field_int(&f, 1), misses = field_int(&f, 2);
    int64_t sign = is_end ? 1 : -1;
    stats_set(file, is_end ? STAT_ftrace_kprobe_hits_end : STAT_ftrace_kprobe_hits_begin, hits);
    stats_set(file, is_end ? STAT_ftrace_kprobe_misses_end : STAT_ftrace_kprobe_misses_begin,
              misses);
    stats_add(file, STAT_ftrace_kprobe_hits_delta, (int64_t)((uint64_t)hits * (uint64_t)sign));
    stats_add(file, STAT_ftrace_kprobe_misses_delta, (int64_t)((uint64_t)misses * (uint64_t)sign));
}

void ftrace_stats_parse(const struct import_file *file, struct str bytes)
{
    struct wire_field f;
    bool is_end = wire_find(bytes, 1, &f) && f.value == PHASE_END;
    struct wire w = wire_open(bytes);
    while (wire_next(&w, &f))
        switch (f.number) {
        case 2: parse_cpu(file, f.bytes, is_end); break;
        case 5:  /* atrace errors */
        case 6:  /* unknown and */
        case 7:  /* failed events */
        case 13: /* exclusive feature */
            if (f.bytes.n) stats_add(file, STAT_ftrace_setup_errors, 1);
            break;
        case 10: parse_kprobes(file, f.bytes, is_end); break;
        default: break;
        }
}
