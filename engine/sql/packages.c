#include "engine/sql/packages.h"

#include <stdio.h>
#include <string.h>

#include "engine/sql/perfettosql_execute.h"
#include "engine/sql/stdlib.h"

enum module_state { MODULE_NOT_RUN, MODULE_RUNNING, MODULE_DONE, MODULE_POISONED };

struct module {
    char *key, *sql;
    enum module_state state;
    char *reason; /* why it is poisoned; owned */
};

struct package {
    char *name;
    enum sql_origin origin;
    VEC(struct module *) modules;
};

struct sql_packages {
    VEC(struct package *) list;
    /* Servers' packages that went, with those of their modules that ran: what they made
     * is still there, and running them again would make it twice. */
    VEC(struct package *) retired;
    char *withdrawn;  /* the trace's package that gave way last, or NULL */
    VEC(char *) kept; /* modules that ran before with other text */
};

static const char *const stdlib_packages[] = {
    "android", "appleos", "callstacks", "chrome",  "counters",   "export", "graphs",  "intervals",
    "linux",   "pixel",   "pkvm",       "prelude", "proto_path", "sched",  "slices",  "stack_trace",
    "stacks",  "std",     "time",       "traced",  "v8",         "viz",    "wattson",
};

const char *sql_stdlib_package_name(size_t i)
{
    return i < sizeof stdlib_packages / sizeof *stdlib_packages ? stdlib_packages[i] : NULL;
}

/* ---- the list ---- */

static void module_free(struct module *m)
{
    mem_free(m->key);
    mem_free(m->sql);
    mem_free(m->reason);
    mem_free(m);
}

static void package_free(struct package *p)
{
    for (size_t i = 0; i < p->modules.count; i++)
        module_free(p->modules.items[i]);
    vec_free(&p->modules);
    mem_free(p->name);
    mem_free(p);
}

static void forget_last_call(struct sql_packages *packages)
{
    mem_free(packages->withdrawn);
    packages->withdrawn = NULL;
    for (size_t i = 0; i < packages->kept.count; i++)
        mem_free(packages->kept.items[i]);
    packages->kept.count = 0;
}

void packages_free(struct sql_packages *packages)
{
    if (!packages) return;
    forget_last_call(packages);
    for (size_t i = 0; i < packages->list.count; i++)
        package_free(packages->list.items[i]);
    for (size_t i = 0; i < packages->retired.count; i++)
        package_free(packages->retired.items[i]);
    vec_free(&packages->list);
    vec_free(&packages->retired);
    vec_free(&packages->kept);
    mem_free(packages);
}

static struct package *package_new(const char *name, enum sql_origin origin)
{
    struct package *p = mem_zero(1, sizeof *p);
    p->name = mem_strdup(name);
    p->origin = origin;
    return p;
}

static void add_module(struct package *p, char *key, struct str sql)
{
    struct module *m = mem_zero(1, sizeof *m);
    m->key = key;
    m->sql = mem_copy_string(sql.n ? sql.p : "", sql.n);
    vec_push(&p->modules, m);
}

/* Is `name` the package itself or something below it? */
static bool is_below(struct str name, struct str package)
{
    return str_starts(name, package) && (name.n == package.n || name.p[package.n] == '.');
}

static struct package *package_of(const struct sql_packages *packages, struct str key)
{
    for (size_t i = 0; i < packages->list.count; i++)
        if (is_below(key, str_of(packages->list.items[i]->name))) return packages->list.items[i];
    return NULL;
}

static struct module *module_of(const struct package *p, struct str key)
{
    for (size_t i = 0; i < p->modules.count; i++)
        if (str_is(key, p->modules.items[i]->key)) return p->modules.items[i];
    return NULL;
}

/* "slices/with_context.sql" -> "slices.with_context" */
static char *key_of_path(const char *path)
{
    struct str stem = str_of(path);
    if (str_ends(stem, STR(".sql"))) stem.n -= 4;
    char *key = mem_copy_string(stem.p, stem.n);
    for (char *p = key; *p; p++)
        if (*p == '/') *p = '.';
    return key;
}

