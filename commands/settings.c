#include "commands/settings.h"

#include <string.h>

#include "commands/invocation_json.h"
#include "commands/session.h"
#include "commands/state_file.h"
#include "engine/base/memory.h"

#define LARGEST_FILE (4u << 20)

/* ---- files ---- */

static json_t *load_object(const char *path, struct status *st)
{
    struct buffer text = BUFFER_INIT;
    json_t *object = NULL;
    if (path && !state_file_read(path, LARGEST_FILE, &text, st)) goto out;
    if (str_trim(buffer_str(&text)).n == 0) {
        object = json_object();
        goto out;
    }
    object = json_strict_load(buffer_str(&text), st);
    if (!object) {
        status_prefix(st, "%s", path);
    } else if (!json_is_object(object)) {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s: it has to be a JSON object", path);
        json_decref(object);
        object = NULL;
    }
out:
    buffer_free(&text);
    return object;
}

static bool write_state(const struct settings *settings, struct status *st)
{
    if (!settings->state_path)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET,
                           "settings are kept nowhere: HOME and XDG_STATE_HOME are not set");
    struct buffer text = BUFFER_INIT;
    json_write(&text, settings->state);
    buffer_append_byte(&text, '\n');
    bool good = state_file_write(settings->state_path, buffer_str(&text), st);
    buffer_free(&text);
    return good;
}

/* ---- values ---- */

struct reader {
    struct settings *settings;
    struct buffer path;
    struct status *st;
};

static bool read_choice(struct reader *r, const json_t *value, const char *choices, int *out)
{
    struct str rest = str_of(choices), piece;
    for (int i = 0; str_split_next(&rest, '|', &piece); i++) {
        if (!json_is_string(value) || !str_equal(json_str(value), piece)) continue;
        *out = i;
        return true;
    }
    struct buffer wanted = BUFFER_INIT;
    buffer_printf(&wanted, "one of %s", choices);
    json_refuse(&r->path, value, buffer_text(&wanted), r->st);
    buffer_free(&wanted);
    return false;
}

static bool read_trace_commands(struct reader *r, const json_t *value)
{
    int choice;
    if (!read_choice(r, value, "ask|always|never", &choice)) return false;
    r->settings->trace_commands = (enum trace_commands)choice;
    return true;
}

static bool read_flag(struct reader *r, const json_t *value, bool *out)
{
    if (!json_is_boolean(value)) return json_refuse(&r->path, value, "true or false", r->st);
    *out = json_is_true(value);
    return true;
}

static bool read_enforce(struct reader *r, const json_t *value)
{
    return read_flag(r, value, &r->settings->enforce_allowlist);
}

static bool read_mouse(struct reader *r, const json_t *value)
{
    return read_flag(r, value, &r->settings->mouse);
}

static bool read_clipboard(struct reader *r, const json_t *value)
{
    return read_flag(r, value, &r->settings->clipboard);
}

static bool read_restore_session(struct reader *r, const json_t *value)
{
    return read_flag(r, value, &r->settings->restore_session);
}

static bool read_crosshair(struct reader *r, const json_t *value)
{
    return read_flag(r, value, &r->settings->crosshair);
}

static bool read_minimap(struct reader *r, const json_t *value)
{
    return read_flag(r, value, &r->settings->minimap);
}

static bool read_ascii(struct reader *r, const json_t *value)
{
    if (!json_is_boolean(value) && !(json_is_string(value) && str_is(json_str(value), "auto")))
        return json_refuse(&r->path, value, "true, false or \"auto\"", r->st);
    r->settings->ascii = json_is_true(value)    ? SETTING_ON
                         : json_is_false(value) ? SETTING_OFF
                                                : SETTING_AUTO;
    return true;
}

static bool read_color(struct reader *r, const json_t *value)
{
    if (!json_is_boolean(value) && !(json_is_string(value) && str_is(json_str(value), "auto")))
        return json_refuse(&r->path, value, "true, false or \"auto\"", r->st);
    r->settings->color = json_is_true(value)    ? SETTING_ON
                         : json_is_false(value) ? SETTING_OFF
                                                : SETTING_AUTO;
    return true;
}

static bool read_text(struct reader *r, const json_t *value, char **out)
{
    if (!json_is_string(value) || !json_string_value(value)[0])
        return json_refuse(&r->path, value, "a text that is not empty", r->st);
    mem_free(*out);
    *out = mem_strdup(json_string_value(value));
    return true;
}

static bool read_theme(struct reader *r, const json_t *value)
{
    return read_text(r, value, &r->settings->theme);
}

