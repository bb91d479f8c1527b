#include "engine/library.h"

#include <strings.h>

#include "engine/base/buffer.h"
#include "engine/sql/stdlib.h"

/* ---- words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The next word, or one other character; empty at the end. */
static struct str take(struct str *rest)
{
    size_t i = 0, n;
    while (i < rest->n && is_blank(rest->p[i]))
        i++;
    for (n = i; n < rest->n && is_word(rest->p[n]); n++)
        continue;
    if (n == i && n < rest->n) n++;
    struct str word = str_slice(*rest, i, n);
    *rest = str_slice(*rest, n, rest->n);
    return word;
}

static bool same(struct str word, const char *text)
{
    return word.n == strlen(text) && strncasecmp(word.p, text, word.n) == 0;
}

/* One blank for any run of them, and none inside brackets. */
static const char *one_line(struct arena *arena, struct str text)
{
    struct buffer line = BUFFER_INIT;
    text = str_trim(text);
    for (size_t i = 0; i < text.n; i++) {
        bool blank = is_blank(text.p[i]);
        if (blank && (is_blank(text.p[i - 1]) || text.p[i - 1] == '(')) continue;
        if (text.p[i] == ')' && line.length && line.data[line.length - 1] == ' ') line.length--;
        buffer_append_byte(&line, blank ? ' ' : text.p[i]);
    }
    const char *copy = arena_copy(arena, buffer_text(&line), line.length);
    buffer_free(&line);
    return copy;
}

/* ---- one statement ---- */

/* "(x LONG, y STRING) RETURNS LONG", up to the AS of the body. */
static struct str signature(struct str rest)
{
    struct str at = rest, word;
    int depth = 0;
    while ((word = take(&at)).n) {
        if (word.p[0] == '(') depth++;
        if (word.p[0] == ')') depth--;
        if (depth == 0 && same(word, "AS")) return (struct str){rest.p, (size_t)(word.p - rest.p)};
        if (word.p[0] == ';') break;
    }
    return STR("");
}

/* After CREATE: what it makes; false when that is nothing of the library's face. */
static bool read_statement(struct str rest, struct arena *arena, struct library_entry *out)
{
    struct str word = take(&rest);
    if (same(word, "OR")) {
        take(&rest);
        word = take(&rest);
    }
    if (same(word, "PERFETTO")) word = take(&rest);
    if (same(word, "TABLE"))
        out->kind = LIBRARY_TABLE;
    else if (same(word, "VIEW"))
        out->kind = LIBRARY_VIEW;
    else if (same(word, "FUNCTION"))
        out->kind = LIBRARY_FUNCTION;
    else if (same(word, "MACRO"))
        out->kind = LIBRARY_MACRO;
    else
        return false;
    word = take(&rest);
    if (!word.n || word.p[0] == '_') return false;
    out->name = arena_copy(arena, word.p, word.n);
    out->arguments = "";
    if (out->kind == LIBRARY_FUNCTION || out->kind == LIBRARY_MACRO)
        out->arguments = one_line(arena, signature(rest));
    size_t at;
    if (out->kind == LIBRARY_FUNCTION &&
        str_find(str_of(out->arguments), STR("RETURNS TABLE"), &at))
        out->kind = LIBRARY_TABLE_FUNCTION;
    return true;
}

void library_read_module(struct str module, struct str sql, struct arena *arena,
                         struct library_list *out)
{
    struct buffer comment = BUFFER_INIT;
    struct library_entry of_module = {
        .kind = LIBRARY_MODULE,
        .name = arena_copy(arena, module.p, module.n),
        .arguments = "",
        .doc = "",
        .is_loaded = str_starts(module, STR("prelude.")),
    };
    of_module.module = of_module.name;
    vec_push(out, of_module);
    struct str rest = sql, line;
    while (str_split_next(&rest, '\n', &line)) {
        size_t from = (size_t)(line.p - sql.p);
        if (str_starts(line, STR("--"))) {
            buffer_append_str(&comment, str_slice(line, 2, line.n));
            buffer_append_byte(&comment, '\n');
            continue;
        }
        struct library_entry entry = of_module;
        if (str_starts(line, STR("CREATE ")) &&
            read_statement(str_slice(sql, from + 7, sql.n), arena, &entry)) {
            entry.doc = one_line(arena, buffer_str(&comment));
            vec_push(out, entry);
        }
        buffer_clear(&comment);
    }
    buffer_free(&comment);
}

void library_read(struct arena *arena, struct library_list *out)
{
    for (size_t i = 0; i < stdlib_modules_count; i++) {
        const struct embedded_file *file = &stdlib_modules[i];
        struct str path = str_of(file->path);
        if (str_ends(path, STR(".sql"))) path.n -= 4;
        char *name = arena_copy(arena, path.p, path.n);
        for (size_t k = 0; k < path.n; k++)
            if (name[k] == '/') name[k] = '.';
        library_read_module(str_of(name), (struct str){file->bytes, file->length}, arena, out);
    }
}
