/* The sidecar of a load: claims before anything is tokenised, then the manifest's
 * machines and clocks, descriptors, the metadata row and the SQL package. */
#include "engine/extensions/descriptor_names.h"
#include "engine/import/args.h"
#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"
#include "engine/load.h"
#include "engine/proto/descriptor_pool.h"

/* Machines of a manifest get raw ids from here on, in order of first mention. */
#define FIRST_MANIFEST_MACHINE (INT64_C(1) << 32)

enum { MOST_DESCRIPTOR_NAMES = 1 << 18 }; /* bytes of one descriptor */

/* ---- claims ---- */

static struct load_node *find_member(const struct load_node *container, struct str path,
                                     size_t *count)
{
    struct load_node *found = NULL;
    *count = 0;
    for (size_t i = 0; container && i < container->children.count; i++) {
        struct load_node *node = container->children.items[i];
        if (!str_equal(node->member->name, path)) continue;
        if (!found) found = node;
        ++*count;
    }
    return found;
}

static size_t count_members(void *context, struct str path)
{
    size_t count;
    find_member(context, path, &count);
    return count;
}

static bool is_folder(void *context, struct str path)
{
    const struct load_node *container = context;
    if (path.n > 0 && path.p[path.n - 1] == '/') path.n--;
    for (size_t i = 0; container && i < container->children.count; i++) {
        struct str name = container->children.items[i]->member->name;
        if (name.n > path.n && str_starts(name, path) && name.p[path.n] == '/') return true;
    }
    return false;
}

bool load_holds_members(const struct load_node *container)
{
    if (!container) return false;
    enum input_kind kind = container->member->kind;
    return kind == INPUT_FOLDER || kind == INPUT_TAR || kind == INPUT_ZIP;
}

static void take_claims(struct load *load, struct load_node *container)
{
    struct sidecar *sidecar = load->sidecar;
    for (size_t i = 0; i < sidecar_claim_count(sidecar); i++) {
        size_t count;
        struct load_node *node = find_member(container, sidecar_claim_path(sidecar, i), &count);
        if (!node) continue; /* a problem already */
        node->is_claimed = true;
        bool ok = input_read(load->input, node->member) && node->member->loss == INPUT_WHOLE;
        sidecar_give(sidecar, i, node->member->bytes,
                     ok                        ? NULL
                     : node->member->loss_text ? node->member->loss_text
                                               : "it cannot be read");
    }
}

static bool parse(struct load *load, struct str bytes, const char *label,
                  struct load_node *container, struct str self)
{
    struct sidecar_place place = {load_holds_members(container), self, count_members, is_folder,
                                  container};
    load->sidecar_label = label;
    load->sidecar_container = container;
    load->sidecar =
        sidecar_parse(bytes, &place, load->options->extensions != ENGINE_EXTENSIONS_IGNORE);
    take_claims(load, container);
    return true;
}

/* In load mode the first problem ends the load; in check mode all are kept. */
static bool pass_problems(struct load *load, struct status *st)
{
    const char *problem = load->sidecar ? sidecar_problem(load->sidecar, 0) : NULL;
    if (!problem || load->options->extensions == ENGINE_EXTENSIONS_CHECK) return true;
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s: %s", load->sidecar_label,
                       problem);
}

bool load_take_sidecar(struct load *load, struct load_node *node, struct status *st)
{
    node->is_sidecar = true;
    if (load->sidecar) {
        const char *text =
            node->parent && node->parent == load->sidecar_container &&
                    load_holds_members(node->parent)
                ? arena_printf(&load->arena, "multiple %s files in archive",
                               sidecar_key(load->sidecar))
                : arena_printf(&load->arena, "multiple %s files in the input: %s is another one",
                               sidecar_key(load->sidecar), load_node_label(load, node));
        if (load->options->extensions == ENGINE_EXTENSIONS_CHECK) {
            sidecar_add_problem(load->sidecar, text);
            return true;
        }
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s: %s", load->operand, text);
    }
    vec_push(&load->sidecars, node);
    parse(load, node->member->bytes, load_node_label(load, node), node->parent, node->member->name);
    return pass_problems(load, st);
}

