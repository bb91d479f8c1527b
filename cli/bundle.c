/* perfetty bundle OUT.zip TRACE…: an archive of traces and what travels with them. */
#include "cli/bundle.h"

#include <string.h>

#include "cli/archive.h"
#include "engine/base/memory.h"

static void print_help(const struct cli_option *options, size_t n)
{
    fputs(
        "usage: perfetty bundle OUT.zip TRACE… --namespace NAME [options]\n"
        "       perfetty bundle OUT.zip TRACE… --server WHERE --modules A,B [--startup FILE]\n"
        "       perfetty bundle OUT.zip TRACE… --manifest FILE\n\n"
        "Writes a zip archive of the traces, unchanged, and a sidecar that brings SQL modules,\n"
        "macros, descriptors and startup commands along, or names an extension server; --manifest\n"
        "says whose machines and which clocks the traces are of.  Nothing is written when a part\n"
        "is wrong.  The same input gives the same bytes.\n\n",
        stdout);
    args_print_options(stdout, options, n);
    fputs("\nExample: perfetty bundle out.zip app.pb --namespace com.example.app --sql sql/\n",
          stdout);
}

static bool refuse(struct status *st, const char *text)
{
    return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "%s", text);
}

static bool check_options(struct bundle *bundle, const struct cli_operands *operands,
                          struct status *st)
{
    bool has_content = bundle->sql || bundle->macros || bundle->descriptors;
    bool has_section = has_content || bundle->startup || bundle->server || bundle->namespace;
    if (operands->count == 0) return refuse(st, "say where to write: OUT.zip");
    if (operands->count == 1) return refuse(st, "no trace was named");
    if (bundle->server && (has_content || bundle->namespace))
        return refuse(st, "--server names a server instead of content; of the other parts only "
                          "--startup goes with it");
    if (bundle->server && !bundle->modules)
        return refuse(st, "--server needs --modules: which of the server's modules to enable");
    if (bundle->modules && !bundle->server) return refuse(st, "--modules belongs to --server");
    if (!bundle->server && !has_content && !bundle->startup && !bundle->manifest)
        return refuse(st, "nothing to bundle with the traces: give --sql, --macros, --descriptors, "
                          "--startup, --server or --manifest");
    if (has_section && !bundle->server && !bundle->namespace)
        return refuse(st, "--namespace is missing: the dotted name that ids and modules begin "
                          "with, as com.example.app");
    if (!bundle->key) bundle->key = "perfetto_manifest";
    if (strcmp(bundle->key, "perfetto_manifest") != 0 &&
        strcmp(bundle->key, "perfetto_metadata") != 0)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "--key is perfetto_manifest or perfetto_metadata, not '%s'",
                           bundle->key);
    return true;
}

/* Opens what was written as any reader would. */
static bool check_archive(const struct bundle *bundle, const char *part)
{
    const struct cli_load load = {.quiet = true};
    int exit_status;
    struct engine *engine = cli_open(&load, &part, 1, ENGINE_EXTENSIONS_CHECK, &exit_status);
    if (!engine) return false;
    const char *problem;
    size_t n = 0, skip = strlen(part);
    for (; (problem = engine_extension_problem(engine, n)) != NULL; n++)
        cli_say("%s%s", bundle->out, strncmp(problem, part, skip) == 0 ? problem + skip : problem);
    cli_close(engine);
    return n == 0;
}

static bool write_members(const struct bundle *bundle, struct archive *archive, struct status *st)
{
    if (!archive_add_bytes(archive, bundle->sidecar_name, buffer_str(&bundle->sidecar), st))
        return false;
    for (size_t i = 0; i < bundle->members.count; i++) {
        const struct bundle_member *member = &bundle->members.items[i];
        bool ok = member->is_trace
                      ? archive_add_file(archive, member->name, member->path, st)
                      : archive_add_bytes(archive, member->name,
                                          (struct str){member->bytes, member->length}, st);
        if (!ok) return false;
    }
    return archive_write(archive, st);
}

