#include "engine/import/art_method.h"

#include "engine/base/memory.h"
#include "engine/base/strpool.h"
#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/slice.h"
#include "engine/import/sorter.h"

#define MAX_NAME_BYTES 2047
#define MAX_FIELDS     6

/* In the sorter. */
struct art_event {
    uint64_t method;
    uint32_t tid;
    uint32_t action;
};

/* ---- names ---- */

void art_trace_add_thread(struct art_trace *trace, uint32_t tid, struct str name)
{
    map_set(&trace->thread_names, tid,
            strpool_intern(trace->file->import->strings, name.p ? name : (struct str){"", 0}));
}

/* A source file goes into the folder of its class, where class names are paths. */
static string_id path_of(struct art_trace *trace, struct str class, struct str file)
{
    struct strpool *strings = trace->file->import->strings;
    size_t slash = class.n;
    if (file.n == 0) return STRING_NULL;
    while (slash > 0 && class.p[slash - 1] != '/')
        slash--;
    if (slash == 0 || !str_ends(file, STR(".java"))) return strpool_intern(strings, file);
    buffer_clear(&trace->text);
    buffer_append_str(&trace->text, str_slice(class, 0, slash));
    buffer_append_str(&trace->text, file);
    return strpool_intern(strings, buffer_str(&trace->text));
}

static void add_method(struct art_trace *trace, uint64_t id, const struct str *fields, size_t n)
{
    struct strpool *strings = trace->file->import->strings;
    struct str class = fields[0], name = {"", 0}, signature = {"", 0}, file = {"", 0},
               line = {"", 0};
    if (n >= 5) {
        name = fields[1];
        signature = fields[2];
        file = fields[3];
        line = fields[4];
    } else if (n >= 3 && str_starts(fields[2], STR("("))) {
        name = fields[1];
        signature = fields[2];
        if (n > 3) file = fields[3];
    } else if (n >= 3) {
        file = fields[1];
        line = fields[2];
    }
    struct art_method method = {.path = path_of(trace, class, file)};
    if (!str_to_int64(line, &method.line) || method.line < 0) method.line = 0;
    buffer_clear(&trace->text);
    buffer_append_str(&trace->text, class);
    buffer_append_byte(&trace->text, '.');
    buffer_append_str(&trace->text, name);
    buffer_append_text(&trace->text, ": ");
    buffer_append_str(&trace->text, signature);
    method.name = strpool_intern(strings, str_slice(buffer_str(&trace->text), 0, MAX_NAME_BYTES));
    map_set(&trace->method_index, id, trace->methods.count);
    vec_push(&trace->methods, method);
}

static size_t split(struct str line, struct str fields[MAX_FIELDS])
{
    size_t n = 0;
    struct str field;
    if (str_ends(line, STR("\n"))) line.n--;
    if (str_ends(line, STR("\r"))) line.n--;
    while (n < MAX_FIELDS && str_split_next(&line, '\t', &field))
        fields[n++] = field.p ? field : (struct str){"", 0};
    return n;
}

bool art_trace_add_method(struct art_trace *trace, uint64_t id, struct str line)
{
    struct str fields[MAX_FIELDS];
    size_t n = split(line, fields);
    if (n == 0 || n == 2) return false;
    add_method(trace, id, fields, n);
    return true;
}

static bool hex_number(struct str text, uint64_t *out)
{
    struct str digits = str_starts(text, STR("0x")) ? str_slice(text, 2, text.n) : text;
    uint64_t value = 0;
    if (digits.n == 0 || digits.n > 16) return false;
    for (size_t i = 0; i < digits.n; i++) {
        char c = digits.p[i];
        unsigned digit;
        if (c >= '0' && c <= '9')
            digit = (unsigned)(c - '0');
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (unsigned)((c | 0x20) - 'a') + 10;
        else
            return false;
        value = value << 4 | digit;
    }
    *out = value;
    return true;
}

bool art_trace_add_method_line(struct art_trace *trace, struct str line)
{
    size_t tab;
    uint64_t id;
    if (!str_find_byte(line, '\t', &tab) || !hex_number(str_slice(line, 0, tab), &id)) return false;
    return art_trace_add_method(trace, id, str_slice(line, tab + 1, line.n));
}

/* ---- events ---- */

static uint32_t track_of(const struct import_file *file, uint32_t utid)
{
    struct track_key key = {.type = "art_method_tracing",
                            .event_type = TRACK_SLICE,
                            .machine_id = file->machine_id,
                            .n_dimensions = 1};
    struct track_info info = {.name = STRING_NULL};
    key.dimensions[0] = dimension_int("utid", utid);
    return track_intern(file->import->tracks, &key, &info);
}

static void enter(const struct art_trace *trace, const struct art_event *event, int64_t ts,
                  uint32_t track)
{
    struct strpool *strings = trace->file->import->strings;
    const uint64_t *index = map_get(&trace->method_index, event->method);
    const struct art_method *method = index ? &trace->methods.items[*index] : NULL;
    struct arg_list args = {0};
    if (method && method->path)
        arg_list_put_string(&args, strpool_intern_text(strings, "pathname"), method->path);
    if (method && method->line)
        arg_list_put_int(&args, strpool_intern_text(strings, "line_number"), method->line);
    slice_begin(trace->file, ts, track, STRING_NULL, method ? method->name : STRING_NULL, &args);
    vec_free(&args);
}

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct art_trace *trace = owner;
    const struct art_event *event = payload;
    uint32_t utid = thread_intern(trace->file, event->tid);
    const uint64_t *name = map_get(&trace->thread_names, event->tid);
    if (name) {
        thread_set_name_and_process(trace->file, utid, (string_id)*name, THREAD_NAME_OTHER);
        map_remove(&trace->thread_names, event->tid);
    }
    uint32_t track = track_of(trace->file, utid);
    if (event->action == ART_ENTER)
        enter(trace, event, ts, track);
    else
        slice_end(trace->file, ts, track, STRING_NULL, STRING_NULL, NULL);
}

void art_trace_add_event(struct art_trace *trace, int64_t ns, uint32_t tid, uint64_t method,
                         enum art_action action)
{
    struct import *import = trace->file->import;
    int64_t ts;
    if (clock_to_trace_time(trace->file, CLOCK_ID_MONOTONIC, 0, ns, true, &ts) != CLOCK_OK) return;
    struct art_event *event =
        sorter_push(import->sorter, trace->queue, trace->sink, ts, sizeof *event);
    *event = (struct art_event){method, tid, action};
    trace->n_events++;
}

struct art_trace *art_trace_new(struct import_file *file)
{
    struct art_trace *trace = mem_zero(1, sizeof *trace);
    trace->file = file;
    trace->damage.file = file;
    trace->queue = sorter_add_queue(file->import->sorter);
    trace->sink = sorter_add_sink(file->import->sorter, parse, trace);
    file->state = trace;
    return trace;
}

void art_trace_finish(struct import_file *file)
{
    struct art_trace *trace = file->state;
    if (!trace) return;
    map_free(&trace->method_index);
    map_free(&trace->thread_names);
    vec_free(&trace->methods);
    buffer_free(&trace->text);
    mem_free(trace);
    file->state = NULL;
}
