/* What a counter's track shows: its value, its change, or its rate; on which scale. */
#include <string.h>

#include "commands/core.h"
#include "commands/session.h"

static const char *const modes[] = {"value", "delta", "rate"};
static const char *const scales[] = {"zero", "min-max", "log"};
#define CHOICES 3u

static bool is_counter(const struct track_node *node)
{
    return node && (node->kind == TRACK_KIND_COUNTER || node->kind == TRACK_KIND_CPU_FREQ ||
                    node->kind == TRACK_KIND_DEBUG_COUNTER);
}

/* The track and its pinned copies show the same. */
static void set_on(struct track_tree *tree, const char *uri, enum counter_mode mode,
                   enum counter_scale scale)
{
    struct track_node *node = track_tree_find(tree, uri);
    if (!node) return;
    node->counter_mode = (uint8_t)mode;
    node->counter_scale = (uint8_t)scale;
}

static uint8_t choose(const struct command_call *call, const char *const *names, uint8_t now)
{
    if (call->n_args == 0) return (uint8_t)((now + 1u) % CHOICES);
    for (uint8_t i = 0; i < CHOICES; i++)
        if (strcmp(names[i], call->args[0]) == 0) return i;
    return now;
}

static bool change(const struct command_call *call, bool scale, struct status *st)
{
    struct session *session = call->session;
    const struct track_node *node = session->focus;
    if (!is_counter(node))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "no counter has the focus");
    uint8_t mode_now = scale ? node->counter_mode : choose(call, modes, node->counter_mode);
    uint8_t scale_now = scale ? choose(call, scales, node->counter_scale) : node->counter_scale;
    const char *uri = node->uri;
    for (size_t i = 0; i < session->workspaces.count; i++) {
        set_on(&session->workspaces.items[i]->tree, uri, mode_now, scale_now);
        set_on(&session->workspaces.items[i]->pinned, uri, mode_now, scale_now);
    }
    session_changed(session);
    session_say(session, MESSAGE_INFO, "%s: %s, %s", node->name, modes[mode_now],
                scale_now == COUNTER_SCALE_ZERO      ? "from zero"
                : scale_now == COUNTER_SCALE_MIN_MAX ? "from its least to its most"
                                                     : "logarithmic");
    return true;
}

static bool change_mode(const struct command_call *call, struct status *st)
{
    return change(call, false, st);
}

static bool change_scale(const struct command_call *call, struct status *st)
{
    return change(call, true, st);
}

const struct command command_counter_mode = {
    .id = "dev.perfetty.CounterMode",
    .name = "Counter: show its value, its changes or its rate",
    .args = {{"mode", COMMAND_ARG_CHOICE, true, "value|delta|rate"}},
    .run = change_mode,
};
const struct command command_counter_scale = {
    .id = "dev.perfetty.CounterScale",
    .name = "Counter: scale from zero, from least to most, or logarithmic",
    .args = {{"scale", COMMAND_ARG_CHOICE, true, "zero|min-max|log"}},
    .run = change_scale,
};
