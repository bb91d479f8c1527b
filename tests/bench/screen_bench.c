/* How long a key takes to its last byte, and how many bytes a move costs.
 *
 *   bench_screen [--bytes] PERFETTY TRACE [COLUMNS ROWS]
 *
 * Plays 200 scripted moves on a pseudo terminal.  A move's time ends at the last
 * byte before the program falls quiet.  Exit status 1 when p99 is above 16 ms or the
 * load screen took more than 100 ms, and with --bytes when a move, opening or 10 s of idling costs
 * more bytes than it may.
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
#define IDLE_MS      10000
#define P99_LIMIT_MS 16.0
#define OPEN_BYTES   60000
/* From the start of the program; traces of 64 MB load for longer. */
#define FIRST_FRAME_MS 100.0

struct move {
    const char *keys, *name;
};

/* Bytes that a move may cost at 200x60. */
static const struct {
    const char *name;
    size_t bytes;
} limits[] = {{"cursor", 300}, {"row", 400}, {"scroll", 12000}};

/* In turn.  A cursor move is one cell with nothing selected and the cursor inside the
 * window; with a selection the same keys go to the next event, which may be far. */
static const struct move script[] = {
    {"l", "cursor"},  {"l", "cursor"}, {"h", "cursor"}, {"j", "row"},         {"j", "row"},
    {"\r", "select"}, {".", "event"},  {"h", "event"},  {"\033", "deselect"}, {"l", "cursor"},
    {"h", "cursor"},  {"w", "zoom"},   {"w", "zoom"},   {"d", "pan"},         {"a", "pan"},
    {">", "scroll"},  {"<", "scroll"}, {"s", "zoom"},   {"s", "zoom"},        {"k", "row"},
    {"J", "page"},    {"K", "page"},
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

struct measured {
    double times[MOVES]; /* ms */
    size_t bytes[MOVES];
};

static void play(struct pty *pty, struct measured *m)
{
    for (int i = 0; i < MOVES; i++) {
        const struct move *move = &script[(size_t)i % SCRIPT_LENGTH];
        size_t before = pty_bytes(pty);
        int64_t sent = clock_now_ns();
        pty_send(pty, move->keys);
        m->times[i] = (double)(pty_last_byte_ns(pty, QUIET_MS) - sent) / 1e6;
        if (m->times[i] < 0) m->times[i] = 0; /* nothing had to change */
        m->bytes[i] = pty_bytes(pty) - before;
    }
}

/* A line for each kind of move; false when one is over its limit. */
static bool report_moves(const struct measured *m, bool check)
{
    bool good = true;
    for (size_t k = 0; k < SCRIPT_LENGTH; k++) {
        size_t sum = 0, most = 0, n = 0;
        double slowest = 0;
        bool first = true;
        for (size_t j = 0; j < k; j++)
            first &= strcmp(script[j].name, script[k].name) != 0;
        if (!first) continue;
        for (size_t i = 0; i < MOVES; i++) {
            if (strcmp(script[i % SCRIPT_LENGTH].name, script[k].name) != 0) continue;
            sum += m->bytes[i];
            n++;
            if (m->bytes[i] > most) most = m->bytes[i];
            if (m->times[i] > slowest) slowest = m->times[i];
        }
        printf("%-8s %6zu bytes a move, at most %zu; at most %.1f ms\n", script[k].name, sum / n,
               most, slowest);
        for (size_t l = 0; check && l < sizeof limits / sizeof *limits; l++) {
            if (strcmp(limits[l].name, script[k].name) != 0 || most <= limits[l].bytes) continue;
            printf("  above its limit of %zu\n", limits[l].bytes);
            good = false;
        }
    }
    return good;
}

/* Which they were, so that one can look. */
static void report_slowest(const struct measured *m)
{
    bool told[MOVES] = {false};
    printf("slowest:");
    for (int n = 0; n < 5; n++) {
        size_t worst = 0;
        for (size_t i = 1; i < MOVES; i++)
            if (!told[i] && (told[worst] || m->times[i] > m->times[worst])) worst = i;
        told[worst] = true;
        printf(" %s (move %zu) %.1f ms%s", script[worst % SCRIPT_LENGTH].name, worst,
               m->times[worst], n < 4 ? "," : "\n");
    }
}

static bool report_times(struct measured *m)
{
    qsort(m->times, MOVES, sizeof *m->times, compare);
    double p50 = percentile(m->times, MOVES, 0.5), p99 = percentile(m->times, MOVES, 0.99);
    printf("key to last byte: p50 %.1f ms, p99 %.1f ms, worst %.1f ms over %d moves\n", p50, p99,
           m->times[MOVES - 1], MOVES);
    if (p99 > P99_LIMIT_MS) printf("  above its limit of %.0f ms\n", P99_LIMIT_MS);
    return p99 <= P99_LIMIT_MS;
}

static bool report_idle(struct pty *pty)
{
    size_t before = pty_bytes(pty);
    pty_settle(pty, IDLE_MS);
    size_t sent = pty_bytes(pty) - before;
    printf("idle:    %6zu bytes in %d s\n", sent, IDLE_MS / 1000);
    return sent == 0;
}

/* The load screen, long before a large trace is loaded. */
static bool report_first_frame(struct pty *pty, int64_t started)
{
    if (!pty_wait_text(pty, "Ctrl-C stops", 2000)) {
        printf("first frame: the trace was loaded before a load screen was due\n");
        return true;
    }
    double ms = (double)(clock_now_ns() - started) / 1e6;
    printf("first frame: %.0f ms\n", ms);
    if (ms > FIRST_FRAME_MS) printf("  above its limit of %.0f ms\n", FIRST_FRAME_MS);
    return ms <= FIRST_FRAME_MS;
}

int main(int argc, char **argv)
{
    bool check_bytes = argc > 1 && strcmp(argv[1], "--bytes") == 0;
    argv += check_bytes;
    argc -= check_bytes;
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: bench_screen [--bytes] PERFETTY TRACE [COLUMNS ROWS]\n");
        return 2;
    }
    struct pty_options options = {.columns = argc == 5 ? (int)strtol(argv[3], NULL, 10) : 200,
                                  .rows = argc == 5 ? (int)strtol(argv[4], NULL, 10) : 60};
    const char *command[] = {argv[1], argv[2], "--trace-commands", "never", NULL};
    struct pty *pty = pty_start(&options, command);
    int64_t opened = clock_now_ns();
    bool good = check_bytes || report_first_frame(pty, opened);
    if (!pty_wait_text(pty, "? help", 120000)) {
        fprintf(stderr, "the trace did not open:\n%s\n", pty_screen(pty));
        return 1;
    }
    pty_wait_gone(pty, "preparing", 60000);
    pty_settle(pty, 500);
    size_t open_bytes = pty_bytes(pty);
    printf("open: %.2f s, %zu bytes\n", (double)(clock_now_ns() - opened) / 1e9, open_bytes);
    good &= !check_bytes || open_bytes <= OPEN_BYTES;
    /* The first key also takes the opening message away. */
    pty_send(pty, "ll");
    pty_settle(pty, 200);
    struct measured measured;
    play(pty, &measured);
    good &= report_moves(&measured, check_bytes);
    report_slowest(&measured);
    good &= report_times(&measured);
    if (check_bytes) good &= report_idle(pty);
    pty_send(pty, "q");
    pty_wait_exit(pty, 2000);
    pty_free(pty);
    printf("%d passed, %d failed\n", good, !good);
    return good ? 0 : 1;
}
