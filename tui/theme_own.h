/* Themes of the person's own: the setting "themes".
 *
 *     {"themes": {"mine": {"base": "light", "colors": {"accent": "#d70000"}}}}
 *
 * A theme has all colours of its base (dark, when none is named) but those it names,
 * by the roles of color.h.  What they are at 256 and at 16 colours is the nearest.
 */
#ifndef TUI_THEME_OWN_H
#define TUI_THEME_OWN_H

#include "engine/base/status.h"
#include "engine/extensions/json.h"
#include "tui/theme.h"

struct theme_own {
    struct theme theme;
    char name[48];
};

/* `setting` is its value, or NULL.  False without a failure when it has no
 * theme of that name; with one, which names the place, when that is wrong. */
bool theme_own_read(const json_t *setting, const char *name, struct theme_own *out,
                    struct status *st);

#endif
