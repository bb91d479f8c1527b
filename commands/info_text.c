#include "commands/info.h"

#include <stdio.h>
#include <time.h>

#include "engine/base/utf8.h"

enum { MOST_PROCESSES = 20, MOST_FACTS = 40, FACT_CHARACTERS = 300 };

static void put(struct buffer *out, struct str s)
{
    utf8_append_visible(out, s, false);
}

static void put_size(struct buffer *out, int64_t bytes)
{
    static const char *const units[] = {"B ", "KB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 1000 && unit < 4; unit++)
        value /= 1000;
    buffer_printf(out, unit == 0 ? "%8.0f %s" : "%8.1f %s", value, units[unit]);
}

/* 1234567 as "1,234,567", right in 15 cells. */
static void put_count(struct buffer *out, uint64_t n)
{
    char digits[32], text[48];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    buffer_printf(out, "%15s", text);
}

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

/* Times of a trace may lie anywhere. */
static double since_start(const struct info *info, int64_t ts)
{
    return ((double)ts - (double)info->start) / 1e9;
}

/* ---- the parts ---- */

static void put_files(const struct info *info, struct buffer *out)
{
    buffer_append_text(out, "Files\n");
    for (size_t i = 0; i < info->files.count; i++) {
        const struct info_file *file = &info->files.items[i];
        buffer_append_text(out, "  ");
        put_size(out, file->size_bytes);
        buffer_printf(out, "  %-18.*s ", STR_ARG(file->type));
        for (uint32_t k = 0; k < file->depth; k++)
            buffer_append_text(out, "  ");
        put(out, file->name);
        if (file->is_left_out)
            buffer_append_text(out, "  (left out)");
        else if (!file->is_read && !file->is_container)
            buffer_append_text(out, "  (of the extensions)");
        buffer_append_byte(out, '\n');
    }
}

static void put_time(const struct info *info, struct buffer *out)
{
    buffer_printf(out, "\nTime\n  %.9f s, from %lld ns to %lld ns", since_start(info, info->end),
                  (long long)info->start, (long long)info->end);
    if (info->trace_clock.n > 0) buffer_printf(out, " of %.*s", STR_ARG(info->trace_clock));
    buffer_append_byte(out, '\n');
    if (!info->has_realtime) return;
    time_t whole = (time_t)(info->realtime_ns / 1000000000);
    struct tm utc;
    char date[64];
    if (gmtime_r(&whole, &utc) && strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &utc))
        buffer_printf(out, "  began %s.%09lld UTC\n", date,
                      (long long)(info->realtime_ns % 1000000000));
}

static void put_kinds(const struct info *info, struct buffer *out)
{
    buffer_append_text(out, "\nWhat is in it\n");
    if (info->kinds.count == 0) buffer_append_text(out, "  nothing\n");
    for (size_t i = 0; i < info->kinds.count; i++) {
        const struct info_kind *kind = &info->kinds.items[i];
        struct buffer line = BUFFER_INIT;
        put(&line, str_of(kind->label));
        if (kind->tracks > 0)
            buffer_printf(&line, " on %u track%s", kind->tracks, kind->tracks == 1 ? "" : "s");
        put_count(out, kind->span.rows);
        buffer_printf(out, kind->has_time ? "  %-50s" : "  %s", buffer_text(&line));
        if (kind->has_time)
            buffer_printf(out, "  %.3f to %.3f s", since_start(info, kind->span.start),
                          since_start(info, kind->span.end));
        buffer_append_byte(out, '\n');
        buffer_free(&line);
    }
}

static void put_machine(const struct info_machine *machine, struct buffer *out)
{
    buffer_printf(out, "  %u  ", machine->id);
    put(out, machine->name.n > 0 ? machine->name : machine->id == 0 ? STR("the host") : STR("?"));
    const struct str facts[] = {machine->system, machine->release, machine->architecture,
                                machine->build};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (facts[i].n == 0) continue;
        buffer_append_text(out, i == 0 ? ": " : " ");
        put(out, facts[i]);
    }
    if (machine->cpus > 0) buffer_printf(out, ", %u CPUs", machine->cpus);
    if (machine->ram_bytes > 0) buffer_printf(out, ", %.1f GB", (double)machine->ram_bytes / 1e9);
    buffer_printf(out, ", %u processes, %u threads\n", machine->processes, machine->threads);
}

static void put_processes(const struct info *info, struct buffer *out)
{
    size_t n = info->processes.count;
    if (n == 0) return;
    buffer_printf(out, "\nProcesses (%zu%s)\n", n, n > MOST_PROCESSES ? ", the busiest first" : "");
    for (size_t i = 0; i < n && i < MOST_PROCESSES; i++) {
        const struct info_process *process = &info->processes.items[i];
        buffer_printf(out, "  %8lld  ", (long long)process->pid);
        put(out, process->name.n > 0 ? process->name : STR("(no name)"));
        buffer_printf(out, ": %u thread%s", process->threads, process->threads == 1 ? "" : "s");
        if (process->cpu_ns > 0) buffer_printf(out, ", ran %.3f s", seconds(process->cpu_ns));
        if (process->slices > 0)
            buffer_printf(out, ", %llu slices", (unsigned long long)process->slices);
        if (process->machine_id != 0) buffer_printf(out, ", machine %u", process->machine_id);
        buffer_append_byte(out, '\n');
    }
    if (n > MOST_PROCESSES) buffer_printf(out, "            and %zu more\n", n - MOST_PROCESSES);
}

