/* The tables over an area: a command for each, and the shown one follows the area. */
#include <string.h>

#include "commands/area.h"
#include "commands/core.h"
#include "commands/query.h"
#include "engine/base/memory.h"

#define TAG "area/"

static const struct {
    const char *key, *title, *pivot; /* pivot: the one that is meant without an argument */
} views[AREA_VIEWS] = {
    [AREA_CPU_BY_THREAD] = {"cpu-thread", "CPU by thread", NULL},
    [AREA_CPU_BY_PROCESS] = {"cpu-process", "CPU by process", NULL},
    [AREA_STATES] = {"states", "States by ", "thread"},
    [AREA_SLICES] = {"slices", "Slices by ", "name"},
    [AREA_COUNTERS] = {"counters", "Counters", NULL},
    [AREA_FLOWS] = {"flows", "Flows", NULL},
    [AREA_FRAMES] = {"frames", "Frames", NULL},
    [AREA_FTRACE] = {"ftrace", "Ftrace events", NULL},
};

static void say_what(struct session *session, const char *title, const struct area_scope *scope)
{
    double ms = (double)(scope->end - scope->start) / 1e6;
    if (!scope->is_selected)
        session_say(session, MESSAGE_INFO, "%s in the window, %.4g ms (v selects an area)", title,
                    ms);
    else if (scope->everything)
        session_say(session, MESSAGE_INFO, "%s in %.4g ms, all tracks", title, ms);
    else
        session_say(session, MESSAGE_INFO, "%s in %.4g ms, %zu track%s", title, ms, scope->n_tracks,
                    scope->n_tracks == 1 ? "" : "s");
}

static bool open_view(const struct command_call *call, enum area_view view, struct status *st)
{
    struct session *session = call->session;
    if (!session->n_traces)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no trace is open");
    const char *pivot = views[view].pivot ? command_arg(call, 0, views[view].pivot) : "";
    struct buffer title = BUFFER_INIT, tag = BUFFER_INIT, sql = BUFFER_INIT;
    struct area_scope *scope = area_scope_new(session);
    buffer_printf(&title, "%s%s", views[view].title, pivot);
    buffer_printf(&tag, TAG "%s/%s", views[view].key, pivot);
    area_write_sql(scope, view, pivot, &sql);
    struct tab *tab = session_open_query(session, scope->trace, ENGINE_ORIGIN_USER,
                                         buffer_text(&title), buffer_text(&tag), buffer_text(&sql));
    say_what(session, buffer_text(&title), scope);
    area_scope_free(tab->area);
    tab->area = scope;
    buffer_free(&title);
    buffer_free(&tag);
    buffer_free(&sql);
    return true;
}

/* ---- following ---- */

bool tab_is_of_area(const struct tab *tab)
{
    return tab->kind == TAB_QUERY && tab->tag && str_starts(str_of(tab->tag), STR(TAG));
}

/* The view that a tag names, and its pivot. */
static enum area_view view_of(const char *tag, const char **pivot)
{
    const char *key = tag + strlen(TAG), *slash = strchr(key, '/');
    if (!slash) return AREA_VIEWS;
    *pivot = slash + 1;
    for (int i = 0; i < AREA_VIEWS; i++)
        if (str_is((struct str){key, (size_t)(slash - key)}, views[i].key))
            return (enum area_view)i;
    return AREA_VIEWS;
}

void session_follow_area_tab(struct session *session)
{
    struct tab *tab = session_tab_shown(session);
    if (session->selection.kind != SELECTION_AREA || !tab_is_of_area(tab) || tab->job) return;
    const char *pivot = "";
    enum area_view view = view_of(tab->tag, &pivot);
    struct area_scope *scope = area_scope_new(session);
    struct buffer sql = BUFFER_INIT;
    area_write_sql(scope, view, pivot, &sql);
    bool is_other = !tab->sql || strcmp(tab->sql, buffer_text(&sql)) != 0;
    if (is_other) session_query_again(session, tab, scope->trace, buffer_text(&sql));
    if (is_other || !tab->area) {
        struct area_scope *before = tab->area;
        tab->area = scope;
        scope = before;
    }
    area_scope_free(scope);
    buffer_free(&sql);
}

/* ---- the events of a row ---- */

bool session_open_area_rows(struct session *session, const struct tab *tab, uint64_t row,
                            struct status *st)
{
    const char *pivot = "";
    enum area_view view = view_of(tab->tag, &pivot);
    struct buffer sql = BUFFER_INIT, title = BUFFER_INIT;
    struct area_scope *now = tab->area ? NULL : area_scope_new(session);
    bool good =
        tab->result && row < tab->result->n_rows &&
        area_write_rows_sql(tab->area ? tab->area : now, view, pivot, tab->result, row, &sql);
    area_scope_free(now);
    if (good) {
        const struct result_cell *name = result_at(tab->result, row, 0);
        struct str words = name->type == CELL_TEXT && name->text.n ? name->text : STR("(no name)");
        buffer_append_str(&title, str_slice(words, 0, 80));
        session_open_query(session, tab->trace, ENGINE_ORIGIN_USER, buffer_text(&title),
                           "rows of an area", buffer_text(&sql));
    } else {
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "a row of this table stands for no single kind of event");
    }
    buffer_free(&sql);
    buffer_free(&title);
    return good;
}

/* ---- the commands ---- */

#define VIEW(name, view) \
    static bool name(const struct command_call *call, struct status *st) \
    { \
        return open_view(call, view, st); \
    }

VIEW(cpu_by_thread, AREA_CPU_BY_THREAD)
VIEW(cpu_by_process, AREA_CPU_BY_PROCESS)
VIEW(states, AREA_STATES)
VIEW(slices, AREA_SLICES)
VIEW(counters, AREA_COUNTERS)
VIEW(flows, AREA_FLOWS)
VIEW(frames, AREA_FRAMES)
VIEW(ftrace, AREA_FTRACE)

#define COMMAND(symbol, command_id, words, function) \
    const struct command symbol = { \
        .id = command_id, .name = words, .kind = COMMAND_QUERY, .run = function}

COMMAND(command_area_cpu_by_thread, "dev.perfetty.AreaCpuByThread", "Area: CPU time by thread",
        cpu_by_thread);
COMMAND(command_area_cpu_by_process, "dev.perfetty.AreaCpuByProcess", "Area: CPU time by process",
        cpu_by_process);
const struct command command_area_states = {
    .id = "dev.perfetty.AreaThreadStates",
    .name = "Area: what threads did: running, waiting, sleeping",
    .kind = COMMAND_QUERY,
    .args = {{"by", COMMAND_ARG_CHOICE, true, "thread|process|state|cpu"}},
    .run = states,
};
const struct command command_area_slices = {
    .id = "dev.perfetty.AreaSlices",
    .name = "Area: slices, their time and self time",
    .kind = COMMAND_QUERY,
    .args = {{"by", COMMAND_ARG_CHOICE, true, "name|thread|process|track"}},
    .run = slices,
};
COMMAND(command_area_counters, "dev.perfetty.AreaCounters", "Area: counters", counters);
COMMAND(command_area_flows, "dev.perfetty.AreaFlows", "Area: flows in, out and within", flows);
COMMAND(command_area_frames, "dev.perfetty.AreaFrames", "Area: frames by kind of jank", frames);
COMMAND(command_area_ftrace, "dev.perfetty.AreaFtraceEvents", "Area: ftrace events by name",
        ftrace);
