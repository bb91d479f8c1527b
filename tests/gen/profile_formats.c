#include "tests/gen/profile_formats.h"

#include "tests/gen/wire.h"

static const char COLLAPSED[] = "# made by hand\n"
                                "main;parse file;read(int, char**) 3\n"
                                "main;parse file;std::map<int, a b>::find 2\r\n"
                                "main 1\n"
                                "\n"
                                "main;parse file;read(int, char**) 4";

/* 10 samples of 4 frames, equal stacks on two lines, no newline at the end. */
void gen_write_collapsed(struct buffer *out)
{
    buffer_append_text(out, COLLAPSED);
}

/* The same, little-endian with its mark, and a smiley (two units) in front. */
void gen_write_collapsed_utf16(struct buffer *out)
{
    buffer_append(out, "\xFF\xFE\x3D\xD8\x00\xDE;\0x\0 \0001\0\n\0", 16);
    for (const char *p = COLLAPSED; *p; p++)
        gen_le16(out, (uint16_t)(uint8_t)*p);
}

/* Lines that are none between two that are: no count, a count of 0, one that does
 * not fit, no frame at all. */
void gen_write_collapsed_odd(struct buffer *out)
{
    buffer_append_text(out, "a;b 1\n;;a;;b; 2\n// a comment\nb;c 5\n");
    buffer_append_text(out, "no count\na;b 0\na;b 99999999999999999999\n;;; 4\na;b -3\n");
    for (int i = 0; i < 2000; i++)
        buffer_append_text(out, "deep;");
    buffer_append_text(out, "leaf 7\n");
}

/* ---- pprof ---- */

static const char *const STRINGS[] = {"",       "cpu",  "nanoseconds", "samples",
                                      "count",  "main", "main.go",     "inline",
                                      "lib.go", "work", "/bin/app",    "build-id-1"};

static void put_function(struct buffer *out, uint64_t id, uint64_t name, uint64_t file,
                         uint64_t line)
{
    size_t message = gen_open(out, 5);
    gen_uint(out, 1, id);
    gen_uint(out, 2, name);
    gen_uint(out, 4, file);
    gen_uint(out, 5, line);
    gen_close(out, message);
}

static void put_line(struct buffer *out, uint64_t function, uint64_t line)
{
    size_t message = gen_open(out, 4);
    gen_uint(out, 1, function);
    gen_uint(out, 2, line);
    gen_close(out, message);
}

static size_t open_location(struct buffer *out, uint64_t id, uint64_t mapping, uint64_t address)
{
    size_t message = gen_open(out, 4);
    gen_uint(out, 1, id);
    gen_uint(out, 2, mapping);
    gen_uint(out, 3, address);
    return message;
}

static void put_sample_type(struct buffer *out, uint64_t type, uint64_t unit)
{
    size_t message = gen_open(out, 1);
    gen_uint(out, 1, type);
    gen_uint(out, 2, unit);
    gen_close(out, message);
}

static void put_sample(struct buffer *out, const uint64_t *stack, size_t n, uint64_t count,
                       uint64_t ns)
{
    size_t message = gen_open(out, 2);
    gen_packed(out, 1, stack, n);
    gen_packed(out, 2, (uint64_t[]){count, ns}, 2);
    gen_close(out, message);
}

/* main → work (with `inline` inlined into it) and main alone, in /bin/app at 0x1000;
 * a location without function or mapping.  Two values a sample. */
void gen_write_pprof(struct buffer *out)
{
    put_sample_type(out, 3, 4);
    put_sample_type(out, 1, 2);
    put_sample(out, (uint64_t[]){2, 1}, 2, 3, 30000000);
    put_sample(out, (uint64_t[]){1}, 1, 1, 10000000);
    put_sample(out, (uint64_t[]){700000, 1}, 2, 0, 5);
    size_t mapping = gen_open(out, 3);
    gen_uint(out, 1, 1);
    gen_uint(out, 2, 0x1000);
    gen_uint(out, 3, 0x9000);
    gen_uint(out, 4, 0x200);
    gen_uint(out, 5, 10);
    gen_uint(out, 6, 11);
    gen_close(out, mapping);
    size_t location = open_location(out, 1, 1, 0x1010);
    put_line(out, 1, 12);
    gen_close(out, location);
    location = open_location(out, 2, 1, 0x1020);
    put_line(out, 2, 0);
    put_line(out, 3, 99);
    gen_close(out, location);
    gen_close(out, open_location(out, 700000, 0, 0x77));
    put_function(out, 1, 5, 6, 10);
    put_function(out, 2, 7, 8, 20);
    put_function(out, 3, 9, 6, 0);
    for (size_t i = 0; i < sizeof STRINGS / sizeof *STRINGS; i++)
        gen_text(out, 6, STRINGS[i]);
    gen_uint(out, 9, 1700000000);
}

