/* Android's framework says in track events when a process starts and dies: facts
 * about the process rather than args of the event (spec engine_2 2.2, appendix
 * "Android extension fields"). */
#include "engine/import/track_event.h"

enum {
    PROCESS_START = 2010,
    PROCESS_DIED = 2011,
    BINDER_DIED = 2013,
};

struct process_facts {
    bool has_pid;
    int64_t pid;
    struct opt_uint32 uid;
    struct str name, hosting_name;
    struct opt_int64 bind_delay_ms, start_delay_ms, sequence;
    struct opt_int32 package_uid, caller_uid, defining_uid;
};

static struct process_facts read_facts(struct str bytes)
{
    struct process_facts facts = {0};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        switch (f.number) {
        case 1: facts.uid = some_uint32((uint32_t)f.value); break;
        case 2:
            facts.has_pid = true;
            facts.pid = (int32_t)f.value;
            break;
        case 3: facts.name = f.bytes; break;
        case 4: facts.bind_delay_ms = some_int64((int64_t)f.value); break;
        case 5: facts.start_delay_ms = some_int64((int64_t)f.value); break;
        case 6: facts.hosting_name = f.bytes; break;
        case 10: facts.sequence = some_int64((int64_t)f.value); break;
        case 11: facts.package_uid = some_int32((int32_t)f.value); break;
        case 12: facts.caller_uid = some_int32((int32_t)f.value); break;
        case 13: facts.defining_uid = some_int32((int32_t)f.value); break;
        default: break;
        }
    }
    return facts;
}

static void start(struct track_event *e, struct str bytes)
{
    struct track_events *te = e->te;
    struct strpool *strings = te->import->strings;
    struct process_facts facts = read_facts(bytes);
    if (!facts.has_pid) return;
    uint32_t upid = process_intern(te->file, facts.pid);
    if (facts.name.n)
        process_set_name(te->file, upid, strpool_intern(strings, facts.name), PROCESS_NAME_SYSTEM);
    if (facts.uid.has) process_set_uid(te->file, upid, facts.uid.value);
    bool added;
    uint64_t *row = map_put_if_absent(&te->android_processes, upid, 0, &added);
    if (!added) return;
    *row = android_track_event_process_append(
        &te->import->tables->android_track_event_process,
        &(struct android_track_event_process_row){
            .upid = upid,
            .start_seq_id = facts.sequence,
            .package_uid = facts.package_uid,
            .caller_uid = facts.caller_uid,
            .defining_uid = facts.defining_uid,
            .fw_start_ts = some_int64(e->ts),
            .hosting_name = strpool_intern(strings, facts.hosting_name),
            .bind_application_delay_ms = facts.bind_delay_ms,
            .process_start_delay_ms = facts.start_delay_ms,
        });
}

static void end(struct track_event *e, struct str bytes)
{
    struct track_events *te = e->te;
    struct process_facts facts = read_facts(bytes);
    uint32_t upid = facts.has_pid ? process_find(te->file, facts.pid) : NULL_UINT32;
    if (upid == NULL_UINT32) return;
    const uint64_t *row = map_get(&te->android_processes, upid);
    if (row)
        table_set_int64(&te->import->tables->android_track_event_process.table,
                        android_track_event_process_COLUMN_fw_end_ts, (uint32_t)*row, e->ts);
    thread_end(te->file, e->ts, facts.pid);
}

bool track_event_take_android(struct track_event *e, const struct wire_field *f)
{
    if (!wire_is_bytes(f)) return false;
    switch (f->number) {
    case PROCESS_START: start(e, f->bytes); return true;
    case PROCESS_DIED:
    case BINDER_DIED: end(e, f->bytes); return true;
    default: return false;
    }
}
