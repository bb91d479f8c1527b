#include "tests/gen/notation.h"

#include <stdbool.h>
#include <stdlib.h>

#include "tests/gen/features.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

/* In every build: the lines are constants of this folder. */
static void must(bool good)
{
    if (!good) abort();
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

static const char *read_number(const char *at, uint64_t *value)
{
    char *end = NULL;
    *value = *at == '-' ? (uint64_t)strtoll(at, &end, 0) : (uint64_t)strtoull(at, &end, 0);
    must(end && end != at);
    return at + (end - at);
}

static const char *read_real(const char *at, double *value)
{
    char *end = NULL;
    *value = strtod(at, &end);
    must(end && end != at);
    return at + (end - at);
}

static const char *put_text(struct buffer *b, uint32_t field, const char *at)
{
    size_t n = 0;
    while (at[n] && at[n] != '\'')
        n++;
    must(at[n] == '\'');
    gen_bytes(b, field, at, n);
    return at + n + 1;
}

static const char *put_packed(struct buffer *b, uint32_t field, const char *at)
{
    size_t mark = gen_open(b, field);
    for (at = skip_blanks(at); *at != ']'; at = skip_blanks(at)) {
        uint64_t value;
        at = read_number(at, &value);
        gen_varint(b, value);
    }
    gen_close(b, mark);
    return at + 1;
}

/* A number of the kind that the mark says. */
static const char *put_number(struct buffer *b, uint32_t field, char kind, const char *at)
{
    uint64_t number = 0;
    double real = 0;
    bool is_zigzag = kind == ':' && *at == 's';
    if (kind == '~' || kind == '%')
        at = read_real(at, &real);
    else
        at = read_number(at + is_zigzag, &number);
    switch (kind) {
    case ':':
        if (is_zigzag)
            gen_sint(b, field, (int64_t)number);
        else
            gen_uint(b, field, number);
        break;
    case '~': gen_float(b, field, (float)real); break;
    case '%': gen_double(b, field, real); break;
    case '=': gen_fixed64(b, field, number); break;
    case '#': gen_fixed32(b, field, (uint32_t)number); break;
    default: must(false);
    }
    return at;
}

/* Until the end of the line or the '}' of this message, which is stepped over. */
static const char *put_message(struct buffer *b, const char *at)
{
    for (at = skip_blanks(at); *at && *at != '}'; at = skip_blanks(at)) {
        uint64_t number;
        at = read_number(at, &number);
        uint32_t field = (uint32_t)number;
        char kind = *at++;
        if (kind == ':' && *at == '\'') {
            at = put_text(b, field, at + 1);
        } else if (kind == '{') {
            size_t mark = gen_open(b, field);
            at = put_message(b, at);
            gen_close(b, mark);
        } else if (kind == '[') {
            at = put_packed(b, field, at);
        } else {
            at = put_number(b, field, kind, at);
        }
    }
    return *at ? at + 1 : at;
}

void gen_notation(struct buffer *b, const char *line)
{
    must(*put_message(b, line) == '\0');
}

void gen_notation_packets(struct buffer *trace, uint32_t sequence, const struct gen_line *lines,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t ts = lines[i].at < 0 ? -1 : GEN_FEATURES_START + lines[i].at;
        size_t packet = gen_packet_open(trace, ts, sequence);
        gen_notation(trace, lines[i].fields);
        gen_packet_close(trace, packet);
    }
}

void gen_notation_kernel(struct gen_ftrace *cpu, const struct gen_kernel_line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct buffer *event =
            gen_ftrace_open(cpu, GEN_FEATURES_START + lines[i].at, lines[i].tid, lines[i].event);
        gen_notation(event, lines[i].fields);
        gen_ftrace_close(cpu);
    }
}
