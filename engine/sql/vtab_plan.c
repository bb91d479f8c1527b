/* xBestIndex.  The plan travels to xFilter as printable text: three counts, then
 * three characters for each term, each ORDER BY column and each used column. */
#include <math.h>

#include "engine/sql/vtab.h"

#define DIGIT_BASE 90
#define FIRST_CHAR '!'

static void write_entry(char *out, uint32_t column, uint32_t kind)
{
    out[0] = (char)(FIRST_CHAR + column / DIGIT_BASE);
    out[1] = (char)(FIRST_CHAR + column % DIGIT_BASE);
    out[2] = (char)(FIRST_CHAR + kind);
}

static const char *read_entry(const char *in, uint32_t *column, uint32_t *kind)
{
    *column = (uint32_t)(in[0] - FIRST_CHAR) * DIGIT_BASE + (uint32_t)(in[1] - FIRST_CHAR);
    *kind = (uint32_t)(in[2] - FIRST_CHAR);
    return in + 3;
}

void vtab_plan_read(struct vtab_plan *plan, const char *text)
{
    plan->n_terms = (uint32_t)(text[0] - FIRST_CHAR);
    plan->n_order = (uint32_t)(text[1] - FIRST_CHAR);
    plan->n_used = (uint32_t)(text[2] - FIRST_CHAR);
    text += 3;
    for (uint32_t i = 0; i < plan->n_terms; i++) {
        uint32_t kind;
        text = read_entry(text, &plan->terms[i].column, &kind);
        plan->terms[i].op = (enum vtab_operator)kind;
    }
    for (uint32_t i = 0; i < plan->n_order; i++) {
        uint32_t kind;
        text = read_entry(text, &plan->order[i].column, &kind);
        plan->order[i].descending = kind != 0;
    }
    for (uint32_t i = 0; i < plan->n_used; i++) {
        uint32_t kind;
        text = read_entry(text, &plan->used[i], &kind);
    }
}

static char *plan_write(const struct vtab_plan *plan)
{
    char *text = sqlite3_malloc((int)(4 + 3 * (plan->n_terms + plan->n_order + plan->n_used)));
    if (!text) return NULL;
    text[0] = (char)(FIRST_CHAR + plan->n_terms);
    text[1] = (char)(FIRST_CHAR + plan->n_order);
    text[2] = (char)(FIRST_CHAR + plan->n_used);
    char *out = text + 3;
    for (uint32_t i = 0; i < plan->n_terms; i++, out += 3)
        write_entry(out, plan->terms[i].column, plan->terms[i].op);
    for (uint32_t i = 0; i < plan->n_order; i++, out += 3)
        write_entry(out, plan->order[i].column, plan->order[i].descending);
    for (uint32_t i = 0; i < plan->n_used; i++, out += 3)
        write_entry(out, plan->used[i], 0);
    *out = '\0';
    return text;
}

/* The operator that a constraint of SQLite is here; false when SQLite keeps it. */
static bool take_operator(unsigned char sqlite_op, const struct column_schema *column,
                          enum vtab_operator *op)
{
    bool is_string = column->type == COLUMN_STRING;
    switch (sqlite_op) {
    case SQLITE_INDEX_CONSTRAINT_EQ: *op = VTAB_EQ; return true;
    case SQLITE_INDEX_CONSTRAINT_NE: *op = VTAB_NE; return true;
    case SQLITE_INDEX_CONSTRAINT_LT: *op = VTAB_LT; return true;
    case SQLITE_INDEX_CONSTRAINT_LE: *op = VTAB_LE; return true;
    case SQLITE_INDEX_CONSTRAINT_GT: *op = VTAB_GT; return true;
    case SQLITE_INDEX_CONSTRAINT_GE: *op = VTAB_GE; return true;
    case SQLITE_INDEX_CONSTRAINT_IS: *op = VTAB_IS; return true;
    case SQLITE_INDEX_CONSTRAINT_ISNOT: *op = VTAB_IS_NOT; return true;
    case SQLITE_INDEX_CONSTRAINT_ISNULL: *op = VTAB_IS_NULL; return true;
    case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: *op = VTAB_IS_NOT_NULL; return true;
    case SQLITE_INDEX_CONSTRAINT_GLOB: *op = VTAB_GLOB; return is_string;
    case SQLITE_INDEX_CONSTRAINT_LIKE: *op = VTAB_LIKE; return is_string;
    case SQLITE_INDEX_CONSTRAINT_REGEXP: *op = VTAB_REGEXP; return is_string;
    default: return false;
    }
}

/* outer_join.h: SQLite may mean an ON of an outer join to the right. */
static bool is_offered_too_early(enum vtab_operator op)
{
    return op == VTAB_NE || op == VTAB_IS_NOT || op == VTAB_IS_NOT_NULL || op == VTAB_GLOB ||
           op == VTAB_LIKE || op == VTAB_REGEXP;
}

/* Rows that an equality on the column leaves, of `rows`. */
static double rows_of_equality(const struct sql_table *t, uint32_t column, double rows)
{
    const struct column *c = &t->table->columns[column];
    if (c->type == COLUMN_ID) return 1;
    if (t->distinct[column]) return fmax(1, rows / t->distinct[column]);
    return fmax(1, rows / (2 * log2(rows + 2)));
}

struct estimate {
    double rows;    /* that come out */
    double visited; /* that are looked at */
    bool unique;
};

