/* Packets of a phone's parts and of its windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/proto/wire.h"
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

static void test_find_nothing(void **state)
{
    struct buffer message = BUFFER_INIT;
    struct wire_field f = {.number = 9, .value = 9};
    (void)state;
    gen_uint(&message, 1, 5);
    gen_text(&message, 2, "two");
    assert_true(wire_find(buffer_str(&message), 2, &f));
    assert_int_equal(f.bytes.n, 3);
    assert_false(wire_find(buffer_str(&message), 3, &f));
    assert_int_equal(f.number, 0);
    assert_int_equal(f.value, 0);
    assert_null(f.bytes.p);
    buffer_free(&message);
}

static void test_bluetooth(void **state)
{
    struct engine *engine = load(gen_write_phone_parts);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", s.dur, s.name, t.name, extract_arg(s.arg_set_id, "
                 "'TracePacketType'), extract_arg(s.arg_set_id, 'Count'), extract_arg("
                 "s.arg_set_id, 'Length'), extract_arg(s.arg_set_id, 'Handle'), extract_arg("
                 "s.arg_set_id, 'Event Code') from slice s join track t on t.id = s.track_id "
                 "where t.type = 'bluetooth_trace_event' order by 1",
                 "10 25 BluetoothTraceEvent BluetoothTraceEvent HCI_ACL_RX 12 480 7 -|"
                 "90 0 BluetoothTraceEvent BluetoothTraceEvent - - - - 14");
    engine_free(engine);
}

static void test_interrupts(void **state)
{
    struct engine *engine = load(gen_write_phone_parts);
    (void)state;
    trace_expect(engine, "select irq_id, name, machine_id from _linux_interrupt_mapping",
                 "11 arch_timer 0|12 touch 0");
    trace_expect(engine, "select name, dur from slice where name glob 'sys*'", "sys_openat 10");
    engine_free(engine);
}

static void test_modem(void **state)
{
    struct engine *engine = load(gen_write_phone_parts);
    (void)state;
    trace_expect(engine,
                 "select s.ts - " START ", t.name, s.name from slice s join track t on "
                 "t.id = s.track_id where t.type = 'pixel_modem_event' order by 1",
                 "0 Pixel Modem Events: RRC cell -3 of 4294967295: -90.2 dB, 0x00ff|"
                 "100 Pixel Modem Events 7   |+7|-042|005|x|10|AB|1|1.500000e+00|<ERROR>|100%|%s|"
                 "150 Pixel Modem Events Token not found");
    trace_expect(engine,
                 "select a.key || '=' || a.display_value from slice s join args a using "
                 "(arg_set_id) where s.name glob 'cell*' and a.key != 'raw_template' order by 1",
                 "packet_ts=1000000000030|pw_token_16.arg_0=-3|pw_token_16.arg_1=4294967295|"
                 "pw_token_16.arg_2=-90.25|pw_token_16.arg_3=255|token_id=16|token_id_hex=0x10");
    trace_expect(engine,
                 "select name, value from stats where value > 0 and name in "
                 "('pixel_modem_negative_timestamp', 'perfetty_packet_parts_invalid', "
                 "'perfetty_unread_packets') order by 1",
                 "perfetty_packet_parts_invalid 3|pixel_modem_negative_timestamp 1");
    engine_free(engine);
}

static void test_transactions(void **state)
{
    struct engine *engine = load(gen_write_winscope);
    (void)state;
    trace_expect(engine,
                 "select ts - " START ", vsync_id, extract_arg(arg_set_id, "
                 "'transactions[0].layer_changes[1].buffer_data.pixel_format'), "
                 "base64_proto_id is not null from surfaceflinger_transactions",
                 "10 24776 PIXEL_FORMAT_RGBA_8888 1");
    trace_expect(engine,
                 "select transaction_type, transaction_id, pid, uid, layer_id, display_id, "
                 "flags_id, extract_arg(arg_set_id, 'apply_token') from "
                 "__intrinsic_surfaceflinger_transaction",
                 "LAYER_CHANGED 900 42 10238 100 - 0 55|LAYER_CHANGED 900 42 10238 100 - 0 55|"
                 "DISPLAY_CHANGED 900 42 10238 - 1234 1 55|NOOP 901 43 0 - - - -|"
                 "LAYER_ADDED - - - 4 - - -|LAYER_DESTROYED - - - 5 - - -|"
                 "LAYER_DESTROYED - - - 6 - - -|DISPLAY_ADDED - - - - 5678 2 -|"
                 "DISPLAY_REMOVED - - - - 7 - -|LAYER_HANDLE_DESTROYED - - - 9 - - -");
    trace_expect(engine, "select flags_id, flag from __intrinsic_surfaceflinger_transaction_flag",
                 "0 ePositionChanged|0 eBufferCropChanged|0 eColorSpaceAgnosticChanged|"
                 "1 eLayerStackChanged|1 eDisplayProjectionChanged|1 eFlagsChanged|"
                 "2 eDisplaySizeChanged");
    engine_free(engine);
}

static void test_transitions(void **state)
{
    struct engine *engine = load(gen_write_winscope);
    (void)state;
    trace_expect(engine,
                 "select iif(ts > 0, ts - " START ", 0), transition_id, transition_type, "
                 "duration_ns, finish_time_ns - " START ", handler, status, flags, "
                 "start_transaction_id from window_manager_shell_transitions",
                 "150 7 1 250 350 2 played 4 11|0 8 - - - - aborted - -|0 9 - - - - merged - -");
    trace_expect(engine,
                 "select a.key || '=' || a.display_value from window_manager_shell_transitions t "
                 "join args a using (arg_set_id) where transition_id = 7 and key glob 't*' order "
                 "by 1",
                 "targets[0].layer_id=240|targets[0].mode=1|targets[1].layer_id=241|"
                 "targets[1].mode=2|type=1");
    trace_expect(engine,
                 "select transition_id, layer_id, window_id, mode from "
                 "__intrinsic_window_manager_shell_transition_participants",
                 "7 240 - 1|7 241 - 2");
    trace_expect(engine,
                 "select handler_id, handler_name from window_manager_shell_transition_handlers",
                 "2 RecentsTransitionHandler");
    trace_expect(engine, "select count() from __intrinsic_window_manager_shell_transition_protos",
                 "4");
    engine_free(engine);
}

static void test_protolog(void **state)
{
    struct engine *engine = load(gen_write_winscope);
    (void)state;
    trace_expect(engine,
                 "select ts - " START ", level, tag, message, stacktrace, location from protolog",
                 "30 WARN WindowManager MAIN: 5 of fffffffffffffff8, 0.500000 2.000000e+00 3.25, "
                 "true 100% %q at Task.start Task.java:12|"
                 "31 WARN WindowManager [LOST_STRING]: [MISSING_PARAM] of [MISSING_PARAM], "
                 "[MISSING_PARAM] [MISSING_PARAM] [MISSING_PARAM], [MISSING_PARAM] 100% %q - "
                 "Task.java:12|"
                 "32 UNKNOWN UNKNOWN [MISSING_VIEWER_CONFIG] (ID: 12) - -");
    trace_expect(engine,
                 "select name, value from stats where value > 0 and severity in ('error', "
                 "'data_loss') or name = 'perfetty_unread_packets' and value > 0 order by 1",
                 "perfetty_packet_parts_invalid 2|"
                 "perfetty_unread_packets 1|winscope_windowmanager_parse_errors 1");
    engine_free(engine);
}

static void test_input(void **state)
{
    struct engine *engine = load(gen_write_winscope);
    (void)state;
    trace_expect(engine,
                 "select event_id, ts - " START ", source, action, device_id, display_id, "
                 "extract_arg(arg_set_id, 'pointer[0].axis_value[0].value') from "
                 "__intrinsic_android_motion_events",
                 "330184796 39 4098 2 - -1 580.5");
    trace_expect(engine,
                 "select event_id, ts - " START ", source, action, key_code from "
                 "__intrinsic_android_key_events",
                 "759309047 40 - 1 24");
    trace_expect(engine,
                 "select event_id, vsync_id, window_id, extract_arg(arg_set_id, 'vsync_id') from "
                 "__intrinsic_android_input_event_dispatch",
                 "330184796 89110 212 89110");
    trace_expect(engine,
                 "select ts - " START ", extract_arg(arg_set_id, 'where') from "
                 "__intrinsic_inputmethod_clients union all select ts - " START ", 's' from "
                 "__intrinsic_inputmethod_service union all select ts - " START ", 'm' from "
                 "__intrinsic_inputmethod_manager_service",
                 "43 where|44 s|45 m");
    engine_free(engine);
}

static void test_views(void **state)
{
    struct engine *engine = load(gen_write_winscope);
    (void)state;
    trace_expect(engine,
                 "select ts - " START ", package_name, window_name from __intrinsic_viewcapture",
                 "50 com.example PhoneWindow");
    trace_expect(engine,
                 "select v.node_id, v.parent_id, v.is_visible, v.view_id, v.class_name, t.depth, "
                 "t.opacity, r.x, r.y, r.w, r.h from __intrinsic_viewcapture_view v join "
                 "__intrinsic_winscope_trace_rect t on t.id = v.trace_rect_id join "
                 "__intrinsic_winscope_rect r on r.id = t.rect_id",
                 "0 4294967295 1 id/button android.widget.Button 0 1 0 0 3 3|"
                 "1 0 1 id/button android.widget.Button 4 0.5 -2.5 -4.5 6 12|"
                 "2 1 0 id/button - 8 1 5.5 -4.5 6 12");
    trace_expect(engine,
                 "select a.key || '=' || a.display_value from __intrinsic_viewcapture_view v join "
                 "args a using (arg_set_id) where v.node_id = 2 and key glob 'class*' order by 1",
                 "class_name=STRING DE-INTERNING ERROR|class_name_iid=99");
    trace_expect(engine,
                 "select flat_key, iid, deinterned_value from "
                 "__intrinsic_viewcapture_interned_data limit 3",
                 "package_name_iid 1 com.example|window_name_iid 2 PhoneWindow|"
                 "view_id_iid 3 id/button");
    engine_free(engine);
}

static void test_windows(void **state)
{
    struct engine *engine = load(gen_write_winscope);
    (void)state;
    trace_expect(engine,
                 "select ts - " START ", focused_display_id, extract_arg(arg_set_id, 'where') "
                 "from __intrinsic_windowmanager",
                 "60 0 trace.enable");
    trace_expect(
        engine,
        "select container_type, title, token, parent_token, child_index, c.is_visible, "
        "name_override, r.w, r.h, t.opacity from __intrinsic_windowmanager_windowcontainer "
        "c left join __intrinsic_winscope_trace_rect t on t.id = c.window_rect_id left "
        "join __intrinsic_winscope_rect r on r.id = t.rect_id order by c.id",
        "RootWindowContainer WindowContainer 1 - - 1 - - - -|"
        "DisplayContent Built-in Screen 2 1 0 0 - 1080 2400 -|"
        "Task Task=12 3 2 0 1 12 - - -|"
        "Activity com.example/.Main 30 3 0 1 - - - -|"
        "WindowState Starting com.example 4 30 0 1 com.example 100 200 0.5");
    trace_expect(engine,
                 "select a.key || '=' || a.display_value from "
                 "__intrinsic_windowmanager_windowcontainer c join args a using (arg_set_id) where "
                 "container_type = 'Activity' order by 1",
                 "activity.name=com.example/.Main|activity.visible=true|"
                 "activity.window_token.hash_code=30");
    engine_free(engine);
}

static void test_layers(void **state)
{
    struct engine *engine = load(gen_write_winscope);
    (void)state;
    trace_expect(engine,
                 "select ts - " START ", sequence_id, extract_arg(arg_set_id, 'where'), "
                 "extract_arg(arg_set_id, 'displays[0].size.w') from "
                 "surfaceflinger_layers_snapshot",
                 "70 3 bufferLatched 1080");
    trace_expect(engine,
                 "select d.is_on, d.is_virtual, d.display_id, d.display_name, t.depth, r.w, r.h "
                 "from __intrinsic_surfaceflinger_display d join __intrinsic_winscope_trace_rect t "
                 "on t.id = d.trace_rect_id join __intrinsic_winscope_rect r on r.id = t.rect_id",
                 "1 0 461 Panel 0 1080 2400|0 1 462 - 1 800 600");
    trace_expect(engine,
                 "select layer_id, layer_name, parent, l.is_visible, is_hidden_by_policy, "
                 "z_order_relative_of, is_missing_z_parent, hwc_composition_type, "
                 "corner_radius_tl, t.depth, r.w from surfaceflinger_layer l left join "
                 "__intrinsic_winscope_trace_rect t on t.id = l.layer_rect_id left join "
                 "__intrinsic_winscope_rect r on r.id = t.rect_id order by l.id",
                 "1 Display 0 -1 0 0 - 0 - - 3 10800|2 - 1 0 0 - 0 2 - 4 100|"
                 "3 - 1 1 0 - 0 - 0 5 200|4 - 1 1 0 - 0 - 2 6 50|5 - 1 0 1 - 0 - - 1 300|"
                 "6 - 5 0 0 99 1 - - - -|7 - 5 0 0 - 0 - - 2 300|- - - 0 0 - 0 - - - -");
    trace_expect(engine,
                 "select layer_id, a.key, a.display_value from surfaceflinger_layer join args a "
                 "using (arg_set_id) where a.key glob 'visib*' or a.key glob '*cover*' or a.key "
                 "glob '*occlu*' order by layer_id, a.key",
                 "1 visibility_reason[0] buffer is empty|1 visibility_reason[1] alpha is 0|"
                 "1 visibility_reason[2] does not have color fill, shadow or blur|"
                 "2 covered_by[0] 4|2 occluded_by[0] 3|2 visibility_reason[0] buffer is empty|"
                 "2 visibility_reason[1] occluded|3 covered_by[0] 4|"
                 "5 visibility_reason[0] flag is hidden|5 visibility_reason[1] buffer is empty|"
                 "7 visibility_reason[0] hidden by parent 5|"
                 "7 visibility_reason[1] buffer is empty");
    trace_expect(engine,
                 "select l.layer_id, t.is_spy, t.is_visible, t.depth, r.x, r.y, r.w, r.h, f.x, "
                 "f.y, f.w, f.h from surfaceflinger_layer l join __intrinsic_winscope_trace_rect t "
                 "on t.id = l.input_rect_id join __intrinsic_winscope_rect r on r.id = t.rect_id "
                 "join __intrinsic_winscope_fill_region g on g.trace_rect_id = t.id join "
                 "__intrinsic_winscope_rect f on f.id = g.rect_id",
                 "4 1 1 1 -5 -6 40 30 -5 -6 20 10");
    engine_free(engine);
}

static void test_memory(void **state)
{
    struct engine *engine = load(gen_write_memory_snapshots);
    (void)state;
    trace_expect(engine,
                 "select timestamp - " START ", detail_level, t.type, extract_arg("
                 "t.source_arg_set_id, 'source') from memory_snapshot m join track t on "
                 "t.id = m.track_id",
                 "10 light legacy_chrome_global_instants chrome|"
                 "20 detailed legacy_chrome_global_instants chrome");
    trace_expect(engine,
                 "select p.pid, n.path, n.size, n.effective_size, q.path from "
                 "memory_snapshot_node n join process_memory_snapshot s on s.id = "
                 "n.process_snapshot_id join process p using (upid) left join "
                 "memory_snapshot_node q on q.id = n.parent_node_id order by p.pid, n.path",
                 "0 texture 40 0 -|100 gpu 40 40 -|100 gpu/texture 40 40 gpu|100 malloc 100 100 -|"
                 "100 malloc/<unspecified> 40 40 malloc|100 malloc/objects 60 60 malloc|"
                 "200 gpu 40 0 -|200 gpu/texture 40 0 gpu|200 malloc 100 100 -|"
                 "200 malloc/<unspecified> 40 40 malloc|200 malloc/objects 60 60 malloc");
    trace_expect(engine,
                 "select a.key || '=' || a.display_value from memory_snapshot_node n join args a "
                 "using (arg_set_id) where n.id < 3 order by 1",
                 "kind.value=c++|object_count.unit=objects|object_count.value=7");
    trace_expect(engine,
                 "select a.path, b.path, importance from memory_snapshot_edge e join "
                 "memory_snapshot_node a on a.id = e.source_node_id join memory_snapshot_node b "
                 "on b.id = e.target_node_id",
                 "gpu/texture texture 2|gpu/texture texture 1");
    trace_expect(engine, "select value from stats where name = 'memory_snapshot_parser_failure'",
                 "1");
    engine_free(engine);
}

/* A few bytes cut from every trace: it loads as far as it goes. */
static void test_cut(void **state)
{
    static void (*const writers[])(struct buffer * out) = {
        gen_write_phone_parts, gen_write_winscope, gen_write_memory_snapshots};
    (void)state;
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        struct buffer bytes = BUFFER_INIT;
        writers[i](&bytes);
        size_t whole = bytes.length;
        for (size_t cut = 1; cut < 12; cut++) {
            bytes.length = whole - cut * whole / 20;
            engine_free(trace_load(&bytes));
        }
        buffer_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_nothing), cmocka_unit_test(test_bluetooth),
        cmocka_unit_test(test_interrupts),   cmocka_unit_test(test_modem),
        cmocka_unit_test(test_transactions), cmocka_unit_test(test_transitions),
        cmocka_unit_test(test_protolog),     cmocka_unit_test(test_input),
        cmocka_unit_test(test_views),        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_layers),       cmocka_unit_test(test_memory),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
