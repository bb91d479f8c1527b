/* Method traces of Android's runtime: what their three forms share (spec engine_2c 4).
 *
 * Methods and threads are numbered by the file and may be named after the events
 * that use them; names are looked up when an event is parsed.
 */
#ifndef ENGINE_IMPORT_ART_METHOD_H
#define ENGINE_IMPORT_ART_METHOD_H

#include "engine/base/buffer.h"
#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/damage.h"
#include "engine/import/import.h"

struct art_method {
    string_id name, path; /* path STRING_NULL when not told */
    int64_t line;         /* 0: not told */
};

struct art_trace {
    struct import_file *file;
    struct damage damage;
    uint32_t queue, sink;
    struct map method_index; /* id to number in methods */
    VEC(struct art_method) methods;
    struct map thread_names; /* tid to string id; removed when it was given */
    struct buffer text;
    uint64_t n_events;
};

enum art_action { ART_ENTER, ART_EXIT, ART_UNWIND };

/* Kept in file->state until art_trace_finish. */
struct art_trace *art_trace_new(struct import_file *file);
void art_trace_finish(struct import_file *file);

void art_trace_add_thread(struct art_trace *trace, uint32_t tid, struct str name);
/* Tab-separated: class, then method, signature, file and line, or file and line
 * (fields from `first` on).  False when the line makes no sense. */
bool art_trace_add_method(struct art_trace *trace, uint64_t id, struct str line);
/* The same with the id (hex) in front. */
bool art_trace_add_method_line(struct art_trace *trace, struct str line);
/* At a time of the monotonic clock. */
void art_trace_add_event(struct art_trace *trace, int64_t ns, uint32_t tid, uint64_t method,
                         enum art_action action);

/* Little-endian numbers; the caller has checked that the bytes are there. */
static inline uint64_t art_number(struct str bytes, size_t at, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)(uint8_t)bytes.p[at + i] << (8 * i);
    return value;
}

#endif
