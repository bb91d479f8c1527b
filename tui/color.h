/* What a cell can be coloured as: roles, never numbers of a terminal.  A theme
 * (theme.h) says what each role looks like. */
#ifndef TUI_COLOR_H
#define TUI_COLOR_H

/* COLOR(enumerator, "name in settings") */
#define COLOR_ROLES(COLOR) \
    COLOR(DEFAULT, "default")     /* the terminal's own foreground or background */ \
    COLOR(DIM, "dim")             /* secondary text */ \
    COLOR(GRID, "grid")           /* lines and ticks */ \
    COLOR(ACCENT, "accent")       /* the cursor */ \
    COLOR(SELECTION, "selection") /* what is selected */ \
    COLOR(FOCUS, "focus")         /* background of the focused row */ \
    COLOR(BAR, "bar")             /* background of title, tab and hint lines */ \
    COLOR(BAR_TEXT, "bar-text") \
    COLOR(ERROR, "error") \
    COLOR(WARNING, "warning") \
    COLOR(GOOD, "good") \
    COLOR(MATCH, "match")         /* search hits */ \
    COLOR(INK_DARK, "ink-dark")   /* text on a light fill */ \
    COLOR(INK_LIGHT, "ink-light") /* text on a dark fill */ \
    COLOR(SUMMARY, "summary")     /* load bars of groups and the overview */ \
    COLOR(COUNTER, "counter") \
    COLOR(RUNNING, "running") \
    COLOR(RUNNABLE, "runnable") \
    COLOR(BLOCKED_IO, "blocked-io") \
    COLOR(BLOCKED, "blocked") \
    COLOR(SLEEPING, "sleeping") \
    COLOR(STATE_OTHER, "state-other") \
    COLOR(SLICE_0, "slice-0") \
    COLOR(SLICE_1, "slice-1") \
    COLOR(SLICE_2, "slice-2") \
    COLOR(SLICE_3, "slice-3") \
    COLOR(SLICE_4, "slice-4") \
    COLOR(SLICE_5, "slice-5") \
    COLOR(SLICE_6, "slice-6") \
    COLOR(SLICE_7, "slice-7") \
    COLOR(SLICE_8, "slice-8") \
    COLOR(SLICE_9, "slice-9") \
    COLOR(SLICE_10, "slice-10") \
    COLOR(SLICE_11, "slice-11")

enum color {
#define COLOR(name, text) COLOR_##name,
    COLOR_ROLES(COLOR)
#undef COLOR
        COLOR_COUNT
};

#define COLOR_SLICES 12

#endif
