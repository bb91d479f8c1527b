#include "engine/import/stack.h"

#include "engine/base/buffer.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/memory.h"
#include "engine/import/symbols.h"

struct stack_tracker {
    struct import *import;
    struct map mappings, frames, callsites, tasks, executions; /* hash -> row */
    struct symbol_store *symbols;
};

struct stack_tracker *stack_tracker_new(struct import *import)
{
    struct stack_tracker *t = mem_zero(1, sizeof *t);
    t->import = import;
    t->symbols = symbol_store_new();
    return t;
}

void stack_tracker_free(struct stack_tracker *t)
{
    if (!t) return;
    map_free(&t->mappings);
    map_free(&t->frames);
    map_free(&t->callsites);
    map_free(&t->tasks);
    map_free(&t->executions);
    symbol_store_free(t->symbols);
    mem_free(t);
}

uint32_t stack_mapping_add(struct stack_tracker *t, const struct stack_mapping *mapping)
{
    struct stack_profile_mapping_row row = {
        .build_id = mapping->build_id,
        .exact_offset = mapping->exact_offset,
        .start_offset = mapping->start_offset,
        .start = mapping->start,
        .end = mapping->end,
        .load_bias = mapping->load_bias,
        .name = mapping->name,
    };
    return stack_profile_mapping_append(&t->import->tables->stack_profile_mapping, &row);
}

string_id stack_build_id(struct strpool *strings, struct str bytes)
{
    static const char digits[] = "0123456789abcdef";
    struct buffer text = BUFFER_INIT;
    for (size_t i = 0; i < bytes.n; i++) {
        buffer_append_byte(&text, digits[(uint8_t)bytes.p[i] >> 4]);
        buffer_append_byte(&text, digits[(uint8_t)bytes.p[i] & 15]);
    }
    string_id id = strpool_intern(strings, buffer_str(&text));
    buffer_free(&text);
    return id;
}

uint32_t stack_mapping_intern(struct stack_tracker *t, const struct stack_mapping *mapping)
{
    uint64_t h = (uint64_t)mapping->build_id << 32 | mapping->name;
    h = hash_mix(hash_mix(0, h), (uint64_t)mapping->exact_offset);
    h = hash_mix(hash_mix(h, (uint64_t)mapping->start_offset), (uint64_t)mapping->start);
    h = hash_mix(hash_mix(h, (uint64_t)mapping->end), (uint64_t)mapping->load_bias);
    if (mapping->scope) h = hash_mix(h, mapping->scope);
    bool added;
    uint64_t *row = map_put_if_absent(&t->mappings, h, 0, &added);
    if (added) *row = stack_mapping_add(t, mapping);
    return (uint32_t)*row;
}

uint32_t stack_frame_add(struct stack_tracker *t, string_id name, uint32_t mapping, int64_t rel_pc)
{
    struct stack_profile_frame_row frame = {.name = name, .mapping = mapping, .rel_pc = rel_pc};
    return stack_profile_frame_append(&t->import->tables->stack_profile_frame, &frame);
}

uint32_t stack_frame_intern(struct stack_tracker *t, string_id name, uint32_t mapping,
                            int64_t rel_pc)
{
    uint64_t h = hash_mix(hash_mix(0, (uint64_t)name << 32 | mapping), (uint64_t)rel_pc);
    bool added;
    uint64_t *row = map_put_if_absent(&t->frames, h, 0, &added);
    if (added) *row = stack_frame_add(t, name, mapping, rel_pc);
    return (uint32_t)*row;
}

struct symbol_store *stack_symbols(struct stack_tracker *t)
{
    return t->symbols;
}

uint32_t stack_frame_intern_source(struct stack_tracker *t, string_id name, uint32_t mapping,
                                   string_id source_file, uint32_t line)
{
    /* Apart from frames with an address, whose keys have no third part. */
    uint64_t h =
        hash_mix(hash_mix(1, (uint64_t)name << 32 | mapping), (uint64_t)source_file << 32 | line);
    bool added;
    uint64_t *row = map_put_if_absent(&t->frames, hash_mix(h, 1), 0, &added);
    if (added) {
        struct stack_profile_frame_row frame = {.name = name, .mapping = mapping};
        struct stack_symbol symbol = {.name = name, .source_file = source_file};
        *row = stack_profile_frame_append(&t->import->tables->stack_profile_frame, &frame);
        if (line) symbol.line = some_uint32(line);
        stack_frame_set_symbols(t, (uint32_t)*row, &symbol, 1);
    }
    return (uint32_t)*row;
}

