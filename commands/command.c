#include "commands/command.h"

#include "engine/base/memory.h"

void invocation_set(struct invocation *out, const char *id, const char *const *args,
                    uint32_t n_args)
{
    out->id = mem_strdup(id);
    out->args = mem_zero(n_args + 1, sizeof *out->args);
    out->n_args = n_args;
    for (uint32_t i = 0; i < n_args; i++)
        out->args[i] = mem_strdup(args[i]);
}

void invocation_copy(struct invocation *out, const struct invocation *in)
{
    invocation_set(out, in->id, (const char *const *)in->args, in->n_args);
}

void invocation_dispose(struct invocation *invocation)
{
    for (uint32_t i = 0; i < invocation->n_args; i++)
        mem_free(invocation->args[i]);
    mem_free(invocation->args);
    mem_free(invocation->id);
    *invocation = (struct invocation){0};
}

void invocation_list_free(struct invocation_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        invocation_dispose(&list->items[i]);
    vec_free(list);
}

enum engine_origin command_origin(const struct command_context *context)
{
    enum engine_origin origin =
        context->source == COMMAND_FROM_TRACE ? ENGINE_ORIGIN_TRACE : ENGINE_ORIGIN_USER;
    for (const struct command_frame *frame = context->frame; frame; frame = frame->outer) {
        if (frame->scope == COMMAND_TRACE_MACRO) return ENGINE_ORIGIN_TRACE;
        if (frame->scope == COMMAND_SERVER_MACRO && origin == ENGINE_ORIGIN_USER)
            origin = ENGINE_ORIGIN_SERVER;
    }
    return origin;
}
