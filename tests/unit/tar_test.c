/* tar: names, sizes, long names, pax, and archives that end badly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/base/buffer.h"
#include "engine/base/memory.h"
#include "engine/read/input.h"

enum { BLOCK = 512 };

static void put(char *block, size_t at, const char *text)
{
    memcpy(block + at, text, strlen(text));
}

static void add_header(struct buffer *tar, const char *name, const char *prefix, char type,
                       const char *size_field, size_t size_length, bool gnu)
{
    char block[BLOCK] = {0}, sum[8];
    put(block, 0, name);
    put(block, 100, "0000644");
    memcpy(block + 124, size_field, size_length);
    put(block, 148, "        ");
    block[156] = type;
    put(block, 257, gnu ? "ustar  " : "ustar");
    if (!gnu) put(block, 263, "00");
    put(block, 345, prefix);
    unsigned total = 0;
    for (size_t i = 0; i < BLOCK; i++)
        total += (unsigned char)block[i];
    snprintf(sum, sizeof sum, "%06o", total);
    memcpy(block + 148, sum, 7);
    buffer_append(tar, block, BLOCK);
}

static void add_body(struct buffer *tar, const char *body)
{
    static const char zeros[BLOCK];
    size_t n = strlen(body);
    buffer_append(tar, body, n);
    if (n % BLOCK) buffer_append(tar, zeros, BLOCK - n % BLOCK);
}

static void add(struct buffer *tar, const char *name, char type, const char *body)
{
    char size[12];
    snprintf(size, sizeof size, "%011o", (unsigned)strlen(body));
    add_header(tar, name, "", type, size, sizeof size, false);
    add_body(tar, body);
}

static void end(struct buffer *tar)
{
    static const char zeros[2 * BLOCK];
    buffer_append(tar, zeros, sizeof zeros);
}

static struct input *open_bytes(struct buffer *tar)
{
    char path[] = "/tmp/perfetty_tar_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, buffer_text(tar), tar->length), (ssize_t)tar->length);
    close(fd);
    const char *operand = path;
    struct status st = STATUS_INIT;
    struct input *input = input_open(&operand, 1, NULL, &st);
    assert_non_null(input);
    assert_true(input_read(input, input_root(input)));
    assert_int_equal(input_root(input)->kind, INPUT_TAR);
    input_expand(input, input_root(input));
    unlink(path);
    buffer_free(tar);
    return input;
}

static const struct input_member *child(struct input *input, size_t i)
{
    assert_true(i < input_root(input)->children.count);
    return input_root(input)->children.items[i];
}

static void expect(struct input *input, size_t i, const char *name, const char *body)
{
    assert_true(str_is(child(input, i)->name, name));
    assert_true(str_is(child(input, i)->bytes, body));
}

static void regular_entries_are_members(void **state)
{
    (void)state;
    struct buffer tar = BUFFER_INIT;
    add(&tar, "dir/", '5', "");
    add(&tar, "dir/a", '0', "alpha");
    add_header(&tar, "b", "some/where", '\0', "00000000004", 12, false);
    add_body(&tar, "beta");
    add(&tar, "link", '2', "");
    end(&tar);
    buffer_append_text(&tar, "bytes after the end do not matter");
    struct input *input = open_bytes(&tar);
    assert_int_equal(input_root(input)->children.count, 2);
    expect(input, 0, "dir/a", "alpha");
    expect(input, 1, "some/where/b", "beta");
    assert_int_equal(input_root(input)->loss, INPUT_WHOLE);
    input_free(input);
}

static void foreign_types_are_said(void **state)
{
    (void)state;
    struct buffer tar = BUFFER_INIT;
    add(&tar, "sparse", 'S', "map");
    add(&tar, "a", '0', "1");
    add(&tar, "empty", 'Z', "");
    end(&tar);
    struct input *input = open_bytes(&tar);
    assert_int_equal(input_root(input)->children.count, 2);
    assert_int_equal(child(input, 0)->loss, INPUT_UNSUPPORTED);
    assert_false(input_read(input, input_root(input)->children.items[0]));
    expect(input, 1, "a", "1");
    input_free(input);
}

static void long_names_name_the_next_entry(void **state)
{
    (void)state;
    char name[300];
    memset(name, 'n', 299);
    name[299] = 0;
    struct buffer tar = BUFFER_INIT;
    add(&tar, "././@LongLink", 'L', name);
    add(&tar, "short", '0', "gnu");
    add(&tar, "pax", 'x', "19 path=pax/a name\n10 size=3\n");
    add(&tar, "ignored", '0', "pax");
    add(&tar, "after", '0', "x");
    end(&tar);
    struct input *input = open_bytes(&tar);
    assert_int_equal(input_root(input)->children.count, 3);
    expect(input, 0, name, "gnu");
    expect(input, 1, "pax/a name", "pax");
    expect(input, 2, "after", "x");
    input_free(input);
}

static void sizes_may_be_binary(void **state)
{
    (void)state;
    struct buffer tar = BUFFER_INIT;
    char size[12] = {(char)0x80};
    size[11] = 3;
    add_header(&tar, "bin", "", '0', size, 12, true);
    add_body(&tar, "abc");
    add_header(&tar, "spaces", "", '0', "         2 ", 11, true);
    add_body(&tar, "ok");
    end(&tar);
    struct input *input = open_bytes(&tar);
    expect(input, 0, "bin", "abc");
    expect(input, 1, "spaces", "ok");
    input_free(input);
}

static void one_zero_block_is_no_end(void **state)
{
    (void)state;
    static const char zeros[BLOCK];
    struct buffer tar = BUFFER_INIT;
    add(&tar, "a", '0', "1");
    buffer_append(&tar, zeros, BLOCK);
    add(&tar, "b", '0', "2");
    end(&tar);
    struct input *input = open_bytes(&tar);
    assert_int_equal(input_root(input)->children.count, 2);
    input_free(input);
}

static void early_end_keeps_what_came(void **state)
{
    (void)state;
    struct buffer tar = BUFFER_INIT;
    add(&tar, "a", '0', "1");
    struct input *input = open_bytes(&tar);
    expect(input, 0, "a", "1");
    assert_int_equal(input_root(input)->loss, INPUT_CUT);
    input_free(input);

    add_header(&tar, "big", "", '0', "00000010000", 12, false);
    add_body(&tar, "begin");
    tar.length -= BLOCK - 5;
    input = open_bytes(&tar);
    expect(input, 0, "big", "begin");
    assert_int_equal(child(input, 0)->loss, INPUT_CUT);
    input_free(input);
}

static void damaged_headers_end_the_listing(void **state)
{
    (void)state;
    struct buffer tar = BUFFER_INIT;
    add(&tar, "a", '0', "1");
    add(&tar, "b", '0', "2");
    tar.data[2 * BLOCK + 3] ^= 1; /* the checksum no longer holds */
    end(&tar);
    struct input *input = open_bytes(&tar);
    assert_int_equal(input_root(input)->children.count, 1);
    assert_int_equal(input_root(input)->loss, INPUT_CORRUPT);
    assert_non_null(strstr(input_root(input)->loss_text, "1024"));
    input_free(input);

    char huge[12];
    memset(huge, 0xff, sizeof huge);
    add(&tar, "a", '0', "1");
    add_header(&tar, "neg", "", '0', huge, 12, false);
    end(&tar);
    input = open_bytes(&tar);
    assert_int_equal(input_root(input)->children.count, 1);
    assert_int_equal(input_root(input)->loss, INPUT_CORRUPT);
    input_free(input);

    char most[12] = {(char)0x80, 0, 0, 0, 0x7f};
    memset(most + 5, 0xff, 7);
    add_header(&tar, "most", "", '0', most, 12, false);
    add_body(&tar, "x");
    input = open_bytes(&tar);
    assert_int_equal(input_root(input)->children.count, 1);
    assert_int_equal(child(input, 0)->loss, INPUT_CUT);
    input_free(input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_entries_are_members),
        cmocka_unit_test(foreign_types_are_said),
        cmocka_unit_test(long_names_name_the_next_entry),
        cmocka_unit_test(sizes_may_be_binary),
        cmocka_unit_test(one_zero_block_is_no_end),
        cmocka_unit_test(early_end_keeps_what_came),
        cmocka_unit_test(damaged_headers_end_the_listing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