uint32_t stack_callsite_intern(struct stack_tracker *t, uint32_t parent, uint32_t frame,
                               uint32_t root_depth)
{
    struct stack_profile_callsite_table *table = &t->import->tables->stack_profile_callsite;
    bool is_root = parent == NULL_UINT32;
    uint64_t h = hash_mix(0, (uint64_t)parent << 32 | frame);
    if (is_root) h = hash_mix(h, root_depth);
    bool added;
    uint64_t *row = map_put_if_absent(&t->callsites, h, 0, &added);
    if (added) {
        struct stack_profile_callsite_row callsite = {
            .depth = is_root ? root_depth : column_uint32(&table->depth)[parent] + 1,
            .parent_id = opt_row(parent),
            .frame_id = frame};
        *row = stack_profile_callsite_append(table, &callsite);
    }
    return (uint32_t)*row;
}

void stack_frame_set_symbols(struct stack_tracker *t, uint32_t frame,
                             const struct stack_symbol *symbols, size_t n)
{
    struct tables *tables = t->import->tables;
    uint32_t set = table_rows(&tables->stack_profile_symbol.table);
    for (size_t i = 0; i < n; i++) {
        struct stack_profile_symbol_row row = {.symbol_set_id = set,
                                               .name = symbols[i].name,
                                               .source_file = symbols[i].source_file,
                                               .line_number = symbols[i].line,
                                               .inlined = symbols[i].inlined};
        stack_profile_symbol_append(&tables->stack_profile_symbol, &row);
    }
    if (n > 0)
        table_set_int64(&tables->stack_profile_frame.table,
                        stack_profile_frame_COLUMN_symbol_set_id, frame, set);
}

uint32_t stack_task_context_intern(struct stack_tracker *t, uint32_t upid, uint32_t utid,
                                   uint32_t async_context)
{
    bool added;
    uint64_t h = hash_mix(hash_mix(0, (uint64_t)upid << 32 | utid), async_context);
    uint64_t *row = map_put_if_absent(&t->tasks, h, 0, &added);
    if (added) {
        struct profiler_task_context_row task = {.upid = opt_row(upid),
                                                 .utid = opt_row(utid),
                                                 .async_context_id = opt_row(async_context)};
        *row = profiler_task_context_append(&t->import->tables->profiler_task_context, &task);
    }
    return (uint32_t)*row;
}

uint32_t stack_execution_context_intern(struct stack_tracker *t, uint32_t ucpu, string_id cpu_mode)
{
    bool added;
    uint64_t *row =
        map_put_if_absent(&t->executions, hash_mix(0, (uint64_t)ucpu << 32 | cpu_mode), 0, &added);
    if (added) {
        struct profiler_execution_context_row context = {.ucpu = opt_row(ucpu),
                                                         .cpu_mode = cpu_mode};
        *row = profiler_execution_context_append(&t->import->tables->profiler_execution_context,
                                                 &context);
    }
    return (uint32_t)*row;
}

uint32_t stack_sample_push(struct stack_tracker *t, const struct stack_sample *sample)
{
    struct profiler_sample_row row = {
        .ts = sample->ts,
        .source = strpool_intern_text(t->import->strings, sample->source),
        .callsite_id = opt_row(sample->callsite),
        .unwind_error = sample->unwind_error,
        .session_id = opt_row(sample->session),
        .counter_set_id = opt_row(sample->counter_set),
    };
    if (sample->utid != NULL_UINT32 || sample->upid != NULL_UINT32 || sample->async_context.has)
        row.task_context_id = some_uint32(stack_task_context_intern(
            t, sample->upid, sample->utid,
            sample->async_context.has ? sample->async_context.value : NULL_UINT32));
    if (sample->ucpu != NULL_UINT32 || sample->cpu_mode != STRING_NULL)
        row.execution_context_id =
            some_uint32(stack_execution_context_intern(t, sample->ucpu, sample->cpu_mode));
    return profiler_sample_append(&t->import->tables->profiler_sample, &row);
}
