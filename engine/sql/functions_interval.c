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
/* Overlaps multiply: tables that overlap themselves can ask for any number. */
#define MAX_COMBINATIONS (1u << 26)
#define SET_TYPE         "INTERVALS"

struct interval {
    int64_t ts, end, id;
};

struct interval_set {
    VEC(struct interval) items;
    VEC(struct span_cell) keys; /* n_keys for each item */
    int n_keys;
    bool only_integers; /* keys are */
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

static bool is_full(sqlite3_context *context, const struct interval_set *set)
{
    size_t bytes = sizeof(struct interval) + (size_t)set->n_keys * sizeof(struct span_cell);
    if (set->items.count < UINT32_MAX && set->items.count < (size_t)SQL_HEAP_LIMIT / bytes)
        return false;
    function_error(context, "interval intersect: a table is larger than the memory limit");
    return true;
}

static void gather_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct interval_set **slot = sqlite3_aggregate_context(context, sizeof *slot);
    if (!slot) return;
    if (!*slot) {
        *slot = mem_zero(1, sizeof **slot);
        (*slot)->only_integers = true;
    }
    struct interval_set *set = *slot;
    if (set->failed) return;
    if (!check_interval(context, argv, argc) || is_full(context, set)) {
        set->failed = true;
        return;
    }
    set->n_keys = argc - 3;
    int64_t ts = sqlite3_value_int64(argv[1]);
    struct interval i = {ts, saturating_add_int64(ts, sqlite3_value_int64(argv[2])),
                         sqlite3_value_int64(argv[0])};
    vec_push(&set->items, i);
    struct strpool *strings = function_database(context)->tables->strings;
    for (int k = 3; k < argc; k++) {
        struct span_cell cell = span_cell_of(strings, argv[k]);
        if (cell.type != SQLITE_INTEGER) set->only_integers = false;
        vec_push(&set->keys, cell);
    }
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

/* Numbers for the partitions of all tables together.  One integer column is its own
 * number. */
struct partitions {
    bool is_integer;
    struct strmap by_key;
};

static uint64_t partition_of(struct partitions *p, const struct span_cell *keys, int n)
{
    if (p->is_integer) return radix_key_of_int64(keys->integer);
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
    struct keyed_row *order;    /* key: partition; row: in the set */
    struct interval *intervals; /* in that order */
    uint32_t n, at, end;        /* [at, end): of the present partition */
};

static void sort_set(struct sorted *s, struct partitions *partitions)
{
    const struct interval *items = s->set->items.items;
    const int n_keys = s->set->n_keys;
    s->n = (uint32_t)s->set->items.count;
    s->order = mem_alloc((size_t)s->n * sizeof *s->order);
    struct keyed_row *spare = mem_alloc((size_t)s->n * sizeof *spare);
    for (uint32_t i = 0; i < s->n; i++)
        s->order[i] = (struct keyed_row){(uint64_t)items[i].ts, i};
    radix_sort(s->order, spare, s->n);
    for (uint32_t i = 0; i < s->n; i++)
        s->order[i].key =
            n_keys ? partition_of(partitions,
                                  &s->set->keys.items[(size_t)s->order[i].row * (size_t)n_keys],
                                  n_keys)
                   : 0;
    radix_sort(s->order, spare, s->n);
    mem_free(spare);
    s->intervals = mem_alloc((size_t)s->n * sizeof *s->intervals);
    for (uint32_t i = 0; i < s->n; i++)
        s->intervals[i] = items[s->order[i].row];
}

/* ---- the join ---- */

/* Intervals of the first tables that have [ts, end) in common: the newest one, and
 * the combination of the tables before it. */
struct combination {
    int64_t ts, end;
    uint32_t before, interval;
};

struct combinations VEC_OF(struct combination);

static int64_t last_of(int64_t ts, int64_t end)
{
    return end > ts ? end - 1 : ts;
}

/* Every pair of a combination and an interval of the table that meet.  Both come by
 * ts; `open` are intervals that began and may still reach. */
static bool join_table(const struct combinations *left, const struct sorted *s,
                       struct combinations *out)
{
    VEC(uint32_t) open = {0};
    uint32_t next = s->at;
    for (size_t i = 0; i < left->count; i++) {
        const struct combination *c = &left->items[i];
        int64_t last = last_of(c->ts, c->end);
        while (next < s->end && s->intervals[next].ts <= last) {
            /* Later combinations begin no earlier than this one. */
            if (last_of(s->intervals[next].ts, s->intervals[next].end) >= c->ts)
                vec_push(&open, next);
            next++;
        }
        size_t kept = 0;
        for (size_t k = 0; k < open.count; k++) {
            const struct interval *o = &s->intervals[open.items[k]];
            if (last_of(o->ts, o->end) < c->ts) continue;
            open.items[kept++] = open.items[k];
            if (o->ts > last) continue;
            struct combination both = {.ts = o->ts > c->ts ? o->ts : c->ts,
                                       .end = o->end < c->end ? o->end : c->end,
                                       .before = (uint32_t)i,
                                       .interval = open.items[k]};
            vec_push(out, both);
        }
        open.count = kept;
        if (out->count > MAX_COMBINATIONS) break;
    }
    vec_free(&open);
    return out->count <= MAX_COMBINATIONS;
}

static void sort_combinations(struct combinations *c)
{
    uint32_t n = (uint32_t)c->count;
    bool is_sorted = true;
    for (uint32_t i = 1; i < n && is_sorted; i++)
        is_sorted = c->items[i - 1].ts <= c->items[i].ts;
    if (is_sorted) return;
    struct keyed_row *order = mem_alloc((size_t)n * sizeof *order);
    struct keyed_row *spare = mem_alloc((size_t)n * sizeof *spare);
    struct combination *sorted = mem_alloc((size_t)n * sizeof *sorted);
    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct keyed_row){(uint64_t)c->items[i].ts, i};
    radix_sort(order, spare, n);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = c->items[order[i].row];
    memcpy(c->items, sorted, (size_t)n * sizeof *sorted);
    mem_free(sorted);
    mem_free(order);
    mem_free(spare);
}

