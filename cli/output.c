#include "cli/output.h"

#include <string.h>
#include <unistd.h>

#include "cli/json.h"
#include "cli/table.h"
#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"

enum { DOUBLE_TEXT = 255 };

struct output {
    FILE *file;
    enum output_format format;
    const char *trace;
    struct buffer row;    /* scratch */
    struct buffer header; /* of the set before, to tell a repeated one */
    uint64_t n_sets;
    bool is_terminal; /* nothing of a trace is sent to one as it is */
};

/* How a format writes its parts; `column` counts the trace column too. */
struct writer {
    void (*text)(struct buffer *out, struct str s);
    void (*cell)(struct buffer *out, const struct query *query, uint32_t column);
    const char *separator, *line_end;
};

bool output_parse_format(const char *name, enum output_format *format)
{
    static const char *const names[] = {"tp", "csv", "json", "table"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0) {
            *format = (enum output_format)i;
            return true;
        }
    return false;
}

struct output *output_new(FILE *file, enum output_format format)
{
    struct output *output = mem_zero(1, sizeof *output);
    output->file = file;
    output->format = format;
    output->is_terminal = isatty(fileno(file));
    return output;
}

void output_set_trace(struct output *output, const char *trace)
{
    output->trace = trace;
}

void output_free(struct output *output)
{
    buffer_free(&output->row);
    buffer_free(&output->header);
    mem_free(output);
}

static void write_visible(FILE *file, struct str text)
{
    struct buffer visible = BUFFER_INIT;
    utf8_append_visible(&visible, text, false);
    fwrite(buffer_text(&visible), 1, visible.length, file);
    buffer_free(&visible);
}

void output_write(FILE *file, struct str text)
{
    if (isatty(fileno(file)))
        write_visible(file, text);
    else
        fwrite(text.p, 1, text.n, file);
}

static void put_row(struct output *output, const char *line_end)
{
    if (output->is_terminal)
        write_visible(output->file, buffer_str(&output->row));
    else
        fwrite(buffer_text(&output->row), 1, output->row.length, output->file);
    fputs(line_end, output->file);
}

/* ---- tp ---- */

static void tp_text(struct buffer *out, struct str s)
{
    buffer_append_byte(out, '"');
    buffer_append_str(out, s);
    buffer_append_byte(out, '"');
}

static void tp_cell(struct buffer *out, const struct query *query, uint32_t column)
{
    char text[DOUBLE_TEXT + 1];
    switch (query_type(query, column)) {
    case CELL_NULL: buffer_append_text(out, "\"[NULL]\""); break;
    case CELL_INT: buffer_printf(out, "%lld", (long long)query_int(query, column)); break;
    case CELL_REAL:
        snprintf(text, sizeof text, "%f", query_real(query, column));
        buffer_append_text(out, text);
        break;
    case CELL_TEXT: tp_text(out, query_text(query, column)); break;
    case CELL_BLOB: buffer_append_text(out, "\"<raw bytes>\""); break;
    }
}

/* ---- csv ---- */

static void csv_text(struct buffer *out, struct str s)
{
    bool plain = s.n > 0;
    for (size_t i = 0; i < s.n && plain; i++)
        plain = !memchr("\",\r\n", s.p[i], 4);
    if (plain) {
        buffer_append_str(out, s);
        return;
    }
    buffer_append_byte(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"') buffer_append_byte(out, '"');
        buffer_append_byte(out, s.p[i]);
    }
    buffer_append_byte(out, '"');
}

static void append_hex(struct buffer *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        buffer_printf(out, "%02x", (unsigned char)s.p[i]);
}

static void csv_cell(struct buffer *out, const struct query *query, uint32_t column)
{
    switch (query_type(query, column)) {
    case CELL_NULL: break;
    case CELL_INT: buffer_printf(out, "%lld", (long long)query_int(query, column)); break;
    case CELL_REAL: append_shortest_double(out, query_real(query, column)); break;
    case CELL_TEXT: csv_text(out, query_text(query, column)); break;
    case CELL_BLOB: append_hex(out, query_text(query, column)); break;
    }
}

/* ---- json ---- */

