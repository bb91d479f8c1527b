#include "tui/edit_sql.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/state_file.h"
#include "engine/base/memory.h"

#define LARGEST_SQL (1u << 20)

static void run(struct app *app, const char *path)
{
    struct status st = STATUS_INIT;
    struct buffer text = BUFFER_INIT;
    if (!state_file_read(path, LARGEST_SQL, &text, &st)) {
        session_say(app->session, MESSAGE_ERROR, "%s", status_message(&st));
    } else if (!str_trim(buffer_str(&text)).n) {
        session_say(app->session, MESSAGE_INFO, "nothing to run: the file was left empty");
    } else {
        struct str sql = str_trim(buffer_str(&text));
        char *copy = mem_copy_string(sql.p, sql.n);
        const char *args[] = {copy, "Query"};
        edit_history_add(&app->sql_history, copy);
        app_run(app, "dev.perfetto.RunQueryAndShowTab", args, 2);
        mem_free(copy);
    }
    status_clear(&st);
    buffer_free(&text);
}

void edit_sql(struct app *app, const char *text)
{
    if (!app->hooks.edit) {
        session_say(app->session, MESSAGE_WARNING, "there is no terminal for an editor here");
        return;
    }
    const char *place = getenv("TMPDIR");
    struct buffer folder = BUFFER_INIT, path = BUFFER_INIT;
    struct status st = STATUS_INIT;
    buffer_printf(&folder, "%s/perfetty-XXXXXX", place && place[0] == '/' ? place : "/tmp");
    if (!mkdtemp(folder.data)) { /* 0700 */
        session_say(app->session, MESSAGE_ERROR, "%s: %s", buffer_text(&folder), strerror(errno));
    } else {
        buffer_printf(&path, "%s/query.sql", buffer_text(&folder));
        struct buffer first = BUFFER_INIT;
        buffer_printf(&first, "%s\n", text ? text : "");
        bool good = state_file_write(buffer_text(&path), buffer_str(&first), &st) &&
                    app->hooks.edit(app->hooks.context, buffer_text(&path), &st);
        if (good)
            run(app, buffer_text(&path));
        else
            session_say(app->session, MESSAGE_ERROR, "%s", status_message(&st));
        unlink(buffer_text(&path));
        rmdir(buffer_text(&folder));
        buffer_free(&first);
    }
    status_clear(&st);
    buffer_free(&folder);
    buffer_free(&path);
    app->needs_draw = true;
}
