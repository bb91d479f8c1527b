/* The pages of a Java heap dump: its classes, objects, and the way to one from a root. */
#ifndef COMMANDS_HEAP_PAGE_H
#define COMMANDS_HEAP_PAGE_H

struct heap_view;

void heap_view_free(struct heap_view *view);

#endif
