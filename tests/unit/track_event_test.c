/* Track events from packets to rows: tracks, slices, counters, states, flows,
 * args, legacy phases, and what is dropped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/engine.h"
#include "tests/gen/descriptor.h"
#include "tests/gen/event.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

static char path[] = "/tmp/perfetty_track_event_XXXXXX";

struct trace {
    struct buffer bytes;
    struct gen_seq seq;
    struct engine *engine;
};

static void start(struct trace *t)
{
    *t = (struct trace){.bytes = BUFFER_INIT};
    gen_seq_start(&t->seq, &t->bytes, 1);
}

static void load(struct trace *t)
{
    struct status st = STATUS_INIT;
    const char *operand = path;
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(t->bytes.data, 1, t->bytes.length, f), t->bytes.length);
    fclose(f);
    t->engine = engine_new();
    if (!engine_load(t->engine, &operand, 1, NULL, &st)) fail_msg("%s", status_message(&st));
}

static void finish(struct trace *t)
{
    engine_free(t->engine);
    gen_seq_free(&t->seq);
    buffer_free(&t->bytes);
}

/* Cells joined by ' ' and rows by '|'. */
static void expect(struct trace *t, const char *sql, const char *want)
{
    struct status st = STATUS_INIT;
    struct result *result = engine_query_result(t->engine, str_of(sql), 100, &st);
    if (!result) fail_msg("%s: %s", sql, status_message(&st));
    struct buffer got = BUFFER_INIT;
    for (uint64_t row = 0; row < result->n_rows; row++)
        for (uint32_t c = 0; c < result->n_columns; c++) {
            const struct result_cell *cell = result_at(result, row, c);
            buffer_append_text(&got, c > 0 ? " " : row > 0 ? "|" : "");
            if (cell->type == CELL_INT) buffer_printf(&got, "%lld", (long long)cell->integer);
            if (cell->type == CELL_REAL) buffer_printf(&got, "%g", cell->real);
            if (cell->type == CELL_NULL) buffer_append_text(&got, "-");
            if (cell->type >= CELL_TEXT) buffer_append_str(&got, cell->text);
        }
    if (strcmp(buffer_text(&got), want) != 0)
        fail_msg("%s\nwant %s\ngot  %s", sql, want, buffer_text(&got));
    buffer_free(&got);
    result_free(result);
}

#define SLICES "select ts, dur, depth, name from slice order by ts, depth"
#define ARGS \
    "select a.key, a.flat_key, a.value_type, a.display_value from slice s join args a using " \
    "(arg_set_id) order by s.id, a.key"
#define TRACKS "select name, type from track order by id"

static void stat_is(struct trace *t, const char *name, int value)
{
    char sql[200], want[16];
    snprintf(sql, sizeof sql, "select value from stats where name = '%s'", name);
    snprintf(want, sizeof want, "%d", value);
    expect(t, sql, want);
}

static void test_thread_slices(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_seq_track(&t.seq, 5,
                  &(struct gen_track){.uuid = 7, .pid = 10, .tid = 11, .thread_name = "worker"});
    gen_event_open(&t.seq, 10, GEN_EVENT_BEGIN, 7);
    gen_event_name(&t.seq, "outer");
    gen_event_category(&t.seq, "one");
    gen_event_category_plain(&t.seq, "two");
    gen_event_close(&t.seq);
    gen_slice_begin(&t.seq, 12, 7, "inner");
    gen_slice_end(&t.seq, 15, 7);
    gen_instant(&t.seq, 16, 7, "blip");
    gen_slice_end(&t.seq, 20, 7);
    gen_slice_begin(&t.seq, 30, 7, "open");
    load(&t);
    expect(&t, SLICES, "10 10 0 outer|12 3 1 inner|16 0 1 blip|30 -1 0 open");
    expect(&t, "select category from slice where name = 'outer'", "one,two");
    expect(&t, TRACKS, "- thread_execution");
    expect(&t,
           "select th.tid, th.name, p.pid from thread th join process p using (upid) "
           "join thread_track t using (utid)",
           "11 worker 10");
    finish(&t);
}

