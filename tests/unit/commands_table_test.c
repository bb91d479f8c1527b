/* Every command with good and bad calls: a transcript, commands_table.txt.
 *
 *     > PinTracksByRegex ^main     a call, as one types it behind ':'
 *       says: 2 tracks pinned      what changed in the session: computed
 *
 * A block between empty lines begins in a fresh session.  `# …` is a remark.  The
 * lines behind a call are written by UPDATE_GOLDEN=1 and read by a person.  Each
 * command that is registered needs a call that succeeds and one that fails; a line
 * `! id why` says why this session has none that succeeds.
 *
 * The rows of docs/commands.md are held against the registry as well; the same
 * variable writes them, new ones at the end.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "commands/flame_view.h"
#include "commands/session_state.h"
#include "commands/settings.h"
#include "macros/recorder.h"
#include "tests/unit/server_fixture.h"
#define FIXTURE_HEAP
#include "tests/unit/session_fixture.h"

#define TABLE SOURCE_DIR "/tests/unit/commands_table.txt"

/* ---- the session in words ---- */

enum field {
    FIELD_WINDOW,
    FIELD_CURSOR,
    FIELD_FOCUS,
    FIELD_SELECTION,
    FIELD_AREA,
    FIELD_WORKSPACES,
    FIELD_PINNED,
    FIELD_ROWS,
    FIELD_TABS,
    FIELD_PANE,
    FIELD_NOTES,
    FIELD_MARKS,
    FIELD_SEARCH,
    FIELD_FLAME,
    FIELD_LOOKS,
    FIELD_COUNT
};

static const char *const field_names[FIELD_COUNT] = {
    [FIELD_WINDOW] = "window",       [FIELD_CURSOR] = "cursor", [FIELD_FOCUS] = "focus",
    [FIELD_SELECTION] = "selection", [FIELD_AREA] = "area",     [FIELD_WORKSPACES] = "workspaces",
    [FIELD_PINNED] = "pinned",       [FIELD_ROWS] = "rows",     [FIELD_TABS] = "tab",
    [FIELD_PANE] = "pane",           [FIELD_NOTES] = "notes",   [FIELD_MARKS] = "marks",
    [FIELD_SEARCH] = "search",       [FIELD_FLAME] = "flame",   [FIELD_LOOKS] = "looks",
};

static void write_selection(const struct session *session, struct buffer *out)
{
    const struct selection *s = &session->selection;
    switch (s->kind) {
    case SELECTION_NONE: buffer_append_text(out, "none"); return;
    case SELECTION_EVENT:
        buffer_printf(out, "row %u of table %d on %s, ", s->id, (int)s->table, s->uri);
        break;
    case SELECTION_TRACK: buffer_printf(out, "track %s", s->uri); return;
    case SELECTION_NOTE: buffer_printf(out, "note %u", s->id); return;
    case SELECTION_AREA:
        for (size_t i = 0; i < s->tracks.count && i < 4; i++)
            buffer_printf(out, "%s ", s->tracks.items[i]);
        buffer_printf(out, "(%zu tracks), ", s->tracks.count);
        break;
    }
    buffer_printf(out, "%" PRId64 " to %" PRId64, s->start, s->end);
}

static void write_workspaces(const struct session *session, struct buffer *out)
{
    for (size_t i = 0; i < session->workspaces.count; i++) {
        const struct workspace *w = session->workspaces.items[i];
        unsigned nodes = 0;
        for (const struct track_node *n = track_tree_next(&w->tree.root, &w->tree.root); n;
             n = track_tree_next(&w->tree.root, n))
            nodes++;
        buffer_printf(out, "%s%s%s (%zu, %u in all)", i ? ", " : "",
                      w == session->workspace ? "*" : "", w->title, w->tree.root.children.count,
                      nodes);
    }
}

