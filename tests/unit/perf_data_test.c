/* perf.data files: both byte orders, pipes, packed records, symbols, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/perf_data.h"
#include "tests/unit/trace_fixture.h"

static struct engine *load(void (*write)(struct buffer *out))
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    struct engine *engine = trace_load(&bytes);
    buffer_free(&bytes);
    return engine;
}

static const char SAMPLES[] =
    "select x.ts, th.tid, p.pid, th.name, x.cpu, x.cpu_mode, m.name, f.rel_pc, c.depth "
    "from perf_sample x join thread th using (utid) join process p using (upid) "
    "join stack_profile_callsite c on c.id = x.callsite_id "
    "join stack_profile_frame f on f.id = c.frame_id "
    "join stack_profile_mapping m on m.id = f.mapping order by x.ts";

static void expect_shop(struct engine *engine, const char *misses)
{
    struct buffer want = BUFFER_INIT;
    trace_expect(engine, SAMPLES,
                 "2000 4100 4100 shop 2 kernel [kernel.kallsyms]_text 32 3|"
                 "3000 4107 4100 worker 1 user /lib/libc.so.6 80 1|"
                 "4000 4107 4100 worker 1 user  16 0");
    /* Callers lie one byte before where they go on; kernel and user mix in a chain. */
    trace_expect(engine,
                 "with recursive chain(id, parent) as (select c.id, c.parent_id from perf_sample x "
                 "join stack_profile_callsite c on c.id = x.callsite_id where x.ts = 2000 "
                 "union all select c.id, c.parent_id from chain "
                 "join stack_profile_callsite c on c.id = chain.parent) "
                 "select c.depth, m.name, f.rel_pc from chain "
                 "join stack_profile_callsite c using (id) "
                 "join stack_profile_frame f on f.id = c.frame_id "
                 "join stack_profile_mapping m on m.id = f.mapping order by 1",
                 "0 /usr/bin/shop 4112|1 /usr/bin/shop 4416|2 [kernel.kallsyms]_text 64|"
                 "3 [kernel.kallsyms]_text 32");
    buffer_printf(&want,
                  "2000 5000 cycles 2|2000 100 %s 2|3000 9000 cycles 1|3000 250 %s 1|"
                  "4000 9500 cycles 1|4000 260 %s 1",
                  misses, misses, misses);
    trace_expect(engine,
                 "select c.ts, c.value, t.name, t.cpu from counter c join perf_counter_track t "
                 "on t.id = c.track_id order by c.ts, c.id",
                 buffer_text(&want));
    buffer_free(&want);
    trace_expect(engine, "select cmdline from perf_session",
                 "perf record -g -- ./shop|perf record -g -- ./shop");
    trace_expect(engine, "select source, timebase_unit from __intrinsic_profiler_session",
                 "linux.perf cycles|linux.perf count");
    trace_expect(engine, "select str_value from metadata where name = 'system_release'",
                 "6.1.0-test");
    trace_expect(engine, "select name, release, arch, num_cpus, system_ram_bytes from machine",
                 "box 6.1.0-test riscv64 8 2097152");
    trace_expect(engine, "select int_value from metadata where name = 'trace_time_clock_id'", "3");
    trace_expect(engine,
                 "select name, idx, value from stats where value > 0 and "
                 "name in ('perfetty_perf_lost', 'perf_record_skipped') order by 1, 2",
                 "perf_record_skipped 2 1|perf_record_skipped 13 1|perfetty_perf_lost - 17");
    trace_expect(engine,
                 "select r.ts, p.pid, m.name from __intrinsic_mmap_record r left join process p "
                 "using (upid) join stack_profile_mapping m on m.id = r.mapping_id order by r.id",
                 "1000 - [kernel.kallsyms]_text|1000 - [ext4]|1000 4100 /usr/bin/shop|"
                 "1001 4100 /lib/libc.so.6");
}

static void files_of_both_byte_orders_say_the_same(void **state)
{
    void (*const writers[])(struct buffer *) = {gen_write_perf_data,
                                                gen_write_perf_data_big_endian};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct engine *engine = load(writers[i]);
        expect_shop(engine, "cache-misses");
        trace_expect(engine,
                     "select name, build_id from stack_profile_mapping where build_id != '' "
                     "order by 1",
                     "/lib/libc.so.6 12ab|/usr/bin/shop 73686f7030303031|"
                     "[kernel.kallsyms]_text 6b65726e656c6b65726e656c6b65726e31323334");
        engine_free(engine);
    }
}

