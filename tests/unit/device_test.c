/* Packets of GPUs, pictures, Windows, and Android's sums and lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/features.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"
#include "tests/unit/trace_fixture.h"

#define START "1000000000000"

static struct engine *load(void (*write)(struct buffer *out))
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    struct engine *engine = trace_load(&bytes);
    buffer_free(&bytes);
    return engine;
}

/* Everything of a list that is "key=value" of the args of slices called `name`. */
#define ARGS_OF(name) \
    "select a.key || '=' || a.display_value from slice s join args a using (arg_set_id) " \
    "where s.name = '" name "' and a.display_value is not null order by s.id, a.key"

static void test_gpu_stages(void **state)
{
    struct engine *engine = load(gen_write_gpu);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, t.name, extract_arg("
                 "t.dimension_arg_set_id, 'gpu'), t.track_group_id is not null from slice s "
                 "join track t on t.id = s.track_id where t.type = 'gpu_render_stage' order by 1",
                 "1000 500 binning vertex 0 1|2000 300 multiply vertex 1 1|"
                 "3000 300 render stage(0) fragment 0 1|3100 300 resolve fragment 0 1");
    trace_expect(engine, ARGS_OF("binning"),
                 "command_buffer=0|context_id=7|description=first pass|hw_queue_id=1|key=value|"
                 "render_pass=0|render_stage_category=1|render_subpasses=0,2|render_target=3840|"
                 "render_target_name=main target|submission_id=9|upid=1");
    trace_expect(engine, ARGS_OF("multiply"),
                 "arch=sm_90|command_buffer=0|context_id=7|grid_size_x=128|grid_size_y=2|"
                 "hw_queue_id=1|kernel_demangled_name=gemm()|kernel_name=_Z4gemmv|ratio=0.5|"
                 "render_pass=0|render_target=0|submission_id=0|tile=64|upid=1|"
                 "workgroup_size_x=32");
    /* Who submits a stage, what waits for it on the GPU and on the CPU. */
    trace_expect(engine,
                 "select a.name, b.name from flow f join slice a on a.id = f.slice_out join "
                 "slice b on b.id = f.slice_in order by 1, 2",
                 "binning multiply|binning wait|submit binning");
    trace_expect(engine, "select gpu, name, vendor, uuid from gpu order by gpu",
                 "0 Adreno Qualcomm 00010203-0405-0607-0809-0a0b0c0d0e0f|1 - - -");
    trace_expect(engine, "select context_id, pid, api from __intrinsic_gpu_context", "7 42 VULKAN");
    engine_free(engine);
}

static void test_vulkan(void **state)
{
    struct engine *engine = load(gen_write_gpu);
    (void)state;
    trace_expect(engine, ARGS_OF("vkQueueSubmit"),
                 "command_buffer=11|command_buffers[0]=11|command_buffers[1]=12|pid=42|"
                 "submission_id=9|tid=43");
    trace_expect(engine,
                 "select c.ts - " START ", c.value, t.name from counter c join counter_track t "
                 "on t.id = c.track_id where t.name glob 'vulkan*' order by 1",
                 "300 4096 vulkan.mem.device.memory.type.3.allocation|"
                 "400 3072 vulkan.mem.device.memory.type.3.allocation|"
                 "500 512 vulkan.mem.device.memory.type.3.bind|"
                 "600 100 vulkan.mem.driver.scope.DEVICE");
    trace_expect(engine,
                 "select source, operation, memory_size, memory_type, heap, function_name, "
                 "scope, extract_arg(arg_set_id, 'label') from vulkan_memory_allocations limit 1",
                 "DEVICE_MEMORY CREATE 4096 3 1 vkAllocateMemory DEVICE 77");
    trace_expect(engine, ARGS_OF("WARNING"), "message=slow path|tag=driver");
    trace_expect(engine,
                 "select c.value, t.type from counter c join counter_track t on "
                 "t.id = c.track_id where t.name = 'GPU Memory' order by 1",
                 "1000 gpu_memory|1042 process_gpu_memory");
    engine_free(engine);
}

