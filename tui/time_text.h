/* Times and durations as people read them (spec ui §9): ns everywhere else. */
#ifndef TUI_TIME_TEXT_H
#define TUI_TIME_TEXT_H

#include "commands/session.h"

/* A moment of session time in the session's format. */
void time_write(const struct session *session, int64_t ts, struct buffer *out);
/* Relative to the trace's start with a sign, as ticks and details show it:
 * "+4.2093 s"; `step_ns` says how fine it must be (0: 4 digits after the unit). */
void time_write_tick(const struct session *session, int64_t ts, int64_t step_ns,
                     struct buffer *out);
/* "16.9 ms": at most four digits and a unit. */
void duration_write(int64_t ns, struct buffer *out);
/* "1s 2ms 3us 4ns": everything. */
void duration_write_full(int64_t ns, struct buffer *out);
/* A number with at most four significant digits and K, M, G: "1.234 M". */
void number_write(double value, const char *unit, struct buffer *out);

#endif
