#include "engine/sql/authorizer.h"

#include <string.h>

#define OWNER_NONE 99

/* Read-only, and of no reach beyond the schema. */
static const char *const allowed_pragmas[] = {
    "table_info",     "table_xinfo",     "table_list",       "index_list",   "index_info",
    "index_xinfo",    "database_list",   "function_list",    "module_list",  "pragma_list",
    "collation_list", "compile_options", "foreign_key_list", "data_version", "schema_version",
    "user_version",   "encoding",        "freelist_count",   "page_count",   "page_size",
};

/* Modules that a statement may name after USING. */
static const char *const allowed_modules[] = {
    "span_join",          "span_left_join",           "span_outer_join",
    "__intrinsic_window", "__intrinsic_slice_mipmap", "__intrinsic_counter_mipmap",
};

/* Built-in tables that show or change pages of the database itself. */
static const char *const denied_tables[] = {"sqlite_dbpage", "dbstat", "sqlite_stmt"};

static bool is_among(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; name && i < n; i++)
        if (sqlite3_stricmp(name, list[i]) == 0) return true;
    return false;
}

#define AMONG(name, list) is_among(name, list, sizeof(list) / sizeof *(list))

enum sql_origin authorizer_owner(const struct sql_database *db, struct str name)
{
    char buffer[256];
    const uint64_t *owner = strmap_get(&db->owners, sql_lower(name, buffer, sizeof buffer));
    return owner && *owner != OWNER_NONE ? (enum sql_origin) * owner : SQL_ORIGIN_USER;
}

void authorizer_set_owner(struct sql_database *db, struct str name, enum sql_origin origin)
{
    char buffer[256];
    strmap_set(&db->owners, sql_lower(name, buffer, sizeof buffer), origin);
}

static bool exists(const struct sql_database *db, const char *name)
{
    char buffer[256];
    const uint64_t *owner = strmap_get(&db->owners, sql_lower(str_of(name), buffer, sizeof buffer));
    return owner && *owner != OWNER_NONE;
}

static bool is_guest(const struct sql_database *db)
{
    return db->origin == SQL_ORIGIN_TRACE || db->origin == SQL_ORIGIN_SERVER;
}

static int deny(struct sql_database *db, const char *why)
{
    if (!db->denied) db->denied = why;
    return SQLITE_DENY;
}

bool authorizer_may_replace(struct sql_database *db, const char *name)
{
    if (!is_guest(db) || !exists(db, name)) return true;
    if (authorizer_owner(db, str_of(name)) == db->origin) return true;
    deny(db, "SQL that came with a trace or from a server cannot drop, replace or change what "
             "the engine, the standard library or the user made");
    return false;
}

static int may_change(struct sql_database *db, const char *name)
{
    return authorizer_may_replace(db, name) ? SQLITE_OK : SQLITE_DENY;
}

static bool is_schema_table(const char *name)
{
    return name && sqlite3_strnicmp(name, "sqlite_", 7) == 0;
}

/* SQLite writes sqlite_master itself inside CREATE and DROP, and asks about that
 * before or after it asks about the statement; a statement that names the table is
 * refused by SQLite ("may not be modified").  So only the sequence is left. */
static int authorize_write(struct sql_database *db, const char *name)
{
    if (is_schema_table(name)) return SQLITE_OK;
    return may_change(db, name);
}

/* The name is noted when the statement is prepared; one that is then not run only
 * keeps the name for its author. */
static int create_object(struct sql_database *db, const char *name)
{
    if (may_change(db, name) != SQLITE_OK) return SQLITE_DENY;
    authorizer_set_owner(db, str_of(name), db->origin);
    return SQLITE_OK;
}

static int create_virtual_table(struct sql_database *db, const char *name, const char *module)
{
    bool is_ours =
        db->origin == SQL_ORIGIN_STDLIB && sqlite3_stricmp(module, "perfetty_table") == 0;
    if (!is_ours && !AMONG(module, allowed_modules))
        return deny(db, "this table module cannot be used in SQL");
    return create_object(db, name);
}

static int drop_virtual_table(struct sql_database *db, const char *name)
{
    const struct sql_table *table = sql_table_find(db, str_of(name));
    if (table && !table->owned) return deny(db, "tables of the engine cannot be dropped");
    return may_change(db, name);
}

static int authorize(void *context, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    (void)database;
    (void)trigger;
    struct sql_database *db = context;
    if (db->is_internal) return SQLITE_OK;
    switch (action) {
    case SQLITE_ATTACH:
    case SQLITE_DETACH: return deny(db, "other databases cannot be attached (nor VACUUM used)");
    case SQLITE_PRAGMA:
        if (AMONG(first, allowed_pragmas)) return SQLITE_OK;
        return deny(db, "this pragma is not allowed");
    case SQLITE_FUNCTION:
        if (second && sqlite3_stricmp(second, "load_extension") == 0)
            return deny(db, "extensions of SQLite cannot be loaded");
        return SQLITE_OK;
    case SQLITE_READ:
        if (AMONG(first, denied_tables)) return deny(db, "this table is not open to SQL");
        return SQLITE_OK;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE: return authorize_write(db, first);
    case SQLITE_CREATE_VTABLE: return create_virtual_table(db, first, second);
    case SQLITE_DROP_VTABLE: return drop_virtual_table(db, first);
    case SQLITE_CREATE_TABLE:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_VIEW:
    case SQLITE_CREATE_TEMP_VIEW: return create_object(db, first);
    case SQLITE_DROP_TABLE:
    case SQLITE_DROP_TEMP_TABLE:
    case SQLITE_DROP_VIEW:
    case SQLITE_DROP_TEMP_VIEW: return may_change(db, first);
    case SQLITE_CREATE_INDEX:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_DROP_INDEX:
    case SQLITE_DROP_TEMP_INDEX:
    case SQLITE_DROP_TRIGGER:
    case SQLITE_DROP_TEMP_TRIGGER: return may_change(db, second);
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_TEMP_TRIGGER:
        if (is_guest(db))
            return deny(db, "SQL that came with a trace or from a server cannot make triggers");
        return SQLITE_OK;
    case SQLITE_ALTER_TABLE: return may_change(db, second);
    default: return SQLITE_OK;
    }
}

void authorizer_install(struct sql_database *db)
{
    sqlite3_set_authorizer(db->sqlite, authorize, db);
}
