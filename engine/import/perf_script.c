/* `perf script` text: samples with their call chains (perf-script(1); spec
 * engine_1 6.4, and what is read beyond it in docs/differences.md).
 *
 * A sample ends at an empty line or where the next one begins.  One that the end
 * of the file cuts off is left out, as the reference has it: nobody knows how many
 * frames it had.  Lines that are neither sample nor frame are told and passed by.
 */
#include "engine/import/import.h"

#include "engine/base/vec.h"
#include "engine/import/clock.h"
#include "engine/import/damage.h"
#include "engine/import/perf_script_line.h"
#include "engine/import/process.h"
#include "engine/import/sorter.h"
#include "engine/import/stack.h"

#define MAX_FRAMES  65536
#define MAX_COMMENT 256 /* lines of the head that `perf script --header` writes */
#define POLL_EVERY  4096

/* In the sorter. */
struct queued {
    struct perf_script_sample sample; /* its rest is not used */
    string_id comm;
    uint32_t callsite;
};

struct state {
    struct import_file *file;
    struct str bytes;
    uint32_t queue, sink;
    struct damage damage;
    uint64_t n_samples;
    bool is_open; /* a sample line was read, its frames follow */
    struct queued open;
    VEC(struct perf_script_frame) frames; /* of it, leaf first */
    struct buffer comm;
};

static void log_damage(struct state *state, enum stat stat, struct str line, const char *text)
{
    damage_log(&state->damage, stat, (size_t)(line.p - state->bytes.p), text);
}

/* ---- samples ---- */

static uint32_t intern_callsite(struct state *state)
{
    struct import *import = state->file->import;
    uint32_t callsite = NULL_UINT32;
    for (size_t i = state->frames.count; i-- > 0;) {
        const struct perf_script_frame *f = &state->frames.items[i];
        struct stack_mapping mapping = {.build_id = strpool_intern_text(import->strings, ""),
                                        .name = strpool_intern(import->strings, f->mapping)};
        uint32_t frame =
            stack_frame_intern(import->stacks, strpool_intern(import->strings, f->symbol),
                               stack_mapping_intern(import->stacks, &mapping), 0);
        callsite = stack_callsite_intern(import->stacks, callsite, frame, 1);
    }
    return callsite;
}

static void close_sample(struct state *state, struct str line)
{
    if (!state->is_open) return;
    state->is_open = false;
    struct queued *open = &state->open;
    struct perf_script_frame frame;
    if (state->frames.count == 0 && perf_script_read_inline_frame(open->sample.rest, &frame))
        vec_push(&state->frames, frame);
    if (state->frames.count == 0) {
        log_damage(state, STAT_perf_text_importer_sample_no_frames, line, "a sample of no frames");
        return;
    }
    int64_t ts;
    if (clock_to_trace_time(state->file, 0, 0, open->sample.ts, true, &ts) != CLOCK_OK) return;
    open->callsite = intern_callsite(state);
    struct queued *to = sorter_push(state->file->import->sorter, state->queue, state->sink, ts,
                                    sizeof(struct queued));
    *to = *open;
    state->n_samples++;
}

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct state *state = owner;
    const struct queued *queued = payload;
    const struct import_file *file = state->file;
    struct stack_sample sample = {.ts = ts,
                                  .source = "perf_text",
                                  .upid = NULL_UINT32,
                                  .ucpu = NULL_UINT32,
                                  .callsite = queued->callsite,
                                  .session = NULL_UINT32,
                                  .counter_set = NULL_UINT32};
    if (queued->sample.has_pid) {
        sample.utid = thread_intern_in(file, queued->sample.tid, queued->sample.pid);
        sample.upid = thread_process(file, sample.utid);
    } else {
        sample.utid = thread_intern(file, queued->sample.tid);
    }
    thread_set_name_and_process(file, sample.utid, queued->comm, THREAD_NAME_OTHER);
    stack_sample_push(file->import->stacks, &sample);
}

/* ---- the file ---- */

/* False when the line is no sample.  Commands are padded on the left, so an indented
 * line can be one. */
static bool open_sample(struct state *state, struct str line)
{
    struct queued next = {.callsite = NULL_UINT32};
    if (!perf_script_read_sample(line, &next.sample, &state->comm)) return false;
    close_sample(state, line);
    /* Records that `--show-mmap-events` and its like print between the samples. */
    if (str_starts(str_trim(next.sample.rest), STR("PERF_RECORD_"))) return true;
    next.comm = strpool_intern(state->file->import->strings, buffer_str(&state->comm));
    state->open = next;
    state->is_open = true;
    vec_clear(&state->frames);
    return true;
}

static void read_line(struct state *state, struct str line)
{
    struct perf_script_frame frame;
    if (str_trim(line).n == 0) {
        close_sample(state, line);
        return;
    }
    if (line.p[0] == '#' || open_sample(state, line)) return;
    bool is_indented = line.p[0] == ' ' || line.p[0] == '\t';
    if (!state->is_open || !is_indented) {
        log_damage(state, STAT_perfetty_input_corrupt, line, "unable to parse sample line");
        return;
    }
    /* Without an address it tells more of the frame before: where its source is. */
    if (!perf_script_has_address(line)) return;
    const char *wrong = perf_script_read_frame(line, &frame);
    if (wrong)
        log_damage(state, STAT_perfetty_input_corrupt, line, wrong);
    else if (state->frames.count < MAX_FRAMES)
        vec_push(&state->frames, frame);
}

/* The frames of a sample that is cut off are entered all the same. */
static void close_file(struct state *state)
{
    struct str end = {state->bytes.p + state->bytes.n, 0};
    if (state->is_open && state->frames.count > 0) {
        intern_callsite(state);
        log_damage(state, STAT_perfetty_input_truncated, end, "the last sample does not end");
    } else {
        close_sample(state, end);
    }
}

static void finish(struct import_file *file)
{
    struct state *state = file->state;
    if (!state) return;
    vec_free(&state->frames);
    buffer_free(&state->comm);
    mem_free(state);
    file->state = NULL;
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    (void)st;
    struct state *state = mem_zero(1, sizeof *state);
    state->file = file;
    state->bytes = bytes;
    state->damage.file = file;
    state->queue = sorter_add_queue(file->import->sorter);
    state->sink = sorter_add_sink(file->import->sorter, parse, state);
    file->state = state;
    struct str rest = bytes, line;
    size_t reported = 0;
    uint64_t n_lines = 0;
    while (rest.n > 0 && str_split_next(&rest, '\n', &line)) {
        if (line.n > 0 && line.p[line.n - 1] == '\r') line.n--;
        read_line(state, line);
        if (++n_lines % POLL_EVERY != 0) continue;
        size_t done = bytes.n - rest.n;
        import_progress(file->import, done - reported);
        reported = done;
        if (cancel_is_requested(file->import->cancel)) return true;
    }
    close_file(state);
    return true;
}

/* Comments of `--header` are passed by, which the reference does not do. */
static bool sniff(struct str bytes)
{
    struct perf_script_sample sample;
    struct str rest = bytes, line;
    size_t newline;
    for (int i = 0; i < MAX_COMMENT && str_find_byte(str_slice(rest, 0, 1 << 16), '\n', &newline);
         i++) {
        str_split_next(&rest, '\n', &line);
        if (i > 0 && str_trim(line).n == 0) continue;
        if (line.n == 0 || line.p[0] != '#') return perf_script_read_sample(line, &sample, NULL);
    }
    return false;
}

const struct importer importer_perf_script = {
    .name = "perf_text",
    .detection_priority = 195,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_MONOTONIC,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
