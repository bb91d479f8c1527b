#include "engine/import/simpleperf.h"

#include <pb_decode.h>

#include "engine/base/buffer.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/args.h"
#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/sorter.h"
#include "engine/import/stack.h"
#include "engine/import/stats.h"
#include "engine/proto/simpleperf.pb.h"

#define MAGIC          "SIMPLEPERF"
#define MAGIC_BYTES    (sizeof MAGIC - 1)
#define HEADER_BYTES   (MAGIC_BYTES + 2)
#define VERSION        1
#define POLL_EVERY     4096
#define MAX_LOGGED     100
#define MAX_TEXT_BYTES ((size_t)1 << 20)

/* Field numbers of Record. */
enum { SAMPLE = 1, LOST, FILE_RECORD, THREAD, META_INFO, CONTEXT_SWITCH };

/* A file that call chains point into: its mapping, and its symbols' names in
 * `names` of the state. */
struct elf {
    uint32_t mapping;
    uint32_t first_name, n_names;
};

struct context_switch {
    int64_t ts;
    uint32_t tid;
    bool is_on;
};

/* In the sorter: the bytes of one record's message. */
struct pending {
    uint64_t offset;
    uint32_t length;
    uint32_t field;
};

struct state {
    struct import_file *file;
    struct import *import;
    struct str bytes;
    uint32_t queue, sink;
    int64_t last_ts;
    uint32_t first_event_type; /* row of simpleperf_event_type */
    uint32_t n_event_types;
    uint32_t n_logged;
    uint64_t n_records;
    struct map elf_by_id;
    VEC(struct elf) elves;
    VEC(string_id) names;
    VEC(struct context_switch) switches;
    /* Of the message in hand. */
    VEC(simpleperf_report_proto_CallChainEntry) chain;
    struct buffer text;
};

/* ---- nanopb ---- */

static bool decode(struct str message, const pb_msgdesc_t *fields, void *out)
{
    pb_istream_t stream = pb_istream_from_buffer((const pb_byte_t *)message.p, message.n);
    return pb_decode(&stream, fields, out);
}

/* A string field; the result is good until the next one. */
static bool read_text(struct state *state, pb_istream_t *stream, struct str *text)
{
    buffer_clear(&state->text);
    char piece[256];
    while (stream->bytes_left > 0) {
        size_t n = stream->bytes_left < sizeof piece ? stream->bytes_left : sizeof piece;
        if (!pb_read(stream, (pb_byte_t *)piece, n)) return false;
        if (state->text.length < MAX_TEXT_BYTES) buffer_append(&state->text, piece, n);
    }
    *text = (struct str){buffer_text(&state->text), state->text.length};
    return true;
}

/* What a string callback fills: one id, or a list that grows. */
struct text_target {
    struct state *state;
    string_id one;
    struct string_list VEC_OF(string_id) list;
};

static bool keep_text(pb_istream_t *stream, const pb_field_t *field, void **arg)
{
    struct text_target *target = *arg;
    struct str text;
    (void)field;
    if (!read_text(target->state, stream, &text)) return false;
    target->one = strpool_intern(target->state->import->strings, text);
    return true;
}

static bool append_text(pb_istream_t *stream, const pb_field_t *field, void **arg)
{
    struct text_target *target = *arg;
    if (!keep_text(stream, field, arg)) return false;
    vec_push(&target->list, target->one);
    return true;
}

static bool append_entry(pb_istream_t *stream, const pb_field_t *field, void **arg)
{
    struct state *state = *arg;
    simpleperf_report_proto_CallChainEntry entry = simpleperf_report_proto_CallChainEntry_init_zero;
    (void)field;
    if (!pb_decode(stream, simpleperf_report_proto_CallChainEntry_fields, &entry)) return false;
    vec_push(&state->chain, entry);
    return true;
}

/* ---- damage ---- */

