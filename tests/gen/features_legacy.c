#include "tests/gen/features.h"

#include "tests/gen/event.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

#define START GEN_FEATURES_START

enum { MAIN = 101 };

struct legacy {
    char phase;
    int64_t at_us, dur_us;
    const char *name;
    uint64_t unscoped_id, local_id, global_id;
    const char *id_scope;
    unsigned instant_scope; /* 1 global, 2 process, 3 thread */
    uint64_t bind_id;
    unsigned direction; /* 1 in, 2 out */
    bool bind_to_enclosing;
};

static void put(struct gen_seq *seq, const struct legacy *l)
{
    gen_event_open(seq, START + l->at_us * 1000, GEN_EVENT_NONE, MAIN);
    gen_event_category(seq, "old");
    uint64_t name = gen_seq_intern(seq, GEN_INTERNED_NAME, l->name);
    struct buffer *b = gen_event_body(seq);
    size_t legacy = gen_open(b, 6);
    gen_uint(b, 1, name);
    gen_uint(b, 2, (uint64_t)l->phase);
    if (l->dur_us) gen_int(b, 3, l->dur_us);
    if (l->unscoped_id) gen_uint(b, 6, l->unscoped_id);
    gen_text(b, 7, l->id_scope);
    if (l->bind_id) gen_uint(b, 8, l->bind_id);
    if (l->local_id) gen_uint(b, 10, l->local_id);
    if (l->global_id) gen_uint(b, 11, l->global_id);
    if (l->bind_to_enclosing) gen_uint(b, 12, 1);
    if (l->direction) gen_uint(b, 13, l->direction);
    if (l->instant_scope) gen_uint(b, 14, l->instant_scope);
    gen_close(b, legacy);
    gen_event_close(seq);
}

/* Each phase once or twice, all from the thread 10/10. */
void gen_write_legacy_events(struct buffer *out)
{
    static const struct legacy EVENTS[] = {
        {.phase = 'B', .at_us = 0, .name = "begin"},
        {.phase = 'I', .at_us = 2, .name = "in thread", .instant_scope = 3},
        {.phase = 'E', .at_us = 5, .name = "begin"},
        {.phase = 'X', .at_us = 10, .dur_us = 7, .name = "complete"},
        {.phase = 'I', .at_us = 20, .name = "in process", .instant_scope = 2},
        {.phase = 'I', .at_us = 21, .name = "everywhere", .instant_scope = 1},
        {.phase = 'R', .at_us = 22, .name = "mark", .instant_scope = 2},
        {.phase = 'b', .at_us = 30, .name = "async", .local_id = 1},
        {.phase = 'n', .at_us = 31, .name = "async", .local_id = 1},
        {.phase = 'e', .at_us = 35, .name = "async", .local_id = 1},
        {.phase = 'b', .at_us = 32, .name = "global", .global_id = 1, .id_scope = "scope"},
        {.phase = 'e', .at_us = 39, .name = "global", .global_id = 1, .id_scope = "scope"},
        {.phase = 'S', .at_us = 40, .name = "oldest", .unscoped_id = 5},
        {.phase = 'T', .at_us = 41, .name = "oldest", .unscoped_id = 5},
        {.phase = 'F', .at_us = 45, .name = "oldest", .unscoped_id = 5},
        {.phase = 'X', .at_us = 50, .dur_us = 5, .name = "out"},
        {.phase = 's', .at_us = 51, .name = "flow", .unscoped_id = 77},
        {.phase = 'X', .at_us = 60, .dur_us = 5, .name = "in"},
        {.phase = 'f', .at_us = 61, .name = "flow", .unscoped_id = 77, .bind_to_enclosing = true},
        {.phase = 'X', .at_us = 70, .dur_us = 5, .name = "bound", .bind_id = 9, .direction = 2},
        {.phase = 'X', .at_us = 80, .dur_us = 5, .name = "bound", .bind_id = 9, .direction = 1},
        {.phase = '?', .at_us = 90, .name = "no such phase"},
    };
    struct gen_seq seq;
    gen_packet_device_clocks(out, START);
    gen_seq_start(&seq, out, 7);
    gen_seq_track(&seq, START,
                  &(struct gen_track){.uuid = MAIN, .pid = 10, .tid = 10, .thread_name = "main"});
    for (size_t i = 0; i < sizeof EVENTS / sizeof EVENTS[0]; i++)
        put(&seq, &EVENTS[i]);
    gen_seq_free(&seq);
}
