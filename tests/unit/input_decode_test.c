/* Bytes of terminals as events: every form a key comes in, cut sequences, bytes that are
 * no characters, mouse reports, pastes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tui/input_decode.h"

/* All events of the bytes, as key_write has them, mouse as "kind/button@x,y". */
static void write_events(struct input_decoder *d, bool at_end, struct buffer *out)
{
    static const char *const kinds[] = {"press", "release", "double", "drag", "up", "down"};
    for (;;) {
        struct input_event event = input_decoder_next(d, at_end);
        if (event.type == INPUT_NONE) return;
        if (out->length) buffer_append_byte(out, ' ');
        if (event.pasted) buffer_append_byte(out, '=');
        if (event.type == INPUT_KEY) {
            key_write(event.key, out);
        } else {
            if (event.mouse.modifiers & KEY_CTRL) buffer_append_text(out, "Ctrl+");
            if (event.mouse.modifiers & KEY_SHIFT) buffer_append_text(out, "Shift+");
            buffer_printf(out, "%s/%d@%d,%d", kinds[event.mouse.kind], event.mouse.button,
                          event.mouse.x, event.mouse.y);
        }
    }
}

static const struct {
    const char *bytes, *events;
} forms[] = {
    {"jG ", "j G Space"},
    {"\t\r\n\b\x7f", "Tab Enter Enter Backspace Backspace"},
    {"\x01\x1a\x1d", "Ctrl+a Ctrl+z Ctrl+]"},
    {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
    /* Arrows of both modes, of VT52-like rxvt, with modifiers. */
    {"\033[A\033[B\033[C\033[D", "up down right left"},
    {"\033OA\033OB\033OC\033OD", "up down right left"},
    {"\033[a\033[d\033Oa\033Od", "Shift+up Shift+left Ctrl+up Ctrl+left"},
    {"\033[1;2D\033[1;3C\033[1;5A\033[1;6B", "Shift+left Alt+right Ctrl+up Ctrl+Shift+down"},
    {"\033\033[A\033\033OD", "Alt+up Alt+left"},
    {"\033[H\033[F\033OH\033OF\033[1~\033[4~\033[7~\033[8~", "Home End Home End Home End Home End"},
    {"\033[2~\033[3~\033[5~\033[6~\033[3;5~\033[5^\033[6$\033[2@",
     "Ins Del PgUp PgDn Ctrl+Del Ctrl+PgUp Shift+PgDn Ctrl+Shift+Ins"},
    {"\033OP\033OS\033[11~\033[15~\033[17~\033[24~\033[[A\033[[E\033[1;2P\033[25~",
     "F1 F4 F1 F5 F6 F12 F1 F5 Shift+F1 Shift+F1"},
    {"\033[Z\033OM\033Oj\033Op", "Shift+Tab Enter * 0"},
    /* Alt with a character; Esc twice. */
    {"\0331\033x\033\xc3\xa9\033\r", "Alt+1 Alt+x Alt+\xc3\xa9 Alt+Enter"},
    {"\033\033x", "Esc Alt+x"},
    /* Terminals that report code points. */
    {"\033[97;5u\033[65;2u\033[27;5;105~\033[27u\033[13;3u", "Ctrl+a A Ctrl+i Esc Alt+Enter"},
    /* Answers, unknown finals and nonsense say nothing and take nothing. */
    {"\033[?62;22c\033[12;40Rj\033[I\033[99~k", "j k"},
    {"\033[1;\x01j", "Ctrl+a j"},
    {"\033[<\xc3\xa9", "\xc3\xa9"},
    /* Mouse: wide form and three bytes. */
    {"\033[<0;5;7M\033[<0;5;7m\033[<32;6;7M\033[<2;1;1M",
     "press/1@4,6 release/1@4,6 drag/1@5,6 press/3@0,0"},
    {"\033[<64;300;2M\033[<65;1;1M\033[<80;1;1M\033[<66;1;1M\033[<35;9;9M",
     "up/1@299,1 down/2@0,0 Ctrl+up/1@0,0"},
    {"\033[M !!\033[M#!!j", "press/1@0,0 release/1@0,0 j"},
    {"\033[<0;0;5M\033[<0;5M\033[<-1;2;3Mx", "x"},
    /* No UTF-8: nothing else is lost. */
    {"a\xff\x62\xc3\x63\xe2\x82\x64\x80\x65\xed\xa0\x80\x66", "a b c d e f"},
    {"\xf5\xc0\xaf\xf8z", "z"},
    /* Pasted text is characters only. */
    {"\033[200~a\n\tq\003\033[A\xff\xc3\xa9\033[201~q", "=a =Space =Space =q =[ =A =\xc3\xa9 q"},
};

static void every_form_is_its_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct input_decoder *d = input_decoder_new(true);
        struct buffer out = BUFFER_INIT;
        input_decoder_feed(d, forms[i].bytes, strlen(forms[i].bytes));
        write_events(d, false, &out);
        assert_string_equal(buffer_text(&out), forms[i].events);
        assert_int_equal(input_decoder_pending(d), INPUT_PENDING_NOTHING);
        buffer_free(&out);
        input_decoder_free(d);
    }
}

