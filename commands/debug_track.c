#include "commands/debug_track.h"

#include <string.h>

#include "commands/query.h"
#include "engine/base/memory.h"

void debug_track_free(struct debug_track *track)
{
    if (!track) return;
    arena_free(&track->arena);
    mem_free(track);
}

/* Columns of a result row: ts, dur or value, name, number, label, row. */
enum { COLUMN_TS, COLUMN_SPAN, COLUMN_NAME, COLUMN_RANK, COLUMN_LABEL, COLUMN_ROW };

static struct debug_track *new_track(const struct result *rows, uint64_t first, uint64_t count,
                                     bool is_counter)
{
    struct debug_track *track = mem_zero(1, sizeof *track);
    struct arena *arena = &track->arena;
    uint32_t n = (uint32_t)count;
    track->is_counter = is_counter;
    track->n_rows = n;
    track->n_depths = 1;
    track->ts = arena_alloc(arena, (n + 1) * sizeof *track->ts);
    track->source_row = arena_alloc(arena, (n + 1) * sizeof *track->source_row);
    if (is_counter) {
        track->value = arena_alloc(arena, (n + 1) * sizeof *track->value);
    } else {
        track->dur = arena_alloc(arena, (n + 1) * sizeof *track->dur);
        track->depth = arena_zero(arena, (n + 1) * sizeof *track->depth);
        track->name = arena_alloc(arena, (n + 1) * sizeof *track->name);
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct result_cell *ts = result_at(rows, first + i, COLUMN_TS);
        const struct result_cell *span = result_at(rows, first + i, COLUMN_SPAN);
        track->ts[i] = ts->integer;
        track->source_row[i] = (uint32_t)result_at(rows, first + i, COLUMN_ROW)->integer;
        if (is_counter) {
            double value = span->type == CELL_INT ? (double)span->integer : span->real;
            track->value[i] = value;
            if (i == 0 || value < track->least) track->least = value;
            if (i == 0 || value > track->most) track->most = value;
        } else {
            track->dur[i] = span->integer;
            track->name[i] = arena_copy_str(arena, result_at(rows, first + i, COLUMN_NAME)->text);
        }
    }
    return track;
}

/* Each slice goes to the first depth that is free when it begins. */
static void lay_out(struct debug_track *track)
{
    enum { MOST_DEPTHS = 256 };
    int64_t busy_until[MOST_DEPTHS];
    uint32_t depths = 0;
    for (uint32_t i = 0; i < track->n_rows; i++) {
        int64_t end;
        if (track->dur[i] < 0 || __builtin_add_overflow(track->ts[i], track->dur[i], &end))
            end = INT64_MAX;
        uint32_t depth = 0;
        while (depth < depths && busy_until[depth] > track->ts[i])
            depth++;
        if (depth == MOST_DEPTHS) depth--;
        if (depth == depths) depths++;
        busy_until[depth] = end;
        track->depth[i] = depth;
    }
    track->n_depths = depths ? depths : 1;
}

/* Adds the pinned row of one track. */
static void pin(struct session *session, struct debug_track *track, uint32_t part)
{
    struct track_tree *pinned = &session->workspace->pinned;
    struct buffer uri = BUFFER_INIT;
    buffer_printf(&uri, "debug/%u/%u", track->number, part);
    struct track_node *node =
        track_tree_add(pinned, &pinned->root,
                       track->is_counter ? TRACK_KIND_DEBUG_COUNTER : TRACK_KIND_DEBUG_SLICES,
                       track->title, buffer_text(&uri));
    buffer_free(&uri);
    node->trace = track->trace;
    node->removable = true;
    node->debug = track;
    node->depths = track->n_depths;
    node->events = track->n_rows;
    vec_push(&session->debug_tracks, track);
    session_changed(session);
}

static void append_quoted(struct buffer *out, const char *text, char quote)
{
    buffer_append_byte(out, quote);
    for (; *text; text++) {
        if (*text == quote) buffer_append_byte(out, quote);
        buffer_append_byte(out, *text);
    }
    buffer_append_byte(out, quote);
}

