/* The twelve questions of docs/triage.md: their keys are read from that page, pressed,
 * and the cells of the query below them have to be on the screen.  The first three
 * are asked on a terminal as well, with the browser's keys and with vim's alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "tests/screen/frame.h"
#include "tui/key.h"

#define PAGE SOURCE_DIR "/docs/triage.md"

enum { TASKS = 12, CELLS = 6 };
enum keys { KEYS_USUAL, KEYS_BROWSER, KEYS_VIM, KINDS };

struct task {
    struct str title, keys[KINDS];
    struct buffer sql;
};

static const char OTHER[] =
    "{\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"pid\":99,\"tid\":99,\"name\":\"process_name\",\"args\":{\"name\":\"com."
    "example."
    "shop\"}},\n"
    "{\"ph\":\"M\",\"pid\":99,\"tid\":99,\"name\":\"thread_name\",\"args\":{\"name\":\"main\"}},\n"
    "{\"ph\":\"X\",\"pid\":99,\"tid\":99,\"ts\":1000,\"dur\":16000,\"name\":\"ShopFrame\"},\n"
    "{\"ph\":\"X\",\"pid\":99,\"tid\":99,\"ts\":20000,\"dur\":26000,\"name\":\"ShopFrame\"}\n]}\n";

static struct stage stage;
static struct buffer page;
static struct task tasks[TASKS + 1];
static unsigned n_tasks;
static char other[STAGE_PATH];

/* ---- the page ---- */

/* What stands between the backticks behind `label`. */
static struct str script_of(struct str line, const char *label)
{
    struct str rest = line, part;
    if (!str_starts(line, str_of(label))) return STR_NONE;
    assert_true(str_split_next(&rest, '`', &part));
    assert_true(str_split_next(&rest, '`', &part));
    return part;
}

static void read_line(struct task *task, struct str line, bool *in_sql)
{
    static const char *const labels[KINDS] = {"- keys: `", "- with the browser's keys: `",
                                              "- with vim's keys: `"};
    if (str_starts(line, STR("```"))) {
        *in_sql = str_is(line, "```sql");
    } else if (*in_sql) {
        buffer_append_str(&task->sql, line);
        buffer_append_byte(&task->sql, '\n');
    }
    for (int i = 0; i < KINDS; i++) {
        struct str script = script_of(line, labels[i]);
        if (script.p) task->keys[i] = script;
    }
}

static void read_page(void)
{
    FILE *file = fopen(PAGE, "rb");
    assert_non_null(file);
    char piece[4096];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, file)) > 0)
        buffer_append(&page, piece, n);
    (void)fclose(file);
    struct str rest = buffer_str(&page), line;
    bool in_sql = false;
    while (str_split_next(&rest, '\n', &line)) {
        if (str_starts(line, STR("## "))) {
            assert_true(n_tasks < TASKS);
            tasks[n_tasks++].title = line;
        } else if (n_tasks) {
            read_line(&tasks[n_tasks - 1], line, &in_sql);
        }
    }
    assert_int_equal(n_tasks, TASKS);
}

static int begin(void **state)
{
    (void)state;
    stage_begin(&stage);
    assert_int_equal(chdir(stage.folder), 0); /* the page names files without folders */
    struct buffer bytes = BUFFER_INIT;
    buffer_append_text(&bytes, OTHER);
    stage_write(stage_file(&stage, "other.json", other), &bytes);
    buffer_free(&bytes);
    read_page();
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (unsigned i = 0; i < n_tasks; i++)
        buffer_free(&tasks[i].sql);
    buffer_free(&page);
    assert_int_equal(chdir("/"), 0);
    stage_end(&stage);
    return 0;
}

/* ---- answers ---- */

struct answer {
    char *line;
    const char *cells[CELLS];
    unsigned n;
};

/* The first row of the query, cell by cell. */
static void ask(const char *trace, const struct task *task, struct answer *out)
{
    struct stage_output output;
    struct buffer sql = BUFFER_INIT;
    buffer_append_str(&sql, buffer_str(&task->sql));
    const char *argv[] = {PERFETTY, "query", trace, buffer_text(&sql), "--format", "csv", NULL};
    assert_true(stage_run(&stage, argv, &output));
    if (output.exit_status) fprintf(stderr, "%s", buffer_text(&output.err));
    assert_int_equal(output.exit_status, 0);
    /* The head holds the query's own words, and commas. */
    struct str rest = buffer_str(&output.out), line = STR_NONE, last = STR_NONE;
    while (str_split_next(&rest, '\n', &line))
        if (line.n) last = line;
    assert_non_null(last.p);
    *out = (struct answer){.line = mem_copy_string(last.p, last.n)};
    for (char *at = out->line; *at && out->n < CELLS;) {
        bool quoted = *at == '"';
        at += quoted;
        out->cells[out->n++] = at;
        at += strcspn(at, quoted ? "\"" : ",\r\n");
        bool more = *at == ',' || (quoted && at[1] == ',');
        char *next = at + (quoted ? 2 : 1);
        if (!*at) break;
        *at = 0;
        if (!more) break;
        at = next;
    }
    assert_true(out->n > 0);
    buffer_free(&sql);
    stage_output_free(&output);
}

static void answer_free(struct answer *answer)
{
    mem_free(answer->line);
}

static void check_answer(const struct frame *frame, const struct task *task,
                         const struct answer *answer)
{
    for (unsigned i = 0; i < answer->n; i++) {
        bool here = frame_holds(frame, answer->cells[i]);
        if (!here)
            fprintf(stderr, "%.*s: \"%s\" is not on the screen\n", STR_ARG(task->title),
                    answer->cells[i]);
        frame_check(frame, here);
    }
}

/* ---- without a terminal ---- */

