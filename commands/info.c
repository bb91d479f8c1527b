#include "commands/info.h"

#include <stdlib.h>

#include "commands/trace_extensions.h"

static struct str text_at(const struct tables *t, const struct column *c, uint32_t row)
{
    return strpool_get(t->strings, column_get_string(c, row));
}

/* ---- files ---- */

static void add_files(struct info *info, const struct tables *t)
{
    const struct trace_file_table *files = &t->trace_file;
    uint32_t rows = table_rows(&files->table);
    for (uint32_t i = 0; i < rows; i++) {
        struct info_file file = {
            .id = i,
            .parent_id = column_get_row(&files->parent_id, i),
            .name = text_at(t, &files->name, i),
            .type = text_at(t, &files->trace_type, i),
            .size_bytes = column_get_int64(&files->size, i),
            .is_container = column_get_int64(&files->is_container, i) != 0,
            .is_read = !column_is_null(&files->processing_order, i),
        };
        const struct info_file *parent =
            file.parent_id < i ? &info->files.items[file.parent_id] : NULL;
        if (parent) file.depth = parent->depth + 1;
        /* What is inside a compressed file has no name of its own. */
        if (file.name.n == 0) file.name = parent ? parent->name : str_of(info->label);
        vec_push(&info->files, file);
    }
}

static int64_t key_of_stat(const struct tables *t, const char *name)
{
    for (uint32_t i = 0; i < table_rows(&t->stats.table); i++)
        if (str_is(text_at(t, &t->stats.name, i), name)) return column_get_int64(&t->stats.key, i);
    return -1;
}

static void mark_left_out(struct info *info, const struct tables *t)
{
    const struct trace_import_logs_table *logs = &t->trace_import_logs;
    int64_t skipped = key_of_stat(t, "perfetty_member_skipped");
    for (uint32_t i = 0; i < table_rows(&logs->table); i++) {
        uint32_t file = column_get_row(&logs->trace_id, i);
        if (file < info->files.count && column_get_int64(&logs->stat_key, i) == skipped)
            info->files.items[file].is_left_out = true;
    }
}

/* ---- machines and processes ---- */

static void add_machines(struct info *info, const struct tables *t)
{
    const struct machine_table *m = &t->machine;
    for (uint32_t i = 0; i < table_rows(&m->table); i++)
        vec_push(&info->machines, (struct info_machine){
                                      .id = i,
                                      .raw_id = column_get_int64(&m->raw_id, i),
                                      .name = text_at(t, &m->name, i),
                                      .system = text_at(t, &m->sysname, i),
                                      .release = text_at(t, &m->release, i),
                                      .architecture = text_at(t, &m->arch, i),
                                      .build = text_at(t, &m->android_build_fingerprint, i),
                                      .cpus = (uint32_t)column_get_int64(&m->num_cpus, i),
                                      .ram_bytes = column_get_int64(&m->system_ram_bytes, i),
                                  });
}

static struct info_machine *machine_at(struct info *info, uint32_t row)
{
    return row < info->machines.count ? &info->machines.items[row] : NULL;
}

static struct info_process *process_of(struct info *info, const struct tables *t, uint32_t utid)
{
    if (utid >= table_rows(&t->thread.table)) return NULL;
    uint32_t upid = column_get_row(&t->thread.upid, utid);
    return upid < info->processes.count ? &info->processes.items[upid] : NULL;
}

/* While they are listed by upid. */
static void count_threads(struct info *info, const struct tables *t)
{
    for (uint32_t i = 0; i < table_rows(&t->thread.table); i++) {
        struct info_process *process = process_of(info, t, i);
        struct info_machine *machine = machine_at(info, column_get_row(&t->thread.machine_id, i));
        if (process) process->threads++;
        if (machine && column_get_int64(&t->thread.is_idle, i) == 0) machine->threads++;
    }
    const struct sched_slice_table *sched = &t->sched_slice;
    for (uint32_t i = 0; i < table_rows(&sched->table); i++) {
        struct info_process *process = process_of(info, t, column_get_row(&sched->utid, i));
        int64_t dur = column_get_int64(&sched->dur, i);
        if (process && dur > 0 && process->cpu_ns <= INT64_MAX - dur) process->cpu_ns += dur;
    }
    for (uint32_t i = 0; i < table_rows(&t->slice.table); i++) {
        uint32_t track = column_get_row(&t->slice.track_id, i);
        if (track >= table_rows(&t->track.table)) continue;
        uint32_t upid = column_get_row(&t->track.upid, track);
        struct info_process *process =
            upid < info->processes.count
                ? &info->processes.items[upid]
                : process_of(info, t, column_get_row(&t->track.utid, track));
        if (process) process->slices++;
    }
}

static int compare_processes(const void *a, const void *b)
{
    const struct info_process *x = a, *y = b;
    if (x->cpu_ns != y->cpu_ns) return x->cpu_ns > y->cpu_ns ? -1 : 1;
    if (x->slices != y->slices) return x->slices > y->slices ? -1 : 1;
    if (x->threads != y->threads) return x->threads > y->threads ? -1 : 1;
    return x->upid < y->upid ? -1 : x->upid > y->upid;
}

/* The idle process of each machine (pid 0, no name) is nobody's. */
static void drop_idle(struct info *info)
{
    size_t kept = 0;
    for (size_t i = 0; i < info->processes.count; i++) {
        const struct info_process *process = &info->processes.items[i];
        if (process->pid == 0 && process->name.n == 0 && process->slices == 0) continue;
        struct info_machine *machine = machine_at(info, process->machine_id);
        if (machine) machine->processes++;
        info->processes.items[kept++] = *process;
    }
    info->processes.count = kept;
}

