/* Transitions of Android's shell, from one window to the next (proto
 * shell_transition).  Several packets tell of one transition; what a later one says
 * counts. */
#include "engine/import/winscope.h"

#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"

enum transition_field {
    TRANSITION_ID = 1,
    TRANSITION_CREATE = 2,
    TRANSITION_SEND = 3,
    TRANSITION_DISPATCH = 4,
    TRANSITION_MERGE = 5,
    TRANSITION_SHELL_ABORT = 7,
    TRANSITION_WM_ABORT = 8,
    TRANSITION_FINISH = 9,
    TRANSITION_START_TRANSACTION = 10,
    TRANSITION_FINISH_TRANSACTION = 11,
    TRANSITION_HANDLER = 12,
    TRANSITION_TYPE = 13,
    TRANSITION_TARGET = 14,
    TRANSITION_FLAGS = 16,
};

static struct winscope_transition *transition_of(struct winscope *w, int32_t id)
{
    bool is_new;
    uint64_t *at =
        map_put_if_absent(&w->transition_of, (uint32_t)id, w->transitions.count, &is_new);
    if (is_new) {
        struct winscope_transition fresh = {.row.transition_id = id};
        vec_push(&w->transitions, fresh);
    }
    return &w->transitions.items[*at];
}

static void take_number(struct opt_int64 *to, const struct ftrace_fields *f, uint32_t field)
{
    if (field_has(f, field)) *to = some_int64(field_int(f, field));
}

/* Zero stands for "did not happen". */
static bool take_time(struct opt_int64 *to, const struct ftrace_fields *f, uint32_t field)
{
    if (field_int(f, field) <= 0) return false;
    *to = some_int64(field_int(f, field));
    return true;
}

static void read_row(struct winscope *w, struct window_manager_shell_transitions_row *row,
                     const struct ftrace_fields *f)
{
    if (field_has(f, TRANSITION_TYPE))
        row->transition_type = some_uint32((uint32_t)field_uint(f, TRANSITION_TYPE));
    if (field_has(f, TRANSITION_FLAGS))
        row->flags = some_uint32((uint32_t)field_uint(f, TRANSITION_FLAGS));
    if (field_has(f, TRANSITION_HANDLER))
        row->handler = some_int64((int32_t)field_int(f, TRANSITION_HANDLER));
    take_number(&row->create_time_ns, f, TRANSITION_CREATE);
    take_number(&row->dispatch_time_ns, f, TRANSITION_DISPATCH);
    take_number(&row->send_time_ns, f, TRANSITION_SEND);
    take_number(&row->start_transaction_id, f, TRANSITION_START_TRANSACTION);
    take_number(&row->finish_transaction_id, f, TRANSITION_FINISH_TRANSACTION);
    if (field_has(f, TRANSITION_DISPATCH))
        row->ts = field_int(f, TRANSITION_DISPATCH);
    else if (field_has(f, TRANSITION_SEND) && row->ts == 0)
        row->ts = field_int(f, TRANSITION_SEND);
    if (take_time(&row->finish_time_ns, f, TRANSITION_FINISH))
        row->status = winscope_word(w, "played");
    bool shell_aborts = take_time(&row->shell_abort_time_ns, f, TRANSITION_SHELL_ABORT);
    bool wm_aborts = take_time(&row->wm_abort_time_ns, f, TRANSITION_WM_ABORT);
    if (shell_aborts || wm_aborts) row->status = winscope_word(w, "aborted");
    if (take_time(&row->merge_time_ns, f, TRANSITION_MERGE))
        row->status = winscope_word(w, "merged");
    if (row->finish_time_ns.has && row->send_time_ns.has)
        row->duration_ns = some_int64(
            (int64_t)((uint64_t)row->finish_time_ns.value - (uint64_t)row->send_time_ns.value));
}

static void put_participant(struct winscope *w, int32_t id, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct window_manager_shell_transition_participants_row row = {
        .transition_id = id,
        .mode = {field_has(&f, 1), (uint32_t)field_uint(&f, 1)},
        .layer_id = {field_has(&f, 2), (uint32_t)field_uint(&f, 2)},
        .window_id = {field_has(&f, 3), (uint32_t)field_uint(&f, 3)},
        .flags = {field_has(&f, 4), (uint32_t)field_uint(&f, 4)},
    };
    window_manager_shell_transition_participants_append(
        &w->file->import->tables->window_manager_shell_transition_participants, &row);
}

void winscope_transition(struct winscope *w, struct str bytes)
{
    struct tables *tables = w->file->import->tables;
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    int32_t id = (int32_t)field_int(&f, TRANSITION_ID);
    const struct window_manager_shell_transition_protos_row proto = {id, winscope_proto(w, bytes)};
    window_manager_shell_transition_protos_append(&tables->window_manager_shell_transition_protos,
                                                  &proto);
    struct winscope_transition *transition = transition_of(w, id);
    w->writer.list = &transition->args;
    winscope_put(w, "ShellTransition", bytes);
    w->writer.list = &w->args;
    read_row(w, &transition->row, &f);
    struct wire wire = wire_open(bytes);
    struct wire_field part;
    while (wire_next(&wire, &part))
        if (part.number == TRANSITION_TARGET && part.type == WIRE_BYTES)
            put_participant(w, id, part.bytes);
    if (wire.bad) stats_add(w->file, STAT_perfetty_packet_parts_invalid, 1);
}

void winscope_transition_handlers(struct winscope *w, struct str bytes)
{
    struct tables *tables = w->file->import->tables;
    struct opt_uint32 proto = winscope_proto(w, bytes);
    struct wire wire = wire_open(bytes);
    struct wire_field f, id, name;
    while (wire_next(&wire, &f)) {
        if (f.number != 1 || f.type != WIRE_BYTES) continue;
        wire_find(f.bytes, 1, &id);
        wire_find(f.bytes, 2, &name);
        const struct window_manager_shell_transition_handlers_row row = {
            (int32_t)id.value, winscope_text(w, name.bytes), proto};
        window_manager_shell_transition_handlers_append(
            &tables->window_manager_shell_transition_handlers, &row);
    }
    if (wire.bad) stats_add(w->file, STAT_perfetty_packet_parts_invalid, 1);
}

void winscope_transitions_finish(struct winscope *w)
{
    struct import *import = w->file->import;
    for (size_t i = 0; i < w->transitions.count; i++) {
        struct winscope_transition *transition = &w->transitions.items[i];
        if (transition->args.count)
            transition->row.arg_set_id = opt_row(args_commit(import->args, &transition->args));
        window_manager_shell_transitions_append(&import->tables->window_manager_shell_transitions,
                                                &transition->row);
        vec_free(&transition->args);
    }
    vec_free(&w->transitions);
    map_free(&w->transition_of);
}
