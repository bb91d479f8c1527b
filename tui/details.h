/* What the selection is, in lines: two columns where there is room.
 *
 * A line may lead somewhere: Enter on it selects that event, or runs a command.
 * A group of lines can be folded (Space, Enter); which ones are is remembered by
 * name, so that the next event of the kind is folded the same way.  Lines that are
 * folded away are not made.
 */
#ifndef TUI_DETAILS_H
#define TUI_DETAILS_H

#include "commands/spread.h"
#include "tui/app.h"

struct detail_line {
    uint8_t indent;
    bool is_heading, leads;
    struct str label, value; /* in the arena */
    double bar;              /* share to draw after the value; < 0: none */
    enum event_table target_table;
    uint32_t target_id;
    const char *command; /* id of what Enter runs; NULL: none; constant */
    const char *args[2]; /* of it; NULL: none; constant or in the arena */
    bool is_quiet;       /* drawn as if it led nowhere */
    const char *fold;    /* name of the group below it; NULL: none; in the arena */
    bool is_open;        /* of a group */
    /* A histogram after the label instead of a value: NULL, or n_levels of 0 to 8. */
    const uint8_t *levels;
    uint8_t n_levels;
    int here; /* the one that the selected event is in; -1 */
};

struct detail_lines VEC_OF(struct detail_line);

struct details {
    struct arena arena;
    struct detail_lines left, right;
    /* What they were made for. */
    enum selection_kind kind;
    enum event_table table;
    uint8_t trace;
    uint32_t id;
    int64_t start, end;
    size_t n_tracks;
    uint32_t focused_flow;
    enum session_time_format time_format;
    bool has_debug_row; /* session_debug_row_is_there */
    char *uri;
    bool valid;
    VEC(char *) turned; /* groups that are not as they begin: opened, or folded; owned */
    /* Passes over many rows, kept while the same ones are asked for. */
    struct {
        bool valid;
        uint8_t trace;
        string_id name;
        uint32_t count;
        struct spread spread;
    } same_name;
    struct {
        bool valid;
        uint8_t trace;
        uint32_t track, count;
        double least, most, mean;
    } counter;
};

void details_update(struct details *details, struct session *session);
void details_dispose(struct details *details);
/* `row` counts the left lines first, then the right ones. */
const struct detail_line *details_line(const struct details *details, uint64_t row);
/* The row at a cell of the drawer as it was drawn last; -1 when there is none. */
int64_t details_row_at(const struct app *app, const struct details *details, int x, int y);
void details_draw(struct app *app, const struct details *details, struct rect area);
/* Enter on a row: the event or the command it leads to, else its fold. */
void details_follow(struct app *app, struct details *details, uint64_t row);
/* Opens or folds the group of a row, or all of them. */
void details_toggle_fold(struct app *app, struct details *details, uint64_t row, bool all);

#endif
