/* Settings: what the person wrote, and what the program remembers.
 *
 *   $XDG_CONFIG_HOME/perfetty/settings.json   the person's; never written
 *   $XDG_STATE_HOME/perfetty/settings.json    the program's overlay; written to
 *                                             a new file, then renamed
 *
 * Both are one JSON object.  Where both set a key the person's wins, and a
 * notice says so; only "macros" of both count.  A key with a wrong value fails the
 * load: the message names file, JSON path, what was found and what is allowed.  A key
 * nobody knows is a notice.  All keys are in the table of settings.c.
 */
#ifndef COMMANDS_SETTINGS_H
#define COMMANDS_SETTINGS_H

#include "commands/command.h"
#include "commands/trust.h"
#include "engine/extensions/json.h"

enum trace_commands { TRACE_COMMANDS_ASK, TRACE_COMMANDS_ALWAYS, TRACE_COMMANDS_NEVER };

/* {"keys": {"g s": "dev.perfetty.ShowMetadata", "q": null}} */
struct key_setting {
    char *keys;  /* a sequence as the screen's key table writes it */
    char *line;  /* a command line; NULL: unbound */
    char *place; /* "everywhere", "timeline", "details" */
};

struct key_settings VEC_OF(struct key_setting);

/* What the command line sets for this run. */
struct setting_override {
    const char *key; /* constant */
    char *value;     /* as JSON */
};

struct settings {
    enum trace_commands trace_commands;
    bool enforce_allowlist;
    struct invocation_list startup_commands;
    struct trust_list decisions; /* on startup commands of traces */
    struct key_settings keys;
    char *theme;            /* NULL: not set */
    char *timestamp_format; /* NULL: not set; else one of session_time_format_parse */
    char *timezone;         /* "+02:00" for customTimezone; NULL: not set */
    bool human_durations;
    bool mouse, clipboard, crosshair, minimap, restore_session;
    enum { SETTING_AUTO, SETTING_ON, SETTING_OFF } ascii, color;
    int64_t query_limit_ms; /* 0: none */

    uint64_t version; /* goes up with every change */
    VEC(struct setting_override) overrides;

    char *person_path, *state_path; /* NULL: nowhere */
    json_t *person, *state;         /* never NULL */
    VEC(char *) notices;
};

/* NULL paths: from the environment.  NULL on an authored mistake. */
struct settings *settings_load(const char *person_path, const char *state_path, struct status *st);
void settings_free(struct settings *settings);
/* As if both files were missing. */
struct settings *settings_default(void);
/* What is set about how things are shown; the notices become messages.  The
 * session keeps a pointer to the settings. */
void settings_apply(struct settings *settings, struct session *session);

/* What a key is set to, the person's first; *file (may be NULL) is where.  NULL
 * when neither sets it. */
const json_t *settings_get(const struct settings *settings, const char *key, const char **file);

/* Sets a key of the overlay and writes it (0600, the folder 0700).  The value is
 * taken over.  When the person's file sets the key as well, a notice says that
 * it wins. */
bool settings_store(struct settings *settings, const char *key, json_t *value, struct status *st);
/* Reads the overlay again, for who changes a part of a key: another perfetty may
 * have written it. */
bool settings_refresh(struct settings *settings, struct status *st);
/* Takes a key of the overlay back. */
bool settings_forget(struct settings *settings, const char *key, struct status *st);
/* False and why when the key is none, or would not take the value. */
bool settings_check(const char *key, const json_t *value, struct status *st);
void settings_override(struct settings *settings, const char *key, const char *value);
/* What the command line says of a key; NULL: nothing. */
const char *settings_overridden(const struct settings *settings, const char *key);

/* Every key there is, for people; NULL past the end. */
struct setting_info {
    const char *key;
    const char *fallback; /* the default as JSON; NULL: not set */
    const char *allowed, *doc;
    bool at_start; /* a change holds from the next start on */
};
const struct setting_info *settings_info(size_t i);
/* JSON, or else the text itself as a string; the caller's. */
json_t *setting_value_parse(const char *text);
bool settings_store_trace_commands(struct settings *settings, enum trace_commands value,
                                   struct status *st);

#endif
