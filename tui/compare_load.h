/* Reads the second trace of a comparison while the first is looked at, and owns its
 * engine and worker until the session lets go of it (commands/compare.h).
 *
 * All calls are of the main thread; the load runs on the second trace's worker.
 */
#ifndef TUI_COMPARE_LOAD_H
#define TUI_COMPARE_LOAD_H

#include "engine/engine.h"
#include "tui/app.h"

struct compare_load;

struct compare_load_options {
    enum engine_extensions extensions;
    void (*notify)(void *context); /* called on a worker's thread */
    void *context;
};

struct compare_load *compare_load_new(struct app *app, const struct compare_load_options *options);
/* After the session, whose tabs may hold jobs of its worker. */
void compare_load_free(struct compare_load *load);

/* Begins to read; what is there stays until it is done.  A load that runs is stopped. */
void compare_load_start(struct compare_load *load, const char *path);
/* What was read so far is shown. */
void compare_load_stop(struct compare_load *load);
/* Puts the trace into the session when it is read; nothing while a command waits or a
 * dialog is open. */
void compare_load_poll(struct compare_load *load);
/* The same, waiting.  False and why when it cannot be read. */
bool compare_load_wait(struct compare_load *load, struct status *st);
/* The session has taken the second trace out. */
void compare_load_drop(struct compare_load *load);

/* "reading other.pb 43 %"; false when nothing is being read. */
bool compare_load_write(struct compare_load *load, struct buffer *out);

#endif
