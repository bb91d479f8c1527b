/* pprof's protobuf profiles (message Profile of
 * https://github.com/google/pprof/blob/main/proto/profile.proto, field numbers as
 * there; spec engine_2c §11).
 *
 * The message is walked once for each kind of entry, since a writer may put them in
 * any order: strings, functions and mappings before locations, locations before
 * samples.  Of strings only the place is kept.  There are no times
 * and no threads: samples become aggregate samples, one for each value. */
#include "engine/base/buffer.h"
#include "engine/base/vec.h"
#include "engine/import/damage.h"
#include "engine/import/id_table.h"
#include "engine/import/import.h"
#include "engine/import/stack.h"
#include "engine/proto/wire.h"

#define POLL_EVERY   4096
#define MAX_BUILD_ID 64
#define MAX_PROFILES 256
#define MAX_FRAMES   ((size_t)1 << 16)

enum profile_field {
    SAMPLE_TYPE = 1,
    SAMPLE,
    MAPPING,
    LOCATION,
    FUNCTION,
    STRING_TABLE,
    LAST_FIELD = 15
};

struct number_list VEC_OF(uint64_t);

struct function {
    string_id name, file;
    uint32_t line; /* 0: not given */
};

struct state {
    struct import *import;
    struct damage damage;
    struct str bytes;
    struct id_table mappings, functions, locations; /* row; index; frame */
    VEC(struct function) functions_read;
    VEC(uint64_t) strings;            /* see string_at */
    VEC(uint32_t) profiles;           /* row of each sample type */
    struct number_list chain, values; /* of the message in hand */
    VEC(struct stack_symbol) symbols;
    string_id empty, unknown;
    uint64_t n_fields;
};

/* Id 0 stands for "none". */
static void put_id(struct id_table *table, uint64_t id, uint64_t value)
{
    if (id != 0) id_table_put(table, id, value);
}

/* ---- strings ---- */

/* An entry is the offset of the string's tag, and its id once it was needed: a
 * long string that everything points to is hashed once. */
#define IS_ID (UINT64_C(1) << 63)

/* STRING_NULL for no such string, and for the empty one. */
static string_id string_at(struct state *state, uint64_t index)
{
    struct wire_field f;
    if (index == 0 || index >= state->strings.count) return STRING_NULL;
    uint64_t *entry = &state->strings.items[index];
    if (*entry & IS_ID) return (string_id)*entry;
    struct wire w = wire_open(str_slice(state->bytes, (size_t)*entry, state->bytes.n));
    string_id id = wire_next(&w, &f) && f.bytes.n > 0
                       ? strpool_intern(state->import->strings, f.bytes)
                       : STRING_NULL;
    *entry = IS_ID | id;
    return id;
}

static string_id string_or(struct state *state, uint64_t index, string_id otherwise)
{
    string_id id = string_at(state, index);
    return id == STRING_NULL ? otherwise : id;
}

/* ---- messages ---- */

static void read_sample_type(struct state *state, size_t at, struct str message)
{
    struct strpool *strings = state->import->strings;
    struct wire w = wire_open(message);
    struct wire_field f;
    uint64_t type = 0, unit = 0;
    if (state->profiles.count == MAX_PROFILES) {
        damage_log(&state->damage, STAT_perfetty_input_corrupt, at,
                   "more than 256 kinds of values: the rest are left out");
        return;
    }
    while (wire_next(&w, &f)) {
        if (f.number == 1) type = f.value;
        if (f.number == 2) unit = f.value;
    }
    struct aggregate_profile_row row = {
        .scope = strpool_intern_text(strings, "pprof_file"),
        .sample_type_type = string_or(state, type, strpool_intern_text(strings, "unknown")),
        .sample_type_unit = string_or(state, unit, strpool_intern_text(strings, "count"))};
    struct buffer name = BUFFER_INIT;
    buffer_append_text(&name, "pprof ");
    buffer_append_str(&name, strpool_get(strings, row.sample_type_type));
    row.name = strpool_intern(strings, buffer_str(&name));
    buffer_free(&name);
    vec_push(&state->profiles,
             aggregate_profile_append(&state->import->tables->aggregate_profile, &row));
}

/* The reference shows the text's bytes in hex, whatever they are. */
static string_id build_id_of(struct state *state, uint64_t index)
{
    static const char DIGITS[] = "0123456789abcdef";
    struct str text = strpool_get(state->import->strings, string_at(state, index));
    char hex[2 * MAX_BUILD_ID];
    if (text.n > MAX_BUILD_ID) text.n = MAX_BUILD_ID;
    for (size_t i = 0; i < text.n; i++) {
        hex[2 * i] = DIGITS[(uint8_t)text.p[i] >> 4];
        hex[2 * i + 1] = DIGITS[text.p[i] & 15];
    }
    return strpool_intern(state->import->strings, (struct str){hex, 2 * text.n});
}

