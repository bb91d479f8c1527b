/* Batteries, power rails, energy and residency of Android (spec engine_2 2.5). */
#include "engine/import/packet.h"

#include "engine/base/checked.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/clock.h"
#include "engine/import/ftrace.h"
#include "engine/import/power_rail_names.h"
#include "engine/import/probe_track.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"

enum packet_field {
    PACKET_BATTERY = 38,
    PACKET_POWER_RAILS = 40,
    PACKET_ENERGY = 77,
    PACKET_RESIDENCY = 91,
};

struct android_power {
    const struct import_file *file;
    uint32_t queue, sink;
    bool has_sink;
    struct map rails;     /* (session, index) -> track */
    struct map consumers; /* id -> name */
    struct map states;    /* entity << 32 | state -> track */
};

/* ---- batteries ---- */

static void count_battery(const struct import_file *file, int64_t ts, struct str battery,
                          const char *counter, double value)
{
    struct track_key key = probe_key(file, "battery_counter", TRACK_COUNTER);
    char name[160];
    if (battery.n)
        probe_format(name, sizeof name, "batt.%.*s.%s", STR_ARG(battery), counter);
    else
        probe_format(name, sizeof name, "batt.%s", counter);
    probe_dimension_text(file, &key, "battery_name", battery);
    probe_dimension_text(file, &key, "counter_name", str_of(counter));
    probe_count(file, ts, &key, name, NULL, value);
}

static void parse_battery(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    const struct import_file *file = packet->file;
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    struct str battery = field_str(&f, 5);
    int64_t voltage = field_int(&f, 7), current = field_int(&f, 3), product;
    if (field_has(&f, 1))
        count_battery(file, ts, battery, "charge_uah", (double)field_int(&f, 1));
    else if (field_has(&f, 6) && voltage != 0)
        count_battery(file, ts, battery, "charge_uah",
                      (double)field_int(&f, 6) * 1e6 / (double)voltage);
    if (field_has(&f, 2)) {
        struct wire_field percent = {.value = field_uint(&f, 2)};
        count_battery(file, ts, battery, "capacity_pct", (double)wire_float(&percent));
    }
    if (field_has(&f, 3)) count_battery(file, ts, battery, "current_ua", (double)current);
    if (field_has(&f, 4))
        count_battery(file, ts, battery, "current.avg_ua", (double)field_int(&f, 4));
    if (field_has(&f, 7)) count_battery(file, ts, battery, "voltage_uv", (double)voltage);
    if (field_has(&f, 3) && field_has(&f, 7) && checked_mul_int64(current, voltage, &product) &&
        product != INT64_MIN)
        count_battery(file, ts, battery, "power_mw",
                      (double)((product < 0 ? -product : product) / 1000000000));
}

/* ---- power rails ---- */

struct rail_energy {
    uint32_t track;
    int64_t packet_ts;
    double energy;
};

static uint64_t rail_key(uint64_t session, uint64_t index)
{
    return session << 32 ^ (index & 0xFFFFFFFF);
}

static void describe_rail(struct android_power *power, struct str bytes, uint64_t session)
{
    const struct import_file *file = power->file;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct str rail = field_str(&f, 2);
    struct track_key key = probe_key(file, "power_rails", TRACK_COUNTER);
    probe_dimension_text(file, &key, "name", rail);
    probe_dimension_int(&key, "session_uuid", (int64_t)session);
    char name[192];
    const char *friendly = power_rail_friendly_name(rail);
    if (friendly)
        probe_format(name, sizeof name, "power.rails.%s", friendly);
    else
        probe_format(name, sizeof name, "power.%.*s_uws", STR_ARG(rail));
    struct strpool *strings = file->import->strings;
    struct arg_list args = {0};
    arg_list_put_string(&args, strpool_intern_text(strings, "raw_name"),
                        strpool_intern(strings, rail));
    arg_list_put_string(&args, strpool_intern_text(strings, "subsystem_name"),
                        strpool_intern(strings, field_str(&f, 3)));
    struct track_info info = {.name = strpool_intern_text(strings, name), .source_args = &args};
    map_set(&power->rails, rail_key(session, field_uint(&f, 1)),
            track_intern(file->import->tracks, &key, &info));
    vec_free(&args);
}

