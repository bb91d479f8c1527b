/* What is said while a trace loads: its name, the phase, bytes, time left. */
#ifndef TUI_LOAD_SCREEN_H
#define TUI_LOAD_SCREEN_H

#include "engine/base/buffer.h"
#include "engine/engine.h"

struct load_state {
    struct mutex lock;
    struct engine_progress progress;
    int64_t began_ns;
};

/* Lines for app->load_text. */
void load_screen_write(struct load_state *state, const char *title, bool ascii, struct buffer *out);

#endif
