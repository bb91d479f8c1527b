/* The part of a search that runs on the worker: one pass per distinct string, then one
 * per table. */
#ifndef COMMANDS_SEARCH_SCAN_H
#define COMMANDS_SEARCH_SCAN_H

#include "commands/session.h"

struct search_job {
    struct tables *tables[SESSION_MAX_TRACES];
    int64_t offsets[SESSION_MAX_TRACES];
    uint32_t n_traces;
    struct search_term *term; /* owned */
    struct search_hits hits;
    bool cut_short;
    struct job *job; /* NULL: it ran at once */
    struct cancel *cancel;
};

/* A job's function; `argument` is the search_job. */
void search_scan(void *argument, struct cancel *cancel);

/* A text, or a regex; a value of one thread. */
struct search_term;
struct search_term *search_term_new(const char *text, struct status *st);
void search_term_free(struct search_term *term);
bool search_term_matches(struct search_term *term, struct str s);

#endif
