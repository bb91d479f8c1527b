#include "engine/worker.h"

#include "engine/base/memory.h"

struct job {
    void (*run)(void *argument, struct cancel *cancel);
    void *argument;
    void (*dispose)(void *argument);
    struct cancel cancel;
    struct worker *worker;
    struct job *next;   /* in the worker's queue */
    atomic_bool done;   /* has run, or was dropped */
    atomic_int holders; /* the poster and the worker; the last one frees */
};

struct worker {
    struct mutex lock;
    struct condition changed; /* a job was posted or is done */
    struct job *first, *last; /* waiting */
    struct job *running;
    bool stopping;
    void (*notify)(void *context);
    void *context;
    struct os_thread *thread;
};

static void drop(struct job *job)
{
    if (atomic_fetch_sub(&job->holders, 1) != 1) return;
    if (job->dispose) job->dispose(job->argument);
    mem_free(job);
}

/* With the lock held; takes it off only while the job runs. */
static void run_next(struct worker *worker)
{
    struct job *job = worker->first;
    worker->first = job->next;
    if (!worker->first) worker->last = NULL;
    worker->running = job;
    bool wanted = !worker->stopping && !cancel_is_requested(&job->cancel);
    mutex_unlock(&worker->lock);
    if (wanted) job->run(job->argument, &job->cancel);
    mutex_lock(&worker->lock);
    worker->running = NULL;
    atomic_store(&job->done, true);
    condition_wake_all(&worker->changed);
    mutex_unlock(&worker->lock);
    drop(job);
    worker_notify(worker);
    mutex_lock(&worker->lock);
}

static void worker_main(void *argument)
{
    struct worker *worker = argument;
    mutex_lock(&worker->lock);
    for (;;) {
        if (worker->first)
            run_next(worker);
        else if (worker->stopping)
            break;
        else
            condition_wait(&worker->changed, &worker->lock);
    }
    mutex_unlock(&worker->lock);
}

struct worker *worker_new(void (*notify)(void *context), void *context)
{
    struct worker *worker = mem_zero(1, sizeof *worker);
    mutex_init(&worker->lock);
    condition_init(&worker->changed);
    worker->notify = notify;
    worker->context = context;
    worker->thread = os_thread_start(worker_main, worker);
    return worker;
}

void worker_free(struct worker *worker)
{
    if (!worker) return;
    mutex_lock(&worker->lock);
    worker->stopping = true;
    if (worker->running) cancel_request(&worker->running->cancel);
    condition_wake_all(&worker->changed);
    mutex_unlock(&worker->lock);
    os_thread_join(worker->thread);
    condition_destroy(&worker->changed);
    mutex_destroy(&worker->lock);
    mem_free(worker);
}

struct job *worker_post(struct worker *worker, void (*run)(void *argument, struct cancel *cancel),
                        void *argument, void (*dispose)(void *argument))
{
    struct job *job = mem_zero(1, sizeof *job);
    job->run = run;
    job->argument = argument;
    job->dispose = dispose;
    job->worker = worker;
    atomic_store(&job->holders, 2);
    mutex_lock(&worker->lock);
    if (worker->last)
        worker->last->next = job;
    else
        worker->first = job;
    worker->last = job;
    condition_wake_all(&worker->changed);
    mutex_unlock(&worker->lock);
    return job;
}

bool job_is_done(const struct job *job)
{
    return atomic_load(&((struct job *)(uintptr_t)job)->done);
}

/* A job that is not done has a worker: worker_free ends every job first. */
void job_wait(struct job *job)
{
    if (job_is_done(job)) return;
    struct worker *worker = job->worker;
    mutex_lock(&worker->lock);
    while (!job_is_done(job))
        condition_wait(&worker->changed, &worker->lock);
    mutex_unlock(&worker->lock);
}

/* With the lock held: takes a job that waits out of the queue. */
static bool unlink_job(struct worker *worker, struct job *job)
{
    struct job **at = &worker->first, *before = NULL;
    while (*at && *at != job) {
        before = *at;
        at = &before->next;
    }
    if (!*at) return false;
    *at = job->next;
    if (worker->last == job) worker->last = before;
    return true;
}

void job_cancel(struct job *job)
{
    cancel_request(&job->cancel);
    if (job_is_done(job)) return;
    struct worker *worker = job->worker;
    mutex_lock(&worker->lock);
    bool waited = unlink_job(worker, job);
    if (waited) {
        atomic_store(&job->done, true);
        condition_wake_all(&worker->changed);
    }
    mutex_unlock(&worker->lock);
    if (waited) drop(job);
}

void job_hold(struct job *job)
{
    atomic_fetch_add(&job->holders, 1);
}

void job_release(struct job *job)
{
    if (job) drop(job);
}

bool worker_is_idle(const struct worker *worker)
{
    struct worker *w = (struct worker *)(uintptr_t)worker;
    mutex_lock(&w->lock);
    bool idle = !w->first && !w->running;
    mutex_unlock(&w->lock);
    return idle;
}

void worker_notify(struct worker *worker)
{
    if (worker->notify) worker->notify(worker->context);
}
