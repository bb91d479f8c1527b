#include "engine/sql/macros.h"

#include "engine/sql/authorizer.h"
#include "engine/sql/perfettosql_lexer.h"

struct macro {
    char *name;
    char *body;
    char *parameters[MACROS_MAX_PARAMS];
    size_t n_parameters;
    enum sql_origin owner;
};

struct sql_macros {
    struct strmap by_name; /* -> struct macro * */
};

static const char *const parameter_types[] = {
    "ColumnNameList", "_ProjectionFragment", "_TableNameList",  "ColumnName",
    "Expr",           "TableOrSubquery",     "UnparenExprList", "ExprList",
};

#define N_TYPES (sizeof parameter_types / sizeof *parameter_types)

/* ---- registry ---- */

static void macro_free(struct macro *m)
{
    if (!m) return;
    for (size_t i = 0; i < m->n_parameters; i++)
        mem_free(m->parameters[i]);
    mem_free(m->name);
    mem_free(m->body);
    mem_free(m);
}

void macros_free(struct sql_macros *macros)
{
    if (!macros) return;
    for (size_t i = 0; i < macros->by_name.capacity; i++)
        if (macros->by_name.slots[i].key)
            macro_free((struct macro *)(uintptr_t)macros->by_name.slots[i].value);
    strmap_free(&macros->by_name);
    mem_free(macros);
}

static struct macro *find(const struct sql_macros *macros, struct str name)
{
    const uint64_t *value = macros ? strmap_get(&macros->by_name, name) : NULL;
    return value ? (struct macro *)(uintptr_t)*value : NULL;
}

static bool check_types(struct str name, const struct macro_parameter *parameters, size_t n,
                        struct status *st)
{
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t k = 0; k < N_TYPES; k++)
            known = known || sql_is_word(parameters[i].type, parameter_types[k]);
        if (known) continue;
        struct buffer list = BUFFER_INIT;
        for (size_t k = 0; k < N_TYPES; k++)
            buffer_printf(&list, "%s%s", k ? ", " : "", parameter_types[k]);
        status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                    "Macro '%.*s' argument '%.*s' is unknown type '%.*s'. Allowed types: %s",
                    STR_ARG(name), STR_ARG(parameters[i].name), STR_ARG(parameters[i].type),
                    buffer_text(&list));
        buffer_free(&list);
        return false;
    }
    return true;
}

static bool may_define(struct sql_database *db, struct str name, const struct macro *old,
                       bool replace, struct status *st)
{
    bool is_guest = db->origin == SQL_ORIGIN_TRACE || db->origin == SQL_ORIGIN_SERVER;
    if (!old) return true;
    if (!replace)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "CREATE PERFETTO MACRO: Macro already exists");
    if (!is_guest || old->owner == db->origin) return true;
    return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                       "not authorized: macro '%.*s' belongs to somebody else, SQL of a trace or "
                       "a server cannot replace it",
                       STR_ARG(name));
}

bool macros_define(struct sql_database *db, struct str name,
                   const struct macro_parameter *parameters, size_t n_parameters, struct str body,
                   bool replace, struct status *st)
{
    if (!db->macros) db->macros = mem_zero(1, sizeof *db->macros);
    struct macro *old = find(db->macros, name);
    if (!may_define(db, name, old, replace, st) || !check_types(name, parameters, n_parameters, st))
        return false;
    struct macro *m = mem_zero(1, sizeof *m);
    m->name = mem_copy_string(name.p, name.n);
    m->body = mem_copy_string(body.n ? body.p : "", body.n);
    m->owner = db->origin;
    m->n_parameters = n_parameters;
    for (size_t i = 0; i < n_parameters; i++)
        m->parameters[i] = mem_copy_string(parameters[i].name.p, parameters[i].name.n);
    strmap_set(&db->macros->by_name, name, (uintptr_t)m);
    macro_free(old);
    return true;
}

/* ---- expansion ---- */

struct expansion {
    struct sql_database *db;
    struct sql_unit *unit; /* gets segments at depth 0 */
    unsigned depth, calls;
    struct status *st;
};

struct call {
    struct str name;
    struct str arguments[MACROS_MAX_PARAMS];
    size_t n_arguments;
    size_t end; /* behind the ')' */
};

