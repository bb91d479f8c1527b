/* What the tests of extension servers share: settings with servers, a folder for what
 * is kept, a server that answers without a network. */
#ifndef TESTS_UNIT_SERVER_FIXTURE_H
#define TESTS_UNIT_SERVER_FIXTURE_H

#include <ftw.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "macros/server_host.h"

static inline struct settings *with_servers(const char *json)
{
    struct status st = STATUS_INIT;
    struct settings *settings = settings_default();
    json_t *list = json_strict_load(str_of(json), &st);
    assert_non_null(list);
    json_object_set_new(settings->person, "extensionServers", list);
    settings->person_path = mem_strdup("settings.json");
    return settings;
}

static inline struct server reference(const char *json)
{
    struct status st = STATUS_INIT;
    struct server server;
    json_t *value = json_strict_load(str_of(json), &st);
    assert_non_null(value);
    assert_true(server_read_reference(value, &server, &st));
    json_decref(value);
    return server;
}

struct places {
    char folder[40], person[64], overlay[64], secrets[64], cache[64];
};

static inline void places_make(struct places *p)
{
    snprintf(p->folder, sizeof p->folder, "/tmp/perfetty-server-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    snprintf(p->person, sizeof p->person, "%s/person.json", p->folder);
    snprintf(p->overlay, sizeof p->overlay, "%s/settings.json", p->folder);
    snprintf(p->secrets, sizeof p->secrets, "%s/secrets.json", p->folder);
    snprintf(p->cache, sizeof p->cache, "%s/cache", p->folder);
}

static inline int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info, (void)type, (void)where;
    return remove(path);
}

static inline void places_remove(const struct places *p)
{
    nftw(p->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A server that answers; one that is `down` is not reached, one that is held answers
 * when it is let go. */
struct fake {
    int asked;
    bool down;
    const char *descriptors;
    const char *macros, *sql; /* lists of module a, instead of those below; or NULL */
    atomic_bool held;
};

static inline enum fetch_result fake_fetch(void *context, const struct fetch_request *request,
                                           struct cancel *cancel, struct buffer *out,
                                           struct status *st)
{
    (void)cancel;
    struct fake *fake = context;
    static const struct {
        const char *url, *text;
    } answers_of[] = {
        {"https://e.x/manifest",
         "{\"name\": \"E\", \"namespace\": \"com.ex\", \"features\": [{\"name\": \"macros\"}, "
         "{\"name\": \"sql_modules\"}, {\"name\": \"proto_descriptors\"}], \"modules\": [{\"id\": "
         "\"a\", \"name\": \"A\"}, {\"id\": \"b\", \"name\": \"B\"}]}"},
        {"https://e.x/modules/a/macros",
         "{\"macros\": [{\"id\": \"com.ex.M\", \"name\": \"M\", \"run\": [{\"id\": "
         "\"dev.perfetto.RunQuery\", \"args\": [\"INCLUDE PERFETTO MODULE com.ex.t; SELECT * FROM "
         "served\"]}]}]}"},
        {"https://e.x/modules/a/sql_modules",
         "{\"sql_modules\": [{\"name\": \"com.ex.t\", \"sql\": \"CREATE PERFETTO TABLE served AS "
         "SELECT 1 AS one;\"}]}"},
        {"https://e.x/modules/b/macros",
         "{\"macros\": [{\"id\": \"org.M\", \"name\": \"M\", \"run\": []}]}"},
        {"https://e.x/modules/b/sql_modules", "{\"sql_modules\": []}"},
        {"https://e.x/modules/b/proto_descriptors", "{\"proto_descriptors\": [\"!\"]}"},
        {"https://same.x/manifest",
         "{\"name\": \"S\", \"namespace\": \"com.ex\", \"features\": [], \"modules\": [{\"id\": "
         "\"a\", \"name\": \"A\"}]}"},
    };
    __atomic_add_fetch(&fake->asked, 1, __ATOMIC_RELAXED);
    while (atomic_load(&fake->held))
        sched_yield();
    if (fake->down) {
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: not reached", request->url);
        return FETCH_UNREACHABLE;
    }
    if (strcmp(request->url, "https://e.x/modules/a/proto_descriptors") == 0) {
        buffer_printf(out, "{\"proto_descriptors\": [%s]}", fake->descriptors);
        return FETCH_DONE;
    }
    if (fake->macros && strcmp(request->url, "https://e.x/modules/a/macros") == 0) {
        buffer_append_text(out, fake->macros);
        return FETCH_DONE;
    }
    if (fake->sql && strcmp(request->url, "https://e.x/modules/a/sql_modules") == 0) {
        buffer_append_text(out, fake->sql);
        return FETCH_DONE;
    }
    for (size_t i = 0; i < sizeof answers_of / sizeof answers_of[0]; i++) {
        if (strcmp(answers_of[i].url, request->url) != 0) continue;
        buffer_append_text(out, answers_of[i].text);
        return FETCH_DONE;
    }
    status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: the server answers 404", request->url);
    return FETCH_REFUSED;
}

static inline json_t *json_of(const char *text)
{
    struct status st = STATUS_INIT;
    json_t *value = json_strict_load(str_of(text), &st);
    assert_non_null(value);
    return value;
}

static inline struct server_host *host_of(struct settings *settings, struct fake *fake,
                                          const char *cache)
{
    struct status st = STATUS_INIT;
    struct server_host *host = server_host_new(&(struct server_host_options){
        .settings = settings, .fetch = fake_fetch, .fetch_context = fake, .cache_folder = cache});
    bool good = server_host_start(host, &st);
    assert_string_equal(status_message(&st), "");
    assert_true(good);
    return host;
}

/* Until nothing is being asked any more. */
static inline void settle(struct server_host *host, struct session *session)
{
    for (size_t i = 0; i < server_host_count(host); i++)
        while (server_host_at(host, i)->is_asking)
            server_host_poll(host, session);
}

static inline bool was_said(const struct session *session, const char *text)
{
    for (size_t i = 0; i < session->messages.count; i++)
        if (strstr(session->messages.items[i].text, text)) return true;
    return false;
}

#endif
