/* A list to choose from by typing: the palette, tracks by name, macros, help. */
#include <string.h>

#include "commands/fuzzy.h"
#include "commands/registry.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include "tui/keymap.h"
#include "tui/overlay.h"

enum picker_kind { PICK_COMMAND, PICK_TRACK, PICK_PIN, PICK_MACRO, PICK_HELP };

struct item {
    char *label, *note, *payload; /* note: right-aligned; payload: id or uri */
    char letter;                  /* runs it at once (macros); 0: none */
    int score;
};

struct picker {
    struct overlay overlay;
    enum picker_kind kind;
    const char *title;
    struct line_edit edit;
    VEC(struct item) items;
    VEC(uint32_t) shown; /* indexes into items, best first */
    size_t at, top;
    int height;
};

static void add_item(struct picker *p, const char *label, const char *note, const char *payload)
{
    struct item item = {mem_strdup(label), mem_strdup(note ? note : ""), mem_strdup(payload), 0, 0};
    vec_push(&p->items, item);
}

static void filter(struct picker *p)
{
    struct str text = buffer_str(&p->edit.text);
    vec_clear(&p->shown);
    for (uint32_t i = 0; i < p->items.count; i++) {
        struct item *item = &p->items.items[i];
        item->score = 0;
        if (text.n) {
            int by_label = fuzzy_score(text, str_of(item->label), NULL, 0);
            int by_note = fuzzy_score(text, str_of(item->note), NULL, 0);
            int by_payload = fuzzy_score(text, str_of(item->payload), NULL, 0);
            item->score = by_label > by_payload ? by_label : by_payload;
            if (by_note > item->score) item->score = by_note;
        }
        if (item->score == FUZZY_NO_MATCH) continue;
        /* Stable insertion by score: lists are short once something is typed. */
        vec_push(&p->shown, i);
        size_t k = p->shown.count - 1;
        while (text.n && k > 0 && p->items.items[p->shown.items[k - 1]].score < item->score) {
            p->shown.items[k] = p->shown.items[k - 1];
            k--;
        }
        p->shown.items[k] = i;
    }
    p->at = p->top = 0;
}

/* ---- choosing ---- */

static bool needs_arguments(const struct command *command)
{
    return command->args[0].name && !command->args[0].optional;
}

static void run_command(struct app *app, const char *id)
{
    const struct registry_entry *entry = registry_find(app->session->registry, id);
    if (entry && needs_arguments(entry->command)) {
        struct buffer line = BUFFER_INIT;
        buffer_printf(&line, "%s ", id);
        prompt_open_command(app, buffer_text(&line));
        buffer_free(&line);
        return;
    }
    app_run_line(app, id);
}

static enum overlay_reply choose(struct app *app, struct picker *p, uint32_t index)
{
    /* The payload outlives the list, which goes before the command runs. */
    char *payload = mem_strdup(p->items.items[index].payload);
    enum picker_kind kind = p->kind;
    overlay_remove(app, &p->overlay);
    const char *args[] = {payload};
    if (kind == PICK_TRACK)
        app_run(app, "dev.perfetto.FindTrackByUri", args, 1);
    else if (kind == PICK_PIN)
        app_run(app, "dev.perfetto.PinTrackByName", args, 1);
    else
        run_command(app, payload);
    mem_free(payload);
    return OVERLAY_STAYS; /* it is gone already */
}

