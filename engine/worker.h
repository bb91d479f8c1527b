/* A thread of an engine that does one job after the other.
 *
 * Jobs run in the order of posting.  A job is done when its `run` has returned;
 * the poster polls job_is_done, waits with job_wait, or is told through the
 * worker's `notify` (called on the worker's thread after each job and each
 * progress: it should only wake the main loop, as by writing to a pipe).
 */
#ifndef ENGINE_WORKER_H
#define ENGINE_WORKER_H

#include "engine/base/thread.h"

struct worker;
struct job;

struct worker *worker_new(void (*notify)(void *context), void *context);
/* Asks the running job to stop, drops those that wait, joins. */
void worker_free(struct worker *worker);

/* `run` gets its argument and the job's cancel flag.  `dispose` (may be NULL)
 * frees the argument when the job is freed. */
struct job *worker_post(struct worker *worker, void (*run)(void *argument, struct cancel *cancel),
                        void *argument, void (*dispose)(void *argument));
bool job_is_done(const struct job *job);
void job_wait(struct job *job);
/* A job that has not begun is done at once, without having run. */
void job_cancel(struct job *job);
/* The poster's reference; frees the job when it is done as well. */
void job_release(struct job *job);
/* One more holder, who releases it as well: for who waits while others may let go. */
void job_hold(struct job *job);

bool worker_is_idle(const struct worker *worker);
void worker_notify(struct worker *worker);

#endif
