/* How it went with the servers, in words. */
#include "macros/server_host.h"

void server_entry_append_state(const struct server_entry *entry, struct buffer *out)
{
    const struct server_content *content = &entry->content;
    char day[32];
    struct tm when;
    if (!entry->server.enabled) {
        buffer_append_text(out, "disabled");
        return;
    }
    if (entry->is_asking) {
        buffer_append_text(out, "being asked");
        return;
    }
    if (!entry->was_asked) {
        buffer_append_text(out, "not asked yet");
        return;
    }
    if (content->is_stale && localtime_r(&content->kept_at, &when) &&
        strftime(day, sizeof day, "%Y-%m-%d %H:%M", &when)) {
        buffer_printf(out, "stale: not reached, as of %s", day);
        return;
    }
    if (content->problems.count)
        buffer_printf(out, "%zu problem%s", content->problems.count,
                      content->problems.count == 1 ? "" : "s");
    else
        buffer_append_text(out, "asked");
}

void server_host_append_report(const struct server_host *host, struct buffer *out)
{
    for (size_t i = 0; i < server_host_count(host); i++) {
        const struct server_entry *entry = server_host_at(host, i);
        if (!entry->content.problems.count) continue;
        server_append_name(&entry->server, out);
        buffer_append_text(out, " \xE2\x80\x93 ");
        server_entry_append_state(entry, out);
        buffer_append_byte(out, '\n');
        for (size_t k = 0; k < entry->content.problems.count; k++)
            buffer_printf(out, "  %s\n", entry->content.problems.items[k]);
    }
}

size_t server_host_problems(const struct server_host *host)
{
    size_t n = 0;
    for (size_t i = 0; i < server_host_count(host); i++)
        n += server_host_at(host, i)->content.problems.count;
    return n;
}
