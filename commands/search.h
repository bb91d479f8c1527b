/* The search: over names, ids and arguments of slices, scheduled threads (by their own
 * and their process' name), log messages and tags, ftrace events and their arguments;
 * and over the names of tracks, which are those of threads, processes and counters.
 *
 * The term is a text, found anywhere in any case (ASCII; spec ui §2), or a JavaScript
 * regex between slashes, /re/ or /re/i.  A whole number is a slice's id too, and the
 * value of an argument.  Tracks are looked through at once, on the main thread; events
 * on the worker: session_poll takes those hits in, in order of time.
 */
#ifndef COMMANDS_SEARCH_H
#define COMMANDS_SEARCH_H

#include "commands/selection.h"

struct search_hit {
    int64_t ts; /* session time */
    uint32_t id;
    uint8_t table; /* enum event_table */
    uint8_t trace;
};

struct search_hits VEC_OF(struct search_hit);

struct search_job;

struct search {
    char *term;  /* NULL: none */
    char *error; /* why the term is no regex; NULL */
    bool running;
    bool cut_short; /* there were more than SEARCH_MAX_HITS, or no time for all tracks */
    struct uri_list tracks;
    struct search_hits hits;
    int64_t current; /* place among the tracks, then the hits; -1 before the first step */
    struct search_job *job;
};

#define SEARCH_MAX_HITS 1000000u

/* "" ends the search.  Returns at once. */
void session_search(struct session *session, const char *term);
/* Waits for the hits, then goes to the next (or previous) one, round the end.  The first
 * step is to the first event in the window or behind it. */
bool session_search_step(struct session *session, bool forward, struct status *st);
/* Selects the hit at a place. */
bool session_search_go(struct session *session, uint64_t place, struct status *st);
uint64_t search_count(const struct search *search);
/* Is there a hit in [from, to) of session time? */
bool search_has_hit(const struct search *search, int64_t from, int64_t to);

#endif
