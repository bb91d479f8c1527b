#include "engine/import/packet_reader.h"

#include "engine/import/stats.h"
#include "engine/proto/wire.h"

/* Interned entries are found by (field, iid).  Ids are small and dense as a rule:
 * those have arrays, the others a map. */

#define DENSE_FIELDS 64
#define DENSE_IIDS   8192

struct interned_entry {
    struct str bytes;
    string_id text; /* of field 2; see has_text */
    bool has_text;
};

struct dense_field {
    uint32_t *entries; /* number + 1, 0 absent */
    uint32_t capacity;
};

struct interned {
    uint32_t references;
    struct dense_field dense[DENSE_FIELDS];
    struct map others; /* field << 48 ^ iid */
    VEC(struct interned_entry) entries;
};

struct generation {
    uint32_t references;
    struct interned *interned; /* NULL until there is some; shared by generations */
    struct str defaults;
    uint32_t default_clock_id;
    struct generation **list; /* of the set */
    struct generation *previous, *next;
};

/* ---- interned data ---- */

static void interned_release(struct interned *interned)
{
    if (!interned || --interned->references) return;
    for (int i = 0; i < DENSE_FIELDS; i++)
        mem_free(interned->dense[i].entries);
    map_free(&interned->others);
    vec_free(&interned->entries);
    mem_free(interned);
}

static uint64_t sparse_key(uint32_t field, uint64_t iid)
{
    return (uint64_t)field << 48 ^ iid;
}

static struct interned_entry *interned_find(struct interned *interned, uint32_t field, uint64_t iid)
{
    if (!interned) return NULL;
    if (field < DENSE_FIELDS && iid < DENSE_IIDS) {
        const struct dense_field *dense = &interned->dense[field];
        if (iid >= dense->capacity || dense->entries[iid] == 0) return NULL;
        return &interned->entries.items[dense->entries[iid] - 1];
    }
    const uint64_t *at = map_get(&interned->others, sparse_key(field, iid));
    return at ? &interned->entries.items[*at] : NULL;
}

static void interned_put(struct interned *interned, uint32_t field, uint64_t iid, struct str bytes)
{
    if (interned_find(interned, field, iid)) return; /* the first one stays */
    if (field < DENSE_FIELDS && iid < DENSE_IIDS) {
        struct dense_field *dense = &interned->dense[field];
        if (iid >= dense->capacity) {
            uint32_t capacity = dense->capacity ? dense->capacity : 32;
            while (capacity <= iid)
                capacity *= 2;
            dense->entries = mem_resize(dense->entries, capacity * sizeof *dense->entries);
            memset(dense->entries + dense->capacity, 0,
                   (capacity - dense->capacity) * sizeof *dense->entries);
            dense->capacity = capacity;
        }
        dense->entries[iid] = (uint32_t)interned->entries.count + 1;
    } else {
        map_set(&interned->others, sparse_key(field, iid), interned->entries.count);
    }
    vec_push(&interned->entries, (struct interned_entry){bytes, STRING_NULL, false});
}

static struct interned_entry *entry_of(const struct packet *packet, uint32_t field, uint64_t iid)
{
    struct interned_entry *entry =
        packet->generation ? interned_find(packet->generation->interned, field, iid) : NULL;
    if (!entry) stats_add(packet->file, STAT_interned_data_tokenizer_errors, 1);
    return entry;
}

bool packet_interned(const struct packet *packet, uint32_t field, uint64_t iid, struct str *bytes)
{
    const struct interned_entry *entry = entry_of(packet, field, iid);
    if (entry) *bytes = entry->bytes;
    return entry != NULL;
}

string_id packet_interned_string(const struct packet *packet, uint32_t field, uint64_t iid)
{
    struct interned_entry *entry = entry_of(packet, field, iid);
    if (!entry) return STRING_NULL;
    if (!entry->has_text) {
        struct wire_field f;
        if (wire_find(entry->bytes, 2, &f) && wire_is_bytes(&f))
            entry->text = strpool_intern(packet->file->import->strings, f.bytes);
        entry->has_text = true;
    }
    return entry->text;
}

