#include "commands/fuzzy.h"

enum {
    RUN_BONUS = 8,
    START_BONUS = 10,
    FIRST_BONUS = 4,
    EXACT_CASE_BONUS = 1,
    SKIP_COST = 1,
    MOST_SKIP_COST = 12
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') ||
           (unsigned char)c >= 128;
}

/* A word begins after what is no letter, and at a capital after a small one. */
static bool starts_word(struct str text, size_t at)
{
    if (at == 0 || !is_word(text.p[at - 1])) return true;
    return text.p[at] >= 'A' && text.p[at] <= 'Z' && text.p[at - 1] >= 'a' && text.p[at - 1] <= 'z';
}

/* One word of the pattern, greedily from `from` on. */
static int32_t score_from(struct str word, struct str text, size_t from, size_t *end)
{
    int32_t score = 0;
    size_t at = from;
    for (size_t i = 0; i < word.n; i++) {
        size_t skipped = 0;
        while (at < text.n && lower(text.p[at]) != lower(word.p[i])) {
            at++;
            skipped++;
        }
        if (at == text.n) return FUZZY_NO_MATCH;
        if (i && skipped == 0) score += RUN_BONUS;
        if (starts_word(text, at)) score += START_BONUS;
        if (at == 0) score += FIRST_BONUS;
        if (text.p[at] == word.p[i]) score += EXACT_CASE_BONUS;
        if (i) score -= (int32_t)(skipped < MOST_SKIP_COST ? skipped : MOST_SKIP_COST) * SKIP_COST;
        at++;
    }
    *end = at;
    return score;
}

static void mark(struct str word, struct str text, size_t from, bool *marks, size_t n_marks)
{
    size_t at = from;
    for (size_t i = 0; i < word.n; i++, at++) {
        while (lower(text.p[at]) != lower(word.p[i]))
            at++;
        if (at < n_marks) marks[at] = true;
    }
}

static int32_t score_word(struct str word, struct str text, bool *marks, size_t n_marks)
{
    int32_t best = FUZZY_NO_MATCH;
    size_t best_from = 0, end;
    for (size_t from = 0; from + word.n <= text.n; from++) {
        if (lower(text.p[from]) != lower(word.p[0])) continue;
        int32_t score = score_from(word, text, from, &end);
        if (score == FUZZY_NO_MATCH) break; /* nor from any later byte */
        if (score <= best) continue;
        best = score;
        best_from = from;
    }
    if (best != FUZZY_NO_MATCH && marks) mark(word, text, best_from, marks, n_marks);
    return best;
}

int32_t fuzzy_score(struct str pattern, struct str text, bool *marks, size_t n_marks)
{
    enum { LONGEST = 512 };
    if (text.n > LONGEST) text.n = LONGEST;
    for (size_t i = 0; marks && i < n_marks; i++)
        marks[i] = false;
    int32_t total = 0;
    struct str rest = pattern, word;
    while (str_split_next(&rest, ' ', &word)) {
        if (word.n == 0) continue;
        int32_t score = score_word(word, text, marks, n_marks);
        if (score == FUZZY_NO_MATCH) return FUZZY_NO_MATCH;
        total += score;
    }
    /* Of two that fit alike the shorter one. */
    return pattern.n ? total - (int32_t)(text.n / 16) : 0;
}
