/* Packets about the machine: system_info, cpu_info, and the source that holds them
 * and sys_stats (spec engine_2 2.4). */
#include "engine/import/sys_stats.h"

#include <stdlib.h>

#include "engine/base/strpool.h"
#include "engine/import/args.h"
#include "engine/import/ftrace.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

enum packet_field {
    PACKET_SYS_STATS = 7,
    PACKET_SYSTEM_INFO = 45,
    PACKET_CPU_INFO = 67,
    PACKET_INTERRUPTS = 130,
};

#define MAX_CPUS 1024

struct machine_facts {
    const struct import_file *file;
    struct machine_table *table;
    uint32_t row;
};

static void set_text(const struct machine_facts *m, const char *metadata, int column,
                     struct str value)
{
    struct import *import = m->file->import;
    metadata_set_string(import, m->file, metadata, value);
    if (column >= 0 && m->row < table_rows(&m->table->table))
        table_set_string(&m->table->table, (uint32_t)column, m->row,
                         strpool_intern(import->strings, value));
}

static void set_int(const struct machine_facts *m, const char *metadata, int column, int64_t value)
{
    if (metadata) metadata_set_int(m->file->import, m->file, metadata, value);
    if (column >= 0 && m->row < table_rows(&m->table->table))
        table_set_int64(&m->table->table, (uint32_t)column, m->row, value);
}

static void parse_utsname(const struct machine_facts *m, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    static const struct {
        const char *metadata;
        int column;
    } parts[] = {{"system_name", machine_COLUMN_sysname},
                 {"system_version", machine_COLUMN_version},
                 {"system_release", machine_COLUMN_release},
                 {"system_machine", machine_COLUMN_arch}};
    /* A part that is not told is a row without a value. */
    for (uint32_t i = 0; i < 4; i++)
        set_text(m, parts[i].metadata, parts[i].column,
                 field_has(&f, i + 1) ? f.bytes[i + 1] : STR_NONE);
}

/* The number between the first two colons' parts: "…:10/…" is Android 10, and the
 * SDK is told by it where the trace does not say. */
static bool sdk_of_fingerprint(struct str fingerprint, int64_t *sdk)
{
    struct str rest = fingerprint, piece;
    if (!str_split_next(&rest, ':', &piece) || !str_split_next(&rest, '/', &piece)) return false;
    static const struct {
        const char *release;
        int64_t sdk;
    } releases[] = {{"9", 28}, {"10", 29}, {"11", 30}, {"12", 31}};
    for (size_t i = 0; i < sizeof releases / sizeof releases[0]; i++)
        if (str_is(piece, releases[i].release)) {
            *sdk = releases[i].sdk;
            return true;
        }
    return false;
}

/* "brand/product/device:release/id/INCREMENTAL:type/tags" */
static struct str build_of_fingerprint(struct str fingerprint)
{
    struct str rest = fingerprint, piece;
    for (const char *separator = ":// :"; *separator != ' '; separator++)
        if (!str_split_next(&rest, *separator, &piece)) return STR_NONE;
    return rest.p && str_split_next(&rest, ':', &piece) && piece.n ? piece : STR_NONE;
}

static void parse_ram(const struct machine_facts *m, uint64_t bytes)
{
    set_int(m, "system_ram_bytes", machine_COLUMN_system_ram_bytes, (int64_t)bytes);
    set_int(m, "system_ram_gb", machine_COLUMN_system_ram_gb, (int64_t)((double)bytes / 1e9 + 0.5));
}

