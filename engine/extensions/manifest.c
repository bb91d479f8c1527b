/* Messages are the reference's (spec engine_1 6.1), behind the key of the file. */
#include "engine/extensions/internal.h"

#define MACHINE_AMBIGUOUS \
    "%s '%.*s' needs %s too: a machine name alone is ambiguous, several files may have it."
#define CLOCK_NAMES \
    "REALTIME, REALTIME_COARSE, MONOTONIC, MONOTONIC_COARSE, MONOTONIC_RAW, BOOTTIME"

struct reader {
    struct manifest *manifest;
    struct arena *arena;
    struct problems *problems;
};

const struct manifest_file *manifest_find_file(const struct manifest *manifest, struct str path)
{
    for (size_t i = 0; i < manifest->n_files; i++)
        if (str_equal(manifest->files[i].path, path)) return &manifest->files[i];
    return NULL;
}

/* 0 and a problem when it is no clock's name. */
static uint32_t read_clock_name(struct reader *r, json_t *value)
{
    static const char *const names[] = {"REALTIME",         "REALTIME_COARSE", "MONOTONIC",
                                        "MONOTONIC_COARSE", "MONOTONIC_RAW",   "BOOTTIME"};
    if (!json_is_string(value)) {
        problems_add(r->problems, "clock name must be a string");
        return 0;
    }
    for (uint32_t i = 0; i < 6; i++)
        if (str_is(json_str(value), names[i])) return i + 1;
    problems_add(r->problems, "unknown clock name: %.*s. Use one of " CLOCK_NAMES ".",
                 STR_ARG(json_str(value)));
    return 0;
}

static bool read_text(struct reader *r, json_t *object, const char *key, const char *label,
                      struct str *out)
{
    json_t *value = json_object_get(object, key);
    if (!value) return true;
    *out = json_str(value);
    if (json_is_string(value)) return true;
    problems_add(r->problems, "%s must be a string", label);
    return false;
}

/* ---- version, trace time, attributes ---- */

static void read_version(struct reader *r, json_t *body)
{
    json_t *version = json_object_get(body, "version");
    if (!version)
        problems_add(r->problems, "missing required field: version");
    else if (!json_is_integer(version))
        problems_add(r->problems, "version must be an integer");
    else if (json_integer_value(version) != 1)
        problems_add(r->problems,
                     "unsupported version: %lld. Only version 1 is supported; set \"version\": 1.",
                     (long long)json_integer_value(version));
}

static void read_trace_time(struct reader *r, json_t *body)
{
    struct manifest *m = r->manifest;
    json_t *time = json_object_get(body, "trace_time");
    json_t *clock = json_object_get(body, "trace_time_clock");
    if (time && !json_is_object(time)) {
        problems_add(r->problems, "trace_time must be an object");
        return;
    }
    if (time && !json_object_get(time, "clock")) {
        problems_add(r->problems, "trace_time needs a clock");
        return;
    }
    if (time) m->trace_time_clock = read_clock_name(r, json_object_get(time, "clock"));
    if (clock) {
        uint32_t older = read_clock_name(r, clock);
        if (time && m->trace_time_clock && older && m->trace_time_clock != older)
            problems_add(r->problems,
                         "trace_time_clock and trace_time name different clocks; keep one of them");
        if (!time) m->trace_time_clock = older;
    }
    m->has_trace_time = m->trace_time_clock != 0;
    if (!time) return;
    read_text(r, time, "file", "trace_time: file", &m->trace_time_file);
    read_text(r, time, "machine", "trace_time: machine", &m->trace_time_machine);
}

