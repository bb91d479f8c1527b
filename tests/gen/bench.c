#include "tests/gen/bench.h"

#include "tests/gen/chrome.h"
#include "tests/gen/descriptor.h"
#include "tests/gen/wire.h"

void bench_descriptor(struct buffer *out)
{
    static const struct gen_field TIMING[] = {
        {"budget_ms", 1, GEN_TYPE_DOUBLE, false, NULL, NULL},
        {"vsync_id", 2, GEN_TYPE_INT64, false, NULL, NULL},
        {0},
    };
    static const struct gen_enum_value PHASES[] = {
        {"PHASE_UNKNOWN", 0}, {"PHASE_STARTUP", 1}, {"PHASE_STEADY", 2}, {0}};
    static const struct gen_field INFO[] = {
        {"label", 1, GEN_TYPE_STRING, false, NULL, NULL},
        {"iteration", 2, GEN_TYPE_INT64, false, NULL, NULL},
        {"tags", 3, GEN_TYPE_STRING, true, NULL, NULL},
        {"timing", 4, GEN_TYPE_MESSAGE, false, ".com.example.bench.FrameTiming", NULL},
        {"phase", 5, GEN_TYPE_ENUM, false, ".com.example.bench.Phase", NULL},
        {0},
    };
    static const struct gen_field EXTENSIONS[] = {
        {"bench_info", BENCH_EXTENSION, GEN_TYPE_MESSAGE, false, ".com.example.bench.BenchInfo",
         ".perfetto.protos.TrackEvent"},
        {0},
    };
    struct buffer file = BUFFER_INIT;
    gen_file_head(&file, "com/example/bench/bench_info.proto", BENCH_NAMESPACE,
                  "protos/perfetto/trace/track_event/track_event.proto");
    gen_file_message(&file, "FrameTiming", TIMING);
    gen_file_message(&file, "BenchInfo", INFO);
    gen_file_extension_scope(&file, "BenchExtension", EXTENSIONS);
    gen_file_enum(&file, "Phase", PHASES);
    gen_descriptor_set_add(out, &file);
    buffer_free(&file);
}

void bench_put_info(struct buffer *event, const struct bench_info *info)
{
    size_t mark = gen_open(event, BENCH_EXTENSION);
    gen_text(event, 1, info->label);
    gen_int(event, 2, info->iteration);
    for (const char *const *tag = info->tags; tag && *tag; tag++)
        gen_text(event, 3, *tag);
    size_t timing = gen_open(event, 4);
    gen_double(event, 1, info->budget_ms);
    gen_int(event, 2, info->vsync_id);
    gen_close(event, timing);
    gen_uint(event, 5, info->phase);
    gen_close(event, mark);
}

const char *bench_frames_sql(void)
{
    return "-- One row per frame that the app under test produced.\n"
           "CREATE PERFETTO VIEW bench_frame_metrics(\n"
           "  slice_id LONG,\n"
           "  ts TIMESTAMP,\n"
           "  dur DURATION,\n"
           "  frame LONG,\n"
           "  label STRING,\n"
           "  dur_ms DOUBLE,\n"
           "  budget_ms DOUBLE,\n"
           "  is_jank BOOL,\n"
           "  tags STRING,\n"
           "  thread_name STRING\n"
           ") AS\n"
           "SELECT\n"
           "  slice.id AS slice_id,\n"
           "  slice.ts,\n"
           "  slice.dur,\n"
           "  extract_arg(slice.arg_set_id, 'bench_info.iteration') AS frame,\n"
           "  extract_arg(slice.arg_set_id, 'bench_info.label') AS label,\n"
           "  slice.dur / 1e6 AS dur_ms,\n"
           "  extract_arg(slice.arg_set_id, 'bench_info.timing.budget_ms') AS budget_ms,\n"
           "  slice.dur / 1e6 > extract_arg(slice.arg_set_id, 'bench_info.timing.budget_ms')\n"
           "    AS is_jank,\n"
           "  (\n"
           "    SELECT group_concat(args.string_value, ' ')\n"
           "    FROM args\n"
           "    WHERE args.arg_set_id = slice.arg_set_id\n"
           "      AND args.flat_key = 'bench_info.tags'\n"
           "  ) AS tags,\n"
           "  thread.name AS thread_name\n"
           "FROM slice\n"
           "JOIN thread_track ON thread_track.id = slice.track_id\n"
           "JOIN thread USING (utid)\n"
           "WHERE slice.category = 'bench' AND slice.name = 'ShopFrame';\n";
}

static const char SUMMARY_SQL[] =
    "INCLUDE PERFETTO MODULE com.example.bench.frames;\n"
    "CREATE PERFETTO MACRO bench_ms(ns Expr) RETURNS Expr AS round($ns / 1e6, 2);\n"
    "CREATE PERFETTO FUNCTION bench_jank_count(label STRING) RETURNS LONG AS\n"
    "SELECT count(*) FROM bench_frame_metrics WHERE label = $label AND is_jank;\n"
    "CREATE PERFETTO TABLE bench_summary AS\n"
    "SELECT\n"
    "  label,\n"
    "  count(*) AS frames,\n"
    "  bench_jank_count(label) AS janky,\n"
    "  bench_ms!(sum(dur)) AS total_ms,\n"
    "  bench_ms!(max(dur)) AS worst_ms\n"
    "FROM bench_frame_metrics\n"
    "GROUP BY label\n"
    "ORDER BY min(ts);\n";

