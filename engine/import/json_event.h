/* One event of a Chrome JSON trace, its fields found but not interned (spec
 * engine_2b 6.5.2).  Reading one allocates nothing; all text points into the
 * bytes of the file. */
#ifndef ENGINE_IMPORT_JSON_EVENT_H
#define ENGINE_IMPORT_JSON_EVENT_H

#include "engine/import/json_pull.h"

/* A value that is no object or array; type JSON_DONE stands for "absent". */
struct json_scalar {
    enum json_token type;
    bool has_escapes;
    struct str text;
};

enum json_time_state { JSON_TIME_ABSENT, JSON_TIME_OK, JSON_TIME_BAD };

struct json_time {
    enum json_time_state state;
    int64_t ns;
};

struct json_event {
    char phase; /* 0 when there is none */
    bool has_fields;
    bool flow_in, flow_out;
    struct json_time ts, dur, tts, tdur;
    struct json_scalar pid, tid, id, id2_local, id2_global, bind_id;
    struct json_scalar category, name, scope, bind_point;
    struct str args; /* the object with its braces; STR_NONE when absent or no object */
};

/* Reads the object at byte `from`.  JSON_DONE and *end behind it; JSON_CUT; or
 * JSON_ERROR and *end where it is no JSON. */
enum json_token json_event_read(struct str bytes, size_t from, struct json_event *event,
                                size_t *end);

static inline bool json_has(const struct json_scalar *value)
{
    return value->type != JSON_DONE && value->type != JSON_NULL;
}

static inline bool json_is_text(const struct json_scalar *value)
{
    return value->type == JSON_STRING;
}

/* A number as int64: a fraction is cut off; false when it does not fit. */
bool json_to_int64(struct str number, int64_t *out);
/* Is the number written without fraction and power? */
bool json_is_integer(struct str number);

#endif
