#include "cli/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/read/input.h"

/* 1980-01-01 00:00, the first moment that a zip can say. */
enum { DOS_TIME = 0, DOS_DATE = 1 << 5 | 1 };
#define FILE_ATTRIBUTES (0100644u << 16)
#define DEFLATE_LEVEL   6

struct archive {
    zip_t *zip; /* NULL once it is written */
    char *path, *part;
    bool is_written;
};

struct archive *archive_new(const char *path, struct status *st)
{
    struct archive *a = mem_zero(1, sizeof *a);
    struct buffer part = BUFFER_INIT;
    int code = 0;
    buffer_printf(&part, "%s.%ld.part", path, (long)getpid());
    a->path = mem_strdup(path);
    a->part = buffer_take(&part);
    a->zip = zip_open(a->part, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (a->zip) return a;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, zip_error_strerror(&error));
    zip_error_fini(&error);
    archive_abandon(a);
    return NULL;
}

static void fail(const struct archive *a, const char *name, struct status *st)
{
    status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s%s%s", a->path, name ? name : "",
                name ? ": " : "", zip_strerror(a->zip));
}

/* What is packed already does not get smaller. */
static bool add(struct archive *a, const char *name, zip_source_t *source, bool is_packed,
                struct status *st)
{
    zip_int64_t index = source ? zip_file_add(a->zip, name, source, ZIP_FL_ENC_GUESS) : -1;
    if (index < 0 && source) zip_source_free(source);
    zip_uint64_t at = (zip_uint64_t)index;
    if (index < 0 ||
        zip_set_file_compression(a->zip, at, is_packed ? ZIP_CM_STORE : ZIP_CM_DEFLATE,
                                 is_packed ? 0 : DEFLATE_LEVEL) != 0 ||
        zip_file_set_dostime(a->zip, at, DOS_TIME, DOS_DATE, 0) != 0 ||
        zip_file_set_external_attributes(a->zip, at, 0, ZIP_OPSYS_UNIX, FILE_ATTRIBUTES) != 0) {
        fail(a, name, st);
        return false;
    }
    return true;
}

static bool is_packed(struct str head)
{
    enum input_kind kind = input_sniff(head);
    return kind == INPUT_GZIP || kind == INPUT_ZSTD || kind == INPUT_ZIP || kind == INPUT_CTRACE;
}

bool archive_add_bytes(struct archive *a, const char *name, struct str bytes, struct status *st)
{
    zip_source_t *source = zip_source_buffer(a->zip, bytes.n > 0 ? bytes.p : "", bytes.n, 0);
    return add(a, name, source, is_packed(bytes), st);
}

bool archive_add_file(struct archive *a, const char *name, const char *path, struct status *st)
{
    char head[512];
    FILE *file = fopen(path, "rbe");
    if (!file) return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(errno));
    size_t n = fread(head, 1, sizeof head, file);
    bool failed = ferror(file);
    int error = errno;
    fclose(file);
    if (failed)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(error));
    return add(a, name, zip_source_file(a->zip, path, 0, -1), is_packed((struct str){head, n}), st);
}

bool archive_write(struct archive *a, struct status *st)
{
    if (zip_close(a->zip) != 0) {
        fail(a, NULL, st);
        return false;
    }
    a->zip = NULL;
    a->is_written = true;
    return true;
}

const char *archive_part_path(const struct archive *a)
{
    return a->part;
}

bool archive_finish(struct archive *a, struct status *st)
{
    bool ok = rename(a->part, a->path) == 0;
    if (ok)
        a->is_written = false;
    else
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", a->path, strerror(errno));
    archive_abandon(a);
    return ok;
}

void archive_abandon(struct archive *a)
{
    if (!a) return;
    if (a->zip) zip_discard(a->zip);
    if (a->is_written) unlink(a->part);
    mem_free(a->path);
    mem_free(a->part);
    mem_free(a);
}
