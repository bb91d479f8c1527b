/* Who has a key: settings, macros of each source, the program; and what is told when
 * two want one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "commands/registry.h"
#include "commands/settings.h"
#include "engine/base/memory.h"
#include "macros/macro.h"
#include "tests/unit/session_fixture.h"
#include "tui/keymap.h"

struct world {
    struct fixture *f;
    struct settings *settings;
    struct keymap *keymap;
};

static void bind_key(struct world *w, const char *keys, const char *line, const char *place)
{
    struct key_setting key = {mem_strdup(keys), line ? mem_strdup(line) : NULL, mem_strdup(place)};
    vec_push(&w->settings->keys, key);
}

/* A macro of that id and wish. */
static void add_macro(struct world *w, enum command_scope scope, const char *origin, const char *id,
                      const char *key)
{
    struct buffer json = BUFFER_INIT, path = BUFFER_INIT;
    struct status st = STATUS_INIT;
    struct macro_list list;
    buffer_printf(&json, "[{\"id\": \"%s\", \"name\": \"N\", \"key\": \"%s\", \"run\": []}]", id,
                  key);
    json_t *root = json_strict_load(buffer_str(&json), &st);
    assert_true(macro_list_read(root, false, &path, &list, &st));
    macros_register(w->f->session, &list, scope, origin);
    macro_list_free(&list);
    json_decref(root);
    buffer_free(&json);
    buffer_free(&path);
}

static struct world open_world(void)
{
    void *state;
    fixture_setup(&state);
    return (struct world){state, settings_default(), NULL};
}

static void make(struct world *w)
{
    struct status st = STATUS_INIT;
    w->keymap = keymap_new(w->f->session, w->settings, &st);
    assert_non_null(w->keymap);
    keymap_bind(w->keymap, w->f->session);
}

static void close_world(struct world *w)
{
    void *state = w->f;
    keymap_free(w->keymap);
    settings_free(w->settings);
    fixture_teardown(&state);
}

/* The line that the keys run in a place; NULL when they run none. */
static const char *line_of(const struct world *w, const char *keys, enum key_place place)
{
    struct str rest = str_of(keys), word;
    struct key typed[4];
    uint32_t n = 0, letter;
    const struct binding *found = NULL;
    while (str_split_next(&rest, ' ', &word))
        assert_true(key_parse(word, &typed[n++]));
    if (keymap_find(w->keymap, place, typed, n, &found, &letter) != KEY_MATCH) return NULL;
    return found->line;
}

/* The messages, each with what it is, are these. */
static void expect_said(const struct world *w, const char *want)
{
    struct buffer got = BUFFER_INIT;
    for (size_t i = 0; i < w->f->session->messages.count; i++) {
        const struct session_message *m = &w->f->session->messages.items[i];
        buffer_printf(&got, "%s%s\n", m->kind == MESSAGE_WARNING ? "! " : "", m->text);
    }
    assert_string_equal(buffer_text(&got), want);
    buffer_free(&got);
}

static void keys_without_a_conflict(void **state)
{
    (void)state;
    struct world w = open_world();
    bind_key(&w, "F5", "dev.perfetty.ZoomToFit", "everywhere");
    add_macro(&w, COMMAND_SETTINGS_MACRO, "settings", "my.A", "F6");
    add_macro(&w, COMMAND_SERVER_MACRO, "tools", "com.srv.A", "F7");
    add_macro(&w, COMMAND_TRACE_MACRO, "the trace, com.ex", "com.ex.A", "g 1");
    make(&w);
    expect_said(&w, "");
    assert_string_equal(line_of(&w, "F5", KEYS_TIMELINE), "dev.perfetty.ZoomToFit");
    assert_string_equal(line_of(&w, "F6", KEYS_DETAILS), "my.A");
    assert_string_equal(line_of(&w, "F7", KEYS_TIMELINE), "com.srv.A");
    assert_string_equal(line_of(&w, "g 1", KEYS_TIMELINE), "com.ex.A");
    assert_string_equal(line_of(&w, "w", KEYS_TIMELINE), "dev.perfetty.ZoomIn");
    assert_null(line_of(&w, "F8", KEYS_TIMELINE));
    /* Their keys go with them. */
    registry_remove_scope(w.f->session->registry, COMMAND_TRACE_MACRO);
    keymap_bind(w.keymap, w.f->session);
    assert_null(line_of(&w, "g 1", KEYS_TIMELINE));
    close_world(&w);
}

