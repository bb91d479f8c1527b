/* A viewer without a terminal: loads, runs startup commands, turns its loop until
 * nothing is left to do. */
#ifndef TUI_HEADLESS_H
#define TUI_HEADLESS_H

#include "tui/viewer_internal.h"

struct headless {
    struct viewer viewer;
    struct mutex lock;
    struct condition happened; /* a worker has news */
    bool pending;
};

/* Loads and starts up; nobody is asked anything.  headless_close in any case. */
bool headless_open(struct headless *headless, const struct viewer_options *options, int width,
                   int height, struct status *st);
/* Draws until nothing runs and nothing is left to be drawn; false after that many
 * milliseconds (0: however long it takes). */
bool headless_settle(struct headless *headless, int64_t longest_ms);
void headless_close(struct headless *headless);

#endif
