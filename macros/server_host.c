#include "macros/server_host.h"

#include <string.h>

#include "commands/query.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "macros/server_cache.h"
#include "macros/server_register.h"

#define START_MS 10000 /* all that is asked at the start ends by then */

/* What one thread asks; nothing of it is touched from elsewhere until it is done. */
struct asking {
    struct server_host *host;
    struct server server;
    struct server_access access;
    char *no_credentials; /* owned */
    bool manifest_only;
    struct server_content content;
};

struct entry {
    struct server_entry shown;
    struct server_content kept; /* from the cache, for the descriptors before the load */
    struct asking *asking;
    struct worker *worker;
    struct job *job;
};

struct server_host {
    struct server_host_options options;
    char *cache_folder;
    VEC(struct entry *) entries;
    int64_t deadline_ns;
    atomic_bool is_waiting, go_on; /* for descriptors, before the load */
    struct mutex lock;             /* of what follows */
    struct condition done;
    struct fetcher *fetcher;
    bool has_reference;
    struct server reference; /* merged with what is known */
    enum server_match match;
};

/* ---- life ---- */

struct server_host *server_host_new(const struct server_host_options *options)
{
    struct server_host *host = mem_zero(1, sizeof *host);
    host->options = *options;
    host->cache_folder =
        options->cache_folder ? mem_strdup(options->cache_folder) : server_cache_folder();
    mutex_init(&host->lock);
    condition_init(&host->done);
    return host;
}

static void asking_free(struct asking *asking)
{
    if (!asking) return;
    server_dispose(&asking->server);
    fetch_auth_dispose(&asking->access.auth);
    server_content_dispose(&asking->content);
    mem_free(asking->no_credentials);
    mem_free(asking);
}

static void stop(struct entry *entry)
{
    if (entry->job) {
        job_cancel(entry->job);
        job_wait(entry->job);
        job_release(entry->job);
    }
    if (entry->worker) worker_free(entry->worker);
    asking_free(entry->asking);
    entry->shown.is_asking = false;
    entry->job = NULL;
    entry->worker = NULL;
    entry->asking = NULL;
}

static void entry_free(struct entry *entry)
{
    stop(entry);
    server_dispose(&entry->shown.server);
    server_content_dispose(&entry->shown.content);
    server_content_dispose(&entry->kept);
    mem_free(entry->shown.package);
    mem_free(entry);
}

void server_host_free(struct server_host *host)
{
    if (!host) return;
    for (size_t i = 0; i < host->entries.count; i++)
        if (host->entries.items[i]->job) job_cancel(host->entries.items[i]->job);
    for (size_t i = 0; i < host->entries.count; i++)
        entry_free(host->entries.items[i]);
    vec_free(&host->entries);
    fetcher_free(host->fetcher);
    if (host->has_reference) server_dispose(&host->reference);
    mutex_destroy(&host->lock);
    condition_destroy(&host->done);
    mem_free(host->cache_folder);
    mem_free(host);
}

/* ---- asking ---- */

/* libcurl is opened by the first thread that wants it. */
static enum fetch_result fetch_network(void *context, const struct fetch_request *request,
                                       struct cancel *cancel, struct buffer *out, struct status *st)
{
    struct server_host *host = context;
    mutex_lock(&host->lock);
    if (!host->fetcher) host->fetcher = fetcher_new(st);
    struct fetcher *fetcher = host->fetcher;
    mutex_unlock(&host->lock);
    return fetcher ? fetcher_get(fetcher, request, cancel, out, st) : FETCH_UNREACHABLE;
}

static void run(void *argument, struct cancel *cancel)
{
    struct asking *asking = argument;
    server_content_get(&asking->content, &asking->server, &asking->access, asking->manifest_only,
                       cancel);
    /* What was stopped half way is completed by what is kept. */
    if (asking->content.was_stopped && !asking->manifest_only) {
        struct server_access kept = {.cache_folder = asking->access.cache_folder};
        struct server_content content = {0};
        server_content_get(&content, &asking->server, &kept, false, NULL);
        if (content.has_manifest && !content.problems.count) {
            server_content_dispose(&asking->content);
            content.was_stopped = true;
            asking->content = content;
        } else {
            server_content_dispose(&content);
        }
    }
    mutex_lock(&asking->host->lock);
    condition_wake_all(&asking->host->done);
    mutex_unlock(&asking->host->lock);
}

