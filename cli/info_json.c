#include "cli/info_json.h"

#include "cli/json.h"
#include "engine/base/checked.h"
#include "engine/store/late_rows.h"

static void key(struct buffer *out, const char *name)
{
    char last = out->length > 0 ? out->data[out->length - 1] : '{';
    buffer_printf(out, "%s\"%s\":", last == '{' ? "" : ",", name);
}

static void put_text(struct buffer *out, const char *name, struct str text)
{
    key(out, name);
    if (text.p)
        json_append_text(out, text);
    else
        buffer_append_text(out, "null");
}

static void put_int(struct buffer *out, const char *name, int64_t value)
{
    key(out, name);
    buffer_printf(out, "%lld", (long long)value);
}

static void put_row(struct buffer *out, const char *name, uint32_t row)
{
    if (row != NULL_UINT32) {
        put_int(out, name, row);
        return;
    }
    key(out, name);
    buffer_append_text(out, "null");
}

static void put_bool(struct buffer *out, const char *name, bool value)
{
    key(out, name);
    buffer_append_text(out, value ? "true" : "false");
}

/* Opens the i-th object of a list; the list itself before the first. */
static void open_item(struct buffer *out, size_t i)
{
    buffer_append_text(out, i > 0 ? ",{" : "{");
}

static void put_files(struct buffer *out, const struct info *info)
{
    key(out, "files");
    buffer_append_byte(out, '[');
    for (size_t i = 0; i < info->files.count; i++) {
        const struct info_file *file = &info->files.items[i];
        open_item(out, i);
        put_int(out, "id", file->id);
        put_text(out, "name", file->name);
        put_row(out, "parent_id", file->parent_id);
        put_text(out, "trace_type", file->type);
        put_int(out, "size_bytes", file->size_bytes);
        put_bool(out, "is_container", file->is_container);
        put_bool(out, "is_read", file->is_read);
        put_bool(out, "is_left_out", file->is_left_out);
        buffer_append_byte(out, '}');
    }
    buffer_append_byte(out, ']');
}

/* One counted table each; the keys stay whatever the kinds below become. */
static void put_rows(struct buffer *out, const struct tables *t)
{
    const struct {
        const char *name;
        const struct table *table;
    } all[] = {
        {"machines", &t->machine.table},
        {"processes", &t->process.table},
        {"threads", &t->thread.table},
        {"tracks", &t->track.table},
        {"slices", &t->slice.table},
        {"flows", &t->flow.table},
        {"counter_values", &t->counter.table},
        {"sched_slices", &t->sched_slice.table},
        {"thread_states", &t->thread_state.table},
        {"ftrace_events", &t->ftrace_event.table},
        {"log_lines", &t->logs.table},
        {"stack_samples", &t->profiler_sample.table},
        {"heap_allocations", &t->heap_profile_allocation.table},
        {"heap_graph_objects", &t->heap_graph_object.table},
        {"aggregate_samples", &t->aggregate_sample.table},
        {"import_log_lines", &t->trace_import_logs.table},
    };
    key(out, "rows");
    buffer_append_byte(out, '{');
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        put_int(out, all[i].name,
                all[i].table == &t->ftrace_event.table ? late_rows_count(t)
                                                       : table_rows(all[i].table));
    buffer_append_byte(out, '}');
}

static void put_kinds(struct buffer *out, const struct info *info)
{
    key(out, "kinds");
    buffer_append_byte(out, '[');
    for (size_t i = 0; i < info->kinds.count; i++) {
        const struct info_kind *kind = &info->kinds.items[i];
        open_item(out, i);
        put_text(out, "kind", str_of(kind->kind));
        put_text(out, "type", kind->type);
        put_text(out, "label", str_of(kind->label));
        put_int(out, "rows", (int64_t)kind->span.rows);
        put_int(out, "tracks", kind->tracks);
        if (kind->has_time) {
            put_int(out, "start_ns", kind->span.start);
            put_int(out, "end_ns", kind->span.end);
        }
        buffer_append_byte(out, '}');
    }
    buffer_append_byte(out, ']');
}

static void put_machines(struct buffer *out, const struct info *info)
{
    key(out, "machines");
    buffer_append_byte(out, '[');
    for (size_t i = 0; i < info->machines.count; i++) {
        const struct info_machine *machine = &info->machines.items[i];
        open_item(out, i);
        put_int(out, "id", machine->id);
        put_int(out, "raw_id", machine->raw_id);
        put_text(out, "name", machine->name);
        put_text(out, "system", machine->system);
        put_text(out, "release", machine->release);
        put_text(out, "architecture", machine->architecture);
        put_text(out, "build", machine->build);
        put_int(out, "cpus", machine->cpus);
        put_int(out, "ram_bytes", machine->ram_bytes);
        put_int(out, "processes", machine->processes);
        put_int(out, "threads", machine->threads);
        buffer_append_byte(out, '}');
    }
    buffer_append_byte(out, ']');
}

