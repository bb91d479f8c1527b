/* sys_stats packets: counters of the whole system (spec engine_2 2.4). */
#include "engine/import/sys_stats.h"

#include <stdio.h>

#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"
#include "engine/import/sys_stats_names.h"

#define MAX_DISKS 1024

struct probe {
    struct system_probes *state;
    const struct import_file *file;
    int64_t ts;
};

static void push(const struct probe *p, const struct track_key *key, const char *name,
                 const char *unit, double value)
{
    probe_count(p->file, p->ts, key, name, unit, value);
}

static void parse_meminfo(const struct probe *p, const struct ftrace_fields *f)
{
    const char *name = sys_stats_meminfo_name(field_uint(f, 1));
    if (!name) {
        stats_add(p->file, STAT_meminfo_unknown_keys, 1);
        return;
    }
    struct track_key key = probe_key(p->file, "meminfo", TRACK_COUNTER);
    probe_dimension_text(p->file, &key, "meminfo_key", str_of(name));
    push(p, &key, name, "bytes", (double)field_uint(f, 2) * 1024);
}

static void parse_vmstat(const struct probe *p, const struct ftrace_fields *f)
{
    const char *name = sys_stats_vmstat_name(field_uint(f, 1));
    if (!name) {
        stats_add(p->file, STAT_vmstat_unknown_keys, 1);
        return;
    }
    struct track_key key = probe_key(p->file, "vmstat", TRACK_COUNTER);
    probe_dimension_text(p->file, &key, "vmstat_key", str_of(name));
    push(p, &key, name, NULL, (double)field_uint(f, 2));
}

static void parse_cpu_times(const struct probe *p, const struct ftrace_fields *f)
{
    static const char *const keys[] = {"user_ns",    "user_nice_ns", "system_mode_ns", "idle_ns",
                                       "io_wait_ns", "irq_ns",       "softirq_ns",     "steal_ns"};
    if (!field_has(f, 1)) return;
    for (uint32_t i = 0; i < 8; i++) {
        struct track_key key = probe_key(p->file, "cpustat", TRACK_COUNTER);
        char name[40];
        probe_format(name, sizeof name, "cpu.times.%s", keys[i]);
        probe_dimension_int(&key, "cpu", (uint32_t)field_uint(f, 1));
        probe_dimension_text(p->file, &key, "cpustat_key", str_of(keys[i]));
        push(p, &key, name, NULL, (double)field_uint(f, i + 2));
    }
}

static void parse_total(const struct probe *p, const char *type, uint64_t value)
{
    struct track_key key = probe_key(p->file, type, TRACK_COUNTER);
    push(p, &key, type, NULL, (double)value);
}

static void parse_irq(const struct probe *p, const struct ftrace_fields *f, const char *type)
{
    struct track_key key = probe_key(p->file, type, TRACK_COUNTER);
    char name[48];
    probe_format(name, sizeof name, "%s (id: %u)", type, (unsigned)field_uint(f, 1));
    probe_dimension_int(&key, "irq", (int32_t)field_int(f, 1));
    push(p, &key, name, NULL, (double)field_uint(f, 2));
}

static void parse_devfreq(const struct probe *p, const struct ftrace_fields *f)
{
    struct track_key key = probe_key(p->file, "clock_frequency", TRACK_COUNTER);
    char name[128];
    probe_format(name, sizeof name, "%.*s Frequency", STR_ARG(field_str(f, 1)));
    probe_dimension_text(p->file, &key, "linux_device", field_str(f, 1));
    push(p, &key, name, NULL, (double)field_uint(f, 2));
}

static void parse_cpufreq(const struct probe *p, uint32_t cpu, uint64_t khz)
{
    struct track_key key = probe_key(p->file, "cpu_frequency", TRACK_COUNTER);
    probe_dimension_int(&key, "cpu", cpu);
    push(p, &key, "cpufreq", NULL, (double)khz);
}

static void parse_gpufreq(const struct probe *p, uint32_t gpu, uint64_t mhz)
{
    struct track_key key = probe_key(p->file, "gpu_frequency", TRACK_COUNTER);
    probe_dimension_int(&key, "ugpu", gpu_intern(p->file, gpu));
    probe_dimension_int(&key, "gpu", gpu);
    push(p, &key, "gpufreq", "kHz", (double)mhz);
}