/* Early: what follows in the file may need the kernel's version. */
static bool tokenize_system(void *state, const struct packet *packet, struct str field)
{
    struct system_probes *probes = state;
    struct machine_facts m = {packet->file, &packet->file->import->tables->machine,
                              packet->file->machine_id};
    struct str fingerprint = STR_NONE;
    bool has_sdk = false;
    int64_t sdk;
    struct wire w = wire_open(field);
    struct wire_field f;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: parse_utsname(&m, f.bytes); break;
        case 2:
            fingerprint = f.bytes;
            set_text(&m, "android_build_fingerprint", machine_COLUMN_android_build_fingerprint,
                     f.bytes);
            break;
        case 4: set_text(&m, "tracing_service_version", -1, f.bytes); break;
        case 5:
            has_sdk = true;
            set_int(&m, "android_sdk_version", machine_COLUMN_android_sdk_version,
                    (int64_t)f.value);
            break;
        case 6:
            if (f.value >= 512 && f.value <= 1 << 20) probes->page_bytes = (int64_t)f.value;
            break;
        case 7: set_int(&m, "timezone_off_mins", -1, (int32_t)f.value); break;
        case 8: set_int(&m, NULL, machine_COLUMN_num_cpus, (int64_t)(uint32_t)f.value); break;
        case 9: set_text(&m, "android_soc_model", -1, f.bytes); break;
        case 10: set_text(&m, "android_hardware_revision", -1, f.bytes); break;
        case 11: set_text(&m, "android_storage_model", -1, f.bytes); break;
        case 12: set_text(&m, "android_ram_model", -1, f.bytes); break;
        case 13: set_text(&m, "android_guest_soc_model", -1, f.bytes); break;
        case 14:
            set_text(&m, "android_device_manufacturer", machine_COLUMN_android_device_manufacturer,
                     f.bytes);
            break;
        case 15: set_text(&m, "android_serial_console", -1, f.bytes); break;
        case 16: parse_ram(&m, f.value); break;
        case 17:
            if (m.row < table_rows(&m.table->table))
                table_set_string(&m.table->table, machine_COLUMN_name, m.row,
                                 strpool_intern(packet->file->import->strings, f.bytes));
            break;
        default: break;
        }
    struct str build = build_of_fingerprint(fingerprint);
    if (build.n) set_text(&m, "android_incremental_build", -1, build);
    if (!has_sdk && sdk_of_fingerprint(fingerprint, &sdk))
        set_int(&m, "android_sdk_version", machine_COLUMN_android_sdk_version, sdk);
    return true;
}

struct cpu {
    struct str processor;
    bool has_capacity;
    uint32_t capacity, max_frequency;
    struct str arm;
    uint64_t features;
};

struct cpu_list VEC_OF(struct cpu);

static void push_frequency(struct tables *tables, uint32_t ucpu, struct cpu *cpu, uint32_t khz)
{
    cpu_freq_append(&tables->cpu_freq, &(struct cpu_freq_row){.ucpu = ucpu, .freq = khz});
    if (khz > cpu->max_frequency) cpu->max_frequency = khz;
}

static void read_cpu(struct tables *tables, uint32_t ucpu, struct str bytes, struct cpu *cpu)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    uint64_t khz;
    *cpu = (struct cpu){0};
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: cpu->processor = f.bytes; break;
        case 2:
            if (f.type == WIRE_BYTES)
                for (struct wire packed = wire_open(f.bytes); wire_varint(&packed, &khz);)
                    push_frequency(tables, ucpu, cpu, (uint32_t)khz);
            else
                push_frequency(tables, ucpu, cpu, (uint32_t)f.value);
            break;
        case 3:
            cpu->capacity = (uint32_t)f.value;
            cpu->has_capacity = true;
            break;
        case 4: cpu->arm = f.bytes; break;
        case 5: cpu->features = f.value; break;
        default: break;
        }
}

static int compare_uint32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* CPUs of equal strength are one cluster; the weakest is number 0. */
static uint32_t cluster_of(const struct cpu_list *cpus, uint32_t strength,
                           uint32_t (*measure)(const struct cpu *))
{
    uint32_t seen[MAX_CPUS], n = 0, cluster = 0;
    for (size_t i = 0; i < cpus->count; i++)
        seen[n++] = measure(&cpus->items[i]);
    qsort(seen, n, sizeof seen[0], compare_uint32);
    for (uint32_t i = 0; i < n && seen[i] < strength; i++)
        if (i == 0 || seen[i] != seen[i - 1]) cluster++;
    return cluster;
}

static uint32_t measure_capacity(const struct cpu *cpu)
{
    return cpu->capacity;
}
static uint32_t measure_frequency(const struct cpu *cpu)
{
    return cpu->max_frequency;
}

static void put_arm_args(struct import *import, struct arg_list *args, struct str arm)
{
    static const char *const keys[] = {
        NULL,           "arm_cpu_implementer", "arm_cpu_architecture", "arm_cpu_variant",
        "arm_cpu_part", "arm_cpu_revision"};
    struct wire w = wire_open(arm);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number < 1 || f.number > 5) continue;
        string_id key = strpool_intern_text(import->strings, keys[f.number]);
        arg_list_put(args, (struct arg){.flat_key = key,
                                        .key = key,
                                        .type = ARG_UINT,
                                        .value = {(int64_t)(uint32_t)f.value}});
    }
}

