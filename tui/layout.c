#include "tui/layout.h"

#include "engine/base/utf8.h"
#include "tui/timeline.h"

/* From this size on the drawer stands beside the timeline, which keeps 80 columns. */
#define WIDE_WIDTH  130
#define WIDE_HEIGHT 30
/* From this width on the column of names may grow. */
#define GROWING_WIDTH 90

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static int drawer_lines(enum session_drawer drawer, int room)
{
    switch (drawer) {
    case DRAWER_CLOSED: return 0;
    case DRAWER_SMALL: return clamp(room / 4, 3, 7);
    case DRAWER_HALF: return room / 2;
    case DRAWER_FULL: return room;
    }
    return 0;
}

/* Wide screens give the names of the top level the room they need, up to a quarter:
 * it is the same wherever one scrolls to. */
static int widest_name(const struct session *session)
{
    const struct track_node_list *top = &session->workspace->tree.root.children;
    int widest = 0;
    for (size_t i = 0; i < top->count; i++) {
        int width = (int)utf8_visible_width(str_of(top->items[i]->name), false) + 3;
        if (width > widest) widest = width;
    }
    return widest;
}

static int name_cells(const struct session *session, int width)
{
    if (session->name_cells) return clamp((int)session->name_cells, 8, width - 12);
    int usual = clamp(width / 6 + 5, 14, 34);
    return width < GROWING_WIDTH ? usual : clamp(widest_name(session), usual, width / 4 + 5);
}

/* Splits the rows between pinned tracks and the tree. */
static void split_rows(struct layout *l, struct session *session, int y, int h, int w)
{
    int pinned = timeline_pinned_lines(session);
    int most = h > 4 ? h * 3 / 5 : 0;
    if (pinned > most) pinned = most;
    l->pinned = (struct rect){0, y, w, pinned};
    l->separator_y = pinned ? y + pinned : -1;
    int used = pinned ? pinned + 1 : 0;
    l->tree = (struct rect){0, y + used, w, h - used};
}

bool layout_compute(struct layout *l, struct session *session, int width, int height)
{
    *l = (struct layout){.separator_y = -1};
    if (width < LAYOUT_MIN_WIDTH || height < LAYOUT_MIN_HEIGHT) return false;
    l->title = (struct rect){0, 0, width, 1};
    l->hints = (struct rect){0, height - 1, width, 1};
    bool overview = session->minimap && height >= 10;
    int top = 1 + (overview ? 1 : 0) + 1;
    int room = height - 1 - top; /* rows, tab line and drawer */
    bool full = session->drawer == DRAWER_FULL;
    l->drawer_is_right =
        width >= WIDE_WIDTH && height >= WIDE_HEIGHT && !full && session->drawer != DRAWER_CLOSED;
    int timeline_w = width;
    if (l->drawer_is_right) {
        int side =
            clamp(session->drawer == DRAWER_HALF ? width / 2 : width * 2 / 5, 48, width - 80);
        timeline_w = width - side;
        l->tabs = (struct rect){timeline_w + 1, top - 1, side - 1, 1};
        l->drawer = (struct rect){timeline_w + 1, top, side - 1, room};
    } else if (height >= 10) {
        int lines = full ? room : drawer_lines(session->drawer, room);
        int rows = room - 1 - lines;
        if (rows < 0) {
            lines += rows;
            rows = 0;
        }
        l->tabs = (struct rect){0, top + rows, width, 1};
        l->drawer = (struct rect){0, top + rows + 1, width, lines};
        room = rows;
    }
    if (overview) l->overview = (struct rect){0, 1, width, 1};
    l->ruler = (struct rect){0, top - 1, timeline_w, 1};
    l->names_w = name_cells(session, timeline_w);
    l->time_x = l->names_w + 1;
    l->time_w = timeline_w - l->time_x;
    split_rows(l, session, top, room, timeline_w);
    return true;
}
