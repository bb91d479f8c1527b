#include "commands/session_state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "commands/registry.h"
#include "commands/session_json.h"
#include "commands/state_file.h"
#include "engine/base/memory.h"

#define LARGEST_FILE (8u << 20)
#define NAME_DIGITS  32 /* of a content in a file's name */

struct session_state {
    struct session *session;
    struct session_state_options options;
    struct session_folds folds;
    struct session_startup_ids startup;
    char *path, *quick_path; /* NULL: nowhere */
    char *written;           /* what the file, or a session nobody touched, holds */
    uint64_t seen;           /* session->changes of the last look */
    int64_t looked_ns;
    bool is_kept; /* by itself, without being asked */
    bool failed;  /* to write; said once */
};

/* ---- files ---- */

static char *path_of(const struct session_state *state, const char *ending)
{
    struct buffer name = BUFFER_INIT;
    buffer_printf(&name, "sessions/%.*s%s", NAME_DIGITS, state->options.content, ending);
    char *path = state_file_path("XDG_STATE_HOME", ".local/state", buffer_text(&name));
    buffer_free(&name);
    return path;
}

/* A name that this file gives: digits, then ".json" or ".quick.json". */
static bool is_ours(const char *name)
{
    size_t digits = strspn(name, "0123456789abcdef");
    return digits == NAME_DIGITS &&
           (strcmp(name + digits, ".json") == 0 || strcmp(name + digits, ".quick.json") == 0);
}

struct old_file {
    char *name;
    int64_t at_s;
};

/* The oldest go.  One pass a write: a folder that holds far too many empties with
 * time. */
static void prune(const char *path)
{
    char *folder_path = mem_copy_string(path, (size_t)(strrchr(path, '/') - path));
    DIR *folder = opendir(folder_path);
    struct old_file oldest = {NULL, INT64_MAX};
    size_t count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        struct stat about;
        if (!is_ours(entry->d_name)) continue;
        count++;
        if (fstatat(dirfd(folder), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            (int64_t)about.st_mtime >= oldest.at_s)
            continue;
        mem_free(oldest.name);
        oldest = (struct old_file){mem_strdup(entry->d_name), (int64_t)about.st_mtime};
    }
    if (count > SESSION_STATE_MOST_FILES && oldest.name) unlinkat(dirfd(folder), oldest.name, 0);
    if (folder) closedir(folder);
    mem_free(oldest.name);
    mem_free(folder_path);
}

static void append_today(struct buffer *out)
{
    time_t now = time(NULL);
    struct tm day;
    char text[16] = "";
    if (localtime_r(&now, &day)) strftime(text, sizeof text, "%Y-%m-%d", &day);
    buffer_append_text(out, text);
}

/* The session as text; NULL when it is not of one trace. */
static char *text_now(const struct session_state *state)
{
    if (state->session->n_traces != 1) return NULL;
    json_t *json = session_json_write(state->session, &state->folds, &state->startup);
    struct buffer text = BUFFER_INIT;
    json_write(&text, json);
    json_decref(json);
    return buffer_take(&text);
}

/* Around the session: whose it is, and since when. */
static bool write_file(const struct session_state *state, const char *path, const char *session,
                       struct status *st)
{
    struct buffer text = BUFFER_INIT, day = BUFFER_INIT;
    json_t *file = json_object(), *title = json_string(state->options.title);
    append_today(&day);
    json_object_set_new(file, "content", json_string(state->options.content));
    json_object_set_new(file, "title", title ? title : json_string(""));
    json_object_set_new(file, "day", json_string(buffer_text(&day)));
    json_object_set_new(file, "session", json_loads(session, 0, NULL));
    json_write(&text, file);
    buffer_append_byte(&text, '\n');
    bool good = !text.overflowed && text.length <= LARGEST_FILE
                    ? state_file_write(path, buffer_str(&text), st)
                    : status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                                  "the session is larger than %u MiB", LARGEST_FILE >> 20);
    if (good) prune(path);
    json_decref(file);
    buffer_free(&text);
    buffer_free(&day);
    return good;
}

