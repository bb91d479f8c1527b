/* Kernel events of drivers: what they draw and count, with their values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/features.h"
#include "tests/unit/trace_fixture.h"

#define START "1000000000000"

/* "TS DUR NAME TRACK|…" of the slices whose track has the type. */
#define SLICES(types) \
    "select s.ts - " START ", s.dur, s.name from slice s join track t on t.id = s.track_id " \
    "where t.type glob '" types "' order by s.id"
#define COUNTERS(types) \
    "select t.name, c.value from counter c join counter_track t on t.id = c.track_id " \
    "where t.type glob '" types "' order by t.name, c.ts, c.id"
#define ARGS_OF(name) \
    "select a.key || '=' || a.display_value from slice s join args a using (arg_set_id) " \
    "where s.name = '" name "' and a.display_value is not null order by s.id, a.key"

static void test_graphics(void **state)
{
    struct engine *engine = trace_load_written(gen_write_kernel_graphics);
    (void)state;
    trace_expect(engine, SLICES("drm_vblank"), "10 0 signal|11 0 deliver");
    /* The second job of a ring begins when the first is done. */
    trace_expect(engine, SLICES("drm_sched_ring"), "22 8 job|30 10 job|51 4 job");
    trace_expect(engine,
                 "select a.ts - " START ", b.ts - " START " from flow f join slice a on a.id = "
                 "f.slice_out join slice b on b.id = f.slice_in order by 1",
                 "20 22|21 30|50 51");
    trace_expect(engine, ARGS_OF("job"),
                 "gpu sched job=1|gpu sched job=2|fence context=3|fence seqno=4");
    trace_expect(engine, SLICES("virtgpu_queue_event"),
                 "60 5 SUBMIT_3D|66 1 UPDATE_CURSOR|68 -1 RESOURCE_FLUSH|68 -1 MOVE_CURSOR|"
                 "68 -1 UNKNOWN");
    trace_expect(engine, COUNTERS("virtgpu_latency"), "Virtgpu Control Latency 5");
    trace_expect(engine, COUNTERS("virtgpu_num_free"),
                 "Virtgpu Control Free 10|Virtgpu Control Free 11|Virtgpu Control Free 9|"
                 "Virtgpu Control Free 9|Virtgpu Cursor Free 9|Virtgpu Cursor Free 9|"
                 "Virtgpu Cursor Free 9");
    /* 192 ticks after the sync, 960 ticks long, at 19.2 MHz. */
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, t.name from slice s join track t on t.id = "
                 "s.track_id where t.type = 'adreno_gpu_cmdbatch' order by 3",
                 "10072 50000 GPU  (Ctx=6, Prio=3)|10072 50000 GPU app (Ctx=5, Prio=3)");
    trace_expect(engine, SLICES("pkvm_hypervisor"), "81 2 hyp|84 2 hyp");
    trace_expect(engine, ARGS_OF("hyp"),
                 "hyp_enter_reason=host_hcall|id=3|invalid=0|addr=6|esr=5|"
                 "hyp_enter_reason=host_mem_abort");
    engine_free(engine);
}

