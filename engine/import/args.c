#include "engine/import/args.h"

#include <string.h>

#include "engine/base/hash.h"

/* Sets are found by a 64-bit hash of their content, in a table of open addressing.
 * Equal hashes are taken for equal sets: to compare contents would cost a cache
 * miss for each column, and whoever forges a collision mislabels his own events. */
struct slot {
    uint64_t hash;
    uint32_t set; /* NULL_UINT32: empty */
};

struct args_tracker {
    struct import *import;
    struct slot *slots;
    uint32_t capacity, count;
    string_id type_names[ARG_NULL + 1];
};

void arg_list_put(struct arg_list *list, struct arg arg)
{
    vec_push(list, arg);
}

void arg_list_put_int(struct arg_list *list, string_id key, int64_t value)
{
    vec_push(list,
             (struct arg){.flat_key = key, .key = key, .type = ARG_INT, .value.integer = value});
}

void arg_list_put_string(struct arg_list *list, string_id key, string_id value)
{
    vec_push(list,
             (struct arg){.flat_key = key, .key = key, .type = ARG_STRING, .value.string = value});
}

void arg_list_put_bool(struct arg_list *list, string_id key, bool value)
{
    vec_push(list,
             (struct arg){.flat_key = key, .key = key, .type = ARG_BOOL, .value.integer = value});
}

void arg_list_put_real(struct arg_list *list, string_id key, double value)
{
    vec_push(list,
             (struct arg){.flat_key = key, .key = key, .type = ARG_REAL, .value.real = value});
}

static const char *const TYPE_NAMES[] = {
    [ARG_INT] = "int",         [ARG_UINT] = "uint", [ARG_STRING] = "string", [ARG_REAL] = "real",
    [ARG_POINTER] = "pointer", [ARG_BOOL] = "bool", [ARG_JSON] = "json",     [ARG_NULL] = "null",
};

static void double_slots(struct args_tracker *args)
{
    uint32_t capacity = args->capacity ? args->capacity * 2 : 1024;
    struct slot *slots = mem_map(capacity * sizeof *slots);
    memset(slots, 0xFF, capacity * sizeof *slots);
    for (uint32_t i = 0; i < args->capacity; i++) {
        if (args->slots[i].set == NULL_UINT32) continue;
        size_t k = args->slots[i].hash >> 16 & (capacity - 1);
        while (slots[k].set != NULL_UINT32)
            k = (k + 1) & (capacity - 1);
        slots[k] = args->slots[i];
    }
    mem_unmap(args->slots, args->capacity * sizeof *slots);
    args->slots = slots;
    args->capacity = capacity;
}

struct args_tracker *args_new(struct import *import)
{
    struct args_tracker *args = mem_zero(1, sizeof *args);
    args->import = import;
    for (int i = 0; i <= ARG_NULL; i++)
        args->type_names[i] = strpool_intern_text(import->strings, TYPE_NAMES[i]);
    double_slots(args);
    return args;
}

void args_free(struct args_tracker *args)
{
    if (!args) return;
    mem_unmap(args->slots, args->capacity * sizeof *args->slots);
    mem_free(args);
}

/* ---- order and repeats ---- */

static uint64_t order_of(const struct arg *arg)
{
    return (uint64_t)arg->flat_key << 32 | arg->key;
}

static void merge_sort(struct arg *items, struct arg *spare, size_t n)
{
    if (n <= 16) {
        for (size_t i = 1; i < n; i++) {
            struct arg moving = items[i];
            uint64_t order = order_of(&moving);
            size_t k = i;
            for (; k > 0 && order < order_of(&items[k - 1]); k--)
                items[k] = items[k - 1];
            items[k] = moving;
        }
        return;
    }
    size_t half = n / 2, a = 0, b = half, out = 0;
    merge_sort(items, spare, half);
    merge_sort(items + half, spare, n - half);
    memcpy(spare, items, half * sizeof *items);
    while (a < half && b < n)
        items[out++] = order_of(&items[b]) < order_of(&spare[a]) ? items[b++] : spare[a++];
    memcpy(items + out, spare + a, (half - a) * sizeof *items);
}

