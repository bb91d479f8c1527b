#include "commands/track_match.h"

#include <string.h>

#include "commands/js_regex.h"

static bool gave_up(const char *pattern, struct str name, const struct regex_budget *budget,
                    struct status *st)
{
    if (regex_budget_is_spent(budget))
        return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                           "/%.80s/ takes more than %d ms; make it simpler", pattern,
                           REGEX_BUDGET_MS);
    return status_fail(st, STATUS_LIMIT, STATUS_NO_OFFSET,
                       "/%.80s/ goes back too far in a name of %zu bytes; make it simpler", pattern,
                       name.n);
}

bool session_match_tracks(struct session *session, const char *pattern, const char *name_or_path,
                          struct track_node_list *out, struct status *st)
{
    struct js_regex *regex = js_regex_compile(str_of(pattern), st);
    if (!regex) {
        status_prefix(st, "/%.80s/", pattern);
        return false;
    }
    bool by_path = strcmp(name_or_path, "path") == 0, good = true;
    struct regex_budget budget = regex_budget_start(REGEX_BUDGET_MS);
    struct buffer path = BUFFER_INIT;
    const struct track_node *root = &session->workspace->tree.root;
    *out = (struct track_node_list){0};
    for (struct track_node *node = track_tree_next(root, root); node && good;
         node = track_tree_next(root, node)) {
        if (node->headless || node->debug) continue;
        struct str subject = str_of(node->name);
        if (by_path) {
            buffer_clear(&path);
            track_node_path(node, &path);
            subject = buffer_str(&path);
        }
        enum regex_result result = js_regex_test(regex, subject, &budget);
        if (result == REGEX_MATCH) vec_push(out, node);
        if (result == REGEX_GAVE_UP) good = gave_up(pattern, subject, &budget, st);
    }
    if (!good) vec_free(out);
    buffer_free(&path);
    js_regex_free(regex);
    return good;
}

void session_say_no_match(struct session *session, const char *pattern, const char *name_or_path)
{
    session_say(session, MESSAGE_INFO, "0 tracks match /%s/ (%s are case-sensitive%s)", pattern,
                strcmp(name_or_path, "path") == 0 ? "paths" : "names",
                strcmp(name_or_path, "path") == 0 ? "" : "; try path");
}

uint8_t session_trace_in_focus(const struct session *session)
{
    return session->focus ? session->focus->trace : 0;
}

struct track_node *session_find_track(struct session *session, const char *text)
{
    struct track_node *node = track_tree_find(&session->workspace->tree, text);
    if (!node) node = track_tree_find(&session->workspace->pinned, text);
    const struct track_node *root = &session->workspace->tree.root;
    struct track_node *named = NULL;
    struct buffer path = BUFFER_INIT;
    for (struct track_node *at = track_tree_next(root, root); at && !node;
         at = track_tree_next(root, at)) {
        if (at->headless) continue;
        if (!named && strcmp(at->name, text) == 0) named = at;
        buffer_clear(&path);
        track_node_path(at, &path);
        if (str_is(buffer_str(&path), text)) node = at;
    }
    buffer_free(&path);
    return node ? node : named;
}
