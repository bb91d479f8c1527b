#include "commands/core.h"

#include <stddef.h>

static const struct command *const commands[] = {
#define CORE_COMMAND(symbol) &symbol,
#include "commands/core.def"
#undef CORE_COMMAND
};

const struct command *core_command_at(uint32_t i)
{
    return i < sizeof commands / sizeof commands[0] ? commands[i] : NULL;
}
