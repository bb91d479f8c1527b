/* Collapsed stacks: one line a call stack, `root;caller;leaf 12`, as Brendan Gregg's
 * stackcollapse scripts and flamegraph.pl read and write them
 * (https://www.brendangregg.com/FlameGraphs/cpuflamegraphs.html, "Fold stacks";
 * spec engine_2c §13).
 *
 * Beyond the reference: a stack of one frame needs no semicolon as long as another
 * line has one, comments may begin with //, and UTF-16 text with a byte order mark
 * is read too.  Nothing is kept but the rows. */
#include "engine/base/utf8.h"
#include "engine/import/damage.h"
#include "engine/import/import.h"
#include "engine/import/stack.h"
#include "engine/import/text_lines.h"

#define POLL_EVERY  4096
#define SNIFF_LINES 3
#define MAX_FRAMES  65536

struct state {
    struct import *import;
    struct damage damage;
    uint32_t profile, mapping;
};

static bool is_comment(struct str line)
{
    return line.p[0] == '#' || str_starts(line, STR("//"));
}

/* Cuts the count behind the last space off; false when there is none. */
static bool split_count(struct str line, struct str *stack, struct str *count)
{
    size_t space = line.n;
    while (space > 0 && line.p[space - 1] != ' ')
        space--;
    if (space == 0) return false;
    *stack = str_trim(str_slice(line, 0, space - 1));
    *count = str_slice(line, space, line.n);
    return true;
}

static bool is_digits(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9') return false;
    return s.n > 0;
}

/* The first lines are all stacks with a count, and one has more than one frame. */
static bool sniff(struct str bytes)
{
    struct text_lines lines;
    struct str line;
    int good = 0;
    bool has_semicolon = false;
    text_lines_init(&lines, str_slice(bytes, 0, 1 << 20));
    while (good < SNIFF_LINES && text_lines_next(&lines, &line)) {
        struct str stack, count;
        size_t at;
        line = str_trim(line);
        if (line.n == 0 || is_comment(line)) continue;
        if (!split_count(line, &stack, &count) || !is_digits(count) ||
            !utf8_is_valid(stack, NULL) || str_find_byte(stack, '\0', &at)) {
            good = 0;
            break;
        }
        has_semicolon |= str_find_byte(stack, ';', &at);
        good++;
    }
    text_lines_free(&lines);
    return good > 0 && has_semicolon;
}

static uint32_t add_stack(struct state *state, struct str stack, size_t offset)
{
    struct stack_tracker *stacks = state->import->stacks;
    const struct table *frames = &state->import->tables->stack_profile_frame.table;
    uint32_t callsite = NULL_UINT32;
    uint32_t depth = 0;
    struct str name;
    while (str_split_next(&stack, ';', &name)) {
        if (name.n == 0) continue;
        if (depth++ == MAX_FRAMES) {
            damage_log(&state->damage, STAT_perfetty_input_corrupt, offset,
                       "a call stack of more than 65536 frames was cut");
            break;
        }
        uint32_t known = table_rows(frames);
        struct stack_symbol symbol = {.name = strpool_intern(state->import->strings, name)};
        uint32_t frame = stack_frame_intern(stacks, symbol.name, state->mapping, 0);
        if (frame >= known) stack_frame_set_symbols(stacks, frame, &symbol, 1);
        callsite = stack_callsite_intern(stacks, callsite, frame, 0);
    }
    return callsite;
}

static void read_line(struct state *state, struct str line, size_t offset)
{
    struct str stack, count;
    int64_t value;
    if (!split_count(line, &stack, &count) || !str_to_int64(count, &value) || value <= 0) {
        damage_log(&state->damage, STAT_perfetty_input_corrupt, offset,
                   "a line that is not `frame;frame count`");
        return;
    }
    uint32_t callsite = add_stack(state, stack, offset);
    if (callsite == NULL_UINT32) return;
    struct aggregate_sample_row row = {
        .aggregate_profile_id = state->profile, .callsite_id = callsite, .value = (double)value};
    aggregate_sample_append(&state->import->tables->aggregate_sample, &row);
}

static void begin(struct state *state, const struct import_file *file)
{
    struct import *import = file->import;
    struct strpool *strings = import->strings;
    struct aggregate_profile_row profile = {
        .scope = strpool_intern_text(strings, "collapsed_stack_file"),
        .name = strpool_intern_text(strings, "collapsed_stack samples"),
        .sample_type_type = strpool_intern_text(strings, "samples"),
        .sample_type_unit = strpool_intern_text(strings, "count")};
    struct stack_mapping mapping = {.build_id = strpool_intern_text(strings, ""),
                                    .name = strpool_intern_text(strings, "[collapsed_stack]"),
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
    size_t reported = 0;
    (void)st;
    begin(&state, file);
    text_lines_init(&lines, bytes);
    for (uint64_t n = 1; text_lines_next(&lines, &line); n++) {
        line = str_trim(line);
        if (line.n > 0 && !is_comment(line)) read_line(&state, line, lines.line_at);
        if (n % POLL_EVERY != 0) continue;
        import_progress(file->import, lines.next_at - reported);
        reported = lines.next_at;
        if (cancel_is_requested(file->import->cancel)) break;
    }
    text_lines_free(&lines);
    return true;
}

const struct importer importer_collapsed = {
    .name = "collapsed_stack",
    .detection_priority = 190,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_NONE,
    .sniff = sniff,
    .tokenize = tokenize,
};
