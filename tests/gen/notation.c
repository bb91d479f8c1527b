#include "tests/gen/notation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gen/features.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

static const char *skip_blanks(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

static uint64_t read_number(const char **at)
{
    char *end;
    uint64_t value =
        **at == '-' ? (uint64_t)strtoll(*at, &end, 0) : (uint64_t)strtoull(*at, &end, 0);
    assert(end != *at);
    *at = end;
    return value;
}

static double read_real(const char **at)
{
    char *end;
    double value = strtod(*at, &end);
    assert(end != *at);
    *at = end;
    return value;
}

static const char *put_text(struct buffer *b, uint32_t field, const char *at)
{
    const char *end = strchr(at, '\'');
    assert(end);
    gen_bytes(b, field, at, (size_t)(end - at));
    return end + 1;
}

static const char *put_packed(struct buffer *b, uint32_t field, const char *at)
{
    size_t mark = gen_open(b, field);
    for (at = skip_blanks(at); *at != ']'; at = skip_blanks(at))
        gen_varint(b, read_number(&at));
    gen_close(b, mark);
    return at + 1;
}

/* Until the end of the line or the '}' of this message, which is stepped over. */
static const char *put_message(struct buffer *b, const char *at)
{
    for (at = skip_blanks(at); *at && *at != '}'; at = skip_blanks(at)) {
        uint32_t field = (uint32_t)read_number(&at);
        char kind = *at++;
        if (kind == ':' && *at == '\'') {
            at = put_text(b, field, at + 1);
        } else if (kind == ':' && *at == 's') {
            at++;
            gen_sint(b, field, (int64_t)read_number(&at));
        } else if (kind == ':') {
            gen_uint(b, field, read_number(&at));
        } else if (kind == '{') {
            size_t mark = gen_open(b, field);
            at = put_message(b, at);
            gen_close(b, mark);
        } else if (kind == '[') {
            at = put_packed(b, field, at);
        } else if (kind == '~') {
            gen_float(b, field, (float)read_real(&at));
        } else if (kind == '%') {
            gen_double(b, field, read_real(&at));
        } else if (kind == '=') {
            gen_fixed64(b, field, read_number(&at));
        } else {
            assert(kind == '#');
            gen_fixed32(b, field, (uint32_t)read_number(&at));
        }
    }
    return *at ? at + 1 : at;
}

void gen_notation(struct buffer *b, const char *line)
{
    const char *end = put_message(b, line);
    assert(*end == '\0');
    (void)end;
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
