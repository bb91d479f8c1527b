#include "engine/import/stat_texts.h"

static const char *const TEXTS[STAT_COUNT] = {
    [STAT_perfetty_input_truncated] =
        "The file ends in the middle of a record; what came before was loaded.",
    [STAT_perfetty_input_corrupt] =
        "Bytes that are no valid record were skipped; the rest was loaded.",
    [STAT_perfetty_unread_packets] =
        "Packets of a kind that is not read here, by the number of their field.",
    [STAT_perfetty_unread_ftrace_events] =
        "Kernel events of a kind that is not read here, by their number.",
    [STAT_perfetty_member_skipped] =
        "A file of the archive is of an unknown type and was left out.",
    [STAT_perfetty_load_interrupted] = "The load was stopped; the trace is not complete.",
    [STAT_perfetty_limit_reached] =
        "A limit of size was reached; what lies beyond it was not loaded.",
};

const char *stat_text(enum stat stat)
{
    return TEXTS[stat] ? TEXTS[stat] : "";
}
