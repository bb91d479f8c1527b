#include "engine/import/json_event.h"

#include <math.h>

#define US_TO_NS_POWER 3

bool json_is_integer(struct str number)
{
    size_t at;
    return !str_find_byte(number, '.', &at) && !str_find_byte(number, 'e', &at) &&
           !str_find_byte(number, 'E', &at);
}

bool json_to_int64(struct str number, int64_t *out)
{
    double value;
    if (json_is_integer(number)) return str_to_int64(number, out);
    if (!str_to_double(number, &value) || !(fabs(value) < 9.2e18)) return false;
    *out = (int64_t)value;
    return true;
}

/* Microseconds as a number or as text, to ns, exactly. */
static struct json_time read_time(const struct json_scalar *value)
{
    struct json_time time = {JSON_TIME_BAD, 0};
    if (value->type == JSON_NUMBER || value->type == JSON_STRING) {
        struct str text = value->type == JSON_STRING ? str_trim(value->text) : value->text;
        if (str_to_scaled_int64(text, US_TO_NS_POWER, &time.ns)) time.state = JSON_TIME_OK;
    }
    return time;
}

enum field {
    FIELD_OTHER,
    FIELD_PH,
    FIELD_TS,
    FIELD_DUR,
    FIELD_TTS,
    FIELD_TDUR,
    FIELD_PID,
    FIELD_TID,
    FIELD_ID,
    FIELD_ID2,
    FIELD_BIND_ID,
    FIELD_CAT,
    FIELD_NAME,
    FIELD_S,
    FIELD_BP,
    FIELD_FLOW_IN,
    FIELD_FLOW_OUT,
    FIELD_ARGS,
};

static enum field field_of(struct str key)
{
    static const struct {
        const char *name;
        size_t length;
        enum field field;
    } FIELDS[] = {
        {"ph", 2, FIELD_PH},
        {"ts", 2, FIELD_TS},
        {"pid", 3, FIELD_PID},
        {"tid", 3, FIELD_TID},
        {"name", 4, FIELD_NAME},
        {"cat", 3, FIELD_CAT},
        {"args", 4, FIELD_ARGS},
        {"dur", 3, FIELD_DUR},
        {"tts", 3, FIELD_TTS},
        {"tdur", 4, FIELD_TDUR},
        {"id", 2, FIELD_ID},
        {"s", 1, FIELD_S},
        {"bp", 2, FIELD_BP},
        {"id2", 3, FIELD_ID2},
        {"bind_id", 7, FIELD_BIND_ID},
        {"flow_in", 7, FIELD_FLOW_IN},
        {"flow_out", 8, FIELD_FLOW_OUT},
    };
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
        if (key.n == FIELDS[i].length && memcmp(key.p, FIELDS[i].name, key.n) == 0)
            return FIELDS[i].field;
    return FIELD_OTHER;
}

static void put_scalar(struct json_event *event, enum field field, const struct json_scalar *value)
{
    switch (field) {
    case FIELD_PH:
        event->phase = json_is_text(value) && value->text.n ? value->text.p[0] : 0;
        break;
    case FIELD_TS: event->ts = read_time(value); break;
    case FIELD_DUR: event->dur = read_time(value); break;
    case FIELD_TTS: event->tts = read_time(value); break;
    case FIELD_TDUR: event->tdur = read_time(value); break;
    case FIELD_PID: event->pid = *value; break;
    case FIELD_TID: event->tid = *value; break;
    case FIELD_ID: event->id = *value; break;
    case FIELD_BIND_ID: event->bind_id = *value; break;
    case FIELD_CAT: event->category = *value; break;
    case FIELD_NAME: event->name = *value; break;
    case FIELD_S: event->scope = *value; break;
    case FIELD_BP: event->bind_point = *value; break;
    case FIELD_FLOW_IN: event->flow_in = value->type == JSON_TRUE; break;
    case FIELD_FLOW_OUT: event->flow_out = value->type == JSON_TRUE; break;
    case FIELD_ARGS: event->args = STR_NONE; break;
    case FIELD_ID2:
    case FIELD_OTHER: break;
    }
}

/* id2 is {"local": …} or {"global": …}.  The object has just begun. */
static enum json_token read_id2(struct json_pull *pull, struct json_event *event)
{
    for (;;) {
        enum json_token token = json_pull_next(pull);
        if (token != JSON_KEY) return token;
        bool is_local = str_equal(pull->text, STR("local"));
        bool is_global = str_equal(pull->text, STR("global"));
        token = json_pull_next(pull);
        if (token == JSON_OBJECT || token == JSON_ARRAY) token = json_pull_skip(pull, token);
        if (token <= JSON_ERROR) return token;
        struct json_scalar value = {token, pull->has_escapes, pull->text};
        if (is_local) event->id2_local = value;
        if (is_global) event->id2_global = value;
    }
}

static enum json_token read_field(struct json_pull *pull, struct json_event *event)
{
    enum field field = field_of(pull->text);
    event->has_fields = true;
    enum json_token token = json_pull_next(pull);
    if (token <= JSON_ERROR) return token;
    if (token != JSON_OBJECT && token != JSON_ARRAY) {
        struct json_scalar value = {token, pull->has_escapes, pull->text};
        put_scalar(event, field, &value);
        return token;
    }
    if (field == FIELD_ID2 && token == JSON_OBJECT) return read_id2(pull, event);
    const char *begin = pull->at - 1;
    bool is_object = token == JSON_OBJECT;
    struct json_scalar compound = {token, false, STR_NONE};
    token = json_pull_skip(pull, token);
    put_scalar(event, field, &compound);
    if (field == FIELD_ARGS && is_object)
        event->args = (struct str){begin, (size_t)(pull->at - begin)};
    return token;
}

enum json_token json_event_read(struct str bytes, size_t from, struct json_event *event,
                                size_t *end)
{
    struct json_pull pull;
    memset(event, 0, sizeof *event);
    json_pull_init(&pull, bytes, from);
    enum json_token token = json_pull_next(&pull);
    while (token > JSON_ERROR) {
        token = json_pull_next(&pull);
        if (token == JSON_KEY) token = read_field(&pull, event);
        if (pull.depth == 0 && token > JSON_ERROR) token = JSON_DONE;
    }
    *end = json_pull_offset(&pull);
    return token;
}
