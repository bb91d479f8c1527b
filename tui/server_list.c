/* The page of all extension servers: what each brings, how it went, and what can be
 * done with it. */
#include <string.h>

#include "commands/registry.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "macros/server_host.h"
#include "tui/overlay.h"
#include "tui/server_dialog.h"

#define LINES_EACH 2

struct list {
    struct overlay overlay;
    size_t at, top;
    int height; /* servers that fit */
    bool asks_remove;
};

static void location_of(const struct server *server, struct buffer *out)
{
    server_append_location(server, out);
}

/* One command with the server's address; it survives what the command does. */
static void run(struct app *app, const char *id, const struct server_entry *entry)
{
    struct buffer location = BUFFER_INIT;
    location_of(&entry->server, &location);
    const char *args[] = {buffer_text(&location)};
    app_run(app, id, args, 1);
    buffer_free(&location);
}

static bool move(struct list *list, struct key pressed, size_t n)
{
    size_t page = list->height > 1 ? (size_t)list->height : 1;
    switch (pressed.code) {
    case 'j':
    case KEY_NAME_DOWN: list->at++; break;
    case 'k':
    case KEY_NAME_UP: list->at -= list->at > 0; break;
    case KEY_NAME_PAGE_DOWN: list->at += page; break;
    case KEY_NAME_PAGE_UP: list->at -= list->at > page ? page : list->at; break;
    case KEY_NAME_HOME: list->at = 0; break;
    case KEY_NAME_END: list->at = n; break;
    default: return false;
    }
    if (n && list->at >= n) list->at = n - 1;
    if (!n) list->at = 0;
    return true;
}

static enum overlay_reply key(struct app *app, struct overlay *overlay, struct key pressed)
{
    struct list *list = (struct list *)overlay;
    size_t n = server_host_count(app->servers);
    if (n && list->at >= n) list->at = n - 1;
    const struct server_entry *entry = n ? server_host_at(app->servers, list->at) : NULL;
    if (list->asks_remove) {
        list->asks_remove = false;
        if (pressed.code == 'y' && entry) run(app, "dev.perfetty.RemoveServer", entry);
        return OVERLAY_STAYS;
    }
    if (pressed.modifiers || move(list, pressed, n)) return OVERLAY_STAYS;
    switch (pressed.code) {
    case 'q': return OVERLAY_DONE;
    case 'a': app_run(app, "dev.perfetty.AddServer", NULL, 0); break;
    case 'R': app_run(app, "dev.perfetty.RefreshServers", NULL, 0); break;
    case 'p': app_run(app, "dev.perfetty.ShowServerReport", NULL, 0); return OVERLAY_DONE;
    case 'r':
        if (entry) run(app, "dev.perfetty.RefreshServers", entry);
        break;
    case 'e':
    case KEY_NAME_ENTER:
        if (entry) run(app, "dev.perfetty.EditServer", entry);
        break;
    case ' ':
        if (entry)
            run(app,
                entry->server.enabled ? "dev.perfetty.DisableServer" : "dev.perfetty.EnableServer",
                entry);
        break;
    case 's':
        if (entry) run(app, "dev.perfetty.ShareServer", entry);
        break;
    case 'd':
    case KEY_NAME_DELETE: list->asks_remove = entry != NULL; break;
    default: break;
    }
    return OVERLAY_STAYS;
}

static void draw_entry(struct app *app, const struct server_entry *entry, struct rect line,
                       bool here)
{
    struct canvas *canvas = app->canvas;
    struct style style = here ? STYLE(DEFAULT, FOCUS, CELL_BOLD) : STYLE_PLAIN;
    if (here && app->theme->is_mono) style.attributes |= CELL_REVERSE;
    struct style dim = {COLOR_DIM, style.bg, style.attributes & CELL_REVERSE};
    struct buffer text = BUFFER_INIT;
    canvas_fill(canvas, line, ' ', style);
    server_entry_append_state(entry, &text);
    int state_w = (int)utf8_visible_width(buffer_str(&text), canvas->ascii);
    if (state_w > line.w / 2) state_w = line.w / 2;
    canvas_text_right(canvas, line.x + line.w - state_w, line.y, state_w, buffer_str(&text), dim);
    buffer_clear(&text);
    buffer_printf(&text, "%c ", here ? '>' : ' ');
    location_of(&entry->server, &text);
    canvas_text_middle(canvas, line.x, line.y, line.w - state_w - 2, buffer_str(&text), style);
    buffer_clear(&text);
    buffer_append_text(&text, "modules: ");
    for (size_t i = 0; i < entry->server.modules.count; i++)
        buffer_printf(&text, "%s%s", i ? ", " : "", entry->server.modules.items[i]);
    if (entry->server.auth != SERVER_AUTH_NONE)
        buffer_printf(&text, "   sign in: %s", server_auth_name(entry->server.auth));
    canvas_text(canvas, line.x + 4, line.y + 1, line.w - 4, buffer_str(&text), dim);
    buffer_free(&text);
    if (here) {
        canvas->cursor_x = line.x;
        canvas->cursor_y = line.y;
    }
}

static void draw(struct app *app, struct overlay *overlay)
{
    struct list *list = (struct list *)overlay;
    struct canvas *canvas = app->canvas;
    size_t n = server_host_count(app->servers);
    int width = canvas->width < 104 ? canvas->width - 2 : 100;
    int want = (int)(n > 100 ? 100 : n) * LINES_EACH + 5;
    int height = want < canvas->height - 2 ? want : canvas->height - 2;
    struct rect inside = overlay_box(app, width, height < 7 ? 7 : height, "Extension servers");
    list->height = (inside.h - 2) / LINES_EACH;
    if (list->height < 1) list->height = 1;
    if (n && list->at >= n) list->at = n - 1;
    if (list->at < list->top) list->top = list->at;
    if (list->at >= list->top + (size_t)list->height)
        list->top = list->at - (size_t)list->height + 1;
    if (!n)
        canvas_text(canvas, inside.x, inside.y, inside.w,
                    STR("There is none. a adds one; a trace may name one as well."),
                    STYLE(DIM, DEFAULT, 0));
    for (int i = 0; i < list->height && list->top + (size_t)i < n; i++)
        draw_entry(app, server_host_at(app->servers, list->top + (size_t)i),
                   (struct rect){inside.x, inside.y + i * LINES_EACH, inside.w, 1},
                   list->top + (size_t)i == list->at);
    int y = inside.y + inside.h - 1;
    if (list->asks_remove)
        canvas_text(canvas, inside.x, y, inside.w,
                    STR("Remove this server and what is kept of it?  y yes  any other key no"),
                    STYLE(WARNING, DEFAULT, CELL_BOLD));
    else
        canvas_text(
            canvas, inside.x, y, inside.w,
            STR("a add  e edit  Space on/off  r R ask again  s share  d remove  p problems"),
            STYLE(DIM, DEFAULT, 0));
}

static void dispose(struct overlay *overlay)
{
    mem_free(overlay);
}

static const struct overlay_kind list_kind = {"servers", false, key, draw, NULL, dispose};

void server_list_open(struct app *app)
{
    struct list *list = mem_zero(1, sizeof *list);
    list->overlay.kind = &list_kind;
    overlay_push(app, &list->overlay);
}
