/* Locks, workers and the flag that stops them.  The one place that speaks
 * pthreads; its failures are our own mistakes and end in an assert. */
#ifndef ENGINE_BASE_THREAD_H
#define ENGINE_BASE_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A request to stop, set by one thread (or a signal handler) and polled by
 * another. */
struct cancel {
    atomic_bool requested;
};

static inline void cancel_request(struct cancel *cancel)
{
    atomic_store_explicit(&cancel->requested, true, memory_order_relaxed);
}

static inline bool cancel_is_requested(const struct cancel *cancel)
{
    return cancel && atomic_load_explicit(&cancel->requested, memory_order_relaxed);
}

struct mutex {
    pthread_mutex_t lock;
};

struct condition {
    pthread_cond_t cond;
};

struct rwlock {
    pthread_rwlock_t lock;
};

void mutex_init(struct mutex *m);
void mutex_destroy(struct mutex *m);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);

void condition_init(struct condition *c);
void condition_destroy(struct condition *c);
void condition_wait(struct condition *c, struct mutex *m);
/* False when `timeout_ms` passed first. */
bool condition_wait_ms(struct condition *c, struct mutex *m, int64_t timeout_ms);
void condition_wake_all(struct condition *c);

void rwlock_init(struct rwlock *l);
void rwlock_destroy(struct rwlock *l);
void rwlock_read(struct rwlock *l);
void rwlock_write(struct rwlock *l);
void rwlock_unlock(struct rwlock *l);

struct os_thread;
/* All signals are blocked in the new thread; the main thread handles them. */
struct os_thread *os_thread_start(void (*run)(void *), void *argument);
void os_thread_join(struct os_thread *thread); /* and frees it; NULL is fine */

/* Monotonic clock, ns. */
int64_t clock_now_ns(void);

#endif
