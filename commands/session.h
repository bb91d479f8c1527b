/* Everything one window shows: traces, workspaces, view, selection, tabs, notes.
 *
 * Commands change it, the screen draws it; it never touches the screen.  It
 * belongs to the main thread.  Read fields freely; change them through functions
 * or commands, which bump `changes` (the screen redraws when it moved).
 *
 * Times are ns of session time: the first trace's trace time.  Another trace's
 * times are shifted by its offset_ns.  SQL runs on the trace's worker: a command
 * that needs the rows waits through the hook `wait`, in which the screen pumps
 * its event loop; a query tab does not wait.
 */
#ifndef COMMANDS_SESSION_H
#define COMMANDS_SESSION_H

#include "commands/command.h"
#include "commands/debug_track.h"
#include "commands/note.h"
#include "commands/query_log.h"
#include "commands/report.h"
#include "commands/search.h"
#include "commands/selection.h"
#include "commands/tab.h"
#include "commands/workspace.h"
#include "engine/worker.h"

struct debug_row;
struct flame_view;
struct heap_view;
struct registry;
struct settings;

#define SESSION_MAX_TRACES 2
#define SESSION_MIN_WINDOW 10 /* ns */

struct session_trace {
    struct engine *engine; /* borrowed; NULL in tests that fill tables by hand */
    struct tables *tables; /* borrowed */
    struct worker *worker; /* borrowed; NULL: SQL runs on this thread */
    char *title;
    int64_t start, end; /* of its own trace time */
    int64_t offset_ns;  /* session time = trace time + offset_ns */
};

enum session_time_format {
    TIME_FORMAT_TIMECODE,
    TIME_FORMAT_TRACE_NS,
    TIME_FORMAT_TRACE_NS_LOCALE,
    TIME_FORMAT_SECONDS,
    TIME_FORMAT_MILLISECONDS,
    TIME_FORMAT_MICROSECONDS,
    TIME_FORMAT_UTC,
    TIME_FORMAT_TRACE_TZ,
    TIME_FORMAT_CUSTOM_TZ,
    TIME_FORMAT_COUNT,
};

/* "timecode", "traceNs" … as settings and commands name them. */
bool session_time_format_parse(const char *name, enum session_time_format *out);

#define SESSION_TIME_FORMATS \
    "timecode|traceNs|traceNsLocale|seconds|milliseconds|microseconds|utc|traceTz|customTimezone"

enum session_pane { PANE_TIMELINE, PANE_DETAILS };
enum session_drawer { DRAWER_CLOSED, DRAWER_SMALL, DRAWER_HALF, DRAWER_FULL };

/* What only the screen (or the program around it) can do.  It takes requests
 * out in order with session_take_request. */
enum request_kind {
    REQUEST_NONE,
    REQUEST_PALETTE,
    REQUEST_PROMPT, /* the command prompt; text: what it begins with */
    REQUEST_SQL_PROMPT,
    REQUEST_SEARCH_PROMPT,
    REQUEST_FIND_TRACK,
    REQUEST_PIN_TRACK,
    REQUEST_MACRO_MENU,
    REQUEST_HELP,
    REQUEST_EXPORT,     /* text: a path, or "" to ask */
    REQUEST_COPY,       /* text: what goes to the clipboard */
    REQUEST_OPEN_TRACE, /* text: a path, or "" to ask */
    REQUEST_CLOSE_TRACE,
    REQUEST_COMPARE,        /* text: the path of a second trace, or "" to ask */
    REQUEST_CLOSE_COMPARED, /* it is out of the session */
    REQUEST_SUSPEND,
    REQUEST_QUIT,
    REQUEST_REDRAW,
    REQUEST_INTERRUPT,           /* stop running work */
    REQUEST_RUN_FOCUSED_DETAIL,  /* Enter on a row of the details: follow it */
    REQUEST_THEME,               /* text: a name, or "" for the next */
    REQUEST_SERVERS,             /* the list of extension servers */
    REQUEST_ADD_SERVER,          /* text: an address or a share string, or "" */
    REQUEST_TRACE_SERVER,        /* the one that the trace names: add, or edit */
    REQUEST_EDIT_SERVER,         /* text: its name or address */
    REQUEST_RELOAD,              /* loads the same trace again */
    REQUEST_FOLD_DETAIL,         /* text: "all", or "" for the line in focus */
    REQUEST_FLAME_FILTER,        /* asks for the argument of FlamegraphFilter */
    REQUEST_FLAME_HIGHLIGHT,     /* of FlamegraphHighlight */
    REQUEST_TABLE_FILTER,        /* of FilterTable */
    REQUEST_TABLE_FILTER_COLUMN, /* of FilterTableColumn; text: the column */
    REQUEST_ASK_SETTING,         /* of SetSetting; text: the key */
    REQUEST_STORE_SETTING,       /* text: key, a blank, the value */
    REQUEST_EDIT_SQL,            /* $EDITOR, then the query runs; text: what it begins with */
    REQUEST_RECORDING_NAME,      /* asks what the recorded macro is called … */
    REQUEST_RECORDING_KEY,       /* … which key runs it … */
    REQUEST_RECORDING_FILE,      /* … and where it goes */
    REQUEST_BIND_KEYS,           /* macros with keys came or went */
};

