/* Turns what a person does into a macro.
 *
 *     recorder = recorder_new(settings);
 *     recorder_register(recorder, session);   commands dev.perfetty.*Recording
 *
 * While it is on, commands of the person become steps in their order.  Where one
 * depends on the screen or on where the cursor was, the step says what it came to:
 * pins by name, folds by track, notes by time.  Moving about, selecting, notes and
 * marks are not steps: where they led (window, cursor, focus, selection, search,
 * drawer) is written when something depends on it, and at the end.  Left out are
 * questions of the screen, moving inside a table or a flamegraph, the clipboard, and
 * leaving.
 *
 * The macro is kept in the settings' overlay, or written as a sidecar; it is
 * registered at once.  Belongs to the main thread.
 */
#ifndef MACROS_RECORDER_H
#define MACROS_RECORDER_H

#include "commands/settings.h"
#include "macros/macro.h"

struct recorder;

struct recorder *recorder_new(struct settings *settings); /* borrowed */
void recorder_free(struct recorder *recorder);            /* after its session; NULL is fine */
void recorder_register(struct recorder *recorder, struct session *session);

void recorder_start(struct recorder *recorder, struct session *session);
/* False when it is not on, or nothing was done. */
bool recorder_stop(struct recorder *recorder, struct session *session, struct status *st);
bool recorder_is_on(const struct recorder *recorder);
/* What was recorded last; borrowed until the next start. */
size_t recorder_count(const struct recorder *recorder);
const struct invocation *recorder_step(const struct recorder *recorder, size_t i);

/* recorder_save.c: gives what was recorded an id ("my.FramesOfShop"), registers it and
 * keeps it.  `key` may be "" (none), `path` "" (the settings); at a path there must not
 * be a file yet. */
bool recorder_save(struct recorder *recorder, struct session *session, const char *name,
                   const char *key, const char *path, struct status *st);

#endif
