/* The bundled example: an app start on a phone, about three seconds, with CPU
 * samples in a second file and the extensions that make sense of it.
 *
 * The story (app_start.c) is told to a simulated machine (sim.h) as programs of
 * threads; example.c writes down what happens.  gen_example_* give the members,
 * gen_example_archive the zip that is built as example.zip.
 */
#ifndef TESTS_GEN_EXAMPLE_H
#define TESTS_GEN_EXAMPLE_H

#include <stdint.h>

#include "engine/base/buffer.h"
#include "tests/gen/sim.h"

/* Codes of SIM_EVENT: what the threads of the example do besides running. */
enum example_event {
    EXAMPLE_BEGIN, /* atrace slices on the thread: text */
    EXAMPLE_END,
    EXAMPLE_ASYNC_BEGIN, /* text, cookie = value */
    EXAMPLE_ASYNC_END,
    EXAMPLE_TRACK_BEGIN, /* text "track|name", cookie = value */
    EXAMPLE_TRACK_END,   /* text "track" */
    EXAMPLE_COUNTER,     /* text, value */
    EXAMPLE_INSTANT,
    EXAMPLE_BENCH_BEGIN,  /* a frame in the app's own words: text is a label, value the frame */
    EXAMPLE_BENCH_END,    /* value: the frame */
    EXAMPLE_RENDER_BEGIN, /* the same frame on the render thread: the flow's end */
    EXAMPLE_RENDER_END,
    EXAMPLE_APP_BEGIN, /* a track event slice: text */
    EXAMPLE_APP_END,
    EXAMPLE_IMAGE_BEGIN, /* a slice on the thread's lane of "Image loads" */
    EXAMPLE_IMAGE_END,
    EXAMPLE_HEAP,        /* heap size counter: value bytes */
    EXAMPLE_BINDER_CALL, /* value: transaction, text "pid:tid" of the callee */
    EXAMPLE_BINDER_RECEIVED,
    EXAMPLE_BINDER_REPLY,
    EXAMPLE_LOG, /* value: priority, text "tag|message" */
};

enum { EXAMPLE_MS = 1000000 };
#define EXAMPLE_START_NS INT64_C(5432100000000)
#define EXAMPLE_END_NS   (EXAMPLE_START_NS + INT64_C(3050) * EXAMPLE_MS)

struct gen_example {
    struct buffer trace;      /* Perfetto */
    struct buffer simpleperf; /* its CPU samples */
    struct buffer descriptor; /* FileDescriptorSet of BenchInfo */
    struct buffer sidecar;    /* perfetto_metadata.json */
};

/* Adds the story's programs to the threads of phone.h. */
void example_add_story(struct sim *sim);

void gen_example_make(struct gen_example *example);
void gen_example_free(struct gen_example *example);
void gen_example_archive(struct buffer *out);
/* The same with a startup command that no trace may run. */
void gen_example_archive_forbidden(struct buffer *out);
/* The trace alone. */
void gen_example_trace(struct buffer *out);

#endif
