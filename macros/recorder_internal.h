/* What the files of the recorder share. */
#ifndef MACROS_RECORDER_INTERNAL_H
#define MACROS_RECORDER_INTERNAL_H

#include "engine/base/map.h"
#include "macros/recorder.h"

/* Where a session is.  A field that is not known is as no session has it. */
struct place {
    struct selection selection;
    char *focus_uri; /* NULL: not known */
    bool focus_pinned;
    uint32_t focus_depth;
    int64_t window_start, window_end, cursor;
    char *search; /* NULL: none */
};

struct recorded_step {
    struct invocation run;
    uint32_t tab; /* id of the tab that it opened; 0: none */
};

/* How the details are shown. */
struct details_state {
    enum session_drawer drawer;
    enum session_pane pane;
    uint32_t tab_shown;
};

struct recorder {
    struct settings *settings;
    struct session_observer observer;
    bool on;
    VEC(struct recorded_step) steps;
    struct place placed;          /* where the steps lead, as far as it is known */
    struct place before;          /* before the command that runs */
    struct strmap folds;          /* uri → bits: folds of the workspace as the steps leave them */
    uint32_t note_next;           /* notes from this id on are not in the steps yet */
    int64_t marks[MARK_COUNT];    /* of what is in the steps; INT64_MIN: not set */
    struct details_state details; /* as seen last */
    bool details_touched;
    uint32_t tab_next, tabs_before; /* before the command: next id; number of the shown tab */
    uint32_t shown_before;
    char *target; /* a track by name, before the command that is about it */
    bool target_pinned;
    int64_t note_removed; /* when the note begins that a command may remove; INT64_MIN: none */
    char *name, *key;     /* while the person is asked */
};

/* recorder_ways.c */
enum way {
    WAY_STEP,      /* as it is */
    WAY_NONE,      /* a question, or nothing that a macro should do */
    WAY_GOES,      /* where it led is written later */
    WAY_HERE,      /* depends on where one is: that first */
    WAY_FOLDS,     /* folds by pattern */
    WAY_FOLD_HERE, /* folds the track in focus */
    WAY_PIN,       /* pins, or unpins, one track */
    WAY_FOCUS,     /* is about the row in focus */
    WAY_WORKSPACE, /* switches */
    WAY_MARK,      /* sets a mark, maybe where it was */
    WAY_UNNOTE,    /* removes the selected note */
    WAY_FRAME,     /* filters by the flamegraph's frame at the cursor */
    WAY_CLOSE_TAB,
    WAY_NAME_TAB,
};
enum way recorder_way(const struct registry_entry *entry, uint32_t n_args);

/* recorder.c */
void recorder_add(struct recorder *recorder, const char *id, const char *const *args,
                  uint32_t n_args);
#define recorder_say(recorder, id, ...) \
    recorder_add(recorder, id, (const char *const[]){__VA_ARGS__}, \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* recorder_place.c: places by name, and the steps that lead there */
void place_take(struct place *place, const struct session *session);
void place_dispose(struct place *place);
/* After the step of a command was written. */
void recorder_take_changes(struct recorder *recorder, const struct session *session,
                           bool may_move_focus);
/* "main 4213", a path, or a uri: what session_find_track finds it by.  Owned. */
char *recorder_track_name(struct session *session, const char *uri);
void recorder_write_focus(struct recorder *recorder, struct session *session);
void recorder_write_place(struct recorder *recorder, struct session *session);
void recorder_take_folds(struct recorder *recorder, const struct session *session);
/* A step that is yet to be written shows a track, or an event of it, and unfolds it. */
void recorder_unfold(struct recorder *recorder, const struct session *session, const char *uri,
                     bool event);
void recorder_write_folds(struct recorder *recorder, struct session *session);

/* recorder_save.c */
char *recorder_escape(const char *text); /* for a regex; owned */

/* recorder_commands.c */
void recorder_commands_register(struct recorder *recorder, struct session *session);

#endif