static void parse_buddy_order(const struct probe *p, struct str node, struct str zone,
                              unsigned order, uint64_t pages)
{
    if (order > 40) return;
    uint32_t kilobytes = (uint32_t)((p->state->page_bytes << order) / 1024);
    struct track_key key = probe_key(p->file, "buddyinfo", TRACK_COUNTER);
    char name[160];
    probe_format(name, sizeof name, "mem.buddyinfo[%.*s][%.*s][%u kB]", STR_ARG(node),
                 STR_ARG(zone), (unsigned)kilobytes);
    probe_dimension_text(p->file, &key, "buddyinfo_node", node);
    probe_dimension_text(p->file, &key, "buddyinfo_zone", zone);
    probe_dimension_int(&key, "buddyinfo_chunk_size_kb", kilobytes);
    push(p, &key, name, NULL, (double)pages);
}

static void parse_buddy(const struct probe *p, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    struct str node = STR_NONE, zone = STR_NONE;
    unsigned order = 0;
    uint64_t pages;
    while (wire_next(&w, &f)) {
        if (f.number == 1) node = f.bytes;
        if (f.number == 2) zone = f.bytes;
        if (f.number == 3 && f.type == WIRE_BYTES)
            for (struct wire packed = wire_open(f.bytes); wire_varint(&packed, &pages);)
                parse_buddy_order(p, node, zone, order++, pages);
        else if (f.number == 3)
            parse_buddy_order(p, node, zone, order++, f.value);
    }
}

static void parse_psi(const struct probe *p, const struct ftrace_fields *f)
{
    static const char *const resources[] = {NULL,      "cpu.some", "cpu.full", "io.some",
                                            "io.full", "mem.some", "mem.full"};
    uint64_t resource = field_uint(f, 1);
    if (resource == 0 || resource > 6) {
        stats_add(p->file, STAT_psi_unknown_resource, 1);
        return;
    }
    struct track_key key = probe_key(p->file, "psi", TRACK_COUNTER);
    char name[32];
    probe_format(name, sizeof name, "psi.%s", resources[resource]);
    probe_dimension_text(p->file, &key, "psi_resource", str_of(resources[resource]));
    push(p, &key, name, NULL, (double)field_uint(f, 2));
}

static void parse_thermal(const struct probe *p, const struct ftrace_fields *f)
{
    struct track_key key = probe_key(p->file, "thermal_temperature_sys", TRACK_COUNTER);
    char name[128];
    probe_format(name, sizeof name, "%.*s", STR_ARG(field_str(f, 3)));
    probe_dimension_text(p->file, &key, "thermal_zone", field_str(f, 3));
    push(p, &key, name, "C", (double)field_uint(f, 2));
}

static void parse_idle_state(const struct probe *p, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    uint32_t cpu = 0;
    while (wire_next(&w, &f)) {
        if (f.number == 1) cpu = (uint32_t)f.value;
        if (f.number != 2 || f.type != WIRE_BYTES) continue;
        struct ftrace_fields entry;
        ftrace_read_fields(&entry, f.bytes);
        struct track_key key = probe_key(p->file, "cpu_idle_state", TRACK_COUNTER);
        char name[96];
        probe_format(name, sizeof name, "cpuidle%u.%.*s", (unsigned)cpu,
                     STR_ARG(field_str(&entry, 1)));
        probe_dimension_int(&key, "cpu", cpu);
        probe_dimension_text(p->file, &key, "state", field_str(&entry, 1));
        push(p, &key, name, "us", (double)field_uint(&entry, 2));
    }
}

static void parse_slab(const struct probe *p, const struct ftrace_fields *f)
{
    struct track_key key = probe_key(p->file, "slabinfo", TRACK_COUNTER);
    char name[128];
    probe_format(name, sizeof name, "mem.slab.%.*s", STR_ARG(field_str(f, 1)));
    probe_dimension_text(p->file, &key, "slab_name", field_str(f, 1));
    push(p, &key, name, "bytes",
         (double)field_uint(f, 2) * (double)field_uint(f, 3) * (double)p->state->page_bytes);
}

