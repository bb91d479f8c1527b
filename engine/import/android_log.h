/* Lines of Android's log as `logcat -v threadtime` prints them (spec engine_2c 10;
 * developer.android.com/tools/logcat, "Control log output format"), with or without the
 * column of the user and the year.
 *
 * Used by logcat files and by the log sections of a dumpstate text.
 */
#ifndef ENGINE_IMPORT_ANDROID_LOG_H
#define ENGINE_IMPORT_ANDROID_LOG_H

#include "engine/import/import.h"

extern const struct importer importer_android_logcat;

enum android_log_form { LOG_UNKNOWN, LOG_PLAIN, LOG_WITH_USER };

struct android_log_line {
    int64_t time; /* ns since 1970 by the clock on the wall where it was written */
    int64_t pid, tid;
    uint32_t priority; /* as Android numbers them: 2 verbose … 7 fatal, 0 other */
    struct str tag, message;
};

enum android_log_form android_log_detect(struct str line);
/* Lines that only divide the log are none, and neither are short ones. */
bool android_log_is_line(struct str line);
/* `year` is for lines that tell none.  False when a column is wrong. */
bool android_log_read(struct str line, enum android_log_form form, int year,
                      struct android_log_line *out);
/* A row of the log. */
void android_log_push(const struct import_file *file, int64_t ts,
                      const struct android_log_line *line);

/* "2022-06-24 16:24:23.441532" in ns; what is read goes off the front. */
bool android_read_time(struct str *text, int default_year, int64_t *ns);

#endif
