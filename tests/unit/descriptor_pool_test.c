/* The descriptor pool: what merges, what waits, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "engine/base/buffer.h"
#include "engine/proto/descriptor_pool.h"
#include "tests/gen/descriptor.h"
#include "tests/gen/wire.h"

#define TRACK_EVENT "perfetto.protos.TrackEvent"

static void add(struct descriptor_pool *pool, const struct buffer *file)
{
    struct status st = STATUS_INIT;
    struct buffer set = BUFFER_INIT;
    gen_descriptor_set_add(&set, file);
    if (!descriptor_pool_add(pool, buffer_str(&set), &st)) fail_msg("%s", status_message(&st));
    buffer_free(&set);
}

static void add_message(struct descriptor_pool *pool, const char *name,
                        const struct gen_field *fields)
{
    struct buffer file = BUFFER_INIT;
    gen_file_head(&file, "a.proto", "com.ex", NULL);
    gen_file_message(&file, name, fields);
    add(pool, &file);
    buffer_free(&file);
}

static const struct proto_field *field_of(struct descriptor_pool *pool, const char *message,
                                          uint32_t number)
{
    const struct proto_message *m = descriptor_pool_message(pool, str_of(message));
    return m ? descriptor_pool_field(pool, m, number) : NULL;
}

static void test_messages(void **state)
{
    (void)state;
    struct descriptor_pool *pool = descriptor_pool_new();
    size_t bundled = descriptor_pool_message_count(pool);
    assert_true(bundled > 0);
    assert_true(descriptor_pool_message_at(pool, 0)->is_bundled);
    add_message(pool, "A",
                (struct gen_field[]){{.name = "n", .number = 1, .type = GEN_TYPE_INT32},
                                     {.name = "sub",
                                      .number = 2,
                                      .type = GEN_TYPE_MESSAGE,
                                      .is_repeated = true,
                                      .type_name = ".com.ex.B"},
                                     {.name = NULL}});
    assert_int_equal(descriptor_pool_message_count(pool), bundled + 1);
    assert_null(field_of(pool, "com.ex.A", 2)->message);
    add_message(pool, "B", (struct gen_field[]){{.name = NULL}});
    assert_non_null(field_of(pool, ".com.ex.A", 2)->message);
    assert_true(field_of(pool, "com.ex.A", 2)->is_repeated);
    assert_false(descriptor_pool_message(pool, STR("com.ex.A"))->is_bundled);

    /* The same message again: new fields join, old ones stay. */
    add_message(pool, "A",
                (struct gen_field[]){{.name = "other", .number = 1, .type = GEN_TYPE_STRING},
                                     {.name = "more", .number = 3, .type = GEN_TYPE_STRING},
                                     {.name = NULL}});
    const struct proto_message *a = descriptor_pool_message(pool, STR("com.ex.A"));
    assert_int_equal(a->field_count, 3);
    assert_true(str_is(field_of(pool, "com.ex.A", 1)->name, "n"));
    assert_int_equal(proto_message_field_named(a, STR("more"))->number, 3);
    assert_null(proto_message_field_named(a, STR("other")));
    descriptor_pool_free(pool);
}

/* Every bundled field that names a type finds it. */
static void test_bundled(void **state)
{
    (void)state;
    struct descriptor_pool *pool = descriptor_pool_new();
    for (size_t i = 0; i < descriptor_pool_message_count(pool); i++) {
        const struct proto_message *m = descriptor_pool_message_at(pool, i);
        assert_true(m->field_count > 0);
        for (const struct proto_field *f = m->fields; f; f = f->next)
            if (f->type_name.n && !f->message && !f->enumeration)
                fail_msg("%.*s.%.*s", STR_ARG(m->full_name), STR_ARG(f->name));
    }
    const struct proto_field *ipc = field_of(pool, "perfetto.protos.ChromeLegacyIpc", 1);
    assert_true(str_is(descriptor_pool_enum_name(pool, ipc->enumeration, 3), "CLASS_PAGE"));
    descriptor_pool_free(pool);
}

/* A foreign file that declares a bundled message anew, with every field another, and
 * extends it where it has fields: what is known keeps its meaning, only new numbers join. */
