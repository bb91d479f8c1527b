/* Small perf.data files, one kind of content each. */
#include "tests/gen/perf_data.h"

#include <string.h>

#include "tests/gen/compress.h"
#include "tests/gen/wire.h"

#define KERNEL_START UINT64_C(0xffffffff81000000)
#define MARK_KERNEL  ((uint64_t)-128)
#define MARK_USER    ((uint64_t)-512)

enum { PID = 4100, WORKER = 4107 };
enum feature {
    BUILD_ID = 2,
    HOSTNAME = 3,
    OS_RELEASE = 4,
    ARCH = 6,
    CPUS = 7,
    MEMORY = 10,
    CMDLINE = 11,
    EVENT_DESC = 12,
    GROUP_DESC = 17,
};
enum { FEATURE_FILE = 128, META_INFO = 129, FILE2 = 132 };

static const struct gen_perf_attr CYCLES = {
    .type = 0,
    .config = 0,
    .period = 4000,
    .sample_type = GEN_PERF_IDENTIFIER | GEN_PERF_IP | GEN_PERF_TID | GEN_PERF_TIME | GEN_PERF_CPU |
                   GEN_PERF_READ | GEN_PERF_CALLCHAIN,
    .read_format = 1 | 4 | 8, /* enabled, ids, groups */
    .is_frequency = true,
    .clock_id = 1,
    .ids = {71, 72},
};

static void put_words(const struct gen_perf *p, struct buffer *b, const char *const *words)
{
    uint32_t n = 0;
    while (words[n])
        n++;
    gen_perf_put(p, b, 4, n);
    for (uint32_t i = 0; i < n; i++)
        gen_perf_put_text(p, b, words[i]);
}

static void put_build_id(const struct gen_perf *p, struct buffer *b, int32_t pid, const char *id,
                         const char *path)
{
    char padded[20] = {0};
    memcpy(padded, id, strlen(id) < 20 ? strlen(id) : 20);
    gen_perf_put(p, b, 4, 0);
    gen_perf_put(p, b, 2, 2);
    gen_perf_put(p, b, 2, 8 + 4 + 24 + strlen(path) + 1);
    gen_perf_put(p, b, 4, (uint32_t)pid);
    buffer_append(b, padded, sizeof padded);
    gen_perf_put(p, b, 4, 0);
    buffer_append(b, path, strlen(path) + 1);
}

static void put_event(const struct gen_perf *p, struct buffer *b, const struct gen_perf_attr *attr,
                      const char *name)
{
    uint32_t n = attr->ids[0] ? attr->ids[1] ? 2 : 1 : 0;
    for (int i = 0; i < 112; i++)
        buffer_append_byte(b, 0);
    gen_perf_put(p, b, 4, n);
    gen_perf_put_text(p, b, name);
    for (uint32_t i = 0; i < n; i++)
        gen_perf_put(p, b, 8, attr->ids[i]);
}

static void put_features(struct gen_perf *p, const struct gen_perf_attr *attrs,
                         const char *const *names, uint32_t n)
{
    static const char *const command[] = {"perf", "record", "-g", "--", "./shop", NULL};
    struct buffer body = BUFFER_INIT;
    if (!p->is_pipe) {
        put_build_id(p, &body, -1, "kernelkernelkern1234", "[kernel.kallsyms]_text");
        put_build_id(p, &body, PID, "shop0001", "/usr/bin/shop");
        gen_perf_feature(p, BUILD_ID, &body);
    }
    gen_perf_put_text(p, &body, "box");
    gen_perf_feature(p, HOSTNAME, &body);
    gen_perf_put_text(p, &body, "6.1.0-test");
    gen_perf_feature(p, OS_RELEASE, &body);
    gen_perf_put_text(p, &body, "riscv64");
    gen_perf_feature(p, ARCH, &body);
    gen_perf_put(p, &body, 4, 8);
    gen_perf_put(p, &body, 4, 6);
    gen_perf_feature(p, CPUS, &body);
    gen_perf_put(p, &body, 8, 2048);
    gen_perf_feature(p, MEMORY, &body);
    put_words(p, &body, command);
    gen_perf_feature(p, CMDLINE, &body);
    gen_perf_put(p, &body, 4, n);
    gen_perf_put(p, &body, 4, 112);
    for (uint32_t i = 0; i < n; i++)
        put_event(p, &body, &attrs[i], names[i]);
    gen_perf_feature(p, EVENT_DESC, &body);
    gen_perf_put(p, &body, 4, 0);
    gen_perf_feature(p, GROUP_DESC, &body);
}

