#include "engine/import/ninja.h"

#include <stdlib.h>

#include "engine/base/buffer.h"
#include "engine/base/strpool.h"
#include "engine/import/process.h"
#include "engine/import/slice.h"
#include "engine/import/text_events.h"
#include "engine/import/track.h"

#define NS_PER_MS      1000000
#define MAX_MS         (INT64_MAX / NS_PER_MS)
#define BUILD_PID      1
#define MAX_NAME_BYTES 4096
#define HEAD           "# ninja log"

/* One command: it may have made several files, whose lines follow each other. */
struct job {
    int64_t start, end; /* ms */
    uint64_t hash;
    size_t first, count, order; /* of its files */
};

struct worker {
    int64_t busy_until;
    uint32_t number;
};

/* In the sorter. */
struct ready_job {
    int64_t dur; /* ns */
    string_id name;
    uint32_t worker;
};

struct state {
    const struct import_file *file;
    uint32_t queue, sink;
    VEC(struct str) files;
    VEC(struct job) jobs;
    VEC(struct worker) busy; /* a heap, the first one to be free at the top */
    VEC(uint32_t) idle;      /* the last one that became free at the end */
    VEC(uint32_t) threads;   /* utid by worker */
    uint32_t n_workers;
};

/* ---- workers ---- */

static void sink_down(struct worker *heap, size_t count, size_t i)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count) return;
        if (child + 1 < count && heap[child + 1].busy_until < heap[child].busy_until) child++;
        if (heap[i].busy_until <= heap[child].busy_until) return;
        struct worker swap = heap[i];
        heap[i] = heap[child];
        heap[child] = swap;
        i = child;
    }
}

static void rise(struct worker *heap, size_t i)
{
    while (i > 0 && heap[i].busy_until < heap[(i - 1) / 2].busy_until) {
        struct worker swap = heap[i];
        heap[i] = heap[(i - 1) / 2];
        heap[(i - 1) / 2] = swap;
        i = (i - 1) / 2;
    }
}

/* Jobs come by their start.  Of the idle ones it takes who became free last; those who
 * become free later are later than all who are idle already. */
static uint32_t assign(struct state *s, const struct job *job)
{
    while (s->busy.count > 0 && s->busy.items[0].busy_until <= job->start) {
        vec_push(&s->idle, s->busy.items[0].number);
        s->busy.items[0] = vec_pop(&s->busy);
        sink_down(s->busy.items, s->busy.count, 0);
    }
    uint32_t number = s->idle.count > 0 ? vec_pop(&s->idle) : s->n_workers++;
    vec_push(&s->busy, (struct worker){job->end, number});
    rise(s->busy.items, s->busy.count - 1);
    return number;
}

/* ---- jobs ---- */

static int compare_jobs(const void *a, const void *b)
{
    const struct job *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static string_id name_of(struct state *s, const struct job *job)
{
    struct buffer name = {.largest = MAX_NAME_BYTES};
    for (size_t i = 0; i < job->count && !name.overflowed; i++) {
        if (i > 0) buffer_append_byte(&name, ' ');
        buffer_append_str(&name, s->files.items[job->first + i]);
    }
    string_id id = strpool_intern(s->file->import->strings, buffer_str(&name));
    buffer_free(&name);
    return id;
}

static void push_jobs(struct state *s)
{
    if (s->jobs.count > 1) qsort(s->jobs.items, s->jobs.count, sizeof *s->jobs.items, compare_jobs);
    for (size_t i = 0; i < s->jobs.count; i++) {
        const struct job *job = &s->jobs.items[i];
        struct ready_job *to = sorter_push(s->file->import->sorter, s->queue, s->sink,
                                           job->start * NS_PER_MS, sizeof *to);
        *to = (struct ready_job){(job->end - job->start) * NS_PER_MS, name_of(s, job),
                                 assign(s, job)};
    }
}

static uint32_t thread_of(struct state *s, uint32_t worker)
{
    struct strpool *strings = s->file->import->strings;
    while (s->threads.count <= worker) {
        int64_t tid = (int64_t)s->threads.count + 1;
        uint32_t utid = thread_intern_in(s->file, tid, BUILD_PID);
        thread_set_name(s->file, utid, strpool_intern_text(strings, "Worker"), THREAD_NAME_OTHER);
        vec_push(&s->threads, utid);
    }
    return s->threads.items[worker];
}

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct state *s = owner;
    const struct ready_job *job = payload;
    uint32_t track =
        track_of_thread(s->file->import->tracks, s->file->machine_id, thread_of(s, job->worker));
    slice_scoped(s->file, ts, job->dur, track, STRING_NULL, job->name, NULL);
}