static struct asking *prepare(struct server_host *host, const struct server *server,
                              bool manifest_only, int64_t deadline_ns)
{
    struct asking *asking = mem_zero(1, sizeof *asking);
    struct status st = STATUS_INIT;
    asking->host = host;
    asking->manifest_only = manifest_only;
    server_copy(&asking->server, server);
    asking->access.fetch = host->options.fetch ? host->options.fetch : fetch_network;
    asking->access.context = host->options.fetch ? host->options.fetch_context : host;
    asking->access.cache_folder = host->cache_folder;
    asking->access.deadline_ns = deadline_ns;
    if (!server_credentials(host->options.settings, server, &asking->access.auth, &st)) {
        asking->no_credentials = mem_strdup(status_message(&st));
        asking->access.no_credentials = asking->no_credentials;
    }
    status_clear(&st);
    return asking;
}

static void post(struct server_host *host, struct entry *entry, int64_t deadline_ns)
{
    stop(entry);
    entry->asking = prepare(host, &entry->shown.server, false, deadline_ns);
    entry->worker = worker_new(host->options.notify, host->options.notify_context);
    entry->job = worker_post(entry->worker, run, entry->asking, NULL);
}

/* The job is done: its content is the entry's. */
static void take(struct entry *entry)
{
    if (!entry->job) return;
    job_wait(entry->job);
    server_content_dispose(&entry->shown.content);
    entry->shown.content = entry->asking->content;
    entry->asking->content = (struct server_content){0};
    entry->shown.was_asked = true;
    stop(entry);
}

static int64_t deadline_from_now(void)
{
    return clock_now_ns() + START_MS * INT64_C(1000000);
}

bool server_host_start(struct server_host *host, struct status *st)
{
    struct server_list known;
    if (!servers_read(host->options.settings, &known, st)) return false;
    host->deadline_ns = deadline_from_now();
    for (size_t i = 0; i < known.count; i++) {
        struct entry *entry = mem_zero(1, sizeof *entry);
        entry->shown.server = known.items[i];
        vec_push(&host->entries, entry);
        if (entry->shown.server.enabled) post(host, entry, host->deadline_ns);
    }
    vec_free(&known);
    return true;
}

void server_host_ask(struct server_host *host, struct session *session, const struct server *draft,
                     struct server_content *out)
{
    struct asking *asking = prepare(host, draft, true, deadline_from_now());
    struct worker *worker = worker_new(host->options.notify, host->options.notify_context);
    struct job *job = worker_post(worker, run, asking, NULL);
    session_wait(session, job);
    job_wait(job); /* whatever the hook did: the job uses what is here */
    job_release(job);
    worker_free(worker);
    *out = asking->content;
    asking->content = (struct server_content){0};
    asking_free(asking);
}

/* ---- descriptors before the load ---- */

static uint64_t hash_of(const struct server_content *content)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < content->descriptors.count; i++) {
        struct str bytes = buffer_str(&content->descriptors.items[i]);
        hash = hash_mix(hash, hash_bytes(bytes.p, bytes.n));
    }
    return hash;
}

static bool is_complete(const struct server_content *content)
{
    return content->has_manifest && !content->problems.count;
}

static void wait_until_done(struct server_host *host, const struct entry *entry,
                            struct cancel *cancel)
{
    atomic_store(&host->is_waiting, true);
    mutex_lock(&host->lock);
    while (!job_is_done(entry->job) && !cancel_is_requested(cancel) && !atomic_load(&host->go_on) &&
           clock_now_ns() < host->deadline_ns)
        condition_wait_ms(&host->done, &host->lock, 50);
    mutex_unlock(&host->lock);
    atomic_store(&host->is_waiting, false);
}

bool server_host_is_waiting(const struct server_host *host)
{
    return atomic_load(&host->is_waiting);
}

void server_host_go_on(struct server_host *host)
{
    atomic_store(&host->go_on, true);
}

void server_host_descriptors(struct server_host *host, struct cancel *cancel,
                             struct server_descriptors *out)
{
    struct server_access kept = {.cache_folder = host->cache_folder};
    for (size_t i = 0; i < host->entries.count; i++) {
        struct entry *entry = host->entries.items[i];
        if (!entry->job) continue;
        const struct server_content *content = &entry->kept;
        server_content_get(&entry->kept, &entry->shown.server, &kept, false, cancel);
        if (!is_complete(content)) {
            wait_until_done(host, entry, cancel);
            if (job_is_done(entry->job)) content = &entry->asking->content;
        }
        for (size_t k = 0; k < content->descriptors.count; k++)
            vec_push(out, buffer_str(&content->descriptors.items[k]));
        entry->shown.given = hash_of(content);
    }
}

