/* The commands of the program itself, one constant each; core.c lists them. */
#ifndef COMMANDS_CORE_H
#define COMMANDS_CORE_H

#include "commands/command.h"

/* In the order of the list; NULL past the end. */
const struct command *core_command_at(uint32_t i);

#define CORE_COMMAND(symbol) extern const struct command symbol;
#include "commands/core.def"
#undef CORE_COMMAND

#endif
