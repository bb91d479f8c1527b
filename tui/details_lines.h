/* How the lines of details are made: what the files details_*.c share, a file for
 * each kind of event.  `to` is the left or the right column of `d`; texts are
 * copied.  Times are session time unless a name says otherwise. */
#ifndef TUI_DETAILS_LINES_H
#define TUI_DETAILS_LINES_H

#include "commands/event.h"
#include "tui/details.h"

/* The line lasts until the next one is added to the column. */
struct detail_line *details_add(struct details *d, struct detail_lines *to, const char *label,
                                struct str value);
void details_add_heading(struct details *d, struct detail_lines *to, struct str text);
struct detail_line *details_add_duration(struct details *d, struct detail_lines *to,
                                         const char *label, int64_t ns);
void details_add_time(struct details *d, struct session *s, struct detail_lines *to,
                      const char *label, int64_t ts);
void details_add_number(struct details *d, struct detail_lines *to, const char *label, double value,
                        const char *unit);
void details_add_thread(struct details *d, const struct tables *t, struct detail_lines *to,
                        const char *label, uint32_t utid);
/* Leads to the slice; its distance from `reference` (trace time) behind its name. */
struct detail_line *details_add_slice(struct details *d, const struct tables *t,
                                      struct detail_lines *to, const char *label, uint32_t slice,
                                      int64_t reference);
void details_add_args(struct details *d, const struct tables *t, struct detail_lines *to,
                      uint32_t set);

void details_of_slice(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event);
void details_of_sched(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event);
void details_of_state(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event);
void details_of_counter(struct details *d, struct session *s, const struct tables *t,
                        const struct event *event);
void details_of_sample(struct details *d, struct session *s, const struct tables *t,
                       const struct event *event);
void details_of_plain(struct details *d, struct session *s, const struct event *event);

#endif
