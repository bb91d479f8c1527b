/* Writes zip archives whose bytes depend on nothing but what is put in: members in
 * the order of adding, one fixed date, one fixed mode, no owner.
 *
 *     struct archive *a = archive_new("out.zip", &st);
 *     archive_add_bytes(a, "perfetto_manifest.json", text, &st);
 *     archive_add_file(a, "trace.pb", "/data/trace.pb", &st);
 *     archive_finish(a, &st)  or  archive_abandon(a)
 *
 * The file appears under its name only when archive_finish has found it good.
 */
#ifndef CLI_ARCHIVE_H
#define CLI_ARCHIVE_H

#include "engine/base/status.h"
#include "engine/base/str.h"

struct archive;

struct archive *archive_new(const char *path, struct status *st);
/* The bytes are borrowed until archive_write or archive_abandon. */
bool archive_add_bytes(struct archive *archive, const char *name, struct str bytes,
                       struct status *st);
bool archive_add_file(struct archive *archive, const char *name, const char *path,
                      struct status *st);
/* Writes everything to a file beside the path; its name is archive_part_path.  The
 * caller looks at it, then says archive_finish or archive_abandon. */
bool archive_write(struct archive *archive, struct status *st);
const char *archive_part_path(const struct archive *archive);
/* Renames; frees in any case. */
bool archive_finish(struct archive *archive, struct status *st);
/* Removes what was written; frees.  NULL is fine. */
void archive_abandon(struct archive *archive);

#endif
