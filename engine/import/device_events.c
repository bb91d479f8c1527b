/* Events that come many in a packet, each with a time of its own: packets of the
 * network, statsd's atoms, lines of systemd's journal; and sums of Bluetooth's (spec
 * engine_2 2.5; protos network_trace, statsd_atom, journald_event, bluetooth_trace). */
#include "engine/import/packet.h"

#include <inttypes.h>

#include "engine/base/checked.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/arg_writer.h"
#include "engine/import/clock.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"

enum packet_field {
    PACKET_STATSD = 84,
    PACKET_NETWORK = 88,
    PACKET_NETWORK_BUNDLE = 92,
    PACKET_BLUETOOTH = 114,
    PACKET_JOURNALD = 132,
};

enum { INTERNED_NETWORK_CONTEXT = 30 };

struct device_events {
    const struct import_file *file;
    uint32_t queue, sink_network, sink_atom, sink_journal;
    struct map titles; /* uid -> string_id */
    struct arg_list args;
    struct arg_writer writer;
};

static string_id text(const struct device_events *e, const char *literal)
{
    return strpool_intern_text(e->file->import->strings, literal);
}

static void put_int(struct device_events *e, const char *key, int64_t value)
{
    arg_list_put_int(&e->args, text(e, key), value);
}

static void put_text(struct device_events *e, const char *key, struct str value)
{
    arg_list_put_string(&e->args, text(e, key), strpool_intern(e->file->import->strings, value));
}

/* ---- the network ---- */

struct network_event {
    const char *context; /* NetworkPacketEvent: what its packets share */
    uint32_t context_length;
    bool is_bundle;
    uint64_t length, packets;
    int64_t dur;
};

/* Packages are told apart by their uid; a name is looked for once. */
static string_id title_of(struct device_events *e, uint32_t uid)
{
    bool added;
    uint64_t *title = map_put_if_absent(&e->titles, uid, 0, &added);
    if (!added) return (string_id)*title;
    const struct package_list_table *packages = &e->file->import->tables->package_list;
    for (uint32_t i = 0; uid && i < table_rows(&packages->table); i++)
        if (column_get_int64(&packages->uid, i) == uid)
            return (string_id)(*title = column_get_string(&packages->package_name, i));
    char name[24];
    probe_format(name, sizeof name, "uid=%u", uid);
    return (string_id)(*title = text(e, name));
}

static void put_transport(struct device_events *e, const struct ftrace_fields *f)
{
    uint32_t protocol = (uint32_t)field_uint(f, 6);
    char name[32];
    switch (protocol) {
    case 1: probe_format(name, sizeof name, "IPPROTO_ICMP"); break;
    case 6: probe_format(name, sizeof name, "IPPROTO_TCP"); break;
    case 17: probe_format(name, sizeof name, "IPPROTO_UDP"); break;
    case 58: probe_format(name, sizeof name, "IPPROTO_ICMPV6"); break;
    default: probe_format(name, sizeof name, "IPPROTO (%u)", protocol); break;
    }
    put_text(e, "packet_transport", str_of(name));
}

/* The bits of a TCP header's flags as letters: fin, syn, rst, psh, ack … */
static void put_tcp_flags(struct device_events *e, uint64_t flags)
{
    char letters[9] = "fsrpauec";
    for (unsigned bit = 0; bit < 8; bit++)
        if (!(flags >> bit & 1)) letters[bit] = '.';
    put_text(e, "packet_tcp_flags", str_of(letters));
}

static void put_network_args(struct device_events *e, const struct network_event *event,
                             const struct ftrace_fields *f)
{
    char tag[16];
    vec_clear(&e->args);
    if (event->is_bundle) put_int(e, "packet_count", (int64_t)event->packets);
    put_int(e, "packet_length", (int64_t)event->length);
    put_transport(e, f);
    probe_format(tag, sizeof tag, "0x%x", (unsigned)field_uint(f, 5));
    put_text(e, "socket_tag", str_of(tag));
    if (field_has(f, 7)) put_tcp_flags(e, field_uint(f, 7));
    if (field_has(f, 8)) put_int(e, "local_port", (uint32_t)field_uint(f, 8));
    if (field_has(f, 9)) put_int(e, "remote_port", (uint32_t)field_uint(f, 9));
    if (field_has(f, 10)) put_int(e, "packet_icmp_type", (uint32_t)field_uint(f, 10));
    if (field_has(f, 11)) put_int(e, "packet_icmp_code", (uint32_t)field_uint(f, 11));
}