static void log_damage(struct state *state, enum stat stat, size_t offset, const char *error)
{
    struct strpool *strings = state->import->strings;
    struct arg_list args = {NULL, 0, 0};
    if (state->n_logged++ >= MAX_LOGGED) {
        stats_add(state->file, stat, 1);
        return;
    }
    arg_list_put_int(&args, strpool_intern_text(strings, "record"), (int64_t)state->n_records);
    arg_list_put_string(&args, strpool_intern_text(strings, "error"),
                        strpool_intern_text(strings, error));
    import_log(state->file, stat, (int64_t)offset, NO_LOG_TS, &args);
    vec_free(&args);
}

/* ---- records that are read at once ---- */

static bool read_file(struct state *state, struct str message)
{
    struct strpool *strings = state->import->strings;
    struct tables *tables = state->import->tables;
    struct text_target path = {.state = state}, symbols = {.state = state},
                       mangled = {.state = state};
    simpleperf_report_proto_File file = simpleperf_report_proto_File_init_zero;
    file.path = (pb_callback_t){{.decode = keep_text}, &path};
    file.symbol = (pb_callback_t){{.decode = append_text}, &symbols};
    file.mangled_symbol = (pb_callback_t){{.decode = append_text}, &mangled};
    bool good = decode(message, simpleperf_report_proto_File_fields, &file);
    if (good) {
        string_id empty = strpool_intern(strings, STR(""));
        struct stack_mapping mapping = {.build_id = empty, .name = path.one ? path.one : empty};
        struct elf elf = {.mapping = stack_mapping_add(state->import->stacks, &mapping),
                          .first_name = (uint32_t)state->names.count,
                          .n_names = (uint32_t)symbols.list.count};
        map_set(&state->elf_by_id, file.id, state->elves.count);
        vec_push(&state->elves, elf);
        struct simpleperf_file_row row = {
            .file_id = file.id, .path = mapping.name, .mapping_id = some_uint32(elf.mapping)};
        uint32_t id = simpleperf_file_append(&tables->simpleperf_file, &row);
        for (size_t i = 0; i < symbols.list.count; i++) {
            vec_push(&state->names, symbols.list.items[i]);
            struct simpleperf_symbol_row symbol = {
                .simpleperf_file_id = id,
                .symbol_id = (uint32_t)i,
                .name = symbols.list.items[i],
                .mangled_name = i < mangled.list.count ? mangled.list.items[i] : STRING_NULL};
            simpleperf_symbol_append(&tables->simpleperf_symbol, &symbol);
        }
    }
    vec_free(&symbols.list);
    vec_free(&mangled.list);
    return good;
}

static void put_meta(struct state *state, const char *name, string_id value)
{
    if (value == STRING_NULL) return;
    struct simpleperf_meta_row row = {.name = strpool_intern_text(state->import->strings, name),
                                      .value = value};
    simpleperf_meta_append(&state->import->tables->simpleperf_meta, &row);
}

static bool read_meta(struct state *state, struct str message)
{
    struct tables *tables = state->import->tables;
    struct text_target types = {.state = state}, package = {.state = state},
                       app_type = {.state = state}, sdk = {.state = state},
                       build = {.state = state};
    simpleperf_report_proto_MetaInfo meta = simpleperf_report_proto_MetaInfo_init_zero;
    meta.event_type = (pb_callback_t){{.decode = append_text}, &types};
    meta.app_package_name = (pb_callback_t){{.decode = keep_text}, &package};
    meta.app_type = (pb_callback_t){{.decode = keep_text}, &app_type};
    meta.android_sdk_version = (pb_callback_t){{.decode = keep_text}, &sdk};
    meta.android_build_type = (pb_callback_t){{.decode = keep_text}, &build};
    bool good = decode(message, simpleperf_report_proto_MetaInfo_fields, &meta);
    if (good) {
        if (state->n_event_types == 0)
            state->first_event_type = table_rows(&tables->simpleperf_event_type.table);
        for (size_t i = 0; i < types.list.count; i++) {
            struct simpleperf_event_type_row row = {.name = types.list.items[i]};
            simpleperf_event_type_append(&tables->simpleperf_event_type, &row);
            state->n_event_types++;
        }
        put_meta(state, "app_package_name", package.one);
        put_meta(state, "app_type", app_type.one);
        put_meta(state, "android_sdk_version", sdk.one);
        put_meta(state, "android_build_type", build.one);
        if (meta.has_trace_offcpu)
            put_meta(
                state, "trace_offcpu",
                strpool_intern_text(state->import->strings, meta.trace_offcpu ? "true" : "false"));
    }
    vec_free(&types.list);
    return good;
}

