/* A call tree copied out of Instruments ("Edit > Deep Copy"): a line of column
 * names, then one line a node, cells parted by tabs, the symbol last and indented by
 * a space a level.  No program writes a specification of it; this follows what
 * Instruments 7 to 16 give.  The reference does not read it.
 *
 * Weights are rounded by Instruments: "4.93 s", "846.00 ms", "69.74 MB".  What a node
 * spent itself is its cell "Self …", or without one its weight less its children's.
 * There are no times and no threads: nodes become aggregate samples. */
#include "engine/base/vec.h"
#include "engine/import/damage.h"
#include "engine/import/import.h"
#include "engine/import/stack.h"
#include "engine/import/text_lines.h"

#define POLL_EVERY  4096
#define MAX_DEPTH   4096
#define MAX_COLUMNS 8

enum { WEIGHT_COLUMN = 0, NO_COLUMN = MAX_COLUMNS };

struct columns {
    bool is_bytes;
    uint32_t self; /* NO_COLUMN when there is none */
    uint32_t symbol;
    struct str self_unit; /* "ms" of a column "Self (ms)" */
};

/* An open node of the line in hand's ancestors. */
struct level {
    size_t indent;
    uint32_t node;
};

struct node {
    uint32_t callsite;
    double self;
};

struct state {
    struct import *import;
    struct damage damage;
    struct columns columns;
    uint32_t profile, mapping;
    VEC(struct level) levels;
    VEC(struct node) nodes;
};

static uint32_t split(struct str line, struct str cells[MAX_COLUMNS])
{
    uint32_t n = 0;
    while (n < MAX_COLUMNS && str_split_next(&line, '\t', &cells[n]))
        n++;
    return n;
}

static bool read_head(struct str line, struct columns *columns)
{
    static const char *const WEIGHTS[] = {"Weight", "Running Time", "Bytes Used"};
    struct str cells[MAX_COLUMNS];
    uint32_t n = split(line, cells);
    bool known = false;
    *columns = (struct columns){.self = NO_COLUMN, .symbol = n - 1};
    if (n < 2 || !str_starts(cells[n - 1], STR("Symbol Name"))) return false;
    for (size_t i = 0; i < sizeof WEIGHTS / sizeof *WEIGHTS; i++)
        known |= str_is(cells[WEIGHT_COLUMN], WEIGHTS[i]);
    columns->is_bytes = str_is(cells[WEIGHT_COLUMN], "Bytes Used");
    for (uint32_t i = 1; i + 1 < n; i++) {
        size_t open, close;
        if (!str_starts(cells[i], STR("Self "))) continue;
        columns->self = i;
        if (str_find_byte(cells[i], '(', &open) && str_find_byte(cells[i], ')', &close))
            columns->self_unit = str_slice(cells[i], open + 1, close);
    }
    return known;
}

/* "4.93 s  100.0%" in ns, "69.74 MB" in bytes. */
static bool read_weight(struct str cell, struct str unit, double *value)
{
    static const struct {
        const char *name;
        double factor;
    } UNITS[] = {{"ns", 1},       {"us", 1e3},      {"\xC2\xB5s", 1e3},   {"\xCE\xBCs", 1e3},
                 {"ms", 1e6},     {"s", 1e9},       {"min", 60e9},        {"hr", 3600e9},
                 {"Bytes", 1},    {"bytes", 1},     {"KB", 1024},         {"KiB", 1024},
                 {"MB", 1048576}, {"MiB", 1048576}, {"GB", 1073741824.0}, {"GiB", 1073741824.0}};
    size_t digits = 0, end;
    cell = str_trim(cell);
    while (digits < cell.n && ((cell.p[digits] >= '0' && cell.p[digits] <= '9') ||
                               cell.p[digits] == '.' || cell.p[digits] == ','))
        digits++;
    if (!str_to_double(str_slice(cell, 0, digits), value)) return false;
    struct str rest = str_trim(str_slice(cell, digits, cell.n));
    if (str_find_byte(rest, ' ', &end)) rest = str_slice(rest, 0, end);
    if (rest.n > 0) unit = rest;
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
        if (str_is(unit, UNITS[i].name)) {
            *value *= UNITS[i].factor;
            return true;
        }
    return *value == 0;
}

