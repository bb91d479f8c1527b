#include "tui/keymap.h"

#include <string.h>

#include "commands/registry.h"
#include "commands/settings.h"
#include "engine/base/memory.h"
#include "tui/keymap_defaults.h"

struct keymap {
    VEC(struct binding) bindings; /* the person's first: the first match wins; line NULL: unbound */
};

void keymap_free(struct keymap *keymap)
{
    if (!keymap) return;
    for (size_t i = 0; i < keymap->bindings.count; i++)
        mem_free(keymap->bindings.items[i].line);
    vec_free(&keymap->bindings);
    mem_free(keymap);
}

/* "g g", "Ctrl+o", "m <letter>". */
static bool parse_keys(struct str text, struct binding *binding)
{
    struct str word;
    while (str_split_next(&text, ' ', &word)) {
        if (!word.n) continue;
        if (binding->takes_letter) return false;
        if (str_is(word, "<letter>")) {
            binding->takes_letter = true;
            continue;
        }
        if (binding->n_keys == 4 || !key_parse(word, &binding->keys[binding->n_keys])) return false;
        binding->n_keys++;
    }
    return binding->n_keys > 0;
}

static bool same_keys(const struct binding *a, const struct binding *b)
{
    if (a->n_keys != b->n_keys || a->takes_letter != b->takes_letter) return false;
    for (uint32_t i = 0; i < a->n_keys; i++)
        if (!key_equal(a->keys[i], b->keys[i])) return false;
    return a->place == b->place || a->place == KEYS_EVERYWHERE || b->place == KEYS_EVERYWHERE;
}

void binding_write_keys(const struct binding *binding, struct buffer *out)
{
    for (uint32_t i = 0; i < binding->n_keys; i++) {
        /* Plain characters stand together ("gg"); named keys apart. */
        if (i && (binding->keys[i].code >= KEY_NAMED || binding->keys[i].modifiers))
            buffer_append_byte(out, ' ');
        key_write(binding->keys[i], out);
    }
    if (binding->takes_letter) buffer_append_text(out, " + letter");
}

static enum key_place place_of(const char *name)
{
    if (strcmp(name, "timeline") == 0) return KEYS_TIMELINE;
    if (strcmp(name, "flamegraph") == 0) return KEYS_FLAME;
    if (strcmp(name, "table") == 0) return KEYS_TABLE;
    return strcmp(name, "details") == 0 ? KEYS_DETAILS : KEYS_EVERYWHERE;
}

/* A wrong command line is said and kept: the macro it names may come later. */
static void check_line(struct session *session, const struct key_setting *key)
{
    struct invocation invocation = {0};
    struct status st = STATUS_INIT;
    if (registry_parse_line(session->registry, str_of(key->line), &invocation, &st)) {
        invocation_dispose(&invocation);
        return;
    }
    session_say(session, MESSAGE_WARNING, "settings: keys: %s: %s", key->keys, status_message(&st));
    status_clear(&st);
}

/* A binding of the person's.  Two of theirs for one sequence are a conflict,
 * which is reported; a default just gives way. */
static bool add_from_settings(struct keymap *keymap, struct session *session,
                              const struct key_setting *key, struct status *st)
{
    struct binding binding = {
        .group = "yours", .from_settings = true, .place = place_of(key->place)};
    if (!parse_keys(str_of(key->keys), &binding))
        return status_fail(st, STATUS_INVALID, STATUS_NO_OFFSET,
                           "settings: keys: \"%s\" names no key (say \"g g\", \"Ctrl+o\", "
                           "\"F2\" or \"m <letter>\")",
                           key->keys);
    for (size_t i = 0; i < keymap->bindings.count; i++) {
        const struct binding *other = &keymap->bindings.items[i];
        if (!same_keys(other, &binding)) continue;
        session_say(session, MESSAGE_WARNING,
                    "settings: keys: %s is bound to %s and to %s; the first holds", key->keys,
                    other->line ? other->line : "nothing", key->line ? key->line : "nothing");
        return true;
    }
    if (key->line) {
        check_line(session, key);
        binding.line = mem_strdup(key->line);
    }
    vec_push(&keymap->bindings, binding);
    return true;
}

