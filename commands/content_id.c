#include "commands/content_id.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/base/vec.h"

enum { EDGE = 256 << 10, BLOCK = 4 << 10, BLOCKS = 64, MOST_DEPTH = 8 };

struct digest {
    char hex[SHA256_HEX];
};

struct digests VEC_OF(struct digest);

/* Bytes [at, at + n) of the file. */
static bool append_piece(int fd, uint64_t at, size_t n, struct buffer *out)
{
    char bytes[16 << 10];
    while (n) {
        ssize_t got = pread(fd, bytes, n < sizeof bytes ? n : sizeof bytes, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false; /* cut short meanwhile */
        buffer_append(out, bytes, (size_t)got);
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

static bool append_sample(int fd, uint64_t size, struct buffer *out)
{
    buffer_printf(out, "%llu\n", (unsigned long long)size);
    if (size <= 2 * EDGE + BLOCKS * BLOCK) return append_piece(fd, 0, (size_t)size, out);
    uint64_t step = (size - 2 * EDGE - BLOCK) / BLOCKS;
    bool good = append_piece(fd, 0, EDGE, out);
    for (uint64_t i = 0; i < BLOCKS && good; i++)
        good = append_piece(fd, EDGE + i * step, BLOCK, out);
    return good && append_piece(fd, size - EDGE, EDGE, out);
}

static bool add_file(int fd, uint64_t size, struct digests *digests)
{
    struct buffer sample = BUFFER_INIT;
    struct digest digest;
    bool good = digests->count < CONTENT_ID_MOST_FILES && append_sample(fd, size, &sample);
    if (good) {
        sha256_hex(buffer_str(&sample), digest.hex);
        vec_push(digests, digest);
    }
    buffer_free(&sample);
    return good;
}

static bool add_path(int in, const char *path, unsigned depth, struct digests *digests);

/* Takes the folder over.  A name with a dot in front is none of the trace's members. */
static bool add_folder(int fd, unsigned depth, struct digests *digests)
{
    DIR *folder = depth < MOST_DEPTH ? fdopendir(fd) : NULL;
    if (!folder) {
        close(fd);
        return false;
    }
    bool good = true;
    for (struct dirent *entry; good && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.')
            good = add_path(dirfd(folder), entry->d_name, depth + 1, digests);
    closedir(folder);
    return good;
}

static bool add_path(int in, const char *path, unsigned depth, struct digests *digests)
{
    struct stat about;
    /* Not blocking: opening a pipe without a writer would wait for one. */
    int fd = openat(in, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    if (fstat(fd, &about) != 0) about.st_mode = 0;
    if (S_ISDIR(about.st_mode)) return add_folder(fd, depth, digests);
    bool good = S_ISREG(about.st_mode) && add_file(fd, (uint64_t)about.st_size, digests);
    close(fd);
    return good;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct digest *)a)->hex, ((const struct digest *)b)->hex);
}

bool content_id_of_files(const char *const *paths, size_t n_paths, char out[SHA256_HEX])
{
    struct digests digests = {0};
    struct buffer all = BUFFER_INIT;
    bool good = n_paths > 0;
    for (size_t i = 0; i < n_paths && good; i++)
        good = strcmp(paths[i], "-") != 0 && add_path(AT_FDCWD, paths[i], 0, &digests);
    good = good && digests.count > 0;
    if (good) qsort(digests.items, digests.count, sizeof *digests.items, compare);
    for (size_t i = 0; i < digests.count && good; i++)
        buffer_printf(&all, "%s\n", digests.items[i].hex);
    out[0] = '\0';
    if (good) sha256_hex(buffer_str(&all), out);
    vec_free(&digests);
    buffer_free(&all);
    return good;
}