/* --with SIDECAR: in no archive, whatever the operands are. */
bool load_open_with(struct load *load, struct status *st)
{
    const char *path = load->options->sidecar_path;
    if (!path) return true;
    load->with = input_open(&path, 1, NULL, st);
    if (!load->with) return false;
    struct input_member *root = input_root(load->with);
    if (!input_read(load->with, root) || !sidecar_sniff(root->bytes))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "%s: no sidecar; allowed: a JSON file that begins with "
                           "{\"perfetto_metadata\" or {\"perfetto_manifest\"",
                           path);
    parse(load, root->bytes, path, NULL, STR_NONE);
    return pass_problems(load, st);
}

bool load_sidecar_is_late(struct load *load, const struct load_node *node, struct status *st)
{
    if (load->leaves.count == 0) return false;
    const char *text =
        arena_printf(&load->arena, "%s file must be the first trace file in the input",
                     sidecar_key(load->sidecar));
    if (load->options->extensions == ENGINE_EXTENSIONS_CHECK) {
        sidecar_add_problem(load->sidecar, text);
        return false;
    }
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s: %s", load_node_label(load, node), text);
    return true;
}

/* ---- machines and clocks ---- */

/* Whether some leaf is of the host: one that the manifest gives no machine. */
static bool is_host_used(const struct load *load, const struct manifest *manifest)
{
    for (size_t i = 0; i < load->leaves.count; i++) {
        const struct load_node *node = load->leaves.items[i];
        const struct manifest_file *entry = node->parent == load->sidecar_container
                                                ? manifest_find_file(manifest, node->member->name)
                                                : NULL;
        bool has_machine = entry && entry->machine.p;
        for (size_t k = 0; entry && k < entry->n_machines; k++)
            if (entry->machines[k].id == 0) has_machine = true;
        if (!has_machine) return true;
    }
    return load->leaves.count == 0;
}

static uint32_t machine_named(struct load *load, struct str name)
{
    bool added;
    uint64_t *row = strmap_put_if_absent(&load->machines, name, 0, &added);
    if (!added) return (uint32_t)*row;
    int64_t raw_id = FIRST_MANIFEST_MACHINE + (int64_t)load->machines.count - 1;
    uint32_t machine = 0;
    /* Row 0 is there from the start; without a host it is the first machine's. */
    if (load->machines.count == 1 && !is_host_used(load, sidecar_manifest(load->sidecar)))
        table_set_int64(&load->engine->tables->machine.table, machine_COLUMN_raw_id, 0, raw_id);
    else
        machine = machine_intern(load->import, raw_id);
    strmap_set(&load->machines, name, machine);
    table_set_string(&load->engine->tables->machine.table, machine_COLUMN_name, machine,
                     strpool_intern(load->import->strings, name));
    return machine;
}

static struct load_node *leaf_at(const struct load *load, struct str path)
{
    size_t count;
    const struct load_node *container = load->sidecar_container;
    struct load_node *node = find_member(container ? container : load->root, path, &count);
    return node && node->file && node->importer ? node : NULL;
}

static void set_machines(struct load *load, const struct manifest_file *entry)
{
    struct load_node *node = leaf_at(load, entry->path);
    struct import_machine *machines =
        arena_alloc(&load->arena, (entry->n_machines + 1) * sizeof *machines);
    for (size_t i = 0; i < entry->n_machines; i++)
        machines[i] = (struct import_machine){entry->machines[i].id,
                                              machine_named(load, entry->machines[i].name)};
    uint32_t only = entry->machine.p ? machine_named(load, entry->machine) : 0;
    if (!node) return;
    struct import_file *file = node->file;
    if (entry->machine.p) {
        file->machine_id = only;
        file->has_machine_override = true;
    }
    if (entry->has_machines) {
        file->machines = machines;
        file->n_machines = entry->n_machines;
        for (size_t i = 0; i < entry->n_machines; i++)
            if (machines[i].embedded_id == 0) file->machine_id = machines[i].machine_id;
    }
    file->has_clock_override = entry->has_clocks;
    file->has_pinned_clock = entry->has_clocks && entry->clock == 0;
}

