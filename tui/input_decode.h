/* Bytes of a terminal as keys, mouse moves and pasted text.
 *
 * Knows the sequences of ECMA-48 (CSI, SS3) as xterm, rxvt, PuTTY, the Linux
 * console and "CSI u" terminals send them, whatever mode the terminal is in, the
 * mouse reports of modes 1000 and 1006, bracketed paste (mode 2004), and what the
 * terminal's own description adds.  A byte that is no UTF-8 is left out and takes
 * nothing of what follows with it.  Speaks to no terminal and keeps no time.
 */
#ifndef TUI_INPUT_DECODE_H
#define TUI_INPUT_DECODE_H

#include <stddef.h>

#include "tui/key.h"

struct input_decoder;

/* With `utf8` false a byte from 0xA0 on is a character of Latin-1. */
struct input_decoder *input_decoder_new(bool utf8);
void input_decoder_free(struct input_decoder *decoder);
/* What this terminal sends for `key`; found before the built-in sequences. */
void input_decoder_add_sequence(struct input_decoder *decoder, const char *sequence,
                                struct key key);
void input_decoder_feed(struct input_decoder *decoder, const char *bytes, size_t n);

/* The next whole event, or INPUT_NONE.  Bytes that may be the start of a longer
 * sequence wait for more, unless `at_end`: then they are what they are alone. */
struct input_event input_decoder_next(struct input_decoder *decoder, bool at_end);

enum input_pending {
    INPUT_PENDING_NOTHING,
    INPUT_PENDING_ESCAPE,  /* one Esc: a key, or the first byte of a sequence */
    INPUT_PENDING_SEQUENCE /* a sequence or character has begun */
};
enum input_pending input_decoder_pending(const struct input_decoder *decoder);

#endif
