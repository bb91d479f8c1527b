/* Intersection of intervals of several tables, partition by partition.
 *
 * __intrinsic_interval_tree_intervals_agg(id, ts, dur, partition…) gathers a table;
 * __intrinsic_interval_intersect(a, b, …, 'columns') -> pointer table: c0 ts, c1 dur,
 * c2… an id of each table, c17… the partition.
 */
#include "engine/base/checked.h"
#include "engine/base/hash.h"
#include "engine/sql/functions.h"
#include "engine/sql/pointer_table.h"
#include "engine/sql/radix.h"

#define MAX_TABLES      15
#define MAX_PARTITIONS  4
#define FIRST_ID        2
#define FIRST_PARTITION 17
#define SET_TYPE        "INTERVALS"

struct interval {
    int64_t ts, end, id;
    uint32_t keys; /* index of its partition values: [keys, keys + n_keys) */
};

struct interval_set {
    VEC(struct interval) items;
    VEC(struct span_cell) keys;
    int n_keys;
    bool failed;
};

/* ---- gathering ---- */

static void set_free(void *pointer)
{
    struct interval_set *set = pointer;
    vec_free(&set->items);
    vec_free(&set->keys);
    mem_free(set);
}

static bool check_interval(sqlite3_context *context, sqlite3_value **argv, int argc)
{
    if (argc < 3 || argc > 3 + MAX_PARTITIONS)
        function_error(context, "interval intersect: Can take at most %d partitions.",
                       MAX_PARTITIONS);
    else if (sqlite3_value_int64(argv[1]) < 0)
        function_error(context, "Interval intersect only accepts positive `ts` values.");
    else if (sqlite3_value_int64(argv[2]) < 0)
        function_error(context,
                       "Interval intersect only works on intervals with non negative duration.");
    else
        return true;
    return false;
}

static void gather_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct interval_set **slot = sqlite3_aggregate_context(context, sizeof *slot);
    if (!slot) return;
    if (!*slot) *slot = mem_zero(1, sizeof **slot);
    struct interval_set *set = *slot;
    if (set->failed) return;
    if (!check_interval(context, argv, argc) || set->items.count >= UINT32_MAX / MAX_PARTITIONS) {
        set->failed = true;
        return;
    }
    set->n_keys = argc - 3;
    int64_t ts = sqlite3_value_int64(argv[1]);
    struct interval i = {.ts = ts,
                         .end = saturating_add_int64(ts, sqlite3_value_int64(argv[2])),
                         .id = sqlite3_value_int64(argv[0]),
                         .keys = (uint32_t)set->keys.count};
    vec_push(&set->items, i);
    struct strpool *strings = function_database(context)->tables->strings;
    for (int k = 3; k < argc; k++)
        vec_push(&set->keys, span_cell_of(strings, argv[k]));
}

static void gather_final(sqlite3_context *context)
{
    struct interval_set **slot = sqlite3_aggregate_context(context, 0);
    if (!slot || !*slot) return;
    if ((*slot)->failed)
        set_free(*slot);
    else
        sqlite3_result_pointer(context, *slot, SET_TYPE, set_free);
    *slot = NULL;
}

/* ---- partitions ---- */

static uint64_t bits_of(const struct span_cell *cell)
{
    if (cell->type == SQLITE_INTEGER) return (uint64_t)cell->integer;
    if (cell->type == SQLITE_NULL) return 0;
    if (cell->type != SQLITE_FLOAT) return cell->string;
    uint64_t bits;
    memcpy(&bits, &cell->real, sizeof bits);
    return bits;
}

/* Numbers for the partitions of all tables together. */
struct partitions {
    struct strmap by_key;
};

static uint64_t partition_of(struct partitions *p, const struct span_cell *keys, int n)
{
    uint64_t words[2 * MAX_PARTITIONS];
    for (int i = 0; i < n; i++) {
        words[2 * i] = (uint64_t)keys[i].type;
        words[2 * i + 1] = bits_of(&keys[i]);
    }
    bool added;
    struct str key = {(const char *)words, (size_t)n * 2 * sizeof *words};
    return *strmap_put_if_absent(&p->by_key, key, p->by_key.count, &added);
}

