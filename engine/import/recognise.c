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
    START("an old perf.data recording", "PERFFILE"),
    START("a simpleperf report", "SIMPLEPERF"),
    START("a pprof profile of the old text kind", "--- contentionz "),
    START("a pprof profile of the old text kind", "--- threadz "),
    START("a pprof profile of the old text kind", "heap profile: "),
    START("a CPU profile of the old binary kind",
          "\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
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

const char *importer_recognise(struct str bytes)
{
    char text[128];
    struct str head = head_without_space(bytes, text);
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
        if (str_starts(bytes, (struct str){STARTS[i].start, STARTS[i].n})) return STARTS[i].name;
    if (str_starts(head, STR("{\"")) || str_starts(head, STR("[{\""))) return "a JSON document";
    return NULL;
}