static void test_io(void **state)
{
    struct engine *engine = trace_load_written(gen_write_kernel_io);
    (void)state;
    trace_expect(engine, SLICES("ufs_command_tag"),
                 "10 5 WRITE (10) (GID=0x5)|20 -1 TEST UNIT READY|21 -1 REQUEST SENSE|"
                 "22 -1 INQUIRY|23 -1 START STOP UNIT|24 -1 READ CAPACITY|25 -1 READ (10)|"
                 "26 -1 VERIFY (10)|27 -1 SYNCHRONIZE CACHE (10)|28 -1 UNMAP|"
                 "29 -1 MODE SELECT (10)|30 -1 MODE SENSE (10)|31 -1 READ (16)|"
                 "32 -1 WRITE (16)|33 -1 SECURITY PROTOCOL IN|34 -1 SECURITY PROTOCOL OUT|"
                 "35 -1 UNKNOWN (0xee)");
    trace_expect(engine, COUNTERS("ufs_command_count") " limit 2",
                 "io.ufs.command.count 2|io.ufs.command.count 0");
    trace_expect(engine, COUNTERS("ufs_clkgating"),
                 "io.ufs.clkgating (OFF:0/REQ_OFF/REQ_ON/ON:3) 3");
    trace_expect(engine,
                 "select t.name, c.value from counter c join counter_track t on t.id = c.track_id "
                 "where t.type glob 'f2fs*' and c.value > 0 order by 1",
                 "f2fs_iostat.[1:2050].read_fs_node 9|f2fs_iostat.[1:2050].write_app_total 7|"
                 "f2fs_iostat_latency.[1:2050].read_data_peak 5|"
                 "f2fs_iostat_latency.[1:2050].write_async_meta_avg 6");
    trace_expect(engine, COUNTERS("net_*"),
                 "Kfree Skb IP Prot 1|wlan0 Received KB 2|wlan0 Received KB 3|"
                 "wlan0 Transmitted KB 4");
    trace_expect(engine, SLICES("net_tcp_retransmit_skb"), "64 0 sport=5000,dport=443");
    trace_expect(engine, SLICES("cpu_napi_gro"), "67 1 eth0");
    engine_free(engine);
}

static void test_memory(void **state)
{
    struct engine *engine = trace_load_written(gen_write_kernel_memory);
    (void)state;
    trace_expect(engine,
                 "select c.ts - " START ", t.name, c.value, p.name from counter c join "
                 "process_counter_track t on t.id = c.track_id join process p using (upid) "
                 "where t.name glob 'mem.rss*' order by 1",
                 "10 mem.rss.file 4096 app|11 mem.rss.file 8192 app");
    trace_expect(engine,
                 "select s.ts - " START ", s.name, t.tid from slice s join thread_track tt on "
                 "tt.id = s.track_id join thread t using (utid) where s.name = 'mem.oom_kill'",
                 "20 mem.oom_kill 51");
    trace_expect(engine, COUNTERS("ion*"),
                 "mem.ion 8192|mem.ion 0|mem.ion.sys 1100|mem.ion.sys 1060|"
                 "mem.ion_change 8192|mem.ion_change -8192|mem.ion_change.sys 100|"
                 "mem.ion_change.sys -40");
    trace_expect(engine, SLICES("android_*_allocations"), "40 5 8 kB|50 5 4 kB");
    trace_expect(engine, COUNTERS("fastrpc*"),
                 "mem.fastrpc[9] 2|mem.fastrpc[MDSP] 20|mem.fastrpc_change[9] 1|"
                 "mem.fastrpc_change[MDSP] 10");
    trace_expect(engine, COUNTERS("*gpu_memory"), "GPU Memory 1000|GPU Memory 600");
    trace_expect(engine, SLICES("android_lmk"), "80 0 mem.lmk");
    trace_expect(engine, ARGS_OF("mm_vmscan_direct_reclaim"),
                 "gfp_flags=3264|may_writepage=1|nr_reclaimed=12|order=2");
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, extract_arg(s.arg_set_id, 'cma_name'), "
                 "extract_arg(s.arg_set_id, 'cma_pfn'), extract_arg(s.arg_set_id, "
                 "'cma_nr_reclaimed') from slice s where s.name = 'mm_cma_alloc' order by 1",
                 "101 4 cma 77 2|110 5 old 78 6");
    trace_expect(engine, COUNTERS("mm_event*"),
                 "mem.mm.maj_flt.avg_lat 1|mem.mm.maj_flt.count 2|mem.mm.maj_flt.max_lat 3");
    trace_expect(engine, COUNTERS("oom_score_adj"), "oom_score_adj 900");
    trace_expect(engine, "select value from stats where name = 'mm_unknown_type'", "1");
    engine_free(engine);
}

