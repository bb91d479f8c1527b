/* Stands in for libFuzzer: runs the target once on each file named, or on each
 * file of a folder.  What begins with - is for the target. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* A target may do without. */
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static int n_files;

static void run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return;
    size_t size = 0, capacity = 1 << 16;
    uint8_t *bytes = malloc(capacity);
    for (size_t n; bytes && (n = fread(bytes + size, 1, capacity - size, f)) > 0;) {
        size += n;
        if (size == capacity) bytes = realloc(bytes, capacity *= 2);
    }
    fclose(f);
    /* Exactly as large as it is, so that a sanitizer sees a read past its end. */
    if (bytes && size > 0) bytes = realloc(bytes, size);
    if (!bytes) exit(1);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    n_files++;
}

static void run_path(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) return;
    if (!S_ISDIR(info.st_mode)) {
        run_file(path);
        return;
    }
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        char child[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        run_path(child);
    }
    if (dir) closedir(dir);
}

int main(int argc, char **argv)
{
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-') run_path(argv[i]);
    printf("%d inputs\n", n_files);
    return n_files ? 0 : 1;
}
