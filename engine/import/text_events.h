/* What the importers of texts share: lines, events on the clock of the file, and
 * damage with its place.
 *
 * A line ends with a newline; carriage returns before it are no part of it.  A last
 * line without one is what a cut left over: it is counted (perfetty_input_truncated)
 * and not read, as the reference does not read it either.
 */
#ifndef ENGINE_IMPORT_TEXT_EVENTS_H
#define ENGINE_IMPORT_TEXT_EVENTS_H

#include "engine/base/buffer.h"
#include "engine/base/vec.h"
#include "engine/import/damage.h"
#include "engine/import/import.h"
#include "engine/import/sorter.h"

struct text_reader {
    struct damage damage;
    struct str bytes;
    size_t at, next; /* offsets of the line in hand and of the one behind it */
    size_t reported;
    uint32_t n_lines;
};

void text_reader_open(struct text_reader *reader, const struct import_file *file, struct str bytes);
/* False at the end, and when the load is to stop. */
bool text_reader_next(struct text_reader *reader, struct str *line);
/* Counts a failure of the line in hand (damage.h). */
void text_reader_fail(struct text_reader *reader, enum stat stat, const char *error);

/* In the sorter: a line, or a piece of one. */
struct text_event {
    struct str text;
    uint32_t kind; /* the importer's own */
};

/* Events whose time cannot be converted yet wait for the end of the input; so this
 * must live until then once something was pushed. */
struct text_events {
    const struct import_file *file;
    uint32_t queue, sink;
    uint64_t n_pushed;
    struct buffer utf8; /* of a file in UTF-16 */
    VEC(struct text_deferred {
        int64_t time;
        struct text_event event;
    })
    deferred;
};

void text_events_open(struct text_events *events, const struct import_file *file,
                      sorter_sink_fn sink, void *owner);
/* The file's text, which events may point into.  Of a file in UTF-16 it is a copy: its
 * offsets are those in UTF-8. */
struct str text_events_text(struct text_events *events, struct str bytes);
/* `time` is of the file's own clock; the payload of the sink is a struct text_event. */
void text_events_push(struct text_events *events, int64_t time, struct text_event event);
void text_events_close(struct text_events *events);

/* A run of white space off the front; true when there was any. */
bool text_skip_space(struct str *text);
/* The next word (no blanks in it) off the front; STR_NONE at the end. */
struct str text_next_word(struct str *text);
/* The digits at the front off it; none: empty. */
struct str text_take_digits(struct str *text);
/* Is `byte` next?  Then takes it off the front. */
bool text_take_byte(struct str *text, char byte);

#endif