static void add_stdlib(struct sql_packages *packages)
{
    const char *name;
    for (size_t i = 0; (name = sql_stdlib_package_name(i)) != NULL; i++) {
        struct package *p = package_new(name, SQL_ORIGIN_STDLIB);
        for (size_t k = 0; k < stdlib_modules_count; k++) {
            const struct embedded_file *file = &stdlib_modules[k];
            char *key = key_of_path(file->path);
            if (is_below(str_of(key), str_of(name)))
                add_module(p, key, (struct str){file->bytes, file->length});
            else
                mem_free(key);
        }
        vec_push(&packages->list, p);
    }
}

/* ---- INCLUDE ---- */

static bool fail(struct status *st, const char *format, struct str name)
    __attribute__((format(printf, 2, 0)));

static bool fail(struct status *st, const char *format, struct str name)
{
    char text[512];
    char shown[256];
    snprintf(shown, sizeof shown, "%.*s", STR_ARG(name));
    snprintf(text, sizeof text, format, shown);
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "%s", text);
}

static bool run_module(struct sql_database *db, const struct package *p, struct module *m,
                       struct status *st)
{
    char name[256];
    snprintf(name, sizeof name, "Module include \"%s\"", m->key);
    struct sql_source source;
    sql_source_init(&source, name, str_of(m->sql), p->origin);
    struct status failed = STATUS_INIT;
    m->state = MODULE_RUNNING;
    db->nesting++;
    bool ok = sql_run_source(db, &source, true, &failed);
    db->nesting--;
    sql_source_free(&source);
    m->state = ok ? MODULE_DONE : MODULE_POISONED;
    if (ok) return true;
    m->reason = mem_strdup(status_message(&failed));
    status_move(st, &failed);
    return false;
}

static bool include_module(struct sql_database *db, const struct package *p, struct module *m,
                           struct status *st)
{
    struct str key = str_of(m->key);
    if (m->state == MODULE_DONE) return true;
    if (m->state == MODULE_RUNNING)
        return fail(st,
                    "INCLUDE: cycle detected \xE2\x80\x94 module '%s' is already mid-import; break "
                    "the ring of includes",
                    key);
    if (m->state == MODULE_POISONED)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "INCLUDE: module '%s' poisoned by earlier failure: %s", m->key,
                           m->reason);
    if (db->nesting >= SQL_MAX_NESTING)
        return fail(st, "INCLUDE: module '%s': includes nest too deeply", key);
    return run_module(db, p, m, st);
}

/* Every module of the package whose key begins with `prefix`. */
static bool include_prefix(struct sql_database *db, const struct package *p, struct str prefix,
                           struct status *st)
{
    for (size_t i = 0; i < p->modules.count; i++) {
        struct module *m = p->modules.items[i];
        if (str_starts(str_of(m->key), prefix) && !include_module(db, p, m, st)) return false;
    }
    return true;
}

static bool include_all(struct sql_database *db, struct status *st)
{
    for (size_t i = 0; i < db->packages->list.count; i++)
        if (!include_prefix(db, db->packages->list.items[i], STR(""), st)) return false;
    return true;
}

static bool include(struct sql_database *db, struct str key, struct status *st)
{
    if (str_is(key, "*")) return include_all(db, st);
    bool is_wildcard = str_ends(key, STR(".*"));
    struct str stem = is_wildcard ? str_slice(key, 0, key.n - 2) : key;
    struct package *p = package_of(db->packages, stem);
    if (!p && str_starts(key, STR("common.")))
        return fail(
            st,
            "INCLUDE: module '%s' is gone: the package common was removed, its parts are in "
            "the packages android, linux, sched and slices",
            key);
    if (!p) return fail(st, "INCLUDE: Package '%s' not found", is_wildcard ? key : stem);
    if (is_wildcard) return include_prefix(db, p, str_slice(key, 0, key.n - 1), st);
    struct module *m = module_of(p, stem);
    if (m) return include_module(db, p, m, st);
    if (p->origin == SQL_ORIGIN_STDLIB)
        return fail(st,
                    "INCLUDE: unknown module '%s' (its package belongs to the standard library, "
                    "this module is not among those that perfetty has)",
                    key);
    return fail(st, "INCLUDE: unknown module '%s'", key);
}

