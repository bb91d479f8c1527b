/* An archive that tells a small story with names nobody could guess: which tracks
 * its macro pins, which tab its startup command opens with which rows, and which
 * of its steps must be refused.  Tests of consent hold the screen against
 * `struct gen_story`, so nothing can be true by accident.
 *
 * The same seed gives the same archive.
 */
#ifndef TESTS_GEN_STORY_H
#define TESTS_GEN_STORY_H

#include <stdint.h>

#include "engine/base/buffer.h"

enum { GEN_STORY_PINS = 3, GEN_STORY_ROWS = 5, GEN_STORY_TEXT = 96 };

struct gen_story {
    char namespace[GEN_STORY_TEXT];
    char process[GEN_STORY_TEXT];
    char thread[GEN_STORY_TEXT];
    int32_t pid, tid;
    /* Names of tracks.  Those of `pinned` are pinned by the startup macro. */
    char pinned[GEN_STORY_PINS][GEN_STORY_TEXT];
    char unpinned[GEN_STORY_TEXT]; /* a like track that nothing pins */
    char slice_track[GEN_STORY_TEXT];
    /* The tab that the last startup command opens, and its cells, '|' between. */
    char module[GEN_STORY_TEXT];
    char tab_title[GEN_STORY_TEXT];
    char tab_query[2 * GEN_STORY_TEXT];
    char tab_rows[GEN_STORY_ROWS][2 * GEN_STORY_TEXT];
    /* Macros. */
    char focus_macro[GEN_STORY_TEXT];     /* started by the trace: pins, expands */
    char smuggling_macro[GEN_STORY_TEXT]; /* started by the trace: pins smuggled[0], then a
                                             forbidden step, then pins smuggled[1] */
    char smuggled[2][GEN_STORY_TEXT];     /* [0] may be pinned, [1] must not be */
    char reaching_macro[GEN_STORY_TEXT];  /* not started; its step copies to the clipboard */
    char colliding_macro[GEN_STORY_TEXT]; /* another definition of this id must win */
    char colliding_pin[GEN_STORY_TEXT];   /* what the trace's own definition would pin */
    /* Startup commands as they are listed: five, of which this one is forbidden. */
    char forbidden_command[GEN_STORY_TEXT];
};

/* Writes a zip.  `colliding_id` NULL: "<namespace>.Shared", which a test defines in
 * the settings; else an id of the program's own, whose front part becomes the
 * namespace ("com.android.X": com.android). */
void gen_story_archive(struct buffer *out, uint64_t seed, const char *colliding_id,
                       struct gen_story *story);
/* The same with the default. */
void tracegen_story(struct buffer *out, uint64_t seed, struct gen_story *story);

#endif