/* ---- the file ---- */

static bool read_hash(struct str text, uint64_t *hash)
{
    *hash = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) return false;
        *hash = *hash << 4 | (uint64_t)digit;
    }
    return text.n > 0 && text.n <= 16;
}

/* start, end, time of the file, file, hash of the command */
static bool read_job(struct str line, struct job *job, struct str *output)
{
    struct str columns[5];
    for (int i = 0; i < 5; i++)
        if (!str_split_next(&line, '\t', &columns[i])) return false;
    *output = columns[3];
    return str_to_int64(columns[0], &job->start) && str_to_int64(columns[1], &job->end) &&
           read_hash(columns[4], &job->hash) && job->start >= 0 && job->end >= job->start &&
           job->end <= MAX_MS;
}

static void read_line(struct state *s, struct text_reader *reader, struct str line)
{
    struct job job = {.first = s->files.count, .count = 1, .order = s->jobs.count};
    struct str output;
    if (!read_job(line, &job, &output)) {
        text_reader_fail(reader, STAT_ninja_parse_errors, "no line of a ninja log");
        return;
    }
    vec_push(&s->files, output);
    struct job *last = s->jobs.count > 0 ? vec_last(&s->jobs) : NULL;
    if (last && last->hash == job.hash && last->start == job.start && last->end == job.end)
        last->count++;
    else
        vec_push(&s->jobs, job);
}

static bool check_head(struct import_file *file, struct text_reader *reader, struct status *st)
{
    static const char VERSION[] = HEAD " v";
    struct str line;
    int64_t version;
    if (file->file_id != 0)
        return status_fail(st, STATUS_FORMAT, STATUS_NO_OFFSET,
                           "Ninja traces currently do not support being contained inside other "
                           "trace formats");
    if (!text_reader_next(reader, &line) || !str_starts(line, STR(VERSION)) ||
        !str_to_int64(str_slice(line, sizeof VERSION - 1, line.n), &version))
        return status_fail(st, STATUS_CORRUPT, 0, "Failed to parse ninja log header");
    if (version != 5)
        return status_fail(st, STATUS_FORMAT, 0, "Unsupported ninja log version %lld",
                           (long long)version);
    return true;
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct text_reader reader;
    struct str line;
    text_reader_open(&reader, file, bytes);
    if (!check_head(file, &reader, st)) return false;
    struct state *s = mem_zero(1, sizeof *s);
    struct sorter *sorter = file->import->sorter;
    file->state = s;
    s->file = file;
    s->queue = sorter_add_queue(sorter);
    s->sink = sorter_add_sink(sorter, parse, s);
    process_set_name(file, process_intern(file, BUILD_PID),
                     strpool_intern_text(file->import->strings, "Build"), PROCESS_NAME_OTHER);
    while (text_reader_next(&reader, &line))
        read_line(s, &reader, line);
    push_jobs(s);
    return true;
}

static void finish(struct import_file *file)
{
    struct state *s = file->state;
    if (!s) return;
    vec_free(&s->files);
    vec_free(&s->jobs);
    vec_free(&s->busy);
    vec_free(&s->idle);
    vec_free(&s->threads);
    mem_free(s);
    file->state = NULL;
}

static bool sniff(struct str bytes)
{
    return str_starts(bytes, STR(HEAD));
}

const struct importer importer_ninja = {
    .name = "ninja_log",
    .detection_priority = 183,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_NONE,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
