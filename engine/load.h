/* One load, on the way from operands to tables.  Lives for the time of
 * engine_load; only its files in engine/load*.c see it.
 *
 * The tree of nodes mirrors the tree of input members.  It is built as a whole,
 * with every sidecar's claims, before any byte is tokenised; then leaves are
 * tokenised in order of (archive_priority, name, index) within each container
 * (spec engine_1 1.4).
 */
#ifndef ENGINE_LOAD_H
#define ENGINE_LOAD_H

#include "engine/base/arena.h"
#include "engine/base/map.h"
#include "engine/extensions/sidecar.h"
#include "engine/import/import.h"
#include "engine/internal.h"

struct load_node;
struct load_node_list VEC_OF(struct load_node *);

/* Order among the members of an Android bug report; 0 elsewhere. */
enum load_place { PLACE_REPORT, PLACE_LOG, PLACE_REST };

struct load_node {
    struct input_member *member;
    struct load_node *parent;
    struct load_node_list children; /* archive order, then order of processing */
    size_t index;                   /* in archive order */
    uint32_t row;                   /* of trace_file; NULL_UINT32 while it has none */
    const struct importer *importer;
    struct import_file *file; /* of a leaf that is tokenised, and of skipped members */
    enum load_place place;
    struct android_bugreport *bugreport; /* of an archive that is one; owned */
    bool is_sidecar, is_claimed, is_left_out;
    struct text_list losses; /* what to say of it at the end */
};

struct load {
    struct engine *engine;
    const struct engine_options *options;
    struct input *input;
    struct import *import;
    struct arena arena; /* nodes, files, texts */
    struct load_node *root;
    const char *operand;          /* how the root is called in messages */
    struct load_node_list leaves; /* with an importer, in order of processing */
    VEC(struct import_file *) files;
    int64_t next_order; /* trace_file.processing_order */
    bool is_finished;   /* import_finish was called */
    size_t n_left_out;  /* members told as such */
    size_t n_read;      /* leaves that were tokenised */

    struct sidecar *sidecar;             /* NULL: the input has none */
    const char *sidecar_label;           /* its place, for messages */
    struct load_node *sidecar_container; /* around it; NULL: nothing is */
    struct load_node_list sidecars;      /* its node; none for --with */
    struct input *with;                  /* of --with */
    struct strmap machines;              /* of the manifest: name → row */

    uint64_t bytes_read;
    int64_t next_progress_ns;
};

/* load_tree.c: reads and expands everything; false when an authored part is wrong. */
bool load_build_tree(struct load *load, struct status *st);
void load_free_tree(struct load *load);
/* "trace.zip: inner.pb": good until the load ends. */
const char *load_node_label(struct load *load, const struct load_node *node);
/* The file of a node, made at first need; what stats and logs are raised for. */
struct import_file *load_file_of(struct load *load, struct load_node *node);
/* The node is processed now, as that type. */
void load_set_row(struct load *load, const struct load_node *node, const char *type);

/* load_sidecar.c */
/* An archive or a folder, not a mere stream; false for NULL. */
bool load_holds_members(const struct load_node *container);
bool load_open_with(struct load *load, struct status *st);
/* The node is a sidecar: parses it, reads what it claims. */
bool load_take_sidecar(struct load *load, struct load_node *node, struct status *st);
/* True, with a message, when a trace comes before the sidecar. */
bool load_sidecar_is_late(struct load *load, const struct load_node *node, struct status *st);
/* Before the first tokenize: machines, clocks, attributes, descriptors. */
bool load_apply_sidecar(struct load *load, struct status *st);
/* Those of the options, before anything else. */
void load_add_descriptors(struct load *load);
bool load_check_sidecar(struct load *load, struct status *st);
bool load_register_package(struct load *load, struct status *st);

/* load_report.c */
/* A member that nobody reads: counted, logged, and told at the end. */
void load_leave_out(struct load *load, struct load_node *node, const char *reason);
void load_count_losses(struct load *load);   /* into stats, before import_finish */
void load_write_warnings(struct load *load); /* after it */
bool load_fail_unread(struct load *load, struct status *st);

#endif
