/* Battery history as `dumpsys batterystats --checkin` writes it (spec engine_2c 10;
 * android.googlesource.com, BatteryStats.java, "dumpCheckin"): lines of `9,…`, read in
 * file order, whose items are events in order of time.
 */
#ifndef ENGINE_IMPORT_ANDROID_BATTERY_H
#define ENGINE_IMPORT_ANDROID_BATTERY_H

#include "engine/import/text_events.h"

struct android_battery;
struct android_battery *android_battery_new(const struct import_file *file);
void android_battery_free(struct android_battery *battery);

/* Pushes the line's items as events of `kind`.  False, with a reason, when it is bad. */
bool android_battery_read(struct android_battery *battery, struct text_events *events,
                          uint32_t kind, struct str line, const char **error);
/* Such an item, in order of time. */
void android_battery_push(struct android_battery *battery, int64_t ts, struct str item);

#endif
