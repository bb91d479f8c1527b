/* The line at the bottom: commands, SQL, search, and one missing argument. */
#include <string.h>

#include "commands/compare.h"
#include "commands/fuzzy.h"
#include "commands/registry.h"
#include "commands/track_match.h"
#include "engine/base/memory.h"
#include "tui/overlay.h"

enum prompt_kind { PROMPT_COMMAND, PROMPT_SQL, PROMPT_SEARCH, PROMPT_ARGUMENT };

#define MAX_CANDIDATES 8u

struct candidate {
    const struct registry_entry *entry;
    int score;
};

struct prompt {
    struct overlay overlay;
    enum prompt_kind kind;
    struct line_edit edit;
    char *label, *command_id; /* of PROMPT_ARGUMENT */
    char *first;              /* of it: the argument before; NULL: none */
    bool is_optional;         /* an empty line runs it as well */
    char *error;              /* why the line did not run */
    int64_t error_at;         /* byte, or STATUS_NO_OFFSET */
    struct candidate candidates[MAX_CANDIDATES];
    uint32_t n_candidates, picked;
};

/* ---- completion ---- */

static void insert_candidate(struct prompt *p, struct candidate c)
{
    uint32_t at = p->n_candidates;
    while (at > 0 && p->candidates[at - 1].score < c.score)
        at--;
    if (at >= MAX_CANDIDATES) return;
    uint32_t end = p->n_candidates < MAX_CANDIDATES ? p->n_candidates++ : MAX_CANDIDATES - 1;
    memmove(&p->candidates[at + 1], &p->candidates[at], (end - at) * sizeof *p->candidates);
    p->candidates[at] = c;
}

static void complete(struct app *app, struct prompt *p)
{
    p->n_candidates = p->picked = 0;
    struct str text = buffer_str(&p->edit.text);
    size_t space;
    if (p->kind != PROMPT_COMMAND || !text.n || str_find_byte(text, ' ', &space)) return;
    const struct registry *registry = app->session->registry;
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const struct registry_entry *entry = registry_at(registry, i);
        int by_id = fuzzy_score(text, str_of(entry->command->id), NULL, 0);
        int by_name = fuzzy_score(text, str_of(entry->command->name), NULL, 0);
        int score = by_id > by_name ? by_id : by_name;
        if (score != FUZZY_NO_MATCH) insert_candidate(p, (struct candidate){entry, score});
    }
}

static void take_candidate(struct prompt *p)
{
    if (!p->n_candidates) return;
    struct buffer line = BUFFER_INIT;
    buffer_printf(&line, "%s ", p->candidates[p->picked].entry->command->id);
    line_edit_set(&p->edit, buffer_text(&line));
    buffer_free(&line);
}

/* ---- running ---- */

static void set_error(struct prompt *p, struct status *st)
{
    mem_free(p->error);
    p->error = mem_strdup(status_message(st));
    p->error_at = st->offset;
    status_clear(st);
}

static enum overlay_reply run_command(struct app *app, struct prompt *p)
{
    struct invocation invocation = {0};
    struct status st = STATUS_INIT;
    const char *line = buffer_text(&p->edit.text);
    if (!registry_parse_line(app->session->registry, str_of(line), &invocation, &st)) {
        if (p->n_candidates) {
            status_clear(&st);
            take_candidate(p);
            complete(app, p);
            return OVERLAY_STAYS;
        }
        set_error(p, &st);
        return OVERLAY_STAYS;
    }
    edit_history_add(&app->command_history, line);
    struct command_context context = COMMAND_CONTEXT_PERSON;
    bool done = registry_run(app->session, invocation.id, (const char *const *)invocation.args,
                             invocation.n_args, &context, &st) == COMMAND_DONE;
    invocation_dispose(&invocation);
    app->focus_follows = true;
    if (done) return OVERLAY_DONE;
    set_error(p, &st);
    return OVERLAY_STAYS;
}

static enum overlay_reply run_argument(struct app *app, struct prompt *p)
{
    const char *text = buffer_text(&p->edit.text);
    const char *alone[] = {text}, *both[] = {p->first, text};
    uint32_t n = text[0] ? 1 : 0;
    app_run(app, p->command_id, p->first ? both : alone, p->first ? 2 : n);
    return OVERLAY_DONE;
}

