/* Packets that say something about the whole trace: they become metadata (spec
 * engine_2 2.7, engine_3 3.6). */
#include "engine/import/packet.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/import/args.h"
#include "engine/import/proto_text.h"
#include "engine/import/slice.h"
#include "engine/import/stats.h"
#include "engine/import/track.h"
#include "engine/proto/wire.h"

enum metadata_field {
    PACKET_CHROME_EVENTS = 5,
    PACKET_TRACE_CONFIG = 33,
    PACKET_TRIGGER = 46,
    PACKET_BENCHMARK = 48,
    PACKET_CHROME_METADATA = 51,
    PACKET_UI_STATE = 78,
    PACKET_TRACE_UUID = 89,
    PACKET_CLONE_TRIGGER = 113,
};

struct metadata_source {
    struct import *import;
    const struct import_file *file;
    unsigned n_chrome_metadata, n_chrome_bundles;
};

static void *create(struct packet_reader *reader)
{
    struct metadata_source *source = mem_zero(1, sizeof *source);
    source->file = packet_reader_file(reader);
    source->import = source->file->import;
    return source;
}

static void finish(void *state)
{
    mem_free(state);
}

static void put_text(struct metadata_source *source, const char *name, struct str value)
{
    metadata_set_string(source->import, source->file, name, value);
}

static void put_int(struct metadata_source *source, const char *name, int64_t value)
{
    metadata_set_int(source->import, source->file, name, value);
}

static void put_base64(struct metadata_source *source, const char *name, struct str bytes)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct buffer text = BUFFER_INIT;
    for (size_t i = 0; i < bytes.n; i += 3) {
        size_t left = bytes.n - i < 3 ? bytes.n - i : 3;
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < left ? (uint8_t)bytes.p[i + k] : 0);
        char out[4];
        for (size_t k = 0; k < 4; k++)
            out[k] = k <= left ? DIGITS[bits >> (18 - 6 * k) & 63] : '=';
        buffer_append(&text, out, sizeof out);
    }
    put_text(source, name, (struct str){buffer_text(&text), text.length});
    buffer_free(&text);
}

/* ---- the trace's own identity ---- */

static void put_uuid(struct metadata_source *source, uint64_t msb, uint64_t lsb)
{
    char text[40];
    int n = snprintf(
        text, sizeof text, "%08" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%012" PRIx64,
        msb >> 32, msb >> 16 & 0xFFFF, msb & 0xFFFF, lsb >> 48, lsb & UINT64_C(0xFFFFFFFFFFFF));
    put_text(source, "trace_uuid", (struct str){text, (size_t)n});
}

static bool take_uuid(void *state, const struct packet *packet, struct str field)
{
    struct wire_field msb = {0}, lsb = {0};
    (void)packet;
    if (!wire_find(field, 1, &msb)) msb.value = 0;
    if (!wire_find(field, 2, &lsb)) lsb.value = 0;
    put_uuid(state, msb.value, lsb.value);
    return true;
}

static bool take_ui_state(void *state, const struct packet *packet, struct str field)
{
    (void)packet;
    put_base64(state, "ui_state", field);
    return true;
}

static void take_config_attribute(struct metadata_source *source, struct str attribute)
{
    struct wire_field key, value;
    char name[256];
    if (!wire_find(attribute, 1, &key) || key.bytes.n == 0 || key.bytes.n > 200) return;
    snprintf(name, sizeof name, "trace_attribute.%.*s", (int)key.bytes.n, key.bytes.p);
    if (wire_find(attribute, 3, &value))
        put_text(source, name, value.bytes);
    else if (wire_find(attribute, 2, &value))
        put_int(source, name, (int64_t)value.value);
}

#define FILL_POLICY_DISCARD 2

/* A recording that streams into its file loses data when a buffer discards, and
 * has no complete moment when nothing flushes it. */
