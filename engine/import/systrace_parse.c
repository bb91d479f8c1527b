/* Lines of ftrace text in order of time (spec engine_2b 6.6.3): threads are named from
 * each line, and some events go on to the trackers. */
#include "engine/import/systrace.h"

#include "engine/import/atrace.h"
#include "engine/import/binder.h"
#include "engine/import/probe_track.h"
#include "engine/import/process.h"
#include "engine/import/rss_stat.h"

#define MAX_CPUS 1024

struct systrace {
    const struct import_file *file;
    struct text_events events;
    struct atrace *atrace;
    struct binder *binder; /* made at first need */
};

/* ---- arguments ---- */

struct str systrace_arg(const struct systrace_event *event, const char *key)
{
    struct str rest = event->args, word;
    size_t equal;
    while (str_split_next(&rest, ' ', &word)) {
        if (!str_find_byte(word, '=', &equal)) {
            if (word.n > 0 && strcmp(key, "name") == 0) return word;
            continue;
        }
        if (!str_is(str_slice(word, 0, equal), key)) continue;
        while (str_find_byte(word, '=', &equal))
            word = str_slice(word, equal + 1, word.n);
        return word;
    }
    return STR_NONE;
}

struct str systrace_arg_comm(const struct systrace_event *event, const char *key, const char *next)
{
    char needle[32];
    size_t end;
    struct str word = systrace_arg(event, key);
    if (!word.p) return word;
    struct str rest = {word.p, event->args.n - (size_t)(word.p - event->args.p)};
    probe_format(needle, sizeof needle, " %s=", next);
    return str_find(rest, str_of(needle), &end) ? str_slice(rest, 0, end) : word;
}

bool systrace_arg_uint32(const struct systrace_event *event, const char *key, uint32_t *out)
{
    uint64_t value;
    if (!str_to_uint64(systrace_arg(event, key), &value) || value > UINT32_MAX) return false;
    *out = (uint32_t)value;
    return true;
}

bool systrace_arg_int32(const struct systrace_event *event, const char *key, int32_t *out)
{
    int64_t value;
    if (!str_to_int64(systrace_arg(event, key), &value) || value < INT32_MIN || value > INT32_MAX)
        return false;
    *out = (int32_t)value;
    return true;
}

/* ---- events of one kind each ---- */

static void on_mark(const struct systrace_event *event)
{
    atrace_push_text(event->systrace->atrace, event->ts, event->tid, event->args);
}

static void count_of_cpu(const struct systrace_event *event, const char *type, uint32_t cpu,
                         const char *name, double value)
{
    if (cpu >= MAX_CPUS) return;
    uint32_t track =
        track_counter_of_cpu(event->import->tracks, event->file->machine_id, type, cpu, name, NULL);
    counter_push(event->file, event->ts, track, value, NULL);
}

static void on_cpu_state(const struct systrace_event *event, const char *type, const char *name)
{
    uint32_t cpu;
    double value;
    if (systrace_arg_uint32(event, "cpu_id", &cpu) &&
        str_to_double(systrace_arg(event, "state"), &value))
        count_of_cpu(event, type, cpu, name, value);
}

static void on_cpu_frequency(const struct systrace_event *event)
{
    on_cpu_state(event, "cpu_frequency", "cpufreq");
}

static void on_cpu_idle(const struct systrace_event *event)
{
    on_cpu_state(event, "cpu_idle", "cpuidle");
}

static void on_cpu_limits(const struct systrace_event *event)
{
    uint32_t cpu, least, most;
    char name[64];
    if (!systrace_arg_uint32(event, "cpu_id", &cpu)) return;
    if (!systrace_arg_uint32(event, "min", &least) &&
        !systrace_arg_uint32(event, "min_freq", &least))
        return;
    if (!systrace_arg_uint32(event, "max", &most) && !systrace_arg_uint32(event, "max_freq", &most))
        return;
    probe_format(name, sizeof name, "Cpu %u Max Freq Limit", (unsigned)cpu);
    count_of_cpu(event, "cpu_max_frequency_limit", cpu, name, most);
    probe_format(name, sizeof name, "Cpu %u Min Freq Limit", (unsigned)cpu);
    count_of_cpu(event, "cpu_min_frequency_limit", cpu, name, least);
}

static void count_of_device(const struct systrace_event *event, const char *type,
                            const char *dimension, struct str device, const char *suffix,
                            double value)
{
    char name[256];
    struct track_key key = probe_key(event->file, type, TRACK_COUNTER);
    probe_format(name, sizeof name, "%.*s %s", STR_ARG(device), suffix);
    probe_dimension_text(event->file, &key, dimension, device);
    probe_count(event->file, event->ts, &key, name, NULL, value);
}

static void on_clock(const struct systrace_event *event)
{
    uint32_t state;
    if (systrace_arg_uint32(event, "state", &state))
        count_of_device(event, "clock_state", "linux_device", systrace_arg(event, "name"), "State",
                        state);
}

static void on_clock_rate(const struct systrace_event *event)
{
    uint32_t rate;
    if (systrace_arg_uint32(event, "state", &rate))
        count_of_device(event, "clock_frequency", "linux_device", systrace_arg(event, "name"),
                        "Frequency", rate);
}

