/* The importer of Fuchsia traces: walks the records and numbers them out; see
 * fuchsia.h. */
#include "engine/import/fuchsia.h"

#include "engine/base/checked.h"
#include "engine/base/memory.h"
#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/sorter.h"

#define MAGIC      STR("\x10\x00\x04\x46\x78\x54\x16\x00")
#define POLL_EVERY 65536
#define MAX_BLOB   ((size_t)1 << 30)

extern const struct importer importer_proto;

enum record {
    RECORD_METADATA,
    RECORD_INITIALIZATION,
    RECORD_STRING,
    RECORD_THREAD,
    RECORD_EVENT,
    RECORD_BLOB,
    RECORD_USERSPACE_OBJECT,
    RECORD_KERNEL_OBJECT,
    RECORD_SCHEDULING,
    RECORD_LARGE = 15,
};

/* One record, from its header on. */
struct reading {
    struct fuchsia *f;
    struct str bytes;
    size_t record; /* its offset in the file */
    size_t at;
    bool is_bad;
};

static uint64_t bits(uint64_t word, unsigned low, unsigned high)
{
    return word >> low & (UINT64_MAX >> (63 - (high - low)));
}

static uint64_t word_at(struct str bytes, size_t at)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)(uint8_t)bytes.p[at + i] << (8 * i);
    return word;
}

static void bad(struct reading *r, enum stat stat, const char *error)
{
    if (!r->is_bad) damage_log(&r->f->damage, stat, r->record, error);
    r->is_bad = true;
}

static uint64_t take_word(struct reading *r)
{
    if (r->is_bad) return 0;
    if (r->bytes.n - r->at < 8) {
        bad(r, STAT_fuchsia_record_read_error, "a record that is too short");
        return 0;
    }
    uint64_t word = word_at(r->bytes, r->at);
    r->at += 8;
    return word;
}

/* Bytes that fill whole words. */
static struct str take_bytes(struct reading *r, size_t n)
{
    size_t padded = (n + 7) & ~(size_t)7;
    if (r->is_bad) return (struct str){"", 0};
    if (r->bytes.n - r->at < padded) {
        bad(r, STAT_fuchsia_record_read_error, "a record that is too short for its text");
        return (struct str){"", 0};
    }
    struct str out = str_slice(r->bytes, r->at, r->at + n);
    r->at += padded;
    return out;
}

/* ---- what records refer to ---- */

static string_id take_string(struct reading *r, uint64_t reference)
{
    struct strpool *strings = r->f->import->strings;
    if (reference == 0) return strpool_intern_text(strings, "");
    if (reference & 0x8000) return strpool_intern(strings, take_bytes(r, reference & 0x7FFF));
    const uint64_t *id = map_get(&r->f->provider->strings, reference);
    if (id) return (string_id)*id;
    bad(r, STAT_fuchsia_invalid_string_ref, "a string that was never told");
    return STRING_NULL;
}

static struct fuchsia_thread take_thread(struct reading *r, uint64_t reference)
{
    struct fuchsia_thread thread = {0, 0};
    if (reference == 0) {
        thread.pid = (uint32_t)take_word(r);
        thread.tid = (uint32_t)take_word(r);
        return thread;
    }
    const uint64_t *index = map_get(&r->f->provider->threads, reference);
    if (index) return r->f->provider->thread_list.items[*index];
    bad(r, STAT_fuchsia_invalid_event, "a thread that was never told");
    return thread;
}

static bool to_ns(const struct fuchsia *f, uint64_t ticks, int64_t *ns)
{
    uint64_t rate = f->provider->ticks_per_second;
    if (rate == 0 || ticks > INT64_MAX) return false;
    uint64_t seconds = ticks / rate, rest = ticks % rate;
    int64_t whole;
    if (seconds > INT64_MAX || !checked_mul_int64((int64_t)seconds, 1000000000, &whole))
        return false;
    uint64_t part =
        rest <= UINT64_MAX / 1000000000 ? rest * 1000000000 / rate : rest / (rate / 1000000000);
    return checked_add_int64(whole, (int64_t)part, ns);
}