static void macro_of_settings_and_macro_of_trace(void **state)
{
    (void)state;
    struct world w = open_world();
    add_macro(&w, COMMAND_TRACE_MACRO, "the trace, com.b", "com.b.Y", "F5");
    add_macro(&w, COMMAND_SETTINGS_MACRO, "settings", "com.a.X", "F5");
    make(&w);
    expect_said(&w,
                "! key F5: macro com.a.X of the settings and macro com.b.Y of the trace, com.b; "
                "the first stays\n");
    assert_string_equal(line_of(&w, "F5", KEYS_TIMELINE), "com.a.X");
    /* It is told once. */
    keymap_bind(w.keymap, w.f->session);
    assert_int_equal(w.f->session->messages.count, 1);
    close_world(&w);
}

static void macros_of_a_server_and_of_the_trace(void **state)
{
    (void)state;
    struct world w = open_world();
    add_macro(&w, COMMAND_SERVER_MACRO, "tools", "com.srv.A", "F5");
    add_macro(&w, COMMAND_TRACE_MACRO, "the trace, com.b", "com.b.Y", "F5");
    make(&w);
    expect_said(&w, "! key F5: macro com.srv.A of tools and macro com.b.Y of the trace, com.b; the "
                    "first stays\n");
    close_world(&w);
}

static void settings_and_a_macro(void **state)
{
    (void)state;
    struct world w = open_world();
    bind_key(&w, "F5", "dev.perfetty.ZoomToFit", "everywhere");
    add_macro(&w, COMMAND_SETTINGS_MACRO, "settings", "my.A", "F5");
    make(&w);
    expect_said(&w, "! key F5: dev.perfetty.ZoomToFit of the settings and macro my.A of the "
                    "settings; the first stays\n");
    assert_string_equal(line_of(&w, "F5", KEYS_TIMELINE), "dev.perfetty.ZoomToFit");
    close_world(&w);
}

static void settings_twice(void **state)
{
    (void)state;
    struct world w = open_world();
    bind_key(&w, "Ctrl+k", "dev.perfetty.ZoomToFit", "everywhere");
    bind_key(&w, "ctrl+K", "dev.perfetty.ZoomIn", "timeline");
    make(&w);
    expect_said(&w, "! key Ctrl+k: dev.perfetty.ZoomToFit of the settings and dev.perfetty.ZoomIn "
                    "of the settings; the first stays\n");
    close_world(&w);
}

static void settings_and_a_default(void **state)
{
    (void)state;
    struct world w = open_world();
    bind_key(&w, "w", "dev.perfetty.ZoomOut", "everywhere");
    bind_key(&w, "n", "dev.perfetty.NextNote", "timeline");
    bind_key(&w, "X", NULL, "everywhere");
    make(&w);
    expect_said(&w,
                "key w: dev.perfetty.ZoomOut of the settings and dev.perfetty.ZoomIn of "
                "perfetty; the first stays\n"
                "key n: dev.perfetty.NextNote of the settings and dev.perfetto.SearchNext of "
                "perfetty; the first stays\n"
                "key w: dev.perfetty.ZoomOut of the settings and dev.perfetty.FlamegraphZoom in "
                "of perfetty; the first stays\n");
    assert_string_equal(line_of(&w, "w", KEYS_TIMELINE), "dev.perfetty.ZoomOut");
    assert_string_equal(line_of(&w, "n", KEYS_TIMELINE), "dev.perfetty.NextNote");
    /* In the other places it is as it was; what is unbound runs nothing. */
    assert_string_equal(line_of(&w, "n", KEYS_DETAILS), "dev.perfetto.SearchNext");
    assert_null(line_of(&w, "X", KEYS_TIMELINE));
    close_world(&w);
}

static void a_macro_and_a_default(void **state)
{
    (void)state;
    struct world w = open_world();
    add_macro(&w, COMMAND_SETTINGS_MACRO, "settings", "my.A", "I");
    add_macro(&w, COMMAND_TRACE_MACRO, "the trace, com.b", "com.b.Y", "E");
    make(&w);
    expect_said(&w,
                "key I: macro my.A of the settings and dev.perfetty.ShowTraceInfo of perfetty; the "
                "first stays\n"
                "! key E: dev.perfetty.ShowTraceExtensions of perfetty and macro com.b.Y of the "
                "trace, com.b; the first stays\n");
    assert_string_equal(line_of(&w, "I", KEYS_TIMELINE), "my.A");
    assert_string_equal(line_of(&w, "E", KEYS_TIMELINE), "dev.perfetty.ShowTraceExtensions");
    close_world(&w);
}

