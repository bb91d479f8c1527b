/* Transactions of SurfaceFlinger: what clients asked to change, by layer and display
 * (proto surfaceflinger_transactions). */
#include "engine/import/winscope.h"

#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"

enum { STATE_APPLY_TOKEN = 10, STATE_BARRIERS = 11 };

static void append(struct winscope *w, const struct surfaceflinger_transaction_row *row)
{
    surfaceflinger_transaction_append(&w->file->import->tables->surfaceflinger_transaction, row);
}

/* The names of the bits that are set, one row each. */
static void put_flags(struct winscope *w, uint32_t id, const char *enumeration, uint32_t bits)
{
    struct import *import = w->file->import;
    const struct proto_enum *names = descriptor_pool_enum(import->descriptors, str_of(enumeration));
    for (unsigned bit = 0; names && bit < 32; bit++) {
        if (!(bits >> bit & 1)) continue;
        struct str name =
            descriptor_pool_enum_name(import->descriptors, names, (int32_t)(UINT32_C(1) << bit));
        if (!name.p) continue;
        const struct surfaceflinger_transaction_flag_row row = {some_uint32(id),
                                                                winscope_text(w, name)};
        surfaceflinger_transaction_flag_append(&import->tables->surfaceflinger_transaction_flag,
                                               &row);
    }
}

/* Layers and displays that changed the same way share their flags. */
static struct opt_uint32 flags_of(struct winscope *w, bool is_layer, const struct ftrace_fields *f)
{
    struct map *known = is_layer ? &w->layer_flags : &w->display_flags;
    uint64_t what = is_layer ? field_uint(f, 2) : (uint32_t)field_uint(f, 2);
    uint32_t id = (uint32_t)(w->layer_flags.count + w->display_flags.count);
    bool is_new;
    if (!field_has(f, 2)) return (struct opt_uint32){0};
    uint64_t *at = map_put_if_absent(known, what, id, &is_new);
    if (!is_new) return some_uint32((uint32_t)*at);
    if (is_layer) {
        put_flags(w, id, "perfetto.protos.LayerState.ChangesLsb", (uint32_t)what);
        put_flags(w, id, "perfetto.protos.LayerState.ChangesMsb", (uint32_t)(what >> 32));
    } else {
        put_flags(w, id, "perfetto.protos.DisplayState.Changes", (uint32_t)what);
    }
    return some_uint32(id);
}

/* Of the whole transaction: its token and what it waits for. */
static void put_transaction_args(struct winscope *w, struct str transaction)
{
    const struct descriptor_pool *pool = w->file->import->descriptors;
    const struct proto_message *message =
        descriptor_pool_message(pool, STR("perfetto.protos.TransactionState"));
    struct wire wire = wire_open(transaction);
    struct wire_field f;
    uint64_t barriers = 0;
    while (message && wire_next(&wire, &f)) {
        if (f.number != STATE_APPLY_TOKEN && f.number != STATE_BARRIERS) continue;
        const struct proto_field *field = descriptor_pool_field(pool, message, f.number);
        if (field) arg_writer_field(&w->writer, field, &f, &barriers);
    }
}

static void put_change(struct winscope *w, struct surfaceflinger_transaction_row row, bool is_layer,
                       struct str change, struct str transaction)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, change);
    if (is_layer)
        row.layer_id = some_uint32((uint32_t)field_uint(&f, 1));
    else
        row.display_id = some_uint32((uint32_t)field_uint(&f, 1));
    row.flags_id = flags_of(w, is_layer, &f);
    row.base64_proto_id = winscope_proto(w, change);
    vec_clear(&w->args);
    winscope_put(w, is_layer ? "LayerState" : "DisplayState", change);
    if (transaction.p) put_transaction_args(w, transaction);
    row.arg_set_id = winscope_commit(w);
    append(w, &row);
}

static void put_transaction(struct winscope *w, uint32_t snapshot, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct surfaceflinger_transaction_row row = {
        .snapshot_id = snapshot,
        .transaction_id = some_int64(field_int(&f, 6)),
        .pid = some_uint32((uint32_t)field_uint(&f, 1)),
        .uid = some_uint32((uint32_t)field_uint(&f, 2)),
    };
    for (uint32_t number = 7; number <= 8; number++) {
        struct wire wire = wire_open(bytes);
        struct wire_field part;
        bool is_layer = number == 7;
        row.transaction_type = winscope_word(w, is_layer ? "LAYER_CHANGED" : "DISPLAY_CHANGED");
        while (wire_next(&wire, &part))
            if (part.number == number && part.type == WIRE_BYTES)
                put_change(w, row, is_layer, part.bytes, bytes);
    }
    if (field_has(&f, 7) || field_has(&f, 8)) return;
    row.transaction_type = winscope_word(w, "NOOP");
    append(w, &row);
}

static void put_added_layer(struct winscope *w, uint32_t snapshot, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct surfaceflinger_transaction_row row = {
        .snapshot_id = snapshot,
        .arg_set_id =
            winscope_args(w, "LayerCreationArgs", bytes, STAT_perfetty_packet_parts_invalid),
        .base64_proto_id = winscope_proto(w, bytes),
        .layer_id = some_uint32((uint32_t)field_uint(&f, 1)),
        .transaction_type = winscope_word(w, "LAYER_ADDED"),
    };
    append(w, &row);
}

/* Numbers of what is gone. */
static void put_gone(struct winscope *w, uint32_t snapshot, struct str bytes, uint32_t field,
                     const char *type)
{
    struct winscope_numbers numbers = winscope_numbers_of(bytes, field);
    uint64_t id;
    while (winscope_next_number(&numbers, &id)) {
        struct surfaceflinger_transaction_row row = {.snapshot_id = snapshot,
                                                     .transaction_type = winscope_word(w, type)};
        *(field == 7 ? &row.display_id : &row.layer_id) = some_uint32((uint32_t)id);
        append(w, &row);
    }
}

void winscope_transactions(struct winscope *w, int64_t ts, struct str bytes)
{
    struct tables *tables = w->file->import->tables;
    struct wire_field vsync, f;
    wire_find(bytes, 2, &vsync);
    struct surfaceflinger_transactions_row row = {
        .ts = ts,
        .arg_set_id =
            winscope_args(w, "TransactionTraceEntry", bytes, STAT_perfetty_packet_parts_invalid),
        .base64_proto_id = winscope_proto(w, bytes),
        .vsync_id = some_int64((int64_t)vsync.value),
    };
    uint32_t snapshot =
        surfaceflinger_transactions_append(&tables->surfaceflinger_transactions, &row);
    struct wire wire = wire_open(bytes);
    while (wire_next(&wire, &f))
        if (f.number == 3 && f.type == WIRE_BYTES) put_transaction(w, snapshot, f.bytes);
    wire = wire_open(bytes);
    while (wire_next(&wire, &f))
        if (f.number == 4 && f.type == WIRE_BYTES) put_added_layer(w, snapshot, f.bytes);
    put_gone(w, snapshot, bytes, 5, "LAYER_DESTROYED");
    wire = wire_open(bytes);
    while (wire_next(&wire, &f)) {
        struct surfaceflinger_transaction_row added = {
            .snapshot_id = snapshot, .transaction_type = winscope_word(w, "DISPLAY_ADDED")};
        if (f.number == 6 && f.type == WIRE_BYTES) put_change(w, added, false, f.bytes, STR_NONE);
    }
    put_gone(w, snapshot, bytes, 7, "DISPLAY_REMOVED");
    put_gone(w, snapshot, bytes, 8, "LAYER_HANDLE_DESTROYED");
}