/* The query as a part of ours; a semicolon behind it would end that too early. */
static void append_data(struct buffer *out, const char *sql)
{
    struct str text = str_trim(str_of(sql));
    while (text.n && text.p[text.n - 1] == ';')
        text = str_trim(str_slice(text, 0, text.n - 1));
    buffer_append_text(out, "WITH data AS (\n");
    buffer_append_str(out, text);
    buffer_append_text(out, "\n) ");
}

/* In any case, as SQL compares names. */
static bool is_same_name(const char *a, const char *b)
{
    while (*a && *b &&
           (*a | (*a >= 'A' && *a <= 'Z' ? 32 : 0)) == (*b | (*b >= 'A' && *b <= 'Z' ? 32 : 0)))
        a++, b++;
    return !*a && !*b;
}

static const char *find_column(const struct result *probe, const char *name)
{
    for (uint32_t i = 0; i < probe->n_columns; i++)
        if (is_same_name(probe->names[i], name)) return probe->names[i];
    return NULL;
}

static bool lacks_column(const struct result *probe, const char *name, struct status *st)
{
    struct buffer names = BUFFER_INIT;
    for (uint32_t k = 0; k < probe->n_columns && k < 40; k++)
        buffer_printf(&names, "%s%s", k ? ", " : "", probe->names[k]);
    status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                "the query has no column \"%.80s\"; it has %s", name, buffer_text(&names));
    buffer_free(&names);
    return false;
}

/* What the query has; a row keeps its other columns for those who look at it. */
#define MAX_OTHERS 40

struct shape {
    bool has_name;
    struct arena arena;
    const char *others[MAX_OTHERS];  /* columns that nothing is drawn from … */
    const char *kept_as[MAX_OTHERS]; /* … and what they are called in the table */
    uint32_t n_others;
};

/* Names of a table's columns are words; two that become the same are told apart. */
static const char *name_for_table(struct shape *shape, const char *name)
{
    char *word = arena_printf(&shape->arena, "raw_%s", name);
    for (char *p = word; *p; p++) {
        char lower = (char)(*p | 32);
        if (!(lower >= 'a' && lower <= 'z') && !(*p >= '0' && *p <= '9')) *p = '_';
    }
    for (uint32_t i = 0; i < shape->n_others; i++)
        if (is_same_name(shape->kept_as[i], word))
            return arena_printf(&shape->arena, "%s_%u", word, shape->n_others + 1);
    return word;
}

static void find_others(const struct result *probe, bool is_counter, struct shape *shape)
{
    const char *const drawn[] = {"ts", is_counter ? "value" : "dur", is_counter ? "ts" : "name"};
    for (uint32_t i = 0; i < probe->n_columns && shape->n_others < MAX_OTHERS; i++) {
        bool is_drawn = false;
        for (size_t k = 0; k < sizeof drawn / sizeof drawn[0]; k++)
            is_drawn |= probe->names[i] == find_column(probe, drawn[k]);
        if (is_drawn) continue;
        shape->kept_as[shape->n_others] = name_for_table(shape, probe->names[i]);
        shape->others[shape->n_others++] =
            arena_copy(&shape->arena, probe->names[i], strlen(probe->names[i]));
    }
}

/* Asks the query for its columns, which also tells whether it is one. */
static bool check_columns(struct session *session, uint8_t trace, const struct debug_request *want,
                          struct shape *shape, struct status *st)
{
    struct buffer sql = BUFFER_INIT;
    append_data(&sql, want->sql);
    buffer_append_text(&sql, "SELECT * FROM data LIMIT 0");
    struct result *probe = session_query(session, trace, want->origin, buffer_text(&sql), 1, st);
    buffer_free(&sql);
    if (!probe) return false;
    const char *needed[] = {"ts", want->is_counter ? "value" : "dur", want->pivot};
    bool good = true;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0] && good; i++)
        good = !needed[i] || find_column(probe, needed[i]) || lacks_column(probe, needed[i], st);
    shape->has_name = find_column(probe, "name") != NULL;
    find_others(probe, want->is_counter, shape);
    result_free(probe);
    return good;
}

/* How the other columns are kept: as they are, or as texts. */
enum keeping { KEEP_VALUES, KEEP_TEXTS };