static void test_graphics_frames(void **state)
{
    struct engine *engine = load(gen_write_graphics_frames);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, t.name from slice s join track t on "
                 "t.id = s.track_id where t.name not glob 'Buffer*' order by 1, 4",
                 "0 10 11 APP_1 layer|10 10 11 GPU_1 layer|30 10 11 SF_1 layer|"
                 "40 90 11 Display_layer|100 -1 0 APP_1 layer|110 -1 0 APP_1 layer|"
                 "120 10 12 SF_1 layer|130 -1 12 Display_layer");
    trace_expect(engine, ARGS_OF("PresentFenceSignaled") " limit 5",
                 "acquire_to_latch_time=10|frame_number=11|latch_to_present_time=10|"
                 "layer_name=layer|queue_to_acquire_time=10");
    /* Two phases that nothing ends, an event of an unknown kind. */
    trace_expect(engine,
                 "select value from stats where name = 'graphics_frame_event_parser_errors'", "3");
    engine_free(engine);
}

static void test_v4l2(void **state)
{
    struct engine *engine = load(gen_write_v4l2);
    (void)state;
    trace_expect(engine, "select name, category from slice order by ts",
                 "VIDIOC_QBUF minor=0 seq=3 type=9 index=5 Video 4 Linux 2|"
                 "vb2_v4l2_buf_done minor=0 seq=3 type=0 index=0 Video 4 Linux 2|"
                 "VIDIOC_DQBUF minor=0 seq=3 type=9 index=5 Video 4 Linux 2|"
                 "VIDIOC_DQBUF minor=0 seq=3 type=9 index=6 Video 4 Linux 2");
    trace_expect(engine, "select slice_out, slice_in from flow", "0 2");
    trace_expect(engine,
                 "select extract_arg(arg_set_id, 'type'), extract_arg(arg_set_id, 'flags'), "
                 "extract_arg(arg_set_id, 'field'), extract_arg(arg_set_id, 'timecode_flags') "
                 "from slice where id < 2",
                 "VIDEO_CAPTURE_MPLANE QUEUED|TIMESTAMP_MASK|TIMESTAMP_COPY NONE "
                 "USERBITS_USERDEFINED|- DONE NONE USERBITS_USERDEFINED");
    engine_free(engine);
}

static void test_etw_scheduling(void **state)
{
    struct engine *engine = load(gen_write_etw);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, t.tid, s.end_state, s.priority from sched s "
                 "join thread t using (utid) order by 1",
                 "10 10 70 Waiting 8|20 20 80 - 8|40 -1 4294967295 - 8");
    trace_expect(engine,
                 "select s.ts - " START ", t.tid, s.state, s.io_wait, s.blocked_function from "
                 "thread_state s join thread t using (utid) where t.tid = 70 order by 1",
                 "10 70 Running - -|20 70 Waiting 1 WrPageIn|30 70 R - -");
    trace_expect(engine, "select name from thread where tid = 4294967295", "Anonymized Process");
    trace_expect(engine,
                 "select t.name, c.value, t.unit from counter c join counter_track t on "
                 "t.id = c.track_id where c.value > 0 order by 2",
                 "Standby Pri-0 Page Count 5 pages|Standby Pri-1 Page Count 6 pages|"
                 "Zero Page Count 1000 pages");
    trace_expect(engine,
                 "select name, value from stats where name in ('task_state_invalid', "
                 "'perfetty_packet_parts_invalid') order by 1",
                 "perfetty_packet_parts_invalid 1|task_state_invalid 1");
    engine_free(engine);
}

static void test_etw_files(void **state)
{
    struct engine *engine = load(gen_write_etw);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, extract_arg(s.arg_set_id, "
                 "'Missing Event') from slice s join track t on t.id = s.track_id where "
                 "t.type = 'etw_fileio' order by 1",
                 "60 10 CreateFile -|80 0 ReadFile End|85 5 SetInformation -|"
                 "95 0 EndOperation Start|97 0 CreateFile -|99 0 CreateFile End");
    trace_expect(engine, ARGS_OF("SetInformation"),
                 "File Size=333|I/O Request Packet=0xb0|Info Class=FileEndOfFileInformation");
    engine_free(engine);
}

static void test_usage(void **state)
{
    struct engine *engine = load(gen_write_android_usage);
    (void)state;
    trace_expect(engine,
                 "select c.ts - " START ", c.value, t.name from counter c join counter_track t "
                 "on t.id = c.track_id where t.type = 'android_kernel_wakelock' order by 1",
                 "0 4e+07 radio|50 4e+07 radio");
    trace_expect(engine,
                 "select c.ts - " START ", c.value, t.name from counter c join counter_track t "
                 "on t.id = c.track_id where t.type glob 'android_cpu_per_uid*' and c.ts > " START
                 " order by 3",
                 "50 5 CPU for Apps CL0|50 6 CPU for Apps CL1|50 0 CPU for System CL0|"
                 "50 0 CPU for System CL1|50 7 CPU for UID 1000 CL0|50 8 CPU for UID 1000 CL1|"
                 "50 10 CPU for UID 10123 CL0|50 12 CPU for UID 10123 CL1");
    trace_expect(engine,
                 "select uid, cluster, total_cpu_millis from __intrinsic_android_cpu_per_uid_track "
                 "order by 1, 2",
                 "1000 0 0|1000 1 0|10123 0 5|10123 1 6");
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, extract_arg(s.arg_set_id, 'owner_uid') "
                 "from slice s join track t on t.id = s.track_id where "
                 "t.type = 'app_wakelock_events'",
                 "100 50 upload 10123");
    trace_expect(engine,
                 "select name, value from stats where value > 0 and name glob '*wakelock*' "
                 "order by 1",
                 "app_wakelock_unknown_id 1|kernel_wakelock_unknown_id 1");
    engine_free(engine);
}