bool execute_include(struct sql_execution *e, struct status *st)
{
    e->no_traceback = true;
    return include(e->db, e->statement->module, st);
}

bool packages_open(struct sql_database *db, struct status *st)
{
    db->packages = mem_zero(1, sizeof *db->packages);
    add_stdlib(db->packages);
    return include(db, STR("prelude.before_eof.*"), st);
}

bool sql_database_after_load(struct sql_database *db, struct status *st)
{
    db->is_loaded = true;
    return include(db, STR("prelude.after_eof.*"), st);
}

/* ---- registration ---- */

static bool check_names(const char *package, const struct sql_module *modules, size_t n,
                        struct status *st)
{
    struct str name = str_of(package);
    if (!name.n)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "A package needs a name.");
    for (size_t i = 0; i < n; i++) {
        struct str key = str_of(modules[i].name);
        if (!is_below(key, name) || key.n <= name.n + 1)
            return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "Module name '%s' must start with package name '%s.' as prefix.",
                               modules[i].name, package);
    }
    return true;
}

static bool was_used(const struct package *p)
{
    for (size_t i = 0; i < p->modules.count; i++)
        if (p->modules.items[i]->state != MODULE_NOT_RUN) return true;
    return false;
}

static bool clashes(const struct package *p, struct str name)
{
    struct str other = str_of(p->name);
    return is_below(name, other) || is_below(other, name);
}

/* A package that was included has made objects and cannot be swapped; but for a server's,
 * of which that part stays. */
static bool may_replace(const struct package *p, enum sql_origin origin, bool allow_override,
                        struct status *st)
{
    bool is_user = origin == SQL_ORIGIN_USER || origin == SQL_ORIGIN_STDLIB;
    bool is_own = origin == SQL_ORIGIN_SERVER && p->origin == SQL_ORIGIN_SERVER;
    if (allow_override && is_own) return true; /* what ran is retired */
    if (!allow_override || !is_user)
        return status_fail(
            st, STATUS_INVALID, STATUS_NO_OFFSET,
            "Package '%s' is already registered. Choose a different name.\nIf you want to replace "
            "the existing package using trace processor shell, you need to pass the --dev flag and "
            "use --override-sql-package to pass the module path.",
            p->name);
    if (was_used(p))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "Cannot register package '%s': one of its modules was included already",
                           p->name);
    return true;
}

static void take_out(struct sql_packages *packages, size_t at)
{
    for (size_t i = at + 1; i < packages->list.count; i++)
        packages->list.items[i - 1] = packages->list.items[i];
    packages->list.count--;
}

static struct package *retired_package(struct sql_packages *packages, const char *name)
{
    for (size_t i = 0; i < packages->retired.count; i++)
        if (strcmp(packages->retired.items[i]->name, name) == 0) return packages->retired.items[i];
    struct package *p = package_new(name, SQL_ORIGIN_SERVER);
    vec_push(&packages->retired, p);
    return p;
}

/* The package is out of the list; what ran of it is remembered. */
static void retire(struct sql_packages *packages, struct package *p)
{
    struct package *retired = was_used(p) ? retired_package(packages, p->name) : NULL;
    for (size_t i = 0; i < p->modules.count; i++) {
        struct module *m = p->modules.items[i];
        if (m->state == MODULE_NOT_RUN)
            module_free(m);
        else
            vec_push(&retired->modules, m);
    }
    p->modules.count = 0;
    package_free(p);
}

