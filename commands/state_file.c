#include "commands/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/memory.h"

char *state_file_path(const char *variable, const char *fallback, const char *name)
{
    const char *base = getenv(variable), *home = getenv("HOME");
    struct buffer path = BUFFER_INIT;
    if (base && base[0] == '/')
        buffer_printf(&path, "%s/perfetty/%s", base, name);
    else if (home && home[0] == '/')
        buffer_printf(&path, "%s/%s/perfetty/%s", home, fallback, name);
    else
        return NULL;
    return buffer_take(&path);
}

bool state_file_read(const char *path, size_t largest, struct buffer *out, struct status *st)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) return true;
    if (fd < 0)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(errno));
    char bytes[16384];
    ssize_t n;
    out->largest = largest;
    while ((n = read(fd, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0) buffer_append(out, bytes, (size_t)n);
    int failure = n < 0 ? errno : 0;
    close(fd);
    if (failure)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(failure));
    if (out->overflowed)
        return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "%s: larger than %zu MiB", path,
                           largest >> 20);
    return true;
}

static bool make_folders(const char *path, struct status *st)
{
    char *copy = mem_strdup(path);
    bool good = true;
    for (char *slash = strchr(copy + 1, '/'); slash && good; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST)
            good = status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", copy, strerror(errno));
        *slash = '/';
    }
    mem_free(copy);
    return good;
}

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

bool state_file_write(const char *path, struct str bytes, struct status *st)
{
    if (!make_folders(path, st)) return false;
    struct buffer fresh = BUFFER_INIT;
    buffer_printf(&fresh, "%s.%ld.new", path, (long)getpid());
    const char *name = buffer_text(&fresh);
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool good = fd >= 0 && write_all(fd, bytes.p, bytes.n) && fsync(fd) == 0;
    if (fd >= 0 && close(fd) != 0) good = false;
    good = good && rename(name, path) == 0;
    if (!good) {
        status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(errno));
        if (fd >= 0) unlink(name);
    }
    buffer_free(&fresh);
    return good;
}
