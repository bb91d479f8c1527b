#include "engine/import/sorter.h"

#include <assert.h>
#include <string.h>

#include "engine/base/vec.h"
#include "engine/import/import.h"
#include "engine/import/stats.h"

/* A queue holds 16-byte entries; payloads lie apart in chunks that are filled in
 * order of pushing and freed when the last payload in them was parsed.  Since
 * files are nearly in order of time, memory shrinks while the tables grow. */

#define SMALL_CHUNK_BYTES ((size_t)1 << 16)
#define SMALL_CHUNKS      16 /* then the chunks are large runs of the system's */
#define POLL_EVERY_EVENTS 4096
#define FIRST_ENTRIES     4096
#define PREFETCH_AHEAD    8
#define RELEASE_ENTRIES   ((size_t)1 << 16)
#define INSERTION_RUN     16

struct entry {
    int64_t ts;
    /* sink << 48 | chunk << 18 | byte offset in the chunk / 8 */
    uint64_t ref;
};

static inline uint64_t ref_make(uint64_t sink, uint64_t chunk, size_t offset)
{
    return sink << 48 | chunk << 18 | offset / 8;
}
static inline size_t ref_sink(uint64_t ref)
{
    return ref >> 48;
}
static inline size_t ref_chunk(uint64_t ref)
{
    return ref >> 18 & 0x3FFFFFFF;
}
static inline size_t ref_offset(uint64_t ref)
{
    return (ref & 0x3FFFF) * 8;
}

struct chunk {
    char *bytes; /* owned; NULL when freed */
    size_t used, size;
    uint32_t live; /* payloads not yet parsed */
    bool is_mapped;
};

struct queue {
    struct entry *entries; /* mapped */
    size_t count, capacity;
    size_t next;         /* first entry not yet emitted */
    size_t released;     /* entries in front whose pages went back to the system */
    size_t sorted_count; /* entries [0, sorted_count) ascend */
    int64_t tail_min;    /* least time of the entries behind them */
    int (*compare)(const void *a, const void *b);
};

struct sink {
    sorter_sink_fn parse;
    void *owner;
};

struct sorter {
    struct import *import;
    VEC(struct sink) sinks;
    VEC(struct queue) queues;
    VEC(struct chunk) chunks;
    size_t filling; /* the chunk that takes the next payload */
    char *scratch;  /* room for dropped events */
    size_t scratch_bytes;
    int64_t latest;
    bool emitting;
};

static void free_chunk(struct chunk *chunk)
{
    if (chunk->is_mapped)
        mem_unmap(chunk->bytes, chunk->size);
    else
        mem_free(chunk->bytes);
    chunk->bytes = NULL;
}

static void free_entries(struct queue *q)
{
    if (q->entries)
        mem_unmap(q->entries + q->released, (q->capacity - q->released) * sizeof *q->entries);
    q->entries = NULL;
    q->count = q->capacity = q->next = q->released = q->sorted_count = 0;
}

/* Drained entries go back to the system while the tables grow. */
static void release_entries(struct queue *q)
{
    while (q->next - q->released >= RELEASE_ENTRIES) {
        mem_unmap(q->entries + q->released, RELEASE_ENTRIES * sizeof *q->entries);
        q->released += RELEASE_ENTRIES;
    }
}

struct sorter *sorter_new(struct import *import)
{
    struct sorter *sorter = mem_zero(1, sizeof *sorter);
    sorter->import = import;
    return sorter;
}

void sorter_free(struct sorter *sorter)
{
    if (!sorter) return;
    for (size_t i = 0; i < sorter->queues.count; i++)
        free_entries(&sorter->queues.items[i]);
    for (size_t i = 0; i < sorter->chunks.count; i++)
        free_chunk(&sorter->chunks.items[i]);
    vec_free(&sorter->sinks);
    vec_free(&sorter->queues);
    vec_free(&sorter->chunks);
    mem_free(sorter->scratch);
    mem_free(sorter);
}

uint32_t sorter_add_sink(struct sorter *sorter, sorter_sink_fn sink, void *owner)
{
    assert(sorter->sinks.count < UINT16_MAX);
    vec_push(&sorter->sinks, (struct sink){sink, owner});
    return (uint32_t)sorter->sinks.count - 1;
}

uint32_t sorter_add_queue(struct sorter *sorter)
{
    assert(sorter->queues.count < UINT16_MAX);
    vec_push(&sorter->queues, (struct queue){0});
    return (uint32_t)sorter->queues.count - 1;
}

void sorter_set_compare(struct sorter *sorter, uint32_t queue,
                        int (*compare)(const void *a, const void *b))
{
    struct queue *q = &sorter->queues.items[queue];
    q->compare = compare;
    /* What counted as ascending may no longer be. */
    q->sorted_count = 0;
    q->tail_min = INT64_MIN;
}

