/* Any bytes as SQL over an empty trace: rows, an error, or the time limit. */
#include <stdint.h>

#include "engine/engine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct engine *engine = engine_new();
    struct engine_options options = {.extensions = ENGINE_EXTENSIONS_LOAD};
    const char *operands[] = {"/dev/null"};
    struct status st = STATUS_INIT;
    engine_set_query_limit(engine, 1000);
    if (engine_load(engine, operands, 1, &options, &st)) {
        struct result *result =
            engine_query_result(engine, (struct str){(const char *)data, size}, 1000, &st);
        result_free(result);
    }
    status_clear(&st);
    engine_free(engine);
    return 0;
}