static bool read_lost(struct state *state, struct str message)
{
    simpleperf_report_proto_LostSituation lost = simpleperf_report_proto_LostSituation_init_zero;
    if (!decode(message, simpleperf_report_proto_LostSituation_fields, &lost)) return false;
    struct simpleperf_lost_row row = {
        .sample_count = {lost.has_sample_count, (int64_t)lost.sample_count},
        .lost_count = {lost.has_lost_count, (int64_t)lost.lost_count}};
    simpleperf_lost_append(&state->import->tables->simpleperf_lost, &row);
    return true;
}

/* ---- records that wait for their time ---- */

static bool push_record(struct state *state, const struct pending *pending, struct str message)
{
    uint64_t time = 0;
    bool has_time = false;
    if (pending->field == SAMPLE) {
        simpleperf_report_proto_Sample sample = simpleperf_report_proto_Sample_init_zero;
        if (!decode(message, simpleperf_report_proto_Sample_fields, &sample)) return false;
        time = sample.time;
        has_time = true;
    } else if (pending->field == CONTEXT_SWITCH) {
        simpleperf_report_proto_ContextSwitch cs = simpleperf_report_proto_ContextSwitch_init_zero;
        if (!decode(message, simpleperf_report_proto_ContextSwitch_fields, &cs)) return false;
        time = cs.time;
        has_time = true;
    }
    if (has_time) {
        int64_t ts;
        if (time > INT64_MAX) return false;
        if (clock_to_trace_time(state->file, 0, 0, (int64_t)time, true, &ts) != CLOCK_OK)
            return true;
        state->last_ts = ts;
    }
    struct pending *to =
        sorter_push(state->import->sorter, state->queue, state->sink, state->last_ts, sizeof *to);
    *to = *pending;
    return true;
}

static const char *unwinding_text(uint32_t code)
{
    static const char *const TEXTS[] = {"none",           "unknown",        "not enough stack",
                                        "memory invalid", "no unwind info", "invalid map",
                                        "max frames",     "repeated frame", "invalid ELF"};
    return code < sizeof TEXTS / sizeof *TEXTS ? TEXTS[code] : "other";
}

/* The call site of the chain in hand; NULL_UINT32 when it is empty.  False when it
 * points into a file that is not there. */
static bool intern_chain(struct state *state, uint32_t *callsite)
{
    struct stack_tracker *stacks = state->import->stacks;
    *callsite = NULL_UINT32;
    for (size_t i = 0; i < state->chain.count; i++)
        if (!map_get(&state->elf_by_id, state->chain.items[i].file_id)) return false;
    for (size_t i = state->chain.count; i-- > 0;) {
        const simpleperf_report_proto_CallChainEntry *entry = &state->chain.items[i];
        const struct elf *elf = &state->elves.items[*map_get(&state->elf_by_id, entry->file_id)];
        string_id name = STRING_NULL;
        if (entry->has_symbol_id && entry->symbol_id >= 0 &&
            (uint32_t)entry->symbol_id < elf->n_names)
            name = state->names.items[elf->first_name + (uint32_t)entry->symbol_id];
        uint32_t frame =
            stack_frame_intern(stacks, name, elf->mapping, (int64_t)entry->vaddr_in_file);
        *callsite = stack_callsite_intern(stacks, *callsite, frame, 0);
    }
    return true;
}

