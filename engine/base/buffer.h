/* A growing run of bytes with a largest size, kept NUL-terminated so that it can
 * be read as C text.  Going past the largest size sets `overflowed` and drops
 * the rest; whoever fills it checks that once at the end. */
#ifndef ENGINE_BASE_BUFFER_H
#define ENGINE_BASE_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine/base/str.h"

struct buffer {
    char *data; /* owned; NULL while empty */
    size_t length, capacity;
    size_t largest; /* bytes; 0 means 256 MiB */
    bool overflowed;
};

#define BUFFER_INIT \
    { \
        NULL, 0, 0, 0, false \
    }

void buffer_append(struct buffer *b, const void *bytes, size_t length);
void buffer_append_str(struct buffer *b, struct str s);
void buffer_append_text(struct buffer *b, const char *text);
void buffer_append_byte(struct buffer *b, char byte);
void buffer_printf(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_vprintf(struct buffer *b, const char *format, va_list args);
void buffer_clear(struct buffer *b); /* keeps the memory */
void buffer_free(struct buffer *b);
/* Never NULL. */
const char *buffer_text(const struct buffer *b);
struct str buffer_str(const struct buffer *b);
/* Gives the bytes away (NUL-terminated, owned by the caller) and empties b. */
char *buffer_take(struct buffer *b);

#endif
