/* Events of the modem in Pixel phones: texts by number, as Pigweed's tokenizer makes
 * them (protos pixel_modem_events; pigweed.dev/pw_tokenizer: token database,
 * detokenization).
 *
 * A database is "TOKENS\0\0", a little-endian count and four reserved bytes, as many
 * pairs of token and day of removal (all ones: in use), then as many texts that end
 * with a NUL.  A message is its token and the values of its text's conversions:
 * zigzag varints, and floats of four bytes. */
#include "engine/import/packet.h"

#include <inttypes.h>

#include "engine/base/buffer.h"
#include "engine/base/checked.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/probe_track.h"
#include "engine/import/sorter.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

enum { PACKET_MODEM = 110, PACKET_DATABASE = 111 };
enum { HEADER_BYTES = 16, ENTRY_BYTES = 8 };

#define NEVER_REMOVED UINT32_C(0xFFFFFFFF)
/* Longer numbers make the reference drop the event. */
#define LONGEST_NUMBER 30

struct modem {
    const struct import_file *file;
    uint32_t queue, sink;
    struct map texts; /* token -> index in list */
    VEC(struct str) list;
    struct arg_list args;
    struct buffer text;
};

struct modem_event {
    const char *bytes;
    size_t length;
    int64_t packet_ts;
};

static uint32_t read_word(const char *p)
{
    uint32_t word = 0;
    for (int i = 3; i >= 0; i--)
        word = word << 8 | (uint8_t)p[i];
    return word;
}

/* ---- the database ---- */

static bool read_database(struct modem *modem, struct str bytes)
{
    if (bytes.n < HEADER_BYTES || memcmp(bytes.p, "TOKENS\0\0", 8) != 0) return false;
    size_t count = read_word(bytes.p + 8);
    if (count > (bytes.n - HEADER_BYTES) / ENTRY_BYTES) return false;
    struct str texts = str_slice(bytes, HEADER_BYTES + count * ENTRY_BYTES, bytes.n);
    map_clear(&modem->texts);
    vec_clear(&modem->list);
    for (size_t i = 0; i < count; i++) {
        const char *entry = bytes.p + HEADER_BYTES + i * ENTRY_BYTES;
        size_t end;
        if (!str_find_byte(texts, '\0', &end)) return false;
        if (read_word(entry + 4) == NEVER_REMOVED) {
            map_set(&modem->texts, read_word(entry), modem->list.count);
            vec_push(&modem->list, str_slice(texts, 0, end));
        }
        texts = str_slice(texts, end + 1, texts.n);
    }
    return true;
}

/* ---- conversions ---- */

struct conversion {
    bool is_left, has_zeros, has_prefix, has_precision, is_long;
    char sign, kind;
    size_t width, precision, end; /* end: after it in the text */
};

static size_t read_digits(struct str text, size_t at, size_t *value)
{
    for (; at < text.n && text.p[at] >= '0' && text.p[at] <= '9'; at++)
        if (*value < 1000) *value = *value * 10 + (size_t)(text.p[at] - '0');
    return at;
}

/* `at` is after the percent sign.  Widths of '*' are not Pigweed's. */
static bool read_conversion(struct str text, size_t at, struct conversion *c)
{
    *c = (struct conversion){0};
    for (; at < text.n && memchr("-+# 0", text.p[at], 5); at++) {
        if (text.p[at] == '-') c->is_left = true;
        if (text.p[at] == '0') c->has_zeros = true;
        if (text.p[at] == '#') c->has_prefix = true;
        if (text.p[at] == '+' || (text.p[at] == ' ' && !c->sign)) c->sign = text.p[at];
    }
    at = read_digits(text, at, &c->width);
    if (at < text.n && text.p[at] == '.') {
        c->has_precision = true;
        at = read_digits(text, at + 1, &c->precision);
    }
    for (; at < text.n && memchr("hljztL", text.p[at], 6); at++)
        c->is_long |= text.p[at] == 'j' || (text.p[at] == 'l' && text.p[at - 1] == 'l');
    c->end = at + 1;
    c->kind = at < text.n ? text.p[at] : '\0';
    return c->kind && memchr("dicoxXupfFeEaAgG", c->kind, 16);
}