/* Siblings of one name are one logical track; what overlaps gets another lane. */
static void test_merging(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1, .name = "parent"});
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 2, .parent = 1, .name = "jobs"});
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 3, .parent = 1, .name = "jobs"});
    gen_seq_track(
        &t.seq, 1,
        &(struct gen_track){.uuid = 4, .parent = 1, .name = "jobs", .merge = GEN_MERGE_NONE});
    gen_slice_begin(&t.seq, 10, 2, "a");
    gen_slice_end(&t.seq, 20, 2);
    gen_slice_begin(&t.seq, 30, 3, "b");
    gen_slice_begin(&t.seq, 31, 2, "c");
    gen_slice_end(&t.seq, 40, 3);
    gen_slice_end(&t.seq, 41, 2);
    gen_slice_begin(&t.seq, 50, 4, "alone");
    load(&t);
    expect(&t,
           "select s.name, t.name, t.type, s.dur from slice s join track t on t.id = s.track_id",
           "a jobs global_merged_track_event 10|b jobs global_merged_track_event 10|"
           "c jobs global_merged_track_event 10|alone jobs global_track_event -1");
    expect(&t, "select count(distinct track_id) from slice where name in ('a', 'b', 'c')", "2");
    expect(&t, "select distinct p.name from track t join track p on p.id = t.parent_id", "parent");
    finish(&t);
}

static void test_names_of_tracks(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1});
    gen_instant(&t.seq, 10, 1, "by event");
    gen_seq_track(&t.seq, 20, &(struct gen_track){.uuid = 2});
    gen_instant(&t.seq, 21, 2, "x");
    gen_seq_track(&t.seq, 30, &(struct gen_track){.uuid = 2, .name = "later"});
    gen_instant(&t.seq, 40, 99, "nobody");
    gen_instant(&t.seq, 41, 0, "default");
    load(&t);
    expect(&t, "select s.name, t.name from slice s join track t on t.id = s.track_id",
           "by event by event|x later|nobody nobody|default Default Track");
    finish(&t);
}

static void test_reused_tid(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1, .pid = 5, .tid = 6});
    gen_instant(&t.seq, 10, 1, "old");
    gen_seq_track(&t.seq, 20, &(struct gen_track){.uuid = 2, .pid = 5, .tid = 6});
    gen_instant(&t.seq, 30, 2, "new");
    load(&t);
    expect(&t, "select count(1) from thread where tid = 6", "2");
    expect(&t, "select count(distinct utid) from thread_track", "2");
    finish(&t);
}

static void test_bad_ancestors(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1, .parent = 2});
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 2, .parent = 1});
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 3, .parent = 77});
    for (uint64_t i = 0; i < 200; i++)
        gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1000 + i, .parent = 1001 + i});
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1200});
    gen_instant(&t.seq, 10, 1, "loop");
    gen_instant(&t.seq, 11, 3, "orphan");
    gen_instant(&t.seq, 12, 1000, "deep");
    gen_instant(&t.seq, 13, 1150, "fine");
    load(&t);
    expect(&t, SLICES, "13 0 0 fine");
    stat_is(&t, "track_event_track_hierarchy_loop", 1);
    stat_is(&t, "track_hierarchy_missing_uuid", 1);
    finish(&t);
}

static void test_counters(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1, .pid = 5, .tid = 6});
    gen_seq_track(&t.seq, 1,
                  &(struct gen_track){.uuid = 2,
                                      .name = "size",
                                      .is_counter = true,
                                      .unit = GEN_UNIT_BYTES,
                                      .unit_multiplier = 1024});
    gen_seq_track(
        &t.seq, 1,
        &(struct gen_track){.uuid = 3, .name = "sum", .is_counter = true, .is_incremental = true});
    gen_seq_track(
        &t.seq, 1,
        &(struct gen_track){.uuid = 4, .parent = 1, .is_counter = true, .builtin_counter = 1});
    gen_counter(&t.seq, 10, 2, 3);
    gen_counter(&t.seq, 11, 3, 5);
    gen_counter(&t.seq, 12, 3, -2);
    gen_counter_double(&t.seq, 13, 2, 0.5);
    gen_event_open(&t.seq, 20, GEN_EVENT_BEGIN, 1);
    gen_event_name(&t.seq, "work");
    gen_event_extra_counter(&t.seq, 4, 100);
    gen_event_close(&t.seq);
    gen_event_open(&t.seq, 30, GEN_EVENT_END, 1);
    gen_event_extra_counter(&t.seq, 4, 150);
    gen_event_close(&t.seq);
    gen_counter(&t.seq, 40, 99, 1); /* nobody's */
    load(&t);
    expect(&t,
           "select c.ts, c.value, t.name, t.unit from counter c join counter_track t on "
           "t.id = c.track_id order by c.ts",
           "10 3072 size bytes|11 5 sum -|12 3 sum -|13 512 size bytes|"
           "20 100 thread_time ns|30 150 thread_time ns");
    expect(&t, "select thread_ts, thread_dur from slice", "100 50");
    stat_is(&t, "track_event_counter_invalid_track_uuid", 1);
    finish(&t);
}