static void test_network(void **state)
{
    struct engine *engine = load(gen_write_android_usage);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, t.name, extract_arg(s.arg_set_id, "
                 "'packet_length'), extract_arg(s.arg_set_id, 'packet_transport') from slice s "
                 "join track t on t.id = s.track_id where t.type = 'network_packets' order by 1",
                 "200 0 uid=10123 wlan0 Transmitted 100 IPPROTO_TCP|"
                 "205 0 uid=10123 wlan0 Transmitted 200 IPPROTO_TCP|"
                 "300 30 uid=0  DIR_UNKNOWN 9000 IPPROTO (0)|"
                 "400 0 uid=0 rmnet Received 60 IPPROTO_UDP");
    trace_expect(engine,
                 "select extract_arg(arg_set_id, 'packet_tcp_flags'), extract_arg(arg_set_id, "
                 "'local_port') from slice where ts = " START " + 200",
                 ".s..a... 443");
    engine_free(engine);
}

static void test_atoms_and_journal(void **state)
{
    struct engine *engine = load(gen_write_android_usage);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.name, extract_arg(s.arg_set_id, 'field_1'), "
                 "extract_arg(s.arg_set_id, 'field_2_assuming_float') from slice s join track t "
                 "on t.id = s.track_id where t.type = 'statsd_atoms' order by 2",
                 "510 atom_10 5 1.5|500 atom_100010 5 1.5");
    trace_expect(engine,
                 "select ts - " START ", prio, tag, msg, extract_arg(arg_set_id, 'systemd_unit') "
                 "from __intrinsic_logs where log_source = 'systemd_journald'",
                 "7000 3 systemd unit failed init.scope");
    trace_expect(engine,
                 "select name, value from stats where value > 0 and (name glob 'atom*' or "
                 "name = 'perfetty_packet_parts_invalid') order by 1",
                 "atom_timestamp_missing 1|atom_unknown 1|perfetty_packet_parts_invalid 1");
    engine_free(engine);
}

static void test_lists(void **state)
{
    struct engine *engine = load(gen_write_android_usage);
    (void)state;
    trace_expect(engine, "select type, android_user_id from __intrinsic_android_user_list",
                 "full.SECONDARY 10");
    trace_expect(engine,
                 "select package, name, value, staged_value, permission, value_picked_from from "
                 "__intrinsic_android_aflags",
                 "com.example flag enabled - read-write local");
    trace_expect(engine,
                 "select package_name, current_mode, standard_mode_fps, perf_mode_use_angle, "
                 "battery_mode_downscale from android_game_intervention_list",
                 "com.example.game 2 30 1 1.5");
    engine_free(engine);
}

static void test_triggers(void **state)
{
    struct engine *engine = load(gen_write_triggers);
    (void)state;
    trace_expect(engine,
                 "select ts - " START ", name, extract_arg(arg_set_id, "
                 "'chrome_trigger.name_hash'), extract_arg(arg_set_id, 'chrome_trigger.name') "
                 "from slice order by 1",
                 "10 chrome_trigger 10 slow navigation|20 chrome_trigger 20 -");
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.value, t.name from state s join track t on "
                 "t.id = s.track_id order by 1",
                 "100 1 STARTED config|102 -1 CLONED_READ_ONLY config (clone)|"
                 "103 0 DISABLED Session 9");
    trace_expect(engine, "select value from stats where name = 'perfetty_packet_parts_invalid'",
                 "1");
    engine_free(engine);
}