static const char *const sizes[] = {"80x24", "120x36", "200x60"};
#define N_SIZES (sizeof sizes / sizeof *sizes)

static void the_keys_of_the_page_answer_its_questions(void **state)
{
    (void)state;
    struct frame before[N_SIZES]; /* where no answer may stand yet */
    for (size_t k = 0; k < N_SIZES; k++)
        before[k] = frame_shoot(&stage, EXAMPLE, sizes[k], NULL, NULL);
    for (unsigned i = 0; i < TASKS; i++) {
        const struct task *task = &tasks[i];
        assert_non_null(task->keys[KEYS_USUAL].p);
        struct answer answer;
        ask(EXAMPLE, task, &answer);
        char *keys = mem_copy_string(task->keys[KEYS_USUAL].p, task->keys[KEYS_USUAL].n);
        for (size_t k = 0; k < N_SIZES; k++) {
            unsigned there = 0;
            for (unsigned c = 0; c < answer.n; c++)
                there += frame_holds(&before[k], answer.cells[c]);
            frame_check(&before[k], there < answer.n);
            struct frame frame = frame_shoot(&stage, EXAMPLE, sizes[k], keys, NULL);
            check_answer(&frame, task, &answer);
            if (strstr(keys, "other.json")) {
                struct answer second;
                ask(other, task, &second);
                check_answer(&frame, task, &second);
                assert_string_not_equal(second.cells[0], answer.cells[0]);
                answer_free(&second);
            }
            frame_free(&frame);
        }
        mem_free(keys);
        answer_free(&answer);
    }
    for (size_t k = 0; k < N_SIZES; k++)
        frame_free(&before[k]);
}

/* Question 12 writes a file: as many rows as it says, the longest of all among them. */
static void what_is_taken_along_is_whole(void **state)
{
    (void)state;
    char path[STAGE_PATH], line[256];
    char *longest = frame_ask(&stage, EXAMPLE, "select max(dur) from slice");
    char *count = frame_ask(&stage, EXAMPLE, "select count(*) from slice where dur > 16666666");
    FILE *file = fopen(stage_file(&stage, "slow.csv", path), "rb");
    assert_non_null(file);
    int lines = 0;
    bool has_longest = false;
    while (fgets(line, sizeof line, file)) {
        lines++;
        has_longest = has_longest || strstr(line, longest);
    }
    (void)fclose(file);
    assert_int_equal(lines, atol(count) + 1);
    assert_true(has_longest);
    mem_free(longest);
    mem_free(count);
}

/* ---- on a terminal, with the keys that other programs have ---- */

static const char *const allowed[KINDS] = {
    [KEYS_BROWSER] = " w s a d f . , [ ] r / ? Enter Esc Del Ctrl+a Ctrl+p Ctrl+[ Ctrl+] ",
    [KEYS_VIM] = " h j k l g G 0 $ n N / : m ' Enter Esc Ctrl+o ",
};

/* Every key outside of quotes is one of the kind; a mark's letter is its own. */
static void check_kind(enum keys kind, struct str script)
{
    struct str rest = script, word;
    bool quoted = false, letter = false;
    while (str_split_next(&rest, ' ', &word)) {
        bool opens = word.n && word.p[0] == '"', closes = word.n > 1 && word.p[word.n - 1] == '"';
        if (!quoted && !opens && !letter) {
            struct buffer text = BUFFER_INIT;
            buffer_printf(&text, " %.*s ", STR_ARG(word));
            if (!strstr(allowed[kind], buffer_text(&text)))
                fail_msg("%.*s is no such key", STR_ARG(word));
            buffer_free(&text);
        }
        letter = !quoted && (str_is(word, "m") || str_is(word, "'"));
        if (opens) quoted = true;
        if (closes) quoted = false;
    }
}

static void press(struct pty *pty, struct str script)
{
    struct key key;
    bool in_quotes = false, bad = false;
    while (key_parse_next(&script, &key, &in_quotes, &bad)) {
        char bytes[2] = {0};
        assert_false(bad);
        if (key.code == KEY_NAME_ENTER)
            bytes[0] = '\r';
        else if (key.code == KEY_NAME_ESCAPE)
            bytes[0] = '\033';
        else if (key.modifiers == KEY_CTRL)
            bytes[0] = (char)(key.code & 0x1f);
        else
            bytes[0] = (char)key.code;
        assert_true(bytes[0] != 0);
        pty_send(pty, bytes);
        /* A command that waits for rows takes no keys but those that stop it. */
        if (bytes[0] == '\r') pty_settle(pty, 300);
    }
}

static void ask_on_a_terminal(enum keys kind)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct task *task = &tasks[i];
        assert_non_null(task->keys[kind].p);
        check_kind(kind, task->keys[kind]);
        struct answer answer;
        ask(EXAMPLE, task, &answer);
        const char *args[] = {EXAMPLE, "--trace-commands", "never", "--clean", NULL};
        struct pty *pty = stage_open(&stage, 100, 30, args);
        stage_expect(pty, "? help");
        pty_settle(pty, 200);
        press(pty, task->keys[kind]);
        for (unsigned c = 0; c < answer.n; c++)
            stage_expect(pty, answer.cells[c]);
        pty_free(pty);
        answer_free(&answer);
    }
}

static void the_browsers_keys_are_enough(void **state)
{
    (void)state;
    ask_on_a_terminal(KEYS_BROWSER);
}

static void the_keys_of_vim_are_enough(void **state)
{
    (void)state;
    ask_on_a_terminal(KEYS_VIM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_keys_of_the_page_answer_its_questions),
        cmocka_unit_test(what_is_taken_along_is_whole),
        cmocka_unit_test(the_browsers_keys_are_enough),
        cmocka_unit_test(the_keys_of_vim_are_enough),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
