/* What a load lost: into stats and the import log, and as one line for each
 * member that a person reads. */
#include "engine/import/args.h"
#include "engine/import/stats.h"
#include "engine/load.h"

enum { KINDS_IN_A_LINE = 4, MEMBERS_LEFT_OUT = 10 };

static void log_loss(struct load *load, struct load_node *node, enum stat stat, const char *reason)
{
    struct strpool *strings = load->import->strings;
    struct arg_list args = {0};
    arg_list_put_string(&args, strpool_intern_text(strings, "reason"),
                        strpool_intern_text(strings, reason));
    if (node->member->name.n > 0)
        arg_list_put_string(&args, strpool_intern_text(strings, "member"),
                            strpool_intern(strings, node->member->name));
    import_log(load_file_of(load, node), stat, NO_BYTE_OFFSET, NO_LOG_TS, &args);
    vec_free(&args);
}

void load_leave_out(struct load *load, struct load_node *node, const char *reason)
{
    node->is_left_out = true;
    log_loss(load, node, STAT_perfetty_member_skipped, reason);
    text_list_add(&node->losses, "%s", reason);
}

static const char *unknown_reason(struct load *load, const struct load_node *node)
{
    const char *kind = importer_recognise(node->member->bytes);
    if (kind) return arena_printf(&load->arena, "it looks like %s, which is not read here", kind);
    return "no trace format that is known here begins like it";
}

static bool has_cut_below(const struct load_node *node)
{
    for (size_t i = 0; i < node->children.count; i++)
        if (node->children.items[i]->member->loss == INPUT_CUT ||
            has_cut_below(node->children.items[i]))
            return true;
    return false;
}

/* One cut is counted once: where the last record breaks off, or else in the innermost
 * file that it goes through. */
static bool is_cut_counted(struct load *load, struct load_node *node)
{
    if (node->member->loss != INPUT_CUT) return false;
    return has_cut_below(node) ||
           (node->importer &&
            stats_get_of_file(load_file_of(load, node), STAT_perfetty_input_truncated) > 0);
}

static void count_node(struct load *load, struct load_node *node)
{
    const struct input_member *member = node->member;
    static const enum stat stats[] = {
        [INPUT_CUT] = STAT_perfetty_input_truncated,
        [INPUT_CORRUPT] = STAT_perfetty_input_corrupt,
        [INPUT_LIMITED] = STAT_perfetty_limit_reached,
        [INPUT_UNSUPPORTED] = STAT_perfetty_member_skipped,
        [INPUT_UNREADABLE] = STAT_perfetty_member_skipped,
    };
    if (member->is_hidden || node->is_claimed || node->is_sidecar) return;
    bool is_unknown =
        !input_is_container(member) && !node->importer && !node->is_left_out && member->bytes.n > 0;
    if (member->is_read && node->is_left_out && node->losses.count == 0)
        load_leave_out(load, node, member->loss_text ? member->loss_text : "it cannot be read");
    else if (is_unknown && load->n_read > 0)
        load_leave_out(load, node, unknown_reason(load, node));
    else if (member->loss != INPUT_WHOLE && !node->is_left_out) {
        if (!is_cut_counted(load, node))
            log_loss(load, node, stats[member->loss], member->loss_text);
        text_list_add(&node->losses, "%s", member->loss_text);
    }
    for (size_t i = 0; i < node->children.count; i++)
        count_node(load, node->children.items[i]);
}

void load_count_losses(struct load *load)
{
    count_node(load, load->root);
}

/* ---- after the load ---- */

struct report {
    struct load *load;
    const struct stats_table *stats;
    const struct trace_import_logs_table *logs;
};

static const char *text_at(const struct report *r, const struct column *c, uint32_t row)
{
    return strpool_text(r->load->import->strings, column_get_string(c, row));
}

