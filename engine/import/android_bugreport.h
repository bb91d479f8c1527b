/* What the texts of one Android bug report share (spec engine_2c 10): the year of lines
 * that tell none, the zone of the phone's clock, and which lines of the log came
 * already.  The dumpstate text is read first, then the logs that the phone had kept.
 *
 * NULL stands for a file that is no part of a bug report.
 */
#ifndef ENGINE_IMPORT_ANDROID_BUGREPORT_H
#define ENGINE_IMPORT_ANDROID_BUGREPORT_H

#include "engine/base/str.h"

struct android_bugreport;
struct android_log_line;

/* Names of members: the text of the report, which tells its year; kept logs. */
bool android_bugreport_is_text(struct str name, int *year);
bool android_bugreport_is_log(struct str name);

struct android_bugreport *android_bugreport_new(int year);
void android_bugreport_free(struct android_bugreport *report);

int android_bugreport_year(const struct android_bugreport *report, int otherwise);
/* What the clock on the wall is ahead of UTC, ns. */
int64_t android_bugreport_zone(const struct android_bugreport *report);
void android_bugreport_set_zone(struct android_bugreport *report, int64_t ns);

/* A line of the dumpstate text; then: was there one like it?  Each counts once. */
void android_bugreport_add(struct android_bugreport *report, const struct android_log_line *line);
bool android_bugreport_take(struct android_bugreport *report, const struct android_log_line *line);

#endif
