#include "engine/import/perf_script_line.h"

#define MAX_WORDS 32

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static size_t digits_before(struct str s, size_t end)
{
    size_t n = 0;
    while (n < end && is_digit(s.p[end - 1 - n]))
        n++;
    return n;
}

/* `seconds.fraction` at the end of the text.  Six digits go through doubles, step by
 * step as in the reference, which can be 1 ns off; `perf script --ns` writes nine,
 * which are exact. */
static bool read_time(struct str text, int64_t *ts, size_t *start)
{
    size_t fraction = digits_before(text, text.n);
    if ((fraction != 6 && fraction != 9) || text.n < fraction + 2) return false;
    size_t dot = text.n - fraction - 1;
    if (text.p[dot] != '.') return false;
    size_t whole = digits_before(text, dot);
    if (whole == 0 || whole == dot || !is_space(text.p[dot - whole - 1])) return false;
    *start = dot - whole;
    struct str number = str_slice(text, *start, text.n);
    double seconds;
    if (fraction == 9) return str_to_scaled_int64(number, 9, ts);
    if (!str_to_double(number, &seconds) || seconds >= 9.2e9) return false;
    *ts = (int64_t)(seconds * 1000.0 * 1000.0 * 1000.0);
    return true;
}

static bool read_number(struct str s, uint32_t *out)
{
    uint64_t value;
    if (s.n == 0 || !is_digit(s.p[0]) || !str_to_uint64(s, &value) || value > UINT32_MAX)
        return false;
    *out = (uint32_t)value;
    return true;
}

/* `tid` or `pid/tid`. */
static bool read_ids(struct str word, struct perf_script_sample *sample)
{
    size_t slash;
    sample->has_pid = str_find_byte(word, '/', &slash);
    if (!sample->has_pid) return read_number(word, &sample->tid);
    return read_number(str_slice(word, 0, slash), &sample->pid) &&
           read_number(str_slice(word, slash + 1, word.n), &sample->tid);
}

static bool is_cpu(struct str word)
{
    return word.n > 2 && word.p[0] == '[' && word.p[word.n - 1] == ']' &&
           digits_before(word, word.n - 1) == word.n - 2;
}

/* What stands before the time: command, ids, perhaps the CPU. */
static bool read_task(struct str text, struct perf_script_sample *sample, struct buffer *comm)
{
    struct str words[MAX_WORDS];
    size_t n = 0;
    for (size_t at = 0; at < text.n;) {
        while (at < text.n && is_space(text.p[at]))
            at++;
        size_t start = at;
        while (at < text.n && !is_space(text.p[at]))
            at++;
        if (at == start) break;
        if (n == MAX_WORDS) return false;
        words[n++] = str_slice(text, start, at);
    }
    if (n > 0 && is_cpu(words[n - 1])) n--;
    if (n < 2 || !read_ids(words[n - 1], sample)) return false;
    if (!comm) return true;
    buffer_clear(comm);
    for (size_t i = 0; i + 1 < n; i++) {
        if (i > 0) buffer_append_byte(comm, ' ');
        buffer_append_str(comm, words[i]);
    }
    return true;
}

bool perf_script_read_sample(struct str line, struct perf_script_sample *sample,
                             struct buffer *comm)
{
    for (size_t colon = 0; colon < line.n; colon++) {
        if (line.p[colon] != ':') continue;
        struct str before = str_slice(line, 0, colon);
        size_t start;
        if (!read_time(before, &sample->ts, &start) ||
            !read_task(str_slice(before, 0, start), sample, comm))
            continue;
        sample->rest = str_slice(line, colon + 1, line.n);
        return true;
    }
    return false;
}

static bool find_last(struct str s, char byte, size_t *at)
{
    for (size_t i = s.n; i-- > 0;)
        if (s.p[i] == byte) {
            *at = i;
            return true;
        }
    return false;
}

/* Where the parenthesis that the text ends in was opened. */
static bool find_open(struct str s, size_t *at)
{
    size_t depth = 0;
    for (size_t i = s.n; i-- > 0;) {
        if (s.p[i] == ')') depth++;
        if (s.p[i] != '(' || --depth > 0) continue;
        *at = i;
        return true;
    }
    return find_last(s, '(', at);
}

const char *perf_script_read_frame(struct str line, struct perf_script_frame *frame)
{
    line = str_trim(line);
    size_t open, space, plus;
    if (line.n == 0 || line.p[line.n - 1] != ')' || !find_open(line, &open))
        return "unable to find mapping in frame";
    if (!str_find_byte(str_slice(line, 0, open), ' ', &space))
        return "unable to find symbol in frame";
    frame->mapping = str_slice(line, open + 1, line.n - 1);
    frame->symbol = str_trim(str_slice(line, space, open));
    if (find_last(frame->symbol, '+', &plus)) frame->symbol = str_slice(frame->symbol, 0, plus);
    return NULL;
}

static bool is_hex(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!is_digit(s.p[i]) && !(s.p[i] >= 'a' && s.p[i] <= 'f')) return false;
    return s.n > 0;
}

bool perf_script_has_address(struct str line)
{
    size_t space;
    line = str_trim(line);
    return is_hex(str_find_byte(line, ' ', &space) ? str_slice(line, 0, space) : line);
}

bool perf_script_read_inline_frame(struct str rest, struct perf_script_frame *frame)
{
    /* The name of an event may have colons, and so may a symbol: the address
     * tells where the frame begins. */
    for (size_t i = 0; i + 1 < rest.n; i++) {
        if (rest.p[i] != ':' || !is_space(rest.p[i + 1])) continue;
        struct str text = str_trim(str_slice(rest, i + 1, rest.n));
        if (perf_script_has_address(text)) return !perf_script_read_frame(text, frame);
    }
    return false;
}
