#include "engine/import/hprof.h"

enum record {
    RECORD_UTF8 = 0x01,
    RECORD_LOAD_CLASS = 0x02,
    RECORD_HEAP_DUMP = 0x0C,
    RECORD_HEAP_DUMP_SEGMENT = 0x1C,
    RECORD_HEAP_DUMP_END = 0x2C,
};

enum sub_record {
    SUB_CLASS = 0x20,
    SUB_INSTANCE = 0x21,
    SUB_OBJECT_ARRAY = 0x22,
    SUB_PRIMITIVE_ARRAY = 0x23,
    SUB_HEAP_INFO = 0xFE,
};

unsigned hprof_type_bytes(unsigned id_bytes, uint8_t type)
{
    switch (type) {
    case HPROF_OBJECT: return id_bytes;
    case HPROF_BOOLEAN:
    case HPROF_BYTE: return 1;
    case HPROF_CHAR:
    case HPROF_SHORT: return 2;
    case HPROF_FLOAT:
    case HPROF_INT: return 4;
    case HPROF_DOUBLE:
    case HPROF_LONG: return 8;
    default: return 0;
    }
}

uint64_t hprof_number(struct str bytes, size_t at, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++)
        value = value << 8 | (uint8_t)bytes.p[at + i];
    return value;
}

static void tell(struct hprof_walk *walk, enum stat stat, size_t at, const char *error)
{
    if (walk->damage) damage_log(walk->damage, stat, at, error);
}

static void count(struct hprof_walk *walk, enum stat stat)
{
    if (walk->damage) stats_add(walk->damage->file, stat, 1);
}

bool hprof_walk_begin(struct hprof_walk *walk, struct str bytes, int64_t *timestamp)
{
    size_t end;
    *walk = (struct hprof_walk){.bytes = bytes, .damage = walk->damage};
    if (!str_find_byte(str_slice(bytes, 0, 256), '\0', &end) || bytes.n - end < 13) return false;
    walk->id_bytes = (unsigned)hprof_number(bytes, end + 1, 4);
    if (walk->id_bytes != 4 && walk->id_bytes != 8) return false;
    *timestamp = (int64_t)hprof_number(bytes, end + 5, 8);
    walk->at = end + 13;
    return true;
}

/* ---- reading inside one entry ---- */

struct reading {
    struct hprof_walk *walk;
    bool is_short;
};

static uint64_t take(struct reading *r, unsigned n)
{
    struct hprof_walk *walk = r->walk;
    if (r->is_short || walk->bytes.n - walk->at < n) {
        r->is_short = true;
        return 0;
    }
    uint64_t value = hprof_number(walk->bytes, walk->at, n);
    walk->at += n;
    return value;
}

static uint64_t take_id(struct reading *r)
{
    return take(r, r->walk->id_bytes);
}

static struct str take_bytes(struct reading *r, uint64_t n)
{
    struct hprof_walk *walk = r->walk;
    if (r->is_short || walk->bytes.n - walk->at < n) {
        r->is_short = true;
        return STR_NONE;
    }
    struct str bytes = str_slice(walk->bytes, walk->at, walk->at + (size_t)n);
    walk->at += (size_t)n;
    return bytes;
}

/* Values with a type in front, `before` bytes after the start of each. */
static void skip_values(struct reading *r, unsigned n, unsigned before)
{
    for (unsigned i = 0; i < n && !r->is_short; i++) {
        take(r, before);
        unsigned bytes = hprof_type_bytes(r->walk->id_bytes, (uint8_t)take(r, 1));
        if (bytes == 0) r->is_short = true;
        take(r, bytes);
    }
}

static void read_class(struct reading *r, struct hprof_entry *e)
{
    struct hprof_walk *walk = r->walk;
    e->kind = HPROF_CLASS;
    e->id = take_id(r);
    take(r, 4);
    e->super = take_id(r);
    take_bytes(r, (uint64_t)walk->id_bytes * 5); /* loader, signers, domain, two more */
    e->n = (uint32_t)take(r, 4);
    skip_values(r, (unsigned)take(r, 2), 2);
    e->n_statics = (uint16_t)take(r, 2);
    size_t statics = walk->at;
    skip_values(r, e->n_statics, walk->id_bytes);
    e->data = str_slice(walk->bytes, statics, walk->at);
    e->n_fields = (uint16_t)take(r, 2);
    e->fields = take_bytes(r, (uint64_t)e->n_fields * (walk->id_bytes + 1));
}

static void read_root(struct reading *r, struct hprof_entry *e)
{
    e->kind = HPROF_ROOT;
    e->id = take_id(r);
    switch (e->tag) {
    case 0x01: take_id(r); break;
    case 0x02:
    case 0x03:
    case 0x08:
    case 0x8E: take(r, 8); break;
    case 0x04:
    case 0x06: take(r, 4); break;
    default: break;
    }
}

