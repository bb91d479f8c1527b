/* The parts of `perfetty extensions`. */
#ifndef CLI_EXTENSIONS_H
#define CLI_EXTENSIONS_H

#include "cli/cli.h"

/* extensions_lint.c: macros and startup commands of the section against the commands
 * there are.  Problems are said on stderr, notes on stdout; how many problems.  Places
 * are those of the section as `extensions dump` prints it. */
size_t extensions_lint(struct engine *engine, const char *label);

/* extensions_modules.c: includes every SQL module in a loaded trace, as a trace's own
 * SQL; a line for each on stdout, what fails on stderr.  How many failed. */
size_t extensions_run_modules(struct engine *engine, const char *label);

/* extensions_trust.c: what is remembered about startup commands of traces, listed, or
 * with `revoke` (an id, what it begins with, "all") forgotten. */
int extensions_trust(const char *revoke, bool as_json);

/* extensions_strip.c: IN without its extensions, in OUT. */
int extensions_strip(const char *in, const char *out);

#endif
