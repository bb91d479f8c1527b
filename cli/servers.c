/* perfetty servers: the list of extension servers in the settings, without a screen. */
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "engine/base/memory.h"
#include "macros/server_cache.h"
#include "macros/server_content.h"

struct servers_args {
    const char *modules, *sign_in, *name, *secret_file, *secret_env, *ca_file, *url;
    bool allow_private, as_json, no_request;
};

#define N_OPTIONS 10

struct run {
    const struct servers_args *args;
    const char *const *operands; /* behind the verb */
    size_t n_operands;
    struct settings *settings;
    struct server_list list;
};

static void print_help(const struct cli_option *options)
{
    fputs("usage: perfetty servers list [--json]\n"
          "       perfetty servers add SERVER --modules A,B [OPTIONS]\n"
          "       perfetty servers edit SERVER [--url SERVER] [--modules A,B] [OPTIONS]\n"
          "       perfetty servers enable|disable|remove|share SERVER\n"
          "       perfetty servers refresh [SERVER]\n\n"
          "SERVER is https://HOST/PATH, github:OWNER/NAME@REF or github:OWNER/NAME@REF:FOLDER; to\n"
          "add one, a share string (addServer=...) too. add, enable and refresh ask the server:\n"
          "that is the consent. share prints a share string, without credentials.\n\n"
          "Exit status: 0 done, 1 a server could not be asked or the settings not be written, 2 a\n"
          "wrong command line.\n\n",
          stdout);
    args_print_options(stdout, options, N_OPTIONS);
}

/* ---- asking ---- */

struct connection {
    struct fetcher *fetcher;
    char *cache_folder;
    char *why; /* there is no fetcher */
};

static void connect_to(struct connection *c)
{
    struct status st = STATUS_INIT;
    *c = (struct connection){.fetcher = fetcher_new(&st), .cache_folder = server_cache_folder()};
    if (!c->fetcher) c->why = mem_strdup(status_message(&st));
    status_clear(&st);
}

static void disconnect(struct connection *c)
{
    fetcher_free(c->fetcher);
    mem_free(c->cache_folder);
    mem_free(c->why);
}

static enum fetch_result fetch(void *context, const struct fetch_request *request,
                               struct cancel *cancel, struct buffer *out, struct status *st)
{
    struct connection *c = context;
    if (c->fetcher) return fetcher_get(c->fetcher, request, cancel, out, st);
    status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s", c->why);
    return FETCH_UNREACHABLE;
}

/* What it brings, on stdout; what is wrong, on stderr.  False when it is not all
 * there and fresh. */
static bool ask(const struct run *run, const struct server *server)
{
    struct connection connection;
    struct server_content content = {0};
    struct status st = STATUS_INIT;
    struct buffer name = BUFFER_INIT;
    connect_to(&connection);
    struct server_access access = {
        .fetch = fetch, .context = &connection, .cache_folder = connection.cache_folder};
    if (!server_credentials(run->settings, server, &access.auth, &st))
        access.no_credentials = status_message(&st);
    server_content_get(&content, server, &access, false, NULL);
    server_append_name(server, &name);
    for (size_t i = 0; i < content.problems.count; i++)
        cli_say("server %s: %s", buffer_text(&name), content.problems.items[i]);
    if (content.is_stale) cli_say("server %s: stale, as it said before", buffer_text(&name));
    if (content.has_manifest) {
        output_write(stdout, buffer_str(&name));
        printf(": %zu macro%s, %zu SQL module%s, %zu descriptor set%s\n", content.macros.count,
               content.macros.count == 1 ? "" : "s", content.sql.count,
               content.sql.count == 1 ? "" : "s", content.descriptors.count,
               content.descriptors.count == 1 ? "" : "s");
    }
    bool good = content.has_manifest && !content.problems.count;
    if (content.has_manifest && (!good || !server->modules.count)) {
        fputs("its modules:\n", stdout);
        for (size_t i = 0; i < content.manifest.modules.count; i++) {
            fputs("  ", stdout);
            output_write(stdout, str_of(content.manifest.modules.items[i].id));
            fputs("  ", stdout);
            output_write(stdout, str_of(content.manifest.modules.items[i].name));
            fputs("\n", stdout);
        }
    }
    status_clear(&st);
    fetch_auth_dispose(&access.auth);
    server_content_dispose(&content);
    disconnect(&connection);
    buffer_free(&name);
    return good;
}

