/* A flamegraph as a pprof profile (github.com/google/pprof, proto/profile.proto),
 * not compressed: a location and a function for each frame. */
#include <math.h>

#include "commands/flame_export.h"
#include "engine/base/memory.h"

enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE,
    PROFILE_MAPPING,
    PROFILE_LOCATION,
    PROFILE_FUNCTION,
    PROFILE_STRINGS
};
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

struct writer {
    struct buffer *out;
    struct strmap strings; /* text → place in the string table */
    VEC(struct str) texts; /* in that order; borrowed from the profile */
    struct buffer part, inner;
};

static void varint(struct buffer *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        buffer_append_byte(out, (char)(value | 0x80));
    buffer_append_byte(out, (char)value);
}

static void number(struct buffer *out, unsigned field, uint64_t value)
{
    varint(out, (uint64_t)field << 3);
    varint(out, value);
}

static void bytes(struct buffer *out, unsigned field, struct str value)
{
    varint(out, (uint64_t)field << 3 | 2);
    varint(out, value.n);
    buffer_append_str(out, value);
}

static uint64_t string(struct writer *w, struct str text)
{
    if (!text.n) return 0;
    bool added;
    uint64_t *slot = strmap_put_if_absent(&w->strings, text, w->texts.count, &added);
    uint64_t at = *slot;
    if (added) vec_push(&w->texts, text);
    return at;
}

static void write_type(struct writer *w, const char *name, const char *unit)
{
    buffer_clear(&w->part);
    number(&w->part, TYPE_TYPE, string(w, str_of(name)));
    number(&w->part, TYPE_UNIT, string(w, str_of(unit)));
    bytes(w->out, PROFILE_SAMPLE_TYPE, buffer_str(&w->part));
}

static void write_samples(struct writer *w, const struct flame_tree *tree, bool compares)
{
    for (uint32_t i = 1; i < tree->nodes.count && !w->out->overflowed; i++) {
        const struct flame_node *node = &tree->nodes.items[i];
        long long now = llround(node->self[0]), base = llround(node->self[1]);
        if (now <= 0 && (base <= 0 || !compares)) continue;
        buffer_clear(&w->part);
        buffer_clear(&w->inner);
        for (uint32_t at = i; at != 0; at = tree->nodes.items[at].parent)
            varint(&w->inner, (uint64_t)tree->nodes.items[at].frame + 1);
        bytes(&w->part, SAMPLE_LOCATIONS, buffer_str(&w->inner));
        buffer_clear(&w->inner);
        varint(&w->inner, (uint64_t)now);
        if (compares) varint(&w->inner, (uint64_t)base);
        bytes(&w->part, SAMPLE_VALUES, buffer_str(&w->inner));
        bytes(w->out, PROFILE_SAMPLE, buffer_str(&w->part));
    }
}

/* Number of the mapping; 0 for none. */
static uint64_t write_mapping(struct writer *w, struct strmap *mappings, struct str name)
{
    if (!name.n) return 0;
    bool added;
    uint64_t id = *strmap_put_if_absent(mappings, name, mappings->count + 1, &added);
    if (!added) return id;
    buffer_clear(&w->part);
    number(&w->part, MAPPING_ID, id);
    number(&w->part, MAPPING_FILE, string(w, name));
    number(&w->part, MAPPING_HAS_FUNCTIONS, 1);
    bytes(w->out, PROFILE_MAPPING, buffer_str(&w->part));
    return id;
}

static void write_frame(struct writer *w, const struct flame_frame *frame, uint64_t id,
                        uint64_t mapping)
{
    buffer_clear(&w->inner);
    number(&w->inner, LINE_FUNCTION, id);
    if (frame->line) number(&w->inner, LINE_LINE, frame->line);
    buffer_clear(&w->part);
    number(&w->part, LOCATION_ID, id);
    if (mapping) number(&w->part, LOCATION_MAPPING, mapping);
    bytes(&w->part, LOCATION_LINE, buffer_str(&w->inner));
    bytes(w->out, PROFILE_LOCATION, buffer_str(&w->part));
    buffer_clear(&w->part);
    number(&w->part, FUNCTION_ID, id);
    number(&w->part, FUNCTION_NAME, string(w, frame->name));
    number(&w->part, FUNCTION_SYSTEM_NAME, string(w, frame->name));
    if (frame->file.n) number(&w->part, FUNCTION_FILE, string(w, frame->file));
    bytes(w->out, PROFILE_FUNCTION, buffer_str(&w->part));
}

void flame_export_pprof(const struct flame_export *what, const struct flame_tree *tree,
                        struct buffer *out)
{
    struct writer w = {.out = out};
    struct strmap mappings = {0};
    uint8_t *used = mem_zero(what->profile->frames.count + 1, 1);
    vec_push(&w.texts, STR("")); /* place 0 is the empty string */
    write_type(&w, what->metric->name, what->metric->unit);
    if (what->look->compares) write_type(&w, "base", what->metric->unit);
    write_samples(&w, tree, what->look->compares);
    for (size_t i = 1; i < tree->nodes.count; i++)
        used[tree->nodes.items[i].frame] = 1;
    for (size_t i = 0; i < what->profile->frames.count; i++) {
        const struct flame_frame *frame = &what->profile->frames.items[i];
        if (used[i]) write_frame(&w, frame, i + 1, write_mapping(&w, &mappings, frame->mapping));
    }
    for (size_t i = 0; i < w.texts.count; i++)
        bytes(out, PROFILE_STRINGS, w.texts.items[i]);
    mem_free(used);
    strmap_free(&mappings);
    strmap_free(&w.strings);
    vec_free(&w.texts);
    buffer_free(&w.part);
    buffer_free(&w.inner);
}
