/* One kernel event in order of time: its raw row with args, then its handler
 * (spec engine_2 2.3). */
#include "engine/import/ftrace.h"

#include "engine/base/strpool.h"
#include "engine/import/ftrace_generic.h"
#include "engine/import/ftrace_log.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"

enum event_field {
    EVENT_TIMESTAMP = 1,
    EVENT_TID = 2,
    EVENT_COMMON_FLAGS = 5,
    EVENT_SCHED_SWITCH = 4,
    EVENT_GENERIC = 327,
};

#define INTERNED_KERNEL_SYMBOLS 26

static bool find_metadata(const struct ftrace *ftrace, const char *name, int64_t *value)
{
    struct metadata_table *metadata = &ftrace->import->tables->metadata;
    string_id id = strpool_find(ftrace->import->strings, str_of(name));
    if (id == STRING_NULL) return false;
    bool found = false;
    for (uint32_t row = 0; row < table_rows(&metadata->table); row++) {
        if (column_get_string(&metadata->name, row) != id) continue;
        if (!column_is_null(&metadata->machine_id, row) &&
            column_get_row(&metadata->machine_id, row) != ftrace->file->machine_id)
            continue;
        if (!column_is_null(&metadata->trace_id, row) &&
            column_get_row(&metadata->trace_id, row) != ftrace->file->file_id)
            continue;
        *value = column_get_int64(&metadata->int_value, row);
        found = true;
    }
    return found;
}

static void learn_limits(struct ftrace *ftrace)
{
    ftrace->limits_known = true;
    ftrace->drop_before = INT64_MIN;
    ftrace->parse_after = ftrace->latest_start;
    if (!ftrace->keep_before_start)
        find_metadata(ftrace, "tracing_started_ns", &ftrace->drop_before);
}

enum ftrace_stage ftrace_stage_of(struct ftrace *ftrace, int64_t ts)
{
    if (!ftrace->limits_known) learn_limits(ftrace);
    if (ts < ftrace->drop_before) {
        stats_add(ftrace->file, STAT_ftrace_packet_before_tracing_start, 1);
        return FTRACE_DROP;
    }
    return ts < ftrace->parse_after ? FTRACE_RAW_ONLY : FTRACE_PARSE;
}

uint32_t ftrace_ucpu(struct ftrace_cpu *cpu)
{
    if (cpu->ucpu == NULL_UINT32) cpu->ucpu = cpu_intern(cpu->ftrace->file, cpu->cpu);
    return cpu->ucpu;
}

string_id ftrace_symbol(const struct ftrace_event *event, uint64_t iid)
{
    if (!event->context->generation) return STRING_NULL;
    return packet_interned_string(event->context, INTERNED_KERNEL_SYMBOLS, iid);
}

/* Symbols mean another function in another sequence, so such args are made at once. */
static void put_args_with_symbols(const struct ftrace_event *event,
                                  const struct ftrace_schema *schema)
{
    struct arg_list *args = &event->ftrace->args;
    ftrace_schema_put_args(schema, event->body, event->import->strings, args);
    for (size_t i = 0; i < args->count; i++) {
        struct arg *arg = &args->items[i];
        if (!ftrace_schema_is_symbol(schema, arg->key)) continue;
        string_id symbol = ftrace_symbol(event, (uint64_t)arg->value.integer);
        if (symbol == STRING_NULL) continue;
        arg->type = ARG_STRING;
        arg->value.string = symbol;
    }
}

void ftrace_write_raw(const struct ftrace_event *event, string_id name)
{
    struct ftrace_event_row row = {
        .ts = event->ts,
        .name = name,
        .utid = event->utid,
        .arg_set_id = opt_row(args_commit(event->import->args, &event->ftrace->args)),
        .common_flags = event->common_flags,
        .ucpu = ftrace_ucpu(event->cpu),
    };
    ftrace_log_put_row(event->ftrace->log, &row);
}

static void write_known(const struct ftrace_event *event, const struct ftrace_schema *schema)
{
    if (schema->has_symbols) {
        put_args_with_symbols(event, schema);
        ftrace_write_raw(event, schema->name);
        return;
    }
    struct ftrace_log_event e = {event->id, event->utid, event->common_flags, event->body};
    ftrace_log_put_event(event->ftrace->log, event->ts, ftrace_ucpu(event->cpu), &e);
}

/* Hypervisor events are of no thread. */
static bool is_hypervisor(uint32_t id)
{
    return (id >= 476 && id <= 480) || (id >= 578 && id <= 590);
}

static void parse_event(const struct ftrace_event *event, enum ftrace_stage stage)
{
    const struct ftrace_schema *schema;
    if (event->id >= FTRACE_GENERIC_BASE) {
        ftrace_generic_event(event, stage == FTRACE_PARSE);
        return;
    }
    if (event->id == EVENT_GENERIC) {
        ftrace_generic_field_event(event);
    } else if (event->id == EVENT_SCHED_SWITCH) {
        ftrace_parse_switch(event, stage); /* writes its own row */
        return;
    } else if ((schema = ftrace_schema_of(&event->ftrace->log->schemas, event->import->strings,
                                          event->id))) {
        write_known(event, schema);
    } else {
        stats_add_indexed(event->file, STAT_perfetty_unread_ftrace_events, event->id, 1);
        return;
    }
    if (stage != FTRACE_PARSE) return;
    ftrace_handler handler = ftrace_handler_of(event->id);
    if (handler) handler(event);
}

void ftrace_sink_event(void *owner, int64_t ts, const void *bytes)
{
    struct ftrace_cpu *cpu = owner;
    struct ftrace *ftrace = cpu->ftrace;
    const struct ftrace_payload *payload = bytes;
    enum ftrace_stage stage = ftrace_stage_of(ftrace, ts);
    if (stage == FTRACE_DROP) return;
    struct ftrace_event event = {
        .ftrace = ftrace,
        .cpu = cpu,
        .file = ftrace->file,
        .import = ftrace->import,
        .context = &ftrace->contexts.items[payload->context],
        .ts = ts,
        .utid = NULL_UINT32,
    };
    bool has_tid = false, has_event = false;
    struct wire w = wire_open((struct str){payload->bytes, payload->length});
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == EVENT_TID) {
            event.tid = (int32_t)f.value;
            has_tid = true;
        } else if (f.number == EVENT_COMMON_FLAGS) {
            event.common_flags = (uint32_t)f.value;
        } else if (f.number != EVENT_TIMESTAMP && f.type == WIRE_BYTES) {
            event.id = f.number;
            event.body = f.bytes;
            has_event = true;
        }
    }
    if (!has_event) {
        if (!w.bad) stats_add(ftrace->file, STAT_ftrace_missing_event_id, 1);
        return;
    }
    if (!has_tid && !is_hypervisor(event.id)) {
        stats_add(ftrace->file, STAT_ftrace_bundle_tokenizer_errors, 1);
        return;
    }
    event.utid = thread_intern(ftrace->file, event.tid);
    parse_event(&event, stage);
}
