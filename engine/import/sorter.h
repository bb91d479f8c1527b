/* Puts events in order of time (spec engine_1 1.9).
 *
 * An importer adds one queue per stream of events and pushes (time, payload).
 * Within a queue equal times keep the order of pushing (or follow the queue's
 * own comparison); across queues the lower queue number goes first, and a queue
 * that has begun to be emitted goes on through events of equal time.  Payloads
 * live in the sorter's memory until sorter_emit_all has called their sink.
 * Negative times are dropped (stat trace_sorter_negative_timestamp_dropped).
 */
#ifndef ENGINE_IMPORT_SORTER_H
#define ENGINE_IMPORT_SORTER_H

#include <stddef.h>
#include <stdint.h>

struct import;
struct sorter;

/* Parses one event.  `owner` is the sink's; `payload` is 8-aligned. */
typedef void (*sorter_sink_fn)(void *owner, int64_t ts, const void *payload);

struct sorter *sorter_new(struct import *import);
void sorter_free(struct sorter *sorter);

/* At most 65,535 of each. */
uint32_t sorter_add_sink(struct sorter *sorter, sorter_sink_fn sink, void *owner);
uint32_t sorter_add_queue(struct sorter *sorter);
/* Order of payloads of equal time in that queue: <0, 0, >0; 0 keeps push order. */
void sorter_set_compare(struct sorter *sorter, uint32_t queue,
                        int (*compare)(const void *a, const void *b));

/* Room for a payload of `bytes`, to be filled by the caller at once.  Never
 * NULL: a dropped event gets scratch room. */
void *sorter_push(struct sorter *sorter, uint32_t queue, uint32_t sink, int64_t ts, size_t bytes);

/* Latest time pushed so far; 0 when none. */
int64_t sorter_latest(const struct sorter *sorter);
/* Calls the sinks in order.  Stops early on a cancel request. */
void sorter_emit_all(struct sorter *sorter);

#endif
