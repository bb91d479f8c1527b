/* process_tree packets: who runs (spec engine_2 2.4). */
#include "engine/import/packet.h"

#include "engine/base/buffer.h"
#include "engine/base/strpool.h"
#include "engine/import/clock.h"
#include "engine/import/process.h"
#include "engine/import/stats.h"
#include "engine/proto/wire.h"

#define PACKET_PROCESS_TREE 2
#define KTHREADD            2

struct tree_process {
    int64_t pid, ppid;
    struct str argv0;
    uint32_t n_arguments;
    bool has_uid, is_comm, is_kthread, has_start;
    uint32_t uid;
    int64_t start;
    struct buffer cmdline;
};

static void read_process(struct str bytes, struct tree_process *p)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: p->pid = (int32_t)f.value; break;
        case 2: p->ppid = (int32_t)f.value; break;
        case 3:
            if (p->n_arguments++)
                buffer_append_byte(&p->cmdline, ' ');
            else
                p->argv0 = f.bytes;
            buffer_append_str(&p->cmdline, f.bytes);
            break;
        case 5:
            p->uid = (uint32_t)f.value;
            p->has_uid = true;
            break;
        case 7:
            p->start = (int64_t)f.value;
            p->has_start = true;
            break;
        case 8: p->is_kthread = f.value != 0; break;
        case 9: p->is_comm = f.value != 0; break;
        default: break;
        }
}

/* "kworker/0:1-events" is kworker/0:1 on its way through a queue. */
static struct str without_queue(struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] == '-' || name.p[i] == '+') return str_slice(name, 0, i);
    return name;
}

static void name_process(const struct packet *packet, uint32_t upid, const struct tree_process *p)
{
    const struct import_file *file = packet->file;
    struct strpool *strings = file->import->strings;
    struct str name = p->argv0, cmdline = buffer_str(&p->cmdline);
    size_t space;
    if (p->ppid == KTHREADD && str_starts(cmdline, STR("kworker/")))
        name = cmdline = without_queue(cmdline);
    else if (p->n_arguments == 1 && str_find_byte(name, ' ', &space))
        name = str_slice(name, 0, space); /* all arguments in one string */
    if (!name.p) name = STR("");
    string_id id = strpool_intern(strings, name);
    process_set_name(file, upid, id, PROCESS_NAME_SYSTEM);
    process_set_cmdline(file, upid, strpool_intern(strings, cmdline.p ? cmdline : STR("")));
    if (p->is_comm)
        thread_set_name(file, thread_intern(file, p->pid), id, THREAD_NAME_PROCESS_TREE);
}

static void parse_process(const struct packet *packet, struct str bytes)
{
    const struct import_file *file = packet->file;
    struct tree_process p = {0};
    read_process(bytes, &p);
    if (!p.n_arguments) goto out;
    uint32_t parent = process_intern(file, p.ppid);
    uint32_t upid = process_intern(file, p.pid);
    process_set_parent(file, upid, parent);
    name_process(packet, upid, &p);
    if (p.has_uid) process_set_uid(file, upid, p.uid);
    int64_t start;
    if (p.has_start && packet_clock_to_trace_time(packet, CLOCK_ID_BOOTTIME, p.start, &start))
        process_set_start(file, upid, start);
    if (p.is_kthread) {
        string_id key = strpool_intern_text(file->import->strings, "is_kthread");
        process_put_arg(file, upid,
                        (struct arg){.flat_key = key, .key = key, .type = ARG_BOOL, .value = {1}});
    }
out:
    buffer_free(&p.cmdline);
}

static void parse_thread(const struct import_file *file, struct str bytes)
{
    struct wire w = wire_open(bytes);
    struct wire_field f;
    int64_t tid = 0, tgid = 0;
    struct str name = STR_NONE;
    while (wire_next(&w, &f))
        switch (f.number) {
        case 1: tid = (int32_t)f.value; break;
        case 2: name = f.bytes; break;
        case 3: tgid = (int32_t)f.value; break;
        default: break;
        }
    uint32_t utid = thread_intern_in(file, tid, tgid);
    if (name.p)
        thread_set_name(file, utid, strpool_intern(file->import->strings, name),
                        THREAD_NAME_PROCESS_TREE);
}

static void parse(void *state, int64_t ts, const struct packet *packet, struct str field)
{
    (void)state;
    (void)ts;
    struct wire w = wire_open(field);
    struct wire_field f;
    while (wire_next(&w, &f)) {
        if (f.number == 1 && f.type == WIRE_BYTES) parse_process(packet, f.bytes);
        if (f.number == 2 && f.type == WIRE_BYTES) parse_thread(packet->file, f.bytes);
    }
    if (w.bad) stats_add(packet->file, STAT_process_tracker_errors, 1);
}

static const struct packet_module modules[] = {{PACKET_PROCESS_TREE, NULL, parse}};

const struct packet_source process_tree_source = {
    .name = "process_tree", .modules = modules, .n_modules = 1};
