/* The kernel's graphics scheduler: vertical blanks, jobs and their fences
 * (spec engine_2 2.3).
 *
 * Drivers run the jobs of a ring one after the other though they are handed over
 * early: a job's slice begins when the one before it on the ring has ended. */
#include "engine/import/ftrace_handlers.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/ftrace_track.h"

#define MAX_JOBS 65536

struct drm_job {
    uint64_t fence, id, context, seqno;
    uint32_t queue_slice;
    bool has_id;
};

struct drm_ring {
    uint32_t track;
    uint32_t running;         /* slice */
    VEC(struct drm_job) jobs; /* handed over, the first one runs */
};

struct ftrace_drm {
    struct map ring_by_name; /* string id -> index */
    struct map ring_by_fence;
    struct map queue_slice_by_fence;
    VEC(struct drm_ring) rings;
};

void ftrace_drm_free(struct ftrace_drm *drm)
{
    if (!drm) return;
    for (size_t i = 0; i < drm->rings.count; i++)
        vec_free(&drm->rings.items[i].jobs);
    vec_free(&drm->rings);
    map_free(&drm->ring_by_name);
    map_free(&drm->ring_by_fence);
    map_free(&drm->queue_slice_by_fence);
    mem_free(drm);
}

static struct ftrace_drm *drm_of(const struct ftrace_event *event)
{
    struct ftrace *ftrace = event->ftrace;
    if (!ftrace->drm) ftrace->drm = mem_zero(1, sizeof *ftrace->drm);
    return ftrace->drm;
}

static void show_vblank(const struct ftrace_event *event, int32_t crtc, uint64_t seqno,
                        const char *what)
{
    char name[32];
    probe_format(name, sizeof name, "vblank-%d", (int)crtc);
    uint32_t track = ftrace_track(event, "drm_vblank", "drm_crtc", crtc, name);
    ftrace_arg_uint(event, "vblank seqno", seqno);
    ftrace_instant(event, track, NULL, ftrace_intern(event, what), &event->ftrace->args);
}

void ftrace_on_vblank(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    bool is_signal = event->id == 409;
    show_vblank(event, (int32_t)field_int(&f, 1), field_uint(&f, 3),
                is_signal ? "signal" : "deliver");
}

/* Jobs of kernels from 6.17 on are named by their fence's context and number. */
static struct drm_job read_job(const struct ftrace_event *event, const struct ftrace_fields *f)
{
    struct drm_job job = {.queue_slice = NO_SLICE};
    switch (event->id) {
    case 411:
    case 412:
        job.fence = field_uint(f, 2);
        job.id = field_uint(f, 4);
        job.has_id = true;
        break;
    case 413: job.fence = field_uint(f, 1); break;
    case 592:
        job.context = field_uint(f, 1);
        job.seqno = field_uint(f, 2);
        break;
    default:
        job.context = field_uint(f, 5);
        job.seqno = field_uint(f, 6);
        break;
    }
    if (!job.fence) job.fence = hash_mix(hash_mix(1, job.context), job.seqno);
    return job;
}

static struct arg_list *put_job(const struct ftrace_event *event, const struct drm_job *job)
{
    if (job->has_id) {
        ftrace_arg_uint(event, "gpu sched job", job->id);
    } else {
        ftrace_arg_uint(event, "fence context", job->context);
        ftrace_arg_uint(event, "fence seqno", job->seqno);
    }
    return &event->ftrace->args;
}

/* Index of the ring, made when it is new. */
static uint64_t find_ring(const struct ftrace_event *event, struct str name)
{
    struct ftrace_drm *drm = drm_of(event);
    bool added;
    string_id id = strpool_intern(event->import->strings, name);
    uint64_t *index = map_put_if_absent(&drm->ring_by_name, id, drm->rings.count, &added);
    uint64_t found = *index;
    if (added) {
        char text[128];
        probe_format(text, sizeof text, "sched-%.*s", STR_ARG(name));
        struct drm_ring ring = {
            .track = ftrace_track_of_text(event, "drm_sched_ring", "name", name, text),
            .running = NO_SLICE};
        vec_push(&drm->rings, ring);
    }
    return found;
}

static void begin_first(const struct ftrace_event *event, struct drm_ring *ring)
{
    const struct drm_job *job = &ring->jobs.items[0];
    ring->running =
        ftrace_begin(event, ring->track, NULL, ftrace_intern(event, "job"), put_job(event, job));
    if (job->queue_slice != NO_SLICE && ring->running != NO_SLICE)
        flow_insert(event->file, job->queue_slice, ring->running, (struct opt_int64){0});
}

/* drm_sched_job, drm_sched_job_queue: a thread asks for work. */
void ftrace_on_drm_queue(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct drm_job job = read_job(event, &f);
    struct str ring = field_str(&f, event->id == 411 ? 6 : 1);
    ftrace_arg_text(event, "gpu sched ring", ring);
    uint32_t slice =
        ftrace_instant(event, ftrace_thread_track(event), NULL,
                       ftrace_intern(event, "drm_sched_job_queue"), put_job(event, &job));
    map_set(&drm_of(event)->queue_slice_by_fence, job.fence, slice);
}

/* drm_run_job, drm_sched_job_run: the ring gets it. */
void ftrace_on_drm_run(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct ftrace_drm *drm = drm_of(event);
    struct drm_job job = read_job(event, &f);
    uint64_t index = find_ring(event, field_str(&f, event->id == 412 ? 6 : 1));
    struct drm_ring *ring = &drm->rings.items[index];
    uint64_t *slice = map_get(&drm->queue_slice_by_fence, job.fence);
    if (slice) job.queue_slice = (uint32_t)*slice;
    if (ring->jobs.count >= MAX_JOBS) return;
    map_set(&drm->ring_by_fence, job.fence, index);
    vec_push(&ring->jobs, job);
    if (ring->jobs.count == 1) begin_first(event, ring);
}

/* drm_sched_process_job, drm_sched_job_done: its fence is signalled. */
void ftrace_on_drm_done(const struct ftrace_event *event)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, event->body);
    struct ftrace_drm *drm = drm_of(event);
    struct drm_job done = read_job(event, &f);
    uint64_t *index = map_get(&drm->ring_by_fence, done.fence);
    if (!index) return;
    struct drm_ring *ring = &drm->rings.items[*index];
    map_remove(&drm->ring_by_fence, done.fence);
    size_t at = 0;
    while (at < ring->jobs.count && ring->jobs.items[at].fence != done.fence)
        at++;
    if (at == ring->jobs.count) return;
    memmove(&ring->jobs.items[at], &ring->jobs.items[at + 1],
            (ring->jobs.count - at - 1) * sizeof ring->jobs.items[0]);
    ring->jobs.count--;
    if (at != 0) return;
    ftrace_end(event, ring->track, NULL, NULL);
    if (ring->jobs.count) begin_first(event, ring);
}
