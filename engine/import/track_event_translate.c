/* Names that a trace wants to be read as others: TranslationTable packets, for
 * recorders that shortened names or kept only their hashes (spec engine_2 2.7).
 * They hold for the whole trace, wherever they stand. */
#include "engine/import/track_event.h"

/* Fields of TranslationTable. */
enum {
    HISTOGRAMS = 1,
    USER_EVENTS = 2,
    MARKS = 3,
    SLICE_NAMES = 4,
    TRACK_NAMES = 5,
    STUDIES = 6,
};

/* One entry of a map: key 1, value 2. */
static void read_entry(struct track_events *te, struct str entry, struct map *out, bool by_name)
{
    struct wire w = wire_open(entry);
    struct wire_field f;
    uint64_t key = 0;
    string_id value = STRING_NULL;
    while (wire_next(&w, &f)) {
        if (f.number == 1) key = by_name ? strpool_intern(te->import->strings, f.bytes) : f.value;
        if (f.number == 2 && wire_is_bytes(&f))
            value = strpool_intern(te->import->strings, f.bytes);
    }
    if (value != STRING_NULL) map_set(out, key, value);
}

static void read_table(struct track_events *te, struct str table, uint32_t field, struct map *out,
                       bool by_name)
{
    struct wire w = wire_open(table);
    struct wire_field f;
    while (wire_next(&w, &f))
        if (f.number == field && wire_is_bytes(&f)) read_entry(te, f.bytes, out, by_name);
}

bool track_event_read_translations(void *state, const struct packet *packet, struct str field)
{
    struct track_events *te = state;
    struct track_event_translations *t = &te->translations;
    struct wire w = wire_open(field);
    struct wire_field f;
    (void)packet;
    while (wire_next(&w, &f)) {
        switch (f.number) {
        case HISTOGRAMS: read_table(te, f.bytes, 1, &t->histograms, false); break;
        case USER_EVENTS: read_table(te, f.bytes, 1, &t->user_events, false); break;
        case MARKS:
            read_table(te, f.bytes, 1, &t->sites, false);
            read_table(te, f.bytes, 2, &t->marks, false);
            break;
        case SLICE_NAMES: read_table(te, f.bytes, 1, &t->slice_names, true); break;
        case TRACK_NAMES: read_table(te, f.bytes, 1, &t->track_names, true); break;
        case STUDIES: read_table(te, f.bytes, 1, &t->studies, false); break;
        default: break;
        }
    }
    return true;
}

void track_event_free_translations(struct track_event_translations *t)
{
    map_free(&t->histograms);
    map_free(&t->user_events);
    map_free(&t->sites);
    map_free(&t->marks);
    map_free(&t->slice_names);
    map_free(&t->track_names);
    map_free(&t->studies);
}

string_id track_event_translate(const struct map *names, string_id name)
{
    const uint64_t *found = names->count ? map_get(names, name) : NULL;
    return found ? (string_id)*found : name;
}

/* Which map reads a hash, and the field that its name is put into. */
static const struct map *map_of_hash(const struct track_events *te, struct str field,
                                     const char **name)
{
    static const struct {
        const char *hash, *name;
        size_t map;
    } hashes[] = {
        {"name_hash", "name", offsetof(struct track_event_translations, histograms)},
        {"action_hash", "action", offsetof(struct track_event_translations, user_events)},
        {"site_hash", "site", offsetof(struct track_event_translations, sites)},
        {"mark_hash", "mark", offsetof(struct track_event_translations, marks)},
    };
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++) {
        if (!str_is(field, hashes[i].hash)) continue;
        *name = hashes[i].name;
        return (const struct map *)(const void *)((const char *)&te->translations + hashes[i].map);
    }
    return NULL;
}

void track_event_put_hash_name(struct track_event *e, const struct proto_field *field,
                               uint64_t hash)
{
    const char *name;
    const struct map *map = map_of_hash(e->te, field->name, &name);
    const uint64_t *found = map && map->count ? map_get(map, hash) : NULL;
    if (!found) return;
    struct arg_mark mark = arg_writer_enter(&e->te->writer, str_of(name));
    arg_writer_put_string(&e->te->writer, (string_id)*found);
    arg_writer_leave(&e->te->writer, mark);
}

/* A trigger of Chrome's background tracing: an instant beside the other triggers.
 * The rule that fired is known by the hash of its name, and by the name itself when
 * the trace translates it. */
void track_event_show_trigger(void *state, int64_t ts, const struct packet *packet,
                              struct str field)
{
    struct track_events *te = state;
    struct import *import = te->import;
    struct strpool *strings = import->strings;
    struct wire_field f;
    string_id name = strpool_intern_text(strings, "chrome_trigger");
    vec_clear(&te->args);
    if (wire_find(field, 2, &f)) {
        string_id key = strpool_intern_text(strings, "chrome_trigger.name_hash");
        const uint64_t *study =
            te->translations.studies.count ? map_get(&te->translations.studies, f.value) : NULL;
        metadata_set_int(import, packet->file, "cr-triggered_rule_name_hash", (int64_t)f.value);
        arg_list_put(&te->args, (struct arg){.flat_key = key,
                                             .key = key,
                                             .type = ARG_UINT,
                                             .value.integer = (int64_t)f.value});
        if (study)
            arg_list_put_string(&te->args, strpool_intern_text(strings, "chrome_trigger.name"),
                                (string_id)*study);
    }
    if (wire_find(field, 1, &f) && f.bytes.n) name = strpool_intern(strings, f.bytes);
    struct track_key key = {
        .type = "triggers", .event_type = TRACK_SLICE, .machine_id = packet->file->machine_id};
    struct track_info info = {.name = strpool_intern_text(strings, "Trace Triggers")};
    uint32_t track = track_intern(import->tracks, &key, &info);
    slice_scoped(packet->file, ts, 0, track, STRING_NULL, name, &te->args);
}