static void show_network(struct device_events *e, int64_t ts, const struct network_event *event)
{
    static const char *const directions[] = {"DIR_UNKNOWN", "Received", "Transmitted"};
    const struct import_file *file = e->file;
    struct ftrace_fields f;
    ftrace_read_fields(&f, (struct str){event->context, event->context_length});
    const char *direction = directions[field_uint(&f, 1) < 3 ? field_uint(&f, 1) : 0];
    char name[96];
    probe_format(name, sizeof name, "%.*s %s", STR_ARG(field_str(&f, 2)), direction);
    struct track_key key = probe_key(file, "network_packets", TRACK_SLICE);
    probe_dimension_text(file, &key, "net_interface", field_str(&f, 2));
    probe_dimension_text(file, &key, "net_direction", str_of(direction));
    struct track_info info = {.name = text(e, name)};
    int64_t dur = event->dur > 0 ? event->dur : 0;
    uint32_t lanes = track_lanes_intern(file->import->tracks, &key, &info);
    uint32_t track = track_lane_scoped(file->import->tracks, lanes, ts, dur);
    put_network_args(e, event, &f);
    slice_scoped(file, ts, dur, track, info.name, title_of(e, (uint32_t)field_uint(&f, 4)),
                 &e->args);
}

static void sink_network(void *owner, int64_t ts, const void *payload)
{
    show_network(owner, ts, payload);
}

static void parse_network(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct wire_field length;
    struct network_event event = {field.p, (uint32_t)field.n, false, 0, 1, 0};
    (void)packet;
    if (wire_find(field, 3, &length)) event.length = length.value;
    show_network(state, ts, &event);
}

static void push_network(struct device_events *e, const struct network_event *event, int64_t ts)
{
    struct network_event *out =
        sorter_push(e->file->import->sorter, e->queue, e->sink_network, ts, sizeof *out);
    *out = *event;
}

static bool tokenize_bundle(void *state, const struct packet *packet, struct str field)
{
    struct device_events *e = state;
    struct wire times = {0}, lengths = {0}, w = wire_open(field);
    struct wire_field f, context = {0};
    struct network_event event = {.packets = 1};
    bool is_whole = false;
    uint64_t time, length;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: {
            struct str entry;
            if (packet_interned(packet, INTERNED_NETWORK_CONTEXT, f.value, &entry))
                wire_find(entry, 2, &context);
            else
                stats_add(packet->file, STAT_network_trace_intern_errors, 1);
            break;
        }
        case 2: context = f; break;
        case 3: times = wire_open(f.bytes); break;
        case 4: lengths = wire_open(f.bytes); break;
        case 5: event.packets = f.value; break;
        case 6: event.dur = (int64_t)f.value; break;
        case 7:
            event.length = f.value;
            is_whole = true;
            break;
        default: break;
        }
    if (w.bad || context.bytes.n > UINT32_MAX) {
        stats_add(packet->file, STAT_network_trace_parse_errors, 1);
        return true;
    }
    event.context = context.bytes.p;
    event.context_length = (uint32_t)context.bytes.n;
    event.is_bundle = is_whole;
    if (is_whole) {
        push_network(e, &event, packet->ts);
        return true;
    }
    while (wire_varint(&times, &time) && wire_varint(&lengths, &length)) {
        event.length = length;
        push_network(e, &event, (int64_t)((uint64_t)packet->ts + time));
    }
    return true;
}

/* ---- statsd ---- */

#define FIRST_VENDOR_ATOM 100000

