/* Any bytes as a trace: they must load or be refused, and a query over the result
 * must end. */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/engine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_around(struct engine *engine)
{
    static const char sql[] =
        "select count(*), sum(dur), max(depth) from slice; select count(*) from thread_state;"
        "select name, value from stats where value > 0; select * from args limit 50;"
        "select count(*) from counter join counter_track on track_id = counter_track.id";
    struct status st = STATUS_INIT;
    struct query *query = engine_query(engine, STR(sql), &st);
    while (query && query_next_statement(query, &st))
        while (query_step(query, &st))
            for (uint32_t i = 0; i < query_column_count(query); i++)
                (void)query_text(query, i);
    query_free(query);
    status_clear(&st);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("input", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) return 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const char *operands[] = {path};
    struct engine *engine = engine_new();
    struct engine_options options = {.extensions = ENGINE_EXTENSIONS_LOAD};
    struct status st = STATUS_INIT;
    engine_set_query_limit(engine, 5000);
    if (engine_load(engine, operands, 1, &options, &st)) look_around(engine);
    status_clear(&st);
    engine_free(engine);
    close(fd);
    return 0;
}
