/* The form on the screen: fields, and below them in full what is sent and kept. */
#include <string.h>

#include "engine/base/memory.h"
#include "tui/server_form.h"

#define LABEL_CELLS 20

/* One line of the form; several when it wraps. */
struct writer {
    struct app *app;
    struct form *form;
    struct rect area;
    int y; /* of the next line, from the form's top */
    bool draw;
};

static bool is_seen(const struct writer *w)
{
    return w->draw && w->y >= w->form->top && w->y < w->form->top + w->area.h;
}

static void write_text(struct writer *w, int indent, struct style style, const char *text)
{
    struct str rest = str_of(text);
    int width = w->area.w - indent;
    if (width < 8) width = 8;
    do {
        size_t n = canvas_wrap(rest, width, w->app->canvas->ascii);
        struct str piece = str_slice(rest, 0, n);
        if (piece.n && piece.p[piece.n - 1] == '\n') piece.n--;
        if (is_seen(w))
            canvas_text(w->app->canvas, w->area.x + indent, w->area.y + w->y - w->form->top, width,
                        piece, style);
        rest = str_slice(rest, n, rest.n);
        w->y++;
    } while (rest.n);
}

static void write_format(struct writer *w, int indent, struct style style, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void write_format(struct writer *w, int indent, struct style style, const char *format, ...)
{
    struct buffer text = BUFFER_INIT;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&text, format, args);
    va_end(args);
    write_text(w, indent, style, buffer_text(&text));
    buffer_free(&text);
}

/* ---- rows ---- */

static const char *choice_of(const struct form *form, enum form_row_kind kind)
{
    switch (kind) {
    case ROW_TYPE: return form->type == SERVER_GITHUB ? "github" : "https";
    case ROW_AUTH: return server_auth_name(form->auth);
    default: return form->allow_private ? "allowed for this server" : "refused";
    }
}

/* Dots for a secret; the cursor where it is. */
static void draw_field(struct writer *w, const struct form_row *row, int x, int y, bool here)
{
    const struct line_edit *edit = &w->form->texts[row->text];
    struct line_edit dots = {0};
    if (row->text == FORM_SECRET) {
        for (size_t i = 0; i < edit->text.length; i++) {
            if (((unsigned char)edit->text.data[i] & 0xC0) == 0x80) continue;
            buffer_append_byte(&dots.text, '*');
            if (i < edit->at) dots.at++;
        }
        edit = &dots;
    }
    int room = w->area.x + w->area.w - x;
    if (here)
        line_edit_draw(edit, w->app->canvas, x, y, room, STYLE(DEFAULT, FOCUS, 0));
    else
        canvas_text(w->app->canvas, x, y, room, buffer_str(&edit->text), STYLE_PLAIN);
    buffer_free(&dots.text);
}

static void draw_row(struct writer *w, const struct form_row *row, bool here)
{
    struct canvas *canvas = w->app->canvas;
    struct form *form = w->form;
    int y = w->area.y + w->y - form->top, x = w->area.x + LABEL_CELLS;
    struct style style = here ? STYLE(DEFAULT, FOCUS, CELL_BOLD) : STYLE_PLAIN;
    if (here && w->app->theme->is_mono) style.attributes |= CELL_REVERSE;
    canvas_put(canvas, w->area.x, y, here ? '>' : ' ', STYLE(ACCENT, DEFAULT, CELL_BOLD));
    if (here && row->kind != ROW_TEXT) {
        canvas->cursor_x = w->area.x;
        canvas->cursor_y = y;
    }
    switch (row->kind) {
    case ROW_TEXT:
        canvas_text(canvas, w->area.x + 2, y, LABEL_CELLS - 3, str_of(row->label), style);
        draw_field(w, row, x, y, here);
        break;
    case ROW_TYPE:
    case ROW_AUTH:
    case ROW_PRIVATE:
        canvas_text(canvas, w->area.x + 2, y, LABEL_CELLS - 3, str_of(row->label), style);
        canvas_printf(canvas, x, y, w->area.w - LABEL_CELLS, style, "< %s >",
                      choice_of(form, row->kind));
        break;
    case ROW_MODULE: break; /* may wrap: written as text */
    default:
        canvas_printf(canvas, w->area.x + 2, y, w->area.w - 2, style, "[ %s ]", row->label);
        break;
    }
}

static void write_module(struct writer *w, const struct form_row *row, bool here)
{
    const struct form *form = w->form;
    const struct server_module *known =
        form->manifest ? server_manifest_find(form->manifest, row->module) : NULL;
    bool ticked = server_modules_have(&form->ticked, row->module);
    const char *note = !form->manifest ? "   wanted, not checked yet"
                       : known         ? ""
                                       : "   the server has no such module";
    bool named = known && strcmp(known->name, row->module) != 0;
    if (is_seen(w)) draw_row(w, row, here);
    struct style style = here ? STYLE(DEFAULT, FOCUS, CELL_BOLD) : STYLE_PLAIN;
    if (here && w->app->theme->is_mono) style.attributes |= CELL_REVERSE;
    write_format(w, 4, style, "[%c] %s%s%s%s", ticked ? 'x' : ' ', row->module, named ? "  " : "",
                 named ? known->name : "", note);
}

/* ---- what is sent and kept ---- */