bool server_host_wants_reload(const struct server_host *host)
{
    for (size_t i = 0; i < host->entries.count; i++) {
        const struct server_entry *entry = &host->entries.items[i]->shown;
        uint64_t now = entry->content.descriptors.count ? hash_of(&entry->content) : 0;
        if (entry->server.enabled && now && now != entry->given) return true;
    }
    return false;
}

/* ---- what is wrong ---- */

static void report(const struct server_host *host, struct session *session)
{
    size_t n = server_host_problems(host);
    struct buffer text = BUFFER_INIT;
    server_host_append_report(host, &text);
    if (n) {
        session_tab_page(session, "Extension servers", buffer_take(&text));
        session_say(session, MESSAGE_ERROR,
                    "%zu problem%s with extension servers; see the tab Extension servers "
                    "(dev.perfetty.ShowServerReport)",
                    n, n == 1 ? "" : "s");
    }
    buffer_free(&text);
    if (session->n_traces && session->traces[0].engine && server_host_wants_reload(host))
        session_say(session, MESSAGE_WARNING,
                    "a server brings descriptors that this trace was read without; "
                    "dev.perfetty.ReloadTrace reads it again");
}

/* ---- opening ---- */

static void append_modules(const struct server *server, struct buffer *out)
{
    for (size_t i = 0; i < server->modules.count; i++)
        buffer_printf(out, "%s%s", i ? ", " : "", server->modules.items[i]);
}

static void read_reference(struct server_host *host, struct session *session,
                           const json_t *reference)
{
    struct status st = STATUS_INIT;
    struct server server;
    if (!server_read_reference(reference, &server, &st)) {
        session_say(session, MESSAGE_WARNING, "%s", status_message(&st));
        status_clear(&st);
        return;
    }
    struct server_list known = {0}; /* borrows */
    for (size_t i = 0; i < host->entries.count; i++)
        vec_push(&known, host->entries.items[i]->shown.server);
    host->match = servers_match(&known, &server, &host->reference);
    host->has_reference = true;
    vec_free(&known);
    server_dispose(&server);
    if (host->match == SERVER_COMPLETE) return;
    struct buffer name = BUFFER_INIT, modules = BUFFER_INIT;
    server_append_name(&host->reference, &name);
    append_modules(&host->reference, &modules);
    session_say(session, MESSAGE_WARNING,
                "the trace wants %sthe extension server %s (modules: %s); nothing was sent; "
                "dev.perfetty.AddTraceServer adds it",
                host->match == SERVER_UNKNOWN ? "" : "more of ", buffer_text(&name),
                buffer_text(&modules));
    buffer_free(&name);
    buffer_free(&modules);
}

const struct server *server_host_reference(const struct server_host *host, enum server_match *match)
{
    if (!host->has_reference || host->match == SERVER_COMPLETE) return NULL;
    *match = host->match;
    return &host->reference;
}

static void open_entry(struct server_host *host, struct session *session, struct entry *entry)
{
    struct server_entry *shown = &entry->shown;
    if (!job_is_done(entry->job) && is_complete(&entry->kept)) {
        shown->content = entry->kept;
        entry->kept = (struct server_content){0};
        shown->was_asked = shown->is_asking = true;
    } else {
        if (atomic_load(&host->go_on)) {
            job_cancel(entry->job);
        } else if (!job_is_done(entry->job)) {
            struct buffer name = BUFFER_INIT;
            server_append_name(&shown->server, &name);
            session_say(session, MESSAGE_INFO, "waiting for server %s; Esc goes on without it",
                        buffer_text(&name));
            buffer_free(&name);
        }
        session_wait(session, entry->job);
        take(entry);
        server_content_dispose(&entry->kept);
    }
    server_register(host, session, shown);
}

void server_host_open(struct server_host *host, struct session *session, const json_t *reference)
{
    server_commands_register(host, session);
    for (size_t i = 0; i < host->entries.count; i++)
        if (host->entries.items[i]->job) open_entry(host, session, host->entries.items[i]);
    report(host, session);
    if (reference) read_reference(host, session, reference);
}

void server_host_poll(struct server_host *host, struct session *session)
{
    bool any = false;
    for (size_t i = 0; i < host->entries.count; i++) {
        struct entry *entry = host->entries.items[i];
        if (!entry->shown.is_asking || !job_is_done(entry->job)) continue;
        uint64_t before = entry->shown.content.hash;
        take(entry);
        any = true;
        if (entry->shown.content.hash != before || entry->shown.content.is_stale)
            server_register(host, session, &entry->shown);
    }
    if (any) report(host, session);
}

