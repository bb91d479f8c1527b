#include "tui/server_dialog.h"

#include <string.h>

#include "engine/base/memory.h"
#include "tui/server_form.h"

/* ---- rows ---- */

static void add_row(struct form_rows *rows, enum form_row_kind kind, const char *label)
{
    struct form_row row = {.kind = kind, .label = label};
    vec_push(rows, row);
}

static void add_text(struct form_rows *rows, enum form_text text, const char *label)
{
    struct form_row row = {.kind = ROW_TEXT, .text = text, .label = label};
    vec_push(rows, row);
}

static void add_auth_rows(const struct form *form, struct form_rows *rows)
{
    add_row(rows, ROW_AUTH, "Sign in");
    if (form->auth == SERVER_AUTH_NONE) return;
    if (form->auth == SERVER_AUTH_BASIC) add_text(rows, FORM_NAME, "User");
    if (form->auth == SERVER_AUTH_CUSTOM) add_text(rows, FORM_NAME, "Header");
    add_text(rows, FORM_SECRET,
             form->auth == SERVER_AUTH_BASIC    ? "Password"
             : form->auth == SERVER_AUTH_GITHUB ? "Token"
                                                : "Secret");
    add_text(rows, FORM_ENV, "or a variable");
}

static void add_module_rows(const struct form *form, struct form_rows *rows)
{
    for (size_t i = 0; form->manifest && i < form->manifest->modules.count; i++) {
        struct form_row row = {.kind = ROW_MODULE, .module = form->manifest->modules.items[i].id};
        vec_push(rows, row);
    }
    for (size_t i = 0; i < form->ticked.count; i++) {
        struct form_row row = {.kind = ROW_MODULE, .module = form->ticked.items[i]};
        if (!form->manifest || !server_manifest_find(form->manifest, row.module))
            vec_push(rows, row);
    }
}

struct form_rows form_rows(const struct form *form)
{
    struct form_rows rows = {0};
    if (form->offers_reload) {
        add_row(&rows, ROW_RELOAD, "Read the trace again");
        add_row(&rows, ROW_LATER, "Not now");
        return rows;
    }
    add_row(&rows, ROW_TYPE, "Kind");
    if (form->type == SERVER_GITHUB) {
        add_text(&rows, FORM_REPO, "Repository");
        add_text(&rows, FORM_REF, "Branch or tag");
        add_text(&rows, FORM_PATH, "Folder");
    } else {
        add_text(&rows, FORM_URL, "Address");
    }
    add_auth_rows(form, &rows);
    if (form->type == SERVER_HTTPS) {
        add_row(&rows, ROW_PRIVATE, "Private address");
        add_text(&rows, FORM_CA, "CA file");
    }
    add_row(&rows, ROW_LOAD,
            form->manifest ? "Load modules from this server again"
                           : "Load modules from this server");
    add_module_rows(form, &rows);
    add_row(&rows, ROW_SAVE, form->is_edit ? "Save" : "Add server");
    return rows;
}

/* ---- fields ---- */

static const char *text_of(const struct form *form, enum form_text text)
{
    return buffer_text(&form->texts[text].text);
}

static char *copy_if_any(const char *text)
{
    return text[0] ? mem_strdup(text) : NULL;
}

bool form_read(const struct form *form, struct server *out, struct status *st)
{
    *out = (struct server){.enabled = true};
    bool good = form->type == SERVER_GITHUB
                    ? server_set_github(out, text_of(form, FORM_REPO), text_of(form, FORM_REF),
                                        text_of(form, FORM_PATH), st)
                    : server_set_url(out, text_of(form, FORM_URL), st);
    if (!good) {
        server_dispose(out);
        return false;
    }
    out->auth = form->auth;
    if (out->auth != SERVER_AUTH_NONE) {
        out->auth_name = copy_if_any(text_of(form, FORM_NAME));
        out->secret = copy_if_any(text_of(form, FORM_SECRET));
        out->secret_env = copy_if_any(text_of(form, FORM_ENV));
    }
    if (form->type == SERVER_HTTPS) {
        out->allow_private = form->allow_private;
        out->ca_file = copy_if_any(text_of(form, FORM_CA));
    }
    for (size_t i = 0; i < form->ticked.count; i++)
        vec_push(&out->modules, mem_strdup(form->ticked.items[i]));
    return true;
}

