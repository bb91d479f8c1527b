#include "commands/tab.h"

#include <string.h>

#include "commands/area.h"
#include "commands/page.h"
#include "commands/query.h"
#include "engine/base/memory.h"

/* Rows that a tab keeps; what is beyond is counted, and said in the tab. */
#define TAB_MAX_ROWS 1000000u

static void drop_result(struct tab *tab)
{
    grid_free(tab->grid);
    tab->grid = NULL;
    result_free(tab->result);
    tab->result = NULL;
    mem_free(tab->error);
    tab->error = NULL;
}

static void drop_query(struct tab *tab)
{
    query_job_free(tab->job);
    tab->job = NULL;
    drop_result(tab);
    mem_free(tab->sql);
    tab->sql = NULL;
}

void tab_free(struct tab *tab)
{
    if (!tab) return;
    drop_query(tab);
    grid_shape_clear(&tab->shape);
    area_scope_free(tab->area);
    mem_free(tab->title);
    mem_free(tab->tag);
    mem_free(tab->text);
    mem_free(tab->page);
    mem_free(tab);
}

static struct tab *add(struct session *session, enum tab_kind kind, const char *title)
{
    struct tab *tab = mem_zero(1, sizeof *tab);
    tab->id = session->tab_next_id++;
    tab->kind = kind;
    tab->title = mem_strdup(title);
    vec_push(&session->tabs, tab);
    session_changed(session);
    return tab;
}

struct tab *session_tab_of_kind(struct session *session, enum tab_kind kind, const char *title)
{
    for (size_t i = 0; i < session->tabs.count; i++)
        if (session->tabs.items[i]->kind == kind) return session->tabs.items[i];
    return add(session, kind, title);
}

struct tab *session_tab_page(struct session *session, const char *title, char *text)
{
    struct tab *tab = NULL;
    for (size_t i = 0; i < session->tabs.count && !tab; i++)
        if (session->tabs.items[i]->kind == TAB_PAGE &&
            strcmp(session->tabs.items[i]->title, title) == 0)
            tab = session->tabs.items[i];
    if (!tab) tab = add(session, TAB_PAGE, title);
    mem_free(tab->text);
    tab->text = text;
    tab->row = 0;
    session_changed(session);
    return tab;
}

struct tab *session_tab_find(const struct session *session, uint32_t id)
{
    for (size_t i = 0; i < session->tabs.count; i++)
        if (session->tabs.items[i]->id == id) return session->tabs.items[i];
    return NULL;
}

void session_tab_show(struct session *session, const struct tab *tab)
{
    session->tab_shown = tab->id;
    if (session->drawer == DRAWER_CLOSED) session->drawer = DRAWER_SMALL;
    session_changed(session);
    session_follow_area_tab(session);
    session_follow_page(session);
}

struct tab *session_tab_shown(const struct session *session)
{
    struct tab *tab = session_tab_find(session, session->tab_shown);
    return tab ? tab : session->tabs.items[0];
}

bool session_tab_close(struct session *session, uint32_t id)
{
    for (size_t i = 1; i < session->tabs.count; i++) {
        struct tab *tab = session->tabs.items[i];
        if (tab->id != id) continue;
        if (session->tab_shown == id) session->tab_shown = session->tabs.items[i - 1]->id;
        tab_free(tab);
        memmove(&session->tabs.items[i], &session->tabs.items[i + 1],
                (session->tabs.count - i - 1) * sizeof session->tabs.items[0]);
        session->tabs.count--;
        session_changed(session);
        return true;
    }
    return false;
}

static struct tab *tagged(const struct session *session, const char *tag)
{
    for (size_t i = 0; tag && i < session->tabs.count; i++) {
        struct tab *tab = session->tabs.items[i];
        if (tab->tag && strcmp(tab->tag, tag) == 0) return tab;
    }
    return NULL;
}

struct tab *session_tab_of_tag(struct session *session, const char *title, const char *tag)
{
    struct tab *tab = tagged(session, tag);
    if (tab) return tab;
    tab = add(session, TAB_QUERY, title);
    tab->tag = mem_strdup(tag);
    return tab;
}

void tab_set_rows(struct session *session, struct tab *tab, struct result *result)
{
    drop_result(tab);
    tab->result = result;
    tab->state = TAB_READY;
    session_changed(session);
}

struct tab *session_open_query(struct session *session, uint8_t trace, enum engine_origin origin,
                               const char *title, const char *tag, const char *sql)
{
    struct tab *tab = tagged(session, tag);
    if (!tab) {
        tab = add(session, TAB_QUERY, title);
        tab->tag = tag ? mem_strdup(tag) : NULL;
    } else {
        if (!tab->sql || strcmp(tab->sql, sql) != 0) grid_shape_clear(&tab->shape);
        drop_query(tab);
        mem_free(tab->title);
        tab->title = mem_strdup(title);
    }
    tab->trace = trace;
    tab->origin = origin;
    tab->row = tab->column = tab->left = 0;
    tab->sql = mem_strdup(sql);
    tab->state = TAB_RUNNING;
    tab->started_ns = clock_now_ns();
    session_tab_show(session, tab);
    if (trace >= session->n_traces) {
        tab->state = TAB_FAILED;
        tab->error = mem_strdup("no trace is open");
        return tab;
    }
    tab->job = query_job_start(&session->traces[trace], origin, sql, TAB_MAX_ROWS);
    tab_poll(session, tab);
    return tab;
}

void session_query_again(struct session *session, struct tab *tab, uint8_t trace, const char *sql)
{
    query_job_free(tab->job);
    mem_free(tab->sql);
    tab->sql = mem_strdup(sql);
    tab->trace = trace;
    tab->origin = ENGINE_ORIGIN_USER;
    tab->state = tab->result ? TAB_READY : TAB_RUNNING;
    tab->started_ns = clock_now_ns();
    tab->job = query_job_start(&session->traces[trace], ENGINE_ORIGIN_USER, sql, TAB_MAX_ROWS);
    session_changed(session);
    tab_poll(session, tab);
}

void tab_poll(struct session *session, struct tab *tab)
{
    if (!tab->job || !query_job_is_done(tab->job)) return;
    struct status st = STATUS_INIT;
    drop_result(tab);
    tab->result = query_job_take(tab->job, &st);
    if (!tab->page) /* what a page asks is not the person's query */
        query_log_add(&session->query_log, query_job_origin(tab->job), tab->title, tab->sql,
                      tab->started_ns, tab->result, &st);
    tab->state = tab->result ? TAB_READY : TAB_FAILED;
    if (!tab->result) tab->error = mem_strdup(st.message ? st.message : "the query gave no result");
    status_clear(&st);
    query_job_free(tab->job);
    tab->job = NULL;
    session_changed(session);
}

const struct grid *tab_grid(struct tab *tab)
{
    if (tab->grid || !tab->result) return tab->grid;
    struct grid_shape columns = {0}; /* SQL did the rest */
    columns.hidden.items = tab->shape.hidden.items;
    columns.hidden.count = tab->shape.hidden.count;
    tab->grid = grid_new(tab->result, page_is_bounded(tab->page) ? &columns : &tab->shape);
    return tab->grid;
}

void tab_reshaped(struct session *session, struct tab *tab)
{
    grid_free(tab->grid);
    tab->grid = NULL;
    tab->row = 0;
    if (tab->page) tab->page->skipped = 0;
    session_changed(session);
    session_follow_page(session);
}

bool tab_has_counts(const struct tab *tab)
{
    if (!page_is_bounded(tab->page)) return tab->grid && tab->grid->counts;
    return tab->shape.group && tab->result && result_column(tab->result, "count") == 1;
}
