/* The two questions that a trace can bring about (SCREEN: Consent). */
#ifndef TUI_CONSENT_H
#define TUI_CONSENT_H

#include "commands/startup.h"
#include "tui/app.h"

/* May the trace's startup commands run?  Lists them in full. */
enum startup_answer consent_ask_startup(struct app *app, const struct startup *startup,
                                        const struct trace_extensions *extensions);
/* May a step of a trace's or a server's macro reach out of the program? */
bool consent_ask_reach(struct app *app, const struct reach_question *question);

#endif
