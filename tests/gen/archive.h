/* Containers, written byte by byte so that odd ones can be made: zip (stored,
 * deflated, without its central directory), tar (ustar, GNU and pax long names).
 * No clock, owner or other trace of the machine gets in.
 *
 *     struct gen_zip zip;
 *     gen_zip_start(&zip, &out);
 *     gen_zip_add(&zip, "a.json", bytes, GEN_ZIP_DEFLATED);
 *     gen_zip_finish(&zip);
 *
 * gzip and zstd are in compress.h.
 */
#ifndef TESTS_GEN_ARCHIVE_H
#define TESTS_GEN_ARCHIVE_H

#include <stddef.h>

#include "engine/base/buffer.h"
#include "engine/base/str.h"

enum gen_zip_method { GEN_ZIP_STORED = 0, GEN_ZIP_DEFLATED = 8 };

struct gen_zip {
    struct buffer *out; /* borrowed; the zip starts where it ended */
    struct buffer directory;
    size_t start;
    unsigned count;
};

void gen_zip_start(struct gen_zip *zip, struct buffer *out);
/* A name may be any bytes; one that ends in '/' is a folder. */
void gen_zip_add(struct gen_zip *zip, struct str name, struct str bytes,
                 enum gen_zip_method method);
void gen_zip_add_text(struct gen_zip *zip, const char *name, const char *text);
void gen_zip_finish(struct gen_zip *zip);
/* Ends the zip as a cut download would: local headers only. */
void gen_zip_abandon(struct gen_zip *zip);

enum gen_tar_dialect { GEN_TAR_USTAR, GEN_TAR_GNU, GEN_TAR_PAX };

/* A name longer than 100 bytes: ustar splits it at a '/', GNU and pax put a long
 * name record in front. */
void gen_tar_add(struct buffer *out, enum gen_tar_dialect dialect, struct str name,
                 struct str bytes);
void gen_tar_add_directory(struct buffer *out, struct str name);
/* A header with any type flag, for what is no file. */
void gen_tar_add_type(struct buffer *out, char type, struct str name, struct str bytes);
void gen_tar_finish(struct buffer *out);

#endif
