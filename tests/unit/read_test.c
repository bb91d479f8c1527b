/* Files, pipes, folders and compressed streams as one tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/read/inflate.h"
#include "engine/read/input.h"
#include "tests/gen/compress.h"

static char folder[] = "/tmp/perfetty_read_XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[] = "/bin/rm";
    char flag[] = "-rf";
    char *args[] = {command, flag, folder, NULL};
    if (fork() == 0) {
        execv(command, args);
        _exit(1);
    }
    return 0;
}

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *write_file(const char *name, struct str bytes)
{
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.p, 1, bytes.n, f), bytes.n);
    fclose(f);
    return path;
}

static struct input *open_one(const char *path, const struct read_limits *limits)
{
    struct status st = STATUS_INIT;
    struct input_options options = {.limits = limits};
    struct input *input = input_open(&path, 1, &options, &st);
    assert_string_equal(status_message(&st), "");
    assert_non_null(input);
    return input;
}

static void plain_file_is_mapped(void **state)
{
    (void)state;
    struct input *input = open_one(write_file("plain", STR("hello")), NULL);
    struct input_member *root = input_root(input);
    assert_true(input_read(input, root));
    assert_true(str_is(root->bytes, "hello"));
    assert_int_equal(root->kind, INPUT_FILE);
    assert_int_equal(root->loss, INPUT_WHOLE);
    input_free(input);
}

static void empty_file_is_whole(void **state)
{
    (void)state;
    struct input *input = open_one(write_file("empty", STR("")), NULL);
    assert_true(input_read(input, input_root(input)));
    assert_int_equal(input_root(input)->bytes.n, 0);
    input_free(input);
}

static void missing_file_is_named(void **state)
{
    (void)state;
    const char *path = path_of("missing");
    struct status st = STATUS_INIT;
    assert_null(input_open(&path, 1, NULL, &st));
    assert_non_null(strstr(status_message(&st), "missing: No such file"));
    status_clear(&st);
}

static void members_of_gzip_are_one_stream(void **state)
{
    (void)state;
    struct buffer packed = BUFFER_INIT;
    gen_gzip(&packed, STR("first "));
    gen_gzip(&packed, STR("second"));
    struct input *input = open_one(write_file("two.gz", buffer_str(&packed)), NULL);
    struct input_member *root = input_root(input);
    assert_true(input_read(input, root));
    assert_int_equal(root->kind, INPUT_GZIP);
    input_expand(input, root);
    assert_int_equal(root->children.count, 1);
    struct input_member *inner = root->children.items[0];
    assert_true(str_is(inner->bytes, "first second"));
    assert_int_equal(inner->name.n, 0);
    assert_int_equal(inner->loss, INPUT_WHOLE);
    input_free(input);
    buffer_free(&packed);
}

static void cut_stream_keeps_what_came(void **state)
{
    (void)state;
    struct buffer text = BUFFER_INIT, packed = BUFFER_INIT;
    for (int i = 0; i < 20000; i++)
        buffer_printf(&text, "%d ", i * 7919);
    gen_gzip(&packed, buffer_str(&text));
    struct str half = str_slice(buffer_str(&packed), 0, packed.length / 2);
    struct input *input = open_one(write_file("cut.gz", half), NULL);
    struct input_member *root = input_root(input);
    assert_true(input_read(input, root));
    input_expand(input, root);
    struct input_member *inner = root->children.items[0];
    assert_int_equal(inner->loss, INPUT_CUT);
    assert_true(inner->bytes.n > 1000 && inner->bytes.n < text.length);
    assert_memory_equal(inner->bytes.p, text.data, inner->bytes.n);
    assert_non_null(strstr(inner->loss_text, "compressed stream incomplete"));
    input_free(input);
    buffer_free(&text);
    buffer_free(&packed);
}

static void frames_of_zstd_are_one_stream(void **state)
{
    (void)state;
    char packed[400];
    size_t n = ZSTD_compress(packed, 200, "one ", 4, 1);
    n += ZSTD_compress(packed + n, 200, "two", 3, 1);
    struct input *input = open_one(write_file("two.zst", (struct str){packed, n}), NULL);
    struct input_member *root = input_root(input);
    assert_true(input_read(input, root));
    assert_int_equal(root->kind, INPUT_ZSTD);
    input_expand(input, root);
    assert_true(str_is(root->children.items[0]->bytes, "one two"));
    input_free(input);

    input = open_one(write_file("cut.zst", (struct str){packed, n - 2}), NULL);
    root = input_root(input);
    assert_true(input_read(input, root));
    input_expand(input, root);
    assert_int_equal(root->children.items[0]->loss, INPUT_CUT);
    input_free(input);
}

static void bomb_meets_a_named_limit(void **state)
{
    (void)state;
    static const struct read_limits small = {
        .inflated_bytes = 100 << 20,
        .small_bytes = 100 << 20,
        .inflation_ratio = 10,
        .ratio_free_bytes = 2 << 20,
        .members = 100,
        .nesting = 3,
    };
    size_t n = 8 << 20;
    char *zeros = mem_zero(1, n);
    struct buffer packed = BUFFER_INIT;
    gen_gzip(&packed, (struct str){zeros, n});
    struct input *input = open_one(write_file("bomb.gz", buffer_str(&packed)), &small);
    struct input_member *root = input_root(input);
    assert_true(input_read(input, root));
    input_expand(input, root);
    assert_int_equal(root->children.items[0]->loss, INPUT_LIMITED);
    assert_non_null(strstr(root->children.items[0]->loss_text, "inflation_ratio"));
    assert_true(root->children.items[0]->bytes.n < n);
    input_free(input);
    buffer_free(&packed);
    mem_free(zeros);
}

static void nesting_has_an_end(void **state)
{
    (void)state;
    struct buffer packed = BUFFER_INIT;
    gen_gzip(&packed, STR("deep"));
    for (int i = 0; i < 20; i++) {
        struct buffer outer = BUFFER_INIT;
        gen_gzip(&outer, buffer_str(&packed));
        buffer_free(&packed);
        packed = outer;
    }
    struct input *input = open_one(write_file("deep.gz", buffer_str(&packed)), NULL);
    struct input_member *member = input_root(input);
    assert_true(input_read(input, member));
    unsigned depth = 0;
    for (;; depth++) {
        input_expand(input, member);
        if (member->children.count == 0) break;
        member = member->children.items[0];
    }
    assert_int_equal(depth, read_limits_default.nesting);
    assert_non_null(strstr(member->loss_text, "nesting"));
    input_free(input);
    buffer_free(&packed);
}

static void folder_lists_files_by_name(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path_of("f"), 0700), 0);
    assert_int_equal(mkdir(path_of("f/sub"), 0700), 0);
    assert_int_equal(mkdir(path_of("f/.ext"), 0700), 0);
    write_file("f/b", STR("B"));
    write_file("f/a", STR("A"));
    write_file("f/sub/c", STR("C"));
    write_file("f/.ext/hidden", STR("H"));
    struct input *input = open_one(path_of("f"), NULL);
    struct input_member *root = input_root(input);
    assert_int_equal(root->kind, INPUT_FOLDER);
    input_expand(input, root);
    static const char *const names[] = {".ext/hidden", "a", "b", "sub/c"};
    assert_int_equal(root->children.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(str_is(root->children.items[i]->name, names[i]));
    assert_true(root->children.items[0]->is_hidden);
    assert_false(root->children.items[3]->is_hidden);
    assert_true(input_read(input, root->children.items[3]));
    assert_true(str_is(root->children.items[3]->bytes, "C"));
    input_free(input);
}

static void several_operands_are_members(void **state)
{
    (void)state;
    char first[256], second[256];
    snprintf(first, sizeof first, "%s", write_file("one", STR("1")));
    snprintf(second, sizeof second, "%s", write_file("two", STR("2")));
    const char *operands[] = {first, second, first};
    struct status st = STATUS_INIT;
    struct input *input = input_open(operands, 3, NULL, &st);
    assert_non_null(input);
    struct input_member *root = input_root(input);
    assert_int_equal(root->children.count, 3);
    assert_true(str_is(root->children.items[1]->name, "two"));
    assert_true(str_is(root->children.items[2]->name, first));
    input_free(input);
}

static void pipe_is_read_to_its_end(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "piped", 5), 5);
    close(ends[1]);
    char path[40];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    struct input *input = open_one(path, NULL);
    assert_true(input_read(input, input_root(input)));
    assert_true(str_is(input_root(input)->bytes, "piped"));
    input_free(input);
    close(ends[0]);
}

static void dot_paths_are_hidden(void **state)
{
    (void)state;
    assert_true(input_path_is_hidden(STR(".a")));
    assert_true(input_path_is_hidden(STR("x/.a/b")));
    assert_false(input_path_is_hidden(STR("./x/../y")));
    assert_false(input_path_is_hidden(STR("x.y/z.")));
    assert_false(input_path_is_hidden(STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_file_is_mapped),
        cmocka_unit_test(empty_file_is_whole),
        cmocka_unit_test(missing_file_is_named),
        cmocka_unit_test(members_of_gzip_are_one_stream),
        cmocka_unit_test(cut_stream_keeps_what_came),
        cmocka_unit_test(frames_of_zstd_are_one_stream),
        cmocka_unit_test(bomb_meets_a_named_limit),
        cmocka_unit_test(nesting_has_an_end),
        cmocka_unit_test(folder_lists_files_by_name),
        cmocka_unit_test(several_operands_are_members),
        cmocka_unit_test(pipe_is_read_to_its_end),
        cmocka_unit_test(dot_paths_are_hidden),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
