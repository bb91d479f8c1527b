/* The pages of a Java heap dump: its classes, objects, and the way to one from a root. */
#ifndef COMMANDS_HEAP_PAGE_H
#define COMMANDS_HEAP_PAGE_H

#include <stdint.h>

struct heap_view;
struct session;

void heap_view_free(struct heap_view *view);
/* Before a trace goes: its dump, if that is the one being looked at, and the pages. */
void session_close_heap(struct session *session, uint8_t trace);

#endif
