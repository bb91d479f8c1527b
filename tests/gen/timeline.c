#include "tests/gen/timeline.h"

#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

enum timeline_field {
    EXPECTED_DISPLAY = 1,
    ACTUAL_DISPLAY = 2,
    EXPECTED_SURFACE = 3,
    ACTUAL_SURFACE = 4,
    FRAME_END = 5,
};

enum { PREDICTION_VALID = 1, SEVERITY_NONE = 1, SEVERITY_FULL = 3 };

static void put_head(struct buffer *b, const struct gen_frame *frame, int64_t cookie)
{
    gen_int(b, 1, cookie);
    gen_int(b, 2, frame->layer ? frame->token : frame->display_token);
    if (!frame->layer) {
        gen_int(b, 3, frame->pid);
        return;
    }
    gen_int(b, 3, frame->display_token);
    gen_int(b, 4, frame->pid);
    gen_text(b, 5, frame->layer);
}

static void put_outcome(struct buffer *b, const struct gen_frame *frame)
{
    bool is_late = frame->present != GEN_PRESENT_ON_TIME;
    unsigned severity = is_late ? SEVERITY_FULL : SEVERITY_NONE;
    uint32_t first = frame->layer ? 6 : 4; /* the same fields, two numbers apart */
    gen_uint(b, first, frame->present);
    gen_uint(b, first + 1, !is_late);
    gen_uint(b, first + 2, 0);
    gen_int(b, first + 3, frame->jank);
    gen_uint(b, first + 4, PREDICTION_VALID);
    if (frame->layer) {
        gen_uint(b, 11, 1);
        gen_uint(b, 12, severity);
    } else {
        gen_uint(b, 9, severity);
    }
}

static void put_start(struct buffer *trace, const struct gen_frame *frame, bool is_actual)
{
    uint32_t field = frame->layer ? (is_actual ? ACTUAL_SURFACE : EXPECTED_SURFACE)
                                  : (is_actual ? ACTUAL_DISPLAY : EXPECTED_DISPLAY);
    size_t packet =
        gen_packet_open(trace, is_actual ? frame->actual_start_ns : frame->expected_start_ns, 1);
    size_t event = gen_open(trace, GEN_PACKET_FRAME_TIMELINE);
    size_t start = gen_open(trace, field);
    put_head(trace, frame, frame->cookie + is_actual);
    if (is_actual) put_outcome(trace, frame);
    gen_close(trace, start);
    gen_close(trace, event);
    gen_packet_close(trace, packet);
}

static void put_end(struct buffer *trace, int64_t ts_ns, int64_t cookie)
{
    size_t packet = gen_packet_open(trace, ts_ns, 1);
    size_t event = gen_open(trace, GEN_PACKET_FRAME_TIMELINE);
    size_t end = gen_open(trace, FRAME_END);
    gen_int(trace, 1, cookie);
    gen_close(trace, end);
    gen_close(trace, event);
    gen_packet_close(trace, packet);
}

void gen_frame_put(struct buffer *trace, const struct gen_frame *frame)
{
    put_start(trace, frame, false);
    put_end(trace, frame->expected_end_ns, frame->cookie);
    put_start(trace, frame, true);
    put_end(trace, frame->actual_end_ns, frame->cookie + 1);
}