static void parse_sample(struct state *state, int64_t ts, struct str message)
{
    simpleperf_report_proto_Sample sample = simpleperf_report_proto_Sample_init_zero;
    sample.callchain = (pb_callback_t){{.decode = append_entry}, state};
    vec_clear(&state->chain);
    if (!decode(message, simpleperf_report_proto_Sample_fields, &sample)) {
        log_damage(state, STAT_perfetty_input_corrupt, (size_t)(message.p - state->bytes.p),
                   "a sample that cannot be decoded");
        return;
    }
    uint32_t utid = thread_intern(state->file, sample.thread_id);
    uint32_t callsite;
    struct simpleperf_sample_row row = {.ts = ts, .utid = utid};
    if (!intern_chain(state, &callsite)) {
        stats_add(state->file, STAT_simpleperf_missing_file_mapping, 1);
    } else if (callsite != NULL_UINT32) {
        struct stack_sample stack = {.ts = ts,
                                     .source = "simpleperf",
                                     .utid = utid,
                                     .upid = NULL_UINT32,
                                     .ucpu = NULL_UINT32,
                                     .callsite = callsite,
                                     .session = NULL_UINT32,
                                     .counter_set = NULL_UINT32};
        row.stack_sample_id = some_uint32(stack_sample_push(state->import->stacks, &stack));
    }
    if (sample.has_event_type_id && sample.event_type_id < state->n_event_types)
        row.event_type_id = some_uint32(state->first_event_type + sample.event_type_id);
    if (sample.has_event_count) row.event_count = some_int64((int64_t)sample.event_count);
    if (sample.has_unwinding_result)
        row.unwinding_result = strpool_intern_text(
            state->import->strings, unwinding_text(sample.unwinding_result.error_code));
    simpleperf_sample_append(&state->import->tables->simpleperf_sample, &row);
}

static void parse_thread(struct state *state, struct str message)
{
    struct text_target name = {.state = state};
    simpleperf_report_proto_Thread thread = simpleperf_report_proto_Thread_init_zero;
    thread.thread_name = (pb_callback_t){{.decode = keep_text}, &name};
    if (!decode(message, simpleperf_report_proto_Thread_fields, &thread)) {
        log_damage(state, STAT_perfetty_input_corrupt, (size_t)(message.p - state->bytes.p),
                   "a thread that cannot be decoded");
        return;
    }
    if (thread.thread_id == 0 || thread.process_id == 0) return;
    uint32_t utid = thread_intern_in(state->file, thread.thread_id, thread.process_id);
    thread_set_name(state->file, utid, name.one, THREAD_NAME_OTHER);
}

static void parse_switch(struct state *state, int64_t ts, struct str message)
{
    simpleperf_report_proto_ContextSwitch cs = simpleperf_report_proto_ContextSwitch_init_zero;
    if (!decode(message, simpleperf_report_proto_ContextSwitch_fields, &cs)) return;
    vec_push(&state->switches, (struct context_switch){ts, cs.thread_id, cs.switch_on});
}

/* The first switch of a thread comes before its first sample.  Threads that nothing
 * else speaks of are left out: they were not sampled. */
static void put_switches(struct state *state)
{
    struct tables *tables = state->import->tables;
    for (size_t i = 0; i < state->switches.count; i++) {
        const struct context_switch *cs = &state->switches.items[i];
        uint32_t utid = thread_find(state->file, cs->tid);
        if (utid == NULL_UINT32) continue;
        struct simpleperf_context_switch_row row = {
            .ts = cs->ts, .utid = utid, .switch_on = cs->is_on};
        simpleperf_context_switch_append(&tables->simpleperf_context_switch, &row);
    }
}

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct state *state = owner;
    const struct pending *pending = payload;
    struct str message = {state->bytes.p + pending->offset, pending->length};
    switch (pending->field) {
    case SAMPLE: parse_sample(state, ts, message); break;
    case THREAD: parse_thread(state, message); break;
    case CONTEXT_SWITCH: parse_switch(state, ts, message); break;
    default: break;
    }
}

/* ---- the file ---- */

static uint32_t read_u16(const char *p)
{
    return (uint32_t)(uint8_t)p[0] | (uint32_t)(uint8_t)p[1] << 8;
}

