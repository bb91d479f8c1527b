/* Scheduling: sched slices and thread states from switches and wake-ups
 * (spec engine_2 2.3).  Calls come in order of time. */
#ifndef ENGINE_IMPORT_SCHED_H
#define ENGINE_IMPORT_SCHED_H

#include "engine/import/import.h"

struct sched_tracker *sched_tracker_new(struct import *import);
void sched_tracker_free(struct sched_tracker *sched);

struct sched_switch {
    uint32_t cpu;
    int64_t prev_tid;
    string_id prev_state; /* "S", "R+" …; STRING_NULL when unknown */
    uint32_t next_utid;
    int64_t next_tid;
    int32_t next_priority;
};

void sched_push_switch(const struct import_file *file, int64_t ts, const struct sched_switch *s);
/* The thread that runs on the cpu (utid), NULL_UINT32 when unknown. */
uint32_t sched_current(const struct import_file *file, uint32_t cpu);
int64_t sched_current_tid(const struct import_file *file, uint32_t cpu);

void sched_push_waking(const struct import_file *file, int64_t ts, uint32_t utid,
                       uint32_t waker_utid, struct opt_uint32 common_flags);
/* A new thread becomes runnable. */
void sched_push_new_task(const struct import_file *file, int64_t ts, uint32_t utid,
                         uint32_t waker_utid);
void sched_push_blocked_reason(const struct import_file *file, uint32_t utid,
                               struct opt_uint32 io_wait, string_id function);

/* The name of a prev_state mask as the kernel that wrote it means it
 * (version NULL: unknown).  STRING_NULL when it is invalid. */
string_id sched_state_of_mask(struct import *import, int64_t mask, const char *kernel_release);
/* The same from systrace text: "R+", "D|K". */
string_id sched_state_of_text(struct import *import, struct str text);
/* The mask that a kernel before 4.8 would have written for the text. */
int64_t sched_mask_of_text(struct str text);

/* A row of thread_state as given (JSON phase T, generic kernels). */
uint32_t thread_state_push(const struct import_file *file, int64_t ts, int64_t dur, uint32_t utid,
                           string_id state, struct opt_uint32 io_wait, string_id function);

void sched_tracker_finish(struct sched_tracker *sched);

#endif
