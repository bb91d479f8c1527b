/* Looking around in a Java heap dump (spec ui §7: Heap Dump Explorer). */
#include "commands/heap_page.h"

#include <inttypes.h>
#include <stdlib.h>

#include "commands/command.h"
#include "commands/heap.h"
#include "commands/page.h"
#include "commands/query.h"
#include "commands/result_rows.h"
#include "commands/track_match.h"
#include "engine/base/memory.h"

enum heap_list { HEAP_OF_CLASS, HEAP_KEPT_BY };

struct heap_view {
    struct heap *heap;
    uint8_t trace;
    uint64_t version; /* goes up with each choice */
    enum heap_list list;
    uint32_t class;  /* of HEAP_OF_CLASS */
    uint32_t keeper; /* of HEAP_KEPT_BY; HEAP_NONE: the roots */
    uint32_t object; /* whose way is shown */
};

void heap_view_free(struct heap_view *view)
{
    if (!view) return;
    heap_free(view->heap);
    mem_free(view);
}

static uint64_t version(const struct session *session)
{
    return session->heap ? session->heap->version : 0;
}

static struct str text_at(const struct heap *heap, const struct column *column, uint32_t row)
{
    return strpool_get(heap->tables->strings, column_get_string(column, row));
}

/* ---- classes ---- */

struct sized {
    int64_t kept;
    uint32_t index;
};

static int more_first(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    if (x->kept != y->kept) return x->kept < y->kept ? 1 : -1;
    return x->index < y->index ? -1 : 1;
}

static struct result *make_classes(struct session *session)
{
    struct result_rows rows;
    rows_begin(&rows, "class|count|size|native|kept");
    const struct heap *heap = session->heap->heap;
    size_t n = heap->classes.count;
    struct sized *order = mem_alloc((n + 1) * sizeof *order);
    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct sized){heap->classes.items[i].kept, i};
    qsort(order, n, sizeof *order, more_first);
    for (size_t i = 0; i < n; i++) {
        const struct heap_class *class = &heap->classes.items[order[i].index];
        rows_put_text(&rows, heap_class_name(heap, order[i].index));
        rows_put_int(&rows, class->n);
        rows_put_int(&rows, class->size);
        rows_put_int(&rows, class->native);
        rows_put_int(&rows, class->kept);
    }
    mem_free(order);
    return rows_end(&rows);
}

/* ---- objects ---- */

static void put_object(const struct heap *heap, uint32_t index, struct result_rows *rows)
{
    const struct heap_graph_object_table *o = &heap->tables->heap_graph_object;
    const struct heap_object *object = &heap->objects.items[index];
    rows_put_int(rows, object->row);
    rows_put_text(rows, heap_class_name(heap, object->class));
    rows_put_int(rows, column_get_int64(&o->self_size, object->row));
    rows_put_int(rows, column_get_int64(&o->native_size, object->row));
    rows_put_int(rows, object->kept);
    rows_put_int(rows, object->n_kept);
}

static struct str root_of(const struct heap *heap, uint32_t index)
{
    struct str root =
        text_at(heap, &heap->tables->heap_graph_object.root_type, heap->objects.items[index].row);
    return root.p ? root : STR("");
}

static bool is_listed(const struct heap_view *view, const struct heap_object *object)
{
    return view->list == HEAP_OF_CLASS ? object->class == view->class
                                       : object->keeper == view->keeper;
}

static struct result *make_objects(struct session *session)
{
    const struct heap_view *view = session->heap;
    const struct heap *heap = view->heap;
    struct result_rows rows;
    VEC(struct sized) order = {0};
    rows_begin(&rows, "object|class|size|native|kept|objects|root");
    for (uint32_t i = 0; i < heap->objects.count; i++)
        if (is_listed(view, &heap->objects.items[i]))
            vec_push(&order, (struct sized){heap->objects.items[i].kept, i});
    if (order.count) qsort(order.items, order.count, sizeof order.items[0], more_first);
    for (size_t i = 0; i < order.count; i++) {
        put_object(heap, order.items[i].index, &rows);
        rows_put_text(&rows, root_of(heap, order.items[i].index));
    }
    vec_free(&order);
    return rows_end(&rows);
}

/* ---- the way from a root ---- */

