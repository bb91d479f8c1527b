/* What startup commands may be (spec ui §4a, sidecar.md): exact ids, no prefixes. */
#include <string.h>

#include "commands/registry.h"

static const char *const allowed[] = {
    "dev.perfetto.PinTracksByRegex",
    "dev.perfetto.ExpandTracksByRegex",
    "dev.perfetto.CollapseTracksByRegex",
    "dev.perfetto.AddDebugSliceTrack",
    "dev.perfetto.AddDebugSliceTrackWithPivot",
    "dev.perfetto.AddDebugCounterTrack",
    "dev.perfetto.AddDebugCounterTrackWithPivot",
    "dev.perfetto.CreateWorkspace",
    "dev.perfetto.SwitchWorkspace",
    "dev.perfetto.CopyTracksToWorkspaceByRegex",
    "dev.perfetto.CopyTracksToWorkspaceByRegexWithAncestors",
    "dev.perfetto.RunQuery",
    "dev.perfetto.RunQueryAndShowTab",
    "dev.perfetto.AddNoteAtTimestamp",
};

bool allowlist_has(const char *id)
{
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        if (strcmp(allowed[i], id) == 0) return true;
    return false;
}

const char *allowlist_at(uint32_t i)
{
    return i < sizeof allowed / sizeof allowed[0] ? allowed[i] : NULL;
}