/* In order of (flat key, key); of args with the same key only the last stays. */
static void put_in_order(struct arg_list *list)
{
    bool ascends = true;
    for (size_t i = 1; i < list->count && ascends; i++)
        ascends = order_of(&list->items[i - 1]) < order_of(&list->items[i]);
    if (ascends) return;
    struct arg *spare = list->count > 16 ? mem_alloc(list->count * sizeof *spare) : NULL;
    merge_sort(list->items, spare, list->count);
    mem_free(spare);
    size_t kept = 0;
    for (size_t i = 1; i < list->count; i++) {
        if (order_of(&list->items[i]) != order_of(&list->items[kept])) kept++;
        list->items[kept] = list->items[i];
    }
    list->count = kept + 1;
}

/* ---- sets ---- */

static uint64_t bits_of(const struct arg *arg)
{
    if (arg->type == ARG_STRING || arg->type == ARG_JSON) return arg->value.string;
    if (arg->type == ARG_NULL) return 0;
    uint64_t bits;
    memcpy(&bits, &arg->value, sizeof bits);
    return bits;
}

static uint64_t hash_of(const struct arg_list *list)
{
    uint64_t hash = list->count;
    for (size_t i = 0; i < list->count; i++) {
        const struct arg *arg = &list->items[i];
        hash = hash_mix(hash, order_of(arg));
        hash = hash_mix(hash, bits_of(arg) * 8 + arg->type);
    }
    return hash;
}

static uint32_t append_set(struct args_tracker *args, const struct arg_list *list)
{
    struct args_table *t = &args->import->tables->args;
    uint32_t set = table_rows(&t->table);
    for (size_t i = 0; i < list->count; i++) {
        const struct arg *arg = &list->items[i];
        struct args_row row = {.arg_set_id = set,
                               .flat_key = arg->flat_key,
                               .key = arg->key,
                               .value_type = args->type_names[arg->type]};
        switch (arg->type) {
        case ARG_STRING:
        case ARG_JSON: row.string_value = arg->value.string; break;
        case ARG_REAL: row.real_value = some_double(arg->value.real); break;
        case ARG_NULL: break;
        default: row.int_value = some_int64(arg->value.integer); break;
        }
        args_append(t, &row);
    }
    return set;
}

uint32_t args_commit(struct args_tracker *args, struct arg_list *list)
{
    if (list->count == 0) return NULL_UINT32;
    put_in_order(list);
    uint64_t hash = hash_of(list);
    if (args->count >= args->capacity / 4 * 3) double_slots(args);
    size_t i = hash >> 16 & (args->capacity - 1);
    while (args->slots[i].set != NULL_UINT32 && args->slots[i].hash != hash)
        i = (i + 1) & (args->capacity - 1);
    if (args->slots[i].set == NULL_UINT32) {
        args->slots[i] = (struct slot){hash, append_set(args, list)};
        args->count++;
    }
    vec_clear(list);
    return args->slots[i].set;
}

static enum arg_type type_of_name(const char *name)
{
    for (int i = 0; i < ARG_NULL; i++)
        if (TYPE_NAMES[i][0] == name[0]) return (enum arg_type)i; /* all begin differently */
    return ARG_NULL;
}

void args_read(const struct tables *tables, uint32_t set, struct arg_list *out)
{
    const struct args_table *t = &tables->args;
    uint32_t rows = table_rows(&t->table);
    if (set == NULL_UINT32) return;
    for (uint32_t row = set; row < rows && column_uint32(&t->arg_set_id)[row] == set; row++) {
        struct arg arg = {.flat_key = column_get_string(&t->flat_key, row),
                          .key = column_get_string(&t->key, row),
                          .type = type_of_name(strpool_text(
                              tables->strings, column_get_string(&t->value_type, row)))};
        switch (arg.type) {
        case ARG_STRING:
        case ARG_JSON: arg.value.string = column_get_string(&t->string_value, row); break;
        case ARG_REAL: arg.value.real = column_get_double(&t->real_value, row); break;
        case ARG_NULL: break;
        default: arg.value.integer = column_get_int64(&t->int_value, row); break;
        }
        vec_push(out, arg);
    }
}