/* The device's last sample; NULL at its first. */
static struct disk_sample *find_disk(const struct probe *p, string_id name)
{
    for (size_t i = 0; i < p->state->disks.count; i++)
        if (p->state->disks.items[i].name == name) return &p->state->disks.items[i];
    return NULL;
}

static void push_disk(const struct probe *p, struct str device, const char *counter,
                      const char *unit, double value)
{
    struct track_key key = probe_key(p->file, "diskstat", TRACK_COUNTER);
    char name[160];
    probe_format(name, sizeof name, "diskstat.[%.*s].%s", STR_ARG(device), counter);
    probe_dimension_text(p->file, &key, "device_name", device);
    probe_dimension_text(p->file, &key, "counter_name", str_of(counter));
    push(p, &key, name, unit, value);
}

/* What happened between two samples: the kernel's counts only grow. */
static void parse_disk(const struct probe *p, const struct ftrace_fields *f)
{
    struct str device = field_str(f, 1);
    struct disk_sample now = {.name = strpool_intern(p->file->import->strings, device)};
    for (uint32_t i = 2; i < 10; i++)
        now.values[i] = field_uint(f, i);
    struct disk_sample *last = find_disk(p, now.name);
    if (!last) {
        if (p->state->disks.count < MAX_DISKS) vec_push(&p->state->disks, now);
        return;
    }
    static const struct {
        uint32_t sectors, time;
        const char *amount, *throughput;
    } kinds[] = {{2, 3, "read_amount", "read_throughput"},
                 {4, 5, "write_amount", "write_throughput"},
                 {6, 7, "discard_amount", "discard_throughput"}};
    for (int i = 0; i < 3; i++) {
        double amount =
            (double)(int64_t)(now.values[kinds[i].sectors] - last->values[kinds[i].sectors]) / 2048;
        int64_t ms = (int64_t)(now.values[kinds[i].time] - last->values[kinds[i].time]);
        push_disk(p, device, kinds[i].amount, "MB", amount);
        push_disk(p, device, kinds[i].throughput, "MB/s", ms > 0 ? amount * 1000 / (double)ms : 0);
    }
    push_disk(p, device, "flush_amount", "count",
              (double)(int64_t)(now.values[8] - last->values[8]));
    push_disk(p, device, "flush_time", "ms", (double)(int64_t)(now.values[9] - last->values[9]));
    *last = now;
}

static void parse_part(const struct probe *p, const struct wire_field *part)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, part->bytes);
    switch (part->number) {
    case 1: parse_meminfo(p, &f); break;
    case 2: parse_vmstat(p, &f); break;
    case 3: parse_cpu_times(p, &f); break;
    case 6: parse_irq(p, &f, "num_irq"); break;
    case 8: parse_irq(p, &f, "num_softirq"); break;
    case 10: parse_devfreq(p, &f); break;
    case 12: parse_buddy(p, part->bytes); break;
    case 13: parse_disk(p, &f); break;
    case 14: parse_psi(p, &f); break;
    case 15: parse_thermal(p, &f); break;
    case 16: parse_idle_state(p, part->bytes); break;
    case 18: parse_slab(p, &f); break;
    default: break;
    }
}

void sys_stats_parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct probe p = {state, packet->file, ts};
    struct wire w = wire_open(field);
    struct wire_field f;
    uint32_t cpu = 0, gpu = 0;
    uint64_t value;
    while (wire_next(&w, &f)) {
        if (f.number == 4) {
            parse_total(&p, "num_forks", f.value);
        } else if (f.number == 5) {
            parse_total(&p, "num_irq_total", f.value);
        } else if (f.number == 7) {
            parse_total(&p, "num_softirq_total", f.value);
        } else if (f.number == 11 && f.type == WIRE_BYTES) {
            for (struct wire packed = wire_open(f.bytes); wire_varint(&packed, &value);)
                parse_cpufreq(&p, cpu++, value);
        } else if (f.number == 11) {
            parse_cpufreq(&p, cpu++, f.value);
        } else if (f.number == 17 && f.type == WIRE_BYTES) {
            for (struct wire packed = wire_open(f.bytes); wire_varint(&packed, &value);)
                parse_gpufreq(&p, gpu++, value);
        } else if (f.number == 17) {
            parse_gpufreq(&p, gpu++, f.value);
        } else if (f.type == WIRE_BYTES) {
            parse_part(&p, &f);
        }
    }
}
