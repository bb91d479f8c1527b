/* How well a typed pattern fits a text: its characters in order, not case. */
#ifndef TUI_FUZZY_H
#define TUI_FUZZY_H

#include "engine/base/str.h"

/* 0: it does not fit.  Higher is better: runs, word starts and short texts count. */
int fuzzy_score(struct str pattern, struct str text);

#endif
