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
/* "label  name tid, process pid". */
struct detail_line *details_add_thread(struct details *d, const struct tables *t,
                                       struct detail_lines *to, const char *label, uint32_t utid);
/* "uid  10123, com.example.shop 42": user, package and its version, as far as known. */
void details_add_user(struct details *d, const struct tables *t, struct detail_lines *to,
                      uint32_t upid);
/* Leads to the slice; its thread when it is another than `utid`, and its distance from
 * `reference` (trace time) behind its name, or as the label when that is NULL. */
struct detail_line *details_add_slice(struct details *d, const struct tables *t,
                                      struct detail_lines *to, const char *label, uint32_t slice,
                                      uint32_t utid, int64_t reference);
/* Leads to a row of another table. */
struct detail_line *details_add_link(struct details *d, struct detail_lines *to, const char *label,
                                     struct str value, enum event_table table, uint32_t id);

/* Links to the events before and after on its track, under a heading. */
void details_add_neighbours(struct details *d, struct session *s, const struct event *event,
                            struct str heading);

/* A group: its line, and whether the lines below it are wanted.  Groups of at most
 * DETAILS_SMALL_GROUP lines begin open.  `name` is what a fold is remembered by. */
#define DETAILS_SMALL_GROUP 3u
#define DETAILS_MAX_GROUP   200u /* lines of one group */
bool details_begin_group(struct details *d, struct detail_lines *to, const char *name,
                         const char *label, struct str value, uint32_t n_lines);
/* The same with a heading, which begins open. */
bool details_begin_section(struct details *d, struct detail_lines *to, const char *name,
                           struct str heading);
/* "and 12 more" when a group has more than it shows. */
void details_end_group(struct details *d, struct detail_lines *to, uint32_t n_lines);
bool details_is_open(const struct details *d, const char *name, bool begins_open);

/* Enter on an argument lists the rows of `table` (as SQL knows it; NULL: none) that
 * have the same. */
void details_add_args(struct details *d, const struct tables *t, struct detail_lines *to,
                      uint32_t set, const char *table);
/* The argument of a set by its flat key or key, as text; false when there is none. */
bool details_arg(const struct tables *t, uint32_t set, const char *key, struct buffer *out);
/* When the slice is one of a frame timeline. */
void details_add_frame(struct details *d, const struct tables *t, const struct event *event);

/* "Running", "Uninterruptible sleep (IO)"; `row` of thread_state. */
struct str details_state_name(const struct tables *t, uint32_t row);
/* The state of a thread that holds at `ts` (trace time); NULL_UINT32. */
uint32_t details_state_at(const struct tables *t, uint32_t utid, int64_t ts);

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
void details_of_log(struct details *d, struct session *s, const struct tables *t,
                    const struct event *event);
void details_of_ftrace(struct details *d, struct session *s, const struct tables *t,
                       const struct event *event);
void details_of_debug(struct details *d, struct session *s, const struct tables *t,
                      const struct event *event);
void details_of_heap(struct details *d, struct session *s, const struct tables *t,
                     const struct event *event);
void details_of_heap_graph(struct details *d, struct session *s, const struct tables *t,
                           const struct event *event);
void details_of_state_track(struct details *d, struct session *s, const struct tables *t,
                            const struct event *event);
void details_of_track(struct details *d, struct session *s);
void details_of_area(struct details *d, struct session *s);

#endif