static void pipes_bring_sections_as_records(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_perf_data_pipe);
    expect_shop(engine, "misses");
    trace_expect(engine, "select build_id from stack_profile_mapping where name = '/usr/bin/shop'",
                 "6c61746500000000");
    trace_expect(engine,
                 "select name, value from stats where name like 'perfetty_input%' "
                 "and value > 0",
                 "perfetty_input_corrupt 1");
    engine_free(engine);
}

static void events_without_ids_are_on_the_kernels_clock(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_perf_data_plain);
    trace_expect(engine, SAMPLES,
                 "1000 4100 4100 shop - user /usr/bin/shop 0 0|"
                 "1001 4100 4100 shop - user /usr/bin/shop 1 0|"
                 "1002 4100 4100 shop - user /usr/bin/shop 2 0|"
                 /* A child has its parent's mappings, unless it was there before. */
                 "1020 4101 4101 - - user /usr/bin/shop 7 0|"
                 "1021 4102 4102 - - user  4198407 0");
    trace_expect(engine,
                 "select c.ts, c.value, t.name, t.type from counter c join track t "
                 "on t.id = c.track_id order by c.ts",
                 "1000 10 cpu-clock perf_global_counter|1001 20 cpu-clock perf_global_counter|"
                 "1002 30 cpu-clock perf_global_counter|1020 31 cpu-clock perf_global_counter|"
                 "1021 32 cpu-clock perf_global_counter");
    trace_expect(engine, "select int_value from metadata where name = 'trace_time_clock_id'", "10");
    trace_expect(engine, "select name, idx from stats where severity != 'info' and value > 0",
                 "perf_record_skipped 7");
    trace_expect(engine, "select timebase_unit from __intrinsic_profiler_session", "ns");
    engine_free(engine);
}

static void newer_mappings_cover_older_ones(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_perf_data_mappings);
    trace_expect(engine,
                 "select t.tid, m.name, f.rel_pc from perf_sample s join thread t using (utid) "
                 "join stack_profile_callsite c on c.id = s.callsite_id "
                 "join stack_profile_frame f on f.id = c.frame_id "
                 "join stack_profile_mapping m on m.id = f.mapping order by s.ts",
                 "4100 /a 0|4100 /b 2048|4100 /a 36864|4100 /c 94208|"
                 "4101 /a 0|4101 /b 2048|4101 /a 36864|4101 /c 94208");
    trace_expect(engine,
                 "select count() from stats where name = 'perfetty_limit_reached' "
                 "and value > 0",
                 "0");
    engine_free(engine);
}

static void packed_records_are_unpacked(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_perf_data_packed);
    trace_expect(engine, "select count(1), min(ts), max(ts) from perf_sample", "40 1000 1039");
    trace_expect(engine,
                 "select extract_arg(arg_set_id, 'error') from _trace_import_logs order by id",
                 "packed records are damaged|packed records behind damage");
    engine_free(engine);
}

static void symbols_of_simpleperf_name_frames(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_perf_data_simpleperf);
    /* What the reference does not read stands beside the frame. */
    trace_expect(engine,
                 "select m.name, f.name, s.name from perf_sample x "
                 "join stack_profile_callsite c on c.id = x.callsite_id "
                 "join stack_profile_frame f on f.id = c.frame_id "
                 "join stack_profile_mapping m on m.id = f.mapping "
                 "left join stack_profile_symbol s using (symbol_set_id) order by x.ts",
                 "/lib/new.so new -|/lib/old.so  old|/lib/older.so  older|"
                 "perf.data_jit_app_cache:10-20 jitted -|/app/base.dex dexed -|/lib/none.so  -|"
                 "[kernel.kallsyms] start_kernel -");
    trace_expect(engine, "select distinct name from counter_track", "cpu-clock");
    trace_expect(engine, "select name, value from simpleperf_meta", "simpleperf_version 1.2");
    trace_expect(engine,
                 "select value from stats where name = 'perf_features_skipped' and idx = 128", "1");
    engine_free(engine);
}

static void trace_data_of_hardware_is_counted(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_perf_data_aux);
    trace_expect(engine,
                 "select name, value from stats where name glob 'perf_aux*' and value > 0 "
                 "order by 1",
                 "perf_aux_collision 1|perf_aux_ignored 125|perf_aux_missing 12|"
                 "perf_aux_partial 1|perf_aux_truncated 1|perf_auxtrace_missing 35");
    trace_expect(engine, "select count(1) from perf_sample", "1");
    trace_expect(engine, "select tid from thread where tid = 4107", "4107");
    trace_expect(engine,
                 "select idx, value from stats where name = 'perf_record_skipped' order by 1",
                 "11 1|70 1|71 1");
    engine_free(engine);
}

