/* Packets of Java heaps, of samples, of names told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/gen/heap_formats.h"
#include "tests/unit/trace_fixture.h"

static struct engine *load(void (*write)(struct buffer *out))
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    struct engine *engine = trace_load(&bytes);
    buffer_free(&bytes);
    return engine;
}

static void test_heap_graph(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_heap_graph);
    trace_expect(engine,
                 "SELECT c.name, o.self_size, o.native_size, o.reachable, o.root_distance, "
                 "o.root_type, o.heap_type FROM heap_graph_object o "
                 "JOIN heap_graph_class c ON c.id = o.type_id ORDER BY o.id",
                 "com.example.Shop 32 0 1 0 ROOT_STICKY_CLASS -|a 48 512 1 1 - -|"
                 "java.lang.ref.WeakReference 24 0 1 1 - -|com.example.Leaf 8 0 1 2 - -|"
                 "a[] 256 0 1 2 - -|com.example.Leaf 9 0 0 -1 - -|"
                 "sun.misc.Cleaner 40 0 0 -1 - -|"
                 "libcore.util.NativeAllocationRegistry$CleanerThunk 16 0 0 -1 - -|"
                 "libcore.util.NativeAllocationRegistry 24 0 0 -1 - -|"
                 "java.lang.Class<a> 88 0 0 -1 - -|java.lang.Class<b> 88 0 1 1 - -|"
                 "com.example.Leaf 8 0 1 0 ROOT_VM_INTERNAL HEAP_TYPE_BOOT_IMAGE");
    trace_expect(engine,
                 "SELECT owner_id, owned_id, field_name, field_type_name, deobfuscated_field_name "
                 "FROM heap_graph_reference WHERE owner_id IN (0, 1, 2, 11)",
                 "0 1 com.example.Shop.cart com.example.Cart -|"
                 "0 2 com.example.Shop.last java.lang.ref.WeakReference -|"
                 "0 - com.example.Shop.none java.lang.Object -|"
                 "1 3 a.x java.lang.Object com.example.Cart.items|1 4 b.y java.lang.Object -|"
                 "2 5 java.lang.ref.Reference.referent java.lang.Object -|"
                 "11 10 runtimeInternalObjects  -");
    trace_expect(engine,
                 "SELECT c.name, c.deobfuscated_name, s.name, c.kind FROM heap_graph_class c "
                 "LEFT JOIN heap_graph_class s ON s.id = c.superclass_id "
                 "WHERE c.deobfuscated_name IS NOT NULL ORDER BY c.name",
                 "a com.example.Cart b KIND_NORMAL|a[] com.example.Cart[] - KIND_ARRAY|"
                 "java.lang.Class<a> java.lang.Class<com.example.Cart> - KIND_CLASS");
    trace_expect(engine, "SELECT upid, heap_size, truncated FROM heap_graph", "2 4096 0");
    trace_expect(engine, "SELECT count(*) FROM stats WHERE value > 0 AND name LIKE 'heap_graph%'",
                 "0");
    engine_free(engine);
}

static void test_heap_graph_odd(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_heap_graph_odd);
    trace_expect(engine,
                 "SELECT c.name, o.self_size, o.reachable FROM heap_graph_object o "
                 "JOIN heap_graph_class c ON c.id = o.type_id ORDER BY o.id",
                 "Loop 8 1|Loop -1 1| 0 1");
    trace_expect(engine,
                 "SELECT name, idx, value FROM stats WHERE value > 0 AND name LIKE 'heap_graph%' "
                 "ORDER BY name, idx",
                 "heap_graph_invalid_string_id 2 2|heap_graph_malformed_packet 2 3|"
                 "heap_graph_missing_packet 0 1|heap_graph_missing_packet 2 1|"
                 "heap_graph_non_finalized_graph - 3");
    trace_expect(engine, "SELECT truncated FROM heap_graph", "1");
    engine_free(engine);
}

static void test_samples(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_stack_samples);
    trace_expect(engine,
                 "SELECT s.ts - 1000000000000, s.source, t.tid, e.cpu_mode, f.name, c.depth, "
                 "s.unwind_error, a.name, b.name FROM __intrinsic_profiler_sample s "
                 "LEFT JOIN stack_sample_task_context k ON k.id = s.task_context_id "
                 "LEFT JOIN thread t USING (utid) "
                 "LEFT JOIN stack_sample_execution_context e ON e.id = s.execution_context_id "
                 "LEFT JOIN stack_profile_callsite c ON c.id = s.callsite_id "
                 "LEFT JOIN stack_profile_frame f ON f.id = c.frame_id "
                 "LEFT JOIN stack_sample_async_context a ON a.id = k.async_context_id "
                 "LEFT JOIN stack_sample_async_context b ON b.id = a.parent_id ORDER BY s.id",
                 "1 python.wall 100 user work 1 - - -|"
                 "2 python.wall 101 kernel native 0 no stack: signal worker pool|"
                 "3 python.wall - - main 0 too deep worker -|4 python.wall - - - - - - -|"
                 "5 python.wall - - - - - - -|600000005000 chrome 102 - native 0 - - -|"
                 "600000007000 chrome 102 - native 0 - - -");
    trace_expect(engine,
                 "SELECT c.ts - 1000000000000, t.name, t.type, t.unit, c.value, "
                 "extract_arg(t.source_arg_set_id, 'is_timebase') FROM counter c "
                 "JOIN counter_track t ON t.id = c.track_id ORDER BY c.id",
                 "1 wall-time stack_sample_session_counter ns 1000 1|"
                 "1 misses stack_sample_cpu_counter widgets 7 0|"
                 "2 cycles stack_sample_session_counter cycles 55 1|"
                 "2 cycles stack_sample_session_counter cycles 66 1");
    trace_expect(engine, "SELECT source, timebase_unit FROM stack_sample_session",
                 "python.wall ns");
    trace_expect(engine, "SELECT process_priority FROM __intrinsic_chrome_stack_sample_extras",
                 "-4|-4");
    trace_expect(engine,
                 "SELECT f.name, s.source_file, s.line_number FROM stack_profile_frame f "
                 "LEFT JOIN stack_profile_symbol s USING (symbol_set_id) ORDER BY f.id",
                 "main app.py 10|work app.py 11|native - -");
    engine_free(engine);
}

static void test_smaps(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_smaps);
    trace_expect(engine,
                 "SELECT path, path_trimmed, is_deleted, aggregate_count, size_kb, "
                 "private_dirty_kb, proportional_resident_kb, rss_kb, swap_pss_kb, file_name "
                 "FROM profiler_smaps",
                 "/system/lib64/libc.so /system/lib64/libc.so 0 1 102 103 115 0 0 text|"
                 "/dev/ashmem/x (deleted) /dev/ashmem/x 1 1 202 203 215 0 0 text|"
                 "[heap] [heap] 0 30 40 110 130 50 150 |"
                 "/system/lib64/libc.so /system/lib64/libc.so 0 31 41 111 131 51 151 ");
    trace_expect(engine, "SELECT value FROM stats WHERE name = 'smaps_parser_errors'", "1");
    engine_free(engine);
}

static void test_names(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_deobfuscation);
    trace_expect(engine,
                 "SELECT f.rel_pc, f.deobfuscated_name, s.name, s.line_number, s.inlined "
                 "FROM stack_profile_frame f LEFT JOIN stack_profile_symbol s "
                 "USING (symbol_set_id) ORDER BY f.id, s.id",
                 "4096 com.example.Cart.add com.example.Cart.put 21 1|"
                 "4096 com.example.Cart.add com.example.Cart.add 40 0|"
                 "8192 com.example.Cart.put | com.example.Cart.add - - -|12288 - - - -");
    trace_expect(engine,
                 "SELECT name, value FROM stats WHERE value > 0 AND severity = 'error' "
                 "ORDER BY name",
                 "deobfuscate_location_parse_error 1|stackprofile_invalid_frame_id 1");
    engine_free(engine);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_out_of_memory);
    trace_expect(engine,
                 "SELECT g.dump_reason, d.allocation_size_bytes, d.total_bytes_free, "
                 "d.free_bytes_until_oom, d.error_msg FROM heap_graph g "
                 "JOIN __intrinsic_heap_graph_java_oome_details d ON d.heap_graph_id = g.id",
                 "OOME 1000 200 300 Failed to allocate");
    trace_expect(engine,
                 "SELECT f.name, f.deobfuscated_name, c.depth, s.line_number "
                 "FROM heap_graph_thread_callsite h "
                 "JOIN stack_profile_callsite c ON c.id = h.callsite_id "
                 "JOIN stack_profile_frame f ON f.id = c.frame_id "
                 "JOIN stack_profile_symbol s USING (symbol_set_id)",
                 "a.m com.example.Cart.put | com.example.Cart.add 1 30");
    trace_expect(engine, "SELECT package_name, uid FROM package_list", "com.example.shop 10001");
    engine_free(engine);
}

static void test_args(void **state)
{
    (void)state;
    struct engine *engine = load(gen_write_named_args);
    trace_expect(engine,
                 "SELECT s.ts - 1000000000000, a.key, a.display_value FROM slice s "
                 "JOIN args a USING (arg_set_id) ORDER BY s.ts, a.key",
                 "1 chrome_mojo_event_info.mojo_interface_tag ns.Service|"
                 "1 chrome_mojo_event_info.mojo_method_name ns::Service::Open|"
                 "2 chrome_mojo_event_info.mojo_interface_tag plain()|"
                 "2 chrome_mojo_event_info.mojo_method_name plain()|"
                 "3 chrome_mojo_event_info.mojo_interface_method_iid 3|"
                 "4 chrome_mojo_event_info.mojo_interface_method_iid 4|"
                 "5 android_view_dump.activity[0].name Main|"
                 "5 android_view_dump.activity[0].view[0].class_name com.example.Cart|"
                 "5 android_view_dump.activity[0].view[1].class_name z");
    engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heap_graph),    cmocka_unit_test(test_heap_graph_odd),
        cmocka_unit_test(test_samples),       cmocka_unit_test(test_smaps),
        cmocka_unit_test(test_names),         cmocka_unit_test(test_args),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