static void *scratch_room(struct sorter *sorter, size_t bytes)
{
    if (bytes > sorter->scratch_bytes) {
        mem_free(sorter->scratch);
        sorter->scratch = mem_alloc(bytes);
        sorter->scratch_bytes = bytes;
    }
    if (!sorter->scratch) sorter->scratch = mem_alloc(1);
    return sorter->scratch;
}

static struct chunk *add_chunk(struct sorter *sorter, size_t bytes)
{
    bool is_mapped = sorter->chunks.count >= SMALL_CHUNKS;
    size_t usual = is_mapped ? MEM_LARGE_RUN : SMALL_CHUNK_BYTES;
    size_t size = bytes > usual ? bytes : usual;
    void *memory = is_mapped ? mem_map(size) : mem_alloc(size);
    vec_push(&sorter->chunks, (struct chunk){memory, 0, size, 0, is_mapped});
    sorter->filling = sorter->chunks.count - 1;
    return vec_last(&sorter->chunks);
}

static void *take_payload(struct sorter *sorter, size_t bytes, uint32_t sink, uint64_t *ref)
{
    size_t rounded = bytes ? (bytes + 7) & ~(size_t)7 : 8;
    struct chunk *chunk =
        sorter->chunks.count ? &sorter->chunks.items[sorter->filling] : add_chunk(sorter, rounded);
    if (chunk->size - chunk->used < rounded) chunk = add_chunk(sorter, rounded);
    char *payload = chunk->bytes + chunk->used;
    *ref = ref_make(sink, sorter->filling, chunk->used);
    chunk->used += rounded;
    chunk->live++;
    return payload;
}

static void queue_push(struct queue *q, struct entry entry)
{
    if (q->count == q->capacity) {
        size_t capacity = q->capacity ? q->capacity * 2 : FIRST_ENTRIES;
        if (q->capacity >= RELEASE_ENTRIES) capacity = q->capacity + q->capacity / 4;
        size_t before = q->capacity * sizeof *q->entries, after = capacity * sizeof *q->entries;
        q->entries = mem_remap(q->entries, before, after);
        mem_expect(q->entries, before, after);
        q->capacity = capacity;
    }
    if (q->sorted_count == q->count) {
        /* A comparison of payloads that are not filled in yet is not possible, so
         * with one a tie ends the sorted part. */
        bool ascends = q->count == 0 || entry.ts > q->entries[q->count - 1].ts ||
                       (entry.ts == q->entries[q->count - 1].ts && !q->compare);
        if (ascends)
            q->sorted_count++;
        else
            q->tail_min = entry.ts;
    } else if (entry.ts < q->tail_min) {
        q->tail_min = entry.ts;
    }
    q->entries[q->count++] = entry;
}

void *sorter_push(struct sorter *sorter, uint32_t queue, uint32_t sink, int64_t ts, size_t bytes)
{
    assert(queue < sorter->queues.count && sink < sorter->sinks.count);
    if (ts < 0 || sorter->emitting) {
        stats_add_global(sorter->import,
                         ts < 0 ? STAT_trace_sorter_negative_timestamp_dropped
                                : STAT_sorter_push_event_out_of_order,
                         1);
        return scratch_room(sorter, bytes);
    }
    uint64_t ref;
    void *payload = take_payload(sorter, bytes, sink, &ref);
    queue_push(&sorter->queues.items[queue], (struct entry){ts, ref});
    if (ts > sorter->latest) sorter->latest = ts;
    return payload;
}

int64_t sorter_latest(const struct sorter *sorter)
{
    return sorter->latest;
}

/* ---- sorting one queue: a natural merge sort, stable ---- */

struct order {
    const struct sorter *sorter;
    int (*compare)(const void *a, const void *b);
};

static const void *payload_of(const struct sorter *sorter, const struct entry *e)
{
    return sorter->chunks.items[ref_chunk(e->ref)].bytes + ref_offset(e->ref);
}

/* b, which stands behind a, belongs in front of it. */
static inline bool comes_before(const struct order *order, const struct entry *b,
                                const struct entry *a)
{
    if (b->ts != a->ts) return b->ts < a->ts;
    if (!order->compare) return false;
    return order->compare(payload_of(order->sorter, b), payload_of(order->sorter, a)) < 0;
}

static void insertion_sort(const struct order *order, struct entry *e, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        struct entry moving = e[i];
        size_t k = i;
        for (; k > 0 && comes_before(order, &moving, &e[k - 1]); k--)
            e[k] = e[k - 1];
        e[k] = moving;
    }
}

/* Ends of ascending runs that cover e[0, n); short ones are made longer. */
static size_t find_runs(const struct order *order, struct entry *e, size_t n, size_t *ends)
{
    size_t n_runs = 0;
    for (size_t start = 0; start < n;) {
        size_t end = start + 1;
        while (end < n && !comes_before(order, &e[end], &e[end - 1]))
            end++;
        if (end - start < INSERTION_RUN) {
            size_t wanted = start + INSERTION_RUN < n ? start + INSERTION_RUN : n;
            insertion_sort(order, e + start, end - start, wanted - start);
            end = wanted;
        }
        ends[n_runs++] = end;
        start = end;
    }
    return n_runs;
}

