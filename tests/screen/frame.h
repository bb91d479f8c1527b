/* Frames of `perfetty snapshot`, as text or in roles, and questions about what stands
 * where.  Rows and columns are cells from 0. */
#ifndef TESTS_SCREEN_FRAME_H
#define TESTS_SCREEN_FRAME_H

#include "tests/screen/stage.h"

struct frame {
    char *text; /* lines; of a frame in roles, runs of "from..to fg/bg" */
    int width, height;
};

/* `keys` NULL: none.  `more`: options with blanks between them, or NULL. */
struct frame frame_shoot(struct stage *stage, const char *trace, const char *size, const char *keys,
                         const char *more);
void frame_free(struct frame *frame);

/* Fails the test and prints the frame when `good` is false. */
#define frame_check(frame, good) frame_check_at(frame, good, #good, __FILE__, __LINE__)
void frame_check_at(const struct frame *frame, bool good, const char *what, const char *file,
                    int line);

struct str frame_line(const struct frame *frame, int row);
/* First row from `from` on that holds the text; *column (may be NULL) in cells.  -1. */
int frame_find(const struct frame *frame, const char *text, int from, int *column);
bool frame_holds(const struct frame *frame, const char *text);
/* "fg/bg" and attributes of a cell of a frame in roles. */
const char *frame_role(const struct frame *roles, int row, int column, char out[64]);

/* Every size, script and palette that a view has to work in. */
struct look {
    const char *size, *options;
    bool ascii, mono;
};
#define N_LOOKS 8
extern const struct look looks[N_LOOKS];

struct frame frame_shoot_look(struct stage *stage, const char *trace, const struct look *look,
                              const char *keys);
struct frame frame_shoot_roles(struct stage *stage, const char *trace, const struct look *look,
                               const char *keys);
/* Below the row that holds `head`, rows that hold these texts, one after the other. */
void frame_check_rows(const struct frame *frame, const char *head, const char *const *texts);

/* The first value that `perfetty query` prints; owned. */
char *frame_ask(struct stage *stage, const char *trace, const char *sql);

#endif