static void read_mapping(struct state *state, size_t at, struct str message)
{
    (void)at;
    struct stack_mapping mapping = {.build_id = state->empty, .name = state->unknown};
    struct wire w = wire_open(message);
    struct wire_field f;
    uint64_t id = 0;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: id = f.value; break;
        case 2: mapping.start = (int64_t)f.value; break;
        case 3: mapping.end = (int64_t)f.value; break;
        case 4: mapping.exact_offset = (int64_t)f.value; break;
        case 5: mapping.name = string_or(state, f.value, state->unknown); break;
        case 6: mapping.build_id = build_id_of(state, f.value); break;
        default: break;
        }
    put_id(&state->mappings, id, stack_mapping_intern(state->import->stacks, &mapping));
}

static uint32_t line_number(uint64_t line)
{
    return line < UINT32_MAX ? (uint32_t)line : 0;
}

static void read_function(struct state *state, size_t at, struct str message)
{
    (void)at;
    struct wire w = wire_open(message);
    struct wire_field f;
    struct function function = {.name = state->unknown};
    uint64_t id = 0;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: id = f.value; break;
        case 2: function.name = string_or(state, f.value, state->unknown); break;
        case 4: function.file = string_at(state, f.value); break;
        case 5: function.line = line_number(f.value); break;
        default: break;
        }
    put_id(&state->functions, id, state->functions_read.count);
    vec_push(&state->functions_read, function);
}

/* A line of a location: the function's name and place.  False when there is no
 * such function. */
static bool read_line(struct state *state, struct str message, struct stack_symbol *symbol)
{
    uint64_t id = 0, index;
    uint32_t line = 0;
    struct wire w = wire_open(message);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 1) id = f.value;
        if (f.number == 2) line = line_number(f.value);
    }
    if (!id_table_get(&state->functions, id, &index)) return false;
    const struct function *function = &state->functions_read.items[index];
    if (line == 0) line = function->line;
    symbol->name = function->name;
    symbol->source_file = function->file;
    symbol->line = (struct opt_uint32){line > 0, line};
    return true;
}

static void read_location(struct state *state, size_t at, struct str message)
{
    (void)at;
    struct stack_tracker *stacks = state->import->stacks;
    struct stack_mapping dummy = {.build_id = state->empty, .name = state->unknown, .end = -1};
    struct wire w = wire_open(message);
    struct wire_field f;
    uint64_t id = 0, mapping_id = 0, address = 0, row;
    vec_clear(&state->symbols);
    while (wire_next(&w, &f)) {
        struct stack_symbol symbol = {0};
        if (f.number == 1) id = f.value;
        if (f.number == 2) mapping_id = f.value;
        if (f.number == 3) address = f.value;
        if (f.number == 4 && state->symbols.count < MAX_FRAMES && wire_is_bytes(&f) &&
            read_line(state, f.bytes, &symbol))
            vec_push(&state->symbols, symbol);
    }
    size_t n = state->symbols.count;
    for (size_t i = 0; i < n; i++)
        state->symbols.items[i].inlined = some_uint32(i + 1 < n);
    if (!id_table_get(&state->mappings, mapping_id, &row)) row = stack_mapping_add(stacks, &dummy);
    const struct column *starts = &state->import->tables->stack_profile_mapping.start;
    uint64_t start = (uint64_t)column_get_int64(starts, (uint32_t)row);
    if (start > 0 && address >= start) address -= start;
    string_id name = n > 0 ? state->symbols.items[0].name : state->unknown;
    uint32_t frame = stack_frame_intern(stacks, name, (uint32_t)row, (int64_t)address);
    stack_frame_set_symbols(stacks, frame, state->symbols.items, n);
    put_id(&state->locations, id, frame);
}

/* Numbers are packed, or one a field.  False when there are more than `most`. */
static bool push_numbers(struct number_list *list, const struct wire_field *f, size_t most)
{
    struct wire packed = wire_open(f->bytes);
    uint64_t number = f->value;
    if (!wire_is_bytes(f)) {
        if (list->count == most) return false;
        vec_push(list, number);
    }
    while (packed.at < packed.end && wire_varint(&packed, &number)) {
        if (list->count == most) return false;
        vec_push(list, number);
    }
    return true;
}