static int64_t take_time(struct reading *r)
{
    int64_t ns = 0, ts = 0;
    uint64_t ticks = take_word(r);
    if (r->is_bad) return 0;
    if (!to_ns(r->f, ticks, &ns)) {
        bad(r, STAT_fuchsia_timestamp_overflow, "a time that is out of range");
        return 0;
    }
    if (clock_to_trace_time(r->f->file, CLOCK_ID_BOOTTIME, 0, ns, true, &ts) != CLOCK_OK)
        r->is_bad = true;
    return ts;
}

/* ---- args ---- */

static struct fuchsia_arg take_arg(struct reading *r)
{
    struct fuchsia_arg arg = {0};
    size_t start = r->at;
    uint64_t header = take_word(r), n_words = bits(header, 4, 15);
    arg.type = (uint8_t)bits(header, 0, 3);
    arg.name = take_string(r, bits(header, 16, 31));
    switch (arg.type) {
    case FUCHSIA_ARG_INT32: arg.value.number = (uint64_t)(int64_t)(int32_t)(header >> 32); break;
    case FUCHSIA_ARG_UINT32: arg.value.number = header >> 32; break;
    case FUCHSIA_ARG_BOOL: arg.value.number = header >> 32 & 1; break;
    case FUCHSIA_ARG_INT64:
    case FUCHSIA_ARG_UINT64:
    case FUCHSIA_ARG_POINTER:
    case FUCHSIA_ARG_KOID: arg.value.number = take_word(r); break;
    case FUCHSIA_ARG_DOUBLE: {
        uint64_t raw = take_word(r);
        memcpy(&arg.value.real, &raw, sizeof raw);
        break;
    }
    case FUCHSIA_ARG_STRING: arg.value.string = take_string(r, bits(header, 32, 47)); break;
    default:
        if (arg.type >= FUCHSIA_ARG_TYPES)
            damage_log(&r->f->damage, STAT_fuchsia_unknown_event_arg, r->record + start,
                       "an argument of an unknown type");
        break;
    }
    if (r->is_bad) return arg;
    size_t end = start + (size_t)n_words * 8;
    if (n_words == 0 || end < r->at || end > r->bytes.n)
        bad(r, STAT_fuchsia_record_read_error, "an argument of a wrong size");
    else
        r->at = end;
    return arg;
}

/* ---- records that tell names ---- */

static struct fuchsia_provider *provider_of(struct fuchsia *f, uint32_t id)
{
    const uint64_t *index = map_get(&f->provider_index, id);
    return index ? f->providers.items[*index] : NULL;
}

static struct fuchsia_provider *add_provider(struct fuchsia *f, uint32_t id)
{
    struct fuchsia_provider *provider = provider_of(f, id);
    if (!provider) {
        provider = mem_zero(1, sizeof *provider);
        provider->id = id;
        map_set(&f->provider_index, id, f->providers.count);
        vec_push(&f->providers, provider);
    }
    map_clear(&provider->strings);
    map_clear(&provider->threads);
    vec_clear(&provider->thread_list);
    provider->ticks_per_second = 1000000000;
    return provider;
}

static void read_metadata(struct fuchsia *f, uint64_t header)
{
    enum { PROVIDER_INFO = 1, PROVIDER_SECTION = 2 };
    uint64_t type = bits(header, 16, 19);
    uint32_t id = (uint32_t)bits(header, 20, 51);
    if (type == PROVIDER_INFO) f->provider = add_provider(f, id);
    if (type == PROVIDER_SECTION) f->provider = provider_of(f, id);
}

static void read_string(struct reading *r, uint64_t header)
{
    uint64_t index = bits(header, 16, 30);
    struct str text = take_bytes(r, (size_t)bits(header, 32, 46));
    if (index && !r->is_bad)
        map_set(&r->f->provider->strings, index, strpool_intern(r->f->import->strings, text));
}

