/* Texts that are cut anywhere, or whose bytes are others, never bring an importer down.
 * Each input is a copy of its exact size, so that a sanitizer sees what is read behind
 * it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/base/memory.h"
#include "tests/gen/catalogue.h"
#include "tests/gen/random.h"
#include "tests/unit/import_fixture.h"

enum { CUTS = 16, CHANGES = 24, CHANGED_BYTES = 8 };

static const struct sample {
    const char *name, *importer;
} samples[] = {
    {"kernel.systrace", "systrace"},
    {"kernel_odd.systrace", "systrace"},
    {"kernel.html", "systrace"},
    {"kernel_events.json", "json"},
    {"lines.json", "json"},
    {"utf16.json", "json"},
    {"android.logcat", "android_logcat"},
    {"android_odd.logcat", "android_logcat"},
    {"android.dumpstate", "android_dumpstate"},
    {"battery.dumpstate", "android_dumpstate"},
    {"battery_odd.dumpstate", "android_dumpstate"},
    {"calls.strace", "strace"},
    {"calls_odd.strace", "strace"},
    {"build.ninja_log", "ninja_log"},
    {"build_odd.ninja_log", "ninja_log"},
};

static const struct importer *importer_of(const char *name)
{
    for (unsigned i = 0; i < importers_count; i++)
        if (strcmp(importers[i]->name, name) == 0) return importers[i];
    fail_msg("no importer is called %s", name);
    return NULL;
}

static void run(const struct importer *importer, const char *bytes, size_t n)
{
    struct fixture f = fixture_new(importer);
    struct status st = STATUS_INIT;
    char *copy = mem_alloc(n);
    memcpy(copy, bytes, n);
    importer->sniff((struct str){copy, n});
    if (!import_tokenize(&f.file, (struct str){copy, n}, &st))
        assert_true(strlen(status_message(&st)) > 10);
    fixture_finish(&f);
    fixture_free(&f);
    status_clear(&st);
    mem_free(copy);
}

static void write_sample(const struct sample *sample, struct buffer *out)
{
    size_t entry;
    assert_true(gen_catalogue_find(sample->name, &entry));
    buffer_clear(out);
    gen_catalogue_write(entry, out);
}

static void every_cut_is_survived(void **state)
{
    (void)state;
    struct buffer text = BUFFER_INIT;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        write_sample(&samples[i], &text);
        for (size_t k = 0; k < CUTS; k++)
            run(importer_of(samples[i].importer), text.data, text.length * k / CUTS);
    }
    buffer_free(&text);
}

/* Bytes that mean something to one of the formats come more often. */
static char other_byte(struct gen_random *random)
{
    static const char LIKELY[] = "\n\t ,:=-+|()[]<>#\"\\{}09EhB\r";
    int64_t n = gen_random_between(random, 0, 255 + 4 * (int64_t)(sizeof LIKELY - 1));
    return n < 256 ? (char)n : LIKELY[(n - 256) / 4];
}

static void every_change_is_survived(void **state)
{
    (void)state;
    struct buffer text = BUFFER_INIT;
    struct gen_random random = {7};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        for (size_t k = 0; k < CHANGES; k++) {
            write_sample(&samples[i], &text);
            size_t n = text.length < 4000 ? text.length : 4000;
            for (size_t c = 0; c < CHANGED_BYTES; c++)
                text.data[gen_random_between(&random, 0, (int64_t)n - 1)] = other_byte(&random);
            run(importer_of(samples[i].importer), text.data, n);
        }
    }
    buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_is_survived),
        cmocka_unit_test(every_change_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