static bool is_float(char kind)
{
    return memchr("fFeEaAgG", kind, 8) != NULL;
}

/* Sign, zeros and blanks around digits. */
static bool pad(struct buffer *out, const struct conversion *c, const char *sign,
                const char *digits)
{
    size_t length = strlen(sign) + strlen(digits);
    size_t fill = c->width > length ? c->width - length : 0;
    bool with_zeros = c->has_zeros && !c->is_left && (!c->has_precision || is_float(c->kind));
    if (length + fill > LONGEST_NUMBER) return false;
    for (size_t i = 0; !c->is_left && !with_zeros && i < fill; i++)
        buffer_append_byte(out, ' ');
    buffer_append_text(out, sign);
    for (size_t i = 0; with_zeros && i < fill; i++)
        buffer_append_byte(out, '0');
    buffer_append_text(out, digits);
    for (size_t i = 0; c->is_left && i < fill; i++)
        buffer_append_byte(out, ' ');
    return true;
}

static bool put_float(struct buffer *out, const struct conversion *c, double value)
{
    char digits[400] = "";
    bool is_negative = value < 0;
    int precision = c->has_precision ? (int)c->precision : 6;
    double size = is_negative ? -value : value;
    switch (c->kind) {
    case 'e': probe_format(digits, sizeof digits, "%.*e", precision, size); break;
    case 'E': probe_format(digits, sizeof digits, "%.*E", precision, size); break;
    case 'g': probe_format(digits, sizeof digits, "%.*g", precision, size); break;
    case 'G': probe_format(digits, sizeof digits, "%.*G", precision, size); break;
    case 'a': probe_format(digits, sizeof digits, "%a", size); break;
    case 'A': probe_format(digits, sizeof digits, "%A", size); break;
    default: probe_format(digits, sizeof digits, "%.*f", precision, size); break;
    }
    char sign[2] = {is_negative ? '-' : c->sign, '\0'};
    return pad(out, c, sign, digits);
}

static bool put_integer(struct buffer *out, const struct conversion *c, int64_t value)
{
    char digits[80];
    int precision = c->has_precision && c->precision < 64 ? (int)c->precision : 1;
    uint64_t bits = (uint64_t)value;
    bool is_signed = c->kind == 'd' || c->kind == 'i';
    if (is_signed && value < 0) bits = 0 - bits;
    switch (c->kind) {
    case 'c': probe_format(digits, sizeof digits, "%c", (int)(value & 0x7F)); break;
    case 'o': probe_format(digits, sizeof digits, "%.*" PRIo64, precision, bits); break;
    case 'x': probe_format(digits, sizeof digits, "%.*" PRIx64, precision, bits); break;
    case 'X': probe_format(digits, sizeof digits, "%.*" PRIX64, precision, bits); break;
    case 'p': probe_format(digits, sizeof digits, "%" PRIx64, bits); break;
    default: probe_format(digits, sizeof digits, "%.*" PRIu64, precision, bits); break;
    }
    char sign[2] = {!is_signed ? '\0' : value < 0 ? '-' : c->sign, '\0'};
    const char *prefix = sign;
    if (c->kind == 'p' || (c->has_prefix && bits && c->kind == 'x'))
        prefix = "0x";
    else if (c->has_prefix && bits && c->kind == 'X')
        prefix = "0X";
    return pad(out, c, prefix, digits);
}

/* ---- events ---- */

static string_id intern(const struct modem *modem, struct str text)
{
    return strpool_intern(modem->file->import->strings, text.p ? text : STR(""));
}