static enum overlay_reply run(struct app *app, struct prompt *p)
{
    const char *text = buffer_text(&p->edit.text);
    if (!text[0] && !p->is_optional) return OVERLAY_DONE;
    switch (p->kind) {
    case PROMPT_COMMAND: return run_command(app, p);
    case PROMPT_SQL: {
        edit_history_add(&app->sql_history, text);
        const char *args[] = {text, "Query"};
        app_run(app, "dev.perfetto.RunQueryAndShowTab", args, 2);
        return OVERLAY_DONE;
    }
    case PROMPT_SEARCH:
        edit_history_add(&app->search_history, text);
        session_search(app->session, text);
        app_run(app, "dev.perfetto.SearchNext", NULL, 0);
        return OVERLAY_DONE;
    case PROMPT_ARGUMENT: return run_argument(app, p);
    }
    return OVERLAY_DONE;
}

static enum overlay_reply key(struct app *app, struct overlay *overlay, struct key pressed)
{
    struct prompt *p = (struct prompt *)overlay;
    if (pressed.code == KEY_NAME_ENTER) return run(app, p);
    if (pressed.code == KEY_NAME_BACKSPACE && !p->edit.text.length) return OVERLAY_DONE;
    if (pressed.code == KEY_NAME_TAB && p->n_candidates) {
        take_candidate(p);
        complete(app, p);
        return OVERLAY_STAYS;
    }
    if (p->kind == PROMPT_SQL && pressed.code == 'x' && pressed.modifiers == KEY_CTRL) {
        session_ask(app->session, REQUEST_EDIT_SQL, buffer_text(&p->edit.text));
        return OVERLAY_DONE;
    }
    bool listing = p->n_candidates > 1 && !pressed.modifiers;
    if (listing && pressed.code == KEY_NAME_DOWN) {
        p->picked = (p->picked + 1) % p->n_candidates;
        return OVERLAY_STAYS;
    }
    if (listing && pressed.code == KEY_NAME_UP) {
        p->picked = (p->picked + p->n_candidates - 1) % p->n_candidates;
        return OVERLAY_STAYS;
    }
    size_t before = p->edit.text.length;
    if (line_edit_key(&p->edit, pressed)) {
        mem_free(p->error);
        p->error = NULL;
        complete(app, p);
        if (p->kind == PROMPT_SEARCH && p->edit.text.length != before && p->edit.text.length >= 3)
            session_search(app->session, buffer_text(&p->edit.text));
    }
    return OVERLAY_STAYS;
}

/* ---- drawing ---- */

static void draw_candidates(struct app *app, const struct prompt *p, int bottom)
{
    struct canvas *canvas = app->canvas;
    for (uint32_t i = 0; i < p->n_candidates && bottom - (int)i >= 0; i++) {
        int y = bottom - (int)i;
        const struct command *command = p->candidates[i].entry->command;
        bool picked = i == p->picked;
        struct style style = picked ? STYLE(ACCENT, FOCUS, CELL_BOLD) : STYLE(DEFAULT, BAR, 0);
        if (picked && app->theme->is_mono) style.attributes |= CELL_REVERSE;
        canvas_fill(canvas, (struct rect){0, y, canvas->width, 1}, ' ', style);
        int used = canvas_text(canvas, 1, y, canvas->width - 2, str_of(command->id), style);
        struct buffer usage = BUFFER_INIT;
        command_append_usage(command, &usage);
        used += canvas_text(canvas, 2 + used, y, canvas->width - 3 - used, buffer_str(&usage),
                            (struct style){COLOR_DIM, style.bg, style.attributes & CELL_REVERSE});
        buffer_free(&usage);
        int room = canvas->width - used - 6;
        if (room > 8)
            canvas_text_right(canvas, canvas->width - room - 1, y, room, str_of(command->name),
                              (struct style){COLOR_DIM, style.bg, style.attributes & CELL_REVERSE});
    }
}

/* What the command takes, once its id is typed. */
static void draw_usage(struct app *app, const struct prompt *p, int y)
{
    struct str text = buffer_str(&p->edit.text);
    size_t space;
    if (p->kind != PROMPT_COMMAND || !str_find_byte(text, ' ', &space) || y < 0) return;
    char *id = mem_copy_string(text.p, space);
    const struct registry_entry *entry = registry_find(app->session->registry, id);
    mem_free(id);
    if (!entry) return;
    struct buffer usage = BUFFER_INIT;
    buffer_printf(&usage, "%s  ", entry->command->name);
    command_append_usage(entry->command, &usage);
    canvas_fill(app->canvas, (struct rect){0, y, app->canvas->width, 1}, ' ', STYLE(DIM, BAR, 0));
    canvas_text(app->canvas, 1, y, app->canvas->width - 2, buffer_str(&usage),
                STYLE(BAR_TEXT, BAR, 0));
    buffer_free(&usage);
}