static void append_other(struct buffer *sql, const struct shape *shape, uint32_t i,
                         enum keeping keeping)
{
    buffer_append_text(sql, keeping == KEEP_TEXTS ? ", cast(" : ", ");
    append_quoted(sql, shape->others[i], '"');
    buffer_printf(sql, "%s AS %s", keeping == KEEP_TEXTS ? " AS text)" : "", shape->kept_as[i]);
}

static void write_create(struct buffer *sql, uint32_t number, const struct debug_request *want,
                         const struct shape *shape, enum keeping keeping)
{
    buffer_printf(sql, "CREATE PERFETTO TABLE __debug_track_%u AS ", number);
    append_data(sql, want->sql);
    buffer_append_text(sql, "SELECT row_number() OVER () AS id, cast(ts AS int) AS ts, ");
    if (want->is_counter) {
        buffer_append_text(sql, "cast(value AS real) AS value");
    } else {
        buffer_append_text(sql, "ifnull(cast(dur AS int), -1) AS dur, ");
        if (shape->has_name)
            buffer_append_text(sql, "printf('%s', name)");
        else
            append_quoted(sql, want->title, '\'');
        buffer_append_text(sql, " AS name");
    }
    if (want->pivot) {
        /* A column of a table has one type, a pivot may have several. */
        buffer_append_text(sql, ", dense_rank() OVER (ORDER BY ");
        append_quoted(sql, want->pivot, '"');
        buffer_append_text(sql, ") AS pivot_rank, ifnull(cast(");
        append_quoted(sql, want->pivot, '"');
        buffer_append_text(sql, " AS text), 'NULL') AS pivot");
    }
    for (uint32_t i = 0; i < shape->n_others; i++)
        append_other(sql, shape, i, keeping);
    buffer_append_text(sql, " FROM data WHERE ts IS NOT NULL");
    if (want->is_counter) buffer_append_text(sql, " AND value IS NOT NULL");
}

/* The other columns may hold what one of a table cannot: values of several types,
 * blobs.  As texts they fit. */
static bool create_table(struct session *session, uint8_t trace, uint32_t number,
                         const struct debug_request *want, const struct shape *shape,
                         struct status *st)
{
    struct buffer sql = BUFFER_INIT;
    struct status why = STATUS_INIT;
    write_create(&sql, number, want, shape, KEEP_VALUES);
    struct result *created =
        session_query(session, trace, want->origin, buffer_text(&sql), 0, &why);
    if (!created && shape->n_others && why.code != STATUS_INTERRUPTED) {
        buffer_clear(&sql);
        status_clear(&why);
        write_create(&sql, number, want, shape, KEEP_TEXTS);
        created = session_query(session, trace, want->origin, buffer_text(&sql), 0, &why);
    }
    bool good = created != NULL;
    if (!good) status_move(st, &why);
    status_clear(&why);
    buffer_free(&sql);
    result_free(created);
    return good;
}

/* Rows of one pivot together; NULL is a pivot like any other. */
static void write_select(struct buffer *sql, uint32_t number, const struct debug_request *want)
{
    buffer_printf(sql, "SELECT ts, %s, %s, %s, %s, id FROM __debug_track_%u ORDER BY 4, ts, id",
                  want->is_counter ? "value" : "dur", want->is_counter ? "''" : "name",
                  want->pivot ? "pivot_rank" : "1", want->pivot ? "pivot" : "''", number);
}

