/* What `perfetty info` and the page of the viewer say: kinds with counts and times,
 * what was lost with what to do, in both forms; hostile texts are shown, never sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/info_json.h"
#include "commands/registry.h"
#include "commands/session.h"
#include "engine/base/utf8.h"
#include "engine/extensions/json.h"
#include "tests/gen/catalogue.h"

struct page {
    struct engine *engine;
    struct info *info;
    struct buffer text, json;
    json_t *root;
};

/* False when the engine refuses the trace. */
static bool open_page(struct page *page, size_t entry)
{
    struct buffer bytes = BUFFER_INIT, name = BUFFER_INIT, path = BUFFER_INIT;
    struct status st = STATUS_INIT;
    struct engine_options options = {.extensions = ENGINE_EXTENSIONS_LOAD};
    *page = (struct page){.engine = engine_new()};
    gen_catalogue_write(entry, &bytes);
    gen_catalogue_name(entry, &name);
    buffer_printf(&path, "%s/info_%d_%s", BINARY_DIR, (int)getpid(), buffer_text(&name));
    FILE *file = fopen(buffer_text(&path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(buffer_text(&bytes), 1, bytes.length, file), bytes.length);
    assert_int_equal(fclose(file), 0);
    const char *operand = buffer_text(&path);
    bool ok = engine_load(page->engine, &operand, 1, &options, &st);
    unlink(operand);
    if (ok) {
        page->info = info_new(page->engine, buffer_text(&name));
        info_append_text(page->info, &page->text);
        info_append_json(page->info, engine_tables(page->engine), &page->json);
        page->root = json_loadb(page->json.data, page->json.length, JSON_ALLOW_NUL, NULL);
        if (!page->root) fail_msg("%s: no JSON: %s", buffer_text(&name), buffer_text(&page->json));
    } else {
        engine_free(page->engine);
    }
    status_clear(&st);
    buffer_free(&bytes);
    buffer_free(&name);
    buffer_free(&path);
    return ok;
}

static void close_page(struct page *page)
{
    json_decref(page->root);
    info_free(page->info);
    engine_free(page->engine);
    buffer_free(&page->text);
    buffer_free(&page->json);
}

static void open_named(struct page *page, const char *name)
{
    size_t entry;
    assert_true(gen_catalogue_find(name, &entry));
    if (!open_page(page, entry)) fail_msg("%s: it does not load", name);
}

static bool has_line(const struct page *page, const char *part)
{
    return strstr(buffer_text(&page->text), part) != NULL;
}

static const json_t *find_item(const json_t *list, const char *key, const char *value)
{
    size_t i;
    const json_t *item;
    json_array_foreach(list, i, item)
    {
        const char *text = json_string_value(json_object_get(item, key));
        if (text && strcmp(text, value) == 0) return item;
    }
    return NULL;
}

static void test_kinds_have_counts_and_times(void **state)
{
    (void)state;
    struct page page;
    open_named(&page, "example.zip");
    const json_t *kinds = json_object_get(page.root, "kinds");
    const json_t *sched = find_item(kinds, "kind", "scheduling");
    assert_non_null(sched);
    assert_true(json_integer_value(json_object_get(sched, "rows")) > 5000);
    const json_t *frequency = find_item(kinds, "type", "cpu_frequency");
    assert_non_null(frequency);
    assert_string_equal(json_string_value(json_object_get(frequency, "kind")), "counters");
    assert_int_equal(json_integer_value(json_object_get(frequency, "tracks")), 8);
    int64_t start = json_integer_value(json_object_get(page.root, "start_ns"));
    int64_t end = json_integer_value(json_object_get(page.root, "end_ns"));
    assert_true(json_integer_value(json_object_get(frequency, "start_ns")) >= start);
    assert_true(json_integer_value(json_object_get(frequency, "end_ns")) <= end);
    assert_int_equal(json_integer_value(json_object_get(page.root, "duration_ns")), end - start);
    assert_true(json_is_integer(json_object_get(page.root, "start_unix_ns")));
    assert_true(has_line(&page, "CPU frequency on 8 tracks"));
    assert_true(has_line(&page, "CPU scheduling"));
    assert_true(has_line(&page, "of BOOTTIME\n  began 2025-10-09 "));
    assert_true(has_line(&page, "Nothing was lost."));
    close_page(&page);
}

static void test_processes_machines_files_clocks(void **state)
{
    (void)state;
    struct page page;
    open_named(&page, "example.zip");
    const json_t *shop =
        find_item(json_object_get(page.root, "processes"), "name", "com.example.shop");
    assert_non_null(shop);
    assert_int_equal(json_integer_value(json_object_get(shop, "pid")), 4213);
    assert_true(json_integer_value(json_object_get(shop, "threads")) > 1);
    assert_true(json_integer_value(json_object_get(shop, "cpu_ns")) > 0);
    assert_true(json_integer_value(json_object_get(shop, "slices")) > 0);
    const json_t *host = json_array_get(json_object_get(page.root, "machines"), 0);
    assert_string_equal(json_string_value(json_object_get(host, "system")), "Linux");
    assert_int_equal(json_integer_value(json_object_get(host, "cpus")), 8);
    const json_t *files = json_object_get(page.root, "files");
    assert_string_equal(json_string_value(json_object_get(json_array_get(files, 0), "name")),
                        "example.zip");
    assert_non_null(find_item(files, "trace_type", "simpleperf_proto"));
    assert_non_null(find_item(json_object_get(page.root, "clocks"), "name", "REALTIME"));
    assert_non_null(find_item(json_object_get(page.root, "metadata"), "name", "trace_uuid"));
    assert_true(json_is_object(json_object_get(page.root, "extensions")));
    assert_true(has_line(&page, "com.example.shop: "));
    assert_true(has_line(&page, "extensions/frames.sql  (of the extensions)"));
    assert_true(has_line(&page, "of com.example.bench"));
    assert_true(has_line(&page, "REALTIME           read 2 times"));
    close_page(&page);
}

/* A trace, and a loss that was planted in it; NULL: nothing is lost. */
static const struct {
    const char *trace, *type, *loss;
} planted[] = {
    {"counters.perfetto-trace", "proto", NULL},
    {"slices.perfetto-trace", "proto", "misplaced_end_event"},
    {"cut_packet.perfetto-trace", "proto", "perfetty_input_truncated"},
    {"bad_wire_type.perfetto-trace", "proto", "perfetty_input_corrupt"},
    {"packet_loss.perfetto-trace", "proto", "track_event_missing_sequence_id"},
    {"deep_stack.perfetto-trace", "proto", "slice_max_depth_exceeded"},
    {"simpleperf.simpleperf", "simpleperf_proto", "simpleperf_missing_file_mapping"},
    {"simpleperf_cut.simpleperf", "simpleperf_proto", "perfetty_input_truncated"},
    {"chrome.json", "json", NULL},
    {"shop.perf.data", "perf", "perfetty_perf_lost"},
    {"stacks_odd.collapsed.txt", "collapsed_stack", "perfetty_input_corrupt"},
    {"shop.hprof", "art_hprof", NULL},
    {"shop_odd.hprof", "art_hprof", "hprof_reference_errors"},
    {"shop_cut.hprof", "art_hprof", "perfetty_input_truncated"},
    {"demo_cut.fxt", "fuchsia", "perfetty_input_truncated"},
    {"stream_cut.art_method.trace", "art_method", "perfetty_input_truncated"},
    {"instruments_cut.xml", "instruments_xml", "perfetty_input_truncated"},
    {"text_cut.art_method.trace", "art_method", "perfetty_input_truncated"},
    {"cut.perf.data", "perf", "perfetty_input_truncated"},
    {"broken.perf_script", "perf_text", "perf_text_importer_sample_no_frames"},
    {"gecko_raw.json", "gecko", NULL},
    {"gecko_cut.json", "gecko", "perfetty_input_truncated"},
    {"cut.cpuprofile", "cpuprofile", "perfetty_input_truncated"},
    {"instruments_odd.xml", "instruments_xml", "instruments_row_missing_thread"},
    {"instruments_copy.txt", "instruments_copy", "perfetty_input_corrupt"},
    {"build_odd.ninja_log", "ninja_log", "ninja_parse_errors"},
    {"android_odd.logcat", "android_logcat", "android_log_num_failed"},
    {"android.dumpstate", "android_dumpstate", "android_log_num_failed"},
    {"calls_odd.strace", "strace", "strace_missing_pid"},
    {"demo_odd.fxt", "fuchsia", "fuchsia_timestamp_overflow"},
    {"dual.art_method_v2.trace", "art_method_v2", "perfetty_input_truncated"},
    {"kernel.systrace", "systrace", NULL},
    {"primes_cut.pb", "primes", "perfetty_input_truncated"},
    {"profile_cut.pprof", "pprof", "perfetty_input_truncated"},
    {"ustar.tar", "tar", "misplaced_end_event"},
    {"no_end.tar", "tar", "perfetty_input_truncated"},
    {"mixed.zip", "zip", "misplaced_end_event"},
    {"unknown_member.zip", "zip", "perfetty_member_skipped"},
    {"cut.zip", "zip", "perfetty_input_truncated"},
    {"cut.perfetto-trace.gz", "gzip", "perfetty_input_truncated"},
    {"damaged.perfetto-trace.gz", "gzip", "perfetty_input_corrupt"},
    {"rest.perfetto-trace.gz", "gzip", "perfetty_input_corrupt"},
};

static void test_planted_losses_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        struct page page;
        struct buffer line = BUFFER_INIT;
        open_named(&page, planted[i].trace);
        const json_t *file = json_array_get(json_object_get(page.root, "files"), 0);
        const json_t *losses = json_object_get(page.root, "losses");
        assert_string_equal(json_string_value(json_object_get(file, "trace_type")),
                            planted[i].type);
        if (!planted[i].loss && json_array_size(losses) > 0)
            fail_msg("%s: %s", planted[i].trace, buffer_text(&page.json));
        if (planted[i].loss) {
            const json_t *loss = find_item(losses, "name", planted[i].loss);
            if (!loss) fail_msg("%s: no %s", planted[i].trace, planted[i].loss);
            assert_true(json_integer_value(json_object_get(loss, "value")) > 0);
            if (strcmp(planted[i].loss, "perfetty_input_truncated") == 0) /* one cut counts once */
                assert_int_equal(json_integer_value(json_object_get(loss, "value")), 1);
            assert_true(json_string_length(json_object_get(loss, "advice")) > 10);
            buffer_printf(&line, "\n  %s: ", planted[i].loss);
            if (!has_line(&page, buffer_text(&line)))
                buffer_clear(&line), buffer_printf(&line, "\n  %s[", planted[i].loss);
            assert_true(has_line(&page, buffer_text(&line)));
            assert_true(has_line(&page, "What to do: "));
        }
        buffer_free(&line);
        close_page(&page);
    }
}

