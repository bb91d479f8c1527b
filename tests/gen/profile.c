#include "tests/gen/profile.h"

#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

void gen_profile_defaults(struct gen_seq *seq, const char *timebase_name, uint64_t period)
{
    size_t packet = gen_seq_packet_open(seq, -1);
    size_t defaults = gen_open(seq->trace, GEN_PACKET_DEFAULTS);
    size_t perf = gen_open(seq->trace, 12);
    size_t timebase = gen_open(seq->trace, 1);
    gen_uint(seq->trace, 1, period);
    gen_uint(seq->trace, 4, 1); /* the CPU clock */
    gen_text(seq->trace, 10, timebase_name);
    gen_close(seq->trace, timebase);
    gen_close(seq->trace, perf);
    gen_close(seq->trace, defaults);
    gen_seq_packet_close(seq, packet);
}

static uint64_t intern_mapping(struct gen_seq *seq, const char *path)
{
    struct buffer body = BUFFER_INIT, key = BUFFER_INIT;
    struct str rest = str_of(path), part;
    gen_uint(&body, 2, gen_seq_intern(seq, GEN_INTERNED_BUILD_ID, "\x0a\x0b\x0c\x0d"));
    gen_uint(&body, 4, UINT64_C(0x7000000000));
    gen_uint(&body, 5, UINT64_C(0x7000100000));
    while (str_split_next(&rest, '/', &part)) {
        if (!part.n) continue;
        buffer_clear(&key);
        buffer_append_str(&key, part);
        gen_uint(&body, 7, gen_seq_intern(seq, GEN_INTERNED_MAPPING_PATH, buffer_text(&key)));
    }
    uint64_t iid = gen_seq_intern_body(seq, GEN_INTERNED_MAPPING, path, &body);
    buffer_free(&body);
    buffer_free(&key);
    return iid;
}

static uint64_t intern_frame(struct gen_seq *seq, const struct gen_profile_frame *frame)
{
    struct buffer body = BUFFER_INIT, key = BUFFER_INIT;
    gen_uint(&body, 2, gen_seq_intern(seq, GEN_INTERNED_FUNCTION, frame->function));
    gen_uint(&body, 3, intern_mapping(seq, frame->mapping));
    gen_uint(&body, 4, frame->rel_pc);
    buffer_printf(&key, "%s|%s|%llx", frame->function, frame->mapping,
                  (unsigned long long)frame->rel_pc);
    uint64_t iid = gen_seq_intern_body(seq, GEN_INTERNED_FRAME, buffer_text(&key), &body);
    buffer_free(&body);
    buffer_free(&key);
    return iid;
}

uint64_t gen_profile_callstack(struct gen_seq *seq, const struct gen_profile_frame *frames,
                               size_t count)
{
    struct buffer body = BUFFER_INIT, key = BUFFER_INIT;
    for (size_t i = 0; i < count; i++) {
        uint64_t frame = intern_frame(seq, &frames[i]);
        gen_uint(&body, 2, frame);
        buffer_printf(&key, "%llu,", (unsigned long long)frame);
    }
    uint64_t iid = gen_seq_intern_body(seq, GEN_INTERNED_CALLSTACK, buffer_text(&key), &body);
    buffer_free(&body);
    buffer_free(&key);
    return iid;
}

static void put_sample(struct gen_seq *seq, int64_t ts_ns, const struct buffer *body)
{
    size_t packet = gen_seq_packet_open(seq, ts_ns);
    gen_nested(seq->trace, GEN_PACKET_PERF_SAMPLE, body);
    gen_seq_packet_close(seq, packet);
}

void gen_profile_sample(struct gen_seq *seq, int64_t ts_ns, uint32_t cpu, uint32_t pid,
                        uint32_t tid, enum gen_cpu_mode mode, uint64_t callstack, uint64_t count)
{
    struct buffer body = BUFFER_INIT;
    gen_uint(&body, 1, cpu);
    gen_uint(&body, 2, pid);
    gen_uint(&body, 3, tid);
    if (callstack) gen_uint(&body, 4, callstack);
    gen_uint(&body, 5, mode);
    gen_uint(&body, 6, count);
    put_sample(seq, ts_ns, &body);
    buffer_free(&body);
}

void gen_profile_lost(struct gen_seq *seq, int64_t ts_ns, uint32_t cpu, uint64_t records)
{
    struct buffer body = BUFFER_INIT;
    gen_uint(&body, 1, cpu);
    gen_uint(&body, 17, records);
    put_sample(seq, ts_ns, &body);
    buffer_free(&body);
}
