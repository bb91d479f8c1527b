/* Any bytes as what an extension server answers, and as what names one: the parts of
 * tests/gen/servers.h.  What can be read is registered. */
#include <string.h>

#include "engine/base/memory.h"
#include "macros/server_content.h"
#include "tests/gen/servers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct answers {
    struct str parts[GEN_SERVER_PARTS];
};

static void split(struct str input, struct answers *out)
{
    for (int i = 0; i < GEN_SERVER_PARTS; i++) {
        size_t at = input.n;
        bool more = str_find(input, STR(GEN_SERVER_BETWEEN), &at);
        out->parts[i] = str_slice(input, 0, more ? at : input.n);
        input = str_slice(input, more ? at + strlen(GEN_SERVER_BETWEEN) : input.n, input.n);
    }
}

static enum fetch_result answer(void *context, const struct fetch_request *request,
                                struct cancel *cancel, struct buffer *out, struct status *st)
{
    static const char *const ends[] = {"/manifest", "/macros", "/sql_modules",
                                       "/proto_descriptors"};
    const struct answers *answers = context;
    (void)cancel;
    for (int i = 0; i < 4; i++) {
        if (!str_ends(str_of(request->url), str_of(ends[i]))) continue;
        buffer_append_str(out, answers->parts[i]);
        return FETCH_DONE;
    }
    status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "the server answers 404");
    return FETCH_REFUSED;
}

static void ask(struct answers *answers)
{
    struct status st = STATUS_INIT;
    struct server server;
    struct server_content content = {0};
    if (!server_parse("https://e.x", &server, &st)) return;
    vec_push(&server.modules, mem_strdup("a"));
    struct server_access access = {.fetch = answer, .context = answers};
    server_content_get(&content, &server, &access, false, NULL);
    if (content.macros.count) {
        struct session *session = session_new(NULL);
        macros_register(session, &content.macros, COMMAND_SERVER_MACRO, "e.x");
        session_free(session);
    }
    server_content_dispose(&content);
    server_dispose(&server);
}

/* What an address, a share string, a reference or an entry of the settings gives. */
static void use(struct server *server)
{
    struct buffer text = BUFFER_INIT;
    struct server back;
    struct status st = STATUS_INIT;
    server_endpoint(server, "a", "macros", &text);
    server_append_location(server, &text);
    server_append_name(server, &text);
    buffer_clear(&text);
    server_share(server, &text);
    if (server_parse(buffer_text(&text), &back, &st)) server_dispose(&back);
    status_clear(&st);
    json_decref(server_to_json(server));
    buffer_free(&text);
}

static void name(const struct answers *answers)
{
    struct status st = STATUS_INIT;
    struct server server;
    json_t *reference = json_strict_load(answers->parts[GEN_SERVER_REFERENCE], &st);
    if (reference && server_read_reference(reference, &server, &st)) {
        use(&server);
        server_dispose(&server);
    }
    json_decref(reference);
    status_clear(&st);
    struct str typed = answers->parts[GEN_SERVER_TYPED];
    char *text = mem_copy_string(typed.n ? typed.p : "", typed.n);
    if (server_parse(text, &server, &st)) {
        use(&server);
        server_dispose(&server);
    }
    mem_free(text);
    status_clear(&st);
    struct settings *settings = settings_default();
    struct server_list list;
    json_t *entries = json_strict_load(answers->parts[GEN_SERVER_SETTINGS], &st);
    if (entries) json_object_set_new(settings->person, "extensionServers", entries);
    if (servers_read(settings, &list, &st)) {
        for (size_t i = 0; i < list.count; i++)
            use(&list.items[i]);
        server_list_free(&list);
    }
    settings_free(settings);
    status_clear(&st);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct answers answers;
    split((struct str){(const char *)data, size}, &answers);
    ask(&answers);
    name(&answers);
    return 0;
}
