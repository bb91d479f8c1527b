#include "engine/import/process.h"

#include <assert.h>

#include "engine/base/hash.h"
#include "engine/base/map.h"

#define NONE            NULL_UINT32
#define CPUS_OF_MACHINE 4096u

/* What the tracker must know of a thread beyond its row. */
struct thread_facts {
    int64_t tid;
    uint32_t upid;
    uint32_t older;   /* the thread that had this tid before, or NONE */
    uint32_t waiting; /* in `associations`: threads of the same process, or NONE */
    uint32_t args;    /* in arg_lists, or NONE */
    uint8_t name_priority;
    bool has_ended;
};

struct process_facts {
    int64_t pid;
    uint32_t args;
    uint8_t name_priority;
    bool has_ended;
};

/* tid and pid mean something on one machine only. */
struct machine_ids {
    int64_t raw_id;
    struct map newest_thread;     /* tid -> utid, or NONE */
    struct map live_process;      /* pid -> upid */
    struct map thread_in_process; /* hash(tid, pid) -> newest utid of both */
    struct map loose_thread;      /* tid -> newest utid that has no process yet */
    int64_t last_tid;             /* what thread_intern was asked for last … */
    uint32_t last_utid;           /* … and found; NONE: ask again */
    uint32_t idle_utid, idle_upid;
};

/* One end of a pair of threads that are known to share a process, while nobody
 * knows which. */
struct association {
    uint32_t other; /* utid */
    uint32_t next;  /* of the same thread, or NONE */
};

struct process_tracker {
    struct import *import;
    VEC(struct machine_ids) machines; /* by row */
    VEC(struct thread_facts) threads; /* by row */
    VEC(struct process_facts) processes;
    VEC(struct association) associations;
    VEC(struct arg_list) arg_lists;
};

struct process_tracker *process_tracker_new(struct import *import)
{
    struct process_tracker *t = mem_zero(1, sizeof *t);
    t->import = import;
    return t;
}

void process_tracker_free(struct process_tracker *t)
{
    if (!t) return;
    for (size_t i = 0; i < t->machines.count; i++) {
        map_free(&t->machines.items[i].newest_thread);
        map_free(&t->machines.items[i].live_process);
        map_free(&t->machines.items[i].thread_in_process);
        map_free(&t->machines.items[i].loose_thread);
    }
    for (size_t i = 0; i < t->arg_lists.count; i++)
        vec_free(&t->arg_lists.items[i]);
    vec_free(&t->machines);
    vec_free(&t->threads);
    vec_free(&t->processes);
    vec_free(&t->associations);
    vec_free(&t->arg_lists);
    mem_free(t);
}

static struct process_tracker *tracker(const struct import_file *file)
{
    return file->import->processes;
}

static struct machine_ids *machine_of(const struct import_file *file)
{
    assert(file->machine_id < tracker(file)->machines.count);
    return &tracker(file)->machines.items[file->machine_id];
}

static uint32_t add_thread(struct process_tracker *t, uint32_t machine_id, int64_t tid,
                           struct opt_int64 start)
{
    struct machine_ids *m = &t->machines.items[machine_id];
    struct thread_row row = {.tid = tid, .start_ts = start, .machine_id = machine_id};
    uint32_t utid = thread_append(&t->import->tables->thread, &row);
    const uint64_t *older = map_get(&m->newest_thread, (uint64_t)tid);
    struct thread_facts facts = {.tid = tid,
                                 .upid = NONE,
                                 .older = older ? (uint32_t)*older : NONE,
                                 .waiting = NONE,
                                 .args = NONE};
    vec_push(&t->threads, facts);
    map_set(&m->newest_thread, (uint64_t)tid, utid);
    map_set(&m->loose_thread, (uint64_t)tid, utid);
    m->last_utid = NONE;
    return utid;
}

static uint32_t add_process(struct process_tracker *t, uint32_t machine_id, int64_t pid)
{
    struct process_row row = {.pid = pid, .machine_id = machine_id};
    uint32_t upid = process_append(&t->import->tables->process, &row);
    vec_push(&t->processes, (struct process_facts){.pid = pid, .args = NONE});
    map_set(&t->machines.items[machine_id].live_process, (uint64_t)pid, upid);
    return upid;
}