static void test_power(void **state)
{
    struct engine *engine = trace_load_written(gen_write_kernel_power);
    (void)state;
    trace_expect(engine, COUNTERS("cpu_*"),
                 "Cpu 0 Cap 1024|Cpu 0 Max Freq Limit 1.8e+06|Cpu 0 Min Freq Limit 300000|"
                 "Cpu 0 Nr Running 3|Cpu 0 Util 512|cpufreq 1.2e+06|cpuidle 2");
    trace_expect(engine, COUNTERS("clock_*"),
                 "bus Frequency 400000|bus State 1|bus State 0|uart Frequency 19200|"
                 "uart State 1|uart State 0");
    trace_expect(engine, COUNTERS("linux_device_frequency"), "devfreq_ddr 1866");
    trace_expect(engine, COUNTERS("[act]*e*[lr]*mp*"),
                 "BIG Temperature 55|LITTLE Temperature 44|skin Temperature 41000");
    trace_expect(engine,
                 "select c.ts - " START ", t.name, c.value from counter c join counter_track t on "
                 "t.id = c.track_id where t.type glob '*cooling_device_counter' order by 1",
                 "33 Tj-BIG Cooling Device 3|41 fan Cooling Device 2|43 Tj-LITTLE Cooling Device "
                 "1");
    trace_expect(engine, SLICES("suspend_resume*"),
                 "50 5 Suspended|60 5 timekeeping_freeze(0)|66 2 dpm_suspend(2)");
    trace_expect(engine, SLICES("wakesource_wakelock"), "70 5 radio");
    trace_expect(engine, COUNTERS("gpu_frequency"), "gpufreq 500000|gpufreq 600000");
    engine_free(engine);
}

static void test_interrupts(void **state)
{
    struct engine *engine = trace_load_written(gen_write_kernel_interrupts);
    (void)state;
    trace_expect(engine, SLICES("cpu_*irq"),
                 "10 2 IPI (Rescheduling interrupts)|13 2 IRQ (LocalTimer)");
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, t.tid from slice s join thread_track tt "
                 "on tt.id = s.track_id join thread t using (utid) order by s.id",
                 "20 5 0xffff10 51|30 0 signal_generate 51|31 0 signal_deliver 51|"
                 "40 2 do_work 50|43 0 seen 50|50 1 binder lock waiting 50|"
                 "51 4 binder lock held 50|60 0 binder transaction async 50|"
                 "61 0 binder async rcv 61|70 8 binder transaction 50|72 -1 binder reply 61");
    trace_expect(engine,
                 "select s.name, extract_arg(s.arg_set_id, 'flags'), extract_arg(s.arg_set_id, "
                 "'data buffer size'), extract_arg(s.arg_set_id, 'destination thread') from slice "
                 "s where s.name in ('binder transaction', 'binder reply') order by s.id",
                 "binder transaction 0x10 allow replies with file descriptors;  128 61|"
                 "binder reply - 64 -");
    trace_expect(engine, ARGS_OF("signal_generate"), "signal.sig=9");
    engine_free(engine);
}

static void test_marks(void **state)
{
    struct engine *engine = trace_load_written(gen_write_kernel_marks);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name from slice s join thread_track t on t.id "
                 "= s.track_id order by 1",
                 "10 2 zero|20 2 mdss|30 2 sde|40 1 lmk,60,3,900");
    trace_expect(engine,
                 "select t.name, c.value from counter c join counter_track t on t.id = c.track_id "
                 "order by 1",
                 "ScreenState 2|battery_stats.audio 1|dpu 5|kill_one_process 60|level 8|"
                 "oom_score_adj 900");
    trace_expect(engine, SLICES("android_*"), "40 0 mem.lmk|44 0 mem.lmk|45 0 OPENED");
    /* A phase that nobody knows, a mark without one. */
    trace_expect(engine, "select value from stats where name = 'systrace_parse_failure'", "2");
    engine_free(engine);
}