/* Only the most selective equality counts; all other filters together halve. */
static void note_term(struct estimate *e, const struct sql_table *t, const struct vtab_term *term,
                      bool *halved)
{
    const struct column *c = &t->table->columns[term->column];
    double all = table_rows(t->table);
    bool equality = term->op == VTAB_EQ || term->op == VTAB_IS || term->op == VTAB_IN;
    if (equality) {
        double rows = rows_of_equality(t, term->column, all);
        if (term->op == VTAB_IN) rows = fmin(all, rows * 25);
        if (rows < e->rows) e->rows = rows;
        /* A REAL has no index. */
        if (c->type != COLUMN_DOUBLE && rows < e->visited) e->visited = rows;
        if (c->type == COLUMN_ID && term->op != VTAB_IN) e->unique = true;
        return;
    }
    bool ordered = vtab_column_ascends(t->table, term->column);
    bool inequality = term->op >= VTAB_LT && term->op <= VTAB_GE;
    if (ordered && inequality) e->visited = fmin(e->visited, all / 2);
    if (term->op >= VTAB_GLOB && term->op <= VTAB_REGEXP) {
        /* A pattern is asked once for each distinct string, which makes a scan cheap:
         * cheap enough that two of them joined by OR are two scans. */
        e->rows = fmin(e->rows, fmax(1, all / 16));
        return;
    }
    if (!*halved) {
        *halved = true;
        e->rows = fmin(e->rows, fmax(1, all / 2));
    }
}

/* Column -1 is SQLite's rowid: the id column. */
static uint32_t column_number(const struct vtab_columns *columns, int column)
{
    if (column < 0) return 0;
    return columns->map ? columns->map[column] : (uint32_t)column;
}

static bool collation_is_binary(sqlite3_index_info *info, int i)
{
    const char *name = sqlite3_vtab_collation(info, i);
    return !name || sqlite3_stricmp(name, "BINARY") == 0;
}

/* Takes the constraints over.  *all_taken says whether none stayed with SQLite. */
static void take_terms(const struct sql_table *t, const struct vtab_columns *columns,
                       bool leaves_operators, sqlite3_index_info *info, struct vtab_plan *plan,
                       struct estimate *e, bool *all_taken)
{
    bool halved = false;
    int argument = 0;
    *all_taken = true;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
        if (constraint->op == SQLITE_INDEX_CONSTRAINT_LIMIT ||
            constraint->op == SQLITE_INDEX_CONSTRAINT_OFFSET)
            continue;
        struct vtab_term term = {.column = column_number(columns, constraint->iColumn)};
        const struct column_schema *column = &t->table->schema->columns[term.column];
        if (!constraint->usable || plan->n_terms + 2 >= VTAB_MAX_TERMS ||
            !take_operator(constraint->op, column, &term.op) ||
            (leaves_operators && is_offered_too_early(term.op)) || !collation_is_binary(info, i)) {
            *all_taken = false;
            continue;
        }
        if (term.op == VTAB_EQ && sqlite3_vtab_in(info, i, 1)) term.op = VTAB_IN;
        note_term(e, t, &term, &halved);
        plan->terms[plan->n_terms++] = term;
        info->aConstraintUsage[i].argvIndex = ++argument;
        info->aConstraintUsage[i].omit = 1;
    }
}

/* LIMIT and OFFSET can move here only when SQLite has nothing left to reject. */
static void take_limit(sqlite3_index_info *info, struct vtab_plan *plan)
{
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
        bool is_limit = constraint->op == SQLITE_INDEX_CONSTRAINT_LIMIT;
        if ((!is_limit && constraint->op != SQLITE_INDEX_CONSTRAINT_OFFSET) || !constraint->usable)
            continue;
        plan->terms[plan->n_terms++] = (struct vtab_term){0, is_limit ? VTAB_LIMIT : VTAB_OFFSET};
        info->aConstraintUsage[i].argvIndex = (int)plan->n_terms;
        info->aConstraintUsage[i].omit = 1;
    }
}

static bool take_order(const struct vtab_columns *columns, sqlite3_index_info *info,
                       struct vtab_plan *plan)
{
    if (info->nOrderBy <= 0 || info->nOrderBy > VTAB_MAX_TERMS) return info->nOrderBy == 0;
    for (int i = 0; i < info->nOrderBy; i++)
        plan->order[i] = (struct vtab_order){column_number(columns, info->aOrderBy[i].iColumn),
                                             info->aOrderBy[i].desc != 0};
    plan->n_order = (uint32_t)info->nOrderBy;
    info->orderByConsumed = 1;
    return true;
}

/* Columns whose values lie in memory of their own. */
static void note_used(const struct table *table, const struct vtab_columns *columns, uint64_t used,
                      struct vtab_plan *plan)
{
    for (uint32_t i = 0; i < 63 && i < columns->count; i++) {
        uint32_t column = column_number(columns, (int)i);
        if ((used >> i & 1) && table->columns[column].type != COLUMN_ID &&
            plan->n_used < VTAB_MAX_USED)
            plan->used[plan->n_used++] = column;
    }
}

int vtab_best_index(const struct sql_table *t, const struct vtab_columns *columns,
                    bool leaves_operators, sqlite3_index_info *info)
{
    struct vtab_plan plan = {.n_terms = 0};
    double all = table_rows(t->table);
    struct estimate e = {all, all, false};
    bool all_taken;
    take_terms(t, columns, leaves_operators, info, &plan, &e, &all_taken);
    bool ordered = take_order(columns, info, &plan);
    if (all_taken && ordered) take_limit(info, &plan);

    double cost = 5 + e.visited * 0.05 + e.rows;
    if (plan.n_order && !vtab_is_row_order(t->table, plan.order, plan.n_order))
        cost += e.rows * 0.2 * log2(e.rows + 2);
    info->estimatedCost = cost;
    info->estimatedRows = (sqlite3_int64)fmax(1, e.rows);
    if (e.unique) info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
    note_used(t->table, columns, info->colUsed, &plan);
    info->idxStr = plan_write(&plan);
    info->needToFreeIdxStr = 1;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}
