/* What the parts of the reader of Windows' events share. */
#ifndef ENGINE_IMPORT_ETW_H
#define ENGINE_IMPORT_ETW_H

#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/ftrace.h"
#include "engine/import/packet.h"
#include "engine/import/probe_track.h"

/* An operation on a file that has no end yet. */
struct etw_operation {
    uint64_t irp; /* the I/O request packet that it is known by */
    int64_t ts;
    uint32_t utid;
    string_id name;
};

struct etw {
    const struct import_file *file; /* NULL before the first bundle */
    uint32_t sink;
    VEC(struct etw_operation) operations;
    struct map operation_of; /* irp -> index in operations */
    struct arg_list args;
};

/* etw_file.c: FileIo events, by their field in EtwTraceEvent. */
void etw_file_event(struct etw *etw, int64_t ts, uint32_t tid, uint32_t field, struct str bytes);
void etw_file_finish(struct etw *etw);

#endif