static bool tokenize_atoms(void *state, const struct packet *packet, struct str field)
{
    struct device_events *e = state;
    struct wire atoms = wire_open(field), w = wire_open(field);
    struct wire packed = wire_open(STR_NONE);
    struct wire_field atom, f;
    uint64_t time = 0;
    while (wire_next(&atoms, &atom)) {
        if (atom.number != 1 || atom.type != WIRE_BYTES) continue;
        int64_t ts = packet->ts;
        bool has_time = wire_varint(&packed, &time);
        while (!has_time && wire_next(&w, &f)) {
            if (f.number != 2) continue;
            packed = wire_open(f.type == WIRE_BYTES ? f.bytes : STR_NONE);
            time = f.value;
            has_time = f.type != WIRE_BYTES || wire_varint(&packed, &time);
        }
        if (has_time)
            ts = (int64_t)time;
        else
            stats_add(packet->file, STAT_atom_timestamp_missing, 1);
        struct str *out =
            sorter_push(e->file->import->sorter, e->queue, e->sink_atom, ts, sizeof *out);
        *out = atom.bytes;
    }
    return true;
}

/* Without a description of the atom: numbers as their wire types suggest. */
static void put_generic(struct device_events *e, struct str atom)
{
    struct wire w = wire_open(atom);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        char key[48];
        bool is_fixed = f.type == WIRE_FIXED32 || f.type == WIRE_FIXED64;
        probe_format(key, sizeof key, "field_%u%s", (unsigned)f.number,
                     !is_fixed                ? ""
                     : f.type == WIRE_FIXED32 ? "_assuming_float"
                                              : "_assuming_double");
        struct arg_mark mark = arg_writer_enter(&e->writer, str_of(key));
        if (f.type == WIRE_BYTES)
            arg_writer_put_bytes(&e->writer, f.bytes);
        else if (f.type == WIRE_VARINT)
            arg_writer_put(&e->writer, ARG_INT, (int64_t)f.value);
        else
            arg_writer_put_real(&e->writer,
                                f.type == WIRE_FIXED32 ? (double)wire_float(&f) : wire_double(&f));
        arg_writer_leave(&e->writer, mark);
    }
}

static void sink_atom(void *owner, int64_t ts, const void *payload)
{
    struct device_events *e = owner;
    const struct str *bytes = payload;
    struct import *import = e->file->import;
    struct wire w = wire_open(*bytes);
    struct wire_field atom = {0};
    char name[32];
    if (!wire_next(&w, &atom)) atom = (struct wire_field){0};
    const struct proto_message *message =
        descriptor_pool_message(import->descriptors, STR("android.os.statsd.Atom"));
    const struct proto_field *known =
        message ? descriptor_pool_field(import->descriptors, message, atom.number) : NULL;
    probe_format(name, sizeof name, "atom_%u", (unsigned)atom.number);
    vec_clear(&e->args);
    if (known) {
        arg_writer_message(&e->writer, message, *bytes);
    } else {
        if (atom.number < FIRST_VENDOR_ATOM) stats_add(e->file, STAT_atom_unknown, 1);
        put_generic(e, atom.bytes);
    }
    struct track_key key = probe_key(e->file, "statsd_atoms", TRACK_SLICE);
    struct track_info info = {.name = text(e, "Statsd Atoms")};
    uint32_t lanes = track_lanes_intern(import->tracks, &key, &info);
    slice_scoped(e->file, ts, 0, track_lane_scoped(import->tracks, lanes, ts, 0), STRING_NULL,
                 known ? strpool_intern(import->strings, known->name) : text(e, name), &e->args);
}

/* ---- systemd's journal ---- */

static bool tokenize_journal(void *state, const struct packet *packet, struct str field)
{
    struct device_events *e = state;
    struct wire w = wire_open(field);
    struct wire_field f, time;
    while (wire_next(&w, &f)) {
        if (f.number != 1 || f.type != WIRE_BYTES) continue;
        int64_t ns, ts;
        if (!wire_find(f.bytes, 1, &time) || !checked_mul_int64((int64_t)time.value, 1000, &ns)) {
            stats_add(packet->file, STAT_perfetty_packet_parts_invalid, 1);
            continue;
        }
        /* While wall time is not known the reader brings the packet again. */
        if (!packet_clock_to_trace_time(packet, CLOCK_ID_REALTIME, ns, &ts)) return true;
        struct str *out =
            sorter_push(e->file->import->sorter, e->queue, e->sink_journal, ts, sizeof *out);
        *out = f.bytes;
    }
    return true;
}

