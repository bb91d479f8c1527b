#include "commands/report.h"

#include "engine/base/memory.h"

void report_add(struct report *report, bool blocked, enum command_source source, const char *id,
                const char *macro, const char *why)
{
    vec_push(&report->lines, (struct report_line){.blocked = blocked,
                                                  .source = source,
                                                  .id = mem_strdup(id),
                                                  .macro = macro ? mem_strdup(macro) : NULL,
                                                  .why = mem_strdup(why)});
}

void report_dispose(struct report *report)
{
    for (size_t i = 0; i < report->lines.count; i++) {
        mem_free(report->lines.items[i].id);
        mem_free(report->lines.items[i].macro);
        mem_free(report->lines.items[i].why);
    }
    vec_free(&report->lines);
    report->ran = 0;
}

const char *command_source_name(enum command_source source)
{
    switch (source) {
    case COMMAND_FROM_PERSON: return "you";
    case COMMAND_FROM_TRACE: return "trace";
    case COMMAND_FROM_COMMAND_LINE: return "command line";
    case COMMAND_FROM_SETTINGS: return "settings";
    }
    return "";
}
