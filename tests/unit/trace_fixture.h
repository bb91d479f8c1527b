/* A Perfetto trace made by tests/gen, loaded, and asked by SQL. */
#ifndef TESTS_UNIT_TRACE_FIXTURE_H
#define TESTS_UNIT_TRACE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/base/buffer.h"
#include "engine/engine.h"

/* Written to a file of its own name, for the reader takes files. */
static inline struct engine *trace_load(const struct buffer *bytes)
{
    char path[] = "/tmp/perfetty_trace_XXXXXX";
    const char *operand = path;
    struct status st = STATUS_INIT;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes->data, bytes->length), (ssize_t)bytes->length);
    close(fd);
    struct engine *engine = engine_new();
    bool good = engine_load(engine, &operand, 1, NULL, &st);
    unlink(path);
    if (!good) fail_msg("%s", status_message(&st));
    return engine;
}

/* The same of what a writer of tests/gen makes. */
static inline struct engine *trace_load_written(void (*write)(struct buffer *out))
{
    struct buffer bytes = BUFFER_INIT;
    write(&bytes);
    struct engine *engine = trace_load(&bytes);
    buffer_free(&bytes);
    return engine;
}

/* Cells joined by ' ' and rows by '|'; NULL is '-'. */
static inline void trace_expect(struct engine *engine, const char *sql, const char *want)
{
    struct status st = STATUS_INIT;
    struct result *result = engine_query_result(engine, str_of(sql), 100, &st);
    if (!result) fail_msg("%s: %s", sql, status_message(&st));
    struct buffer got = BUFFER_INIT;
    for (uint64_t row = 0; row < result->n_rows; row++)
        for (uint32_t c = 0; c < result->n_columns; c++) {
            const struct result_cell *cell = result_at(result, row, c);
            buffer_append_text(&got, c > 0 ? " " : row > 0 ? "|" : "");
            if (cell->type == CELL_INT) buffer_printf(&got, "%lld", (long long)cell->integer);
            if (cell->type == CELL_REAL) buffer_printf(&got, "%g", cell->real);
            if (cell->type == CELL_NULL) buffer_append_text(&got, "-");
            if (cell->type >= CELL_TEXT) buffer_append_str(&got, cell->text);
        }
    if (strcmp(buffer_text(&got), want) != 0)
        fail_msg("%s\nwant %s\ngot  %s", sql, want, buffer_text(&got));
    buffer_free(&got);
    result_free(result);
}

#endif