/* One Record.  False when it is no message. */
static bool read_record(struct state *state, size_t offset, size_t length)
{
    pb_istream_t stream =
        pb_istream_from_buffer((const pb_byte_t *)state->bytes.p + offset, length);
    while (stream.bytes_left > 0) {
        pb_wire_type_t type;
        uint32_t field;
        bool at_end;
        if (!pb_decode_tag(&stream, &type, &field, &at_end)) return at_end;
        if (type != PB_WT_STRING || field == 0 || field > CONTEXT_SWITCH) {
            if (!pb_skip_field(&stream, type)) return false;
            continue;
        }
        uint32_t size;
        if (!pb_decode_varint32(&stream, &size) || size > stream.bytes_left) return false;
        struct pending pending = {
            .offset = offset + (length - stream.bytes_left), .length = size, .field = field};
        struct str message = {state->bytes.p + pending.offset, size};
        bool good = true;
        switch (field) {
        case FILE_RECORD: good = read_file(state, message); break;
        case META_INFO: good = read_meta(state, message); break;
        case LOST: good = read_lost(state, message); break;
        default: good = push_record(state, &pending, message); break;
        }
        if (!good || !pb_read(&stream, NULL, size)) return false;
    }
    return true;
}

static bool end_cut(struct state *state, size_t offset, struct status *st)
{
    static const char TEXT[] = "Unexpected end of simpleperf_proto file (ERR:tp-corrupt)";
    if (state->n_records == 0) return status_fail(st, STATUS_CORRUPT, (int64_t)offset, "%s", TEXT);
    log_damage(state, STAT_perfetty_input_truncated, offset, TEXT);
    return true;
}

static bool read_records(struct state *state, struct status *st)
{
    struct str bytes = state->bytes;
    size_t at = HEADER_BYTES, reported = 0;
    for (;;) {
        if (bytes.n - at < 4) return end_cut(state, at, st);
        size_t size = read_u16(bytes.p + at) | (size_t)read_u16(bytes.p + at + 2) << 16;
        if (size == 0) return true;
        if (size > bytes.n - at - 4) return end_cut(state, at, st);
        state->n_records++;
        if (!read_record(state, at + 4, size))
            log_damage(state, STAT_perfetty_input_corrupt, at + 4,
                       "a record that cannot be decoded");
        at += 4 + size;
        if (state->n_records % POLL_EVERY != 0) continue;
        import_progress(state->import, at - reported);
        reported = at;
        if (cancel_is_requested(state->import->cancel)) return true;
    }
}

static void finish(struct import_file *file)
{
    struct state *state = file->state;
    if (!state) return;
    put_switches(state);
    vec_free(&state->switches);
    map_free(&state->elf_by_id);
    vec_free(&state->elves);
    vec_free(&state->names);
    vec_free(&state->chain);
    buffer_free(&state->text);
    mem_free(state);
    file->state = NULL;
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    if (bytes.n < HEADER_BYTES)
        return status_fail(st, STATUS_CORRUPT, (int64_t)bytes.n,
                           "Unexpected end of simpleperf_proto file (ERR:tp-corrupt)");
    uint32_t version = read_u16(bytes.p + MAGIC_BYTES);
    if (version != VERSION)
        return status_fail(st, STATUS_FORMAT, MAGIC_BYTES, "Unsupported simpleperf version: %u",
                           version);
    struct state *state = mem_zero(1, sizeof *state);
    state->file = file;
    state->import = file->import;
    state->bytes = bytes;
    state->queue = sorter_add_queue(file->import->sorter);
    state->sink = sorter_add_sink(file->import->sorter, parse, state);
    file->state = state;
    bool good = read_records(state, st);
    if (!good) finish(file);
    return good;
}

static bool sniff(struct str bytes)
{
    return str_starts(bytes, STR(MAGIC));
}

const struct importer importer_simpleperf = {
    .name = "simpleperf_proto",
    .detection_priority = 40,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_MONOTONIC,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
