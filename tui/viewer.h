/* The viewer: an engine, its workers, a session and its screen, put together.
 *
 * viewer_run is the program full screen in a terminal; viewer_snapshot plays a
 * script of keys without one and writes the last frame out; viewer_run_batch runs
 * commands without one and hands the rows of the query tabs over.
 */
#ifndef TUI_VIEWER_H
#define TUI_VIEWER_H

#include <stdio.h>

#include "engine/base/buffer.h"
#include "engine/engine.h"

struct viewer_options {
    const char *const *operands;
    size_t n_operands;
    const char *sidecar; /* --with; may be NULL */
    const char *compare; /* a second trace, shown below the first; may be NULL */
    enum engine_extensions extensions;
    const char *startup_commands; /* JSON of the command line; may be NULL */
    const char *startup_option;   /* its name for messages, with startup_commands */
    const char *trace_commands;   /* "ask", "always", "never"; NULL: the setting */
    const char *theme;            /* NULL: the setting */
    bool ascii, no_mouse, no_color;
    bool clean; /* --clean: nothing is remembered of this trace, nor will be */
};

/* Returns when the person leaves.  False when the terminal cannot be used, the
 * settings are wrong, or nothing could be loaded. */
bool viewer_run(const struct viewer_options *options, struct status *st);

/* The same for screen readers and pipes: reads commands and keys, a line each, and says
 * in plain lines what they changed.  Nobody is asked anything.  Returns at the end of
 * the input. */
bool viewer_run_plain(const struct viewer_options *options, FILE *in, FILE *out, struct status *st);

enum snapshot_format { SNAPSHOT_TEXT, SNAPSHOT_ANSI, SNAPSHOT_SVG, SNAPSHOT_ROLES };

/* `keys` as in key.h, each played when all is quiet; NULL: none.  The last frame
 * is appended to `out`. */
bool viewer_snapshot(const struct viewer_options *options, int width, int height, const char *keys,
                     enum snapshot_format format, struct buffer *out, struct status *st);

/* The same session for scripts: startup commands as ever (with nobody to ask), then
 * the macro; no key is pressed. */
enum batch_line {
    BATCH_SAID,   /* what a command says it did */
    BATCH_WARNED, /* a loss, a skipped macro … */
    BATCH_FAILED, /* a command or the query of a tab failed, or was blocked */
};

struct viewer_batch {
    const char *macro;  /* its id; NULL: none */
    const char *format; /* of the tables: "csv" or "json" */
    int width, height;  /* cells of the frame */
    void *context;
    void (*say)(void *context, enum batch_line kind, const char *text);
    /* The rows of a query tab, the first being tab 1. */
    bool (*table)(void *context, uint32_t number, const char *title, struct str text,
                  struct status *st);
};

/* `frame` gets the last frame as text.  False when nothing could be run at all; what
 * failed by itself is said. */
bool viewer_run_batch(const struct viewer_options *options, const struct viewer_batch *batch,
                      struct buffer *frame, struct status *st);

#endif