static bool read_timestamp_format(struct reader *r, const json_t *value)
{
    enum session_time_format format;
    if (!json_is_string(value) || !session_time_format_parse(json_string_value(value), &format))
        return json_refuse(&r->path, value, "one of " SESSION_TIME_FORMATS, r->st);
    return read_text(r, value, &r->settings->timestamp_format);
}

/* "+HH:MM", as Perfetto's UI keeps it. */
static bool read_timezone(struct reader *r, const json_t *value)
{
    const char *text = json_string_value(value);
    bool good = text && strlen(text) == 6 && (text[0] == '+' || text[0] == '-') && text[3] == ':';
    for (int i = 1; good && i < 6; i++)
        good = i == 3 || (text[i] >= '0' && text[i] <= '9');
    if (!good) return json_refuse(&r->path, value, "an offset as in \"+02:00\"", r->st);
    return read_text(r, value, &r->settings->timezone);
}

static bool read_duration_precision(struct reader *r, const json_t *value)
{
    int choice;
    if (!read_choice(r, value, "full|human_readable", &choice)) return false;
    r->settings->human_durations = choice == 1;
    return true;
}

static bool read_query_limit(struct reader *r, const json_t *value)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return json_refuse(&r->path, value, "milliseconds, 0 for no limit", r->st);
    r->settings->query_limit_ms = json_integer_value(value);
    return true;
}

static bool read_startup_commands(struct reader *r, const json_t *value)
{
    invocation_list_free(&r->settings->startup_commands);
    return invocation_list_read(value, &r->path, &r->settings->startup_commands, r->st);
}

static bool read_decisions(struct reader *r, const json_t *value)
{
    trust_list_free(&r->settings->decisions);
    return trust_list_read(value, &r->path, &r->settings->decisions, r->st);
}

/* A command line, null, or {"command": …, "in": …}. */
static bool read_key(struct reader *r, const char *keys, const json_t *value)
{
    static const char wanted[] = "a command line, null, or {\"command\": …, \"in\": \"timeline\"}";
    const json_t *line = json_is_object(value) ? json_object_get(value, "command") : value;
    const json_t *place = json_is_object(value) ? json_object_get(value, "in") : NULL;
    if (!json_is_string(line) && !json_is_null(line))
        return json_refuse(&r->path, value, wanted, r->st);
    int choice = 0;
    if (place) {
        size_t cut = json_path_key(&r->path, "in");
        bool good = read_choice(r, place, "everywhere|timeline|details|flamegraph|table", &choice);
        json_path_cut(&r->path, cut);
        if (!good) return false;
    }
    const char *text = json_string_value(line);
    struct key_setting key = {.keys = mem_strdup(keys),
                              .line = text && text[0] ? mem_strdup(text) : NULL,
                              .place = mem_strdup(place ? json_string_value(place) : "everywhere")};
    vec_push(&r->settings->keys, key);
    return true;
}

static bool read_keys(struct reader *r, const json_t *value)
{
    if (!json_is_object(value))
        return json_refuse(&r->path, value, "an object of keys and command lines", r->st);
    const char *keys;
    json_t *line;
    json_object_foreach((json_t *)(uintptr_t)value, keys, line)
    {
        size_t cut = json_path_key(&r->path, keys);
        bool good = read_key(r, keys, line);
        json_path_cut(&r->path, cut);
        if (!good) return false;
    }
    return true;
}

/* Macros and servers have readers of their own in macros/. */
static bool read_list(struct reader *r, const json_t *value)
{
    return json_is_array(value) || json_refuse(&r->path, value, "a list", r->st);
}

/* The screen reads them: tui/theme_own. */
static bool read_themes(struct reader *r, const json_t *value)
{
    return json_is_object(value) || json_refuse(&r->path, value, "an object of themes", r->st);
}

