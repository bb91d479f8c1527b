#include "tui/fuzzy.h"

#include <stdbool.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool starts_word(struct str text, size_t i)
{
    if (i == 0) return true;
    char before = text.p[i - 1], here = text.p[i];
    bool camel = before >= 'a' && before <= 'z' && here >= 'A' && here <= 'Z';
    return camel || before == '.' || before == ' ' || before == '_' || before == '/' ||
           before == '-' || before == '>';
}

/* Greedy from `from`: the score of the first way the pattern fits there. */
static int score_from(struct str pattern, struct str text, size_t from)
{
    int score = 0, run = 0;
    size_t k = 0;
    for (size_t i = from; i < text.n && k < pattern.n; i++) {
        if (pattern.p[k] == ' ') { /* a blank stands for any gap */
            k++;
            i--;
            run = 0;
            continue;
        }
        if (lower(text.p[i]) != lower(pattern.p[k])) {
            run = 0;
            continue;
        }
        run++;
        score += 10 + run * 8 + (starts_word(text, i) ? 15 : 0);
        k++;
    }
    if (k < pattern.n) return 0;
    score -= (int)(text.n < 200 ? text.n / 4 : 50);
    return score > 0 ? score : 1;
}

int fuzzy_score(struct str pattern, struct str text)
{
    int best = 0;
    for (size_t i = 0; i < text.n && i < 256; i++) {
        if (pattern.n && lower(text.p[i]) != lower(pattern.p[0])) continue;
        int score = score_from(pattern, text, i);
        if (score > best) best = score;
    }
    return best;
}
