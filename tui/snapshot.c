/* The viewer without a terminal: a script of keys, then one frame. */
#include "tui/headless.h"
#include "tui/sink.h"

#define LONGEST_WAIT_MS 60000

static bool play(struct headless *headless, const char *keys, struct status *st)
{
    struct app *app = headless->viewer.app;
    struct str rest = str_of(keys);
    bool in_quotes = false, bad = false;
    struct key key;
    for (;;) {
        size_t at = str_of(keys).n - rest.n;
        if (!key_parse_next(&rest, &key, &in_quotes, &bad)) return true;
        if (bad)
            return status_fail(st, STATUS_USAGE, (int64_t)at,
                               "--keys: no such key at byte %zu (say \"j\", \"Ctrl+p\", \"Enter\", "
                               "or text in double quotes)",
                               at);
        app_key(app, key);
        if (!headless_settle(headless, LONGEST_WAIT_MS))
            return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                               "--keys: still busy %d s after a key", LONGEST_WAIT_MS / 1000);
        if (app->quit) return true;
    }
}

static void write_frame(const struct app *app, enum snapshot_format format, struct buffer *out)
{
    switch (format) {
    case SNAPSHOT_TEXT: sink_write_text(app->canvas, out); break;
    case SNAPSHOT_ANSI: sink_write_ansi(app->canvas, app->theme, out); break;
    case SNAPSHOT_SVG: sink_write_svg(app->canvas, app->theme, out); break;
    case SNAPSHOT_ROLES: sink_write_roles(app->canvas, out); break;
    }
}

bool viewer_snapshot(const struct viewer_options *options, int width, int height, const char *keys,
                     enum snapshot_format format, struct buffer *out, struct status *st)
{
    struct headless headless;
    bool ok = headless_open(&headless, options, width, height, st);
    if (ok && !headless_settle(&headless, LONGEST_WAIT_MS))
        ok = status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "still busy after %d s",
                         LONGEST_WAIT_MS / 1000);
    ok = ok && (!keys || play(&headless, keys, st));
    if (ok) write_frame(headless.viewer.app, format, out);
    headless_close(&headless);
    return ok;
}