/* ---- what there is ---- */

size_t server_host_count(const struct server_host *host)
{
    return host->entries.count;
}

const struct server_entry *server_host_at(const struct server_host *host, size_t i)
{
    return &host->entries.items[i]->shown;
}

struct server_entry *server_host_entry(const struct server_host *host, size_t i)
{
    return &host->entries.items[i]->shown;
}

static struct entry *find(const struct server_host *host, const char *name, struct status *st)
{
    struct server_list known = {0}; /* borrows */
    struct entry *found = NULL;
    for (size_t i = 0; i < host->entries.count; i++)
        vec_push(&known, host->entries.items[i]->shown.server);
    const struct server *server = servers_find(&known, name, st);
    if (server) found = host->entries.items[server - known.items];
    vec_free(&known);
    return found;
}

const struct server_entry *server_host_find(const struct server_host *host, const char *name,
                                            struct status *st)
{
    const struct entry *entry = find(host, name, st);
    return entry ? &entry->shown : NULL;
}

/* ---- what a person does ---- */

static struct entry *entry_of(const struct server_host *host, const struct server *server)
{
    for (size_t i = 0; i < host->entries.count; i++)
        if (server_is_same(&host->entries.items[i]->shown.server, server))
            return host->entries.items[i];
    return NULL;
}

static void refresh(struct server_host *host, struct session *session, struct entry *entry)
{
    post(host, entry, deadline_from_now());
    session_wait(session, entry->job);
    take(entry);
    server_register(host, session, &entry->shown);
}

bool server_host_add(struct server_host *host, struct session *session, const struct server *server,
                     const struct server *instead_of, struct status *st)
{
    if (!servers_store(host->options.settings, server, instead_of, st)) return false;
    struct entry *entry = entry_of(host, instead_of ? instead_of : server);
    if (!entry) {
        entry = mem_zero(1, sizeof *entry);
        vec_push(&host->entries, entry);
    } else {
        server_withdraw(session, &entry->shown);
    }
    struct server copy;
    server_copy(&copy, server);
    server_dispose(&entry->shown.server);
    entry->shown.server = copy;
    if (host->has_reference && server_is_same(&host->reference, server))
        host->match = SERVER_COMPLETE;
    if (copy.enabled) refresh(host, session, entry);
    report(host, session);
    return true;
}

bool server_host_enable(struct server_host *host, struct session *session, const char *name,
                        bool enabled, struct status *st)
{
    struct entry *entry = find(host, name, st);
    if (!entry) return false;
    struct server changed = entry->shown.server; /* borrows */
    changed.enabled = enabled;
    if (!servers_store(host->options.settings, &changed, NULL, st)) return false;
    entry->shown.server.enabled = enabled;
    if (enabled) {
        refresh(host, session, entry);
        report(host, session);
    } else {
        stop(entry);
        server_withdraw(session, &entry->shown);
        server_register_shadowed(host, session);
        session_say(session, MESSAGE_INFO,
                    "server %s is not asked any more; its macros and SQL modules are gone, what "
                    "included ones made stays until the trace is closed",
                    name);
    }
    return true;
}

bool server_host_remove(struct server_host *host, struct session *session, const char *name,
                        struct status *st)
{
    struct entry *entry = find(host, name, st);
    if (!entry || !servers_remove(host->options.settings, &entry->shown.server, st)) return false;
    server_content_forget(&entry->shown.server, host->cache_folder);
    stop(entry);
    server_withdraw(session, &entry->shown);
    size_t at = 0;
    while (host->entries.items[at] != entry)
        at++;
    for (; at + 1 < host->entries.count; at++)
        host->entries.items[at] = host->entries.items[at + 1];
    host->entries.count--;
    entry_free(entry);
    server_register_shadowed(host, session);
    session_say(session, MESSAGE_INFO,
                "the extension server was removed, with what was kept of it; its macros and SQL "
                "modules are gone");
    return true;
}

bool server_host_refresh(struct server_host *host, struct session *session, const char *name,
                         struct status *st)
{
    struct entry *only = name && *name ? find(host, name, st) : NULL;
    if (name && *name && !only) return false;
    if (only && !only->shown.server.enabled)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "server %s is disabled", name);
    session->interrupted = false;
    for (size_t i = 0; i < host->entries.count && !session->interrupted; i++) {
        struct entry *entry = host->entries.items[i];
        if (entry->shown.server.enabled && (!only || only == entry)) refresh(host, session, entry);
    }
    report(host, session);
    return true;
}