static void read_thread(struct reading *r, uint64_t header)
{
    uint64_t index = bits(header, 16, 23);
    struct fuchsia_provider *provider = r->f->provider;
    struct fuchsia_thread thread = {(uint32_t)take_word(r), 0};
    thread.tid = (uint32_t)take_word(r);
    if (!index || r->is_bad) return;
    map_set(&provider->threads, index, provider->thread_list.count);
    vec_push(&provider->thread_list, thread);
}

static void read_kernel_object(struct reading *r, uint64_t header)
{
    enum { PROCESS = 1, THREAD = 2 };
    struct fuchsia *f = r->f;
    uint64_t type = bits(header, 16, 23), n_args = bits(header, 40, 43);
    uint32_t koid = (uint32_t)take_word(r), pid = 0;
    string_id name = take_string(r, bits(header, 24, 39)),
              process = strpool_intern_text(f->import->strings, "process");
    bool has_pid = false;
    for (uint64_t i = 0; i < n_args && !r->is_bad; i++) {
        struct fuchsia_arg arg = take_arg(r);
        if (r->is_bad || arg.name != process) continue;
        if (arg.type != FUCHSIA_ARG_KOID) {
            bad(r, STAT_fuchsia_invalid_event_arg_type, "the process of a thread is no koid");
            continue;
        }
        pid = (uint32_t)arg.value.number;
        has_pid = true;
    }
    if (r->is_bad) return;
    if (type == PROCESS)
        process_set_name(f->file, process_intern(f->file, koid), name, PROCESS_NAME_OTHER);
    if (type == THREAD) {
        uint32_t utid =
            has_pid ? thread_intern_in(f->file, koid, pid) : thread_intern(f->file, koid);
        thread_set_name(f->file, utid, name, THREAD_NAME_CONSTANT);
    }
}

/* ---- events ---- */

static void push(struct fuchsia *f, int64_t ts, const struct fuchsia_event *event)
{
    struct fuchsia_event *pending =
        sorter_push(f->import->sorter, f->queue, f->sink, ts, sizeof *pending);
    *pending = *event;
}

static void read_event(struct reading *r, uint64_t header)
{
    struct fuchsia *f = r->f;
    struct fuchsia_event event = {.kind = (uint8_t)bits(header, 16, 19),
                                  .first_arg = (uint32_t)f->args.count};
    uint64_t n_args = bits(header, 20, 23);
    if (event.kind > FUCHSIA_FLOW_END) return;
    int64_t ts = take_time(r);
    event.thread = take_thread(r, bits(header, 24, 31));
    event.category = take_string(r, bits(header, 32, 47));
    event.name = take_string(r, bits(header, 48, 63));
    for (uint64_t i = 0; i < n_args && !r->is_bad; i++) {
        struct fuchsia_arg arg = take_arg(r);
        if (!r->is_bad) vec_push(&f->args, arg);
    }
    event.n_args = (uint32_t)f->args.count - event.first_arg;
    if (event.kind == FUCHSIA_COMPLETE)
        event.more.end = take_time(r);
    else if (event.kind == FUCHSIA_COUNTER || event.kind >= FUCHSIA_ASYNC_BEGIN)
        event.more.id = take_word(r);
    if (!r->is_bad) push(f, ts, &event);
}

static void read_legacy_switch(struct reading *r, uint64_t header)
{
    struct fuchsia_event event = {.kind = FUCHSIA_SWITCH};
    struct fuchsia_switch *s = &event.more.on_cpu;
    int64_t ts = take_time(r);
    *s = (struct fuchsia_switch){.cpu = (uint32_t)bits(header, 16, 23),
                                 .out_state = (uint8_t)bits(header, 24, 27),
                                 .priority = (int32_t)bits(header, 52, 59)};
    event.thread = take_thread(r, bits(header, 28, 35));
    s->next = take_thread(r, bits(header, 36, 43));
    s->out_is_idle = event.thread.pid == 0 && bits(header, 44, 51) == 0;
    s->in_is_idle = s->next.pid == 0 && s->priority == 0;
    if (!r->is_bad) push(r->f, ts, &event);
}

