#include "engine/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