static struct result *make_path(struct session *session)
{
    const struct heap *heap = session->heap->heap;
    struct result_rows rows;
    VEC(uint32_t) way = {0};
    rows_begin(&rows, "step|reached by|object|class|size|native|kept|objects");
    for (uint32_t at = session->heap->object; at != HEAP_NONE; at = heap->objects.items[at].from)
        vec_push(&way, at);
    for (size_t i = way.count; i-- > 0;) {
        const struct heap_object *object = &heap->objects.items[way.items[i]];
        rows_put_int(&rows, (int64_t)(way.count - i));
        rows_put_text(&rows, object->from == HEAP_NONE ? root_of(heap, way.items[i])
                                                       : heap_field_name(heap, object->reference));
        put_object(heap, way.items[i], &rows);
    }
    vec_free(&way);
    return rows_end(&rows);
}

/* ---- Enter ---- */

static int64_t int_at(const struct result *result, uint64_t row, const char *column)
{
    int64_t at = result_column(result, column);
    return at < 0 ? -1 : result_at(result, row, (uint32_t)at)->integer;
}

static uint32_t object_of_row(const struct heap *heap, int64_t row)
{
    size_t low = 0, high = heap->objects.count; /* they are in the order of rows */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (heap->objects.items[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < heap->objects.count && heap->objects.items[low].row == row;
    return found ? (uint32_t)low : HEAP_NONE;
}

static void open_objects(struct session *session);
static void open_path(struct session *session);

static bool open_class(struct session *session, const struct result *result, uint64_t row,
                       struct status *st)
{
    struct heap_view *view = session->heap;
    struct str name = result_at(result, row, 0)->text;
    int64_t n = int_at(result, row, "count"), size = int_at(result, row, "size");
    for (uint32_t i = 0; i < view->heap->classes.count; i++) {
        const struct heap_class *class = &view->heap->classes.items[i];
        if (class->n != n || class->size != size) continue; /* names can be there twice */
        if (!str_equal(heap_class_name(view->heap, i), name)) continue;
        view->list = HEAP_OF_CLASS;
        view->class = i;
        view->version++;
        session_say(session, MESSAGE_INFO, "%.*s: Enter on an object shows what keeps it alive",
                    STR_ARG(name));
        open_objects(session);
        return true;
    }
    return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there is no such class");
}

static bool open_way(struct session *session, const struct result *result, uint64_t row,
                     struct status *st)
{
    struct heap_view *view = session->heap;
    uint32_t object = object_of_row(view->heap, int_at(result, row, "object"));
    if (object == HEAP_NONE)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there is no such object");
    view->object = object;
    view->version++;
    session_say(session, MESSAGE_INFO,
                "a shortest way from a root; Enter on a step shows what it "
                "alone keeps alive");
    open_path(session);
    return true;
}

static bool open_kept(struct session *session, const struct result *result, uint64_t row,
                      struct status *st)
{
    struct heap_view *view = session->heap;
    uint32_t object = object_of_row(view->heap, int_at(result, row, "object"));
    if (object == HEAP_NONE)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there is no such object");
    view->list = HEAP_KEPT_BY;
    view->keeper = object;
    view->version++;
    session_say(session, MESSAGE_INFO, "what only object %u keeps alive, %u objects in all",
                view->heap->objects.items[object].row, view->heap->objects.items[object].n_kept);
    open_objects(session);
    return true;
}

static const struct page_kind classes_page = {
    .title = "Heap classes", .make_rows = make_classes, .version = version, .open_row = open_class};
static const struct page_kind objects_page = {
    .title = "Heap objects", .make_rows = make_objects, .version = version, .open_row = open_way};
static const struct page_kind path_page = {
    .title = "Heap path", .make_rows = make_path, .version = version, .open_row = open_kept};

void session_close_heap(struct session *session, uint8_t trace)
{
    if (!session->heap || session->heap->trace != trace) return;
    for (size_t i = session->tabs.count; i-- > 1;) {
        const struct page *page = session->tabs.items[i]->page;
        if (page && (page->kind == &classes_page || page->kind == &objects_page ||
                     page->kind == &path_page))
            session_tab_close(session, session->tabs.items[i]->id);
    }
    heap_view_free(session->heap);
    session->heap = NULL;
}

static void open_objects(struct session *session)
{
    session_open_page(session, &objects_page)->row = 0;
}

static void open_path(struct session *session)
{
    struct tab *tab = session_open_page(session, &path_page);
    tab->row = tab->result ? tab->result->n_rows - 1 : 0; /* the object itself */
}

/* ---- reading a dump ---- */

struct heap_job {
    const struct tables *tables;
    int64_t wanted; /* -1: none */
    bool selected;
    struct heap_dump dump; /* with `selected` */
    uint32_t n_dumps, chosen;
    struct heap *heap;
};

static void read_dump(void *argument, struct cancel *cancel)
{
    struct heap_job *job = argument;
    struct heap_dumps dumps = {0};
    table_read_begin(&job->tables->slice.table);
    heap_list_dumps(job->tables, &dumps);
    job->n_dumps = (uint32_t)dumps.count;
    job->chosen = job->n_dumps ? job->n_dumps - 1 : 0;
    for (uint32_t i = 0; i < dumps.count && job->selected; i++)
        if (dumps.items[i].upid == job->dump.upid && dumps.items[i].ts == job->dump.ts)
            job->chosen = i;
    if (job->wanted >= 0)
        job->chosen = job->wanted < UINT32_MAX ? (uint32_t)job->wanted : UINT32_MAX;
    if (job->chosen < dumps.count)
        job->heap = heap_new(job->tables, dumps.items[job->chosen], cancel);
    table_read_end(&job->tables->slice.table);
    vec_free(&dumps);
}

static void read_on_worker(struct session *session, uint8_t trace, struct heap_job *job)
{
    if (session->traces[trace].worker) {
        struct job *posted = worker_post(session->traces[trace].worker, read_dump, job, NULL);
        session_wait(session, posted);
        job_wait(posted); /* `job` is on the caller's stack */
        job_release(posted);
    } else {
        read_dump(job, NULL);
    }
}

/* Of the trace in focus: the dump asked for, else the selected one, else the last. */
static bool read_chosen(const struct command_call *call, struct status *st)
{
    struct session *session = call->session;
    const struct selection *selection = &session->selection;
    uint8_t trace = session_trace_in_focus(session);
    struct heap_job job = {.tables = session_tables(session, trace), .wanted = -1};
    if (!job.tables) return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no trace is open");
    if (call->n_args) str_to_int64(str_of(call->args[0]), &job.wanted);
    const struct heap_graph_table *g = &job.tables->heap_graph;
    if (selection->kind == SELECTION_EVENT && selection->table == EVENT_HEAP_GRAPH &&
        selection->trace == trace && selection->id < table_rows(&g->table)) {
        job.selected = true;
        job.dump.upid = column_get_row(&g->upid, selection->id);
        job.dump.ts = column_get_int64(&g->ts, selection->id);
    }
    read_on_worker(session, trace, &job);
    if (!job.heap && !job.n_dumps)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "the trace holds no Java heap dump (a native one is a flamegraph: F)");
    if (!job.heap && job.chosen >= job.n_dumps)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET,
                           "there is no dump %" PRId64 ": the trace has 0 to %u", job.wanted,
                           job.n_dumps - 1);
    if (!job.heap) return status_fail(st, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "interrupted");
    uint64_t next = session->heap ? session->heap->version + 1 : 1;
    heap_view_free(session->heap);
    session->heap = mem_zero(1, sizeof *session->heap);
    *session->heap = (struct heap_view){.heap = job.heap,
                                        .trace = trace,
                                        .version = next,
                                        .keeper = HEAP_NONE,
                                        .object = HEAP_NONE};
    session_say(session, MESSAGE_INFO,
                "dump %u of %u: %zu objects, %" PRId64 " bytes; %u more cannot be reached",
                job.chosen + 1, job.n_dumps, job.heap->objects.count, job.heap->size,
                job.heap->n_unreachable);
    return true;
}

/* ---- commands ---- */

static bool show_classes(const struct command_call *call, struct status *st)
{
    if (!read_chosen(call, st)) return false;
    session_open_page(call->session, &classes_page);
    return true;
}

static bool show_dominators(const struct command_call *call, struct status *st)
{
    if (!read_chosen(call, st)) return false;
    call->session->heap->list = HEAP_KEPT_BY;
    call->session->heap->keeper = HEAP_NONE;
    call->session->heap->version++;
    open_objects(call->session);
    return true;
}

const struct command command_show_heap = {
    .id = "dev.perfetty.ShowHeap",
    .name = "Java heap: classes of a dump",
    .kind = COMMAND_QUERY,
    .args = {{"dump", COMMAND_ARG_INT, true, NULL}},
    .run = show_classes,
};
const struct command command_show_heap_dominators = {
    .id = "dev.perfetty.ShowHeapDominators",
    .name = "Java heap: the objects that keep most alive",
    .kind = COMMAND_QUERY,
    .args = {{"dump", COMMAND_ARG_INT, true, NULL}},
    .run = show_dominators,
};