static void add_node(struct state *state, size_t indent, struct str name, double weight,
                     double self)
{
    struct stack_tracker *stacks = state->import->stacks;
    const struct table *frames = &state->import->tables->stack_profile_frame.table;
    while (state->levels.count > 0 && vec_last(&state->levels)->indent >= indent)
        (void)vec_pop(&state->levels);
    struct node *parent =
        state->levels.count > 0 ? &state->nodes.items[vec_last(&state->levels)->node] : NULL;
    uint32_t known = table_rows(frames);
    struct stack_symbol symbol = {.name = strpool_intern(state->import->strings, name)};
    uint32_t frame = stack_frame_intern(stacks, symbol.name, state->mapping, 0);
    if (frame >= known) stack_frame_set_symbols(stacks, frame, &symbol, 1);
    bool has_self = state->columns.self != NO_COLUMN;
    struct node node = {.callsite = stack_callsite_intern(
                            stacks, parent ? parent->callsite : NULL_UINT32, frame, 0),
                        .self = has_self ? self : weight};
    if (parent && !has_self) parent->self -= weight;
    vec_push(&state->levels, (struct level){indent, (uint32_t)state->nodes.count});
    vec_push(&state->nodes, node);
}

static void read_line(struct state *state, struct str line, size_t offset)
{
    struct str cells[MAX_COLUMNS];
    const struct columns *columns = &state->columns;
    double weight = 0, self = 0;
    size_t indent = 0;
    uint32_t n = split(line, cells);
    bool good = n == columns->symbol + 1 && read_weight(cells[WEIGHT_COLUMN], STR_NONE, &weight);
    if (good && columns->self != NO_COLUMN)
        good = read_weight(cells[columns->self], columns->self_unit, &self);
    struct str name = good ? cells[columns->symbol] : STR_NONE;
    while (indent < name.n && name.p[indent] == ' ')
        indent++;
    name = str_trim(name);
    if (name.n > 0 && indent < MAX_DEPTH)
        add_node(state, indent, name, weight, self);
    else
        damage_log(&state->damage, STAT_perfetty_input_corrupt, offset,
                   "a line that is no node of the call tree");
}

static void begin(struct state *state, const struct import_file *file)
{
    struct import *import = file->import;
    struct strpool *strings = import->strings;
    bool is_bytes = state->columns.is_bytes;
    struct aggregate_profile_row profile = {
        .scope = strpool_intern_text(strings, "instruments_copy"),
        .name = strpool_intern_text(strings, is_bytes ? "Instruments memory" : "Instruments time"),
        .sample_type_type = strpool_intern_text(strings, is_bytes ? "memory" : "time"),
        .sample_type_unit = strpool_intern_text(strings, is_bytes ? "bytes" : "nanoseconds")};
    struct stack_mapping mapping = {.build_id = strpool_intern_text(strings, ""),
                                    .name = strpool_intern_text(strings, "[instruments]"),
                                    .end = -1};
    state->import = import;
    state->damage.file = file;
    state->profile = aggregate_profile_append(&import->tables->aggregate_profile, &profile);
    state->mapping = stack_mapping_intern(import->stacks, &mapping);
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct state state = {0};
    struct text_lines lines;
    struct str line;
    text_lines_init(&lines, bytes);
    bool good = text_lines_next(&lines, &line) && read_head(line, &state.columns);
    if (!good) status_fail(st, STATUS_CORRUPT, 0, "the first line names no columns of a call tree");
    if (good) begin(&state, file);
    for (uint64_t n = 1; good && text_lines_next(&lines, &line); n++) {
        if (str_trim(line).n > 0) read_line(&state, line, lines.line_at);
        if (n % POLL_EVERY == 0 && cancel_is_requested(file->import->cancel)) break;
    }
    for (size_t i = 0; i < state.nodes.count; i++) {
        struct aggregate_sample_row row = {.aggregate_profile_id = state.profile,
                                           .callsite_id = state.nodes.items[i].callsite,
                                           .value = state.nodes.items[i].self};
        /* Rounding can leave less than nothing. */
        if (row.value > 0) aggregate_sample_append(&file->import->tables->aggregate_sample, &row);
    }
    import_progress(file->import, bytes.n);
    text_lines_free(&lines);
    vec_free(&state.levels);
    vec_free(&state.nodes);
    return good;
}

static bool sniff(struct str bytes)
{
    struct text_lines lines;
    struct columns columns;
    struct str line;
    text_lines_init(&lines, str_slice(bytes, 0, 512));
    bool good = text_lines_next(&lines, &line) && read_head(line, &columns);
    text_lines_free(&lines);
    return good;
}

const struct importer importer_instruments_copy = {
    .name = "instruments_copy",
    .detection_priority = 187,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_NONE,
    .sniff = sniff,
    .tokenize = tokenize,
};