static void read_attributes(struct reader *r, json_t *body)
{
    json_t *attributes = json_object_get(body, "attributes"), *value;
    const char *key;
    if (!attributes) return;
    if (!json_is_object(attributes)) {
        problems_add(r->problems, "attributes must be an object of string or integer values");
        return;
    }
    struct manifest *m = r->manifest;
    m->attributes =
        arena_zero(r->arena, (json_object_size(attributes) + 1) * sizeof *m->attributes);
    json_object_foreach(attributes, key, value)
    {
        if (!*key) {
            problems_add(r->problems, "attributes: keys must be non-empty");
        } else if (!json_is_string(value) && !json_is_integer(value)) {
            problems_add(r->problems, "attributes: '%s' must be a string or an integer", key);
        } else {
            struct manifest_attribute *a = &m->attributes[m->n_attributes++];
            a->key = str_of(key);
            a->is_string = json_is_string(value);
            a->text = json_str(value);
            a->integer = (int64_t)json_integer_value(value);
        }
    }
}

/* ---- files ---- */

static void read_machine(struct reader *r, json_t *entry, struct manifest_file *file)
{
    json_t *machine = json_object_get(entry, "machine");
    if (!machine) return;
    json_t *name = json_object_get(machine, "name");
    if (!json_is_object(machine) || !json_is_string(name))
        problems_add(r->problems,
                     "machine must be an object with a string name, as {\"name\": \"phone\"}");
    else if (json_string_length(name) == 0)
        problems_add(r->problems, "machine: name must be non-empty");
    else
        file->machine = json_str(name);
}

static void read_machines(struct reader *r, json_t *entry, struct manifest_file *file)
{
    json_t *machines = json_object_get(entry, "machines"), *item;
    size_t i;
    if (!machines) return;
    if (!json_is_array(machines)) {
        problems_add(r->problems, "machines must be an array");
        return;
    }
    file->has_machines = true;
    file->machines = arena_zero(r->arena, (json_array_size(machines) + 1) * sizeof *file->machines);
    json_array_foreach(machines, i, item)
    {
        json_t *id = json_object_get(item, "id"), *name = json_object_get(item, "name");
        if (!json_is_integer(id) || !json_is_string(name)) {
            problems_add(r->problems, "machines entries need an integer id and a string name, as "
                                      "{\"id\": 0, \"name\": \"phone\"}");
        } else if (json_integer_value(id) < 0 || json_integer_value(id) > UINT32_MAX) {
            problems_add(r->problems, "machines: id must be in [0, 4294967295]");
        } else if (json_string_length(name) == 0) {
            problems_add(r->problems, "machines: name must be non-empty");
        } else {
            file->machines[file->n_machines++] =
                (struct manifest_machine){(uint32_t)json_integer_value(id), json_str(name)};
        }
    }
}

static void read_offset(struct reader *r, json_t *clocks, struct manifest_file *file)
{
    json_t *offset = json_object_get(clocks, "offset_ns");
    if (!offset) return;
    file->offset_ns = (int64_t)json_integer_value(offset);
    if (!json_is_integer(offset))
        problems_add(r->problems, "clocks: offset_ns must be an integer");
    else if (file->offset_ns == INT64_MIN)
        problems_add(r->problems, "clocks: offset_ns is out of range");
}

static void read_clocks(struct reader *r, json_t *entry, struct manifest_file *file)
{
    json_t *clocks = json_object_get(entry, "clocks");
    if (!clocks) return;
    json_t *sync = json_object_get(clocks, "sync_to"), *clock = json_object_get(clocks, "clock");
    if (!json_is_object(clocks)) {
        problems_add(r->problems, "clocks must be an object");
        return;
    }
    file->has_clocks = true;
    if (clock) file->clock = read_clock_name(r, clock);
    read_text(r, clocks, "machine", "clocks: machine", &file->clock_machine);
    read_offset(r, clocks, file);
    if (!sync) {
        problems_add(r->problems, "clocks: a sync_to block is required. It names the file whose "
                                  "clock this one is related to.");
    } else if (!json_is_object(sync)) {
        problems_add(r->problems, "clocks: sync_to must be an object");
    } else {
        file->sync_file = json_str(json_object_get(sync, "file"));
        if (!file->sync_file.p)
            problems_add(r->problems, "clocks: sync_to.file is required and must be a string");
        read_text(r, sync, "machine", "clocks: sync_to.machine", &file->sync_machine);
        clock = json_object_get(sync, "clock");
        if (clock) file->sync_clock = read_clock_name(r, clock);
    }
}

