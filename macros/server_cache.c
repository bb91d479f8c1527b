#include "macros/server_cache.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/state_file.h"
#include "engine/base/memory.h"
#include "macros/fetch.h"

char *server_cache_folder(void)
{
    return state_file_path("XDG_CACHE_HOME", ".cache", "servers");
}

/* FNV-1a: a name that stays the same from one version to the next. */
static char *entry_path(const char *folder, const char *url)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *p = url; *p; p++)
        hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    struct buffer path = BUFFER_INIT;
    buffer_printf(&path, "%s/%016" PRIx64, folder, hash);
    return buffer_take(&path);
}

bool server_cache_read(const char *folder, const char *url, struct buffer *out, time_t *when)
{
    if (!folder) return false;
    char *path = entry_path(folder, url);
    struct buffer bytes = BUFFER_INIT;
    struct status st = STATUS_INIT;
    struct stat info;
    struct str first, rest;
    bool good =
        stat(path, &info) == 0 && state_file_read(path, FETCH_MOST_BYTES + 65536, &bytes, &st);
    rest = buffer_str(&bytes);
    good = good && str_split_next(&rest, '\n', &first) && str_is(first, url);
    if (good) {
        buffer_append_str(out, rest);
        *when = info.st_mtime;
    }
    status_clear(&st);
    buffer_free(&bytes);
    mem_free(path);
    return good;
}

void server_cache_write(const char *folder, const char *url, struct str bytes)
{
    if (!folder) return;
    char *path = entry_path(folder, url);
    struct buffer text = BUFFER_INIT;
    struct status st = STATUS_INIT;
    buffer_printf(&text, "%s\n", url);
    buffer_append_str(&text, bytes);
    state_file_write(path, buffer_str(&text), &st);
    status_clear(&st);
    buffer_free(&text);
    mem_free(path);
}

void server_cache_evict(const char *folder, const char *url)
{
    if (!folder) return;
    char *path = entry_path(folder, url);
    unlink(path);
    mem_free(path);
}
