#include "tests/screen/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "engine/base/utf8.h"

struct frame frame_shoot(struct stage *stage, const char *trace, const char *size, const char *keys,
                         const char *more)
{
    struct stage_output output;
    enum { FIXED = 7, MOST = 16 };
    const char *argv[MOST] = {PERFETTY, "snapshot",         trace, "--size", size,
                              "--keys", keys ? keys : "Esc"};
    struct frame frame = {NULL, 0, 0};
    char options[256];
    snprintf(options, sizeof options, "%s", more ? more : "");
    size_t n = FIXED;
    for (char *at = options, *next; *at && n + 1 < MOST; at = next) {
        next = at + strcspn(at, " ");
        if (*next) *next++ = 0;
        argv[n++] = at;
    }
    assert_true(stage_run(stage, argv, &output));
    if (output.exit_status) fprintf(stderr, "%s", buffer_text(&output.err));
    assert_int_equal(output.exit_status, 0);
    sscanf(size, "%dx%d", &frame.width, &frame.height);
    frame.text = buffer_take(&output.out);
    stage_output_free(&output);
    return frame;
}

void frame_free(struct frame *frame)
{
    mem_free(frame->text);
}

void frame_check_at(const struct frame *frame, bool good, const char *what, const char *file,
                    int line)
{
    if (good) return;
    fprintf(stderr, "not true: %s\n---- frame ----\n%s---------------\n", what, frame->text);
    _fail(file, line);
}

struct str frame_line(const struct frame *frame, int row)
{
    struct str rest = str_of(frame->text), line = {"", 0};
    for (int i = 0; i <= row; i++)
        if (!str_split_next(&rest, '\n', &line)) return (struct str){"", 0};
    return line;
}

int frame_find(const struct frame *frame, const char *text, int from, int *column)
{
    size_t at;
    for (int row = from; row < frame->height; row++) {
        struct str line = frame_line(frame, row);
        if (!str_find(line, str_of(text), &at)) continue;
        if (column) *column = (int)utf8_visible_width(str_slice(line, 0, at), false);
        return row;
    }
    return -1;
}

bool frame_holds(const struct frame *frame, const char *text)
{
    return frame_find(frame, text, 0, NULL) >= 0;
}

const char *frame_role(const struct frame *roles, int row, int column, char out[64])
{
    struct str line = frame_line(roles, row);
    char text[8192], found[64];
    int from, to, used;
    snprintf(text, sizeof text, "%.*s", (int)line.n, line.p);
    snprintf(out, 64, "default/default");
    for (const char *at = text; sscanf(at, "%d..%d %63s%n", &from, &to, found, &used) == 3;
         at += used)
        if (column >= from && column <= to) snprintf(out, 64, "%s", found);
    return out;
}

char *frame_ask(struct stage *stage, const char *trace, const char *sql)
{
    struct stage_output output;
    const char *argv[] = {PERFETTY, "query", trace, sql, "--format", "csv", NULL};
    assert_true(stage_run(stage, argv, &output));
    if (output.exit_status) fprintf(stderr, "%s", buffer_text(&output.err));
    assert_int_equal(output.exit_status, 0);
    const char *line = strchr(buffer_text(&output.out), '\n') + 1;
    char *value = mem_copy_string(line, strcspn(line, "\r\n"));
    stage_output_free(&output);
    return value;
}

const struct look looks[N_LOOKS] = {
    {"80x24", "", false, false},
    {"80x24", "--ascii", true, false},
    {"80x24", "--theme=mono", false, true},
    {"80x24", "--ascii --no-color", true, true},
    {"200x60", "", false, false},
    {"200x60", "--ascii", true, false},
    {"200x60", "--theme=mono", false, true},
    {"200x60", "--ascii --no-color", true, true},
};

struct frame frame_shoot_look(struct stage *stage, const char *trace, const struct look *look,
                              const char *keys)
{
    return frame_shoot(stage, trace, look->size, keys, look->options);
}

struct frame frame_shoot_roles(struct stage *stage, const char *trace, const struct look *look,
                               const char *keys)
{
    char options[128];
    snprintf(options, sizeof options, "--format=roles %s", look->options);
    return frame_shoot(stage, trace, look->size, keys, options);
}

void frame_check_rows(const struct frame *frame, const char *head, const char *const *texts)
{
    int x, row = frame_find(frame, head, 3, &x);
    frame_check(frame, row > 0);
    for (size_t i = 0; texts[i]; i++) {
        int at = -1;
        bool here = frame_find(frame, texts[i], row + 1 + (int)i, &at) == row + 1 + (int)i;
        if (!here) fprintf(stderr, "row %zu lacks \"%s\"\n", i, texts[i]);
        frame_check(frame, here);
    }
}
