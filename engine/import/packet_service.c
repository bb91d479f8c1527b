/* What the tracing service says of itself: its events, its statistics and the
 * sessions beside this one (spec engine_2 2.7). */
#include "engine/import/packet_reader.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/import/clock.h"
#include "engine/import/slice.h"
#include "engine/import/stats.h"
#include "engine/import/track.h"
#include "engine/proto/wire.h"

enum service_field {
    PACKET_TRACE_STATS = 35,
    PACKET_SERVICE = 69,
    PACKET_CONCURRENT_SESSION = 134
};

/* ---- events ---- */

static void take_slow_sources(const struct import_file *file, struct str list)
{
    struct wire w = wire_open(list);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        struct wire_field producer = {0}, name = {0};
        char text[512];
        if (f.number != 1) continue;
        if (!wire_find(f.bytes, 1, &producer)) producer.bytes = STR_NONE;
        if (!wire_find(f.bytes, 2, &name)) name.bytes = STR_NONE;
        struct str a = str_slice(producer.bytes, 0, 250), b = str_slice(name.bytes, 0, 250);
        int n = snprintf(text, sizeof text, "%.*s %.*s", STR_ARG(a), STR_ARG(b));
        metadata_set_string(file->import, file, "slow_start_data_source",
                            (struct str){text, (size_t)n});
    }
}

static bool take_event(void *state, const struct packet *packet, struct str field)
{
    const struct import_file *file = packet->file;
    struct wire w = wire_open(field);
    struct wire_field f;
    (void)state;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1:
            metadata_set_int(file->import, file, "all_data_source_started_ns", packet->ts);
            break;
        case 2: metadata_set_int(file->import, file, "tracing_started_ns", packet->ts); break;
        case 3:
            metadata_set_int(file->import, file, "all_data_source_flushed_ns", packet->ts);
            break;
        case 5: metadata_set_int(file->import, file, "tracing_disabled_ns", packet->ts); break;
        case 7: take_slow_sources(file, f.bytes); break;
        case 10: stats_set(file, STAT_traced_clone_started_timestamp_ns, packet->ts); break;
        case 11:
            stats_set_indexed(file, STAT_traced_buf_clone_done_timestamp_ns, (int64_t)f.value,
                              packet->ts);
            break;
        }
    return true;
}

/* ---- statistics ---- */

static void take_buffer(const struct import_file *file, int64_t buffer, struct str field)
{
    static const int16_t STATS[] = {
        [1] = STAT_traced_buf_bytes_written,
        [2] = STAT_traced_buf_chunks_written,
        [3] = STAT_traced_buf_chunks_overwritten,
        [4] = STAT_traced_buf_write_wrap_count,
        [5] = STAT_traced_buf_patches_succeeded,
        [6] = STAT_traced_buf_patches_failed,
        [7] = STAT_traced_buf_readaheads_succeeded,
        [8] = STAT_traced_buf_readaheads_failed,
        [9] = STAT_traced_buf_abi_violations,
        [10] = STAT_traced_buf_chunks_rewritten,
        [11] = -1,
        [12] = STAT_traced_buf_buffer_size,
        [13] = STAT_traced_buf_bytes_overwritten,
        [14] = STAT_traced_buf_bytes_read,
        [15] = STAT_traced_buf_padding_bytes_written,
        [16] = STAT_traced_buf_padding_bytes_cleared,
        [17] = STAT_traced_buf_chunks_read,
        [18] = STAT_traced_buf_chunks_discarded,
        [19] = STAT_traced_buf_trace_writer_packet_loss,
        [20] = STAT_traced_buf_chunks_relocated,
    };
    struct wire w = wire_open(field);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number >= sizeof STATS / sizeof *STATS || STATS[f.number] < 0) continue;
        if (f.type == WIRE_VARINT)
            stats_set_indexed(file, (enum stat)STATS[f.number], buffer, (int64_t)f.value);
    }
}

/* Losses that packets told of, by the buffer that their writer wrote into. */
static void take_writer(struct packet_reader *reader, struct str field)
{
    struct wire_field id, buffer;
    if (!wire_find(field, 1, &id) || id.value == 0) return;
    int64_t number = wire_find(field, 4, &buffer) ? (int64_t)buffer.value : 0;
    const uint64_t *at = map_get(&reader->sequences.by_id, (uint32_t)id.value);
    if (!at) return;
    struct sequence *sequence = reader->sequences.items.items[*at];
    if (sequence->losses)
        stats_add_indexed(&reader->file, STAT_traced_buf_sequence_packet_loss, number,
                          (int64_t)sequence->losses);
    if (sequence->skipped && !sequence->is_valid)
        stats_add_indexed(&reader->file, STAT_traced_buf_incremental_sequences_dropped, number, 1);
    sequence->losses = 0; /* the statistics may come again */
    sequence->skipped = 0;
}

