/* Logs, packages, properties and the screen of Android (spec engine_2 2.5). */
#include "engine/import/packet.h"

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/clock.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"

enum packet_field {
    PACKET_LOG = 39,
    PACKET_PACKAGES = 47,
    PACKET_DISPLAY = 70,
    PACKET_PROPERTIES = 86,
};

struct android_misc {
    const struct import_file *file;
    bool has_sink;
    uint32_t queue, sink;
};

/* ---- logcat ---- */

static void append_arg(struct buffer *text, const struct ftrace_fields *arg)
{
    buffer_printf(text, " %.*s=", STR_ARG(field_str(arg, 1)));
    if (field_has(arg, 2)) {
        buffer_printf(text, "%lld", (long long)field_int(arg, 2));
    } else if (field_has(arg, 3)) {
        struct wire_field value = {.value = field_uint(arg, 3)};
        buffer_printf(text, "%g", (double)wire_float(&value));
    } else {
        buffer_append_byte(text, '"');
        buffer_append_str(text, field_str(arg, 4));
        buffer_append_byte(text, '"');
    }
}

static void sink_log(void *owner, int64_t ts, const void *payload)
{
    struct android_misc *misc = owner;
    const struct import_file *file = misc->file;
    struct strpool *strings = file->import->strings;
    const struct str *bytes = payload;
    struct ftrace_fields f;
    ftrace_read_fields(&f, *bytes);
    struct buffer text = BUFFER_INIT;
    buffer_append_str(&text, field_str(&f, 8));
    struct wire w = wire_open(*bytes);
    struct wire_field part;
    while (wire_next(&w, &part)) {
        if (part.number != 9 || part.type != WIRE_BYTES) continue;
        struct ftrace_fields arg;
        ftrace_read_fields(&arg, part.bytes);
        append_arg(&text, &arg);
    }
    int64_t pid = (int32_t)field_int(&f, 2), tid = (int32_t)field_int(&f, 3);
    uint32_t priority = (uint32_t)field_uint(&f, 7);
    struct logs_row row = {
        .ts = ts,
        .utid = opt_row(thread_intern_in(file, tid, pid)),
        .prio = priority ? priority : 4,
        .log_source = strpool_intern_text(strings, "android_logcat"),
        .tag = strpool_intern(strings, field_str(&f, 6)),
        .msg = strpool_intern(strings, (struct str){buffer_text(&text), text.length}),
    };
    logs_append(&file->import->tables->logs, &row);
    buffer_free(&text);
}

static void note_log_stats(const struct import_file *file, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    stats_add(file, STAT_android_log_num_total, field_int(&f, 1));
    stats_add(file, STAT_android_log_num_failed, field_int(&f, 2));
    stats_add(file, STAT_android_log_num_skipped, field_int(&f, 3));
}

static bool tokenize_log(void *state, const struct packet *packet, struct str field)
{
    struct android_misc *misc = state;
    struct sorter *sorter = packet->file->import->sorter;
    misc->file = packet->file;
    if (!misc->has_sink) {
        misc->sink = sorter_add_sink(sorter, sink_log, misc);
        misc->queue = packet_reader_queue(packet->reader);
        misc->has_sink = true;
    }
    /* While wall time is not known the reader brings the packet again. */
    struct wire w = wire_open(field);
    struct wire_field f, time;
    int64_t ts;
    while (wire_next(&w, &f)) {
        if (f.number == 2 && f.type == WIRE_BYTES) note_log_stats(packet->file, f.bytes);
        if (f.number != 1 || f.type != WIRE_BYTES) continue;
        if (!wire_find(f.bytes, 5, &time)) continue;
        if (!packet_clock_to_trace_time(packet, CLOCK_ID_REALTIME, (int64_t)time.value, &ts))
            return true;
        struct str *bytes = sorter_push(sorter, misc->queue, misc->sink, ts, sizeof *bytes);
        *bytes = f.bytes;
    }
    return true;
}

/* ---- packages ---- */