static void on_temperature(const struct systrace_event *event)
{
    int32_t temperature;
    if (systrace_arg_int32(event, "temp", &temperature))
        count_of_device(event, "thermal_temperature", "thermal_zone",
                        systrace_arg(event, "thermal_zone"), "Temperature", temperature);
}

static void on_cooling(const struct systrace_event *event)
{
    double target;
    if (str_to_double(systrace_arg(event, "target"), &target))
        count_of_device(event, "cooling_device_counter", "linux_device",
                        systrace_arg(event, "type"), "Cooling Device", target);
}

static uint32_t thread_track(const struct systrace_event *event)
{
    return track_of_thread(event->import->tracks, event->file->machine_id, event->utid);
}

static void on_work_start(const struct systrace_event *event)
{
    static const char BEFORE[] = "function ";
    struct strpool *strings = event->import->strings;
    size_t at;
    if (!str_find(event->args, STR(BEFORE), &at)) return;
    struct str function = str_slice(event->args, at + sizeof BEFORE - 1, event->args.n);
    slice_begin(event->file, event->ts, thread_track(event),
                strpool_intern_text(strings, "workqueue"), strpool_intern(strings, function), NULL);
}

static void on_work_end(const struct systrace_event *event)
{
    slice_end(event->file, event->ts, thread_track(event),
              strpool_intern_text(event->import->strings, "workqueue"), STRING_NULL, NULL);
}

/* Whose address space mm_id names is not told by the text as we read it: the memory
 * counts for the thread that wrote the line. */
static void on_rss(const struct systrace_event *event)
{
    int64_t size;
    uint32_t member;
    if (str_to_int64(systrace_arg(event, "size"), &size) &&
        systrace_arg_uint32(event, "member", &member) &&
        rss_stat_is_good(event->file, member, size))
        rss_stat_push(event->file, event->ts, event->utid, member, size);
}

/* ---- dispatch ---- */

static const struct {
    const char *name;
    systrace_handler handler;
} handlers[] = {
    {"sched_switch", systrace_on_switch},
    {"tracing_mark_write", on_mark},
    {"0", on_mark},
    {"print", on_mark},
    {"sched_waking", systrace_on_waking},
    {"sched_blocked_reason", systrace_on_blocked_reason},
    {"cpu_frequency", on_cpu_frequency},
    {"cpu_frequency_limits", on_cpu_limits},
    {"cpu_idle", on_cpu_idle},
    {"binder_transaction", systrace_on_transaction},
    {"binder_transaction_received", systrace_on_received},
    {"binder_transaction_alloc_buf", systrace_on_alloc},
    {"binder_return", systrace_on_return},
    {"binder_lock", systrace_on_lock},
    {"binder_locked", systrace_on_locked},
    {"binder_unlock", systrace_on_unlock},
    {"clock_set_rate", on_clock_rate},
    {"clock_enable", on_clock},
    {"clock_disable", on_clock},
    {"workqueue_execute_start", on_work_start},
    {"workqueue_execute_end", on_work_end},
    {"thermal_temperature", on_temperature},
    {"cdev_update", on_cooling},
    {"rss_stat", on_rss},
};

/* The thread of a line gets its name, and its process when that is told. */
static uint32_t thread_of(const struct import_file *file, const struct systrace_line *line)
{
    uint32_t utid = thread_intern(file, line->pid);
    if (!str_is(line->task, "<...>") && line->task.n > 0)
        thread_set_name(file, utid, strpool_intern(file->import->strings, line->task),
                        THREAD_NAME_FTRACE);
    if (line->tgid >= 0) thread_intern_in(file, line->pid, line->tgid);
    return utid;
}

static void parse(void *owner, int64_t ts, const void *payload)
{
    struct systrace *s = owner;
    const struct text_event *pending = payload;
    struct systrace_line line;
    if (!systrace_line_read(pending->text, &line)) return;
    struct systrace_event event = {
        .systrace = s,
        .file = s->file,
        .import = s->file->import,
        .ts = ts,
        .tid = line.pid,
        .utid = thread_of(s->file, &line),
        .cpu = line.cpu,
        .args = line.args,
    };
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
        if (str_is(line.event, handlers[i].name)) {
            handlers[i].handler(&event);
            return;
        }
}

/* ---- the events of a file ---- */

struct systrace *systrace_new(const struct import_file *file)
{
    struct systrace *s = mem_zero(1, sizeof *s);
    s->file = file;
    s->atrace = atrace_new(file);
    text_events_open(&s->events, file, parse, s);
    return s;
}

void systrace_free(struct systrace *s)
{
    if (!s) return;
    text_events_close(&s->events);
    atrace_free(s->atrace);
    binder_free(s->binder);
    mem_free(s);
}

struct str systrace_text(struct systrace *s, struct str bytes)
{
    return text_events_text(&s->events, bytes);
}

bool systrace_push_line(struct systrace *s, struct str text)
{
    struct systrace_line line;
    if (!systrace_line_read(text, &line)) return false;
    text_events_push(&s->events, line.ts, (struct text_event){text, 0});
    return true;
}

uint64_t systrace_events(const struct systrace *s)
{
    return s->events.n_pushed;
}

struct binder *systrace_binder(struct systrace *s)
{
    if (!s->binder) s->binder = binder_new(s->file);
    return s->binder;
}