static void fill(struct form *form, const struct server *server)
{
    const char *texts[FORM_TEXTS] = {
        [FORM_URL] = server->url,        [FORM_REPO] = server->repo,      [FORM_REF] = server->ref,
        [FORM_PATH] = server->path,      [FORM_NAME] = server->auth_name, [FORM_SECRET] = NULL,
        [FORM_ENV] = server->secret_env, [FORM_CA] = server->ca_file};
    form->type = server->type;
    form->auth = server->auth == SERVER_AUTH_SSO ? SERVER_AUTH_NONE : server->auth;
    form->allow_private = server->allow_private;
    for (int i = 0; i < FORM_TEXTS; i++)
        line_edit_init(&form->texts[i], texts[i] ? texts[i] : "", NULL);
    for (size_t i = 0; i < server->modules.count; i++)
        vec_push(&form->ticked, mem_strdup(server->modules.items[i]));
}

static void set_error(struct form *form, const char *text)
{
    mem_free(form->error);
    form->error = text && text[0] ? mem_strdup(text) : NULL;
    if (form->error) form->top = 0;
}

/* Where and as whom is another question now: it has to be loaded again. */
static void forget_answer(struct form *form)
{
    server_content_dispose(&form->answer);
    form->manifest = NULL;
    set_error(form, NULL);
}

/* ---- what the buttons do ---- */

static void load(struct app *app, struct form *form)
{
    struct server draft;
    struct status st = STATUS_INIT;
    forget_answer(form);
    if (!form_read(form, &draft, &st)) {
        set_error(form, status_message(&st));
        status_clear(&st);
        return;
    }
    form->is_asking = true;
    server_host_ask(app->servers, app->session, &draft, &form->answer);
    form->is_asking = false;
    if (form->answer.has_manifest) form->manifest = &form->answer.manifest;
    struct buffer text = BUFFER_INIT;
    for (size_t i = 0; i < form->answer.problems.count; i++)
        buffer_printf(&text, "%s%s", i ? "\n" : "", form->answer.problems.items[i]);
    if (form->answer.is_stale)
        buffer_append_text(&text, "\nIt was not reached: this is what it said before.");
    set_error(form, buffer_text(&text));
    buffer_free(&text);
    server_dispose(&draft);
}

static enum overlay_reply save(struct app *app, struct form *form)
{
    struct server draft;
    struct status st = STATUS_INIT;
    if (!form->manifest) {
        set_error(form, "Load its modules first: then you see what you add.");
        return OVERLAY_STAYS;
    }
    if (!form->ticked.count) {
        set_error(form, "Tick a module first: without one the server brings nothing.");
        return OVERLAY_STAYS;
    }
    bool good = form_read(form, &draft, &st);
    if (good) {
        form->is_asking = true;
        good = server_host_add(app->servers, app->session, &draft,
                               form->is_edit ? &form->instead_of : NULL, &st);
        form->is_asking = false;
        server_dispose(&draft);
    }
    if (!good) {
        set_error(form, status_message(&st));
        status_clear(&st);
        return OVERLAY_STAYS;
    }
    form->manifest = NULL; /* it may have been the entry's, which has changed */
    form->offers_reload = server_host_wants_reload(app->servers);
    form->focus = 0;
    form->top = 0;
    return form->offers_reload ? OVERLAY_STAYS : OVERLAY_DONE;
}

static void toggle_module(struct form *form, const char *module)
{
    for (size_t i = 0; i < form->ticked.count; i++) {
        if (strcmp(form->ticked.items[i], module) != 0) continue;
        mem_free(form->ticked.items[i]);
        for (; i + 1 < form->ticked.count; i++)
            form->ticked.items[i] = form->ticked.items[i + 1];
        form->ticked.count--;
        return;
    }
    vec_push(&form->ticked, mem_strdup(module));
}

