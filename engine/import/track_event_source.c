/* The packets that track events are made of: events, descriptors of tracks and,
 * in older traces, of threads and processes (spec engine_2 2.2). */
#include "engine/import/track_event.h"

#include "engine/import/sorter.h"

enum {
    PACKET_TRACK_EVENT = 11,
    PACKET_PROCESS_DESCRIPTOR = 43,
    PACKET_THREAD_DESCRIPTOR = 44,
    PACKET_TRACK_DESCRIPTOR = 60,
    PACKET_TRANSLATION_TABLE = 82,
    PACKET_CHROME_TRIGGER = 109,
    PACKET_FIRST_ON_SEQUENCE = 87,
    PACKET_RANGE_OF_INTEREST = 90,
    DEFAULTS_TRACK_EVENT = 11,
};

static void intern_strings(struct track_events *te)
{
    const struct {
        string_id *id;
        const char *text;
    } names[] = {
        {&te->strings.legacy_event_phase, "legacy_event.phase"},
        {&te->strings.passthrough_utid, "legacy_event.passthrough_utid"},
        {&te->strings.legacy_trace_source_id, "legacy_trace_source_id"},
        {&te->strings.thread_time, "thread_time"},
        {&te->strings.thread_instruction_count, "thread_instruction_count"},
        {&te->strings.source, "source"},
        {&te->strings.trace_id, "trace_id"},
        {&te->strings.is_root_in_scope, "is_root_in_scope"},
        {&te->strings.category, "category"},
        {&te->strings.builtin_counter_type, "builtin_counter_type"},
        {&te->strings.y_axis_share_key, "y_axis_share_key"},
        {&te->strings.first_on_sequence, "has_first_packet_on_sequence"},
        {&te->strings.child_ordering, "child_ordering"},
        {&te->strings.sibling_order_rank, "sibling_order_rank"},
        {&te->strings.description, "description"},
        {&te->strings.descriptor, "descriptor"},
        {&te->strings.default_track, "Default Track"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        *names[i].id = strpool_intern_text(te->import->strings, names[i].text);
}

static void *create(struct packet_reader *reader)
{
    struct track_events *te = mem_zero(1, sizeof *te);
    te->reader = reader;
    te->file = packet_reader_file(reader);
    te->import = te->file->import;
    te->queue = packet_reader_queue(reader);
    te->sink = sorter_add_sink(te->import->sorter, track_event_parse, te);
    te->arena = (struct arena)ARENA_INIT;
    te->text = (struct buffer)BUFFER_INIT;
    te->message =
        descriptor_pool_message(te->import->descriptors, STR("perfetto.protos.TrackEvent"));
    arg_writer_init(&te->writer, te->import);
    te->writer.list = &te->args;
    intern_strings(te);
    return te;
}

static void finish(void *state)
{
    struct track_events *te = state;
    map_free(&te->tracks);
    map_free(&te->uuid_of_utid);
    map_free(&te->uuid_of_upid);
    map_free(&te->legacy_names);
    map_free(&te->callstack_rows);
    map_free(&te->android_processes);
    track_event_free_translations(&te->translations);
    vec_free(&te->args);
    vec_free(&te->debug_keys);
    buffer_free(&te->text);
    arg_writer_dispose(&te->writer);
    arena_free(&te->arena);
    mem_free(te);
}

struct track_event_sequence *track_event_sequence_of(struct track_events *te,
                                                     const struct packet *packet)
{
    void **slot = sequence_slot(packet->sequence, SEQUENCE_TRACK_EVENT);
    struct track_event_sequence *sequence = *slot;
    if (!sequence) {
        sequence = arena_zero(&te->arena, sizeof *sequence);
        sequence->sequence = packet->sequence;
        sequence->thread = arena_zero(&te->arena, sizeof *sequence->thread);
        *slot = sequence;
    }
    if (packet_clears_state(packet)) {
        struct wire_field first;
        sequence->clears++;
        if (sequence->thread->is_known) {
            struct track_event_thread *thread = arena_alloc(&te->arena, sizeof *thread);
            *thread = *sequence->thread;
            sequence->thread = thread;
        }
        sequence->times_valid = false;
        if (wire_find(packet->bytes, PACKET_FIRST_ON_SEQUENCE, &first) && first.value)
            sequence->is_first = true;
    }
    return sequence;
}

static void read_defaults(struct track_event_defaults *d, struct str bytes)
{
    struct wire_field f;
    struct wire w = wire_open(bytes);
    while (wire_next(&w, &f)) {
        if (f.number == 11) {
            d->has_track_uuid = true;
            d->track_uuid = f.value;
        }
        if (f.number != 31 && f.number != 45) continue;
        unsigned *n = f.number == 31 ? &d->n_extra : &d->n_extra_double;
        uint64_t *uuids = f.number == 31 ? d->extra : d->extra_double;
        struct wire packed = wire_open(f.bytes);
        uint64_t uuid = f.value;
        bool more = f.type != WIRE_BYTES || wire_varint(&packed, &uuid);
        while (more && *n <= TRACK_EVENT_MAX_EXTRA_COUNTERS) {
            uuids[(*n)++] = uuid;
            more = f.type == WIRE_BYTES && wire_varint(&packed, &uuid);
        }
    }
}

const struct track_event_defaults *track_event_defaults_of(struct track_event_defaults *cached,
                                                           const struct packet *packet)
{
    struct str bytes = packet_default(packet, DEFAULTS_TRACK_EVENT);
    if (bytes.p == cached->bytes.p && bytes.n == cached->bytes.n) return cached;
    *cached = (struct track_event_defaults){.bytes = bytes};
    read_defaults(cached, bytes);
    return cached;
}

/* Threads and processes. */

void track_event_set_thread(struct track_event_sequence *sequence, struct str bytes)
{
    struct track_event_thread *thread = sequence->thread;
    struct wire w = wire_open(bytes);
    struct wire_field f;
    sequence->time_ns = sequence->thread_time_ns = sequence->instructions = 0;
    while (wire_next(&w, &f)) {
        switch (f.number) {
        case 1: thread->pid = (int32_t)f.value; break;
        case 2: thread->tid = (int64_t)f.value; break;
        case 6: sequence->time_ns = (int64_t)(f.value * 1000); break;
        case 7: sequence->thread_time_ns = (int64_t)(f.value * 1000); break;
        case 8: sequence->instructions = (int64_t)f.value; break;
        default: break;
        }
    }
    sequence->times_valid = true;
    thread->is_known = true;
}

static const char *thread_type_name(uint64_t type)
{
    switch (type) {
    case 1: return "CrProcessMain";
    case 2: return "ChromeIOThread";
    case 3: return "ThreadPoolBackgroundWorker&";
    case 4: return "ThreadPoolForegroundWorker&";
    case 5: return "ThreadPoolSingleThreadForegroundBlocking&";
    case 6: return "ThreadPoolSingleThreadBackgroundBlocking&";
    case 7: return "ThreadPoolService";
    case 8: return "Compositor";
    case 9: return "VizCompositorThread";
    case 10: return "CompositorTileWorker&";
    case 11: return "ServiceWorkerThread&";
    case 50: return "MemoryInfra";
    case 51: return "StackSamplingProfiler";
    default: return NULL;
    }
}

static const char *process_type_name(uint64_t type)
{
    static const char *const names[] = {NULL,      "Browser",     "Renderer",
                                        "Utility", "Zygote",      "SandboxHelper",
                                        "Gpu",     "PpapiPlugin", "PpapiBroker"};
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

struct thread_facts {
    int64_t pid, tid;
    struct str name;
    uint64_t chrome_type;
};

static struct thread_facts read_thread(struct str bytes)
{
    struct thread_facts facts = {0};
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        switch (f.number) {
        case 1: facts.pid = (int32_t)f.value; break;
        case 2: facts.tid = (int64_t)f.value; break;
        case 4: facts.chrome_type = f.value; break;
        case 5: facts.name = f.bytes; break;
        default: break;
        }
    }
    return facts;
}

static void name_thread(struct track_events *te, uint32_t utid, const struct thread_facts *facts)
{
    struct strpool *strings = te->import->strings;
    const char *by_type = thread_type_name(facts->chrome_type);
    string_id name = STRING_NULL;
    if (facts->name.n)
        name = strpool_intern(strings, facts->name);
    else if (by_type)
        name = strpool_intern_text(strings, by_type);
    if (name != STRING_NULL) thread_set_name(te->file, utid, name, THREAD_NAME_TRACK_DESCRIPTOR);
}

static void put_label(struct track_events *te, uint32_t upid, struct str label, unsigned index)
{
    struct strpool *strings = te->import->strings;
    string_id flat_key = strpool_intern_text(strings, "chrome.process_label");
    buffer_clear(&te->text);
    buffer_printf(&te->text, "chrome.process_label[%u]", index);
    process_put_arg(te->file, upid,
                    (struct arg){.flat_key = flat_key,
                                 .key = strpool_intern(strings, buffer_str(&te->text)),
                                 .type = ARG_STRING,
                                 .value.string = strpool_intern(strings, label)});
}

static void describe_process(struct track_events *te, uint32_t upid, struct str bytes)
{
    struct strpool *strings = te->import->strings;
    struct wire w = wire_open(bytes);
    struct wire_field f;
    unsigned labels = 0;
    while (wire_next(&w, &f)) {
        const char *by_type = f.number == 4 ? process_type_name(f.value) : NULL;
        if (f.number == 6 && f.bytes.n)
            process_set_name(te->file, upid, strpool_intern(strings, f.bytes),
                             PROCESS_NAME_TRACK_DESCRIPTOR);
        if (by_type)
            process_set_name(te->file, upid, strpool_intern_text(strings, by_type),
                             PROCESS_NAME_CHROME_LABEL);
        if (f.number == 7 && (int64_t)f.value > 0)
            process_set_start(te->file, upid, (int64_t)f.value);
        if (f.number == 8 && wire_is_bytes(&f)) put_label(te, upid, f.bytes, labels++);
    }
}

static void describe_chrome_process(struct track_events *te, uint32_t upid, struct str bytes)
{
    struct strpool *strings = te->import->strings;
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        const char *by_type = f.number == 1 ? process_type_name(f.value) : NULL;
        if (by_type)
            process_set_name(te->file, upid, strpool_intern_text(strings, by_type),
                             PROCESS_NAME_CHROME_LABEL);
        if (f.number == 4 && wire_is_bytes(&f)) {
            string_id key = strpool_intern_text(strings, "chrome.host_app_package_name");
            process_put_arg(te->file, upid,
                            (struct arg){.flat_key = key,
                                         .key = key,
                                         .type = ARG_STRING,
                                         .value.string = strpool_intern(strings, f.bytes)});
        }
        if (f.number == 5) {
            string_id key = strpool_intern_text(strings, "chrome.crash_trace_id");
            process_put_arg(te->file, upid,
                            (struct arg){.flat_key = key,
                                         .key = key,
                                         .type = ARG_UINT,
                                         .value.integer = (int64_t)f.value});
        }
    }
}

/* Track descriptors: registered in file order, named in order of time. */

static bool tokenize_track_descriptor(void *state, const struct packet *packet, struct str field)
{
    struct track_events *te = state;
    struct track_event_sequence *sequence =
        packet->sequence ? track_event_sequence_of(te, packet) : NULL;
    struct wire_field thread;
    track_event_track_register(te, packet, sequence, field);
    if (sequence && wire_find(field, 4, &thread) && wire_is_bytes(&thread))
        track_event_set_thread(sequence, thread.bytes);
    return false;
}

struct descriptor_parts {
    uint64_t uuid;
    struct str name, process, thread, chrome_process, chrome_thread;
    bool has_process, has_thread;
};

static struct descriptor_parts read_parts(struct str field)
{
    struct descriptor_parts parts = {0};
    struct wire w = wire_open(field);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        switch (f.number) {
        case 1: parts.uuid = f.value; break;
        case 2:
        case 10:
        case 13: parts.name = f.bytes; break;
        case 3: parts.process = f.bytes, parts.has_process = true; break;
        case 4: parts.thread = f.bytes, parts.has_thread = true; break;
        case 6: parts.chrome_process = f.bytes; break;
        case 7: parts.chrome_thread = f.bytes; break;
        default: break;
        }
    }
    return parts;
}