/* ---- what is given by options ---- */

static void set(char **to, const char *text)
{
    mem_free(*to);
    *to = text && *text ? mem_strdup(text) : NULL;
}

/* A command line is seen by everybody on the machine: a secret comes from a file,
 * from stdin, or from a variable. */
static bool read_secret(struct server *server, const char *path, struct status *st)
{
    size_t length;
    char *text = cli_read_text(path, &length, st);
    if (!text) return false;
    while (length && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        text[--length] = '\0';
    set(&server->secret, text);
    for (volatile char *p = text; *p; p++)
        *p = 0;
    mem_free(text);
    return server->secret || status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "%s is empty", path);
}

static void set_modules(struct server *server, const char *list)
{
    struct str rest = str_of(list), piece;
    server_modules_free(&server->modules);
    while (str_split_next(&rest, ',', &piece)) {
        char *id = mem_copy_string(piece.n ? piece.p : "", piece.n);
        if (piece.n && !server_modules_have(&server->modules, id))
            vec_push(&server->modules, id);
        else
            mem_free(id);
    }
}

static bool apply(struct server *server, const struct servers_args *args, struct status *st)
{
    if (args->sign_in && !server_auth_parse(args->sign_in, server->type, &server->auth))
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "--sign-in is %s, not '%s'",
                           server->type == SERVER_GITHUB
                               ? "none or token"
                               : "none, basic, bearer, x-api-key or header",
                           args->sign_in);
    bool named = server->auth == SERVER_AUTH_BASIC || server->auth == SERVER_AUTH_CUSTOM;
    if (args->name) set(&server->auth_name, args->name);
    if (named && !server->auth_name)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "--sign-in %s needs --name, the %s",
                           server_auth_name(server->auth),
                           server->auth == SERVER_AUTH_BASIC ? "user" : "header");
    if ((args->secret_file || args->secret_env) && server->auth == SERVER_AUTH_NONE)
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET, "a secret needs --sign-in");
    if (args->secret_env) set(&server->secret_env, args->secret_env);
    if (args->secret_file) {
        set(&server->secret_env, NULL);
        if (!read_secret(server, args->secret_file, st)) return false;
    }
    if (args->ca_file) set(&server->ca_file, args->ca_file);
    if (args->allow_private) server->allow_private = true;
    if (args->modules) set_modules(server, args->modules);
    return true;
}

/* ---- verbs ---- */

static int list_json(const struct run *run)
{
    json_t *array = json_array();
    struct buffer text = BUFFER_INIT;
    for (size_t i = 0; i < run->list.count; i++)
        json_array_append_new(array, server_to_json(&run->list.items[i]));
    json_write(&text, array);
    buffer_append_byte(&text, '\n');
    fwrite(buffer_text(&text), 1, text.length, stdout);
    buffer_free(&text);
    json_decref(array);
    return CLI_OK;
}

static int list(struct run *run)
{
    struct buffer text = BUFFER_INIT;
    if (run->args->as_json) return list_json(run);
    if (!run->list.count) fputs("there is no extension server in the settings\n", stdout);
    for (size_t i = 0; i < run->list.count; i++) {
        const struct server *server = &run->list.items[i];
        buffer_clear(&text);
        server_append_location(server, &text);
        output_write(stdout, buffer_str(&text));
        printf("  %s, sign in: %s\n", server->enabled ? "enabled" : "disabled",
               server_auth_name(server->auth));
        for (size_t k = 0; k < server->modules.count; k++) {
            fputs("  ", stdout);
            output_write(stdout, str_of(server->modules.items[k]));
            fputs("\n", stdout);
        }
    }
    buffer_free(&text);
    return CLI_OK;
}

