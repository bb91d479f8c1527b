#include "tui/export.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/utf8.h"
#include "engine/engine.h"
#include "tui/details.h"
#include "tui/flame_draw.h"

#define LARGEST_EXPORT ((size_t)2 << 30)

enum export_format { EXPORT_CSV, EXPORT_TSV, EXPORT_JSON };

static enum export_format format_of(const char *path)
{
    struct str name = str_of(path);
    if (str_ends(name, STR(".json"))) return EXPORT_JSON;
    if (str_ends(name, STR(".tsv"))) return EXPORT_TSV;
    return EXPORT_CSV;
}

static void append_json_string(struct buffer *out, struct str s)
{
    buffer_append_byte(out, '"');
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t used = utf8_decode(str_slice(s, i, s.n), &c);
        if (c == UTF8_INVALID)
            buffer_append_text(out, "\xEF\xBF\xBD");
        else if (c == '"' || c == '\\')
            buffer_printf(out, "\\%c", (int)c);
        else if (c < 0x20)
            buffer_printf(out, "\\u%04x", c);
        else
            buffer_append(out, s.p + i, used);
        i += used;
    }
    buffer_append_byte(out, '"');
}

static void append_quoted(struct buffer *out, struct str s, enum export_format format)
{
    bool plain = true;
    for (size_t i = 0; i < s.n; i++)
        plain &=
            s.p[i] != '"' && s.p[i] != ',' && s.p[i] != '\n' && s.p[i] != '\r' && s.p[i] != '\t';
    if (plain || format == EXPORT_TSV) {
        for (size_t i = 0; i < s.n; i++)
            buffer_append_byte(
                out, format == EXPORT_TSV && (s.p[i] == '\t' || s.p[i] == '\n') ? ' ' : s.p[i]);
        return;
    }
    buffer_append_byte(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"') buffer_append_byte(out, '"');
        buffer_append_byte(out, s.p[i]);
    }
    buffer_append_byte(out, '"');
}

static void append_cell(struct buffer *out, const struct result_cell *cell,
                        enum export_format format)
{
    switch (cell->type) {
    case CELL_NULL:
        if (format == EXPORT_JSON) buffer_append_text(out, "null");
        break;
    case CELL_INT: buffer_printf(out, "%lld", (long long)cell->integer); break;
    case CELL_REAL:
        if (format == EXPORT_JSON && !isfinite(cell->real))
            buffer_append_text(out, "null");
        else
            buffer_printf(out, "%.17g", cell->real);
        break;
    case CELL_TEXT:
    case CELL_BLOB:
        if (format == EXPORT_JSON)
            append_json_string(out, cell->text);
        else
            append_quoted(out, cell->text, format);
        break;
    }
}

static void write_grid(const struct grid *grid, enum export_format format, struct buffer *out)
{
    const char *separator = format == EXPORT_TSV ? "\t" : ",";
    if (format == EXPORT_JSON) {
        buffer_append_text(out, "[");
    } else {
        for (uint32_t c = 0; c < grid->n_columns; c++) {
            if (c) buffer_append_text(out, separator);
            append_quoted(out, str_of(grid_column_name(grid, c)), format);
        }
        buffer_append_text(out, format == EXPORT_TSV ? "\n" : "\r\n");
    }
    for (uint32_t row = 0; row < grid->n_rows; row++) {
        if (format == EXPORT_JSON) buffer_append_text(out, row ? ",\n{" : "\n{");
        for (uint32_t c = 0; c < grid->n_columns; c++) {
            if (c) buffer_append_text(out, separator);
            if (format == EXPORT_JSON) {
                append_json_string(out, str_of(grid_column_name(grid, c)));
                buffer_append_byte(out, ':');
            }
            append_cell(out, grid_at(grid, row, c), format);
        }
        buffer_append_text(out, format == EXPORT_JSON ? "}" : format == EXPORT_TSV ? "\n" : "\r\n");
    }
    if (format == EXPORT_JSON) buffer_append_text(out, "\n]\n");
}

bool export_append_result(const struct result *result, const char *format, struct buffer *out)
{
    struct grid_shape as_it_is = {0};
    struct grid *grid = grid_new(result, &as_it_is);
    out->largest = LARGEST_EXPORT;
    write_grid(grid,
               strcmp(format, "json") == 0  ? EXPORT_JSON
               : strcmp(format, "tsv") == 0 ? EXPORT_TSV
                                            : EXPORT_CSV,
               out);
    grid_free(grid);
    return !out->overflowed;
}

static void write_details(const struct details *details, struct buffer *out)
{
    const struct detail_line *line;
    for (uint64_t i = 0; (line = details_line(details, i)); i++) {
        if (line->label.n) {
            utf8_append_visible(out, line->label, false);
            buffer_append_text(out, "\t");
        }
        utf8_append_visible(out, line->value, false);
        buffer_append_byte(out, '\n');
    }
}

/* A new file beside the old one, renamed over it. */
static bool write_file(const char *path, const struct buffer *text)
{
    struct buffer fresh = BUFFER_INIT;
    buffer_printf(&fresh, "%s.part", path);
    FILE *f = fopen(buffer_text(&fresh), "wb");
    bool ok = f && fwrite(buffer_text(text), 1, text->length, f) == text->length;
    if (f && fclose(f) != 0) ok = false;
    if (ok) ok = rename(buffer_text(&fresh), path) == 0;
    if (!ok && f) {
        int error = errno;
        remove(buffer_text(&fresh));
        errno = error;
    }
    buffer_free(&fresh);
    return ok;
}

void export_shown(struct app *app, const char *path)
{
    struct session *s = app->session;
    struct tab *tab = session_tab_shown(s);
    struct buffer text = BUFFER_INIT;
    text.largest = LARGEST_EXPORT;
    struct status st = STATUS_INIT;
    const struct grid *grid = tab && tab->kind == TAB_QUERY ? tab_grid(tab) : NULL;
    if (grid)
        write_grid(grid, format_of(path), &text);
    else if (tab && tab->kind == TAB_SELECTION)
        write_details(app->details, &text);
    else if (tab && tab->kind == TAB_FLAME)
        flame_export_shown(s, path, &text, &st);
    if (st.code != STATUS_OK)
        session_say(s, MESSAGE_ERROR, "%s: %s", path, status_message(&st));
    else if (text.overflowed)
        session_say(s, MESSAGE_ERROR, "%s: more than 2 GiB, not written", path);
    else if (!text.length)
        session_say(s, MESSAGE_INFO, "this tab holds nothing to export");
    else if (!write_file(path, &text))
        session_say(s, MESSAGE_ERROR, "%s: %s", path, strerror(errno));
    else if (grid)
        session_say(s, MESSAGE_INFO, "%u rows written to %s", grid->n_rows, path);
    else
        session_say(s, MESSAGE_INFO, "written to %s", path);
    status_clear(&st);
    buffer_free(&text);
}
