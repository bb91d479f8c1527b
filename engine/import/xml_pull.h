/* A pull parser over XML bytes in memory: one token at a time, never a tree, for
 * what programs export (https://www.w3.org/TR/xml/, §2 and §3).
 *
 * Checks that tags are well-formed and nest (at most XML_MAX_DEPTH).  Comments,
 * processing instructions and the declaration are passed over; a document type is
 * an error, so that there are no entities but the five that XML has and no file is
 * ever fetched.  Nothing is allocated; tokens point into the bytes.
 */
#ifndef ENGINE_IMPORT_XML_PULL_H
#define ENGINE_IMPORT_XML_PULL_H

#include "engine/base/buffer.h"
#include "engine/base/str.h"

#define XML_MAX_DEPTH      64
#define XML_MAX_ATTRIBUTES 16 /* more are read, and not kept */

enum xml_token {
    XML_DONE, /* the outermost element is closed */
    XML_CUT,  /* the bytes end inside it */
    XML_ERROR,
    XML_OPEN,  /* name, attributes */
    XML_CLOSE, /* name; also follows the OPEN of an empty element */
    XML_TEXT,
};

struct xml_attribute {
    struct str name, value; /* raw */
};

struct xml_pull {
    const char *start, *at, *end;
    const char *error; /* of XML_ERROR: what is wrong, a constant */
    struct str name;
    struct str text; /* raw, but for is_literal */
    bool is_literal; /* a CDATA section: no references in it */
    uint32_t n_attributes;
    struct xml_attribute attributes[XML_MAX_ATTRIBUTES];
    /* The rest is the parser's. */
    uint32_t depth;
    bool is_empty, is_begun;
    struct str open[XML_MAX_DEPTH];
};

void xml_pull_init(struct xml_pull *pull, struct str bytes);
enum xml_token xml_pull_next(struct xml_pull *pull);
static inline size_t xml_pull_offset(const struct xml_pull *pull)
{
    return (size_t)(pull->at - pull->start);
}
/* Counted from 1; walks the bytes. */
uint64_t xml_pull_line(const struct xml_pull *pull);

/* The raw value of an attribute of the OPEN in hand; STR_NONE when absent. */
struct str xml_attribute(const struct xml_pull *pull, const char *name);
/* References resolved, unknown ones left as written.  Without any it is `raw`
 * itself; else it is put into `buffer` (cleared first). */
struct str xml_decode(struct str raw, struct buffer *buffer);

#endif