static void take_filter(const struct import_file *file, struct str field)
{
    struct wire w = wire_open(field);
    struct wire_field f;
    int64_t buffer = 0;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: stats_set(file, STAT_filter_input_packets, (int64_t)f.value); break;
        case 2: stats_set(file, STAT_filter_input_bytes, (int64_t)f.value); break;
        case 3: stats_set(file, STAT_filter_output_bytes, (int64_t)f.value); break;
        case 4: stats_set(file, STAT_filter_errors, (int64_t)f.value); break;
        case 5: stats_set(file, STAT_filter_time_taken_ns, (int64_t)f.value); break;
        case 20:
            if (f.type == WIRE_VARINT)
                stats_set_indexed(file, STAT_traced_buf_bytes_filtered_out, buffer++,
                                  (int64_t)f.value);
            break;
        }
}

static bool take_stats(void *state, const struct packet *packet, struct str field)
{
    const struct import_file *file = packet->file;
    struct wire w = wire_open(field);
    struct wire_field f;
    int64_t buffer = 0;
    (void)state;
    while (wire_next(&w, &f)) {
        int64_t value = (int64_t)f.value;
        switch (f.number) {
        case 1: take_buffer(file, buffer++, f.bytes); break;
        case 2: stats_set(file, STAT_traced_producers_connected, value); break;
        case 3: stats_set(file, STAT_traced_producers_seen, value); break;
        case 4: stats_set(file, STAT_traced_data_sources_registered, value); break;
        case 5: stats_set(file, STAT_traced_data_sources_seen, value); break;
        case 6: stats_set(file, STAT_traced_tracing_sessions, value); break;
        case 7: stats_set(file, STAT_traced_total_buffers, value); break;
        case 8: stats_set(file, STAT_traced_chunks_discarded, value); break;
        case 9: stats_set(file, STAT_traced_patches_discarded, value); break;
        case 11: take_filter(file, f.bytes); break;
        case 12: stats_set(file, STAT_traced_flushes_requested, value); break;
        case 13: stats_set(file, STAT_traced_flushes_succeeded, value); break;
        case 14: stats_set(file, STAT_traced_flushes_failed, value); break;
        case 15:
            stats_set(file, STAT_traced_final_flush_succeeded, value == 1);
            stats_set(file, STAT_traced_final_flush_failed, value == 2);
            break;
        case 18: take_writer(packet->reader, f.bytes); break;
        }
    }
    return true;
}

/* ---- sessions: a state track each ---- */

enum { SESSION_CLONED = 5 };

static void parse_session(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    static const char *const STATES[] = {
        NULL,      NULL /* disabled closes */,    "CONFIGURED",
        "STARTED", "DISABLING_WAITING_STOP_ACKS", "CLONED_READ_ONLY"};
    struct import *import = packet->file->import;
    struct wire w = wire_open(field);
    struct wire_field f;
    uint64_t value = 0, id = 0;
    int64_t uid = 0, n_sources = 0;
    struct str name = STR_NONE;
    char text[256];
    (void)state;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: value = f.value; break;
        case 2: name = f.bytes; break;
        case 3: id = f.value; break;
        case 4: uid = (int32_t)f.value; break;
        case 5: n_sources = (uint32_t)f.value; break;
        }
    if (value == 0 || value >= sizeof STATES / sizeof *STATES) {
        import_log(packet->file, STAT_perfetty_packet_parts_invalid, NO_BYTE_OFFSET, ts, NULL);
        return;
    }
    /* A clone has its parent's name. */
    const char *suffix = value == SESSION_CLONED ? " (clone)" : "";
    if (name.n)
        snprintf(text, sizeof text, "%.*s%s", (int)(name.n < 200 ? name.n : 200), name.p, suffix);
    else
        snprintf(text, sizeof text, "Session %" PRIu64 "%s", id, suffix);
    struct track_key key = {.type = "concurrent_tracing_sessions",
                            .event_type = TRACK_STATE,
                            .machine_id = packet->file->machine_id,
                            .n_dimensions = 1,
                            .dimensions = {dimension_int("session_id", (int64_t)id)}};
    struct track_info info = {.name = strpool_intern_text(import->strings, text)};
    uint32_t n_tracks = table_rows(&import->tables->track.table);
    uint32_t track = track_intern(import->tracks, &key, &info);
    bool is_new = table_rows(&import->tables->track.table) > n_tracks;
    struct arg_list args = {0};
    if (STATES[value]) {
        arg_list_put_int(&args, strpool_intern_text(import->strings, "consumer_uid"), uid);
        arg_list_put_int(&args, strpool_intern_text(import->strings, "num_data_sources"),
                         n_sources);
    } else if (is_new) {
        /* It ended before it was seen: a mark of no length says that it was. */
        state_push(packet->file, ts, track, STRING_NULL,
                   strpool_intern_text(import->strings, "DISABLED"), NULL);
    }
    state_push(packet->file, ts, track, STRING_NULL,
               STATES[value] ? strpool_intern_text(import->strings, STATES[value]) : STRING_NULL,
               &args);
    vec_free(&args);
}

static const struct packet_module MODULES[] = {
    {PACKET_TRACE_STATS, take_stats, NULL},
    {PACKET_SERVICE, take_event, NULL},
    {PACKET_CONCURRENT_SESSION, NULL, parse_session},
};

extern const struct packet_source packet_source_service;

const struct packet_source packet_source_service = {
    .name = "service",
    .modules = MODULES,
    .n_modules = sizeof MODULES / sizeof *MODULES,
};