static bool is_weight(struct reading *r, const struct fuchsia_arg *arg, const char *name,
                      int32_t *weight)
{
    if (arg->name != strpool_intern_text(r->f->import->strings, name)) return false;
    if (arg->type != FUCHSIA_ARG_INT32) {
        bad(r, STAT_fuchsia_invalid_event_arg_type, "a weight of a wrong type");
        return false;
    }
    *weight = (int32_t)(int64_t)arg->value.number;
    return true;
}

static void read_switch(struct reading *r, uint64_t header)
{
    struct fuchsia_event event = {.kind = FUCHSIA_SWITCH};
    struct fuchsia_switch *s = &event.more.on_cpu;
    int32_t out_weight = 0, in_weight = 0;
    int64_t ts = take_time(r);
    event.thread.tid = (uint32_t)take_word(r);
    uint32_t next = (uint32_t)take_word(r);
    for (uint64_t i = bits(header, 16, 19); i > 0 && !r->is_bad; i--) {
        struct fuchsia_arg arg = take_arg(r);
        if (r->is_bad || is_weight(r, &arg, "incoming_weight", &in_weight)) continue;
        is_weight(r, &arg, "outgoing_weight", &out_weight);
    }
    *s = (struct fuchsia_switch){.next = {0, next},
                                 .cpu = (uint32_t)bits(header, 20, 35),
                                 .out_state = (uint8_t)bits(header, 36, 39),
                                 .out_is_idle = out_weight == INT32_MIN,
                                 .in_is_idle = in_weight == INT32_MIN,
                                 .priority = in_weight};
    if (!r->is_bad) push(r->f, ts, &event);
}

static void read_wakeup(struct reading *r, uint64_t header)
{
    struct fuchsia_event event = {.kind = FUCHSIA_WAKEUP};
    string_id waker = strpool_intern_text(r->f->import->strings, "waker");
    int64_t ts = take_time(r);
    event.thread.tid = (uint32_t)take_word(r);
    event.more.on_cpu = (struct fuchsia_switch){.cpu = (uint32_t)bits(header, 20, 35)};
    for (uint64_t i = bits(header, 16, 19); i > 0 && !r->is_bad; i--) {
        struct fuchsia_arg arg = take_arg(r);
        if (r->is_bad || arg.name != waker) continue;
        if (arg.type != FUCHSIA_ARG_KOID)
            bad(r, STAT_fuchsia_invalid_event_arg_type, "a waker that is no koid");
        else
            event.more.on_cpu.next.tid = (uint32_t)arg.value.number;
    }
    if (!r->is_bad) push(r->f, ts, &event);
}

static void read_scheduling(struct reading *r, uint64_t header)
{
    switch (bits(header, 60, 63)) {
    case 0: read_legacy_switch(r, header); break;
    case 1: read_switch(r, header); break;
    case 2: read_wakeup(r, header); break;
    default: break;
    }
}

/* Parts of a Perfetto trace. */
static void read_blob(struct reading *r, uint64_t header)
{
    enum { PERFETTO = 3 };
    struct buffer *blob = &r->f->blob;
    if (bits(header, 48, 55) != PERFETTO) return;
    take_string(r, bits(header, 16, 31));
    struct str payload = take_bytes(r, (size_t)bits(header, 32, 46));
    blob->largest = MAX_BLOB;
    if (!r->is_bad) buffer_append_str(blob, payload);
}

/* ---- the file ---- */