static bool is_loss(const char *severity)
{
    return strcmp(severity, "error") == 0 || strcmp(severity, "data_loss") == 0;
}

/* Whatever the stats say is in both forms, and no byte can move a terminal. */
static void test_every_generated_trace(void **state)
{
    (void)state;
    struct buffer name = BUFFER_INIT, line = BUFFER_INIT;
    for (size_t i = 0; i < gen_catalogue_count(); i++) {
        struct page page;
        buffer_clear(&name);
        gen_catalogue_name(i, &name);
        if (str_starts(buffer_str(&name), STR("sidecar_")) ||
            str_is(buffer_str(&name), "bomb.zip") || !open_page(&page, i))
            continue;
        const struct tables *t = engine_tables(page.engine);
        for (uint32_t row = 0; row < table_rows(&t->stats.table); row++) {
            const char *stat = strpool_text(t->strings, column_get_string(&t->stats.name, row));
            if (column_get_int64(&t->stats.value, row) <= 0 ||
                !is_loss(strpool_text(t->strings, column_get_string(&t->stats.severity, row))))
                continue;
            if (!find_item(json_object_get(page.root, "losses"), "name", stat))
                fail_msg("%s: no %s", buffer_text(&name), stat);
            buffer_clear(&line);
            buffer_printf(&line, "\n  %s", stat);
            assert_true(has_line(&page, buffer_text(&line)));
        }
        for (size_t at = 0; at < page.text.length; at++) {
            unsigned char byte = (unsigned char)page.text.data[at];
            assert_true(byte == '\n' || (byte >= ' ' && byte != 0x7f));
        }
        assert_true(utf8_is_valid(buffer_str(&page.text), NULL));
        close_page(&page);
    }
    buffer_free(&name);
    buffer_free(&line);
}

