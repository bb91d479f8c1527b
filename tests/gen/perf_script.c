#include "tests/gen/perf_script.h"

#include <inttypes.h>

void gen_perf_script_sample(struct buffer *out, const struct gen_perf_task *task, uint64_t time_us,
                            const char *event)
{
    buffer_printf(out, "%-16s", task->comm);
    if (task->pid >= 0) buffer_printf(out, " %5d/%-5d", task->pid, task->tid);
    if (task->pid < 0) buffer_printf(out, " %5d", task->tid);
    if (task->cpu >= 0) buffer_printf(out, " [%03d]", task->cpu);
    buffer_printf(out, " %5" PRIu64 ".%06" PRIu64 ":     250000 %s: \n", time_us / 1000000,
                  time_us % 1000000, event);
}

void gen_perf_script_frame(struct buffer *out, uint64_t address, const char *symbol,
                           const char *mapping)
{
    buffer_printf(out, "\t%16" PRIx64 " %s (%s)\n", address, symbol, mapping);
}

void gen_perf_script_end(struct buffer *out)
{
    buffer_append_byte(out, '\n');
}

static const struct gen_perf_task MAIN = {"shop server", 4100, 4100, 2};
static const struct gen_perf_task WORKER = {"worker", 4100, 4107, 0};
static const struct gen_perf_task LONE = {"swapper", -1, 0, -1};

void gen_write_perf_script(struct buffer *out)
{
    buffer_append_text(out, "# ========\n# hostname : test\n# cmdline : perf record -g\n#\n");
    gen_perf_script_sample(out, &MAIN, 12000250, "cycles:u");
    gen_perf_script_frame(out, 0x1140, "Cart::add(Item const&)+0x20", "/usr/bin/shop");
    gen_perf_script_frame(out, 0x1010, "main+0x10", "/usr/bin/shop");
    gen_perf_script_frame(out, 0x27f50, "__libc_start_main+0xf0", "/lib/libc.so.6");
    gen_perf_script_end(out);
    gen_perf_script_sample(out, &WORKER, 12000500, "cycles:u");
    gen_perf_script_frame(out, 0xffffffff81000000, "[unknown]", "[kernel.kallsyms]");
    gen_perf_script_frame(out, 0x1010, "main+0x10", "/usr/bin/shop");
    gen_perf_script_end(out);
    gen_perf_script_sample(out, &LONE, 12000750, "cpu-clock:k");
    gen_perf_script_frame(out, 0xffffffff81000010, "native_safe_halt+0xe", "[kernel.kallsyms]");
    gen_perf_script_end(out);
    /* Records between samples; a sample ends where the next begins; source lines. */
    buffer_append_text(out, "worker 4107 12.000900: PERF_RECORD_COMM: worker:4100/4107\n");
    gen_perf_script_sample(out, &WORKER, 12000900, "cycles:u");
    gen_perf_script_frame(out, 0x40, "sourced", "/bin/w");
    buffer_append_text(out, "  w.c:12\n");
    /* As written without call chains: the frame stands behind the event. */
    buffer_append_text(out,
                       "   worker 4107 [001] 12.001000: 1 cycles:u:  55d1c0de f+0x1 (/bin/w)\n");
    buffer_append_text(out, "worker 4107 [001] 12.001000123: 1 cycles:u:  55d1c0df g (/bin/w)\n");
}

void gen_write_perf_script_broken(struct buffer *out)
{
    gen_perf_script_sample(out, &MAIN, 7000000, "cycles");
    gen_perf_script_end(out);
    buffer_append_text(out, "perf: warning: lost 12 chunks\n");
    gen_perf_script_sample(out, &MAIN, 7000001, "cycles");
    buffer_append_text(out, "\tffff nosuchmapping\n\tffff(/bin/x)\n");
    gen_perf_script_frame(out, 0x40, "kept", "/bin/x");
    gen_perf_script_end(out);
    buffer_append_text(out, "x 1 99999999999999.000000: 1 cycles:\n\t1 f (m)\n\n");
    buffer_append_text(out, "x 4294967296 1.000000: 1 cycles:\n x/1 1.000000:\n [0] 1.000000:\n");
    gen_perf_script_sample(out, &WORKER, 7000002, "cycles");
    buffer_append_text(out, "\t  40 cut (/bin/x)");
}