static void sink_energy(void *owner, int64_t ts, const void *payload)
{
    struct android_power *power = owner;
    const struct rail_energy *e = payload;
    struct arg_list args = {0};
    string_id key = strpool_intern_text(power->file->import->strings, "packet_ts");
    arg_list_put_int(&args, key, e->packet_ts);
    counter_push(power->file, ts, e->track, e->energy, &args);
    vec_free(&args);
}

static void push_energy(struct android_power *power, const struct packet *packet, struct str bytes,
                        uint64_t session)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    uint64_t *track = map_get(&power->rails, rail_key(session, field_uint(&f, 1)));
    if (!track) {
        stats_add(packet->file, STAT_power_rail_unknown_index, 1);
        return;
    }
    int64_t ts = packet->ts, ns;
    if (field_has(&f, 2) && (!checked_mul_int64(field_int(&f, 2), 1000000, &ns) ||
                             !packet_clock_to_trace_time(packet, CLOCK_ID_BOOTTIME, ns, &ts)))
        return;
    struct rail_energy *e =
        sorter_push(packet->file->import->sorter, power->queue, power->sink, ts, sizeof *e);
    *e = (struct rail_energy){(uint32_t)*track, packet->ts, (double)field_uint(&f, 3)};
}

/* Times of energies are boot time; a packet without one needs no clock. */
static bool rails_have_clock(const struct packet *packet, struct str rails)
{
    struct wire w = wire_open(rails);
    struct wire_field f, time;
    int64_t ts;
    while (wire_next(&w, &f))
        if (f.number == 2 && f.type == WIRE_BYTES && wire_find(f.bytes, 2, &time))
            return packet_clock_to_trace_time(packet, CLOCK_ID_BOOTTIME, 0, &ts);
    return true;
}

static bool tokenize_rails(void *state, const struct packet *packet, struct str field)
{
    struct android_power *power = state;
    struct ftrace_fields head;
    ftrace_read_fields(&head, field);
    uint64_t session = field_uint(&head, 3);
    power->file = packet->file;
    if (!power->has_sink) {
        power->sink = sorter_add_sink(packet->file->import->sorter, sink_energy, power);
        power->queue = packet_reader_queue(packet->reader);
        power->has_sink = true;
    }
    /* While boot time is not known the reader brings the packet again. */
    if (!rails_have_clock(packet, field)) return true;
    bool any = false;
    struct wire w = wire_open(field);
    struct wire_field f;
    while (wire_next(&w, &f))
        if (f.number == 1 && f.type == WIRE_BYTES) describe_rail(power, f.bytes, session);
    for (w = wire_open(field); wire_next(&w, &f);)
        if (f.number == 2 && f.type == WIRE_BYTES) {
            push_energy(power, packet, f.bytes, session);
            any = true;
        }
    if (!any) stats_add(packet->file, STAT_power_rail_empty_packet, 1);
    return true;
}

/* ---- energy of consumers, and of the users behind them ---- */

static void describe_consumers(struct android_power *power, const struct import_file *file,
                               struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field part;
    while (wire_next(&w, &part)) {
        if (part.number != 1 || part.type != WIRE_BYTES) continue;
        struct ftrace_fields f;
        ftrace_read_fields(&f, part.bytes);
        if (!field_has(&f, 1) || !field_has(&f, 4)) {
            stats_add(file, STAT_energy_descriptor_invalid, 1);
            continue;
        }
        map_set(&power->consumers, field_uint(&f, 1),
                strpool_intern(file->import->strings, field_str(&f, 4)));
    }
}

static void count_energy(const struct import_file *file, int64_t ts, const char *type,
                         int64_t consumer, const struct ftrace_fields *user, string_id name,
                         double value)
{
    struct track_key key = probe_key(file, type, TRACK_COUNTER);
    probe_dimension_int(&key, "energy_consumer_id", consumer);
    if (user) probe_dimension_int(&key, "uid", (int32_t)field_int(user, 1));
    struct track_info info = {.name = name};
    counter_push(file, ts, track_intern(file->import->tracks, &key, &info), value, NULL);
}