static void merge_runs(const struct order *order, const struct entry *from, size_t start,
                       size_t middle, size_t end, struct entry *to)
{
    size_t a = start, b = middle, out = start;
    while (a < middle && b < end)
        to[out++] = comes_before(order, &from[b], &from[a]) ? from[b++] : from[a++];
    memcpy(to + out, from + a, (middle - a) * sizeof *to);
    out += middle - a;
    memcpy(to + out, from + b, (end - b) * sizeof *to);
}

static void sort_entries(const struct order *order, struct entry *entries, size_t n)
{
    size_t *ends = mem_zero(n / INSERTION_RUN + 2, sizeof *ends);
    size_t n_runs = find_runs(order, entries, n, ends);
    struct entry *spare = n_runs > 1 ? mem_map(n * sizeof *spare) : NULL;
    struct entry *from = entries, *to = spare;
    while (n_runs > 1) {
        size_t start = 0, out = 0;
        for (size_t i = 0; i < n_runs; i += 2) {
            size_t middle = ends[i], end = i + 1 < n_runs ? ends[i + 1] : middle;
            merge_runs(order, from, start, middle, end, to);
            ends[out++] = end;
            start = end;
        }
        n_runs = out;
        struct entry *swap = from;
        from = to;
        to = swap;
    }
    if (from != entries) memcpy(entries, from, n * sizeof *entries);
    mem_unmap(spare, n * sizeof *spare);
    mem_free(ends);
}

static void sort_queue(const struct sorter *sorter, struct queue *q)
{
    if (q->sorted_count == q->count) return;
    /* Entries at or before the least late time are in place already. */
    size_t low = 0, high = q->sorted_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (q->entries[middle].ts < q->tail_min)
            low = middle + 1;
        else
            high = middle;
    }
    struct order order = {sorter, q->compare};
    sort_entries(&order, q->entries + low, q->count - low);
    q->sorted_count = q->count;
}

/* ---- merging the queues: a heap of (head time, queue) ---- */

struct head {
    int64_t ts;
    uint32_t queue;
};

static bool head_less(const struct head *a, const struct head *b)
{
    return a->ts != b->ts ? a->ts < b->ts : a->queue < b->queue;
}

static void sift_down(struct head *heap, size_t n, size_t i)
{
    struct head moving = heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= n) break;
        if (child + 1 < n && head_less(&heap[child + 1], &heap[child])) child++;
        if (!head_less(&heap[child], &moving)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moving;
}

static void emit_one(struct sorter *sorter, const struct entry *e)
{
    const struct sink *sink = &sorter->sinks.items[ref_sink(e->ref)];
    struct chunk *chunk = &sorter->chunks.items[ref_chunk(e->ref)];
    sink->parse(sink->owner, e->ts, chunk->bytes + ref_offset(e->ref));
    if (--chunk->live == 0) free_chunk(chunk);
}

/* Emits the smallest queue's events up to the head of the next one. */
static bool drain(struct sorter *sorter, struct queue *q, const struct head *next,
                  unsigned *since_poll)
{
    const struct entry *entries = q->entries;
    size_t i = q->next, n = q->count;
    while (i < n && (!next || entries[i].ts <= next->ts)) {
        if (++*since_poll >= POLL_EVERY_EVENTS) {
            *since_poll = 0;
            if (cancel_is_requested(sorter->import->cancel)) return false;
        }
        /* Payloads are in order of pushing, not of time. */
        if (i + PREFETCH_AHEAD < n)
            __builtin_prefetch(payload_of(sorter, &entries[i + PREFETCH_AHEAD]));
        emit_one(sorter, &entries[i++]);
    }
    q->next = i;
    return true;
}

void sorter_emit_all(struct sorter *sorter)
{
    sorter->emitting = true;
    struct head *heap = mem_zero(sorter->queues.count + 1, sizeof *heap);
    size_t n = 0;
    for (size_t i = 0; i < sorter->queues.count; i++) {
        struct queue *q = &sorter->queues.items[i];
        if (q->next == q->count) continue;
        sort_queue(sorter, q);
        heap[n++] = (struct head){q->entries[q->next].ts, (uint32_t)i};
    }
    for (size_t i = n / 2; i-- > 0;)
        sift_down(heap, n, i);
    unsigned since_poll = 0;
    while (n > 0) {
        uint32_t number = heap[0].queue;
        struct queue *q = &sorter->queues.items[number];
        const struct head *next = n > 1 ? &heap[1] : NULL;
        if (n > 2 && head_less(&heap[2], &heap[1])) next = &heap[2];
        if (!drain(sorter, q, next, &since_poll)) break;
        release_entries(q);
        if (q->next < q->count) {
            heap[0].ts = q->entries[q->next].ts;
        } else {
            free_entries(q);
            heap[0] = heap[--n];
        }
        if (n > 0) sift_down(heap, n, 0);
    }
    mem_free(heap);
    sorter->emitting = false;
}
