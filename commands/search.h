/* The search (spec ui §2): case-insensitive substring over names and arguments
 * of slices, names of scheduled threads, log messages, or a slice's id; hits in
 * order of time.  It runs on the worker; session_poll takes the hits in. */
#ifndef COMMANDS_SEARCH_H
#define COMMANDS_SEARCH_H

#include "commands/selection.h"

struct search_hit {
    int64_t ts;
    uint32_t id;
    uint8_t table; /* enum event_table */
    uint8_t trace;
};

struct search_hits VEC_OF(struct search_hit);

struct search_job;

struct search {
    char *term; /* NULL: none */
    bool running;
    bool cut_short; /* there were more than SEARCH_MAX_HITS */
    struct search_hits hits;
    int64_t current; /* -1 before the first step */
    struct search_job *job;
};

#define SEARCH_MAX_HITS 1000000u

/* "" ends the search.  Returns at once; hits come with session_poll. */
void session_search(struct session *session, const char *term);
/* Waits for the hits, then goes to the next (or previous) one, round the end. */
bool session_search_step(struct session *session, bool forward, struct status *st);

#endif