static void put_lost(struct gen_perf *p, uint32_t type, uint64_t lost, uint64_t time)
{
    struct buffer body = BUFFER_INIT;
    if (type == 2) gen_perf_put(p, &body, 8, 71);
    gen_perf_put(p, &body, 8, lost);
    gen_perf_put(p, &body, 4, PID);
    gen_perf_put(p, &body, 4, PID);
    gen_perf_put(p, &body, 8, time);
    gen_perf_put(p, &body, 8, 0);
    gen_perf_put(p, &body, 8, 71);
    gen_perf_record(p, type, 0, &body);
}

/* The story that every byte order and mode tells. */
static void put_shop(struct gen_perf *p)
{
    static const uint64_t deep[] = {
        MARK_KERNEL, KERNEL_START + 0x20, KERNEL_START + 0x41, MARK_USER, 0x401141, 0x401011};
    static const uint64_t user[] = {MARK_USER, 0x7f0000001050, 0x401011};
    static const uint64_t nowhere[] = {MARK_USER, 0x10};
    static const uint64_t first[] = {5000, 71, 100, 81}, second[] = {9000, 72, 250, 82},
                          third[] = {9500, 71, 260, 81};
    static const char *const names[] = {"cycles", "cache-misses"};
    struct gen_perf_attr attrs[] = {CYCLES, CYCLES};
    attrs[1].config = 3;
    attrs[1].ids[0] = 81;
    attrs[1].ids[1] = 82;
    gen_perf_attr(p, &attrs[0]);
    gen_perf_attr(p, &attrs[1]);
    if (p->is_pipe) put_features(p, attrs, names, 2);
    gen_perf_mmap(p, -1, KERNEL_START, 0x1000000, KERNEL_START, "[kernel.kallsyms]_text", 0);
    gen_perf_mmap(p, -1, KERNEL_START + 0x40000000, 0x1000, 0, "[ext4]", 0);
    gen_perf_comm(p, PID, PID, "shop", 0);
    gen_perf_mmap2(p, PID, 0x401000, 0x2000, 0x1000, "/usr/bin/shop", NULL, 1000);
    gen_perf_mmap2(p, PID, 0x7f0000001000, 0x1000, 0, "/lib/libc.so.6", "\x12\xab", 1001);
    gen_perf_comm(p, PID, WORKER, "worker", 1500);
    struct gen_perf_sample s = {.time = 2000, .id = 71, .pid = PID, .tid = PID, .cpu = 2};
    s.mode = GEN_PERF_KERNEL;
    s.chain = deep;
    s.n_chain = 6;
    s.counters = first;
    s.n_counters = 4;
    gen_perf_sample(p, &attrs[0], &s);
    s.time = 3000;
    s.id = 72;
    s.tid = WORKER;
    s.cpu = 1;
    s.mode = GEN_PERF_USER;
    s.chain = user;
    s.n_chain = 3;
    s.counters = second;
    gen_perf_sample(p, &attrs[0], &s);
    put_lost(p, 2, 12, 3500);
    put_lost(p, 13, 5, 3600);
    s.time = 4000;
    s.chain = nowhere;
    s.n_chain = 2;
    s.counters = third;
    gen_perf_sample(p, &attrs[0], &s);
    if (!p->is_pipe) put_features(p, attrs, names, 2);
}

void gen_write_perf_data(struct buffer *out)
{
    struct gen_perf p = GEN_PERF_FILE;
    put_shop(&p);
    gen_perf_finish(&p, out);
}

void gen_write_perf_data_big_endian(struct buffer *out)
{
    struct gen_perf p = {.is_swapped = true};
    put_shop(&p);
    gen_perf_finish(&p, out);
}

static void put_event_name(struct gen_perf *p, uint64_t id, const char *name)
{
    struct buffer body = BUFFER_INIT;
    gen_perf_put(p, &body, 8, 2); /* a name */
    gen_perf_put(p, &body, 8, id);
    buffer_append(&body, name, strlen(name) + 1);
    gen_perf_record(p, 78, 0, &body);
}

