#include "tests/gen/hostile.h"

#include "engine/base/utf8.h"
#include "tests/gen/archive.h"
#include "tests/gen/chrome.h"
#include "tests/gen/event.h"
#include "tests/gen/features.h"
#include "tests/gen/ftrace.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

#define START GEN_FEATURES_START

enum { C0_TEXTS = 33, C1_TEXTS = 64, LONG_BYTES = 70000, TALL_MARKS = 400 };

/* Each stands between two letters, so that its place in a row can be seen. */
static const uint32_t CHARACTERS[] = {
    0x00ad, 0x034f, 0x061c, 0x115f,  0x180e,  0x200b,  0x200c,   0x200d, 0x200e,
    0x200f, 0x2028, 0x2029, 0x202a,  0x202b,  0x202c,  0x202d,   0x202e, 0x2060,
    0x2064, 0x2066, 0x2067, 0x2068,  0x2069,  0x206f,  0xfeff,   0xfff9, 0xfffb,
    0xfffe, 0xffff, 0xfdd0, 0x1fffe, 0xe0001, 0xe0041, 0x10ffff, 0xe000, 0x3164};

#define STR_TEXT(literal) \
    { \
        literal, sizeof(literal) - 1 \
    }

static const struct str TEXTS[] = {
    STR_TEXT("title\033]0;owned\007end"),
    STR_TEXT("clear\033[2J\033[Hend"),
    STR_TEXT("colour\033[31mred"),
    STR_TEXT("clipboard\033]52;c;cm0gLXJm\007"),
    STR_TEXT("device\033P1$r0m\033\\end"),
    STR_TEXT("csi \x9b"
             "31m raw"),
    STR_TEXT("osc \xc2\x9d"
             "0;owned\xc2\x9c encoded"),
    STR_TEXT("two\r\nlines"),
    STR_TEXT("over\rwritten"),
    STR_TEXT("back\b\b\b\bspace"),
    STR_TEXT("tab\tbed"),
    STR_TEXT("nul\0inside"),
    STR_TEXT("\0"),
    STR_TEXT("overlong \xc0\xaf slash"),
    STR_TEXT("overlong nul \xc0\x80"),
    STR_TEXT("surrogate \xed\xa0\x80 high"),
    STR_TEXT("too high \xf4\x90\x80\x80"),
    STR_TEXT("five \xf8\x88\x80\x80\x80 bytes"),
    STR_TEXT("cut \xe2\x82"),
    STR_TEXT("cut \xf0\x9f\x98"),
    STR_TEXT("lone \x80 continuation"),
    STR_TEXT("\xff\xfe byte order"),
    STR_TEXT("%s%n%d%x"),
    STR_TEXT("'; DROP TABLE slice; --"),
    STR_TEXT("<script>alert(1)</script>&amp;"),
    STR_TEXT("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d right to left"),
    STR_TEXT("\xe5\xae\xbd\xe5\xad\x97\xe7\xac\xa6 wide"),
    STR_TEXT("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 family"),
    STR_TEXT("\xf0\x9f\x87\xab\xf0\x9f\x87\xb7 flag"),
    STR_TEXT(""),
    STR_TEXT(" "),
};

enum {
    CHARACTER_COUNT = sizeof CHARACTERS / sizeof CHARACTERS[0],
    TEXT_COUNT = sizeof TEXTS / sizeof TEXTS[0],
    BUILT_COUNT = 2,
};

size_t gen_hostile_count(void)
{
    return C0_TEXTS + C1_TEXTS + CHARACTER_COUNT + TEXT_COUNT + BUILT_COUNT;
}

static void put_character(struct buffer *out, uint32_t codepoint)
{
    char bytes[4];
    size_t length = utf8_encode(codepoint, bytes);
    buffer_append(out, bytes, length);
}