static void put_arg(struct modem *modem, uint32_t token, uint32_t index, struct arg arg)
{
    char key[64];
    probe_format(key, sizeof key, "pw_token_%" PRIu32 ".arg_%" PRIu32, token, index);
    arg.key = arg.flat_key = intern(modem, str_of(key));
    arg_list_put(&modem->args, arg);
}

/* One value of the message as text and as an arg; false when it is cut. */
static bool put_value(struct modem *modem, const struct conversion *c, struct wire *values,
                      uint32_t token, uint32_t index)
{
    if (is_float(c->kind)) {
        struct wire_field f = {0};
        if (values->end - values->at < 4) return false;
        f.value = read_word((const char *)values->at);
        values->at += 4;
        double value = (double)wire_float(&f);
        put_arg(modem, token, index, (struct arg){.type = ARG_REAL, .value.real = value});
        return put_float(&modem->text, c, value);
    }
    uint64_t raw;
    if (!wire_varint(values, &raw)) return false;
    int64_t value = wire_zigzag(raw);
    bool is_signed = c->kind == 'd' || c->kind == 'i' || c->kind == 'c';
    if (!is_signed && c->kind != 'p' && !c->is_long) value &= 0xFFFFFFFF;
    put_arg(modem, token, index,
            (struct arg){.type = is_signed ? ARG_INT : ARG_UINT, .value.integer = value});
    return put_integer(&modem->text, c, value);
}

/* The text with its values; those that a message lacks are said to be errors. */
static bool write_text(struct modem *modem, struct str format, struct wire values, uint32_t token)
{
    uint32_t index = 0;
    bool is_over = false;
    buffer_clear(&modem->text);
    for (size_t i = 0; i < format.n;) {
        struct conversion c;
        if (format.p[i] != '%' || !read_conversion(format, i + 1, &c)) {
            buffer_append_byte(&modem->text, format.p[i++]);
            continue;
        }
        if (is_over)
            buffer_append_text(&modem->text, "<ERROR>");
        else if (!put_value(modem, &c, &values, token, index++))
            return false;
        is_over = values.at >= values.end;
        i = c.end;
    }
    return true;
}

/* Modems write pairs of key and value inside the text: U+25A0 before the key and
 * U+2666 between the two. */
static struct str value_of(struct str text, const char *key)
{
    const struct str start = STR("\xE2\x96\xA0"), middle = STR("\xE2\x99\xA6");
    size_t at;
    while (text.n) {
        struct str pair = text;
        if (str_find(text, start, &at)) pair = str_slice(text, 0, at);
        text = str_slice(text, pair.n + start.n, text.n);
        if (!str_find(pair, middle, &at) || !str_is(str_slice(pair, 0, at), key)) continue;
        struct str value = str_slice(pair, at + middle.n, pair.n);
        return str_find(value, middle, &at) ? str_slice(value, 0, at) : value;
    }
    return STR_NONE;
}

static void show(struct modem *modem, int64_t ts, const struct modem_event *event, uint32_t token,
                 struct str template)
{
    struct str text = buffer_str(&modem->text), domain = value_of(text, "domain");
    struct str format = value_of(text, "format");
    struct strpool *strings = modem->file->import->strings;
    char hex[16], name[160];
    probe_format(hex, sizeof hex, "0x%02" PRIx32, token);
    arg_list_put_string(&modem->args, strpool_intern_text(strings, "raw_template"),
                        intern(modem, template));
    arg_list_put_int(&modem->args, strpool_intern_text(strings, "token_id"), token);
    arg_list_put_string(&modem->args, strpool_intern_text(strings, "token_id_hex"),
                        strpool_intern_text(strings, hex));
    string_id packet_ts = strpool_intern_text(strings, "packet_ts");
    arg_list_put(&modem->args, (struct arg){.flat_key = packet_ts,
                                            .key = packet_ts,
                                            .type = ARG_UINT,
                                            .value.integer = event->packet_ts});
    struct track_key key = probe_key(modem->file, "pixel_modem_event", TRACK_SLICE);
    probe_dimension_text(modem->file, &key, "modem_domain", domain);
    probe_format(name, sizeof name, "Pixel Modem Events%s%.*s", domain.n ? ": " : "",
                 STR_ARG(domain));
    slice_scoped(modem->file, ts, 0, probe_track(modem->file, &key, name, NULL), STRING_NULL,
                 intern(modem, format.p ? format : text), &modem->args);
}