static void add_cpus(struct tables *tables, uint32_t machine_id)
{
    struct cpu_row row = {.machine_id = machine_id};
    for (uint32_t i = 0; i < CPUS_OF_MACHINE; i++)
        cpu_append(&tables->cpu, &row);
}

static void add_idle(struct process_tracker *t, uint32_t machine_id)
{
    struct tables *tables = t->import->tables;
    struct process_row process = {.machine_id = machine_id};
    uint32_t upid = process_append(&tables->process, &process);
    vec_push(&t->processes, (struct process_facts){.args = NONE});
    struct thread_row thread = {.machine_id = machine_id,
                                .upid = some_uint32(upid),
                                .is_main_thread = some_uint32(1),
                                .is_idle = 1};
    uint32_t utid = thread_append(&tables->thread, &thread);
    vec_push(&t->threads,
             (struct thread_facts){.upid = upid, .older = NONE, .waiting = NONE, .args = NONE});
    t->machines.items[machine_id].idle_utid = utid;
    t->machines.items[machine_id].idle_upid = upid;
}

uint32_t machine_intern(struct import *import, int64_t raw_id)
{
    struct process_tracker *t = import->processes;
    for (size_t i = 0; i < t->machines.count; i++)
        if (column_get_int64(&import->tables->machine.raw_id, (uint32_t)i) == raw_id)
            return (uint32_t)i;
    struct machine_row row = {.raw_id = raw_id};
    uint32_t id = machine_append(&import->tables->machine, &row);
    assert(id == t->machines.count);
    vec_push(&t->machines, (struct machine_ids){.raw_id = raw_id, .last_utid = NONE});
    add_idle(t, id);
    add_cpus(import->tables, id);
    return id;
}

static uint64_t pair_key(int64_t tid, int64_t pid)
{
    return hash_mix(hash_mix(0, (uint64_t)tid), (uint64_t)pid);
}

void process_map_idle(struct import *import, uint32_t machine_id)
{
    struct machine_ids *m = &import->processes->machines.items[machine_id];
    bool added;
    map_put_if_absent(&m->newest_thread, 0, m->idle_utid, &added);
    map_put_if_absent(&m->live_process, 0, m->idle_upid, &added);
    map_put_if_absent(&m->thread_in_process, pair_key(0, 0), m->idle_utid, &added);
    m->last_utid = NONE;
    struct import_file file = {.import = import, .machine_id = machine_id};
    thread_set_name(&file, m->idle_utid, strpool_intern_text(import->strings, "swapper"),
                    THREAD_NAME_CONSTANT);
}

/* A thread that has ended, or whose process has, no longer answers to its tid. */
static bool is_alive(const struct process_tracker *t, const struct machine_ids *m,
                     const struct thread_facts *thread)
{
    if (thread->has_ended) return false;
    if (thread->upid == NONE) return true;
    const struct process_facts *process = &t->processes.items[thread->upid];
    if (process->has_ended) return false;
    const uint64_t *live = map_get(&m->live_process, (uint64_t)process->pid);
    return live && *live == thread->upid;
}

/* The newest living thread of that tid, or NONE.  The dead stay dead: they are
 * passed once. */
static uint32_t find_thread(struct process_tracker *t, struct machine_ids *m, int64_t tid)
{
    uint64_t *newest = map_get(&m->newest_thread, (uint64_t)tid);
    if (!newest) return NONE;
    uint32_t utid = (uint32_t)*newest;
    while (utid != NONE && !is_alive(t, m, &t->threads.items[utid]))
        utid = t->threads.items[utid].older;
    *newest = utid;
    return utid;
}

/* The newest living thread of that tid that is the process' or may become so. */
static uint32_t find_thread_in(struct process_tracker *t, struct machine_ids *m, int64_t tid,
                               int64_t pid)
{
    const uint64_t *found = map_get(&m->thread_in_process, pair_key(tid, pid));
    uint32_t utid = found ? (uint32_t)*found : NONE;
    if (utid != NONE) {
        const struct thread_facts *thread = &t->threads.items[utid];
        bool fits = thread->tid == tid && t->processes.items[thread->upid].pid == pid;
        if (!fits || !is_alive(t, m, thread)) utid = NONE;
    }
    const uint64_t *loose = map_get(&m->loose_thread, (uint64_t)tid);
    if (!loose || t->threads.items[*loose].has_ended) return utid;
    return utid == NONE || *loose > utid ? (uint32_t)*loose : utid;
}

