/* perfetty-gen: writes the traces of the catalogue to files.
 *
 *     perfetty-gen DIR                 all of them
 *     perfetty-gen --only NAME -o FILE
 *     perfetty-gen --list
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/gen/catalogue.h"

static int usage(void)
{
    fputs("usage: perfetty-gen DIR | --only NAME -o FILE | --list\n", stderr);
    return 2;
}

static bool write_entry(size_t entry, const char *path)
{
    struct buffer bytes = BUFFER_INIT;
    gen_catalogue_write(entry, &bytes);
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(buffer_text(&bytes), 1, bytes.length, file) == bytes.length;
    if (file && fclose(file) != 0) ok = false;
    if (!ok) fprintf(stderr, "perfetty-gen: cannot write %s\n", path);
    buffer_free(&bytes);
    return ok;
}

static int list(void)
{
    struct buffer name = BUFFER_INIT;
    for (size_t i = 0; i < gen_catalogue_count(); i++) {
        buffer_clear(&name);
        gen_catalogue_name(i, &name);
        puts(buffer_text(&name));
    }
    buffer_free(&name);
    return 0;
}

static int write_all(const char *dir)
{
    struct buffer path = BUFFER_INIT;
    bool ok = true;
    mkdir(dir, 0777);
    for (size_t i = 0; i < gen_catalogue_count(); i++) {
        buffer_clear(&path);
        buffer_printf(&path, "%s/", dir);
        gen_catalogue_name(i, &path);
        ok = write_entry(i, buffer_text(&path)) && ok;
    }
    buffer_free(&path);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) return list();
    if (argc == 2 && argv[1][0] != '-') return write_all(argv[1]);
    if (argc != 5 || strcmp(argv[1], "--only") != 0 || strcmp(argv[3], "-o") != 0) return usage();
    size_t entry = 0;
    if (!gen_catalogue_find(argv[2], &entry)) {
        fprintf(stderr, "perfetty-gen: no trace is named %s; see --list\n", argv[2]);
        return 2;
    }
    return write_entry(entry, argv[4]) ? 0 : 1;
}
