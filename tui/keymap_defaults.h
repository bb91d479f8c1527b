/* The keys as they come (SCREEN: Keys), in the order in which help shows them. */
#ifndef TUI_KEYMAP_DEFAULTS_H
#define TUI_KEYMAP_DEFAULTS_H

#include "tui/keymap.h"

struct keymap_default {
    const char *keys, *line;
    enum key_place place;
    const char *group, *hint;
};

extern const struct keymap_default keymap_defaults[];
extern const unsigned keymap_defaults_count;

#endif