static void write_credentials(struct writer *w, const struct server *server)
{
    struct style style = STYLE_PLAIN;
    const char *from = server->secret_env ? "of the environment variable " : "entered above";
    const char *variable = server->secret_env ? server->secret_env : "";
    const char *name = server->auth_name ? server->auth_name : "";
    switch (server->auth) {
    case SERVER_AUTH_NONE:
    case SERVER_AUTH_SSO: write_text(w, 2, style, "without credentials"); break;
    case SERVER_AUTH_BASIC:
        write_format(w, 2, style, "with the user %s and the password %s%s", name, from, variable);
        break;
    case SERVER_AUTH_CUSTOM:
        write_format(w, 2, style, "with the secret %s%s in the header %s", from, variable, name);
        break;
    case SERVER_AUTH_X_API_KEY:
        write_format(w, 2, style, "with the secret %s%s in the header X-API-Key", from, variable);
        break;
    case SERVER_AUTH_BEARER:
    case SERVER_AUTH_GITHUB:
        write_format(w, 2, style, "with the secret %s%s in the header Authorization", from,
                     variable);
        break;
    }
}

static void write_consent(struct writer *w)
{
    static const char *const lists[] = {"proto_descriptors", "macros", "sql_modules"};
    struct server server;
    struct buffer text = BUFFER_INIT;
    struct style dim = STYLE(DIM, DEFAULT, 0);
    if (!form_read(w->form, &server, NULL)) return;
    server_endpoint(&server, NULL, NULL, &text);
    write_text(w, 0, dim, "");
    write_text(w, 0, dim, "Loading asks for:");
    write_text(w, 2, STYLE_PLAIN, buffer_text(&text));
    write_credentials(w, &server);
    if (server.ca_file) write_format(w, 2, STYLE_PLAIN, "trusting only %s", server.ca_file);
    write_text(w, 0, dim,
               "Once it is kept, the server is asked whenever a trace is opened, also for:");
    for (size_t i = 0; i < server.modules.count; i++)
        for (size_t k = 0; k < 3; k++) {
            buffer_clear(&text);
            server_endpoint(&server, server.modules.items[i], lists[k], &text);
            write_text(w, 2, STYLE_PLAIN, buffer_text(&text));
        }
    buffer_clear(&text);
    server_append_location(&server, &text);
    write_text(w, 0, dim, "Kept in your settings as:");
    write_text(w, 2, STYLE_PLAIN, buffer_text(&text));
    buffer_free(&text);
    server_dispose(&server);
}

/* ---- all of it ---- */

static void write_rows(struct writer *w)
{
    struct form *form = w->form;
    struct form_rows rows = form_rows(form);
    for (size_t i = 0; i < rows.count; i++) {
        const struct form_row *row = &rows.items[i];
        bool here = i == form->focus;
        bool first_module =
            row->kind == ROW_MODULE && (i == 0 || rows.items[i - 1].kind != ROW_MODULE);
        if (first_module)
            write_text(w, 2, STYLE(DIM, DEFAULT, 0), "Modules (Space ticks, unticks)");
        if (here && form->follow && !w->draw) {
            /* The first pass only counts: here the focus is brought into view. */
            if (w->y < form->top) form->top = w->y;
            if (form->height > 0 && w->y >= form->top + form->height)
                form->top = w->y - form->height + 1;
        }
        if (row->kind == ROW_MODULE) {
            write_module(w, row, here);
            continue;
        }
        if (is_seen(w)) draw_row(w, row, here);
        w->y++;
    }
    vec_free(&rows);
}

static void write_form(struct writer *w)
{
    const struct form *form = w->form;
    if (form->offers_reload) {
        write_text(w, 0, STYLE_PLAIN,
                   "The server brings descriptors, and this trace was read without them. Reading "
                   "it again decodes what they describe; tabs, pins and notes of now are lost.");
        write_text(w, 0, STYLE_PLAIN, "");
        write_rows(w);
        return;
    }
    write_text(w, 0, STYLE_PLAIN, form->intro);
    if (form->manifest)
        write_format(w, 0, STYLE(GOOD, DEFAULT, 0), "It calls itself %s, namespace %s.",
                     form->manifest->name, form->manifest->namespace);
    if (form->is_asking) write_text(w, 0, STYLE(WARNING, DEFAULT, 0), "asking... (Esc stops)");
    if (form->error) write_text(w, 0, STYLE(ERROR, DEFAULT, 0), form->error);
    write_text(w, 0, STYLE_PLAIN, "");
    write_rows(w);
    write_consent(w);
}

void form_draw(struct app *app, struct overlay *overlay)
{
    struct form *form = (struct form *)overlay;
    int width = app->canvas->width < 100 ? app->canvas->width - 2 : 98;
    int most = app->canvas->height - 1;
    struct writer w = {app, form, {0, 0, width - 4, most - 4}, 0, false};
    const char *title = form->offers_reload ? "Read the trace again?"
                        : form->is_edit     ? "Edit an extension server"
                                            : "Add an extension server";
    form->height = most - 4 > 1 ? most - 4 : 1;
    write_form(&w);
    form->total = w.y;
    int height = form->total + 4 < most ? form->total + 4 : most;
    struct rect inside = overlay_box(app, width, height, title);
    w.area = (struct rect){inside.x, inside.y, inside.w, inside.h - 2};
    if (w.area.h < 1) w.area.h = 1;
    form->height = w.area.h;
    if (form->top > form->total - w.area.h) form->top = form->total - w.area.h;
    if (form->top < 0) form->top = 0;
    form->follow = false;
    w.y = 0;
    w.draw = true;
    write_form(&w);
    int y = inside.y + inside.h - 1;
    canvas_text(app->canvas, inside.x, y, inside.w,
                STR("Up Down move  Left Right choose  Enter press  PgDn PgUp scroll  Esc leave"),
                STYLE(DIM, DEFAULT, 0));
    if (form->top + w.area.h < form->total)
        canvas_text_right(app->canvas, inside.x, y - 1, inside.w, STR("more below: PgDn"),
                          STYLE(DIM, DEFAULT, 0));
}