static void set_thread_process(struct process_tracker *t, struct machine_ids *m, uint32_t utid,
                               uint32_t upid)
{
    struct thread_facts *thread = &t->threads.items[utid];
    struct table *table = &t->import->tables->thread.table;
    int64_t pid = t->processes.items[upid].pid;
    thread->upid = upid;
    table_set_int64(table, thread_COLUMN_upid, utid, upid);
    table_set_int64(table, thread_COLUMN_is_main_thread, utid, pid == thread->tid);

    bool added;
    uint64_t *of_pair =
        map_put_if_absent(&m->thread_in_process, pair_key(thread->tid, pid), utid, &added);
    if (utid > *of_pair) *of_pair = utid;
    const uint64_t *loose = map_get(&m->loose_thread, (uint64_t)thread->tid);
    if (loose && *loose == utid) map_remove(&m->loose_thread, (uint64_t)thread->tid);
    m->last_utid = NONE;
}

static void associate(struct process_tracker *t, uint32_t utid, uint32_t other)
{
    struct thread_facts *thread = &t->threads.items[utid];
    vec_push(&t->associations, (struct association){.other = other, .next = thread->waiting});
    thread->waiting = (uint32_t)t->associations.count - 1;
}

/* Gives the thread its process, and every thread that waits to share it. */
static void join_process(struct process_tracker *t, struct machine_ids *m, uint32_t first,
                         uint32_t upid)
{
    set_thread_process(t, m, first, upid);
    if (t->threads.items[first].waiting == NONE) return;
    VEC(uint32_t) known = {0};
    vec_push(&known, first);
    while (known.count) {
        struct thread_facts *thread = &t->threads.items[vec_pop(&known)];
        uint32_t next = thread->waiting;
        thread->waiting = NONE;
        for (; next != NONE; next = t->associations.items[next].next) {
            uint32_t other = t->associations.items[next].other;
            if (t->threads.items[other].upid != NONE) continue;
            set_thread_process(t, m, other, upid);
            vec_push(&known, other);
        }
    }
    vec_free(&known);
}

static uint32_t get_process(struct process_tracker *t, uint32_t machine_id, int64_t pid);

static uint32_t get_thread_in(struct process_tracker *t, uint32_t machine_id, int64_t tid,
                              int64_t pid)
{
    struct machine_ids *m = &t->machines.items[machine_id];
    uint32_t utid = find_thread_in(t, m, tid, pid);
    if (utid == NONE) utid = add_thread(t, machine_id, tid, (struct opt_int64){0});
    if (t->threads.items[utid].upid == NONE) {
        uint32_t upid = get_process(t, machine_id, pid);
        /* Making the process may have tied its main thread, which can be this one. */
        if (t->threads.items[utid].upid == NONE) join_process(t, m, utid, upid);
    }
    return utid;
}

static uint32_t get_process(struct process_tracker *t, uint32_t machine_id, int64_t pid)
{
    const uint64_t *live = map_get(&t->machines.items[machine_id].live_process, (uint64_t)pid);
    if (live) return (uint32_t)*live;
    uint32_t upid = add_process(t, machine_id, pid);
    get_thread_in(t, machine_id, pid, pid);
    return upid;
}

uint32_t process_intern(const struct import_file *file, int64_t pid)
{
    return get_process(tracker(file), file->machine_id, pid);
}

uint32_t thread_intern(const struct import_file *file, int64_t tid)
{
    struct machine_ids *m = machine_of(file);
    if (m->last_utid != NONE && m->last_tid == tid) return m->last_utid;
    struct process_tracker *t = tracker(file);
    uint32_t utid = find_thread(t, m, tid);
    if (utid == NONE) utid = add_thread(t, file->machine_id, tid, (struct opt_int64){0});
    m->last_tid = tid;
    m->last_utid = utid;
    return utid;
}