/* NULL without a failure when there is no such file. */
static json_t *read_file(const struct session_state *state, const char *path, struct status *st)
{
    struct buffer text = BUFFER_INIT;
    json_t *file = NULL;
    if (!state_file_read(path, LARGEST_FILE, &text, st) || text.length == 0) goto out;
    file = json_strict_load(buffer_str(&text), st);
    if (!file) {
        status_prefix(st, "%s", path);
    } else if (!str_is(json_str(json_object_get(file, "content")), state->options.content)) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s: it is of another trace", path);
        json_decref(file);
        file = NULL;
    }
out:
    buffer_free(&text);
    return file;
}

/* ---- reading ---- */

static void append_count(struct buffer *out, size_t n, const char *what)
{
    if (n) buffer_printf(out, "%s%zu %s%s", out->length ? ", " : "", n, what, n == 1 ? "" : "s");
}

static char *describe(const json_t *file, const struct session_json_counts *counts)
{
    struct buffer parts = BUFFER_INIT, line = BUFFER_INIT;
    struct str day = json_str(json_object_get(file, "day"));
    append_count(&parts, counts->pins, "pin");
    append_count(&parts, counts->workspaces, "workspace");
    append_count(&parts, counts->notes, "note");
    append_count(&parts, counts->marks, "mark");
    append_count(&parts, counts->tabs, "tab");
    append_count(&parts, counts->gone, "track that is gone");
    if (day.n > 10) day = STR("another day");
    buffer_append_text(&line, "as you left it");
    if (day.n) buffer_printf(&line, " on %.*s", STR_ARG(day));
    buffer_printf(&line, ": %s", parts.length ? buffer_text(&parts) : "window and cursor");
    buffer_free(&parts);
    return buffer_take(&line);
}

/* Reads a file into the session.  False when there is none, with or without a failure;
 * *line says what came. */
static bool read_session(struct session_state *state, const char *path, char **line,
                         struct status *st)
{
    json_t *file = read_file(state, path, st);
    if (!file) return false;
    struct session_json_counts counts;
    struct status bad = STATUS_INIT;
    bool good = session_json_read(state->session, json_object_get(file, "session"), &counts, &bad);
    if (!good) {
        status_prefix(&bad, "%s", path);
        session_say(state->session, MESSAGE_WARNING, "%s", status_message(&bad));
        status_clear(&bad);
    }
    *line = describe(file, &counts);
    json_decref(file);
    return true;
}

void session_state_restore(struct session_state *state)
{
    struct status st = STATUS_INIT;
    char *line = NULL;
    if (state->is_kept && read_session(state, state->path, &line, &st))
        session_say(state->session, MESSAGE_INFO, "%s (RestoreDefaults undoes it)", line);
    mem_free(line);
    if (st.code != STATUS_OK)
        session_say(state->session, MESSAGE_WARNING, "the session is not restored: %s",
                    status_message(&st));
    status_clear(&st);
    state->startup.tabs_from = state->session->tab_next_id;
    state->startup.notes_from = state->session->note_next_id;
}

void session_state_begin(struct session_state *state)
{
    struct session *session = state->session;
    state->startup.tabs_to = session->tab_next_id;
    state->startup.notes_to = session->note_next_id;
    state->seen = session->changes;
    state->looked_ns = clock_now_ns();
    mem_free(state->written);
    state->written = text_now(state);
}

/* ---- writing ---- */

static void keep(struct session_state *state)
{
    char *now = state->is_kept ? text_now(state) : NULL;
    struct status st = STATUS_INIT;
    bool is_new = now && (!state->written || strcmp(now, state->written) != 0);
    if (!is_new) {
        mem_free(now);
        return;
    }
    if (!write_file(state, state->path, now, &st) && !state->failed) {
        state->failed = true;
        session_say(state->session, MESSAGE_WARNING, "the session is not kept: %s",
                    status_message(&st));
    }
    status_clear(&st);
    mem_free(state->written);
    state->written = now;
}

void session_state_tick(struct session_state *state, int64_t now)
{
    if (state->session->changes == state->seen || now - state->looked_ns < SESSION_STATE_PAUSE_NS)
        return;
    state->looked_ns = now;
    keep(state);
    state->seen = state->session->changes;
}