static void sink_event(void *owner, int64_t ts, const void *payload)
{
    struct modem *modem = owner;
    const struct modem_event *event = payload;
    if (event->length < 4) {
        stats_add(modem->file, STAT_perfetty_packet_parts_invalid, 1);
        return;
    }
    uint32_t token = read_word(event->bytes);
    const uint64_t *at = map_get(&modem->texts, token);
    struct str template = at ? modem->list.items[*at] : STR("Token not found");
    struct str values = {event->bytes + 4, event->length - 4};
    vec_clear(&modem->args);
    if (write_text(modem, template, wire_open(values), token))
        show(modem, ts, event, token, template);
    else
        stats_add(modem->file, STAT_perfetty_packet_parts_invalid, 1);
}

/* The next number of field 2, whose numbers may be packed. */
static bool next_delta(struct wire *fields, struct wire *packed, uint64_t *delta)
{
    struct wire_field f;
    if (wire_varint(packed, delta)) return true;
    while (wire_next(fields, &f)) {
        if (f.number != 2) continue;
        *delta = f.value;
        if (f.type != WIRE_BYTES) return true;
        *packed = wire_open(f.bytes);
        if (wire_varint(packed, delta)) return true;
    }
    return false;
}

static bool tokenize_events(void *state, const struct packet *packet, struct str field)
{
    struct modem *modem = state;
    struct wire events = wire_open(field), times = wire_open(field), packed = wire_open(STR_NONE);
    struct wire_field f;
    uint64_t delta;
    int64_t ts = 0;
    while (wire_next(&events, &f)) {
        if (f.number != 1 || f.type != WIRE_BYTES) continue;
        if (!next_delta(&times, &packed, &delta)) break;
        ts = (int64_t)((uint64_t)ts + delta);
        if (ts < 0) {
            stats_add(packet->file, STAT_pixel_modem_negative_timestamp, 1);
            continue;
        }
        struct modem_event *out =
            sorter_push(modem->file->import->sorter, modem->queue, modem->sink, ts, sizeof *out);
        *out = (struct modem_event){f.bytes.p, f.bytes.n, packet->ts};
    }
    if (events.bad) stats_add(packet->file, STAT_perfetty_packet_parts_invalid, 1);
    return true;
}

static bool tokenize_database(void *state, const struct packet *packet, struct str field)
{
    struct wire_field f;
    wire_find(field, 1, &f);
    if (!read_database(state, f.bytes))
        stats_add(packet->file, STAT_perfetty_packet_parts_invalid, 1);
    return true;
}

static void *create(struct packet_reader *reader)
{
    struct modem *modem = mem_zero(1, sizeof *modem);
    modem->file = packet_reader_file(reader);
    modem->queue = packet_reader_queue(reader);
    modem->sink = sorter_add_sink(modem->file->import->sorter, sink_event, modem);
    modem->text = (struct buffer)BUFFER_INIT;
    return modem;
}

static void finish(void *state)
{
    struct modem *modem = state;
    map_free(&modem->texts);
    vec_free(&modem->list);
    vec_free(&modem->args);
    buffer_free(&modem->text);
    mem_free(modem);
}

static const struct packet_module modules[] = {
    {PACKET_MODEM, tokenize_events, NULL},
    {PACKET_DATABASE, tokenize_database, NULL},
};

const struct packet_source android_modem_source = {
    .name = "android_modem",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = sizeof modules / sizeof modules[0],
};