struct session_request {
    enum request_kind kind;
    char *text; /* owned; may be NULL */
};

enum message_kind { MESSAGE_INFO, MESSAGE_WARNING, MESSAGE_ERROR };

struct session_message {
    enum message_kind kind;
    char *text;    /* may hold bytes of the trace: escape when drawing; SQL errors have
                      several lines */
    int64_t at_ns; /* clock_now_ns */
};

/* A place to go back to. */
struct session_jump {
    struct selection selection;
    int64_t start, end, cursor;
    char *focus_uri;
};

/* A step of a trace's or a server's macro wants out of the program. */
struct reach_question {
    const char *macro_id, *macro_name, *origin;
    const struct command *command;
    const char *const *args;
    uint32_t n_args;
};

struct session_hooks {
    void *context;
    /* Returns when the job is done.  NULL: job_wait. */
    void (*wait)(void *context, struct session *session, struct job *job);
    /* NULL: the step is refused. */
    bool (*may_reach)(void *context, const struct reach_question *question);
};

/* Told of what a person does: before and after each command of theirs, those of a
 * macro and of startup left out.  `entry` is good during the call. */
struct registry_entry;
struct session_observer {
    void *context;
    void (*before)(void *context, struct session *session, const struct registry_entry *entry,
                   const char *const *args, uint32_t n_args);
    void (*after)(void *context, struct session *session, const struct registry_entry *entry,
                  const char *const *args, uint32_t n_args, bool done);
};

struct session {
    uint64_t changes;          /* goes up with every change that can be seen */
    struct registry *registry; /* owned */
    struct settings *settings; /* borrowed; may be NULL */
    struct session_hooks hooks;
    const struct session_observer *observer; /* borrowed; NULL: nobody */
    bool is_recorded;                        /* the screen says so */

    struct session_trace traces[SESSION_MAX_TRACES];
    uint32_t n_traces;
    int64_t start, end; /* of all traces, session time */

    struct workspace_list workspaces; /* the first is the default one */
    struct workspace *workspace;
    VEC(struct debug_track *) debug_tracks; /* owned */
    uint32_t debug_count;                   /* numbers given out */
    struct debug_row *debug_row;            /* owned; NULL until one is wanted (debug_row.h) */

    int64_t window_start, window_end; /* visible: [start, end) */
    int64_t cursor;
    uint32_t cells;           /* width of the timeline; the screen sets it, 80 until then */
    uint32_t rows_visible;    /* rows of a page; the screen sets it */
    struct track_node *focus; /* row under the cursor; NULL: none */
    bool focus_pinned;
    uint32_t focus_depth; /* within the row's track */
    bool area_open;       /* an area selection follows the cursor */
    int64_t area_anchor;
    bool area_all_tracks;
    uint32_t area_anchor_row;

