/* Scheduling of kernels that are not Linux: task states, renames, the process tree,
 * frequencies (spec engine_2 2.7). */
#include "engine/import/packet.h"

#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"

enum packet_field {
    PACKET_TASK_STATE = 117,
    PACKET_CPU_FREQUENCY = 118,
    PACKET_TASK_RENAME = 120,
    PACKET_PROCESS_TREE = 122,
    PACKET_GPU_FREQUENCY = 129,
};

enum task_state {
    TASK_CREATED = 1,
    TASK_RUNNABLE = 2,
    TASK_RUNNING = 3,
    TASK_DEAD = 7,
    TASK_DESTROYED = 8,
    TASK_STATES,
};

#define NO_ROW NULL_UINT32

/* The rows that are still open. */
struct generic_kernel {
    struct map state_row;   /* utid -> row of thread_state */
    struct map state;       /* utid -> enum task_state; 0: unknown */
    struct map running_row; /* cpu -> row of sched_slice */
};

static string_id state_name(struct import *import, uint64_t state)
{
    static const char *const names[TASK_STATES] = {NULL, "Created", "R", "Running", "S",
                                                   "D",  "T",       "Z", "X"};
    if (state >= TASK_STATES || !names[state]) return STRING_NULL;
    return strpool_intern_text(import->strings, names[state]);
}

static void open_state(struct generic_kernel *kernel, const struct import_file *file, int64_t ts,
                       uint32_t utid, uint64_t state, struct opt_uint32 ucpu)
{
    struct tables *tables = file->import->tables;
    uint64_t *open = map_get(&kernel->state_row, utid);
    if (open) {
        int64_t start = column_get_int64(&tables->thread_state.ts, (uint32_t)*open);
        table_set_int64(&tables->thread_state.table, thread_state_COLUMN_dur, (uint32_t)*open,
                        ts - start);
    }
    struct thread_state_row row = {
        .ts = ts,
        .dur = -1,
        .utid = utid,
        .state = state_name(file->import, state),
        .ucpu = ucpu,
    };
    map_set(&kernel->state_row, utid, thread_state_append(&tables->thread_state, &row));
    map_set(&kernel->state, utid, state);
}

/* The slice of the cpu, when it is of that thread or `utid` is NO_ROW. */
static uint32_t running_slice(const struct generic_kernel *kernel, const struct tables *tables,
                              uint32_t cpu, uint32_t utid)
{
    uint64_t *row = map_get(&kernel->running_row, cpu);
    if (!row ||
        (utid != NO_ROW && column_get_row(&tables->sched_slice.utid, (uint32_t)*row) != utid))
        return NO_ROW;
    return (uint32_t)*row;
}

static void close_slice(struct generic_kernel *kernel, const struct import_file *file, int64_t ts,
                        uint32_t cpu, uint32_t row, uint64_t state)
{
    struct tables *tables = file->import->tables;
    struct table *table = &tables->sched_slice.table;
    table_set_int64(table, sched_slice_COLUMN_dur, row,
                    ts - column_get_int64(&tables->sched_slice.ts, row));
    if (state)
        table_set_string(table, sched_slice_COLUMN_end_state, row, state_name(file->import, state));
    map_remove(&kernel->running_row, cpu);
}

static void start_running(struct generic_kernel *kernel, const struct import_file *file, int64_t ts,
                          uint32_t cpu, uint32_t utid, int32_t priority)
{
    struct tables *tables = file->import->tables;
    uint32_t row = running_slice(kernel, tables, cpu, NO_ROW);
    if (row != NO_ROW) {
        /* Pushed off the cpu; what it does now is not told. */
        uint32_t previous = column_get_row(&tables->sched_slice.utid, row);
        close_slice(kernel, file, ts, cpu, row, 0);
        uint64_t *state = map_get(&kernel->state, previous);
        if (previous != utid && state && *state == TASK_RUNNING)
            open_state(kernel, file, ts, previous, 0, (struct opt_uint32){0});
    }
    struct sched_slice_row slice = {
        .ts = ts,
        .dur = -1,
        .utid = utid,
        .priority = priority,
        .ucpu = cpu_intern(file, cpu),
    };
    map_set(&kernel->running_row, cpu, sched_slice_append(&tables->sched_slice, &slice));
    open_state(kernel, file, ts, utid, TASK_RUNNING, some_uint32(slice.ucpu));
}

/* The cpu that the thread runs on may not be the one that reports its new state. */
static void stop_running(struct generic_kernel *kernel, const struct import_file *file, int64_t ts,
                         uint32_t utid, uint64_t state)
{
    for (uint32_t cpu = 0; cpu < FTRACE_MAX_CPUS; cpu++) {
        uint32_t row = running_slice(kernel, file->import->tables, cpu, utid);
        if (row == NO_ROW) continue;
        close_slice(kernel, file, ts, cpu, row, state);
        return;
    }
}