static void write_tab(const struct session *session, struct buffer *out)
{
    static const char *const kinds[] = {"selection", "query", "report", "log",
                                        "search",    "notes", "page",   "flame"};
    struct tab *tab = session_tab_shown(session);
    buffer_printf(out, "%zu of them, \"%s\" (%s)", session->tabs.count, tab->title,
                  kinds[tab->kind]);
    const struct grid *grid = tab_grid(tab);
    if (tab->state == TAB_FAILED) buffer_printf(out, " failed: %s", tab->error);
    if (grid && grid->n_rows > 12) /* of what the program has; it grows */
        buffer_append_text(out, ", many rows");
    else if (grid)
        buffer_printf(out, ", %u rows of %u columns, at %" PRIu64 ",%u", grid->n_rows,
                      grid->n_columns, tab->row, tab->column);
    else if (tab->kind == TAB_PAGE && tab->text)
        buffer_printf(out, ": %.*s", (int)strcspn(tab->text, "\n"), tab->text);
    if (tab->shape.sorts.count || tab->shape.filters.count || tab->shape.group ||
        tab->shape.hidden.count) {
        buffer_append_text(out, ", ");
        grid_shape_write(&tab->shape, out);
    }
}

static void write_flame(const struct session *session, struct buffer *out)
{
    const struct flame_view *view = session->flame;
    if (!view) return;
    buffer_printf(out, "of %s", view->now.title ? view->now.title : "nothing");
    if (view->base.title) buffer_printf(out, ", against %s", view->base.title);
    if (view->error) buffer_printf(out, ", %s", view->error);
    if (view->metrics.count) buffer_printf(out, ", %s", view->metrics.items[view->metric].name);
    if (view->tree) buffer_printf(out, ", at %u, zoom %u", view->cursor, view->zoom);
}

static void write_looks(const struct session *session, struct buffer *out)
{
    buffer_printf(out, "times %d%s%s%s%s, names %u", (int)session->time_format,
                  session->human_durations ? ", short durations" : "",
                  session->crosshair ? ", crosshair" : "", session->minimap ? ", minimap" : "",
                  session->sidebar ? ", sidebar" : "", session->name_cells);
}

static void write_field(struct session *session, enum field field, struct buffer *out)
{
    static const char *const drawers[] = {"closed", "small", "half", "full"};
    uint32_t count;
    switch (field) {
    case FIELD_WINDOW:
        buffer_printf(out, "%" PRId64 " to %" PRId64, session->window_start, session->window_end);
        break;
    case FIELD_CURSOR: buffer_printf(out, "%" PRId64, session->cursor); break;
    case FIELD_FOCUS:
        buffer_printf(out, "%s%s, depth %u", session->focus_pinned ? "pinned " : "",
                      session->focus ? session->focus->uri : "none", session->focus_depth);
        break;
    case FIELD_SELECTION: write_selection(session, out); break;
    case FIELD_AREA: buffer_append_text(out, session->area_open ? "open" : "closed"); break;
    case FIELD_WORKSPACES: write_workspaces(session, out); break;
    case FIELD_PINNED:
        for (size_t i = 0; i < session->workspace->pinned.root.children.count; i++)
            buffer_printf(out, "%s%s", i ? ", " : "",
                          session->workspace->pinned.root.children.items[i]->name);
        break;
    case FIELD_ROWS:
        (void)session_rows(session, &count);
        buffer_printf(out, "%u", count);
        break;
    case FIELD_TABS: write_tab(session, out); break;
    case FIELD_PANE:
        buffer_printf(out, "%s, drawer %s", session->pane == PANE_TIMELINE ? "timeline" : "details",
                      drawers[session->drawer]);
        break;
    case FIELD_NOTES:
        for (size_t i = 0; i < session->notes.count; i++) {
            const struct note *note = &session->notes.items[i];
            buffer_printf(out, "%s%" PRId64, i ? ", " : "", note->start);
            if (note->is_span) buffer_printf(out, " to %" PRId64, note->end);
            buffer_printf(out, "%s \"%s\"", note->is_temporary ? " (temporary)" : "", note->text);
        }
        break;
    case FIELD_MARKS:
        for (int i = 0; i < MARK_COUNT; i++)
            if (session->marks[i].set)
                buffer_printf(out, "%d at %" PRId64 " ", i, session->marks[i].ts);
        break;
    case FIELD_SEARCH:
        if (session->search.term) buffer_append_text(out, session->search.term);
        break;
    case FIELD_FLAME: write_flame(session, out); break;
    case FIELD_LOOKS: write_looks(session, out); break;
    case FIELD_COUNT: break;
    }
}

