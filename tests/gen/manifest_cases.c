#include "tests/gen/manifests.h"

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

static const struct gen_manifest_wrong wrong[] = {
    {"{'perfetto_manifest':{}}", GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: missing required field: version"},
    {"{'perfetto_manifest':{'version':'1'}}", GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: version must be an integer"},
    {"{'perfetto_manifest':{'version':1.5}}", GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: version must be an integer"},
    {"{'perfetto_manifest':{'version':2}}", GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: unsupported version: 2. Only version 1 is supported; set "
     "\"version\": 1."},
    {"{'perfetto_manifest':[]}", GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: expected a JSON object with a top-level perfetto_manifest key"},
    {BODY("'trace_time':5"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: trace_time must be an object"},
    {BODY("'trace_time':{}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: trace_time needs a clock"},
    {BODY("'trace_time':{'clock':'BOOTTIME','file':1}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: trace_time: file must be a string"},
    {BODY("'trace_time':{'clock':'BOOTTIME','machine':1}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: trace_time: machine must be a string"},
    {BODY("'files':{}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: files must be an array"},
    {FILES("5"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: files entries must be objects with a string path"},
    {FILES("{'path':5}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: files entries must be objects with a string path"},
    {ONE("'clocks':5"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks must be an object"},
    {CLOCKS("'clock':5,'sync_to':{'file':'app.json'}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clock name must be a string"},
    {CLOCKS("'clock':'TAI','sync_to':{'file':'app.json'}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: unknown clock name: TAI. Use one of REALTIME, "
     "REALTIME_COARSE, MONOTONIC, MONOTONIC_COARSE, MONOTONIC_RAW, BOOTTIME."},
    {CLOCKS("'clock':'BOOTTIME'"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: a sync_to block is required. …"},
    {CLOCKS("'sync_to':5"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to must be an object"},
    {SYNC("'clock':'BOOTTIME'"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.file is required and must be a string"},
    {SYNC("'file':5"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.file is required and must be a string"},
    {SYNC("'file':'app.json','machine':5"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.machine must be a string"},
    {CLOCKS("'machine':5,'sync_to':{'file':'app.json'}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: machine must be a string"},
    {CLOCKS("'offset_ns':1.5,'sync_to':{'file':'app.json'}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: offset_ns must be an integer"},
    {CLOCKS("'offset_ns':-9223372036854775808,'sync_to':{'file':'app.json'}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: offset_ns is out of range"},
    {ONE("'machine':{'name':'a'},'machines':[{'id':0,'name':'b'}]"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: machine and machines are mutually exclusive. …"},
    {ONE("'machine':'a'"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: machine must be an object with a string name, …"},
    {ONE("'machine':{'name':1}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: machine must be an object with a string name, …"},
    {ONE("'machine':{'name':''}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: machine: name must be non-empty"},
    {ONE("'machines':{}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: machines must be an array"},
    {ONE("'machines':[5]"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: machines entries need an integer id and a string name, …"},
    {ONE("'machines':[{'id':'0','name':'a'}]"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: machines entries need an integer id and a string name, …"},
    {ONE("'machines':[{'id':-1,'name':'a'}]"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: machines: id must be in [0, 4294967295]"},
    {ONE("'machines':[{'id':4294967296,'name':'a'}]"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: machines: id must be in [0, 4294967295]"},
    {ONE("'machines':[{'id':0,'name':''}]"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: machines: name must be non-empty"},
    {BODY("'attributes':[]"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: attributes must be an object of string or integer values…"},
    {BODY("'attributes':{'':1}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: attributes: keys must be non-empty"},
    {BODY("'attributes':{'k':1.5}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: attributes: 'k' must be a string or an integer"},
    {BODY("'attributes':{'k':true}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: attributes: 'k' must be a string or an integer"},
    {BODY("'trace_time':{'clock':'BOOTTIME','machine':'vm'}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: trace_time: machine 'vm' needs trace_time: file too: a machine "
     "name alone is ambiguous…"},
    {BODY("'trace_time':{'clock':'BOOTTIME','file':'ghost'}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: trace_time: file names unknown file 'ghost'. It must match the "
     "`path` of an entry in the `files` array."},
    {TWO_TIME("'clock':'BOOTTIME','file':'two.pb'"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: trace_time: file 'two.pb' is a multi-machine trace; also name "
     "the machine with trace_time: machine."},
    {TWO_TIME("'clock':'BOOTTIME','file':'two.pb','machine':'ghost'"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: trace_time: machine 'ghost' is not a machine declared by file "
     "'two.pb'."},
    {SYNC("'file':'ghost'"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.file names unknown file 'ghost'. It must match "
     "the `path` of an entry in the `files` array."},
    {TWO(",'clocks':{'clock':'BOOTTIME','sync_to':{'file':'two.pb','clock':'BOOTTIME'}}"),
     GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.file 'two.pb' is a multi-machine trace; also "
     "name the machine with clocks: sync_to.machine."},
    {TWO(",'clocks':{'clock':'BOOTTIME','sync_to':{'file':'two.pb','machine':'ghost'}}"),
     GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: sync_to.machine 'ghost' is not a machine declared by "
     "file 'two.pb'."},
    {FILES("{'path':'one.pb'},{'path':'two.pb','machines':[{'id':0,'name':'host'},"
           "{'id':7,'name':'vm'}],'clocks':{'clock':'BOOTTIME','sync_to':{'file':'one.pb',"
           "'clock':'BOOTTIME'}}}"),
     GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: file 'two.pb' is a multi-machine trace; name which "
     "machine…"},
    {TWO(",'clocks':{'machine':'ghost','clock':'BOOTTIME','sync_to':{'file':'two.pb',"
         "'machine':'vm','clock':'BOOTTIME'}}"),
     GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: clocks: machine 'ghost' is not a machine declared by file "
     "'one.pb'."},
    {FILES("{'path':'one.pb','clocks':{'clock':'BOOTTIME','sync_to':{'file':'gone.pb'}}},"
           "{'path':'gone.pb'}"),
     GEN_MANIFEST_PLAIN, "meta.json: perfetto_manifest: clocks: could not resolve file 'gone.pb'…"},
    {FILES("{'path':'inner.tar','machine':{'name':'m'}}"), GEN_MANIFEST_WITH_TAR,
     "meta.json: perfetto_manifest: overrides are not supported for trace files which are "
     "themselves archives or perfetto_manifest files: inner.tar"},
    {FILES("{'path':'meta.json','machine':{'name':'m'}}"), GEN_MANIFEST_PLAIN,
     "meta.json: perfetto_manifest: overrides are not supported for trace files which are "
     "themselves archives or perfetto_manifest files: meta.json"},
    {SYNC("'file':'app.json'"), GEN_MANIFEST_PLAIN,
     "one.pb: perfetto_manifest: clock overrides require the trace to use a single clock"},
    {FILES("{'path':'two.pb','machines':[{'id':0,'name':'host'}]}"), GEN_MANIFEST_PLAIN,
     "two.pb: perfetto_manifest: machines: trace has a packet from undeclared machine id 7"},
    {FILES("{'path':'two.pb','machine':{'name':'m'}}"), GEN_MANIFEST_PLAIN,
     "two.pb: perfetto_manifest: a `machine` override applies only to a single-machine file, but "
     "the file contains packets from multiple machines"},
    {FILES("{'path':'two.pb','clocks':{'clock':'BOOTTIME','sync_to':{'file':'app.json'}}},"
           "{'path':'app.json'}"),
     GEN_MANIFEST_PLAIN,
     "two.pb: perfetto_manifest: a `clocks` override applies only to a single-machine file, but "
     "the file contains packets from multiple machines"},
    {BODY("'files':[]"), GEN_MANIFEST_TWICE, "multiple perfetto_manifest files in archive"},
    {BODY("'files':[]"), GEN_MANIFEST_LATE,
     "meta.json.gz: perfetto_manifest file must be the first trace file in the input"},
};

static const struct gen_manifest_right right[] = {
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

const struct gen_manifest_wrong *gen_manifests_wrong(size_t *count)
{
    *count = sizeof wrong / sizeof *wrong;
    return wrong;
}

const struct gen_manifest_right *gen_manifests_right(size_t *count)
{
    *count = sizeof right / sizeof *right;
    return right;
}
