#include "engine/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/memory.h"

static char *format_message(const char *format, va_list args)
{
    va_list copy;
    va_copy(copy, args);
    int length = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    if (length < 0) length = 0;
    char *text = mem_alloc((size_t)length + 1);
    if (length == 0)
        text[0] = '\0';
    else
        vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

bool status_fail(struct status *st, enum status_code code, int64_t offset, const char *format, ...)
{
    if (!st || st->code != STATUS_OK) return false;
    va_list args;
    va_start(args, format);
    st->message = format_message(format, args);
    va_end(args);
    st->code = code;
    st->offset = offset;
    return false;
}

void status_prefix(struct status *st, const char *format, ...)
{
    if (!st || st->code == STATUS_OK) return;
    va_list args;
    va_start(args, format);
    char *prefix = format_message(format, args);
    va_end(args);
    size_t size = strlen(prefix) + 2 + strlen(st->message) + 1;
    char *joined = mem_alloc(size);
    snprintf(joined, size, "%s: %s", prefix, st->message);
    mem_free(prefix);
    mem_free(st->message);
    st->message = joined;
}

void status_move(struct status *to, struct status *from)
{
    if (from->code == STATUS_OK) return;
    if (to && to->code == STATUS_OK) {
        *to = *from;
        *from = (struct status)STATUS_INIT;
    } else {
        status_clear(from);
    }
}

void status_clear(struct status *st)
{
    mem_free(st->message);
    *st = (struct status)STATUS_INIT;
}

const char *status_message(const struct status *st)
{
    return st->message ? st->message : "";
}