static void add_tracks(struct session *session, uint8_t trace, uint32_t number,
                       const struct debug_request *want, const struct result *rows)
{
    uint32_t part = 0;
    for (uint64_t first = 0; first < rows->n_rows;) {
        int64_t rank = result_at(rows, first, COLUMN_RANK)->integer;
        uint64_t end = first + 1;
        while (end < rows->n_rows && result_at(rows, end, COLUMN_RANK)->integer == rank)
            end++;
        if (part == DEBUG_TRACK_MAX_PIVOTS) {
            session_say(session, MESSAGE_WARNING, "%s: only the first %u values of %s are shown",
                        want->title, DEBUG_TRACK_MAX_PIVOTS, want->pivot);
            break;
        }
        struct debug_track *track = new_track(rows, first, end - first, want->is_counter);
        struct str label = result_at(rows, first, COLUMN_LABEL)->text;
        track->title = want->pivot ? arena_printf(&track->arena, "%s: %s = %.*s", want->title,
                                                  want->pivot, STR_ARG(label))
                                   : arena_copy(&track->arena, want->title, strlen(want->title));
        track->sql = arena_copy(&track->arena, want->sql, strlen(want->sql));
        track->number = number;
        track->trace = trace;
        if (!want->is_counter) lay_out(track);
        pin(session, track, part++);
        first = end;
    }
    if (part == 0 && !want->pivot) {
        struct debug_track *track = new_track(rows, 0, 0, want->is_counter);
        track->title = arena_copy(&track->arena, want->title, strlen(want->title));
        track->sql = arena_copy(&track->arena, want->sql, strlen(want->sql));
        track->number = number;
        track->trace = trace;
        pin(session, track, part++);
    }
    session_say(session, MESSAGE_INFO, "%llu row%s in %u debug track%s",
                (unsigned long long)rows->n_rows, rows->n_rows == 1 ? "" : "s", part,
                part == 1 ? "" : "s");
}

bool session_add_debug_tracks(struct session *session, uint8_t trace,
                              const struct debug_request *want, struct status *st)
{
    struct shape shape = {0};
    uint32_t number = session->debug_count + 1;
    bool good = check_columns(session, trace, want, &shape, st) &&
                create_table(session, trace, number, want, &shape, st);
    arena_free(&shape.arena);
    if (!good) return false;
    session->debug_count = number;
    struct buffer sql = BUFFER_INIT;
    write_select(&sql, number, want);
    struct result *rows =
        session_query(session, trace, want->origin, buffer_text(&sql), DEBUG_TRACK_MAX_ROWS, st);
    if (rows && rows->rows_left_out)
        session_say(session, MESSAGE_WARNING, "%s: only the first %u rows are shown", want->title,
                    DEBUG_TRACK_MAX_ROWS);
    if (rows) add_tracks(session, trace, number, want, rows);
    good = rows != NULL;
    result_free(rows);
    buffer_free(&sql);
    return good;
}

/* ---- removal ---- */

static void remove_node(struct session *session, struct track_tree *tree, struct track_node *node)
{
    bool focused = session->focus == node;
    int64_t row = focused ? session_focus_index(session) : -1;
    track_tree_remove(tree, node);
    session_changed(session);
    if (!focused) return;
    session->focus = NULL;
    session->focus_pinned = false;
    session_focus_row(session, row < 0 ? 0 : row);
}

static bool is_shown(const struct session *session, uint8_t trace, uint32_t number)
{
    for (size_t i = 0; i < session->workspaces.count; i++) {
        const struct track_node *root = &session->workspaces.items[i]->pinned.root;
        for (const struct track_node *node = track_tree_next(root, root); node;
             node = track_tree_next(root, node))
            if (node->debug && node->debug->number == number && node->trace == trace) return true;
    }
    return false;
}

/* What is drawn may still be read by a job: the rows stay until the session ends. */
bool session_remove_debug_track(struct session *session, const struct debug_track *track)
{
    struct selection *selection = &session->selection;
    bool removed = false;
    for (size_t i = 0; i < session->workspaces.count; i++) {
        struct track_tree *trees[] = {&session->workspaces.items[i]->pinned,
                                      &session->workspaces.items[i]->tree};
        for (size_t k = 0; k < 2; k++) {
            struct track_node *next;
            for (struct track_node *node = track_tree_next(&trees[k]->root, &trees[k]->root); node;
                 node = next) {
                next = track_tree_next(&trees[k]->root, node);
                if (node->debug != track) continue;
                if (selection->uri && strcmp(selection->uri, node->uri) == 0)
                    session_select_none(session);
                remove_node(session, trees[k], node);
                removed = true;
            }
        }
    }
    if (!removed || is_shown(session, track->trace, track->number)) return removed;
    struct buffer sql = BUFFER_INIT;
    struct status ignored = STATUS_INIT;
    buffer_printf(&sql, "DROP TABLE IF EXISTS __debug_track_%u", track->number);
    result_free(
        session_query(session, track->trace, ENGINE_ORIGIN_USER, buffer_text(&sql), 0, &ignored));
    status_clear(&ignored);
    buffer_free(&sql);
    return true;
}