static void test_states(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1, .name = "mode", .is_state = true});
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 2, .name = "plain"});
    gen_state(&t.seq, 10, 1, "on");
    gen_state(&t.seq, 25, 1, "off");
    gen_state(&t.seq, 30, 2, "wrong");
    load(&t);
    expect(&t, "select ts, dur, value from __intrinsic_state", "10 15 on|25 -1 off");
    stat_is(&t, "track_event_parser_errors", 1);
    finish(&t);
}

static void test_flows(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1, .name = "x"});
    for (int64_t i = 0; i < 4; i++) {
        char name[2] = {(char)('a' + i), '\0'};
        gen_event_open(&t.seq, 10 + i * 10, GEN_EVENT_INSTANT, 1);
        gen_event_name(&t.seq, name);
        if (i == 2)
            gen_event_last_flow(&t.seq, 7);
        else
            gen_event_flow(&t.seq, 7);
        gen_event_close(&t.seq);
    }
    load(&t);
    expect(&t,
           "select a.name, b.name from flow f join slice a on a.id = f.slice_out "
           "join slice b on b.id = f.slice_in",
           "a b|b c");
    finish(&t);
}

static void test_annotations(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_event_open(&t.seq, 10, GEN_EVENT_INSTANT, 0);
    gen_event_name(&t.seq, "x");
    gen_event_bool(&t.seq, "bool", true);
    gen_event_uint(&t.seq, "uint", 7);
    gen_event_int(&t.seq, "int.dotted[1]", -7);
    gen_event_double(&t.seq, "real", 2.5);
    gen_event_text(&t.seq, "text", "hi");
    gen_event_text_interned(&t.seq, "interned", "ho");
    gen_event_pointer(&t.seq, "ptr", 255);
    gen_event_json(&t.seq, "json", "{\"a\": [1, {\"b\": \"c\"}], \"n\": null, \"f\": 1.5}");
    size_t dict = gen_event_annotation_open(&t.seq, "dict");
    size_t entry = gen_open(gen_event_body(&t.seq), 11);
    gen_text(gen_event_body(&t.seq), 10, "k");
    gen_int(gen_event_body(&t.seq), 4, 1);
    gen_close(gen_event_body(&t.seq), entry);
    gen_event_annotation_close(&t.seq, dict);
    size_t list = gen_event_annotation_open(&t.seq, "list");
    for (int i = 0; i < 2; i++) {
        size_t element = gen_open(gen_event_body(&t.seq), 12);
        gen_int(gen_event_body(&t.seq), 4, i + 5);
        gen_close(gen_event_body(&t.seq), element);
    }
    gen_event_annotation_close(&t.seq, list);
    gen_event_close(&t.seq);
    load(&t);
    expect(&t, ARGS,
           "debug.bool debug.bool bool true|debug.dict.k debug.dict.k int 1|"
           "debug.int_dotted_1_ debug.int_dotted_1_ int -7|debug.interned debug.interned string ho|"
           "debug.json.a[0] debug.json.a int 1|debug.json.a[1].b debug.json.a.b string c|"
           "debug.json.f debug.json.f real 1.5|debug.list[0] debug.list int 5|"
           "debug.list[1] debug.list int 6|debug.ptr debug.ptr pointer 0xff|"
           "debug.real debug.real real 2.5|debug.text debug.text string hi|"
           "debug.uint debug.uint uint 7");
    finish(&t);
}

