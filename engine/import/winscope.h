/* What the readers of Android's window system share (Winscope: layers and transactions
 * of SurfaceFlinger, transitions of the shell, ProtoLog, input, trees of views and of
 * windows; protos below android/ of Perfetto's, spec engine_3 3.4 and its appendix).
 *
 * Every message becomes a row, its fields args by the names of the descriptor pool, and
 * its bytes in base64 a string whose id is the column base64_proto_id.  Times inside
 * messages are trace time.  One struct winscope belongs to one reader of packets. */
#ifndef ENGINE_IMPORT_WINSCOPE_H
#define ENGINE_IMPORT_WINSCOPE_H

#include "engine/base/map.h"
#include "engine/base/vec.h"
#include "engine/import/arg_writer.h"
#include "engine/import/packet.h"
#include "engine/import/stats.h"

struct winscope_transition {
    struct window_manager_shell_transitions_row row;
    struct arg_list args;
};

struct protolog_format {
    uint64_t level;
    uint32_t group;
    struct str text, location;
};

struct winscope {
    const struct import_file *file;
    const struct packet *packet; /* that is parsed now */
    struct arg_writer writer;    /* into args */
    struct arg_list args;
    struct buffer text;
    /* Transactions: bits of `what` -> flags_id, of layers and of displays. */
    struct map layer_flags, display_flags;
    /* Transitions come in pieces; their rows are written at the end. */
    struct map transition_of; /* id -> index */
    VEC(struct winscope_transition) transitions;
    struct map format_of, group_of; /* ProtoLog: ids -> index, string_id */
    VEC(struct protolog_format) formats;
};

string_id winscope_text(struct winscope *w, struct str text);
string_id winscope_word(struct winscope *w, const char *word);
/* The id of the bytes in base64. */
struct opt_uint32 winscope_proto(struct winscope *w, struct str bytes);
/* Adds all fields of a message of perfetto.protos to w->args. */
void winscope_put(struct winscope *w, const char *message, struct str bytes);
/* The set of w->args, which is emptied; none when it was empty. */
struct opt_uint32 winscope_commit(struct winscope *w);
/* Both; bytes that end inside a field are counted. */
struct opt_uint32 winscope_args(struct winscope *w, const char *message, struct str bytes,
                                enum stat damage);

/* Numbers of one repeated field, packed or not. */
struct winscope_numbers {
    struct wire fields, packed;
    uint32_t field;
};
struct winscope_numbers winscope_numbers_of(struct str bytes, uint32_t field);
bool winscope_next_number(struct winscope_numbers *numbers, uint64_t *number);

struct winscope_rect {
    double x, y, w, h;
};
struct winscope_matrix {
    double dsdx, dtdx, tx, dtdy, dsdy, ty;
};
#define WINSCOPE_IDENTITY ((struct winscope_matrix){1, 0, 0, 0, 1, 0})

/* A row of winscope_trace_rect with its rect and matrix; the row's number. */
uint32_t winscope_put_rect(struct winscope *w, const struct winscope_rect *rect,
                           const struct winscope_matrix *matrix,
                           struct winscope_trace_rect_row row);

/* One message each; w->packet is its packet. */
void winscope_layers(struct winscope *w, int64_t ts, struct str bytes);
void winscope_transactions(struct winscope *w, int64_t ts, struct str bytes);
void winscope_transition(struct winscope *w, struct str bytes);
void winscope_transition_handlers(struct winscope *w, struct str bytes);
void winscope_transitions_finish(struct winscope *w);
void winscope_protolog_config(struct winscope *w, struct str bytes);
void winscope_protolog(struct winscope *w, int64_t ts, struct str bytes);
void winscope_input(struct winscope *w, struct str bytes);
void winscope_views(struct winscope *w, int64_t ts, struct str bytes);
void winscope_windows(struct winscope *w, int64_t ts, struct str bytes);

#endif
