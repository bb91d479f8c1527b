/* Sets of 16-bit units, as ranges: what a class of a JavaScript regex is. */
#ifndef COMMANDS_JS_CLASS_H
#define COMMANDS_JS_CLASS_H

#include "engine/base/buffer.h"
#include "engine/base/vec.h"

struct unit_range {
    uint32_t first, last;
};

struct unit_set VEC_OF(struct unit_range);

void unit_set_add(struct unit_set *set, uint32_t first, uint32_t last);
/* 'd', 'w', 's' or one of these in upper case: the complement. */
void unit_set_add_escape(struct unit_set *set, char letter);
void unit_set_negate(struct unit_set *set);
/* One element of pcre2's syntax that matches one unit of the set. */
void unit_set_append(struct unit_set *set, struct buffer *out);
/* A unit where no class is, escaped. */
void unit_append(uint32_t unit, struct buffer *out);

#endif