static void read_files(struct reader *r, json_t *body)
{
    struct manifest *m = r->manifest;
    json_t *files = json_object_get(body, "files"), *entry;
    size_t i;
    if (!files) return;
    if (!json_is_array(files)) {
        problems_add(r->problems, "files must be an array");
        return;
    }
    m->files = arena_zero(r->arena, (json_array_size(files) + 1) * sizeof *m->files);
    json_array_foreach(files, i, entry)
    {
        struct str path = json_str(json_object_get(entry, "path"));
        if (!path.p) {
            problems_add(r->problems, "files entries must be objects with a string path");
            continue;
        }
        struct manifest_file *file = &m->files[m->n_files++];
        file->path = path;
        if (json_object_get(entry, "machine") && json_object_get(entry, "machines"))
            problems_add(r->problems,
                         "machine and machines are mutually exclusive. Use `machine` for a "
                         "single-machine file, or `machines` to remap a multi-machine proto's "
                         "embedded ids; not both.");
        read_machine(r, entry, file);
        read_machines(r, entry, file);
        read_clocks(r, entry, file);
    }
}

/* ---- names that point elsewhere ---- */

static bool declares(const struct manifest_file *file, struct str machine)
{
    if (file->machine.p && str_equal(file->machine, machine)) return true;
    for (size_t i = 0; i < file->n_machines; i++)
        if (str_equal(file->machines[i].name, machine)) return true;
    return false;
}

static bool is_multi_machine(const struct manifest_file *file)
{
    return file->n_machines > 1;
}

/* A (file, machine) pair; labels as in "clocks: sync_to.file". */
static void check_target(struct reader *r, struct str path, struct str machine,
                         const char *file_label, const char *machine_label)
{
    if (!path.p) {
        if (machine.p)
            problems_add(r->problems, MACHINE_AMBIGUOUS, machine_label, STR_ARG(machine),
                         file_label);
        return;
    }
    const struct manifest_file *file = manifest_find_file(r->manifest, path);
    if (!file)
        problems_add(r->problems,
                     "%s names unknown file '%.*s'. It must match the `path` of an entry in the "
                     "`files` array.",
                     file_label, STR_ARG(path));
    else if (!machine.p && is_multi_machine(file))
        problems_add(r->problems,
                     "%s '%.*s' is a multi-machine trace; also name the machine with %s.",
                     file_label, STR_ARG(path), machine_label);
    else if (machine.p && !declares(file, machine))
        problems_add(r->problems, "%s '%.*s' is not a machine declared by file '%.*s'.",
                     machine_label, STR_ARG(machine), STR_ARG(path));
}

static void check_references(struct reader *r)
{
    const struct manifest *m = r->manifest;
    check_target(r, m->trace_time_file, m->trace_time_machine, "trace_time: file",
                 "trace_time: machine");
    for (size_t i = 0; i < m->n_files; i++) {
        const struct manifest_file *file = &m->files[i];
        if (!file->has_clocks) continue;
        if (!file->clock_machine.p && is_multi_machine(file))
            problems_add(r->problems,
                         "clocks: file '%.*s' is a multi-machine trace; name which machine the "
                         "clock is on with clocks: machine.",
                         STR_ARG(file->path));
        else if (file->clock_machine.p && !declares(file, file->clock_machine))
            problems_add(r->problems,
                         "clocks: machine '%.*s' is not a machine declared by file '%.*s'.",
                         STR_ARG(file->clock_machine), STR_ARG(file->path));
        if (file->sync_file.p)
            check_target(r, file->sync_file, file->sync_machine, "clocks: sync_to.file",
                         "clocks: sync_to.machine");
    }
}

void manifest_parse(struct manifest *manifest, json_t *body, struct arena *arena,
                    struct problems *problems)
{
    struct reader r = {manifest, arena, problems};
    read_version(&r, body);
    read_trace_time(&r, body);
    read_files(&r, body);
    read_attributes(&r, body);
    if (problems->count == 0) check_references(&r);
}