static bool tokenize_energy(void *state, const struct packet *packet, struct str field)
{
    struct wire_field f;
    if (!wire_find(field, 1, &f)) return false;
    describe_consumers(state, packet->file, f.bytes);
    return false;
}

static void parse_energy(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct android_power *power = state;
    const struct import_file *file = packet->file;
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    if (!field_has(&f, 2) || !field_has(&f, 3)) {
        if (!field_has(&f, 1)) stats_add(file, STAT_energy_breakdown_missing_values, 1);
        return;
    }
    uint64_t *name = map_get(&power->consumers, field_uint(&f, 2));
    if (!name) {
        stats_add(file, STAT_energy_breakdown_missing_values, 1);
        return;
    }
    int64_t consumer = (int32_t)field_int(&f, 2);
    count_energy(file, ts, "android_energy_estimation_breakdown", consumer, NULL, (string_id)*name,
                 (double)field_int(&f, 3));
    struct wire w = wire_open(field);
    struct wire_field part;
    while (wire_next(&w, &part)) {
        if (part.number != 4 || part.type != WIRE_BYTES) continue;
        struct ftrace_fields user;
        ftrace_read_fields(&user, part.bytes);
        if (!field_has(&user, 1) || !field_has(&user, 2)) {
            stats_add(file, STAT_energy_uid_breakdown_missing_values, 1);
            continue;
        }
        count_energy(file, ts, "android_energy_estimation_breakdown_per_uid", consumer, &user,
                     (string_id)*name, (double)field_int(&user, 2));
    }
}

/* ---- how long parts of the machine were in their states ---- */

static uint64_t state_key(const struct ftrace_fields *f)
{
    return field_uint(f, 1) << 32 | (uint32_t)field_uint(f, 2);
}

static void describe_state(struct android_power *power, const struct import_file *file,
                           const struct ftrace_fields *f)
{
    if (!field_has(f, 1) || !field_has(f, 2) || !field_has(f, 3) || !field_has(f, 4)) {
        stats_add(file, STAT_entity_state_descriptor_invalid, 1);
        return;
    }
    struct track_key key = probe_key(file, "entity_state", TRACK_COUNTER);
    char name[192];
    probe_format(name, sizeof name, "Entity residency: %.*s is %.*s", STR_ARG(field_str(f, 3)),
                 STR_ARG(field_str(f, 4)));
    probe_dimension_text(file, &key, "entity_name", field_str(f, 3));
    probe_dimension_text(file, &key, "state_name", field_str(f, 4));
    map_set(&power->states, state_key(f), probe_track(file, &key, name, NULL));
}

static void parse_residency(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct android_power *power = state;
    struct wire w = wire_open(field);
    struct wire_field part;
    while (wire_next(&w, &part)) {
        struct ftrace_fields f;
        ftrace_read_fields(&f, part.bytes);
        if (part.number == 1) {
            describe_state(power, packet->file, &f);
        } else if (part.number == 2) {
            uint64_t *track = map_get(&power->states, state_key(&f));
            if (track)
                counter_push(packet->file, ts, (uint32_t)*track, (double)field_uint(&f, 3), NULL);
            else
                stats_add(packet->file, STAT_entity_state_residency_lookup_failed, 1);
        }
    }
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct android_power));
}

static void finish(void *state)
{
    struct android_power *power = state;
    map_free(&power->rails);
    map_free(&power->consumers);
    map_free(&power->states);
    mem_free(power);
}

static const struct packet_module modules[] = {
    {PACKET_BATTERY, NULL, parse_battery},
    {PACKET_POWER_RAILS, tokenize_rails, NULL},
    {PACKET_ENERGY, tokenize_energy, parse_energy},
    {PACKET_RESIDENCY, NULL, parse_residency},
};

const struct packet_source android_power_source = {
    .name = "android_power",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = sizeof modules / sizeof modules[0],
};
