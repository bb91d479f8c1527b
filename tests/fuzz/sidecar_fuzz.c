/* Any bytes as the sidecar of an archive that holds a small trace, two clocks, and a
 * member for each kind of claim. */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/engine.h"
#include "tests/gen/sidecars.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buffer archive = BUFFER_INIT;
    gen_sidecar_archive((struct str){(const char *)data, size}, &archive);
    int fd = memfd_create("input", 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const char *operands[] = {path};
    struct engine *engine = engine_new();
    struct engine_options options = {.extensions = size % 2 ? ENGINE_EXTENSIONS_LOAD
                                                            : ENGINE_EXTENSIONS_CHECK};
    struct status st = STATUS_INIT;
    if (fd >= 0 && write(fd, buffer_text(&archive), archive.length) == (ssize_t)archive.length)
        engine_load(engine, operands, 1, &options, &st);
    status_clear(&st);
    engine_free(engine);
    if (fd >= 0) close(fd);
    buffer_free(&archive);
    return 0;
}