static const struct {
    struct setting_info info;
    bool (*read)(struct reader *r, const json_t *value);
} readers[] = {
    {{"traceStartupCommands", "\"ask\"", "ask, always, never", "may a trace's startup commands run",
      false},
     read_trace_commands},
    {{"traceStartupDecisions", "[]", "a list", "what was decided on traces' startup commands",
      false},
     read_decisions}, /* trust.h */
    {{"enforceStartupCommandAllowlist", "true", "true, false",
      "hold the command line's and the settings' startup commands to the allowlist too", false},
     read_enforce},
    {{"startupCommands", "[]", "[{id, args}]", "run after every load", true},
     read_startup_commands},
    {{"macros", "[]", "[{id, name, run}]", "your macros", true}, read_list},
    {{"extensionServers", "[]", "a list", "asked when a trace is opened", true},
     read_list}, /* spec ui §4d */
    {{"keys", "{}", "{keys: command line}", "your keys", true}, read_keys},
    {{"theme", NULL, "dark, light, mono, color-blind", "colours", false}, read_theme},
    {{"themes", "{}", "{name: {base, colors}}", "themes of your own", true}, read_themes},
    {{"timestampFormat", "\"timecode\"", SESSION_TIME_FORMATS, "times on the screen", false},
     read_timestamp_format},
    {{"timezoneOverride", NULL, "+02:00", "of the time format customTimezone", false},
     read_timezone},
    {{"durationPrecision", "\"full\"", "full, human_readable", "durations on the screen", false},
     read_duration_precision},
    {{"mouse", "true", "true, false", "the mouse is perfetty's", true}, read_mouse},
    {{"clipboard", "true", "true, false", "y copies to the terminal's clipboard", false},
     read_clipboard},
    {{"crosshair", "false", "true, false", "a line at the cursor over all rows", false},
     read_crosshair},
    {{"minimap", "true", "true, false", "the overview below the title", false}, read_minimap},
    {{"restoreSession", "true", "true, false",
      "what you made of a trace is there when it is opened again", true},
     read_restore_session},
    {{"ascii", "\"auto\"", "true, false, auto", "draw with ASCII only", true}, read_ascii},
    {{"color", "\"auto\"", "true, false, auto", "colours at all", true}, read_color},
    {{"queryTimeLimitMs", "0", "milliseconds; 0: none", "longest time of one SQL statement", true},
     read_query_limit},
};
#define N_READERS (sizeof readers / sizeof readers[0])

const struct setting_info *settings_info(size_t i)
{
    return i < N_READERS ? &readers[i].info : NULL;
}

static void notice(struct settings *settings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void notice(struct settings *settings, const char *format, ...)
{
    struct buffer text = BUFFER_INIT;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&text, format, args);
    va_end(args);
    vec_push(&settings->notices, mem_strdup(buffer_text(&text)));
    buffer_free(&text);
}

static bool read_value(struct settings *settings, size_t i, const json_t *value, const char *file,
                       struct status *st)
{
    struct reader r = {.settings = settings, .st = st};
    size_t cut = json_path_key(&r.path, readers[i].info.key);
    bool good = readers[i].read(&r, value);
    if (!good) status_prefix(st, "%s", file);
    json_path_cut(&r.path, cut);
    buffer_free(&r.path);
    return good;
}

static bool is_known(const char *key)
{
    for (size_t i = 0; i < N_READERS; i++)
        if (strcmp(readers[i].info.key, key) == 0) return true;
    return false;
}

static void note_unknown(struct settings *settings, json_t *object, const char *file)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (!is_known(key)) notice(settings, "%s: there is no setting \"%s\"", file, key);
    }
}

const json_t *settings_get(const struct settings *settings, const char *key, const char **file)
{
    const json_t *value = json_object_get(settings->person, key);
    if (file) *file = value ? settings->person_path : settings->state_path;
    return value ? value : json_object_get(settings->state, key);
}

static bool read_all(struct settings *settings, struct status *st)
{
    for (size_t i = 0; i < N_READERS; i++) {
        const char *key = readers[i].info.key, *file;
        const json_t *value = settings_get(settings, key, &file);
        if (value && !read_value(settings, i, value, file, st)) return false;
        const json_t *theirs = json_object_get(settings->person, key);
        const json_t *ours = json_object_get(settings->state, key);
        bool joined = strcmp(key, "macros") == 0; /* both count */
        if (theirs && ours && !joined && !json_equal(theirs, ours))
            notice(settings, "%s: %s is set there and in %s; yours is taken", key,
                   settings->person_path, settings->state_path);
    }
    note_unknown(settings, settings->person, settings->person_path);
    note_unknown(settings, settings->state, settings->state_path);
    return true;
}

struct settings *settings_default(void)
{
    struct settings *settings = mem_zero(1, sizeof *settings);
    settings->enforce_allowlist = true;
    settings->mouse = settings->clipboard = settings->minimap = settings->restore_session = true;
    settings->person = json_object();
    settings->state = json_object();
    return settings;
}

struct settings *settings_load(const char *person_path, const char *state_path, struct status *st)
{
    struct settings *settings = settings_default();
    settings->person_path = person_path
                                ? mem_strdup(person_path)
                                : state_file_path("XDG_CONFIG_HOME", ".config", "settings.json");
    settings->state_path = state_path
                               ? mem_strdup(state_path)
                               : state_file_path("XDG_STATE_HOME", ".local/state", "settings.json");
    json_t *person = load_object(settings->person_path, st);
    json_t *state = person ? load_object(settings->state_path, st) : NULL;
    if (person) {
        json_decref(settings->person);
        settings->person = person;
    }
    if (state) {
        json_decref(settings->state);
        settings->state = state;
    }
    if (person && state && read_all(settings, st)) return settings;
    settings_free(settings);
    return NULL;
}

