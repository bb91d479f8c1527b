/* The engine: loads a trace, answers SQL.  The one public header of the library;
 * callers may also read columns through engine/store/.
 *
 * An engine is a value; a process may hold several.  Loading and queries block
 * and belong on a worker (engine/worker.h); columns may be read from any thread
 * inside table_read_begin/end.  Nothing here speaks to a terminal, a network or
 * a setting.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "engine/base/status.h"
#include "engine/base/str.h"
#include "engine/base/thread.h"
#include "engine/store/tables.h"

struct engine;

enum engine_extensions {
    ENGINE_EXTENSIONS_LOAD,   /* honour the sidecar (spec/sidecar.md) */
    ENGINE_EXTENSIONS_IGNORE, /* as if it had none */
    ENGINE_EXTENSIONS_CHECK,  /* validate, list every problem, load no trace */
};

enum engine_phase { ENGINE_READING, ENGINE_TOKENIZING, ENGINE_SORTING, ENGINE_FINISHING };

struct engine_progress {
    enum engine_phase phase;
    uint64_t bytes_done, bytes_total; /* of the phase; total 0 when unknown */
};

struct engine_options {
    enum engine_extensions extensions;
    const char *sidecar_path; /* --with: a sidecar that is no member; or NULL */
    /* Called on the loading thread, at most some tens of times a second. */
    void (*progress)(void *context, const struct engine_progress *progress);
    void *progress_context;
    struct cancel *cancel; /* a request ends the load early; what is there stays */
    /* FileDescriptorSets that are there before anything is read: those of servers.
     * One that is wrong is left out with a warning. */
    const struct str *descriptors;
    size_t n_descriptors;
};

struct engine *engine_new(void);
void engine_free(struct engine *engine);

/* Loads the operands (files, folders, "-" for stdin) as one input.  Once per
 * engine.  False when nothing could be read, or an authored part (sidecar,
 * manifest) is wrong; the message names file and place.  Losses further in are
 * told by engine_warnings. */
bool engine_load(struct engine *engine, const char *const *operands, size_t n_operands,
                 const struct engine_options *options, struct status *st);

/* After a load: one line for each file or member that lost something ("file:
 * cut short at byte N: 12 events were lost"); NULL past the end. */
const char *engine_warning(const struct engine *engine, size_t i);
/* After ENGINE_EXTENSIONS_CHECK: every problem of the sidecar; NULL past the end. */
const char *engine_extension_problem(const struct engine *engine, size_t i);

struct tables *engine_tables(struct engine *engine);
struct strpool *engine_strings(struct engine *engine);
/* [start, end) of the trace, ns. */
int64_t engine_start(const struct engine *engine);
int64_t engine_end(const struct engine *engine);

/* The resolved `extensions` section (metadata trace_extensions); STR_NONE when
 * the trace has none. */
struct str engine_trace_extensions(const struct engine *engine);
/* What descriptor i of the section declares, a line each ("message com.ex.Frame");
 * NULL past the end. */
const char *engine_trace_descriptor_names(const struct engine *engine, size_t i);
/* Why the SQL package of the section was left out; NULL when it was not. */
const char *engine_trace_package_skipped(const struct engine *engine);

/* Registers a SQL package of the user's or a server's (engine_4 4.3).  Module
 * names are full dotted keys. */
struct engine_module {
    const char *name, *sql;
};
bool engine_register_package(struct engine *engine, const char *package,
                             const struct engine_module *modules, size_t n, struct status *st);
/* The same with the rights of a server.  A server's package of that name is
 * replaced; modules of it that were included stay what they were, with a warning
 * (engine_warning) when they came with another text. */
bool engine_register_server_package(struct engine *engine, const char *package,
                                    const struct engine_module *modules, size_t n,
                                    struct status *st);
/* Its modules cannot be included any more; the objects that they have made stay until
 * the trace is closed.  False when there is none. */
bool engine_unregister_server_package(struct engine *engine, const char *package);

/* ---- queries ---- */

struct query;

enum cell_type { CELL_NULL, CELL_INT, CELL_REAL, CELL_TEXT, CELL_BLOB };

/* Prepares the first statement of `sql`, engine statements (CREATE PERFETTO …)
 * are carried out at once.  Use:
 *
 *     struct query *q = engine_query(engine, STR("select 1; select 2"), &st);
 *     while (q && query_next_statement(q, &st))
 *         while (query_step(q, &st)) … query_text(q, 0) …
 *     query_free(q);
 *
 * `sql` is copied.  NULL only when it holds no statement at all (STATUS_INVALID,
 * "No valid SQL to run"). */
struct query *engine_query(struct engine *engine, struct str sql, struct status *st);
/* Who wrote a text.  SQL of a trace or a server cannot drop, replace, shadow or
 * write to what the engine, the standard library or the user made. */
enum engine_origin { ENGINE_ORIGIN_USER, ENGINE_ORIGIN_SERVER, ENGINE_ORIGIN_TRACE };
/* engine_query is that of the user. */
struct query *engine_query_from(struct engine *engine, enum engine_origin origin, struct str sql,
                                struct status *st);
/* Moves to the next statement; finishes the one before.  False at the end and on
 * an error. */
bool query_next_statement(struct query *query, struct status *st);
/* Next row; false at the end of the rows and on an error. */
bool query_step(struct query *query, struct status *st);
void query_free(struct query *query);

uint32_t query_column_count(const struct query *query);
const char *query_column_name(const struct query *query, uint32_t column);
enum cell_type query_type(const struct query *query, uint32_t column);
int64_t query_int(const struct query *query, uint32_t column);
double query_real(const struct query *query, uint32_t column);
/* TEXT and BLOB bytes, good until the next step; other types as text. */
struct str query_text(const struct query *query, uint32_t column);
/* True for a statement whose result the shell does not print (engine_5 7.2). */
bool query_is_silent(const struct query *query);

/* Stops the running query (from any thread, also a signal handler). */
void engine_interrupt(struct engine *engine);
/* A statement that runs longer fails with STATUS_LIMIT; 0 means no limit. */
void engine_set_query_limit(struct engine *engine, int64_t milliseconds);

/* A whole result, kept: what tabs and commands hold. */
struct result_cell {
    enum cell_type type;
    int64_t integer;
    double real;
    struct str text; /* TEXT and BLOB */
};
struct result {
    uint32_t n_columns;
    uint64_t n_rows;
    char **names;              /* n_columns */
    struct result_cell *cells; /* row-major */
    struct arena *arena;       /* holds names and texts */
    uint64_t rows_left_out;    /* beyond `max_rows` */
    int64_t elapsed_ns;
};
/* Runs every statement; the result is the last one's that has columns. */
struct result *engine_query_result(struct engine *engine, struct str sql, uint64_t max_rows,
                                   struct status *st);
struct result *engine_query_result_from(struct engine *engine, enum engine_origin origin,
                                        struct str sql, uint64_t max_rows, struct status *st);
void result_free(struct result *result);
const struct result_cell *result_at(const struct result *result, uint64_t row, uint32_t column);

#endif