static void check_streaming(const struct import_file *file, struct str config)
{
    struct wire w = wire_open(config);
    struct wire_field f, policy;
    int64_t buffer = 0;
    bool flushes = wire_find(config, 13, &f) && f.value != 0;
    if (!wire_find(config, 8, &f) || f.value == 0) return;
    while (wire_next(&w, &f)) {
        if (f.number != 1) continue;
        if (wire_find(f.bytes, 4, &policy) && policy.value == FILL_POLICY_DISCARD)
            stats_set_indexed(file, STAT_config_write_into_file_discard, buffer, 1);
        buffer++;
    }
    if (!flushes) stats_set(file, STAT_config_write_into_file_no_flush, 1);
}

static void put_config_text(struct metadata_source *source, struct str config)
{
    const struct descriptor_pool *pool = source->import->descriptors;
    struct buffer text = BUFFER_INIT;
    proto_text_append(&text, pool,
                      descriptor_pool_message(pool, STR("perfetto.protos.TraceConfig")), config);
    while (text.length && text.data[text.length - 1] == '\n')
        text.length--;
    if (text.length) put_text(source, "trace_config_pbtxt", buffer_str(&text));
    buffer_free(&text);
}

static bool take_config(void *state, const struct packet *packet, struct str field)
{
    struct metadata_source *source = state;
    struct wire w = wire_open(field);
    struct wire_field f, attribute;
    uint64_t msb = 0, lsb = 0;
    (void)packet;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 22: put_text(source, "unique_session_name", f.bytes); break;
        case 27: msb = f.value; break;
        case 28: lsb = f.value; break;
        case 48: {
            struct wire list = wire_open(f.bytes);
            while (wire_next(&list, &attribute))
                if (attribute.number == 1) take_config_attribute(source, attribute.bytes);
            break;
        }
        }
    if (msb || lsb) put_uuid(source, msb, lsb);
    put_config_text(source, field);
    check_streaming(source->file, field);
    return true;
}

/* ---- Chrome ---- */

static void take_background_tracing(struct metadata_source *source, struct str field)
{
    struct wire_field hash;
    put_base64(source, "cr-background_tracing_metadata", field);
    if (wire_find(field, 3, &hash)) put_int(source, "cr-scenario_name_hash", (int64_t)hash.value);
}

/* "{ name: 1, group: 2 } " for each. */
static void append_trial(struct buffer *text, struct str trial)
{
    struct wire_field name = {0}, group = {0};
    if (!wire_find(trial, 1, &name)) name.value = 0;
    if (!wire_find(trial, 2, &group)) group.value = 0;
    buffer_printf(text, "{ name: %" PRIu64 ", group: %" PRIu64 " } ", name.value, group.value);
}

static bool take_chrome_metadata(void *state, const struct packet *packet, struct str field)
{
    struct metadata_source *source = state;
    struct buffer trials = BUFFER_INIT;
    char name[64] = "cr-a-";
    char *rest = name + 5;
    struct wire w = wire_open(field);
    struct wire_field f;
    (void)packet;
    name[3] = (char)('a' + source->n_chrome_metadata++ % 26);
#define NAMED(text) (memcpy(rest, text, sizeof text), name)
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: take_background_tracing(source, f.bytes); break;
        case 2: put_int(source, NAMED("playstore_version_code"), (int64_t)f.value); break;
        case 3: put_text(source, NAMED("enabled_categories"), f.bytes); break;
        case 4: append_trial(&trials, f.bytes); break;
        case 5: put_text(source, NAMED("package-name"), f.bytes); break;
        case 6: put_text(source, NAMED("product-version"), f.bytes); break;
        case 7: put_int(source, NAMED("channel"), (int64_t)f.value); break;
        case 8: put_text(source, NAMED("os-name"), f.bytes); break;
        }
    if (trials.length) put_text(source, NAMED("field_trial_hashes"), buffer_str(&trials));
#undef NAMED
    buffer_free(&trials);
    return true;
}

/* One entry of a legacy bundle: a name and a value of some type. */
static void take_bundle_entry(struct metadata_source *source, struct str entry)
{
    struct wire_field name, f;
    struct wire w = wire_open(entry);
    char key[256];
    if (!wire_find(entry, 1, &name) || name.bytes.n == 0 || name.bytes.n > 200) return;
    if (source->n_chrome_bundles > 1)
        snprintf(key, sizeof key, "cr-%u-%.*s", source->n_chrome_bundles, STR_ARG(name.bytes));
    else
        snprintf(key, sizeof key, "cr-%.*s", STR_ARG(name.bytes));
    while (wire_next(&w, &f))
        switch (f.number) {
        case 2:
        case 5: put_text(source, key, f.bytes); break;
        case 3:
        case 4: put_int(source, key, (int64_t)f.value); break;
        }
}