static void test_clocks(void **state)
{
    struct engine *engine = trace_load_written(gen_write_kernel_clocks);
    (void)state;
    trace_expect(engine, "select ts - " START ", dur, name from slice order by 1", "100 50 local");
    trace_expect(engine,
                 "select int_value - " START " from metadata where name = "
                 "'ftrace_latest_data_start_ns'",
                 "0");
    trace_expect(engine, "select value from stats where name = 'ftrace_bundle_tokenizer_errors'",
                 "2");
    engine_free(engine);
}

static void test_video(void **state)
{
    struct engine *engine = trace_load_written(gen_write_kernel_video);
    (void)state;
    trace_expect(engine,
                 "select name, extract_arg(arg_set_id, 'type'), extract_arg(arg_set_id, 'flags'), "
                 "extract_arg(arg_set_id, 'field'), extract_arg(arg_set_id, 'timecode_type') "
                 "from slice order by id",
                 "VIDIOC_QBUF minor=2 seq=3 type=2 index=1 VIDEO_OUTPUT "
                 "MAPPED|TIMECODE|TIMESTAMP_MASK|TIMESTAMP_COPY INTERLACED 25FPS|"
                 "VIDIOC_DQBUF minor=2 seq=3 type=128 index=1 PRIVATE "
                 "MAPPED|TIMECODE|TIMESTAMP_MASK|TIMESTAMP_COPY INTERLACED -|"
                 "vb2_v4l2_buf_queue minor=2 seq=3 type=0 index=0 - DONE NONE -|"
                 "vb2_v4l2_qbuf minor=2 seq=3 type=0 index=0 - DONE - -|"
                 "vb2_v4l2_dqbuf minor=2 seq=3 type=0 index=0 -  ANY -");
    engine_free(engine);
}

static void test_generic(void **state)
{
    struct engine *engine = trace_load_written(gen_write_kernel_generic);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, t.type from slice s join track t on "
                 "t.id = s.track_id order by 1",
                 "10 5 first kernel_trackevent_thread_slice|"
                 "16 0 now kernel_trackevent_thread_slice|"
                 "40 0 of all kernel_trackevent_process_slice");
    trace_expect(engine,
                 "select t.name, c.value, t.type from counter c join counter_track t on t.id = "
                 "c.track_id order by 2",
                 "load of it 7 kernel_trackevent_cpu_counter|"
                 "custom 11 kernel_trackevent_custom_counter");
    trace_expect(engine,
                 "select a.key, a.value_type, a.display_value from ftrace_event e join args a "
                 "using (arg_set_id) where e.name in ('plain', 'by_name') order by e.id, a.key",
                 "big uint 9|real real 1.5|signed int -3|small real 2.5|text string words|"
                 "a string text|b int -5|c uint 6");
    trace_expect(engine,
                 "select name, ifnull(idx, '-'), value from stats where value <> 0 and name in ("
                 "'ftrace_generic_descriptor_errors', 'kernel_trackevent_format_error', "
                 "'perfetty_unread_ftrace_events', 'ftrace_missing_event_id', "
                 "'ftrace_bundle_tokenizer_errors', 'ftrace_setup_errors', "
                 "'ftrace_kprobe_hits_delta', 'ftrace_cpu_overrun_delta', "
                 "'ftrace_cpu_now_ts_end', 'ftrace_cpu_entries_begin') order by 1",
                 "ftrace_bundle_tokenizer_errors - 1|ftrace_cpu_entries_begin 0 5|"
                 "ftrace_cpu_now_ts_end 0 1000500000000|ftrace_cpu_overrun_delta 0 2|"
                 "ftrace_generic_descriptor_errors - 2|ftrace_kprobe_hits_delta - 7|"
                 "ftrace_missing_event_id - 1|ftrace_setup_errors - 1|"
                 "kernel_trackevent_format_error - 1|perfetty_unread_ftrace_events 69999 1");
    engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphics),   cmocka_unit_test(test_io),
        cmocka_unit_test(test_memory),     cmocka_unit_test(test_power),
        cmocka_unit_test(test_interrupts), cmocka_unit_test(test_marks),
        cmocka_unit_test(test_video),      cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_generic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
