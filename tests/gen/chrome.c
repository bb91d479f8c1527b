#include "tests/gen/chrome.h"

#include <inttypes.h>

void gen_json_string(struct buffer *out, struct str s)
{
    buffer_append_byte(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\')
            buffer_printf(out, "\\%c", c);
        else if (c == '\n')
            buffer_append_text(out, "\\n");
        else if (c < 0x20 || c == 0x7f)
            buffer_printf(out, "\\u%04x", c);
        else
            buffer_append_byte(out, (char)c);
    }
    buffer_append_byte(out, '"');
}

void gen_chrome_start(struct gen_chrome *c, struct buffer *out)
{
    *c = (struct gen_chrome){.out = out};
    buffer_append_text(out, "{\"traceEvents\":[\n");
}

static void put_us(struct buffer *out, const char *key, int64_t ns)
{
    buffer_printf(out, ",\"%s\":%" PRId64 ".%03d", key, ns / 1000, (int)(ns % 1000));
}

static void open_event(struct gen_chrome *c, char phase, int32_t pid, int32_t tid, const char *name)
{
    buffer_printf(c->out,
                  "%s{\"ph\":\"%c\",\"pid\":%d,\"tid\":%d,\"name\":", c->has_events ? ",\n" : "",
                  phase, pid, tid);
    gen_json_string(c->out, str_of(name));
    c->has_events = true;
}

void gen_chrome_complete(struct gen_chrome *c, int64_t ts_ns, int64_t dur_ns, int32_t pid,
                         int32_t tid, const char *name, const char *args_json)
{
    open_event(c, 'X', pid, tid, name);
    put_us(c->out, "ts", ts_ns);
    put_us(c->out, "dur", dur_ns);
    if (args_json) buffer_printf(c->out, ",\"args\":%s", args_json);
    buffer_append_byte(c->out, '}');
}

void gen_chrome_event(struct gen_chrome *c, char phase, int64_t ts_ns, int32_t pid, int32_t tid,
                      const char *category, const char *name, const char *extra_json)
{
    open_event(c, phase, pid, tid, name);
    put_us(c->out, "ts", ts_ns);
    if (category) {
        buffer_append_text(c->out, ",\"cat\":");
        gen_json_string(c->out, str_of(category));
    }
    if (extra_json) buffer_printf(c->out, ",%s", extra_json);
    buffer_append_byte(c->out, '}');
}

static void put_name(struct gen_chrome *c, int32_t pid, int32_t tid, const char *kind,
                     const char *name)
{
    open_event(c, 'M', pid, tid, kind);
    buffer_append_text(c->out, ",\"args\":{\"name\":");
    gen_json_string(c->out, str_of(name));
    buffer_append_text(c->out, "}}");
}

void gen_chrome_process_name(struct gen_chrome *c, int32_t pid, const char *name)
{
    put_name(c, pid, pid, "process_name", name);
}

void gen_chrome_thread_name(struct gen_chrome *c, int32_t pid, int32_t tid, const char *name)
{
    put_name(c, pid, tid, "thread_name", name);
}

void gen_chrome_finish(struct gen_chrome *c)
{
    buffer_append_text(c->out, "\n]}\n");
}