/* The file as seen on the machine of that name. */
static struct import_file *file_on(struct load *load, struct load_node *node, struct str machine)
{
    if (!machine.p) return node->file;
    struct import_file *file = arena_alloc(&load->arena, sizeof *file);
    *file = *node->file;
    file->machine_id = machine_named(load, machine);
    return file;
}

static bool set_clocks(struct load *load, const struct manifest_file *entry, struct status *st)
{
    struct load_node *node = leaf_at(load, entry->path);
    if (!node) return true;
    struct load_node *target = leaf_at(load, entry->sync_file);
    if (!target)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "%s: %s: clocks: could not resolve file '%.*s'. It must be a trace of "
                           "the same archive.",
                           load->sidecar_label, sidecar_key(load->sidecar),
                           STR_ARG(entry->sync_file));
    clock_add_edge(load->import, file_on(load, node, entry->clock_machine),
                   entry->clock ? entry->clock : CLOCK_ID_TRACE_FILE,
                   file_on(load, target, entry->sync_machine),
                   entry->sync_clock ? entry->sync_clock : CLOCK_ID_TRACE_FILE, entry->offset_ns);
    return true;
}

static bool refuse_container(struct load *load, const struct manifest_file *entry,
                             struct status *st)
{
    size_t count;
    bool has_override = entry->machine.p || entry->has_machines || entry->has_clocks;
    const struct load_node *node = find_member(load->sidecar_container, entry->path, &count);
    if (!node || !has_override || !(input_is_container(node->member) || node->is_sidecar))
        return true;
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "%s: %s: overrides are not supported for trace files which are themselves "
                       "archives or %s files: %.*s",
                       load->sidecar_label, sidecar_key(load->sidecar), sidecar_key(load->sidecar),
                       STR_ARG(entry->path));
}

static void set_trace_time(struct load *load, const struct manifest *manifest)
{
    if (!manifest->has_trace_time) return;
    struct load_node *node =
        manifest->trace_time_file.p ? leaf_at(load, manifest->trace_time_file) : NULL;
    const struct import_file *file =
        node ? file_on(load, node, manifest->trace_time_machine) : NULL;
    clock_set_trace_time(load->import, file, file ? file->machine_id : 0,
                         manifest->trace_time_clock);
}

static void enter_sidecar_file(struct load *load)
{
    if (load->sidecars.count == 0) return;
    struct load_node *node = load->sidecars.items[0];
    struct import_file *file = load_file_of(load, node);
    load_set_row(load, node, "perfetto_manifest");
    metadata_set_string(load->import, file, "trace_type", STR("perfetto_manifest"));
    metadata_set_int(load->import, file, "trace_size_bytes", (int64_t)node->member->bytes.n);
}

static void set_attributes(struct load *load, const struct manifest *manifest)
{
    for (size_t i = 0; i < manifest->n_attributes; i++) {
        const struct manifest_attribute *a = &manifest->attributes[i];
        const char *name = arena_printf(&load->arena, "manifest_attribute.%.*s", STR_ARG(a->key));
        if (a->is_string)
            metadata_set_string(load->import, NULL, name, a->text);
        else
            metadata_set_int(load->import, NULL, name, a->integer);
    }
}

/* ---- what the trace brings along ---- */

static bool add_descriptors(struct load *load, struct status *st)
{
    struct str bytes;
    for (size_t i = 0; (bytes = sidecar_descriptors(load->sidecar, i)).p; i++)
        if (!descriptor_pool_add(load->import->descriptors, bytes, st)) return false;
    return true;
}

static void keep_descriptor_names(struct load *load)
{
    struct str bytes;
    for (size_t i = 0; (bytes = sidecar_descriptors(load->sidecar, i)).p; i++) {
        struct buffer names = BUFFER_INIT;
        names.largest = MOST_DESCRIPTOR_NAMES;
        descriptor_names_append(bytes, &names);
        text_list_add(&load->engine->descriptor_names, "%s%s", buffer_text(&names),
                      names.overflowed ? "\n… and more\n" : "");
        buffer_free(&names);
    }
}

