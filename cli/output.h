/* Rows on stdout: the formats of `query`.
 *
 *   tp     as trace_processor_shell prints it (engine_5 7.2): no escaping
 *   csv    RFC 4180: quotes doubled, CRLF, NULL is an empty cell
 *   json   one array of objects for each statement with columns
 *   table  aligned, for eyes: unsafe characters are shown, never sent
 *
 * The others are faithful too, but not to a terminal: there, unsafe characters of
 * the rows are shown as in a table.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>

#include "engine/engine.h"

enum output_format { OUTPUT_TP, OUTPUT_CSV, OUTPUT_JSON, OUTPUT_TABLE };

struct output;

bool output_parse_format(const char *name, enum output_format *format);

/* `trace` not NULL: every set gets a first column `trace` with this text. */
struct output *output_new(FILE *file, enum output_format format);
void output_set_trace(struct output *output, const char *trace);
/* Prints the rows of the statement that `query` stands at.  Its rows up to an
 * error are printed; the error is in `st`. */
bool output_statement(struct output *output, struct query *query, struct status *st);
void output_free(struct output *output);

/* Writes text of a trace as it is to a file, with unsafe characters shown to a
 * terminal (line ends too). */
void output_write(FILE *file, struct str text);

#endif