/* The rows so far, column by column. */
struct result {
    struct int64_list VEC_OF(int64_t) columns[FIRST_ID + MAX_TABLES];
    struct cell_list VEC_OF(struct span_cell) keys[MAX_PARTITIONS];
};

static void append_result(struct result *r, const struct sorted *tables, int n,
                          const struct combinations *levels)
{
    const struct combinations *last = &levels[n - 1];
    int n_keys = tables[0].set->n_keys;
    const struct span_cell *keys =
        n_keys
            ? &tables[0].set->keys.items[(size_t)tables[0].order[tables[0].at].row * (size_t)n_keys]
            : NULL;
    for (size_t i = 0; i < last->count; i++) {
        const struct combination *c = &last->items[i];
        vec_push(&r->columns[0], c->ts);
        vec_push(&r->columns[1], c->end - c->ts);
        for (int t = n - 1; t >= 0; t--) {
            vec_push(&r->columns[FIRST_ID + t], tables[t].intervals[c->interval].id);
            if (t) c = &levels[t - 1].items[c->before];
        }
        for (int k = 0; k < n_keys; k++)
            vec_push(&r->keys[k], keys[k]);
    }
}

/* The present partition of all tables. */
static bool intersect_partition(const struct sorted *tables, int n, struct result *result)
{
    struct combinations levels[MAX_TABLES] = {{0}};
    for (uint32_t i = tables[0].at; i < tables[0].end; i++) {
        const struct interval *interval = &tables[0].intervals[i];
        struct combination c = {interval->ts, interval->end, 0, i};
        vec_push(&levels[0], c);
    }
    bool ok = true;
    for (int t = 1; t < n && ok; t++) {
        ok = join_table(&levels[t - 1], &tables[t], &levels[t]);
        if (t + 1 < n) sort_combinations(&levels[t]);
    }
    ok = ok && result->columns[0].count + levels[n - 1].count <= MAX_COMBINATIONS;
    if (ok) append_result(result, tables, n, levels);
    for (int t = 0; t < n; t++)
        vec_free(&levels[t]);
    return ok;
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

/* The lists become the table's. */
static struct pointer_table *table_of(struct result *r, int n_tables, int n_keys)
{
    struct pointer_table *out = mem_zero(1, sizeof *out);
    out->rows = r->columns[0].count;
    for (int i = 0; i < FIRST_ID + n_tables; i++)
        out->columns[i].integers = r->columns[i].items;
    for (int k = 0; k < n_keys; k++)
        out->columns[FIRST_PARTITION + k].cells = r->keys[k].items;
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
    struct partitions partitions = {.is_integer = tables[0].set->n_keys == 1};
    for (int i = 0; i < n; i++)
        if (!tables[i].set->only_integers) partitions.is_integer = false;
    for (int i = 0; i < n; i++)
        sort_set(&tables[i], &partitions);
    struct result found = {.columns = {{0}}};
    bool ok = true;
    while (ok && next_common(tables, n))
        ok = intersect_partition(tables, n, &found);
    struct pointer_table *table = table_of(&found, n, tables[0].set->n_keys);
    pointer_table_result(context, table);
    if (!ok)
        function_error(context,
                       "interval intersect: more than %u combinations have something in "
                       "common",
                       MAX_COMBINATIONS);
    strmap_free(&partitions.by_key);
    for (int i = 0; i < n; i++) {
        mem_free(tables[i].order);
        mem_free(tables[i].intervals);
    }
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