static bool tokenize_packages(void *state, const struct packet *packet, struct str field)
{
    (void)state;
    const struct import_file *file = packet->file;
    struct tables *tables = file->import->tables;
    struct wire w = wire_open(field);
    struct wire_field part;
    while (wire_next(&w, &part)) {
        if (part.number == 2 && part.value) stats_add(file, STAT_packages_list_has_parse_errors, 1);
        if (part.number == 3 && part.value) stats_add(file, STAT_packages_list_has_read_errors, 1);
        if (part.number != 1 || part.type != WIRE_BYTES) continue;
        struct ftrace_fields f;
        ftrace_read_fields(&f, part.bytes);
        struct package_list_row row = {
            .package_name = strpool_intern(file->import->strings, field_str(&f, 1)),
            .uid = field_int(&f, 2),
            .debuggable = field_uint(&f, 3) != 0,
            .profileable_from_shell = field_uint(&f, 4) != 0,
            .version_code = field_int(&f, 5),
        };
        package_list_append(&tables->package_list, &row);
    }
    return true;
}

/* ---- the screen and other properties ---- */

static void count_screen(const struct import_file *file, int64_t ts, double value)
{
    struct track_key key = probe_key(file, "screen_state", TRACK_COUNTER);
    probe_count(file, ts, &key, "ScreenState", NULL, value);
}

static void parse_display(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    struct wire_field f;
    if (wire_find(field, 1, &f)) count_screen(packet->file, ts, (double)(int32_t)f.value);
}

static void show_device_state(const struct import_file *file, int64_t ts, struct str value)
{
    struct track_key key = probe_key(file, "android_device_state", TRACK_SLICE);
    uint32_t track = probe_track(file, &key, "DeviceStateChanged", NULL);
    slice_scoped(file, ts, 0, track, STRING_NULL, strpool_intern(file->import->strings, value),
                 NULL);
}

static void parse_property(const struct import_file *file, int64_t ts, struct str name,
                           struct str value)
{
    const struct str prefix = STR("debug.tracing.");
    if (!str_starts(name, prefix)) return;
    struct str rest = str_slice(name, prefix.n, name.n);
    int64_t number;
    if (str_is(rest, "device_state")) {
        show_device_state(file, ts, value);
        return;
    }
    if (!str_to_int64(value, &number)) return;
    char text[160];
    probe_format(text, sizeof text, "%.*s", STR_ARG(rest));
    if (str_is(rest, "screen_state")) {
        count_screen(file, ts, (double)number);
    } else if (str_starts(rest, STR("battery_stats."))) {
        struct track_key key = probe_key(file, "battery_stats", TRACK_COUNTER);
        probe_dimension_text(file, &key, "counter_key", rest);
        probe_count(file, ts, &key, text, NULL, (double)number);
    } else if (str_is(rest, "mcc") || str_is(rest, "mnc") ||
               str_is(rest, "desktop_mode_visible_tasks") || str_is(rest, "battery_status") ||
               str_is(rest, "plug_type")) {
        static const struct {
            const char *property, *name;
        } names[] = {{"battery_status", "BatteryStatus"}, {"plug_type", "PlugType"}};
        for (int i = 0; i < 2; i++)
            if (str_is(rest, names[i].property))
                probe_format(text, sizeof text, "%s", names[i].name);
        struct track_key key = probe_key(file, "sysprop_counter", TRACK_COUNTER);
        probe_dimension_text(file, &key, "sysprop_name", str_of(text));
        probe_count(file, ts, &key, text, NULL, (double)number);
    }
}

static void parse_properties(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    struct wire w = wire_open(field);
    struct wire_field part;
    while (wire_next(&w, &part)) {
        if (part.number != 1 || part.type != WIRE_BYTES) continue;
        struct ftrace_fields f;
        ftrace_read_fields(&f, part.bytes);
        parse_property(packet->file, ts, field_str(&f, 1), field_str(&f, 2));
    }
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct android_misc));
}

static void finish(void *state)
{
    mem_free(state);
}

static const struct packet_module modules[] = {
    {PACKET_LOG, tokenize_log, NULL},
    {PACKET_PACKAGES, tokenize_packages, NULL},
    {PACKET_DISPLAY, NULL, parse_display},
    {PACKET_PROPERTIES, NULL, parse_properties},
};

const struct packet_source android_misc_source = {
    .name = "android_misc",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = sizeof modules / sizeof modules[0],
};