static void sink_journal(void *owner, int64_t ts, const void *payload)
{
    static const struct {
        uint32_t field;
        const char *key;
    } texts[] = {
        {9, "comm"}, {10, "exe"}, {11, "systemd_unit"}, {12, "hostname"}, {13, "transport"}};
    struct device_events *e = owner;
    const struct str *bytes = payload;
    struct import *import = e->file->import;
    struct ftrace_fields f;
    ftrace_read_fields(&f, *bytes);
    struct logs_row row = {
        .ts = ts,
        .prio = (uint32_t)field_uint(&f, 6),
        .log_source = text(e, "systemd_journald"),
        .tag = strpool_intern(import->strings, field_str(&f, 7)),
        .msg = strpool_intern(import->strings, field_str(&f, 8)),
    };
    uint32_t pid = (uint32_t)field_uint(&f, 2), tid = (uint32_t)field_uint(&f, 3);
    if (pid) row.utid = some_uint32(thread_intern_in(e->file, tid ? tid : pid, pid));
    vec_clear(&e->args);
    if (field_has(&f, 4)) put_int(e, "uid", (uint32_t)field_uint(&f, 4));
    if (field_has(&f, 5)) put_int(e, "gid", (uint32_t)field_uint(&f, 5));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (field_has(&f, texts[i].field)) put_text(e, texts[i].key, field_str(&f, texts[i].field));
    if (e->args.count) row.arg_set_id = opt_row(args_commit(import->args, &e->args));
    logs_append(&import->tables->logs, &row);
}

/* ---- Bluetooth ---- */

static void parse_bluetooth(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    static const char *const types[] = {"",           "HCI_CMD",    "HCI_EVT",
                                        "HCI_ACL_RX", "HCI_ACL_TX", "HCI_SCO_RX",
                                        "HCI_SCO_TX", "HCI_ISO_RX", "HCI_ISO_TX"};
    static const struct {
        uint32_t field;
        const char *key;
    } numbers[] = {{2, "Count"},      {3, "Length"},        {5, "Op Code"},
                   {6, "Event Code"}, {7, "Subevent Code"}, {8, "Handle"}};
    struct device_events *e = state;
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    vec_clear(&e->args);
    uint64_t type = field_uint(&f, 1);
    if (type > 0 && type < sizeof types / sizeof types[0])
        put_text(e, "TracePacketType", str_of(types[type]));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!field_has(&f, numbers[i].field)) continue;
        string_id key = text(e, numbers[i].key);
        arg_list_put(&e->args, (struct arg){.flat_key = key,
                                            .key = key,
                                            .type = ARG_UINT,
                                            .value = {(uint32_t)field_uint(&f, numbers[i].field)}});
    }
    struct track_key key = probe_key(packet->file, "bluetooth_trace_event", TRACK_SLICE);
    uint32_t track = probe_track(packet->file, &key, "BluetoothTraceEvent", NULL);
    /* The reference takes the milliseconds as nanoseconds. */
    slice_scoped(packet->file, ts, (uint32_t)field_uint(&f, 4), track, STRING_NULL,
                 text(e, "BluetoothTraceEvent"), &e->args);
}

static void *create(struct packet_reader *reader)
{
    struct device_events *e = mem_zero(1, sizeof *e);
    e->file = packet_reader_file(reader);
    struct sorter *sorter = e->file->import->sorter;
    e->queue = packet_reader_queue(reader);
    e->sink_network = sorter_add_sink(sorter, sink_network, e);
    e->sink_atom = sorter_add_sink(sorter, sink_atom, e);
    e->sink_journal = sorter_add_sink(sorter, sink_journal, e);
    arg_writer_init(&e->writer, e->file->import);
    e->writer.list = &e->args;
    return e;
}

static void finish(void *state)
{
    struct device_events *e = state;
    map_free(&e->titles);
    vec_free(&e->args);
    arg_writer_dispose(&e->writer);
    mem_free(e);
}

static const struct packet_module modules[] = {
    {PACKET_STATSD, tokenize_atoms, NULL},          {PACKET_NETWORK, NULL, parse_network},
    {PACKET_NETWORK_BUNDLE, tokenize_bundle, NULL}, {PACKET_BLUETOOTH, NULL, parse_bluetooth},
    {PACKET_JOURNALD, tokenize_journal, NULL},
};

const struct packet_source device_events_source = {
    .name = "device_events",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = sizeof modules / sizeof modules[0],
};