void gen_hostile_text(size_t i, struct buffer *out)
{
    if (i < C0_TEXTS) {
        buffer_printf(out, "c%zu[", i);
        buffer_append_byte(out, i == 32 ? '\x7f' : (char)i);
        buffer_append_byte(out, ']');
        return;
    }
    i -= C0_TEXTS;
    if (i < C1_TEXTS) { /* encoded, then as bare bytes */
        buffer_printf(out, "d%zu[", i);
        if (i < 32) buffer_append_byte(out, '\xc2');
        buffer_append_byte(out, (char)(0x80 + i % 32));
        buffer_append_byte(out, ']');
        return;
    }
    i -= C1_TEXTS;
    if (i < CHARACTER_COUNT) {
        buffer_append_byte(out, 'a');
        put_character(out, CHARACTERS[i]);
        buffer_append_byte(out, 'b');
        return;
    }
    i -= CHARACTER_COUNT;
    if (i < TEXT_COUNT) {
        buffer_append_str(out, TEXTS[i]);
        return;
    }
    i -= TEXT_COUNT;
    if (i == 0)
        for (int k = 0; k < LONG_BYTES; k++)
            buffer_append_byte(out, (char)('a' + k % 26));
    else
        for (int k = 0; k < TALL_MARKS; k++)
            buffer_append_text(out, k ? "\xcc\x81" : "e");
}

enum { EVENT_ANNOTATION = 4, EVENT_CATEGORY = 22, EVENT_NAME = 23 };

/* Track events with plain strings, so that any bytes can stand in them. */
static void put_event(struct gen_seq *seq, int64_t ts, uint64_t track, enum gen_event_type type,
                      struct str text)
{
    gen_event_open(seq, ts, type, track);
    struct buffer *b = gen_event_body(seq);
    gen_str(b, EVENT_CATEGORY, text);
    gen_str(b, EVENT_NAME, text);
    size_t annotation = gen_open(b, EVENT_ANNOTATION);
    gen_str(b, 10, text);
    gen_str(b, 6, text);
    gen_close(b, annotation);
    gen_event_close(seq);
}

static void put_counter_track(struct buffer *out, uint64_t uuid, struct str text)
{
    size_t packet = gen_packet_open(out, START, 7);
    size_t track = gen_open(out, GEN_PACKET_TRACK_DESCRIPTOR);
    gen_uint(out, 1, uuid);
    gen_str(out, 2, text);
    size_t counter = gen_open(out, 8);
    gen_str(out, 6, text);
    gen_close(out, counter);
    gen_close(out, track);
    gen_packet_close(out, packet);
}

static void put_process(struct buffer *out, int32_t pid, struct str text)
{
    size_t packet = gen_packet_open(out, START, 1);
    size_t tree = gen_open(out, GEN_PACKET_PROCESS_TREE);
    size_t process = gen_open(out, 1);
    gen_int(out, 1, pid);
    gen_str(out, 3, text);
    gen_close(out, process);
    size_t thread = gen_open(out, 2);
    gen_int(out, 1, pid + 1);
    gen_str(out, 2, text);
    gen_int(out, 3, pid);
    gen_close(out, thread);
    gen_close(out, tree);
    gen_packet_close(out, packet);
}

static void put_log(struct buffer *out, int64_t ts, struct str text)
{
    size_t packet = gen_packet_open(out, ts, 1);
    size_t logs = gen_open(out, GEN_PACKET_ANDROID_LOG);
    size_t event = gen_open(out, 1);
    gen_uint(out, 5, (uint64_t)(ts + GEN_REALTIME_NS));
    gen_str(out, 6, text);
    gen_uint(out, 7, 4);
    gen_str(out, 8, text);
    gen_close(out, event);
    gen_close(out, logs);
    gen_packet_close(out, packet);
}

/* comm and atrace text end at a NUL, as in the kernel */
static void put_kernel(struct gen_ftrace *cpu, int64_t ts, int32_t tid, const char *text)
{
    struct buffer line = BUFFER_INIT;
    gen_ftrace_switch(cpu, ts, GEN_TASK_SLEEPING, tid, text, 120);
    buffer_printf(&line, "B|%d|%s\n", tid, text);
    gen_ftrace_print(cpu, ts + 100, tid, buffer_text(&line));
    buffer_clear(&line);
    buffer_printf(&line, "E|%d\n", tid);
    gen_ftrace_print(cpu, ts + 200, tid, buffer_text(&line));
    buffer_clear(&line);
    buffer_printf(&line, "C|%d|%s|1\n", tid, text);
    gen_ftrace_print(cpu, ts + 300, tid, buffer_text(&line));
    buffer_free(&line);
}

