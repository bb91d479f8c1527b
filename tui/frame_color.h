/* Frames of the frame timeline are coloured by how they went, not by name. */
#ifndef TUI_FRAME_COLOR_H
#define TUI_FRAME_COLOR_H

#include "engine/store/tables.h"
#include "tui/color.h"

/* The track holds frames as they came (spec engine_2 2.9). */
bool frame_track_is_actual(const struct tables *tables, uint32_t track);
/* By the slice's "Jank tag": good, late by its own fault, late by another's, stuffed,
 * dropped. */
enum color frame_color(const struct tables *tables, uint32_t slice);

#endif
