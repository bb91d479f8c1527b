/* What the files of engine/read share, and nobody else. */
#ifndef ENGINE_READ_INTERNAL_H
#define ENGINE_READ_INTERNAL_H

#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "engine/read/inflate.h"
#include "engine/read/input.h"
#include "engine/read/region.h"

struct input_mapping {
    void *address;
    size_t bytes;
};

struct zip_archive;

struct input {
    struct arena arena; /* members, names, texts */
    struct input_member *root;
    VEC(struct input_mapping) mappings;
    VEC(struct region) regions;
    VEC(struct zip_archive *) zips;
    const struct read_limits *limits;
    struct input_options options;
    uint64_t inflated_bytes; /* against input_total_limit */
    uint64_t operand_bytes;  /* of files and pipes, as they are */
    uint32_t n_members;      /* against limits->members */
    VEC(const char *) paths; /* of files, in the arena; a file member's locator */
};

/* Adds a child; NULL when a limit stops it (the container's loss is set then).
 * The name is copied. */
struct input_member *input_add(struct input *input, struct input_member *parent, struct str name);
/* The limit `inflated_bytes` as it is for the operands read so far: a small file
 * that inflates to gigabytes is no trace. */
uint64_t input_total_limit(const struct input *input);
/* The first loss stays. */
void input_lose(struct input *input, struct input_member *member, enum input_loss loss,
                const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Inflates into pages of the input; sets bytes and loss of the member. */
void input_inflate(struct input *input, struct input_member *member, struct str packed,
                   enum inflate_codec codec, size_t *consumed);

/* file.c: operands, folders and the system. */
bool file_open_operand(struct input *input, struct input_member *member, const char *path,
                       struct status *st);
bool file_read(struct input *input, struct input_member *member);
void folder_expand(struct input *input, struct input_member *member);

void tar_expand(struct input *input, struct input_member *member);

void zip_expand(struct input *input, struct input_member *member);
bool zip_read(struct input *input, struct input_member *member);
void zip_archive_free(struct zip_archive *zip);

#endif