static void json_cell(struct buffer *out, const struct query *query, uint32_t column)
{
    switch (query_type(query, column)) {
    case CELL_NULL: buffer_append_text(out, "null"); break;
    case CELL_INT: buffer_printf(out, "%lld", (long long)query_int(query, column)); break;
    case CELL_REAL: json_append_double(out, query_real(query, column)); break;
    case CELL_TEXT: json_append_text(out, query_text(query, column)); break;
    case CELL_BLOB:
        buffer_append_byte(out, '"');
        append_hex(out, query_text(query, column));
        buffer_append_byte(out, '"');
        break;
    }
}

static void json_row(struct output *output, const struct query *query)
{
    struct buffer *row = &output->row;
    uint32_t n = query_column_count(query);
    buffer_append_byte(row, '{');
    if (output->trace) {
        buffer_append_text(row, "\"trace\":");
        json_append_text(row, str_of(output->trace));
    }
    for (uint32_t c = 0; c < n; c++) {
        if (c > 0 || output->trace) buffer_append_byte(row, ',');
        json_append_text(row, str_of(query_column_name(query, c)));
        buffer_append_byte(row, ':');
        json_cell(row, query, c);
    }
    buffer_append_byte(row, '}');
}

static bool write_json(struct output *output, struct query *query, struct status *st)
{
    struct status local = STATUS_INIT;
    uint64_t rows = 0;
    fputs("[", output->file);
    while (!ferror(output->file) && query_step(query, &local)) {
        buffer_clear(&output->row);
        json_row(output, query);
        if (rows++ > 0) fputs(",\n ", output->file);
        put_row(output, "");
    }
    fputs("]\n", output->file);
    bool ok = local.code == STATUS_OK;
    status_move(st, &local);
    return ok;
}

/* ---- rows of cells: tp and csv ---- */

static void begin_rows(struct output *output, const struct writer *w, const struct query *query)
{
    struct buffer *row = &output->row;
    uint32_t n = query_column_count(query);
    buffer_clear(row);
    if (output->trace) w->text(row, STR("trace"));
    for (uint32_t c = 0; c < n; c++) {
        if (c > 0 || output->trace) buffer_append_text(row, w->separator);
        w->text(row, str_of(query_column_name(query, c)));
    }
    /* With a trace column the same set of the next trace goes on where it was. */
    bool goes_on = output->trace && output->n_sets > 0 &&
                   str_equal(buffer_str(row), buffer_str(&output->header));
    if (goes_on) return;
    if (output->n_sets > 0) fputs(w->line_end, output->file);
    put_row(output, w->line_end);
    buffer_clear(&output->header);
    buffer_append_str(&output->header, buffer_str(row));
}

static bool write_rows(struct output *output, const struct writer *w, struct query *query,
                       struct status *st)
{
    struct status local = STATUS_INIT;
    struct buffer *row = &output->row;
    uint32_t n = query_column_count(query);
    begin_rows(output, w, query);
    while (!ferror(output->file) && query_step(query, &local)) {
        buffer_clear(row);
        if (output->trace) w->text(row, str_of(output->trace));
        for (uint32_t c = 0; c < n; c++) {
            if (c > 0 || output->trace) buffer_append_text(row, w->separator);
            w->cell(row, query, c);
        }
        put_row(output, w->line_end);
    }
    bool ok = local.code == STATUS_OK;
    status_move(st, &local);
    return ok;
}

static bool drain(struct query *query, struct status *st)
{
    struct status local = STATUS_INIT;
    while (query_step(query, &local))
        continue;
    bool ok = local.code == STATUS_OK;
    status_move(st, &local);
    return ok;
}

bool output_statement(struct output *output, struct query *query, struct status *st)
{
    static const struct writer tp = {tp_text, tp_cell, ",", "\n"};
    static const struct writer csv = {csv_text, csv_cell, ",", "\r\n"};
    if (query_column_count(query) == 0 || query_is_silent(query)) return drain(query, st);
    bool ok = false;
    switch (output->format) {
    case OUTPUT_TP: ok = write_rows(output, &tp, query, st); break;
    case OUTPUT_CSV: ok = write_rows(output, &csv, query, st); break;
    case OUTPUT_JSON: ok = write_json(output, query, st); break;
    case OUTPUT_TABLE:
        if (output->n_sets > 0) fputs("\n", output->file);
        ok = table_print(output->file, output->trace, query, st);
        break;
    }
    output->n_sets++;
    return ok;
}
