/* The history of line.h: a list of lines and its file. */
#ifndef CLI_LINE_HISTORY_H
#define CLI_LINE_HISTORY_H

#include <stdio.h>

#include "engine/base/buffer.h"

struct line_history {
    char **items; /* oldest first, owned */
    size_t count, capacity;
};

/* The next line, without its end; false at the end of the file. */
bool line_read(FILE *file, struct buffer *line);

/* A missing or unreadable file is an empty history. */
void line_history_load(struct line_history *history);
/* Not entered when it repeats the last one. */
void line_history_add(struct line_history *history, const char *line);
/* Failures are silent: a history is a comfort. */
void line_history_save(const struct line_history *history);
void line_history_free(struct line_history *history);

#endif