void session_state_end(struct session_state *state)
{
    keep(state);
}

/* ---- commands ---- */

static bool check_place(const struct session_state *state, struct status *st)
{
    if (!state->options.content[0])
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "this trace has no content to know it by again: it came from a pipe, "
                           "or was not loaded to its end");
    return state->path || status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                                      "sessions are kept nowhere: HOME and XDG_STATE_HOME are not "
                                      "set");
}

static bool quicksave(const struct command_call *call, struct status *st)
{
    struct session_state *state = call->closure;
    if (!check_place(state, st)) return false;
    char *now = text_now(state);
    bool good = now ? write_file(state, state->quick_path, now, st)
                    : status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                                  "a session of two traces is not kept");
    mem_free(now);
    if (good) session_say(call->session, MESSAGE_INFO, "saved; Quickload brings it back");
    return good;
}

static bool quickload(const struct command_call *call, struct status *st)
{
    struct session_state *state = call->closure;
    if (!check_place(state, st)) return false;
    json_t *file = read_file(state, state->quick_path, st);
    if (!file)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "nothing of this trace was saved with Quicksave");
    json_decref(file);
    char *line = NULL;
    session_json_clear(call->session, &state->folds, &state->startup);
    bool good = read_session(state, state->quick_path, &line, st);
    if (good) session_say(call->session, MESSAGE_INFO, "loaded, %s", line);
    mem_free(line);
    return good;
}

static bool restore_defaults(const struct command_call *call, struct status *st)
{
    struct session_state *state = call->closure;
    (void)st;
    session_json_clear(call->session, &state->folds, &state->startup);
    session_say(call->session, MESSAGE_INFO,
                "pins, workspaces, notes, marks, tabs and folds are as if just opened");
    return true;
}

static bool forget(const struct command_call *call, struct status *st)
{
    struct session_state *state = call->closure;
    if (!check_place(state, st)) return false;
    const char *const paths[] = {state->path, state->quick_path};
    int gone = 0;
    for (size_t i = 0; i < 2; i++) {
        if (unlink(paths[i]) == 0)
            gone++;
        else if (errno != ENOENT)
            return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", paths[i],
                               strerror(errno));
    }
    state->is_kept = false;
    session_say(call->session, MESSAGE_INFO, "%s; nothing more is kept until perfetty ends",
                gone ? "what was kept of this trace is gone" : "nothing was kept of this trace");
    return true;
}

/* They reach out: each reads, writes or throws away what a person made. */
static const struct command commands[] = {
    {.id = "dev.perfetto.Quicksave",
     .name = "Save pins, workspaces, tabs, notes and window",
     .kind = COMMAND_REACH,
     .run = quicksave},
    {.id = "dev.perfetto.Quickload",
     .name = "Go back to what Quicksave saved",
     .kind = COMMAND_REACH,
     .run = quickload},
    {.id = "dev.perfetto.RestoreDefaults",
     .name = "Take back pins, workspaces, notes, tabs and folds",
     .kind = COMMAND_REACH,
     .run = restore_defaults},
    {.id = "dev.perfetty.ForgetSession",
     .name = "Forget what is remembered of this trace",
     .kind = COMMAND_REACH,
     .run = forget},
};

struct session_state *session_state_new(struct session *session,
                                        const struct session_state_options *options)
{
    struct session_state *state = mem_zero(1, sizeof *state);
    state->session = session;
    state->options = *options;
    session_folds_take(session, &state->folds);
    if (options->content[0]) {
        state->path = path_of(state, ".json");
        state->quick_path = path_of(state, ".quick.json");
    }
    state->is_kept = state->path && !options->is_clean && !options->is_off;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct status st = STATUS_INIT;
        registry_add(session->registry, &commands[i], COMMAND_CORE, "", state, NULL, NULL, &st);
        status_clear(&st);
    }
    return state;
}

void session_state_free(struct session_state *state)
{
    if (!state) return;
    session_folds_dispose(&state->folds);
    mem_free(state->path);
    mem_free(state->quick_path);
    mem_free(state->written);
    mem_free(state);
}