static void a_sequence_that_begins_with_another(void **state)
{
    (void)state;
    struct world w = open_world();
    bind_key(&w, "g n", NULL, "everywhere");
    bind_key(&w, "w 1", "dev.perfetty.ZoomToFit", "timeline");
    make(&w);
    expect_said(&w, "! key w: dev.perfetty.ZoomIn of perfetty comes before w1: "
                    "dev.perfetty.ZoomToFit of the settings\n");
    close_world(&w);
}

/* A trace cannot make other keys unreachable. */
static void a_trace_takes_no_beginning(void **state)
{
    (void)state;
    struct world w = open_world();
    bind_key(&w, "g n", NULL, "everywhere");
    add_macro(&w, COMMAND_TRACE_MACRO, "the trace, com.b", "com.b.X", "g");
    add_macro(&w, COMMAND_TRACE_MACRO, "the trace, com.b", "com.b.Y", "g n n");
    add_macro(&w, COMMAND_TRACE_MACRO, "the trace, com.b", "com.b.Z", "g t t");
    add_macro(&w, COMMAND_TRACE_MACRO, "the trace, com.b", "com.b.M", "m a");
    make(&w);
    expect_said(
        &w, "! key g: dev.perfetty.JumpForward of perfetty and macro com.b.X of the trace, "
            "com.b; the first stays\n"
            "! key gtt: dev.perfetty.NextTab of perfetty and macro com.b.Z of the trace, "
            "com.b; the first stays\n"
            "! key ma: dev.perfetty.FlamegraphMetric of perfetty and macro com.b.M of the trace, "
            "com.b; the first stays\n");
    assert_string_equal(line_of(&w, "g n n", KEYS_TIMELINE), "com.b.Y");
    assert_string_equal(line_of(&w, "g g", KEYS_TIMELINE), "dev.perfetty.FirstRow");
    close_world(&w);
}

static void what_is_no_key_or_no_command(void **state)
{
    (void)state;
    struct world w = open_world();
    struct status st = STATUS_INIT;
    bind_key(&w, "F5", "my.Nowhere", "everywhere");
    bind_key(&w, "F6", "my.Later", "everywhere");
    add_macro(&w, COMMAND_TRACE_MACRO, "the trace, com.b", "com.b.Y", "F99");
    w.keymap = keymap_new(w.f->session, w.settings, &st);
    assert_non_null(w.keymap);
    /* Whether there is the macro is known when macros are there. */
    add_macro(&w, COMMAND_SETTINGS_MACRO, "settings", "my.Later", "F6");
    keymap_bind(w.keymap, w.f->session);
    expect_said(&w, "! macro com.b.Y of the trace, com.b: F99 names no key\n"
                    "! settings: keys: F5: there is no command my.Nowhere\n");
    assert_string_equal(line_of(&w, "F6", KEYS_TIMELINE), "my.Later");
    keymap_free(w.keymap);
    bind_key(&w, "bogus", "dev.perfetty.ZoomIn", "everywhere");
    w.keymap = keymap_new(w.f->session, w.settings, &st);
    assert_null(w.keymap);
    assert_string_equal(st.message,
                        "settings: keys: \"bogus\" names no key (say \"g g\", \"Ctrl+o\", "
                        "\"F2\" or \"m <letter>\")");
    status_clear(&st);
    close_world(&w);
}

/* The defaults themselves are free of what is told of others. */
static void defaults_do_not_hide_each_other(void **state)
{
    (void)state;
    struct world w = open_world();
    make(&w);
    const struct keymap *k = w.keymap;
    for (uint32_t i = 0; i < keymap_count(k); i++)
        for (uint32_t j = i + 1; j < keymap_count(k); j++) {
            const struct binding *a = keymap_at(k, i), *b = keymap_at(k, j);
            if (a->place != b->place || a->n_keys > b->n_keys) continue;
            bool begins = true;
            for (uint32_t n = 0; n < a->n_keys; n++)
                begins &= key_equal(a->keys[n], b->keys[n]);
            if (begins && !a->takes_letter) fail_msg("%s and %s", a->line, b->line);
        }
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_without_a_conflict),
        cmocka_unit_test(macro_of_settings_and_macro_of_trace),
        cmocka_unit_test(macros_of_a_server_and_of_the_trace),
        cmocka_unit_test(settings_and_a_macro),
        cmocka_unit_test(settings_twice),
        cmocka_unit_test(settings_and_a_default),
        cmocka_unit_test(a_macro_and_a_default),
        cmocka_unit_test(a_sequence_that_begins_with_another),
        cmocka_unit_test(a_trace_takes_no_beginning),
        cmocka_unit_test(what_is_no_key_or_no_command),
        cmocka_unit_test(defaults_do_not_hide_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
