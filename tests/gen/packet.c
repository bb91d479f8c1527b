#include "tests/gen/packet.h"

#include "tests/gen/compress.h"
#include "tests/gen/wire.h"

size_t gen_packet_open(struct buffer *trace, int64_t ts_ns, uint32_t sequence)
{
    size_t mark = gen_open(trace, 1);
    if (ts_ns >= 0) gen_uint(trace, GEN_PACKET_TIMESTAMP, (uint64_t)ts_ns);
    if (sequence) gen_uint(trace, GEN_PACKET_SEQUENCE_ID, sequence);
    return mark;
}

void gen_packet_close(struct buffer *trace, size_t mark)
{
    gen_close(trace, mark);
}

void gen_packet_clocks(struct buffer *trace, uint32_t sequence, const struct gen_clock *clocks,
                       size_t count, uint32_t primary)
{
    size_t packet = gen_packet_open(trace, -1, sequence);
    size_t snapshot = gen_open(trace, GEN_PACKET_CLOCK_SNAPSHOT);
    for (size_t i = 0; i < count; i++) {
        size_t clock = gen_open(trace, 1);
        gen_uint(trace, 1, clocks[i].id);
        gen_uint(trace, 2, clocks[i].value);
        if (clocks[i].is_incremental) gen_uint(trace, 3, 1);
        if (clocks[i].unit_ns) gen_uint(trace, 4, clocks[i].unit_ns);
        gen_close(trace, clock);
    }
    if (primary) gen_uint(trace, 2, primary);
    gen_close(trace, snapshot);
    gen_packet_close(trace, packet);
}

void gen_packet_device_clocks(struct buffer *trace, int64_t boottime_ns)
{
    const struct gen_clock clocks[] = {
        {GEN_CLOCK_BOOTTIME, (uint64_t)boottime_ns, false, 0},
        {GEN_CLOCK_MONOTONIC, (uint64_t)(boottime_ns - GEN_SUSPENDED_NS), false, 0},
        {GEN_CLOCK_REALTIME, (uint64_t)(boottime_ns + GEN_REALTIME_NS), false, 0},
    };
    gen_packet_clocks(trace, 1, clocks, sizeof clocks / sizeof clocks[0], GEN_CLOCK_BOOTTIME);
}

static void put_process(struct buffer *trace, const struct gen_process *process)
{
    size_t mark = gen_open(trace, 1);
    gen_int(trace, 1, process->pid);
    gen_int(trace, 2, process->ppid);
    gen_text(trace, 3, process->name);
    for (const char *const *more = process->more_arguments; more && *more; more++)
        gen_text(trace, 3, *more);
    gen_int(trace, 5, process->uid);
    if (process->start_ns) gen_uint(trace, 7, (uint64_t)process->start_ns);
    if (process->is_kthread) gen_uint(trace, 8, 1);
    gen_close(trace, mark);
}

void gen_packet_process_tree(struct buffer *trace, int64_t ts_ns, uint32_t sequence,
                             const struct gen_process *processes, size_t process_count,
                             const struct gen_thread *threads, size_t thread_count)
{
    size_t packet = gen_packet_open(trace, ts_ns, sequence);
    size_t tree = gen_open(trace, GEN_PACKET_PROCESS_TREE);
    for (size_t i = 0; i < process_count; i++)
        put_process(trace, &processes[i]);
    for (size_t i = 0; i < thread_count; i++) {
        size_t mark = gen_open(trace, 2);
        gen_int(trace, 1, threads[i].tid);
        gen_text(trace, 2, threads[i].name);
        gen_int(trace, 3, threads[i].pid);
        gen_close(trace, mark);
    }
    gen_close(trace, tree);
    gen_packet_close(trace, packet);
}

void gen_packet_log(struct buffer *trace, int64_t ts_ns, const struct gen_log *log)
{
    size_t packet = gen_packet_open(trace, ts_ns, 1);
    size_t logs = gen_open(trace, GEN_PACKET_ANDROID_LOG);
    size_t event = gen_open(trace, 1);
    gen_int(trace, 2, log->pid);
    gen_int(trace, 3, log->tid);
    gen_int(trace, 4, log->uid);
    gen_uint(trace, 5, (uint64_t)log->realtime_ns);
    gen_text(trace, 6, log->tag);
    gen_uint(trace, 7, log->priority);
    gen_text(trace, 8, log->message);
    gen_close(trace, event);
    gen_close(trace, logs);
    gen_packet_close(trace, packet);
}

