#include "cli/line_history.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/line.h"
#include "engine/base/buffer.h"
#include "engine/base/vec.h"

/* The folder of the program's state; false when there is no home. */
static bool state_folder(struct buffer *path)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && state[0] == '/')
        buffer_printf(path, "%s/perfetty", state);
    else if (home && home[0] == '/')
        buffer_printf(path, "%s/.local/state/perfetty", home);
    else
        return false;
    return true;
}

static void make_folders(char *path)
{
    for (char *c = path + 1; *c; c++) {
        if (*c != '/') continue;
        *c = 0;
        mkdir(path, 0700);
        *c = '/';
    }
    mkdir(path, 0700);
}

bool line_read(FILE *file, struct buffer *line)
{
    char piece[4096];
    buffer_clear(line);
    while (fgets(piece, sizeof piece, file)) {
        size_t n = strlen(piece);
        bool ends = n > 0 && piece[n - 1] == '\n';
        buffer_append(line, piece, ends ? n - 1 : n);
        if (ends) return true;
    }
    return line->length > 0;
}

void line_history_load(struct line_history *history)
{
    struct buffer path = BUFFER_INIT;
    if (!state_folder(&path)) return;
    buffer_append_text(&path, "/shell_history");
    FILE *file = fopen(buffer_text(&path), "re");
    struct buffer line = BUFFER_INIT;
    while (file && line_read(file, &line))
        line_history_add(history, buffer_text(&line));
    if (file) fclose(file);
    buffer_free(&line);
    buffer_free(&path);
}

void line_history_add(struct line_history *history, const char *line)
{
    if (!*line) return;
    if (history->count > 0 && strcmp(*vec_last(history), line) == 0) return;
    if (history->count >= LINE_HISTORY) {
        mem_free(history->items[0]);
        memmove(history->items, history->items + 1, (history->count - 1) * sizeof(char *));
        history->count--;
    }
    vec_push(history, mem_strdup(line));
}

void line_history_save(const struct line_history *history)
{
    struct buffer folder = BUFFER_INIT, path = BUFFER_INIT, draft = BUFFER_INIT;
    if (history->count > 0 && state_folder(&folder)) {
        make_folders(folder.data);
        buffer_printf(&path, "%s/shell_history", buffer_text(&folder));
        buffer_printf(&draft, "%s/shell_history.%ld", buffer_text(&folder), (long)getpid());
        int fd = open(buffer_text(&draft), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
        for (size_t i = 0; file && i < history->count; i++)
            fprintf(file, "%s\n", history->items[i]);
        if (file && fclose(file) == 0)
            rename(buffer_text(&draft), buffer_text(&path));
        else if (fd >= 0)
            unlink(buffer_text(&draft));
    }
    buffer_free(&folder);
    buffer_free(&path);
    buffer_free(&draft);
}

void line_history_free(struct line_history *history)
{
    for (size_t i = 0; i < history->count; i++)
        mem_free(history->items[i]);
    vec_free(history);
}
