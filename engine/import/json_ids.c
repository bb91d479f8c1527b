#include "engine/import/json_state.h"

#include "engine/base/hash.h"

/* A pid or tid that is text gets a number.  The numbers begin where the
 * reference's usually do, so that small traces show the same ones, and each takes
 * as much room as the text would in a string pool. */
#define FIRST_TEXT_ID 53992
#define TEXT_OVERHEAD 5

struct str json_text(const struct json_scalar *value, struct buffer *buffer)
{
    return json_is_text(value) ? json_decode(value->text, value->has_escapes, buffer) : STR_NONE;
}

string_id json_intern(struct json_state *state, const struct json_scalar *value)
{
    struct str text = json_text(value, &state->text);
    return text.n ? strpool_intern(state->import->strings, text) : STRING_NULL;
}

static int64_t text_id(struct json_state *state, struct str text)
{
    if (state->next_text_id == 0)
        state->next_text_id = FIRST_TEXT_ID + ((int64_t)state->file->file_id << 24);
    bool added;
    uint64_t *id =
        strmap_put_if_absent(&state->text_ids, text, (uint64_t)state->next_text_id, &added);
    if (added) state->next_text_id += (int64_t)text.n + TEXT_OVERHEAD;
    return (int64_t)*id;
}

static bool read_id(struct json_state *state, const struct json_scalar *value, int64_t *id,
                    string_id *name, bool *out_of_range)
{
    *id = 0;
    *name = STRING_NULL;
    if (json_is_text(value)) {
        struct str text = json_text(value, &state->text);
        *name = strpool_intern(state->import->strings, text);
        *id = text_id(state, text);
        return true;
    }
    if (value->type != JSON_NUMBER) return false;
    /* What does not fit 32 bits is no pid, but it is kept as it is: made 0, it
     * would join strangers in one process. */
    if (!json_to_int64(value->text, id)) *out_of_range = true;
    if (*id < 0 || *id > (int64_t)UINT32_MAX) *out_of_range = true;
    return true;
}

struct json_thread json_thread_of(struct json_state *state, const struct json_event *event)
{
    struct json_thread thread = {0};
    thread.has_pid =
        read_id(state, &event->pid, &thread.pid, &thread.pid_name, &thread.out_of_range);
    thread.has_tid =
        read_id(state, &event->tid, &thread.tid, &thread.tid_name, &thread.out_of_range);
    if (!thread.has_tid && thread.pid != 0) {
        thread.tid = thread.pid;
        thread.has_tid = true;
    }
    return thread;
}

bool json_flow_id(const struct json_scalar *value, uint64_t *id)
{
    if (value->type == JSON_NUMBER) {
        int64_t number;
        if (str_to_uint64(value->text, id)) return true;
        if (!json_to_int64(value->text, &number)) return false;
        *id = (uint64_t)number;
        return true;
    }
    if (!json_is_text(value) || value->text.n == 0) return false;
    struct str hex = value->text;
    if (hex.n > 2 && hex.p[0] == '0' && (hex.p[1] == 'x' || hex.p[1] == 'X'))
        hex = str_slice(hex, 2, hex.n);
    *id = 0;
    for (size_t i = 0; i < hex.n; i++) {
        char c = hex.p[i];
        uint64_t digit;
        if (c >= '0' && c <= '9')
            digit = (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = (uint64_t)(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            digit = (uint64_t)(c - 'A' + 10);
        else
            return false;
        if (*id >> 60) return false;
        *id = *id << 4 | digit;
    }
    return true;
}

uint64_t json_id_hash(const struct json_scalar *value)
{
    return hash_mix(json_is_text(value) ? 1 : 2, hash_bytes(value->text.p, value->text.n));
}