/* Nested deeper than anything sensible: cut, not crashed. */
static void test_deep_annotation(void **state)
{
    struct trace t;
    size_t marks[500];
    (void)state;
    start(&t);
    gen_event_open(&t.seq, 10, GEN_EVENT_INSTANT, 0);
    struct buffer *body = gen_event_body(&t.seq);
    for (size_t i = 0; i < 500; i++) {
        marks[i] = gen_open(body, i ? 11 : 4);
        gen_text(body, 10, "d");
    }
    gen_int(body, 4, 1);
    for (size_t i = 500; i-- > 0;)
        gen_close(body, marks[i]);
    gen_event_close(&t.seq);
    load(&t);
    expect(&t, "select count(1) from slice", "1");
    finish(&t);
}

static void test_source_log_and_task(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1, .pid = 5, .tid = 6});
    gen_event_open(&t.seq, 10, GEN_EVENT_INSTANT, 1);
    gen_event_source(&t.seq, "dir\\a.cc", "Run", 42);
    gen_event_log(&t.seq, "hello", 5);
    gen_event_close(&t.seq);
    load(&t);
    expect(&t,
           "select key, display_value from slice join args using (arg_set_id) where key like "
           "'source.%' or key like '%message' order by key",
           "source.file_name dir/a.cc|source.function_name Run|source.line_number 42|"
           "track_event.log_message.message hello");
    expect(&t, "select ts, prio, msg from android_logs", "10 5 hello");
    finish(&t);
}

static void test_extensions(void **state)
{
    struct trace t;
    struct buffer file = BUFFER_INIT, set = BUFFER_INIT;
    (void)state;
    start(&t);
    gen_file_head(&file, "x.proto", "com.ex", NULL);
    gen_file_message(
        &file, "Info",
        (struct gen_field[]){
            {.name = "id", .number = 1, .type = GEN_TYPE_INT32},
            {.name = "tags", .number = 2, .type = GEN_TYPE_STRING, .is_repeated = true},
            {.name = "kind", .number = 3, .type = GEN_TYPE_ENUM, .type_name = ".com.ex.Kind"},
            {.name = "raw", .number = 4, .type = GEN_TYPE_BYTES},
            {.name = NULL}});
    gen_file_enum(&file, "Kind", (struct gen_enum_value[]){{"SMALL", 1}, {NULL, 0}});
    gen_file_extensions(&file, (struct gen_field[]){{.name = "info",
                                                     .number = 9000,
                                                     .type = GEN_TYPE_MESSAGE,
                                                     .type_name = ".com.ex.Info",
                                                     .extendee = ".perfetto.protos.TrackEvent"},
                                                    {.name = NULL}});
    gen_descriptor_set_add(&set, &file);
    gen_packet_extension_descriptor(&t.bytes, &set);
    gen_event_open(&t.seq, 10, GEN_EVENT_INSTANT, 0);
    size_t info = gen_open(gen_event_body(&t.seq), 9000);
    gen_int(gen_event_body(&t.seq), 1, -4);
    gen_text(gen_event_body(&t.seq), 2, "x");
    gen_text(gen_event_body(&t.seq), 2, "y");
    gen_uint(gen_event_body(&t.seq), 3, 1);
    gen_text(gen_event_body(&t.seq), 4, "raw!");
    gen_close(gen_event_body(&t.seq), info);
    gen_uint(gen_event_body(&t.seq), 9001, 1);
    gen_event_close(&t.seq);
    gen_event_open(&t.seq, 11, GEN_EVENT_INSTANT, 0);
    size_t empty = gen_open(gen_event_body(&t.seq), 9000);
    gen_close(gen_event_body(&t.seq), empty);
    gen_event_close(&t.seq);
    load(&t);
    expect(&t, ARGS,
           "info.id info.id int -4|info.kind info.kind string SMALL|info.raw info.raw string "
           "cmF3IQ==|info.tags[0] info.tags string x|info.tags[1] info.tags string y|"
           "info info null -");
    stat_is(&t, "unknown_extension_fields", 1);
    buffer_free(&file);
    buffer_free(&set);
    finish(&t);
}

