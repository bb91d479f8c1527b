/* Track events with times of their own, facts beside them, another machine's clock,
 * and every form of Chrome's JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/features.h"
#include "tests/unit/trace_fixture.h"

#define START        "1000000000000"
#define STATS(globs) "select name, value from stats where value <> 0 and (" globs ") order by name"

static void test_times(void **state)
{
    struct engine *engine = trace_load_written(gen_write_track_event_times);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, s.thread_ts, s.thread_dur, "
                 "s.thread_instruction_count, s.thread_instruction_delta, t.tid from slice s join "
                 "thread_track tt on tt.id = s.track_id join thread t using (utid) order by s.ts",
                 "10000 20000 delta 1005000 3000 57 1 43|35000 0 beside - - - - 43|"
                 "100000 0 absolute 2000000 0 99 0 43");
    trace_expect(engine,
                 "select t.name, c.ts - " START ", c.value from counter c join track t on t.id = "
                 "c.track_id where t.name glob 'extra*' order by 2, 1",
                 "extra 35000 5|extra real 35000 1.5|extra 36000 7");
    trace_expect(engine,
                 "select f.name, g.name, m.name, m.build_id, e.weight from "
                 "__intrinsic_track_event_callstacks e join stack_profile_callsite c on c.id = "
                 "e.callsite_id join stack_profile_frame f on f.id = c.frame_id join "
                 "stack_profile_mapping m on m.id = f.mapping join stack_profile_callsite d on "
                 "d.id = e.end_callsite_id join stack_profile_frame g on g.id = d.frame_id",
                 "work end /bin/app 4142 3.5");
    trace_expect(engine, STATS("name glob 'track_event_*' or name = 'tokenizer_skipped_packets'"),
                 "tokenizer_skipped_packets 1|track_event_counter_invalid_track_uuid 1|"
                 "track_event_counter_missing_track_uuid 1|track_event_counter_missing_value 1|"
                 "track_event_extra_counter_invalid_track 1|"
                 "track_event_extra_counter_track_uuid_mismatch 1|"
                 "track_event_invalid_timestamp 1|track_event_missing_timestamp 1");
    engine_free(engine);
}

static void test_facts(void **state)
{
    struct engine *engine = trace_load_written(gen_write_track_event_facts);
    (void)state;
    trace_expect(engine,
                 "select s.name, t.name, extract_arg(s.arg_set_id, 'chrome_user_event.action'), "
                 "extract_arg(s.arg_set_id, 'chrome_histogram_sample.name') from slice s join "
                 "track t on t.id = s.track_id where s.ts = " START " + 10",
                 "real name real track Clicked Startup.Time");
    trace_expect(engine,
                 "select p.pid, p.name, p.uid, a.start_seq_id, a.package_uid, a.caller_uid, "
                 "a.defining_uid, a.fw_start_ts - " START ", a.fw_end_ts - " START ", "
                 "a.hosting_name, a.bind_application_delay_ms, a.process_start_delay_ms from "
                 "__intrinsic_android_track_event_process a join process p using (upid)",
                 "77 com.example 10123 5 10123 1000 10124 20 30 activity 12 34");
    trace_expect(engine, "select end_ts - " START " from process where pid = 77", "30");
    engine_free(engine);
}

static void test_chrome_descriptors(void **state)
{
    struct engine *engine = trace_load_written(gen_write_chrome_descriptors);
    (void)state;
    trace_expect(engine,
                 "select pid, name, extract_arg(arg_set_id, 'chrome.process_label[1]'), "
                 "extract_arg(arg_set_id, 'chrome.host_app_package_name'), "
                 "extract_arg(arg_set_id, 'chrome.crash_trace_id') from process where pid > 0 "
                 "order by 1",
                 "42 Renderer second tab com.host 77|50 Gpu - - -");
    trace_expect(engine, "select tid, name from thread where tid > 50 or tid = 43 order by 1",
                 "43 VizCompositorThread|101 CrProcessMain|102 ChromeIOThread|"
                 "103 ThreadPoolBackgroundWorker&|104 ThreadPoolForegroundWorker&|"
                 "105 ThreadPoolSingleThreadForegroundBlocking&|"
                 "106 ThreadPoolSingleThreadBackgroundBlocking&|107 ThreadPoolService|"
                 "108 Compositor|109 CompositorTileWorker&|110 ServiceWorkerThread&|"
                 "111 MemoryInfra|112 StackSamplingProfiler|113 -");
    trace_expect(engine, "select int_value from metadata where name = 'range_of_interest_start_us'",
                 "500");
    trace_expect(engine, STATS("name glob 'track_event_*'"),
                 "track_event_missing_sequence_id 1|"
                 "track_event_range_of_interest_missing_start_us 1");
    engine_free(engine);
}

static void test_perf_followers(void **state)
{
    struct engine *engine = trace_load_written(gen_write_perf_followers);
    (void)state;
    trace_expect(engine,
                 "select t.name, c.ts - " START ", c.value from counter c join counter_track t on "
                 "t.id = c.track_id order by 2, c.id",
                 "sched:sched_switch 10 5|instructions 10 10|tp 10 20|named 10 30|"
                 "sched:sched_switch 20 6|instructions 20 11|tp 20 21|named 20 31");
    trace_expect(engine,
                 "select ts - " START ", cpu_mode, unwind_error from perf_sample order by 1",
                 "10 kernel invalid_map|20 user -");
    trace_expect(engine,
                 "select name, ifnull(idx, '-'), iif(value > " START ", value - " START
                 ", value) from stats where value > 0 and name glob 'perf_*' order by 1",
                 "perf_guardrail_stop_ts 8 30|perf_samples_skipped - 1|"
                 "perf_samples_skipped_dataloss - 1");
    engine_free(engine);
}

static void test_remote_clock(void **state)
{
    struct engine *engine = trace_load_written(gen_write_remote_clock);
    (void)state;
    trace_expect(engine, "select ts - " START ", name from slice order by 1",
                 "2500 remote|5000 host");
    engine_free(engine);
}

static void test_chrome_forms(void **state)
{
    struct engine *engine = trace_load_written(gen_write_chrome_forms);
    (void)state;
    trace_expect(engine,
                 "select s.ts / 1000, s.dur / 1000, s.name, s.thread_ts, s.thread_dur, t.type from "
                 "slice s join track t on t.id = s.track_id order by 1",
                 "10 10 begun 1000 5000 thread_execution|30 10 timed 7000 4000 thread_execution|"
                 "35 20 crossing - - thread_overlapping_slice|60 2 out - - thread_execution|"
                 "63 2 step - - thread_execution|66 2 in - - thread_execution|"
                 "69 2 nowhere - - thread_execution|72 2 no id - - thread_execution|"
                 "80 5 load - - legacy_async_process_slice|"
                 "82 0 redirect - - legacy_async_process_slice|"
                 "90 0 everywhere - - legacy_chrome_global_instants|"
                 "91 0 in process - - chrome_process_instant|"
                 "93 0 mark 12000 - thread_execution|120 1 by names - - thread_execution|"
                 "125 1 no thread - - thread_execution");
    trace_expect(engine,
                 "select a.name, b.name from flow f join slice a on a.id = f.slice_out join slice "
                 "b on b.id = f.slice_in order by a.ts, f.id",
                 "out step|out step|step in|step in|no id mark");
    trace_expect(engine,
                 "select s.ts / 1000, s.dur / 1000, s.state, s.io_wait, s.blocked_function, t.tid "
                 "from thread_state s join thread t using (utid) order by 1",
                 "110 5 Running - - 2|115 5 D 1 read 2");
    trace_expect(engine, "select ts / 1000, dur / 1000, cpu from sched", "110 5 1");
    trace_expect(engine,
                 "select t.name, c.value from counter c join counter_track t on t.id = c.track_id "
                 "order by 1",
                 "heap id: main free 2|heap id: main used 5");
    trace_expect(engine,
                 "select name, coalesce(str_value, int_value) from metadata where name glob "
                 "'json_metadata*' order by 1",
                 "json_metadata.big 1000|json_metadata.good 1|json_metadata.list [1]|"
                 "json_metadata.os Linux|json_metadata.part {\"a\":1}|json_metadata.ratio 0.5|"
                 "json_metadata.runs 7");
    trace_expect(engine, "select name from process where name in ('Browser', 'gpu') order by 1",
                 "Browser|gpu");
    trace_expect(engine, STATS("name glob 'flow_*' or name glob 'slice_spill*'"),
                 "flow_end_without_start 1|flow_invalid_id 2|flow_no_enclosing_slice 1|"
                 "flow_step_without_start 1|flow_without_direction 1|"
                 "slice_spill_overlapping_complete_event 1");
    engine_free(engine);
}

static void test_chrome_odd(void **state)
{
    struct engine *engine = trace_load_written(gen_write_chrome_odd);
    (void)state;
    trace_expect(engine, "select ts / 1000, name from slice order by 1",
                 "6 [No name]|10 after|20 found");
    trace_expect(engine, STATS("name glob 'json_*' or name glob 'perfetty_input*'"),
                 "json_parser_failure 8|json_tokenizer_failure 8|perfetty_input_corrupt 1");
    engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),          cmocka_unit_test(test_facts),
        cmocka_unit_test(test_remote_clock),   cmocka_unit_test(test_chrome_forms),
        cmocka_unit_test(test_chrome_odd),     cmocka_unit_test(test_chrome_descriptors),
        cmocka_unit_test(test_perf_followers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
