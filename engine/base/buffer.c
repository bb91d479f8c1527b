#include "engine/base/buffer.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/memory.h"

#define DEFAULT_LARGEST ((size_t)256 << 20)

static bool make_room(struct buffer *b, size_t more)
{
    size_t largest = b->largest ? b->largest : DEFAULT_LARGEST;
    if (b->overflowed || more > largest || b->length > largest - more) {
        b->overflowed = true;
        return false;
    }
    size_t want = b->length + more + 1;
    if (want <= b->capacity) return true;
    size_t capacity = b->capacity ? b->capacity * 2 : 64;
    if (capacity < want) capacity = want;
    b->data = mem_resize(b->data, capacity);
    b->capacity = capacity;
    return true;
}

void buffer_append(struct buffer *b, const void *bytes, size_t length)
{
    if (!make_room(b, length)) return;
    if (length) memcpy(b->data + b->length, bytes, length);
    b->length += length;
    b->data[b->length] = '\0';
}

void buffer_append_str(struct buffer *b, struct str s)
{
    buffer_append(b, s.p, s.n);
}

void buffer_append_text(struct buffer *b, const char *text)
{
    buffer_append(b, text, strlen(text));
}

void buffer_append_byte(struct buffer *b, char byte)
{
    buffer_append(b, &byte, 1);
}

void buffer_vprintf(struct buffer *b, const char *format, va_list args)
{
    va_list copy;
    va_copy(copy, args);
    int length = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    if (length < 0 || !make_room(b, (size_t)length)) return;
    vsnprintf(b->data + b->length, (size_t)length + 1, format, args);
    b->length += (size_t)length;
}

void buffer_printf(struct buffer *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buffer_vprintf(b, format, args);
    va_end(args);
}

void buffer_clear(struct buffer *b)
{
    b->length = 0;
    b->overflowed = false;
    if (b->data) b->data[0] = '\0';
}

void buffer_free(struct buffer *b)
{
    mem_free(b->data);
    size_t largest = b->largest;
    *b = (struct buffer)BUFFER_INIT;
    b->largest = largest;
}

const char *buffer_text(const struct buffer *b)
{
    return b->data ? b->data : "";
}

struct str buffer_str(const struct buffer *b)
{
    return (struct str){buffer_text(b), b->length};
}

char *buffer_take(struct buffer *b)
{
    char *data = b->data ? b->data : mem_copy_string("", 0);
    b->data = NULL;
    buffer_free(b);
    return data;
}
