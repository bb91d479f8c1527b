/* Short ways for data sources to reach counter and slice tracks. */
#ifndef ENGINE_IMPORT_PROBE_TRACK_H
#define ENGINE_IMPORT_PROBE_TRACK_H

#include "engine/import/slice.h"
#include "engine/import/track.h"

struct track_key probe_key(const struct import_file *file, const char *type,
                           enum track_event_type event_type);
/* One more dimension of the key.  Text is interned. */
void probe_dimension_int(struct track_key *key, const char *name, int64_t value);
void probe_dimension_text(const struct import_file *file, struct track_key *key, const char *name,
                          struct str value);

/* The track; name and unit may be NULL. */
uint32_t probe_track(const struct import_file *file, const struct track_key *key, const char *name,
                     const char *unit);
/* snprintf for names: what does not fit is cut. */
void probe_format(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A value on it. */
void probe_count(const struct import_file *file, int64_t ts, const struct track_key *key,
                 const char *name, const char *unit, double value);

#endif