static void test_syscalls(void **state)
{
    struct engine *engine = load(gen_write_syscalls);
    (void)state;
    /* A mark ends the write that carries it; a call that never returns is none. */
    trace_expect(engine,
                 "select ts - " START ", dur, name, depth, extract_arg(arg_set_id, 'ret'), "
                 "extract_arg(arg_set_id, 'args[1]') from slice order by id",
                 "10 10 sys_openat 0 3 8|30 5 sys_write 0 - 8|35 25 mark 0 - -|"
                 "70 5 sys_999 0 0 8");
    trace_expect(engine, "select count(1) from metadata where name = 'trace_uuid'", "1");
    engine_free(engine);
}

static void test_metatrace(void **state)
{
    struct engine *engine = load(gen_write_metatrace);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, s.category, t.tid from slice s join "
                 "thread_track tt on tt.id = s.track_id join thread t using (utid) order by 1",
                 "0 5 Event 12 metatrace 77|10 5 flush metatrace 77|20 5 commit metatrace 77");
    trace_expect(engine, ARGS_OF("flush"), "buffer=first|buffer[1]=second");
    trace_expect(engine,
                 "select c.value, t.name from counter c join counter_track t on t.id = "
                 "c.track_id",
                 "-6 Counter 4");
    trace_expect(engine, "select value from stats where name = 'metatrace_overruns'", "1");
    engine_free(engine);
}

/* The configuration as text: known fields by name, others by number. */
static void test_config_text(void **state)
{
    struct buffer bytes = BUFFER_INIT;
    (void)state;
    size_t packet = gen_packet_open(&bytes, -1, 1);
    size_t config = gen_open(&bytes, GEN_PACKET_TRACE_CONFIG);
    size_t buffer = gen_open(&bytes, 1);
    gen_uint(&bytes, 1, 1024);
    gen_uint(&bytes, 4, 2);
    gen_close(&bytes, buffer);
    gen_uint(&bytes, 8, 1);
    gen_text(&bytes, 22, "a \"name\"");
    gen_uint(&bytes, 999, 7);
    gen_close(&bytes, config);
    gen_packet_close(&bytes, packet);
    struct engine *engine = trace_load(&bytes);
    trace_expect(engine,
                 "select replace(str_value, char(10), ';') from metadata where name = "
                 "'trace_config_pbtxt'",
                 "buffers {;  size_kb: 1024;  fill_policy: DISCARD;};write_into_file: true;"
                 "unique_session_name: \"a \\\"name\\\"\";999: 7");
    engine_free(engine);
    buffer_free(&bytes);
}

/* A few bytes cut from every trace: it loads as far as it goes. */
static void test_cut(void **state)
{
    static void (*const writers[])(struct buffer * out) = {
        gen_write_gpu,      gen_write_graphics_frames, gen_write_v4l2,
        gen_write_etw,      gen_write_android_usage,   gen_write_triggers,
        gen_write_syscalls, gen_write_metatrace};
    (void)state;
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        struct buffer bytes = BUFFER_INIT;
        writers[i](&bytes);
        bytes.length -= 5;
        struct engine *engine = trace_load(&bytes);
        trace_expect(engine, "select sum(value) > 0 from stats where name glob 'perfetty_input_*'",
                     "1");
        engine_free(engine);
        buffer_free(&bytes);
    }
}

/* The energy of power rails, and a session that none of them names. */
static void test_power_rails(void **state)
{
    struct buffer bytes = BUFFER_INIT;
    (void)state;
    for (int i = 0; i < 2; i++) {
        size_t packet = gen_packet_open(&bytes, i ? 3000003 : -1, 1);
        size_t rails = gen_open(&bytes, 40);
        size_t part = gen_open(&bytes, i ? 2 : 1);
        gen_uint(&bytes, 1, 4);
        if (i) {
            gen_uint(&bytes, 2, 3);
            gen_uint(&bytes, 3, 333);
        } else {
            gen_text(&bytes, 2, "rail");
            gen_text(&bytes, 3, "subsystem");
        }
        gen_close(&bytes, part);
        gen_close(&bytes, rails);
        gen_packet_close(&bytes, packet);
    }
    struct engine *engine = trace_load(&bytes);
    trace_expect(engine, "select ts, value from counter", "3000000 333");
    engine_free(engine);
    buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gpu_stages),
        cmocka_unit_test(test_vulkan),
        cmocka_unit_test(test_graphics_frames),
        cmocka_unit_test(test_v4l2),
        cmocka_unit_test(test_etw_scheduling),
        cmocka_unit_test(test_etw_files),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_network),
        cmocka_unit_test(test_atoms_and_journal),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_triggers),
        cmocka_unit_test(test_syscalls),
        cmocka_unit_test(test_metatrace),
        cmocka_unit_test(test_config_text),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_power_rails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
