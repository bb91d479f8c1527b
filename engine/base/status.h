/* How every fallible function of perfetty reports failure.
 *
 * A function that can fail returns `bool` or a pointer and takes a
 * `struct status *` last.  On failure the status holds a code, a message fit
 * for a user (one line: what, where, what to do) and, where it makes sense, a
 * byte offset in the input.  On success the status is left as it was.
 *
 * A caller starts with STATUS_INIT.  Context is put in front on the way up
 * (status_prefix); a lower-level message is never replaced: the first failure
 * wins.  The message is owned by the status and freed by status_clear.
 */
#ifndef ENGINE_BASE_STATUS_H
#define ENGINE_BASE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

enum status_code {
    STATUS_OK = 0,
    STATUS_USAGE,       /* a wrong argument: exit status 2 */
    STATUS_IO,          /* the system refused: open, read, write */
    STATUS_CORRUPT,     /* input bytes do not hold what they promise */
    STATUS_FORMAT,      /* nobody here reads this kind of file */
    STATUS_INVALID,     /* an authored text is wrong: sidecar, settings, SQL */
    STATUS_LIMIT,       /* a named limit was hit */
    STATUS_INTERRUPTED, /* the user asked to stop */
    STATUS_NOT_FOUND,
};

#define STATUS_NO_OFFSET INT64_C(-1)

struct status {
    enum status_code code;
    int64_t offset; /* byte in the input, or STATUS_NO_OFFSET */
    char *message;  /* owned; NULL while code is STATUS_OK */
};

#define STATUS_INIT \
    { \
        STATUS_OK, STATUS_NO_OFFSET, NULL \
    }

/* Always returns false, so that `return status_fail(…)` is one line.  `st` may
 * be NULL when the caller does not care.  A status that has failed already
 * keeps its first message. */
bool status_fail(struct status *st, enum status_code code, int64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Puts "text: " in front of the message of a failed status. */
void status_prefix(struct status *st, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Moves a failure from one status to another; a no-op when `from` is OK. */
void status_move(struct status *to, struct status *from);

void status_clear(struct status *st);

/* "" while the status is OK. */
const char *status_message(const struct status *st);

#endif