static void add_defaults(struct keymap *keymap)
{
    size_t n_own = keymap->bindings.count;
    for (unsigned i = 0; i < keymap_defaults_count; i++) {
        const struct keymap_default *d = &keymap_defaults[i];
        struct binding binding = {.place = d->place, .group = d->group, .hint = d->hint};
        if (!parse_keys(str_of(d->keys), &binding)) continue;
        const struct binding *taken = NULL;
        for (size_t k = 0; k < n_own && !taken; k++)
            if (same_keys(&keymap->bindings.items[k], &binding)) taken = &keymap->bindings.items[k];
        if (taken) continue;
        binding.line = mem_strdup(d->line);
        vec_push(&keymap->bindings, binding);
    }
}

struct keymap *keymap_new(struct session *session, const struct settings *settings,
                          struct status *st)
{
    struct keymap *keymap = mem_zero(1, sizeof *keymap);
    for (size_t i = 0; settings && i < settings->keys.count; i++)
        if (!add_from_settings(keymap, session, &settings->keys.items[i], st)) {
            keymap_free(keymap);
            return NULL;
        }
    add_defaults(keymap);
    return keymap;
}

static bool is_letter(struct key key)
{
    return !key.modifiers &&
           ((key.code >= 'a' && key.code <= 'z') || (key.code >= 'A' && key.code <= 'Z'));
}

bool key_place_holds(enum key_place binding, enum key_place place)
{
    return binding == KEYS_EVERYWHERE || binding == place ||
           (binding == KEYS_DETAILS && place == KEYS_TABLE);
}

enum key_match keymap_find(const struct keymap *keymap, enum key_place place,
                           const struct key *keys, uint32_t n, const struct binding **found,
                           uint32_t *letter)
{
    bool prefix = false;
    const struct binding *elsewhere = NULL;
    for (size_t i = 0; i < keymap->bindings.count; i++) {
        const struct binding *b = &keymap->bindings.items[i];
        if (!key_place_holds(b->place, place)) continue;
        if (!b->line) continue; /* unbound by the person */
        uint32_t total = b->n_keys + (b->takes_letter ? 1 : 0);
        if (n > total) continue;
        uint32_t compare = n < b->n_keys ? n : b->n_keys;
        bool same = true;
        for (uint32_t k = 0; k < compare; k++)
            same &= key_equal(keys[k], b->keys[k]);
        if (!same) continue;
        if (n < total) {
            prefix = true;
            continue;
        }
        if (b->takes_letter && !is_letter(keys[n - 1])) continue;
        *letter = b->takes_letter ? keys[n - 1].code : 0;
        /* What holds only here goes before what holds everywhere. */
        if (b->place == place || b->from_settings) {
            *found = b;
            return KEY_MATCH;
        }
        bool nearer =
            elsewhere && elsewhere->place == KEYS_EVERYWHERE && b->place != KEYS_EVERYWHERE;
        if (!elsewhere || nearer) elsewhere = b;
    }
    if (elsewhere) {
        *found = elsewhere;
        return KEY_MATCH;
    }
    return prefix ? KEY_PREFIX : KEY_NO_MATCH;
}

uint32_t keymap_count(const struct keymap *keymap)
{
    return (uint32_t)keymap->bindings.count;
}

const struct binding *keymap_at(const struct keymap *keymap, uint32_t i)
{
    return &keymap->bindings.items[i];
}

const struct binding *keymap_for(const struct keymap *keymap, const char *command_id)
{
    for (size_t i = 0; i < keymap->bindings.count; i++)
        if (keymap->bindings.items[i].line &&
            strcmp(keymap->bindings.items[i].line, command_id) == 0)
            return &keymap->bindings.items[i];
    return NULL;
}