/* " (first at byte 77: event 2)" from the first row of the log for that stat. */
static void append_first_log(const struct report *r, struct buffer *out, uint32_t trace,
                             int64_t key)
{
    uint32_t rows = table_rows(&r->logs->table);
    for (uint32_t i = 0; i < rows; i++) {
        if (column_get_row(&r->logs->trace_id, i) != trace) continue;
        if (column_get_int64(&r->logs->stat_key, i) != key) continue;
        struct buffer detail = BUFFER_INIT;
        if (!column_is_null(&r->logs->byte_offset, i))
            buffer_printf(&detail, "at byte %lld",
                          (long long)column_get_int64(&r->logs->byte_offset, i));
        uint32_t set = column_get_row(&r->logs->arg_set_id, i);
        struct arg_list args = {0};
        if (set != NULL_UINT32) args_read(r->load->engine->tables, set, &args);
        for (size_t a = 0; a < args.count; a++) {
            const struct arg *arg = &args.items[a];
            buffer_append_text(&detail, detail.length ? ", " : "");
            const char *label = strpool_text(r->load->import->strings, arg->key);
            bool is_sentence = strcmp(label, "reason") == 0 || strcmp(label, "error") == 0;
            if (!is_sentence) buffer_printf(&detail, "%s ", label);
            if (arg->type == ARG_STRING || arg->type == ARG_JSON)
                buffer_append_str(
                    &detail,
                    str_slice(strpool_get(r->load->import->strings, arg->value.string), 0, 200));
            else if (arg->type == ARG_REAL)
                buffer_printf(&detail, "%g", arg->value.real);
            else
                buffer_printf(&detail, "%lld", (long long)arg->value.integer);
        }
        vec_free(&args);
        if (detail.length) buffer_printf(out, " (%s)", buffer_text(&detail));
        buffer_free(&detail);
        return;
    }
}

static bool is_told_elsewhere(const char *name)
{
    static const char *const own[] = {"perfetty_member_skipped", "perfetty_limit_reached",
                                      "perfetty_load_interrupted",
                                      "perfetty_extensions_package_skipped"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i]) == 0) return true;
    return false;
}

/* Trace processor counts as errors of a perf.data file what loses nothing: kinds of
 * records that only the recorder needs, and a clock that no event follows. */
static bool is_no_loss(const struct report *r, const struct load_node *node, const char *name,
                       uint32_t row)
{
    static const uint32_t read_kinds[] = {1, 3, 9, 10, 11, 12, 70, 71};
    if (!node->importer || strcmp(node->importer->name, "perf") != 0) return false;
    if (strcmp(name, "clock_sync_unrelatable_clock_domains") == 0) return true;
    if (strcmp(name, "perf_record_skipped") != 0) return false;
    for (size_t i = 0; i < sizeof read_kinds / sizeof *read_kinds; i++)
        if (column_get_int64(&r->stats->idx, row) == read_kinds[i]) return false;
    return true;
}

/* The stats of one file (or of no file) that say "lost" or "wrong". */
static void add_stat_losses(const struct report *r, struct load_node *node, uint32_t trace)
{
    uint32_t rows = table_rows(&r->stats->table);
    for (uint32_t i = 0; i < rows; i++) {
        const char *severity = text_at(r, &r->stats->severity, i);
        const char *name = text_at(r, &r->stats->name, i);
        int64_t value = column_get_int64(&r->stats->value, i);
        if (value <= 0 || column_get_row(&r->stats->trace_id, i) != trace) continue;
        if (strcmp(severity, "error") != 0 && strcmp(severity, "data_loss") != 0) continue;
        if (is_told_elsewhere(name) || is_no_loss(r, node, name, i)) continue;
        bool is_cut = strcmp(name, "perfetty_input_truncated") == 0;
        bool is_bad = strcmp(name, "perfetty_input_corrupt") == 0;
        if ((is_cut || is_bad) && node->member->loss != INPUT_WHOLE) continue;
        struct buffer text = BUFFER_INIT;
        if (is_cut)
            buffer_append_text(&text, "cut short");
        else if (is_bad)
            buffer_append_text(&text, "damaged");
        else
            buffer_printf(&text, "%s: %lld", name, (long long)value);
        append_first_log(r, &text, trace, column_get_int64(&r->stats->key, i));
        text_list_add(&node->losses, "%s", buffer_text(&text));
        buffer_free(&text);
    }
}

static void write_line(struct load *load, struct load_node *node)
{
    if (node->losses.count == 0) return;
    if (node->is_left_out && ++load->n_left_out > MEMBERS_LEFT_OUT) return;
    struct buffer line = BUFFER_INIT;
    buffer_append_text(&line, load_node_label(load, node));
    if (node->is_left_out) buffer_append_text(&line, ": left out");
    for (size_t i = 0; i < node->losses.count && i < KINDS_IN_A_LINE; i++)
        buffer_printf(&line, "%s%s", i == 0 ? ": " : "; ", node->losses.items[i]);
    if (node->losses.count > KINDS_IN_A_LINE)
        buffer_printf(&line, "; and %zu more kinds of loss: see `perfetty info`",
                      node->losses.count - KINDS_IN_A_LINE);
    text_list_add(&load->engine->warnings, "%s", buffer_text(&line));
    buffer_free(&line);
}