uint32_t thread_intern_in(const struct import_file *file, int64_t tid, int64_t pid)
{
    return get_thread_in(tracker(file), file->machine_id, tid, pid);
}

uint32_t process_find(const struct import_file *file, int64_t pid)
{
    const uint64_t *live = map_get(&machine_of(file)->live_process, (uint64_t)pid);
    return live ? (uint32_t)*live : NONE;
}

uint32_t thread_find(const struct import_file *file, int64_t tid)
{
    return find_thread(tracker(file), machine_of(file), tid);
}

uint32_t process_start(const struct import_file *file, struct opt_int64 ts, int64_t pid,
                       struct opt_uint32 parent_upid, string_id main_thread_name,
                       enum thread_name_priority priority)
{
    struct process_tracker *t = tracker(file);
    struct machine_ids *m = machine_of(file);
    map_remove(&m->live_process, (uint64_t)pid);
    uint32_t utid = add_thread(t, file->machine_id, pid, ts);
    thread_set_name(file, utid, main_thread_name, priority);
    uint32_t upid = get_process(t, file->machine_id, pid);
    struct table *table = &t->import->tables->process.table;
    if (ts.has) table_set_int64(table, process_COLUMN_start_ts, upid, ts.value);
    if (parent_upid.has)
        table_set_int64(table, process_COLUMN_parent_upid, upid, parent_upid.value);
    process_set_name(file, upid, main_thread_name, PROCESS_NAME_SYSTEM);
    return upid;
}

uint32_t thread_start(const struct import_file *file, struct opt_int64 ts, int64_t tid,
                      uint32_t parent_utid)
{
    struct process_tracker *t = tracker(file);
    uint32_t utid = add_thread(t, file->machine_id, tid, ts);
    if (parent_utid == NONE) return utid;
    uint32_t upid = t->threads.items[parent_utid].upid;
    if (upid != NONE) {
        join_process(t, machine_of(file), utid, upid);
    } else {
        associate(t, utid, parent_utid);
        associate(t, parent_utid, utid);
    }
    return utid;
}

void thread_end(const struct import_file *file, int64_t ts, int64_t tid)
{
    struct process_tracker *t = tracker(file);
    struct machine_ids *m = machine_of(file);
    uint32_t utid = thread_intern(file, tid);
    struct thread_facts *thread = &t->threads.items[utid];
    thread->has_ended = true;
    table_set_int64(&t->import->tables->thread.table, thread_COLUMN_end_ts, utid, ts);
    m->last_utid = NONE;
    if (thread->upid == NONE) return;
    struct process_facts *process = &t->processes.items[thread->upid];
    if (process->pid != thread->tid) return;
    process->has_ended = true;
    table_set_int64(&t->import->tables->process.table, process_COLUMN_end_ts, thread->upid, ts);
    const uint64_t *live = map_get(&m->live_process, (uint64_t)process->pid);
    if (live && *live == thread->upid) map_remove(&m->live_process, (uint64_t)process->pid);
}

void thread_set_name(const struct import_file *file, uint32_t utid, string_id name,
                     enum thread_name_priority priority)
{
    struct process_tracker *t = tracker(file);
    struct thread_facts *thread = &t->threads.items[utid];
    if (name == STRING_NULL || priority < thread->name_priority) return;
    thread->name_priority = (uint8_t)priority;
    struct thread_table *table = &t->import->tables->thread;
    if (column_get_string(&table->name, utid) != name)
        table_set_string(&table->table, thread_COLUMN_name, utid, name);
}

void thread_set_name_and_process(const struct import_file *file, uint32_t utid, string_id name,
                                 enum thread_name_priority priority)
{
    const struct thread_facts *thread = &tracker(file)->threads.items[utid];
    thread_set_name(file, utid, name, priority);
    if (thread->upid == NONE) return;
    if (tracker(file)->processes.items[thread->upid].pid == thread->tid)
        process_set_name(file, thread->upid, name, PROCESS_NAME_SYSTEM);
}

void process_set_name(const struct import_file *file, uint32_t upid, string_id name,
                      enum process_name_priority priority)
{
    struct process_tracker *t = tracker(file);
    struct process_facts *process = &t->processes.items[upid];
    if (name == STRING_NULL || priority < process->name_priority) return;
    process->name_priority = (uint8_t)priority;
    table_set_string(&t->import->tables->process.table, process_COLUMN_name, upid, name);
}

