#include "tests/gen/perf_data.h"

#include <string.h>

enum { FILE_HEADER = 104, ATTR_BYTES = 112, ENTRY_BYTES = ATTR_BYTES + 16 };
enum { MMAP = 1, COMM = 3, SAMPLE = 9, MMAP2 = 10, HEADER_ATTR = 64, HEADER_FEATURE = 80 };
enum { MISC_BUILD_ID = 1 << 14 };

void gen_perf_put(const struct gen_perf *p, struct buffer *b, size_t bytes, uint64_t value)
{
    for (size_t i = 0; i < bytes; i++)
        buffer_append_byte(b, (char)(value >> 8 * (p->is_swapped ? bytes - 1 - i : i)));
}

static void put_padded(struct buffer *b, const char *text)
{
    size_t n = strlen(text) + 1;
    buffer_append(b, text, n);
    for (; n % 8 != 0; n++)
        buffer_append_byte(b, 0);
}

void gen_perf_put_text(const struct gen_perf *p, struct buffer *b, const char *text)
{
    size_t n = (strlen(text) + 1 + 7) & ~(size_t)7;
    gen_perf_put(p, b, 4, n);
    put_padded(b, text);
}

/* Flags are bit fields, so each byte is turned on a big-endian machine. */
static void put_flags(const struct gen_perf *p, struct buffer *b, uint64_t flags)
{
    for (int i = 0; i < 8; i++) {
        unsigned byte = (unsigned)(flags >> 8 * i) & 0xFF, turned = 0;
        for (int bit = 0; bit < 8; bit++)
            turned |= (byte >> bit & 1) << (7 - bit);
        buffer_append_byte(b, (char)(p->is_swapped ? turned : byte));
    }
}

static void put_attr(const struct gen_perf *p, struct buffer *b, const struct gen_perf_attr *attr)
{
    uint64_t flags = 1 << 18; /* ids behind every record */
    size_t start = b->length;
    if (attr->is_frequency) flags |= 1 << 10;
    if (attr->clock_id >= 0) flags |= 1 << 25;
    gen_perf_put(p, b, 4, attr->type);
    gen_perf_put(p, b, 4, ATTR_BYTES);
    gen_perf_put(p, b, 8, attr->config);
    gen_perf_put(p, b, 8, attr->period);
    gen_perf_put(p, b, 8, attr->sample_type);
    gen_perf_put(p, b, 8, attr->read_format);
    put_flags(p, b, flags);
    while (b->length < start + 92)
        buffer_append_byte(b, 0);
    gen_perf_put(p, b, 4, attr->clock_id < 0 ? 0 : (uint32_t)attr->clock_id);
    while (b->length < start + ATTR_BYTES)
        buffer_append_byte(b, 0);
}

void gen_perf_attr(struct gen_perf *p, const struct gen_perf_attr *attr)
{
    struct buffer body = BUFFER_INIT, *to = p->is_pipe ? &body : &p->attrs;
    if (p->sample_type == 0) p->sample_type = attr->sample_type;
    put_attr(p, to, attr);
    size_t n = 0, before = p->ids.length;
    for (; n < 2 && attr->ids[n]; n++)
        gen_perf_put(p, p->is_pipe ? &body : &p->ids, 8, attr->ids[n]);
    if (p->is_pipe) {
        gen_perf_record(p, HEADER_ATTR, 0, &body);
        return;
    }
    gen_perf_put(p, to, 8, FILE_HEADER + before);
    gen_perf_put(p, to, 8, 8 * n);
}

void gen_perf_record(struct gen_perf *p, uint32_t type, uint16_t misc, struct buffer *body)
{
    gen_perf_put(p, &p->data, 4, type);
    gen_perf_put(p, &p->data, 2, misc);
    gen_perf_put(p, &p->data, 2, 8 + body->length);
    buffer_append(&p->data, body->data, body->length);
    buffer_free(body);
}

static void put_sample_id(const struct gen_perf *p, struct buffer *b, int32_t pid, int32_t tid,
                          uint64_t time)
{
    uint64_t fields = p->sample_type;
    if (fields & GEN_PERF_TID) {
        gen_perf_put(p, b, 4, (uint32_t)pid);
        gen_perf_put(p, b, 4, (uint32_t)tid);
    }
    if (fields & GEN_PERF_TIME) gen_perf_put(p, b, 8, time);
    if (fields & GEN_PERF_ID) gen_perf_put(p, b, 8, 0);
    if (fields & GEN_PERF_CPU) gen_perf_put(p, b, 8, 0);
    if (fields & GEN_PERF_IDENTIFIER) gen_perf_put(p, b, 8, 0);
}

static void put_mmap(const struct gen_perf *p, struct buffer *b, int32_t pid, uint64_t start,
                     uint64_t size, uint64_t offset)
{
    gen_perf_put(p, b, 4, (uint32_t)pid);
    gen_perf_put(p, b, 4, pid < 0 ? 0 : (uint32_t)pid);
    gen_perf_put(p, b, 8, start);
    gen_perf_put(p, b, 8, size);
    gen_perf_put(p, b, 8, offset);
}

void gen_perf_mmap(struct gen_perf *p, int32_t pid, uint64_t start, uint64_t size, uint64_t offset,
                   const char *path, uint64_t time)
{
    struct buffer body = BUFFER_INIT;
    put_mmap(p, &body, pid, start, size, offset);
    put_padded(&body, path);
    put_sample_id(p, &body, pid, pid, time);
    gen_perf_record(p, MMAP, pid < 0 ? GEN_PERF_KERNEL : GEN_PERF_USER, &body);
}

