/* Every message about the parts of a sidecar that say whose machine and which clock a
 * file is of (spec engine_1 6.1), and what right ones do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "tests/gen/manifests.h"

static struct engine *load(const char *sidecar, enum gen_manifest_shape shape, struct status *st)
{
    struct buffer text = BUFFER_INIT, archive = BUFFER_INIT;
    char path[200];
    struct engine_options options = {.extensions = ENGINE_EXTENSIONS_LOAD};
    gen_manifest_text(sidecar, &text);
    gen_manifest_archive(buffer_str(&text), shape, &archive);
    buffer_free(&text);
    snprintf(path, sizeof path, "%s/manifest_%d.zip", BINARY_DIR, (int)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(archive.data, 1, archive.length, file), archive.length);
    assert_int_equal(fclose(file), 0);
    buffer_free(&archive);
    struct engine *engine = engine_new();
    const char *operand = path;
    bool ok = engine_load(engine, &operand, 1, &options, st);
    unlink(path);
    if (ok) return engine;
    engine_free(engine);
    return NULL;
}

/* True when `message` is `want`, or begins so where it ends in "…". */
static bool is_wanted(const char *message, const char *want)
{
    static const char dots[] = "…";
    size_t n = strlen(want);
    if (n >= sizeof dots - 1 && strcmp(want + n - (sizeof dots - 1), dots) == 0)
        return strncmp(message, want, n - (sizeof dots - 1)) == 0;
    return strcmp(message, want) == 0;
}

static void test_each_message(void **state)
{
    (void)state;
    size_t bad = 0, count = 0;
    const struct gen_manifest_wrong *wrong = gen_manifests_wrong(&count);
    for (size_t i = 0; i < count; i++) {
        struct status st = STATUS_INIT;
        struct engine *engine = load(wrong[i].sidecar, wrong[i].shape, &st);
        const char *message = strstr(status_message(&st), ".zip: ");
        message = message ? message + 6 : status_message(&st);
        if (engine || !is_wanted(message, wrong[i].message)) {
            print_error("%s\n  says    %s\n  must be %s\n", wrong[i].sidecar,
                        engine ? "(it loads)" : message, wrong[i].message);
            bad++;
        }
        engine_free(engine);
        status_clear(&st);
    }
    assert_int_equal(bad, 0);
}

static void ask(struct engine *engine, const char *sql, struct buffer *rows)
{
    struct status st = STATUS_INIT;
    struct query *query = engine_query(engine, str_of(sql), &st);
    while (query && query_next_statement(query, &st))
        while (query_step(query, &st)) {
            for (uint32_t c = 0; c < query_column_count(query); c++) {
                if (c > 0) buffer_append_byte(rows, '|');
                if (query_type(query, c) == CELL_NULL)
                    buffer_append_text(rows, "NULL");
                else
                    buffer_append_str(rows, query_text(query, c));
            }
            buffer_append_byte(rows, '\n');
        }
    query_free(query);
    assert_string_equal(status_message(&st), "");
    status_clear(&st);
}

static void test_what_right_ones_do(void **state)
{
    (void)state;
    size_t bad = 0, count = 0;
    const struct gen_manifest_right *right = gen_manifests_right(&count);
    for (size_t i = 0; i < count; i++) {
        struct status st = STATUS_INIT;
        struct buffer rows = BUFFER_INIT;
        struct engine *engine = load(right[i].sidecar, GEN_MANIFEST_PLAIN, &st);
        if (engine) ask(engine, right[i].sql, &rows);
        if (!engine || strcmp(buffer_text(&rows), right[i].rows) != 0) {
            print_error("%s\n  gives   %s%s\n  must be %s\n", right[i].sidecar, status_message(&st),
                        buffer_text(&rows), right[i].rows);
            bad++;
        }
        engine_free(engine);
        status_clear(&st);
        buffer_free(&rows);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_message),
        cmocka_unit_test(test_what_right_ones_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
