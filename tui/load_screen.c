#include "tui/load_screen.h"

#include "tui/time_text.h"

#define BAR_CELLS 40

static const char *phase_name(enum engine_phase phase)
{
    switch (phase) {
    case ENGINE_READING: return "reading";
    case ENGINE_TOKENIZING: return "reading events";
    case ENGINE_SORTING: return "putting events in order";
    case ENGINE_FINISHING: return "finishing tables";
    }
    return "loading";
}

static void write_bytes(uint64_t bytes, struct buffer *out)
{
    number_write((double)bytes, "B", out);
}

static void write_bar(double share, bool ascii, struct buffer *out)
{
    int eighths = (int)(share * BAR_CELLS * 8);
    for (int i = 0; i < BAR_CELLS; i++, eighths -= 8) {
        if (ascii) {
            buffer_append_byte(out, eighths >= 4 ? '#' : '.');
        } else if (eighths >= 8) {
            buffer_append_text(out, "\xE2\x96\x88");
        } else if (eighths > 0) {
            char block[4] = {(char)0xE2, (char)0x96, (char)(0x90 - eighths), 0};
            buffer_append_text(out, block);
        } else {
            buffer_append_text(out, "\xC2\xB7");
        }
    }
}

void load_screen_write(struct load_state *state, const char *title, bool ascii, struct buffer *out)
{
    mutex_lock(&state->lock);
    struct engine_progress progress = state->progress;
    mutex_unlock(&state->lock);
    int64_t spent = clock_now_ns() - state->began_ns;
    buffer_printf(out, "%s\n%s", title, phase_name(progress.phase));
    if (progress.bytes_done) {
        buffer_append_text(out, "  ");
        write_bytes(progress.bytes_done, out);
        if (progress.bytes_total) {
            buffer_append_text(out, " of ");
            write_bytes(progress.bytes_total, out);
        }
    }
    buffer_append_byte(out, '\n');
    double share =
        progress.bytes_total ? (double)progress.bytes_done / (double)progress.bytes_total : 0;
    if (share > 1) share = 1;
    write_bar(share, ascii, out);
    buffer_append_byte(out, '\n');
    duration_write(spent, out);
    buffer_append_text(out, " so far");
    if (share > 0.02 && share < 1) {
        buffer_append_text(out, ", about ");
        duration_write((int64_t)((double)spent * (1 - share) / share), out);
        buffer_append_text(out, " left");
    }
    buffer_append_text(out, "\nCtrl-C stops and shows what is there");
}
