#include "engine/base/thread.h"

#include <assert.h>
#include <signal.h>
#include <time.h>

#include "engine/base/memory.h"

#define MUST(call) \
    do { \
        int error_ = (call); \
        assert(error_ == 0); \
        (void)error_; \
    } while (0)

void mutex_init(struct mutex *m)
{
    MUST(pthread_mutex_init(&m->lock, NULL));
}

void mutex_destroy(struct mutex *m)
{
    MUST(pthread_mutex_destroy(&m->lock));
}

void mutex_lock(struct mutex *m)
{
    MUST(pthread_mutex_lock(&m->lock));
}

void mutex_unlock(struct mutex *m)
{
    MUST(pthread_mutex_unlock(&m->lock));
}

void condition_init(struct condition *c)
{
    pthread_condattr_t attributes;
    MUST(pthread_condattr_init(&attributes));
    MUST(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
    MUST(pthread_cond_init(&c->cond, &attributes));
    MUST(pthread_condattr_destroy(&attributes));
}

void condition_destroy(struct condition *c)
{
    MUST(pthread_cond_destroy(&c->cond));
}

void condition_wait(struct condition *c, struct mutex *m)
{
    MUST(pthread_cond_wait(&c->cond, &m->lock));
}

bool condition_wait_ms(struct condition *c, struct mutex *m, int64_t timeout_ms)
{
    int64_t until = clock_now_ns() + timeout_ms * 1000000;
    struct timespec at = {(time_t)(until / 1000000000), (long)(until % 1000000000)};
    return pthread_cond_timedwait(&c->cond, &m->lock, &at) == 0;
}

void condition_wake_all(struct condition *c)
{
    MUST(pthread_cond_broadcast(&c->cond));
}

void rwlock_init(struct rwlock *l)
{
    MUST(pthread_rwlock_init(&l->lock, NULL));
}

void rwlock_destroy(struct rwlock *l)
{
    MUST(pthread_rwlock_destroy(&l->lock));
}

void rwlock_read(struct rwlock *l)
{
    MUST(pthread_rwlock_rdlock(&l->lock));
}

void rwlock_write(struct rwlock *l)
{
    MUST(pthread_rwlock_wrlock(&l->lock));
}

void rwlock_unlock(struct rwlock *l)
{
    MUST(pthread_rwlock_unlock(&l->lock));
}

struct os_thread {
    pthread_t id;
    void (*run)(void *);
    void *argument;
};

static void *enter(void *pointer)
{
    struct os_thread *thread = pointer;
    thread->run(thread->argument);
    return NULL;
}

struct os_thread *os_thread_start(void (*run)(void *), void *argument)
{
    struct os_thread *thread = mem_alloc(sizeof *thread);
    thread->run = run;
    thread->argument = argument;
    sigset_t all, before;
    sigfillset(&all);
    /* A fault must still kill the process with its true status. */
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGABRT);
    MUST(pthread_sigmask(SIG_BLOCK, &all, &before));
    MUST(pthread_create(&thread->id, NULL, enter, thread));
    MUST(pthread_sigmask(SIG_SETMASK, &before, NULL));
    return thread;
}

void os_thread_join(struct os_thread *thread)
{
    if (!thread) return;
    MUST(pthread_join(thread->id, NULL));
    mem_free(thread);
}

int64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
