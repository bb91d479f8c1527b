/* The parts of the sidecar that say whose clock and which machine a file is of
 * (spec engine_1 6.1).  Strings are borrowed from the sidecar. */
#ifndef ENGINE_EXTENSIONS_MANIFEST_H
#define ENGINE_EXTENSIONS_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/str.h"

struct manifest_machine {
    uint32_t id; /* as packets have it */
    struct str name;
};

struct manifest_file {
    struct str path;
    struct str machine;                /* `machine`: the file's only one; or STR_NONE */
    struct manifest_machine *machines; /* `machines` */
    size_t n_machines;
    bool has_machines;

    bool has_clocks;
    uint32_t clock; /* 0: the file's private clock is pinned */
    struct str clock_machine;
    struct str sync_file, sync_machine;
    uint32_t sync_clock; /* 0: the other file's private clock */
    int64_t offset_ns;
};

struct manifest_attribute {
    struct str key;
    bool is_string;
    struct str text;
    int64_t integer;
};

struct manifest {
    bool has_trace_time;
    uint32_t trace_time_clock;
    struct str trace_time_file, trace_time_machine; /* STR_NONE: not given */
    struct manifest_file *files;
    size_t n_files;
    struct manifest_attribute *attributes;
    size_t n_attributes;
};

/* NULL when no entry has that path. */
const struct manifest_file *manifest_find_file(const struct manifest *manifest, struct str path);

#endif