void gen_write_hostile_trace(struct buffer *out)
{
    struct gen_seq seq;
    struct gen_ftrace cpu;
    struct buffer text = BUFFER_INIT;
    gen_packet_device_clocks(out, START);
    gen_seq_start(&seq, out, 7);
    gen_ftrace_start(&cpu, 0);
    gen_ftrace_switch(&cpu, START, 0, 0, "swapper/0", 120);
    gen_seq_track(&seq, START, &(struct gen_track){.uuid = 1, .pid = 5, .tid = 5});
    for (size_t i = 0; i < gen_hostile_count(); i++) {
        int64_t ts = START + 1000 + (int64_t)i * 10000;
        buffer_clear(&text);
        gen_hostile_text(i, &text);
        struct str s = buffer_str(&text);
        put_process(out, 1000 + 10 * (int32_t)i, s);
        put_event(&seq, ts, 1, GEN_EVENT_BEGIN, s);
        gen_slice_end(&seq, ts + 5000, 1);
        put_counter_track(out, 100 + i, s);
        gen_counter(&seq, ts, 100 + i, (int64_t)i);
        put_log(out, ts, s);
        put_kernel(&cpu, ts, 1000 + 10 * (int32_t)i, buffer_text(&text));
    }
    gen_ftrace_flush(&cpu, out, 1);
    gen_ftrace_free(&cpu);
    gen_seq_free(&seq);
    buffer_free(&text);
}

void gen_write_hostile_json(struct buffer *out)
{
    struct buffer text = BUFFER_INIT;
    buffer_append_text(out, "{\"traceEvents\":[\n");
    for (size_t i = 0; i < gen_hostile_count(); i++) {
        buffer_clear(&text);
        gen_hostile_text(i, &text);
        buffer_printf(out, "%s{\"ph\":\"X\",\"pid\":1,\"tid\":%zu,\"ts\":%zu,\"dur\":5,\"name\":",
                      i ? ",\n" : "", i + 1, 10 * i);
        gen_json_string(out, buffer_str(&text));
        buffer_append_text(out, ",\"args\":{");
        gen_json_string(out, buffer_str(&text));
        buffer_append_byte(out, ':');
        gen_json_string(out, buffer_str(&text));
        buffer_append_text(out, "}}");
    }
    buffer_append_text(out, "\n]}\n");
    buffer_free(&text);
}

void gen_write_hostile_sidecar(struct buffer *out)
{
    struct buffer sidecar = BUFFER_INIT, text = BUFFER_INIT, trace = BUFFER_INIT;
    struct gen_zip zip;
    const char *comma = "";
    buffer_append_text(&sidecar, "{\"perfetto_metadata\":{\"version\":1,\"extensions\":{\"type\":"
                                 "\"inline\",\"namespace\":\"com.ex\",\"startup_commands\":[");
    for (size_t i = 1; i < gen_hostile_count(); i++) {
        size_t bad = 0, nul = 0;
        buffer_clear(&text);
        gen_hostile_text(i, &text);
        if (!utf8_is_valid(buffer_str(&text), &bad)) continue;
        if (str_find_byte(buffer_str(&text), '\0', &nul)) continue;
        buffer_printf(&sidecar,
                      "%s{\"type\":\"inline\",\"id\":\"dev.perfetto.RunQuery\",\"args\":[", comma);
        gen_json_string(&sidecar, buffer_str(&text));
        buffer_append_text(&sidecar, "]}");
        comma = ",\n";
    }
    buffer_append_text(&sidecar, "],\"macros\":[{\"type\":\"inline\",\"id\":\"com.ex.M\",\"name\":"
                                 "\"\\u001b]0;owned\\u0007\\u202emacro\",\"run\":[]}]}}}");
    gen_write_slices(&trace);
    gen_zip_start(&zip, out);
    gen_zip_add(&zip, STR("perfetto_metadata.json"), buffer_str(&sidecar), GEN_ZIP_DEFLATED);
    gen_zip_add(&zip, STR("evil\033[31m\xe2\x80\xaename.perfetto-trace"), buffer_str(&trace),
                GEN_ZIP_DEFLATED);
    gen_zip_finish(&zip);
    buffer_free(&sidecar);
    buffer_free(&text);
    buffer_free(&trace);
}
