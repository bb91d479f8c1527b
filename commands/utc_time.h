/* Wall-clock times as commands take them, and what they are in a trace. */
#ifndef COMMANDS_UTC_TIME_H
#define COMMANDS_UTC_TIME_H

#include "engine/base/status.h"
#include "engine/base/str.h"

struct session;

/* "2026-02-21T21:57:28.774386001Z" (a blank for T; seconds, their fraction and the
 * zone may be missing: UTC then; +HH:MM is a zone too), or milliseconds since
 * 1970, with a fraction if need be.  To the nanosecond. */
bool utc_parse(struct str text, int64_t *unix_ns, struct status *st);

/* By the last REALTIME snapshot at or before it, else the first.  False when the
 * trace has none. */
bool session_time_of_utc(const struct session *session, int64_t unix_ns, int64_t *ts,
                         struct status *st);

#endif
