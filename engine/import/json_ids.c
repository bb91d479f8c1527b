#include "engine/import/json_state.h"

#include "engine/base/hash.h"

/* A pid or tid that is text gets a number.  The reference takes the text's place in
 * its string pool; so that the same trace shows the same numbers here, that pool's
 * growth is followed: names and categories fill it in file order, and a string
 * takes its length and an overhead. */
#define FIRST_PLACE    53992
#define PLACE_OVERHEAD 5
#define EMPTY_PLACE    313
#define FILE_SHIFT     24 /* keeps files of one input apart */

struct str json_text(const struct json_scalar *value, struct buffer *buffer)
{
    return json_is_text(value) ? json_decode(value->text, value->has_escapes, buffer) : STR_NONE;
}

string_id json_intern(struct json_state *state, const struct json_scalar *value)
{
    struct str text = json_text(value, &state->text);
    return text.n ? strpool_intern(state->import->strings, text) : STRING_NULL;
}

static int64_t first_place(const struct json_state *state)
{
    const struct trace_file_table *files = &state->import->tables->trace_file;
    int64_t place = FIRST_PLACE + ((int64_t)state->queue << FILE_SHIFT);
    uint32_t rows = table_rows(&files->table), row = state->file->file_id;
    /* The types of the containers around the file are in the pool already. */
    for (uint32_t up = 0; up < rows && row < rows; up++) {
        row = column_get_row(&files->parent_id, row);
        if (row >= rows) break;
        struct str type =
            strpool_get(state->import->strings, column_get_string(&files->trace_type, row));
        place += (int64_t)type.n + PLACE_OVERHEAD;
    }
    return place;
}

int64_t json_place(struct json_state *state, string_id id)
{
    if (id == STRING_NULL) return 0;
    if (id >= state->places.count) {
        vec_reserve(&state->places, (size_t)id + 1);
        memset(state->places.items + state->places.count, 0,
               ((size_t)id + 1 - state->places.count) * sizeof *state->places.items);
        state->places.count = (size_t)id + 1;
    }
    int64_t *place = &state->places.items[id];
    if (*place == 0) {
        if (state->next_place == 0) state->next_place = first_place(state);
        *place = state->next_place;
        state->next_place += (int64_t)strpool_get(state->import->strings, id).n + PLACE_OVERHEAD;
    }
    return *place;
}

void json_note_places(struct json_state *state, const struct json_event *event)
{
    const struct json_scalar *values[] = {&event->name, &event->category, &event->pid, &event->tid};
    enum { N = sizeof values / sizeof *values };
    /* In the order in which the event has them. */
    for (int i = 1; i < N; i++)
        for (int k = i; k > 0 && values[k]->text.p < values[k - 1]->text.p; k--) {
            const struct json_scalar *swap = values[k];
            values[k] = values[k - 1];
            values[k - 1] = swap;
        }
    for (int i = 0; i < N; i++)
        json_place(state, json_intern(state, values[i]));
}

static bool read_id(struct json_state *state, const struct json_scalar *value, int64_t *id,
                    string_id *name, bool *out_of_range)
{
    *id = 0;
    *name = STRING_NULL;
    if (json_is_text(value)) {
        *name = json_intern(state, value);
        *id = *name ? json_place(state, *name) : EMPTY_PLACE;
        if (!*name) *name = strpool_intern(state->import->strings, STR(""));
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
    /* Facts about a process name no thread; writers put a 0 there. */
    bool of_process = event->phase == 'M' && !str_starts(event->name.text, STR("thread_"));
    if ((!thread.has_tid || (of_process && thread.tid == 0)) && thread.pid != 0) {
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
