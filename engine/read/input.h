/* The input of a load: a tree of containers (operands, folders, archives,
 * compressed streams) with files at its leaves (spec engine_1 1.4).
 *
 * Everything is lazy: input_open lists the operands, input_read brings the bytes
 * of a member, input_expand lists what a container holds.  The caller decides
 * which members are read at all and in which order.  A plain file is mapped; what
 * is inflated or piped lies in pages of its own.  All bytes stay until input_free.
 *
 * Names are the raw bytes of the archive.  Directory entries are not members.
 * Members below a dot-path are listed with is_hidden; only a sidecar's claim
 * reads them.
 */
#ifndef ENGINE_READ_INPUT_H
#define ENGINE_READ_INPUT_H

#include "engine/base/status.h"
#include "engine/base/str.h"
#include "engine/base/thread.h"
#include "engine/read/limits.h"

enum input_kind {
    INPUT_FILE,     /* no container that we know */
    INPUT_OPERANDS, /* several operands of a command line */
    INPUT_FOLDER,
    INPUT_TAR,
    INPUT_ZIP,
    INPUT_GZIP,
    INPUT_ZSTD,
    INPUT_CTRACE, /* zlib behind "TRACE:\n" */
    INPUT_JOINED, /* two files one behind the other: see input_split */
};

enum input_loss {
    INPUT_WHOLE,
    INPUT_CUT,         /* ends too early */
    INPUT_CORRUPT,     /* some of it is damaged */
    INPUT_LIMITED,     /* a named limit was hit */
    INPUT_UNSUPPORTED, /* packed in a way that we do not read */
    INPUT_UNREADABLE,  /* the system refused */
};

struct input_member;
struct input_list {
    struct input_member **items;
    size_t count, capacity;
};

struct input_member {
    struct str name;             /* relative to the container; STR_NONE for the root */
    struct input_member *parent; /* NULL for the root */
    enum input_kind kind;        /* after input_read, by content */
    uint64_t stored_bytes;       /* as stored: compressed in a zip; 0 while unknown */
    struct str bytes;            /* after input_read */
    struct input_list children;  /* after input_expand, in archive order */
    bool is_hidden, is_read, is_expanded;
    enum input_loss loss;
    const char *loss_text; /* one line, fit for a user; NULL while loss is INPUT_WHOLE */
    uint64_t locator;      /* of the container's own */
};

struct input_options {
    const struct read_limits *limits; /* NULL: the default */
    const struct cancel *cancel;
    /* Bytes that were read from files and pipes, as they come. */
    void (*progress)(void *context, uint64_t bytes);
    void *progress_context;
};

struct input;

/* False when an operand cannot be opened.  "-" is standard input.  One operand
 * that is no folder is the root itself. */
struct input *input_open(const char *const *operands, size_t n_operands,
                         const struct input_options *options, struct status *st);
void input_free(struct input *input);
struct input_member *input_root(struct input *input);

/* Brings bytes and kind.  False when not one byte of it can be had (loss and
 * loss_text say why); a member that breaks off is read as far as it goes. */
bool input_read(struct input *input, struct input_member *member);
/* Lists the children of a container.  A listing that breaks off is kept as far as
 * it goes; the container's loss says so. */
void input_expand(struct input *input, struct input_member *member);

/* Makes a container of a file: its first `at` bytes, and the rest. */
void input_split(struct input *input, struct input_member *member, size_t at);

/* Nobody reads the member: gives most of its memory back.  Its bytes stay readable,
 * but beyond the first INPUT_HEAD they may be zeros. */
void input_discard(struct input *input, struct input_member *member);
enum { INPUT_HEAD = 1 << 20 };

static inline bool input_is_container(const struct input_member *member)
{
    return member->kind != INPUT_FILE;
}
/* "tar", "zip", … as in trace_file.trace_type. */
const char *input_kind_name(enum input_kind kind);
/* The container kind of these bytes, INPUT_FILE when none. */
enum input_kind input_sniff(struct str bytes);
/* A component that begins with '.', and is neither "." nor "..". */
bool input_path_is_hidden(struct str path);

#endif
