/* Holds the tree to its own rules: a room includes only rooms above it, and no
 * file calls what the charter bans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/buffer.h"

/* In the order of the design: each may use those before it. */
static const char *const rooms[] = {
    "engine/base",
    "engine/store",
    "engine/proto",
    "engine/read",
    "engine/import",
    "engine/sql",
    "engine/extensions",
    "engine",
    "commands",
    "macros",
    "tui",
    "cli",
};
#define ROOM_COUNT ((int)(sizeof rooms / sizeof *rooms))

static int failures;

static int room_of(const char *path)
{
    int best = -1;
    for (int i = 0; i < ROOM_COUNT; i++) {
        size_t n = strlen(rooms[i]);
        if (strncmp(path, rooms[i], n) == 0 && path[n] == '/' &&
            (best < 0 || n > strlen(rooms[best])))
            best = i;
    }
    return best;
}

static void check_include(const char *file, int line, const char *target)
{
    int from = room_of(file), to = room_of(target);
    if (from >= 0 && to > from) {
        fprintf(stderr, "%s:%d: %s is below %s\n", file, line, rooms[to], rooms[from]);
        failures++;
    }
}

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void check_banned(const char *file, int line, const char *text)
{
    static const char *const everywhere[] = {"strcpy", "strcat", "sprintf", "strtok",
                                             "atoi",   "atol",   "gets",    "alloca",
                                             "setjmp", "system", "popen",   "rand"};
    static const char *const heap[] = {"malloc", "calloc", "realloc", "free"};
    bool base = room_of(file) == 0;
    for (int set = 0; set < 2; set++) {
        if (set == 1 && base) break;
        size_t count = set ? 4 : sizeof everywhere / sizeof *everywhere;
        for (size_t i = 0; i < count; i++) {
            const char *word = set ? heap[i] : everywhere[i];
            for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
                bool starts = at == text || !is_word_char(at[-1]);
                if (starts && at[strlen(word)] == '(') {
                    fprintf(stderr, "%s:%d: %s is banned here\n", file, line, word);
                    failures++;
                }
            }
        }
    }
}

static int curses_files;

static void check_file(const char *relative)
{
    char path[2200];
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, relative);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char text[4096];
    bool in_comment = false, has_curses = false;
    for (int line = 1; fgets(text, sizeof text, f); line++) {
        if (strncmp(text, "#include", 8) == 0) {
            char *quote = strchr(text, '"');
            char *end = quote ? strchr(quote + 1, '"') : NULL;
            if (end) {
                *end = '\0';
                check_include(relative, line, quote + 1);
            }
            has_curses |= strstr(text, "curses.h>") || strstr(text, "<term.h>");
            if (strstr(text, "<sqlite3.h>") && room_of(relative) != room_of("engine/sql/x")) {
                fprintf(stderr, "%s:%d: sqlite3.h outside engine/sql\n", relative, line);
                failures++;
            }
            continue;
        }
        if (strstr(text, "/*")) in_comment = true;
        if (!in_comment) check_banned(relative, line, text);
        if (strstr(text, "*/")) in_comment = false;
    }
    fclose(f);
    curses_files += has_curses;
}

static void walk(const char *relative)
{
    char path[2200];
    snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, relative);
    DIR *dir = opendir(path);
    if (!dir) return;
    struct dirent *entry;
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.') continue;
        char child[1024], full[2200];
        snprintf(child, sizeof child, "%s/%s", relative, entry->d_name);
        snprintf(full, sizeof full, "%s/%s", SOURCE_DIR, child);
        struct stat info;
        if (stat(full, &info) != 0) continue;
        size_t n = strlen(child);
        if (S_ISDIR(info.st_mode))
            walk(child);
        else if (n > 2 && child[n - 2] == '.' && (child[n - 1] == 'c' || child[n - 1] == 'h'))
            check_file(child);
    }
    closedir(dir);
}

static void the_tree_keeps_its_rules(void **state)
{
    (void)state;
    walk("engine");
    walk("commands");
    walk("macros");
    walk("tui");
    walk("cli");
    if (curses_files > 1) fprintf(stderr, "%d files include curses\n", curses_files);
    assert_true(curses_files <= 1);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_tree_keeps_its_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