    struct selection selection;
    int64_t focused_start, focused_end; /* the window that FocusSelection made */
    uint32_t focused_flow;              /* which one, when several leave the selected slice */
    VEC(struct session_jump) jumps;
    uint32_t jump_at; /* index behind the current place */

    struct tab_list tabs; /* the first is the selection's */
    uint32_t tab_shown;   /* id */
    uint32_t tab_next_id;
    struct note_list notes;
    uint32_t note_next_id;
    struct mark marks[MARK_COUNT];
    int last_mark; /* set or visited last: distances are from it; -1 none */
    struct search search;
    struct flame_view *flame; /* owned; NULL until one is opened (flame_view.h) */
    struct heap_view *heap;   /* owned; NULL until a Java heap is looked at (heap_page.c) */
    struct report startup_report;
    struct query_log query_log;

    VEC(struct session_message) messages; /* the newest last; at most 500 */
    VEC(struct session_request) requests;
    uint64_t messages_total; /* ever: a new one makes it go up */

    enum session_time_format time_format;
    bool human_durations; /* four digits, else full */
    bool crosshair, minimap, sidebar;
    enum session_drawer drawer;
    enum session_pane pane;
    uint32_t name_cells; /* width of the name column; 0: automatic */

    struct query_job *waiting; /* a command waits for it */
    struct job *waiting_job;   /* the same, of any kind */
    bool interrupted;          /* the person stopped work; a macro ends */
    bool loads_second;         /* the program reads a trace to compare with */

    struct {
        struct session_row *rows;
        uint32_t count, capacity;
        uint32_t focus; /* where the focus was last; a hint */
        bool valid;     /* until session_changed */
    } row_cache;
};

struct session *session_new(const struct session_hooks *hooks); /* hooks may be NULL */
void session_free(struct session *session);

/* Opens a trace in this window and builds its tracks; engine (and worker) stay
 * the caller's and must outlive the session.  The last form is for tests. */
void session_add_trace(struct session *session, struct engine *engine, struct worker *worker,
                       const char *title);
void session_add_tables(struct session *session, struct tables *tables, int64_t start, int64_t end,
                        const char *title);
/* After more was loaded: builds the default workspace again; folds, pins, focus
 * and selection are kept by uri. */
void session_rebuild(struct session *session);
/* Takes results of finished jobs in; call it when the worker notified. */
void session_poll(struct session *session);
/* Asks everything that runs to stop. */
void session_interrupt(struct session *session);
bool session_is_busy(const struct session *session);

void session_changed(struct session *session);
/* Only the cursor, the window or the focus moved: the rows are as they were. */
void session_moved(struct session *session);
void session_say(struct session *session, enum message_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void session_ask(struct session *session, enum request_kind kind, const char *text);
/* False when there is none; the text is the caller's. */
bool session_take_request(struct session *session, struct session_request *out);

/* Runs SQL on the worker and waits; what commands use.  `max_rows` 0: none kept. */
struct result *session_query(struct session *session, uint8_t trace, enum engine_origin origin,
                             const char *sql, uint64_t max_rows, struct status *st);

/* The view.  All clip to the trace with a gutter. */
void session_set_window(struct session *session, int64_t start, int64_t end);
void session_set_cursor(struct session *session, int64_t ts); /* scrolls the window with it */
void session_set_size(struct session *session, uint32_t cells, uint32_t rows);
void session_zoom(struct session *session, double factor, int64_t about);
void session_pan(struct session *session, double windows);
/* Moves the focus to a row of session_rows (clipped). */
void session_focus_row(struct session *session, int64_t row);
/* -1 when nothing has the focus. */
int64_t session_focus_index(struct session *session);
/* Shows a track: unfolds its groups and puts the focus there. */
bool session_focus_track(struct session *session, const char *uri);
void session_jump_push(struct session *session); /* before going somewhere else */
bool session_jump_go(struct session *session, int step);

struct tables *session_tables(const struct session *session, uint8_t trace);
/* What relative times count from: the start of the first trace, wherever the other
 * one was moved to. */
int64_t session_zero(const struct session *session);

#endif
