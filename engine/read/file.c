/* Operands, folders and files of the system. */
#define _GNU_SOURCE /* madvise */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/buffer.h"
#include "engine/read/internal.h"

enum { PIPE_PIECE = 1 << 20, FOLDER_DEPTH = 32 };

static uint64_t remember_path(struct input *input, const char *path)
{
    vec_push(&input->paths, arena_copy(&input->arena, path, strlen(path)));
    return input->paths.count - 1;
}

/* Reads a pipe to its end into a region.  False when nothing could be read. */
static bool read_pipe(struct input *input, struct input_member *member, int fd)
{
    struct region region = {0};
    for (;;) {
        if (cancel_is_requested(input->options.cancel)) {
            input_lose(input, member, INPUT_CUT, "loading was stopped after %zu bytes",
                       region.length);
            break;
        }
        if (!region_reserve(&region, PIPE_PIECE, NULL)) {
            input_lose(input, member, INPUT_LIMITED, "no memory for more than %zu bytes of it",
                       region.length);
            break;
        }
        ssize_t n = read(fd, region.bytes + region.length, PIPE_PIECE);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            input_lose(input, member, INPUT_UNREADABLE, "reading failed after %zu bytes: %s",
                       region.length, strerror(errno));
        if (n <= 0) break;
        region.length += (size_t)n;
        if (input->options.progress)
            input->options.progress(input->options.progress_context, (uint64_t)n);
    }
    region_trim(&region);
    member->bytes = region_str(&region);
    member->stored_bytes = region.length;
    vec_push(&input->regions, region);
    return member->bytes.n > 0 || member->loss == INPUT_WHOLE;
}

static bool map_file(struct input *input, struct input_member *member, int fd, size_t size)
{
    void *address = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (address == MAP_FAILED) return read_pipe(input, member, fd);
    madvise(address, size, MADV_SEQUENTIAL);
    vec_push(&input->mappings, (struct input_mapping){address, size});
    member->bytes = (struct str){address, size};
    return true;
}

static bool read_descriptor(struct input *input, struct input_member *member, int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || S_ISDIR(info.st_mode)) {
        input_lose(input, member, INPUT_UNREADABLE, "it cannot be read as a file");
        return false;
    }
    member->stored_bytes = (uint64_t)info.st_size;
    if (S_ISREG(info.st_mode) && info.st_size > 0 && lseek(fd, 0, SEEK_CUR) == 0)
        return map_file(input, member, fd, (size_t)info.st_size);
    return read_pipe(input, member, fd); /* also files of /proc, whose size is 0 */
}

static bool read_file(struct input *input, struct input_member *member)
{
    const char *path = input->paths.items[member->locator];
    if (strcmp(path, "-") == 0) return read_descriptor(input, member, STDIN_FILENO);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        input_lose(input, member, INPUT_UNREADABLE, "it cannot be opened: %s", strerror(errno));
        return false;
    }
    bool ok = read_descriptor(input, member, fd);
    close(fd);
    return ok;
}

bool file_read(struct input *input, struct input_member *member)
{
    bool ok = read_file(input, member);
    input->operand_bytes += member->bytes.n;
    return ok;
}

bool file_open_operand(struct input *input, struct input_member *member, const char *path,
                       struct status *st)
{
    member->locator = remember_path(input, path);
    if (strcmp(path, "-") == 0) return true;
    struct stat info;
    if (stat(path, &info) != 0)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode)) {
        member->kind = INPUT_FOLDER;
        member->is_read = true;
        return true;
    }
    if (access(path, R_OK) != 0)
        return status_fail(st, STATUS_IO, STATUS_NO_OFFSET, "%s: %s", path, strerror(errno));
    return true;
}

/* ---- folders ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void walk(struct input *input, struct input_member *folder, const char *path,
                 const char *prefix, unsigned depth);

static void visit(struct input *input, struct input_member *folder, const char *path,
                  const char *prefix, const char *name, unsigned depth)
{
    struct stat info;
    char *full = arena_printf(&input->arena, "%s/%s", path, name);
    char *inner = arena_printf(&input->arena, "%s%s", prefix, name);
    if (lstat(full, &info) != 0) return;
    bool is_link = S_ISLNK(info.st_mode);
    if (is_link && stat(full, &info) != 0) return;
    if (S_ISDIR(info.st_mode)) {
        if (is_link) return; /* it may lead back up */
        walk(input, folder, full, arena_printf(&input->arena, "%s/", inner), depth + 1);
    } else if (S_ISREG(info.st_mode)) {
        struct input_member *member = input_add(input, folder, str_of(inner));
        if (!member) return;
        member->locator = remember_path(input, full);
        member->stored_bytes = (uint64_t)info.st_size;
    }
}

static void walk(struct input *input, struct input_member *folder, const char *path,
                 const char *prefix, unsigned depth)
{
    if (depth > FOLDER_DEPTH) {
        input_lose(input, folder, INPUT_LIMITED, "folders below %s are too deep (%d) and left out",
                   path, FOLDER_DEPTH);
        return;
    }
    DIR *dir = opendir(path);
    if (!dir) {
        input_lose(input, folder, INPUT_UNREADABLE, "%s cannot be listed: %s", path,
                   strerror(errno));
        return;
    }
    VEC(char *) names = {0};
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            vec_push(&names, arena_copy(&input->arena, entry->d_name, strlen(entry->d_name)));
    closedir(dir);
    if (names.count > 1) qsort(names.items, names.count, sizeof(char *), compare_names);
    for (size_t i = 0; i < names.count && folder->loss != INPUT_LIMITED; i++)
        visit(input, folder, path, prefix, names.items[i], depth);
    vec_free(&names);
}

void folder_expand(struct input *input, struct input_member *member)
{
    walk(input, member, input->paths.items[member->locator], "", 0);
}
