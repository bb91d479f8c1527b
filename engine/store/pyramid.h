/* Summaries of a run of events by time, so that a frame costs O(cells).
 *
 * A pyramid holds row numbers in order of time and, above them, blocks of 16,
 * 256, 4096 … rows: for spans the time covered and the longest one, for values
 * the least and the most.  It reads arrays that it does not own (columns of a
 * frozen table, as a rule), which must outlive it.  Building is O(rows); a bucket
 * is O(log rows).
 *
 * Times are ns; a span with dur -1 lasts to the next one, or to `end`.  Spans of
 * one pyramid do not overlap (load_curve.h has those that do).
 */
#ifndef ENGINE_STORE_PYRAMID_H
#define ENGINE_STORE_PYRAMID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pyramid;

struct pyramid_source {
    const int64_t *ts;
    const int64_t *dur;  /* NULL: instants, or values */
    const double *value; /* NULL: no values */
    uint32_t *rows;      /* indexes into the arrays, ascending in ts; taken over */
    uint32_t count;
    int64_t end;
};

struct pyramid *pyramid_new(const struct pyramid_source *source);
void pyramid_free(struct pyramid *pyramid);
uint32_t pyramid_count(const struct pyramid *pyramid);
/* Bytes it holds. */
size_t pyramid_bytes(const struct pyramid *pyramid);
uint32_t pyramid_row(const struct pyramid *pyramid, uint32_t i); /* i-th in order of time */
int64_t pyramid_ts(const struct pyramid *pyramid, uint32_t i);
int64_t pyramid_span_end(const struct pyramid *pyramid, uint32_t i);
double pyramid_value(const struct pyramid *pyramid, uint32_t i); /* of values only */
/* First i whose ts is >= ts; pyramid_count when none. */
uint32_t pyramid_lower_bound(const struct pyramid *pyramid, int64_t ts);

#define PYRAMID_NONE UINT32_MAX

struct pyramid_bucket {
    uint32_t count;    /* rows that touch [start, end) */
    uint32_t dominant; /* i of the one that covers most of it; PYRAMID_NONE */
    int64_t busy_ns;   /* covered by spans */
    int64_t covers_ns; /* by the dominant one */
    /* Values: those in force in the bucket, the one before it included. */
    bool has_value;
    double least, most, last;
};

/* Where the last bucket ended: buckets that follow one another find their rows
 * without a search.  {0} to begin with. */
struct pyramid_cursor {
    int64_t end;
    uint32_t at;
    bool is_set;
};

/* The same as pyramid_bucket, from left to right. */
void pyramid_next_bucket(const struct pyramid *pyramid, struct pyramid_cursor *cursor,
                         int64_t start, int64_t end, struct pyramid_bucket *out);
/* What happens in [start, end). */
void pyramid_bucket(const struct pyramid *pyramid, int64_t start, int64_t end,
                    struct pyramid_bucket *out);
/* Over everything. */
void pyramid_range(const struct pyramid *pyramid, double *least, double *most);

#endif
