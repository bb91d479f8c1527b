/* The viewer for scripts: commands run, then every query tab is handed over. */
#include <string.h>

#include "commands/registry.h"
#include "engine/base/memory.h"
#include "tui/export.h"
#include "tui/headless.h"
#include "tui/sink.h"

static void say(const struct viewer_batch *batch, enum batch_line kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(const struct viewer_batch *batch, enum batch_line kind, const char *format, ...)
{
    struct buffer text = BUFFER_INIT;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&text, format, args);
    va_end(args);
    batch->say(batch->context, kind, buffer_text(&text));
    buffer_free(&text);
}

static void say_report(const struct viewer_batch *batch, const struct report *report)
{
    for (size_t i = 0; i < report->lines.count; i++) {
        const struct report_line *line = &report->lines.items[i];
        say(batch, BATCH_FAILED, "%s: %s%s%s (%s): %s", line->blocked ? "blocked" : "failed",
            line->id, line->macro ? " in " : "", line->macro ? line->macro : "",
            command_source_name(line->source), line->why);
    }
}

static void say_messages(const struct viewer_batch *batch, const struct session *session)
{
    for (size_t i = 0; i < session->messages.count; i++) {
        const struct session_message *message = &session->messages.items[i];
        say(batch, message->kind == MESSAGE_INFO ? BATCH_SAID : BATCH_WARNED, "%s", message->text);
    }
}

/* As a person would start it; what would be asked is refused. */
static bool run_macro(const struct viewer_batch *batch, struct session *session, struct status *st)
{
    const struct registry_entry *entry = registry_find(session->registry, batch->macro);
    if (!entry)
        return status_fail(st, STATUS_NOT_FOUND, STATUS_NO_OFFSET, "there is no macro %s",
                           batch->macro);
    if (!registry_is_macro(entry))
        return status_fail(st, STATUS_USAGE, STATUS_NO_OFFSET,
                           "%s is a command and no macro; give it with --commands", batch->macro);
    struct report report = {0};
    struct status why = STATUS_INIT;
    const struct command_context context = {
        .source = COMMAND_FROM_PERSON, .no_prompts = true, .report = &report};
    bool done = registry_run(session, batch->macro, NULL, 0, &context, &why) == COMMAND_DONE;
    if (!done && report.lines.count == 0)
        say(batch, BATCH_FAILED, "failed: %s: %s", batch->macro, status_message(&why));
    say_report(batch, &report);
    report_dispose(&report);
    status_clear(&why);
    return true;
}

static bool hand_over(const struct viewer_batch *batch, const struct session *session,
                      struct status *st)
{
    uint32_t n = 0;
    for (size_t i = 0; i < session->tabs.count; i++) {
        const struct tab *tab = session->tabs.items[i];
        if (tab->kind != TAB_QUERY) continue;
        n++;
        if (tab->state == TAB_FAILED || !tab->result) {
            say(batch, BATCH_FAILED, "failed: the query of tab '%s': %s", tab->title,
                tab->error ? tab->error : "it has no result");
            continue;
        }
        if (tab->result->rows_left_out > 0)
            say(batch, BATCH_WARNED, "tab '%s' keeps its first %llu rows; %llu more are left out",
                tab->title, (unsigned long long)tab->result->n_rows,
                (unsigned long long)tab->result->rows_left_out);
        struct buffer text = BUFFER_INIT;
        bool ok = export_append_result(tab->result, batch->format, &text) ||
                  status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET, "tab '%s': more than 2 GiB",
                              tab->title);
        ok = ok && batch->table(batch->context, n, tab->title, buffer_str(&text), st);
        buffer_free(&text);
        if (!ok) return false;
    }
    return true;
}

bool viewer_run_batch(const struct viewer_options *options, const struct viewer_batch *batch,
                      struct buffer *frame, struct status *st)
{
    struct headless headless;
    bool ok = headless_open(&headless, options, batch->width, batch->height, st);
    struct session *session = headless.viewer.session;
    if (ok) {
        headless_settle(&headless, 0);
        say_report(batch, &session->startup_report);
        ok = !batch->macro || run_macro(batch, session, st);
        headless_settle(&headless, 0);
    }
    if (session) say_messages(batch, session);
    ok = ok && hand_over(batch, session, st);
    if (ok) sink_write_text(headless.viewer.app->canvas, frame);
    headless_close(&headless);
    return ok;
}