static bool is_possible(uint64_t last, uint64_t state)
{
    if (last == TASK_DEAD) return state == TASK_DESTROYED;
    if (last == TASK_DESTROYED) return false;
    return !(last == TASK_RUNNING && state == TASK_RUNNING);
}

static void parse_state(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct generic_kernel *kernel = state;
    const struct import_file *file = packet->file;
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    uint32_t cpu = (uint32_t)field_uint(&f, 1);
    int64_t tid = field_int(&f, 3);
    uint64_t task_state = field_uint(&f, 4);
    if (task_state == 0 || task_state >= TASK_STATES || cpu >= FTRACE_MAX_CPUS) return;

    uint32_t utid;
    if (task_state == TASK_CREATED) {
        utid = thread_start(file, some_int64(ts), tid, NULL_UINT32);
    } else {
        utid = thread_intern(file, tid);
        uint64_t *last = map_get(&kernel->state, utid);
        if (last && !is_possible(*last, task_state)) {
            stats_add(file, STAT_generic_task_state_invalid_order, 1);
            return;
        }
    }
    if (field_has(&f, 2))
        thread_set_name(file, utid, strpool_intern(file->import->strings, field_str(&f, 2)),
                        THREAD_NAME_FTRACE);
    if (task_state == TASK_RUNNING) {
        start_running(kernel, file, ts, cpu, utid, (int32_t)field_int(&f, 5));
        return;
    }
    uint64_t *last = map_get(&kernel->state, utid);
    if (last && *last == TASK_RUNNING) stop_running(kernel, file, ts, utid, task_state);
    open_state(kernel, file, ts, utid, task_state, (struct opt_uint32){0});
    if (task_state == TASK_DESTROYED) thread_end(file, ts, tid);
}

static void parse_rename(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    (void)ts;
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    uint32_t utid = thread_intern(packet->file, field_int(&f, 1));
    thread_set_name_and_process(packet->file, utid,
                                strpool_intern(packet->file->import->strings, field_str(&f, 2)),
                                THREAD_NAME_FTRACE);
}

static void parse_tree(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    (void)ts;
    const struct import_file *file = packet->file;
    struct strpool *strings = file->import->strings;
    struct wire w = wire_open(field);
    struct wire_field part;
    while (wire_next(&w, &part)) {
        struct ftrace_fields f;
        ftrace_read_fields(&f, part.bytes);
        if (part.number == 1) {
            uint32_t upid = process_intern(file, field_int(&f, 1));
            if (field_has(&f, 2))
                process_set_parent(file, upid, process_intern(file, field_int(&f, 2)));
            process_set_name(file, upid, strpool_intern(strings, field_str(&f, 3)),
                             PROCESS_NAME_SYSTEM);
        } else if (part.number == 2) {
            bool is_idle = field_uint(&f, 5) != 0;
            uint32_t utid = field_has(&f, 2) && !is_idle
                                ? thread_intern_in(file, field_int(&f, 1), field_int(&f, 2))
                                : thread_intern(file, field_int(&f, 1));
            thread_set_name(file, utid, strpool_intern(strings, field_str(&f, 3)),
                            THREAD_NAME_FTRACE);
        }
    }
}

static void parse_cpu_frequency(void *state, int64_t ts, const struct packet *packet,
                                struct str field)
{
    (void)state;
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    uint32_t cpu = (uint32_t)field_uint(&f, 1);
    if (cpu >= FTRACE_MAX_CPUS) return;
    cpu_intern(packet->file, cpu);
    struct track_key key = probe_key(packet->file, "cpu_frequency", TRACK_COUNTER);
    probe_dimension_int(&key, "cpu", cpu);
    probe_count(packet->file, ts, &key, "cpufreq", NULL, (double)field_int(&f, 2) / 1000);
}

static void parse_gpu_frequency(void *state, int64_t ts, const struct packet *packet,
                                struct str field)
{
    (void)state;
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    struct track_key key = probe_key(packet->file, "gpu_frequency", TRACK_COUNTER);
    probe_dimension_int(&key, "ugpu", gpu_intern(packet->file, (uint32_t)field_uint(&f, 1)));
    probe_dimension_int(&key, "gpu", (uint32_t)field_uint(&f, 1));
    probe_count(packet->file, ts, &key, "gpufreq", "kHz", (double)(uint32_t)field_uint(&f, 2));
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct generic_kernel));
}

static void finish(void *state)
{
    struct generic_kernel *kernel = state;
    map_free(&kernel->state_row);
    map_free(&kernel->state);
    map_free(&kernel->running_row);
    mem_free(kernel);
}

static const struct packet_module modules[] = {
    {PACKET_TASK_STATE, NULL, parse_state},
    {PACKET_CPU_FREQUENCY, NULL, parse_cpu_frequency},
    {PACKET_TASK_RENAME, NULL, parse_rename},
    {PACKET_PROCESS_TREE, NULL, parse_tree},
    {PACKET_GPU_FREQUENCY, NULL, parse_gpu_frequency},
};

const struct packet_source generic_kernel_source = {
    .name = "generic_kernel",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = sizeof modules / sizeof modules[0],
};