void settings_free(struct settings *settings)
{
    if (!settings) return;
    invocation_list_free(&settings->startup_commands);
    trust_list_free(&settings->decisions);
    for (size_t i = 0; i < settings->keys.count; i++) {
        mem_free(settings->keys.items[i].keys);
        mem_free(settings->keys.items[i].line);
        mem_free(settings->keys.items[i].place);
    }
    vec_free(&settings->keys);
    for (size_t i = 0; i < settings->notices.count; i++)
        mem_free(settings->notices.items[i]);
    vec_free(&settings->notices);
    mem_free(settings->theme);
    mem_free(settings->timestamp_format);
    mem_free(settings->timezone);
    for (size_t i = 0; i < settings->overrides.count; i++)
        mem_free(settings->overrides.items[i].value);
    vec_free(&settings->overrides);
    mem_free(settings->person_path);
    mem_free(settings->state_path);
    json_decref(settings->person);
    json_decref(settings->state);
    mem_free(settings);
}

void settings_apply(struct settings *settings, struct session *session)
{
    session->settings = settings;
    if (settings->timestamp_format)
        session_time_format_parse(settings->timestamp_format, &session->time_format);
    session->human_durations = settings->human_durations;
    session->crosshair = settings->crosshair;
    session->minimap = settings->minimap;
    for (size_t i = 0; i < settings->notices.count; i++)
        session_say(session, MESSAGE_WARNING, "%s", settings->notices.items[i]);
    session_changed(session);
}

bool settings_refresh(struct settings *settings, struct status *st)
{
    if (!settings->state_path) return true;
    json_t *state = load_object(settings->state_path, st);
    if (!state) return false;
    json_decref(settings->state);
    settings->state = state;
    return true;
}

bool settings_store(struct settings *settings, const char *key, json_t *value, struct status *st)
{
    struct status unread = STATUS_INIT;
    settings_refresh(settings, &unread); /* one that cannot be read is written anew */
    status_clear(&unread);
    json_object_set_new(settings->state, key, value);
    settings->version++;
    bool good = write_state(settings, st);
    const json_t *theirs = json_object_get(settings->person, key);
    if (theirs && strcmp(key, "macros") != 0 && !json_equal(theirs, value)) {
        notice(settings, "%s: %s sets it as well and wins", key, settings->person_path);
        return good;
    }
    for (size_t i = 0; i < N_READERS && good; i++)
        if (strcmp(readers[i].info.key, key) == 0)
            good = read_value(settings, i, value, settings->state_path, st);
    return good;
}

bool settings_forget(struct settings *settings, const char *key, struct status *st)
{
    struct status unread = STATUS_INIT;
    settings_refresh(settings, &unread);
    status_clear(&unread);
    json_object_del(settings->state, key);
    settings->version++;
    if (!write_state(settings, st)) return false;
    if (json_object_get(settings->person, key)) return true;
    for (size_t i = 0; i < N_READERS; i++) {
        if (strcmp(readers[i].info.key, key) != 0 || !readers[i].info.fallback) continue;
        json_t *value = json_strict_load(str_of(readers[i].info.fallback), st);
        bool good = value && read_value(settings, i, value, "default", st);
        json_decref(value);
        return good;
    }
    char **text = strcmp(key, "theme") == 0              ? &settings->theme
                  : strcmp(key, "timezoneOverride") == 0 ? &settings->timezone
                                                         : NULL;
    if (text) mem_free(*text);
    if (text) *text = NULL;
    return true;
}

bool settings_check(const char *key, const json_t *value, struct status *st)
{
    for (size_t i = 0; i < N_READERS; i++) {
        if (strcmp(readers[i].info.key, key) != 0) continue;
        struct settings *scratch = settings_default();
        struct reader r = {.settings = scratch, .st = st};
        json_path_key(&r.path, key);
        bool good = readers[i].read(&r, value);
        buffer_free(&r.path);
        settings_free(scratch);
        return good;
    }
    return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there is no setting %s", key);
}

void settings_override(struct settings *settings, const char *key, const char *value)
{
    vec_push(&settings->overrides, (struct setting_override){key, mem_strdup(value)});
}

const char *settings_overridden(const struct settings *settings, const char *key)
{
    for (size_t i = 0; i < settings->overrides.count; i++)
        if (strcmp(settings->overrides.items[i].key, key) == 0)
            return settings->overrides.items[i].value;
    return NULL;
}

bool settings_store_trace_commands(struct settings *settings, enum trace_commands value,
                                   struct status *st)
{
    static const char *const names[] = {"ask", "always", "never"};
    return settings_store(settings, "traceStartupCommands", json_string(names[value]), st);
}