static void put_sort_hint(struct track_events *te, const struct track_event_track *track)
{
    struct strpool *strings = te->import->strings;
    const struct track_event_track *root = track_event_track_find(te, 0);
    bool is_thread = track->scope == SCOPE_THREAD;
    bool is_explicit = root && (is_thread ? root->explicit_threads : root->explicit_processes);
    if (!is_explicit || !track->has_rank) return;
    string_id key = strpool_intern_text(strings, is_thread ? "thread_sort_index_hint"
                                                           : "process_sort_index_hint");
    struct arg arg = {.flat_key = key, .key = key, .type = ARG_INT, .value.integer = track->rank};
    if (is_thread)
        thread_put_arg(te->file, track->utid, arg);
    else
        process_put_arg(te->file, track->upid, arg);
}

static void parse_track_descriptor(void *state, int64_t ts, const struct packet *packet,
                                   struct str field)
{
    struct track_events *te = state;
    struct descriptor_parts parts = read_parts(field);
    struct track_event_track *track = track_event_track_find(te, parts.uuid);
    (void)packet;
    if (!track || !track_event_track_resolve(te, track)) {
        import_log(te->file, STAT_track_event_parser_errors, NO_BYTE_OFFSET, ts, NULL);
        return;
    }
    if (track->scope == SCOPE_THREAD && track->has_tid && parts.has_thread) {
        struct thread_facts facts = read_thread(parts.thread);
        struct wire_field type;
        name_thread(te, track->utid, &facts);
        if (wire_find(parts.chrome_thread, 1, &type) && thread_type_name(type.value))
            thread_set_name(te->file, track->utid,
                            strpool_intern_text(te->import->strings, thread_type_name(type.value)),
                            THREAD_NAME_TRACK_DESCRIPTOR_TYPE);
        put_sort_hint(te, track);
    } else if (track->scope == SCOPE_PROCESS && track->has_pid && parts.has_process) {
        describe_process(te, track->upid, parts.process);
        describe_chrome_process(te, track->upid, parts.chrome_process);
        put_sort_hint(te, track);
    }
    if (parts.name.p)
        track_event_track_set_name(te, track, strpool_intern(te->import->strings, parts.name));
}