static int add(struct run *run)
{
    struct server server;
    struct status st = STATUS_INIT;
    if (!server_parse(run->operands[0], &server, &st)) {
        int wrong = cli_usage("servers", "%s", status_message(&st));
        status_clear(&st);
        return wrong;
    }
    bool good = apply(&server, run->args, &st);
    bool is_usage = !good;
    for (size_t i = 0; good && i < run->list.count; i++)
        if (server_is_same(&run->list.items[i], &server))
            good = status_fail(&st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "that server is in the settings already: perfetty servers edit");
    if (good && !server.modules.count) {
        is_usage = true;
        good = status_fail(&st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "no module is named: --modules A,B (perfetty servers add … --modules ? "
                           "lists them)");
    }
    bool only_asks = server.modules.count == 1 && strcmp(server.modules.items[0], "?") == 0;
    if (only_asks) server_modules_free(&server.modules);
    int exit_status = CLI_OK;
    if (good && !only_asks) good = servers_store(run->settings, &server, NULL, &st);
    if (!good)
        exit_status = is_usage ? cli_usage("servers", "%s", status_message(&st)) : cli_fail(&st);
    else if ((only_asks || !run->args->no_request) && !ask(run, &server))
        exit_status = CLI_FAILED;
    status_clear(&st);
    server_dispose(&server);
    return exit_status;
}

/* The address changes, the rest stays; a secret does not move to another address. */
static bool move(struct server *server, const char *to, struct status *st)
{
    struct server target;
    if (!server_parse(to, &target, st)) return false;
    bool fits = target.type == server->type || server->auth == SERVER_AUTH_NONE;
    if (!fits)
        status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                    "the other kind of server signs in differently: remove this one, add that one");
    else if (target.type == SERVER_GITHUB)
        fits = server_set_github(server, target.repo, target.ref, target.path, st);
    else
        fits = server_set_url(server, target.url, st);
    set(&server->secret, NULL);
    server_dispose(&target);
    return fits;
}

static int edit(struct run *run, const struct server *found)
{
    struct server server;
    struct status st = STATUS_INIT;
    server_copy(&server, found);
    bool good = !run->args->url || move(&server, run->args->url, &st);
    good = good && apply(&server, run->args, &st);
    int exit_status = CLI_OK;
    if (!good)
        exit_status = cli_usage("servers", "%s", status_message(&st));
    else if (!servers_store(run->settings, &server, found, &st))
        exit_status = cli_fail(&st);
    else if (server.enabled && !run->args->no_request && !ask(run, &server))
        exit_status = CLI_FAILED;
    status_clear(&st);
    server_dispose(&server);
    return exit_status;
}

static int set_enabled(struct run *run, const struct server *found, bool enabled)
{
    struct server changed = *found; /* borrows */
    struct status st = STATUS_INIT;
    changed.enabled = enabled;
    if (!servers_store(run->settings, &changed, NULL, &st)) return cli_fail(&st);
    return !enabled || run->args->no_request || ask(run, found) ? CLI_OK : CLI_FAILED;
}

static int enable(struct run *run, const struct server *found)
{
    return set_enabled(run, found, true);
}

static int disable(struct run *run, const struct server *found)
{
    return set_enabled(run, found, false);
}

static int remove_one(struct run *run, const struct server *found)
{
    struct status st = STATUS_INIT;
    char *folder = server_cache_folder();
    bool good = servers_remove(run->settings, found, &st);
    if (good) server_content_forget(found, folder);
    mem_free(folder);
    return good ? CLI_OK : cli_fail(&st);
}

static int share(struct run *run, const struct server *found)
{
    struct buffer text = BUFFER_INIT;
    (void)run;
    server_share(found, &text);
    printf("%s\n", buffer_text(&text));
    buffer_free(&text);
    return CLI_OK;
}

