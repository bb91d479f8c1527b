/* What did not run and why: one report for all startup commands, one for each
 * macro that a person starts. */
#ifndef COMMANDS_REPORT_H
#define COMMANDS_REPORT_H

#include "commands/command.h"
#include "engine/base/vec.h"

struct report_line {
    bool blocked; /* else it failed */
    enum command_source source;
    char *id;    /* of the command that was blocked or failed */
    char *macro; /* id of the macro it is a step of; NULL outside */
    char *why;   /* may have several lines: SQL's traceback */
};

struct report {
    struct report_lines VEC_OF(struct report_line) lines;
    uint32_t ran; /* top-level commands that succeeded */
};

void report_add(struct report *report, bool blocked, enum command_source source, const char *id,
                const char *macro, const char *why);
void report_dispose(struct report *report);
const char *command_source_name(enum command_source source); /* "trace", "command line" … */

#endif