/* One table's intervals by (partition, ts). */
struct sorted {
    const struct interval_set *set;
    struct keyed_row *order; /* key: partition */
    uint32_t n, at, end;     /* [at, end): of the present partition */
};

static void sort_set(struct sorted *s, struct partitions *partitions)
{
    s->n = (uint32_t)s->set->items.count;
    s->order = mem_alloc((size_t)s->n * sizeof *s->order);
    struct keyed_row *spare = mem_alloc((size_t)s->n * sizeof *spare);
    for (uint32_t i = 0; i < s->n; i++)
        s->order[i] = (struct keyed_row){(uint64_t)s->set->items.items[i].ts, i};
    radix_sort(s->order, spare, s->n);
    for (uint32_t i = 0; i < s->n && s->set->n_keys; i++) {
        const struct interval *interval = &s->set->items.items[s->order[i].row];
        s->order[i].key =
            partition_of(partitions, &s->set->keys.items[interval->keys], s->set->n_keys);
    }
    if (s->set->n_keys)
        radix_sort(s->order, spare, s->n);
    else
        for (uint32_t i = 0; i < s->n; i++)
            s->order[i].key = 0;
    mem_free(spare);
}

/* ---- the join ---- */

/* A combination of intervals of the first tables. */
struct combination {
    int64_t ts, end;
    uint32_t members[MAX_TABLES]; /* rows of each table's set */
};

struct combinations VEC_OF(struct combination);

static int64_t last_of(int64_t ts, int64_t end)
{
    return end > ts ? end - 1 : ts;
}

static const struct interval *interval_at(const struct sorted *s, uint32_t i)
{
    return &s->set->items.items[s->order[i].row];
}

/* Every pair of a combination and an interval of table `t` that meet.  Both come by
 * ts; `open` are intervals that began and may still reach. */
static void join_table(const struct combinations *left, const struct sorted *s, int t,
                       struct combinations *out)
{
    VEC(uint32_t) open = {0};
    uint32_t next = s->at;
    for (size_t i = 0; i < left->count; i++) {
        const struct combination *c = &left->items[i];
        int64_t last = last_of(c->ts, c->end);
        while (next < s->end && interval_at(s, next)->ts <= last) {
            vec_push(&open, next);
            next++;
        }
        size_t kept = 0;
        for (size_t k = 0; k < open.count; k++) {
            const struct interval *o = interval_at(s, open.items[k]);
            /* Later combinations begin no earlier than this one. */
            if (last_of(o->ts, o->end) < c->ts) continue;
            open.items[kept++] = open.items[k];
            if (o->ts > last) continue;
            struct combination both = *c;
            both.ts = o->ts > c->ts ? o->ts : c->ts;
            both.end = o->end < c->end ? o->end : c->end;
            both.members[t] = s->order[open.items[k]].row;
            vec_push(out, both);
        }
        open.count = kept;
    }
    vec_free(&open);
}

static void sort_combinations(struct combinations *c)
{
    uint32_t n = (uint32_t)c->count;
    struct keyed_row *order = mem_alloc((size_t)n * sizeof *order);
    struct keyed_row *spare = mem_alloc((size_t)n * sizeof *spare);
    struct combination *sorted = mem_alloc((size_t)n * sizeof *sorted);
    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct keyed_row){(uint64_t)c->items[i].ts, i};
    radix_sort(order, spare, n);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = c->items[order[i].row];
    if (n) memcpy(c->items, sorted, (size_t)n * sizeof *sorted);
    mem_free(sorted);
    mem_free(order);
    mem_free(spare);
}

/* The present partition of all tables. */
static void intersect_partition(const struct sorted *tables, int n, struct combinations *result)
{
    struct combinations left = {0};
    for (uint32_t i = tables[0].at; i < tables[0].end; i++) {
        const struct interval *interval = interval_at(&tables[0], i);
        struct combination c = {.ts = interval->ts, .end = interval->end};
        c.members[0] = tables[0].order[i].row;
        vec_push(&left, c);
    }
    for (int t = 1; t < n && left.count; t++) {
        struct combinations joined = {0};
        join_table(&left, &tables[t], t, &joined);
        vec_free(&left);
        left = joined;
        sort_combinations(&left);
    }
    for (size_t i = 0; i < left.count; i++)
        vec_push(result, left.items[i]);
    vec_free(&left);
}

