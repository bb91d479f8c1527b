#define _GNU_SOURCE /* madvise */
#include "engine/base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/base/checked.h"

static mem_panic_hook panic_hook;

void mem_set_panic(mem_panic_hook hook)
{
    panic_hook = hook;
}

static void *or_panic(void *pointer, size_t bytes)
{
    if (pointer) return pointer;
    if (panic_hook) panic_hook();
    fprintf(stderr, "perfetty: out of memory (asked for %zu bytes)\n", bytes);
    abort();
}

void *mem_alloc(size_t bytes)
{
    return or_panic(malloc(bytes ? bytes : 1), bytes);
}

void *mem_zero(size_t count, size_t bytes_each)
{
    size_t total;
    if (!checked_mul(count, bytes_each, &total)) return or_panic(NULL, SIZE_MAX);
    return or_panic(calloc(total ? total : 1, 1), total);
}

void *mem_resize(void *pointer, size_t bytes)
{
    return or_panic(realloc(pointer, bytes ? bytes : 1), bytes);
}

void *mem_try_alloc(size_t bytes)
{
    return malloc(bytes ? bytes : 1);
}

void mem_free(void *pointer)
{
    free(pointer);
}

char *mem_copy_string(const char *bytes, size_t length)
{
    char *copy = mem_alloc(length + 1);
    if (length) memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *mem_strdup(const char *text)
{
    return mem_copy_string(text, strlen(text));
}

void *mem_map(size_t bytes)
{
    size_t spare = bytes >= MEM_LARGE_RUN ? MEM_LARGE_RUN : 0, total;
    if (!checked_add(bytes, spare, &total)) return or_panic(NULL, SIZE_MAX);
    char *run = mmap(NULL, total, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (run == MAP_FAILED) return or_panic(NULL, bytes);
    if (!spare) return run;
    /* Keeps the aligned part, gives back what stands out at both ends. */
    size_t before = (MEM_LARGE_RUN - (uintptr_t)run % MEM_LARGE_RUN) % MEM_LARGE_RUN;
    size_t page = 4096, end = (before + bytes + page - 1) / page * page;
    if (before) munmap(run, before);
    if (end < total) munmap(run + end, total - end);
    madvise(run + before, bytes, MADV_HUGEPAGE);
    return run + before;
}

void *mem_remap(void *pointer, size_t bytes, size_t new_bytes)
{
    if (!pointer) return mem_map(new_bytes);
    void *moved = mremap(pointer, bytes, new_bytes, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? or_panic(NULL, new_bytes) : moved;
}

void *mem_grow(void *old, size_t old_bytes, size_t bytes)
{
    if (bytes < MEM_LARGE_RUN) {
        void *small =
            old ? mremap(old, old_bytes, bytes, MREMAP_MAYMOVE)
                : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return small == MAP_FAILED ? or_panic(NULL, bytes) : small;
    }
    if (!old) return mem_map(bytes);
    if (bytes < old_bytes || (uintptr_t)old % MEM_LARGE_RUN == 0) {
        void *same = mremap(old, old_bytes, bytes, 0);
        if (same != MAP_FAILED) {
            madvise(same, bytes, MADV_HUGEPAGE);
            return same;
        }
    }
    /* A place whose start is aligned: what is there moves by its page tables. */
    size_t total;
    if (!checked_add(bytes, MEM_LARGE_RUN, &total)) return or_panic(NULL, SIZE_MAX);
    char *run = mmap(NULL, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (run == MAP_FAILED) return or_panic(NULL, bytes);
    size_t before = (MEM_LARGE_RUN - (uintptr_t)run % MEM_LARGE_RUN) % MEM_LARGE_RUN;
    size_t page = 4096, end = (before + bytes + page - 1) / page * page;
    void *moved = mremap(old, old_bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, run + before);
    if (moved == MAP_FAILED) return or_panic(NULL, bytes);
    if (before) munmap(run, before);
    if (end < total) munmap(run + end, total - end);
    madvise(moved, bytes, MADV_HUGEPAGE);
    return moved;
}

void mem_unmap(void *pointer, size_t bytes)
{
    if (pointer) munmap(pointer, bytes);
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif
#define EXPECT_FROM_BYTES ((size_t)32 << 10)

void mem_expect(void *memory, size_t from, size_t to)
{
    const size_t page = 4096;
    from = from / page * page;
    if (to <= from || to - from < EXPECT_FROM_BYTES) return;
    madvise((char *)memory + from, (to - from + page - 1) / page * page, MADV_POPULATE_WRITE);
}
