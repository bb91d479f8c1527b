/* What extension servers answer, right and wrong: the four documents of a server with one
 * module "a", and what people and traces write to name a server.
 *
 * As one input (the catalogue, the fuzzer) the parts stand behind each other with a line
 * of "%%" between them; those left out are empty.
 */
#ifndef TESTS_GEN_SERVERS_H
#define TESTS_GEN_SERVERS_H

#include <stddef.h>

#include "engine/base/buffer.h"

enum gen_server_part {
    GEN_SERVER_MANIFEST,
    GEN_SERVER_MACROS,
    GEN_SERVER_SQL,
    GEN_SERVER_DESCRIPTORS,
    GEN_SERVER_REFERENCE, /* the `server` of a trace's section */
    GEN_SERVER_SETTINGS,  /* the setting extensionServers */
    GEN_SERVER_TYPED,     /* an address or a share string */
    GEN_SERVER_PARTS,
};

struct gen_server_case {
    const char *name;
    /* A ' stands for a ", @DESCRIPTOR@ for a descriptor in base64. */
    const char *parts[GEN_SERVER_PARTS];
    /* A part of each problem, '|' between them; "" when all of the answers are good. */
    const char *problems;
};

#define GEN_SERVER_BETWEEN "\n%%\n"

const struct gen_server_case *gen_server_cases(size_t *count);
void gen_server_part(const struct gen_server_case *c, enum gen_server_part part,
                     struct buffer *out);
void gen_server_input(const struct gen_server_case *c, struct buffer *out);

#endif
