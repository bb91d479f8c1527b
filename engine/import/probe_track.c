#include "engine/import/probe_track.h"

#include <stdarg.h>
#include <stdio.h>

#include "engine/base/strpool.h"

struct track_key probe_key(const struct import_file *file, const char *type,
                           enum track_event_type event_type)
{
    return (struct track_key){
        .type = type, .event_type = event_type, .machine_id = file->machine_id};
}

void probe_dimension_int(struct track_key *key, const char *name, int64_t value)
{
    key->dimensions[key->n_dimensions++] = dimension_int(name, value);
}

void probe_dimension_text(const struct import_file *file, struct track_key *key, const char *name,
                          struct str value)
{
    string_id id = strpool_intern(file->import->strings, value.p ? value : STR(""));
    key->dimensions[key->n_dimensions++] = dimension_string(name, id);
}

uint32_t probe_track(const struct import_file *file, const struct track_key *key, const char *name,
                     const char *unit)
{
    struct strpool *strings = file->import->strings;
    struct track_info info = {.name = name ? strpool_intern_text(strings, name) : STRING_NULL,
                              .unit = unit ? strpool_intern_text(strings, unit) : STRING_NULL};
    return track_intern(file->import->tracks, key, &info);
}

void probe_count(const struct import_file *file, int64_t ts, const struct track_key *key,
                 const char *name, const char *unit, double value)
{
    counter_push(file, ts, probe_track(file, key, name, unit), value, NULL);
}

void probe_format(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(out, size, format, args);
    va_end(args);
}