static enum overlay_reply key(struct app *app, struct overlay *overlay, struct key pressed)
{
    struct picker *p = (struct picker *)overlay;
    if (p->kind == PICK_MACRO && !pressed.modifiers && !p->edit.text.length)
        for (uint32_t i = 0; i < p->items.count; i++)
            if (p->items.items[i].letter &&
                pressed.code == (uint32_t)(unsigned char)p->items.items[i].letter)
                return choose(app, p, i);
    size_t last = p->shown.count ? p->shown.count - 1 : 0;
    size_t page = p->height > 1 ? (size_t)p->height - 1 : 1;
    bool ctrl = pressed.modifiers == KEY_CTRL;
    if (pressed.code == KEY_NAME_ENTER)
        return p->shown.count ? choose(app, p, p->shown.items[p->at]) : OVERLAY_DONE;
    if (pressed.code == KEY_NAME_DOWN || (ctrl && pressed.code == 'n'))
        p->at = p->at < last ? p->at + 1 : last;
    else if (pressed.code == KEY_NAME_UP || (ctrl && pressed.code == 'p'))
        p->at = p->at ? p->at - 1 : 0;
    else if (pressed.code == KEY_NAME_PAGE_DOWN)
        p->at = p->at + page < last ? p->at + page : last;
    else if (pressed.code == KEY_NAME_PAGE_UP)
        p->at = p->at > page ? p->at - page : 0;
    else if (pressed.code == KEY_NAME_BACKSPACE && !p->edit.text.length)
        return OVERLAY_DONE;
    else if (line_edit_key(&p->edit, pressed))
        filter(p);
    return OVERLAY_STAYS;
}

/* ---- drawing ---- */

static void draw_item(struct app *app, const struct picker *p, size_t index, struct rect line)
{
    const struct item *item = &p->items.items[p->shown.items[index]];
    bool here = index == p->at;
    struct style style = here ? STYLE(DEFAULT, FOCUS, CELL_BOLD) : STYLE_PLAIN;
    if (here && app->theme->is_mono) style.attributes |= CELL_REVERSE;
    canvas_fill(app->canvas, line, ' ', style);
    int x = line.x;
    if (p->kind == PICK_MACRO) {
        char letter[2] = {item->letter ? item->letter : ' ', 0};
        canvas_text(app->canvas, x, line.y, 1, str_of(letter),
                    (struct style){COLOR_ACCENT, style.bg, style.attributes | CELL_BOLD});
        x += 3;
    }
    int note_w = (int)utf8_visible_width(str_of(item->note), app->canvas->ascii);
    if (note_w > line.w / 2) note_w = line.w / 2;
    int room = line.x + line.w - x - (note_w ? note_w + 2 : 0);
    canvas_text_middle(app->canvas, x, line.y, room, str_of(item->label), style);
    if (note_w)
        canvas_text_right(app->canvas, line.x + line.w - note_w, line.y, note_w, str_of(item->note),
                          (struct style){COLOR_DIM, style.bg, style.attributes & CELL_REVERSE});
}

static void draw(struct app *app, struct overlay *overlay)
{
    struct picker *p = (struct picker *)overlay;
    int width = app->canvas->width < 104 ? app->canvas->width - 2 : 100;
    int height = app->canvas->height - 2;
    int want = (int)p->items.count + 4;
    if (want < height) height = want < 7 ? 7 : want;
    struct rect inside = overlay_box(app, width, height, p->title);
    int x = canvas_text(app->canvas, inside.x, inside.y, 3, STR("> "),
                        STYLE(ACCENT, DEFAULT, CELL_BOLD));
    p->height = inside.h - 1;
    if (p->at < p->top) p->top = p->at;
    if (p->height > 0 && p->at >= p->top + (size_t)p->height)
        p->top = p->at - (size_t)p->height + 1;
    for (int i = 0; i < p->height && p->top + (size_t)i < p->shown.count; i++)
        draw_item(app, p, p->top + (size_t)i,
                  (struct rect){inside.x, inside.y + 1 + i, inside.w, 1});
    if (!p->shown.count)
        canvas_text(app->canvas, inside.x + 2, inside.y + 1, inside.w - 2,
                    p->items.count ? STR("nothing matches") : STR("there is nothing here"),
                    STYLE(DIM, DEFAULT, 0));
    line_edit_draw(&p->edit, app->canvas, inside.x + x, inside.y, inside.w - x, STYLE_PLAIN);
}

static void dispose(struct overlay *overlay)
{
    struct picker *p = (struct picker *)overlay;
    for (size_t i = 0; i < p->items.count; i++) {
        mem_free(p->items.items[i].label);
        mem_free(p->items.items[i].note);
        mem_free(p->items.items[i].payload);
    }
    vec_free(&p->items);
    vec_free(&p->shown);
    line_edit_dispose(&p->edit);
    mem_free(p);
}

