#include "commands/info.h"

#include "engine/import/args.h"

static struct str text_at(const struct tables *t, const struct column *c, uint32_t row)
{
    return strpool_get(t->strings, column_get_string(c, row));
}

static void append_args(const struct tables *t, uint32_t set, struct buffer *out)
{
    struct arg_list args = {0};
    args_read(t, set, &args);
    for (size_t i = 0; i < args.count; i++) {
        const struct arg *arg = &args.items[i];
        const char *key = strpool_text(t->strings, arg->key);
        bool is_sentence = str_is(str_of(key), "reason") || str_is(str_of(key), "error");
        if (out->length) buffer_append_text(out, ", ");
        if (!is_sentence) buffer_printf(out, "%s ", key);
        switch (arg->type) {
        case ARG_STRING:
        case ARG_JSON:
            buffer_append_str(out, str_slice(strpool_get(t->strings, arg->value.string), 0, 200));
            break;
        case ARG_REAL: buffer_printf(out, "%g", arg->value.real); break;
        case ARG_BOOL: buffer_append_text(out, arg->value.integer ? "true" : "false"); break;
        case ARG_NULL: buffer_append_text(out, "nothing"); break;
        default: buffer_printf(out, "%lld", (long long)arg->value.integer); break;
        }
    }
    vec_free(&args);
}

/* Where the first one is, from the import log. */
static const char *first_place(struct info *info, const struct tables *t,
                               const struct info_loss *loss)
{
    const struct trace_import_logs_table *logs = &t->trace_import_logs;
    for (uint32_t i = 0; i < table_rows(&logs->table); i++) {
        if (column_get_int64(&logs->stat_key, i) != loss->key) continue;
        if (loss->file_id != NULL_UINT32 && column_get_row(&logs->trace_id, i) != loss->file_id)
            continue;
        struct buffer text = BUFFER_INIT;
        if (!column_is_null(&logs->byte_offset, i))
            buffer_printf(&text, "at byte %lld",
                          (long long)column_get_int64(&logs->byte_offset, i));
        else if (!column_is_null(&logs->ts, i))
            buffer_printf(&text, "at %.9f s",
                          ((double)column_get_int64(&logs->ts, i) - (double)info->start) / 1e9);
        uint32_t set = column_get_row(&logs->arg_set_id, i);
        if (set != NULL_UINT32) append_args(t, set, &text);
        const char *place = text.length ? arena_copy(&info->arena, text.data, text.length) : NULL;
        buffer_free(&text);
        return place;
    }
    return NULL;
}

static bool classify(struct info_loss *loss)
{
    if (loss->value <= 0) return false;
    if (str_is(loss->severity, "error") || str_is(loss->severity, "data_loss"))
        loss->class = INFO_LOST;
    else if (str_is(loss->severity, "notice"))
        loss->class = INFO_NOTICE;
    else if (str_starts(loss->name, STR("perfetty_unread_")))
        loss->class = INFO_NOT_READ;
    else
        return false;
    return true;
}

void info_add_losses(struct info *info, struct tables *t)
{
    const struct stats_table *s = &t->stats;
    for (uint32_t i = 0; i < table_rows(&s->table); i++) {
        struct info_loss loss = {
            .name = text_at(t, &s->name, i),
            .severity = text_at(t, &s->severity, i),
            .source = text_at(t, &s->source, i),
            .description = text_at(t, &s->description, i),
            .key = column_get_int64(&s->key, i),
            .value = column_get_int64(&s->value, i),
            .has_index = !column_is_null(&s->idx, i),
            .index = column_get_int64(&s->idx, i),
            .machine_id = column_get_row(&s->machine_id, i),
            .file_id = column_get_row(&s->trace_id, i),
        };
        if (!classify(&loss)) continue;
        loss.advice = info_advice_for(loss.name, loss.severity, loss.source);
        loss.first = first_place(info, t, &loss);
        vec_push(&info->losses, loss);
    }
}
