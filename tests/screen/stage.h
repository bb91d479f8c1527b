/* What the screen tests share: a folder for a test's files, the program started on
 * a pty, programs run without one, and checks that show the screen when they fail.
 *
 * A stage is one folder, given as home to every pty started on it, so that what
 * one run remembers the next one finds.
 */
#ifndef TESTS_SCREEN_STAGE_H
#define TESTS_SCREEN_STAGE_H

#include "engine/base/buffer.h"
#include "tests/gen/story.h"
#include "tests/screen/pty.h"

#define PERFETTY BINARY_DIR "/perfetty"
#define EXAMPLE  BINARY_DIR "/example.zip"

#define STAGE_WAIT_MS 30000 /* for a text that must come; a sanitizer build is slow */

#define STAGE_PATH 160

struct stage {
    char folder[40];
};

void stage_begin(struct stage *stage);
void stage_end(struct stage *stage); /* removes the folder */
/* "FOLDER/name" in `path`, which is returned. */
const char *stage_file(const struct stage *stage, const char *name, char path[STAGE_PATH]);
void stage_write(const char *path, const struct buffer *bytes);
/* Writes an archive of tests/gen/story.h as story.zip and describes it. */
void stage_write_story(const struct stage *stage, uint64_t seed, struct gen_story *story);
/* From the clock; a test that fails prints it. */
uint64_t stage_seed(void);

/* The program with the operands and options in `args` (ends with NULL). */
struct pty *stage_open(struct stage *stage, int columns, int rows, const char *const *args);
/* The same with options; columns, rows and the home are filled in from them. */
struct pty *stage_open_with(struct stage *stage, const struct pty_options *options,
                            const char *const *args);

/* Fail the test and print the screen when the text does not come. */
#define stage_expect(pty, text)      stage_expect_at(pty, text, true, __FILE__, __LINE__)
#define stage_expect_gone(pty, text) stage_expect_at(pty, text, false, __FILE__, __LINE__)
void stage_expect_at(struct pty *pty, const char *text, bool present, const char *file, int line);
/* Fails and prints the screen when `good` is false. */
#define stage_check(pty, good) stage_check_at(pty, good, #good, __FILE__, __LINE__)
void stage_check_at(struct pty *pty, bool good, const char *what, const char *file, int line);

/* Leaves with q; the terminal must be as before and the status 0. */
void stage_quit(struct pty *pty);
/* Alternate screen, mouse, line discipline and cursor are given back. */
#define stage_check_restored(pty) stage_check_restored_at(pty, __FILE__, __LINE__)
void stage_check_restored_at(struct pty *pty, const char *file, int line);

/* Runs a program to its end; false when it was killed by a signal. */
struct stage_output {
    struct buffer out, err;
    int exit_status;
};
bool stage_run(struct stage *stage, const char *const *argv, struct stage_output *output);
void stage_output_free(struct stage_output *output);

#endif
