/* Where the tracks of a type go that belong to no process and no thread (spec ui
 * §5a): the heading they are put below, and a group of their kind there. */
#ifndef COMMANDS_TRACK_TYPES_H
#define COMMANDS_TRACK_TYPES_H

#include "engine/base/str.h"

struct track_heading {
    const char *name;
    int order;
};

/* Headings in their order among others of order 0; NULL past the end. */
const struct track_heading *track_heading_at(unsigned i);
/* Where tracks of a type go; unknown types go below "System". */
struct track_place {
    unsigned heading;
    const char *group;  /* below the heading; NULL: none */
    bool even_if_owned; /* there, though it has a thread or process */
};
struct track_place track_place_of(struct str type);
/* Words for a source of stack samples: "linux.perf" is "Perf". */
const char *track_source_label(const char *source);

#endif
