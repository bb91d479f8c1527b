#include "engine/base/strpool.h"

#include <stdatomic.h>

#include "engine/base/hash.h"
#include "engine/base/memory.h"

#define ENTRIES_PER_CHUNK 16384u
#define MAX_CHUNKS        65536u
#define BLOCK_BYTES       ((size_t)1 << 20)
#define LONGEST_STRING    ((size_t)256 << 20)

struct entry {
    const char *bytes;
    uint32_t length, hash;
};

struct block {
    struct block *next;
};

struct strpool {
    struct entry **chunks; /* MAX_CHUNKS of them, filled in order */
    _Atomic uint32_t end;
    string_id *slots; /* open addressing; STRING_NULL is empty */
    uint32_t capacity;
    struct block *blocks;
    char *free_bytes;
    size_t free_length;
};

struct strpool *strpool_new(void)
{
    struct strpool *pool = mem_zero(1, sizeof *pool);
    pool->chunks = mem_zero(MAX_CHUNKS, sizeof *pool->chunks);
    pool->chunks[0] = mem_zero(ENTRIES_PER_CHUNK, sizeof **pool->chunks);
    pool->capacity = 1024;
    pool->slots = mem_zero(pool->capacity, sizeof *pool->slots);
    atomic_store(&pool->end, 1);
    return pool;
}

void strpool_free(struct strpool *pool)
{
    if (!pool) return;
    for (uint32_t i = 0; i < MAX_CHUNKS && pool->chunks[i]; i++)
        mem_free(pool->chunks[i]);
    mem_free(pool->chunks);
    mem_free(pool->slots);
    while (pool->blocks) {
        struct block *next = pool->blocks->next;
        mem_free(pool->blocks);
        pool->blocks = next;
    }
    mem_free(pool);
}

static struct entry *entry_at(const struct strpool *pool, string_id id)
{
    return &pool->chunks[id / ENTRIES_PER_CHUNK][id % ENTRIES_PER_CHUNK];
}

static uint32_t find_slot(const struct strpool *pool, struct str s, uint32_t hash)
{
    uint32_t i = hash & (pool->capacity - 1);
    for (;; i = (i + 1) & (pool->capacity - 1)) {
        string_id id = pool->slots[i];
        if (id == STRING_NULL) return i;
        const struct entry *entry = entry_at(pool, id);
        if (entry->hash == hash && entry->length == s.n && memcmp(entry->bytes, s.p, s.n) == 0)
            return i;
    }
}

static void double_slots(struct strpool *pool)
{
    uint32_t end = strpool_end(pool);
    mem_free(pool->slots);
    pool->capacity *= 2;
    pool->slots = mem_zero(pool->capacity, sizeof *pool->slots);
    for (string_id id = 1; id < end; id++) {
        uint32_t i = entry_at(pool, id)->hash & (pool->capacity - 1);
        while (pool->slots[i] != STRING_NULL)
            i = (i + 1) & (pool->capacity - 1);
        pool->slots[i] = id;
    }
}

static char *take_bytes(struct strpool *pool, size_t bytes)
{
    if (bytes > pool->free_length) {
        size_t size = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
        struct block *block = mem_alloc(sizeof *block + size);
        block->next = pool->blocks;
        pool->blocks = block;
        if (size == bytes) return (char *)(block + 1);
        pool->free_bytes = (char *)(block + 1);
        pool->free_length = size;
    }
    char *result = pool->free_bytes;
    pool->free_bytes += bytes;
    pool->free_length -= bytes;
    return result;
}

string_id strpool_intern(struct strpool *pool, struct str s)
{
    if (!s.p) return STRING_NULL;
    if (s.n > LONGEST_STRING) s.n = LONGEST_STRING;
    uint32_t hash = (uint32_t)hash_bytes(s.p, s.n);
    uint32_t slot = find_slot(pool, s, hash);
    if (pool->slots[slot] != STRING_NULL) return pool->slots[slot];

    string_id id = strpool_end(pool);
    if (id / ENTRIES_PER_CHUNK >= MAX_CHUNKS) return STRING_NULL;
    struct entry **chunk = &pool->chunks[id / ENTRIES_PER_CHUNK];
    if (!*chunk) *chunk = mem_zero(ENTRIES_PER_CHUNK, sizeof **chunk);
    char *bytes = take_bytes(pool, s.n + 1);
    memcpy(bytes, s.p, s.n);
    bytes[s.n] = '\0';
    *entry_at(pool, id) = (struct entry){bytes, (uint32_t)s.n, hash};
    pool->slots[slot] = id;
    atomic_store_explicit(&pool->end, id + 1, memory_order_release);
    if ((id + 1) > pool->capacity / 2) double_slots(pool);
    return id;
}

string_id strpool_intern_text(struct strpool *pool, const char *text)
{
    return strpool_intern(pool, str_of(text));
}

string_id strpool_find(const struct strpool *pool, struct str s)
{
    if (!s.p) return STRING_NULL;
    return pool->slots[find_slot(pool, s, (uint32_t)hash_bytes(s.p, s.n))];
}

struct str strpool_get(const struct strpool *pool, string_id id)
{
    if (id == STRING_NULL || id >= strpool_end(pool)) return STR_NONE;
    const struct entry *entry = entry_at(pool, id);
    return (struct str){entry->bytes, entry->length};
}

const char *strpool_text(const struct strpool *pool, string_id id)
{
    struct str s = strpool_get(pool, id);
    return s.p ? s.p : "";
}

uint32_t strpool_end(const struct strpool *pool)
{
    return atomic_load_explicit(&((struct strpool *)(uintptr_t)pool)->end, memory_order_acquire);
}
