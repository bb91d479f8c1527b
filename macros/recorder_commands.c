/* Recording as commands.  What the person has not said yet is asked for, one after
 * the other: the macro's name, a key, a place. */
#include <string.h>

#include "engine/base/memory.h"
#include "macros/recorder_internal.h"

static bool start(const struct command_call *call, struct status *st)
{
    struct recorder *r = call->closure;
    if (r->on)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "it is recorded already: dev.perfetty.StopRecording ends it");
    recorder_start(r, call->session);
    session_say(call->session, MESSAGE_INFO, "recording: dev.perfetty.StopRecording ends it");
    return true;
}

static bool stop(const struct command_call *call, struct status *st)
{
    struct recorder *r = call->closure;
    if (!recorder_stop(r, call->session, st)) return false;
    session_say(call->session, MESSAGE_INFO,
                "recorded %zu step%s; dev.perfetty.SaveRecording "
                "keeps them",
                r->steps.count, r->steps.count == 1 ? "" : "s");
    session_ask(call->session, REQUEST_RECORDING_NAME, NULL);
    return true;
}

static bool toggle(const struct command_call *call, struct status *st)
{
    const struct recorder *r = call->closure;
    return r->on ? stop(call, st) : start(call, st);
}

static bool save(const struct command_call *call, struct status *st)
{
    return recorder_save(call->closure, call->session, call->args[0], command_arg(call, 1, ""),
                         command_arg(call, 2, ""), st);
}

static void keep(char **text, const char *value)
{
    mem_free(*text);
    *text = mem_strdup(value);
}

/* ---- the three questions ---- */

static bool name(const struct command_call *call, struct status *st)
{
    struct recorder *r = call->closure;
    (void)st;
    keep(&r->name, call->args[0]);
    session_ask(call->session, REQUEST_RECORDING_KEY, NULL);
    return true;
}

static bool key(const struct command_call *call, struct status *st)
{
    struct recorder *r = call->closure;
    (void)st;
    keep(&r->key, command_arg(call, 0, ""));
    session_ask(call->session, REQUEST_RECORDING_FILE, NULL);
    return true;
}

static bool file(const struct command_call *call, struct status *st)
{
    struct recorder *r = call->closure;
    if (!r->name)
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET, "the macro has no name yet");
    return recorder_save(r, call->session, r->name, r->key ? r->key : "", command_arg(call, 0, ""),
                         st);
}

static const struct command commands[] = {
    {.id = "dev.perfetty.StartRecording",
     .name = "Record what is done as a macro",
     .kind = COMMAND_VIEW,
     .run = start},
    {.id = "dev.perfetty.StopRecording",
     .name = "End recording, and name the macro",
     .kind = COMMAND_VIEW,
     .run = stop},
    {.id = "dev.perfetty.ToggleRecording",
     .name = "Begin or end recording a macro",
     .kind = COMMAND_VIEW,
     .run = toggle},
    {.id = "dev.perfetty.SaveRecording",
     .name = "Keep what was recorded: in the settings, or as a sidecar",
     .kind = COMMAND_REACH,
     .args = {{"name", COMMAND_ARG_TEXT, false, NULL},
              {"key", COMMAND_ARG_TEXT, true, NULL},
              {"file", COMMAND_ARG_FILE, true, NULL}},
     .run = save},
    {.id = "dev.perfetty.NameRecording",
     .name = "Name what was recorded, then ask on",
     .kind = COMMAND_VIEW,
     .args = {{"name", COMMAND_ARG_TEXT, false, NULL}},
     .run = name},
    {.id = "dev.perfetty.KeyOfRecording",
     .name = "A key for what was recorded, then ask on",
     .kind = COMMAND_VIEW,
     .args = {{"key", COMMAND_ARG_TEXT, true, NULL}},
     .run = key},
    {.id = "dev.perfetty.FileOfRecording",
     .name = "Where what was recorded goes; nothing: the settings",
     .kind = COMMAND_REACH,
     .args = {{"file", COMMAND_ARG_FILE, true, NULL}},
     .run = file},
};

void recorder_commands_register(struct recorder *recorder, struct session *session)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct status st = STATUS_INIT;
        registry_add(session->registry, &commands[i], COMMAND_CORE, "", recorder, NULL, NULL, &st);
        status_clear(&st);
    }
}