static bool is_root(uint8_t tag)
{
    return (tag >= 0x01 && tag <= 0x08) || (tag >= 0x89 && tag <= 0x8E) || tag == 0x90 ||
           tag == 0xFF;
}

/* False when the tag is of no known sub-record. */
static bool read_sub_record(struct reading *r, struct hprof_entry *e)
{
    e->tag = (uint8_t)take(r, 1);
    switch (e->tag) {
    case SUB_CLASS: read_class(r, e); return true;
    case SUB_INSTANCE:
        e->kind = HPROF_INSTANCE;
        e->id = take_id(r);
        take(r, 4);
        e->class = take_id(r);
        e->data = take_bytes(r, take(r, 4));
        return true;
    case SUB_OBJECT_ARRAY:
        e->kind = HPROF_OBJECT_ARRAY;
        e->id = take_id(r);
        take(r, 4);
        e->n = (uint32_t)take(r, 4);
        e->class = take_id(r);
        e->data = take_bytes(r, (uint64_t)e->n * r->walk->id_bytes);
        return true;
    case SUB_PRIMITIVE_ARRAY: {
        e->kind = HPROF_PRIMITIVE_ARRAY;
        e->id = take_id(r);
        take(r, 4);
        e->n = (uint32_t)take(r, 4);
        e->type = (uint8_t)take(r, 1);
        unsigned bytes = hprof_type_bytes(r->walk->id_bytes, e->type);
        e->data = take_bytes(r, (uint64_t)e->n * bytes);
        return bytes != 0;
    }
    case SUB_HEAP_INFO:
        e->kind = HPROF_HEAP;
        e->id = take(r, 4);
        e->class = take_id(r);
        return true;
    default:
        if (!is_root(e->tag)) return false;
        read_root(r, e);
        return true;
    }
}

/* ---- records ---- */

/* True with a string or a class; a heap dump is entered, all else stepped over. */
static bool read_record(struct hprof_walk *walk, struct hprof_entry *e)
{
    struct reading r = {walk, false};
    size_t at = walk->at;
    uint8_t tag = (uint8_t)take(&r, 1);
    take(&r, 4);
    uint64_t length = take(&r, 4);
    if (r.is_short) {
        tell(walk, STAT_perfetty_input_truncated, at, "the file ends inside a record");
        walk->is_cut = true;
        return false;
    }
    count(walk, STAT_hprof_record_counter);
    size_t body = walk->at, left = walk->bytes.n - body;
    size_t end = body + (size_t)(length < left ? length : left);
    if (tag == RECORD_HEAP_DUMP || tag == RECORD_HEAP_DUMP_SEGMENT) {
        count(walk, STAT_hprof_heap_dump_counter);
        /* Some writers leave the length of a long dump 0: it goes to the end. */
        walk->segment_end = length == 0 && tag == RECORD_HEAP_DUMP ? walk->bytes.n : end;
        if (length > left)
            tell(walk, STAT_perfetty_input_truncated, walk->bytes.n,
                 "the file ends inside a heap dump");
        return false;
    }
    if (length > left) {
        tell(walk, STAT_perfetty_input_truncated, at, "the file ends inside a record");
        walk->at = walk->bytes.n;
        walk->is_cut = true;
        return false;
    }
    e->at = body;
    if (tag == RECORD_UTF8 && length >= walk->id_bytes) {
        e->kind = HPROF_STRING;
        e->id = take_id(&r);
        e->data = str_slice(walk->bytes, walk->at, end);
    } else if (tag == RECORD_LOAD_CLASS && length >= 8 + 2 * walk->id_bytes) {
        e->kind = HPROF_LOAD_CLASS;
        take(&r, 4);
        e->id = take_id(&r);
        take(&r, 4);
        e->class = take_id(&r);
    } else {
        walk->at = end;
        return false;
    }
    walk->at = end;
    return true;
}

bool hprof_next(struct hprof_walk *walk, struct hprof_entry *e)
{
    while (!walk->is_cut && walk->at < walk->bytes.n) {
        *e = (struct hprof_entry){.at = walk->at};
        if (walk->segment_end == 0) {
            if (read_record(walk, e)) return true;
            continue;
        }
        if (walk->at >= walk->segment_end) {
            if (walk->at > walk->segment_end) count(walk, STAT_hprof_segment_overshoot_counter);
            walk->segment_end = 0;
            continue;
        }
        struct reading r = {walk, false};
        bool is_known = read_sub_record(&r, e);
        if (is_known && !r.is_short) return true;
        if (is_known) {
            tell(walk, STAT_perfetty_input_truncated, e->at, "the file ends inside a heap dump");
            walk->is_cut = true;
        } else {
            /* Nothing says how long it is: the rest of this dump is lost. */
            tell(walk, STAT_hprof_heap_dump_errors, e->at, "a part of a heap dump of unknown kind");
            walk->at = walk->segment_end;
        }
    }
    return false;
}
