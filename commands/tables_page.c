/* The page of what SQL can ask: tables, views, functions, macros and modules, with
 * their columns and what is known about them. */
#include <string.h>

#include "commands/command.h"
#include "commands/grid_filter.h"
#include "commands/page.h"
#include "commands/track_match.h"
#include "engine/base/memory.h"
#include "engine/library.h"

static const char *const kinds[] = {
    [LIBRARY_MODULE] = "module",
    [LIBRARY_TABLE] = "table",
    [LIBRARY_VIEW] = "view",
    [LIBRARY_FUNCTION] = "function",
    [LIBRARY_TABLE_FUNCTION] = "table function",
    [LIBRARY_MACRO] = "macro",
};

/* ---- the rows ---- */

static void write_row(struct buffer *out, bool first, const char *const texts[5])
{
    buffer_append_text(out, first ? "(" : ",\n(");
    for (int i = 0; i < 5; i++) {
        if (i > 0) buffer_append_byte(out, ',');
        sql_write_text(out, str_of(texts[i][0] ? texts[i] : ""));
    }
    buffer_append_byte(out, ')');
}

/* The library's, and the tables of the engine under the names that views give them. */
static void write_known(struct buffer *out)
{
    struct arena arena = ARENA_INIT;
    struct library_list list = {0};
    library_read(&arena, &list);
    for (size_t i = 0; i < list.count; i++) {
        const struct library_entry *e = &list.items[i];
        const char *module = e->is_loaded ? "" : e->module;
        if (e->is_loaded && e->kind == LIBRARY_MODULE) continue;
        write_row(out, i == 0,
                  (const char *const[5]){kinds[e->kind], e->name, e->arguments, module, e->doc});
    }
    vec_free(&list);
    arena_free(&arena);
}

static void write_engine(struct tables *tables, struct buffer *out)
{
    static const char prefix[] = "__intrinsic_";
    for (uint32_t i = 0; tables && i < tables_count(); i++) {
        const struct table_schema *schema = tables_at(tables, i)->schema;
        const char *name = schema->name;
        if (strncmp(name, prefix, sizeof prefix - 1) == 0) name += sizeof prefix - 1;
        write_row(out, i == 0, (const char *const[5]){"table", name, "", "", schema->doc});
    }
    if (!tables) write_row(out, true, (const char *const[5]){"", "", "", "", ""});
}

static void write_sql(const struct session *session, const struct tab *tab, int64_t start,
                      int64_t end, struct buffer *out)
{
    (void)start, (void)end;
    buffer_append_text(out, "WITH known(kind, name, columns, module, doc) AS (VALUES ");
    write_known(out);
    buffer_append_text(out, "),\nengine(kind, name, columns, module, doc) AS (VALUES ");
    write_engine(session_tables(session, tab->trace), out);
    buffer_append_text(
        out,
        ")\nSELECT m.type AS kind, m.name AS name, (SELECT group_concat(c.name, ', ') FROM "
        "pragma_table_info(m.name) AS c) AS columns, ifnull(known.module, '') AS module, "
        "coalesce(nullif(known.doc, ''), engine.doc, '') AS doc\n"
        "FROM sqlite_master AS m LEFT JOIN known ON known.name = m.name AND known.kind <> "
        "'module' LEFT JOIN engine ON engine.name = m.name\n"
        "WHERE m.type IN ('table', 'view') AND substr(m.name, 1, 1) <> '_' AND substr(m.name, 1, "
        "7) <> 'sqlite_'\n"
        "UNION ALL SELECT kind, name, columns, module, doc FROM known WHERE kind = 'module' OR "
        "name NOT IN (SELECT name FROM sqlite_master)");
}

/* ---- Enter ---- */

static struct str cell(const struct result *result, uint64_t row, const char *column)
{
    int64_t at = result_column(result, column);
    return at < 0 ? STR("") : result_at(result, row, (uint32_t)at)->text;
}

static bool include(struct session *session, struct str module, struct status *st)
{
    struct buffer sql = BUFFER_INIT;
    buffer_printf(&sql, "INCLUDE PERFETTO MODULE %.*s;", STR_ARG(module));
    struct result *result = session_query(session, session_trace_in_focus(session),
                                          ENGINE_ORIGIN_USER, buffer_text(&sql), 0, st);
    buffer_free(&sql);
    if (!result) return false;
    result_free(result);
    session_say(session, MESSAGE_INFO, "%.*s is included: what it makes is in the list",
                STR_ARG(module));
    return true;
}

static bool open_row(struct session *session, const struct result *result, uint64_t row,
                     struct status *st)
{
    struct str kind = cell(result, row, "kind"), name = cell(result, row, "name");
    struct str module = cell(result, row, "module");
    if (str_is(kind, "module")) return include(session, name, st);
    struct buffer sql = BUFFER_INIT, title = BUFFER_INIT;
    if (module.n) buffer_printf(&sql, "INCLUDE PERFETTO MODULE %.*s; ", STR_ARG(module));
    if (str_is(kind, "table") || str_is(kind, "view")) {
        buffer_printf(&sql, "SELECT * FROM %.*s LIMIT 1000", STR_ARG(name));
        buffer_printf(&title, "%.*s", STR_ARG(name));
        session_open_query(session, session_trace_in_focus(session), ENGINE_ORIGIN_USER,
                           buffer_text(&title), NULL, buffer_text(&sql));
    } else {
        bool is_macro = str_is(kind, "macro"), is_table = str_is(kind, "table function");
        buffer_printf(&sql, "SELECT %s%.*s%s(", is_macro || is_table ? "* FROM " : "",
                      STR_ARG(name), is_macro ? "!" : "");
        session_ask(session, REQUEST_SQL_PROMPT, buffer_text(&sql));
    }
    buffer_free(&sql);
    buffer_free(&title);
    return true;
}

/* What ran may have made some. */
static uint64_t version(const struct session *session)
{
    return session->query_log.total;
}

static const struct page_kind page = {
    .title = "SQL tables",
    .write_sql = write_sql,
    .columns = "kind, name, columns, module, doc",
    .order = "name, kind",
    .searched = "name|columns|module|doc",
    .is_timeless = true,
    .version = version,
    .open_row = open_row,
};

static bool show(const struct command_call *call, struct status *st)
{
    if (!call->session->n_traces)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no trace is open");
    session_open_page(call->session, &page);
    return true;
}

const struct command command_show_sql_tables = {
    .id = "dev.perfetty.ShowSqlTables",
    .name = "Show the tables, functions and modules of SQL",
    .kind = COMMAND_QUERY,
    .run = show,
};