void process_set_parent(const struct import_file *file, uint32_t upid, uint32_t parent_upid)
{
    if (parent_upid == NONE) return;
    table_set_int64(&file->import->tables->process.table, process_COLUMN_parent_upid, upid,
                    parent_upid);
}

void process_set_uid(const struct import_file *file, uint32_t upid, uint32_t uid)
{
    struct table *table = &file->import->tables->process.table;
    table_set_int64(table, process_COLUMN_uid, upid, uid);
    table_set_int64(table, process_COLUMN_android_appid, upid, uid % 100000);
    table_set_int64(table, process_COLUMN_android_user_id, upid, uid / 100000);
}

void process_set_start(const struct import_file *file, uint32_t upid, int64_t ts)
{
    table_set_int64(&file->import->tables->process.table, process_COLUMN_start_ts, upid, ts);
}

void process_set_cmdline(const struct import_file *file, uint32_t upid, string_id cmdline)
{
    table_set_string(&file->import->tables->process.table, process_COLUMN_cmdline, upid, cmdline);
}

static void put_arg(struct process_tracker *t, uint32_t *list, struct arg arg)
{
    if (*list == NONE) {
        *list = (uint32_t)t->arg_lists.count;
        vec_push(&t->arg_lists, (struct arg_list){NULL, 0, 0});
    }
    arg_list_put(&t->arg_lists.items[*list], arg);
}

void process_put_arg(const struct import_file *file, uint32_t upid, struct arg arg)
{
    put_arg(tracker(file), &tracker(file)->processes.items[upid].args, arg);
}

void thread_put_arg(const struct import_file *file, uint32_t utid, struct arg arg)
{
    put_arg(tracker(file), &tracker(file)->threads.items[utid].args, arg);
}

uint32_t thread_process(const struct import_file *file, uint32_t utid)
{
    return tracker(file)->threads.items[utid].upid;
}

uint32_t cpu_intern(const struct import_file *file, uint32_t cpu)
{
    struct cpu_table *table = &file->import->tables->cpu;
    if (cpu >= CPUS_OF_MACHINE) cpu = CPUS_OF_MACHINE - 1;
    uint32_t ucpu = file->machine_id * CPUS_OF_MACHINE + cpu;
    if (!table->cpu.data || column_uint32(&table->cpu)[ucpu] == NULL_UINT32)
        table_set_int64(&table->table, cpu_COLUMN_cpu, ucpu, cpu);
    return ucpu;
}

void cpu_note(struct import *import, uint32_t machine_id, uint32_t cpu)
{
    struct import_file file = {.import = import, .machine_id = machine_id};
    if (machine_id < import->processes->machines.count) cpu_intern(&file, cpu);
}

uint32_t gpu_intern(const struct import_file *file, uint32_t gpu)
{
    struct gpu_table *table = &file->import->tables->gpu;
    for (uint32_t i = 0; i < table_rows(&table->table); i++)
        if (column_get_row(&table->gpu, i) == gpu &&
            column_get_row(&table->machine_id, i) == file->machine_id)
            return i;
    struct gpu_row row = {.gpu = some_uint32(gpu), .machine_id = file->machine_id};
    return gpu_append(table, &row);
}

void process_tracker_finish(struct process_tracker *t)
{
    struct tables *tables = t->import->tables;
    for (size_t i = 0; i < t->threads.count; i++) {
        uint32_t list = t->threads.items[i].args;
        if (list == NONE) continue;
        table_set_int64(&tables->thread.table, thread_COLUMN_arg_set_id, (uint32_t)i,
                        args_commit(t->import->args, &t->arg_lists.items[list]));
        t->threads.items[i].args = NONE;
    }
    for (size_t i = 0; i < t->processes.count; i++) {
        uint32_t list = t->processes.items[i].args;
        if (list == NONE) continue;
        table_set_int64(&tables->process.table, process_COLUMN_arg_set_id, (uint32_t)i,
                        args_commit(t->import->args, &t->arg_lists.items[list]));
        t->processes.items[i].args = NONE;
    }
}