/* False with nothing in the status: what was wrong has been said. */
static bool make(struct bundle *bundle, const struct cli_operands *operands, struct status *st)
{
    struct buffer name = BUFFER_INIT;
    bundle->out = operands->items[0];
    buffer_printf(&name, "%s.json", bundle->key);
    bundle->sidecar_name = bundle->sidecar_name_owned = buffer_take(&name);
    if (!bundle_add_traces(bundle, operands->items + 1, operands->count - 1, st) ||
        !bundle_add_parts(bundle, st) || !bundle_write_sidecar(bundle, st))
        return false;
    const struct bundle_member *clash = bundle_find(bundle, str_of(bundle->sidecar_name));
    if (clash)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "%s: the archive's sidecar has this name; rename the trace",
                           clash->path);
    if (!bundle_check_sidecar(bundle)) return false;
    struct archive *archive = archive_new(bundle->out, st);
    if (!archive) return false;
    if (!write_members(bundle, archive, st) || !check_archive(bundle, archive_part_path(archive))) {
        archive_abandon(archive);
        return false;
    }
    return archive_finish(archive, st);
}

static void say_contents(const struct bundle *bundle)
{
    size_t traces = 0, modules = 0;
    for (size_t i = 0; i < bundle->members.count; i++) {
        traces += bundle->members.items[i].is_trace;
        modules += bundle->members.items[i].module != NULL;
    }
    printf("%s: %zu trace%s", bundle->out, traces, traces == 1 ? "" : "s");
    if (modules) printf(", %zu SQL module%s", modules, modules == 1 ? "" : "s");
    if (bundle->descriptors) printf(", descriptors");
    if (bundle->macros) printf(", macros");
    if (bundle->server) printf(", a server");
    if (bundle->startup) printf(", startup commands");
    if (bundle->manifest) printf(", a manifest");
    printf("\n");
}

int cli_run_bundle(int argc, char **argv)
{
    struct bundle bundle = {0};
    const struct cli_option options[] = {
        {"namespace", 0, "NAME", "the SQL package; ids and modules begin with it",
         &bundle.namespace, NULL},
        {"sql", 0, "DIR", "SQL modules: each .sql file below DIR, named by its path", &bundle.sql,
         NULL},
        {"macros", 0, "FILE", "a JSON list of macros", &bundle.macros, NULL},
        {"descriptors", 0, "FILE", "a binary FileDescriptorSet", &bundle.descriptors, NULL},
        {"startup", 0, "FILE", "a JSON list of startup commands", &bundle.startup, NULL},
        {"server", 0, "WHERE", "https://… or github:OWNER/NAME@REF[:/PATH]", &bundle.server, NULL},
        {"modules", 0, "A,B", "modules of the server to enable", &bundle.modules, NULL},
        {"manifest", 0, "FILE", "trace_time, files (machines, clocks) and attributes as JSON",
         &bundle.manifest, NULL},
        {"key", 0, "KEY", "perfetto_manifest (as a rule) or perfetto_metadata", &bundle.key, NULL},
    };
    size_t n_options = sizeof options / sizeof *options;
    struct cli_operands operands = {0};
    struct status st = STATUS_INIT;
    bool help = false;
    int exit_status = CLI_OK;
    if (!args_parse(options, n_options, argc, argv, &operands, &help, &st) ||
        (!help && !check_options(&bundle, &operands, &st))) {
        exit_status = cli_usage("bundle", "%s", status_message(&st));
        status_clear(&st);
    } else if (help) {
        print_help(options, n_options);
    } else if (!make(&bundle, &operands, &st)) {
        exit_status = st.code == STATUS_OK ? CLI_FAILED : cli_fail(&st);
    } else {
        say_contents(&bundle);
    }
    bundle_dispose(&bundle);
    vec_free(&operands);
    return cli_finish_output(exit_status);
}
