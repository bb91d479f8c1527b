#include "engine/import/text_events.h"

#include "engine/import/clock.h"
#include "engine/import/text_utf8.h"

#define POLL_EVERY 4096

void text_reader_open(struct text_reader *reader, const struct import_file *file, struct str bytes)
{
    *reader = (struct text_reader){.damage = {.file = file}, .bytes = bytes};
}

static bool should_stop(struct text_reader *reader)
{
    struct import *import = reader->damage.file->import;
    if (++reader->n_lines % POLL_EVERY != 0) return false;
    import_progress(import, reader->next - reader->reported);
    reader->reported = reader->next;
    return cancel_is_requested(import->cancel);
}

bool text_reader_next(struct text_reader *reader, struct str *line)
{
    struct str rest = str_slice(reader->bytes, reader->next, reader->bytes.n);
    size_t end;
    if (rest.n == 0 || should_stop(reader)) return false;
    reader->at = reader->next;
    if (!str_find_byte(rest, '\n', &end)) {
        reader->next = reader->bytes.n;
        if (str_trim(rest).n > 0)
            text_reader_fail(reader, STAT_perfetty_input_truncated,
                             "the last line has no end and is not read");
        return false;
    }
    reader->next += end + 1;
    while (end > 0 && rest.p[end - 1] == '\r')
        end--;
    *line = str_slice(rest, 0, end);
    return true;
}

void text_reader_fail(struct text_reader *reader, enum stat stat, const char *error)
{
    damage_log(&reader->damage, stat, reader->at, error);
}

void text_events_open(struct text_events *events, const struct import_file *file,
                      sorter_sink_fn sink, void *owner)
{
    struct sorter *sorter = file->import->sorter;
    *events = (struct text_events){.file = file};
    events->queue = sorter_add_queue(sorter);
    events->sink = sorter_add_sink(sorter, sink, owner);
}

static void push(struct text_events *events, int64_t ts, struct text_event event)
{
    struct text_event *to =
        sorter_push(events->file->import->sorter, events->queue, events->sink, ts, sizeof *to);
    *to = event;
}

static void push_deferred(void *context)
{
    struct text_events *events = context;
    for (size_t i = 0; i < events->deferred.count; i++) {
        const struct text_deferred *waiting = &events->deferred.items[i];
        int64_t ts;
        if (clock_to_trace_time(events->file, 0, 0, waiting->time, true, &ts) == CLOCK_OK)
            push(events, ts, waiting->event);
    }
    vec_free(&events->deferred);
}

void text_events_push(struct text_events *events, int64_t time, struct text_event event)
{
    int64_t ts;
    events->n_pushed++;
    switch (clock_to_trace_time(events->file, 0, 0, time, false, &ts)) {
    case CLOCK_OK: push(events, ts, event); break;
    case CLOCK_LATER:
        if (events->deferred.count == 0)
            import_at_input_end(events->file->import, push_deferred, events);
        vec_push(&events->deferred, (struct text_deferred){time, event});
        break;
    case CLOCK_FAILED: break;
    }
}

struct str text_events_text(struct text_events *events, struct str bytes)
{
    return text_as_utf8(bytes, &events->utf8);
}

void text_events_close(struct text_events *events)
{
    buffer_free(&events->utf8);
    vec_free(&events->deferred);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool text_skip_space(struct str *text)
{
    size_t n = 0;
    while (n < text->n && is_space(text->p[n]))
        n++;
    *text = str_slice(*text, n, text->n);
    return n > 0;
}

struct str text_next_word(struct str *text)
{
    size_t n = 0;
    text_skip_space(text);
    while (n < text->n && !is_space(text->p[n]))
        n++;
    struct str word = n ? str_slice(*text, 0, n) : STR_NONE;
    *text = str_slice(*text, n, text->n);
    return word;
}

struct str text_take_digits(struct str *text)
{
    size_t n = 0;
    while (n < text->n && text->p[n] >= '0' && text->p[n] <= '9')
        n++;
    struct str digits = str_slice(*text, 0, n);
    *text = str_slice(*text, n, text->n);
    return digits;
}

bool text_take_byte(struct str *text, char byte)
{
    if (text->n == 0 || text->p[0] != byte) return false;
    *text = str_slice(*text, 1, text->n);
    return true;
}