void gen_write_perf_data_pipe(struct buffer *out)
{
    struct gen_perf p = {.is_pipe = true};
    struct buffer body = BUFFER_INIT;
    put_shop(&p);
    put_event_name(&p, 81, "misses");
    put_event_name(&p, 99, "of nobody");
    gen_perf_put(&p, &body, 4, 5); /* trace data: its size, then it */
    gen_perf_record(&p, 66, 0, &body);
    buffer_append(&p.data, "ABCDE\0\0", 8);
    put_build_id(&p, &body, PID, "late", "/usr/bin/shop");
    /* As a record it is the entry itself, with a type. */
    buffer_append(&p.data, "\x43\0\0\0\0\0", 6);
    gen_perf_put(&p, &p.data, 2, body.length);
    buffer_append(&p.data, body.data + 8, body.length - 8);
    buffer_free(&body);
    gen_perf_record(&p, 68, 0, &body);
    gen_perf_record(&p, 64, 0, &body); /* an event of no bytes */
    gen_perf_finish(&p, out);
}

static const struct gen_perf_attr PLAIN = {
    .type = 1,
    .config = 0,
    .period = 250000,
    .sample_type = GEN_PERF_IP | GEN_PERF_TID | GEN_PERF_TIME | GEN_PERF_PERIOD,
    .is_frequency = true,
    .clock_id = -1,
};

static void put_plain(struct gen_perf *p, uint64_t n)
{
    gen_perf_comm(p, PID, PID, "shop", 0);
    gen_perf_mmap(p, PID, 0x401000, 0x2000, 0, "/usr/bin/shop", 0);
    for (uint64_t i = 0; i < n; i++) {
        struct gen_perf_sample s = {.time = 1000 + i, .period = 10, .pid = PID, .tid = PID};
        s.mode = GEN_PERF_USER;
        s.ip = 0x401000 + i;
        gen_perf_sample(p, &PLAIN, &s);
    }
}

/* misc 1 << 13: the recorder found the process, nothing is inherited. */
static void put_fork(struct gen_perf *p, uint16_t misc, int32_t child, int32_t parent,
                     uint64_t time)
{
    struct buffer body = BUFFER_INIT;
    gen_perf_put(p, &body, 4, (uint32_t)child);
    gen_perf_put(p, &body, 4, (uint32_t)parent);
    gen_perf_put(p, &body, 4, (uint32_t)child);
    gen_perf_put(p, &body, 4, (uint32_t)parent);
    gen_perf_put(p, &body, 8, time);
    gen_perf_put(p, &body, 8, 0); /* sample id: task, time */
    gen_perf_put(p, &body, 8, time);
    gen_perf_record(p, 7, misc, &body);
}

void gen_write_perf_data_plain(struct buffer *out)
{
    static const char *const names[] = {"cpu-clock"};
    struct gen_perf p = GEN_PERF_FILE;
    gen_perf_attr(&p, &PLAIN);
    put_plain(&p, 3);
    struct gen_perf_sample s = {.period = 1, .ip = 0x401007, .mode = GEN_PERF_USER};
    for (int32_t i = 0; i < 2; i++) {
        put_fork(&p, i == 0 ? 0 : 1 << 13, PID + 1 + i, PID, 1010 + (uint64_t)i);
        s.pid = s.tid = PID + 1 + i;
        s.time = 1020 + (uint64_t)i;
        gen_perf_sample(&p, &PLAIN, &s);
    }
    put_features(&p, &PLAIN, names, 1);
    gen_perf_finish(&p, out);
}

void gen_write_perf_data_mappings(struct buffer *out)
{
    static const char *const names[] = {"cpu-clock"};
    static const uint64_t addresses[] = {0x10000, 0x14800, 0x19000, 0x3f000};
    struct gen_perf p = GEN_PERF_FILE;
    gen_perf_attr(&p, &PLAIN);
    gen_perf_comm(&p, PID, PID, "shop", 0);
    for (uint64_t i = 300; i-- > 0;)
        gen_perf_mmap(&p, PID, 0x10000 + i * 0x10000, 0x10000, 0, "/a", 0);
    gen_perf_mmap(&p, PID, 0x14000, 0x1000, 0, "/b", 0);
    gen_perf_mmap(&p, PID, 0x28000, 0x28000, 0, "/c", 0);
    put_fork(&p, 0, PID + 1, PID, 900);
    struct gen_perf_sample s = {.period = 1, .mode = GEN_PERF_USER};
    for (int32_t i = 0; i < 8; i++) {
        s.pid = s.tid = PID + i / 4;
        s.time = 1000 + (uint64_t)i;
        s.ip = addresses[i % 4];
        gen_perf_sample(&p, &PLAIN, &s);
    }
    put_features(&p, &PLAIN, names, 1);
    gen_perf_finish(&p, out);
}