/* Moves every table to the next partition that all have; false at the end. */
static bool next_common(struct sorted *tables, int n)
{
    for (int i = 0; i < n; i++)
        tables[i].at = tables[i].end;
    for (int agreed = 0, i = 0; agreed < n; i = (i + 1) % n) {
        struct sorted *s = &tables[i];
        const struct sorted *other = &tables[(i + n - 1) % n];
        if (other->at >= other->n || s->at >= s->n) return false;
        uint64_t target = other->order[other->at].key;
        while (s->at < s->n && s->order[s->at].key < target)
            s->at++;
        if (s->at >= s->n) return false;
        agreed = s->order[s->at].key == target ? agreed + 1 : 1;
    }
    for (int i = 0; i < n; i++) {
        struct sorted *s = &tables[i];
        s->end = s->at;
        while (s->end < s->n && s->order[s->end].key == s->order[s->at].key)
            s->end++;
    }
    return true;
}

static struct pointer_table *table_of(const struct combinations *found, const struct sorted *tables,
                                      int n)
{
    struct pointer_table *out = mem_zero(1, sizeof *out);
    size_t rows = out->rows = found->count;
    for (int i = 0; i < FIRST_ID + n; i++)
        out->columns[i].integers = mem_alloc(rows * sizeof(int64_t));
    int n_keys = tables[0].set->n_keys;
    for (int k = 0; k < n_keys; k++)
        out->columns[FIRST_PARTITION + k].cells = mem_alloc(rows * sizeof(struct span_cell));
    for (size_t row = 0; row < rows; row++) {
        const struct combination *c = &found->items[row];
        out->columns[0].integers[row] = c->ts;
        out->columns[1].integers[row] = c->end - c->ts;
        for (int i = 0; i < n; i++)
            out->columns[FIRST_ID + i].integers[row] = tables[i].set->items.items[c->members[i]].id;
        const struct interval *first = &tables[0].set->items.items[c->members[0]];
        for (int k = 0; k < n_keys; k++)
            out->columns[FIRST_PARTITION + k].cells[row] =
                tables[0].set->keys.items[first->keys + (uint32_t)k];
    }
    return out;
}

static void interval_intersect(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct sorted tables[MAX_TABLES] = {{.set = NULL}};
    int n = argc - 1; /* the last one names the partition columns */
    if (n < 1 || n > MAX_TABLES) {
        function_error(context, "interval intersect: takes 1 to %d tables", MAX_TABLES);
        return;
    }
    for (int i = 0; i < n; i++) {
        tables[i].set = sqlite3_value_pointer(argv[i], SET_TYPE);
        if (!tables[i].set) return; /* an empty table: nothing in common */
        if (tables[i].set->n_keys != tables[0].set->n_keys) {
            function_error(context, "interval intersect: tables differ in their partitions");
            return;
        }
    }
    struct partitions partitions = {0};
    for (int i = 0; i < n; i++)
        sort_set(&tables[i], &partitions);
    struct combinations found = {0};
    while (next_common(tables, n))
        intersect_partition(tables, n, &found);
    pointer_table_result(context, table_of(&found, tables, n));
    vec_free(&found);
    strmap_free(&partitions.by_key);
    for (int i = 0; i < n; i++)
        mem_free(tables[i].order);
}

const struct function_entry interval_functions[] = {
    {.name = "__intrinsic_interval_tree_intervals_agg",
     .argc = -1,
     .flags = FUNCTION_READ,
     .step = gather_step,
     .final = gather_final},
    {.name = "__intrinsic_interval_intersect",
     .argc = -1,
     .flags = FUNCTION_READ,
     .scalar = interval_intersect},
    {.name = NULL},
};
