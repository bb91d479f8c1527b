/* Mappings, frames, call sites and profiler samples, each entered once
 * (spec engine_2 2.6, engine_3 3.4). */
#ifndef ENGINE_IMPORT_STACK_H
#define ENGINE_IMPORT_STACK_H

#include "engine/import/import.h"

struct stack_mapping {
    string_id build_id; /* hex; "" when unknown */
    string_id name;     /* path */
    int64_t exact_offset, start_offset, start, end, load_bias;
    uint64_t scope; /* extra identity that is shown nowhere; 0 as a rule */
};

struct stack_tracker *stack_tracker_new(struct import *import);
void stack_tracker_free(struct stack_tracker *stacks);

/* The bytes of a build id as it is shown: small hex digits. */
string_id stack_build_id(struct strpool *strings, struct str bytes);

uint32_t stack_mapping_intern(struct stack_tracker *stacks, const struct stack_mapping *mapping);
/* Always a new row, for formats in which equal mappings are different ones. */
uint32_t stack_mapping_add(struct stack_tracker *stacks, const struct stack_mapping *mapping);
uint32_t stack_frame_intern(struct stack_tracker *stacks, string_id name, uint32_t mapping,
                            int64_t rel_pc);
/* Always a new row, for frames that differ in what is not in these columns. */
uint32_t stack_frame_add(struct stack_tracker *stacks, string_id name, uint32_t mapping,
                         int64_t rel_pc);
/* A frame of source code without an address: equal when name, file and line (0: not
 * known) are.  It has one symbol, with what is known. */
uint32_t stack_frame_intern_source(struct stack_tracker *stacks, string_id name, uint32_t mapping,
                                   string_id source_file, uint32_t line);
/* parent NULL_UINT32 for a root, whose depth is `root_depth` (0 as a rule). */
uint32_t stack_callsite_intern(struct stack_tracker *stacks, uint32_t parent, uint32_t frame,
                               uint32_t root_depth);

struct stack_symbol {
    string_id name, source_file; /* source_file STRING_NULL when not known */
    struct opt_uint32 line;
    struct opt_uint32 inlined; /* 0 or 1 */
};
/* What the frame is in the source, innermost first; replaces what it had. */
void stack_frame_set_symbols(struct stack_tracker *stacks, uint32_t frame,
                             const struct stack_symbol *symbols, size_t n);

/* Symbols and names of the load; see symbols.h. */
struct symbol_store *stack_symbols(struct stack_tracker *stacks);

uint32_t stack_task_context_intern(struct stack_tracker *stacks, uint32_t upid, uint32_t utid,
                                   uint32_t async_context);
uint32_t stack_execution_context_intern(struct stack_tracker *stacks, uint32_t ucpu,
                                        string_id cpu_mode);

struct stack_sample {
    int64_t ts;
    const char *source;        /* "simpleperf", "linux.perf" … */
    uint32_t utid, upid, ucpu; /* NULL_UINT32 when not known */
    struct opt_uint32 async_context;
    string_id cpu_mode;
    uint32_t callsite; /* NULL_UINT32 when there is none */
    string_id unwind_error;
    uint32_t session, counter_set; /* NULL_UINT32 as a rule */
};
/* Row of profiler_sample. */
uint32_t stack_sample_push(struct stack_tracker *stacks, const struct stack_sample *sample);

#endif
