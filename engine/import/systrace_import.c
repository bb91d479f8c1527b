/* The forms of file that hold ftrace text (spec engine_2b 6.6.2). */
#include "engine/import/systrace.h"

#include "engine/import/process.h"
#include "engine/import/text_utf8.h"

#define HEAD_BYTES 128

enum place {
    IN_TEXT, /* every line is an event */
    IN_PAGE, /* HTML around the data */
    IN_SECTION,
    IN_PROCESSES,
    IN_GROUPS,
    AT_END,
};

struct reader {
    const struct import_file *file;
    struct systrace *systrace;
    struct text_reader lines;
    struct systrace_dump dump;
    enum place place;
};

static bool has(struct str line, const char *text)
{
    size_t at;
    return str_find(line, str_of(text), &at);
}

static bool is_comment(struct str line)
{
    return line.n == 0 || line.p[0] == '#';
}

static void read_text(struct reader *r, struct str line)
{
    if (has(line, "</script>"))
        r->place = AT_END;
    else if (!is_comment(line) && !systrace_push_line(r->systrace, line))
        text_reader_fail(&r->lines, STAT_systrace_parse_failure, "no event of ftrace");
}

/* A section is what its first lines say.  Events count without the header too. */
static void read_section(struct reader *r, struct str line)
{
    if (has(line, "</script>"))
        r->place = IN_PAGE;
    else if (str_starts(line, STR("#")) && has(line, "TASK-PID"))
        r->place = IN_TEXT;
    else if (str_starts(line, STR("PROCESS DUMP")))
        r->place = IN_PROCESSES;
    else if (str_starts(line, STR("CGROUP DUMP")))
        r->place = IN_GROUPS;
    else if (!is_comment(line) && systrace_push_line(r->systrace, line))
        r->place = IN_TEXT;
}

static void read_processes(struct reader *r, struct str line)
{
    if (has(line, "</script>"))
        r->place = IN_PAGE;
    else if (!systrace_dump_read(&r->dump, r->file, line))
        text_reader_fail(&r->lines, STAT_systrace_parse_failure,
                         "Could not parse PROCESS DUMP line");
}

static void read_line(struct reader *r, struct str line)
{
    switch (r->place) {
    case IN_TEXT: read_text(r, line); break;
    case IN_PAGE:
        if (has(line, "<script class=\"trace-data\" type=\"application/text\">"))
            r->place = IN_SECTION;
        break;
    case IN_SECTION: read_section(r, line); break;
    case IN_PROCESSES: read_processes(r, line); break;
    case IN_GROUPS:
        if (has(line, "</script>")) r->place = IN_PAGE;
        break;
    case AT_END: break;
    }
}

/* Where the first line begins: behind atrace's mark and trace-cmd's number of CPUs. */
static size_t begin_of(struct str bytes)
{
    static const char MARK[] = "TRACE:\n";
    size_t at, begin = 0, end;
    if (str_find(str_slice(bytes, 0, HEAD_BYTES), STR(MARK), &at)) begin = at + sizeof MARK - 1;
    struct str rest = str_slice(bytes, begin, bytes.n), line;
    if (!str_starts(rest, STR("cpus=")) || !str_find_byte(rest, '\n', &end)) return begin;
    line = str_trim(str_slice(rest, 5, end));
    text_take_digits(&line);
    return line.n == 0 ? begin + end + 1 : begin;
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct reader r = {.file = file, .place = IN_TEXT};
    struct str line;
    (void)st;
    process_map_idle(file->import, file->machine_id);
    r.systrace = systrace_new(file);
    file->state = r.systrace;
    bytes = systrace_text(r.systrace, bytes);
    text_reader_open(&r.lines, file, bytes);
    r.lines.next = begin_of(bytes);
    if (r.lines.next < bytes.n && bytes.p[r.lines.next] == '<') r.place = IN_PAGE;
    while (r.place != AT_END && text_reader_next(&r.lines, &line))
        read_line(&r, line);
    return true;
}

static void finish(struct import_file *file)
{
    systrace_free(file->state);
    file->state = NULL;
}

static bool starts_without_case(struct str bytes, const char *text)
{
    size_t n = strlen(text);
    if (bytes.n < n) return false;
    for (size_t i = 0; i < n; i++) {
        char c = bytes.p[i];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != text[i]) return false;
    }
    return true;
}

static bool sniff_head(struct str head)
{
    return has(head, "# tracer") || starts_without_case(head, "<!doctype html>") ||
           starts_without_case(head, "<html>") || has(head, "TRACE:\n") ||
           str_starts(head, STR("cpus=")) || str_starts(head, STR(" "));
}

static bool sniff(struct str bytes)
{
    return text_sniff(bytes, HEAD_BYTES, sniff_head);
}

const struct importer importer_systrace = {
    .name = "systrace",
    .detection_priority = 200,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_MONOTONIC,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