/* What the processor can do: the bits as they are, and by name those that are known. */
static void put_feature_args(const struct import_file *file, struct arg_list *args,
                             uint64_t features)
{
    static const char *const names[] = {"cpu_features.mte", "cpu_features.mte3"};
    const uint32_t n_names = sizeof names / sizeof names[0];
    struct strpool *strings = file->import->strings;
    if (!features) return;
    string_id bitmap = strpool_intern_text(strings, "cpu_features.raw_bitmap");
    arg_list_put(args, (struct arg){.flat_key = bitmap,
                                    .key = bitmap,
                                    .type = ARG_UINT,
                                    .value = {(int64_t)features}});
    for (uint32_t i = 0; i < n_names; i++)
        if (features >> i & 1)
            arg_list_put_bool(args, strpool_intern_text(strings, names[i]), true);
    if (features >> n_names) stats_add(file, STAT_cpu_info_unknown_cpu_features, 1);
}

static void write_cpu(const struct import_file *file, uint32_t ucpu, const struct cpu *cpu,
                      uint32_t cluster)
{
    struct import *import = file->import;
    struct table *table = &import->tables->cpu.table;
    table_set_int64(table, cpu_COLUMN_cluster_id, ucpu, cluster);
    if (cpu->processor.p)
        table_set_string(table, cpu_COLUMN_processor, ucpu,
                         strpool_intern(import->strings, cpu->processor));
    if (cpu->has_capacity) table_set_int64(table, cpu_COLUMN_capacity, ucpu, cpu->capacity);
    struct arg_list args = {0};
    put_arm_args(import, &args, cpu->arm);
    put_feature_args(file, &args, cpu->features);
    if (args.count)
        table_set_int64(table, cpu_COLUMN_arg_set_id, ucpu, args_commit(import->args, &args));
    vec_free(&args);
}

static void parse_cpus(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    (void)ts;
    const struct import_file *file = packet->file;
    struct cpu_list cpus = {0};
    bool has_capacity = false, has_frequency = false;
    struct wire w = wire_open(field);
    struct wire_field f;
    while (wire_next(&w, &f) && cpus.count < MAX_CPUS) {
        if (f.number != 1 || f.type != WIRE_BYTES) continue;
        struct cpu cpu;
        read_cpu(file->import->tables, cpu_intern(file, (uint32_t)cpus.count), f.bytes, &cpu);
        has_capacity |= cpu.has_capacity;
        has_frequency |= cpu.max_frequency != 0;
        vec_push(&cpus, cpu);
    }
    for (uint32_t i = 0; i < cpus.count; i++) {
        const struct cpu *cpu = &cpus.items[i];
        uint32_t cluster = 0;
        if (has_capacity)
            cluster = cluster_of(&cpus, cpu->capacity, measure_capacity);
        else if (has_frequency)
            cluster = cluster_of(&cpus, cpu->max_frequency, measure_frequency);
        write_cpu(file, cpu_intern(file, i), cpu, cluster);
    }
    vec_free(&cpus);
}

/* Names of interrupts, from /proc/interrupts. */
static void parse_interrupts(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    (void)ts;
    const struct import_file *file = packet->file;
    struct wire w = wire_open(field);
    struct wire_field f, id, name;
    while (wire_next(&w, &f)) {
        if (f.number != 1 || f.type != WIRE_BYTES) continue;
        wire_find(f.bytes, 1, &id);
        wire_find(f.bytes, 2, &name);
        struct linux_interrupt_mapping_row row = {
            .irq_id = (uint32_t)id.value,
            .name = strpool_intern(file->import->strings, name.bytes.p ? name.bytes : STR("")),
            .machine_id = file->machine_id};
        linux_interrupt_mapping_append(&file->import->tables->linux_interrupt_mapping, &row);
    }
    if (w.bad) stats_add(file, STAT_perfetty_packet_parts_invalid, 1);
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    struct system_probes *probes = mem_zero(1, sizeof *probes);
    probes->page_bytes = 4096;
    return probes;
}

static void finish(void *state)
{
    struct system_probes *probes = state;
    vec_free(&probes->disks);
    mem_free(probes);
}

static const struct packet_module modules[] = {
    {PACKET_SYSTEM_INFO, tokenize_system, NULL},
    {PACKET_CPU_INFO, NULL, parse_cpus},
    {PACKET_SYS_STATS, NULL, sys_stats_parse},
    {PACKET_INTERRUPTS, NULL, parse_interrupts},
};

const struct packet_source system_probes_source = {
    .name = "system_probes",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 4,
};