static void report_node(const struct report *r, struct load_node *node)
{
    if (node->row != NULL_UINT32) add_stat_losses(r, node, node->row);
    if (!node->parent) add_stat_losses(r, node, NULL_UINT32);
    write_line(r->load, node);
    for (size_t i = 0; i < node->children.count; i++)
        report_node(r, node->children.items[i]);
}

void load_write_warnings(struct load *load)
{
    struct report report = {load, &load->engine->tables->stats,
                            &load->engine->tables->trace_import_logs};
    report_node(&report, load->root);
    if (load->n_left_out > MEMBERS_LEFT_OUT)
        text_list_add(&load->engine->warnings, "%s: %zu more members were left out", load->operand,
                      load->n_left_out - MEMBERS_LEFT_OUT);
    if (cancel_is_requested(load->options->cancel))
        text_list_add(&load->engine->warnings,
                      "%s: loading was stopped; what was read until then stays", load->operand);
}

/* ---- nothing could be read ---- */

static struct load_node *first_unread(struct load_node *node)
{
    if (!input_is_container(node->member))
        return node->is_sidecar || node->is_claimed || node->member->is_hidden ? NULL : node;
    for (size_t i = 0; i < node->children.count; i++) {
        struct load_node *found = first_unread(node->children.items[i]);
        if (found) return found;
    }
    return NULL;
}

/* The innermost container that could not be listed, or not to its end. */
static struct load_node *first_lost(struct load_node *node)
{
    for (size_t i = 0; i < node->children.count; i++) {
        struct load_node *found = first_lost(node->children.items[i]);
        if (found) return found;
    }
    return node->member->loss_text ? node : NULL;
}

/* A folder that Instruments keeps its recordings in, packed by whoever sent it. */
static bool is_instruments_bundle(const struct load_node *node)
{
    static const char *const INSIDE[] = {".trace/corespace/", ".trace/instrument_data/",
                                         ".trace/Trace1.run/"};
    size_t at;
    for (size_t i = 0; i < sizeof INSIDE / sizeof *INSIDE; i++)
        if (str_find(node->member->name, str_of(INSIDE[i]), &at)) return true;
    for (size_t i = 0; i < node->children.count; i++)
        if (is_instruments_bundle(node->children.items[i])) return true;
    return false;
}

static void append_formats(struct buffer *out)
{
    for (unsigned i = 0; i < importers_count; i++)
        buffer_printf(out, "%s%s", i == 0 ? "" : ", ", importers[i]->name);
}

bool load_fail_unread(struct load *load, struct status *st)
{
    struct load_node *node = first_unread(load->root);
    const char *label = load_node_label(load, node ? node : load->root);
    if (is_instruments_bundle(load->root))
        return status_fail(st, STATUS_FORMAT, STATUS_NO_OFFSET,
                           "%s: Unknown trace type provided (ERR:fmt): a recording of Instruments, "
                           "which only Instruments reads; export a table of it with `xctrace "
                           "export`, or copy its call tree",
                           load->operand);
    if (node && node->losses.count > 0)
        return status_fail(st, STATUS_CORRUPT, STATUS_NO_OFFSET, "%s: %s", label,
                           node->losses.items[0]);
    const struct load_node *lost = node ? NULL : first_lost(load->root);
    if (lost)
        return status_fail(st, STATUS_CORRUPT, STATUS_NO_OFFSET, "%s: %s",
                           load_node_label(load, lost), lost->member->loss_text);
    if (!node)
        return status_fail(st, STATUS_FORMAT, STATUS_NO_OFFSET, "%s: there is no file in it",
                           load->operand);
    struct buffer formats = BUFFER_INIT;
    append_formats(&formats);
    if (node->member->loss_text)
        status_fail(st, STATUS_CORRUPT, STATUS_NO_OFFSET, "%s: %s, and nothing in it can be read",
                    label, node->member->loss_text);
    else
        status_fail(st, STATUS_FORMAT, STATUS_NO_OFFSET,
                    "%s: Unknown trace type provided (ERR:fmt): %s. Formats tried: %s", label,
                    unknown_reason(load, node), buffer_text(&formats));
    buffer_free(&formats);
    return false;
}