static void legacy_event(struct trace *t, int64_t ts, const char *name, char phase,
                         uint32_t id_field, uint64_t id)
{
    gen_event_open(&t->seq, ts, GEN_EVENT_NONE, 0);
    gen_event_name(&t->seq, name);
    gen_event_category(&t->seq, "c");
    size_t legacy = gen_open(gen_event_body(&t->seq), 6);
    gen_int(gen_event_body(&t->seq), 2, phase);
    if (phase == 'X') gen_int(gen_event_body(&t->seq), 3, 2);
    if (id_field) gen_uint(gen_event_body(&t->seq), id_field, id);
    gen_close(gen_event_body(&t->seq), legacy);
    gen_event_close(&t->seq);
}

static void test_legacy(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    size_t packet = gen_seq_packet_open(&t.seq, 1);
    size_t thread = gen_open(&t.bytes, GEN_PACKET_THREAD_DESCRIPTOR);
    gen_int(&t.bytes, 1, 5);
    gen_int(&t.bytes, 2, 6);
    gen_text(&t.bytes, 5, "legacy");
    gen_close(&t.bytes, thread);
    gen_seq_packet_close(&t.seq, packet);
    legacy_event(&t, 1000, "complete", 'X', 0, 0);
    legacy_event(&t, 4000, "async", 'b', 11, 77);
    legacy_event(&t, 5000, "step", 'n', 11, 77);
    legacy_event(&t, 6000, "async", 'e', 11, 77);
    legacy_event(&t, 7000, "local", 'b', 10, 1);
    legacy_event(&t, 8000, "odd", 'N', 6, 3);
    load(&t);
    expect(&t, SLICES, "1000 2000 0 complete|4000 2000 0 async|5000 0 1 step|7000 -1 0 local");
    expect(&t, "select s.name, t.type, t.name from slice s join track t on t.id = s.track_id",
           "complete thread_execution -|async legacy_async_global_slice async|"
           "step legacy_async_global_slice async|local legacy_async_process_slice local");
    expect(&t, "select th.name, c.name from __intrinsic_chrome_raw c join thread th using (utid)",
           "legacy track_event.legacy_event");
    finish(&t);
}

/* An id names its lanes by its first event, whatever that event's scope. */
static void test_legacy_lanes(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    legacy_event(&t, 10, "first", 'S', 11, 5);
    legacy_event(&t, 20, "first", 'F', 11, 5);
    legacy_event(&t, 30, "other", 'b', 11, 4);
    legacy_event(&t, 40, "other", 'e', 11, 4);
    legacy_event(&t, 50, "other", 'b', 11, 5);
    legacy_event(&t, 60, "other", 'e', 11, 5);
    load(&t);
    expect(&t, "select s.ts, s.dur, t.name from slice s join track t on t.id = s.track_id",
           "10 10 first|30 10 other|50 10 other");
    expect(&t, "select count(distinct track_id) from slice", "3");
    finish(&t);
}

/* A step gives the lane free, the end does not; the phases that JSON needs again are
 * args. */
static void test_legacy_steps(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    legacy_event(&t, 10, "work", 'S', 11, 1);
    legacy_event(&t, 20, "work", 'F', 11, 1);
    legacy_event(&t, 30, "work", 'S', 11, 2);
    legacy_event(&t, 35, "work", 'T', 11, 2);
    legacy_event(&t, 40, "work", 'F', 11, 2);
    legacy_event(&t, 50, "work", 'S', 11, 3);
    legacy_event(&t, 60, "work", 'F', 11, 3);
    load(&t);
    expect(&t,
           "select ts, dur, track_id - (select min(track_id) from slice), "
           "extract_arg(arg_set_id, 'legacy_event.phase') from slice order by ts",
           "10 10 0 S|30 10 1 S|35 0 1 T|50 10 1 S");
    finish(&t);
}