static const struct overlay_kind picker_overlay = {"picker", true, key, draw, NULL, dispose};

static struct picker *new_picker(enum picker_kind kind, const char *title)
{
    struct picker *p = mem_zero(1, sizeof *p);
    p->overlay.kind = &picker_overlay;
    p->kind = kind;
    p->title = title;
    line_edit_init(&p->edit, "", NULL);
    return p;
}

static void open_picker(struct app *app, struct picker *p)
{
    filter(p);
    overlay_push(app, &p->overlay);
}

void picker_open_palette(struct app *app)
{
    struct picker *p = new_picker(PICK_COMMAND, "Commands");
    const struct registry *registry = app->session->registry;
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const struct registry_entry *entry = registry_at(registry, i);
        struct buffer note = BUFFER_INIT;
        const struct binding *binding = keymap_for(app->keymap, entry->command->id);
        if (registry_is_macro(entry)) buffer_printf(&note, "macro, %s  ", entry->origin);
        if (binding) binding_write_keys(binding, &note);
        add_item(p, entry->command->name, buffer_text(&note), entry->command->id);
        buffer_free(&note);
    }
    open_picker(app, p);
}

void picker_open_tracks(struct app *app, bool pin)
{
    struct picker *p =
        new_picker(pin ? PICK_PIN : PICK_TRACK, pin ? "Pin a track" : "Find a track");
    const struct track_node *root = &app->session->workspace->tree.root;
    struct buffer path = BUFFER_INIT;
    for (const struct track_node *node = track_tree_next(root, root); node;
         node = track_tree_next(root, node)) {
        if (node->headless) continue;
        buffer_clear(&path);
        track_node_path(node, &path);
        add_item(p, buffer_text(&path), "", node->uri);
    }
    buffer_free(&path);
    open_picker(app, p);
}

void macro_menu_open(struct app *app)
{
    struct picker *p = new_picker(PICK_MACRO, "Macros");
    const struct registry *registry = app->session->registry;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    /* The trace's own first: they are what it was sent with. */
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < registry_count(registry); i++) {
            const struct registry_entry *entry = registry_at(registry, i);
            if (!registry_is_macro(entry) || (entry->scope == COMMAND_TRACE_MACRO) != (pass == 0))
                continue;
            struct buffer note = BUFFER_INIT;
            const struct binding *binding = keymap_for(app->keymap, entry->command->id);
            if (binding) binding_write_keys(binding, &note);
            buffer_printf(&note, "%s%s", binding ? "  " : "", entry->origin);
            add_item(p, entry->command->name, buffer_text(&note), entry->command->id);
            buffer_free(&note);
            if (p->items.count <= sizeof letters - 1)
                vec_last(&p->items)->letter = letters[p->items.count - 1];
        }
    open_picker(app, p);
}

void help_open(struct app *app)
{
    struct picker *p = new_picker(PICK_HELP, "Keys: type to search, Enter runs, Esc leaves");
    struct buffer label = BUFFER_INIT, note = BUFFER_INIT;
    for (uint32_t i = 0; i < keymap_count(app->keymap); i++) {
        const struct binding *binding = keymap_at(app->keymap, i);
        if (!binding->line) continue;
        struct str id = str_of(binding->line);
        size_t space;
        if (str_find_byte(id, ' ', &space)) id.n = space;
        char *copy = mem_copy_string(id.p, id.n);
        const struct registry_entry *entry = registry_find(app->session->registry, copy);
        buffer_clear(&label);
        buffer_clear(&note);
        binding_write_keys(binding, &label);
        while (label.length < 14)
            buffer_append_byte(&label, ' ');
        buffer_append_text(&label, entry ? entry->command->name : copy);
        if (id.n < strlen(binding->line)) buffer_printf(&label, " (%s)", binding->line + id.n + 1);
        buffer_printf(&note, "%s%s", binding->from_settings ? "settings, " : "", binding->group);
        add_item(p, buffer_text(&label), buffer_text(&note), binding->line);
        mem_free(copy);
    }
    buffer_free(&label);
    buffer_free(&note);
    open_picker(app, p);
}
