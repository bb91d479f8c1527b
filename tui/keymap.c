#include "tui/keymap.h"

#include <string.h>

#include "commands/registry.h"
#include "commands/settings.h"
#include "engine/base/memory.h"
#include "tui/keymap_defaults.h"

struct keymap {
    const struct settings *settings; /* borrowed; may be NULL */
    VEC(struct binding) bindings;    /* in the order in which they win; line NULL: unbound */
    struct strmap said;              /* conflicts that were told */
};

static void clear(struct keymap *keymap)
{
    for (size_t i = 0; i < keymap->bindings.count; i++) {
        mem_free(keymap->bindings.items[i].line);
        mem_free(keymap->bindings.items[i].owner);
    }
    vec_clear(&keymap->bindings);
}

void keymap_free(struct keymap *keymap)
{
    if (!keymap) return;
    clear(keymap);
    vec_free(&keymap->bindings);
    strmap_free(&keymap->said);
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

static bool places_meet(const struct binding *a, const struct binding *b)
{
    return a->place == b->place || a->place == KEYS_EVERYWHERE || b->place == KEYS_EVERYWHERE;
}

/* The first keys of `b` are those of `a`, in one place. */
static bool begins(const struct binding *a, const struct binding *b)
{
    if (a->n_keys > b->n_keys || !places_meet(a, b)) return false;
    for (uint32_t i = 0; i < a->n_keys; i++)
        if (!key_equal(a->keys[i], b->keys[i])) return false;
    return true;
}

static bool same_keys(const struct binding *a, const struct binding *b)
{
    return a->n_keys == b->n_keys && a->takes_letter == b->takes_letter && begins(a, b);
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

/* ---- whose a key is ---- */

static void tell(struct keymap *keymap, struct session *session, enum message_kind kind,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Once: the bindings are made again when macros come. */
static void tell(struct keymap *keymap, struct session *session, enum message_kind kind,
                 const char *format, ...)
{
    struct buffer text = BUFFER_INIT;
    bool is_new;
    va_list args;
    va_start(args, format);
    buffer_vprintf(&text, format, args);
    va_end(args);
    strmap_put_if_absent(&keymap->said, buffer_str(&text), 1, &is_new);
    if (is_new) session_say(session, kind, "%s", buffer_text(&text));
    buffer_free(&text);
}

/* "macro com.a.X of the settings", "dev.perfetty.ZoomIn of perfetty". */
static void write_owner(const struct binding *binding, struct buffer *out)
{
    buffer_printf(out, "%s%s of %s", binding->is_macro ? "macro " : "",
                  binding->line ? binding->line : "nothing",
                  binding->owner ? binding->owner : "perfetty");
}

/* Keys taken from a default on purpose are worth a line, but no warning. */
static void tell_conflict(struct keymap *keymap, struct session *session,
                          const struct binding *first, const struct binding *second)
{
    struct buffer text = BUFFER_INIT;
    buffer_append_text(&text, "key ");
    binding_write_keys(second, &text);
    buffer_append_text(&text, ": ");
    write_owner(first, &text);
    buffer_append_text(&text, " and ");
    write_owner(second, &text);
    tell(keymap, session, second->owner ? MESSAGE_WARNING : MESSAGE_INFO, "%s; the first stays",
         buffer_text(&text));
    buffer_free(&text);
}

/* The binding that has these keys already; NULL. */
static const struct binding *holder(const struct keymap *keymap, const struct binding *binding)
{
    for (size_t i = 0; i < keymap->bindings.count; i++)
        if (same_keys(&keymap->bindings.items[i], binding)) return &keymap->bindings.items[i];
    return NULL;
}

/* The binding that keys of a server or a trace would take from, or never be reached for:
 * one that begins with them, or that they begin with. */
static const struct binding *neighbour(const struct keymap *keymap, const struct binding *binding)
{
    for (size_t i = 0; i < keymap->bindings.count; i++) {
        const struct binding *b = &keymap->bindings.items[i];
        if (b->line && (begins(b, binding) || begins(binding, b))) return b;
    }
    return NULL;
}

/* A whole sequence runs at once, so one that goes on from it is never reached. */
static void tell_hidden(struct keymap *keymap, struct session *session,
                        const struct binding *shorter)
{
    const struct binding *example = NULL;
    uint32_t more = 0;
    for (size_t i = 0; i < keymap->bindings.count; i++) {
        const struct binding *b = &keymap->bindings.items[i];
        bool longer = b->n_keys > shorter->n_keys || (b->takes_letter && !shorter->takes_letter);
        if (!b->line || !longer || !begins(shorter, b) || !(b->owner || shorter->owner)) continue;
        more += example != NULL;
        if (!example) example = b;
    }
    if (!example) return;
    struct buffer text = BUFFER_INIT;
    buffer_append_text(&text, "key ");
    binding_write_keys(shorter, &text);
    buffer_append_text(&text, ": ");
    write_owner(shorter, &text);
    buffer_append_text(&text, " comes before ");
    binding_write_keys(example, &text);
    buffer_append_text(&text, ": ");
    write_owner(example, &text);
    if (more) buffer_printf(&text, " and %u more", more);
    tell(keymap, session, MESSAGE_WARNING, "%s", buffer_text(&text));
    buffer_free(&text);
}

/* ---- where bindings come from ---- */

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
    binding.line = key->line ? mem_strdup(key->line) : NULL;
    binding.owner = mem_strdup("the settings");
    const struct binding *taken = holder(keymap, &binding);
    if (taken) {
        tell_conflict(keymap, session, taken, &binding);
        mem_free(binding.line);
        mem_free(binding.owner);
        return true;
    }
    vec_push(&keymap->bindings, binding);
    return true;
}

/* "the settings", "the trace, com.example", a server's name. */
static const char *owner_of(const struct registry_entry *entry)
{
    return entry->scope == COMMAND_SETTINGS_MACRO ? "the settings" : entry->origin;
}

/* Macros that wish for a key: of the settings, or of all others. */
static void add_macros(struct keymap *keymap, struct session *session, bool of_settings)
{
    const struct registry *registry = session->registry;
    for (uint32_t i = 0; i < registry_count(registry); i++) {
        const struct registry_entry *entry = registry_at(registry, i);
        const char *key = entry->command->key;
        if (!key || (entry->scope == COMMAND_SETTINGS_MACRO) != of_settings) continue;
        struct binding binding = {
            .group = "macros", .is_macro = true, .from_settings = of_settings};
        if (!parse_keys(str_of(key), &binding) || binding.takes_letter) {
            tell(keymap, session, MESSAGE_WARNING, "macro %s of %s: %.40s names no key",
                 entry->command->id, owner_of(entry), key);
            continue;
        }
        binding.line = mem_strdup(entry->command->id);
        binding.owner = mem_strdup(owner_of(entry));
        const struct binding *taken = holder(keymap, &binding);
        if (!taken && !of_settings) taken = neighbour(keymap, &binding);
        /* One's own line in `keys` that says the same is no conflict. */
        bool same = taken && taken->line && strcmp(taken->line, binding.line) == 0;
        if (taken && !same) tell_conflict(keymap, session, taken, &binding);
        if (!taken) {
            vec_push(&keymap->bindings, binding);
            continue;
        }
        mem_free(binding.line);
        mem_free(binding.owner);
    }
}

/* A default gives way; where only a place of it is taken it holds elsewhere. */
static void add_defaults(struct keymap *keymap, struct session *session)
{
    size_t n_own = keymap->bindings.count;
    for (unsigned i = 0; i < keymap_defaults_count; i++) {
        const struct keymap_default *d = &keymap_defaults[i];
        struct binding binding = {.place = d->place, .group = d->group, .hint = d->hint};
        if (!parse_keys(str_of(d->keys), &binding)) continue;
        binding.line = mem_strdup(d->line);
        bool gone = false;
        for (size_t k = 0; k < n_own; k++) {
            const struct binding *own = &keymap->bindings.items[k];
            if (!same_keys(own, &binding)) continue;
            gone |= own->place == KEYS_EVERYWHERE || own->place == binding.place;
            if (own->line && strcmp(own->line, d->line) != 0)
                tell_conflict(keymap, session, own, &binding);
        }
        if (gone)
            mem_free(binding.line);
        else
            vec_push(&keymap->bindings, binding);
    }
}

static bool build(struct keymap *keymap, struct session *session, struct status *st)
{
    const struct settings *settings = keymap->settings;
    clear(keymap);
    for (size_t i = 0; settings && i < settings->keys.count; i++)
        if (!add_from_settings(keymap, session, &settings->keys.items[i], st)) return false;
    add_macros(keymap, session, true);
    add_defaults(keymap, session);
    add_macros(keymap, session, false);
    for (size_t i = 0; i < keymap->bindings.count; i++)
        if (keymap->bindings.items[i].line)
            tell_hidden(keymap, session, &keymap->bindings.items[i]);
    return true;
}

struct keymap *keymap_new(struct session *session, const struct settings *settings,
                          struct status *st)
{
    struct keymap *keymap = mem_zero(1, sizeof *keymap);
    keymap->settings = settings;
    if (build(keymap, session, st)) return keymap;
    keymap_free(keymap);
    return NULL;
}

/* A wrong command line is said and kept: a server's macro may come later. */
static void check_line(struct keymap *keymap, struct session *session,
                       const struct key_setting *key)
{
    struct invocation invocation = {0};
    struct status st = STATUS_INIT;
    if (registry_parse_line(session->registry, str_of(key->line), &invocation, &st))
        invocation_dispose(&invocation);
    else
        tell(keymap, session, MESSAGE_WARNING, "settings: keys: %s: %s", key->keys,
             status_message(&st));
    status_clear(&st);
}

void keymap_bind(struct keymap *keymap, struct session *session)
{
    const struct settings *settings = keymap->settings;
    struct status st = STATUS_INIT;
    build(keymap, session, &st); /* keys of settings were good when it was made */
    for (size_t i = 0; settings && i < settings->keys.count; i++)
        if (settings->keys.items[i].line) check_line(keymap, session, &settings->keys.items[i]);
    status_clear(&st);
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
