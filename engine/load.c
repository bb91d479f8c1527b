/* The pipeline of a load: read, order, tokenise, sort and parse, finish. */
#include "engine/load.h"

#include <stdio.h>

#include "engine/import/stats.h"

static void tell(struct load *load, enum engine_phase phase, uint64_t done, uint64_t total)
{
    if (!load->options->progress) return;
    struct engine_progress progress = {phase, done, total};
    load->options->progress(load->options->progress_context, &progress);
}

static void on_read(void *context, uint64_t bytes)
{
    struct load *load = context;
    load->bytes_read += bytes;
    int64_t now = clock_now_ns();
    if (now < load->next_progress_ns) return;
    load->next_progress_ns = now + 50000000;
    tell(load, ENGINE_READING, load->bytes_read, 0);
}

static void on_tokenize(void *context, uint64_t done, uint64_t total)
{
    tell(context, ENGINE_TOKENIZING, done, total);
}

/* False when the leaf breaks what the author of a manifest said. */
static bool tokenize_leaf(struct load *load, struct load_node *node, struct status *st)
{
    struct import_file *file = load_file_of(load, node);
    load_set_row(load, node, node->importer->name);
    struct status local = STATUS_INIT;
    bool ok = import_tokenize(file, node->member->bytes, &local);
    if (ok || file->state) vec_push(&load->files, file);
    if (!ok && local.code == STATUS_INVALID && load->sidecar) {
        status_prefix(&local, "%s", load_node_label(load, node));
        status_move(st, &local);
        return false;
    }
    if (ok)
        load->n_read++;
    else
        load_leave_out(load, node, arena_printf(&load->arena, "%s", status_message(&local)));
    status_clear(&local);
    return true;
}

/* Containers count as processed when they are reached. */
static bool tokenize(struct load *load, struct load_node *node, struct status *st)
{
    if (cancel_is_requested(load->options->cancel)) return true;
    if (node->row != NULL_UINT32 && input_is_container(node->member) && !node->is_claimed)
        load_set_row(load, node, input_kind_name(node->member->kind));
    else if (node->importer && !tokenize_leaf(load, node, st))
        return false;
    for (size_t i = 0; i < node->children.count; i++)
        if (!tokenize(load, node->children.items[i], st)) return false;
    return true;
}

/* An empty file is an empty trace; a sidecar may come alone. */
static bool has_nothing_to_read(const struct load *load)
{
    const struct input_member *root = load->root->member;
    return (root->kind == INPUT_FILE && root->bytes.n == 0) || load->root->is_sidecar;
}

static bool read_input(struct load *load, const char *const *operands, size_t n_operands,
                       struct status *st)
{
    struct input_options options = {
        .cancel = load->options->cancel, .progress = on_read, .progress_context = load};
    load->input = input_open(operands, n_operands, &options, st);
    struct status bad = STATUS_INIT;
    if (load->input && load_open_with(load, &bad) && load_build_tree(load, &bad)) return true;
    /* What was cut by a stop is nobody's mistake: the load goes on with nothing. */
    bool stopped = load->root && cancel_is_requested(load->options->cancel) &&
                   load->options->extensions != ENGINE_EXTENSIONS_CHECK;
    if (stopped) {
        status_clear(&bad);
        sidecar_free(load->sidecar);
        load->sidecar = NULL;
    }
    status_move(st, &bad);
    return stopped;
}

static bool import_all(struct load *load, struct status *st)
{
    for (size_t i = 0; i < load->leaves.count; i++)
        load->import->bytes_total += load->leaves.items[i]->member->bytes.n;
    for (size_t i = 0; i < load->leaves.count; i++)
        load_file_of(load, load->leaves.items[i]);
    load_add_descriptors(load);
    struct status bad = STATUS_INIT;
    bool good = load_apply_sidecar(load, &bad) && tokenize(load, load->root, &bad);
    bool stopped = cancel_is_requested(load->options->cancel);
    if (!good && !stopped) {
        status_move(st, &bad);
        return false;
    }
    status_clear(&bad);
    if (load->n_read == 0 && !has_nothing_to_read(load) && !stopped)
        return load_fail_unread(load, st);
    load_count_losses(load);
    if (!load_register_package(load, st)) return false;
    tell(load, ENGINE_SORTING, 0, 0);
    load->is_finished = true;
    import_finish(load->import, load->files.items, load->files.count);
    return true;
}

/* A trace that does not name itself is known by its beginning: the FNV-1a hash of
 * the input's first 4096 bytes. */
static void name_trace(struct load *load)
{
    const struct metadata_table *metadata = &load->engine->tables->metadata;
    struct str bytes = str_slice(load->root->member->bytes, 0, 4096);
    string_id key = strpool_intern_text(load->engine->tables->strings, "trace_uuid");
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    char uuid[40];
    for (uint32_t i = 0; i < table_rows(&metadata->table); i++)
        if (column_get_string(&metadata->name, i) == key) return;
    if (bytes.n == 0) return;
    for (size_t i = 0; i < bytes.n; i++)
        hash = (hash ^ (uint8_t)bytes.p[i]) * UINT64_C(0x100000001b3);
    snprintf(uuid, sizeof uuid, "%08x-%04x-%04x-0000-000000000000", (unsigned)(hash >> 32),
             (unsigned)(hash >> 16 & 0xFFFF), (unsigned)(hash & 0xFFFF));
    metadata_set_string(load->import, NULL, "trace_uuid", str_of(uuid));
}

static bool finish(struct load *load, struct status *st)
{
    struct engine *engine = load->engine;
    tell(load, ENGINE_FINISHING, 0, 0);
    name_trace(load);
    load_write_warnings(load);
    import_bounds(engine->tables, &engine->start, &engine->end);
    tables_freeze(engine->tables);
    return sql_database_after_load(engine->database, st);
}

/* A load that failed after a file was begun: its importer still has to free what it
 * holds.  Nothing is parsed any more. */
static void abandon(struct load *load)
{
    struct cancel stop = {true};
    if (load->is_finished || load->files.count == 0) return;
    load->import->cancel = &stop;
    import_finish(load->import, load->files.items, load->files.count);
}

bool engine_load(struct engine *engine, const char *const *operands, size_t n_operands,
                 const struct engine_options *options, struct status *st)
{
    static const struct engine_options none = {0};
    struct load load = {.engine = engine, .options = options ? options : &none};
    if (engine->is_loaded)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "an engine loads once");
    if (n_operands == 0)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "no trace was named");
    engine->is_loaded = true;
    load.operand = n_operands > 1                  ? "the input"
                   : strcmp(operands[0], "-") == 0 ? "standard input"
                                                   : operands[0];
    load.import = import_new(engine->tables);
    load.import->cancel = load.options->cancel;
    load.import->progress = on_tokenize;
    load.import->progress_context = &load;
    bool ok = read_input(&load, operands, n_operands, st);
    if (ok && load.options->extensions == ENGINE_EXTENSIONS_CHECK)
        ok = load_check_sidecar(&load, st);
    else if (ok)
        ok = import_all(&load, st) && finish(&load, st);
    if (!ok) abandon(&load);
    load_free_tree(&load);
    sidecar_free(load.sidecar);
    strmap_free(&load.machines);
    import_free(load.import);
    input_free(load.input);
    input_free(load.with);
    arena_free(&load.arena);
    return ok;
}
