/* Android's frame timeline: what was expected of each frame of an app and of the
 * display, and what came of it.  A start and its end share a cookie. */
#ifndef TESTS_GEN_TIMELINE_H
#define TESTS_GEN_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/buffer.h"

enum gen_present { GEN_PRESENT_ON_TIME = 1, GEN_PRESENT_LATE = 2, GEN_PRESENT_DROPPED = 4 };
enum gen_jank { GEN_JANK_NONE = 1, GEN_JANK_APP_DEADLINE = 64, GEN_JANK_STUFFING = 128 };

struct gen_frame {
    int64_t cookie; /* of the expected frame; the actual one has cookie + 1 */
    int64_t token, display_token;
    int32_t pid;
    const char *layer; /* NULL: a frame of the display */
    int64_t expected_start_ns, expected_end_ns, actual_start_ns, actual_end_ns;
    enum gen_present present;
    enum gen_jank jank;
};

/* Four packets, each with its own time. */
void gen_frame_put(struct buffer *trace, const struct gen_frame *frame);

#endif
