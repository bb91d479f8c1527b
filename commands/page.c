#include "commands/page.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "commands/grid_filter.h"
#include "commands/track_match.h"
#include "engine/base/memory.h"

bool page_is_bounded(const struct page *page)
{
    return page && page->kind->write_sql;
}

/* ---- the query ---- */

static void write_name(struct buffer *out, const char *name)
{
    buffer_append_byte(out, '"');
    for (; *name; name++) {
        if (*name == '"') buffer_append_byte(out, '"');
        buffer_append_byte(out, *name);
    }
    buffer_append_byte(out, '"');
}

static bool is_args(const struct page_kind *kind, const char *column)
{
    return kind->has_args && strcasecmp(column, "args") == 0;
}

static bool has_column(const struct page_kind *kind, const char *name)
{
    struct str rest = str_of(kind->columns), column;
    if (is_args(kind, name)) return true;
    while (str_split_next(&rest, ',', &column)) {
        column = str_trim(column);
        if (column.n == strlen(name) && strncasecmp(column.p, name, column.n) == 0) return true;
    }
    return false;
}

static void write_args_condition(const struct grid_matcher *matcher, struct buffer *out)
{
    buffer_append_text(out, "arg_set_id IN (SELECT arg_set_id FROM args WHERE ");
    grid_matcher_write_sql(matcher, "key || '=' || ifnull(display_value, '')", out);
    buffer_append_byte(out, ')');
}

/* A condition that holds when some column is as wanted. */
static void write_filter(const struct page_kind *kind, const struct grid_filter *filter,
                         struct buffer *out)
{
    struct str text = str_trim(str_of(filter->text));
    bool is_not = text.n && text.p[0] == '!';
    struct status st = STATUS_INIT;
    struct grid_matcher *matcher = grid_matcher_new(str_slice(text, is_not, text.n), &st);
    status_clear(&st);
    if (!matcher) {
        buffer_append_byte(out, '1');
        return;
    }
    buffer_append_text(out, is_not ? "NOT (" : "(");
    if (filter->column && is_args(kind, filter->column)) {
        write_args_condition(matcher, out);
    } else if (filter->column) {
        struct buffer name = BUFFER_INIT;
        write_name(&name, filter->column);
        grid_matcher_write_sql(matcher, buffer_text(&name), out);
        buffer_free(&name);
    } else {
        struct str rest = str_of(kind->searched), column;
        for (bool first = true; str_split_next(&rest, '|', &column); first = false) {
            char *name = mem_copy_string(column.p, column.n);
            buffer_append_text(out, first ? "" : " OR ");
            grid_matcher_write_sql(matcher, name, out);
            mem_free(name);
        }
        if (kind->has_args) {
            buffer_append_text(out, " OR ");
            write_args_condition(matcher, out);
        }
    }
    buffer_append_byte(out, ')');
    grid_matcher_free(matcher);
}

static void write_where(const struct tab *tab, struct buffer *out)
{
    const struct page_kind *kind = tab->page->kind;
    const char *before = " WHERE ";
    for (size_t i = 0; i < tab->shape.filters.count; i++) {
        const struct grid_filter *filter = &tab->shape.filters.items[i];
        if (filter->column && !has_column(kind, filter->column)) continue;
        buffer_append_text(out, before);
        write_filter(kind, filter, out);
        before = " AND ";
    }
}

static void write_order(const struct tab *tab, struct buffer *out)
{
    const struct page_kind *kind = tab->page->kind;
    const char *group = tab->shape.group;
    bool any = false;
    buffer_append_text(out, " ORDER BY ");
    for (size_t i = 0; i < tab->shape.sorts.count; i++) {
        const struct grid_sort *sort = &tab->shape.sorts.items[i];
        bool known =
            group ? strcasecmp(sort->column, group) == 0 || strcasecmp(sort->column, "count") == 0
                  : has_column(kind, sort->column);
        if (!known) continue;
        write_name(out, is_args(kind, sort->column) ? "arg_set_id" : sort->column);
        buffer_append_text(out, sort->descending ? " DESC, " : ", ");
        any = true;
    }
    if (group)
        buffer_append_text(out, any ? "1" : "count DESC, 1");
    else
        buffer_append_text(out, kind->order);
}

