#include "tests/gen/simpleperf.h"

#include "tests/gen/wire.h"

enum record_field {
    RECORD_SAMPLE = 1,
    RECORD_LOST,
    RECORD_FILE,
    RECORD_THREAD,
    RECORD_META,
    RECORD_SWITCH
};

void gen_simpleperf_start(struct buffer *out, uint16_t version)
{
    buffer_append_text(out, "SIMPLEPERF");
    gen_le16(out, version);
}

static void put_record(struct buffer *out, enum record_field field, struct buffer *body)
{
    struct buffer record = BUFFER_INIT;
    gen_nested(&record, field, body);
    gen_le32(out, (uint32_t)record.length);
    buffer_append(out, record.data, record.length);
    buffer_free(&record);
    buffer_free(body);
}

void gen_simpleperf_sample(struct buffer *out, int64_t time_ns, int32_t tid,
                           const struct gen_simpleperf_frame *frames, size_t count,
                           uint64_t event_count, uint32_t event_type)
{
    struct buffer body = BUFFER_INIT;
    gen_uint(&body, 1, (uint64_t)time_ns);
    gen_int(&body, 2, tid);
    for (size_t i = 0; i < count; i++) {
        size_t entry = gen_open(&body, 3);
        gen_uint(&body, 1, frames[i].vaddr);
        gen_uint(&body, 2, frames[i].file_id);
        gen_int(&body, 3, frames[i].symbol_id);
        gen_close(&body, entry);
    }
    gen_uint(&body, 4, event_count);
    gen_uint(&body, 5, event_type);
    put_record(out, RECORD_SAMPLE, &body);
}

void gen_simpleperf_lost(struct buffer *out, uint64_t samples, uint64_t lost)
{
    struct buffer body = BUFFER_INIT;
    gen_uint(&body, 1, samples);
    gen_uint(&body, 2, lost);
    put_record(out, RECORD_LOST, &body);
}

void gen_simpleperf_file(struct buffer *out, uint32_t id, const char *path,
                         const char *const *symbols, size_t count)
{
    struct buffer body = BUFFER_INIT;
    gen_uint(&body, 1, id);
    gen_text(&body, 2, path);
    for (size_t i = 0; i < count; i++)
        gen_text(&body, 3, symbols[i]);
    put_record(out, RECORD_FILE, &body);
}

void gen_simpleperf_thread(struct buffer *out, int32_t tid, int32_t pid, const char *name)
{
    struct buffer body = BUFFER_INIT;
    gen_int(&body, 1, tid);
    gen_int(&body, 2, pid);
    gen_text(&body, 3, name);
    put_record(out, RECORD_THREAD, &body);
}

void gen_simpleperf_meta(struct buffer *out, const char *event_type, const char *package)
{
    struct buffer body = BUFFER_INIT;
    gen_text(&body, 1, event_type);
    gen_text(&body, 2, package);
    put_record(out, RECORD_META, &body);
}

void gen_simpleperf_context_switch(struct buffer *out, bool is_on, int64_t time_ns, int32_t tid)
{
    struct buffer body = BUFFER_INIT;
    gen_uint(&body, 1, is_on);
    gen_uint(&body, 2, (uint64_t)time_ns);
    gen_int(&body, 3, tid);
    put_record(out, RECORD_SWITCH, &body);
}

void gen_simpleperf_finish(struct buffer *out)
{
    gen_le32(out, 0);
}
