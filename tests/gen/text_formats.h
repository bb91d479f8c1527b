/* Traces that are text: the kernel's events (plain, in HTML, packed, inside JSON),
 * Android's log, dumpstate and battery history, strace, ninja, other forms of JSON.  Small ones
 * with known numbers; what each holds is said at its function.  `odd` ones hold the damage of their
 * kind, and end in the middle of a line.
 */
#ifndef TESTS_GEN_TEXT_FORMATS_H
#define TESTS_GEN_TEXT_FORMATS_H

#include "engine/base/buffer.h"

/* text_kernel.c */
void gen_write_systrace(struct buffer *out);
void gen_write_systrace_odd(struct buffer *out);
void gen_write_systrace_html(struct buffer *out);
void gen_write_ctrace(struct buffer *out);
void gen_write_system_trace_json(struct buffer *out);

/* text_android.c */
void gen_write_logcat(struct buffer *out);
void gen_write_logcat_odd(struct buffer *out);
void gen_write_dumpstate(struct buffer *out);
void gen_write_battery(struct buffer *out);
void gen_write_battery_odd(struct buffer *out);
void gen_write_bugreport(struct buffer *out);

/* text_tools.c */
void gen_write_strace(struct buffer *out);
void gen_write_strace_odd(struct buffer *out);
void gen_write_ninja(struct buffer *out);
void gen_write_ninja_odd(struct buffer *out);
void gen_write_json_lines(struct buffer *out);
void gen_write_json_utf16(struct buffer *out);

#endif
