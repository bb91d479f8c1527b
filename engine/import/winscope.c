/* Packets of Android's window system: which reader takes which, and what they share. */
#include "engine/import/winscope.h"

#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/ftrace.h"
#include "engine/import/probe_track.h"

enum packet_field {
    PACKET_LAYERS = 93,
    PACKET_TRANSACTIONS = 94,
    PACKET_TRANSITION = 96,
    PACKET_HANDLERS = 97,
    PACKET_PROTOLOG = 104,
    PACKET_PROTOLOG_CONFIG = 105,
    PACKET_EXTENSIONS = 112,
};

enum extension {
    EXTENSION_METHOD_CLIENTS = 1,
    EXTENSION_METHOD_SERVICE = 2,
    EXTENSION_METHOD_MANAGER = 3,
    EXTENSION_VIEWS = 4,
    EXTENSION_INPUT = 5,
    EXTENSION_WINDOWS = 6,
};

/* ---- shared ---- */

string_id winscope_text(struct winscope *w, struct str text)
{
    return strpool_intern(w->file->import->strings, text.p ? text : STR(""));
}

string_id winscope_word(struct winscope *w, const char *word)
{
    return strpool_intern_text(w->file->import->strings, word);
}

struct opt_uint32 winscope_proto(struct winscope *w, struct str bytes)
{
    buffer_clear(&w->text);
    arg_writer_base64(&w->text, bytes);
    return some_uint32(winscope_text(w, buffer_str(&w->text)));
}

void winscope_put(struct winscope *w, const char *message, struct str bytes)
{
    char name[80];
    probe_format(name, sizeof name, "perfetto.protos.%s", message);
    const struct proto_message *known =
        descriptor_pool_message(w->file->import->descriptors, str_of(name));
    if (known) arg_writer_message(&w->writer, known, bytes);
}

struct opt_uint32 winscope_commit(struct winscope *w)
{
    if (!w->args.count) return (struct opt_uint32){0};
    return opt_row(args_commit(w->file->import->args, &w->args));
}

struct opt_uint32 winscope_args(struct winscope *w, const char *message, struct str bytes,
                                enum stat damage)
{
    struct wire wire = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&wire, &f))
        continue;
    if (wire.bad) stats_add(w->file, damage, 1);
    vec_clear(&w->args);
    winscope_put(w, message, bytes);
    return winscope_commit(w);
}

struct winscope_numbers winscope_numbers_of(struct str bytes, uint32_t field)
{
    return (struct winscope_numbers){wire_open(bytes), wire_open(STR_NONE), field};
}

bool winscope_next_number(struct winscope_numbers *numbers, uint64_t *number)
{
    struct wire_field f;
    if (wire_varint(&numbers->packed, number)) return true;
    while (wire_next(&numbers->fields, &f)) {
        if (f.number != numbers->field) continue;
        *number = f.value;
        if (f.type != WIRE_BYTES) return true;
        numbers->packed = wire_open(f.bytes);
        if (wire_varint(&numbers->packed, number)) return true;
    }
    return false;
}

uint32_t winscope_put_rect(struct winscope *w, const struct winscope_rect *rect,
                           const struct winscope_matrix *matrix, struct winscope_trace_rect_row row)
{
    struct tables *tables = w->file->import->tables;
    const struct winscope_rect_row place = {rect->x, rect->y, rect->w, rect->h};
    const struct winscope_transform_row transform = {matrix->dsdx, matrix->dtdx, matrix->tx,
                                                     matrix->dtdy, matrix->dsdy, matrix->ty};
    row.rect_id = winscope_rect_append(&tables->winscope_rect, &place);
    row.transform_id = winscope_transform_append(&tables->winscope_transform, &transform);
    return winscope_trace_rect_append(&tables->winscope_trace_rect, &row);
}

/* ---- input methods: a row and its args each ---- */

static void parse_method(struct winscope *w, int64_t ts, uint32_t extension, struct str bytes)
{
    static const char *const messages[] = {"", "InputMethodClientsTraceProto",
                                           "InputMethodServiceTraceProto",
                                           "InputMethodManagerServiceTraceProto"};
    struct tables *tables = w->file->import->tables;
    struct opt_uint32 args =
        winscope_args(w, messages[extension], bytes, STAT_perfetty_packet_parts_invalid);
    struct opt_uint32 proto = winscope_proto(w, bytes);
    if (extension == EXTENSION_METHOD_CLIENTS)
        inputmethod_clients_append(&tables->inputmethod_clients,
                                   &(struct inputmethod_clients_row){ts, args, proto});
    else if (extension == EXTENSION_METHOD_SERVICE)
        inputmethod_service_append(&tables->inputmethod_service,
                                   &(struct inputmethod_service_row){ts, args, proto});
    else
        inputmethod_manager_service_append(
            &tables->inputmethod_manager_service,
            &(struct inputmethod_manager_service_row){ts, args, proto});
}

/* ---- input: what the dispatcher got and where it sent it ---- */

static void parse_motion(struct winscope *w, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct android_motion_events_row row = {
        .event_id = (uint32_t)field_uint(&f, 1),
        .ts = field_int(&f, 2),
        .arg_set_id =
            winscope_args(w, "AndroidMotionEvent", bytes, STAT_android_input_event_parse_errors),
        .base64_proto_id = winscope_proto(w, bytes),
        .source = {field_has(&f, 3), (uint32_t)field_uint(&f, 3)},
        .action = {field_has(&f, 4), (int32_t)field_int(&f, 4)},
        .device_id = {field_has(&f, 5), (int32_t)field_int(&f, 5)},
        .display_id = {field_has(&f, 6), wire_zigzag(field_uint(&f, 6))},
    };
    android_motion_events_append(&w->file->import->tables->android_motion_events, &row);
}

