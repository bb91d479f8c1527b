/* The one place that asks the system for heap memory.
 *
 * Sizes that come from input go through mem_try_alloc after a check against a
 * limit; it returns NULL and the caller reports it.  Everything else uses
 * mem_alloc and friends, which never return NULL: when the system has no more
 * memory the program ends through the hook of mem_set_panic (the terminal is
 * restored there) and abort().
 */
#ifndef ENGINE_BASE_MEMORY_H
#define ENGINE_BASE_MEMORY_H

#include <stddef.h>

void *mem_alloc(size_t bytes); /* not cleared; 0 bytes give a unique pointer */
void *mem_zero(size_t count, size_t bytes_each);
void *mem_resize(void *pointer, size_t bytes);
void *mem_try_alloc(size_t bytes);
void mem_free(void *pointer); /* NULL is fine */
char *mem_strdup(const char *text);
/* A NUL-terminated copy of `length` bytes. */
char *mem_copy_string(const char *bytes, size_t length);

/* Whole pages straight from the system, zeroed, and given back to it at once when
 * unmapped: for runs of megabytes that do not live long.  Runs of MEM_LARGE_RUN
 * bytes and more are aligned to it, so that the system can use large pages. */
#define MEM_LARGE_RUN ((size_t)2 << 20)
void *mem_map(size_t bytes);
/* Grows or moves a mapped run without copying; NULL with 0 bytes maps a new one. */
void *mem_remap(void *pointer, size_t bytes, size_t new_bytes);
void mem_unmap(void *pointer, size_t bytes); /* NULL is fine */

/* Grows (or cuts) mapped memory, moving its pages when it must; NULL begins one.
 * Sizes are whole pages; from MEM_LARGE_RUN on the start is aligned to it.  Freed
 * by mem_unmap. */
void *mem_grow(void *old, size_t old_bytes, size_t bytes);
/* Says that mapped memory [from, to) of `memory` will be filled soon: the system
 * brings it in at once, in large pages where it can, instead of a fault for each
 * 4 KiB.  A hint. */
void mem_expect(void *memory, size_t from, size_t to);

/* For foreign libraries (jansson, sqlite) that want a malloc-shaped allocator. */
typedef void (*mem_panic_hook)(void);
void mem_set_panic(mem_panic_hook hook);

#endif
