#include "tui/terminal_entry.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/str.h"

/* Both are compiled from terminal_entry.ti. */
static const char colors_256[] =
    "b64:GgE7AA8ADwBpAXMBcGVyZmV0dHktMjU2Y29sb3J8d2hhdCBuZWFybHkgZXZlcnkgdGVybWluYWwgb2YgdG9kYX"
    "kgZG9lcwAAAQAAAQAAAAAAAAAAAQFQAAgAGAD//////////////////////////wAB/3///wAAAgAEAP//FQAdACEA"
    "JQD//zAAQQBDAEcATgD//1AAVwD//1sA//////////////////9fAGQA//9tAP///////3IA//93AP////98AIAA//"
    "//////iQD//////////////////////////48A////////kQD//5YA//////////+aAJ4ApACoAKwAsAC2ALwAwgDI"
    "AM4A0gD//9cA///bAOAA5QD////////pAO0A9QD//////////////////////////////////////////////QD///"
    "////8GAQ8B//8YAf///////////////////////////////yEB//8sAS4B////////////////////////////////"
    "/////////////zEB////////////////////////////////////////NQH///////////////////////////////"
    "//////////////////////////////////////////////////////////////////////////////////////////"
    "//////////////85AT8B//////////////////////////////////////////////////////////////////////"
    "//////////////////////////////////////////////////////////////////RQH/////////////////////"
    "//////////////////////////////////////////////////9KAf////////////////////////////////////"
    "//////////////////////////////////////////////////////////////////////////////////////////"
    "/////////////////////////1MB////////VwFlAQcADQAbWyVpJXAxJWQ7JXAyJWRyABtbSBtbMkoAG1tLABtbSg"
    "AbWyVpJXAxJWRHABtbJWklcDElZDslcDIlZEgACgAbW0gAG1s/MjVsAAgAG1s/MjVoABtbQwAbW0EAG1sxbQAbWz8x"
    "MDQ5aAAbWzJtABtbN20AG1s0bQAbW20AG1s/MTA0OWwAG1syNG0AfwAbWzN+ABtPQgAbT1AAG1syMX4AG09RABtPUg"
    "AbT1MAG1sxNX4AG1sxN34AG1sxOH4AG1sxOX4AG1syMH4AG09IABtbMn4AG09EABtbNn4AG1s1fgAbT0MAG09BABtb"
    "PzFsGz4AG1s/MWgbPQAbWyVwMSVkQgAbWyVwMSVkRAAbWyVwMSVkQwAbWyVwMSVkQQAbWyVpJXAxJWRkAAoAG00AG1"
    "taABtPRgAbWzIzfgAbWzI0fgAbWzFLABtbMzk7NDltABtbPAAbWzM4OzU7JXAxJWRtABtbNDg7NTslcDElZG0A";

static const char colors_8[] =
    "b64:GgE0AA8ADwBpAWsBcGVyZmV0dHktOGNvbG9yfGEgdGVybWluYWwgdGhhdCBrbm93cyBlaWdodCBjb2xvdXJzAA"
    "ABAAABAAAAAAAAAAABAQBQAAgAGAD//////////////////////////wgAQAD//wAAAgAEAP//FQAdACEAJQD//zAA"
    "QQBDAEcATgD//1AAVwD//1sA//////////////////9fAGQA//9tAP///////3IA//93AP////98AIAA////////iQ"
    "D//////////////////////////48A////////kQD//5YA//////////+aAJ4ApACoAKwAsAC2ALwAwgDIAM4A0gD/"
    "/9cA///bAOAA5QD////////pAO0A9QD//////////////////////////////////////////////QD///////8GAQ"
    "8B//8YAf///////////////////////////////yEB//8sAS4B////////////////////////////////////////"
    "/////zEB////////////////////////////////////////NQH///////////////////////////////////////"
    "//////////////////////////////////////////////////////////////////////////////////////////"
    "//////85AT8B//////////////////////////////////////////////////////////////////////////////"
    "//////////////////////////////////////////////////////////RQH/////////////////////////////"
    "//////////////////////////////////////////9KAf////////////////////////////////////////////"
    "//////////////////////////////////////////////////////////////////////////////////////////"
    "/////////////////1MB////////VwFhAQcADQAbWyVpJXAxJWQ7JXAyJWRyABtbSBtbMkoAG1tLABtbSgAbWyVpJX"
    "AxJWRHABtbJWklcDElZDslcDIlZEgACgAbW0gAG1s/MjVsAAgAG1s/MjVoABtbQwAbW0EAG1sxbQAbWz8xMDQ5aAAb"
    "WzJtABtbN20AG1s0bQAbW20AG1s/MTA0OWwAG1syNG0AfwAbWzN+ABtPQgAbT1AAG1syMX4AG09RABtPUgAbT1MAG1"
    "sxNX4AG1sxN34AG1sxOH4AG1sxOX4AG1syMH4AG09IABtbMn4AG09EABtbNn4AG1s1fgAbT0MAG09BABtbPzFsGz4A"
    "G1s/MWgbPQAbWyVwMSVkQgAbWyVwMSVkRAAbWyVwMSVkQwAbWyVwMSVkQQAbWyVpJXAxJWRkAAoAG00AG1taABtPRg"
    "AbWzIzfgAbWzI0fgAbWzFLABtbMzk7NDltABtbPAAbWzMlcDElZG0AG1s0JXAxJWRtAA==";

/* Names of terminals that are known to do what the entry of 256 colours says. */
static bool has_many_colors(struct str term)
{
    static const char *const families[] = {
        "xterm", "alacritty", "kitty",   "foot",    "wezterm", "tmux",   "konsole",    "vte",
        "gnome", "iterm",     "contour", "ghostty", "rio",     "mintty", "ms-terminal"};
    const char *color_term = getenv("COLORTERM");
    size_t at;
    if (str_find(term, STR("256"), &at) || (color_term && color_term[0])) return true;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (str_starts(term, str_of(families[i]))) return true;
    return false;
}

bool terminal_entry_begin(struct terminal_entry *entry, const char *term)
{
    const char *before = getenv("TERMINFO");
    if (!term || !term[0] || strcmp(term, "dumb") == 0) return false;
    bool many = has_many_colors(str_of(term));
    *entry = (struct terminal_entry){.name = many ? "perfetty-256color" : "perfetty-8color",
                                     .terminfo_before = before ? mem_strdup(before) : NULL};
    setenv("TERMINFO", many ? colors_256 : colors_8, 1);
    return true;
}

void terminal_entry_end(struct terminal_entry *entry)
{
    if (!entry->name) return;
    if (entry->terminfo_before)
        setenv("TERMINFO", entry->terminfo_before, 1);
    else
        unsetenv("TERMINFO");
    mem_free(entry->terminfo_before);
    entry->terminfo_before = NULL;
}