static void read_sample(struct state *state, size_t at, struct str message)
{
    struct wire w = wire_open(message);
    struct wire_field f;
    uint32_t callsite = NULL_UINT32;
    uint64_t frame;
    vec_clear(&state->chain);
    vec_clear(&state->values);
    while (wire_next(&w, &f)) {
        if (f.number == 1 && !push_numbers(&state->chain, &f, MAX_FRAMES))
            damage_log(&state->damage, STAT_perfetty_input_corrupt, at,
                       "a call stack of more than 65536 frames was cut");
        if (f.number == 2) push_numbers(&state->values, &f, state->profiles.count);
    }
    for (size_t i = state->chain.count; i-- > 0;)
        if (id_table_get(&state->locations, state->chain.items[i], &frame))
            callsite = stack_callsite_intern(state->import->stacks, callsite, (uint32_t)frame, 0);
    if (callsite == NULL_UINT32) return;
    for (size_t i = 0; i < state->values.count; i++) {
        struct aggregate_sample_row row = {.aggregate_profile_id = state->profiles.items[i],
                                           .callsite_id = callsite,
                                           .value = (double)(int64_t)state->values.items[i]};
        aggregate_sample_append(&state->import->tables->aggregate_sample, &row);
    }
}

/* ---- the file ---- */

static bool is_cancelled(struct state *state)
{
    return ++state->n_fields % POLL_EVERY == 0 && cancel_is_requested(state->import->cancel);
}

/* Calls `read` for each top-level message of that field. */
static void walk(struct state *state, uint32_t field,
                 void (*read)(struct state *state, size_t at, struct str message))
{
    const uint8_t *start = (const uint8_t *)state->bytes.p;
    struct wire w = wire_open(state->bytes);
    struct wire_field f;
    for (;;) {
        size_t at = (size_t)(w.at - start);
        if (!wire_next(&w, &f) || is_cancelled(state)) return;
        if (f.number == field && wire_is_bytes(&f)) read(state, at, f.bytes);
    }
}

static void find_strings(struct state *state)
{
    const uint8_t *start = (const uint8_t *)state->bytes.p;
    struct wire w = wire_open(state->bytes);
    struct wire_field f;
    for (;;) {
        size_t at = (size_t)(w.at - start);
        if (!wire_next(&w, &f)) {
            if (w.bad)
                damage_log(&state->damage, STAT_perfetty_input_truncated, at,
                           "the profile ends inside a field");
            return;
        }
        if (f.number == STRING_TABLE && wire_is_bytes(&f)) vec_push(&state->strings, at);
    }
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct state state = {.import = file->import, .damage.file = file, .bytes = bytes};
    state.empty = strpool_intern_text(file->import->strings, "");
    state.unknown = strpool_intern_text(file->import->strings, "[unknown]");
    find_strings(&state);
    bool good = state.strings.count > 0;
    if (good) {
        walk(&state, SAMPLE_TYPE, read_sample_type);
        walk(&state, MAPPING, read_mapping);
        walk(&state, FUNCTION, read_function);
        walk(&state, LOCATION, read_location);
        walk(&state, SAMPLE, read_sample);
        import_progress(file->import, bytes.n);
    } else {
        status_fail(st, STATUS_CORRUPT, 0, "Invalid pprof: empty string table");
    }
    id_table_free(&state.mappings);
    id_table_free(&state.functions);
    id_table_free(&state.locations);
    vec_free(&state.functions_read);
    vec_free(&state.strings);
    vec_free(&state.profiles);
    vec_free(&state.chain);
    vec_free(&state.values);
    vec_free(&state.symbols);
    return good;
}

static bool is_profile_field(const struct wire_field *f)
{
    static const char BYTES_FIELDS[] = {1, 2, 3, 4, 5, 6, 11, 13};
    static const char NUMBER_FIELDS[] = {7, 8, 9, 10, 12, 13, 14};
    if (f->number == 0 || f->number > LAST_FIELD) return false;
    return f->type == WIRE_BYTES ? memchr(BYTES_FIELDS, (int)f->number, sizeof BYTES_FIELDS) != NULL
                                 : f->type == WIRE_VARINT && memchr(NUMBER_FIELDS, (int)f->number,
                                                                    sizeof NUMBER_FIELDS) != NULL;
}

/* Every top-level field is one of Profile's, with its wire type.  The last may be
 * cut off when the profile begins as writers begin it: with a sample type. */
static bool sniff(struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    bool has_content = false;
    if (bytes.n < 10) return false;
    while (wire_next(&w, &f)) {
        if (!is_profile_field(&f)) return false;
        has_content |= f.number >= SAMPLE && f.number <= STRING_TABLE;
    }
    return has_content && (!w.bad || bytes.p[0] == (SAMPLE_TYPE << 3 | WIRE_BYTES));
}

const struct importer importer_pprof = {
    .name = "pprof",
    .detection_priority = 220,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_NONE,
    .sniff = sniff,
    .tokenize = tokenize,
};