/* The module of that key that ran before; NULL.  One that failed gets another try with
 * another text. */
static struct module *revive(struct sql_packages *packages, const char *package,
                             const struct sql_module *wanted)
{
    struct package *p = retired_package(packages, package);
    for (size_t i = 0; i < p->modules.count; i++) {
        struct module *m = p->modules.items[i];
        if (strcmp(m->key, wanted->name) != 0) continue;
        bool same = strcmp(m->sql, wanted->sql) == 0, done = m->state == MODULE_DONE;
        p->modules.items[i] = p->modules.items[--p->modules.count];
        if (!done && !same) {
            module_free(m);
            return NULL;
        }
        if (!same) vec_push(&packages->kept, mem_strdup(m->key));
        return m;
    }
    return NULL;
}

/* The trace's packages give way to those of a person or a server. */
static bool gives_way(const struct package *p, enum sql_origin newcomer)
{
    return p->origin == SQL_ORIGIN_TRACE && newcomer != SQL_ORIGIN_TRACE;
}

static bool make_room(struct sql_packages *packages, struct str name, enum sql_origin origin,
                      bool allow_override, struct status *st)
{
    for (size_t i = 0; i < packages->list.count; i++) {
        const struct package *p = packages->list.items[i];
        if (!clashes(p, name) || gives_way(p, origin)) continue;
        if (!str_is(name, p->name))
            return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                               "Package '%.*s' clashes with existing package '%s'. Package names "
                               "cannot be prefixes of each other.",
                               STR_ARG(name), p->name);
        if (!may_replace(p, origin, allow_override, st)) return false;
    }
    for (size_t i = 0; i < packages->list.count;) {
        const struct package *p = packages->list.items[i];
        if (!clashes(p, name)) {
            i++;
            continue;
        }
        struct package *old = packages->list.items[i];
        take_out(packages, i);
        if (gives_way(old, origin)) {
            mem_free(packages->withdrawn);
            packages->withdrawn = mem_strdup(old->name);
        }
        if (old->origin == SQL_ORIGIN_SERVER)
            retire(packages, old);
        else
            package_free(old);
    }
    return true;
}

bool sql_database_register_package(struct sql_database *db, const char *package,
                                   const struct sql_module *modules, size_t n_modules,
                                   enum sql_origin origin, bool allow_override, struct status *st)
{
    struct sql_packages *packages = db->packages;
    forget_last_call(packages);
    if (!check_names(package, modules, n_modules, st) ||
        !make_room(packages, str_of(package), origin, allow_override, st))
        return false;
    struct package *p = package_new(package, origin);
    for (size_t i = 0; i < n_modules; i++) {
        struct module *before =
            origin == SQL_ORIGIN_SERVER ? revive(packages, package, &modules[i]) : NULL;
        if (before)
            vec_push(&p->modules, before);
        else
            add_module(p, mem_strdup(modules[i].name), str_of(modules[i].sql));
    }
    vec_push(&packages->list, p);
    return true;
}

bool sql_database_unregister_package(struct sql_database *db, const char *package,
                                     enum sql_origin origin)
{
    struct sql_packages *packages = db->packages;
    for (size_t i = 0; i < packages->list.count; i++) {
        struct package *p = packages->list.items[i];
        if (p->origin != origin || strcmp(p->name, package) != 0) continue;
        take_out(packages, i);
        if (origin == SQL_ORIGIN_SERVER)
            retire(packages, p);
        else
            package_free(p);
        return true;
    }
    return false;
}

const char *sql_database_kept_module(const struct sql_database *db, size_t i)
{
    const struct sql_packages *packages = db->packages;
    return packages && i < packages->kept.count ? packages->kept.items[i] : NULL;
}

const char *sql_database_withdrawn_package(const struct sql_database *db)
{
    return db->packages ? db->packages->withdrawn : NULL;
}