static void draw_error(struct app *app, const struct prompt *p, int y, int prefix)
{
    struct canvas *canvas = app->canvas;
    if (y < 0) return;
    canvas_fill(canvas, (struct rect){0, y, canvas->width, 1}, ' ', STYLE(ERROR, BAR, 0));
    int x = 1;
    if (p->error_at != STATUS_NO_OFFSET && p->error_at + prefix < canvas->width / 2) {
        x = prefix + (int)p->error_at;
        canvas_put(canvas, x, y, '^', STYLE(ERROR, BAR, CELL_BOLD));
        x += 2;
    }
    canvas_text(canvas, x, y, canvas->width - x - 1, str_of(p->error), STYLE(ERROR, BAR, 0));
}

/* With two traces it says which one is asked. */
static const char *sql_prompt(const struct session *session)
{
    if (!session_is_comparing(session)) return "SQL> ";
    return session_trace_in_focus(session) ? "SQL of B> " : "SQL of A> ";
}

static void draw(struct app *app, struct overlay *overlay)
{
    struct prompt *p = (struct prompt *)overlay;
    struct canvas *canvas = app->canvas;
    int y = canvas->height - 1;
    const char *prefix = p->kind == PROMPT_COMMAND  ? ":"
                         : p->kind == PROMPT_SQL    ? sql_prompt(app->session)
                         : p->kind == PROMPT_SEARCH ? "/"
                                                    : p->label;
    canvas_fill(canvas, (struct rect){0, y, canvas->width, 1}, ' ', STYLE_PLAIN);
    int x = canvas_text(canvas, 0, y, canvas->width / 2, str_of(prefix),
                        STYLE(ACCENT, DEFAULT, CELL_BOLD));
    if (p->kind == PROMPT_ARGUMENT) x++;
    int room = canvas->width - x - 1;
    if (p->kind == PROMPT_SEARCH && app->session->search.term) {
        struct buffer text = BUFFER_INIT;
        const struct search *search = &app->session->search;
        uint64_t n = search_count(search);
        if (search->error)
            buffer_append_text(&text, "no regex yet");
        else
            buffer_printf(&text, "%llu%s hit%s%s", (unsigned long long)n,
                          search->cut_short ? "+" : "", n == 1 ? "" : "s",
                          search->running ? " ..." : "");
        canvas_text_right(canvas, canvas->width - 18, y, 17, buffer_str(&text),
                          STYLE(DIM, DEFAULT, 0));
        buffer_free(&text);
        room -= 19;
    }
    line_edit_draw(&p->edit, canvas, x, y, room, STYLE_PLAIN);
    if (p->error)
        draw_error(app, p, y - 1, x);
    else if (p->n_candidates)
        draw_candidates(app, p, y - 1);
    else
        draw_usage(app, p, y - 1);
}

static void dispose(struct overlay *overlay)
{
    struct prompt *p = (struct prompt *)overlay;
    line_edit_dispose(&p->edit);
    mem_free(p->label);
    mem_free(p->command_id);
    mem_free(p->first);
    mem_free(p->error);
    mem_free(p);
}

static const struct overlay_kind prompt_kind = {"prompt", true, key, draw, NULL, dispose};

static struct prompt *open_prompt(struct app *app, enum prompt_kind kind, const char *text,
                                  struct edit_history *history)
{
    struct prompt *p = mem_zero(1, sizeof *p);
    p->overlay.kind = &prompt_kind;
    p->kind = kind;
    line_edit_init(&p->edit, text, history);
    overlay_push(app, &p->overlay);
    complete(app, p);
    return p;
}

void prompt_open_command(struct app *app, const char *text)
{
    open_prompt(app, PROMPT_COMMAND, text, &app->command_history);
}

void prompt_open_sql(struct app *app, const char *text)
{
    open_prompt(app, PROMPT_SQL, text, &app->sql_history);
}

void prompt_open_search(struct app *app)
{
    open_prompt(app, PROMPT_SEARCH, "", &app->search_history);
}

void prompt_open_argument(struct app *app, const char *label, const char *command_id)
{
    struct prompt *p = open_prompt(app, PROMPT_ARGUMENT, "", NULL);
    p->label = mem_strdup(label);
    p->command_id = mem_strdup(command_id);
}

void prompt_open_value(struct app *app, const char *label, const char *command_id,
                       const char *first, const char *text)
{
    struct prompt *p = open_prompt(app, PROMPT_ARGUMENT, text, NULL);
    p->label = mem_strdup(label);
    p->command_id = mem_strdup(command_id);
    p->first = mem_strdup(first);
}

void prompt_open_optional(struct app *app, const char *label, const char *command_id)
{
    prompt_open_argument(app, label, command_id);
    ((struct prompt *)app->overlay)->is_optional = true;
}
