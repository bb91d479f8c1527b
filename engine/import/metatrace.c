/* What the recorder traced of itself (spec engine_2 2.7, proto perfetto_metatrace):
 * slices and counters on its threads.  Names are interned for the whole sequence. */
#include "engine/import/packet.h"

#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"

enum { PACKET_METATRACE = 49 };

enum metatrace_field {
    META_EVENT_ID = 1,
    META_COUNTER_ID = 2,
    META_DURATION = 3,
    META_VALUE = 4,
    META_THREAD = 5,
    META_OVERRUNS = 6,
    META_ARG = 7,
    META_EVENT_NAME = 8,
    META_COUNTER_NAME = 9,
    META_STRING = 10,
    META_EVENT_NAME_IID = 11,
};

struct metatrace {
    struct map strings; /* hash of (sequence, iid) -> string_id */
    struct map seen;    /* key of an arg -> how often; of the event being read */
    struct arg_list args;
};

static uint64_t string_key(const struct packet *packet, uint64_t iid)
{
    return hash_mix(packet->sequence ? sequence_id(packet->sequence) : 0, iid);
}

static string_id text_of(const struct metatrace *m, const struct packet *packet,
                         const struct ftrace_fields *f, uint32_t text, uint32_t iid)
{
    if (field_has(f, text))
        return strpool_intern(packet->file->import->strings, field_str(f, text));
    const uint64_t *id =
        field_has(f, iid) ? map_get(&m->strings, string_key(packet, field_uint(f, iid))) : NULL;
    return id ? (string_id)*id : STRING_NULL;
}

/* A key that comes again makes an array. */
static void put_arg(struct metatrace *m, const struct packet *packet, struct str bytes)
{
    struct strpool *strings = packet->file->import->strings;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    string_id flat_key = text_of(m, packet, &f, 1, 3), key = flat_key;
    if (flat_key == STRING_NULL) return;
    bool added;
    uint64_t *n = map_put_if_absent(&m->seen, flat_key, 1, &added);
    if (!added) {
        char name[160];
        struct str base = strpool_get(strings, flat_key);
        probe_format(name, sizeof name, "%.*s[%u]", (int)(base.n < 128 ? base.n : 128), base.p,
                     (unsigned)(*n)++);
        key = strpool_intern_text(strings, name);
    }
    arg_list_put(&m->args, (struct arg){.flat_key = flat_key,
                                        .key = key,
                                        .type = ARG_STRING,
                                        .value.string = text_of(m, packet, &f, 2, 4)});
}

static string_id numbered(const struct packet *packet, const char *what, uint64_t number)
{
    char name[32];
    probe_format(name, sizeof name, "%s %u", what, (unsigned)number);
    return strpool_intern_text(packet->file->import->strings, name);
}

static void read_parts(struct metatrace *m, const struct packet *packet, struct str field)
{
    struct wire w = wire_open(field);
    struct wire_field part;
    vec_clear(&m->args);
    map_clear(&m->seen);
    while (wire_next(&w, &part)) {
        if (part.number != META_STRING || part.type != WIRE_BYTES) continue;
        struct ftrace_fields f;
        ftrace_read_fields(&f, part.bytes);
        map_set(&m->strings, string_key(packet, field_uint(&f, 1)),
                strpool_intern(packet->file->import->strings, field_str(&f, 2)));
    }
    for (w = wire_open(field); wire_next(&w, &part);)
        if (part.number == META_ARG && part.type == WIRE_BYTES) put_arg(m, packet, part.bytes);
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct metatrace *m = state;
    const struct import_file *file = packet->file;
    struct ftrace_fields f;
    ftrace_read_fields(&f, field);
    read_parts(m, packet, field);
    uint32_t utid = thread_intern(file, (uint32_t)field_uint(&f, META_THREAD));
    string_id name = text_of(m, packet, &f, META_EVENT_NAME, META_EVENT_NAME_IID);
    bool is_event = field_has(&f, META_EVENT_ID) || field_has(&f, META_EVENT_NAME) ||
                    field_has(&f, META_EVENT_NAME_IID);
    if (is_event) {
        if (name == STRING_NULL) name = numbered(packet, "Event", field_uint(&f, META_EVENT_ID));
        uint32_t track = track_of_thread(file->import->tracks, file->machine_id, utid);
        slice_scoped(file, ts, field_int(&f, META_DURATION), track,
                     strpool_intern_text(file->import->strings, "metatrace"), name, &m->args);
    } else if (field_has(&f, META_COUNTER_ID) || field_has(&f, META_COUNTER_NAME)) {
        name = field_has(&f, META_COUNTER_NAME)
                   ? strpool_intern(file->import->strings, field_str(&f, META_COUNTER_NAME))
                   : numbered(packet, "Counter", field_uint(&f, META_COUNTER_ID));
        struct track_key key = probe_key(file, "metatrace_counter", TRACK_COUNTER);
        probe_dimension_int(&key, "utid", utid);
        key.dimensions[key.n_dimensions++] = dimension_string("counter_name", name);
        struct track_info info = {.name = name};
        counter_push(file, ts, track_intern(file->import->tracks, &key, &info),
                     (double)(int32_t)field_int(&f, META_VALUE), &m->args);
    }
    if (field_uint(&f, META_OVERRUNS)) stats_add(file, STAT_metatrace_overruns, 1);
}

static void *create(struct packet_reader *reader)
{
    (void)reader;
    return mem_zero(1, sizeof(struct metatrace));
}

static void finish(void *state)
{
    struct metatrace *m = state;
    map_free(&m->strings);
    map_free(&m->seen);
    vec_free(&m->args);
    mem_free(m);
}

static const struct packet_module modules[] = {{PACKET_METATRACE, NULL, parse}};

const struct packet_source metatrace_source = {
    .name = "metatrace",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = 1,
};
