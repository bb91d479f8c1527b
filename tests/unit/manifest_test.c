/* Every message about the parts of a sidecar that say whose machine and which clock a
 * file is of (spec engine_1 6.1), and what right ones do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "tests/gen/archive.h"
#include "tests/gen/compress.h"
#include "tests/gen/event.h"
#include "tests/gen/packet.h"
#include "tests/gen/wire.h"

#define SECOND INT64_C(1000000000)

/* ---- the members of the archives ---- */

static void put_slice(struct buffer *out, uint32_t sequence, int64_t ts, const char *name)
{
    struct gen_seq seq;
    gen_seq_start(&seq, out, sequence);
    gen_seq_track(&seq, ts, &(struct gen_track){.uuid = sequence, .name = name});
    gen_slice_begin(&seq, ts, sequence, name);
    gen_slice_end(&seq, ts + 1000, sequence);
    gen_seq_free(&seq);
}

static void put_boottime(struct buffer *out, int64_t boottime)
{
    const struct gen_clock clocks[] = {{GEN_CLOCK_BOOTTIME, (uint64_t)boottime, false, 0}};
    gen_packet_clocks(out, 0, clocks, 1, 0);
}

/* Packets of `part`, each with a machine id. */
static void put_on_machine(struct buffer *out, const struct buffer *part, uint32_t machine)
{
    const uint8_t *p = (const uint8_t *)part->data;
    for (size_t at = 0; at < part->length;) {
        size_t length = 0;
        unsigned shift = 0;
        at++; /* the tag */
        do {
            length |= (size_t)(p[at] & 0x7f) << shift;
            shift += 7;
        } while (p[at++] & 0x80);
        struct buffer body = BUFFER_INIT;
        buffer_append(&body, p + at, length);
        gen_uint(&body, GEN_PACKET_MACHINE_ID, machine);
        gen_nested(out, 1, &body);
        buffer_free(&body);
        at += length;
    }
}

static void put_one_machine(struct buffer *out)
{
    put_boottime(out, SECOND);
    put_slice(out, 1, SECOND + 5000, "one");
}

static void put_two_machines(struct buffer *out)
{
    struct buffer part = BUFFER_INIT;
    put_boottime(out, SECOND);
    put_slice(out, 1, SECOND + 5000, "host");
    put_boottime(&part, 50 * SECOND);
    put_slice(&part, 2, 50 * SECOND + 5000, "vm");
    put_on_machine(out, &part, 7);
    buffer_free(&part);
}

static const char JSON_TRACE[] =
    "{\"traceEvents\":[{\"ph\":\"X\",\"ts\":2,\"dur\":1,\"pid\":9,\"tid\":9,\"name\":\"j\"}]}";

enum shape { PLAIN, TWO_SIDECARS, LATE_SIDECAR, IN_A_TAR };

static void put_sidecar_text(struct buffer *out, const char *text)
{
    for (const char *p = text; *p; p++)
        buffer_append_byte(out, *p == '\'' ? '"' : *p);
}

static void put_archive(struct buffer *out, const char *sidecar, enum shape shape)
{
    struct buffer text = BUFFER_INIT, one = BUFFER_INIT, two = BUFFER_INIT, inner = BUFFER_INIT;
    struct gen_zip zip;
    put_sidecar_text(&text, sidecar);
    put_one_machine(&one);
    put_two_machines(&two);
    gen_zip_start(&zip, out);
    if (shape == LATE_SIDECAR) {
        gen_gzip(&inner, buffer_str(&text));
        gen_zip_add(&zip, STR("meta.json.gz"), buffer_str(&inner), GEN_ZIP_STORED);
    } else {
        gen_zip_add(&zip, STR("meta.json"), buffer_str(&text), GEN_ZIP_STORED);
    }
    if (shape == TWO_SIDECARS)
        gen_zip_add(&zip, STR("other.json"), buffer_str(&text), GEN_ZIP_STORED);
    gen_zip_add(&zip, STR("one.pb"), buffer_str(&one), GEN_ZIP_DEFLATED);
    gen_zip_add(&zip, STR("two.pb"), buffer_str(&two), GEN_ZIP_DEFLATED);
    gen_zip_add_text(&zip, "app.json", JSON_TRACE);
    if (shape == IN_A_TAR) {
        gen_tar_add(&inner, GEN_TAR_USTAR, STR("x.json"), STR(JSON_TRACE));
        gen_tar_finish(&inner);
        gen_zip_add(&zip, STR("inner.tar"), buffer_str(&inner), GEN_ZIP_STORED);
    }
    gen_zip_finish(&zip);
    buffer_free(&text);
    buffer_free(&one);
    buffer_free(&two);
    buffer_free(&inner);
}