static void add_processes(struct info *info, const struct tables *t)
{
    const struct process_table *p = &t->process;
    for (uint32_t i = 0; i < table_rows(&p->table); i++)
        vec_push(&info->processes,
                 (struct info_process){.upid = i,
                                       .machine_id = column_get_row(&p->machine_id, i),
                                       .pid = column_get_int64(&p->pid, i),
                                       .name = text_at(t, &p->name, i)});
    count_threads(info, t);
    drop_idle(info);
    if (info->processes.count > 1)
        qsort(info->processes.items, info->processes.count, sizeof *info->processes.items,
              compare_processes);
}

/* ---- clocks and facts ---- */

enum { CLOCK_REALTIME_ID = 1 };

static void add_clocks(struct info *info, const struct tables *t)
{
    const struct clock_snapshot_table *s = &t->clock_snapshot;
    for (uint32_t i = 0; i < table_rows(&s->table); i++) {
        int64_t id = column_get_int64(&s->clock_id, i);
        int64_t value = column_get_int64(&s->clock_value, i);
        uint32_t machine = column_get_row(&s->machine_id, i);
        struct info_clock *clock = NULL;
        for (size_t k = 0; k < info->clocks.count && !clock; k++)
            if (info->clocks.items[k].id == id && info->clocks.items[k].machine_id == machine)
                clock = &info->clocks.items[k];
        if (clock) {
            clock->readings++;
            continue;
        }
        vec_push(&info->clocks, (struct info_clock){.machine_id = machine,
                                                    .id = id,
                                                    .name = text_at(t, &s->clock_name, i),
                                                    .readings = 1,
                                                    .first_value = value});
        int64_t behind;
        if (id != CLOCK_REALTIME_ID || info->has_realtime ||
            __builtin_sub_overflow(info->start, column_get_int64(&s->ts, i), &behind) ||
            __builtin_add_overflow(value, behind, &info->realtime_ns))
            continue;
        info->has_realtime = info->realtime_ns > 0;
    }
}

/* Facts that other parts of the page say already, or that are documents. */
static bool is_told_elsewhere(struct str name)
{
    static const char *const names[] = {"trace_extensions", "trace_type", "trace_size_bytes",
                                        "trace_config_pbtxt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_is(name, names[i])) return true;
    return false;
}

static const char *clock_name(int64_t id)
{
    static const char *const names[] = {"",
                                        "REALTIME",
                                        "REALTIME_COARSE",
                                        "MONOTONIC",
                                        "MONOTONIC_COARSE",
                                        "MONOTONIC_RAW",
                                        "BOOTTIME",
                                        "",
                                        "",
                                        "TSC",
                                        "PERF",
                                        "the file's own"};
    return id > 0 && id < (int64_t)(sizeof names / sizeof *names) ? names[id] : "";
}

static void add_facts(struct info *info, const struct tables *t)
{
    const struct metadata_table *m = &t->metadata;
    for (uint32_t i = 0; i < table_rows(&m->table); i++) {
        struct info_fact fact = {.name = text_at(t, &m->name, i),
                                 .machine_id = column_get_row(&m->machine_id, i),
                                 .file_id = column_get_row(&m->trace_id, i)};
        int64_t number = column_get_int64(&m->int_value, i);
        if (str_is(fact.name, "trace_time_clock_id"))
            info->trace_clock = str_of(clock_name(number));
        if (is_told_elsewhere(fact.name)) continue;
        fact.text = column_is_null(&m->str_value, i)
                        ? str_of(arena_printf(&info->arena, "%lld", (long long)number))
                        : text_at(t, &m->str_value, i);
        vec_push(&info->facts, fact);
    }
}

static void add_extensions(struct info *info, struct engine *engine)
{
    struct str section = engine_trace_extensions(engine);
    struct status st = STATUS_INIT;
    if (!section.p) return;
    info->extensions = section;
    struct trace_extensions *extensions = trace_extensions_read(section, &st);
    if (extensions && extensions->namespace)
        info->namespace = arena_copy_str(&info->arena, str_of(extensions->namespace));
    trace_extensions_free(extensions);
    status_clear(&st);
}

struct info *info_new(struct engine *engine, const char *label)
{
    struct info *info = mem_zero(1, sizeof *info);
    struct tables *tables = engine_tables(engine);
    info->label = arena_printf(&info->arena, "%s", label);
    info->start = engine_start(engine);
    info->end = engine_end(engine);
    add_files(info, tables);
    mark_left_out(info, tables);
    add_machines(info, tables);
    add_processes(info, tables);
    add_clocks(info, tables);
    add_facts(info, tables);
    add_extensions(info, engine);
    info_add_kinds(info, tables);
    info_add_losses(info, tables);
    const char *warning;
    for (size_t i = 0; (warning = engine_warning(engine, i)) != NULL; i++)
        vec_push(&info->warnings, arena_printf(&info->arena, "%s", warning));
    return info;
}

void info_free(struct info *info)
{
    if (!info) return;
    vec_free(&info->kinds);
    vec_free(&info->files);
    vec_free(&info->machines);
    vec_free(&info->processes);
    vec_free(&info->clocks);
    vec_free(&info->facts);
    vec_free(&info->losses);
    vec_free(&info->warnings);
    arena_free(&info->arena);
    mem_free(info);
}