static void damage_is_told_and_the_rest_kept(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_perf_data_broken);
    trace_expect(engine, "select ts, cpu_mode from perf_sample", "2000 -");
    trace_expect(engine,
                 "select idx, value from stats where name = 'perf_record_skipped' "
                 "and idx in (1, 9, 10) order by 1",
                 "1 1|9 5|10 2");
    trace_expect(engine,
                 "select byte_offset, extract_arg(arg_set_id, 'error') from _trace_import_logs "
                 "where byte_offset < 1700 order by 1",
                 "264 an event id belongs to two events|"
                 "392 a record of an event that the file does not list|"
                 "624 a record too short for its event id|"
                 "1629 a record smaller than its header");
    trace_expect(engine, "select name, \"end\" - start from stack_profile_mapping order by 1",
                 " -1|/bin/past 5|[kernel.kallsyms] 4096");
    engine_free(engine);
}

static void what_is_cut_loads_as_far_as_it_goes(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_perf_data_cut);
    trace_expect(engine, "select count(1) from perf_sample", "2");
    trace_expect(engine,
                 "select byte_offset, extract_arg(arg_set_id, 'error') from _trace_import_logs "
                 "order by id",
                 "444 the list of feature sections is cut");
    engine_free(engine);
    engine = load(gen_write_perf_data_unclosed);
    trace_expect(engine, "select count(1) from perf_sample", "3");
    trace_expect(engine, "select value from stats where name = 'perfetty_input_truncated'", "1");
    engine_free(engine);
}

/* Wherever a file ends it says so, and nothing else happens. */
static void every_cut_is_survived(void **state)
{
    struct buffer whole = BUFFER_INIT, cut = BUFFER_INIT;
    (void)state;
    gen_write_perf_data_simpleperf(&whole);
    for (size_t n = 8; n < whole.length; n += 37) {
        char path[] = "/tmp/perfetty_cut_XXXXXX";
        const char *operand = path;
        struct status st = STATUS_INIT;
        buffer_clear(&cut);
        buffer_append(&cut, whole.data, n);
        int fd = mkstemp(path);
        assert_int_equal(write(fd, cut.data, cut.length), (ssize_t)cut.length);
        close(fd);
        struct engine *engine = engine_new();
        bool good = engine_load(engine, &operand, 1, NULL, &st);
        unlink(path);
        assert_int_equal(good, n >= 104 + 8 + 112 + 16);
        if (good)
            trace_expect(
                engine, "select value > 0 from stats where name = 'perfetty_input_truncated'", "1");
        status_clear(&st);
        engine_free(engine);
    }
    buffer_free(&whole);
    buffer_free(&cut);
}

static void headers_that_are_none_are_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *message;
    } cases[] = {
        {"PERFILE2\x10\0\0", 11, "Expected 104, found 0"},
        {"PERFILE2\x68\0\0\0\0\0\0\0", 16, "Premature end of perf file."},
        {"PERFILE2\x48\0\0\0\0\0\0\0", 16, "Expected 104, found 72"},
        {"PERFFILE\x48\0\0\0\0\0\0\0", 16, "Unknown trace type"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[] = "/tmp/perfetty_head_XXXXXX";
        const char *operand = path;
        struct status st = STATUS_INIT;
        int fd = mkstemp(path);
        assert_int_equal(write(fd, cases[i].bytes, cases[i].n), (ssize_t)cases[i].n);
        close(fd);
        struct engine *engine = engine_new();
        assert_false(engine_load(engine, &operand, 1, NULL, &st));
        unlink(path);
        if (!strstr(status_message(&st), cases[i].message)) fail_msg("%s", status_message(&st));
        status_clear(&st);
        engine_free(engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_both_byte_orders_say_the_same),
        cmocka_unit_test(pipes_bring_sections_as_records),
        cmocka_unit_test(events_without_ids_are_on_the_kernels_clock),
        cmocka_unit_test(newer_mappings_cover_older_ones),
        cmocka_unit_test(packed_records_are_unpacked),
        cmocka_unit_test(symbols_of_simpleperf_name_frames),
        cmocka_unit_test(trace_data_of_hardware_is_counted),
        cmocka_unit_test(damage_is_told_and_the_rest_kept),
        cmocka_unit_test(what_is_cut_loads_as_far_as_it_goes),
        cmocka_unit_test(every_cut_is_survived),
        cmocka_unit_test(headers_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