void gen_write_perf_data_packed(struct buffer *out)
{
    struct gen_perf p = GEN_PERF_FILE, inner = GEN_PERF_FILE;
    struct buffer packed = BUFFER_INIT, body = BUFFER_INIT;
    gen_perf_attr(&p, &PLAIN);
    inner.sample_type = PLAIN.sample_type;
    put_plain(&inner, 40);
    /* Two frames, the first ends inside a record; three pieces, cut anywhere. */
    size_t half = inner.data.length / 2 + 5;
    gen_zstd(&packed, (struct str){inner.data.data, half});
    gen_zstd(&packed, (struct str){inner.data.data + half, inner.data.length - half});
    size_t third = packed.length / 3;
    buffer_append(&body, packed.data, third);
    gen_perf_record(&p, 81, 0, &body);
    gen_perf_put(&p, &body, 8, third);
    buffer_append(&body, packed.data + third, third);
    buffer_append(&body, "\0\0\0", 3); /* padding */
    gen_perf_record(&p, 83, 0, &body);
    buffer_append(&body, packed.data + 2 * third, packed.length - 2 * third);
    gen_perf_record(&p, 81, 0, &body);
    buffer_append_text(&body, "this is not zstd");
    gen_perf_record(&p, 81, 0, &body);
    gen_perf_record(&p, 81, 0, &body);
    buffer_free(&packed);
    struct buffer unused = BUFFER_INIT;
    gen_perf_finish(&inner, &unused);
    buffer_free(&unused);
    gen_perf_finish(&p, out);
}

/* ---- simpleperf ---- */

static void put_plain_file(const struct gen_perf *p, struct buffer *b, const char *path,
                           uint32_t type, uint64_t min_address, const char *symbol,
                           uint64_t address, int64_t offset)
{
    struct buffer file = BUFFER_INIT;
    buffer_append(&file, path, strlen(path) + 1);
    gen_perf_put(p, &file, 4, type);
    gen_perf_put(p, &file, 8, min_address);
    gen_perf_put(p, &file, 4, 1);
    gen_perf_put(p, &file, 8, address);
    gen_perf_put(p, &file, 4, 0x20);
    buffer_append(&file, symbol, strlen(symbol) + 1);
    if (offset >= 0) gen_perf_put(p, &file, 8, (uint64_t)offset);
    gen_perf_put(p, b, 4, file.length);
    buffer_append(b, file.data, file.length);
    buffer_free(&file);
}

static void put_proto_file(const struct gen_perf *p, struct buffer *b, const char *path,
                           uint32_t type, const char *symbol, uint64_t address)
{
    struct buffer file = BUFFER_INIT;
    gen_text(&file, 1, path);
    gen_uint(&file, 2, type);
    gen_uint(&file, 3, 0x3000);
    size_t mark = gen_open(&file, 4);
    gen_uint(&file, 1, address);
    gen_uint(&file, 2, 0x20);
    gen_text(&file, 3, symbol);
    gen_close(&file, mark);
    mark = gen_open(&file, 6);
    gen_uint(&file, 1, 0x1000);
    gen_close(&file, mark);
    gen_perf_put(p, b, 4, file.length);
    buffer_append(b, file.data, file.length);
    buffer_free(&file);
}

