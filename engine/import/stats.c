#include "engine/import/stats.h"

#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/args.h"
#include "engine/import/stat_texts.h"

enum stat_kind { KIND_SINGLE, KIND_INDEXED };
enum stat_scope { SCOPE_GLOBAL, SCOPE_MACHINE_AND_TRACE };

struct stat_info {
    const char *name;
    int64_t key;
    const char *severity, *source;
    uint8_t kind, scope;
};

#define SEVERITY_INFO      "info"
#define SEVERITY_NOTICE    "notice"
#define SEVERITY_DATA_LOSS "data_loss"
#define SEVERITY_ERROR     "error"
#define SOURCE_TRACE       "trace"
#define SOURCE_ANALYSIS    "analysis"
static const struct stat_info INFO[STAT_COUNT] = {
#define STAT(key, name, kind, severity, source, scope) \
    [STAT_##name] = {#name, key, SEVERITY_##severity, SOURCE_##source, KIND_##kind, SCOPE_##scope},
#include "engine/import/stats.def"
#undef STAT
};

/* Values of one (machine, file), or of no file for the global stats. */
struct stat_context {
    uint32_t machine_id, file_id;
    int64_t singles[STAT_COUNT];
};

struct indexed_stat {
    struct stat_context *context;
    int64_t index, value;
    uint32_t stat;
};

struct stats_tracker {
    struct stat_context *global;
    VEC(struct stat_context *) contexts;
    VEC(struct indexed_stat) indexed;
    struct map indexed_of; /* hash of (context, stat, index) to a number in `indexed` */
    struct stat_context *last;
};

struct stats_tracker *stats_new(struct import *import)
{
    (void)import;
    struct stats_tracker *stats = mem_zero(1, sizeof *stats);
    stats->global = mem_zero(1, sizeof *stats->global);
    stats->global->machine_id = stats->global->file_id = NULL_UINT32;
    return stats;
}

void stats_free(struct stats_tracker *stats)
{
    if (!stats) return;
    for (size_t i = 0; i < stats->contexts.count; i++)
        mem_free(stats->contexts.items[i]);
    vec_free(&stats->contexts);
    vec_free(&stats->indexed);
    map_free(&stats->indexed_of);
    mem_free(stats->global);
    mem_free(stats);
}

static struct stat_context *context_of_file(struct stats_tracker *stats,
                                            const struct import_file *file)
{
    struct stat_context *last = stats->last;
    if (last && last->machine_id == file->machine_id && last->file_id == file->file_id) return last;
    for (size_t i = 0; i < stats->contexts.count; i++) {
        struct stat_context *c = stats->contexts.items[i];
        if (c->machine_id == file->machine_id && c->file_id == file->file_id)
            return stats->last = c;
    }
    struct stat_context *made = mem_zero(1, sizeof *made);
    made->machine_id = file->machine_id;
    made->file_id = file->file_id;
    vec_push(&stats->contexts, made);
    return stats->last = made;
}

void stats_see_file(const struct import_file *file)
{
    context_of_file(file->import->stats, file);
}

static struct stat_context *context_of(const struct import_file *file, enum stat stat)
{
    struct stats_tracker *stats = file->import->stats;
    return INFO[stat].scope == SCOPE_GLOBAL ? stats->global : context_of_file(stats, file);
}

void stats_add(const struct import_file *file, enum stat stat, int64_t n)
{
    context_of(file, stat)->singles[stat] += n;
}

void stats_set(const struct import_file *file, enum stat stat, int64_t value)
{
    context_of(file, stat)->singles[stat] = value;
}

void stats_add_global(struct import *import, enum stat stat, int64_t n)
{
    import->stats->global->singles[stat] += n;
}

static struct indexed_stat *indexed_of(const struct import_file *file, enum stat stat,
                                       int64_t index)
{
    struct stats_tracker *stats = file->import->stats;
    struct stat_context *context = context_of(file, stat);
    uint64_t hash = hash_mix((uint64_t)stat << 32 | context->file_id, (uint64_t)index);
    hash = hash_mix(hash, context->machine_id);
    for (;; hash++) {
        bool added;
        uint64_t *at = map_put_if_absent(&stats->indexed_of, hash, stats->indexed.count, &added);
        if (added) {
            vec_push(&stats->indexed, (struct indexed_stat){context, index, 0, stat});
            return vec_last(&stats->indexed);
        }
        struct indexed_stat *found = &stats->indexed.items[*at];
        if (found->context == context && found->stat == stat && found->index == index) return found;
    }
}

void stats_add_indexed(const struct import_file *file, enum stat stat, int64_t index, int64_t n)
{
    indexed_of(file, stat, index)->value += n;
}

void stats_set_indexed(const struct import_file *file, enum stat stat, int64_t index, int64_t value)
{
    indexed_of(file, stat, index)->value = value;
}

int64_t stats_get_indexed(const struct import_file *file, enum stat stat, int64_t index)
{
    return indexed_of(file, stat, index)->value;
}

int64_t stats_get(const struct import *import, enum stat stat)
{
    const struct stats_tracker *stats = import->stats;
    int64_t sum = stats->global->singles[stat];
    for (size_t i = 0; i < stats->contexts.count; i++)
        sum += stats->contexts.items[i]->singles[stat];
    for (size_t i = 0; i < stats->indexed.count; i++)
        if (stats->indexed.items[i].stat == stat) sum += stats->indexed.items[i].value;
    return sum;
}

int64_t stats_get_of_file(const struct import_file *file, enum stat stat)
{
    return context_of(file, stat)->singles[stat];
}

void import_log(const struct import_file *file, enum stat stat, int64_t byte_offset, int64_t ts,
                struct arg_list *args)
{
    struct import *import = file->import;
    stats_add(file, stat, 1);
    struct trace_import_logs_row row = {.trace_id = file->file_id, .stat_key = INFO[stat].key};
    if (ts != NO_LOG_TS) row.ts = some_int64(ts);
    if (byte_offset != NO_BYTE_OFFSET) row.byte_offset = some_int64(byte_offset);
    if (args) row.arg_set_id = opt_row(args_commit(import->args, args));
    trace_import_logs_append(&import->tables->trace_import_logs, &row);
}

/* ---- the table ---- */

static void write_row(struct import *import, enum stat stat, const struct stat_context *context,
                      struct opt_int64 index, int64_t value)
{
    const struct stat_info *info = &INFO[stat];
    struct strpool *strings = import->strings;
    struct stats_row row = {
        .name = strpool_intern_text(strings, info->name),
        .key = info->key,
        .idx = index,
        .severity = strpool_intern_text(strings, info->severity),
        .source = strpool_intern_text(strings, info->source),
        .value = value,
        .description = strpool_intern_text(strings, stat_text(stat)),
        .machine_id = opt_row(context->machine_id),
        .trace_id = opt_row(context->file_id),
    };
    stats_append(&import->tables->stats, &row);
}

static void write_single(struct import *import, enum stat stat)
{
    const struct stats_tracker *stats = import->stats;
    const struct opt_int64 none = {0};
    /* A stat of another scope may have been raised where there was no file. */
    if (INFO[stat].scope == SCOPE_GLOBAL || stats->global->singles[stat] != 0)
        write_row(import, stat, stats->global, none, stats->global->singles[stat]);
    if (INFO[stat].scope == SCOPE_GLOBAL) return;
    for (size_t i = 0; i < stats->contexts.count; i++)
        write_row(import, stat, stats->contexts.items[i], none,
                  stats->contexts.items[i]->singles[stat]);
}

void stats_finish(struct import *import)
{
    const struct stats_tracker *stats = import->stats;
    for (int stat = 0; stat < STAT_COUNT; stat++)
        if (INFO[stat].kind == KIND_SINGLE) write_single(import, (enum stat)stat);
    for (size_t i = 0; i < stats->indexed.count; i++) {
        const struct indexed_stat *s = &stats->indexed.items[i];
        write_row(import, (enum stat)s->stat, s->context, some_int64(s->index), s->value);
    }
}
