/* The page of traces that were opened before. */
#include <string.h>
#include <sys/stat.h>

#include "commands/command.h"
#include "commands/page.h"
#include "commands/recent.h"
#include "commands/result_rows.h"
#include "engine/base/memory.h"

static struct result *make_rows(struct session *session)
{
    struct result_rows rows;
    struct recent_list list = {0};
    rows_begin(&rows, "name|size|folder|path");
    recent_read(session->settings, &list);
    for (size_t i = 0; i < list.count; i++) {
        const char *path = list.items[i], *slash = strrchr(path, '/');
        struct stat facts;
        if (stat(path, &facts) != 0) continue; /* it is gone */
        rows_put_text(&rows, str_of(slash + 1));
        rows_put_int(&rows, (int64_t)facts.st_size);
        rows_put_text(&rows, (struct str){path, (size_t)(slash - path)});
        rows_put_text(&rows, str_of(path));
    }
    recent_free(&list);
    return rows_end(&rows);
}

static bool open_row(struct session *session, const struct result *result, uint64_t row,
                     struct status *st)
{
    (void)st;
    struct str path = result_at(result, row, 3)->text;
    char *copy = mem_copy_string(path.p, path.n);
    session_ask(session, REQUEST_OPEN_TRACE, copy);
    mem_free(copy);
    return true;
}

static const struct page_kind page = {
    .title = "Recent traces", .make_rows = make_rows, .open_row = open_row};

static bool show(const struct command_call *call, struct status *st)
{
    (void)st;
    struct tab *tab = session_open_page(call->session, &page);
    tab->page->version = 0; /* another perfetty may have opened some */
    session_follow_page(call->session);
    return true;
}

const struct command command_show_recent = {
    .id = "dev.perfetty.ShowRecentTraces",
    .name = "Show the traces that were opened before",
    .kind = COMMAND_REACH,
    .run = show,
};