static struct engine *load(const char *sidecar, enum shape shape, struct status *st)
{
    struct buffer archive = BUFFER_INIT;
    char path[200];
    struct engine_options options = {.extensions = ENGINE_EXTENSIONS_LOAD};
    put_archive(&archive, sidecar, shape);
    snprintf(path, sizeof path, "%s/manifest_%d.zip", BINARY_DIR, (int)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(archive.data, 1, archive.length, file), archive.length);
    assert_int_equal(fclose(file), 0);
    buffer_free(&archive);
    struct engine *engine = engine_new();
    const char *operand = path;
    bool ok = engine_load(engine, &operand, 1, &options, st);
    unlink(path);
    if (ok) return engine;
    engine_free(engine);
    return NULL;
}

/* ---- the messages ---- */

#define BODY(rest)   "{'perfetto_manifest':{'version':1," rest "}}"
#define FILES(rest)  BODY("'files':[" rest "]")
#define ONE(rest)    FILES("{'path':'one.pb'," rest "},{'path':'app.json'}")
#define CLOCKS(rest) ONE("'clocks':{" rest "}")
#define SYNC(rest)   CLOCKS("'sync_to':{" rest "}")
#define TWO(rest) \
    FILES("{'path':'two.pb','machines':[{'id':0,'name':'host'},{'id':7,'name':'vm'}]}," \
          "{'path':'one.pb','machine':{'name':'srv'}" rest "}")
#define TWO_TIME(rest) \
    BODY("'trace_time':{" rest "},'files':[{'path':'two.pb'," \
         "'machines':[{'id':0,'name':'host'},{'id':7,'name':'vm'}]}]")

