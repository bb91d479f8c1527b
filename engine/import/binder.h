/* Calls between Android processes (spec engine_2 2.3): slices on the threads of
 * both sides, and an arrow from the caller's to the callee's.
 *
 * Used by ftrace events and by systrace text.  Calls come in order of time.
 */
#ifndef ENGINE_IMPORT_BINDER_H
#define ENGINE_IMPORT_BINDER_H

#include "engine/import/import.h"

struct binder_transaction {
    int64_t tid; /* who sends */
    int32_t id, target_node, target_pid, target_tid;
    bool is_reply;
    uint32_t flags;
    struct str code; /* as shown: "0x3 Java Layer Dependent" */
};

struct binder *binder_new(const struct import_file *file);
void binder_free(struct binder *binder);

void binder_send(struct binder *binder, int64_t ts, const struct binder_transaction *t);
void binder_receive(struct binder *binder, int64_t ts, int64_t tid, int32_t id);
void binder_alloc_buffer(struct binder *binder, int64_t ts, int64_t tid, uint64_t data_size,
                         uint64_t offsets_size);
/* What the driver returns to a thread: a failed call ends its slice. */
void binder_return(struct binder *binder, int64_t ts, int64_t tid, uint32_t command);
void binder_lock(struct binder *binder, int64_t ts, int64_t tid);
void binder_locked(struct binder *binder, int64_t ts, int64_t tid);
void binder_unlock(struct binder *binder, int64_t ts, int64_t tid);

#endif
