/* Which keys run which command: one table, from which help and hints come too.
 *
 * A binding is a sequence of at most 4 keys, a command line (id and fixed
 * arguments), and where it holds.  A sequence may end in <letter>, which becomes an
 * argument.  Who has a sequence first keeps it: `keys` of the settings, macros of the
 * settings, the program, macros of servers and of the trace.  Two owners of one
 * sequence in one place are told, and so is one that another's sequence begins with.
 */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include "commands/session.h"
#include "tui/key.h"

/* A table is in the details: what holds there holds in it, after its own. */
enum key_place { KEYS_EVERYWHERE, KEYS_TIMELINE, KEYS_DETAILS, KEYS_FLAME, KEYS_TABLE };

struct binding {
    struct key keys[4];
    uint32_t n_keys;
    bool takes_letter; /* one more key, a letter, is an argument */
    enum key_place place;
    char *line;        /* command line; owned */
    const char *group; /* heading in the help; constant */
    const char *hint;  /* short word for the hint line; NULL: never shown there */
    bool from_settings;
    bool is_macro; /* wished for by the macro that it runs */
    char *owner;   /* "the settings", "the trace, com.example" …; owned; NULL: the program */
};

struct keymap;

/* NULL with a message when settings name a bad key; conflicts become session messages.
 * The settings are borrowed; may be NULL. */
struct keymap *keymap_new(struct session *session, const struct settings *settings,
                          struct status *st);
/* After macros were registered, or went: their keys, and whether settings name commands
 * that there are. */
void keymap_bind(struct keymap *keymap, struct session *session);
void keymap_free(struct keymap *keymap);

enum key_match { KEY_NO_MATCH, KEY_PREFIX, KEY_MATCH };
/* Looks a sequence up for a place.  On KEY_MATCH *letter is the letter typed, or
 * 0. */
enum key_match keymap_find(const struct keymap *keymap, enum key_place place,
                           const struct key *keys, uint32_t n, const struct binding **found,
                           uint32_t *letter);
/* What is bound for `binding` can be pressed at `place`. */
bool key_place_holds(enum key_place binding, enum key_place place);
uint32_t keymap_count(const struct keymap *keymap);
const struct binding *keymap_at(const struct keymap *keymap, uint32_t i);
/* The first binding of a command line, for palettes; NULL. */
const struct binding *keymap_for(const struct keymap *keymap, const char *command_id);
void binding_write_keys(const struct binding *binding, struct buffer *out);

#endif
