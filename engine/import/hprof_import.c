/* The importer of heap dumps, "JAVA PROFILE"; see hprof.h.
 *
 * A dump has no clock: its time stands as it is in the tables, and its process is
 * pid 0.  Never an error but for a header that cannot be read: what is damaged is
 * counted, what stands before it stays. */
#include "engine/import/hprof.h"

#include "engine/base/memory.h"
#include "engine/import/process.h"

/* Rows may take so much memory beside the file: three times its size and a little. */
#define BUDGET_TIMES 3
#define BUDGET_MORE  ((size_t)150 << 20)

static bool sniff(struct str bytes)
{
    return str_starts(bytes, STR("JAVA PROFILE"));
}

static void hprof_free(struct hprof *h)
{
    map_free(&h->strings);
    map_free(&h->class_index);
    map_free(&h->class_by_name);
    map_free(&h->registry_sizes);
    vec_free(&h->classes);
    vec_free(&h->fields);
    vec_free(&h->objects);
    vec_free(&h->offsets);
    vec_free(&h->cleaners);
    vec_free(&h->roots);
    buffer_free(&h->text);
}

static bool tokenize(struct import_file *file, struct str bytes, struct status *st)
{
    struct hprof h = {.file = file, .import = file->import, .bytes = bytes};
    struct hprof_walk walk = {.damage = NULL};
    h.damage.file = file;
    h.budget = BUDGET_MORE + (bytes.n < SIZE_MAX / 8 ? bytes.n * BUDGET_TIMES : 0);
    if (!hprof_walk_begin(&walk, bytes, &h.timestamp)) {
        damage_log(&h.damage, STAT_hprof_header_errors, 0, "the header cannot be read");
        return status_fail(st, STATUS_CORRUPT, 0, "the header of the heap dump cannot be read");
    }
    h.id_bytes = walk.id_bytes;
    bool goes_on = hprof_read_classes(&h);
    if (goes_on && h.classes.count) {
        h.upid = process_intern(file, 0);
        goes_on = hprof_enter_objects(&h) && hprof_enter_references(&h) && hprof_enter_values(&h);
        if (goes_on) hprof_enter_reach(&h);
    }
    import_progress(file->import, bytes.n);
    hprof_free(&h);
    return true;
}

const struct importer importer_art_hprof = {
    .name = "art_hprof",
    .detection_priority = 80,
    .archive_priority = 2,
    .clock = IMPORT_CLOCK_NONE,
    .sniff = sniff,
    .tokenize = tokenize,
};