/* Ends inside a string that no location needs. */
void gen_write_pprof_cut(struct buffer *out)
{
    gen_write_pprof(out);
    out->length -= 12;
}

/* Ids that lead nowhere, samples without values, numbers one by one. */
void gen_write_pprof_odd(struct buffer *out)
{
    gen_write_pprof(out);
    gen_close(out, gen_open(out, 2));
    put_sample(out, (uint64_t[]){99, 98}, 2, 1, 1);
    size_t message = gen_open(out, 2);
    gen_uint(out, 1, 2);
    gen_uint(out, 1, 55);
    gen_uint(out, 1, 1);
    gen_int(out, 2, -4);
    gen_close(out, message);
    message = open_location(out, UINT64_MAX, 77, UINT64_MAX);
    put_line(out, 5000, 1);
    gen_close(out, message);
    put_function(out, 9, 1 << 20, 1 << 20, UINT64_MAX);
    put_sample_type(out, 1 << 20, 1 << 20);
}

/* ---- primes ---- */

static void put_time(struct buffer *out, uint32_t field, int64_t ns)
{
    size_t message = gen_open(out, field);
    gen_int(out, 1, ns / 1000000000);
    gen_int(out, 2, ns % 1000000000);
    gen_close(out, message);
}

static size_t open_edge(struct buffer *out, uint64_t id, int64_t offset)
{
    size_t edge = gen_open(out, 7);
    gen_uint(out, 1, id);
    put_time(out, 2, offset);
    return edge;
}

static void put_details(struct buffer *out, const char *name, uint64_t parent, uint64_t follows,
                        uint64_t flow)
{
    size_t details = gen_open(out, 1);
    gen_text(out, 1, name);
    gen_uint(out, 2, parent);
    if (follows) gen_uint(out, 3, follows);
    if (flow) gen_packed(out, 4, &flow, 1);
    gen_close(out, details);
}

static void put_begin(struct buffer *out, uint64_t id, int64_t offset, const char *name,
                      uint64_t parent, const char *executor, uint64_t executor_id)
{
    size_t edge = open_edge(out, id, offset), begin = gen_open(out, 3);
    put_details(out, name, parent, id == 3 ? 1 : 0, id < 3 ? 0 : 90);
    gen_text(out, 6, executor);
    if (executor_id) gen_uint(out, 8, executor_id);
    gen_close(out, begin);
    gen_close(out, edge);
}

static void put_end(struct buffer *out, uint64_t id, int64_t offset)
{
    size_t edge = open_edge(out, id, offset);
    gen_close(out, gen_open(out, 4));
    gen_close(out, edge);
}

static void put_mark(struct buffer *out, uint64_t id, int64_t offset, uint64_t parent)
{
    size_t edge = open_edge(out, id, offset), mark = gen_open(out, 5);
    put_details(out, "mark", parent, 0, 90);
    gen_close(out, mark);
    gen_close(out, edge);
}

/* From 5 s on: root 1 on executor 70 "main" with its child 2, both ends; 3 on
 * executor 71 follows 1 and begins flow 90, which mark 4 on its executor is in too.
 * The edges are out of order. */
void gen_write_primes(struct buffer *out)
{
    gen_fixed64(out, 1, 0x1234567890);
    gen_text(out, 2, "trace");
    put_time(out, 4, INT64_C(5000000000));
    put_end(out, 1, 500);
    put_begin(out, 1, 100, "root", 0, "main", 70);
    put_begin(out, 2, 200, "child", 1, NULL, 0);
    put_end(out, 2, 300);
    put_begin(out, 3, 600, "next", 0, "pool", 71);
    put_mark(out, 4, 700, 3);
    put_end(out, 3, INT64_C(2000000800));
}

/* Ends inside the last edge. */
void gen_write_primes_cut(struct buffer *out)
{
    gen_write_primes(out);
    out->length -= 3;
}

/* Edges of no kind, without a time, without a parent, with one that is not there; an
 * end of nothing, a mark without details, a time that does not fit. */
void gen_write_primes_odd(struct buffer *out)
{
    gen_fixed64(out, 1, 1);
    put_time(out, 4, 1000);
    gen_close(out, open_edge(out, 9, 1));
    gen_close(out, gen_open(out, 7));
    put_begin(out, 1, 1, "orphan", 0, NULL, 0);
    put_begin(out, 2, 1, "lost", 77, NULL, 0);
    put_end(out, 55, 1);
    size_t edge = open_edge(out, 8, 1);
    gen_close(out, gen_open(out, 5));
    gen_close(out, edge);
    edge = gen_open(out, 7);
    size_t time = gen_open(out, 2);
    gen_int(out, 1, INT64_MAX);
    gen_close(out, time);
    gen_close(out, edge);
    put_begin(out, 3, 5, "good", 0, "x", 1);
}