void gen_perf_mmap2(struct gen_perf *p, int32_t pid, uint64_t start, uint64_t size, uint64_t offset,
                    const char *path, const char *build_id, uint64_t time)
{
    struct buffer body = BUFFER_INIT;
    uint16_t misc = pid < 0 ? GEN_PERF_KERNEL : GEN_PERF_USER;
    put_mmap(p, &body, pid, start, size, offset);
    size_t n = build_id ? strlen(build_id) : 0;
    if (build_id) misc |= MISC_BUILD_ID;
    gen_perf_put(p, &body, 1, n);
    gen_perf_put(p, &body, 3, 0);
    buffer_append(&body, build_id, n);
    for (; n < 20; n++)
        buffer_append_byte(&body, 0);
    gen_perf_put(p, &body, 8, 5); /* may be read and run */
    put_padded(&body, path);
    put_sample_id(p, &body, pid, pid, time);
    gen_perf_record(p, MMAP2, misc, &body);
}

void gen_perf_comm(struct gen_perf *p, int32_t pid, int32_t tid, const char *comm, uint64_t time)
{
    struct buffer body = BUFFER_INIT;
    gen_perf_put(p, &body, 4, (uint32_t)pid);
    gen_perf_put(p, &body, 4, (uint32_t)tid);
    put_padded(&body, comm);
    put_sample_id(p, &body, pid, tid, time);
    gen_perf_record(p, COMM, 0, &body);
}

void gen_perf_sample(struct gen_perf *p, const struct gen_perf_attr *attr,
                     const struct gen_perf_sample *s)
{
    struct buffer b = BUFFER_INIT;
    uint64_t fields = attr->sample_type;
    if (fields & GEN_PERF_IDENTIFIER) gen_perf_put(p, &b, 8, s->id);
    if (fields & GEN_PERF_IP) gen_perf_put(p, &b, 8, s->ip);
    if (fields & GEN_PERF_TID) {
        gen_perf_put(p, &b, 4, (uint32_t)s->pid);
        gen_perf_put(p, &b, 4, (uint32_t)s->tid);
    }
    if (fields & GEN_PERF_TIME) gen_perf_put(p, &b, 8, s->time);
    if (fields & GEN_PERF_ID) gen_perf_put(p, &b, 8, s->id);
    if (fields & GEN_PERF_CPU) {
        gen_perf_put(p, &b, 4, s->cpu);
        gen_perf_put(p, &b, 4, 0);
    }
    if (fields & GEN_PERF_PERIOD) gen_perf_put(p, &b, 8, s->period);
    if (fields & GEN_PERF_READ) {
        gen_perf_put(p, &b, 8, s->n_counters / 2);
        gen_perf_put(p, &b, 8, 1000); /* enabled */
        for (size_t i = 0; i < s->n_counters; i++)
            gen_perf_put(p, &b, 8, s->counters[i]);
    }
    if (fields & GEN_PERF_CALLCHAIN) {
        gen_perf_put(p, &b, 8, s->n_chain);
        for (size_t i = 0; i < s->n_chain; i++)
            gen_perf_put(p, &b, 8, s->chain[i]);
    }
    gen_perf_record(p, SAMPLE, s->mode, &b);
}

void gen_perf_feature(struct gen_perf *p, uint32_t feature, struct buffer *body)
{
    if (p->is_pipe) {
        struct buffer record = BUFFER_INIT;
        gen_perf_put(p, &record, 8, feature);
        buffer_append(&record, body->data, body->length);
        gen_perf_record(p, HEADER_FEATURE, 0, &record);
    } else {
        p->features[feature / 64] |= (uint64_t)1 << feature % 64;
        p->n_features++;
        gen_perf_put(p, &p->feature_sizes, 8, body->length);
        buffer_append(&p->feature_bytes, body->data, body->length);
    }
    buffer_free(body);
}

static void finish_file(struct gen_perf *p, struct buffer *out)
{
    uint64_t attrs = FILE_HEADER + p->ids.length, data = attrs + p->attrs.length;
    gen_perf_put(p, out, 8, FILE_HEADER);
    gen_perf_put(p, out, 8, ENTRY_BYTES);
    gen_perf_put(p, out, 8, attrs);
    gen_perf_put(p, out, 8, p->attrs.length);
    gen_perf_put(p, out, 8, data);
    gen_perf_put(p, out, 8, p->data.length);
    gen_perf_put(p, out, 8, 0);
    gen_perf_put(p, out, 8, 0);
    for (int i = 0; i < 4; i++)
        gen_perf_put(p, out, 8, p->features[i]);
    buffer_append(out, p->ids.data, p->ids.length);
    buffer_append(out, p->attrs.data, p->attrs.length);
    buffer_append(out, p->data.data, p->data.length);
    uint64_t at = data + p->data.length + 16 * p->n_features;
    for (uint64_t i = 0; i < p->n_features; i++) {
        uint64_t size = 0;
        for (int byte = 0; byte < 8; byte++)
            size |= (uint64_t)(uint8_t)p->feature_sizes.data[8 * i + (uint64_t)byte]
                    << 8 * (p->is_swapped ? 7 - byte : byte);
        gen_perf_put(p, out, 8, at);
        gen_perf_put(p, out, 8, size);
        at += size;
    }
    buffer_append(out, p->feature_bytes.data, p->feature_bytes.length);
}

void gen_perf_finish(struct gen_perf *p, struct buffer *out)
{
    buffer_append_text(out, p->is_swapped ? "2ELIFREP" : "PERFILE2");
    if (p->is_pipe) {
        gen_perf_put(p, out, 8, 16);
        buffer_append(out, p->data.data, p->data.length);
    } else {
        finish_file(p, out);
    }
    buffer_free(&p->attrs);
    buffer_free(&p->ids);
    buffer_free(&p->data);
    buffer_free(&p->feature_sizes);
    buffer_free(&p->feature_bytes);
}
