/* Whether bytes that went to a terminal are safe: what terminfo of an xterm can
 * hold, and printable text in valid UTF-8, and nothing else.
 *
 * Refused are control bytes apart from those curses moves with, unknown escape
 * sequences, every string sequence (OSC, DCS …), C1 controls in either spelling,
 * and characters that reorder or hide text.
 */
#ifndef TESTS_SCREEN_STREAM_H
#define TESTS_SCREEN_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/buffer.h"

enum stream_kind {
    STREAM_CURSES, /* of the full screen program */
    STREAM_LINES,  /* of a program that prints lines: no sequences at all */
};

/* False appends to `why` what was found, where, and what is around it. */
bool stream_is_clean(const char *bytes, size_t length, enum stream_kind kind, struct buffer *why);

#endif
