/* Kernel events inside Chrome JSON: the text of an ftrace in one string (spec
 * engine_2b 6.5.1). */
#include "engine/import/json_state.h"
#include "engine/import/systrace.h"

static bool is_comment(struct str line)
{
    return line.n == 0 || line.p[0] == '#';
}

/* The text itself; what had to be decoded stays until the load ends. */
static struct str keep_text(struct json_state *state, const struct json_scalar *text)
{
    struct buffer decoded = BUFFER_INIT;
    struct str lines = json_text(text, &decoded);
    if (decoded.length == 0) {
        buffer_free(&decoded);
        return lines;
    }
    char *kept = buffer_take(&decoded);
    vec_push(&state->system_texts, kept);
    return (struct str){kept, lines.n};
}

void json_system_trace(struct json_state *state, const struct json_scalar *text, size_t offset)
{
    struct str rest = keep_text(state, text);
    size_t end;
    if (!state->systrace && rest.n > 0) state->systrace = systrace_new(state->file);
    while (str_find_byte(rest, '\n', &end)) {
        struct str line = str_slice(rest, 0, end);
        rest = str_slice(rest, end + 1, rest.n);
        if (is_comment(line)) continue;
        if (systrace_push_line(state->systrace, line))
            state->n_entered++;
        else
            json_fail_event(state, STAT_systrace_parse_failure, offset,
                            "Not a known systrace event format");
    }
    if (!is_comment(str_trim(rest)))
        json_fail_event(state, STAT_systrace_parse_failure, offset,
                        "the last line of systemTraceEvents has no end and is not read");
}

void json_system_trace_free(struct json_state *state)
{
    systrace_free(state->systrace);
    for (size_t i = 0; i < state->system_texts.count; i++)
        mem_free(state->system_texts.items[i]);
    vec_free(&state->system_texts);
}