void load_add_descriptors(struct load *load)
{
    for (size_t i = 0; i < load->options->n_descriptors; i++) {
        struct status st = STATUS_INIT;
        if (!descriptor_pool_add(load->import->descriptors, load->options->descriptors[i], &st))
            text_list_add(&load->engine->warnings, "a server's descriptors are left out: %s",
                          status_message(&st));
        status_clear(&st);
    }
}

static void keep_section(struct load *load)
{
    struct engine *engine = load->engine;
    sidecar_resolve(load->sidecar);
    struct str section = sidecar_section(load->sidecar);
    if (!section.p) return;
    engine->trace_extensions = mem_copy_string(section.p, section.n);
    engine->trace_extensions_length = section.n;
    keep_descriptor_names(load);
    metadata_set_string(load->import, NULL, "trace_extensions", section);
}

bool load_apply_sidecar(struct load *load, struct status *st)
{
    if (!load->sidecar) return true;
    const struct manifest *manifest = sidecar_manifest(load->sidecar);
    enter_sidecar_file(load);
    for (size_t i = 0; i < manifest->n_files; i++)
        if (!refuse_container(load, &manifest->files[i], st)) return false;
    for (size_t i = 0; i < manifest->n_files; i++)
        set_machines(load, &manifest->files[i]);
    set_trace_time(load, manifest);
    for (size_t i = 0; i < manifest->n_files; i++)
        if (manifest->files[i].has_clocks && !set_clocks(load, &manifest->files[i], st))
            return false;
    set_attributes(load, manifest);
    if (!add_descriptors(load, st)) return false;
    keep_section(load);
    return true;
}

bool load_check_sidecar(struct load *load, struct status *st)
{
    const char *problem;
    if (!load->sidecar)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "%s: there is no sidecar in it",
                           load->operand);
    for (size_t i = 0; (problem = sidecar_problem(load->sidecar, i)) != NULL; i++) {
        const char *rule = sidecar_problem_rule(load->sidecar, i);
        text_list_add(&load->engine->problems, "%s: %s%s%s%s", load->sidecar_label, problem,
                      rule ? " (rule " : "", rule ? rule : "", rule ? ")" : "");
    }
    if (load->engine->problems.count == 0) keep_section(load);
    return true;
}

/* A clash leaves the package out: a trace never shadows what is there. */
bool load_register_package(struct load *load, struct status *st)
{
    struct sql_database *database = engine_database(load->engine, st);
    if (!database) return false;
    VEC(struct sql_module) modules = {0};
    struct sql_module module;
    struct status local = STATUS_INIT;
    if (!load->sidecar) return true;
    for (size_t i = 0; sidecar_module(load->sidecar, i, &module.name, &module.sql); i++)
        vec_push(&modules, module);
    const char *package = sidecar_namespace(load->sidecar);
    if (modules.count > 0 &&
        !sql_database_register_package(database, package, modules.items, modules.count,
                                       SQL_ORIGIN_TRACE, false, &local)) {
        struct strpool *strings = load->import->strings;
        struct arg_list args = {0};
        struct import_file file = {.import = load->import};
        if (load->sidecars.count > 0) file = *load_file_of(load, load->sidecars.items[0]);
        arg_list_put_string(&args, strpool_intern_text(strings, "reason"),
                            strpool_intern_text(strings, status_message(&local)));
        import_log(&file, STAT_perfetty_extensions_package_skipped, NO_BYTE_OFFSET, NO_LOG_TS,
                   &args);
        vec_free(&args);
        load->engine->package_skipped = mem_strdup(status_message(&local));
        text_list_add(&load->engine->warnings, "%s: its SQL package '%s' is left out: %s",
                      load->sidecar_label, package, status_message(&local));
    }
    status_clear(&local);
    vec_free(&modules);
    return true;
}