static const char *request_name(enum request_kind kind)
{
    static const char *const names[] = {
        [REQUEST_PALETTE] = "the palette",
        [REQUEST_PROMPT] = "the prompt",
        [REQUEST_SQL_PROMPT] = "the SQL prompt",
        [REQUEST_SEARCH_PROMPT] = "the search prompt",
        [REQUEST_FIND_TRACK] = "which track to find",
        [REQUEST_PIN_TRACK] = "which track to pin",
        [REQUEST_MACRO_MENU] = "the macro menu",
        [REQUEST_HELP] = "the help",
        [REQUEST_EXPORT] = "an export",
        [REQUEST_COPY] = "a copy",
        [REQUEST_OPEN_TRACE] = "another trace",
        [REQUEST_CLOSE_TRACE] = "an end of the trace",
        [REQUEST_COMPARE] = "a trace to compare with",
        [REQUEST_SUSPEND] = "a rest",
        [REQUEST_QUIT] = "the end",
        [REQUEST_REDRAW] = "a new drawing",
        [REQUEST_INTERRUPT] = "a stop of work",
        [REQUEST_RUN_FOCUSED_DETAIL] = "the detail in focus",
        [REQUEST_THEME] = "a theme",
        [REQUEST_SERVERS] = "the servers",
        [REQUEST_ADD_SERVER] = "a new server",
        [REQUEST_TRACE_SERVER] = "the trace's server",
        [REQUEST_EDIT_SERVER] = "a server's dialog",
        [REQUEST_RELOAD] = "the trace again",
        [REQUEST_FOLD_DETAIL] = "a fold of details",
        [REQUEST_ASK_SETTING] = "a setting's value",
        [REQUEST_STORE_SETTING] = "a setting",
        [REQUEST_RECORDING_NAME] = "the macro's name",
        [REQUEST_RECORDING_KEY] = "the macro's key",
        [REQUEST_RECORDING_FILE] = "the macro's file",
        [REQUEST_BIND_KEYS] = "keys of macros",
        [REQUEST_FLAME_FILTER] = "a flamegraph's filter",
        [REQUEST_FLAME_HIGHLIGHT] = "a flamegraph's highlight",
        [REQUEST_TABLE_FILTER] = "a table's filter",
        [REQUEST_TABLE_FILTER_COLUMN] = "a column's filter",
    };
    bool known = (size_t)kind < sizeof names / sizeof names[0] && names[kind];
    return known ? names[kind] : "something of the screen";
}

/* ---- a block ---- */

struct block {
    struct fixture *f;
    struct settings *settings;
    struct server_host *host;
    struct recorder *recorder;
    struct session_state *state;
    struct fake fake;
    struct places places;
};

