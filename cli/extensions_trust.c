/* perfetty extensions trust */
#include "cli/extensions.h"
#include "cli/output.h"
#include "commands/settings.h"

static void list_as_json(const struct settings *settings)
{
    const json_t *list = settings_get(settings, "traceStartupDecisions", NULL);
    struct buffer text = BUFFER_INIT;
    if (list)
        json_write(&text, list);
    else
        buffer_append_text(&text, "[]");
    buffer_append_byte(&text, '\n');
    fwrite(buffer_text(&text), 1, text.length, stdout);
    buffer_free(&text);
}

static void list_for_people(const struct settings *settings)
{
    if (settings->decisions.count == 0) fputs("no decision is remembered\n", stdout);
    for (size_t i = 0; i < settings->decisions.count; i++) {
        struct buffer line = BUFFER_INIT;
        trust_append_line(&settings->decisions.items[i], &line);
        output_write(stdout, buffer_str(&line));
        fputs("\n", stdout);
        buffer_free(&line);
    }
}

int extensions_trust(const char *revoke, bool as_json)
{
    struct status st = STATUS_INIT;
    struct settings *settings = settings_load(NULL, NULL, &st);
    if (!settings) return cli_fail(&st);
    int exit_status = CLI_OK;
    size_t n = revoke ? trust_forget(settings, revoke, &st) : 0;
    if (revoke && n == 0)
        exit_status = cli_fail(&st);
    else if (revoke)
        printf("%zu decision%s forgotten\n", n, n == 1 ? "" : "s");
    else if (as_json)
        list_as_json(settings);
    else
        list_for_people(settings);
    settings_free(settings);
    return exit_status;
}