static void test_every_loss_has_advice(void **state)
{
    (void)state;
    static const struct {
        const char *name, *severity;
    } stats[] = {
#define STAT(key, name, kind, severity, source, scope) {#name, #severity},
#include "engine/import/stats.def"
#undef STAT
    };
    const char *fallback = info_advice_for(STR("no_such_stat"), STR("error"), STR("analysis"));
    for (size_t i = 0; i < sizeof stats / sizeof *stats; i++) {
        if (strcmp(stats[i].severity, "INFO") == 0) continue;
        const char *advice = info_advice_for(str_of(stats[i].name), STR("error"), STR("analysis"));
        if (strcmp(advice, fallback) == 0) print_message("no advice: %s\n", stats[i].name);
        assert_true(strcmp(advice, fallback) != 0);
    }
}

static void test_the_viewer_has_the_page(void **state)
{
    (void)state;
    struct page page;
    open_named(&page, "cut_packet.perfetto-trace");
    struct session *session = session_new(NULL);
    struct status st = STATUS_INIT;
    assert_int_not_equal(
        registry_run(session, "dev.perfetty.ShowTraceInfo", NULL, 0, &COMMAND_CONTEXT_PERSON, &st),
        COMMAND_DONE);
    status_clear(&st);
    session_add_trace(session, page.engine, NULL, "cut_packet.perfetto-trace");
    assert_int_equal(
        registry_run(session, "dev.perfetty.ShowTraceInfo", NULL, 0, &COMMAND_CONTEXT_PERSON, &st),
        COMMAND_DONE);
    assert_string_equal(session_tab_shown(session)->title, "Trace info");
    assert_string_equal(session_tab_shown(session)->text, buffer_text(&page.text));
    assert_int_equal(session->pane, PANE_DETAILS);
    session_free(session);
    close_page(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_have_counts_and_times),
        cmocka_unit_test(test_processes_machines_files_clocks),
        cmocka_unit_test(test_planted_losses_are_told),
        cmocka_unit_test(test_every_generated_trace),
        cmocka_unit_test(test_every_loss_has_advice),
        cmocka_unit_test(test_the_viewer_has_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
