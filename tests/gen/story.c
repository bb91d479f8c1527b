#include "tests/gen/story.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/gen/archive.h"
#include "tests/gen/chrome.h"
#include "tests/gen/event.h"
#include "tests/gen/packet.h"
#include "tests/gen/random.h"

#define START_NS INT64_C(3000000000000)

enum { PROCESS_UUID = 0x51, THREAD_UUID, SLICE_UUID, FIRST_COUNTER_UUID = 0x60 };

static void set(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void set(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, size, format, args);
    va_end(args);
}

#define SET(field, ...) set((field), sizeof(field), __VA_ARGS__)

/* Two or three syllables that are no word, and a number. */
static const char *word(struct gen_random *random, char out[32])
{
    static const char *const SYLLABLES[] = {"ba",  "ke",  "lo",  "mi",  "nu",  "pra", "qui", "ro",
                                            "sta", "tev", "vor", "wex", "yal", "zin", "dru", "fe"};
    size_t used = 0;
    for (int i = 0; i < 3; i++)
        used += (size_t)snprintf(out + used, 32 - used, "%s",
                                 SYLLABLES[gen_random_between(random, 0, 15)]);
    snprintf(out + used, 32 - used, "%d", (int)gen_random_between(random, 10, 99));
    return out;
}

static void invent(struct gen_story *s, struct gen_random *random, const char *colliding_id)
{
    char a[32], b[32];
    const char *last_dot = colliding_id ? strrchr(colliding_id, '.') : NULL;
    if (last_dot)
        SET(s->namespace, "%.*s", (int)(last_dot - colliding_id), colliding_id);
    else
        SET(s->namespace, "org.%s.%s", word(random, a), word(random, b));
    SET(s->process, "%s.%s", word(random, a), word(random, b));
    SET(s->thread, "%s", word(random, a));
    s->pid = (int32_t)gen_random_between(random, 3000, 9000);
    s->tid = s->pid + (int32_t)gen_random_between(random, 1, 90);
    for (int i = 0; i < GEN_STORY_PINS; i++)
        SET(s->pinned[i], "%s level %s", word(random, a), word(random, b));
    SET(s->unpinned, "%s level %s", word(random, a), word(random, b));
    SET(s->slice_track, "Stage %s", word(random, a));
    SET(s->smuggled[0], "%s first", word(random, a));
    SET(s->smuggled[1], "%s second", word(random, a));
    SET(s->colliding_pin, "%s shared", word(random, a));
    SET(s->module, "%s.%s", s->namespace, word(random, a));
    SET(s->tab_title, "Totals %s", word(random, a));
    SET(s->focus_macro, "%s.Focus%s", s->namespace, word(random, a));
    SET(s->smuggling_macro, "%s.Tidy%s", s->namespace, word(random, a));
    SET(s->reaching_macro, "%s.Share%s", s->namespace, word(random, a));
    SET(s->forbidden_command, "dev.perfetto.OpenTrace");
    if (colliding_id)
        SET(s->colliding_macro, "%s", colliding_id);
    else
        SET(s->colliding_macro, "%s.Shared", s->namespace);
}

static const char *counter_name(const struct gen_story *s, int i)
{
    const char *const names[] = {s->pinned[0],   s->pinned[1],   s->pinned[2],    s->unpinned,
                                 s->smuggled[0], s->smuggled[1], s->colliding_pin};
    return i < (int)(sizeof names / sizeof names[0]) ? names[i] : NULL;
}

/* Slices with invented names; their sums are the rows of the tab. */
static void put_trace(struct buffer *out, struct gen_random *random, struct gen_story *s)
{
    struct gen_seq seq;
    char names[GEN_STORY_ROWS][40], a[32];
    int64_t now = START_NS;
    gen_packet_device_clocks(out, START_NS);
    gen_seq_start(&seq, out, 9);
    gen_seq_track(
        &seq, now,
        &(struct gen_track){.uuid = PROCESS_UUID, .pid = s->pid, .process_name = s->process});
    gen_seq_track(&seq, now,
                  &(struct gen_track){.uuid = THREAD_UUID,
                                      .parent = PROCESS_UUID,
                                      .pid = s->pid,
                                      .tid = s->tid,
                                      .thread_name = s->thread});
    gen_seq_track(
        &seq, now,
        &(struct gen_track){.uuid = SLICE_UUID, .parent = PROCESS_UUID, .name = s->slice_track});
    for (int i = 0; counter_name(s, i); i++)
        gen_seq_track(&seq, now,
                      &(struct gen_track){.uuid = FIRST_COUNTER_UUID + (uint64_t)i,
                                          .parent = PROCESS_UUID,
                                          .name = counter_name(s, i),
                                          .is_counter = true});
    for (int row = 0; row < GEN_STORY_ROWS; row++) {
        int64_t count = gen_random_between(random, 2, 9), total = 0;
        word(random, a);
        snprintf(names[row], sizeof names[row], "%c_%s", 'a' + row, a);
        for (int64_t i = 0; i < count; i++) {
            int64_t dur = gen_random_between(random, 10000, 9000000);
            gen_slice_begin(&seq, now, i % 2 ? SLICE_UUID : THREAD_UUID, names[row]);
            gen_slice_end(&seq, now + dur, i % 2 ? SLICE_UUID : THREAD_UUID);
            for (int c = 0; counter_name(s, c); c++)
                gen_counter(&seq, now, FIRST_COUNTER_UUID + (uint64_t)c,
                            gen_random_between(random, 0, 100));
            total += dur;
            now += dur + gen_random_between(random, 1000, 900000);
        }
        SET(s->tab_rows[row], "%s|%" PRId64 "|%" PRId64, names[row], count, total);
    }
    gen_seq_free(&seq);
}