static void parse_key(struct winscope *w, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct android_key_events_row row = {
        .event_id = (uint32_t)field_uint(&f, 1),
        .ts = field_int(&f, 2),
        .arg_set_id =
            winscope_args(w, "AndroidKeyEvent", bytes, STAT_android_input_event_parse_errors),
        .base64_proto_id = winscope_proto(w, bytes),
        .source = {field_has(&f, 4), (uint32_t)field_uint(&f, 4)},
        .action = {field_has(&f, 5), (int32_t)field_int(&f, 5)},
        .device_id = {field_has(&f, 6), (int32_t)field_int(&f, 6)},
        .display_id = {field_has(&f, 7), wire_zigzag(field_uint(&f, 7))},
        .key_code = {field_has(&f, 8), (int32_t)field_int(&f, 8)},
    };
    android_key_events_append(&w->file->import->tables->android_key_events, &row);
}

static void parse_dispatch(struct winscope *w, struct str bytes)
{
    struct ftrace_fields f;
    ftrace_read_fields(&f, bytes);
    struct android_input_event_dispatch_row row = {
        .event_id = (uint32_t)field_uint(&f, 1),
        .arg_set_id = winscope_args(w, "AndroidWindowInputDispatchEvent", bytes,
                                    STAT_android_input_event_parse_errors),
        .vsync_id = field_int(&f, 2),
        .window_id = (int32_t)field_int(&f, 3),
        .base64_proto_id = winscope_proto(w, bytes),
    };
    android_input_event_dispatch_append(&w->file->import->tables->android_input_event_dispatch,
                                        &row);
}

/* Each kind has a second number for events whose contents were taken out. */
void winscope_input(struct winscope *w, struct str bytes)
{
    struct wire wire = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&wire, &f)) {
        if (f.type != WIRE_BYTES) continue;
        switch (f.number) {
        case 1:
        case 2: parse_motion(w, f.bytes); return;
        case 3:
        case 4: parse_key(w, f.bytes); return;
        case 5:
        case 6: parse_dispatch(w, f.bytes); return;
        default: break;
        }
    }
    if (wire.bad) stats_add(w->file, STAT_android_input_event_parse_errors, 1);
}

/* ---- packets ---- */

static void parse_extensions(struct winscope *w, int64_t ts, struct str bytes)
{
    struct wire wire = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&wire, &f)) {
        if (f.type != WIRE_BYTES) continue;
        switch (f.number) {
        case EXTENSION_METHOD_CLIENTS:
        case EXTENSION_METHOD_SERVICE:
        case EXTENSION_METHOD_MANAGER: parse_method(w, ts, f.number, f.bytes); break;
        case EXTENSION_VIEWS: winscope_views(w, ts, f.bytes); break;
        case EXTENSION_INPUT: winscope_input(w, f.bytes); break;
        case EXTENSION_WINDOWS: winscope_windows(w, ts, f.bytes); break;
        default: /* differences to an earlier state, which need that state */
            stats_add_indexed(w->file, STAT_perfetty_unread_packets, PACKET_EXTENSIONS, 1);
        }
    }
    if (wire.bad) stats_add(w->file, STAT_perfetty_packet_parts_invalid, 1);
}

static void parse_layers(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct winscope *w = state;
    w->packet = packet;
    winscope_layers(w, ts, field);
}

static void parse_transactions(void *state, int64_t ts, const struct packet *packet,
                               struct str field)
{
    struct winscope *w = state;
    w->packet = packet;
    winscope_transactions(w, ts, field);
}

static void parse_transition(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)ts;
    (void)packet;
    winscope_transition(state, field);
}

static void parse_handlers(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)ts;
    (void)packet;
    winscope_transition_handlers(state, field);
}

static bool tokenize_config(void *state, const struct packet *packet, struct str field)
{
    (void)packet;
    winscope_protolog_config(state, field);
    return true;
}

static void parse_protolog(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct winscope *w = state;
    w->packet = packet;
    winscope_protolog(w, ts, field);
}

static void parse_others(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    struct winscope *w = state;
    w->packet = packet;
    parse_extensions(w, ts, field);
}

static void *create(struct packet_reader *reader)
{
    struct winscope *w = mem_zero(1, sizeof *w);
    w->file = packet_reader_file(reader);
    w->text = (struct buffer)BUFFER_INIT;
    arg_writer_init(&w->writer, w->file->import);
    w->writer.list = &w->args;
    return w;
}

static void finish(void *state)
{
    struct winscope *w = state;
    winscope_transitions_finish(w);
    map_free(&w->layer_flags);
    map_free(&w->display_flags);
    map_free(&w->format_of);
    map_free(&w->group_of);
    vec_free(&w->formats);
    vec_free(&w->args);
    buffer_free(&w->text);
    arg_writer_dispose(&w->writer);
    mem_free(w);
}

static const struct packet_module modules[] = {
    {PACKET_LAYERS, NULL, parse_layers},         {PACKET_TRANSACTIONS, NULL, parse_transactions},
    {PACKET_TRANSITION, NULL, parse_transition}, {PACKET_HANDLERS, NULL, parse_handlers},
    {PACKET_PROTOLOG, NULL, parse_protolog},     {PACKET_PROTOLOG_CONFIG, tokenize_config, NULL},
    {PACKET_EXTENSIONS, NULL, parse_others},
};

const struct packet_source winscope_source = {
    .name = "winscope",
    .create = create,
    .finish = finish,
    .modules = modules,
    .n_modules = sizeof modules / sizeof modules[0],
};
