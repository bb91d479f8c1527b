#include "engine/base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/memory.h"

#define FIRST_BLOCK_BYTES   (16u << 10)
#define LARGEST_BLOCK_BYTES (1u << 20)

struct arena_block {
    struct arena_block *next;
    size_t pad; /* keeps what follows 16-aligned */
};

#if defined(__SANITIZE_ADDRESS__)
#define PERFETTY_ARENA_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PERFETTY_ARENA_MALLOC 1
#endif
#endif

static void add_block(struct arena *arena, size_t want)
{
    size_t size = arena->size ? arena->size * 2 : FIRST_BLOCK_BYTES;
    if (size > LARGEST_BLOCK_BYTES) size = LARGEST_BLOCK_BYTES;
#ifdef PERFETTY_ARENA_MALLOC
    size = want;
#endif
    if (size < want) size = want;
    struct arena_block *block = mem_alloc(sizeof *block + size);
    block->next = arena->blocks;
    arena->blocks = block;
    arena->used = 0;
    arena->size = size;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
#ifdef PERFETTY_ARENA_MALLOC
    size_t rounded = bytes;
#else
    size_t rounded = (bytes + 7) & ~(size_t)7;
#endif
    if (!arena->blocks || arena->size - arena->used < rounded || rounded == 0)
        add_block(arena, rounded ? rounded : 1);
    void *result = (char *)(arena->blocks + 1) + arena->used;
    arena->used += rounded;
    arena->total_bytes += rounded;
    return result;
}

void *arena_zero(struct arena *arena, size_t bytes)
{
    void *result = arena_alloc(arena, bytes);
    memset(result, 0, bytes);
    return result;
}

char *arena_copy(struct arena *arena, const char *bytes, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    if (length) memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

struct str arena_copy_str(struct arena *arena, struct str s)
{
    return (struct str){arena_copy(arena, s.p, s.n), s.n};
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) length = 0;
    char *text = arena_alloc(arena, (size_t)length + 1);
    text[0] = '\0';
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

void arena_reset(struct arena *arena)
{
    while (arena->blocks && arena->blocks->next) {
        struct arena_block *older = arena->blocks->next;
        arena->blocks->next = older->next;
        mem_free(older);
    }
#ifdef PERFETTY_ARENA_MALLOC
    arena_free(arena);
#endif
    arena->used = 0;
    arena->total_bytes = 0;
}

void arena_free(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *next = arena->blocks->next;
        mem_free(arena->blocks);
        arena->blocks = next;
    }
    *arena = (struct arena)ARENA_INIT;
}