static void write_query(const struct session *session, const struct tab *tab, struct buffer *out)
{
    const struct page *page = tab->page;
    const struct session_trace *trace = &session->traces[tab->trace];
    const char *group = tab->shape.group && has_column(page->kind, tab->shape.group) &&
                                !is_args(page->kind, tab->shape.group)
                            ? tab->shape.group
                            : NULL;
    /* A window up to an edge of the trace has all that is at the edge. */
    bool from = page->follows_window && session->window_start > session->start;
    bool to = page->follows_window && session->window_end < session->end;
    struct buffer inner = BUFFER_INIT;
    page->kind->write_sql(session, tab,
                          from ? session->window_start - trace->offset_ns : PAGE_NO_START,
                          to ? session->window_end - trace->offset_ns : PAGE_NO_END, &inner);
    if (group) {
        buffer_append_text(out, "SELECT ");
        write_name(out, group);
        buffer_append_text(out, ", count(*) AS count FROM (");
    } else if (page->kind->has_args) {
        buffer_printf(out,
                      "SELECT %s,\n(SELECT group_concat(key || '=' || ifnull(display_value, "
                      "'NULL'), ' ') FROM args WHERE args.arg_set_id = page.arg_set_id) AS "
                      "args\nFROM (SELECT * FROM (",
                      page->kind->columns);
    } else {
        buffer_printf(out, "SELECT %s FROM (", page->kind->columns);
    }
    buffer_append_str(out, buffer_str(&inner));
    buffer_append_text(out, ")");
    buffer_free(&inner);
    write_where(tab, out);
    if (group) buffer_append_text(out, " GROUP BY 1");
    write_order(tab, out);
    buffer_printf(out, " LIMIT %d OFFSET %" PRIu64, PAGE_ROWS, page->skipped);
    if (!group && page->kind->has_args) buffer_append_text(out, ") AS page");
    if (page->kind->version) buffer_printf(out, " /* %" PRIu64 " */", page->kind->version(session));
}

/* ---- following ---- */

static void make_again(struct session *session, struct tab *tab)
{
    struct page *page = tab->page;
    uint64_t version = page->kind->version ? page->kind->version(session) : 1;
    if (tab->result && page->version == version) return;
    page->version = version;
    tab_set_rows(session, tab, page->kind->make_rows(session));
}

void session_follow_page(struct session *session)
{
    struct tab *tab = session_tab_shown(session);
    if (!tab->page) return;
    if (tab->page->kind->make_rows) {
        make_again(session, tab);
        return;
    }
    if (tab->job || tab->trace >= session->n_traces) return;
    struct buffer sql = BUFFER_INIT;
    write_query(session, tab, &sql);
    if (!tab->sql || strcmp(tab->sql, buffer_text(&sql)) != 0)
        session_query_again(session, tab, tab->trace, buffer_text(&sql));
    buffer_free(&sql);
}

void page_write_state(const struct tab *tab, struct buffer *out)
{
    const struct page *page = tab->page;
    if (!page_is_bounded(page)) return;
    if (!page->kind->is_timeless)
        buffer_append_text(out, page->follows_window ? "visible window, " : "whole trace, ");
    if (page->level) buffer_printf(out, "level %s and worse, ", page->kind->levels[page->level]);
    if (!tab->result) return;
    uint64_t n = tab->result->n_rows;
    if (page->skipped || n == PAGE_ROWS)
        buffer_printf(out, "rows %" PRIu64 " to %" PRIu64 "%s", page->skipped + (n > 0),
                      page->skipped + n, n == PAGE_ROWS ? ", more: >" : "");
    else
        buffer_printf(out, "%" PRIu64 " row%s", n, n == 1 ? "" : "s");
}

struct tab *session_open_page(struct session *session, const struct page_kind *kind)
{
    struct buffer tag = BUFFER_INIT;
    buffer_printf(&tag, "page %s", kind->title);
    struct tab *tab = session_tab_of_tag(session, kind->title, buffer_text(&tag));
    buffer_free(&tag);
    if (!tab->page) {
        tab->page = mem_zero(1, sizeof *tab->page);
        tab->page->kind = kind;
        tab->page->follows_window = kind->write_sql && !kind->is_timeless;
    }
    tab->trace = session_trace_in_focus(session);
    session_tab_show(session, tab);
    if (session->drawer < DRAWER_HALF) session->drawer = DRAWER_HALF;
    session->pane = PANE_DETAILS;
    session_changed(session);
    session_follow_page(session);
    return tab;
}
