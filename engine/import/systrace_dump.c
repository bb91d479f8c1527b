/* The tables of processes that systrace puts in front of its events (spec engine_2b
 * 6.6.2): `ps` once with and once without threads. */
#include "engine/import/systrace.h"

#include "engine/base/strpool.h"
#include "engine/import/process.h"

#define LONG_COLUMNS 10

static bool is_header(struct str line, const char *a, const char *b, size_t *columns)
{
    struct str word;
    const char *const wanted[] = {"USER", "PID", a, b};
    *columns = 0;
    while ((word = text_next_word(&line)).p) {
        if (*columns < 4 && !str_is(word, wanted[*columns])) return false;
        ++*columns;
    }
    return *columns >= 4;
}

static bool read_id(struct str word, int64_t *id)
{
    uint64_t value;
    if (!str_to_uint64(word, &value) || value > UINT32_MAX) return false;
    *id = (int64_t)value;
    return true;
}

/* user pid ppid vsz rss wchan pc s name cmd… */
static bool read_long(const struct import_file *file, struct str line)
{
    struct str words[LONG_COLUMNS];
    int64_t pid, parent;
    for (size_t i = 0; i < LONG_COLUMNS; i++)
        if (!(words[i] = text_next_word(&line)).p) return true; /* short lines are no rows */
    if (!read_id(words[1], &pid) || !read_id(words[2], &parent)) return false;
    uint32_t parent_upid = process_intern(file, parent);
    uint32_t upid = process_intern(file, pid);
    process_set_parent(file, upid, parent_upid);
    process_set_name(file, upid, strpool_intern(file->import->strings, words[8]),
                     PROCESS_NAME_SYSTEM);
    return true;
}

/* user pid tid cmd… */
static bool read_short(const struct import_file *file, struct str line)
{
    struct str words[3];
    int64_t pid, tid;
    for (size_t i = 0; i < 3; i++)
        words[i] = text_next_word(&line);
    struct str command = str_trim(line);
    if (command.n == 0) return true;
    if (!read_id(words[1], &pid) || !read_id(words[2], &tid)) return false;
    uint32_t utid = thread_intern_in(file, tid, pid);
    thread_set_name(file, utid, strpool_intern(file->import->strings, command), THREAD_NAME_OTHER);
    return true;
}

bool systrace_dump_read(struct systrace_dump *dump, const struct import_file *file, struct str line)
{
    size_t columns;
    if (is_header(line, "TID", "CMD", &columns) && columns == 4) {
        dump->form = DUMP_SHORT;
        return true;
    }
    if (is_header(line, "PPID", "VSZ", &columns) && columns > 4) {
        dump->form = DUMP_LONG;
        return true;
    }
    return dump->form == DUMP_SHORT ? read_short(file, line) : read_long(file, line);
}