/* Descriptors of the older format, without a track. */

static bool tokenize_thread_descriptor(void *state, const struct packet *packet, struct str field)
{
    struct track_events *te = state;
    if (!packet->sequence) {
        stats_add(packet->file, STAT_track_event_missing_sequence_id, 1);
        return true;
    }
    track_event_set_thread(track_event_sequence_of(te, packet), field);
    return false;
}

static void parse_thread_descriptor(void *state, int64_t ts, const struct packet *packet,
                                    struct str field)
{
    struct track_events *te = state;
    struct thread_facts facts = read_thread(field);
    (void)ts;
    (void)packet;
    name_thread(te, thread_intern_in(te->file, facts.tid, facts.pid), &facts);
}

static void parse_process_descriptor(void *state, int64_t ts, const struct packet *packet,
                                     struct str field)
{
    struct track_events *te = state;
    struct wire_field pid;
    (void)ts;
    (void)packet;
    if (!wire_find(field, 1, &pid)) pid.value = 0;
    describe_process(te, process_intern(te->file, (int32_t)pid.value), field);
}

static bool tokenize_range_of_interest(void *state, const struct packet *packet, struct str field)
{
    struct wire_field start;
    (void)state;
    if (wire_find(field, 1, &start))
        metadata_set_int(packet->file->import, packet->file, "range_of_interest_start_us",
                         (int64_t)start.value);
    else
        stats_add(packet->file, STAT_track_event_range_of_interest_missing_start_us, 1);
    return true;
}

static const struct packet_module modules[] = {
    {PACKET_TRACK_EVENT, track_event_tokenize, NULL},
    {PACKET_TRACK_DESCRIPTOR, tokenize_track_descriptor, parse_track_descriptor},
    {PACKET_PROCESS_DESCRIPTOR, NULL, parse_process_descriptor},
    {PACKET_THREAD_DESCRIPTOR, tokenize_thread_descriptor, parse_thread_descriptor},
    {PACKET_TRANSLATION_TABLE, track_event_read_translations, NULL},
    {PACKET_CHROME_TRIGGER, NULL, track_event_show_trigger},
    {PACKET_RANGE_OF_INTEREST, tokenize_range_of_interest, NULL},
};

extern const struct packet_source packet_source_track_event;
const struct packet_source packet_source_track_event = {"track_event", create, finish, modules,
                                                        sizeof modules / sizeof *modules};
