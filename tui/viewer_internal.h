/* What viewer.c, run.c and snapshot.c share. */
#ifndef TUI_VIEWER_INTERNAL_H
#define TUI_VIEWER_INTERNAL_H

#include "commands/settings.h"
#include "engine/base/sha256.h"
#include "tui/app.h"
#include "tui/load_screen.h"
#include "tui/theme_own.h"
#include "tui/viewer.h"

struct recorder;
struct server_host;
struct session_state;

struct viewer {
    const struct viewer_options *options;
    struct settings *settings;
    struct server_host *servers;
    struct recorder *recorder;
    struct theme_own own_theme;  /* when it is one of the settings */
    struct session_state *state; /* NULL until there is a trace, and without a person */
    struct engine *engine;
    struct worker *sql, *pyramids;
    struct session *session;
    struct app *app;
    struct compare_load *compare;
    struct load_state load;
    struct job *load_job;
    struct status load_status;
    bool load_began; /* the load job had its turn */
    bool loaded;     /* false until the load job is done and its trace in the session */
    bool has_person;
    char *title;
    char content[SHA256_HEX]; /* what is loaded; "": without a person, or not to be known */
    struct invocation_list command_line; /* startup commands of it */
    struct buffer load_text;
};

/* Settings, engine, workers, session and an app of that size.  `notify` is called
 * on worker threads. */
bool viewer_open(struct viewer *viewer, const struct viewer_options *options,
                 const struct app_hooks *hooks, void (*notify)(void *context), void *context,
                 int width, int height, struct status *st);
void viewer_close(struct viewer *viewer);
void viewer_start_load(struct viewer *viewer);
/* When the load job is done: the trace goes into the session, macros are
 * registered, startup commands asked for and run.  False when the load failed. */
bool viewer_finish_load(struct viewer *viewer, struct status *st);

#endif