const char *bench_macros_json(void)
{
    return "[\n"
           "  {\n"
           "    \"id\": \"com.example.bench.SlowFrames\",\n"
           "    \"name\": \"Show slow frames\",\n"
           "    \"run\": [\n"
           "      {\"id\": \"dev.perfetto.RunQuery\", \"args\": [\n"
           "        \"INCLUDE PERFETTO MODULE com.example.bench.frames\"]},\n"
           "      {\"id\": \"dev.perfetto.RunQueryAndShowTab\", \"args\": [\n"
           "        \"SELECT frame, label, dur_ms, tags FROM bench_frame_metrics WHERE is_jank "
           "ORDER BY dur DESC\",\n"
           "        \"Slow frames\"]},\n"
           "      {\"id\": \"dev.perfetto.AddDebugSliceTrack\", \"args\": [\n"
           "        \"SELECT ts, dur, label || ' ' || frame AS name FROM bench_frame_metrics "
           "WHERE is_jank\",\n"
           "        \"Slow frames\"]}\n"
           "    ]\n"
           "  },\n"
           "  {\n"
           "    \"id\": \"com.example.bench.Summary\",\n"
           "    \"name\": \"Summarise the run\",\n"
           "    \"run\": [\n"
           "      {\"id\": \"dev.perfetto.RunQuery\", \"args\": [\n"
           "        \"INCLUDE PERFETTO MODULE com.example.bench.summary\"]},\n"
           "      {\"id\": \"dev.perfetto.RunQueryAndShowTab\", \"args\": [\n"
           "        \"SELECT * FROM bench_summary\", \"Run summary\"]},\n"
           "      {\"id\": \"dev.perfetto.PinTracksByRegex\", \"args\": [\"^Heap size\"]}\n"
           "    ]\n"
           "  }\n"
           "]\n";
}

void bench_sidecar(struct buffer *out, bool with_forbidden)
{
    buffer_append_text(out,
                       "{\"perfetto_metadata\": {\n"
                       "  \"version\": 1,\n"
                       "  \"extensions\": {\n"
                       "    \"type\": \"inline\",\n"
                       "    \"namespace\": \"" BENCH_NAMESPACE "\",\n"
                       "    \"proto_descriptors\": [\n"
                       "      {\"type\": \"file\", \"path\": \"" BENCH_PROTO_PATH "\"}\n"
                       "    ],\n"
                       "    \"sql_modules\": [\n"
                       "      {\"type\": \"file\", \"name\": \"" BENCH_FRAMES_MODULE
                       "\", \"path\": \"" BENCH_FRAMES_PATH "\"},\n"
                       "      {\"type\": \"inline\", \"name\": \"" BENCH_NAMESPACE ".summary\",\n"
                       "       \"sql\": ");
    gen_json_string(out, str_of(SUMMARY_SQL));
    buffer_append_text(
        out, "}\n"
             "    ],\n"
             "    \"macros\": [\n"
             "      {\"type\": \"inline\", \"id\": \"" BENCH_FOCUS_MACRO "\",\n"
             "       \"name\": \"Focus on the app's frames\", \"run\": [\n"
             "        {\"id\": \"dev.perfetto.PinTracksByRegex\", \"args\": "
             "[\"^(main|RenderThread) 42\\\\d\\\\d$\"]},\n"
             "        {\"id\": \"dev.perfetto.PinTracksByRegex\", \"args\": "
             "[\"^Frame time ms\"]},\n"
             "        {\"id\": \"dev.perfetto.ExpandTracksByRegex\", \"args\": "
             "[\"^com\\\\.example\\\\.shop\"]}\n"
             "      ]},\n"
             "      {\"type\": \"file\", \"path\": \"" BENCH_MACROS_PATH "\"}\n"
             "    ],\n"
             "    \"startup_commands\": [\n"
             "      {\"type\": \"inline\", \"id\": \"" BENCH_FOCUS_MACRO "\", \"args\": []},\n"
             "      {\"type\": \"inline\", \"id\": \"dev.perfetto.RunQuery\", \"args\": "
             "[\"INCLUDE PERFETTO MODULE " BENCH_FRAMES_MODULE "\"]},\n"
             "      {\"type\": \"inline\", \"id\": \"dev.perfetto.RunQueryAndShowTab\",\n"
             "       \"args\": [\"SELECT frame, label, round(dur_ms, 2) AS ms, is_jank, tags "
             "FROM bench_frame_metrics ORDER BY ts\", \"Frame metrics\"]}");
    if (with_forbidden)
        buffer_append_text(out, ",\n      {\"type\": \"inline\", \"id\": "
                                "\"dev.perfetto.OpenTrace\", \"args\": []}");
    buffer_append_text(out, "\n    ]\n  }\n}}\n");
}