static bool expand(struct expansion *e, struct str text, struct buffer *out, size_t *error_at);

static bool fail(struct expansion *e, const char *what, struct str name)
{
    return status_fail(e->st, STATUS_INVALID, STATUS_NO_OFFSET, "%s '%.*s'", what, STR_ARG(name));
}

static void add_argument(struct call *call, struct str text, bool is_last)
{
    text = str_trim(text);
    if (is_last && call->n_arguments == 0 && text.n == 0) return;
    if (call->n_arguments < MACROS_MAX_PARAMS) call->arguments[call->n_arguments] = text;
    call->n_arguments++;
}

/* Splits at the commas outside brackets; `at` is behind the '('. */
static bool split_arguments(struct str text, size_t at, struct call *call)
{
    size_t depth = 0, from = at;
    call->n_arguments = 0;
    for (;;) {
        struct sql_token token = sql_lex(text, at);
        if (token.kind == SQL_TOKEN_END || token.kind == SQL_TOKEN_ILLEGAL) return false;
        if (token.kind == SQL_TOKEN_OPEN) depth++;
        if (token.kind == SQL_TOKEN_COMMA && depth == 0) {
            add_argument(call, str_slice(text, from, at), false);
            from = at + 1;
        }
        if (token.kind == SQL_TOKEN_CLOSE) {
            if (depth == 0) break;
            depth--;
        }
        at += token.text.n;
    }
    add_argument(call, str_slice(text, from, at), true);
    call->end = at + 1;
    return true;
}

/* Is `name` at `at` the beginning of a call? *open is behind its '('. */
static bool is_call(struct str text, size_t behind_name, size_t *open)
{
    struct sql_token bang = sql_lex(text, behind_name);
    if (bang.kind != SQL_TOKEN_BANG) return false;
    size_t at = behind_name + 1;
    struct sql_token next = sql_lex(text, at);
    if (next.kind == SQL_TOKEN_SPACE) {
        at += next.text.n;
        next = sql_lex(text, at);
    }
    *open = at + 1;
    return next.kind == SQL_TOKEN_OPEN;
}

/* `$name` in the body becomes its argument; other variables stay. */
static void substitute(const struct macro *m, const struct str *arguments, struct buffer *out)
{
    struct str body = str_of(m->body);
    for (size_t at = 0; at < body.n;) {
        struct sql_token token = sql_lex(body, at);
        at += token.text.n;
        const struct str *value = NULL;
        if (token.kind == SQL_TOKEN_VARIABLE && token.text.p[0] == '$')
            for (size_t i = 0; i < m->n_parameters && !value; i++)
                if (str_is(str_slice(token.text, 1, token.text.n), m->parameters[i]))
                    value = &arguments[i];
        buffer_append_str(out, value ? *value : token.text);
    }
}

static void stringify(struct str text, struct buffer *out)
{
    buffer_append_byte(out, '\'');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\'') buffer_append_byte(out, '\'');
        buffer_append_byte(out, text.p[i]);
    }
    buffer_append_byte(out, '\'');
}

/* "(a, b)" -> its pieces. */
static bool list_of(struct str text, struct call *list)
{
    struct sql_reader r;
    sql_reader_start(&r, text);
    return r.token.kind == SQL_TOKEN_OPEN && split_arguments(text, r.at, list);
}

