/* Chrome JSON traces: an event a line, written with care for escapes only.  Times
 * are ns, written as microseconds with three decimals. */
#ifndef TESTS_GEN_CHROME_H
#define TESTS_GEN_CHROME_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/buffer.h"

struct gen_chrome {
    struct buffer *out; /* borrowed */
    bool has_events;
};

void gen_chrome_start(struct gen_chrome *c, struct buffer *out);
/* args_json is the text of an object, or NULL. */
void gen_chrome_complete(struct gen_chrome *c, int64_t ts_ns, int64_t dur_ns, int32_t pid,
                         int32_t tid, const char *name, const char *args_json);
/* Any phase: B E i I b n e s t f C … ; extra_json is more members of the event
 * (`"id":1,"bp":"e"`), or NULL. */
void gen_chrome_event(struct gen_chrome *c, char phase, int64_t ts_ns, int32_t pid, int32_t tid,
                      const char *category, const char *name, const char *extra_json);
void gen_chrome_process_name(struct gen_chrome *c, int32_t pid, const char *name);
void gen_chrome_thread_name(struct gen_chrome *c, int32_t pid, int32_t tid, const char *name);
void gen_chrome_finish(struct gen_chrome *c);

/* A JSON string with its quotes; bytes from 0x80 on are copied. */
void gen_json_string(struct buffer *out, struct str s);

#endif