static void put_clocks(const struct info *info, struct buffer *out)
{
    if (info->clocks.count > 0) buffer_append_text(out, "\nClocks\n");
    for (size_t i = 0; i < info->clocks.count; i++) {
        const struct info_clock *clock = &info->clocks.items[i];
        if (clock->name.n > 0)
            buffer_printf(out, "  %-18.*s", STR_ARG(clock->name));
        else
            buffer_printf(out, "  %-18lld", (long long)clock->id);
        buffer_printf(out, " read %u time%s", clock->readings, clock->readings == 1 ? "" : "s");
        if (clock->machine_id != 0) buffer_printf(out, " on machine %u", clock->machine_id);
        buffer_append_byte(out, '\n');
    }
}

static void put_facts(const struct info *info, struct buffer *out)
{
    if (info->facts.count > 0) buffer_append_text(out, "\nAbout the recording\n");
    for (size_t i = 0; i < info->facts.count && i < MOST_FACTS; i++) {
        const struct info_fact *fact = &info->facts.items[i];
        buffer_append_text(out, "  ");
        put(out, fact->name);
        buffer_append_text(out, ": ");
        put(out, str_slice(fact->text, 0, FACT_CHARACTERS));
        if (fact->text.n > FACT_CHARACTERS) buffer_append_text(out, "…");
        buffer_append_byte(out, '\n');
    }
    if (info->facts.count > MOST_FACTS)
        buffer_printf(out, "  and %zu more: SELECT * FROM metadata\n",
                      info->facts.count - MOST_FACTS);
}

/* Several of one name have their explanation behind the last. */
static bool is_same_stat(const struct info_loss *a, const struct info_loss *b)
{
    return a->class == b->class && str_equal(a->name, b->name);
}

static void put_loss(const struct info *info, size_t i, struct buffer *out)
{
    const struct info_loss *loss = &info->losses.items[i];
    buffer_append_text(out, "  ");
    put(out, loss->name);
    if (loss->has_index) buffer_printf(out, "[%lld]", (long long)loss->index);
    buffer_printf(out, ": %lld", (long long)loss->value);
    if (loss->file_id != NULL_UINT32 && loss->file_id < info->files.count &&
        info->files.count > 1) {
        buffer_append_text(out, "  in ");
        put(out, info->files.items[loss->file_id].name);
    }
    bool has_more = i + 1 < info->losses.count && is_same_stat(loss, loss + 1);
    if (loss->description.n > 0 && !has_more) {
        buffer_append_text(out, "\n      ");
        put(out, loss->description);
    }
    if (loss->first) {
        buffer_append_text(out, loss->value == 1 ? "\n      Where: " : "\n      First: ");
        put(out, str_of(loss->first));
    }
    if (!has_more) buffer_printf(out, "\n      What to do: %s", loss->advice);
    buffer_append_byte(out, '\n');
}

static void put_losses(const struct info *info, enum info_loss_class class, const char *heading,
                       const char *none, struct buffer *out)
{
    bool any = false;
    for (size_t i = 0; i < info->losses.count; i++) {
        if (info->losses.items[i].class != class) continue;
        if (!any) buffer_printf(out, "\n%s\n", heading);
        any = true;
        put_loss(info, i, out);
    }
    if (!any && none) buffer_printf(out, "\n%s\n", none);
}

static void put_warnings(const struct info *info, struct buffer *out)
{
    if (info->warnings.count > 0) buffer_append_text(out, "\nWarnings\n");
    for (size_t i = 0; i < info->warnings.count; i++) {
        buffer_append_text(out, "  ");
        put(out, str_of(info->warnings.items[i]));
        buffer_append_byte(out, '\n');
    }
}

void info_append_text(const struct info *info, struct buffer *out)
{
    put_files(info, out);
    put_time(info, out);
    put_kinds(info, out);
    buffer_append_text(out, "\nMachines\n");
    for (size_t i = 0; i < info->machines.count; i++)
        put_machine(&info->machines.items[i], out);
    put_processes(info, out);
    put_clocks(info, out);
    put_facts(info, out);
    if (info->extensions.p) {
        buffer_append_text(out, "\nExtensions\n  It brings extensions along");
        if (info->namespace.n > 0) {
            buffer_append_text(out, ", of ");
            put(out, info->namespace);
        }
        buffer_append_text(out, ": see perfetty extensions dump\n");
    }
    put_losses(info, INFO_LOST, "Lost or wrong", "Nothing was lost.", out);
    put_losses(info, INFO_NOTICE, "Notices", NULL, out);
    put_losses(info, INFO_NOT_READ, "Not read by this program", NULL, out);
    put_warnings(info, out);
}
