#include "engine/import/import.h"

/* Kinds of file that people try to open and that no importer reads, so that the
 * message can say what the file is (sniff rules: spec engine_1 1.1). */

static struct str head_without_space(struct str bytes, char out[128])
{
    size_t n = 0;
    for (size_t i = 0; i < bytes.n && i < 128; i++) {
        char c = bytes.p[i];
        if (c != ' ' && !(c >= '\t' && c <= '\r')) out[n++] = c;
    }
    return (struct str){out, n};
}

struct known_start {
    const char *name;
    const char *start;
    size_t n;
};

#define START(name, text) \
    { \
        name, text, sizeof text - 1 \
    }
static const struct known_start STARTS[] = {
    START("an Arrow table", "ARROW1"),
    START("a Fuchsia trace", "\x10\x00\x04\x46\x78\x54\x16\x00"),
    START("a perf.data recording", "PERFILE2"),
    START("a simpleperf report", "SIMPLEPERF"),
    START("an ART method trace", "SLOW"),
    START("an ART method trace", "*version\n"),
    START("a Java heap dump", "JAVA PROFILE"),
    START("an Instruments export", "<?xml version=\"1.0\"?>\n<trace-query-result>"),
    START("a ninja build log", "# ninja log"),
    START("an Android bug report", "========================================================\n"
                                   "== dumpstate: "),
    START("Android battery statistics", "9,0,i,vers,"),
    START("a Primes trace", "\x09"),
    START("a 7z archive", "7z\xBC\xAF\x27\x1C"),
    START("an xz stream", "\xFD"
                          "7zXZ"),
    START("a bzip2 stream", "BZh"),
    START("an ELF program", "\x7F"
                            "ELF"),
    START("an SQLite database", "SQLite format 3"),
    START("a UTF-16 text", "\xFF\xFE"),
    START("a UTF-16 text", "\xFE\xFF"),
};

/* Every top-level field is one of pprof's Profile, with its wire type. */
static bool looks_like_pprof(struct str bytes)
{
    static const char BYTES_FIELDS[] = {1, 2, 3, 4, 5, 6, 11, 13};
    static const char NUMBER_FIELDS[] = {7, 8, 9, 10, 12, 13, 14};
    size_t at = 0;
    bool has_content = false;
    if (bytes.n < 10) return false;
    while (at < bytes.n) {
        uint8_t tag = (uint8_t)bytes.p[at++];
        uint64_t value = 0;
        unsigned shift = 0;
        for (;; shift += 7) {
            if (at >= bytes.n || shift > 63) return false;
            uint8_t byte = (uint8_t)bytes.p[at++];
            value |= (uint64_t)(byte & 0x7F) << shift;
            if (byte < 0x80) break;
        }
        int field = tag >> 3, type = tag & 7;
        if (type == 2 && field && memchr(BYTES_FIELDS, field, sizeof BYTES_FIELDS)) {
            if (value > bytes.n - at) return false;
            at += (size_t)value;
            has_content |= field >= 2 && field <= 6;
        } else if (type != 0 || !field || !memchr(NUMBER_FIELDS, field, sizeof NUMBER_FIELDS)) {
            return false;
        }
    }
    return has_content;
}

static bool is_digits(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9') return false;
    return s.n > 0;
}

/* The first lines are `a;b;c 12`. */
static bool looks_like_collapsed(struct str bytes)
{
    struct str rest = str_slice(bytes, 0, 1 << 16), line;
    int good = 0;
    while (good < 3 && str_split_next(&rest, '\n', &line)) {
        line = str_trim(line);
        if (line.n == 0 || line.p[0] == '#') continue;
        size_t space = line.n;
        while (space > 0 && line.p[space - 1] != ' ')
            space--;
        size_t semicolon;
        if (space == 0 || !is_digits(str_slice(line, space, line.n)) ||
            !str_find_byte(str_slice(line, 0, space), ';', &semicolon))
            return false;
        good++;
    }
    return good > 0;
}

const char *importer_recognise(struct str bytes)
{
    char text[128];
    struct str head = head_without_space(bytes, text);
    size_t at;
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
        if (str_starts(bytes, (struct str){STARTS[i].start, STARTS[i].n})) return STARTS[i].name;
    if (str_starts(head, STR("{\"meta\"")) || str_starts(head, STR("{\"libs\"")))
        return "a Firefox profile";
    if (str_starts(head, STR("{\"")) || str_starts(head, STR("[{\""))) return "a JSON document";
    if (str_find(str_slice(bytes, 0, 128), STR("# tracer"), &at)) return "an ftrace text";
    if (looks_like_collapsed(bytes)) return "a file of collapsed stacks";
    if (looks_like_pprof(bytes)) return "a pprof profile";
    return NULL;
}