static void put_processes(struct buffer *out, const struct info *info)
{
    key(out, "processes");
    buffer_append_byte(out, '[');
    for (size_t i = 0; i < info->processes.count; i++) {
        const struct info_process *process = &info->processes.items[i];
        open_item(out, i);
        put_int(out, "upid", process->upid);
        put_int(out, "pid", process->pid);
        put_text(out, "name", process->name);
        put_int(out, "machine_id", process->machine_id);
        put_int(out, "threads", process->threads);
        put_int(out, "cpu_ns", process->cpu_ns);
        put_int(out, "slices", (int64_t)process->slices);
        buffer_append_byte(out, '}');
    }
    buffer_append_byte(out, ']');
}

static void put_clocks(struct buffer *out, const struct info *info)
{
    key(out, "clocks");
    buffer_append_byte(out, '[');
    for (size_t i = 0; i < info->clocks.count; i++) {
        const struct info_clock *clock = &info->clocks.items[i];
        open_item(out, i);
        put_int(out, "id", clock->id);
        put_text(out, "name", clock->name);
        put_int(out, "machine_id", clock->machine_id);
        put_int(out, "readings", clock->readings);
        put_int(out, "first_value", clock->first_value);
        buffer_append_byte(out, '}');
    }
    buffer_append_byte(out, ']');
}

static void put_facts(struct buffer *out, const struct info *info)
{
    key(out, "metadata");
    buffer_append_byte(out, '[');
    for (size_t i = 0; i < info->facts.count; i++) {
        const struct info_fact *fact = &info->facts.items[i];
        open_item(out, i);
        put_text(out, "name", fact->name);
        put_text(out, "value", fact->text);
        put_row(out, "machine_id", fact->machine_id);
        put_row(out, "file", fact->file_id);
        buffer_append_byte(out, '}');
    }
    buffer_append_byte(out, ']');
}

static void put_losses(struct buffer *out, const struct info *info, const char *name,
                       enum info_loss_class class)
{
    size_t n = 0;
    key(out, name);
    buffer_append_byte(out, '[');
    for (size_t i = 0; i < info->losses.count; i++) {
        const struct info_loss *loss = &info->losses.items[i];
        if (loss->class != class) continue;
        open_item(out, n++);
        put_text(out, "name", loss->name);
        if (loss->has_index) put_int(out, "index", loss->index);
        put_int(out, "value", loss->value);
        put_text(out, "severity", loss->severity);
        put_text(out, "source", loss->source);
        if (loss->file_id != NULL_UINT32) put_int(out, "file", loss->file_id);
        if (loss->machine_id != NULL_UINT32) put_int(out, "machine_id", loss->machine_id);
        put_text(out, "description", loss->description);
        if (loss->first) put_text(out, "first", str_of(loss->first));
        put_text(out, "advice", str_of(loss->advice));
        buffer_append_byte(out, '}');
    }
    buffer_append_byte(out, ']');
}

void info_append_json(const struct info *info, const struct tables *tables, struct buffer *out)
{
    buffer_append_byte(out, '{');
    put_int(out, "start_ns", info->start);
    put_int(out, "end_ns", info->end);
    put_int(out, "duration_ns", wrapping_sub_int64(info->end, info->start));
    put_text(out, "clock", info->trace_clock.n > 0 ? info->trace_clock : STR_NONE);
    if (info->has_realtime) put_int(out, "start_unix_ns", info->realtime_ns);
    put_files(out, info);
    put_rows(out, tables);
    put_kinds(out, info);
    put_machines(out, info);
    put_processes(out, info);
    put_clocks(out, info);
    put_facts(out, info);
    put_losses(out, info, "losses", INFO_LOST);
    put_losses(out, info, "notices", INFO_NOTICE);
    put_losses(out, info, "not_read", INFO_NOT_READ);
    key(out, "warnings");
    buffer_append_byte(out, '[');
    for (size_t i = 0; i < info->warnings.count; i++) {
        if (i > 0) buffer_append_byte(out, ',');
        json_append_text(out, str_of(info->warnings.items[i]));
    }
    buffer_append_byte(out, ']');
    key(out, "extensions");
    buffer_append_str(out, info->extensions.p ? info->extensions : STR("null"));
    buffer_append_text(out, "}\n");
}