static void test_translations(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_event_open(&t.seq, 10, GEN_EVENT_INSTANT, 0);
    gen_event_name(&t.seq, "a.b");
    size_t sample = gen_open(gen_event_body(&t.seq), 28);
    gen_uint(gen_event_body(&t.seq), 1, 99);
    gen_close(gen_event_body(&t.seq), sample);
    gen_event_close(&t.seq);
    size_t packet = gen_packet_open(&t.bytes, 20, 0);
    size_t table = gen_open(&t.bytes, 82), names = gen_open(&t.bytes, 4);
    size_t entry = gen_open(&t.bytes, 1);
    gen_text(&t.bytes, 1, "a.b");
    gen_text(&t.bytes, 2, "Activity.onBind");
    gen_close(&t.bytes, entry);
    gen_close(&t.bytes, names);
    size_t hashes = gen_open(&t.bytes, 1);
    entry = gen_open(&t.bytes, 1);
    gen_uint(&t.bytes, 1, 99);
    gen_text(&t.bytes, 2, "Startup.Time");
    gen_close(&t.bytes, entry);
    gen_close(&t.bytes, hashes);
    gen_close(&t.bytes, table);
    gen_packet_close(&t.bytes, packet);
    load(&t);
    expect(&t, "select name from slice", "Activity.onBind");
    expect(&t, ARGS,
           "chrome_histogram_sample.name chrome_histogram_sample.name string Startup.Time|"
           "chrome_histogram_sample.name_hash chrome_histogram_sample.name_hash uint 99");
    finish(&t);
}

static void test_callstacks(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    gen_seq_track(&t.seq, 1, &(struct gen_track){.uuid = 1, .pid = 5, .tid = 6});
    gen_event_open(&t.seq, 10, GEN_EVENT_BEGIN, 1);
    size_t stack = gen_open(gen_event_body(&t.seq), 55);
    static const char *const names[] = {"main", "leaf"};
    for (int i = 0; i < 2; i++) {
        size_t frame = gen_open(gen_event_body(&t.seq), 1);
        gen_text(gen_event_body(&t.seq), 1, names[i]);
        gen_close(gen_event_body(&t.seq), frame);
    }
    gen_close(gen_event_body(&t.seq), stack);
    gen_double(gen_event_body(&t.seq), 57, 2.5);
    gen_event_close(&t.seq);
    load(&t);
    expect(&t,
           "select f.name, c.depth, s.weight from __intrinsic_track_event_callstacks s join "
           "stack_profile_callsite c on c.id = s.callsite_id join stack_profile_frame f on "
           "f.id = c.frame_id",
           "leaf 1 2.5");
    finish(&t);
}

static void test_dropped(void **state)
{
    struct trace t;
    (void)state;
    start(&t);
    size_t packet = gen_packet_open(&t.bytes, 10, 0); /* no sequence */
    size_t event = gen_open(&t.bytes, GEN_PACKET_TRACK_EVENT);
    gen_uint(&t.bytes, 9, 3);
    gen_close(&t.bytes, event);
    gen_packet_close(&t.bytes, packet);
    gen_event_open(&t.seq, 20, GEN_EVENT_COUNTER, 0);
    gen_event_close(&t.seq);
    gen_event_open(&t.seq, 30, GEN_EVENT_INSTANT, 0); /* bytes that end nowhere */
    gen_event_name(&t.seq, "cut");
    buffer_append(gen_event_body(&t.seq), "\x22\x7f", 2);
    gen_event_close(&t.seq);
    load(&t);
    stat_is(&t, "track_event_missing_sequence_id", 1);
    stat_is(&t, "track_event_counter_missing_track_uuid", 1);
    expect(&t, SLICES, "30 0 0 cut");
    finish(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thread_slices),
        cmocka_unit_test(test_merging),
        cmocka_unit_test(test_names_of_tracks),
        cmocka_unit_test(test_reused_tid),
        cmocka_unit_test(test_bad_ancestors),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_flows),
        cmocka_unit_test(test_annotations),
        cmocka_unit_test(test_deep_annotation),
        cmocka_unit_test(test_source_log_and_task),
        cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_legacy),
        cmocka_unit_test(test_legacy_lanes),
        cmocka_unit_test(test_legacy_steps),
        cmocka_unit_test(test_translations),
        cmocka_unit_test(test_callstacks),
        cmocka_unit_test(test_dropped),
    };
    int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