static void parse_chrome_events(void *state, int64_t ts, const struct packet *packet,
                                struct str field)
{
    struct metadata_source *source = state;
    struct wire w = wire_open(field);
    struct wire_field f;
    bool is_first = true;
    (void)ts;
    (void)packet;
    while (wire_next(&w, &f)) {
        if (f.number != 2 || !wire_is_bytes(&f)) continue;
        if (is_first) source->n_chrome_bundles++;
        is_first = false;
        take_bundle_entry(source, f.bytes);
    }
}

static bool take_benchmark(void *state, const struct packet *packet, struct str field)
{
    static const char *const NAMES[] = {
        [1] = "benchmark_start_time_us", [2] = "benchmark_story_run_time_us",
        [3] = "benchmark_name",          [4] = "benchmark_description",
        [5] = "benchmark_label",         [6] = "benchmark_story_name",
        [7] = "benchmark_story_tags",    [8] = "benchmark_story_run_index",
        [9] = "benchmark_had_failures",
    };
    struct wire w = wire_open(field);
    struct wire_field f;
    (void)packet;
    while (wire_next(&w, &f)) {
        if (f.number >= sizeof NAMES / sizeof *NAMES || !NAMES[f.number]) continue;
        if (wire_is_bytes(&f))
            put_text(state, NAMES[f.number], f.bytes);
        else
            put_int(state, NAMES[f.number], (int64_t)f.value);
    }
    return true;
}

/* ---- triggers: an instant each ---- */

static void put_string_arg(struct import *import, struct arg_list *args, const char *key,
                           struct str value)
{
    arg_list_put_string(args, strpool_intern_text(import->strings, key),
                        strpool_intern(import->strings, value));
}

static void parse_trigger(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct metadata_source *source = state;
    struct import *import = source->import;
    struct arg_list args = {0};
    struct str name = STR_NONE;
    struct wire w = wire_open(field);
    struct wire_field f;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: name = f.bytes; break;
        case 2: put_string_arg(import, &args, "producer_name", f.bytes); break;
        case 3:
            arg_list_put_int(&args, strpool_intern_text(import->strings, "trusted_producer_uid"),
                             (int32_t)f.value);
            break;
        }
    struct track_key key = {
        .type = "triggers", .event_type = TRACK_SLICE, .machine_id = packet->file->machine_id};
    struct track_info info = {.name = strpool_intern_text(import->strings, "Trace Triggers")};
    uint32_t track = track_intern(import->tracks, &key, &info);
    slice_scoped(packet->file, ts, 0, track, STRING_NULL, strpool_intern(import->strings, name),
                 &args);
    put_text(source, "trace_trigger", name);
    vec_free(&args);
}

static bool take_clone_trigger(void *state, const struct packet *packet, struct str field)
{
    (void)state;
    (void)field;
    if (packet->has_ts) stats_set(packet->file, STAT_traced_clone_trigger_timestamp_ns, packet->ts);
    return false;
}

static const struct packet_module MODULES[] = {
    {PACKET_CHROME_EVENTS, NULL, parse_chrome_events},
    {PACKET_TRACE_CONFIG, take_config, NULL},
    {PACKET_TRIGGER, NULL, parse_trigger},
    {PACKET_BENCHMARK, take_benchmark, NULL},
    {PACKET_CHROME_METADATA, take_chrome_metadata, NULL},
    {PACKET_UI_STATE, take_ui_state, NULL},
    {PACKET_TRACE_UUID, take_uuid, NULL},
    {PACKET_CLONE_TRIGGER, take_clone_trigger, parse_trigger},
};

extern const struct packet_source packet_source_metadata;

const struct packet_source packet_source_metadata = {
    .name = "metadata",
    .create = create,
    .finish = finish,
    .modules = MODULES,
    .n_modules = sizeof MODULES / sizeof *MODULES,
};