static void block_begin(struct block *b)
{
    void *made;
    assert_int_equal(fixture_setup_engine(&made), 0);
    *b = (struct block){.f = made, .fake = {.descriptors = ""}};
    /* The views come at the end of a load; these tables were filled without one. */
    struct status st = STATUS_INIT;
    struct result *views = engine_query_result(
        b->f->engine, STR("INCLUDE PERFETTO MODULE prelude.after_eof.*"), 0, &st);
    assert_string_equal(status_message(&st), "");
    result_free(views);
    places_make(&b->places);
    FILE *file = fopen(b->places.overlay, "wb");
    assert_non_null(file);
    (void)fputs("{\"extensionServers\": [{\"type\": \"https\", \"url\": \"https://e.x\", "
                "\"enabledModules\": [\"a\"], \"enabled\": false}], \"traceStartupDecisions\": "
                "[{\"content\": "
                "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\", "
                "\"run\": true}]}",
                file);
    assert_int_equal(fclose(file), 0);
    b->settings = settings_load(b->places.person, b->places.overlay, &st);
    assert_non_null(b->settings);
    b->f->session->settings = b->settings;
    b->host = host_of(b->settings, &b->fake, b->places.cache);
    json_t *named = json_of("{\"type\": \"https\", \"url\": \"https://same.x\", "
                            "\"enabled_modules\": [\"a\"]}");
    server_host_open(b->host, b->f->session, named);
    json_decref(named);
    b->recorder = recorder_new(b->settings);
    recorder_register(b->recorder, b->f->session);
    assert_int_equal(setenv("XDG_STATE_HOME", b->places.folder, 1), 0);
    b->state = session_state_new(
        b->f->session, &(struct session_state_options){.content = "0123", .title = "by hand"});
    session_state_begin(b->state);
}

static void block_end(struct block *b)
{
    void *made = b->f;
    settle(b->host, b->f->session);
    server_host_free(b->host);
    b->f->session->settings = NULL;
    fixture_teardown(&made);
    recorder_free(b->recorder);
    session_state_free(b->state);
    settings_free(b->settings);
    places_remove(&b->places);
    *b = (struct block){0};
}

/* "2026-11-30" behind "on " or "since ". */
static bool is_day(const char *text, const char *at)
{
    static const char shape[] = "dddd-dd-dd";
    bool told = (at - text >= 3 && strncmp(at - 3, "on ", 3) == 0) ||
                (at - text >= 6 && strncmp(at - 6, "since ", 6) == 0);
    for (size_t i = 0; told && shape[i]; i++)
        told = shape[i] == 'd' ? at[i] >= '0' && at[i] <= '9' : at[i] == shape[i];
    return told;
}

/* On one line, without what changes from run to run. */
static void append_line(struct buffer *out, const struct block *b, const char *name,
                        const char *text)
{
    buffer_printf(out, "  %s:%s", name, text[0] ? " " : "");
    size_t n = strlen(b->places.folder);
    for (const char *p = text; *p; p++) {
        if (strncmp(p, b->places.folder, n) == 0) {
            buffer_append_text(out, "FOLDER");
            p += n - 1;
        } else if (is_day(text, p)) {
            buffer_append_text(out, "DAY");
            p += 9;
        } else {
            buffer_append_byte(out, *p == '\n' ? '|' : *p);
        }
    }
    while (out->data[out->length - 1] == ' ')
        out->length--;
    buffer_append_byte(out, '\n');
}

static enum command_outcome run_line(struct block *b, struct str line, struct buffer *out)
{
    struct session *session = b->f->session;
    struct buffer before[FIELD_COUNT] = {0};
    for (int i = 0; i < FIELD_COUNT; i++)
        write_field(session, (enum field)i, &before[i]);
    uint64_t said = session->messages_total;
    struct status st = STATUS_INIT;
    char *text = mem_copy_string(line.p, line.n);
    enum command_outcome outcome = fixture_run(b->f, text, &st);
    mem_free(text);
    settle(b->host, session);
    session_poll(session);
    if (outcome != COMMAND_DONE) append_line(out, b, "fails", status_message(&st));
    status_clear(&st);
    for (size_t i = session->messages.count - (size_t)(session->messages_total - said);
         i < session->messages.count; i++)
        append_line(out, b, "says", session->messages.items[i].text);
    struct session_request request;
    while (session_take_request(session, &request)) {
        struct buffer asked = BUFFER_INIT;
        buffer_printf(&asked, "%s%s%s", request_name(request.kind), request.text ? ": " : "",
                      request.text ? request.text : "");
        append_line(out, b, "asks for", buffer_text(&asked));
        buffer_free(&asked);
        mem_free(request.text);
    }
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct buffer after = BUFFER_INIT;
        write_field(session, (enum field)i, &after);
        if (!str_equal(buffer_str(&before[i]), buffer_str(&after)))
            append_line(out, b, field_names[i], buffer_text(&after));
        buffer_free(&after);
        buffer_free(&before[i]);
    }
    return outcome;
}