static void choose(struct form *form, enum form_row_kind kind, int step)
{
    static const enum server_auth of_https[] = {SERVER_AUTH_NONE, SERVER_AUTH_BASIC,
                                                SERVER_AUTH_BEARER, SERVER_AUTH_X_API_KEY,
                                                SERVER_AUTH_CUSTOM};
    static const enum server_auth of_github[] = {SERVER_AUTH_NONE, SERVER_AUTH_GITHUB};
    bool github = form->type == SERVER_GITHUB;
    const enum server_auth *list = github ? of_github : of_https;
    int n = github ? 2 : 5, at = 0;
    if (kind == ROW_TYPE) {
        form->type = github ? SERVER_HTTPS : SERVER_GITHUB;
        form->auth = SERVER_AUTH_NONE;
    } else if (kind == ROW_AUTH) {
        while (at < n - 1 && list[at] != form->auth)
            at++;
        form->auth = list[(at + step + n) % n];
    } else {
        form->allow_private = !form->allow_private;
    }
    forget_answer(form);
}

static enum overlay_reply press(struct app *app, struct form *form, const struct form_row *row,
                                size_t n_rows)
{
    switch (row->kind) {
    case ROW_TEXT:
        if (form->focus + 1 < n_rows) form->focus++;
        break;
    case ROW_TYPE:
    case ROW_AUTH:
    case ROW_PRIVATE: choose(form, row->kind, 1); break;
    case ROW_LOAD: load(app, form); break;
    case ROW_MODULE: toggle_module(form, row->module); break;
    case ROW_SAVE: return save(app, form);
    case ROW_RELOAD: session_ask(app->session, REQUEST_RELOAD, NULL); return OVERLAY_DONE;
    case ROW_LATER: return OVERLAY_DONE;
    }
    return OVERLAY_STAYS;
}

/* ---- keys ---- */

static bool move(struct form *form, struct key pressed, size_t n_rows)
{
    bool down = pressed.code == KEY_NAME_DOWN || pressed.code == KEY_NAME_TAB;
    if (down && !(pressed.modifiers & KEY_SHIFT)) {
        if (form->focus + 1 < n_rows) {
            form->focus++;
            form->follow = true;
        } else {
            form->top++;
        }
        return true;
    }
    if (pressed.code == KEY_NAME_UP || pressed.code == KEY_NAME_TAB) {
        if (form->focus) form->focus--;
        form->follow = true;
        return true;
    }
    if (pressed.code == KEY_NAME_PAGE_DOWN) form->top += form->height > 1 ? form->height - 1 : 1;
    if (pressed.code == KEY_NAME_PAGE_UP) form->top -= form->height > 1 ? form->height - 1 : 1;
    return pressed.code == KEY_NAME_PAGE_DOWN || pressed.code == KEY_NAME_PAGE_UP;
}

static void type(struct form *form, const struct form_row *row, struct key pressed)
{
    struct line_edit *edit = &form->texts[row->text];
    char *before = mem_strdup(buffer_text(&edit->text));
    if (line_edit_key(edit, pressed)) form->follow = true;
    if (strcmp(before, buffer_text(&edit->text)) != 0) forget_answer(form);
    for (volatile char *p = before; *p; p++)
        *p = 0;
    mem_free(before);
}

static enum overlay_reply key(struct app *app, struct overlay *overlay, struct key pressed)
{
    struct form *form = (struct form *)overlay;
    enum overlay_reply reply = OVERLAY_STAYS;
    struct form_rows rows = form_rows(form);
    if (form->focus >= rows.count) form->focus = rows.count - 1;
    const struct form_row row = rows.items[form->focus];
    size_t n = rows.count;
    vec_free(&rows);
    bool is_choice = row.kind == ROW_TYPE || row.kind == ROW_AUTH || row.kind == ROW_PRIVATE;
    if (move(form, pressed, n)) return OVERLAY_STAYS;
    if (pressed.code == KEY_NAME_ENTER ||
        (pressed.code == ' ' && !pressed.modifiers && row.kind != ROW_TEXT))
        reply = press(app, form, &row, n);
    else if (is_choice && (pressed.code == KEY_NAME_LEFT || pressed.code == KEY_NAME_RIGHT))
        choose(form, row.kind, pressed.code == KEY_NAME_LEFT ? -1 : 1);
    else if (row.kind == ROW_TEXT)
        type(form, &row, pressed);
    if (reply == OVERLAY_DONE) return reply;
    if (row.kind == ROW_LOAD && pressed.code == KEY_NAME_ENTER)
        form->top = 0; /* what came of it stands there */
    else if (pressed.code == KEY_NAME_ENTER)
        form->follow = !form->error;
    return reply;
}

