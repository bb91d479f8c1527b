/* What the selection is, in lines: two columns where there is room.
 *
 * A line may lead somewhere (an ancestor, the other end of a flow, the waker):
 * Enter on it selects that event.
 */
#ifndef TUI_DETAILS_H
#define TUI_DETAILS_H

#include "tui/app.h"

struct detail_line {
    uint8_t indent;
    bool is_heading, leads;
    struct str label, value; /* in the arena */
    double bar;              /* share to draw after the value; < 0: none */
    enum event_table target_table;
    uint32_t target_id;
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
    enum session_time_format time_format;
    char *uri;
    bool valid;
};

void details_update(struct details *details, struct session *session);
void details_dispose(struct details *details);
/* `row` counts the left lines first, then the right ones. */
const struct detail_line *details_line(const struct details *details, uint64_t row);
void details_draw(struct app *app, const struct details *details, struct rect area);

#endif