/* ---- the table ---- */

enum { SUCCEEDED = 1, FAILED = 2 };

struct replay {
    struct block block;
    struct strmap seen; /* id → SUCCEEDED | FAILED */
    struct buffer text; /* the table as it comes out */
};

/* A failed call has no id: the word itself names it. */
static const struct registry_entry *entry_of(const struct registry *registry, struct str line)
{
    struct str word;
    if (!str_split_next(&line, ' ', &word)) return NULL;
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        struct str id = str_of(registry_at(registry, i)->command->id);
        if (str_equal(id, word)) return registry_at(registry, i);
        if (id.n > word.n && id.p[id.n - word.n - 1] == '.' &&
            str_equal(str_slice(id, id.n - word.n, id.n), word))
            return registry_at(registry, i);
    }
    return NULL;
}

static void excuse(struct replay *r, struct str rest)
{
    struct str id;
    assert_true(str_split_next(&rest, ' ', &id) && rest.n);
    const uint64_t *seen = strmap_get(&r->seen, id);
    strmap_set(&r->seen, id, (seen ? *seen : 0) | SUCCEEDED);
}

static void replay_line(struct replay *r, struct str line)
{
    bool is_call = line.n > 2 && line.p[0] == '>' && line.p[1] == ' ';
    bool is_excuse = line.n > 2 && line.p[0] == '!' && line.p[1] == ' ';
    if (line.n && !is_call && !is_excuse && line.p[0] != '#') return; /* comes out again */
    buffer_append_str(&r->text, line);
    buffer_append_byte(&r->text, '\n');
    if (!line.n && r->block.f) block_end(&r->block);
    if (is_excuse) excuse(r, str_slice(line, 2, line.n));
    if (!is_call) return;
    if (!r->block.f) block_begin(&r->block);
    struct str call = str_slice(line, 2, line.n);
    const struct registry_entry *entry = entry_of(r->block.f->session->registry, call);
    const char *id = entry ? entry->command->id : "";
    uint64_t *seen = strmap_get(&r->seen, str_of(id));
    uint64_t flags = seen ? *seen : 0;
    flags |= run_line(&r->block, call, &r->text) == COMMAND_DONE ? SUCCEEDED : FAILED;
    strmap_set(&r->seen, str_of(id), flags);
}

static char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = mem_alloc(*size + 1);
    assert_int_equal(fread(text, 1, *size, file), *size);
    (void)fclose(file);
    while (*size && text[*size - 1] == '\n')
        --*size;
    return text;
}

static void write_whole(const char *path, const struct buffer *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text->data, 1, text->length, file), text->length);
    assert_int_equal(fclose(file), 0);
}

static unsigned report_differences(const char *name, struct str expected, struct str got)
{
    struct str a = STR_NONE, b = STR_NONE, call = STR("");
    unsigned different = 0;
    for (unsigned line = 1; different < 20; line++) {
        bool more_a = str_split_next(&expected, '\n', &a), more_b = str_split_next(&got, '\n', &b);
        if (!more_a && !more_b) break;
        if (more_b && b.n && b.p[0] == '>') call = b;
        if (more_a && more_b && str_equal(a, b)) continue;
        print_error("%s:%u: %.*s\n  there it is %.*s\n  now it is   %.*s\n", name, line,
                    STR_ARG(call), more_a ? (int)a.n : 0, a.p, more_b ? (int)b.n : 0, b.p);
        different++;
        if (more_a && more_b && (a.n && b.n) && a.p[0] != b.p[0]) break; /* out of step */
    }
    return different;
}