static void dispose(struct overlay *overlay)
{
    struct form *form = (struct form *)overlay;
    if (form->closed) *form->closed = true;
    for (int i = 0; i < FORM_TEXTS; i++) {
        struct buffer *text = &form->texts[i].text;
        for (size_t k = 0; k < text->length; k++)
            ((volatile char *)text->data)[k] = 0;
        line_edit_dispose(&form->texts[i]);
    }
    server_content_dispose(&form->answer);
    server_modules_free(&form->ticked);
    server_dispose(&form->instead_of);
    mem_free(form->error);
    mem_free(form);
}

const struct overlay_kind form_kind = {"server", true, key, form_draw, NULL, dispose};

/* ---- opening ---- */

static struct form *open_form(struct app *app, const struct server *prefill,
                              const struct server *instead_of, const char *intro)
{
    struct form *form = mem_zero(1, sizeof *form);
    form->overlay.kind = &form_kind;
    form->intro = intro;
    form->is_edit = instead_of != NULL;
    if (instead_of) server_copy(&form->instead_of, instead_of);
    fill(form, prefill);
    form->focus = 1;
    form->follow = true;
    overlay_push(app, &form->overlay);
    return form;
}

/* What the server said already needs no second request. */
static void use_known_answer(struct form *form, const struct server_entry *entry)
{
    if (entry->server.enabled && entry->was_asked && entry->content.has_manifest)
        form->manifest = &entry->content.manifest;
}

static struct form *open_for(struct app *app, const struct server *server, const char *add_intro,
                             const char *edit_intro)
{
    struct server_list known = {0}; /* borrows */
    struct server merged;
    for (size_t i = 0; i < server_host_count(app->servers); i++)
        vec_push(&known, server_host_at(app->servers, i)->server);
    struct form *form;
    if (servers_match(&known, server, &merged) == SERVER_UNKNOWN) {
        form = open_form(app, &merged, NULL, add_intro);
    } else {
        form = open_form(app, &merged, &merged, edit_intro);
        for (size_t i = 0; i < known.count; i++)
            if (server_is_same(&known.items[i], server))
                use_known_answer(form, server_host_at(app->servers, i));
    }
    server_dispose(&merged);
    vec_free(&known);
    return form;
}

static struct form *open_offer(struct app *app)
{
    enum server_match match;
    const struct server *server = server_host_reference(app->servers, &match);
    if (!server) return NULL;
    return open_for(app, server,
                    "The trace names this server, not you. Nothing has been sent to it yet.",
                    "The trace wants modules of this server that are not enabled: they are ticked "
                    "below, with those that are.");
}

void server_dialog_offer(struct app *app)
{
    bool closed = false;
    struct form *form = open_offer(app);
    if (!form) return;
    form->closed = &closed;
    while (!closed)
        if (!app->hooks.next_event || !app->hooks.next_event(app->hooks.context, app))
            if (!closed) overlay_remove(app, &form->overlay);
}

void server_dialog_open_offer(struct app *app)
{
    open_offer(app);
}

void server_dialog_add(struct app *app, const char *text)
{
    struct server server = {.enabled = true};
    struct status st = STATUS_INIT;
    bool good = !text || !text[0] || server_parse(text, &server, &st);
    if (!good) {
        session_say(app->session, MESSAGE_ERROR, "%s", status_message(&st));
        status_clear(&st);
        return;
    }
    open_for(app, &server, "Nothing is sent before you press Load.",
             "This server is in your settings already. Nothing is sent before you press Load.");
    server_dispose(&server);
}

void server_dialog_edit(struct app *app, const char *name)
{
    struct status st = STATUS_INIT;
    const struct server_entry *entry = server_host_find(app->servers, name, &st);
    if (!entry) {
        session_say(app->session, MESSAGE_ERROR, "%s", status_message(&st));
        status_clear(&st);
        return;
    }
    struct form *form = open_form(app, &entry->server, &entry->server,
                                  "An empty secret keeps the one that is there.");
    use_known_answer(form, entry);
}