/* The network may cut anywhere: the same events, whatever the pieces. */
static void pieces_give_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct input_decoder *d = input_decoder_new(true);
        struct buffer out = BUFFER_INIT;
        for (const char *p = forms[i].bytes; *p; p++) {
            input_decoder_feed(d, p, 1);
            write_events(d, false, &out);
        }
        assert_string_equal(buffer_text(&out), forms[i].events);
        buffer_free(&out);
        input_decoder_free(d);
    }
}

static void what_is_begun_waits_until_the_end(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        enum input_pending pending;
        const char *alone;
    } cut[] = {
        {"\033", INPUT_PENDING_ESCAPE, "Esc"},
        {"\033[", INPUT_PENDING_SEQUENCE, "Alt+["},
        {"\033O", INPUT_PENDING_SEQUENCE, "Alt+O"},
        {"\033\033", INPUT_PENDING_SEQUENCE, "Esc Esc"},
        {"\033[1;5", INPUT_PENDING_SEQUENCE, "Alt+[ 1 ; 5"},
        {"\xe2\x82", INPUT_PENDING_SEQUENCE, ""},
    };
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        struct input_decoder *d = input_decoder_new(true);
        struct buffer out = BUFFER_INIT;
        input_decoder_feed(d, cut[i].bytes, strlen(cut[i].bytes));
        write_events(d, false, &out);
        assert_string_equal(buffer_text(&out), "");
        assert_int_equal(input_decoder_pending(d), cut[i].pending);
        write_events(d, true, &out);
        assert_string_equal(buffer_text(&out), cut[i].alone);
        assert_int_equal(input_decoder_pending(d), INPUT_PENDING_NOTHING);
        buffer_free(&out);
        input_decoder_free(d);
    }
}

static void the_terminals_own_sequences_come_first(void **state)
{
    (void)state;
    struct input_decoder *d = input_decoder_new(true);
    input_decoder_add_sequence(d, "\033[A", (struct key){KEY_NAME_F1, 0});
    input_decoder_add_sequence(d, "\033?x", (struct key){KEY_NAME_HOME, 0});
    input_decoder_add_sequence(d, "\033?xy", (struct key){KEY_NAME_END, 0});
    input_decoder_add_sequence(d, "q", (struct key){KEY_NAME_END, 0}); /* no sequence */
    struct buffer out = BUFFER_INIT;
    input_decoder_feed(d, "\033[A\033?xz\033?xyq\033?x", 15);
    write_events(d, false, &out);
    assert_string_equal(buffer_text(&out), "F1 Home z End q");
    write_events(d, true, &out);
    assert_string_equal(buffer_text(&out), "F1 Home z End q Home");
    buffer_free(&out);
    input_decoder_free(d);
}

static void bytes_of_latin_1_are_characters(void **state)
{
    (void)state;
    struct input_decoder *d = input_decoder_new(false);
    struct buffer out = BUFFER_INIT;
    input_decoder_feed(d, "\xe9\x9b\x33", 3);
    write_events(d, false, &out);
    assert_string_equal(buffer_text(&out), "\xc3\xa9 3");
    buffer_free(&out);
    input_decoder_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_its_key),
        cmocka_unit_test(pieces_give_the_same),
        cmocka_unit_test(what_is_begun_waits_until_the_end),
        cmocka_unit_test(the_terminals_own_sequences_come_first),
        cmocka_unit_test(bytes_of_latin_1_are_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
