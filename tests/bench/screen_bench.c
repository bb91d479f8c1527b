/* How long a key takes to its last byte, and how many bytes a move costs.
 *
 *   bench_screen PERFETTY TRACE [COLUMNS ROWS]
 *
 * Plays 200 scripted moves on a pseudo terminal.  A move's time ends at the last
 * byte before the program falls quiet.  Exit status 1 when p99 is above 50 ms or
 * a cursor move repaints the screen.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/thread.h"
#include "engine/base/vec.h"
#include "tests/screen/pty.h"

#define MOVES        200
#define QUIET_MS     60
#define P99_LIMIT_MS 50.0
#define CURSOR_BYTES 3000 /* a full repaint of 200x60 is 20 KB and more */

struct move {
    const char *keys, *name;
};

/* In turn.  A cursor move is one cell with nothing selected and the cursor inside the
 * window; with a selection the same keys go to the next event, which may be far. */
static const struct move script[] = {
    {"l", "cursor"},  {"l", "cursor"}, {"h", "cursor"}, {"j", "row"},         {"j", "row"},
    {"\r", "select"}, {".", "event"},  {"h", "event"},  {"\033", "deselect"}, {"l", "cursor"},
    {"h", "cursor"},  {"w", "zoom"},   {"w", "zoom"},   {"d", "pan"},         {"a", "pan"},
    {"s", "zoom"},    {"s", "zoom"},   {"k", "row"},    {"J", "page"},        {"K", "page"},
};
#define SCRIPT_LENGTH (sizeof script / sizeof *script)

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double percentile(double *sorted, int n, double share)
{
    int i = (int)(share * (n - 1) + 0.5);
    return sorted[i];
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: %s PERFETTY TRACE [COLUMNS ROWS]\n", argv[0]);
        return 2;
    }
    struct pty_options options = {.columns = argc == 5 ? (int)strtol(argv[3], NULL, 10) : 200,
                                  .rows = argc == 5 ? (int)strtol(argv[4], NULL, 10) : 60};
    const char *command[] = {argv[1], argv[2], NULL};
    struct pty *pty = pty_start(&options, command);
    int64_t opened = clock_now_ns();
    if (!pty_wait_text(pty, "? help", 120000)) {
        fprintf(stderr, "the trace did not open:\n%s\n", pty_screen(pty));
        return 1;
    }
    pty_settle(pty, 500);
    printf("open: %.2f s, %zu bytes\n", (double)(clock_now_ns() - opened) / 1e9, pty_bytes(pty));
    double times[MOVES];
    size_t bytes[MOVES], worst_cursor = 0;
    for (int i = 0; i < MOVES; i++) {
        const struct move *move = &script[i % SCRIPT_LENGTH];
        size_t before = pty_bytes(pty);
        int64_t sent = clock_now_ns();
        pty_send(pty, move->keys);
        times[i] = (double)(pty_last_byte_ns(pty, QUIET_MS) - sent) / 1e6;
        if (times[i] < 0) times[i] = 0; /* nothing had to change */
        bytes[i] = pty_bytes(pty) - before;
        if (strcmp(move->name, "cursor") == 0 && bytes[i] > worst_cursor) worst_cursor = bytes[i];
    }
    for (size_t k = 0; k < SCRIPT_LENGTH; k++) {
        size_t sum = 0, most = 0, n = 0;
        double slowest = 0;
        bool first = true;
        for (size_t j = 0; j < k; j++)
            first &= strcmp(script[j].name, script[k].name) != 0;
        if (!first) continue;
        for (int i = 0; i < MOVES; i++) {
            if (strcmp(script[(size_t)i % SCRIPT_LENGTH].name, script[k].name) != 0) continue;
            sum += bytes[i];
            n++;
            if (bytes[i] > most) most = bytes[i];
            if (times[i] > slowest) slowest = times[i];
        }
        printf("%-8s %6zu bytes a move, at most %zu; at most %.1f ms\n", script[k].name, sum / n,
               most, slowest);
    }
    qsort(times, MOVES, sizeof *times, compare);
    double p50 = percentile(times, MOVES, 0.5), p99 = percentile(times, MOVES, 0.99);
    printf("key to last byte: p50 %.1f ms, p99 %.1f ms, worst %.1f ms over %d moves\n", p50, p99,
           times[MOVES - 1], MOVES);
    pty_send(pty, "q");
    pty_wait_exit(pty, 2000);
    pty_free(pty);
    bool bad = p99 > P99_LIMIT_MS || worst_cursor > CURSOR_BYTES;
    if (worst_cursor > CURSOR_BYTES) printf("a cursor move cost %zu bytes\n", worst_cursor);
    printf("%d passed, %d failed\n", bad ? 0 : 1, bad ? 1 : 0);
    return bad ? 1 : 0;
}