static void test_bundled_is_not_redefined(void **state)
{
    (void)state;
    struct descriptor_pool *pool = descriptor_pool_new();
    size_t messages = descriptor_pool_message_count(pool), fields = 0;
    for (size_t i = 0; i < messages; i++) {
        const struct proto_message *m = descriptor_pool_message_at(pool, i);
        char package[200], message[100], extendee[300];
        size_t dot = m->full_name.n;
        while (m->full_name.p[dot - 1] != '.')
            dot--;
        snprintf(package, sizeof package, "%.*s", (int)dot - 1, m->full_name.p);
        snprintf(message, sizeof message, "%.*s", (int)(m->full_name.n - dot),
                 m->full_name.p + dot);
        snprintf(extendee, sizeof extendee, ".%.*s", STR_ARG(m->full_name));
        for (const struct proto_field *f = m->fields; f; f = f->next, fields++) {
            struct gen_field theirs[] = {
                {.name = "stolen", .number = (int32_t)f->number, .type = GEN_TYPE_SFIXED64},
                {.name = NULL}};
            struct proto_field before = *f;
            struct buffer file = BUFFER_INIT;
            gen_file_head(&file, "theirs.proto", package, NULL);
            gen_file_message(&file, message, theirs);
            theirs[0].extendee = extendee;
            gen_file_extensions(&file, theirs);
            add(pool, &file);
            buffer_free(&file);
            const struct proto_field *now = descriptor_pool_field(pool, m, before.number);
            if (!str_equal(now->name, before.name) || now->type != before.type ||
                now->message != before.message || now->enumeration != before.enumeration ||
                now->is_extension)
                fail_msg("%s.%.*s was taken over", extendee, STR_ARG(before.name));
        }
        assert_true(m->is_bundled);
    }
    assert_true(fields > 50);
    struct buffer file = BUFFER_INIT;
    gen_file_head(&file, "theirs.proto", "perfetto.protos.ChromeLegacyIpc", NULL);
    gen_file_enum(&file, "MessageClass",
                  (struct gen_enum_value[]){{"STOLEN", 3}, {"NEW", 9999}, {NULL, 0}});
    add(pool, &file);
    const struct proto_field *ipc = field_of(pool, "perfetto.protos.ChromeLegacyIpc", 1);
    assert_true(str_is(descriptor_pool_enum_name(pool, ipc->enumeration, 3), "CLASS_PAGE"));
    buffer_free(&file);
    descriptor_pool_free(pool);
}

static void test_extensions(void **state)
{
    (void)state;
    struct descriptor_pool *pool = descriptor_pool_new();
    struct buffer file = BUFFER_INIT;
    gen_file_head(&file, "x.proto", "com.ex", "track_event.proto");
    gen_file_extension_scope(
        &file, "Scope",
        (struct gen_field[]){
            {.name = "kind",
             .number = 9900,
             .type = GEN_TYPE_ENUM,
             .type_name = ".com.ex.Kind",
             .extendee = "." TRACK_EVENT},
            {.name = "late", .number = 5, .type = GEN_TYPE_BOOL, .extendee = ".com.ex.Late"},
            {.name = NULL}});
    gen_file_enum(&file, "Kind",
                  (struct gen_enum_value[]){{"KIND_ONE", 1}, {"KIND_LOW", -2}, {NULL, 0}});
    add(pool, &file);
    const struct proto_field *kind = field_of(pool, TRACK_EVENT, 9900);
    assert_non_null(kind);
    assert_true(kind->is_extension);
    assert_true(str_is(kind->full_name, "com.ex.Scope.kind"));
    assert_int_equal(kind->type, PROTO_ENUM);
    assert_true(str_is(descriptor_pool_enum_name(pool, kind->enumeration, -2), "KIND_LOW"));
    assert_null(descriptor_pool_enum_name(pool, kind->enumeration, 7).p);

    /* The extended message comes later. */
    assert_null(field_of(pool, "com.ex.Late", 5));
    add_message(pool, "Late", (struct gen_field[]){{.name = NULL}});
    assert_non_null(field_of(pool, "com.ex.Late", 5));
    buffer_free(&file);
    descriptor_pool_free(pool);
}