void gen_packet_system_info(struct buffer *trace, const char *kernel_release)
{
    size_t packet = gen_packet_open(trace, -1, 1);
    size_t info = gen_open(trace, GEN_PACKET_SYSTEM_INFO);
    size_t name = gen_open(trace, 1);
    gen_text(trace, 1, "Linux");
    gen_text(trace, 2, "#1 SMP PREEMPT");
    gen_text(trace, 3, kernel_release);
    gen_text(trace, 4, "aarch64");
    gen_close(trace, name);
    gen_text(trace, 2, "example/phone/phone:14/AB1C.230101.001/1:user/release-keys");
    gen_text(trace, 4, "perfetty-gen 1");
    gen_uint(trace, 5, 34);
    gen_uint(trace, 6, 4096);
    gen_int(trace, 7, 60);
    gen_uint(trace, 8, 8);
    gen_uint(trace, 16, UINT64_C(8) << 30);
    gen_close(trace, info);
    gen_packet_close(trace, packet);
}

void gen_packet_cpu_info(struct buffer *trace, const uint32_t *capacities, size_t count)
{
    size_t packet = gen_packet_open(trace, -1, 1);
    size_t info = gen_open(trace, GEN_PACKET_CPU_INFO);
    for (size_t i = 0; i < count; i++) {
        size_t cpu = gen_open(trace, 1);
        gen_text(trace, 1, "AArch64 Processor rev 0 (aarch64)");
        for (uint32_t step = 1; step <= 4; step++)
            gen_uint(trace, 2, step * 300000 * (1 + capacities[i] / 512));
        gen_uint(trace, 3, capacities[i]);
        gen_close(trace, cpu);
    }
    gen_close(trace, info);
    gen_packet_close(trace, packet);
}

void gen_packet_battery(struct buffer *trace, int64_t ts_ns, int64_t charge_uah, float percent,
                        int64_t current_ua, int64_t voltage_uv)
{
    size_t packet = gen_packet_open(trace, ts_ns, 1);
    size_t battery = gen_open(trace, GEN_PACKET_BATTERY);
    gen_int(trace, 1, charge_uah);
    gen_float(trace, 2, percent);
    gen_int(trace, 3, current_ua);
    gen_int(trace, 7, voltage_uv);
    gen_close(trace, battery);
    gen_packet_close(trace, packet);
}

void gen_packet_trace_uuid(struct buffer *trace, uint64_t high, uint64_t low)
{
    size_t packet = gen_packet_open(trace, -1, 1);
    size_t uuid = gen_open(trace, GEN_PACKET_TRACE_UUID);
    gen_uint(trace, 1, high);
    gen_uint(trace, 2, low);
    gen_close(trace, uuid);
    gen_packet_close(trace, packet);
}

void gen_packet_trigger(struct buffer *trace, int64_t ts_ns, const char *name, const char *producer,
                        int32_t uid)
{
    size_t packet = gen_packet_open(trace, ts_ns, 1);
    size_t trigger = gen_open(trace, GEN_PACKET_TRIGGER);
    gen_text(trace, 1, name);
    gen_text(trace, 2, producer);
    gen_int(trace, 3, uid);
    gen_close(trace, trigger);
    gen_packet_close(trace, packet);
}

void gen_packet_extension_descriptor(struct buffer *trace, const struct buffer *descriptor_set)
{
    size_t packet = gen_packet_open(trace, -1, 1);
    size_t extension = gen_open(trace, GEN_PACKET_EXTENSION_DESCRIPTOR);
    gen_nested(trace, 1, descriptor_set);
    gen_close(trace, extension);
    gen_packet_close(trace, packet);
}

void gen_packet_compressed(struct buffer *trace, enum gen_codec codec, const struct buffer *packets)
{
    struct buffer squeezed = BUFFER_INIT;
    if (codec == GEN_CODEC_ZLIB)
        gen_zlib(&squeezed, buffer_str(packets));
    else
        gen_zstd(&squeezed, buffer_str(packets));
    size_t packet = gen_packet_open(trace, -1, 0);
    gen_nested(trace, codec == GEN_CODEC_ZLIB ? GEN_PACKET_ZLIB_PACKETS : GEN_PACKET_ZSTD_PACKETS,
               &squeezed);
    gen_packet_close(trace, packet);
    buffer_free(&squeezed);
}
