/* Threads and processes (spec engine_2 2.1): which row a tid or pid means now.
 *
 * utid and upid are rows of thread and process.  Row 0 of each is the host's
 * idle one; tid 0 and pid 0 mean it only in files whose importer says so
 * (process_map_idle).  Names carry a priority: a new one of the same or a higher
 * priority replaces the old.
 */
#ifndef ENGINE_IMPORT_PROCESS_H
#define ENGINE_IMPORT_PROCESS_H

#include "engine/import/args.h"
#include "engine/import/import.h"

enum thread_name_priority {
    THREAD_NAME_OTHER,
    THREAD_NAME_FTRACE,
    THREAD_NAME_PROCESS_TREE,
    THREAD_NAME_TRACK_DESCRIPTOR_TYPE, /* chrome thread type, JSON thread_name */
    THREAD_NAME_TRACK_DESCRIPTOR,
    THREAD_NAME_CONSTANT,
};

enum process_name_priority {
    PROCESS_NAME_OTHER,
    PROCESS_NAME_CHROME_LABEL,
    PROCESS_NAME_TRACK_DESCRIPTOR,
    PROCESS_NAME_CHROME_RENDERER,
    PROCESS_NAME_SYSTEM,
};

struct process_tracker *process_tracker_new(struct import *import);
void process_tracker_free(struct process_tracker *processes);

/* The row of the machine with that raw id, entered with its idle process and
 * thread when it is new. */
uint32_t machine_intern(struct import *import, int64_t raw_id);
/* tid 0 and pid 0 are the idle ones on this machine (proto, systrace). */
void process_map_idle(struct import *import, uint32_t machine_id);

/* Get or create.  A process comes with its main thread. */
uint32_t process_intern(const struct import_file *file, int64_t pid);
uint32_t thread_intern(const struct import_file *file, int64_t tid);
/* The thread tid, known to belong to pid (spec: UpdateThread). */
uint32_t thread_intern_in(const struct import_file *file, int64_t tid, int64_t pid);
/* NULL_UINT32 when unknown. */
uint32_t process_find(const struct import_file *file, int64_t pid);
uint32_t thread_find(const struct import_file *file, int64_t tid);

/* New incarnations. ts_known false leaves start_ts NULL. */
uint32_t process_start(const struct import_file *file, struct opt_int64 ts, int64_t pid,
                       struct opt_uint32 parent_upid, string_id main_thread_name,
                       enum thread_name_priority priority);
uint32_t thread_start(const struct import_file *file, struct opt_int64 ts, int64_t tid,
                      uint32_t parent_utid);
/* sched_process_free: ends the thread, and its process when it is the main one. */
void thread_end(const struct import_file *file, int64_t ts, int64_t tid);

void thread_set_name(const struct import_file *file, uint32_t utid, string_id name,
                     enum thread_name_priority priority);
/* Also names the process when utid is its main thread (rename, comm). */
void thread_set_name_and_process(const struct import_file *file, uint32_t utid, string_id name,
                                 enum thread_name_priority priority);
void process_set_name(const struct import_file *file, uint32_t upid, string_id name,
                      enum process_name_priority priority);
void process_set_parent(const struct import_file *file, uint32_t upid, uint32_t parent_upid);
void process_set_uid(const struct import_file *file, uint32_t upid, uint32_t uid);
void process_set_start(const struct import_file *file, uint32_t upid, int64_t ts);
void process_set_cmdline(const struct import_file *file, uint32_t upid, string_id cmdline);
/* Args of the row; committed at the end of the load. */
void process_put_arg(const struct import_file *file, uint32_t upid, struct arg arg);
void thread_put_arg(const struct import_file *file, uint32_t utid, struct arg arg);

/* NULL_UINT32 while the thread has no process. */
uint32_t thread_process(const struct import_file *file, uint32_t utid);

/* Row of the cpu table (ucpu) for a cpu number of the file's machine. */
uint32_t cpu_intern(const struct import_file *file, uint32_t cpu);
/* The same for who knows no file. */
void cpu_note(struct import *import, uint32_t machine_id, uint32_t cpu);
/* Row of the gpu table (ugpu) for a gpu number of the file's machine. */
uint32_t gpu_intern(const struct import_file *file, uint32_t gpu);

void process_tracker_finish(struct process_tracker *processes);

#endif
