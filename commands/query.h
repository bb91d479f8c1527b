/* SQL of commands and tabs as jobs of an engine's worker.  The parts of a session
 * that only files of this room touch are declared here as well. */
#ifndef COMMANDS_QUERY_H
#define COMMANDS_QUERY_H

#include "commands/session.h"

struct query_job;

/* Starts `sql`; without a worker it has run when this returns. */
struct query_job *query_job_start(const struct session_trace *trace, enum engine_origin origin,
                                  const char *sql, uint64_t max_rows);
bool query_job_is_done(const struct query_job *job);
void query_job_cancel(struct query_job *job);
/* The result of a job that is done (owned by the caller), or NULL and why. */
struct result *query_job_take(struct query_job *job, struct status *st);
/* Waits when the job is running; NULL is fine. */
enum engine_origin query_job_origin(const struct query_job *job);
void query_job_free(struct query_job *job);
struct job *query_job_handle(struct query_job *job);

void tab_poll(struct session *session, struct tab *tab);
void search_poll(struct session *session);
void search_cancel(struct search *search);
void search_dispose(struct search *search);
void debug_track_free(struct debug_track *track);
/* When the row in focus is folded away (or gone): the group that hides it. */
void session_fix_focus(struct session *session);
/* Waits for a job through the session's hook. */
void session_wait(struct session *session, struct job *job);

#endif