static int refresh(struct run *run, const struct server *found)
{
    bool good = true;
    if (found && !found->enabled) {
        cli_say("that server is disabled");
        return CLI_FAILED;
    }
    for (size_t i = 0; i < run->list.count; i++)
        if (run->list.items[i].enabled && (!found || found == &run->list.items[i]) &&
            !ask(run, &run->list.items[i]))
            good = false;
    return good ? CLI_OK : CLI_FAILED;
}

/* ---- dispatch ---- */

static const struct {
    const char *name;
    int (*run)(struct run *run, const struct server *found);
    bool may_lack_server;
} verbs[] = {
    {"edit", edit, false},         {"enable", enable, false}, {"disable", disable, false},
    {"remove", remove_one, false}, {"share", share, false},   {"refresh", refresh, true},
};

static int run_verb(struct run *run, const char *verb)
{
    if (run->n_operands > 1) return cli_usage("servers", "one server at a time");
    if (strcmp(verb, "list") == 0)
        return run->n_operands ? cli_usage("servers", "list takes no server") : list(run);
    if (strcmp(verb, "add") == 0)
        return run->n_operands ? add(run) : cli_usage("servers", "no server was named");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(verbs[i].name, verb) != 0) continue;
        struct status st = STATUS_INIT;
        const struct server *found = NULL;
        if (run->n_operands) {
            found = servers_find(&run->list, run->operands[0], &st);
            if (!found) return cli_fail(&st);
        } else if (!verbs[i].may_lack_server) {
            return cli_usage("servers", "no server was named");
        }
        return verbs[i].run(run, found);
    }
    return cli_usage("servers", "say list, add, edit, enable, disable, remove, refresh or share");
}

static int run_servers(const struct servers_args *args, const struct cli_operands *operands)
{
    struct status st = STATUS_INIT;
    struct run run = {.args = args};
    if (!operands->count)
        return cli_usage("servers",
                         "say list, add, edit, enable, disable, remove, refresh or share");
    run.operands = operands->items + 1;
    run.n_operands = operands->count - 1;
    run.settings = settings_load(NULL, NULL, &st);
    if (!run.settings) return cli_fail(&st);
    int exit_status = servers_read(run.settings, &run.list, &st)
                          ? run_verb(&run, operands->items[0])
                          : cli_fail(&st);
    server_list_free(&run.list);
    settings_free(run.settings);
    return exit_status;
}

int cli_run_servers(int argc, char **argv)
{
    struct servers_args args = {0};
    const struct cli_option options[N_OPTIONS] = {
        {"modules", 'm', "A,B", "modules to enable; ? lists what there is", &args.modules, NULL},
        {"url", 0, "SERVER", "with edit: another address", &args.url, NULL},
        {"sign-in", 0, "HOW", "none, basic, bearer, x-api-key, header; token for GitHub",
         &args.sign_in, NULL},
        {"name", 0, "NAME", "the user of basic, the header of header", &args.name, NULL},
        {"secret-file", 0, "FILE", "where the secret stands; - is standard input",
         &args.secret_file, NULL},
        {"secret-env", 0, "VARIABLE", "the environment variable that holds it, each time",
         &args.secret_env, NULL},
        {"ca-file", 0, "FILE", "certificates to trust instead of the system's", &args.ca_file,
         NULL},
        {"allow-private-address", 0, NULL, "the server may be in a private network", NULL,
         &args.allow_private},
        {"no-request", 0, NULL, "only change the settings, ask nobody", NULL, &args.no_request},
        {"json", 0, NULL, "list as JSON, as the settings hold it", NULL, &args.as_json},
    };
    struct cli_operands operands = {0};
    struct status st = STATUS_INIT;
    bool help = false;
    int exit_status = CLI_OK;
    if (!args_parse(options, N_OPTIONS, argc, argv, &operands, &help, &st))
        exit_status = cli_usage("servers", "%s", status_message(&st));
    else if (help)
        print_help(options);
    else
        exit_status = run_servers(&args, &operands);
    status_clear(&st);
    vec_free(&operands);
    return cli_finish_output(exit_status);
}