static void put_string(struct buffer *out, const char *key, const char *value)
{
    buffer_printf(out, "\"%s\":", key);
    gen_json_string(out, str_of(value));
}

static void put_command(struct buffer *out, const char *kind, const char *id, const char *first,
                        const char *second)
{
    buffer_printf(out, "{%s", kind);
    put_string(out, "id", id);
    buffer_append_text(out, ",\"args\":[");
    if (first) gen_json_string(out, str_of(first));
    if (second) buffer_append_byte(out, ',');
    if (second) gen_json_string(out, str_of(second));
    buffer_append_text(out, "]}");
}

static void put_pin(struct buffer *out, const char *track)
{
    char pattern[2 * GEN_STORY_TEXT];
    SET(pattern, "^%s$", track);
    put_command(out, "", "dev.perfetto.PinTracksByRegex", pattern, NULL);
}

static void open_macro(struct buffer *out, const char *id, const char *name)
{
    buffer_append_text(out, "{\"type\":\"inline\",");
    put_string(out, "id", id);
    buffer_append_byte(out, ',');
    put_string(out, "name", name);
    buffer_append_text(out, ",\"run\":[");
}

static void put_macros(struct buffer *out, const struct gen_story *s)
{
    open_macro(out, s->focus_macro, "Focus");
    for (int i = 0; i < GEN_STORY_PINS; i++) {
        put_pin(out, s->pinned[i]);
        buffer_append_byte(out, ',');
    }
    put_command(out, "", "dev.perfetto.ExpandTracksByRegex", s->process, NULL);
    buffer_append_text(out, "]},");
    open_macro(out, s->smuggling_macro, "Tidy up");
    put_pin(out, s->smuggled[0]);
    buffer_append_byte(out, ',');
    put_command(out, "", s->forbidden_command, NULL, NULL);
    buffer_append_byte(out, ',');
    put_pin(out, s->smuggled[1]);
    buffer_append_text(out, "]},");
    open_macro(out, s->reaching_macro, "Share");
    put_command(out, "", "dev.perfetto.CopyTimeWindow", NULL, NULL);
    buffer_append_text(out, "]},");
    open_macro(out, s->colliding_macro, "Shared");
    put_pin(out, s->colliding_pin);
    buffer_append_text(out, "]}");
}

static void put_startup(struct buffer *out, const struct gen_story *s)
{
    static const char KIND[] = "\"type\":\"inline\",";
    char include[2 * GEN_STORY_TEXT];
    SET(include, "INCLUDE PERFETTO MODULE %s", s->module);
    put_command(out, KIND, s->focus_macro, NULL, NULL);
    buffer_append_byte(out, ',');
    put_command(out, KIND, s->smuggling_macro, NULL, NULL);
    buffer_append_byte(out, ',');
    put_command(out, KIND, s->forbidden_command, NULL, NULL);
    buffer_append_byte(out, ',');
    put_command(out, KIND, "dev.perfetto.RunQuery", include, NULL);
    buffer_append_byte(out, ',');
    put_command(out, KIND, "dev.perfetto.RunQueryAndShowTab", s->tab_query, s->tab_title);
}

static void put_sidecar(struct buffer *out, struct gen_story *s, const char *view)
{
    struct buffer sql = BUFFER_INIT;
    buffer_printf(&sql,
                  "CREATE PERFETTO VIEW %s(name STRING, n LONG, total LONG) AS\n"
                  "SELECT name, count(*) AS n, sum(dur) AS total FROM slice\n"
                  "WHERE name GLOB '[a-e]_*' GROUP BY name;\n",
                  view);
    buffer_append_text(out, "{\"perfetto_metadata\":{\"version\":1,\"extensions\":{"
                            "\"type\":\"inline\",");
    put_string(out, "namespace", s->namespace);
    buffer_append_text(out, ",\"sql_modules\":[{\"type\":\"inline\",");
    put_string(out, "name", s->module);
    buffer_append_byte(out, ',');
    put_string(out, "sql", buffer_text(&sql));
    buffer_append_text(out, "}],\"macros\":[");
    put_macros(out, s);
    buffer_append_text(out, "],\"startup_commands\":[");
    put_startup(out, s);
    buffer_append_text(out, "]}}}");
    buffer_free(&sql);
}

void gen_story_archive(struct buffer *out, uint64_t seed, const char *colliding_id,
                       struct gen_story *story)
{
    struct gen_random random = {seed};
    struct buffer trace = BUFFER_INIT, sidecar = BUFFER_INIT;
    struct gen_zip zip;
    char a[32], view[48];
    memset(story, 0, sizeof *story);
    invent(story, &random, colliding_id);
    SET(view, "view_%s", word(&random, a));
    SET(story->tab_query, "SELECT name, n, total FROM %s ORDER BY name", view);
    put_trace(&trace, &random, story);
    put_sidecar(&sidecar, story, view);
    gen_zip_start(&zip, out);
    gen_zip_add(&zip, STR("perfetto_metadata.json"), buffer_str(&sidecar), GEN_ZIP_DEFLATED);
    gen_zip_add(&zip, STR("trace.perfetto-trace"), buffer_str(&trace), GEN_ZIP_DEFLATED);
    gen_zip_finish(&zip);
    buffer_free(&trace);
    buffer_free(&sidecar);
}

void tracegen_story(struct buffer *out, uint64_t seed, struct gen_story *story)
{
    gen_story_archive(out, seed, NULL, story);
}