void gen_write_perf_data_simpleperf(struct buffer *out)
{
    static const char meta[] = "simpleperf_version\0"
                               "1.2\0"
                               "event_type_info\0"
                               "cpu-cycles,0,0\ncpu-clock,1,0\n";
    static const struct {
        uint64_t start;
        const char *path;
    } maps[] = {{0x401000, "/lib/new.so"},   {0x501000, "/lib/old.so"},
                {0x601000, "/lib/older.so"}, {0x701000, "perf.data_jit_app_cache:10-20"},
                {0x801000, "/app/base.dex"}, {0x901000, "/lib/none.so"}};
    struct gen_perf p = GEN_PERF_FILE;
    struct buffer body = BUFFER_INIT;
    struct gen_perf_attr attr = PLAIN;
    attr.ids[0] = 5;
    gen_perf_attr(&p, &attr);
    gen_perf_mmap(&p, -1, KERNEL_START, 0x1000000, 0, "[kernel.kallsyms]", 0);
    for (size_t i = 0; i < 6; i++)
        gen_perf_mmap2(&p, PID, maps[i].start, 0x1000, 0x1000, maps[i].path, NULL, 0);
    for (size_t i = 0; i < 7; i++) {
        struct gen_perf_sample s = {.time = 1000 + i, .period = 10, .pid = PID, .tid = PID};
        s.mode = i == 6 ? GEN_PERF_KERNEL : GEN_PERF_USER;
        s.ip = 0x10 + (i == 6 ? KERNEL_START : maps[i].start);
        gen_perf_sample(&p, &attr, &s);
    }
    put_plain_file(&p, &body, "/lib/old.so", 2, 0x3000, "old", 0x3000, 0x1000);
    put_plain_file(&p, &body, "/lib/older.so", 2, 0x3000, "older", 0x3000, -1);
    put_plain_file(&p, &body, "/lib/new.so", 2, 0, "wrong", 0, -1);
    put_plain_file(&p, &body, "unknown", 5, 0, "x", 0, -1);
    gen_perf_feature(&p, FEATURE_FILE, &body);
    buffer_append(&body, meta, sizeof meta);
    gen_perf_feature(&p, META_INFO, &body);
    put_proto_file(&p, &body, "/lib/new.so", 2, "new", 0x3000);
    put_proto_file(&p, &body, "/lib/new.so", 2, "twice", 0x3000);
    put_proto_file(&p, &body, maps[3].path, 2, "jitted", 0x701000);
    put_proto_file(&p, &body, maps[4].path, 3, "dexed", 0x1000);
    put_proto_file(&p, &body, "[kernel.kallsyms]", 0, "start_kernel", KERNEL_START);
    gen_perf_feature(&p, FILE2, &body);
    gen_perf_finish(&p, out);
}

/* ---- hardware trace data ---- */

static void put_aux(struct gen_perf *p, uint64_t offset, uint64_t size, uint64_t flags)
{
    struct buffer body = BUFFER_INIT;
    gen_perf_put(p, &body, 8, offset);
    gen_perf_put(p, &body, 8, size);
    gen_perf_put(p, &body, 8, flags);
    gen_perf_record(p, 11, 0, &body);
}

static void put_auxtrace(struct gen_perf *p, uint64_t offset, uint64_t size, uint32_t cpu)
{
    struct buffer body = BUFFER_INIT;
    gen_perf_put(p, &body, 8, size);
    gen_perf_put(p, &body, 8, offset);
    gen_perf_put(p, &body, 8, 0);
    gen_perf_put(p, &body, 8, 0);
    gen_perf_put(p, &body, 4, cpu);
    gen_perf_put(p, &body, 4, 0);
    gen_perf_record(p, 71, 0, &body);
    for (uint64_t i = 0; i < size; i++)
        buffer_append_byte(&p->data, (char)0xFF);
}

void gen_write_perf_data_aux(struct buffer *out)
{
    struct gen_perf p = GEN_PERF_FILE;
    struct buffer body = BUFFER_INIT;
    gen_perf_attr(&p, &PLAIN);
    put_plain(&p, 1);
    gen_perf_put(&p, &body, 8, 1); /* Intel PT */
    gen_perf_record(&p, 70, 0, &body);
    gen_perf_put(&p, &body, 8, 1);
    gen_perf_record(&p, 70, 0, &body); /* twice is too often */
    put_aux(&p, 0, 100, 0);
    put_aux(&p, 100, 50, 1 | 4 | 8);
    put_aux(&p, 300, 10, 0);
    put_auxtrace(&p, 0, 120, UINT32_MAX);
    put_auxtrace(&p, 295, 10, UINT32_MAX);
    put_auxtrace(&p, 0, 7, 3); /* of a CPU that announced nothing */
    put_aux(&p, UINT64_MAX, 2, 0);
    gen_perf_record(&p, 79, 0, &body);
    gen_perf_put(&p, &body, 4, PID);
    gen_perf_put(&p, &body, 4, WORKER);
    gen_perf_put(&p, &body, 8, 0); /* sample id: task, time */
    gen_perf_put(&p, &body, 8, 1002);
    gen_perf_record(&p, 12, 0, &body);
    gen_perf_record(&p, 12, 0, &body);
    gen_perf_record(&p, 71, 0, &body);
    gen_perf_finish(&p, out);
}