static void read_record(struct reading *r, uint64_t header)
{
    uint64_t type = bits(header, 0, 3);
    if (type == RECORD_METADATA) {
        read_metadata(r->f, header);
        return;
    }
    if (!r->f->provider) {
        bad(r, STAT_fuchsia_invalid_event, "a record of a provider that was never told");
        return;
    }
    switch (type) {
    case RECORD_INITIALIZATION: {
        uint64_t rate = take_word(r);
        if (!r->is_bad) r->f->provider->ticks_per_second = rate;
        break;
    }
    case RECORD_STRING: read_string(r, header); break;
    case RECORD_THREAD: read_thread(r, header); break;
    case RECORD_EVENT: read_event(r, header); break;
    case RECORD_BLOB: read_blob(r, header); break;
    case RECORD_KERNEL_OBJECT: read_kernel_object(r, header); break;
    case RECORD_SCHEDULING: read_scheduling(r, header); break;
    default: break;
    }
}

static bool sniff(struct str bytes)
{
    return str_starts(bytes, MAGIC);
}

static void read_records(struct fuchsia *f, struct str bytes)
{
    size_t at = 0, reported = 0;
    for (uint64_t n = 1; bytes.n - at >= 8; n++) {
        uint64_t header = word_at(bytes, at);
        size_t size = (size_t)(bits(header, 0, 3) == RECORD_LARGE ? bits(header, 4, 35)
                                                                  : bits(header, 4, 15)) *
                      8;
        if (size == 0) {
            damage_log(&f->damage, STAT_perfetty_input_corrupt, at,
                       "Unexpected record of size 0: nothing can be read after it");
            return;
        }
        if (size > bytes.n - at) break;
        struct reading r = {
            .f = f, .bytes = str_slice(bytes, at, at + size), .record = at, .at = 8};
        read_record(&r, header);
        at += size;
        if (n % POLL_EVERY) continue;
        import_progress(f->import, at - reported);
        reported = at;
        if (cancel_is_requested(f->import->cancel)) return;
    }
    if (at < bytes.n)
        damage_log(&f->damage, STAT_perfetty_input_truncated, at, "the file ends inside a record");
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct fuchsia *f = mem_zero(1, sizeof *f);
    f->file = file;
    f->import = file->import;
    f->damage.file = file;
    f->queue = sorter_add_queue(file->import->sorter);
    f->sink = sorter_add_sink(file->import->sorter, fuchsia_parse_event, f);
    f->provider = add_provider(f, 0);
    file->state = f;
    read_records(f, bytes);
    if (f->blob.length == 0) return true;
    f->nested = *file;
    f->nested.importer = &importer_proto;
    f->nested.state = NULL;
    f->has_nested = true;
    /* What is wrong with it is told in stats; the rest of the file is fine. */
    if (!importer_proto.tokenize(&f->nested, buffer_str(&f->blob), NULL))
        damage_log(&f->damage, STAT_perfetty_input_corrupt, bytes.n,
                   "the Perfetto trace inside cannot be read");
    (void)st;
    return true;
}

static void finish(struct import_file *file)
{
    struct fuchsia *f = file->state;
    if (!f) return;
    if (f->has_nested && importer_proto.finish) importer_proto.finish(&f->nested);
    for (size_t i = 0; i < f->providers.count; i++) {
        map_free(&f->providers.items[i]->strings);
        map_free(&f->providers.items[i]->threads);
        vec_free(&f->providers.items[i]->thread_list);
        mem_free(f->providers.items[i]);
    }
    vec_free(&f->providers);
    map_free(&f->provider_index);
    vec_free(&f->args);
    buffer_free(&f->blob);
    map_free(&f->flow_pids);
    map_free(&f->open_states);
    map_free(&f->open_slices);
    buffer_free(&f->text);
    mem_free(f);
    file->state = NULL;
}

const struct importer importer_fuchsia = {
    .name = "fuchsia",
    .detection_priority = 20,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_BOOTTIME,
    .sniff = sniff,
    .tokenize = tokenize,
    .finish = finish,
};
