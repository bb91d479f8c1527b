/* ProtoLog: messages by number with their values apart; a viewer's configuration has
 * the texts (protos protolog, protolog_common). */
#include "engine/import/winscope.h"

#include <inttypes.h>

#include "engine/base/strpool.h"
#include "engine/import/probe_track.h"

enum { INTERNED_STRING = 36, INTERNED_STACK = 37 };
enum { MESSAGE_STRINGS = 2, MESSAGE_INTEGERS = 3, MESSAGE_REALS = 4, MESSAGE_BOOLS = 5 };

/* ---- the configuration ---- */

static void read_format(struct winscope *w, struct str bytes)
{
    struct wire wire = wire_open(bytes);
    struct wire_field f;
    struct protolog_format format = {0};
    uint64_t id = 0;
    bool is_new;
    while (wire_next(&wire, &f))
        switch (f.number) {
        case 1: id = f.value; break;
        case 2: format.text = f.bytes; break;
        case 3: format.level = f.value; break;
        case 4: format.group = (uint32_t)f.value; break;
        case 5: format.location = f.bytes; break;
        default: break;
        }
    map_put_if_absent(&w->format_of, id, w->formats.count, &is_new);
    if (is_new) vec_push(&w->formats, format);
}

void winscope_protolog_config(struct winscope *w, struct str bytes)
{
    struct wire wire = wire_open(bytes);
    struct wire_field f, id, tag;
    bool is_new;
    while (wire_next(&wire, &f)) {
        if (f.type != WIRE_BYTES) continue;
        if (f.number == 1) read_format(w, f.bytes);
        if (f.number != 2) continue;
        wire_find(f.bytes, 1, &id);
        wire_find(f.bytes, 3, &tag);
        map_put_if_absent(&w->group_of, (uint32_t)id.value, winscope_text(w, tag.bytes), &is_new);
    }
    if (wire.bad) stats_add(w->file, STAT_perfetty_packet_parts_invalid, 1);
}

/* ---- messages ---- */

struct values {
    struct winscope_numbers integers, bools, strings;
    struct wire reals, packed_reals;
};

static bool next_real(struct values *v, double *real)
{
    struct wire_field f = {0};
    while (v->packed_reals.end - v->packed_reals.at < 8) {
        do
            if (!wire_next(&v->reals, &f)) return false;
        while (f.number != MESSAGE_REALS);
        if (f.type != WIRE_BYTES) {
            *real = wire_double(&f);
            return true;
        }
        v->packed_reals = wire_open(f.bytes);
    }
    memcpy(&f.value, v->packed_reals.at, 8);
    v->packed_reals.at += 8;
    *real = wire_double(&f);
    return true;
}

static void put_integer(struct buffer *out, char kind, int64_t value)
{
    if (kind == 'd')
        buffer_printf(out, "%" PRId64, value);
    else if (kind == 'o')
        buffer_printf(out, "%" PRIo64, (uint64_t)value);
    else
        buffer_printf(out, "%" PRIx64, (uint64_t)value);
}

static void put_real(struct buffer *out, char kind, double value)
{
    if (kind == 'f')
        buffer_printf(out, "%f", value);
    else if (kind == 'e')
        buffer_printf(out, "%e", value);
    else
        buffer_printf(out, "%g", value);
}

static void put_string(struct winscope *w, uint64_t iid)
{
    string_id text = packet_interned_string(w->packet, INTERNED_STRING, iid);
    if (text == STRING_NULL)
        buffer_append_text(&w->text, "[LOST_STRING]");
    else
        buffer_append_str(&w->text, strpool_get(w->file->import->strings, text));
}

/* One conversion; false when the message has no value for it. */
static bool put_value(struct winscope *w, struct values *v, char kind)
{
    uint64_t number;
    double real;
    switch (kind) {
    case '%': buffer_append_byte(&w->text, '%'); return true;
    case 'd':
    case 'o':
    case 'x':
        if (!winscope_next_number(&v->integers, &number)) return false;
        put_integer(&w->text, kind, wire_zigzag(number));
        return true;
    case 'f':
    case 'e':
    case 'g':
        if (!next_real(v, &real)) return false;
        put_real(&w->text, kind, real);
        return true;
    case 's':
        if (!winscope_next_number(&v->strings, &number)) return false;
        put_string(w, number);
        return true;
    case 'b':
        if (!winscope_next_number(&v->bools, &number)) return false;
        buffer_append_text(&w->text, number ? "true" : "false");
        return true;
    default:
        buffer_append_byte(&w->text, '%');
        buffer_append_byte(&w->text, kind);
        return true;
    }
}

static void write_message(struct winscope *w, struct str format, struct str bytes)
{
    struct values values = {
        .integers = winscope_numbers_of(bytes, MESSAGE_INTEGERS),
        .bools = winscope_numbers_of(bytes, MESSAGE_BOOLS),
        .strings = winscope_numbers_of(bytes, MESSAGE_STRINGS),
        .reals = wire_open(bytes),
        .packed_reals = wire_open(STR_NONE),
    };
    bool is_whole = true;
    buffer_clear(&w->text);
    for (size_t i = 0; i < format.n; i++) {
        if (format.p[i] != '%' || i + 1 >= format.n) {
            buffer_append_byte(&w->text, format.p[i]);
            continue;
        }
        if (put_value(w, &values, format.p[++i])) continue;
        buffer_append_text(&w->text, "[MISSING_PARAM]");
        is_whole = false;
    }
    if (!is_whole) stats_add(w->file, STAT_perfetty_packet_parts_invalid, 1);
}

void winscope_protolog(struct winscope *w, int64_t ts, struct str bytes)
{
    static const char *const levels[] = {"UNKNOWN", "DEBUG", "VERBOSE", "INFO",
                                         "WARN",    "ERROR", "WTF"};
    struct wire_field id, stack;
    wire_find(bytes, 1, &id);
    const uint64_t *at = map_get(&w->format_of, id.value);
    const struct protolog_format *format = at ? &w->formats.items[*at] : NULL;
    const uint64_t *tag = format ? map_get(&w->group_of, format->group) : NULL;
    struct protolog_row row = {.ts = ts};
    if (wire_find(bytes, 6, &stack))
        row.stacktrace = packet_interned_string(w->packet, INTERNED_STACK, stack.value);
    if (tag) {
        write_message(w, format->text, bytes);
        row.level = winscope_word(w, levels[format->level < 7 ? format->level : 0]);
        row.tag = (string_id)*tag;
        if (format->location.p) row.location = winscope_text(w, format->location);
    } else {
        stats_add(w->file, STAT_perfetty_packet_parts_invalid, 1);
        buffer_clear(&w->text);
        buffer_printf(&w->text, "[MISSING_VIEWER_CONFIG] (ID: %" PRIu64 ")", id.value);
        row.level = row.tag = winscope_word(w, "UNKNOWN");
    }
    row.message = winscope_text(w, buffer_str(&w->text));
    protolog_append(&w->file->import->tables->protolog, &row);
}