/* Type names without a leading dot are looked for from the inside out. */
static void test_relative_names(void **state)
{
    (void)state;
    struct descriptor_pool *pool = descriptor_pool_new();
    struct buffer set = BUFFER_INIT;
    size_t file = gen_open(&set, 1);
    gen_text(&set, 2, "a.b");
    gen_text(&set, 12, "proto3");
    size_t outer = gen_open(&set, 4);
    gen_text(&set, 1, "Outer");
    size_t inner = gen_open(&set, 3);
    gen_text(&set, 1, "Inner");
    gen_close(&set, inner);
    static const char *const names[] = {"Inner", "b.Outer", "a.b.Outer.Inner"};
    for (uint32_t i = 0; i < 3; i++) {
        size_t field = gen_open(&set, 2);
        gen_text(&set, 1, "f");
        gen_uint(&set, 3, i + 1);
        gen_text(&set, 6, names[i]);
        gen_close(&set, field);
    }
    size_t plain = gen_open(&set, 2);
    gen_text(&set, 1, "plain");
    gen_uint(&set, 3, 9);
    gen_uint(&set, 5, PROTO_INT32);
    gen_close(&set, plain);
    gen_close(&set, outer);
    gen_close(&set, file);
    struct status st = STATUS_INIT;
    assert_true(descriptor_pool_add(pool, buffer_str(&set), &st));
    static const char *const want[] = {"a.b.Outer.Inner", "a.b.Outer", "a.b.Outer.Inner"};
    for (uint32_t i = 0; i < 3; i++) {
        const struct proto_field *field = field_of(pool, "a.b.Outer", i + 1);
        assert_non_null(field->message);
        assert_true(str_is(field->message->full_name, want[i]));
        assert_int_equal(field->default_kind, PROTO_DEFAULT_NONE);
    }
    assert_int_equal(field_of(pool, "a.b.Outer", 9)->default_kind, PROTO_DEFAULT_ZERO);
    buffer_free(&set);
    descriptor_pool_free(pool);
}

static void expect_refused(struct descriptor_pool *pool, struct str bytes, const char *text)
{
    struct status st = STATUS_INIT;
    size_t at, before = descriptor_pool_message_count(pool);
    assert_false(descriptor_pool_add(pool, bytes, &st));
    if (!str_find(str_of(status_message(&st)), str_of(text), &at))
        fail_msg("want \"%s\" in \"%s\"", text, status_message(&st));
    assert_int_equal(descriptor_pool_message_count(pool), before);
    status_clear(&st);
}

static void test_refused(void **state)
{
    (void)state;
    struct descriptor_pool *pool = descriptor_pool_new();
#define BYTES(literal) \
    { \
        (literal), sizeof(literal) - 1 \
    }
    static const struct {
        struct str bytes;
        const char *text;
    } cases[] = {
        {BYTES(""), "empty"},
        {BYTES("hello, world"), "unknown field"},
        {BYTES("{\"a\":1}"), "damaged"},
        {BYTES("\x0a\x7fxx"), "damaged"},
        {BYTES("\x0a\x03\x22\x01\x08"), "damaged"},         /* a message cut short */
        {BYTES("\x0a\x02\x2a\x00"), "without a name"},      /* enum_type {} */
        {BYTES("\x0a\x05\x22\x03\x0a\x01-"), "identifier"}, /* named "-" */
        {BYTES("\x0a\x02\x20\x01"), "wrong type"},          /* message_type as a number */
        {BYTES("\x0a\x03\x12\x01."), "package"},            /* package "." */
        {BYTES("\x0a\x0a\x22\x08\x0a\x01M\x12\x03\x0a\x01"
               "f"),
         "number out of range"}, /* a field without a number */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(pool, cases[i].bytes, cases[i].text);

    /* A good message before a bad one does not stay. */
    struct buffer file = BUFFER_INIT, set = BUFFER_INIT;
    gen_file_head(&file, "a.proto", "com.ex", NULL);
    gen_file_message(&file, "Good", (struct gen_field[]){{.name = NULL}});
    gen_file_message(&file, "1bad", (struct gen_field[]){{.name = NULL}});
    gen_descriptor_set_add(&set, &file);
    expect_refused(pool, buffer_str(&set), "identifier");
    buffer_free(&file);
    buffer_free(&set);
    descriptor_pool_free(pool);
}

static void test_nesting_is_capped(void **state)
{
    (void)state;
    struct descriptor_pool *pool = descriptor_pool_new();
    struct buffer set = BUFFER_INIT;
    size_t marks[64], file = gen_open(&set, 1);
    for (unsigned i = 0; i < 64; i++) {
        marks[i] = gen_open(&set, i ? 3 : 4);
        gen_text(&set, 1, "N");
    }
    for (unsigned i = 64; i-- > 0;)
        gen_close(&set, marks[i]);
    gen_close(&set, file);
    expect_refused(pool, buffer_str(&set), "too deep");
    buffer_free(&set);
    descriptor_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages), cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_bundled),
        cmocka_unit_test(test_bundled_is_not_redefined),  cmocka_unit_test(test_relative_names),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_nesting_is_capped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