static unsigned report_missing(struct replay *r)
{
    unsigned missing = 0;
    block_begin(&r->block);
    const struct registry *registry = r->block.f->session->registry;
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const char *id = registry_at(registry, i)->command->id;
        const uint64_t *seen = strmap_get(&r->seen, str_of(id));
        uint64_t flags = seen ? *seen : 0;
        if (flags == (SUCCEEDED | FAILED)) continue;
        print_error("%s: no call that %s in commands_table.txt; write \"> %s …\" and run with "
                    "UPDATE_GOLDEN=1\n",
                    id, flags & SUCCEEDED ? "fails" : "succeeds", id);
        missing++;
    }
    block_end(&r->block);
    return missing;
}

static void every_command_does_what_it_did(void **state)
{
    (void)state;
    struct replay r = {0};
    size_t size;
    char *table = read_whole(TABLE, &size);
    struct str rest = {table, size}, line;
    while (str_split_next(&rest, '\n', &line))
        replay_line(&r, line);
    if (r.block.f) block_end(&r.block);
    unsigned missing = report_missing(&r), different = 0;
    struct str now = buffer_str(&r.text); /* with a line's end */
    if (getenv("UPDATE_GOLDEN"))
        write_whole(TABLE, &r.text);
    else
        different = report_differences("commands_table.txt", (struct str){table, size},
                                       str_slice(now, 0, now.n - 1));
    mem_free(table);
    buffer_free(&r.text);
    strmap_free(&r.seen);
    assert_int_equal(missing + different, 0);
}

/* ---- the page ---- */

#define PAGE SOURCE_DIR "/docs/commands.md"

static void append_row(struct buffer *out, const struct command *command)
{
    static const char *const kinds[] = {
        [COMMAND_VIEW] = "view", [COMMAND_QUERY] = "query", [COMMAND_REACH] = "reach"};
    struct buffer usage = BUFFER_INIT;
    command_append_usage(command, &usage);
    buffer_printf(out, "| `%s` | ", command->id);
    for (const char *p = buffer_text(&usage); *p; p++)
        buffer_printf(out, "%s%c", *p == '|' ? "\\" : "", *p);
    buffer_printf(out, "%s| %s | %s |\n", usage.length ? " " : "", command->name,
                  kinds[command->kind]);
    buffer_free(&usage);
}

/* "| `id` | …": the id. */
static bool is_row(struct str line, struct str *id)
{
    struct str rest = line;
    return str_split_next(&rest, '`', id) && str_is(*id, "| ") && str_split_next(&rest, '`', id);
}

static void the_page_has_every_command(void **state)
{
    (void)state;
    struct block b;
    struct buffer text = BUFFER_INIT;
    struct strmap seen = {0};
    size_t size;
    char *page = read_whole(PAGE, &size);
    struct str rest = {page, size}, line, id;
    block_begin(&b);
    const struct registry *registry = b.f->session->registry;
    while (str_split_next(&rest, '\n', &line)) {
        if (!is_row(line, &id)) {
            buffer_append_str(&text, line);
            buffer_append_byte(&text, '\n');
            continue;
        }
        char *name = mem_copy_string(id.p, id.n);
        const struct registry_entry *entry = registry_find(registry, name);
        mem_free(name);
        if (entry) append_row(&text, entry->command); /* else it is gone */
        strmap_set(&seen, id, 1);
    }
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const struct command *command = registry_at(registry, i)->command;
        if (!strmap_get(&seen, str_of(command->id))) append_row(&text, command);
    }
    struct str now = buffer_str(&text);
    unsigned different = 0;
    if (getenv("UPDATE_GOLDEN"))
        write_whole(PAGE, &text);
    else
        different = report_differences("docs/commands.md", (struct str){page, size},
                                       str_slice(now, 0, now.n - 1));
    block_end(&b);
    mem_free(page);
    buffer_free(&text);
    strmap_free(&seen);
    assert_int_equal(different, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_does_what_it_did),
        cmocka_unit_test(the_page_has_every_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
