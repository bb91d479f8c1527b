/* The screen of one session: draws it, and turns keys and mouse into commands.
 *
 * It knows no terminal: run.c feeds it events and shows its canvas, snapshot.c
 * feeds it a script and writes the canvas out.  All state that matters is in the
 * session; what is here is where things are on the screen and which overlay
 * (prompt, palette, dialog) has the keys.
 */
#ifndef TUI_APP_H
#define TUI_APP_H

#include "commands/session.h"
#include "tui/canvas.h"
#include "tui/key.h"
#include "tui/line_edit.h"
#include "tui/theme.h"
#include "tui/track_data.h"

struct app;
struct compare_load;
struct details;
struct keymap;
struct overlay;
struct server_host;

/* Where the parts of the screen are; computed anew for each frame. */
struct layout {
    struct rect title, overview, ruler;
    struct rect pinned;   /* rows of pinned tracks; h 0 when there are none */
    int separator_y;      /* line between pinned and tree; -1 without */
    struct rect tree;     /* rows of the track tree */
    int names_w;          /* width of the name column, its line excluded */
    int time_x, time_w;   /* columns of the time axis */
    struct rect tabs;     /* the line of tab names; h 0 when the drawer is closed */
    struct rect drawer;   /* what the shown tab draws into */
    bool drawer_is_right; /* beside the timeline instead of below */
    struct rect hints;    /* last line */
};

struct app_hooks {
    void *context;
    /* Shows what is due, waits for one event and feeds it to the app: what a
     * modal dialog, or a command that waits for rows, turns on.  False when there
     * will be no more (hang-up, the end of a script). */
    bool (*next_event)(void *context, struct app *app);
    void (*copy)(void *context, struct str text);
    void (*suspend)(void *context);
    /* Gives the terminal to the person's editor until it ends.  NULL: there is none. */
    bool (*edit)(void *context, const char *path, struct status *st);
};

#define APP_EARLY_KEYS 256

struct app {
    struct session *session;
    struct settings *settings;    /* borrowed; may be NULL */
    struct server_host *servers;  /* borrowed; may be NULL */
    struct compare_load *compare; /* borrowed; may be NULL */
    struct canvas *canvas;        /* owned */
    const struct theme *theme;
    struct keymap *keymap;         /* owned */
    struct track_data_cache *data; /* owned */
    struct overlay *overlay;       /* topmost, owned; NULL: none */
    struct app_hooks hooks;
    struct layout layout;

    struct key pending[4]; /* keys of an unfinished sequence */
    uint32_t n_pending;
    uint32_t count;               /* typed before a key; 0: none */
    int64_t tree_top, pinned_top; /* first line shown */
    int64_t drawer_top;
    uint64_t messages_seen, drawn_changes;
    struct details *details; /* owned */
    struct edit_history command_history, sql_history, search_history;
    const char *load_text; /* while the trace is loading; else NULL */
    bool quit;
    bool reload;      /* with quit: the same trace is loaded again */
    char *next_trace; /* with reload: another one instead; owned */
    bool can_open;    /* whoever runs this can open another trace */
    bool can_reload;  /* whoever runs this can do so */
    bool waiting;     /* a command waits for rows: Esc stops it, other keys come after it */
    struct key early[APP_EARLY_KEYS]; /* typed while one waited, in order */
    uint32_t n_early;
    bool asking; /* a dialog has not answered its caller yet: no id changes hands */
    bool needs_draw;
    bool focus_follows; /* scroll so that the focus is seen */
    struct {
        float *share; /* busy share of each cell; owned */
        int cells;
        int64_t start, end; /* the time that they share */
        bool complete;
    } overview;
    int drag_from_x; /* mouse drag in the timeline; -1: none */
    int64_t drag_from_ts;
};

struct app_options {
    struct session *session;
    struct settings *settings;
    struct worker *pyramid_worker; /* NULL: built on this thread */
    const struct theme *theme;
    struct app_hooks hooks;
    bool ascii;
};

struct app *app_new(const struct app_options *options, int width, int height,
                    struct status *st); /* fails on wrong key bindings */
void app_free(struct app *app);

void app_resize(struct app *app, int width, int height);
void app_key(struct app *app, struct key key);
/* Plays what was typed while a command waited; once it has ended. */
void app_play_early_keys(struct app *app);
/* One character of a paste: typed where text is typed, never a key. */
void app_paste(struct app *app, struct key character);
void app_mouse(struct app *app, const struct mouse *mouse);
/* Macros came or went: their keys. */
void app_bind_keys(struct app *app);
/* Results of workers: call it when one notified. */
void app_poll(struct app *app);
/* Takes in what servers answered: each turn, for the wake that told of it may have come
 * during a load or behind a dialog. */
void app_poll_servers(struct app *app);
/* Turns events until the job is done; the session's `wait` hook. */
void app_wait(struct app *app, struct job *job);
/* The tree was rebuilt, or another trace came: what was prepared is stale. */
void app_forget_tracks(struct app *app);
/* Draws into app->canvas. */
void app_draw(struct app *app);
/* Nothing runs and nothing is left to be drawn. */
bool app_is_quiet(const struct app *app);

/* Runs a command line ("dev.perfetto.PinTracksByRegex Frame.*") as the person's;
 * a failure becomes a message. */
void app_run_line(struct app *app, const char *line);
bool app_run(struct app *app, const char *id, const char *const *args, uint32_t n_args);

/* Time and columns.  A column is the cell that holds [time_of_x(x), time_of_x(x+1)). */
int64_t app_time_of_x(const struct app *app, int x);
/* May lie outside the time axis. */
int app_x_of_time(const struct app *app, int64_t ts);

/* Lines that a row of the timeline takes. */
uint32_t app_row_lines(const struct track_node *node);

#endif
