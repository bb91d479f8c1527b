/* Names of task states, from a prev_state mask and from the text of a systrace
 * (spec engine_2 2.3).  Which bit means what depends on the kernel. */
#include "engine/import/sched.h"

#include "engine/import/stats.h"

/* Letters in the order in which they are written. */
#define LETTERS "SDTtXZPxKWNI"

struct layout {
    uint16_t bits[sizeof LETTERS - 1]; /* of each letter; 0: this kernel has it not */
    uint16_t preempted;
};

static const struct layout layout_since_4_14 = {
    {0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0, 0, 0, 0, 0x80}, 0x100};
static const struct layout layout_4_8 = {
    {0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x200, 0x40, 0x80, 0x100, 0x400, 0}, 0x1000};
static const struct layout layout_before_4_8 = {
    {0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x200, 0x40, 0x80, 0x100, 0x400, 0}, 0x800};

#define BIT_DISK_SLEEP 0x2
#define BIT_NO_LOAD    0x400

static const struct layout *layout_of(const char *release)
{
    unsigned major = 0, minor = 0;
    if (!release) return &layout_before_4_8;
    const char *p = release;
    while (*p >= '0' && *p <= '9' && major < 1000)
        major = major * 10 + (unsigned)(*p++ - '0');
    if (*p != '.') return &layout_before_4_8;
    for (p++; *p >= '0' && *p <= '9' && minor < 1000; p++)
        minor = minor * 10 + (unsigned)(*p - '0');
    if (major > 4 || (major == 4 && minor >= 14)) return &layout_since_4_14;
    return major == 4 && minor >= 8 ? &layout_4_8 : &layout_before_4_8;
}

string_id sched_state_of_mask(struct import *import, int64_t mask, const char *kernel_release)
{
    const struct layout *layout = layout_of(kernel_release);
    int64_t known = layout->preempted;
    for (unsigned i = 0; i < sizeof LETTERS - 1; i++)
        known |= layout->bits[i];
    if (mask < 0 || (mask & ~known)) return STRING_NULL;

    int64_t state = mask & ~(int64_t)layout->preempted;
    if (state == 0) return strpool_intern_text(import->strings, mask ? "R+" : "R");
    if (layout != &layout_since_4_14 && state == (BIT_DISK_SLEEP | BIT_NO_LOAD))
        return strpool_intern(import->strings, STR("I"));

    char text[sizeof LETTERS];
    size_t n = 0;
    for (unsigned i = 0; i < sizeof LETTERS - 1; i++)
        if (layout->bits[i] & state) text[n++] = LETTERS[i];
    return strpool_intern(import->strings, (struct str){text, n});
}

string_id sched_state_of_text(struct import *import, struct str text)
{
    bool has[sizeof LETTERS - 1] = {false};
    bool is_runnable = false, is_preempted = false, any = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '|') continue;
        const char *at = c ? strchr(LETTERS, c) : NULL;
        if (at) {
            has[at - LETTERS] = any = true;
        } else if (c == 'R') {
            is_runnable = true;
        } else if (c == '+') {
            is_preempted = true;
        } else {
            return STRING_NULL;
        }
    }
    if (!any && !is_runnable && !is_preempted) return STRING_NULL;
    if (!any) return strpool_intern_text(import->strings, is_preempted ? "R+" : "R");
    char out[sizeof LETTERS];
    size_t n = 0;
    for (unsigned i = 0; i < sizeof LETTERS - 1; i++)
        if (has[i]) out[n++] = LETTERS[i];
    return strpool_intern(import->strings, (struct str){out, n});
}

int64_t sched_mask_of_text(struct str text)
{
    int64_t mask = 0;
    for (size_t i = 0; i < text.n; i++) {
        const char *at = text.p[i] ? strchr(LETTERS, text.p[i]) : NULL;
        if (at) mask |= layout_before_4_8.bits[at - LETTERS];
        if (text.p[i] == '+') mask |= layout_before_4_8.preempted;
    }
    return mask;
}
