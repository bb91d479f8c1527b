/* Names that a trace tells apart from what they name (spec engine_2 2.6):
 * ModuleSymbols gives functions and lines to addresses of a native module,
 * DeobfuscationMapping the names that a shrinker took from an app's classes.
 *
 * Both may come in another file than what they name, before it or after.  Messages
 * are copied when they are met; frames and heap graphs get their names when all
 * events were parsed, args of track events while they are parsed.
 */
#ifndef ENGINE_IMPORT_SYMBOLS_H
#define ENGINE_IMPORT_SYMBOLS_H

#include "engine/import/import.h"

struct symbol_store;

struct symbol_store *symbol_store_new(void);
void symbol_store_free(struct symbol_store *store);

void symbols_add_module(struct import *import, const struct import_file *file, struct str message);
void symbols_add_mapping(struct import *import, struct str message);

/* The outermost function at an address of a mapping (path and hex build id); good
 * until the next message is added. */
bool symbols_function_at(struct import *import, string_id path, string_id build_id,
                         uint64_t address, struct str *function);
/* What an app's class was called; STRING_NULL when no mapping tells. */
string_id symbols_class(struct import *import, struct str obfuscated);

/* Names everything that has a name told.  Called once, after all parsing. */
void symbols_finish(struct import *import);

/* The app that a file of the system belongs to, by its path ("/data/app/PACKAGE-…",
 * places of well-known ones); absent when there is none.  *is_bad says that it is
 * an app's path of no known form. */
struct str symbols_package_of_path(struct str path, bool *is_bad);

/* The inside, shared by the files of this part. */
struct symbol_module {
    struct import_file file; /* a copy, for stats */
    struct str message;
};
const struct symbol_module *symbols_modules(const struct import *import, size_t *n);
const struct str *symbols_mappings(const struct import *import, size_t *n);
void symbols_finish_java(struct import *import);

#endif
