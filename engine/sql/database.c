#include "engine/sql/database_internal.h"

#include "engine/base/buffer.h"
#include "engine/sql/authorizer.h"
#include "engine/sql/functions.h"
#include "engine/sql/macros.h"
#include "engine/sql/native_function.h"
#include "engine/sql/packages.h"
#include "engine/sql/perfettosql_function.h"
#include "engine/sql/pointer_table.h"
#include "engine/sql/span_join.h"
#include "engine/sql/vtab.h"
#include "engine/sql/window_table.h"

/* Instructions of SQLite's machine between two looks at the clock. */
#define PROGRESS_STEPS 5000

static int on_progress(void *context)
{
    struct sql_database *db = context;
    if (atomic_load_explicit(&db->interrupted, memory_order_relaxed)) return 1;
    if (!db->deadline_ns || clock_now_ns() < db->deadline_ns) return 0;
    db->timed_out = true;
    return 1;
}

static bool set_up(struct sql_database *db, struct status *st)
{
    sqlite3 *sqlite = db->sqlite;
    sqlite3_limit(sqlite, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(sqlite, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_limit(sqlite, SQLITE_LIMIT_LENGTH, 256 << 20);
    sqlite3_limit(sqlite, SQLITE_LIMIT_TRIGGER_DEPTH, 32);
    sqlite3_db_config(sqlite, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sqlite, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, NULL);
    sqlite3_progress_handler(sqlite, PROGRESS_STEPS, on_progress, db);
    if (!sql_execute_internal(db, "PRAGMA temp_store=2; PRAGMA journal_mode=MEMORY", st))
        return false;
    authorizer_install(db);
    return true;
}

static bool register_tables(struct sql_database *db, struct status *st)
{
    struct buffer text = BUFFER_INIT;
    buffer_append_text(&text, "BEGIN;");
    for (uint32_t i = 0; i < tables_count(); i++) {
        struct table *table = tables_at(db->tables, i);
        const char *name = table->schema->name;
        sql_table_add(db, name, table, false);
        authorizer_set_owner(db, str_of(name), SQL_ORIGIN_STDLIB);
        buffer_printf(&text, "CREATE VIRTUAL TABLE \"%s\" USING perfetty_table;", name);
    }
    buffer_append_text(&text, "COMMIT");
    bool ok = sql_execute_internal(db, buffer_text(&text), st);
    buffer_free(&text);
    return ok;
}

struct sql_database *sql_database_new(struct tables *tables, struct status *st)
{
    struct sql_database *db = mem_zero(1, sizeof *db);
    db->tables = tables;
    db->origin = SQL_ORIGIN_STDLIB;
    sql_set_heap_limit(SQL_HEAP_LIMIT);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY |
                SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    bool ok = sqlite3_open_v2(":memory:", &db->sqlite, flags, NULL) == SQLITE_OK ||
              sql_fail(db, st, "SQLite did not open");
    if (ok && set_up(db, st) && vtab_register(db, st) && table_function_register(db, st) &&
        functions_register(db, st) && native_functions_register(db, st) &&
        span_join_register(db, st) && pointer_table_register(db, st) &&
        window_table_register(db, st) && mipmap_register(db, st) && register_tables(db, st) &&
        packages_open(db, st))
        return db;
    sql_database_free(db);
    return NULL;
}

void sql_database_free(struct sql_database *db)
{
    if (!db) return;
    db->is_internal = true;
    functions_free(db->functions);
    table_functions_free(db);
    sqlite3_close_v2(db->sqlite);
    packages_free(db->packages);
    macros_free(db->macros);
    sql_clocks_free(db->clocks);
    strmap_free(&db->indexes);
    for (size_t i = 0; i < db->by_name.capacity; i++)
        if (db->by_name.slots[i].key)
            sql_table_release((struct sql_table *)(uintptr_t)db->by_name.slots[i].value);
    strmap_free(&db->by_name);
    strmap_free(&db->owners);
    mem_free(db->denied_text);
    mem_free(db);
}

void sql_set_heap_limit(int64_t bytes)
{
    sqlite3_hard_heap_limit64(bytes);
}

void sql_database_interrupt(struct sql_database *db)
{
    atomic_store_explicit(&db->interrupted, true, memory_order_relaxed);
}

void sql_database_set_time_limit(struct sql_database *db, int64_t milliseconds)
{
    db->time_limit_ns = milliseconds > 0 ? milliseconds * 1000000 : 0;
}

bool sql_fail(struct sql_database *db, struct status *st, const char *prefix)
{
    int rc = sqlite3_errcode(db->sqlite);
    const char *separator = prefix && *prefix ? ": " : "";
    if (!prefix) prefix = "";
    if (rc == SQLITE_INTERRUPT && db->timed_out)
        return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                           "%s%sthe statement ran longer than the limit of %lld ms", prefix,
                           separator, (long long)(db->time_limit_ns / 1000000));
    if (rc == SQLITE_INTERRUPT)
        return status_fail(st, STATUS_INTERRUPTED, STATUS_NO_OFFSET, "%s%sinterrupted", prefix,
                           separator);
    if (rc == SQLITE_NOMEM)
        return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                           "%s%sthe statement needs more memory than the limit allows", prefix,
                           separator);
    if (rc == SQLITE_AUTH && db->denied)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s%snot authorized: %s", prefix,
                           separator, db->denied);
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s%s%s", prefix, separator,
                       sqlite3_errmsg(db->sqlite));
}

bool sql_execute_internal(struct sql_database *db, const char *sql, struct status *st)
{
    bool before = db->is_internal;
    db->is_internal = true;
    int rc = sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL);
    db->is_internal = before;
    return rc == SQLITE_OK || sql_fail(db, st, NULL);
}
