/* zip: members, hidden ones, and archives without a central directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zip.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/read/input.h"

static char path[] = "/tmp/perfetty_zip_XXXXXX";

struct entry {
    const char *name, *body;
    int method;
};

static void write_zip(const struct entry *entries, size_t n)
{
    int error;
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &error);
    assert_non_null(zip);
    for (size_t i = 0; i < n; i++) {
        if (!entries[i].body) {
            assert_true(zip_dir_add(zip, entries[i].name, 0) >= 0);
            continue;
        }
        zip_source_t *source = zip_source_buffer(zip, entries[i].body, strlen(entries[i].body), 0);
        zip_int64_t at = zip_file_add(zip, entries[i].name, source, ZIP_FL_ENC_UTF_8);
        assert_true(at >= 0);
        zip_set_file_compression(zip, (zip_uint64_t)at, entries[i].method, 0);
    }
    assert_int_equal(zip_close(zip), 0);
}

static struct buffer read_back(void)
{
    struct buffer bytes = BUFFER_INIT;
    char piece[4096];
    FILE *f = fopen(path, "rb");
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        buffer_append(&bytes, piece, n);
    fclose(f);
    return bytes;
}

static void write_back(struct str bytes)
{
    FILE *f = fopen(path, "wb");
    fwrite(bytes.p, 1, bytes.n, f);
    fclose(f);
}

static struct input *open_zip(void)
{
    const char *operand = path;
    struct status st = STATUS_INIT;
    struct input *input = input_open(&operand, 1, NULL, &st);
    assert_non_null(input);
    assert_true(input_read(input, input_root(input)));
    assert_int_equal(input_root(input)->kind, INPUT_ZIP);
    input_expand(input, input_root(input));
    return input;
}

static struct input_member *child(struct input *input, size_t i)
{
    assert_true(i < input_root(input)->children.count);
    return input_root(input)->children.items[i];
}

static void expect(struct input *input, size_t i, const char *name, const char *body)
{
    assert_true(str_is(child(input, i)->name, name));
    assert_true(input_read(input, child(input, i)));
    assert_true(str_is(child(input, i)->bytes, body));
}

static const struct entry three[] = {
    {"folder", NULL, 0},
    {"folder/a.txt", "alpha alpha alpha alpha alpha", ZIP_CM_DEFLATE},
    {".hidden/x", "hidden", ZIP_CM_STORE},
    {"b", "beta", ZIP_CM_STORE},
};

static void members_come_in_order(void **state)
{
    (void)state;
    write_zip(three, 4);
    struct input *input = open_zip();
    assert_int_equal(input_root(input)->children.count, 3);
    expect(input, 0, "folder/a.txt", three[1].body);
    assert_true(child(input, 1)->is_hidden);
    expect(input, 2, "b", "beta");
    input_free(input);
}

static void local_headers_do_without_a_directory(void **state)
{
    (void)state;
    write_zip(three, 4);
    struct buffer bytes = read_back();
    size_t directory;
    assert_true(str_find(buffer_str(&bytes), STR("PK\1\2"), &directory));
    write_back(str_slice(buffer_str(&bytes), 0, directory));
    struct input *input = open_zip();
    assert_int_equal(input_root(input)->children.count, 3);
    expect(input, 0, "folder/a.txt", three[1].body);
    expect(input, 2, "b", "beta");
    assert_int_equal(input_root(input)->loss, INPUT_CUT);
    input_free(input);

    write_back(str_slice(buffer_str(&bytes), 0, directory - 2)); /* inside the last body */
    input = open_zip();
    expect(input, 2, "b", "be");
    assert_int_equal(child(input, 2)->loss, INPUT_CUT);
    input_free(input);
    buffer_free(&bytes);
}

static void refused_names_are_walked(void **state)
{
    (void)state;
    write_zip(three, 4);
    struct buffer bytes = read_back();
    for (size_t i = 0; i + 4 < bytes.length; i++) { /* names said to be UTF-8 that are not */
        if (memcmp(bytes.data + i, "PK\3\4", 4) == 0) bytes.data[i + 7] |= 8;
        if (memcmp(bytes.data + i, "PK\1\2", 4) == 0) bytes.data[i + 9] |= 8;
        if (bytes.data[i] == 'b' && bytes.data[i + 1] == 'e') bytes.data[i - 1] = (char)0xff;
    }
    size_t last = bytes.length - 22;
    bytes.data[last - 1] = (char)0xff; /* b in the directory */
    write_back(buffer_str(&bytes));
    struct input *input = open_zip();
    assert_int_equal(input_root(input)->children.count, 3);
    assert_int_equal(input_root(input)->loss, INPUT_WHOLE);
    expect(input, 2, "\xff", "beta");
    input_free(input);
    buffer_free(&bytes);
}

static void foreign_method_is_said(void **state)
{
    (void)state;
    write_zip(three, 4);
    struct buffer bytes = read_back();
    size_t at, found = 0;
    struct str rest = buffer_str(&bytes);
    while (str_find(rest, STR("PK\3\4"), &at)) { /* b's local header, then its entry */
        found += at;
        if (str_equal(str_slice(buffer_str(&bytes), found + 30, found + 31), STR("b"))) break;
        found += 4;
        rest = str_slice(buffer_str(&bytes), found, bytes.length);
    }
    bytes.data[found + 8] = 97;
    rest = buffer_str(&bytes);
    for (size_t i = 0; i + 47 < bytes.length; i++)
        if (memcmp(rest.p + i, "PK\1\2", 4) == 0 && rest.p[i + 46] == 'b') bytes.data[i + 10] = 97;
    write_back(buffer_str(&bytes));
    struct input *input = open_zip();
    assert_false(input_read(input, child(input, 2)));
    assert_int_equal(child(input, 2)->loss, INPUT_UNSUPPORTED);
    assert_non_null(strstr(child(input, 2)->loss_text, "method 97"));
    expect(input, 0, "folder/a.txt", three[1].body);
    input_free(input);
    buffer_free(&bytes);
}

static void damaged_member_is_kept_as_far_as_it_goes(void **state)
{
    (void)state;
    write_zip(three, 4);
    struct buffer bytes = read_back();
    size_t at;
    assert_true(str_find(buffer_str(&bytes), STR("beta"), &at));
    bytes.data[at + 3] = 'X'; /* the checksum no longer holds */
    write_back(buffer_str(&bytes));
    struct input *input = open_zip();
    assert_true(input_read(input, child(input, 2)));
    assert_true(str_is(child(input, 2)->bytes, "betX"));
    assert_int_equal(child(input, 2)->loss, INPUT_CORRUPT);
    input_free(input);
    buffer_free(&bytes);
}

static int make_path(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_come_in_order),
        cmocka_unit_test(local_headers_do_without_a_directory),
        cmocka_unit_test(refused_names_are_walked),
        cmocka_unit_test(foreign_method_is_said),
        cmocka_unit_test(damaged_member_is_kept_as_far_as_it_goes),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