/* __intrinsic_token_apply!(m, (a, b), (x, y)) -> m!(a, x), m!(b, y) */
static bool token_apply(struct expansion *e, const struct call *call, struct buffer *out)
{
    struct str variant = str_slice(call->name, sizeof "__intrinsic_token_apply" - 1, call->name.n);
    bool is_and = str_starts(variant, STR("_and"));
    bool has_prefix = str_ends(variant, STR("_prefix"));
    struct call first = {.n_arguments = 0}, second = {.n_arguments = 0};
    bool two = call->n_arguments == 3;
    if ((call->n_arguments != 2 && !two) || !list_of(call->arguments[1], &first) ||
        (two && !list_of(call->arguments[2], &second)) || first.n_arguments > MACROS_MAX_PARAMS ||
        second.n_arguments > MACROS_MAX_PARAMS)
        return fail(e, "syntax error near", STR("!"));
    /* The longer list is cut: it may hold a name for every case. */
    if (two && second.n_arguments < first.n_arguments) first.n_arguments = second.n_arguments;
    const char *joint = is_and ? " AND " : ", ";
    for (size_t i = 0; i < first.n_arguments; i++) {
        if (i || has_prefix) buffer_append_text(out, joint);
        buffer_append_str(out, call->arguments[0]);
        buffer_append_text(out, "!(");
        buffer_append_str(out, first.arguments[i]);
        if (two) {
            buffer_append_text(out, ", ");
            buffer_append_str(out, second.arguments[i]);
        }
        buffer_append_byte(out, ')');
    }
    return true;
}

/* The text that stands in place of the call, not yet expanded again. */
static bool replace_call(struct expansion *e, const struct call *call, struct buffer *out)
{
    if (str_is(call->name, "__intrinsic_stringify") ||
        str_is(call->name, "__intrinsic_stringify_ignore_table")) {
        if (call->n_arguments != 1) return fail(e, "syntax error near", STR("!"));
        stringify(call->arguments[0], out);
        return true;
    }
    if (str_starts(call->name, STR("__intrinsic_token_apply"))) return token_apply(e, call, out);
    const struct macro *m = find(e->db->macros, call->name);
    if (!m) return fail(e, "unknown macro", call->name);
    if (m->n_parameters != call->n_arguments) return fail(e, "syntax error near", STR("!"));
    substitute(m, call->arguments, out);
    return true;
}

static bool expand_call(struct expansion *e, struct call *call, struct buffer *out)
{
    if (e->depth >= MACROS_MAX_DEPTH || ++e->calls > MACROS_MAX_CALLS)
        return status_fail(e->st, STATUS_LIMIT, STATUS_NO_OFFSET,
                           "macro '%.*s' calls itself, or macros nest too deeply",
                           STR_ARG(call->name));
    struct buffer text = {.largest = MACROS_MAX_BYTES};
    size_t unused;
    e->depth++;
    bool ok = replace_call(e, call, &text);
    if (ok && text.overflowed)
        ok = status_fail(e->st, STATUS_LIMIT, STATUS_NO_OFFSET,
                         "macro '%.*s' expands to more than 16 MiB", STR_ARG(call->name));
    ok = ok && expand(e, buffer_str(&text), out, &unused);
    e->depth--;
    buffer_free(&text);
    return ok;
}

static void note_segment(struct expansion *e, const struct buffer *out, size_t original,
                         bool is_macro)
{
    if (e->depth) return;
    struct sql_segment segment = {out->length, original, is_macro};
    vec_push(&e->unit->segments, segment);
    if (is_macro) e->unit->has_macros = true;
}

static bool expand(struct expansion *e, struct str text, struct buffer *out, size_t *error_at)
{
    for (size_t at = 0; at < text.n;) {
        struct sql_token token = sql_lex(text, at);
        size_t open;
        if (token.kind != SQL_TOKEN_ID || !is_call(text, at + token.text.n, &open)) {
            buffer_append_str(out, token.text);
            at += token.text.n;
            continue;
        }
        struct call call = {.name = token.text};
        *error_at = at;
        if (!split_arguments(text, open, &call) || call.n_arguments > MACROS_MAX_PARAMS)
            return fail(e, "syntax error near", STR("!"));
        note_segment(e, out, at, true);
        if (!expand_call(e, &call, out)) return false;
        at = call.end;
        note_segment(e, out, at, false);
        if (out->overflowed)
            return status_fail(e->st, STATUS_LIMIT, STATUS_NO_OFFSET,
                               "the statement expands to more than 16 MiB");
    }
    return true;
}

bool macros_expand(struct sql_database *db, struct sql_unit *unit, size_t *error_at,
                   struct status *st)
{
    struct expansion e = {.db = db, .unit = unit, .st = st};
    unit->text.largest = MACROS_MAX_BYTES + unit->raw.n;
    note_segment(&e, &unit->text, 0, false);
    return expand(&e, unit->raw, &unit->text, error_at);
}