static const struct {
    const char *sidecar;
    enum shape shape;
    const char *message; /* behind the operand; the whole of it, or its beginning with "…" */
} wrong[] = {
    {"{'perfetto_manifest':{}}", PLAIN,
     "meta.json: perfetto_manifest: missing required field: version"},
    {"{'perfetto_manifest':{'version':'1'}}", PLAIN,
     "meta.json: perfetto_manifest: version must be an integer"},
    {"{'perfetto_manifest':{'version':1.5}}", PLAIN,
     "meta.json: perfetto_manifest: version must be an integer"},
    {"{'perfetto_manifest':{'version':2}}", PLAIN,
     "meta.json: perfetto_manifest: unsupported version: 2. Only version 1 is supported; set "
     "\"version\": 1."},
    {"{'perfetto_manifest':[]}", PLAIN,
     "meta.json: perfetto_manifest: expected a JSON object with a top-level perfetto_manifest key"},
    {BODY("'trace_time':5"), PLAIN, "meta.json: perfetto_manifest: trace_time must be an object"},
    {BODY("'trace_time':{}"), PLAIN, "meta.json: perfetto_manifest: trace_time needs a clock"},
    {BODY("'trace_time':{'clock':'BOOTTIME','file':1}"), PLAIN,
     "meta.json: perfetto_manifest: trace_time: file must be a string"},
    {BODY("'trace_time':{'clock':'BOOTTIME','machine':1}"), PLAIN,
     "meta.json: perfetto_manifest: trace_time: machine must be a string"},
    {BODY("'files':{}"), PLAIN, "meta.json: perfetto_manifest: files must be an array"},
    {FILES("5"), PLAIN,
     "meta.json: perfetto_manifest: files entries must be objects with a string path"},
    {FILES("{'path':5}"), PLAIN,
     "meta.json: perfetto_manifest: files entries must be objects with a string path"},
    {ONE("'clocks':5"), PLAIN, "meta.json: perfetto_manifest: clocks must be an object"},
    {CLOCKS("'clock':5,'sync_to':{'file':'app.json'}"), PLAIN,
     "meta.json: perfetto_manifest: clock name must be a string"},
    {CLOCKS("'clock':'TAI','sync_to':{'file':'app.json'}"), PLAIN,
     "meta.json: perfetto_manifest: unknown clock name: TAI. Use one of REALTIME, "
     "REALTIME_COARSE, MONOTONIC, MONOTONIC_COARSE, MONOTONIC_RAW, BOOTTIME."},
    {CLOCKS("'clock':'BOOTTIME'"), PLAIN,
     "meta.json: perfetto_manifest: clocks: a sync_to block is required. …"},
    {CLOCKS("'sync_to':5"), PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to must be an object"},
    {SYNC("'clock':'BOOTTIME'"), PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.file is required and must be a string"},
    {SYNC("'file':5"), PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.file is required and must be a string"},
    {SYNC("'file':'app.json','machine':5"), PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.machine must be a string"},
    {CLOCKS("'machine':5,'sync_to':{'file':'app.json'}"), PLAIN,
     "meta.json: perfetto_manifest: clocks: machine must be a string"},
    {CLOCKS("'offset_ns':1.5,'sync_to':{'file':'app.json'}"), PLAIN,
     "meta.json: perfetto_manifest: clocks: offset_ns must be an integer"},
    {CLOCKS("'offset_ns':-9223372036854775808,'sync_to':{'file':'app.json'}"), PLAIN,
     "meta.json: perfetto_manifest: clocks: offset_ns is out of range"},
    {ONE("'machine':{'name':'a'},'machines':[{'id':0,'name':'b'}]"), PLAIN,
     "meta.json: perfetto_manifest: machine and machines are mutually exclusive. …"},
    {ONE("'machine':'a'"), PLAIN,
     "meta.json: perfetto_manifest: machine must be an object with a string name, …"},
    {ONE("'machine':{'name':1}"), PLAIN,
     "meta.json: perfetto_manifest: machine must be an object with a string name, …"},
    {ONE("'machine':{'name':''}"), PLAIN,
     "meta.json: perfetto_manifest: machine: name must be non-empty"},
    {ONE("'machines':{}"), PLAIN, "meta.json: perfetto_manifest: machines must be an array"},
    {ONE("'machines':[5]"), PLAIN,
     "meta.json: perfetto_manifest: machines entries need an integer id and a string name, …"},
    {ONE("'machines':[{'id':'0','name':'a'}]"), PLAIN,
     "meta.json: perfetto_manifest: machines entries need an integer id and a string name, …"},
    {ONE("'machines':[{'id':-1,'name':'a'}]"), PLAIN,
     "meta.json: perfetto_manifest: machines: id must be in [0, 4294967295]"},
    {ONE("'machines':[{'id':4294967296,'name':'a'}]"), PLAIN,
     "meta.json: perfetto_manifest: machines: id must be in [0, 4294967295]"},
    {ONE("'machines':[{'id':0,'name':''}]"), PLAIN,
     "meta.json: perfetto_manifest: machines: name must be non-empty"},
    {BODY("'attributes':[]"), PLAIN,
     "meta.json: perfetto_manifest: attributes must be an object of string or integer values…"},
    {BODY("'attributes':{'':1}"), PLAIN,
     "meta.json: perfetto_manifest: attributes: keys must be non-empty"},
    {BODY("'attributes':{'k':1.5}"), PLAIN,
     "meta.json: perfetto_manifest: attributes: 'k' must be a string or an integer"},
    {BODY("'attributes':{'k':true}"), PLAIN,
     "meta.json: perfetto_manifest: attributes: 'k' must be a string or an integer"},
    {BODY("'trace_time':{'clock':'BOOTTIME','machine':'vm'}"), PLAIN,
     "meta.json: perfetto_manifest: trace_time: machine 'vm' needs trace_time: file too: a machine "
     "name alone is ambiguous…"},
    {BODY("'trace_time':{'clock':'BOOTTIME','file':'ghost'}"), PLAIN,
     "meta.json: perfetto_manifest: trace_time: file names unknown file 'ghost'. It must match the "
     "`path` of an entry in the `files` array."},
    {TWO_TIME("'clock':'BOOTTIME','file':'two.pb'"), PLAIN,
     "meta.json: perfetto_manifest: trace_time: file 'two.pb' is a multi-machine trace; also name "
     "the machine with trace_time: machine."},
    {TWO_TIME("'clock':'BOOTTIME','file':'two.pb','machine':'ghost'"), PLAIN,
     "meta.json: perfetto_manifest: trace_time: machine 'ghost' is not a machine declared by file "
     "'two.pb'."},
    {SYNC("'file':'ghost'"), PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.file names unknown file 'ghost'. It must match "
     "the `path` of an entry in the `files` array."},
    {TWO(",'clocks':{'clock':'BOOTTIME','sync_to':{'file':'two.pb','clock':'BOOTTIME'}}"), PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.file 'two.pb' is a multi-machine trace; also "
     "name the machine with clocks: sync_to.machine."},
    {TWO(",'clocks':{'clock':'BOOTTIME','sync_to':{'file':'two.pb','machine':'ghost'}}"), PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.machine 'ghost' is not a machine declared by "
     "file 'two.pb'."},
    {FILES("{'path':'one.pb'},{'path':'two.pb','machines':[{'id':0,'name':'host'},"
           "{'id':7,'name':'vm'}],'clocks':{'clock':'BOOTTIME','sync_to':{'file':'one.pb',"
           "'clock':'BOOTTIME'}}}"),
     PLAIN,
     "meta.json: perfetto_manifest: clocks: file 'two.pb' is a multi-machine trace; name which "
     "machine…"},
    {TWO(",'clocks':{'machine':'ghost','clock':'BOOTTIME','sync_to':{'file':'two.pb',"
         "'machine':'vm','clock':'BOOTTIME'}}"),
     PLAIN,
     "meta.json: perfetto_manifest: clocks: machine 'ghost' is not a machine declared by file "
     "'one.pb'."},
    {FILES("{'path':'one.pb','clocks':{'clock':'BOOTTIME','sync_to':{'file':'gone.pb'}}},"
           "{'path':'gone.pb'}"),
     PLAIN, "meta.json: perfetto_manifest: clocks: could not resolve file 'gone.pb'…"},
    {FILES("{'path':'inner.tar','machine':{'name':'m'}}"), IN_A_TAR,
     "meta.json: perfetto_manifest: overrides are not supported for trace files which are "
     "themselves archives or perfetto_manifest files: inner.tar"},
    {FILES("{'path':'meta.json','machine':{'name':'m'}}"), PLAIN,
     "meta.json: perfetto_manifest: overrides are not supported for trace files which are "
     "themselves archives or perfetto_manifest files: meta.json"},
    {SYNC("'file':'app.json'"), PLAIN,
     "one.pb: perfetto_manifest: clock overrides require the trace to use a single clock"},
    {FILES("{'path':'two.pb','machines':[{'id':0,'name':'host'}]}"), PLAIN,
     "two.pb: perfetto_manifest: machines: trace has a packet from undeclared machine id 7"},
    {FILES("{'path':'two.pb','machine':{'name':'m'}}"), PLAIN,
     "two.pb: perfetto_manifest: a `machine` override applies only to a single-machine file, but "
     "the file contains packets from multiple machines"},
    {FILES("{'path':'two.pb','clocks':{'clock':'BOOTTIME','sync_to':{'file':'app.json'}}},"
           "{'path':'app.json'}"),
     PLAIN,
     "two.pb: perfetto_manifest: a `clocks` override applies only to a single-machine file, but "
     "the file contains packets from multiple machines"},
    {BODY("'files':[]"), TWO_SIDECARS, "multiple perfetto_manifest files in archive"},
    {BODY("'files':[]"), LATE_SIDECAR,
     "meta.json.gz: perfetto_manifest file must be the first trace file in the input"},
};

/* True when `message` is `want`, or begins so where it ends in "…". */
static bool is_wanted(const char *message, const char *want)
{
    static const char dots[] = "…";
    size_t n = strlen(want);
    if (n >= sizeof dots - 1 && strcmp(want + n - (sizeof dots - 1), dots) == 0)
        return strncmp(message, want, n - (sizeof dots - 1)) == 0;
    return strcmp(message, want) == 0;
}

static void test_each_message(void **state)
{
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct status st = STATUS_INIT;
        struct engine *engine = load(wrong[i].sidecar, wrong[i].shape, &st);
        const char *message = strstr(status_message(&st), ".zip: ");
        message = message ? message + 6 : status_message(&st);
        if (engine || !is_wanted(message, wrong[i].message)) {
            print_error("%s\n  says    %s\n  must be %s\n", wrong[i].sidecar,
                        engine ? "(it loads)" : message, wrong[i].message);
            bad++;
        }
        engine_free(engine);
        status_clear(&st);
    }
    assert_int_equal(bad, 0);
}

/* ---- what right ones do ---- */

static const struct {
    const char *sidecar, *sql, *rows;
} right[] = {
    /* machines: by name, in order of first mention from 2^32 on; row 0 is the host's */
    {FILES("{'path':'one.pb','machine':{'name':'srv'}},{'path':'app.json',"
           "'machine':{'name':'phone'}}"),
     "SELECT name, raw_id FROM machine WHERE name IS NOT NULL ORDER BY id",
     "srv|4294967296\nphone|4294967297\n"},
    {FILES("{'path':'one.pb','machine':{'name':'m'}},{'path':'app.json','machine':{'name':'m'}},"
           "{'path':'two.pb','machines':[{'id':0,'name':'m'},{'id':7,'name':'vm'}]}"),
     "SELECT name, raw_id FROM machine ORDER BY id", "m|4294967296\nvm|4294967297\n"},
    {FILES("{'path':'two.pb','machines':[{'id':0,'name':'host'},{'id':7,'name':'vm'}]}"),
     "SELECT slice.name, machine.name FROM slice JOIN track ON track.id = track_id JOIN machine ON "
     "machine.id = machine_id WHERE slice.name IN ('host', 'vm') ORDER BY 1",
     "host|host\nvm|vm\n"},
    /* clocks: the source reads T when the target reads T + offset_ns */
    {FILES("{'path':'one.pb'},{'path':'app.json','clocks':{'offset_ns':500,'sync_to':"
           "{'file':'one.pb','clock':'BOOTTIME'}}}"),
     "SELECT ts FROM slice WHERE name = 'j'", "2500\n"},
    {FILES("{'path':'one.pb'},{'path':'app.json','clocks':{'offset_ns':-500,'sync_to':"
           "{'file':'one.pb','clock':'BOOTTIME'}}}"),
     "SELECT ts FROM slice WHERE name = 'j'", "1500\n"},
    {BODY("'trace_time':{'clock':'BOOTTIME','file':'one.pb'},'files':[{'path':'one.pb'},"
          "{'path':'app.json','clocks':{'offset_ns':500,'sync_to':{'file':'one.pb',"
          "'clock':'BOOTTIME'}}}]"),
     "SELECT clock_id, clock_value FROM clock_snapshot WHERE snapshot_id = 0 ORDER BY 1",
     "6|500\n11|0\n"},
    /* trace_time */
    {BODY("'trace_time':{'clock':'REALTIME'}"),
     "SELECT int_value FROM metadata WHERE name = 'trace_time_clock_id'", "1\n"},
    {BODY("'trace_time':{'clock':'BOOTTIME','file':'one.pb'},'files':[{'path':'one.pb',"
          "'machine':{'name':'srv'}}]"),
     "SELECT ts FROM slice WHERE name = 'one'", "1000005000\n"},
    {BODY("'trace_time_clock':'MONOTONIC'"),
     "SELECT int_value FROM metadata WHERE name = 'trace_time_clock_id'", "3\n"},
    /* attributes: the last write wins; of no machine and no file */
    {BODY("'attributes':{'run':42,'name':'startup'}"),
     "SELECT name, int_value, str_value, machine_id, trace_id FROM metadata WHERE name GLOB "
     "'manifest_attribute.*' ORDER BY 1",
     "manifest_attribute.name|NULL|startup|NULL|NULL\n"
     "manifest_attribute.run|42|NULL|NULL|NULL\n"},
    /* unknown fields and files that are not there are passed over */
    {BODY("'later':{'x':1},'files':[{'path':'gone.pb','machine':{'name':'m'},'color':3}]"),
     "SELECT count(*) FROM slice WHERE name = 'one'", "1\n"},
};

static void ask(struct engine *engine, const char *sql, struct buffer *rows)
{
    struct status st = STATUS_INIT;
    struct query *query = engine_query(engine, str_of(sql), &st);
    while (query && query_next_statement(query, &st))
        while (query_step(query, &st)) {
            for (uint32_t c = 0; c < query_column_count(query); c++) {
                if (c > 0) buffer_append_byte(rows, '|');
                if (query_type(query, c) == CELL_NULL)
                    buffer_append_text(rows, "NULL");
                else
                    buffer_append_str(rows, query_text(query, c));
            }
            buffer_append_byte(rows, '\n');
        }
    query_free(query);
    assert_string_equal(status_message(&st), "");
    status_clear(&st);
}

static void test_what_right_ones_do(void **state)
{
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        struct status st = STATUS_INIT;
        struct buffer rows = BUFFER_INIT;
        struct engine *engine = load(right[i].sidecar, PLAIN, &st);
        if (engine) ask(engine, right[i].sql, &rows);
        if (!engine || strcmp(buffer_text(&rows), right[i].rows) != 0) {
            print_error("%s\n  gives   %s%s\n  must be %s\n", right[i].sidecar, status_message(&st),
                        buffer_text(&rows), right[i].rows);
            bad++;
        }
        engine_free(engine);
        status_clear(&st);
        buffer_free(&rows);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_message),
        cmocka_unit_test(test_what_right_ones_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
