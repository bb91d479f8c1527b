#include "engine/sql/perfettosql_source.h"

#include <sqlite3.h>
#include <string.h>

#include "engine/sql/perfettosql_lexer.h"

/* Bytes of a line that a traceback shows around the caret. */
#define CONTEXT_BYTES 120u

void sql_source_init(struct sql_source *source, const char *name, struct str text,
                     enum sql_origin origin)
{
    *source = (struct sql_source){.name = mem_strdup(name), .origin = origin};
    source->text = mem_copy_string(text.n ? text.p : "", text.n);
    size_t out = 0;
    for (size_t i = 0; i < text.n; i++) {
        bool is_nbsp = i + 1 < text.n && memcmp(text.p + i, "\xC2\xA0", 2) == 0;
        source->text[out++] = is_nbsp ? ' ' : text.p[i];
        if (is_nbsp) i++;
    }
    source->text[out] = '\0';
    source->length = out;
}

void sql_source_free(struct sql_source *source)
{
    mem_free(source->name);
    mem_free(source->text);
    *source = (struct sql_source){.name = NULL};
}

static bool begins_trigger(struct str text)
{
    struct sql_reader r;
    sql_reader_start(&r, text);
    if (!sql_reader_accept(&r, "CREATE")) return false;
    if (!sql_reader_accept(&r, "TEMP")) sql_reader_accept(&r, "TEMPORARY");
    return sql_reader_is(&r, "TRIGGER");
}

/* Semicolons inside a trigger's body are its own; SQLite knows which. */
static bool trigger_is_complete(struct str text)
{
    char *copy = mem_copy_string(text.p, text.n);
    bool complete = sqlite3_complete(copy) != 0;
    mem_free(copy);
    return complete;
}

bool sql_source_next(struct sql_source *source, struct str *raw)
{
    struct str all = {source->text, source->length};
    while (source->at < source->length) {
        size_t start = source->at, last = start;
        bool any = false, is_trigger = false;
        for (;;) {
            struct sql_token token = sql_lex(all, source->at);
            source->at += token.text.n;
            if (token.kind == SQL_TOKEN_END) break;
            if (token.kind == SQL_TOKEN_SEMICOLON &&
                (!is_trigger || trigger_is_complete(str_slice(all, start, source->at))))
                break;
            if (token.kind == SQL_TOKEN_SPACE) continue;
            if (!any) {
                start = source->at - token.text.n;
                is_trigger = begins_trigger(str_slice(all, start, all.n));
            }
            any = true;
            last = source->at;
        }
        if (any) {
            *raw = str_slice(all, start, last);
            return true;
        }
    }
    return false;
}

void sql_unit_free(struct sql_unit *unit)
{
    buffer_free(&unit->text);
    vec_free(&unit->segments);
}

static void append_context(struct buffer *out, struct str text, size_t offset)
{
    size_t line = offset, end = offset;
    while (line > 0 && text.p[line - 1] != '\n')
        line--;
    while (end < text.n && text.p[end] != '\n')
        end++;
    if (offset - line > CONTEXT_BYTES / 2) line = offset - CONTEXT_BYTES / 2;
    if (end - line > CONTEXT_BYTES) end = line + CONTEXT_BYTES;
    buffer_append_text(out, "    ");
    buffer_append_str(out, str_slice(text, line, end));
    buffer_printf(out, "\n%*s^\n", (int)(4 + offset - line), "");
}

static void append_frame(struct buffer *out, const struct sql_source *source, size_t offset)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < offset; i++) {
        column++;
        if (source->text[i] != '\n') continue;
        line++;
        column = 1;
    }
    buffer_printf(out, "  File \"%s\" line %zu col %zu\n", source->name, line, column);
    append_context(out, (struct str){source->text, source->length}, offset);
}

static size_t original_offset(const struct sql_unit *unit, size_t offset)
{
    const struct sql_segment *in = NULL;
    for (size_t i = 0; i < unit->segments.count; i++)
        if (unit->segments.items[i].expanded <= offset) in = &unit->segments.items[i];
    if (!in) return unit->start + offset;
    return unit->start + in->original + (in->is_macro ? 0 : offset - in->expanded);
}

void sql_unit_trace(const struct sql_unit *unit, size_t offset, struct status *st)
{
    if (!st || st->code == STATUS_OK) return;
    struct buffer out = BUFFER_INIT;
    struct str text = buffer_str(&unit->text);
    if (offset > text.n) offset = text.n;
    if (unit->has_macros) {
        buffer_append_text(&out, "Fully expanded statement\n");
        append_context(&out, text, offset);
    }
    buffer_append_text(&out, "Traceback (most recent call last):\n");
    size_t at = original_offset(unit, offset);
    append_frame(&out, unit->source, at > unit->source->length ? unit->source->length : at);
    buffer_append_text(&out, status_message(st));
    struct status traced = STATUS_INIT;
    /* A message is at most as long as status keeps it. */
    status_fail(&traced, st->code, st->offset, "%s", buffer_text(&out));
    status_clear(st);
    *st = traced;
    buffer_free(&out);
}