/* ---- generations ---- */

static struct generation *generation_new(struct sequence_set *set)
{
    struct generation *generation = mem_zero(1, sizeof *generation);
    generation->references = 1;
    generation->list = &set->generations;
    generation->next = set->generations;
    if (generation->next) generation->next->previous = generation;
    set->generations = generation;
    return generation;
}

static void generation_free(struct generation *generation)
{
    if (generation->previous)
        generation->previous->next = generation->next;
    else
        *generation->list = generation->next;
    if (generation->next) generation->next->previous = generation->previous;
    interned_release(generation->interned);
    mem_free(generation);
}

struct generation *packet_hold(struct generation *generation)
{
    if (generation) generation->references++;
    return generation;
}

void packet_release(struct generation *generation)
{
    if (generation && --generation->references == 0) generation_free(generation);
}

uint32_t generation_default_clock(const struct generation *generation)
{
    return generation ? generation->default_clock_id : 0;
}

struct str packet_default(const struct packet *packet, uint32_t field)
{
    struct wire_field f;
    if (!packet->generation || packet->generation->defaults.n == 0) return STR_NONE;
    return wire_find(packet->generation->defaults, field, &f) ? f.bytes : STR_NONE;
}

/* ---- sequences ---- */

struct sequence *sequence_intern(struct sequence_set *set, uint32_t id)
{
    if (set->last && set->last->id == id) return set->last;
    bool added;
    uint64_t *at = map_put_if_absent(&set->by_id, id, set->items.count, &added);
    if (added) {
        struct sequence *sequence = mem_zero(1, sizeof *sequence);
        sequence->id = id;
        sequence->current = generation_new(set);
        vec_push(&set->items, sequence);
        return set->last = sequence;
    }
    return set->last = set->items.items[*at];
}

void sequence_set_free(struct sequence_set *set)
{
    /* Also those that events hold which were never parsed. */
    while (set->generations)
        generation_free(set->generations);
    for (size_t i = 0; i < set->items.count; i++)
        mem_free(set->items.items[i]);
    vec_free(&set->items);
    map_free(&set->by_id);
}

static void replace(struct sequence *sequence, struct generation *generation)
{
    packet_release(sequence->current);
    sequence->current = generation;
}

void sequence_clear(struct sequence_set *set, struct sequence *sequence)
{
    replace(sequence, generation_new(set));
    sequence->is_valid = true;
}

void sequence_set_defaults(struct sequence_set *set, struct sequence *sequence, struct str defaults)
{
    struct wire_field f;
    struct generation *generation = sequence->current;
    if (generation->defaults.p) {
        generation = generation_new(set);
        generation->interned = sequence->current->interned;
        if (generation->interned) generation->interned->references++;
        replace(sequence, generation);
    }
    generation->defaults = defaults;
    generation->default_clock_id =
        wire_find(defaults, 58, &f) && f.type == WIRE_VARINT ? (uint32_t)f.value : 0;
}

void sequence_add_interned(const struct import_file *file, struct sequence *sequence,
                           struct str interned_data)
{
    struct wire w = wire_open(interned_data);
    struct wire_field f, iid;
    struct generation *generation = sequence->current;
    if (!generation->interned) {
        generation->interned = mem_zero(1, sizeof *generation->interned);
        generation->interned->references = 1;
    }
    while (wire_next(&w, &f)) {
        if (!wire_is_bytes(&f)) continue;
        if (wire_find(f.bytes, 1, &iid) && iid.type == WIRE_VARINT)
            interned_put(generation->interned, f.number, iid.value, f.bytes);
        else
            stats_add(file, STAT_interned_data_tokenizer_errors, 1);
    }
    if (w.bad) stats_add(file, STAT_interned_data_tokenizer_errors, 1);
}

uint32_t sequence_id(const struct sequence *sequence)
{
    return sequence->id;
}

void **sequence_slot(struct sequence *sequence, enum sequence_slot slot)
{
    return &sequence->slots[slot];
}