/* ---- damage ---- */

void gen_write_perf_data_broken(struct buffer *out)
{
    struct gen_perf p = GEN_PERF_FILE;
    struct buffer body = BUFFER_INIT;
    struct gen_perf_attr attr = CYCLES;
    gen_perf_attr(&p, &attr);
    attr.ids[1] = 90; /* and 71 again */
    gen_perf_attr(&p, &attr);
    struct gen_perf_sample s = {.time = 2000, .id = 77, .pid = PID, .tid = PID};
    gen_perf_sample(&p, &attr, &s); /* an id of nobody */
    s.id = 71;
    s.mode = 7;
    s.ip = 0x10;
    gen_perf_sample(&p, &attr, &s); /* kept: a mode of nobody, a group of nothing */
    s.time = UINT64_MAX;
    gen_perf_sample(&p, &attr, &s);
    gen_perf_put(&p, &body, 8, 71);
    gen_perf_record(&p, 9, 0, &body); /* a sample of one field */
    gen_perf_record(&p, 9, 0, &body); /* of none */
    for (int i = 0; i < 6; i++)       /* counters that say they are many */
        gen_perf_put(&p, &body, 8, i == 0 ? 71 : i == 3 ? 2001 : UINT64_MAX);
    for (int i = 0; i < 4; i++)
        gen_perf_put(&p, &body, 8, UINT64_MAX - 1);
    gen_perf_record(&p, 9, 1, &body);
    gen_perf_mmap2(&p, PID, 0x1000, 0x1000, 0, "/bin/x", "0123456789012345678901234", 1000);
    gen_perf_mmap2(&p, PID, UINT64_MAX - 5, UINT64_MAX, 0, "/bin/past", NULL, 1000);
    gen_perf_mmap(&p, -1, 0, UINT64_MAX, 0, "[bpf]", 1000);
    gen_perf_mmap(&p, -1, 0, 0, 0, "[empty]", 1000);
    for (int i = 0; i < 2; i++)
        gen_perf_mmap(&p, -1, 0x8000, 0x1000, 0, "[kernel.kallsyms]", 1000);
    for (uint32_t type = 1; type < 12; type++) /* a time and an id, nothing else */
        if (type != 9) {
            gen_perf_put(&p, &body, 8, 1500);
            gen_perf_put(&p, &body, 8, 0);
            gen_perf_put(&p, &body, 8, 71);
            gen_perf_record(&p, type, 2, &body);
        }
    gen_perf_put(&p, &p.data, 8, 4); /* smaller than its header */
    put_build_id(&p, &body, 1, "x", "y");
    buffer_append_text(&body, "cut");
    gen_perf_feature(&p, BUILD_ID, &body);
    gen_perf_put(&p, &body, 4, 100);
    gen_perf_feature(&p, OS_RELEASE, &body);
    gen_perf_put(&p, &body, 4, 100);
    gen_perf_feature(&p, CMDLINE, &body);
    gen_perf_put(&p, &body, 8, UINT64_MAX);
    gen_perf_feature(&p, EVENT_DESC, &body);
    gen_perf_put(&p, &body, 4, 1000);
    gen_perf_feature(&p, FEATURE_FILE, &body);
    buffer_append_text(&body, "event_type_info");
    buffer_append(&body, "\0a,b,c", 7);
    gen_perf_feature(&p, META_INFO, &body);
    buffer_append(&body, "\1\0\0\0\xFF", 5);
    gen_perf_feature(&p, FILE2, &body);
    gen_perf_finish(&p, out);
}

void gen_write_perf_data_cut(struct buffer *out)
{
    struct buffer whole = BUFFER_INIT;
    gen_write_perf_data_plain(&whole);
    /* In the third sample. */
    buffer_append(out, whole.data, 444);
    buffer_free(&whole);
}

void gen_write_perf_data_unclosed(struct buffer *out)
{
    size_t start = out->length;
    struct gen_perf p = GEN_PERF_FILE;
    gen_perf_attr(&p, &PLAIN);
    put_plain(&p, 3);
    gen_perf_finish(&p, out);
    memset(out->data + start + 48, 0, 8);
}
